"""Which model predicts best the rows held out, over partitions."""

from __future__ import annotations

from typing import Any, Mapping

import numpy as np

from .. import _genera
from .._candidates import _ALL_MODELS, Options
from .._errors import check_choice
from .._partitions.driver import Driver
from .._partitions.selection import cross_validate, facts_of
from .._results import Selection
from ._collections import parts_of
from ._engine import DaskEngine, client_of
from ._estimators import GenerativeClassifier

_MODELS = ("gnb", "dlda", "lda", "qda", "rda")


def select(
    X: Any,
    y: Any,
    sample_weight: Any = None,
    *,
    models: Any = _MODELS,
    folds: int = 10,
    metric: str = "log_loss",
    grid: Mapping[str, Any] | None = None,
    refit: bool = True,
    random_state: Any = 1,
    client: Any = None,
    **options: Any,
) -> Selection:
    """Choose the model that predicts best what it has not seen, as ``genera.select``.

    Rows are dealt to folds within their partition. One round collects the statistics of all folds,
    from which every candidate is fitted in closed form; a second one judges the rows held out.

    Parameters
    ----------
    X, y, sample_weight : as ``fit`` of the estimators takes them
        Weights count in learning; every row judged counts once.
    models : names
        Models in closed form.
    folds : int
    metric : {"log_loss", "error"}
    grid : dict of name to numbers, optional
    refit : bool
        Learn the best one from all rows (``best_estimator``).
    random_state : int, RandomState or None
        Seed of the folds.
    client : distributed.Client, optional
    **options
        Parameters of ``GenerativeClassifier``. Rows with missing numbers need missing="drop".

    Returns
    -------
    Selection
    """
    check_choice("metric", metric, ("log_loss", "error"))
    known = Options(options, False)
    named = [models] if isinstance(models, str) else list(models)
    for model in named:
        check_choice("models", model, _ALL_MODELS)
    known.check_used(named, "models")
    any_numbers = _genera.Data(1)
    any_numbers.add_numbers(np.zeros((1, 1)), ["x0"])
    points: list[tuple[str, dict[str, float]]] = []
    names, estimators = [], []
    for model in named:
        values = {
            name: np.atleast_1d(one).astype(float).tolist() for name, one in (grid or {}).items()
        }
        for name, value in _genera.grid_points(model, values, any_numbers):
            names.append(name)
            points.append((model, value))
            estimators.append(known.estimator_of(model, **value))
    client = client_of(client)
    target = GenerativeClassifier(named[0])
    parts = parts_of(X, y, sample_weight)
    driver = Driver(target, target._unfitted(), DaskEngine(parts, client))
    judged = cross_validate(driver, estimators, folds, random_state)
    found = Selection(names, facts_of(judged, points, metric))
    if refit:
        best = estimators[found.ranking[0]].get_params(deep=False)
        found.best_estimator = GenerativeClassifier(**best).fit(X, y, sample_weight, client=client)
    return found
