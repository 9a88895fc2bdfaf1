//! Jump elimination and renumbering.

use std::collections::BTreeSet;

use term::{Sort, Term};

use crate::graph::tests::Random;
use crate::testing::{Sketch, assign};
use crate::{
    Builder, Edge, LocationId, Malformed, Place, ProcedureId, Program, Statement, difference,
};

/// A procedure whose statements are `x := 0`, `x := 1`, …, told apart by their numbers.
struct Draft {
    sketch: Sketch,
    main: ProcedureId,
    x: Term,
    entry: LocationId,
}

impl Draft {
    fn new() -> Draft {
        let mut sketch = Sketch::new();
        let main = sketch.builder.procedure("main");
        let x = sketch.builder.local(main, "x", &Sort::Int);
        sketch.builder.enter_at(main);
        let entry = sketch.builder.entry_of(main);
        Draft { sketch, main, x, entry }
    }

    fn at(&mut self) -> LocationId {
        self.sketch.builder.location(self.main)
    }

    fn set(&mut self, from: LocationId, to: LocationId, number: i32) {
        let value = self.sketch.int(number);
        self.sketch.add(from, to, assign(self.x, value));
    }

    fn jumps(&mut self, from: LocationId, to: &[LocationId]) {
        to.iter().for_each(|&to| self.sketch.builder.jump(from, to));
    }

    fn ret(&mut self, from: LocationId) {
        self.sketch.ret(self.main, from);
    }

    /// The edges as `from -statement-> to`, with the entry 1 and the exit 2.
    fn finish(self) -> Vec<String> {
        let program = self.sketch.builder.finish().expect("well-formed");
        idempotent(&program);
        let show = |edge: &Edge| {
            let statement = match &edge.statement {
                Statement::Assign { value, .. } => {
                    program.terms.value(*value).expect("a number").to_string()
                }
                Statement::Assume { condition } if program.terms.is_true(*condition) => {
                    "idle".to_owned()
                }
                Statement::Return => "return".to_owned(),
                other => format!("{other:?}"),
            };
            format!("{} -{statement}-> {}", edge.from.0, edge.to.0)
        };
        program.edges.iter().map(show).collect()
    }

    fn fails(self) -> String {
        let Malformed { message, .. } = self.sketch.builder.finish().expect_err("malformed");
        message
    }
}

/// Building a finished program again changes nothing.
fn idempotent(program: &Program) {
    let mut b = Builder::new(crate::Language::Boogie, program.files.clone());
    b.terms = program.terms.clone();
    for p in &program.procedures {
        let id = b.procedure(&p.name);
        let same = |&v: &Term| (program.name(v), program.terms.sort(v));
        for (name, sort) in p.parameters.iter().map(same) {
            b.parameter(id, name, sort);
        }
        for (name, sort) in p.results.iter().map(same) {
            b.result(id, name, sort);
        }
        for (name, sort) in p.locals.iter().map(same) {
            b.local(id, name, sort);
        }
    }
    let sites: Vec<_> = program.sites.iter().map(|s| b.site(s.clone())).collect();
    // In another order, with entry and exit at other places: only the order of edges counts.
    let mut places = vec![Program::ERROR; program.locations.len()];
    for (index, location) in program.locations.iter().enumerate().skip(1).rev() {
        let procedure = location.procedure.expect("not the error location");
        let (p, id) = (program.procedure(procedure), LocationId(index as u32));
        places[index] = match id {
            id if id == p.entry => b.entry_of(procedure),
            id if id == p.exit => b.exit_of(procedure),
            _ => b.location(procedure),
        };
    }
    for e in &program.edges {
        let (from, to) = (places[e.from.index()], places[e.to.index()]);
        b.edge(from, to, e.statement.clone(), sites[e.site.index()]);
    }
    program.entries.iter().for_each(|&entry| b.enter_at(entry));
    let again = b.finish().expect("well-formed");
    assert_eq!(difference(program, &again), None);
}

#[test]
fn a_chain_of_jumps_disappears() {
    let mut d = Draft::new();
    let [a, b, c] = [(); 3].map(|()| d.at());
    d.jumps(d.entry, &[a]);
    d.jumps(a, &[b]);
    d.set(b, c, 0);
    let e = d.at();
    d.jumps(c, &[e]);
    d.ret(e);
    assert_eq!(d.finish(), ["1 -0-> 3", "3 -return-> 2"]);
}

