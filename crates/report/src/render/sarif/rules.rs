//! The kinds of failures as rules of SARIF, and the weaknesses (CWE) that they are instances of.

use program::FailureKind;
use program::process::Access;
use serde_json::{Value, json as object};

/// What is said about a kind of failure.
pub struct Rule {
    pub kind: FailureKind,
    name: &'static str,
    short: &'static str,
    help: &'static str,
    /// The weakness that it is an instance of.
    weakness: Option<u16>,
    /// Others that it may be an instance of.
    special: &'static [u16],
    /// How much it matters for security, from 0 to 10, as GitHub has it. None: it is about correctness.
    severity: Option<&'static str>,
}

/// The rule of a kind of failure, by the kind's name.
pub fn rule(kind: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.kind.name() == kind)
}

impl Rule {
    pub fn value(&self) -> Value {
        let mut tags = vec![match self.severity {
            Some(_) => "security".to_owned(),
            None => "correctness".to_owned(),
        }];
        tags.extend(self.weaknesses().map(|number| format!("external/cwe/cwe-{number:03}")));
        let help = format!(
            "{} This happened in a run of the program: the result shows the run, \
             and the statements that are responsible.",
            self.help
        );
        let mut value = object!({
            "id": self.kind.name(),
            "name": self.name,
            "shortDescription": { "text": self.short },
            "fullDescription": { "text": self.help },
            "help": { "text": help, "markdown": help },
            "defaultConfiguration": { "level": "error" },
            "properties": { "tags": tags, "precision": "very-high", "problem.severity": "error" },
        });
        if let Some(severity) = self.severity {
            value["properties"]["security-severity"] = severity.into();
        }
        let related = self.weaknesses().filter_map(reference);
        let related: Vec<Value> =
            related.map(|target| object!({ "target": target, "kinds": ["relevant"] })).collect();
        if !related.is_empty() {
            value["relationships"] = related.into();
        }
        value
    }

    fn weaknesses(&self) -> impl Iterator<Item = u16> + '_ {
        self.weakness.into_iter().chain(self.special.iter().copied())
    }

    /// The weaknesses that a failure is certainly an instance of.
    pub fn taxa(&self, access: Option<Access>) -> Vec<Value> {
        let number = match (self.kind, access) {
            (FailureKind::OutOfBounds, Some(Access::Read)) => Some(125),
            (FailureKind::OutOfBounds, Some(Access::Write)) => Some(787),
            _ => self.weakness,
        };
        number.and_then(reference).into_iter().collect()
    }
}

/// Refers to a weakness of the taxonomy.
fn reference(number: u16) -> Option<Value> {
    let place = WEAKNESSES.iter().position(|(known, _)| *known == number)?;
    Some(object!({
        "id": number.to_string(),
        "index": place,
        "toolComponent": { "name": "CWE" },
    }))
}

/// The part of the Common Weakness Enumeration that is used here.
pub fn taxonomy() -> Value {
    let taxa = WEAKNESSES.iter().map(|(number, name)| {
        object!({
            "id": number.to_string(),
            "name": name,
            "shortDescription": { "text": name },
            "helpUri": format!("https://cwe.mitre.org/data/definitions/{number}.html"),
        })
    });
    object!({
        "name": "CWE",
        "fullName": "Common Weakness Enumeration",
        "organization": "MITRE",
        "shortDescription": { "text": "The MITRE Common Weakness Enumeration" },
        "informationUri": "https://cwe.mitre.org/",
        "isComprehensive": false,
        "taxa": taxa.collect::<Vec<_>>(),
    })
}

const WEAKNESSES: [(u16, &str); 20] = [
    (119, "Improper Restriction of Operations within the Bounds of a Memory Buffer"),
    (125, "Out-of-bounds Read"),
    (190, "Integer Overflow or Wraparound"),
    (369, "Divide By Zero"),
    (400, "Uncontrolled Resource Consumption"),
    (415, "Double Free"),
    (416, "Use After Free"),
    (457, "Use of Uninitialized Variable"),
    (476, "NULL Pointer Dereference"),
    (590, "Free of Memory not on the Heap"),
    (617, "Reachable Assertion"),
    (674, "Uncontrolled Recursion"),
    (758, "Reliance on Undefined, Unspecified, or Implementation-Defined Behavior"),
    (761, "Free of Pointer not at Start of Buffer"),
    (763, "Release of Invalid Pointer or Reference"),
    (787, "Out-of-bounds Write"),
    (789, "Memory Allocation with Excessive Size Value"),
    (835, "Loop with Unreachable Exit Condition ('Infinite Loop')"),
    (908, "Use of Uninitialized Resource"),
    (1335, "Incorrect Bitwise Shift of Integer"),
];

