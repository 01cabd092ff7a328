//! Reads covers, pieces and queens in the notations of forum questions, tutorials and other
//! programs.

use crate::command::{check, run};

/// Checks the solutions that `list` prints for a text whose format it must recognize.
fn lists(text: &str, solutions: &str) {
    let ran = run("list --quiet", text);
    assert_eq!((ran.out.as_str(), ran.err.as_str()), (solutions, ""), "{text}");
}

/// Checks the first line of the error message for a text.
fn refuses(text: &str, message: &str) {
    let ran = run("list", text);
    assert_eq!((ran.err.lines().next(), ran.code), (Some(message), 2), "{text}{}", ran.out);
}

#[test]
fn dictionary_literals_of_programs_are_read_as_covers() {
    let named = "| B, D, F\n1 4\n3 5 6\n2 7\n";
    let dictionary =
        "{'A': [1, 4, 7], 'B': [1, 4], 'C': [4, 5, 7], 'D': [3, 5, 6], 'E': [2, 3, 6, 7], 'F': [2, 7]}";
    lists(&format!("Y = {dictionary}\n"), named);
    lists(
        &format!(
            "# a comment\n\nX = {{1, 2, 3, 4, 5, 6, 7}}\nY: dict = {}\n",
            dictionary.replace(", '", ",  # x\n '")
        ),
        named,
    );
    lists(&dictionary.replace('[', "{").replace(']', ",}"), named);
    lists(&dictionary.replace('[', "(").replace(']', ")"), named);
    lists(&format!("```python\n{dictionary}\n```\n"), named);
    lists(&dictionary.replace("':", "' =>"), named);
    lists(
        "A = {1, 4, 7}\nB = {1, 4}\nC = {4, 5, 7}\nD = {3, 5, 6}\nE = {2, 3, 6, 7}\nF = {2, 7}\n",
        named,
    );
    lists("A: 1 4 7\nB: 1, 4\nC: 4 5 7  # x\nD: 3 5 6\nE: 2 3 6 7\nF: 2 7\n", named);
    lists(
        "[('A', {1, 4, 7}), ('B', {1, 4}), ('C', {4, 5, 7}), ('D', {3, 5, 6}), ('F', {2, 7})]",
        named,
    );
    lists("[[0,[1,4,7]],[1,[1,4]],[2,[3,5,6]],[3,[2,7]]]", "| 1, 2, 3\n1 4\n3 5 6\n2 7\n");
    lists("DLXMatrix([[1,[1,2,3]],[2,[1,3]],[3,[2]]])", "| 1\n1 2 3\n\n| 2, 3\n1 3\n2\n");

    let rows = "3\n1 2\n4\n";
    lists("np.array([[0, 0, 1, 0], [1, 1, 0, 0], [0, 0, 0, 1]])", rows);
    lists(
        "import numpy as np\nm = np.array([[0, 0, 1, 0],\n  [1, 1, 0, 0],\n  [0, 0, 0, 1]], dtype=np.int8)\n",
        rows,
    );
    lists("((0, 0, 1, 0), (1, 1, 0, 0), (0, 0, 0, 1,),)", rows);
    lists(
        "[[False, False, True, False], [True, True, False, False], [False, False, False, True]]",
        rows,
    );
    lists(
        "int[,] m = new int[3, 4] {\n {0, 0, 1, 0}, // one\n {1, 1, 0, 0},\n {0, 0, 0, 1}\n};\n",
        rows,
    );
    lists("const int m[3][4] = {{0, 0, 1, 0}, {1, 1, 0, 0}, {0, 0, 0, 1}};", rows);
    lists("vec![vec![0, 0, 1, 0], vec![1, 1, 0, 0], vec![0, 0, 0, 1]]", rows);
    lists("[[0. 0. 1. 0.]\n [1. 1. 0. 0.]\n [0. 0. 0. 1.]]\n", rows);
    lists("A = [0, 0, 1, 0]\nB = [1, 1, 0, 0]\nC = [0, 0, 0, 1]\n", &format!("| A, B, C\n{rows}"));
}