/// `if (*) { x := 0; } else { x := 1; } x := 2;`
#[test]
fn a_choice_becomes_two_edges() {
    let mut d = Draft::new();
    let [yes, no, yes_end, no_end, join, last] = [(); 6].map(|()| d.at());
    d.jumps(d.entry, &[yes, no]);
    d.set(yes, yes_end, 0);
    d.set(no, no_end, 1);
    d.jumps(yes_end, &[join]);
    d.jumps(no_end, &[join]);
    d.set(join, last, 2);
    d.ret(last);
    assert_eq!(d.finish(), ["1 -0-> 3", "1 -1-> 3", "3 -2-> 4", "4 -return-> 2"]);
}

/// `if (*) { x := 0; } x := 1;`, and choices inside choices.
#[test]
fn an_empty_arm_does_what_follows() {
    let mut d = Draft::new();
    let [yes, join, last] = [(); 3].map(|()| d.at());
    d.jumps(d.entry, &[yes, join]);
    d.set(yes, join, 0);
    d.set(join, last, 1);
    d.ret(last);
    assert_eq!(d.finish(), ["1 -0-> 3", "1 -1-> 4", "3 -1-> 4", "4 -return-> 2"]);

    let mut d = Draft::new();
    let [inner, a, b, c, last] = [(); 5].map(|()| d.at());
    d.jumps(d.entry, &[inner, c, inner]);
    d.jumps(inner, &[a, b, a]);
    for (number, at) in [a, b, c].into_iter().enumerate() {
        d.set(at, last, number as i32);
    }
    d.ret(last);
    assert_eq!(d.finish(), ["1 -0-> 3", "1 -1-> 3", "1 -2-> 3", "3 -return-> 2"]);
}

/// `while (*) { x := 0; }`
#[test]
fn a_loop_with_a_choice() {
    let mut d = Draft::new();
    let [head, body, end, after] = [(); 4].map(|()| d.at());
    d.jumps(d.entry, &[head]);
    d.jumps(head, &[body, after]);
    d.set(body, end, 0);
    d.jumps(end, &[head]);
    d.ret(after);
    assert_eq!(d.finish(), ["1 -0-> 1", "1 -return-> 2"]);
}

#[test]
fn a_circle_of_jumps_never_ends() {
    let mut d = Draft::new();
    let [a, b] = [(); 2].map(|()| d.at());
    d.set(d.entry, a, 0);
    d.jumps(a, &[b]);
    d.jumps(b, &[a]);
    // Entered at another place, it is the same circle.
    d.set(d.entry, b, 1);
    assert_eq!(d.finish(), ["1 -0-> 3", "1 -1-> 3", "3 -idle-> 3"]);

    let mut d = Draft::new();
    d.jumps(d.entry, &[d.entry]);
    assert_eq!(d.finish(), ["1 -idle-> 1"]);

    // A circle with choices in it, but no way out.
    let mut d = Draft::new();
    let a = d.at();
    d.jumps(d.entry, &[a, d.entry]);
    d.jumps(a, &[d.entry, a]);
    assert_eq!(d.finish(), ["1 -idle-> 1"]);
}

#[test]
fn dead_ends_block_and_do_not_loop() {
    for arms in [1, 2] {
        let mut d = Draft::new();
        let dead: Vec<LocationId> = (0..arms).map(|_| d.at()).collect();
        d.jumps(d.entry, &dead);
        assert_eq!(d.finish(), [""; 0]);
    }
}

#[test]
fn what_cannot_be_reached_is_dropped() {
    let mut d = Draft::new();
    let [a, b] = [(); 2].map(|()| d.at());
    d.ret(d.entry);
    d.set(a, b, 0);
    d.jumps(b, &[a]);
    assert_eq!(d.finish(), ["1 -return-> 2"]);
}

#[test]
fn jumps_must_not_lose_an_end() {
    let mut d = Draft::new();
    let (other, exit) = (d.at(), d.sketch.builder.exit_of(d.main));
    d.ret(other);
    d.jumps(d.entry, &[other, exit]);
    assert_eq!(d.fails(), "a jump leads to the exit or to the error location");

    let mut d = Draft::new();
    let other = d.at();
    d.ret(other);
    d.jumps(d.entry, &[other, Program::ERROR]);
    assert_eq!(d.fails(), "a jump leads to the exit or to the error location");

    let mut d = Draft::new();
    let exit = d.sketch.builder.exit_of(d.main);
    d.jumps(d.entry, &[exit]);
    assert_eq!(d.fails(), "the entry of a procedure is its exit");
}

