use super::super::state::{Action, Opinion, State, What};
use super::{entries, triangle};

/// The rows as text: `0`, `->2` for a reference, `3#1` for an execution; two spaces for each level.
fn rows(state: &State<'_>) -> Vec<String> {
    let text = |row: &super::super::state::Row| {
        let indent = "  ".repeat(row.depth);
        match row.what {
            What::Entry => format!("{indent}{}", row.cause),
            What::Reference => format!("{indent}->{}", row.cause),
            What::Instance(at) => format!("{indent}{}#{at}", row.cause),
        }
    };
    state.rows().iter().map(text).collect()
}

fn apply(state: &mut State<'_>, actions: &[Action]) {
    for action in actions {
        state.apply(*action);
    }
}

fn selected(state: &State<'_>) -> String {
    rows(state)[state.selected()].trim().to_owned()
}

#[test]
fn entries_open_and_close() {
    let tree = triangle();
    let mut state = State::new(&tree);
    assert_eq!(rows(&state), ["0", "  1"]);
    apply(&mut state, &[Action::Down, Action::In]);
    assert_eq!(rows(&state), ["0", "  1", "    2", "    3", "    4"]);
    apply(&mut state, &[Action::In]);
    assert_eq!(selected(&state), "2");
    apply(&mut state, &[Action::In]);
    assert_eq!(state.is_open(2), None);
    assert_eq!(selected(&state), "2");
    apply(&mut state, &[Action::Down, Action::Toggle]);
    assert_eq!(rows(&state), ["0", "  1", "    2", "    3", "      ->2", "    4"]);
    apply(&mut state, &[Action::Toggle, Action::Out, Action::Out]);
    assert_eq!(rows(&state), ["0", "  1"]);
    assert_eq!(selected(&state), "1");
    apply(&mut state, &[Action::Out, Action::Out]);
    assert_eq!(rows(&state), ["0"]);
    // There is nothing above the failure.
    apply(&mut state, &[Action::Out, Action::Up]);
    assert_eq!(selected(&state), "0");
}

#[test]
fn all_entries_open_and_close() {
    let tree = triangle();
    let mut state = State::new(&tree);
    apply(&mut state, &[Action::OpenAll, Action::Last]);
    let all = ["0", "  1", "    2", "    3", "      ->2", "    4", "      ->2"];
    assert_eq!(rows(&state), all);
    assert_eq!(selected(&state), "->2");
    // What is selected disappears: the selection goes up to what is left.
    apply(&mut state, &[Action::CloseAll]);
    assert_eq!((rows(&state), selected(&state)), (vec!["0".to_owned()], "0".to_owned()));
}

#[test]
fn references_are_followed_and_left() {
    let tree = triangle();
    let mut state = State::new(&tree);
    apply(&mut state, &[Action::OpenAll, Action::Last]);
    assert_eq!(state.cause().unwrap().condition, "a >= b && b >= c");
    let sentence = &state.influence(state.row().unwrap()).unwrap().sentence;
    assert_eq!(sentence, "line 5 decides whether line 11 is executed");
    apply(&mut state, &[Action::Follow]);
    assert_eq!(selected(&state), "2");
    let sentence = &state.influence(state.row().unwrap()).unwrap().sentence;
    assert_eq!(sentence, "line 5 decides whether line 13 is executed");
    apply(&mut state, &[Action::CloseAll, Action::Back]);
    assert_eq!(selected(&state), "->2");
    assert_eq!(state.row().unwrap().under, Some(4));
    apply(&mut state, &[Action::Back]);
    assert_eq!(state.notice, "no reference was followed");
    apply(&mut state, &[Action::First, Action::Follow]);
    assert_eq!(state.notice, "this is no reference");
}

#[test]
fn next_and_previous_go_by_level() {
    let tree = entries(&[(None, &[]), (Some(0), &[]), (Some(0), &[]), (Some(1), &[2])]);
    let mut state = State::new(&tree);
    let mut seen = Vec::new();
    for _ in 0..4 {
        apply(&mut state, &[Action::Next]);
        seen.push(selected(&state));
    }
    assert_eq!(seen, ["1", "2", "3", "3"]);
    assert!(!state.notice.is_empty());
    assert_eq!(rows(&state), ["0", "  1", "    3", "  2"]);
    apply(&mut state, &[Action::Previous, Action::Previous]);
    assert_eq!(selected(&state), "1");
}

#[test]
fn executions_are_shown_and_hidden() {
    let tree = triangle();
    let mut state = State::new(&tree);
    apply(&mut state, &[Action::Instances]);
    assert_eq!(state.notice, "only one execution is meant");
    apply(&mut state, &[Action::OpenAll, Action::Last, Action::Out, Action::Instances]);
    assert_eq!(rows(&state)[5..], ["    4", "      4#0", "      4#1", "      ->2"]);
    apply(&mut state, &[Action::Down, Action::Down]);
    assert_eq!(state.instance().unwrap().values, "5 == 4");
    assert_eq!(state.influence(state.row().unwrap()).unwrap().cause, 4);
    apply(&mut state, &[Action::Instances]);
    assert_eq!(selected(&state), "4");
    assert_eq!(state.instance(), None);
}

