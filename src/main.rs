//! The program `farandole`.

#[global_allocator]
static ALLOCATOR: farandole::cli::Allocator = farandole::cli::Allocator;

fn main() -> std::process::ExitCode {
    farandole::cli::run()
}
