"""Problems on sets of arbitrary items: construction, refusals, and answers."""

from __future__ import annotations

import copy
import gc
import pickle
import weakref
from collections.abc import Sequence
from typing import Any

import pytest

import farandole
from farandole import Problem


def check_refused(expected: str, *arguments: Any, **named: Any) -> None:
    with pytest.raises((ValueError, TypeError)) as raised:
        Problem(*arguments, **named)
    assert str(raised.value) == expected


def test_a_cover_consists_of_the_callers_own_options() -> None:
    first, second = frozenset({"a", ("r", 3)}), [None, 4.5]
    cover = Problem([first, second, ["a"]]).solve()
    assert cover is not None
    assert cover[0] is first
    assert cover[1] is second
    assert (cover.numbers, cover.cost) == ((0, 1), None)


def test_a_cover_behaves_as_the_tuple_of_its_options() -> None:
    cover = Problem({"x": [1, 2], "y": [3], "z": [2, 3]}).solve()
    assert cover is not None
    same, other = ("x", "y"), ("x", "z")
    assert cover == same and same == cover and not cover != same
    assert cover != other and cover < other and other > cover and cover <= same and cover >= same
    assert cover != ["x", "y"]
    assert (repr(cover), str(cover), hash(cover)) == (repr(same), str(same), hash(same))
    assert cover in {same} and same in {cover}
    assert (len(cover), cover[0], cover[-1], cover[1:], list(cover), tuple(cover)) == (2, "x", "y", ("y",), ["x", "y"], same)
    assert ("x" in cover, "z" in cover, cover.index("y"), cover.count("y")) == (True, False, 1, 1)
    assert (cover + ("z",), ("z",) + cover, cover + cover) == (("x", "y", "z"), ("z", "x", "y"), same + same)
    assert isinstance(cover, Sequence) and list(reversed(cover)) == ["y", "x"]
    with pytest.raises(IndexError):
        cover[2]
    with pytest.raises(TypeError):
        cover < 3  # type: ignore[operator]


def test_covers_equal_their_copies() -> None:
    problem = Problem(["ab", "a", "b"], costs=[5, 2, 2])
    for cover in [problem.solve(), problem.cheapest()[0], farandole.Cover(["a", "b"], [1, 2], 4), farandole.Cover("ab")]:
        assert cover is not None
        for again in [pickle.loads(pickle.dumps(cover)), copy.copy(cover), copy.deepcopy(cover)]:
            assert type(again) is farandole.Cover
            assert (again, again.numbers, again.cost, hash(again)) == (cover, cover.numbers, cover.cost, hash(cover))
    assert farandole.Cover[str] is not None


def test_a_kept_cover_outlives_its_problem_and_its_iteration() -> None:
    problem: Problem[list[int]] = Problem([[place] for place in range(10) for _ in "ab"])
    kept = [cover for cover in problem if cover.numbers[:2] == (1, 3)]
    del problem
    gc.collect()
    assert len(kept) == 256
    assert all(list(cover) == [[place] for place in range(10)] for cover in kept)


class _Owner:
    """An option that keeps the covers in which it stands."""

    covers: list[Any]


def test_covers_that_their_own_options_keep_are_collected() -> None:
    owner = _Owner()
    owner.covers = list(Problem({owner: "a"}))
    assert owner.covers[0][0] is owner
    gone = weakref.ref(owner)
    del owner
    gc.collect()
    assert gone() is None


def test_covers_of_a_dictionary_of_options_consist_of_its_keys() -> None:
    assert Problem({1: "ab", 2: "c", 3: "bc"}).solve() == (1, 2)


def test_options_may_be_an_iterator() -> None:
    problem: Problem[Any] = Problem(iter(letters) for letters in ["ab", "c"])
    assert problem.solve() == (("a", "b"), ("c",))


