//! What the other ways of a branch may write, for programs made by hand.

use super::sketch::{Writer, edge, names};
use crate::graph::writes::Writes;
use crate::program::{Memory, Program, Statement, Target};

/// What would have been written if the edge with this text had not been taken.
fn omitted(program: &Program, text: &str) -> Vec<String> {
    names(program, &Writes::new(program).omitted(edge(program, text)))
}

/// Fig. 6 of the paper on cascades: `if (a) { if (b) if (c) c = 2; d = c + 3; }`
#[test]
fn the_example_of_the_paper() {
    let mut w = Writer::new();
    let [c, d] = ["c", "d"].map(|name| w.local(name, 64));
    let nothing = |_: &mut Writer| {};
    w.either(
        "a",
        |w| {
            let two = w.word(2);
            let inner = |w: &mut Writer| w.either("c", |w| w.assign(c, two), nothing);
            w.either("b", inner, nothing);
            let sum = w.moved(c, 3);
            w.assign(d, sum);
        },
        nothing,
    );
    w.ret();
    let program = w.finish();
    assert_eq!(omitted(&program, "b-"), ["c"]);
    assert_eq!(omitted(&program, "b+"), [""; 0]);
    assert_eq!(omitted(&program, "c-"), ["c"]);
    assert_eq!(omitted(&program, "a-"), ["c", "d"]);
    assert_eq!(omitted(&program, "a+"), [""; 0]);
}

#[test]
fn a_loop_that_was_left_might_have_gone_on() {
    let mut w = Writer::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| w.local(name, 64));
    let one = w.word(1);
    w.repeat("loop", |w| {
        w.assign(x, one);
        w.either("inner", |w| w.assign(y, one), |_| {});
    });
    w.assign(z, one);
    w.ret();
    let program = w.finish();
    assert_eq!(omitted(&program, "loop-"), ["x", "y"]);
    assert_eq!(omitted(&program, "loop+"), [""; 0]);
    assert_eq!(omitted(&program, "inner-"), ["y"]);
    assert_eq!(omitted(&program, "inner+"), [""; 0]);
}

/// A return, or a jump, inside makes the rest of the procedure part of the branch.
#[test]
fn ways_that_meet_late() {
    let mut w = Writer::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| w.local(name, 64));
    let one = w.word(1);
    let [out, on] = w.fork("early");
    w.at = out;
    w.assign(x, one);
    w.ret();
    w.at = on;
    let label = w.sketch.builder.location(w.procedure);
    let [jump, stay] = w.fork("goto");
    w.sketch.builder.jump(jump, label);
    w.at = stay;
    w.assign(y, one);
    w.sketch.builder.jump(w.at, label);
    w.at = label;
    w.assign(z, one);
    w.ret();
    let program = w.finish();
    assert_eq!(omitted(&program, "early-"), ["x"]);
    assert_eq!(omitted(&program, "early+"), ["y", "z"]);
    assert_eq!(omitted(&program, "goto+"), ["y"]);
    assert_eq!(omitted(&program, "goto-"), [""; 0]);
}

/// A check that fails is no way, and nor is its condition a branch.
#[test]
fn checks_go_on() {
    let mut w = Writer::new();
    let x = w.local("x", 64);
    let zero = w.word(0);
    let next = w.sketch.builder.location(w.procedure);
    let condition = w.sketch.builder.terms.eq(x, zero);
    w.sketch.branch(w.at, condition, next, Program::ERROR);
    w.at = next;
    w.assign(x, zero);
    w.ret();
    let program = w.finish();
    let mut writes = Writes::new(&program);
    let entry = program.location(program.procedures[0].entry);
    assert_eq!(entry.edges.len(), 2);
    for &edge in &entry.edges {
        assert_eq!(names(&program, &writes.omitted(edge)), [""; 0]);
    }
}

/// `f` calls itself and assigns a global; its own variables are those of other activations.
#[test]
fn calls_assign_globals() {
    let mut w = Writer::new();
    let main = w.procedure;
    let [g, h] = ["g", "h"].map(|name| w.global(name));
    let f = w.begin("f");
    let own = w.local("own", 64);
    let one = w.word(1);
    w.assign(own, one);
    w.either(
        "again",
        |w| {
            w.call(f, &[], &[]);
            w.assign(g, one);
        },
        |_| {},
    );
    w.ret();
    w.go_to(main);
    let x = w.local("x", 64);
    w.either("call", |w| w.call(f, &[], &[]), |w| w.assign(x, one));
    w.assign(h, one);
    w.ret();
    let program = w.finish();
    assert_eq!(omitted(&program, "call-"), ["g"]);
    assert_eq!(omitted(&program, "call+"), ["x"]);
    assert_eq!(omitted(&program, "again-"), ["g"]);
    let call = edge(&program, "call");
    assert_eq!(names(&program, &Writes::new(&program).of_edge(call)), ["g"]);
}

