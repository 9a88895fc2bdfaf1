//! The failing run as a time line: what each step did, with which values, and where these came from.
//!
//! Only steps that a programmer sees are in it. What is in between (values on their way, what the
//! library does) is followed through, so where a value came from is again a step of the time line. Runs are long, so texts
//! are kept once, and a step is a few numbers.

mod make;
mod owners;
#[cfg(test)]
mod tests;

pub use self::make::timeline;

use crate::report::Location;

/// A failing run, step by step.
#[derive(Clone, Debug, Default)]
pub struct Timeline {
    pub steps: Vec<Moment>,
    pub spots: Vec<MomentSpot>,
    pub variables: Vec<MomentVariable>,
    /// The texts that the others refer to.
    pub texts: Vec<String>,
    /// Of a long run, from which number on no steps are left out.
    pub whole_from: usize,
}

/// An index into [`Timeline::texts`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TextId(pub u32);

/// A step that a programmer sees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// Its number in the trace, from 1, as in the rest of the report. Steps of the library have numbers, too, so there
    /// are gaps.
    pub number: u32,
    /// What it belongs to; an index into [`Timeline::spots`].
    pub spot: u32,
    /// Which call of its function it belongs to, in the order in which they began.
    pub activation: u32,
    /// How many calls it is nested in.
    pub depth: u32,
    pub what: What,
    /// What was assigned; an index into [`Timeline::variables`].
    pub variable: Option<u32>,
    /// The value that was assigned; of a decision, its values, such as `36 != 41`.
    pub value: Option<TextId>,
    /// The value that the variable had before.
    pub before: Option<TextId>,
    /// The steps that the values it used came from, in order; indices into [`Timeline::steps`].
    pub sources: Vec<u32>,
    /// The decision that it is under; an index into [`Timeline::steps`].
    pub under: Option<u32>,
    /// Whether the failure depends on it: whether it is in the relevant slice.
    pub is_needed: bool,
}

/// What a step did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum What {
    /// It assigned a variable.
    Assigned,
    /// It passed an argument.
    Passed,
    /// It returned from its function, with a value.
    Returned,
    /// It got the result of a call.
    Got,
    /// It got a value from outside.
    Input,
    /// A condition was decided; whether it held, where that is known.
    Decided(Option<bool>),
    /// An assertion held.
    Checked,
    /// What was violated.
    Failed,
}

/// Where steps are in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MomentSpot {
    pub location: Option<Location>,
    /// The statement, or the part of it.
    pub statement: String,
    /// None before `main`.
    pub function: Option<TextId>,
}

/// Something that is assigned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MomentVariable {
    pub name: TextId,
    pub home: Home,
}

/// Where something that is assigned lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Home {
    /// In a call of a function.
    Activation(u32),
    Global,
    /// In memory, not known to be of a certain call.
    Memory,
}

impl Timeline {
    pub fn text(&self, id: TextId) -> &str {
        self.texts.get(id.0 as usize).map_or("", String::as_str)
    }

    pub fn spot(&self, step: &Moment) -> Option<&MomentSpot> {
        self.spots.get(step.spot as usize)
    }

    /// What a step assigned.
    pub fn variable(&self, step: &Moment) -> Option<&str> {
        let variable = self.variables.get(step.variable? as usize)?;
        Some(self.text(variable.name))
    }

    /// What a step did, in words, such as "`x` = 3 (was 2)".
    pub fn sentence(&self, step: &Moment) -> String {
        let statement = self.spot(step).map_or("", |spot| spot.statement.as_str());
        let value = step.value.map(|value| self.text(value));
        let name = self.variable(step);
        let was = match step.before {
            Some(before) if step.value != step.before => format!(" (was {})", self.text(before)),
            _ => String::new(),
        };
        match (step.what, name, value) {
            (What::Decided(truth), _, values) => {
                let held = match truth {
                    Some(true) => "held",
                    Some(false) => "did not hold",
                    None => "was decided",
                };
                let values = values.map_or_else(String::new, |values| format!(": {values}"));
                format!("`{statement}` {held}{values}")
            }
            (What::Checked, ..) => format!("`{statement}` held"),
            (What::Failed, ..) => format!("`{statement}` failed"),
            (What::Passed, Some(name), Some(value)) => format!("passed {value} as `{name}`"),
            (What::Passed, None, Some(value)) => format!("passed {value}"),
            (What::Returned, _, Some(value)) => format!("returned {value}"),
            (What::Got, None, Some(value)) => format!("got {value}"),
            (What::Input, Some(name), Some(value)) => format!("read {value} into `{name}`{was}"),
            (What::Input, None, Some(value)) => format!("read {value}"),
            (_, Some(name), Some(value)) => format!("`{name}` = {value}{was}"),
            (_, None, Some(value)) => format!("its value was {value}"),
            (_, _, None) => format!("`{statement}`"),
        }
    }
}
