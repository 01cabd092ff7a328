//! The number of nodes per level in the searches so far, to predict the number of descendants of a
//! node.

#[derive(Debug, Default)]
pub(super) struct Profile {
    levels: Vec<Level>,
    /// The average number of descendants of a live node, per level.
    below: Vec<f32>,
    looks: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Level {
    nodes: u64,
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

    /// Removes `live` unsearched nodes, because a later search counts them again.
    pub(super) fn leave(&mut self, level: usize, live: usize) {
        if let Some(level) = self.levels.get_mut(level) {
            level.nodes = level.nodes.saturating_sub(live as u64);
            level.live = level.live.saturating_sub(live as u64);
        }
    }

    #[inline]
    pub(super) fn below(&mut self, level: usize) -> f32 {
        self.looks += 1;
        if self.looks.is_multiple_of(1024) || self.looks == 64 {
            self.update();
        }
        self.below.get(level).copied().unwrap_or(0.0)
    }

    /// Disables re-encoding at `level` until the averages are recomputed.
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
