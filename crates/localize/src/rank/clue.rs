//! What speaks for and against a statement, and how much.

/// Something that is known about a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Clue {
    /// With a small edit of it, the failing tests pass.
    Repairs,
    /// With a small edit of it, all tests pass.
    RepairsAll,
    /// With a small edit of it, the failing tests pass, but then others fail.
    RepairsSome,
    /// If something else is forced upon it, all failing runs that were analysed pass.
    Corrects,
    /// The same, and one execution is enough.
    CorrectsOnce,
    /// Another value would prevent the failure.
    Relevant,
    /// The same, and nothing else fails then.
    Saves,
    /// The same, but nothing is known with which the run would pass: something else fails then.
    OtherFailure,
    /// It was executed, and no other value would prevent the failure.
    Irrelevant,
    /// It is in the tree of causes: the nearer to the root, the more.
    Cause,
    /// A decision in the tree of causes.
    CriticalDecision,
    /// The same, and the judge has seen what it changes.
    Confirmed,
    /// It is needed to understand the failure.
    Needed,
    /// It decides whether something is executed that is needed.
    Guards,
    /// The failure depends on it.
    Slice,
    /// Failing tests execute it more often than passing ones.
    Spectrum,
    /// The later in the run, the more.
    Late,
    /// It decides which way the program goes, and would correct the run.
    Decides,
    /// It computes something.
    Computes,
    /// It assigns a constant.
    Constant,
    /// It assigns zero.
    Zero,
    /// It counts.
    Counts,
    /// It passes on a value as it is.
    Copies,
    /// It passes on an argument as it is.
    Passes,
    /// It is in the first function of the program, and others are executed: often that is the test.
    Driver,
    /// The arithmetic that fails is in it.
    Arithmetic,
    /// The access that fails is in it, or what else the program must not do.
    Accesses,
    /// It checks what is violated.
    Checks,
    /// It ended the life of the object that is missed.
    Ends,
    /// It declares or allocates what the failure is about.
    Declares,
    /// It is a call that had not returned when the program failed.
    Active,
}

impl Clue {
    pub const ALL: [Clue; 31] = [
        Clue::Repairs,
        Clue::RepairsAll,
        Clue::RepairsSome,
        Clue::Corrects,
        Clue::CorrectsOnce,
        Clue::Relevant,
        Clue::Saves,
        Clue::OtherFailure,
        Clue::Irrelevant,
        Clue::Cause,
        Clue::CriticalDecision,
        Clue::Confirmed,
        Clue::Needed,
        Clue::Guards,
        Clue::Slice,
        Clue::Spectrum,
        Clue::Late,
        Clue::Decides,
        Clue::Computes,
        Clue::Constant,
        Clue::Zero,
        Clue::Counts,
        Clue::Copies,
        Clue::Passes,
        Clue::Driver,
        Clue::Arithmetic,
        Clue::Accesses,
        Clue::Checks,
        Clue::Ends,
        Clue::Declares,
        Clue::Active,
    ];

    /// The points for one of it.
    pub fn weight(self) -> f64 {
        match self {
            Clue::Repairs => 0.7,
            Clue::RepairsAll => 1.8,
            Clue::RepairsSome => 0.1,
            Clue::Corrects => 0.1,
            Clue::CorrectsOnce => 0.4,
            Clue::Relevant => 0.1,
            Clue::Saves => 0.1,
            Clue::OtherFailure => -0.8,
            Clue::Irrelevant => 0.0,
            Clue::Cause => 0.2,
            Clue::CriticalDecision => 0.0,
            Clue::Confirmed => 0.1,
            Clue::Needed => 0.1,
            Clue::Guards => 0.0,
            Clue::Slice => 0.1,
            Clue::Spectrum => 1.2,
            Clue::Late => 0.5,
            Clue::Decides => 0.8,
            Clue::Computes => 0.2,
            Clue::Constant => 0.0,
            Clue::Zero => -0.4,
            Clue::Counts => -0.5,
            Clue::Copies => -0.1,
            Clue::Passes => 0.0,
            Clue::Driver => -1.3,
            Clue::Arithmetic => 1.3,
            Clue::Accesses => -1.4,
            Clue::Checks => -1.2,
            Clue::Ends => 0.5,
            Clue::Declares => 2.0,
            Clue::Active => -0.6,
        }
    }

