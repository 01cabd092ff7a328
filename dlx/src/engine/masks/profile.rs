//! How many nodes there are by level, as far as the searches have come: to foresee those below a node.
//!
//! What a search leaves is taken out of the profile, and counted again when a search begins with it.

/// How many nodes there are by level.
#[derive(Debug, Default)]
pub(super) struct Profile {
    levels: Vec<Level>,
    /// Nodes below one of a level, on average.
    below: Vec<f32>,
    /// The look at which `below` is worked out again.
    looks: u32,
}

/// The nodes of a level.
#[derive(Clone, Copy, Debug, Default)]
struct Level {
    nodes: u64,
    /// Those that are neither dead ends nor covers.
    live: u64,
}

impl Profile {
    pub(super) fn clear(&mut self) {
        self.levels.clear();
        self.below.clear();
        self.looks = 0;
    }

    #[inline]
    pub(super) fn add(&mut self, level: usize, nodes: usize, live: usize) {
        if self.levels.len() <= level {
            self.levels.resize(level + 1, Level::default());
        }
        self.levels[level].nodes += nodes as u64;
        self.levels[level].live += live as u64;
    }

    /// Takes out nodes that are left, all of them live.
    pub(super) fn leave(&mut self, level: usize, live: usize) {
        if let Some(level) = self.levels.get_mut(level) {
            level.nodes = level.nodes.saturating_sub(live as u64);
            level.live = level.live.saturating_sub(live as u64);
        }
    }

    /// Returns the number of nodes to be expected below one of `level`.
    #[inline]
    pub(super) fn below(&mut self, level: usize) -> f32 {
        self.looks += 1;
        if self.looks.is_multiple_of(1024) || self.looks == 64 {
            self.update();
        }
        self.below.get(level).copied().unwrap_or(0.0)
    }

    /// Notes that a new encoding of a node of `level` does not pay, until `below` is worked out again.
    pub(super) fn forget(&mut self, level: usize) {
        self.below[level] = 0.0;
    }

    #[cold]
    fn update(&mut self) {
        let mut below = 0;
        self.below.resize(self.levels.len(), 0.0);
        for (mean, level) in self.below.iter_mut().zip(&self.levels).rev() {
            *mean = below as f32 / level.live.max(1) as f32;
            below += level.nodes;
        }
    }
}
