//! What must be in memory so that a run goes on as it does.
//!
//! A run that prints `a[0] * b[0]` and fails because that is not 19 would fail with many other numbers in the arrays. So of what
//! is loaded from memory it is not asked that it be the same, but that the conditions hold in which it ends up: here, that the
//! product is not 19. They are found as for [changed values](super::runs): at each place of a run that is looked at, the cells that are
//! loaded from there on, up to the next place, get other values, which are symbols, and these are followed.
//!
//! The part of a run between two places is a *segment*. It has conditions over what is in memory where it begins, and says what it
//! writes, as terms over the same. So what is needed where it ends can be said about where it begins. What has a part in
//! anything else must be the same: in a condition that also depends on what is changed, in a variable that is still there at the next
//! place, in what the library or the world read.

use std::iter::Peekable;
use std::rc::Rc;
use std::slice;

use failure::{Areas, Passage, Touched};
use program::{Memory, Program, Statement};
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Term, Terms, Value};

use super::names::Names;
use super::runs::{Asked, Influence, Kind, Point, Run};
use crate::what_if::Source;

/// Larger conditions are not kept: what they are about must be the same.
const LARGEST: usize = 60;
/// Nor are more at a place. In a loop, there may always be one more.
const MOST: usize = 150;

/// What is needed from a place on.
#[derive(Clone, Debug, Default)]
pub(super) struct Needed {
    /// What must be the same.
    pub areas: Areas,
    /// What must hold, in order.
    pub conditions: Vec<Term>,
}

impl Needed {
    fn is_empty(&self) -> bool {
        self.areas.is_empty() && self.conditions.is_empty()
    }

    /// Adds more; what of it is new.
    pub fn join(&mut self, more: &Needed, terms: &Terms, names: &Names) -> Option<Needed> {
        let mut new = Needed::default();
        if self.areas.join(&more.areas) {
            new.areas = more.areas.clone();
        }
        for &condition in &more.conditions {
            let mut areas = names.areas_of(terms, condition);
            // Otherwise it holds, because they are the same.
            if areas.any(|(begin, end)| !self.areas.has(begin, end))
                && let Err(at) = self.conditions.binary_search(&condition)
            {
                self.conditions.insert(at, condition);
                new.conditions.push(condition);
            }
        }
        if self.conditions.len() > MOST {
            let mut areas = Areas::default();
            for condition in std::mem::take(&mut self.conditions) {
                areas.extend(names.areas_of(terms, condition));
            }
            self.areas.join(&areas);
            new.areas.join(&areas);
            new.conditions.clear();
        }
        (!new.is_empty()).then_some(new)
    }

    /// Adds a condition; or else, what it is about must be the same.
    fn admit(&mut self, terms: &Terms, names: &Names, condition: Term) {
        if terms.is_true(condition) {
            return;
        }
        let variables = terms.variables_of(&[condition]);
        let areas: Vec<(u64, u64)> = variables.iter().filter_map(|&v| names.area(v)).collect();
        let is_known = areas.len() == variables.len() && !areas.is_empty();
        if !is_known || terms.reachable(&[condition]).len() > LARGEST {
            self.areas.extend(areas);
        } else if let Err(at) = self.conditions.binary_search(&condition) {
            self.conditions.insert(at, condition);
        }
    }
}

/// The part of a run from a place to the next, or to its end.
#[derive(Clone, Debug)]
pub(super) struct Segment {
    /// Where it begins: the index in the path.
    pub at: usize,
    touched: Touched,
    /// What it needs by itself.
    needed: Needed,
    /// What cells have where it ends if it writes them.
    written: FxHashMap<Term, Term>,
    /// All cells that are known in the run.
    known: Rc<FxHashSet<(u64, u64)>>,
}

impl Segment {
    fn plain(at: usize, touched: &Touched) -> Segment {
        let touched = touched.clone();
        let mut areas = touched.read.clone();
        areas.join(&touched.loaded);
        let needed = Needed { areas, ..Needed::default() };
        Segment { at, touched, needed, written: FxHashMap::default(), known: Rc::default() }
    }

