//! What the optimisations of Cascade bring: the columns of the paper's Tables VI to VIII, for programs of the corpus.
//!
//! `cargo bench -p whydunit --bench cascade` measures some programs, with `-- NAME…` all C programs of the
//! corpus whose name contains one of these; `--seconds=N` is the time that a variant of the analysis has. Then
//! it measures how the time grows with the trace.

mod subject;

use std::cell::Cell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, Instant};

use failure::Failure;
use localize::cascade::{Cascade, Condition, Figures, Settings, Without, cascade};
use localize::check::{check_cascade, confirm_influences};
use localize::{Context, Settings as AllSettings};
use program::{Stop, Trust};
use solver::{Answer, Model, Solver, Z3};
use subject::Subject;
use term::{Term, Terms};

/// Those with long traces, and one where all variants come to an end.
const PROGRAMS: &[&str] = &[
    "tally",
    "sheet",
    "bug-game-of-life",
    "bug-calculator",
    "bug-bubble-sort",
    "bug-sieve",
    "cascade-wrong-output-text",
    "bug-hash-table",
];

/// How often the input is repeated to see how the time grows.
const GROWTH: &[usize] = &[1, 2, 4];

/// For one question; the analysis wants its answers sooner.
const QUERY_LIMIT: Duration = Duration::from_secs(2);

/// The variants of the paper: (C)orrect functions, (L)oops, (SO)lving, (SL)icing.
const VARIANTS: [(&str, Without); 4] = [
    ("None", Without { trust: true, loops: true, solving: true, slicing: true }),
    ("C+L", Without { trust: false, loops: false, solving: true, slicing: true }),
    ("SO+SL", Without { trust: true, loops: true, solving: false, slicing: false }),
    ("All", Without { trust: false, loops: false, solving: false, slicing: false }),
];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let seconds = arguments.iter().find_map(|it| it.strip_prefix("--seconds="));
    let seconds = seconds.map_or(60, |it| it.parse().expect("a number of seconds"));
    let limit = Duration::from_secs(seconds);
    let names: Vec<&str> =
        arguments.iter().map(String::as_str).filter(|it| !it.starts_with('-')).collect();
    let files = files();
    let chosen: Vec<&PathBuf> = match names.is_empty() {
        true => PROGRAMS.iter().filter_map(|name| files.iter().find(|it| is(it, name))).collect(),
        false => {
            let is_wanted = |file: &str| names.iter().any(|name| file.contains(name));
            files.iter().filter(|it| is_wanted(&stem(it))).collect()
        }
    };
    let mut rows = Vec::new();
    for file in &chosen {
        let subject = Subject::of(file);
        let Some(failure) = subject.failure() else {
            println!("{}: it does not fail by itself", subject.name);
            continue;
        };
        let variants = VARIANTS.map(|(_, without)| measure(&failure, without, limit));
        eprintln!("{}", subject.name);
        rows.push(Row { name: subject.name.clone(), variants });
    }
    print_sizes(&rows);
    print_times(&rows, limit);
    print_constraints(&rows);
    for name in ["tally", "sheet"] {
        if let Some(file) = chosen.iter().find(|file| is(file, name)) {
            print_growth(file, limit);
        }
    }
}

fn stem(file: &Path) -> String {
    file.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn is(file: &Path, name: &str) -> bool {
    stem(file) == name
}

/// The C programs of the corpus.
fn files() -> Vec<PathBuf> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let mut found = Vec::new();
    for folder in ["tools", "c"] {
        for entry in std::fs::read_dir(corpus.join(folder)).expect("a folder") {
            found.push(entry.expect("an entry").path());
        }
    }
    found.retain(|file| file.extension().is_some_and(|end| end == "c"));
    found.sort();
    found
}

/// What one variant of the analysis did with a failure.
struct Measured {
    figures: Figures,
    /// Lines of source in the tree.
    lines: usize,
    /// Steps of the trace that are shown in the tree.
    steps: usize,
    causes: usize,
    total: Duration,
    solver: Duration,
    judge: Duration,
    complete: bool,
}

struct Row {
    name: String,
    /// By variant.
    variants: [Measured; 4],
}

/// A flag that is raised after some time.
fn stop_after(limit: Duration) -> Stop {
    let stop = Stop::default();
    let late = stop.clone();
    std::thread::spawn(move || {
        std::thread::sleep(limit);
        late.request();
    });
    stop
}

