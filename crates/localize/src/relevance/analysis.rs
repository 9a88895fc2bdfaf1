//! The tiers, from data flow to questions.

use std::ops::ControlFlow;
use std::rc::Rc;

use failure::{Action, Failure, Inputs, Part, Step, Symbolic, Trace, symbolic};
use program::{Place, SiteId};
use rustc_hash::{FxHashMap, FxHashSet};
use solver::Solver;
use term::{Term, Terms, Value};

use super::question::{Decision, Question};
use super::{Proof, Role, Verdict, Witness};
use crate::context::Context;
use crate::hints::Hints;
use crate::interval::{Bounds, interval};
use crate::unary::{self, Falsify};
use crate::what_if::{Known, Lost, Uses, follow_change, holds_anyway};

pub(super) struct Analysis<'a> {
    trace: &'a Trace,
    pub(super) context: Context<'a>,
    pub(super) solver: Box<dyn Solver>,
    pub(super) terms: Terms,
    /// Execution over all symbols.
    pub(super) symbolic: Rc<Symbolic>,
    /// Execution from the initial state of the failing run; only havocs are symbols.
    actual: Rc<Symbolic>,
    /// The values of the havocs in the failing run, by symbol of `actual`.
    havoc_values: FxHashMap<Term, Value>,
    /// The values of all symbols of `symbolic` in the failing run.
    pub(super) run_values: FxHashMap<Term, Value>,
    /// The step of each havoc symbol of either execution.
    havoc_steps: FxHashMap<Term, usize>,
    uses: Uses,
    known: Known,
    /// Whether nothing that the trace reads is left open.
    deterministic: bool,
    /// Whether the failure is a run of a program with memory.
    is_run: bool,
    /// The statement that is being decided, and how often the solver ran out of time on each.
    pub(super) statement: (SiteId, Part),
    pub(super) timeouts: FxHashMap<(SiteId, Part), u32>,
}

/// Conditions to be falsified together, with universally quantified havocs.
struct Group {
    conditions: Vec<(usize, Term)>,
    later: Vec<Term>,
    /// The values of the later havocs in the failing run.
    run: FxHashMap<Term, Value>,
    /// Whether one of them stands for a result that the program does not choose: it is computed, we do
    /// not know how.
    computed: bool,
}

