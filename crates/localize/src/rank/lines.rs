//! Statements as they are written: the lines on which they begin.
//!
//! A suspect is a line. That is how people talk about programs, and several statements on one line are mostly parts of one thought.
//! What is nested in a statement counts for the line on which the statement begins, even if it is on another one: an argument,
//! the operand that overflows. But of conditions and tables over several lines, each line can be wrong by itself.

use std::collections::BTreeMap;

use program::syntax::{Kind, NodeId, Range, Role, Syntax};
use program::{Program, Span};

/// A file and a line of it, from 1.
pub type Line = (u32, u32);

/// What is written on a line.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Written {
    pub condition: bool,
    pub is_loop: bool,
    pub declaration: bool,
    pub global: bool,
    pub defines: bool,
    pub returns: bool,
    pub jumps: bool,
    pub output: bool,
    pub input: bool,
    /// It declares an array with its size.
    pub sized: bool,
    /// It declares something that has no value at first.
    pub unset: bool,
    /// How many `&&` and `||` there are.
    pub compound: usize,
    /// The text of the first statement: without what is in its body.
    pub text: Range,
}

/// The statements of a program, by the lines on which they begin.
#[derive(Debug, Default)]
pub struct Lines {
    /// By file, in the order of the text.
    heads: BTreeMap<u32, Vec<Head>>,
    pub written: BTreeMap<Line, Written>,
}

/// A statement without its body.
#[derive(Clone, Copy, Debug)]
struct Head {
    range: Range,
    line: u32,
    /// Whether all of it counts for the line on which it begins.
    is_one: bool,
}

impl Lines {
    /// Those of the files that have been read as trees.
    pub fn of(program: &Program) -> Lines {
        let mut lines = Lines::default();
        for (number, file) in (0u32..).zip(&program.files) {
            let Some(syntax) = &file.syntax else { continue };
            let line = |at: u32| file.position(at).line;
            let mut heads: Vec<Head> = Vec::new();
            for id in syntax.ids() {
                let Some(range) = head(syntax, id) else { continue };
                let begin = line(range.start);
                // What is in the head of a loop is no statement of its own.
                if heads.last().is_some_and(|outer| outer.range.contains(range)) {
                    continue;
                }
                heads.push(Head { range, line: begin, is_one: is_one(syntax, id) });
                let known = lines.written.entry((number, begin)).or_default();
                describe(syntax, id, range, known);
            }
            heads.sort_by_key(|head| (head.range.start, std::cmp::Reverse(head.range.end)));
            lines.heads.insert(number, heads);
        }
        lines
    }

    /// The line that a place counts for.
    pub fn at(&self, program: &Program, file: u32, at: u32) -> Option<Line> {
        let own = program.files.get(file as usize)?.position(at).line;
        let heads = self.heads.get(&file).map_or(&[][..], Vec::as_slice);
        let before = heads.partition_point(|head| head.range.start <= at);
        // Heads hardly ever contain each other.
        let around = heads[..before].iter().rev().take(3).find(|head| at < head.range.end);
        Some((file, around.filter(|head| head.is_one).map_or(own, |head| head.line)))
    }

    pub fn of_span(&self, program: &Program, span: Span) -> Option<Line> {
        self.at(program, span.file.0, span.start)
    }

    /// The line before this one on which a statement begins.
    pub fn before(&self, (file, line): Line) -> Option<Line> {
        self.written.range((file, 0)..(file, line)).next_back().map(|(line, _)| *line)
    }
}

/// The part of a statement that stands before its body; None if the node is none.
fn head(syntax: &Syntax, id: NodeId) -> Option<Range> {
    let own = syntax.range(id);
    let until = |role: Role| {
        let end = syntax.child(id, role).map_or(own.end, |child| syntax.range(child).end);
        Range { start: own.start, end }
    };
    let before = |role: Role| {
        let end = syntax.child(id, role).map_or(own.end, |child| syntax.range(child).start);
        Range { start: own.start, end }
    };
    match syntax.kind(id) {
        Kind::Evaluate
        | Kind::Declare
        | Kind::Return
        | Kind::Break
        | Kind::Continue
        | Kind::Goto
        | Kind::Claim
        | Kind::Macro => Some(own),
        Kind::If | Kind::While | Kind::Switch => Some(until(Role::Condition)),
        Kind::DoWhile => syntax.child(id, Role::Condition).map(|it| syntax.range(it)),
        Kind::For => Some(before(Role::Body)),
        Kind::Function => Some(before(Role::Body)),
        Kind::Case | Kind::Labelled => {
            let body = syntax.node(id).children.iter().find(|it| syntax.kind(it.1).is_statement());
            let end = body.map_or(own.end, |(_, child)| syntax.range(*child).start);
            Some(Range { start: own.start, end })
        }
        _ => None,
    }
}

/// Whether a statement is one thought, over however many lines: it decides nothing, and is no table.
fn is_one(syntax: &Syntax, id: NodeId) -> bool {
    match syntax.kind(id) {
        Kind::Evaluate | Kind::Return | Kind::Declare => {
            !syntax.within(id).iter().any(|&it| syntax.kind(it) == Kind::Values)
        }
        _ => false,
    }
}

/// Adds what is to say of a statement.
fn describe(syntax: &Syntax, id: NodeId, head: Range, known: &mut Written) {
    let kind = syntax.kind(id);
    let is_top = syntax.function(id).is_none();
    known.condition |= matches!(kind, Kind::If | Kind::Switch | Kind::Case);
    known.is_loop |= kind.is_loop();
    known.declaration |= kind == Kind::Declare && !is_top;
    known.global |= kind == Kind::Declare && is_top;
    known.defines |= kind == Kind::Macro;
    known.returns |= kind == Kind::Return;
    known.jumps |= matches!(kind, Kind::Break | Kind::Continue | Kind::Goto);
    if known.text == Range::default() {
        known.text = head;
    }
    // What is in the body is described for itself.
    let inside = syntax.within(id).into_iter().filter(|it| head.contains(syntax.range(*it)));
    for id in inside {
        match syntax.kind(id) {
            Kind::Binary => {
                known.compound += usize::from(matches!(syntax.operator(id), "&&" | "||"));
            }
            Kind::Call => {
                let name = syntax.child(id, Role::Base).map_or("", |base| syntax.text_of(base));
                known.output |= is_output(name);
                known.input |= is_input(name);
            }
            Kind::Declarator => {
                known.sized |= has_size(syntax, id);
                let is_set = syntax.child(id, Role::Initial).is_some();
                known.unset |= kind == Kind::Declare && !is_top && !is_set;
            }
            _ => {}
        }
    }
}

fn has_size(syntax: &Syntax, declarator: NodeId) -> bool {
    syntax.within(declarator).iter().any(|&it| syntax.role(it) == Some(Role::Size))
}

fn is_output(name: &str) -> bool {
    let names = ["printf", "puts", "putchar", "fprintf", "fputs", "putc", "fputc", "fwrite"];
    names.contains(&name)
}

fn is_input(name: &str) -> bool {
    let names =
        ["scanf", "gets", "fgets", "getchar", "fscanf", "getc", "fgetc", "getline", "fread"];
    names.contains(&name)
}
