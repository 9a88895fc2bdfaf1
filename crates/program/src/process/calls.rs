//! Calls: of procedures, of what a pointer points to, of the world.

use super::execute::Exit;
use super::image::{CallSite, NONE};
use super::machine::{Frame, Mode, Process};
use super::observe::Observer;
use super::{
    Access, Detail, EXTERNALS, ExternalCall, Fault, Host, Nature, Outcome, PROCEDURES, Response,
    Scalar,
};
use crate::program::{EdgeId, ExternalId, FailureKind, ProcedureId};

/// How many slots all activations may have.
const SLOTS: usize = 1 << 25;

/// What a pointer to a function is the address of.
enum Callee {
    Procedure(u32),
    External(u32),
}

impl Process<'_> {
    fn failed(edge: u32, kind: FailureKind, detail: Detail) -> Exit {
        Exit::Done(Outcome::Failed { edge: EdgeId(edge), fault: Fault { kind, detail } })
    }

    /// Enters the procedure of a call; the caller goes on at `back`.
    pub(super) fn call<O: Observer>(
        &mut self,
        number: u32,
        back: u32,
        observer: &mut O,
        depth: u32,
    ) -> Result<(), Exit> {
        let image = self.image;
        let Some(site) = image.calls.get(number as usize) else { return Ok(()) };
        if O::ACTIVE {
            return self.enter(site, number, site.callee, back, observer, depth);
        }
        // The same, in short.
        let base = self.push(site, number, site.callee, back, depth)?;
        let callee = &image.procedures[site.callee as usize];
        let (caller, frame) = self.stack.split_at_mut(base);
        let caller = &caller[self.base..];
        for (from, to) in site.arguments.iter().zip(&callee.parameters) {
            frame[to.slot as usize] = caller[from.slot as usize];
            if to.bits > 64 {
                frame[to.slot as usize + 1] = caller[from.slot as usize + 1];
            }
        }
        if self.mode == Mode::Shadow {
            for (&from, &to) in site.arguments.iter().zip(&callee.parameters) {
                let value = self.part(self.base, from);
                self.set_part(base, to, value);
            }
        }
        self.base = base;
        self.pc = callee.entry as usize;
        Ok(())
    }

    /// A new activation, not yet entered: where it begins.
    fn push(
        &mut self,
        site: &CallSite,
        number: u32,
        procedure: u32,
        back: u32,
        depth: u32,
    ) -> Result<usize, Exit> {
        let base = self.stack.len();
        let size = self.image.procedures.get(procedure as usize).map_or(0, |p| p.size as usize);
        if self.frames.len() >= depth as usize || base + size > SLOTS {
            return Err(Self::failed(site.edge, FailureKind::StackOverflow, Detail::None));
        }
        self.stack.resize(base + size, 0);
        if self.mode == Mode::Shadow {
            self.shadow.resize(base + size, 0);
        }
        let locals = self.locals.len() as u32;
        self.frames.push(Frame { procedure, site: number, back, locals, base });
        Ok(base)
    }

    /// Enters a procedure with arguments that may not be those it expects.
    fn enter<O: Observer>(
        &mut self,
        site: &CallSite,
        number: u32,
        procedure: u32,
        back: u32,
        observer: &mut O,
        depth: u32,
    ) -> Result<(), Exit> {
        let base = self.push(site, number, procedure, back, depth)?;
        let callee = &self.image.procedures[procedure as usize];
        for (n, &parameter) in callee.parameters.iter().enumerate() {
            let argument = site.arguments.get(n).map(|&argument| self.part(self.base, argument));
            let mut value = argument.unwrap_or_default();
            if O::ACTIVE {
                value.bits &= super::machine::mask(parameter.bits);
                value = observer.value(value, parameter.bits);
            }
            self.set_part(base, parameter, value);
        }
        self.base = base;
        self.pc = callee.entry as usize;
        Ok(())
    }

    /// Calls what the pointer points to.
    pub(super) fn call_pointer<O: Observer>(
        &mut self,
        number: u32,
        back: u32,
        host: &mut dyn Host,
        observer: &mut O,
        depth: u32,
    ) -> Result<(), Exit> {
        let image = self.image;
        let Some(site) = image.calls.get(number as usize) else { return Ok(()) };
        let at = self.base + site.callee as usize;
        let address = self.stack.get(at).copied().unwrap_or(0);
        if self.mode == Mode::Shadow && self.shadow.get(at).is_some_and(|&bits| bits != 0) {
            return Err(Self::failed(site.edge, FailureKind::Uninitialised, Detail::None));
        }
        match self.callee(address) {
            Some(Callee::Procedure(procedure)) => {
                if O::ACTIVE && !observer.procedure(ProcedureId(procedure)) {
                    return Err(Exit::Done(Outcome::Blocked { edge: EdgeId(site.edge) }));
                }
                self.enter(site, number, procedure, back, observer, depth)
            }
            Some(Callee::External(function)) => {
                if O::ACTIVE && !observer.external(ExternalId(function)) {
                    return Err(Exit::Done(Outcome::Blocked { edge: EdgeId(site.edge) }));
                }
                self.pc = back as usize;
                self.call_world(site, function, host, observer)
            }
            None => {
                let mut fault = self.objects.fault(Access::Read, address, 1);
                if fault.kind != FailureKind::NullDereference {
                    fault.kind = FailureKind::WildPointer;
                }
                Err(Exit::Done(Outcome::Failed { edge: EdgeId(site.edge), fault }))
            }
        }
    }

    fn callee(&self, address: u64) -> Option<Callee> {
        let nth = |start: u64| {
            let distance = address.checked_sub(start)?;
            u32::try_from(distance / 16).ok().filter(|_| distance % 16 == 0)
        };
        let known = |n: &u32, count: usize| (*n as usize) < count;
        let procedure = nth(PROCEDURES).filter(|n| known(n, self.image.procedures.len()));
        let external = nth(EXTERNALS).filter(|n| known(n, self.image.externals.len()));
        procedure.map(Callee::Procedure).or(external.map(Callee::External))
    }

    /// Calls a function of the world. Control goes on at the current place.
    pub(super) fn external<O: Observer>(
        &mut self,
        number: u32,
        host: &mut dyn Host,
        observer: &mut O,
    ) -> Result<(), Exit> {
        let image = self.image;
        let Some(site) = image.calls.get(number as usize) else { return Ok(()) };
        self.call_world(site, site.callee, host, observer)
    }

    fn call_world<O: Observer>(
        &mut self,
        site: &CallSite,
        function: u32,
        host: &mut dyn Host,
        observer: &mut O,
    ) -> Result<(), Exit> {
        let edge = EdgeId(site.edge);
        let arguments: Vec<Scalar> =
            site.arguments.iter().map(|&part| self.part(self.base, part)).collect();
        let call = ExternalCall {
            function: ExternalId(function),
            name: self.image.externals.get(function as usize).map_or("", |name| name),
            arguments: &arguments,
            results: &site.widths,
            edge,
        };
        if O::ACTIVE {
            self.objects.start_journal();
        }
        let response = host.call(call, &mut self.objects);
        if O::ACTIVE {
            for effect in self.objects.take_journal() {
                observer.effect(&effect);
            }
        }
        let (results, nature) = match response {
            Ok(Response::Return { results, nature }) => (results, nature),
            Ok(Response::Exit(status)) => return Err(Exit::Done(Outcome::Finished { status })),
            Ok(Response::Block) => return Err(Exit::Done(Outcome::Blocked { edge })),
            Err(fault) => return Err(Exit::Done(Outcome::Failed { edge, fault })),
        };
        self.bind(site, &results, nature, observer);
        Ok(())
    }

    fn bind<O: Observer>(
        &mut self,
        site: &CallSite,
        results: &[Scalar],
        nature: Nature,
        observer: &mut O,
    ) {
        if O::ACTIVE {
            observer.nature(nature);
        }
        for (n, &part) in site.results.iter().enumerate() {
            let mut value = results.get(n).copied().unwrap_or_default();
            value.bits &= super::machine::mask(part.bits);
            value.undefined &= super::machine::mask(part.bits);
            if O::ACTIVE {
                value = observer.value(value, part.bits);
            }
            self.set_part(self.base, part, value);
        }
    }

    /// Ends the innermost activation.
    pub(super) fn leave<O: Observer>(
        &mut self,
        edge: EdgeId,
        observer: &mut O,
    ) -> Result<(), Exit> {
        let image = self.image;
        let Some(&frame) = self.frames.last() else { return Ok(()) };
        let callee = &image.procedures[frame.procedure as usize];
        self.release(frame.locals as usize, edge);
        let Some(site) = image.calls.get(frame.site as usize).filter(|_| frame.site != NONE) else {
            let status = callee.results.first().map_or(0, |&part| self.part(frame.base, part).bits);
            return Err(Exit::Done(Outcome::Finished { status: status as i32 }));
        };
        self.frames.pop();
        self.base = self.frames.last().map_or(0, |frame| frame.base);
        for (n, &target) in site.results.iter().enumerate() {
            let result = callee.results.get(n).map(|&part| self.part(frame.base, part));
            let mut value = result.unwrap_or_default();
            if O::ACTIVE {
                value.bits &= super::machine::mask(target.bits);
                value = observer.value(value, target.bits);
            }
            self.set_part(self.base, target, value);
        }
        self.stack.truncate(frame.base);
        if self.mode == Mode::Shadow {
            self.shadow.truncate(frame.base);
        }
        self.pc = frame.back as usize;
        Ok(())
    }

    /// Ends the life of the objects of activations but for the first so many.
    pub(super) fn release(&mut self, kept: usize, edge: EdgeId) {
        while self.locals.len() > kept {
            let Some((address, size)) = self.locals.pop() else { return };
            self.local_bytes -= size;
            self.objects.end(address, edge);
        }
    }
}
