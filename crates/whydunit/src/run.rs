//! The pipeline: read, search, replay, localize, report.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use failure::Failure;
use host::Setup;
use localize::repair::Repairer;
use localize::{Context, Diagnosis, LOCALIZERS, Localizer, When, diagnose};
use program::process::Image;
use program::{Lack, Language, Program, Stop, Trust};
use repair::apart::Told;
use repair::claims::Repair;
use repair::runs::Input;
use report::{Given, RunFacts, printable};

use crate::answers::{self, Answers};
use crate::asking;
use crate::boogie_repairs::BoogieRepairs;
use crate::clock::{Clock, End, INTERRUPTED, Limits, Task};
use crate::error::Error;
use crate::fixes::{self, Fix};
use crate::input;
use crate::memory::{self, Size};
use crate::options::{Comparison, FORMER_CHANGES, Format, Options};
use crate::output;
use crate::progress::Progress;
use crate::reference::Reference;
use crate::repairs::{self, Tests};
use crate::settings::settings;
use crate::solvers::Solvers;
use crate::status::{EXPLAINED, NO_FAILURE, UNKNOWN, WRONG_INPUT};
use crate::view::{error_style, view};
use crate::workshop::Parts;
use crate::{c, explore, runs, search, suite};

/// No single question to the solver may be more work; nor, about a C program or for one of several techniques, more than this part of
/// the time limit.
const LONGEST_QUERY: Duration = Duration::from_secs(10);
const PART_FOR_QUERY: u32 = 20;
/// If no technique is chosen, each may take this part of the time limit, and this part of that of memory.
const PART_FOR_TECHNIQUE: u32 = 10;
/// With less, edits would be compiled, but none would be run.
const LEAST_FOR_TECHNIQUE: Duration = Duration::from_millis(1500);
const PART_OF_MEMORY: u64 = 4;
/// All solvers together may have this part of it.
const PART_FOR_SOLVERS: u64 = 4;

/// The technique that finds fixes.
const REPAIR: &str = "repair";

pub fn run(options: &Options) -> Result<ExitCode, Error> {
    answers::check(options)?;
    explain(options).inspect_err(|error| {
        // What was explained, but could not be written, is no reason to lose the answer that is there.
        if !matches!(error, Error::Output(_)) {
            answers::withdraw_reports(options);
        }
    })
}

