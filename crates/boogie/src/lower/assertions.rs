//! What must hold: assertions, postconditions, invariants. Each is a branch to the error location.

use program::{FailureKind, Program, SiteId, Statement, Trust as SiteTrust};
use term::Term;

use super::attributes;
use super::bodies::Body;
use crate::ast::{Attribute, ExprId, ExprKind, Invariant, Span, SpecificationKind, Trust};
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
        let violated = self.lowering.builder.terms.not(condition);
        self.fail_if(violated, site);
        self.assume(condition, site);
    }

    fn fail_if(&mut self, condition: Term, site: SiteId) {
        let statement = Statement::Assume { condition };
        self.lowering.builder.edge(self.at, Program::ERROR, statement, site);
    }

    pub fn assertion(&mut self, condition: ExprId, span: Span, attributes: &[Attribute]) {
        let site = self.assertion_site("assert", condition, span, attributes);
        let term = self.expression(condition);
        // Nothing follows `assert false`. Only if it says so: whether a condition is simplified to
        // false must not decide about the graph.
        match self.lowering.ast.expressions[condition].kind {
            ExprKind::Bool(false) => {
                let always = self.lowering.builder.terms.bool(true);
                self.fail_if(always, site);
                self.at = self.location();
            }
            _ => self.check(term, site),
        }
    }

    /// `assume {:error} condition`: fails if the condition holds, and does not go on.
    pub fn failure(&mut self, condition: ExprId, span: Span, attributes: &[Attribute]) {
        let site = self.assertion_site("assume", condition, span, attributes);
        let term = self.expression(condition);
        self.fail_if(term, site);
        self.at = self.location();
    }

    fn assertion_site(
        &mut self,
        keyword: &str,
        condition: ExprId,
        span: Span,
        attributes: &[Attribute],
    ) -> SiteId {
        let property = self.lowering.property(FailureKind::Assertion, condition, "", attributes);
        let text = format!("{keyword} {}", self.lowering.line_of(condition));
        self.lowering.checked_site(span, text, attributes::trust(attributes), property)
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