/// Two callers of one copying procedure: each copies to its own object only.
#[test]
fn small_procedures_do_not_mix_their_callers() {
    let mut w = Writer::new();
    let main = w.procedure;
    let [a, b, c] = ["a", "b", "c"].map(|name| w.object(name, &[]));
    let [a, b, c] = [a, b, c].map(|id| w.address(Target::Object(id, 0)));
    let copy = w.begin("copy");
    let [to, from] = ["to", "from"].map(|name| w.parameter(name));
    let end = w.result("end");
    let byte = w.local("byte", 8);
    w.repeat("more", |w| {
        w.load(byte, from);
        w.store(to, byte);
        for pointer in [to, from] {
            let next = w.moved(pointer, 1);
            w.assign(pointer, next);
        }
    });
    w.assign(end, to);
    w.ret();
    let twice = w.begin("twice");
    let [first, second] = ["first", "second"].map(|name| w.parameter(name));
    let rest = w.local("rest", 64);
    w.call(copy, &[first, second], &[rest]);
    w.call(copy, &[rest, second], &[rest]);
    w.ret();
    w.go_to(main);
    let [p, q] = ["p", "q"].map(|name| w.local(name, 64));
    w.either("one", |w| w.call(copy, &[a, b], &[p]), |w| w.call(copy, &[b, c], &[q]));
    w.either("two", |w| w.call(twice, &[c, a], &[]), |w| w.store(p, q));
    w.ret();
    let program = w.finish();
    assert_eq!(omitted(&program, "one-"), ["p", "a"]);
    assert_eq!(omitted(&program, "one+"), ["q", "b"]);
    assert_eq!(omitted(&program, "two-"), ["c"]);
    assert_eq!(omitted(&program, "two+"), ["a"]);
    // Inside, it may be any of them.
    assert_eq!(omitted(&program, "more-"), ["byte", "from", "to", "a", "b", "c"]);
}

/// Addresses that were copied byte by byte, or in a whole object, are found again.
#[test]
fn addresses_go_through_memory() {
    let mut w = Writer::new();
    let target = w.object("target", &[]);
    let table = w.object("table", &[Target::Object(target, 8)]);
    let table = w.address(Target::Object(table, 0));
    let [a, b] = ["a", "b"].map(|name| w.alloc(name));
    let byte = w.local("byte", 8);
    for at in 0..8 {
        let (from, to) = (w.moved(table, at), w.moved(a, at));
        w.load(byte, from);
        w.store(to, byte);
    }
    let size = w.word(64);
    w.then("copy", Statement::Memory(Memory::Copy { to: b, from: a, size }));
    let [p, n] = ["p", "n"].map(|name| w.local(name, 64));
    w.load(p, b);
    w.either("known", |w| w.store(p, size), |_| {});
    // A number that is not an address, and a difference of two.
    let negative = w.word(u64::MAX);
    let minus = w.sketch.builder.terms.mul(negative, b);
    let sum = w.plus(p, minus);
    w.assign(n, sum);
    let scaled = w.sketch.builder.terms.mul(size, n);
    let at = w.plus(a, scaled);
    w.either("index", |w| w.store(at, size), |_| {});
    w.ret();
    let program = w.finish();
    assert_eq!(omitted(&program, "known-"), ["target"]);
    assert_eq!(omitted(&program, "index-"), ["a"]);
}

