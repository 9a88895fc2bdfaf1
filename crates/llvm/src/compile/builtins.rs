//! Library functions that a program defines itself.
//!
//! clang compiles calls of some library functions without calling them, and does so even if the program defines a
//! function of this name. That function would never run, though it may be where the fault is.

use std::collections::BTreeSet;
use std::path::PathBuf;
use tree_sitter::{Node, Parser};

/// What clang compiles or folds by itself without optimisation.
const COMPILED: &[&str] = &[
    "abs",
    "labs",
    "llabs",
    "fabs",
    "fabsf",
    "ceil",
    "ceilf",
    "floor",
    "floorf",
    "round",
    "roundf",
    "trunc",
    "truncf",
    "rint",
    "rintf",
    "nearbyint",
    "lround",
    "lrint",
    "fmin",
    "fminf",
    "fmax",
    "fmaxf",
    "fmod",
    "copysign",
    "memcpy",
    "memmove",
    "memset",
    "mempcpy",
    "memcmp",
    "memchr",
    "bcmp",
    "bcopy",
    "bzero",
    "strlen",
    "strcmp",
    "strncmp",
    "strchr",
    "index",
    "sqrt",
    "pow",
    "exp",
    "log",
    "sin",
    "cos",
    "tan",
    "alloca",
    "toupper",
    "tolower",
    "isdigit",
    "ffs",
];

/// The functions of the sources that clang would not call. What cannot be read is for clang to complain about.
pub fn redefined(sources: &[PathBuf]) -> Vec<&'static str> {
    let texts = sources.iter().filter_map(|source| std::fs::read(source).ok());
    let found: BTreeSet<&str> = texts.flat_map(|text| defined(&text)).collect();
    found.into_iter().collect()
}

fn defined(text: &[u8]) -> Vec<&'static str> {
    let candidates: Vec<&'static str> =
        COMPILED.iter().copied().filter(|name| mentions(text, name.as_bytes())).collect();
    let mut parser = Parser::new();
    if candidates.is_empty() || parser.set_language(&tree_sitter_c::LANGUAGE.into()).is_err() {
        return Vec::new();
    }
    let Some(tree) = parser.parse(text, None) else { return Vec::new() };
    let mut found = Vec::new();
    let mut open = vec![tree.root_node()];
    while let Some(node) = open.pop() {
        if node.kind() == "function_definition" {
            let name = function_name(node).and_then(|name| text.get(name.byte_range()));
            found.extend(candidates.iter().filter(|known| name == Some(known.as_bytes())));
        } else if node.parent().is_none() || node.kind().starts_with("preproc_") {
            open.extend((0..node.named_child_count()).filter_map(|i| node.named_child(i as u32)));
        }
    }
    found
}

/// The name within `*(*name(int))(void)`.
fn function_name(definition: Node) -> Option<Node> {
    let mut node = definition.child_by_field_name("declarator")?;
    while node.kind() != "identifier" {
        node = node.child_by_field_name("declarator").or_else(|| node.named_child(0))?;
    }
    Some(node)
}

fn mentions(text: &[u8], name: &[u8]) -> bool {
    text.windows(name.len()).any(|window| window == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_are_found_and_uses_are_not() {
        let found = |text: &str| defined(text.as_bytes());
        assert_eq!(found("int abs(int x) { return x; }"), ["abs"]);
        assert_eq!(found("int abs(x) int x; { return x; }"), ["abs"]);
        assert_eq!(found("char *strchr(char *s, int c) { return s; }"), ["strchr"]);
        assert_eq!(
            found("#ifdef X\n#if Y\nstatic int abs(int x) { return x; }\n#endif\n#endif"),
            ["abs"]
        );
        assert_eq!(found("int abs(int); int f(int x) { return abs(x); }"), Vec::<&str>::new());
        assert_eq!(found("int my_abs(int x) { return x; }"), Vec::<&str>::new());
        assert_eq!(found("int (((("), Vec::<&str>::new());
    }
}
