//! Terms against plain evaluation.

mod expressions;
mod long;
mod random;
