"""The data that Python passes to Rust."""

from __future__ import annotations

from typing import NamedTuple, Optional, Sequence, Tuple

__all__ = ["Hints", "Parts"]


class Parts(NamedTuple):
    """A problem as numbers, in the form of the private module."""

    names: Sequence[str]
    #: ``None`` for a secondary item.
    bounds: Sequence[Optional[Tuple[int, int]]]
    #: Start of each option in ``entries``, and the end of the last one; 32-bit numbers.
    starts: bytes
    #: The items of all options.
    entries: bytes
    #: The color of each entry from 1, or 0; empty if there are no colors.
    colors: bytes = b""
    color_names: Sequence[str] = ()
    #: The cost of each option; empty if there are no costs.
    costs: Sequence[int] = ()


class Hints(NamedTuple):
    """Hints for reading a text, if known."""

    kind: Optional[str] = None
    format: Optional[str] = None
    #: The extension of the file name in lower case, without the dot.
    extension: str = ""
    #: Width and height of the boxes of grids.
    boxes: Optional[Tuple[int, int]] = None
    #: Extra rules of grids, separated by commas.
    rules: Optional[str] = None