    /// The stable name, as in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Clue::Repairs => "repairs",
            Clue::RepairsAll => "repairs-all",
            Clue::RepairsSome => "repairs-some",
            Clue::Corrects => "corrects",
            Clue::CorrectsOnce => "corrects-once",
            Clue::Relevant => "relevant",
            Clue::Saves => "saves",
            Clue::OtherFailure => "other-failure",
            Clue::Irrelevant => "irrelevant",
            Clue::Cause => "cause",
            Clue::CriticalDecision => "critical-decision",
            Clue::Confirmed => "confirmed",
            Clue::Needed => "needed",
            Clue::Guards => "guards",
            Clue::Slice => "slice",
            Clue::Spectrum => "spectrum",
            Clue::Late => "late",
            Clue::Decides => "decides",
            Clue::Computes => "computes",
            Clue::Constant => "constant",
            Clue::Zero => "zero",
            Clue::Counts => "counts",
            Clue::Copies => "copies",
            Clue::Passes => "passes",
            Clue::Driver => "driver",
            Clue::Arithmetic => "arithmetic",
            Clue::Accesses => "accesses",
            Clue::Checks => "checks",
            Clue::Ends => "ends",
            Clue::Declares => "declares",
            Clue::Active => "active",
        }
    }

    /// What it means, in words.
    pub fn meaning(self) -> &'static str {
        match self {
            Clue::Repairs => "with an edit of it, the failing tests pass",
            Clue::RepairsSome => "with an edit of it, the failing tests pass, but then others fail",
            Clue::RepairsAll => "with an edit of it, all tests pass",
            Clue::Corrects => {
                "if something else is forced upon it, all failing runs that were analysed pass"
            }
            Clue::CorrectsOnce => "the same, and one execution is enough",
            Clue::Relevant => "another value would prevent the failure",
            Clue::Saves => "the same, and nothing else fails then",
            Clue::OtherFailure => {
                "another value would prevent the failure, but nothing is known with which the run would pass: something else fails then"
            }
            Clue::Irrelevant => "it was executed, and no other value would prevent the failure",
            Clue::Cause => "it is in the tree of causes: the nearer to the root, the more",
            Clue::CriticalDecision => "a decision in the tree of causes",
            Clue::Confirmed => "the same, and the judge has seen what it changes",
            Clue::Needed => "it is needed to understand the failure",
            Clue::Guards => "it decides whether something is executed that is needed",
            Clue::Slice => "the failure depends on it",
            Clue::Spectrum => "failing tests execute it more often than passing ones",
            Clue::Late => "the later in the run, the more",
            Clue::Decides => "it decides which way the program goes, and would correct the run",
            Clue::Computes => "it computes something",
            Clue::Constant => "it assigns a constant",
            Clue::Zero => "it assigns zero",
            Clue::Counts => "it counts",
            Clue::Copies => "it passes on a value as it is",
            Clue::Passes => "it passes on an argument as it is",
            Clue::Driver => {
                "it is in the first function of the program, and others are executed: often that is the test"
            }
            Clue::Arithmetic => "the arithmetic that fails is in it",
            Clue::Accesses => {
                "the access that fails is in it, or what else the program must not do"
            }
            Clue::Checks => "it checks what is violated",
            Clue::Ends => "it ended the life of the object that is missed",
            Clue::Declares => "it declares or allocates what the failure is about",
            Clue::Active => "it is a call that had not returned when the program failed",
        }
    }
}
