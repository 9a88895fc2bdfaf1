//! Open files. A stream and its descriptor are one thing with one number, because nothing is buffered.

use crate::files::{EACCES, EBADF, EEXIST, EINVAL, Files, Folder};
use crate::stdio::STDIN;

#[derive(Clone, Debug)]
pub(crate) struct Streams {
    /// By descriptor.
    open: Vec<Option<Open>>,
    pub folder: Folder,
}

#[derive(Clone, Debug, Hash)]
pub(crate) struct Open {
    pub target: Target,
    position: usize,
    readable: bool,
    writable: bool,
    append: bool,
    /// What `ungetc` gave back, the last first.
    pushed_back: Vec<u8>,
    pub at_end: bool,
    pub error: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Target {
    Output,
    ErrorOutput,
    /// A file, by its number in the folder.
    File(usize),
    /// `/dev/null`
    Nowhere,
}

/// How much of the standard input was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// More than there was.
    pub beyond: bool,
    /// Something besides white space is left.
    pub left: bool,
}

/// How a file is to be opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Mode {
    pub read: bool,
    pub write: bool,
    pub append: bool,
    pub create: bool,
    pub truncate: bool,
    pub exclusive: bool,
}

impl Mode {
    /// That of fopen.
    pub fn parse(text: &[u8]) -> Option<Mode> {
        let both = text.contains(&b'+');
        let exclusive = text.contains(&b'x');
        let write = Mode { read: both, write: true, create: true, exclusive, ..Mode::default() };
        match text.first()? {
            b'r' => Some(Mode { read: true, write: both, ..Mode::default() }),
            b'w' => Some(Mode { truncate: true, ..write }),
            b'a' => Some(Mode { append: true, ..write }),
            _ => None,
        }
    }

    /// That of open, by the numbers of Linux.
    pub fn from_flags(flags: i32) -> Mode {
        let has = |bits: i32| flags & bits != 0;
        let access = flags & 3;
        Mode {
            read: access != 1,
            write: access != 0,
            append: has(0o2000),
            create: has(0o100),
            truncate: has(0o1000),
            exclusive: has(0o200),
        }
    }
}

/// As many streams as a process may have.
const MOST_OPEN: usize = 1024;
const EMFILE: i32 = 24;

impl Streams {
    pub fn new(stdin: Vec<u8>) -> Streams {
        let mut folder = Folder::default();
        let input = Target::File(folder.add(stdin));
        let read = Mode { read: true, ..Mode::default() };
        let write = Mode { write: true, ..Mode::default() };
        let open = [(input, read), (Target::Output, write), (Target::ErrorOutput, write)];
        let open = open.map(|(target, mode)| Some(Open::new(target, mode)));
        Streams { open: open.into(), folder }
    }

    pub fn get(&mut self, number: usize) -> Option<&mut Open> {
        self.slot(number)?.as_mut()
    }

    fn slot(&mut self, number: usize) -> Option<&mut Option<Open>> {
        self.open.get_mut(number)
    }

    /// How much of the standard input was read.
    pub fn reading(&self) -> Reading {
        let Some(Some(open)) = self.open.get(STDIN) else { return Reading::default() };
        let Target::File(file) = open.target else { return Reading::default() };
        let rest = self.folder.content(file).get(open.position..).unwrap_or_default();
        Reading { beyond: open.at_end, left: !rest.trim_ascii().is_empty() }
    }

    /// Opens a file; the error is a value of `errno`.
    pub fn open(&mut self, path: &[u8], mode: Mode, files: &dyn Files) -> Result<usize, i32> {
        let target = self.target(path, mode, files)?;
        self.insert(Open::new(target, mode))
    }

    /// A file without a name.
    pub fn temporary(&mut self) -> Result<usize, i32> {
        let target = Target::File(self.folder.add(Vec::new()));
        self.insert(Open::new(target, Mode { read: true, write: true, ..Mode::default() }))
    }

    /// Opens another file under a number that is in use.
    pub fn reopen(
        &mut self,
        number: usize,
        path: &[u8],
        mode: Mode,
        files: &dyn Files,
    ) -> Result<(), i32> {
        let open = Open::new(self.target(path, mode, files)?, mode);
        let slot = self.slot(number).ok_or(EBADF)?;
        *slot = Some(open);
        Ok(())
    }

    fn target(&mut self, path: &[u8], mode: Mode, files: &dyn Files) -> Result<Target, i32> {
        match path {
            b"/dev/null" => return Ok(Target::Nowhere),
            b"/dev/stdout" => return Ok(Target::Output),
            b"/dev/stderr" => return Ok(Target::ErrorOutput),
            // The standard input is the first file.
            b"/dev/stdin" => return Ok(Target::File(0)),
            _ => {}
        }
        match self.folder.find(path, files) {
            Ok(_) if mode.create && mode.exclusive => Err(EEXIST),
            Ok(number) => {
                if mode.truncate
                    && mode.write
                    && let Some(content) = self.folder.content_mut(number)
                {
                    content.clear();
                }
                Ok(Target::File(number))
            }
            Err(crate::Refused::NotFound) if mode.create && !path.is_empty() => {
                if path.ends_with(b"/") {
                    Err(EACCES)
                } else {
                    Ok(Target::File(self.folder.create(path)))
                }
            }
            // What may not be read may be replaced: in memory only.
            Err(crate::Refused::NotAllowed) if mode.create && mode.truncate && !mode.read => {
                Ok(Target::File(self.folder.create(path)))
            }
            Err(refused) => Err(refused.errno()),
        }
    }

    fn insert(&mut self, open: Open) -> Result<usize, i32> {
        let free = self.open.iter().position(Option::is_none);
        let number = free.unwrap_or(self.open.len());
        if number >= MOST_OPEN {
            return Err(EMFILE);
        }
        if number == self.open.len() {
            self.open.push(None);
        }
        self.open[number] = Some(open);
        Ok(number)
    }

