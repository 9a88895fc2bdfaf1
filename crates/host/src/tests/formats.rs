//! printf, compared with that of this machine on many directives.

use super::Desk;
use super::native::{Random, hex, run};
use crate::Setup;

/// Reads cases: the format in hexadecimal, the number of sizes, two sizes, a type, a value.
const PRINTER: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char buffer[1 << 16], format[256], text[256];
#define SHOW(value) (sizes == 0 ? snprintf(buffer, sizeof buffer, format, value) \
    : sizes == 1 ? snprintf(buffer, sizeof buffer, format, a, value) \
    : snprintf(buffer, sizeof buffer, format, a, b, value))
static void decode(const char *hex, char *to) {
    for (; hex[0] && hex[1]; hex += 2) { unsigned c; sscanf(hex, "%2x", &c); *to++ = (char)c; }
    *to = 0;
}
int main(void) {
    char hex[1024], value[1024], type;
    int sizes, a, b;
    while (scanf("%1023s %d %d %d %c %1023s", hex, &sizes, &a, &b, &type, value) == 6) {
        decode(hex, format);
        unsigned long bits = strtoul(value, NULL, 16);
        double d;
        memcpy(&d, &bits, 8);
        int n = 0;
        switch (type) {
        case 'i': n = SHOW((int)bits); break;
        case 'l': n = SHOW((long)bits); break;
        case 'd': n = SHOW(d); break;
        case 'D': n = SHOW((long double)d); break;
        case 's': decode(value + 1, text); n = SHOW(text); break;
        case 'p': n = SHOW((void *)bits); break;
        }
        printf("%d ", n);
        for (int i = 0; i < n; i++) printf("%02x", (unsigned char)buffer[i]);
        printf("\n");
    }
}
"#;

struct Case {
    format: String,
    sizes: Vec<i32>,
    kind: char,
    value: u64,
    text: String,
}

fn case(random: &mut Random) -> Case {
    let mut format = String::from(if random.below(4) == 0 { "a%%b" } else { "" });
    format.push('%');
    for flag in ['-', '+', ' ', '#', '0', '\''] {
        if random.below(5) == 0 {
            format.push(flag);
        }
    }
    let mut sizes = Vec::new();
    let mut size = |random: &mut Random, format: &mut String, most: u64| match random.below(4) {
        0 => {
            format.push('*');
            sizes.push(random.below(2 * most) as i32 - most as i32);
        }
        _ => format.push_str(&random.below(most).to_string()),
    };
    if random.below(2) == 0 {
        // A width may not begin with 0.
        let most = random.pick(&[10, 40]);
        if format.ends_with('%') || format.ends_with('0') {
            format.push('1');
        }
        size(random, &mut format, most);
        // "1*" is no width: then the case has none.
        format = format.replace("1*", "*");
    }
    if random.below(2) == 0 {
        format.push('.');
        let most = random.pick(&[3, 10, 30, 400]);
        if random.below(8) != 0 {
            size(random, &mut format, most);
        }
    }
    let (length, conversion, kind) = match random.below(10) {
        0..=2 => (random.pick(&["hh", "h", ""]), random.pick(&['d', 'i', 'u', 'o', 'x', 'X']), 'i'),
        3 | 4 => {
            let length = random.pick(&["l", "ll", "z", "j", "t", "q"]);
            (length, random.pick(&['d', 'i', 'u', 'o', 'x', 'X']), 'l')
        }
        5..=7 => ("", random.pick(&['f', 'F', 'e', 'E', 'g', 'G', 'a', 'A']), 'd'),
        8 => ("L", random.pick(&['f', 'e', 'g', 'a', 'A']), 'D'),
        _ => match random.below(3) {
            0 => ("", 'c', 'i'),
            1 => ("", 's', 's'),
            _ => ("", 'p', 'p'),
        },
    };
    format.push_str(length);
    format.push(conversion);
    if random.below(4) == 0 {
        format.push_str(" end");
    }
    let value = match kind {
        'd' | 'D' => random.double().to_bits(),
        _ => random.integer(),
    };
    let text = "hello, world".chars().take(random.below(13) as usize).collect();
    Case { format, sizes, kind, value, text }
}

#[test]
fn printf_prints_what_glibc_prints() {
    let mut random = Random(1);
    let cases: Vec<Case> = (0..20_000).map(|_| case(&mut random)).collect();
    let mut input = String::new();
    for it in &cases {
        let size = |i: usize| it.sizes.get(i).copied().unwrap_or(0);
        let value = match it.kind {
            's' => format!("-{}", hex(it.text.as_bytes())),
            _ => format!("{:x}", it.value),
        };
        let format = hex(it.format.as_bytes());
        let sizes = it.sizes.len();
        input += &format!("{format} {sizes} {} {} {} {value}\n", size(0), size(1), it.kind);
    }
    let expected = run("printf", PRINTER, &[], &input);
    let mut desk = Desk::new(Setup::default());
    let buffer = desk.room(1 << 16);
    let mut wrong = Vec::new();
    for (it, expected) in cases.iter().zip(expected.lines()) {
        let value = if it.kind == 's' { desk.text(&it.text) } else { it.value };
        let format = desk.text(&it.format);
        let mut arguments = vec![buffer, 1 << 16, format];
        arguments.extend(it.sizes.iter().map(|&size| size as u32 as u64));
        arguments.push(value);
        let count = desk.int("snprintf", &arguments);
        let bytes = desk.memory.bytes(buffer, count.max(0) as u64).unwrap();
        let actual = format!("{count} {}", hex(bytes));
        if actual != expected {
            let shown = String::from_utf8_lossy(bytes).into_owned();
            wrong.push(format!("{:?} {:?} {:x}: {shown}", it.format, it.sizes, it.value));
        }
    }
    assert_eq!(expected.lines().count(), cases.len());
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong[..wrong.len().min(40)].join("\n"));
}

#[test]
fn arguments_may_be_in_memory_and_have_positions() {
    let mut desk = Desk::new(Setup::default());
    let area = desk.room(48);
    for (i, word) in [7, 1.5f64.to_bits(), 42, 2.5f64.to_bits(), 0, 9].iter().enumerate() {
        desk.memory.write(area + 8 * i as u64, &word.to_le_bytes()).unwrap();
    }
    let list = desk.room(24);
    desk.memory.write(list, &[48, 0, 0, 0, 176, 0, 0, 0]).unwrap();
    desk.memory.write(list + 8, &area.to_le_bytes()).unwrap();
    let format = desk.text("%d %.1f %c");
    desk.call("vprintf", &[format, list]);
    assert_eq!(desk.world.output(), b"7 1.5 *");
    assert_eq!(desk.word(list + 8), area + 24);
    let format = desk.text("%2$s-%1$d-%1$x");
    let text = desk.text("x");
    desk.call("printf", &[format, 31, text]);
    assert_eq!(desk.world.output(), b"7 1.5 *x-31-1f");
}

#[test]
fn counts_are_stored_and_bad_formats_do_not_matter() {
    let mut desk = Desk::new(Setup::default());
    let place = desk.room(8);
    let format = desk.text("abc%n%hhn");
    desk.call("printf", &[format, place, place + 4]);
    assert_eq!(desk.memory.defined_bytes(place, 5).unwrap(), [3, 0, 0, 0, 3]);
    let format = desk.text("%y %");
    assert_eq!(desk.int("printf", &[format]), -1);
    assert_eq!(desk.world.output(), b"abc%y ");
    let null = desk.text("%s|%.3s|%s");
    desk.call("printf", &[null, 0, 0, 0]);
    assert!(desk.world.output().ends_with(b"(null)||(null)"));
}
