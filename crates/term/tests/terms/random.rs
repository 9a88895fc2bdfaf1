//! The constructors against plain evaluation, on random terms.

use std::collections::HashMap;

use crate::expressions::{Expressions, Random, value};
use term::{Code, Term, Terms, Value, evaluate};

const ROUNDS: u64 = 20_000;

type Assignment = HashMap<Term, Value>;

fn assignment(random: &mut Random, all: &Expressions) -> Assignment {
    all.variables().into_iter().map(|(v, sort)| (v, value(random, &sort))).collect()
}

fn cases(seed: u64, mut check: impl FnMut(u64, &mut Random, &mut Terms, &Expressions)) {
    for round in 0..ROUNDS {
        let mut random = Random(seed.wrapping_mul(0x1234_5678_9abc_def1).wrapping_add(round << 20));
        let mut terms = Terms::new();
        let size = 16 + random.below(40);
        let all = Expressions::random(&mut random, &mut terms, size);
        check(round, &mut random, &mut terms, &all);
    }
}

#[test]
fn constructors_keep_the_value() {
    cases(1, |round, random, terms, all| {
        let roots: Vec<Term> = all.nodes.iter().map(|n| n.term).collect();
        let code = Code::compile(terms, &roots);
        for _ in 0..3 {
            let given = assignment(random, all);
            let expected = all.values(&|v| given[&v].clone());
            let found = code.run(&mut |v| given.get(&v).cloned()).unwrap();
            for (n, (e, f)) in expected.iter().zip(&found).enumerate() {
                assert!(e.same(f), "round {round}, node {n} {:?}: {e} became {f}", all.nodes[n].op);
            }
            let one = random.below(roots.len());
            let alone = evaluate(terms, roots[one], &mut |v| given.get(&v).cloned()).unwrap();
            assert_eq!(alone, found[one]);
            let variables: Vec<&Value> = code.variables().map(|v| &given[&v]).collect();
            let mut shown = Vec::new();
            code.run_over(&mut Vec::new(), |n| variables[n], |v| shown.push(v.clone()));
            assert_eq!(shown, found);
        }
    });
}

#[test]
fn a_term_made_again_is_the_same() {
    cases(2, |round, _, terms, _| {
        for term in terms.all() {
            let (op, sort, args) = (terms.op(term), terms.sort(term).clone(), terms.args(term));
            let args = args.to_vec();
            let again = terms.make(op, &sort, &args);
            assert!(
                again == term,
                "round {round}: {} became {}",
                term::to_smtlib(terms, term),
                term::to_smtlib(terms, again)
            );
            if sort == term::Sort::Bool {
                let not = terms.not(term);
                let twice = terms.not(not);
                assert!(
                    twice == term,
                    "round {round}: {} negated twice is {}",
                    term::to_smtlib(terms, term),
                    term::to_smtlib(terms, twice)
                );
            }
        }
    });
}

#[test]
fn substitution_agrees_with_a_changed_assignment() {
    cases(3, |round, random, terms, all| {
        let given = assignment(random, all);
        let of = |terms: &Terms, t: Term, a: &Assignment| {
            evaluate(terms, t, &mut |v| a.get(&v).cloned()).unwrap()
        };
        let root = all.nodes[all.nodes.len() - 1 - random.below(8)].term;
        // One variable by any term of its sort.
        let (variable, sort) = random.pick(&all.variables());
        let candidates: Vec<Term> =
            all.nodes.iter().filter(|n| n.sort == sort).map(|n| n.term).collect();
        let by = random.pick(&candidates);
        let replaced = terms.replace(root, variable, by);
        let mut changed = given.clone();
        changed.insert(variable, of(terms, by, &given));
        let (a, b) = (of(terms, replaced, &given), of(terms, root, &changed));
        assert!(a.same(&b), "round {round}: replace gives {a}, not {b}");
        let substituted = terms.substitute(root, &mut |v| (v == variable).then_some(by));
        assert_eq!(substituted, replaced, "round {round}");
        // Some or all variables by constants, some by terms.
        let share = random.below(4);
        let mut images: HashMap<Term, Term> = HashMap::new();
        let mut changed = given.clone();
        for (v, sort) in all.variables() {
            let candidates: Vec<Term> =
                all.nodes.iter().filter(|n| n.sort == sort).map(|n| n.term).collect();
            let image = match random.below(4) {
                0 if share > 0 => random.pick(&candidates),
                1 if share > 1 => continue,
                _ => terms.constant(&value(random, &sort)),
            };
            images.insert(v, image);
            changed.insert(v, of(terms, image, &given));
        }
        let substituted = terms.substitute(root, &mut |v| images.get(&v).copied());
        let (a, b) = (of(terms, substituted, &given), of(terms, root, &changed));
        assert!(a.same(&b), "round {round}: substitute gives {a}, not {b}");
        if images.values().all(|&t| terms.value(t).is_some()) && images.len() == given.len() {
            assert!(terms.value(substituted).is_some(), "round {round}: no constant");
        }
    });
}

