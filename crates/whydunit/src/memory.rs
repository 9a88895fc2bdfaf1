//! How much memory there is, and how much of it is used.
//!
//! The operating system is asked, not the allocator: solver, LLVM and the C library have allocators of their own. What it says is not
//! exact and comes late, so limits are looked at from time to time, and work ends some way before them
//! ([`crate::clock`]). Where nobody can be asked, as on systems without `/proc`, there is no limit but the user's common sense.

use std::fmt;
use std::fs;
use std::path::Path;
use std::str::FromStr;

/// If more than twice as much is free.
const USUAL: Size = Size(2 << 30);

/// An amount of memory, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Size(pub u64);

impl Size {
    pub const MAX: Size = Size(u64::MAX);

    pub fn of(self, part: u64) -> Size {
        Size(self.0 / part.max(1))
    }
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Size, String> {
        let wrong = || "expected a size such as 500M or 2G".to_owned();
        let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
        let (number, unit) = text.split_at(digits);
        let factor = match unit.to_ascii_uppercase().trim_end_matches("IB").trim_end_matches('B') {
            "K" => 10,
            "M" => 20,
            "G" => 30,
            "T" => 40,
            // Nobody means so few bytes.
            _ => return Err(wrong()),
        };
        let number: f64 = number.parse().map_err(|_| wrong())?;
        // A number that is too large becomes the largest.
        let bytes = (number * 2f64.powi(factor)) as u64;
        match bytes >= LEAST.0 {
            true => Ok(Size(bytes)),
            false => Err(format!("nothing can be done with less than {LEAST}")),
        }
    }
}

/// A small program takes this much.
const LEAST: Size = Size(200 << 20);

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mega = self.0 as f64 / f64::from(1 << 20);
        match mega < 1000.0 {
            true => write!(f, "{mega:.0} MB"),
            false => write!(f, "{} GB", (mega / 102.4).round() / 10.0),
        }
    }
}

/// The limit if the user gives none: half of what is free, if that is not much.
pub fn usual_limit() -> Size {
    // Much of the address space is never used.
    let space = address_space().map(|size| size.of(2));
    let free = [available(), of_group(), space].into_iter().flatten().min();
    free.map_or(USUAL, |free| free.of(2).clamp(LEAST, USUAL))
}

/// What to say if the limit was reached and nothing was found.
pub fn reached(limit: Size) -> String {
    format!("The memory limit of {limit} was reached; raise it with --memory-limit.\n")
}

/// What this process has in memory now.
pub fn used() -> Option<Size> {
    kilobytes(&fs::read_to_string("/proc/self/status").ok()?, "VmRSS:")
}

/// How large the address space of this process may be, if that is limited (`ulimit -v`).
pub fn address_space() -> Option<Size> {
    let limits = fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse().ok().map(Size)
}

/// What the machine has left.
fn available() -> Option<Size> {
    kilobytes(&fs::read_to_string("/proc/meminfo").ok()?, "MemAvailable:")
}

/// What the control group of this process has left, as in a container.
fn of_group() -> Option<Size> {
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    let own = groups.lines().find_map(|line| line.strip_prefix("0::/"))?;
    let folder = Path::new("/sys/fs/cgroup").join(own);
    let number = |name: &str| -> Option<u64> {
        fs::read_to_string(folder.join(name)).ok()?.trim().parse().ok()
    };
    Some(Size(number("memory.max")?.saturating_sub(number("memory.current")?)))
}

/// The number in the line that begins so.
fn kilobytes(text: &str, name: &str) -> Option<Size> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let number: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(Size(number << 10))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        for (text, bytes) in [("500M", 500 << 20), ("2G", 2 << 30), ("1.5GiB", 3 << 29)] {
            assert_eq!(text.parse(), Ok(Size(bytes)), "{text}");
        }
        assert_eq!("0.25gb".parse(), Ok(Size(1 << 28)));
        for wrong in ["", "M", "2", "2 G", "-1G", "3X", "1.2.3G"] {
            let why = "expected a size such as 500M or 2G".to_owned();
            assert_eq!(wrong.parse::<Size>(), Err(why), "{wrong}");
        }
        let why = "nothing can be done with less than 200 MB".to_owned();
        assert_eq!("199M".parse::<Size>(), Err(why));
    }

    #[test]
    fn sizes_in_words() {
        let words = [(500 << 20, "500 MB"), (2 << 30, "2 GB"), (3 << 29, "1.5 GB")];
        for (bytes, text) in words {
            assert_eq!(Size(bytes).to_string(), text);
        }
    }

    #[test]
    fn memory_is_measured() {
        let before = used().unwrap();
        let much = vec![1_u8; 64 << 20];
        let after = used().unwrap();
        assert!(after.0 >= before.0 + (32 << 20), "{before} {after} {}", much.len());
        assert!(usual_limit() <= USUAL);
    }
}