impl<'a> Analysis<'a> {
    pub(super) fn new(
        failure: &'a Failure<'_>,
        context: Context<'a>,
        mut terms: Terms,
        symbolic: Symbolic,
    ) -> Analysis<'a> {
        let trace = &failure.trace;
        let symbolic = Rc::new(symbolic);
        let actual = match failure.run {
            Some(_) => symbolic.clone(), // it begins like the failing run anyway
            None => {
                let initial = failure.initial(&mut terms);
                Rc::new(symbolic::execute_from(&mut terms, trace, &initial))
            }
        };
        let mut havoc_values = havoc_values(trace, &actual, &failure.inputs);
        for variable in trace.open.iter().map(|open| open.variable) {
            let zero = || Value::zero(terms.sort(variable));
            let value = failure.inputs.initial.get(&variable).cloned().unwrap_or_else(zero);
            havoc_values.insert(variable, value);
        }
        let mut run_values = failure.inputs.initial.clone();
        run_values.extend(self::havoc_values(trace, &symbolic, &failure.inputs));
        let havoc_steps = [&symbolic, &actual]
            .iter()
            .flat_map(|run| run.havocs.iter().map(|(&at, &symbol)| (symbol, at)))
            .chain(trace.open.iter().map(|open| (open.variable, open.from)))
            .collect();
        let uses = Uses::of(trace);
        let deterministic = uses.reads(trace).all(|(at, variable)| {
            let value = symbolic.before(at, variable);
            terms.value(value).is_some()
        });
        Analysis {
            trace,
            context,
            solver: (context.solvers)(),
            terms,
            symbolic,
            actual,
            run_values,
            havoc_values,
            havoc_steps,
            uses,
            known: Known::default(),
            deterministic,
            is_run: failure.run.is_some(),
            statement: (SiteId(0), Part::Whole),
            timeouts: FxHashMap::default(),
        }
    }

    pub(super) fn pull_back(&mut self, hints: &mut Hints, at: usize, step: &Step) {
        let (actual, havocs) = (self.actual.clone(), &self.havoc_values);
        hints.pull_back(&mut self.terms, at, self.trace, step, &mut |terms, term| {
            let term = actual.evaluate_before(terms, at, term);
            term::evaluate(terms, term, &mut |symbol| havocs.get(&symbol).cloned())
        });
    }

    pub(super) fn decide(&mut self, step: usize, hints: &Hints) -> Verdict {
        self.statement = (self.trace.steps[step].site, self.trace.steps[step].part);
        let Some(place) = self.trace.steps[step].action.place() else {
            return Verdict::Irrelevant(Proof::NoInfluence);
        };
        let sort = place.sort(&self.terms);
        let name = format!("new@{step}");
        let unknown = self.terms.var(&name, &sort);
        if let Some(witness) = self.by_hints(step, place, unknown, hints) {
            return self.relevant(step, witness);
        }
        if self.hints_always_hold(step, place, unknown, hints) {
            return Verdict::Irrelevant(Proof::AlwaysHolds);
        }
        if holds_anyway(&self.terms, self.trace, &self.symbolic, &self.uses, step, &mut self.known)
        {
            return Verdict::Irrelevant(Proof::AlwaysHolds);
        }
        if let Some(witness) = self.by_following(step, unknown) {
            return self.relevant(step, witness);
        }
        let decision = match self.on_failing_run(step, unknown) {
            Decision::Blocked(witness) => return self.relevant(step, witness),
            decision if self.deterministic => decision,
            decision => self.on_all_executions(step, unknown, decision),
        };
        match decision {
            Decision::Blocked(witness) => self.relevant(step, witness),
            Decision::Never => Verdict::Irrelevant(Proof::AlwaysHolds),
            Decision::Open(reason) => Verdict::Unknown(reason),
        }
    }

    fn relevant(&self, step: usize, witness: Witness) -> Verdict {
        let role = match self.trace.steps[step].action {
            Action::Havoc { .. } => Role::Admitting,
            _ => Role::Enforcing,
        };
        Verdict::Relevant { role, witness }
    }

    /// Tier 2: a condition pulled back to here, with the failing run's values for everything else.
    fn by_hints(
        &mut self,
        step: usize,
        place: &Place,
        unknown: Term,
        hints: &Hints,
    ) -> Option<Witness> {
        let mut best: Option<Witness> = None;
        let last = self.trace.steps.len().saturating_sub(1);
        let old = self.actual.before(step, place.variable);
        let whole = Place::updated(&mut self.terms, old, &self.actual.indices[step], unknown);
        let mut about = hints.about(place.variable);
        if self.is_run {
            about.sort_by_key(|hint| hint.origin != last);
        }
        for hint in about.into_iter().take(MOST_HINTS) {
            let actual = &self.actual;
            let condition = self.terms.substitute(hint.condition, &mut |v| {
                Some(if v == place.variable { whole } else { actual.before(step, v) })
            });
            let condition = self.fix_havocs(condition, step);
            if let Falsify::By(value) = unary::falsify(&self.terms, condition, unknown) {
                let witness = Witness { value, blocks: Some(hint.origin), execution: None };
                // What makes the property hold is better than what trips over a check on the way.
                let holds = self.is_run && hint.origin == last && is_plausible(&witness.value);
                if holds || witness.value == Value::zero(self.terms.sort(unknown)) {
                    return Some(witness);
                }
                let simpler = |best: &Witness| unary::is_simpler(&witness.value, &best.value);
                if best.as_ref().is_none_or(simpler) {
                    best = Some(witness);
                }
            }
        }
        best
    }

    /// Whether the hints are all that depends on the step, and no value falsifies one in any execution.
    fn hints_always_hold(
        &mut self,
        step: usize,
        place: &Place,
        unknown: Term,
        hints: &Hints,
    ) -> bool {
        if !hints.are_complete(place.variable) {
            return false;
        }
        let old = self.symbolic.before(step, place.variable);
        let whole = Place::updated(&mut self.terms, old, &self.symbolic.indices[step], unknown);
        hints.about(place.variable).into_iter().all(|hint| {
            let run = &self.symbolic;
            let condition = self.terms.substitute(hint.condition, &mut |v| {
                Some(if v == place.variable { whole } else { run.before(step, v) })
            });
            let variables = self.terms.variables_of(&[condition]);
            (hint.is_exact() || self.deterministic)
                && variables.iter().all(|v| *v == unknown)
                && unary::falsify(&self.terms, condition, unknown) == Falsify::Never
        })
    }

    /// Tier 4: the first condition on the failing run that the new value can falsify by itself.
    fn by_following(&mut self, step: usize, unknown: Term) -> Option<Witness> {
        let mut found: Option<Witness> = None;
        let (havoc_values, havoc_steps) = (&self.havoc_values, &self.havoc_steps);
        // If it cannot be followed to the end, the next tier will say so.
        let _ = follow_change(
            &mut self.terms,
            self.trace,
            &self.actual,
            &self.uses,
            step,
            unknown,
            &mut |terms, at, condition| {
                let condition = fix_havocs(terms, condition, step, havoc_values, havoc_steps);
                if terms.variables_of(&[condition]).iter().any(|v| *v != unknown) {
                    return ControlFlow::Continue(());
                }
                match unary::falsify(terms, condition, unknown) {
                    Falsify::By(value) => {
                        found = Some(Witness { value, blocks: Some(at), execution: None });
                        ControlFlow::Break(())
                    }
                    Falsify::Never | Falsify::Open => ControlFlow::Continue(()),
                }
            },
        );
        found
    }

    /// The conditions that a change reaches, with their steps.
    fn reached(
        &mut self,
        run: &Symbolic,
        step: usize,
        unknown: Term,
    ) -> Result<Vec<(usize, Term)>, Lost> {
        let mut found = Vec::new();
        follow_change(
            &mut self.terms,
            self.trace,
            run,
            &self.uses,
            step,
            unknown,
            &mut |_, at, condition| {
                found.push((at, condition));
                ControlFlow::Continue(())
            },
        )?;
        Ok(found)
    }

    /// Gives havocs before the step the values of the failing run.
    fn fix_havocs(&mut self, term: Term, step: usize) -> Term {
        fix_havocs(&mut self.terms, term, step, &self.havoc_values, &self.havoc_steps)
    }

    /// Tier 5a: with the new value as an unknown, on the failing run.
    fn on_failing_run(&mut self, step: usize, unknown: Term) -> Decision {
        let run = self.actual.clone();
        let groups = match self.groups(&run, step, unknown) {
            Ok(groups) => groups,
            Err(reason) => return Decision::Open(reason.to_string()),
        };
        let fixed: Vec<Group> = groups
            .into_iter()
            .map(|group| Group {
                conditions: group
                    .conditions
                    .iter()
                    .map(|&(at, c)| (at, self.fix_havocs(c, step)))
                    .collect(),
                later: group.later,
                run: group.run,
                computed: group.computed,
            })
            .collect();
        let mut result = Decision::Never;
        for group in fixed {
            let decision = match self.falsify_group(&group, unknown) {
                Decision::Never if group.computed => Decision::Open(NOT_MODELLED.to_owned()),
                decision => decision,
            };
            match decision {
                Decision::Blocked(_) => return decision,
                Decision::Open(_) => result = decision,
                Decision::Never => {}
            }
        }
        result
    }

    fn falsify_group(&mut self, group: &Group, unknown: Term) -> Decision {
        let conditions: Vec<Term> = group.conditions.iter().map(|(_, c)| *c).collect();
        let blocks = match group.conditions[..] {
            [(at, _)] if group.later.is_empty() => Some(at),
            _ => None,
        };
        let all = self.terms.and(&conditions);
        let anything = Bounds::default();
        if interval(&self.terms, all, &anything).as_truth() == Some(true) {
            return Decision::Never;
        }
        if group.later.is_empty() {
            match unary::falsify(&self.terms, all, unknown) {
                Falsify::By(value) => {
                    return Decision::Blocked(Witness { value, blocks, execution: None });
                }
                Falsify::Never => return Decision::Never,
                Falsify::Open => {}
            }
        }
        if !group.later.is_empty() && self.completed_by_run(all, group, unknown) {
            return Decision::Never;
        }
        let free = self.terms.bool(true);
        self.ask(Question {
            constraint: free,
            all,
            later: &group.later,
            unknown,
            symbols: &[],
            blocks,
        })
    }

    /// Whether the program could always complete the trace with the choices that it made in the failing
    /// run, whatever the new value is.
    fn completed_by_run(&mut self, all: Term, group: &Group, unknown: Term) -> bool {
        let mut values = FxHashMap::default();
        for (&symbol, value) in &group.run {
            values.insert(symbol, self.terms.constant(value));
        }
        let chosen = self.terms.substitute(all, &mut |v| values.get(&v).copied());
        let rest = self.terms.variables_of(&[chosen]);
        rest.iter().all(|&v| v == unknown)
            && unary::falsify(&self.terms, chosen, unknown) == Falsify::Never
    }

    /// Tier 5b: over all executions of the trace, after the failing run has been decided.
    fn on_all_executions(&mut self, step: usize, unknown: Term, failing_run: Decision) -> Decision {
        let run = self.symbolic.clone();
        let path: Vec<Term> =
            run.conditions(&self.terms, self.trace).into_iter().map(|(_, c)| c).collect();
        let groups = match self.groups(&run, step, unknown) {
            Ok(groups) => groups,
            Err(reason) => return Decision::Open(reason.to_string()),
        };
        let mut result = Decision::Never;
        if !run.exact {
            result = Decision::Open("other inputs reach too many parts of an object".to_owned());
        }
        for group in groups {
            let conditions: Vec<Term> = group.conditions.iter().map(|(_, c)| *c).collect();
            let symbols: Vec<Term> = self
                .terms
                .variables_of(&conditions)
                .into_iter()
                .filter(|v| *v != unknown && !group.later.contains(v))
                .collect();
            if symbols.is_empty() {
                // All executions agree on this group, so the failing run has decided it.
                if let Decision::Open(reason) = &failing_run {
                    result = Decision::Open(reason.clone());
                }
                continue;
            }
            let all = self.terms.and(&conditions);
            if interval(&self.terms, all, &Bounds::default()).as_truth() == Some(true) {
                continue;
            }
            if group.computed {
                result = Decision::Open(NOT_MODELLED.to_owned());
                continue;
            }
            let needed = connected(&self.terms, &path, &symbols);
            let constraint = self.terms.and(&needed);
            let decision = self.ask(Question {
                constraint,
                all,
                later: &group.later,
                unknown,
                symbols: &symbols,
                blocks: None,
            });
            match decision {
                Decision::Blocked(_) => return decision,
                Decision::Open(_) => result = decision,
                Decision::Never => {}
            }
        }
        result
    }

    /// The conditions that a change of the step reaches, grouped by the later havocs they share.
    fn groups(&mut self, run: &Symbolic, step: usize, unknown: Term) -> Result<Vec<Group>, Lost> {
        let changed = self.reached(run, step, unknown)?;
        if changed.is_empty() {
            return Ok(Vec::new());
        }
        let later = |analysis: &Self, term: Term| -> Vec<Term> {
            let symbols = analysis.terms.variables_of(&[term]);
            symbols
                .into_iter()
                .filter(|s| analysis.havoc_steps.get(s).is_some_and(|&at| at > step))
                .collect()
        };
        let reached: FxHashSet<usize> = changed.iter().map(|(at, _)| *at).collect();
        let (mut plain, mut linked) = (Vec::new(), Vec::new());
        for (at, condition) in changed {
            if self.terms.is_true(condition) {
                continue;
            }
            match later(self, condition) {
                symbols if symbols.is_empty() => plain.push((at, condition)),
                symbols => linked.push((at, condition, symbols)),
            }
        }
        let mut groups: Vec<Group> = plain
            .into_iter()
            .map(|condition| Group {
                conditions: vec![condition],
                later: Vec::new(),
                run: FxHashMap::default(),
                computed: false,
            })
            .collect();
        if linked.is_empty() {
            return Ok(groups);
        }
        // Unchanged conditions on later havocs restrict what the program may choose.
        for (at, condition) in run.conditions(&self.terms, self.trace) {
            if at > step && !reached.contains(&at) {
                let symbols = later(self, condition);
                if !symbols.is_empty() {
                    linked.push((at, condition, symbols));
                }
            }
        }
        while let Some((at, condition, mut symbols)) = linked.pop() {
            let mut conditions = vec![(at, condition)];
            loop {
                let (more, rest): (Vec<_>, Vec<_>) = linked
                    .into_iter()
                    .partition(|(_, _, other)| other.iter().any(|s| symbols.contains(s)));
                linked = rest;
                if more.is_empty() {
                    break;
                }
                for (at, condition, other) in more {
                    conditions.push((at, condition));
                    symbols.extend(other);
                }
            }
            symbols.sort_unstable();
            symbols.dedup();
            conditions.sort_unstable();
            if conditions.iter().any(|(_, c)| self.terms.mentions(*c, unknown)) {
                groups.push(self.rename_later(conditions, &symbols));
            }
        }
        Ok(groups)
    }

    /// Later havocs in a group are quantified: they are not those of the execution we change.
    fn rename_later(&mut self, conditions: Vec<(usize, Term)>, later: &[Term]) -> Group {
        let mut renamed: FxHashMap<Term, Term> = FxHashMap::default();
        let mut run = FxHashMap::default();
        for &symbol in later {
            let sort = self.terms.sort(symbol).clone();
            let name = format!("{}'", self.terms.name(symbol).unwrap_or("havoc"));
            let copy = self.terms.var(&name, &sort);
            renamed.insert(symbol, copy);
            let known = self.havoc_values.get(&symbol).or_else(|| self.run_values.get(&symbol));
            run.extend(known.map(|value| (copy, value.clone())));
        }
        let conditions = conditions
            .iter()
            .map(|&(at, c)| (at, self.terms.substitute(c, &mut |v| renamed.get(&v).copied())))
            .collect();
        let computed = later.iter().any(|symbol| {
            let step = self.havoc_steps.get(symbol).and_then(|&at| self.trace.steps.get(at));
            step.is_some_and(|step| step.part == Part::Temporary)
        });
        Group { conditions, later: later.iter().map(|s| renamed[s]).collect(), run, computed }
    }
}

