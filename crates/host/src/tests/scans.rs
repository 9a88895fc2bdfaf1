//! scanf, compared with that of this machine on many inputs.

use program::process::Origin;

use super::Desk;
use super::native::{Random, hex, run};
use crate::Setup;

/// Reads cases: the text and the format in hexadecimal. All places have room, and are cleared before.
const SCANNER: &str = r#"
#include <stdio.h>
#include <string.h>
static unsigned char places[4][64];
static void decode(const char *hex, char *to) {
    for (; hex[0] && hex[1]; hex += 2) { unsigned c; sscanf(hex, "%2x", &c); *to++ = (char)c; }
    *to = 0;
}
int main(void) {
    char a[1024], b[1024], text[512], format[512];
    while (scanf(" -%1023s -%1023s", a, b) == 2) {
        decode(a, text);
        decode(b, format);
        memset(places, 0, sizeof places);
        int n = sscanf(text, format, places[0], places[1], places[2], places[3]);
        printf("%d ", n);
        for (int i = 0; i < 4; i++) for (int j = 0; j < 32; j++) printf("%02x", places[i][j]);
        printf("\n");
    }
}
"#;

const PIECES: [&str; 40] = [
    "12",
    "-7",
    "+3",
    " ",
    "\n",
    "0x1f",
    "0x",
    "0xg",
    "017",
    "09",
    "abc",
    "x",
    "-",
    "+",
    "1.5",
    ".5",
    "5.",
    "1e3",
    "1e",
    "1e+",
    "-1.5e-2",
    "inf",
    "infinity",
    "nan",
    "infx",
    "%",
    ",",
    "99999999999999999999",
    "-99999999999999999999",
    "4294967296",
    "(nil)",
    "0x1.8p1",
    "z",
    "\t",
    "a-z",
    "]",
    "^",
    "e",
    ".",
    "123456",
];

fn directive(random: &mut Random) -> String {
    let star = if random.below(8) == 0 { "*" } else { "" };
    let width =
        if random.below(4) == 0 { (1 + random.below(5)).to_string() } else { String::new() };
    let (length, conversion) = match random.below(8) {
        0..=2 => (
            random.pick(&["hh", "h", "", "l", "ll", "j", "z"]),
            random.pick(&["d", "i", "u", "o", "x"]),
        ),
        3 => (random.pick(&["", "l"]), random.pick(&["f", "e", "g", "a"])),
        4 => ("", "s"),
        5 => ("", "c"),
        6 => (
            "",
            random.pick(&["[a-z]", "[^ ]", "[]x]", "[^]x]", "[0-9.]", "[a-]", "[^\n]", "[z-a]"]),
        ),
        _ => ("", random.pick(&["n", "p", "%"])),
    };
    // Texts need a bound, and a byte for the zero.
    let width = match conversion {
        "s" if width.is_empty() => "30".to_owned(),
        _ if conversion.starts_with('[') && width.is_empty() => "30".to_owned(),
        "%" | "n" => String::new(),
        _ => width,
    };
    let star = if matches!(conversion, "%" | "n") { "" } else { star };
    format!("%{star}{width}{length}{conversion}")
}

#[test]
fn scanf_reads_what_glibc_reads() {
    let mut random = Random(2);
    let mut cases = Vec::new();
    let mut input = String::new();
    for _ in 0..20_000 {
        let text: String = (0..random.below(6)).map(|_| random.pick(&PIECES)).collect();
        let mut format = String::new();
        for _ in 0..1 + random.below(4) {
            format += &directive(&mut random);
            format += random.pick(&["", "", " ", ",", "x", "\n"]);
        }
        input += &format!("-{}00 -{}00\n", hex(text.as_bytes()), hex(format.as_bytes()));
        cases.push((text, format));
    }
    let expected = run("scanf", SCANNER, &[], &input);
    assert_eq!(expected.lines().count(), cases.len());
    let mut desk = Desk::new(Setup::default());
    let mut wrong = Vec::new();
    for ((text, format), expected) in cases.iter().zip(expected.lines()) {
        let arguments = [desk.text(text), desk.text(format)];
        let places: Vec<u64> =
            (0..4).map(|_| desk.memory.allocate_zeroed(64, 16, Origin::Start).unwrap()).collect();
        let count = desk.int("sscanf", &[&arguments[..], &places].concat());
        let bytes: String =
            places.iter().map(|&place| hex(desk.memory.bytes(place, 32).unwrap())).collect();
        let actual = format!("{count} {bytes}");
        if actual != expected {
            wrong.push(format!("{text:?} {format:?}\n  ours  {actual}\n  glibc {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong[..wrong.len().min(20)].join("\n"));
}

#[test]
fn streams_go_on_where_scanf_stopped() {
    let mut desk = Desk::new(Setup { stdin: b"12 abc\n-3,4".to_vec(), ..Setup::default() });
    let (place, text) = (desk.room(8), desk.room(8));
    let format = desk.text("%d %7s");
    assert_eq!(desk.int("__isoc99_scanf", &[format, place, text]), 2);
    assert_eq!(desk.string(text), "abc");
    assert_eq!(desk.int("getchar", &[]), 10);
    let stdin = super::stream_of(&mut desk, 0);
    assert_eq!(desk.int("ungetc", &[b' '.into(), stdin]), 32);
    let format = desk.text("%d,%d");
    assert_eq!(desk.int("scanf", &[format, place, place + 4]), 2);
    assert_eq!(desk.word(place), 4 << 32 | u64::from(-3i32 as u32));
    assert_eq!(desk.int("feof", &[stdin]), 1);
    assert_eq!(desk.int("scanf", &[format, place, place]), -1);
}