fn explain(options: &Options) -> Result<ExitCode, Error> {
    let techniques = match options.explore {
        true => vec!["cascade"],
        false => techniques(options)?,
    };
    refuse_contradictions(options)?;
    if options.explore {
        explore::available().map_err(|error| Error::Input(format!("error: {error}\n")))?;
    }
    let known = Known::default();
    let queries = Arc::new(AtomicU64::new(0));
    let progress = Progress::new(options, queries.clone());
    let clock = start_clock(options, known.clone(), progress.clone())?;
    let program = read(options, clock.stop());
    if let Some(end) = clock.ended() {
        return clock.answer(|| {
            answers::withdraw_reports(options);
            output::complain(&while_reading(end, options));
            Ok(UNKNOWN)
        });
    }
    let (program, parts) = program?;
    let program = Arc::new(program);
    answers::refuse_inputs(options, program.files.iter().map(|file| Path::new(&file.name)))?;
    let mut settings = settings(options, &program)?;
    known.set(Answer::Nothing);
    if let Some(folder) = &options.log_queries {
        std::fs::create_dir_all(folder).map_err(|error| {
            let why = crate::error::plain(&error);
            Error::Input(format!("error: cannot make {}: {why}\n", folder.display()))
        })?;
    }
    let limit = match program.language {
        Language::Boogie => LONGEST_QUERY,
        Language::C => (options.time_limit / PART_FOR_QUERY).min(LONGEST_QUERY),
    };
    let solvers = Solvers::new(clock.clone(), limit, options.log_queries.clone(), queries);

    let image: OnceCell<Arc<Image>> = OnceCell::new();
    let mut tests_of_suite = None;
    let mut reference = None;
    let setups;
    let mut given = None;
    let mut tests = None;
    let obtained = match program.language {
        Language::Boogie => {
            progress.say("searching for a failure");
            search::obtain(&program, options, &solvers, &clock)?
        }
        Language::C => {
            progress.say("running the program");
            let made = c::image(&program)?;
            let own = &**image.get_or_init(|| Arc::new(made));
            reference = Reference::read(options, &clock, &progress)?.map(Arc::new);
            let right = reference.as_deref();
            let suite = suite::run(&program, own, right, options, &techniques, &clock, &progress)?;
            if let Some(suite) = &suite {
                settings.spectrum.clone_from(&suite.runs);
                tests_of_suite = Some(suite.tests.clone());
                if let Some(why) = suite.unrecorded() {
                    known.set(Answer::Unrecorded(why));
                }
            }
            setups = match &suite {
                Some(suite) => suite.failing.clone(),
                None => vec![setup(right, options, &clock)?],
            };
            given = setups.first().map(|setup| given_to(setup, options));
            tests = suite.as_ref().map(|suite| suite.report.clone());
            match (&suite, setups.as_slice()) {
                (None, [setup, ..]) => {
                    let around = runs::Around { program: &program, image: own, setup };
                    let found = || known.set(Answer::Unrecorded(runs::NO_TIME.to_owned()));
                    runs::obtain(around, options, &solvers, &clock, &progress, &found)
                }
                (None, []) => return Err(Error::Internal("a run without a set-up".to_owned())),
                (Some(suite), setups) => suite.obtain(&program, own, setups, options, &clock),
            }
        }
    };
    let Obtained { failures, failing, notes, nothing } = obtained;
    if failures.is_empty() {
        return clock.answer(|| {
            progress.clear();
            say_nothing(options, &nothing, &clock)
        });
    }
    if let (Some(parts), Some(image)) = (parts, image.get()) {
        let tests = tests_of_suite.unwrap_or_else(|| Tests::of_runs(failing, runs::limit(options)));
        let repairs = repairs::repairs(options, &program, image, parts, tests, reference)?;
        settings.repair.repairer = Some(Arc::new(repairs));
    }
    if program.language == Language::Boogie {
        let repairs = BoogieRepairs::new(options, &program, &failures)?;
        settings.repair.repairer = Some(Arc::new(repairs));
    }
    let facts = |mut notes: Vec<String>, end: Option<End>| {
        notes.extend(end.map(|end| ended(end, options)));
        let work = clock.work().done();
        let (solver_queries, given, suite) = (solvers.queries(), given.clone(), tests.clone());
        let chosen = options.chooses();
        let status = clock.status(EXPLAINED);
        RunFacts { work, solver_queries, chosen, notes, given, suite, status }
    };
    let question =
        Question { options, program: &program, failures: &failures, timeline: OnceCell::new() };
    // Should the techniques not stop in time, this is what is known.
    let nothing = Diagnosis::default();
    let partly = facts(with(&notes, too_early(&clock, options)), None);
    let (answers, status, _) = question.answers(&nothing, partly)?;
    known.set(Answer::Known(answers, status));

    progress.say("deciding which statements are responsible");
    let make = || match options.chooses() {
        true => solvers.make(Task::Diagnosis),
        false => solvers.make_with(Task::Diagnosis, options.time_limit / PART_FOR_QUERY),
    };
    let context = Context { solvers: &make, stop: clock.stop(), settings: &settings };
    // Of several techniques, none takes more than half of what is left; if none is chosen, nobody should wait for one.
    let (most, memory) = match options.chooses() {
        true => (Duration::MAX, Size::MAX),
        false => {
            let work = (options.time_limit / PART_FOR_TECHNIQUE).max(LEAST_FOR_TECHNIQUE);
            (work, clock.memory_limit().of(PART_OF_MEMORY))
        }
    };
    let share = |others: usize| clock.stop_within(1 + others.min(1) as u32, most, memory);
    let mut writing = Duration::ZERO;
    let mut diagnosis = diagnose(&failures, &techniques, context, &share, &mut |so_far| {
        if progress.is_shown()
            && let Some(first) = localize::rank::rank(&failures, so_far).suspects.first()
        {
            progress.say(suspected(&program, first));
        }
        // To write an answer takes time, too.
        if writing > options.time_limit / 20 {
            return;
        }
        let begun = Instant::now();
        let partly = facts(with(&notes, too_early(&clock, options)), None);
        if let Ok((answers, status, _)) = question.answers(so_far, partly) {
            known.set(Answer::Known(answers, status));
        }
        writing += begun.elapsed();
    });
    if options.explore {
        let report = report::cook(&failures, &diagnosis, facts(notes, clock.ended()));
        return clock.answer(|| {
            progress.clear();
            show_tree(&program, report, &clock)
        });
    }
    let mut notes = notes;
    if options.ask {
        let try_again = |repairer: &dyn Repairer| {
            progress.say("trying edits again");
            let found = localize::repair::find_with(repairer, &failures, &share(0));
            progress.clear();
            found
        };
        progress.clear();
        let repairer = settings.repair.repairer.clone();
        notes.extend(asked(&mut diagnosis, repairer, options, &clock, &try_again)?);
    }
    let ended = clock.ended();
    if ended.is_none() {
        notes.extend(undecided(&diagnosis, options));
    }
    let (answers, status, fix) = question.answers(&diagnosis, facts(notes, ended))?;
    clock.answer(|| {
        progress.clear();
        answers::write(&answers)?;
        match fix.filter(|_| options.apply) {
            Some(fix) => fix.apply(options, &clock),
            None => Ok(status),
        }
    })
}

