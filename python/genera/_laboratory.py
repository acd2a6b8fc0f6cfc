"""Choose, compare, diagnose, evaluate: the verbs of the command line that judge models."""

from __future__ import annotations

import warnings
from typing import Any, Mapping

import numpy as np
from sklearn.base import clone

from . import _genera, _labels
from ._base import _Classifier, seed_of, weigh
from ._candidates import (
    Options,
    Point,
    Readings,
    candidates_of,
    check_choice,
    contenders_of,
    given_to_core,
    is_texts,
    parse_pairs,
)
from ._classifiers import GenerativeClassifier
from ._diagnosis import Diagnosis
from ._errors import Error, FitWarning
from ._options import _priors
from ._progress import teller
from ._results import Comparison, Evaluation, Selection


def _tell(verbose: int) -> Any:
    return teller() if verbose else None


def _warn(texts: list[str]) -> None:
    for text in texts:
        warnings.warn(text, FitWarning, stacklevel=3)


# -- choosing ------------------------------------------------------------------------------------


def select(
    X: Any,
    y: Any,
    sample_weight: Any = None,
    *,
    models: Any = None,
    folds: int = 10,
    loo: bool = False,
    loo_priors: str | None = None,
    metric: str = "log_loss",
    grid: Mapping[str, Any] | None = None,
    missing: str = "em",
    unlabelled_weight: float = 1.0,
    refit: bool = True,
    threads: int | None = None,
    random_state: Any = None,
    verbose: int = 0,
    **options: Any,
) -> Selection:
    """Choose the model that predicts best what it has not seen.

    Each candidate learns from some of the rows and is asked about the others: in folds, the same
    for all candidates, or one by one with ``loo=True``, exactly and in closed form where there is
    one. As ``genera select``, with the same numbers.

    Parameters
    ----------
    X : array, frame, sparse matrix, or list of texts
    y : array of labels
    sample_weight : array, optional
        Counts in learning; every row judged counts once.
    models : names and estimators, optional
        Models as ``GenerativeClassifier`` calls them, or classifiers of this module with parameters
        of their own. Default: gnb, dlda, lda, qda, rda; without numbers multinomial and bernoulli,
        or categorical.
    folds : int
    loo : bool
        Leave out one row at a time instead.
    loo_priors : {"refit", "full"}, optional
        Of ``loo``: the priors without the row (default), or those of all rows.
    metric : {"log_loss", "error"}
        By which the best is chosen.
    grid : dict of name to numbers, optional
        Values to try of alpha, gamma (rda; default 0, 0.1, …, 1 and 0, 0.2, …, 1), shrinkage (qda,
        lda), smoothing or ridge.
    missing : {"em", "drop"}
        What becomes of rows that lack something in learning.
    unlabelled_weight : float
        How much a row without a label counts.
    refit : bool
        Learn the best one from all rows (``best_estimator``).
    threads : int, optional
    random_state : int, RandomState or None
        Of the folds; None is a fixed seed.
    verbose : int
    **options
        Parameters of ``GenerativeClassifier`` (of texts those of ``TextClassifier``): each model
        named takes those it has. A singular covariance is an error unless on_singular="shrink": the
        candidate cannot be used, and says why.

    Returns
    -------
    Selection
        With ``best``, ``candidates`` (a frame), ``best_estimator``, ``difference``.

    Examples
    --------
    >>> import genera
    >>> X, y = genera.datasets.load_iris(return_X_y=True)
    >>> found = genera.select(X, y, models=["lda", "qda", "gnb"], loo=True)
    >>> found.best["model"], found.best["errors"]
    ('lda', 3)
    >>> found.best_estimator.score(X, y)
    0.98
    >>> print(found)
      model  log loss     se  error rate  errors     Brier  judged by
      lda    0.054468  0.023      0.0200       3  0.034413        loo
      qda    0.057976  0.025      0.0267       4   0.03756        loo
      gnb     0.13302  0.048      0.0467       7  0.074243        loo
    best of 3: lda, ahead of qda by 0.00351 in log loss (standard error 0.0095)
    """
    check_choice("metric", metric, ("log_loss", "error"))
    check_choice("missing", missing, ("em", "drop"))
    check_choice("loo_priors", loo_priors or "refit", ("refit", "full"))
    if loo_priors is not None and not loo:
        raise Error(
            "loo_priors is about leaving out one row at a time", "add loo=True, or leave it out"
        )
    readings = Readings(X, y, sample_weight)
    points = candidates_of(models, grid or {}, Options(options, is_texts(X)), readings)
    given, data = given_to_core(points, readings)
    how = {
        "model": "lda",
        "folds": folds,
        "seed": seed_of(random_state),
        "missing": missing,
        "unlabelled_weight": unlabelled_weight,
    }
    choice = {"loo": loo, "full_priors": loo_priors == "full", "by_error": metric == "error"}
    found = _genera.select(given, data, how, choice, threads, _tell(verbose))
    if not found["ranking"]:
        first = found["candidates"][0]
        raise Error(
            f"no candidate can be used; of {points[0].name}: {first['why_not']}",
            first["hint"],
            "bad_model",
        )
    _gather_notes(points, found)
    found["metric"] = metric
    records = [_record(point, one) for point, one in zip(points, found["candidates"])]
    selection = Selection([point.name for point in points], records, found)
    if refit:
        best = clone(points[selection.ranking[0]].estimator)
        _set_common(best, missing, unlabelled_weight, threads)
        selection.best_estimator = best.fit(X, y, sample_weight)
    return selection


