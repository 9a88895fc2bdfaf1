//! The interactive view in a pseudo-terminal: keys go in, and what the terminal shows is looked at.
//!
//! Started with `--show`, this program shows a tree that was made by hand; with `--panic`, it panics while
//! the terminal is taken. The tests start it so.

// Tests may panic, in their helper functions too.
#![allow(clippy::unwrap_used, clippy::panic)]

#[allow(dead_code, unused_imports, reason = "the tests of the module are run with the program")]
#[path = "../src/explore/mod.rs"]
mod explore;

use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::os::fd::AsFd;
use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use libtest_mimic::{Arguments, Failed, Trial};
use pty_process::Size;
use pty_process::blocking::Pty;

const TIMEOUT: Duration = Duration::from_secs(20);

const TESTS: &[(&str, fn())] = &[
    ("the tree is explored", the_tree_is_explored),
    ("the tree of a failure is explored", the_tree_of_a_failure_is_explored),
    ("what was marked is printed", what_was_marked_is_printed),
    ("ctrl-c quits", ctrl_c_quits),
    ("a signal quits", a_signal_quits),
    ("the size may change", the_size_may_change),
    ("colours and letters are as wanted", colours_and_letters_are_as_wanted),
    ("a panic is seen", a_panic_is_seen),
    ("without a terminal there is an error", without_a_terminal_there_is_an_error),
];

fn main() -> ExitCode {
    match std::env::args().nth(1).as_deref() {
        Some("--show") => return show(),
        Some("--panic") => explore::tests::panic_on_screen(),
        _ => {}
    }
    let tests = TESTS.iter().map(|(name, test)| {
        Trial::test(*name, || {
            test();
            Ok::<(), Failed>(())
        })
    });
    libtest_mimic::run(&Arguments::from_args(), tests.collect()).exit_code()
}

