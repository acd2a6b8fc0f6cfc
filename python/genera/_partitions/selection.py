"""Cross-validation over partitions in two rounds: the statistics of each fold, then the losses of
the rows held out."""

from __future__ import annotations

import math
import pickle
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .. import _genera, _labels
from .._base import seed_of
from .._errors import Error
from .._options import _EVERY_COLUMN
from . import worker
from .driver import Driver
from .parts import Part, row_count
from .survey import Survey


@dataclass
class Judged:
    """Sums over rows held out: rows, and for each candidate errors, losses and Brier scores; products
    of losses for each pair."""

    survey: Survey = field(default_factory=Survey)
    folds: list[list[bytes | None]] = field(default_factory=list)  # by reading, then by fold
    rows: int = 0
    errors: Any = 0
    losses: Any = 0.0
    brier: Any = 0.0
    products: Any = 0.0
    why: list[Any] = field(default_factory=list)  # of each candidate that cannot be used

    def merge(self, other: Judged) -> Judged:
        survey = self.survey.merge(other.survey)
        if not self.survey.rows or not other.survey.rows:
            some = self if self.survey.rows else other
            return Judged(survey, *_values(some))
        if survey.problem is not None or survey.disagree:
            return Judged(survey)
        folds = [
            [_merged(a, b) for a, b in zip(ours, theirs)]
            for ours, theirs in zip(self.folds, other.folds)
        ]
        return Judged(
            survey,
            folds,
            self.rows + other.rows,
            self.errors + other.errors,
            self.losses + other.losses,
            self.brier + other.brier,
            self.products + other.products,
        )


def _values(one: Judged) -> tuple[Any, ...]:
    return one.folds, one.rows, one.errors, one.losses, one.brier, one.products


def _merged(a: bytes | None, b: bytes | None) -> bytes | None:
    return _genera.merge_statistics([a, b]) if a and b else a or b


def _taken(X: Any, rows: np.ndarray) -> Any:
    if hasattr(X, "iloc"):
        return X.iloc[rows]
    if hasattr(X, "take") and hasattr(X, "column_names"):
        return X.take(rows)
    return [X[i] for i in rows] if isinstance(X, list) else X[rows]


def folds_of(labels: _labels.Labels, index: int, folds: int, seed: int) -> np.ndarray:
    """The fold of each row: the rows of each class are shuffled and dealt in turn, beginning with
    another fold in each partition. -1: no label."""
    fold = np.full(len(labels.codes), -1)
    rng = np.random.default_rng([seed, index])
    for k in range(len(labels.names)):
        rows = rng.permutation(np.flatnonzero(labels.codes == k))
        fold[rows] = (np.arange(len(rows)) + index + k) % folds
    return fold


def _divided(part: Part, index: int, job: worker.Job) -> tuple[Survey, list[Part | None]]:
    """The rows of each fold as a partition."""
    X, y, weight = part.load()
    if row_count(X) == 0:
        return Survey(offsets=[0]), []
    labels = worker._encode(y, "classifier")
    fold = folds_of(labels, index, job.extra["folds"], job.extra["seed"])
    survey = Survey(offsets=[len(fold)])
    y = np.asarray(y, dtype=object) if isinstance(y, list) else y
    pieces: list[Part | None] = []
    for one in range(job.extra["folds"]):
        rows = np.flatnonzero(fold == one)
        own = None if weight is None else _taken(weight, rows)
        piece = Part(_taken(X, rows), _taken(y, rows), own, part.name)
        pieces.append(piece if len(rows) else None)
    return survey, pieces


def fold_statistics(part: Part, index: int, job: worker.Job) -> Judged:
    survey, pieces = _divided(part, index, job)
    found = Judged(survey)
    for reading in job.extra["readings"]:
        own = worker.Job("sums", reading["estimator"], reading["options"], job.agreed)
        sums: list[bytes | None] = []
        for piece in pieces:
            reply = None if piece is None else worker._sums(piece, index, own)
            if reply is not None and reply.em:
                raise Error(
                    "select over partitions learns from complete rows, but numbers are missing",
                    'use missing="drop"',
                    "bad_data",
                )
            if reply is not None and reading is job.extra["readings"][0]:
                offsets = found.survey.offsets
                found.survey = (
                    reply.survey if not found.survey.rows else found.survey.merge(reply.survey)
                )
                found.survey.offsets = offsets
            sums.append(None if reply is None else reply.sums)
        found.folds.append(sums)
    return found


def judge(part: Part, index: int, job: worker.Job) -> Judged:
    survey, pieces = _divided(part, index, job)
    candidates = job.extra["models"]
    count = len(candidates)
    zeros = (np.zeros(count, int), np.zeros(count), np.zeros(count), np.zeros((count, count)))
    if job.agreed is None or not survey.offsets[0]:
        return Judged(survey)
    total = Judged(survey, [], 0, *zeros)
    for fold, piece in enumerate(pieces):
        if piece is None:
            continue
        losses = np.full((count, row_count(piece.X)), np.nan)
        read = [
            worker.load(piece, worker.Job("", how["estimator"], {}, job.agreed))
            for how in job.extra["readings"]
        ]
        for place, (reading, models) in enumerate(candidates):
            if models is None:
                continue
            how, rows = job.extra["readings"][reading], read[reading]
            assert rows is not None and rows.labels is not None
            model = _genera.model_from_bytes(models[fold], how["inputs"])
            logs = model.log_posterior(rows.data, 1)
            known = {name: k for k, name in enumerate(model.classes)}
            truth = np.array([known.get(name, -1) for name in rows.labels.names])
            truth = truth[rows.labels.codes]
            own = np.where(truth < 0, -np.inf, logs[np.arange(len(truth)), truth])
            losses[place] = -own
            total.errors[place] += int((logs.argmax(1) != truth).sum())
            p = np.exp(logs)
            squares = (p**2).sum(1) + np.where(truth < 0, 1, 1 - 2 * np.exp(own))
            total.brier[place] += float(squares.sum())
        total.rows += losses.shape[1]
        total.losses += losses.sum(1)
        total.products += losses @ losses.T
        total.survey.rows += losses.shape[1]
    return total


