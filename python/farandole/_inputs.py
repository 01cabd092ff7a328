"""Interprets a caller's objects as options, items, costs or texts. Ambiguous objects are refused with expressions for each
meaning.

No library is imported here: its objects are recognized by their modules and protocols.
"""

from __future__ import annotations

import operator
import os
import re
from collections import Counter
from collections.abc import Hashable, ItemsView, Iterable, Iterator, Mapping, Sequence, Set
from typing import Any, NoReturn

__all__ = [
    "as_bytes",
    "check_distinct_iterators",
    "check_item",
    "check_no_file",
    "check_option",
    "dimensions",
    "found",
    "library",
    "take_costs",
    "take_items",
    "take_options",
]

#: Texts, which Python treats as collections of characters or numbers.
TEXTS = (str, bytes, bytearray, memoryview)
#: Separators of items in a text, which are hardly items themselves.
_SEPARATOR = re.compile(r"[\s,;]")
#: A text that looks like a file name.
_FILE_NAME = re.compile(r"[^\s\x00]{1,200}\.[A-Za-z]\w{0,9}")


def library(thing: Any) -> str:
    """Returns the name of the package that defines the type of a thing."""
    return type(thing).__module__.partition(".")[0]


def dimensions(thing: Any) -> int:
    """Returns the number of dimensions of an array or a table, and 0 for anything else."""
    shape = getattr(thing, "shape", None)
    return len(shape) if isinstance(shape, tuple) else 0


def found(thing: Any) -> str:
    """Names a thing for a message.

    >>> found(None), found("ab"), found({1: 2})
    ('None', "the text 'ab'", 'dict')
    """
    if thing is None or isinstance(thing, (bool, int, float)):
        return repr(thing)
    if isinstance(thing, (str, bytes)):
        shown = repr(thing[:40])
        return f"the text {shown}" + ("..." if len(thing) > 40 else "")
    package = library(thing)
    prefix = "" if package in ("builtins", "collections", "farandole") else f"{package} "
    size = dimensions(thing)
    return f"{prefix}{type(thing).__name__}" + (f" of {size} dimensions" if size > 1 else "")


def _refused(expected: str, thing: Any, way: str) -> NoReturn:
    raise TypeError(f"expected {expected}, found {found(thing)}: {way}")


def take_options(options: Any) -> tuple[Sequence[Any], Sequence[Any], bool]:
    """Returns the labels of covers, the options, and whether the labels are names.

    >>> take_options({"x": "ab"}), take_options(iter(["ab"]))
    ((['x'], ['ab'], True), (['ab'], ['ab'], False))
    """
    expected = "a list or a dictionary of options"
    if isinstance(options, TEXTS):
        _refused(expected, options, "`Problem.from_text` reads texts, and `Problem.from_file` files")
    if isinstance(options, os.PathLike) or hasattr(options, "read"):
        _refused(expected, options, "`Problem.from_file(path)` reads a file")
    if hasattr(options, "_core"):
        _refused(expected, options, "its options are `problem.options`, and those of a puzzle `puzzle.problem.options`")
    if dimensions(options) > 1:
        way = "`Problem.from_matrix` takes a 0/1 matrix; of an array of items `.tolist()` makes options"
        _refused(expected, options, way)
    if library(options) == "networkx":
        options = _edges(options)
    elif isinstance(options, Mapping):
        if isinstance(options, Set):
            _refused(expected, options, "it is a set and a dictionary at once; pass `list(...)` or `dict(...)` of it")
        if isinstance(options, Counter):
            _refused(expected, options, "its values are numbers, not collections of items")
        return list(options), [_kept(option) for option in options.values()], True
    if isinstance(options, ItemsView):
        _refused(expected, options, "pass the dictionary itself, whose keys are then names of options")
    if isinstance(options, enumerate):
        _refused(expected, options, "options have numbers of their own; pass the collection itself, or `dict(...)`")
    if not isinstance(options, Iterable) and not hasattr(options, "__getitem__"):
        _refused(expected, options, "an option is a collection of items")
    each = [_kept(option) for option in options]
    return each, each, False


def _kept(option: Any) -> Any:
    """Returns an option as a tuple if it can be iterated only once."""
    return tuple(option) if isinstance(option, Iterator) else option


def _edges(options: Any) -> list[Any]:
    """Returns the edges of a networkx graph as pairs of nodes, without their weights."""
    if "Edge" not in type(options).__name__:
        way = "options whose items are nodes are `graph.edges()`, or `{node: list(graph[node]) for node in graph}`"
        _refused("a list or a dictionary of options", options, way)
    edges = list(options)
    for edge in edges:
        if len(edge) != 2:
            way = f"it has {edge!r}; `[(u, v) for u, v, *_ in edges]` leaves out keys and data"
            _refused("edges as pairs of nodes", options, way)
    return edges


