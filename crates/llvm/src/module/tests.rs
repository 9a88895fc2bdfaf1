use program::Trust;

use super::*;
use crate::lower::tests::compile;

fn input<'a>(name: &'a str, bytes: &'a [u8]) -> Input<'a> {
    Input { name, bytes, trust: Trust::User }
}

fn error(bytes: &[u8]) -> String {
    read(&[input("x.bc", bytes)]).expect_err("no module").to_string()
}

#[test]
fn random_and_truncated_bytes_are_errors() {
    let good = compile("int g = 3; int main(void) { return g; }", &[]);
    assert!(read(&[input("x.bc", &good)]).is_ok());
    for length in (0..good.len()).step_by(7) {
        assert!(error(&good[..length]).contains("x.bc"), "{length}");
    }
    let mut state = 1u32;
    for magic in [&b""[..], b"BC\xc0\xde"] {
        for _ in 0..50 {
            let mut bytes = magic.to_vec();
            bytes.extend((0..300).map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 24) as u8
            }));
            assert!(error(&bytes).contains("neither bitcode nor LLVM IR"));
        }
    }
    assert!(matches!(read(&[]), Err(ReadError::Nothing)));
}

#[test]
fn text_is_read_and_its_errors_are_shown() {
    let module = read(&[input("x.ll", b"define i32 @main() {\n  ret i32 3\n}\n")]).expect("valid");
    assert_eq!(module.functions.len(), 1);
    let wrong = "define i32 @main() {\n  ret i32 %x\n}\n";
    assert!(error(wrong.as_bytes()).contains("undefined value"), "{}", error(wrong.as_bytes()));
    // It can be read, but one block does not end.
    let unfit =
        "define i32 @f(i32 %a) {\n  %b = add i32 %c, 1\n  %c = add i32 %b, 1\n  ret i32 %a\n}\n";
    let message = error(unfit.as_bytes());
    assert!(message.contains("not a valid LLVM module"), "{message}");
    let small = "target datalayout = \"e-p:32:32\"\ndefine i32 @main() {\n  ret i32 3\n}\n";
    assert!(error(small.as_bytes()).contains("64 bits"));
}

#[test]
fn modules_are_linked() {
    let main = compile(
        "int twice(int); int abs(int); int main(void) { return twice(abs(-4)); }",
        &["-fno-builtin"],
    );
    let other = compile(
        "static int two = 2; int twice(int n) { return n * two; } int abs(int n) { return 7; }",
        &["-fno-builtin"],
    );
    let library = compile(
        "int abs(int n) { return n < 0 ? -n : n; } int labs(int n) { return n; }",
        &["-fno-builtin"],
    );
    let library = Input { name: "lib.bc", bytes: &library, trust: Trust::Trusted };
    let module = read(&[input("a", &main), input("b", &other), library]).expect("they fit");
    let find = |name: &str| module.functions.iter().find(|f| f.symbol == name).expect("linked");
    // The user's function replaces that of the library.
    assert_eq!(find("abs").trust, Trust::User);
    assert_eq!(find("labs").trust, Trust::Trusted);
    assert!(module.functions.iter().all(|f| !f.blocks.is_empty()));
    let twice = read(&[input("a", &other), input("b", &other)]).expect_err("defined twice");
    assert!(matches!(&twice, ReadError::Unlinkable { name, .. } if name == "b"), "{twice}");
}

#[test]
fn numbers_of_all_widths() {
    let text = b"@a = global i128 -5\n@b = global i200 -2\n@c = global i200 1000000000000000000000000000000000000000000\n@d = global x86_fp80 0xK3FFFC000000000000000\n";
    let module = read(&[input("x.ll", text)]).expect("valid");
    let kind = |index: usize| {
        let initial = module.globals[index].initial.expect("defined");
        module.constants[initial.index()].kind.clone()
    };
    assert_eq!(kind(0), ConstantKind::Integer(-5i128 as u128));
    let ConstantKind::Wide(words) = kind(1) else { unreachable!("wide") };
    assert_eq!(words, [u64::MAX - 1, u64::MAX, u64::MAX, u64::MAX]);
    let ConstantKind::Wide(words) = kind(2) else { unreachable!("wide") };
    let value = words.iter().rev().fold(0.0, |sum, &word| sum * 2f64.powi(64) + word as f64);
    assert_eq!(value, 1e42);
    assert_eq!(kind(3), ConstantKind::Float(1.5));
}
