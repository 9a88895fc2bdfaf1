//! Corrections by all ways, and by those that do not come to the same as another: they must be the same. And a statement that
//! repairs the program with some small numbers is one of them. The judge, who looks at states, too, agrees; and does not confirm
//! what is wrong.
//!
//! `WHYDUNIT_PROGRAMS=500 cargo test --test merging` tries more programs.

// Tests may panic, in their helper functions too.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

use failure::run::{Extent, InputMode, Job};
use failure::{Courses, Ended, Failure, Force, Forced};
use host::{Setup, World};
use localize::check::{Judgement, check_corrections};
use localize::corrections::{Correction, Corrections, Spot, corrections};
use localize::{Context, Settings};
use program::process::{Image, Limits, Outcome};
use program::{Program, SiteId, Stop, Trust, Work};
use solver::Solver;
use term::{Sort, Value};

use compile::compile;
use random::Random;

#[path = "common/compile.rs"]
mod compile;
#[path = "common/random.rs"]
mod random;

/// Writes programs.
struct Writer(Random);

impl Writer {
    fn value(&mut self) -> String {
        match self.0.below(5) {
            0 => self.0.below(4).to_string(),
            1 => format!(
                "({} {} {})",
                self.value(),
                self.0.one_of(&["+", "-", "*", "&"]),
                self.value()
            ),
            _ => self.0.one_of(&["a", "b", "s", "i", "t[i & 3]", "t[a & 3]"]).to_owned(),
        }
    }

    fn condition(&mut self) -> String {
        format!("{} {} {}", self.value(), self.0.one_of(&["<", "<=", "==", "!="]), self.value())
    }

    fn statements(&mut self, depth: usize, count: usize, text: &mut String) {
        for _ in 0..count {
            match self.0.below(if depth < 2 { 7 } else { 4 }) {
                0..=3 => {
                    let target = self.0.one_of(&["a", "b", "s", "s", "t[s & 3]", "t[i & 3]"]);
                    writeln!(text, "{target} = {};", self.value()).unwrap();
                }
                4 => writeln!(text, "printf(\"%d\\n\", {});", self.0.one_of(&["a", "b", "s"]))
                    .unwrap(),
                _ => {
                    writeln!(text, "if ({}) {{", self.condition()).unwrap();
                    let count = 1 + self.0.below(2);
                    self.statements(depth + 1, count, text);
                    writeln!(text, "}} else {{").unwrap();
                    let count = self.0.below(2);
                    self.statements(depth + 1, count, text);
                    writeln!(text, "}}").unwrap();
                }
            }
        }
    }

    /// A loop over the input, or a few times.
    fn program(&mut self) -> String {
        let (global, local) = self.0.one_of(&[("static int s = 0;\n", ""), ("", "int s = 0;\n")]);
        let table = self.0.one_of(&["int t[4] = { 0, 1, 2, 3 };", "int t[4]; t[i] = 5; t[1] = 1;"]);
        let mut text = format!(
            "#include <stdio.h>\n{global}int main(void)\n{{\n{local}int a = 1, b = 2, i = 0;\n\
            {table}\n"
        );
        match self.0.below(2) {
            0 => writeln!(text, "for (i = 0; i < {}; i++) {{", 2 + self.0.below(2)).unwrap(),
            _ => writeln!(text, "while (scanf(\"%d\", &a) == 1) {{\ni++;").unwrap(),
        }
        let count = 2 + self.0.below(2);
        self.statements(0, count, &mut text);
        text.push_str("}\nprintf(\"%d %d\\n\", s, t[1]);\nreturn 0;\n}\n");
        text
    }

    /// The program with something else in one place.
    fn fault(&mut self, text: &str) -> String {
        const FAULTS: [(&str, &str); 6] = [
            (" + ", " - "),
            (" < ", " <= "),
            (" == ", " != "),
            ("0", "1"),
            ("a", "b"),
            ("s =", "b ="),
        ];
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let body = 5..lines.len() - 4;
        let mut places = Vec::new();
        for at in body.filter(|&at| !lines[at].contains("scanf") && !lines[at].contains("printf")) {
            places
                .extend(FAULTS.iter().filter(|fault| lines[at].contains(fault.0)).map(|f| (at, f)));
        }
        if !places.is_empty() {
            let (at, (right, wrong)) = places[self.0.below(places.len())];
            lines[at] = lines[at].replacen(right, wrong, 1);
        }
        lines.join("\n")
    }
}

fn program(file: &Path, text: &str) -> Program {
    std::fs::write(file, text).unwrap();
    compile(file, &[])
}

