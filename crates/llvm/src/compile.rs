//! The clang driver: C sources to bitcode.
