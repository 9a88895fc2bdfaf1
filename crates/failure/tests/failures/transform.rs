//! Transformers against the enumeration of all states over two 2-bit numbers, a flag and a map of bits.

use std::collections::BTreeSet;

use failure::transform::{Predicate, formula, pre, sp, update, wp};
use failure::{Action, Frame, Part, Step, Trace};
use program::{Place, ProcedureId, SiteId};
use rustc_hash::FxHashMap;
use term::{Op, Sort, Term, Terms, Value};

use crate::domain::{Formula, assignments, canonical, count};
use crate::random::Random;

type State = Vec<Value>;

/// The variables and all their states.
struct World {
    terms: Terms,
    variables: Vec<Term>,
    states: Vec<State>,
}

impl World {
    fn new() -> World {
        let mut terms = Terms::new();
        let map = Sort::array(Sort::Bool, Sort::BitVec(1));
        let sorts = [Sort::BitVec(2), Sort::BitVec(2), Sort::Bool, map];
        let names = ["x", "y", "b", "m"].iter().zip(&sorts);
        let variables: Vec<Term> = names.map(|(name, sort)| terms.var(name, sort)).collect();
        let states = assignments(&terms, &variables);
        World { terms, variables, states }
    }

    fn number(&mut self, random: &mut Random, depth: usize) -> Term {
        match random.below(if depth == 0 { 4 } else { 8 }) {
            0 => self.terms.constant(&Value::bitvec(2, random.below(4) as u128)),
            1..=3 => self.variables[random.below(2)],
            4 => {
                let bit = self.bit(random, depth - 1);
                self.terms.zero_extend(bit, 2)
            }
            5 => {
                let condition = self.condition(random, depth - 1);
                let (a, b) = (self.number(random, depth - 1), self.number(random, depth - 1));
                self.terms.ite(condition, a, b)
            }
            6 => {
                let (a, b) = (self.number(random, depth - 1), self.number(random, depth - 1));
                self.terms.bit_operation(Op::BvXor, a, b)
            }
            _ => {
                let (a, b) = (self.number(random, depth - 1), self.number(random, depth - 1));
                self.terms.add(&[a, b])
            }
        }
    }

    fn bit(&mut self, random: &mut Random, depth: usize) -> Term {
        match random.below(3) {
            0 => {
                let number = self.number(random, depth);
                self.terms.extract(number, random.below(2) as u32, 1)
            }
            _ => {
                let index = self.condition(random, depth);
                self.terms.select(self.variables[3], index)
            }
        }
    }

    fn condition(&mut self, random: &mut Random, depth: usize) -> Term {
        match random.below(if depth == 0 { 4 } else { 7 }) {
            0 | 1 => self.variables[2],
            2 => {
                let (a, b) = (self.number(random, depth), self.number(random, 0));
                self.terms.eq(a, b)
            }
            3 => {
                let (a, b) = (self.number(random, depth), self.number(random, 0));
                self.terms.bv_ult(a, b)
            }
            4 => {
                let (a, one) = (self.bit(random, depth), Value::bitvec(1, 1));
                let one = self.terms.constant(&one);
                self.terms.eq(a, one)
            }
            5 => {
                let a = self.condition(random, depth - 1);
                self.terms.not(a)
            }
            _ => {
                let (a, b) = (self.condition(random, depth - 1), self.condition(random, depth - 1));
                if random.one_in(2) { self.terms.and(&[a, b]) } else { self.terms.or(&[a, b]) }
            }
        }
    }

    /// A random action: conditions, assignments and havocs of variables and of cells.
    fn action(&mut self, random: &mut Random) -> Action {
        if random.one_in(4) {
            return Action::Assume { condition: self.condition(random, 2) };
        }
        let variable = self.variables[random.below(4)];
        let mut place = Place::variable(variable);
        if variable == self.variables[3] && !random.one_in(4) {
            place.indices.push(self.condition(random, 1));
        }
        if random.one_in(3) {
            return Action::Havoc { place };
        }
        let value = match place.sort(&self.terms) {
            Sort::Bool => self.condition(random, 2),
            Sort::BitVec(1) => self.bit(random, 1),
            Sort::BitVec(_) => self.number(random, 2),
            _ => {
                let (index, element) = (self.condition(random, 1), self.bit(random, 1));
                self.terms.store(variable, index, element)
            }
        };
        Action::Assign { place, value }
    }

