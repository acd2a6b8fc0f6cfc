"""What the rows say about the assumptions of the models."""

from __future__ import annotations

from typing import Any, Mapping

from .. import _genera
from .._base import seed_of
from .._candidates import Readings
from .._classifiers import GenerativeClassifier
from .._diagnosis import Diagnosis
from .._errors import warn
from .._progress import tell


def diagnose(
    X: Any,
    y: Any = None,
    sample_weight: Any = None,
    *,
    outliers: int = 20,
    types: Mapping[Any, str] | None = None,
    threads: int | None = None,
    random_state: Any = 1,
    verbose: int = 0,
) -> Diagnosis:
    """Which model fits: tests of means, covariances and normality, before any model is learned.

    As ``genera diagnose``, with the same numbers.

    Parameters
    ----------
    X : array or frame, or genera.Statistics
        Of its numeric columns; rows that lack a number or the label are left out and counted.
        Statistics are enough but for normality and outliers.
    y : array of labels
    sample_weight : array, optional
        A weight of two is the row twice.
    outliers : int
        List at most so many rows that look like outliers.
    types : dict, optional
        Of columns, as ``GenerativeClassifier`` has them.
    threads, random_state, verbose

    Returns
    -------
    Diagnosis
        With ``wilks``, ``box``, and the frames ``variates``, ``mardia``, ``features`` and
        ``outliers``; its text says what each means for the choice of a model.

    Examples
    --------
    >>> import genera
    >>> iris = genera.datasets.load_iris()
    >>> found = genera.diagnose(iris.data, iris.target)
    >>> round(found.wilks["lambda"], 6), round(found.box["m"], 2)
    (0.023439, 146.66)
    >>> print(found.box["meaning"])
    the covariances differ enough to be worth their parameters: model="qda"
    """
    if isinstance(X, _genera.Statistics):
        return Diagnosis(_genera.diagnose_statistics(X), {})
    readings = Readings(X, y, sample_weight)
    data = readings.of(GenerativeClassifier("lda", types=None if types is None else dict(types)))
    facts = _genera.diagnose(data, outliers, seed_of(random_state), threads, tell(verbose))
    warn(facts["warnings"])
    return Diagnosis(facts, dict(zip(readings.labels.names, readings.labels.classes.tolist())))
