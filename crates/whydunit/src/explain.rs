//! `whydunit explain TECHNIQUE`: the page of a technique.

use std::ffi::OsString;
use std::process::ExitCode;

use localize::LOCALIZERS;

/// Handles the command if the arguments are `explain …` and there is no such file.
pub fn command(mut arguments: impl Iterator<Item = OsString>) -> Option<ExitCode> {
    if arguments.next()? != "explain" || std::path::Path::new("explain").exists() {
        return None;
    }
    let name = arguments.next().map(|name| name.to_string_lossy().into_owned());
    let found = LOCALIZERS.iter().find(|l| Some(l.name) == name.as_deref());
    match found {
        Some(localizer) => {
            print!("{}", localizer.page);
            Some(ExitCode::SUCCESS)
        }
        None => {
            if let Some(name) = name {
                eprintln!("error: there is no technique `{name}`");
            }
            eprintln!("Usage: whydunit explain TECHNIQUE\n\nTechniques:");
            for localizer in LOCALIZERS {
                eprintln!("  {:<20} {}", localizer.name, localizer.summary);
            }
            Some(ExitCode::from(2))
        }
    }
}
