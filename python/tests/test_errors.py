"""Bad input: what is wrong, and what to do, in the words of Python."""

import pickle

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

import genera
from genera import _genera


def test_hints_are_in_the_words_of_python(blobs):
    X, y = blobs
    twice = np.column_stack([X, X[:, 0]])
    with pytest.raises(genera.Error) as raised:
        genera.QDA(on_singular="error").fit(twice, y)
    error = raised.value
    assert isinstance(error, ValueError) and error.code == "bad_model"
    assert "singular" in error.what and "'x5'" in error.what
    assert 'shrinkage="oas"' in error.hint and 'on_singular="shrink"' in error.hint
    assert "--" not in str(error) and str(error) == f"{error.what}\n{error.hint}"
    again = pickle.loads(pickle.dumps(error))
    assert (again.what, again.hint, again.code) == (error.what, error.hint, error.code)


def test_a_dependent_column_changes_no_posterior_and_one_warning_names_it(blobs):
    X, y = blobs
    twice = np.column_stack([X, X[:, 0]])
    for model in (genera.QDA, genera.LDA):
        with pytest.warns(genera.FitWarning, match="shrunk toward the pooled variances") as said:
            found = model().fit(twice, y)
        assert len(said) == 1
        text = str(said[0].message)
        assert "by 1e-06 (linearly dependent on the others: 'x" in text
        assert found.report_.warnings == [text]
        assert found.report_.covariances_moved == (3 if model is genera.QDA else 1)
        expected = model().fit(X, y).predict_proba(X)
        np.testing.assert_allclose(found.predict_proba(twice), expected, atol=1e-4)


def test_a_relation_of_one_class_tells_it_from_the_others():
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 2200)
    X = rng.normal(size=(2200, 4))
    X[y == 1, 3] = X[y == 1, 0] + X[y == 1, 1]
    with pytest.warns(genera.FitWarning, match=r"class '1' \(\d+ rows\) by 1e-06 .*'x3'"):
        found = genera.QDA().fit(X[:200], y[:200])
    assert found.score(X[200:], y[200:]) > 0.99


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"shrinkage": "osa"}, "shrinkage is 'osa'"),
        ({"shrinkage": 2.0}, "shrinkage"),
        ({"divisor": "n"}, "divisor is 'n'"),
        ({"on_singular": "ignore"}, "on_singular is 'ignore'"),
        ({"missing": "mean"}, "missing is 'mean'"),
        ({"priors": "flat"}, "priors is 'flat'"),
    ],
)
def test_values_of_parameters(parameters, message, blobs):
    with pytest.raises(genera.Error, match=message):
        genera.LDA(**parameters).fit(*blobs)


def test_parameters_of_another_type(blobs):
    with pytest.raises(genera.Error, match="raw_units is 'yes', expected true or false"):
        genera.LDA(raw_units="yes").fit(*blobs)
    with pytest.raises(genera.Error, match="model is 'ldaa'"):
        genera.GenerativeClassifier("ldaa").fit(*blobs)
    with pytest.raises(TypeError, match="unexpected keyword"):
        genera.LDA(solver="svd")
    with pytest.raises(ValueError, match="at least 1"):
        genera.LDA(threads=0).fit(*blobs)


def test_rows_that_do_not_fit(blobs):
    X, y = blobs
    found = genera.LDA().fit(X, y)
    with pytest.raises(ValueError, match="X has 3 features, but LDA is expecting 5 features"):
        found.predict(X[:, :3])
    with pytest.raises(ValueError, match="Reshape your data"):
        found.predict(X[0])
    with pytest.raises(ValueError, match="[Ff]ound array with dim"):
        found.predict(X[None])
    with pytest.raises(ValueError, match="0 sample"):
        found.predict(X[:0])
    with pytest.raises(ValueError, match="could not convert string"):
        found.predict([["a"] * 5])
    with pytest.raises(ValueError, match="Complex data not supported"):
        found.predict(X.astype(complex))
    for rows in (X[:1], X):
        broken = rows.copy()
        broken[0, 1] = np.inf
        with pytest.raises(genera.Error, match="row 1: 'x1' is infinite"):
            found.predict(broken)
        with pytest.raises(genera.Error, match="infinite"):
            genera.LDA().fit(np.vstack([X, broken]), np.append(y, y[: len(broken)]))


def test_before_fit(blobs):
    X, _ = blobs
    for ask in ("predict", "predict_proba", "predict_log_proba", "score_samples", "explain"):
        with pytest.raises(NotFittedError, match="not fitted yet"):
            getattr(genera.LDA(), ask)(X)
    assert not hasattr(genera.LDA(), "means_") and not hasattr(genera.LDA(), "coef_")
    assert not hasattr(genera.QDA().fit(*blobs), "coef_")


def test_negative_counts(counts):
    X, y = counts
    for kind in (genera.MultinomialNB, genera.ComplementNB, genera.PoissonNB):
        with pytest.raises(ValueError, match="Negative values in data"):
            kind().fit(-X, y)
        with pytest.raises(ValueError, match="[Nn]egative|not a count"):
            kind().fit(X, y).predict(-X - 1)
    with pytest.raises(ValueError, match="Negative values in data"):
        genera.CategoricalNB().fit(-X - 1, y)


