//! What a program without memory is run with: what its environment answers.
//!
//! Such a program asks for the values that variables begin with, for those of its `havoc`s, and for the way where several
//! are possible. Variables are known by their names, because an edited program is another one; the others are answered in the order in
//! which they are asked.

use std::collections::BTreeMap;
use std::sync::Arc;

use program::interpret::{Machine, Oracle, Prepared};
use program::{EdgeId, ProcedureId, Program};
use rustc_hash::FxHashMap;
use term::number::IBig;
use term::{ArrayValue, Sort, Term, Value};

/// What variables may begin with, where it should make no difference.
const UNSET: [i64; 4] = [1, -1, 1_000_003, -1_000_003];

/// The answers of the environment.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Answers {
    pub entry: ProcedureId,
    /// The first values of variables, by the number of the activation and their names.
    pub initial: BTreeMap<(u32, String), Value>,
    /// What all others begin with: the program as written does not use them before they are assigned.
    pub unset: i64,
    pub havocs: Vec<Value>,
    /// Which of several possible edges are taken.
    pub ways: Vec<usize>,
}

impl Answers {
    /// The same, with the ways that a run takes.
    pub fn along(mut self, program: &Program, path: &[EdgeId]) -> Answers {
        let names = names(program);
        let mut ways = Vec::new();
        let mut oracle = Answering::new(&self, &names);
        let prepared = Prepared::new(program);
        let mut machine = Machine::prepared(program, &prepared, self.entry, &mut oracle);
        for &edge in path {
            let possible = machine.possible_edges();
            let Some(way) = possible.iter().position(|it| *it == edge) else { break };
            if possible.len() > 1 {
                ways.push(way);
            }
            machine.take(edge, &mut oracle);
        }
        self.ways = ways;
        self
    }

    /// What was answered, in a few words.
    pub fn says(&self) -> String {
        const MOST: usize = 60;
        let of_name = |name: &str| name.rsplit(':').next().unwrap_or(name).to_owned();
        let named = self.initial.iter().filter(|(_, value)| is_plain(value));
        let mut all: Vec<String> = named
            .map(|((_, name), value)| format!("{} = {}", of_name(name), shown(value)))
            .collect();
        let havocs = self.havocs.iter().filter(|value| is_plain(value));
        all.extend(havocs.map(|value| format!("havoc {}", shown(value))));
        if self.unset != 0 {
            all.push(format!("what is not set = {}", self.unset));
        }
        let mut text = all.join(", ");
        if let Some((cut, _)) = text.char_indices().nth(MOST) {
            text.truncate(cut);
            text.push('…');
        }
        text
    }

    /// Answers near these, first those that differ little.
    pub fn near(&self, constants: &[i64]) -> Vec<Answers> {
        let values: Vec<&Value> = self.initial.values().chain(&self.havocs).collect();
        let mut found: Vec<Answers> =
            UNSET.iter().map(|unset| Answers { unset: *unset, ..self.clone() }).collect();
        // Where there are several values, small changes of each come first.
        for is_small in [true, false] {
            for (place, value) in values.iter().enumerate() {
                let others = others(value, constants, is_small);
                found.extend(others.into_iter().map(|other| self.with(place, other)));
            }
        }
        for (place, value) in values.iter().enumerate() {
            let same = values.iter().filter(|it| it.sort() == value.sort() && is_plain(it));
            found.extend(same.map(|other| self.with(place, (*other).clone())));
        }
        // The other way, at each fork.
        for (place, way) in self.ways.iter().enumerate() {
            let mut other = self.clone();
            other.ways[place] = usize::from(*way == 0);
            found.push(other);
        }
        found
    }

    fn with(&self, place: usize, value: Value) -> Answers {
        let mut other = self.clone();
        let mut all = other.initial.values_mut().chain(&mut other.havocs);
        if let Some(own) = all.nth(place) {
            *own = value;
        }
        other
    }
}

/// Whether a value is one that people would write down.
fn is_plain(value: &Value) -> bool {
    matches!(value, Value::Bool(_) | Value::Int(_) | Value::BitVec(_))
}

fn shown(value: &Value) -> String {
    match value {
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::BitVec(bits) => bits.unsigned().to_string(),
        _ => "…".to_owned(),
    }
}

