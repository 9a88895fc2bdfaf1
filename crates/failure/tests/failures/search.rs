//! The search against executions of the interpreter.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use failure::{Failure, Found, Incomplete, SearchLimits, Trace, search, simplest_inputs, symbolic};
use program::interpret::{Machine, Oracle};
use program::{EdgeId, ProcedureId, Program, Stop};
use term::{Sort, Term, Value};

use crate::random::{self, Numbers};
use crate::{domain, procedure, read, texts, z3};

fn limits(traces: usize, unrollings: u32) -> SearchLimits {
    SearchLimits { traces, unrollings, ..SearchLimits::default() }
}

/// Searches, and checks what every search must fulfil.
fn find(program: &Program, limits: SearchLimits) -> Found {
    let found = search(program, &mut z3(), limits, &Stop::default());
    let different: BTreeSet<_> = found.paths.iter().collect();
    assert_eq!(different.len(), found.paths.len());
    assert!(found.paths.len() <= limits.traces && found.unrollings <= limits.unrollings);
    assert!(found.incomplete.is_sorted());
    for (entry, path) in &found.paths {
        let trace = Trace::from_path(program, *entry, path);
        let mut terms = trace.terms.clone();
        let run = symbolic::execute(&mut terms, &trace);
        let inputs = simplest_inputs(&mut terms, &mut z3(), &trace, &run).unwrap();
        assert!(Failure::new(program, trace, inputs).is_some());
    }
    found
}

/// How often a statement is on each path.
fn how_often(program: &Program, found: &Found, statement: &str) -> Vec<usize> {
    let count =
        |path: &[EdgeId]| texts(program, path).iter().filter(|text| **text == statement).count();
    found.paths.iter().map(|(_, path)| count(path)).collect()
}

#[test]
fn short_failures_come_first() {
    // From two iterations on it fails; each round goes twice as deep as the one before.
    let program = read(
        "procedure main(n: int) { var i: int; i := 0;
           while (i < n) { i := i + 1; } assert i < 2 && i != 7; }",
    );
    let found = find(&program, limits(1, 20));
    assert_eq!(how_often(&program, &found, "i := i + 1"), [2]);
    assert_eq!(found.unrollings, 2);
    let found = find(&program, limits(4, 20));
    let mut often = how_often(&program, &found, "i := i + 1");
    assert_eq!(often.remove(0), 2);
    assert!(often.iter().all(|n| (3..=8).contains(n)), "{often:?}");
    // A violation inside the loop is found on the way.
    let program = read(
        "procedure main() { var i: int; i := 0;
           while (*) { i := i + 1; assert i < 3; } }",
    );
    let found = find(&program, limits(1, 20));
    assert_eq!(how_often(&program, &found, "i := i + 1"), [3]);
}

#[test]
fn undecided_loops_are_unrolled_up_to_the_bound() {
    let text = "procedure main(n: int) { var i: int; i := 0;
        while (i < n) { i := i + 1; } assert i < LIMIT; }";
    for (limit, bound) in [(5, 5), (7, 7), (1, 1), (20, 20), (1, 0)] {
        let program = read(&text.replace("LIMIT", &limit.to_string()));
        let found = find(&program, limits(1, bound));
        if bound >= limit {
            assert!(found.incomplete.contains(&Incomplete::Enough));
            assert_eq!(found.paths.len(), 1);
        } else {
            assert_eq!(found.incomplete, [Incomplete::Unrollings]);
            assert!(found.paths.is_empty());
        }
        let program = read(&text.replace("LIMIT", &(bound + 1).to_string()));
        let found = find(&program, limits(1, bound));
        assert!(found.paths.is_empty());
        assert_eq!((found.incomplete, found.unrollings), (vec![Incomplete::Unrollings], bound));
    }
    // All lengths up to the bound.
    let program =
        read("procedure main() { var i: int; while (*) { i := i + 1; } i := 0; assert false; }");
    let found = find(&program, limits(100, 6));
    assert_eq!(found.paths.len(), 7);
    assert_eq!(found.incomplete, [Incomplete::Unrollings]);
}

