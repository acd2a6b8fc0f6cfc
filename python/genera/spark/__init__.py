"""Fits and predictions of Spark DataFrames, on classic Spark and Spark Connect.

>>> import genera.spark  # doctest: +SKIP
>>> model = genera.spark.fit(frame, "species", "qda")  # doctest: +SKIP
>>> model.transform(frame).select("prediction", "probability")  # doctest: +SKIP
"""

from ._fit import SparkModel, fit

__all__ = ["GeneraClassificationModel", "GeneraClassifier", "SparkModel", "fit"]


def __getattr__(name: str) -> object:
    """The pair of pyspark.ml is imported when it is asked for."""
    if name in ("GeneraClassificationModel", "GeneraClassifier"):
        from . import _ml

        return getattr(_ml, name)
    raise AttributeError(f"module 'genera.spark' has no attribute '{name}'")
