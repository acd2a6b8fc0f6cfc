"""The program of a mixture: how many components, of which shape, is chosen by BIC."""

from __future__ import annotations

import json
import math
import pickle
from typing import Any

import numpy as np

from .. import _genera
from .._base import seed_of
from .._errors import Error, check_choice
from .driver import Driver
from .mixture import MODELS, Columns, parameter_count
from .survey import Survey

_STARTS = 5
_LLOYD_ROUNDS = 50


def fit_mixture(driver: Driver) -> None:
    target = driver.target
    driver._count("columns")
    job = driver.job("columns", {})
    found: Columns = pickle.loads(driver.engine.first("columns", driver._sized(job.to_bytes())))
    survey = found.survey
    if survey.problem is not None:
        raise survey.problem
    if survey.rows < 2:
        raise ValueError(f"a mixture needs more than 1 sample (n_samples = {survey.rows})")
    driver.take_columns(survey)
    sizes, shapes = _candidates_of(target, survey)
    extra: dict[str, Any] = {
        "names": list(survey.inputs),
        "mean": found.mean,
        "deviation": _deviations(found),
    }
    payload = driver._sized(driver.job("mixture", {}, extra=extra).to_bytes())
    driver.engine.keep(payload, survey.bytes)
    centres = _k_means(driver, payload, sizes, len(found.mean))
    options = [_options_of(target, shape) for _ in sizes for shape in shapes]
    groups = [(centres[k], _options_of(target, shape)) for k in sizes for shape in shapes]
    observed = _ask(driver, "groups", {"candidates": groups}, payload)
    extra["candidates"] = list(zip(observed, options))
    payload = driver._sized(driver.job("mixture", {}, extra=extra).to_bytes())
    driver.engine.keep(payload, survey.bytes)
    fits = _fit_all(driver, payload, extra["candidates"], survey)
    _take_best(driver, survey, [(k, shape) for k in sizes for shape in shapes], fits)


def _candidates_of(target: Any, survey: Survey) -> tuple[list[int], list[str]]:
    wanted = target.components
    first, last = (wanted, wanted) if isinstance(wanted, (int, np.integer)) else wanted
    sizes = list(range(int(first), max(int(first), min(int(last), survey.rows)) + 1))
    shapes = [target.covariance] if isinstance(target.covariance, str) else list(target.covariance)
    for shape in shapes:
        check_choice("covariance", shape, MODELS)
    if target.missing != "em":
        raise Error("mixtures over partitions learn from incomplete rows", 'use missing="em"')
    return sizes, shapes


def _deviations(found: Columns) -> np.ndarray:
    deviation = np.sqrt(found.squares / np.maximum(found.count, 1))
    return np.where(deviation > 0, deviation, 1.0)


def _options_of(target: Any, shape: str) -> dict[str, Any]:
    options = {
        "model": MODELS[shape],
        "missing": "em",
        "unlabelled_weight": 1.0,
        "on_singular": target.on_singular,
    }
    if MODELS[shape] in ("gnb", "spherical"):
        options["variance_floor"] = target.variance_floor
    return options


def _ask(driver: Driver, task: str, message: Any, payload: bytes) -> Any:
    return pickle.loads(driver.round(task, pickle.dumps(message, protocol=5), payload))


def _k_means(driver: Driver, payload: bytes, sizes: list[int], d: int) -> dict[int, np.ndarray]:
    """The centres with the smallest squared distances, for each number of them."""
    starts = driver.target.starts or _STARTS
    seed = seed_of(driver.target.random_state)
    chains = [np.empty((0, d)) for _ in range(starts)]
    for _ in range(max(sizes)):
        drawn = _ask(driver, "seeds", {"centres": chains, "seed": seed}, payload)
        chains = [np.vstack([chain, row]) for chain, (_, _, row) in zip(chains, drawn)]
    runs = [(k, chain[:k]) for k in sizes for chain in chains]
    active = list(range(len(runs)))
    losses = [math.inf] * len(runs)
    for _ in range(_LLOYD_ROUNDS):
        if not active:
            break
        message = {"centres": [runs[i][1] for i in active]}
        still = []
        for i, (sums, count, loss) in zip(active, _ask(driver, "assign", message, payload)):
            k, before = runs[i]
            known = count > 0
            after = np.where(known[:, None], sums / np.maximum(count, 1)[:, None], before)
            gained = losses[i] - loss
            losses[i] = loss
            runs[i] = (k, after)
            if gained > 1e-6 * loss:
                still.append(i)
        active = still
    best: dict[int, np.ndarray] = {}
    least: dict[int, float] = {}
    for (k, centres), loss in zip(runs, losses):
        if k not in best or loss < least[k]:
            best[k], least[k] = centres, loss
    return best


