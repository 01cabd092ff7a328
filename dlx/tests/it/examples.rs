//! Tests that the examples print the expected output. `cargo test` builds the examples, but `cargo
//! test --test it` does not.

use std::path::PathBuf;
use std::process::Command;

const EXAMPLES: [(&str, &str); 5] = [
    ("sets", "1 exact cover\n{0 3 5} {1 6} {2 4}\n"),
    ("cheapest", "11: OSL-CDG CDG-OSL; CDG-LIS LIS-CDG\n13: OSL-CDG CDG-LIS LIS-CDG CDG-OSL\n"),
    ("limits", "at least 1000 (Limit(Solutions))\nexactly 165580141\n"),
    ("lazy", "445 more\nSome((945, Exhausted))\n"),
    ("custom_engine", "Some(3) covers in 10 nodes\nSome(1) with the option {0}\n"),
];

#[test]
fn every_example_prints_its_expected_output() {
    // The path of this test is target/PROFILE/deps/it-HASH.
    let test = std::env::current_exe().expect("the path of this test");
    let folder: PathBuf = test.ancestors().nth(2).expect("the folder of the profile").join("examples");
    for (name, expected) in EXAMPLES {
        let path = folder.join(name).with_extension(std::env::consts::EXE_EXTENSION);
        let ran = Command::new(&path).output();
        let ran = ran
            .unwrap_or_else(|error| panic!("{}: {error} (`cargo build --examples`)", path.display()));
        assert!(ran.status.success(), "{name}");
        assert_eq!(String::from_utf8_lossy(&ran.stdout), expected, "{name}");
    }
}
