//! Streams and files.

use std::sync::Arc;

use program::FailureKind;

use super::{Desk, stream_of};
use crate::{Files, Refused, Setup};

#[derive(Debug)]
struct Some2;

impl Files for Some2 {
    fn read(&self, path: &[u8]) -> Result<Vec<u8>, Refused> {
        match path {
            b"two" => Ok(b"first line\nsecond".to_vec()),
            b"secret" => Err(Refused::NotAllowed),
            _ => Err(Refused::NotFound),
        }
    }
}

fn desk() -> Desk {
    Desk::new(Setup { files: Arc::new(Some2), ..Setup::default() })
}

fn open(desk: &mut Desk, path: &str, mode: &str) -> u64 {
    let (path, mode) = (desk.text(path), desk.text(mode));
    desk.call("fopen", &[path, mode])
}

#[test]
fn files_are_read() {
    let mut desk = desk();
    let file = open(&mut desk, "two", "r");
    let line = desk.room(100);
    assert_eq!(desk.call("fgets", &[line, 6, file]), line);
    assert_eq!(desk.string(line), "first");
    desk.call("fgets", &[line, 100, file]);
    assert_eq!(desk.string(line), " line\n");
    assert_eq!(desk.call("ftell", &[file]), 11);
    assert_eq!(desk.call("fread", &[line, 4, 100, file]), 1);
    assert_eq!(desk.int("feof", &[file]), 1);
    assert_eq!(desk.int("fgetc", &[file]), -1);
    assert_eq!(desk.int("fseek", &[file, -(6i64) as u64, 2]), 0);
    assert_eq!(desk.int("feof", &[file]), 0);
    assert_eq!(desk.int("fgetc", &[file]), i32::from(b's'));
    assert_eq!(desk.int("ungetc", &[b'!'.into(), file]), i32::from(b'!'));
    assert_eq!(desk.call("ftell", &[file]), 11);
    assert_eq!(desk.int("getc", &[file]), i32::from(b'!'));
    desk.call("rewind", &[file]);
    assert_eq!(desk.int("getc", &[file]), i32::from(b'f'));
    let letter = desk.text("x");
    assert_eq!(desk.int("fputs", &[letter, file]), -1);
    assert_eq!(desk.int("ferror", &[file]), 1);
    assert_eq!(desk.int("fclose", &[file]), 0);
    let fault = desk.try_call("fgetc", &[file]).unwrap_err();
    assert_eq!(fault.kind, FailureKind::UseAfterFree);
    assert_eq!(desk.try_call("fgetc", &[0]).unwrap_err().kind, FailureKind::NullDereference);
}

#[test]
fn what_is_written_can_be_read_back() {
    let mut desk = desk();
    let file = open(&mut desk, "new", "w");
    let format = desk.text("%d\n");
    assert_eq!(desk.int("fprintf", &[file, format, 5]), 2);
    desk.call("fclose", &[file]);
    let file = open(&mut desk, "./new", "a+");
    desk.int("fprintf", &[file, format, 6]);
    desk.call("rewind", &[file]);
    let line = desk.room(10);
    assert_eq!(desk.call("fread", &[line, 1, 10, file]), 4);
    assert_eq!(desk.memory.bytes(line, 4).unwrap(), b"5\n6\n");
    assert!(desk.world.output().is_empty());
    let (old, new) = (desk.text("new"), desk.text("newer"));
    assert_eq!(desk.int("rename", &[old, new]), 0);
    assert_eq!(open(&mut desk, "new", "r"), 0);
    assert_ne!(open(&mut desk, "newer", "r"), 0);
    assert_eq!(desk.int("remove", &[new]), 0);
    assert_eq!(desk.int("remove", &[new]), -1);
}

