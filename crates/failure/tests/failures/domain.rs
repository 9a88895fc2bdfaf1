//! All values of small sorts.

use std::sync::Arc;

use term::{ArrayValue, Code, Sort, Term, Terms, Value};

/// All values of a finite sort, each in one form only.
pub fn values(sort: &Sort) -> Vec<Value> {
    match sort {
        Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Sort::BitVec(width) => (0..1u128 << width).map(|b| Value::bitvec(*width, b)).collect(),
        Sort::Array(array) => {
            let elements = values(&array.element);
            let mut maps = vec![ArrayValue::new(array.index.clone(), Value::zero(&array.element))];
            for index in values(&array.index) {
                let with = |map: &ArrayValue, element: &Value| {
                    let mut map = map.clone();
                    map.set(index.clone(), element.clone());
                    map
                };
                maps = maps.iter().flat_map(|m| elements.iter().map(move |e| with(m, e))).collect();
            }
            maps.into_iter().map(|map| Value::Array(Arc::new(map))).collect()
        }
        Sort::Int | Sort::Real | Sort::Float(_) => panic!("infinite"),
    }
}

/// The form that [`values`] gives a value.
pub fn canonical(value: Value) -> Value {
    let Value::Array(map) = &value else { return value };
    let mut result = ArrayValue::new(map.index.clone(), Value::zero(&map.default.sort()));
    for index in values(&map.index) {
        let element = map.get(&index).clone();
        result.set(index, element);
    }
    Value::Array(Arc::new(result))
}

/// How many assignments of values to these variables there are.
pub fn count(terms: &Terms, variables: &[Term]) -> usize {
    variables.iter().map(|&v| values(terms.sort(v)).len()).product()
}

/// All assignments of values to these variables, in their order.
pub fn assignments(terms: &Terms, variables: &[Term]) -> Vec<Vec<Value>> {
    let mut all = vec![Vec::new()];
    for &variable in variables {
        let domain = values(terms.sort(variable));
        let with = |a: &Vec<Value>, v: &Value| [a.as_slice(), std::slice::from_ref(v)].concat();
        all = all.iter().flat_map(|a| domain.iter().map(move |v| with(a, v))).collect();
    }
    all
}

/// A formula that is evaluated often. Its variables are known by their place in a list.
pub struct Formula {
    code: Code,
    places: Vec<usize>,
    registers: Vec<Value>,
}

impl Formula {
    pub fn new(terms: &Terms, formula: Term, variables: &[Term]) -> Formula {
        let code = Code::compile(terms, &[formula]);
        let place = |v| variables.iter().position(|&w| w == v).unwrap();
        let places = code.variables().map(place).collect();
        Formula { code, places, registers: Vec::new() }
    }

    /// Whether it holds, given the values of the variables.
    pub fn holds(&mut self, values: &[&Value]) -> bool {
        let mut holds = false;
        let of = |n: usize| values[self.places[n]];
        self.code.run_over(&mut self.registers, of, |value| holds = value.is_true());
        holds
    }
}
