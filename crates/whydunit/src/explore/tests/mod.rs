//! Tests, and the tree that they show.

mod draw;
mod state;

use program::{FileId, SourceFile, Span};
use report::{CauseReport, CauseStatement, CauseTree, InfluenceReport, InstanceReport, Location};

use super::Source;
use super::screen::Screen;

/// Fig. 1 of the paper on the cascade, with its line numbers; the test in line 9 is turned round.
const TRIANGLE: &str = "\
double triangle(int a, int b, int c) {
  enum shape shape;
  double s, area;
  read_sides(&a, &b, &c);
  if (a >= b && b >= c) {
    shape = SCALENE;
    if (a == b || b == c)
      shape = ISOSCELES;
    if (a*a != b*b + c*c)
      shape = RIGHT;
    if (a == b && b == c)
      shape = EQUILATERAL;
    switch (shape) {
    case RIGHT:
      area = b*c / 2; break;
    case EQUILATERAL:
      area = a*a*sqrt(3) / 4; break;
    default:
      s = (a + b + c) / 2.0;
      area = sqrt(s*(s-a)*(s-b)*(s-c));
    }
  } else {
    shape = ILLEGAL;
    area = 0;
  }
  assert(close(area, expected(a, b, c)));
  return area;
}
";

/// For the test of what the user sees then.
#[allow(dead_code, reason = "the test in a pseudo-terminal calls it")]
pub fn panic_on_screen() -> ! {
    let _screen = Screen::open().expect("there is a terminal");
    panic!("as it was asked to");
}

pub fn sources() -> Vec<Source> {
    vec![Source { name: "triangle.c".to_owned(), text: TRIANGLE.to_owned() }]
}

/// Where a text stands in a file, for the first time.
fn find(name: &str, text: &str, part: &str) -> Option<Location> {
    let at = text.find(part).expect("the test knows its source") as u32;
    let file = SourceFile::new(name, text);
    let end = at + part.len() as u32;
    Some(Location {
        file: name.to_owned(),
        start: file.position(at),
        end: file.position(end),
        span: Span { file: FileId(0), start: at, end },
        origin: None,
    })
}

fn cause(parent: Option<usize>, condition: &str, values: &str, why: &str) -> CauseReport {
    CauseReport {
        parent,
        location: find("triangle.c", TRIANGLE, condition),
        condition: condition.to_owned(),
        values: values.to_owned(),
        why: why.to_owned(),
        evidence: "core",
        ..CauseReport::default()
    }
}

fn statement(text: &str, value: &str) -> CauseStatement {
    let location = find("triangle.c", TRIANGLE, text);
    CauseStatement { location, text: text.to_owned(), value: value.to_owned(), executions: 1 }
}

pub fn influence(cause: usize, sentence: &str) -> InfluenceReport {
    InfluenceReport { cause, kind: "direct", confirmed: true, sentence: sentence.to_owned() }
}

/// The failure at 26, because of 13, because of 9 (the mistake), 11 and 5; 5 is reached from all of them.
pub fn triangle() -> CauseTree {
    let sides = || statement("read_sides(&a, &b, &c)", "a = 6, b = 5, c = 4");
    let root = CauseReport {
        statements: vec![sides(), statement("area = b*c / 2", "area = 10")],
        influences: vec![influence(1, "line 13 decides whether line 15 is executed")],
        ..cause(
            None,
            "close(area, expected(a, b, c))",
            "close(10, 9.92)",
            "`area` is 10 because line 15 computed `b*c / 2` with `b = 5` and `c = 4`.",
        )
    };
    let switch = CauseReport {
        statements: vec![statement("shape = RIGHT", "shape = RIGHT")],
        influences: vec![
            influence(2, "line 5 decides whether line 13 is executed"),
            influence(3, "line 9 decides whether line 10 is executed"),
            InfluenceReport {
                confirmed: false,
                ..influence(4, "line 11 could have changed `shape`")
            },
        ],
        ..cause(Some(0), "switch (shape)", "shape == RIGHT", "Line 10 set `shape` to RIGHT.")
    };
    let order = CauseReport {
        statements: vec![sides()],
        ..cause(Some(1), "a >= b && b >= c", "6 >= 5 && 5 >= 4", "The sides are in order.")
    };
    let mistake = CauseReport {
        statements: vec![sides()],
        influences: vec![influence(2, "line 5 decides whether line 9 is executed")],
        ..cause(Some(1), "a*a != b*b + c*c", "36 != 41", "The sides were read in line 4.")
    };
    let equal = CauseReport {
        statements: vec![sides()],
        influences: vec![influence(2, "line 5 decides whether line 11 is executed")],
        instances: [(1, "6 == 5"), (2, "5 == 4")]
            .map(|(execution, values)| InstanceReport {
                execution,
                values: values.to_owned(),
                why: format!("The sides of triangle {execution} differ."),
            })
            .to_vec(),
        ..cause(Some(1), "a == b && b == c", "6 == 5", "The sides differ.")
    };
    CauseTree { causes: vec![root, switch, order, mistake, equal], incomplete: None }
}

/// Entries at the lines 1, 2, … of a file, each with its parent and the other entries that influence it.
fn entries(shape: &[(Option<usize>, &[usize])]) -> CauseTree {
    let text = "x\n".repeat(shape.len());
    let file = SourceFile::new("many.c", &text);
    let mut causes: Vec<CauseReport> = (0..)
        .zip(shape)
        .map(|(entry, (parent, others))| CauseReport {
            parent: *parent,
            condition: format!("x{entry}"),
            location: Some(Location {
                file: "many.c".to_owned(),
                start: file.position(2 * entry),
                end: file.position(2 * entry + 1),
                span: Span { file: FileId(0), start: 2 * entry, end: 2 * entry + 1 },
                origin: None,
            }),
            influences: others.iter().map(|other| influence(*other, "refers")).collect(),
            ..CauseReport::default()
        })
        .collect();
    for (entry, (parent, _)) in shape.iter().enumerate() {
        if let Some(parent) = *parent {
            causes[parent].influences.push(influence(entry, "leads"));
        }
    }
    CauseTree { causes, incomplete: None }
}
