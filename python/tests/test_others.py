"""Random problems: the answers compared with other packages and with a brute-force definition."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from farandole import Problem

ITEMS = 6


@st.composite
def sets(draw: st.DrawFn) -> list[list[int]]:
    """Draws subsets of six items in any order, with repetitions."""
    some = st.lists(st.integers(0, ITEMS - 1), min_size=1, max_size=4, unique=True)
    return draw(st.lists(some, min_size=1, max_size=11))


@st.composite
def colored(draw: st.DrawFn) -> list[dict[str, str | None]]:
    """Draws options of three primary and two secondary items with colors."""
    option = st.fixed_dictionaries(
        {}, optional={"p": st.none(), "q": st.none(), "r": st.none(), "x": st.sampled_from([None, "A", "B"]), "y": st.sampled_from([None, "A"])}
    )
    return draw(st.lists(option.filter(bool), min_size=1, max_size=9))


def covers(options: list[Any], primary: Any) -> list[tuple[int, ...]]:
    """Iterates over all sets of options that have a primary item."""
    found = []
    useful = [number for number, option in enumerate(options) if any(item in primary for item in option)]
    for size in range(len(useful) + 1):
        for chosen in combinations(useful, size):
            colors: dict[Any, list[Any]] = {}
            for number in chosen:
                option = options[number]
                for item in option:
                    colors.setdefault(item, []).append(option[item] if isinstance(option, dict) else None)
            is_right = all(len(colors.get(item, [])) == 1 for item in primary)
            for item, all_colors in colors.items():
                if item not in primary and len(all_colors) > 1:
                    is_right &= None not in all_colors and len(set(all_colors)) == 1
            if is_right:
                found.append(chosen)
    return found


@settings(max_examples=150, deadline=None)
@given(sets())
def test_covers_agree_with_the_definition(options: list[list[int]]) -> None:
    problem = Problem(options, primary=range(ITEMS))
    expected = covers(options, range(ITEMS))
    assert sorted(cover.numbers for cover in problem) == sorted(expected)
    assert problem.count() == len(expected)
    assert problem.is_unique() == (len(expected) == 1)
    solved = problem.solve()
    assert solved is None if not expected else solved is not None and solved.numbers in expected
    counts = [sum(number in cover for cover in expected) for number in range(len(options))]
    assert problem.per_option() == counts
    assert all(cover.numbers in expected for cover in problem.sample(3, seed=1))
    assert Problem.from_text(problem.to_text()).count() == len(expected)


@settings(max_examples=150, deadline=None)
@given(colored())
def test_colors_agree_with_the_definition(options: list[dict[str, str | None]]) -> None:
    problem = Problem(options, primary="pqr", secondary="xy")
    assert sorted(cover.numbers for cover in problem) == sorted(covers(options, "pqr"))


@settings(max_examples=100, deadline=None)
@given(sets(), st.lists(st.integers(0, 20), min_size=11, max_size=11))
def test_the_cheapest_costs_agree_with_the_definition(options: list[list[int]], costs: list[int]) -> None:
    costs = costs[: len(options)]
    problem = Problem(options, primary=range(ITEMS), costs=costs)
    expected = sorted(sum(costs[number] for number in cover) for cover in covers(options, range(ITEMS)))
    assert [cover.cost for cover in problem.cheapest(3)] == expected[:3]


@settings(max_examples=150, deadline=None)
@given(sets())
def test_covers_agree_with_the_package_exact_cover(options: list[list[int]]) -> None:
    exact_cover = pytest.importorskip("exact_cover")
    np = pytest.importorskip("numpy")
    matrix = np.array([[item in option for item in range(ITEMS)] for option in options])
    problem = Problem.from_matrix(matrix)
    try:
        found = exact_cover.get_all_solutions(matrix)
    except exact_cover.error.NoSolution:
        found = set()
    # Version 1.5 reports a cover of all rows as no cover.
    everything = tuple(range(len(options)))
    theirs = sorted(tuple(sorted(int(row) for row in cover)) or everything for cover in found)
    assert sorted(tuple(cover) for cover in problem) == theirs
    assert problem.count() == exact_cover.get_solution_count(matrix)


@settings(max_examples=100, deadline=None)
@given(colored())
def test_covers_agree_with_the_package_xcover(options: list[dict[str, str | None]]) -> None:
    xcover = pytest.importorskip("xcover")
    # It does not accept options without a primary item.
    options = [option for option in options if set(option) & set("pqr")]
    if not {"p", "q", "r"} <= {item for option in options for item in option}:
        return
    texts = [[item if color is None else f"{item}:{color}" for item, color in option.items()] for option in options]
    theirs = xcover.covers(texts, primary=list("pqr"), secondary=list("xy"), colored=True)
    problem = Problem(options, primary="pqr", secondary="xy")
    assert sorted(cover.numbers for cover in problem) == sorted(tuple(sorted(cover)) for cover in theirs)
