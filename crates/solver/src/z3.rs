//! Z3 behind the interface.
//!
//! We keep the stack of assertions ourselves and bring one of Z3's solvers up to date when a question
//! is asked. So there can be several: one that bit-blasts, for questions about bits only; one for
//! everything else; and a fresh one with all of Z3's strategies for what the others cannot decide.
//! None is made before it is needed, and formulas that are popped before a question cost nothing.
//!
//! Z3 takes only literals as assumptions. Any other formula gets an *indicator*, a new variable that
//! implies it; the core in terms of indicators is mapped back to the assumptions.

// Terms of Z3 are hashed by their address; what changes in their context does not matter.
#![allow(clippy::mutable_key_type)]

#[allow(unsafe_code)]
mod context;
mod float;
mod overflow;
mod translate;
mod value;

use std::time::Duration;

use rustc_hash::{FxHashMap, FxHashSet};
use term::{Op, Term, Terms};
use z3_sys as z3;

use context::{Ast, Check, Kind, Verdict};
pub use context::{Interrupt, limit_memory};
use translate::{Fragment, Translated, Translator};

use crate::solver::{Answer, Model, Quantified, Reason, Solver, Stats};

/// The solver Z3, with a limit for each question.
#[derive(Debug)]
pub struct Z3 {
    limit: Duration,
    /// How much was done so far.
    work: Duration,
    translator: Translator,
    frames: Vec<Frame>,
    frames_made: u64,
    indicators: FxHashMap<Ast, Ast>,
    bits: Option<Engine>,
    general: Option<Engine>,
    one_shot: Option<Check>,
    last: Last,
    stats: Stats,
}

/// On deeper terms Z3's strategies expand products without end and without looking at the clock.
const DEEPEST_FOR_STRATEGIES: u32 = 300;

/// What Z3 says if a question took too long. If it was too much work, it does not always say so.
const ENDED: [&str; 3] = ["timeout", "cancel", "interrupted"];

/// So many useless circuits of floats are less trouble than a new solver.
const FEW_CIRCUITS: usize = 16;

/// What was asserted since a push; None stands for a formula that Z3 could not represent.
#[derive(Debug)]
struct Frame {
    id: u64,
    formulas: Vec<Option<Translated>>,
}