def _fit_all(
    driver: Driver, payload: bytes, candidates: list[tuple[bytes, dict[str, Any]]], survey: Survey
) -> list[Any]:
    """One EM for each candidate: those that are not done share their rounds."""
    plans: dict[int, _genera.EmPlan] = {}
    fits: list[Any] = [None] * len(candidates)
    for place, (observed, options) in enumerate(candidates):
        try:
            plans[place] = _genera.em_plan(observed, options, driver.target._threads())
        except Error as error:
            fits[place] = error
    answers = _steps(driver, payload, {place: ("complete", b"") for place in plans})
    ems = {place: _genera.em(plans[place], answers[place], None) for place in plans}
    active = dict(ems)
    while active:
        wanted = {place: ("expect", em.model()) for place, em in active.items()}
        answers = _steps(driver, payload, wanted)
        for place, em in list(active.items()):
            try:
                em.accept(plans[place], answers[place])
            except Error as error:
                fits[place] = error
                del active[place], ems[place]
                continue
            if em.done:
                del active[place]
    last = {place: ("patterns", em.model()) for place, em in ems.items()}
    patterns = _steps(driver, payload, last)
    inputs = list(survey.inputs.items())
    for place, em in ems.items():
        fits[place] = em.result(plans[place], patterns[place], inputs)
    return fits


def _steps(driver: Driver, payload: bytes, wanted: dict[int, Any]) -> dict[int, bytes]:
    if not wanted:
        return {}
    answers = _ask(driver, "em", {"models": wanted}, payload)
    return {place: sums for place, (_, sums) in answers.items()}


def _take_best(
    driver: Driver, survey: Survey, points: list[tuple[int, str]], fits: list[Any]
) -> None:
    target = driver.target
    candidates = []
    for (k, shape), fit in zip(points, fits):
        one: dict[str, Any] = {"components": k, "covariance": shape, "converged": False}
        if not isinstance(fit, Error):
            model, report = fit
            parameters = parameter_count(shape, k, model.feature_count)
            likelihood = report["log_likelihood"]
            one.update(
                log_likelihood=likelihood,
                parameters=parameters,
                bic=-2 * likelihood + parameters * math.log(survey.rows),
                converged=report["outcome"] == "converged",
                on_floor=report["variances_raised"] > 0 or report["weak_priors"] > 0,
            )
        candidates.append(one)
    usable = [i for i, fit in enumerate(fits) if not isinstance(fit, Error)]
    if not usable:
        raise fits[0]
    best = min(usable, key=lambda i: (candidates[i]["on_floor"], candidates[i]["bic"]))
    model, report = fits[best]
    target.model_ = _heaviest_first(model, points[best][1])
    target.candidates_ = candidates
    target.n_components_, target.covariance_ = points[best]
    target.bic_ = candidates[best]["bic"]
    target.converged_ = candidates[best]["converged"]
    target.n_iter_ = max(1, report["iterations"])
    target._take_report(report)


def _heaviest_first(model: _genera.Model, shape: str) -> _genera.Model:
    """The same mixture, whose components have the names 1, 2, ... by decreasing weight."""
    order = np.argsort(-model.priors, kind="stable")
    block = model.describe()["blocks"][0]
    covariances = list(block["covariances"])
    if len(covariances) > 1:
        covariances = [covariances[i] for i in order]
    names = [str(place + 1) for place in range(len(order))]
    how: dict[str, Any] = {"covariances": covariances}
    if shape not in ("full", "tied"):
        all_of_them = covariances if len(covariances) > 1 else covariances * len(names)
        how = {"variances": np.array([np.diag(one) for one in all_of_them])}
    made = _genera.gaussian_model(
        names, model.priors[order].tolist(), np.ascontiguousarray(block["means"][order]), **how
    )
    # The parameters have no names of columns: those of the fit take their places.
    described = json.loads(made.to_bytes("json"))
    text = json.dumps(_renamed(described, [name for name, _ in model.features]))
    return _genera.model_from_bytes(text.encode(), model.inputs)


def _renamed(value: Any, names: list[str]) -> Any:
    """x0, x1, ... of a description as the names of columns."""
    places = {f"x{j}": name for j, name in enumerate(names)}
    if isinstance(value, dict):
        return {key: _renamed(one, names) for key, one in value.items()}
    if isinstance(value, list):
        return [_renamed(one, names) for one in value]
    return places.get(value, value) if isinstance(value, str) else value
