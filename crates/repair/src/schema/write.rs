//! Writes the text: what is kept, and the versions of each chunk.

use program::syntax::Range;

use super::{Builder, CHOICE, Chunk, Form, REACHED, SEEN, Schema, Version};
use crate::edit::applied;
use crate::generate::Dialect;

pub(super) struct Writer<'b> {
    pub builder: &'b Builder<'b>,
    pub schema: Schema,
}

impl Writer<'_> {
    fn push(&mut self, text: &str) {
        self.schema.text.push_str(text);
    }

    fn at(&self) -> u32 {
        self.schema.text.len() as u32
    }

    pub fn prologue(&mut self) {
        let count = self.schema.chunks.max(1);
        match self.builder.dialect {
            Dialect::C => {
                self.push(&format!("__attribute__((weak)) unsigned short {CHOICE}[{count}];\n"));
                self.push(&format!("extern void {SEEN}(unsigned long long);\n"));
            }
            // Constants can be read everywhere, and there are no arrays that are as fast.
            Dialect::Boogie => {
                let names: Vec<String> = (0..count).map(|it| format!("{CHOICE}_{it}")).collect();
                self.push(&format!("const {}: int;\n", names.join(", ")));
            }
        }
    }

    pub fn original(&mut self, range: Range) {
        if !range.is_empty() {
            let at = self.at();
            self.schema.kept.push((at, range.start, range.len()));
            self.schema.text.push_str(self.builder.syntax.slice(range));
        }
    }

    /// A part of the original, with the chunks that are in it, from the one with this number on.
    pub fn part(&mut self, range: Range, next: &mut usize) {
        let mut at = range.start;
        while let Some(chunk) = self.builder.chunks.get(*next) {
            let is_in = range.contains(chunk.range);
            let is_behind = chunk.range.is_empty() && chunk.range.start == range.end;
            if !is_in || is_behind && range.end != self.builder.syntax.text.len() as u32 {
                break;
            }
            let number = *next;
            *next += 1;
            self.original(Range { start: at, end: chunk.range.start });
            self.chunk(number, chunk, next);
            at = chunk.range.end;
        }
        self.original(Range { start: at, end: range.end });
    }

    fn chunk(&mut self, number: usize, chunk: &Chunk, next: &mut usize) {
        match self.builder.dialect {
            Dialect::C => self.chunk_of_c(number, chunk, next),
            Dialect::Boogie => self.chunk_of_boogie(number, chunk, next),
        }
    }

    /// A statement that is made of another one is an `if` without braces around it: there are none between statements.
    fn chunk_of_boogie(&mut self, number: usize, chunk: &Chunk, next: &mut usize) {
        let choice = format!("{CHOICE}_{number}");
        let all = (1, chunk.versions.len());
        let is_block = self.builder.syntax.slice(chunk.range).starts_with('{');
        let [open, close] = if is_block { ["", ""] } else { ["{ ", " }"] };
        match chunk.form {
            Form::Point => {
                self.push(&format!(" if ({choice} != 0) {{ "));
                self.versions(chunk, &choice, all, &Leaf::bare());
                self.push(" } ");
            }
            Form::Gate => {
                self.push(&format!("if (if {choice} == 0 then true else "));
                self.versions(chunk, &choice, all, &Leaf::value("("));
                self.push(&format!(") {open}"));
                self.part(chunk.range, next);
                self.push(close);
            }
            Form::Statements => {
                self.push(&format!("if ({choice} == 0) {{ "));
                self.part(chunk.range, next);
                self.push(" } else { ");
                self.versions(chunk, &choice, all, &Leaf::bare());
                self.push(" }");
            }
            Form::Condition | Form::Number | Form::Effect | Form::Initial => {
                self.push(&format!("(if {choice} == 0 then ("));
                self.part(chunk.range, next);
                self.push(") else ");
                self.versions(chunk, &choice, all, &Leaf::value("("));
                self.push(")");
            }
            // The interpreter sees what is reached.
            Form::Watch => self.part(chunk.range, next),
        }
    }

    fn chunk_of_c(&mut self, number: usize, chunk: &Chunk, next: &mut usize) {
        let choice = format!("{CHOICE}[{number}]");
        let name = chunk.name.map(|name| self.builder.syntax.slice(name).to_owned());
        let convert = name.map_or(String::new(), |name| format!("(__typeof__({name}))"));
        match chunk.form {
            Form::Point => {
                self.push(&format!(" if ({choice} != 0) "));
                self.versions(chunk, &choice, (1, chunk.versions.len()), &Leaf::statement());
                self.push(" ");
            }
            Form::Watch => {
                self.push(&format!("{{ {SEEN}({REACHED}ull); "));
                for value in &chunk.values {
                    self.push(&format!("{SEEN}((unsigned long long)({value})); "));
                }
                self.part(chunk.range, next);
                self.push(" }");
            }
            Form::Gate => {
                self.push(&format!("{{ if ({choice} == 0 ? 1 : "));
                self.versions(chunk, &choice, (1, chunk.versions.len()), &Leaf::value("!!("));
                self.push(") ");
                self.part(chunk.range, next);
                self.push(" }");
            }
            Form::Statements => {
                self.push(&format!("{{ if ({choice} == 0) {{ "));
                self.part(chunk.range, next);
                self.push(" } else ");
                self.versions(chunk, &choice, (1, chunk.versions.len()), &Leaf::statement());
                self.push(" }");
            }
            Form::Condition | Form::Number | Form::Effect | Form::Initial => {
                let before = match chunk.form {
                    Form::Condition => "!!(".to_owned(),
                    Form::Number => "(long long)(".to_owned(),
                    Form::Effect => "(void)(".to_owned(),
                    _ => format!("{convert}("),
                };
                self.push(&format!("({choice} == 0 ? {before}"));
                self.part(chunk.range, next);
                self.push(") : ");
                self.versions(chunk, &choice, (1, chunk.versions.len()), &Leaf::value(&before));
                self.push(")");
            }
        }
    }

    /// A tree of decisions between the versions from the first to the last.
    fn versions(
        &mut self,
        chunk: &Chunk,
        choice: &str,
        (first, last): (usize, usize),
        leaf: &Leaf,
    ) {
        if first >= last {
            if let Some(version) = chunk.versions.get(first - 1) {
                self.version(chunk, version, leaf);
            }
            return;
        }
        let middle = (first + last).div_ceil(2);
        let is_below = format!("{choice} < {middle}");
        let [open, between, close] = match (leaf.is_statement, self.builder.dialect) {
            (true, Dialect::C) => [format!("if ({is_below}) "), " else ".to_owned(), String::new()],
            // An `if` after `else` has an `else` of its own, and one before it needs braces.
            (true, Dialect::Boogie) => {
                [format!("if ({is_below}) {{ "), " } else { ".to_owned(), " }".to_owned()]
            }
            (false, Dialect::C) => [format!("({is_below} ? "), " : ".to_owned(), ")".to_owned()],
            (false, Dialect::Boogie) => {
                [format!("(if {is_below} then "), " else ".to_owned(), ")".to_owned()]
            }
        };
        self.push(&open);
        self.versions(chunk, choice, (first, middle - 1), leaf);
        self.push(&between);
        self.versions(chunk, choice, (middle, last), leaf);
        self.push(&close);
    }

    fn version(&mut self, chunk: &Chunk, version: &Version, leaf: &Leaf) {
        let text = match &version.condition {
            Some(condition) => condition.clone(),
            None => {
                let mut own = version.replacements.clone();
                own.sort();
                for it in &mut own {
                    it.range.start -= chunk.range.start;
                    it.range.end -= chunk.range.start;
                }
                applied(self.builder.syntax.slice(chunk.range), &own)
            }
        };
        let is_braced = leaf.open.is_empty() && text.starts_with('{');
        let inner = text.strip_prefix('{').and_then(|it| it.trim_end().strip_suffix('}'));
        let text = inner.filter(|_| is_braced).map(str::to_owned).unwrap_or(text);
        // Its lines are its own, so that what the compiler says of them is about it.
        let (open, close) = (&leaf.open, &leaf.close);
        self.push("\n");
        let start = self.at();
        self.push(&format!("{open}{text}{close}\n"));
        let range = Range { start, end: self.at() };
        self.schema.versions.push((range, version.edit));
    }
}

/// What is around a version.
struct Leaf {
    is_statement: bool,
    open: String,
    close: String,
}

impl Leaf {
    fn statement() -> Leaf {
        Leaf { is_statement: true, open: "{ ".to_owned(), close: "\n}".to_owned() }
    }

    /// Statements that have braces around them already, which cannot have more.
    fn bare() -> Leaf {
        Leaf { is_statement: true, open: String::new(), close: String::new() }
    }

    fn value(before: &str) -> Leaf {
        Leaf { is_statement: false, open: before.to_owned(), close: "\n)".to_owned() }
    }
}
