"""Texts beside other columns, and rows of objects."""

import numpy as np
import pytest

import genera

pandas = pytest.importorskip("pandas")


@pytest.fixture(scope="module")
def messages():
    """200 messages with a number and a category in 2 classes; one has no text."""
    rng = np.random.default_rng(5)
    y = rng.integers(0, 2, 200)
    words = np.array(["lunch at noon", "cheap pills now"])
    texts = [f"{words[k ^ (rng.random() < 0.2)]} word{rng.integers(7)}" for k in y]
    texts[3] = None
    frame = pandas.DataFrame(
        {"text": texts, "size": rng.normal(size=200) + y, "sort": rng.choice(["u", "v"], 200)}
    )
    return frame, np.array(["ham", "spam"])[y]


ESTIMATORS = [
    genera.MixedNB(types={"text": "text"}),
    genera.GenerativeClassifier(types={"text": "text"}),
    genera.GenerativeClassifier("lda", types={0: "text"}),
]


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=repr)
def test_texts_beside_other_columns_of_every_frame(messages, estimator, tmp_path):
    polars, pyarrow = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    frame, y = messages
    found = estimator.fit(frame, y)
    assert found.score(frame, y) > 0.75
    posterior = found.predict_proba(frame)
    for other in (polars.from_pandas(frame), pyarrow.Table.from_pandas(frame)):
        np.testing.assert_array_equal(found.predict_proba(other), posterior)
        np.testing.assert_array_equal(estimator.fit(other, y).predict_proba(frame), posterior)
    found.save(tmp_path / "m.json")
    loaded = genera.load(tmp_path / "m.json")
    np.testing.assert_array_equal(loaded.predict_proba(frame), posterior)
    np.testing.assert_array_equal(loaded.predict_proba(frame.iloc[:, ::-1]), posterior)


def test_the_evidence_of_a_text_is_that_of_its_words(messages):
    """Columns of naive Bayes are independent: their log odds add up."""
    frame, y = messages
    known = frame["text"].notna().to_numpy()
    frame, y = frame[known], y[known]
    both = genera.MixedNB(types={"text": "text"}).fit(frame, y)
    words = genera.TextClassifier().fit(frame["text"].tolist(), y)
    rest = genera.MixedNB().fit(frame[["size", "sort"]], y)
    prior = np.log(both.priors_[1] / both.priors_[0])
    np.testing.assert_allclose(
        both.decision_function(frame),
        words.decision_function(frame["text"].tolist())
        + rest.decision_function(frame[["size", "sort"]])
        - prior,
        atol=1e-9,
    )


def test_pieces_of_frames_add_up(messages):
    frame, y = messages
    known = frame["text"].notna().to_numpy()
    frame, y = frame[known], y[known]
    whole = genera.MixedNB(types={"text": "text"}).fit(frame, y)
    pieces = genera.MixedNB(types={"text": "text"})
    for begin in range(0, len(y), 50):
        pieces.partial_fit(frame[begin : begin + 50], y[begin : begin + 50])
    np.testing.assert_allclose(
        pieces.predict_proba(frame), whole.predict_proba(frame), atol=1e-12
    )


def test_drawn_texts_are_words_and_can_be_fed_back(messages):
    frame, y = messages
    found = genera.MixedNB(types={"text": "text"}).fit(frame, y)
    rows, labels = found.sample(300, random_state=1)
    assert list(rows.columns) == list(frame.columns)
    assert set(" ".join(rows["text"]).split()) <= set(" ".join(frame["text"].dropna()).split())
    assert (found.predict(rows) == labels).mean() > 0.7


def test_what_cannot_be_a_text_is_said(messages):
    frame, y = messages
    with pytest.raises(genera.Error, match="column 'size' is numeric and cannot be read as text"):
        genera.MixedNB(types={"size": "text"}).fit(frame, y)
    found = genera.MixedNB(types={"text": "text"}).fit(frame, y)
    with pytest.raises(genera.Error, match="column 'text' is numeric and cannot be read as text"):
        found.predict(frame.assign(text=1.0))
    assert found.predict(frame.assign(text=None)).shape == y.shape


def test_numbers_in_place_of_strings_are_refused(messages):
    frame, y = messages
    found = genera.MixedNB().fit(frame[["size", "sort"]], y)
    with pytest.raises(genera.Error, match="'sort' was learned as categories, but is numeric"):
        found.predict(frame[["size"]].assign(sort=1.5))


def test_arrays_of_objects_are_read_column_by_column(messages):
    frame, y = messages
    frame = frame[["size", "sort"]]
    objects = frame.to_numpy(dtype=object)
    found = genera.MixedNB().fit(objects, y)
    expected = genera.MixedNB().fit(frame, y)
    np.testing.assert_array_equal(found.predict_proba(objects), expected.predict_proba(frame))
    np.testing.assert_array_equal(
        found.predict_proba(objects.tolist()), expected.predict_proba(frame)
    )
    rows, _ = found.sample(5, random_state=1)
    assert rows.dtype == object and rows.shape == (5, 2)
    assert set(rows[:, 1]) <= {"u", "v"}
    found.predict(rows)
    for estimator in (genera.MixedNB(), genera.LDA()):
        with pytest.raises((TypeError, ValueError)):
            estimator.fit(np.array([[1.0, "a"], [2.0, {}]], dtype=object), [0, 1])
    with pytest.raises(ValueError, match="could not convert string"):
        genera.LDA().fit(objects, y)
    with pytest.raises(ValueError, match="could not convert string"):
        genera.MixedNB().fit(frame[["size"]].to_numpy(), y).predict([["a"]])


def test_masked_cells_are_missing(iris):
    X, y = iris
    masked = np.ma.masked_array(X, mask=X > 5)
    holed = np.where(X > 5, np.nan, X)
    found = genera.LDA().fit(masked, y)
    np.testing.assert_array_equal(found.means_, genera.LDA().fit(holed, y).means_)
    np.testing.assert_array_equal(found.predict_proba(masked), found.predict_proba(holed))
    numbers = np.ma.masked_array(np.arange(6).reshape(3, 2), mask=[[0, 1], [0, 0], [0, 0]])
    np.testing.assert_array_equal(
        genera.Imputer().fit_transform(numbers)[0, 0], numbers.data[0, 0]
    )
    labels = np.ma.masked_array(np.repeat([0, 1, 2], 50), mask=np.arange(150) % 10 == 0)
    assert genera.LDA().fit(X, labels).report_.rows == 135


def test_texts_of_arrow():
    pyarrow = pytest.importorskip("pyarrow")
    texts = pyarrow.array(["a bc", "bc cd", "ee ff", "gg ee"])
    found = genera.TextClassifier().fit(texts, [0, 0, 1, 1])
    assert found.predict(pyarrow.chunked_array([["ee"], ["bc"]])).tolist() == [1, 0]