/// What the program is run with if there is no suite, and what is right then.
fn setup(reference: Option<&Reference>, options: &Options, clock: &Clock) -> Result<Setup, Error> {
    let setup = c::setup(options)?;
    match reference {
        Some(reference) => reference.complete(setup, runs::limit(options), clock.stop()),
        None => Ok(setup),
    }
}

/// Asks the user what is right where solutions differ. What was learned.
fn asked(
    diagnosis: &mut Diagnosis,
    mut repairer: Option<Arc<dyn Repairer>>,
    options: &Options,
    clock: &Clock,
    try_again: &dyn Fn(&dyn Repairer) -> Option<Repair>,
) -> Result<Vec<String>, Error> {
    let mut again = |input: &Input, told: &Told| {
        let knowing = repairer.as_ref()?.knowing(input, told);
        let found = try_again(&*knowing);
        repairer = Some(knowing);
        found
    };
    asking::ask(&mut diagnosis.repair, options, clock, &mut again)
}

/// Refuses options that cannot be meant together.
fn refuse_contradictions(options: &Options) -> Result<(), Error> {
    for path in &options.output {
        if let Some(why) = options.contradicts(path) {
            return Err(Error::Input(format!("error: {}: {why}\n", path.display())));
        }
    }
    if options.format.is_some() && options.output.len() > 1 {
        let why = "of several files, their names say what they are: leave --format out";
        return Err(Error::Input(format!("error: {why}\n")));
    }
    if options.tolerance.is_some() && options.compare != Some(Comparison::Tokens) {
        let why = "--tolerance is about numbers as words: add --compare tokens";
        return Err(Error::Input(format!("error: {why}\n")));
    }
    let is_boogie = !options.files.iter().any(|file| c::is_c(file));
    if options.keep.is_some() && is_boogie {
        let why = "--keep makes tests, which only C programs have";
        return Err(Error::Input(format!("error: {why}\n")));
    }
    if options.ask && options.file() == Path::new("-") {
        let why = "--ask reads answers from the standard input: give the program as a file";
        return Err(Error::Input(format!("error: {why}\n")));
    }
    if options.apply && !options.yes && !fixes::can_ask() {
        let why = "--apply asks before it edits anything, but there is no terminal: add --yes";
        return Err(Error::Input(format!("error: {why}\n")));
    }
    Ok(())
}

/// Says why there is no failure to explain. A log of results says it, too.
fn say_nothing(options: &Options, nothing: &Nothing, clock: &Clock) -> Result<u8, Error> {
    output::complain(&nothing.text);
    let notes = nothing.notes.iter().filter(|_| !options.quiet);
    output::complain(&notes.map(|note| format!("note: {note}\n")).collect::<String>());
    answers::withdraw(options);
    let logs = options.answers().into_iter().filter(|(format, _)| *format == Format::Sarif);
    let log =
        report::sarif_without_failure(&nothing.text, &nothing.notes, clock.status(nothing.status));
    let texts = logs.map(|(_, path)| (path, log.clone().into_bytes())).collect();
    answers::write(&Answers { texts, ..Answers::default() })?;
    Ok(nothing.status)
}

