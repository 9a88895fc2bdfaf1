//! Random programs without memory do what [`crate::interpret`] says: the same edges, the same values.

use term::{Sort, Term, Value};

use super::random::{Pool, Random, sorts};
use super::sketch::World;
use crate::Stop;
use crate::interpret::{self, Machine, Oracle};
use crate::process::{Image, Limits, Nothing, Observer, Outcome, Process, Scalar};
use crate::program::{EdgeId, LocationId, ProcedureId, Program, Statement};
use crate::testing::{Sketch, assign, havoc};

/// Notes all values.
#[derive(Default)]
struct Values(Vec<u128>);

impl Oracle for Values {
    fn assign(&mut self, value: Value) -> Value {
        self.0.push(match &value {
            Value::Bool(value) => u128::from(*value),
            Value::BitVec(value) => value.unsigned(),
            Value::Float(value) => u128::from(value.bits()),
            _ => 0,
        });
        value
    }
}

/// Compares the edges and stops where they end.
struct Same<'a> {
    edges: &'a [EdgeId],
    values: Vec<u128>,
    differs: bool,
}

impl Observer for Same<'_> {
    const ACTIVE: bool = true;

    fn step(&mut self, edge: EdgeId) -> bool {
        let [next, rest @ ..] = self.edges else { return false };
        self.differs |= *next != edge;
        self.edges = rest;
        !self.differs
    }
    fn value(&mut self, value: Scalar, _: u32) -> Scalar {
        self.values.push(value.bits);
        value
    }
}

struct Writer<'r> {
    sketch: Sketch,
    random: &'r mut Random,
    procedures: Vec<(ProcedureId, Vec<Term>, Vec<Term>)>,
    /// Variables in scope, and terms over them.
    variables: Vec<Term>,
    pool: Pool,
}

impl Writer<'_> {
    fn sort(&mut self) -> Sort {
        let all = sorts();
        all[self.random.below(all.len())].clone()
    }

    fn term(&mut self, sort: &Sort) -> Term {
        for _ in 0..8 {
            self.pool.grow(self.random, &mut self.sketch.builder.terms);
        }
        self.pool.of(self.random, &mut self.sketch.builder.terms, sort)
    }

    fn assignment(&mut self) -> Statement {
        let variable = self.random.pick(&self.variables);
        if self.random.below(8) == 0 {
            return havoc(variable);
        }
        let sort = self.sketch.builder.terms.sort(variable).clone();
        assign(variable, self.term(&sort))
    }

    fn call(&mut self) -> Statement {
        let n = self.random.below(self.procedures.len());
        let (callee, parameters, results) = self.procedures[n].clone();
        let sorts = |terms: &term::Terms, list: &[Term]| -> Vec<Sort> {
            list.iter().map(|&term| terms.sort(term).clone()).collect()
        };
        let arguments = sorts(&self.sketch.builder.terms, &parameters);
        let arguments = arguments.iter().map(|sort| self.term(sort)).collect();
        let results = sorts(&self.sketch.builder.terms, &results);
        let fitting = |sort: &Sort| {
            let terms = &self.sketch.builder.terms;
            let all: Vec<Term> =
                self.variables.iter().copied().filter(|&v| terms.sort(v) == sort).collect();
            (!all.is_empty()).then(|| all[n % all.len()])
        };
        match results.iter().map(fitting).collect() {
            Some(results) => Statement::Call { callee, arguments, results },
            None => self.assignment(),
        }
    }

    fn switch(&mut self, at: LocationId, targets: &[LocationId]) {
        let subject = self.random.pick(&self.variables);
        let sort = self.sketch.builder.terms.sort(subject).clone();
        let spread = self.random.below(3);
        let mut others = Vec::new();
        for n in 0..4 + self.random.below(6) {
            let key = match (&sort, spread) {
                (Sort::BitVec(width), 0) => Value::bitvec(*width, n as u128),
                (Sort::BitVec(width), 1) => Value::bitvec(*width, 1 << (n * 7)),
                _ => self.random.value(&sort),
            };
            let terms = &mut self.sketch.builder.terms;
            let key = terms.constant(&key);
            let condition = terms.eq(subject, key);
            others.push(terms.not(condition));
            let target = self.random.pick(targets);
            self.sketch.assume(at, target, condition);
        }
        if self.random.below(4) != 0 {
            let condition = self.sketch.builder.terms.and(&others);
            self.sketch.assume(at, self.random.pick(targets), condition);
        }
    }

    fn location(&mut self, at: LocationId, procedure: ProcedureId, locations: &[LocationId]) {
        let with_error: Vec<LocationId> =
            locations[1..].iter().copied().chain([Program::ERROR]).collect();
        let to = self.random.pick(&locations[1..]);
        match self.random.below(12) {
            0 => self.sketch.ret(procedure, at),
            1..4 => {
                let condition = self.term(&Sort::Bool);
                let (yes, no) = (self.random.pick(&with_error), self.random.pick(&with_error));
                self.sketch.branch(at, condition, yes, no);
            }
            4 => {
                for _ in 0..1 + self.random.below(3) {
                    let condition = self.term(&Sort::Bool);
                    self.sketch.assume(at, self.random.pick(&with_error), condition);
                }
                if self.random.below(2) == 0 {
                    let statement = self.assignment();
                    self.sketch.add(at, to, statement);
                }
            }
            5 => self.switch(at, &with_error),
            6 | 7 => {
                let statement = self.call();
                self.sketch.add(at, to, statement);
            }
            _ => {
                let statement = self.assignment();
                self.sketch.add(at, to, statement);
            }
        }
    }

    fn write(mut self) -> Program {
        let globals: Vec<Term> = (0..3)
            .map(|n| {
                let sort = self.sort();
                self.sketch.builder.global(&format!("g{n}"), &sort)
            })
            .collect();
        for n in 0..3 {
            let procedure = self.sketch.builder.procedure(&format!("p{n}"));
            let mut parts: [Vec<Term>; 2] = Default::default();
            for n in 0..self.random.below(4) {
                let sort = self.sort();
                parts[0].push(self.sketch.builder.parameter(procedure, &format!("x{n}"), &sort));
            }
            for n in 0..self.random.below(3) {
                let sort = self.sort();
                parts[1].push(self.sketch.builder.result(procedure, &format!("r{n}"), &sort));
            }
            let [parameters, results] = parts;
            self.procedures.push((procedure, parameters, results));
        }
        self.sketch.builder.enter_at(ProcedureId(0));
        for (procedure, parameters, results) in self.procedures.clone() {
            self.variables = globals.iter().chain(&parameters).chain(&results).copied().collect();
            for (n, sort) in sorts().iter().enumerate() {
                let local = self.sketch.builder.local(procedure, &format!("l{n}"), sort);
                self.variables.push(local);
            }
            self.pool = Pool { terms: self.variables.clone() };
            let mut locations = vec![self.sketch.builder.entry_of(procedure)];
            locations.extend((0..12).map(|_| self.sketch.builder.location(procedure)));
            for &at in &locations {
                self.location(at, procedure, &locations);
            }
        }
        self.sketch.builder.finish().expect("well-formed")
    }
}