fn measure(failure: &Failure<'_>, without: Without, limit: Duration) -> Measured {
    let spent = Rc::new(Cell::new(Duration::ZERO));
    let make = || -> Box<dyn Solver> { Box::new(Timed::new(spent.clone())) };
    let settings =
        AllSettings { cascade: Settings { without, ..Settings::default() }, ..Default::default() };
    let stop = stop_after(limit);
    let context = Context { solvers: &make, stop: &stop, settings: &settings };
    let start = Instant::now();
    let mut tree = cascade(failure, context);
    let (total, solver) = (start.elapsed(), spent.get());
    let stop = stop_after(limit);
    let context = Context { stop: &stop, ..context };
    let start = Instant::now();
    if tree.incomplete.is_none() {
        check_cascade(failure, &tree, context);
        confirm_influences(failure, &mut tree, context);
    }
    let (lines, steps) = shown(failure, &tree, without);
    Measured {
        figures: tree.figures,
        lines,
        steps,
        causes: tree.causes.len(),
        total,
        solver,
        judge: start.elapsed(),
        complete: tree.incomplete.is_none(),
    }
}

/// How many lines and steps a tree shows: those of the conditions and of their causes. Steps of trusted code are shown
/// only if nothing is trusted.
fn shown(failure: &Failure<'_>, tree: &Cascade, without: Without) -> (usize, usize) {
    let (program, all) = (failure.program, &failure.trace.steps);
    let mut steps: BTreeSet<usize> = BTreeSet::new();
    for cause in &tree.causes {
        steps.extend(&cause.steps);
        match cause.condition {
            Condition::Failure => steps.extend(all.len().checked_sub(1)),
            Condition::Held(step) | Condition::Address(step) => steps.extend([step]),
            Condition::Trusted(..) => {}
        }
    }
    let site = |step: usize| program.site(all[step].site);
    steps.retain(|&step| without.trust || site(step).trust == Trust::User);
    let spans = steps.iter().filter_map(|&step| site(step).span);
    let lines = spans.map(|span| (span.file, program.file(span).position(span.start).line));
    (lines.collect::<BTreeSet<_>>().len(), steps.len())
}

/// A title, and four columns for the variants under each of the headings.
fn print_heading(title: &str, groups: &[&str], width: usize) {
    println!("\n{title}");
    print!("{:<32}", "");
    for group in groups {
        print!(" {group:<width$}", width = 4 * width + 3);
    }
    println!();
}

/// Something about each variant that came to an end.
fn by_variant(row: &Row, show: impl Fn(&Measured) -> String) -> [String; 4] {
    row.variants.each_ref().map(|it| if it.complete { show(it) } else { "-".to_owned() })
}

fn print_row<'a>(name: &str, cells: impl IntoIterator<Item = &'a String>, width: usize) {
    print!("{name:<32}");
    for cell in cells {
        print!(" {cell:>width$}");
    }
    println!();
}

fn names() -> [String; 4] {
    VARIANTS.map(|(name, _)| name.to_owned())
}

fn print_sizes(rows: &[Row]) {
    let title = "Table VI: steps of the trace, lines in the tree (the library has none), % of the trace in the tree";
    print_heading(title, &["Trace#", "Line#", "C%"], 8);
    let lengths = ["Original", "After_C", "After_S", "After_CS"].map(str::to_owned);
    print_row("", lengths.iter().chain(&names()).chain(&names()), 8);
    for row in rows {
        let Figures { steps, user_steps, sliced_steps, sliced_user_steps, .. } =
            row.variants[3].figures;
        let lengths = [steps, user_steps, sliced_steps, sliced_user_steps].map(|it| it.to_string());
        let lines = by_variant(row, |it| it.lines.to_string());
        let parts = by_variant(row, |it| format!("{:.2}", percentage(it.steps, steps)));
        print_row(&row.name, lengths.iter().chain(&lines).chain(&parts), 8);
    }
}

fn percentage(part: usize, whole: usize) -> f64 {
    100.0 * part as f64 / whole as f64
}

fn print_times(rows: &[Row], limit: Duration) {
    println!("\nTable VII: seconds without the solver, in the solver, together; the judge's");
    print!("{:<32}", "");
    for (name, _) in VARIANTS {
        print!(" {name:<26}");
    }
    println!();
    let parts = ["WP", "SMT", "Total"].map(str::to_owned);
    let judge = "Judge".to_owned();
    print_row("", VARIANTS.iter().flat_map(|_| &parts).chain([&judge]), 8);
    for row in rows {
        let mut cells = Vec::new();
        for it in &row.variants {
            cells.extend(match it.complete {
                true => [it.total.saturating_sub(it.solver), it.solver, it.total].map(seconds),
                false => ["-".to_owned(), "-".to_owned(), format!(">{}", limit.as_secs())],
            });
        }
        cells.push(seconds(row.variants[3].judge));
        print_row(&row.name, &cells, 8);
    }
}

fn seconds(time: Duration) -> String {
    format!("{:.3}", time.as_secs_f64())
}