/// Who is suspected most so far.
fn suspected(program: &Program, suspect: &localize::rank::Suspect) -> String {
    let file = program.file(suspect.span);
    let line = file.position(suspect.span.start).line;
    let mut text = file.slice(suspect.span).replace(char::is_control, " ");
    if let Some((cut, _)) = text.char_indices().nth(40) {
        text.truncate(cut);
        text.push('…');
    }
    format!("deciding; suspected so far: line {line}, `{text}`")
}

/// What the program was run with, for people.
fn given_to(setup: &Setup, options: &Options) -> Given {
    // A test without input has none; who names an empty file means it.
    let is_given = options.stdin.is_some() || !setup.stdin.is_empty();
    let stdin = is_given.then_some(setup.stdin.as_slice());
    Given::new(setup.arguments.get(1..).unwrap_or(&[]), stdin)
}

/// Lets the user walk through the tree of causes; the exit status.
fn show_tree(
    program: &Program,
    report: Option<report::Report>,
    clock: &Clock,
) -> Result<u8, Error> {
    let tree = report.and_then(|report| Some((report.cascade?, report.failure.message)));
    let Some((tree, title)) = tree else {
        return Err(Error::Internal("a failure without a tree of causes".to_owned()));
    };
    let source = |file: &program::SourceFile| explore::Source {
        name: file.name.clone(),
        text: file.text.to_string(),
    };
    let sources: Vec<explore::Source> = program.files.iter().map(source).collect();
    let outcome = explore::explore(&tree, &sources, &title, &|| clock.interrupted())
        .map_err(|error| Error::Input(format!("error: the terminal: {error}\n")))?;
    output::print(&*printable(&outcome.text()))?;
    Ok(match outcome.end {
        explore::End::Quit => EXPLAINED,
        explore::End::Interrupted => INTERRUPTED,
    })
}

/// The failures that were found, and what to say if there are none.
#[derive(Default)]
pub struct Obtained<'p> {
    pub failures: Vec<Failure<'p>>,
    /// Of a C program, what they are run with, and how many instructions they take.
    pub failing: Vec<(Setup, u64)>,
    pub notes: Vec<String>,
    pub nothing: Nothing,
}

/// Why there is nothing to explain.
#[derive(Clone, Debug, Default)]
pub struct Nothing {
    pub text: String,
    pub notes: Vec<String>,
    status: u8,
}

impl Nothing {
    pub fn no_failure(text: impl Into<String>) -> Nothing {
        Nothing { text: text.into(), notes: Vec::new(), status: NO_FAILURE }
    }

    /// Whether there is a failure, or how it comes about, is not known.
    pub fn unknown(text: impl Into<String>) -> Nothing {
        Nothing { text: text.into(), notes: Vec::new(), status: UNKNOWN }
    }

    pub fn with(self, notes: Vec<String>) -> Nothing {
        Nothing { notes, ..self }
    }
}

/// Reads a Boogie program. Options for C programs would be ignored, so they are refused.
fn boogie(options: &Options) -> Result<Program, Error> {
    let program = input::read(options.file(), error_style(options))?;
    let given = [
        (options.files.len() > 1, "several files"),
        (!options.rest.is_empty(), "arguments"),
        (!options.cflags.is_empty(), "--cflags"),
        (options.stdin.is_some(), "--stdin"),
        (options.expect.is_some(), "--expect"),
        (options.expect_exit.is_some(), "--expect-exit"),
        (options.compare.is_some(), "--compare"),
        (options.has_suite(), "tests"),
        (!options.reference.is_empty(), "--reference"),
    ];
    match given.iter().find(|(given, _)| *given) {
        Some((_, what)) => Err(Error::Input(format!(
            "error: {}: a Boogie program is searched, not run, so it has no use for {what}\n",
            options.file().display()
        ))),
        None => Ok(program),
    }
}

