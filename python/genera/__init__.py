"""Generative classifiers: learn how each class makes its data, and ask anything of it."""

from . import datasets, plot
from ._aode import AODE
from ._classifiers import GenerativeClassifier, SoftmaxRegression
from ._diagnosis import Diagnosis
from ._discrete import BernoulliNB, CategoricalNB, ComplementNB, MultinomialNB, PoissonNB
from ._errors import Error, FitWarning
from ._genera import Model, Statistics
from ._genera import version as __version__
from ._imputer import Imputer
from ._io import load, read_csv
from ._laboratory.compare import compare
from ._laboratory.diagnose import diagnose
from ._laboratory.evaluate import evaluate
from ._laboratory.select import select
from ._mixture import GaussianMixture
from ._numbers import LDA, MDA, QDA, RDA, BayesianQDA, GaussianNB, KernelBayes, MixedNB
from ._results import Comparison, Evaluation, Selection
from ._text import TextClassifier

__all__ = [
    "AODE",
    "LDA",
    "MDA",
    "QDA",
    "RDA",
    "BayesianQDA",
    "BernoulliNB",
    "CategoricalNB",
    "Comparison",
    "ComplementNB",
    "Diagnosis",
    "Error",
    "Evaluation",
    "FitWarning",
    "GaussianMixture",
    "GaussianNB",
    "GenerativeClassifier",
    "Imputer",
    "KernelBayes",
    "MixedNB",
    "Model",
    "MultinomialNB",
    "PoissonNB",
    "Selection",
    "SoftmaxRegression",
    "Statistics",
    "TextClassifier",
    "compare",
    "datasets",
    "diagnose",
    "evaluate",
    "load",
    "plot",
    "read_csv",
    "select",
    "__version__",
]
