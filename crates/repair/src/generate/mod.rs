//! Which edits there are: for each place of a text, what programmers change when they correct their programs.
//!
//! A fault is mostly small: another operator, another constant, another variable, a part of a condition, a statement that is missing or one too
//! many. So each place is changed in each of the ways in which real faults were corrected; what kinds of ways there are
//! says [`Kind`]. Nothing is run here, and nothing compiled: an edit is text. What makes sense is decided by types and
//! scopes as far as they are known, and by the compiler and by the tests after that.
//!
//! The order is that of trying: by how often edits of a kind pay and how much this one is preferred, places that
//! the failing run has executed first.

mod atoms;
mod declarations;
mod expressions;
mod inserted;
mod levels;
mod pools;
mod statements;
pub mod synthesis;
mod texts;

use std::collections::HashMap;

use program::syntax::{Kind as Node, NodeId, Range, Role, Syntax};
use rustc_hash::FxHashSet;

use crate::edit::{Edit, Replacement};
use crate::kinds::{Kind, Weights};
use pools::Pools;

/// In which language an edit is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    C,
    Boogie,
}

/// Of a kind there are so many edits at a place at most.
pub const MOST_AT_A_PLACE: usize = 200;

/// What is edited.
#[allow(missing_debug_implementations)]
pub struct Given<'g> {
    pub syntax: &'g Syntax,
    /// The number of the source file, for the edits.
    pub file: u32,
    pub dialect: Dialect,
    pub weights: &'g Weights,
    /// Whether a place may be edited.
    pub may_edit: &'g dyn Fn(Range) -> bool,
    /// Whether the failing run has executed a place.
    pub is_executed: &'g dyn Fn(Range) -> bool,
}

/// An edit, and how likely it is to be right, compared with others.
pub type Ranked = (f64, Edit);

/// All edits of a source file, those first that are most likely to be right.
pub fn generate(given: &Given<'_>) -> Vec<Ranked> {
    let mut generator = Generator::new(given);
    for id in given.syntax.ids() {
        if generator.is_left_alone(id) {
            continue;
        }
        generator.expression(id);
        generator.condition(id);
        generator.statement(id);
        generator.declaration(id);
    }
    if generator.is_c() {
        generator.all_wider();
    }
    ordered(generator.found, given)
}

/// In the order of trying. What is declared or defined is not executed, but used.
fn ordered(found: Vec<Edit>, given: &Given<'_>) -> Vec<Ranked> {
    let rank = |edit: &Edit| {
        let share = given.weights.share(edit.kind);
        let declares = matches!(edit.kind, Kind::Size | Kind::Type | Kind::Initialised);
        let executed = if declares || (given.is_executed)(edit.place) { 1.0 } else { 0.02 };
        share * executed * 2f64.powf(f64::from(edit.weight) / 12.0)
    };
    let mut keyed: Vec<Ranked> = found.into_iter().map(|edit| (rank(&edit), edit)).collect();
    keyed.sort_by(|a, b| b.0.total_cmp(&a.0));
    keyed
}

struct Generator<'g> {
    given: &'g Given<'g>,
    syntax: &'g Syntax,
    pools: Pools,
    found: Vec<Edit>,
    seen: FxHashSet<Vec<Replacement>>,
    /// How many edits of a kind there are at a place.
    counts: HashMap<(Range, Kind), usize>,
}

impl<'g> Generator<'g> {
    fn new(given: &'g Given<'g>) -> Generator<'g> {
        Generator {
            given,
            syntax: given.syntax,
            pools: Pools::of(given.syntax, given.dialect),
            found: Vec::new(),
            seen: FxHashSet::default(),
            counts: HashMap::new(),
        }
    }
}

