//! Plain backtrackers: they fill the cells in row order and try the symbols in ascending order.
//!
//! These are typical first programs, kept for comparison. All four search the same tree in the same
//! order. The programs differ in the test whether a symbol fits a cell:
//! - `flags` has one flag for each row, column, region and symbol (as in programming contests).
//! - `scan` scans the row, the column and the box.
//! - `stack` scans all peers (20 in a 9x9 grid) in one loop.
//! - `regions` scans row and column together, then the cells of the region.
//!
//! Extra rules are tested by lists of cells. The search counts a node for each cell it enters, and
//! an update for each symbol it tests.

use std::ops::ControlFlow;

use dlx::search::Meter;
use dlx::{End, Limits, OptionId, Report, Unsupported, Visit};

use super::{Algorithm, AlgorithmSpec, COMPARE, RunError, as_covers};
use grid::{GroupKind, Shape};
use puzzle::{Fill, Puzzle, SolutionVisit};

pub(super) const SPECS: [AlgorithmSpec; 4] = [
    AlgorithmSpec {
        name: "flags",
        summary: "backtracking with a flag for each row, column, region and symbol",
        purpose: COMPARE,
        make: |_, _| Box::new(Backtrack::<Flags>::new()),
    },
    AlgorithmSpec {
        name: "scan",
        summary: "backtracking that looks through row, column and box for each symbol",
        purpose: COMPARE,
        make: |_, _| Box::new(Backtrack::<GridScan>::new()),
    },
    AlgorithmSpec {
        name: "stack",
        summary: "backtracking on a stack of cells that looks at the related cells",
        purpose: COMPARE,
        make: |_, _| Box::new(Backtrack::<Related>::new()),
    },
    AlgorithmSpec {
        name: "regions",
        summary: "backtracking that looks at row and column, then at the region's list",
        purpose: COMPARE,
        make: |_, _| Box::new(Backtrack::<Regions>::new()),
    },
];

const EMPTY: u8 = u8::MAX;

trait Judge: Send + Sized {
    fn new(shape: &Shape) -> Result<Self, Unsupported>;

    /// Returns whether `symbol` in `cell` is compatible with the values of the other cells.
    fn allows(&self, values: &[u8], cell: usize, symbol: u8) -> bool;

    fn place(&mut self, _cell: usize, _symbol: u8) {}

    fn remove(&mut self, _cell: usize, _symbol: u8) {}
}

struct Backtrack<J> {
    judge: std::marker::PhantomData<fn() -> J>,
}

impl<J> Backtrack<J> {
    fn new() -> Self {
        Self { judge: std::marker::PhantomData }
    }
}

impl<J: Judge> Algorithm for Backtrack<J> {
    fn run(
        &mut self,
        puzzle: &dyn Puzzle,
        limits: &Limits,
        visit: Option<&mut SolutionVisit<'_>>,
    ) -> Result<Report, RunError> {
        let fill = puzzle.as_fill().ok_or(Unsupported::new("puzzles other than grids"))?;
        let judge = J::new(fill.grid().shape())?;
        let mut meter = Meter::new(limits, fill.grid().shape().order());
        let mut updates = 0;
        let everyone: &mut SolutionVisit<'_> = &mut |_| ControlFlow::Continue(());
        let mut visit = as_covers(visit.unwrap_or(everyone));
        let end = search(fill, judge, &mut meter, &mut updates, &mut visit);
        Ok(meter.report(end, updates))
    }
}

fn search<J: Judge>(
    fill: &Fill,
    mut judge: J,
    meter: &mut Meter<'_>,
    updates: &mut u64,
    visit: &mut Visit<'_>,
) -> End {
    let grid = fill.grid();
    if grid.clash().is_some() {
        return End::Exhausted;
    }
    let order = grid.shape().order() as u8;
    let mut values = vec![EMPTY; grid.shape().cell_count()];
    let mut open = Vec::new();
    for (cell, value) in values.iter_mut().enumerate() {
        match grid.symbol(cell) {
            Some(symbol) => {
                *value = symbol as u8;
                judge.place(cell, symbol as u8);
            }
            None => open.push(cell),
        }
    }
    let option = |cell: usize, value: u8| {
        fill.option(cell, value.into()).expect("only candidates of the puzzle are placed")
    };
    let clues = (0..values.len()).filter(|&cell| values[cell] != EMPTY);
    let given: Vec<OptionId> = clues.map(|cell| option(cell, values[cell])).collect();
    let mut cover = given.clone();
    let mut depth = 0;
    let mut is_forward = true;
    loop {
        if is_forward {
            let fraction = || {
                let symbols = open[..depth].iter().map(|&cell| f64::from(values[cell]));
                symbols.rev().fold(0.5, |rest, symbol| (symbol + rest) / f64::from(order))
            };
            if let Err(limit) = meter.enter(depth, *updates, fraction) {
                return End::Limit(limit);
            }
            if depth == open.len() {
                cover.truncate(given.len());
                cover.extend(open.iter().map(|&cell| option(cell, values[cell])));
                if let Err(end) = meter.visit(&cover, visit) {
                    return end;
                }
                is_forward = false;
                continue;
            }
        } else if depth == 0 {
            return End::Exhausted;
        } else {
            depth -= 1;
        }
        let cell = open[depth];
        let mut symbol = 0;
        if !is_forward {
            judge.remove(cell, values[cell]);
            symbol = values[cell] + 1;
            values[cell] = EMPTY;
        }
        let candidates = grid.candidates(cell);
        while symbol < order {
            if candidates >> symbol & 1 == 1 {
                *updates += 1;
                if judge.allows(&values, cell, symbol) {
                    break;
                }
            }
            symbol += 1;
        }
        is_forward = symbol < order;
        if is_forward {
            values[cell] = symbol;
            judge.place(cell, symbol);
            depth += 1;
        }
    }
}

