//! The targets: plain functions of bytes that panic where something is wrong.

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
pub mod zdd;

/// A target.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// The name by which it is chosen.
    pub name: &'static str,
    /// What it tries, in a line.
    pub summary: &'static str,
    /// Runs it once.
    pub run: fn(&[u8]),
    /// Makes inputs to begin with.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// How many executions the short run of `.ci/run` makes.
    pub short_runs: u64,
}

/// Every target.
pub const TARGETS: &[Target] = &[
    problem::TARGET,
    large::TARGET,
    calls::TARGET,
    lines::TARGET,
    texts::TARGET,
    edits::TARGET,
    heads::TARGET,
    proof::TARGET,
    record::TARGET,
    zdd::TARGET,
    convert::TARGET,
    blocks::TARGET,
    files::TARGET,
];

/// Returns the target of that name.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}

/// Makes inputs of bytes without any meaning, for targets that draw from them.
fn noise() -> Vec<Vec<u8>> {
    let bytes = |seed: u64| {
        let mut random = dlx::Random::new(seed);
        (0..40).flat_map(|_| random.next_u64().to_le_bytes()).collect()
    };
    (0..40).map(bytes).collect()
}
