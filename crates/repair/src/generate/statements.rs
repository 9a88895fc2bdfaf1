//! Edits of conditions and of statements: guards, jumps, what is missing and what is too much.

use program::syntax::{Kind as Node, NodeId, Range, Role, Type};

use super::Generator;
use super::levels::{AND, ATOM, OR, PREFIX};
use super::pools::is_comparison;
use crate::edit::Replacement;
use crate::kinds::Kind;

/// What is copied or moved is not longer.
const LONGEST: u32 = 400;
/// A statement is copied so far, in bytes.
const FAR: u32 = 1_500;

impl Generator<'_> {
    /// Edits of what a statement asks.
    pub fn condition(&mut self, id: NodeId) {
        let kind = self.syntax.kind(id);
        if self.syntax.role(id) != Some(Role::Condition) {
            return;
        }
        let Some(owner) = self.syntax.parent(id) else { return };
        let owner = self.syntax.kind(owner);
        if !matches!(owner, Node::If | Node::While | Node::DoWhile | Node::For | Node::Conditional)
        {
            return;
        }
        // In C the parentheses of `if` are not a part of what is asked.
        let own = match kind {
            Node::Parenthesised => self.syntax.child(id, Role::Operand).unwrap_or(id),
            _ => id,
        };
        let (yes, no) = if self.is_c() { ("1", "0") } else { ("true", "false") };
        self.replace(Kind::Decision, own, no, ATOM);
        if owner == Node::If {
            self.replace(Kind::Decision, own, yes, ATOM);
        }
        let is_negated = self.syntax.kind(own) == Node::Unary;
        let relates =
            self.syntax.kind(own) == Node::Binary && is_comparison(self.syntax.operator(own));
        if !is_negated && !relates {
            let new = format!("!{}", self.operand(own, PREFIX));
            self.replace(Kind::Negated, own, &new, PREFIX);
        }
        let at = self.syntax.range(id).start;
        for (atom, odd) in self.atoms(own, at, 32) {
            for (sign, level) in [("&&", AND), ("||", OR)] {
                let new = format!("{} {sign} {atom}", self.operand(own, level));
                self.replace_less(Kind::Atom, own, &new, level, odd.min(8));
            }
        }
    }

    pub fn statement(&mut self, id: NodeId) {
        let kind = self.syntax.kind(id);
        if !kind.is_statement() || self.syntax.function(id).is_none() {
            return;
        }
        if kind == Node::If {
            self.branches(id);
        }
        if matches!(kind, Node::Block | Node::Labelled) {
            return;
        }
        if kind == Node::Case {
            self.missing_break(id);
            return;
        }
        if kind != Node::Declare && !self.is_claim(id) {
            self.deleted(id);
            self.guarded(id);
            self.clamped(id);
            self.neighbours(id);
        }
        // What comes after an unbraced `else` or a label has no place before it but in braces.
        self.inserted(id);
    }

    /// Whether other statements can be written beside it.
    fn is_in_block(&self, id: NodeId) -> bool {
        self.syntax
            .parent(id)
            .is_some_and(|it| matches!(self.syntax.kind(it), Node::Block | Node::Case))
    }

    fn in_loop(&self, id: NodeId) -> bool {
        let function = self.syntax.function(id);
        self.syntax
            .ancestors(id)
            .skip(1)
            .take_while(|it| Some(*it) != function)
            .any(|it| self.syntax.kind(it).is_loop())
    }

    fn deleted(&mut self, id: NodeId) {
        let kind = self.syntax.kind(id);
        let less = match kind {
            Node::Evaluate | Node::Break | Node::Continue => 0,
            _ => 6,
        };
        let range = self.syntax.range(id);
        let replacement = match self.is_in_block(id) {
            true => Replacement { range: self.whole_line(range), new: String::new() },
            // A branch needs a statement.
            false if self.is_c() => Replacement { range, new: ";".to_owned() },
            false => return,
        };
        let weight = self.given.weights.weight(Kind::Deleted, "", "").saturating_sub(less).max(1);
        self.add(Kind::Deleted, id, weight, vec![replacement]);
    }

    /// The range with its indentation and the end of its line, if nothing else is on it.
    fn whole_line(&self, range: Range) -> Range {
        let text = &self.syntax.text;
        let (before, after) = (&text[..range.start as usize], &text[range.end as usize..]);
        let indentation = before.len() - before.trim_end_matches([' ', '\t']).len();
        let blank = after.len() - after.trim_start_matches([' ', '\t', '\r']).len();
        let starts =
            before.len() == indentation || before[..before.len() - indentation].ends_with('\n');
        match starts && after[blank..].starts_with('\n') {
            true => {
                Range { start: range.start - indentation as u32, end: range.end + blank as u32 + 1 }
            }
            false => range,
        }
    }

    /// The white space at the beginning of the line of a place.
    fn indentation(&self, at: u32) -> String {
        let before = &self.syntax.text[..at as usize];
        let line = &before[before.rfind('\n').map_or(0, |it| it + 1)..];
        line.chars().take_while(|c| c.is_whitespace()).collect()
    }

    /// The end of a line, as the file writes it.
    fn newline(&self) -> &'static str {
        if self.syntax.text.contains("\r\n") { "\r\n" } else { "\n" }
    }

    /// The statement that is to blame if something is missing before this one: a check only says what should hold.
    fn accused(&self, id: NodeId) -> NodeId {
        if !self.is_claim(id) && !self.is_check(id) {
            return id;
        }
        let siblings = self.syntax.parent(id).map(|it| &self.syntax.node(it).children[..]);
        let own = siblings.into_iter().flatten().position(|(_, it)| *it == id);
        let before = own.and_then(|at| siblings?.get(at.checked_sub(1)?)).map(|(_, it)| *it);
        let around = || self.syntax.ancestors(id).skip(1).find(|it| self.is_decision(*it));
        before.or_else(around).unwrap_or(id)
    }

    fn is_decision(&self, id: NodeId) -> bool {
        self.syntax.kind(id) == Node::If || self.syntax.kind(id).is_loop()
    }

    /// A statement before another one.
    fn insert(&mut self, kind: Kind, id: NodeId, new: &str, less: u32) {
        // What is between a check and where the program gives up belongs to the check.
        if self.is_claim(id) && self.syntax.ancestors(id).skip(1).any(|it| self.is_check(it)) {
            return;
        }
        let range = self.syntax.range(id);
        let (indentation, newline) = (self.indentation(range.start), self.newline());
        let weight = self.given.weights.weight(kind, "", "").saturating_sub(less).max(1);
        let replacements = match self.is_in_block(id) {
            true => {
                let new = format!("{new}{newline}{indentation}");
                vec![Replacement { range: Range::at(range.start), new }]
            }
            false => vec![
                Replacement { range: Range::at(range.start), new: format!("{{ {new} ") },
                Replacement { range: Range::at(range.end), new: " }".to_owned() },
            ],
        };
        self.add(kind, self.accused(id), weight, replacements);
    }

    fn guard_text(&self, condition: &str) -> String {
        format!("if ({condition})")
    }

    /// Done only if something holds.
    fn guarded(&mut self, id: NodeId) {
        if matches!(self.syntax.kind(id), Node::Case | Node::Labelled) {
            return;
        }
        let range = self.syntax.range(id);
        let is_dangling = self.syntax.kind(id) == Node::If;
        for (atom, odd) in self.atoms(id, range.start, 40) {
            let weight = self.given.weights.weight(Kind::Guard, "", "");
            let weight = weight.saturating_sub(odd.min(6)).max(1);
            let guard = self.guard_text(&atom);
            let braces = !self.is_c() || is_dangling || self.has_else(id);
            let (open, close) = if braces { (" { ", " }") } else { (" ", "") };
            let mut replacements =
                vec![Replacement { range: Range::at(range.start), new: format!("{guard}{open}") }];
            if braces {
                let range = Range::at(range.end);
                replacements.push(Replacement { range, new: close.to_owned() });
            }
            self.add(Kind::Guard, id, weight, replacements);
        }
    }

    /// Whether an `else` after it would go to another `if`.
    fn has_else(&self, id: NodeId) -> bool {
        self.syntax.role(id) == Some(Role::Then)
            && self.syntax.parent(id).is_some_and(|it| self.syntax.child(it, Role::Else).is_some())
    }

    /// `x = e` becomes: the smaller, the larger, not below zero.
    fn clamped(&mut self, id: NodeId) {
        if self.syntax.kind(id) != Node::Evaluate || !self.is_c() {
            return;
        }
        let Some(assign) = self.syntax.child(id, Role::Operand) else { return };
        if self.syntax.kind(assign) != Node::Assign || self.syntax.operator(assign) != "=" {
            return;
        }
        let (Some(to), Some(value)) =
            (self.syntax.child(assign, Role::Left), self.syntax.child(assign, Role::Right))
        else {
            return;
        };
        if !self.syntax.node(to).ty.is_number() || !self.syntax.is_pure(value) {
            return;
        }
        let (to, value) = (self.text(to).to_owned(), self.operand(value, super::levels::ADD));
        for sign in ["<", ">"] {
            let new = self.guard_text(&format!("{value} {sign} {to}"));
            let weight = self.given.weights.weight(Kind::Clamp, "", "");
            let range = Range::at(self.syntax.range(id).start);
            let braces = self.has_else(id);
            let open = if braces { " { " } else { " " };
            let mut all = vec![Replacement { range, new: format!("{new}{open}") }];
            if braces {
                let range = Range::at(self.syntax.range(id).end);
                all.push(Replacement { range, new: " }".to_owned() });
            }
            self.add(Kind::Clamp, id, weight, all);
        }
    }

    /// Statements before this one: jumps, assignments, copies of others.
    fn inserted(&mut self, id: NodeId) {
        let at = self.syntax.range(id).start;
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
                self.insert(Kind::Jump, id, jump, *less);
            }
        }
        let atoms = if is_claim { Vec::new() } else { self.atoms(id, at, 20) };
        for (atom, odd) in atoms {
            for (jump, less) in &jumps {
                let new = format!("{} {jump}", self.guard_text(&atom));
                let new = if self.is_c() {
                    new
                } else {
                    format!("{} {{ {jump} }}", self.guard_text(&atom))
                };
                self.insert(Kind::Guard, id, &new, less + odd.min(6));
            }
        }
        let assign = if self.is_c() { "=" } else { ":=" };
        let variables = self.variables_at(at);
        let values = self.values_at(at);
        let flags: Vec<_> = variables.iter().filter(|it| self.is_boolean(it.ty)).collect();
        for variable in flags {
            for value in ["false", "true"] {
                self.insert(Kind::Inserted, id, &format!("{} := {value};", variable.name), 2);
            }
        }
        let is_number = |ty: Type| if self.is_c() { ty.is_number() } else { ty.is_integer() };
        let numbers: Vec<_> = variables.iter().filter(|it| is_number(it.ty)).collect();
        for variable in numbers {
            let name = &variable.name;
            self.insert(Kind::Inserted, id, &format!("{name} {assign} 0;"), 0);
            self.insert(Kind::Inserted, id, &format!("{name} {assign} 1;"), 4);
            if self.is_c() {
                self.insert(Kind::Inserted, id, &format!("{name}++;"), 2);
                self.insert(Kind::Inserted, id, &format!("{name}--;"), 4);
            } else {
                self.insert(Kind::Inserted, id, &format!("{name} := {name} + 1;"), 2);
                self.insert(Kind::Inserted, id, &format!("{name} := {name} - 1;"), 4);
            }
            for value in values.iter().filter(|it| it.name != *name && it.ty.is_integer()) {
                self.insert(Kind::Inserted, id, &format!("{name} {assign} {};", value.name), 14);
            }
        }
        self.copies(id);
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
    fn copies(&mut self, id: NodeId) {
        let Some(function) = self.syntax.function(id) else { return };
        let at = self.syntax.range(id).start;
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
        texts.into_iter().for_each(|text| self.insert(Kind::Copied, id, &text, 0));
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

    /// The branches of an `if`: exchanged, one left out, an `else` added or removed.
    fn branches(&mut self, id: NodeId) {
        let part = |role| self.syntax.child(id, role);
        let (Some(condition), Some(yes)) = (part(Role::Condition), part(Role::Then)) else {
            return;
        };
        let own = self.syntax.bare(condition);
        let Some(no) = part(Role::Else) else { return };
        let weight = self.given.weights.weight(Kind::Branches, "", "");
        let is_small = self.syntax.range(id).len() < LONGEST;
        let is_chain = self.syntax.kind(no) == Node::If;
        if is_small && !is_chain && self.syntax.kind(yes) == self.syntax.kind(no) {
            let exchanged = vec![
                Replacement { range: self.syntax.range(yes), new: self.text(no).to_owned() },
                Replacement { range: self.syntax.range(no), new: self.text(yes).to_owned() },
            ];
            self.add(Kind::Branches, id, weight, exchanged);
        }
        // Without `else`: both are done.
        let (end, begin) = (self.syntax.range(yes).end, self.syntax.range(no).start);
        let keyword = Range { start: end, end: begin };
        if self.is_in_block(id) && self.syntax.slice(keyword).trim() == "else" {
            let new =
                format!("{}{}", self.newline(), self.indentation(self.syntax.range(id).start));
            let weight = self.given.weights.weight(Kind::Else, "", "");
            // In Boogie there are no blocks between statements.
            if self.is_c() {
                self.add(Kind::Else, id, weight, vec![Replacement { range: keyword, new }]);
            }
            let gone = Range { start: end, end: self.syntax.range(no).end };
            self.add(Kind::Else, id, weight, vec![Replacement { range: gone, new: String::new() }]);
        }
        // A last `else` that holds only sometimes.
        if !is_chain {
            for (atom, odd) in self.atoms(own, self.syntax.range(no).start, 30) {
                let weight = self.given.weights.weight(Kind::Guard, "", "");
                let new = format!("{} ", self.guard_text(&atom));
                let range = Range::at(self.syntax.range(no).start);
                let is_block = self.syntax.kind(no) == Node::Block;
                if self.is_c() || is_block {
                    self.add(
                        Kind::Guard,
                        no,
                        weight.saturating_sub(odd.min(6)).max(1),
                        vec![Replacement { range, new }],
                    );
                }
            }
        }
    }

    fn missing_break(&mut self, id: NodeId) {
        if !self.is_c() {
            return;
        }
        let range = self.syntax.range(id);
        let is_last = self.syntax.node(id).children.last().is_none_or(|(_, last)| {
            !matches!(
                self.syntax.kind(*last),
                Node::Break | Node::Return | Node::Continue | Node::Goto
            )
        });
        if is_last {
            let new = format!("{}{}    break;", self.newline(), self.indentation(range.start));
            let weight = self.given.weights.weight(Kind::Jump, "", "") + 4;
            let range = Range::at(range.end);
            self.add(Kind::Jump, id, weight, vec![Replacement { range, new }]);
        }
    }

    /// What concerns the next statement: exchanged with it, made its alternative, moved into it or out.
    fn neighbours(&mut self, id: NodeId) {
        let Some(next) = self.next(id) else { return };
        let (own, other) = (self.syntax.range(id), self.syntax.range(next));
        let (kind, next_kind) = (self.syntax.kind(id), self.syntax.kind(next));
        let is_fixed =
            matches!(next_kind, Node::Case | Node::Labelled | Node::Declare | Node::Block);
        if is_fixed || self.is_claim(next) || self.is_check(id) {
            return;
        }
        let is_small = own.len() + other.len() < LONGEST;
        let moved = self.given.weights.weight(Kind::Moved, "", "");
        if is_small {
            let exchanged = vec![
                Replacement { range: own, new: self.text(next).to_owned() },
                Replacement { range: other, new: self.text(id).to_owned() },
            ];
            self.add(Kind::Moved, id, moved, exchanged);
        }
        let is_open = kind == Node::If && self.syntax.child(id, Role::Else).is_none();
        if is_open {
            let weight = self.given.weights.weight(Kind::Else, "", "");
            let less = if next_kind == Node::If { 0 } else { 4 };
            let braces = !self.is_c() && next_kind != Node::If;
            let new = if braces { "else { " } else { "else " }.to_owned();
            let mut all = vec![Replacement { range: Range::at(other.start), new }];
            if braces {
                all.push(Replacement { range: Range::at(other.end), new: " }".to_owned() });
            }
            self.add(Kind::Else, next, weight - less, all);
        }
        // Into the block before it, at its end; out of it, from its end.
        let body =
            [Role::Body, Role::Then].into_iter().find_map(|role| self.syntax.child(id, role));
        let block = body.filter(|it| self.syntax.kind(*it) == Node::Block);
        if let Some(block) = block
            && other.len() < LONGEST
            && matches!(next_kind, Node::Evaluate | Node::If | Node::Return | Node::Break)
        {
            let closing = self.syntax.range(block).end - 1;
            let inside =
                format!("    {}{}{}", self.text(next), self.newline(), self.indentation(own.start));
            let into = vec![
                Replacement { range: Range::at(closing), new: inside },
                Replacement { range: self.whole_line(other), new: String::new() },
            ];
            self.add(Kind::Moved, next, moved, into);
        }
        if let Some(block) = block
            && let Some(last) = self.syntax.children(block, Role::Item).next_back()
            && matches!(self.syntax.kind(last), Node::Evaluate | Node::If)
        {
            let range = self.syntax.range(last);
            let after =
                format!("{}{}{}", self.newline(), self.indentation(own.start), self.text(last));
            let out = vec![
                Replacement { range: self.whole_line(range), new: String::new() },
                Replacement { range: Range::at(own.end), new: after },
            ];
            self.add(Kind::Moved, last, moved, out);
        }
    }

    /// The statement after another one in the same block.
    fn next(&self, id: NodeId) -> Option<NodeId> {
        if !self.is_in_block(id) {
            return None;
        }
        let siblings = &self.syntax.node(self.syntax.parent(id)?).children;
        let own = siblings.iter().position(|(_, it)| *it == id)?;
        let (_, next) = siblings.get(own + 1)?;
        self.syntax.kind(*next).is_statement().then_some(*next)
    }
}
