//! The types of expressions, operands before operators.

use super::{Checker, Meaning, VariableId, VariableKind};
use crate::ast::{BinaryOperator, ExprId, ExprKind, Identifier, Span, UnaryOperator};
use crate::error::Error;
use crate::types::{MAX_WIDTH, Type};

/// Where an expression stands, which decides what it may mention.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Axiom,
    Function,
    Where,
    Requires,
    Ensures,
    Body,
}

impl<'a> Checker<'a> {
    /// The type of an expression, unless there is an error in it.
    pub(super) fn expression(&mut self, root: ExprId, place: Place) -> Option<Type> {
        let ast = self.ast;
        for id in ast.expressions.subtree(root) {
            self.checked.expression_types[id.index()] = self.node(id, place);
        }
        self.found(root)
    }

    /// Checks an expression that has to be bool.
    pub(super) fn condition(&mut self, root: ExprId, place: Place, what: &str) {
        if let Some(found) = self.expression(root, place)
            && found != Type::Bool
        {
            let found = self.checked.types.describe(found);
            let message = format!("{what} must be bool, but this is {found}");
            self.wrong(self.span(root), message);
        }
    }

    pub(super) fn span(&self, id: ExprId) -> Span {
        self.ast.expressions[id].span
    }

    pub(super) fn found(&self, id: ExprId) -> Option<Type> {
        self.checked.expression_types[id.index()]
    }

    /// The type of a node whose operands have been visited.
    fn node(&mut self, id: ExprId, place: Place) -> Option<Type> {
        let ast = self.ast;
        let span = self.span(id);
        match &ast.expressions[id].kind {
            ExprKind::Bool(_) => Some(Type::Bool),
            ExprKind::Int(_) => Some(Type::Int),
            ExprKind::Real(_) => Some(Type::Real),
            ExprKind::BitVector { width, .. } => Some(Type::BitVector(*width)),
            ExprKind::Name(name) => self.name(name, span, place),
            ExprKind::Apply { function, arguments } => self.application(function, arguments),
            ExprKind::Unary { operator, operand, .. } => self.unary(*operator, *operand),
            ExprKind::Binary { operator, operator_span, left, right } => {
                self.binary(*operator, *operator_span, *left, *right)
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                self.conditional(*condition, *then, *otherwise)
            }
            ExprKind::Select { map, indices } => {
                let of_map = self.found(*map)?;
                self.element(of_map, *map, indices)
            }
            ExprKind::Store { map, indices, value } => self.store(*map, indices, *value),
            ExprKind::Extract { operand, high, low } => {
                self.extraction(span, *operand, *high, *low)
            }
            ExprKind::Old(operand) => {
                if !matches!(place, Place::Ensures | Place::Body) {
                    self.wrong(span, "`old` can only be used in postconditions and bodies");
                }
                self.found(*operand)
            }
            ExprKind::ToInt(operand) => self.convert("int", *operand, Type::Real, Type::Int),
            ExprKind::ToReal(operand) => self.convert("real", *operand, Type::Int, Type::Real),
            ExprKind::Coerce { operand, type_expr } => {
                let wanted = self.resolve(type_expr)?;
                let found = self.found(*operand)?;
                if found != wanted {
                    let message = format!(
                        "{}, not {}",
                        self.is(*operand, found),
                        self.checked.types.describe(wanted)
                    );
                    self.wrong(self.span(*operand), message);
                }
                Some(wanted)
            }
        }
    }

    /// The variable with this name.
    pub(super) fn variable(&mut self, name: &str, span: Span) -> Option<VariableId> {
        let known = self.locals.get(name).or_else(|| self.globals.get(name));
        let Some(&known) = known else {
            return self.unknown("variable", name, span, |checker| {
                checker.locals.keys().chain(checker.globals.keys()).copied().collect()
            });
        };
        if let Some(id) = known {
            self.checked.variables_at.insert(span.start, id);
        }
        known
    }

    fn name(&mut self, name: &str, span: Span, place: Place) -> Option<Type> {
        let id = self.variable(name, span)?;
        let variable = self.checked.variable(id);
        let (kind, of_type) = (variable.kind, variable.of_type);
        match (kind, place) {
            (VariableKind::Global, Place::Axiom) => {
                self.wrong(span, format!("an axiom cannot mention the variable `{name}`, only constants"));
            }
            (VariableKind::Global, Place::Function) => self.wrong(
                span,
                format!("a function cannot mention the variable `{name}`, only its parameters and constants"),
            ),
            (VariableKind::Result, Place::Requires) => {
                self.wrong(span, format!("the result `{name}` has no value in a precondition"));
            }
            _ => {}
        }
        Some(of_type)
    }