#[test]
fn import_there_and_back() {
    cases(4, |round, random, terms, all| {
        let mut other = Terms::new();
        // Variables in another order, so that sorted arguments come in another order.
        let mut variables = all.variables();
        for i in (1..variables.len()).rev() {
            variables.swap(i, random.below(i + 1));
        }
        let mut there: HashMap<Term, Term> = HashMap::new();
        for (v, sort) in &variables {
            there.insert(*v, other.var(terms.name(*v).unwrap(), sort));
        }
        let back: HashMap<Term, Term> = there.iter().map(|(a, b)| (*b, *a)).collect();
        let given = assignment(random, all);
        for node in &all.nodes {
            let moved = other.import(terms, node.term, &mut |_, v| there[&v]);
            let expected = evaluate(terms, node.term, &mut |v| given.get(&v).cloned()).unwrap();
            let found = evaluate(&other, moved, &mut |v| given.get(&back[&v]).cloned()).unwrap();
            assert!(expected.same(&found), "round {round}: {expected} became {found}");
            let returned = terms.import(&other, moved, &mut |_, v| back[&v]);
            assert!(
                returned == node.term,
                "round {round}: {} moved to {} and came back as {}",
                term::to_smtlib(terms, node.term),
                term::to_smtlib(&other, moved),
                term::to_smtlib(terms, returned)
            );
        }
    });
}

#[test]
fn variables_are_found() {
    cases(5, |round, random, terms, all| {
        let root = all.nodes[random.below(all.nodes.len())].term;
        let below = terms.reachable(&[root]);
        let expected: Vec<Term> = below.iter().copied().filter(|&t| terms.is_var(t)).collect();
        assert_eq!(terms.variables_of(&[root]), expected, "round {round}");
        for (v, _) in all.variables() {
            assert_eq!(terms.mentions(root, v), expected.contains(&v), "round {round}");
        }
        assert!(below.is_sorted() && below.last() == Some(&root));
        for &t in &below {
            assert!(terms.args(t).iter().all(|a| below.binary_search(a).is_ok()));
        }
    });
}

#[test]
fn smtlib_is_well_formed() {
    cases(6, |round, random, terms, all| {
        let root = all.nodes[all.nodes.len() - 1 - random.below(8)].term;
        let roots: Vec<Term> =
            all.nodes.iter().filter(|n| n.sort == term::Sort::Bool).map(|n| n.term).collect();
        let declared: Vec<String> = terms
            .variables_of(&[root])
            .iter()
            .map(|&v| format!("|{}|", terms.name(v).unwrap()))
            .collect();
        well_formed(&term::to_smtlib(terms, root), declared, round);
        well_formed(&term::script(terms, &roots), Vec::new(), round);
    });
}

/// Balanced, and each symbol is declared, defined or bound before it is used.
fn well_formed(text: &str, mut known: Vec<String>, round: u64) {
    let mut depth = 0;
    let mut rest = text;
    let mut previous = "";
    let mut before = "";
    while let Some(start) = rest.chars().next() {
        let length = match start {
            '(' | ')' => 1,
            '|' => rest[1..].find('|').expect("an open quote") + 2,
            c if c.is_whitespace() => 1,
            _ => {
                rest.find(|c: char| c.is_whitespace() || c == '(' || c == ')').unwrap_or(rest.len())
            }
        };
        let token = &rest[..length];
        rest = &rest[length..];
        match token {
            "(" => depth += 1,
            ")" => depth -= 1,
            _ if token.trim().is_empty() => continue,
            _ if token.starts_with(['|', '?']) => {
                let defines = ["declare-fun", "define-fun"].contains(&previous)
                    || (previous, before) == ("(", "(");
                if defines {
                    assert!(!known.iter().any(|k| k == token), "round {round}: {token} twice");
                    known.push(token.to_owned());
                } else {
                    let found = known.iter().any(|k| k == token);
                    assert!(found, "round {round}: {token} is unknown in {text}");
                }
            }
            _ => {}
        }
        assert!(depth >= 0, "round {round}: {text}");
        (before, previous) = (previous, token);
    }
    assert_eq!(depth, 0, "round {round}: {text}");
}
