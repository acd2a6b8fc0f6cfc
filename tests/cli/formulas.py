"""The formulas of the Gaussian family in plain Python, written apart from the library.

Covariances are lists of lists; a model is a dictionary from class to (prior, mean, covariance).
"""

import math


def weights_of(sample):
    return sample.weights or [1.0] * len(sample.rows)


def class_moments(sample):
    """{class: (weight, mean, scatter)} by the two-pass formula."""
    d = len(sample.names)
    result = {}
    for name in sample.classes:
        rows = [(w, x) for w, x, y in zip(weights_of(sample), sample.rows, sample.labels)
                if y == name]
        weight = math.fsum(w for w, _ in rows)
        mean = [math.fsum(w * x[j] for w, x in rows) / weight for j in range(d)]
        scatter = [[math.fsum(w * (x[i] - mean[i]) * (x[j] - mean[j]) for w, x in rows)
                    for j in range(d)] for i in range(d)]
        result[name] = (weight, mean, scatter)
    return result


def combine(a, left, b, right):
    """a * left + b * right."""
    return [[a * p + b * q for p, q in zip(x, y)] for x, y in zip(left, right)]


def scale(factor, matrix):
    return [[factor * value for value in row] for row in matrix]


def diagonal(values):
    return [[v if i == j else 0.0 for j in range(len(values))] for i, v in enumerate(values)]


def diagonal_of(matrix):
    return [matrix[i][i] for i in range(len(matrix))]


def total_variances(sample):
    """Of every column, classes put together."""
    w = weights_of(sample)
    n = math.fsum(w)
    result = []
    for j in range(len(sample.names)):
        mean = math.fsum(a * x[j] for a, x in zip(w, sample.rows)) / n
        result.append(math.fsum(a * (x[j] - mean) ** 2 for a, x in zip(w, sample.rows)) / n)
    return result


def covariances(sample, divisor):
    """(own covariance by class, pooled covariance, weight by class)."""
    moments = class_moments(sample)
    d, n, classes = len(sample.names), sum(m[0] for m in moments.values()), len(moments)
    less = 1 if divisor == "unbiased" else 0
    own = {k: scale(1 / (m[0] - less), m[2]) if m[0] > less else None for k, m in moments.items()}
    pooled = [[math.fsum(m[2][i][j] for m in moments.values()) / (n - less * classes)
               for j in range(d)] for i in range(d)]
    return own, pooled, {k: m[0] for k, m in moments.items()}


def spread_evenly(matrix, units):
    """The multiple of the identity with the same trace, in columns divided by `units`."""
    d = len(matrix)
    level = sum(matrix[j][j] / units[j] ** 2 for j in range(d)) / d
    return diagonal([level * u * u for u in units])


def floored(variances, pooled, floor):
    return [max(v, floor * p) for v, p in zip(variances, pooled)]


def shrink(matrix, units, amount):
    """D[(1 - rho) R + rho (t/d) I]D with R = D^-1 matrix D^-1."""
    return combine(1 - amount, matrix, amount, spread_evenly(matrix, units))


def correlation_scale(matrix, units):
    return [[v / (units[i] * units[j]) for j, v in enumerate(row)] for i, row in enumerate(matrix)]


def traces(r):
    return sum(diagonal_of(r)), sum(v * v for row in r for v in row)


def oas(matrix, units, nu):
    """Chen, Wiesel, Eldar and Hero (2010), equation 23."""
    d = len(matrix)
    t, q = traces(correlation_scale(matrix, units))
    if d == 1:
        return 0.0
    if q <= t * t / d:
        return 1.0
    return min(1.0, ((1 - 2 / d) * q + t * t) / ((nu + 1 - 2 / d) * (q - t * t / d)))


def ledoit_wolf(mle, units, deviations):
    """`deviations` are (weight, x - mean of its class) of the rows behind the matrix `mle`."""
    d, n = len(mle), sum(w for w, _ in deviations)
    t, q = traces(correlation_scale(mle, units))
    fourth = math.fsum(w * sum((v / u) ** 2 for v, u in zip(z, units)) ** 2 for w, z in deviations)
    return min(1.0, (fourth / n ** 2 - q / n) / (q - t * t / d))


def deviations_of(sample, moments, only=None):
    return [(w, [a - b for a, b in zip(x, moments[y][1])])
            for w, x, y in zip(weights_of(sample), sample.rows, sample.labels)
            if only is None or y == only]