fn job<'p>(program: &'p Program, image: &'p Image) -> Job<'p> {
    Job {
        program,
        image,
        entry: program.entries[0],
        arguments: &[],
        environment: &[],
        expected_status: None,
        limits: Limits { instructions: 20_000, ..Limits::default() },
        extent: Extent::default(),
    }
}

fn settings(merged_after: usize, many: usize) -> Settings {
    let mut settings = Settings::default();
    (settings.corrections.merged_after, settings.corrections.many) = (merged_after, many);
    settings.corrections.for_long_runs = Duration::MAX;
    // As if a passing test were as long.
    settings.corrections.usual = 1;
    settings
}

/// A program for which more would have to be done is left out.
const MOST_WORK: Duration = Duration::from_secs(10);

fn solver() -> Box<dyn Solver> {
    Box::new(solver::Z3::new(Duration::from_millis(100)))
}

fn found(failure: &Failure<'_>, merged_after: usize, many: usize) -> Corrections {
    // To try all ways can take forever. The others take less.
    let most = if merged_after == usize::MAX { MOST_WORK } else { 4 * MOST_WORK };
    let (stop, settings) = (Stop::after(&Work::default(), most), settings(merged_after, many));
    let context = Context { solvers: &solver, stop: &stop, settings: &settings };
    corrections(std::slice::from_ref(failure), context)
}

/// What the judge says about what must be changed.
fn judged(failure: &Failure<'_>, must: &[Spot], all: &Corrections) -> Judgement {
    let claim = Corrections { must: Some(must.to_vec()), sets: Vec::new(), ..all.clone() };
    let (stop, settings) = (Stop::default(), settings(0, usize::MAX));
    let context = Context { solvers: &solver, stop: &stop, settings: &settings };
    check_corrections(std::slice::from_ref(failure), &claim, context).must
}

/// Whether one of some statements must be changed, by all corrections; and what the judge says: of what is claimed, and of parts
/// of it.
fn judgements(failure: &Failure<'_>, all: &Corrections) -> Vec<(bool, Judgement)> {
    let must = all.must.clone().unwrap_or_default();
    let mut claims = vec![must.clone()];
    claims.extend((0..must.len()).map(|spared| {
        let mut part = must.clone();
        part.remove(spared);
        part
    }));
    let has_one = |set: &Correction, of: &[Spot]| set.spots.iter().any(|spot| of.contains(spot));
    let is_true = |claim: &[Spot]| all.sets.iter().all(|set| has_one(set, claim));
    claims.iter().map(|claim| (is_true(claim), judged(failure, claim, all))).collect()
}

fn sets(found: &Corrections) -> BTreeSet<Vec<Spot>> {
    found.sets.iter().map(|set| set.spots.clone()).collect()
}

/// Whether sets are what they are said to be, up to the length of which that is said, if these are all.
fn is_right(some: &Corrections, all: &Corrections, failure: &Failure<'_>) -> bool {
    let has_part = |of: &Correction, sets: &[Correction]| {
        sets.iter().any(|set| set.spots.iter().all(|spot| of.spots.contains(spot)))
    };
    let is_longer = |set: &Correction| {
        let (mut terms, mut courses) = (failure.program.terms.clone(), Courses::default());
        let forced = &set.witnesses[0].forced;
        failure.rerun(forced, u64::MAX, &mut terms, &mut courses).effort > some.lengths[0]
    };
    some.sets.iter().all(|set| has_part(set, &all.sets))
        && all.sets.iter().all(|set| has_part(set, &some.sets) || is_longer(set))
        && (some.lengths < all.lengths || sets(some) == sets(all))
}

/// Numbers that are tried instead of what a statement assigns.
const NUMBERS: [i32; 7] = [-1, 0, 1, 2, 3, 5, 8];

/// Whether the program passes, and how many instructions that takes, if up to so many executions of a statement assign
/// other numbers, besides what is forced.
fn repairs(
    failure: &Failure<'_>,
    site: SiteId,
    forced: &[Forced],
    changes: usize,
    longest: u64,
) -> bool {
    let (mut terms, mut courses) = (failure.program.terms.clone(), Courses::default());
    let run = failure.rerun(forced, longest, &mut terms, &mut courses);
    let Some(unfolded) = run.unfolded else { return run.end == Ended::Passed };
    if changes == 0 {
        return false;
    }
    let last = forced.last().map(|last| last.at);
    let steps = unfolded.trace.steps.iter().zip(&unfolded.numbers).zip(&unfolded.values);
    for ((step, number), value) in steps {
        let (Some(number), Some(value)) = (*number, value) else { continue };
        let is_next = last.is_none_or(|last| step.at as usize > last);
        if step.site != site || !is_next || value.sort() != Sort::BitVec(32) {
            continue;
        }
        for new in NUMBERS {
            let value = Value::bitvec(32, u128::from(new as u32));
            let what = Force::Value { number, value };
            let with = [forced, &[Forced { at: step.at as usize, what }]].concat();
            if repairs(failure, site, &with, changes - 1, longest) {
                return true;
            }
        }
    }
    false
}

