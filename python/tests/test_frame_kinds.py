"""Frames in, frames out: every kind of column, and its type again in what is drawn or filled."""

import io

import numpy as np
import pytest

import genera
from genera import _input

pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")
pyarrow = pytest.importorskip("pyarrow")

pytestmark = pytest.mark.filterwarnings("ignore::genera.FitWarning")


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(7)
    y = rng.integers(0, 2, 300)
    frame = pandas.DataFrame(
        {
            "size": rng.normal(y, 1.0),
            "grade": pandas.Series(rng.integers(1, 4, 300)).astype("category"),
            "colour": np.array(["red", "green", "blue"], dtype=object)[(rng.random(300) * 3 + y).astype(int) % 3],
            "flag": rng.random(300) < 0.3 + 0.4 * y,
            "number": rng.poisson(2 + y),
            "same": "one",
        }
    )
    return frame, y


def kinds(frame):
    grade = frame["grade"].astype(object).map(lambda v: str(int(v)), na_action="ignore")
    text = frame.assign(grade=grade)
    return {
        "pandas": frame,
        "nullable": text.convert_dtypes(),
        "arrow-backed": text.convert_dtypes(dtype_backend="pyarrow"),
        "polars": polars.from_pandas(text),
        "pyarrow": pyarrow.Table.from_pandas(text, preserve_index=False),
    }


KINDS = ("pandas", "nullable", "arrow-backed", "polars", "pyarrow")