def test_a_problem_without_options_has_a_cover_only_if_it_has_no_items() -> None:
    assert Problem([]).count() == 1
    assert Problem([]).solve() == ()
    with pytest.warns(UserWarning, match="the primary item 'a' stands in no option, so there is no cover"):
        assert Problem([], primary=["a"]).count() == 0
    with pytest.warns(UserWarning, match="the primary item 'a' stands in no option"):
        assert Problem(["b"], primary=["a", "b"]).solve() is None


def test_secondary_items_are_covered_at_most_once() -> None:
    options = [["a", "x"], ["b", "x"], ["b"]]
    assert Problem(options, secondary=["x"]).count() == 1
    assert Problem(options, primary=["a", "b"]).count() == 1
    assert Problem(options, primary="ab", secondary="x").count() == 1
    assert Problem(options).count() == 1
    problem = Problem(["ax", "b"], secondary=["x", "y"])
    assert (problem.count(), problem.note) == (1, "the secondary item 'y' stands in no option")


def test_options_may_share_a_secondary_item_only_with_the_same_color() -> None:
    red, blue = {"b": None, "x": "red"}, {"b": None, "x": ("not", "text")}
    assert Problem([{"a": None, "x": "red"}, red, blue], secondary="x").solve() == ({"a": None, "x": "red"}, red)


def test_bounds_limit_how_often_an_item_is_covered() -> None:
    assert Problem(["a", "a", "a"], bounds={"a": (2, 3)}).count() == 4


def test_a_count_has_any_size_and_stops_at_its_limit() -> None:
    problem = Problem([[place] for place in range(100) for _ in "ab"])
    assert problem.count() == 2**100
    assert problem.count(limit=7) == 7
    assert not problem.is_unique()


@pytest.mark.parametrize(
    ("expected", "options", "named"),
    [
        ("options[1] has item 'a' twice", ["ab", "aba"], {}),
        ("options['y'] has item 3 twice", {"x": [1], "y": [3, 3]}, {}),
        ("options[1] has no item", ["ab", ""], {}),
        ("options[0] has item 'c', which is neither primary nor secondary", ["c"], {"primary": "a", "secondary": "b"}),
        ("options[0] gives a color to the primary item 'a'", [{"a": 1}], {}),
        ("item 'a' is both primary and secondary", ["a"], {"primary": "a", "secondary": "a"}),
        ("`bounds` has item 'b', which is no primary item", ["a"], {"bounds": {"b": (1, 2)}}),
        ("expected bounds 0 <= low <= high < 2**32 for item 'a', found (2, 1)", ["a"], {"bounds": {"a": (2, 1)}}),
        ("expected two whole numbers as the bounds of item 'a', found 2", ["a"], {"bounds": {"a": 2}}),
        ("expected 1 costs, one for each option, found 2", ["a"], {"costs": [1, 2]}),
        ("expected costs from 0 to 2**64 - 1, found -1", ["a"], {"costs": [-1]}),
        ("expected whole numbers as `costs`", ["a"], {"costs": [1.5]}),
        ("`costs` has no cost of option 'y'", {"x": "a", "y": "b"}, {"costs": {"x": 1}}),
        ("`costs` has option 'z', which is not in `options`", {"x": "a"}, {"costs": {"x": 1, "z": 2}}),
        ("options[0]: unhashable type: 'list'", [[[1]]], {}),
        ("options[1]: 'int' object is not iterable", ["a", 3], {}),
    ],
)
def test_errors_use_the_names_of_the_caller(expected: str, options: Any, named: dict[str, Any]) -> None:
    check_refused(expected, options, **named)


def test_limits_are_checked() -> None:
    problem = Problem(["a"])
    for name in ["limit", "nodes", "memory", "threads", "time"]:
        negative: dict[str, Any] = {name: -1}
        with pytest.raises(ValueError, match=f"`{name}`"):
            problem.count(**negative)
        with pytest.raises(TypeError, match=f"`{name}`"):
            problem.count(**{name: "many"})  # type: ignore[arg-type]
    assert problem.count(limit=5, nodes=100, memory=1 << 30, threads=2, time=1e300) == 1


