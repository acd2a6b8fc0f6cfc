"""What a figure is asked for: features, ranges, rows."""

from __future__ import annotations

from typing import Any, Sequence

import numpy as np

from .. import _genera, _labels
from .._base import labelled_rows
from .._classifiers import GenerativeClassifier
from .._errors import Error, check_choice
from .._rows import _Rows

PLANE = (7.2, 5.0)


def estimator_of(classifier: Any) -> Any:
    """What the rows are asked with, also of a bare model."""
    if isinstance(classifier, _genera.Model):
        return GenerativeClassifier.of_model(classifier)
    return classifier


def model_of(classifier: Any) -> _genera.Model:
    classifier = estimator_of(classifier)
    if not isinstance(classifier, _Rows):
        raise TypeError(f"{type(classifier).__name__} is not an estimator of genera")
    return classifier._fitted()


def names_of(features: Any, known: Sequence[str]) -> list[str]:
    """Names of columns; numbers are their places."""
    if features is None:
        return []
    if isinstance(features, (str, int, np.integer)):
        features = [features]
    names = []
    for feature in features:
        if isinstance(feature, (int, np.integer)):
            if not -len(known) <= feature < len(known):
                raise Error(
                    f"there is no column {feature}: X has {len(known)}",
                    "columns are counted from 0",
                )
            feature = known[int(feature)]
        names.append(str(feature))
    return names


def range_of(name: str, limits: Any) -> tuple[float, float] | None:
    if limits is None:
        return None
    low, high = limits
    if not low < high:
        raise Error(f"{name} is ({low}, {high}), which is empty", "give the smaller number first")
    return float(low), float(high)


def how_of(
    axes: list[str],
    x_range: Any = None,
    y_range: Any = None,
    others: str = "marginal",
    mass: Any = None,
    grid: tuple[int, int] = (320, 240),
) -> dict[str, Any]:
    check_choice("others", others, ("marginal", "mean"))
    return {
        "axes": axes,
        "ranges": [range_of("x_range", x_range), range_of("y_range", y_range)],
        "others_at_mean": others == "mean",
        "masses": [] if mass is None else np.atleast_1d(mass).astype(float).tolist(),
        "columns": grid[0],
        "rows": grid[1],
    }


def data_of(classifier: Any, X: Any, y: Any) -> _genera.Data | None:
    if X is None:
        if y is not None:
            raise Error("y is given without X", "give the rows that the labels belong to")
        return None
    return labelled_rows(estimator_of(classifier), X, None if y is None else _labels.encode(y, "figure"))


def rows_of(classifier: Any, X: Any, y: Any) -> _genera.Data:
    data = data_of(classifier, X, y)
    if data is None:
        raise Error("this figure needs rows", "give X and y")
    return data


def known_names(classifier: Any) -> list[str]:
    model_of(classifier)  # says what is wrong with it
    return estimator_of(classifier)._known_names()
