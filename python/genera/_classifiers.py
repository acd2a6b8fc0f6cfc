"""The classifiers: one that is everything, and thin names for its models."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix

from . import _genera, _input, _labels
from ._base import _Additive, _Classifier, _Density, _Gaussian, seed_of
from ._errors import Error

_EVERY_COLUMN = {
    "bernoulli": "binary",
    "categorical": "categorical",
    "joint": "categorical",
    "multinomial": "count",
    "poisson": "count",
    "complement": "count",
}
_NUMBERS = ("qda", "lda", "gnb", "dlda", "spherical", "centroid", "rda", "mda")
_GAUSSIAN = (
    "divisor",
    "shrinkage",
    "raw_units",
    "variance_prior",
    "variance_floor",
    "on_singular",
)
# Parameters that only some models have.
_OWN = {
    "alpha": ("rda",),
    "gamma": ("rda",),
    "toward": ("rda",),
    "components": ("mda",),
    "covariance": ("mda",),
    "starts": ("mda",),
    "ridge": ("logistic",),
    "terms": ("logistic",),
    "max_iter": ("mda", "logistic"),
    "shrinkage": ("qda", "lda", "rda"),
    "variance_prior": ("gnb", "spherical"),
}


def _priors(priors: Any, labels: _labels.Labels | None, known: Any) -> Any:
    """As the core takes them: a word, or pairs of class and probability."""
    if priors is None or isinstance(priors, str):
        return priors
    if isinstance(priors, dict):
        return [(_labels.name_of(label), float(p)) for label, p in priors.items()]
    names = known if known is not None else labels.names if labels is not None else []
    values = np.asarray(priors, dtype=np.float64)
    if values.shape != (len(names),):
        raise Error(
            f"priors has the shape {values.shape}, but there are {len(names)} classes",
            "give one probability per class, in the order of classes_, or a dict",
        )
    return list(zip(names, values.tolist()))


class _Named(_Classifier):
    """Parameters become options of the core by their names."""

    def _options(self, labels: _labels.Labels | None = None) -> dict[str, Any]:
        model = self._model_name()
        options: dict[str, Any] = {"model": model}
        kind: Any = type(self)
        for name in _parameters_of(kind, model):
            value = getattr(self, name)
            if value is not None:
                options[name] = value
        if "priors" in options:
            seen = [_labels.name_of(label) for label in self._seen(labels)]
            options["priors"] = _priors(options["priors"], labels, seen)
        if hasattr(self, "random_state"):
            options["seed"] = seed_of(self.random_state)
        return options

    def _seen(self, labels: _labels.Labels | None) -> list[Any]:
        return labels.classes.tolist() if labels is not None else list(self.classes_)


@functools.lru_cache(maxsize=256)
def _parameters_of(estimator: Any, model: str) -> list[str]:
    """Those of an estimator that this model has."""
    common = {
        "priors",
        "missing",
        "unlabelled_weight",
        "calibrate",
        "folds",
        "smoothing",
        "min_count",
        "max_terms",
        "stop_words",
    }
    found = common | {name for name in _GAUSSIAN if name not in _OWN}
    found |= {name for name, models in _OWN.items() if model in models or model not in _KNOWN}
    if model in ("complement", "logistic"):
        found.discard("priors")
    return [name for name in estimator._get_param_names() if name in found]


_KNOWN = {*_NUMBERS, *_EVERY_COLUMN, "logistic", "auto"}


class GenerativeClassifier(_Named, _Additive, _Gaussian):
    """Learns how each class makes its data, and answers every question such a model can.

    Parameters
    ----------
    model : str, default "auto"
        What predicts best the rows held out ("auto"); of the numbers ``qda lda gnb dlda spherical
        centroid rda mda``; of every column ``bernoulli categorical joint multinomial poisson
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
    raw_units : bool
        The columns share one unit: they are not scaled.
    variance_prior, variance_floor : float
        Of gnb and spherical; least variance as a part of the column's pooled one.
    on_singular : {"shrink", "error"}
        What becomes of singular covariances: moved by as much as it takes, and reported.
    missing : {"em", "drop", "refuse"}
        What becomes of rows that lack something in ``fit``.
    unlabelled_weight : float
        How much a row without a label counts.
    types : dict, optional
        Of columns, by name or place: "numeric", "categorical", "binary", "count".
    calibrate : bool, optional
        Find the temperature of the posteriors by rows held out (only "auto" does so unasked).
    folds : int
        Of the rows, for "auto" and ``calibrate``.
    max_iter : int, optional
        Of EM in mda (1000), or of Newton's method in logistic (200).
    threads : int, optional
        None: all there are. The answers are the same for any number.
    random_state : int, RandomState or None
        None is a fixed seed.
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
        covariance: str = "qda",
        starts: int = 10,
        ridge: float = 1.0,
        terms: str = "linear",
        smoothing: float | None = None,
        raw_units: bool = False,
        variance_prior: float = 0.0,
        variance_floor: float = 1e-4,
        on_singular: str = "shrink",
        missing: str = "em",
        unlabelled_weight: float = 1.0,
        types: dict[Any, str] | None = None,
        calibrate: bool | None = None,
        folds: int = 10,
        max_iter: int | None = None,
        threads: int | None = None,
        random_state: Any = None,
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
        self.raw_units = raw_units
        self.variance_prior = variance_prior
        self.variance_floor = variance_floor
        self.on_singular = on_singular
        self.missing = missing
        self.unlabelled_weight = unlabelled_weight
        self.types = types
        self.calibrate = calibrate
        self.folds = folds
        self.max_iter = max_iter
        self.threads = threads
        self.random_state = random_state
        self.verbose = verbose

    _takes_sparse = True

    def _is_additive(self) -> bool:
        return (
            self.model not in ("auto", "mda", "logistic")
            and self.shrinkage != "lw"
            and not self.calibrate
        )

    def _model_name(self) -> str:
        return self.model

    @property
    def _count_columns(self) -> bool:  # type: ignore[override]
        return _EVERY_COLUMN.get(self.model) == "count"

    def _reads_arrays(self) -> bool:
        return _EVERY_COLUMN.get(self.model) in (None, "count") and not self.types

    def _data_of_array(self, X: np.ndarray, names: list[str]) -> _genera.Data:
        kind = _EVERY_COLUMN.get(self.model)
        if kind in ("binary", "categorical") or self.types:
            return _typed_array(X, names, self._told_types(names), kind or "numeric")
        return super()._data_of_array(X, names)

    def _told_types(self, names: list[str]) -> dict[str, str]:
        kind = _EVERY_COLUMN.get(self.model)
        told = super()._told_types(names)
        if kind in ("binary", "categorical"):
            return {name: told.get(name, kind) for name in names}
        return told

    def _positive_only(self) -> bool:
        return False

    def _allows_nan(self) -> bool:
        return self.model not in ("logistic", "complement")


