//! Locations of SARIF, and the files that they are in.

use program::SourceFile;
use serde_json::{Value, json as object};

use crate::repair::EditReport;
use crate::report::Location;

/// The files that locations refer to, in the order in which they first do.
pub struct Places<'a> {
    files: &'a [SourceFile],
    folder: String,
    used: Vec<String>,
}

impl<'a> Places<'a> {
    pub fn new(files: &'a [SourceFile], folder: &str) -> Places<'a> {
        let folder = format!("{}/", folder.trim_end_matches('/'));
        Places { files, folder, used: Vec::new() }
    }

    pub fn file(&self, at: &Location) -> Option<&'a SourceFile> {
        self.files.get(at.span.file.0 as usize)
    }

    /// A location, with its text.
    pub fn location(&mut self, at: &Location) -> Value {
        let mut value = self.bare_location(at);
        if let Some(file) = self.file(at) {
            let text = file.slice(at.span);
            if !text.is_empty() {
                value["physicalLocation"]["region"]["snippet"] = object!({ "text": text });
            }
        }
        value
    }

    /// A location without its text.
    pub fn bare_location(&mut self, at: &Location) -> Value {
        let mut value = object!({
            "physicalLocation": {
                "artifactLocation": self.artifact(&at.file),
                "region": region(at),
            },
        });
        if let Some((file, line)) = &at.origin {
            value["message"] = object!({ "text": format!("It comes from {file}:{line}.") });
            // Others have something else to say.
            value["properties"] = object!({ "origin": { "file": file, "line": line } });
        }
        value
    }

    /// What is written in these places instead, as a change of each file.
    pub fn changes(&mut self, edits: &[EditReport]) -> Vec<Value> {
        let mut changes: Vec<(&str, Vec<Value>)> = Vec::new();
        for edit in edits {
            let mut replacement = object!({ "deletedRegion": region(&edit.location) });
            if !edit.replacement.is_empty() {
                replacement["insertedContent"] = object!({ "text": edit.replacement });
            }
            match changes.iter_mut().find(|(file, _)| *file == edit.location.file) {
                Some((_, own)) => own.push(replacement),
                None => changes.push((&edit.location.file, vec![replacement])),
            }
        }
        let change = |(file, replacements): (&str, Vec<Value>)| object!({ "artifactLocation": self.artifact(file), "replacements": replacements });
        changes.into_iter().map(change).collect()
    }

    /// A location; the whole program, if it is nowhere in it. Viewers show nothing that has none.
    pub fn somewhere(&mut self, at: Option<&Location>) -> Value {
        match (at, self.files.first()) {
            (Some(at), _) => self.location(at),
            (None, Some(file)) => {
                object!({ "physicalLocation": { "artifactLocation": self.artifact(&file.name) } })
            }
            (None, None) => object!({}),
        }
    }

    fn artifact(&mut self, name: &str) -> Value {
        let uri = self.uri(name);
        let index = match self.used.iter().position(|known| *known == uri) {
            Some(index) => index,
            None => {
                self.used.push(uri.clone());
                self.used.len() - 1
            }
        };
        object!({ "uri": uri, "index": index })
    }

    pub fn artifacts(&self) -> Vec<Value> {
        let artifact = |uri: &String| {
            let mut value = object!({ "location": { "uri": uri }, "roles": ["analysisTarget"] });
            let language = match uri.rsplit_once('.') {
                Some((_, "c" | "h")) => Some("c"),
                Some((_, "bpl")) => Some("boogie"),
                _ => None,
            };
            if let Some(language) = language {
                value["sourceLanguage"] = language.into();
            }
            value
        };
        self.used.iter().map(artifact).collect()
    }

    /// The name of a file as a URI: relative, if it is in the folder.
    fn uri(&self, name: &str) -> String {
        let name = name.strip_prefix(&self.folder).unwrap_or(name);
        let name = name.strip_prefix("./").unwrap_or(name);
        let mut uri = String::from(if name.starts_with('/') { "file://" } else { "" });
        for byte in name.bytes() {
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                    uri.push(char::from(byte));
                }
                byte => uri += &format!("%{byte:02X}"),
            }
        }
        uri
    }
}

fn region(at: &Location) -> Value {
    object!({
        "startLine": at.start.line,
        "startColumn": at.start.column,
        "endLine": at.end.line,
        "endColumn": at.end.column,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_addresses() {
        let places = Places::new(&[], "/srv/project");
        assert_eq!(places.uri("src/a.c"), "src/a.c");
        assert_eq!(places.uri("./a b.c"), "a%20b.c");
        assert_eq!(places.uri("ü:1.c"), "%C3%BC%3A1.c");
        assert_eq!(places.uri("/srv/project/src/a.c"), "src/a.c");
        assert_eq!(places.uri("/usr/include/a.h"), "file:///usr/include/a.h");
    }
}
