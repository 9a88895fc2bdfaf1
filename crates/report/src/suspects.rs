//! The ranked suspects in the terms of the source: each with its evidence.

use failure::{After, Step};
use localize::changes::Change;
use localize::rank::{self, Clue};
use localize::relevance::Role;
use localize::{Diagnosis, RelevanceDiagnosis};
use program::{FailureKind, SiteId};

use crate::causes::CauseTree;
use crate::changes::instead_text;
use crate::invariants::InvariantsReport;
use crate::places::{location, site_location, statement_text, step_location, wording};
use crate::report::{EvidenceReport, Executions, Location, ScoreTerm, Suspect, Wording};
use crate::sentences::{Evidence, what_happened, why};
use crate::story::Story;

/// A longer formula says nothing in a sentence.
const LONGEST_FORMULA: usize = 60;

/// What the suspects are made of.
pub struct Sources<'a> {
    pub stories: &'a [Story<'a>],
    pub diagnosis: &'a Diagnosis,
    pub tree: Option<&'a CauseTree>,
    pub invariants: Option<&'a InvariantsReport>,
    /// The numbers of the solutions, in their order.
    pub solutions: Vec<usize>,
}

/// The suspects, best first.
pub fn suspects(ranked: &[rank::Suspect], sources: &Sources<'_>) -> Vec<Suspect> {
    // Who is suspected without a reason is not named.
    let told = ranked.iter().filter_map(|suspect| sources.suspect(suspect));
    let told = told.filter(|suspect| !suspect.evidence.is_empty());
    (1..).zip(told).map(|(rank, suspect)| Suspect { rank, ..suspect }).collect()
}