#[test]
fn determined_loops_run_without_bound() {
    let program = read(
        "procedure main() { var i, s: int; i := 0; s := 0;
           while (i < 1000) { i := i + 1; if (i mod 2 == 0) { s := s + i; } }
           assert s != 250500; }",
    );
    let found = find(&program, limits(1, 1));
    assert_eq!(how_often(&program, &found, "i := i + 1"), [1000]);
    assert_eq!(how_often(&program, &found, "s := s + i"), [500]);
    let fine = read(
        "procedure main() { var i: int; i := 0; while (i < 1000) { i := i + 1; } assert i == 1000; }",
    );
    let found = find(&fine, limits(1, 1));
    assert!(found.paths.is_empty() && found.incomplete.is_empty());
}

#[test]
fn a_determined_loop_with_an_undetermined_branch_is_followed_to_its_end() {
    let program = read(
        "procedure main(x: int) { var i, s: int; i := 0; s := 0;
           while (i < 60) { i := i + 1; if (x > i) { s := s + 1; } }
           assert i < 60; }",
    );
    let found = find(&program, limits(1, 3));
    assert_eq!(how_often(&program, &found, "i := i + 1"), [60]);
    // The branch depends on one number: there are 61 ways, all found.
    let found = find(&program, limits(1000, 3));
    assert_eq!(found.paths.len(), 61);
    assert!(found.incomplete.is_empty(), "{:?}", found.incomplete);
    let all: BTreeSet<usize> = how_often(&program, &found, "s := s + 1").into_iter().collect();
    assert_eq!(all, (0..=60).collect());
}

#[test]
fn recursion_of_unknown_depth_is_bounded() {
    let text = "procedure f(n: int) returns (r: int) {
          if (n > 0) { call r := f(n - 1); r := r + 1; } else { r := 0; } }
        procedure main(n: int) { var x: int; call x := f(n); assert x != DEPTH; }";
    let program = read(&text.replace("DEPTH", "4"));
    let found = find(&program, limits(1, 6));
    assert_eq!(how_often(&program, &found, "r := r + 1"), [4]);
    let program = read(&text.replace("DEPTH", "100"));
    let found = find(&program, limits(1, 6));
    assert!(found.paths.is_empty());
    assert_eq!(found.incomplete, [Incomplete::Unrollings]);
    // Two procedures that call each other.
    let program = read(
        "procedure a(n: int) { if (n > 0) { call b(n - 1); } else { assert false; } }
         procedure b(n: int) { if (n > 0) { call a(n - 1); } }
         procedure main(n: int) { call a(n); }",
    );
    let found = find(&program, limits(100, 4));
    assert_eq!(found.paths.len(), 5);
    assert_eq!(found.incomplete, [Incomplete::Unrollings]);
}

#[test]
fn recursion_of_known_depth_is_not() {
    let program = read(
        "procedure f(n: int) returns (r: int) {
           if (n > 0) { call r := f(n - 1); r := r + 1; } else { r := 0; } }
         procedure main() { var x: int; call x := f(5000); assert x != 5000; }",
    );
    let found = find(&program, limits(1, 2));
    assert_eq!(how_often(&program, &found, "r := r + 1"), [5000]);
}

