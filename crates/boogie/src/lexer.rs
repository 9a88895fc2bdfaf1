//! Splits the text into tokens, one at a time, so that a huge file of garbage
//! costs no memory. A token that is no token is `Invalid`, which the parser
//! expects nowhere and therefore reports when it reaches it.

use crate::ast::Span;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub kind: TokenKind,
    pub span: Span,
}

/// Why a token is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Problem {
    Character,
    UnclosedComment,
    UnclosedString,
}

macro_rules! tokens {
    (keywords: $($keyword:ident $word:literal)* ; symbols: $($symbol:ident $text:literal)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum TokenKind {
            Identifier, Integer, Decimal, BitVector, Float, Text, End, Invalid(Problem),
            $($keyword,)*
            $($symbol,)*
        }

        impl TokenKind {
            /// The text of a token that always has the same.
            pub fn text(self) -> Option<&'static str> {
                match self {
                    $(TokenKind::$keyword => Some($word),)*
                    $(TokenKind::$symbol => Some($text),)*
                    _ => None,
                }
            }

            pub fn is_keyword(self) -> bool {
                matches!(self, $(TokenKind::$keyword)|*)
            }

            fn keyword(word: &str) -> Option<TokenKind> {
                match word {
                    $($word => Some(TokenKind::$keyword),)*
                    _ => None,
                }
            }
        }

        /// A longer symbol comes before its prefixes.
        const SYMBOLS: &[(&str, TokenKind)] = &[$(($text, TokenKind::$symbol),)*];
    };
}

tokens! {
    keywords:
    Type "type" Const "const" Unique "unique" Complete "complete" Extends "extends"
    Axiom "axiom" Function "function" Returns "returns" Var "var" Where "where"
    Procedure "procedure" Implementation "implementation"
    Requires "requires" Ensures "ensures" Modifies "modifies" Free "free"
    Bool "bool" Int "int" Real "real"
    If "if" Then "then" Else "else" While "while" Invariant "invariant"
    Goto "goto" Break "break" Return "return" Call "call"
    Assert "assert" Assume "assume" Havoc "havoc"
    True "true" False "false" Old "old" Div "div" Mod "mod"
    Forall "forall" Exists "exists" Lambda "lambda"
    ;
    symbols:
    Iff "<==>" Implies "==>" Explies "<=="
    LessEqual "<=" Subtype "<:" Less "<"
    GreaterEqual ">=" Greater ">"
    Equal "==" NotEqual "!="
    And "&&" Or "||" Not "!"
    Concat "++" Plus "+" Arrow "->" Minus "-" Power "**" Star "*" Slash "/"
    Becomes ":=" DoubleColon "::" Colon ":"
    OpenParen "(" CloseParen ")" OpenBracket "[" CloseBracket "]"
    OpenCode "|{" OpenBrace "{" CloseBrace "}"
    Semicolon ";" Comma ","
}

/// The spellings of symbols outside ASCII.
const UNICODE: &[(&str, TokenKind)] = &[
    ("⇔", TokenKind::Iff),
    ("⇒", TokenKind::Implies),
    ("⇐", TokenKind::Explies),
    ("≤", TokenKind::LessEqual),
    ("≥", TokenKind::GreaterEqual),
    ("≠", TokenKind::NotEqual),
    ("∧", TokenKind::And),
    ("∨", TokenKind::Or),
    ("¬", TokenKind::Not),
    ("∀", TokenKind::Forall),
    ("∃", TokenKind::Exists),
    ("λ", TokenKind::Lambda),
    ("•", TokenKind::DoubleColon),
];

#[derive(Debug)]
pub(crate) struct Lexer<'a> {
    text: &'a str,
    position: usize,
}

