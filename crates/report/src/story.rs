//! A failure, with what is needed to speak about it.

use failure::Failure;

use crate::addresses::Addresses;
use crate::history::History;

#[derive(Debug)]
pub struct Story<'f> {
    pub failure: &'f Failure<'f>,
    pub addresses: Addresses<'f>,
    pub history: History,
}

impl<'f> Story<'f> {
    pub fn of(failure: &'f Failure<'f>) -> Story<'f> {
        Story { failure, addresses: Addresses::new(failure), history: History::of(failure) }
    }
}
