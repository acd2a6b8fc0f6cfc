"""Models of what is counted rather than measured: counts, flags and categories."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix

from . import _genera, _input
from ._additive import _Additive
from ._density import _Density
from ._errors import Error, warn
from ._options import _Named


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
        """Of each thing in each class, n_classes x columns."""
        found = self._by_class(self._block()["probabilities"])
        return self._by_column(found, self._feature_names())


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
        """Mean counts, n_classes x columns."""
        found = self._by_class(self._block()["rates"])
        return self._by_column(found, self._feature_names(), self._constant_values())


class ComplementNB(_Named, _Additive):
    """Complement naive Bayes (Rennie et al. 2003): each class by what all the others have.

    A scorer without a density: it has posteriors (uncalibrated) and labels.

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

    def _given_types(self, names: list[str]) -> dict[str, str]:
        return {name: self._column_type() for name in names}


def _refuse_other_than_flags(values: np.ndarray) -> None:
    others = ~(np.isin(values, (0, 1)) | np.isnan(values))
    if others.any():
        raise Error(
            f"binarize is None, but X holds {values[others][0]:g}, which is neither 0 nor 1",
            "give binarize, above which something is there",
            "bad_data",
        )


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

    @property
    def probabilities_(self) -> np.ndarray:
        """That each thing is there in each class, n_classes x columns."""
        block = self._block()
        if "levels" in block:
            there = [names.index("1") for names in block["levels"]]
            found = np.column_stack([p[:, j] for p, j in zip(block["probabilities"], there)])
        else:
            found = block["probabilities"]
        return self._by_column(
            self._by_class(found), self._feature_names(), self._constant_values()
        )

    def save(self, path: Any) -> None:
        """See ``GenerativeClassifier.save``; the file has flags, not the threshold of numbers."""
        super().save(path)
        if self.binarize:
            warn(
                [
                    f"the file does not keep binarize={self.binarize:g}: set it again after "
                    "genera.load"
                ]
            )

    def _has_flags(self) -> bool:
        return True

    def _threshold(self) -> float:
        return 0.5 if self.binarize is None else self.binarize

    def _codes(self, values: np.ndarray) -> np.ndarray:
        """1 where something is there, 0 where not, -1 where that is missing."""
        if self.binarize is None:
            _refuse_other_than_flags(values)
        codes = (values > self._threshold()).view(np.int8)
        if not np.isfinite(values).all():
            _input.refuse_infinite(values)
            codes[np.isnan(values)] = -1
        return codes

    def _data_of_array(self, X: np.ndarray, names: list[str]) -> _genera.Data:
        data = _genera.Data(X.shape[0])
        data.add_code_columns(self._codes(X), names, ["0", "1"], "binary")
        return data

    def _retyped(self, column: _input.Column, wanted: str) -> _input.Column:
        if column.levels == ["False", "True"]:
            return replace(column, type=wanted, levels=["0", "1"], originals=[False, True])
        if column.type != "numeric":
            return super()._retyped(column, wanted)
        codes = self._codes(_input.numbers_of(column))
        return replace(
            column, type=wanted, values=codes, levels=["0", "1"], valid=None, originals=[0.0, 1.0]
        )

    def _level(self, value: Any) -> str:
        return super()._level(int(value) if isinstance(value, (bool, np.bool_)) else value)

    def _data_of_sparse(self, X: Any, see_columns: Any) -> _genera.Data:
        X = _input.numbers(X, self, accept_sparse="csr")
        if self.binarize is not None and self.binarize < 0:
            raise ValueError("binarize of a sparse matrix must be at least 0: zeros stay zeros")
        learning = see_columns == self._remember_columns
        self._check_entries(X.data, learning)
        names = see_columns(X, X.shape[1])
        data = _genera.Data(X.shape[0])
        data.add_sparse(_input.sparse_rows(self._flags(X)), names, "counts")
        return data

    def _flags(self, X: Any) -> Any:
        """1 where something is there; entries at or below the threshold become 0, NaN stays."""
        matrix, _ = _input.canonical(X)
        if self.binarize is None:
            _refuse_other_than_flags(matrix.data)
        there = (matrix.data > self._threshold()).astype(np.float64)
        there[np.isnan(matrix.data)] = np.nan
        return csr_matrix((there, matrix.indices, matrix.indptr), shape=matrix.shape)


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

    @property
    def levels_(self) -> list[list[str]]:
        """The levels of each column that varies."""
        return list(self._block()["levels"])

    @property
    def level_probabilities_(self) -> list[np.ndarray]:
        """Of each column that varies those of its levels in each class, n_classes x levels."""
        return [self._by_class(found) for found in self._block()["probabilities"]]

    def _positive_only(self) -> bool:
        return True

    def _data_of_array(self, X: np.ndarray, names: list[str]) -> _genera.Data:
        _input.refuse_infinite(X)
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