def estimate(sample, family, divisor="mle", shrinkage=None, alpha=0.5, gamma=0.0,
             toward="diagonal", raw_units=False, floor=1e-4, priors=None):
    """The model that docs/numerics.md defines."""
    own, pooled, weight = covariances(sample, divisor)
    moments, d, n = class_moments(sample), len(sample.names), sum(weight.values())
    pooled_variances = diagonal_of(pooled)
    total_units = [1.0] * d if raw_units else [math.sqrt(v) for v in total_variances(sample)]
    within_units = [1.0] * d if raw_units else [math.sqrt(v) for v in pooled_variances]

    def amount(k):
        mle_own, mle_pooled, _ = covariances(sample, "mle")
        shared = family == "lda"
        if shrinkage == "oas":
            return oas(pooled if shared else own[k], within_units,
                       n - len(weight) if shared else weight[k] - 1)
        if shrinkage == "lw":
            return ledoit_wolf(mle_pooled if shared else mle_own[k], within_units,
                               deviations_of(sample, moments, None if shared else k))
        return shrinkage

    def covariance(k):
        if family in ("qda", "lda"):
            full = own[k] if family == "qda" else pooled
            return full if shrinkage is None else shrink(full, within_units, amount(k))
        if family == "gnb":
            return diagonal(floored(diagonal_of(own[k]), pooled_variances, floor))
        if family == "dlda":
            return diagonal(pooled_variances)
        if family == "spherical":
            return spread_evenly(own[k], total_units)
        if family == "centroid":
            return spread_evenly(pooled, total_units)
        mixed = combine(alpha, own[k], 1 - alpha, pooled)
        target = (spread_evenly(mixed, total_units) if toward == "identity"
                  else diagonal(floored(diagonal_of(mixed), pooled_variances, floor)))
        return combine(1 - gamma, mixed, gamma, target)

    return {k: (priors[k] if priors else weight[k] / n, moments[k][1], covariance(k))
            for k in sample.classes}


def solve(matrix, right):
    """(solution, log determinant) of a positive definite system by Gaussian elimination."""
    d = len(matrix)
    a = [[*row, value] for row, value in zip(matrix, right)]
    log_det = 0.0
    for i in range(d):
        best = max(range(i, d), key=lambda r: abs(a[r][i]))
        a[i], a[best] = a[best], a[i]
        log_det += math.log(abs(a[i][i]))
        for r in range(i + 1, d):
            factor = a[r][i] / a[i][i]
            a[r] = [x - factor * y for x, y in zip(a[r], a[i])]
    solution = [0.0] * d
    for i in reversed(range(d)):
        solution[i] = (a[i][d] - sum(a[i][j] * solution[j] for j in range(i + 1, d))) / a[i][i]
    return solution, log_det


def mahalanobis(x, mean, covariance):
    difference = [a - b for a, b in zip(x, mean)]
    solution, log_det = solve(covariance, difference)
    return sum(a * b for a, b in zip(difference, solution)), log_det


def log_joint(model, x):
    result = {}
    for k, (prior, mean, covariance) in model.items():
        d2, log_det = mahalanobis(x, mean, covariance)
        result[k] = math.log(prior) - 0.5 * (len(x) * math.log(2 * math.pi) + log_det + d2)
    return result


def log_sum_exp(values):
    top = max(values)
    return top + math.log(math.fsum(math.exp(v - top) for v in values))


def posterior(model, x):
    joint = log_joint(model, x)
    total = log_sum_exp(joint.values())
    return {k: math.exp(v - total) for k, v in joint.items()}


def f_tail(x, d1, d2):
    """P(F >= x) through the continued fraction of the incomplete beta function."""
    return incomplete_beta(d2 / 2, d1 / 2, d2 / (d2 + d1 * x))


def incomplete_beta(a, b, x):
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - incomplete_beta(b, a, 1 - x)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
                     + a * math.log(x) + b * math.log1p(-x)) / a
    c, e = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    fraction = e
    for m in range(1, 500):
        for step in (m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                     -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))):
            e, c = 1 / (1 + step * e), 1 + step / c
            fraction *= e * c
        if abs(e * c - 1) < 1e-15:
            break
    return front * fraction


def outlier_tail(sample, family, x):
    """max over classes of P(F_{d, nu-d+1} >= D^2 n_k/(n_k+1) (nu-d+1)/(nu d)), D^2 unbiased."""
    model = estimate(sample, family, divisor="unbiased")
    weight = {k: m[0] for k, m in class_moments(sample).items()}
    d, n = len(x), sum(weight.values())
    tails = []
    for k, (_, mean, covariance) in model.items():
        nu = weight[k] - 1 if family == "qda" else n - len(weight)
        d2, _ = mahalanobis(x, mean, covariance)
        statistic = d2 * weight[k] / (weight[k] + 1) * (nu - d + 1) / (nu * d)
        tails.append(f_tail(statistic, d, nu - d + 1))
    return max(tails)