    /// What is needed where it begins, if this is needed where it ends.
    pub fn needed(&self, terms: &mut Terms, names: &Names, later: &Needed) -> Needed {
        let mut needed = self.before(terms, names, later);
        needed.join(&self.needed, terms, names);
        needed
    }

    /// The same without what it needs by itself.
    pub fn before(&self, terms: &mut Terms, names: &Names, later: &Needed) -> Needed {
        let areas = self.touched.before(later.areas.clone());
        let mut needed = Needed { areas, conditions: Vec::new() };
        for (&name, &value) in &self.written {
            if names.area(name).is_some_and(|(begin, end)| later.areas.meets(begin, end)) {
                needed.areas.extend(names.areas_of(terms, value));
            }
        }
        for &condition in &later.conditions {
            if names.areas_of(terms, condition).any(|area| self.is_open(area)) {
                let mut areas = Areas::default();
                areas.extend(names.areas_of(terms, condition));
                needed.areas.join(&self.touched.before(areas));
                needed.areas.join(&self.touched.loaded);
                continue;
            }
            let before = terms.substitute(condition, &mut |name| self.written.get(&name).copied());
            needed.admit(terms, names, before);
        }
        needed
    }

    /// What is needed where it begins if this is needed somewhere in it.
    pub fn before_a_part(&self, terms: &Terms, names: &Names, later: &Needed) -> Needed {
        let mut areas = later.areas.clone();
        areas.join(&self.touched.loaded);
        areas.extend(later.conditions.iter().flat_map(|&c| names.areas_of(terms, c)));
        Needed { areas, conditions: Vec::new() }
    }

    /// Whether something is written in an area, and it is not known what.
    fn is_open(&self, (begin, end): (u64, u64)) -> bool {
        self.touched.written.meets(begin, end) && !self.known.contains(&(begin, end))
    }
}

/// The segments of a run, from the first place on; and this is the influence of what is changed.
pub(super) fn segments(
    program: &Program,
    (terms, names): (&mut Terms, &mut Names),
    run: &Run,
    asked: Asked<'_>,
    influence: &Influence,
    places: &[usize],
    passage: &Passage,
) -> Vec<Segment> {
    let places = &places[..places.len().min(passage.touched.len())];
    let mut segments: Vec<Segment> =
        places.iter().zip(&passage.touched).map(|(&at, own)| Segment::plain(at, own)).collect();
    let steps = &run.course.trace().steps;
    let begins = places.iter().map(|&at| steps.partition_point(|step| (step.at as usize) < at));
    let begins: Vec<usize> = begins.collect();
    let mut symbols = Symbols {
        run,
        places,
        begins,
        passage,
        values: FxHashMap::default(),
        cells: vec![Vec::new(); places.len()],
    };
    let sources = symbols.sources(terms, names, influence);
    if sources.is_empty() {
        return segments;
    }
    let closer = run.influence(program, terms, Asked { others: &sources, ..asked });
    if closer.lost.is_none() && closer.moved == influence.moved {
        let (values, points) = (closer.values.iter().peekable(), closer.points.iter().peekable());
        let (now, segments) = (FxHashMap::default(), &mut segments);
        let filling = Filling { program, terms, names, symbols, values, points, now, segments };
        filling.fill();
    }
    segments
}

/// What has symbols, and where.
struct Symbols<'a> {
    run: &'a Run,
    /// In the path.
    places: &'a [usize],
    /// The same in the trace.
    begins: Vec<usize>,
    passage: &'a Passage,
    /// What symbols are in the run.
    values: FxHashMap<Term, Term>,
    /// By place, the cells that have symbols.
    cells: Vec<Vec<(Term, (u64, u64))>>,
}

/// Whether a number may be a pointer: these are not followed by anybody.
fn is_pointer(value: &Value) -> bool {
    matches!(value, Value::BitVec(bits) if bits.width() == 64 && bits.unsigned() >> 32 != 0)
}

