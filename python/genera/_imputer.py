"""What is missing, filled in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import TransformerMixin

from . import _genera
from ._base import seed_of
from ._options import ON_SINGULAR
from ._rows import _Rows
from ._words import speaking

try:
    from sklearn.base import OneToOneFeatureMixin
except ImportError:  # before scikit-learn 1.1
    OneToOneFeatureMixin = object

if TYPE_CHECKING:
    from typing_extensions import Self


class Imputer(OneToOneFeatureMixin, TransformerMixin, _Rows):
    """Fills missing numbers by their expectation given the rest of the row, missing categories by
    the most probable one.

    The numbers are taken as draws from one Gaussian, learned by EM from what is there.

    Parameters
    ----------
    draw : bool
        Draw each missing cell from its distribution instead: for multiple imputation, with one
        ``random_state`` for each completed table.
    shrinkage : None, "oas" or float
    on_singular : {"shrink", "error"}
    threads : int, optional
    random_state : int, RandomState or None
        Seed of the draws; None draws a fresh one.

    Attributes
    ----------
    model_ : genera.Model
    report_ : FitReport

    Examples
    --------
    >>> import numpy as np
    >>> from genera import Imputer
    >>> X = np.array([[1.0, 2.0], [2.0, 4.1], [3.0, 5.9], [4.0, np.nan]])
    >>> float(Imputer().fit_transform(X)[3, 1].round(1))
    7.9
    """

    def __init__(
        self,
        *,
        draw: bool = False,
        shrinkage: Any = None,
        on_singular: str = ON_SINGULAR,
        threads: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.draw = draw
        self.shrinkage = shrinkage
        self.on_singular = on_singular
        self.threads = threads
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn how the columns go together; ``y`` is not used."""
        data = self._training_data(X)
        if data.rows == 1:
            raise ValueError("columns of 1 sample do not vary (n_samples = 1)")
        data.set_labels(np.zeros(data.rows, dtype=np.int32), ["all"])
        options = {"model": "qda", "on_singular": self.on_singular}
        if self.shrinkage is not None:
            options["shrinkage"] = self.shrinkage
        with speaking(self, X):
            model, _, report, _ = _genera.fit(data, options, self._threads())
        self.model_ = model
        self._remember_constants(data)
        self._take_report(report)
        return self

    def transform(self, X: Any) -> Any:
        """The rows with their missing cells filled.

        Returns
        -------
        array of shape (n_samples, n_features), or a frame of the kind of the fit
            A frame if some columns are not numbers. Columns that did not vary in ``fit`` get the
            value that they had; those without any value stay missing.
        """
        seed = seed_of(self.random_state) if self.draw else None
        return self._imputed(X, self._as_data(X), seed)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def _more_tags(self) -> dict[str, Any]:
        return {"allow_nan": True}
