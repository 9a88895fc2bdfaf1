//! Draws a state: the panes, the tree, the bars above and below, the help.

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Widget};
use report::Location;

use super::details;
use super::keys::HELP;
use super::look::Look;
use super::source::{self, Text};
use super::state::{Hiding, Opinion, Row, State, View, What};

/// Below this width the panes are stacked.
const WIDE: u16 = 80;
/// How much of the selected row has to be seen, however deep it is.
const LEAST: usize = 20;

/// What does not change while it is shown.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'a> {
    pub title: &'a str,
    pub texts: &'a [Text<'a>],
    pub look: &'a Look,
}

struct Panes {
    tree: Rect,
    source: Rect,
    details: Rect,
}

/// Draws a frame, and says how far the panes are scrolled now.
pub fn draw(frame: &mut Frame<'_>, state: &State<'_>, shown: Shown<'_>) -> View {
    let look = shown.look;
    let rows = [Constraint::Length(1), Constraint::Fill(1), Constraint::Length(1)];
    let [head, middle, foot] = Layout::vertical(rows).areas(frame.area());
    let buffer = frame.buffer_mut();
    draw_head(buffer, head, state, shown);
    draw_foot(buffer, foot, state, look);

    let panes = panes(buffer, middle, look);
    let tree = pane(buffer, panes.tree, "causes", "", look);
    let tree_top = draw_tree(buffer, tree, state, look);

    let file = state.cause().and_then(|cause| cause.location.as_ref()).map(|place| &place.file);
    let file = look.text(file.map_or("source", String::as_str));
    let source = pane(buffer, panes.source, &file, "", look);
    let view = source::draw(buffer, source, state, shown.texts, look);

    let inner = Rect { y: panes.details.y + 1, ..shorter(panes.details) };
    let (details_top, more) = details::draw(buffer, inner, state, view.details_top, look);
    let hint = match (details_top, more) {
        (0, 0) => "",
        (0, _) => "J: more",
        (_, 0) => "K: back",
        (_, _) => "K, J: more",
    };
    pane(buffer, panes.details, "why", hint, look);

    if state.is_help_open {
        draw_help(buffer, middle, look);
    }
    View { tree_top, details_top, ..view }
}

/// Where the panes are. Draws the line between them.
fn panes(buffer: &mut Buffer, area: Rect, look: &Look) -> Panes {
    if area.width < WIDE {
        let rows = [Constraint::Fill(4), Constraint::Fill(4), Constraint::Fill(3)];
        let [tree, source, details] = Layout::vertical(rows).areas(area);
        return Panes { tree, source, details };
    }
    let left = (area.width * 2 / 5).clamp(30, 60);
    let columns = [Constraint::Length(left), Constraint::Length(1), Constraint::Fill(1)];
    let [tree, line, right] = Layout::horizontal(columns).areas(area);
    for row in line.y..line.bottom() {
        buffer.set_string(line.x, row, look.signs.vertical, look.quiet());
    }
    let below = (area.height / 3).clamp(5, 14);
    let rows = [Constraint::Fill(1), Constraint::Length(below)];
    let [source, details] = Layout::vertical(rows).areas(right);
    Panes { tree, source, details }
}

fn shorter(area: Rect) -> Rect {
    Rect { height: area.height.saturating_sub(1), ..area }
}

/// Draws the upper edge of a pane, and returns what is below.
fn pane(buffer: &mut Buffer, area: Rect, title: &str, hint: &str, look: &Look) -> Rect {
    if area.height == 0 {
        return area;
    }
    let width = usize::from(area.width);
    let line = look.signs.horizontal;
    buffer.set_stringn(area.x, area.y, line.repeat(width), width, look.quiet());
    if !hint.is_empty() {
        let room = Span::raw(hint).width() + 3;
        let at = area.right().saturating_sub(room as u16).max(area.x);
        let width = usize::from(area.right() - at);
        buffer.set_stringn(at, area.y, format!(" {hint} "), width, look.quiet());
    }
    let title = format!("{line} {title} ");
    buffer.set_stringn(area.x, area.y, title, width, look.quiet());
    Rect { y: area.y + 1, ..shorter(area) }
}

fn draw_bar(buffer: &mut Buffer, area: Rect, left: &str, right: &str, look: &Look) {
    let width = usize::from(area.width);
    buffer.set_stringn(area.x, area.y, " ".repeat(width), width, look.bar());
    buffer.set_stringn(area.x, area.y, format!(" {left}"), width, look.bar());
    let (taken, room) = (Span::raw(left).width() + 3, Span::raw(right).width() + 1);
    if taken + room <= width {
        let at = area.right() - room as u16;
        buffer.set_stringn(at, area.y, right, room, look.bar());
    }
}

fn draw_head(buffer: &mut Buffer, area: Rect, state: &State<'_>, shown: Shown<'_>) {
    let count = match state.tree.causes.len() {
        1 => "1 cause".to_owned(),
        count => format!("{count} causes"),
    };
    let right = match state.tree.incomplete {
        Some(_) => format!("{count}, not complete"),
        None => count,
    };
    draw_bar(buffer, area, &shown.look.text(shown.title), &right, shown.look);
}

