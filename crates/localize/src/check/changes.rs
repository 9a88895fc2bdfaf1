//! The judge of forced changes: the runs are repeated, and must pass.

use failure::{Ended, Failure};

use super::Judgement;
use crate::changes::Change;

/// Judges that each failing run passes with what is forced upon it.
pub fn check_change(failures: &[Failure<'_>], change: &Change) -> Judgement {
    if change.passing.len() != failures.len() {
        return Judgement::Refuted("it is not known of all failing runs".to_owned());
    }
    for (failure, passing) in failures.iter().zip(&change.passing) {
        let ran = failure.rerun(std::slice::from_ref(&passing.forced), u64::MAX);
        match ran {
            None => return Judgement::Open("the run cannot be repeated".to_owned()),
            Some(ran) if ran.end != Ended::Passed => {
                return Judgement::Refuted("a run does not pass".to_owned());
            }
            Some(ran) if ran.executions != passing.executions => {
                return Judgement::Refuted(format!("it is changed {} times", ran.executions));
            }
            Some(_) => {}
        }
    }
    Judgement::Confirmed
}
