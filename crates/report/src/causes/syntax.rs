//! Expressions of C and Boogie, as far as they are worth evaluating: no assignments, no side effects but
//! those of calls, whose results are known by their text.

/// An expression. Texts are those of the source.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Expression<'t> {
    Name(&'t str),
    /// An integer, with its suffix.
    Integer(i128, &'t str),
    Double(f64, &'t str),
    Character(u8, &'t str),
    /// A call, as it is written.
    Call(&'t str),
    Unary(char, Box<Expression<'t>>),
    Binary(&'t str, Box<Expression<'t>>, Box<Expression<'t>>),
    Index(Box<Expression<'t>>, Box<Expression<'t>>),
    /// `.name` of a thing, or `->name` of a pointer to it.
    Member(Box<Expression<'t>>, &'t str),
    Arrow(Box<Expression<'t>>, &'t str),
    Cast(Vec<&'t str>, Box<Expression<'t>>),
}

/// Reads a text as one expression; none if it is not one, or one that is not evaluated.
pub(super) fn parse(text: &str) -> Option<Expression<'_>> {
    let mut reader = Reader { text, tokens: tokens(text)?, at: 0, depth: 0 };
    let expression = reader.binary(0)?;
    (reader.at == reader.tokens.len()).then_some(expression)
}

/// Whether an operator compares.
pub(super) fn compares(operator: &str) -> bool {
    matches!(operator, "==" | "!=" | "<" | "<=" | ">" | ">=")
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Token<'t> {
    Name(&'t str),
    Number(&'t str),
    Character(&'t str),
    /// A string, which is part of a call.
    Text,
    Sign(&'t str),
}

/// Nested deeper, an expression is not worth a sentence.
const DEEPEST: u32 = 32;

struct Reader<'t> {
    text: &'t str,
    /// With where they begin.
    tokens: Vec<(usize, Token<'t>)>,
    at: usize,
    depth: u32,
}

/// Longer signs first.
const SIGNS: &[&str] = &[
    "<==>", "==>", "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||",
    "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", ":=", "+", "-", "*", "/", "%", "<", ">", "=",
    "!", "~", "&", "|", "^", "(", ")", "[", "]", ".", ",", "?", ":",
];

fn tokens(text: &str) -> Option<Vec<(usize, Token<'_>)>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let (length, token) = if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        } else if first.is_ascii_digit() {
            let length = number(rest);
            (length, Token::Number(&rest[..length]))
        } else if first.is_ascii_alphabetic() || first == '_' {
            let length = rest.find(|c| !word(c)).unwrap_or(rest.len());
            (length, Token::Name(&rest[..length]))
        } else if first == '\'' || first == '"' {
            let length = quoted(rest, first)?;
            let token = match first {
                '"' => Token::Text,
                _ => Token::Character(&rest[..length]),
            };
            (length, token)
        } else {
            let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign))?;
            (sign.len(), Token::Sign(&rest[..sign.len()]))
        };
        found.push((at, token));
        at += length;
    }
    Some(found)
}

/// How long a number is, with exponent and suffix.
fn number(text: &str) -> usize {
    let is_hex = text.starts_with("0x") || text.starts_with("0X");
    let mut before = ' ';
    let end = text.find(|c: char| {
        let signed = !is_hex && matches!(before, 'e' | 'E') && matches!(c, '+' | '-');
        before = c;
        !(c.is_ascii_alphanumeric() || c == '.' || signed)
    });
    end.unwrap_or(text.len())
}

/// How long a quoted text is.
fn quoted(text: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return Some(at + 1),
            _ => {}
        }
    }
    None
}

fn strength(operator: &str) -> Option<u32> {
    Some(match operator {
        "==>" | "||" => 1,
        "&&" => 2,
        "|" => 3,
        "^" => 4,
        "&" => 5,
        "==" | "!=" => 6,
        "<" | "<=" | ">" | ">=" => 7,
        "<<" | ">>" => 8,
        "+" | "-" => 9,
        "*" | "/" | "%" | "div" | "mod" => 10,
        _ => return None,
    })
}

/// Words that begin the name of a type.
fn is_type(word: &str) -> bool {
    matches!(
        word,
        "int" | "unsigned" | "signed" | "char" | "short" | "long" | "double" | "const" | "_Bool"
    ) || word.ends_with("_t")
}

impl<'t> Reader<'t> {
    fn next(&self) -> Option<Token<'t>> {
        self.tokens.get(self.at).map(|&(_, token)| token)
    }

    fn takes(&mut self, sign: &str) -> bool {
        let is_next = self.next() == Some(Token::Sign(sign));
        self.at += usize::from(is_next);
        is_next
    }

    fn binary(&mut self, least: u32) -> Option<Expression<'t>> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        let mut left = self.unary()?;
        while let Some(Token::Sign(operator) | Token::Name(operator)) = self.next()
            && let Some(own) = strength(operator).filter(|&own| own > least)
        {
            self.at += 1;
            let right = self.binary(own)?;
            left = Expression::Binary(operator, Box::new(left), Box::new(right));
        }
        self.depth -= 1;
        Some(left)
    }

    fn unary(&mut self) -> Option<Expression<'t>> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        let found = match self.next()? {
            Token::Sign(sign @ ("!" | "~" | "-" | "+" | "*" | "&")) => {
                self.at += 1;
                let sign = sign.chars().next()?;
                Expression::Unary(sign, Box::new(self.unary()?))
            }
            Token::Sign("(") if self.is_cast() => {
                self.at += 1;
                let mut words = Vec::new();
                while let Some(Token::Name(word)) = self.next() {
                    words.push(word);
                    self.at += 1;
                }
                if !self.takes(")") {
                    return None;
                }
                Expression::Cast(words, Box::new(self.unary()?))
            }
            _ => self.postfix()?,
        };
        self.depth -= 1;
        Some(found)
    }

    fn is_cast(&self) -> bool {
        matches!(self.tokens.get(self.at + 1), Some((_, Token::Name(word))) if is_type(word))
    }

    fn postfix(&mut self) -> Option<Expression<'t>> {
        let begin = self.tokens.get(self.at)?.0;
        let mut found = self.primary()?;
        loop {
            if self.takes("[") {
                let index = self.binary(0)?;
                if !self.takes("]") {
                    return None;
                }
                found = Expression::Index(Box::new(found), Box::new(index));
            } else if self.takes("(") {
                self.skip_arguments()?;
                let end = self.tokens.get(self.at).map_or(self.text.len(), |&(at, _)| at);
                found = Expression::Call(self.text[begin..end].trim_end());
            } else if self.takes(".") {
                found = Expression::Member(Box::new(found), self.name()?);
            } else if self.takes("->") {
                found = Expression::Arrow(Box::new(found), self.name()?);
            } else {
                return Some(found);
            }
        }
    }

    fn name(&mut self) -> Option<&'t str> {
        let Some(Token::Name(name)) = self.next() else { return None };
        self.at += 1;
        Some(name)
    }

    fn skip_arguments(&mut self) -> Option<()> {
        let mut open = 1;
        while open > 0 {
            match self.next()? {
                Token::Sign("(") => open += 1,
                Token::Sign(")") => open -= 1,
                _ => {}
            }
            self.at += 1;
        }
        Some(())
    }

    fn primary(&mut self) -> Option<Expression<'t>> {
        let token = self.next()?;
        self.at += 1;
        Some(match token {
            Token::Name("sizeof" | "if" | "old") => return None,
            Token::Name(name) => Expression::Name(name),
            Token::Number(text) => return literal(text),
            Token::Character(text) => Expression::Character(character(text)?, text),
            Token::Sign("(") => {
                let inner = self.binary(0)?;
                if !self.takes(")") {
                    return None;
                }
                inner
            }
            Token::Text | Token::Sign(_) => return None,
        })
    }
}

