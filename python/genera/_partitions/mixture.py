"""Mixtures over partitions: k-means++ and Lloyd by additive rounds, then one EM per candidate, all
in the same rounds. The components are the classes of rows without labels."""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import _genera, _input
from .._errors import Error
from .parts import Part, row_count
from .survey import Survey

MODELS = {"full": "qda", "tied": "lda", "diag": "gnb", "tied_diag": "dlda", "spherical": "spherical"}


def parameter_count(covariance: str, k: int, d: int) -> int:
    shape = {
        "full": k * d * (d + 1) // 2,
        "tied": d * (d + 1) // 2,
        "diag": k * d,
        "tied_diag": d,
        "spherical": k,
    }
    return k - 1 + k * d + shape[covariance]


@dataclass
class Columns:
    """Rows, and number, mean and sum of squares of the values of each column."""

    survey: Survey
    count: np.ndarray
    mean: np.ndarray
    squares: np.ndarray

    def merge(self, other: Columns) -> Columns:
        if not len(other.count) or not len(self.count):
            some = self if len(self.count) else other
            return Columns(self.survey.merge(other.survey), some.count, some.mean, some.squares)
        survey = self.survey.merge(other.survey)
        if survey.problem is not None:
            return Columns(survey, self.count, self.mean, self.squares)
        count = self.count + other.count
        known = np.maximum(count, 1)
        difference = other.mean - self.mean
        mean = self.mean + difference * other.count / known
        squares = self.squares + other.squares + difference**2 * self.count * other.count / known
        return Columns(survey, count, mean, squares)


def array_of(part: Part, estimator: Any) -> tuple[np.ndarray, list[str] | None]:
    X, _, _ = part.load()
    if row_count(X) == 0:
        return np.empty((0, 0)), None
    names = _input.feature_names(X)
    array = np.asarray(_input.array_of(X, estimator), dtype=np.float64)
    if np.isinf(array).any():
        raise Error("X has an infinite value", "replace it, or mark it as missing (NaN)", "bad_data")
    return array, None if names is None else names.tolist()


def columns(part: Part, estimator: Any) -> Columns:
    X, names = array_of(part, estimator)
    if not len(X):
        nothing = np.empty(0)
        return Columns(Survey(offsets=[0]), nothing, nothing, nothing)
    known = ~np.isnan(X)
    count = known.sum(0).astype(float)
    mean = np.where(known, X, 0).sum(0) / np.maximum(count, 1)
    squares = (np.where(known, X - mean, 0) ** 2).sum(0)
    inputs = names or _input.default_names(X.shape[1])
    survey = Survey(
        rows=len(X),
        bytes=X.nbytes,
        names=names,
        inputs=dict.fromkeys(inputs, "numeric"),
        shape="table",
        first=part.name,
        offsets=[len(X)],
    )
    return Columns(survey, count, mean, squares)


class MixturePart:
    """The rows of one partition. Distances are in standard deviations; a missing number is at the
    mean of its column."""

    def __init__(self, part: Part, index: int, estimator: Any, extra: dict[str, Any]) -> None:
        self.X, _ = array_of(part, estimator)
        self.index = index
        self._names: list[str] = extra["names"]
        self._estimator = estimator
        if not len(self.X):
            return
        scaled = (self.X - extra["mean"]) / extra["deviation"]
        self._rows = np.where(np.isnan(scaled), 0.0, scaled)
        self._candidates: list[tuple[bytes, dict[str, Any]]] = extra.get("candidates", [])
        self._em: dict[int, tuple[Any, Any]] = {}

    def _distances(self, centres: np.ndarray) -> np.ndarray:
        rows = self._rows
        found = (rows**2).sum(1)[:, None] - 2 * rows @ centres.T + (centres**2).sum(1)
        return np.maximum(found, 0.0)

    def seeds(self, message: Any) -> list[tuple[float, float, np.ndarray]]:
        """For each start: the mass, a number that orders draws, and a row drawn by distance."""
        drawn = []
        for start, centres in enumerate(message["centres"]):
            rng = np.random.default_rng([message["seed"], start, len(centres), self.index])
            near = self._distances(centres).min(1) if len(centres) else np.ones(len(self._rows))
            mass = float(near.sum())
            key = rng.exponential() / mass if mass > 0 else np.inf
            place = int(np.searchsorted(near.cumsum(), rng.random() * mass))
            drawn.append((mass, key, self._rows[min(place, len(near) - 1)]))
        return drawn

    def assign(self, message: Any) -> list[tuple[np.ndarray, np.ndarray, float]]:
        """For each set of centres: sums and numbers of the nearest rows, and squared distances."""
        answers = []
        for centres in message["centres"]:
            distances = self._distances(centres)
            group = distances.argmin(1)
            sums = np.zeros_like(centres)
            np.add.at(sums, group, self._rows)
            sizes = np.bincount(group, minlength=len(centres)).astype(float)
            answers.append((sums, sizes, float(distances.min(1).sum())))
        return answers

    def groups(self, message: Any) -> list[bytes]:
        """For each candidate: the sums of the rows in the groups that EM starts from."""
        answers = []
        for centres, options in message["candidates"]:
            data = self._data()
            group = self._distances(centres).argmin(1)
            names = [str(c + 1) for c in range(len(centres))]
            data.set_labels(group.astype(np.int64), names, type="integer")
            answers.append(_genera.observe_partition(data, options, 1))
        return answers

    def _data(self) -> _genera.Data:
        data = _genera.Data(len(self.X))
        data.add_numbers(self.X, self._names, "numeric")
        return data

    def em(self, message: Any) -> dict[int, tuple[str, bytes]]:
        """The step asked for, and its sums, for each candidate that is not done."""
        from .worker import plan_of_bytes

        answers = {}
        for place, (step, model) in message["models"].items():
            if place not in self._em:
                data = self._data()
                data.set_labels(np.full(len(self.X), -1, dtype=np.int64), ["1"], type="integer")
                plan = plan_of_bytes(*self._candidates[place])
                self._em[place] = (_genera.em_rows(plan, data, 1), data)
            rows = self._em[place][0]
            sums = rows.complete() if step == "complete" else getattr(rows, step)(model)
            answers[place] = (step, sums)
        return answers


def answer(task: str, kept: MixturePart, message: bytes) -> bytes:
    return pickle.dumps(getattr(kept, task)(pickle.loads(message)), protocol=5)


def merge(task: str, answers: list[Any], extra: dict[str, Any]) -> Any:
    if task == "seeds":  # the smallest of exponential times is a draw by mass
        merged = []
        for drawn in zip(*answers):
            first = min(drawn, key=lambda one: one[1])
            merged.append((sum(one[0] for one in drawn), first[1], first[2]))
        return merged
    if task == "assign":
        return [tuple(sum(parts) for parts in zip(*one)) for one in zip(*answers)]
    if task == "groups":
        return [_genera.merge_observed(list(one)) for one in zip(*answers)]
    from .worker import plan_of_bytes

    total = {}
    for place, (step, _) in answers[0].items():
        plan = plan_of_bytes(*extra["candidates"][place])
        parts = [one[place][1] for one in answers]
        sums = plan.merge_patterns(parts) if step == "patterns" else plan.merge_expected(parts)
        total[place] = (step, sums)
    return total