#[test]
fn matrices_of_many_languages_are_read_as_covers() {
    let rows = "3\n1 2\n4\n";
    lists("[0 0 1 0; 1 1 0 0; 0 0 0 1]", rows);
    lists("A = [0, 0, 1, 0; 1, 1, 0, 0; 0, 0, 0, 1];\n", rows);
    lists("A = [0 0 1 0;\n     1 1 0 0;\n     0 0 0 1;];\n", rows);
    lists("A = [0 0 1 0; ...\n     1 1 0 0; ...\n     0 0 0 1];\n", rows);
    lists("torch.tensor([[0, 0, 1, 0], [1, 1, 0, 0], [0, 0, 0, 1]])", rows);
    lists("csr_matrix([[0, 0, 1, 0], [1, 1, 0, 0], [0, 0, 0, 1]], dtype=bool)", rows);
    lists("$m = array(array(0, 0, 1, 0), array(1, 1, 0, 0), array(0, 0, 0, 1));", rows);
    lists("rbind(c(0, 0, 1, 0), c(1, 1, 0, 0), c(0, 0, 0, 1))", rows);
    let cells = "0 & 0 & 1 & 0 \\\\\n1 & 1 & 0 & 0 \\\\ \\hline\n0 & 0 & 0 & 1";
    lists(&format!("\\begin{{pmatrix}}\n{cells}\n\\end{{pmatrix}}\n"), rows);
    lists(&format!("$$\\left(\\begin{{array}}{{cccc}}\n{cells}\n\\end{{array}}\\right)$$\n"), rows);
    let line = cells.replace('\n', " ").replace(" \\hline", "");
    lists(&format!("\\begin{{bmatrix}} {line} \\end{{bmatrix}}"), rows);
    lists(",a,b\nA,TRUE,FALSE\nB,FALSE,TRUE\n", "| A, B\na\nb\n");
    let named = "| A, B\n1 2\n3\n";
    lists("list(A=c(1, 2), B=c(3))", named);
    lists("Dict(\"A\" => [1, 2], \"B\" => [3])", named);
    lists("{:A => [1, 2], :B => [3]}", named);
    lists("OrderedDict([('A', [1, 2]), ('B', [3])])", named);
    lists("std::vector<std::vector<int>> m{{0, 0, 1, 0}, {1, 1, 0, 0}, {0, 0, 0, 1}};", rows);
    lists("m := [][]int{{0, 0, 1, 0}, {1, 1, 0, 0}, {0, 0, 0, 1}}\n", rows);
    lists("val m = listOf(listOf(0, 0, 1, 0), listOf(1, 1, 0, 0), listOf(0, 0, 0, 1))", rows);
    // A matrix of R is filled by columns.
    lists("m <- matrix(c(0, 1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1), nrow=3)\n", rows);
    lists("matrix(c(0, 0, 1, 0, 1, 1, 0, 0, 0, 0, 0, 1), ncol=4, byrow=TRUE)", rows);
    lists("Map<String, List<Integer>> m = Map.of(\"A\", List.of(1, 2), \"B\", List.of(3));", named);
    lists("map[string][]int{\"A\": {1, 2}, \"B\": {3}}", named);
    lists("<|\"A\" -> {1, 2}, \"B\" -> {3}|>", named);
    lists("X = set(range(1, 4))\nY = {'A': [1, 2], 'B': [3]}\n", named);
    lists("| 0 | 0 | 1 | 0 |\n|---|---|---|---|\n| 1 | 1 | 0 | 0 |\n| 0 | 0 | 0 | 1 |\n", rows);
    lists(
        "<table><tr><td>1<td>0<td>0<td>0<td>0<tr><td>0<td>1<td>1<td>1<td>1</table>\n",
        "1\n2 3 4 5\n",
    );
    for wrong in ["nrow=zzz", "nrow=3, byrow=zzz", "nrow=3, zzz=1", "nrow=5"] {
        let ran = run("count", &format!("matrix(c(0, 1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1), {wrong})"));
        assert_eq!(ran.code, 2, "{wrong}: {}{}", ran.out, ran.err);
    }
    refuses(
        "\\begin{bmatrix} 1 & 0 \\\\ 0 & 1 \\end{bmatrix}\n1 x\n",
        "standard input:2:3: expected an item, found `x` (no format is recognized; cover comes nearest)",
    );
    // A digit other than 0 and 1 is refused at its position.
    refuses(
        "\\begin{matrix}\n0 & 1 \\\\\n2 & 0 \\\\\n1 & 0\n\\end{matrix}\n",
        "standard input: expected puzzles, found a text in no known format (`farandole puzzles` lists them, --from names one)",
    );
}

