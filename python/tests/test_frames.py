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


def test_names_that_occur_twice_are_refused(blobs):
    pyarrow = pytest.importorskip("pyarrow")
    X, y = blobs
    frame = pandas.DataFrame(X, columns=list("abcde"))
    found = genera.LDA().fit(frame, y)
    twice = pandas.DataFrame(X, columns=list("abcbb"))
    table = pyarrow.Table.from_arrays([pyarrow.array(column) for column in X.T], names=list("abcbb"))
    for rows in (twice, table):
        for call in (
            lambda: genera.LDA().fit(rows, y),
            lambda: genera.BernoulliNB().fit(rows, y),
            lambda: genera.LDA().partial_fit(rows, y),
            lambda: genera.GaussianMixture(2).fit(rows),
            lambda: found.predict(rows),
            lambda: genera.LDA().fit(X, y).predict(rows),
        ):
            with pytest.raises(genera.Error, match="3 columns have the name 'b'"):
                call()
    numbered = pandas.DataFrame(X, columns=[0, 1, 1, 1, 4])  # these are no names
    np.testing.assert_array_equal(
        genera.LDA().fit(numbered, y).predict(X), genera.LDA().fit(X, y).predict(X)
    )


def test_flags_of_frames_are_those_of_arrays(counts):
    X, y = counts
    frame = pandas.DataFrame(X, columns=list("abcd"))
    for binarize in (0.0, 1.0):
        array = genera.BernoulliNB(binarize=binarize).fit(X, y)
        found = genera.BernoulliNB(binarize=binarize).fit(frame, y)
        np.testing.assert_array_equal(found.predict_proba(frame), array.predict_proba(X))
        np.testing.assert_array_equal(
            found.predict_proba(frame.convert_dtypes()), array.predict_proba(X)
        )
    flags = genera.BernoulliNB().fit(pandas.DataFrame(X > 0), y)  # its columns have no names
    expected = genera.BernoulliNB().fit(X, y).predict_proba(X)
    np.testing.assert_array_equal(flags.predict_proba(X), expected)
    named = genera.BernoulliNB().fit(frame > 0, y)
    assert (named.sample(5, 1, given={"b": True})[0]["b"]).all()


def test_columns_of_objects_that_are_numbers(blobs):
    from decimal import Decimal

    X, y = blobs
    frame = pandas.DataFrame(np.round(X, 3), columns=list("abcde"))
    expected = genera.LDA().fit(frame, y)
    for values in (
        [Decimal(str(value)) for value in frame["a"]],
        [np.float64(value) for value in frame["a"]],
    ):
        found = genera.LDA().fit(frame.assign(a=pandas.Series(values, dtype=object)), y)
        assert found.model_.inputs == expected.model_.inputs
        np.testing.assert_allclose(found.predict_proba(frame), expected.predict_proba(frame))


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
    assert list(columns) == list(frame.columns)
    assert set(columns["colour"]) <= {"red", "green", "blue"} and len(labels) == 50


@pytest.mark.parametrize("element", ["float16", ">f8", ">f4", ">i4", "longdouble", "uint8"])
def test_numbers_of_any_width_and_byte_order(element, iris):
    pandas = pytest.importorskip("pandas")
    X, y = iris
    rows = pandas.DataFrame(np.round(10 * X), columns=list("abcd"))
    found = genera.LDA().fit(rows.astype(element), y)
    expected = genera.LDA().fit(rows, y)
    np.testing.assert_array_equal(found.predict_proba(rows), expected.predict_proba(rows))
    np.testing.assert_array_equal(
        expected.predict_proba(rows.astype(element)), expected.predict_proba(rows)
    )


def test_half_floats_and_decimals_of_arrow(iris):
    pyarrow = pytest.importorskip("pyarrow")
    X, y = iris
    whole = {name: np.round(10 * X[:, j]) for j, name in enumerate("abcd")}
    expected = genera.LDA().fit(pyarrow.table(whole), y).predict_proba(pyarrow.table(whole))
    half = pyarrow.table({name: values.astype(np.float16) for name, values in whole.items()})
    decimal = pyarrow.table(
        {name: pyarrow.array(v).cast(pyarrow.decimal128(20, 2)) for name, v in whole.items()}
    )
    for table in (half, decimal):
        np.testing.assert_array_equal(genera.LDA().fit(table, y).predict_proba(table), expected)
    lost = half.set_column(0, "a", pyarrow.array([None, *half["a"].to_pylist()[1:]], pyarrow.float16()))
    assert genera.LDA().fit(lost, y).report_.rows == 150


def test_decimals_and_lazy_frames_of_polars(iris):
    polars = pytest.importorskip("polars")
    X, y = iris
    frame = polars.DataFrame({name: np.round(10 * X[:, j]) for j, name in enumerate("abcd")})
    expected = genera.LDA().fit(frame, y).predict_proba(frame)
    decimal = frame.cast(polars.Decimal(20, 2))
    np.testing.assert_array_equal(genera.LDA().fit(decimal, y).predict_proba(decimal), expected)
    lazy = genera.LDA().fit(frame.lazy(), y)
    assert lazy.feature_names_in_.tolist() == list("abcd")
    np.testing.assert_array_equal(lazy.predict_proba(frame), expected)


def test_what_is_neither_is_named(iris):
    pandas = pytest.importorskip("pandas")
    X, y = iris
    frame = pandas.DataFrame(X, columns=list("abcd"))
    for values, words in (
        ([[1]] * 150, r"column 'e' is of type \['list'\]"),
        ([1j] * 150, "column 'e' is of type complex128"),
        (pandas.Timestamp("2020"), "column 'e' is of type datetime64"),
    ):
        with pytest.raises(ValueError, match=words):
            genera.LDA().fit(frame.assign(e=values), y)
