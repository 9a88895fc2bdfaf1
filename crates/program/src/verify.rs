//! What must hold of every program, whoever made it.

use rustc_hash::FxHashSet;
use term::{Sort, Term};

use crate::program::{
    Edge, EdgeId, LocationId, Memory, Place, ProcedureId, Program, Scope, Statement,
};

/// A front end made a program that breaks a rule: a bug in the front end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("malformed program: {message}{}", .edge.map_or(String::new(), |e| format!(" (edge {})", e.0)))]
pub struct Malformed {
    pub edge: Option<EdgeId>,
    pub message: String,
}

/// Checks sorts, scopes and the shape of the graph.
pub fn verify(program: &Program) -> Result<(), Malformed> {
    ids(program).map_err(whole)?;
    declarations(program).map_err(whole)?;
    locations(program).map_err(whole)?;
    for (index, edge) in program.edges.iter().enumerate() {
        let checked = shape(program, edge)
            .and_then(|procedure| statement(program, procedure, &edge.statement));
        checked.map_err(|message| Malformed { edge: Some(EdgeId(index as u32)), message })?;
    }
    Ok(())
}

/// A rule that is not about one edge.
fn whole(message: String) -> Malformed {
    Malformed { edge: None, message }
}

fn fail(message: &str) -> Result<(), String> {
    Err(message.to_owned())
}

/// Whatever is referred to by id exists.
fn ids(program: &Program) -> Result<(), String> {
    let location = |id: LocationId| id.index() < program.locations.len();
    let procedure = |id: ProcedureId| id.index() < program.procedures.len();
    if !location(Program::ERROR) {
        return fail("there is no error location");
    }
    if !program.procedures.iter().all(|p| location(p.entry) && location(p.exit)) {
        return fail("the entry or exit of a procedure does not exist");
    }
    if !program.locations.iter().all(|l| l.procedure.is_none_or(procedure)) {
        return fail("a location belongs to a procedure that does not exist");
    }
    if !program.locations.iter().flat_map(|l| &l.edges).all(|e| e.index() < program.edges.len()) {
        return fail("a location lists an edge that does not exist");
    }
    if !program.edges.iter().all(|e| location(e.from) && location(e.to)) {
        return fail("an edge joins locations that do not exist");
    }
    if !program.edges.iter().all(|e| e.site.index() < program.sites.len()) {
        return fail("the site of an edge does not exist");
    }
    if !program.entries.iter().all(|&p| procedure(p)) {
        return fail("an entry procedure does not exist");
    }
    Ok(())
}

/// Each variable is declared once, in its scope.
fn declarations(program: &Program) -> Result<(), String> {
    let globals = program.globals.iter().map(|&variable| (variable, Scope::Global));
    let locals = program.procedures.iter().enumerate().flat_map(|(index, procedure)| {
        let scope = Scope::Local(ProcedureId(index as u32));
        procedure.variables().map(move |variable| (variable, scope))
    });
    let mut declared = FxHashSet::default();
    for (variable, scope) in globals.chain(locals) {
        if !program.terms.is_var(variable) {
            return fail("something is declared that is no variable");
        }
        if program.variables.get(&variable).map(|v| v.scope) != Some(scope) {
            return Err(format!("`{}` is declared in a wrong scope", program.name(variable)));
        }
        if !declared.insert(variable) {
            return Err(format!("`{}` is declared twice", program.name(variable)));
        }
    }
    if declared.len() != program.variables.len() {
        return fail("a variable is not declared where it belongs");
    }
    Ok(())
}

fn locations(program: &Program) -> Result<(), String> {
    if program.location(Program::ERROR).procedure.is_some() {
        return fail("the error location belongs to a procedure");
    }
    if !program.location(Program::ERROR).edges.is_empty() {
        return fail("an edge leaves the error location");
    }
    let mut listed = vec![false; program.edges.len()];
    for (index, location) in program.locations.iter().enumerate() {
        if location.procedure.is_none() && index != Program::ERROR.index() {
            return fail("a location belongs to no procedure");
        }
        if location.edges.iter().any(|&e| program.edge(e).from.index() != index) {
            return fail("a location lists an edge of another location");
        }
        for edge in &location.edges {
            if std::mem::replace(&mut listed[edge.index()], true) {
                return fail("a location lists an edge twice");
            }
        }
    }
    if listed.contains(&false) {
        return fail("the source of an edge does not list it");
    }
    for (index, procedure) in program.procedures.iter().enumerate() {
        let own =
            |id: LocationId| program.location(id).procedure == Some(ProcedureId(index as u32));
        if !own(procedure.entry) || !own(procedure.exit) {
            return fail("the entry or exit of a procedure belongs to another");
        }
        if procedure.entry == procedure.exit {
            return fail("the entry of a procedure is its exit");
        }
        if !program.location(procedure.exit).edges.is_empty() {
            return fail("an edge leaves an exit");
        }
    }
    Ok(())
}