impl Generator<'_> {
    fn text(&self, id: NodeId) -> &str {
        self.syntax.text_of(id)
    }

    fn is_c(&self) -> bool {
        self.given.dialect == Dialect::C
    }

    /// What is claimed is not edited, nor what was not understood, nor what is in it.
    fn is_left_alone(&self, id: NodeId) -> bool {
        self.syntax.ancestors(id).any(|inner| match self.syntax.kind(inner) {
            // Something may be missing before it.
            Node::Claim => inner != id,
            Node::Unreadable | Node::Type => true,
            Node::Call => self.pools.is_claim(self.syntax, inner),
            _ => false,
        })
    }

    /// Whether a statement only states what should hold.
    fn is_claim(&self, id: NodeId) -> bool {
        let of = self.syntax.child(id, Role::Operand);
        match self.syntax.kind(id) {
            Node::Claim => true,
            Node::Evaluate => of.is_some_and(|of| {
                self.syntax.kind(of) == Node::Call && self.pools.is_claim(self.syntax, of)
            }),
            _ => false,
        }
    }

    /// Whether a decision only says where the program gives up: `if (x < 0) abort();`.
    fn is_check(&self, id: NodeId) -> bool {
        let gives_up = |id: NodeId| match self.syntax.kind(id) {
            Node::Block => {
                let mut items = self.syntax.children(id, Role::Item).peekable();
                items.peek().is_some() && items.all(|item| self.is_claim(item))
            }
            _ => self.is_claim(id),
        };
        let branches = [Role::Then, Role::Else].into_iter();
        self.syntax.kind(id) == Node::If
            && branches.filter_map(|role| self.syntax.child(id, role)).any(gives_up)
    }

    /// Adds an edit that writes something else in one range.
    fn put(&mut self, kind: Kind, place: NodeId, range: Range, new: &str) {
        let weight = self.given.weights.weight(kind, self.syntax.slice(range), new);
        self.add(kind, place, weight, vec![Replacement { range, new: new.to_owned() }]);
    }

    /// Writes another operator. What is beside it must not become a part of it.
    fn operator(&mut self, kind: Kind, place: NodeId, range: Range, new: &str) {
        let weight = self.given.weights.weight(kind, self.syntax.slice(range), new);
        let is_sign = |c: char| "+-*/&|<>=!~".contains(c);
        let after = self.syntax.text[range.end as usize..].starts_with(is_sign);
        let new = if after { format!("{new} ") } else { new.to_owned() };
        self.add(kind, place, weight, vec![Replacement { range, new }]);
    }

    /// The same for a whole node, with parentheses where they are needed; `level` is that of the new text.
    fn replace(&mut self, kind: Kind, id: NodeId, new: &str, level: u8) {
        let fitted = self.fitted(id, new, level);
        self.put(kind, id, self.syntax.range(id), &fitted);
    }

    /// The same, preferred less than others of its kind.
    fn replace_less(&mut self, kind: Kind, id: NodeId, new: &str, level: u8, less: u32) {
        let fitted = self.fitted(id, new, level);
        let range = self.syntax.range(id);
        let weight = self.given.weights.weight(kind, self.text(id), new).saturating_sub(less);
        self.add(kind, id, weight.max(1), vec![Replacement { range, new: fitted }]);
    }

    /// Adds an edit, unless it changes nothing, is known, or may not be made.
    fn add(&mut self, kind: Kind, place: NodeId, weight: u32, replacements: Vec<Replacement>) {
        // Something may be missing before a check; what is in it says what should hold.
        let statement = self.syntax.statement(place);
        let check = self.syntax.ancestors(place).find(|it| self.is_check(*it));
        let is_before = check == statement && matches!(kind, Kind::Inserted | Kind::Copied);
        let is_own = statement.is_some_and(|it| self.is_claim(it)) || check == statement;
        if check.is_some() && is_own && !is_before {
            return;
        }
        let place = self.syntax.range(place);
        let mut replacements = replacements;
        replacements.retain(|it| self.syntax.slice(it.range) != it.new);
        replacements.sort();
        let overlap = |pair: &[Replacement]| pair[0].range.end > pair[1].range.start;
        if weight == 0
            || replacements.is_empty()
            || replacements.windows(2).any(overlap)
            || !replacements.iter().all(|it| (self.given.may_edit)(it.range))
            || !self.seen.insert(replacements.clone())
        {
            return;
        }
        let count = self.counts.entry((place, kind)).or_default();
        *count += 1;
        if *count <= MOST_AT_A_PLACE {
            self.found.push(Edit { file: self.given.file, replacements, kind, weight, place });
        }
    }
}

#[cfg(test)]
mod tests;
