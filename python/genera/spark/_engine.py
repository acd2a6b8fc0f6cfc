"""Rounds over the partitions of a Spark DataFrame, through Arrow alone."""

from __future__ import annotations

import pickle
import re
from typing import Any, Callable, Iterable, Iterator

from .._errors import Error
from .._partitions import worker
from .._partitions.engine import FAN_IN, tree
from .._partitions.parts import Part
from .._partitions.worker import Prepared

_ANSWERS = "place long, rows long, answer binary"
_COLLECTED = 64  # answers that come to the driver without a merge on the workers


class SparkEngine:
    """``frame`` has the features, the labels and the weights. Iterative fits keep it (``persist``),
    in memory and beyond it on disk."""

    capacity: int | None = None

    def __init__(self, frame: Any, target: str, weight: str | None, texts: bool) -> None:
        self._frame = frame
        self._how = (target, weight, texts)
        self._kept: Any = None
        self._count: int | None = None

    def first(self, task: str, payload: bytes) -> bytes:
        how = self._how

        def answer(part: Part, index: int) -> bytes:
            return worker.answer(task, part, index, payload)

        return self._merged(self._frame, task, payload, _asked(answer, how))

    def keep(self, payload: bytes, size: int) -> None:
        self._kept = self._frame.persist()

    def round(self, task: str, message: bytes, payload: bytes) -> bytes:
        how = self._how

        def answer(part: Part, index: int) -> bytes:
            return worker.answer_kept(task, Prepared(part, index, payload), message)

        return self._merged(self._kept, task, payload, _asked(answer, how))

    def close(self) -> None:
        if self._kept is not None:
            self._kept.unpersist()
            self._kept = None

    def _merged(self, frame: Any, task: str, payload: bytes, ask: Callable[..., Any]) -> bytes:
        answers = frame.mapInArrow(ask, _ANSWERS)
        levels = 0
        if self._count is None or self._count > _COLLECTED:
            answers = _merged_by_workers(answers, task, payload)
            levels = 1
        with translated():
            rows = answers.collect()
        rows = sorted((row["place"], row["rows"], bytes(row["answer"])) for row in rows)
        for _, _, one in rows:
            if one[:1] == b"E":
                raise pickle.loads(one[1:])
        if levels == 0 or self._count is None:
            self._count = max(self._count or 0, sum(rows_of for _, rows_of, _ in rows))

        def merge(level: int, place: int, group: list[bytes]) -> bytes:
            return worker.merge(task, group, payload)

        bodies = [one[1:] for _, _, one in rows]
        if not bodies:
            raise ValueError("Found array with 0 sample(s): the DataFrame has no partitions.")
        return bodies[0] if levels == 1 and len(bodies) == 1 else tree(bodies, merge)


def _merged_by_workers(answers: Any, task: str, payload: bytes) -> Any:
    """The first level of the tree: eight neighbours each."""
    from pyspark.sql import functions

    def merge(key: Any, table: Any) -> Any:
        rows = sorted(zip(*(table.column(name).to_pylist() for name in ("place", "rows", "answer"))))
        errors = [one for _, _, one in rows if one[:1] == b"E"]
        if errors:
            merged = errors[0]
        else:
            merged = b"A" + worker.merge(task, [one[1:] for _, _, one in rows], payload)
        return _table([(key[0].as_py(), sum(count for _, count, _ in rows), merged)])

    group = functions.floor(functions.col("place") / FAN_IN).alias("group")
    return answers.groupBy(group).applyInArrow(merge, _ANSWERS)


def _table(rows: list[tuple[int, int, bytes]]) -> Any:
    import pyarrow

    places, counts, answers = zip(*rows)
    return pyarrow.table(
        {
            "place": pyarrow.array(places, pyarrow.int64()),
            "rows": pyarrow.array(counts, pyarrow.int64()),
            "answer": pyarrow.array(answers, pyarrow.binary()),
        }
    )


def _asked(answer: Callable[[Part, int], bytes], how: tuple[str, str | None, bool]) -> Any:
    """A function of all batches of a partition. Errors travel as answers, so that they arrive as
    they are."""

    def ask(batches: Iterable[Any]) -> Iterator[Any]:
        from pyspark import TaskContext

        index = TaskContext.get().partitionId()
        name = f"partition {index}"
        try:
            found = b"A" + answer(part_of(list(batches), *how, name), index)
        except (Error, TypeError, ValueError) as error:
            found = b"E" + pickle.dumps(error)
        yield from _table([(index, 1, found)]).to_batches()

    return ask


def part_of(
    batches: list[Any], target: str, weight: str | None, texts: bool, name: str
) -> Part:
    import pyarrow

    if not batches:
        return Part([], [], None, name)
    table = expanded(pyarrow.Table.from_batches(batches))
    labels = table.column(target).to_pandas() if texts else target
    if not texts:
        return Part(table, labels, weight, name)
    (column,) = [one for one in table.column_names if one not in (target, weight)]
    weights = None if weight is None else table.column(weight).to_numpy()
    return Part(table.column(column).to_pylist(), labels, weights, name)


def expanded(table: Any) -> Any:
    """Columns of arrays, such as assembled vectors, become a column for each element."""
    import numpy
    import pyarrow

    names: list[str] = []
    columns: list[Any] = []
    for name in table.column_names:
        column = table.column(name)
        if not pyarrow.types.is_list(column.type):
            names.append(name)
            columns.append(column)
            continue
        rows = column.combine_chunks() if column.num_chunks != 1 else column.chunk(0)
        numbers = numpy.asarray(rows.flatten().to_numpy(zero_copy_only=False), dtype=float)
        if len(rows) and len(numbers) % len(rows):
            raise Error(
                f"column '{name}' has arrays of different lengths",
                "give all rows arrays of the same length",
                "bad_data",
            )
        block = numbers.reshape(len(rows), -1) if len(rows) else numbers.reshape(0, 0)
        for j in range(block.shape[1]):
            names.append(f"{name}_{j}")
            columns.append(pyarrow.array(numpy.ascontiguousarray(block[:, j])))
    return pyarrow.table(columns, names=names)


class translated:
    """Errors of Spark that its users of genera can do something about."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if error is None or not type(error).__module__.startswith(("pyspark", "py4j")):
            return
        text = str(error)
        if "No module named 'genera'" in text or "PYTHON_VERSION_MISMATCH" in text:
            raise Error(
                "the Python of Spark's workers has no genera, or is another version",
                "set PYSPARK_PYTHON to a Python with genera on every worker, or ship one with "
                "--archives (docs/cluster.md)",
            ) from error
        task = re.search(r"Task (\d+) in stage", text)
        where = f"partition {task[1]}" if task else "Spark"
        reason = re.findall(r"^(?:\w+\.)*(\w*(?:Error|Exception)): (.*)$", text, re.M)
        said = ": ".join(reason[-1]) if reason else text.splitlines()[0]
        raise Error(f"{where}: {said}", "see what makes its rows", "bad_data") from error
