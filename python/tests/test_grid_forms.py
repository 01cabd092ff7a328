"""The forms of a Sudoku in Python programs: each is solved in its form, or refused with the correct expression."""

from __future__ import annotations

import array
import io
import pickle
from typing import Any

import pytest

import farandole
from farandole import ParseError, sudoku

np = pytest.importorskip("numpy")

GRID = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
WRONG = "11" + "." * 79


def rows(line: str) -> list[str]:
    return [line[start : start + 9] for start in range(0, 81, 9)]


def numbers(line: str, blank: Any = 0) -> list[list[Any]]:
    return [[blank if cell == "." else int(cell) for cell in row] for row in rows(line)]


def framed(line: str) -> str:
    bands = ["\n".join("|".join([row[:3], row[3:6], row[6:]]) for row in rows(line)[band : band + 3]) for band in (0, 3, 6)]
    return "\n---+---+---\n".join(bands)


#: Functions that convert a line to each form.
FORMS: dict[str, Any] = {
    "line": str,
    "line of a file": lambda line: line + "\n",
    "line with spaces": lambda line: line.replace(".", " "),
    "nine lines with spaces": lambda line: "\n".join(rows(line.replace(".", " "))),
    "bytes": str.encode,
    "nine lines": lambda line: "\n".join(rows(line)),
    "nine lines of a file": lambda line: "\r\n".join(rows(line)) + "\r\n",
    "lists of numbers": numbers,
    "lists with None": lambda line: numbers(line, None),
    "lists with empty texts": lambda line: numbers(line, ""),
    "tuples of numbers": lambda line: tuple(map(tuple, numbers(line))),
    "lists of characters": lambda line: list(map(list, rows(line))),
    "lists of characters with spaces": lambda line: list(map(list, rows(line.replace(".", " ")))),
    "flat list": lambda line: sum(numbers(line), []),
    "flat list of characters": list,
    "nine texts": rows,
    "nine texts with spaces": lambda line: rows(line.replace(".", " ")),
    "generator": lambda line: iter(numbers(line)),
    "array": lambda line: np.array(numbers(line)),
    "array of floats": lambda line: np.array(numbers(line), dtype=float),
    "array with not-a-number": lambda line: np.array(numbers(line, float("nan"))),
    "flat array": lambda line: np.array(numbers(line), dtype="u1").reshape(81),
    "array of characters": lambda line: np.array(list(map(list, rows(line)))),
    "array of bytes": lambda line: np.array(list(map(list, rows(line))), dtype="S1"),
    "array of objects": lambda line: np.array(numbers(line, None), dtype=object),
    "array of nine texts": lambda line: np.array(rows(line)),
    "list of arrays": lambda line: list(np.array(numbers(line))),
    "array of the array module": lambda line: array.array("i", sum(numbers(line), [])),
    "memory": lambda line: memoryview(bytes(sum(numbers(line), []))),
}
TABLES: dict[str, Any] = {
    "pandas": lambda pandas, line: pandas.DataFrame(numbers(line)),
    "pandas, some blank": lambda pandas, line: pandas.DataFrame(numbers(line, None), columns=list("ABCDEFGHI")),
    "pandas, nullable": lambda pandas, line: pandas.DataFrame(numbers(line, None)).astype("Int64"),
    "pandas, flat": lambda pandas, line: pandas.Series(sum(numbers(line), [])),
    "pandas, nine texts": lambda pandas, line: pandas.Series(rows(line)),
    "polars": lambda polars, line: polars.DataFrame(numbers(line), orient="row"),
    "polars, some blank": lambda polars, line: polars.DataFrame(numbers(line, None), orient="row"),
}


def digits(answer: Any) -> str:
    """Returns the digits of an answer of any form."""
    if hasattr(answer, "columns"):
        answer = answer.to_numpy()
    if isinstance(answer, (bytes, memoryview)):
        answer = bytes(answer)
        return "".join(answer.decode().split()) if answer[:1].isdigit() else "".join(map(str, answer))
    if isinstance(answer, str):
        return "".join(answer.split())
    if hasattr(answer, "__iter__"):
        return "".join(map(digits, answer))
    return str(int(answer))


@pytest.mark.parametrize("form", FORMS.values(), ids=list(FORMS))
def test_the_solution_of_a_grid_has_the_container_type_of_the_grid(form: Any) -> None:
    answer = sudoku.solve(form(GRID))
    assert digits(answer) == SOLVED
    assert digits(sudoku.solve(form(SOLVED))) == SOLVED
    expected = form(SOLVED)
    if not isinstance(expected, (str, bytes)) and not hasattr(expected, "__next__"):
        assert type(answer) is type(expected) or isinstance(expected, array.array)
        assert getattr(answer, "shape", None) == getattr(expected, "shape", None)
    assert sudoku.solve(form(WRONG)) is None
    assert (sudoku.count(form(GRID)), sudoku.count(form("." * 81), limit=7), sudoku.is_unique(form(GRID))) == (1, 7, True)


