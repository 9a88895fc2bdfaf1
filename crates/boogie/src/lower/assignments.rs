//! Assignments. A parallel one becomes one after the other, so what a later part reads and an
//! earlier one writes is saved before.

use program::{Place, Statement};
use term::Term;

use super::attributes;
use super::bodies::Body;
use crate::ast::{Attribute, ExprId, Span, Target};

/// One part of a parallel assignment.
struct Part {
    name: String,
    place: Place,
    value: Term,
    span: Span,
    text: String,
}

impl Body<'_, '_> {
    pub fn assignment(
        &mut self,
        targets: &[Target],
        values: &[ExprId],
        span: Span,
        attributes: &[Attribute],
    ) {
        let mut parts = Vec::new();
        for (target, &value) in targets.iter().zip(values) {
            let text =
                format!("{} := {}", self.lowering.line(target.span), self.lowering.line_of(value));
            let span = if targets.len() == 1 { span } else { target.span };
            if let Some(place) = self.place(target) {
                let name = target.variable.name.clone();
                parts.push(Part { name, place, value: self.expression(value), span, text });
            }
        }
        self.save_what_is_overwritten(&mut parts);
        let trust = attributes::trust(attributes);
        let havoc = attributes::has(attributes, "havoc");
        for Part { place, value, span, text, .. } in parts {
            let site = self.lowering.site(span, text, trust);
            let statement = match havoc {
                true => Statement::Havoc { place },
                false => Statement::Assign { place, value },
            };
            self.step(statement, site);
        }
    }

    fn place(&mut self, target: &Target) -> Option<Place> {
        let id = self.lowering.checked.variable_at(target.variable.span)?;
        let variable = self.lowering.variables[id.index()]?;
        let indices = target.indices.iter().flatten().map(|&index| self.expression(index));
        Some(Place { variable, indices: indices.collect() })
    }

    fn save_what_is_overwritten(&mut self, parts: &mut [Part]) {
        for later in 1..parts.len() {
            let (before, rest) = parts.split_at_mut(later);
            let Some(part) = rest.first_mut() else { return };
            let name = &part.name;
            let indices = part.place.indices.iter_mut().enumerate();
            let indices = indices.map(|(i, index)| (format!("{name}#index{i}"), index));
            let all = indices.chain([(format!("{name}#new"), &mut part.value)]);
            for (name, term) in all {
                let terms = &self.lowering.builder.terms;
                let written = before.iter().map(|earlier| earlier.place.variable);
                if written.into_iter().any(|variable| terms.mentions(*term, variable)) {
                    *term = self.saved(name, *term);
                }
            }
        }
    }

    /// A variable that has the present value of the term.
    pub fn saved(&mut self, name: String, term: Term) -> Term {
        let sort = self.lowering.builder.terms.sort(term).clone();
        let text = name.clone();
        let variable = self.temporary(name, &sort);
        let site = self.lowering.invented_site(&text);
        self.assign(variable, term, site);
        variable
    }
}
