"""Log joints, posteriors, likelihoods, tails and samples against exact arithmetic.

Run by `make test` in a short form. `exact_test.py --all` tries more tables and prints the measured
errors as the Markdown table of docs/numerics.md; GENERA is the program, GENERA_DATA the folder data/."""

import csv
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile

import mpmath
from mpmath import mpf

import arithmetic
from arithmetic import exact, fitted, log_joints, outlier_tail, posteriors

GENERA = os.environ["GENERA"]
DATA = pathlib.Path(os.environ["GENERA_DATA"])
MODELS = ("qda", "lda", "gnb", "dlda", "rda")
ALPHA, GAMMA = 0.25, 0.125  # exact as doubles


class Table:
    def __init__(self, name, rows, labels):
        self.name, self.rows, self.labels = name, rows, labels  # None: missing

    def write(self, path):
        d = len(self.rows[0])
        with open(path, "w", encoding="utf-8", newline="") as out:
            writer = csv.writer(out, lineterminator="\n")
            writer.writerow([*(f"x{j}" for j in range(d)), "label"])
            for row, label in zip(self.rows, self.labels):
                writer.writerow([*("" if x is None else repr(x) for x in row), label])


def built_in(name):
    """The numeric columns of a data set."""
    with open(DATA / f"{name}.csv", encoding="utf-8", newline="") as text:
        _, *rows = list(csv.reader(text))
    return Table(f"@{name}", [list(map(float, row[:-1])) for row in rows], [r[-1] for r in rows])


def synthetic(condition=1.0, scale=1.0, mean=0.0, d=4, n=40):
    """Three classes whose covariances have this condition number; columns of different scales, up
    to `scale`; means that many standard deviations from zero."""
    chance = random.Random(f"{condition} {scale} {mean}")
    rows, labels = [], []
    turn = rotation(d, chance)
    spread = [condition ** (-0.5 * j / (d - 1)) for j in range(d)]
    for k in range(3):
        centre = [chance.gauss(0, 1) for _ in range(d)]  # classes overlap in every direction
        for _ in range(n):
            z = [(c + chance.gauss(0, 1)) * s for c, s in zip(centre, spread)]
            x = [sum(turn[i][j] * z[j] for j in range(d)) for i in range(d)]
            rows.append([(mean + v) * scale ** (j / (d - 1)) for j, v in enumerate(x)])
            labels.append("abc"[k])
    return Table(f"condition {condition:g}, scale {scale:g}, mean {mean:g}", rows, labels)


def rotation(d, chance):
    """Orthogonal, by Gram and Schmidt."""
    columns = []
    while len(columns) < d:
        v = [chance.gauss(0, 1) for _ in range(d)]
        for u in columns:
            dot = sum(a * b for a, b in zip(u, v))
            v = [a - dot * b for a, b in zip(v, u)]
        length = math.sqrt(sum(a * a for a in v))
        columns.append([a / length for a in v])
    return [[columns[j][i] for j in range(d)] for i in range(d)]


def genera(*words):
    done = subprocess.run([GENERA, *map(str, words), "--quiet"], capture_output=True, text=True,
                          check=False)
    if done.returncode != 0:
        raise RuntimeError(f"genera {' '.join(map(str, words))}: {done.stderr}")
    return done.stdout


def answers(*words):
    return list(csv.DictReader(genera(*words).splitlines()))


class Folder:
    """A table as a file, and models of it."""

    def __init__(self, table):
        self.keep = tempfile.TemporaryDirectory(prefix="genera_exact_")
        self.path = pathlib.Path(self.keep.name)
        self.table = table
        self.data = self.path / "data.csv"
        table.write(self.data)

    def fit(self, model, *words):
        out = self.path / f"{model}.json"
        told = ("--alpha", ALPHA, "--gamma", GAMMA) if model == "rda" else ()
        genera("fit", self.data, "--model", model, *told, "-o", out, *words)
        return out


def relative(value, truth):
    """To the larger of the truth and 1: log densities near 0 are sums of terms near 1."""
    return abs(mpf(value) - truth) / max(1, abs(truth))


def errors_of_queries(table, model, step=1):
    """(log joint, posterior): the largest error over the rows, of a model fitted to them."""
    folder = Folder(table)
    rows = exact(table.rows)
    truth = fitted(rows, table.labels, model, mpf(ALPHA), mpf(GAMMA))
    found = answers("predict", folder.fit(model), folder.data, "--proba", "--joint")
    joint_error = posterior_error = mpf(0)
    for i in range(0, len(rows), step):
        joints = log_joints(truth, rows[i])
        for k, p in posteriors(joints).items():
            joint_error = max(joint_error, relative(float(found[i][f"logjoint({k})"]), joints[k]))
            posterior_error = max(posterior_error, abs(mpf(float(found[i][f"p({k})"])) - p))
    return joint_error, posterior_error