const RULES: [Rule; 22] = [
    Rule {
        kind: FailureKind::Assertion,
        name: "AssertionViolated",
        short: "An assertion does not hold",
        help: "The program states a condition that must hold at this point, and it does not.",
        weakness: Some(617),
        special: &[],
        severity: None,
    },
    Rule {
        kind: FailureKind::Precondition,
        name: "PreconditionViolated",
        short: "A precondition does not hold",
        help: "A procedure is called although what it requires does not hold.",
        weakness: None,
        special: &[],
        severity: None,
    },
    Rule {
        kind: FailureKind::Postcondition,
        name: "PostconditionViolated",
        short: "A postcondition does not hold",
        help: "A procedure ends although what it ensures does not hold.",
        weakness: None,
        special: &[],
        severity: None,
    },
    Rule {
        kind: FailureKind::Invariant,
        name: "InvariantViolated",
        short: "A loop invariant does not hold",
        help: "The invariant of a loop must hold before each round, and it does not.",
        weakness: None,
        special: &[],
        severity: None,
    },
    Rule {
        kind: FailureKind::Abort,
        name: "Aborted",
        short: "The program aborts",
        help: "The program gives up by itself: it calls `abort`.",
        weakness: None,
        special: &[],
        severity: None,
    },
    Rule {
        kind: FailureKind::ReachableError,
        name: "ErrorReached",
        short: "A place that must not be reached is reached",
        help: "The program marks this place as an error, and control comes to it.",
        weakness: Some(617),
        special: &[],
        severity: None,
    },
    Rule {
        kind: FailureKind::OutOfBounds,
        name: "OutOfBounds",
        short: "Memory is accessed outside of an object",
        help: "The program reads or writes before the beginning or behind the end of an object.",
        weakness: Some(119),
        special: &[125, 787],
        severity: Some("9.3"),
    },
    Rule {
        kind: FailureKind::NullDereference,
        name: "NullDereference",
        short: "A null pointer is used",
        help: "The program reads, writes or calls through a null pointer.",
        weakness: Some(476),
        special: &[],
        severity: Some("7.5"),
    },
    Rule {
        kind: FailureKind::WildPointer,
        name: "WildPointer",
        short: "A pointer to no object is used",
        help: "The program uses an address at which there is no object.",
        weakness: Some(119),
        special: &[],
        severity: Some("9.3"),
    },
    Rule {
        kind: FailureKind::UseAfterFree,
        name: "UseAfterFree",
        short: "An object is used after its end",
        help: "The program uses an object that was freed, or whose function has returned.",
        weakness: Some(416),
        special: &[],
        severity: Some("9.3"),
    },
    Rule {
        kind: FailureKind::DoubleFree,
        name: "DoubleFree",
        short: "An object is freed twice",
        help: "The program frees an object that was freed before.",
        weakness: Some(415),
        special: &[],
        severity: Some("9.3"),
    },
    Rule {
        kind: FailureKind::InvalidFree,
        name: "InvalidFree",
        short: "What is freed was not allocated",
        help: "The program frees what does not come from malloc, or not its beginning.",
        weakness: Some(763),
        special: &[590, 761],
        severity: Some("8.1"),
    },
    Rule {
        kind: FailureKind::ReadOnly,
        name: "ConstantWritten",
        short: "A constant is written",
        help: "The program writes an object that is constant, such as a string literal.",
        weakness: Some(758),
        special: &[],
        severity: Some("5.5"),
    },
    Rule {
        kind: FailureKind::Uninitialised,
        name: "Uninitialised",
        short: "A value is used that was never set",
        help: "A decision, an address or an output depends on memory that was never written.",
        weakness: Some(908),
        special: &[457],
        severity: Some("7.8"),
    },
    Rule {
        kind: FailureKind::DivisionByZero,
        name: "DivisionByZero",
        short: "A number is divided by zero",
        help: "The divisor of a division or of a remainder is zero.",
        weakness: Some(369),
        special: &[],
        severity: Some("6.5"),
    },
    Rule {
        kind: FailureKind::SignedOverflow,
        name: "SignedOverflow",
        short: "A signed number overflows",
        help: "The result of an operation with signed numbers does not fit into its type, which is undefined in C.",
        weakness: Some(190),
        special: &[],
        severity: Some("7.8"),
    },
    Rule {
        kind: FailureKind::BadShift,
        name: "BadShift",
        short: "A number is shifted by too much, or by less than nothing",
        help: "The distance of a shift is negative, or not smaller than the number of bits, which is undefined in C.",
        weakness: Some(1335),
        special: &[],
        severity: Some("5.5"),
    },
    Rule {
        kind: FailureKind::StackOverflow,
        name: "StackOverflow",
        short: "The stack overflows",
        help: "Calls are nested too deeply, or local objects are too large.",
        weakness: Some(400),
        special: &[674, 789],
        severity: Some("7.5"),
    },
    Rule {
        kind: FailureKind::ExitStatus,
        name: "WrongExitStatus",
        short: "The exit status is wrong",
        help: "The program ends with another status than expected.",
        weakness: None,
        special: &[],
        severity: None,
    },
    Rule {
        kind: FailureKind::StepLimit,
        name: "DoesNotEnd",
        short: "The program does not end",
        help: "The program did not end within the limit of steps; it may never end.",
        weakness: None,
        special: &[835],
        severity: None,
    },
    Rule {
        kind: FailureKind::WrongOutput,
        name: "WrongOutput",
        short: "The output is wrong",
        help: "The program prints something else than expected.",
        weakness: None,
        special: &[],
        severity: None,
    },
    Rule {
        kind: FailureKind::Unreachable,
        name: "UnreachableReached",
        short: "Control comes to where it cannot",
        help: "The compiler was told that this place is never reached, and it is.",
        weakness: Some(758),
        special: &[],
        severity: Some("5.5"),
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_a_rule() {
        for kind in FailureKind::ALL {
            let rule = rule(kind.name()).expect("each kind has a rule");
            let value = rule.value();
            assert_eq!(value["id"], kind.name());
            let related = value["relationships"].as_array().map_or(0, Vec::len);
            assert_eq!(related, rule.weaknesses().count(), "{kind} names an unknown weakness");
        }
    }

    #[test]
    fn reading_is_not_writing() {
        let rule = rule("out-of-bounds").expect("a kind");
        let id = |access| rule.taxa(access)[0]["id"].clone();
        assert_eq!(id(Some(Access::Read)), "125");
        assert_eq!(id(Some(Access::Write)), "787");
        assert_eq!(id(None), "119");
    }
}
