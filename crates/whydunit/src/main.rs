//! The binary: command line, files, clocks, processes.

mod answers;
mod asking;
mod boogie_repairs;
mod c;
mod clock;
mod error;
mod explain;
mod explore;
mod fixes;
mod help;
mod input;
mod kinds;
mod manual;
mod memory;
mod options;
mod output;
mod progress;
mod reference;
mod repairs;
mod run;
mod runs;
mod search;
mod settings;
mod shield;
mod solvers;
mod sources;
mod status;
mod suite;
mod supervise;
mod view;
mod warnings;
mod workshop;

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use error::Error;
use options::Command;

/// Terms, steps and runs are many and small, and most of them live briefly: a fifth of the time went into the C library's allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    match start() {
        Ok(code) => code,
        Err(error) => {
            error.tell();
            error.exit_code()
        }
    }
}

fn start() -> Result<ExitCode, Error> {
    if std::env::args_os().len() <= 1 {
        return Err(Error::Input(help::USAGE.to_owned()));
    }
    if let Some(result) = with_stack(|| shield::command(std::env::args_os().skip(1)))? {
        return result.map(|()| ExitCode::SUCCESS);
    }
    let options = match options::Options::try_parse() {
        Ok(options) => options,
        Err(other) => return say(&other),
    };
    let text = match &options.command {
        None => {
            let own = options.clone();
            let run = || with_stack(move || run::run(&own));
            // It may have panicked.
            let run = || run().inspect_err(|_| answers::withdraw_reports(&options))?;
            return supervise::supervise().unwrap_or_else(run);
        }
        Some(Command::Explain { technique }) => explain::page(technique.as_deref()),
        Some(Command::Man) => manual::man()?,
        Some(Command::Completions { shell }) => manual::completions(*shell)?,
    };
    output::print(&text).map(|()| ExitCode::SUCCESS)
}

const MOST_STACK: usize = 256 << 20;
const LESS_STACK: usize = 64 << 20;

/// Deep but legal inputs may need more stack than the main thread has.
fn with_stack<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Error> {
    let thread = |size| std::thread::Builder::new().stack_size(size);
    let fits = |size| thread(size).spawn(|| ()).is_ok_and(|own| own.join().is_ok());
    // Where the address space is limited, less has to do.
    let size =
        if memory::address_space().is_none() || fits(MOST_STACK) { MOST_STACK } else { LESS_STACK };
    let worker = thread(size).spawn(work);
    match worker.map(std::thread::JoinHandle::join) {
        Ok(Ok(result)) => Ok(result),
        Ok(Err(_)) => Err(Error::Internal("it panicked".to_owned())),
        Err(error) => Err(Error::of_system(&error)),
    }
}

/// Help, the version, or what is wrong with the command line.
fn say(message: &clap::Error) -> Result<ExitCode, Error> {
    // What is quoted from the command line may come from the name of a file.
    let is_printable = |word: std::ffi::OsString| {
        *report::printable(&word.to_string_lossy()) == *word.to_string_lossy()
    };
    if message.use_stderr() && !std::env::args_os().all(is_printable) {
        output::complain(&message.render().to_string());
        return Ok(ExitCode::from(status::WRONG_INPUT));
    }
    let written = message.print().and_then(|()| std::io::stdout().flush());
    match written {
        Err(error) if !message.use_stderr() && error.kind() != std::io::ErrorKind::BrokenPipe => {
            let why = error::plain(&error);
            Err(Error::Input(format!("error: cannot write to standard output: {why}\n")))
        }
        _ => Ok(if message.use_stderr() {
            ExitCode::from(status::WRONG_INPUT)
        } else {
            ExitCode::SUCCESS
        }),
    }
}
