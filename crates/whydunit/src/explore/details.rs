//! What is to be said about the selected cause.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

use super::look::Look;
use super::state::{State, What};

/// Draws the explanation from this line on. Says from which line it really was, and how many lines are
/// not seen below.
pub fn draw(
    buffer: &mut Buffer,
    area: Rect,
    state: &State<'_>,
    top: usize,
    look: &Look,
) -> (usize, usize) {
    let lines: Vec<(String, Style)> = paragraphs(state, look)
        .iter()
        .flat_map(|(text, style)| wrap(text, area.width.into()).into_iter().map(|l| (l, *style)))
        .collect();
    let most = lines.len().saturating_sub(area.height.into());
    let top = top.min(most);
    for (row, (line, style)) in (area.y..area.bottom()).zip(&lines[top..]) {
        buffer.set_stringn(area.x, row, line, area.width.into(), *style);
    }
    (top, most - top)
}

fn paragraphs(state: &State<'_>, look: &Look) -> Vec<(String, Style)> {
    let (Some(row), Some(cause)) = (state.row(), state.cause()) else {
        return vec![("There are no causes.".to_owned(), Style::new())];
    };
    let instance = state.instance();
    let (values, why) = match instance {
        Some(instance) => (&instance.values, &instance.why),
        None => (&cause.values, &cause.why),
    };
    let mut said: Vec<(String, Style)> = Vec::new();
    let mut say = |text: String, style| {
        if !text.is_empty() {
            said.push((look.text(&text), style));
        }
    };
    let head = match values.as_str() {
        "" => cause.condition.clone(),
        values => format!("{}: {values}", cause.condition),
    };
    say(head, look.strong());
    if let Some(instance) = instance {
        say(format!("In its execution number {}.", instance.execution), Style::new());
    }
    if let Some(influence) = state.influence(row) {
        let certainty = if influence.confirmed { "seen in another run" } else { "possible" };
        say(format!("{} ({certainty}).", capital(&influence.sentence)), Style::new());
    }
    for sentence in why.lines() {
        say(sentence.to_owned(), Style::new());
    }
    let file = cause.location.as_ref().map(|location| &location.file);
    for statement in &cause.statements {
        let place = match &statement.location {
            Some(place) if Some(&place.file) == file => continue,
            Some(place) => format!("{}:{}: ", place.file, place.start.line),
            None => String::new(),
        };
        let value = match statement.value.as_str() {
            "" => String::new(),
            value => format!(" ({value})"),
        };
        say(format!("{place}{}{value}", statement.text), Style::new());
    }
    let others: Vec<String> = state
        .referrers(row.cause)
        .iter()
        .filter(|other| row.what == What::Entry && **other != row.cause)
        .filter_map(|other| state.tree.causes[*other].location.as_ref())
        .map(|place| match Some(&place.file) == file {
            true => format!("line {}", place.start.line),
            false => format!("{}:{}", place.file, place.start.line),
        })
        .collect();
    if !others.is_empty() {
        say(format!("It also influences {}.", others.join(", ")), look.quiet());
    }
    if instance.is_none() && cause.executions() > 1 {
        say(format!("{} executions are meant (i).", cause.executions()), look.quiet());
    }
    if !cause.evidence.is_empty() {
        say(format!("Evidence: {}.", cause.evidence), look.quiet());
    }
    if let Some(why) = state.tree.incomplete.as_ref().filter(|_| row.under.is_none()) {
        say(format!("The tree is not complete: {why}."), look.strong());
    }
    said
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}

/// Breaks a text into lines between words, or within words that are too long.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let wide = |text: &str| Span::raw(text).width();
    let mut lines = vec![String::new()];
    let mut used = 0;
    for word in text.split_whitespace() {
        if used > 0 && used + 1 + wide(word) > width {
            lines.push(String::new());
            used = 0;
        }
        let line = lines.last_mut().expect("there is always a line");
        if used > 0 {
            line.push(' ');
            used += 1;
        }
        if used + wide(word) <= width {
            line.push_str(word);
            used += wide(word);
            continue;
        }
        for letter in word.chars() {
            let size = wide(letter.encode_utf8(&mut [0; 4]));
            if used > 0 && used + size > width {
                lines.push(String::new());
                used = 0;
            }
            lines.last_mut().expect("there is always a line").push(letter);
            used += size;
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::wrap;

    #[test]
    fn texts_are_broken_between_words() {
        assert_eq!(wrap("it is 10 because", 8), ["it is 10", "because"]);
        assert_eq!(wrap("", 8), [""]);
        assert_eq!(wrap("a longest_of_all b", 6), ["a", "longes", "t_of_a", "ll b"]);
        assert_eq!(wrap("日本語", 4), ["日本", "語"]);
        assert_eq!(wrap("ab", 0), ["a", "b"]);
    }
}