def test_weights(blobs):
    X, y = blobs
    with pytest.raises(ValueError):
        genera.LDA().fit(X, y, sample_weight=np.ones(3))
    with pytest.raises(ValueError, match="weight"):
        genera.LDA().fit(X, y, sample_weight=-np.ones(len(y)))


def test_negative_weights_are_refused_everywhere_in_the_same_words(blobs):
    X, y = blobs
    found = genera.LDA().fit(X, y)
    weights = np.ones(len(y))
    weights[[7, 9]] = -0.25
    unlabelled = np.where(np.arange(len(y)) == 7, np.nan, y)
    calls = [
        lambda: genera.LDA().fit(X, y, weights),
        lambda: genera.LDA().fit(X, unlabelled, weights),
        lambda: genera.GenerativeClassifier().fit(X, y, weights),
        lambda: genera.LDA().partial_fit(X, y, sample_weight=weights),
        lambda: found.forget(X, y, weights),
        lambda: found.score(X, y, weights),
        lambda: genera.evaluate(found, X, y, weights),
        lambda: genera.select(X, y, weights, models=["lda"]),
        lambda: genera.diagnose(X, y, weights),
    ]
    for call in calls:
        with pytest.raises(genera.Error) as raised:
            call()
        assert raised.value.what == "row 8: the weight is -0.25"
        assert raised.value.hint == "weights must be finite numbers of at least 0"
    with pytest.raises(ValueError, match="NaN"):
        found.score(X, y, np.where(weights < 0, np.nan, weights))
    assert found.score(X, y, np.ones(len(y), dtype=int)) == found.score(X, y)


def test_unknown_parameters_are_named(blobs):
    X, y = blobs
    data = _genera.Data(len(y))
    data.add_numbers(X, list("abcde"))
    data.set_labels(y, ["0", "1", "2"])
    # The number of starts is not counted twice.
    with pytest.raises(TypeError, match="there is no parameter 'solver'"):
        _genera.fit(data, {"model": "mda", "starts": 2, "components": 1, "solver": 3})
    with pytest.raises(genera.Error, match=r"lda does not use ridge \(logistic does\)"):
        _genera.fit(data, {"model": "lda", "ridge": 1.0})
    with pytest.raises(TypeError, match="there is no parameter 'solver'"):
        _genera.cluster(data, {"starts": None, "solver": 3})
    with pytest.raises(genera.Error, match="starts is 'many', expected a whole number"):
        _genera.cluster(data, {"starts": "many"})


def test_what_is_given_to_sample(blobs):
    X, y = blobs
    found = genera.LDA().fit(X, y)
    by_place, by_name = found.sample(5, 1, given={0: 1.5})[0], found.sample(5, 1, given={"x0": 1.5})[0]
    np.testing.assert_array_equal(by_place, by_name)
    assert (by_place[:, 0] == 1.5).all()
    flags = genera.BernoulliNB().fit(X > 0, y)
    assert (flags.sample(5, 1, given={1: True})[0][:, 1] == 1).all()
    codes = genera.CategoricalNB().fit(np.abs(X).astype(int), y)
    assert (codes.sample(5, 1, given={1: 1.0})[0][:, 1] == 1).all()
    with pytest.raises(genera.Error, match="given speaks of column 9, but there are 5 columns"):
        found.sample(given={9: 1.0})
    with pytest.raises(genera.Error, match="given speaks of 'length', which is not a column"):
        found.sample(given={"length": 1.0})
    with pytest.raises(TypeError, match="what is given of 'x0' must be a number or a string"):
        found.sample(given={0: [1.0]})
    with pytest.raises(TypeError, match="n_samples is 2.5, expected a whole number"):
        found.sample(2.5)


def test_things_of_another_kind(blobs):
    X, y = blobs
    found = genera.LDA().fit(X, y)
    with pytest.raises(TypeError, match="merge takes another LDA, not a int"):
        found.merge(3)
    with pytest.raises(NotFittedError):
        found.merge(genera.LDA())
    with pytest.raises(TypeError, match="threads must be a whole number"):
        genera.LDA(threads="two").fit(X, y)
    with pytest.raises(ValueError, match="requires y to be passed"):
        genera.LDA().fit(X)
    with pytest.raises(genera.Error, match="the type of column 'x0' is 'numbers'"):
        genera.MixedNB(types={0: "numbers"}).fit(X, y)
    with pytest.raises(genera.Error, match="tol is -1, expected a number of at least 0"):
        genera.SoftmaxRegression(tol=-1).fit(X, y)


def test_arrays_that_are_none(blobs):
    X, y = blobs
    found = genera.LDA().fit(X, y)
    for rows in (np.float64(3), np.array(3.0)):
        with pytest.raises(ValueError, match="got scalar array instead"):
            found.predict(rows)
    for rows, labels, words in (
        (X[:0], y[:0], "0 sample"),
        (X[:, :0], y, "0 feature"),
        (X[None], y, "dim"),
        (np.array([[1, "a"], [2, "b"]], dtype=object), [0, 1], "could not convert string"),
        (X, y[:-1], "inconsistent numbers of samples"),
        (X, np.column_stack([y, y]), "1d array"),
    ):
        with pytest.raises(ValueError, match=words):
            genera.LDA().fit(rows, labels)
