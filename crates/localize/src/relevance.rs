//! Relevance of assigning statements (papers 1 and 3).
//!
//! *The definition.* Take a failing trace and one of its assigning steps, say to `x`. Is there an
//! execution of the trace, and a value `v`, such that if the step had assigned `v` then every way to go
//! on along the trace would be blocked? Then the step is **relevant**: a different value there prevents
//! this failure. Otherwise no constant does, and the step is **irrelevant**. In the words of the paper
//! (Theorem 3.2): `{B} havoc(x) {C}` is invalid, where `B` are the bireachable states before the step
//! (on some failing execution) and `C` the coreachable states after it (able to complete the trace).
//!
//! *The role.* A relevant step is **enforcing** if, as it is written, it cannot avoid the error:
//! `{B} step {C}` is valid; else it is **admitting**. A state in `B` has a successor in `C`, so an
//! assignment, which has only one successor, always enforces; and a relevant havoc always admits,
//! because for a havoc the two triples are the same.
//!
//! *The algorithm* asks the solver last. For each step, backwards:
//! 1. No later condition depends on the variable, by data flow: irrelevant.
//! 2. A [hint](crate::hints), a later condition pulled back to here, has only the assigned value as
//!    unknown once the other variables have the values of the failing run: it is falsified by trying
//!    its critical values. Most relevant steps end here.
//!    If the hints are all that depends on the variable and none can be falsified: irrelevant.
//! 3. The change is followed through the rest of the failing run ([`crate::what_if`]) with the new value
//!    as the one unknown, until it reaches a condition that can be falsified.
//! 4. The conditions that the change reaches, and only they, are decided by the solver: first on the
//!    failing run, then over all executions of the trace.
//!
//! *Nondeterminism.* Values of havocs before the step belong to the execution we may choose. Those of
//! havocs after it are chosen by the program once it has seen `v`, so the question is ∃v ∀h. A condition
//! without later havocs is decided by itself. Conditions that share a later havoc are decided
//! together, along with the unchanged conditions on that havoc; conditions that the change does not
//! reach stay satisfiable and do not matter.

use std::ops::ControlFlow;
use std::rc::Rc;

use failure::{Action, Failure, Inputs, Part, Symbolic, Trace, simplest_value, symbolic};
use program::{Place, SiteId, Trust};
use rustc_hash::{FxHashMap, FxHashSet};
use solver::{Answer, Model, Reason, Solver, exists_forall};
use term::{Op, Sort, Term, Terms, Value};

use crate::context::Context;
use crate::hints::Hints;
use crate::interval::{self, Bounds, interval};
use crate::unary::{self, Falsify};
use crate::what_if::{Uses, follow_change};

/// The relevance of each assigning step that may be suspected of a trace, in order.
#[derive(Clone, Debug)]
pub struct Relevance {
    pub steps: Vec<StepRelevance>,
}

#[derive(Clone, Debug)]
pub struct StepRelevance {
    /// The index of the step in the trace.
    pub step: usize,
    pub verdict: Verdict,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    Relevant { role: Role, witness: Witness },
    Irrelevant(Proof),
    Unknown(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// As written, the step cannot avoid the error.
    Enforcing,
    /// As written, the step may avoid the error.
    Admitting,
}

impl Role {
    /// The stable name, as in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Role::Enforcing => "enforcing",
            Role::Admitting => "admitting",
        }
    }
}

/// A value that blocks the trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    pub value: Value,
    /// The step of a condition that fails then, if it is always the same.
    pub blocks: Option<usize>,
    /// The inputs of the execution in which it does; none if it is the failing run itself.
    pub execution: Option<Inputs>,
}

/// Why no value blocks the trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// No later condition depends on the value.
    NoInfluence,
    /// The conditions that depend on it hold for all values.
    AlwaysHolds,
}

impl Relevance {
    /// Whether every step was decided.
    pub fn is_complete(&self) -> bool {
        !self.steps.iter().any(|s| matches!(s.verdict, Verdict::Unknown(_)))
    }
}

