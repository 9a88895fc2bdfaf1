//! Names that Boogie accepts. A name that it does not accept, or that is taken, is replaced; the
//! declaration then tells the true one.

use program::{ProcedureId, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use term::Term;

use crate::lexer::{Lexer, TokenKind};

#[derive(Debug)]
pub(super) struct Names {
    variables: FxHashMap<Term, String>,
    procedures: Vec<String>,
}

impl Names {
    pub fn new(program: &Program) -> Names {
        let mut taken = FxHashSet::default();
        let procedures = program.procedures.iter().map(|p| choose(&p.name, &mut taken, None));
        let procedures = procedures.collect();
        let mut variables = FxHashMap::default();
        let mut globals = FxHashSet::default();
        for &global in &program.globals {
            variables.insert(global, choose(program.name(global), &mut globals, None));
        }
        for procedure in &program.procedures {
            let mut locals = FxHashSet::default();
            for local in procedure.variables() {
                let name = choose(program.name(local), &mut locals, Some(&globals));
                variables.insert(local, name);
            }
        }
        Names { variables, procedures }
    }

    pub fn of_procedure(&self, id: ProcedureId) -> &str {
        self.procedures.get(id.index()).map_or("?", String::as_str)
    }

    pub fn of_variable(&self, variable: Term) -> &str {
        self.variables.get(&variable).map_or("?", String::as_str)
    }
}

/// The name, or one like it that is valid and not taken.
fn choose(name: &str, taken: &mut FxHashSet<String>, others: Option<&FxHashSet<String>>) -> String {
    let mut free = |name: &str| {
        others.is_none_or(|others| !others.contains(name)) && taken.insert(name.to_owned())
    };
    if is_valid(name) && free(name) {
        return name.to_owned();
    }
    let similar = name.replace(|c: char| !c.is_ascii_alphanumeric() && c != '_', "_");
    let mut number = 0u64;
    loop {
        let candidate = format!("{similar}#{number}");
        let candidate = match is_valid(&candidate) {
            true => candidate,
            false => format!("_{candidate}"),
        };
        if free(&candidate) {
            return candidate;
        }
        number += 1;
    }
}

/// Whether the whole name is one identifier; a leading backslash would not be part of it.
fn is_valid(name: &str) -> bool {
    let token = Lexer::new(name).token();
    token.kind == TokenKind::Identifier
        && token.span.range() == (0..name.len())
        && !name.starts_with('\\')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn valid_names_stay_and_others_are_replaced() {
        let table = [
            ("x", "x"),
            ("main_#t~ret5", "main_#t~ret5"),
            ("x", "x#0"),
            ("x", "x#1"),
            ("while", "while#0"),
            ("a b", "a_b#0"),
            ("3", "_3#0"),
            ("", "#0"),
            ("\\x", "_x#0"),
            ("über", "_ber#0"),
        ];
        let mut taken = FxHashSet::default();
        for (name, expected) in table {
            assert_eq!(choose(name, &mut taken, None), expected, "{name}");
        }
        let globals = std::iter::once("g".to_owned()).collect();
        assert_eq!(choose("g", &mut FxHashSet::default(), Some(&globals)), "g#0");
    }
}
