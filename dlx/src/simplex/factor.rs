//! The basis of a simplex method as triangular factors, with updates since the factorization.
//!
//! A basis is a square sparse matrix with a row per row of the program, and a *slot* per basic
//! column. Gaussian elimination picks pivots with little fill that are not small relative to their
//! row. Exchanging a column adds an eta, which is the new column in terms of the previous basis
//! (product form). When the etas are long, the basis is factored again.
//!
//! Sources: Markowitz 1957; Suhl and Suhl, "Computing sparse LU factorizations for large-scale
//! linear programming bases" (ORSA Journal on Computing, 1990) for the pivot search; Dantzig and
//! Orchard-Hays 1954 for etas.

/// Absolute value below which an entry is set to 0.
const TINY: f64 = 1e-13;
/// Minimum ratio of a pivot to the largest entry of its row.
const STABLE: f64 = 0.1;
const PIVOT_MIN: f64 = 1e-9;
/// Number of rows and columns that the pivot search examines.
const LOOKS: usize = 4;

/// Sparse vectors, stored one after another.
#[derive(Clone, Debug, Default)]
struct NumberLists {
    starts: Vec<u32>,
    places: Vec<u32>,
    values: Vec<f64>,
}

impl NumberLists {
    fn clear(&mut self) {
        self.starts.clear();
        self.starts.push(0);
        self.places.clear();
        self.values.clear();
    }

    fn push(&mut self, place: u32, value: f64) {
        self.places.push(place);
        self.values.push(value);
    }

    fn close(&mut self) {
        self.starts.push(self.places.len() as u32);
    }

    fn range(&self, list: usize) -> std::ops::Range<usize> {
        self.starts[list] as usize..self.starts[list + 1] as usize
    }

    fn entries(&self, list: usize) -> impl Iterator<Item = (usize, f64)> {
        let range = self.range(list);
        self.places[range.clone()]
            .iter()
            .map(|&place| place as usize)
            .zip(self.values[range].iter().copied())
    }

    #[inline]
    fn subtract(&self, list: usize, times: f64, x: &mut [f64]) -> u64 {
        self.entries(list).for_each(|(place, value)| x[place] -= value * times);
        self.range(list).len() as u64
    }

    #[inline]
    fn less_product(&self, list: usize, value: f64, x: &[f64]) -> f64 {
        self.entries(list).fold(value, |value, (place, factor)| value - factor * x[place])
    }

    fn truncate(&mut self, count: usize) {
        self.starts.truncate(count + 1);
        let len = self.starts[count] as usize;
        self.places.truncate(len);
        self.values.truncate(len);
    }