def test_a_problem_is_equal_after_pickling() -> None:
    options = [{"a": None, "x": "red"}, {"b": None, "x": "red"}, {"b": None}, {"a": None}]
    problem = Problem(options, secondary="x", costs=[3, 1, 4, 1])
    again = pickle.loads(pickle.dumps(problem))
    assert again.to_text() == problem.to_text()
    assert again.options == options
    assert (again.count(), again.solve()) == (problem.count(), problem.solve())
    cover = problem.solve()
    assert cover is not None
    assert pickle.loads(pickle.dumps(cover)).numbers == cover.numbers


def test_the_repr_of_a_problem_states_its_sizes() -> None:
    assert repr(Problem(["ab", "bx"], secondary="x")) == "<farandole.Problem of 2 options and 2 items and 1 secondary ones>"
    assert Problem(["ab", "bx"]).option_count == 2


def test_texts_are_read_in_every_format() -> None:
    assert Problem.from_text("1,0\n0,1\n1,1\n").count() == 2
    assert Problem.from_text(b'{"A": [1, 2], "B": [1], "C": [2]}').solve() in [("A",), ("B", "C")]
    with pytest.raises(farandole.ParseError) as raised:
        Problem.from_text("a b\na c\n")
    assert (raised.value.line, raised.value.column) == (2, 3)
    with pytest.raises(ValueError, match="expected a format of dlx"):
        Problem.from_text("a\na\n", format="nonsense")
    with pytest.raises(ValueError, match="a 0/1 matrix cannot hold costs"):
        Problem(["a"], costs=[1]).to_text("matrix")


def test_a_matrix_is_read_from_any_library() -> None:
    np = pytest.importorskip("numpy")
    sparse = pytest.importorskip("scipy.sparse")
    rows = [[1, 0, 0, 1], [0, 0, 0, 0], [0, 1, 1, 0], [1, 1, 0, 0], [0, 0, 1, 1]]
    for matrix in [rows, np.array(rows), np.array(rows, dtype=bool), sparse.csr_matrix(rows), sparse.coo_array(rows)]:
        problem = Problem.from_matrix(matrix)
        assert sorted(problem) == [(0, 2), (3, 4)]
        assert problem.options == [0, 2, 3, 4]
    costs = [1, 9, 1, 3, 4]
    assert Problem.from_matrix(rows, costs=costs).cheapest(2)[1].cost == 7
    assert Problem.from_matrix(rows[:3], secondary=[2, 3]).count() == 1
    assert Problem.from_matrix(rows[:4], secondary=[2, 3]).count() == 2
    assert Problem.from_matrix([[1], [1], [1]], bounds={0: (2, 3)}).count() == 4
    assert Problem.from_matrix([]).count() == 1
    with pytest.warns(UserWarning, match="the column 0, the column 1 stand in no option, so there is no cover"):
        assert Problem.from_matrix([[0, 0]]).count() == 0


def test_an_invalid_matrix_is_refused_with_the_position() -> None:
    np = pytest.importorskip("numpy")
    sparse = pytest.importorskip("scipy.sparse")
    rows = [[1, 0], [0, 2]]
    for matrix in [rows, np.array(rows), sparse.csr_matrix(rows)]:
        with pytest.raises(ValueError, match="expected 0 or 1 in row 1 and column 1, found 2"):
            Problem.from_matrix(matrix)
    with pytest.raises(ValueError, match="expected 2 columns in row 1 as in row 0, found 1"):
        Problem.from_matrix([[1, 0], [1]])
    with pytest.raises(ValueError, match="two dimensions, found 1"):
        Problem.from_matrix(np.array([1, 0]))
    with pytest.raises(ValueError, match="`secondary` has 2, which is no column of 2"):
        Problem.from_matrix([[1, 0]], secondary=[2])
