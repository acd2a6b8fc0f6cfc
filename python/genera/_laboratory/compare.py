"""Learning curves of generative and discriminative models."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _genera, _labels
from .._base import model_of, seed_of
from .._candidates import Options, Readings, contenders_of, given_to_core, is_texts, parse_pairs
from .._classifiers import GenerativeClassifier
from .._errors import Error, check_choice, warn
from .._progress import tell
from .._results import Comparison

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .._typing import ComparedOptions


def compare(
    X: Any = None,
    y: Any = None,
    *,
    pairs: Any = None,
    sizes: Any = None,
    repeats: int = 100,
    classes: Any = None,
    missing_share: float | None = None,
    missing: str = "em",
    from_: Any = None,
    dimensions: Any = None,
    within: float | None = None,
    threads: int | None = None,
    random_state: Any = 1,
    verbose: int = 0,
    **options: Unpack[ComparedOptions],
) -> Comparison:
    """Generative against discriminative models, by the number of training rows.

    Each model learns from random samples of the rows, the same for all, and is tested on all other
    rows. As ``genera compare``, with the same numbers.

    Parameters
    ----------
    X, y
        As ``fit`` takes them; left out with ``from_``.
    pairs : names, optional
        Such as "dlda-logistic", "gnb-squares", "qda-quadratic"; a model alone gets its counterpart.
        Default: dlda-logistic and lda-logistic; without numbers multinomial-logistic or
        categorical-logistic.
    sizes : numbers, optional
        Of training rows; default 10, 20, 50, … up to two thirds of the rows and 2000.
    repeats : int
        Random splits into training and test rows.
    classes : labels, optional
        Only rows of these classes.
    missing_share : float, optional
        Remove this share of the cells at random: generative models marginalise them,
        discriminative ones get the means of the training rows instead.
    missing : {"em", "drop"}
    from_ : fitted classifier, optional
        Draw the rows from it, of ``dimensions`` of its columns (the first ones; default 2, 4, 8, …
        up to all); ``needed`` then says how many rows it takes to come ``within`` (default 0.02) of
        the error of very many rows.
    threads, random_state, verbose
    **options
        Parameters of ``GenerativeClassifier``: each model takes those it has. Without ``ridge``
        softmax regression takes the best of 0.01, 0.1, 1, 10, 100 within each sample.

    Returns
    -------
    Comparison
        With the frames ``curves``, ``crossings``, ``differences`` and ``models``.

    Examples
    --------
    >>> import genera
    >>> X, y = genera.datasets.load_breast_cancer(return_X_y=True)
    >>> found = genera.compare(X, y, pairs="dlda", sizes=[20, 100], repeats=5, ridge=1)
    >>> list(found.models["parameters"])
    [31, 91]
    >>> [record["better_after"] for record in found.to_dict()["crossings"]]
    ['logistic', 'logistic']
    """
    check_choice("missing", missing, ("em", "drop"))
    _check_source(X, y, classes, from_, dimensions, within)
    decided = (
        "components",
        "covariance",
        "starts",
        "terms",
        "on_singular",
        "missing",
        "unlabelled_weight",
    )
    known = Options(options, is_texts(X), decided)
    chosen = None if pairs is None else parse_pairs(pairs)
    how = {
        "sizes": [] if sizes is None else np.atleast_1d(sizes).astype(int).tolist(),
        "repeats": repeats,
        "seed": seed_of(random_state),
        "ridges": [] if "ridge" in known.given else _genera.default_ridges(),
        "missing_share": missing_share,
        "drop_missing": missing == "drop",
        "keep": [],
    }
    if from_ is not None:
        how["within"] = 0.02 if within is None else within
        return _compare_drawn(from_, dimensions, chosen, known, how, threads, verbose)
    readings = Readings(X, y)
    if chosen is None:
        chosen = _genera.default_pairs(readings.untyped(known))
    found = contenders_of(chosen, known, readings)
    given, data = given_to_core(found.points, readings)
    how["keep"] = _rows_of_classes(classes, readings.labels)
    parts, facts = _genera.compare(given, data, found.pairs, how, threads, tell(verbose))
    warn(facts.pop("warnings"))
    return Comparison(
        parts, facts, dict(zip(readings.labels.names, readings.labels.classes.tolist()))
    )


def _check_source(X: Any, y: Any, classes: Any, from_: Any, dimensions: Any, within: Any) -> None:
    if from_ is None:
        if X is None or y is None:
            raise Error(
                "compare needs X and y, or from_", "give rows, or a classifier to draw from"
            )
        for name, value in (("dimensions", dimensions), ("within", within)):
            if value is not None:
                raise Error(f"{name} is about rows drawn with from_", "add from_, or leave it out")
        return
    for name, value in (("X", X), ("y", y), ("classes", classes)):
        if value is not None:
            raise Error(f"{name} is about rows, but rows are drawn", f"leave {name} or from_ out")


def _rows_of_classes(classes: Any, labels: _labels.Labels) -> list[int]:
    if classes is None:
        return []
    names = [_labels.name_of(label) for label in np.asarray(classes).tolist()]
    if len(names) < 2:
        raise Error("classes names one class only: nothing can be told apart", "name at least two")
    places = []
    for name in names:
        check_choice("classes", name, labels.names)
        places.append(labels.names.index(name))
    return np.flatnonzero(np.isin(labels.codes, places)).tolist()


def _compare_drawn(
    classifier: Any,
    dimensions: Any,
    pairs: Any,
    options: Options,
    how: dict[str, Any],
    threads: int | None,
    verbose: int,
) -> Comparison:
    model = model_of(classifier)
    count = model.feature_count
    doubling = [2**k for k in range(1, 64) if 2**k < count] + [count]
    how["dimensions"] = (
        doubling if dimensions is None else np.atleast_1d(dimensions).astype(int).tolist()
    )
    if pairs is None:
        pairs = _genera.default_pairs(model)
    found = contenders_of(pairs, options, None)
    given: list[Any] = [(one.name, dict(one.estimator._options()), None) for one in found.points]
    parts, facts = _genera.compare_drawn(given, model, found.pairs, how, threads, tell(verbose))
    warn(facts.pop("warnings"))
    return Comparison(parts, facts, {})
