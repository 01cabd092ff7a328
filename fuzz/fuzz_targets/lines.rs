//! The target `lines` for libFuzzer.
#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| farandole_fuzz::targets::lines::run(bytes));
