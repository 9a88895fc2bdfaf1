//! Small expressions where a value is wanted: the smallest first, and of those that are equal in all states that were seen, one.

use program::syntax::{Kind as Node, Meaning, NodeId, Role};
use rustc_hash::FxHashSet;

use super::levels::{ADD, ATOM, MULTIPLY, PREFIX, of_operator};
use super::pools::is_comparison;
use super::{Dialect, Generator, Given, Ranked};
use crate::kinds::Kind;
use crate::observe::{Observed, Place, States};

/// So many variables and constants are put together, and so many expressions are tried at a place.
const MOST_NAMES: usize = 9;
const MOST_CONSTANTS: usize = 5;
const MOST_ARRAYS: usize = 3;
const MOST_EXPRESSIONS: usize = 160;

/// An expression that may be meant.
struct Candidate {
    text: String,
    level: u8,
    /// Its value in each state, if that is known.
    values: Option<Vec<i64>>,
    /// How far-fetched it is.
    odd: u32,
}

/// Where it has to be known which numbers there are.
pub fn places(given: &Given<'_>) -> Vec<Place> {
    let generator = Generator::new(given);
    let mut found: Vec<Place> = Vec::new();
    for slot in generator.slots() {
        let Some(statement) = generator.observed_at(slot) else { continue };
        if found.iter().any(|it| it.statement == statement) {
            continue;
        }
        let names = generator.numbers(statement);
        found.push(Place { statement, in_block: generator.is_in_block(statement), names });
    }
    found
}

/// Edits that write other expressions where a value is wanted.
pub fn synthesised(given: &Given<'_>, observed: &Observed) -> Vec<Ranked> {
    if given.dialect != Dialect::C {
        return Vec::new();
    }
    let mut generator = Generator::new(given);
    for slot in generator.slots() {
        generator.expressions_at(slot, observed);
    }
    super::ordered(generator.found, given)
}

impl Generator<'_> {
    /// Where a number is wanted, and the failing runs have been.
    fn slots(&self) -> Vec<NodeId> {
        let is_slot = |id: &NodeId| {
            let (Some(parent), Some(role)) = (self.syntax.parent(*id), self.syntax.role(*id))
            else {
                return false;
            };
            let is_wanted = match (self.syntax.kind(parent), role) {
                (Node::Assign, Role::Right) | (Node::Declarator, Role::Initial) => true,
                (Node::Binary, Role::Left | Role::Right) => {
                    is_comparison(self.syntax.operator(parent))
                }
                (Node::Call, Role::Argument) | (Node::Index, Role::Index) => true,
                (Node::Return, Role::Operand) => true,
                _ => false,
            };
            let kind = self.syntax.kind(*id);
            let is_value = kind.is_expression() && self.syntax.node(*id).ty.is_integer();
            let is_condition = kind == Node::Binary && is_comparison(self.syntax.operator(*id))
                || matches!(self.syntax.operator(*id), "&&" | "||" | "!");
            is_wanted
                && is_value
                && !is_condition
                && kind != Node::Character
                && self.syntax.is_pure(*id)
                && self.syntax.function(*id).is_some()
                && !self.is_left_alone(*id)
                && (self.given.is_executed)(self.syntax.range(*id))
        };
        self.syntax.ids().filter(is_slot).collect()
    }

    /// The statement before which the numbers are those that there are in a slot: what is done again and again has others.
    fn observed_at(&self, slot: NodeId) -> Option<NodeId> {
        let statement = self.syntax.statement(slot)?;
        let kind = self.syntax.kind(statement);
        let is_plain = matches!(kind, Node::Evaluate | Node::Return | Node::If | Node::Declare);
        let is_readable = kind != Node::Declare || self.is_in_block(statement);
        (is_plain && is_readable).then_some(statement)
    }

    /// The integers that can be read before a statement, those first that it mentions.
    fn numbers(&self, statement: NodeId) -> Vec<String> {
        let at = self.syntax.range(statement).start;
        let mentioned = self.names_in(statement);
        let values = self.values_at(at).into_iter();
        let mut names: Vec<String> = values
            .filter(|it| it.ty.is_integer() && it.meaning != Meaning::Constant)
            .map(|it| it.name)
            .collect();
        names.sort_by_key(|it| !mentioned.contains(it));
        names
    }

    fn expressions_at(&mut self, slot: NodeId, observed: &Observed) {
        let Some(statement) = self.syntax.statement(slot) else { return };
        let known = self.observed_at(slot);
        let states = known.and_then(|it| observed.before(self.syntax.range(it)));
        let own = self.value_of(slot, states);
        let leaves = self.leaves(statement, states);
        let mut seen: FxHashSet<Vec<i64>> = own.iter().cloned().collect();
        let mut candidates = Vec::new();
        self.elements_of(slot, statement, &leaves, &mut candidates);
        for leaf in &leaves {
            candidates.push(Candidate { odd: leaf.odd, ..leaf.copy() });
        }
        let whole = Candidate {
            text: self.text(slot).to_owned(),
            level: self.level(slot),
            values: own,
            odd: 0,
        };
        for leaf in &leaves {
            for operator in ["+", "-", "*", "/", "%"] {
                candidates.extend(joined(&whole, operator, leaf));
                if matches!(operator, "-" | "/" | "%") {
                    candidates.extend(joined(leaf, operator, &whole));
                }
            }
        }
        for (number, left) in leaves.iter().enumerate() {
            for (other, right) in leaves.iter().enumerate() {
                for operator in ["+", "-", "*", "/", "%"] {
                    let is_twice = matches!(operator, "+" | "*") && other < number;
                    if !is_twice && other != number {
                        candidates.extend(joined(left, operator, right));
                    }
                }
            }
        }
        candidates.sort_by_key(|it| it.odd);
        candidates.retain(|it| it.values.as_ref().is_none_or(|values| seen.insert(values.clone())));
        candidates.truncate(MOST_EXPRESSIONS);
        for it in candidates {
            self.replace_less(Kind::Expression, slot, &it.text, it.level, it.odd);
        }
    }

    /// Variables and constants.
    fn leaves(&self, statement: NodeId, states: Option<&States>) -> Vec<Candidate> {
        let mut found = Vec::new();
        for (number, name) in self.numbers(statement).into_iter().take(MOST_NAMES).enumerate() {
            let column = |states: &States| {
                let at = states.names.iter().position(|it| *it == name)?;
                Some(states.values.iter().map(|it| it[at]).collect())
            };
            let values = states.and_then(column);
            found.push(Candidate { text: name, level: ATOM, values, odd: number as u32 / 2 });
        }
        let own = ["1", "2"].map(str::to_owned).into_iter();
        let others =
            self.pools.integers.iter().filter(|it| !matches!(it.as_str(), "0" | "1" | "2"));
        for (number, text) in own.chain(others.cloned()).take(MOST_CONSTANTS).enumerate() {
            let Ok(value) = text.parse::<i64>() else { continue };
            let values = states.map(|states| vec![value; states.values.len()]);
            found.push(Candidate { text, level: ATOM, values, odd: 1 + number as u32 });
        }
        let at = self.syntax.range(statement).start;
        let macros = self.values_at(at).into_iter();
        let macros = macros.filter(|it| it.ty.is_integer() && it.meaning == Meaning::Constant);
        found.extend(macros.take(2).map(|it| Candidate {
            text: it.name,
            level: ATOM,
            values: None,
            odd: 3,
        }));
        found
    }

    /// Elements of arrays that the function reads.
    fn elements_of(
        &self,
        slot: NodeId,
        statement: NodeId,
        leaves: &[Candidate],
        found: &mut Vec<Candidate>,
    ) {
        let mut arrays: Vec<&str> = Vec::new();
        for &(element, of) in &self.pools.elements {
            let base = self.syntax.child(element, Role::Base);
            let Some(base) = base.filter(|it| self.syntax.kind(*it) == Node::Name) else {
                continue;
            };
            let text = self.text(base);
            if of == self.syntax.function(statement)
                && self.syntax.node(element).ty.is_integer()
                && self.is_known_at(base, self.syntax.range(statement).start)
                && !arrays.contains(&text)
            {
                arrays.push(text);
            }
        }
        for (number, array) in arrays.into_iter().take(MOST_ARRAYS).enumerate() {
            for leaf in leaves.iter().take(MOST_NAMES) {
                let text = format!("{array}[{}]", leaf.text);
                if text != self.text(slot) {
                    let odd = leaf.odd + number as u32 + 1;
                    found.push(Candidate { text, level: ATOM, values: None, odd });
                }
            }
        }
    }

    /// What an expression is in each state, if that can be computed from the numbers.
    fn value_of(&self, id: NodeId, states: Option<&States>) -> Option<Vec<i64>> {
        let states = states?;
        let part =
            |role| self.syntax.child(id, role).and_then(|it| self.value_of(it, Some(states)));
        match self.syntax.kind(id) {
            Node::Name => {
                let at = states.names.iter().position(|it| it == self.text(id))?;
                Some(states.values.iter().map(|it| it[at]).collect())
            }
            Node::Integer => {
                let value = self.text(id).parse().ok()?;
                Some(vec![value; states.values.len()])
            }
            Node::Parenthesised => part(Role::Operand),
            Node::Binary => {
                let (left, right) = (part(Role::Left)?, part(Role::Right)?);
                computed(&left, self.syntax.operator(id), &right)
            }
            _ => None,
        }
    }
}

