"""Rows in: what columns there are, and whether they are those of the fit."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.base import BaseEstimator
from sklearn.exceptions import NotFittedError

from . import _genera, _input
from ._errors import Error, FitWarning, counted
from ._frame_kind import FrameKind
from ._progress import tell
from ._report import FitReport
from ._tables import columns_of


class _Rows(BaseEstimator):
    """Rows in: what columns there are, and whether they are those of the fit."""

    _count_columns = False  # numbers are counts
    _takes_sparse = False
    _of_sparse = False  # the rows of the fit were a sparse matrix
    _coded: list[str] = []  # columns of numbers that "auto" made categories
    _frame: FrameKind | None = None  # the rows of the fit were a frame
    _is_loaded = False  # from a file, which has the columns in the order of the model

    def _column_type(self) -> str:
        return "count" if self._count_columns else "numeric"

    # -- columns ---------------------------------------------------------------------------------

    def _remember_columns(self, X: Any, count: int) -> list[str]:
        names = _input.feature_names(X)
        self.n_features_in_ = count
        self._frame = None
        if names is not None:
            self.feature_names_in_ = names
            return names.tolist()
        if hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        return _input.default_names(count)

    def _known_names(self) -> list[str]:
        names = self.__dict__.get("feature_names_in_")
        return _input.default_names(self.n_features_in_) if names is None else names.tolist()

    def _check_columns(self, X: Any, count: int) -> None:
        fitted = self.__dict__.get("feature_names_in_")
        names = _input.feature_names(X)
        if fitted is None and names is not None:
            warnings.warn(
                f"X has feature names, but {type(self).__name__} was fitted without feature names",
                stacklevel=4,
            )
        elif fitted is not None and names is None:
            self._warn_without_names()
        elif fitted is not None and names is not None and (len(fitted) != len(names) or (fitted != names).any()):
            raise ValueError(_other_names(fitted, names))
        if count != self.n_features_in_:
            self._refuse_count(count)

    def _warn_without_names(self) -> None:
        warnings.warn(
            f"X does not have valid feature names, but {type(self).__name__} was fitted with "
            "feature names",
            stacklevel=5,
        )

    def _refuse_count(self, count: int) -> None:
        raise ValueError(
            f"X has {count} features, but {type(self).__name__} is expecting "
            f"{self.n_features_in_} features as input"
        )

    # -- rows ------------------------------------------------------------------------------------

    def _training_data(self, X: Any) -> _genera.Data:
        """The rows of a fit: their columns are remembered."""
        self._of_sparse = _input.is_sparse(X)
        return self._data(X, self._remember_columns)

    def _rows(self, X: Any) -> Any:
        """Rows of the same columns: an array that the core reads as it is, or Data."""
        if _input.is_plain(X) and self._reads_arrays():
            if X.shape[1] != self.n_features_in_:
                self._refuse_count(X.shape[1])
            if "feature_names_in_" in self.__dict__:
                self._warn_without_names()
            return X

        def check(rows: Any, count: int) -> list[str]:
            if rows is not None:  # those taken by name are right
                self._check_columns(X, count)
            return self._known_names()

        return self._data(self._as_fitted(X) if self._has_flags() else X, check)

    def _as_data(self, X: Any) -> _genera.Data:
        """The same as Data, whatever holds the rows."""
        rows = self._rows(X)
        if isinstance(rows, np.ndarray):
            return self._data_of_array(rows, self._known_names())
        return rows

    def _has_flags(self) -> bool:
        """Whether the core knows the columns of a sparse matrix and of an array as different."""
        return False

    def _as_fitted(self, X: Any, sparse: bool | None = None) -> Any:
        """The rows as a sparse matrix, if those of the fit were one, or else not as one."""
        wanted = self._of_sparse if sparse is None else sparse
        if not self._takes_sparse or _input.is_sparse(X) == wanted:
            return X
        if wanted:
            return csr_matrix(_input.array_of(X, self))
        return _input.canonical(_input.numbers(X, self, accept_sparse="csr"))[0].toarray()

    def _reads_arrays(self) -> bool:
        return self._allows_nan() or not self._count_columns

    def _allows_nan(self) -> bool:
        return True

    def _data(self, X: Any, see_columns: Any) -> _genera.Data:
        if _input.is_plain(X):
            return self._data_of_array(X, see_columns(X, X.shape[1]))
        if _input.is_sparse(X):
            return self._data_of_sparse(X, see_columns)
        if _input.is_frame(X):
            return self._data_of_frame(X, see_columns)
        try:
            array = _input.numbers(X, self, accept_sparse="csr")
        except ValueError:
            is_mixed = self._frame is not None or see_columns == self._remember_columns
            mixed = _input.mixed_array(X) if is_mixed and hasattr(self, "types") else None
            if mixed is None:
                raise
            return self._data_of_frame(mixed, see_columns)
        if isinstance(self._frame, FrameKind) and self._frame.is_array and array.ndim == 2:
            return self._data_of_frame(array.astype(object), see_columns)
        return self._data_of_array(array, see_columns(array, array.shape[1]))

    def _check_counts(self, values: np.ndarray) -> None:
        if not self._count_columns or not values.size:
            return
        if not self._allows_nan() and np.isnan(values).any():
            raise ValueError(f"Input X contains NaN, and {type(self).__name__} cannot do without.")
        if np.fmin.reduce(values, axis=None) < 0:
            raise ValueError(
                f"Negative values in data passed to {type(self).__name__}: counts are at least 0."
            )

    def _check_entries(self, values: np.ndarray, complete: bool) -> None:
        """Of a sparse matrix; complete: nothing may be missing."""
        if np.isfinite(values.sum()) or np.isfinite(values).all():
            return
        _input.refuse_infinite(values)
        if not self._allows_nan():
            raise ValueError(f"Input X contains NaN, and {type(self).__name__} cannot do without.")
        if complete:
            raise ValueError(
                "Input X contains NaN, which must not be in a sparse matrix here: use X.toarray(), "
                "or leave these rows out"
            )

    def _fills_zeros(self) -> bool:
        """Whether a sparse matrix becomes an array in the core."""
        return False

    def _data_of_array(self, X: np.ndarray, names: list[str]) -> _genera.Data:
        self._check_counts(X)
        data = _genera.Data(X.shape[0])
        data.add_numbers(X, names, self._column_type())
        return data

    def _data_of_frame(self, X: Any, see_columns: Any) -> _genera.Data:
        columns = _input.columns_of(X)
        if self._is_loaded and see_columns != self._remember_columns:
            X, columns = self._by_name(X, columns)
        if not columns or len(columns[0].values) == 0:
            _input.numbers(X, self)  # says what is wrong as scikit-learn does
        names = see_columns(X, len(columns))
        learning = see_columns == self._remember_columns
        wanted = self._given_types(names)
        learned = {} if learning else self._learned_types()
        for j, column in enumerate(columns):
            column.name = names[j]
            if column.is_empty() and names[j] in learned:
                columns[j] = _empty(column, learned[names[j]])
            elif names[j] in wanted:
                columns[j] = self._retyped(column, wanted[names[j]])
            elif self._count_columns and column.type == "numeric":
                columns[j] = _input.retyped(column, "count")
            elif names[j] in learned:
                columns[j] = self._as_learned(column, learned[names[j]])
        if learning:
            self._frame = FrameKind(X, columns)
        return _input.data_of_columns(columns, len(columns[0].values))

    def _by_name(self, X: Any, columns: list[_input.Column]) -> tuple[Any, list[_input.Column]]:
        """The columns of the model, where the frame has all of them."""
        place_of = {column.name: j for j, column in enumerate(columns)}
        known = self._known_names()
        if not all(name in place_of for name in known):
            return X, columns
        return None, [columns[place_of[name]] for name in known]

    def _learned_types(self) -> dict[str, str]:
        """Of the columns of the fit."""
        model = self.__dict__.get("model_")
        return dict(self.__dict__.get("_inputs", ()) if model is None else model.inputs)

    def _as_learned(self, column: _input.Column, kind: str) -> _input.Column:
        """A column that may have another type than in the fit, if it can be read as of that."""
        is_flag = column.originals == [False, True]
        if kind in ("numeric", "count"):
            if is_flag:
                values = column.values.astype(np.float64)
                return _input.Column(column.name, kind, np.where(values < 0, np.nan, values))
            if column.type not in ("numeric", "count"):
                self._refuse_type(column, kind)
            return column
        if column.type == "numeric" and self._frame is not None and self._frame.has_flags(column.name):
            codes = _input.numbers_of(column)
            lost = np.isnan(codes)
            if not np.isin(codes[~lost], (0, 1)).all():
                self._refuse_type(column, "flags")
            codes = np.where(lost, -1, codes).astype(np.int8)
            return _input.Column(column.name, kind, codes, ["False", "True"])
        if kind == "text":
            return _input.retyped(column, kind)
        if column.type == "numeric" and self._frame is not None:
            if self._frame.has_texts_alone(column.name):
                self._refuse_type(column, "categories")
        return column

    def _refuse_type(self, column: _input.Column, learned: str) -> None:
        raise Error(
            f"column '{column.name}' was learned as {learned}, but is {column.type} "
            f"({column.source}) in these rows",
            "convert it to the type that it had in fit",
            "bad_data",
        )

    def _retyped(self, column: _input.Column, wanted: str) -> _input.Column:
        return _input.retyped(column, wanted)

    def _given_types(self, names: list[str]) -> dict[str, str]:
        types = getattr(self, "types", None) or {}
        given = {}
        for column, kind in types.items():
            given[self._name_of_column(column, "types", names)] = kind
        return given

    def _name_of_column(self, column: Any, parameter: str, names: list[str] | None = None) -> str:
        """Of a column that a parameter speaks of by name or place."""
        known = self._known_names() if names is None else names
        if isinstance(column, (int, np.integer)) and not isinstance(column, bool):
            if not 0 <= column < len(known):
                raise Error(
                    f"{parameter} speaks of column {column}, but there "
                    f"{'is' if len(known) == 1 else 'are'} {counted(len(known), 'column')}",
                    f"use places from 0 to {len(known) - 1}, or names",
                )
            return known[column]
        if str(column) not in known:
            raise Error(
                f"{parameter} speaks of '{column}', which is not a column",
                f"use names of columns, such as '{known[0]}', or their places",
            )
        return str(column)

    def _data_of_sparse(self, X: Any, see_columns: Any) -> _genera.Data:
        if not self._takes_sparse:
            _input.numbers(X, self)  # says that sparse matrices are refused
        X = _input.numbers(X, self, accept_sparse="csr")
        learning = see_columns == self._remember_columns
        self._check_entries(X.data, (learning or not self._count_columns) and not self._fills_zeros())
        self._check_counts(X.data)
        names = see_columns(X, X.shape[1])
        if not learning and self._fills_zeros() and np.isnan(X.data).any():
            return self._data_of_array(X.toarray(), names)  # only dense cells can be missing
        data = _genera.Data(X.shape[0])
        kind = "counts" if self._count_columns else "numbers"
        data.add_sparse(_input.sparse_rows(X), names, kind)
        return data

    # -- the model -------------------------------------------------------------------------------

    def _fitted(self) -> _genera.Model:
        model = self.__dict__.get("model_")
        if model is None:
            if "_why_no_model" in self.__dict__:
                raise NotFittedError(
                    f"This {type(self).__name__} instance has no model yet: {self._why_no_model}. "
                    "Call 'partial_fit' with more rows; those that it was given are kept."
                )
            raise NotFittedError(
                f"This {type(self).__name__} instance is not fitted yet. Call 'fit' with "
                "appropriate arguments before using this estimator."
            )
        return model

    def _take_report(self, facts: dict[str, Any]) -> None:
        self.report_ = FitReport(facts)
        for text in self.report_.warnings:
            warnings.warn(text, FitWarning, stacklevel=4)

    def _threads(self) -> int | None:
        return getattr(self, "threads", None)

    def _tell(self) -> Any:
        return tell(getattr(self, "verbose", 0))

    def _description(self) -> dict[str, Any]:
        model = self._fitted()
        if model.members:
            raise AttributeError("a committee of several models has no parameters: see members_")
        return model.describe()

    def _by_column(self, values: np.ndarray, names: list[str], fill: Any = 0.0) -> np.ndarray:
        """The last axis, which has these columns, in the order of the input; ``fill``: what other
        columns have."""
        known = self._known_names()
        if names == known:
            return values
        places = {name: j for j, name in enumerate(known)}
        full = np.empty((*values.shape[:-1], len(known)))
        full[...] = fill
        full[..., [places[name] for name in names]] = values
        return full

    def _feature_names(self) -> list[str]:
        """Of the model, in its order."""
        return [name for name, _ in self._fitted().features]

    def _all_numbers(self) -> bool:
        """Whether every column is a number: a feature of the model, or a column that does not
        vary."""
        return all(kind == "numeric" for _, kind in self.model_.inputs)

    def _numbers_by_column(self, values: np.ndarray) -> np.ndarray:
        """Numbers of the features of the model; columns that do not vary have their value."""
        if not self._all_numbers():
            return values
        return self._by_column(values, self._feature_names(), self._constant_values())

    def _covariances_by_column(self, values: np.ndarray) -> np.ndarray:
        """Covariances of the features of the model; columns that do not vary have 0."""
        if not self._all_numbers():
            return values
        names = self._feature_names()
        return self._by_column(self._by_column(values, names).swapaxes(1, 2), names)

    def _imputed(self, X: Any, rows: _genera.Data, seed: int | None) -> Any:
        """The rows with their missing cells filled, or with a seed drawn; a frame if some columns
        are not numbers."""
        columns = columns_of(self._fitted().impute(rows, seed, self._threads()))
        filled: dict[str, np.ndarray] = {}
        constants = np.broadcast_to(self._constant_values(), self.n_features_in_)
        for name, constant in zip(self._known_names(), constants):
            values = columns[name]
            if values.dtype != object:
                filled[name] = np.where(np.isnan(values), constant, values)
                continue
            level = None if self._frame is None else self._frame.only_level(name)
            filled[name] = np.array([level if v is None else v for v in values], dtype=object)
        kind = self._frame
        if kind is None or all(values.dtype != object for values in filled.values()):
            return np.column_stack(list(filled.values()))
        frame = kind.frame(filled)
        if hasattr(X, "index") and hasattr(frame, "index"):
            frame.index = X.index
        return frame

    def _remember_constants(self, data: _genera.Data | None) -> None:
        """Keep the values of columns that do not vary, of which the model has no parameters, where
        statistics do not tell them."""
        unused = self.model_.feature_count != self.n_features_in_
        self._constants = data.first_numbers() if data is not None and unused else None

    def _constant_values(self) -> Any:
        """The values of columns that do not vary; NaN if that is not known."""
        statistics = self.__dict__.get("statistics_")
        if statistics is not None:
            means = statistics.first_means()
            return [means.get(name, np.nan) for name in self._known_names()]
        constants = self.__dict__.get("_constants")
        return np.nan if constants is None else constants


def _empty(column: _input.Column, kind: str) -> _input.Column:
    """A column of which every value is missing, as one of another type."""
    if kind in ("numeric", "count"):
        return _input.Column(column.name, kind, np.full(len(column.values), np.nan))
    if kind == "text":
        return _input.Column(column.name, kind, np.full(len(column.values), None))
    codes = np.full(len(column.values), -1, dtype=np.int8)
    return _input.Column(column.name, kind, codes, ["False", "True"])


def _other_names(fitted: np.ndarray, names: np.ndarray) -> str:
    message = "The feature names should match those that were passed during fit.\n"
    unexpected = sorted(set(names) - set(fitted))
    missing = sorted(set(fitted) - set(names))

    def listed(some: list[str]) -> str:
        return "".join(f"- {name}\n" for name in some[:5]) + ("- ...\n" if len(some) > 5 else "")

    if unexpected:
        message += "Feature names unseen at fit time:\n" + listed(unexpected)
    if missing:
        message += "Feature names seen at fit time, yet now missing:\n" + listed(missing)
    if not missing and not unexpected:
        message += "Feature names must be in the same order as they were in fit.\n"
    return message
