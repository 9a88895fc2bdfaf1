//! How a program starts and ends: variables get their initial values, then `main` is called.

use program::{LocationId, Memory, Place, ProcedureId, Site, Statement, Trust, VariableRole};
use term::{Sort, Term};

use super::Lowering;
use super::initial::First;
use super::reach::reach;
use super::sites::What;
use crate::module::{FunctionId, GlobalId};

/// What is called before and after `main`, in programs that need it.
#[derive(Clone, Debug)]
pub(super) struct Around {
    constructors: Vec<FunctionId>,
    destructors: Vec<FunctionId>,
    /// Functions of the small C library: for the environment, for an action at the end, for all these actions.
    begin: Option<FunctionId>,
    at_exit: Option<FunctionId>,
    end: Option<FunctionId>,
}

/// What the world gives to `main`, and the bits that it has.
const GIVEN: [(&str, u32); 3] = [("argc", 32), ("argv", 64), ("envp", 64)];
/// The variables that must be set before `main`.
const VARIABLES: [&str; 5] = [
    "environ",
    "__environ",
    "_environ",
    "program_invocation_name",
    "program_invocation_short_name",
];

impl Around {
    pub fn new(lowering: &Lowering<'_>, main: FunctionId) -> Around {
        let module = lowering.module;
        let constructors = lowering.listed("llvm.global_ctors");
        let destructors = lowering.listed("llvm.global_dtors");
        let roots: Vec<_> =
            constructors.iter().chain(&destructors).copied().chain([main]).collect();
        let reached = reach(module, &roots);
        let function = |name: &str| {
            let found = module.functions.iter().position(|f| f.symbol == name);
            found.map(|index| FunctionId(index as u32))
        };
        let is_used = |name: &str| function(name).is_some_and(|id| reached.functions[id.index()]);
        let has_actions = !destructors.is_empty() || is_used("atexit") || is_used("on_exit");
        let mut globals = module.globals.iter().zip(&reached.globals);
        let has_variables =
            globals.any(|(global, &reached)| reached && VARIABLES.contains(&&*global.symbol));
        Around {
            begin: function("__whydunit_begin").filter(|_| has_variables),
            at_exit: function("atexit").filter(|_| !destructors.is_empty()),
            end: function("__whydunit_end").filter(|_| has_actions),
            constructors,
            destructors,
        }
    }

    pub fn functions(&self) -> impl Iterator<Item = FunctionId> {
        let own = self.constructors.iter().chain(&self.destructors).copied();
        own.chain(self.begin).chain(self.at_exit).chain(self.end)
    }
}

impl Lowering<'_> {
    /// Enters the program at `main`, or at a procedure that does what happens before and after it.
    pub fn start(&mut self, main: FunctionId, around: &Around) {
        let Some(signature) = self.signatures.get(&main).cloned() else { return };
        let globals: Vec<_> = (0..self.globals.len() as u32)
            .map(GlobalId)
            .filter_map(|id| Some((id, self.globals[id.index()]?)))
            .collect();
        let alone = around.functions().next().is_none();
        if globals.is_empty() && self.firsts.is_empty() && alone && !signature.variadic {
            self.builder.enter_at(signature.procedure);
            return;
        }
        let procedure = self.builder.procedure("<start>");
        let sorts: Vec<Sort> = signature.parameters.iter().flatten().cloned().collect();
        let given = self.given(procedure, &sorts, around);
        let mut arguments = given[..sorts.len()].to_vec();
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
        for First { object, offset, value, site } in std::mem::take(&mut self.firsts) {
            let next = self.builder.location(procedure);
            let initialise = Memory::Initialise { object, offset, value };
            self.builder.edge(at, next, Statement::Memory(initialise), site);
            at = next;
        }
        if let Some(begin) = around.begin {
            at = self.call_around(begin, &given, procedure, at);
        }
        // What is registered first runs last.
        for (&destructor, at_exit) in around.destructors.iter().zip(around.at_exit.iter().cycle()) {
            let address = self.function_target(destructor).address();
            let address = self.word(address);
            at = self.call_around(*at_exit, &[address], procedure, at);
        }
        for &constructor in &around.constructors {
            at = self.call_around(constructor, &[], procedure, at);
        }
        let next = self.builder.location(procedure);
        let call =
            Statement::Call { callee: signature.procedure, arguments, results: results.clone() };
        self.builder.edge(at, next, call, made);
        at = next;
        if let Some(end) = around.end {
            at = self.call_around(end, &results, procedure, at);
        }
        let exit = self.builder.exit_of(procedure);
        self.builder.edge(at, exit, Statement::Return, made);
        self.builder.enter_at(procedure);
    }

    /// What the world gives: as much as `main` wants, and all if somebody else wants it.
    fn given(&mut self, procedure: ProcedureId, wanted: &[Sort], around: &Around) -> Vec<Term> {
        let least = if around.begin.is_some() { GIVEN.len() } else { 0 };
        let parameters = (0..wanted.len().max(least)).map(|index| {
            let (name, width) = GIVEN.get(index).copied().unwrap_or(("argument", 64));
            let sort = wanted.get(index).cloned().unwrap_or(Sort::BitVec(width));
            let term = self.builder.parameter(procedure, name, &sort);
            self.builder.describe(term, VariableRole::Temporary, None);
            term
        });
        parameters.collect()
    }

    /// Calls a function with these arguments, as far as it has parameters; missing ones are zero.
    fn call_around(
        &mut self,
        function: FunctionId,
        given: &[Term],
        procedure: ProcedureId,
        at: LocationId,
    ) -> LocationId {
        let Some(signature) = self.signatures.get(&function).cloned() else { return at };
        let sorts = signature.parameters.iter().flatten().enumerate();
        let arguments = sorts.map(|(index, sort)| match given.get(index) {
            Some(&term) => self.fit(term, sort),
            None => self.zero(sort),
        });
        let arguments = arguments.collect();
        let results = signature.results.iter().map(|sort| {
            let term = self.builder.local(procedure, "", sort);
            self.builder.describe(term, VariableRole::Temporary, None);
            term
        });
        let results = results.collect();
        let (next, made) = (self.builder.location(procedure), self.made());
        let call = Statement::Call { callee: signature.procedure, arguments, results };
        self.builder.edge(at, next, call, made);
        next
    }

    fn initial_value(&mut self, id: GlobalId, term: Term) -> Term {
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