def check_option(option: Any) -> None:
    """Refuses an option whose items are probably not as intended."""
    if isinstance(option, str):
        # Single characters may be items, but the spaces in words and lines are not.
        if not option.isalnum() and _SEPARATOR.search(option):
            ways = "`text.split()` makes words of it, and `list(text)` characters"
            raise TypeError(f"expected a collection of items, found {found(option)}, which holds separators: {ways}")
    elif isinstance(option, TEXTS):
        _refused("a collection of items", option, "`bytes.decode()` makes a text of it, and `list(bytes)` numbers")
    elif isinstance(option, Mapping):
        if isinstance(option, (Set, Counter)):
            _refused("items, or a dictionary from items to colors", option, "`list(...)` has the items without colors")
    elif getattr(option, "_fields", ())[:1] == ("Index",) and type(option).__name__ == "Pandas":
        _refused("a collection of items", option, "it begins with the index of a table; `itertuples(index=False)` leaves it out")
    elif dimensions(option) > 1:
        _refused("a collection of items", option, "`.tolist()` makes lists of an array")
    elif getattr(getattr(option, "dtype", None), "kind", "") == "b":
        _refused("a collection of items", option, "`Problem.from_matrix` takes a 0/1 matrix")


def check_item(item: Hashable) -> None:
    """Refuses an item or a color that is not equal to itself, because each use would be a new item."""
    if isinstance(item, tuple):
        for part in item:
            check_item(part)
        return
    try:
        is_same = bool(item == item)
    except (TypeError, ValueError):
        is_same = False
    if not is_same:
        raise TypeError(f"expected something that is equal to itself, found {item!r}")


def take_items(name: str, items: Any) -> list[Any]:
    """Returns the items of an argument that lists them."""
    if items is None:
        return []
    if isinstance(items, TEXTS[1:]) or dimensions(items) > 1 or not isinstance(items, Iterable):
        raise TypeError(f"expected a collection of items for `{name}`, found {found(items)}")
    listed = list(items)
    for item in listed:
        try:
            hash(item)
        except TypeError as error:
            raise TypeError(f"`{name}`: {error}") from None
    return listed


def check_distinct_iterators(**arguments: Any) -> None:
    """Refuses the same iterator as two arguments, because the second would be empty."""
    names: dict[int, str] = {}
    for name, argument in arguments.items():
        if isinstance(argument, Iterator):
            first = names.setdefault(id(argument), name)
            if first != name:
                way = f"`{first}` and `{name}` are the same iterator, which can be gone through once: make a list of it"
                raise TypeError(f"expected collections of their own, found that {way}")


def take_costs(costs: Any, options: Any, keys: Sequence[Any], is_named: bool) -> list[int]:
    """Returns the cost of each option, or an empty list; ``keys`` are the names of the options, if any."""
    if costs is None:
        return []
    if isinstance(costs, TEXTS) or dimensions(costs) > 1:
        raise TypeError(f"expected whole numbers as `costs`, found {found(costs)}")
    if library(costs) == "pandas" and hasattr(costs, "index"):
        if is_named:
            costs = _by_index(costs)
        elif hasattr(options, "index") and library(options) == "pandas" and not costs.index.equals(options.index):
            raise ValueError("expected `costs` with the index of `options`, found another: `costs.reindex(options.index)`")
    if isinstance(costs, Mapping):
        if not is_named:
            raise TypeError("expected a list as `costs`, because `options` is no dictionary")
        missing = [key for key in keys if key not in costs]
        if missing:
            raise ValueError(f"`costs` has no cost of option {missing[0]!r}")
        if len(costs) > len(keys):
            unknown = next(key for key in costs if key not in options)
            raise ValueError(f"`costs` has option {unknown!r}, which is not in `options`")
        costs = [costs[key] for key in keys]
    for name, argument in (("costs", costs), ("options", options)):
        if isinstance(argument, Set) and (name == "costs" or library(argument) != "networkx"):
            raise TypeError(f"expected `{name}` in an order, because `costs` are one for each option, found {found(argument)}")
    try:
        numbers = [operator.index(cost) for cost in costs]
    except TypeError:
        raise TypeError("expected whole numbers as `costs`") from None
    if len(numbers) != len(keys):
        raise ValueError(f"expected {len(keys)} costs, one for each option, found {len(numbers)}")
    for number in numbers:
        if not 0 <= number < 1 << 64:
            raise ValueError(f"expected costs from 0 to 2**64 - 1, found {number}")
    return numbers


def _by_index(series: Any) -> dict[Any, Any]:
    """Converts a pandas column whose index names the options to a dictionary."""
    if not series.index.is_unique:
        raise ValueError("expected `costs` with one cost for each option, found an index with repetitions")
    return dict(series.items())


def check_no_file(text: str, reader: str) -> None:
    """Refuses the name of a file as a text; ``reader`` is the function for files."""
    if _FILE_NAME.fullmatch(text) and os.path.exists(text):
        raise ValueError(f"expected a text, found the name of a file, {text!r}: `{reader}` reads files")


def as_bytes(text: Any, reader: str) -> bytes:
    """Returns the bytes of a text; ``reader`` is the function for files."""
    if isinstance(text, str):
        check_no_file(text, reader)
        return text.encode()
    if isinstance(text, (bytes, bytearray, memoryview)):
        return bytes(text)
    way = f"`{reader}(path)` reads a file"
    if isinstance(text, Iterable) and not hasattr(text, "read"):
        way = r"`'\n'.join(lines)` makes a text of lines"
    _refused("a text", text, way)
