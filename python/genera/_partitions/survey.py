"""What each partition has: columns, their types, classes. Surveys merge by name."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .. import _labels
from .._errors import Error
from .._frame_kind import FrameKind

_CODED = {"categorical", "binary"}


@dataclass
class Survey:
    """Of some partitions, in their order."""

    rows: int = 0
    bytes: int = 0
    largest: int = 0  # bytes of the largest partition
    names: list[str] | None = None  # None: the columns have no names
    inputs: dict[str, str] = field(default_factory=dict)  # name to type
    empty: set[str] = field(default_factory=set)  # columns without any value
    shape: str = ""  # "sparse" or "columns"
    first: str = ""  # the first partition with rows
    classes: dict[str, Any] = field(default_factory=dict)  # name to label
    dtypes: list[Any] = field(default_factory=list)  # of labels
    from_text: bool = False  # labels were read from text files
    frame: FrameKind | None = None
    constants: np.ndarray | None = None
    offsets: list[int] = field(default_factory=list)  # rows of each partition
    left_out: dict[str, int] = field(default_factory=dict)
    disagree: bool = False  # types differ where a partition has no value
    problem: Error | None = None

    def merge(self, other: Survey) -> Survey:
        """``other`` is of the partitions that follow."""
        if not other.rows or not self.rows:
            first, rest = (self, other) if self.rows else (other, self)
            merged = copy.copy(first)
            merged.offsets = self.offsets + other.offsets
            merged.problem = self.problem or other.problem
            merged.disagree = self.disagree or other.disagree
            return merged
        problem = self.problem or other.problem or self._difference(other)
        if problem is not None:
            return Survey(problem=problem, offsets=self.offsets + other.offsets)
        merged = copy.copy(self)
        merged.rows = self.rows + other.rows
        merged.bytes = self.bytes + other.bytes
        merged.largest = max(self.largest, other.largest)
        merged.offsets = self.offsets + other.offsets
        merged.inputs = dict(self.inputs)
        merged.disagree = self.disagree or other.disagree
        for name, kind in other.inputs.items():
            known = self.inputs[name]
            if known == kind:
                continue
            if {known, kind} <= _CODED:
                merged.inputs[name] = "categorical"
                continue
            merged.disagree = True
            merged.inputs[name] = kind if name in self.empty else known
        merged.empty = self.empty & other.empty
        merged.classes = {**self.classes, **other.classes}
        merged.dtypes = self.dtypes + [one for one in other.dtypes if one not in self.dtypes]
        merged.from_text = self.from_text and other.from_text
        merged.frame = _joined(self.frame, other.frame)
        if self.constants is not None and other.constants is not None:
            lost = np.isnan(self.constants)
            merged.constants = np.where(lost, other.constants, self.constants)
        keys = {**self.left_out, **other.left_out}
        merged.left_out = {
            key: self.left_out.get(key, 0) + other.left_out.get(key, 0) for key in keys
        }
        return merged

    def _difference(self, other: Survey) -> Error | None:
        lacking = sorted(set(self.inputs) - set(other.inputs))
        extra = sorted(set(other.inputs) - set(self.inputs))
        if self.shape != other.shape:
            return Error(
                f"{other.first} is a {other.shape}, but {self.first} is a {self.shape}",
                "make all partitions of one kind",
                "bad_data",
            )
        if (self.names is None) != (other.names is None) or len(self.inputs) != len(other.inputs):
            if not lacking and not extra:
                return _columns_differ(other, self, "names of columns", "")
        if lacking:
            return _columns_differ(other, self, f"no column '{lacking[0]}'", "has it")
        if extra:
            return _columns_differ(other, self, f"a column '{extra[0]}'", "does not")
        for name, kind in other.inputs.items():
            known = self.inputs[name]
            if known == kind or {known, kind} <= _CODED:
                continue
            if name in self.empty or name in other.empty:
                continue
            return Error(
                f"{other.first}: column '{name}' is {kind}, but {known} in {self.first}",
                "convert it, so that it has the same type in all partitions",
                "bad_data",
            )
        return None

    def labels(self, estimator: str) -> _labels.Labels:
        """The classes of all partitions; there are no codes."""
        if not self.classes:
            raise ValueError("y has no label: all of them are missing.")
        kinds = {_labels.type_of(np.empty(0, one)) for one in self.dtypes}
        classes = self.classes
        if len(kinds) > 1 and kinds != {"integer", "real"}:
            if not self.from_text:
                raise TypeError(
                    f"The labels of the partitions are of the types {sorted(kinds)}: give all "
                    "labels the same type."
                )
            classes = {name: name for name in classes}
        values = list(classes.values())
        if any(isinstance(label, str) for label in values):
            dtype: Any = object if any(one == object for one in self.dtypes) else None
        else:
            dtype = np.result_type(*self.dtypes)
        known = np.array(values, dtype=dtype)
        order = np.argsort(known, kind="stable")
        names = list(classes)
        return _labels.Labels(np.empty(0, np.int32), known[order], [names[i] for i in order])


def _columns_differ(odd: Survey, first: Survey, what: str, but: str) -> Error:
    rest = f", but {first.first} {but}" if but else f" unlike {first.first}"
    return Error(
        f"{odd.first} has {what}{rest}", "give all partitions the same columns", "bad_data"
    )


def _joined(first: FrameKind | None, second: FrameKind | None) -> FrameKind | None:
    """Levels of the second are added."""
    if first is None or second is None:
        return first or second
    joined = copy.copy(first)
    joined._originals = {
        name: {**levels, **second._originals.get(name, {})}
        for name, levels in first._originals.items()
    }
    return joined
