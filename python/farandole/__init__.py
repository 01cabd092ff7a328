"""Exact covers and puzzles: solved, listed, counted and sampled by the engines of Farandole."""

from ._farandole import __version__

__all__ = ["__version__"]
