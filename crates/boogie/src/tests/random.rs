//! Random programs, built without any text.

use std::sync::Arc;

use program::{
    Builder, FailureKind, LocationId, Place, ProcedureId, Program, Property, Site, SiteId,
    Statement, Trust,
};
use term::number::RBig;
use term::{ArrayValue, Op, Sort, Term, Value};

/// A small generator of numbers (xorshift), so that failures repeat.
pub(super) struct Random(pub u64);

impl Random {
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }

    fn pick<'t, T>(&mut self, from: &'t [T]) -> &'t T {
        &from[self.below(from.len())]
    }
}

const NAMES: &[&str] =
    &["x", "y", "x", "while", "a b", "", "~x~0", "\\x", "n\nl", "L1", "term.1", "ü\"", "main:x"];

struct Maker {
    random: Random,
    builder: Builder,
    variables: Vec<Term>,
}

pub(super) fn program(seed: u64) -> Program {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    for _ in 0..10 {
        random.below(2);
    }
    let mut maker = Maker {
        random,
        builder: Builder::new(program::Language::Boogie, Vec::new()),
        variables: Vec::new(),
    };
    let globals: Vec<Term> = (0..maker.random.below(5))
        .map(|_| {
            let (name, sort) = (*maker.random.pick(NAMES), maker.sort(2));
            maker.builder.global(name, &sort)
        })
        .collect();
    let procedures: Vec<ProcedureId> = (0..maker.random.below(4))
        .map(|_| {
            let name = *maker.random.pick(NAMES);
            maker.builder.procedure(name)
        })
        .collect();
    let signatures: Vec<_> = procedures.iter().map(|&p| maker.declare(p)).collect();
    for (index, &procedure) in procedures.iter().enumerate() {
        maker.variables = globals.clone();
        let (parameters, results, locals) = &signatures[index];
        maker.variables.extend(parameters.iter().chain(results).chain(locals));
        maker.body(procedure, &signatures);
    }
    for _ in 0..maker.random.below(3) {
        if !procedures.is_empty() {
            let entry = *maker.random.pick(&procedures);
            maker.builder.enter_at(entry);
        }
    }
    maker.builder.finish().unwrap()
}

type Signature = (Vec<Term>, Vec<Term>, Vec<Term>);

impl Maker {
    fn declare(&mut self, procedure: ProcedureId) -> Signature {
        let mut list = |declare: fn(&mut Builder, ProcedureId, &str, &Sort) -> Term| {
            let count = self.random.below(4);
            let mut terms = Vec::new();
            for _ in 0..count {
                let (name, sort) = (*self.random.pick(NAMES), self.sort(2));
                terms.push(declare(&mut self.builder, procedure, name, &sort));
            }
            terms
        };
        (list(Builder::parameter), list(Builder::result), list(Builder::local))
    }

    fn sort(&mut self, depth: usize) -> Sort {
        match self.random.below(if depth == 0 { 6 } else { 8 }) {
            0 => Sort::Bool,
            1 | 2 => Sort::Int,
            3 => Sort::Real,
            4 => Sort::BitVec(8),
            5 => Sort::BitVec(1 + self.random.below(128) as u32),
            _ => Sort::array(self.sort(depth - 1), self.sort(depth - 1)),
        }
    }

