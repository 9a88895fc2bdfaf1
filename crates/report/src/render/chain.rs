//! The way through the tree of causes that leads to the first suspect, as a few sentences.

use crate::causes::{CauseReport, CauseTree};
use crate::report::{Location, Suspect};

/// How many sentences are shown, and how many of them before the first decision.
const MOST: usize = 6;
const MOST_BEFORE: usize = 3;

/// Sentences from the failure backwards to the first suspect that is in the tree. The first sentences say
/// where the wrong value came from, the others why that code was run.
pub fn chain(tree: &CauseTree, suspects: &[Suspect]) -> Vec<String> {
    let Some(root) = tree.causes.first() else { return Vec::new() };
    let entry = suspects.iter().find_map(|suspect| entry_of(tree, suspect.location.as_ref()?));
    let links = entry.map_or(&[][..], |entry| tree.causes[entry].chain.as_slice());
    let links: Vec<String> = links.iter().skip(1).map(|link| sentence(link)).collect();
    let mut sentences = before(root, links.first());
    let room = MOST - sentences.len();
    // The suspect is at the end, so what is too much is in the middle.
    let skipped = links.len().saturating_sub(room);
    let shown = links.into_iter().enumerate().filter(|(at, _)| *at == 0 || *at > skipped);
    sentences.extend(shown.map(|(_, link)| link));
    sentences
}

/// The entry that is about this place: its condition is there, or else one of its statements; if none is, one that is about a
/// part of it. Of several, the nearest to the root.
fn entry_of(tree: &CauseTree, at: &Location) -> Option<usize> {
    let find = |is_there: fn(&Location, &Location) -> bool| {
        let is_there = |other: Option<&Location>| other.is_some_and(|other| is_there(at, other));
        let condition = tree.causes.iter().position(|cause| is_there(cause.location.as_ref()));
        let has_statement = |cause: &CauseReport| {
            cause.statements.iter().any(|statement| is_there(statement.location.as_ref()))
        };
        // What fails is no explanation of itself.
        condition.filter(|&id| id > 0).or_else(|| tree.causes.iter().position(has_statement))
    };
    find(|a, b| a.span == b.span).or_else(|| find(overlap))
}

fn overlap(a: &Location, b: &Location) -> bool {
    a.span.file == b.span.file && a.span.start < b.span.end && b.span.start < a.span.end
}

/// What the root says, up to the statement that the next sentence is about.
fn before(root: &CauseReport, next: Option<&String>) -> Vec<String> {
    let line = next
        .and_then(|next| next.split_once(" ran because").or_else(|| next.split_once(" read what")));
    let line = line.map(|(line, _)| format!("{line} "));
    let is_last =
        |sentence: &String| line.as_ref().is_some_and(|line| sentence.starts_with(line.as_str()));
    let end = root.because.iter().position(is_last).map(|at| at + 1);
    let all = &root.because[..end.unwrap_or(root.because.len())];
    let counted = |sentence: &&String| !sentence.contains(" more statement");
    let mut kept: Vec<String> = all.iter().filter(counted).cloned().collect();
    if end.is_some() && kept.len() > MOST_BEFORE {
        // The first says what is wrong, the last why it matters what comes next.
        kept.drain(1..=kept.len() - MOST_BEFORE);
    }
    kept.truncate(if next.is_some() { MOST_BEFORE } else { MOST - 1 });
    kept
}

fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).chain(['.']).collect()
}

#[cfg(test)]
mod tests {
    use program::{FileId, Position, Span};

    use super::*;
    use crate::causes::CauseStatement;
    use crate::report::Wording;

    fn location(line: u32) -> Option<Location> {
        let position = |column| Position { line, column };
        let span = Span { file: FileId(0), start: 100 * line, end: 100 * line + 9 };
        Some(Location {
            file: "a.c".to_owned(),
            start: position(1),
            end: position(10),
            span,
            origin: None,
        })
    }

    fn suspect(line: u32) -> Suspect {
        Suspect {
            fix: None,
            fixes: Vec::new(),
            rank: 1,
            location: location(line),
            statement: String::new(),
            wording: Wording::Code,
            role: None,
            score: 1.0,
            terms: Vec::new(),
            evidence: Vec::new(),
            why: String::new(),
            executions: None,
            techniques: Vec::new(),
        }
    }

    fn tree() -> CauseTree {
        let root = CauseReport {
            location: location(49),
            because: ["Line 47 set `a` to 1.", "Line 38 returned 1.", "Line 25 set `b` to 1."]
                .map(str::to_owned)
                .to_vec(),
            statements: vec![CauseStatement {
                location: location(38),
                text: String::new(),
                value: String::new(),
                executions: 1,
            }],
            chain: vec!["it fails".to_owned()],
            ..CauseReport::default()
        };
        let below = |line: u32, parent: usize, chain: &[&str]| CauseReport {
            location: location(line),
            parent: Some(parent),
            chain: chain.iter().map(|&link| link.to_owned()).collect(),
            ..CauseReport::default()
        };
        let (first, second) = ("line 38 ran because `c` was 1", "line 20 ran because `d` held");
        let causes = vec![
            root,
            below(23, 0, &["it fails", first]),
            below(19, 1, &["it fails", first, second]),
        ];
        CauseTree { causes, incomplete: None }
    }

    #[test]
    fn the_chain_leads_to_the_first_suspect_in_the_tree() {
        let expected = [
            "Line 47 set `a` to 1.",
            "Line 38 returned 1.",
            "Line 38 ran because `c` was 1.",
            "Line 20 ran because `d` held.",
        ];
        assert_eq!(chain(&tree(), &[suspect(7), suspect(19), suspect(23)]), expected);
        assert_eq!(chain(&tree(), &[suspect(23)]), expected[..3]);
    }

    #[test]
    fn a_suspect_in_the_data_flow_needs_no_decision() {
        let sentences = chain(&tree(), &[suspect(38), suspect(19)]);
        assert_eq!(sentences, tree().causes[0].because);
        assert_eq!(chain(&tree(), &[]), tree().causes[0].because);
        assert_eq!(chain(&CauseTree::default(), &[suspect(1)]), Vec::<String>::new());
    }

    #[test]
    fn a_long_chain_is_shown_from_both_ends() {
        let mut tree = tree();
        tree.causes[2].chain = (0..12).map(|link| format!("link {link}")).collect();
        let sentences = chain(&tree, &[suspect(19)]);
        assert_eq!(sentences.len(), MOST);
        assert_eq!(sentences[3..], ["Link 1.", "Link 10.", "Link 11."]);
    }
}
