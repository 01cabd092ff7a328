"""What goes between Python and Rust."""

from __future__ import annotations

from typing import NamedTuple, Optional, Sequence, Tuple

__all__ = ["Hints", "Parts"]


class Parts(NamedTuple):
    """A problem in numbers, as the private module takes it."""

    names: Sequence[str]
    #: ``None`` for a secondary item.
    bounds: Sequence[Optional[Tuple[int, int]]]
    #: Where each option begins in ``entries``, and where the last one ends; numbers of 32 bits.
    starts: bytes
    #: The items of all options.
    entries: bytes
    #: The color of each entry, from 1, or 0; nothing where there are no colors.
    colors: bytes = b""
    color_names: Sequence[str] = ()
    #: The cost of each option; nothing where there are none.
    costs: Sequence[int] = ()


class Hints(NamedTuple):
    """How a text is to be read, as far as that is known beforehand."""

    kind: Optional[str] = None
    format: Optional[str] = None
    #: The ending of the file's name, without the dot, in small letters.
    extension: str = ""
    #: Width and height of the boxes of grids.
    boxes: Optional[Tuple[int, int]] = None
    #: Extra rules of grids, with commas between.
    rules: Optional[str] = None