#[test]
fn row_names_of_a_table_appear_in_the_solutions() {
    let solutions = "| B, C\na\nb c\n";
    lists(",a,b,c\nA,1,1,0\nB,1,0,0\nC,0,1,1\n", solutions);
    lists("name;a;b;c\nA;1;1;\nB;1;;\nC;;1;1\n", solutions);
    lists("\ta\tb\tc\nA\t1\t1\t0\nB\t1\t0\t0\nC\t0\t1\t1\n", solutions);
    lists("  a b c\nA 1 1 0\nB 1 0 0\nC 0 1 1\n", solutions);
    lists(
        "|   | a | b | c |\n|---|:-:|---|---|\n| A | 1 | 1 | 0 |\n| B | 1 | 0 | 0 |\n| C | 0 | 1 | 1 |\n",
        solutions,
    );
    lists("a,b,c\n1,1,0\n1,0,0\n0,1,1\n", "a\nb c\n");
    lists("A,1,1,0\nB,1,0,0\nC,0,1,1\n", "| B, C\n1\n2 3\n");
    refuses(",a,b\nA,1,0\nA,0,1\n", "standard input:3:1: expected the name `A` once, found it again");
}

#[test]
fn a_first_line_of_one_number_is_the_number_of_items() {
    check("count", "30\n1 2 3\n4 5\n", "0\n", 1);
    let ran = run("count", "5\n1 2 3\n4 5\n1 2\n3\n");
    let note = "puzzle 1: `5` in the first line is read as the number of items\n";
    assert_eq!((ran.out.as_str(), ran.err.as_str()), ("2\n", note));
    check("count --quiet", "4\n0 1\n2 3\n0 2\n1 3\n", "2\n", 0);
}

#[test]
fn a_malformed_cover_is_refused_with_its_position() {
    refuses(
        "Y = {'A': [1, 4], 'B': [2]\n",
        "standard input:2:1: expected an option, an item or a bracket, found the end of the text",
    );
    refuses(
        "Y = {'A': [1, 4], 'A': [2]}",
        "standard input:1:19: expected the key `A` once, found it again (first on line 1)",
    );
    let twice = run("list", "{\"A\": [1, 4], \"A\": [2]}");
    assert!(twice.err.contains("expected each key once, found `A` again"), "{}", twice.err);
    refuses(
        "X = {1, 2}\nY = {'A': [1, 2], 'B': [3]}",
        "standard input:2:25: expected one of the items that are listed, found `3`",
    );
    refuses("Y = {'A': [1, 1]}", "standard input:1:15: the option names item `1` twice");
    refuses(
        "Y = {'A': sorted(3), 'B': [1]}",
        "standard input:1:11: expected options or items, found the call `sorted`",
    );
    refuses(
        "{\"A\": [1, 4], \"options\": [[1]], \"costs\": [1], \"cost\": 2}",
        "standard input:1:2: expected one of the keys `items`, `secondary`, `options`, `costs`, found `A`",
    );
}

