//! `whydunit explain TECHNIQUE`: the page of a technique.

use localize::LOCALIZERS;
use report::Style;

/// A page that is about no single technique.
#[derive(Debug)]
pub struct Page {
    pub name: &'static str,
    /// One sentence.
    pub summary: &'static str,
    pub text: &'static str,
}

pub const PAGES: &[Page] = &[
    Page {
        name: "ranking",
        summary: "in which order suspects come",
        text: include_str!("../../../docs/ranking.md"),
    },
    Page {
        name: "limitations",
        summary: "what whydunit cannot do",
        text: include_str!("../../../docs/limitations.md"),
    },
];

/// The page of this name, or a list of all.
pub fn page(name: Option<&str>) -> String {
    let technique = LOCALIZERS.iter().find(|l| Some(l.name) == name).map(|l| l.page);
    let other = || PAGES.iter().find(|page| Some(page.name) == name).map(|page| page.text);
    technique.or_else(other).map_or_else(list, str::to_owned)
}

fn list() -> String {
    let techniques = LOCALIZERS.iter().map(|l| (l.name, l.summary));
    let others = PAGES.iter().map(|page| (page.name, page.summary));
    let mut text = String::from("Usage: whydunit explain TECHNIQUE\n\nTechniques:\n");
    techniques.for_each(|row| entry(&mut text, row));
    text += "\nOther pages:\n";
    others.for_each(|row| entry(&mut text, row));
    text
}

fn entry(text: &mut String, (name, summary): (&str, &str)) {
    let first = format!("  {name:<16}  ");
    Style::PLAIN.sentence(text, &first, &" ".repeat(first.len()), summary);
}
