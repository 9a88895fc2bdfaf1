//! The package is only there for its dependencies.
