//! Edits of declarations: initial values, sizes of arrays, wider types.

use program::syntax::{Class, Kind as Node, NodeId, Range, Role};

use super::Generator;
use super::levels::{ADD, MULTIPLY};
use crate::edit::Replacement;
use crate::kinds::Kind;

/// Types that are taken for too narrow ones, how they are read and printed, and how far-fetched that is.
const WIDER: [(&[&str], &str, &str, &str, u32); 7] = [
    (&["int", "long", "unsigned", "unsigned int", "short"], "long long", "lld", "lld", 0),
    (&["float"], "double", "lf", "f", 0),
    (&["int", "long", "long long"], "unsigned long long", "llu", "llu", 8),
    (&["int", "long", "long long"], "double", "lf", "f", 8),
    (&["char"], "int", "d", "d", 4),
    (&["double"], "long double", "Lf", "Lf", 6),
    (&["int"], "unsigned", "u", "u", 8),
];

impl Generator<'_> {
    pub fn declaration(&mut self, id: NodeId) {
        match self.syntax.kind(id) {
            Node::Declare if self.is_c() => {
                self.initialised(id);
                self.wider(id);
                self.larger(id);
            }
            Node::Declarator => self.size(id),
            _ => {}
        }
    }

    /// The names that a declaration declares, each with its declarator.
    fn declared(&self, id: NodeId) -> Vec<(NodeId, String)> {
        let items = self.syntax.children(id, Role::Item);
        let mut found = Vec::new();
        for item in items {
            let names = self.syntax.within(item).into_iter();
            let name = names
                .filter(|it| self.syntax.kind(*it) == Node::Name)
                .find(|it| self.syntax.role(*it) != Some(Role::Initial));
            if let Some(name) = name {
                found.push((item, self.text(name).to_owned()));
            }
        }
        found
    }

    fn initialised(&mut self, id: NodeId) {
        let is_local = self.syntax.function(id).is_some();
        for (item, name) in self.declared(id) {
            let range = self.syntax.range(item);
            let own = self.syntax.declarations.iter().rev();
            let Some(declared) =
                own.into_iter().find(|it| it.name == name && it.scope.start == range.end)
            else {
                continue;
            };
            let (ty, is_set) = (declared.ty, self.syntax.child(item, Role::Initial).is_some());
            if is_set || !matches!(declared.meaning, program::syntax::Meaning::Variable) {
                continue;
            }
            let values: Vec<(String, u32)> = match (ty.depth, ty.is_array, ty.class) {
                (1.., true, _) => vec![("{0}".to_owned(), 2)],
                (1.., false, _) => vec![("0".to_owned(), 2)],
                (0, _, Class::Other | Class::Unknown) => vec![("{0}".to_owned(), 6)],
                _ => {
                    let constants = self.pools.integers.iter().take(6).cloned();
                    let mut all = vec![("0".to_owned(), 0), ("1".to_owned(), 2)];
                    all.push(("-1".to_owned(), 12));
                    all.extend(constants.map(|it| (it, 14)));
                    all
                }
            };
            for (value, less) in values {
                let weight = self.given.weights.weight(Kind::Initialised, "", &value);
                let less = if is_local { less } else { less + 14 };
                let new = format!(" = {value}");
                let replacement = Replacement { range: Range::at(range.end), new };
                let weight = weight.saturating_sub(less).max(1);
                self.add(Kind::Initialised, item, weight, vec![replacement]);
            }
        }
    }

    /// The size of an array that is not a plain number, which is edited as all numbers are.
    fn size(&mut self, id: NodeId) {
        let Some(size) = self.syntax.child(id, Role::Size) else { return };
        if self.syntax.kind(size) == Node::Integer {
            return;
        }
        let (sum, product) = (self.operand(size, ADD), self.operand(size, MULTIPLY));
        for (new, level) in [
            (format!("{sum} + 1"), ADD),
            (format!("{product} * 2"), MULTIPLY),
            (format!("{sum} + 5"), ADD),
        ] {
            self.replace(Kind::Size, size, &new, level);
        }
    }

    /// Several arrays that are declared together, all larger.
    fn larger(&mut self, id: NodeId) {
        let sizes = self.syntax.within(id).into_iter();
        let sizes: Vec<(NodeId, u64)> = sizes
            .filter(|it| self.syntax.role(*it) == Some(Role::Size))
            .filter_map(|it| Some((it, self.text(it).parse().ok()?)))
            .collect();
        if sizes.len() < 2 {
            return;
        }
        for larger in [|size: u64| size + 1, |size: u64| size * 10] {
            let new = |&(id, size): &(NodeId, u64)| Replacement {
                range: self.syntax.range(id),
                new: larger(size).to_string(),
            };
            let all: Vec<Replacement> = sizes.iter().map(new).collect();
            let weight = self.given.weights.weight(Kind::Size, "", "");
            self.add(Kind::Size, id, weight.saturating_sub(1).max(1), all);
        }
    }

    /// All variables of a type get a wider one.
    pub fn all_wider(&mut self) {
        let is_declared = |id: &NodeId| {
            self.syntax.kind(*id) == Node::Declare && self.syntax.child(*id, Role::Type).is_some()
        };
        let declared: Vec<NodeId> = self.syntax.ids().filter(is_declared).collect();
        for (narrow, wide, read, printed, less) in WIDER.into_iter().take(2) {
            let own = declared.iter().copied().filter(|id| {
                let ty = self.syntax.child(*id, Role::Type);
                ty.is_some_and(|ty| narrow.contains(&self.text(ty)))
            });
            let own: Vec<NodeId> = own.collect();
            let (Some(&first), true) = (own.first(), own.len() > 1) else { continue };
            let names: Vec<String> =
                own.iter().flat_map(|id| self.declared(*id)).map(|(_, name)| name).collect();
            let mut all: Vec<Replacement> = own
                .iter()
                .filter_map(|id| self.syntax.child(*id, Role::Type))
                .map(|ty| Replacement { range: self.syntax.range(ty), new: wide.to_owned() })
                .collect();
            all.extend(self.formats(&names, None, read, printed));
            let weight = self.given.weights.weight(Kind::Type, narrow[0], wide);
            self.add(Kind::Type, first, weight.saturating_sub(less + 2).max(1), all);
        }
    }

    /// A wider type, with the conversions by which its variables are read and printed.
    fn wider(&mut self, id: NodeId) {
        let Some(ty) = self.syntax.child(id, Role::Type) else { return };
        let name = self.text(ty).split_whitespace().collect::<Vec<_>>().join(" ");
        let names: Vec<String> = self.declared(id).into_iter().map(|(_, name)| name).collect();
        let scope = self.syntax.function(id).map(|it| self.syntax.range(it));
        for (narrow, wide, read, printed, less) in WIDER {
            if !narrow.contains(&name.as_str()) || names.is_empty() {
                continue;
            }
            let mut all = vec![Replacement { range: self.syntax.range(ty), new: wide.to_owned() }];
            all.extend(self.formats(&names, scope, read, printed));
            let weight = self.given.weights.weight(Kind::Type, &name, wide);
            self.add(Kind::Type, id, weight.saturating_sub(less).max(1), all);
        }
    }

    /// Formats in which variables are converted otherwise.
    fn formats(
        &self,
        names: &[String],
        scope: Option<Range>,
        read: &str,
        printed: &str,
    ) -> Vec<Replacement> {
        let mut found = Vec::new();
        for call in self.syntax.ids().filter(|it| self.syntax.kind(*it) == Node::Call) {
            let Some(base) = self.syntax.child(call, Role::Base) else { continue };
            let function = self.text(base);
            let conversion = match function {
                "scanf" | "fscanf" | "sscanf" => read,
                "printf" | "fprintf" | "sprintf" | "snprintf" => printed,
                _ => continue,
            };
            if scope.is_some_and(|scope| !scope.contains(self.syntax.range(call))) {
                continue;
            }
            let arguments: Vec<NodeId> = self.syntax.children(call, Role::Argument).collect();
            let Some(at) = arguments.iter().position(|it| self.syntax.kind(*it) == Node::Text)
            else {
                continue;
            };
            let values = arguments[at + 1..].iter().map(|&value| {
                let mentioned = self.names_in(value);
                names.iter().any(|name| mentioned.contains(name))
                    && !matches!(self.syntax.kind(self.syntax.bare(value)), Node::Call | Node::Cast)
            });
            let old = self.text(arguments[at]);
            let new = converted(old, &values.collect::<Vec<_>>(), conversion);
            if new != old {
                found.push(Replacement { range: self.syntax.range(arguments[at]), new });
            }
        }
        found
    }
}