/// Reads the program and prepares it as the options say.
fn read(options: &Options, stop: &Stop) -> Result<(Program, Option<Parts>), Error> {
    let (mut program, parts) = match options.files.iter().any(|file| c::is_c(file)) {
        true => {
            let (program, parts) = c::read(&options.files, options, stop)?;
            (program, Some(parts))
        }
        false => (boogie(options)?, None),
    };
    if let (Some(entry), Language::C) = (&options.entry, program.language)
        && entry != "main"
    {
        let why = "--entry is for Boogie; a C program starts at `main`";
        return Err(Error::Input(format!("error: {why}: write one that calls `{entry}`\n")));
    }
    if let (Some(entry), Language::Boogie) = (&options.entry, program.language) {
        input::enter_at(&mut program, entry)?;
    }
    for name in &options.trust {
        input::trust(&mut program, name)?;
    }
    if program.entries.is_empty() {
        return Err(Error::Input(format!(
            "error: {} has no procedure with a body: there is nothing to run\n",
            options.file().display()
        )));
    }
    read_sources(&mut program);
    Ok((program, parts))
}

/// Reads the sources of the user as trees.
fn read_sources(program: &mut Program) {
    let own: BTreeSet<u32> = program
        .sites
        .iter()
        .filter(|site| site.trust == Trust::User)
        .filter_map(|site| Some(site.span?.file.0))
        .collect();
    let read = match program.language {
        Language::C => |text: &str| llvm::syntax::syntax(text, &[]),
        Language::Boogie => boogie::syntax::syntax,
    };
    for (number, file) in (0u32..).zip(&mut program.files) {
        file.syntax = own.contains(&number).then(|| Arc::new(read(&file.text)));
    }
}

/// The answer that is printed if the run does not stop when it should.
#[derive(Clone, Default)]
struct Known(Arc<Mutex<Answer>>);

#[derive(Default)]
enum Answer {
    /// The program has not been read yet.
    #[default]
    Unread,
    Nothing,
    /// There is a failure, but there is no trace of it yet: what to say then.
    Unrecorded(String),
    /// What is to be written, and the exit status.
    Known(Answers, u8),
}

impl Known {
    fn set(&self, answer: Answer) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = answer;
    }

    fn take(&self) -> Answer {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn while_reading(end: End, options: &Options) -> String {
    match end {
        End::MemoryLimit(limit) => format!(
            "The memory limit of {limit} was reached while the program was being read; raise it with --memory-limit.\n"
        ),
        End::TimeLimit => format!(
            "The time limit of {:?} was reached while the program was being read; raise it with --time-limit.\n",
            options.time_limit
        ),
        End::Interrupted => "Interrupted while the program was being read.\n".to_owned(),
    }
}

fn start_clock(options: &Options, known: Known, progress: Progress) -> Result<Clock, Error> {
    // Failures that leave no time to explain them are of little use.
    let for_search = match options.traces() {
        1 if !options.has_suite() => options.time_limit,
        _ => options.time_limit / 2,
    };
    let own = options.clone();
    let memory = options.memory_limit.unwrap_or_else(memory::usual_limit);
    let for_solvers = memory.of(PART_FOR_SOLVERS).0 >> 20;
    solver::limit_memory(u32::try_from(for_solvers).unwrap_or(u32::MAX));
    let limits = Limits { time: options.time_limit, for_search, memory };
    Clock::start(limits, move |clock| {
        progress.clear();
        let nothing = |nothing: &Nothing| say_nothing(&own, nothing, clock);
        let written = match known.take() {
            Answer::Known(answers, status) => answers::write(&answers).map(|()| match own.apply {
                true => Fix::too_late(),
                false => status,
            }),
            Answer::Nothing => nothing(&search::stopped(&own, clock.ended())),
            Answer::Unrecorded(why) => nothing(&Nothing::unknown(match clock.ended() {
                Some(End::MemoryLimit(limit)) => why + &memory::reached(limit),
                _ => why,
            })),
            Answer::Unread => {
                answers::withdraw_reports(&own);
                let end = clock.ended().unwrap_or(End::TimeLimit);
                output::complain(&while_reading(end, &own));
                Ok(UNKNOWN)
            }
        };
        clock.status(written.unwrap_or_else(|error| {
            error.tell();
            WRONG_INPUT
        }))
    })
}

/// What is asked, and how the answer is to be printed.
struct Question<'a> {
    options: &'a Options,
    program: &'a Program,
    failures: &'a [Failure<'a>],
    /// What happened in the failure that is explained, once it is needed.
    timeline: OnceCell<report::Timeline>,
}

