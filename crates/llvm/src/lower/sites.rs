//! Sites: statements as the programmer sees them.

use program::{Property, Site, SiteId, Span, Trust};

use super::{KnownFile, Lowering, Numbers};
use crate::extents::{Extent, Role};
use crate::module::Location;

/// What tells sites apart.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum SiteKey {
    Made,
    Library(String),
    Statement(Location, What, bool),
    Property(SiteId, String),
}

/// What a statement does, and so which text at its position is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum What {
    /// An assignment, or a call that copies.
    Assign,
    /// A branch, and the position of what it tests.
    Condition(Option<(u32, u32)>),
    Return,
    Call,
    /// An argument of a call, by its number in the source.
    Argument(u32),
    Operand,
}

impl Lowering<'_> {
    /// The site of code that only the compiler has written.
    pub fn made(&mut self) -> SiteId {
        if let Some(&known) = self.sites.get(&SiteKey::Made) {
            return known;
        }
        let site = Site {
            span: None,
            text: "code made by the compiler".to_owned(),
            trust: Trust::Trusted,
            property: None,
        };
        let id = self.new_site(site);
        self.sites.insert(SiteKey::Made, id);
        id
    }

    /// The site of a function of the library that has no source.
    pub fn library(&mut self, function: &str) -> SiteId {
        let key = SiteKey::Library(function.to_owned());
        if let Some(&known) = self.sites.get(&key) {
            return known;
        }
        let id = self.new_site(Site {
            span: None,
            text: format!("the code of `{function}`"),
            trust: Trust::Trusted,
            property: None,
        });
        self.sites.insert(key, id);
        id
    }

    pub fn new_site(&mut self, site: Site) -> SiteId {
        self.all_sites.push(site.clone());
        self.builder.site(site)
    }

    pub fn site(&mut self, location: Option<Location>, what: What, trust: Trust) -> SiteId {
        let Some(location) = location.filter(|location| location.line > 0) else {
            return self.made();
        };
        let key = SiteKey::Statement(location, what, trust == Trust::Trusted);
        if let Some(&known) = self.sites.get(&key) {
            return known;
        }
        let (span, text) = self.text(location, what);
        if span.is_none() && trust == Trust::User {
            self.note_missing(location);
        }
        let text = text.unwrap_or_else(|| format!("line {}", location.line));
        // The code of `va_arg` is clang's; only its macro is the user's.
        let is_made = text.starts_with("va_arg") || text.starts_with("__builtin_va_arg");
        let trust = if is_made { Trust::Trusted } else { trust };
        let id = self.new_site(Site { span, text, trust, property: None });
        self.sites.insert(key, id);
        id
    }

    /// How many arguments a call has in the source.
    pub fn count_arguments(&self, location: Location) -> u32 {
        let Some((file, location)) = self.known(location) else { return 0 };
        let find = |n: &u32| {
            file.extents.find(location.line, location.column, Role::Argument(*n)).is_some()
        };
        (0..64).take_while(find).count() as u32
    }

    /// The span of what is at a place, for gaps.
    pub fn span(&self, location: Option<Location>, what: What) -> Option<Span> {
        self.text(location.filter(|location| location.line > 0)?, what).0
    }

    pub fn text(&self, location: Location, what: What) -> (Option<Span>, Option<String>) {
        let named = location;
        let Some((KnownFile { id: file, extents, text, .. }, location)) = self.known(named) else {
            return (None, None);
        };
        let there = |(line, column): (u32, u32)| {
            let (_, at) = self.known(Location { line, column, ..named })?;
            Some((at.line, at.column))
        };
        let find = |role| extents.find(location.line, location.column, role);
        let extent = match what {
            What::Assign => find(Role::Assign).or_else(|| find(Role::Call)),
            What::Condition(Some(tested)) => extents
                .find_condition((location.line, location.column), there(tested).unwrap_or(tested))
                .or_else(|| find(Role::Condition)),
            What::Condition(None) => find(Role::Condition),
            What::Return => find(Role::Return).or_else(|| find(Role::Assign)),
            What::Call => find(Role::Call),
            What::Argument(number) => find(Role::Argument(number)),
            What::Operand => find(Role::Operand),
        };
        match extent.or_else(|| find(Role::Operand)).or_else(|| token(text, location)) {
            Some(Extent { start, end, text }) => {
                let span = Span { file: *file, start: start as u32, end: end as u32 };
                (Some(span), Some(text))
            }
            None => (None, None),
        }
    }

    /// The text that a place is in, and where in it. Of lines that directives call so, it is the first with such a column.
    pub fn known(&self, location: Location) -> Option<(&KnownFile, Location)> {
        self.all_known(location).filter(|(file, at)| !file.placing.lines.is_system(at.line))
    }

    /// The same, and what comes from headers of the system.
    fn all_known(&self, location: Location) -> Option<(&KnownFile, Location)> {
        let named = self.files[location.file.index()].as_ref();
        if let Some(file) = named.filter(|file| file.placing.numbers == Numbers::Own) {
            return Some((file, location));
        }
        let name = &self.module.files.get(location.file.index())?.name;
        let has_column = |file: &KnownFile, line: u32| {
            let text = file.text.lines().nth((line as usize).wrapping_sub(1));
            text.is_some_and(|text| location.column as usize <= text.len())
        };
        let said = self.files.iter().flatten().filter(|file| file.placing.numbers == Numbers::Said);
        let mut found = said.flat_map(|file| {
            let own = named.is_some_and(|named| named.id == file.id);
            let lines = file.placing.lines.find(name, own, location.line);
            let lines = lines.filter(|line| has_column(file, *line));
            lines.map(move |line| (file, Location { line, ..location }))
        });
        found.next()
    }

    /// Says once that a source is missing.
    fn note_missing(&mut self, location: Location) {
        let Some(file) = self.module.files.get(location.file.index()) else { return };
        if !file.path().starts_with("/usr/") && self.all_known(location).is_none() {
            let name = &file.name;
            let why = "was not there to be read, so its statements are not examined";
            self.gap(None, &format!("the source {name} {why}"));
        }
    }

    /// Where a name is in a line: debug information gives declarations no columns.
    pub fn occurrences(&self, location: Location, name: &str) -> Vec<Location> {
        let index = (location.line as usize).checked_sub(1);
        let file = index.and_then(|_| self.known(location));
        let line = file.and_then(|(file, at)| file.text.lines().nth(at.line as usize - 1));
        let line = line.unwrap_or_default();
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let whole = |&(at, _): &(usize, &str)| {
            !line[..at].ends_with(is_word) && !line[at + name.len()..].starts_with(is_word)
        };
        let found = line.match_indices(name).filter(whole);
        found.map(|(at, _)| Location { column: at as u32 + 1, ..location }).collect()
    }

    /// Whether the text of a site contains that of another.
    pub fn contains(&self, outer: SiteId, inner: SiteId) -> bool {
        let span = |site: SiteId| self.all_sites.get(site.index()).and_then(|site| site.span);
        span(outer).zip(span(inner)).is_some_and(|(outer, inner)| {
            outer.file == inner.file && outer.start <= inner.start && inner.end <= outer.end
        })
    }

    /// The same statement, with what an edge of it to the error location violates.
    pub fn with_property(&mut self, site: SiteId, property: Property) -> SiteId {
        let key = SiteKey::Property(site, format!("{} {}", property.kind, property.message));
        if let Some(&known) = self.sites.get(&key) {
            return known;
        }
        let plain = self.all_sites[site.index()].clone();
        let id = self.new_site(Site { property: Some(property), ..plain });
        self.sites.insert(key, id);
        id
    }
}

/// The word or sign at a place, where the parse of the source knows nothing better.
fn token(text: &str, location: Location) -> Option<Extent> {
    let line = text.split_inclusive('\n').take((location.line as usize).checked_sub(1)?);
    let start = line.map(str::len).sum::<usize>() + (location.column as usize).checked_sub(1)?;
    let rest = text.get(start..)?;
    let word = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    let length = if word > 0 { word } else { rest.chars().next()?.len_utf8() };
    let token = rest.get(..length)?;
    (!token.trim().is_empty()).then(|| Extent {
        start,
        end: start + length,
        text: token.to_owned(),
    })
}