/// A format with another conversion for some of its arguments.
fn converted(format: &str, wanted: &[bool], conversion: &str) -> String {
    let (mut result, mut rest, mut number) = (String::new(), format, 0);
    while let Some(at) = rest.find('%') {
        let after = &rest[at + 1..];
        let flags = after.find(|c: char| !"-+ #0123456789.*".contains(c)).unwrap_or(after.len());
        let kind = &after[flags..];
        let length = kind.find(|c: char| !"hlLqjzt".contains(c)).unwrap_or(kind.len());
        let letter = kind[length..].chars().next();
        result.push_str(&rest[..=at]);
        result.push_str(&after[..flags]);
        let end = flags + length + letter.map_or(0, char::len_utf8);
        match letter {
            Some('%') => result.push('%'),
            Some(letter) if letter.is_ascii_alphabetic() => {
                match wanted.get(number) == Some(&true) && letter != 's' {
                    true => result.push_str(conversion),
                    false => result.push_str(&after[flags..end]),
                }
                number += 1;
            }
            _ => result.push_str(&after[flags..end]),
        }
        rest = &after[end..];
    }
    result + rest
}

#[cfg(test)]
mod tests {
    use super::converted;

    #[test]
    fn conversions_of_chosen_arguments() {
        assert_eq!(converted("\"%d %5d%%\\n\"", &[false, true], "lld"), "\"%d %5lld%%\\n\"");
        assert_eq!(converted("\"%s %d %", &[true, true], "lld"), "\"%s %lld %");
        assert_eq!(converted("\"%.2f\"", &[true], "Lf"), "\"%.2Lf\"");
    }
}
