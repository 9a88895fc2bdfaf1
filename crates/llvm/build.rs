//! Compiles the small C library to bitcode, which becomes a part of the crate: users wait for clang only once.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

const VERSION: &str = "22";

fn main() {
    println!("cargo::rerun-if-changed=clib");
    println!("cargo::rerun-if-env-changed=WHYDUNIT_CLANG");
    if let Err(message) = compile() {
        println!("cargo::error={message}");
    }
}

fn compile() -> Result<(), String> {
    let out = env::var("OUT_DIR").map_err(|error| error.to_string())?;
    let clang = env::var("WHYDUNIT_CLANG").unwrap_or_else(|_| format!("clang-{VERSION}"));
    let entries = fs::read_dir("clib").map_err(|error| format!("clib: {error}"))?;
    let mut sources: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    sources.retain(|path| path.extension().is_some_and(|end| end == "c"));
    sources.sort();
    let mut list = String::from("[\n");
    for source in sources {
        let stem = source.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let target = Path::new(&out).join(&stem).with_extension("bc");
        // Without debug information: nobody is shown its statements, and reading it takes time.
        let status = Command::new(&clang)
            .args(["-c", "-emit-llvm", "-O0", "-fno-pie"])
            .args(["-fno-stack-protector", "-U_FORTIFY_SOURCE", "-fno-builtin", "-D__NO_CTYPE"])
            .args(["-std=gnu11", "-o"])
            .arg(&target)
            .arg(&source)
            .status()
            .map_err(|error| {
                format!(
                    "clang {VERSION} is needed (Debian: apt-get install clang-{VERSION}): {error}"
                )
            })?;
        if !status.success() {
            return Err(format!("{} does not compile", source.display()));
        }
        list += &format!(
            "(\"{stem}.c\", include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{stem}.bc\"))),\n"
        );
    }
    list.push(']');
    fs::write(Path::new(&out).join("library.rs"), list).map_err(|error| error.to_string())
}
