//! Numbers, generations, limits, and what the world sees of memory.

use crate::EdgeId;
use crate::process::{Access, Detail, Effect, Fault, Objects, Origin};
use crate::program::FailureKind;

const HEAP: Origin = Origin::Heap(EdgeId(1));
const LOCAL: Origin = Origin::Local(EdgeId(2));

fn kind<T>(result: Result<T, Fault>) -> Option<FailureKind> {
    result.err().map(|fault| fault.kind)
}

#[test]
fn addresses_look_like_those_of_an_allocator() {
    let mut objects = Objects::default();
    let mut seen = Vec::new();
    for (size, align) in [(1, 1), (0, 1), (100, 64), (1 << 30, 16), (24, 4096), (1 << 30, 8)] {
        let address = objects.allocate(size, align, HEAP);
        let Some(address) = address else {
            assert_eq!(seen.len(), 5, "two large objects are too much");
            break;
        };
        let low = address as u32;
        assert!((0x1000_0000..=0x7000_0000).contains(&low));
        assert_eq!(u64::from(low) % u64::from(align.max(16)), 0);
        assert!(!seen.contains(&low));
        seen.push(low);
        // Moved far, it is still about the same object.
        let far = address.wrapping_add_signed(-(1 << 28));
        let fault = objects.bytes(far, 1).expect_err("out of bounds");
        let Detail::Access { object: Some(facts), .. } = fault.detail else { panic!() };
        assert_eq!((fault.kind, facts.address), (FailureKind::OutOfBounds, address));
    }
    assert_eq!(objects.allocate(1 << 31, 1, HEAP), None);
    assert_eq!(objects.allocate(u64::MAX, 1, HEAP), None);
}

#[test]
fn large_objects_cost_nothing_until_they_are_used() {
    for _ in 0..50 {
        let mut objects = Objects::default();
        let address = objects.allocate(1 << 30, 16, HEAP).expect("a gigabyte");
        assert!(objects.write(address + (1 << 29), b"x").is_ok());
        assert_eq!(objects.defined_bytes(address + (1 << 29), 1), Ok(&b"x"[..]));
    }
}

#[test]
fn numbers_are_used_again_late_and_old_addresses_are_recognised() {
    for (origin, count) in [(HEAP, 40_000), (LOCAL, 5_000)] {
        let mut objects = Objects::default();
        let first = objects.allocate(8, 8, origin).expect("memory");
        objects.end(first, EdgeId(7));
        let fault = objects.bytes(first, 1).expect_err("dead");
        let Detail::Access { object: Some(facts), .. } = fault.detail else { panic!() };
        assert_eq!((facts.ended, facts.size), (Some(EdgeId(7)), 8));
        let mut reused = false;
        for _ in 0..count {
            let next = objects.allocate(8, 8, origin).expect("memory");
            assert_ne!(next, first);
            reused |= next >> 32 & 0x7f_ffff == first >> 32 & 0x7f_ffff;
            objects.end(next, EdgeId(8));
        }
        assert!(reused);
        assert_eq!(kind(objects.bytes(first, 1)), Some(FailureKind::UseAfterFree));
        let expected = match origin {
            Origin::Heap(_) => FailureKind::DoubleFree,
            _ => FailureKind::InvalidFree,
        };
        assert_eq!(kind(objects.free(first, EdgeId(9))), Some(expected));
    }
}

#[test]
fn zero_bytes_can_be_accessed_anywhere() {
    let mut objects = Objects::default();
    let empty = objects.allocate(0, 1, HEAP).expect("memory");
    for address in [0, empty, 1 << 60] {
        assert_eq!(objects.bytes(address, 0), Ok(&[][..]));
        assert!(objects.copy(address, empty, 0).is_ok());
    }
    assert_eq!(kind(objects.bytes(empty, 1)), Some(FailureKind::OutOfBounds));
    assert!(objects.free(empty, EdgeId(0)).is_ok());
}

#[test]
fn strings_end_in_their_object_and_are_defined() {
    let mut objects = Objects::default();
    let address = objects.allocate(4, 1, HEAP).expect("memory");
    assert_eq!(kind(objects.string(address)), Some(FailureKind::Uninitialised));
    objects.write(address, b"ab").expect("inside");
    // The third byte happens to be zero, but was never written.
    assert_eq!(kind(objects.string(address)), Some(FailureKind::Uninitialised));
    objects.write(address, b"ab\0").expect("inside");
    assert_eq!(objects.string(address), Ok(&b"ab"[..]));
    assert_eq!(objects.string(address + 2), Ok(&b""[..]));
    objects.write(address, b"abcd").expect("inside");
    assert_eq!(kind(objects.string(address)), Some(FailureKind::OutOfBounds));
    assert_eq!(kind(objects.string(0)), Some(FailureKind::NullDereference));
}

#[test]
fn copies_carry_undefined_bytes() {
    let mut objects = Objects::default();
    let from = objects.allocate(4, 1, HEAP).expect("memory");
    let to = objects.allocate_zeroed(6, 1, HEAP).expect("memory");
    objects.write(from + 1, &[1, 2]).expect("inside");
    objects.copy(to + 1, from, 4).expect("inside");
    assert_eq!(objects.undefined_bits(to, 6), Some(vec![0, 255, 0, 0, 255, 0]));
    // Overlapping, forwards and backwards.
    objects.copy(to, to + 1, 5).expect("inside");
    assert_eq!(objects.undefined_bits(to, 6), Some(vec![255, 0, 0, 255, 0, 0]));
    objects.copy(to + 1, to, 5).expect("inside");
    assert_eq!(objects.undefined_bits(to, 6), Some(vec![255, 255, 0, 0, 255, 0]));
    objects.write(to, &[0; 6]).expect("inside");
    assert_eq!(objects.undefined_bits(to, 6), None);
    let fault = objects.copy(to + 3, from, 4).expect_err("too far");
    let Detail::Access { access, size, .. } = fault.detail else { panic!() };
    assert_eq!((fault.kind, access, size), (FailureKind::OutOfBounds, Access::Write, 4));
}

#[test]
fn a_journal_of_what_the_world_does() {
    let mut objects = Objects::default();
    let quiet = objects.allocate(4, 1, HEAP).expect("memory");
    objects.start_journal();
    let address = objects.allocate_zeroed(2, 1, HEAP).expect("memory");
    objects.write(address, b"x").expect("inside");
    assert_eq!(objects.string(address), Ok(&b"x"[..]));
    objects.free(quiet, EdgeId(0)).expect("alive");
    let bytes = b"x\0".to_vec();
    assert_eq!(
        objects.take_journal(),
        [
            Effect::New { address, size: 2 },
            Effect::Write { address, bytes: b"x".to_vec() },
            Effect::Read { address, bytes },
            Effect::Freed { address: quiet },
        ]
    );
    objects.write(address, b"y").expect("inside");
    assert_eq!(objects.take_journal(), []);
}
