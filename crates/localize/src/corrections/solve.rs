//! Values with which a run goes another way.

use std::rc::Rc;
use std::time::Duration;

use rustc_hash::{FxHashMap, FxHashSet};
use solver::{Answer, Solver};
use term::{Code, Op, Sort, Term, Terms, Value};

use super::few::{Few, Hard};
use crate::asking::{gates, hardness};
use crate::boxes::{self, Decided, Effort};
use crate::context::Context;
use crate::costs;
use crate::unary::{self, Falsify};

/// Answers questions, and remembers the answers.
pub(super) struct Solving<'a> {
    context: Context<'a>,
    solver: Option<Box<dyn Solver>>,
    asked_of_it: u32,
    known: FxHashMap<Vec<Term>, Solved>,
    few: Few,
    /// The symbols of conditions, which are asked about again and again. All are in one arena.
    symbols: FxHashMap<Term, Rc<[Term]>>,
    pub queries: u64,
    /// How many questions stayed open.
    pub open: u32,
    /// The work that was done.
    pub work: Duration,
    /// How long the next one may take.
    patience: Duration,
}

#[derive(Clone, Debug)]
pub(super) enum Solved {
    /// Values of some of the symbols; the others may stay as they are.
    Values(Vec<(Term, Value)>),
    Impossible,
    Unknown,
}

/// A solver that has been asked many questions becomes slow.
const QUESTIONS: u32 = 24;
/// So many values of symbols are tried for one question.
const CASES: u32 = 48;
/// So many operations are worth trying values. Where that is not enough, cases are sooner looked at.
const TRIES: usize = 30_000;
/// Numbers up to this are tried as factors, and their opposites.
const GUESSES: i128 = 12;
/// So often formulas are gone through before it is known what they are.
const PASSES: usize = 6;
/// So long the first question may take, and all others. Each that stays open makes the next ones shorter.
const LONGEST: Duration = Duration::from_millis(2_000);
const LONG: Duration = Duration::from_millis(100);