    /// The states after an action, by its definition.
    fn successors(&self, state: &State, action: &Action) -> Vec<State> {
        let place_of = |v: Term| self.variables.iter().position(|&w| w == v).unwrap();
        let value = |term| {
            term::evaluate(&self.terms, term, &mut |v| Some(state[place_of(v)].clone())).unwrap()
        };
        let place = match action {
            Action::Assume { condition } => {
                return if value(*condition).is_true() { vec![state.clone()] } else { Vec::new() };
            }
            Action::Assign { place, .. } | Action::Havoc { place } => place,
        };
        let elements = match action {
            Action::Assign { value: element, .. } => vec![value(*element)],
            _ => crate::domain::values(&place.sort(&self.terms)),
        };
        let at = place_of(place.variable);
        let write = |element: Value| {
            let mut next = state.clone();
            next[at] = canonical(match (&state[at], &place.indices[..]) {
                (Value::Array(map), [index]) => {
                    let mut map = (**map).clone();
                    map.set(value(*index), element);
                    Value::Array(map.into())
                }
                _ => element,
            });
            next
        };
        elements.into_iter().map(write).collect()
    }

    /// The states in which executions of the actions from this one end.
    fn ends(&self, start: &State, actions: &[&Action]) -> BTreeSet<State> {
        let mut states = BTreeSet::from([start.clone()]);
        for action in actions {
            states = states.iter().flat_map(|s| self.successors(s, action)).collect();
        }
        states
    }

    /// The states for which the formula holds for some or for all values of the bound variables.
    /// None if there are too many of them.
    fn members(&self, predicate: &Predicate, quantifier: Quantifier) -> Option<BTreeSet<State>> {
        let bound: Vec<Term> = predicate.bound.clone();
        let mentioned = self.terms.variables_of(&[predicate.formula]);
        assert!(mentioned.iter().all(|v| bound.contains(v) || self.variables.contains(v)));
        let bound: Vec<Term> = bound.into_iter().filter(|v| mentioned.contains(v)).collect();
        if count(&self.terms, &bound) > 1500 {
            return None;
        }
        let mut formula =
            Formula::new(&self.terms, predicate.formula, &[&self.variables[..], &bound].concat());
        let bound = assignments(&self.terms, &bound);
        let mut holds = |state: &State, bound: &State| {
            formula.holds(&state.iter().chain(bound).collect::<Vec<&Value>>())
        };
        let member = |state: &&State| match quantifier {
            Quantifier::Some => bound.iter().any(|bound| holds(state, bound)),
            Quantifier::All => bound.iter().all(|bound| holds(state, bound)),
        };
        Some(self.states.iter().filter(member).cloned().collect())
    }
}

#[derive(Clone, Copy)]
enum Quantifier {
    Some,
    All,
}

#[test]
fn transformers_agree_with_enumeration() {
    let mut compared = [0; 3];
    for seed in 0..350 {
        let mut random = Random::new(seed);
        let mut world = World::new();
        // Single actions first, then short traces.
        let length = if seed < 150 { 1 } else { 1 + random.below(4) };
        let actions: Vec<Action> = (0..length).map(|_| world.action(&mut random)).collect();
        let actions: Vec<&Action> = actions.iter().collect();
        let set = Predicate::new(world.condition(&mut random, 2));
        let inside = world.members(&set, Quantifier::All).unwrap();

        let backward = pre(&mut world.terms, set.clone(), &actions);
        let weakest = wp(&mut world.terms, set.clone(), &actions);
        let forward = sp(&mut world.terms, set.clone(), &actions);
        let ends: Vec<(&State, BTreeSet<State>)> =
            world.states.iter().map(|s| (s, world.ends(s, &actions))).collect();
        if let Some(found) = world.members(&backward, Quantifier::Some) {
            let some = ends.iter().filter(|(_, ends)| !ends.is_disjoint(&inside));
            assert_eq!(found, some.map(|(s, _)| (*s).clone()).collect(), "pre, seed {seed}");
            compared[0] += 1;
        }
        if let Some(found) = world.members(&weakest, Quantifier::All) {
            let all = ends.iter().filter(|(_, ends)| ends.is_subset(&inside));
            assert_eq!(found, all.map(|(s, _)| (*s).clone()).collect(), "wp, seed {seed}");
            compared[1] += 1;
        }
        if let Some(found) = world.members(&forward, Quantifier::Some) {
            let reached = ends.iter().filter(|(s, _)| inside.contains(*s));
            let reached: BTreeSet<State> = reached.flat_map(|(_, e)| e.iter().cloned()).collect();
            assert_eq!(found, reached, "sp, seed {seed}");
            compared[2] += 1;
        }
    }
    assert!(compared[0] > 340 && compared[1] > 340 && compared[2] > 280, "{compared:?}");
}

