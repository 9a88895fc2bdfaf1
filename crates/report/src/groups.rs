//! Long conjunctions, made short: neighbours in an array that are equal to constants are one condition.
//!
//! `a[0] == 0 && a[1] == 0 && a[2] == 0` is `a[0..2] == 0`; of characters it is a string, of other values a list.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use term::{Op, Term, Value};

use crate::formulas::Formulas;
use crate::values::quoted;

/// Of a list of different values, so many are shown.
const MOST_VALUES: usize = 8;
/// More characters of a string are not shown.
const MOST_CHARACTERS: usize = 40;

/// A condition, and whether it can be one with its neighbour.
#[derive(Debug)]
struct Piece {
    text: String,
    element: Option<Element>,
}

/// An element of an array, with the value that it is equal to.
#[derive(Debug)]
struct Element {
    array: Rc<str>,
    index: u64,
    value: String,
    /// The value, if it is a character.
    byte: Option<u8>,
}

/// What was shown before; conditions stay the same over many positions.
#[derive(Default)]
pub struct Pieces {
    known: RefCell<HashMap<Term, Rc<Piece>>>,
    arrays: RefCell<HashMap<String, Rc<str>>>,
}

/// The parts of a conjunction, at most so many, and how many more there are.
pub fn grouped(formulas: &Formulas<'_>, parts: &[Term], most: usize) -> (Vec<String>, usize) {
    if let &[only] = parts {
        return (vec![formulas.alone(only)], 0);
    }
    let pieces: Vec<Rc<Piece>> = parts.iter().map(|&part| piece(formulas, part)).collect();
    let mut shown = Vec::new();
    let mut more = 0;
    for run in pieces.chunk_by(|a, b| follows(a, b)) {
        match shown.len() < most {
            true => shown.push(run_text(run)),
            false => more += 1,
        }
    }
    (shown, more)
}

/// Names, with neighbours in an array as one.
pub fn grouped_names(names: &[String]) -> Vec<String> {
    let split: Vec<Option<(&str, u64)>> = names.iter().map(|name| indexed(name)).collect();
    let together = |a: &usize, b: &usize| match (split[*a], split[*b]) {
        (Some((array, index)), Some((other, next))) => array == other && index + 1 == next,
        _ => false,
    };
    let numbers: Vec<usize> = (0..names.len()).collect();
    let name = |run: &[usize]| match (split[run[0]], split[run[run.len() - 1]]) {
        (Some((array, first)), Some((_, last))) if first < last => range(array, first, last),
        _ => names[run[0]].clone(),
    };
    numbers.chunk_by(together).map(name).collect()
}

fn range(array: &str, first: u64, last: u64) -> String {
    format!("{array}[{first}..{last}]")
}

/// The array and the index of an element.
fn indexed(name: &str) -> Option<(&str, u64)> {
    let (array, index) = name.strip_suffix(']')?.rsplit_once('[')?;
    Some((array, index.parse().ok()?))
}

fn follows(a: &Piece, b: &Piece) -> bool {
    match (&a.element, &b.element) {
        (Some(a), Some(b)) => Rc::ptr_eq(&a.array, &b.array) && a.index + 1 == b.index,
        _ => false,
    }
}

fn run_text(run: &[Rc<Piece>]) -> String {
    let elements: Vec<&Element> = run.iter().filter_map(|piece| piece.element.as_ref()).collect();
    let &[first, .., last] = &elements[..] else { return run[0].text.clone() };
    let cells = range(&first.array, first.index, last.index);
    if elements.iter().all(|element| element.value == first.value) {
        return format!("{cells} == {}", first.value);
    }
    if let Some(text) = elements.iter().map(|element| element.byte).collect::<Option<Vec<u8>>>() {
        return format!("{cells} == {}", quoted(&text, MOST_CHARACTERS));
    }
    let values = elements.iter().take(MOST_VALUES).map(|element| element.value.as_str());
    let mut list = values.collect::<Vec<_>>().join(", ");
    if let Some(more) = elements.len().checked_sub(MOST_VALUES).filter(|more| *more > 0) {
        list += &format!(", … {more} more");
    }
    format!("{cells} == {{{list}}}")
}

fn piece(formulas: &Formulas<'_>, part: Term) -> Rc<Piece> {
    let Pieces { known, arrays } = &formulas.pieces;
    if let Some(piece) = known.borrow().get(&part) {
        return Rc::clone(piece);
    }
    let element = equality(formulas, part).and_then(|(variable, constant)| {
        let name = formulas.name(variable);
        let (array, index) = indexed(&name)?;
        let mut arrays = arrays.borrow_mut();
        let array = arrays.entry(array.to_owned()).or_insert_with(|| array.into());
        let value = formulas.value(constant, variable);
        let byte = match formulas.terms.value(constant) {
            Some(Value::BitVec(bits)) if value.starts_with('\'') => {
                u8::try_from(bits.unsigned()).ok()
            }
            _ => None,
        };
        Some(Element { array: Rc::clone(array), index, value, byte })
    });
    let piece = Rc::new(Piece { text: formulas.part(part), element });
    known.borrow_mut().insert(part, Rc::clone(&piece));
    piece
}

fn equality(formulas: &Formulas<'_>, part: Term) -> Option<(Term, Term)> {
    let terms = formulas.terms;
    match (terms.op(part), terms.args(part)) {
        (Op::Eq, &[a, b]) if terms.is_var(a) && terms.value(b).is_some() => Some((a, b)),
        (Op::Eq, &[a, b]) if terms.is_var(b) && terms.value(a).is_some() => Some((b, a)),
        _ => None,
    }
}