@pytest.mark.parametrize("form", TABLES.values(), ids=list(TABLES))
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_grid_in_a_table_is_solved_as_a_table(form: Any, request: Any) -> None:
    package = pytest.importorskip(request.node.callspec.id.split(",")[0])
    answer = sudoku.solve(form(package, GRID))
    assert digits(answer) == SOLVED
    assert type(answer) is type(form(package, GRID))
    if hasattr(answer, "columns"):
        assert list(answer.columns) == list(form(package, GRID).columns)
    assert sudoku.solve(form(package, WRONG)) is None
    assert sudoku.count(form(package, GRID)) == 1


@pytest.mark.parametrize("form", FORMS.values(), ids=list(FORMS))
def test_many_grids_in_any_container_are_solved_in_order(form: Any) -> None:
    def make() -> list[Any]:
        return [form(line) for line in (GRID, WRONG, SOLVED)]

    answers = sudoku.solve_many(make())
    assert (digits(answers[0]), answers[1], digits(answers[2])) == (SOLVED, None, SOLVED)
    assert sudoku.count_many(make()) == [1, 0, 1]
    assert sudoku.count_many(iter(make())) == [1, 0, 1]


def test_columns_and_arrays_of_grids_have_answers_of_the_same_form() -> None:
    grids, solved = [GRID, WRONG, GRID], [SOLVED, None, SOLVED]
    for dtype in [None, object, "S81"]:
        answers = sudoku.solve_many(np.array(grids, dtype=dtype))
        assert (answers.shape, answers.dtype) == ((3,), np.array(grids, dtype=dtype).dtype)
        assert [digits(answer) if answer else None for answer in answers] == solved
    characters = sudoku.solve_many(np.array([list(grid) for grid in grids]))
    assert (characters.shape, characters.dtype, "".join(characters[0]), "".join(characters[1])) == ((3, 81), "<U1", SOLVED, "")
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"quizzes": grids, "solutions": [SOLVED] * 3}, index=[7, 8, 9])
    column = sudoku.solve_many(frame["quizzes"])
    assert (list(column.index), column.name, [answer or None for answer in column]) == ([7, 8, 9], "quizzes", solved)
    with pytest.raises(TypeError, match='a column of grids is `frame\\["name"\\]`'):
        sudoku.solve_many(frame)
    with pytest.raises(TypeError, match=r"expected a grid as grids\[1\], found "):
        sudoku.solve_many(pandas.Series([GRID, None]))
    polars = pytest.importorskip("polars")
    assert sudoku.solve_many(polars.Series("quizzes", grids)).to_list() == solved
    arrow = pytest.importorskip("pyarrow")
    assert sudoku.solve_many(arrow.chunked_array([grids])) == solved


def test_grids_in_any_format_of_the_program_are_accepted() -> None:
    assert "".join(filter(str.isdigit, sudoku.solve(framed(GRID)) or "")) == SOLVED
    assert sudoku.count(framed(GRID)) == 1
    assert sudoku.solve(framed(WRONG)) is None
    assert sudoku.count(framed("." * 81), limit=3) == 3
    assert sudoku.count(str(numbers(GRID))) == 1
    assert sudoku.solve("# rules: diagonals\n" + framed(GRID)) is None
    assert sudoku.solve("1...\n..3.\n.4..\n...2") == "1324\n4231\n2413\n3142"
    assert sudoku.count("# puzzle: variant\n# thermo: r1c1 r1c2 r1c3\n....\n....\n....\n....") == 48
    with pytest.raises(ParseError, match="expected one puzzle, found more"):
        sudoku.count("1...............\n..............12\n")


FOUR = [[1, 0, 0, 0], [0, 0, 3, 0], [0, 4, 0, 0], [0, 0, 0, 2]]
SOLVED_FOUR = [[1, 3, 2, 4], [4, 2, 3, 1], [2, 4, 1, 3], [3, 1, 4, 2]]


