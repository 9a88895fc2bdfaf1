//! The small C library: written in C (`clib/`), compiled when this crate is built.

use program::Trust;

use crate::module::Input;

type File = (&'static str, &'static [u8]);

const FILES: &[File] = &include!(concat!(env!("OUT_DIR"), "/library.rs"));

/// The modules of the library, to be linked after those of the program.
pub fn library<'a>() -> impl Iterator<Item = Input<'a>> {
    FILES.iter().map(|&(name, bytes)| Input { name, bytes, trust: Trust::Trusted })
}
