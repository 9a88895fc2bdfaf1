//! The kinds of edits, how much each is preferred, and how often it pays.
//!
//! The defaults are in `edits.txt`. A user can give another file like it: who knows which mistakes are made in
//! a project knows more than we do. What such a file does not mention keeps its default.

use std::collections::BTreeMap;

/// What an edit does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    Relational,
    Arithmetic,
    Bitwise,
    Logical,
    /// Another operation of other values.
    Formula,
    /// Another small expression, made of what can be read there.
    Expression,
    /// Operands change places.
    Swapped,
    /// Parentheses elsewhere.
    Regrouped,
    /// One part of an expression instead of the whole.
    Part,
    Negated,
    /// The value plus or minus one.
    Offset,
    Constant,
    /// A constant for a variable, or the other way round.
    ConstantName,
    Name,
    Member,
    Function,
    /// `=`, `+=` and the like.
    Assignment,
    Update,
    /// A sign or a negation that is left out.
    Unary,
    /// Two indices change places.
    Indices,
    /// Another element.
    Index,
    /// Arguments change places.
    Argument,
    Cast,
    Type,
    /// The size of an array, or of what is allocated.
    Size,
    /// A condition that always or never holds.
    Decision,
    /// A condition with a comparison more.
    Atom,
    Guard,
    /// An early `return`, `break` or `continue`.
    Jump,
    Deleted,
    Inserted,
    Initialised,
    /// The two branches change places.
    Branches,
    Else,
    /// A case that nobody thought of: something is printed, returned or set in it.
    Special,
    Moved,
    Copied,
    Text,
    /// A value is kept within bounds.
    Clamp,
}

impl Kind {
    pub const ALL: [Kind; 39] = [
        Kind::Relational,
        Kind::Arithmetic,
        Kind::Bitwise,
        Kind::Logical,
        Kind::Formula,
        Kind::Expression,
        Kind::Swapped,
        Kind::Regrouped,
        Kind::Part,
        Kind::Negated,
        Kind::Offset,
        Kind::Constant,
        Kind::ConstantName,
        Kind::Name,
        Kind::Member,
        Kind::Function,
        Kind::Assignment,
        Kind::Update,
        Kind::Unary,
        Kind::Indices,
        Kind::Index,
        Kind::Argument,
        Kind::Cast,
        Kind::Type,
        Kind::Size,
        Kind::Decision,
        Kind::Atom,
        Kind::Guard,
        Kind::Jump,
        Kind::Deleted,
        Kind::Inserted,
        Kind::Initialised,
        Kind::Branches,
        Kind::Else,
        Kind::Special,
        Kind::Moved,
        Kind::Copied,
        Kind::Text,
        Kind::Clamp,
    ];

    /// The stable name, as in JSON and in a file of weights.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Relational => "relational",
            Kind::Arithmetic => "arithmetic",
            Kind::Bitwise => "bitwise",
            Kind::Logical => "logical",
            Kind::Formula => "formula",
            Kind::Expression => "expression",
            Kind::Swapped => "swapped",
            Kind::Regrouped => "regrouped",
            Kind::Part => "part",
            Kind::Negated => "negated",
            Kind::Offset => "offset",
            Kind::Constant => "constant",
            Kind::ConstantName => "constant-name",
            Kind::Name => "name",
            Kind::Member => "member",
            Kind::Function => "function",
            Kind::Assignment => "assignment",
            Kind::Update => "update",
            Kind::Unary => "unary",
            Kind::Indices => "indices",
            Kind::Index => "index",
            Kind::Argument => "argument",
            Kind::Cast => "cast",
            Kind::Type => "type",
            Kind::Size => "size",
            Kind::Decision => "decision",
            Kind::Atom => "atom",
            Kind::Guard => "guard",
            Kind::Jump => "jump",
            Kind::Deleted => "deleted",
            Kind::Inserted => "inserted",
            Kind::Initialised => "initialised",
            Kind::Branches => "branches",
            Kind::Else => "else",
            Kind::Special => "special",
            Kind::Moved => "moved",
            Kind::Copied => "copied",
            Kind::Text => "text",
            Kind::Clamp => "clamp",
        }
    }

    fn named(name: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// How much edits are preferred, and how often they pay.
#[derive(Clone, Debug)]
pub struct Weights {
    kinds: BTreeMap<Kind, (u32, f64)>,
    pairs: BTreeMap<(Kind, String, String), u32>,
}

/// What is wrong with a file of weights, and where: line and column, from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    pub line: usize,
    pub column: usize,
    pub why: String,
}

/// No weight is higher.
pub const HIGHEST: u32 = 100;

impl Default for Weights {
    fn default() -> Weights {
        let nothing = Weights { kinds: BTreeMap::new(), pairs: BTreeMap::new() };
        nothing
            .with(include_str!("edits.txt"))
            .unwrap_or(Weights { kinds: BTreeMap::new(), pairs: BTreeMap::new() })
    }
}

