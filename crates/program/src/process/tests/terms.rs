//! Compiled terms mean what [`term::evaluate`] says, and undefined bits are sound: what is said to be
//! defined does not depend on undefined bits.

use rustc_hash::FxHashMap;
use term::{Sort, Term, Value};

use super::random::{Pool, Random, sorts};
use super::sketch::{World, Writer};
use crate::process::{Event, Image, Limits, Outcome, Process, Recorder, Scalar};
use crate::program::Program;
use crate::{Stop, testing::assign};

fn scalar(value: &Value) -> u128 {
    match value {
        Value::Bool(value) => u128::from(*value),
        Value::BitVec(value) => value.unsigned(),
        Value::Float(value) => u128::from(value.bits()),
        _ => 0,
    }
}

/// A program that assigns random terms over its parameters; the assigned terms.
fn program(random: &mut Random) -> (Program, Vec<Term>) {
    let mut w = Writer::new();
    let parameters: Vec<Term> = sorts()
        .iter()
        .enumerate()
        .flat_map(|(n, sort)| [(2 * n, sort.clone()), (2 * n + 1, sort.clone())])
        .map(|(n, sort)| w.sketch.builder.parameter(w.procedure, &format!("x{n}"), &sort))
        .collect();
    let mut pool = Pool { terms: parameters };
    let mut assigned = Vec::new();
    for n in 0..60 {
        let term = pool.grow(random, &mut w.sketch.builder.terms);
        let sort = w.sketch.builder.terms.sort(term).clone();
        let variable = match n % 4 {
            0 => w.sketch.builder.global(&format!("g{n}"), &sort),
            _ => w.sketch.builder.local(w.procedure, &format!("v{n}"), &sort),
        };
        w.then(assign(variable, term));
        assigned.push(term);
    }
    w.ret();
    (w.finish(), assigned)
}

fn run(program: &Program, image: &Image, arguments: &[Scalar]) -> (Outcome, Vec<Scalar>) {
    let mut process = Process::new(image, program.entries[0], arguments);
    let mut recorder = Recorder::new(usize::MAX);
    let limits = Limits::default();
    let outcome = process.run(&mut World::default(), &mut recorder, limits, &Stop::default());
    let log = recorder.finish().expect("space");
    let values = log.events(program).filter_map(|event| match event {
        Event::Value(value) => Some(value),
        _ => None,
    });
    (outcome, values.collect())
}

fn values_of(random: &mut Random, program: &Program) -> FxHashMap<Term, Value> {
    let parameters = &program.procedure(program.entries[0]).parameters;
    parameters.iter().map(|&p| (p, random.value(program.terms.sort(p)))).collect()
}

#[test]
fn random_terms_are_computed_as_they_are_evaluated() {
    let mut random = Random(0x1234_5678_9abc_def1);
    for _ in 0..150 {
        let (program, assigned) = program(&mut random);
        let image = Image::new(&program).expect("machine words");
        for _ in 0..12 {
            let values = values_of(&mut random, &program);
            let parameters = &program.procedure(program.entries[0]).parameters;
            let arguments: Vec<Scalar> =
                parameters.iter().map(|p| Scalar::new(scalar(&values[p]))).collect();
            let (outcome, seen) = run(&program, &image, &arguments);
            assert_eq!(outcome, Outcome::Finished { status: 0 });
            assert_eq!(seen.len(), assigned.len());
            for (&term, seen) in assigned.iter().zip(seen) {
                let value = term::evaluate(&program.terms, term, &mut |v| values.get(&v).cloned());
                let expected = scalar(&value.expect("all variables have values"));
                let text = term::to_smtlib(&program.terms, term);
                assert_eq!(seen, Scalar::new(expected), "{text} where {values:?}");
            }
        }
    }
}

/// NaN has one pattern: an undefined bit of a float may change more than that bit.
fn has_floats(program: &Program, term: Term) -> bool {
    program
        .terms
        .reachable(&[term])
        .iter()
        .any(|&t| matches!(program.terms.sort(t), Sort::Float(_)) && program.terms.is_var(t))
}

#[test]
fn defined_bits_do_not_depend_on_undefined_ones() {
    let mut random = Random(0x0dd0_5eed_0dd0_5eed);
    let mut compared = 0;
    for _ in 0..150 {
        let (program, assigned) = program(&mut random);
        let image = Image::new(&program).expect("machine words");
        for _ in 0..12 {
            let values = values_of(&mut random, &program);
            let parameters = &program.procedure(program.entries[0]).parameters;
            let mut undefined = FxHashMap::default();
            for &p in parameters {
                let width = super::super::image::bits(program.terms.sort(p)).expect("a word");
                let mask = match random.below(3) {
                    0 => random.bits() & super::super::machine::mask(width),
                    _ => 0,
                };
                undefined.insert(p, mask);
            }
            let arguments = |flip: u128| -> Vec<Scalar> {
                let argument = |p: &Term| {
                    let undefined = undefined[p];
                    Scalar { bits: scalar(&values[p]) ^ (flip & undefined), undefined }
                };
                parameters.iter().map(argument).collect()
            };
            let flip = random.bits();
            let (_, first) = run(&program, &image, &arguments(0));
            let (_, second) = run(&program, &image, &arguments(flip));
            for ((a, b), &term) in first.iter().zip(&second).zip(&assigned) {
                if has_floats(&program, term) {
                    continue;
                }
                let text = term::to_smtlib(&program.terms, term);
                let defined = !(a.undefined | b.undefined);
                assert_eq!(a.bits & defined, b.bits & defined, "{text}\n{values:?}\n{undefined:?}");
                compared += 1;
            }
        }
    }
    assert!(compared > 5_000, "{compared}");
}