#[test]
fn calls_through_pointers() {
    let mut w = Writer::new();
    let main = w.procedure;
    let [x, y] = ["x", "y"].map(|name| w.object(name, &[]));
    let [x, y] = [x, y].map(|id| w.address(Target::Object(id, 0)));
    let g = w.global("g");
    let one = w.word(1);
    let store = w.begin("store");
    let to = w.parameter("to");
    w.store(to, one);
    w.ret();
    let assign = w.begin("assign");
    w.parameter("unused");
    w.assign(g, one);
    w.ret();
    let never = w.begin("never");
    let h = w.global("h");
    w.assign(h, one);
    w.ret();
    w.go_to(main);
    let table = w.object("table", &[Target::Procedure(store), Target::Procedure(assign)]);
    let table = w.address(Target::Object(table, 0));
    let [f, unknown] = ["f", "unknown"].map(|name| w.local(name, 64));
    w.load(f, table);
    w.either("table", |w| w.call_pointer(f, &[x], &[]), |_| {});
    let never = w.address(Target::Procedure(never));
    w.either("one", |w| w.call_pointer(never, &[y], &[]), |_| {});
    w.then("any", crate::testing::havoc(unknown));
    w.either("any", |w| w.call_pointer(unknown, &[x], &[]), |_| {});
    w.ret();
    let program = w.finish();
    assert_eq!(omitted(&program, "table-"), ["g", "x"]);
    assert_eq!(omitted(&program, "one-"), ["h"]);
    assert_eq!(omitted(&program, "any-"), ["g", "h", "x"]);
}

/// Objects of a callee are gone when the ways meet; those of callers are not.
#[test]
fn objects_of_activations() {
    let mut w = Writer::new();
    let main = w.procedure;
    let one = w.word(1);
    let f = w.begin("f");
    let to = w.parameter("to");
    let inner = w.alloc("inner");
    w.store(inner, one);
    w.either("deep", |w| w.call(f, &[inner], &[]), |_| {});
    w.store(to, one);
    w.ret();
    w.go_to(main);
    let outer = w.alloc("outer");
    w.either("call", |w| w.call(f, &[outer], &[]), |_| {});
    w.ret();
    let program = w.finish();
    assert_eq!(omitted(&program, "call-"), ["outer"]);
    assert_eq!(omitted(&program, "deep-"), ["inner", "outer"]);
}

#[test]
fn functions_of_the_world() {
    let mut w = Writer::new();
    let main_parameters = ["argc", "argv"].map(|name| w.parameter(name));
    let [line, end, number] = ["line", "end", "number"].map(|name| w.alloc(name));
    let [p, q, r, s, t, u] = ["p", "q", "r", "s", "t", "u"].map(|name| w.local(name, 64));
    let size = w.word(16);
    w.external("malloc", &[size], &[p]);
    w.store(p, line);
    w.either("fgets", |w| w.external("fgets", &[line, size, size], &[q]), |_| {});
    w.external("realloc", &[p, size], &[r]);
    w.load(s, r);
    w.either("realloc", |w| w.store(s, size), |w| w.store(r, size));
    w.either("strtod", |w| w.external("strtod", &[line, end], &[]), |_| {});
    w.load(t, end);
    w.either("end", |w| w.store(t, size), |_| {});
    w.either("scanf", |w| w.external("scanf", &[size, line, number], &[]), |_| {});
    w.either("printf", |w| w.external("printf", &[line, number], &[]), |_| {});
    w.load(u, main_parameters[1]);
    w.either("argv", |w| w.store(u, size), |_| {});
    w.ret();
    let program = w.finish();
    assert_eq!(omitted(&program, "fgets-"), ["q", "line"]);
    assert_eq!(omitted(&program, "realloc-"), ["line"]);
    assert_eq!(omitted(&program, "realloc+"), ["heap"]);
    assert_eq!(omitted(&program, "strtod-"), ["end"]);
    assert_eq!(omitted(&program, "end-"), ["line"]);
    assert_eq!(omitted(&program, "scanf-"), ["line", "number"]);
    assert_eq!(omitted(&program, "printf-"), [""; 0]);
    assert_eq!(omitted(&program, "argv-"), ["start"]);
}

/// Every function may set `errno`, which matters to those who look at it.
#[test]
fn errno_matters_if_it_is_read() {
    for (reads, expected) in [(false, &[][..]), (true, &["start"][..])] {
        let mut w = Writer::new();
        let errno = w.local("errno", 64);
        w.external("__errno_location", &[], &[errno]);
        let value = w.local("value", 32);
        if reads {
            w.load(value, errno);
        } else {
            w.store(errno, value);
        }
        w.either("puts", |w| w.external("puts", &[], &[]), |_| {});
        w.ret();
        let program = w.finish();
        assert_eq!(omitted(&program, "puts-"), expected);
    }
}
