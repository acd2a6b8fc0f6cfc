"""What the estimators answer, against formulas written out."""

import pickle

import numpy as np
import pytest
from scipy.special import logsumexp
from scipy.stats import multivariate_normal, norm, poisson

import genera

GAUSSIAN = [genera.QDA, genera.LDA, genera.GaussianNB, genera.RDA]


def covariance(rows):
    return np.cov(rows, rowvar=False, bias=True)


def test_qda_is_the_lecture_formula(blobs):
    X, y = blobs
    found = genera.QDA().fit(X, y)
    joint = np.column_stack(
        [
            multivariate_normal(X[y == k].mean(0), covariance(X[y == k])).logpdf(X)
            + np.log((y == k).mean())
            for k in range(3)
        ]
    )
    np.testing.assert_allclose(found.predict_joint_log_proba(X), joint, rtol=1e-10)
    np.testing.assert_allclose(found.score_samples(X), logsumexp(joint, axis=1), rtol=1e-10)
    expected = joint - logsumexp(joint, axis=1, keepdims=True)
    np.testing.assert_allclose(found.predict_log_proba(X), expected, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(found.predict_proba(X), np.exp(expected), atol=1e-12)
    np.testing.assert_array_equal(found.predict(X), joint.argmax(1))
    np.testing.assert_allclose(found.means_[1], X[y == 1].mean(0), rtol=1e-13)
    np.testing.assert_allclose(found.covariances_[2], covariance(X[y == 2]), rtol=1e-12)
    np.testing.assert_allclose(found.priors_, np.bincount(y) / len(y), rtol=1e-15)


def test_lda_scores_are_linear(blobs):
    X, y = blobs
    found = genera.LDA(divisor="unbiased").fit(X, y)
    pooled = sum((y == k).sum() * covariance(X[y == k]) for k in range(3)) / (len(y) - 3)
    np.testing.assert_allclose(found.covariances_, pooled, rtol=1e-12)
    scores = X @ found.coef_.T + found.intercept_
    np.testing.assert_allclose(
        scores - logsumexp(scores, axis=1, keepdims=True), found.predict_log_proba(X), atol=1e-9
    )
    two = genera.LDA().fit(X[y < 2], y[y < 2])
    assert two.coef_.shape == (1, 5) and two.intercept_.shape == (1,)
    np.testing.assert_allclose(
        two.decision_function(X), X @ two.coef_[0] + two.intercept_[0], atol=1e-9
    )


def test_gaussian_naive_bayes(blobs):
    X, y = blobs
    found = genera.GaussianNB(priors="uniform").fit(X, y)
    joint = np.column_stack(
        [norm(X[y == k].mean(0), X[y == k].std(0)).logpdf(X).sum(1) for k in range(3)]
    ) - np.log(3)
    np.testing.assert_allclose(found.predict_joint_log_proba(X), joint, rtol=1e-10)


def test_rda_has_qda_and_lda_in_its_corners(blobs):
    X, y = blobs
    for alpha, corner in ((1, genera.QDA()), (0, genera.LDA())):
        np.testing.assert_allclose(
            genera.RDA(alpha).fit(X, y).predict_proba(X), corner.fit(X, y).predict_proba(X), atol=1e-9
        )


def test_counts(counts):
    X, y = counts
    found = genera.MultinomialNB(smoothing=0.5).fit(X, y)
    sums = np.array([X[y == k].sum(0) + 0.5 for k in (0, 1)])
    theta = sums / sums.sum(1, keepdims=True)
    np.testing.assert_allclose(found.probabilities_, theta, rtol=1e-13)
    scores = X @ np.log(theta).T + np.log(np.bincount(y) / len(y))
    np.testing.assert_allclose(
        found.predict_log_proba(X), scores - logsumexp(scores, axis=1, keepdims=True), atol=1e-11
    )
    rates = genera.PoissonNB(smoothing=0).fit(X, y)
    joint = np.column_stack(
        [poisson(X[y == k].mean(0)).logpmf(X).sum(1) + np.log((y == k).mean()) for k in (0, 1)]
    )
    np.testing.assert_allclose(rates.predict_joint_log_proba(X), joint, rtol=1e-10)
    np.testing.assert_allclose(rates.rates_, [X[y == k].mean(0) for k in (0, 1)], rtol=1e-13)


def test_flags_and_categories(counts):
    X, y = counts
    flags = genera.BernoulliNB(binarize=1.5).fit(X, y)
    there = X > 1.5
    psi = np.array([(there[y == k].sum(0) + 1) / ((y == k).sum() + 2) for k in (0, 1)])
    joint = np.column_stack(
        [
            np.where(there, np.log(psi[k]), np.log1p(-psi[k])).sum(1) + np.log((y == k).mean())
            for k in (0, 1)
        ]
    )
    np.testing.assert_allclose(flags.predict_joint_log_proba(X), joint, rtol=1e-11)
    codes = np.minimum(X, 3)
    found = genera.CategoricalNB().fit(codes, y)
    joint = np.zeros((len(y), 2)) + np.log(np.bincount(y) / len(y))
    for k in (0, 1):
        for j in range(X.shape[1]):
            seen = np.bincount(codes[y == k, j].astype(int), minlength=4) + 1
            joint[:, k] += np.log(seen / seen.sum())[codes[:, j].astype(int)]
    np.testing.assert_allclose(found.predict_joint_log_proba(codes), joint, rtol=1e-11)
    unseen = codes[:1].copy()
    unseen[0, 0] = 17  # is taken as missing
    missing = codes[:1].copy()
    missing[0, 0] = np.nan
    np.testing.assert_array_equal(found.predict_proba(unseen), found.predict_proba(missing))


def test_missing_numbers_are_marginalised(blobs):
    X, y = blobs
    holes = X[:20].copy()
    holes[:, 3] = np.nan
    some = [0, 1, 2, 4]
    found = genera.QDA().fit(X, y)
    joint = np.column_stack(
        [
            multivariate_normal(X[y == k][:, some].mean(0), covariance(X[y == k][:, some])).logpdf(
                X[:20, some]
            )
            + np.log((y == k).mean())
            for k in range(3)
        ]
    )
    np.testing.assert_allclose(found.predict_joint_log_proba(holes), joint, rtol=1e-10)


def test_rows_without_numbers_or_labels_are_learned_from_by_em(blobs):
    X, y = blobs
    holes = X.copy()
    holes[::7, 2] = np.nan
    found = genera.QDA().fit(holes, y)
    assert found.report_.missing_numbers == len(X[::7]) and found.report_.outcome == "converged"
    labels = y.astype(float)
    labels[::3] = np.nan
    some = genera.LDA().fit(X, labels)
    assert some.report_.unlabelled_left_out == 100 and some.report_.unlabelled_weight == 0
    some = genera.GenerativeClassifier("lda", unlabelled_weight=1.0).fit(X, labels)
    assert some.report_.unlabelled_rows == 100
    np.testing.assert_array_equal(some.classes_, [0.0, 1.0, 2.0])
    assert some.score(X, y) > 0.8


def test_mixed_columns_of_an_array(blobs):
    X, y = blobs
    mixed = np.column_stack([X[:, :2], (X[:, 2] > 0).astype(float)])
    found = genera.MixedNB(types={2: "categorical"}).fit(mixed, y)
    joint = np.zeros((len(y), 3))
    for k in range(3):
        rows = mixed[y == k]
        joint[:, k] = norm(rows[:, :2].mean(0), rows[:, :2].std(0)).logpdf(mixed[:, :2]).sum(1)
        share = (rows[:, 2].sum() + 1) / (len(rows) + 2)
        joint[:, k] += np.log(np.where(mixed[:, 2] == 1, share, 1 - share) * (y == k).mean())
    np.testing.assert_allclose(found.predict_joint_log_proba(mixed), joint, rtol=1e-10)
    one = mixed[:1]
    np.testing.assert_array_equal(found.predict_proba(one), found.predict_proba(mixed)[:1])


def test_softmax_regression_is_the_minimum(blobs):
    X, y = blobs
    found = genera.SoftmaxRegression(ridge=0.5).fit(X, y)
    assert found.report_.outcome == "converged" and found.n_iter_ >= 1
    assert found.score(X, y) > 0.85
    scores = X @ found.coef_.T + found.intercept_
    np.testing.assert_allclose(
        found.predict_log_proba(X), scores - logsumexp(scores, axis=1, keepdims=True), atol=1e-10
    )
    deviation = X.std(0)
    residual = np.eye(3)[y] - found.predict_proba(X)
    gradient = residual.T @ ((X - X.mean(0)) / deviation) - 0.5 * found.coef_ * deviation
    assert np.abs(gradient).max() < 1e-5 and np.abs(residual.sum(0)).max() < 1e-5
    with pytest.raises(genera.Error, match="NaN"):
        found.predict(np.full((1, 5), np.nan))
    assert not hasattr(found, "score_samples")


@pytest.mark.parametrize("kind", GAUSSIAN)
def test_one_row_and_a_batch_have_the_same_bits(kind, blobs):
    X, y = blobs
    found = kind().fit(X, y)
    together = found.predict_proba(X)
    for i in (0, 17, 299):
        np.testing.assert_array_equal(found.predict_proba(X[i : i + 1])[0], together[i])


@pytest.mark.parametrize("kind", [*GAUSSIAN, genera.GenerativeClassifier])
def test_any_number_of_threads_gives_the_same_bits(kind, blobs):
    X, y = blobs
    many, labels = np.tile(X, (200, 1)), np.tile(y, 200)
    one = kind(threads=1).fit(many, labels).predict_proba(many)
    np.testing.assert_array_equal(kind(threads=3).fit(many, labels).predict_proba(many), one)


def test_weights_are_repetitions(blobs):
    X, y = blobs
    weights = np.arange(len(y)) % 3
    repeated = np.repeat(np.arange(len(y)), weights)
    a = genera.QDA().fit(X, y, sample_weight=weights).predict_proba(X)
    b = genera.QDA().fit(X[repeated], y[repeated]).predict_proba(X)
    np.testing.assert_allclose(a, b, atol=1e-10)


def test_samples_come_from_the_model(iris):
    X, y = iris
    found = genera.QDA().fit(X, y)
    rows, labels = found.sample(20000, random_state=3)
    assert rows.shape == (20000, 4) and set(labels) == set(y)
    np.testing.assert_allclose(rows[labels == "setosa"].mean(0), found.means_[0], atol=0.02)
    np.testing.assert_array_equal(found.sample(5, random_state=3)[0], rows[:5])
    only, which = found.sample(10, of_class="virginica", given={"x0": 7.0})
    assert (which == "virginica").all() and (only[:, 0] == 7.0).all()
    with pytest.raises(genera.Error, match="virginia"):
        found.sample(1, of_class="virginia")


def test_explanations_add_up(iris):
    X, y = iris
    found = genera.LDA().fit(X, y)
    for row, one in zip(X[:10], found.explain(X[:10], most=2)):
        assert len(one.evidence) == 2
        total = one.base + sum(share.log_odds for share in one.evidence) + one.rest
        assert total == pytest.approx(one.log_odds)
        logs = np.sort(found.predict_log_proba(row[None])[0])
        assert one.log_odds == pytest.approx(logs[-1] - logs[-2])
    assert "setosa against" in str(found.explain(X[:1])[0])


def test_priors_can_be_given(iris):
    X, y = iris
    given = {"setosa": 0.2, "versicolor": 0.3, "virginica": 0.5}
    for priors in (given, [0.2, 0.3, 0.5], np.array([0.2, 0.3, 0.5])):
        np.testing.assert_allclose(genera.LDA(priors=priors).fit(X, y).priors_, [0.2, 0.3, 0.5])
    with pytest.raises(genera.Error, match="3 classes"):
        genera.LDA(priors=[0.5, 0.5]).fit(X, y)


def test_auto_says_what_it_chose(iris):
    X, y = iris
    found = genera.GenerativeClassifier().fit(X, y)
    assert found.choice_.startswith("rda") and "auto: rda" in found.report_.notes[-1]
    assert "auto: rda" in repr(found.report_)
    assert not hasattr(found, "partial_fit")


def test_columns_that_do_not_vary_are_left_out_and_said(blobs):
    X, y = blobs
    wide = np.insert(X, 2, 7.0, axis=1)
    found, plain = genera.QDA().fit(wide, y), genera.QDA().fit(X, y)
    assert found.report_.columns_left_out == ["x2"]
    np.testing.assert_array_equal(found.predict_proba(wide), plain.predict_proba(X))
    np.testing.assert_array_equal(found.predict_proba(wide[:1]), plain.predict_proba(X[:1]))
    assert found.means_.shape == (3, 6) and (found.means_[:, 2] == 7).all()
    np.testing.assert_array_equal(np.delete(found.means_, 2, axis=1), plain.means_)
    assert found.covariances_.shape == (3, 6, 6) and (found.covariances_[:, 2] == 0).all()
    assert (found.sample(3)[0][:, 2] == 7).all()


@pytest.mark.parametrize(
    "estimator",
    [
        genera.QDA(),
        genera.LDA(),
        genera.GaussianNB(),
        genera.MDA(2, starts=2),
        genera.SoftmaxRegression(),
        genera.GenerativeClassifier("rda"),
    ],
    ids=repr,
)
def test_pickles_answer_with_the_same_bits(estimator, iris):
    X, y = iris
    estimator.fit(X, y)
    again = pickle.loads(pickle.dumps(estimator))
    np.testing.assert_array_equal(again.predict_proba(X), estimator.predict_proba(X))
    np.testing.assert_array_equal(again.predict(X), estimator.predict(X))
    np.testing.assert_array_equal(again.classes_, estimator.classes_)


def test_none_draws_fresh_seeds_and_an_int_repeats(blobs):
    X, y = blobs
    found = genera.LDA().fit(X, y)
    first, second = found.sample(3)[0], found.sample(3)[0]
    assert not np.array_equal(first, second)
    np.testing.assert_array_equal(found.sample(3, 7)[0], found.sample(3, 7)[0])
    np.random.seed(5)
    first = found.sample(3)[0]
    np.random.seed(5)
    np.testing.assert_array_equal(found.sample(3)[0], first)
    # What is chosen or found does not change from run to run by default.
    assert genera.GenerativeClassifier().random_state == genera.GaussianMixture().random_state == 1
