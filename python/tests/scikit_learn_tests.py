"""scikit_learn_tests.py FILE...: scikit-learn's own tests with its classes replaced by the drop-ins.

Run as a program: the classes are replaced before the files are imported.
"""

import pathlib
import sys

import pytest
import sklearn
import sklearn.discriminant_analysis
import sklearn.mixture
import sklearn.naive_bayes

import genera.sklearn

REPLACED = {
    sklearn.naive_bayes: ["BernoulliNB", "CategoricalNB", "ComplementNB", "GaussianNB", "MultinomialNB"],
    sklearn.discriminant_analysis: ["LinearDiscriminantAnalysis", "QuadraticDiscriminantAnalysis"],
    sklearn.mixture: ["GaussianMixture"],
}

for module, names in REPLACED.items():
    for name in names:
        setattr(module, name, getattr(genera.sklearn, name))

root = pathlib.Path(sklearn.__file__).parent
files = [str(root / name) for name in sys.argv[1:]]
sys.exit(
    pytest.main(["-q", "-rf", "-p", "no:cacheprovider", "-c", "/dev/null", "-W", "ignore", *files])
)
