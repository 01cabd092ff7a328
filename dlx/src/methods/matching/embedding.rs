//! Embeds a graph in the plane, and finds a Kasteleyn orientation of its edges.
//!
//! The embedding is by the left-right planarity test. A depth-first search divides the edges into
//! tree edges and back edges, and sorts the edges out of a vertex by the height they return to. The
//! return heights of two back edges from different branches determine whether they must be on the
//! same side of a tree path or on different sides. The graph is planar exactly when these
//! constraints are consistent. A stack holds them as pairs of conflicting intervals of back edges.
//! A second traversal turns the sides into the cyclic order of the half-edges around each vertex.
//!
//! Euler's formula verifies the embedding; it fails for any order of half-edges with crossings. So
//! a mistake could only reject a planar graph, but never give a wrong count.
//!
//! In a Kasteleyn orientation, the number of edges directed along the boundary of each face is odd,
//! except for one face per component. Along a spanning tree of the faces, from the leaves up, each
//! face reverses the edge to its parent if necessary. With this orientation, all perfect matchings
//! have the same sign in the Pfaffian of the signed weights.
//!
//! All steps except sorting take linear time, without recursion.
//!
//! Sources: H. de Fraysseix and P. Rosenstiehl, A depth-first-search characterization of planarity
//! (1982); U. Brandes, The left-right planarity test (2009), whose names are used; P. W. Kasteleyn,
//! Dimer statistics and phase transitions (1963).

use crate::pairs::graph::{Graph, lists_by};

const NONE: u32 = u32::MAX;

/// Back edges that must be on the same side: the highest and the lowest edge of a list linked by
/// `Edge::relative_to`. In an empty interval, both edges are `NONE`.
#[derive(Clone, Copy)]
struct Interval {
    low: u32,
    high: u32,
}

#[derive(Clone, Copy)]
struct ConflictPair {
    left: Interval,
    right: Interval,
}

impl Interval {
    const EMPTY: Self = Self { low: NONE, high: NONE };

    fn is_empty(self) -> bool {
        self.high == NONE
    }
}

impl ConflictPair {
    fn swap(&mut self) {
        std::mem::swap(&mut self.left, &mut self.right);
    }
}

#[derive(Clone, Copy)]
struct Edge {
    half: u32,
    /// The lowest and the second lowest height that the subtree of the edge returns to.
    low: u32,
    second_low: u32,
    low_edge: u32,
    nesting: i64,
    /// The edge relative to whose side `is_left` is given.
    relative_to: u32,
    is_left: bool,
    bottom: u32,
    is_entered: bool,
}

struct Walk<'g> {
    graph: &'g Graph,
    edges: Vec<Edge>,
    /// Per vertex, its height in the search tree, and the tree edge that leads to it.
    heights: Vec<u32>,
    parents: Vec<u32>,
    roots: Vec<u32>,
    stack: Vec<ConflictPair>,
}

#[derive(Debug)]
pub(super) struct Embedding {
    faces: Vec<u32>,
    roots: Vec<u32>,
    face_count: usize,
}

impl Embedding {
    /// Embeds the graph. Returns `None` if it is not planar.
    pub(super) fn new(graph: &Graph) -> Option<Self> {
        let mut walk = Walk::new(graph);
        walk.orient();
        if !walk.test() {
            return None;
        }
        let next = walk.rotation();
        let mut faces = vec![NONE; next.len()];
        let mut face_count = 0;
        for start in 0..next.len() {
            let mut half = start;
            if faces[half] == NONE {
                while faces[half] == NONE {
                    faces[half] = face_count;
                    half = next[half ^ 1] as usize;
                }
                face_count += 1;
            }
        }
        let halves = walk.roots.iter().filter_map(|&root| graph.halves(root).first());
        let roots: Vec<u32> = halves.map(|&half| faces[half as usize]).collect();
        let face_count = face_count as usize;
        // Check Euler's formula without isolated vertices and their faces.
        let isolated = walk.roots.len() - roots.len();
        let is_plane = graph.vertex_count() - isolated + face_count
            == graph.edge_count() + 2 * (walk.roots.len() - isolated);
        debug_assert!(is_plane, "the order of the half-edges has no crossings");
        is_plane.then_some(Self { faces, roots, face_count })
    }