def types_of(frame):
    if hasattr(frame, "dtypes") and hasattr(frame, "iloc"):
        return dict(frame.dtypes)
    return dict(frame.schema) if hasattr(frame.schema, "items") else {f.name: f.type for f in frame.schema}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_frame_gives_one_model(table, kind):
    frame, y = table
    expected = genera.MixedNB().fit(frame, y).predict_proba(frame)
    rows = kinds(frame)[kind]
    found = genera.MixedNB().fit(rows, y)
    np.testing.assert_allclose(found.predict_proba(rows), expected, atol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_samples_are_frames_of_the_kind_of_the_fit(table, kind):
    frame, y = table
    rows = kinds(frame)[kind]
    found = genera.MixedNB(types={"number": "count"}).fit(rows, y)
    drawn, labels = found.sample(400, random_state=1)
    assert type(drawn) is type(rows) and len(labels) == 400
    assert types_of(drawn) == types_of(rows)
    assert found.score(drawn, labels) > 0.5  # it can be fed back
    again = genera.MixedNB(types={"number": "count"}).fit(drawn, labels)
    assert again.model_.inputs == found.model_.inputs


def test_samples_of_arrays_are_arrays(counts):
    X, y = counts
    for estimator in (genera.BernoulliNB(), genera.CategoricalNB(), genera.GenerativeClassifier("categorical")):
        fitted = estimator.fit(X, y)
        drawn, _ = fitted.sample(500, random_state=1)
        assert drawn.shape == (500, 4) and drawn.dtype == float
        assert set(drawn[:, 0]) <= ({0.0, 1.0} if "Bernoulli" in repr(estimator) else set(X[:, 0]) | set(range(20)))
        assert fitted.predict(drawn).shape == (500,)


def test_text_files_read_by_pandas_with_arrow_types():
    text = "a,b\n" + "".join(f"{i % 7},{'xyz'[i % 3]}\n" for i in range(60))
    y = np.arange(60) % 3
    frame = pandas.read_csv(io.StringIO(text), dtype_backend="pyarrow")
    plain = pandas.read_csv(io.StringIO(text))
    found = genera.MixedNB().fit(frame, y)
    assert found.model_.inputs == [("a", "numeric"), ("b", "categorical")]
    expected = genera.MixedNB().fit(plain, y).predict_proba(plain)
    np.testing.assert_allclose(found.predict_proba(frame), expected, atol=1e-12)
    np.testing.assert_allclose(found.predict_proba(plain), expected, atol=1e-12)


def test_views_of_strings_and_columns_of_nothing():
    strings = ["a", "b", None, "b"] * 20
    plain = pyarrow.table({"s": pyarrow.array(strings), "x": np.arange(80.0)})
    y = np.arange(80) % 2
    expected = genera.MixedNB().fit(plain, y).predict_proba(plain)
    views = plain.set_column(0, "s", pyarrow.array(strings).cast(pyarrow.string_view()))
    np.testing.assert_array_equal(genera.MixedNB().fit(views, y).predict_proba(views), expected)
    for nothing in (
        plain.append_column("n", pyarrow.nulls(80)),
        polars.from_arrow(plain).with_columns(polars.lit(None).alias("n")),
        plain.to_pandas().assign(n=None),
    ):
        found = genera.MixedNB().fit(nothing, y)
        assert found.report_.columns_left_out == ["n"]
        np.testing.assert_allclose(found.predict_proba(nothing), expected, atol=1e-12)


def test_a_batch_in_which_a_column_is_empty(table):
    frame, y = table
    found = genera.MixedNB().fit(frame, y)
    for name in ("colour", "flag", "size"):
        empty = frame.head(20).assign(**{name: None})
        missing = frame.head(20).copy()
        missing[name] = missing[name].astype(object).where(np.zeros(20, dtype=bool), None)
        without = genera.MixedNB().fit(frame.drop(columns=name), y)
        expected = without.predict_proba(frame.head(20).drop(columns=name))
        for rows in (empty, missing):
            np.testing.assert_allclose(found.predict_proba(rows), expected, atol=1e-12)


def test_columns_of_another_type_than_in_the_fit(table):
    frame, y = table
    found = genera.MixedNB().fit(frame, y)
    expected = found.predict_proba(frame)
    ones = frame.assign(flag=frame["flag"].astype(int))
    np.testing.assert_array_equal(found.predict_proba(ones), expected)
    with pytest.raises(genera.Error) as raised:
        found.predict(frame.assign(flag=frame["number"]))
    assert raised.value.what == "column 'flag' was learned as flags, but is numeric (int64) in these rows"
    with pytest.raises(genera.Error, match="column 'size' was learned as numeric, but is categorical"):
        found.predict(frame.assign(size="large"))
    flags = frame.assign(size=frame["size"] > 0)
    numbers = frame.assign(size=(frame["size"] > 0).astype(float))
    np.testing.assert_array_equal(found.predict_proba(flags), found.predict_proba(numbers))


@pytest.mark.parametrize("kind", KINDS)
def test_filled_frames_have_all_columns(table, kind):
    frame, _ = table
    holes = frame.copy()
    holes.loc[::7, "size"] = np.nan
    for name in ("grade", "colour", "same"):
        holes[name] = holes[name].where(np.arange(300) % 11 != 3)
    rows = kinds(holes)[kind]
    found = genera.Imputer().fit(rows)
    filled = found.transform(rows)
    assert type(filled) is type(rows) and types_of(filled) == types_of(rows)
    columns = {column.name: column for column in _input.columns_of(filled)}
    assert list(columns) == found.get_feature_names_out().tolist() == list(frame.columns)
    for name, column in columns.items():
        assert not column.is_empty()
        if column.levels:
            assert (column.values >= 0).all(), name
            known = np.array([column.levels[code] for code in column.values])
            kept = ~holes[name].isna().to_numpy()
            expected = holes[name][kept].map(str if name != "grade" else lambda v: str(int(v)))
            np.testing.assert_array_equal(known[kept], expected)
        else:
            assert not np.isnan(_input.numbers_of(column)).any()


def test_filled_arrays_have_constants(table):
    X = np.column_stack([np.arange(9.0), np.full(9, 4.0), np.arange(9.0) ** 2])
    holes = X.copy()
    holes[[2, 5], [1, 1]] = np.nan
    filled = genera.Imputer().fit_transform(holes)
    np.testing.assert_array_equal(filled, X)


def test_filled_categories_alone_are_the_most_frequent():
    frame = pandas.DataFrame({"a": ["x", "y", "x", None], "b": ["u", "u", None, "v"]})
    filled = genera.Imputer().fit_transform(frame)
    assert filled["a"].tolist() == ["x", "y", "x", "x"] and filled["b"].tolist() == ["u", "u", "u", "v"]
    shown = genera.Imputer().set_output(transform="pandas").fit_transform(frame)
    pandas.testing.assert_frame_equal(shown, filled)
