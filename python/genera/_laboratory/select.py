"""Which model predicts best the rows held out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Mapping

from sklearn.base import clone

from .. import _genera
from .._base import seed_of
from .._candidates import Options, Readings, candidates_of, given_to_core, is_texts
from .._classifiers import GenerativeClassifier
from .._errors import Error, check_choice, warn
from .._progress import tell
from .._results import Selection

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .._typing import SelectedOptions


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
    unlabelled_weight: float | None = None,
    refit: bool = True,
    threads: int | None = None,
    random_state: Any = 1,
    verbose: int = 0,
    **options: Unpack[SelectedOptions],
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
    unlabelled_weight : float, optional
        Weight of a row without a label; None: such rows are left out.
    refit : bool
        Learn the best one from all rows (``best_estimator``).
    threads : int, optional
    random_state : int, RandomState or None
        Seed of the folds; None draws a fresh one.
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
    }
    if unlabelled_weight is not None:
        how["unlabelled_weight"] = unlabelled_weight
    choice = {
        "loo": loo,
        "full_priors": loo_priors == "full",
        "by_error": metric == "error",
        "points": [(point.model, point.values) for point in points],
    }
    found = _genera.select(given, data, how, choice, threads, tell(verbose))
    warn(found.pop("warnings"))
    selection = Selection([point.name for point in points], found)
    if refit:
        best = clone(points[selection.ranking[0]].estimator)
        _set_common(best, missing, unlabelled_weight or 0.0, threads)
        selection.best_estimator = best.fit(X, y, sample_weight)
    return selection


def _set_common(
    estimator: Any, missing: str, unlabelled_weight: float, threads: int | None
) -> None:
    """What holds for all candidates, of what this one has."""
    known = estimator.get_params(deep=False)
    values = {"missing": missing, "unlabelled_weight": unlabelled_weight, "threads": threads}
    estimator.set_params(**{name: value for name, value in values.items() if name in known})
