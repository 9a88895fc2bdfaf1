//! What programs are made of.

use program::{FailureKind, Memory, Statement, Trust, Type, VariableRole};

use super::super::LowerError;
use super::{assignments, errors, program, try_lower};

#[test]
fn scalars_are_variables_and_others_objects() {
    let program = program(
        "int total; static long count = 5; int table[3];
         void set(int *to) { *to = 1; }
         int main(int argc, char **argv) {
             int plain = argc; double d = 1.5; int taken; int late;
             set(&taken);
             if (plain) late = 1;
             total = taken + late + table[1];
             count++;
             return plain + (int)d;
         }",
    );
    let source = |name: &str| {
        let mut all = program.variables.values();
        all.any(|v| v.name == name && v.role == VariableRole::Source)
    };
    for name in ["plain", "d", "argc", "total", "count", "to"] {
        assert!(source(name), "{name}");
    }
    for name in ["taken", "late", "table"] {
        assert!(!source(name), "{name}");
    }
    let objects: Vec<&str> = program
        .edges
        .iter()
        .filter_map(|edge| match &edge.statement {
            Statement::Memory(Memory::Alloc { object, .. }) => Some(object.name.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(objects, ["taken", "late"]);
    let table = program.statics.iter().find(|s| s.name == "table").expect("an object");
    assert_eq!((table.bytes.len(), table.writable), (12, true));
    assert!(program.gaps.is_empty(), "{:?}", program.gaps);
}

#[test]
fn values_fold_into_statements() {
    let program = program(
        "int main(void) { int x = 3, y; y = x * x + 2 * x; if (!(y > 3) == 0) y = x++; return y; }",
    );
    let found = assignments(&program);
    let found: Vec<_> = found.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    let expected = [
        ("x", "x = 3"),
        ("y", "y = x * x + 2 * x"),
        // The old value of x, which the next statement needs.
        ("", "x++"),
        ("x", "x++"),
        ("return value", "return y"),
        ("y", "y = x++"),
    ];
    for entry in expected {
        assert!(found.contains(&entry), "{entry:?} in {found:?}");
    }
    assert_eq!(found.len(), expected.len());
}

#[test]
fn checks_have_kinds_and_texts() {
    let program = program(
        "#include <assert.h>
         #include <stdlib.h>
         void reach_error(void);
         int main(int argc, char **argv) {
             int a = argc * 3; a = -a; a = a / argc; a = a % (argc + 1); a = a << argc;
             unsigned u = argc; u = u + 1; u = u / (u + 1);
             assert(a > 0 && \"reason\");
             if (a == 5) reach_error();
             if (a == 6) abort();
             if (a == 7) __builtin_unreachable();
             if (a == 8) __builtin_trap();
             return u;
         }",
    );
    let mut found: Vec<_> =
        errors(&program).into_iter().map(|(kind, text, _)| (kind, text)).collect();
    found.sort();
    let mut expected: Vec<_> = [
        (FailureKind::Assertion, "a > 0 && \"reason\""),
        (FailureKind::Abort, "abort()"),
        (FailureKind::Abort, "__builtin_trap()"),
        (FailureKind::ReachableError, "reach_error()"),
        (FailureKind::DivisionByZero, "a / argc"),
        (FailureKind::DivisionByZero, "a % (argc + 1)"),
        (FailureKind::DivisionByZero, "u / (u + 1)"),
        (FailureKind::SignedOverflow, "argc * 3"),
        (FailureKind::SignedOverflow, "-a"),
        (FailureKind::SignedOverflow, "a / argc"),
        (FailureKind::SignedOverflow, "a % (argc + 1)"),
        (FailureKind::SignedOverflow, "argc + 1"),
        (FailureKind::BadShift, "a << argc"),
    ]
    .map(|(kind, text)| (kind, text.to_owned()))
    .into();
    expected.sort();
    found.retain(|(kind, _)| *kind != FailureKind::Unreachable);
    assert_eq!(found, expected);
    let messages: Vec<_> = errors(&program).into_iter().map(|(.., message)| message).collect();
    let message = "the assertion `a > 0 && \"reason\"` does not hold";
    assert!(messages.iter().any(|m| m == message), "{messages:?}");
    assert!(errors(&program).iter().any(|(kind, ..)| *kind == FailureKind::Unreachable));
}

#[test]
fn conditions_are_branches() {
    let program = program(
        "int main(int argc, char **argv) {
             int i = 0;
             while (i < argc && argv[i]) i++;
             switch (i) { case 1: case 2: return 1; case 3: return 2; default: return 3; }
         }",
    );
    let conditions: Vec<&str> = program
        .edges
        .iter()
        .filter(|edge| matches!(edge.statement, Statement::Assume { .. }))
        .map(|edge| program.site(edge.site))
        .filter(|site| site.property.is_none())
        .map(|site| site.text.as_str())
        .collect();
    // Two edges for each condition, three for the switch: no truth value is stored on the way.
    assert_eq!(conditions.iter().filter(|c| **c == "i < argc").count(), 2);
    assert_eq!(conditions.iter().filter(|c| **c == "argv[i]").count(), 2);
    assert_eq!(conditions.iter().filter(|c| **c == "i").count(), 3, "{conditions:?}");
    assert_eq!(conditions.len(), 7);
}

#[test]
fn globals_are_initialised_before_main() {
    let program = program("int limit = 7; int zero; int main(void) { limit--; return zero++; }");
    let entry = program.procedure(program.entries[0]);
    assert_eq!(entry.name, "<start>");
    let sites: Vec<_> = program
        .edges
        .iter()
        .filter(|edge| program.location(edge.from).procedure == Some(program.entries[0]))
        .map(|edge| program.site(edge.site))
        .map(|site| (site.text.as_str(), site.trust))
        .collect();
    assert!(sites.contains(&("limit = 7", Trust::User)), "{sites:?}");
    assert_eq!(sites.iter().filter(|(_, trust)| *trust == Trust::User).count(), 1);
}

#[test]
fn types_of_the_source() {
    let program = program(
        "enum colour { RED, GREEN = 5, BLUE = -1 };
         struct node { int bits : 3; unsigned char c; struct node *next; double d[2][3]; enum colour e; };
         typedef const struct node alias;
         struct node root;
         int main(void) { alias *p = &root; return p->bits + root.c; }",
    );
    let root = program.statics.iter().find(|s| s.name == "root").and_then(|s| s.ty);
    let Type::Struct(node) = program.ty(root.expect("a type")) else { unreachable!("a struct") };
    assert_eq!((node.name.as_str(), node.size), ("node", 72));
    let names: Vec<_> = node.members.iter().map(|m| (m.name.as_str(), m.offset, m.bits)).collect();
    let expected = [
        ("bits", 0, Some(3)),
        ("c", 8, None),
        ("next", 64, None),
        ("d", 128, None),
        ("e", 512, None),
    ];
    assert_eq!(names, expected);
    assert_eq!(
        program.path_to(root.expect("a type"), 16 + 8 * 4, 8).map(|p| p.0).as_deref(),
        Some(".d[1][1]")
    );
    let Type::Enum { values, signed, .. } = program.ty(node.members[4].ty) else {
        unreachable!("an enum")
    };
    let values: Vec<_> = values.iter().map(|(name, value)| (name.as_str(), *value)).collect();
    assert_eq!((values, *signed), (vec![("RED", 0), ("GREEN", 5), ("BLUE", -1)], true));
    let p = program.variables.values().find(|v| v.name == "p").and_then(|v| v.ty);
    let Type::Pointer(pointee) = program.ty(p.expect("a type")) else { unreachable!("a pointer") };
    assert_eq!(*pointee, root.expect("a type"));
}

#[test]
fn what_is_not_modelled_is_a_gap() {
    let program = program(
        "#include <setjmp.h>
         jmp_buf b;
         int main(void) {
             int x = 0; long double l = 1;
             __asm__ volatile(\"\" ::: \"memory\");
             __asm__(\"mov %1, %0\" : \"=r\"(x) : \"r\"(1));
             if (setjmp(b)) return 1;
             if (x) longjmp(b, 1);
             return x + (int)l;
         }",
    );
    let mut gaps: Vec<&str> = program.gaps.iter().map(|gap| gap.message.as_str()).collect();
    gaps.sort();
    assert_eq!(gaps.len(), 3, "{gaps:?}");
    assert!(gaps[0].contains("long double") && gaps[1].contains("`longjmp`"), "{gaps:?}");
    assert!(gaps[2].contains("inline assembly"), "{gaps:?}");
    assert!(program.gaps.iter().all(|gap| gap.span.is_some()), "{:?}", program.gaps);
}

#[test]
fn no_main_is_an_error() {
    assert_eq!(try_lower("int f(void) { return 1; }", &[]).err(), Some(LowerError::NoMain));
    assert_eq!(try_lower("int main(void);", &[]).err(), Some(LowerError::NoMain));
}
