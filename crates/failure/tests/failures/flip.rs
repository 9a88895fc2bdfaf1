//! Decisions made otherwise. Each program is run by both interpreters, which must agree.

use std::fmt::Write;

use failure::run::{Extent, InputMode, Job};
use failure::{Action, Failure, Flip, Flipped, Inputs, Trace, Watch};
use program::interpret::{self, Machine, Oracle, Outcome, Zeros};
use program::process::{
    Detail, ExternalCall, Fault, Host, Image, Limits, Objects, Response, Scalar,
};
use program::{EdgeId, FailureKind, Program, Stop};
use term::{Sort, Term, Value};

use Flipped::{Differs, Same, Unclear};

use crate::random::Random;
use crate::read;

/// A world with a heap, `give` that counts, and an exit.
#[derive(Clone, Debug, Default)]
pub struct World {
    given: u32,
}

impl Host for World {
    fn call(&mut self, call: ExternalCall<'_>, memory: &mut Objects) -> Result<Response, Fault> {
        let word = |n: usize| call.arguments.get(n).map_or(0, |argument| argument.bits as u64);
        let results = match call.name {
            "malloc" => {
                let origin = program::process::Origin::Heap(call.edge);
                vec![Scalar::new(memory.allocate_zeroed(word(0), 16, origin).unwrap_or(0).into())]
            }
            "free" => {
                memory.free(word(0), call.edge)?;
                Vec::new()
            }
            "give" => {
                self.given += 1;
                vec![Scalar::new(self.given.into())]
            }
            "exit" => return Ok(Response::Exit(word(0) as i32)),
            "block" => return Ok(Response::Block),
            name => {
                let detail = Detail::Text(name.to_owned());
                return Err(Fault { kind: FailureKind::Abort, detail });
            }
        };
        Ok(Response::Return { results, nature: program::process::Nature::Fixed })
    }
}

/// How a run of a program with these limits fails; of a long run, the first instructions are not recorded.
pub fn of_process<'p>(
    program: &'p Program,
    image: &'p Image,
    instructions: u64,
    skipped: u64,
) -> Option<Failure<'p>> {
    let job = Job {
        program,
        image,
        entry: program.entries[0],
        arguments: &[],
        environment: &[],
        expected_status: None,
        limits: Limits { instructions, ..Limits::default() },
        extent: Extent::default(),
    };
    let (stop, mode) = (Stop::default(), InputMode::Fixed);
    let record = job.record(World::default(), job.extent.whole + skipped, mode, &stop)?;
    record.failure(job, mode)
}

fn of_machine(program: &Program) -> Option<Failure<'_>> {
    let mut machine = Machine::new(program, program.entries[0], &mut Zeros);
    let mut path: Vec<EdgeId> = Vec::new();
    let visit = &mut |edge| path.push(edge);
    let outcome = interpret::run(&mut machine, &mut Zeros, 100_000, &Stop::default(), visit);
    assert!(!matches!(outcome, Outcome::StepLimit), "programs end");
    let trace = Trace::from_path(program, program.entries[0], &path);
    Failure::new(program, trace, Inputs::default())
}

