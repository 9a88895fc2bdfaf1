//! Wrappers: solvers around a solver.

mod cached;
mod counted;
mod logged;
mod validated;

pub use cached::Cached;
pub use counted::{Counted, Watch};
pub use logged::Logged;
pub use validated::{Validated, Violation};

use term::Term;

/// What has been asserted, by level.
#[derive(Clone, Debug)]
struct Stack {
    levels: Vec<Vec<Term>>,
}

impl Stack {
    fn new() -> Stack {
        Stack { levels: vec![vec![]] }
    }

    fn push(&mut self) {
        self.levels.push(vec![]);
    }

    fn pop(&mut self) {
        if self.levels.len() > 1 {
            self.levels.pop();
        }
    }

    fn assert(&mut self, formula: Term) {
        if let Some(level) = self.levels.last_mut() {
            level.push(formula);
        }
    }

    /// Everything asserted, and more, in order.
    fn with(&self, more: &[Term]) -> Vec<Term> {
        self.levels.iter().flatten().chain(more).copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use term::Terms;

    use super::*;
    use crate::solver::{Answer, Model, Solver};
    use crate::testing::read;
    use crate::z3::Z3;

    fn z3() -> Z3 {
        Z3::new(Duration::from_secs(10))
    }

    /// Always gives the same answer.
    struct Liar(Answer);

    impl Solver for Liar {
        fn push(&mut self) {}
        fn pop(&mut self) {}
        fn assert(&mut self, _: &Terms, _: Term) {}
        fn check(&mut self, _: &Terms, _: &[Term]) -> Answer {
            self.0.clone()
        }
        fn model(&mut self, _: &Terms, _: &[Term]) -> Option<Model> {
            Some(Model::default())
        }
        fn core(&mut self) -> Vec<Term> {
            vec![]
        }
        fn queries(&self) -> u64 {
            0
        }
    }

    #[test]
    fn lies_are_found() {
        let mut t = Terms::new();
        let formula = read(&mut t, "Int", "(= x 3)");
        for lie in [Answer::Sat, Answer::Unsat] {
            let mut solver = Validated::new(Liar(lie.clone()), z3());
            solver.assert(&t, formula);
            assert!(matches!(solver.check(&t, &[]), Answer::Unknown(_)));
            let violation = match lie {
                Answer::Sat => Violation::Model { question: 0, formula },
                _ => Violation::Core { question: 0, core: vec![] },
            };
            assert_eq!(solver.violations(), [violation]);
        }
    }

    #[test]
    fn the_same_question_is_asked_once() {
        let mut t = Terms::new();
        let [a, b, c] = ["(< x 3)", "(< 1 x)", "(< 5 x)"].map(|f| read(&mut t, "Int", f));
        let mut solver = Cached::new(z3());
        solver.assert(&t, a);
        for _ in 0..3 {
            assert_eq!(solver.check(&t, &[b]), Answer::Sat);
            assert_eq!(solver.check(&t, &[c, b]), Answer::Unsat);
            assert_eq!(solver.core(), [c]);
        }
        assert_eq!((solver.hits(), solver.queries()), (4, 2));
        assert_eq!(solver.check(&t, &[b]), Answer::Sat);
        let variables = t.variables_of(&[a]);
        let model = solver.model(&t, &variables).unwrap();
        assert!(model.evaluate(&t, a).is_true() && model.evaluate(&t, b).is_true());
    }

    #[test]
    fn questions_are_written_down() {
        let folder = std::env::temp_dir().join(format!("whydunit-log-{}", std::process::id()));
        let mut t = Terms::new();
        let [a, b] = ["(< x 3)", "(< 5 x)"].map(|f| read(&mut t, "Int", f));
        let mut solver = Logged::new(z3(), &folder);
        solver.assert(&t, a);
        solver.check(&t, &[]);
        solver.check(&t, &[b]);
        assert!(solver.error().is_none());
        let first = std::fs::read_to_string(folder.join("0001.smt2")).unwrap();
        let second = std::fs::read_to_string(folder.join("0002.smt2")).unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        assert!(first.starts_with("; sat; 1 asserted, 0 assumed\n(set-logic ALL)"), "{first}");
        assert!(second.starts_with("; unsat; 1 asserted, 1 assumed\n"), "{second}");
        assert_eq!(second.matches("(assert ").count(), 2);
        let mut lost = Logged::new(z3(), folder.join("a\0b"));
        assert_eq!(lost.check(&t, &[a]), Answer::Sat);
        assert!(lost.error().is_some());
    }
}
