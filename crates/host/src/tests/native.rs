//! Programs compiled by the compiler of this machine, and numbers that look random.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Compiles a program and runs it with this input; returns what it prints.
pub fn run(name: &str, source: &str, flags: &[&str], input: &str) -> String {
    let folder: PathBuf =
        std::env::temp_dir().join(format!("whydunit-host-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (file, program) = (folder.join("it.c"), folder.join("it"));
    std::fs::write(&file, source).unwrap();
    let compiled = Command::new("cc")
        .arg("-w")
        .args(flags)
        .arg("-o")
        .arg(&program)
        .arg(&file)
        .arg("-lm")
        .output();
    let compiled = compiled.unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let mut child =
        Command::new(&program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().unwrap();
    let _ = writer.join();
    let _ = std::fs::remove_dir_all(&folder);
    assert!(
        output.status.success(),
        "{:?}: {}",
        output.status,
        String::from_utf8_lossy(&output.stdout)
    );
    String::from_utf8(output.stdout).unwrap()
}

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The same numbers in every run.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    pub fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }

    /// Numbers of all magnitudes, and special ones.
    pub fn integer(&mut self) -> u64 {
        match self.below(4) {
            0 => {
                self.pick(&[0, 1, u64::MAX, i64::MAX as u64, i64::MIN as u64, 10, 255, 256, 65535])
            }
            1 => self.below(200).wrapping_sub(100),
            _ => {
                let shift = self.below(64);
                let number = self.next() >> shift;
                if self.below(2) == 0 { number.wrapping_neg() } else { number }
            }
        }
    }

    pub fn double(&mut self) -> f64 {
        match self.below(6) {
            0 => self.pick(&[
                0.0,
                -0.0,
                1.0,
                -1.0,
                0.5,
                1.5,
                2.5,
                0.25,
                0.125,
                9.5,
                99.5,
                999999.5,
                0.1,
                1e15,
                1e16,
                1e21,
                123456789.0,
                5e-324,
                f64::MAX,
                f64::MIN_POSITIVE,
                f64::INFINITY,
                f64::NEG_INFINITY,
                f64::NAN,
                -f64::NAN,
                1e-5,
                1e-4,
                99999.95,
                0.00001234,
            ]),
            1 => f64::from_bits(self.next()),
            2 => (self.below(200_000) as f64 - 100_000.0) / 8.0,
            3 => (self.below(2_000_000) as f64 - 1_000_000.0) / 100.0,
            4 => self.below(1000) as f64 * 10f64.powi(self.below(30) as i32 - 15),
            _ => self.integer() as i64 as f64,
        }
    }
}
