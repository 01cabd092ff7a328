//! The target `verify` for libFuzzer.
#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| farandole_fuzz::targets::verify::run(bytes));
