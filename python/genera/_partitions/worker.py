"""What a worker does: rows and bytes in, bytes out. Engines call `answer` and `merge`."""

from __future__ import annotations

import functools
import hashlib
import pickle
import warnings
from dataclasses import dataclass, field
from typing import Any, Callable

import numpy as np

from .. import _genera, _input, _labels
from .._base import weigh
from .._errors import Error
from . import mixture
from .parts import Part, row_count, select, size_of
from .survey import Survey


@dataclass
class Job:
    """What all partitions are asked: the estimator and its options, what is known of the columns,
    and the bytes of the round."""

    task: str
    estimator: Any
    options: dict[str, Any]
    agreed: Survey | None = None
    capacity: int | None = None  # bytes that the sums of a partition may take
    labelled: bool = True
    observed: bytes = b""  # of the EM plan
    layout: bytes = b""  # of softmax regression
    message: bytes = b""
    extra: dict[str, Any] = field(default_factory=dict)

    def to_bytes(self) -> bytes:
        return pickle.dumps(self, protocol=5)


@dataclass
class Reply:
    """The answer of one partition, or of several."""

    survey: Survey = field(default_factory=Survey)
    sums: bytes | None = None
    em: bool = False  # some rows can only be learned by EM


class Prepared:
    """A partition as it is kept between rounds. It can be made again anywhere from its rows."""

    def __init__(self, part: Part, index: int, payload: bytes) -> None:
        self.part = part
        self.index = index
        self.payload = payload
        self._state: Any = None

    def __getstate__(self) -> Any:
        return self.part, self.index, self.payload

    def __setstate__(self, state: Any) -> None:
        self.part, self.index, self.payload = state
        self._state = None

    def state(self) -> Any:
        if self._state is None:
            self._state = _PREPARE[job_of(self.payload).task](self)
        return self._state


# -- jobs ------------------------------------------------------------------------------------------


@functools.lru_cache(maxsize=8)
def _cached(digest: bytes, payload: _Bytes) -> Job:
    return pickle.loads(payload.value)


class _Bytes:
    """Compared by their digest alone."""

    def __init__(self, value: bytes) -> None:
        self.value = value

    def __hash__(self) -> int:
        return 0

    def __eq__(self, other: object) -> bool:
        return True


def job_of(payload: bytes) -> Job:
    return _cached(hashlib.blake2b(payload, digest_size=16).digest(), _Bytes(payload))


@functools.lru_cache(maxsize=64)
def _cached_plan(digest: bytes, observed: _Bytes, options: _Bytes) -> _genera.EmPlan:
    return _genera.em_plan(observed.value, pickle.loads(options.value), 1)


def plan_of_bytes(observed: bytes, options: dict[str, Any]) -> _genera.EmPlan:
    how = pickle.dumps(options, protocol=5)
    digest = hashlib.blake2b(observed + how, digest_size=16).digest()
    return _cached_plan(digest, _Bytes(observed), _Bytes(how))


def em_plan_of(job: Job) -> _genera.EmPlan:
    return plan_of_bytes(job.observed, job.options)


# -- rows ------------------------------------------------------------------------------------------


@dataclass
class Loaded:
    data: _genera.Data
    labels: _labels.Labels | None
    survey: Survey


def load(part: Part, job: Job) -> Loaded | None:
    """The rows of a partition as the core takes them; None if it has none."""
    X, y, weight = part.load()
    if row_count(X) == 0:
        return None
    estimator = pickle.loads(pickle.dumps(job.estimator))
    if job.agreed is None:
        data = estimator._training_data(_summable(estimator, X))
        remember_inputs(estimator, data)
    else:
        take_survey(estimator, job.agreed)
        if job.agreed.names is not None and _input.is_frame(X):
            X = select(X, job.agreed.names)
        data = estimator._as_data(
            estimator._as_fitted(X, estimator._of_sparse and not estimator._fills_zeros())
        )
    labels = None
    if job.labelled:
        labels = _encode(y, type(estimator).__name__)
        if len(labels.codes) != data.rows:
            raise Error(
                f"there are {data.rows} rows but {len(labels.codes)} labels",
                "divide rows and labels in the same way",
                "bad_data",
            )
        data.set_labels(labels.codes, labels.names, type=labels.type)
    weigh(data, weight)
    return Loaded(data, labels, _survey_of(part, X, data, labels, estimator))


def _summable(estimator: Any, X: Any) -> Any:
    sparse = _input.is_sparse(X)
    return estimator._as_fitted(X, sparse and not estimator._fills_zeros())


