//! Values of all types, at addresses of all kinds of objects.

use failure::cells::{Cell, Object};
use failure::{Action, Failure, Frame, Inputs, Part, Step, Trace};
use program::process::{EXTERNALS, Origin, PROCEDURES, static_address};
use program::{
    Aggregate, Builder, EdgeId, FailureKind, FileId, Language, Member, Place, Program, Property,
    Site, SiteId, SourceFile, Span, Statement, Static, StaticId, Trust, Type, TypeId, VariableRole,
};
use term::{Float, Format, Sort, Term, Value};

use crate::addresses::Addresses;
use crate::places::place_text;
use crate::story::Story;
use crate::values::{quoted, show, type_by_name};

const INT: TypeId = TypeId(0);
const UNSIGNED: TypeId = TypeId(1);
const CHAR: TypeId = TypeId(2);
const BYTE: TypeId = TypeId(3);
const BOOL: TypeId = TypeId(4);
const COLOUR: TypeId = TypeId(5);
const DOUBLE: TypeId = TypeId(6);
const TO_INT: TypeId = TypeId(7);
const TO_CHAR: TypeId = TypeId(8);
const NODE: TypeId = TypeId(9);
const TO_NODE: TypeId = TypeId(10);
const VOID: TypeId = TypeId(11);
const TO_VOID: TypeId = TypeId(12);
const INTS: TypeId = TypeId(13);
const NODES: TypeId = TypeId(14);
const TO_POINTER: TypeId = TypeId(15);

fn types() -> Vec<Type> {
    let integer = |name: &str, signed| Type::Integer { name: name.to_owned(), bits: 32, signed };
    let member = |name: &str, ty, offset| Member { name: name.to_owned(), ty, offset, bits: None };
    let members = vec![member("value", INT, 0), member("next", TO_NODE, 64)];
    let values = vec![("RED".to_owned(), 0), ("GREEN".to_owned(), 5), ("NONE".to_owned(), -1)];
    vec![
        integer("int", true),
        integer("unsigned int", false),
        Type::Character { signed: true },
        Type::Character { signed: false },
        Type::Bool,
        Type::Enum { name: "colour".to_owned(), bits: 32, signed: true, values },
        Type::Float { name: "double".to_owned(), bits: 64 },
        Type::Pointer(INT),
        Type::Pointer(CHAR),
        Type::Struct(Aggregate { name: "node".to_owned(), size: 16, members }),
        Type::Pointer(NODE),
        Type::Opaque("void".to_owned()),
        Type::Pointer(VOID),
        Type::Array { element: INT, count: 5 },
        Type::Array { element: NODE, count: 3 },
        Type::Pointer(TO_CHAR),
    ]
}

fn object(name: &str, ty: Option<TypeId>, bytes: &[u8]) -> Static {
    let (pointers, bytes) = (Vec::new(), bytes.to_vec());
    Static { name: name.to_owned(), ty, align: 8, writable: true, bytes, pointers }
}

/// A program of two lines, with some objects.
fn program(language: Language) -> Program {
    let text = "p = malloc(16);\np->next = q;\n";
    let mut builder = Builder::new(language, vec![SourceFile::new("f.c", text)]);
    let pointer = builder.global("p", &Sort::BitVec(64));
    builder.describe(pointer, VariableRole::Source, Some(TO_NODE));
    let procedure = builder.procedure("compare");
    builder.external("printf");
    for ty in types() {
        builder.ty(ty);
    }
    builder.object(object("a", Some(INTS), &[0; 20]));
    builder.object(object("nodes", Some(NODES), &[0; 48]));
    builder.object(object("", None, b"it's \"text\"\n\0"));
    builder.object(object("x", Some(INT), &[0; 4]));
    let site = |start, end, text: &str| Site {
        span: Some(Span { file: FileId(0), start, end }),
        text: text.to_owned(),
        trust: Trust::User,
        property: None,
    };
    let site = builder.site(site(0, 14, "p = malloc(16)"));
    let (entry, exit) = (builder.entry_of(procedure), builder.exit_of(procedure));
    builder.edge(entry, exit, Statement::Return, site);
    builder.enter_at(procedure);
    builder.finish().expect("a program")
}

const HEAP: [u64; 2] = [0x70_1000_0000, 0x71_1000_0000];
const ARGUMENT: u64 = 0x72_1000_0000;
const PLAIN: u64 = 0x73_1000_0000;

