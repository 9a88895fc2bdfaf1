//! Decisions made otherwise in programs with memory.

use failure::{Failure, Flip, Flipped, Watch};
use program::process::Image;
use program::{
    Builder, FailureKind, Language, LocalObject, LocationId, Memory, Place, ProcedureId, Program,
    Property, Site, Statement, Target, Trust,
};
use term::{Sort, Term, Value};

use Flipped::{Differs, Same, Unclear};

use crate::flip::{flip, of_process, steps};

/// A procedure that is written from its beginning to its end.
struct Writer {
    builder: Builder,
    procedure: ProcedureId,
    at: LocationId,
}

impl Writer {
    fn new() -> Writer {
        let mut builder = Builder::new(Language::C, Vec::new());
        let procedure = builder.procedure("main");
        builder.enter_at(procedure);
        Writer { at: builder.entry_of(procedure), builder, procedure }
    }

    fn local(&mut self, name: &str, width: u32) -> Term {
        self.builder.local(self.procedure, name, &Sort::BitVec(width))
    }

    fn word(&mut self, value: u64) -> Term {
        self.builder.terms.constant(&Value::bitvec(64, value.into()))
    }

    fn edge(&mut self, from: LocationId, to: LocationId, text: &str, statement: Statement) {
        let property = Property { kind: FailureKind::Assertion, message: text.to_owned() };
        let (text, property) = (text.to_owned(), Some(property));
        let site = self.builder.site(Site { span: None, text, trust: Trust::User, property });
        self.builder.edge(from, to, statement, site);
    }

    fn then(&mut self, text: &str, statement: Statement) {
        let next = self.builder.location(self.procedure);
        self.edge(self.at, next, text, statement);
        self.at = next;
    }

    fn assign(&mut self, text: &str, variable: Term, value: Term) {
        self.then(text, Statement::Assign { place: Place::variable(variable), value });
    }

    fn store(&mut self, text: &str, address: Term, value: u64) {
        let value = self.word(value);
        self.then(text, Statement::Memory(Memory::Store { address, value }));
    }

    fn alloc(&mut self, name: &str, size: u64) -> Term {
        let (target, size) = (self.local(name, 64), self.word(size));
        let object = LocalObject { name: name.to_owned(), ty: None, align: 8, declared: None };
        self.then(name, Statement::Memory(Memory::Alloc { target, size, object }));
        target
    }

    fn external(&mut self, name: &str, arguments: &[Term], results: &[Term]) {
        let function = self.builder.external(name);
        let (arguments, results) = (arguments.to_vec(), results.to_vec());
        self.then(name, Statement::External { function, arguments, results });
    }

    /// A branch on whether the word is zero, written by two functions; the first is for zero.
    fn branch(
        &mut self,
        text: &str,
        word: Term,
        zero: impl Fn(&mut Writer),
        other: impl Fn(&mut Writer),
    ) {
        let nothing = self.word(0);
        let is_zero = self.builder.terms.eq(word, nothing);
        let is_not = self.builder.terms.not(is_zero);
        let (from, end) = (self.at, self.builder.location(self.procedure));
        for (condition, way) in [(is_zero, &zero as &dyn Fn(&mut Writer)), (is_not, &other)] {
            self.at = self.builder.location(self.procedure);
            self.edge(from, self.at, text, Statement::Assume { condition });
            way(self);
            self.builder.jump(self.at, end);
        }
        self.at = end;
    }

    fn fail(&mut self) {
        let condition = self.builder.terms.bool(true);
        self.edge(self.at, Program::ERROR, "fail", Statement::Assume { condition });
    }

    fn ret(&mut self) {
        let exit = self.builder.exit_of(self.procedure);
        self.edge(self.at, exit, "return", Statement::Return);
    }

    fn finish(self) -> Program {
        self.builder.finish().unwrap()
    }
}

