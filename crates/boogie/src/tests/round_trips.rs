//! What is written reads back as the same program.

use program::{Builder, FailureKind, Place, Program, Property, Site, Statement, Trust, difference};
use term::number::IBig;
use term::{Op, Sort, Term, Terms, Value};

use super::programs::SAMPLE;
use crate::{read, write};

pub(super) fn round_trip(program: &Program) -> String {
    let text = write(program);
    let again = match read("again.bpl", &text) {
        Ok(again) => again,
        Err(errors) => panic!("{}: {text}", errors[0]),
    };
    if let Some(difference) = difference(program, &again) {
        panic!("{difference}\n{text}\nis read as\n{}", write(&again));
    }
    text
}

#[test]
fn the_sample() {
    let program = read("sample.bpl", SAMPLE).unwrap();
    assert_eq!(round_trip(&program), write(&read("again.bpl", &write(&program)).unwrap()));
}

#[test]
fn random_programs() {
    for seed in 0..1500 {
        round_trip(&super::random::program(seed));
    }
}

#[test]
fn nothing() {
    assert_eq!(round_trip(&read("empty.bpl", "").unwrap()), "");
}

#[test]
fn the_text_is_readable() {
    let text = "
        var g: int;
        procedure main(a: int) returns (r: int)
        {
          var m: [int]bool;
          r := 2 * a - g + 1;
          if (a >= 3 && !m[a]) { m[a] := g != 4; }
          assert r <= 10;
        }";
    let expected = r#"var g: int;

procedure {:entrypoint 0} main(a: int) returns (r: int)
{
  var m: [int]bool;
L1:
  r := 2 * a - g + 1;
L3:
  goto L3_0, L3_1;
L3_0:
  assume a >= 3 && !m[a];
  goto L4;
L3_1:
  assume !(a >= 3 && !m[a]);
  goto L5;
L4:
  m[a] := g != 4;
L5:
  assert {:msg "assertion `r <= 10` is violated"} r <= 10;
L6:
  return {:trusted};
}
"#;
    assert_eq!(round_trip(&read("test.bpl", text).unwrap()), expected);
}

/// A procedure that assigns the value that `make` gives.
fn assigning(sort: &Sort, make: impl FnOnce(&mut Terms, Term) -> Term) -> Program {
    let mut builder = Builder::new(program::Language::Boogie, Vec::new());
    let main = builder.procedure("main");
    let variable = builder.local(main, "x", sort);
    let value = make(&mut builder.terms, variable);
    let (entry, exit) = (builder.entry_of(main), builder.exit_of(main));
    let middle = builder.location(main);
    let property = Some(Property { kind: FailureKind::Invariant, message: String::new() });
    let site = Site { span: None, text: String::new(), trust: Trust::User, property };
    let site = builder.site(site);
    let place = Place::variable(variable);
    builder.edge(entry, middle, Statement::Assign { place, value }, site);
    builder.edge(middle, exit, Statement::Return, site);
    builder.enter_at(main);
    builder.finish().unwrap()
}

#[test]
fn terms_that_are_large_as_trees() {
    let program = assigning(&Sort::BitVec(32), |terms, x| {
        (0..5000).fold(x, |term, _| {
            let square = terms.mul(term, term);
            terms.bit_operation(Op::BvXor, square, x)
        })
    });
    let text = round_trip(&program);
    assert!(text.len() < 1_000_000, "{}", text.len());
}

#[test]
fn terms_that_are_deep() {
    round_trip(&assigning(&Sort::Int, |terms, x| {
        (0..20_000).fold(x, |term, _| {
            let quotient = terms.div(x, term);
            terms.add(&[quotient, x])
        })
    }));
    round_trip(&assigning(&Sort::array(Sort::Int, Sort::Int), |terms, x| {
        let mut map = x;
        for i in 0..5000 {
            let index = terms.constant(&Value::int(i));
            map = terms.store(map, index, index);
        }
        map
    }));
}

#[test]
fn terms_that_are_long() {
    for sort in [Sort::Int, Sort::Real, Sort::BitVec(16)] {
        round_trip(&assigning(&sort, |terms, x| {
            let map = terms.constant(&Value::zero(&Sort::array(sort.clone(), sort.clone())));
            let map = terms.store(map, x, x);
            let mut sum = x;
            for i in 0..300 {
                let index = terms.constant(&Value::number(&sort, &i.into()));
                let index = terms.mul(index, x);
                let part = terms.select(map, index);
                sum = terms.add(&[sum, part]);
            }
            sum
        }));
    }
}

#[test]
fn numbers_that_are_long() {
    for (number, sort) in [(-1, Sort::Int), (1, Sort::Real)] {
        let large = IBig::from(number) * (IBig::from(7).pow(30_000) + IBig::from(1));
        let value = Value::number(&sort, &large);
        round_trip(&assigning(&sort, |terms, _| terms.constant(&value)));
    }
}