    /// Orients the edges so that all perfect matchings have the same sign. Returns, for each edge,
    /// whether it is directed against its first half-edge.
    pub(super) fn directions(&self) -> Vec<bool> {
        let borders = self.faces.iter().zip(0..).map(|(&face, half)| (face, half));
        let (starts, borders) = lists_by::<u32>(self.face_count, borders);
        let border = |face: u32| {
            let [start, end] = [0, 1].map(|more| starts[face as usize + more] as usize);
            borders[start..end].iter().copied()
        };
        let mut order: Vec<(u32, u32)> = self.roots.iter().map(|&root| (root, NONE)).collect();
        let mut is_met = vec![false; self.face_count];
        self.roots.iter().for_each(|&root| is_met[root as usize] = true);
        let mut place = 0;
        while let Some(&(face, _)) = order.get(place) {
            place += 1;
            for half in border(face) {
                let next = self.faces[half as usize ^ 1];
                if !std::mem::replace(&mut is_met[next as usize], true) {
                    order.push((next, half ^ 1));
                }
            }
        }
        debug_assert_eq!(order.len(), self.face_count, "the faces of a component hang together");
        let runs_along = |half: u32| half.is_multiple_of(2);
        let mut is_odd: Vec<bool> = (0..self.face_count as u32)
            .map(|face| border(face).filter(|&half| runs_along(half)).count() % 2 == 1)
            .collect();
        let mut is_turned = vec![false; self.faces.len() / 2];
        for &(face, half) in order.iter().rev().filter(|&&(_, half)| half != NONE) {
            if !is_odd[face as usize] {
                is_turned[half as usize / 2] = true;
                is_odd[face as usize] = true;
                is_odd[self.faces[half as usize ^ 1] as usize] ^= true;
            }
        }
        is_turned
    }
}

impl<'g> Walk<'g> {
    fn new(graph: &'g Graph) -> Self {
        let edge = Edge {
            half: NONE,
            low: 0,
            second_low: 0,
            low_edge: NONE,
            nesting: 0,
            relative_to: NONE,
            is_left: false,
            bottom: 0,
            is_entered: false,
        };
        Self {
            graph,
            edges: vec![edge; graph.edge_count()],
            heights: vec![NONE; graph.vertex_count()],
            parents: vec![NONE; graph.vertex_count()],
            roots: Vec::new(),
            stack: Vec::new(),
        }
    }

    fn edge(&mut self, edge: u32) -> &mut Edge {
        &mut self.edges[edge as usize]
    }

    fn low(&self, edge: u32) -> u32 {
        self.edges[edge as usize].low
    }

    fn tail(&self, edge: u32) -> u32 {
        self.graph.tail(self.edges[edge as usize].half)
    }

    fn head(&self, edge: u32) -> u32 {
        self.graph.head(self.edges[edge as usize].half)
    }

    fn height(&self, vertex: u32) -> u32 {
        self.heights[vertex as usize]
    }

    fn is_tree(&self, edge: u32) -> bool {
        self.parents[self.head(edge) as usize] == edge
    }

    fn orient(&mut self) {
        let mut cursors = vec![0; self.heights.len()];
        for root in 0..self.heights.len() as u32 {
            if self.height(root) != NONE {
                continue;
            }
            self.heights[root as usize] = 0;
            self.roots.push(root);
            let mut path = vec![root];
            while let Some(&vertex) = path.last() {
                let Some(&half) = self.graph.halves(vertex).get(cursors[vertex as usize]) else {
                    path.pop();
                    if self.parents[vertex as usize] != NONE {
                        self.settle(self.parents[vertex as usize]);
                    }
                    continue;
                };
                cursors[vertex as usize] += 1;
                let (edge, head) = (half / 2, self.graph.head(half));
                if self.edges[edge as usize].half != NONE {
                    continue;
                }
                let height = self.height(vertex);
                *self.edge(edge) = Edge { half, low: height, second_low: height, ..*self.edge(edge) };
                if self.height(head) == NONE {
                    self.parents[head as usize] = edge;
                    self.heights[head as usize] = height + 1;
                    path.push(head);
                } else {
                    self.edge(edge).low = self.height(head);
                    self.settle(edge);
                }
            }
        }
    }

