//! What the options say to the techniques.

use localize::Settings;
use localize::cascade::Without;
use localize::commands::Encoding;
use program::{Program, SiteId};

use crate::error::Error;
use crate::options::{Optimisation, Options, Switch};

/// The settings of the techniques. An error says what is wrong with an option.
pub fn settings(options: &Options, program: &Program) -> Result<Settings, Error> {
    let mut settings = Settings::default();
    settings.cascade.depth = options.depth;
    for place in &options.benign {
        settings.cascade.benign.extend(sites_at(program, place)?);
    }
    let off = |optimisation| options.no_opt.contains(&optimisation);
    settings.cascade.without = Without {
        slicing: off(Optimisation::Slicing),
        trust: off(Optimisation::Trust),
        solving: off(Optimisation::Solving),
        loops: off(Optimisation::Loops),
    };
    settings.error_invariants.encoding = match options.flow_sensitive {
        Switch::Yes => Encoding::FlowSensitive,
        Switch::No => Encoding::Plain,
    };
    Ok(settings)
}

/// The statements that begin on a line, given as `FILE:LINE`.
fn sites_at(program: &Program, place: &str) -> Result<Vec<SiteId>, Error> {
    let wrong = |why: &str| Error::Input(format!("error: --benign {place}: {why}\n"));
    let parsed = place.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse().ok()?)));
    let (file, line): (&str, u32) = match (parsed, place.parse()) {
        (Some(parsed), _) => parsed,
        (None, Ok(line)) => ("", line),
        (None, Err(_)) => return Err(wrong("expected FILE:LINE, such as main.c:12")),
    };
    let mut found = Vec::new();
    for (number, site) in program.sites.iter().enumerate() {
        let Some(span) = site.span else { continue };
        let source = program.file(span);
        let named =
            file.is_empty() || source.name == file || source.name.ends_with(&format!("/{file}"));
        if named && source.position(span.start).line == line {
            found.push(SiteId(number as u32));
        }
    }
    match found.is_empty() {
        true => Err(wrong("there is no statement on this line")),
        false => Ok(found),
    }
}