impl<'a> Solving<'a> {
    pub fn new(context: Context<'a>) -> Solving<'a> {
        Solving {
            context,
            solver: None,
            asked_of_it: 0,
            known: FxHashMap::default(),
            few: Few::default(),
            symbols: FxHashMap::default(),
            queries: 0,
            open: 0,
            work: Duration::ZERO,
            patience: LONGEST,
        }
    }

    /// The goals and the conditions that are connected with them by symbols.
    fn connected(&mut self, terms: &Terms, conditions: &[Term], goals: &[Term]) -> Vec<Term> {
        let mut formulas = self.about(terms, conditions, goals);
        formulas.extend(goals);
        formulas.sort_unstable();
        formulas.dedup();
        formulas
    }

    pub fn spend(&mut self, count: usize, each: Duration) {
        self.work += self.context.stop.spend(count, each);
    }

    pub fn symbols_of(&mut self, terms: &Terms, condition: Term) -> Rc<[Term]> {
        let known = self.symbols.entry(condition);
        Rc::clone(known.or_insert_with(|| terms.variables_of(&[condition]).into()))
    }

    /// The conditions that are connected with some terms by symbols.
    pub fn about(&mut self, terms: &Terms, conditions: &[Term], roots: &[Term]) -> Vec<Term> {
        let mut symbols: FxHashSet<Term> = terms.variables_of(roots).into_iter().collect();
        let mut found = Vec::new();
        let mut rest: Vec<(Term, Rc<[Term]>)> =
            conditions.iter().map(|&one| (one, self.symbols_of(terms, one))).collect();
        loop {
            let before = found.len();
            rest.retain(|(condition, own)| {
                let joins = own.iter().any(|symbol| symbols.contains(symbol));
                if joins {
                    symbols.extend(own.iter());
                    found.push(*condition);
                }
                !joins
            });
            if found.len() == before {
                break;
            }
        }
        found
    }

    /// Formulas that have no symbols in common, the fewest first.
    fn parts(&mut self, terms: &Terms, formulas: &[Term]) -> Vec<Vec<Term>> {
        let open = formulas.iter().filter(|&&formula| terms.value(formula).is_none());
        let mut rest: Vec<Term> = open.copied().collect();
        let mut parts = Vec::new();
        while let Some(&one) = rest.first() {
            let part = self.connected(terms, &rest, &[one]);
            rest.retain(|formula| part.binary_search(formula).is_err());
            parts.push(part);
        }
        parts.sort_by_key(Vec::len);
        parts
    }

    /// Values with which the goals hold, and the conditions still do. `now` are the values with which
    /// the conditions hold.
    pub fn solve(
        &mut self,
        terms: &mut Terms,
        conditions: &[Term],
        goals: &[Term],
        now: &FxHashMap<Term, Value>,
    ) -> Solved {
        if goals.iter().any(|&goal| terms.is_false(goal)) {
            return Solved::Impossible;
        }
        // There may be many questions about one run.
        if self.context.stop.requested() {
            return Solved::Unknown;
        }
        self.spend(conditions.len(), costs::LOOK);
        let formulas = self.connected(terms, conditions, goals);
        if let Some(known) = self.known.get(&formulas) {
            return known.clone();
        }
        let mut operations = formulas.len();
        let simpler = [&formulas[..], goals].map(|f| self.few.simpler(terms, Hard::Floats, f));
        let [asked, goals] = simpler;
        let solved = self.decide(terms, &asked, &goals, now, &mut operations, &mut { CASES });
        self.spend(operations, costs::OPERATION);
        self.known.insert(formulas, solved.clone());
        solved
    }

    /// The same for formulas that are connected, or were before some symbols got values. So many `cases` may be looked at one
    /// by one.
    fn decide(
        &mut self,
        terms: &mut Terms,
        formulas: &[Term],
        goals: &[Term],
        now: &FxHashMap<Term, Value>,
        operations: &mut usize,
        cases: &mut u32,
    ) -> Solved {
        if formulas.iter().any(|&formula| terms.is_false(formula)) {
            return Solved::Impossible;
        }
        let (mut values, mut is_known) = (Vec::new(), true);
        for part in self.parts(terms, formulas) {
            let is_own = |goal: &&Term| part.binary_search(goal).is_ok();
            let goals: Vec<Term> = goals.iter().filter(is_own).copied().collect();
            match self.decide_part(terms, &part, &goals, now, operations, cases) {
                Solved::Values(more) => values.extend(more),
                Solved::Impossible => return Solved::Impossible,
                Solved::Unknown => is_known = false,
            }
        }
        if is_known { Solved::Values(values) } else { Solved::Unknown }
    }

    fn decide_part(
        &mut self,
        terms: &mut Terms,
        formulas: &[Term],
        goals: &[Term],
        now: &FxHashMap<Term, Value>,
        operations: &mut usize,
        cases: &mut u32,
    ) -> Solved {
        let symbols = terms.variables_of(formulas);
        *operations += PASSES * terms.reachable(formulas).len();
        let mut open = Vec::new();
        for effort in [Effort::LEAST, Effort::MOST] {
            match boxes::decide(terms, formulas, now, effort, operations) {
                Decided::Values(values) => return Solved::Values(values),
                Decided::Impossible => return Solved::Impossible,
                Decided::Open(cases) => open = cases,
            }
            if effort == Effort::LEAST
                && let Some(solved) =
                    self.by_trying(terms, formulas, &symbols, goals, now, operations)
            {
                return solved;
            }
        }
        // With fewer symbols, the rest becomes simpler.
        if *cases > 0
            && let Some((symbol, equal)) = solved_for(terms, formulas)
        {
            *cases -= 1;
            let instead = [(symbol, equal)].into_iter().collect();
            let (rest, goals) = (with(terms, formulas, &instead), with(terms, goals, &instead));
            return match self.decide(terms, &rest, &goals, now, operations, cases) {
                Solved::Values(values) => complete(terms, values, symbol, equal, now),
                other => other,
            };
        }
        if open.is_empty() || (*cases as usize) < open.len() {
            let guessed = self.by_guessing(terms, formulas, now, operations);
            return guessed.unwrap_or_else(|| self.ask(terms, formulas, &symbols));
        }
        let mut is_known = true;
        for case in open {
            *cases = cases.saturating_sub(1);
            let constants =
                case.iter().map(|(symbol, value)| (*symbol, terms.constant(value))).collect();
            let (rest, goals) = (with(terms, formulas, &constants), with(terms, goals, &constants));
            match self.decide(terms, &rest, &goals, now, operations, cases) {
                Solved::Values(values) => return Solved::Values([case, values].concat()),
                Solved::Impossible => {}
                Solved::Unknown => is_known = false,
            }
        }
        if is_known { Solved::Impossible } else { Solved::Unknown }
    }

    /// Looks for another value of one symbol with which everything holds. If there is only one, that may also
    /// show that there is none.
    fn by_trying(
        &mut self,
        terms: &mut Terms,
        formulas: &[Term],
        symbols: &[Term],
        goals: &[Term],
        now: &FxHashMap<Term, Value>,
        operations: &mut usize,
    ) -> Option<Solved> {
        let own: Vec<Rc<[Term]>> =
            formulas.iter().map(|&one| self.symbols_of(terms, one)).collect();
        let hold_now = hold(terms, formulas, &own, now, operations);
        for symbol in terms.variables_of(goals) {
            // What does not mention it stays as it is.
            let is_about = |at: usize| own[at].contains(&symbol);
            if (0..formulas.len()).any(|at| !hold_now[at] && !is_about(at)) {
                continue;
            }
            let about = (0..formulas.len()).filter(|&at| is_about(at));
            let about: Vec<Term> = about.map(|at| formulas[at]).collect();
            let others = symbols.iter().filter(|&&other| other != symbol);
            let constants: FxHashMap<Term, Term> = others
                .filter_map(|&other| Some((other, terms.constant(now.get(&other)?))))
                .collect();
            let about = with(terms, &about, &constants);
            let holds = terms.and(&about);
            if terms.variables_of(&[holds]).iter().any(|&other| other != symbol) {
                continue;
            }
            let fails = terms.not(holds);
            let (falsified, took) = unary::falsify_within(terms, fails, symbol, TRIES);
            *operations += took;
            match falsified {
                Falsify::By(value) => {
                    let others = symbols.iter().filter(|&&other| other != symbol);
                    let others =
                        others.filter_map(|&other| Some((other, now.get(&other)?.clone())));
                    return Some(Solved::Values(others.chain([(symbol, value)]).collect()));
                }
                Falsify::Never if symbols == [symbol] => return Some(Solved::Impossible),
                Falsify::Never | Falsify::Open => {}
            }
        }
        None
    }

    /// Small numbers for a factor of a product: then the rest is linear, or nearly so. Solvers know no such numbers.
    fn by_guessing(
        &mut self,
        terms: &mut Terms,
        formulas: &[Term],
        now: &FxHashMap<Term, Value>,
        operations: &mut usize,
    ) -> Option<Solved> {
        let (factor, width) = factor(terms, formulas)?;
        for guess in (1..=GUESSES).flat_map(|guess| [guess, -guess]) {
            let value = Value::bitvec(width, guess as u128);
            let instead = [(factor, terms.constant(&value))].into_iter().collect();
            let rest = with(terms, formulas, &instead);
            if rest.iter().any(|&formula| terms.is_false(formula)) {
                continue;
            }
            let mut values = vec![(factor, value)];
            let is_found = self.parts(terms, &rest).into_iter().all(|part| {
                match boxes::decide(terms, &part, now, Effort::MOST, operations) {
                    Decided::Values(more) => {
                        values.extend(more);
                        true
                    }
                    Decided::Impossible | Decided::Open(_) => false,
                }
            });
            if is_found {
                return Some(Solved::Values(values));
            }
        }
        None
    }

    fn ask(&mut self, terms: &mut Terms, formulas: &[Term], symbols: &[Term]) -> Solved {
        let is_hard = hardness(terms, formulas) > HARD;
        let formulas = &self.few.simpler(terms, Hard::Products, formulas)[..];
        if self.context.stop.requested() || hardness(terms, formulas) > HARD {
            self.open += 1;
            return Solved::Unknown;
        }
        if self.asked_of_it >= QUESTIONS {
            (self.solver, self.asked_of_it) = (None, 0);
        }
        self.spend(gates(terms, formulas), costs::GATE);
        let context = self.context;
        let solver = self.solver.get_or_insert_with(|| (context.solvers)());
        solver.hurry(if is_hard { LONG } else { self.patience });
        self.asked_of_it += 1;
        self.queries += 1;
        solver.push();
        for &formula in formulas {
            solver.assert(terms, formula);
        }
        let solved = match solver.check(terms, &[]) {
            Answer::Sat => match solver.model(terms, symbols) {
                Some(model) => {
                    let value = |&symbol: &Term| (symbol, model.value(terms, symbol));
                    Solved::Values(symbols.iter().map(value).collect())
                }
                None => Solved::Unknown,
            },
            Answer::Unsat => Solved::Impossible,
            Answer::Unknown(_) => Solved::Unknown,
        };
        solver.pop();
        if let Solved::Unknown = solved {
            self.open += 1;
            self.patience = (self.patience / 2).max(LONG);
        }
        solved
    }
}

/// Which formulas hold with these values of their symbols; those with others do not.
fn hold(
    terms: &Terms,
    formulas: &[Term],
    symbols: &[Rc<[Term]>],
    values: &FxHashMap<Term, Value>,
    operations: &mut usize,
) -> Vec<bool> {
    let is_known = |at: &usize| symbols[*at].iter().all(|symbol| values.contains_key(symbol));
    let known: Vec<usize> = (0..formulas.len()).filter(is_known).collect();
    let roots: Vec<Term> = known.iter().map(|&at| formulas[at]).collect();
    let code = Code::compile(terms, &roots);
    *operations += code.operations();
    let mut hold = vec![false; formulas.len()];
    if let Ok(truths) = code.run(&mut |symbol| values.get(&symbol).cloned()) {
        known.into_iter().zip(truths).for_each(|(at, truth)| hold[at] = truth.is_true());
    }
    hold
}

/// A symbol that is a factor of a product with something else that is not constant, and its width.
fn factor(terms: &Terms, formulas: &[Term]) -> Option<(Term, u32)> {
    for &product in terms.reachable(formulas).iter().filter(|&&term| terms.op(term) == Op::Mul) {
        let mut factors = terms.args(product).iter().filter(|&&arg| terms.value(arg).is_none());
        let symbol = factors.clone().find(|&&arg| terms.is_var(arg));
        if let (Some(&symbol), Some(_)) = (symbol, factors.nth(1))
            && let Sort::BitVec(width) = terms.sort(symbol)
        {
            return Some((symbol, *width));
        }
    }
    None
}

/// Formulas with something else instead of symbols.
fn with(terms: &mut Terms, formulas: &[Term], instead: &FxHashMap<Term, Term>) -> Vec<Term> {
    terms.substitute_all(formulas, &mut |symbol| instead.get(&symbol).copied())
}

/// A symbol, and what it is equal to by one of the formulas: a sum of others.
fn solved_for(terms: &mut Terms, formulas: &[Term]) -> Option<(Term, Term)> {
    for &formula in formulas {
        let (Op::Eq, &[a, b]) = (terms.op(formula), terms.args(formula)) else { continue };
        let sort = terms.sort(a).clone();
        if !matches!(sort, Sort::BitVec(_)) {
            continue;
        }
        let mut sum = terms.difference(a, b);
        let is_alone = |at: usize| {
            let (symbol, factor) = &sum.parts[at];
            let mut others = sum.parts.iter().filter(|(other, _)| other != symbol);
            terms.is_var(*symbol)
                && (factor.is_one() || factor.neg().is_one())
                && !others.any(|(other, _)| terms.mentions(*other, *symbol))
        };
        let Some(at) = (0..sum.parts.len()).find(|&at| is_alone(at)) else { continue };
        let (symbol, factor) = sum.parts.remove(at);
        let rest = terms.from_linear(&sort, &sum);
        return Some((symbol, if factor.is_one() { terms.neg(rest) } else { rest }));
    }
    None
}

/// Adds the value of a symbol that is equal to a term.
fn complete(
    terms: &Terms,
    mut values: Vec<(Term, Value)>,
    symbol: Term,
    equal: Term,
    now: &FxHashMap<Term, Value>,
) -> Solved {
    for other in terms.variables_of(&[equal]) {
        if !values.iter().any(|(known, _)| *known == other) {
            let value = now.get(&other).cloned();
            values.push((other, value.unwrap_or_else(|| Value::zero(terms.sort(other)))));
        }
    }
    let value = |other: Term| values.iter().find(|(known, _)| *known == other);
    match term::evaluate(terms, equal, &mut |other| Some(value(other)?.1.clone())) {
        Some(value) => {
            values.push((symbol, value));
            Solved::Values(values)
        }
        None => Solved::Unknown,
    }
}

/// Formulas with so many products, or remainders, are not asked about.
const HARD: usize = 10;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Settings;
    use program::Stop;

