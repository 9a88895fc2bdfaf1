//! Random programs that print: their text, and all that they can do if some lines are free.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::random::Random;

/// Numbers that a free assignment may assign: those that can be printed as a part of what is expected, and characters.
const VALUES: [i32; 26] = [
    -1, 0, 1, 2, 3, 10, 11, 12, 13, 21, 22, 23, 31, 32, 48, 49, 50, 51, 111, 112, 120, 121, 122,
    123, 211, 212,
];
/// As many states are looked at.
const MOST_STATES: usize = 30_000;
const BLANKS: &[u8] = b"\t\n\x0c\r ";
const SIZE: usize = 6;

/// A variable, if there is one, and a number.
#[derive(Clone, Copy, Debug)]
pub struct Sum(Option<usize>, i32);

/// One directive of a format.
#[derive(Clone, Copy, Debug)]
pub enum Directive {
    Text(&'static str),
    /// Of an integer: its text, its width (negative: to the left), whether it has zeros.
    Number(&'static str, i32, bool),
    Hexadecimal,
    Byte,
    /// Of a string: its text, its width, its precision.
    String(&'static str, i32, usize),
}

#[derive(Clone, Debug)]
pub enum Tree {
    Assign(usize, Sum),
    /// A byte of the array.
    Set(usize, Sum),
    Putchar(Sum),
    /// `puts` and `fputs`, from a place in the array on.
    Puts(Sum),
    Fputs(Sum),
    Printf(&'static [Directive], Vec<Sum>),
    If(usize, i32, Vec<Line>),
    /// So many rounds.
    For(usize, Vec<Line>),
}

#[derive(Clone, Debug)]
pub struct Line {
    pub tree: Tree,
    /// From 1, when it has been written.
    pub number: usize,
}

use Directive::{Byte, Hexadecimal, Number, String as Str, Text};

const D: Directive = Number("%d", 0, false);
const S: Directive = Str("%s", 0, usize::MAX);
const FORMATS: [&[Directive]; 18] = [
    &[D],
    &[D, Text("\n")],
    &[D, Text(" ")],
    &[D, D],
    &[D, Text(" "), D, Text("\n")],
    &[Byte],
    &[Byte, Text("\n")],
    &[Byte, Byte],
    &[Number("%3d", 3, false)],
    &[Number("%-3d", -3, false), Text("|")],
    &[Number("%02d", 2, true)],
    &[Hexadecimal],
    &[S],
    &[S, Text("\n")],
    &[S, D, Text("\n")],
    &[Str("%3s", 3, usize::MAX)],
    &[Str("%.2s", 0, 2), Text("1")],
    &[Text("12")],
];

/// The variables, the array, and how much has been printed.
type State = ([i32; 3], [u8; SIZE], usize);

pub struct Program {
    pub lines: Vec<Line>,
    first: [i32; 3],
    array: &'static str,
}

impl Random {
    fn sum(&mut self) -> Sum {
        match self.below(2) {
            0 => Sum(None, self.one_of(&[1, 2, 3, 11, 12, 21, 49, 50, 51, 10, 32, 123])),
            _ => Sum(Some(self.below(3)), self.one_of(&[0, 0, 1, -1, 10, 48])),
        }
    }

    /// A place in the array.
    fn place(&mut self) -> Sum {
        Sum((self.below(4) == 0).then(|| self.below(3)), 0)
    }

    fn print(&mut self) -> Tree {
        match self.below(10) {
            0 => Tree::Putchar(self.sum()),
            1 => Tree::Puts(self.place()),
            2 => Tree::Fputs(self.place()),
            _ => {
                let format = self.one_of(&FORMATS);
                let mut arguments = Vec::new();
                for directive in format {
                    match directive {
                        Text(_) => {}
                        Str(..) => arguments.push(self.place()),
                        _ => arguments.push(Sum(Some(self.below(3)), self.one_of(&[0, 0, 1]))),
                    }
                }
                Tree::Printf(format, arguments)
            }
        }
    }

    fn assign(&mut self) -> Tree {
        match self.below(3) {
            0 => Tree::Set(self.below(4), Sum(None, self.one_of(&[49, 50, 51, 0, 32, 120]))),
            _ => Tree::Assign(self.below(3), self.sum()),
        }
    }

    fn block(&mut self, count: usize, depth: usize) -> Vec<Line> {
        let mut lines = Vec::new();
        for _ in 0..count {
            let tree = match self.below(8) {
                0 if depth > 0 => {
                    Tree::If(self.below(3), self.one_of(&[0, 1, 2, 11]), self.block(1, 0))
                }
                1 if depth > 0 => Tree::For(1 + self.below(3), self.block(1, 0)),
                2..5 => self.print(),
                5 if depth == 0 => self.print(),
                _ => self.assign(),
            };
            lines.push(Line { tree, number: 0 });
        }
        lines
    }

    pub fn program(&mut self) -> Program {
        let first = [0; 3].map(|_| self.one_of(&[1, 2, 3, 11, 12, 49, 50]));
        let array = self.one_of(&["12", "1", "x2", "21", "", "1 2"]);
        let count = 4 + self.below(4);
        Program { lines: self.block(count, 1), first, array }
    }

    /// Changes a line or two.
    pub fn spoil(&mut self, program: &Program) -> Program {
        let mut lines = program.lines.clone();
        for _ in 0..1 + self.below(2) {
            let at = self.below(lines.len());
            let line = match &mut lines[at].tree {
                Tree::If(_, limit, _) if self.below(2) == 0 => {
                    *limit = self.one_of(&[0, 1, 2, 11]);
                    continue;
                }
                Tree::If(.., body) | Tree::For(_, body) => &mut body[0].tree,
                line => line,
            };
            *line = match line {
                Tree::Assign(..) | Tree::Set(..) => self.assign(),
                _ => self.print(),
            };
        }
        Program { lines, ..*program }
    }
}

impl Sum {
    fn text(self) -> String {
        let Sum(variable, number) = self;
        match variable {
            None => number.to_string(),
            Some(v) if number == 0 => NAMES[v].to_owned(),
            Some(v) => format!("{} + {number}", NAMES[v]),
        }
    }

    fn value(self, variables: &[i32; 3]) -> i32 {
        self.0.map_or(0, |v| variables[v]) + self.1
    }

    /// A pointer into the array.
    fn pointer(self) -> String {
        self.0.map_or("s".to_owned(), |v| format!("s + {}", NAMES[v]))
    }
}

const NAMES: [&str; 3] = ["a", "b", "c"];

impl Program {
    /// The text; each line has its number then.
    pub fn write(&mut self) -> String {
        let mut text = "#include <stdio.h>\nint main(void)\n{\n".to_owned();
        writeln!(text, "    char s[{SIZE}] = \"{}\";", self.array).unwrap();
        let first = NAMES.iter().zip(self.first).map(|(name, value)| format!("{name} = {value}"));
        writeln!(text, "    int {};", first.collect::<Vec<_>>().join(", ")).unwrap();
        write_block(&mut self.lines, &mut text, 4);
        text + "    return 0;\n}\n"
    }

    /// What it prints; none if it fails.
    pub fn output(&self) -> Option<Vec<u8>> {
        let mut output = Vec::new();
        let mut state = self.start();
        run_plainly(&self.lines, &mut state, &mut output)?;
        Some(output)
    }

    fn start(&self) -> State {
        let mut array = [0; SIZE];
        array[..self.array.len()].copy_from_slice(self.array.as_bytes());
        (self.first, array, 0)
    }

    /// The lines that can be changed.
    pub fn numbers(&self) -> Vec<usize> {
        let mut numbers = Vec::new();
        for line in &self.lines {
            match &line.tree {
                Tree::If(.., body) => numbers.extend([line.number, body[0].number]),
                Tree::For(_, body) => numbers.push(body[0].number),
                _ => numbers.push(line.number),
            }
        }
        numbers
    }

    /// Whether it can print this if these lines are free. None if there is too much to try.
    pub fn can_print(&self, expected: &[u8], free: &[usize]) -> Option<bool> {
        let end = expected.trim_ascii_end().len();
        let states = run_freely(&self.lines, BTreeSet::from([self.start()]), expected, free)?;
        Some(states.iter().any(|state| state.2 >= end))
    }
}

fn write_block(lines: &mut [Line], text: &mut String, indent: usize) {
    for line in lines {
        line.number = text.lines().count() + 1;
        let space = " ".repeat(indent);
        let written = match &mut line.tree {
            Tree::Assign(v, sum) => format!("{} = {};", NAMES[*v], sum.text()),
            Tree::Set(at, sum) => format!("s[{at}] = {};", sum.text()),
            Tree::Putchar(sum) => format!("putchar({});", sum.text()),
            Tree::Puts(place) => format!("puts({});", place.pointer()),
            Tree::Fputs(place) => format!("fputs({}, stdout);", place.pointer()),
            Tree::Printf(format, arguments) => {
                let mut call = "printf(\"".to_owned();
                let mut behind = String::new();
                let mut arguments = arguments.iter();
                for directive in *format {
                    let (own, argument) = match directive {
                        Text(own) => (own.replace('\n', "\\n"), None),
                        Number(own, ..) => ((*own).to_owned(), arguments.next()),
                        Hexadecimal => ("%x".to_owned(), arguments.next()),
                        Byte => ("%c".to_owned(), arguments.next()),
                        Str(own, ..) => {
                            let place = arguments.next().unwrap();
                            write!(behind, ", {}", place.pointer()).unwrap();
                            ((*own).to_owned(), None)
                        }
                    };
                    call += &own;
                    if let Some(sum) = argument {
                        write!(behind, ", {}", sum.text()).unwrap();
                    }
                }
                format!("{call}\"{behind});")
            }
            Tree::If(v, limit, body) => {
                writeln!(text, "{space}if ({} > {limit})", NAMES[*v]).unwrap();
                write_block(body, text, indent + 4);
                continue;
            }
            Tree::For(rounds, body) => {
                writeln!(text, "{space}for (int i = 0; i < {rounds}; i++)").unwrap();
                write_block(body, text, indent + 4);
                continue;
            }
        };
        writeln!(text, "{space}{written}").unwrap();
    }
}

/// The string at a place in the array.
fn string(state: &State, place: Sum, most: usize) -> Option<Vec<u8>> {
    let place = usize::try_from(place.value(&state.0)).ok().filter(|&place| place < SIZE)?;
    let rest = &state.1[place..];
    let rest = &rest[..rest.len().min(most)];
    match rest.iter().position(|&byte| byte == 0) {
        Some(end) => Some(rest[..end].to_vec()),
        None => (rest.len() == most).then(|| rest.to_vec()),
    }
}

fn padded(text: Vec<u8>, width: i32) -> Vec<u8> {
    let blanks = vec![b' '; (width.unsigned_abs() as usize).saturating_sub(text.len())];
    if width < 0 { [text, blanks].concat() } else { [blanks, text].concat() }
}

/// What a line prints; none if it fails.
fn printed(tree: &Tree, state: &State) -> Option<Vec<u8>> {
    Some(match tree {
        Tree::Putchar(sum) => vec![sum.value(&state.0) as u8],
        Tree::Puts(place) => [string(state, *place, usize::MAX)?, b"\n".to_vec()].concat(),
        Tree::Fputs(place) => string(state, *place, usize::MAX)?,
        Tree::Printf(format, arguments) => {
            let mut text = Vec::new();
            let mut arguments = arguments.iter();
            for directive in *format {
                text.extend(match directive {
                    Text(own) => own.as_bytes().to_vec(),
                    Number(_, width, zeros) => {
                        let value = arguments.next()?.value(&state.0);
                        match zeros {
                            true => format!("{value:0width$}", width = *width as usize).into(),
                            false => padded(value.to_string().into(), *width),
                        }
                    }
                    Hexadecimal => format!("{:x}", arguments.next()?.value(&state.0)).into(),
                    Byte => vec![arguments.next()?.value(&state.0) as u8],
                    Str(_, width, most) => {
                        padded(string(state, *arguments.next()?, *most)?, *width)
                    }
                });
            }
            text
        }
        _ => Vec::new(),
    })
}

fn run_plainly(lines: &[Line], state: &mut State, output: &mut Vec<u8>) -> Option<()> {
    for line in lines {
        match &line.tree {
            Tree::Assign(v, sum) => state.0[*v] = sum.value(&state.0),
            Tree::Set(at, sum) => state.1[*at] = sum.value(&state.0) as u8,
            Tree::If(v, limit, body) if state.0[*v] > *limit => run_plainly(body, state, output)?,
            Tree::If(..) => {}
            Tree::For(rounds, body) => {
                for _ in 0..*rounds {
                    run_plainly(body, state, output)?;
                }
            }
            print => output.extend(printed(print, state)?),
        }
    }
    Some(())
}

/// All states after some lines: a free line does anything.
fn run_freely(
    lines: &[Line],
    mut states: BTreeSet<State>,
    expected: &[u8],
    free: &[usize],
) -> Option<BTreeSet<State>> {
    let end = expected.trim_ascii_end().len();
    for line in lines {
        if states.len() > MOST_STATES {
            return None;
        }
        let is_free = free.contains(&line.number);
        let values = |sum: &Sum, state: &State| match is_free {
            true => VALUES.to_vec(),
            false => vec![sum.value(&state.0)],
        };
        let mut next = BTreeSet::new();
        match &line.tree {
            Tree::Assign(v, sum) => {
                for mut state in states {
                    for value in values(sum, &state) {
                        state.0[*v] = value;
                        next.insert(state);
                    }
                }
            }
            Tree::Set(at, sum) => {
                for mut state in states {
                    for value in values(sum, &state) {
                        state.1[*at] = value as u8;
                        next.insert(state);
                    }
                }
            }
            Tree::If(v, limit, body) => {
                let holds = |state: &&State| is_free || state.0[*v] > *limit;
                let fails = |state: &&State| is_free || state.0[*v] <= *limit;
                let yes = states.iter().filter(holds).copied().collect();
                next = run_freely(body, yes, expected, free)?;
                next.extend(states.iter().filter(fails));
            }
            Tree::For(rounds, body) => {
                next = states;
                for _ in 0..*rounds {
                    next = run_freely(body, next, expected, free)?;
                }
            }
            print => {
                for state in states {
                    let Some(text) = printed(print, &state) else { continue };
                    let at = state.2;
                    if is_free {
                        next.extend((at..=end.max(at)).map(|at| (state.0, state.1, at)));
                    } else if text.iter().enumerate().all(|(n, byte)| match at + n < end {
                        true => expected[at + n] == *byte,
                        false => BLANKS.contains(byte),
                    }) {
                        next.insert((state.0, state.1, at + text.len()));
                    }
                }
            }
        }
        states = next;
    }
    Some(states)
}
