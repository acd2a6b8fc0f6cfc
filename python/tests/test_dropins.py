"""The drop-ins: scikit-learn's numbers, its own tests, and what it does not have."""

import importlib
import pathlib
import pickle
import re
import subprocess
import sys

import numpy as np
import pytest
import sklearn
from scipy import sparse
from sklearn import discriminant_analysis, mixture, naive_bayes

import genera
import genera.sklearn as ours

# Tests of scikit-learn that cannot pass, with the reason.
KNOWN: dict[str, str] = {
    "test_gaussian_mixture_all_init_does_not_estimate_gaussian_parameters": "counts the calls of a "
    "private helper of scikit-learn's M-step, which the core does",
}
FILES = ["tests/test_naive_bayes.py", "tests/test_discriminant_analysis.py"]
if importlib.util.find_spec("sklearn.mixture.tests"):
    FILES.append("mixture/tests/test_gaussian_mixture.py")


@pytest.mark.parametrize("file", FILES)
def test_scikit_learns_own_tests_pass(file):
    if not (pathlib.Path(sklearn.__file__).parent / file).exists():
        pytest.skip("this package of scikit-learn has no tests")
    done = subprocess.run(
        [sys.executable, "-B", pathlib.Path(__file__).parent / "scikit_learn_tests.py", file],
        capture_output=True,
        text=True,
    )
    failed = {name for name in re.findall(r"^FAILED \S+::(\w+)", done.stdout, re.M)}
    assert failed - set(KNOWN) == set(), done.stdout[-3000:]
    assert re.search(r"\d+ passed", done.stdout), done.stdout[-3000:]


DENSE = [
    ("GaussianNB", {}),
    ("GaussianNB", {"var_smoothing": 1e-3, "priors": [0.2, 0.3, 0.5]}),
    ("LinearDiscriminantAnalysis", {"store_covariance": True}),
    ("LinearDiscriminantAnalysis", {"solver": "lsqr"}),
    ("LinearDiscriminantAnalysis", {"solver": "lsqr", "shrinkage": 0.3}),
    ("LinearDiscriminantAnalysis", {"solver": "lsqr", "shrinkage": "auto"}),
    ("LinearDiscriminantAnalysis", {"solver": "eigen", "shrinkage": 0.1, "n_components": 2}),
    ("LinearDiscriminantAnalysis", {"priors": [0.2, 0.3, 0.5]}),
    ("QuadraticDiscriminantAnalysis", {"store_covariance": True}),
    ("QuadraticDiscriminantAnalysis", {"reg_param": 0.2, "priors": [0.2, 0.3, 0.5]}),
    ("GaussianMixture", {"n_components": 3, "random_state": 1}),
    ("GaussianMixture", {"n_components": 2, "covariance_type": "diag", "random_state": 1}),
    ("GaussianMixture", {"n_components": 2, "covariance_type": "tied", "random_state": 1}),
    ("GaussianMixture", {"n_components": 2, "covariance_type": "spherical", "random_state": 1}),
]
COUNTED = [
    ("MultinomialNB", {"alpha": 0.5}),
    ("MultinomialNB", {"fit_prior": False, "alpha": [0.1, 0.2, 0.3, 0.4]}),
    ("ComplementNB", {}),
    ("ComplementNB", {"norm": True}),
    ("BernoulliNB", {"binarize": 1.0}),
    ("CategoricalNB", {}),
]
NOT_COMPARED = {"scalings_", "rotations_"}  # up to the sign of their columns


def peer_of(name):
    for module in (naive_bayes, discriminant_analysis, mixture):
        if hasattr(module, name):
            return getattr(module, name)
    raise AssertionError(name)


def pair(name, parameters):
    return getattr(ours, name)(**parameters), peer_of(name)(**parameters)


