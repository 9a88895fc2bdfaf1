use super::*;

const PROGRAM: &str = "var g, h: int;\nconst c: int;\nprocedure p(n: int, b: bool) returns (r: int)\n  requires n > 0;\n  modifies \
                       g;\n{\n  var m: [int]int;\n  m[n] := (n + 1) * 2;\n  if (!b && (n < c)) {\n    g := m[g];\n  } \
                       else if (b) {\n    call r := p(n - 1, true);\n  }\n  assert g >= 0;\n}\n";

fn texts(tree: &Syntax, kind: Kind) -> Vec<&str> {
    tree.ids().filter(|it| tree.kind(*it) == kind).map(|it| tree.text_of(it)).collect()
}

#[test]
fn nodes_have_their_texts() {
    let tree = syntax(PROGRAM);
    assert_eq!(texts(&tree, Kind::Assign), ["m[n] := (n + 1) * 2", "g := m[g]"]);
    assert_eq!(texts(&tree, Kind::Parenthesised), ["(n + 1)", "(n < c)"]);
    assert_eq!(texts(&tree, Kind::Index), ["m[n]", "m[g]"]);
    assert_eq!(texts(&tree, Kind::Call), ["p(n - 1, true)"]);
    assert_eq!(texts(&tree, Kind::Claim), ["assert g >= 0;"]);
    assert_eq!(texts(&tree, Kind::Binary).last(), Some(&"n - 1"));
    let chain = texts(&tree, Kind::If);
    assert!(chain[0].starts_with("if (!b") && chain[1].starts_with("if (b) {"), "{chain:?}");
    for id in tree.ids() {
        let children = &tree.node(id).children;
        assert!(children.iter().all(|(_, it)| tree.range(id).contains(tree.range(*it))));
        let starts: Vec<u32> = children.iter().map(|(_, it)| tree.range(*it).start).collect();
        assert!(starts.is_sorted(), "{}", tree.text_of(id));
    }
}

#[test]
fn conditions_are_without_their_parentheses() {
    let tree = syntax(PROGRAM);
    let asked = tree.ids().filter(|it| tree.role(*it) == Some(Role::Condition));
    let asked: Vec<&str> = asked.map(|it| tree.text_of(it)).collect();
    assert_eq!(asked, ["!b && (n < c)", "b"]);
}

#[test]
fn names_and_what_may_be_assigned() {
    use program::syntax::Meaning;
    let tree = syntax(PROGRAM);
    let at = PROGRAM.find("m[n]").unwrap() as u32;
    let scope = tree.in_scope(at);
    let of = |name: &str| scope.iter().find(|it| it.name == name).map(|it| it.meaning.clone());
    assert_eq!(of("g"), Some(Meaning::Variable));
    assert_eq!(of("h"), Some(Meaning::Parameter), "it is not said to be modified");
    assert_eq!(of("n"), Some(Meaning::Parameter));
    assert_eq!(of("r"), Some(Meaning::Variable));
    assert_eq!(of("c"), Some(Meaning::Constant));
    assert_eq!(of("p"), Some(Meaning::Function(2)));
}

#[test]
fn what_is_no_program_cannot_be_read() {
    assert_eq!(syntax("procedure p() { x := 1; }").kind(NodeId(0)), Kind::Unreadable);
    assert_eq!(syntax("procedure p( {").kind(NodeId(0)), Kind::Unreadable);
}