/// A failure whose trace has two nodes on the heap, and pointers to them.
fn failure(program: &Program) -> Failure<'_> {
    let mut terms = program.terms.clone();
    let pointer = program.globals[0];
    let cell = terms.var("next", &Sort::BitVec(64));
    let zero = terms.constant(&Value::bitvec(64, 0));
    let edge = EdgeId(0);
    let mut trace = Trace::new(terms, program.entries[0], vec![edge], Default::default());
    let heap = |address, cells| Object {
        name: "heap".to_owned(),
        ty: None,
        origin: Origin::Heap(edge),
        address,
        size: 16,
        cells,
        rest: None,
    };
    trace.objects = vec![
        heap(HEAP[0], vec![Cell { offset: 8, size: 8, variable: cell }]),
        heap(HEAP[1], vec![]),
        Object {
            origin: Origin::Start,
            rest: Some(b"-v\0".to_vec()),
            size: 3,
            ..heap(ARGUMENT, vec![])
        },
        Object { origin: Origin::Heap(EdgeId(0)), size: 40, ..heap(PLAIN, vec![]) },
    ];
    trace.labels.insert(cell, ("heap0+8".to_owned(), None));
    let assign = |variable: Term| {
        let action = Action::Assign { place: Place::variable(variable), value: zero };
        Step::plain(0, SiteId(0), Frame::default(), Part::Whole, action)
    };
    trace.steps = vec![assign(pointer), assign(cell)];
    let values = HEAP.map(|address| Some(Value::bitvec(64, address.into()))).to_vec();
    Failure {
        program,
        trace,
        inputs: Inputs::default(),
        values,
        property: Property { kind: FailureKind::Assertion, message: String::new() },
        calls: Vec::new(),
        about: Vec::new(),
        run: None,
    }
}

