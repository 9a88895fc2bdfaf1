//! The bodies of procedures.

use program::{
    Edge, EdgeId, FailureKind, LocationId, Place, Procedure, ProcedureId, Program, Site, Statement,
    Trust,
};
use term::Term;

use super::{Writer, quoted};

impl Writer<'_> {
    pub(super) fn body(&mut self, id: ProcedureId, procedure: &Procedure) {
        let inside = self.program.locations.iter().enumerate();
        let inside = inside.filter(|(_, location)| location.procedure == Some(id));
        let inside = inside.map(|(index, _)| LocationId(index as u32));
        let inside = inside.filter(|&at| at != procedure.entry && at != procedure.exit);
        let order: Vec<LocationId> = std::iter::once(procedure.entry).chain(inside).collect();
        for (index, &at) in order.iter().enumerate() {
            self.location(at, order.get(index + 1).copied());
        }
    }

    /// The statements at a location; that of `next` follow in the text.
    fn location(&mut self, at: LocationId, next: Option<LocationId>) {
        let groups = self.groups(at);
        self.text.push_str(&format!("L{}:\n", at.0));
        if groups.is_empty() {
            return self.text.push_str("  assume {:halt} false;\n");
        }
        if groups.len() > 1 {
            let labels: Vec<_> = (0..groups.len()).map(|i| format!("L{}_{i}", at.0)).collect();
            self.text.push_str(&format!("  goto {};\n", labels.join(", ")));
        }
        for (index, group) in groups.iter().enumerate() {
            if groups.len() > 1 {
                self.text.push_str(&format!("L{}_{index}:\n", at.0));
            }
            let follows = if index + 1 == groups.len() { next } else { None };
            self.group(group, follows);
        }
    }

    /// The edges that leave a location, those together that are one assertion.
    fn groups(&mut self, at: LocationId) -> Vec<Vec<EdgeId>> {
        let mut groups: Vec<Vec<EdgeId>> = Vec::new();
        for &edge in &self.program.location(at).edges {
            match groups.last_mut() {
                Some(group) if group.len() == 1 && self.are_assertion(group[0], edge) => {
                    group.push(edge);
                }
                _ => groups.push(vec![edge]),
            }
        }
        groups
    }

    /// Whether two edges are what an assertion is read as.
    fn are_assertion(&mut self, fails: EdgeId, holds: EdgeId) -> bool {
        let (fails, holds) = (self.program.edge(fails), self.program.edge(holds));
        let (Statement::Assume { condition: violated }, Statement::Assume { condition }) =
            (&fails.statement, &holds.statement)
        else {
            return false;
        };
        fails.to == Program::ERROR
            && holds.to != Program::ERROR
            && self.site(fails).trust == self.site(holds).trust
            && !self.terms.is_false(*condition)
            && self.terms.not(*condition) == *violated
            && self.is_read_as_complement(*condition, *violated)
    }

    /// Constructors may simplify more when they see a term again, so what is read is not always the
    /// term that was written; the halves must fit even then.
    fn is_read_as_complement(&mut self, condition: Term, violated: Term) -> bool {
        let (condition, violated) = (self.rebuilt(condition), self.rebuilt(violated));
        self.terms.not(condition) == violated
    }

    fn rebuilt(&mut self, root: Term) -> Term {
        for term in self.terms.reachable(&[root]) {
            if self.rebuilt.contains_key(&term) {
                continue;
            }
            let arguments = self.terms.args(term).to_vec();
            let same = |argument: &Term| self.rebuilt.get(argument).copied().unwrap_or(*argument);
            let arguments: Vec<Term> = arguments.iter().map(same).collect();
            let sort = self.terms.sort(term).clone();
            let rebuilt = self.terms.make(self.terms.op(term), &sort, &arguments);
            self.rebuilt.insert(term, rebuilt);
        }
        self.rebuilt.get(&root).copied().unwrap_or(root)
    }

    fn site(&self, edge: &Edge) -> &Site {
        self.program.site(edge.site)
    }

    fn group(&mut self, group: &[EdgeId], next: Option<LocationId>) {
        let Some(last) = group.last().map(|&edge| self.program.edge(edge)) else { return };
        self.text.push_str("  ");
        match (&last.statement, group) {
            (Statement::Assume { condition }, &[fails, _]) => {
                self.check("assert", self.program.edge(fails));
                self.term(*condition);
                self.text.push_str(";\n");
            }
            (Statement::Assume { condition }, _) if last.to == Program::ERROR => {
                self.failure(last, *condition);
            }
            _ => self.statement(last),
        }
        if last.to != Program::ERROR && last.statement != Statement::Return && next != Some(last.to)
        {
            self.text.push_str(&format!("  goto L{};\n", last.to.0));
        }
    }

    /// An edge to the error location that is not half of an assertion. For other tools it is an
    /// assumption and a failed assertion; we read the former alone.
    fn failure(&mut self, edge: &Edge, condition: Term) {
        if !self.terms.is_true(condition) {
            self.check("assume {:error}", edge);
            self.term(condition);
            self.text.push_str(";\n  ");
        }
        self.check("assert", edge);
        self.text.push_str("false;\n");
    }

    /// A statement that may fail, up to its condition.
    fn check(&mut self, keyword: &str, fails: &Edge) {
        let trusted = self.trusted(fails);
        self.text.push_str(&format!("{keyword} {trusted}"));
        if let Some(property) = &self.program.site(fails.site).property {
            if property.kind != FailureKind::Assertion {
                self.text.push_str(&format!("{{:kind \"{}\"}} ", property.kind.name()));
            }
            self.text.push_str(&format!("{{:msg {}}} ", quoted(&property.message)));
        }
    }

    fn trusted(&self, edge: &Edge) -> &'static str {
        match self.site(edge).trust {
            Trust::Trusted => "{:trusted} ",
            Trust::User => "",
        }
    }

    fn statement(&mut self, edge: &Edge) {
        let trusted = self.trusted(edge);
        match &edge.statement {
            Statement::Assign { place, value } => {
                self.place(place);
                self.text.push_str(&format!(" := {trusted}"));
                self.term(*value);
            }
            Statement::Havoc { place } if place.indices.is_empty() => {
                self.text.push_str(&format!("havoc {trusted}"));
                self.place(place);
            }
            Statement::Havoc { place } => {
                self.place(place);
                self.text.push_str(&format!(" := {trusted}{{:havoc}} "));
                self.place(place);
            }
            Statement::Assume { condition } => {
                self.text.push_str(&format!("assume {trusted}"));
                self.term(*condition);
            }
            Statement::Call { callee, arguments, results } => {
                self.text.push_str(&format!("call {trusted}"));
                let mut distinct = results.clone();
                distinct.sort_unstable();
                distinct.dedup();
                if distinct.len() < results.len() {
                    self.text.push_str("{:repeated} ");
                }
                let targets: Vec<_> = results.iter().map(|&r| self.names.of_variable(r)).collect();
                let targets = targets.join(", ");
                self.text.push_str(&targets);
                let becomes = if results.is_empty() { "" } else { " := " };
                let name = self.names.of_procedure(*callee);
                self.text.push_str(&format!("{becomes}{name}("));
                for (index, &argument) in arguments.iter().enumerate() {
                    self.text.push_str(if index > 0 { ", " } else { "" });
                    self.term(argument);
                }
                self.text.push(')');
            }
            // Boogie has no memory: what is written here is for people, and does not read back.
            Statement::CallPointer { .. } | Statement::External { .. } | Statement::Memory(_) => {
                self.text.push_str(&format!("// {:?}", edge.statement));
            }
            Statement::Return => self.text.push_str(format!("return {trusted}").trim_end()),
        }
        self.text.push_str(";\n");
    }

    fn place(&mut self, place: &Place) {
        self.text.push_str(self.names.of_variable(place.variable));
        for &index in &place.indices {
            self.text.push('[');
            self.term(index);
            self.text.push(']');
        }
    }
}