#[test]
fn why_there_may_be_more() {
    let one = read("procedure main(x: int) { if (x == 3) { assert false; } }");
    assert_eq!(find(&one, limits(2, 20)).incomplete, []);
    assert_eq!(find(&one, limits(1, 20)).incomplete, [Incomplete::Enough]);
    assert_eq!(find(&one, limits(0, 20)).incomplete, [Incomplete::Enough]);
    let endless = read("procedure main() { while (true) { } assert false; }");
    let short = SearchLimits { steps: 500, ..limits(1, 20) };
    assert_eq!(find(&endless, short).incomplete, [Incomplete::Steps]);
    let long = read(
        "procedure main() { var i: int; i := 0; while (i < 100) { i := i + 1; } assert false; }",
    );
    assert_eq!(
        find(&long, SearchLimits { steps: 50, ..limits(1, 20) }).incomplete,
        [Incomplete::Steps]
    );
    // Where everything is said, a path of just so many edges is found.
    let path = find(&long, limits(1, 20)).paths.remove(0).1;
    let exact = |steps| find(&long, SearchLimits { steps, ..limits(2, 20) });
    assert_eq!(exact(path.len()).paths.len(), 1);
    assert_eq!(exact(path.len()).incomplete, []);
    assert_eq!(exact(path.len() - 1).paths.len(), 0);
    assert_eq!(exact(path.len() - 1).incomplete, [Incomplete::Steps]);
    // Two reasons, in order.
    let both = read(
        "procedure main(n: int) { var i: int; if (*) { while (true) { } } \
                     i := 0; while (i < n) { i := i + 1; } assert i >= 0; }",
    );
    let found = find(&both, SearchLimits { steps: 500, ..limits(1, 4) });
    assert_eq!(found.incomplete, [Incomplete::Unrollings, Incomplete::Steps]);
}

#[test]
fn a_search_that_is_stopped_says_so() {
    let program = read("procedure main(x: int) { assert x != 3; }");
    let stop = Stop::default();
    stop.request();
    let found = search(&program, &mut z3(), limits(1, 20), &stop);
    assert!(found.paths.is_empty());
    assert_eq!(found.incomplete, [Incomplete::Stopped]);
    // From another thread, in the middle of more paths than can be walked.
    let program = read(
        "procedure main(x: int) { var i, s: int; i := 0; s := 0;
           while (*) { if (*) { s := s + x; } else { s := s - x; } if (s > x) { s := 0; } }
           assert s == s; }",
    );
    let stop = Stop::default();
    let raised = std::thread::scope(|scope| {
        let raiser = scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(300));
            stop.request();
            Instant::now()
        });
        let found = search(&program, &mut z3(), limits(1, 1000), &stop);
        assert!(found.incomplete.contains(&Incomplete::Stopped), "{:?}", found.incomplete);
        raiser.join().unwrap().elapsed()
    });
    assert!(raised < Duration::from_secs(2), "{raised:?}");
}

#[test]
fn the_solver_is_left_as_it_was() {
    use solver::{Answer, Solver};
    let program =
        read("procedure main(x: int) { if (x > 3) { assert x != 7; } else { assert x != 2; } }");
    let mut solver = z3();
    for traces in [1, 2, 3] {
        search(&program, &mut solver, limits(traces, 4), &Stop::default());
        // Nothing of the search is asserted any more.
        let mut terms = program.terms.clone();
        let x = terms.fresh("x", &Sort::Int);
        let zero = terms.constant(&Value::int(0));
        let condition = terms.eq(x, zero);
        assert_eq!(solver.check(&terms, &[condition]), Answer::Sat);
    }
}

#[test]
fn every_entry_is_tried() {
    let program = read(
        "procedure fine(x: int) { assert x == x; }
         procedure first(x: int) { assert x != 1; }
         procedure second(x: int) { if (x > 0) { assert x != 2; } assert x != -2; }",
    );
    let found = find(&program, limits(10, 20));
    let entries: Vec<ProcedureId> = found.paths.iter().map(|(entry, _)| *entry).collect();
    let [first, second] = ["first", "second"].map(|name| procedure(&program, name));
    assert_eq!(entries, [first, second, second]);
    assert!(found.incomplete.is_empty());
    let found = find(&program, limits(2, 20));
    assert_eq!(found.paths.iter().map(|(e, _)| *e).collect::<Vec<_>>(), [first, second]);
    // What one entry learns about a global does not bind the next.
    let program = read(
        "var g: int;
         procedure positive() { assume g > 0; assert g != 5; }
         procedure negative() { assume g < 0; assert g != -5; }",
    );
    assert_eq!(find(&program, limits(10, 20)).paths.len(), 2);
}

