//! A failure, with what is needed to speak about it.

use std::collections::HashMap;

use failure::Failure;
use program::SiteId;

use crate::addresses::Addresses;
use crate::history::History;

#[derive(Debug)]
pub struct Story<'f> {
    pub failure: &'f Failure<'f>,
    pub addresses: Addresses<'f>,
    pub history: History,
    /// The call that an argument with a site of its own is passed by.
    pub calls: HashMap<SiteId, SiteId>,
}

impl<'f> Story<'f> {
    pub fn of(failure: &'f Failure<'f>) -> Story<'f> {
        let (addresses, history) = (Addresses::new(failure), History::of(failure));
        let mut calls = HashMap::new();
        for (&call, arguments) in &failure.program.argument_sites {
            // What is not written in the source has the site of the call.
            calls.extend(arguments.iter().filter(|&&own| own != call).map(|&own| (own, call)));
        }
        Story { failure, addresses, history, calls }
    }
}