#[test]
fn what_is_quantified() {
    let mut world = World::new();
    let [x, y, ..] = world.variables[..] else { panic!("there are four") };
    let equal = world.terms.eq(x, y);
    let swap = |place: Term, value: Term| Action::Assign { place: Place::variable(place), value };
    // x := y makes the numbers equal, whatever they were.
    let assigned = wp(&mut world.terms, Predicate::new(equal), &[&swap(x, y)]);
    assert!(world.terms.is_true(assigned.formula) && assigned.bound.is_empty());
    // A bound variable of the predicate stays bound, and no two of them are one.
    let havoc = Action::Havoc { place: Place::variable(x) };
    let twice = pre(&mut world.terms, Predicate::new(equal), &[&havoc, &havoc]);
    assert_eq!(twice.bound.len(), 2);
    assert_ne!(twice.bound[0], twice.bound[1]);
    let both = sp(&mut world.terms, twice, &[&havoc, &swap(y, x)]);
    assert_eq!(both.bound.iter().collect::<BTreeSet<_>>().len(), 2 + 2 + 1);
    // A condition updates nothing.
    assert!(update(&mut world.terms, &Action::Assume { condition: equal }).is_none());
    assert!(update(&mut world.terms, &swap(x, y)).is_some_and(|u| u.any.is_none()));
    assert!(update(&mut world.terms, &havoc).is_some_and(|u| u.any == Some(u.value)));
}

/// All executions: the first state, then the variables as they are after the steps that assign them.
fn executions(world: &World, actions: &[Action]) -> BTreeSet<Vec<Value>> {
    let mut runs: Vec<(State, Vec<Value>)> =
        world.states.iter().map(|state| (state.clone(), state.clone())).collect();
    for action in actions {
        let assigned = action.place().map(|place| place.variable);
        let at = world.variables.iter().position(|&v| Some(v) == assigned);
        let on = |(state, values): &(State, Vec<Value>)| -> Vec<(State, Vec<Value>)> {
            let next = world.successors(state, action).into_iter();
            next.map(|s| {
                let new = at.map(|at| s[at].clone());
                (s, values.iter().cloned().chain(new).collect())
            })
            .collect()
        };
        runs = runs.iter().flat_map(on).collect();
    }
    runs.into_iter().map(|(_, values)| values).collect()
}

#[test]
fn the_models_of_the_formula_are_the_executions() {
    let mut compared = 0;
    for seed in 0..250 {
        let mut random = Random::new(seed + 10_000);
        let mut world = World::new();
        let actions: Vec<Action> =
            (0..2 + random.below(3)).map(|_| world.action(&mut random)).collect();
        let step = |action: &Action| {
            Step::plain(0, SiteId(0), Frame::default(), Part::Whole, action.clone())
        };
        let mut trace =
            Trace::new(world.terms.clone(), ProcedureId(0), Vec::new(), Default::default());
        trace.steps = actions.iter().map(step).collect();
        // Sometimes only a part of the trace, from copies of some variables.
        let begin = random.below(2);
        let mut start = FxHashMap::default();
        let mut first = world.variables.clone();
        for variable in &mut first {
            if random.one_in(3) {
                let sort = world.terms.sort(*variable).clone();
                let copy = world.terms.fresh("copy", &sort);
                start.insert(*variable, copy);
                *variable = copy;
            }
        }
        let range = begin..actions.len();
        let formula = formula(&mut world.terms, &trace, range, &start);
        assert_eq!(formula.constraints.len(), actions.len() - begin);
        assert_eq!(formula.after.len(), actions.len() - begin);
        let copies: Vec<Term> = formula.after.iter().flatten().copied().collect();
        for (&variable, current) in world.variables.iter().zip(&first) {
            let writes =
                |(_, a): &(usize, &Action)| a.place().is_some_and(|p| p.variable == variable);
            let last = actions[begin..].iter().enumerate().rfind(writes);
            let expected = last.map_or(*current, |(at, _)| formula.after[at].unwrap());
            assert_eq!(formula.last.get(&variable).copied().unwrap_or(variable), expected);
        }
        let all = world.terms.and(&formula.constraints);
        let mut open: Vec<Term> = world.terms.variables_of(&[all]);
        open.retain(|v| !first.contains(v) && !copies.contains(v));
        let variables = [&first[..], &copies, &open].concat();
        if count(&world.terms, &variables) > 70_000 {
            continue;
        }
        compared += 1;
        let shown = first.len() + copies.len();
        let mut holds = Formula::new(&world.terms, all, &variables);
        let models: BTreeSet<Vec<Value>> = assignments(&world.terms, &variables)
            .into_iter()
            .filter(|values| holds.holds(&values.iter().collect::<Vec<&Value>>()))
            .map(|values| values[..shown].to_vec())
            .collect();
        assert_eq!(models, executions(&world, &actions[begin..]), "seed {seed}");
    }
    assert!(compared > 80, "{compared}");
}
