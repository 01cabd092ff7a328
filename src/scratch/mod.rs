//! `count --scratch`: a count by frontier whose states are on a disk, so that it may be larger than memory.
//!
//! `folder` is the folder with its list of what is in it, which is replaced as a whole; `runs` are the lists of states in
//! its files and how they are read and written; `work` expands those of one step and owner; `count` goes through the
//! steps. The states and what becomes of them are those of `dlx::exchange`. `layers` keeps a count by symmetry in such a folder.

mod count;
mod folder;
mod layers;
mod runs;
mod work;

pub(crate) use self::count::run as count_with_scratch;
