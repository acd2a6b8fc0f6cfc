"""Texts in, labels out."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _genera, _labels
from ._additive import _Additive
from ._density import _Density
from ._errors import Error
from ._options import _Named

_MODELS = ("multinomial", "bernoulli", "complement", "logistic")


class TextClassifier(_Named, _Additive, _Density):
    """Naive Bayes of texts: a list of strings in, labels out.

    Words are runs of two or more letters, digits or underscores, in lower case.

    Parameters
    ----------
    model : {"multinomial", "bernoulli", "complement", "logistic"}
        How often words occur, whether at all, by what the other classes have, or softmax regression.
    ngrams : int or (int, int)
        Terms are so many words in a row.
    chars : int or (int, int), optional
        Instead: so many characters in a row.
    smoothing : float
        Added to every count.
    ridge : float
        Of "logistic".
    min_count : float
        Terms that occur less often in total are left out.
    max_terms : int
        Only the most frequent ones; 0: all.
    hash_bits : int
        Terms share 2**hash_bits places; 0: each has its own.
    stop_words : None, "english" or list of str
    priors : None, "uniform", dict or array
    threads : int, optional

    Attributes
    ----------
    classes_, priors_, model_, report_
        See ``GenerativeClassifier``.
    terms_ : list of str
        The vocabulary.

    Examples
    --------
    >>> from genera import TextClassifier
    >>> texts = ["cheap pills", "buy cheap watches", "lunch at noon", "see you at lunch"]
    >>> classifier = TextClassifier().fit(texts, ["spam", "spam", "ham", "ham"])
    >>> str(classifier.predict(["cheap lunch pills"])[0])
    'spam'
    >>> classifier.explain(["cheap lunch"], most=1)[0].evidence[0].feature
    'cheap'
    """

    _takes_texts = True

    def __init__(
        self,
        model: str = "multinomial",
        *,
        ngrams: Any = 1,
        chars: Any = None,
        smoothing: float = 1.0,
        ridge: float = 1.0,
        min_count: float = 0.0,
        max_terms: int = 0,
        hash_bits: int = 0,
        stop_words: Any = None,
        priors: Any = None,
        threads: int | None = None,
    ) -> None:
        self.model = model
        self.ngrams = ngrams
        self.chars = chars
        self.smoothing = smoothing
        self.ridge = ridge
        self.min_count = min_count
        self.max_terms = max_terms
        self.hash_bits = hash_bits
        self.stop_words = stop_words
        self.priors = priors
        self.threads = threads

    def _is_additive(self) -> bool:
        return self.model != "logistic"

    def _model_name(self) -> str:
        if self.model not in _MODELS:
            raise Error(f"model is '{self.model}', which is not one of texts", f"use one of {_MODELS}")
        return self.model

    def _options(self, labels: _labels.Labels | None = None) -> dict[str, Any]:
        return {**super()._options(labels), "missing": "drop"}  # a text that is None

    def _training_data(self, X: Any) -> _genera.Data:
        self.n_features_in_ = 1
        return self._rows(X)

    def _inputs_of_fit(self) -> list[tuple[str, str]]:
        return [("text", "text")]

    def _rows(self, X: Any) -> _genera.Data:
        if isinstance(X, str):
            raise ValueError("X is one string; give a list of texts")
        texts = X if type(X) is list else _texts_of(X)
        if not texts:
            raise ValueError("Found array with 0 sample(s) while a minimum of 1 is required.")
        data = _genera.Data(len(texts))
        chars = None if self.chars is None else _range(self.chars)
        data.add_texts(texts, "text", _range(self.ngrams), chars, self.hash_bits)
        return data

    @property
    def terms_(self) -> list[str]:
        self._attribute_model()
        facts = self._description()["blocks"][0]["facts"]
        return list(facts["parts"][0]["terms"] if "parts" in facts else facts["terms"])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        tags.no_validation = True
        return tags

    def _more_tags(self) -> dict[str, Any]:
        return {"X_types": ["string"], "no_validation": True}


def _range(lengths: Any) -> tuple[int, int]:
    return (lengths, lengths) if isinstance(lengths, (int, np.integer)) else tuple(lengths)


def _texts_of(X: Any) -> list[Any]:
    if type(X).__module__.partition(".")[0] == "pyarrow" and hasattr(X, "to_pylist"):
        X = X.to_pylist()
    values = X.to_numpy() if hasattr(X, "to_numpy") else np.asarray(X, dtype=object)
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.ndim != 1:
        raise ValueError(f"expected a list of texts, got an array of shape {values.shape}")
    return [None if _labels.is_missing(text) else text for text in values.tolist()]