fn opinions(state: &State<'_>) -> String {
    let sign = |entry| match state.opinion(entry) {
        Opinion::Suspect => 's',
        Opinion::Benign => 'b',
        Opinion::Pruned => 'p',
    };
    (0..state.tree.causes.len()).map(sign).collect()
}

#[test]
fn what_only_leads_to_the_benign_is_pruned() {
    let tree = triangle();
    let mut state = State::new(&tree);
    apply(&mut state, &[Action::Next, Action::Benign]);
    assert_eq!(opinions(&state), "sbppp");
    assert_eq!(state.pruned(), (1, 3));
    assert_eq!(state.marked(), ["triangle.c:13"]);
    apply(&mut state, &[Action::Benign]);
    assert_eq!(opinions(&state), "sssss");
    assert_eq!(state.marked(), Vec::<String>::new());
    // Line 5 is below 13, 9 and 11.
    apply(&mut state, &[Action::Next, Action::Next, Action::Benign]);
    assert_eq!(opinions(&state), "sssbs");
}

#[test]
fn what_is_shared_moves_to_who_still_refers_to_it() {
    // 3 stands below 1, but influences 2, too; 4 stands below 3, and refers back to it.
    let tree = entries(&[
        (None, &[]),
        (Some(0), &[]),
        (Some(0), &[3]),
        (Some(1), &[]),
        (Some(3), &[3]),
        (Some(1), &[4]),
    ]);
    let mut state = State::new(&tree);
    apply(&mut state, &[Action::OpenAll, Action::Next, Action::Benign]);
    assert_eq!(opinions(&state), "sbsssp");
    assert_eq!(rows(&state)[..4], ["0", "  1", "    3", "      4"]);
    apply(&mut state, &[Action::Hiding]);
    assert_eq!(rows(&state), ["0", "  2", "    3", "      4", "        ->3"]);
    // What is now in the place of the entry that was selected.
    assert_eq!(selected(&state), "2");
    apply(&mut state, &[Action::Previous, Action::Previous]);
    assert_eq!(selected(&state), "0");
    apply(&mut state, &[Action::Hiding]);
    assert_eq!(
        rows(&state),
        ["0", "  1", "    3", "      4", "        ->3", "    5", "      ->4", "  2", "    ->3"]
    );
}

#[test]
fn hidden_entries_that_refer_to_each_other_stay_hidden() {
    let tree = entries(&[(None, &[]), (Some(0), &[]), (Some(1), &[]), (Some(2), &[2])]);
    let mut state = State::new(&tree);
    apply(&mut state, &[Action::Hiding]);
    assert_eq!(state.notice, "nothing is marked benign (b)");
    apply(&mut state, &[Action::Next, Action::Benign]);
    assert_eq!(opinions(&state), "sbpp");
    assert_eq!(rows(&state), ["0"]);
}

#[test]
fn a_line_is_marked_with_all_its_entries() {
    let mut tree = entries(&[(None, &[]), (Some(0), &[]), (Some(0), &[]), (Some(2), &[])]);
    tree.causes[3].location = tree.causes[1].location.clone();
    let mut state = State::new(&tree);
    apply(&mut state, &[Action::Next, Action::Benign]);
    assert_eq!(opinions(&state), "sbsb");
    assert_eq!(state.marked(), ["many.c:2"]);
}

#[test]
fn the_failure_is_not_benign() {
    let mut tree = triangle();
    tree.causes[2].location = None;
    let mut state = State::new(&tree);
    apply(&mut state, &[Action::Benign]);
    assert_eq!(state.notice, "the failure itself is not benign");
    apply(&mut state, &[Action::Next, Action::Next, Action::Benign]);
    assert_eq!(state.notice, "it is at no line of the source");
    assert_eq!(opinions(&state), "sssss");
}

#[test]
fn nonsense_does_no_harm() {
    let empty = report::CauseTree::default();
    let mut tree = entries(&[(None, &[7, 0]), (Some(0), &[]), (Some(0), &[1, 1])]);
    tree.causes[1].parent = Some(1);
    tree.causes[2].parent = Some(5);
    let all = [
        Action::Up,
        Action::Down,
        Action::In,
        Action::Out,
        Action::Toggle,
        Action::OpenAll,
        Action::Last,
        Action::Follow,
        Action::Benign,
        Action::Hiding,
        Action::Back,
        Action::Next,
        Action::Previous,
        Action::Instances,
        Action::CloseAll,
        Action::SourceDown,
        Action::DetailsDown,
        Action::Help,
    ];
    for tree in [&empty, &tree] {
        let mut state = State::new(tree);
        for first in all {
            for second in all {
                apply(&mut state, &[first, second]);
                assert!(state.selected() <= state.rows().len().saturating_sub(1));
            }
        }
    }
}

#[test]
fn any_key_closes_the_help() {
    let tree = triangle();
    let mut state = State::new(&tree);
    apply(&mut state, &[Action::Help]);
    assert!(state.is_help_open);
    apply(&mut state, &[Action::Down]);
    assert!(!state.is_help_open);
    assert_eq!(selected(&state), "0");
}
