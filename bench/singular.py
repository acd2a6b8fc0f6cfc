#!/usr/bin/env python3
"""singular.py ROOT: how far a singular covariance should be shrunk, on held-out rows.

Needs numpy and the Python module. Prints the table of decision 0035: log loss and error of qda or lda, means over
random splits, for fixed amounts, the smallest regular amount, the amount with the largest leave-one-out likelihood,
the analytic amount (OAS), and the default of the module. All of them shrink toward the pooled variances.
"""
import pathlib
import sys
import warnings

import numpy as np

import genera

REPEATS = 10
HELD_OUT = 1000
PIVOT = 1e-10  # of a singular covariance, on the scale of correlations


def is_regular(s):
    """No pivot of a diagonally pivoted factorisation of the correlations is below PIVOT."""
    if not (np.diag(s) > 0).all():
        return False
    sd = np.sqrt(np.diag(s))
    r, rest, factor, done = s / np.outer(sd, sd), np.ones(len(s)), np.zeros(s.shape), []
    for k in range(len(s)):
        at = int(np.argmax(rest))
        if not rest[at] >= PIVOT:
            return False
        factor[:, k] = (r[:, at] - factor[:, :k] @ factor[at, :k]) / np.sqrt(rest[at])
        rest -= factor[:, k] ** 2
        done.append(at)
        rest[done] = -1
    return True


def shrunk(s, sd, amount):
    return (1 - amount) * s + amount * np.diag(sd**2)


def analytic(s, sd, z, nu):
    r, d = s / np.outer(sd, sd), len(sd)
    t, q = np.trace(r), (r**2).sum()
    if q - t * t / d <= 1e-15 * q:
        return 1.0
    return max(1e-6, min(1.0, ((1 - 2 / d) * q + t * t) / ((nu + 1 - 2 / d) * (q - t * t / d))))


def smallest_regular(s, sd, z, nu):
    """Ten times the smallest power of 10^(1/4) that is regular."""
    amounts = 10.0 ** np.arange(-12, 0.25, 0.25)
    return min(1.0, 10 * next((a for a in amounts if is_regular(shrunk(s, sd, a))), 1.0))


def leave_one_out(s, sd, z, nu):
    """The amount with the largest likelihood of each row under the others, from powers of ten."""
    n, best = len(z), (-np.inf, 1.0)
    for amount in 10.0 ** np.arange(-10, 0.5, 0.5) if n > 2 else ():
        amount = min(1.0, amount)
        weight = (1 - amount) / (n - 1)
        a = weight * n * s / np.outer(sd, sd) + amount * np.eye(len(sd))
        lower = np.linalg.cholesky(a + 1e-15 * np.eye(len(sd)))
        h = (np.linalg.solve(lower, (z / sd).T) ** 2).sum(0)
        left = 1 - weight * n / (n - 1) * h
        if (left <= 0).any():
            continue
        value = -(2 * np.log(np.diag(lower)).sum() + np.log(left) + (n / (n - 1)) ** 2 * h / left).sum()
        best = max(best, (value, amount))
    return best[1]


RULES = {"1e-8": lambda *_: 1e-8, "1e-6": lambda *_: 1e-6, "1e-4": lambda *_: 1e-4,
         "regular": smallest_regular, "likelihood": leave_one_out, "OAS": analytic}


def log_posterior(x, y, new, shared, rule):
    classes = np.unique(y)
    means = [x[y == k].mean(0) for k in classes]
    centred = [x[y == k] - m for k, m in zip(classes, means)]
    for z, mean in zip(centred, means):
        z[:, (z**2).mean(0) <= (8 * np.finfo(float).eps * mean) ** 2] = 0  # the rounding of a constant
    sd = np.sqrt((np.vstack(centred) ** 2).mean(0))
    scores = []
    for z, mean in zip(centred, means):
        of = np.vstack(centred) if shared else z
        s = of.T @ of / len(of)
        if not is_regular(s):
            s = shrunk(s, sd, RULES[rule](s, sd, of, len(of) - (len(classes) if shared else 1)))
        own = np.sqrt(np.diag(s))
        lower = np.linalg.cholesky(s / np.outer(own, own))
        u = np.linalg.solve(lower, ((new - mean) / own).T)
        scores.append(np.log(len(z) / len(x)) - (u**2).sum(0) / 2 - np.log(np.diag(lower) * own).sum())
    scores = np.transpose(scores)
    return scores - np.logaddexp.reduce(scores, axis=1, keepdims=True)


def default_log_posterior(x, y, new, shared):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", genera.FitWarning)
        return (genera.LDA() if shared else genera.QDA()).fit(x, y).predict_log_proba(new)


def normals(rng, n, d, shift=0.5):
    y = rng.integers(0, 2, n)
    x = rng.normal(size=(n, d))
    x[:, :2] += shift * y[:, None]
    return x, y


def relation(rng, rows=200, classes=(1,), offset=0.0):
    x, y = normals(rng, rows + HELD_OUT, 4)
    on = np.isin(y, classes)
    x[on, 3] = x[on, 0] + x[on, 1]
    return x + offset, y, rows