impl<'a> Lexer<'a> {
    pub fn new(text: &'a str) -> Lexer<'a> {
        Lexer { text, position: 0 }
    }

    /// The next token; `End` again and again after the last one.
    pub fn token(&mut self) -> Token {
        if let Err(invalid) = self.skip_blanks() {
            return invalid;
        }
        let start = self.position;
        let (kind, length) = scan(&self.text[start..]);
        self.position += length;
        self.spanned(kind, start)
    }

    /// Skips white space and comments; an unclosed comment becomes a token.
    fn skip_blanks(&mut self) -> Result<(), Token> {
        loop {
            let rest = &self.text[self.position..];
            let blank = rest.len() - rest.trim_start_matches(is_blank).len();
            self.position += blank;
            let rest = &rest[blank..];
            if rest.starts_with("//") {
                self.position += rest.find('\n').unwrap_or(rest.len());
            } else if rest.starts_with("/*") {
                let start = self.position;
                match comment_length(rest) {
                    Some(length) => self.position += length,
                    None => {
                        self.position = self.text.len();
                        let mut token =
                            self.spanned(TokenKind::Invalid(Problem::UnclosedComment), start);
                        token.span.end = token.span.start + 2;
                        return Err(token);
                    }
                }
            } else {
                return Ok(());
            }
        }
    }

    fn spanned(&self, kind: TokenKind, start: usize) -> Token {
        // The parser refuses texts of 2^32 bytes and more.
        Token { kind, span: Span::new(start as u32, self.position as u32) }
    }
}

/// A byte order mark is a blank, too: some editors put one first.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || c == '\u{feff}'
}

