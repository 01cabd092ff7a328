"""9x9 Sudoku in grids of every form."""

from __future__ import annotations

from typing import Any

import pytest

from farandole import LimitReached, ParseError, sudoku

np = pytest.importorskip("numpy")

HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
SOLVED = "812753649943682175675491283154237896369845721287169534521974368438526917796318452"
WRONG = "11" + "." * 79


def cells(grid: str) -> Any:
    return np.array([int(cell.replace(".", "0")) for cell in grid], dtype=np.uint8)


def test_answers_have_the_same_container_type_as_the_input() -> None:
    assert sudoku.solve(HARD) == SOLVED
    assert sudoku.solve(HARD.encode()) == SOLVED.encode()
    assert sudoku.solve(WRONG) is None
    assert (sudoku.solve(cells(HARD)) == cells(SOLVED)).all()
    square = cells(HARD).reshape(9, 9).astype(np.int64)
    solved = sudoku.solve(square)
    assert (solved.shape, solved.dtype) == ((9, 9), np.int64)
    assert (solved.ravel() == cells(SOLVED)).all()
    view = sudoku.solve(memoryview(cells(HARD).tobytes()))
    assert view is not None
    assert bytes(view) == cells(SOLVED).tobytes()


def test_answers_to_many_grids_are_in_the_order_of_the_grids() -> None:
    grids = [HARD, WRONG, SOLVED] * 500
    solved = [SOLVED, None, SOLVED] * 500
    text = "\n".join(grids)
    for threads in [1, 3, None]:
        assert sudoku.solve_many(grids, threads=threads) == solved
    assert sudoku.solve_many([grid.encode() for grid in grids[:2]]) == [SOLVED.encode(), None]
    assert sudoku.solve_many(text) == "\n".join(line or "" for line in solved) + "\n"
    assert sudoku.solve_many((text + "\n").encode()) == sudoku.solve_many(text).encode()
    assert sudoku.solve_many(text.replace("\n", "\r\n")) == sudoku.solve_many(text)
    array = np.stack([cells(grid) for grid in grids])
    expected = np.stack([cells(line or "." * 81) for line in solved])
    assert (sudoku.solve_many(array) == expected).all()
    assert (sudoku.solve_many(array.reshape(-1, 9, 9)) == expected.reshape(-1, 9, 9)).all()
    assert (sudoku.solve_many(array[::2]) == expected[::2]).all()
    assert sudoku.count_many(grids) == sudoku.count_many(array) == [1, 0, 1] * 500


def test_an_empty_list_has_no_answers() -> None:
    assert sudoku.solve_many([]) == []
    assert sudoku.solve_many("") == ""
    assert sudoku.count_many(b"") == []
    assert sudoku.solve_many(np.zeros((0, 81), dtype=np.uint8)).shape == (0, 81)


def test_counts_are_exact_or_end_at_the_limit() -> None:
    empty = "." * 81
    assert sudoku.count(empty, limit=5) == 5
    assert sudoku.count_many([empty, HARD]) == [6670903752021072936960, 1]
    assert sudoku.count_many([empty] * 20, limit=2) == [2] * 20
    assert (sudoku.is_unique(HARD), sudoku.is_unique(empty), sudoku.is_unique(WRONG)) == (True, False, False)


def test_all_cell_characters_of_the_program_are_accepted() -> None:
    assert sudoku.solve(HARD.replace(".", "0")) == SOLVED
    for blank in "0*_-x?":
        assert sudoku.solve(HARD.replace(".", blank)) == SOLVED


@pytest.mark.parametrize(
    ("grids", "expected"),
    [
        (HARD[:80], "line 1, column 81: expected the 81 cells of a grid, found 80"),
        (f"{HARD}\n{HARD}1\n", "line 2, column 82: expected the 81 cells of a grid, found 82"),
        (f"{HARD}\n\n{HARD[:9]}\n", "line 3, column 10: expected the 81 cells of a grid, found 9: `farandole.read_text` reads"),
        (f"{HARD}\na{HARD[1:]}\n", "line 2, column 1: expected a digit 1-9 or a blank such as `.`, found `a`"),
        ([HARD, HARD[:80]], "grids[1], column 81: expected the 81 cells of a grid, found 80"),
        ([HARD, "a" + HARD[1:]], "grids[1], column 1: expected a digit 1-9 or a blank such as `.`, found `a`"),
        ([HARD[:40] + "\n" + HARD[41:]], "grids[0], column 41: expected the 81 cells of a grid, found 40"),
        (np.full((2, 81), 10, dtype=np.uint8), "found 10 in row 1 and column 1 of grid 0"),
        (np.full((2, 81), -1), "expected a digit from 0 to 9 in every cell, found -1"),
        (np.zeros((81,), dtype=np.uint8), "expected an array of the shape (n, 81) or (n, 9, 9), found (81,)"),
    ],
)
def test_invalid_grids_are_refused_with_their_position(grids: Any, expected: str) -> None:
    questions: list[Any] = [sudoku.solve_many, sudoku.count_many]
    for question in questions:
        with pytest.raises(ValueError) as raised:
            question(grids)
        assert expected in str(raised.value)


def test_a_single_invalid_grid_is_refused() -> None:
    for grid in [HARD + "\n" + HARD, HARD + "1", "", "é" * 81]:
        with pytest.raises(ParseError):
            sudoku.solve(grid)
    for wrong in [None, 7, [HARD, 7], object()]:
        with pytest.raises(TypeError):
            sudoku.solve_many(wrong)
    for wrong in [np.zeros(81, dtype=bool), np.zeros(81, dtype=complex)]:
        with pytest.raises(TypeError, match="whole numbers"):
            sudoku.solve(wrong)
    with pytest.raises(ValueError, match="found 0.5 in row 1 and column 1 of grid 0"):
        sudoku.solve(np.full(81, 0.5))


def test_a_time_limit_ends_a_count() -> None:
    with pytest.raises(LimitReached) as raised:
        sudoku.count("." * 9 + "1" + "." * 8 + "2" + "." * 62, time=0.0)
    assert raised.value.limit == "time"


def test_many_grids_may_have_a_time_limit() -> None:
    grids = [HARD, SOLVED] * 10
    assert sudoku.solve_many(grids, time=100) == [SOLVED] * 20
    assert sudoku.count_many(grids, time=100) == [1] * 20
    for ask in [sudoku.solve_many, sudoku.count_many]:
        with pytest.raises(LimitReached):
            ask(["." * 81] * 50_000, time=0)  # type: ignore[operator]
