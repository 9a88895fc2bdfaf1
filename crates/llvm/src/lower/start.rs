//! How a program starts: variables get their initial values, then `main` is called.

use program::{Place, Site, Statement, Trust, VariableRole};

use super::Lowering;
use super::sites::What;
use crate::module::{FunctionId, GlobalId};

impl Lowering<'_> {
    /// Enters the program at `main`, or at a procedure that does what happens before it.
    pub fn start(&mut self, main: FunctionId, constructors: &[FunctionId]) {
        let Some(signature) = self.signatures.get(&main).cloned() else { return };
        let globals: Vec<_> = (0..self.globals.len() as u32)
            .map(GlobalId)
            .filter_map(|id| Some((id, self.globals[id.index()]?)))
            .collect();
        if globals.is_empty() && constructors.is_empty() && !signature.variadic {
            self.builder.enter_at(signature.procedure);
            return;
        }
        let procedure = self.builder.procedure("<start>");
        let mut arguments = Vec::new();
        for (index, sort) in signature.parameters.iter().flatten().enumerate() {
            let name = ["argc", "argv", "envp"].get(index).copied().unwrap_or("argument");
            let term = self.builder.parameter(procedure, name, sort);
            self.builder.describe(term, VariableRole::Temporary, None);
            arguments.push(term);
        }
        if signature.variadic {
            arguments.push(self.word(0));
        }
        let mut results = Vec::new();
        for sort in &signature.results {
            let term = self.builder.result(procedure, "exit status", sort);
            self.builder.describe(term, VariableRole::Temporary, None);
            results.push(term);
        }
        let made = self.made();
        let mut at = self.builder.entry_of(procedure);
        for (id, term) in globals {
            let site = self.initialisation(id);
            let value = self.initial_value(id, term);
            let next = self.builder.location(procedure);
            let place = Place::variable(term);
            self.builder.edge(at, next, Statement::Assign { place, value }, site);
            at = next;
        }
        for constructor in constructors {
            let Some(signature) = self.signatures.get(constructor).cloned() else { continue };
            let next = self.builder.location(procedure);
            let sorts: Vec<_> = signature.parameters.iter().flatten().cloned().collect();
            let arguments = sorts.iter().map(|sort| self.zero(sort)).collect();
            let results = signature.results.iter().map(|sort| {
                let term = self.builder.local(procedure, "", sort);
                self.builder.describe(term, VariableRole::Temporary, None);
                term
            });
            let results = results.collect();
            let call = Statement::Call { callee: signature.procedure, arguments, results };
            self.builder.edge(at, next, call, made);
            at = next;
        }
        let next = self.builder.location(procedure);
        let call = Statement::Call { callee: signature.procedure, arguments, results };
        self.builder.edge(at, next, call, made);
        let exit = self.builder.exit_of(procedure);
        self.builder.edge(next, exit, Statement::Return, made);
        self.builder.enter_at(procedure);
    }

    fn initial_value(&mut self, id: GlobalId, term: term::Term) -> term::Term {
        let sort = self.builder.terms.sort(term).clone();
        let initial = self.module.globals[id.index()].initial;
        match initial.and_then(|initial| self.constant(initial)).as_deref() {
            Some(&[value]) => self.fit(value, &sort),
            _ => self.zero(&sort),
        }
    }

    /// An initial value that the programmer wrote may be wrong; zero by default is what the language says.
    fn initialisation(&mut self, id: GlobalId) -> program::SiteId {
        let global = &self.module.globals[id.index()];
        let (Some(name), Some(location)) = (&global.name, global.location) else {
            return self.made();
        };
        let Some((span, text)) = self.declaration(location, name) else { return self.made() };
        self.new_site(Site { span: Some(span), text, trust: Trust::User, property: None })
    }

    /// `name = value` in the line of a declaration.
    fn declaration(
        &self,
        location: crate::module::Location,
        name: &str,
    ) -> Option<(program::Span, String)> {
        for at in self.occurrences(location, name) {
            if let (Some(span), Some(text)) = self.text(at, What::Assign)
                && text.contains('=')
            {
                return Some((span, text));
            }
        }
        None
    }
}