impl Symbols<'_> {
    /// The cells that are used in a segment get symbols where it begins, if they have been written, are defined, and do not depend on
    /// changes. What was never written may be read by calls of the library that are not in the trace.
    fn sources(
        &mut self,
        terms: &mut Terms,
        names: &mut Names,
        influence: &Influence,
    ) -> Vec<Source> {
        let mut used: Vec<Vec<(Term, (u64, u64))>> = vec![Vec::new(); self.places.len()];
        for &(cell, area) in self.run.course.cells() {
            let mut last = None;
            for &step in self.run.course.uses.of_variable(cell) {
                let segment = self.begins.partition_point(|&begin| begin <= step as usize);
                let segment = segment.checked_sub(1);
                if let Some(segment) = segment.filter(|_| segment != last) {
                    used[segment].push((cell, area));
                }
                last = segment;
            }
        }
        let mut changes = influence.values.iter().peekable();
        let mut changed: FxHashSet<Term> = FxHashSet::default();
        let mut sources = Vec::new();
        for (place, used) in used.into_iter().enumerate() {
            let at = self.places[place];
            while let Some((_, variable, value)) = changes.next_if(|(from, ..)| *from <= at) {
                match value {
                    Some(_) => changed.insert(*variable),
                    None => changed.remove(variable),
                };
            }
            let state = self.passage.states[place].as_ref();
            let Some(memory) = state.and_then(|state| state.memory.as_ref()) else { continue };
            let step = self.begins[place];
            for (cell, area) in used {
                let is_plain = self.passage.is_written(area.0, at) && !changed.contains(&cell);
                let sort = terms.sort(cell).clone();
                let value = memory.value(area, &sort).filter(|_| is_plain);
                let Some(value) = value.filter(|value| !is_pointer(value)) else { continue };
                let value = terms.constant(&value);
                if self.run.before(step, cell) != value {
                    continue;
                }
                let name = names.name(terms, area, &sort);
                let element = names.symbol(terms, place, name);
                self.values.insert(element, value);
                self.cells[place].push((cell, area));
                sources.push(Source { step, variable: Some(cell), element });
            }
        }
        sources
    }
}

/// Fills segments with what became of the symbols.
struct Filling<'f, 'a> {
    program: &'f Program,
    terms: &'f mut Terms,
    names: &'f mut Names,
    symbols: Symbols<'a>,
    values: Peekable<slice::Iter<'f, (usize, Term, Option<Term>)>>,
    points: Peekable<slice::Iter<'f, Point>>,
    /// What variables are that depend on symbols or changes.
    now: FxHashMap<Term, Term>,
    segments: &'f mut [Segment],
}

impl Filling<'_, '_> {
    fn fill(mut self) {
        let (run, places) = (self.symbols.run, self.symbols.places);
        let known: Rc<FxHashSet<(u64, u64)>> =
            Rc::new(run.course.cells().iter().map(|(_, area)| *area).collect());
        let compared = run.course.compared();
        self.go(places[0], None);
        for place in 0..places.len() {
            self.segments[place].known = Rc::clone(&known);
            let older = self.begin(place);
            let next = places.get(place + 1).copied();
            let path = &run.course.trace().path;
            let own = places[place]..next.unwrap_or(path.len());
            for (at, &edge) in path.iter().enumerate().take(own.end).skip(own.start) {
                let given = match &self.program.edge(edge).statement {
                    // What is printed is in conditions.
                    Statement::External { .. } if compared.contains(&at) => continue,
                    Statement::External { arguments, .. }
                    | Statement::CallPointer { arguments, .. } => arguments.as_slice(),
                    Statement::Memory(Memory::Alloc { size, .. }) => slice::from_ref(size),
                    _ => continue,
                };
                self.go(at, Some(place));
                let given = self.program.terms.variables_of(given);
                self.keep(|(_, variable)| given.contains(&variable));
            }
            self.go(next.unwrap_or(usize::MAX), Some(place));
            self.conditions(place, &older);
            if next.is_some() {
                self.end(place, &older);
            }
        }
    }

    /// Goes on to an index in the path, within a segment or before the first.
    fn go(&mut self, to: usize, place: Option<usize>) {
        let names = &self.names;
        while let Some((_, variable, value)) = self.values.next_if(|(from, _, value)| {
            let origin = value.and_then(|value| names.origin(value));
            *from <= to && origin.is_none_or(|(own, _)| place.is_some_and(|place| own <= place))
        }) {
            match value {
                Some(value) => self.now.insert(*variable, *value),
                None => self.now.remove(variable),
            };
        }
    }

