//! What in the source an instruction is about.
