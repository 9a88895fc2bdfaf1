//! What `#line` says of the lines that follow it.
//!
//! Preprocessors and generators of parsers and scanners write `#line 7 "calc.y"`: what follows comes from there. clang
//! then gives places as these lines say, and so not those of the text that it has compiled, which is the only one that we
//! have and the only one that fits its columns. So clang is given that text with directives that name its own lines
//! ([`with_own_places`]), and what they said is kept beside them.
//!
//! That cannot be done with files that are included, or with bitcode that somebody else has made. There, the line is sought that
//! the directives call so ([`Lines::find`]).

/// The directives of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lines {
    marks: Vec<Mark>,
}

/// One directive.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Mark {
    /// The line that it is on, from 1.
    at: u32,
    /// What it calls the next line: in this file (that of the directive before, if it names none), with this number.
    file: Option<String>,
    line: u32,
    header: Header,
}

/// Whose the lines are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Header {
    Own,
    /// They come from a header of the system.
    System,
}

impl Lines {
    pub fn read(text: &str) -> Lines {
        let mut marks: Vec<Mark> = Vec::new();
        for (index, line) in directives(text.as_bytes()) {
            let Some(directive) = line else { continue };
            let before = marks.last().and_then(|mark| mark.file.clone());
            let file = directive.file.map(|name| String::from_utf8_lossy(&name).into_owned());
            let header = directive.header;
            marks.push(Mark { at: index + 1, file: file.or(before), line: directive.line, header });
        }
        Lines { marks }
    }

    pub fn is_empty(&self) -> bool {
        self.marks.is_empty()
    }

    /// Whether a line comes from a header of the system, whose statements nobody is interested in.
    pub fn is_system(&self, line: u32) -> bool {
        self.mark(line).is_some_and(|mark| mark.header == Header::System)
    }

    /// Where parts of the text come from: the line after which they begin, and how their first line is called. There is nothing
    /// to say of those whose file is unknown to `known`, which also says what it is called in reports.
    pub fn origins(&self, known: &mut dyn FnMut(&str) -> Option<String>) -> Vec<program::Origin> {
        let named = |mark: &Mark| {
            let file = mark.file.as_deref().and_then(&mut *known);
            program::Origin { after: mark.at, place: file.map(|file| (file, mark.line)) }
        };
        self.marks.iter().map(named).collect()
    }

    /// The lines that clang calls so if the text was compiled as it is; `own` is whether this is the file's own name. The last
    /// may be behind the end of the text.
    pub fn find<'l>(
        &'l self,
        name: &'l str,
        own: bool,
        line: u32,
    ) -> impl Iterator<Item = u32> + 'l {
        let first_end = self.marks.first().map_or(u32::MAX, |mark| mark.at);
        let before = (own && line < first_end).then_some(line);
        let ends = self.marks.iter().skip(1).map(|mark| mark.at).chain([u32::MAX]);
        let found = self.marks.iter().zip(ends).filter_map(move |(mark, end)| {
            let is_meant = mark.file.as_deref().map_or(own, |file| file == name);
            let at = line.checked_sub(mark.line)?.checked_add(mark.at + 1)?;
            (is_meant && at < end).then_some(at)
        });
        before.into_iter().chain(found)
    }

    fn mark(&self, line: u32) -> Option<&Mark> {
        let count = self.marks.partition_point(|mark| mark.at < line);
        self.marks.get(count.checked_sub(1)?)
    }
}

/// The text with directives that say where its lines are in the file of this name; nothing if it has no directives.
pub(crate) fn with_own_places(text: &[u8], name: &[u8]) -> Option<Vec<u8>> {
    let name: Vec<u8> = name.iter().flat_map(|&byte| escaped(byte)).collect();
    let mark = |line: u32, header: Header| {
        let flag = if header == Header::System { " 3" } else { "" };
        [format!("# {line} \"").as_bytes(), &name, format!("\"{flag}\n").as_bytes()].concat()
    };
    let mut written = mark(1, Header::Own);
    let mut found = false;
    for ((index, directive), line) in directives(text).zip(text.split_inclusive(is_end)) {
        match directive {
            Some(directive) => {
                found = true;
                written.extend(mark(index + 2, directive.header));
            }
            None => written.extend(line),
        }
    }
    found.then_some(written)
}

