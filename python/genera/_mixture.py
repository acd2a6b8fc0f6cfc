"""Groups without labels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import ClusterMixin, DensityMixin

from . import _genera
from ._base import seed_of, weigh
from ._options import ON_SINGULAR
from ._rows import _Rows
from ._words import speaking

if TYPE_CHECKING:
    from typing_extensions import Self


def _is_range(components: Any) -> bool:
    """Whether these are two whole numbers in order; the core says what is wrong with others."""
    return (
        isinstance(components, (tuple, list))
        and len(components) == 2
        and all(isinstance(one, (int, np.integer)) for one in components)
        and components[0] <= components[1]
    )


class GaussianMixture(ClusterMixin, DensityMixin, _Rows):
    """Mixtures of Gaussians: how many, and of which shape, is chosen by BIC.

    Rows may lack numbers (NaN): they are marginalised. A component that would collapse is kept from
    it, and such a fit is never ranked above one that is not.

    Parameters
    ----------
    components : int or (int, int)
        A number, or the least and the most among which BIC chooses.
    covariance : str or sequence of str
        Structures to try: "full", "tied" (one for all components), "diag", "tied_diag",
        "spherical", "tied_spherical".
    starts : int, optional
        Of each mixture; None is 10, and up to 40 where rows times columns are few.
    max_iter : int
    variance_floor : float
        Least spread of a component, as a part of that of all rows.
    raw_units : bool
    on_singular : {"shrink", "error"}
    missing : {"em", "drop", "refuse"}
    threads : int, optional
    random_state : int, RandomState or None
        Seed of the starts; None draws a fresh one.
    verbose : int

    Attributes
    ----------
    labels_ : array
        The component of each row of the fit, the heaviest component first.
    weights_, means_, covariances_ : arrays
    n_components_ : int
    covariance_ : str
        What was chosen.
    bic_ : float
        -2 log likelihood + parameters log n: lower is better.
    candidates_ : list of dict
        All that were compared.
    model_ : genera.Model
    report_ : FitReport

    Examples
    --------
    >>> from genera import GaussianMixture, datasets
    >>> X = datasets.load_faithful_unlabelled().data
    >>> found = GaussianMixture((1, 4)).fit(X)
    >>> found.n_components_, found.covariance_
    (3, 'tied')
    """

    def __init__(
        self,
        components: Any = (1, 9),
        *,
        covariance: Any = ("full", "tied", "diag", "spherical"),
        starts: int | None = None,
        max_iter: int = 1000,
        variance_floor: float = 1e-4,
        raw_units: bool = False,
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
        self.variance_floor = variance_floor
        self.raw_units = raw_units
        self.on_singular = on_singular
        self.missing = missing
        self.threads = threads
        self.random_state = random_state
        self.verbose = verbose

    def _options(self, rows: int) -> dict[str, Any]:
        covariance = [self.covariance] if isinstance(self.covariance, str) else self.covariance
        components = self.components
        if _is_range(components):  # of few rows there are few candidates
            least, most = components
            components = (least, max(least, min(most, rows)))
        elif isinstance(components, (tuple, list)):
            components = tuple(components)
        return {
            "components": components,
            "covariance": list(covariance),
            "starts": self.starts,
            "max_iter": self.max_iter,
            "variance_floor": self.variance_floor,
            "raw_units": self.raw_units,
            "on_singular": self.on_singular,
            "missing": self.missing,
            "seed": seed_of(self.random_state),
        }

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Find the groups of the rows, each of which counts with its weight; ``y`` is not used."""
        data = self._training_data(X)
        weigh(data, sample_weight)
        if data.rows == 1:
            raise ValueError("a mixture needs more than 1 sample (n_samples = 1)")
        with speaking(self, X):
            model, found, report = _genera.cluster(
                data, self._options(data.rows), self._threads(), self._tell()
            )
        self.model_ = model
        self.candidates_ = found["candidates"]
        chosen = found["best"]
        self.n_components_ = chosen["components"]
        self.covariance_ = chosen["covariance"]
        self.bic_ = chosen["bic"]
        self._parameters = chosen["parameters"]
        self.converged_ = chosen["converged"]
        self.n_iter_ = max(1, report["iterations"])
        self.labels_ = model.predict(data, self._threads())
        self._remember_constants(data)
        self._take_report(report)
        return self

    def predict(self, X: Any) -> np.ndarray:
        """The likeliest component of each row."""
        return self._fitted().predict(self._rows(X), self._threads())

    def predict_proba(self, X: Any) -> np.ndarray:
        """How much each component accounts for each row."""
        return self._fitted().posterior(self._rows(X), self._threads())

    def score_samples(self, X: Any) -> np.ndarray:
        """Log density of each row."""
        return self._fitted().log_density(self._rows(X), self._threads())

    def score(self, X: Any, y: Any = None) -> float:
        """Mean log density of the rows."""
        return float(self.score_samples(X).mean())

    def aic(self, X: Any) -> float:
        """Akaike's criterion of the model on these rows: lower is better."""
        return self._criteria(X)[0]

    def bic(self, X: Any) -> float:
        """The Bayesian criterion of the model on these rows: lower is better."""
        return self._criteria(X)[1]

    def _criteria(self, X: Any) -> tuple[float, float]:
        densities = self.score_samples(X)
        return _genera.criteria(float(densities.sum()), self._parameters, float(len(densities)))

    def save(self, path: Any) -> None:
        """Write the model as a file that the command line and ``genera.load`` read: JSON, or CBOR
        if the name ends in ``.cbor``. The components are its classes 1, 2, ..."""
        self._fitted().save(str(path), "integer")

    def sample(
        self, n_samples: int = 1, random_state: Any = None, *, given: dict[Any, float] | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """New rows and their components; ``given``: cells, by the name or place of their column, on
        which the rows are conditioned."""
        known = {self._name_of_column(name, "given"): value for name, value in (given or {}).items()}
        table = self._fitted().sample(
            n_samples, seed_of(random_state), None, known, None, self._threads()
        )
        places = np.array([int(name) - 1 for name in table["classes"]])
        return self._numbers_by_column(table["numbers"]), places[table["labels"]]

    @property
    def weights_(self) -> np.ndarray:
        return self._model_attribute().priors

    @property
    def means_(self) -> np.ndarray:
        return self._numbers_by_column(self._model_attribute().describe()["blocks"][0]["means"])

    @property
    def covariances_(self) -> np.ndarray:
        found = np.stack(self._model_attribute().describe()["blocks"][0]["covariances"])
        found = self._covariances_by_column(found)
        return found[0] if len(found) == 1 else found

    def _model_attribute(self) -> _genera.Model:
        if "model_" not in self.__dict__:
            raise AttributeError(f"{type(self).__name__} has no such attribute before fit")
        return self.model_

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def _more_tags(self) -> dict[str, Any]:
        return {"allow_nan": True}