/// What can be asked about the last question.
#[derive(Debug)]
enum Last {
    Nothing,
    Sat(Strategy),
    Unsat(Vec<Term>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Strategy {
    Bits,
    General,
    OneShot,
}

/// One assumption, as it was asked and as Z3 sees it.
#[derive(Debug)]
struct Assumption {
    term: Term,
    translated: Translated,
    is_literal: bool,
}

impl Z3 {
    /// A question may be as much work as an ordinary machine does in this time: so answers do not depend on the machine.
    pub fn new(limit: Duration) -> Z3 {
        Z3 {
            limit,
            work: Duration::ZERO,
            translator: Translator::new(),
            frames: vec![Frame { id: 0, formulas: vec![] }],
            frames_made: 1,
            indicators: FxHashMap::default(),
            bits: None,
            general: None,
            one_shot: None,
            last: Last::Nothing,
            stats: Stats::default(),
        }
    }

    /// Ends a running query from another thread; later ones are not started.
    pub fn interrupt_handle(&self) -> Interrupt {
        self.translator.context.interrupt()
    }

    /// What was asked so far, with which answers.
    pub fn stats(&self) -> Stats {
        self.stats
    }

    /// The assumptions that say something; an answer if one of them is plainly false.
    fn assumptions(&mut self, terms: &Terms, asked: &[Term]) -> Result<Vec<Assumption>, Answer> {
        let mut assumptions = Vec::with_capacity(asked.len());
        for &term in asked {
            if terms.is_true(term) {
                continue;
            }
            if terms.is_false(term) {
                self.last = Last::Unsat(vec![term]);
                return Err(Answer::Unsat);
            }
            let translated = self.translator.formula(terms, term).ok_or_else(unrepresentable)?;
            let is_literal = match (terms.op(term), terms.args(term)) {
                (Op::Not, [inner]) => terms.is_var(*inner),
                _ => terms.is_var(term),
            };
            assumptions.push(Assumption { term, translated, is_literal });
        }
        Ok(assumptions)
    }

    /// The literals that stand for the assumptions, with their formulas; each once.
    fn literals(&mut self, assumptions: &[Assumption]) -> Option<Vec<Literal>> {
        let mut seen = FxHashSet::default();
        let mut literals = Vec::with_capacity(assumptions.len());
        for assumption in assumptions {
            let formula = &assumption.translated.ast;
            if !seen.insert(formula.clone()) {
                continue;
            }
            let ast = if assumption.is_literal {
                formula.clone()
            } else if let Some(known) = self.indicators.get(formula) {
                known.clone()
            } else {
                let new = self.translator.context.fresh()?;
                self.indicators.insert(formula.clone(), new.clone());
                new
            };
            let definition = match assumption.is_literal {
                true => None,
                false => Some(self.translator.context.binary(z3::Z3_mk_implies, &ast, formula)?),
            };
            let has_circuits = assumption.translated.has_circuits();
            literals.push(Literal { ast, term: assumption.term, definition, has_circuits });
        }
        Some(literals)
    }

    /// What the question needs, and how deep it is.
    fn measure(&self, assumptions: &[Assumption]) -> Option<(Fragment, u32)> {
        let mut formulas: Vec<&Translated> = assumptions.iter().map(|a| &a.translated).collect();
        for formula in self.frames.iter().flat_map(|f| &f.formulas) {
            formulas.push(formula.as_ref()?);
        }
        let fragment = formulas.iter().map(|f| f.fragment).max().unwrap_or_default();
        let depth = formulas.iter().map(|f| f.depth).max().unwrap_or_default();
        Some((fragment, depth))
    }

    fn incrementally(
        &mut self,
        strategy: Strategy,
        literals: &[Literal],
        limit: Duration,
    ) -> Option<Answer> {
        let (slot, kind) = match strategy {
            Strategy::Bits => (&mut self.bits, Kind::Bits),
            _ => (&mut self.general, Kind::Incremental),
        };
        if slot.is_none() {
            *slot = Some(Engine::new(Check::new(&self.translator.context, kind)?));
        }
        let engine = slot.as_mut()?;
        if engine.is_littered(&self.frames, literals) {
            *engine = Engine::new(Check::new(&self.translator.context, kind)?);
        }
        engine.synchronize(&self.frames);
        engine.define(literals);
        let asts: Vec<Ast> = literals.iter().map(|l| l.ast.clone()).collect();
        engine.check.limit(limit);
        let verdict = engine.check.check(&asts);
        let is_over = worked(&mut self.work, engine.check.work()) >= limit;
        if verdict == Verdict::Unsat {
            let core: FxHashSet<Ast> = engine.check.core().into_iter().collect();
            let used = literals.iter().filter(|l| core.contains(&l.ast)).map(|l| l.term).collect();
            self.last = Last::Unsat(used);
        } else if verdict == Verdict::Sat {
            self.last = Last::Sat(strategy);
        }
        Some(self.answer(verdict, is_over))
    }

    /// Asks a fresh solver with all of Z3's strategies. It gives no core but the whole.
    fn anew(&mut self, assumptions: &[Assumption], limit: Duration) -> Option<Answer> {
        let mut check = Check::new(&self.translator.context, Kind::OneShot)?;
        for formula in self.frames.iter().flat_map(|f| &f.formulas) {
            check.assert(&formula.as_ref()?.ast);
        }
        for assumption in assumptions {
            check.assert(&assumption.translated.ast);
        }
        check.limit(limit);
        let verdict = check.check(&[]);
        let is_over = worked(&mut self.work, check.work()) >= limit;
        self.one_shot = Some(check);
        match verdict {
            Verdict::Sat => self.last = Last::Sat(Strategy::OneShot),
            Verdict::Unsat => {
                self.last = Last::Unsat(assumptions.iter().map(|a| a.term).collect());
            }
            Verdict::Unknown(_) => {}
        }
        Some(self.answer(verdict, is_over))
    }

    /// What Z3 says, if it has done all that it may, or not.
    fn answer(&self, verdict: Verdict, is_over: bool) -> Answer {
        match verdict {
            Verdict::Sat => Answer::Sat,
            Verdict::Unsat => Answer::Unsat,
            Verdict::Unknown(_) if self.translator.context.is_stopped() => interrupted(),
            Verdict::Unknown(why) if is_over || ENDED.iter().any(|word| why.contains(word)) => {
                Answer::Unknown(Reason::TimeLimit)
            }
            Verdict::Unknown(why) => Answer::Unknown(Reason::Incomplete(why)),
        }
    }

    fn decide(&mut self, terms: &Terms, asked: &[Term]) -> Option<Answer> {
        if self.translator.context.is_stopped() {
            return Some(interrupted());
        }
        let assumptions = match self.assumptions(terms, asked) {
            Ok(assumptions) => assumptions,
            Err(answer) => return Some(answer),
        };
        let literals = self.literals(&assumptions)?;
        let (fragment, depth) = self.measure(&assumptions)?;
        // For products the incremental solver is often the weaker one; it must leave time.
        let (strategy, limit) = match fragment {
            Fragment::Bits => (Strategy::Bits, self.limit),
            Fragment::Linear => (Strategy::General, self.limit),
            Fragment::Nonlinear if depth <= DEEPEST_FOR_STRATEGIES => {
                (Strategy::General, self.limit / 4)
            }
            Fragment::Nonlinear => (Strategy::General, self.limit),
        };
        let before = self.work;
        let answer = self.incrementally(strategy, &literals, limit)?;
        let left = self.limit.saturating_sub(self.work.saturating_sub(before));
        let decided = !matches!(answer, Answer::Unknown(_)) || answer == interrupted();
        if decided || left.is_zero() || depth > DEEPEST_FOR_STRATEGIES {
            return Some(answer);
        }
        self.anew(&assumptions, left)
    }

    fn read_model(&mut self, terms: &Terms, variables: &[Term]) -> Option<Model> {
        let Last::Sat(strategy) = &self.last else { return None };
        let check = match strategy {
            Strategy::Bits => &self.bits.as_ref()?.check,
            Strategy::General => &self.general.as_ref()?.check,
            Strategy::OneShot => self.one_shot.as_ref()?,
        };
        let assignment = check.assignment()?;
        let mut model = Model::default();
        for &variable in variables {
            let ast = self.translator.translate(terms, variable)?.ast;
            let value = assignment.value(&ast)?;
            model.set(variable, value::value(&assignment, &value, terms.sort(variable))?);
        }
        Some(model)
    }

    /// Asks a fresh solver, which knows nothing of what was asserted.
    fn with_quantifier(
        &mut self,
        terms: &Terms,
        constraint: Term,
        universals: &[Term],
        body: Term,
    ) -> Option<Answer> {
        if self.translator.context.is_stopped() {
            return Some(interrupted());
        }
        let constraint = self.translator.formula(terms, constraint)?.ast;
        let body = self.translator.formula(terms, body)?.ast;
        let bound: Option<Vec<Ast>> =
            universals.iter().map(|&u| self.translator.bound(terms, u)).collect();
        let mut check = Check::new(&self.translator.context, Kind::OneShot)?;
        check.limit(self.limit);
        check.assert(&constraint);
        check.assert(&self.translator.context.forall(&bound?, &body)?);
        let verdict = check.check(&[]);
        let is_over = worked(&mut self.work, check.work()) >= self.limit;
        if verdict == Verdict::Sat {
            self.last = Last::Sat(Strategy::OneShot);
        }
        self.one_shot = Some(check);
        Some(self.answer(verdict, is_over))
    }
}

impl Quantified for Z3 {
    fn exists_forall(
        &mut self,
        terms: &Terms,
        constraint: Term,
        universals: &[Term],
        body: Term,
        wanted: &[Term],
    ) -> (Answer, Option<Model>) {
        self.last = Last::Nothing;
        let answer = self
            .with_quantifier(terms, constraint, universals, body)
            .unwrap_or_else(unrepresentable);
        self.stats.count(&answer);
        let model = self.model(terms, wanted);
        (answer, model)
    }
}

impl Solver for Z3 {
    fn push(&mut self) {
        self.frames.push(Frame { id: self.frames_made, formulas: vec![] });
        self.frames_made += 1;
    }

    fn pop(&mut self) {
        if self.frames.len() > 1 {
            self.frames.pop();
        }
    }

    fn assert(&mut self, terms: &Terms, formula: Term) {
        if terms.is_true(formula) {
            return;
        }
        let translated = self.translator.formula(terms, formula);
        if let Some(frame) = self.frames.last_mut() {
            frame.formulas.push(translated);
        }
    }

    fn check(&mut self, terms: &Terms, assumptions: &[Term]) -> Answer {
        self.last = Last::Nothing;
        self.one_shot = None;
        let answer = self.decide(terms, assumptions).unwrap_or_else(unrepresentable);
        self.stats.count(&answer);
        answer
    }

    fn model(&mut self, terms: &Terms, variables: &[Term]) -> Option<Model> {
        self.read_model(terms, variables)
    }

    fn core(&mut self) -> Vec<Term> {
        match &self.last {
            Last::Unsat(core) => core.clone(),
            _ => vec![],
        }
    }

    fn queries(&self) -> u64 {
        self.stats.queries()
    }

    fn work(&self) -> Duration {
        self.work
    }

    fn hurry(&mut self, limit: Duration) {
        self.limit = self.limit.min(limit);
    }

    fn quantified(&mut self) -> Option<&mut dyn Quantified> {
        Some(self)
    }
}

/// Counts the work that is done by now; how much of it is new.
fn worked(work: &mut Duration, now: Duration) -> Duration {
    let new = now.saturating_sub(*work);
    *work += new;
    new
}

fn unrepresentable() -> Answer {
    Answer::Unknown(Reason::Incomplete("Z3 cannot represent the formula".to_owned()))
}

fn interrupted() -> Answer {
    Answer::Unknown(Reason::Incomplete("interrupted".to_owned()))
}

/// What Z3 is given for an assumption.
#[derive(Debug)]
struct Literal {
    ast: Ast,
    term: Term,
    /// That the indicator implies the assumption.
    definition: Option<Ast>,
    has_circuits: bool,
}

/// One of Z3's incremental solvers and what it has been told.
#[derive(Debug)]
struct Engine {
    check: Check,
    levels: Vec<Level>,
    defined: FxHashSet<Ast>,
    /// How many formulas with circuits of floats were asserted; those that were popped count, too.
    circuits: usize,
}

#[derive(Debug)]
struct Level {
    frame: u64,
    formulas: usize,
    defined: Vec<Ast>,
}

impl Engine {
    fn new(check: Check) -> Engine {
        let base = Level { frame: 0, formulas: 0, defined: vec![] };
        Engine { check, levels: vec![base], defined: FxHashSet::default(), circuits: 0 }
    }

    /// Whether most circuits are of no use any more. Z3 keeps them, and each makes all later questions
    /// slower; to begin anew costs no more than what was asserted in vain.
    fn is_littered(&self, frames: &[Frame], literals: &[Literal]) -> bool {
        let formulas = frames.iter().flat_map(|f| &f.formulas).flatten();
        let needed = formulas.filter(|f| f.has_circuits()).count()
            + literals.iter().filter(|l| l.has_circuits).count();
        self.circuits > 2 * needed + FEW_CIRCUITS
    }

    /// Pops what is gone and asserts what is new.
    fn synchronize(&mut self, frames: &[Frame]) {
        let common = self.levels.iter().zip(frames).take_while(|(l, f)| l.frame == f.id).count();
        if common < self.levels.len() {
            self.check.pop(self.levels.len() - common);
            for level in self.levels.drain(common..) {
                for indicator in level.defined {
                    self.defined.remove(&indicator);
                }
            }
        }
        for (i, frame) in frames.iter().enumerate() {
            if i >= self.levels.len() {
                self.check.push();
                self.levels.push(Level { frame: frame.id, formulas: 0, defined: vec![] });
            }
            let level = &mut self.levels[i];
            for formula in frame.formulas[level.formulas..].iter().flatten() {
                self.check.assert(&formula.ast);
                self.circuits += usize::from(formula.has_circuits());
            }
            level.formulas = frame.formulas.len();
        }
    }

    fn define(&mut self, literals: &[Literal]) {
        for literal in literals {
            if let Some(definition) = &literal.definition
                && self.defined.insert(literal.ast.clone())
            {
                self.check.assert(definition);
                self.circuits += usize::from(literal.has_circuits);
                if let Some(level) = self.levels.last_mut() {
                    level.defined.push(literal.ast.clone());
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use term::Sort;

    use super::*;
    use crate::testing::read;

    #[test]
    fn irrational_numbers_have_no_exact_value() {
        let mut t = Terms::new();
        let mut solver = Z3::new(Duration::from_secs(10));
        let root = read(&mut t, "Real", "(= (* x x) 2)");
        let x = t.var("x", &Sort::Real);
        assert_eq!(solver.check(&t, &[root]), Answer::Sat);
        assert_eq!(solver.model(&t, &[x]), None);
    }

    #[test]
    fn products_of_integers() {
        let mut t = Terms::new();
        let mut solver = Z3::new(Duration::from_secs(10));
        let formula = read(&mut t, "Int", "(and (= (* x (* y z)) 2431) (< 1 x y z))");
        assert_eq!(solver.check(&t, &[formula]), Answer::Sat);
        let none = read(&mut t, "Int", "(and (= (* x y) 2437) (< 1 x y))");
        assert_eq!(solver.check(&t, &[none]), Answer::Unsat);
        assert_eq!(solver.core(), [none]);
        assert_eq!(solver.stats(), Stats { sat: 1, unsat: 1, unknown: 0 });
    }

    #[test]
    fn a_query_can_be_ended_from_another_thread() {
        let mut t = Terms::new();
        let mut solver = Z3::new(Duration::from_secs(600));
        let cubes = "(= (+ (* x (* x x)) (* y (* y y)) (* z (* z z))) 114)"; // nobody knows
        let hard = read(&mut t, "Int", cubes);
        let handle = solver.interrupt_handle();
        let start = Instant::now();
        let thread = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(200));
            handle.interrupt();
        });
        assert_eq!(solver.check(&t, &[hard]), interrupted());
        assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
        thread.join().unwrap();
        assert_eq!(solver.check(&t, &[]), interrupted());
    }

    #[test]
    fn the_same_questions_have_the_same_answers() {
        let mut t = Terms::new();
        let formula = read(&mut t, "Int", "(and (< x (+ y z)) (< z (* 3 x)) (not (= y 4)))");
        let variables = t.variables_of(&[formula]);
        let models: Vec<Option<Model>> = (0..3)
            .map(|_| {
                let mut solver = Z3::new(Duration::from_secs(10));
                solver.check(&t, &[formula]);
                solver.model(&t, &variables)
            })
            .collect();
        assert!(models[0].is_some());
        assert!(models.windows(2).all(|pair| pair[0] == pair[1]));
    }

    #[test]
    fn quantified_floats() {
        let mut t = Terms::new();
        let sort = Sort::Float(term::Format::Single);
        let (x, y) = (t.var("x", &sort), t.var("y", &sort));
        let (below, nan) = (t.fp_le(x, y), t.fp_is_nan(y));
        let body = t.or(&[below, nan]);
        let yes = t.bool(true);
        let mut z3 = Z3::new(Duration::from_secs(20));
        let (answer, model) = z3.exists_forall(&t, yes, &[y], body, &[x]);
        assert_eq!(answer, Answer::Sat);
        let least = term::Value::single(f32::NEG_INFINITY);
        assert_eq!(model.unwrap().value(&t, x), least);
    }
}