#[test]
fn queens_are_read_from_lists_and_fen() {
    let board = ". Q . .\n. . . Q\nQ . . .\n. . Q .\n";
    lists("[1, 3, 0, 2]", board);
    lists("(2, 4, 1, 3)", board);
    lists("1Q2/3Q/Q3/2Q1", board);
    lists("1q2/3q/q3/2q1 w - - 0 1\n", board);
    lists("[1, 3, 0, 2]\n[2, 0, 3, 1]\n", &format!("{board}\n. . Q .\nQ . . .\n. . . Q\n. Q . .\n"));
    let ran = run("solve", "[2, 4, 1, 3]");
    assert!(ran.err.contains("counted from 1"), "{}", ran.err);
    check("count --quiet --puzzle queens", "8/3Q4/8/8/8/8/8/8", "8\n", 0);
    check("count --quiet", "[0, 4, 7, 5, 2, 6, 1, 1]", "0\n", 1);
    refuses(
        "# puzzle: queens\n[0, 4, 9, 5]",
        "standard input:2:5: expected a column from 0 to 3, one for each of 4 rows, found `4`",
    );
    refuses(
        "# puzzle: queens\n1Q2/3Q/Q3/2Q",
        "standard input:2:11: expected 4 cells in a rank, found 3",
    );
    refuses(
        "# puzzle: queens\n1Q2/3Q/Q3/2Q1 x",
        "standard input:2:15: expected the end of the ranks or the fields of a FEN, found `x`",
    );
}

#[test]
fn letter_drawings_are_read_as_pieces() {
    let column = "A\nA\nAA\n\nBB\nBB\n\n C\nCCC\n";
    let beside = "A  BB  C\nA  BB CCC\nAA\n";
    let counted = |text: &str| run("count --quiet", text).out;
    let expected = counted("piece A\n#\n#\n##\n\npiece B\n##\n##\n\npiece C\n.#.\n###\n\nboard 3x4\n");
    for pieces in [column, beside] {
        assert_eq!(counted(&format!("{pieces}\nboard 3x4\n")), expected, "{pieces}");
        assert_eq!(counted(&format!("pieces\n{pieces}\nboard 3x4\n")), expected, "{pieces}");
        let ran = run("count", pieces);
        assert_eq!(ran.out, expected, "{pieces}");
        assert!(ran.err.contains("cover 3x4"), "{}", ran.err);
    }
    refuses(
        "pieces\nAA\n\nBBA\n\nboard 1x5\n",
        "standard input:4:3: piece `A` is defined twice (first on line 2)",
    );
    refuses(
        "pieces\nAAB A\n\nboard 1x5\n",
        "standard input:2:5: expected the piece `A` in one part, found a second part",
    );
    check("count --quiet --puzzle polyomino pentominoes?:5x5", "", "856\n", 0);
}

#[test]
fn each_region_in_a_list_of_shapes_and_regions_is_a_puzzle() {
    let text = "0:\n##\n#.\n\n1:\n##\n\n2x2: 1 0\n3x3: 2 1\n2x2: 1 1\n";
    let ran = run("solve --quiet", text);
    assert_eq!(ran.out.matches("tiling").count(), 2, "{ran:?}");
    assert_eq!(
        (run("count --names --quiet", text).out.lines().last(), ran.code),
        (Some("0\tstandard input:10"), 1)
    );
    refuses("0:\n##\n\n2x2: 1 0\n", "standard input:4:9: expected 1 numbers (one per shape), found 2");
}

#[test]
fn a_csv_file_with_names_is_read_as_a_cover() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("matrix.csv");
    std::fs::write(&path, ",1,2,3\nA,1,0,1\nB,0,1,0\nC,1,1,0\n").expect("written");
    let ran = run(&format!("solve {}", path.display()), "");
    assert_eq!((ran.out.as_str(), ran.code), ("| A, B\n1 3\n2\n", 0), "{}", ran.err);
}

#[test]
fn a_matrix_with_a_wrong_digit_is_refused_as_a_matrix() {
    for text in ["110\n002\n", "110\n102\n", "110\n112\n"] {
        let ran = run("count --puzzle cover", text);
        assert_eq!(ran.code, 2, "{text}{}", ran.out);
        assert!(ran.err.contains("expected `0` or `1`, found `2`"), "{text}{}", ran.err);
    }
}

/// Checks that two texts have the same count, and that the first one gives exactly the notes
/// `notes`.
fn counts_as(text: &str, other: &str, notes: &str) {
    let (ran, expected) = (run("count", text), run("count --quiet", other));
    assert_eq!((&*ran.out, ran.code, &*ran.err), (&*expected.out, expected.code, notes), "{text}");
}

const GRID: &str = "1 2 . .\n. . . .\n. . . .\n. . 2 1\n";

