"""A fitted classifier against the truth."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _genera, _labels
from .._base import _Classifier, labelled_rows, model_of, weigh
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
        Of genera, or any with ``predict_proba`` and ``classes_``, such as a pipeline.
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
    labels = _labels.encode(y, type(classifier).__name__)
    if not isinstance(classifier, _Classifier):
        if priors is not None:
            raise Error(
                f"{type(classifier).__name__} has no priors that could be replaced",
                "leave priors out, or give a classifier of genera",
            )
        how = {"costs": costs, "reject": reject, "strict": strict, "positive": positive}
        return _of_answers(classifier, X, labels, sample_weight, how)
    model = model_of(classifier)
    data = labelled_rows(classifier, X, labels)
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


def _of_answers(
    classifier: Any, X: Any, labels: _labels.Labels, sample_weight: Any, how: dict[str, Any]
) -> Evaluation:
    """The same by the posteriors of any classifier, such as a pipeline."""
    answering = Answering(classifier, X)
    data = answering.labelled(labels)
    weigh(data, sample_weight)
    rule = {**rule_of(how["costs"], how["reject"], answering), "strict": how["strict"]}
    found = _genera.evaluate_posterior(answering.names, answering.posterior, data, rule)
    facts = found.facts(_positive_place(answering, how["positive"]))
    warn(_oddities(facts))
    return Evaluation(found, facts, answering.classes, None)


class Answering:
    """What any classifier with ``predict_proba`` says of some rows."""

    def __init__(self, classifier: Any, X: Any) -> None:
        if not hasattr(classifier, "predict_proba") or not hasattr(classifier, "classes_"):
            raise TypeError(
                f"{type(classifier).__name__} is not a fitted classifier with predict_proba"
            )
        self.classes = np.asarray(classifier.classes_)
        self.names = [_labels.name_of(label) for label in self.classes.tolist()]
        posterior = np.asarray(classifier.predict_proba(X), dtype=np.float64)
        if posterior.ndim != 2 or posterior.shape[1] != len(self.names):
            raise ValueError(
                f"predict_proba of {type(classifier).__name__} has the shape {posterior.shape}, but "
                f"there are {len(self.names)} classes"
            )
        self.posterior = np.ascontiguousarray(posterior)

    def labelled(self, labels: _labels.Labels) -> _genera.Data:
        """The labels of the rows, without the rows."""
        count = len(self.posterior)
        if count != len(labels.codes):
            raise ValueError(
                "Found input variables with inconsistent numbers of samples: "
                f"[{count}, {len(labels.codes)}]"
            )
        data = _genera.Data(count)
        known = set(labels.names)
        names = [*labels.names, *(name for name in self.names if name not in known)]
        data.set_labels(labels.codes, names, type=labels.type)
        return data


def _core_names(classifier: Any) -> list[str]:
    """Names of the classes in the order of the core."""
    return classifier.names if isinstance(classifier, Answering) else classifier.model_.classes


def _names_of(classifier: Any) -> list[str]:
    """Names of the classes in the order of ``classes_``."""
    return classifier.names if isinstance(classifier, Answering) else classifier._class_names()


def _positive_place(classifier: Any, positive: Any) -> int:
    classes = _core_names(classifier)
    if positive is None:
        return classes.index(_names_of(classifier)[1]) if len(classes) == 2 else -1
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
