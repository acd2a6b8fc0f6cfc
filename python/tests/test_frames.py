"""Frames of pandas, polars and pyarrow: columns of any kind, matched by name."""

import warnings

import numpy as np
import pytest

import genera
from genera import _input

pandas = pytest.importorskip("pandas")


@pytest.fixture(scope="module")
def mixed():
    """Numbers, categories, flags and strings, some of them missing."""
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 400)
    colour = np.array(["red", "green", "blue"], dtype=object)[rng.integers(0, 3, 400) * (1 + y) % 3]
    colour[::17] = None
    flag = rng.random(400) < np.where(y == 1, 0.7, 0.3)
    size = rng.normal(y, 1.0)
    size[::13] = np.nan
    return pandas.DataFrame(
        {
            "size": size,
            "weight": rng.normal(-y, 2.0).astype(np.float32),
            "number": rng.integers(0, 5, 400),
            "colour": pandas.Series(colour).astype("category"),
            "flag": flag,
            "name": pandas.Series(np.where(rng.random(400) < 0.5, "a", "b")),
        }
    ), y


def expected_columns(frame):
    return [
        ("size", "numeric"),
        ("weight", "numeric"),
        ("number", "numeric"),
        ("colour", "categorical"),
        ("flag", "binary"),
        ("name", "categorical"),
    ]


def test_mixed_columns_of_pandas(mixed):
    frame, y = mixed
    found = genera.MixedNB().fit(frame, y)
    assert found.model_.inputs == expected_columns(frame)
    assert found.feature_names_in_.tolist() == list(frame.columns)
    assert found.score(frame, y) > 0.7
    # Categories are matched by name, not by code.
    other = frame.copy()
    other["colour"] = other["colour"].cat.reorder_categories(["red", "blue", "green"])
    np.testing.assert_array_equal(found.predict_proba(other), found.predict_proba(frame))
    other["colour"] = frame["colour"].astype(object)
    np.testing.assert_array_equal(found.predict_proba(other), found.predict_proba(frame))
    one = frame.iloc[5:6]
    np.testing.assert_array_equal(found.predict_proba(one)[0], found.predict_proba(frame)[5])


def test_nullable_columns_of_pandas(mixed):
    frame, y = mixed
    nullable = frame.convert_dtypes()
    assert str(nullable["size"].dtype) == "Float64"
    plain = genera.MixedNB().fit(frame, y).predict_proba(frame)
    found = genera.MixedNB().fit(nullable, y)
    np.testing.assert_allclose(found.predict_proba(nullable), plain, atol=1e-12)


def test_polars_and_pyarrow_are_pandas(mixed):
    polars = pytest.importorskip("polars")
    pyarrow = pytest.importorskip("pyarrow")
    frame, y = mixed
    plain = genera.MixedNB().fit(frame, y).predict_proba(frame)
    table = pyarrow.Table.from_pandas(frame)
    for other in (polars.from_pandas(frame), table, pyarrow.concat_tables([table[:100], table[100:]])):
        found = genera.MixedNB().fit(other, y)
        assert found.model_.inputs == expected_columns(frame)
        np.testing.assert_allclose(found.predict_proba(other), plain, atol=1e-12)
        np.testing.assert_allclose(found.predict_proba(frame), plain, atol=1e-12)
        assert found.feature_names_in_.tolist() == list(frame.columns)

    class Stream:  # only Arrow's protocol
        def __arrow_c_stream__(self, requested_schema=None):
            return table.__arrow_c_stream__(requested_schema)

    np.testing.assert_allclose(genera.MixedNB().fit(Stream(), y).predict_proba(frame), plain, atol=1e-12)


def test_columns_without_holes_are_not_copied():
    pyarrow = pytest.importorskip("pyarrow")
    polars = pytest.importorskip("polars")
    values = np.arange(10.0)
    for frame in (
        pandas.DataFrame({"a": values}, copy=False),
        pyarrow.table({"a": pyarrow.array(values)}),
        polars.DataFrame({"a": values}),
    ):
        first, again = _input.columns_of(frame)[0].values, _input.columns_of(frame)[0].values
        assert np.shares_memory(first, again) and not first.flags.owndata
    holes = pyarrow.table({"a": pyarrow.array([1.0, None, 3.0])})
    column = _input.columns_of(holes)[0]
    assert column.valid is not None and not column.values.flags.owndata


def test_names_of_columns(blobs):
    X, y = blobs
    frame = pandas.DataFrame(X, columns=list("abcde"))
    found = genera.LDA().fit(frame, y)
    np.testing.assert_array_equal(found.predict_proba(frame), genera.LDA().fit(X, y).predict_proba(X))
    with pytest.raises(ValueError, match="feature names should match"):
        found.predict(frame.rename(columns={"a": "z"}))
    with pytest.raises(ValueError, match="must be in the same order"):
        found.predict(frame[list("bacde")])
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        found.predict(X)
    with pytest.warns(UserWarning, match="fitted without feature names"):
        genera.LDA().fit(X, y).predict(frame)
    with pytest.raises(genera.Error, match="'b'"):
        genera.QDA(on_singular="error").fit(frame.assign(b=frame["a"] * 2), y)
    with pytest.raises(TypeError, match="string names"):
        genera.LDA().fit(frame.rename(columns={"a": 1}), y)


def test_columns_that_are_nothing_are_refused(blobs):
    _, y = blobs
    dates = pandas.DataFrame({"when": pandas.date_range("2020", periods=len(y))})
    with pytest.raises(ValueError, match="column 'when' is of type"):
        genera.LDA().fit(dates, y)


def test_types_can_be_told(mixed):
    frame, y = mixed
    found = genera.MixedNB(types={"number": "categorical", "flag": "categorical"}).fit(frame, y)
    assert dict(found.model_.inputs)["number"] == "categorical"
    some = frame[["number", "flag", "colour", "name"]]
    assert genera.CategoricalNB().fit(some, y).score(some, y) > 0.6
    with pytest.raises(genera.Error, match="'nowhere'"):
        genera.MixedNB(types={"nowhere": "count"}).fit(frame, y)
    counts = genera.MixedNB(types={"number": "count"}).fit(frame, y)
    assert dict(counts.model_.inputs)["number"] == "count"
    with pytest.raises(ValueError, match="cannot be read as count"):
        genera.MixedNB(types={"name": "count"}).fit(frame, y)


def test_output_as_frames(blobs):
    X, y = blobs
    holes = X.copy()
    holes[0, 0] = np.nan
    frame = pandas.DataFrame(holes, columns=list("abcde"))
    filled = genera.Imputer().set_output(transform="pandas").fit_transform(frame)
    assert list(filled.columns) == list("abcde") and not filled.isna().any().any()


def test_samples_of_mixed_columns(mixed):
    frame, y = mixed
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", genera.FitWarning)
        columns, labels = genera.MixedNB().fit(frame, y).sample(50, random_state=1)
    assert list(columns) == list(frame.columns) or set(columns) == set(frame.columns)
    assert set(columns["colour"]) <= {"red", "green", "blue"} and len(labels) == 50
