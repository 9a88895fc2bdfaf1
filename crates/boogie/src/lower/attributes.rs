//! Attributes that say something about the program.
//!
//! | attribute | on | meaning |
//! |---|---|---|
//! | `{:entrypoint}` | procedures | executions begin here; numbers give the order, `false` denies it |
//! | `{:name "n"}` | variables, procedures | the name to show |
//! | `{:trusted}` | statements | correct beyond doubt |
//! | `{:msg "m"}`, `{:kind "k"}` | assertions | what to say when they are violated |
//! | `{:error}` | assumptions | if it holds, the execution fails, with `:msg` and `:kind` as above |
//! | `{:havoc}` | assignments | the value assigned is arbitrary |
//! | `{:halt}` | assumptions | the execution ends here |
//! | `{:mutable}` | parameters | the body may change it |
//! | `{:repeated}` | calls | a variable may take several results; it keeps the last one |
//!
//! A text may consist of several strings and numbers of characters: `"two", 10, "lines"`.

use program::{FailureKind, Trust};
use rustc_hash::FxHashMap;

use crate::ast::{
    Ast, Attribute, AttributeArgument, Declaration, ExprKind, Expressions, Identifier,
    VariableDeclaration, VariableGroup,
};

pub(super) fn find<'a>(attributes: &'a [Attribute], name: &str) -> Option<&'a Attribute> {
    attributes.iter().find(|attribute| attribute.name.name == name)
}

pub(super) fn has(attributes: &[Attribute], name: &str) -> bool {
    find(attributes, name).is_some()
}

pub(super) fn trust(attributes: &[Attribute]) -> Trust {
    match has(attributes, "trusted") {
        true => Trust::Trusted,
        false => Trust::User,
    }
}

/// The text of an attribute.
pub(super) fn text(
    expressions: &Expressions,
    attributes: &[Attribute],
    name: &str,
) -> Option<String> {
    let mut text = String::new();
    for argument in &find(attributes, name)?.arguments {
        match argument {
            AttributeArgument::Text { text: part, .. } => text.push_str(part),
            AttributeArgument::Expression(id) => match &expressions[*id].kind {
                ExprKind::Int(code) => text.push(char::from_u32(u32::try_from(code).ok()?)?),
                _ => return None,
            },
        }
    }
    Some(text)
}

pub(super) fn kind(expressions: &Expressions, attributes: &[Attribute]) -> Option<FailureKind> {
    let name = text(expressions, attributes, "kind")?;
    FailureKind::ALL.into_iter().find(|kind| kind.name() == name)
}

pub(super) fn name_of_procedure(
    expressions: &Expressions,
    declaration: &Declaration,
) -> Option<String> {
    match declaration {
        Declaration::Procedure(procedure) => text(expressions, &procedure.attributes, "name"),
        Declaration::Implementation(body) => text(expressions, &body.attributes, "name"),
        _ => None,
    }
}

/// The names to show for global variables, by where they are declared.
pub(super) fn names_of_globals(ast: &Ast) -> FxHashMap<u32, String> {
    let mut names = FxHashMap::default();
    for declaration in &ast.declarations {
        match declaration {
            Declaration::Variables(variables) => {
                names_of_variables(&ast.expressions, variables, &mut names);
            }
            Declaration::Constants(constants) => {
                let shown = text(&ast.expressions, &constants.attributes, "name");
                insert(shown, &constants.names, &mut names);
            }
            _ => {}
        }
    }
    names
}

/// The names to show for the variables of a procedure, by where they are declared.
pub(super) fn names_of_locals(
    expressions: &Expressions,
    declaration: &Declaration,
) -> FxHashMap<u32, String> {
    let mut names = FxHashMap::default();
    let (parameters, results, body) = match declaration {
        Declaration::Procedure(p) => (&p.parameters, &p.results, p.body.as_ref()),
        Declaration::Implementation(i) => (&i.parameters, &i.results, Some(&i.body)),
        _ => return names,
    };
    names_of_groups(expressions, parameters, &mut names);
    names_of_groups(expressions, results, &mut names);
    for variables in body.map_or(&[][..], |body| &body.locals) {
        names_of_variables(expressions, variables, &mut names);
    }
    names
}

fn names_of_variables(
    expressions: &Expressions,
    variables: &VariableDeclaration,
    names: &mut FxHashMap<u32, String>,
) {
    let shown = text(expressions, &variables.attributes, "name");
    for group in &variables.groups {
        insert(shown.clone(), &group.names, names);
    }
    names_of_groups(expressions, &variables.groups, names);
}

fn names_of_groups(
    expressions: &Expressions,
    groups: &[VariableGroup],
    names: &mut FxHashMap<u32, String>,
) {
    for group in groups {
        insert(text(expressions, &group.attributes, "name"), &group.names, names);
    }
}

fn insert(shown: Option<String>, of: &[Identifier], names: &mut FxHashMap<u32, String>) {
    if let Some(shown) = shown {
        names.extend(of.iter().map(|name| (name.span.start, shown.clone())));
    }
}
