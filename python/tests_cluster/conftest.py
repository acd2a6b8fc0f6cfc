"""Problems and sessions of the tests that need Spark, kills and time: make test-cluster."""

import os
import sys

import numpy as np
import pandas
import pytest

os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
os.environ.setdefault("PYSPARK_DRIVER_PYTHON", sys.executable)


@pytest.fixture(scope="session")
def table():
    rng = np.random.default_rng(1)
    rows = 2000
    kind = rng.integers(0, 3, rows)
    frame = pandas.DataFrame(rng.normal(size=(rows, 3)) + kind[:, None], columns=["a", "b", "c"])
    frame["colour"] = np.where(rng.random(rows) < 0.2 + 0.3 * kind, "red", "blue")
    frame["kind"] = np.array(["x", "y", "z"])[kind]
    return frame


@pytest.fixture(scope="session")
def spark():
    from pyspark.sql import SparkSession

    builder = SparkSession.builder
    if os.environ.get("GENERA_TEST_CONNECT"):
        session = builder.remote("local[2]").getOrCreate()
    else:
        builder = builder.master("local[2,4]").config("spark.ui.enabled", "false")
        session = builder.config("spark.driver.bindAddress", "127.0.0.1").getOrCreate()
    session.conf.set("spark.sql.shuffle.partitions", "2")
    yield session
    session.stop()