fn literal(text: &str) -> Option<Expression<'_>> {
    let lower = text.to_ascii_lowercase();
    if let Some(digits) = lower.strip_prefix("0x") {
        let digits = digits.trim_end_matches(['u', 'l']);
        return Some(Expression::Integer(i128::from_str_radix(digits, 16).ok()?, text));
    }
    if lower.contains(['.', 'e']) {
        return Some(Expression::Double(lower.parse().ok()?, text));
    }
    let digits = lower.trim_end_matches(['u', 'l']);
    let value = match digits.strip_prefix('0').filter(|octal| !octal.is_empty()) {
        Some(octal) => i128::from_str_radix(octal, 8).ok()?,
        None => digits.parse().ok()?,
    };
    Some(Expression::Integer(value, text))
}

fn character(text: &str) -> Option<u8> {
    let inner = text.strip_prefix('\'')?.strip_suffix('\'')?;
    match (inner.strip_prefix('\\'), inner.as_bytes()) {
        (Some(escape), _) => Some(match escape {
            "n" => b'\n',
            "t" => b'\t',
            "r" => b'\r',
            "a" => 7,
            "b" => 8,
            "v" => 11,
            "f" => 12,
            "\\" => b'\\',
            "'" => b'\'',
            "\"" => b'"',
            _ => u8::from_str_radix(escape, 8).ok()?,
        }),
        (None, [byte]) => Some(*byte),
        _ => None,
    }
}
