"""Every estimator of genera on Dask: the same parameters, the same model, rows in partitions.

>>> from genera.dask import QDA  # doctest: +SKIP
>>> QDA().fit(X, y).predict(X).compute()  # doctest: +SKIP
"""

from ._estimators import (
    LDA,
    QDA,
    RDA,
    BayesianQDA,
    BernoulliNB,
    CategoricalNB,
    ComplementNB,
    GaussianMixture,
    GaussianNB,
    GenerativeClassifier,
    MixedNB,
    MultinomialNB,
    PoissonNB,
    SoftmaxRegression,
    TextClassifier,
)
from ._select import select

__all__ = [
    "LDA",
    "QDA",
    "RDA",
    "BayesianQDA",
    "BernoulliNB",
    "CategoricalNB",
    "ComplementNB",
    "GaussianMixture",
    "GaussianNB",
    "GenerativeClassifier",
    "MixedNB",
    "MultinomialNB",
    "PoissonNB",
    "SoftmaxRegression",
    "TextClassifier",
    "select",
]
