//! One quantifier alternation, decided by counterexamples.
//!
//! The question `∃ x. constraint(x) ∧ ∀ u. body(x, u)` is a game of two players, both quantifier-free.
//! The first proposes values for `x` that satisfy the constraint and every *instance* of the body seen so
//! far. The second looks for values of `u` that falsify the body under the proposal. If there are none,
//! the proposal is the answer. Otherwise the counterexample is turned into a term `t`, the instance
//! `body(x, t)` is added, and the first player must do better.
//!
//! Both answers are right whatever terms are chosen. *Holds*: the second player's question was
//! unsatisfiable, which is the claim itself. *Fails*: `∀ u. body(x, u)` implies each instance
//! `body(x, t(x))`, and not even the instances can be satisfied. The choice of `t` decides only
//! whether the game ends. With the value of `u` as `t` it need not: `∃ v ∀ h. v > h` would be refuted for
//! one `v` after the other. With the term `t = v` it ends at once.
//!
//! So terms come from the body (counterexample-guided quantifier instantiation, Reynolds, King and Kuncak).
//! Take the counterexample, and of `¬body` only a cube of literals that makes it true there; choices
//! (`ite`) are decided as the counterexample decides them. What the cube says about one universal is a set
//! of bounds. An equation gives `t` itself. Otherwise the tightest lower bound can stand for the value
//! (or the tightest upper bound, if there is no lower one; between strict bounds on reals, the middle):
//! under the proposal every literal of the cube stays true, so the proposal is excluded. If remainders of
//! the universal are taken, its distance from the bound modulo their common multiple is kept. As there
//! are finitely many atoms, there are finitely many such terms, and in linear arithmetic the game ends.
//! Where this reasoning does not apply (products, array indices, …) the candidate may fail to exclude the
//! proposal; each is tried out by evaluation, and the plain value is what remains. Universals are replaced
//! one after the other, and a term for one may mention those that come later.
//!
//! After the given number of rounds we ask the solver's own quantifiers, and check a positive answer.

use rustc_hash::{FxHashMap, FxHashSet};
use term::{Code, Op, Sort, Term, Terms, Value};

use crate::bounds::candidates;
use crate::solver::{Answer, Model, Reason, Solver};

/// The answer of [`exists_forall`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// With values for the free variables and the wanted ones.
    Holds(Model),
    Fails,
    Unknown(Reason),
}

/// Decides `∃ free variables. constraint ∧ ∀ universals. body`.
pub fn exists_forall(
    make_solver: &mut dyn FnMut() -> Box<dyn Solver>,
    terms: &mut Terms,
    constraint: Term,
    universals: &[Term],
    body: Term,
    wanted: &[Term],
    rounds: u32,
) -> Verdict {
    let mut body = body;
    let mut bound: Vec<Term> = Vec::new();
    for &universal in universals {
        if !terms.mentions(body, universal) || bound.contains(&universal) {
            continue;
        }
        // Outside of the quantifier the name means another variable.
        if wanted.contains(&universal) || terms.mentions(constraint, universal) {
            let sort = terms.sort(universal).clone();
            let renamed = terms.fresh("universal", &sort);
            body = terms.replace(body, universal, renamed);
            bound.push(renamed);
        } else {
            bound.push(universal);
        }
    }
    let mut free = terms.variables_of(&[constraint, body]);
    free.retain(|v| !bound.contains(v));
    for &variable in wanted {
        if !free.contains(&variable) {
            free.push(variable);
        }
    }
    let game = Game { constraint, bound, body, free };
    match game.play(make_solver, terms, rounds) {
        Some(verdict) => verdict,
        None => game.ask_natively(make_solver, terms),
    }
}

struct Game {
    constraint: Term,
    bound: Vec<Term>,
    body: Term,
    free: Vec<Term>,
}

