"""An Estimator and a Model for pipelines of pyspark.ml."""

from __future__ import annotations

import base64
import json
import pickle
from typing import Any

from pyspark import keyword_only
from pyspark.ml import Estimator, Model
from pyspark.ml.param import Param, Params, TypeConverters
from pyspark.ml.util import DefaultParamsReadable, DefaultParamsWritable

from .._labels import type_of
from ._fit import SparkModel, fit


class _Columns(Params):
    """Names of columns."""

    labelCol: Any = Param(Params._dummy(), "labelCol", "labels", TypeConverters.toString)
    weightCol: Any = Param(
        Params._dummy(), "weightCol", "weights; empty: none", TypeConverters.toString
    )
    featuresCols: Any = Param(
        Params._dummy(), "featuresCols", "columns; empty: all others", TypeConverters.toListString
    )
    predictionCol: Any = Param(
        Params._dummy(), "predictionCol", "the class", TypeConverters.toString
    )
    probabilityCol: Any = Param(
        Params._dummy(), "probabilityCol", "posteriors; empty: none", TypeConverters.toString
    )
    logDensityCol: Any = Param(
        Params._dummy(), "logDensityCol", "log densities; empty: none", TypeConverters.toString
    )
    outlierCol: Any = Param(
        Params._dummy(), "outlierCol", "tail probabilities; empty: none", TypeConverters.toString
    )

    def _set_columns(self) -> None:
        self._setDefault(
            labelCol="label",
            weightCol="",
            featuresCols=[],
            predictionCol="prediction",
            probabilityCol="probability",
            logDensityCol="",
            outlierCol="",
        )


class GeneraClassifier(_Columns, Estimator, DefaultParamsReadable, DefaultParamsWritable):
    """``genera.spark.fit`` as an Estimator.

    ``model`` is a name as ``GenerativeClassifier`` takes it, ``options`` JSON of its other
    parameters. Numbers that a search varies are params of their own: ``alpha``, ``gamma``,
    ``smoothing``, ``ridge``.
    """

    model: Any = Param(Params._dummy(), "model", "qda, lda, gnb, ...", TypeConverters.toString)
    options: Any = Param(Params._dummy(), "options", "parameters as JSON", TypeConverters.toString)
    alpha: Any = Param(Params._dummy(), "alpha", "of rda", TypeConverters.toFloat)
    gamma: Any = Param(Params._dummy(), "gamma", "of rda", TypeConverters.toFloat)
    smoothing: Any = Param(Params._dummy(), "smoothing", "of counts", TypeConverters.toFloat)
    ridge: Any = Param(Params._dummy(), "ridge", "of logistic", TypeConverters.toFloat)

    @keyword_only
    def __init__(self, **parameters: Any) -> None:
        super().__init__()
        self._set_columns()
        self._setDefault(model="qda", options="{}")
        self._set(**self._input_kwargs)

    def _fit(self, dataset: Any) -> GeneraClassificationModel:
        given = json.loads(self.getOrDefault(self.options))
        for param in (self.alpha, self.gamma, self.smoothing, self.ridge):
            if self.isSet(param):
                given[param.name] = self.getOrDefault(param)
        label = self.getOrDefault(self.labelCol)
        made = ("prediction", "rawPrediction", "probability")
        features = self.getOrDefault(self.featuresCols) or [
            name
            for name in dataset.columns
            if name not in (label, self.getOrDefault(self.weightCol), *made)
        ]
        fitted = fit(
            dataset,
            label,
            self.getOrDefault(self.model),
            weight=self.getOrDefault(self.weightCol) or None,
            features=features,
            **given,
        )
        model = GeneraClassificationModel(fitted)
        for param in model.params:
            if param.name != "state" and self.isSet(self.getParam(param.name)):
                model.set(param, self.getOrDefault(self.getParam(param.name)))
        return model


class GeneraClassificationModel(_Columns, Model, DefaultParamsReadable, DefaultParamsWritable):
    """What ``GeneraClassifier`` has learned. ``fitted`` is the ``SparkModel``."""

    state: Any = Param(Params._dummy(), "state", "the model", TypeConverters.toString)

    def __init__(self, fitted: SparkModel | None = None) -> None:
        super().__init__()
        self._set_columns()
        if fitted is not None:
            state = pickle.dumps((fitted.estimator, fitted.features), protocol=4)
            self._set(state=base64.b85encode(state).decode("ascii"))

    @property
    def fitted(self) -> SparkModel:
        """Loading a model runs pickled code: load only files that you trust."""
        state = base64.b85decode(self.getOrDefault(self.state))
        return SparkModel(*pickle.loads(state))

    def _transform(self, dataset: Any) -> Any:
        from pyspark.sql import functions

        fitted = self.fitted
        names = [
            self.getOrDefault(param) or None
            for param in (self.predictionCol, self.probabilityCol, self.logDensityCol, self.outlierCol)
        ]
        prediction, probability, log_density, outlier = names
        answered = fitted.transform(
            dataset,
            prediction=prediction,
            probability=probability,
            log_density=log_density,
            outlier=outlier,
        )
        if prediction and type_of(fitted.estimator.classes_) in ("integer", "real"):
            answered = answered.withColumn(
                prediction, functions.col(prediction).cast("double")
            )  # as evaluators of pyspark.ml expect it
        if probability:
            from pyspark.ml.functions import array_to_vector

            answered = answered.withColumn(probability, array_to_vector(probability))
        return answered
