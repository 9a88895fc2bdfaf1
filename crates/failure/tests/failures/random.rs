//! Random numbers, the same in every run, and random small programs.

use std::fmt::Write;

/// A xorshift generator.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % limit
    }

    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.below(from.len())]
    }
}

/// What numbers are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Numbers {
    Bits,
    Ints,
}

/// Random programs: two numbers `x`, `y`, a flag `b`, a map `m`; a procedure `f` that calls itself to a
/// depth that is given, and `g` with two results. There are loops, but they end by themselves.
pub struct Generator {
    random: Random,
    numbers: Numbers,
    map: bool,
    /// How many havocs, arbitrary choices and calls there may still be.
    open: usize,
    labels: usize,
}

pub fn program(seed: u64, numbers: Numbers) -> String {
    let mut random = Random::new(seed);
    let map = numbers == Numbers::Ints || random.one_in(3);
    let open = if numbers == Numbers::Ints { 8 } else { 3 };
    Generator { random, numbers, map, open, labels: 0 }.program()
}

impl Generator {
    fn program(&mut self) -> String {
        let mut text = String::new();
        let (number, index) = match self.numbers {
            Numbers::Bits => ("bv2", "bool"),
            Numbers::Ints => ("int", "int"),
        };
        if self.numbers == Numbers::Bits {
            for (name, result) in [("add", "bv2"), ("mul", "bv2"), ("ult", "bool")] {
                let _ = writeln!(
                    text,
                    "function {{:bvbuiltin \"bv{name}\"}} {name}(a: bv2, b: bv2) returns ({result});"
                );
            }
        }
        let _ = writeln!(text, "var x: {number};\nvar b: bool;");
        if self.map {
            let _ = writeln!(text, "var m: [{index}]{number};");
        }
        let body = self.statements(1);
        let then = self.number(1);
        let _ = write!(
            text,
            "procedure f(d: int, y: {number}) returns (r: {number}) modifies x, b; {{\n\
             if (d > 0) {{ call r := f(d - 1, {then}); }} else {{ r := y; }}\n\
             if ({}) {{ x := {}; }}\n}}\n",
            self.condition(1),
            self.number(1),
        );
        let _ = write!(
            text,
            "procedure g(y: {number}, c: bool) returns (r: {number}, s: {number}) {{\n\
             r := {};\nif (c) {{ s := y; }}\n}}\n",
            self.number(1),
        );
        let main = self.statements(4);
        let _ = write!(
            text,
            "procedure main() modifies x, b; {{\nvar y: {number};\nvar i: int;\nvar j: int;\n{main}{body}assert {};\n}}\n",
            self.condition(2)
        );
        text
    }

    fn statements(&mut self, most: usize) -> String {
        let count = 1 + self.random.below(most);
        (0..count).map(|_| self.statement(2)).collect()
    }

    fn is_open(&mut self) -> bool {
        let open = self.open > 0;
        self.open = self.open.saturating_sub(1);
        open
    }

