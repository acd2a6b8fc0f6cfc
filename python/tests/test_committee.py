"""A classifier that pools several models."""

import json
import pathlib
import pickle
import tempfile

import numpy as np
import pytest

import genera
from genera import datasets

WEIGHTS = {"gnb": 0.25, "lda": 0.75}


@pytest.fixture(scope="module")
def iris():
    return datasets.load_iris(return_X_y=True)


@pytest.fixture(scope="module")
def committee(iris):
    """A file whose members are fitted one by one."""
    members = []
    with tempfile.TemporaryDirectory() as folder:
        for name, weight in WEIGHTS.items():
            file = pathlib.Path(folder) / f"{name}.json"
            genera.GenerativeClassifier(name).fit(*iris).save(file)
            members.append({"name": name, "weight": weight, "model": json.loads(file.read_text())})
        first = members[0]["model"]
        document = {key: first[key] for key in ("format", "version", "target") if key in first}
        file = pathlib.Path(folder) / "committee.json"
        file.write_text(json.dumps({**document, "members": members, "columns": [], "notes": []}))
        return genera.load(file)


def pooled(iris, name):
    X, y = iris
    return sum(
        weight * getattr(genera.GenerativeClassifier(model).fit(X, y), name)(X)
        for model, weight in WEIGHTS.items()
    )


def test_posteriors_are_pooled(committee, iris):
    np.testing.assert_allclose(committee.predict_proba(iris[0]), pooled(iris, "predict_proba"), atol=1e-12)
    one = committee.predict_proba(np.asarray(iris[0])[7:8])
    np.testing.assert_array_equal(one[0], committee.predict_proba(iris[0])[7])


def test_members_are_listed(committee):
    assert [member.name for member in committee.members_] == list(WEIGHTS)
    assert [member.weight for member in committee.members_] == list(WEIGHTS.values())
    assert not committee.members_[0].model.members


def test_the_density_is_the_mixture(committee, iris):
    X, y = iris
    density = sum(
        weight * np.exp(genera.GenerativeClassifier(model).fit(X, y).score_samples(X))
        for model, weight in WEIGHTS.items()
    )
    np.testing.assert_allclose(committee.score_samples(X), np.log(density), atol=1e-10)


def test_draws_tails_and_explanations(committee, iris):
    drawn, labels = committee.sample(200, random_state=3)
    assert (committee.predict(drawn) == labels).mean() > 0.9
    tails = committee.outlier_tail(np.asarray(iris[0]))
    assert ((tails > 0) & (tails <= 1)).all()
    assert committee.explain(iris[0], 2)[0].evidence[-1].feature == "between models"
    changed = committee.with_priors("uniform")
    np.testing.assert_allclose(changed.priors_, 1 / 3)


def test_it_has_no_parameters(committee):
    assert not hasattr(committee, "means_")
    assert not hasattr(committee, "coef_")
    with pytest.raises(genera.Error, match="committee"):
        committee.estimate_priors(np.zeros((2, 4)))


def test_it_survives_pickling(committee, iris):
    again = pickle.loads(pickle.dumps(committee))
    np.testing.assert_array_equal(again.predict_proba(iris[0]), committee.predict_proba(iris[0]))


def test_auto_pools_where_it_helps(iris):
    """Classes of which one family knows the numbers and the other the products."""
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 2000)
    part = rng.random(2000) < 0.5
    X = rng.normal(size=(2000, 8))
    X[:, 0] += y
    X[:, 1] = np.where(part, np.where(y, 1, -1) * X[:, 2], X[:, 1]) + 0.3 * rng.normal(size=2000)
    best = genera.GenerativeClassifier("best").fit(X, y)
    fast = genera.GenerativeClassifier(fast=True).fit(X, y)
    assert best.members_ == [] == fast.members_
    auto = genera.GenerativeClassifier().fit(X, y)
    assert sum(member.weight for member in auto.members_) == pytest.approx(1 if auto.members_ else 0)
    assert auto.choice_ in ("committee", best.choice_)