/// Where the edge may lead; gives the procedure it is in.
fn shape(program: &Program, edge: &Edge) -> Result<ProcedureId, String> {
    let Some(procedure) = program.location(edge.from).procedure else {
        return Err("it leaves the error location".to_owned());
    };
    let to_exit = edge.to == program.procedure(procedure).exit;
    if (edge.statement == Statement::Return) != to_exit {
        return Err("returns, and only they, lead to the exit".to_owned());
    }
    match program.location(edge.to).procedure {
        None if !matches!(edge.statement, Statement::Assume { .. }) => {
            Err("it leads to the error location but is no condition".to_owned())
        }
        None if program.site(edge.site).property.is_none() => {
            Err("it leads to the error location but names no property".to_owned())
        }
        Some(other) if other != procedure => {
            Err("it leaves the procedure without a call".to_owned())
        }
        _ => Ok(procedure),
    }
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
        Statement::CallPointer { pointer, arguments, results } => {
            address(program, procedure, *pointer)?;
            arguments.iter().try_for_each(|&argument| scope(argument))?;
            results.iter().try_for_each(|&r| target(program, procedure, &Place::variable(r)))
        }
        Statement::External { function, arguments, results } => {
            if program.externals.len() <= function.index() {
                return fail("it calls an external function that does not exist");
            }
            arguments.iter().try_for_each(|&argument| scope(argument))?;
            results.iter().try_for_each(|&r| target(program, procedure, &Place::variable(r)))
        }
        Statement::Memory(memory) => self::memory(program, procedure, memory),
        Statement::Return => Ok(()),
    }
}

fn memory(program: &Program, procedure: ProcedureId, memory: &Memory) -> Result<(), String> {
    let address = |term: Term| address(program, procedure, term);
    let write = |variable: Term| target(program, procedure, &Place::variable(variable));
    match *memory {
        Memory::Load { target, address: from } => {
            address(from)?;
            write(target)?;
            in_memory(program, target)
        }
        Memory::Store { address: to, value } => {
            address(to)?;
            in_scope(program, procedure, value)?;
            in_memory(program, value)
        }
        Memory::Initialise { object, offset, value } => {
            in_scope(program, procedure, value)?;
            in_memory(program, value)?;
            let size = program.statics.get(object.index()).map(|object| object.bytes.len() as u64);
            let Sort::BitVec(bits) = *program.terms.sort(value) else { return Ok(()) };
            let end = offset.checked_add(u64::from(bits).div_ceil(8));
            match (end, size) {
                (Some(end), Some(size)) if end <= size => Ok(()),
                _ => Err("it initialises what is not in an object".to_owned()),
            }
        }
        Memory::Alloc { target, size, .. } => {
            address(size)?;
            write(target)?;
            same_sort(&Sort::BitVec(64), program.terms.sort(target))
        }
        Memory::Copy { to, from, size } => [to, from, size].into_iter().try_for_each(address),
        Memory::Fill { to, byte, size } => {
            [to, size].into_iter().try_for_each(address)?;
            in_scope(program, procedure, byte)?;
            same_sort(&Sort::BitVec(8), program.terms.sort(byte))
        }
        Memory::Mark { target } => {
            write(target)?;
            same_sort(&Sort::BitVec(64), program.terms.sort(target))
        }
        Memory::Release { mark } => address(mark),
    }
}

/// Whether values like this can be in memory.
fn in_memory(program: &Program, term: Term) -> Result<(), String> {
    match program.terms.sort(term) {
        Sort::BitVec(_) => Ok(()),
        other => Err(format!("a value of the sort {other} cannot be in memory")),
    }
}

fn address(program: &Program, procedure: ProcedureId, term: Term) -> Result<(), String> {
    in_scope(program, procedure, term)?;
    same_sort(&Sort::BitVec(64), program.terms.sort(term))
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
