//! Many edits in one text, and a number that says which of them counts.
//!
//! To compile each edit apart takes a twentieth of a second, to run it takes a thousandth of that. So edits share a
//! text: what is changed is put into a *chunk*, the smallest part of the text of which there can be several versions at
//! run time, and which version counts is read from an array that is set before the run:
//!
//! ```text
//! if (a < b) f(a);      if ((whydunit_choice[3] == 0 ? !!(a < b) : !!(a <= b))) …
//! x = a + 1;            { if (whydunit_choice[4] == 0) { x = a + 1; } else { x = a - 1; } }
//! int n = k;            int n = (whydunit_choice[5] == 0 ? (__typeof__(n))(k) : (__typeof__(n))(k + 1));
//! ```
//!
//! Chunks are nested as the text is; the inner ones are in the version that is as written. An edit that changes several
//! places has a version in several chunks. Version 0 of all chunks is the program as written, which is checked by
//! running it. What has no chunk (array sizes, labels of cases, initial values of globals, types) is compiled apart.

mod write;

use program::syntax::{Kind as Node, NodeId, Range, Role, Syntax};

use crate::edit::{Edit, Replacement};
use crate::generate::Dialect;
use write::Writer;

/// The array that says which version of each chunk counts.
pub const CHOICE: &str = "whydunit_choice";
/// A chunk is not larger than this, in bytes: each of its versions is a copy.
const LARGEST: u32 = 1_200;

/// What is put around the versions of a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Form {
    /// Statements that may be done at this point.
    Point,
    /// Whether a statement is done at all. The versions are conditions.
    Gate,
    /// Values are noted before a statement is done, whichever version of it. There are no versions.
    Watch,
    /// Statements, one or several in a row.
    Statements,
    /// Whether something holds.
    Condition,
    /// A number that is switched over.
    Number,
    /// What is computed for its effects.
    Effect,
    /// The first value of a variable: that of this name, if it has to be converted.
    Initial,
}

#[derive(Clone, Debug)]
struct Chunk {
    range: Range,
    form: Form,
    /// What is declared with this initial value.
    name: Option<Range>,
    versions: Vec<Version>,
    /// What is noted.
    values: Vec<String>,
}

/// A statement before which values are noted, as [`SEEN`] is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watch {
    pub statement: Range,
    /// Expressions without effects.
    pub values: Vec<String>,
}

/// The function that is told the values.
pub const SEEN: &str = "whydunit_seen";
/// What is noted first, so that it is known that the statement was reached.
pub const REACHED: u64 = 0x7265_6163_6865_6421;

#[derive(Clone, Debug)]
struct Version {
    /// The number of the edit.
    edit: usize,
    replacements: Vec<Replacement>,
    /// For a gate, the condition.
    condition: Option<String>,
}

/// The version of a chunk that an edit needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    pub chunk: u32,
    pub version: u32,
}

/// A text with many edits in it.
#[derive(Clone, Debug, Default)]
pub struct Schema {
    pub text: String,
    /// How many chunks there are.
    pub chunks: u32,
    /// Where they are in the original.
    pub ranges: Vec<Range>,
    /// For each edit what is to be chosen; empty if it is not in the text.
    pub choices: Vec<Vec<Choice>>,
    /// Where in the text the versions are, in bytes, and of which edits.
    versions: Vec<(Range, usize)>,
    /// Where its lines start.
    lines: Vec<u32>,
    /// Where in the text parts of the original are: both begin there, and so long they are.
    kept: Vec<(u32, u32, u32)>,
}

impl Schema {
    /// Which edit a line of the text, from 1, belongs to.
    pub fn edit_on_line(&self, line: u32) -> Option<usize> {
        let start = *self.lines.get(line.checked_sub(1)? as usize)?;
        // Versions do not overlap, and are in the order of the text.
        let found =
            self.versions.partition_point(|(range, _)| range.start <= start).checked_sub(1)?;
        let (range, edit) = self.versions[found];
        (start < range.end).then_some(edit)
    }

    /// Where in the original text a byte of this text is from; None if it is from an edit.
    pub fn origin(&self, at: u32) -> Option<u32> {
        let found = self.kept.partition_point(|(own, _, _)| *own <= at).checked_sub(1)?;
        let (own, original, length) = self.kept[found];
        (at - own <= length).then_some(original + (at - own))
    }
}