/// Runs a check with the objects of a C program.
fn with_addresses(check: impl Fn(&Addresses<'_>)) {
    let program = program(Language::C);
    check(&Addresses::new(&failure(&program)));
}

#[test]
fn numbers_in_source_types() {
    with_addresses(|addresses| {
        let shown = |value: Value, ty| show(addresses, &value, ty).to_string();
        let bits = |width, bits: i128, ty| shown(Value::bitvec(width, bits as u128), ty);
        assert_eq!(bits(32, -1, Some(INT)), "-1");
        assert_eq!(bits(32, -1, Some(UNSIGNED)), "4294967295");
        assert_eq!(bits(32, -1, None), "-1");
        assert_eq!(bits(1, 1, None), "1");
        assert_eq!(bits(128, -3, None), "-3");
        assert_eq!(bits(8, 97, Some(CHAR)), "'a' (97)");
        assert_eq!(bits(8, 0, Some(CHAR)), "'\\0' (0)");
        assert_eq!(bits(8, 39, Some(BYTE)), "'\\'' (39)");
        assert_eq!(bits(8, 34, Some(BYTE)), "'\"' (34)");
        assert_eq!(bits(8, -1, Some(CHAR)), "-1");
        assert_eq!(bits(8, 200, Some(BYTE)), "200");
        assert_eq!(bits(8, 7, None), "7");
        assert_eq!(bits(8, 1, Some(BOOL)), "true");
        assert_eq!(bits(8, 0, Some(BOOL)), "false");
        assert_eq!(bits(8, 3, Some(BOOL)), "3");
        assert_eq!(shown(Value::Bool(true), Some(BOOL)), "true");
        assert_eq!(shown(Value::Bool(true), None), "1");
        assert_eq!(bits(32, 5, Some(COLOUR)), "GREEN");
        assert_eq!(bits(32, -1, Some(COLOUR)), "NONE");
        assert_eq!(bits(32, 7, Some(COLOUR)), "7");
        assert_eq!(bits(64, 0.1f64.to_bits().into(), Some(DOUBLE)), "0.1");
        assert_eq!(bits(80, 16, Some(DOUBLE)), "0x10");
        assert_eq!(bits(128, 16, Some(NODE)), "{.value = 16, .next = NULL}");
        assert_eq!(bits(64, 16, Some(NODE)), "0x10");
        assert_eq!(shown(Value::double(0.1 + 0.2), None), "0.30000000000000004");
        assert_eq!(shown(Value::single(0.1), None), "0.1");
        assert_eq!(shown(Value::double(f64::NAN), None), "NAN");
        assert_eq!(shown(Value::double(f64::NEG_INFINITY), None), "-INFINITY");
        assert_eq!(shown(Value::Float(Float::new(Format::Single, 0x7f80_0000)), None), "INFINITY");
        assert_eq!(bits(32, 5, Some(TypeId(99))), "5", "a type that is not there");
    });
}

#[test]
fn pointers_by_object_and_offset() {
    with_addresses(|addresses| {
        let shown = |address: u64, ty| {
            show(addresses, &Value::bitvec(64, address.into()), Some(ty)).to_string()
        };
        let [a, nodes, text, x] = [0, 1, 2, 3].map(|id| static_address(StaticId(id)));
        assert_eq!(shown(0, TO_INT), "NULL");
        assert_eq!(shown(0x7, TO_INT), "0x7");
        assert_eq!(shown(PROCEDURES, TO_VOID), "compare");
        assert_eq!(shown(EXTERNALS, TO_VOID), "printf");
        assert_eq!(shown(a, TO_INT), "&a[0]");
        assert_eq!(shown(a + 12, TO_INT), "&a[3]");
        assert_eq!(shown(a + 20, TO_INT), "&a[5]");
        assert_eq!(shown(a - 4, TO_INT), "&a[-1]");
        assert_eq!(shown(a, TO_VOID), "a");
        assert_eq!(shown(a + 13, TO_CHAR), "(char *)&a + 13");
        assert_eq!(shown(nodes + 16, TO_NODE), "&nodes[1]");
        assert_eq!(shown(nodes + 24, TO_POINTER), "&nodes[1].next");
        assert_eq!(shown(nodes + 16, TO_INT), "&nodes[1].value");
        assert_eq!(shown(text, TO_CHAR), "\"it's \\\"text\\\"\\n\"");
        assert_eq!(shown(text + 5, TO_CHAR), "\"it's \\\"text\\\"\\n\" + 5");
        assert_eq!(shown(x, TO_INT), "&x");
        assert_eq!(shown(x + 4, TO_INT), "(char *)&x + 4");
        assert_eq!(shown(ARGUMENT + 1, TO_CHAR), "\"-v\" + 1");
        assert_eq!(shown(ARGUMENT + 8, TO_POINTER), "&argv[1]");
        assert_eq!(shown(0x99_1000_0000, TO_INT), "0x9910000000");
        let long = 0x6fff_ffff_ffff_ffff;
        assert_eq!(shown(long, TO_INT), format!("{long:#x}"));
    });
}

#[test]
fn objects_of_the_heap_are_what_pointers_say() {
    with_addresses(|addresses| {
        let shown =
            |address: u64, ty| show(addresses, &Value::bitvec(64, address.into()), ty).to_string();
        let [first, second] = HEAP;
        let name = |number| format!("heap object {number} allocated at line 1");
        assert_eq!(shown(first, Some(TO_NODE)), name(1));
        assert_eq!(shown(second, Some(TO_NODE)), name(2));
        assert_eq!(shown(first + 8, Some(TO_POINTER)), format!("&({}).next", name(1)));
        assert_eq!(shown(first + 16, Some(TO_NODE)), format!("&({})[1]", name(1)));
        assert_eq!(shown(PLAIN + 4, Some(TO_INT)), format!("{} + 4", name(3)));
        // Without a type, what lies in an object is an address, all else a number.
        assert_eq!(shown(first, None), name(1));
        assert_eq!(shown(first + 17, None), (first + 17).to_string());
        assert_eq!(shown(12, None), "12");
        assert_eq!(shown(PROCEDURES, None), PROCEDURES.to_string());
    });
}

#[test]
fn cells_of_the_heap_are_named_as_in_the_statement() {
    let program = program(Language::C);
    let written = failure(&program);
    let story = Story::of(&written);
    let steps = &written.trace.steps;
    // The text of both assigns `p`, and is taken at its word.
    assert_eq!(place_text(&story, &steps[0]), "p");
    assert_eq!(place_text(&story, &steps[1]), "p");
    let mut other = program.clone();
    other.sites[0].text = "fill(p)".to_owned();
    let unwritten = failure(&other);
    let story = Story::of(&unwritten);
    let named = place_text(&story, &unwritten.trace.steps[1]);
    assert_eq!(named, "(heap object 1 allocated at line 1).next");
}

#[test]
fn boogie_values_are_as_they_are() {
    let program = program(Language::Boogie);
    let failure = failure(&program);
    let addresses = Addresses::new(&failure);
    let shown = |value: Value| show(&addresses, &value, None).to_string();
    assert_eq!(shown(Value::bitvec(32, 5)), "5bv32");
    assert_eq!(shown(Value::Bool(true)), "true");
}

#[test]
fn text_is_quoted_and_cut() {
    assert_eq!(quoted(b"a\tb\\\x01", 9), "\"a\\tb\\\\\\x01\"");
    assert_eq!(quoted("äöü".as_bytes(), 2), "\"äö…\"");
    assert_eq!(quoted(b"\xff", 9), "\"\u{fffd}\"");
    assert_eq!(quoted(b"", 0), "\"\"");
}

#[test]
fn functions_say_the_types_of_their_values() {
    let program = program(Language::C);
    let named = |name: &str| type_by_name(&program, &format!("__VERIFIER_nondet_{name}"));
    assert_eq!(named("uint"), Some(UNSIGNED));
    assert_eq!(named("char"), Some(CHAR));
    assert_eq!(named("uchar"), Some(BYTE));
    assert_eq!(named("bool"), Some(BOOL));
    assert_eq!((named("int"), named("ulong")), (None, None));
    assert_eq!(type_by_name(&program, "klee_int"), None);
}
