"""Other priors than those of the fit, and what errors cost."""

from __future__ import annotations

from typing import Any, Mapping

import numpy as np

from . import _genera, _labels
from ._errors import Error, check_choice, warn


def with_priors(
    classifier: Any, model: _genera.Model, data: _genera.Data | None, priors: Any, threads: int | None
) -> _genera.Model:
    if priors is None:
        return model
    count = len(model.classes)
    if isinstance(priors, str):
        check_choice("priors", priors, ("uniform",) if data is None else ("uniform", "estimate"))
        if priors == "uniform" or data is None:
            return model.with_priors([1 / count] * count)
        found, iterations, converged = _genera.estimate_priors(model, data, threads)
        if not converged:
            warn(
                [
                    f"the priors still changed after {iterations} iterations; the classes can "
                    "hardly be told apart in these rows"
                ]
            )
        return model.with_priors(found.tolist())
    named = dict(priors_of(priors, classifier._class_names()))
    for name in named:
        check_choice("priors", name, model.classes)
    return model.with_priors([named.get(name, 0.0) for name in model.classes])


def rule_of(costs: Any, reject: float | None, classifier: Any) -> dict[str, Any]:
    """What the core calls a rule of decisions."""
    prices, review = _costs(costs, classifier)
    return {"costs": prices, "review": review, "reject": reject}


def _costs(costs: Any, classifier: Any) -> tuple[list[list[float]] | None, list[float]]:
    """A row for each truth, and the prices of review: none, if it is not offered. Classes are in
    the order of the model."""
    if costs is None:
        return None, []
    names = getattr(classifier, "names", None) or classifier._class_names()
    if hasattr(costs, "columns") and hasattr(costs, "to_dict"):
        costs = costs.to_dict("index")
    if isinstance(costs, Mapping):
        rows = [_named(costs, name) for name in names]
        offered = "review" not in names and any("review" in row for row in rows)
        decisions = [*names, "review"] if offered else names
        costs = [[float(_named(row, name)) for name in decisions] for row in rows]
    values = np.asarray(costs, dtype=np.float64)
    count = len(names)
    if values.shape not in ((count, count), (count, count + 1)):
        raise Error(
            f"costs has the shape {values.shape}, but there are {count} classes",
            "give a row for each truth and a column for each decision, in the order of classes_",
        )
    place_of = {name: k for k, name in enumerate(names)}
    core = classifier.model_.classes if hasattr(classifier, "model_") else names
    order = [place_of[name] for name in core]
    values = values[np.ix_(order, [*order, *range(count, values.shape[1])])]
    return values[:, :count].tolist(), values[:, count:].ravel().tolist()


def _named(table: Mapping[Any, Any], name: str) -> Any:
    for label, value in table.items():
        if _labels.name_of(label) == name:
            return value
    what = "decision" if name == "review" else "class"
    raise Error(
        f"costs has nothing for the {what} '{name}'", "name every class as truth and decision"
    )


def priors_of(priors: Any, names: list[str]) -> Any:
    """As the core takes them: a word, or pairs of class and probability. ``names``: of the classes
    in the order of ``classes_``."""
    if priors is None or isinstance(priors, str):
        return priors
    if isinstance(priors, dict):
        return [(_labels.name_of(label), float(p)) for label, p in priors.items()]
    values = np.asarray(priors, dtype=np.float64)
    if values.shape != (len(names),):
        raise Error(
            f"priors has the shape {values.shape}, but there are {len(names)} classes",
            "give one probability per class, in the order of classes_, or a dict",
        )
    return list(zip(names, values.tolist()))