    fn application(&mut self, function: &'a Identifier, arguments: &[ExprId]) -> Option<Type> {
        let name = function.name.as_str();
        let Some(&known) = self.functions.get(name) else {
            if self.procedures.contains_key(name) {
                let message = format!("`{name}` is a procedure, not a function");
                let help = format!("call it by a statement: `call x := {name}(…);`");
                self.report(Error::typing(function.span, message).with_help(help));
                return None;
            }
            return self.unknown("function", name, function.span, |checker| {
                checker.functions.keys().copied().collect()
            });
        };
        let known = self.checked.function(known?);
        let (parameters, result) = (known.parameters.clone(), known.result);
        if let Meaning::Unknown(builtin) = &known.meaning {
            let message =
                format!("`{name}` stands for the built-in `{builtin}`, which is not supported");
            self.report(Error::unsupported(function.span, message));
        }
        self.arguments(function, &parameters, arguments);
        Some(result)
    }

    /// Compares arguments that have been visited with the parameters.
    pub(super) fn arguments(
        &mut self,
        callee: &Identifier,
        parameters: &[Type],
        arguments: &[ExprId],
    ) {
        let name = &callee.name;
        if parameters.len() != arguments.len() {
            let message = format!(
                "`{name}` takes {}, but {} given",
                count(parameters.len(), "argument"),
                are(arguments.len())
            );
            return self.wrong(callee.span, message);
        }
        for (i, (&wanted, &argument)) in parameters.iter().zip(arguments).enumerate() {
            if let Some(found) = self.found(argument)
                && found != wanted
            {
                let types = &self.checked.types;
                let message = format!(
                    "argument {} of `{name}` must be {}, but this is {}",
                    i + 1,
                    types.describe(wanted),
                    types.describe(found)
                );
                self.wrong(self.span(argument), message);
            }
        }
    }

    fn unary(&mut self, operator: UnaryOperator, operand: ExprId) -> Option<Type> {
        let found = self.found(operand)?;
        match (operator, found) {
            (UnaryOperator::Not, Type::Bool) => Some(Type::Bool),
            (UnaryOperator::Minus, Type::Int | Type::Real) => Some(found),
            (UnaryOperator::Not, _) => self.wrong_operand("!", "bool", operand, found),
            (UnaryOperator::Minus, _) => self.wrong_operand("-", "int or real", operand, found),
        }
    }

    fn wrong_operand(
        &mut self,
        symbol: &str,
        wanted: &str,
        operand: ExprId,
        found: Type,
    ) -> Option<Type> {
        let message = format!("`{symbol}` needs {wanted}, but {}", self.is(operand, found));
        let mut error = Error::typing(self.span(operand), message);
        if matches!(found, Type::BitVector(_)) && wanted.contains("int") {
            error = error.with_help(
                "arithmetic on bit-vectors is by functions such as `function {:bvbuiltin \"bvadd\"} add(bv32, bv32): bv32;`",
            );
        }
        self.report(error);
        None
    }

    fn binary(
        &mut self,
        operator: BinaryOperator,
        at: Span,
        left: ExprId,
        right: ExprId,
    ) -> Option<Type> {
        use BinaryOperator::*;
        let (l, r) = (self.found(left)?, self.found(right)?);
        let symbol = operator.symbol();
        let mut need = |wanted: &str, accept: fn(Type) -> bool| {
            for (operand, found) in [(left, l), (right, r)] {
                if !accept(found) {
                    return self.wrong_operand(symbol, wanted, operand, found);
                }
            }
            Some(l)
        };
        let numeric = |t| matches!(t, Type::Int | Type::Real);
        match operator {
            Iff | Implies | Explies | And | Or => {
                need("bool", |t| t == Type::Bool)?;
                Some(Type::Bool)
            }
            Equal | NotEqual => {
                if l != r {
                    let types = &self.checked.types;
                    let message = format!(
                        "{} cannot be compared with {}",
                        types.describe(l),
                        types.describe(r)
                    );
                    self.wrong(at, message);
                }
                Some(Type::Bool)
            }
            Less | LessEqual | Greater | GreaterEqual => {
                need("int or real", numeric)?;
                self.same(symbol, at, l, r)?;
                Some(Type::Bool)
            }
            Add | Subtract | Multiply => {
                need("int or real", numeric)?;
                self.same(symbol, at, l, r)
            }
            Divide => {
                need("int or real", numeric)?;
                Some(Type::Real)
            }
            Div | Mod => need("int", |t| t == Type::Int),
            Concat => {
                need("bit-vectors", |t| matches!(t, Type::BitVector(_)))?;
                self.concatenation(at, l, r)
            }
        }
    }