/// The groups of cells of the extra rules, for tests that handle only rows, columns and regions.
struct Extra {
    groups_of_cells: Vec<Vec<usize>>,
    groups: Vec<Vec<usize>>,
}

impl Extra {
    fn new(shape: &Shape) -> Self {
        let is_extra = |kind| !matches!(kind, GroupKind::Row | GroupKind::Column | GroupKind::Region);
        let groups: Vec<Vec<usize>> =
            shape.groups().iter().filter(|g| is_extra(g.kind)).map(|g| g.cells.clone()).collect();
        let mut groups_of_cells = vec![Vec::new(); shape.cell_count()];
        for (index, cells) in groups.iter().enumerate() {
            for &cell in cells {
                groups_of_cells[cell].push(index);
            }
        }
        Self { groups_of_cells, groups }
    }

    fn allows(&self, values: &[u8], cell: usize, symbol: u8) -> bool {
        let mut groups = self.groups_of_cells[cell].iter().map(|&group| &self.groups[group]);
        groups.all(|cells| cells.iter().all(|&other| values[other] != symbol))
    }
}

struct Flags {
    /// One word per group; bit s is set if the group contains symbol s.
    flags: Vec<u64>,
    groups_of_cells: Vec<Vec<usize>>,
}

impl Judge for Flags {
    fn new(shape: &Shape) -> Result<Self, Unsupported> {
        Ok(Self { flags: vec![0; shape.groups().len()], groups_of_cells: shape.groups_of_cells() })
    }

    fn allows(&self, _values: &[u8], cell: usize, symbol: u8) -> bool {
        self.groups_of_cells[cell].iter().all(|&group| self.flags[group] >> symbol & 1 == 0)
    }

    fn place(&mut self, cell: usize, symbol: u8) {
        for &group in &self.groups_of_cells[cell] {
            self.flags[group] |= 1 << symbol;
        }
    }

    fn remove(&mut self, cell: usize, symbol: u8) {
        for &group in &self.groups_of_cells[cell] {
            self.flags[group] &= !(1 << symbol);
        }
    }
}

struct GridScan {
    order: usize,
    boxes: Option<(usize, usize)>,
    extra: Extra,
}

impl Judge for GridScan {
    fn new(shape: &Shape) -> Result<Self, Unsupported> {
        if shape.is_jigsaw() {
            return Err(Unsupported::new("regions other than boxes"));
        }
        Ok(Self { order: shape.order(), boxes: shape.boxes(), extra: Extra::new(shape) })
    }

    fn allows(&self, values: &[u8], cell: usize, symbol: u8) -> bool {
        let order = self.order;
        let (row, column) = (cell / order, cell % order);
        let in_row = values[row * order..][..order].contains(&symbol);
        if in_row || (0..order).any(|other| values[other * order + column] == symbol) {
            return false;
        }
        if let Some((width, height)) = self.boxes {
            let (top, left) = (row / height * height, column / width * width);
            for row in top..top + height {
                if values[row * order + left..][..width].contains(&symbol) {
                    return false;
                }
            }
        }
        self.extra.allows(values, cell, symbol)
    }
}

struct Related {
    peers: Vec<Vec<usize>>,
}

impl Judge for Related {
    fn new(shape: &Shape) -> Result<Self, Unsupported> {
        Ok(Self { peers: shape.peers() })
    }

    fn allows(&self, values: &[u8], cell: usize, symbol: u8) -> bool {
        self.peers[cell].iter().all(|&peer| values[peer] != symbol)
    }
}

/// The test of `regions`: it scans row and column in one loop, then the cells of the region.
struct Regions {
    order: usize,
    region_of_cells: Vec<usize>,
    regions: Vec<Vec<usize>>,
    extra: Extra,
}

impl Judge for Regions {
    fn new(shape: &Shape) -> Result<Self, Unsupported> {
        Ok(Self {
            order: shape.order(),
            region_of_cells: shape.region_of_cells(),
            regions: shape.regions().map(|region| region.cells.clone()).collect(),
            extra: Extra::new(shape),
        })
    }

    fn allows(&self, values: &[u8], cell: usize, symbol: u8) -> bool {
        let order = self.order;
        let (row, column) = (cell / order, cell % order);
        for other in 0..order {
            if values[row * order + other] == symbol || values[other * order + column] == symbol {
                return false;
            }
        }
        if let Some(&region) = self.region_of_cells.get(cell)
            && self.regions[region].iter().any(|&other| values[other] == symbol)
        {
            return false;
        }
        self.extra.allows(values, cell, symbol)
    }
}