    fn value(&mut self, sort: &Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(self.random.below(2) == 0),
            Sort::Real => {
                let numerator = self.random.below(20) as i32 - 10;
                let denominator = 1 + self.random.below(4) as u32;
                Value::Real(RBig::from_parts(numerator.into(), denominator.into()))
            }
            Sort::Array(array) => {
                let default = self.value(&array.element);
                let mut value = ArrayValue::new(array.index.clone(), default);
                for _ in 0..self.random.below(3) {
                    value.set(self.value(&array.index), self.value(&array.element));
                }
                Value::Array(Arc::new(value))
            }
            _ => Value::number(sort, &(self.random.below(20) as i32 - 10).into()),
        }
    }

    /// A random term of the sort.
    fn term(&mut self, sort: &Sort, depth: usize) -> Term {
        let mut known = self.variables.clone();
        known.retain(|&v| self.builder.terms.sort(v) == sort);
        if depth == 0 || self.random.below(5) == 0 {
            if known.is_empty() || self.random.below(4) == 0 {
                let value = self.value(sort);
                return self.builder.terms.constant(&value);
            }
            return *self.random.pick(&known);
        }
        let depth = depth - 1;
        if self.random.below(6) == 0 {
            let index = self.sort(1);
            let array = self.term(&Sort::array(index.clone(), sort.clone()), depth.min(2));
            let index = self.term(&index, depth.min(2));
            return self.builder.terms.select(array, index);
        }
        let a = self.term(sort, depth);
        let b = self.term(sort, depth);
        if self.random.below(6) == 0 {
            let condition = self.term(&Sort::Bool, depth);
            return self.builder.terms.ite(condition, a, b);
        }
        let choice = self.random.below(6);
        match sort {
            Sort::Bool => self.condition(a, b, choice, depth),
            Sort::Int | Sort::Real => self.number(sort, a, b, choice, depth),
            Sort::BitVec(width) => self.bits(*width, a, b, choice, depth),
            Sort::Float(_) => a,
            Sort::Array(array) => match choice {
                0 => {
                    let element = self.term(&array.element, depth);
                    self.builder.terms.constant_array(sort, element)
                }
                _ => {
                    let index = self.term(&array.index, depth);
                    let element = self.term(&array.element, depth);
                    self.builder.terms.store(a, index, element)
                }
            },
        }
    }

    fn condition(&mut self, a: Term, b: Term, choice: usize, depth: usize) -> Term {
        match choice {
            0 => return self.builder.terms.and(&[a, b]),
            1 => return self.builder.terms.or(&[a, b]),
            2 => return self.builder.terms.not(a),
            _ => {}
        }
        let sort = self.sort(1);
        let (a, b) = (self.term(&sort, depth), self.term(&sort, depth));
        let terms = &mut self.builder.terms;
        match (&sort, choice) {
            (Sort::Int | Sort::Real, 3) => terms.le(a, b),
            (Sort::Int | Sort::Real, 4) => terms.lt(a, b),
            (Sort::BitVec(_), 3) => terms.bv_ult(a, b),
            (Sort::BitVec(_), 4) => terms.bv_slt(a, b),
            _ => terms.eq(a, b),
        }
    }

    fn number(&mut self, sort: &Sort, a: Term, b: Term, choice: usize, depth: usize) -> Term {
        let other = match sort {
            Sort::Int => Sort::Real,
            _ => Sort::Int,
        };
        let converted = self.term(&other, depth);
        let terms = &mut self.builder.terms;
        match (choice, sort) {
            (0, _) => terms.sub(a, b),
            (1, _) => terms.mul(a, b),
            (2, _) => terms.div(a, b),
            (3, Sort::Int) => terms.modulo(a, b),
            (4, Sort::Int) => terms.floor(converted),
            (4, _) => terms.to_real(converted),
            _ => terms.add(&[a, b]),
        }
    }

    fn bits(&mut self, width: u32, a: Term, b: Term, choice: usize, depth: usize) -> Term {
        const OPERATIONS: &[Op] = &[
            Op::BvAnd,
            Op::BvOr,
            Op::BvXor,
            Op::BvUdiv,
            Op::BvUrem,
            Op::BvSdiv,
            Op::BvSrem,
            Op::BvShl,
            Op::BvLshr,
            Op::BvAshr,
        ];
        let part = 1 + self.random.below(width as usize) as u32;
        let narrow = self.term(&Sort::BitVec(part), depth);
        let more = self.random.below((129 - width) as usize) as u32;
        let wide = self.term(&Sort::BitVec(width + more), depth);
        let rest = if part < width { Some(width - part) } else { None };
        let rest = rest.map(|rest| self.term(&Sort::BitVec(rest), depth));
        let low = self.random.below(more as usize + 1) as u32;
        let op = *self.random.pick(OPERATIONS);
        let signed = self.random.below(2) == 0;
        let terms = &mut self.builder.terms;
        match (choice, rest) {
            (0, _) => terms.add(&[a, b]),
            (1, _) if signed => terms.bv_not(a),
            (1, _) => terms.mul(a, b),
            (2, _) if signed => terms.sign_extend(narrow, width),
            (2, _) => terms.zero_extend(narrow, width),
            (3, _) => terms.extract(wide, low, width),
            (4, Some(rest)) => terms.concat(rest, narrow),
            _ => terms.bit_operation(op, a, b),
        }
    }

    fn body(&mut self, procedure: ProcedureId, signatures: &[Signature]) {
        let mut locations = vec![self.builder.entry_of(procedure)];
        for _ in 0..self.random.below(7) {
            locations.push(self.builder.location(procedure));
        }
        for from in locations.clone() {
            for _ in 0..self.random.below(4) {
                let to = *self.random.pick(&locations);
                self.edge(procedure, from, to, signatures);
            }
        }
    }

    fn site(&mut self) -> SiteId {
        let kind = *self.random.pick(&FailureKind::ALL);
        let message = self.random.pick(NAMES).repeat(2);
        let trust = *self.random.pick(&[Trust::User, Trust::Trusted]);
        let property = Some(Property { kind, message });
        self.builder.site(Site { span: None, text: "?".to_owned(), trust, property })
    }

    fn edge(
        &mut self,
        procedure: ProcedureId,
        from: LocationId,
        to: LocationId,
        signatures: &[Signature],
    ) {
        let site = self.site();
        let statement = match self.random.below(8) {
            0 | 1 if !self.variables.is_empty() => {
                let place = self.place();
                let value = self.term(&place.sort(&self.builder.terms), 4);
                Statement::Assign { place, value }
            }
            2 if !self.variables.is_empty() => Statement::Havoc { place: self.place() },
            3 => {
                let condition = self.term(&Sort::Bool, 4);
                let negated = self.builder.terms.not(condition);
                let fails = Statement::Assume { condition: negated };
                self.builder.edge(from, Program::ERROR, fails, site);
                Statement::Assume { condition }
            }
            4 => {
                let condition = self.term(&Sort::Bool, 4);
                let fails = Statement::Assume { condition };
                return self.builder.edge(from, Program::ERROR, fails, site);
            }
            5 => {
                let exit = self.builder.exit_of(procedure);
                return self.builder.edge(from, exit, Statement::Return, site);
            }
            6 => match self.call(signatures) {
                Some(call) => call,
                None => return,
            },
            _ => Statement::Assume { condition: self.term(&Sort::Bool, 4) },
        };
        self.builder.edge(from, to, statement, site);
    }

    fn place(&mut self) -> Place {
        let variable = *self.random.pick(&self.variables);
        let mut place = Place::variable(variable);
        while let Sort::Array(array) = place.sort(&self.builder.terms) {
            if self.random.below(3) == 0 {
                break;
            }
            let index = self.term(&array.index, 2);
            place.indices.push(index);
        }
        place
    }

    fn call(&mut self, signatures: &[Signature]) -> Option<Statement> {
        let callee = self.random.below(signatures.len());
        let (parameters, results, _) = &signatures[callee];
        let sorts: Vec<Sort> =
            parameters.iter().map(|&p| self.builder.terms.sort(p).clone()).collect();
        let arguments = sorts.iter().map(|sort| self.term(sort, 2)).collect();
        let mut targets = Vec::new();
        for &result in results {
            let terms = &self.builder.terms;
            let fits = |&&v: &&Term| terms.sort(v) == terms.sort(result);
            targets.push(*self.variables.iter().find(fits)?);
        }
        let callee = ProcedureId(callee as u32);
        Some(Statement::Call { callee, arguments, results: targets })
    }
}
