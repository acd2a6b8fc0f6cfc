"""The formulas of docs/numerics.md in exact arithmetic: doubles go in as they are, and 60 digits are
carried through, so that what differs is the program's rounding."""

import mpmath
from mpmath import mpf

mpmath.mp.dps = 60
LOG_2PI = mpmath.log(2 * mpmath.pi)


def exact(rows):
    return [[mpf(value) for value in row] for row in rows]


class Moments:
    """Weight, mean and scatter of some rows."""

    def __init__(self, rows):
        d = len(rows[0])
        self.n = len(rows)
        self.mean = [mpmath.fsum(row[j] for row in rows) / self.n for j in range(d)]
        centred = [[x - m for x, m in zip(row, self.mean)] for row in rows]
        self.scatter = [[mpmath.fsum(r[i] * r[j] for r in centred) if j <= i else None
                         for j in range(d)] for i in range(d)]
        for i in range(d):
            for j in range(i + 1, d):
                self.scatter[i][j] = self.scatter[j][i]


def scaled(matrix, factor):
    return [[value * factor for value in row] for row in matrix]


def added(a, b):
    return [[x + y for x, y in zip(p, q)] for p, q in zip(a, b)]


def diagonal_of(matrix):
    return [[v if i == j else mpf(0) for j, v in enumerate(row)] for i, row in enumerate(matrix)]


def factor(matrix):
    """The lower triangle L with L L' = matrix."""
    d = len(matrix)
    lower = [[mpf(0)] * d for _ in range(d)]
    for i in range(d):
        for j in range(i + 1):
            rest = matrix[i][j] - mpmath.fsum(lower[i][k] * lower[j][k] for k in range(j))
            lower[i][j] = mpmath.sqrt(rest) if i == j else rest / lower[j][j]
    return lower


class Gaussian:
    def __init__(self, mean, covariance):
        self.mean, self.covariance = mean, covariance
        self.lower = factor(covariance)
        self.log_root = mpmath.fsum(mpmath.log(self.lower[i][i]) for i in range(len(mean)))

    def distance(self, row):
        """Squared, of Mahalanobis."""
        z = []
        for i, line in enumerate(self.lower):
            z.append((row[i] - self.mean[i] - mpmath.fsum(line[k] * z[k] for k in range(i))) / line[i])
        return mpmath.fsum(value * value for value in z)

    def log_density(self, row):
        return -(len(row) * LOG_2PI + self.distance(row)) / 2 - self.log_root

    def of(self, columns):
        """The distribution of some of its columns."""
        return Gaussian([self.mean[i] for i in columns],
                        [[self.covariance[i][j] for j in columns] for i in columns])


def fitted(rows, labels, model, alpha=0, gamma=0):
    """{class: (log prior, Gaussian, rows of the class)} by maximum likelihood."""
    classes = sorted(set(labels))
    moments = {k: Moments([r for r, y in zip(rows, labels) if y == k]) for k in classes}
    n = len(rows)
    pooled = None
    for part in moments.values():
        pooled = part.scatter if pooled is None else added(pooled, part.scatter)
    pooled = scaled(pooled, mpf(1) / n)
    result = {}
    for k, part in moments.items():
        own = scaled(part.scatter, mpf(1) / part.n)
        covariance = {"qda": own, "lda": pooled, "gnb": diagonal_of(own),
                      "dlda": diagonal_of(pooled)}.get(model)
        if model == "rda":
            mixed = added(scaled(own, alpha), scaled(pooled, 1 - alpha))
            covariance = added(scaled(mixed, 1 - gamma), scaled(diagonal_of(mixed), gamma))
        result[k] = (mpmath.log(mpf(part.n) / n), Gaussian(part.mean, covariance), part.n)
    return result


def log_joints(model, row):
    """By class, of the columns that are there (None: missing)."""
    there = [j for j, x in enumerate(row) if x is not None]
    result = {}
    for k, (log_prior, density, _) in model.items():
        if len(there) < len(row):
            density = density.of(there)
        result[k] = log_prior + (density.log_density([row[j] for j in there]) if there else 0)
    return result


def posteriors(joints):
    top = max(joints.values())
    parts = {k: mpmath.exp(v - top) for k, v in joints.items()}
    total = mpmath.fsum(parts.values())
    return {k: v / total for k, v in parts.items()}


def f_tail(value, d1, d2):
    """P(F >= value) of the F distribution with d1 and d2 degrees of freedom."""
    return mpmath.betainc(mpf(d2) / 2, mpf(d1) / 2, 0, d2 / (d2 + d1 * value), regularized=True)


def outlier_tail(model, row, shared):
    """max_k P(F_{d, nu - d + 1} >= D2 n_k/(n_k + 1) (nu - d + 1)/(nu d)), D2 unbiased."""
    d = len(row)
    n = sum(part[2] for part in model.values())
    tails = []
    for _, density, rows in model.values():
        nu = n - len(model) if shared else rows - 1
        unbiased = density.distance(row) * nu / (n if shared else rows)
        tails.append(f_tail(unbiased * rows / (rows + 1) * (nu - d + 1) / (nu * d), d, nu - d + 1))
    return max(tails)