const OPERATORS: &str = "
    function {:bvbuiltin \"bvadd\"} add(a: bv8, b: bv8) returns (bv8);
    function {:bvbuiltin \"bvult\"} ult(a: bv8, b: bv8) returns (bool);\n";

/// Calls the test with the failure of each interpreter.
fn with_failures(text: &str, test: &dyn Fn(&Failure<'_>)) {
    let program = read(&format!("{OPERATORS}{text}"));
    let image = Image::new(&program).unwrap();
    test(&of_process(&program, &image, 1_000_000, 0).unwrap());
    test(&of_machine(&program).unwrap());
}

/// The steps with this text.
pub fn steps(failure: &Failure<'_>, text: &str) -> Vec<usize> {
    let site = |step: usize| failure.program.site(failure.trace.steps[step].site);
    let all = 0..failure.trace.steps.len();
    let found: Vec<usize> = all.filter(|&step| site(step).text == text).collect();
    assert!(!found.is_empty(), "no step {text}");
    found
}

/// The variable of the trace, of the activation in which it is assigned first.
fn variable(failure: &Failure<'_>, name: &str) -> Watch {
    let places = failure.trace.steps.iter().filter_map(|step| step.action.place());
    let is_it = |v: &Term| failure.program.name(failure.trace.origin(*v).1) == name;
    let mut found = places.map(|place| place.variable).filter(is_it);
    Watch::Variable(found.next().unwrap_or_else(|| panic!("{name} is not assigned")))
}

/// What if this instance of the decision had been another?
pub fn flip(failure: &Failure<'_>, text: &str, instance: usize, watch: Watch) -> Flipped {
    let decision =
        |&step: &usize| matches!(failure.trace.steps[step].action, Action::Assume { .. });
    let decisions: Vec<usize> = steps(failure, text).into_iter().filter(decision).collect();
    let at = failure.trace.steps[decisions[instance]].at as usize;
    failure.flipped(&[Flip { at, watch }])[0]
}

#[test]
fn both_ways_of_a_branch() {
    // Figure 6 of paper 5.
    let text = "procedure main() { var a, b, c, d: bv8;
        a := 2bv8; b := 1bv8; c := 1bv8; d := 0bv8;
        if (ult(0bv8, a)) {
          if (b == 0bv8) { if (c != 2bv8) { c := 2bv8; } }
          d := add(c, 3bv8);
        }
        assert d == 5bv8; }";
    with_failures(text, &|failure| {
        let line6 = steps(failure, "d := add(c, 3bv8)")[0];
        let direct = |text, step| flip(failure, text, 0, Watch::Step(step));
        let indirect = |text, name| flip(failure, text, 0, variable(failure, name));
        assert_eq!(direct("ult(0bv8, a)", line6), Differs);
        assert_eq!(indirect("ult(0bv8, a)", "d"), Differs);
        assert_eq!(indirect("ult(0bv8, a)", "c"), Same);
        assert_eq!(indirect("b == 0bv8", "c"), Differs);
        assert_eq!(indirect("b == 0bv8", "d"), Same);
        // It is executed after the ways meet.
        assert_eq!(direct("b == 0bv8", line6), Unclear);
        // No decisions: an assignment, a check.
        let edges = failure.trace.path.len();
        for at in [0, edges - 1, edges, edges + 7] {
            let watch = variable(failure, "d");
            assert_eq!(failure.flipped(&[Flip { at, watch }]), [Unclear]);
        }
    });
}

#[test]
fn another_round_or_none() {
    let text = "procedure main() { var i, n, s: bv8;
        n := 3bv8; i := 0bv8; s := 0bv8;
        while (ult(i, n)) { i := add(i, 1bv8); if (i == 9bv8) { s := 7bv8; } }
        assert s != 0bv8; }";
    with_failures(text, &|failure| {
        let head = |instance, watch| flip(failure, "ult(i, n)", instance, watch);
        for round in 0..4 {
            assert_eq!(head(round, variable(failure, "i")), Differs);
            assert_eq!(head(round, variable(failure, "s")), Same);
        }
        let rounds = steps(failure, "i := add(i, 1bv8)");
        assert_eq!(head(1, Watch::Step(rounds[1])), Differs);
        assert_eq!(head(1, Watch::Step(rounds[2])), Differs);
        assert_eq!(head(1, Watch::Step(rounds[0])), Unclear);
        assert_eq!(flip(failure, "i == 9bv8", 2, variable(failure, "s")), Differs);
    });
}

#[test]
fn all_other_cases_are_tried() {
    let text = "procedure main() { var x, y, z, u: bv8;
        x := 1bv8; y := 1bv8; z := 1bv8; u := 1bv8;
        goto A, B, C, D, E;
        A: assume x == 1bv8; y := 5bv8; goto F;
        B: assume x == 2bv8; y := 5bv8; z := 1bv8; goto F;
        C: assume x == 3bv8; y := 5bv8; z := 2bv8; goto F;
        D: assume x == 4bv8; y := 5bv8; goto F;
        E: assume ult(4bv8, x); y := 5bv8; assume u != 1bv8; goto F;
        F: assert false; }";
    with_failures(text, &|failure| {
        let other = |name| flip(failure, "assume x == 1bv8", 0, variable(failure, name));
        assert_eq!(other("z"), Differs);
        // The case E is impossible in the end.
        assert_eq!(other("y"), Unclear);
    });
}

