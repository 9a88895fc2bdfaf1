//! Fault localization: one file per technique, and the judge that re-decides what they claim.

mod aftermath;
mod asking;
pub mod cascade;
pub mod changes;
pub mod check;
pub mod commands;
mod context;
mod costs;
mod diagnose;
pub mod error_invariants;
pub mod flow;
mod hints;
mod interval;
mod invert;
pub mod rank;
pub mod relevance;
pub mod repair;
pub mod repair_value;
mod sample;
pub mod slice;
pub mod spectrum;
mod unary;
mod what_if;

pub use context::{Context, Settings};
pub use diagnose::{
    Diagnosis, LOCALIZERS, Localizer, RelevanceDiagnosis, StatementRelevance, When, diagnose,
};
