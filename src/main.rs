//! The program `farandole`.
fn main() {}
