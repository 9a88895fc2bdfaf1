//! The suspects as text: each with its line, or with the fix of it, and with what speaks for it.

use localize::rank::LIKELY as LIKELY_RIGHT;

use super::repair::changed_lines;
use super::style::Ink;
use super::text::{Drawing, Scores, sentence, shortened};
use crate::repair::SolutionReport;
use crate::report::{Location, Suspect, Wording};

/// From this share on, the first suspect is called likely.
const LIKELY: f64 = 0.5;
/// So many other fixes of a line are shown in a sentence.
const MOST_OTHERS: usize = 2;

/// How wide the columns are.
struct Columns {
    rank: usize,
    place: usize,
}

impl Drawing<'_> {
    /// The suspects, the most likely first.
    pub(super) fn suspects(&self) -> String {
        let shown: Vec<&Suspect> = self.report.suspects.iter().take(self.view.top).collect();
        let Some((first, others)) = shown.split_first() else { return String::new() };
        let places = self.places(&shown);
        let widest = places.iter().map(|place| place.chars().count()).max().unwrap_or(0);
        let columns = Columns { rank: shown.len().to_string().len(), place: widest };
        let title = |text: &str| format!("\n{}\n", self.style.paint(Ink::Strong, text));
        let is_likely = first.score >= LIKELY;
        let mut out = title(match (is_likely, others.len()) {
            (true, _) => "Most likely:",
            (false, 0) => "The suspect:",
            (false, _) => "Suspects, the most likely first:",
        });
        for (number, (suspect, place)) in shown.iter().zip(&places).enumerate() {
            if is_likely && number == 1 {
                out += &title("Less likely:");
            }
            out += &self.suspect(suspect, place, &columns);
        }
        out += &self.more_suspects();
        out + &self.question()
    }

    /// What tells the fixes apart.
    fn question(&self) -> String {
        let mut out = String::new();
        let apart = self.report.repair.as_ref().and_then(|it| it.apart.first());
        if let Some(apart) = apart.filter(|_| !self.report.facts.chosen) {
            out.push('\n');
            self.style.sentence(&mut out, "", "  ", &apart.says);
        }
        out
    }

    fn suspect(&self, suspect: &Suspect, place: &str, columns: &Columns) -> String {
        let Columns { rank: ranks, place: widest } = *columns;
        let rank = self.style.paint(Ink::Suspect, &format!("{:>ranks$}", suspect.rank));
        let (place, bar) = (format!("{place:>widest$}"), self.style.paint(Ink::Frame, "|"));
        let begin = format!(" {rank}  {} ", self.style.paint(Ink::Frame, &place));
        let blank = format!(" {:ranks$}  {:widest$} ", "", "");
        let fix = suspect.fix.and_then(|number| self.solution(number));
        let mut out = match (fix, &suspect.location) {
            (Some(fix), _) => self.change(fix, suspect, &begin, &blank),
            (None, Some(at)) => {
                let (line, under) = (format!("{begin}{bar} "), format!("{blank}{bar} "));
                let margin = ranks + widest + 6;
                self.underlined(at, [&line, &under], margin, Ink::Suspect, "")
            }
            (None, None) => format!("{begin}{bar} {}\n", named(suspect)),
        };
        let indent = format!(" {:ranks$}  ", "");
        for text in self.sentences(suspect, fix) {
            self.style.sentence(&mut out, &indent, &indent, &sentence(&text));
        }
        if self.view.scores == Scores::Explained {
            out += &score(suspect, &indent);
        }
        out
    }

    fn solution(&self, rank: usize) -> Option<&SolutionReport> {
        self.report.repair.as_ref()?.solutions.iter().find(|it| it.rank == rank)
    }

    /// The lines that a fix takes out and puts in. What is only put in is shown with the line beside it.
    fn change(&self, fix: &SolutionReport, suspect: &Suspect, begin: &str, blank: &str) -> String {
        let source = suspect.location.as_ref().and_then(|at| {
            let text = &self.files.get(at.span.file.0 as usize)?.text;
            text.lines().nth(at.start.line as usize - 1)
        });
        let lines = changed_lines(&fix.patch, source);
        // Colours have no width, so the margin is that of the blank one.
        let lines = windows(&lines, self.style.width.saturating_sub(blank.chars().count()));
        let mut out = String::new();
        for (number, line) in lines.iter().enumerate() {
            let ink = match line.as_bytes().first() {
                Some(b'+') => Ink::Suspect,
                _ => Ink::Frame,
            };
            let margin = if number == 0 { begin } else { blank };
            out += &format!("{margin}{}\n", self.style.paint(ink, line));
        }
        out
    }

    /// What speaks for it: what was seen of its fixes, and what it did.
    fn sentences(&self, suspect: &Suspect, fix: Option<&SolutionReport>) -> Vec<String> {
        let Some(fix) = fix else { return vec![suspect.why.clone()] };
        let sure = if fix.confidence >= LIKELY_RIGHT { ", likely right" } else { "" };
        let mut all = vec![format!("Fix {}{sure}: {}", fix.rank, fix.seen)];
        let others = suspect.fixes.iter().filter(|number| **number != fix.rank);
        let others = others.filter_map(|number| self.solution(*number)).take(MOST_OTHERS);
        all.extend(others.map(|it| format!("Or fix {}, {}", it.rank, it.instead)));
        if suspect.rank == 1 {
            let says = |techniques: &[&str]| {
                suspect.evidence.iter().find(|it| techniques.contains(&it.technique))
            };
            all.extend(says(&["relevance", "changes"]).map(|it| it.text.clone()));
        }
        all
    }

    /// Where the suspects are; with their files only if one is not in that of the failure.
    fn places(&self, suspects: &[&Suspect]) -> Vec<String> {
        let file = |at: &Location| at.span.file;
        let home = self.report.failure.location.as_ref().map(file);
        let is_there = |suspect: &&Suspect| suspect.location.as_ref().map(file) == home;
        let has_files = !suspects.iter().all(is_there);
        let place = |suspect: &&Suspect| match &suspect.location {
            None => String::new(),
            Some(at) if has_files => at.line(),
            Some(at) => at.beside_origin(&format!("line {}", at.start.line)),
        };
        suspects.iter().map(place).collect()
    }

    fn more_suspects(&self) -> String {
        match self.report.suspects.len().saturating_sub(self.view.top) {
            0 => String::new(),
            1 => "There is one more suspect; --top all shows it.\n".to_owned(),
            n => format!("There are {n} more suspects; --top all shows them.\n"),
        }
    }
}

