//! The order of solutions, and how likely each is to be right.
//!
//! Many edits make the tests pass, and few of them are right. What tells is where they are, how usual they are, and what
//! they do to inputs near the failing one. As with lines, each of these is worth some points, which were fitted to solutions of which it is
//! known whether they are right; their shares of `e` to the power of the points order the solutions of a program. How sure the first one
//! is, in all, is fitted apart, from its share and from how many tests there are.

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
            Ordered {
                number,
                confidence: confidence(own, share(&repair.solutions[number]), is_alone),
            }
        })
        .collect();
    // What fits only one test comes last, whatever the points; of equal ones the first that was found.
    found.sort_by(|a, b| {
        let grade = |it: &Ordered| repair.solutions[it.number].grade.max(Grade::AllTests);
        let points = |it: &Ordered| scores[it.number];
        grade(a).cmp(&grade(b)).then(points(b).total_cmp(&points(a))).then(a.number.cmp(&b.number))
    });
    found
}

fn score(of: &Solution, share: f64, is_alone: bool) -> f64 {
    let verdict = &of.verdict;
    let part = |part: usize, of: usize| part as f64 / of.max(1) as f64;
    let inserts = of.replacements.iter().all(|it| it.range.is_empty());
    let seen = [
        ("fix-line", share.max(1e-6).ln()),
        ("fix-weight", f64::from(of.weight) / 10.0),
        ("fix-still", part(verdict.alike - verdict.repaired, verdict.alike)),
        ("fix-changed", part(verdict.changed, verdict.passing)),
        ("fix-broken", part(verdict.broken, verdict.passing + verdict.others)),
        ("fix-others", part(verdict.others_changed, verdict.others)),
        ("fix-inserts", f64::from(u8::from(inserts))),
        ("fix-inserts-alone", f64::from(u8::from(inserts && is_alone))),
    ];
    seen.iter().map(|(name, much)| points(name) * much).sum()
}

/// How likely the solution is right that has this share of all, on a line that has this share.
fn confidence(own: f64, line: f64, is_alone: bool) -> f64 {
    let alone = f64::from(u8::from(is_alone));
    let points = points("sure")
        + points("sure-share") * own
        + points("sure-line") * line
        + points("sure-alone") * alone;
    (1000.0 / (1.0 + (-points).exp())).round() / 1000.0
}
