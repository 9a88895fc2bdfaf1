//! A page for a browser: one file, which needs nothing else.
//!
//! What matters most, the failure and its suspects, is plain HTML. All else is drawn by a script from a block of data,
//! and only what is visible, so the page opens quickly however long the run. The data are those of the JSON report, with the
//! sources and the time line; how long things took is not in it, so the same failure gives the same page.

mod data;
mod plain;
#[cfg(test)]
mod tests;

use program::SourceFile;

use crate::report::Report;
use crate::timeline::Timeline;

const STYLE: &str = include_str!("style.css");

/// The scripts, in order. They share one scope.
const SCRIPTS: [&str; 9] = [
    include_str!("base.js"),
    include_str!("rows.js"),
    include_str!("source.js"),
    include_str!("suspects.js"),
    include_str!("timeline.js"),
    include_str!("causes.js"),
    include_str!("fixes.js"),
    include_str!("panels.js"),
    include_str!("main.js"),
];

/// The report as a page. `files` are the program's source files.
pub fn html(report: &Report, timeline: &Timeline, files: &[SourceFile]) -> String {
    let title = plain::escaped(&report.failure.message);
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta name=\"generator\" content=\"whydunit {}\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n\
         <link rel=\"icon\" href=\"data:,\">\n<title>{title} – whydunit</title>\n",
        env!("CARGO_PKG_VERSION"),
    );
    page += &format!("<style>\n{STYLE}</style>\n</head>\n<body>\n");
    page += &plain::body(report, files);
    // The steps are read when they are wanted.
    for (id, text) in
        [("data", data::data(report, timeline, files)), ("steps", data::steps(report, timeline))]
    {
        page += &format!("<script type=\"application/json\" id=\"{id}\">{text}</script>\n");
    }
    page += "<script>\n\"use strict\";\n(() => {\n";
    page.extend(SCRIPTS);
    page += "})();\n</script>\n</body>\n</html>\n";
    page
}
