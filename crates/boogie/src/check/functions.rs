//! Functions: signatures, built-ins, and the absence of recursion.

use super::{Checker, Function, FunctionId, Meaning, Variable, VariableId, VariableKind};
use crate::ast::{AttributeArgument, Declaration, ExprKind, FunctionDeclaration, Span};
use crate::builtin::BitVectorOperation;
use crate::error::Error;
use crate::types::Type;

/// Whether a function's body has been searched for recursion.
#[derive(Clone, Copy, PartialEq)]
enum Search {
    New,
    Open,
    Done,
}

impl<'a> Checker<'a> {
    pub(super) fn declare_functions(&mut self) {
        let ast = self.ast;
        for (index, declaration) in ast.declarations.iter().enumerate() {
            let Declaration::Function(declaration) = declaration else {
                continue;
            };
            let name = declaration.name.name.as_str();
            if self.functions.contains_key(name) {
                self.already_declared(&declaration.name, "function");
                continue;
            }
            let id = self.declare_function(index, declaration);
            self.functions.insert(name, id);
            if let Some(id) = id {
                self.checked.functions_by_name.insert(name.to_owned(), id);
            }
        }
    }

    fn declare_function(
        &mut self,
        index: usize,
        declaration: &'a FunctionDeclaration,
    ) -> Option<FunctionId> {
        let parameters: Vec<_> = declaration
            .parameters
            .iter()
            .map(|parameter| self.resolve(&parameter.type_expr))
            .collect();
        let result = self.resolve(&declaration.result.type_expr)?;
        let parameters = parameters.into_iter().collect::<Option<Vec<_>>>()?;
        let meaning = match builtin(declaration) {
            Ok(None) => self.meaning_of_body(declaration, &parameters),
            Ok(Some((name, span))) => self.meaning_of_builtin(name, span, &parameters, result)?,
            Err(span) => {
                self.wrong(
                    span,
                    "this attribute needs one string, the name of an SMT-LIB function",
                );
                return None;
            }
        };
        if let (Meaning::BitVector(_) | Meaning::ConstantMap | Meaning::Unknown(_), Some(body)) =
            (&meaning, declaration.body)
        {
            let span = self.ast.expressions[body].span;
            let message =
                format!("the built-in function `{}` cannot have a body", declaration.name.name);
            self.wrong(span, message);
        }
        self.checked.functions.push(Function {
            name: declaration.name.clone(),
            parameters,
            result,
            meaning,
            declaration: index,
        });
        Some(FunctionId::new(self.checked.functions.len() - 1))
    }

    fn meaning_of_body(&mut self, declaration: &'a FunctionDeclaration, types: &[Type]) -> Meaning {
        let Some(body) = declaration.body else {
            return Meaning::Uninterpreted;
        };
        let named = declaration.parameters.iter().zip(types);
        let parameters = named
            .filter_map(|(parameter, &of_type)| {
                let name = parameter.name.clone()?;
                let variable = Variable {
                    name,
                    kind: VariableKind::FunctionParameter,
                    of_type,
                    condition: None,
                };
                Some(self.add_variable(variable))
            })
            .collect::<Vec<VariableId>>();
        if parameters.len() < types.len() {
            let message = format!(
                "the parameters of `{}` need names, as it has a body",
                declaration.name.name
            );
            self.wrong(declaration.name.span, message);
        }
        Meaning::Defined { parameters, body }
    }

    fn meaning_of_builtin(
        &mut self,
        name: &str,
        span: Span,
        parameters: &[Type],
        result: Type,
    ) -> Option<Meaning> {
        if name == "MapConst"
            && let (&[element], Type::Map(map)) = (parameters, result)
            && self.checked.types.map(map).result == element
        {
            return Some(Meaning::ConstantMap);
        }
        let Some(operation) = BitVectorOperation::named(name) else {
            return Some(Meaning::Unknown(name.to_owned()));
        };
        if operation.result(parameters) == Some(result) {
            return Some(Meaning::BitVector(operation));
        }
        let shown: Vec<_> = parameters.iter().map(|&t| self.checked.types.show(t)).collect();
        let message = match operation.result(parameters) {
            Some(right) => format!(
                "the result of `{name}` is {} here, not {}",
                self.checked.types.show(right),
                self.checked.types.show(result)
            ),
            None => format!("`{name}` cannot be applied to ({})", shown.join(", ")),
        };
        self.wrong(span, message);
        None
    }

