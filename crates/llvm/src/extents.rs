//! What in the source an instruction is about.
//!
//! LLVM knows one position per instruction, and it is seldom where the text starts: clang puts it at the operator
//! of an assignment, at the member's name of `p->x`, at the keyword of a loop. So the source is parsed, and from
//! the innermost node at the position we go outwards to the first whose position by clang's rules it is
//! (`position.rs`) and that fits the use (`assign.rs`, `condition.rs`, and here).
//!
//! The parser knows nothing of macros. It need not: clang gives what comes from the body of a macro the position
//! of its use, which parses as a name or a call, and what comes from an argument its own.

mod assign;
mod condition;
mod initial;
mod position;
mod text;

pub use initial::{Designator, Element, Index, Initial, Known, Number};
use position::{Path, is_misread, range_at};
use tree_sitter::{Node, Parser, Tree};

/// One source file, parsed. Whatever the text, it can be asked.
#[derive(Debug)]
pub struct Extents {
    text: String,
    tree: Option<Tree>,
    /// Where each line starts.
    lines: Vec<usize>,
}

/// What the instruction at a position does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It stores: an assignment, `++`, or a variable with its initial value.
    Assign,
    /// It branches. Both operands of `&&` branch at one position; see [`Extents::find_condition`].
    Condition,
    /// It passes the argument with this number, from 0.
    Argument(u32),
    /// It returns from the function, or stores what is returned.
    Return,
    /// It calls.
    Call,
    /// It computes: `a[i]`, `*p`, `p->x`, `a / b`.
    Operand,
}

/// A part of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extent {
    /// In bytes.
    pub start: usize,
    pub end: usize,
    /// On one line, without comments.
    pub text: String,
}

impl Extents {
    pub fn new(text: &str) -> Extents {
        let mut parser = Parser::new();
        let language = parser.set_language(&tree_sitter_c::LANGUAGE.into());
        let tree = language.ok().and_then(|()| parser.parse(text, None));
        Extents { text: text.to_owned(), tree, lines: text::lines(text) }
    }

    /// The text that an instruction at this position (as LLVM counts: from 1, columns in bytes) is about.
    pub fn find(&self, line: u32, column: u32, role: Role) -> Option<Extent> {
        let at = self.offset(line, column)?;
        let path = Path::new(self.tree.as_ref()?, at);
        let (start, end) = match role {
            Role::Assign => assign::range(assign::find(&path)?, at),
            Role::Condition => range(condition::find(&path, None)?),
            Role::Argument(number) => range(argument(&path, number)?),
            Role::Return => returned(&path)?,
            Role::Call => range(call(&path)?),
            Role::Operand => range_at(operand(&path)?, at),
        };
        self.extent(start, end)
    }

    /// The condition that a branch decides by what was `tested`, both by line and column.
    ///
    /// What is tested is the comparison (or whatever else gives the truth value). Its position tells the operands
    /// of `&&`, `||` and `?:` apart.
    pub fn find_condition(&self, branch: (u32, u32), tested: (u32, u32)) -> Option<Extent> {
        let at = self.offset(branch.0, branch.1)?;
        let path = Path::new(self.tree.as_ref()?, at);
        let (start, end) = range(condition::find(&path, self.offset(tested.0, tested.1))?);
        self.extent(start, end)
    }

    fn offset(&self, line: u32, column: u32) -> Option<usize> {
        let start = self.lines.get(usize::try_from(line).ok()?.checked_sub(1)?)?;
        let at = start.checked_add(usize::try_from(column).ok()?.checked_sub(1)?)?;
        let end = self.lines.get(line as usize).copied().unwrap_or(self.text.len());
        (at < end).then_some(at)
    }

    fn extent(&self, start: usize, end: usize) -> Option<Extent> {
        let text = text::one_line(self.text.get(start..end)?);
        Some(Extent { start, end, text })
    }
}

fn range(node: Node) -> (usize, usize) {
    (node.start_byte(), node.end_byte())
}

/// The innermost call that starts here. A macro without arguments may be one, too.
fn call<'t>(path: &Path<'t>) -> Option<Node<'t>> {
    let mut steps = path.outwards();
    let starts_here = |node: Node| node.start_byte() == path.at;
    steps
        .find(|step| step.node.kind() == "call_expression" && starts_here(step.node))
        .map(|step| step.node)
        .or_else(|| use_of_macro(path))
}

fn argument<'t>(path: &Path<'t>, number: u32) -> Option<Node<'t>> {
    arguments(call(path)?).nth(number as usize)
}

fn arguments(call: Node) -> impl Iterator<Item = Node> {
    let list = call.child_by_field_name("arguments");
    let mut cursor = call.walk();
    let children: Vec<Node> =
        list.map_or(Vec::new(), |list| list.named_children(&mut cursor).collect());
    children.into_iter().filter(|node| node.kind() != "comment")
}

/// A statement that returns, without its semicolon. A structure is stored at the position of the value.
fn returned(path: &Path) -> Option<(usize, usize)> {
    let is_return = |node: &Node| node.kind() == "return_statement";
    let mut around = path.outwards().map(|step| step.node);
    let direct = around.find(|node| is_return(node) && node.start_byte() == path.at);
    let Some(node) = direct.or_else(|| assign::receiver(path).filter(is_return)) else {
        return use_of_macro(path).map(range);
    };
    let mut cursor = node.walk();
    let parts = node.children(&mut cursor).filter(|part| ![";", "comment"].contains(&part.kind()));
    Some((node.start_byte(), parts.last()?.end_byte()))
}

/// Outwards through `c[i][j]`, whose accesses have one position, but not through what has it by chance.
fn operand<'t>(path: &Path<'t>) -> Option<Node<'t>> {
    let mut found: Option<Node> = None;
    for step in path.outwards() {
        let kind = step.node.kind();
        let is_access = matches!(kind, "subscript_expression" | "call_expression");
        let is_here = position::of(step.node) == Some(path.at);
        let is_rest =
            is_misread(step.node) && found.is_some_and(|node| node.kind() == "unary_expression");
        if (is_here && (found.is_none() || is_access)) || is_rest {
            found = Some(step.node);
        }
    }
    // A loop compares what it tests with zero at its keyword.
    found.or_else(|| condition::find(path, None))
}

/// The name or call at this position, if it is one that the parser takes for an expression.
fn use_of_macro<'t>(path: &Path<'t>) -> Option<Node<'t>> {
    let mut found = None;
    for step in path.outwards() {
        match step.node.kind() {
            // A parameter or a label is no use of anything.
            "identifier" if step.field != Some("declarator") && step.field != Some("label") => {
                found = Some(step.node);
            }
            // `FOR_EACH(x) y = 1;` looks like a declaration.
            "call_expression" | "macro_type_specifier" => found = Some(step.node),
            _ if found.is_none() && step.node.child_count() > 0 => return None,
            _ => {}
        }
        if found.is_some_and(|node: Node| node.start_byte() != path.at) {
            return None;
        }
        if found.is_some_and(|node| node.kind() != "identifier") {
            return found;
        }
        if found.is_some() && step.node.start_byte() != path.at {
            return found;
        }
    }
    found
}

#[cfg(test)]
mod tests;