fn random_program(random: &mut Random) -> Program {
    let (procedures, variables) = (Vec::new(), Vec::new());
    let pool = Pool { terms: Vec::new() };
    Writer { sketch: Sketch::new(), random, procedures, variables, pool }.write()
}

#[test]
fn the_same_edges_and_values_as_the_interpreter() {
    let mut random = Random(0x5eed_5eed_5eed_5eed);
    let (mut steps, mut ends) = (0, [0; 4]);
    for n in 0..1500 {
        let program = random_program(&mut random);
        let image = Image::new(&program).expect("machine words");
        let (mut oracle, mut edges) = (Values::default(), Vec::new());
        let entry = program.entries[0];
        let mut machine = Machine::new(&program, entry, &mut oracle);
        let stop = Stop::default();
        let expected =
            interpret::run(&mut machine, &mut oracle, 300, &stop, &mut |edge| edges.push(edge));
        steps += edges.len();
        let mut process = Process::new(&image, entry, &[]);
        let mut same = Same { edges: &edges, values: Vec::new(), differs: false };
        let outcome = process.run(&mut World::default(), &mut same, Limits::default(), &stop);
        assert!(!same.differs && same.edges.is_empty(), "program {n}: {outcome:?} {expected:?}");
        assert_eq!(same.values, oracle.0, "program {n}");
        match expected {
            interpret::Outcome::Finished => {
                assert!(matches!(outcome, Outcome::Finished { .. }), "{outcome:?}");
                ends[0] += 1;
            }
            interpret::Outcome::Failed(expected) => {
                assert!(matches!(outcome, Outcome::Failed { edge, .. } if edge == expected));
                ends[1] += 1;
            }
            interpret::Outcome::Blocked(_) => {
                assert!(matches!(outcome, Outcome::Blocked { .. }), "{outcome:?}");
                ends[2] += 1;
            }
            _ => {
                ends[3] += 1;
                continue;
            }
        }
        // Without an observer, the same end after as many instructions.
        let mut plain = Process::new(&image, entry, &[]);
        let again = plain.run(&mut World::default(), &mut Nothing, Limits::default(), &stop);
        assert_eq!((again, plain.instructions()), (outcome, process.instructions()));
        // And when undefined bits are kept track of.
        let mut shadow = Process::new(&image, entry, &[]);
        shadow.track_undefined();
        let again = shadow.run(&mut World::default(), &mut Nothing, Limits::default(), &stop);
        assert_eq!(again, plain.run(&mut World::default(), &mut Nothing, Limits::default(), &stop));
        assert_eq!(shadow.instructions(), plain.instructions());
    }
    assert!(steps > 10_000 && ends.iter().all(|&end| end > 50), "{steps} {ends:?}");
}