def same_attributes(one, other):
    attributes = [a for a in vars(other) if a.endswith("_") and not a.startswith("_")]
    assert attributes
    for attribute in attributes:
        mine, theirs = getattr(one, attribute), getattr(other, attribute)
        if attribute in NOT_COMPARED:
            for a, b in zip(np.atleast_2d(mine), np.atleast_2d(theirs)):
                np.testing.assert_allclose(np.abs(a), np.abs(b), rtol=1e-7, atol=1e-9)
        elif isinstance(theirs, list):
            for a, b in zip(mine, theirs):
                np.testing.assert_allclose(a, b, rtol=1e-8, atol=1e-10)
        elif np.asarray(theirs).dtype.kind in "fi":
            np.testing.assert_allclose(mine, theirs, rtol=1e-7, atol=1e-9, err_msg=attribute)


@pytest.mark.parametrize(("name", "parameters"), DENSE, ids=str)
def test_numbers_of_measurements(name, parameters, blobs):
    X, y = blobs
    mine, theirs = pair(name, parameters)
    mine.fit(X, y)
    theirs.fit(X, y)
    same_attributes(mine, theirs)
    np.testing.assert_array_equal(mine.predict(X), theirs.predict(X))
    np.testing.assert_allclose(mine.predict_proba(X), theirs.predict_proba(X), atol=1e-8)
    for ask in ("decision_function", "predict_joint_log_proba", "score_samples"):
        if hasattr(theirs, ask):
            np.testing.assert_allclose(getattr(mine, ask)(X), getattr(theirs, ask)(X), rtol=1e-7, atol=1e-7)
    assert mine.get_params() == theirs.get_params()
    again = pickle.loads(pickle.dumps(mine))
    np.testing.assert_array_equal(again.predict_proba(X), mine.predict_proba(X))


@pytest.mark.parametrize(("name", "parameters"), COUNTED, ids=str)
@pytest.mark.parametrize("convert", [np.asarray, sparse.csr_matrix], ids=["dense", "sparse"])
def test_numbers_of_counts(name, parameters, convert, counts):
    X, y = counts
    if name == "CategoricalNB" and convert is not np.asarray:
        pytest.skip("scikit-learn takes no sparse matrices here")
    mine, theirs = pair(name, parameters)
    weights = np.linspace(0.5, 2, len(y))
    mine.fit(convert(X), y, sample_weight=weights)
    theirs.fit(convert(X), y, sample_weight=weights)
    same_attributes(mine, theirs)
    np.testing.assert_array_equal(mine.predict(convert(X)), theirs.predict(convert(X)))
    np.testing.assert_allclose(
        mine.predict_joint_log_proba(convert(X)), theirs.predict_joint_log_proba(convert(X)), rtol=1e-9
    )
    mine.partial_fit(convert(X[:50]), y[:50])
    theirs.partial_fit(convert(X[:50]), y[:50])
    same_attributes(mine, theirs)


@pytest.mark.parametrize("name", ["MultinomialNB", "ComplementNB", "BernoulliNB", "CategoricalNB"])
def test_counts_are_merged_and_forgotten(name, counts):
    X, y = counts
    kind = getattr(ours, name)
    whole = kind().fit(X, y)
    merged = kind().fit(X[:90], y[:90]).merge(kind().fit(X[90:], y[90:]))
    np.testing.assert_allclose(merged.predict_proba(X), whole.predict_proba(X), atol=1e-12)
    rest = kind().fit(X, y).forget(X[:90], y[:90])
    same = kind().fit(X[90:], y[90:]) if name != "CategoricalNB" else None
    if same is not None:
        np.testing.assert_allclose(rest.predict_proba(X), same.predict_proba(X), atol=1e-12)
    rest.partial_fit(X[:90], y[:90])
    np.testing.assert_allclose(rest.predict_proba(X), whole.predict_proba(X), atol=1e-12)
    with pytest.raises(genera.Error, match="more than was learned"):
        kind().fit(X[:20], y[:20]).forget(X, y)


