//! The source of a cause, with its statements highlighted.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use report::{CauseReport, Location, printable};

use super::Source;
use super::look::{Emphasis, Look};
use super::state::{State, Values, View};

const TAB: usize = 4;
/// How much of a value has to be seen.
const LEAST_VALUE: usize = 10;

/// A file, cut into lines.
#[derive(Debug)]
pub struct Text<'s> {
    pub name: &'s str,
    pub lines: Vec<&'s str>,
}

impl<'s> Text<'s> {
    pub fn new(source: &'s Source) -> Text<'s> {
        Text { name: &source.name, lines: source.text.lines().collect() }
    }
}

/// Something to highlight, with its value.
struct Mark<'t> {
    location: &'t Location,
    emphasis: Emphasis,
    value: String,
}

/// What is to be highlighted in the file of the condition.
fn marks<'t>(cause: &'t CauseReport, values: &str, look: &Look) -> Vec<Mark<'t>> {
    let Some(place) = &cause.location else { return Vec::new() };
    let mut marks =
        vec![Mark { location: place, emphasis: Emphasis::Condition, value: look.text(values) }];
    for statement in &cause.statements {
        let Some(location) = &statement.location else { continue };
        if location.file == place.file {
            let mut value = look.text(&statement.value);
            if statement.executions > 1 && !value.is_empty() {
                value += &format!(" ({}{})", look.signs.times, statement.executions);
            }
            marks.push(Mark { location, emphasis: Emphasis::Statement, value });
        }
    }
    marks
}

impl Mark<'_> {
    fn covers_line(&self, line: usize) -> bool {
        (self.location.start.line as usize..=self.location.end.line as usize).contains(&line)
    }

    /// Columns count characters, from 1.
    fn covers(&self, line: usize, column: usize) -> bool {
        let (start, end) = (self.location.start, self.location.end);
        let is_after = line > start.line as usize || column >= start.column as usize;
        // What has no length is seen nevertheless.
        let end_column = if start == end { end.column + 1 } else { end.column };
        let is_before = line < end.line as usize || column < end_column as usize;
        self.covers_line(line) && is_after && is_before
    }
}