    /// One operand is int and the other one real, or both are the same.
    fn same(&mut self, symbol: &str, at: Span, left: Type, right: Type) -> Option<Type> {
        if left == right {
            return Some(left);
        }
        let message = format!("`{symbol}` cannot mix int and real");
        self.report(
            Error::typing(at, message).with_help("convert one side by `real(…)` or `int(…)`"),
        );
        None
    }

    fn concatenation(&mut self, at: Span, left: Type, right: Type) -> Option<Type> {
        let (Type::BitVector(m), Type::BitVector(n)) = (left, right) else {
            return None;
        };
        if m + n > MAX_WIDTH {
            let message = format!(
                "bit-vectors of {} bits are not supported: the width must be from 1 to {MAX_WIDTH}",
                m + n
            );
            self.report(Error::unsupported(at, message));
            return None;
        }
        Some(Type::BitVector(m + n))
    }

    fn conditional(&mut self, condition: ExprId, then: ExprId, otherwise: ExprId) -> Option<Type> {
        let guard = self.found(condition);
        if let Some(found) = guard
            && found != Type::Bool
        {
            let found = self.checked.types.describe(found);
            let message = format!("the condition of an `if` must be bool, but this is {found}");
            self.wrong(self.span(condition), message);
        }
        let (a, b) = (self.found(then)?, self.found(otherwise)?);
        if a != b {
            let types = &self.checked.types;
            let message = format!(
                "the values of an `if` must have the same type, but they are {} and {}",
                types.describe(a),
                types.describe(b)
            );
            self.wrong(self.span(otherwise), message);
        }
        Some(a)
    }

    fn convert(&mut self, name: &str, operand: ExprId, from: Type, to: Type) -> Option<Type> {
        let found = self.found(operand)?;
        if found != from {
            let wanted = self.checked.types.show(from);
            self.wrong_operand(name, &wanted, operand, found)?;
        }
        Some(to)
    }

    /// "`m` is a map from int to bool", or "this is …" for more than a name.
    pub(super) fn is(&self, id: ExprId, found: Type) -> String {
        let described = self.checked.types.describe(found);
        match &self.ast.expressions[id].kind {
            ExprKind::Name(name) => format!("`{name}` is {described}"),
            _ => format!("this is {described}"),
        }
    }
}

/// "1 argument", "2 arguments"
pub(super) fn count(n: usize, what: &str) -> String {
    match n {
        1 => format!("1 {what}"),
        _ => format!("{n} {what}s"),
    }
}

/// "1 is", "2 are"
pub(super) fn are(n: usize) -> String {
    match n {
        1 => "1 is".to_owned(),
        _ => format!("{n} are"),
    }
}

#[cfg(test)]
mod tests {
    use crate::ast::Declaration;
    use crate::{check::check, parse};

    #[test]
    fn types() {
        let table = [
            ("c + 1", "int"),
            ("c / 2", "real"),
            ("c / 2.5", "real"),
            ("c div 2 mod 3", "int"),
            ("-1.5 * 2e1", "real"),
            ("c < 1 ==> b", "bool"),
            ("v ++ 3bv4", "bv12"),
            ("v[7:2]", "bv5"),
            ("m[1]", "[bool]bv8"),
            ("m[1][true]", "bv8"),
            ("m[1 := m[2]]", "[int][bool]bv8"),
            ("n[1, v]", "T"),
            ("n[1, v := t]", "[int, bv8]T"),
            ("if b then t else u", "T"),
            ("real(c)", "real"),
            ("int(1.5)", "int"),
            ("f(c, t)", "bv8"),
            ("(c: int)", "int"),
            ("t == u <==> c != 1", "bool"),
        ];
        for (text, expected) in table {
            let program = format!(
                "type T; const c: int; const b: bool; const v: bv8; const m: [int][bool]bv8;
                 const n: [int, bv8]T; const t, u: T; function f(int, T): bv8;
                 axiom ({text}) == ({text});"
            );
            let ast = parse(&program).unwrap();
            let checked = check(&ast).unwrap();
            let Some(Declaration::Axiom(axiom)) = ast.declarations.last() else {
                panic!("{ast:?}");
            };
            // The node before the last one is the right operand.
            let right = ast.expressions.subtree(axiom.condition).rev().nth(1).unwrap();
            assert_eq!(checked.types.show(checked.type_of(right)), expected, "{text}");
        }
    }
}
