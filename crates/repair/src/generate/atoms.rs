//! Comparisons that might be missing: as a part of a condition, or as a guard.

use program::syntax::{NodeId, Role};
use rustc_hash::FxHashSet;

use super::levels::ADD;
use super::pools::is_comparison;
use super::{Dialect, Generator};

/// So many variables and elements are compared.
const MOST_TERMS: usize = 9;
/// With so many constants of the file besides 0 and 1.
const MOST_CONSTANTS: usize = 5;

impl Generator<'_> {
    /// Comparisons that make sense before a place: those of the function, then such about names that are
    /// near, the simplest first. Each with how far-fetched it is.
    pub fn atoms(&self, near: NodeId, at: u32, most: usize) -> Vec<(String, u32)> {
        let mut found: Vec<(String, u32)> = Vec::new();
        let function = self.syntax.function(near);
        for &(comparison, of) in &self.pools.comparisons {
            if of == function && self.is_known_at(comparison, at) {
                let text = self.text(comparison);
                found.push((text.to_owned(), 0));
                found.push((self.opposite(comparison), 1));
            }
        }
        let terms = self.terms(near, at);
        let (equal, pairs): (&[&str], &[&str]) =
            (&["==", "!=", ">", "<"], &["==", "!=", "<", "<="]);
        let mut constants = vec!["0".to_owned(), "1".to_owned()];
        let others = self.pools.integers.iter().filter(|it| it.len() <= 6);
        let others = others.filter(|it| !constants.contains(it)).take(MOST_CONSTANTS);
        let others: Vec<String> = others.cloned().collect();
        constants.extend(others);
        found.extend(self.beside(near));
        for (i, x) in terms.iter().enumerate() {
            let i = i as u32;
            for constant in &constants {
                for operator in equal {
                    let odd = u32::from(constant.len() > 1 || !"01".contains(&constant[..]));
                    let order = u32::from(matches!(*operator, "<" | ">"));
                    found.push((format!("{x} {operator} {constant}"), 2 * i + 2 * odd + order));
                }
            }
            for (j, y) in terms.iter().enumerate() {
                let j = j as u32;
                for operator in pairs {
                    let is_twice = matches!(*operator, "==" | "!=") && j < i;
                    if i != j && !is_twice {
                        found.push((format!("{x} {operator} {y}"), i + j));
                    }
                }
            }
        }
        found.extend(self.flags(at));
        found.extend(self.pointers(near, at).into_iter().map(|text| (text, 1)));
        found.sort_by_key(|(_, odd)| *odd);
        let mut seen: FxHashSet<String> = FxHashSet::default();
        found.retain(|(text, _)| seen.insert(text.clone()));
        found.truncate(most);
        found
    }

    /// Comparisons with constants that are near to those of a condition.
    fn beside(&self, near: NodeId) -> Vec<(String, u32)> {
        let mut found = Vec::new();
        for id in self.syntax.within(near) {
            let part = |role| self.syntax.child(id, role);
            let (Some(left), Some(right)) = (part(Role::Left), part(Role::Right)) else { continue };
            let Ok(value) = self.text(right).parse::<i64>() else { continue };
            if is_comparison(self.syntax.operator(id)) && self.syntax.is_pure(left) {
                let left = self.operand(left, ADD);
                for other in [value + 1, value - 1] {
                    found.push((format!("{left} == {other}"), 3));
                    found.push((format!("{left} != {other}"), 3));
                }
            }
        }
        found
    }

    /// Integers that can be read before a place, those first that are mentioned near.
    fn terms(&self, near: NodeId, at: u32) -> Vec<String> {
        let names = self.names_in(near);
        let values = self.values_at(at);
        let scalars = values
            .iter()
            .filter(|it| it.ty.is_integer() && it.meaning != program::syntax::Meaning::Constant)
            .map(|it| (!names.contains(&it.name), it.name.as_str()));
        let inner = self.syntax.within(near);
        let mut elements: Vec<(bool, &str)> = Vec::new();
        for &(element, of) in &self.pools.elements {
            let text = self.text(element);
            let is_far = !inner.iter().any(|it| self.text(*it) == text);
            let is_new = !elements.iter().any(|(_, known)| *known == text);
            if of == self.syntax.function(near)
                && self.syntax.node(element).ty.is_integer()
                && is_new
                && self.is_known_at(element, at)
            {
                elements.push((is_far, text));
            }
        }
        // What is mentioned comes first, and elements before variables.
        elements.sort_by_key(|(is_far, _)| *is_far);
        elements.truncate(3);
        let mut terms: Vec<(bool, &str)> = elements.into_iter().chain(scalars).collect();
        terms.sort_by_key(|(is_far, _)| *is_far);
        terms.truncate(MOST_TERMS);
        terms.into_iter().map(|(_, term)| term.to_owned()).collect()
    }

    /// Variables of Boogie that are true or false.
    fn flags(&self, at: u32) -> Vec<(String, u32)> {
        let is_flag = |it: &&program::syntax::Declaration| {
            self.is_boolean(it.ty) && it.meaning != program::syntax::Meaning::Constant
        };
        let values = self.values_at(at);
        let names = values.iter().filter(is_flag).map(|it| it.name.as_str());
        names.flat_map(|name| [(name.to_owned(), 1), (format!("!{name}"), 1)]).collect()
    }

    /// Whether it is the type of truth values, which is one in Boogie.
    pub fn is_boolean(&self, ty: program::syntax::Type) -> bool {
        let name = self.syntax.types.get(ty.name as usize);
        self.given.dialect == Dialect::Boogie && name.is_some_and(|it| it == "bool")
    }

    /// That pointers which are mentioned near are not null.
    fn pointers(&self, near: NodeId, at: u32) -> Vec<String> {
        if self.given.dialect != Dialect::C {
            return Vec::new();
        }
        let names = self.names_in(near);
        let values = self.values_at(at).into_iter();
        let pointers =
            values.filter(|it| it.ty.is_pointer() && !it.ty.is_array && names.contains(&it.name));
        pointers.map(|it| format!("{} != 0", it.name)).collect()
    }

    /// The opposite of a comparison.
    pub fn opposite(&self, comparison: NodeId) -> String {
        let part = |role| self.syntax.child(comparison, role).map_or("", |it| self.text(it));
        let operator = match self.syntax.operator(comparison) {
            "<" => ">=",
            "<=" => ">",
            ">" => "<=",
            ">=" => "<",
            "==" => "!=",
            _ => "==",
        };
        format!("{} {operator} {}", part(Role::Left), part(Role::Right))
    }
}