    pub fn close(&mut self, number: usize) -> Result<(), i32> {
        match self.slot(number) {
            Some(slot @ Some(_)) => {
                *slot = None;
                Ok(())
            }
            _ => Err(EBADF),
        }
    }

    /// What can be read from a stream; none if it cannot be read from.
    pub fn reader(&mut self, number: usize) -> Option<Reader<'_>> {
        let open = self.open.get_mut(number)?.as_mut()?;
        if !open.readable {
            open.error = true;
            return None;
        }
        let data = match open.target {
            Target::File(file) => self.folder.content(file),
            _ => &[],
        };
        Some(Reader {
            data,
            position: &mut open.position,
            pushed_back: Some(&mut open.pushed_back),
            at_end: Some(&mut open.at_end),
            count: 0,
        })
    }

    /// Writes to a file; the caller has written to the outputs. False: it is not open for writing.
    pub fn write(&mut self, number: usize, bytes: &[u8]) -> bool {
        let Some(open) = self.open.get_mut(number).and_then(Option::as_mut) else { return false };
        if !open.writable {
            open.error = true;
            return false;
        }
        if let Target::File(file) = open.target
            && let Some(content) = self.folder.content_mut(file)
        {
            open.pushed_back.clear();
            let start = if open.append { content.len() } else { open.position };
            if content.len() < start + bytes.len() {
                content.resize(start + bytes.len(), 0);
            }
            content[start..start + bytes.len()].copy_from_slice(bytes);
            open.position = start + bytes.len();
        }
        true
    }

    /// How long the file would be after a write: no file may become too long.
    pub fn length_after(&mut self, number: usize, count: usize) -> usize {
        let Some(&mut Open { target: Target::File(file), position, append, .. }) = self.get(number)
        else {
            return count;
        };
        let length = self.folder.content(file).len();
        (if append { length } else { position }).saturating_add(count)
    }

    /// Moves to a place relative to the start (0), here (1) or the end (2); returns the place.
    pub fn seek(&mut self, number: usize, offset: i64, whence: i32) -> Result<u64, i32> {
        let open = self.open.get_mut(number).and_then(Option::as_mut).ok_or(EBADF)?;
        let Target::File(file) = open.target else { return Err(ESPIPE) };
        let base = match whence {
            0 => 0,
            1 => open.place(),
            2 => self.folder.content(file).len() as i64,
            _ => return Err(EINVAL),
        };
        let place = base.checked_add(offset).and_then(|place| usize::try_from(place).ok());
        let place = place.ok_or(EINVAL)?;
        open.position = place;
        open.pushed_back.clear();
        open.at_end = false;
        Ok(place as u64)
    }

    pub fn tell(&mut self, number: usize) -> Result<i64, i32> {
        let open = self.get(number).ok_or(EBADF)?;
        if matches!(open.target, Target::File(_)) { Ok(open.place()) } else { Err(ESPIPE) }
    }
}

const ESPIPE: i32 = 29;

impl Open {
    fn new(target: Target, mode: Mode) -> Open {
        Open {
            target,
            position: 0,
            readable: mode.read,
            writable: mode.write,
            append: mode.append,
            pushed_back: Vec::new(),
            at_end: false,
            error: false,
        }
    }

    fn place(&self) -> i64 {
        self.position as i64 - self.pushed_back.len() as i64
    }

    pub fn push_back(&mut self, byte: u8) -> bool {
        self.at_end = false;
        if self.readable {
            self.pushed_back.push(byte);
        }
        self.readable
    }
}

/// Bytes one after the other, from a stream or a string.
#[derive(Debug)]
pub(crate) struct Reader<'a> {
    data: &'a [u8],
    position: &'a mut usize,
    pushed_back: Option<&'a mut Vec<u8>>,
    at_end: Option<&'a mut bool>,
    /// How many bytes were taken.
    pub count: usize,
}

impl<'a> Reader<'a> {
    pub fn text(data: &'a [u8], position: &'a mut usize) -> Reader<'a> {
        Reader { data, position, pushed_back: None, at_end: None, count: 0 }
    }

    /// The next byte; looking behind the end is noticed.
    pub fn peek(&mut self) -> Option<u8> {
        let pushed_back = self.pushed_back.as_ref().and_then(|bytes| bytes.last().copied());
        let byte = pushed_back.or_else(|| self.data.get(*self.position).copied());
        if byte.is_none()
            && let Some(at_end) = &mut self.at_end
        {
            **at_end = true;
        }
        byte
    }

    pub fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.count += 1;
        if self.pushed_back.as_mut().and_then(|bytes| bytes.pop()).is_none() {
            *self.position += 1;
        }
        Some(byte)
    }

    /// As many bytes as there are, up to a number.
    pub fn take(&mut self, most: usize) -> Vec<u8> {
        let mut bytes = Vec::new();
        while bytes.len() < most && self.pushed_back.as_ref().is_some_and(|it| !it.is_empty()) {
            bytes.extend(self.next());
        }
        let rest = self.data.get(*self.position..).unwrap_or_default();
        let rest = &rest[..rest.len().min(most - bytes.len())];
        bytes.extend_from_slice(rest);
        *self.position += rest.len();
        if bytes.len() < most {
            self.peek();
        }
        bytes
    }

    /// The bytes up to and with this one, up to a number.
    pub fn take_until(&mut self, last: u8, most: usize) -> Vec<u8> {
        let mut bytes = Vec::new();
        while bytes.len() < most
            && let Some(byte) = self.next()
        {
            bytes.push(byte);
            if byte == last {
                break;
            }
        }
        bytes
    }
}
