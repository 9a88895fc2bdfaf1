//! Slices and spectra in the terms of the source.

use localize::slice::Slices;
use localize::spectrum::{Score, Spectrum};
use program::{Program, SiteId};

use crate::places::site_location;
use crate::report::Location;

/// The places that the failure depends on, in the order of the source.
#[derive(Clone, Debug)]
pub struct SliceReport {
    pub dynamic: Vec<Location>,
    pub relevant: Vec<Location>,
}

#[derive(Clone, Debug)]
pub struct SpectrumReport {
    /// How many tests pass and fail.
    pub passed: u32,
    pub failed: u32,
    /// Best first.
    pub statements: Vec<SpectrumStatement>,
}

#[derive(Clone, Debug)]
pub struct SpectrumStatement {
    pub location: Option<Location>,
    pub statement: String,
    /// By how many tests it was executed.
    pub passed: u32,
    pub failed: u32,
    /// In the order of [`localize::spectrum::Formula::ALL`].
    pub scores: [Score; 4],
}

pub fn slice_report(program: &Program, slices: &Slices) -> SliceReport {
    let places = |sites: &[SiteId]| {
        let mut places: Vec<Location> =
            sites.iter().filter_map(|&site| site_location(program, site)).collect();
        places.sort_by_key(|at| (at.span.file.0, at.span.start, at.span.end));
        places.dedup();
        places
    };
    SliceReport { dynamic: places(&slices.dynamic), relevant: places(&slices.relevant) }
}

pub fn spectrum_report(program: &Program, spectrum: &Spectrum) -> SpectrumReport {
    let statements = spectrum.statements.iter().map(|statement| SpectrumStatement {
        location: site_location(program, statement.site),
        statement: program.site(statement.site).text.clone(),
        passed: statement.passed,
        failed: statement.failed,
        scores: statement.scores,
    });
    let (passed, failed) = (spectrum.passed, spectrum.failed);
    SpectrumReport { passed, failed, statements: statements.collect() }
}
