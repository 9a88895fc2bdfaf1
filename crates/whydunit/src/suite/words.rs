//! The words of a command line, as a shell separates them.
//!
//! Words are separated by white space. `'…'` and `"…"` keep it; a backslash keeps the next character, except
//! within `'…'`. `< FILE` names what is read from standard input. Nothing else has a meaning: there are no variables, no
//! patterns and no pipes.

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommandLine {
    pub words: Vec<Vec<u8>>,
    /// The file after `<`.
    pub stdin: Option<Vec<u8>>,
}

/// What a word is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Argument,
    Stdin,
}

/// Reads a command line. An error says what is wrong with it.
pub fn parse(line: &[u8]) -> Result<CommandLine, &'static str> {
    let mut result = CommandLine::default();
    let mut next = Use::Argument;
    let mut word: Option<Vec<u8>> = None;
    let mut quote = None;
    let mut bytes = line.iter().copied();
    while let Some(byte) = bytes.next() {
        match (quote, byte) {
            (Some(end), byte) if byte == end => quote = None,
            (None, b'\'' | b'"') => {
                quote = Some(byte);
                word.get_or_insert_default();
            }
            (None | Some(b'"'), b'\\') => {
                let kept = bytes.next().ok_or("there is nothing after the last backslash")?;
                word.get_or_insert_default().push(kept);
            }
            (None, byte) if byte.is_ascii_whitespace() => result.end(&mut word, &mut next)?,
            (None, b'<') => {
                result.end(&mut word, &mut next)?;
                if next == Use::Stdin || result.stdin.is_some() {
                    return Err("there are two `<`");
                }
                next = Use::Stdin;
            }
            (_, byte) => word.get_or_insert_default().push(byte),
        }
    }
    if quote.is_some() {
        return Err("a quotation has no end");
    }
    result.end(&mut word, &mut next)?;
    match next {
        Use::Argument => Ok(result),
        Use::Stdin => Err("there is no file after `<`"),
    }
}

/// Words as a line from which they are read again.
pub fn line(words: &[Vec<u8>]) -> Vec<u8> {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_./:=+,@%^".contains(byte);
    let mut line = Vec::new();
    for word in words {
        if !line.is_empty() {
            line.push(b' ');
        }
        if !word.is_empty() && word.iter().all(is_plain) {
            line.extend(word);
            continue;
        }
        line.push(b'\'');
        for &byte in word {
            match byte {
                b'\'' => line.extend(b"'\\''"),
                byte => line.push(byte),
            }
        }
        line.push(b'\'');
    }
    line
}

impl CommandLine {
    /// Ends a word, if there is one.
    fn end(&mut self, word: &mut Option<Vec<u8>>, next: &mut Use) -> Result<(), &'static str> {
        let Some(word) = word.take() else { return Ok(()) };
        match std::mem::replace(next, Use::Argument) {
            Use::Argument => self.words.push(word),
            Use::Stdin if word.is_empty() => return Err("there is no file after `<`"),
            Use::Stdin => self.stdin = Some(word),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        let read = parse(line.as_bytes()).unwrap();
        assert_eq!(read.stdin, None, "{line}");
        read.words.into_iter().map(|word| String::from_utf8(word).unwrap()).collect()
    }

    #[test]
    fn words_are_those_of_a_shell() {
        assert_eq!(words(""), Vec::<String>::new());
        assert_eq!(words("  1 -2\t3\n"), ["1", "-2", "3"]);
        assert_eq!(words("'a b' \"c d\"e ''"), ["a b", "c de", ""]);
        assert_eq!(words(r#"a\ b '\' "\"" \<"#), ["a b", "\\", "\"", "<"]);
        assert_eq!(words("'<' $x * | #"), ["<", "$x", "*", "|", "#"]);
    }

    #[test]
    fn input_is_redirected() {
        for line in ["1 2 < in", "1 <in 2", "< 'in' 1 2", "1 2<in"] {
            let read = parse(line.as_bytes()).unwrap();
            assert_eq!(read.words, [b"1".to_vec(), b"2".to_vec()], "{line}");
            assert_eq!(read.stdin.as_deref(), Some(&b"in"[..]), "{line}");
        }
    }

    #[test]
    fn words_are_written_as_they_are_read() {
        let all = ["1", "-x", "", "a b", "it's", "\"", "\\", "<", "\n", "'"];
        let all: Vec<Vec<u8>> = all.iter().map(|word| word.as_bytes().to_vec()).collect();
        assert_eq!(line(&all[..2]), b"1 -x");
        assert_eq!(parse(&line(&all)).unwrap().words, all);
        assert_eq!(parse(&line(&[])).unwrap().words, Vec::<Vec<u8>>::new());
    }

    #[test]
    fn mistakes() {
        for line in ["'a", "a\\", "<", "1 <", "< a < b", "< < a", "< ''"] {
            assert!(parse(line.as_bytes()).is_err(), "{line}");
        }
    }
}