def test_gaussians_are_merged_and_forgotten(blobs):
    X, y = blobs
    whole = ours.GaussianNB(var_smoothing=0).fit(X, y)
    merged = ours.GaussianNB(var_smoothing=0).fit(X[:150], y[:150])
    merged.merge(ours.GaussianNB(var_smoothing=0).fit(X[150:], y[150:]))
    np.testing.assert_allclose(merged.theta_, whole.theta_, rtol=1e-12)
    np.testing.assert_allclose(merged.var_, whole.var_, rtol=1e-12)
    merged.forget(X[150:], y[150:])
    first = ours.GaussianNB(var_smoothing=0).fit(X[:150], y[:150])
    np.testing.assert_allclose(merged.var_, first.var_, rtol=1e-10)
    np.testing.assert_array_equal(merged.class_count_, first.class_count_)


@pytest.mark.parametrize(
    "name", ["GaussianNB", "LinearDiscriminantAnalysis", "QuadraticDiscriminantAnalysis"]
)
def test_nan_is_missing(name, blobs):
    from genera.sklearn._discriminant import _is_old

    if name == "QuadraticDiscriminantAnalysis" and _is_old():
        pytest.skip("scikit-learn's own fit runs there, which refuses NaN")
    X, y = blobs
    holes = X.copy()
    holes[::5, 1] = np.nan
    kind = getattr(ours, name)
    found = kind().fit(holes, y)
    assert np.isfinite(found.predict_proba(holes)).all() and found.score(holes, y) > 0.8
    core = {
        "GaussianNB": genera.GaussianNB,
        "LinearDiscriminantAnalysis": genera.LDA,
        "QuadraticDiscriminantAnalysis": genera.QDA,
    }[name]
    new = "mle" if mle() or name == "GaussianNB" else "unbiased"
    expected = core(divisor=new).fit(holes, y)
    np.testing.assert_allclose(found.predict_proba(holes), expected.predict_proba(holes), atol=1e-6)


def mle():
    from genera.sklearn._discriminant import _divides_by_rows

    return _divides_by_rows()


def test_errors_are_those_of_scikit_learn(blobs):
    X, y = blobs
    with pytest.raises(ValueError, match="only 1 sample in class|only 1 sample"):
        ours.QuadraticDiscriminantAnalysis().fit(X[:3], [0, 1, 1])
    with pytest.raises(ValueError, match="must be more than the number of classes"):
        ours.LinearDiscriminantAnalysis().fit(X[:2], [0, 1])
    with pytest.raises(ValueError, match="do not exist in the initial classes"):
        ours.GaussianNB().fit(X, y).partial_fit(X, y + 5)
    with pytest.raises(ValueError):
        ours.MultinomialNB().fit(-X, y)
    with pytest.raises(genera.Error, match="classes differ"):
        ours.GaussianNB().fit(X, y).merge(ours.GaussianNB().fit(X, y + 1))


def test_variates_of_rows_with_holes_are_expected_ones(iris):
    X, y = iris
    holed = X.copy()
    holed[::7, 2] = np.nan
    found = ours.LinearDiscriminantAnalysis(store_covariance=True).fit(X, y)
    within, means = found.covariance_, found.means_
    expected = holed.copy()
    kept = [0, 1, 3]
    slope = np.linalg.solve(within[np.ix_(kept, kept)], within[kept, 2])
    proba = found.predict_proba(holed)
    for i in range(0, len(X), 7):
        by_class = means[:, 2] + (holed[i, kept] - means[:, kept]) @ slope
        expected[i, 2] = proba[i] @ by_class
    np.testing.assert_allclose(found.transform(holed), found.transform(expected), atol=1e-10)
    with pytest.raises(ValueError, match="store_covariance=True"):
        ours.LinearDiscriminantAnalysis().fit(X, y).transform(holed)


@pytest.mark.parametrize("name", genera.sklearn.__all__)
def test_labels_that_are_not_given_are_missed_in_words(name, counts):
    if name == "GaussianMixture":
        return
    with pytest.raises(ValueError, match="y"):
        getattr(ours, name)().fit(counts[0], None)
