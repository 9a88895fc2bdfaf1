//! Ways that come to the same.
//!
//! Whether a change of some statements helps is decided by trying all ways that it opens. In a loop there are many, and most
//! of them meet again: what was changed is overwritten, or is not read any more. What can happen next depends on the state of
//! the run only: on where it is, on what is in memory and in the world, and on what is known about the changed values that are
//! still there. The last is said by terms in symbols; these are renamed, so that it does not matter when the values were
//! assigned. If another run has been in the same state, and knows no more about the symbols, then all that can happen from
//! there is tried by it.
//!
//! *Lengths.* Runs are followed up to some length, and the other run may have come to the state later. That would not matter if it
//! never were later, but then nearly every way through a loop would be tried again, for a few instructions. So it may be later by a quarter of the
//! way from the point before, where still another run may have come in; and runs are followed for a quarter more. Who goes from
//! run to run, where they meet, is then behind by no more than a quarter of the way.

use std::hash::BuildHasher;
use std::rc::Rc;

use failure::{Failure, Look, Looks, State};
use rustc_hash::FxHashMap;
use term::{Term, Terms};

use super::knowledge::Knowledge;
use super::names::Names;
use super::runs::{Asked, Influence, Kind, Point, Run, Taken};
use super::segments::{Segment, segments};

/// By this part of the way runs may be behind.
const BEHIND: u64 = 4;

/// For how many instructions runs are followed, if all that take so many are to be tried.
pub(super) fn followed(most: u64) -> u64 {
    most.saturating_add(most.div_ceil(BEHIND))
}

/// The reverse: if runs are followed for so many instructions, or those that leave others later are not tried.
pub(super) fn claimed(followed: u64) -> u64 {
    (u128::from(followed) * u128::from(BEHIND) / u128::from(BEHIND + 1)) as u64
}

/// If more changed values would have to be looked at, no more states are.
const MOST_CHANGED: usize = 200_000;

/// The states of a run, where it could have gone another way.
#[derive(Debug, Default)]
pub(super) struct States {
    /// The number of the run.
    run: usize,
    /// By their place in the path.
    at: FxHashMap<usize, Rc<Changeable>>,
    /// Where it left another: the place, and how many instructions it took to come there.
    from: Option<(usize, u64)>,
    /// What it does to memory, from place to place; if that was looked at.
    pub segments: Vec<Segment>,
}

/// What is needed to look at memory.
pub(super) struct Closely<'a> {
    pub terms: &'a mut Terms,
    pub names: &'a mut Names,
    pub asked: Asked<'a>,
}

/// A state with values that can be changed.
#[derive(Debug)]
pub(super) struct Changeable {
    pub state: State,
    /// In the order of the state.
    pub values: Vec<Term>,
    /// By how many instructions another run may have been later.
    later: u64,
}

impl Changeable {
    /// Whether a run has been in a like state early enough, after so many instructions. If it is the same run, it may also be the
    /// same state.
    pub fn is_after(&self, effort: u64, is_same_run: bool) -> bool {
        match is_same_run {
            true => effort < self.state.effort,
            false => effort <= self.state.effort + self.later,
        }
    }
}

impl States {
    /// The states of a run after the place where it left another; with what is in memory, if it is looked at closely.
    pub fn of(
        failure: &Failure<'_>,
        run: &Run,
        influence: &Influence,
        from: Option<usize>,
        number: usize,
        closely: Option<Closely<'_>>,
    ) -> States {
        let mut states = States { run: number, ..States::default() };
        let is_asked = |point: &&Point| {
            from.is_none_or(|from| point.at > from) && !matches!(point.kind, Kind::Holds(_))
        };
        let points = influence.points.iter().filter(is_asked).map(|point| point.at);
        let mut asked: Vec<usize> = from.into_iter().chain(points).collect();
        asked.dedup();
        let mut changes = influence.values.iter().peekable();
        let mut now: FxHashMap<Term, Term> = FxHashMap::default();
        let (mut looks, mut values, mut size) = (Vec::new(), Vec::new(), 0);
        for &at in &asked {
            while let Some((_, variable, value)) = changes.next_if(|(from, ..)| *from <= at) {
                match value {
                    Some(value) => drop(now.insert(*variable, *value)),
                    None => drop(now.remove(variable)),
                }
            }
            size += now.len();
            if size > MOST_CHANGED {
                break;
            }
            looks.push(Look { at, changed: now.keys().copied().collect() });
            values.push(now.clone());
        }
        let moved = closely.is_some().then_some(&influence.moved[..]);
        let asked = Looks { places: &looks, closely: moved };
        let found = failure.states(&run.forced, run.course.trace(), asked);
        if let Some(Closely { terms, names, asked }) = closely {
            let places: Vec<usize> = looks.iter().map(|look| look.at).collect();
            let (program, names) = (failure.program, (terms, names));
            states.segments = segments(program, names, run, asked, influence, &places, &found);
        }
        let mut before = from.is_none().then_some(0);
        for ((look, values), state) in looks.iter().zip(values).zip(found.states) {
            let Some(state) = state else { continue };
            let later = (state.effort - before.unwrap_or(state.effort)) / BEHIND;
            before = Some(state.effort);
            if Some(look.at) == from {
                states.from = Some((look.at, state.effort));
            } else {
                let values = state.changed.iter().map(|variable| values[variable]).collect();
                states.at.insert(look.at, Rc::new(Changeable { state, values, later }));
            }
        }
        states
    }

