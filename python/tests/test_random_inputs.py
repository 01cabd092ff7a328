"""Searches for misread inputs: random problems and grids in every container, and malformed containers.

Each is compared with a simple reader in this file: the answer is the same, or the input is refused with a message.
`pytest --hypothesis-profile deep tests/test_random_inputs.py` searches longer.
"""

from __future__ import annotations

import collections
import itertools
import math
import random
import warnings
from collections.abc import Iterable, Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_grid_forms import FORMS, GRID, SOLVED, TABLES, digits, rows

import farandole
from farandole import Problem, sudoku

np = pytest.importorskip("numpy")
pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")

#: The exceptions of a refusal. Any other, such as an `AttributeError`, is an internal error.
REFUSALS = (TypeError, ValueError)


def check_message(error: Exception) -> None:
    assert len(str(error)) > 10, repr(error)


def objects(values: Iterable[Any]) -> Any:
    """Returns a one-dimensional array of objects."""
    listed = list(values)
    made = np.empty(len(listed), dtype=object)
    for place, value in enumerate(listed):
        made[place] = value
    return made


# Problems.

#: Containers of the items of an option.
INNER: list[Any] = [
    list,
    tuple,
    set,
    frozenset,
    iter,
    dict.fromkeys,
    collections.deque,
    objects,
    lambda items: map(lambda item: item, items),
    lambda items: (item for item in items),
    lambda items: dict.fromkeys(items).keys(),
    lambda items: dict(enumerate(items)).values(),
    lambda items: pandas.Series(list(items), dtype=object),
    lambda items: pandas.Index(list(items), dtype=object),
]
#: Containers of the options.
OUTER: list[Any] = [
    list,
    tuple,
    iter,
    collections.deque,
    objects,
    lambda options: dict(enumerate(options)),
    lambda options: collections.OrderedDict(enumerate(options)),
    lambda options: dict(enumerate(options)).values(),
    lambda options: {f"name {number}": option for number, option in enumerate(options)},
    lambda options: pandas.Series(list(options), dtype=object),
    lambda options: (option for option in options),
]
#: Names of the items 0 to 6, of one kind, equal where they are the same item.
ITEMS: list[Any] = [
    lambda number: number,
    lambda number: np.int64(number),
    lambda number: random.choice([number, np.int64(number), np.uint8(number), float(number)]),
    lambda number: "abcdefg"[number],
    lambda number: np.str_("abcdefg"[number]),
    lambda number: (number, "x"),
    lambda number: frozenset({number}),
    lambda number: [None, True, "x", 2.5, ("p", 1), b"b", frozenset()][number],
]
OPTIONS = st.lists(st.sets(st.integers(0, 6), min_size=1, max_size=4), max_size=8)


@given(OPTIONS, st.sampled_from(ITEMS), st.sampled_from(OUTER), st.randoms(use_true_random=False), st.booleans())
def test_a_problem_in_any_container_has_the_count_of_lists(options: Any, item: Any, outer: Any, choose: Any, has_primary: bool) -> None:
    plain = [sorted(option) for option in options]
    primary = list(range(7)) if has_primary else None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        expected = Problem(plain, primary=primary).count()
        held = outer([choose.choice(INNER)([item(number) for number in option]) for option in plain])
        held_primary = None if primary is None else choose.choice(INNER)([item(number) for number in primary])
        try:
            problem = Problem(held, primary=held_primary)
        except REFUSALS as error:
            check_message(error)
            # A problem of booleans alone could be a matrix.
            raise AssertionError(f"{held!r} is refused: {error}") from error
        assert problem.count() == expected
        assert Problem.from_text(problem.to_text("json"), format="json").count() == expected


@given(OPTIONS, st.sampled_from(OUTER))
def test_a_text_as_an_option_means_its_characters(options: Any, outer: Any) -> None:
    texts = ["".join("abcdefg"[item] for item in sorted(option)) for option in options]
    expected = Problem([list(text) for text in texts]).count()
    assert Problem(outer(texts)).count() == expected
    assert Problem(np.array(texts, dtype=str)).count() == expected
    if texts:
        assert Problem(polars.Series(texts)).count() == expected


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)).filter(lambda edge: edge[0] != edge[1]), max_size=12), st.booleans())
def test_edges_of_graphs_are_read_as_pairs_of_nodes(edges: Any, has_weights: bool) -> None:
    networkx = pytest.importorskip("networkx")
    graph = networkx.Graph(edges)
    if has_weights:
        networkx.set_edge_attributes(graph, 3, "weight")
    expected = Problem([list(edge) for edge in graph.edges()], primary=list(graph)).count()
    assert Problem(graph.edges(), primary=graph.nodes()).count() == expected
    assert Problem(graph.edges, primary=graph.nodes).count() == expected
    several = networkx.MultiGraph(edges)
    assert Problem(several.edges(), primary=several).count() == Problem(edges, primary=list(several)).count()
    if edges:
        with pytest.raises(REFUSALS):
            Problem(several.edges)


