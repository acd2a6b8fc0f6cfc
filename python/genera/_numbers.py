"""Models of numbers by their names: Gaussians in each class, beside other columns or alone."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _genera, _input
from ._additive import _Additive
from ._density import _Canonical, _Gaussian
from ._options import ON_SINGULAR, _Named


class _NumbersModel(_Named, _Gaussian):
    _model = "lda"
    _takes_sparse = True

    def _model_name(self) -> str:
        return self._model


class QDA(_Additive, _NumbersModel):
    """Quadratic discriminant analysis: a full covariance of its own for each class.

    Rows may lack numbers (NaN) and labels (None, NaN): they are learned from by EM, and what is
    missing at prediction is marginalised.

    Parameters
    ----------
    priors : None, "uniform", dict or array
    divisor : {"mle", "unbiased"}
    shrinkage : None, "oas", "lw" or float
    raw_units : bool
    on_singular : {"shrink", "error"}
    missing : {"em", "drop", "refuse"}
    threads : int, optional
        See ``GenerativeClassifier`` for all of them and for the attributes.

    Examples
    --------
    >>> from genera import QDA, datasets
    >>> X, y = datasets.load_iris(return_X_y=True)
    >>> QDA().fit(X, y).score(X, y)
    0.98
    """

    _model = "qda"

    def __init__(
        self,
        *,
        priors: Any = None,
        divisor: str = "mle",
        shrinkage: Any = None,
        raw_units: bool = False,
        on_singular: str = ON_SINGULAR,
        missing: str = "em",
        threads: int | None = None,
    ) -> None:
        self.priors = priors
        self.divisor = divisor
        self.shrinkage = shrinkage
        self.raw_units = raw_units
        self.on_singular = on_singular
        self.missing = missing
        self.threads = threads


class LDA(_Additive, _Canonical, _NumbersModel):
    """Linear discriminant analysis: one full covariance for all classes.

    Parameters
    ----------
    n_components : int, optional
        How many canonical variates ``transform`` gives; None: all there are.
    priors, divisor, shrinkage, raw_units, on_singular, missing, threads
        See ``QDA``.

    Attributes
    ----------
    xbar_, scalings_, explained_variance_ratio_ : arrays
        Of the canonical variates: ``transform(X)`` is ``(X - xbar_) @ scalings_``.

    Examples
    --------
    >>> from genera import LDA, datasets
    >>> X, y = datasets.load_iris(return_X_y=True)
    >>> LDA().fit(X, y).coef_.shape
    (3, 4)
    >>> LDA().fit(X, y).explained_variance_ratio_.round(3)
    array([0.991, 0.009])
    """

    _model = "lda"

    def __init__(
        self,
        *,
        priors: Any = None,
        divisor: str = "mle",
        shrinkage: Any = None,
        raw_units: bool = False,
        on_singular: str = ON_SINGULAR,
        missing: str = "em",
        n_components: int | None = None,
        threads: int | None = None,
    ) -> None:
        self.priors = priors
        self.divisor = divisor
        self.shrinkage = shrinkage
        self.raw_units = raw_units
        self.on_singular = on_singular
        self.missing = missing
        self.n_components = n_components
        self.threads = threads


class GaussianNB(_Additive, _NumbersModel):
    """Gaussian naive Bayes: in each class the columns are independent, each with its variance.

    Parameters
    ----------
    variance_prior : float
        As if so many more rows of each class had the pooled variances.
    variance_floor : float
        Least variance, as a part of the column's pooled one: never of another column.
    priors, divisor, on_singular, missing, threads
        See ``GenerativeClassifier``.
    """

    _model = "gnb"

    def __init__(
        self,
        *,
        priors: Any = None,
        divisor: str = "mle",
        variance_prior: float = 0.0,
        variance_floor: float = 1e-4,
        on_singular: str = ON_SINGULAR,
        missing: str = "em",
        threads: int | None = None,
    ) -> None:
        self.priors = priors
        self.divisor = divisor
        self.variance_prior = variance_prior
        self.variance_floor = variance_floor
        self.on_singular = on_singular
        self.missing = missing
        self.threads = threads


class RDA(_Additive, _NumbersModel):
    """Regularised discriminant analysis (Friedman 1989): between QDA, LDA and naive Bayes.

    Parameters
    ----------
    alpha : float
        1 is each class's own covariance, 0 the pooled one.
    gamma : float
        From 0, as estimated, to 1, the simple target.
    toward : {"diagonal", "identity"}
    priors, divisor, raw_units, on_singular, missing, threads
        See ``GenerativeClassifier``.
    """

    _model = "rda"

    def __init__(
        self,
        alpha: float = 0.5,
        gamma: float = 0.0,
        *,
        toward: str = "diagonal",
        priors: Any = None,
        divisor: str = "mle",
        raw_units: bool = False,
        on_singular: str = ON_SINGULAR,
        missing: str = "em",
        threads: int | None = None,
    ) -> None:
        self.alpha = alpha
        self.gamma = gamma
        self.toward = toward
        self.priors = priors
        self.divisor = divisor
        self.raw_units = raw_units
        self.on_singular = on_singular
        self.missing = missing
        self.threads = threads


class BayesianQDA(_Additive, _NumbersModel):
    """Bayesian quadratic discriminant analysis: a multivariate t density for each class.

    The covariance of each class has an inverse-Wishart prior centred on the pooled covariance P,
    (1 - gamma) P + gamma diag P, and is integrated out. It is never singular.

    Parameters
    ----------
    prior_rows : float, optional
        Weight of the prior, in rows per class. None: 0.1, 0.5, 2 or 8 times the number of columns,
        chosen by the marginal likelihood of the training rows.
    prior_gamma : float, optional
        From 0, the pooled covariance, to 1, its diagonal. None: 0.1, 0.4 or 1, chosen likewise.
    priors, variance_floor, on_singular, missing, threads
        See ``GenerativeClassifier``.

    Examples
    --------
    >>> from genera import BayesianQDA, datasets
    >>> X, y = datasets.load_wine(return_X_y=True)
    >>> BayesianQDA().fit(X[::2], y[::2]).score(X[1::2], y[1::2]) > 0.98
    True
    """

    _model = "bqda"

    def __init__(
        self,
        *,
        prior_rows: float | None = None,
        prior_gamma: float | None = None,
        priors: Any = None,
        variance_floor: float = 1e-4,
        on_singular: str = ON_SINGULAR,
        missing: str = "em",
        threads: int | None = None,
    ) -> None:
        self.prior_rows = prior_rows
        self.prior_gamma = prior_gamma
        self.priors = priors
        self.variance_floor = variance_floor
        self.on_singular = on_singular
        self.missing = missing
        self.threads = threads


class MDA(_NumbersModel):
    """Mixture discriminant analysis: several Gaussians in each class.

    Parameters
    ----------
    components : int or (int, int)
        Of each class; of a range the number is chosen by BIC.
    covariance : str
        Structure of the components: "full", "tied" (one for all), "diag", "tied_diag",
        "spherical" or "tied_spherical".
    starts : int
    max_iter : int, optional
    priors, variance_floor, on_singular, missing, threads, random_state, verbose
        See ``GenerativeClassifier``.
    """

    _model = "mda"

    def __init__(
        self,
        components: Any = (1, 5),
        *,
        covariance: str = "full",
        starts: int = 10,
        max_iter: int | None = None,
        priors: Any = None,
        variance_floor: float = 1e-4,
        on_singular: str = ON_SINGULAR,
        missing: str = "em",
        threads: int | None = None,
        random_state: Any = 1,
        verbose: int = 0,
    ) -> None:
        self.components = components
        self.covariance = covariance
        self.starts = starts
        self.max_iter = max_iter
        self.priors = priors
        self.variance_floor = variance_floor
        self.on_singular = on_singular
        self.missing = missing
        self.threads = threads
        self.random_state = random_state
        self.verbose = verbose

    @property
    def components_(self) -> dict[Any, dict[str, np.ndarray]]:
        """The Gaussians of each class: "weights" (n), "means" (n x columns) and "covariances"
        (n x columns x columns)."""
        self._attribute_model()
        facts = next(
            block["facts"]
            for block in self._description()["blocks"]
            if "components" in block["facts"]
        )
        found: dict[Any, dict[str, np.ndarray]] = {}
        for label in self.classes_.tolist():
            own = [one for one in facts["components"] if self._label_of[one["class"]] == label]
            covariances = [_full(one["covariance"]) for one in own]
            found[label] = {
                "weights": np.array([one["weight"] for one in own]),
                "means": self._numbers_by_column(np.stack([one["mean"] for one in own])),
                "covariances": self._covariances_by_column(np.stack(covariances)),
            }
        return found


def _full(covariance: np.ndarray) -> np.ndarray:
    """Of a diagonal one only the diagonal may be listed."""
    return np.diag(covariance) if covariance.ndim == 1 else covariance


class KernelBayes(_NumbersModel):
    """Kernel densities: each class is a mixture of normal densities centred on its rows.

    The kernels share one covariance, bandwidth squared times (1 - gamma) P + gamma diag P, where P
    is the pooled covariance within classes. The fitted model contains the training rows; with more
    than 20,000, a sample stratified by class.

    Parameters
    ----------
    bandwidth : float, optional
        Standard deviation of the kernels, relative to that within classes. None: from 0.25 to 1,
        chosen by the log loss of training rows that are left out one by one.
    kernel_gamma : float, optional
        From 0, the pooled covariance, to 1, its diagonal. None: 0.1 or 1, chosen likewise.
    priors, variance_floor, on_singular, missing, threads, random_state
        See ``GenerativeClassifier``.

    Examples
    --------
    >>> from genera import KernelBayes, datasets
    >>> X, y = datasets.load_iris(return_X_y=True)
    >>> KernelBayes().fit(X[::2], y[::2]).score(X[1::2], y[1::2]) > 0.9
    True
    """

    _model = "kernel"

    def __init__(
        self,
        *,
        bandwidth: float | None = None,
        kernel_gamma: float | None = None,
        priors: Any = None,
        variance_floor: float = 1e-4,
        on_singular: str = ON_SINGULAR,
        missing: str = "em",
        threads: int | None = None,
        random_state: Any = 1,
    ) -> None:
        self.bandwidth = bandwidth
        self.kernel_gamma = kernel_gamma
        self.priors = priors
        self.variance_floor = variance_floor
        self.on_singular = on_singular
        self.missing = missing
        self.threads = threads
        self.random_state = random_state


class MixedNB(_Additive, _NumbersModel):
    """Naive Bayes of columns of any kind: numbers, categories, flags and counts, each by its own.

    Frames tell what their columns are; ``types`` says otherwise, also of the columns of arrays.

    Parameters
    ----------
    types : dict, optional
        Of columns, by name or place: "numeric", "categorical", "binary", "count".
    smoothing : float
    variance_prior, variance_floor : float
    priors, on_singular, missing, threads
        See ``GenerativeClassifier``.
    """

    _model = "gnb"

    def __init__(
        self,
        *,
        types: dict[Any, str] | None = None,
        smoothing: float = 1.0,
        priors: Any = None,
        variance_prior: float = 0.0,
        variance_floor: float = 1e-4,
        on_singular: str = ON_SINGULAR,
        missing: str = "em",
        threads: int | None = None,
    ) -> None:
        self.types = types
        self.smoothing = smoothing
        self.priors = priors
        self.variance_prior = variance_prior
        self.variance_floor = variance_floor
        self.on_singular = on_singular
        self.missing = missing
        self.threads = threads

    @property
    def _takes_sparse(self) -> bool:  # type: ignore[override]
        return not self.types

    def _reads_arrays(self) -> bool:
        return not self.types

    def _data_of_array(self, X: np.ndarray, names: list[str]) -> _genera.Data:
        if not self.types:
            return super()._data_of_array(X, names)
        return _input.typed_array(X, names, self._given_types(names), "numeric")
