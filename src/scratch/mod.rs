//! `count --scratch` counts by the frontier method with the states on disk, so that they may exceed
//! the memory.
//!
//! `folder` is the folder with its catalog, which is replaced atomically. `runs` reads and writes
//! the lists of states. `work` expands the lists of one step and owner. `count` runs all steps.
//! `dlx::exchange` defines the states and their expansion. `layers` saves a count by symmetry in
//! such a folder.

mod count;
mod folder;
mod layers;
mod runs;
mod work;

pub(crate) use self::count::run as count_with_scratch;
