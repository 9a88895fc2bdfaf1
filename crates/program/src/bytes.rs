//! Copies of bytes.

const PAGE: usize = 4096;
const ZEROS: [u8; PAGE] = [0; PAGE];
/// Less is copied as it is.
const LARGE: usize = 16 * PAGE;

/// A copy that takes no more memory than the bytes do: where whole pages are zero, which the operating system
/// need not keep, nothing is written.
pub fn copy(bytes: &[u8]) -> Vec<u8> {
    if bytes.len() < LARGE {
        return bytes.to_vec();
    }
    let mut copy = vec![0; bytes.len()];
    for (to, from) in copy.chunks_mut(PAGE).zip(bytes.chunks(PAGE)) {
        if from != &ZEROS[..from.len()] {
            to.copy_from_slice(from);
        }
    }
    copy
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_are_equal() {
        for length in [0, 1, PAGE, LARGE - 1, LARGE, LARGE + 1, 3 * LARGE + 17] {
            let mut bytes = vec![0; length];
            assert_eq!(copy(&bytes), bytes);
            for at in (0..length).step_by(2 * PAGE + 1) {
                bytes[at] = at as u8 | 1;
            }
            assert_eq!(copy(&bytes), bytes);
        }
    }
}
