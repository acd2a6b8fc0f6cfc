"""Mixtures, imputation and texts."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal

import genera


def test_groups_are_found(blobs):
    rng = np.random.default_rng(5)
    truth = rng.integers(0, 3, 600)
    X = rng.normal(size=(600, 2)) + np.array([[0, 0], [8, 0], [0, 8]])[truth]
    found = genera.GaussianMixture((1, 6), starts=3).fit(X)
    assert found.n_components_ == 3 and found.bic_ == min(c["bic"] for c in found.candidates_)
    agree = [(truth[found.labels_ == k] == np.bincount(truth[found.labels_ == k]).argmax()).mean() for k in range(3)]
    assert min(agree) > 0.99
    np.testing.assert_array_equal(found.predict(X), found.labels_)
    np.testing.assert_array_equal(found.fit_predict(X), found.labels_)
    assert (np.diff(found.weights_) <= 0).all()
    covariances = found.covariances_ if found.covariances_.ndim == 3 else [found.covariances_] * 3
    density = sum(
        w * multivariate_normal(m, c).pdf(X)
        for w, m, c in zip(found.weights_, found.means_, covariances)
    )
    np.testing.assert_allclose(found.score_samples(X), np.log(density), rtol=1e-9)
    assert found.score(X) == pytest.approx(np.log(density).mean())
    rows, which = found.sample(5000, random_state=2)
    assert rows.shape == (5000, 2) and set(which) == {0, 1, 2}
    np.testing.assert_allclose(rows[which == 0].mean(0), found.means_[0], atol=0.1)


def test_groups_of_rows_with_holes():
    rng = np.random.default_rng(6)
    X = np.concatenate([rng.normal(size=(100, 3)), rng.normal(size=(100, 3)) + 9])
    X[rng.random(X.shape) < 0.1] = np.nan
    found = genera.GaussianMixture(2, covariance="gnb", starts=2).fit(X)
    assert found.n_components_ == 2 and found.covariance_ == "diag"
    assert len(set(found.labels_[:100])) == 1


def test_imputation_is_the_conditional_expectation(blobs):
    X, _ = blobs
    holes = X.copy()
    holes[::9, 1] = np.nan
    found = genera.Imputer().fit(X)
    filled = found.transform(holes)
    mean, cov = X.mean(0), np.cov(X, rowvar=False, bias=True)
    rest = [0, 2, 3, 4]
    expected = mean[1] + (X[::9][:, rest] - mean[rest]) @ np.linalg.solve(
        cov[np.ix_(rest, rest)], cov[rest, 1]
    )
    np.testing.assert_allclose(filled[::9, 1], expected, rtol=1e-9)
    kept = ~np.isnan(holes)
    np.testing.assert_array_equal(filled[kept], holes[kept])
    assert found.get_feature_names_out().tolist() == ["x0", "x1", "x2", "x3", "x4"]


def test_draws_differ_by_seed(blobs):
    X, _ = blobs
    holes = X.copy()
    holes[::2, 0] = np.nan
    one, same, other = (genera.Imputer(draw=True, random_state=s).fit_transform(holes) for s in (1, 1, 2))
    np.testing.assert_array_equal(one, same)
    assert (one[::2, 0] != other[::2, 0]).all()
    mean = genera.Imputer().fit_transform(holes)
    assert one[::2, 0].std() > mean[::2, 0].std()


TEXTS = ["cheap pills", "buy cheap watches", "lunch at noon", "see you at lunch", "cheap lunch"]
LABELS = ["spam", "spam", "ham", "ham", "ham"]


@pytest.mark.parametrize("model", ["multinomial", "bernoulli", "complement", "logistic"])
def test_text_models(model):
    found = genera.TextClassifier(model).fit(TEXTS, LABELS)
    assert found.predict(["pills pills", "noon"]).tolist() == ["spam", "ham"]
    assert "cheap" in found.terms_


def test_texts_are_counts_of_words():
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.naive_bayes import MultinomialNB

    words = CountVectorizer()
    counts = words.fit_transform(TEXTS)
    peer = MultinomialNB().fit(counts, LABELS)
    found = genera.TextClassifier().fit(TEXTS, LABELS)
    assert sorted(found.terms_) == sorted(words.get_feature_names_out())
    new = ["cheap noon watches", "unknown words", ""]
    np.testing.assert_allclose(
        found.predict_proba(new), peer.predict_proba(words.transform(new)), atol=1e-12
    )


def test_text_options():
    found = genera.TextClassifier(ngrams=(1, 2), stop_words="english").fit(TEXTS, LABELS)
    assert "cheap pills" in found.terms_ and "at" not in found.terms_
    chars = genera.TextClassifier(chars=(2, 3)).fit(TEXTS, LABELS)
    assert all(2 <= len(term) <= 3 for term in chars.terms_)
    few = genera.TextClassifier(min_count=2).fit(TEXTS, LABELS)
    assert set(few.terms_) == {"cheap", "lunch", "at"}
    parts = genera.TextClassifier().partial_fit(TEXTS[:2], LABELS[:2]).partial_fit(TEXTS[2:], LABELS[2:])
    whole = genera.TextClassifier().fit(TEXTS, LABELS)
    np.testing.assert_allclose(parts.predict_proba(TEXTS), whole.predict_proba(TEXTS), atol=1e-12)
    parts.forget(TEXTS[4:], LABELS[4:])
    np.testing.assert_allclose(
        parts.predict_proba(TEXTS),
        genera.TextClassifier().fit(TEXTS[:4], LABELS[:4]).predict_proba(TEXTS),
        atol=1e-12,
    )
    with pytest.raises(ValueError, match="one string"):
        whole.predict("cheap pills")
    with pytest.raises(TypeError, match="element 1 is a"):
        whole.predict(["cheap", 3])
    with pytest.raises(genera.Error, match="'lda'"):
        genera.TextClassifier("lda").fit(TEXTS, LABELS)
