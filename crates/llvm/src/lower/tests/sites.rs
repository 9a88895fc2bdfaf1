//! Sites have the text of the statement, as the programmer wrote it.

use program::{Memory, Program, Statement, Trust};

use super::program;

fn texts(program: &Program, wanted: impl Fn(&Statement) -> bool) -> Vec<String> {
    let edges = program.edges.iter().filter(|edge| wanted(&edge.statement));
    let mut texts: Vec<String> = edges.map(|e| program.site(e.site).text.clone()).collect();
    texts.sort();
    texts.dedup();
    texts
}

#[test]
fn of_memory_accesses() {
    let program = program(
        "struct point { int x, y; };
         int main(void) {
             int a[4]; struct point p, *q = &p;
             a[1] = 3;
             q->y = a[1] + 2;
             *(a + 2) = q->x = 5;
             return a[2] - (*q).y;
         }",
    );
    let stores = texts(&program, |s| matches!(s, Statement::Memory(Memory::Store { .. })));
    assert_eq!(stores, ["*(a + 2) = q->x = 5", "a[1] = 3", "q->x = 5", "q->y = a[1] + 2"]);
    let loads = texts(&program, |s| matches!(s, Statement::Memory(Memory::Load { .. })));
    assert_eq!(loads, ["(*q).y", "a[1]", "a[2]"]);
}

#[test]
fn of_calls_and_returns() {
    let program = program(
        "int twice(int n) { if (n < 0) return 0; return n * 2; }
         int main(void) { int x = twice(4); twice(x + 1); return twice(twice(2)); }",
    );
    let calls = texts(&program, |s| matches!(s, Statement::Call { .. }));
    assert_eq!(calls, ["twice(2)", "twice(4)", "twice(twice(2))", "twice(x + 1)"]);
    let assigned = texts(&program, |s| matches!(s, Statement::Assign { .. }));
    let expected = ["return 0", "return n * 2", "return twice(twice(2))", "x = twice(4)"];
    assert_eq!(assigned, expected);
}

#[test]
fn of_what_the_compiler_made_are_trusted() {
    let program = program(
        "void swap(int a, int b, int *p) { *p = a; a = b; p = &a; }
         int main(void) { int x; swap(1, 2, &x); return 0; }",
    );
    for edge in &program.edges {
        let site = program.site(edge.site);
        assert_eq!(site.trust == Trust::User, site.span.is_some(), "{site:?}");
    }
    // The parameter whose address is taken is copied into its object.
    let made = program.edges.iter().filter(|e| program.site(e.site).trust == Trust::Trusted);
    let stores = made.filter(|e| matches!(e.statement, Statement::Memory(Memory::Store { .. })));
    assert_eq!(stores.count(), 1);
}
