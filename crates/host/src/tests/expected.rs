//! Output that is not the expected one.

use program::process::{Alike, Detail, Host, Right, Scalar, WrongOutput};

use super::Desk;
use crate::{Compare, Setup};

fn desk(expected: &str) -> Desk {
    Desk::new(Setup { expected_output: Some(expected.into()), ..Setup::default() })
}

fn desk_of(expected: &str, compare: Compare) -> Desk {
    let expected_output = Some(expected.into());
    Desk::new(Setup { expected_output, compare, ..Setup::default() })
}

fn wrong(desk: &mut Desk, name: &str, arguments: &[u64]) -> WrongOutput {
    match desk.try_call(name, arguments).unwrap_err().detail {
        Detail::Output(it) => it,
        other => panic!("{other:?}"),
    }
}

/// Prints the format with one argument where something else is expected.
fn blamed(
    expected: &str,
    format: &str,
    argument: u64,
) -> (Option<u32>, Option<u128>, String, String) {
    let mut desk = desk(expected);
    let format = desk.text(format);
    let it = wrong(&mut desk, "printf", &[format, argument]);
    (it.argument, it.expected.map(|value| value.bits), it.expected_text, it.actual_text)
}

fn value(expected: &str, format: &str, argument: u64) -> u128 {
    match blamed(expected, format, argument) {
        (Some(1), Some(value), ..) => value,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_argument_and_its_right_value_are_found() {
    assert_eq!(value("sum = 123\n", "sum = %d\n", 122), 123);
    assert_eq!(value("sum = 123\n", "sum = %d\n", 12), 123);
    assert_eq!(value("sum = 12\n", "sum = %d\n", 123), 12);
    assert_eq!(value("-5\n", "%d\n", 5), u128::from(-5i32 as u32));
    assert_eq!(value("-5\n", "%ld\n", 5), u128::from(-5i64 as u64));
    assert_eq!(value("   -5|", "%5d|", 5), u128::from(-5i32 as u32));
    assert_eq!(value("5    |", "%-5d|", 6), 5);
    assert_eq!(value("00005|", "%05d|", 6), 5);
    assert_eq!(value("ff\n", "%x\n", 16), 255);
    assert_eq!(value("0xff\n", "%#x\n", 16), 255);
    assert_eq!(value("b\n", "%c\n", b'a'.into()), b'b'.into());
    let half = u128::from(0.5f64.to_bits());
    assert_eq!(value("0.50\n", "%.2f\n", 1.0f64.to_bits()), half);
    assert_eq!(value("5.00e-01\n", "%.2e\n", 1.0f64.to_bits()), half);
    assert_eq!(value("0.5\n", "%g\n", 1.0f64.to_bits()), half);
    // The digit 0 belongs to the format.
    assert_eq!(value("120\n", "%d0\n", 13), 12);
}

#[test]
fn texts_have_no_value_but_are_shown() {
    let mut desk = desk("hello bob!\n");
    let (format, text) = (desk.text("hello %s!\n"), desk.text("eve"));
    let it = wrong(&mut desk, "printf", &[format, text]);
    assert_eq!((it.argument, it.expected), (Some(1), None));
    assert_eq!((&it.expected_text[..], &it.actual_text[..]), ("bob", "eve"));
}

#[test]
fn what_no_value_prints_is_only_shown() {
    let (argument, value, expected, actual) = blamed("x\n", "%d\n", 5);
    assert_eq!((argument, value), (Some(1), None));
    assert_eq!((&expected[..], &actual[..]), ("x", "5"));
    // Too large for an int.
    assert_eq!(blamed("99999999999\n", "%d\n", 5).1, None);
    // The text of the format is wrong.
    let (argument, value, expected, actual) = blamed("sum 5\n", "Sum %d\n", 5);
    assert_eq!((argument, value), (None, None));
    assert_eq!((&expected[..], &actual[..]), ("sum 5", "Sum 5"));
}

#[test]
fn lines_are_counted_over_calls() {
    let mut desk = desk("a\nb\nc\n");
    let (a, b) = (desk.text("a"), desk.text("b\nd"));
    desk.call("puts", &[a]);
    let it = wrong(&mut desk, "puts", &[b]);
    assert_eq!((it.line, it.argument), (3, Some(0)));
    assert_eq!((&it.expected_text[..], &it.actual_text[..]), ("c", "d"));
    assert_eq!(desk.world.output(), b"a\nb\nd\n");
}

#[test]
fn characters_have_a_right_value() {
    let mut desk = desk("ab");
    desk.call("putchar", &[b'a'.into()]);
    let it = wrong(&mut desk, "putchar", &[b'c'.into()]);
    assert_eq!((it.argument, it.expected), (Some(0), Some(Scalar::new(b'b'.into()))));
}

#[test]
fn white_space_at_the_end_is_forgiven() {
    for (expected, actual, fine) in [
        ("a\n", "a", true),
        ("a", "a\n", true),
        ("a \n\n", "a", true),
        ("a\nb\n", "a", false),
        ("", " \n", true),
        ("", "x", false),
        ("a", "a\nb", false),
        ("a b", "a  b", false),
        ("a\n", "a \n", true),
    ] {
        let mut desk = desk(expected);
        let text = desk.text(actual);
        let stdout = super::stream_of(&mut desk, 1);
        let written = desk.try_call("fputs", &[text, stdout]);
        let ended = written.and_then(|_| desk.world.finish(0));
        assert_eq!(ended.is_ok(), fine, "{expected:?} {actual:?}");
    }
}

#[test]
fn white_space_that_counts_is_made_visible() {
    let mut desk = desk_of("a\nb\n", Compare::Exact);
    let text = desk.text("a \n");
    let stdout = super::stream_of(&mut desk, 1);
    let it = wrong(&mut desk, "fputs", &[text, stdout]);
    assert_eq!((&it.expected_text[..], &it.actual_text[..]), ("a\\n", "a \\n"));
    let mut desk = desk_of("a\n", Compare::Exact);
    desk.call("putchar", &[b'a'.into()]);
    let Detail::Output(it) = desk.world.finish(0).unwrap_err().detail else { panic!() };
    assert_eq!((&it.expected_text[..], &it.actual_text[..]), ("a\\n", "a"));
}

#[test]
fn of_words_the_value_that_would_be_right_is_known() {
    for (tolerance, format, own, right) in [
        (None, "%5d\n", 6, Some(7)),
        (Some(1e-6), "%d\n", 6, Some(7)),
        (Some(1e-6), "%x\n", 6, Some(7)),
        (None, "%d\n", 71, Some(7)),
    ] {
        let mut desk = desk_of("2\n 7\n8\n", Compare::Tokens(tolerance));
        let [first, format] = ["2 ", format].map(|text| desk.text(text));
        desk.call("printf", &[first]);
        let it = wrong(&mut desk, "printf", &[format, own]);
        assert_eq!((it.argument, it.expected.map(|value| value.bits)), (Some(1), right));
        assert_eq!(it.expected_text, "7");
    }
}

#[test]
fn numbers_that_are_near_are_right() {
    let mut desk = desk_of("0.333333 2.5", Compare::Tokens(Some(1e-3)));
    let format = desk.text("%.5f ");
    desk.call("printf", &[format, (1.0f64 / 3.0).to_bits()]);
    let it = wrong(&mut desk, "printf", &[format, 2.6f64.to_bits()]);
    let Some(Right::OneOf(values, None)) = it.right else { panic!("{:?}", it.right) };
    let [Alike::Range(right, ..)] = values[..] else { panic!("{values:?}") };
    assert_eq!(f64::from_bits(right.bits as u64), 2.5);
}

#[test]
fn what_was_forgiven_is_said() {
    let words = Compare::Tokens(None);
    for (expected, output, compare, said) in [
        ("a\n", "a\n", Compare::Lines, None),
        ("a\n", "a", Compare::Lines, Some("trailing white space")),
        ("a b\n", "a b", words, Some("trailing white space")),
        ("a b\n", "a\nb\n", words, Some("white space")),
        ("0.5", "0.50", Compare::Tokens(Some(0.1)), Some("numbers")),
    ] {
        let mut desk = desk_of(expected, compare);
        let text = desk.text(output);
        let stdout = super::stream_of(&mut desk, 1);
        desk.call("fputs", &[text, stdout]);
        desk.world.finish(0).unwrap();
        let forgiven = desk.world.forgiven();
        assert_eq!(forgiven.is_some(), said.is_some(), "{expected:?} {output:?}");
        assert!(
            forgiven.zip(said).is_none_or(|(text, begin)| text.starts_with(begin)),
            "{forgiven:?}"
        );
    }
}

#[test]
fn output_that_ends_early_is_wrong() {
    let mut desk = desk("1\n2\n");
    let text = desk.text("1");
    desk.call("puts", &[text]);
    let Detail::Output(it) = desk.world.finish(0).unwrap_err().detail else { panic!() };
    assert_eq!((it.line, it.argument), (2, None));
    assert_eq!((&it.expected_text[..], &it.actual_text[..]), ("2", ""));
}

#[test]
fn output_has_a_limit() {
    let mut desk = Desk::new(Setup::default());
    let format = desk.text("%1000000000d");
    let fault = desk.try_call("printf", &[format, 1]).unwrap_err();
    let text = "the program printed more than 64 MiB".to_owned();
    assert_eq!(fault.detail, Detail::Text(text));
    let format = desk.text("%10000000d");
    let printed = (0..10).take_while(|_| desk.try_call("printf", &[format, 1]).is_ok()).count();
    assert_eq!(printed, 6);
}

/// The arguments that do not matter where something else is expected.
fn indifferent(expected: &str, format: &str, arguments: &[u64]) -> Vec<u32> {
    let mut desk = desk(expected);
    let format = desk.text(format);
    wrong(&mut desk, "printf", &[&[format], arguments].concat()).indifferent
}

#[test]
fn no_number_makes_the_text_of_the_format_right() {
    assert_eq!(indifferent("sum 5\n", "Sum %d\n", &[5]), [1]);
    assert_eq!(indifferent("5 plums\n", "%d pears\n", &[5]), [1]);
    assert_eq!(indifferent("5 plums\n", "%d pears\n", &[6]), [1]);
    assert_eq!(indifferent("1, 2: no\n", "%d, %d. %d\n", &[1, 2, 3]), [1, 2, 3]);
    assert_eq!(indifferent("x\n", "%d\n", &[5]), [1]);
    // Another number may be right.
    assert!(indifferent("12 pears\n", "%d pears\n", &[1]).is_empty());
    assert!(indifferent("123 pears\n", "%d pears\n", &[12]).is_empty());
    // What follows is not known.
    assert!(indifferent("x\n", "%d", &[5]).is_empty());
    // 1 and 23 are printed like 12 and 3.
    assert_eq!(indifferent("123 yes\n", "%d%d no\n", &[1, 23]), [2]);
    assert_eq!(indifferent("1203 yes\n", "%d0%d no\n", &[12, 3]), [2]);
}

fn bits(value: u32, bits: u32) -> Alike {
    Alike::Bits(Scalar::new(value.into()), bits)
}

/// One of these numbers, and which.
fn others(values: &[u32], own: u32) -> Vec<(u32, Right)> {
    vec![(1, Right::OneOf(values.iter().map(|&value| bits(value, 32)).collect(), Some(own)))]
}

#[test]
fn other_values_that_are_right_so_far() {
    let printed = |first: u64| {
        let mut desk = desk("12\n");
        let format = desk.text("%d%d\n");
        wrong(&mut desk, "printf", &[format, first, 3])
    };
    let it = printed(1);
    assert_eq!((it.argument, it.expected), (Some(2), Some(Scalar::new(2))));
    assert_eq!(it.right, Some(Right::OneOf(vec![bits(2, 32)], None)));
    assert_eq!(it.earlier, others(&[12, 1], 1));
    let it = printed(3);
    assert_eq!(it.expected, Some(Scalar::new(12)));
    assert_eq!(it.right, Some(Right::OneOf(vec![bits(12, 32), bits(1, 32)], None)));
}

#[test]
fn where_it_is_printed_may_not_be_known() {
    let mut desk = desk("1 2 13 x\n");
    desk.world.accept_output(true);
    desk.call("putchar", &[b'x'.into()]);
    desk.world.accept_output(false);
    let format = desk.text("%d ");
    desk.call("printf", &[format, 2]);
    let it = wrong(&mut desk, "printf", &[format, 7]);
    assert_eq!(it.expected, Some(Scalar::new(13)));
}
