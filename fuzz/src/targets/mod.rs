//! The fuzz targets, which are plain functions of bytes that panic on an error.

pub mod blocks;
pub mod calls;
pub mod convert;
pub mod edits;
pub mod files;
pub mod heads;
pub mod large;
pub mod lines;
pub mod problem;
pub mod proof;
pub mod record;
pub mod texts;
pub mod verify;
pub mod zdd;

/// A fuzz target.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Name on the command line.
    pub name: &'static str,
    /// Description of the purpose in one line.
    pub summary: &'static str,
    /// Runs the target on one input.
    pub run: fn(&[u8]),
    /// Returns the initial inputs.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// Number of executions in `.ci/run`.
    pub short_runs: u64,
}

/// All fuzz targets.
pub const TARGETS: &[Target] = &[
    problem::TARGET,
    large::TARGET,
    calls::TARGET,
    lines::TARGET,
    texts::TARGET,
    edits::TARGET,
    heads::TARGET,
    proof::TARGET,
    verify::TARGET,
    record::TARGET,
    zdd::TARGET,
    convert::TARGET,
    blocks::TARGET,
    files::TARGET,
];

/// Returns the target named `name`.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}

/// Returns random bytes as seeds, for targets that draw their data from bytes.
fn noise() -> Vec<Vec<u8>> {
    let bytes = |seed: u64| {
        let mut random = dlx::Random::new(seed);
        (0..40).flat_map(|_| random.next_u64().to_le_bytes()).collect()
    };
    (0..40).map(bytes).collect()
}
