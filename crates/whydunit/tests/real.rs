//! Real C programs: what they print is what they print natively.
//!
//! The sources are those of packages (`real/Cargo.toml`), which cargo downloads unless it has them. Where a package is
//! a library, a program of ours (`real/*.c`) uses it.

mod oracle;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use libtest_mimic::{Arguments, Failed, Trial};
use oracle::{Case, Folder, Ran};
use serde_json::Value;

const NATIVE_LIMIT: Duration = Duration::from_secs(20);
const MOST_INSTRUCTIONS: u64 = 2_000_000_000;

/// A program, made of the sources of a package and, perhaps, one of ours.
struct Real {
    name: &'static str,
    package: &'static str,
    /// The folder in the package, which also has the headers.
    folder: &'static str,
    /// All sources of the folder if there are none.
    sources: &'static [&'static str],
    own: Option<&'static str>,
    flags: &'static [&'static str],
    arguments: &'static [&'static str],
    /// Files that it reads: ours, or of the folder.
    files: &'static [&'static str],
    /// What it has but does not use, so that it need not be modelled.
    unused: &'static [&'static str],
}

const BZIP2: &[&str] = &[
    "blocksort.c",
    "bzip2.c",
    "bzlib.c",
    "compress.c",
    "crctable.c",
    "decompress.c",
    "huffman.c",
    "randtable.c",
];

const NOTHING: Real = Real {
    name: "",
    package: "",
    folder: "",
    sources: &[],
    own: None,
    flags: &[],
    arguments: &[],
    files: &[],
    unused: &[],
};

// It jumps if there is an error.
const LUA: Real = Real {
    package: "lua-src",
    folder: "lua-5.4.9",
    own: Some("lua.c"),
    unused: &["`longjmp`"],
    ..NOTHING
};
const BZ: Real = Real { package: "bzip2-sys", folder: "bzip2-1.0.8", sources: BZIP2, ..NOTHING };

const PROGRAMS: &[Real] = &[
    Real { name: "lua numbers", arguments: &["numbers.lua"], files: &["numbers.lua"], ..LUA },
    Real { name: "lua strings", arguments: &["strings.lua"], files: &["strings.lua"], ..LUA },
    Real { name: "lua tables", arguments: &["tables.lua"], files: &["tables.lua"], ..LUA },
    Real {
        name: "zlib",
        package: "libz-sys",
        folder: "src/zlib",
        sources: &[
            "adler32.c",
            "compress.c",
            "crc32.c",
            "deflate.c",
            "inffast.c",
            "inflate.c",
            "inftrees.c",
            "trees.c",
            "uncompr.c",
            "zutil.c",
        ],
        own: Some("zlib.c"),
        ..NOTHING
    },
    Real {
        name: "bzip2 compresses",
        arguments: &["-c", "-v", "-1", "sample3.ref"],
        files: &["sample3.ref"],
        ..BZ
    },
    Real {
        name: "bzip2 decompresses",
        arguments: &["-d", "-c", "sample1.bz2"],
        files: &["sample1.bz2"],
        ..BZ
    },
    Real { name: "bzip2 helps", arguments: &["--help"], ..BZ },
    Real {
        name: "lz4",
        package: "lz4-sys",
        folder: "liblz4/lib",
        sources: &["lz4.c", "lz4hc.c"],
        own: Some("lz4.c"),
        ..NOTHING
    },
    Real {
        name: "sqlite",
        package: "libsqlite3-sys",
        folder: "sqlite3",
        sources: &["sqlite3.c"],
        own: Some("sqlite.c"),
        flags: &["-DSQLITE_THREADSAFE=0", "-DSQLITE_OMIT_LOAD_EXTENSION"],
        ..NOTHING
    },
];

fn main() {
    let arguments = Arguments::from_args();
    let packages = if arguments.list { Ok(BTreeMap::new()) } else { packages() };
    let trials = PROGRAMS.iter().map(|real| {
        let packages = packages.clone();
        Trial::test(real.name, move || compare(real, &packages?))
    });
    libtest_mimic::run(&arguments, trials.collect()).exit();
}

/// Where the sources of the packages are.
fn packages() -> Result<BTreeMap<String, PathBuf>, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--locked", "--quiet", "--format-version", "1", "--manifest-path"])
        .arg(ours("Cargo.toml"))
        .output()
        .map_err(|error| format!("cargo: {error}"))?;
    if !output.status.success() {
        let why = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(format!("cargo cannot download the sources of real programs: {why}"));
    }
    let metadata: Value =
        serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())?;
    let packages = metadata["packages"].as_array().ok_or("no packages")?;
    let found = packages.iter().filter_map(|package| {
        let manifest = Path::new(package["manifest_path"].as_str()?);
        Some((package["name"].as_str()?.to_owned(), manifest.parent()?.to_owned()))
    });
    Ok(found.collect())
}

fn ours(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/real").join(name)
}

fn compare(real: &Real, packages: &BTreeMap<String, PathBuf>) -> Result<(), Failed> {
    let package = packages.get(real.package).ok_or(format!("no package {}", real.package))?;
    let case = case(real, &package.join(real.folder))?;
    let folder = Folder::new(&real.name.replace(' ', "-"))?;
    let Ran::Ended(expected) = oracle::natively(&case, &[], folder.path(), NATIVE_LIMIT)? else {
        return Err("it does not end natively".into());
    };
    match oracle::interpreted(&case, MOST_INSTRUCTIONS)? {
        Ran::Ended(seen) if seen == expected => Ok(()),
        seen => Err(format!("it should be\n{expected:?}\nbut it is\n{seen:?}").into()),
    }
}

fn case(real: &Real, folder: &Path) -> Result<Case, String> {
    let theirs: Vec<PathBuf> = match real.sources {
        [] => sources(folder)?,
        names => names.iter().map(|name| folder.join(name)).collect(),
    };
    let include = ["-I".to_owned(), folder.display().to_string()];
    let flags = include.into_iter().chain(real.flags.iter().map(|&flag| flag.to_owned()));
    let mut files = BTreeMap::new();
    for &name in real.files {
        let path = Some(ours(name)).filter(|path| path.exists());
        let path = path.unwrap_or_else(|| folder.join(name));
        let content = std::fs::read(&path).map_err(|error| format!("{name}: {error}"))?;
        files.insert(name.to_owned(), content);
    }
    Ok(Case {
        sources: theirs.into_iter().chain(real.own.map(ours)).collect(),
        flags: flags.collect(),
        arguments: real.arguments.iter().map(|&word| word.to_owned()).collect(),
        files,
        unused: real.unused.iter().map(|&name| name.to_owned()).collect(),
    })
}

/// The sources in a folder, in order.
fn sources(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries =
        std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let paths = entries.flatten().map(|entry| entry.path());
    let mut sources: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|end| end == "c")).collect();
    sources.sort();
    Ok(sources)
}