/// The length of the comment at the start of `rest`; comments nest.
pub(crate) fn comment_length(rest: &str) -> Option<usize> {
    let bytes = rest.as_bytes();
    let (mut depth, mut at) = (0u32, 0);
    while at + 1 < bytes.len() {
        match &bytes[at..at + 2] {
            b"/*" => {
                depth += 1;
                at += 2;
            }
            b"*/" => {
                depth -= 1;
                at += 2;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => at += 1,
        }
    }
    None
}

/// The kind and length of the token at the start of `rest`.
fn scan(rest: &str) -> (TokenKind, usize) {
    let Some(first) = rest.chars().next() else {
        return (TokenKind::End, 0);
    };
    if first.is_ascii_digit() {
        return number(rest);
    }
    if let Some(word) = identifier(rest) {
        let kind = TokenKind::keyword(word).unwrap_or(TokenKind::Identifier);
        return (kind, word.len());
    }
    if first == '"' {
        return string(rest);
    }
    for &(text, kind) in SYMBOLS.iter().chain(UNICODE) {
        if rest.starts_with(text) {
            return (kind, text.len());
        }
    }
    (TokenKind::Invalid(Problem::Character), first.len_utf8())
}

/// The identifier or keyword at the start of `rest`.
fn identifier(rest: &str) -> Option<&str> {
    let name = rest.strip_prefix('\\').unwrap_or(rest);
    let starts = name.starts_with(|c: char| is_identifier_character(c) && !c.is_ascii_digit());
    if !starts {
        return None;
    }
    let length = name.find(|c| !is_identifier_character(c)).unwrap_or(name.len());
    Some(&rest[..rest.len() - name.len() + length])
}

fn is_identifier_character(c: char) -> bool {
    c.is_ascii_alphanumeric() || "_.$#'`~^?\\".contains(c)
}

fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

fn number(rest: &str) -> (TokenKind, usize) {
    if let Some(length) = float(rest) {
        return (TokenKind::Float, length);
    }
    let whole = digits(rest);
    let after = &rest[whole..];
    if let Some(width) = after.strip_prefix("bv").map(digits)
        && width > 0
    {
        return (TokenKind::BitVector, whole + 2 + width);
    }
    let fraction = match after.strip_prefix('.').map(digits) {
        Some(length) if length > 0 => 1 + length,
        _ => 0,
    };
    let exponent = exponent(&after[fraction..]);
    if fraction + exponent > 0 {
        (TokenKind::Decimal, whole + fraction + exponent)
    } else {
        (TokenKind::Integer, whole)
    }
}

/// The length of `e5` or `e-5`.
fn exponent(text: &str) -> usize {
    let Some(after) = text.strip_prefix('e') else {
        return 0;
    };
    let sign = usize::from(after.starts_with('-'));
    match digits(&after[sign..]) {
        0 => 0,
        length => 1 + sign + length,
    }
}

/// The length of a floating-point literal such as `0x1.8e0f24e8` or `0NaN24e8`.
fn float(rest: &str) -> Option<usize> {
    let special = ["0NaN", "0nan", "0+oo", "0-oo"];
    let prefix = special.iter().find_map(|prefix| {
        let after = rest.strip_prefix(prefix)?;
        after.starts_with(|c: char| c.is_ascii_digit()).then_some(4)
    });
    let prefix = prefix.or(rest.starts_with("0x").then_some(2))?;
    let length = rest[prefix..]
        .find(|c: char| !c.is_ascii_alphanumeric() && c != '.')
        .unwrap_or(rest.len() - prefix);
    Some(prefix + length)
}

fn string(rest: &str) -> (TokenKind, usize) {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            '"' if !escaped => return (TokenKind::Text, at + 1),
            '\n' => return (TokenKind::Invalid(Problem::UnclosedString), at),
            _ => escaped = c == '\\' && !escaped,
        }
    }
    (TokenKind::Invalid(Problem::UnclosedString), rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<TokenKind> {
        let mut lexer = Lexer::new(text);
        std::iter::from_fn(|| Some(lexer.token().kind))
            .take_while(|&kind| kind != TokenKind::End)
            .collect()
    }

    #[test]
    fn single_tokens() {
        use TokenKind::*;
        let table = [
            ("ULTIMATE.start", Identifier),
            ("#Ultimate.alloc", Identifier),
            ("~x~0", Identifier),
            ("main_#t~ret5", Identifier),
            ("a'`^?$\\b", Identifier),
            ("\\type", Identifier),
            ("type", Type),
            ("typed", Identifier),
            ("bv32", Identifier),
            ("123", Integer),
            ("5bv32", BitVector),
            ("1.5", Decimal),
            ("1e3", Decimal),
            ("1.25e-3", Decimal),
            ("0x1.8e0f24e8", Float),
            ("0NaN24e8", Float),
            ("0+oo24e8", Float),
            ("\"a \\\" b\"", Text),
            ("<==>", Iff),
            ("⇔", Iff),
            ("¬", Not),
            ("∀", Forall),
            ("->", Arrow),
            ("€", Invalid(Problem::Character)),
            ("=", Invalid(Problem::Character)),
            ("\\", Invalid(Problem::Character)),
            ("\"abc", Invalid(Problem::UnclosedString)),
            ("/* /* */", Invalid(Problem::UnclosedComment)),
        ];
        for (text, kind) in table {
            assert_eq!(kinds(text), [kind], "{text}");
        }
    }

    #[test]
    fn neighbours() {
        use TokenKind::*;
        let table: &[(&str, &[TokenKind])] = &[
            ("", &[]),
            (" // only a comment", &[]),
            ("a/* x /* y */ z */b", &[Identifier, Identifier]),
            ("a// x\nb", &[Identifier, Identifier]),
            ("x:=1", &[Identifier, Becomes, Integer]),
            ("a<==b", &[Identifier, Explies, Identifier]),
            ("a<=b", &[Identifier, LessEqual, Identifier]),
            ("a<:b", &[Identifier, Subtype, Identifier]),
            ("a++b+c", &[Identifier, Concat, Identifier, Plus, Identifier]),
            ("0+oo", &[Integer, Plus, Identifier]),
            ("1e", &[Integer, Identifier]),
            ("e[8:0]", &[Identifier, OpenBracket, Integer, Colon, Integer, CloseBracket]),
            ("{:inline}", &[OpenBrace, Colon, Identifier, CloseBrace]),
            ("\u{feff}a", &[Identifier]),
        ];
        for (text, expected) in table {
            assert_eq!(&kinds(text), expected, "{text}");
        }
    }
}