impl Game {
    /// None if the game was not decided: too many rounds, or a player did not know.
    fn play(
        &self,
        make_solver: &mut dyn FnMut() -> Box<dyn Solver>,
        terms: &mut Terms,
        rounds: u32,
    ) -> Option<Verdict> {
        let mut proposer = make_solver();
        proposer.assert(terms, self.constraint);
        if self.bound.is_empty() {
            proposer.assert(terms, self.body);
            return Some(match proposer.check(terms, &[]) {
                Answer::Sat => match proposer.model(terms, &self.free) {
                    Some(model) => Verdict::Holds(model),
                    None => Verdict::Unknown(inexact()),
                },
                Answer::Unsat => Verdict::Fails,
                Answer::Unknown(reason) => Verdict::Unknown(reason),
            });
        }
        let mut refuter = make_solver();
        for _ in 0..rounds {
            match proposer.check(terms, &[]) {
                Answer::Sat => {}
                Answer::Unsat => return Some(Verdict::Fails),
                Answer::Unknown(_) => return None,
            }
            let mut model = proposer.model(terms, &self.free)?;
            match self.refute(refuter.as_mut(), terms, &model) {
                (Answer::Unsat, _) => return Some(Verdict::Holds(model)),
                (Answer::Sat, Some(counterexample)) => {
                    for &universal in &self.bound {
                        model.set(universal, counterexample.value(terms, universal));
                    }
                }
                _ => return None,
            }
            let instance = self.instance(terms, &model);
            proposer.assert(terms, instance);
        }
        None
    }

    /// Looks for values of the universals that make the body false under the proposal.
    fn refute(
        &self,
        refuter: &mut dyn Solver,
        terms: &mut Terms,
        proposal: &Model,
    ) -> (Answer, Option<Model>) {
        let open = fix(terms, self.body, &self.free, proposal);
        let negated = terms.not(open);
        refuter.push();
        refuter.assert(terms, negated);
        let answer = refuter.check(terms, &[]);
        let model = match answer {
            Answer::Sat => refuter.model(terms, &self.bound),
            _ => None,
        };
        refuter.pop();
        (answer, model)
    }

    /// An instance of the body that is false in the model, as the body is.
    fn instance(&self, terms: &mut Terms, model: &Model) -> Term {
        let mut body = self.body;
        for &universal in &self.bound {
            if !terms.mentions(body, universal) {
                continue;
            }
            let literals = cube(terms, body, model);
            let useful = candidates(terms, universal, &literals, model).into_iter().find_map(|t| {
                let next = terms.replace(body, universal, t);
                let excludes = model.evaluate(terms, next) == Value::Bool(false);
                (excludes && !terms.mentions(next, universal)).then_some(next)
            });
            body = match useful {
                Some(next) => next,
                None => {
                    let value = terms.constant(&model.value(terms, universal));
                    terms.replace(body, universal, value)
                }
            };
        }
        body
    }

    fn ask_natively(
        &self,
        make_solver: &mut dyn FnMut() -> Box<dyn Solver>,
        terms: &mut Terms,
    ) -> Verdict {
        let mut solver = make_solver();
        let Some(quantified) = solver.quantified() else {
            return Verdict::Unknown(Reason::Incomplete("too many rounds".to_owned()));
        };
        let answer =
            quantified.exists_forall(terms, self.constraint, &self.bound, self.body, &self.free);
        match answer {
            (Answer::Unsat, _) => Verdict::Fails,
            (Answer::Unknown(reason), _) => Verdict::Unknown(reason),
            (Answer::Sat, None) => Verdict::Unknown(inexact()),
            (Answer::Sat, Some(model)) => {
                let allowed = model.evaluate(terms, self.constraint).is_true();
                match self.refute(make_solver().as_mut(), terms, &model) {
                    (Answer::Unsat, _) if allowed => Verdict::Holds(model),
                    (Answer::Unknown(reason), _) => Verdict::Unknown(reason),
                    _ => Verdict::Unknown(Reason::Incomplete("a wrong model".to_owned())),
                }
            }
        }
    }
}

fn inexact() -> Reason {
    Reason::Incomplete("the model has no exact values".to_owned())
}

/// The term with these variables replaced by their values.
fn fix(terms: &mut Terms, term: Term, variables: &[Term], model: &Model) -> Term {
    let values: FxHashMap<Term, Term> = variables
        .iter()
        .map(|&v| {
            let value = model.value(terms, v);
            (v, terms.constant(&value))
        })
        .collect();
    terms.substitute(term, &mut |v| values.get(&v).copied())
}

/// An atom, and whether it holds.
#[derive(Clone, Copy, Debug)]
pub struct Literal {
    pub atom: Term,
    pub holds: bool,
}