def remember_inputs(estimator: Any, data: _genera.Data) -> None:
    names = estimator._known_names() if not estimator.__dict__.get("_takes_texts") else []
    columns = data.columns
    estimator._inputs = columns or [(name, estimator._column_type()) for name in names]


def take_survey(estimator: Any, survey: Survey) -> None:
    """What an estimator remembers of the columns of a fit."""
    estimator.__dict__.pop("feature_names_in_", None)
    estimator.n_features_in_ = len(survey.inputs)
    if survey.names is not None:
        estimator.feature_names_in_ = np.asarray(survey.names, dtype=object)
    estimator._of_sparse = survey.shape == "sparse matrix"
    estimator._frame = survey.frame
    estimator._inputs = list(survey.inputs.items())


def _survey_of(
    part: Part, X: Any, data: _genera.Data, labels: _labels.Labels | None, estimator: Any
) -> Survey:
    names = estimator.__dict__.get("feature_names_in_")
    found = Survey(
        rows=data.rows,
        bytes=size_of(X),
        largest=size_of(X),
        names=None if names is None else names.tolist(),
        inputs=dict(estimator._inputs),
        shape="sparse matrix" if _input.is_sparse(X) else "table",
        first=part.name,
        frame=estimator._frame,
        constants=None if data.rows == 0 else data.first_numbers(),
        offsets=[data.rows],
    )
    if _input.is_frame(X):
        found.empty = {name for name in found.inputs if _is_empty(X[name])}
    if labels is not None and len(labels.classes):
        found.classes = dict(zip(labels.names, labels.classes.tolist()))
        found.dtypes = [labels.classes.dtype]
        found.from_text = part.file is not None
    return found


def _is_empty(column: Any) -> bool:
    if hasattr(column, "null_count"):  # pyarrow and polars
        missing = column.null_count
        return bool((missing() if callable(missing) else missing) == len(column))
    first = column.iloc[0]
    return bool(first is None or first != first or _labels.is_missing(first)) and bool(
        column.isna().all()
    )


def _encode(y: Any, estimator: str) -> _labels.Labels:
    """As for a table, but a partition may have no label at all."""
    if y is not None:
        array = _labels._one_dimension(y)
        lost = array.dtype.kind == "f" and bool(np.isnan(array).all())
        if array.dtype == object:
            lost = all(_labels.is_missing(label) for label in array.tolist())
        if lost:
            return _labels.Labels(np.full(len(array), -1, np.int64), np.empty(0, object), [])
    return _labels.encode(y, estimator)


# -- answers ---------------------------------------------------------------------------------------


def _refuse_size(job: Job, survey: Survey) -> None:
    """Refuse sums that the worker could not hold, before they are made."""
    numbers = sum(1 for kind in survey.inputs.values() if kind in ("numeric", "count"))
    classes = max(1, len(survey.classes))
    full = job.extra.get("full_scatter", False) and survey.shape == "table"
    need = classes * numbers * (numbers if full else 2) * 8
    if job.capacity is not None and need > job.capacity:
        raise Error(
            f"the statistics of {classes} classes and {numbers} columns take "
            f"{need / 2**30:.1f} GiB, but a worker may use {job.capacity / 2**30:.1f} GiB for them",
            "use a model with fewer parameters, such as GaussianNB, fewer columns, or larger workers",
        )


def _sums(part: Part, index: int, job: Job) -> Reply:
    rows = load(part, job)
    if rows is None:
        return Reply(Survey(offsets=[0]))
    _refuse_size(job, rows.survey)
    found = _genera.collect_partition(rows.data, job.options, _threads(job))
    if found is None:
        return Reply(rows.survey, None, em=True)
    sums, rows.survey.left_out = found
    return Reply(rows.survey, sums)


def _observe(part: Part, index: int, job: Job) -> Reply:
    return _of_rows(part, job, _genera.observe_partition)


def _softmax_statistics(part: Part, index: int, job: Job) -> Reply:
    return _of_rows(part, job, _genera.collect_softmax_partition)


def _of_rows(part: Part, job: Job, ask: Callable[..., bytes]) -> Reply:
    rows = load(part, job)
    if rows is None:
        return Reply(Survey(offsets=[0]))
    return Reply(rows.survey, ask(rows.data, job.options, _threads(job)))


def _threads(job: Job) -> int:
    return int(getattr(job.estimator, "threads", None) or 1)


def _prepare_em(kept: Prepared) -> Any:
    job = job_of(kept.payload)
    rows = load(kept.part, job)
    return None if rows is None else _genera.em_rows(em_plan_of(job), rows.data, _threads(job))