MATRICES = st.integers(1, 6).flatmap(lambda width: st.lists(st.lists(st.integers(0, 1), min_size=width, max_size=width), min_size=1, max_size=7))


@given(MATRICES)
def test_a_matrix_in_any_container_has_the_count_of_lists(matrix: Any) -> None:
    sparse = pytest.importorskip("scipy.sparse")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        expected = Problem.from_matrix(matrix).count()
        options = [[column for column, cell in enumerate(row) if cell] for row in matrix]
        assert Problem([option for option in options if option], primary=range(len(matrix[0]))).count() == expected
        array = np.array(matrix)
        held = [
            array,
            array.astype(bool),
            array.astype(float),
            array.astype(object),
            array.astype("u1")[::-1],
            np.asfortranarray(array),
            array[:, :],
            sparse.csr_matrix(array),
            sparse.coo_array(array),
            sparse.lil_matrix(array),
            pandas.DataFrame(array, columns=list("ABCDEF")[: array.shape[1]]),
            polars.DataFrame(array),
            tuple(map(tuple, matrix)),
            iter(map(iter, matrix)),
            list(array),
            [map(bool, row) for row in matrix],
        ]
        for each in held:
            assert Problem.from_matrix(each).count() == expected, repr(each)
        for each in [array, held[1], held[7], held[10], held[11]]:
            with pytest.raises(REFUSALS, match="from_matrix"):
                Problem(each)


SCALARS = st.one_of(st.none(), st.booleans(), st.integers(-2, 3), st.floats(), st.text("ab 1,\n", max_size=3), st.binary(max_size=2))
ANYTHING = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.tuples(inner, inner),
        st.dictionaries(SCALARS, inner, max_size=3),
        st.lists(inner, max_size=3).map(iter),
        st.lists(inner, max_size=3).map(objects),
        st.sets(SCALARS, max_size=3),
        st.dictionaries(SCALARS, inner, max_size=2).map(lambda made: made.items()),
        st.dictionaries(SCALARS, inner, max_size=2).map(lambda made: made.values()),
        st.lists(inner, max_size=2).map(enumerate),
        st.lists(st.integers(0, 1), min_size=1, max_size=3).map(np.array),
    ),
    max_leaves=8,
)


@given(ANYTHING)
def test_accepted_options_are_collections_of_items(thing: Any) -> None:
    try:
        problem = Problem(thing)
    except REFUSALS as error:
        check_message(error)
        return
    if isinstance(thing, Mapping) and any(hasattr(option, "__next__") for option in thing.values()):
        return
    # What was taken: a dictionary of options by name, or a collection of options.
    each = [list(option) for option in problem.options] if not isinstance(thing, Mapping) else [list(thing[name]) for name in thing]
    assert problem.count() == Problem(each).count()
    assert not isinstance(thing, (str, bytes, enumerate))
    assert problem.option_count == len(each)


# Grids.


@st.composite
def lines(draw: Any) -> str:
    """A line that is a grid of one to a few solutions, or of none."""
    choose = draw(st.randoms(use_true_random=False))
    names = list("123456789")
    choose.shuffle(names)
    line = [names[int(digit) - 1] for digit in SOLVED]
    for place in choose.sample(range(81), choose.randrange(0, 60)):
        line[place] = "."
    if choose.random() < 0.2:
        line[choose.randrange(81)] = choose.choice(names)
    return "".join(line)


def plain_count(line: str) -> int:
    return sudoku.count(line, limit=50)


@given(lines(), st.sampled_from(sorted(FORMS)))
def test_a_grid_in_any_form_has_the_count_of_its_line(line: str, form: str) -> None:
    expected = plain_count(line)
    assert sudoku.count(FORMS[form](line), limit=50) == expected
    solved = sudoku.solve(FORMS[form](line))
    assert (solved is None) == (expected == 0)
    if expected:
        shown = digits(solved)
        assert sudoku.count(shown) == 1
        assert all(clue in (".", digit) for clue, digit in zip(line, shown))
        assert expected > 1 or shown == sudoku.solve(line)