    fn len(&self) -> usize {
        self.places.len()
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Factor {
    pivot_rows: Vec<u32>,
    pivot_slots: Vec<u32>,
    pivots: Vec<f64>,
    /// For each pivot, the rows that its row was subtracted from, with the multipliers.
    lower: NumberLists,
    upper_rows: NumberLists,
    upper_slots: NumberLists,
    eta_slots: Vec<u32>,
    eta_pivots: Vec<f64>,
    etas: NumberLists,
    fresh_len: usize,
    scratch: Vec<f64>,
}

/// The matrix during elimination: the entries of each row, and the rows that may have an entry in
/// each slot.
struct Active {
    rows: Vec<Vec<(u32, f64)>>,
    slots: Vec<Vec<u32>>,
    /// Rows and slots by number of entries. The lists may contain outdated rows and slots.
    rows_by_len: Vec<Vec<u32>>,
    slots_by_len: Vec<Vec<u32>>,
    is_row_done: Vec<bool>,
    is_slot_done: Vec<bool>,
}

impl Active {
    fn new<'c>(count: usize, column: &impl Fn(usize) -> SparseColumn<'c>) -> Self {
        let mut rows = vec![Vec::new(); count];
        let mut slots = vec![Vec::new(); count];
        for (slot, members) in slots.iter_mut().enumerate() {
            match column(slot) {
                SparseColumn::Logical(row) => {
                    rows[row as usize].push((slot as u32, 1.0));
                    members.push(row);
                }
                SparseColumn::Structural(in_rows) => {
                    for &row in in_rows {
                        rows[row as usize].push((slot as u32, 1.0));
                        members.push(row);
                    }
                }
            }
        }
        let mut active = Self {
            rows_by_len: vec![Vec::new(); count + 1],
            slots_by_len: vec![Vec::new(); count + 1],
            is_row_done: vec![false; count],
            is_slot_done: vec![false; count],
            rows,
            slots,
        };
        for place in (0..count).rev() {
            active.rows_by_len[active.rows[place].len()].push(place as u32);
            active.slots_by_len[active.slots[place].len()].push(place as u32);
        }
        active
    }

    fn pivot(&mut self) -> Option<(usize, usize)> {
        let count = self.rows.len();
        let mut best: Option<(usize, f64, usize, usize)> = None;
        let mut looks = 0;
        for len in 1..=count {
            let mut at = self.slots_by_len[len].len();
            while at > 0 {
                at -= 1;
                let slot = self.slots_by_len[len][at] as usize;
                if self.is_slot_done[slot] || self.slots[slot].len() != len {
                    self.slots_by_len[len].swap_remove(at);
                    continue;
                }
                for &row in &self.slots[slot] {
                    let row = row as usize;
                    let entries = &self.rows[row];
                    let cost = (len - 1) * (entries.len() - 1);
                    if best.is_some_and(|(least, ..)| cost > least) {
                        continue;
                    }
                    let most = entries.iter().fold(0.0_f64, |most, &(_, value)| most.max(value.abs()));
                    let value =
                        entries.iter().find(|&&(at, _)| at as usize == slot).map_or(0.0, |e| e.1);
                    if value.abs() < STABLE * most || value.abs() < PIVOT_MIN {
                        continue;
                    }
                    if best.is_none_or(|(least, size, ..)| cost < least || value.abs() > size) {
                        best = Some((cost, value.abs(), row, slot));
                    }
                }
                looks += 1;
                if best.is_some_and(|(least, ..)| looks >= LOOKS || least <= (len - 1) * (len - 1)) {
                    return best.map(|(_, _, row, slot)| (row, slot));
                }
            }
            let mut at = self.rows_by_len[len].len();
            while at > 0 {
                at -= 1;
                let row = self.rows_by_len[len][at] as usize;
                if self.is_row_done[row] || self.rows[row].len() != len {
                    self.rows_by_len[len].swap_remove(at);
                    continue;
                }
                let most =
                    self.rows[row].iter().fold(0.0_f64, |most, &(_, value)| most.max(value.abs()));
                for &(slot, value) in &self.rows[row] {
                    if value.abs() < STABLE * most || value.abs() < PIVOT_MIN {
                        continue;
                    }
                    let cost = (len - 1) * (self.slots[slot as usize].len() - 1);
                    if best.is_none_or(|(least, size, ..)| {
                        cost < least || (cost == least && value.abs() > size)
                    }) {
                        best = Some((cost, value.abs(), row, slot as usize));
                    }
                }
                looks += 1;
                if best.is_some_and(|(least, ..)| looks >= LOOKS || least <= len * (len - 1)) {
                    return best.map(|(_, _, row, slot)| (row, slot));
                }
            }
        }
        best.map(|(_, _, row, slot)| (row, slot))
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum SparseColumn<'c> {
    Logical(u32),
    Structural(&'c [u32]),
}

impl Factor {
    /// Factors the basis whose slot `s` contains `column(s)`, for `count` slots. Returns the work.
    ///
    /// # Errors
    /// If the columns are dependent: the slots and the rows without a pivot, equally many of each.
    pub(crate) fn refactor<'c>(
        &mut self,
        count: usize,
        column: impl Fn(usize) -> SparseColumn<'c>,
    ) -> Result<u64, (Vec<u32>, Vec<u32>)> {
        self.pivot_rows.clear();
        self.pivot_slots.clear();
        self.pivots.clear();
        self.lower.clear();
        self.upper_rows.clear();
        self.upper_slots.clear();
        self.eta_slots.clear();
        self.eta_pivots.clear();
        self.etas.clear();
        self.scratch.clear();
        self.scratch.resize(count, 0.0);
        let mut active = Active::new(count, &column);
        // For each slot, its index in the row being changed plus 1, or 0 if the row has no entry
        // there.
        let mut place_of = vec![0_u32; count];
        let mut work = 20 * count as u64;
        while let Some((row, slot)) = active.pivot() {
            let mut pivot_row = std::mem::take(&mut active.rows[row]);
            let at = pivot_row.iter().position(|&(at, _)| at as usize == slot).unwrap_or(0);
            let (_, pivot) = pivot_row.swap_remove(at);
            active.is_row_done[row] = true;
            active.is_slot_done[slot] = true;
            for &(other, _) in &pivot_row {
                let members = &mut active.slots[other as usize];
                if let Some(at) = members.iter().position(|&member| member as usize == row) {
                    members.swap_remove(at);
                }
                active.slots_by_len[members.len()].push(other);
            }
            let below = std::mem::take(&mut active.slots[slot]);
            work += 8 * (pivot_row.len() + 1) as u64 * below.len() as u64 + 10;
            for &target in &below {
                if target as usize == row {
                    continue;
                }
                let entries = &mut active.rows[target as usize];
                let at = entries.iter().position(|&(at, _)| at as usize == slot).unwrap_or(0);
                let (_, value) = entries.swap_remove(at);
                let times = value / pivot;
                self.lower.push(target, times);
                if !pivot_row.is_empty() {
                    for (at, &(other, _)) in entries.iter().enumerate() {
                        place_of[other as usize] = at as u32 + 1;
                    }
                    for &(other, value) in &pivot_row {
                        let at = place_of[other as usize] as usize;
                        if at > 0 {
                            entries[at - 1].1 -= times * value;
                        } else {
                            entries.push((other, -times * value));
                            active.slots[other as usize].push(target);
                        }
                    }
                    for &(other, _) in entries.iter() {
                        place_of[other as usize] = 0;
                    }
                    let mut at = entries.len();
                    while at > 0 {
                        at -= 1;
                        if entries[at].1.abs() < TINY {
                            let (other, _) = entries.swap_remove(at);
                            let members = &mut active.slots[other as usize];
                            if let Some(at) = members.iter().position(|&member| member == target) {
                                members.swap_remove(at);
                            }
                        }
                    }
                }
                let len = entries.len();
                active.rows_by_len[len].push(target);
            }
            for &(other, _) in &pivot_row {
                let len = active.slots[other as usize].len();
                active.slots_by_len[len].push(other);
            }
            self.lower.close();
            for &(other, value) in &pivot_row {
                self.upper_rows.push(other, value);
            }
            self.upper_rows.close();
            self.pivot_rows.push(row as u32);
            self.pivot_slots.push(slot as u32);
            self.pivots.push(pivot);
        }
        if self.pivots.len() < count {
            let left = |is_done: &[bool]| {
                (0..count as u32).filter(|&at| !is_done[at as usize]).collect::<Vec<_>>()
            };
            return Err((left(&active.is_slot_done), left(&active.is_row_done)));
        }
        self.transpose(count);
        self.fresh_len = self.lower.len() + self.upper_rows.len() + count;
        Ok(work + 4 * self.fresh_len as u64)
    }

    fn transpose(&mut self, count: usize) {
        let mut number_of = vec![0_u32; count];
        for (number, &slot) in self.pivot_slots.iter().enumerate() {
            number_of[slot as usize] = number as u32;
        }
        let mut starts = vec![0_u32; count + 1];
        for &slot in &self.upper_rows.places {
            starts[number_of[slot as usize] as usize + 1] += 1;
        }
        for number in 0..count {
            starts[number + 1] += starts[number];
        }
        let mut next = starts.clone();
        let upper = &mut self.upper_slots;
        upper.places.resize(self.upper_rows.len(), 0);
        upper.values.resize(self.upper_rows.len(), 0.0);
        for number in 0..count {
            for (slot, value) in self.upper_rows.entries(number) {
                let at = &mut next[number_of[slot] as usize];
                upper.places[*at as usize] = self.pivot_rows[number];
                upper.values[*at as usize] = value;
                *at += 1;
            }
        }
        upper.starts = starts;
    }

    /// Solves `B z = x`. Replaces `x`, indexed by rows, with `z`, indexed by slots. Returns the
    /// work.
    pub(crate) fn solve(&mut self, x: &mut [f64]) -> u64 {
        let mut work = 2 * x.len() as u64;
        for (number, &row) in self.pivot_rows.iter().enumerate() {
            let value = x[row as usize];
            if value != 0.0 {
                work += self.lower.subtract(number, value, x);
            }
        }
        for number in (0..self.pivots.len()).rev() {
            let mut value = x[self.pivot_rows[number] as usize];
            value = if value.abs() > TINY { value / self.pivots[number] } else { 0.0 };
            if value != 0.0 {
                work += self.upper_slots.subtract(number, value, x);
            }
            self.scratch[self.pivot_slots[number] as usize] = value;
        }
        x.copy_from_slice(&self.scratch);
        for (eta, &slot) in self.eta_slots.iter().enumerate() {
            let value = x[slot as usize] / self.eta_pivots[eta];
            if value != 0.0 {
                x[slot as usize] = value;
                work += self.etas.subtract(eta, value, x);
            }
        }
        work
    }

    /// Solves `y B = x`. Replaces `x`, indexed by slots, with `y`, indexed by rows. Returns the
    /// work.
    pub(crate) fn solve_transposed(&mut self, x: &mut [f64]) -> u64 {
        let mut work = (2 * x.len() + self.etas.len() + self.lower.len()) as u64;
        for (eta, &slot) in self.eta_slots.iter().enumerate().rev() {
            let value = self.etas.less_product(eta, x[slot as usize], x);
            x[slot as usize] = value / self.eta_pivots[eta];
        }
        for number in 0..self.pivots.len() {
            let mut value = x[self.pivot_slots[number] as usize];
            value = if value.abs() > TINY { value / self.pivots[number] } else { 0.0 };
            if value != 0.0 {
                work += self.upper_rows.subtract(number, value, x);
            }
            self.scratch[self.pivot_rows[number] as usize] = value;
        }
        x.copy_from_slice(&self.scratch);
        for (number, &row) in self.pivot_rows.iter().enumerate().rev() {
            x[row as usize] = self.lower.less_product(number, x[row as usize], x);
        }
        work
    }

    /// Replaces the column in a slot. `column` is the new column in terms of the current basis.
    pub(crate) fn exchange(&mut self, slot: usize, column: &[f64]) {
        self.eta_slots.push(slot as u32);
        self.eta_pivots.push(column[slot]);
        for (place, &value) in column.iter().enumerate() {
            if place != slot && value.abs() > TINY {
                self.etas.push(place as u32, value);
            }
        }
        self.etas.close();
    }

    /// Returns the memory of the factors and the etas (bytes).
    pub(crate) fn bytes(&self) -> usize {
        let lists = [&self.lower, &self.upper_rows, &self.upper_slots, &self.etas];
        lists.iter().map(|list| 12 * list.places.capacity() + 4 * list.starts.capacity()).sum()
    }

    pub(crate) fn eta_count(&self) -> usize {
        self.eta_slots.len()
    }

    pub(crate) fn forget(&mut self, count: usize) {
        self.eta_slots.truncate(count);
        self.eta_pivots.truncate(count);
        self.etas.truncate(count);
    }

    /// Returns whether the etas have grown enough for a new factorization to pay off.
    pub(crate) fn is_worn(&self) -> bool {
        self.eta_slots.len() >= 100 || self.etas.len() > 3 * self.fresh_len + 200
    }
}
