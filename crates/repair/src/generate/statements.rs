//! Edits of conditions and of statements: guards, jumps, what is missing and what is too much.

use program::syntax::{Kind as Node, NodeId, Range, Role};

use super::Generator;
use super::inserted::Side;
use super::levels::{AND, ATOM, COMPARE, OR, PREFIX};
use super::pools::is_comparison;
use crate::edit::Replacement;
use crate::kinds::Kind;

/// What is copied or moved is not longer.
const LONGEST: u32 = 400;

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
        for (atom, odd) in self.atoms(own, at, 48) {
            for (sign, level) in [("&&", AND), ("||", OR)] {
                let new = format!("{} {sign} {atom}", self.operand(own, level));
                self.replace_less(Kind::Atom, own, &new, level, odd.min(8));
            }
            if !self.text(own).contains(&atom) {
                self.replace_less(Kind::Atom, own, &atom, COMPARE, 4 + odd.min(5));
            }
        }
        self.joined(own, at);
    }

    /// Of a condition with several parts: all are joined otherwise, or one of them asks more, or less.
    fn joined(&mut self, own: NodeId, at: u32) {
        let is_joint = |it: &NodeId| matches!(self.syntax.operator(*it), "&&" | "||");
        let all = self.syntax.within(own);
        let joints: Vec<NodeId> = all.into_iter().filter(is_joint).collect();
        let operators = joints.iter().filter_map(|it| self.syntax.node(*it).operator);
        for other in ["&&", "||"] {
            let flipped: Vec<Replacement> = operators
                .clone()
                .map(|range| Replacement { range, new: other.to_owned() })
                .collect();
            if flipped.len() > 1 && self.is_c() {
                let weight = self.given.weights.weight(Kind::Logical, "", "");
                self.add(Kind::Logical, own, weight.saturating_sub(6).max(1), flipped);
            }
        }
        let atoms = if joints.is_empty() { Vec::new() } else { self.atoms(own, at, 32) };
        for joint in joints {
            // What is joined by the same operator is asked by the whole.
            let (sign, level) = match self.syntax.operator(joint) {
                "&&" => ("||", OR),
                _ => ("&&", AND),
            };
            for role in [Role::Left, Role::Right] {
                let Some(part) = self.syntax.child(joint, role) else { continue };
                let part = self.syntax.bare(part);
                if self.syntax.operator(part) == "&&" || self.syntax.operator(part) == "||" {
                    continue;
                }
                for (atom, odd) in &atoms {
                    let new = format!("{} {sign} {atom}", self.operand(part, level));
                    self.replace_less(Kind::Atom, part, &new, level, 3 + (*odd).min(6));
                }
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
        self.inserted(id, Side::Before);
        if self.is_last(id) {
            self.inserted(id, Side::Behind);
        }
    }

    /// Whether other statements can be written beside it. What is behind something that was not understood may be the body of it:
    /// of a macro that is a loop.
    pub fn is_in_block(&self, id: NodeId) -> bool {
        let Some(parent) = self.syntax.parent(id) else { return false };
        let siblings = &self.syntax.node(parent).children;
        let own = siblings.iter().position(|(_, it)| *it == id);
        let before = own.and_then(|at| siblings.get(at.checked_sub(1)?));
        matches!(self.syntax.kind(parent), Node::Block | Node::Case)
            && before.is_none_or(|(_, it)| self.syntax.kind(*it) != Node::Unreadable)
    }

    pub fn in_loop(&self, id: NodeId) -> bool {
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
    pub fn indentation(&self, at: u32) -> String {
        let before = &self.syntax.text[..at as usize];
        let line = &before[before.rfind('\n').map_or(0, |it| it + 1)..];
        line.chars().take_while(|c| c.is_whitespace()).collect()
    }

    /// The end of a line, as the file writes it.
    pub fn newline(&self) -> &'static str {
        if self.syntax.text.contains("\r\n") { "\r\n" } else { "\n" }
    }

    /// The statement that is to blame if something is missing before this one: a check only says what should hold.
    pub fn accused(&self, id: NodeId) -> NodeId {
        if !self.is_claim(id) && !self.is_check(id) {
            return id;
        }
        let siblings = self.syntax.parent(id).map(|it| &self.syntax.node(it).children[..]);
        let own = siblings.into_iter().flatten().position(|(_, it)| *it == id);
        let before = own.and_then(|at| siblings?.get(at.checked_sub(1)?)).map(|(_, it)| *it);
        let around = || self.syntax.ancestors(id).skip(1).find(|it| self.is_decision(*it));
        before.or_else(around).unwrap_or(id)
    }

    pub fn is_decision(&self, id: NodeId) -> bool {
        self.syntax.kind(id) == Node::If || self.syntax.kind(id).is_loop()
    }

    pub fn guard_text(&self, condition: &str) -> String {
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
    pub fn has_else(&self, id: NodeId) -> bool {
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
    pub fn next(&self, id: NodeId) -> Option<NodeId> {
        if !self.is_in_block(id) {
            return None;
        }
        let siblings = &self.syntax.node(self.syntax.parent(id)?).children;
        let own = siblings.iter().position(|(_, it)| *it == id)?;
        let (_, next) = siblings.get(own + 1)?;
        self.syntax.kind(*next).is_statement().then_some(*next)
    }
}
