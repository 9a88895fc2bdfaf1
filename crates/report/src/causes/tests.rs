//! Expressions and their values.

use std::collections::HashMap;

use program::{
    Aggregate, Builder, Language, Member, Program, Site, SourceFile, Statement, Trust, Type, TypeId,
};
use term::Value;

use super::evaluate::{Area, Kind, Names, Number, Operand, evaluate};
use super::statements::{assignment, cut, is_constant, limited};
use super::syntax::{Expression, parse};

const INT: TypeId = TypeId(0);
const UNSIGNED: TypeId = TypeId(1);
const CHAR: TypeId = TypeId(2);
const POINT: TypeId = TypeId(3);
const TO_POINT: TypeId = TypeId(4);
const INTS: TypeId = TypeId(5);

/// A program that has only types.
fn program(language: Language) -> Program {
    let mut builder = Builder::new(language, vec![SourceFile::new("f.c", "")]);
    let integer = |name: &str, signed| Type::Integer { name: name.to_owned(), bits: 32, signed };
    let member = |name: &str, offset| Member { name: name.to_owned(), ty: INT, offset, bits: None };
    let members = vec![member("x", 0), member("y", 32)];
    let values = vec![("RED".to_owned(), 3), ("GREEN".to_owned(), 5)];
    for ty in [
        integer("int", true),
        integer("unsigned int", false),
        Type::Character { signed: true },
        Type::Struct(Aggregate { name: "point".to_owned(), size: 8, members }),
        Type::Pointer(POINT),
        Type::Array { element: INT, count: 4 },
        Type::Enum { name: "colour".to_owned(), bits: 32, signed: false, values },
    ] {
        builder.ty(ty);
    }
    let procedure = builder.procedure("main");
    let (entry, exit) = (builder.entry_of(procedure), builder.exit_of(procedure));
    let (text, trust) = (String::new(), Trust::User);
    let site = builder.site(Site { span: None, text, trust, property: None });
    builder.edge(entry, exit, Statement::Return, site);
    builder.enter_at(procedure);
    builder.finish().expect("a program")
}

/// Names of a state that is made up.
struct State {
    program: Program,
    values: HashMap<&'static str, Operand>,
}

impl State {
    fn new(language: Language) -> State {
        let program = program(language);
        let word = |bits: u32, value: i128, ty| {
            let value = Value::bitvec(bits, value as u128);
            Operand::of(&program, &value, Some(ty)).expect("a number")
        };
        let values = HashMap::from([
            ("a", word(32, 6, INT)),
            ("b", word(32, 5, INT)),
            ("c", word(32, 4, INT)),
            ("n", word(32, -1, INT)),
            ("u", word(32, 0, UNSIGNED)),
            ("big", word(32, -1, UNSIGNED)),
            ("letter", word(8, i128::from(b'x'), CHAR)),
            ("p", word(64, 0x100, TO_POINT)),
            ("strlen(s)", word(64, 9, INT)),
            ("half", Operand::new(Number::Double(0.5), Kind::Double)),
        ]);
        State { program, values }
    }
}

impl Names for State {
    fn program(&self) -> &Program {
        &self.program
    }

    fn value(&self, name: &str) -> Option<Operand> {
        self.values.get(name).cloned()
    }

    fn object(&self, name: &str) -> Option<Area> {
        (name == "numbers").then_some(Area { address: 0x200, ty: INTS })
    }

    /// Each word contains its address.
    fn load(&self, area: Area) -> Option<Operand> {
        let value = Value::bitvec(32, u128::from(area.address));
        Operand::of(&self.program, &value, Some(area.ty))
    }
}

fn integer(state: &State, text: &str) -> Option<i128> {
    match evaluate(state, &parse(text)?)?.number {
        Number::Integer(value) => Some(value),
        Number::Double(_) => None,
    }
}

#[test]
fn numbers_are_computed_as_in_c() {
    let state = State::new(Language::C);
    for (text, expected) in [
        ("a * a", 36),
        ("b*b + c*c", 41),
        ("a * a != b * b + c * c", 1),
        ("a - b - c", -3),
        ("(a + n) % 3 << 2", 8),
        ("-a / 4", -1),
        ("u - 1", 4_294_967_295),
        ("n < u", 0),
        ("big + 1 == 0", 1),
        ("(char)300", 44),
        ("(unsigned)n > 5u", 1),
        ("(long)n > 5", 0),
        ("0x10 | 07", 23),
        ("letter == 'x'", 1),
        ("letter - '\\n'", 110),
        ("!a || b > 4 && c", 1),
        ("a == GREEN + 1", 1),
        ("p != NULL", 1),
        ("half * 2 == 1", 1),
        ("strlen(s) > 5", 1),
        ("~a", -7),
    ] {
        assert_eq!(integer(&state, text), Some(expected), "{text}");
    }
}