fn with_failure(program: &Program, skipped: u64, test: &dyn Fn(&Failure<'_>)) {
    let image = Image::new(program).unwrap();
    test(&of_process(program, &image, 100_000, skipped).unwrap());
}

/// The cell that is written with this text.
fn cell(failure: &Failure<'_>, text: &str) -> Watch {
    let found = steps(failure, text).into_iter();
    let mut places = found.filter_map(|step| failure.trace.steps[step].action.place());
    Watch::Variable(places.next().unwrap().variable)
}

fn local(failure: &Failure<'_>, activation: u32, name: &str) -> Watch {
    let mut origins = failure.trace.origins.iter();
    let is_it = |&(number, variable): &(u32, Term)| {
        number == activation && failure.program.name(variable) == name
    };
    Watch::Variable(*origins.find(|(_, origin)| is_it(origin)).unwrap().0)
}

#[test]
fn cells_of_objects() {
    let mut w = Writer::new();
    let c = w.local("c", 64);
    let object = w.alloc("object", 16);
    let eight = w.word(8);
    let second = w.builder.terms.add(&[object, eight]);
    w.store("first", object, 1);
    w.store("second", second, 2);
    w.branch("c", c, |_| {}, |w| w.store("other", second, 3));
    w.branch(
        "d",
        c,
        |w| w.store("here", object, 4),
        |w| {
            w.alloc("another", 8);
            w.store("there", object, 4);
        },
    );
    w.branch("e", c, |_| {}, |w| w.store("nowhere", c, 4));
    w.fail();
    with_failure(&w.finish(), 0, &|failure| {
        let [first, second] = ["first", "second"].map(|text| cell(failure, text));
        assert_eq!(flip(failure, "c", 0, first), Same);
        assert_eq!(flip(failure, "c", 0, second), Differs);
        assert_eq!(flip(failure, "d", 0, first), Same);
        assert_eq!(flip(failure, "d", 0, Watch::Step(steps(failure, "here")[0])), Differs);
        // A variable that only the trace has, as those that are made for parts of memory.
        let mut terms = failure.trace.terms.clone();
        let made = terms.fresh("made", &Sort::BitVec(8));
        assert_eq!(flip(failure, "c", 0, Watch::Variable(made)), Unclear);
        // The other way is a bad access.
        assert_eq!(flip(failure, "e", 0, first), Differs);
    });
}

#[test]
fn objects_that_are_made_and_freed() {
    let mut w = Writer::new();
    let (c, p, q, x) = (w.local("c", 64), w.local("p", 64), w.local("q", 64), w.local("x", 64));
    let size = w.word(8);
    w.external("malloc", &[size], &[p]);
    w.store("written", p, 1);
    // On both ways a new object: where it is does not matter.
    let make = |w: &mut Writer| {
        w.external("malloc", &[size], &[q]);
        w.store("into q", q, 7);
    };
    w.branch(
        "make",
        c,
        |w| make(w),
        |w| {
            w.external("malloc", &[size], &[x]);
            w.assign("x", x, c);
            make(w);
        },
    );
    w.branch("free", c, |_| {}, |w| w.external("free", &[p], &[]));
    w.branch("exit", c, |_| {}, |w| w.external("exit", &[c], &[]));
    w.branch("block", c, |_| {}, |w| w.external("block", &[], &[]));
    w.branch("none", c, |_| {}, |_| {});
    w.fail();
    with_failure(&w.finish(), 0, &|failure| {
        let written = cell(failure, "written");
        for (decision, p, object, q) in [
            ("make", Same, Same, Same),
            ("free", Same, Differs, Same),
            ("exit", Differs, Differs, Differs),
            ("block", Unclear, Unclear, Unclear),
        ] {
            assert_eq!(flip(failure, decision, 0, local(failure, 0, "p")), p, "{decision}");
            assert_eq!(flip(failure, decision, 0, written), object, "{decision}");
            assert_eq!(flip(failure, decision, 0, local(failure, 0, "q")), q, "{decision}");
        }
        // It is not there yet.
        assert_eq!(flip(failure, "make", 0, cell(failure, "into q")), Unclear);
    });
}

#[test]
fn a_decision_about_nothing_that_was_set() {
    let mut w = Writer::new();
    let (c, x) = (w.local("c", 64), w.local("x", 64));
    let object = w.alloc("object", 8);
    w.branch(
        "c",
        c,
        |w| {
            w.then("load", Statement::Memory(Memory::Load { target: x, address: object }));
            w.branch("x", x, |_| {}, |_| {});
        },
        |w| {
            w.store("set", object, 0);
            w.then("load", Statement::Memory(Memory::Load { target: x, address: object }));
            w.branch("x", x, |_| {}, |_| {});
        },
    );
    w.ret();
    with_failure(&w.finish(), 0, &|failure| {
        assert_eq!(failure.property.kind, FailureKind::Uninitialised);
        let last = failure.trace.steps.len() - 1;
        assert_eq!(flip(failure, "c", 0, Watch::Step(last)), Differs);
        assert_eq!(flip(failure, "c", 0, local(failure, 0, "x")), Differs);
        assert_eq!(flip(failure, "x", 0, Watch::Step(last)), Unclear);
    });
}

/// Calls `f(1)` through a pointer, which counts without end as long as the counter is not zero.
fn endless() -> Program {
    let mut w = Writer::new();
    let main = w.procedure;
    let a = w.local("a", 64);
    w.procedure = w.builder.procedure("f");
    let callee = w.procedure;
    w.at = w.builder.entry_of(callee);
    let i = w.builder.parameter(callee, "i", &Sort::BitVec(64));
    let j = w.local("j", 64);
    let (head, after) = (w.builder.location(callee), w.builder.location(callee));
    let nothing = w.word(0);
    let is_zero = w.builder.terms.eq(i, nothing);
    let is_not = w.builder.terms.not(is_zero);
    w.builder.jump(w.at, head);
    w.at = w.builder.location(callee);
    w.edge(head, w.at, "i", Statement::Assume { condition: is_not });
    let one = w.word(1);
    let (next, more) = (w.builder.terms.add(&[i, one]), w.builder.terms.add(&[j, one]));
    w.assign("count", i, next);
    w.branch("j", j, |_| {}, |w| w.assign("more", j, more));
    w.builder.jump(w.at, head);
    w.edge(head, after, "i", Statement::Assume { condition: is_zero });
    w.at = after;
    w.ret();
    (w.procedure, w.at) = (main, w.builder.entry_of(main));
    let (pointer, three) = (w.word(Target::Procedure(callee).address()), w.word(3));
    w.assign("a := 3", a, three);
    w.then("call", Statement::CallPointer { pointer, arguments: vec![one], results: vec![] });
    w.assign("a := 1", a, one);
    w.ret();
    w.finish()
}

#[test]
fn runs_without_end() {
    let program = endless();
    for skipped in [0, 10_000] {
        with_failure(&program, skipped, &|failure| {
            assert_eq!(failure.property.kind, FailureKind::StepLimit);
            let counts = steps(failure, "count");
            // Where the record begins in the call, `f` is active from the beginning.
            for round in [0, 100, counts.len() - 2] {
                let head = |watch| flip(failure, "i", round, watch);
                assert_eq!(head(local(failure, 1, "i")), Differs);
                assert_eq!(head(local(failure, 1, "j")), Same);
                assert_eq!(head(local(failure, 0, "a")), Same);
                assert_eq!(head(Watch::Step(counts[round + 1])), Differs);
                let other = |watch| flip(failure, "j", round, watch);
                assert_eq!(other(local(failure, 1, "j")), Differs);
                assert_eq!(other(local(failure, 1, "i")), Same);
            }
        });
    }
}

#[test]
fn questions_in_any_order_have_the_same_answers() {
    let program = endless();
    with_failure(&program, 0, &|failure| {
        let ends = failure.trace.path.len();
        let of = |at: usize| {
            let watches = ["i", "j"].map(|name| local(failure, 1, name));
            watches.map(|watch| Flip { at, watch })
        };
        let flips: Vec<Flip> = (0..40).chain(ends - 20..ends).flat_map(of).collect();
        let answers = failure.flipped(&flips);
        let one_by_one = flips.iter().map(|&flip| failure.flipped(&[flip])[0]);
        assert_eq!(answers, one_by_one.collect::<Vec<_>>());
        let mut backwards: Vec<Flip> = flips.clone();
        backwards.reverse();
        let mut reversed = failure.flipped(&backwards);
        reversed.reverse();
        assert_eq!(answers, reversed);
        assert!([Differs, Same, Unclear].iter().all(|answer| answers.contains(answer)));
    });
}
