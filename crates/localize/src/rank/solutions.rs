//! The order of solutions, and how likely each is to be right.
//!
//! Many edits make the tests pass, and few of them are right. What tells is where they are, how usual they are, and what
//! they do to inputs near the failing one. As with lines, each of these is worth some points, and their shares of `e` to the power of the
//! points order the solutions of a program. How sure one is depends on its share, and on whether there is more than one test.

use repair::claims::{Grade, Repair, Solution};

use super::clue::points;

/// A solution by its number, and how likely it is to be right.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ordered {
    pub number: usize,
    pub confidence: f64,
}

/// From here on a solution is called likely.
pub const LIKELY: f64 = 0.6;

/// The solutions, the likely ones first. `share` is that of the line of each.
pub fn ordered(repair: &Repair, share: &dyn Fn(&Solution) -> f64, is_alone: bool) -> Vec<Ordered> {
    let scores: Vec<f64> =
        repair.solutions.iter().map(|it| score(it, share(it), is_alone)).collect();
    let most = scores.iter().copied().fold(f64::MIN, f64::max);
    let total: f64 = scores.iter().map(|it| (it - most).exp()).sum();
    let mut found: Vec<Ordered> = (0..)
        .zip(&scores)
        .map(|(number, score)| {
            let own = (score - most).exp() / total;
            Ordered { number, confidence: confidence(own, &repair.solutions[number], is_alone) }
        })
        .collect();
    // Grades count before points; of equal ones the first that was found.
    found.sort_by(|a, b| {
        let grade = |it: &Ordered| repair.solutions[it.number].grade;
        let points = |it: &Ordered| scores[it.number];
        grade(a).cmp(&grade(b)).then(points(b).total_cmp(&points(a))).then(a.number.cmp(&b.number))
    });
    found
}

/// What is known of solutions, by the names in the file of points, and what it means.
pub const OF_SOLUTIONS: [(&str, &str); 8] = [
    ("fix-line", "the logarithm of the score of its line"),
    ("fix-weight", "how usual such edits are: a tenth of the weight of its kind"),
    ("fix-still", "the share of inputs like the failing one that still fail"),
    ("fix-changed", "the share of passing inputs near it on which the program behaves otherwise"),
    ("fix-broken", "the share of inputs near it that fail now"),
    ("fix-others", "the share of other inputs near it on which the program behaves otherwise"),
    ("fix-inserts", "it only inserts something"),
    ("fix-inserts-alone", "the same, and there is one test only"),
];

fn score(of: &Solution, share: f64, is_alone: bool) -> f64 {
    let verdict = &of.verdict;
    let part = |part: usize, of: usize| part as f64 / of.max(1) as f64;
    let inserts = of.replacements.iter().all(|it| it.range.is_empty());
    let seen = [
        share.max(1e-6).ln(),
        f64::from(of.weight) / 10.0,
        part(verdict.alike - verdict.repaired, verdict.alike),
        part(verdict.changed, verdict.passing),
        part(verdict.broken, verdict.passing + verdict.others),
        part(verdict.others_changed, verdict.others),
        f64::from(u8::from(inserts)),
        f64::from(u8::from(inserts && is_alone)),
    ];
    OF_SOLUTIONS.iter().zip(seen).map(|((name, _), much)| points(name) * much).sum()
}

/// How likely the solution is right that has this share of all.
fn confidence(share: f64, of: &Solution, is_alone: bool) -> f64 {
    let if_so = |holds: bool, name: &str| if holds { points(name) } else { 0.0 };
    let sum = points("sure")
        + points("sure-share") * share
        + if_so(is_alone, "sure-alone")
        + if_so(of.grade > Grade::AllTests, "sure-some");
    (1000.0 / (1.0 + (-sum).exp())).round() / 1000.0
}