impl Candidate {
    fn copy(&self) -> Candidate {
        let Candidate { ref text, level, ref values, odd } = *self;
        Candidate { text: text.clone(), level, values: values.clone(), odd }
    }

    fn operand(&self, least: u8) -> String {
        match self.level < least {
            true => format!("({})", self.text),
            false => self.text.clone(),
        }
    }
}

/// Two expressions with an operator between them. None if it fails in a state that was seen, or says nothing new.
fn joined(left: &Candidate, operator: &str, right: &Candidate) -> Option<Candidate> {
    let level = of_operator(operator);
    let is_neutral = |it: &str| match operator {
        "*" | "/" | "%" => it == "1",
        _ => it == "0",
    };
    if is_neutral(&right.text) || operator == "*" && is_neutral(&left.text) {
        return None;
    }
    if [left, right].iter().all(|it| it.text.starts_with(|c: char| c.is_ascii_digit())) {
        return None;
    }
    let values = match (&left.values, &right.values) {
        (Some(left), Some(right)) => Some(computed(left, operator, right)?),
        _ => None,
    };
    let least = if level == ADD { ADD } else { MULTIPLY };
    let text =
        format!("{} {operator} {}", left.operand(least), right.operand(least.max(level) + 1));
    let odd = left.odd + right.odd + 1 + u32::from(matches!(operator, "*" | "/" | "%"));
    Some(Candidate { text, level: level.min(PREFIX), values, odd })
}

fn computed(left: &[i64], operator: &str, right: &[i64]) -> Option<Vec<i64>> {
    let one = |(a, b): (&i64, &i64)| match operator {
        "+" => a.checked_add(*b),
        "-" => a.checked_sub(*b),
        "*" => a.checked_mul(*b),
        "/" => a.checked_div(*b),
        "%" => a.checked_rem(*b),
        _ => None,
    };
    left.iter().zip(right).map(one).collect()
}
