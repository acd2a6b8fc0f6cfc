"""A fitted classifier against the truth."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _genera, _labels
from .._base import model_of, weigh
from .._decisions import rule_of, with_priors
from .._errors import Error, check_choice, counted, warn
from .._progress import tell
from .._results import Evaluation


def evaluate(
    classifier: Any,
    X: Any,
    y: Any,
    sample_weight: Any = None,
    *,
    priors: Any = None,
    costs: Any = None,
    reject: float | None = None,
    positive: Any = None,
    strict: bool = False,
    threads: int | None = None,
    verbose: int = 0,
) -> Evaluation:
    """How good a classifier is on labelled rows, and whether its probabilities are honest.

    As ``genera evaluate``, with the same numbers.

    Parameters
    ----------
    classifier : fitted classifier
    X : array, frame, sparse matrix or list of texts
    y : array of labels
        The truth; rows whose label is missing or not a class of the model are left out and counted.
    sample_weight : array of shape (n,), optional
        Shares, means and sums of logarithms are weighted by it; counts are of rows.
    priors : "uniform", "estimate", dict or array, optional
        Instead of those of the classifier; estimated: from the rows, if only the frequencies of the
        classes have changed.
    costs : array, frame or dict of dicts, optional
        Of decisions (columns) by truth (rows); an array in the order of ``classes_``. Decisions are
        then those of the least expected cost, and ``risk`` is their mean cost. One decision more,
        ``"review"`` (of an array a last column), is to have somebody look at the row at this price:
        where that costs least it is rejected.
    reject : float, optional
        A row is rejected where no class has this probability: ``coverage``, ``selective_risk``.
    positive : label, optional
        Of two classes the one that AUC and average precision are about; default: the second.
    strict : bool
        Refuse labels that are missing or not a class of the model.
    threads, verbose

    Returns
    -------
    Evaluation
        With ``accuracy``, ``log_loss``, ``brier``, …, and the frames ``confusion``, ``per_class``
        and ``reliability``.

    Examples
    --------
    >>> import genera
    >>> X, y = genera.datasets.load_vowel_train(return_X_y=True)
    >>> test, truth = genera.datasets.load_vowel_test(return_X_y=True)
    >>> found = genera.evaluate(genera.LDA().fit(X, y), test, truth)
    >>> found.errors, round(found.log_loss, 4)
    (257, 1.4049)
    >>> found.per_class.shape
    (11, 4)
    """
    model = model_of(classifier)
    labels = _labels.encode(y, type(classifier).__name__)
    data = _labelled_rows(classifier, X, labels)
    weigh(data, sample_weight)
    model = with_priors(classifier, model, data, priors, threads)
    place = _positive_place(classifier, positive)
    how = {**rule_of(costs, reject, classifier), "strict": strict}
    found = _genera.evaluate(model, data, how, threads, tell(verbose))
    facts = found.facts(place)
    if _is_uncalibrated(model) and (costs is not None or reject is not None):
        warn(
            [
                "complement is a scorer: decisions are made by its probabilities, which are not "
                "calibrated"
            ]
        )
    warn(_oddities(facts))
    return Evaluation(found, facts, classifier._core_classes, model.priors)


def _labelled_rows(classifier: Any, X: Any, labels: _labels.Labels | None) -> _genera.Data:
    """Rows that a classifier is asked about, with their labels."""
    rows = classifier._as_data(X)
    if labels is None:
        return rows
    if rows.rows != len(labels.codes):
        raise ValueError(
            "Found input variables with inconsistent numbers of samples: "
            f"[{rows.rows}, {len(labels.codes)}]"
        )
    known = set(labels.names)
    # With all classes among the names, the core finds labels by their text only.
    names = [*labels.names, *(name for name in classifier._fitted().classes if name not in known)]
    rows.set_labels(labels.codes, names, classifier.model_.target, labels.type)
    return rows


def _positive_place(classifier: Any, positive: Any) -> int:
    classes = classifier.model_.classes
    if positive is None:
        return classes.index(classifier._class_names()[1]) if len(classes) == 2 else -1
    if len(classes) != 2:
        raise Error(
            f"positive is for two classes, but the model has {len(classes)}", "leave positive out"
        )
    name = _labels.name_of(positive)
    check_choice("positive", name, classes)
    return classes.index(name)


def _is_uncalibrated(model: _genera.Model) -> bool:
    return not model.is_density and model.describe()["blocks"][0]["model"] == "complement"


def _oddities(facts: dict[str, Any]) -> list[str]:
    texts = []
    out = facts["left_out"]
    if out["missing"]:
        texts.append(f"{counted(out['missing'], 'row is', 'rows are')} left out: no label")
    if out["unknown"]:
        names = ", ".join(f"'{name}'" for name in list(out["labels"])[:5])
        texts.append(
            f"{counted(out['unknown'], 'row is', 'rows are')} left out: the label is not a class of "
            f"the model, {names}"
        )
    if facts["unseen"]:
        cells = counted(facts["unseen"], "cell holds", "cells hold")
        texts.append(f"{cells} a category that the model has never seen")
    if facts["impossible"]:
        rows = counted(facts["impossible"], "row is", "rows are")
        they_were = "it was" if facts["impossible"] == 1 else "they were"
        texts.append(f"{rows} impossible under every class; {they_were} judged by the priors")
    return texts
