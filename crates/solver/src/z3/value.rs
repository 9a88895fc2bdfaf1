//! Values of Z3 to values of ours.

use std::sync::Arc;

use term::number::{IBig, RBig};
use term::{ArrayValue, Float, Format, Sort, Value};

use super::context::{Assignment, Ast, Shape};
use super::float::to_bits;

/// The value as ours; None if it has no exact representation, as an irrational number.
pub fn value(model: &Assignment, ast: &Ast, sort: &Sort) -> Option<Value> {
    match (sort, model.shape(ast)) {
        (Sort::Bool, Shape::Boolean(b)) => Some(Value::Bool(b)),
        (Sort::Float(format), _) => float(model, ast, *format),
        (Sort::Array(array), _) => array_value(model, ast, &array.index, &array.element),
        (_, Shape::Numeral(text)) => number(&text, sort),
        _ => None,
    }
}

fn float(model: &Assignment, ast: &Ast, format: Format) -> Option<Value> {
    let bits = model.value(&to_bits(model.context(), ast, format)?)?;
    match model.shape(&bits) {
        Shape::Numeral(text) => Some(Value::Float(Float::new(format, text.parse().ok()?))),
        _ => None,
    }
}

fn number(text: &str, sort: &Sort) -> Option<Value> {
    match sort {
        Sort::Int => text.parse().ok().map(Value::Int),
        Sort::BitVec(width) => text.parse().ok().map(|bits| Value::bitvec(*width, bits)),
        Sort::Real => {
            let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
            let numerator: IBig = numerator.trim().parse().ok()?;
            let denominator: IBig = denominator.trim().parse().ok()?;
            Some(Value::Real(RBig::from_parts_signed(numerator, denominator)))
        }
        Sort::Bool | Sort::Float(_) | Sort::Array(_) => None,
    }
}

fn array_value(model: &Assignment, ast: &Ast, index: &Sort, element: &Sort) -> Option<Value> {
    let mut written: Vec<(Ast, Ast)> = Vec::new(); // the last write comes first
    let mut rest = ast.clone();
    let default = loop {
        match model.shape(&rest) {
            Shape::Store(array, at, what) => {
                written.push((at, what));
                rest = array;
            }
            Shape::ConstantArray(element) => break element,
            Shape::Function(function) => {
                written.extend(function.entries);
                break function.otherwise;
            }
            _ => return None,
        }
    };
    let mut array = ArrayValue::new(index.clone(), value(model, &default, element)?);
    for (at, what) in written.iter().rev() {
        array.set(value(model, at, index)?, value(model, what, element)?);
    }
    Some(Value::Array(Arc::new(array)))
}