/// All statements of the failing run that repair the program by themselves are corrections.
fn has_all_repairs(all: &Corrections, failure: &Failure<'_>) -> bool {
    let own = failure.trace.steps.iter().filter(|step| step.is_assignment());
    let sites: BTreeSet<SiteId> = own.map(|step| step.site).collect();
    let is_user = |site: &SiteId| failure.program.site(*site).trust == Trust::User;
    sites.into_iter().filter(is_user).all(|site| {
        all.sets.iter().any(|set| set.spots == [Spot::Change(site)])
            || !repairs(failure, site, &[], 2, all.lengths[0])
    })
}

#[test]
fn ways_that_come_to_the_same_need_not_be_tried() {
    let count: u64 = std::env::var("WHYDUNIT_PROGRAMS")
        .ok()
        .map_or(8, |n| n.parse().expect("a number of programs"));
    let folder = std::env::temp_dir().join(format!("whydunit-merging-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (mut compared, mut different, mut shorter, mut decided) = (0, 0, 0, 0);
    let (mut confirmed, mut refuted) = (0, 0);
    for seed in 0..20 * count {
        if compared == count {
            break;
        }
        let mut random = Writer(Random::new(seed));
        let text = random.program();
        let wrong = random.fault(&text);
        let (right, faulty) =
            (program(&folder.join("right.c"), &text), program(&folder.join("wrong.c"), &wrong));
        let images = [&right, &faulty].map(|program| Image::new(program).expect("an image"));
        let stdin = format!("{} {}", random.0.below(9), random.0.below(9)).into_bytes();
        let setup = Setup { stdin, ..Setup::default() };
        let stop = Stop::default();
        let ran = job(&right, &images[0]).run(World::new(setup.clone()), &stop);
        if !matches!(ran.outcome, Outcome::Finished { .. }) {
            continue;
        }
        let expected_output = Some(ran.world.output().to_vec());
        let setup = Setup { expected_output, ..setup };
        let (job, mode) = (job(&faulty, &images[1]), InputMode::Fixed);
        let instructions = job.run(World::new(setup.clone()), &stop).instructions;
        let record = job.record(World::new(setup), instructions, mode, &stop);
        let Some(failure) = record.and_then(|record| record.failure(job, mode)) else { continue };
        let all = found(&failure, usize::MAX, usize::MAX);
        let some = found(&failure, 0, usize::MAX);
        let few = found(&failure, 0, 8);
        if all.complete() && some.complete() {
            compared += 1;
            different += u64::from(some.runs != all.runs);
            shorter += u64::from(few.lengths < all.lengths);
            assert_eq!(some.lengths, all.lengths, "seed {seed}\n{wrong}");
            assert!(has_all_repairs(&all, &failure), "seed {seed}, by force\n{wrong}");
            assert!(is_right(&some, &all, &failure), "seed {seed}\n{wrong}");
            for (is_true, judgement) in judgements(&failure, &all) {
                let is_right = match judgement {
                    Judgement::Confirmed => is_true,
                    Judgement::Refuted(_) => !is_true,
                    Judgement::Open(_) => true,
                };
                assert!(is_right, "seed {seed}, {is_true} is {judgement:?}\n{wrong}");
                confirmed += u64::from(judgement == Judgement::Confirmed);
                refuted += u64::from(matches!(judgement, Judgement::Refuted(_)));
            }
            // The solver has to answer other questions, and may give up.
            if few.complete() {
                decided += 1;
                assert!(is_right(&few, &all, &failure), "seed {seed}, few runs\n{wrong}");
            }
        }
        assert!(some.complete() || !all.complete(), "seed {seed} is not decided\n{wrong}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
    println!(
        "{compared} programs compared, {different} with other runs, {shorter} with shorter ones; \
        {confirmed} claims confirmed, {refuted} refuted"
    );
    assert!(2 * confirmed >= compared && refuted >= compared, "{confirmed} {refuted}");
    assert!(compared == count && different > 0 && shorter > 0, "{compared} {different} {shorter}");
    assert!(4 * decided >= 3 * compared, "{decided} of {compared} are decided with few runs");
}
