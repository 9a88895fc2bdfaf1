//! No text whatsoever makes the front end panic or overflow the stack.

use super::parse_and_check;
use super::programs::SAMPLE;
use super::random::Random;
use crate::{ErrorKind, parse, read};

/// Reads a text; if it is a program, writes it. Only errors of the user may be found.
fn read_and_write(text: &str) -> bool {
    match read("test.bpl", text) {
        Ok(program) => {
            super::round_trips::round_trip(&program);
            true
        }
        Err(errors) => {
            assert_ne!(errors[0].kind, ErrorKind::Internal, "{}", errors[0]);
            false
        }
    }
}

#[test]
fn truncated_at_every_byte() {
    for end in 0..SAMPLE.len() {
        if let Some(text) = SAMPLE.get(..end) {
            let _ = read_and_write(text);
        }
        if let Some(text) = SAMPLE.get(end..) {
            let _ = read_and_write(text);
        }
    }
}

#[test]
fn mutated() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let bytes = SAMPLE.as_bytes();
    for _ in 0..3000 {
        let mut text = bytes.to_vec();
        for _ in 0..1 + random.below(4) {
            let (from, to) = (random.below(text.len()), random.below(text.len()));
            match random.below(4) {
                0 => text[to] = random.below(256) as u8,
                1 => text[to] = text[from],
                2 => {
                    text.remove(to);
                }
                _ => text.insert(to, b"(){}[];:,=<>!+-*/\"\\.0e"[random.below(22)]),
            }
        }
        let _ = read_and_write(&String::from_utf8_lossy(&text));
    }
}

/// Exchanges whole tokens, so that more of the mutants parse.
#[test]
fn mutated_tokens() {
    let mut random = Random(42);
    let tokens: Vec<&str> = SAMPLE.split_inclusive(|c: char| !c.is_ascii_alphanumeric()).collect();
    let mut accepted = 0;
    for _ in 0..3000 {
        let mut text = tokens.clone();
        text[random.below(tokens.len())] = tokens[random.below(tokens.len())];
        accepted += usize::from(read_and_write(&text.concat()));
    }
    assert!(accepted > 0);
}

#[test]
fn deep_nesting_is_refused() {
    let n = 100_000;
    let texts = [
        format!("axiom {}", "(".repeat(10_000_000)),
        format!("axiom {}1{};", "(".repeat(n), ")".repeat(n)),
        format!("axiom {}1{};", "m[".repeat(n), "]".repeat(n)),
        format!("axiom {}1{};", "f(".repeat(n), ")".repeat(n)),
        format!("axiom {}1{};", "-old(".repeat(n), ")".repeat(n)),
        format!("axiom {}", "if ".repeat(n)),
        format!("axiom {}", "if a then ".repeat(n)),
        format!("var x: {}int;", "[int]".repeat(n)),
        format!("var x: {}int;", "[".repeat(n)),
        format!("var x: {}int;", "(".repeat(n)),
        format!("procedure p() {{ {}", "while (*) { ".repeat(n)),
        format!("procedure p() {{ {}", "if (*) { } else { ".repeat(n)),
        format!("axiom {}", "{:a ".repeat(n)),
    ];
    for text in texts {
        let errors = parse(&text).unwrap_err();
        let start = &text[..30];
        assert_ne!(errors[0].kind, ErrorKind::Type, "{start}");
    }
}

/// Just below the limit, everything works on a small stack.
#[test]
fn nesting_below_the_limit() {
    let n = 490;
    let text = format!(
        "const x: {maps}bool; procedure p() {{ {blocks} {close} }}
         axiom {open}true{end}; axiom x{index};
         procedure q() {{ var b: bool; b := {ifs} true {elses}; }}",
        maps = "[int]".repeat(n),
        blocks = "while (*) { if (*) { } else {".repeat(n / 2),
        close = "} }".repeat(n / 2),
        open = "!(".repeat(n),
        end = ")".repeat(n),
        index = "[1]".repeat(n),
        ifs = "if true then ".repeat(n),
        elses = "else false ".repeat(n),
    );
    let run = move || {
        super::round_trips::round_trip(&read("test.bpl", &text).unwrap());
    };
    let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(run);
    thread.unwrap().join().unwrap();
}

#[test]
fn long_programs() {
    let n = 100_000;
    let text = format!(
        "const b: bool; procedure p(x: int) returns (y: int) {{
           y := x{sum};
           assert b{implications};
           y := {ifs} x;
           assert {negations} b;
           if (*) {{ }} {arms}
           {labels}
         }}",
        sum = " + x".repeat(n),
        implications = " ==> b".repeat(n),
        ifs = "if b then 1 else ".repeat(n),
        negations = "!".repeat(n),
        arms = "else if (*) { }".repeat(n),
        labels = (0..n).map(|i| format!("L{i}: goto L{};", n - 1 - i)).collect::<String>(),
    );
    let program = read("test.bpl", &text).unwrap();
    super::round_trips::round_trip(&program);
}

#[test]
fn long_chains_of_functions() {
    let n = 50_000;
    let mut text = format!("function f{n}(x: int): int {{ x }}");
    for i in 0..n {
        text += &format!("function f{i}(x: int): int {{ f{0}(f{0}(x)) }}\n", i + 1);
    }
    text += "procedure main() { assert f0(0) == 0; }";
    assert!(read("test.bpl", &text).is_ok());
}

#[test]
fn many_errors_are_cut_off() {
    let text = "axiom x; axiom ;".repeat(100_000);
    assert!(parse(&text).unwrap_err().len() <= 20);
    let text = "axiom xyz; const xya: bool;".repeat(20_000);
    assert!(parse_and_check(&text).unwrap_err().len() <= 100);
}

/// A program may denote terms or types that do not fit into any memory.
#[test]
fn exponential_meanings_are_refused() {
    let mut functions = "function f0(x: int): int { x * x + 1 }".to_owned();
    let mut types = "type T0 = int;".to_owned();
    for i in 1..100 {
        let j = i - 1;
        functions += &format!("function f{i}(x: int): int {{ f{j}(f{j}(x)) }}\n");
        types += &format!("type T{i} = [T{j}]T{j};");
    }
    let error = |text: &str| read("test.bpl", text).unwrap_err()[0].to_string();
    assert_eq!(
        error(&format!("{types} var x: T99;")),
        "unsupported: types of more than 1000 parts are not supported"
    );
    assert_eq!(
        error(&functions),
        "unsupported: the functions of this program expand to too large expressions"
    );
}

#[test]
fn programs_of_many_statements() {
    let n = 100_000;
    let mut body = String::new();
    for i in 0..n / 5 {
        body += &format!(
            "x := x + {i}; m[x] := m[x - 1] + y; assume y < {i} || b; x, y := y, x;
             assert x >= {i} && m[{i}] != 0;\n"
        );
    }
    let text = format!("procedure main() {{ var x, y: int, m: [int]int, b: bool; {body} }}");
    let program = read("test.bpl", &text).unwrap();
    assert!(program.edges.len() > n);
    super::round_trips::round_trip(&program);
}