def _prepare_softmax(kept: Prepared) -> Any:
    job = job_of(kept.payload)
    rows = load(kept.part, job)
    if rows is None:
        return None
    first = sum(job.extra["offsets"][: kept.index])
    return _genera.softmax_partition(job.layout, rows.data, first, _threads(job))


def _prepare_mixture(kept: Prepared) -> Any:
    job = job_of(kept.payload)
    made = mixture.MixturePart(kept.part, kept.index, job.estimator, job.extra)
    return made if len(made.X) else None


_PREPARE: dict[str, Callable[[Prepared], Any]] = {
    "mixture": _prepare_mixture,
    "em": _prepare_em,
    "softmax": _prepare_softmax,
}
_FIRST: dict[str, Callable[[Part, int, Job], Reply]] = {
    "sums": _sums,
    "observe": _observe,
    "softmax-statistics": _softmax_statistics,
}
_KEPT: dict[str, Callable[[Any, bytes], bytes]] = {
    "complete": lambda rows, _: rows.complete(),
    "expect": lambda rows, model: rows.expect(model),
    "patterns": lambda rows, model: rows.patterns(model),
    "answer": lambda rows, request: rows.answer(request),
}


def answer(task: str, part: Part, index: int, payload: bytes) -> bytes:
    """Of the rows of one partition."""
    with named(part.name):
        if task == "columns":
            return pickle.dumps(mixture.columns(part, job_of(payload).estimator), protocol=5)
        if task in ("fold-statistics", "judge"):
            from . import selection

            ask = selection.judge if task == "judge" else selection.fold_statistics
            return pickle.dumps(ask(part, index, job_of(payload)), protocol=5)
        return pickle.dumps(_FIRST[task](part, index, job_of(payload)), protocol=5)


def answer_kept(task: str, kept: Prepared, message: bytes) -> bytes:
    """Of a partition that is kept; nothing if it has no rows."""
    with named(kept.part.name):
        rows = kept.state()
        if rows is None:
            return b""
        if isinstance(rows, mixture.MixturePart):
            return mixture.answer(task, rows, message)
        return _KEPT[task](rows, message)


class named:
    """Errors inside get the name of the partition; warnings of a worker reach nobody."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._quiet = warnings.catch_warnings()

    def __enter__(self) -> None:
        self._quiet.__enter__()
        warnings.simplefilter("ignore")

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        self._quiet.__exit__(kind, error, trace)
        if isinstance(error, Error):
            raise Error(f"{self.name}: {error.what}", error.hint, error.code) from error
        if isinstance(error, TypeError):
            raise TypeError(f"{self.name}: {error}") from error
        if isinstance(error, ValueError):
            raise ValueError(f"{self.name}: {error}") from error
        if isinstance(error, OSError):
            raise Error(f"{self.name}: {error}", "check the path on every worker", "bad_data") from error


# -- merges ----------------------------------------------------------------------------------------

_MERGE_FIRST: dict[str, Callable[[list[bytes]], bytes]] = {
    "sums": lambda parts: _genera.merge_statistics(parts),
    "observe": lambda parts: _genera.merge_observed(parts),
    "softmax-statistics": lambda parts: _genera.merge_softmax_statistics(parts),
}


def merge(task: str, answers: list[bytes], payload: bytes = b"") -> bytes:
    """Answers in the order of the partitions as one; ``payload`` is that of the kept rows."""
    if task in _MERGE_FIRST:
        return _merge_replies(task, [pickle.loads(one) for one in answers])
    some = [one for one in answers if one]
    if not some:
        return b""
    if task == "columns":
        found = functools.reduce(mixture.Columns.merge, [pickle.loads(one) for one in some])
        return pickle.dumps(found, protocol=5)
    if task in ("fold-statistics", "judge"):
        from . import selection

        judged = functools.reduce(selection.Judged.merge, [pickle.loads(one) for one in some])
        return pickle.dumps(judged, protocol=5)
    job = job_of(payload)
    if job.task == "mixture":
        total = mixture.merge(task, [pickle.loads(one) for one in some], job.extra)
        return pickle.dumps(total, protocol=5)
    if task == "answer":
        return _genera.merge_softmax_sums(some)
    plan = em_plan_of(job)
    return plan.merge_patterns(some) if task == "patterns" else plan.merge_expected(some)


def _merge_replies(task: str, replies: list[Reply]) -> bytes:
    survey = functools.reduce(Survey.merge, [one.survey for one in replies])
    em = any(one.em for one in replies)
    sums = [one.sums for one in replies if one.sums is not None]
    if survey.problem is not None or survey.disagree or em:
        sums = []  # they do not add up, or are not of all rows
    total = _MERGE_FIRST[task](sums) if sums else None
    return pickle.dumps(Reply(survey, total, em), protocol=5)
