//! The files that a program may read, and those that it has written. Nothing that it writes leaves memory.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// The files of the machine, as far as the program may read them. Whoever implements this decides which.
pub trait Files: fmt::Debug + Send + Sync {
    /// The content of the file that the program calls by this name.
    fn read(&self, path: &[u8]) -> Result<Vec<u8>, Refused>;
}

/// Why a file cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    NotFound,
    NotAllowed,
    IsFolder,
}

impl Refused {
    pub(crate) fn errno(self) -> i32 {
        match self {
            Refused::NotFound => ENOENT,
            Refused::NotAllowed => EACCES,
            Refused::IsFolder => EISDIR,
        }
    }
}

pub(crate) const ENOENT: i32 = 2;
pub(crate) const EBADF: i32 = 9;
pub(crate) const EACCES: i32 = 13;
pub(crate) const EEXIST: i32 = 17;
pub(crate) const EISDIR: i32 = 21;
pub(crate) const EINVAL: i32 = 22;

/// There are no files.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFiles;

impl Files for NoFiles {
    fn read(&self, _: &[u8]) -> Result<Vec<u8>, Refused> {
        Err(Refused::NotFound)
    }
}

/// The contents of files by number, and the numbers by name.
#[derive(Clone, Debug, Default, Hash)]
pub(crate) struct Folder {
    contents: Vec<Arc<Vec<u8>>>,
    /// None: the program has removed it.
    names: BTreeMap<Vec<u8>, Option<usize>>,
}

impl Folder {
    pub fn add(&mut self, content: Vec<u8>) -> usize {
        self.contents.push(Arc::new(content));
        self.contents.len() - 1
    }

    pub fn content(&self, number: usize) -> &[u8] {
        self.contents.get(number).map_or(&[], |content| content)
    }

    pub fn content_mut(&mut self, number: usize) -> Option<&mut Vec<u8>> {
        self.contents.get_mut(number).map(Arc::make_mut)
    }

    /// The file of this name; it is read when it is first asked for.
    pub fn find(&mut self, path: &[u8], files: &dyn Files) -> Result<usize, Refused> {
        let name = simplified(path);
        if path.is_empty() {
            return Err(Refused::NotFound);
        }
        match self.names.get(&name) {
            Some(Some(number)) => Ok(*number),
            Some(None) => Err(Refused::NotFound),
            None => {
                let number = self.add(files.read(path)?);
                self.names.insert(name, Some(number));
                Ok(number)
            }
        }
    }

    /// A new, empty file of this name.
    pub fn create(&mut self, path: &[u8]) -> usize {
        let number = self.add(Vec::new());
        self.names.insert(simplified(path), Some(number));
        number
    }

    pub fn remove(&mut self, path: &[u8]) {
        self.names.insert(simplified(path), None);
    }

    pub fn name(&mut self, path: &[u8], number: usize) {
        self.names.insert(simplified(path), Some(number));
    }
}

/// A path without parts that lead nowhere, so that a file has one name.
fn simplified(path: &[u8]) -> Vec<u8> {
    let parts: Vec<&[u8]> =
        path.split(|&byte| byte == b'/').filter(|part| !part.is_empty() && *part != b".").collect();
    let root: &[u8] = if path.first() == Some(&b'/') { b"/" } else { b"" };
    [root, &parts.join(&b'/')].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct One;

    impl Files for One {
        fn read(&self, path: &[u8]) -> Result<Vec<u8>, Refused> {
            if path.ends_with(b"one") { Ok(b"1".to_vec()) } else { Err(Refused::NotAllowed) }
        }
    }

    #[test]
    fn what_is_written_hides_what_is_read() {
        let mut folder = Folder::default();
        let number = folder.find(b"./one", &One).unwrap();
        assert_eq!(folder.content(number), b"1");
        assert_eq!(folder.find(b"one", &One), Ok(number));
        let created = folder.create(b".//one");
        folder.content_mut(created).unwrap().push(b'2');
        assert_eq!(folder.find(b"one", &One), Ok(created));
        folder.remove(b"one");
        assert_eq!(folder.find(b"one", &One), Err(Refused::NotFound));
        assert_eq!(folder.find(b"two", &One), Err(Refused::NotAllowed));
        assert_eq!(folder.find(b"", &One), Err(Refused::NotFound));
    }
}
