//! The program `farandole`. All of it is in the library `program`.

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: program::Allocator = program::Allocator;

fn main() -> ExitCode {
    ExitCode::from(program::main(std::env::args_os().skip(1), None))
}
