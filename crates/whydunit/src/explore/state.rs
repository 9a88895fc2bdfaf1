//! What the view shows, and how actions change it. There is no terminal here.

use report::{CauseReport, CauseTree, InfluenceReport, InstanceReport};

use super::graph::{Graph, Shape};

/// How many columns the source moves sideways at once.
const SIDEWAYS: isize = 8;

/// What the user can ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    Up,
    Down,
    /// Closes the entry; if it is closed, goes to the one above it.
    Out,
    /// Opens the entry; if it is open, goes to the first one below it.
    In,
    First,
    Last,
    /// Opens or closes an entry, follows a reference.
    Toggle,
    OpenAll,
    CloseAll,
    Instances,
    Values,
    Benign,
    Hiding,
    Next,
    Previous,
    Follow,
    Back,
    SourceUp,
    SourceDown,
    SourceLeft,
    SourceRight,
    DetailsUp,
    DetailsDown,
    Help,
}

/// A line of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    pub what: What,
    /// The entry that it is, or refers to.
    pub cause: usize,
    /// The entry that it stands below.
    pub under: Option<usize>,
    pub depth: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    Entry,
    /// The entry stands elsewhere.
    Reference,
    /// One execution of its condition; an index.
    Instance(usize),
}

/// What the user thinks of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opinion {
    Suspect,
    Benign,
    /// It leads to the failure only through benign entries.
    Pruned,
}

/// What is done with benign entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hiding {
    Grey,
    Hidden,
}

/// Whether values are shown beside the statements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    Shown,
    Hidden,
}

/// How far the panes are scrolled. Who draws knows how much there is, and corrects it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct View {
    pub tree_top: usize,
    /// Lines and columns away from where the cause is seen best.
    pub source_down: isize,
    pub source_right: isize,
    pub source_rows: usize,
    pub details_top: usize,
}

#[derive(Debug)]
pub struct State<'t> {
    pub tree: &'t CauseTree,
    pub values: Values,
    pub hiding: Hiding,
    pub is_help_open: bool,
    /// What has to be said about the last action.
    pub notice: String,
    pub view: View,
    graph: Graph,
    referrers: Vec<Vec<usize>>,
    shape: Shape,
    is_open: Vec<bool>,
    has_instances_shown: Vec<bool>,
    benign: Vec<bool>,
    pruned: Vec<bool>,
    rows: Vec<Row>,
    selected: usize,
    /// Where references were followed.
    came_from: Vec<Row>,
}

impl<'t> State<'t> {
    /// The failure, and what influences it directly.
    pub fn new(tree: &'t CauseTree) -> State<'t> {
        let count = tree.causes.len();
        let graph = Graph::new(tree);
        let mut state = State {
            tree,
            values: Values::Shown,
            hiding: Hiding::Grey,
            is_help_open: false,
            notice: String::new(),
            view: View::default(),
            referrers: graph.referrers(),
            shape: graph.shape(&vec![false; count]),
            is_open: (0..count).map(|entry| graph.is_root(entry)).collect(),
            has_instances_shown: vec![false; count],
            benign: vec![false; count],
            pruned: vec![false; count],
            rows: Vec::new(),
            selected: 0,
            came_from: Vec::new(),
            graph,
        };
        state.rows = state.visible();
        state
    }

    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The index of the selected row.
    pub fn selected(&self) -> usize {
        self.selected
    }

    /// None if there are no causes.
    pub fn row(&self) -> Option<Row> {
        self.rows.get(self.selected).copied()
    }

    /// The cause that the selected row is about.
    pub fn cause(&self) -> Option<&'t CauseReport> {
        self.row().map(|row| &self.tree.causes[row.cause])
    }

