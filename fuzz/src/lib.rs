//! Fuzz targets. A target is a function of bytes that panics if a parser crashes or two
//! implementations disagree.
//!
//! There are two drivers for the targets ([`targets::TARGETS`]). [`drive`] needs only stable Rust
//! and runs in `.ci/run` with a fixed seed. libFuzzer (`fuzz_targets/`) is guided by coverage and
//! runs in `.ci/deep`.

pub mod bytes;
pub mod draw;
pub mod drive;
pub mod edit;
pub mod mutate;
pub mod oracle;
pub mod reading;
pub mod targets;
pub mod texts;