fn is_end(byte: &u8) -> bool {
    *byte == b'\n'
}

fn escaped(byte: u8) -> Vec<u8> {
    match byte {
        b'"' | b'\\' => vec![b'\\', byte],
        byte => vec![byte],
    }
}

struct Directive {
    line: u32,
    file: Option<Vec<u8>>,
    header: Header,
}

/// Each line, by its number from 0, as a directive if it is one.
fn directives(text: &[u8]) -> impl Iterator<Item = (u32, Option<Directive>)> {
    let mut continues = false;
    (0..).zip(text.split_inclusive(is_end)).map(move |(index, line)| {
        let continued = std::mem::replace(&mut continues, line.trim_ascii_end().ends_with(b"\\"));
        // A directive on several lines is nothing that a tool writes.
        (index, if continued || continues { None } else { directive(line) })
    })
}

/// Reads `#line 7 "calc.y"`, or `# 7 "stdio.h" 1 3` as a preprocessor writes it.
fn directive(line: &[u8]) -> Option<Directive> {
    let rest = line.trim_ascii().strip_prefix(b"#")?.trim_ascii_start();
    let rest = rest.strip_prefix(b"line").unwrap_or(rest).trim_ascii_start();
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let number = std::str::from_utf8(&rest[..digits]).ok()?.parse().ok()?;
    let rest = rest[digits..].trim_ascii_start();
    let Some(rest) = rest.strip_prefix(b"\"") else {
        return rest.is_empty().then_some(Directive {
            line: number,
            file: None,
            header: Header::Own,
        });
    };
    let mut file = Vec::new();
    let mut bytes = rest.iter();
    loop {
        match bytes.next()? {
            b'"' => break,
            b'\\' => file.push(*bytes.next()?),
            byte => file.push(*byte),
        }
    }
    let mut flags = bytes.as_slice().split(u8::is_ascii_whitespace);
    let is_system = flags.any(|flag| flag == b"3") || file.starts_with(b"/usr/");
    let header = if is_system { Header::System } else { Header::Own };
    Some(Directive { line: number, file: Some(file), header })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "a\n# 1 \"x.c\" 1\nb\nc\n#line 9\nd\n  # 4 \"/usr/include/h.h\" 1 3\ne\n\
                        # 3 \"x.c\" 2\nf\n";

    #[test]
    fn lines_have_origins() {
        let lines = Lines::read(TEXT);
        let origins = lines.origins(&mut |name| (name == "x.c").then(|| "there".to_owned()));
        let mut file = program::SourceFile::new("f", TEXT);
        file.origins = origins;
        let found: Vec<_> = [1, 3, 4, 6, 8, 10].map(|line| file.origin(line)).to_vec();
        let there = |line| Some(("there", line));
        assert_eq!(found, [None, there(1), there(2), there(9), None, there(3)]);
        assert_eq!([6, 8, 10].map(|line| lines.is_system(line)), [false, true, false]);
    }

    #[test]
    fn lines_are_found_by_how_they_are_called() {
        let lines = Lines::read(TEXT);
        let find = |name, own, line| {
            lines.find(name, own, line).filter(|at| *at <= 10).collect::<Vec<_>>()
        };
        assert_eq!(find("f", true, 1), [1]);
        assert_eq!(find("x.c", false, 2), [4]);
        assert_eq!(find("x.c", false, 9), [6]);
        assert_eq!(find("x.c", false, 3), [10]);
        assert_eq!(find("y.c", false, 3), Vec::<u32>::new());
    }

    #[test]
    fn directives_may_be_replaced() {
        let own = with_own_places(b"a\n#line 7 \"x\"\nb\n# 2 \"h\" 3\nc", b"d\"e.c").unwrap();
        let expected = "# 1 \"d\\\"e.c\"\na\n# 3 \"d\\\"e.c\"\nb\n# 5 \"d\\\"e.c\" 3\nc";
        assert_eq!(String::from_utf8(own).unwrap(), expected);
        for other in
            ["a\n", "#define A\n", "#line X\n", "a \\\n#line 3\n", "#lineage 3\n", "# 3 x\n"]
        {
            assert_eq!(with_own_places(other.as_bytes(), b"f"), None, "{other}");
        }
    }
}