#[test]
fn memory_is_read_by_its_types() {
    let state = State::new(Language::C);
    for (text, expected) in [
        ("numbers[2]", 0x208),
        ("*(numbers + c - 1)", 0x20c),
        ("numbers[a - b]", 0x204),
        ("p->y", 0x104),
        ("(*p).x", 0x100),
        ("p[1].y", 0x10c),
        ("(p + 2)->x", 0x110),
        ("&p[1] == p + 1", 1),
    ] {
        assert_eq!(integer(&state, text), Some(expected), "{text}");
    }
}

#[test]
fn what_is_not_sure_has_no_value() {
    let state = State::new(Language::C);
    for text in [
        "unknown + 1",
        "a / (b - 5)",
        "a++",
        "a = 3",
        "a ? b : c",
        "f(a)",
        "sizeof a",
        "p->z",
        "numbers",
        "a +",
        "(a",
        "\"text\"",
        "'ab'",
        "",
    ] {
        let known = integer(&state, text).filter(|_| text != "numbers");
        assert_eq!(known, None, "{text}");
    }
    // What decides is enough.
    assert_eq!(integer(&state, "u && unknown"), Some(0));
    assert_eq!(integer(&state, "a || unknown"), Some(1));
    let deep = "(".repeat(500) + "a" + &")".repeat(500);
    assert_eq!(parse(&deep), None);
}

#[test]
fn boogie_has_other_division() {
    let mut state = State::new(Language::Boogie);
    let number = |value| Operand::new(Number::Integer(value), Kind::Unbounded);
    state.values = HashMap::from([("x", number(-7)), ("y", number(2))]);
    for (text, expected) in
        [("x div y", -4), ("x mod y", 1), ("x + 8 > y ==> false", 1), ("x * 4294967296 < y", 1)]
    {
        assert_eq!(integer(&state, text), Some(expected), "{text}");
    }
    assert_eq!(integer(&state, "x / y"), None);
}

#[test]
fn operators_bind_as_in_c() {
    let shape = |text: &'static str| match parse(text) {
        Some(Expression::Binary(operator, ..)) => operator,
        _ => "",
    };
    for (text, top) in [
        ("a + b * c", "+"),
        ("a * b + c", "+"),
        ("a & b == c", "&"),
        ("a << 1 < b", "<"),
        ("a < b == c > d", "=="),
        ("a || b && c", "||"),
        ("(a || b) && c", "&&"),
        ("-a - -b", "-"),
        ("a->b.c[d] >= *e", ">="),
        ("f(a < b, \")\") != 0", "!="),
    ] {
        assert_eq!(shape(text), top, "{text}");
    }
}

#[test]
fn constants_and_right_sides() {
    for text in ["3", "-3", "0x1f", "'a'", "1.5", "RED", "true", "\"text\""] {
        assert!(is_constant(text), "{text}");
    }
    for text in ["x", "a + 1", "f(3)", "Red", "-x"] {
        assert!(!is_constant(text), "{text}");
    }
    let c = |text| assignment(Language::C, text);
    assert_eq!(c("area = b * c"), Some(("=", "b * c")));
    assert_eq!(c("x += y == z"), Some(("+=", "y == z")));
    assert_eq!(c("a[i == 3] = 1"), Some(("=", "1")));
    assert_eq!(c("stock[4] = { 0 }"), Some(("=", "{ 0 }")));
    assert_eq!(c("i++"), None);
    assert_eq!(assignment(Language::Boogie, "x := y == z"), Some((":=", "y == z")));
}

#[test]
fn texts_are_cut() {
    assert_eq!(cut("a  +\n b"), "a + b");
    assert_eq!(cut(&"ä".repeat(80)), "ä".repeat(60) + "…");
    assert_eq!(limited("heap object 2 allocated at line 7"), "heap object 2 of line 7");
    assert_eq!(limited(&"9".repeat(50)), "9".repeat(40) + "…");
}