impl Weights {
    /// These weights, but for what a text says otherwise.
    pub fn with(mut self, text: &str) -> Result<Weights, Mistake> {
        for (line, content) in (1..).zip(text.lines()) {
            let content = content.split_once("# ").map_or(content, |(before, _)| before);
            if content.trim_start().starts_with('#') {
                continue;
            }
            let words = words(content);
            let mistake = |word: usize, why: String| {
                let column = words.get(word).map_or(content.len() + 1, |(column, _)| *column);
                Mistake { line, column, why }
            };
            let Some(&(_, name)) = words.first() else { continue };
            let Some(kind) = Kind::named(name) else {
                let known = Kind::ALL.map(Kind::name).join(", ");
                return Err(mistake(0, format!("there is no kind `{name}`; there is: {known}")));
            };
            let weight = |word: usize| -> Result<u32, Mistake> {
                let text = words.get(word).map_or("", |(_, text)| text);
                match text.parse() {
                    Ok(weight) if weight <= HIGHEST => Ok(weight),
                    _ => {
                        let why = format!("expected a weight from 0 to {HIGHEST}, not `{text}`");
                        Err(mistake(word, why))
                    }
                }
            };
            match words.len() {
                2 | 3 => {
                    let weight = weight(1)?;
                    let known = self.kinds.get(&kind).map_or(1.0, |known| known.1);
                    let share = match words.get(2) {
                        None => known,
                        Some((_, text)) => match text.parse::<f64>() {
                            Ok(share) if (0.0..=1000.0).contains(&share) => share,
                            _ => {
                                let why = format!("expected a yield from 0 to 1000, not `{text}`");
                                return Err(mistake(2, why));
                            }
                        },
                    };
                    self.kinds.insert(kind, (weight, share));
                }
                4 => {
                    let (old, new) = (words[1].1.to_owned(), words[2].1.to_owned());
                    self.pairs.insert((kind, old, new), weight(3)?);
                }
                1 => return Err(mistake(1, "expected a weight after the kind".to_owned())),
                _ => {
                    let why = "expected KIND WEIGHT YIELD or KIND OLD NEW WEIGHT".to_owned();
                    return Err(mistake(4, why));
                }
            }
        }
        Ok(self)
    }

    /// How much it is preferred to write `new` for `old`.
    pub fn weight(&self, kind: Kind, old: &str, new: &str) -> u32 {
        let pair = self.pairs.get(&(kind, old.to_owned(), new.to_owned()));
        pair.copied().unwrap_or_else(|| self.kinds.get(&kind).map_or(0, |known| known.0))
    }

    /// How many of 1,000 edits of this kind are right where the fault is.
    pub fn share(&self, kind: Kind) -> f64 {
        self.kinds.get(&kind).map_or(1.0, |known| known.1)
    }
}

/// The words of a line, each with its column.
fn words(line: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut start = None;
    for (at, letter) in line.char_indices().chain([(line.len(), ' ')]) {
        match (letter.is_whitespace(), start) {
            (false, None) => start = Some(at),
            (true, Some(begin)) => {
                let column = line[..begin].chars().count() + 1;
                found.push((column, &line[begin..at]));
                start = None;
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_a_weight() {
        let weights = Weights::default();
        for kind in Kind::ALL {
            assert!(weights.weight(kind, "", "") > 0, "{}", kind.name());
            assert!(weights.share(kind) > 0.0, "{}", kind.name());
        }
    }

    #[test]
    fn the_table_of_the_paper() {
        let weights = Weights::default();
        let weight = |old, new| weights.weight(Kind::Relational, old, new);
        assert_eq!((weight("<=", "<"), weight("<=", ">="), weight("<=", ">")), (30, 20, 10));
        assert_eq!((weight("<", "<="), weight("<", ">"), weight("<", ">=")), (30, 20, 10));
        assert_eq!((weight(">", ">="), weight(">", "<"), weight(">", "<=")), (30, 20, 10));
        assert_eq!((weight(">=", ">"), weight(">=", "<="), weight(">=", "<")), (30, 20, 10));
    }

    #[test]
    fn mistakes_have_a_place() {
        let at = |text: &str| {
            let mistake = Weights::default().with(text).expect_err("a mistake");
            (mistake.line, mistake.column, mistake.why)
        };
        let (line, column, why) = at("guard 3\n  nonsense 5\n");
        assert_eq!((line, column), (2, 3));
        assert!(why.starts_with("there is no kind `nonsense`"));
        assert_eq!(at("guard many").1, 7);
        assert_eq!(at("guard").1, 6);
        assert_eq!(at("relational < <= 1000").1, 17);
        assert_eq!(at("guard 3 -1").1, 9);
        let weights = Weights::default().with("# mine\nguard 3 0.25\nname a b 9 # why\n");
        let weights = weights.expect("no mistake");
        assert_eq!((weights.weight(Kind::Guard, "", ""), weights.share(Kind::Guard)), (3, 0.25));
        assert_eq!(weights.weight(Kind::Name, "a", "b"), 9);
        assert_eq!(weights.weight(Kind::Name, "a", "c"), 20);
    }
}
