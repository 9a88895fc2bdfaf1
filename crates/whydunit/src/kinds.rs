//! What a file is that cannot be read as a program, and what to give instead.

use std::io::Read;
use std::os::unix::fs::FileTypeExt;
use std::path::Path;

/// Where an ELF file says what it is, and that it is not linked yet.
const ELF_TYPE: usize = 16;
const RELOCATABLE: u8 = 1;

/// What a file is, by what it begins with and what its name ends with.
pub fn describe(path: &Path) -> &'static str {
    let mut begin = Vec::new();
    if let Ok(file) = std::fs::File::open(path) {
        // What cannot be read is known by its name.
        let _ = file.take(ELF_TYPE as u64 + 1).read_to_end(&mut begin);
    }
    by_content(&begin).or_else(|| by_name(path)).unwrap_or(
        "this is no program; whydunit reads C (.c, .i, .bc, .ll) and Boogie (.bpl). Arguments of the program come \
         after `--`",
    )
}

fn by_content(begin: &[u8]) -> Option<&'static str> {
    match begin {
        [0x7f, b'E', b'L', b'F', ..] if begin.get(ELF_TYPE) == Some(&RELOCATABLE) => Some(
            "this is an object file; give the .c file that it was compiled from, or make bitcode of that: \
             clang -g -c -emit-llvm",
        ),
        [0x7f, b'E', b'L', b'F', ..] => {
            Some("this is an executable; give the .c files that it was made from")
        }
        [b'!', b'<', b'a', b'r', b'c', b'h', b'>', ..] => {
            Some("this is a library; give the .c files that it was made from")
        }
        [b'B', b'C', 0xc0, 0xde, ..] => {
            Some("this is LLVM bitcode; give it a name that ends with .bc")
        }
        _ => None,
    }
}

fn by_name(path: &Path) -> Option<&'static str> {
    match path.extension()?.to_str()? {
        "cpp" | "cc" | "cxx" | "c++" | "C" | "hpp" | "hh" | "hxx" | "ii" => {
            Some("C++ is not read; if it is C, give it a name that ends with .c")
        }
        "bpl" => Some("this is Boogie, and so not a part of a C program; give it alone"),
        "h" => Some("this is a header; give the .c file that includes it"),
        "s" | "S" | "asm" => {
            Some("assembly is not read; give the .c file that it was compiled from")
        }
        _ => None,
    }
}

/// Why a file is not read because it may never end, or is not there to be read at all.
pub fn endless(path: &Path) -> Option<&'static str> {
    let metadata = std::fs::metadata(path).ok()?;
    let kind = metadata.file_type();
    // This one ends at once, and people use it.
    let is_null = || std::fs::canonicalize(path).is_ok_and(|real| real == Path::new("/dev/null"));
    if kind.is_dir() {
        Some("it is a directory, not a file")
    } else if kind.is_fifo() {
        Some("it is a pipe, and may never end; write what comes out of it to a file, and give that")
    } else if kind.is_socket() || (kind.is_block_device() || kind.is_char_device()) && !is_null() {
        Some("it is a device, and may never end; give a file")
    } else {
        None
    }
}

/// Whether a text is C rather than Boogie.
pub fn looks_like_c(text: &str) -> bool {
    let begins = |line: &str| {
        let line = line.trim_start();
        ["#include", "#define", "int main(", "void main(", "int main ("]
            .iter()
            .any(|word| line.starts_with(word))
    };
    text.lines().any(begins)
}