    fn statement(&mut self, depth: usize) -> String {
        match self.random.below(12) {
            0 if self.is_open() => {
                let map = if self.map { "m" } else { "x" };
                format!("havoc {};\n", self.random.pick(&["x", "y", "b", map]))
            }
            1 if depth > 0 => {
                let any = self.random.one_in(3) && self.is_open();
                let condition = if any { "*".to_owned() } else { self.condition(1) };
                let (then, other) = (self.statement(depth - 1), self.statement(depth - 1));
                format!("if ({condition}) {{\n{then}}} else {{\n{other}}}\n")
            }
            2 if depth > 0 && self.is_open() => {
                let i = if depth == 2 { "i" } else { "j" };
                let body = self.statement(depth - 1);
                format!("{i} := 0;\nwhile ({i} < 2) {{\n{i} := {i} + 1;\n{body}}}\n")
            }
            3 if depth == 2 => self.jump(),
            4 => {
                let check = self.random.pick(&["assume", "assert"]);
                format!("{check} {};\n", self.condition(1))
            }
            5 => format!("b := {};\n", self.condition(1)),
            6 if self.map && self.random.one_in(3) && self.is_open() => {
                let index = self.index();
                format!("m[{index}] := {{:havoc}} m[{index}];\n")
            }
            6 if self.map => format!("m[{}] := {};\n", self.index(), self.number(1)),
            7 if self.is_open() => {
                let (to, d) = (self.random.pick(&["x", "y"]), self.random.below(3));
                format!("call {to} := f({d}, {});\n", self.number(1))
            }
            8 if self.is_open() => {
                let (first, second) = self.random.pick(&[&("x", "y"), &("y", "x")]);
                let (argument, flag) = (self.number(1), self.condition(0));
                format!("call {first}, {second} := g({argument}, {flag});\n")
            }
            9 => format!("x, y := {}, {};\n", self.number(1), self.number(1)),
            _ => format!("{} := {};\n", self.random.pick(&["x", "y"]), self.number(2)),
        }
    }

    /// A branch whose cases may overlap or be missing.
    fn jump(&mut self) -> String {
        self.labels += 1;
        let n = self.labels;
        let (first, second) = (self.condition(1), self.condition(1));
        let (then, other) = (self.number(1), self.number(1));
        format!(
            "goto A{n}, B{n};\nA{n}: assume {first}; x := {then}; goto C{n};\n\
             B{n}: assume {second}; y := {other}; goto C{n};\nC{n}:\n"
        )
    }

    fn index(&mut self) -> String {
        match self.numbers {
            Numbers::Bits => self.condition(0),
            Numbers::Ints => self.number(0),
        }
    }

    fn number(&mut self, depth: usize) -> String {
        let bits = self.numbers == Numbers::Bits;
        match self.random.below(if depth == 0 { 4 } else { 9 }) {
            0 if bits => format!("{}bv2", self.random.below(4)),
            0 => format!("({} - 3)", self.random.below(8)),
            1..=3 => self.variable(),
            4 if self.map => format!("m[{}]", self.index()),
            5 => {
                let condition = self.condition(depth - 1);
                let (a, b) = (self.number(depth - 1), self.number(depth - 1));
                format!("(if {condition} then {a} else {b})")
            }
            6 if bits => format!("mul({}, {})", self.number(depth - 1), self.number(0)),
            6 => {
                let (op, by) = (self.random.pick(&["div", "mod"]), self.random.below(3));
                format!("({} {op} {})", self.number(depth - 1), ["2", "3", "(0 - 2)"][by])
            }
            7 if !bits => format!("({} - {})", self.number(depth - 1), self.number(depth - 1)),
            _ if bits => format!("add({}, {})", self.number(depth - 1), self.number(depth - 1)),
            _ => format!("({} + {})", self.number(depth - 1), self.number(depth - 1)),
        }
    }

    /// Every procedure has a `y`.
    fn variable(&mut self) -> String {
        self.random.pick(&["x", "y"]).to_owned()
    }

    fn condition(&mut self, depth: usize) -> String {
        let bits = self.numbers == Numbers::Bits;
        match self.random.below(if depth == 0 { 4 } else { 7 }) {
            0 => "b".to_owned(),
            1 => format!("{} == {}", self.number(depth.min(1)), self.number(0)),
            2 | 3 if bits => format!("ult({}, {})", self.number(depth.min(1)), self.number(0)),
            2 | 3 => format!("{} < {}", self.number(depth.min(1)), self.number(0)),
            4 => format!("!({})", self.condition(depth - 1)),
            5 => format!("(({}) && ({}))", self.condition(depth - 1), self.condition(depth - 1)),
            _ => format!("(({}) || ({}))", self.condition(depth - 1), self.condition(depth - 1)),
        }
    }
}
