"""Containers of options in Python programs: each is read as intended, or refused with the correct expression."""

from __future__ import annotations

import collections
import copy
import gzip
import io
import pickle
import types
from pathlib import Path
from typing import Any

import pytest

import farandole
from farandole import Problem

np = pytest.importorskip("numpy")
EDGES = [(0, 1), (1, 2), (2, 3), (0, 3)]
#: The covers are the perfect matchings of a square.
MATCHINGS = 2


def refusal(make: Any) -> str:
    with pytest.raises((TypeError, ValueError)) as raised:
        make()
    return str(raised.value)


def test_edges_of_graphs_are_read_as_options_with_or_without_weights() -> None:
    networkx = pytest.importorskip("networkx")
    for kind in [networkx.Graph, networkx.DiGraph, networkx.MultiGraph]:
        graph = kind(EDGES)
        networkx.set_edge_attributes(graph, 1, "weight")
        assert Problem(graph.edges()).count() == MATCHINGS
        assert Problem(graph.edges(), primary=graph.nodes()).count() == MATCHINGS
        assert Problem(graph.edges, primary=graph).count() == MATCHINGS if kind is not networkx.MultiGraph else True
    graph = networkx.Graph(EDGES)
    networkx.set_edge_attributes(graph, 7, "weight")
    assert Problem(graph.edges(), costs=[7] * 4).cheapest()[0].cost == 14
    for view in [graph.edges(data=True), graph.edges(data="weight"), networkx.MultiGraph(EDGES).edges]:
        assert "`[(u, v) for u, v, *_ in edges]`" in refusal(lambda view=view: Problem(view))
    grid = networkx.grid_2d_graph(2, 2)
    for view in [grid, grid.nodes, grid.adj, grid.degree, grid.nodes(data=True)]:
        assert "options whose items are nodes are `graph.edges()`" in refusal(lambda view=view: Problem(view))
    assert "`primary`: unhashable" in refusal(lambda: Problem(grid.edges(), primary=grid.nodes(data=True)))


@pytest.mark.parametrize(
    "make",
    [
        list,
        tuple,
        set,
        frozenset,
        iter,
        lambda edges: dict(enumerate(edges)).values(),
        lambda edges: dict.fromkeys(edges).keys(),
        lambda edges: collections.deque(edges),
        lambda edges: (iter(edge) for edge in edges),
        lambda edges: [map(str, edge) for edge in edges],
        lambda edges: [frozenset(edge) for edge in edges],
        lambda edges: [np.array(edge) for edge in edges],
        lambda edges: [range(edge[0], edge[1] + 1, edge[1] - edge[0]) for edge in edges],
        lambda edges: [dict.fromkeys(edge) for edge in edges],
        lambda edges: ["".join(map(str, edge)) for edge in edges],
        lambda edges: np.array(["".join(map(str, edge)) for edge in edges]),
        lambda edges: {"abcd"[number]: iter(edge) for number, edge in enumerate(edges)},
        lambda edges: types.MappingProxyType(dict(enumerate(edges))),
        lambda edges: collections.UserDict(enumerate(edges)),
        lambda edges: collections.OrderedDict(enumerate(edges)),
    ],
)
def test_all_collections_of_the_same_options_have_the_same_count(make: Any) -> None:
    assert Problem(make(EDGES)).count() == MATCHINGS


def test_columns_of_tables_are_read_as_options() -> None:
    pandas = pytest.importorskip("pandas")
    assert Problem(pandas.Series(EDGES)).count() == MATCHINGS
    named = {"a": [0, 1], "b": [2], "c": [0, 1, 2]}
    costs = pandas.Series({"c": 1, "b": 4, "a": 4})
    assert Problem(named, costs=costs).cheapest()[0] == ("c",)
    assert "with the index of `options`" in refusal(lambda: Problem(pandas.Series(["ab", "c"]), costs=pandas.Series([1, 2], index=[1, 0])))
    assert "options[1]" in refusal(lambda: Problem(pandas.Series([[1], None])))
    polars = pytest.importorskip("polars")
    assert Problem(polars.Series([list(edge) for edge in EDGES])).count() == MATCHINGS