# -- the driver ------------------------------------------------------------------------------------


def cross_validate(driver: Driver, points: list[Any], folds: int, random_state: Any) -> Judged:
    """``points``: estimators in closed form. Judged.losses and others are by point; candidates that
    cannot be fitted have an Error in ``why``."""
    keys: dict[Any, int] = {}
    readings: list[dict[str, Any]] = []
    place_of: list[int] = []
    for estimator in points:
        if not estimator._is_additive() or estimator._model_name() == "aode":
            raise Error(
                f"'{estimator._model_name()}' cannot be learned from sums of partitions",
                'leave it out, or select on one machine',
            )
        local = type(estimator)(**{**estimator.get_params(deep=False), "priors": None})
        options = local._options()
        key = (_EVERY_COLUMN.get(options["model"]), repr(getattr(local, "types", None)))
        if key not in keys:
            keys[key] = len(readings)
            readings.append({"estimator": local, "options": options})
        elif options["model"] in ("qda", "lda", "rda", "bqda"):  # every model of numbers is made of these
            readings[keys[key]] = {"estimator": local, "options": options}
        place_of.append(keys[key])
    extra = {"folds": folds, "seed": seed_of(random_state), "readings": readings}
    job = driver.job("fold-statistics", {}, extra=extra)
    found = _round(driver, job)
    if found.survey.disagree:
        job.agreed = found.survey
        found = _round(driver, job)
    labels = found.survey.labels("select")
    inputs = list(found.survey.inputs.items())
    driver.take_columns(found.survey)
    why: list[Error | None] = []
    models: list[Any] = []
    for reading in readings:
        reading["inputs"] = inputs
    for estimator, place in zip(points, place_of):
        try:
            models.append((place, _models_of(estimator, found.folds[place], inputs, labels)))
            why.append(None)
        except Error as error:
            models.append((place, None))
            why.append(error)
    if all(one is not None for one in why):
        raise why[0] or Error("no candidate can be used")
    extra["models"] = models
    judged = _round(driver, driver.job("judge", {}, extra=extra, agreed=found.survey))
    judged.why = why
    return judged


def _round(driver: Driver, job: worker.Job) -> Judged:
    driver._count(job.task)
    found: Judged = pickle.loads(driver.engine.first(job.task, driver._sized(job.to_bytes())))
    if found.survey.problem is not None:
        raise found.survey.problem
    if not found.survey.rows:
        raise ValueError("Found array with 0 sample(s): all partitions are empty.")
    return found


def _models_of(
    estimator: Any, folds: list[bytes | None], inputs: list[Any], labels: _labels.Labels
) -> list[bytes]:
    """A model of all folds but one, for each fold."""
    options = estimator._options(labels)
    options.pop("folds", None)
    made = []
    for held_out in range(len(folds)):
        rest = [one for fold, one in enumerate(folds) if fold != held_out and one]
        if not rest:
            raise Error("there are fewer rows than folds", "use fewer folds", "bad_data")
        statistics = _genera.Statistics.from_bytes(_genera.merge_statistics(rest))
        model, _ = _genera.estimate(statistics, options, inputs, None)
        made.append(model.to_bytes())
    return made


def facts_of(
    judged: Any, points: list[tuple[str, dict[str, float]]], metric: str
) -> dict[str, Any]:
    """What ``genera.Selection`` shows."""
    n = judged.rows
    loss = judged.losses / n
    squares = np.diag(judged.products)
    variance = np.maximum(squares - n * loss**2, 0) / max(1, n - 1)
    records = []
    for place, (model, values) in enumerate(points):
        usable = judged.why[place] is None
        record = {
            "model": model,
            "alpha": values.get("alpha"),
            "gamma": values.get("gamma"),
            **{name: value for name, value in values.items() if name not in ("alpha", "gamma")},
            "log_loss": float(loss[place]) if usable else None,
            "log_loss_se": math.sqrt(variance[place] / n) if usable else None,
            "error_rate": float(judged.errors[place] / n) if usable else None,
            "errors": int(judged.errors[place]) if usable else None,
            "rows": n,
            "brier": float(judged.brier[place] / n) if usable else None,
            "method": "folds",
        }
        if not usable:
            record.update(why_not=judged.why[place].what, hint=judged.why[place].hint)
        records.append(record)
    order = ("errors", "log_loss") if metric == "error" else ("log_loss", "errors")
    ranking = sorted(
        (place for place in range(len(points)) if judged.why[place] is None),
        key=lambda place: tuple(_last_if_not_finite(records[place][name]) for name in order),
    )
    best = ranking[0]
    behind, behind_se = [], []
    for place in ranking:
        mean = float(loss[place] - loss[best])
        both = squares[place] + squares[best] - 2 * judged.products[place, best]
        behind.append(mean)
        behind_se.append(math.sqrt(max(both - n * mean**2, 0) / max(1, n - 1) / n))
    return {
        "best": records[best],
        "metric": metric,
        "not_judged": 0,
        "candidates": records,
        "ranking": ranking,
        "behind": behind,
        "behind_se": behind_se,
        "notes": [],
    }


def _last_if_not_finite(value: Any) -> float:
    return float(value) if math.isfinite(value) else math.inf
