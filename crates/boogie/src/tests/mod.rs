//! Tests of the whole front end.

mod errors;
mod executions;
mod programs;
mod random;
mod robustness;
mod round_trips;
mod sites;
mod unsupported;

use crate::{Checked, Error, check, parse};

fn parse_and_check(text: &str) -> Result<Checked, Vec<Error>> {
    check(&parse(text)?)
}

/// Compares the first error of each program with its kind, its message and the
/// text it points at; reports all differences at once.
fn expect_errors(table: &[(&str, crate::ErrorKind, &str, &str)]) {
    let mut differences = Vec::new();
    for &(text, kind, message, pointed_at) in table {
        let found = match parse_and_check(text) {
            Ok(_) => {
                differences.push(format!("{text}\n  is accepted"));
                continue;
            }
            Err(errors) => errors[0].clone(),
        };
        let under = &text[found.span.range()];
        if (found.kind, found.message.as_str(), under) != (kind, message, pointed_at) {
            differences
                .push(format!("{text}\n  {:?} {:?} at {under:?}", found.kind, found.message));
        }
    }
    assert!(differences.is_empty(), "\n{}", differences.join("\n"));
}
