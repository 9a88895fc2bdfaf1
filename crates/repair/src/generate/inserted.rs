//! What may be missing: statements before others or behind the last one, and cases that nobody thought of.

use program::syntax::{Declaration, Kind as Node, Meaning, NodeId, Range, Role, Type};

use super::Generator;
use crate::edit::Replacement;
use crate::kinds::Kind;

/// A statement is copied so far, in bytes.
const FAR: u32 = 1_500;
/// So many elements are set, and so many things are said or returned in cases that are added.
const MOST_ELEMENTS: usize = 4;
const MOST_ANSWERS: usize = 6;

/// Where something is put, seen from a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Before,
    Behind,
}

impl Generator<'_> {
    /// Whether nothing comes after a statement in its block, although it may go on there.
    pub fn is_last(&self, id: NodeId) -> bool {
        let leaves = matches!(
            self.syntax.kind(id),
            Node::Return | Node::Break | Node::Continue | Node::Goto | Node::Declare
        );
        let parent = self.syntax.parent(id);
        // What is behind the body of a macro or of a function is not a statement.
        let is_body = matches!(self.syntax.role(id), Some(Role::Then | Role::Else | Role::Body));
        let closes = parent.is_some_and(|parent| {
            let last = self.syntax.node(parent).children.last().map(|(_, last)| *last);
            self.syntax.kind(parent) == Node::Block && last == Some(id)
        });
        !leaves && (closes || is_body)
    }

    /// A statement before another one, or behind it.
    fn insert(&mut self, kind: Kind, (id, side): (NodeId, Side), new: &str, less: u32) {
        // What is between a check and where the program gives up belongs to the check.
        if self.is_claim(id) && self.syntax.ancestors(id).skip(1).any(|it| self.is_check(it)) {
            return;
        }
        let range = self.syntax.range(id);
        let (indentation, newline) = (self.indentation(range.start), self.newline());
        let weight = self.given.weights.weight(kind, "", "").saturating_sub(less).max(1);
        let put = |at: u32, new: String| Replacement { range: Range::at(at), new };
        let replacements = match (self.is_in_block(id), side) {
            (true, Side::Before) => vec![put(range.start, format!("{new}{newline}{indentation}"))],
            (true, Side::Behind) => vec![put(range.end, format!("{newline}{indentation}{new}"))],
            (false, Side::Before) => {
                vec![put(range.start, format!("{{ {new} ")), put(range.end, " }".to_owned())]
            }
            (false, Side::Behind) => {
                vec![put(range.start, "{ ".to_owned()), put(range.end, format!(" {new} }}"))]
            }
        };
        let place = if side == Side::Before { self.accused(id) } else { id };
        self.add(kind, place, weight, replacements);
    }

    /// Statements before this one or behind it: jumps, assignments, copies of others.
    pub fn inserted(&mut self, id: NodeId, side: Side) {
        let range = self.syntax.range(id);
        let at = if side == Side::Before { range.start } else { range.end };
        let is_first = self.syntax.kind(id) != Node::Declare || self.is_in_block(id);
        if !is_first {
            return;
        }
        let in_loop = self.in_loop(id);
        let jumps = self.jumps(id, in_loop);
        // What leaves just before something is claimed only avoids the claim.
        let is_claim = self.is_claim(id);
        for (jump, less) in jumps.iter().filter(|_| !is_claim) {
            if self.syntax.kind(id) != Node::Declare {
                self.insert(Kind::Jump, (id, side), jump, *less);
            }
        }
        let atoms = if is_claim { Vec::new() } else { self.atoms(id, at, 20) };
        for (atom, odd) in &atoms {
            for (jump, less) in &jumps {
                let guarded = self.guarded_text(atom, jump);
                self.insert(Kind::Guard, (id, side), &guarded, less + (*odd).min(6));
            }
        }
        self.assigned((id, side), at);
        if self.is_c() {
            self.normalised((id, side), at);
            self.said((id, side));
            if side == Side::Before && !is_claim {
                self.cases(id, &atoms);
            }
        }
        self.copies((id, side));
        self.null_after_free(id);
    }

    /// A statement that is done only if something holds.
    fn guarded_text(&self, atom: &str, statement: &str) -> String {
        match self.is_c() {
            true => format!("{} {statement}", self.guard_text(atom)),
            false => format!("{} {{ {statement} }}", self.guard_text(atom)),
        }
    }

    /// Variables get values.
    fn assigned(&mut self, spot: (NodeId, Side), at: u32) {
        let assign = if self.is_c() { "=" } else { ":=" };
        let variables = self.variables_at(at);
        let values = self.values_at(at);
        let flags: Vec<_> = variables.iter().filter(|it| self.is_boolean(it.ty)).collect();
        for variable in flags {
            for value in ["false", "true"] {
                self.insert(Kind::Inserted, spot, &format!("{} := {value};", variable.name), 2);
            }
        }
        let is_number = |ty: Type| if self.is_c() { ty.is_number() } else { ty.is_integer() };
        let numbers: Vec<_> = variables.iter().filter(|it| is_number(it.ty)).collect();
        for variable in &numbers {
            let name = &variable.name;
            self.insert(Kind::Inserted, spot, &format!("{name} {assign} 0;"), 0);
            self.insert(Kind::Inserted, spot, &format!("{name} {assign} 1;"), 4);
            if self.is_c() {
                self.insert(Kind::Inserted, spot, &format!("{name}++;"), 2);
                self.insert(Kind::Inserted, spot, &format!("{name}--;"), 4);
            } else {
                self.insert(Kind::Inserted, spot, &format!("{name} := {name} + 1;"), 2);
                self.insert(Kind::Inserted, spot, &format!("{name} := {name} - 1;"), 4);
            }
        }
        for variable in numbers {
            let name = &variable.name;
            for value in values.iter().filter(|it| it.name != *name && it.ty.is_integer()) {
                self.insert(Kind::Inserted, spot, &format!("{name} {assign} {};", value.name), 14);
            }
        }
    }

    /// Values are brought into a range, sums are kept, elements are set.
    fn normalised(&mut self, spot: (NodeId, Side), at: u32) {
        let near = self.names_in(spot.0);
        let is_plain = |it: &&Declaration| it.ty.is_integer() && it.meaning != Meaning::Constant;
        let values = self.values_at(at);
        let scalars: Vec<&str> =
            values.iter().filter(is_plain).map(|it| it.name.as_str()).collect();
        let targets: Vec<String> = self
            .variables_at(at)
            .into_iter()
            .filter(|it| it.ty.is_integer())
            .map(|it| it.name)
            .collect();
        let constants = values.iter().filter(|it| it.meaning == Meaning::Constant);
        let mut moduli: Vec<String> =
            constants.filter(|it| it.ty.is_integer()).map(|it| it.name.clone()).take(2).collect();
        let large = |it: &&String| it.parse::<u64>().is_ok_and(|it| it > 1);
        moduli.extend(self.pools.integers.iter().filter(large).take(3).cloned());
        let elements = self.elements_at(spot.0, at);
        for element in &elements {
            for (value, less) in [("= 0", 6), ("= 1", 8), ("++", 8), ("--", 10)] {
                let end = if value.starts_with('=') { " " } else { "" };
                let new = format!("{element}{end}{value};");
                self.insert(Kind::Inserted, spot, &new, less);
            }
        }
        for target in targets.iter().filter(|it| near.contains(*it)) {
            for modulus in &moduli {
                self.insert(Kind::Inserted, spot, &format!("{target} %= {modulus};"), 8);
            }
            for other in ["0", "-{}"].map(|it| it.replace("{}", target)) {
                let new =
                    format!("{} {target} = {other};", self.guard_text(&format!("{target} < 0")));
                self.insert(Kind::Inserted, spot, &new, 8);
            }
        }
        let others = scalars.iter().map(|it| (*it).to_owned()).chain(elements);
        for other in others.collect::<Vec<_>>() {
            for target in targets.iter().filter(|it| **it != other) {
                if !near.contains(target) && !near.contains(&other) {
                    continue;
                }
                for sign in ["+=", "-="] {
                    self.insert(Kind::Inserted, spot, &format!("{target} {sign} {other};"), 14);
                }
                for sign in [">", "<"] {
                    let larger = self.guard_text(&format!("{other} {sign} {target}"));
                    let new = format!("{larger} {target} = {other};");
                    self.insert(Kind::Inserted, spot, &new, 12);
                }
            }
        }
        let is_text = |it: &&Declaration| {
            it.ty.depth == 1 && it.ty.class == program::syntax::Class::Character
        };
        for text in values.iter().filter(is_text) {
            for index in
                scalars.iter().filter(|it| near.contains(**it) || near.contains(&text.name))
            {
                let new = format!("{}[{index}] = 0;", text.name);
                self.insert(Kind::Inserted, spot, &new, 10);
            }
        }
    }

    /// Elements of arrays that the function uses and that are known at a place.
    fn elements_at(&self, near: NodeId, at: u32) -> Vec<String> {
        let function = self.syntax.function(near);
        let mut found: Vec<(u32, String)> = Vec::new();
        for &(element, of) in &self.pools.elements {
            let text = self.text(element);
            if of == function
                && self.syntax.node(element).ty.is_integer()
                && !found.iter().any(|(_, known)| known == text)
                && self.is_known_at(element, at)
            {
                found.push((self.syntax.range(element).start.abs_diff(at), text.to_owned()));
            }
        }
        found.sort();
        found.into_iter().map(|(_, text)| text).take(MOST_ELEMENTS).collect()
    }

    /// Something is printed.
    fn said(&mut self, spot: (NodeId, Side)) {
        for says in self.pools.says.clone() {
            self.insert(Kind::Copied, spot, &says, 2);
        }
    }

    /// What the program prints or returns elsewhere, for a case that is added at a place.
    fn answers_at(&self, id: NodeId) -> Vec<String> {
        let at = self.syntax.range(id).start;
        let function = self.syntax.function(id);
        let mut found: Vec<String> = Vec::new();
        for &output in &self.pools.outputs {
            let text = self.text(output).to_owned();
            if self.syntax.function(output) == function
                && output != id
                && self.is_known_at(output, at)
                && !found.contains(&text)
            {
                found.push(text);
            }
        }
        let constant = self.pools.says.iter().filter(|it| !found.contains(it));
        let constant: Vec<String> = constant.cloned().collect();
        found.extend(constant);
        found.truncate(MOST_ANSWERS);
        let returned = self.jumps(id, false).into_iter().map(|(text, _)| text);
        found.extend(returned.filter(|it| it != "return;").take(2));
        found
    }

    /// Special cases before a statement, and instead of it.
    fn cases(&mut self, id: NodeId, atoms: &[(String, u32)]) {
        if self.syntax.kind(id) == Node::Declare {
            return;
        }
        let answers = self.answers_at(id);
        let is_output = self.pools.outputs.contains(&id);
        let is_else = self.syntax.role(id) == Some(Role::Else);
        let weight = self.given.weights.weight(Kind::Special, "", "");
        let (start, end) = (self.syntax.range(id).start, self.syntax.range(id).end);
        let is_own = |answer: &String| answer == self.text(id);
        let wanted: Vec<String> = answers.iter().filter(|it| !is_own(it)).cloned().collect();
        // Of an `if` before it that has none.
        if self.syntax.kind(id) == Node::If && self.syntax.child(id, Role::Else).is_none() {
            self.without_else(id, atoms, &wanted);
        }
        for answer in &wanted {
            let leaves = answer.starts_with("return");
            for (atom, odd) in atoms.iter().take(12) {
                let weight = weight.saturating_sub((*odd).min(5)).max(1);
                let guard = self.guard_text(atom);
                if (is_output || is_else) && !leaves {
                    let new = format!("{guard} {answer} else ");
                    let before = Replacement { range: Range::at(start), new };
                    let all = match self.has_else(id) {
                        true => continue,
                        false => vec![before],
                    };
                    self.add(Kind::Special, id, weight, all);
                }
            }
        }
        let in_main = self.in_main(id);
        let is_early = self.is_in_block(id) && !is_output && in_main && !self.in_loop(id);
        if !is_early || end < start {
            return;
        }
        for says in wanted.iter().filter(|it| !it.starts_with("return")).take(4) {
            for (atom, odd) in atoms.iter().take(8) {
                let new = format!("{} {{ {says} return 0; }}", self.guard_text(atom));
                self.insert(Kind::Special, (id, Side::Before), &new, (*odd).min(5));
            }
        }
    }

    fn in_main(&self, id: NodeId) -> bool {
        self.syntax.function(id).is_some_and(|function| {
            let names = self.syntax.children(function, Role::Item);
            names.into_iter().any(|it| self.text(it).trim_start().starts_with("main"))
        })
    }

    /// An `else` for an `if` that has none.
    fn without_else(&mut self, id: NodeId, atoms: &[(String, u32)], answers: &[String]) {
        let Some(yes) = self.syntax.child(id, Role::Then) else { return };
        if self.has_else(id) {
            return;
        }
        let range = self.syntax.range(id);
        let (newline, indentation) = (self.newline(), self.indentation(range.start));
        let weight = self.given.weights.weight(Kind::Special, "", "");
        let mut all: Vec<(String, u32)> = Vec::new();
        for answer in answers {
            all.push((answer.clone(), 0));
            let of_atom = |(atom, odd): &(String, u32)| {
                (format!("{} {answer}", self.guard_text(atom)), 4 + (*odd).min(5))
            };
            all.extend(atoms.iter().take(8).map(of_atom));
        }
        let assigned: Vec<String> = self
            .syntax
            .within(yes)
            .into_iter()
            .filter(|it| matches!(self.syntax.kind(*it), Node::Assign | Node::Update))
            .filter_map(|it| {
                let of = [Role::Left, Role::Operand].into_iter();
                let target = of.filter_map(|role| self.syntax.child(it, role)).next()?;
                let is_known = self.syntax.node(target).ty.is_integer()
                    && self.is_known_at(target, range.start)
                    && self.syntax.is_pure(target);
                is_known.then(|| self.text(target).to_owned())
            })
            .collect();
        for target in assigned {
            for (value, less) in [(" = 0;", 1), (" = 1;", 2), ("++;", 2), ("--;", 3)] {
                all.push((format!("{target}{value}"), less));
            }
        }
        if self.in_loop(id) {
            all.push(("break;".to_owned(), 0));
        }
        for (text, less) in all {
            let new = format!("{newline}{indentation}else {text}");
            let behind = vec![Replacement { range: Range::at(range.end), new }];
            self.add(Kind::Special, id, weight.saturating_sub(less).max(1), behind);
        }
    }

    /// What leaves a loop, an iteration, or the function, here.
    fn jumps(&self, id: NodeId, in_loop: bool) -> Vec<(String, u32)> {
        let mut found = Vec::new();
        if in_loop {
            found.push(("break;".to_owned(), 0));
            if self.is_c() {
                found.push(("continue;".to_owned(), 2));
            }
        }
        if !self.is_c() {
            found.push(("return;".to_owned(), 2));
            return found;
        }
        let Some(function) = self.syntax.function(id) else { return found };
        // What the function returns elsewhere.
        let mut returned: Vec<String> = Vec::new();
        for inner in self.syntax.within(function) {
            if self.syntax.kind(inner) == Node::Return {
                let text = self.text(inner).to_owned();
                if text.len() < 30
                    && !returned.contains(&text)
                    && self.is_known_at(inner, self.syntax.range(id).start)
                {
                    returned.push(text);
                }
            }
        }
        let of = self.syntax.child(function, Role::Type);
        let starred =
            self.syntax.children(function, Role::Item).any(|it| self.text(it).starts_with('*'));
        let is_void = of.is_some_and(|it| self.text(it) == "void") && !starred;
        let others: &[&str] = if is_void { &["return;"] } else { &["return 0;"] };
        for other in others {
            if !returned.iter().any(|known| known == other) {
                returned.push((*other).to_owned());
            }
        }
        returned.truncate(4);
        found.extend(returned.into_iter().map(|text| (text, 2)));
        found
    }

    /// Statements of the function that stand elsewhere.
    fn copies(&mut self, (id, side): (NodeId, Side)) {
        let Some(function) = self.syntax.function(id) else { return };
        let range = self.syntax.range(id);
        let at = if side == Side::Before { range.start } else { range.end };
        let mut texts: Vec<String> = Vec::new();
        for other in self.syntax.within(function) {
            let range = self.syntax.range(other);
            if self.syntax.kind(other) == Node::Evaluate
                && range.len() < 80
                && range.start.abs_diff(at) < FAR
                && other != id
                && !self.is_left_alone(other)
                && self.is_known_at(other, at)
            {
                texts.push(self.text(other).to_owned());
            }
        }
        texts.sort();
        texts.dedup();
        texts.into_iter().for_each(|text| self.insert(Kind::Copied, (id, side), &text, 0));
    }

    /// What is freed points nowhere.
    fn null_after_free(&mut self, id: NodeId) {
        let at = self.syntax.range(id).start;
        if self.syntax.kind(id) == Node::Evaluate
            && let Some(call) = self.syntax.child(id, Role::Operand)
            && self.syntax.kind(call) == Node::Call
            && self.syntax.child(call, Role::Base).is_some_and(|it| self.text(it) == "free")
            && let Some(freed) = self.syntax.child(call, Role::Argument)
            && self.is_in_block(id)
        {
            let (freed, end) = (self.text(freed).to_owned(), self.syntax.range(id).end);
            let indentation = self.indentation(at);
            let new = format!("{}{indentation}{freed} = 0;", self.newline());
            let weight = self.given.weights.weight(Kind::Inserted, "", "");
            self.add(Kind::Inserted, id, weight, vec![Replacement { range: Range::at(end), new }]);
        }
    }
}
