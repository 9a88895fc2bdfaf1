//! Analyses of control-flow graphs.
