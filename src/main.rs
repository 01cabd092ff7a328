//! The program `farandole`.

fn main() -> std::process::ExitCode {
    farandole::cli::run()
}