fn draw_foot(buffer: &mut Buffer, area: Rect, state: &State<'_>, look: &Look) {
    let keys = "? help  b benign  f follow  q quit";
    let left = if state.notice.is_empty() { keys } else { &state.notice };
    let mut right = String::new();
    let (benign, pruned) = state.pruned();
    if benign > 0 {
        right += &format!("{benign} benign, {pruned} only lead there");
        if state.hiding == Hiding::Hidden {
            right += " (hidden)";
        }
    }
    draw_bar(buffer, area, &look.text(left), &right, look);
}

/// Draws the rows that fit, with the selected one among them, and says which is the first.
fn draw_tree(buffer: &mut Buffer, area: Rect, state: &State<'_>, look: &Look) -> usize {
    let (height, width) = (usize::from(area.height), usize::from(area.width));
    let lowest = state.selected().saturating_sub(height.saturating_sub(1));
    let fits = state.rows().len().saturating_sub(height);
    let top = state.view.tree_top.min(fits).clamp(lowest, state.selected().max(lowest));
    let depth = state.row().map_or(0, |row| row.depth);
    let shift = (2 * depth).saturating_sub(width.saturating_sub(LEAST));
    let home = state.tree.causes.first().and_then(|root| root.location.as_ref());
    let seen = state.rows().iter().enumerate().skip(top);
    for (line, (at, row)) in (area.y..area.bottom()).zip(seen) {
        let indent = " ".repeat((2 * row.depth).saturating_sub(shift).min(width));
        let text: Line<'_> =
            [Span::raw(indent)].into_iter().chain(label(state, *row, home, look)).collect();
        buffer.set_line(area.x, line, &text, area.width);
        if at == state.selected() {
            buffer.set_style(Rect { y: line, height: 1, ..area }, look.selected());
        }
    }
    top
}

/// What is said of a row in the tree.
fn label(state: &State<'_>, row: Row, home: Option<&Location>, look: &Look) -> [Span<'static>; 2] {
    let signs = &look.signs;
    let cause = &state.tree.causes[row.cause];
    let opinion = state.opinion(row.cause);
    let opinion_sign = match opinion {
        Opinion::Suspect => String::new(),
        Opinion::Benign => format!("{} ", signs.benign),
        Opinion::Pruned => format!("{} ", signs.pruned),
    };
    let place = cause.location.as_ref().map(|place| match home {
        Some(home) if home.file == place.file => place.start.line.to_string(),
        _ => {
            let name = place.file.rsplit('/').next().unwrap_or(&place.file);
            format!("{name}:{}", place.start.line)
        }
    });
    let is_possible = state.influence(row).is_some_and(|influence| !influence.confirmed);
    let doubt = if is_possible { "?" } else { "" };
    let style = look.row(opinion);
    match row.what {
        What::Entry => {
            let open = match state.is_open(row.cause) {
                Some(true) => signs.open,
                Some(false) => signs.closed,
                None => " ",
            };
            let times = match cause.executions() {
                0 | 1 => String::new(),
                times => format!(" {}{times}", signs.times),
            };
            let place = place.unwrap_or_default();
            let number = format!("{open} {opinion_sign}{place}{doubt}{times}");
            let condition = look.text(&cause.condition);
            [
                Span::styled(number, style.patch(number_style(opinion, look))),
                Span::styled(format!(": {condition}"), style),
            ]
        }
        What::Reference => {
            let place = match place {
                Some(place) if place.contains(':') => place,
                Some(line) => format!("line {line}"),
                None => look.text(&cause.condition),
            };
            let text = format!("{} {opinion_sign}{place}{doubt}", signs.reference);
            [Span::styled(text, style), Span::raw("")]
        }
        What::Instance(at) => {
            let instance = &cause.instances[at];
            let text = format!("#{}: {}", instance.execution, look.text(&instance.values));
            [Span::styled(text, look.value()), Span::raw("")]
        }
    }
}

fn number_style(opinion: Opinion, look: &Look) -> Style {
    match opinion {
        Opinion::Suspect => look.strong(),
        Opinion::Benign | Opinion::Pruned => Style::new(),
    }
}

fn draw_help(buffer: &mut Buffer, area: Rect, look: &Look) {
    let signs = &look.signs;
    let mut lines: Vec<String> =
        HELP.iter().map(|(keys, meaning)| format!("{keys:<15}{meaning}")).collect();
    lines.push(format!("{} benign  {} only leads there", signs.benign, signs.pruned));
    lines.push(format!("{} stands elsewhere  {}2 twice", signs.reference, signs.times));
    lines.push("? possible: seen in no other run".to_owned());
    let widest = lines.iter().map(|line| Span::raw(line).width()).max().unwrap_or(0) as u16;
    let width = (widest + 2).min(area.width);
    let height = (lines.len() as u16 + 2).min(area.height);
    let at = Rect {
        x: area.x + (area.width - width) / 2,
        y: area.y + (area.height - height) / 2,
        width,
        height,
    };
    Clear.render(at, buffer);
    buffer.set_style(at, look.bar());
    let inside = at.height.saturating_sub(2);
    for (row, line) in (at.y + 1..at.y + 1 + inside).zip(&lines) {
        buffer.set_stringn(at.x, row, format!(" {line}"), width.into(), look.bar());
    }
}
