//! What must hold: assertions, postconditions, invariants. Each is a branch to the error location.

use program::{FailureKind, Program, SiteId, Statement, Trust as SiteTrust};
use term::Term;

use super::attributes;
use super::bodies::Body;
use crate::ast::{Attribute, ExprId, Invariant, Span, SpecificationKind, Trust};
use crate::check::Procedure;

/// A condition that is checked or assumed again and again, always at the same site.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clause {
    condition: Term,
    trust: Trust,
    site: SiteId,
}

impl Body<'_, '_> {
    /// Fails if the condition does not hold, and goes on if it does.
    pub fn check(&mut self, condition: Term, site: SiteId) {
        self.fail_unless(condition, site);
        let next = self.location();
        if !self.lowering.builder.terms.is_false(condition) {
            self.lowering.builder.edge(self.at, next, Statement::Assume { condition }, site);
        }
        self.at = next;
    }

    fn fail_unless(&mut self, condition: Term, site: SiteId) {
        let violated = self.lowering.builder.terms.not(condition);
        let statement = Statement::Assume { condition: violated };
        self.lowering.builder.edge(self.at, Program::ERROR, statement, site);
    }

    pub fn assertion(&mut self, condition: ExprId, span: Span, attributes: &[Attribute]) {
        let property = self.lowering.property(FailureKind::Assertion, condition, "", attributes);
        let text = format!("assert {}", self.lowering.line_of(condition));
        let trust = attributes::trust(attributes);
        let site = self.lowering.checked_site(span, text, trust, property);
        let term = self.expression(condition);
        if attributes::has(attributes, "branch") {
            self.fail_unless(term, site);
            self.at = self.location();
        } else {
            self.check(term, site);
        }
    }

    pub fn declare_postconditions(&mut self, procedure: &Procedure) {
        let Some(declaration) = self.lowering.declaration_of(procedure) else { return };
        for specification in &declaration.specifications {
            if let SpecificationKind::Ensures(trust, condition) = specification.kind {
                let clause = self.clause(
                    (FailureKind::Postcondition, "ensures"),
                    trust,
                    condition,
                    specification.span,
                    &specification.attributes,
                );
                self.ensures.push(clause);
            }
        }
    }

    pub fn invariants(&mut self, invariants: &[Invariant]) {
        for invariant in invariants {
            let clause = self.clause(
                (FailureKind::Invariant, "invariant"),
                invariant.trust,
                invariant.condition,
                invariant.span,
                &invariant.attributes,
            );
            self.enforce(clause);
        }
    }

    fn clause(
        &mut self,
        (kind, keyword): (FailureKind, &str),
        trust: Trust,
        condition: ExprId,
        span: Span,
        attributes: &[Attribute],
    ) -> Clause {
        let text = format!("{keyword} {}", self.lowering.line_of(condition));
        let span = super::sites::without_semicolon(self.lowering.text, span);
        let site = match trust {
            Trust::Free => self.lowering.site(span, text, SiteTrust::Trusted),
            Trust::Checked => {
                let property = self.lowering.property(kind, condition, "", attributes);
                self.lowering.checked_site(span, text, attributes::trust(attributes), property)
            }
        };
        Clause { condition: self.expression(condition), trust, site }
    }

    fn enforce(&mut self, clause: Clause) {
        match clause.trust {
            Trust::Free => self.assume(clause.condition, clause.site),
            Trust::Checked => self.check(clause.condition, clause.site),
        }
    }

    /// Checks the postconditions and returns.
    pub fn leave(&mut self, site: SiteId) {
        for clause in self.ensures.clone() {
            self.enforce(clause);
        }
        let exit = self.lowering.builder.exit_of(self.procedure);
        self.lowering.builder.edge(self.at, exit, Statement::Return, site);
        self.at = self.location();
    }

    /// The return at the end of the body.
    pub fn finish(&mut self, brace: Span) {
        let site = self.lowering.site(brace, "}".to_owned(), SiteTrust::Trusted);
        self.leave(site);
    }
}
