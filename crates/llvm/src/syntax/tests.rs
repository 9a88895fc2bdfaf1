use program::syntax::{Class, Kind, Role, Syntax};

use super::syntax;

fn find(tree: &Syntax, text: &str) -> program::syntax::NodeId {
    let is_it = |id: &program::syntax::NodeId| tree.text_of(*id) == text;
    tree.ids().rfind(is_it).unwrap_or_else(|| panic!("no {text}"))
}

#[test]
fn expressions_have_exact_ranges_and_types() {
    let tree = syntax(
        "struct p { int x; double y; };\nstatic int n;\nint f(struct p *q, char *s, double d)\n{\n    \
         int i = 0, a[10];\n    if (q->x < a[i] + n && d > 0.5)\n        return (int)q->y + s[i];\n    \
         else\n        i += 2;\n    return f(q, s, 1.0);\n}\n",
        &[],
    );
    let class = |text: &str| tree.node(find(&tree, text)).ty.class;
    assert_eq!(class("q->x"), Class::Integer);
    assert_eq!(class("q->y"), Class::Floating);
    assert_eq!(class("a[i]"), Class::Integer);
    assert_eq!(class("s[i]"), Class::Character);
    assert_eq!(class("a[i] + n"), Class::Integer);
    assert_eq!(class("(int)q->y"), Class::Integer);
    assert_eq!(class("f(q, s, 1.0)"), Class::Integer);
    assert!(tree.node(find(&tree, "q")).ty.is_pointer());
    assert_eq!(tree.kind(find(&tree, "0.5")), Kind::Floating);
    let both = find(&tree, "q->x < a[i] + n && d > 0.5");
    assert_eq!((tree.kind(both), tree.operator(both)), (Kind::Binary, "&&"));
    let choice = tree.statement(both).expect("an if");
    assert_eq!(tree.kind(choice), Kind::If);
    let other = tree.child(choice, Role::Else).expect("an else");
    assert_eq!((tree.kind(other), tree.text_of(other)), (Kind::Evaluate, "i += 2;"));
    let call = find(&tree, "f(q, s, 1.0)");
    assert_eq!(tree.children(call, Role::Argument).count(), 3);
}

#[test]
fn names_are_known_where_they_are_declared() {
    let text = "int g;\nvoid k(a, b) int a; char *b;\n{\n    int x = 1;\n    for (int i = 0; i < x; i++) {\n        \
                float x;\n        g = i;\n    }\n    g = a;\n}\n";
    let tree = syntax(text, &[]);
    let names = |at: &str| {
        let at = text.find(at).expect("a place") as u32;
        let mut names: Vec<String> =
            tree.in_scope(at).iter().map(|it| format!("{}:{:?}", it.name, it.ty.class)).collect();
        names.sort();
        names.join(" ")
    };
    assert_eq!(names("g = i"), "a:Integer b:Character g:Integer i:Integer k:Other x:Floating");
    assert_eq!(names("g = a"), "a:Integer b:Character g:Integer k:Other x:Integer");
}

#[test]
fn the_body_of_a_macro_is_a_place_of_its_own() {
    let text = "#define LIMIT 10\n#define TWICE(x) ((x) + (x))\n#define ODD (\nint f(void) { return LIMIT; }\n";
    let tree = syntax(text, &[]);
    let ten = find(&tree, "10");
    assert_eq!(tree.kind(ten), Kind::Integer);
    assert!(tree.ancestors(ten).any(|id| tree.kind(id) == Kind::Macro));
    let sum = find(&tree, "(x) + (x)");
    assert_eq!(tree.kind(sum), Kind::Binary);
    assert!(tree.in_scope(text.len() as u32 - 3).iter().any(|it| it.name == "LIMIT"));
}

#[test]
fn whatever_the_text_is_there_is_a_tree() {
    let deep = "(".repeat(20_000);
    for text in ["", "}{", "int", "#define", "#define A", "\u{0}", "int f( {", "'", "\"", &deep] {
        let tree = syntax(text, &[]);
        for id in tree.ids() {
            let range = tree.range(id);
            assert!(range.start <= range.end && range.end as usize <= text.len());
        }
    }
}