/// Draws the source of the selected cause, and says how far it is scrolled.
pub fn draw(
    buffer: &mut Buffer,
    area: Rect,
    state: &State<'_>,
    texts: &[Text<'_>],
    look: &Look,
) -> View {
    let mut view = View { source_rows: area.height.into(), ..state.view };
    let Some(cause) = state.cause() else { return view };
    let mut say = |text: &str| {
        buffer.set_stringn(area.x, area.y, text, area.width.into(), look.quiet());
    };
    let Some(place) = &cause.location else {
        say("It is at no line of the source.");
        return view;
    };
    let Some(text) = texts.iter().find(|text| text.name == place.file) else {
        say("There is no source of this file.");
        return view;
    };
    let values = state.instance().map_or(&cause.values, |instance| &instance.values);
    let marks = marks(cause, values, look);

    let top = top(&marks, place, text.lines.len(), area.height.into());
    let last_top = text.lines.len().saturating_sub(area.height.into()) + 1;
    let first = top.saturating_add_signed(view.source_down).clamp(1, last_top.max(1));
    view.source_down = first as isize - top as isize;

    let digits = text.lines.len().max(1).ilog10() as usize + 1;
    let gutter = digits + look.signs.condition.len().min(1) + 1;
    let width = usize::from(area.width).saturating_sub(gutter);
    let left = left(place, text, width);
    let shift = left.saturating_add_signed(view.source_right).min(longest(text, first, area));
    view.source_right = shift as isize - left as isize;

    for (row, line) in (area.y..area.bottom()).zip(first..) {
        let Some(content) = text.lines.get(line - 1) else { break };
        let here: Vec<&Mark<'_>> = marks.iter().filter(|mark| mark.covers_line(line)).collect();
        let sign = match here.iter().map(|mark| mark.emphasis).max() {
            Some(Emphasis::Condition) => look.signs.condition,
            Some(Emphasis::Statement) => look.signs.statement,
            _ => " ",
        };
        let number = format!("{line:>digits$}{sign} ");
        buffer.set_stringn(area.x, row, number, area.width.into(), look.quiet());
        let at = Rect { x: area.x + gutter as u16, y: row, width: width as u16, height: 1 };
        if width == 0 {
            continue;
        }
        let drawn = draw_line(buffer, at, (line, content), shift, &here, look);
        if state.values == Values::Shown {
            draw_values(buffer, at, drawn, &values_of(&here, line), look);
        }
    }
    view
}

/// The line at the top from which all of the cause is seen, or at least its condition.
fn top(marks: &[Mark<'_>], place: &Location, lines: usize, rows: usize) -> usize {
    let first = marks.iter().map(|mark| mark.location.start.line).min().unwrap_or(1) as usize;
    let last = marks.iter().map(|mark| mark.location.end.line).max().unwrap_or(1) as usize;
    let extent = last.saturating_sub(first) + 1;
    let wanted = match extent <= rows {
        true => first.saturating_sub((rows - extent) / 2),
        false => (place.start.line as usize).saturating_sub(rows / 2),
    };
    wanted.clamp(1, (lines.saturating_sub(rows) + 1).max(1))
}

/// How many columns are left out so that the condition is seen.
fn left(place: &Location, text: &Text<'_>, width: usize) -> usize {
    let Some(line) = text.lines.get((place.start.line as usize).wrapping_sub(1)) else { return 0 };
    let until = |column: u32| expand(line).take_while(|(at, _)| *at < column as usize).count();
    let end = match place.start.line == place.end.line {
        true => until(place.end.column),
        false => expand(line).count(),
    };
    end.saturating_sub(width).min(until(place.start.column).saturating_sub(1))
}

/// The columns of the longest line that is seen.
fn longest(text: &Text<'_>, first: usize, area: Rect) -> usize {
    let seen = text.lines.iter().skip(first - 1).take(area.height.into());
    seen.map(|line| expand(line).count()).max().unwrap_or(0)
}

/// The characters of a line with their columns in the file, tabs as spaces, and escaped what cannot be seen.
fn expand(line: &str) -> impl Iterator<Item = (usize, char)> {
    let mut shown = 0;
    (1..).zip(line.chars()).flat_map(move |(column, c)| {
        let letters = match c {
            '\t' => " ".repeat(TAB - shown % TAB),
            c => printable(c.encode_utf8(&mut [0; 4])).into_owned(),
        };
        let letters: Vec<char> = letters.chars().collect();
        shown += letters.len();
        letters.into_iter().map(move |letter| (column, letter))
    })
}

/// How a line was drawn.
#[derive(Clone, Copy)]
struct Drawn {
    /// How many columns it took, and how many to the end of what is highlighted.
    end: usize,
    highlighted: usize,
    /// The strongest on the line.
    emphasis: Emphasis,
}

/// Draws a line without its first columns.
fn draw_line(
    buffer: &mut Buffer,
    at: Rect,
    (number, content): (usize, &str),
    shift: usize,
    marks: &[&Mark<'_>],
    look: &Look,
) -> Drawn {
    let mut pieces: Vec<(String, Emphasis)> = Vec::new();
    // Nothing is narrower than no columns: this is enough even if there are combining characters.
    for (column, c) in expand(content).skip(shift).take(4 * usize::from(at.width)) {
        let covering = marks.iter().filter(|mark| mark.covers(number, column));
        let emphasis = covering.map(|mark| mark.emphasis).max().unwrap_or(Emphasis::None);
        match pieces.last_mut() {
            Some((piece, last)) if *last == emphasis => piece.push(look.letter(c)),
            _ => pieces.push((look.letter(c).to_string(), emphasis)),
        }
    }
    let mut drawn = Drawn { end: 0, highlighted: 0, emphasis: Emphasis::None };
    let mut line = Line::default();
    for (piece, emphasis) in pieces {
        let span = Span::styled(piece, look.emphasis(emphasis));
        drawn.end += span.width();
        if emphasis != Emphasis::None {
            drawn.highlighted = drawn.end;
            drawn.emphasis = drawn.emphasis.max(emphasis);
        }
        line.push_span(span);
    }
    buffer.set_line(at.x, at.y, &line, at.width);
    drawn
}

/// The values of what begins at a line.
fn values_of(marks: &[&Mark<'_>], line: usize) -> String {
    let here = marks.iter().filter(|mark| mark.location.start.line as usize == line);
    let mut values: Vec<&str> = Vec::new();
    for value in here.map(|mark| mark.value.as_str()) {
        if !value.is_empty() && !values.contains(&value) {
            values.push(value);
        }
    }
    values.join(", ")
}

/// Draws values behind a line, or over its end if there is not enough room. What is highlighted is covered
/// only where the value would not be seen otherwise; that of a condition is in the explanation anyway.
fn draw_values(buffer: &mut Buffer, at: Rect, drawn: Drawn, values: &str, look: &Look) {
    if values.is_empty() {
        return;
    }
    let width = usize::from(at.width);
    let text = format!("{} {values}", look.signs.value);
    let size = Span::raw(&text).width();
    let from = match drawn.end + 1 + size <= width {
        true => drawn.end + 1,
        false => width.saturating_sub(size).max(drawn.highlighted + 2),
    };
    let from = match width.saturating_sub(from) < size.min(LEAST_VALUE) {
        true if drawn.emphasis == Emphasis::Condition => return,
        true => width.saturating_sub(size).max(width / 2),
        false => from,
    };
    let mut put = |column: usize, text: &str| {
        let room = width.saturating_sub(column);
        buffer.set_stringn(at.x + column.min(width) as u16, at.y, text, room, look.value());
    };
    if from <= drawn.end {
        put(from.saturating_sub(2), &format!("{} ", look.signs.cut));
        put(from, &" ".repeat(width - from));
    }
    put(from, &text);
    if from + size > width {
        put(width - 1, look.signs.cut);
    }
}