def test_a_grid_of_another_size_is_answered_in_its_form() -> None:
    assert sudoku.solve(FOUR) == SOLVED_FOUR
    assert sudoku.solve(tuple(map(tuple, FOUR))) == tuple(map(tuple, SOLVED_FOUR))
    assert sudoku.solve(sum(FOUR, [])) == sum(SOLVED_FOUR, [])
    assert sudoku.solve(["1...", "..3.", ".4..", "...2"]) == ["1324", "4231", "2413", "3142"]
    assert sudoku.solve([["1", "", " ", None], ["", "", "3", ""], [".", "4", "", ""], ["", "", "", "2"]])[0] == list("1324")  # type: ignore[index]
    assert sudoku.solve("1.....3..4.....2") == "1324423124133142"
    assert sudoku.solve(b"1.....3..4.....2") == b"1324423124133142"
    for array in (np.array(FOUR), np.array(FOUR, dtype="u1"), np.array(FOUR).reshape(-1)):
        solved = sudoku.solve(array)
        assert solved is not None and solved.dtype == array.dtype and solved.shape == array.shape
        assert solved.reshape(4, 4).tolist() == SOLVED_FOUR
    large = [[(row * 4 + row // 4 + column) % 16 + 1 for column in range(16)] for row in range(16)]
    blank = [[0 if row == column else cell for column, cell in enumerate(cells)] for row, cells in enumerate(large)]
    assert sudoku.solve(blank) == large and sudoku.is_unique(np.array(blank))
    assert sudoku.solve([[1, 1, 0, 0], *FOUR[1:]]) is None
    assert sudoku.count([[0] * 6] * 6) == 28200960
    pandas = pytest.importorskip("pandas")
    frame = sudoku.solve(pandas.DataFrame(FOUR, columns=list("abcd")))
    assert frame.to_numpy().tolist() == SOLVED_FOUR and list(frame.columns) == list("abcd")
    for wrong in ([[5, 0, 0, 0], *FOUR[1:]], [[-1, 0, 0, 0], *FOUR[1:]], np.zeros((5, 5), dtype=int), [[0] * 7] * 7):
        with pytest.raises((ValueError, TypeError)):
            sudoku.solve(wrong)


def test_blank_lines_and_comments_are_skipped() -> None:
    text = f"\n# a comment\n{GRID}\n\n  {WRONG}\t\n# another\n{SOLVED}\n\n"
    assert sudoku.solve_many(text) == f"{SOLVED}\n\n{SOLVED}\n"
    assert sudoku.solve_many(text.encode()) == f"{SOLVED}\n\n{SOLVED}\n".encode()
    assert sudoku.count_many(text.replace("\n", "\r\n")) == [1, 0, 1]
    assert sudoku.solve_many("# nothing\n\n") == ""
    for said in ["# rules: diagonals", "# puzzle: latin", "# boxes: 2x2", "# killer: r1c1 r1c2 = 3"]:
        with pytest.raises(ParseError, match="`farandole.read_text` reads grids with rules") as raised:
            sudoku.solve_many(f"{GRID}\n{said}\n{GRID}\n")
        assert raised.value.line == 2
    with pytest.raises(ParseError, match="line 4, column 3: .* found `O`"):
        sudoku.solve_many(f"# one\n{GRID}\n\n  O{GRID[1:]}\n")


@pytest.mark.parametrize(
    ("expected", "grid"),
    [
        ("line 1, column 3: expected a digit 1-9 or a blank such as `.`, found `O`", GRID.replace(".", "O")),
        ("line 1, column 10: expected a digit 1-9 or a blank such as `.`, found `l`", GRID[:9] + "l" + GRID[10:]),
        ("line 2, column 1: expected a digit 1-9 or a blank such as `.`, found `l`", "\n".join(rows(GRID[:9] + "l" + GRID[10:]))),
        (r"found `\u{1f}`", "\x1f" + GRID[1:]),
        ("row 2, column 1: expected a digit 1-9 or a blank such as `.`, found 'O'", rows(GRID[:9] + "O" + GRID[10:])),
        ("row 2, column 1: expected a digit 1-9 or a blank such as `.`, found 'l'", list(GRID[:9] + "l" + GRID[10:])),
        ("row 1, column 3: expected a digit 1-9 or a blank such as `.`, found 10", [[5, 3, 10, *[0] * 6]] + [[0] * 9] * 8),
        ("row 1, column 1: expected a digit 1-9 or a blank such as `.`, found -1", [-1] + [0] * 80),
        ("row 1, column 1: expected a digit 1-9 or a blank such as `.`, found True", [True] + [0] * 80),
        ("row 1, column 1: expected a digit 1-9 or a blank such as `.`, found 0.5", [0.5] + [0] * 80),
        ("row 1, column 1: expected a digit 1-9 or a blank such as `.`, found [1, 2]", [[1, 2]] + [0] * 80),
        ("row 1, column 1: expected a digit 1-9 or a blank such as `.`, found '٣'", ["٣"] + [0] * 80),
        ("column 2: expected a digit 1-9 or a blank such as `.`, found ` `", " ".join(SOLVED[:41])),
        ("found ` `", SOLVED[:40] + ". " + SOLVED[42:]),
        ("row 9: expected 9 cells, found 8", [[0] * 9] * 8 + [[0] * 8]),
        ("row 1: expected 9 cells, found the text '1 2 3 4 5'", ["1 2 3 4 5"] * 9),
        ("row 1: expected 9 cells in their order, found set", [set(range(1, 10))] * 9),
        ("found set: a grid is a text, a list or an array", {1, 2}),
        ("found dict: a grid is a text, a list or an array", {(0, 0): 5}),
        ("expected a grid, found None", None),
        ("expected a grid, found 7", 7),
        ("a number has no zeros before it; read it as a text", int(SOLVED)),
        ("found 163: `farandole.read_text` reads", f"{GRID},{SOLVED}"),
        ("`solve_many` and `count_many` take several grids", [GRID]),
        ("`solve_many` and `count_many` take several grids", np.array([GRID])),
        ("`solve_many` and `count_many` take several grids", f"{GRID}\n{GRID}"),
        ("`solve_many` and `count_many` take several grids", np.zeros((2, 81), dtype=int)),
        ("found masked ones", np.ma.masked_array(np.zeros((9, 9), dtype=int), mask=np.eye(9, dtype=bool))),
        ("found 10 in row 1 and column 2 of grid 0", np.array([0, 10] + [0] * 79)),
    ],
)
def test_invalid_grids_are_refused_with_the_cell_or_an_alternative(expected: str, grid: Any) -> None:
    for question in (sudoku.solve, sudoku.count, sudoku.is_unique):
        with pytest.raises((ValueError, TypeError)) as raised:
            question(grid)
        assert expected in str(raised.value)
        assert "\x1f" not in str(raised.value)


def test_an_error_in_a_list_of_grids_names_the_grid() -> None:
    with pytest.raises(ParseError) as raised:
        sudoku.solve_many([GRID, "O" + GRID[1:]])
    assert (raised.value.line, raised.value.column, raised.value.place) == (2, 1, "grids[1]")
    with pytest.raises(ParseError) as raised:
        sudoku.solve_many([numbers(GRID), [["O", *"........"]] + [[0] * 9] * 8])
    assert (raised.value.line, raised.value.column, raised.value.place) == (2, 1, "grids[1], row 1")
    again = pickle.loads(pickle.dumps(raised.value))
    assert (str(again), again.place) == (str(raised.value), "grids[1], row 1")
    for grids, way in [({GRID}, "sorted"), ({1: GRID}, "values"), ([f"# comment"], "comments may stand in one text")]:
        with pytest.raises((TypeError, ValueError), match=way):
            sudoku.solve_many(grids)
    for one in (numbers(GRID), rows(GRID)):
        with pytest.raises(ParseError, match="`solve` and `count` take one grid"):
            sudoku.solve_many(one)
    with pytest.raises(ParseError, match="`farandole.read_text` reads grids of several lines"):
        sudoku.solve_many("\n".join(rows(GRID)))


def test_a_file_of_lines_is_read_as_a_list_of_grids() -> None:
    assert sudoku.solve_many(io.StringIO(f"{GRID}\n{GRID}\n")) == [SOLVED, SOLVED]
    assert [sudoku.solve(line) for line in io.StringIO(f"{GRID}\n{GRID}\n")] == [SOLVED, SOLVED]


def test_puzzles_of_any_size_are_built_from_lists_and_arrays() -> None:
    square = [[1, 0, 0, 0], [0, 0, 3, 0], [0, 4, 0, 0], [0, 0, 0, 2]]
    for what in [square, np.array(square), [["1", "", " ", None], ["", "", "3", ""], [".", "4", "", ""], ["", "", "", "2"]]]:
        assert farandole.puzzle("sudoku", what).count() == 1
    assert farandole.puzzle("sudoku", numbers(GRID)).count() == 1
    large = [[(row * 4 + row // 4 + column) % 16 + 1 for column in range(16)] for row in range(16)]
    large[0][0] = 0
    assert farandole.puzzle("sudoku", np.array(large)).count() == farandole.puzzle("sudoku", large).count() == 1
    pandas = pytest.importorskip("pandas")
    assert farandole.puzzle("sudoku", pandas.DataFrame(square)).count() == 1
    assert farandole.puzzle("sudoku", ["1...", "..3.", ".4..", "...2"]).count() == 1
    assert farandole.puzzle("sudoku", [1, *[0] * 5, 3, 0, 0, 4, *[0] * 5, 2]).count() == 1
    assert farandole.puzzle("sudoku", list("1.....3..4.....2")).count() == 1
    assert farandole.puzzle("queens", np.int64(6)).count() == 4
    for wrong in [None, True, 4.0, {1: 2}, [{1, 2}], [[True] * 4] * 4, [[-1, 0, 0, 0]] + [[0] * 4] * 3, [0] * 15]:
        with pytest.raises((TypeError, ValueError)):
            farandole.puzzle("sudoku", wrong)