    #[test]
    fn small_factors_are_guessed() {
        let mut terms = Terms::new();
        let sort = Sort::BitVec(32);
        let (x, y) = (terms.var("x", &sort), terms.var("y", &sort));
        let [a, b, c] = [152, 43, u128::from(16_u32.wrapping_neg())]
            .map(|number| terms.constant(&Value::bitvec(32, number)));
        // 152 - 16 y + x y = 43, that is, y (x - 16) = -109.
        let products = [terms.mul(c, y), terms.mul(x, y)];
        let sum = terms.add(&[a, products[0], products[1]]);
        let equation = terms.eq(sum, b);
        // Nobody may be asked.
        let solvers = || -> Box<dyn Solver> { panic!("a solver") };
        let (stop, settings) = (Stop::default(), Settings::default());
        let mut solving =
            Solving::new(Context { solvers: &solvers, stop: &stop, settings: &settings });
        let now = [x, y].map(|symbol| (symbol, Value::bitvec(32, 0))).into_iter().collect();
        let Solved::Values(values) = solving.solve(&mut terms, &[], &[equation], &now) else {
            panic!("it has a solution");
        };
        let value = |symbol: Term| values.iter().find(|own| own.0 == symbol).unwrap().1.clone();
        let holds = term::evaluate(&terms, equation, &mut |symbol| Some(value(symbol)));
        assert_eq!(holds, Some(Value::Bool(true)));
    }
}
