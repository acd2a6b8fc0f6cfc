"""Small problems that several tests use."""

import numpy as np
import pytest

from genera import datasets


@pytest.fixture(scope="session")
def iris():
    return datasets.load_iris(return_X_y=True)


@pytest.fixture(scope="session")
def blobs():
    """300 correlated rows of 5 columns in 3 classes, labelled 0, 1, 2."""
    rng = np.random.default_rng(1)
    y = rng.integers(0, 3, 300)
    X = rng.normal(size=(300, 5)) @ rng.normal(size=(5, 5)) + 2 * rng.normal(size=(3, 5))[y]
    return X, y


@pytest.fixture(scope="session")
def counts():
    """200 rows of counts in 2 classes."""
    rng = np.random.default_rng(2)
    y = rng.integers(0, 2, 200)
    rates = np.array([[3.0, 1.0, 0.5, 2.0], [1.0, 3.0, 0.5, 2.0]])
    return rng.poisson(rates[y]).astype(float), y