fn show() -> ExitCode {
    let (tree, sources) = (explore::tests::triangle(), explore::tests::sources());
    match explore::explore(&tree, &sources, "triangle.c -- 6 5 4", &|| false) {
        Ok(outcome) => {
            print!("{}", outcome.text());
            ExitCode::from(if outcome.end == explore::End::Interrupted { 130 } else { 0 })
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

/// A program in a terminal.
struct Session {
    child: Child,
    pty: Pty,
    output: Receiver<Vec<u8>>,
    emulator: vt100::Parser,
}

impl Session {
    fn start(mode: &str, size: (u16, u16), environment: &[(&str, &str)]) -> Session {
        Session::of(&std::env::current_exe().unwrap(), &[mode], size, environment)
    }

    fn of(
        program: &Path,
        arguments: &[&str],
        (rows, columns): (u16, u16),
        environment: &[(&str, &str)],
    ) -> Session {
        let (pty, pts) = pty_process::blocking::open().unwrap();
        pty.resize(Size::new(rows, columns)).unwrap();
        let command = pty_process::blocking::Command::new(program)
            .args(arguments)
            .env_remove("NO_COLOR")
            .env_remove("LC_ALL")
            .env_remove("LC_CTYPE")
            .env("LANG", "C.UTF-8")
            .env("TERM", "xterm")
            .envs(environment.iter().copied());
        let child = command.spawn(pts).unwrap();
        let (sender, output) = channel();
        let mut reader = std::fs::File::from(pty.as_fd().try_clone_to_owned().unwrap());
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            // When the program has ended, reading is an error.
            while let Ok(count @ 1..) = reader.read(&mut bytes) {
                if sender.send(bytes[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        let emulator = vt100::Parser::new(size(rows), size(columns), 0);
        Session { child, pty, output, emulator }
    }

    fn press(&mut self, keys: &str) {
        self.pty.write_all(keys.as_bytes()).unwrap();
    }

    fn screen(&self) -> String {
        self.emulator.screen().contents()
    }

    /// Waits until the screen is as it should be.
    fn wait_for(&mut self, what: &str, holds: impl Fn(&vt100::Screen) -> bool) {
        let end = Instant::now() + TIMEOUT;
        while !holds(self.emulator.screen()) {
            match self.output.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(bytes) => self.emulator.process(&bytes),
                Err(_) => panic!("not seen: {what}; but:\n{}", self.screen()),
            }
        }
    }

    fn wait_for_text(&mut self, text: &str) {
        self.wait_for(text, |screen| screen.contents().contains(text));
    }

    /// Waits for the end, and returns the status.
    fn end(&mut self) -> Option<i32> {
        let end = Instant::now() + TIMEOUT;
        let status = loop {
            match self.child.try_wait().unwrap() {
                Some(status) => break status,
                None if Instant::now() < end => std::thread::sleep(Duration::from_millis(5)),
                None => panic!("it does not end:\n{}", self.screen()),
            }
        };
        while let Ok(bytes) = self.output.recv_timeout(Duration::from_millis(200)) {
            self.emulator.process(&bytes);
        }
        status.code()
    }

    fn assert_restored(&self) {
        let screen = self.emulator.screen();
        assert!(!screen.alternate_screen(), "the alternate screen is left");
        assert!(!screen.hide_cursor(), "the cursor is seen");
        let settings = Command::new("stty").arg("-a").stdin(self.terminal()).output().unwrap();
        let settings = String::from_utf8_lossy(&settings.stdout).into_owned();
        let words: Vec<&str> =
            settings.split_whitespace().map(|w| w.trim_end_matches(';')).collect();
        for mode in ["icanon", "echo", "isig", "opost"] {
            assert!(words.contains(&mode), "{mode} is on: {settings}");
        }
    }

    /// The terminal as the program has it: settings of one end are those of the other.
    fn terminal(&self) -> Stdio {
        Stdio::from(self.pty.as_fd().try_clone_to_owned().unwrap())
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn size(number: u16) -> NonZeroU16 {
    NonZeroU16::new(number).unwrap()
}

fn the_tree_is_explored() {
    let mut session = Session::start("--show", (24, 80), &[]);
    session.wait_for_text("▾ 26: close(area");
    assert!(session.emulator.screen().alternate_screen());
    session.wait_for_text("▸ 13: switch (shape)");
    session.wait_for_text("`area` is 10 because line 15");
    // Down, open, and down to the mistake.
    session.press("\x1b[B\x1b[Cnn");
    session.wait_for_text("a*a != b*b + c*c: 36 != 41");
    session.wait_for_text("▸ 9: a*a != b*b + c*c");
    session.wait_for_text(" 9▶     if (a*a != b*b + c*c) ← 36 != 41");
    session.press("v");
    session.wait_for("no values", |screen| !screen.contents().contains("← 36"));
    // Open all, and follow the last reference, from 11 to 5.
    session.press("eGf");
    session.wait_for_text("6 >= 5 && 5 >= 4");
    session.wait_for_text("It also influences line 9, line 11.");
    session.press("\x7f");
    session.wait_for_text("Line 5 decides whether line 11 is executed");
    session.press("hi");
    session.wait_for_text("#2: 5 == 4");
    session.press("?");
    session.wait_for_text("follow reference, back");
    session.press("\x1b");
    session.wait_for("no help", |screen| !screen.contents().contains("follow reference, back"));
    session.press("\x1b");
    assert_eq!(session.end(), Some(0));
    session.assert_restored();
    assert_eq!(session.screen(), "", "nothing was marked, so nothing is printed");
}

/// The real program, on a real failure.
fn a_signal_quits() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/c/paper5-fig1-triangle.c");
    let whydunit = Path::new(env!("CARGO_BIN_EXE_whydunit"));
    let arguments = [file, "--explore", "--", "6", "5", "4"];
    let mut session = Session::of(whydunit, &arguments, (40, 120), &[]);
    session.wait_for_text("49: fabs(area");
    let process = session.child.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &process]).status().unwrap().success());
    assert_eq!(session.end(), Some(143));
    session.assert_restored();
}

fn the_tree_of_a_failure_is_explored() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/c/paper5-fig1-triangle.c");
    let whydunit = Path::new(env!("CARGO_BIN_EXE_whydunit"));
    let arguments = [file, "--explore", "--", "6", "5", "4"];
    let mut session = Session::of(whydunit, &arguments, (40, 120), &[]);
    session.wait_for_text("49: fabs(area");
    session.wait_for_text("23: ");
    // Open all, and go to the mistake.
    session.press("e");
    session.wait_for_text("19: longest * longest");
    session.press("B");
    for _ in 0..20 {
        session.press("n");
    }
    session.press("gb");
    session.wait_for_text("the failure");
    session.press("nbq");
    assert_eq!(session.end(), Some(0));
    session.assert_restored();
    session.wait_for_text("--benign");
}

fn what_was_marked_is_printed() {
    let mut session = Session::start("--show", (24, 80), &[]);
    session.wait_for_text("▸ 13: switch (shape)");
    session.press("jle");
    session.wait_for_text("▾ 9: a*a");
    session.press("nnbpb");
    session.wait_for_text("✓ 9: a*a");
    session.wait_for_text("✓ 5: a >=");
    session.press("B");
    session.wait_for_text("2 benign, 0 only lead there (hidden)");
    session.wait_for("no line 9 in the tree", |screen| !screen.contents().contains("9: a*a"));
    session.press("q");
    assert_eq!(session.end(), Some(0));
    session.assert_restored();
    session.wait_for_text("--benign triangle.c:5 --benign triangle.c:9");
}

fn ctrl_c_quits() {
    let mut session = Session::start("--show", (24, 80), &[]);
    session.wait_for_text("▸ 13: switch (shape)");
    session.press("nb");
    session.wait_for_text("triangle.c:13 is benign");
    session.press("\x03");
    assert_eq!(session.end(), Some(130));
    session.assert_restored();
    session.wait_for_text("--benign triangle.c:13");
}

fn the_size_may_change() {
    let mut session = Session::start("--show", (24, 100), &[]);
    session.wait_for_text("5 causes");
    for (rows, columns) in [(24, 40), (5, 10), (1, 1), (50, 200), (24, 80)] {
        session.emulator.set_size(size(rows), size(columns));
        session.pty.resize(Size::new(rows, columns)).unwrap();
        if columns >= 40 {
            let count = format!("{:>width$}", "5 causes", width = usize::from(columns) - 22);
            session.wait_for_text(&count);
        }
    }
    session.wait_for_text("▾ 26: close(area");
    session.press("q");
    assert_eq!(session.end(), Some(0));
    session.assert_restored();
}

/// Whether a cell has a colour.
fn has_colours(screen: &vt100::Screen) -> bool {
    let cells = (0..24).flat_map(|row| (0..80).map(move |column| (row, column)));
    let mut cells = cells.filter_map(|(row, column)| screen.cell(row, column));
    cells.any(|c| (c.fgcolor(), c.bgcolor()) != (vt100::Color::Default, vt100::Color::Default))
}

fn colours_and_letters_are_as_wanted() {
    let mut session = Session::start("--show", (24, 80), &[]);
    session.wait_for_text("quit");
    assert!(has_colours(session.emulator.screen()));

    let plain = [("NO_COLOR", "1"), ("LC_ALL", "C")];
    let mut session = Session::start("--show", (24, 80), &plain);
    session.wait_for_text("+ 13: switch (shape)");
    session.wait_for_text("26>   assert(close(area, expected(a, b, c)));");
    assert!(session.screen().is_ascii(), "{}", session.screen());
    assert!(!has_colours(session.emulator.screen()));
}

fn a_panic_is_seen() {
    let mut session = Session::start("--panic", (24, 80), &[]);
    assert_eq!(session.end(), Some(101));
    session.wait_for_text("as it was asked to");
    session.assert_restored();
}

fn without_a_terminal_there_is_an_error() {
    let output = Command::new(std::env::current_exe().unwrap())
        .arg("--show")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(output.stdout, b"");
    let expected = "error: --explore needs a terminal, but standard input is none; leave --explore out, \
                    and the tree is printed\n";
    assert_eq!(String::from_utf8_lossy(&output.stderr), expected);

    let mut session = Session::start("--show", (24, 80), &[("TERM", "dumb")]);
    assert_eq!(session.end(), Some(2));
    session.wait_for_text("but TERM is `dumb`");
    session.assert_restored();
}
