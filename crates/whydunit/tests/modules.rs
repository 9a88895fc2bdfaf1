//! Damaged modules of LLVM: whatever the bytes are, there is an answer or a message.

mod common;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

const HANGS: Duration = Duration::from_secs(60);

const SOURCE: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct item { const char *name; int count : 5; unsigned flags : 3; double price; };
static struct item items[] = {{"nut", 3, 1, 0.5}, {"bolt", -4, 2, 1.25}};
static int compare(const void *a, const void *b) {
    return ((const struct item *)a)->count - ((const struct item *)b)->count;
}
static double total(int n, ...) {
    __builtin_va_list list;
    double sum = 0;
    __builtin_va_start(list, n);
    while (n-- > 0) sum += __builtin_va_arg(list, double);
    __builtin_va_end(list);
    return sum;
}
int main(int argc, char **argv) {
    char text[16], *copy = malloc(16);
    qsort(items, 2, sizeof *items, compare);
    strcpy(text, items[0].name);
    strcpy(copy, text);
    switch (argc) {
    case 1: printf("%s %f\n", copy, total(2, items[0].price, items[1].price)); break;
    default: printf("%s\n", argv[1]);
    }
    free(copy);
    return (int)strlen(text) - 4 ? 1 : 0;
}
"#;

/// Numbers that are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) as usize % limit.max(1)
    }
}

fn compile(folder: &Path, form: &str) -> Vec<u8> {
    std::fs::write(folder.join("good.c"), SOURCE).expect("a temporary file");
    let target = folder.join("good").with_extension(form);
    let mut clang = Command::new("clang-22");
    clang.args(["-O0", "-g", "-emit-llvm", if form == "ll" { "-S" } else { "-c" }, "-o"]);
    let status = clang.arg(&target).arg("good.c").current_dir(folder).status().expect("clang-22");
    assert!(status.success());
    std::fs::read(target).expect("what clang wrote")
}

/// Some bytes are changed.
fn changed(good: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = good.to_vec();
    for _ in 0..1 + random.below(8) {
        let at = random.below(bytes.len());
        match random.below(4) {
            0 => bytes[at] ^= 1 << random.below(8),
            1 => bytes[at] = random.below(256) as u8,
            2 => {
                let from = random.below(bytes.len());
                let length = random.below(32).min(bytes.len() - from.max(at));
                bytes.copy_within(from..from + length, at);
            }
            _ => drop(bytes.drain(at..(at + random.below(8)).min(good.len() / 2).max(at))),
        }
    }
    bytes
}

/// Some lines are removed, repeated or exchanged; some words become those of other lines.
fn shuffled(good: &str, random: &mut Random) -> Vec<u8> {
    let mut lines: Vec<String> = good.lines().map(str::to_owned).collect();
    for _ in 0..1 + random.below(4) {
        let (at, other) = (random.below(lines.len()), random.below(lines.len()));
        match random.below(4) {
            0 => drop(lines.remove(at)),
            1 => lines.swap(at, other),
            2 => {
                let line = lines[other].clone();
                lines.insert(at, line);
            }
            _ => {
                let word = |line: &str, n: usize| line.split(' ').nth(n).map(str::to_owned);
                let numbers = ["4294967296", "-1", "i65", "i8388607", "[1152921504606846975 x i8]"];
                let count = lines[at].split(' ').count();
                let (Some(old), Some(new)) = (
                    word(&lines[at], random.below(count)),
                    match random.below(3) {
                        0 => Some(numbers[random.below(numbers.len())].to_owned()),
                        _ => word(&lines[other], random.below(8)),
                    },
                ) else {
                    continue;
                };
                lines[at] = lines[at].replacen(&old, &new, 1);
            }
        }
    }
    lines.join("\n").into_bytes()
}

fn cases(folder: &Path) -> Vec<PathBuf> {
    let (bitcode, text) = (compile(folder, "bc"), compile(folder, "ll"));
    let text = String::from_utf8_lossy(&text).into_owned();
    let mut random = Random(7);
    let mut cases = Vec::new();
    let mut add = |name: String, bytes: &[u8]| {
        let path = folder.join(name);
        std::fs::write(&path, bytes).expect("a temporary file");
        cases.push(path);
    };
    for n in 0..120 {
        add(format!("changed-{n}.bc"), &changed(&bitcode, &mut random));
    }
    for n in 0..100 {
        add(format!("shuffled-{n}.ll"), &shuffled(&text, &mut random));
    }
    for n in 0..20 {
        add(format!("changed-{n}.ll"), &changed(text.as_bytes(), &mut random));
        add(format!("short-{n}.bc"), &bitcode[..random.below(bitcode.len())]);
        add(format!("short-{n}.ll"), &text.as_bytes()[..random.below(text.len())]);
        let noise: Vec<u8> = (0..400).map(|_| random.below(256) as u8).collect();
        add(format!("noise-{n}.bc"), &noise);
    }
    cases
}

fn complaint(path: &Path) -> Option<String> {
    let mut command = common::whydunit();
    command.args(["--max-steps", "100000", "--time-limit", "3s"]).arg(path);
    match common::finish_within(&mut command, HANGS) {
        // An answer, no failure, or a message about the file.
        Ok(run) if matches!(run.status, Some(0..=2)) => None,
        Ok(run) => Some(format!("{}: {run:?}", path.display())),
        Err(error) => Some(format!("{}: {error}", path.display())),
    }
}

#[test]
fn damaged_modules_do_no_harm() {
    let folder = std::env::temp_dir().join(format!("whydunit-modules-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    let cases = cases(&folder);
    assert!(complaint(&folder.join("good.bc")).is_none());
    let next = AtomicUsize::new(0);
    let workers = thread::available_parallelism().map_or(2, std::num::NonZero::get);
    let complaints: Vec<String> = thread::scope(|scope| {
        let work = || {
            let mut complaints = Vec::new();
            while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                complaints.extend(complaint(case));
            }
            complaints
        };
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("no panic")).collect()
    });
    if complaints.is_empty() {
        std::fs::remove_dir_all(&folder).expect("our folder");
    }
    assert!(
        complaints.is_empty(),
        "{} of {}\n{}",
        complaints.len(),
        cases.len(),
        complaints.join("\n")
    );
}
