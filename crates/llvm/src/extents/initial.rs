//! The parts of an initialiser, as they are written.
//!
//! Which part of the object each of them is for depends on types, which nobody here knows.

use super::position::bare;
use super::text::one_line;
use super::{Extent, Extents, Path, assign};
use tree_sitter::Node;

/// Nobody reads larger initialisers, of so many nodes of the parse.
const LARGEST: usize = 1 << 14;

/// One entry of a list in braces, or all that a variable is initialised with.
#[derive(Clone, Debug, PartialEq)]
pub struct Element {
    /// With the designators, or the variable.
    pub extent: Extent,
    pub designators: Vec<Designator>,
    pub value: Initial,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Initial {
    List(Vec<Element>),
    String,
    /// One value: its text, and what is known about it.
    Scalar(String, Known),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Known {
    Number(Number),
    /// It is a number, but we do not know which.
    Scalar,
    /// A name or a call. If it is a macro from elsewhere, then it may be anything.
    Nothing,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    Integer(i128),
    Float(f64),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Designator {
    Member(String),
    /// The first and the last; they are the same but for `[1 ... 3]`.
    Indices(Index, Index),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Index {
    Number(u64),
    Name(String),
}

impl Extents {
    /// What the variable is initialised with that is declared at this position. None if there is something in
    /// it that is not understood.
    pub fn initial(&self, line: u32, column: u32) -> Option<Element> {
        let at = self.offset(line, column)?;
        let path = Path::new(self.tree.as_ref()?, at);
        let declarator = assign::find(&path).filter(|node| node.kind() == "init_declarator")?;
        let value = declarator.child_by_field_name("value")?;
        if value.descendant_count() > LARGEST {
            return None;
        }
        let value = self.value(value)?;
        let (start, end) = assign::range(declarator, at);
        Some(Element { extent: self.extent(start, end)?, designators: Vec::new(), value })
    }

    fn value(&self, node: Node) -> Option<Initial> {
        if node.has_error() {
            return None;
        }
        let text = &self.text[node.byte_range()];
        let inner = bare(node);
        let scalar = |known: Known| Some(Initial::Scalar(one_line(text), known));
        match inner.kind() {
            "initializer_list" => {
                let mut cursor = inner.walk();
                let parts: Vec<Node> = inner.named_children(&mut cursor).collect();
                let parts = parts.into_iter().filter(|part| part.kind() != "comment");
                Some(Initial::List(parts.map(|part| self.element(part)).collect::<Option<_>>()?))
            }
            "string_literal" | "concatenated_string" => Some(Initial::String),
            "number_literal" | "char_literal" | "unary_expression" => {
                let number = number(&one_line(&self.text[inner.byte_range()]));
                scalar(number.map_or(Known::Scalar, Known::Number))
            }
            "binary_expression" | "cast_expression" | "sizeof_expression" | "true" | "false" => {
                scalar(Known::Scalar)
            }
            "identifier" | "call_expression" if !self.is_list(inner) => scalar(Known::Nothing),
            "conditional_expression"
            | "subscript_expression"
            | "field_expression"
            | "pointer_expression"
            | "null"
            | "alignof_expression"
            | "offsetof_expression" => scalar(Known::Nothing),
            _ => None,
        }
    }

    fn element(&self, node: Node) -> Option<Element> {
        let extent = self.extent(node.start_byte(), node.end_byte())?;
        if node.kind() != "initializer_pair" {
            return Some(Element { extent, designators: Vec::new(), value: self.value(node)? });
        }
        let mut cursor = node.walk();
        let designators = node.children_by_field_name("designator", &mut cursor);
        let designators = designators.map(|part| self.designator(part)).collect::<Option<_>>()?;
        let value = self.value(node.child_by_field_name("value")?)?;
        Some(Element { extent, designators, value })
    }

    fn designator(&self, node: Node) -> Option<Designator> {
        let inner = |node: Node<'_>| node.named_child(0).map(|inner| inner.byte_range());
        match node.kind() {
            "field_designator" => Some(Designator::Member(self.text[inner(node)?].to_owned())),
            "field_identifier" => Some(Designator::Member(self.text[node.byte_range()].to_owned())),
            "subscript_designator" => {
                let index = self.index(&self.text[inner(node)?])?;
                Some(Designator::Indices(index.clone(), index))
            }
            "subscript_range_designator" => {
                let part = |name| Some(node.child_by_field_name(name)?.byte_range());
                let first = self.index(&self.text[part("start")?])?;
                Some(Designator::Indices(first, self.index(&self.text[part("end")?])?))
            }
            _ => None,
        }
    }

    fn index(&self, text: &str) -> Option<Index> {
        match number(text.trim()) {
            Some(Number::Integer(number)) => u64::try_from(number).ok().map(Index::Number),
            Some(Number::Float(_)) => None,
            None if !text.chars().all(is_word) => None,
            None => Some(self.enumerator(text).map_or(Index::Name(text.to_owned()), Index::Number)),
        }
    }

    /// The value of a constant of an enumeration in this file.
    fn enumerator(&self, name: &str) -> Option<u64> {
        let mut nodes = vec![self.tree.as_ref()?.root_node()];
        while let Some(node) = nodes.pop() {
            let mut cursor = node.walk();
            let mut next = Some(0);
            for child in node.named_children(&mut cursor) {
                if child.kind() != "enumerator" {
                    nodes.push(child);
                    // It may add others.
                    next = next.filter(|_| child.kind() == "comment");
                    continue;
                }
                if let Some(value) = child.child_by_field_name("value") {
                    next = match number(&self.text[value.byte_range()]) {
                        Some(Number::Integer(number)) => Some(number),
                        _ => None,
                    };
                }
                let own = child.child_by_field_name("name").map(|name| name.byte_range());
                if own.is_some_and(|own| &self.text[own] == name) {
                    return next.and_then(|value| u64::try_from(value).ok());
                }
                next = next.and_then(|value: i128| value.checked_add(1));
            }
        }
        None
    }

    /// Whether this is a macro of this file that may be more than one value.
    fn is_list(&self, node: Node) -> bool {
        let named = node.child_by_field_name("function").unwrap_or(node);
        let name = &self.text[named.byte_range()];
        let definitions = self.text.match_indices("define").map(|(at, word)| {
            let rest = self.text[at + word.len()..].trim_start();
            rest.strip_prefix(name).filter(|rest| !rest.starts_with(is_word))
        });
        definitions.flatten().any(|body| {
            let mut end = body.len();
            for (at, _) in body.match_indices('\n') {
                if !body[..at].trim_end_matches('\r').ends_with('\\') {
                    end = at;
                    break;
                }
            }
            body[..end].contains([',', '{', '}'])
        })
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The value of a literal, perhaps with a sign. None if it is something else, or unusual.
fn number(text: &str) -> Option<Number> {
    if let Some(rest) = text.strip_prefix('-') {
        return Some(match number(rest.trim_start())? {
            Number::Integer(number) => Number::Integer(-number),
            Number::Float(number) => Number::Float(-number),
        });
    }
    if let Some(quoted) = text.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
        return character(quoted).map(|c| Number::Integer(c.into()));
    }
    let text = text.replace('\'', "").to_ascii_lowercase();
    let is_hexadecimal = text.starts_with("0x");
    if text.contains('.') || !is_hexadecimal && text.contains('e') {
        let digits = text.trim_end_matches(['f', 'l']);
        return if is_hexadecimal { None } else { digits.parse().ok().map(Number::Float) };
    }
    let digits = text.trim_end_matches(['u', 'l']);
    let (digits, radix) = match digits.get(..2) {
        Some("0x") => (&digits[2..], 16),
        Some("0b") => (&digits[2..], 2),
        Some(_) if digits.starts_with('0') => (&digits[1..], 8),
        _ => (digits, 10),
    };
    i128::from_str_radix(digits, radix).ok().map(Number::Integer)
}

fn character(quoted: &str) -> Option<u8> {
    match *quoted.as_bytes() {
        [c] if c != b'\\' => Some(c),
        [b'\\', c] => Some(match c {
            b'0' => 0,
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            b'\\' | b'\'' | b'"' => c,
            _ => return None,
        }),
        _ => None,
    }
}