def _set_common(
    estimator: Any, missing: str, unlabelled_weight: float, threads: int | None
) -> None:
    """What holds for all candidates, of what this one has."""
    known = estimator.get_params(deep=False)
    values = {"missing": missing, "unlabelled_weight": unlabelled_weight, "threads": threads}
    estimator.set_params(**{name: value for name, value in values.items() if name in known})


def _record(point: Point, found: dict[str, Any]) -> dict[str, Any]:
    """A candidate as the command line writes it."""
    usable = found["usable"]
    values = {"alpha": None, "gamma": None, **point.values}
    record: dict[str, Any] = {"model": point.model, **values}
    for key in ("log_loss", "log_loss_se", "error_rate", "errors"):
        record[key] = found[key] if usable else None
    record["rows"] = found["rows"]
    record["brier"] = found["brier"] if usable else None
    record["method"] = found["method"]
    if not usable:
        record["why_not"] = found["why_not"]
    return record


def _gather_notes(points: list[Point], found: dict[str, Any]) -> None:
    notes: dict[str, None] = dict.fromkeys(found["notes"])
    alarms: dict[str, None] = dict.fromkeys(found["warnings"])
    for point, one in zip(points, found["candidates"]):
        notes.update(dict.fromkeys(f"{point.model}: {note}" for note in one["notes"]))
        alarms.update(dict.fromkeys(f"{point.model}: {note}" for note in one["warnings"]))
    if found["not_judged"]:
        alarms[f"{found['not_judged']} rows are not judged: without them the class has no row"] = (
            None
        )
    found["notes"] = list(notes)
    _warn(list(alarms))


# -- comparing -----------------------------------------------------------------------------------


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
    random_state: Any = None,
    verbose: int = 0,
    **options: Any,
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
    about: dict[str, Any] = {"repeats": repeats, "missing_share": missing_share, "classes": list}
    if from_ is not None:
        how["within"] = about["within"] = 0.02 if within is None else within
        return _compare_drawn(from_, dimensions, chosen, known, how, about, threads, verbose)
    readings = Readings(X, y)
    if chosen is None:
        chosen = _genera.default_pairs(readings.untyped(known))
    found = contenders_of(chosen, known, readings)
    given, data = given_to_core(found.points, readings)
    how["keep"] = _rows_of_classes(classes, readings.labels)
    curves, facts = _genera.compare(given, data, found.pairs, how, threads, _tell(verbose))
    _warn(facts["warnings"])
    label_of = dict(zip(readings.labels.names, readings.labels.classes.tolist()))
    about["classes"] = lambda names: [label_of[name] for name in names]
    return Comparison([(None, curves, facts)], about)


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
    about: dict[str, Any],
    threads: int | None,
    verbose: int,
) -> Comparison:
    model = _model_of(classifier)
    count = model.feature_count
    doubling = [2**k for k in range(1, 64) if 2**k < count] + [count]
    how["dimensions"] = (
        doubling if dimensions is None else np.atleast_1d(dimensions).astype(int).tolist()
    )
    if pairs is None:
        pairs = _genera.default_pairs(model)
    found = contenders_of(pairs, options, None)
    given: list[Any] = [(one.name, dict(one.estimator._options()), None) for one in found.points]
    parts, needed = _genera.compare_drawn(given, model, found.pairs, how, threads, _tell(verbose))
    return Comparison(parts, about, needed)


