"""Generative classifiers: learn how each class makes its data, and ask anything of it."""

from . import datasets
from ._classifiers import GenerativeClassifier, SoftmaxRegression
from ._discrete import BernoulliNB, CategoricalNB, ComplementNB, MultinomialNB, PoissonNB
from ._errors import Error, FitWarning
from ._genera import Model, Statistics
from ._genera import version as __version__
from ._imputer import Imputer
from ._io import load, read_csv
from ._mixture import GaussianMixture
from ._numbers import LDA, MDA, QDA, RDA, GaussianNB, MixedNB
from ._text import TextClassifier

__all__ = [
    "LDA",
    "MDA",
    "QDA",
    "RDA",
    "BernoulliNB",
    "CategoricalNB",
    "ComplementNB",
    "Error",
    "FitWarning",
    "GaussianMixture",
    "GaussianNB",
    "GenerativeClassifier",
    "Imputer",
    "MixedNB",
    "Model",
    "MultinomialNB",
    "PoissonNB",
    "SoftmaxRegression",
    "Statistics",
    "TextClassifier",
    "datasets",
    "load",
    "read_csv",
    "__version__",
]
