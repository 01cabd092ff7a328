//! Fuzz targets: functions of bytes that panic if a parser crashes or two implementations disagree.
//!
//! Each target ([`targets::TARGETS`]) is a plain function. It has two drivers: [`drive`], which
//! needs only stable Rust and runs in `.ci/run` with a fixed seed, and libFuzzer (`fuzz_targets/`),
//! which is guided by coverage and runs in `.ci/deep`.

pub mod bytes;
pub mod draw;
pub mod drive;
pub mod edit;
pub mod mutate;
pub mod oracle;
pub mod reading;
pub mod targets;
pub mod texts;