/// Decides the relevance of every assigning step of the user's code.
pub fn relevance(failure: &Failure<'_>, context: Context<'_>) -> Relevance {
    let mut terms = failure.trace.terms.clone();
    let symbolic = symbolic::execute(&mut terms, &failure.trace);
    let mut analysis = Analysis::new(failure, context, terms, symbolic);
    let mut steps = Vec::new();
    let mut hints = Hints::default();
    let mut live = Live::default();
    for (at, step) in failure.trace.steps.iter().enumerate().rev() {
        if let Some(place) = step.action.place()
            && failure.program.site(step.site).trust == Trust::User
        {
            let verdict = if context.stop.requested() {
                Verdict::Unknown("stopped before this step was decided".to_owned())
            } else if live.is_dead(place.variable) {
                Verdict::Irrelevant(Proof::NoInfluence)
            } else {
                analysis.decide(at, &hints)
            };
            steps.push(StepRelevance { step: at, verdict });
        }
        analysis.pull_back(&mut hints, at, &step.action);
        live.pull_back(&failure.trace.terms, &step.action);
    }
    steps.reverse();
    Relevance { steps }
}

/// The variables that may influence a later condition.
#[derive(Default)]
struct Live {
    variables: FxHashSet<Term>,
}

impl Live {
    fn is_dead(&self, variable: Term) -> bool {
        !self.variables.contains(&variable)
    }

    fn pull_back(&mut self, terms: &Terms, action: &Action) {
        let needed = match action.place() {
            Some(place) if place.indices.is_empty() => self.variables.remove(&place.variable),
            Some(place) => self.variables.contains(&place.variable),
            None => true,
        };
        if needed {
            self.variables.extend(action.reads(terms));
        }
    }
}

struct Analysis<'a> {
    trace: &'a Trace,
    context: Context<'a>,
    solver: Box<dyn Solver>,
    terms: Terms,
    /// Execution over all symbols.
    symbolic: Rc<Symbolic>,
    /// Execution from the initial state of the failing run; only havocs are symbols.
    actual: Rc<Symbolic>,
    /// The values of the havocs in the failing run, by symbol of `actual`.
    havoc_values: FxHashMap<Term, Value>,
    /// The values of all symbols of `symbolic` in the failing run.
    run_values: FxHashMap<Term, Value>,
    /// The step of each havoc symbol of either execution.
    havoc_steps: FxHashMap<Term, usize>,
    uses: Uses,
    /// Whether the trace has only one execution, as far as its conditions can tell.
    deterministic: bool,
    /// The statement that is being decided, and how often the solver ran out of time on each.
    statement: (SiteId, Part),
    timeouts: FxHashMap<(SiteId, Part), u32>,
}

/// Conditions to be falsified together, with universally quantified havocs.
struct Group {
    conditions: Vec<(usize, Term)>,
    later: Vec<Term>,
}

