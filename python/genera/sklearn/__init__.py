"""Drop-ins: scikit-learn's classes with its parameters, attributes, defaults and numbers, over the
core of genera.

Change the import line, ``from genera.sklearn import GaussianNB``, and nothing else. Each class is a
subclass of scikit-learn's own, of the version that is installed; sums over rows and scores of rows
come from the core. Where scikit-learn goes another way (other array libraries, estimators of
covariances given by the user), its own code runs.

Besides there are ``merge`` and ``forget``, and NaN is missing: marginalised by ``GaussianNB``,
``LinearDiscriminantAnalysis`` and ``QuadraticDiscriminantAnalysis``, in ``fit`` by EM.
"""

from ._discriminant import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from ._mixture import GaussianMixture
from ._naive_bayes import BernoulliNB, CategoricalNB, ComplementNB, GaussianNB, MultinomialNB

__all__ = [
    "BernoulliNB",
    "CategoricalNB",
    "ComplementNB",
    "GaussianMixture",
    "GaussianNB",
    "LinearDiscriminantAnalysis",
    "MultinomialNB",
    "QuadraticDiscriminantAnalysis",
]