class Ambiguous(collections.abc.Mapping[Any, Any], collections.abc.Set[Any]):
    def __len__(self) -> int:
        return 1

    def __iter__(self) -> Any:
        return iter(["ab"])

    def __getitem__(self, key: Any) -> Any:
        return [key]

    def __contains__(self, key: Any) -> bool:
        return True


@pytest.mark.parametrize(
    ("expected", "options"),
    [
        ("`Problem.from_text` reads texts", "ab bc"),
        ("`Problem.from_text` reads texts", b"ab"),
        ("`Problem.from_file(path)`", Path("problem.txt")),
        ("`Problem.from_file(path)`", io.StringIO("a b\na\nb\n")),
        ("`Problem.from_matrix` takes a 0/1 matrix", np.eye(3, dtype=int)),
        ("`Problem.from_matrix` takes a 0/1 matrix", [[1, 0, 1], [0, 1, 0]]),
        ("`Problem.from_matrix` takes a 0/1 matrix", list(np.eye(3, dtype=bool))),
        ("`.tolist()` makes options", np.array(EDGES)),
        ("`problem.options`", Problem(["ab"])),
        ("`puzzle.problem.options`", farandole.puzzle("queens", 4)),
        ("a set and a dictionary at once", Ambiguous()),
        ("its values are numbers", collections.Counter("ab")),
        ("pass the dictionary itself", {"x": "ab"}.items()),
        ("pass the collection itself", enumerate(["ab", "c"])),
        ("an option is a collection of items", 7),
        ("an option is a collection of items", None),
        ("options[1]: expected a collection of items, found the text 'c d', which holds separators", ["ab", "c d"]),
        ("options['x']: expected a collection of items, found the text '1,2'", {"x": "1,2"}),
        ("options[0]: expected a collection of items, found the text 'ab\\n'", ["ab\n"]),
        ("options[0]: expected a collection of items, found the text b'ab'", [b"ab"]),
        ("options[0]: expected items, or a dictionary from items to colors", [collections.Counter("ab")]),
        ("options[1]: 'NoneType' object is not iterable", ["ab", None]),
        ("options[0]: expected something that is equal to itself, found nan", [[float("nan"), 1]]),
        ("options[0]: expected something that is equal to itself, found nan", [[(float("nan"), 1)]]),
        ("options['x'] has item 'a' twice", {"x": iter("aba")}),
        ("`Problem.from_matrix` takes a 0/1 matrix", [[True, False], [False, True]]),
        ("`Problem.from_matrix` takes a 0/1 matrix", [[np.bool_(True), np.bool_(False)], [np.bool_(False), True]]),
    ],
)
def test_ambiguous_options_are_refused_with_the_alternatives(expected: str, options: Any) -> None:
    assert expected in refusal(lambda: Problem(options))


def test_a_table_is_not_read_as_a_collection_of_options() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame([[1, 0], [0, 1]], columns=["A", "B"])
    assert "`Problem.from_matrix` takes a 0/1 matrix" in refusal(lambda: Problem(frame))
    assert "`Problem.from_matrix` takes a 0/1 matrix" in refusal(lambda: Problem(pytest.importorskip("scipy.sparse").eye(2)))
    assert Problem.from_matrix(frame).solve() == (0, 1)
    assert "`itertuples(index=False)` leaves it out" in refusal(lambda: Problem(frame.itertuples()))
    assert Problem(pandas.DataFrame([["a", "b"], ["c", "d"]]).itertuples(index=False)).count() == 1
    polars = pytest.importorskip("polars")
    assert "`Problem.from_matrix` takes a 0/1 matrix" in refusal(lambda: Problem(polars.DataFrame(frame.to_dict("list"))))
    assert Problem.from_matrix(polars.DataFrame(frame.to_dict("list"))).solve() == (0, 1)