    fn settle(&mut self, edge: u32) {
        let tail = self.tail(edge);
        let height = self.height(tail);
        let Edge { low, second_low, .. } = *self.edge(edge);
        self.edge(edge).nesting = 2 * i64::from(low) + i64::from(second_low < height);
        let parent = self.parents[tail as usize];
        if parent != NONE {
            let above = self.edge(parent);
            if low < above.low {
                above.second_low = above.low.min(second_low);
                above.low = low;
            } else if low > above.low {
                above.second_low = above.second_low.min(low);
            } else {
                above.second_low = above.second_low.min(second_low);
            }
        }
    }

    fn sorted_out(&self) -> (Vec<u32>, Vec<u32>) {
        let mut edges: Vec<u32> = (0..self.edges.len() as u32).collect();
        edges.sort_unstable_by_key(|&edge| self.edges[edge as usize].nesting);
        let lists = edges.iter().map(|&edge| (self.tail(edge), edge));
        lists_by(self.heights.len(), lists)
    }

    fn test(&mut self) -> bool {
        let (mut cursors, out) = self.sorted_out();
        let starts = cursors.clone();
        for root in self.roots.clone() {
            let mut path = vec![root];
            while let Some(&vertex) = path.last() {
                let place = cursors[vertex as usize];
                if place == starts[vertex as usize + 1] {
                    path.pop();
                    if self.parents[vertex as usize] != NONE {
                        self.remove_back_edges(self.parents[vertex as usize]);
                    }
                    continue;
                }
                let edge = out[place as usize];
                if !self.edges[edge as usize].is_entered {
                    self.edge(edge).is_entered = true;
                    self.edge(edge).bottom = self.stack.len() as u32;
                    if self.is_tree(edge) {
                        path.push(self.head(edge));
                        continue;
                    }
                    self.edge(edge).low_edge = edge;
                    let right = Interval { low: edge, high: edge };
                    self.stack.push(ConflictPair { left: Interval::EMPTY, right });
                }
                cursors[vertex as usize] += 1;
                if self.low(edge) < self.height(vertex) {
                    let parent = self.parents[vertex as usize];
                    if place == starts[vertex as usize] {
                        self.edge(parent).low_edge = self.edges[edge as usize].low_edge;
                    } else if !self.add_constraints(edge, parent) {
                        return false;
                    }
                }
            }
        }
        true
    }

    fn is_conflicting(&self, interval: Interval, edge: u32) -> bool {
        !interval.is_empty() && self.low(interval.high) > self.low(edge)
    }

    fn relate(&mut self, edge: u32, to: u32) {
        if edge != NONE {
            self.edge(edge).relative_to = to;
        }
    }

    /// Adds the constraints between the back edges of `edge` and of earlier edges of the same
    /// vertex. Returns `false` if they conflict.
    fn add_constraints(&mut self, edge: u32, parent: u32) -> bool {
        let mut pair = ConflictPair { left: Interval::EMPTY, right: Interval::EMPTY };
        while self.stack.len() > self.edges[edge as usize].bottom as usize {
            let Some(mut top) = self.stack.pop() else { break };
            if !top.left.is_empty() {
                top.swap();
            }
            if !top.left.is_empty() {
                return false;
            }
            if self.low(top.right.low) > self.low(parent) {
                if pair.right.is_empty() {
                    pair.right.high = top.right.high;
                } else {
                    self.relate(pair.right.low, top.right.high);
                }
                pair.right.low = top.right.low;
            } else {
                self.relate(top.right.low, self.edges[parent as usize].low_edge);
            }
        }
        while let Some(&top) = self.stack.last() {
            let mut top = top;
            if self.is_conflicting(top.right, edge) {
                top.swap();
            } else if !self.is_conflicting(top.left, edge) {
                break;
            }
            if self.is_conflicting(top.right, edge) {
                return false;
            }
            self.stack.pop();
            self.relate(pair.right.low, top.right.high);
            if !top.right.is_empty() {
                pair.right.low = top.right.low;
            }
            if pair.left.is_empty() {
                pair.left.high = top.left.high;
            } else {
                self.relate(pair.left.low, top.left.high);
            }
            pair.left.low = top.left.low;
        }
        if !pair.left.is_empty() || !pair.right.is_empty() {
            self.stack.push(pair);
        }
        true
    }

