//! What is known about runs with changes is what they did.

use std::time::Duration;

use failure::{
    Failure, Force, Forced, Home, SearchLimits, Trace, search, simplest_inputs, symbolic,
};
use program::{Program, Stop};
use solver::{Solver, Z3};
use term::Value;

use super::course::Known;
use super::effort::Effort;
use super::explore::{Explorer, Kept};
use super::rounds::Rounds;
use super::runs::{Asked, Repeated, repeat};
use super::{Settable, Spot};
use crate::context::{Context, Settings};

fn solver() -> Box<dyn Solver> {
    Box::new(Z3::new(Duration::from_secs(10)))
}

/// The first failure of a program.
fn failure(program: &Program) -> Failure<'_> {
    let limits = SearchLimits { traces: 1, ..SearchLimits::default() };
    let found = search(program, &mut *solver(), limits, &Stop::default());
    let (entry, path) = &found.paths[0];
    let trace = Trace::from_path(program, *entry, path);
    let mut terms = trace.terms.clone();
    let run = symbolic::execute(&mut terms, &trace);
    let inputs = simplest_inputs(&mut terms, &mut *solver(), &trace, &run).unwrap();
    Failure::new(program, trace, inputs).unwrap()
}

/// A variable that is set keeps its value until it is assigned, or set again.
#[test]
fn what_is_set_stays() {
    let text = "procedure main() {
        var n, i: int;
        n := 3;
        i := 0;
        while (i < n) {
            i := i + 1;
        }
        n := 7;
        assert i > n;
    }";
    let program = boogie::read("test.bpl", text).unwrap();
    let failure = failure(&program);
    let (&variable, _) = program.variables.iter().find(|(_, own)| own.name == "n").unwrap();
    let mut sites = failure.trace.steps.iter().map(|step| step.site);
    let before = sites.find(|&site| program.site(site).text == "i < n").unwrap();
    let spots = [Spot::Insert { before, variable: Settable::Variable(variable) }];
    let mut terms = program.terms.clone();
    let mut known = Known::new(&program);
    let mut values = |forced: Vec<Forced>| {
        let run = match repeat(&failure, forced, 1000, &mut terms, &mut known) {
            Repeated::Run(run) => run,
            other => panic!("{other:?}"),
        };
        let asked = Asked { spots: &spots, pointers: &[], stays: false, others: &[] };
        let changed = run.influence(&program, &mut terms, asked).changed;
        let value = |at: usize| run.changed_value(&changed[at], &terms).unwrap();
        let values: Vec<Value> = (0..changed.len()).map(value).collect();
        (changed.iter().map(|changed| changed.at).collect::<Vec<_>>(), values)
    };
    let set = |at: usize, value: i32| {
        let (home, value) = (Home::Variable(variable), Value::Int(value.into()));
        let what = Force::Set { home, value };
        Forced { at, what }
    };
    let all = |values: &[i32]| values.iter().map(|&n| Value::Int(n.into())).collect::<Vec<_>>();
    let (places, plain) = values(Vec::new());
    assert_eq!(plain, all(&[3, 3, 3, 3]));
    let (same, longer) = values(vec![set(places[1], 4)]);
    assert_eq!(longer, all(&[3, 4, 4, 4, 4]));
    assert_eq!(same[..4], places);
    let (_, again) = values(vec![set(places[1], 4), set(places[3], 2)]);
    assert_eq!(again, all(&[3, 4, 4, 2]));
}

/// A loop that goes round once more does no good; three times more does, if the values are right. The first of them must stay.
#[test]
fn decisions_are_made_several_times() {
    let text = "procedure main() {
        var i, last, sum: int;
        i := 0;
        last := 0;
        sum := 0;
        while (i < 2) {
            i := i + 1;
            last := i;
            sum := sum + last;
        }
        assert i == 5;
        assert sum == 30;
    }";
    let program = boogie::read("test.bpl", text).unwrap();
    let failure = failure(&program);
    let of = |text: &str| {
        let mut sites = failure.trace.steps.iter().map(|step| step.site);
        Spot::Change(sites.find(|&site| program.site(site).text == text).unwrap())
    };
    let (stop, settings) = (Stop::default(), Settings::default());
    let context = Context { solvers: &solver, stop: &stop, settings: &settings };
    let found = |spots: &[Spot], runs: usize| {
        let effort = Effort { runs, queries: 100, work: Duration::from_secs(1) };
        Explorer::new(&failure, context, 1, Kept::default()).several_rounds(spots, effort)
    };
    let both = [of("i < 2"), of("last := i")];
    assert_eq!(found(&both[..1], 100), Rounds::Nothing);
    assert_eq!(found(&both, 1), Rounds::Unfinished);
    let Rounds::Repair(forced) = found(&both, 100) else { panic!("nothing") };
    let decided = forced.iter().filter(|one| matches!(one.what, Force::Edge(_))).count();
    assert_eq!(decided, 3, "{forced:?}");
    assert!(forced.len() > decided);
}