#[test]
fn a_failing_condition_may_jump_to_the_error_location() {
    let mut d = Draft::new();
    let failing = d.at();
    let zero = d.sketch.int(0);
    let condition = d.sketch.builder.terms.le(d.x, zero);
    d.sketch.assume(d.entry, failing, condition);
    d.jumps(failing, &[Program::ERROR]);
    let program = d.sketch.builder.finish().expect("well-formed");
    assert_eq!(program.edges[0].to, Program::ERROR);
    idempotent(&program);
}

#[test]
fn control_stays_in_its_procedure() {
    let mut d = Draft::new();
    let other = d.sketch.builder.procedure("other");
    let foreign = d.sketch.builder.entry_of(other);
    d.sketch.ret(other, foreign);
    d.set(d.entry, foreign, 0);
    assert_eq!(d.fails(), "control leaves a procedure without a call");
}

#[test]
fn variables_of_the_same_name_are_distinct() {
    let mut b = Builder::new(crate::Language::Boogie, Vec::new());
    let main = b.procedure("main");
    let variables = [
        b.global("x", &Sort::Int),
        b.local(main, "x", &Sort::Int),
        b.local(main, "x", &Sort::Int),
        b.local(main, "x", &Sort::Bool),
    ];
    let (entry, exit) = (b.entry_of(main), b.exit_of(main));
    let site = b.site(crate::testing::site(None));
    b.edge(entry, exit, Statement::Return, site);
    let program = b.finish().expect("well-formed");
    assert_eq!(program.variables.len(), 4);
    assert!(variables.iter().all(|&v| program.name(v) == "x"));
    assert_eq!(Place::variable(variables[3]).sort(&program.terms), Sort::Bool);
}

/// Random automata with jumps: the same sequences of statements are possible before and after.
#[test]
fn jumps_do_not_change_what_can_happen() {
    let mut random = Random(8);
    for _ in 0..3000 {
        let mut d = Draft::new();
        let places: Vec<LocationId> =
            std::iter::once(d.entry).chain((0..1 + random.below(6)).map(|_| d.at())).collect();
        let (mut edges, mut jumps) = (Vec::new(), Vec::new());
        for from in 0..places.len() {
            let jumping = random.below(2) == 0;
            for _ in 0..random.below(3) {
                let to = random.below(places.len());
                if jumping {
                    jumps.push((from, to));
                    d.jumps(places[from], &[places[to]]);
                } else {
                    d.set(places[from], places[to], edges.len() as i32);
                    edges.push((from, edges.len(), to));
                }
            }
        }
        // What an automaton with jumps can do, step by step.
        let close = |mut at: BTreeSet<usize>| {
            while let Some(&(_, to)) = jumps.iter().find(|(f, t)| at.contains(f) && !at.contains(t))
            {
                at.insert(to);
            }
            at
        };
        let mut expected = BTreeSet::new();
        let mut words = vec![(Vec::new(), close([0].into()))];
        for _ in 0..3 {
            let mut longer = Vec::new();
            for (word, at) in &words {
                for &(_, number, to) in edges.iter().filter(|(from, ..)| at.contains(from)) {
                    let word = [&word[..], &[number.to_string()]].concat();
                    expected.insert(word.clone());
                    longer.push((word, close([to].into())));
                }
            }
            words = longer;
        }
        // The same for the finished program.
        let finished: Vec<[String; 3]> = d
            .finish()
            .iter()
            .map(|edge| {
                let (from, rest) = edge.split_once(" -").expect("an edge");
                let (label, to) = rest.split_once("-> ").expect("an edge");
                [from, label, to].map(str::to_owned)
            })
            .collect();
        let mut found = BTreeSet::new();
        let mut words = vec![(Vec::new(), "1".to_owned())];
        for _ in 0..3 {
            let mut longer = Vec::new();
            for (word, at) in &words {
                for [_, label, to] in finished.iter().filter(|[from, ..]| from == at) {
                    if label != "idle" {
                        let word = [&word[..], std::slice::from_ref(label)].concat();
                        found.insert(word.clone());
                        longer.push((word, to.clone()));
                    }
                }
            }
            words = longer;
        }
        assert_eq!(found, expected, "{edges:?} {jumps:?}");
    }
}