@pytest.mark.parametrize(
    ("expected", "named"),
    [
        ("expected a collection of items for `primary`, found 5", {"primary": 5}),
        ("expected a collection of items for `primary`", {"primary": b"ab"}),
        ("expected a collection of items for `secondary`", {"secondary": np.eye(2)}),
        ("expected a dictionary for `bounds`", {"bounds": [("a", (0, 1))]}),
        ("expected two whole numbers as the bounds of item 'a'", {"bounds": {"a": {1, 2}}}),
        ("expected two whole numbers as the bounds of item 'a'", {"bounds": {"a": range(0, 2)}}),
        ("expected two whole numbers as the bounds of item 'a'", {"bounds": {"a": b"\x00\x01"}}),
        ("expected whole numbers as `costs`", {"costs": b"12"}),
        ("expected whole numbers as `costs`", {"costs": "12"}),
        ("expected `costs` in an order", {"costs": {1, 2}}),
        ("unexpected keyword argument 'weights'", {"weights": [1, 2]}),
    ],
)
def test_arguments_of_wrong_types_are_refused(expected: str, named: dict[str, Any]) -> None:
    assert expected in refusal(lambda: Problem(["ab", "c"], **named))


def test_costs_need_ordered_options_and_separate_iterators() -> None:
    assert "expected `options` in an order" in refusal(lambda: Problem({"ab", "c"}, costs=[1, 2]))
    items = iter("ab")
    assert "`primary` and `secondary` are the same iterator" in refusal(lambda: Problem(["ab"], primary=items, secondary=items))


def test_listed_items_in_no_option_are_named() -> None:
    with pytest.warns(UserWarning, match="^the primary item 'q' stands in no option, so there is no cover$") as told:
        problem = Problem(["ab", "c"], primary="aqc")
    assert told[0].filename == __file__
    assert problem.note == "the primary item 'q' stands in no option, so there is no cover"
    assert problem.count() == 0
    assert Problem(["a"], primary="ab", bounds={"b": (0, 1)}).note is None
    # A note if an item of another type or case, or words instead of characters, were probably meant.
    listed: list[tuple[Any, str]] = [(["X"], "'x'"), ([1], "'1'")]
    for secondary, near in listed:
        with pytest.warns(UserWarning, match=f"the secondary item .* stands in no option .for .*, did you mean {near}?"):
            Problem([["a", "x", "1"]], secondary=secondary)
    with pytest.warns(UserWarning, match="the secondary item 'x', the secondary item 'y' stand in no option"):
        Problem([["a", "xy"]], secondary="xy")
    with pytest.warns(UserWarning, match="the primary item 0, the primary item 1, the primary item 2 and 7 more stand in no option"):
        Problem([], primary=range(10))
    with pytest.warns(UserWarning, match="the column 1 stands in no option"):
        assert Problem.from_matrix([[1, 0]]).note == "the column 1 stands in no option, so there is no cover"


@pytest.mark.parametrize(
    "matrix",
    [
        "110",
        {"A": [1, 0]},
        {(1, 0), (0, 1)},
        Path("m"),
        [{1: 1}],
        ["10", "01"],
        [b"\x01\x00"],
        5,
        None,
        [1, 0],
        [[[1], [0]]],
        [["1", "0"]],
        [[None, 1]],
        [[float("nan"), 1]],
        np.array([["1", "0"]]),
        np.array([[None, 1]], dtype=object),
        np.array([[0.5, 1]]),
        np.zeros((2, 2, 2)),
        np.ma.masked_array([[1, 0]], mask=[[False, True]]),
        Problem(["ab"]),
    ],
)
def test_invalid_matrices_are_refused(matrix: Any) -> None:
    refusal(lambda: Problem.from_matrix(matrix))


@pytest.mark.parametrize("secondary", [[True, False, False], [-1], [1.5], "0", 0, np.array([True, False, True])])
def test_secondary_columns_must_be_given_by_number(secondary: Any) -> None:
    refusal(lambda: Problem.from_matrix([[1, 0, 0], [0, 1, 1]], secondary=secondary))


def test_given_options_must_be_a_list() -> None:
    problem = Problem(["ab", "a", "b"])
    for wrong in ["ab", b"ab", 1, None]:
        assert "expected a list of options" in refusal(lambda wrong=wrong: problem.with_given(wrong))
    assert problem.with_given(problem.solve() or ()).count() == 1
    arrays: Problem[Any] = Problem([np.array([0, 1]), np.array([2, 3]), np.array([0, 2]), np.array([1, 3])])
    assert arrays.with_given([np.array([0, 2])]).count() == 1
    twice = Problem(["a", "b", "b"])
    second = [cover for cover in twice if cover.numbers == (0, 2)][0]
    assert [cover.numbers for cover in twice.with_given(second)] == [(0, 2)]


