//! Choosing inputs for a trace: the simplest ones, whatever model a solver happens to find.

use rustc_hash::FxHashMap;
use solver::{Answer, Model, Solver};
use term::number::IBig;
use term::{Sort, Term, Terms, Value};

use crate::replay::Inputs;
use crate::symbolic::Symbolic;
use crate::trace::Trace;

/// More symbols than this are taken as the solver gives them.
const MOST_SYMBOLS: usize = 40;

/// Inputs that drive the whole trace, preferring small values in the order of the symbols; None if
/// there are none or the solver does not know.
pub fn simplest_inputs(
    terms: &mut Terms,
    solver: &mut dyn Solver,
    trace: &Trace,
    run: &Symbolic,
) -> Option<Inputs> {
    let conditions: Vec<Term> =
        run.conditions(terms, trace).into_iter().map(|(_, condition)| condition).collect();
    let symbols = terms.variables_of(&conditions);
    let mut model = Model::default();
    if !conditions.iter().all(|&c| model.evaluate(terms, c).is_true()) {
        solver.push();
        for &condition in &conditions {
            solver.assert(terms, condition);
        }
        let found = simplest_model(terms, solver, &symbols);
        solver.pop();
        model = found?;
    }
    let havoc_steps = (0..trace.steps.len()).filter_map(|at| run.havocs.get(&at));
    let havocs: Vec<Value> = havoc_steps.clone().map(|&h| model.value(terms, h)).collect();
    let havoc_symbols: rustc_hash::FxHashSet<Term> = havoc_steps.copied().collect();
    let initial: FxHashMap<Term, Value> = symbols
        .into_iter()
        .filter(|symbol| !havoc_symbols.contains(symbol))
        .map(|symbol| (symbol, model.value(terms, symbol)))
        .collect();
    Some(Inputs { initial, havocs })
}

fn simplest_model(terms: &mut Terms, solver: &mut dyn Solver, symbols: &[Term]) -> Option<Model> {
    if solver.check(terms, &[]) != Answer::Sat {
        return None;
    }
    let mut model = solver.model(terms, symbols)?;
    let mut fixed = Vec::new();
    for &symbol in symbols.iter().take(MOST_SYMBOLS) {
        let value = simplest_value(terms, solver, &fixed, symbol, model.value(terms, symbol));
        let constant = terms.constant(&value);
        fixed.push(terms.eq(symbol, constant));
        if solver.check(terms, &fixed) == Answer::Sat
            && let Some(better) = solver.model(terms, symbols)
        {
            model = better;
        } else {
            fixed.pop();
        }
    }
    Some(model)
}

/// The smallest possible value of a symbol under the fixed ones: smallest in magnitude, positive
/// before negative. `possible` is a value that is possible.
pub fn simplest_value(
    terms: &mut Terms,
    solver: &mut dyn Solver,
    fixed: &[Term],
    symbol: Term,
    possible: Value,
) -> Value {
    let sort = terms.sort(symbol).clone();
    let zero = Value::zero(&sort);
    if possible == zero {
        return zero;
    }
    // What the solver does not know counts as impossible.
    let mut ask = |terms: &mut Terms, condition: Term| {
        let mut assumptions = fixed.to_vec();
        assumptions.push(condition);
        solver.check(terms, &assumptions) == Answer::Sat
    };
    let zero_term = terms.constant(&zero);
    let is_zero = terms.eq(symbol, zero_term);
    if ask(terms, is_zero) {
        return zero;
    }
    let bound = match &possible {
        Value::Int(i) if *i < IBig::ZERO => -i,
        Value::Int(i) => i.clone(),
        Value::BitVec(b) => IBig::from(b.signed().unsigned_abs()),
        _ => return possible,
    };
    // The smallest magnitude m such that some value in -m ..= m is possible.
    let (mut low, mut high) = (IBig::ZERO, bound);
    // Often the value is the only possible one, and one question shows it.
    let smaller = &high - IBig::ONE;
    if smaller > IBig::ZERO {
        let within = within(terms, symbol, &sort, &smaller);
        if ask(terms, within) { high = smaller } else { low = smaller }
    }
    while &low + IBig::ONE < high {
        let middle: IBig = (&low + &high) / IBig::from(2);
        let within = within(terms, symbol, &sort, &middle);
        if ask(terms, within) { high = middle } else { low = middle }
    }
    let positive = Value::number(&sort, &high);
    let constant = terms.constant(&positive);
    let is_positive = terms.eq(symbol, constant);
    if positive == possible || ask(terms, is_positive) {
        return positive;
    }
    Value::number(&sort, &-high)
}

fn within(terms: &mut Terms, symbol: Term, sort: &Sort, magnitude: &IBig) -> Term {
    let low = terms.constant(&Value::number(sort, &-magnitude));
    let high = terms.constant(&Value::number(sort, magnitude));
    match sort {
        Sort::BitVec(_) => {
            let (below, above) = (terms.bv_slt(symbol, low), terms.bv_slt(high, symbol));
            let outside = terms.or(&[below, above]);
            terms.not(outside)
        }
        _ => {
            let (above, below) = (terms.le(low, symbol), terms.le(symbol, high));
            terms.and(&[above, below])
        }
    }
}