const NOT_MODELLED: &str =
    "it changes the arguments of a library function whose result is not modelled";

/// Whether a value is one that a person might have meant.
fn is_plausible(value: &Value) -> bool {
    match value {
        Value::BitVec(bits) => bits.signed().unsigned_abs() < 1 << 16,
        _ => true,
    }
}

/// How many hints are tried for the simplest value.
const MOST_HINTS: usize = 6;

/// Gives havocs before a step their values.
fn fix_havocs(
    terms: &mut Terms,
    term: Term,
    step: usize,
    values: &FxHashMap<Term, Value>,
    steps: &FxHashMap<Term, usize>,
) -> Term {
    if values.is_empty() {
        return term;
    }
    let mut fixed: FxHashMap<Term, Term> = FxHashMap::default();
    for symbol in terms.variables_of(&[term]) {
        if let Some(value) = values.get(&symbol)
            && steps[&symbol] <= step
        {
            fixed.insert(symbol, terms.constant(value));
        }
    }
    terms.substitute(term, &mut |v| fixed.get(&v).copied())
}

fn havoc_values(trace: &Trace, run: &Symbolic, inputs: &Inputs) -> FxHashMap<Term, Value> {
    let symbols = (0..trace.steps.len()).filter_map(|at| run.havocs.get(&at).copied());
    symbols.zip(inputs.havocs.iter().cloned()).collect()
}

/// The conditions that share symbols with the given ones, directly or through other conditions.
fn connected(terms: &Terms, conditions: &[Term], symbols: &[Term]) -> Vec<Term> {
    let mut rest: Vec<(Term, Vec<Term>)> =
        conditions.iter().map(|&c| (c, terms.variables_of(&[c]))).collect();
    let mut reached: FxHashSet<Term> = symbols.iter().copied().collect();
    let mut found = Vec::new();
    loop {
        let (more, others): (Vec<_>, Vec<_>) =
            rest.into_iter().partition(|(_, vs)| vs.iter().any(|v| reached.contains(v)));
        rest = others;
        if more.is_empty() {
            return found;
        }
        for (condition, variables) in more {
            found.push(condition);
            reached.extend(variables);
        }
    }
}
