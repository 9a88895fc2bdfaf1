//! How a decision went: whether its condition held, and with which values.

use std::collections::HashMap;

use failure::Action;
use program::{EdgeId, Language, LocationId, Program, Statement};
use term::{Float, Op, Value};

use super::evaluate::{Kind, Number, Operand, evaluate};
use super::state::State;
use super::statements::{cut, limited, pairs};
use super::syntax::{Expression, compares, parse};
use crate::story::Story;
use crate::values::show;

/// The conditions that leave each location.
pub(crate) struct Decisions {
    ways: HashMap<LocationId, Vec<EdgeId>>,
}

/// How a decision went.
#[derive(Clone, Debug, Default)]
pub(crate) struct Decided {
    /// The condition, as it is written.
    text: String,
    /// Whether it held, where that is known.
    pub truth: Option<bool>,
    /// Its value, if it is not only true or false.
    value: Option<String>,
    /// Its values, such as `36 != 41` or `a = 6, b = 5`; empty if they say nothing.
    pub values: String,
    is_comparison: bool,
}

impl Decided {
    /// In words: "`a*a != b*b + c*c` held: 36 != 41".
    pub(super) fn sentence(&self) -> String {
        let text = cut(&self.text);
        if let Some(value) = &self.value {
            return format!("`{text}` was {value}");
        }
        let held = match self.truth {
            Some(true) => "held",
            Some(false) => "did not hold",
            None => "was decided",
        };
        match self.values.as_str() {
            "" => format!("`{text}` {held}"),
            values if self.is_comparison && self.truth == Some(true) => {
                format!("`{text}` held: {values}")
            }
            values => format!("`{text}` {held} ({values})"),
        }
    }
}

impl Decisions {
    pub(crate) fn of(program: &Program) -> Decisions {
        let mut ways: HashMap<LocationId, Vec<EdgeId>> = HashMap::new();
        for (number, edge) in program.edges.iter().enumerate() {
            if let Statement::Assume { .. } = edge.statement {
                ways.entry(edge.from).or_default().push(EdgeId(number as u32));
            }
        }
        Decisions { ways }
    }

    pub(crate) fn decided(&self, story: &Story<'_>, state: &State<'_>, at: usize) -> Decided {
        let failure = story.failure;
        let step = &failure.trace.steps[at];
        let text = condition_text(failure.program.language, &failure.program.site(step.site).text);
        let reads = state.reads(at);
        let listed = pairs(state, reads.iter());
        let mut decided = Decided { text: text.to_owned(), ..Decided::default() };
        let by_way = self.by_way(story, at, text);
        let names = state.names(at, reads);
        let expression = parse(text);
        let value = expression.as_ref().and_then(|expression| evaluate(&names, expression));
        let is_switch = is_switch(story, at);
        // If the ways disagree with the text, it is not the text that was decided.
        let truth = value.as_ref().map(Operand::is_true);
        let agrees = is_switch || truth.is_none() || by_way.is_none() || truth == by_way;
        decided.truth = by_way.or(truth);
        if !agrees {
            decided.values = listed.join(", ");
            return decided;
        }
        match (&expression, &value) {
            (Some(Expression::Binary(operator, left, right)), Some(_)) if compares(operator) => {
                if let (Some(left), Some(right)) = (evaluate(&names, left), evaluate(&names, right))
                {
                    let (left, right) = (shown(story, &left), shown(story, &right));
                    let values = format!("{left} {operator} {right}");
                    decided.is_comparison = true;
                    decided.values = if values == text { String::new() } else { values };
                }
            }
            (Some(Expression::Unary('!', _) | Expression::Binary("&&" | "||" | "==>", ..)), _)
            | (_, None) => decided.values = listed.join(", "),
            // What a function returns for "yes" is of no interest.
            (Some(Expression::Call(_)), Some(_)) if !is_switch => {}
            (_, Some(value)) => {
                let value = shown(story, value);
                decided.values.clone_from(&value);
                decided.value = Some(value);
            }
        }
        // A single variable with its own name says no more than its value.
        if let Some(value) = decided.values.strip_prefix(&format!("{text} = ")) {
            decided.value = Some(value.to_owned());
            decided.values = value.to_owned();
        }
        decided
    }

    /// Whether a condition held, by which way was taken. Compilers make a branch for `x`, not for `!x`, of a condition `!x`.
    fn by_way(&self, story: &Story<'_>, at: usize, text: &str) -> Option<bool> {
        let failure = story.failure;
        let step = &failure.trace.steps[at];
        let (program, terms) = (failure.program, &failure.trace.terms);
        let negations = text.chars().take_while(|&c| c == '!').count();
        if is_switch(story, at) {
            return None;
        }
        // What is not a comparison is compared with zero.
        if !matches!(parse(text), Some(Expression::Binary(..)))
            && let Action::Assume { condition } = step.action
        {
            let (equals, term) = match terms.op(condition) {
                Op::Not => (false, *terms.args(condition).first()?),
                _ => (true, condition),
            };
            let zero = |&arg: &term::Term| terms.value(arg).is_some_and(Value::is_zero);
            if terms.op(term) == Op::Eq && terms.args(term).iter().any(zero) {
                return Some(equals == (negations % 2 == 1));
            }
        }
        let edge = *failure.trace.path.get(step.at as usize)?;
        let ways = self.ways.get(&program.edge(edge).from)?;
        let to_error = |&way: &EdgeId| program.edge(way).to == Program::ERROR;
        // The way to a failure comes first, whichever it is.
        if ways.len() != 2 || negations > 0 || ways.iter().any(to_error) {
            return None;
        }
        (program.language == Language::C).then_some(ways[0] == edge)
    }
}

/// The condition of a statement, without its keyword.
fn condition_text(language: Language, text: &str) -> &str {
    if language == Language::C {
        return text.trim();
    }
    let keywords = ["assert", "assume", "if", "while", "requires", "ensures", "invariant", "free"];
    let mut text = text.trim();
    for keyword in keywords {
        if let Some(rest) = text.strip_prefix(keyword)
            && rest.starts_with([' ', '('])
        {
            text = rest.trim();
        }
    }
    text
}

/// Whether a decision is that of a `switch`.
fn is_switch(story: &Story<'_>, at: usize) -> bool {
    let program = story.failure.program;
    let Some(span) = program.site(story.failure.trace.steps[at].site).span else { return false };
    let before = program.file(span).text.get(..span.start as usize).unwrap_or_default();
    let before = before.trim_end().strip_suffix('(').unwrap_or(before);
    program.language == Language::C && before.trim_end().ends_with("switch")
}

fn shown(story: &Story<'_>, operand: &Operand) -> String {
    if let Some(written) = &operand.written {
        return limited(written);
    }
    let text = match (operand.number, operand.kind, operand.ty) {
        (Number::Double(value), ..) => Float::double(value).to_string(),
        (Number::Integer(value), Kind::Word { bits, .. }, Some(ty)) => {
            show(&story.addresses, &Value::bitvec(bits, value as u128), Some(ty)).code
        }
        (Number::Integer(value), Kind::Truth, _) => (value != 0).to_string(),
        (Number::Integer(value), ..) => {
            let address = u64::try_from(value).ok().filter(|_| operand.to.is_some());
            let known = address.and_then(|address| story.addresses.pointer(address, operand.to));
            known.unwrap_or_else(|| value.to_string())
        }
    };
    limited(&text)
}
