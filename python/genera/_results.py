"""What choosing, comparing and evaluating find."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _genera
from ._errors import counted
from ._frames import Report, Result, digits, frame_of, matrix_frame


class Selection(Result):
    """What became of all candidates on rows that they had not learned from.

    Attributes
    ----------
    best : dict
        The candidate that was chosen, with its figures.
    candidates : frame
        All candidates in the order in which they were tried: ``model``, ``alpha``, ``gamma`` and
        other values of the grid, ``log_loss``, ``log_loss_se``, ``error_rate``, ``errors``,
        ``rows``, ``brier``, ``method`` ("folds" or "loo"), ``why_not`` of those that cannot be used.
    ranking : list of int
        Places of those that can be used among the candidates, the best first.
    best_estimator : estimator
        The best one, learned from all rows (with ``refit=True``).
    difference : (float, float) or None
        By how much the log loss of the best other model exceeds that of the best, row by row, and
        the standard error of that; None if there is no other.
    metric : str
    not_judged : int
        Rows whose class has no row without them.
    notes : list of str
    """

    def __init__(self, names: list[str], facts: dict[str, Any]) -> None:
        self.notes: list[str] = facts.pop("notes")
        self._names = names
        self._facts = facts
        self._records: list[dict[str, Any]] = facts["candidates"]
        self.ranking: list[int] = facts["ranking"]
        self.best: dict[str, Any] = facts["best"]
        self.candidates = frame_of(self._records)
        self.metric: str = facts["metric"]
        self.not_judged: int = facts["not_judged"]
        self._next = self._next_model()
        self.difference: tuple[float, float] | None = None
        if self._next is not None:
            place = self.ranking.index(self._next)
            self.difference = (facts["behind"][place], facts["behind_se"][place])
        self.best_estimator: Any = None

    def _next_model(self) -> int | None:
        for place in self.ranking:
            if self._records[place]["model"] != self.best["model"]:
                return place
        return None

    def to_dict(self) -> dict[str, Any]:
        """As ``genera select --json`` prints it."""
        return self._facts

    def _verdict(self) -> str:
        text = f"best of {len(self._records)}: {self._names[self.ranking[0]]}"
        if self._next is None or self.difference is None:
            return text
        other = self._names[self._next]
        if self.metric == "error":
            fewer = self._records[self._next]["errors"] - self.best["errors"]
            return f"{text}, {fewer} errors fewer than {other}"
        mean, error = self.difference
        return f"{text}, ahead of {other} by {mean:.3g} in log loss (standard error {error:.2g})"

    def _report(self) -> Report:
        report = Report()
        cells, shown = [], set()
        for place in self.ranking:
            record = self._records[place]
            if record["model"] in shown and "#" not in self._names[place]:
                continue
            shown.add(record["model"])
            cells.append(
                [
                    self._names[place],
                    digits(record["log_loss"]),
                    digits(record["log_loss_se"], 2),
                    f"{record['error_rate']:.4f}",
                    str(record["errors"]),
                    digits(record["brier"]),
                    record["method"],
                ]
            )
        head = ["model", "log loss", "se", "error rate", "errors", "Brier", "judged by"]
        report.table(head, cells)
        for name, record in zip(self._names, self._records):
            if "why_not" in record and record["model"] not in shown:
                shown.add(record["model"])
                report.line(f"{name}: cannot be used: {record['why_not']}")
        report.line(self._verdict())
        for note in self.notes:
            report.line(f"note: {note}")
        return report


class Comparison(Result):
    """How models improve with the number of rows that they learn from.

    Attributes
    ----------
    curves : frame
        A row for each model and number of training rows: ``model``, ``kind``, ``size``,
        ``error_mean``, ``error_se``, ``log_loss_mean``, ``log_loss_se``, log-likelihoods, and in how
        many repeats covariances were ``shrunk`` or variances ``raised``. Of rows drawn from a model
        also ``dimension``.
    crossings : frame
        Where the curves of each pair cross for the last time, by ``metric``: ``size`` with the
        interval ``low`` to ``high``, and which model is better before and after.
    differences : frame
        By how much the generative model of a pair is worse, at each size, sample by sample.
    models : frame
        Their free parameters.
    needed : frame or None
        Of rows drawn from a model: how many each model needs to come near its limit.
    sizes : list of int
    repeats, rows : int
    classes : list
    notes : list of str
    """

    def __init__(
        self,
        parts: list[tuple[int | None, _genera.Curves]],
        facts: dict[str, Any],
        label_of: dict[str, Any],
    ) -> None:
        self.notes: list[str] = facts.pop("notes")
        self._facts = facts
        self._figures = {
            size: {
                "error": _genera.figure_curves(curves, True),
                "log_loss": _genera.figure_curves(curves, False),
            }
            for size, curves in parts
        }
        self._needed = None
        if any(record["rows"] is not None for record in facts.get("needed", ())):
            self._needed = _genera.figure_needed([part for _, part in parts], facts["within"])
        self.classes: list[Any] = [label_of.get(name, name) for name in facts["classes"]]
        self.sizes: list[int] = facts["sizes"]
        self.rows: int = facts["rows"]
        self.repeats: int = facts["repeats"]
        self.curves = frame_of(facts["curves"])
        self.crossings = frame_of(facts["crossings"])
        self.differences = frame_of(facts["differences"])
        self.models = frame_of(facts["models"])
        self.needed = frame_of(facts["needed"]) if "needed" in facts else None

    def to_dict(self) -> dict[str, Any]:
        """As ``genera compare --json`` prints it, without the name of the data."""
        return self._facts

    def _report(self) -> Report:
        report = Report()
        for size in self._figures:
            curves = [one for one in self._facts["curves"] if one.get("dimension") == size]
            columns = "" if size is None else f", {counted(size, 'column')}"
            for title, key in (("error", "error"), ("log loss", "log_loss")):
                report.title(
                    f"mean {title} of {self.repeats} random splits (standard error){columns}"
                )
                report.table(*_table_by_size(curves, key))
        report.title("where curves cross")
        for record in self._facts["crossings"]:
            report.line("  " + _crossing_text(record))
        for record in self._facts.get("needed", ()):
            report.line("  " + _needed_text(record, self._facts["within"]))
        for note in self.notes:
            report.line(f"note: {note}")
        return report


def _table_by_size(curves: list[dict[str, Any]], key: str) -> tuple[list[str], list[list[str]]]:
    names = list(dict.fromkeys(record["model"] for record in curves))
    sizes = list(dict.fromkeys(record["size"] for record in curves))
    found = {(record["size"], record["model"]): record for record in curves}
    cells = []
    for size in sizes:
        row = [str(size)]
        for name in names:
            record = found[size, name]
            row.append(f"{record[key + '_mean']:.4f} ({record[key + '_se']:.4f})")
        cells.append(row)
    return ["rows", *names], cells


def _end(value: float | None, otherwise: str) -> str:
    return otherwise if value is None else f"{value:.0f}"


def _crossing_text(record: dict[str, Any]) -> str:
    of = "errors" if record["metric"] == "error" else "log losses"
    columns = f", {counted(record['dimension'], 'column')}" if "dimension" in record else ""
    who = f"{record['generative']}, {record['discriminative']}{columns}: {of}"
    if record["size"] is None:
        if record["better_after"] is None:
            return f"{who} are the same"
        return f"{who} do not cross: {record['better_after']} is better at all sizes"
    interval = f"{_end(record['low'], 'fewer')} to {_end(record['high'], 'more')}"
    return (
        f"{who} cross at about {record['size']:.0f} rows (90% interval {interval}): "
        f"{record['better_before']} is better with fewer, {record['better_after']} with more"
    )


def _needed_text(record: dict[str, Any], within: float) -> str:
    rows = "not among the sizes tried" if record["rows"] is None else f"{record['rows']:.0f} rows"
    return (
        f"{record['model']}, {counted(record['dimension'], 'column')}: within {within:g} of its limit "
        f"{record['asymptotic_error']:.4f} with {rows}"
    )


class Evaluation(Result):
    """How good a classifier is on labelled rows.

    Attributes
    ----------
    rows, errors : int
    accuracy, error_rate, balanced_accuracy, log_loss, brier : float
    accuracy_interval : dict
        Wilson's interval of the accuracy: ``low``, ``high``, ``level``, ``method``.
    baseline : dict
        Always the most frequent ``class``, and its ``accuracy``.
    log_likelihood : float
        Sum of log p(x, y); NaN of a scorer without a density.
    confusion : frame
        Rows by truth (down) and prediction (across).
    per_class : frame
        ``precision``, ``recall``, ``f1`` and ``support`` of each class.
    reliability : frame
        Rows by the probability of their most probable class: ``low``, ``high``, ``rows``,
        ``confidence`` (its mean) and ``accuracy``.
    ece : float
        Expected calibration error.
    positive, auc, average_precision
        Of two classes: the positive one, the area under its ROC curve, its average precision.
    risk, rejected, coverage, selective_risk
        If there were ``costs``; if there was ``reject``, or a price of review.
    left_out : dict
        ``rows`` that were not judged: label ``missing``, or ``unknown`` to the model (``labels``).
    classes, priors : arrays
        Those of the model as it was asked; priors None of a classifier that is not of genera.
    """

    rows: int
    errors: int
    accuracy: float
    error_rate: float
    balanced_accuracy: float
    accuracy_interval: dict[str, Any]
    baseline: dict[str, Any]
    log_loss: float
    brier: float
    log_likelihood: float
    ece: float
    left_out: dict[str, Any]

    def __init__(
        self,
        core: _genera.Evaluation,
        facts: dict[str, Any],
        classes: np.ndarray,
        priors: np.ndarray | None,
    ) -> None:
        self._figures = {
            "confusion": _genera.figure_confusion(core),
            "reliability": _genera.figure_reliability(core),
        }
        self._facts = facts
        shown = ("confusion", "per_class", "reliability", "classes", "impossible", "unseen")
        self.__dict__.update({k: v for k, v in facts.items() if k not in shown})
        if self.log_likelihood is None:
            self.log_likelihood = np.nan
        self.classes = classes
        self.priors = priors
        labels = classes.tolist()
        self.confusion = matrix_frame(facts["confusion"], labels, "truth", "prediction")
        self.per_class = frame_of(
            [{"class": label, **scores} for label, scores in zip(labels, facts["per_class"].values())],
            "class",
        )
        self.reliability = frame_of(facts["reliability"])

    def to_dict(self) -> dict[str, Any]:
        """As ``genera evaluate --json`` prints it."""
        return self._facts

    def _report(self) -> Report:
        facts, report = self._facts, Report()
        names = {
            "rows": "rows",
            "errors": "errors",
            "accuracy": "accuracy",
            "error_rate": "error rate",
            "balanced_accuracy": "balanced accuracy",
            "log_loss": "log loss",
            "brier": "Brier score",
            "log_likelihood": "log-likelihood",
            "ece": "calibration error",
            "auc": f"AUC ({facts.get('positive')})",
            "average_precision": "average precision",
            "risk": "risk",
            "rejected": "rejected",
            "coverage": "coverage",
            "selective_risk": "selective risk",
        }
        cells = [[text, digits(facts[key], 6)] for key, text in names.items() if key in facts]
        report.table([], cells)
        report.title("classes")
        scores = [
            [
                name,
                *(f"{one[key]:.4f}" for key in ("precision", "recall", "f1")),
                str(one["support"]),
            ]
            for name, one in facts["per_class"].items()
        ]
        report.table(["class", "precision", "recall", "f1", "support"], scores)
        if len(facts["classes"]) <= 20:
            report.title("confusion")
            rows = [
                [name, *map(str, row)] for name, row in zip(facts["classes"], facts["confusion"])
            ]
            report.table(["truth \\ prediction", *facts["classes"]], rows)
        if facts["left_out"]["rows"]:
            left_out = counted(facts["left_out"]["rows"], "row is", "rows are")
            report.line(f"{left_out} left out: no label of the model")
        return report