    pub fn instance(&self) -> Option<&'t InstanceReport> {
        match self.row()? {
            Row { what: What::Instance(at), cause, .. } => {
                self.tree.causes[cause].instances.get(at)
            }
            _ => None,
        }
    }

    /// How the entry of a row influences the one that it stands below.
    pub fn influence(&self, row: Row) -> Option<&'t InfluenceReport> {
        let above = match row.what {
            What::Instance(_) => self.shape.parents[row.cause]?,
            What::Entry | What::Reference => row.under?,
        };
        self.tree.causes[above].influences.iter().find(|influence| influence.cause == row.cause)
    }

    /// The other entries that an entry influences.
    pub fn referrers(&self, entry: usize) -> &[usize] {
        &self.referrers[entry]
    }

    pub fn opinion(&self, entry: usize) -> Opinion {
        match (self.benign[entry], self.pruned[entry]) {
            (true, _) => Opinion::Benign,
            (false, true) => Opinion::Pruned,
            (false, false) => Opinion::Suspect,
        }
    }

    /// Whether an entry is open; none if there is nothing below it.
    pub fn is_open(&self, entry: usize) -> Option<bool> {
        let is_leaf =
            self.shape.children[entry].is_empty() && self.shape.references[entry].is_empty();
        (!is_leaf).then_some(self.is_open[entry])
    }

    /// How many entries are benign, and how many go with them.
    pub fn pruned(&self) -> (usize, usize) {
        let benign = self.benign.iter().filter(|benign| **benign).count();
        (benign, self.pruned.iter().filter(|pruned| **pruned).count() - benign)
    }

    /// What was marked benign, as `FILE:LINE`, each once.
    pub fn marked(&self) -> Vec<String> {
        let mut marked: Vec<String> = Vec::new();
        for (cause, _) in self.tree.causes.iter().zip(&self.benign).filter(|(_, benign)| **benign) {
            if let Some((file, line)) = place(cause) {
                let place = format!("{file}:{line}");
                if !marked.contains(&place) {
                    marked.push(place);
                }
            }
        }
        marked
    }

    pub fn apply(&mut self, action: Action) {
        self.notice.clear();
        if self.is_help_open {
            self.is_help_open = false;
            return;
        }
        if action == Action::Help {
            self.is_help_open = true;
            return;
        }
        let Some(row) = self.row() else { return };
        match action {
            Action::Up => self.select(self.selected.saturating_sub(1)),
            Action::Down => self.select(self.selected + 1),
            Action::First => self.select(0),
            Action::Last => self.select(usize::MAX),
            Action::Out => self.out(row),
            Action::In => self.go_in(row),
            Action::Toggle => self.toggle(row),
            Action::OpenAll => {
                self.is_open.fill(true);
                self.rebuild(row);
            }
            Action::CloseAll => {
                self.is_open.fill(false);
                self.has_instances_shown.fill(false);
                self.rebuild(row);
            }
            Action::Instances => self.show_instances(row),
            Action::Values => {
                self.values = match self.values {
                    Values::Shown => Values::Hidden,
                    Values::Hidden => Values::Shown,
                }
            }
            Action::Benign => self.mark(row),
            Action::Hiding => self.hide(row),
            Action::Next => self.go_to_neighbour(row, row.cause + 1..self.tree.causes.len()),
            Action::Previous => self.go_to_neighbour(row, (0..row.cause).rev()),
            Action::Follow => self.follow(row),
            Action::Back => self.back(),
            Action::SourceUp => self.view.source_down -= self.page(),
            Action::SourceDown => self.view.source_down += self.page(),
            Action::SourceLeft => self.view.source_right -= SIDEWAYS,
            Action::SourceRight => self.view.source_right += SIDEWAYS,
            Action::DetailsUp => self.view.details_top = self.view.details_top.saturating_sub(1),
            Action::DetailsDown => self.view.details_top += 1,
            Action::Help => {}
        }
    }

    fn page(&self) -> isize {
        self.view.source_rows.saturating_sub(1).max(1) as isize
    }

    fn out(&mut self, row: Row) {
        match (row.what, row.under) {
            (What::Entry, _) if self.is_open(row.cause) == Some(true) => self.toggle(row),
            (_, Some(above)) => self.reveal(above),
            (_, None) => {}
        }
    }

    fn go_in(&mut self, row: Row) {
        match row.what {
            What::Entry => match self.is_open(row.cause) {
                Some(false) => self.toggle(row),
                Some(true) => self.select(self.selected + 1),
                None => {}
            },
            What::Reference => self.follow(row),
            What::Instance(_) => {}
        }
    }

    fn toggle(&mut self, row: Row) {
        match row.what {
            What::Entry => {
                self.is_open[row.cause] = !self.is_open[row.cause];
                self.rebuild(row);
            }
            What::Reference => self.follow(row),
            What::Instance(_) => self.show_instances(row),
        }
    }

    fn show_instances(&mut self, row: Row) {
        if row.what == What::Reference {
            self.notice = "follow the reference first (f)".to_owned();
        } else if self.tree.causes[row.cause].instances.len() < 2 {
            self.notice = "only one execution is meant".to_owned();
        } else {
            self.has_instances_shown[row.cause] = !self.has_instances_shown[row.cause];
            self.rebuild(row);
        }
    }

    /// Marks what is at the line of an entry, because a line is what `--benign` can name.
    fn mark(&mut self, row: Row) {
        let Some(place) = place(&self.tree.causes[row.cause]) else {
            self.notice = "it is at no line of the source".to_owned();
            return;
        };
        let is_there = |cause: &CauseReport| self::place(cause) == Some(place);
        let there: Vec<usize> =
            (0..).zip(&self.tree.causes).filter(|(_, c)| is_there(c)).map(|(at, _)| at).collect();
        if there.iter().any(|entry| self.graph.is_root(*entry)) {
            self.notice = "the failure itself is not benign".to_owned();
            return;
        }
        let is_benign = !self.benign[row.cause];
        for entry in there {
            self.benign[entry] = is_benign;
        }
        self.pruned = self.graph.pruned(&self.benign);
        let not = if is_benign { "" } else { "not " };
        self.notice = format!("{}:{} is {not}benign", place.0, place.1);
        self.reshape(row);
    }

    fn hide(&mut self, row: Row) {
        self.hiding = match self.hiding {
            Hiding::Grey => Hiding::Hidden,
            Hiding::Hidden => Hiding::Grey,
        };
        if self.pruned().0 == 0 {
            self.notice = "nothing is marked benign (b)".to_owned();
        }
        self.reshape(row);
    }

    fn is_hidden(&self, entry: usize) -> bool {
        self.hiding == Hiding::Hidden && self.pruned[entry]
    }

    fn go_to_neighbour(&mut self, row: Row, mut others: impl Iterator<Item = usize>) {
        match others.find(|entry| !self.is_hidden(*entry)) {
            Some(entry) => self.reveal(entry),
            None if row.what != What::Entry => self.reveal(row.cause),
            None => self.notice = "there are no more causes that way".to_owned(),
        }
    }

    fn follow(&mut self, row: Row) {
        if row.what == What::Reference {
            self.came_from.push(row);
            self.reveal(row.cause);
        } else {
            self.notice = "this is no reference".to_owned();
        }
    }

    fn back(&mut self) {
        let Some(row) = self.came_from.pop() else {
            self.notice = "no reference was followed".to_owned();
            return;
        };
        if let Some(above) = row.under.filter(|above| !self.is_hidden(*above)) {
            self.is_open[above] = true;
            self.reveal(above);
            self.rebuild(row);
        }
    }

    /// Selects an entry, and opens what it stands below.
    fn reveal(&mut self, entry: usize) {
        let mut above = self.shape.parents[entry];
        while let Some(parent) = above {
            self.is_open[parent] = true;
            above = self.shape.parents[parent];
        }
        let (what, under) = (What::Entry, self.shape.parents[entry]);
        self.rebuild(Row { what, cause: entry, under, depth: 0 });
    }

    fn select(&mut self, index: usize) {
        let before = self.row();
        self.selected = index.min(self.rows.len().saturating_sub(1));
        if self.row() != before {
            (self.view.source_down, self.view.source_right) = (0, 0);
            self.view.details_top = 0;
        }
    }

    /// Computes the tree again after entries were hidden or shown.
    fn reshape(&mut self, wanted: Row) {
        let hidden: Vec<bool> =
            (0..self.tree.causes.len()).map(|entry| self.is_hidden(entry)).collect();
        self.shape = self.graph.shape(&hidden);
        self.rebuild(wanted);
    }

    /// Computes the rows again and selects the wanted one. If it is not there any more: the closest entry
    /// above it that is, or what is now in its place.
    fn rebuild(&mut self, wanted: Row) {
        let before = self.row();
        self.rows = self.visible();
        let same = |row: &Row| {
            (row.what, row.cause, row.under) == (wanted.what, wanted.cause, wanted.under)
        };
        let mut found = self.rows.iter().position(same);
        let mut entry = match wanted.what {
            What::Reference => wanted.under,
            What::Entry | What::Instance(_) => Some(wanted.cause),
        };
        while let (None, Some(candidate)) = (found, entry) {
            found =
                self.rows.iter().position(|row| row.what == What::Entry && row.cause == candidate);
            entry = self.shape.parents[candidate];
        }
        let last = self.rows.len().saturating_sub(1);
        self.selected = found.unwrap_or(self.selected.min(last));
        if self.row().map(|row| row.cause) != before.map(|row| row.cause) {
            (self.view.source_down, self.view.source_right) = (0, 0);
            self.view.details_top = 0;
        }
    }

    fn visible(&self) -> Vec<Row> {
        let entry = |cause, under, depth| Row { what: What::Entry, cause, under, depth };
        let mut rows = Vec::new();
        let mut work: Vec<Row> =
            self.shape.roots.iter().rev().map(|root| entry(*root, None, 0)).collect();
        while let Some(row) = work.pop() {
            rows.push(row);
            if row.what != What::Entry {
                continue;
            }
            let (cause, depth) = (row.cause, row.depth + 1);
            let below = |what, cause| Row { what, cause, under: Some(row.cause), depth };
            if self.is_open[cause] {
                let references = self.shape.references[cause].iter().rev();
                work.extend(references.map(|other| below(What::Reference, *other)));
                let children = self.shape.children[cause].iter().rev();
                work.extend(children.map(|child| below(What::Entry, *child)));
            }
            if self.has_instances_shown[cause] {
                let instances = 0..self.tree.causes[cause].instances.len();
                work.extend(instances.rev().map(|at| below(What::Instance(at), cause)));
            }
        }
        rows
    }
}

/// The file and the line of a condition.
fn place(cause: &CauseReport) -> Option<(&str, u32)> {
    cause.location.as_ref().map(|location| (location.file.as_str(), location.start.line))
}
