//! Fitting points: a softmax over the lines of a program.
//!
//! With the points `w`, a line with the clues `x` has the share `exp(w·x) / Σ exp(w·x')` of its program. What is made as large as possible is the
//! product over all programs of the share of their faulty lines together, with a little less for large points. That has no
//! local maxima to speak of, so it is simply climbed, always with the same steps.

use std::collections::BTreeMap;

use localize::rank::Clue;

use crate::rows::Case;

/// How much large points cost.
const COST: f64 = 0.01;
const ROUNDS: u32 = 300;
/// How many parts the families are divided into.
const FOLDS: usize = 8;

/// What is left out together when points are fitted elsewhere.
#[derive(Clone, Copy, Debug)]
pub enum Fold {
    Family,
}

/// The points that fit best, to hundredths; those that are almost nothing are left out.
pub fn fitted(cases: &[&Case]) -> BTreeMap<Clue, f64> {
    let usable: Vec<&Case> =
        cases.iter().copied().filter(|case| case.rows.iter().any(|row| row.is_fault)).collect();
    let count = Clue::ALL.len();
    let (mut points, mut mean, mut square) = (vec![0.0; count], vec![0.0; count], vec![0.0; count]);
    for round in 1..=ROUNDS {
        let slope = slope(&usable, &points);
        for clue in 0..count {
            let slope = slope[clue] + COST * points[clue];
            mean[clue] = 0.9 * mean[clue] + 0.1 * slope;
            square[clue] = 0.99 * square[clue] + 0.01 * slope * slope;
            let (first, second) =
                (1.0 - 0.9f64.powi(round as i32), 1.0 - 0.99f64.powi(round as i32));
            // Smaller steps near the end.
            let step = if round > ROUNDS / 2 { 0.02 } else { 0.08 };
            points[clue] -= step * (mean[clue] / first) / ((square[clue] / second).sqrt() + 1e-8);
        }
    }
    let rounded = points.into_iter().map(|it| (it * 100.0).round() / 100.0);
    Clue::ALL.iter().copied().zip(rounded).filter(|(_, points)| points.abs() >= 0.05).collect()
}

/// In which direction the points are worse.
fn slope(cases: &[&Case], points: &[f64]) -> Vec<f64> {
    let mut slope = vec![0.0; points.len()];
    for case in cases {
        let scores: Vec<f64> = case
            .rows
            .iter()
            .map(|row| row.clues.iter().map(|(clue, much)| points[*clue as usize] * much).sum())
            .collect();
        let most = scores.iter().copied().fold(f64::MIN, f64::max);
        let shares: Vec<f64> = scores.iter().map(|score| (score - most).exp()).collect();
        let total: f64 = shares.iter().sum();
        let faulty: f64 =
            shares.iter().zip(&case.rows).filter(|(_, row)| row.is_fault).map(|(it, _)| it).sum();
        for (row, share) in case.rows.iter().zip(&shares) {
            let wanted = if row.is_fault { share / faulty.max(1e-300) } else { 0.0 };
            let push = (share / total - wanted) / cases.len() as f64;
            row.clues.iter().for_each(|(clue, much)| slope[*clue as usize] += push * much);
        }
    }
    slope
}

/// The rank of the first faulty line among the suspects of each program.
pub fn ranks(cases: &[&Case], points: &BTreeMap<Clue, f64>) -> Vec<Option<usize>> {
    cases.iter().map(|case| rank(case, points)).collect()
}

fn rank(case: &Case, points: &BTreeMap<Clue, f64>) -> Option<usize> {
    let score = |clues: &[(Clue, f64)]| -> f64 {
        clues.iter().map(|(clue, much)| points.get(clue).unwrap_or(&0.0) * much).sum()
    };
    let mut suspects: Vec<(f64, bool)> = case
        .rows
        .iter()
        .filter(|row| row.is_suspect)
        .map(|row| (score(&row.clues), row.is_fault))
        .collect();
    suspects.sort_by(|a, b| b.0.total_cmp(&a.0));
    suspects.iter().position(|(_, is_fault)| *is_fault).map(|at| at + 1)
}

/// The same with points that were fitted without the program's family, or what else is left out together.
pub fn cross_validated(cases: &[&Case], fold: Fold) -> Vec<Option<usize>> {
    let Fold::Family = fold;
    let mut families: Vec<&str> = cases.iter().map(|case| case.family.as_str()).collect();
    families.sort_unstable();
    families.dedup();
    let part =
        |case: &Case| families.binary_search(&case.family.as_str()).map_or(0, |at| at % FOLDS);
    let points: Vec<BTreeMap<Clue, f64>> = (0..FOLDS)
        .map(|own| {
            let others: Vec<&Case> =
                cases.iter().copied().filter(|case| part(case) != own).collect();
            fitted(&others)
        })
        .collect();
    cases.iter().map(|case| rank(case, &points[part(case)])).collect()
}