#[test]
fn quote_marks_and_brackets_around_cells_are_ignored() {
    let quoted = |mark: &str| GRID.lines().map(|line| format!("{mark}{line}\n")).collect::<String>();
    counts_as(&quoted("> "), GRID, "");
    counts_as(&quoted(">"), GRID, "");
    counts_as(&quoted("> > "), GRID, "");
    let line = GRID.replace([' ', '\n'], "");
    counts_as(&format!("> {line}\n>\n> {line}\n"), &format!("{line}\n{line}\n"), "");
    let bracketed = GRID
        .replace(". ", "[ ]")
        .replace(".\n", "[ ]\n")
        .replace("1 2 ", "[1][2]")
        .replace("2 1", "[2][1]");
    counts_as(&bracketed, GRID, "");
    let pieces = "[a]\n[a][a]\n\n[b][b]\n\n   [c]\n[c][c]\n\nboard 2x4\n";
    counts_as(pieces, "A\nAA\n\nBB\n\n C\nCC\n\nboard 2x4\n", "");
    // Quote marks before some lines only are not removed.
    assert_eq!(run("count", "> 1 2 . .\n. . . .\n. . . .\n> . . 2 1\n").code, 2);
}

#[test]
fn tables_copied_from_web_pages_are_read_as_grids_and_matrices() {
    let cells = |row: &str| {
        row.split(' ').map(|cell| format!("<td>{}</td>", cell.trim_matches('.'))).collect::<String>()
    };
    let rows: String = GRID.lines().map(|row| format!("<tr>{}</tr>\n", cells(row))).collect();
    counts_as(&format!("<table class=\"grid\">\n{rows}</table>\n"), GRID, "");
    counts_as(&format!("<table><tbody>{}</tbody></table>", rows.replace('\n', "")), GRID, "");
    let two = format!("<table>{rows}</table>\n<table>{rows}</table>\n");
    counts_as(&two, &format!("{GRID}\n{GRID}"), "");
    counts_as(
        "<table><tr><th></th><th>a</th><th>b</th></tr><tr><th>A</th><td>1</td><td>0</td></tr>\
         <tr><th>B</th><td>0</td><td>1</td></tr></table>",
        "|   | a | b |\n| A | 1 | 0 |\n| B | 0 | 1 |\n",
        "",
    );
    refuses(
        "<table><tr><td><table><tr><td>1</td></tr></table></td></tr></table>",
        "standard input:1:16: expected cells without tables in them, found a table",
    );
}

#[test]
fn code_around_a_list_is_noted_if_it_cannot_change_the_list() {
    let list = "[[1,2,0,0],[0,0,0,0],[0,0,0,0],[0,0,2,1]]";
    let note = |line: usize, text: &str| {
        format!("standard input:{line}:1: not used: a line of code `{text}`\n")
    };
    counts_as(&format!("board = {list}\nprint(board)\n"), GRID, &note(2, "print(board)"));
    counts_as(
        &format!("```python\nboard = {list}\n\nsolve(board)\nfor row in board:\n    print(row)\n```\n"),
        GRID,
        "standard input:4:1: not used: a line of code `solve(board)` (and 2 more)\n",
    );
    counts_as(
        &format!("const grid = {list};\nconsole.log(solve(grid));\n"),
        GRID,
        &note(2, "console.log(solve(grid));"),
    );
    // A line of code that may change the list is refused.
    for line in ["board[0][2] = 3", "board.reverse()", "board.append([1, 2, 3, 4])"] {
        assert_eq!(run("count", &format!("board = {list}\n{line}\n")).code, 2, "{line}");
    }
}

#[test]
fn game_ids_whose_only_parameter_is_an_order_are_refused_by_name() {
    let unequal = "0,0U,0,3,".to_owned() + &"0,".repeat(12);
    let towers = "3/2/1//2/3/4/1//1////2/3/,3a2b1";
    for id in [format!("4:{unequal}"), format!("4:{towers}"), "4:a3__a_3b,a12m6s1d2".to_owned()] {
        refuses(
            &id,
            "standard input: expected puzzles, found a game ID of Simon Tatham's puzzles, which is not read",
        );
    }
}