fn print_constraints(rows: &[Row]) {
    let title = "Table VIII: constraints given to the solver; questions; causes in the tree";
    print_heading(title, &["Constraints#", "Questions#", "Causes#"], 8);
    print_row("", names().iter().chain(&names()).chain(&names()), 8);
    for row in rows {
        let constraints = by_variant(row, |it| it.figures.constraints.to_string());
        let questions = by_variant(row, |it| it.figures.queries.to_string());
        let causes = by_variant(row, |it| it.causes.to_string());
        print_row(&row.name, constraints.iter().chain(&questions).chain(&causes), 8);
    }
}

/// How the time of the analysis grows with the trace.
fn print_growth(file: &Path, limit: Duration) {
    println!("\nGrowth: {} with its input repeated, all optimisations", stem(file));
    let titles = ["Trace#", "After_S", "Causes#", "SMT (s)", "Total (s)", "µs / step", "Judge (s)"];
    print_row("", &titles.map(str::to_owned), 9);
    for &times in GROWTH {
        let subject = repeated(file, times);
        let failure = subject.failure().expect("a program that fails");
        let it = measure(&failure, VARIANTS[3].1, limit);
        let sliced = it.figures.sliced_steps;
        let per_step = it.total.as_secs_f64() * 1e6 / sliced as f64;
        let mut cells = vec![it.figures.steps.to_string(), sliced.to_string()];
        cells.push(it.causes.to_string());
        cells.extend([seconds(it.solver), seconds(it.total)]);
        cells.extend([format!("{per_step:.1}"), seconds(it.judge)]);
        if !it.complete {
            cells[2..].fill("-".to_owned());
        }
        print_row(&format!("{times}×"), &cells, 9);
    }
}

/// One of the tools with an input that is so many times as long.
fn repeated(file: &Path, times: usize) -> Subject {
    let subject = Subject::of(file);
    let input = subject.input();
    if is(file, "sheet") {
        // Its last line is the check that fails.
        let (lines, last) = input.trim_end().rsplit_once('\n').expect("lines");
        return subject.with_input(format!("{}{last}\n", format!("{lines}\n").repeat(times)), None);
    }
    // A record begins with its number, and those with equal numbers are counted once.
    let renumbered = |line: &str, copy: usize| {
        let record = line.split_once(';');
        let record = record.and_then(|(number, rest)| Some((number.parse::<usize>().ok()?, rest)));
        match record {
            Some((number, rest)) => format!("{};{rest}\n", number + 100 * copy),
            None => format!("{line}\n"),
        }
    };
    let copies = (0..times).flat_map(|copy| input.lines().map(move |line| renumbered(line, copy)));
    let text = std::fs::read_to_string(file).expect("a text");
    let corrected = text.replace("OPT_BLANKS)) //~ fault", "OPT_ABSOLUTE)) //");
    assert_ne!(text, corrected, "the fault is where it was");
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tally-corrected.c");
    std::fs::write(&path, corrected).expect("a file");
    subject.with_input(copies.collect(), Some(&path))
}

/// A solver that adds up the time it takes, from its beginning to its end.
struct Timed {
    /// There until it is dropped.
    inner: Option<Z3>,
    spent: Rc<Cell<Duration>>,
}

impl Timed {
    fn new(spent: Rc<Cell<Duration>>) -> Timed {
        let mut timed = Timed { inner: None, spent };
        timed.time(|inner| *inner = Some(Z3::new(QUERY_LIMIT)));
        timed
    }

    fn time<R>(&mut self, act: impl FnOnce(&mut Option<Z3>) -> R) -> R {
        let start = Instant::now();
        let result = act(&mut self.inner);
        self.spent.set(self.spent.get() + start.elapsed());
        result
    }

    fn ask<R>(&mut self, act: impl FnOnce(&mut Z3) -> R) -> R {
        self.time(|inner| act(inner.as_mut().expect("a solver that was not dropped")))
    }
}

impl Drop for Timed {
    fn drop(&mut self) {
        self.time(|inner| *inner = None);
    }
}

impl Solver for Timed {
    fn push(&mut self) {
        self.ask(Solver::push);
    }

    fn pop(&mut self) {
        self.ask(Solver::pop);
    }

    fn assert(&mut self, terms: &Terms, formula: Term) {
        self.ask(|inner| inner.assert(terms, formula));
    }

    fn check(&mut self, terms: &Terms, assumptions: &[Term]) -> Answer {
        self.ask(|inner| inner.check(terms, assumptions))
    }

    fn model(&mut self, terms: &Terms, variables: &[Term]) -> Option<Model> {
        self.ask(|inner| inner.model(terms, variables))
    }

    fn core(&mut self) -> Vec<Term> {
        self.ask(Solver::core)
    }

    fn queries(&self) -> u64 {
        self.inner.as_ref().map_or(0, Solver::queries)
    }

    fn hurry(&mut self, limit: Duration) {
        self.ask(|inner| inner.hurry(limit));
    }
}
