"""Fits as programs of rounds."""

from __future__ import annotations

import pickle
from typing import Any, Callable

from .. import _genera, _labels
from .._errors import Error, counted
from .._mixture import GaussianMixture
from .engine import Engine
from .survey import Survey
from .worker import Job, Reply, take_survey


class Driver:
    """One fit of ``target`` over the partitions of an engine.

    ``local`` is an estimator of this machine with the parameters of ``target``, which workers get.
    """

    def __init__(self, target: Any, local: Any, engine: Engine) -> None:
        self.target = target
        self.engine = engine
        self.rounds = 0
        self._tell = target._tell()
        quiet = {"verbose": 0} if hasattr(local, "verbose") else {}
        priors = {"priors": None} if hasattr(local, "priors") else {}
        self.local = local.set_params(**quiet, **priors)

    def fit(self) -> None:
        try:
            program_of(self.target)(self)
        finally:
            self.engine.close()

    # -- rounds ----------------------------------------------------------------------------------

    def first(self, job: Job) -> Reply:
        """A round over the rows themselves; a second one if types differ where a partition has no
        value in a column."""
        while True:
            self._count(job.task)
            reply: Reply = pickle.loads(self.engine.first(job.task, self._sized(job.to_bytes())))
            if reply.survey.problem is not None:
                raise reply.survey.problem
            if reply.survey.rows == 0:
                raise ValueError("Found array with 0 sample(s): all partitions are empty.")
            if not reply.survey.disagree or job.agreed is not None:
                return reply
            job.agreed = reply.survey

    def round(self, task: str, message: bytes, payload: bytes) -> bytes:
        self._count(task)
        return self.engine.round(task, self._sized(message), payload)

    def _count(self, task: str) -> None:
        self.rounds += 1
        if self._tell is not None:
            self._tell(f"{task} over partitions, round {self.rounds}", 1, 1)

    def _sized(self, message: bytes) -> bytes:
        """Refuse what workers could not hold before it is sent."""
        capacity = self.engine.capacity
        if capacity is not None and len(message) > capacity:
            raise Error(
                f"each worker would get a model of {len(message) / 2**20:.0f} MiB, but it may use "
                f"{capacity / 2**20:.0f} MiB for it (a quarter of its memory)",
                "use a model with fewer parameters, fewer columns, or larger workers",
            )
        return message

    # -- what is common to programs --------------------------------------------------------------

    def job(self, task: str, options: dict[str, Any], **more: Any) -> Job:
        return Job(task, self.local, options, capacity=self.engine.capacity, **more)

    def take_columns(self, survey: Survey) -> None:
        take_survey(self.target, survey)
        self.target._constants = survey.constants

    def take_model(self, model: _genera.Model, labels: _labels.Labels, report: Any) -> None:
        names = dict(zip(labels.names, labels.classes.tolist()))
        self.target._take_model(model, names, labels.classes)
        self.target.statistics_ = None
        if hasattr(self.target, "max_iter"):
            self.target.n_iter_ = max(1, report["iterations"])
        self.target._take_report(report)


def program_of(target: Any) -> Callable[[Driver], None]:
    if isinstance(target, GaussianMixture):
        from .clustering import fit_mixture

        return fit_mixture
    model = getattr(target, "_model_name", lambda: "")()
    if model == "logistic":
        return fit_softmax
    if target._is_additive() and model != "aode":
        return fit_sums
    raise Error(*_why_not(target, model))


def _why_not(target: Any, model: str) -> tuple[str, str]:
    if getattr(target, "shrinkage", None) == "lw":
        return (
            "Ledoit-Wolf shrinkage needs a second pass over the rows, which partitions do not make",
            'use shrinkage="oas", or fit on one machine',
        )
    if getattr(target, "calibrate", None):
        return ("a temperature takes rows held out", "use calibrate=False, or fit on one machine")
    if model == "aode":
        return (
            "'aode' needs the same bins in all partitions",
            "fit on one machine, or merge statistics of collect(X, y, like=first)",
        )
    return (
        f"'{model}' cannot be learned from partitions",
        'use a model such as "qda", or fit on one machine',
    )


# -- closed form, and EM if rows lack numbers ------------------------------------------------------


def fit_sums(driver: Driver) -> None:
    target = driver.target
    options = driver.local._options()
    job = driver.job("sums", options, extra={"full_scatter": _is_full(options)})
    reply = driver.first(job)
    labels = reply.survey.labels(type(target).__name__)
    driver.take_columns(reply.survey)
    if reply.em:
        fit_em(driver, reply.survey, labels)
        return
    target._label_of = dict(zip(labels.names, labels.classes.tolist()))
    target._estimate(_genera.Statistics.from_bytes(reply.sums or b""), labels)
    _note_left_out(target, reply.survey.left_out)


def _is_full(options: dict[str, Any]) -> bool:
    return options["model"] in ("qda", "lda", "rda", "bqda")


def _note_left_out(target: Any, left_out: dict[str, int]) -> None:
    report = target.report_
    for name, count in left_out.items():
        setattr(report, name, count)
    what = {
        "dropped_rows": "with a missing value or label was left out",
        "unlabelled_left_out": "without a label was left out",
    }
    for name, text in what.items():
        count = left_out.get(name, 0)
        if count:
            text = text if count == 1 else text.replace("was", "were")
            report.notes = [*report.notes, f"{counted(count, 'row')} {text}"]


def fit_em(driver: Driver, survey: Survey, labels: _labels.Labels) -> None:
    target = driver.target
    options = target._options(labels)
    observed = driver.first(driver.job("observe", options, agreed=survey)).sums or b""
    job = driver.job("em", options, agreed=survey, observed=observed)
    payload = driver._sized(job.to_bytes())
    driver.engine.keep(payload, survey.bytes)
    plan = _genera.em_plan(observed, options, target._threads())
    em = _genera.em(plan, driver.round("complete", b"", payload), target._threads())
    while not em.done:
        em.accept(plan, driver.round("expect", em.model(), payload))
    patterns = driver.round("patterns", em.model(), payload)
    model, report = em.result(plan, patterns, list(survey.inputs.items()))
    driver.take_model(model, labels, report)


# -- softmax regression ----------------------------------------------------------------------------


def fit_softmax(driver: Driver) -> None:
    target = driver.target
    options = driver.local._options()
    reply = driver.first(driver.job("softmax-statistics", options))
    survey = reply.survey
    labels = survey.labels(type(target).__name__)
    driver.take_columns(survey)
    plan = _genera.softmax_plan(reply.sums or b"", options)
    job = driver.job(
        "softmax", options, agreed=survey, layout=plan.layout, extra={"offsets": survey.offsets}
    )
    payload = driver._sized(job.to_bytes())
    driver.engine.keep(payload, survey.bytes)

    def ask(kind: str, request: bytes) -> bytes:
        return driver.round("answer", request, payload)

    model, report = _genera.fit_softmax_partitions(plan, ask, list(survey.inputs.items()))
    driver.take_model(model, labels, report)
