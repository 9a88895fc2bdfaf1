//! From a [`Program`] to Boogie text that reads back as the same program, see
//! [`program::difference`].
//!
//! Each location is a label. Where several edges leave a location, a `goto` chooses between blocks
//! with one edge each; an edge to the error location and its complement are one `assert`. What
//! Boogie has no words for is said by attributes, see `lower/attributes.rs`.

mod arithmetic;
mod functions;
mod names;
mod statements;
mod terms;
mod values;

use program::{Procedure, ProcedureId, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Sort, Term};

use functions::Functions;
use names::Names;

/// The program as Boogie text. Locations that cannot be reached are not part of what is read back;
/// those who build programs drop them anyway.
pub fn write(program: &Program) -> String {
    let mut writer = Writer {
        program,
        terms: program.terms.clone(),
        rebuilt: FxHashMap::default(),
        names: Names::new(program),
        functions: Functions::new(program),
        mutable_parameters: mutable_parameters(program),
        text: String::new(),
    };
    for (index, procedure) in program.procedures.iter().enumerate() {
        writer.procedure(ProcedureId(index as u32), procedure);
    }
    let procedures = std::mem::take(&mut writer.text);
    writer.term_functions();
    let term_functions = std::mem::take(&mut writer.text);
    for &global in &program.globals {
        writer.text.push_str("var ");
        writer.declare(global);
        writer.text.push_str(";\n");
    }
    let mut text = writer.functions.declarations();
    for part in [writer.text, term_functions, procedures] {
        if !text.is_empty() && !part.is_empty() {
            text.push('\n');
        }
        text.push_str(&part);
    }
    text
}

struct Writer<'p> {
    program: &'p Program,
    /// For negations of conditions.
    terms: term::Terms,
    /// What terms become when they are built again.
    rebuilt: FxHashMap<Term, Term>,
    names: Names,
    functions: Functions,
    mutable_parameters: FxHashSet<Term>,
    text: String,
}

impl Writer<'_> {
    fn procedure(&mut self, id: ProcedureId, procedure: &Procedure) {
        let separator = if id.0 > 0 { "\n" } else { "" };
        self.text.push_str(&format!("{separator}procedure "));
        self.entry_point(id);
        let name = self.names.of_procedure(id);
        if name != procedure.name {
            self.text.push_str(&format!("{{:name {}}} ", quoted(&procedure.name)));
        }
        self.text.push_str(&format!("{name}("));
        self.declare_list(&procedure.parameters);
        self.text.push(')');
        if !procedure.results.is_empty() {
            self.text.push_str(" returns (");
            self.declare_list(&procedure.results);
            self.text.push(')');
        }
        self.text.push_str("\n{\n");
        for &local in &procedure.locals {
            self.text.push_str("  var ");
            self.declare(local);
            self.text.push_str(";\n");
        }
        self.body(id, procedure);
        self.text.push_str("}\n");
    }

    /// Marks entries with their places in the order, and one procedure if there are none.
    fn entry_point(&mut self, id: ProcedureId) {
        let entries = self.program.entries.iter().enumerate();
        let places: Vec<String> = entries
            .filter(|(_, entry)| **entry == id)
            .map(|(place, _)| place.to_string())
            .collect();
        if !places.is_empty() {
            self.text.push_str(&format!("{{:entrypoint {}}} ", places.join(", ")));
        } else if self.program.entries.is_empty() && id.0 == 0 {
            self.text.push_str("{:entrypoint false} ");
        }
    }

    fn declare_list(&mut self, variables: &[Term]) {
        for (index, &variable) in variables.iter().enumerate() {
            if index > 0 {
                self.text.push_str(", ");
            }
            self.declare(variable);
        }
    }

    /// `name: type`
    fn declare(&mut self, variable: Term) {
        if self.mutable_parameters.contains(&variable) {
            self.text.push_str("{:mutable} ");
        }
        let name = self.names.of_variable(variable);
        let shown = self.program.name(variable);
        if name != shown {
            self.text.push_str(&format!("{{:name {}}} ", quoted(shown)));
        }
        self.text.push_str(&format!("{name}: {}", type_of(self.program.terms.sort(variable))));
    }
}

/// The parameters that some statement changes.
fn mutable_parameters(program: &Program) -> FxHashSet<Term> {
    let mut assigned: FxHashSet<Term> = FxHashSet::default();
    for edge in &program.edges {
        assigned.extend(edge.statement.targets());
    }
    let parameters = program.procedures.iter().flat_map(|procedure| &procedure.parameters);
    parameters.copied().filter(|parameter| assigned.contains(parameter)).collect()
}

/// The sort in Boogie's words.
fn type_of(sort: &Sort) -> String {
    match sort {
        Sort::Bool => "bool".to_owned(),
        Sort::Int => "int".to_owned(),
        Sort::Real => "real".to_owned(),
        Sort::BitVec(width) => format!("bv{width}"),
        Sort::Float(f) => format!("float{}e{}", f.precision(), f.exponent_bits()),
        Sort::Array(array) => format!("[{}]{}", type_of(&array.index), type_of(&array.element)),
    }
}

/// The text as arguments of an attribute: strings, and numbers for characters that cannot be
/// inside a string.
fn quoted(text: &str) -> String {
    let mut parts = vec![String::new()];
    for c in text.chars() {
        match c {
            '\n' | '\\' => parts.extend([u32::from(c).to_string(), String::new()]),
            '"' => parts.last_mut().into_iter().for_each(|part| part.push_str("\\\"")),
            _ => parts.last_mut().into_iter().for_each(|part| part.push(c)),
        }
    }
    let parts = parts.iter().enumerate().filter(|(i, part)| *i == 0 || !part.is_empty());
    let quote = |(i, part): (usize, &String)| match i % 2 {
        0 => format!("\"{part}\""),
        _ => part.clone(),
    };
    parts.map(quote).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts() {
        assert_eq!(quoted(""), r#""""#);
        assert_eq!(quoted("a \"b\""), r#""a \"b\"""#);
        assert_eq!(quoted("a\nb\\"), r#""a", 10, "b", 92"#);
    }

    #[test]
    fn types() {
        let sort = Sort::array(Sort::array(Sort::Int, Sort::Bool), Sort::BitVec(8));
        assert_eq!(type_of(&sort), "[[int]bool]bv8");
    }
}
