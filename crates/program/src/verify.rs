//! What must hold of every program, whoever made it.

use term::{Sort, Term};

use crate::program::{EdgeId, Place, ProcedureId, Program, Scope, Statement};

/// A front end made a program that breaks a rule: a bug in the front end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("malformed program: {message}{}", .edge.map_or(String::new(), |e| format!(" (edge {})", e.0)))]
pub struct Malformed {
    pub edge: Option<EdgeId>,
    pub message: String,
}

/// Checks sorts, scopes and the shape of the graph.
pub fn verify(program: &Program) -> Result<(), Malformed> {
    let fail =
        |edge: Option<EdgeId>, message: &str| Err(Malformed { edge, message: message.to_owned() });
    if program.location(Program::ERROR).procedure.is_some() {
        return fail(None, "the error location belongs to a procedure");
    }
    if !program.location(Program::ERROR).edges.is_empty() {
        return fail(None, "an edge leaves the error location");
    }
    for (index, location) in program.locations.iter().enumerate() {
        if location.edges.iter().any(|&e| program.edge(e).from.index() != index) {
            return fail(None, "a location lists an edge of another location");
        }
    }
    for (index, edge) in program.edges.iter().enumerate() {
        let id = EdgeId(index as u32);
        let Some(procedure) = program.location(edge.from).procedure else {
            return fail(Some(id), "it leaves the error location");
        };
        if !program.location(edge.from).edges.contains(&id) {
            return fail(Some(id), "its source does not list it");
        }
        if edge.site.index() >= program.sites.len() {
            return fail(Some(id), "its site does not exist");
        }
        let to_exit = edge.to == program.procedure(procedure).exit;
        if (edge.statement == Statement::Return) != to_exit {
            return fail(Some(id), "returns, and only they, lead to the exit");
        }
        match program.location(edge.to).procedure {
            None if !matches!(edge.statement, Statement::Assume { .. }) => {
                return fail(Some(id), "it leads to the error location but is no condition");
            }
            None if program.site(edge.site).property.is_none() => {
                return fail(Some(id), "it leads to the error location but names no property");
            }
            Some(other) if other != procedure => {
                return fail(Some(id), "it leaves the procedure without a call");
            }
            _ => {}
        }
        if let Err(message) = statement(program, procedure, &edge.statement) {
            return fail(Some(id), &message);
        }
    }
    for procedure in &program.procedures {
        if !program.location(procedure.exit).edges.is_empty() {
            return fail(None, "an edge leaves an exit");
        }
    }
    Ok(())
}

fn statement(
    program: &Program,
    procedure: ProcedureId,
    statement: &Statement,
) -> Result<(), String> {
    let scope = |term: Term| in_scope(program, procedure, term);
    match statement {
        Statement::Assign { place, value } => {
            target(program, procedure, place)?;
            scope(*value)?;
            same_sort(&place.sort(&program.terms), program.terms.sort(*value))
        }
        Statement::Havoc { place } => target(program, procedure, place),
        Statement::Assume { condition } => {
            scope(*condition)?;
            same_sort(&Sort::Bool, program.terms.sort(*condition))
        }
        Statement::Call { callee, arguments, results } => {
            let Some(callee) = program.procedures.get(callee.index()) else {
                return Err("it calls a procedure that does not exist".to_owned());
            };
            if callee.parameters.len() != arguments.len() || callee.results.len() != results.len() {
                return Err("it has the wrong number of arguments or results".to_owned());
            }
            for (parameter, argument) in callee.parameters.iter().zip(arguments) {
                scope(*argument)?;
                same_sort(program.terms.sort(*parameter), program.terms.sort(*argument))?;
            }
            for (result, variable) in callee.results.iter().zip(results) {
                target(program, procedure, &Place::variable(*variable))?;
                same_sort(program.terms.sort(*result), program.terms.sort(*variable))?;
            }
            Ok(())
        }
        Statement::Return => Ok(()),
    }
}

fn target(program: &Program, procedure: ProcedureId, place: &Place) -> Result<(), String> {
    if !program.terms.is_var(place.variable) {
        return Err("it assigns to something that is no variable".to_owned());
    }
    in_scope(program, procedure, place.variable)?;
    let mut sort = program.terms.sort(place.variable).clone();
    for &index in &place.indices {
        in_scope(program, procedure, index)?;
        let Sort::Array(array) = sort else {
            return Err("it indexes something that is no map".to_owned());
        };
        same_sort(&array.index, program.terms.sort(index))?;
        sort = array.element.clone();
    }
    Ok(())
}

fn in_scope(program: &Program, procedure: ProcedureId, term: Term) -> Result<(), String> {
    for variable in program.terms.variables_of(&[term]) {
        match program.variables.get(&variable).map(|v| v.scope) {
            Some(Scope::Global) => {}
            Some(Scope::Local(owner)) if owner == procedure => {}
            Some(Scope::Local(_)) => {
                return Err(format!("`{}` is not in scope", program.name(variable)));
            }
            None => return Err("it uses an undeclared variable".to_owned()),
        }
    }
    Ok(())
}

fn same_sort(expected: &Sort, found: &Sort) -> Result<(), String> {
    if expected == found {
        Ok(())
    } else {
        Err(format!("expected the sort {expected}, found {found}"))
    }
}
