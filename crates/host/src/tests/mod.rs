//! Tests of the whole world, and comparisons with the C library of this machine.

mod calls;
mod expected;
mod formats;
mod library;
mod math;
mod native;
mod scans;
mod streams;

use program::process::{ExternalCall, Fault, Host, Objects, Origin, Response, Scalar};
use program::{EdgeId, ExternalId};

use crate::{Setup, World};

/// A world, memory, and short ways to call functions.
struct Desk {
    world: World,
    memory: Objects,
    names: Vec<String>,
}

impl Desk {
    fn new(setup: Setup) -> Desk {
        Desk { world: World::new(setup), memory: Objects::default(), names: Vec::new() }
    }

    /// Calls a function that returns one value of 64 bits.
    fn try_call(&mut self, name: &str, arguments: &[u64]) -> Result<Response, Fault> {
        let arguments: Vec<Scalar> =
            arguments.iter().map(|&word| Scalar::new(word.into())).collect();
        self.call_with(name, &arguments, &[64])
    }

    fn call_with(
        &mut self,
        name: &str,
        arguments: &[Scalar],
        results: &[u32],
    ) -> Result<Response, Fault> {
        let known = self.names.iter().position(|known| known == name);
        let index = known.unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        });
        let function = ExternalId(index as u32);
        let call = ExternalCall { function, name, arguments, results, edge: EdgeId(7) };
        self.world.call(call, &mut self.memory)
    }

    fn call(&mut self, name: &str, arguments: &[u64]) -> u64 {
        match self.try_call(name, arguments) {
            Ok(Response::Return { results, .. }) => results[0].bits as u64,
            other => panic!("{name}: {other:?}"),
        }
    }

    /// The same, of functions that return an int.
    fn int(&mut self, name: &str, arguments: &[u64]) -> i32 {
        self.call(name, arguments) as i32
    }

    /// A new string in memory.
    fn text(&mut self, text: impl AsRef<[u8]>) -> u64 {
        let bytes = [text.as_ref(), &[0]].concat();
        let address = self.memory.allocate(bytes.len() as u64, 1, Origin::Start).unwrap();
        self.memory.write(address, &bytes).unwrap();
        address
    }

    fn room(&mut self, size: u64) -> u64 {
        self.memory.allocate(size, 16, Origin::Start).unwrap()
    }

    fn string(&self, address: u64) -> String {
        String::from_utf8_lossy(self.memory.string(address).unwrap()).into_owned()
    }

    fn word(&self, address: u64) -> u64 {
        crate::variadic::word(self.memory.defined_bytes(address, 8).unwrap())
    }
}

/// The standard output as a stream in memory, as the C library has it.
fn stream_of(desk: &mut Desk, number: usize) -> u64 {
    let address = desk.room(8);
    desk.memory.write(address, &crate::stdio::handle(number)).unwrap();
    address
}
