//! Spectra: which statements are executed by failing tests rather than by passing ones.
//!
//! Each test of a suite leaves a *spectrum*: the statements that its run executed. A statement is counted twice: by
//! how many failing tests (`failed`) and by how many passing ones (`passed`) it was executed. A formula makes a score of the two
//! counts and the totals, and statements are ranked by it. There are many formulas; these four are the ones that are compared with most often:
//!
//! - *Ochiai*: `failed / √(all failed · (failed + passed))`, the cosine between "was executed" and "fails";
//! - *DStar* (with the exponent 2): `failed² / (passed + all failed − failed)`;
//! - *Tarantula*: the share of failing tests that executed it, divided by that share plus the share of passing ones;
//! - *Barinel*: `failed / (failed + passed)`, how likely a run fails that executes it, if there is a single fault.
//!
//! Statements that are always executed together cannot be told apart: they share their ranks, from the best to the
//! worst that they would have if ties were broken. A spectrum proves nothing, and a judge has nothing to check.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use program::process::Coverage;
use program::{FailureKind, Program, Site, SiteId, Span, Trust};

/// A test, as far as spectra know it.
#[derive(Clone, Debug)]
pub struct TestRun {
    pub verdict: Verdict,
    pub coverage: Coverage,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Passed,
    Failed,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Spectrum {
    /// How many tests pass and fail.
    pub passed: u32,
    pub failed: u32,
    /// The statements of the user, best first: by Ochiai, then in the order of the source.
    pub statements: Vec<Statement>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    pub site: SiteId,
    /// By how many tests it was executed.
    pub passed: u32,
    pub failed: u32,
    /// In the order of [`Formula::ALL`].
    pub scores: [Score; 4],
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Score {
    /// Not negative; may be infinite.
    pub value: f64,
    /// The ranks, from 1, that the statement has if it comes first or last of those with the same score.
    pub best: usize,
    pub worst: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Formula {
    Ochiai,
    DStar,
    Tarantula,
    Barinel,
}

impl Formula {
    pub const ALL: [Formula; 4] =
        [Formula::Ochiai, Formula::DStar, Formula::Tarantula, Formula::Barinel];

    /// The stable name, as in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Formula::Ochiai => "ochiai",
            Formula::DStar => "dstar",
            Formula::Tarantula => "tarantula",
            Formula::Barinel => "barinel",
        }
    }

    /// The score of a statement that so many passing and failing tests executed, of so many.
    pub fn score(self, (passed, failed): (u32, u32), (all_passed, all_failed): (u32, u32)) -> f64 {
        if failed == 0 {
            return 0.0;
        }
        let [passed, failed, all_passed, all_failed] =
            [passed, failed, all_passed, all_failed].map(f64::from);
        let score = match self {
            Formula::Ochiai => failed / (all_failed * (failed + passed)).sqrt(),
            Formula::DStar => failed * failed / (passed + all_failed - failed),
            Formula::Tarantula => {
                let share = failed / all_failed;
                share / (share + passed / all_passed.max(1.0))
            }
            Formula::Barinel => failed / (failed + passed),
        };
        // Scores that are equal must not differ by how they were computed.
        (score * 1e9).round() / 1e9
    }
}

/// Scores and ranks of all statements of the user. None without a failing test.
pub fn spectrum(program: &Program, runs: &[TestRun]) -> Option<Spectrum> {
    let mut counts = vec![(0u32, 0u32); program.sites.len()];
    let mut all = (0, 0);
    let mut counted = vec![usize::MAX; program.sites.len()];
    for (number, run) in runs.iter().enumerate() {
        let count = |of: &mut (u32, u32)| match run.verdict {
            Verdict::Passed => of.0 += 1,
            Verdict::Failed => of.1 += 1,
        };
        count(&mut all);
        for edge in run.coverage.edges() {
            let Some(edge) = program.edges.get(edge.index()) else { continue };
            let site = edge.site.index();
            // A statement may have several edges, but it counts once.
            if std::mem::replace(&mut counted[site], number) != number {
                count(&mut counts[site]);
            }
        }
    }
    if all.1 == 0 {
        return None;
    }
    let mut statements: Vec<Statement> = statements(program, &counts)
        .into_iter()
        .map(|site| {
            let (passed, failed) = counts[site.index()];
            let value = |formula: Formula| formula.score((passed, failed), all);
            let scores = Formula::ALL.map(|f| Score { value: value(f), best: 0, worst: 0 });
            Statement { site, passed, failed, scores }
        })
        .collect();
    for formula in 0..Formula::ALL.len() {
        rank(&mut statements, formula);
    }
    statements.sort_by(|a, b| b.scores[0].value.total_cmp(&a.scores[0].value));
    Some(Spectrum { passed: all.0, failed: all.1, statements })
}

/// The statements of the user that are somewhere in the control flow, in the order of the source. What is checked within
/// a statement is none by itself; nor is a part of one, such as a call in an expression, unless other tests execute it.
fn statements(program: &Program, counts: &[(u32, u32)]) -> Vec<SiteId> {
    let is_check = |site: &Site| {
        site.property.as_ref().is_some_and(|property| property.kind != FailureKind::Assertion)
    };
    let is_statement = |site: &Site| site.trust == Trust::User && !is_check(site);
    let used: BTreeSet<SiteId> = program.edges.iter().map(|edge| edge.site).collect();
    let mut found: Vec<(Span, SiteId)> = used
        .into_iter()
        .filter(|&site| is_statement(program.site(site)))
        .filter_map(|site| program.site(site).span.map(|span| (span, site)))
        .collect();
    // What encloses others comes before them.
    found.sort_by_key(|(span, site)| (span.file.0, span.start, Reverse(span.end), *site));
    let mut around: Vec<(Span, SiteId)> = Vec::new();
    found.retain(|&(span, site)| {
        let encloses = |outer: &Span| outer.file == span.file && outer.end >= span.end;
        while around.last().is_some_and(|(outer, _)| !encloses(outer)) {
            around.pop();
        }
        let whole = around.last().map(|&(_, outer)| counts[outer.index()]);
        let is_own = whole != Some(counts[site.index()]);
        if is_own {
            around.push((span, site));
        }
        is_own
    });
    found.into_iter().map(|(_, site)| site).collect()
}

/// Ranks the statements by one of their scores.
fn rank(statements: &mut [Statement], formula: usize) {
    let mut values: Vec<f64> = statements.iter().map(|s| s.scores[formula].value).collect();
    values.sort_by(|a, b| b.total_cmp(a));
    for statement in statements {
        let score = &mut statement.scores[formula];
        score.best = values.partition_point(|&value| value > score.value) + 1;
        score.worst = values.partition_point(|&value| value >= score.value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas() {
        let scores = |own, all| Formula::ALL.map(|formula| formula.score(own, all));
        // Of 8 passing and 4 failing tests, 2 and 3 execute it.
        let expected = [0.670820393, 3.0, 0.75, 0.6];
        assert_eq!(scores((2, 3), (8, 4)), expected);
        assert_eq!(scores((0, 4), (8, 4)), [1.0, f64::INFINITY, 1.0, 1.0]);
        assert_eq!(scores((8, 0), (8, 4)), [0.0; 4]);
        assert_eq!(scores((0, 0), (8, 4)), [0.0; 4]);
        // Without passing tests.
        assert_eq!(scores((0, 1), (0, 4)), [0.5, 0.333333333, 1.0, 1.0]);
    }

    #[test]
    fn ties_share_their_ranks() {
        let statement = |value| {
            let score = Score { value, ..Score::default() };
            Statement { site: SiteId(0), passed: 0, failed: 0, scores: [score; 4] }
        };
        let mut statements = [0.5, f64::INFINITY, 0.0, 0.5, 0.5].map(statement);
        rank(&mut statements, 0);
        let ranks = statements.map(|s| (s.scores[0].best, s.scores[0].worst));
        assert_eq!(ranks, [(2, 4), (1, 1), (5, 5), (2, 4), (2, 4)]);
    }
}