#[test]
fn returns_and_results() {
    let text = "var g: bv8; var h: bv8;
        procedure f(p: bv8) returns (r: bv8) modifies g, h; {
          g := 1bv8; h := 1bv8; r := 1bv8;
          if (p == 1bv8) { g := 2bv8; return; }
          r := add(r, 0bv8);
          if (p == 3bv8) { r := 3bv8; return; }
          h := add(h, p);
        }
        procedure main() modifies g, h; { var a, b: bv8;
          b := 4bv8;
          call a := f(0bv8);
          assert b != 4bv8; }";
    with_failures(text, &|failure| {
        let first = |watch| flip(failure, "p == 1bv8", 0, watch);
        let second = |watch| flip(failure, "p == 3bv8", 0, watch);
        for (name, one, two) in [
            ("g", Differs, Same),
            ("h", Same, Same),
            ("r", Same, Differs),
            ("b", Same, Same),
            ("p", Same, Same),
        ] {
            assert_eq!(first(variable(failure, name)), one, "{name}");
            assert_eq!(second(variable(failure, name)), two, "{name}");
        }
        let again = steps(failure, "r := add(r, 0bv8)")[0];
        assert_eq!(first(Watch::Step(again)), Differs);
        assert_eq!(second(Watch::Step(again)), Unclear);
        let last = steps(failure, "h := add(h, p)")[0];
        assert_eq!(second(Watch::Step(last)), Differs);
        // The argument is bound before; the result is returned by other ways, too.
        let [argument, result] = steps(failure, "call a := f(0bv8)")[..] else { panic!() };
        assert_eq!(first(Watch::Step(argument)), Unclear);
        assert_eq!(first(Watch::Step(result)), Same);
        assert_eq!(second(Watch::Step(result)), Differs);
        let check = failure.trace.steps.len() - 1;
        assert_eq!(second(Watch::Step(check)), Unclear);
    });
}

#[test]
fn calls_on_the_way() {
    let text = "var g: bv8;
        procedure f(p: bv8, q: bv8) returns (r: bv8) modifies g; {
          if (p == 7bv8) { g := 9bv8; } else { g := q; }
          r := q;
        }
        procedure main() modifies g; { var a, c: bv8;
          c := 1bv8;
          if (c == 1bv8) { call a := f(3bv8, 2bv8); } else { call a := f(7bv8, 2bv8); }
          assert g == 1bv8; }";
    with_failures(text, &|failure| {
        let outer = |watch| flip(failure, "c == 1bv8", 0, watch);
        let inner = |watch| flip(failure, "p == 7bv8", 0, watch);
        assert_eq!(outer(variable(failure, "g")), Differs);
        assert_eq!(outer(variable(failure, "a")), Same);
        assert_eq!(inner(variable(failure, "g")), Differs);
        assert_eq!(inner(variable(failure, "a")), Same);
        // A statement of the callee is the same statement, whoever calls.
        assert_eq!(outer(Watch::Step(steps(failure, "r := q")[0])), Same);
        assert_eq!(outer(Watch::Step(steps(failure, "g := q")[0])), Differs);
        // What is not there at the decision cannot be compared.
        assert_eq!(outer(variable(failure, "r")), Unclear);
    });
}