def error_of_tails(table, model, step=1):
    """Relative, of tails above 1e-300."""
    folder = Folder(table)
    rows = exact(table.rows)
    truth = fitted(rows, table.labels, model)
    found = answers("score", folder.fit(model), folder.data)
    worst = mpf(0)
    for i in range(0, len(rows), step):
        tail = outlier_tail(truth, rows[i], model == "lda")
        worst = max(worst, abs(mpf(float(found[i]["tail"])) - tail) / tail)
    return worst


def with_holes(table, share):
    chance = random.Random(share)
    rows = [[None if chance.random() < share else x for x in row] for row in table.rows]
    return Table(f"{table.name}, {share:.0%} holes", rows, table.labels)


def model_in(path):
    """The model that a file holds, as exactly as it stands there."""
    document = json.loads(path.read_text(), parse_float=lambda text: mpf(float(text)))
    block = document["blocks"][0]
    result = {}
    for i, k in enumerate(document["classes"]):
        if "covariances" in block:
            covariance = block["covariances"][i]
        else:
            covariance = block.get("covariance")
        low = block.get("means_low", [[0] * len(m) for m in block["means"]])[i]
        mean = [mpf(m) + mpf(l) for m, l in zip(block["means"][i], low)]
        result[k["name"]] = (mpmath.log(mpf(k["prior"])),
                             arithmetic.Gaussian(mean, [[mpf(v) for v in r] for r in covariance]),
                             k.get("count"))
    return result


def errors_of_em(table, model):
    """(likelihood, gain): the error of the likelihood that `evaluate` finds for the model in the
    file, relative; and what one exact step of EM from there would still gain, in nats a row."""
    folder = Folder(table)
    path = folder.fit(model)
    truth = model_in(path)
    rows = [[None if x is None else mpf(x) for x in row] for row in table.rows]
    likelihood = mpmath.fsum(log_joints(truth, row)[y] for row, y in zip(rows, table.labels))
    said = json.loads(genera("evaluate", path, folder.data, "--json"))["log_likelihood"]
    better = em_step(truth, rows, table.labels, model == "lda")
    after = mpmath.fsum(log_joints(better, row)[y] for row, y in zip(rows, table.labels))
    return relative(said, likelihood), abs(after - likelihood) / len(rows)


def em_step(model, rows, labels, shared):
    """One step of EM for rows with holes and known classes."""
    d = len(rows[0])
    expected = {}
    for k, (_, density, _) in model.items():
        own = [row for row, y in zip(rows, labels) if y == k]
        filled, extra = [], [[mpf(0)] * d for _ in range(d)]
        for row in own:
            cells, covariance = conditional(density, row)
            filled.append(cells)
            extra = arithmetic.added(extra, covariance)
        moments = arithmetic.Moments(filled)
        expected[k] = (moments, arithmetic.added(moments.scatter, extra))
    total = None
    for _, scatter in expected.values():
        total = scatter if total is None else arithmetic.added(total, scatter)
    result = {}
    for k, (moments, scatter) in expected.items():
        covariance = (arithmetic.scaled(total, mpf(1) / len(rows)) if shared
                      else arithmetic.scaled(scatter, mpf(1) / moments.n))
        result[k] = (mpmath.log(mpf(moments.n) / len(rows)),
                     arithmetic.Gaussian(moments.mean, covariance), moments.n)
    return result


def conditional(density, row):
    """A row with its holes filled by expectation, and their covariance in its place."""
    d = len(row)
    there = [j for j in range(d) if row[j] is not None]
    holes = [j for j in range(d) if row[j] is None]
    extra = [[mpf(0)] * d for _ in range(d)]
    if not holes:
        return row, extra
    cells = list(row)
    s = density.covariance
    if not there:
        return list(density.mean), [list(line) for line in s]
    inner = mpmath.matrix([[s[i][j] for j in there] for i in there])
    across = mpmath.matrix([[s[i][j] for j in there] for i in holes])
    gain = across * mpmath.inverse(inner)
    away = [row[j] - density.mean[j] for j in there]
    for a, i in enumerate(holes):
        cells[i] = density.mean[i] + mpmath.fsum(gain[a, b] * away[b] for b in range(len(there)))
        for c, j in enumerate(holes):
            extra[i][j] = s[i][j] - mpmath.fsum(gain[a, b] * s[there[b]][j]
                                                for b in range(len(there)))
    return cells, extra


