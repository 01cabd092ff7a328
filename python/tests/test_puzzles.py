"""Puzzles of every kind: construction, reading, and printed solutions."""

from __future__ import annotations

import gzip
import pickle
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest

import farandole

#: A parameter of each kind, and its number of solutions.
KINDS = [
    ("sudoku", "2x2", 288),
    ("latin", "4", 576),
    ("queens", "6", 4),
    ("langford", "4", 2),
    ("polyomino", "dominoes:4x4", 36),
    ("cover", "a b\na\nb\na b\n", 2),
]
HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."


@pytest.mark.parametrize(("kind", "what", "count"), KINDS)
def test_every_kind_answers_every_question(kind: str, what: str, count: int) -> None:
    puzzle = farandole.puzzle(kind, what)
    assert puzzle.count() == count
    solutions = list(puzzle)
    assert len({solution.numbers for solution in solutions}) == count
    assert puzzle.solve() in solutions
    assert not puzzle.is_unique()
    assert [solution in solutions for solution in puzzle.sample(3, seed=1)] == [True] * 3
    assert sum(puzzle.per_option()) == sum(len(solution.numbers) for solution in solutions)
    assert puzzle.estimate(time=5).count == pytest.approx(count)
    assert [solution.cost for solution in puzzle.cheapest(2)] == [0, 0]
    assert puzzle.problem.count() == count
    assert pickle.loads(pickle.dumps(puzzle)).count() == count
    first = solutions[0]
    assert len(first.options) == len(first.numbers)
    for drawing in [puzzle._repr_svg_(), first._repr_svg_()]:
        assert drawing is not None
        assert ElementTree.fromstring(drawing).tag.endswith("svg")


def test_a_solution_is_formatted_like_the_puzzle() -> None:
    solution = farandole.puzzle("sudoku", HARD).solve()
    assert str(solution).startswith("812753649943682175")
    rows = "\n".join(HARD[start : start + 9] for start in range(0, 81, 9))
    assert str(farandole.puzzle("sudoku", rows).solve()).startswith("812753649\n943682175")


def test_clues_and_found_values_are_drawn_differently() -> None:
    puzzle = farandole.puzzle("sudoku", HARD)
    solution = puzzle.solve()
    assert solution is not None
    clues, whole = puzzle.to_svg() or "", solution.to_svg() or ""
    assert clues.count("<text") == 21
    assert (whole.count("<text"), whole.count('font-weight="bold"')) == (81, 21)


def test_pictures_are_light_or_dark() -> None:
    puzzle = farandole.puzzle("queens", "4")
    drawings = {puzzle.to_svg(theme) for theme in ["light", "dark", "auto"]}
    assert len(drawings) == 3 and puzzle.to_svg() in drawings
    with pytest.raises(ValueError, match="expected the theme light, dark or auto, found `gray`"):
        puzzle.to_svg("gray")


def test_the_puzzles_of_a_text_are_iterated_in_order() -> None:
    text = f"{HARD}\n{'x' * 5}\n{HARD}\n"
    puzzles = farandole.read_text(text, format="line")
    assert next(puzzles).is_unique()
    with pytest.raises(farandole.ParseError) as raised:
        next(puzzles)
    assert raised.value.line == 2
    assert next(puzzles).count() == 1
    assert next(puzzles, None) is None


def test_files_may_be_compressed(tmp_path: Path) -> None:
    path = tmp_path / "grids.txt.gz"
    path.write_bytes(gzip.compress(f"{HARD}\n".encode() * 3))
    assert [puzzle.count() for puzzle in farandole.read_file(path)] == [1, 1, 1]
    with pytest.raises(FileNotFoundError):
        farandole.read_file(tmp_path / "none.txt")
    with pytest.raises(FileNotFoundError):
        farandole.Problem.from_file(tmp_path / "none.txt")


def test_the_arguments_boxes_and_rules_take_effect() -> None:
    assert farandole.puzzle("sudoku", "6", boxes=(2, 3)).solve() is not None
    assert farandole.puzzle("sudoku", "4", rules="diagonals").count() == 48
    assert farandole.puzzle("sudoku", "4", rules=["diagonals"]).count() == 48
    with pytest.raises(ValueError, match="expected a rule"):
        farandole.puzzle("sudoku", "4", rules="nonsense")
    wrong: list[Any] = [{"boxes": "2x3"}, {"boxes": 2}, {"boxes": (2, 2, 2)}, {"boxes": (True, 4)}, {"rules": 5}, {"format": 5}]
    for named in wrong:
        with pytest.raises(TypeError, match="expected .* for `(boxes|rules|format)`, found"):
            farandole.puzzle("sudoku", "4", **named)
    with pytest.raises(TypeError, match="expected the name of a kind of puzzle, found None"):
        farandole.puzzle(None, "4")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("kind", "what", "expected"),
    [
        ("queen", "8", "did you mean `queens`?"),
        ("queens", "many", "expected a size from 1 to 256, found `many`"),
        ("queens", "", "expected"),
        ("sudoku", HARD[:80], "expected"),
        ("sudoku", HARD[:80] + "a", "expected a digit 1-9"),
        ("sudoku", f"{HARD}\n{HARD}", "expected one puzzle, found more"),
        ("polyomino", "6x11", "expected a board of 60 cells"),
        ("polyomino", "nonsense:6x10", "nonsense"),
    ],
)
def test_invalid_puzzles_are_refused_with_the_expected_input(kind: str, what: str, expected: str) -> None:
    with pytest.raises(ValueError) as raised:
        farandole.puzzle(kind, what)
    assert expected in str(raised.value)


def test_a_read_puzzle_can_be_pickled_unless_its_file_changed(tmp_path: Path) -> None:
    text = "# boxes: 2x2\n1...............\nno grid\n..............12\n"
    file = tmp_path / "grids.txt"
    file.write_text(text)
    for puzzles in [farandole.read_text(text), farandole.read_file(file)]:
        assert next(puzzles).count() == 72
        with pytest.raises(farandole.ParseError):
            next(puzzles)
        third = next(puzzles)
        again = pickle.loads(pickle.dumps(third))
        assert again.count() == third.count() == 24
        # Unpickling works repeatedly.
        assert str(pickle.loads(pickle.dumps(again)).solve()) == str(third.solve())
    file.write_text(text.replace("12", "13"))
    with pytest.raises(ValueError, match="found that it was changed"):
        pickle.dumps(third)
