//! Constants.

use term::Value;
use term::number::IBig;

use super::Writer;
use super::terms::level;

/// Literals are read up to a limit; longer numbers are computed from pieces of this many digits.
const MOST_DIGITS: usize = 9000;

impl Writer<'_> {
    pub(super) fn value(&mut self, value: &Value, level: u32) {
        match value {
            Value::Bool(value) => self.text.push_str(&value.to_string()),
            Value::BitVec(bits) => {
                self.text.push_str(&format!("{}bv{}", bits.unsigned(), bits.width()));
            }
            Value::Int(value) => self.number(value, "", level),
            Value::Real(value) if value.denominator().is_one() => {
                self.number(value.numerator(), ".0", level);
            }
            Value::Real(value) => {
                self.text.push('(');
                self.number(value.numerator(), ".0", level::PREFIX);
                self.text.push_str(" / ");
                self.number(&IBig::from(value.denominator().clone()), ".0", level::PREFIX);
                self.text.push(')');
            }
            // Boogie has such numbers, but our reader does not: no Boogie program leads here.
            Value::Float(value) => self.text.push_str(&value.to_string()),
            Value::Array(array) => {
                let (element, sort) = (array.default.sort(), value.sort());
                let function = self.functions.builtin("MapConst", &[&element], &sort);
                self.text.push_str(&format!("{function}("));
                self.value(&array.default, level::ANY);
                self.text.push(')');
                for (index, element) in array.entries() {
                    self.text.push('[');
                    self.value(index, level::ANY);
                    self.text.push_str(" := ");
                    self.value(element, level::ANY);
                    self.text.push(']');
                }
            }
        }
    }

    fn number(&mut self, number: &IBig, suffix: &str, level: u32) {
        let text = number.to_string();
        let (sign, digits) = match text.strip_prefix('-') {
            Some(digits) => ("-", digits),
            None => ("", text.as_str()),
        };
        let parentheses = level > level::PREFIX && !sign.is_empty();
        let (open, close) = if parentheses { ("(", ")") } else { ("", "") };
        let magnitude = if digits.len() > MOST_DIGITS {
            long_number(digits, suffix)
        } else {
            format!("{digits}{suffix}")
        };
        self.text.push_str(&format!("{open}{sign}{magnitude}{close}"));
    }
}

/// A number with too many digits for a literal, computed from its pieces.
fn long_number(digits: &str, suffix: &str) -> String {
    let scale = format!("1{}{suffix}", "0".repeat(MOST_DIGITS));
    let head = digits.len() % MOST_DIGITS;
    let mut text = format!("0{}{suffix}", &digits[..head]);
    let mut rest = &digits[head..];
    while !rest.is_empty() {
        let (piece, more) = rest.split_at(MOST_DIGITS);
        text = format!("({text} * {scale} + {piece}{suffix})");
        rest = more;
    }
    text
}
