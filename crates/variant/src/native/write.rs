//! Writes the native text format of variants.

use super::super::Variant;
use super::super::board::VariantBoard;
use super::super::clue::Digit;
use grid::{Grid, Setting, boxes_of_size};

impl Variant {
    /// Writes the header lines with the rules of the grid. Regions are included only if the text of
    /// the grid does not draw them (`draws_regions`).
    pub(crate) fn head(&self, draws_regions: bool) -> String {
        let shape = &self.board.shape;
        let mut head = String::from("# puzzle: variant\n");
        if shape.is_square() {
            head += &Setting::head(shape).replace("# puzzle: latin\n", "# boxes: none\n");
        } else {
            head += &layout(&self.board);
        }
        if shape.is_jigsaw() && !draws_regions {
            let label = |region: usize| char::from_digit(region as u32 + 1, 36).unwrap_or('*');
            // Labels of regions beyond the 35th are Greek letters.
            let label = |region: usize| match region {
                0..35 => label(region),
                _ => char::from_u32('\u{3b1}' as u32 + region as u32 - 35).unwrap_or('*'),
            };
            let regions = shape.region_of_cells();
            let none = shape.regions().count();
            let label = |region: usize| if region == none { '.' } else { label(region) };
            let rows = regions[..self.board.inside()].chunks(shape.columns());
            let rows = rows.map(|row| row.iter().copied().map(label).collect());
            head += &format!("# regions: {}\n", rows.collect::<Vec<String>>().join(" "));
        }
        if !self.is_plain() {
            head += &format!("# digits: {}-{}\n", self.board.first, self.board.digits().end());
        }
        for placed in &self.placed {
            head += &format!("# {}\n", self.line(placed));
        }
        head
    }
}

/// Writes a variant with the digits of `grid`, if possible in the format of that grid.
pub(crate) fn write(variant: &Variant, grid: &Grid, out: &mut String) {
    let (board, format) = (&variant.board, grid.style.format);
    let is_plain = variant.is_plain();
    if is_plain && format.lacks(grid).is_none() {
        out.push_str(&variant.head(true));
        (format.write)(grid, out);
        return;
    }
    let order = board.order();
    let mut plain = Grid::empty(std::sync::Arc::clone(&board.shape), grid.style);
    let mut marks = String::new();
    for cell in 0..board.shape.cell_count() {
        match grid.symbol(cell) {
            Some(symbol) if cell < board.inside() => plain.place(cell, symbol),
            None if grid.is_blank(cell) => {}
            _ => {
                let left = (0..order).filter(|symbol| grid.candidates(cell) >> symbol & 1 == 1);
                let left = left.map(|symbol| (board.first + symbol as Digit).to_string());
                let left = left.collect::<Vec<_>>().join(" ");
                marks += &format!("# any-of: {} = {left}\n", board.name(cell));
            }
        }
    }
    out.push_str(&variant.head(is_plain && format.lacks(&plain).is_none()));
    out.push_str(&marks);
    if is_plain {
        (format.write)(&plain, out);
        return;
    }
    let digit = |cell| match plain.symbol(cell) {
        Some(symbol) => (board.first + symbol as Digit).to_string(),
        None => ".".to_owned(),
    };
    let between = if *board.digits().end() > 9 { " " } else { "" };
    for row in 0..board.shape.rows() {
        let digits: Vec<String> = board.row(row).into_iter().map(digit).collect();
        out.push_str(&digits.join(between));
        out.push('\n');
    }
}

fn layout(board: &VariantBoard) -> String {
    let shape = &board.shape;
    let (rows, columns) = (shape.rows(), shape.columns());
    let mut head = format!("# rows: {rows}\n# columns: {columns}\n");
    if !shape.has_lines() {
        head += "# houses: none\n";
    }
    let default = boxes_of_size(rows, columns, rows.max(columns)).filter(|_| shape.has_lines());
    match shape.boxes() {
        Some(boxes) if Some(boxes) != default => {
            head += &format!("# boxes: {}x{}\n", boxes.0, boxes.1);
        }
        None if !shape.is_jigsaw() && default.is_some() => head += "# boxes: none\n",
        _ => {}
    }
    if !shape.rules().is_empty() {
        let rules: Vec<&str> = shape.rules().iter().map(|rule| rule.name()).collect();
        head += &format!("# rules: {}\n", rules.join(" "));
    }
    for (name, count) in &*board.outside {
        head += &format!("# cells: {name} {count}\n");
    }
    head
}
