//! Output that is not the expected one.

use program::process::{Alike, Detail, Host, Rest, Right, RightText, Scalar, WrongOutput};

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
    desk.world.watch_output();
    let format = desk.text("%.5f ");
    desk.call("printf", &[format, (1.0f64 / 3.0).to_bits()]);
    let [(1, Right::Alike(Alike::Range(_, low, high)))] = desk.world.right().unwrap()[..] else {
        panic!("{:?}", desk.world.right())
    };
    let [low, high] = [low, high].map(|bound| f64::from_bits(bound.bits as u64));
    assert!((0.3322..0.3324).contains(&low) && (0.3342..0.3345).contains(&high), "{low} {high}");
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

/// What would be right where the format prints arguments.
fn else_right(expected: &str, format: &str, arguments: &[u64]) -> Vec<(u32, Right)> {
    let mut desk = desk(expected);
    desk.world.watch_output();
    let format = desk.text(format);
    desk.call("printf", &[&[format], arguments].concat());
    desk.world.right().unwrap().to_vec()
}

fn bits(value: u32, bits: u32) -> Alike {
    Alike::Bits(Scalar::new(value.into()), bits)
}

/// Only this number.
fn only(value: u32) -> Vec<(u32, Right)> {
    vec![(1, Right::Alike(bits(value, 32)))]
}

/// One of these numbers, and which.
fn others(values: &[u32], own: u32) -> Vec<(u32, Right)> {
    vec![(1, Right::OneOf(values.iter().map(|&value| bits(value, 32)).collect(), Some(own)))]
}

#[test]
fn numbers_may_be_completed_later() {
    let minus = |n: i32| -n as u32;
    assert_eq!(else_right("123\n", "%d", &[1]), others(&[123, 12, 1], 2));
    assert_eq!(else_right("-12\n", "%d", &[minus(1).into()]), others(&[minus(12), minus(1)], 1));
    assert_eq!(else_right("12.5\n", "%d", &[1]), others(&[12, 1], 1));
    // What is expected next is no digit.
    assert_eq!(else_right("1\n2\n", "%d", &[1]), only(1));
    // The text of the format ends the number, or may be a part of it.
    assert_eq!(else_right("12 3\n", "%d ", &[12]), only(12));
    assert_eq!(else_right("100\n", "%d0", &[1]), others(&[10, 1], 1));
    // Padding comes first, or ends it.
    assert_eq!(else_right("  12\n", "%3d", &[1]), only(1));
    assert_eq!(else_right("  12\n", "%4d", &[12]), only(12));
    assert_eq!(else_right("0012\n", "%03d", &[1]), only(1));
    assert_eq!(else_right("0012\n", "%04d", &[12]), only(12));
    assert_eq!(else_right("12345\n", "%3d", &[123]), others(&[12345, 1234, 123], 2));
    assert_eq!(else_right("12   3\n", "%-5d", &[12]), only(12));
    // 0 may be nothing.
    assert_eq!(else_right("5\n", "%.0d", &[5]), others(&[5, 0], 0));
    let right = vec![bits(0x1f2, 32), bits(0x1f, 32), bits(1, 32)];
    assert_eq!(else_right("1f2\n", "%x", &[0x1f]), [(1, Right::OneOf(right, Some(1)))]);
}

#[test]
fn not_all_of_an_argument_is_printed() {
    let a = || Right::Alike(bits(b'A'.into(), 8));
    assert_eq!(else_right("AB", "%c", &[b'A'.into()]), [(1, a())]);
    assert_eq!(else_right("12 ", "%hhd ", &[12]), [(1, Right::Alike(bits(12, 8)))]);
    let mut desk = desk("AB");
    desk.world.watch_output();
    desk.call("putchar", &[b'A'.into()]);
    assert_eq!(desk.world.right(), Some(&[(0, a())][..]));
    let right = wrong(&mut desk, "putchar", &[b'C'.into()]).right;
    assert_eq!(right, Some(Right::OneOf(vec![bits(b'B'.into(), 8)], None)));
}

#[test]
fn how_wide_it_is_printed_is_an_argument() {
    let right = vec![(1, Right::Unknown), (2, Right::Alike(bits(5, 32)))];
    assert_eq!(else_right("  5\n", "%*d\n", &[3, 5]), right);
}

