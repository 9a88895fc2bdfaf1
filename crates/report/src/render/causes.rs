//! The tree of causes, as JSON and as text.

use std::collections::BTreeSet;
use std::fmt::Write;

use serde_json::{Value, json as object};

use super::json::location;
use super::style::{Ink, Style};
use crate::causes::{CauseReport, CauseTree, InfluenceReport};

/// Deeper entries are not nested: parsers of JSON do not like it.
const DEEPEST_NESTED: u32 = 40;
/// Deeper entries are not drawn: they would be at the right margin.
const DEEPEST_DRAWN: u32 = 16;
/// Of an entry below the root, so many sentences are shown.
const MOST_SENTENCES: usize = 2;

/// The tree as nested objects. An entry that influences several others is written out below the one
/// through which it was reached first; elsewhere its id refers to it. Entries that are very deep are in
/// a list of their own, each with its parent.
pub fn tree_value(tree: &CauseTree) -> Value {
    // Children come after their parents, so backwards every child is ready when it is needed.
    let mut ready: Vec<Vec<Value>> = vec![Vec::new(); tree.causes.len()];
    let mut depths: Vec<u32> = Vec::with_capacity(tree.causes.len());
    for cause in &tree.causes {
        depths.push(cause.parent.map_or(0, |parent| depths[parent] + 1));
    }
    let mut root = Value::Null;
    let mut deeper = Vec::new();
    for (id, cause) in tree.causes.iter().enumerate().rev() {
        let children = std::mem::take(&mut ready[id]);
        let mut value = cause_value(id, cause, children.into_iter().rev().collect());
        match cause.parent {
            Some(parent) if depths[id] > DEEPEST_NESTED => {
                value["parent"] = parent.into();
                deeper.push(value);
            }
            Some(parent) => ready[parent].push(value),
            None => root = value,
        }
    }
    deeper.reverse();
    object!({
        "complete": tree.incomplete.is_none(),
        "incomplete_because": tree.incomplete,
        "entries": tree.causes.len(),
        "tree": root,
        "deeper": deeper,
    })
}

fn cause_value(id: usize, cause: &CauseReport, children: Vec<Value>) -> Value {
    let statements = cause.statements.iter().map(|statement| {
        let mut value = location(statement.location.as_ref());
        if let Value::Object(fields) = &mut value {
            fields.insert("statement".to_owned(), statement.text.clone().into());
            fields.insert("value".to_owned(), statement.value.clone().into());
            fields.insert("executions".to_owned(), statement.executions.into());
        }
        value
    });
    let influences = cause.influences.iter().map(|influence| {
        object!({
            "id": influence.cause,
            "kind": influence.kind,
            "confirmed": influence.confirmed,
            "sentence": influence.sentence,
        })
    });
    let instances = cause.instances.iter().map(|instance| {
        object!({
            "execution": instance.execution,
            "values": instance.values,
            "why": instance.why,
        })
    });
    object!({
        "id": id,
        "level": cause.level,
        "condition": location(cause.location.as_ref()),
        "text": cause.condition,
        "values": cause.values,
        "held": cause.held,
        "cause": statements.collect::<Vec<_>>(),
        "why": cause.why,
        "chain": cause.chain.join("; "),
        "evidence": cause.evidence,
        "executions": cause.executions(),
        "instances": instances.collect::<Vec<_>>(),
        "influenced_by": influences.collect::<Vec<_>>(),
        "children": children,
    })
}

