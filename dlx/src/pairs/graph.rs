/// An undirected graph without loops and parallel edges.
///
/// Edge `e` has the half-edges `2 * e` and `2 * e + 1`, one in each direction, so `half ^ 1` is the
/// reversed half-edge.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    pub(crate) ends: Vec<[u32; 2]>,
    pub(crate) weights: Vec<u64>,
    /// The half-edges that start at vertex `v` are `halves[starts[v]..starts[v + 1]]`.
    starts: Vec<u32>,
    halves: Vec<u32>,
}

impl Graph {
    /// Builds a graph from edges between different vertices. Parallel edges become one edge with
    /// the sum of their weights. Returns `None` if a sum overflows.
    pub(crate) fn new(vertex_count: usize, mut edges: Vec<([u32; 2], u64)>) -> Option<Self> {
        edges.retain(|&(_, weight)| weight > 0);
        edges.iter_mut().for_each(|(ends, _)| ends.sort_unstable());
        edges.sort_unstable();
        let mut ends: Vec<[u32; 2]> = Vec::with_capacity(edges.len());
        let mut weights: Vec<u64> = Vec::with_capacity(edges.len());
        for (pair, weight) in edges {
            debug_assert_ne!(pair[0], pair[1], "an option names an item at most once");
            match weights.last_mut() {
                Some(sum) if ends.last() == Some(&pair) => *sum = sum.checked_add(weight)?,
                _ => {
                    ends.push(pair);
                    weights.push(weight);
                }
            }
        }
        let lists = ends.iter().flatten().zip(0..).map(|(&vertex, half)| (vertex, half));
        let (starts, halves) = lists_by(vertex_count, lists);
        Some(Self { ends, weights, starts, halves })
    }

    pub(crate) fn vertex_count(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    pub(crate) fn edge_count(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn halves(&self, vertex: u32) -> &[u32] {
        let [start, end] = [0, 1].map(|more| self.starts[vertex as usize + more] as usize);
        &self.halves[start..end]
    }

    pub(crate) fn tail(&self, half: u32) -> u32 {
        self.ends[half as usize / 2][half as usize % 2]
    }

    pub(crate) fn head(&self, half: u32) -> u32 {
        self.tail(half ^ 1)
    }

    /// Returns the side of each vertex if the graph is bipartite.
    pub(crate) fn sides(&self) -> Option<Vec<bool>> {
        let mut sides = vec![None; self.vertex_count()];
        let mut open = Vec::new();
        for root in 0..self.vertex_count() as u32 {
            if sides[root as usize].is_none() {
                sides[root as usize] = Some(false);
                open.push(root);
            }
            while let Some(vertex) = open.pop() {
                let side = sides[vertex as usize].map(|side: bool| !side);
                for &half in self.halves(vertex) {
                    let next = &mut sides[self.head(half) as usize];
                    if next.is_none() {
                        *next = side;
                        open.push(self.head(half));
                    } else if *next != side {
                        return None;
                    }
                }
            }
        }
        sides.into_iter().collect()
    }
}

/// Groups values by list index. List `i` has the values `starts[i]..starts[i + 1]`, in their
/// original order.
pub(crate) fn lists_by<T: Copy + Default>(
    count: usize,
    pairs: impl Iterator<Item = (u32, T)> + Clone,
) -> (Vec<u32>, Vec<T>) {
    let mut starts = vec![0; count + 1];
    pairs.clone().for_each(|(list, _)| starts[list as usize + 1] += 1);
    for list in 0..count {
        starts[list + 1] += starts[list];
    }
    let mut ends = starts.clone();
    let mut values = vec![T::default(); starts[count] as usize];
    for (list, value) in pairs {
        let end = &mut ends[list as usize];
        values[*end as usize] = value;
        *end += 1;
    }
    (starts, values)
}
