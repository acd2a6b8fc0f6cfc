"""A fit of a DataFrame, and a model that adds columns."""

from __future__ import annotations

import pickle
from typing import Any, Callable, Iterable, Iterator

import numpy as np

from .. import _labels
from .._classifiers import GenerativeClassifier, SoftmaxRegression
from .._errors import Error
from .._partitions.driver import Driver
from ._engine import SparkEngine, expanded

_TYPES = {"integer": "long", "real": "double", "boolean": "boolean", "text": "string"}


def fit(
    frame: Any,
    target: str,
    model: Any = "qda",
    *,
    weight: str | None = None,
    features: Any = None,
    **parameters: Any,
) -> SparkModel:
    """Learn from a DataFrame of Spark.

    Parameters
    ----------
    frame : DataFrame
        Numbers, strings (categories), booleans (flags), and arrays or vectors of numbers.
    target : str
        The column of labels; null: the label is missing.
    model : str or estimator
        As ``GenerativeClassifier`` calls it, or an estimator of genera, which is not changed.
    weight : str, optional
        A column of weights.
    features : list of str, optional
        Columns to learn from; None: all others.
    **parameters
        Of ``GenerativeClassifier``, if ``model`` is a name.

    Returns
    -------
    SparkModel
    """
    estimator = _estimator_of(model, parameters)
    target_estimator = type(estimator)(**estimator.get_params(deep=False))
    texts = bool(getattr(estimator, "_takes_texts", False))
    columns = _features_of(frame, target, weight, features)
    if texts and len(columns) != 1:
        raise Error(
            f"a TextClassifier learns from one column of texts, but there are {len(columns)}",
            'name it, such as features=["text"]',
        )
    rows = _as_arrays(frame.select(*columns, target, *([weight] if weight else [])))
    engine = SparkEngine(rows, target, weight, texts)
    driver = Driver(target_estimator, estimator, engine)
    driver.fit()
    target_estimator.rounds_ = driver.rounds
    return SparkModel(target_estimator, columns)


def _estimator_of(model: Any, parameters: dict[str, Any]) -> Any:
    if not isinstance(model, str):
        if parameters:
            raise TypeError("parameters belong to the estimator that is given")
        return type(model)(**model.get_params(deep=False))
    if model == "logistic":
        return SoftmaxRegression(**parameters)
    return GenerativeClassifier(model, **parameters)


def _features_of(frame: Any, target: str, weight: str | None, features: Any) -> list[str]:
    known = list(frame.columns)
    wanted = [name for name in known if name not in (target, weight)] if features is None else features
    for name in [*wanted, target, *([weight] if weight else [])]:
        if name not in known:
            raise Error(
                f"there is no column '{name}'", f"use one of {', '.join(known[:8])}", "bad_data"
            )
    return list(wanted)


def _vectors(frame: Any) -> list[str]:
    return [one.name for one in frame.schema.fields if type(one.dataType).__name__ == "VectorUDT"]


def _as_arrays(frame: Any) -> Any:
    """Vectors of pyspark.ml as arrays, which Arrow knows."""
    vectors = _vectors(frame)
    if not vectors:
        return frame
    from pyspark.ml.functions import vector_to_array

    for name in vectors:
        frame = frame.withColumn(name, vector_to_array(name))
    return frame


class SparkModel:
    """A fitted estimator of genera that adds columns to DataFrames.

    Attributes
    ----------
    estimator : the estimator of genera
        With the model, for rows of this machine and everything that it can be asked.
    features : list of str
    """

    def __init__(self, estimator: Any, features: list[str]) -> None:
        self.estimator = estimator
        self.features = features

    def transform(
        self,
        frame: Any,
        *,
        prediction: str | None = "prediction",
        probability: str | None = "probability",
        log_density: str | None = None,
        outlier: str | None = None,
    ) -> Any:
        """The DataFrame with more columns; None leaves one out.

        Parameters
        ----------
        prediction : the most probable class
        probability : the posterior probability of each class, in the order of ``classes_``
        log_density : log p(x)
        outlier : the probability that a row of the best-fitting class lies at least as far out
        """
        asked: list[tuple[str, str, str]] = []
        label_type = _TYPES[_labels.type_of(self.estimator.classes_)]
        for name, method, kind in (
            (prediction, "predict", label_type),
            (probability, "predict_proba", "array<double>"),
            (log_density, "score_samples", "double"),
            (outlier, "outlier_tail", "double"),
        ):
            if name is not None:
                asked.append((name, method, kind))
        from pyspark.sql.types import StructType

        for name in self.features:
            if name not in frame.columns:
                raise Error(f"there is no column '{name}'", "give the columns of the fit", "bad_data")
        added = StructType.fromDDL(", ".join(f"`{name}` {kind}" for name, _, kind in asked))
        vectors = _vectors(frame)
        rows = _as_arrays(frame)
        schema = StructType([*rows.schema.fields, *added.fields])
        answered = rows.mapInArrow(_answers(self.estimator, self.features, asked), schema)
        if vectors:
            from pyspark.ml.functions import array_to_vector

            answered = answered.withColumns({name: array_to_vector(name) for name in vectors})
        return answered

    def save(self, path: str) -> None:
        """Write the model as a file of genera; see ``genera.load``."""
        self.estimator.save(path)

    def __repr__(self) -> str:
        return f"SparkModel({self.estimator!r})"


def _answers(
    estimator: Any, features: list[str], asked: list[tuple[str, str, str]]
) -> Callable[[Iterable[Any]], Iterator[Any]]:
    sent = pickle.dumps(estimator, protocol=5)

    def answer(batches: Iterable[Any]) -> Iterator[Any]:
        import pyarrow

        local = pickle.loads(sent)
        local.threads = 1
        for batch in batches:
            table = pyarrow.Table.from_batches([batch])
            rows: Any = expanded(table.select(features))
            if getattr(local, "_takes_texts", False):
                rows = rows.column(0).to_pylist()
            for name, method, _ in asked:
                values = getattr(local, method)(rows) if table.num_rows else np.empty(0)
                table = table.append_column(name, _arrow(values, method))
            yield from table.to_batches()

    return answer


def _arrow(values: np.ndarray, method: str) -> Any:
    import pyarrow

    if method == "predict_proba" and values.ndim == 2:
        offsets = np.arange(values.shape[0] + 1, dtype=np.int32) * values.shape[1]
        return pyarrow.ListArray.from_arrays(offsets, np.ascontiguousarray(values).ravel())
    if values.dtype == object or values.dtype.kind == "U":
        return pyarrow.array([str(one) for one in values], pyarrow.string())
    if values.dtype.kind in "iu":
        values = values.astype(np.int64)
    return pyarrow.array(values)