def test_texts_and_file_names_are_distinguished(tmp_path: Path) -> None:
    path = tmp_path / "problem.txt"
    path.write_text("a b\na\nb\n")
    assert Problem.from_file(path).count() == Problem.from_file(str(path)).count() == 1
    assert Problem.from_text(bytearray(path.read_bytes())).count() == 1
    assert "`Problem.from_file` reads files" in refusal(lambda: Problem.from_text(str(path)))
    assert "`farandole.read_file` reads files" in refusal(lambda: farandole.read_text(str(path)))
    with path.open() as file:
        assert "`Problem.from_file(path)`" in refusal(lambda: Problem.from_text(file))  # type: ignore[arg-type]
    for wrong in [path, None, 5]:
        assert "`farandole.read_file(path)`" in refusal(lambda wrong=wrong: farandole.read_text(wrong))
    assert r"`'\n'.join(lines)`" in refusal(lambda: Problem.from_text(["a b", "a"]))  # type: ignore[arg-type]


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    readers: list[Any] = [farandole.read_file, Problem.from_file]
    for read in readers:
        for path, kind in [(tmp_path / "none.txt", FileNotFoundError), (tmp_path, IsADirectoryError)]:
            with pytest.raises(kind) as raised:
                read(path)
            assert (raised.value.filename, raised.value.errno is None) == (str(path), False)
            assert str(path) in str(raised.value)
    (tmp_path / "grid.txt.gz").write_bytes(gzip.compress(b"1...............\n"))
    assert next(farandole.read_file(str(tmp_path / "grid.txt.gz"))).count() == 72


def test_problems_puzzles_and_solutions_are_equal_after_pickling_and_copying() -> None:
    problems: list[Any] = [
        Problem(["ab", "a", "b"]),
        Problem({"x": ["a"], "y": ["b"]}, costs=[1, 2]),
        Problem([{"a": None, "x": 1}], secondary=["x"]),
        Problem(["ab", "a", "b"]).with_given(["a"]),
        Problem([np.array([0, 1]), np.array([2])]),
        Problem.from_text("a b\na\nb\n"),
        farandole.puzzle("queens", 6),
        farandole.puzzle("queens", 6).solve(),
        next(farandole.read_text("1...............\n")),
        next(farandole.read_text("1...............\n")).solve(),
    ]
    for number, thing in enumerate(problems):
        for again in [pickle.loads(pickle.dumps(thing)), copy.deepcopy(thing), copy.copy(thing)]:
            assert again == thing
            assert hash(again) == hash(thing)
        assert [other == thing for other in problems] == [place == number for place in range(len(problems))]
    assert Problem(["ab"]) == Problem(["ab"])
    assert Problem(["ab"]) != Problem(["ab"], costs=[1])
    assert Problem(["ab"]) != Problem([("a", "b")])
    assert set(farandole.puzzle("queens", 6)) == set(farandole.puzzle("queens", "6"))


def test_hashing_a_cover_of_lists_suggests_an_alternative() -> None:
    with pytest.raises(TypeError, match="unhashable type: 'list' as an option of this cover: `cover.numbers` can be hashed"):
        set(Problem([[0, 1], [2], [0], [1]]))
    assert len(set(Problem([(0, 1), (2,), (0,), (1,)]))) == 2


def test_a_problem_is_iterated_by_its_covers_and_has_no_length() -> None:
    problem = Problem(["ceg", "adf", "bc", "bg", "ad", "deg", "ce", "f"])
    assert (problem.option_count, len(problem.options), len(list(problem))) == (8, 8, 2)
    with pytest.raises(TypeError):
        len(problem)  # type: ignore[arg-type]
    assert bool(Problem([]))


def test_all_modules_are_available_after_one_import() -> None:
    assert hasattr(farandole, "shards")
    pytest.importorskip("distributed")
    assert hasattr(farandole, "dask") and hasattr(farandole.dask, "count")
    assert not hasattr(farandole, "nonsense")
    assert "dask" in dir(farandole)


@pytest.mark.parametrize("wrong", [{"limit": True}, {"threads": True}, {"time": "3"}, {"time": True}, {"limit": 1.5}, {"cancel": True}])
def test_limits_must_be_numbers(wrong: dict[str, Any]) -> None:
    refusal(lambda: Problem(["a"]).count(**wrong))