    /// How many instructions it took to come to a place; 0 if that is not known.
    pub fn effort(&self, at: usize) -> u64 {
        let left = self.from.filter(|(from, _)| *from == at).map(|(_, effort)| effort);
        left.or_else(|| Some(self.at.get(&at)?.state.effort)).unwrap_or(0)
    }

    /// The state at a point.
    pub fn here(&self, point: &Point) -> Option<&Rc<Changeable>> {
        self.at.get(&point.at)
    }

    /// What goes on if something is done at a point; not if it is looked at closely.
    pub fn way(&self, point: &Point, taken: Taken<'_>) -> Option<Way<'_>> {
        let here = self.here(point).filter(|here| here.state.memory.is_none())?;
        let mut terms = here.values.clone();
        let mut next = taken;
        if let Taken::Conditions(conditions) = taken {
            terms.extend(conditions);
            next = Taken::Conditions(&[]);
        }
        let next = rustc_hash::FxBuildHasher.hash_one(next);
        Some(Way { run: self.run, here, terms, next })
    }
}

/// A way on from a state.
#[derive(Debug)]
pub(super) struct Way<'a> {
    /// The number of the run.
    run: usize,
    here: &'a Changeable,
    /// The values that can be changed, and then what is to hold.
    pub terms: Vec<Term>,
    /// What is done next.
    next: u64,
}

/// The ways that runs have taken, or are to take.
#[derive(Debug, Default)]
pub(super) struct Merging {
    known: FxHashMap<Key, Vec<Known>>,
    pub size: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Key {
    fingerprint: u64,
    next: u64,
    /// In symbols that are renamed.
    terms: Vec<Term>,
}

#[derive(Clone, Debug)]
struct Known {
    run: usize,
    effort: u64,
    about: Knowledge,
}

impl Merging {
    /// Whether another run takes this way, not much later. If not, this one does from now on. The conditions are all that hold
    /// about the symbols of the way.
    pub fn is_known(
        &mut self,
        way: Way<'_>,
        conditions: &[Term],
        terms: &mut Terms,
        renamed: &mut Renamed,
    ) -> bool {
        let (in_new_names, conditions) = renamed.rename(terms, &way.terms, conditions);
        let (run, &State { fingerprint, effort, .. }) = (way.run, &way.here.state);
        let key = Key { fingerprint, next: way.next, terms: in_new_names };
        let known = self.known.entry(key).or_default();
        let is_early = |known: &Known| way.here.is_after(known.effort, known.run == run);
        let about = Knowledge::of(terms, &conditions);
        if known.iter().any(|known| is_early(known) && about.implies(&known.about)) {
            return true;
        }
        if !known.iter().any(|own| own.run == run && own.effort == effort) {
            known.push(Known { run, effort, about });
            self.size += 1;
        }
        false
    }
}

/// New names of symbols, by the order in which they are seen.
#[derive(Default)]
struct Renaming {
    names: FxHashMap<Term, Term>,
}

impl Renaming {
    fn rename(&mut self, terms: &mut Terms, term: Term, renamed: &mut Renamed) -> Term {
        let symbols = renamed.symbols.entry(term);
        let symbols = Rc::clone(symbols.or_insert_with(|| terms.variables_of(&[term]).into()));
        let mut new = |&symbol: &Term| {
            let number = self.names.len();
            *self.names.entry(symbol).or_insert_with(|| {
                let sort = terms.sort(symbol).clone();
                terms.var(&format!("?#{number}"), &sort)
            })
        };
        let key = (term, symbols.iter().map(&mut new).collect());
        *renamed.known.entry(key).or_insert_with(|| {
            terms.substitute(term, &mut |symbol| self.names.get(&symbol).copied())
        })
    }
}

/// Terms in other symbols: the same ones are renamed again and again.
#[derive(Debug, Default)]
pub(super) struct Renamed {
    symbols: FxHashMap<Term, Rc<[Term]>>,
    /// By the new names of their symbols.
    known: FxHashMap<(Term, Vec<Term>), Term>,
}

impl Renamed {
    /// Terms and conditions in new names, the latter in order.
    pub fn rename(
        &mut self,
        terms: &mut Terms,
        some: &[Term],
        conditions: &[Term],
    ) -> (Vec<Term>, Vec<Term>) {
        let mut names = Renaming::default();
        let mut rename = |&term: &Term| names.rename(terms, term, self);
        let some = some.iter().map(&mut rename).collect();
        let mut conditions: Vec<Term> = conditions.iter().map(&mut rename).collect();
        conditions.sort_unstable();
        conditions.dedup();
        (some, conditions)
    }
}