impl Question<'_> {
    /// The answers in the wanted formats, where they are written to, the exit status, and the fix that is wanted.
    fn answers(
        &self,
        diagnosis: &Diagnosis,
        facts: RunFacts,
    ) -> Result<(Answers, u8, Option<Fix>), Error> {
        let notes = facts.notes.clone();
        let Some(mut report) = report::cook(self.failures, diagnosis, facts) else {
            return Err(Error::Internal("a failure without a report".to_owned()));
        };
        if let Some(why) = report.unexplained() {
            let facts = &mut report.facts;
            facts.status = if facts.status == EXPLAINED { UNKNOWN } else { facts.status };
            facts.notes.push(why.to_owned());
        }
        let mut answers = Answers::default();
        let wanted = self.options.answers();
        let mut fix = None;
        if wanted.iter().any(|(format, _)| *format == Format::Patch) {
            let rank = self.options.fix.unwrap_or(1);
            let found = fixes::fix(report.repair.as_ref(), rank, &self.program.files);
            report.facts.status = if found.is_ok() { EXPLAINED } else { UNKNOWN };
            answers.says = self.said(&found, &notes);
            fix = found.ok();
        }
        for (format, path) in wanted {
            let text = match format {
                Format::Patch if path.is_none() => fix.as_ref().map(Fix::shown),
                Format::Patch => fix.as_ref().map(Fix::patch),
                Format::Rows => Some(self.rows(diagnosis).into_bytes()),
                format => Some(self.text(format, &report, path.as_deref()).into_bytes()),
            };
            match text {
                Some(text) => answers.texts.push((path, text)),
                None => answers.withdrawn.extend(path),
            }
        }
        Ok((answers, report.facts.status, fix))
    }

    /// What is known about each line: a row of words for each, the file, the line, and the clues.
    fn rows(&self, diagnosis: &Diagnosis) -> String {
        let row = |row: localize::rank::Row| {
            let (file, line) = row.line;
            let name = self.program.files.get(file as usize).map_or("", |it| it.name.as_str());
            let clues = row.clues.iter().map(|(clue, much)| format!("\t{}={much:.3}", clue.name()));
            format!("{name}\t{line}\t{}{}\n", row.is_suspect, clues.collect::<String>())
        };
        localize::rank::rows(self.failures, diagnosis).into_iter().map(row).collect()
    }

    fn text(&self, format: Format, report: &report::Report, path: Option<&Path>) -> String {
        let files = &self.program.files;
        match format {
            Format::Text | Format::Patch | Format::Rows => {
                report::text(report, files, &view(self.options, report, path))
            }
            Format::Json => report::json(report),
            Format::Html => report::html(report, self.timeline(), files),
            Format::Sarif => {
                let all = report::failure_reports(self.failures);
                report::sarif(report, self.timeline(), &all, files, &current_folder())
            }
            Format::Dot => report::dot(report),
        }
    }

    /// What is said about the fix on standard error.
    fn said(&self, found: &Result<Fix, String>, notes: &[String]) -> String {
        match found {
            Err(why) if self.options.quiet => why.clone(),
            Err(why) => {
                // There may have been no time for it.
                why.clone() + &notes.iter().map(|it| format!("note: {it}\n")).collect::<String>()
            }
            Ok(_) if self.options.quiet => String::new(),
            Ok(fix) if self.options.apply => fix.says.clone(),
            Ok(fix) => fix.says.clone() + &fix.warning().unwrap_or_default(),
        }
    }

    fn timeline(&self) -> &report::Timeline {
        let first = || self.failures.first().map(report::timeline).unwrap_or_default();
        self.timeline.get_or_init(first)
    }
}