#[test]
fn ends_on_the_other_way() {
    let text = "var g: bv8;
        procedure main() modifies g; { var a, b, c: bv8;
          a := 1bv8; b := 1bv8; c := 1bv8; g := 1bv8;
          if (a != 1bv8) { assert a != 1bv8; }
          if (b != 1bv8) { assume b != 1bv8; }
          if (c != 1bv8) { while (c == 1bv8) { g := add(g, 1bv8); } }
          assert g != 1bv8; }";
    with_failures(text, &|failure| {
        // It fails, it is excluded, it goes on for ever.
        for (text, expected) in
            [("a != 1bv8", Differs), ("b != 1bv8", Unclear), ("c != 1bv8", Unclear)]
        {
            assert_eq!(flip(failure, text, 0, variable(failure, "g")), expected);
        }
    });
}

#[test]
fn a_failure_before_the_ways_meet() {
    let text = "var g: bv8; var h: bv8; var k: bv8;
        procedure f(p: bv8) modifies k; { k := 1bv8; assert p == 0bv8; k := 2bv8; }
        procedure main() modifies g, h, k; { var c: bv8;
          g := 1bv8; h := 1bv8; c := 1bv8; k := 1bv8;
          if (c == 1bv8) {
            if (h == 1bv8) { call f(1bv8); } else { call f(2bv8); }
          } else { h := 2bv8; call f(0bv8); }
          g := 3bv8; }";
    with_failures(text, &|failure| {
        let outer = |watch| flip(failure, "c == 1bv8", 0, watch);
        let inner = |watch| flip(failure, "h == 1bv8", 0, watch);
        assert_eq!(outer(variable(failure, "h")), Differs);
        assert_eq!(outer(variable(failure, "g")), Same);
        assert_eq!(outer(variable(failure, "k")), Differs);
        let fails = failure.trace.steps.len() - 1;
        assert_eq!(outer(Watch::Step(fails)), Differs);
        assert_eq!(outer(Watch::Step(steps(failure, "k := 1bv8")[1])), Same);
        // The same failure on the other way.
        assert_eq!(inner(Watch::Step(fails)), Same);
        assert_eq!(inner(variable(failure, "k")), Same);
        let argument = steps(failure, "call f(1bv8)")[0];
        assert_eq!(inner(Watch::Step(argument)), Differs);
    });
}

/// Answers all havocs with 5, and takes the last of several ways.
struct Fives;

impl Oracle for Fives {
    fn havoc(&mut self, _: &Sort) -> Value {
        Value::int(5)
    }

    fn choose(&mut self, possible: &[EdgeId]) -> usize {
        possible.len() - 1
    }
}

#[test]
fn what_is_open_is_as_in_the_failing_run() {
    let program = read(
        "procedure main() { var x, y, z, c: int;
           c := 1; x := 0; y := 0; z := 0;
           if (c == 1) {
             havoc x; if (*) { y := 1; } else { y := 2; }
           } else {
             goto A, B;
             A: havoc x; y := 1; goto C;
             B: havoc x; havoc z; y := 2;
             C:
           }
           goto D, E;
           D: assume x < 9; x := x + 1; goto F;
           E: assume x > 3; x := x + 2;
           F: assert x != 7; }",
    );
    let mut path: Vec<EdgeId> = Vec::new();
    let mut machine = Machine::new(&program, program.entries[0], &mut Fives);
    let visit = &mut |edge| path.push(edge);
    interpret::run(&mut machine, &mut Fives, 100, &Stop::default(), visit);
    let trace = Trace::from_path(&program, program.entries[0], &path);
    let inputs = Inputs { havocs: vec![Value::int(5)], ..Inputs::default() };
    let failure = Failure::new(&program, trace, inputs).unwrap();
    // The first havoc is as it was, the next is zero; of the ways, nothing is known.
    let first = |name| flip(&failure, "c == 1", 0, variable(&failure, name));
    assert_eq!((first("x"), first("y"), first("z")), (Same, Differs, Same));
    // A decision between two possible ways.
    let second = |watch| flip(&failure, "assume x > 3", 0, watch);
    assert_eq!(second(variable(&failure, "x")), Differs);
    assert_eq!(second(variable(&failure, "y")), Same);
    assert_eq!(second(Watch::Step(steps(&failure, "x := x + 2")[0])), Differs);
}