#[test]
fn the_error_itself_is_tried_first() {
    let program = read("procedure main() { var x: int; havoc x; assert x > 0; assert x > 1; }");
    let found = find(&program, limits(10, 20));
    let lengths: Vec<usize> = found.paths.iter().map(|(_, path)| path.len()).collect();
    assert_eq!(lengths, [2, 3]);
}

/// Answers from a list, and says how many answers there were to choose from.
#[derive(Default)]
struct Scripted {
    script: Vec<(usize, usize)>,
    asked: usize,
}

impl Scripted {
    fn answer(&mut self, sort: &Sort) -> Value {
        let values = domain::values(sort);
        if self.asked == self.script.len() {
            self.script.push((0, values.len()));
        }
        self.asked += 1;
        values[self.script[self.asked - 1].0].clone()
    }

    /// The next list of answers; false if there is none.
    fn advance(&mut self) -> bool {
        self.asked = 0;
        while let Some((answer, of)) = self.script.pop() {
            if answer + 1 < of {
                self.script.push((answer + 1, of));
                return true;
            }
        }
        false
    }
}

impl Oracle for Scripted {
    fn initial(&mut self, _: u32, _: Term, sort: &Sort) -> Value {
        // Counters are assigned before they are read.
        if *sort == Sort::Int { Value::int(0) } else { self.answer(sort) }
    }

    fn havoc(&mut self, sort: &Sort) -> Value {
        self.answer(sort)
    }
}

/// The failing paths among all executions; None if there are too many executions.
fn all_failures(program: &Program) -> Option<BTreeSet<Vec<EdgeId>>> {
    let mut failing = BTreeSet::new();
    let mut budget = 60_000usize;
    for &entry in &program.entries {
        let mut script = Scripted::default();
        loop {
            let machine = Machine::new(program, entry, &mut script);
            explore(machine, &mut Vec::new(), &mut failing, &mut budget)?;
            if !script.advance() {
                break;
            }
        }
    }
    Some(failing)
}

fn explore(
    machine: Machine<'_>,
    path: &mut Vec<EdgeId>,
    failing: &mut BTreeSet<Vec<EdgeId>>,
    budget: &mut usize,
) -> Option<()> {
    if machine.location() == Program::ERROR {
        failing.insert(path.clone());
        return Some(());
    }
    for edge in machine.possible_edges() {
        let mut script = Scripted::default();
        path.push(edge);
        loop {
            *budget = budget.checked_sub(1)?;
            let mut next = machine.clone();
            next.take(edge, &mut script);
            if !next.finished() {
                explore(next, path, failing, budget)?;
            }
            if !script.advance() {
                break;
            }
        }
        path.pop();
    }
    Some(())
}

#[test]
fn all_failing_paths_are_found() {
    let (mut compared, mut paths, mut most) = (0, 0, 0);
    for seed in 0..180 {
        let text = random::program(seed, Numbers::Bits);
        let program = read(&text);
        let Some(expected) = all_failures(&program) else { continue };
        let limits = limits(10_000, 4);
        let found = search(&program, &mut z3(), limits, &Stop::default());
        assert_eq!(found.incomplete, [], "seed {seed}\n{text}");
        let set: BTreeSet<Vec<EdgeId>> = found.paths.iter().map(|(_, path)| path.clone()).collect();
        assert_eq!(set.len(), found.paths.len(), "seed {seed}\n{text}");
        assert_eq!(set, expected, "seed {seed}\n{text}");
        compared += 1;
        paths += set.len();
        most = most.max(set.len());
        // The same again, in the same order; and fewer are the first of them.
        if seed % 8 == 0 {
            let again = search(&program, &mut z3(), limits, &Stop::default());
            assert_eq!(again.paths, found.paths);
            let one =
                search(&program, &mut z3(), SearchLimits { traces: 1, ..limits }, &Stop::default());
            assert_eq!(one.paths, found.paths[..one.paths.len()]);
            assert_eq!(one.paths.is_empty(), found.paths.is_empty());
        }
    }
    assert!(compared > 100 && paths > compared && most > 5, "{compared} {paths} {most}");
}
