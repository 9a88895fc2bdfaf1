//! The binary: command line, files, clocks, processes.

mod c;
mod clock;
mod error;
mod explain;
mod explore;
mod help;
mod input;
mod manual;
mod memory;
mod options;
mod output;
mod progress;
mod run;
mod runs;
mod search;
mod settings;
mod shield;
mod solvers;
mod suite;
mod supervise;
mod view;

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
            output::complain(&error.to_string());
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
            let supervised = supervise::supervise();
            return supervised.unwrap_or_else(|| with_stack(move || run::run(&options))?);
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
    let written = message.print().and_then(|()| std::io::stdout().flush());
    match written {
        Err(error) if !message.use_stderr() && error.kind() != std::io::ErrorKind::BrokenPipe => {
            let why = error::plain(&error);
            Err(Error::Input(format!("error: cannot write to standard output: {why}\n")))
        }
        _ => Ok(if message.use_stderr() { ExitCode::from(2) } else { ExitCode::SUCCESS }),
    }
}
