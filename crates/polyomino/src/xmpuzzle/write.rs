//! Writes the format `.xmpuzzle`, uncompressed: the result, a shape for each piece, and one
//! problem.
//!
//! BurrTools allows rotations in space, which turn flat pieces over, and no reflections. So pieces
//! with other motions are refused. Placed pieces and unsupported lattices are also refused. The
//! rows of prisms are reversed, and their number is made odd to preserve the orientation of
//! triangles.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::super::board::{PieceBoard, PlaceKind};
use super::super::lattice::Motions;
use super::super::shape::{PLAIN, Position, in_corner};
use super::super::{Piece, Polyomino};
use super::{GRIDS, MAX_COLOR};

pub(in super::super) fn write(puzzle: &Polyomino) -> Result<String, String> {
    let board = &puzzle.board;
    let name = board.lattice.name;
    let grid = GRIDS.iter().position(|known| *known == name);
    let grid = grid.ok_or_else(|| format!("xmpuzzle has no form for the lattice {name}"))?;
    let (pieces, hole_max) = puzzle.made_of.as_deref().ok_or("xmpuzzle holds no finished tilings")?;
    if !puzzle.given.is_empty() {
        return Err("xmpuzzle holds no pieces that lie already".to_owned());
    }
    let pieces: Vec<&Piece> = pieces.iter().filter(|piece| piece.supply.high != Some(0)).collect();
    if pieces.is_empty() {
        return Err("xmpuzzle holds no puzzle without pieces".to_owned());
    }
    let usual = if puzzle.is_solid { Motions::Rotate } else { Motions::Reflect };
    if let Some(piece) =
        pieces.iter().find(|piece| piece.motions.is_some_and(|motions| motions != usual))
    {
        let how =
            if puzzle.is_solid { "turn, and are not mirrored" } else { "turn and are turned over" };
        return Err(format!("xmpuzzle holds pieces that {how}, which is not so with `{}`", piece.name));
    }
    let colors = Colors::of(board, &pieces)?;
    let mut out = format!(
        "<?xml version=\"1.0\"?>\n<puzzle version=\"2\">\n<gridType type=\"{grid}\"/>\n<colors>{}</colors>\n<shapes>\n",
        colors.elements()
    );
    let mut add = |cells: &[(Position, char, char)], size: [usize; 3]| {
        out += &voxel(grid == 1, size, cells, &colors);
    };
    for piece in &pieces {
        let cells = in_corner(board.lattice, &piece.cells);
        let size = board.lattice.extent(cells.iter().map(|(cell, _)| *cell));
        add(&cells.iter().map(|&(cell, mark)| (cell, '#', mark)).collect::<Vec<_>>(), size);
    }
    let cells: Vec<(Position, char, char)> = (0..board.fields.len())
        .filter_map(|place| {
            let state = match board.fields[place] {
                PlaceKind::Outside => return None,
                PlaceKind::Covered => '#',
                PlaceKind::Free => '+',
            };
            Some((board.cell(place), state, board.marks[place]))
        })
        .collect();
    add(&cells, board.size);
    let holes = hole_max.map_or(String::new(), |most| format!(" maxHoles=\"{most}\""));
    let _ = writeln!(out, "</shapes>\n<problems>\n<problem state=\"0\"{holes}>\n<shapes>");
    for (id, piece) in pieces.iter().enumerate() {
        let (piece, supply) = (&piece.cells, piece.supply);
        // An unlimited piece gets as many copies as the board has space for, at least one.
        let most = supply.high.unwrap_or((cells.len() / piece.len().max(1)).max(1) as u32);
        let _ = writeln!(out, "<shape id=\"{id}\" min=\"{}\" max=\"{most}\"/>", supply.low);
    }
    let _ = writeln!(
        out,
        "</shapes>\n<result id=\"{}\"/>\n<bitmap>{}</bitmap>",
        pieces.len(),
        colors.pairs(board)
    );
    out += "</problem>\n</problems>\n</puzzle>\n";
    Ok(out)
}

/// Writes the cells of a shape; x varies fastest, then y, then z.
fn voxel(
    is_reversed: bool,
    [layers, rows, columns]: [usize; 3],
    cells: &[(Position, char, char)],
    colors: &Colors,
) -> String {
    let rows = if is_reversed { rows + 1 - rows % 2 } else { rows };
    let mut places = vec!["_".to_owned(); layers * rows * columns];
    for &(cell, state, mark) in cells {
        let [layer, row, column] = cell.map(|at| at as usize);
        let row = if is_reversed { rows - 1 - row } else { row };
        let color = colors.number(mark).map_or(String::new(), |number| number.to_string());
        places[(layer * rows + row) * columns + column] = format!("{state}{color}");
    }
    format!(
        "<voxel x=\"{columns}\" y=\"{rows}\" z=\"{layers}\" type=\"0\">{}</voxel>\n",
        places.concat()
    )
}

/// The marks as colors, which are numbered from 1.
struct Colors(Vec<char>);

impl Colors {
    fn of(board: &PieceBoard, pieces: &[&Piece]) -> Result<Self, String> {
        let of_pieces = pieces.iter().flat_map(|piece| piece.cells.iter().map(|(_, mark)| *mark));
        let marks: BTreeSet<char> =
            board.marks.iter().copied().chain(of_pieces).filter(|&mark| mark != PLAIN).collect();
        if marks.len() > MAX_COLOR {
            return Err(format!("xmpuzzle holds {MAX_COLOR} colors, found {}", marks.len()));
        }
        Ok(Self(marks.into_iter().collect()))
    }

    fn number(&self, mark: char) -> Option<usize> {
        self.0.iter().position(|known| *known == mark).map(|place| place + 1)
    }

    fn elements(&self) -> String {
        // BurrTools needs display colors, so arbitrary but different colors are written.
        let color = |place: usize| [37, 101, 211].map(|step| (place + 1) * step % 256);
        let element = |place: usize| {
            let [red, green, blue] = color(place);
            format!("<color red=\"{red}\" green=\"{green}\" blue=\"{blue}\"/>")
        };
        (0..self.0.len()).map(element).collect()
    }

    /// Writes the compatible pairs of colors; colors are counted from 0.
    fn pairs(&self, board: &PieceBoard) -> String {
        let equal = || self.0.iter().map(|&mark| (mark, mark)).collect();
        let pairs: Vec<(char, char)> = board.pairs.clone().unwrap_or_else(equal);
        let number = |mark| self.number(mark).map(|number| number - 1);
        let both = pairs.into_iter().filter_map(|(piece, result)| number(piece).zip(number(result)));
        both.map(|(piece, result)| format!("<pair piece=\"{piece}\" result=\"{result}\"/>")).collect()
    }
}