    /// Function bodies are expanded where they are used, which must end.
    pub(super) fn refuse_recursive_functions(&mut self) {
        let count = self.checked.functions.len();
        let callees: Vec<_> = (0..count).map(|index| self.callees(index)).collect();
        let mut states = vec![Search::New; count];
        for root in 0..count {
            let mut stack = vec![(root, 0)];
            while let Some((index, at)) = stack.pop() {
                if at == 0 {
                    if states[index] != Search::New {
                        continue;
                    }
                    states[index] = Search::Open;
                }
                let Some(&(callee, span)) = callees[index].get(at) else {
                    states[index] = Search::Done;
                    continue;
                };
                stack.push((index, at + 1));
                match states[callee] {
                    Search::New => stack.push((callee, 0)),
                    Search::Open => self.recursion(callee, span),
                    Search::Done => {}
                }
            }
        }
    }

    fn recursion(&mut self, callee: usize, span: Span) {
        let name = &self.checked.functions[callee].name.name;
        let message = format!("the function `{name}` is recursive, which is not supported");
        self.report(Error::unsupported(span, message));
    }

    /// The functions that a function's body applies, and where.
    fn callees(&self, index: usize) -> Vec<(usize, Span)> {
        let Meaning::Defined { body, .. } = &self.checked.functions[index].meaning else {
            return Vec::new();
        };
        let expressions = &self.ast.expressions;
        expressions
            .subtree(*body)
            .filter_map(|id| match &expressions[id].kind {
                ExprKind::Apply { function, .. } => {
                    let callee = self.checked.function_named(&function.name)?;
                    Some((callee.index(), function.span))
                }
                _ => None,
            })
            .collect()
    }
}

/// The name in `{:bvbuiltin "name"}` or `{:builtin "name"}`, or a malformed attribute.
fn builtin(declaration: &FunctionDeclaration) -> Result<Option<(&str, Span)>, Span> {
    let attribute = declaration
        .attributes
        .iter()
        .find(|attribute| matches!(attribute.name.name.as_str(), "bvbuiltin" | "builtin"));
    match attribute {
        None => Ok(None),
        Some(attribute) => match attribute.arguments.as_slice() {
            [AttributeArgument::Text { text, span }] => Ok(Some((text, *span))),
            _ => Err(attribute.span),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Meaning, check};
    use crate::builtin::BitVectorOperation;
    use crate::parse;

    #[test]
    fn meanings() {
        let text = r#"
            function {:bvbuiltin "bvadd"} add(x: bv32, y: bv32) returns (bv32);
            function {:builtin "(_ zero_extend 24)"} extend(bv8) returns (r: bv32);
            function { :builtin "fp.add" } unused(int) returns (int);
            function f(int): bool;
            function {:inline} twice(x: int): int { x + x }
        "#;
        let checked = check(&parse(text).unwrap()).unwrap();
        let meanings: Vec<_> = checked.functions.iter().map(|f| &f.meaning).collect();
        assert_eq!(meanings[0], &Meaning::BitVector(BitVectorOperation::Add));
        assert_eq!(meanings[1], &Meaning::BitVector(BitVectorOperation::ZeroExtend(24)));
        assert_eq!(meanings[2], &Meaning::Unknown("fp.add".into()));
        assert_eq!(meanings[3], &Meaning::Uninterpreted);
        assert!(
            matches!(meanings[4], Meaning::Defined { parameters, .. } if parameters.len() == 1)
        );
    }

    #[test]
    fn a_function_used_twice_is_not_recursive() {
        let text = "function a(x: int): int { b(x) + b(x) } function b(x: int): int { x }";
        assert!(check(&parse(text).unwrap()).is_ok());
    }
}
