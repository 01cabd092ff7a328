"""The true candidates of puzzles and problems."""

from __future__ import annotations

import threading
from collections import Counter

import pytest

import farandole
from farandole import LimitReached, Problem

THERMO = "# thermo: r1c1 r1c2 r1c3\n{}\n....\n....\n....\n"


def test_the_candidates_of_a_problem_are_the_options_of_its_covers() -> None:
    options = ["ab", "a", "b", "bc", "c", "cd", "d", "abcd", "ad"]
    problem = Problem(options)
    expected = Counter(option for cover in problem for option in cover)
    for limit in (1, 2, 1000):
        found = problem.candidates(limit=limit)
        assert {one.option: one.count for one in found.all} == {one: min(expected[one], limit) for one in options}
        assert all(one.is_true == (one.option in expected) for one in found.all)
        assert not found.unknown
    assert len(found.true) == len(expected)


def test_clues_that_are_added_start_from_what_is_known() -> None:
    found = None
    for clues in ("....", ".2..", ".23."):
        puzzle = farandole.puzzle("variant", THERMO.format(clues))
        found = puzzle.candidates(after=found)
        assert found.cells == puzzle.candidates().cells
        assert not found.unknown
    assert found is not None and found.cells["r1c1"] == "1"
    problem = Problem(["ab", "a", "b", "bc", "c"])
    all_options = problem.candidates(limit=5)
    more = problem.with_given(["a"])
    assert [one.count for one in more.candidates(limit=5, after=all_options).all] == [0, 2, 1, 1, 1]


def test_a_limit_raises_with_the_answer_so_far() -> None:
    puzzle = farandole.puzzle("variant", THERMO.format("...."))
    with pytest.raises(LimitReached) as caught:
        puzzle.candidates(nodes=3)
    known = caught.value.known
    assert known.unknown and all(one.is_true is None for one in known.unknown)
    cancel = threading.Event()
    cancel.set()
    with pytest.raises(LimitReached):
        puzzle.candidates(cancel=cancel)
    for limit in (0, 1001, -1):
        with pytest.raises(ValueError):
            puzzle.candidates(limit=limit)
