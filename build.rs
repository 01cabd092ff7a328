//! Marks development builds. A build from a clone is one, unless `FARANDOLE_RELEASE` is set as in
//! `.ci/release`. Packages of a registry and of distributions contain no `.git`.

use std::env;
use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=FARANDOLE_RELEASE");
    let root = env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default();
    let is_clone = Path::new(&root).join(".git").exists();
    let is_release = !is_clone || env::var_os("FARANDOLE_RELEASE").is_some();
    let mark = if is_release { "" } else { " (development build)" };
    println!("cargo::rustc-env=FARANDOLE_MARK={mark}");
}