impl Sources<'_> {
    fn suspect(&self, ranked: &rank::Suspect) -> Option<Suspect> {
        let story = self.stories.first()?;
        let relevant = self.diagnosis.relevance.as_ref().and_then(|it| self.relevant(it, ranked));
        let (evidence, executions, role) = self.evidence(ranked, relevant.as_ref());
        let step = match &relevant {
            Some(found) if Some(found.0.step().site) == ranked.site => {
                Some((found.0.story, found.0.step()))
            }
            _ => ranked.site.and_then(|site| step_of(story, site)).map(|step| (story, step)),
        };
        let program = story.failure.program;
        let (location, statement, wording) = match step {
            Some((story, step)) => {
                (step_location(story, step), statement_text(story, step), wording(program, step))
            }
            None => {
                let text = program.file(ranked.span).slice(ranked.span).to_owned();
                (Some(location(program, ranked.span)), text, Wording::Code)
            }
        };
        Some(Suspect {
            rank: 0,
            location,
            statement,
            wording,
            role,
            score: ranked.score,
            terms: terms(ranked),
            why: evidence.first().map_or_else(String::new, |first| first.text.clone()),
            techniques: evidence.iter().map(|it| it.technique).collect(),
            fix: ranked.fixes.first().map(|number| number + 1),
            fixes: ranked.fixes.iter().map(|number| number + 1).collect(),
            evidence,
            executions,
        })
    }

    /// What the techniques say about it, the most convincing first.
    fn evidence(
        &self,
        ranked: &rank::Suspect,
        relevant: Option<&(Evidence<'_>, String)>,
    ) -> (Vec<EvidenceReport>, Option<Executions>, Option<Role>) {
        // What is underlined comes first.
        let is_underlined =
            relevant.is_some_and(|(found, _)| Some(found.step().site) == ranked.site);
        let relevance = ("relevance", relevant.map(|(_, sentence)| sentence.clone()));
        let cascade = ("cascade", self.causes(ranked));
        let [first, second] = match is_underlined {
            true => [relevance, cascade],
            false => [cascade, relevance],
        };
        let sentences = [
            ("repair", self.repaired(ranked)),
            ("changes", self.changed(ranked)),
            first,
            second,
            ("error-invariants", self.needed(ranked)),
            ("spectrum", self.spectrum(ranked)),
            ("slice", self.depends(ranked)),
            ("slice", skipped(ranked)),
            ("slice", self.fails(ranked)),
        ];
        let evidence = sentences
            .into_iter()
            .filter_map(|(technique, text)| Some(EvidenceReport { technique, text: text? }))
            .collect();
        let found = relevant.map(|(found, _)| found);
        (evidence, found.and_then(|it| it.executions), found.map(|it| it.role))
    }

    /// The last relevant part of the statement, and the sentence about it.
    fn relevant<'a>(
        &'a self,
        relevance: &'a RelevanceDiagnosis,
        ranked: &rank::Suspect,
    ) -> Option<(Evidence<'a>, String)> {
        let statements = relevance.statements.iter().filter(|it| ranked.sites.contains(&it.site));
        let found =
            statements.filter_map(|it| Some((it, Evidence::of(self.stories, relevance, it)?)));
        let (statement, evidence) = found.max_by_key(|(it, evidence)| {
            let passes = it.best().is_some_and(|it| it.after == After::Passes);
            (passes, Some(it.site) == ranked.site, evidence.at)
        })?;
        let sentence = why(statement, &evidence, self.stories.len());
        Some((evidence, sentence))
    }

    fn repaired(&self, ranked: &rank::Suspect) -> Option<String> {
        let number = *self.solutions.get(*ranked.fixes.first()?)?;
        Some(crate::repair::sentence(&self.diagnosis.repair.as_ref()?.solutions[number]))
    }

    fn changed(&self, ranked: &rank::Suspect) -> Option<String> {
        let found = &self.diagnosis.changes.as_ref()?.found;
        // That the right output would be right says nothing.
        let own = found.iter().filter(|it| ranked.sites.contains(&it.site) && !it.prints());
        let change = own.max_by_key(|it: &&Change| Some(it.site) == ranked.site)?;
        let passes = match self.stories.len() {
            1 => "nothing fails".to_owned(),
            2 => "both failing runs pass".to_owned(),
            n => format!("all {n} failing runs pass"),
        };
        let story = self.stories.first()?;
        let with = match change.decides() {
            true => "decided the other way".to_owned(),
            false => format!("with {}", instead_text(story, change)),
        };
        let often = match change.passing.iter().map(|it| it.executions).max() {
            None | Some(0 | 1) => String::new(),
            Some(n) => format!(" (in {n} executions)"),
        };
        let happened = match change.decides() {
            true => self.held(&site_location(story.failure.program, change.site)?),
            false => {
                let steps = &story.failure.trace.steps;
                let last = steps.iter().rposition(|step| step.site == change.site);
                last.and_then(|step| what_happened(story, step))
            }
        };
        let happened = happened.map_or_else(String::new, |it| format!("{it}; "));
        Some(format!("{happened}{with}{often}, {passes}"))
    }

    /// What a decision in the tree of causes found.
    fn held(&self, location: &Location) -> Option<String> {
        let causes = &self.tree?.causes;
        let cause = causes.iter().skip(1).find(|it| it.location.as_ref() == Some(location))?;
        Some(cause.held.clone())
    }

    fn causes(&self, ranked: &rank::Suspect) -> Option<String> {
        let tree = self.tree?;
        let program = self.stories.first()?.failure.program;
        let own: Vec<Location> =
            ranked.sites.iter().filter_map(|&site| site_location(program, site)).collect();
        let is_own = |it: &Option<Location>| it.as_ref().is_some_and(|it| own.contains(it));
        for (number, cause) in tree.causes.iter().enumerate() {
            if number > 0 && is_own(&cause.location) {
                return Some(cause.why.clone());
            }
            if let Some(statement) = cause.statements.iter().find(|it| is_own(&it.location)) {
                let did = Some(statement.value.as_str()).filter(|value| !value.is_empty())?;
                let line = match (number, &cause.location) {
                    (0, _) | (_, None) => "of the failure".to_owned(),
                    (_, Some(at)) => format!("of `{}` in line {}", cause.condition, at.start.line),
                };
                return Some(format!("`{did}` came from here, a cause {line}"));
            }
        }
        None
    }

    fn needed(&self, ranked: &rank::Suspect) -> Option<String> {
        let report = self.invariants?;
        let program = self.stories.first()?.failure.program;
        let lines: Vec<Location> =
            ranked.sites.iter().filter_map(|&site| site_location(program, site)).collect();
        let number = report
            .kept
            .iter()
            .position(|kept| kept.location.as_ref().is_some_and(|at| lines.contains(at)))?;
        let after = report.invariants.get(number + 1)?;
        let formula = after.text();
        let says_much = !after.parts.is_empty() && formula.chars().count() <= LONGEST_FORMULA;
        Some(match says_much {
            false => "it is needed for the failure".to_owned(),
            true => format!("it is needed for the failure: after it, `{formula}` holds"),
        })
    }

    fn spectrum(&self, ranked: &rank::Suspect) -> Option<String> {
        let spectrum = self.diagnosis.spectrum.as_ref()?;
        let own = spectrum.statements.iter().filter(|it| ranked.sites.contains(&it.site));
        let best = own.filter(|it| it.failed > 0).max_by_key(|it| it.failed)?;
        // What passing tests execute as often says nothing.
        let (failed, passed) = (u64::from(best.failed), u64::from(best.passed));
        let tells = failed * u64::from(spectrum.passed) > passed * u64::from(spectrum.failed);
        if !tells {
            return None;
        }
        Some(format!(
            "executed by {} of {} failing tests and {} of {} passing ones",
            best.failed, spectrum.failed, best.passed, spectrum.passed
        ))
    }

    fn depends(&self, ranked: &rank::Suspect) -> Option<String> {
        let slices = self.diagnosis.slice.as_ref()?;
        let own = |sites: &[SiteId]| ranked.sites.iter().any(|site| sites.contains(site));
        let story = self.stories.first()?;
        let steps = &story.failure.trace.steps;
        let is_own = |step: &Step| ranked.sites.contains(&step.site);
        let happened = steps.iter().rposition(is_own).and_then(|at| what_happened(story, at));
        if let Some(happened) = happened.filter(|_| own(&slices.dynamic)) {
            return Some(format!("{happened}, on which the failure depends"));
        }
        own(&slices.relevant).then(|| {
            "the failure may depend on it: decided otherwise, something else happens".to_owned()
        })
    }

    /// That the output went wrong there.
    fn fails(&self, ranked: &rank::Suspect) -> Option<String> {
        let failure = self.stories.first()?.failure;
        let is_own = ranked.sites.contains(&failure.site());
        let is_output = failure.property.kind == FailureKind::WrongOutput;
        (is_own && is_output)
            .then(|| format!("here the output went wrong: {}", failure.property.message))
    }
}

/// Why it was not executed.
fn skipped(ranked: &rank::Suspect) -> Option<String> {
    let line = ranked.skipped?;
    Some(format!("it was not executed when it failed: line {line} decided otherwise"))
}

/// An execution of a statement in the failing run.
fn step_of<'s>(story: &'s Story<'_>, site: SiteId) -> Option<&'s Step> {
    story.failure.trace.steps.iter().rfind(|step| step.site == site)
}

fn terms(ranked: &rank::Suspect) -> Vec<ScoreTerm> {
    let term = |&(clue, amount): &(Clue, f64)| ScoreTerm {
        name: clue.name(),
        meaning: clue.meaning(),
        amount,
        points: clue.weight() * amount,
    };
    ranked.clues.iter().map(term).collect()
}