    /// A segment begins: what it reads by itself; and what cells have since an earlier place.
    fn begin(&mut self, place: usize) -> Vec<((u64, u64), Term)> {
        let own = &mut self.segments[place];
        let (mut loaded, mut areas) = (own.touched.loaded.clone(), own.touched.read.clone());
        for (cell, (begin, end)) in &self.symbols.cells[place] {
            loaded.take_away(*begin, *end);
            self.now.remove(cell);
        }
        areas.join(&loaded);
        own.needed.areas = areas;
        let cells = self.symbols.run.course.cells().iter();
        cells.filter_map(|(cell, area)| Some((*area, *self.now.get(cell)?))).collect()
    }

    /// The conditions of a segment.
    fn conditions(&mut self, place: usize, older: &[((u64, u64), Term)]) {
        let begins = &self.symbols.begins;
        let (begin, end) = (begins[place], begins.get(place + 1).copied().unwrap_or(usize::MAX));
        while let Some(point) = self.points.next_if(|point| point.step < end) {
            let (Kind::Decides(condition) | Kind::Holds(condition) | Kind::Pinned(condition)) =
                point.kind
            else {
                continue;
            };
            if point.step >= begin {
                let condition = self.here(place, condition, older);
                debug_assert!(self.may_hold(place, condition), "what holds in a run, holds");
                self.segments[place].needed.admit(self.terms, self.names, condition);
            }
        }
    }

    /// Whether a condition holds in the state at a place, if it says something about it.
    fn may_hold(&self, place: usize, condition: Term) -> bool {
        let state = self.symbols.passage.states[place].as_ref();
        let mut variables = self.terms.variables_of(&[condition]).into_iter();
        let is_known = variables.all(|variable| self.names.area(variable).is_some());
        let memory = state.and_then(|state| state.memory.as_ref()).filter(|_| is_known);
        memory.is_none_or(|memory| self.names.hold(self.terms, &[condition], memory))
    }

    /// A segment ends where another begins: what must be the same because it is in variables, and what was written.
    fn end(&mut self, place: usize, older: &[((u64, u64), Term)]) {
        let state = self.symbols.passage.states[place + 1].as_ref();
        let live = state.map(|state| state.live.as_slice());
        self.keep(|origin| live.is_none_or(|live| live.contains(&origin)));
        let (run, end) = (self.symbols.run, self.symbols.begins[place + 1]);
        for &(cell, area) in run.course.cells() {
            if !self.segments[place].touched.written.meets(area.0, area.1) {
                continue;
            }
            let value = match self.now.get(&cell) {
                Some(&value) => self.here(place, value, older),
                None => run.before(end, cell),
            };
            let sort = self.terms.sort(cell).clone();
            let name = self.names.name(self.terms, area, &sort);
            self.segments[place].written.insert(name, value);
        }
    }

    /// What some variables are now must be the same: those of activations for which it is said, and all that are not of one. Cells are
    /// none.
    fn keep(&mut self, is_kept: impl Fn((u32, Term)) -> bool) {
        let course = &self.symbols.run.course;
        let origins = &course.trace().origins;
        for (variable, &value) in &self.now {
            let is_kept = match origins.get(variable) {
                Some(&origin) => is_kept(origin),
                None => !course.is_cell(*variable),
            };
            for symbol in self.terms.variables_of(&[value]).into_iter().filter(|_| is_kept) {
                if let Some((place, name)) = self.names.origin(symbol)
                    && let Some((begin, end)) = self.names.area(name)
                {
                    self.segments[place].needed.areas.add(begin, end);
                }
            }
        }
    }

