//! Trying values: most formulas that do not always hold are false for some simple ones.

use term::number::IBig;
use term::{Code, Sort, Term, Terms, Value};

/// So many assignments are tried.
const TRIES: u64 = 96;

/// Whether a formula is false for some values of its variables, among those that were tried: the constants of the
/// formula, their neighbours, and small numbers.
pub fn is_falsified(terms: &Terms, formula: Term) -> bool {
    let variables = terms.variables_of(&[formula]);
    let constants: Vec<&Value> =
        terms.reachable(&[formula]).into_iter().filter_map(|node| terms.value(node)).collect();
    let candidates: Vec<Vec<Value>> =
        variables.iter().map(|&variable| values(terms.sort(variable), &constants)).collect();
    let code = Code::compile(terms, &[formula]);
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    for _ in 0..TRIES {
        let mut chosen: Vec<(Term, &Value)> = Vec::with_capacity(variables.len());
        for (variable, values) in variables.iter().zip(&candidates) {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let index = (random >> 33) as usize % values.len().max(1);
            let Some(value) = values.get(index) else { return false };
            chosen.push((*variable, value));
        }
        let of =
            |v: Term| chosen.iter().find(|(own, _)| *own == v).map(|(_, value)| (*value).clone());
        let result = code.run(&mut { of });
        if result.is_ok_and(|values| values == [Value::Bool(false)]) {
            return true;
        }
    }
    false
}

fn values(sort: &Sort, constants: &[&Value]) -> Vec<Value> {
    let mut values = match sort {
        Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Sort::Int | Sort::BitVec(_) => {
            let small = [0, 1, -1, 2].map(|n| Value::number(sort, &IBig::from(n)));
            let mut values = small.to_vec();
            for constant in constants.iter().filter(|constant| constant.sort() == *sort) {
                let step = |by: i32| constant.add(&Value::number(sort, &IBig::from(by)));
                values.extend([(*constant).clone(), step(1), step(-1)]);
                values.push(constant.neg());
            }
            values
        }
        _ => vec![Value::zero(sort)],
    };
    values.dedup();
    values
}