    /// Removes the back edges that end where the tree edge `edge` starts, and makes the side of
    /// `edge` relative to another edge.
    fn remove_back_edges(&mut self, edge: u32) {
        let vertex = self.tail(edge);
        let height = self.height(vertex);
        let lowest = |this: &Self, pair: ConflictPair| match (pair.left.low, pair.right.low) {
            (NONE, low) | (low, NONE) => this.low(low),
            (left, right) => this.low(left).min(this.low(right)),
        };
        while let Some(&top) = self.stack.last() {
            if lowest(self, top) != height {
                break;
            }
            self.stack.pop();
            if top.left.low != NONE {
                self.edge(top.left.low).is_left = true;
            }
        }
        if let Some(mut top) = self.stack.pop() {
            top.left = self.trim(top.left, top.right, vertex);
            top.right = self.trim(top.right, top.left, vertex);
            self.stack.push(top);
        }
        if self.low(edge) < height
            && let Some(&ConflictPair { left, right }) = self.stack.last()
        {
            let is_left =
                !left.is_empty() && (right.is_empty() || self.low(left.high) > self.low(right.high));
            self.relate(edge, if is_left { left.high } else { right.high });
        }
    }

    /// Removes the back edges of an interval that end at `vertex`. If the interval becomes empty,
    /// edges relative to it are put on the opposite side of `other`.
    fn trim(&mut self, mut interval: Interval, other: Interval, vertex: u32) -> Interval {
        while interval.high != NONE && self.head(interval.high) == vertex {
            interval.high = self.edges[interval.high as usize].relative_to;
        }
        if interval.high == NONE && interval.low != NONE {
            self.relate(interval.low, other.low);
            self.edge(interval.low).is_left = true;
            interval.low = NONE;
        }
        interval
    }

    /// Determines the sides of all edges, and negates the nesting of left edges.
    fn resolve_sides(&mut self) {
        let mut chain = Vec::new();
        for edge in 0..self.edges.len() as u32 {
            let mut last = edge;
            while self.edges[last as usize].relative_to != NONE {
                chain.push(last);
                last = self.edges[last as usize].relative_to;
            }
            let mut is_left = self.edges[last as usize].is_left;
            while let Some(previous) = chain.pop() {
                let state = self.edge(previous);
                state.is_left ^= is_left;
                state.relative_to = NONE;
                is_left = state.is_left;
            }
            if is_left {
                self.edge(edge).nesting *= -1;
            }
        }
    }

    /// Returns, for each half-edge, the next half-edge around its start vertex.
    fn rotation(&mut self) -> Vec<u32> {
        self.resolve_sides();
        let (mut cursors, out) = self.sorted_out();
        let starts = cursors.clone();
        let half = |edge: u32| self.edges[edge as usize].half;
        let mut circle =
            Circle { next: vec![NONE; 2 * out.len()], previous: vec![NONE; 2 * out.len()] };
        for vertex in 0..self.heights.len() {
            let parent = self.parents[vertex];
            let mut last = if parent == NONE { NONE } else { half(parent) ^ 1 };
            if last != NONE {
                circle.insert(last, NONE);
            }
            for &edge in &out[starts[vertex] as usize..starts[vertex + 1] as usize] {
                circle.insert(half(edge), last);
                last = half(edge);
            }
        }
        // A back edge is inserted next to the tree edge of its subtree: a left one before it and
        // before all earlier left ones, a right one directly after it.
        let mut left = vec![NONE; self.heights.len()];
        let mut right = vec![NONE; self.heights.len()];
        for &root in &self.roots {
            let mut path = vec![root];
            while let Some(&vertex) = path.last() {
                let place = cursors[vertex as usize];
                if place == starts[vertex as usize + 1] {
                    path.pop();
                    continue;
                }
                cursors[vertex as usize] += 1;
                let edge = out[place as usize];
                let head = self.head(edge) as usize;
                if self.is_tree(edge) {
                    left[vertex as usize] = half(edge);
                    right[vertex as usize] = half(edge);
                    path.push(head as u32);
                } else if self.edges[edge as usize].is_left {
                    circle.insert(half(edge) ^ 1, circle.previous[left[head] as usize]);
                    left[head] = half(edge) ^ 1;
                } else {
                    circle.insert(half(edge) ^ 1, right[head]);
                }
            }
        }
        circle.next
    }
}

struct Circle {
    next: Vec<u32>,
    previous: Vec<u32>,
}

impl Circle {
    fn insert(&mut self, half: u32, after: u32) {
        let after = if after == NONE { half } else { after };
        let before = if after == half { half } else { self.next[after as usize] };
        self.next[half as usize] = before;
        self.previous[half as usize] = after;
        self.next[after as usize] = half;
        self.previous[before as usize] = half;
    }
}