/// A random program of branches, loops, calls, returns and checks, which ends.
fn random_text(random: &mut Random) -> String {
    fn block(random: &mut Random, depth: usize, text: &mut String) {
        for _ in 0..1 + random.below(3) {
            let (a, b) = (random.pick(&["x", "y", "g"]), random.pick(&["x", "y", "g", "2bv8"]));
            let c = random.below(4);
            let _ = match random.below(if depth == 0 { 3 } else { 9 }) {
                0 | 1 => writeln!(text, "{a} := add({b}, {c}bv8);"),
                2 => writeln!(text, "{a} := {b};"),
                3 if random.one_in(2) => writeln!(text, "if ({a} == {c}bv8) {{ return; }}"),
                3 => writeln!(text, "assert {a} != {}bv8;", 7 + c),
                4 => writeln!(text, "call {a} := f(add(d, 255bv8), {b});"),
                5 => {
                    // A loop that ends by itself: no deeper block touches its counter.
                    let _ = write!(
                        text,
                        "n{depth} := 0bv8;\nwhile (ult(n{depth}, {}bv8)) {{\n\
                         n{depth} := add(n{depth}, 1bv8);\n",
                        1 + c
                    );
                    block(random, depth - 1, text);
                    text.push_str("}\n");
                    Ok(())
                }
                _ => {
                    let _ = writeln!(text, "if (ult({a}, add({b}, {c}bv8))) {{");
                    block(random, depth - 1, text);
                    text.push_str("} else {\n");
                    if !random.one_in(3) {
                        block(random, depth - 1, text);
                    }
                    text.push_str("}\n");
                    Ok(())
                }
            };
        }
    }
    let (mut f, mut main) = (String::new(), String::new());
    block(random, 2, &mut f);
    block(random, 3, &mut main);
    format!(
        "var g: bv8;
         procedure f(d: bv8, p: bv8) returns (x: bv8) modifies g; {{
           var y, n1, n2, n3: bv8;\nx := p; y := 0bv8;\nif (ult(250bv8, d)) {{ return; }}\n{f} }}
         procedure main() modifies g; {{ var x, y, d, n1, n2, n3: bv8;
           x := 1bv8; y := 2bv8; d := 2bv8; g := 3bv8;\n{main}assert x == 100bv8; }}\n"
    )
}

#[test]
fn the_interpreters_agree() {
    let mut random = Random::new(5);
    let (mut asked, mut answers) = (0, [0; 3]);
    for number in 0..300 {
        let text = random_text(&mut random);
        let program = read(&format!("{OPERATORS}{text}"));
        let image = Image::new(&program).unwrap();
        let (Some(first), Some(second)) =
            (of_process(&program, &image, 10_000_000, 0), of_machine(&program))
        else {
            continue;
        };
        assert_eq!(first.trace.path, second.trace.path, "{text}");
        assert_eq!(first.trace.steps.len(), second.trace.steps.len(), "{text}");
        let flips = |failure: &Failure<'_>, random: &mut Random| -> Vec<Flip> {
            let decision = |step: &&failure::Step| matches!(step.action, Action::Assume { .. });
            let decisions = failure.trace.steps.iter().filter(decision);
            let mut flips = Vec::new();
            for decision in decisions.take(200) {
                let at = decision.at as usize;
                for name in ["x", "y", "g"] {
                    flips.push(Flip { at, watch: variable(failure, name) });
                }
                for _ in 0..3 {
                    let step = random.below(failure.trace.steps.len());
                    flips.push(Flip { at, watch: Watch::Step(step) });
                }
            }
            flips
        };
        let mut same = Random::new(number);
        let one = first.flipped(&flips(&first, &mut same));
        let mut same = Random::new(number);
        let two = second.flipped(&flips(&second, &mut same));
        assert_eq!(one, two, "{text}");
        asked += one.len();
        for answer in one {
            answers[answer as usize] += 1;
        }
    }
    assert!(asked > 5_000 && answers.iter().all(|&n| n > 500), "{asked} {answers:?}");
}
