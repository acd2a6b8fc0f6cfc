"""Averaged one-dependence estimators."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _genera, _input
from ._additive import _Additive
from ._density import _Density
from ._options import _Named


class AODE(_Additive, _Named, _Density):
    """Averaged one-dependence estimators (Webb, Boughton and Wang 2005).

    Each column depends on the class and on one other column; the density is the mean over the
    choices of that column. Numbers are cut into bins of about the same weight, within which they
    have a uniform density. Missing cells are marginalised exactly.

    Parameters
    ----------
    max_bins : int, optional
        Maximum number of bins of a numeric column; None: the cube root of the number of rows, from
        4 to 20.
    smoothing : float
        Prior weight, in rows: of a column's distribution over all classes, and of its distribution
        in a class where another column is known as well.
    types : dict, optional
        Of columns, by name or place: "numeric", "categorical", "binary", "count".
    priors, missing, threads
        See ``GenerativeClassifier``. Rows without a label are refused, or left out with
        ``missing="drop"``.

    Examples
    --------
    >>> from genera import AODE, datasets
    >>> X, y = datasets.load_iris(return_X_y=True)
    >>> AODE().fit(X, y).score(X, y)
    0.94
    """

    _model = "aode"

    def __init__(
        self,
        *,
        max_bins: int | None = None,
        smoothing: float = 1.0,
        types: dict[Any, str] | None = None,
        priors: Any = None,
        missing: str = "em",
        threads: int | None = None,
    ) -> None:
        self.max_bins = max_bins
        self.smoothing = smoothing
        self.types = types
        self.priors = priors
        self.missing = missing
        self.threads = threads

    def _model_name(self) -> str:
        return self._model

    @property
    def _takes_sparse(self) -> bool:  # type: ignore[override]
        return not self.types

    def _block(self) -> dict[str, Any]:
        self._attribute_model()
        return self._description()["blocks"][0]["facts"]

    @property
    def limits_(self) -> dict[str, np.ndarray]:
        """Limits of the bins of each numeric column."""
        block = self._block()
        return {name: np.asarray(limits) for name, limits in zip(block["cut"], block["limits"])}

    def _reads_arrays(self) -> bool:
        return not self.types

    def _data_of_array(self, X: np.ndarray, names: list[str]) -> _genera.Data:
        if not self.types:
            return super()._data_of_array(X, names)
        return _input.typed_array(X, names, self._given_types(names), "numeric")
