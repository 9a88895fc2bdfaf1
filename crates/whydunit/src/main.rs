//! The binary: command line, files, clocks, processes.

mod error;
mod explain;
mod input;
mod options;
mod run;
mod solvers;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    if let Some(code) = explain::command(std::env::args_os().skip(1)) {
        return code;
    }
    let options = options::Options::parse();
    // Deep but legal inputs may need more stack than the main thread has.
    let worker =
        std::thread::Builder::new().stack_size(256 << 20).spawn(move || run::run(&options));
    let result = match worker.map(std::thread::JoinHandle::join) {
        Ok(Ok(result)) => result,
        Ok(Err(_)) => Err(error::Error::Internal("it panicked".to_owned())),
        Err(error) => Err(error::Error::Internal(error.to_string())),
    };
    match result {
        Ok(code) => code,
        Err(error) => {
            eprint!("{error}");
            error.exit_code()
        }
    }
}