/// Literals without choices that decide the formula as the model does: as long as they keep their truth,
/// so does the formula.
fn cube(terms: &mut Terms, formula: Term, model: &Model) -> Vec<Literal> {
    let nodes = terms.reachable(&[formula]);
    let values = Code::compile(terms, &nodes).run(&mut |v| Some(model.value(terms, v)));
    let values: FxHashMap<Term, Value> =
        nodes.into_iter().zip(values.unwrap_or_default()).collect();
    let holds = |t: Term| values.get(&t).is_some_and(Value::is_true);

    let mut literals = Vec::new();
    let mut seen = FxHashSet::default();
    let mut stack = vec![formula];
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        let args = terms.args(term);
        let of_bools = args.first().is_some_and(|&a| *terms.sort(a) == Sort::Bool);
        match (terms.op(term), args) {
            // One argument suffices to make a conjunction false, and a disjunction true.
            (Op::And, _) if !holds(term) => stack.extend(args.iter().find(|&&a| !holds(a))),
            (Op::Or, _) if holds(term) => stack.extend(args.iter().find(|&&a| holds(a))),
            (Op::And | Op::Or | Op::Not, _) => stack.extend_from_slice(args),
            (Op::Eq, _) if of_bools => stack.extend_from_slice(args),
            (Op::Ite, &[c, a, b]) => stack.extend([c, if holds(c) { a } else { b }]),
            (Op::Const(_), _) => {}
            _ => {
                let atom = without_choices(terms, term, &holds, &mut stack);
                literals.push(Literal { atom, holds: holds(term) });
            }
        }
    }
    literals.sort_unstable_by_key(|l| l.atom);
    literals
}

