//! Texts become no markup, and the data are complete.

use program::SourceFile;
use serde_json::Value;

use super::html;
use super::plain::{escaped, sentence};
use crate::report::{FailureReport, Report, RunFacts};
use crate::timeline::{Home, Moment, MomentSpot, MomentVariable, TextId, Timeline, What};

const EVIL: &str = "</script><b id=\"x\">&'`<!--";

fn report(work: u64) -> Report {
    Report {
        failure: FailureReport {
            access: None,
            kind: "assertion".to_owned(),
            message: EVIL.to_owned(),
            location: None,
            steps: 3,
            traces: 1,
            inputs: Vec::new(),
        },
        suspects: Vec::new(),
        relevance: None,
        cascade: None,
        error_invariants: None,
        changes: None,
        repair: None,
        slice: None,
        spectrum: None,
        gaps: vec![EVIL.to_owned()],
        refuted: Vec::new(),
        facts: RunFacts { work: std::time::Duration::from_secs(work), ..RunFacts::default() },
    }
}

/// A run in which each step uses what the one before assigned.
fn timeline(steps: u32) -> Timeline {
    let moment = |at: u32| Moment {
        number: at + 1,
        spot: 0,
        activation: 0,
        depth: 0,
        what: What::Assigned,
        variable: Some(0),
        value: Some(TextId(0)),
        before: None,
        sources: at.checked_sub(1).into_iter().collect(),
        under: at.checked_sub(1),
        is_needed: true,
    };
    Timeline {
        steps: (0..steps).map(moment).collect(),
        spots: vec![MomentSpot { location: None, statement: EVIL.to_owned(), function: None }],
        variables: vec![MomentVariable { name: TextId(0), home: Home::Memory }],
        texts: vec![EVIL.to_owned()],
        whole_from: 0,
    }
}

fn page(work: u64, steps: u32) -> String {
    html(&report(work), &timeline(steps), &[SourceFile::new("</title>.c", EVIL)])
}

/// The data of a page; those of the time line are elsewhere.
fn data(page: &str) -> Value {
    let mut data = block(page, "data");
    data["timeline"] = block(page, "steps");
    data
}

fn block(page: &str, id: &str) -> Value {
    let begin = page.split(&format!("id=\"{id}\">")).nth(1).expect("data");
    serde_json::from_str(begin.split("</script>").next().expect("an end")).expect("JSON")
}

#[test]
fn text_becomes_no_markup() {
    assert_eq!(
        escaped("</script><b a=\"'\">&"),
        "&lt;/script&gt;&lt;b a=&quot;&#39;&quot;&gt;&amp;"
    );
    let page = page(1, 3);
    assert!(!page.contains("<b id"));
    assert_eq!(page.matches("</script>").count(), 3);
    assert_eq!(page.matches("</title>").count(), 1);
    let data = data(&page);
    for place in ["/failure/message", "/files/0/text", "/timeline/texts/0", "/timeline/spots/0/6"] {
        assert_eq!(data.pointer(place).and_then(Value::as_str), Some(EVIL), "{place}");
    }
}

#[test]
fn how_long_it_took_makes_no_difference() {
    assert_eq!(page(1, 3), page(2, 3));
}

#[test]
fn steps_are_numbers() {
    let data = data(&page(1, 3));
    let column = |name: &str| data["timeline"][name].to_string();
    assert_eq!(column("number"), "[1,1,1]");
    assert_eq!(column("what"), "[16,16,16]");
    assert_eq!((column("count"), column("sources")), ("[0,1,1]".to_owned(), "[1,1]".to_owned()));
    assert_eq!(column("under"), "[0,1,1]");
    assert_eq!((column("variable"), column("homes")), ("[1,1,1]".to_owned(), "[-2]".to_owned()));
}

#[test]
fn of_very_long_runs_the_end_is_listed() {
    let data = data(&page(1, 120_005));
    let timeline = &data["timeline"];
    assert_eq!(timeline["left_out"], 5);
    assert_eq!(timeline["number"].as_array().map(Vec::len), Some(120_000));
    assert_eq!((&timeline["number"][0], &timeline["count"][0]), (&6.into(), &0.into()));
}

#[test]
fn code_in_sentences() {
    assert_eq!(sentence("with `a < b` here"), "with <code>a &lt; b</code> here");
    assert_eq!(sentence("a ` alone <"), "a ` alone &lt;");
    assert_eq!(sentence(""), "");
}