/// Lines with a sign before them, cut where they are too long: what differs between the first and the others is in them.
fn windows(lines: &[String], width: usize) -> Vec<String> {
    /// So much of what is before the difference is shown.
    const BEFORE: usize = 24;
    if lines.iter().all(|line| line.chars().count() <= width) {
        return lines.to_vec();
    }
    let text = |line: &String| line.chars().skip(2).collect::<Vec<char>>();
    let first = lines.first().map(text).unwrap_or_default();
    let same = |line: &String| text(line).iter().zip(&first).take_while(|(a, b)| a == b).count();
    let from = lines.iter().skip(1).map(same).min().unwrap_or(0).saturating_sub(BEFORE);
    let cut = |line: &String| {
        let (sign, text) = (line.chars().take(2).collect::<String>(), text(line));
        let dots = |is: bool| if is { "…" } else { "" };
        let from = from.min(text.len());
        let most = width.saturating_sub(4);
        let shown: String = text.iter().skip(from).take(most).collect();
        format!("{sign}{}{shown}{}", dots(from > 0), dots(text.len() - from > most))
    };
    lines.iter().map(cut).collect()
}

/// The score and what it is made of, as a small table.
fn score(suspect: &Suspect, indent: &str) -> String {
    let mut out = format!("{indent}{:.3} of all lines together:\n", suspect.score);
    for term in suspect.terms.iter().filter(|term| term.points != 0.0) {
        let amount = if term.amount == 1.0 { String::new() } else { format!("{:.2}", term.amount) };
        out += &format!("{indent}  {:+.2} {amount:>5}  {}\n", term.points, term.meaning);
    }
    out
}

fn named(suspect: &Suspect) -> String {
    let text = shortened(&suspect.statement);
    match suspect.wording {
        Wording::Code => format!("`{text}`"),
        Wording::Words => text,
    }
}

#[cfg(test)]
mod tests {
    use super::windows;

    #[test]
    fn long_lines_show_what_differs() {
        let line = |sign: &str, value: &str| {
            format!("{sign} {}x = {value};{}", "a".repeat(60), "b".repeat(60))
        };
        let lines = [line("-", "1"), line("+", "2")];
        let shown = windows(&lines, 40);
        assert!(shown.iter().all(|it| it.chars().count() <= 40), "{shown:?}");
        assert!(shown[0].contains("x = 1;") && shown[1].contains("x = 2;"), "{shown:?}");
        assert_eq!(windows(&lines, 200), lines);
    }
}
