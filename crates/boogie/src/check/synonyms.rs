//! Type names: declared types, and synonyms in an order in which each comes
//! after those it mentions.

use super::Checker;
use crate::ast::{Declaration, TypeDeclaration, TypeExpr, TypeExprKind};
use crate::error::Error;
use crate::types::{MapType, Type};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// A synonym on the way to being resolved, with the synonyms it still waits for.
struct Open<'a> {
    declaration: &'a TypeDeclaration,
    waits_for: Vec<&'a str>,
}

impl<'a> Checker<'a> {
    pub(super) fn declare_types(&mut self) {
        let ast = self.ast;
        let mut synonyms: HashMap<&'a str, &'a TypeDeclaration> = HashMap::new();
        let mut order = Vec::new();
        for declaration in &ast.declarations {
            let Declaration::Type(declaration) = declaration else {
                continue;
            };
            let name = declaration.name.name.as_str();
            if self.types.contains_key(name) || synonyms.contains_key(name) {
                self.already_declared(&declaration.name, "type");
            } else if declaration.synonym.is_some() {
                synonyms.insert(name, declaration);
                order.push(name);
            } else {
                let declared = self.declare_type(declaration);
                self.types.insert(name, declared);
            }
        }
        for name in order {
            self.resolve_synonym(name, &synonyms);
        }
    }

    fn declare_type(&mut self, declaration: &TypeDeclaration) -> Option<Type> {
        let special = declaration
            .attributes
            .iter()
            .find(|attribute| matches!(attribute.name.name.as_str(), "builtin" | "datatype"));
        if let Some(attribute) = special {
            let message =
                format!("types with the attribute `:{}` are not supported", attribute.name.name);
            self.report(Error::unsupported(attribute.span, message));
            return None;
        }
        Some(self.checked.types.declare(&declaration.name.name))
    }

    /// A depth-first search with an explicit stack: a chain of synonyms is as long
    /// as the file.
    fn resolve_synonym(&mut self, name: &'a str, synonyms: &HashMap<&'a str, &'a TypeDeclaration>) {
        let mut stack: Vec<Open<'a>> = Vec::new();
        let mut next = Some(name);
        let mut on_stack: HashMap<&'a str, ()> = HashMap::new();
        loop {
            if let Some(name) = next.take()
                && let Some(&declaration) = synonyms.get(name)
                && !self.types.contains_key(name)
            {
                match on_stack.entry(name) {
                    Entry::Occupied(_) => {
                        let message = format!("the type synonym `{name}` refers to itself");
                        self.wrong(declaration.name.span, message);
                        self.types.insert(name, None);
                    }
                    Entry::Vacant(entry) => {
                        entry.insert(());
                        let mut waits_for = Vec::new();
                        declaration
                            .synonym
                            .iter()
                            .for_each(|synonym| mentioned(synonym, &mut waits_for));
                        stack.push(Open { declaration, waits_for });
                    }
                }
            }
            let Some(open) = stack.last_mut() else {
                return;
            };
            next = open.waits_for.pop();
            if next.is_some() {
                continue;
            }
            let declaration = open.declaration;
            stack.pop();
            let name = declaration.name.name.as_str();
            if !self.types.contains_key(name) {
                let resolved = declaration.synonym.as_ref().and_then(|t| self.resolve(t));
                self.types.insert(name, resolved);
            }
        }
    }

    /// The type that a type expression denotes.
    pub(super) fn resolve(&mut self, expression: &'a TypeExpr) -> Option<Type> {
        match &expression.kind {
            TypeExprKind::Bool => Some(Type::Bool),
            TypeExprKind::Int => Some(Type::Int),
            TypeExprKind::Real => Some(Type::Real),
            TypeExprKind::BitVector(width) => Some(Type::BitVector(*width)),
            TypeExprKind::Map { arguments, result } => {
                let arguments: Vec<_> = arguments.iter().map(|t| self.resolve(t)).collect();
                let result = self.resolve(result)?;
                let arguments = arguments.into_iter().collect::<Option<Vec<_>>>()?;
                Some(self.checked.types.intern(MapType { arguments, result }))
            }
            TypeExprKind::Named(name) => match self.types.get(name.as_str()) {
                Some(&known) => known,
                None if is_foreign(name) => {
                    let message = format!("the type `{name}` is not supported");
                    self.report(Error::unsupported(expression.span, message));
                    None
                }
                None => self.unknown("type", name, expression.span, |checker| {
                    checker.types.keys().copied().collect()
                }),
            },
        }
    }
}

/// The type names in a type expression.
fn mentioned<'a>(expression: &'a TypeExpr, names: &mut Vec<&'a str>) {
    match &expression.kind {
        TypeExprKind::Named(name) => names.push(name),
        TypeExprKind::Map { arguments, result } => {
            arguments.iter().for_each(|t| mentioned(t, names));
            mentioned(result, names);
        }
        _ => {}
    }
}

/// Whether Boogie knows this type, although we do not: `float24e8` and the like.
fn is_foreign(name: &str) -> bool {
    let number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let float = name
        .strip_prefix("float")
        .and_then(|sizes| sizes.split_once('e'))
        .is_some_and(|(significand, exponent)| number(significand) && number(exponent));
    float || matches!(name, "rmode" | "string" | "regex")
}

#[cfg(test)]
mod tests {
    use super::super::check;
    use crate::parse;
    use crate::types::Type;

    fn type_of_x(text: &str) -> String {
        let checked = check(&parse(text).unwrap()).unwrap();
        let t: Type = checked.variables[0].of_type;
        checked.types.show(t)
    }

    #[test]
    fn synonyms_are_replaced() {
        let table = [
            ("type A = int; var x: A;", "int"),
            ("var x: B; type B = [A]C; type A = bv8; type C;", "[bv8]C"),
            ("type string; var x: string;", "string"),
        ];
        for (text, expected) in table {
            assert_eq!(type_of_x(text), expected, "{text}");
        }
    }

    #[test]
    fn long_and_exponential_chains() {
        let mut text = String::from("var x: T0; type T50000 = int;\n");
        for i in 0..50_000 {
            text += &format!("type T{i} = [T{n}]T{n};\n", n = i + 1);
        }
        assert!(type_of_x(&text).contains('…'));
    }
}