    /// A term by names, as of a place. What symbols were at an earlier one is as it was: it is in variables, which are
    /// the same, or still in cells, which must be.
    fn here(&mut self, place: usize, term: Term, older: &[((u64, u64), Term)]) -> Term {
        let mut instead: FxHashMap<Term, Term> = FxHashMap::default();
        for symbol in self.terms.variables_of(&[term]) {
            let Some((own, name)) = self.names.origin(symbol) else { continue };
            if own == place {
                instead.insert(symbol, name);
                continue;
            }
            for ((begin, end), value) in older {
                if self.terms.mentions(*value, symbol) {
                    self.segments[place].needed.areas.add(*begin, *end);
                }
            }
            instead.extend(self.symbols.values.get(&symbol).map(|value| (symbol, *value)));
        }
        self.terms.substitute(term, &mut |symbol| instead.get(&symbol).copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use term::Sort;

    const WORD: Sort = Sort::BitVec(32);

    fn areas(parts: &[(u64, u64)]) -> Areas {
        let mut areas = Areas::default();
        areas.extend(parts.iter().copied());
        areas
    }

    /// A segment that writes these areas, and loads those.
    fn segment(written: &[(u64, u64)], loaded: &[(u64, u64)]) -> Segment {
        let (written, loaded) = (areas(written), areas(loaded));
        Segment::plain(0, &Touched { loaded, read: Areas::default(), written })
    }

    fn number(terms: &mut Terms, number: u128) -> Term {
        terms.constant(&Value::bitvec(32, number))
    }

    #[test]
    fn conditions_are_about_what_was_before() {
        let (mut terms, mut names) = (Terms::new(), Names::default());
        let [a, b, c] = [0, 4, 8].map(|at| names.name(&mut terms, (at, at + 4), &WORD));
        let (two, five) = (number(&mut terms, 2), number(&mut terms, 5));
        // a = b + 2, and what c becomes is not known.
        let mut own = segment(&[(0, 4), (8, 12)], &[(20, 24)]);
        own.known = Rc::new(FxHashSet::from_iter([(0, 4), (4, 8)]));
        own.written.insert(a, terms.add(&[b, two]));
        let conditions = vec![terms.eq(a, five)];
        let later = Needed { areas: areas(&[(0, 4), (30, 32)]), conditions };
        let before = own.before(&mut terms, &names, &later);
        let three = number(&mut terms, 3);
        let expected = terms.eq(b, three);
        assert_eq!(before.conditions, [expected]);
        assert_eq!(before.areas, areas(&[(4, 8), (30, 32)]));
        // Nothing can be said about c, so what it may come from must be the same.
        let conditions = vec![terms.eq(c, b)];
        let later = Needed { areas: Areas::default(), conditions };
        let before = own.before(&mut terms, &names, &later);
        assert_eq!(before.areas, areas(&[(4, 8), (20, 24)]));
        assert!(before.conditions.is_empty());
        let before = own.before_a_part(&terms, &names, &later);
        assert_eq!(before.areas, areas(&[(4, 12), (20, 24)]));
    }

    #[test]
    fn what_must_be_the_same_needs_no_condition() {
        let (mut terms, mut names) = (Terms::new(), Names::default());
        let a = names.name(&mut terms, (0, 4), &WORD);
        let of = |terms: &mut Terms, value: u128| {
            let value = number(terms, value);
            let equal = terms.eq(a, value);
            let conditions = vec![terms.not(equal)];
            Needed { areas: Areas::default(), conditions }
        };
        let mut needed = Needed::default();
        for value in 0..MOST as u128 {
            let more = of(&mut terms, value);
            assert_eq!(needed.join(&more, &terms, &names).unwrap().conditions, more.conditions);
            assert!(needed.join(&more, &terms, &names).is_none());
        }
        assert!(needed.areas.is_empty());
        // There is one more, and another: no more conditions are kept.
        let more = of(&mut terms, MOST as u128);
        let new = needed.join(&more, &terms, &names).unwrap();
        assert_eq!((new.areas, new.conditions.len()), (areas(&[(0, 4)]), 0));
        assert!(needed.conditions.is_empty());
        let more = of(&mut terms, MOST as u128 + 1);
        assert!(needed.join(&more, &terms, &names).is_none());
    }

    #[test]
    fn what_depends_on_changes_must_be_the_same() {
        let (mut terms, mut names) = (Terms::new(), Names::default());
        let a = names.name(&mut terms, (0, 4), &WORD);
        let changed = terms.var("?1", &WORD);
        let (mut needed, condition) = (Needed::default(), terms.eq(a, changed));
        needed.admit(&terms, &names, condition);
        assert_eq!((needed.areas, needed.conditions.len()), (areas(&[(0, 4)]), 0));
    }
}