@given(lines(), st.sampled_from(sorted(TABLES)))
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_grid_in_a_table_has_the_count_of_its_line(line: str, form: str) -> None:
    package = {"pandas": pandas, "polars": polars}[form.split(",")[0]]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        assert sudoku.count(TABLES[form](package, line), limit=50) == plain_count(line)


@given(st.lists(st.tuples(lines(), st.sampled_from(sorted(FORMS))), max_size=4), st.sampled_from([list, iter, tuple, objects]))
def test_grids_of_several_forms_have_the_counts_of_their_lines(grids: Any, outer: Any) -> None:
    held = [FORMS[form](line) for line, form in grids if form != "generator" or outer is not objects]
    expected = [plain_count(line) for line, form in grids if form != "generator" or outer is not objects]
    assert sudoku.count_many(outer(held), limit=50) == expected
    if held and all(isinstance(grid, str) and len(grid) == 81 for grid in held):
        answers = [sudoku.solve_many(np.array(held)), sudoku.solve_many(pandas.Series(held)), sudoku.solve_many(polars.Series(held))]
        for answer in answers:
            assert [digit or None for digit in answer] == sudoku.solve_many(held)


def meant(cell: Any) -> str | None:
    """The character of a cell of a list, by a plain reading; `None` if there is none."""
    if isinstance(cell, (bool, np.bool_)):
        return None
    if isinstance(cell, bytes):
        cell = cell.decode("latin-1")
    if isinstance(cell, str) and len(cell) > 1:
        return None
    if cell is None or isinstance(cell, str):
        return "." if cell is None or cell in ("", " ") else cell if cell in "123456789" else "." if cell in ".0*_-xX?" else None
    if isinstance(cell, (int, float, np.integer, np.floating)):
        if cell != cell:
            return "."
        return (str(int(cell)) if cell else ".") if math.isfinite(cell) and 0 <= cell <= 9 and cell == int(cell) else None
    return None


JUNK = [None, "", " ", "O", "l", "I", 10, -1, 2.5, 3.0, float("nan"), float("inf"), True, [1], {1}, "12", "٣", b"5", b"", "x", 0, 7, np.int64(4), np.bool_(True), (), {}]


def mutated(choose: Any, grid: list[list[Any]]) -> Any:
    """Changes, drops, doubles or swaps a cell or a row, or wraps something."""
    row, column, other = choose.randrange(9), choose.randrange(9), choose.randrange(9)
    what = choose.randrange(10)
    if what < 4:
        grid[row][column] = choose.choice(JUNK)
    elif what == 4:
        del grid[row][column]
    elif what == 5:
        grid[row].insert(column, choose.choice(JUNK))
    elif what == 6:
        grid[row] = choose.choice([None, 5, "", "123456789", b".........", set(range(9)), {1: 2}, grid[row] * 2, iter(grid[row])])
    elif what == 7:
        del grid[row]
    elif what == 8:
        grid.insert(row, list(grid[other]))
    else:
        return choose.choice([[grid], (grid,), {"grid": grid}, grid + grid, [tuple(cells) for cells in grid]])
    return grid


def plain_line(grid: Any) -> str | None:
    """The line of a list of rows or of 81 cells, by a plain reading."""
    if not isinstance(grid, list):
        return None
    if len(grid) == 81:
        cells = grid
    elif len(grid) == 9 and all(isinstance(row, (list, tuple, str, bytes)) and len(row) == 9 for row in grid):
        cells = list(itertools.chain.from_iterable(row.decode() if isinstance(row, bytes) else row for row in grid))
    else:
        return None
    read = [meant(cell) for cell in cells]
    return None if None in read else "".join(map(str, read))


@given(lines(), st.randoms(use_true_random=False), st.sampled_from([0, None, "", ".", " "]), st.booleans())
def test_a_changed_list_is_refused_or_read_literally(line: str, choose: Any, blank: Any, is_flat: bool) -> None:
    grid: Any = [[blank if cell == "." else choose.choice([int(cell), cell]) for cell in row] for row in rows(line)]
    grid = mutated(choose, grid)
    if is_flat and isinstance(grid, list) and all(isinstance(row, list) for row in grid):
        grid = list(itertools.chain.from_iterable(grid))
    grid = [list(row) if hasattr(row, "__next__") else row for row in grid] if isinstance(grid, list) else grid
    expected = plain_line(grid)
    for is_one in (True, False):
        try:
            found = sudoku.count(grid, limit=50) if is_one else sudoku.count_many([grid], limit=50)[0]
        except REFUSALS as error:
            check_message(error)
            assert expected is None, f"{grid!r} is refused: {error}"
        else:
            assert expected is not None and found == plain_count(expected), f"{grid!r} is read otherwise"


