"""Where the rounds run. An engine only moves bytes."""

from __future__ import annotations

from typing import Any, Callable, Protocol, Sequence

from . import worker
from .parts import Part
from .worker import Prepared

FAN_IN = 8


class Engine(Protocol):
    """Partitions somewhere, and rounds over them."""

    @property
    def capacity(self) -> int | None:
        """Bytes that the sums of one partition, or a message, may take; None: not known."""

    def first(self, task: str, payload: bytes) -> bytes:
        """The merged answers of all partitions; rows are not kept."""

    def keep(self, payload: bytes, size: int) -> None:
        """Prepare the partitions for rounds; ``size``: bytes of all their rows."""

    def round(self, task: str, message: bytes, payload: bytes) -> bytes:
        """The merged answers of the prepared partitions."""

    def close(self) -> None:
        """Release what is kept."""


def tree(items: Sequence[Any], merge: Callable[[int, int, list[Any]], Any]) -> Any:
    """Merge neighbours, at most ``FAN_IN`` at a time, until one is left. The shape depends on the
    number of items only; a single item is merged, too, so that all answers have been read."""
    level = 0
    items = list(items)
    while True:
        items = [
            merge(level, place, items[begin : begin + FAN_IN])
            for place, begin in enumerate(range(0, len(items), FAN_IN))
        ]
        if len(items) == 1:
            return items[0]
        level += 1


class MapEngine:
    """Rounds by a function like ``map``: of the interpreter, of a pool of processes, of Ray.

    ``map_tasks(function, arguments)`` returns the results in order.
    """

    capacity: int | None = None

    def __init__(self, parts: list[Part], map_tasks: Callable[..., Any] | None = None) -> None:
        self._parts = parts
        self._map = map_tasks or _map_here
        self._kept: list[Prepared] = []

    def first(self, task: str, payload: bytes) -> bytes:
        jobs = [(task, part, index, payload) for index, part in enumerate(self._parts)]
        return self._merged(task, list(self._map(worker.answer, jobs)), payload)

    def keep(self, payload: bytes, size: int) -> None:
        self._kept = [Prepared(part, index, payload) for index, part in enumerate(self._parts)]

    def round(self, task: str, message: bytes, payload: bytes) -> bytes:
        jobs = [(task, kept, message) for kept in self._kept]
        return self._merged(task, list(self._map(worker.answer_kept, jobs)), payload)

    def close(self) -> None:
        self._kept = []

    def _merged(self, task: str, answers: list[bytes], payload: bytes) -> bytes:
        def merge(level: int, place: int, group: list[bytes]) -> bytes:
            return list(self._map(worker.merge, [(task, group, payload)]))[0]

        return tree(answers, merge)


def _map_here(function: Callable[..., Any], arguments: list[tuple[Any, ...]]) -> list[Any]:
    return [function(*one) for one in arguments]
