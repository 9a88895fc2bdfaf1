use std::time::{Duration, Instant};

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::style::{Color, Modifier, Style};
use report::CauseTree;

use super::super::Source;
use super::super::draw::{Shown, draw};
use super::super::look::{Colours, Letters, Look};
use super::super::source::Text;
use super::super::state::{Action, State};
use super::{entries, sources, triangle};

/// A state on a screen that is no terminal.
struct Screen<'t> {
    state: State<'t>,
    terminal: Terminal<TestBackend>,
    sources: Vec<Source>,
    look: Look,
}

impl<'t> Screen<'t> {
    fn new(tree: &'t CauseTree, width: u16, height: u16) -> Screen<'t> {
        Screen {
            state: State::new(tree),
            terminal: Terminal::new(TestBackend::new(width, height)).unwrap(),
            sources: sources(),
            look: Look::new(Colours::Sixteen, Letters::Unicode),
        }
    }

    fn draw(&mut self) -> &mut Self {
        let texts: Vec<Text<'_>> = self.sources.iter().map(Text::new).collect();
        let shown = Shown { title: "triangle.c -- 6 5 4", texts: &texts, look: &self.look };
        let (state, mut view) = (&self.state, self.state.view);
        self.terminal.draw(|frame| view = draw(frame, state, shown)).unwrap();
        self.state.view = view;
        self
    }

    fn after(&mut self, actions: &[Action]) -> &mut Self {
        self.draw();
        for action in actions {
            self.state.apply(*action);
            self.draw();
        }
        self
    }

    fn lines(&self) -> Vec<String> {
        let buffer = self.terminal.backend().buffer();
        let width = usize::from(buffer.area.width);
        let lines = buffer.content.chunks(width);
        lines
            .map(|cells| cells.iter().map(|cell| cell.symbol()).collect::<String>())
            .map(|line| line.trim_end().to_owned())
            .collect()
    }

    fn text(&self) -> String {
        self.lines().join("\n")
    }

    /// The style of the first letter of a text.
    fn style(&self, part: &str) -> Style {
        let found = self.lines().iter().enumerate().find_map(|(row, line)| {
            line.find(part).map(|at| (line[..at].chars().count() as u16, row as u16))
        });
        let at = found.unwrap_or_else(|| panic!("no `{part}` in\n{}", self.text()));
        self.terminal.backend().buffer()[at].style()
    }
}

#[test]
fn eighty_columns_are_enough() {
    let tree = triangle();
    let mut screen = Screen::new(&tree, 80, 24);
    screen.after(&[Action::Next, Action::In, Action::Next, Action::Next]);
    let expected = "\
\x20triangle.c -- 6 5 4                                                   5 causes
─ causes ───────────────────────│─ triangle.c ──────────────────────────────────
▾ 26: close(area, expected(a, b,│ 1  double triangle(int a, int b, int c) {
  ▾ 13: switch (shape)          │ 2    enum shape shape;
      5: a >= b && b >= c       │ 3    double s, area;
    ▸ 9: a*a != b*b + c*c       │ 4•   read_sides(&a, &b, &c); ← a = 6, b = 5, …
    ▸ 11? ×2: a == b && b == c  │ 5    if (a >= b && b >= c) {
                                │ 6      shape = SCALENE;
                                │ 7      if (a == b || b == c)
                                │ 8        shape = ISOSCELES;
                                │ 9▶     if (a*a != b*b + c*c) ← 36 != 41
                                │10        shape = RIGHT;
                                │11      if (a == b && b == c)
                                │12        shape = EQUILATERAL;
                                │13      switch (shape) {
                                │14      case RIGHT:
                                │─ why ─────────────────────────────────────────
                                │a*a != b*b + c*c: 36 != 41
                                │Line 9 decides whether line 10 is executed
                                │(seen in another run).
                                │The sides were read in line 4.
                                │Evidence: core.
                                │
 ? help  b benign  f follow  q quit";
    assert_eq!(screen.text(), expected);
}

#[test]
fn forty_columns_are_enough() {
    let tree = triangle();
    let mut screen = Screen::new(&tree, 40, 24);
    screen.after(&[Action::Next]);
    let lines = screen.lines();
    assert_eq!(lines[0], " triangle.c -- 6 5 4           5 causes");
    assert_eq!(lines[1], format!("─ causes {}", "─".repeat(31)));
    assert_eq!(lines[3], "  ▸ 13: switch (shape)");
    assert_eq!(lines[9], format!("─ triangle.c {}", "─".repeat(27)));
    assert!(
        screen.text().contains("\n10•       shape = RIGHT; ← shape = RIGHT\n"),
        "{}",
        screen.text()
    );
    assert!(screen.text().contains("\nswitch (shape): shape == RIGHT\n"), "{}", screen.text());
    screen.after(&[Action::Help]);
    assert!(screen.text().contains("follow reference, back"), "{}", screen.text());
}

#[test]
fn no_size_is_too_small() {
    let tree = triangle();
    let several = [Action::Next, Action::OpenAll, Action::Benign, Action::Help];
    for (width, height) in [(1, 1), (3, 2), (7, 4), (79, 3), (80, 2), (80, 6), (300, 1), (20, 60)] {
        let mut screen = Screen::new(&tree, width, height);
        screen.after(&several);
        screen.after(&[Action::Help, Action::SourceDown, Action::DetailsDown, Action::Last]);
    }
}

#[test]
fn the_cause_is_highlighted() {
    let tree = triangle();
    let mut screen = Screen::new(&tree, 140, 40);
    screen.after(&[]);
    let condition = screen.style("close(area, expected(a, b, c)))");
    assert_eq!((condition.fg, condition.bg), (Some(Color::Black), Some(Color::Yellow)));
    assert!(condition.add_modifier.contains(Modifier::BOLD));
    let statement = screen.style("area = b*c / 2;");
    assert_eq!(statement.fg, Some(Color::Yellow));
    assert_eq!(screen.style("; break;").fg, Some(Color::Reset));
    assert_eq!(screen.style("shape = SCALENE").fg, Some(Color::Reset));

    screen.look = Look::new(Colours::None, Letters::Ascii);
    screen.after(&[]);
    let condition = screen.style("close(area, expected(a, b, c)))");
    assert_eq!(condition.add_modifier, Modifier::BOLD | Modifier::REVERSED);
    assert_eq!(screen.style("area = b*c / 2;").add_modifier, Modifier::BOLD);
    assert!(screen.text().is_ascii(), "{}", screen.text());
}

#[test]
fn values_can_be_hidden() {
    let tree = triangle();
    let mut screen = Screen::new(&tree, 100, 40);
    screen.after(&[]);
    assert!(screen.text().contains("area = b*c / 2; break; ← area = 10"), "{}", screen.text());
    screen.after(&[Action::Values]);
    assert!(!screen.text().contains('←'), "{}", screen.text());
}

#[test]
fn the_benign_is_grey_or_hidden() {
    let tree = triangle();
    let mut screen = Screen::new(&tree, 80, 24);
    screen.after(&[Action::Next, Action::OpenAll, Action::Benign, Action::Up]);
    assert!(screen.text().contains("▾ ✓ 13: switch (shape)"), "{}", screen.text());
    assert!(screen.text().contains("▾ · 9: a*a"), "{}", screen.text());
    assert_eq!(screen.style("✓ 13").fg, Some(Color::DarkGray));
    assert_eq!(screen.style("· 9").fg, Some(Color::DarkGray));
    assert!(screen.lines()[23].ends_with("1 benign, 3 only lead there"), "{}", screen.text());
    screen.after(&[Action::Hiding]);
    assert!(!screen.text().contains("13: switch (shape)"), "{}", screen.text());
    assert!(screen.lines()[23].ends_with("(hidden)"), "{}", screen.text());
}

#[test]
fn the_source_is_scrolled_to_its_ends() {
    let tree = triangle();
    let mut screen = Screen::new(&tree, 80, 24);
    screen.after(&[Action::SourceDown; 9]);
    assert!(screen.text().contains("28  }"), "{}", screen.text());
    let end = screen.text();
    screen.after(&[Action::SourceUp, Action::SourceDown]);
    assert_eq!(screen.text(), end);
    screen.after(&[Action::SourceUp; 9]);
    assert!(screen.text().contains("│ 1  double triangle"), "{}", screen.text());
    screen.after(&[Action::SourceRight]);
    assert!(screen.text().contains("│ 1  riangle"), "{}", screen.text());
    // Another cause is shown where it is.
    screen.after(&[Action::Next]);
    assert!(screen.text().contains("13▶     switch"), "{}", screen.text());
}

#[test]
fn other_files_and_missing_ones() {
    let mut tree = triangle();
    let text = format!("{}\tif (wide({}))\n", "\n".repeat(500), "long, ".repeat(20) + "end");
    tree.causes[1].location = super::find("lib/wide.c", &text, "long, end");
    tree.causes[2].location.as_mut().unwrap().file = "gone.c".to_owned();
    tree.causes[3].location = None;
    let mut screen = Screen::new(&tree, 80, 24);
    screen.sources.push(Source { name: "lib/wide.c".to_owned(), text });
    screen.after(&[Action::Next]);
    assert!(screen.text().contains("  ▸ wide.c:501: switch (shape)"), "{}", screen.text());
    assert!(screen.text().contains("─ lib/wide.c ─"), "{}", screen.text());
    assert_eq!(screen.style("long, end").bg, Some(Color::Yellow));
    assert!(screen.text().contains("triangle.c:10: shape = RIGHT"), "{}", screen.text());
    screen.after(&[Action::Next]);
    assert!(screen.text().contains("There is no source of this file."), "{}", screen.text());
    screen.after(&[Action::Next]);
    assert!(screen.text().contains("It is at no line of the source."), "{}", screen.text());
}

#[test]
fn long_explanations_are_scrolled() {
    let mut tree = triangle();
    tree.incomplete = Some("the time limit was reached".to_owned());
    tree.causes[0].why = (1..60).map(|n| format!("sentence {n}. ")).collect();
    let mut screen = Screen::new(&tree, 80, 24);
    screen.after(&[]);
    assert!(screen.lines()[0].ends_with("5 causes, not complete"), "{}", screen.text());
    assert!(screen.text().contains(" J: more "), "{}", screen.text());
    screen.after(&[Action::DetailsDown; 99]);
    assert!(
        screen.text().contains("The tree is not complete: the time limit"),
        "{}",
        screen.text()
    );
    assert!(screen.text().contains(" K: back "), "{}", screen.text());
}

#[test]
fn deep_rows_are_seen() {
    let chain: Vec<(Option<usize>, &[usize])> =
        (0..300usize).map(|entry| (entry.checked_sub(1), &[][..])).collect();
    let tree = entries(&chain);
    let mut screen = Screen::new(&tree, 80, 24);
    screen.after(&[Action::OpenAll, Action::Last]);
    assert!(screen.text().contains("300: x299"), "{}", screen.text());
    screen.after(&[Action::First]);
    assert!(screen.text().contains("▾ 1: x0 "), "{}", screen.text());
}

/// A frame takes as long for a large tree as for a small one; what opens all of it may take a little.
#[test]
fn large_trees_are_drawn_at_once() {
    let others: Vec<[usize; 3]> = (0..5000).map(|n| [n * 7 % 5000, n * 13 % 5000, 4]).collect();
    let shape: Vec<(Option<usize>, &[usize])> = (0..)
        .zip(&others)
        .map(|(n, o)| (usize::checked_sub(n, 1).map(|n| n / 3), &o[..]))
        .collect();
    let tree = entries(&shape);
    let mut screen = Screen::new(&tree, 200, 60);
    screen.sources = vec![Source { name: "many.c".to_owned(), text: "x\n".repeat(5000) }];
    screen.after(&[Action::OpenAll]);
    assert!(screen.state.rows().len() > 15_000);
    let actions = [Action::Down, Action::Next, Action::Last, Action::Follow, Action::Benign];
    for action in actions {
        // The fastest of some: the machine has other work, too.
        let mut fastest = [Duration::MAX; 2];
        for _ in 0..10 {
            let start = Instant::now();
            screen.state.apply(action);
            let middle = Instant::now();
            screen.draw();
            fastest[0] = fastest[0].min(middle - start);
            fastest[1] = fastest[1].min(middle.elapsed());
        }
        let most = Duration::from_millis(10);
        assert!(fastest.iter().all(|time| *time < most), "{action:?}: {fastest:?}");
    }
}
