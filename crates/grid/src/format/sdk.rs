//! The formats of SadMan Sudoku and SudoCue: header lines `#A...`, then 9 rows, or sections
//! `[Puzzle]`, `[State]`, ...
//!
//! The headers (#A author, #B date, #C comment, #D description, #L level, #S source, #U address)
//! and all sections except `[Puzzle]` are skipped with a note. A puzzle is written as a section
//! `[Puzzle]`, a solution as its rows. The cells of a section may be in one line.

use super::cells::{CellWord, first, is_skipped};
use super::{BLOCKS, Format, drawing, line, rows};
use crate::{Grid, MAX_ORDER, Setting};
use text::{InputError, Lines};

pub(super) const FORMAT: Format = Format {
    name: "sdk",
    summary: "header lines `#A...`, then 9 rows, or a section [Puzzle] (SadMan Sudoku, SudoCue)",
    example: "[Puzzle]\n53..7....\n6..195...\n.98....6.\n8...6...3\n4..8.3..1\n7...2...6\n.6....28.\n...419..5\n\
     ....8..79\n",
    extensions: &["sdk"],
    recognizes,
    reader: || Box::new(read),
    write,
    write_solution: Some(|_, solution, _, out| write_rows(solution, out)),
    ..BLOCKS
};

fn recognizes(sample: &str) -> bool {
    let mut head = sample.lines().take_while(|text| is_skipped(text));
    let has_head = head.any(|text| {
        let mut chars = text.trim_start().trim_start_matches('#').chars();
        let is_key = chars.next().is_some_and(|c| "ABCDLSU".contains(c));
        is_key && !text.starts_with("# ")
    });
    let first = first(sample).trim();
    is_section(first, "puzzle")
        || is_section(first, "state")
        || has_head && first.chars().count() == 9 && rows::recognizes(sample)
}

fn write(grid: &Grid, out: &mut String) {
    out.push_str("[Puzzle]\n");
    write_rows(grid, out);
}

fn write_rows(grid: &Grid, out: &mut String) {
    let mut grid = grid.clone();
    (grid.style.is_spaced, grid.style.is_ruled) = (false, false);
    if grid.style.blank == ' ' {
        grid.style.blank = '.';
    }
    rows::write(&grid, out);
}

fn is_section(text: &str, name: &str) -> bool {
    let inner = text.trim().strip_prefix('[').and_then(|text| text.strip_suffix(']'));
    inner.is_some_and(|inner| inner.trim().eq_ignore_ascii_case(name))
}

fn read(lines: &mut Lines, setting: &mut Setting) -> Result<Option<Grid>, InputError> {
    while let Some(line) = lines.next_content()? {
        if !line.text.trim_start().starts_with('[') {
            lines.push_back(line);
        } else if !is_section(&line.text, "puzzle") {
            CellWord::new(&line, line.text.trim()).note("not used: a section", &mut lines.notes);
            skip_section(lines)?;
            continue;
        }
        if let Some(line) = lines.next_content()? {
            if line::order_of(&line.text).is_some_and(|order| order * order > MAX_ORDER) {
                let mut grid = line::parse(&line, setting, &mut lines.notes)?;
                grid.style.format = &FORMAT;
                return Ok(Some(grid));
            }
            lines.push_back(line);
        }
        let drawing = drawing::read(lines, rows::width)?;
        return drawing.map(|drawing| rows::parse(&drawing, None, setting, &FORMAT)).transpose();
    }
    Ok(None)
}

fn skip_section(lines: &mut Lines) -> Result<(), InputError> {
    while let Some(line) = lines.next_line()? {
        if line.text.trim_start().starts_with(['[', '#']) {
            lines.push_back(line);
            break;
        }
    }
    Ok(())
}