/// The term with each choice replaced by what is chosen; the conditions are left to the caller.
fn without_choices(
    terms: &mut Terms,
    term: Term,
    holds: &dyn Fn(Term) -> bool,
    conditions: &mut Vec<Term>,
) -> Term {
    let chosen = |terms: &Terms, t: Term| match (terms.op(t), terms.args(t)) {
        (Op::Ite, &[c, a, b]) => Some((c, if holds(c) { a } else { b })),
        _ => None,
    };
    let mut needed = Vec::new();
    let mut seen = FxHashSet::default();
    let mut stack = vec![term];
    while let Some(t) = stack.pop() {
        if !seen.insert(t) {
            continue;
        }
        needed.push(t);
        match chosen(terms, t) {
            Some((condition, branch)) => {
                conditions.push(condition);
                stack.push(branch);
            }
            None => stack.extend_from_slice(terms.args(t)),
        }
    }
    needed.sort_unstable();
    let mut done: FxHashMap<Term, Term> = FxHashMap::default();
    for t in needed {
        let new = match chosen(terms, t) {
            Some((_, branch)) => done[&branch],
            None => {
                let args: Vec<Term> = terms.args(t).iter().map(|a| done[a]).collect();
                if args == terms.args(t) {
                    t
                } else {
                    let sort = terms.sort(t).clone();
                    terms.make(terms.op(t), &sort, &args)
                }
            }
        };
        done.insert(t, new);
    }
    done[&term]
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::Z3;
    use crate::testing::{Random, read};

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum Expected {
        Holds,
        Fails,
    }

    fn decide(t: &mut Terms, constraint: Term, universals: &[Term], body: Term) -> Verdict {
        let mut solvers = 0;
        let mut make = || {
            solvers += 1;
            Box::new(Z3::new(Duration::from_secs(10))) as Box<dyn Solver>
        };
        let verdict = exists_forall(&mut make, t, constraint, universals, body, &[], 64);
        // Each player has one solver; a third would mean that the game was given up.
        assert!(solvers <= 2, "∀ {}", term::to_smtlib(t, body));
        verdict
    }

    /// `∃ v, w ∀ h, k`: sort of the variables, constraint, body, answer.
    const TABLE: &[(&str, &str, &str, Expected)] = &[
        ("Int", "true", "(> v h)", Expected::Fails),
        ("Int", "true", "(or (> v h) (> h 100))", Expected::Holds),
        ("Int", "true", "(=> (and (<= 0 h) (<= h 9)) (<= v (- 50 (* 9 h))))", Expected::Holds),
        ("Int", "(> v -31)", "(=> (and (<= 0 h) (<= h 9)) (<= v (- 50 (* 9 h))))", Expected::Fails),
        ("Int", "(> v -32)", "(=> (and (<= 0 h) (<= h 9)) (<= v (- 50 (* 9 h))))", Expected::Holds),
        ("Int", "true", "(=> (<= 0 h w) (<= (+ v (* 1000 h)) (* 7 k)))", Expected::Holds),
        ("Int", "(>= w 0)", "(=> (<= 0 h w) (<= (+ v (* 1000 h)) (* 7 k)))", Expected::Fails),
        ("Int", "true", "(=> (<= w h (+ w 1000000)) (< (+ h v) k (+ h v 2)))", Expected::Fails),
        ("Int", "true", "(not (= (* 2 h) v))", Expected::Holds),
        ("Int", "true", "(not (= (+ (* 2 h) (* 3 k)) v))", Expected::Fails),
        ("Int", "true", "(not (= (+ (* 4 h) (* 6 k)) v))", Expected::Holds),
        ("Int", "(and (< 0 v) (< v 7))", "(= (mod (+ h v) 7) (mod h 7))", Expected::Fails),
        ("Int", "(and (< 0 v) (< v 8))", "(= (mod (+ h v) 7) (mod h 7))", Expected::Holds),
        ("Int", "true", "(=> (= (mod h 3) 1) (not (<= v h (+ v 1))))", Expected::Holds),
        ("Int", "true", "(=> (= (mod h 3) 1) (not (<= v h (+ v 2))))", Expected::Fails),
        ("Int", "true", "(not (= (* h h) v))", Expected::Holds),
        ("Int", "true", "(>= (ite (<= h v) (- v h) (- h v)) w)", Expected::Holds),
        ("Int", "(> w 0)", "(>= (ite (<= h v) (- v h) (- h v)) w)", Expected::Fails),
        (
            "Int",
            "true",
            "(=> (< (* 3 h) (* 5 k)) (< (* 3 (+ h v)) (* 5 (+ k w))))",
            Expected::Holds,
        ),
        ("Real", "true", "(> v h)", Expected::Fails),
        ("Real", "true", "(=> (and (< 0 h) (< h w)) (< v h))", Expected::Holds),
        ("Real", "(and (> v 0) (> w 0))", "(=> (and (< 0 h) (< h w)) (< v h))", Expected::Fails),
        ("Real", "(< 0 v 1)", "(=> (< h 1) (< h v))", Expected::Fails),
        ("Real", "(< 0 v 2)", "(=> (< h 1) (< h v))", Expected::Holds),
        ("Real", "(< v w)", "(not (< v h w))", Expected::Fails),
        ("Real", "true", "(not (= (* 2 h) v))", Expected::Fails),
        ("Bool", "true", "(= v h)", Expected::Fails),
        ("Bool", "true", "(= (= v h) (= h (= v k) k))", Expected::Fails),
        ("Bool", "true", "(or (= v h) (= w h))", Expected::Holds),
        ("(_ BitVec 32)", "true", "(not (bvult h v))", Expected::Holds),
        ("(_ BitVec 32)", "(bvult 5 v)", "(not (bvult h v))", Expected::Fails),
        ("(_ BitVec 32)", "true", "(bvult v h)", Expected::Fails),
        ("(_ BitVec 32)", "true", "(not (= (+ (* 3 h) 1) v))", Expected::Fails),
        ("(_ BitVec 32)", "true", "(not (= (* 6 h) v))", Expected::Holds),
        ("(_ BitVec 64)", "true", "(not (= (bvxor (bvnot h) w) v))", Expected::Fails),
        ("(_ BitVec 64)", "true", "(= (bvand h v) h)", Expected::Holds),
        ("(Array Int Int)", "true", "(not (= h v))", Expected::Fails),
        ("(Array Int Int)", "true", "(= (select v 0) (+ (select v 1) 1))", Expected::Holds),
        ("(Array Int Int)", "true", "(=> (= h v) (= (select h 3) 7))", Expected::Holds),
    ];

    #[test]
    fn the_table() {
        for (sort, constraint, body, expected) in TABLE {
            let mut t = Terms::new();
            let constraint_term = read(&mut t, sort, constraint);
            let body_term = read(&mut t, sort, body);
            let sort = crate::testing::sort(sort);
            let universals = [t.var("h", &sort), t.var("k", &sort)];
            let start = std::time::Instant::now();
            let verdict = decide(&mut t, constraint_term, &universals, body_term);
            let found = match &verdict {
                Verdict::Holds(model) => {
                    assert!(model.evaluate(&t, constraint_term).is_true(), "{body}");
                    Expected::Holds
                }
                Verdict::Fails => Expected::Fails,
                Verdict::Unknown(reason) => panic!("∃ {constraint} ∀ {body}: {reason:?}"),
            };
            assert_eq!(found, *expected, "∃ {constraint} ∀ {body}: {verdict:?}");
            assert!(start.elapsed() < Duration::from_secs(3), "slow: ∃ {constraint} ∀ {body}");
        }
    }

    #[test]
    fn a_universal_may_have_the_name_of_a_free_variable() {
        let mut t = Terms::new();
        let h = t.var("h", &Sort::Int);
        let constraint = read(&mut t, "Int", "(= h 3)");
        let body = read(&mut t, "Int", "(=> (> h 5) (> h v))");
        match decide(&mut t, constraint, &[h], body) {
            Verdict::Holds(model) => assert_eq!(model.value(&t, h), Value::int(3)),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn without_rounds_the_solver_is_asked() {
        for (body, holds) in [("(or (> v h) (> h 100))", true), ("(> v h)", false)] {
            let mut t = Terms::new();
            let h = t.var("h", &Sort::Int);
            let yes = t.bool(true);
            let body = read(&mut t, "Int", body);
            let mut make = || Box::new(Z3::new(Duration::from_secs(10))) as Box<dyn Solver>;
            let verdict = exists_forall(&mut make, &mut t, yes, &[h], body, &[], 0);
            assert_eq!(matches!(verdict, Verdict::Holds(_)), holds, "{verdict:?}");
            assert_eq!(verdict == Verdict::Fails, !holds, "{verdict:?}");
        }
    }

    #[test]
    fn without_universals_it_is_one_question() {
        let mut t = Terms::new();
        let h = t.var("h", &Sort::Int);
        let yes = t.bool(true);
        let body = read(&mut t, "Int", "(= v 3)");
        assert!(matches!(decide(&mut t, yes, &[h], body), Verdict::Holds(_)));
        let no = t.bool(false);
        assert_eq!(decide(&mut t, yes, &[h], no), Verdict::Fails);
    }

    #[test]
    fn random_bit_vector_formulas_against_enumeration() {
        against_enumeration(&Sort::BitVec(3), 1500);
    }

    #[test]
    fn random_integer_formulas_against_enumeration() {
        against_enumeration(&Sort::Int, 1500);
    }

    /// Random formulas over two free and two universal variables of three bits (or integers between 0
    /// and 7), compared with enumeration.
    fn against_enumeration(sort: &Sort, rounds: u32) {
        let mut random = Random::new(1);
        let mut holds = 0;
        for round in 0..rounds {
            let mut t = Terms::new();
            let vars = ["v", "w", "h", "k"].map(|name| t.var(name, sort));
            let mut constraint = random.formula(&mut t, &vars[..2], 2);
            let mut body = random.formula(&mut t, &vars, 3);
            if *sort == Sort::Int {
                let (zero, seven) = (t.constant(&Value::int(0)), t.constant(&Value::int(7)));
                let ranges = vars.map(|v| [t.le(zero, v), t.le(v, seven)]).concat();
                constraint = t.and(&[&[constraint], &ranges[..4]].concat());
                let guard = t.and(&ranges[4..]);
                let outside = t.not(guard);
                body = t.or(&[outside, body]);
            }
            let code = Code::compile(&t, &[constraint, body]);
            let value = |n: usize| Value::number(sort, &(n as i32).into());
            let run = |at: [usize; 4]| {
                let of = |term: Term| vars.iter().position(|v| *v == term).map(|i| value(at[i]));
                code.run(&mut { of }).unwrap()
            };
            let expected = (0..64).any(|x| {
                (0..64).all(|u| run([x / 8, x % 8, u / 8, u % 8]).iter().all(Value::is_true))
            });
            holds += u32::from(expected);
            let verdict = decide(&mut t, constraint, &vars[2..], body);
            match (&verdict, expected) {
                (Verdict::Fails, false) => {}
                (Verdict::Holds(model), true) => {
                    let of = |v: Term| match model.value(&t, v) {
                        Value::Int(i) => usize::try_from(i).unwrap(),
                        Value::BitVec(b) => b.unsigned() as usize,
                        other => panic!("{other}"),
                    };
                    let (v, w) = (of(vars[0]), of(vars[1]));
                    let all = (0..64).all(|u| run([v, w, u / 8, u % 8]).iter().all(Value::is_true));
                    assert!(all, "round {round}");
                }
                _ => panic!(
                    "round {round}: {verdict:?}, expected {expected}\n{}",
                    term::to_smtlib(&t, body)
                ),
            }
        }
        assert!((rounds / 8..rounds / 8 * 7).contains(&holds), "{holds}");
    }
}
