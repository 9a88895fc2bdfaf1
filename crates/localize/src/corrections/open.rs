//! A run that fails, and what may be otherwise in it.

use std::rc::Rc;

use failure::{Force, Forced};
use program::EdgeId;
use rustc_hash::FxHashMap;
use term::{Term, Value};

use super::Spot;
use super::explore::{Explorer, MOST_POINTS};
use super::runs::{Asked, Influence, Kind, Point, Run};
use super::search::prefix;
use super::solve::Solved;
use crate::costs;

pub(super) struct Open {
    pub run: Rc<Run>,
    pub influence: Influence,
}

/// What came of something that was forced.
pub(super) enum Came {
    Passed(Vec<Forced>),
    Open(Open),
    /// It cannot be followed.
    Lost,
}

impl Explorer<'_> {
    /// What comes of a change, where these statements are free.
    pub(super) fn came_of(&mut self, forced: Vec<Forced>, spots: &[Spot]) -> Came {
        match self.run(forced.clone()) {
            Ok(Some(run)) => self.open(run, spots),
            Ok(None) => Came::Passed(forced),
            Err(_) => Came::Lost,
        }
    }

    fn open(&mut self, run: Rc<Run>, spots: &[Spot]) -> Came {
        let terms = self.terms.len();
        let asked = Asked { spots, pointers: &self.pointers, stays: false, others: &[] };
        let influence = run.influence(self.failure.program, &mut self.terms, asked);
        self.solving.spend(self.terms.len() - terms, costs::TERM);
        self.solving.spend(run.course.trace().steps.len(), costs::LOOK);
        match influence.lost {
            None if influence.points.len() <= MOST_POINTS => Came::Open(Open { run, influence }),
            _ => Came::Lost,
        }
    }
}

impl Open {
    /// The points where something may be otherwise.
    pub fn points(&self) -> &[Point] {
        &self.influence.points
    }

    /// The edge that is taken at a point, if it decides where to go.
    pub fn taken(&self, point: &Point) -> Option<EdgeId> {
        let decides = matches!(point.kind, Kind::Free { .. } | Kind::Decides(_));
        self.run.course.trace().path.get(point.at).copied().filter(|_| decides)
    }

    /// What must be forced so that this edge is taken at the point with a number; or if none is named, so that its condition does not
    /// hold, or something else is printed.
    pub fn otherwise(
        &self,
        explorer: &mut Explorer<'_>,
        number: usize,
        way: Option<EdgeId>,
    ) -> Option<Vec<Forced>> {
        let (earlier, point) = (&self.points()[..number], self.points().get(number)?);
        let mut before: Vec<Term> =
            earlier.iter().filter_map(|point| point.kind.condition()).collect();
        let (mut values, mut last) = (Vec::new(), None);
        match (way, &point.kind) {
            (Some(edge), _) => last = Some(Forced { at: point.at, what: Force::Edge(edge) }),
            (None, Kind::Print) => last = Some(Forced { at: point.at, what: Force::Output }),
            (None, &Kind::Decides(condition)) => {
                let now: FxHashMap<Term, Value> =
                    self.run.values_of(&self.influence, &explorer.terms);
                let goal = explorer.terms.not(condition);
                let (terms, solving) = (&mut explorer.terms, &mut explorer.solving);
                match solving.solve(terms, &before, &[goal], &now) {
                    Solved::Values(found) => values = found,
                    Solved::Impossible | Solved::Unknown => return None,
                }
                before.push(goal);
            }
            _ => return None,
        }
        let (run, influence) = (&self.run, &self.influence);
        let mut forced = prefix(run, influence, point, &before, &values, &[], &explorer.terms);
        forced.extend(last);
        Some(forced)
    }

    /// What must be forced so that it does not fail where it does.
    pub fn prevented(&self, explorer: &mut Explorer<'_>) -> Option<Vec<Forced>> {
        let number = self.points().len().checked_sub(1)?;
        let (point, steps) = (&self.points()[number], &self.run.course.trace().steps);
        let is_last = match point.kind {
            Kind::Print => steps.last().is_some_and(|last| last.at as usize == point.at),
            _ => point.step + 1 == steps.len(),
        };
        is_last.then(|| self.otherwise(explorer, number, None))?
    }
}