LETTERS = ".0123456789OlI|-+ \n\t#xX?*_,;:'\"[]\x00\x1f\u00a0٣é\ufeff"


@given(lines(), st.randoms(use_true_random=False), st.sampled_from(["", "\n", "\r\n"]), st.sampled_from([1, 1, 2, 3]))
def test_a_changed_text_is_refused_or_read_literally(line: str, choose: Any, end: str, times: int) -> None:
    text = (end.join(rows(line)) if choose.random() < 0.7 else line) + choose.choice(["", "\n", " ", "\r\n\n"])
    for _ in range(times):
        place, other, letter = choose.randrange(len(text)), choose.randrange(len(text)), choose.choice(LETTERS)
        what = choose.randrange(5)
        if what == 0:
            text = text[:place] + letter + text[place + 1 :]
        elif what == 1:
            text = text[:place] + letter + text[place:]
        elif what == 2:
            text = text[:place] + text[place + 1 :]
        elif what == 3:
            low, high = sorted((place, other))
            text = text[:low] + text[high] + text[low + 1 : high] + text[low] + text[high + 1 :] if low < high else text
        else:
            parts = text.split("\n")
            number = choose.randrange(len(parts))
            parts[number : number + 1] = choose.choice([[], [parts[number]] * 2])
            text = "\n".join(parts)
        text = text or "."
    for form in (text, text.encode()):
        try:
            found = sudoku.count(form, limit=50)
        except REFUSALS as error:
            check_message(error)
            continue
        kept_text = text.strip("\ufeff\r\n").replace("\r\n", "\n")
        if [len(part) for part in kept_text.split("\n")] in ([81], [9] * 9) and not set(kept_text) & set(".0*_-xX?"):
            text = kept_text.replace(" ", ".")
        # Nothing but white space and frames stands between 81 cells, and each was taken for what it is.
        frame = set(" \t\r\n|+,;'\"[]#:\u00a0\ufeff")
        cells = "".join(cell for cell in text if cell not in frame)
        cells = "".join("." if cell in ".0*_-xX?" else cell for cell in cells)
        if len(cells) > 81:
            # A rule is a line of its own, and a comment as well.
            kept_lines = [part for part in text.split("\n") if part.strip("-+|= \r\t") and not part.startswith("#")]
            cells = "".join("." if cell in ".0*_-xX?" else cell for cell in "".join(kept_lines) if cell not in frame)
        assert len(cells) == 81 and not cells.strip(".123456789"), f"{text!r} has {found} solutions"
        assert found == plain_count(cells), f"{text!r} has {found} solutions"


@given(st.lists(st.one_of(lines(), st.sampled_from(["", "  ", "# a comment", "#"])), max_size=6), st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_a_text_of_lines_has_the_counts_of_its_grids(parts: list[str], end: str, is_ended: bool) -> None:
    text = end.join(parts) + (end if is_ended else "")
    expected = [plain_count(part) for part in parts if part.strip() and not part.startswith("#")]
    assert sudoku.count_many(text, limit=50) == expected
    assert sudoku.count_many(text.encode(), limit=50) == expected
    solved = sudoku.solve_many(text)
    assert solved.count("\n") == len(expected)
    # The program reads the same.
    if expected and end == "\n":
        assert [puzzle.count(limit=50) for puzzle in farandole.read_text(text, kind="sudoku", format="line")] == expected


@given(ANYTHING)
def test_accepted_grids_are_valid(thing: Any) -> None:
    questions: list[Any] = [sudoku.count, sudoku.solve, sudoku.count_many, sudoku.solve_many]
    for ask in questions:
        try:
            answer = ask(thing)
        except REFUSALS as error:
            check_message(error)
        else:
            # Nothing so small is a grid; no grids at all have no answers.
            assert ask in (sudoku.count_many, sudoku.solve_many) and len(answer) == 0, repr(thing)


def test_the_example_grids_are_valid() -> None:
    assert (plain_count(GRID), plain_count(SOLVED)) == (1, 1)