def distance_of_samples(table, model, n):
    """sqrt(n) times the largest distance (Kolmogorov) between the distribution of D2 of n drawn
    rows and the exact chi-squared law; above 1.95 in one of 1000 cases if the law holds."""
    folder = Folder(table)
    path = folder.fit(model)
    truth = model_in(path)
    drawn = answers("sample", path, "-n", n, "--seed", 7)
    d = len(table.rows[0])
    shares = []
    for row in drawn:
        x = [mpf(float(row[f"x{j}"])) for j in range(d)]
        square = truth[row["label"]][1].distance(x)
        shares.append(float(mpmath.gammainc(mpf(d) / 2, 0, square / 2, regularized=True)))
    shares.sort()
    count = len(shares)
    return math.sqrt(count) * max(max((i + 1) / count - p, p - i / count)
                                  for i, p in enumerate(shares))


class Findings:
    def __init__(self):
        self.lines, self.failures = [], []

    def add(self, what, where, measured, limit):
        self.lines.append((what, where, measured, limit))
        if not measured <= limit:
            self.failures.append(f"{what}, {where}: {mpmath.nstr(measured, 3)}, allowed {limit:g}")

    def table(self):
        head = ["| what | where | largest error | allowed |", "|---|---|---|---|"]
        return "\n".join(head + [f"| {a} | {b} | {mpmath.nstr(mpf(c), 2)} | {d:g} |"
                                 for a, b, c, d in self.lines])


def check_queries(findings, table, models, limits, step=1):
    worst = [mpf(0), mpf(0)]
    for model in models:
        for i, error in enumerate(errors_of_queries(table, model, step)):
            worst[i] = max(worst[i], error)
    for what, error, limit in zip(("log joint", "posterior"), worst, limits):
        findings.add(what, f"{table.name} ({', '.join(models)})", error, limit)


# Measured (docs/numerics.md), with a margin of ten or so: (condition number, scale, mean), then what
# log joints and posteriors may err by. Means far from zero, kept in two doubles, lose nothing.
SYNTHETIC = (((1, 1, 0), (1e-14, 1e-14)), ((1e4, 1, 0), (5e-11, 1e-11)), ((1e8, 1, 0), (1e-7, 1e-8)),
             ((1, 1e12, 0), (1e-14, 5e-14)), ((1, 1e-100, 0), (1e-14, 5e-13)),
             ((1, 1e100, 0), (1e-14, 5e-13)), ((1, 1, 1e3), (1e-14, 1e-14)),
             ((1, 1, 1e6), (1e-14, 1e-14)), ((1, 1, 1e8), (1e-14, 1e-14)))
MORE = (((1e2, 1, 0), (5e-14, 5e-14)), ((1e6, 1, 0), (1e-9, 1e-10)), ((1e4, 1e6, 1e4), (5e-13, 5e-13)))


def main():
    everything = "--all" in sys.argv[1:]
    findings = Findings()
    iris = built_in("iris")
    check_queries(findings, iris, MODELS, (5e-14, 5e-14))
    check_queries(findings, built_in("wine"), MODELS if everything else ("qda", "lda"),
                  (5e-14, 5e-14), 1 if everything else 9)
    if everything:
        check_queries(findings, built_in("breast_cancer"), MODELS, (1e-10, 1e-11), 5)
    for shape, limits in SYNTHETIC + (MORE if everything else ()):
        check_queries(findings, synthetic(*shape), MODELS if everything else ("qda", "lda"), limits,
                      1 if everything else 5)
    for model in ("qda", "lda"):
        findings.add("tail", f"@iris ({model})", error_of_tails(iris, model, 1 if everything else 5),
                     1e-13)
        holes = with_holes(iris, 0.2)
        likelihood, gain = errors_of_em(holes, model)
        findings.add("EM: likelihood of the model", f"{holes.name} ({model})", likelihood, 1e-14)
        findings.add("EM: gain of one more step, nats a row", f"{holes.name} ({model})", gain, 1e-10)
        findings.add("samples: sqrt(n) x Kolmogorov distance of D²", f"@iris ({model})",
                     distance_of_samples(iris, model, 20000 if everything else 2000), 1.95)
    if everything:
        print(findings.table())
    for failure in findings.failures:
        print(failure, file=sys.stderr)
    print(f"{len(findings.lines)} checks, {len(findings.failures)} failures")
    return int(bool(findings.failures))


if __name__ == "__main__":
    sys.exit(main())