/// The tree for people, with so many entries at most.
pub fn tree_text(tree: &CauseTree, most: usize, style: Style) -> String {
    let shown = Shown::choose(tree, most);
    let worth_it = |cause: &CauseReport| tree.causes.len() > 1 || !cause.because.is_empty();
    if !tree.causes.first().is_some_and(worth_it) {
        return String::new();
    }
    let mut out = format!("\n{}\n", style.paint(Ink::Strong, "How it came about:"));
    // Entries to be drawn, with the beginning of their lines.
    let mut open = vec![(0, String::from("  "), Branch::Root)];
    while let Some((id, before, branch)) = open.pop() {
        let (first, rest) = match branch {
            Branch::Root => (before.clone(), before),
            Branch::Inner => (format!("{before}├─ "), format!("{before}│  ")),
            Branch::Last => (format!("{before}└─ "), format!("{before}   ")),
        };
        let children = shown.children(id);
        let below = if children.is_empty() { format!("{rest}   ") } else { format!("{rest}│  ") };
        let (head, sentences) = shown.entry(id);
        style.sentence(&mut out, &first, &format!("{below}  "), &head);
        style.sentence(&mut out, &below, &below, &sentences);
        let last = children.len().saturating_sub(1);
        for (number, child) in children.into_iter().enumerate().rev() {
            let branch = if number == last { Branch::Last } else { Branch::Inner };
            open.push((child, rest.clone(), branch));
        }
    }
    out += &shown.rest();
    out
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Branch {
    Root,
    Inner,
    Last,
}

/// The entries that are drawn.
struct Shown<'t> {
    tree: &'t CauseTree,
    /// In the order in which they were chosen.
    entries: Vec<usize>,
    has_files: bool,
}

