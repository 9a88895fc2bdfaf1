//! Fault localization: one file per technique, and the judge that re-decides what they claim.

pub mod check;
mod context;
mod diagnose;
mod hints;
mod interval;
mod invert;
pub mod relevance;
pub mod repair_value;
mod unary;
mod what_if;

pub use context::Context;
pub use diagnose::{
    Diagnosis, LOCALIZERS, Localizer, RelevanceDiagnosis, StatementRelevance, diagnose,
};
