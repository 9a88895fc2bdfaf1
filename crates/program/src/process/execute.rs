//! The loop that executes instructions.
//!
//! It exists four times: with and without an observer, with and without track of undefined bits. What
//! is not asked for costs nothing. Instructions are counted when control jumps: those since the last
//! jump are executed one after the other.

use super::float::{canonical, canonical_single, single};
use super::image::NONE;
use super::instruction::Instruction;
use super::machine::{Process, mask};
use super::observe::Observer;
use super::{Access, Detail, Fault, Host, Origin, Outcome, Scalar, shadow};
use crate::program::{EdgeId, FailureKind};

/// Why the loop was left.
pub(super) enum Exit {
    /// To be entered again.
    Pause,
    Done(Outcome),
}

/// How many bytes the objects of activations may have: as many as a stack usually has.
const STACK_BYTES: u64 = 8 << 20;

#[inline(always)]
fn ones(s: u8) -> u64 {
    u64::MAX >> (s & 63)
}

/// The constant of an instruction at its width.
#[inline(always)]
fn constant(c: i32, s: u8) -> u64 {
    i64::from(c) as u64 & ones(s)
}

/// The value at the upper end of a word, where comparisons and overflows of a width are those of 64 bits.
#[inline(always)]
fn up(a: u64, s: u8) -> i64 {
    (a << (s & 63)) as i64
}

#[inline(always)]
fn signed(a: u64, s: u8) -> i64 {
    up(a, s) >> (s & 63)
}

fn signed_quotient(a: u64, b: u64, s: u8) -> u64 {
    match (signed(a, s), signed(b, s)) {
        (x, 0) if x < 0 => 1,
        (_, 0) => ones(s),
        (x, y) => x.wrapping_div(y) as u64 & ones(s),
    }
}

fn signed_remainder(a: u64, b: u64, s: u8) -> u64 {
    match (signed(a, s), signed(b, s)) {
        (_, 0) => a,
        (x, y) => x.wrapping_rem(y) as u64 & ones(s),
    }
}