#[test]
fn any_white_space_may_be_at_the_end() {
    let blanks = b"\t\n\x0c\r ".map(|byte| bits(byte.into(), 8));
    let right = vec![(1, Right::OneOf(blanks.to_vec(), Some(1)))];
    assert_eq!(else_right("", "%c", &[b'\n'.into()]), right);
    let mut desk = desk("");
    let right = wrong(&mut desk, "putchar", &[b'C'.into()]).right;
    assert_eq!(right, None);
    desk.world.watch_output();
    let right = wrong(&mut desk, "putchar", &[b'C'.into()]).right;
    assert_eq!(right, Some(Right::OneOf(blanks.to_vec(), None)));
}

#[test]
fn numbers_that_are_printed_the_same() {
    for (text, value) in [("1.0\n", 1.0f64), ("0.0\n", 0.0), ("-2.5\n", -2.5)] {
        let right = else_right(text, "%.1f\n", &[value.to_bits()]);
        let [(1, Right::Alike(Alike::Range(own, low, high)))] = right[..] else {
            panic!("{right:?}")
        };
        let [own, low, high] = [own, low, high].map(|bound| f64::from_bits(bound.bits as u64));
        assert_eq!(own, value);
        assert!(low <= value.max(5e-324) && value < high, "{low} {high}");
        assert!((0.04..0.11).contains(&(high - low)), "{low} {high}");
    }
    let right = else_right("1.25\n", "%g", &[1.0f64.to_bits()]);
    let [(1, Right::OneOf(values, Some(2)))] = &right[..] else { panic!("{right:?}") };
    assert_eq!(values.len(), 3);
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

fn text(text: &str, lengths: &[u32], rest: Rest) -> RightText {
    RightText { text: text.into(), lengths: lengths.to_vec(), rest }
}

/// The texts that would be right where the format prints one.
fn right_texts(expected: &str, format: &str, printed: &str) -> Vec<RightText> {
    let mut desk = desk(expected);
    desk.world.watch_output();
    let [format, printed] = [format, printed].map(|text| desk.text(text));
    desk.call("printf", &[format, printed]);
    match desk.world.right().unwrap() {
        [(1, Right::Text(texts))] => texts.clone(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn texts_may_be_completed_later() {
    use Rest::{Any, Blank, Nothing};
    assert_eq!(right_texts("abc\n", "%s\n", "abc"), [text("abc", &[3], Blank)]);
    assert_eq!(right_texts("ab\nd\n", "%s\n", "ab"), [text("ab\nd", &[2, 4], Blank)]);
    assert_eq!(right_texts("ab;d\n", "%s;", "ab"), [text("ab", &[2], Nothing)]);
    assert_eq!(right_texts("a;b;c\n", "%s;", "a"), [text("a;b", &[1, 3], Nothing)]);
    assert_eq!(right_texts("ab\n", "%s", "a"), [text("ab", &[0, 1, 2], Blank)]);
    // Padding may be a part of it.
    let padded = [text("a", &[1], Nothing), text(" a", &[2], Nothing)];
    assert_eq!(right_texts("  a|", "%3s|", "a")[..2], padded);
    assert_eq!(right_texts("ab  |", "%-4s|", "ab"), [text("ab  ", &[2, 3, 4], Nothing)]);
    // What is cut off may be anything.
    assert_eq!(right_texts("abc\n", "%.2s", "abx"), [text("ab", &[0, 1, 2], Any)]);
    assert_eq!(right_texts("abc\n", "%.2sc\n", "abx"), [text("ab", &[2], Any)]);
}

#[test]
fn where_it_is_printed_may_not_be_known() {
    let mut desk = desk("1 2 13 x\n");
    desk.world.watch_output();
    desk.world.accept_output(true);
    desk.call("putchar", &[b'x'.into()]);
    desk.world.accept_output(false);
    assert_eq!(desk.world.right(), None);
    let format = desk.text("%d ");
    desk.call("printf", &[format, 2]);
    assert_eq!(desk.world.right(), Some(&others(&[1, 2, 13, 3], 1)[..]));
    let right = wrong(&mut desk, "printf", &[format, 7]).right;
    assert_eq!(right, Some(Right::OneOf(vec![bits(13, 32)], None)));
}

#[test]
fn behind_the_end_there_may_be_white_space_wherever_it_is() {
    let mut desk = desk("ab");
    desk.world.watch_output();
    desk.world.accept_output(true);
    desk.call("putchar", &[b'x'.into()]);
    desk.world.accept_output(false);
    let format = desk.text("%c%c");
    let it = wrong(&mut desk, "printf", &[format, b'\n'.into(), b'x'.into()]);
    let blanks = b"\t\n\x0c\r ".map(|byte| bits(byte.into(), 8));
    assert_eq!((it.argument, it.right), (Some(2), Some(Right::OneOf(blanks.to_vec(), None))));
}