impl<'t> Shown<'t> {
    /// The nearest entries, those first whose influence was seen.
    fn choose(tree: &'t CauseTree, most: usize) -> Shown<'t> {
        let mut entries: Vec<usize> = (0..tree.causes.len()).collect();
        let mut depths: Vec<u32> = Vec::with_capacity(entries.len());
        for cause in &tree.causes {
            depths.push(cause.parent.map_or(0, |parent| depths[parent] + 1));
        }
        entries.retain(|&id| depths[id] <= DEEPEST_DRAWN);
        entries.sort_by_key(|&id| (depths[id], influence_of(tree, id).map(rank), id));
        entries.truncate(most);
        let locations = tree.causes.iter().filter_map(|cause| cause.location.as_ref());
        let files: BTreeSet<&str> = locations.map(|location| location.file.as_str()).collect();
        Shown { tree, entries, has_files: files.len() > 1 }
    }

    fn children(&self, of: usize) -> Vec<usize> {
        let parent = |id: usize| self.tree.causes[id].parent;
        self.entries.iter().copied().filter(|&id| parent(id) == Some(of)).collect()
    }

    /// The head of an entry, and what is said about it.
    fn entry(&self, id: usize) -> (String, String) {
        let cause = &self.tree.causes[id];
        let times = match cause.executions() {
            0 | 1 => String::new(),
            times => format!(" (one of {times} times)"),
        };
        let place = match &cause.location {
            None => String::new(),
            Some(at) if self.has_files => format!("{}:{}{times}: ", at.file, at.start.line),
            Some(at) => format!("line {}{times}: ", at.start.line),
        };
        let mut sentences: Vec<String> = Vec::new();
        if let Some(influence) = influence_of(self.tree, id) {
            sentences.extend(about(cause, influence));
        }
        let most = if id == 0 { usize::MAX } else { MOST_SENTENCES };
        sentences.extend(cause.because.iter().take(most).cloned());
        (format!("{place}{}", cause.held), sentences.join(" "))
    }

    /// What is not drawn.
    fn rest(&self) -> String {
        let mut out = String::new();
        let _ = match self.tree.causes.len() - self.entries.len() {
            0 => Ok(()),
            1 => writeln!(
                out,
                "There is one more cause; --format json lists all, --explore shows them."
            ),
            more => writeln!(
                out,
                "There are {more} more causes; --format json lists all, --explore shows them."
            ),
        };
        if let Some(why) = &self.tree.incomplete {
            let _ = writeln!(out, "The tree of causes is not complete: {why}.");
        }
        out
    }
}

/// How an entry influences the one above it; the clearest influence, if there are several.
fn influence_of(tree: &CauseTree, id: usize) -> Option<&InfluenceReport> {
    let above = &tree.causes[tree.causes[id].parent?];
    let own = above.influences.iter().filter(|influence| influence.cause == id);
    own.min_by_key(|influence| rank(influence))
}

fn rank(influence: &InfluenceReport) -> u32 {
    match (influence.kind, influence.confirmed) {
        ("direct", true) => 0,
        ("indirect", true) => 1,
        ("direct" | "premise", _) => 2,
        ("indirect", false) => 3,
        _ => 4,
    }
}

/// An influence as a sentence about its entry; none if it only says what is clear from the entry.
fn about(cause: &CauseReport, influence: &InfluenceReport) -> Option<String> {
    let mut sentence = influence.sentence.clone();
    if let Some(at) = &cause.location {
        sentence = sentence.replacen(&format!("line {} ", at.start.line), "it ", 1);
    }
    sentence = sentence.replacen(&format!("`{}` decides", cause.condition), "it decides", 1);
    if sentence.starts_with("it decides by itself") || sentence.starts_with("it computed where it")
    {
        return None;
    }
    if !influence.confirmed {
        sentence = sentence.replacen("it decides", "it may decide", 1);
    }
    let mut letters = sentence.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    Some(first.chain(letters).chain(['.']).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Entries in one line, each the cause of the one before.
    fn chain(length: usize) -> CauseTree {
        let causes = (0..length).map(|id| CauseReport {
            level: id as u32,
            parent: id.checked_sub(1),
            held: format!("`x{id}` held"),
            because: vec![format!("Line {id} set `x{id}` to 1.")],
            influences: (id + 1 < length)
                .then(|| InfluenceReport {
                    cause: id + 1,
                    kind: "direct",
                    confirmed: id % 2 == 0,
                    sentence: "line 3 decides whether line 4 is executed".to_owned(),
                })
                .into_iter()
                .collect(),
            ..CauseReport::default()
        });
        CauseTree { causes: causes.collect(), incomplete: None }
    }

    #[test]
    fn deep_trees_are_not_nested_deeply() {
        let value = tree_value(&chain(300));
        let text = value.to_string();
        let read: Value = serde_json::from_str(&text).expect("parsers limit the depth");
        let deeper = read["deeper"].as_array().expect("a list");
        assert_eq!(deeper.len(), 300 - 41);
        assert_eq!((&deeper[0]["id"], &deeper[0]["parent"]), (&41.into(), &40.into()));
        let mut node = &read["tree"];
        let mut nested = 1;
        while let Some(child) = node["children"].get(0) {
            (node, nested) = (child, nested + 1);
        }
        assert_eq!(nested, 41);
    }

    #[test]
    fn a_tree_is_drawn() {
        let mut tree = chain(3);
        tree.causes.push(CauseReport {
            parent: Some(0),
            level: 1,
            held: "y ".repeat(60),
            ..CauseReport::default()
        });
        tree.causes[0].influences.push(InfluenceReport {
            cause: 3,
            kind: "address",
            confirmed: false,
            sentence: "line 7 computed where line 8 wrote".to_owned(),
        });
        let expected = "
How it came about:
  `x0` held
  │  Line 0 set `x0` to 1.
  ├─ `x1` held
  │  │  Line 3 decides whether line 4 is executed. Line 1 set `x1` to 1.
  │  └─ `x2` held
  │        Line 3 decides whether line 4 is executed. Line 2 set `x2` to 1.
  └─ y y y y y y y y y y y y y y y y y y y y y y y y y y y y y y y y y y y y y y y y y y y y y y y y
          y y y y y y y y y y y y
        Line 7 computed where line 8 wrote.
";
        let wide = Style { width: 100, ..Style::PLAIN };
        let own: String = tree_text(&tree, 12, wide);
        assert_eq!(own, expected);
        let few = tree_text(&tree, 2, wide);
        assert!(few.contains("├─") || few.contains("└─ `x1`"), "{few}");
        assert!(few.ends_with(
            "There are 2 more causes; --format json lists all, --explore shows them.\n"
        ));
        tree.incomplete = Some("there was no time for more".to_owned());
        assert!(
            tree_text(&tree, 12, wide).ends_with("not complete: there was no time for more.\n")
        );
        assert_eq!(tree_text(&CauseTree::default(), 12, wide), "");
    }
}