impl Process<'_> {
    pub(super) fn execute<O: Observer, const SHADOW: bool>(
        &mut self,
        host: &mut dyn Host,
        observer: &mut O,
        depth: u32,
        end: u64,
    ) -> Exit {
        use Instruction::*;
        let image = self.image;
        let (code, notes) = (&image.code[..], &image.notes[..]);
        let mut pc = self.pc;
        let mut begin = pc;
        let mut count = self.count;
        'activation: loop {
            let base = self.base;
            let frame = &mut self.stack[base..];
            let shadows: &mut [u64] = if SHADOW { &mut self.shadow[base..] } else { &mut [] };

            macro_rules! at {
                ($slot:expr) => {
                    frame[$slot as usize]
                };
            }
            // Leaves the loop, with the current instruction counted or not.
            macro_rules! leave {
                ($exit:expr) => {{
                    let exit = $exit;
                    self.pc = pc;
                    self.count = count + (pc - begin) as u64;
                    return exit;
                }};
            }
            macro_rules! edge {
                () => {
                    EdgeId(notes[pc].edge)
                };
            }
            macro_rules! fail {
                ($fault:expr) => {{
                    let outcome = Outcome::Failed { edge: edge!(), fault: $fault };
                    leave!(Exit::Done(outcome))
                }};
            }
            macro_rules! step {
                ($edge:expr) => {
                    if O::ACTIVE && $edge != NONE && !observer.step(EdgeId($edge)) {
                        leave!(Exit::Done(Outcome::Blocked { edge: EdgeId($edge) }));
                    }
                };
            }
            macro_rules! access {
                ($address:expr, $size:expr) => {
                    if O::ACTIVE && !observer.access($address, $size) {
                        leave!(Exit::Done(Outcome::Blocked { edge: edge!() }));
                    }
                };
            }
            macro_rules! count_jump {
                ($target:expr) => {
                    count += (pc - begin) as u64 + 1;
                    pc = $target as usize;
                    begin = pc;
                    if count >= end {
                        leave!(Exit::Pause);
                    }
                };
            }
            macro_rules! branch {
                ($condition:expr, $target:expr) => {
                    if $condition {
                        step!(notes[pc].taken);
                        count_jump!($target);
                        continue;
                    } else {
                        step!(notes[pc].next);
                    }
                };
            }
            // Calls and returns: the frame is another afterwards.
            macro_rules! transfer {
                ($result:expr) => {{
                    match $result {
                        Ok(()) => {
                            let target = self.pc;
                            count_jump!(target);
                            if !SHADOW && self.mode == super::machine::Mode::Shadow {
                                leave!(Exit::Pause);
                            }
                            continue 'activation;
                        }
                        Err(exit) => leave!(exit),
                    }
                }};
            }
            // Undefined bits turned up: from now on the other loop is used.
            macro_rules! switch_mode {
                () => {{
                    pc += 1;
                    leave!(Exit::Pause)
                }};
            }
            macro_rules! load {
                ($size:literal, $s:expr, $to:expr, $a:expr, $offset:expr) => {{
                    let address = at!($a).wrapping_add(i64::from($offset) as u64);
                    let Some((value, undefined)) = self.objects.load::<$size>(address) else {
                        fail!(self.objects.fault(Access::Read, address, $size));
                    };
                    let (mut value, mut undefined) = (value & ones($s), undefined & ones($s));
                    if O::ACTIVE {
                        access!(address, $size);
                        let seen = Scalar { bits: value.into(), undefined: undefined.into() };
                        let seen = observer.value(seen, 64 - u32::from($s));
                        value = seen.bits as u64 & ones($s);
                        undefined = seen.undefined as u64 & ones($s);
                    }
                    at!($to) = value;
                    if SHADOW {
                        shadows[$to as usize] = undefined;
                    } else if undefined != 0 {
                        self.track_undefined();
                        self.shadow[base + $to as usize] = undefined;
                        switch_mode!();
                    }
                }};
            }
            macro_rules! store {
                ($size:literal, $a:expr, $offset:expr, $value:expr) => {{
                    let address = at!($a).wrapping_add(i64::from($offset) as u64);
                    let mut value = at!($value);
                    let mut undefined = if SHADOW { shadows[$value as usize] } else { 0 };
                    if O::ACTIVE {
                        let seen = Scalar { bits: value.into(), undefined: undefined.into() };
                        let seen = observer.value(seen, 8 * $size);
                        (value, undefined) = (seen.bits as u64, seen.undefined as u64);
                        if self.objects.check(Access::Write, address, $size).is_ok() {
                            access!(address, $size);
                        }
                    }
                    if self.objects.store::<$size>(address, value, undefined).is_none() {
                        fail!(self.objects.fault(Access::Write, address, $size));
                    }
                }};
            }

            loop {
                let Some(&instruction) = code.get(pc) else {
                    leave!(Exit::Done(Outcome::Blocked { edge: EdgeId(0) }));
                };
                step!(notes[pc].start);
                if SHADOW && shadow::propagate(image, instruction, frame, shadows).is_none() {
                    fail!(Fault { kind: FailureKind::Uninitialised, detail: Detail::None });
                }
                match instruction {
                    Add { s, to, a, b } => at!(to) = at!(a).wrapping_add(at!(b)) & ones(s),
                    Sub { s, to, a, b } => at!(to) = at!(a).wrapping_sub(at!(b)) & ones(s),
                    Mul { s, to, a, b } => at!(to) = at!(a).wrapping_mul(at!(b)) & ones(s),
                    And { to, a, b, .. } => at!(to) = at!(a) & at!(b),
                    Or { to, a, b, .. } => at!(to) = at!(a) | at!(b),
                    Xor { to, a, b, .. } => at!(to) = at!(a) ^ at!(b),
                    Shl { s, to, a, b } => {
                        let by = at!(b);
                        at!(to) = if by < 64 - u64::from(s) { at!(a) << by & ones(s) } else { 0 };
                    }
                    Lshr { s, to, a, b } => {
                        let by = at!(b);
                        at!(to) = if by < 64 - u64::from(s) { at!(a) >> by } else { 0 };
                    }
                    Ashr { s, to, a, b } => {
                        at!(to) = (signed(at!(a), s) >> at!(b).min(63)) as u64 & ones(s);
                    }
                    Udiv { s, to, a, b } => {
                        at!(to) = at!(a).checked_div(at!(b)).unwrap_or(ones(s));
                    }
                    Urem { to, a, b, .. } => {
                        at!(to) = at!(a).checked_rem(at!(b)).unwrap_or(at!(a));
                    }
                    Sdiv { s, to, a, b } => at!(to) = signed_quotient(at!(a), at!(b), s),
                    Srem { s, to, a, b } => at!(to) = signed_remainder(at!(a), at!(b), s),
                    Eq { to, a, b, .. } => at!(to) = u64::from(at!(a) == at!(b)),
                    Ult { to, a, b, .. } => at!(to) = u64::from(at!(a) < at!(b)),
                    Slt { s, to, a, b } => at!(to) = u64::from(up(at!(a), s) < up(at!(b), s)),
                    SaddOverflow { s, to, a, b } => {
                        at!(to) = up(at!(a), s).overflowing_add(up(at!(b), s)).1.into();
                    }
                    SsubOverflow { s, to, a, b } => {
                        at!(to) = up(at!(a), s).overflowing_sub(up(at!(b), s)).1.into();
                    }
                    SmulOverflow { s, to, a, b } => {
                        at!(to) = up(at!(a), s).overflowing_mul(signed(at!(b), s)).1.into();
                    }
                    UaddOverflow { s, to, a, b } => {
                        let (x, y) = (up(at!(a), s) as u64, up(at!(b), s) as u64);
                        at!(to) = x.overflowing_add(y).1.into();
                    }
                    UmulOverflow { s, to, a, b } => {
                        at!(to) = (up(at!(a), s) as u64).overflowing_mul(at!(b)).1.into();
                    }
                    FAdd { to, a, b, .. } => {
                        at!(to) = canonical(f64::from_bits(at!(a)) + f64::from_bits(at!(b)));
                    }
                    FSub { to, a, b, .. } => {
                        at!(to) = canonical(f64::from_bits(at!(a)) - f64::from_bits(at!(b)));
                    }
                    FMul { to, a, b, .. } => {
                        at!(to) = canonical(f64::from_bits(at!(a)) * f64::from_bits(at!(b)));
                    }
                    FDiv { to, a, b, .. } => {
                        at!(to) = canonical(f64::from_bits(at!(a)) / f64::from_bits(at!(b)));
                    }
                    FEq { to, a, b, .. } => {
                        at!(to) = (f64::from_bits(at!(a)) == f64::from_bits(at!(b))).into();
                    }
                    FLt { to, a, b, .. } => {
                        at!(to) = (f64::from_bits(at!(a)) < f64::from_bits(at!(b))).into();
                    }
                    FLe { to, a, b, .. } => {
                        at!(to) = (f64::from_bits(at!(a)) <= f64::from_bits(at!(b))).into();
                    }
                    SingleAdd { to, a, b, .. } => {
                        at!(to) = canonical_single(single(at!(a)) + single(at!(b)));
                    }
                    SingleSub { to, a, b, .. } => {
                        at!(to) = canonical_single(single(at!(a)) - single(at!(b)));
                    }
                    SingleMul { to, a, b, .. } => {
                        at!(to) = canonical_single(single(at!(a)) * single(at!(b)));
                    }
                    SingleDiv { to, a, b, .. } => {
                        at!(to) = canonical_single(single(at!(a)) / single(at!(b)));
                    }
                    SingleEq { to, a, b, .. } => {
                        at!(to) = (single(at!(a)) == single(at!(b))).into()
                    }
                    SingleLt { to, a, b, .. } => at!(to) = (single(at!(a)) < single(at!(b))).into(),
                    SingleLe { to, a, b, .. } => {
                        at!(to) = (single(at!(a)) <= single(at!(b))).into()
                    }

                    AddI { s, to, a, c } => {
                        at!(to) = at!(a).wrapping_add(i64::from(c) as u64) & ones(s);
                    }
                    SubFromI { s, to, a, c } => {
                        at!(to) = (i64::from(c) as u64).wrapping_sub(at!(a)) & ones(s);
                    }
                    MulI { s, to, a, c } => {
                        at!(to) = at!(a).wrapping_mul(i64::from(c) as u64) & ones(s);
                    }
                    AndI { s, to, a, c } => at!(to) = at!(a) & constant(c, s),
                    OrI { s, to, a, c } => at!(to) = at!(a) | constant(c, s),
                    XorI { s, to, a, c } => at!(to) = at!(a) ^ constant(c, s),
                    ShlI { s, to, a, c } => at!(to) = at!(a) << (c & 63) & ones(s),
                    LshrI { to, a, c, .. } => at!(to) = at!(a) >> (c & 63),
                    AshrI { s, to, a, c } => {
                        at!(to) = (signed(at!(a), s) >> (c & 63)) as u64 & ones(s);
                    }
                    EqI { s, to, a, c } => at!(to) = (at!(a) == constant(c, s)).into(),
                    UltI { s, to, a, c } => at!(to) = (at!(a) < constant(c, s)).into(),
                    UgtI { s, to, a, c } => at!(to) = (at!(a) > constant(c, s)).into(),
                    SltI { s, to, a, c } => at!(to) = (signed(at!(a), s) < i64::from(c)).into(),
                    SgtI { s, to, a, c } => at!(to) = (signed(at!(a), s) > i64::from(c)).into(),

                    IfEq { a, b, target, .. } => branch!(at!(a) == at!(b), target),
                    IfNe { a, b, target, .. } => branch!(at!(a) != at!(b), target),
                    IfUlt { a, b, target, .. } => branch!(at!(a) < at!(b), target),
                    IfUge { a, b, target, .. } => branch!(at!(a) >= at!(b), target),
                    IfSlt { s, a, b, target } => branch!(up(at!(a), s) < up(at!(b), s), target),
                    IfSge { s, a, b, target } => branch!(up(at!(a), s) >= up(at!(b), s), target),
                    IfSaddOverflow { s, a, b, target } => {
                        branch!(up(at!(a), s).overflowing_add(up(at!(b), s)).1, target)
                    }
                    IfSsubOverflow { s, a, b, target } => {
                        branch!(up(at!(a), s).overflowing_sub(up(at!(b), s)).1, target)
                    }
                    IfSmulOverflow { s, a, b, target } => {
                        branch!(up(at!(a), s).overflowing_mul(signed(at!(b), s)).1, target)
                    }
                    IfEqI { s, a, c, target } => branch!(at!(a) == constant(c, s), target),
                    IfNeI { s, a, c, target } => branch!(at!(a) != constant(c, s), target),
                    IfUltI { s, a, c, target } => branch!(at!(a) < constant(c, s), target),
                    IfUgeI { s, a, c, target } => branch!(at!(a) >= constant(c, s), target),
                    IfUgtI { s, a, c, target } => branch!(at!(a) > constant(c, s), target),
                    IfUleI { s, a, c, target } => branch!(at!(a) <= constant(c, s), target),
                    IfSltI { s, a, c, target } => branch!(signed(at!(a), s) < i64::from(c), target),
                    IfSgeI { s, a, c, target } => {
                        branch!(signed(at!(a), s) >= i64::from(c), target)
                    }
                    IfSgtI { s, a, c, target } => branch!(signed(at!(a), s) > i64::from(c), target),
                    IfSleI { s, a, c, target } => {
                        branch!(signed(at!(a), s) <= i64::from(c), target)
                    }

                    Const { to, value } => at!(to) = value,
                    Move { to, a } => at!(to) = at!(a),
                    Scaled { s, scale, to, a, b } => {
                        let product = at!(b).wrapping_mul(u64::from(scale));
                        at!(to) = at!(a).wrapping_add(product) & ones(s);
                    }
                    Select { to, c, a } => {
                        if at!(c) != 0 {
                            at!(to) = at!(a);
                        }
                    }
                    SignExtend { s, from, to, a } => {
                        at!(to) = signed(at!(a), from) as u64 & ones(s);
                    }
                    Extract { s, low, to, a } => at!(to) = at!(a) >> (low & 63) & ones(s),
                    Concat { shift, to, a, b } => at!(to) = at!(a) << (shift & 63) | at!(b),
                    Float { op, s, to, a } => at!(to) = op.apply(s, at!(a)),
                    Generic { index } => {
                        super::generic::apply(&image.generics[index as usize], frame);
                    }
                    GetGlobal { to, global } => {
                        at!(to) = self.globals[global as usize];
                        if SHADOW {
                            shadows[to as usize] = self.global_shadow[global as usize];
                        }
                    }
                    SetGlobal { global, a } => {
                        self.globals[global as usize] = at!(a);
                        if SHADOW {
                            self.global_shadow[global as usize] = shadows[a as usize];
                        }
                    }
                    Jump { target } => {
                        count_jump!(target);
                        continue;
                    }
                    Switch { a, table } => match image.switches[table as usize].find(at!(a)) {
                        Some((target, edge)) => {
                            step!(edge);
                            count_jump!(target);
                            continue;
                        }
                        None => step!(notes[pc].next),
                    },
                    Pass => {}
                    Blocked => leave!(Exit::Done(Outcome::Blocked { edge: edge!() })),
                    Fail => {
                        let kind = image.failures.get(&notes[pc].edge).copied();
                        let kind = kind.unwrap_or(FailureKind::Assertion);
                        fail!(Fault { kind, detail: Detail::None })
                    }
                    Call { site } => {
                        transfer!(self.call(site, pc as u32 + 1, observer, depth))
                    }
                    CallPointer { site } => {
                        transfer!(self.call_pointer(site, pc as u32 + 1, host, observer, depth))
                    }
                    External { site } => {
                        self.pc = pc + 1;
                        transfer!(self.external(site, host, observer))
                    }
                    Return => transfer!(self.leave(edge!(), observer)),
                    Load1 { s, to, a, offset } => load!(1, s, to, a, offset),
                    Load2 { s, to, a, offset } => load!(2, s, to, a, offset),
                    Load4 { s, to, a, offset } => load!(4, s, to, a, offset),
                    Load8 { s, to, a, offset } => load!(8, s, to, a, offset),
                    LoadAny { width, to, a, offset } => {
                        let address = at!(a).wrapping_add(i64::from(offset) as u64);
                        let (bits, size) = (u32::from(width), usize::from(width).div_ceil(8));
                        let Some((bytes, undefined)) = self.objects.load_any(address, size) else {
                            fail!(self.objects.fault(Access::Read, address, size as u64));
                        };
                        let m = mask(bits);
                        let mut value = Scalar { bits: bytes & m, undefined: undefined & m };
                        access!(address, size as u64);
                        if O::ACTIVE {
                            value = observer.value(value, bits);
                        }
                        let part = super::image::Part { slot: to, bits };
                        self.set_part(base, part, value);
                        if !SHADOW && value.undefined != 0 {
                            switch_mode!();
                        }
                        pc += 1;
                        continue 'activation;
                    }
                    Store1 { a, offset, value } => store!(1, a, offset, value),
                    Store2 { a, offset, value } => store!(2, a, offset, value),
                    Store4 { a, offset, value } => store!(4, a, offset, value),
                    Store8 { a, offset, value } => store!(8, a, offset, value),
                    StoreAny { width, a, value, .. } | Initialise { width, a, value } => {
                        let (offset, access) = match instruction {
                            StoreAny { offset, .. } => (offset, Access::Write),
                            // The program may not write to it: that it is there is enough.
                            _ => (0, Access::Read),
                        };
                        let address = at!(a).wrapping_add(i64::from(offset) as u64);
                        let (bits, size) = (u32::from(width), usize::from(width).div_ceil(8));
                        let part = super::image::Part { slot: value, bits };
                        let mut value = self.part(base, part);
                        if O::ACTIVE {
                            value = observer.value(value, bits);
                        }
                        if let Err(fault) = self.objects.check(access, address, size as u64) {
                            fail!(fault);
                        }
                        access!(address, size as u64);
                        let Scalar { bits, undefined } = value;
                        let _ = self.objects.put(address, size, bits, undefined);
                        pc += 1;
                        continue 'activation;
                    }
                    Alloc { to, size, align } => {
                        let size = at!(size);
                        let total = self.local_bytes.saturating_add(size.max(16));
                        let origin = Origin::Local(edge!());
                        let made = (total <= STACK_BYTES)
                            .then(|| self.objects.allocate(size, align, origin))
                            .flatten();
                        let Some(mut address) = made else {
                            let kind = FailureKind::StackOverflow;
                            fail!(Fault { kind, detail: Detail::None });
                        };
                        self.locals.push((address, size.max(16)));
                        self.local_bytes = total;
                        if O::ACTIVE {
                            address = observer.value(Scalar::new(address.into()), 64).bits as u64;
                        }
                        at!(to) = address;
                    }
                    Copy { to, from, size } => {
                        let (to, from, size) = (at!(to), at!(from), at!(size));
                        let objects = &mut self.objects;
                        let checked = objects
                            .check(Access::Read, from, size)
                            .and_then(|()| objects.check(Access::Write, to, size));
                        if let Err(fault) = checked {
                            fail!(fault);
                        }
                        access!(from, size);
                        access!(to, size);
                        self.objects.copy_checked(to, from, size);
                    }
                    Fill { to, byte, size } => {
                        let undefined = if SHADOW { shadows[byte as usize] as u8 } else { 0 };
                        let (to, byte, size) = (at!(to), at!(byte) as u8, at!(size));
                        if let Err(fault) = self.objects.check(Access::Write, to, size) {
                            fail!(fault);
                        }
                        access!(to, size);
                        self.objects.fill_checked(to, byte, undefined, size);
                    }
                    Mark { to } => {
                        let first = self.frames.last().map_or(0, |frame| frame.locals as usize);
                        let mut made = (self.locals.len() - first) as u64;
                        if O::ACTIVE {
                            made = observer.value(Scalar::new(made.into()), 64).bits as u64;
                        }
                        at!(to) = made;
                    }
                    Release { a } => {
                        let first = self.frames.last().map_or(0, |frame| frame.locals as usize);
                        let kept = usize::try_from(at!(a)).unwrap_or(usize::MAX);
                        self.release(first.saturating_add(kept), edge!());
                        pc += 1;
                        continue 'activation;
                    }
                }
                if O::ACTIVE {
                    let part = notes[pc].value;
                    if part.bits != 0 {
                        let value = observer.value(self.part(base, part), part.bits);
                        self.set_part(base, part, value);
                        pc += 1;
                        if !SHADOW && value.undefined != 0 {
                            leave!(Exit::Pause);
                        }
                        continue 'activation;
                    }
                }
                pc += 1;
            }
        }
    }
}