def planes(rng):
    y, x = rng.integers(0, 3, 90 + HELD_OUT), rng.normal(size=(90 + HELD_OUT, 10))
    for k in range(3):
        x[y == k, 9] = x[y == k, :9] @ np.random.default_rng(k).normal(size=9)
    return x, y, 90


def parts(rng):
    y = rng.integers(0, 3, 200 + HELD_OUT)
    g = rng.gamma(np.array([[4, 4, 4, 4], [7, 4, 4, 4], [4, 7, 4, 4]])[y])
    return 100 * g / g.sum(1, keepdims=True), y, 200


def indicators(rng):
    y = rng.integers(0, 2, 200 + HELD_OUT)
    level = np.array([rng.choice(3, p=[[0.5, 0.3, 0.2], [0.2, 0.3, 0.5]][k]) for k in y])
    return np.column_stack([np.eye(3)[level], rng.normal(size=(len(y), 2)) + 0.5 * y[:, None]]), y, 200


def constant(rng, flag):
    x, y = normals(rng, 200 + HELD_OUT, 4)
    x[:, 3] = np.where(y == 1, rng.random(len(y)) < 0.1 if flag else x[:, 3], 0)
    return x, y, 200


def spectra(rng):
    t, y = np.linspace(0, 1, 100), rng.integers(0, 2, 60 + HELD_OUT)
    amounts = rng.normal(1, 0.3, size=(len(y), 9))
    amounts[:, 3] += 0.25 * y
    peaks = np.exp(-((t - np.linspace(0.1, 0.9, 9)[:, None]) ** 2) / 0.005)
    return amounts @ peaks + 0.01 * rng.normal(size=(len(y), 100)), y, 60


def table(root, name, rows, total=()):
    """Rows of a built-in table in random order, perhaps with the sum of some columns."""
    data = np.genfromtxt(root / "data" / f"{name}.csv", delimiter=",", skip_header=1, dtype=str)
    x, (_, y) = data[:, :-1].astype(float), np.unique(data[:, -1], return_inverse=True)
    if total:
        x = np.column_stack([x, x[:, total].sum(1)])

    def make(rng):
        order = rng.permutation(len(y))
        return x[order], y[order], rows
    return make


def cases(root):
    for name, make, models in (
            ("relation in one class", relation, "q"),
            ("relation in one class, means of 1e6", lambda r: relation(r, offset=1e6), "q"),
            ("relation in one class, 30 rows", lambda r: relation(r, rows=30), "q"),
            ("relation in all classes", lambda r: relation(r, classes=(0, 1)), "ql"),
            ("a plane for each of 3 classes", planes, "q"),
            ("parts that sum to 100", parts, "ql"),
            ("indicators that sum to 1", indicators, "ql"),
            ("crabs and the sum of columns", table(root, "crabs", 120, (0, 1, 2, 3, 4)), "ql"),
            ("iris and a sum", table(root, "iris", 100, (0, 1)), "q"),
            ("wine and a sum", table(root, "wine", 120, (0, 1, 5)), "q"),
            ("breast_cancer and a sum", table(root, "breast_cancer", 400, (0, 1, 2)), "ql"),
            ("constant in a class", lambda r: constant(r, False), "q"),
            ("flag never set in a class", lambda r: constant(r, True), "q"),
            ("ionosphere, 250 rows", table(root, "ionosphere", 250), "q"),
            ("digits, 1200 rows", table(root, "digits", 1200), "q"),
            ("sonar, 60 rows", table(root, "sonar", 60), "ql"),
            ("breast_cancer, 25 rows", table(root, "breast_cancer", 25), "ql"),
            ("crabs, 18 rows", table(root, "crabs", 18), "q"),
            ("iris, 12 rows", table(root, "iris", 12), "q"),
            ("wine, 30 rows", table(root, "wine", 30), "q"),
            ("digits, 200 rows", table(root, "digits", 200), "q"),
            ("digits, 50 rows", table(root, "digits", 50), "l"),
            ("spectra of 100 columns, 60 rows", spectra, "ql")):
        for model in models:
            yield name, make, model == "l"


def measured(make, shared):
    found = []
    for seed in range(REPEATS):
        x, y, rows = make(np.random.default_rng(seed))
        varying = x[:rows].std(0) > 0
        known = np.isin(y, np.unique(y[:rows])) & (np.arange(len(y)) >= rows)
        x, y = x[:, varying], np.searchsorted(np.unique(y[:rows]), y)
        train, truth = (x[:rows], y[:rows]), y[known]
        answers = [log_posterior(*train, x[known], shared, rule) for rule in RULES]
        answers.append(default_log_posterior(*train, x[known], shared))
        found.append([(-a[np.arange(len(truth)), truth].mean(), (a.argmax(1) != truth).mean())
                      for a in answers])
    return np.mean(found, axis=0)


def main():
    print("| case |", " | ".join([*RULES, "default"]), "|")
    print("|---" * (len(RULES) + 2) + "|")
    for name, make, shared in cases(pathlib.Path(sys.argv[1])):
        cells = [f"{loss:.3g} / {error:.3f}" for loss, error in measured(make, shared)]
        print(f"| {'lda' if shared else 'qda'}: {name} |", " | ".join(cells), "|", flush=True)


if __name__ == "__main__":
    main()