/// Values near one, or odd ones.
fn others(value: &Value, constants: &[i64], is_small: bool) -> Vec<Value> {
    let number = match value {
        Value::Bool(value) if is_small => return vec![Value::Bool(!value)],
        Value::Int(value) => value.clone(),
        Value::BitVec(bits) => IBig::from(bits.unsigned()),
        _ => return Vec::new(),
    };
    let by = |by: i64| &number + IBig::from(by);
    let numbers = match is_small {
        true => [1, -1, 10, -10].map(by).to_vec(),
        false => {
            let near =
                constants.iter().flat_map(|it| [*it, it.wrapping_add(1), it.wrapping_sub(1)]);
            let mut all: Vec<IBig> = [0, 1, 2].into_iter().chain(near).map(IBig::from).collect();
            all.push(-number.clone());
            all
        }
    };
    numbers.iter().map(|it| Value::number(&value.sort(), it)).collect()
}

/// The variables of a program by their names.
pub fn names(program: &Program) -> FxHashMap<String, Term> {
    let locals = program.procedures.iter().flat_map(|it| it.variables());
    let all = program.globals.iter().copied().chain(locals);
    all.filter_map(|it| Some((program.terms.name(it)?.to_owned(), it))).collect()
}

/// Gives the answers when they are asked for.
#[derive(Debug)]
pub struct Answering<'a> {
    answers: &'a Answers,
    initial: FxHashMap<(u32, Term), &'a Value>,
    havocs: usize,
    ways: usize,
}

impl<'a> Answering<'a> {
    pub fn new(answers: &'a Answers, names: &FxHashMap<String, Term>) -> Answering<'a> {
        let known = answers.initial.iter().filter_map(|((activation, name), value)| {
            Some(((*activation, *names.get(name)?), value))
        });
        Answering { answers, initial: known.collect(), havocs: 0, ways: 0 }
    }
}

impl Answering<'_> {
    /// An edited program may ask for something else than the one as written.
    fn fitting(&self, value: Option<&Value>, sort: &Sort) -> Value {
        match value {
            Some(value) if value.sort() == *sort => value.clone(),
            _ => everywhere(self.answers.unset, sort),
        }
    }
}

/// A number as a value of any sort: a map has it everywhere.
fn everywhere(number: i64, sort: &Sort) -> Value {
    match sort {
        Sort::Bool => Value::Bool(number != 0),
        Sort::Array(array) => {
            let element = everywhere(number, &array.element);
            Value::Array(Arc::new(ArrayValue::new(array.index.clone(), element)))
        }
        _ => Value::number(sort, &IBig::from(number)),
    }
}

impl Oracle for Answering<'_> {
    fn initial(&mut self, activation: u32, variable: Term, sort: &Sort) -> Value {
        self.fitting(self.initial.get(&(activation, variable)).copied(), sort)
    }

    fn havoc(&mut self, sort: &Sort) -> Value {
        self.havocs += 1;
        self.fitting(self.answers.havocs.get(self.havocs - 1), sort)
    }

    fn choose(&mut self, _: &[EdgeId]) -> usize {
        self.ways += 1;
        self.answers.ways.get(self.ways - 1).copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers() -> Answers {
        let initial = [
            ((0, "main:n".to_owned()), Value::int(5)),
            ((0, "main:up".to_owned()), Value::Bool(true)),
        ];
        Answers {
            entry: ProcedureId(0),
            initial: initial.into_iter().collect(),
            unset: 0,
            havocs: vec![Value::bitvec(8, 255)],
            ways: vec![0],
        }
    }

    #[test]
    fn what_is_near_differs_in_one_answer() {
        let says: Vec<String> = answers().near(&[42]).iter().map(Answers::says).collect();
        let wanted = [
            "n = 6, up = true, havoc 255",
            "n = 5, up = false, havoc 255",
            "n = 5, up = true, havoc 0",
            "n = 43, up = true, havoc 255",
            "n = 5, up = true, havoc 255, what is not set = -1",
        ];
        for wanted in wanted {
            assert!(says.iter().any(|it| it == wanted), "{wanted}: {says:#?}");
        }
        assert!(answers().near(&[]).iter().any(|it| it.ways == [1]), "the other way");
    }

    /// An edited program may ask for more than the one as written, and for something else.
    #[test]
    fn every_question_has_an_answer_of_its_sort() {
        let answers = answers();
        let mut oracle = Answering::new(&answers, &FxHashMap::default());
        assert_eq!(oracle.havoc(&Sort::Int), Value::int(0), "it is not the one that was given");
        assert_eq!(oracle.havoc(&Sort::Bool), Value::Bool(false));
        assert_eq!(oracle.choose(&[]), 0);
        let large = Answers { unset: 7, havocs: Vec::new(), ..answers };
        let mut oracle = Answering::new(&large, &FxHashMap::default());
        let sort = Sort::array(Sort::Int, Sort::Int);
        assert_eq!(oracle.havoc(&sort), everywhere(7, &sort));
    }
}
