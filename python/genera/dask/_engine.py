"""Rounds on a cluster of Dask, which schedules, moves and recomputes."""

from __future__ import annotations

import time
from typing import Any
from uuid import uuid4

from dask.delayed import Delayed, delayed

from .._errors import Error
from .._partitions import worker
from .._partitions.engine import tree
from .._partitions.worker import Prepared

_LOST_SECONDS = 3.0  # without a scheduler, after which a fit ends


def client_of(client: Any = None) -> Any:
    """A client of Dask: the given one, or the one of this process."""
    if client is not None:
        return client
    from distributed import default_client

    try:
        return default_client()
    except ValueError:
        raise Error(
            "there is no Dask client",
            "start a cluster first: from dask.distributed import Client; client = Client()",
        ) from None


class DaskEngine:
    """``parts``: Part objects, or delayed ones. They are kept in the memory of the workers between
    rounds if they take less than half of it; if not, they are read again in each round."""

    def __init__(self, parts: list[Any], client: Any, keep: bool | None = None) -> None:
        self._parts = parts
        self._client = client
        self._keep = keep
        self._kept: list[Delayed] = []
        self._prepared_payload: Delayed | None = None

    @property
    def capacity(self) -> int | None:
        """A quarter of the memory of the smallest worker."""
        limits = [one["memory_limit"] for one in self._workers() if one.get("memory_limit")]
        return min(limits) // 4 if limits else None

    def _workers(self) -> list[Any]:
        self._require_scheduler()
        return list(self._client.scheduler_info(n_workers=-1)["workers"].values())

    def first(self, task: str, payload: bytes) -> bytes:
        message = _message(payload)
        leaves = [
            _task(worker.answer, f"genera-{task}", index)(task, part, index, message)
            for index, part in enumerate(self._parts)
        ]
        return self._compute(task, leaves, message)

    def keep(self, payload: bytes, size: int) -> None:
        message = self._prepared_payload = _message(payload)
        prepared = [
            _task(Prepared, "genera-prepare", index)(part, index, message)
            for index, part in enumerate(self._parts)
        ]
        room = sum(one.get("memory_limit") or 0 for one in self._workers())
        keep = size * 2 <= room or not room if self._keep is None else self._keep
        self._kept = list(self._client.persist(prepared)) if keep else prepared

    def round(self, task: str, message: bytes, payload: bytes) -> bytes:
        sent = _message(message)
        leaves = [
            _task(worker.answer_kept, f"genera-{task}", index)(task, kept, sent)
            for index, kept in enumerate(self._kept)
        ]
        return self._compute(task, leaves, self._prepared_payload)

    def close(self) -> None:
        self._kept = []
        self._prepared_payload = None

    def _compute(self, task: str, leaves: list[Delayed], payload: Delayed | None) -> bytes:
        def merge(level: int, place: int, group: list[Delayed]) -> Delayed:
            name = f"genera-merge-{task}"
            return _task(worker.merge, name, f"{level}-{place}")(task, group, payload)

        self._require_scheduler()
        future = self._client.compute(tree(leaves, merge))
        try:
            self._wait(future)
            return bytes(future.result())
        except (Error, TypeError, ValueError) as error:
            if _is_named(error):
                raise
            raise self._blamed(future, error) from error
        except Exception as error:
            raise self._blamed(future, error) from error

    def _wait(self, future: Any) -> None:
        from distributed import TimeoutError as Waited
        from distributed import wait

        lost: float | None = None
        while not future.done():
            try:
                wait([future], timeout=0.5)
            except Waited:
                pass
            except Exception:
                if self._client.status == "running":
                    raise
            if self._is_connected():
                lost = None
            elif lost is None:
                lost = time.monotonic()
            elif time.monotonic() - lost > _LOST_SECONDS:
                raise self._scheduler_is_gone()
        if future.cancelled():
            raise self._scheduler_is_gone()

    def _is_connected(self) -> bool:
        comm = getattr(getattr(self._client, "scheduler_comm", None), "comm", None)
        return self._client.status == "running" and comm is not None and not comm.closed()

    def _require_scheduler(self) -> None:
        if not self._is_connected():
            raise self._scheduler_is_gone()

    def _scheduler_is_gone(self) -> Error:
        where = getattr(getattr(self._client, "scheduler", None), "address", "of this client")
        return Error(
            f"the Dask scheduler {where} does not answer",
            "start a cluster and a client again, and fit once more: a fit keeps nothing outside",
            "stopped",
        )

    def _blamed(self, future: Any, error: BaseException) -> Exception:
        """The error with the partition whose rows could not be had."""
        if isinstance(error, Error) and error.code == "stopped":
            return error
        if not self._is_connected() or type(error).__name__ == "CancelledError":
            return self._scheduler_is_gone()
        if type(error).__name__ == "KilledWorker":
            return Error(
                f"workers died several times with the same partition: {error}",
                "give the workers more memory, or make smaller partitions",
                "stopped",
            )
        try:
            place = self._client.run_on_scheduler(_failed_partition, key=future.key)
        except Exception:  # the error itself matters more
            place = None
        where = "a partition" if place is None else f"partition {place}"
        return Error(f"{where}: {type(error).__name__}: {error}", "see what makes its rows", "bad_data")


def _is_named(error: BaseException) -> bool:
    return str(error).startswith("partition ")


def _failed_partition(dask_scheduler: Any, key: Any) -> str | None:
    """The number of the partition that waits for the task that failed."""
    task = dask_scheduler.tasks.get(key)
    blame = getattr(task, "exception_blame", None)
    seen = set()
    waiting = [blame] if blame is not None else []
    while waiting:
        one = waiting.pop()
        name = str(one.key)
        if name.startswith("genera-") and not name.startswith("genera-merge"):
            return name.split("|")[1]
        for dependent in one.dependents:
            if dependent.key not in seen:
                seen.add(dependent.key)
                waiting.append(dependent)
    return None


def _task(function: Any, name: str, place: Any) -> Any:
    """A call of ``function`` as a task; the dashboard groups tasks by what is before the dash."""

    def call(*arguments: Any) -> Delayed:
        key = f"{name}-{uuid4().hex}|{place}|"
        return delayed(function, pure=False, traverse=False)(*arguments, dask_key_name=key)

    return call


def _message(payload: bytes) -> Delayed:
    """Bytes as a task, which a scheduler can repeat if the worker that had them dies."""
    key = f"genera-message-{uuid4().hex}"
    return delayed(_same, pure=False)(payload, dask_key_name=key)


def _same(payload: bytes) -> bytes:
    return payload