impl<'a> Analysis<'a> {
    fn new(
        failure: &'a Failure<'_>,
        context: Context<'a>,
        mut terms: Terms,
        symbolic: Symbolic,
    ) -> Analysis<'a> {
        let trace = &failure.trace;
        // Variables that the inputs do not mention are zero in the failing run.
        let roots: Vec<Term> = trace
            .steps
            .iter()
            .flat_map(|step| {
                step.action.operands().chain(step.action.place().map(|place| place.variable))
            })
            .collect();
        let mut initial = FxHashMap::default();
        for variable in trace.terms.variables_of(&roots) {
            let value = match failure.inputs.initial.get(&variable) {
                Some(value) => value.clone(),
                None => Value::zero(terms.sort(variable)),
            };
            initial.insert(variable, terms.constant(&value));
        }
        let actual = symbolic::execute_from(&mut terms, trace, &initial);
        let havoc_values = havoc_values(trace, &actual, &failure.inputs);
        let mut run_values = failure.inputs.initial.clone();
        run_values.extend(self::havoc_values(trace, &symbolic, &failure.inputs));
        let havoc_steps = [&symbolic, &actual]
            .iter()
            .flat_map(|run| run.havocs.iter().map(|(&at, &symbol)| (symbol, at)))
            .collect();
        let deterministic = symbolic.results.iter().all(|&result| terms.value(result).is_some());
        Analysis {
            trace,
            context,
            solver: (context.solvers)(),
            terms,
            symbolic: Rc::new(symbolic),
            actual: Rc::new(actual),
            run_values,
            havoc_values,
            havoc_steps,
            uses: Uses::of(trace),
            deterministic,
            statement: (SiteId(0), Part::Whole),
            timeouts: FxHashMap::default(),
        }
    }

    fn pull_back(&mut self, hints: &mut Hints, step: usize, action: &Action) {
        let (actual, havocs) = (self.actual.clone(), &self.havoc_values);
        hints.pull_back(&mut self.terms, step, action, &mut |terms, term| {
            let term = actual.evaluate_before(terms, step, term);
            term::evaluate(terms, term, &mut |symbol| havocs.get(&symbol).cloned())
        });
    }

    fn decide(&mut self, step: usize, hints: &Hints) -> Verdict {
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
        let old = self.actual.before(step, place.variable);
        let whole = Place::updated(&mut self.terms, old, &self.actual.indices[step], unknown);
        for hint in hints.about(&self.terms, place.variable).into_iter().take(MOST_HINTS) {
            let actual = &self.actual;
            let condition = self.terms.substitute(hint.condition, &mut |v| {
                Some(if v == place.variable { whole } else { actual.before(step, v) })
            });
            let condition = self.fix_havocs(condition, step);
            if let Falsify::By(value) = unary::falsify(&self.terms, condition, unknown) {
                let witness = Witness { value, blocks: Some(hint.origin), execution: None };
                if witness.value == Value::zero(self.terms.sort(unknown)) {
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
        hints.about(&self.terms, place.variable).into_iter().all(|hint| {
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

    /// Tier 3: the first condition on the failing run that the new value can falsify by itself.
    fn by_following(&mut self, step: usize, unknown: Term) -> Option<Witness> {
        let mut found = None;
        let (havoc_values, havoc_steps) = (&self.havoc_values, &self.havoc_steps);
        follow_change(
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
    fn reached(&mut self, run: &Symbolic, step: usize, unknown: Term) -> Vec<(usize, Term)> {
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
        );
        found
    }

    /// Gives havocs before the step the values of the failing run.
    fn fix_havocs(&mut self, term: Term, step: usize) -> Term {
        fix_havocs(&mut self.terms, term, step, &self.havoc_values, &self.havoc_steps)
    }

    /// Tier 4a: with the new value as an unknown, on the failing run.
    fn on_failing_run(&mut self, step: usize, unknown: Term) -> Decision {
        let run = self.actual.clone();
        let groups = self.groups(&run, step, unknown);
        let fixed: Vec<Group> = groups
            .into_iter()
            .map(|group| Group {
                conditions: group
                    .conditions
                    .iter()
                    .map(|&(at, c)| (at, self.fix_havocs(c, step)))
                    .collect(),
                later: group.later,
            })
            .collect();
        let mut result = Decision::Never;
        for group in fixed {
            let decision = self.falsify_group(&group, unknown);
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
        let free = self.terms.bool(true);
        self.ask(free, all, &group.later, unknown, &[], blocks)
    }

    /// Tier 4b: over all executions of the trace, after the failing run has been decided.
    fn on_all_executions(&mut self, step: usize, unknown: Term, failing_run: Decision) -> Decision {
        let run = self.symbolic.clone();
        let path: Vec<Term> =
            run.conditions(&self.terms, self.trace).into_iter().map(|(_, c)| c).collect();
        let mut result = Decision::Never;
        for group in self.groups(&run, step, unknown) {
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
            let needed = connected(&self.terms, &path, &symbols);
            let constraint = self.terms.and(&needed);
            let decision = self.ask(constraint, all, &group.later, unknown, &symbols, None);
            match decision {
                Decision::Blocked(_) => return decision,
                Decision::Open(_) => result = decision,
                Decision::Never => {}
            }
        }
        result
    }

    /// The conditions that a change of the step reaches, grouped by the later havocs they share.
    fn groups(&mut self, run: &Symbolic, step: usize, unknown: Term) -> Vec<Group> {
        let changed = self.reached(run, step, unknown);
        if changed.is_empty() {
            return Vec::new();
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
            .map(|condition| Group { conditions: vec![condition], later: Vec::new() })
            .collect();
        if linked.is_empty() {
            return groups;
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
                groups.push(self.rename_later(Group { conditions, later: symbols }));
            }
        }
        groups
    }

    /// Later havocs in a group are quantified: they are not those of the execution we change.
    fn rename_later(&mut self, group: Group) -> Group {
        let mut renamed: FxHashMap<Term, Term> = FxHashMap::default();
        for &symbol in &group.later {
            let sort = self.terms.sort(symbol).clone();
            let name = format!("{}'", self.terms.name(symbol).unwrap_or("havoc"));
            renamed.insert(symbol, self.terms.var(&name, &sort));
        }
        let conditions = group
            .conditions
            .iter()
            .map(|&(at, c)| (at, self.terms.substitute(c, &mut |v| renamed.get(&v).copied())))
            .collect();
        Group { conditions, later: group.later.iter().map(|s| renamed[s]).collect() }
    }

    /// Decides `∃ symbols, unknown. constraint ∧ ∀ later. ¬all`.
    fn ask(
        &mut self,
        constraint: Term,
        all: Term,
        later: &[Term],
        unknown: Term,
        symbols: &[Term],
        blocks: Option<usize>,
    ) -> Decision {
        if self.timeouts.get(&self.statement).is_some_and(|&count| count >= MOST_TIMEOUTS) {
            return Decision::Open("the solver ran out of time on instances of it".to_owned());
        }
        let decision = self.ask_solver(constraint, all, later, unknown, symbols, blocks);
        if let Decision::Open(_) = decision {
            *self.timeouts.entry(self.statement).or_default() += 1;
        }
        decision
    }

    fn ask_solver(
        &mut self,
        constraint: Term,
        all: Term,
        later: &[Term],
        unknown: Term,
        symbols: &[Term],
        blocks: Option<usize>,
    ) -> Decision {
        let violated = self.terms.not(all);
        let wanted = self.terms.variables_of(&[constraint, violated]);
        let model = if later.is_empty() {
            self.solver.push();
            self.solver.assert(&self.terms, constraint);
            self.solver.assert(&self.terms, violated);
            let found = self.simplest_model(unknown, &wanted);
            self.solver.pop();
            match found {
                Ok(model) => model,
                Err(None) => return Decision::Never,
                Err(Some(reason)) => return Decision::Open(reason),
            }
        } else {
            if symbols.is_empty()
                && let Some(value) = self
                    .outside_all_bounds(all, unknown)
                    .or_else(|| self.try_against_havocs(all, unknown))
            {
                return Decision::Blocked(Witness { value, blocks, execution: None });
            }
            let solvers = self.context.solvers;
            let verdict = exists_forall(
                &mut || solvers(),
                &mut self.terms,
                constraint,
                later,
                violated,
                &wanted,
                ROUNDS,
            );
            match verdict {
                solver::Verdict::Holds(model) => model,
                solver::Verdict::Fails => return Decision::Never,
                solver::Verdict::Unknown(reason) => return Decision::Open(in_words(&reason)),
            }
        };
        let value = model.value(&self.terms, unknown);
        let execution = (!symbols.is_empty()).then(|| self.execution(&model, &wanted, unknown));
        Decision::Blocked(Witness { value, blocks, execution })
    }

    /// A model of what is asserted in which the unknown is as simple as possible; if there is none, the
    /// reason why that is not known.
    fn simplest_model(&mut self, unknown: Term, wanted: &[Term]) -> Result<Model, Option<String>> {
        let solver = &mut *self.solver;
        match solver.check(&self.terms, &[]) {
            Answer::Unsat => return Err(None),
            Answer::Unknown(reason) => return Err(Some(in_words(&reason))),
            Answer::Sat => {}
        }
        let Some(model) = solver.model(&self.terms, wanted) else {
            return Err(Some("the solver found no exact value".to_owned()));
        };
        let found = model.value(&self.terms, unknown);
        let simplest = simplest_value(&mut self.terms, solver, &[], unknown, found);
        let constant = self.terms.constant(&simplest);
        let fixed = self.terms.eq(unknown, constant);
        match solver.check(&self.terms, &[fixed]) {
            Answer::Sat => Ok(solver.model(&self.terms, wanted).unwrap_or(model)),
            _ => Ok(model),
        }
    }

    /// A value that violates a condition by more than the bounds on later havocs could make up for.
    fn outside_all_bounds(&mut self, all: Term, unknown: Term) -> Option<Value> {
        let conjuncts = conjuncts(&self.terms, all);
        let bounds = interval::bounds(&self.terms, &conjuncts);
        let mut best: Option<Value> = None;
        for conjunct in conjuncts {
            let Some(extreme) = extreme_condition(&mut self.terms, conjunct, unknown, &bounds)
            else {
                continue;
            };
            if let Falsify::By(value) = unary::falsify(&self.terms, extreme, unknown)
                && best.as_ref().is_none_or(|best| unary::is_simpler(&value, best))
            {
                best = Some(value);
            }
        }
        best
    }

    /// Tries simple values one by one: does each choice of later havocs violate the conditions?
    fn try_against_havocs(&mut self, all: Term, unknown: Term) -> Option<Value> {
        let (candidates, _) = unary::candidates(&self.terms, all, unknown);
        for value in candidates.into_iter().take(MOST_CANDIDATES) {
            let constant = self.terms.constant(&value);
            let conditions = self.terms.replace(all, unknown, constant);
            self.solver.push();
            self.solver.assert(&self.terms, conditions);
            let answer = self.solver.check(&self.terms, &[]);
            self.solver.pop();
            if answer == Answer::Unsat {
                return Some(value);
            }
        }
        None
    }

    /// The execution of a model; symbols that the question did not mention are as in the failing run.
    fn execution(&self, model: &Model, symbols: &[Term], unknown: Term) -> Inputs {
        let mut values = self.run_values.clone();
        for &symbol in symbols {
            if symbol != unknown {
                values.insert(symbol, model.value(&self.terms, symbol));
            }
        }
        let mut havocs: Vec<(usize, Term)> =
            self.symbolic.havocs.iter().map(|(&at, &symbol)| (at, symbol)).collect();
        havocs.sort_unstable();
        let havocs = havocs
            .into_iter()
            .map(|(_, symbol)| {
                let zero = || Value::zero(self.terms.sort(symbol));
                values.remove(&symbol).unwrap_or_else(zero)
            })
            .collect();
        Inputs { initial: values, havocs }
    }
}

/// How often a universally quantified question is refined, and how many values are tried first.
const ROUNDS: u32 = 64;
const MOST_CANDIDATES: usize = 8;
/// After so many questions about a statement without an answer, its other instances are not tried.
const MOST_TIMEOUTS: u32 = 2;
/// How many hints are tried for the simplest value.
const MOST_HINTS: usize = 6;

/// Whether some value blocks a group of conditions.
enum Decision {
    Blocked(Witness),
    Never,
    Open(String),
}

/// The parts of a conjunction, however it is nested.
fn conjuncts(terms: &Terms, all: Term) -> Vec<Term> {
    let (mut found, mut stack) = (Vec::new(), vec![all]);
    while let Some(term) = stack.pop() {
        match terms.op(term) {
            Op::And => stack.extend_from_slice(terms.args(term)),
            _ => found.push(term),
        }
    }
    found
}

/// The weakest that a linear condition `c·unknown + rest <= k` becomes when the rest is as small as its
/// bounds allow: if a value violates that, it violates the condition whatever the rest is.
fn extreme_condition(
    terms: &mut Terms,
    condition: Term,
    unknown: Term,
    bounds: &Bounds,
) -> Option<Term> {
    let (Op::Le, &[left, right]) = (terms.op(condition), terms.args(condition)) else {
        return None;
    };
    if *terms.sort(left) != Sort::Int || !terms.mentions(left, unknown) {
        return None;
    }
    // The smallest value of the rest, and the coefficient of the unknown.
    let (mut rest, mut own) = (Value::int(0), Value::int(0));
    let mut stack = vec![(left, Value::int(1))];
    while let Some((term, factor)) = stack.pop() {
        match (terms.op(term), terms.args(term)) {
            _ if term == unknown => own = own.add(&factor),
            (Op::Add, summands) => stack.extend(summands.iter().map(|&s| (s, factor.clone()))),
            (Op::Mul, &[c, part]) if terms.value(c).is_some() => {
                let product = terms.value(c).map_or(factor.clone(), |c| c.mul(&factor));
                stack.push((part, product));
            }
            _ if terms.mentions(term, unknown) => return None,
            _ => {
                let Value::Int(factor) = factor else { return None };
                let range = interval(terms, term, bounds).scale(&factor);
                rest = rest.add(&Value::Int(range.low()?.clone()));
            }
        }
    }
    let scaled = terms.scale(&own, unknown);
    let rest = terms.constant(&rest);
    let weakest = terms.add(&[scaled, rest]);
    Some(terms.le(weakest, right))
}

fn in_words(reason: &Reason) -> String {
    match reason {
        Reason::TimeLimit => "the solver ran out of time".to_owned(),
        Reason::Incomplete(words) => format!("the solver gave up: {words}"),
    }
}

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
            && steps[&symbol] < step
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