/// Puts edits of a file into one text. `numbers` says which ones.
pub fn schema(
    syntax: &Syntax,
    dialect: Dialect,
    edits: &[Edit],
    numbers: &[usize],
    watches: &[Watch],
) -> Schema {
    let mut builder = Builder { syntax, dialect, chunks: Vec::new(), left: Vec::new() };
    builder.chunks.extend(watches.iter().map(|watch| Chunk {
        range: watch.statement,
        form: Form::Watch,
        name: None,
        versions: Vec::new(),
        values: watch.values.clone(),
    }));
    for &number in numbers {
        builder.add(number, &edits[number]);
    }
    builder.finish(edits.len())
}

struct Builder<'s> {
    syntax: &'s Syntax,
    dialect: Dialect,
    chunks: Vec<Chunk>,
    /// Edits that are not in the text after all.
    left: Vec<usize>,
}

/// A chunk that an edit needs.
struct Wanted {
    range: Range,
    form: Form,
    name: Option<Range>,
    replacements: Vec<Replacement>,
    condition: Option<String>,
}

impl Builder<'_> {
    fn add(&mut self, number: usize, edit: &Edit) {
        let Some(wanted) = self.wanted(edit) else {
            self.left.push(number);
            return;
        };
        for one in wanted {
            let Wanted { range, form, name, replacements, condition } = one;
            let version = Version { edit: number, replacements, condition };
            let is_same = |chunk: &&mut Chunk| chunk.range == range && chunk.form == form;
            match self.chunks.iter_mut().find(is_same) {
                Some(chunk) => chunk.versions.push(version),
                None => {
                    let values = Vec::new();
                    let chunk = Chunk { range, form, name, versions: vec![version], values };
                    self.chunks.push(chunk);
                }
            }
        }
    }

    /// The chunks that an edit needs; None if there are none.
    fn wanted(&self, edit: &Edit) -> Option<Vec<Wanted>> {
        if let Some(gate) = self.gate(edit) {
            return Some(vec![gate]);
        }
        if let [only] = &edit.replacements[..]
            && let Some(point) = self.point(only).or_else(|| self.first_value(edit, only))
        {
            return Some(vec![point]);
        }
        if let Some((range, form, name)) = self.place(self.needed(edit)) {
            let replacements = edit.replacements.clone();
            return Some(vec![Wanted { range, form, name, replacements, condition: None }]);
        }
        if edit.replacements.len() == 1 {
            return None;
        }
        // Each place for itself, if none needs the others.
        let mut found: Vec<Wanted> = Vec::new();
        for replacement in &edit.replacements {
            let one = match self.place(replacement.range) {
                Some((range, form, name)) => {
                    let replacements = vec![replacement.clone()];
                    Wanted { range, form, name, replacements, condition: None }
                }
                None => self.point(replacement)?,
            };
            match found.iter_mut().find(|it| it.range == one.range && it.form == one.form) {
                Some(known) => known.replacements.extend(one.replacements),
                None => found.push(one),
            }
        }
        Some(found)
    }

    /// What has to be in one chunk: all that is changed, and the statement that an `else` belongs to.
    fn needed(&self, edit: &Edit) -> Range {
        let extent = edit.extent();
        let first = edit.replacements.first();
        if first.is_some_and(|it| is_else(&it.new) && it.range == Range::at(edit.place.end)) {
            return edit.place;
        }
        let begins = first.is_some_and(|it| is_else(&it.new));
        let own = self.statement_at(edit.place).filter(|_| begins);
        let before = own.and_then(|own| {
            let siblings = &self.syntax.node(self.syntax.parent(own)?).children;
            let at = siblings.iter().position(|(_, it)| *it == own)?;
            Some(self.syntax.range(siblings.get(at.checked_sub(1)?)?.1))
        });
        Range {
            start: before.map_or(extent.start, |it| it.start),
            end: extent.end.max(extent.start + u32::from(begins)),
        }
    }

    /// An edit by which a statement is done only sometimes, or never.
    fn gate(&self, edit: &Edit) -> Option<Wanted> {
        let (first, rest) = edit.replacements.split_first()?;
        let statement = self.statement_at(edit.place)?;
        let range = self.syntax.range(statement);
        let is_fixed =
            matches!(self.syntax.kind(statement), Node::Declare | Node::Case | Node::Labelled);
        if is_fixed || self.is_labelled(statement) {
            return None;
        }
        let of = |condition: &str| Wanted {
            range,
            form: Form::Gate,
            name: None,
            replacements: Vec::new(),
            condition: Some(condition.to_owned()),
        };
        let deletes = first.range.contains(range) && rest.is_empty();
        if deletes && first.new.trim().trim_matches(';').is_empty() {
            return Some(of(if self.dialect == Dialect::C { "0" } else { "false" }));
        }
        if !first.range.is_empty() || first.range.start != range.start {
            return None;
        }
        let condition = first.new.strip_prefix("if (")?;
        match rest {
            [] => Some(of(condition.strip_suffix(") ")?)),
            [end] if end.range == Range::at(range.end) && end.new == " }" => {
                Some(of(condition.strip_suffix(") { ")?))
            }
            _ => None,
        }
    }

    /// The statement with exactly this range.
    fn statement_at(&self, range: Range) -> Option<NodeId> {
        self.innermost(range)
            .into_iter()
            .flat_map(|id| self.syntax.ancestors(id))
            .find(|id| self.syntax.range(*id) == range && self.syntax.kind(*id).is_statement())
    }

    /// A statement that is inserted between others.
    fn point(&self, replacement: &Replacement) -> Option<Wanted> {
        let at = replacement.range.start;
        let is_whole =
            replacement.new.trim_end().ends_with([';', '}']) && !is_else(&replacement.new);
        let block = self.innermost(replacement.range).and_then(|id| {
            let mut outwards = self.syntax.ancestors(id);
            outwards.find(|id| matches!(self.syntax.kind(*id), Node::Block | Node::Case))
        })?;
        let is_between = self
            .syntax
            .node(block)
            .children
            .iter()
            .map(|(_, child)| self.syntax.range(*child))
            .any(|child| child.start == at || child.end == at);
        (replacement.range.is_empty() && is_whole && is_between).then(|| Wanted {
            range: replacement.range,
            form: Form::Point,
            name: None,
            replacements: vec![replacement.clone()],
            condition: None,
        })
    }

    /// A first value for a variable that is declared without one: it is assigned behind the declaration, or, to a global variable,
    /// where the program begins.
    fn first_value(&self, edit: &Edit, replacement: &Replacement) -> Option<Wanted> {
        let value = replacement.new.strip_prefix(" = ").filter(|_| replacement.range.is_empty())?;
        let is_declarator = |id: &NodeId| {
            self.syntax.role(*id) == Some(Role::Item) && self.syntax.range(*id) == edit.place
        };
        let item = self.innermost(edit.place).into_iter().flat_map(|id| self.syntax.ancestors(id));
        let item = item.into_iter().find(is_declarator)?;
        let declaration = self.syntax.parent(item)?;
        let is_plain = edit.place.end == replacement.range.start
            && self.dialect == Dialect::C
            && self.syntax.kind(declaration) == Node::Declare
            && !self.syntax.text_of(declaration).starts_with("static")
            && !self.syntax.text_of(declaration).starts_with("const");
        if !is_plain {
            return None;
        }
        let known = self.syntax.declarations.iter().rev();
        let known = known.into_iter().find(|it| it.scope.start == edit.place.end)?;
        let name = &known.name;
        let new = match (value, known.ty.is_number() || known.ty.is_pointer() && !known.ty.is_array)
        {
            ("{0}", _) => format!("__builtin_memset(&{name}, 0, sizeof({name}));"),
            (value, true) => format!("{name} = {value};"),
            _ => return None,
        };
        let at = match self.syntax.function(declaration) {
            None => self.beginning()?,
            Some(_) => {
                let block = self.syntax.parent(declaration)?;
                let is_block = self.syntax.kind(block) == Node::Block;
                self.syntax.range(declaration).end.min(if is_block { u32::MAX } else { 0 })
            }
        };
        (at > 0).then(|| Wanted {
            range: Range::at(at),
            form: Form::Point,
            name: None,
            replacements: vec![Replacement { range: Range::at(at), new }],
            condition: None,
        })
    }

    /// Where the first statement of the program is.
    fn beginning(&self) -> Option<u32> {
        let is_main = |id: &NodeId| {
            let mut items = self.syntax.children(*id, Role::Item);
            self.syntax.kind(*id) == Node::Function
                && items.any(|it| self.syntax.text_of(it).starts_with("main"))
        };
        let main = self.syntax.ids().find(is_main)?;
        let body = self.syntax.child(main, Role::Body)?;
        let first = self.syntax.node(body).children.first()?.1;
        Some(self.syntax.range(first).start)
    }

    /// The innermost node that contains a range.
    fn innermost(&self, range: Range) -> Option<NodeId> {
        let mut found = NodeId(0);
        self.syntax.nodes.first()?;
        'down: loop {
            for (_, child) in &self.syntax.node(found).children {
                let own = self.syntax.range(*child);
                // What is inserted behind a statement is not in it.
                if own.contains(range) && !(range.is_empty() && own.end == range.start) {
                    found = *child;
                    continue 'down;
                }
            }
            return Some(found);
        }
    }

    /// The smallest part of the text around a range of which there can be several versions.
    fn place(&self, range: Range) -> Option<(Range, Form, Option<Range>)> {
        let innermost = self.innermost(range)?;
        if self.syntax.ancestors(innermost).any(|id| self.syntax.kind(id) == Node::Macro) {
            return None;
        }
        let mut outwards = self.syntax.ancestors(innermost);
        outwards.find_map(|id| self.chunk_at(id, range)).flatten()
    }

    /// The chunk that a node gives; the inner None says that there is none further out, either.
    fn chunk_at(&self, id: NodeId, range: Range) -> Option<Option<(Range, Form, Option<Range>)>> {
        let kind = self.syntax.kind(id);
        let own = self.syntax.range(id);
        let role = self.syntax.role(id);
        let parent = self.syntax.parent(id);
        let parent_kind = parent.map(|it| self.syntax.kind(it));
        match (kind, role, parent_kind) {
            (Node::Type | Node::Macro | Node::Unreadable | Node::Values, _, _)
            | (_, Some(Role::Size), _) => return Some(None),
            (_, Some(Role::Operand | Role::Item), Some(Node::Case)) if !kind.is_statement() => {
                return Some(None);
            }
            _ => {}
        }
        let is_small = own.len() <= LARGEST && !self.has_directive(own);
        if kind.is_expression() && is_small {
            match (role, parent_kind) {
                (
                    Some(Role::Condition),
                    Some(Node::If | Node::While | Node::DoWhile | Node::For | Node::Conditional),
                ) => return Some(Some((self.asked(id, range), Form::Condition, None))),
                (Some(Role::Condition), Some(Node::Switch)) => {
                    return Some(Some((self.asked(id, range), Form::Number, None)));
                }
                (Some(Role::Initial | Role::Update), Some(Node::For)) => {
                    return Some(Some((own, Form::Effect, None)));
                }
                (Some(Role::Initial), Some(Node::Declarator)) => {
                    return Some(self.initial(id).map(|name| (own, Form::Initial, name)));
                }
                _ => {}
            }
        }
        if kind.is_statement() && kind != Node::Block {
            let is_fixed = matches!(kind, Node::Declare | Node::Case | Node::Labelled);
            if own.contains(range) && !is_fixed && is_small && !self.is_labelled(id) {
                return Some(Some((own, Form::Statements, None)));
            }
        }
        let interior = Range { start: own.start + 1, end: own.end.max(own.start + 2) - 1 };
        if kind == Node::Block && interior.contains(range) {
            // Neither in one statement of it, nor outside of it.
            return Some(self.row(id, range).map(|row| (row, Form::Statements, None)));
        }
        None
    }

    /// What is in the parentheses of a condition, if an edit is in there.
    fn asked(&self, id: NodeId, range: Range) -> Range {
        let inner = match self.syntax.kind(id) {
            Node::Parenthesised => self.syntax.child(id, Role::Operand).unwrap_or(id),
            _ => id,
        };
        let own = self.syntax.range(inner);
        if own.contains(range) { own } else { self.syntax.range(id) }
    }

    /// Whether a local variable gets its first value by an expression; and its name, if the value has to be converted.
    fn initial(&self, id: NodeId) -> Option<Option<Range>> {
        let declarator = self.syntax.parent(id)?;
        let declaration = self.syntax.statement(declarator)?;
        self.syntax.function(declaration)?;
        if self.syntax.text_of(declaration).starts_with("static") {
            return None;
        }
        let names = self.syntax.within(declarator);
        let name = names.into_iter().find(|it| self.syntax.kind(*it) == Node::Name)?;
        let name = self.syntax.range(name);
        if name.end > self.syntax.range(id).start {
            return None;
        }
        let text = self.syntax.slice(name);
        let known =
            self.syntax.declarations.iter().find(|it| {
                it.name == text && it.scope.start == self.syntax.range(declarator).end
            })?;
        match known.ty {
            ty if ty.is_array => None,
            ty if ty.is_number() || ty.is_pointer() => Some(Some(name)),
            _ => Some(None),
        }
    }

    /// The statements of a block that a range touches.
    fn row(&self, block: NodeId, range: Range) -> Option<Range> {
        let children = &self.syntax.node(block).children;
        let touched: Vec<NodeId> = children
            .iter()
            .map(|(_, child)| *child)
            .filter(|child| {
                let own = self.syntax.range(*child);
                own.start < range.end && range.start < own.end
            })
            .collect();
        let (first, last) = (touched.first()?, touched.last()?);
        let row =
            Range { start: self.syntax.range(*first).start, end: self.syntax.range(*last).end };
        let is_fixed = |id: &NodeId| {
            let kind = self.syntax.kind(*id);
            !kind.is_statement()
                || matches!(kind, Node::Declare | Node::Case | Node::Labelled)
                || self.is_labelled(*id)
        };
        let contains = row.start <= range.end && range.start <= row.end;
        let fits = row.len() <= LARGEST && !self.has_directive(row) && contains;
        (fits && !touched.iter().any(is_fixed))
            .then(|| Range { start: row.start.min(range.start), end: row.end.max(range.end) })
    }

    /// Whether a part of the text has a directive of the preprocessor in it.
    fn has_directive(&self, range: Range) -> bool {
        let text = self.syntax.slice(range);
        self.dialect == Dialect::C
            && text.lines().skip(1).any(|line| line.trim_start().starts_with('#'))
    }

    /// Whether there is something in a statement that must not be there twice.
    fn is_labelled(&self, id: NodeId) -> bool {
        self.syntax.within(id).into_iter().any(|inner| {
            let kind = self.syntax.kind(inner);
            let is_static =
                kind == Node::Declare && self.syntax.text_of(inner).starts_with("static");
            let own = self.syntax.ancestors(inner).take_while(|it| *it != id);
            let in_switch = kind == Node::Case
                && own.into_iter().any(|it| self.syntax.kind(it) == Node::Switch);
            let in_itself = kind == Node::Case && self.syntax.kind(id) == Node::Switch;
            kind == Node::Labelled || is_static || kind == Node::Case && !in_switch && !in_itself
        })
    }

    /// Makes rows that overlap one, and leaves out what does not nest; then writes the text.
    fn finish(mut self, edits: usize) -> Schema {
        self.merge();
        // What is inserted at the beginning of a chunk is before it.
        self.chunks.sort_by(|a, b| {
            let first = |it: &Chunk| (it.range.start, !it.range.is_empty());
            first(a).cmp(&first(b)).then(b.range.end.cmp(&a.range.end)).then(a.form.cmp(&b.form))
        });
        let mut schema = Schema { chunks: self.chunks.len() as u32, ..Schema::default() };
        schema.ranges = self.chunks.iter().map(|it| it.range).collect();
        schema.choices = vec![Vec::new(); edits];
        for (chunk, own) in (0..).zip(&self.chunks) {
            for (version, one) in (1..).zip(&own.versions) {
                schema.choices[one.edit].push(Choice { chunk, version });
            }
        }
        for edit in &self.left {
            schema.choices[*edit].clear();
        }
        let mut writer = Writer { builder: &self, schema };
        writer.prologue();
        writer.part(Range::new(0, self.syntax.text.len()), &mut 0);
        let mut schema = writer.schema;
        let ends = schema.text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        schema.lines = std::iter::once(0).chain(ends.map(|(at, _)| at as u32 + 1)).collect();
        schema
    }

    fn merge(&mut self) {
        loop {
            let mut pair = None;
            'search: for (i, a) in self.chunks.iter().enumerate() {
                for (j, b) in self.chunks.iter().enumerate().skip(i + 1) {
                    let apart = a.range.end <= b.range.start || b.range.end <= a.range.start;
                    let nested = a.range.contains(b.range) || b.range.contains(a.range);
                    if !apart && !nested {
                        pair = Some((i, j));
                        break 'search;
                    }
                }
            }
            let Some((i, j)) = pair else { return };
            let other = self.chunks.swap_remove(j);
            let own = &mut self.chunks[i];
            let union = Range {
                start: own.range.start.min(other.range.start),
                end: own.range.end.max(other.range.end),
            };
            let are_rows = own.form == Form::Statements && other.form == Form::Statements;
            if !are_rows || union.len() > LARGEST {
                // The one with fewer versions is left out.
                let gone = if own.versions.len() < other.versions.len() {
                    std::mem::replace(own, other)
                } else {
                    other
                };
                self.left.extend(gone.versions.iter().map(|it| it.edit));
                continue;
            }
            own.range = union;
            own.versions.extend(other.versions);
            let (range, form) = (own.range, own.form);
            let same = self
                .chunks
                .iter()
                .enumerate()
                .position(|(at, it)| at != i && it.range == range && it.form == form);
            if let Some(same) = same {
                let versions = std::mem::take(&mut self.chunks[same].versions);
                self.chunks[i].versions.extend(versions);
                self.chunks.swap_remove(same);
            }
        }
    }
}

/// Whether a text goes on with an `if` that is before it.
fn is_else(text: &str) -> bool {
    text.trim_start().starts_with("else")
}

#[cfg(test)]
mod tests;
