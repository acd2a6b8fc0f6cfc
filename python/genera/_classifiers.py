"""The classifier that is everything, and its discriminative counterpart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Sequence

import numpy as np
from sklearn.utils.class_weight import compute_sample_weight

from . import _genera, _input, _labels
from ._additive import _Additive
from ._base import _Classifier
from ._density import _Gaussian
from ._options import _EVERY_COLUMN, ON_SINGULAR, _Named
from ._parameters import model_from_parameters
from ._report import Member
from ._tables import label_values

if TYPE_CHECKING:
    from typing_extensions import Self


class GenerativeClassifier(_Named, _Additive, _Gaussian):
    """Learns how each class makes its data, and answers every question such a model can.

    Parameters
    ----------
    model : str, default "auto"
        What predicts best the rows held out, or a committee of several models ("auto"), or always
        one of them ("best"); of the numbers ``qda lda gnb dlda spherical centroid rda bqda mda
        kernel``; of numbers and categories ``aode``; of every column ``bernoulli categorical joint
        multinomial poisson
        complement``; or ``logistic``, softmax regression, which has no density.
    priors : None, "uniform", dict or array
        Probabilities of the classes; None: as frequent as in the rows.
    divisor : {"mle", "unbiased"}
        n, or n - 1 per class and n - K pooled.
    shrinkage : None, "oas", "lw" or float
        Of full covariances, towards a multiple of the pooled variances.
    alpha, gamma, toward
        Of rda: 1 is each class's own covariance, 0 the pooled one; from 0, as estimated, to 1, the
        simple target ("diagonal" or "identity").
    components, covariance, starts
        Of mda: Gaussians in each class, a number or a pair among which BIC chooses.
    ridge, terms
        Of logistic: penalty, and "linear", "squares" or "quadratic".
    smoothing : float, optional
        Added to every count of what is not a number (1).
    max_bins : int, optional
        Of aode: maximum number of bins of a numeric column (the cube root of the number of rows,
        from 4 to 20).
    prior_rows, prior_gamma : float, optional
        Of bqda; see ``BayesianQDA``.
    bandwidth, kernel_gamma : float, optional
        Of kernel; see ``KernelBayes``.
    raw_units : bool
        The columns share one unit: they are not scaled.
    variance_prior, variance_floor : float
        Of gnb and spherical; least variance as a part of the column's pooled one.
    on_singular : {"shrink", "error"}
        Shrink singular covariances toward the pooled variances with a ``FitWarning``, or raise an
        ``Error``. The amount is 1e-6 if columns are linearly dependent, and that of
        ``shrinkage="oas"`` if a class has too few rows or a constant column.
    missing : {"em", "drop", "refuse"}
        What becomes of rows that lack something in ``fit``.
    unlabelled_weight : float, optional
        Weight of a row without a label; None: 0, 0.1 or 1, chosen by cross-validation of the
        labelled rows (0 if in doubt).
    types : dict, optional
        Of columns, by name or place: "numeric", "categorical", "binary", "count".
    calibrate : bool, optional
        Find the temperature of the posteriors by rows held out (only "auto" and "best" do so
        unasked).
    simple : bool
        Prefer one model unless a committee is better by three standard errors ("auto").
    fast : bool
        Only models that are estimated from sums, and one of them ("auto", "best").
    keep_rows : bool
        False: no model that contains training rows, as kernel densities do ("auto", "best").
    folds : int
        Of the rows, for "auto", "best" and ``calibrate``.
    max_iter : int, optional
        Of EM in mda (1000), or of Newton's method in logistic (200).
    threads : int, optional
        None: all there are. The answers are the same for any number.
    random_state : int, RandomState or None
        Seed of folds and starts; None draws a fresh one.
    verbose : int
        Whether long work shows how far it is.

    Attributes
    ----------
    classes_ : array
    priors_ : array
    means_, covariances_ : arrays
        Of models of numbers.
    coef_, intercept_ : arrays
        Where scores are linear.
    model_ : genera.Model
    report_ : FitReport
        How the fit went.
    choice_ : str
        What "auto" has chosen.
    members_ : list of Member
        Of a committee that "auto" has chosen; otherwise empty.

    Examples
    --------
    >>> from genera import GenerativeClassifier, datasets
    >>> X, y = datasets.load_iris(return_X_y=True)
    >>> classifier = GenerativeClassifier("lda").fit(X, y)
    >>> classifier.score(X, y)
    0.98
    >>> str(classifier.predict([[5.1, 3.5, float("nan"), 0.2]])[0])
    'setosa'
    """

    def __init__(
        self,
        model: str = "auto",
        *,
        priors: Any = None,
        divisor: str = "mle",
        shrinkage: Any = None,
        alpha: float = 0.5,
        gamma: float = 0.0,
        toward: str = "diagonal",
        components: Any = (1, 5),
        covariance: str = "full",
        starts: int = 10,
        ridge: float = 1.0,
        terms: str = "linear",
        smoothing: float | None = None,
        max_bins: int | None = None,
        prior_rows: float | None = None,
        prior_gamma: float | None = None,
        bandwidth: float | None = None,
        kernel_gamma: float | None = None,
        raw_units: bool = False,
        variance_prior: float = 0.0,
        variance_floor: float = 1e-4,
        on_singular: str = ON_SINGULAR,
        missing: str = "em",
        unlabelled_weight: float | None = None,
        types: dict[Any, str] | None = None,
        calibrate: bool | None = None,
        simple: bool = False,
        fast: bool = False,
        keep_rows: bool = True,
        folds: int = 10,
        max_iter: int | None = None,
        threads: int | None = None,
        random_state: Any = 1,
        verbose: int = 0,
    ) -> None:
        self.model = model
        self.priors = priors
        self.divisor = divisor
        self.shrinkage = shrinkage
        self.alpha = alpha
        self.gamma = gamma
        self.toward = toward
        self.components = components
        self.covariance = covariance
        self.starts = starts
        self.ridge = ridge
        self.terms = terms
        self.smoothing = smoothing
        self.max_bins = max_bins
        self.prior_rows = prior_rows
        self.prior_gamma = prior_gamma
        self.bandwidth = bandwidth
        self.kernel_gamma = kernel_gamma
        self.raw_units = raw_units
        self.variance_prior = variance_prior
        self.variance_floor = variance_floor
        self.on_singular = on_singular
        self.missing = missing
        self.unlabelled_weight = unlabelled_weight
        self.types = types
        self.calibrate = calibrate
        self.simple = simple
        self.fast = fast
        self.keep_rows = keep_rows
        self.folds = folds
        self.max_iter = max_iter
        self.threads = threads
        self.random_state = random_state
        self.verbose = verbose

    @classmethod
    def from_parameters(
        cls,
        means: Any,
        covariances: Any = None,
        *,
        variances: Any = None,
        priors: Any = None,
        classes: Any = None,
        columns: Sequence[str] | None = None,
    ) -> Self:
        """A classifier of given Gaussians, without a fit; the parameters are those of
        ``Model.from_parameters``.

        Examples
        --------
        >>> from genera import GenerativeClassifier
        >>> guess = GenerativeClassifier.from_parameters(
        ...     [160, 180], variances=[36, 49], classes=["a", "b"]
        ... )
        >>> guess.predict_proba([[170.0]]).round(3)
        array([[0.447, 0.553]])
        """
        model = model_from_parameters(
            means,
            covariances,
            variances=variances,
            priors=priors,
            classes=classes,
            columns=columns,
        )
        return cls.of_model(model, classes)

    @classmethod
    def of_model(cls, model: _genera.Model, classes: Any = None) -> Self:
        """A classifier that asks this model; ``classes`` are the labels of its classes, if they
        are not their names."""
        found = cls(model.describe()["blocks"][0]["model"])
        labels = label_values(model.classes) if classes is None else np.asarray(classes)
        found._adopt(model, labels)
        return found

    @property
    def _takes_sparse(self) -> bool:  # type: ignore[override]
        return self.model not in ("categorical", "joint", "poisson") and not self.types

    def _has_flags(self) -> bool:
        return self.model == "bernoulli"

    def _is_additive(self) -> bool:
        return (
            self.model not in ("auto", "best", "mda", "kernel", "logistic")
            and self.shrinkage != "lw"
            and not self.calibrate
        )

    def _model_name(self) -> str:
        return self.model

    @property
    def members_(self) -> list[Member]:
        """The members of a committee, the largest weight first; empty if one model was chosen."""
        return [Member(*member) for member in self._attribute_model().members]

    @property
    def _count_columns(self) -> bool:  # type: ignore[override]
        return _EVERY_COLUMN.get(self.model) == "count"

    def _reads_arrays(self) -> bool:
        if self._coded or self.types or _EVERY_COLUMN.get(self.model) not in (None, "count"):
            return False
        return super()._reads_arrays()

    def _options(self, labels: _labels.Labels | None = None) -> dict[str, Any]:
        options = super()._options(labels)
        if self.model in ("auto", "best") and self.types:
            options["keep_types"] = list(self._given_types(self._known_names()))
        return options

    def _data_of_array(self, X: np.ndarray, names: list[str]) -> _genera.Data:
        kind = _EVERY_COLUMN.get(self.model)
        if kind in ("binary", "categorical") or self.types:
            return _input.typed_array(X, names, self._given_types(names), kind or "numeric")
        return super()._data_of_array(X, names)

    def _given_types(self, names: list[str]) -> dict[str, str]:
        kind = _EVERY_COLUMN.get(self.model)
        given = super()._given_types(names)
        if kind in ("binary", "categorical"):
            return {name: given.get(name, kind) for name in names}
        return given

    def _poor_score(self) -> bool:
        return self._count_columns

    def _allows_nan(self) -> bool:
        return self.model not in ("logistic", "complement")


class SoftmaxRegression(_Named, _Classifier):
    """Softmax (multinomial logistic) regression: the discriminative counterpart.

    Minimises the sum of -log p(y | x) plus ``ridge`` / 2 times the squared coefficients of the
    standardised numbers, or with ``raw_units`` of the numbers as they are.

    Parameters
    ----------
    ridge : float
    terms : {"linear", "squares", "quadratic"}
        Add the squares of the numbers, or squares and products.
    raw_units : bool
        Do not standardise the numbers, as in scikit-learn (C = 1 / ridge, or 2 / ridge for two
        classes).
    max_iter : int
        Maximum number of iterations of Newton's method.
    tol : float
        Stop when the gradient is this fraction of the gradient at zero coefficients; 0 goes on until
        rounding stops it.
    missing : {"refuse", "drop"}
    class_weight : None, "balanced" or dict of label to weight
        Weights of the rows of each class, multiplied by ``sample_weight``; "balanced": all classes
        have the same total. Generative models have ``priors`` instead.
    types : dict, optional
    threads : int, optional
    verbose : int
    """

    _model = "logistic"
    _takes_sparse = True

    def __init__(
        self,
        *,
        ridge: float = 1.0,
        terms: str = "linear",
        raw_units: bool = False,
        max_iter: int = 200,
        tol: float = 1e-8,
        missing: str = "refuse",
        class_weight: Any = None,
        types: dict[Any, str] | None = None,
        threads: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.ridge = ridge
        self.terms = terms
        self.raw_units = raw_units
        self.max_iter = max_iter
        self.tol = tol
        self.missing = missing
        self.class_weight = class_weight
        self.types = types
        self.threads = threads
        self.verbose = verbose

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn from rows and their labels; see ``GenerativeClassifier.fit``."""
        if self.class_weight is not None and y is not None:
            by_class = compute_sample_weight(self.class_weight, np.asarray(y))
            own = 1.0 if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
            sample_weight = by_class * own
        return super().fit(X, y, sample_weight)

    def _model_name(self) -> str:
        return self._model

    def _allows_nan(self) -> bool:
        return False

    @property
    def coef_(self) -> np.ndarray:
        """In the units of the columns, n_classes x features; of two classes the difference."""
        found = self._by_class(self._facts()["coefficients"])
        names = self._feature_names()
        if found.shape[1] == len(names) and self._all_numbers():
            found = self._by_column(found, names)
        return found[1:] - found[:1] if len(found) == 2 else found

    @property
    def intercept_(self) -> np.ndarray:
        found = self._by_class(self._facts()["intercepts"])
        return found[1:] - found[:1] if len(found) == 2 else found

    def _facts(self) -> dict[str, Any]:
        self._attribute_model()
        return self._description()["blocks"][0]["facts"]