def _typed_array(
    X: np.ndarray, names: list[str], told: dict[str, str], otherwise: str
) -> _genera.Data:
    columns = []
    for j, name in enumerate(names):
        column = _input.Column(name, "numeric", X[:, j])
        columns.append(_input.retyped(column, told.get(name, otherwise)))
    return _input.data_of_columns(columns, X.shape[0])


class _NumbersModel(_Named, _Gaussian):
    _model = "lda"

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
        on_singular: str = "shrink",
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


class LDA(_Additive, _NumbersModel):
    """Linear discriminant analysis: one full covariance for all classes.

    Parameters are those of ``QDA``.

    Examples
    --------
    >>> from genera import LDA, datasets
    >>> X, y = datasets.load_iris(return_X_y=True)
    >>> LDA().fit(X, y).coef_.shape
    (3, 4)
    """

    _model = "lda"

    def __init__(
        self,
        *,
        priors: Any = None,
        divisor: str = "mle",
        shrinkage: Any = None,
        raw_units: bool = False,
        on_singular: str = "shrink",
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
    _takes_sparse = True

    def __init__(
        self,
        *,
        priors: Any = None,
        divisor: str = "mle",
        variance_prior: float = 0.0,
        variance_floor: float = 1e-4,
        on_singular: str = "shrink",
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
        on_singular: str = "shrink",
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


class MDA(_NumbersModel):
    """Mixture discriminant analysis: several Gaussians in each class.

    Parameters
    ----------
    components : int or (int, int)
        Of each class; of a range the number is chosen by BIC.
    covariance : str
        Of the components: "qda" (full, each its own), "lda" (one for all), "gnb", "dlda",
        "spherical" or "centroid".
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
        covariance: str = "qda",
        starts: int = 10,
        max_iter: int | None = None,
        priors: Any = None,
        variance_floor: float = 1e-4,
        on_singular: str = "shrink",
        missing: str = "em",
        threads: int | None = None,
        random_state: Any = None,
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


class _Discrete(_Named, _Additive, _Density):
    """What is counted rather than measured."""

    _model = ""

    def _model_name(self) -> str:
        return self._model

    def _poor_score(self) -> bool:
        return True

    def _block(self) -> dict[str, Any]:
        self._attribute_model()
        return self._description()["blocks"][0]["facts"]


class MultinomialNB(_Discrete):
    """Naive Bayes of counts: how often each thing occurs, given their total.

    Parameters
    ----------
    smoothing : float
        Added to every count (scikit-learn's ``alpha``).
    priors : None, "uniform", dict or array
    missing : {"em", "drop", "refuse"}
    threads : int, optional

    Examples
    --------
    >>> from genera import MultinomialNB
    >>> classifier = MultinomialNB().fit([[2, 0, 1], [0, 3, 1]], ["a", "b"])
    >>> str(classifier.predict([[1, 0, 0]])[0])
    'a'
    """

    _model = "multinomial"
    _count_columns = True
    _takes_sparse = True

    def __init__(
        self,
        *,
        smoothing: float = 1.0,
        priors: Any = None,
        missing: str = "em",
        threads: int | None = None,
    ) -> None:
        self.smoothing = smoothing
        self.priors = priors
        self.missing = missing
        self.threads = threads

    @property
    def probabilities_(self) -> np.ndarray:
        """Of each thing in each class, n_classes x columns that occur."""
        return self._block()["probabilities"]


class PoissonNB(_Discrete):
    """Naive Bayes of counts, each column with a rate in each class, whatever the total.

    Parameters are those of ``MultinomialNB``.
    """

    _model = "poisson"
    _count_columns = True

    def __init__(
        self,
        *,
        smoothing: float = 1.0,
        priors: Any = None,
        missing: str = "em",
        threads: int | None = None,
    ) -> None:
        self.smoothing = smoothing
        self.priors = priors
        self.missing = missing
        self.threads = threads

    @property
    def rates_(self) -> np.ndarray:
        """Mean counts, n_classes x columns that vary."""
        return self._block()["rates"]


class ComplementNB(_Named, _Additive):
    """Complement naive Bayes (Rennie et al. 2003): each class by what all the others have.

    A scorer without a density: it has posteriors (of no great accuracy) and labels.

    Parameters
    ----------
    smoothing : float
    missing : {"em", "drop", "refuse"}
        It learns from complete rows only: what lacks something is refused unless it is dropped.
    threads : int, optional
    """

    _model = "complement"
    _count_columns = True
    _takes_sparse = True

    def __init__(
        self, *, smoothing: float = 1.0, missing: str = "refuse", threads: int | None = None
    ) -> None:
        self.smoothing = smoothing
        self.missing = missing
        self.threads = threads

    def _model_name(self) -> str:
        return self._model

    def _allows_nan(self) -> bool:
        return False

    def _poor_score(self) -> bool:
        return True


class _Coded(_Discrete):
    """Columns of codes."""

    def _reads_arrays(self) -> bool:
        return False

    def _column_type(self) -> str:
        return "binary" if self._model == "bernoulli" else "categorical"

    def _told_types(self, names: list[str]) -> dict[str, str]:
        return {name: self._column_type() for name in names}


class BernoulliNB(_Coded):
    """Naive Bayes of flags: whether each thing is there.

    Parameters
    ----------
    smoothing : float
        Added to both counts of a column (scikit-learn's ``alpha``).
    binarize : float or None
        What is above it is there; None: the numbers are 0 and 1 already.
    priors, missing, threads
        See ``GenerativeClassifier``.
    """

    _model = "bernoulli"
    _takes_sparse = True

    def __init__(
        self,
        *,
        smoothing: float = 1.0,
        binarize: float | None = 0.0,
        priors: Any = None,
        missing: str = "em",
        threads: int | None = None,
    ) -> None:
        self.smoothing = smoothing
        self.binarize = binarize
        self.priors = priors
        self.missing = missing
        self.threads = threads

    def _training_data(self, X: Any) -> _genera.Data:
        self._of_sparse = _input.is_sparse(X)
        return super()._training_data(X)

    def _data_of_array(self, X: np.ndarray, names: list[str]) -> _genera.Data:
        threshold = 0.5 if self.binarize is None else self.binarize
        if self._of_sparse:
            return self._data_of_sparse(csr_matrix(X), lambda rows, count: names)
        codes = (X > threshold).view(np.int8)
        if not np.isfinite(X).all():
            if np.isinf(X).any():
                raise ValueError("Input X contains infinity or a value too large for its dtype.")
            codes = codes.copy()
            codes[np.isnan(X)] = -1
        data = _genera.Data(X.shape[0])
        data.add_code_columns(codes, names, ["0", "1"], "binary")
        return data

    def _data_of_sparse(self, X: Any, see_columns: Any) -> _genera.Data:
        X = _input.numbers(X, self, accept_sparse="csr")
        if self.binarize is not None and self.binarize < 0:
            raise ValueError("binarize of a sparse matrix must be at least 0: zeros stay zeros")
        names = see_columns(X, X.shape[1])
        if not self._of_sparse:
            return self._data_of_array(X.toarray(), names)
        indptr, indices, values = _input.csr_parts(X)
        threshold = 0.5 if self.binarize is None else self.binarize
        data = _genera.Data(X.shape[0])
        data.add_sparse(indptr, indices, (values > threshold).astype(np.float64), names, "counts")
        return data


class CategoricalNB(_Coded):
    """Naive Bayes of categories.

    Arrays hold codes 0, 1, 2, ...; fractions are cut off, NaN is missing. Frames hold categories of
    any kind, matched by name. A category never seen is taken as missing.

    Parameters
    ----------
    smoothing : float
        Added to every count (scikit-learn's ``alpha``).
    priors, missing, threads
        See ``GenerativeClassifier``.
    """

    _model = "categorical"

    def __init__(
        self,
        *,
        smoothing: float = 1.0,
        priors: Any = None,
        missing: str = "em",
        threads: int | None = None,
    ) -> None:
        self.smoothing = smoothing
        self.priors = priors
        self.missing = missing
        self.threads = threads

    def _positive_only(self) -> bool:
        return True

    def _data_of_array(self, X: np.ndarray, names: list[str]) -> _genera.Data:
        if np.isinf(X).any():
            raise ValueError("Input X contains infinity or a value too large for its dtype.")
        lost = np.isnan(X)
        known = np.where(lost, 0, X)
        if (known < 0).any():
            raise ValueError("Negative values in data passed to CategoricalNB: codes begin with 0.")
        codes = known.astype(np.int32)
        codes[lost] = -1
        levels = [str(code) for code in range(int(codes.max(initial=0)) + 1)]
        data = _genera.Data(X.shape[0])
        data.add_code_columns(codes, names, levels, "categorical")
        return data


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
        on_singular: str = "shrink",
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

    def _reads_arrays(self) -> bool:
        return not self.types

    def _data_of_array(self, X: np.ndarray, names: list[str]) -> _genera.Data:
        if not self.types:
            return super()._data_of_array(X, names)
        return _typed_array(X, names, self._told_types(names), "numeric")


class SoftmaxRegression(_Named, _Classifier):
    """Softmax (multinomial logistic) regression: the discriminative counterpart.

    Minimises the sum of -log p(y | x) plus ``ridge`` / 2 times the squared coefficients of the
    standardised numbers.

    Parameters
    ----------
    ridge : float
    terms : {"linear", "squares", "quadratic"}
        Besides the numbers their squares, or squares and products.
    max_iter : int
        Of Newton's method.
    missing : {"refuse", "drop"}
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
        max_iter: int = 200,
        missing: str = "refuse",
        types: dict[Any, str] | None = None,
        threads: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.ridge = ridge
        self.terms = terms
        self.max_iter = max_iter
        self.missing = missing
        self.types = types
        self.threads = threads
        self.verbose = verbose

    def _model_name(self) -> str:
        return self._model

    def _allows_nan(self) -> bool:
        return False

    @property
    def coef_(self) -> np.ndarray:
        """In the units of the columns, n_classes x features; of two classes the difference."""
        found = self._facts()["coefficients"]
        return found[1:] - found[:1] if len(found) == 2 else found

    @property
    def intercept_(self) -> np.ndarray:
        found = self._facts()["intercepts"]
        return found[1:] - found[:1] if len(found) == 2 else found

    def _facts(self) -> dict[str, Any]:
        self._attribute_model()
        return self._description()["blocks"][0]["facts"]