/// The techniques that are wanted, in the order of the table.
fn techniques(options: &Options) -> Result<Vec<&'static str>, Error> {
    let names = &options.technique;
    let is_named = |wanted: &str| names.iter().any(|name| name == wanted);
    if is_named(FORMER_CHANGES) {
        return Err(Error::Input(format!("error: `{FORMER_CHANGES}` is now `changes`\n")));
    }
    for name in names.iter().filter(|name| *name != "all" && *name != "auto") {
        let Some(localizer) = LOCALIZERS.iter().find(|l| l.name == name) else { continue };
        if localizer.when == When::WithTests && !options.has_suite() {
            return Err(Error::Input(format!(
                "error: {name} compares tests: give some with --tests or --test-list\n"
            )));
        }
    }
    let is_wanted = |localizer: &&Localizer| {
        let can = localizer.when == When::Always || options.has_suite();
        is_named(localizer.name) || can && (is_named("all") || is_named("auto"))
    };
    let wanted: Vec<&str> = LOCALIZERS.iter().filter(is_wanted).map(|l| l.name).collect();
    if options.answers().iter().any(|(format, _)| *format == Format::Dot)
        && !wanted.contains(&"cascade")
    {
        let why = "--format dot draws the tree of causes: add cascade to --technique";
        return Err(Error::Input(format!("error: {why}\n")));
    }
    let is_patch = |(format, _): &(Format, _)| *format == Format::Patch;
    if options.ask && !wanted.contains(&REPAIR) {
        let why = "--ask asks about fixes, which repair finds: add it to --technique";
        return Err(Error::Input(format!("error: {why}\n")));
    }
    if options.answers().iter().any(is_patch) && !wanted.contains(&REPAIR) {
        let why = "fixes are what repair finds: add it to --technique";
        return Err(Error::Input(format!("error: {why}\n")));
    }
    Ok(wanted)
}

/// The folder that file names are relative to; empty if it is unknown.
fn current_folder() -> String {
    std::env::current_dir().map_or_else(|_| String::new(), |folder| folder.display().to_string())
}

/// The notes, and one more.
fn with(notes: &[String], more: String) -> Vec<String> {
    notes.iter().cloned().chain([more]).collect()
}

/// What an answer lacks that is only shown if the end comes too early for a better one; it is not yet known why.
fn too_early(clock: &Clock, options: &Options) -> String {
    let unknown = || {
        format!(
            "the time limit of {:?} or the memory limit of {} was reached before all was decided; raise it with --time-limit or \
             --memory-limit",
            options.time_limit,
            clock.memory_limit()
        )
    };
    clock.ended().map_or_else(unknown, |end| ended(end, options))
}

/// Which techniques had to stop before they were done, and what lets them do more.
fn undecided(diagnosis: &Diagnosis, options: &Options) -> Vec<String> {
    let of = |wanted: Lack, more: &str| {
        let cut = diagnosis.cut.iter().filter(|(_, lack)| *lack == wanted);
        let cut: Vec<&str> = cut.map(|(name, _)| *name).collect();
        let cut = (!cut.is_empty()).then(|| cut.join(", "))?;
        Some(format!("not all was decided by {cut}: {more} lets it do more"))
    };
    let found = match options.chooses() {
        true => [
            of(Lack::Time, "--time-limit"),
            of(Lack::Memory, "there was too little memory, and a larger --memory-limit"),
        ],
        false => [
            of(Lack::Time, "--technique, or a longer --time-limit,"),
            of(Lack::Memory, "it took much memory; --technique, or a larger --memory-limit,"),
        ],
    };
    found.into_iter().flatten().collect()
}

/// What an answer lacks if the end came too early.
fn ended(end: End, options: &Options) -> String {
    match end {
        End::TimeLimit => format!(
            "the time limit of {:?} was reached before all was decided; raise it with --time-limit",
            options.time_limit
        ),
        End::MemoryLimit(limit) => format!(
            "the memory limit of {limit} was reached before all was decided; raise it with --memory-limit"
        ),
        End::Interrupted => "interrupted before all was decided".to_owned(),
    }
}