#[test]
fn some_files_are_refused() {
    let mut desk = desk();
    let errno = desk.call("__errno_location", &[]);
    for (path, code) in [("none", 2), ("secret", 13), ("", 2)] {
        assert_eq!(open(&mut desk, path, "r"), 0);
        assert_eq!(desk.memory.defined_bytes(errno, 4).unwrap()[0], code, "{path}");
    }
    assert_eq!(open(&mut desk, "two", "q"), 0);
    assert_eq!(open(&mut desk, "two", "wx"), 0);
}

#[test]
fn lines_of_any_length() {
    let stdin = [&[b'a'; 300][..], b"\nb"].concat();
    let mut desk = Desk::new(Setup { stdin, ..Setup::default() });
    let stdin = stream_of(&mut desk, 0);
    let (line, size) = (desk.room(8), desk.room(8));
    desk.memory.write(line, &[0; 8]).unwrap();
    assert_eq!(desk.call("getline", &[line, size, stdin]), 301);
    let first = desk.word(line);
    assert_eq!(desk.call("getline", &[line, size, stdin]), 1);
    assert_eq!((desk.word(line), desk.string(first)), (first, "b".to_owned()));
    assert_eq!(desk.call("getline", &[line, size, stdin]) as i64, -1);
}

#[test]
fn gets_overruns_its_buffer() {
    let mut desk = Desk::new(Setup { stdin: b"12345\n".to_vec(), ..Setup::default() });
    let buffer = desk.room(5);
    let fault = desk.try_call("gets", &[buffer]).unwrap_err();
    assert_eq!(fault.kind, FailureKind::OutOfBounds);
}

#[test]
fn descriptors_are_streams() {
    let mut desk = Desk::new(Setup { stdin: b"abc".to_vec(), ..Setup::default() });
    let buffer = desk.room(8);
    assert_eq!(desk.call("read", &[0, buffer, 2]), 2);
    assert_eq!(desk.int("getchar", &[]), i32::from(b'c'));
    assert_eq!(desk.call("read", &[0, buffer, 2]), 0);
    assert_eq!(desk.call("write", &[1, buffer, 2]), 2);
    assert_eq!(desk.call("write", &[2, buffer, 1]), 1);
    assert_eq!(desk.call("write", &[77, buffer, 1]) as i64, -1);
    assert_eq!((desk.world.output(), desk.world.error_output()), (&b"ab"[..], &b"a"[..]));
    let path = desk.text("out");
    let file = desk.call("open", &[path, 0o102, 0o644]);
    assert_eq!(file, 3);
    desk.call("write", &[file, buffer, 2]);
    assert_eq!(desk.call("lseek", &[file, 1, 0]), 1);
    assert_eq!(desk.call("read", &[file, buffer, 8]), 1);
    assert_eq!(desk.int("close", &[file]), 0);
    assert_eq!(desk.int("close", &[file]), -1);
}

#[test]
fn outputs_can_be_redirected() {
    let mut desk = desk();
    let stdout = stream_of(&mut desk, 1);
    let (path, mode, text) = (desk.text("log"), desk.text("w"), desk.text("hidden"));
    assert_eq!(desk.call("freopen", &[path, mode, stdout]), stdout);
    desk.call("puts", &[text]);
    assert!(desk.world.output().is_empty());
    let file = open(&mut desk, "log", "r");
    let line = desk.room(16);
    desk.call("fgets", &[line, 16, file]);
    assert_eq!(desk.string(line), "hidden\n");
}

#[test]
fn files_have_a_size() {
    let mut desk = desk();
    let (path, room) = (desk.text("two"), desk.room(144));
    assert_eq!(desk.int("stat", &[path, room]), 0);
    assert_eq!((desk.word(room + 24), desk.word(room + 48)), (0o100_644, 17));
    assert_eq!(desk.int("fstat", &[1, room]), 0);
    assert_eq!(desk.int("fstat", &[9, room]), -1);
    let template = desk.text("xXXXXXX");
    let file = desk.call("mkstemp", &[template]);
    assert_eq!((file, desk.string(template)), (3, "x000001".to_owned()));
    let name = desk.call("tmpnam", &[0]);
    assert_eq!(desk.string(name), "file000002");
}
