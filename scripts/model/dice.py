"""Chance that is the same on every machine and in every version of Python.

In goes a seed; out come choices (the SplitMix64 sequence). The standard library promises
equal sequences across versions only for `random()` itself.
"""

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")
_MASK = (1 << 64) - 1


class Dice:
    """A sequence of choices."""

    def __init__(self, seed: int) -> None:
        self._state = seed

    def between(self, low: int, high: int) -> int:
        """A whole number from `low` to `high`, both included."""
        return low + self._next() % (high - low + 1)

    def one_of(self, options: Sequence[T]) -> T:
        """One of the options, which must not be empty."""
        return options[self._next() % len(options)]

    def _next(self) -> int:
        self._state = (self._state + 0x9E3779B97F4A7C15) & _MASK
        mixed = self._state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
        return mixed ^ (mixed >> 31)