def _model_of(classifier: Any) -> _genera.Model:
    if not isinstance(classifier, _Classifier):
        raise TypeError(
            f"{type(classifier).__name__} is not a classifier of genera (of scikit-learn's own and of "
            "the drop-ins in genera.sklearn nothing is known but their answers)"
        )
    return classifier._fitted()


# -- diagnosing ----------------------------------------------------------------------------------


def diagnose(
    X: Any,
    y: Any = None,
    sample_weight: Any = None,
    *,
    outliers: int = 20,
    types: Mapping[Any, str] | None = None,
    threads: int | None = None,
    random_state: Any = None,
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
    facts = _genera.diagnose(data, outliers, seed_of(random_state), threads, _tell(verbose))
    _warn(facts["warnings"])
    return Diagnosis(facts, dict(zip(readings.labels.names, readings.labels.classes.tolist())))


# -- evaluating ----------------------------------------------------------------------------------


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
    model = _model_of(classifier)
    labels = _labels.encode(y, type(classifier).__name__)
    data = _labelled_rows(classifier, X, labels)
    weigh(data, sample_weight)
    model = _with_priors(classifier, model, data, priors, threads)
    place = _positive_place(model.classes, positive)
    prices, review = _costs(costs, classifier)
    how = {"costs": prices, "review": review, "reject": reject, "strict": strict}
    found = _genera.evaluate(model, data, how, threads, _tell(verbose))
    facts = found.facts(place)
    if place >= 0:
        facts["positive"] = model.classes[place]
    if _is_uncalibrated(model) and (costs is not None or reject is not None):
        _warn(
            ["complement is a scorer: its probabilities, by which is decided, are not calibrated"]
        )
    _warn(_oddities(facts))
    return Evaluation(found, facts, classifier.classes_, model.priors)


def _labelled_rows(classifier: Any, X: Any, labels: _labels.Labels | None) -> _genera.Data:
    """Rows that a classifier is asked about, with their labels."""
    rows = classifier._rows(X)
    if isinstance(rows, np.ndarray):
        rows = classifier._data_of_array(rows, classifier._known_names())
    if labels is None:
        return rows
    if rows.rows != len(labels.codes):
        raise ValueError(
            "Found input variables with inconsistent numbers of samples: "
            f"[{rows.rows}, {len(labels.codes)}]"
        )
    rows.set_labels(labels.codes, labels.names, classifier._fitted().target)
    return rows


def _with_priors(
    classifier: Any, model: _genera.Model, data: _genera.Data, priors: Any, threads: int | None
) -> _genera.Model:
    if priors is None:
        return model
    count = len(model.classes)
    if isinstance(priors, str):
        check_choice("priors", priors, ("uniform", "estimate"))
        if priors == "uniform":
            return model.with_priors([1 / count] * count)
        found, settled = _genera.estimate_priors(model, data, threads)
        if not settled:
            _warn(
                ["the priors have not settled: the classes can hardly be told apart in these rows"]
            )
        return model.with_priors(found.tolist())
    named = dict(_priors(priors, None, model.classes))
    for name in named:
        check_choice("priors", name, model.classes)
    return model.with_priors([named.get(name, 0.0) for name in model.classes])


def _costs(costs: Any, classifier: Any) -> tuple[list[list[float]] | None, list[float]]:
    """A row for each truth, and the prices of review: none, if it is not offered."""
    if costs is None:
        return None, []
    names = [_labels.name_of(label) for label in classifier.classes_.tolist()]
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
    return values[:, :count].tolist(), values[:, count:].ravel().tolist()


def _named(table: Mapping[Any, Any], name: str) -> Any:
    for label, value in table.items():
        if _labels.name_of(label) == name:
            return value
    what = "decision" if name == "review" else "class"
    raise Error(
        f"costs has nothing for the {what} '{name}'", "name every class as truth and decision"
    )


def _positive_place(classes: list[str], positive: Any) -> int:
    if positive is None:
        return 1 if len(classes) == 2 else -1
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
        texts.append(f"{out['missing']} rows are left out: no label")
    if out["unknown"]:
        names = ", ".join(f"'{name}'" for name in list(out["labels"])[:5])
        texts.append(
            f"{out['unknown']} rows are left out: the label is not a class of the model, {names}"
        )
    if facts["unseen"]:
        texts.append(f"{facts['unseen']} cells hold a category that the model has never seen")
    if facts["impossible"]:
        texts.append(
            f"{facts['impossible']} rows are impossible under every class; they were judged by the priors"
        )
    return texts
