//! How fast the interpreter is: `while (i < n) { sum := sum + i; i := i + 1; }` on integers and on
//! bit-vectors, and `m[i] := i` on a map of maps.

use std::time::Instant;

use program::interpret::{Machine, Zeros, run};
use program::{Builder, Place, Program, Site, Statement, Stop, Trust};
use term::{Sort, Term, Terms, Value};

const ROUNDS: i32 = 1_000_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for sort in [Sort::Int, Sort::BitVec(32)] {
        let program = counting(&sort, &sort, |_, sum, i, terms| {
            (Place::variable(sum), terms.add(&[sum, i]))
        })?;
        measure(&format!("sum := sum + i, on {sort}"), &program);
    }
    let map = Sort::array(Sort::Int, Sort::array(Sort::Int, Sort::Int));
    let program = counting(&Sort::Int, &map, |zero, m, i, _| {
        (Place { variable: m, indices: vec![zero, i] }, i)
    })?;
    measure("m[0][i] := i", &program);
    Ok(())
}

fn counting(
    counter: &Sort,
    accumulator: &Sort,
    body: impl Fn(Term, Term, Term, &mut Terms) -> (Place, Term),
) -> Result<Program, program::Malformed> {
    let mut b = Builder::new(program::Language::Boogie, Vec::new());
    let text = "statement".to_owned();
    let site = b.site(Site { span: None, text, trust: Trust::User, property: None });
    let main = b.procedure("main");
    let i = b.local(main, "i", counter);
    let sum = b.local(main, "sum", accumulator);
    let number = |value: i32| Value::number(counter, &value.into());
    let [zero, one, limit] = [0, 1, ROUNDS].map(|value| b.terms.constant(&number(value)));
    let more = match counter {
        Sort::BitVec(_) => b.terms.bv_ult(i, limit),
        _ => b.terms.lt(i, limit),
    };
    let done = b.terms.not(more);
    let next = b.terms.add(&[i, one]);
    let (place, value) = body(zero, sum, i, &mut b.terms);
    let (head, exit) = (b.entry_of(main), b.exit_of(main));
    let [first, second, last] = [(); 3].map(|()| b.location(main));
    b.edge(head, first, Statement::Assume { condition: more }, site);
    b.edge(head, last, Statement::Assume { condition: done }, site);
    b.edge(first, second, Statement::Assign { place, value }, site);
    b.edge(second, head, Statement::Assign { place: Place::variable(i), value: next }, site);
    b.edge(last, exit, Statement::Return, site);
    b.enter_at(main);
    b.finish()
}

fn measure(what: &str, program: &Program) {
    let mut machine = Machine::new(program, program.entries[0], &mut Zeros);
    let mut steps = 0u64;
    let begin = Instant::now();
    let outcome = run(&mut machine, &mut Zeros, u64::MAX, &Stop::default(), &mut |_| steps += 1);
    let seconds = begin.elapsed().as_secs_f64();
    println!("{what}: {outcome:?}, {:.1} million steps/s", steps as f64 / seconds / 1e6);
}
