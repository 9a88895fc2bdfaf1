//! Says what to do when Z3 is missing; the linker's own message would not.

use std::path::PathBuf;

fn main() -> Result<(), String> {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=Z3_LIBRARY_PATH_OVERRIDE");
    let folder = std::env::var_os("Z3_LIBRARY_PATH_OVERRIDE").map(PathBuf::from);
    match folder {
        Some(folder) if !folder.join("libz3.so").exists() => Err(format!(
            "no Z3 in {}: run ./test or ./whydunit once, it installs Z3",
            folder.display()
        )),
        _ => Ok(()),
    }
}
