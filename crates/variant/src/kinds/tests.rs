//! Compares the solutions of random small puzzles with those that a brute force finds, and checks
//! that every output can be read again.

use std::collections::BTreeSet;

use dlx::Limits;
use puzzle::{Kind, Puzzle, PuzzleSource};

use super::*;

const KINDS: [Kind; 9] = [
    kakuro::KIND,
    nonogram::KIND,
    kenken::KIND,
    star_battle::KIND,
    binairo::KIND,
    binairo::TANGO,
    futoshiki::KIND,
    suguru::KIND,
    str8ts::KIND,
];

fn read(kind: &Kind, text: &str) -> Box<dyn Puzzle> {
    let PuzzleSource::Text(source) = kind.source else { panic!("a text") };
    (source.read)(text, &Limits::new()).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn check_error(kind: &Kind, text: &str, expected: &str) {
    let PuzzleSource::Text(source) = kind.source else { panic!("a text") };
    let found = (source.read)(text, &Limits::new()).map(|_| ()).unwrap_err();
    assert_eq!(found.to_string(), expected, "{text}");
}

/// Returns the texts of all solutions, found by dancing links, which the digit search must find,
/// too.
fn solutions(puzzle: &dyn Puzzle) -> Vec<String> {
    let covers = dlx::engine::Links::new(puzzle.problem()).into_solutions(puzzle.given());
    let mut shown: Vec<String> = covers
        .map(|cover| {
            let mut out = String::new();
            puzzle.show(&cover, 1, &mut out);
            out
        })
        .collect();
    shown.sort();
    let grid = puzzle.as_digits(&Limits::new()).unwrap().expect("it is small");
    let mut search = digits::Search::new(grid.network());
    let mut by_digits = Vec::new();
    loop {
        match search.step() {
            digits::StepResult::End => break,
            digits::StepResult::Nothing => {}
            digits::StepResult::Solution => {
                let mut out = String::new();
                grid.show_digits(search.digits(), 1, &mut out);
                by_digits.push(out);
            }
        }
    }
    by_digits.sort();
    assert_eq!(by_digits, shown);
    shown
}

/// Checks the number of solutions of a puzzle, and that each solution and the puzzle itself can be
/// read again.
fn check(kind: &Kind, text: &str, expected: usize) {
    let puzzle = read(kind, text);
    let found = solutions(puzzle.as_ref());
    assert_eq!(found.len(), expected, "{text}");
    let mut written = String::new();
    assert!(puzzle.show_clues(puzzle.given(), &mut written), "{text}");
    assert_eq!(solutions(read(kind, &written).as_ref()), found, "{text}\n{written}");
    for solution in found.iter().take(20) {
        let again = solutions(read(kind, solution).as_ref());
        assert_eq!(again, std::slice::from_ref(solution), "{text}");
    }
}

/// Counts the fillings of cells with the numbers below `symbols` that are right.
fn count(cells: usize, symbols: usize, is_right: impl Fn(&[usize]) -> bool) -> usize {
    let mut filling = vec![0; cells];
    let mut found = 0;
    loop {
        found += usize::from(is_right(&filling));
        let Some(last) = filling.iter().rposition(|&symbol| symbol + 1 < symbols) else { return found };
        filling[last] += 1;
        filling[last + 1..].fill(0);
    }
}

fn lines(rows: usize, columns: usize) -> Vec<Vec<usize>> {
    let of_row = |row: usize| (row * columns..(row + 1) * columns).collect();
    let of_column = |column: usize| (column..rows * columns).step_by(columns).collect();
    (0..rows).map(of_row).chain((0..columns).map(of_column)).collect()
}

fn are_different(digits: &[usize]) -> bool {
    digits.iter().collect::<BTreeSet<_>>().len() == digits.len()
}

/// Draws regions by joining random neighbors; returns the region of each cell.
fn random_regions(random: &mut fastrand::Rng, rows: usize, columns: usize, count: usize) -> Vec<usize> {
    let mut regions: Vec<usize> = (0..rows * columns).collect();
    while regions.iter().collect::<BTreeSet<_>>().len() > count {
        let cell = random.usize(..rows * columns);
        let right = (cell % columns + 1 < columns).then_some(cell + 1);
        let below = Some(cell + columns).filter(|&below| below < rows * columns);
        let Some(other) = (if random.bool() { right } else { below }) else { continue };
        let (from, to) = (regions[other], regions[cell]);
        regions.iter_mut().filter(|region| **region == from).for_each(|region| *region = to);
    }
    let labels: BTreeSet<usize> = regions.iter().copied().collect();
    regions.iter().map(|region| labels.iter().position(|label| label == region).unwrap()).collect()
}

fn text_of(rows: &[usize], columns: usize, cell: impl Fn(usize) -> String, between: &str) -> String {
    let rows = rows.chunks(columns);
    rows.map(|row| row.iter().map(|&it| cell(it)).collect::<Vec<_>>().join(between) + "\n").collect()
}

fn touch(one: usize, other: usize, columns: usize) -> bool {
    one != other
        && (one / columns).abs_diff(other / columns) <= 1
        && (one % columns).abs_diff(other % columns) <= 1
}

#[test]
fn the_example_of_each_kind_has_one_solution_and_can_be_read_again() {
    for kind in KINDS {
        let PuzzleSource::Text(source) = kind.source else { panic!("a text") };
        check(&kind, source.example, 1);
    }
}

#[test]
fn kakuro_agree_with_a_brute_force() {
    let mut random = fastrand::Rng::with_seed(1);
    for _ in 0..40 {
        let (rows, columns) = (3, 4);
        let mut whites: Vec<usize> =
            (0..12).filter(|cell| cell / columns > 0 && cell % columns > 0).collect();
        random.shuffle(&mut whites);
        let mut whites = whites[..4].to_vec();
        whites.sort_unstable();
        let answer: Vec<usize> = whites.iter().map(|_| random.usize(1..=4)).collect();
        // The runs of white cells, with the black cell before each of them.
        let mut runs: Vec<(usize, bool, Vec<usize>)> = Vec::new();
        for (number, line) in lines(rows, columns).into_iter().enumerate() {
            for start in 1..line.len() {
                if whites.contains(&line[start - 1]) || !whites.contains(&line[start]) {
                    continue;
                }
                let run = line[start..].iter().take_while(|cell| whites.contains(cell));
                let places = run.map(|cell| whites.iter().position(|it| it == cell).unwrap());
                runs.push((line[start - 1], number < rows, places.collect()));
            }
        }
        let sum = |digits: &[usize], run: &[usize]| run.iter().map(|&at| digits[at]).sum::<usize>();
        let mut text = String::new();
        for cell in 0..rows * columns {
            if whites.contains(&cell) {
                text += " .";
            } else {
                let number = |wanted: bool| {
                    let run = runs.iter().find(|run| (run.0, run.1) == (cell, wanted));
                    run.map_or(String::new(), |run| sum(&answer, &run.2).to_string())
                };
                text += &format!(" {}\\{}", number(false), number(true));
            }
            text += if (cell + 1) % columns == 0 { "\n" } else { "" };
        }
        let expected = count(whites.len(), 9, |symbols| {
            let digits: Vec<usize> = symbols.iter().map(|symbol| symbol + 1).collect();
            runs.iter().all(|(_, _, run)| {
                let of_run: Vec<usize> = run.iter().map(|&at| digits[at]).collect();
                are_different(&of_run) && sum(&digits, run) == sum(&answer, run)
            })
        });
        check(&kakuro::KIND, &text, expected);
    }
}

#[test]
fn nonograms_agree_with_a_brute_force() {
    let mut random = fastrand::Rng::with_seed(1);
    for colors in [1, 1, 1, 2, 2] {
        for _ in 0..4 {
            let (rows, columns) = if colors == 1 { (4, 3) } else { (3, 3) };
            let answer: Vec<usize> = (0..rows * columns).map(|_| random.usize(0..=colors)).collect();
            let words = |line: &[usize], filling: &[usize]| -> String {
                let cells: Vec<usize> = line.iter().map(|&cell| filling[cell]).collect();
                let runs = cells.chunk_by(|one, other| one == other).filter(|run| run[0] > 0);
                let letter = |run: &[usize]| if colors == 1 { "" } else { ["a", "b"][run[0] - 1] };
                let words: Vec<String> =
                    runs.map(|run| format!("{}{}", run.len(), letter(run))).collect();
                if words.is_empty() { "0".to_owned() } else { words.join(" ") }
            };
            let all = lines(rows, columns);
            let clues: Vec<String> = all.iter().map(|line| words(line, &answer)).collect();
            let text =
                format!("rows\n{}\ncolumns\n{}\n", clues[..rows].join("\n"), clues[rows..].join("\n"));
            if colors == 2 && (!text.contains('a') || !text.contains('b')) {
                continue;
            }
            let expected = count(rows * columns, colors + 1, |filling| {
                all.iter().zip(&clues).all(|(line, clue)| words(line, filling) == *clue)
            });
            check(&nonogram::KIND, &text, expected);
        }
    }
}

#[test]
fn kenken_agree_with_a_brute_force() {
    let mut random = fastrand::Rng::with_seed(1);
    for _ in 0..20 {
        let order = 3;
        let count_of_regions = random.usize(3..7);
        let regions = random_regions(&mut random, order, order, count_of_regions);
        let cells_of: Vec<Vec<usize>> = (0..count_of_regions)
            .map(|region| (0..order * order).filter(|&cell| regions[cell] == region).collect())
            .collect();
        let answer = [0, 1, 2, 1, 2, 0, 2, 0, 1].map(|symbol: usize| (symbol + 1) as i64);
        let value = |digits: &[i64], sign: char| match (digits, sign) {
            (digits, '+') => digits.iter().sum(),
            (digits, '*') => digits.iter().product(),
            (&[one, other], '-') => (one - other).abs(),
            (&[one, other], '/') if one.max(other) % one.min(other) == 0 => {
                one.max(other) / one.min(other)
            }
            (&[only], ' ') => only,
            _ => -1,
        };
        let clues: Vec<(i64, char)> = (0..count_of_regions)
            .map(|region| {
                let digits: Vec<i64> = cells_of[region].iter().map(|&cell| answer[cell]).collect();
                let signs: &[char] = match digits.len() {
                    1 => &[' '],
                    2 => &['+', '*', '-', '/'],
                    _ => &['+', '*'],
                };
                let signs: Vec<char> =
                    signs.iter().copied().filter(|&sign| value(&digits, sign) > 0).collect();
                let sign = *random.choice(&signs).unwrap();
                (value(&digits, sign), sign)
            })
            .collect();
        let letters = text_of(&regions, order, region_name, "");
        let stated: String = clues
            .iter()
            .enumerate()
            .map(|(region, (number, sign))| format!("{} {number}{sign}\n", region_name(region)))
            .collect();
        let expected = count(order * order, order, |filling| {
            lines(order, order)
                .iter()
                .all(|line| are_different(&line.iter().map(|&cell| filling[cell]).collect::<Vec<_>>()))
                && clues.iter().enumerate().all(|(region, &(number, sign))| {
                    let digits: Vec<i64> =
                        cells_of[region].iter().map(|&cell| filling[cell] as i64 + 1).collect();
                    value(&digits, sign) == number
                })
        });
        check(&kenken::KIND, &format!("{letters}\n{stated}"), expected);
    }
}

fn region_name(region: usize) -> String {
    char::from(b'A' + region as u8).to_string()
}

#[test]
fn star_battles_agree_with_a_brute_force() {
    let mut random = fastrand::Rng::with_seed(1);
    for _ in 0..20 {
        let order = 4;
        let regions = random_regions(&mut random, order, order, order);
        let expected = count(order * order, 2, |stars| {
            let at: Vec<usize> = (0..stars.len()).filter(|&cell| stars[cell] == 1).collect();
            let once = |key: &dyn Fn(usize) -> usize| {
                at.len() == order
                    && are_different(&at.iter().map(|&cell| key(cell)).collect::<Vec<_>>())
            };
            once(&|cell| cell / order)
                && once(&|cell| cell % order)
                && once(&|cell| regions[cell])
                && !at.iter().any(|&one| at.iter().any(|&other| touch(one, other, order)))
        });
        check(&star_battle::KIND, &text_of(&regions, order, region_name, ""), expected);
    }
}

#[test]
fn binairo_and_tango_agree_with_a_brute_force() {
    let mut random = fastrand::Rng::with_seed(1);
    for round in 0..12 {
        let order = 4;
        let given: Vec<Option<usize>> =
            (0..16).map(|_| (random.usize(..8) == 0).then(|| random.usize(..2))).collect();
        let is_tango = round % 2 == 1;
        let is_equal = random.bool();
        let rows = given.chunks(order).map(|row| {
            let words: Vec<String> =
                row.iter().map(|it| it.map_or(".".to_owned(), |digit| digit.to_string())).collect();
            words.join(" ")
        });
        let mut text = rows.collect::<Vec<_>>().join("\n");
        if is_tango {
            text.replace_range(1..2, if is_equal { "=" } else { "x" });
        }
        let expected = count(16, 2, |filling| {
            let all: Vec<Vec<usize>> = lines(order, order)
                .iter()
                .map(|line| line.iter().map(|&cell| filling[cell]).collect())
                .collect();
            let is_unlike = |lines: &[Vec<usize>]| lines.iter().collect::<BTreeSet<_>>().len() == order;
            given.iter().zip(filling).all(|(given, digit)| given.is_none_or(|given| given == *digit))
                && all.iter().all(|line| line.iter().sum::<usize>() == 2)
                && all
                    .iter()
                    .all(|line| line.windows(3).all(|three| three != [0; 3] && three != [1; 3]))
                && (is_tango || is_unlike(&all[..order]) && is_unlike(&all[order..]))
                && (!is_tango || (filling[0] == filling[1]) == is_equal)
        });
        check(if is_tango { &binairo::TANGO } else { &binairo::KIND }, &text, expected);
    }
}

#[test]
fn futoshiki_agree_with_a_brute_force() {
    let mut random = fastrand::Rng::with_seed(1);
    for _ in 0..30 {
        let order = 3;
        let right: Vec<char> =
            (0..6).map(|_| *random.choice([' ', ' ', '<', '>']).as_ref().unwrap()).collect();
        let below: Vec<char> =
            (0..6).map(|_| *random.choice([' ', ' ', '^', 'v']).as_ref().unwrap()).collect();
        let mut text = String::new();
        for row in 0..order {
            text += &format!(".{}.{}.\n", right[2 * row], right[2 * row + 1]);
            if row + 1 < order {
                text += &format!("{} {} {}\n", below[3 * row], below[3 * row + 1], below[3 * row + 2]);
            }
        }
        let holds = |sign: char, one: usize, other: usize| match sign {
            '<' | '^' => one < other,
            '>' | 'v' => one > other,
            _ => true,
        };
        let expected = count(order * order, order, |filling| {
            lines(order, order)
                .iter()
                .all(|line| are_different(&line.iter().map(|&cell| filling[cell]).collect::<Vec<_>>()))
                && (0..6).all(|place| {
                    let cell = place / 2 * order + place % 2;
                    holds(right[place], filling[cell], filling[cell + 1])
                        && holds(below[place], filling[place], filling[place + order])
                })
        });
        check(&futoshiki::KIND, &text, expected);
    }
}

#[test]
fn suguru_agree_with_a_brute_force() {
    let mut random = fastrand::Rng::with_seed(1);
    let mut solvable = 0;
    for _ in 0..60 {
        let (rows, columns) = (3, 3);
        let regions = random_regions(&mut random, rows, columns, 3);
        let size = |region: usize| regions.iter().filter(|&&other| other == region).count();
        let most = (0..3).map(size).max().unwrap();
        if most > 4 {
            continue;
        }
        let expected = count(rows * columns, most, |filling| {
            (0..9).all(|one| {
                filling[one] < size(regions[one])
                    && (0..9).all(|other| {
                        let is_near = touch(one, other, columns)
                            || one != other && regions[one] == regions[other];
                        !is_near || filling[one] != filling[other]
                    })
            })
        });
        solvable += usize::from(expected > 0);
        check(&suguru::KIND, &text_of(&regions, columns, region_name, ""), expected);
    }
    assert!(solvable > 1, "{solvable} boards have a solution");
}

#[test]
fn str8ts_agree_with_a_brute_force() {
    let mut random = fastrand::Rng::with_seed(1);
    for _ in 0..40 {
        let order = 3;
        let words: Vec<String> = (0..9)
            .map(|_| match random.usize(..8) {
                0 => "x".to_owned(),
                1 => format!("x{}", random.usize(1..=3)),
                2 => random.usize(1..=3).to_string(),
                _ => ".".to_owned(),
            })
            .collect();
        let text = words.chunks(order).map(|row| row.join(" ") + "\n").collect::<String>();
        let expected = count(9, order, |filling| {
            // A black cell without a digit has one filling.
            (0..9).all(|cell| match words[cell].trim_start_matches('x') {
                "" => filling[cell] == 0,
                "." => true,
                digit => digit == (filling[cell] + 1).to_string(),
            }) && lines(order, order).iter().all(|line| {
                let counted = line.iter().filter(|&&cell| words[cell] != "x");
                let is_straight = |run: &[usize]| {
                    let digits: BTreeSet<usize> = run.iter().map(|&cell| filling[cell]).collect();
                    digits
                        .last()
                        .zip(digits.first())
                        .is_none_or(|(last, first)| last - first + 1 == run.len())
                };
                are_different(&counted.map(|&cell| filling[cell]).collect::<Vec<_>>())
                    && line.split(|&cell| words[cell].starts_with('x')).all(is_straight)
            })
        });
        check(&str8ts::KIND, &text, expected);
    }
}

#[test]
fn game_ids_are_read_as_the_boards_that_they_describe() {
    let same = |kind: &Kind, id: &str, text: &str| {
        assert_eq!(solutions(read(kind, id).as_ref()), solutions(read(kind, text).as_ref()), "{id}");
    };
    same(&nonogram::KIND, "4x3:1/3/1/1/2.1/1/2", "rows\n2 1\n1\n2\ncolumns\n1\n3\n1\n1\n");
    same(&futoshiki::KIND, "3:0R,0,0,0,0,0U,2,0,0,", ".>. .\n    ^\n. . .\n2 . .\n");
}

#[test]
fn errors_in_boards_give_their_position() {
    let kakuro = &kakuro::KIND;
    check_error(kakuro, "", "1:1: expected rows of cells, found the end of the text");
    check_error(
        kakuro,
        "\\ 3\\\n\\3 ?\n",
        "2:4: expected `.`, a digit or sums such as `17\\24`, found `?`",
    );
    check_error(kakuro, "\\ 3\\\n\\3\n", "2:1: expected 2 cells in this row, found 1");
    check_error(
        kakuro,
        "\\ 3\\5\n\\3 .\n",
        "1:3: expected an open cell to the right of the sum 5 across",
    );
    let nonogram = &nonogram::KIND;
    check_error(
        nonogram,
        "rows\n1\n",
        "3:1: expected `columns` and a line of runs for each, found the end of the text",
    );
    check_error(nonogram, "rows\n2\ncolumns\n1\n", "2:1: expected a length from 1 to 1, found 2");
    check_error(
        nonogram,
        "rows\n1x1\ncolumns\n1\n",
        "2:1: expected the length of a run such as 3 or 3a, found `1x1`",
    );
    check_error(
        nonogram,
        "width 3\nrows\n1\ncolumns\n1\n",
        "1:1: expected as many columns as clues below, 1, found 3",
    );
    check_error(
        nonogram,
        "rows\n1\ncolumns\n1\nboard\nZ\n",
        "6:1: expected `X`, `.` or `?`, found `Z`",
    );
    let kenken = &kenken::KIND;
    check_error(
        kenken,
        "AB\nBA\n\nA 3+\nB 2\n",
        "2:1: expected `B` next to the other cells of its region",
    );
    check_error(kenken, "AA\nBB\n\nA 3+\n", "2:1: expected a line such as `B 6+` for this cage");
    check_error(
        kenken,
        "AA\nAB\n\nA 3-\nB 2\n",
        "4:1: expected two cells for the sign `\u{2212}`, found 3",
    );
    check_error(
        kenken,
        "AA\nBB\n\nA 3+\nB 3%\n",
        "5:3: expected a number with `+`, `-`, `*` or `/`, such as 12*, found `3%`",
    );
    let stars = &star_battle::KIND;
    check_error(stars, "AB\nAB\nAB\n", "3:1: expected 2 rows of stars, found 1");
    check_error(stars, "AA\nAA\n", "1:1: expected 2 regions, one per row, found 1");
    check_error(
        stars,
        "# stars: 0\nAA\nBB\n",
        "1:1: expected a number of stars from 1 to 32, found `0`",
    );
    let futoshiki = &futoshiki::KIND;
    check_error(futoshiki, ". = .\n. .\n", "1:3: expected the sign `<` or `>`, found `=`");
    check_error(futoshiki, ". .\n ^\n. .\n", "2:2: expected a sign below a cell, found `^` elsewhere");
    check_error(futoshiki, ". . .\n. . .\n", "2:1: expected 3 rows, one per column, found 2");
    check_error(futoshiki, ". 3\n. .\n", "1:3: expected a digit from 1 to 2, found 3");
    let suguru = &suguru::KIND;
    check_error(suguru, "AB\nAB\n\n3.\n..\n", "4:1: expected a digit from 1 to 2 or `.`, found `3`");
    let binairo = &binairo::KIND;
    check_error(
        binairo,
        ". . .\n. . .\n. . .\n",
        "1:1: expected even numbers of rows and columns, found 3 and 3",
    );
    check_error(binairo, ".=.\n. .\n", "1:2: expected cells only, found `=`");
    let str8ts = &str8ts::KIND;
    check_error(
        str8ts,
        ". .\n. x3\n",
        "2:3: expected `.`, `x`, a digit up to 2 or `x` and a digit, found `x3`",
    );
}
