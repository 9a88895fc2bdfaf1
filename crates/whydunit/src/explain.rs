//! `whydunit explain TECHNIQUE`: the page of a technique.

use std::ffi::OsString;
use std::fmt::Write;

use localize::LOCALIZERS;

use crate::error::Error;
use crate::output;

/// Handles the command if the arguments are `explain …` and there is no such file.
pub fn command(mut arguments: impl Iterator<Item = OsString>) -> Option<Result<(), Error>> {
    if arguments.next()? != "explain" || std::path::Path::new("explain").exists() {
        return None;
    }
    let name = arguments.next().map(|name| name.to_string_lossy().into_owned());
    let found = LOCALIZERS.iter().find(|l| Some(l.name) == name.as_deref());
    Some(match found {
        Some(localizer) => output::print(localizer.page),
        None => Err(Error::Input(usage(name.as_deref()))),
    })
}

fn usage(unknown: Option<&str>) -> String {
    let mut text = unknown
        .map_or_else(String::new, |name| format!("error: there is no technique `{name}`\n\n"));
    text += "Usage: whydunit explain TECHNIQUE\n\nTechniques:\n";
    for localizer in LOCALIZERS {
        let _ = writeln!(text, "  {:<12} {}", localizer.name, localizer.summary);
    }
    text
}
