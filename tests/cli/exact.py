"""Densities in exact arithmetic: every number is the double that the program reads, as a fraction; logarithms have 60 digits.
log_factorial was compared with loggamma of mpmath 1.2.1 (60 digits) for 1 to 1e15."""

from decimal import Decimal, getcontext
from fractions import Fraction

getcontext().prec = 60
PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459")
STIRLING = [(1, 12), (-1, 360), (1, 1260), (-1, 1680), (1, 1188), (-691, 360360), (1, 156), (-3617, 122400)]


def decimal(value):
    value = Fraction(value)
    return Decimal(value.numerator) / Decimal(value.denominator)


def log_factorial(n):
    if n < 10000:
        product = 1
        for i in range(2, n + 1):
            product *= i
        return Decimal(product).ln()
    x = Decimal(n)
    series = sum(Decimal(a) / Decimal(b) / x ** (2 * i + 1) for i, (a, b) in enumerate(STIRLING))
    return x * x.ln() - x + (2 * PI * x).ln() / 2 + series


def mean_of(rows):
    return [sum(column, Fraction(0)) / len(rows) for column in zip(*rows)]


def scatter_of(rows):
    mean = mean_of(rows)
    d = range(len(mean))
    return [[sum((r[i] - mean[i]) * (r[j] - mean[j]) for r in rows) for j in d] for i in d]


def solve(matrix, vector):
    """(solution, determinant) by elimination; the matrix is positive definite."""
    a = [[*row, y] for row, y in zip(matrix, vector)]
    determinant = Fraction(1)
    for i, pivot_row in enumerate(a):
        pivot = pivot_row[i]
        determinant *= pivot
        a[i] = [x / pivot for x in pivot_row]
        for k, row in enumerate(a):
            if k != i:
                a[k] = [x - row[i] * y for x, y in zip(row, a[i])]
    return [row[-1] for row in a], determinant


class Gaussian:
    """One of qda, lda, gnb, dlda by maximum likelihood, of rows of doubles with labels."""

    def __init__(self, model, rows, labels):
        self.classes = sorted(set(labels))
        self.means, self.covariances, self.priors = {}, {}, {}
        scatters = {}
        for k in self.classes:
            own = [[Fraction(x) for x in row] for row, label in zip(rows, labels) if label == k]
            self.means[k], scatters[k] = mean_of(own), scatter_of(own)
            self.priors[k] = Fraction(len(own), len(rows))
        d = range(len(rows[0]))
        for k in self.classes:
            if model in ("lda", "dlda"):
                s = [[sum(scatters[c][i][j] for c in self.classes) / len(rows) for j in d] for i in d]
            else:
                s = [[scatters[k][i][j] / (self.priors[k] * len(rows)) for j in d] for i in d]
            if model in ("gnb", "dlda"):
                s = [[s[i][j] if i == j else Fraction(0) for j in d] for i in d]
            self.covariances[k] = s

    def posterior(self, row):
        """By class; None is missing."""
        scores = {}
        there = [j for j, x in enumerate(row) if x is not None]
        for k in self.classes:
            s = [[self.covariances[k][i][j] for j in there] for i in there]
            y = [Fraction(row[j]) - self.means[k][j] for j in there]
            z, determinant = solve(s, y)
            square = sum(a * b for a, b in zip(y, z))
            scores[k] = decimal(self.priors[k]).ln() - (decimal(determinant).ln() + decimal(square)) / 2
        top = max(scores.values())
        parts = {k: (score - top).exp() for k, score in scores.items()}
        return {k: float(part / sum(parts.values())) for k, part in parts.items()}


def log_multinomial(counts, probabilities):
    """Over the counts that are not None, given their sum."""
    there = [j for j, x in enumerate(counts) if x is not None]
    known = 1 - sum(Fraction(p) for x, p in zip(counts, probabilities) if x is None)
    total = log_factorial(sum(counts[j] for j in there))
    for j in there:
        total -= log_factorial(counts[j])
        if counts[j]:
            total += counts[j] * decimal(Fraction(probabilities[j]) / known).ln()
    return total


def log_poisson(counts, rates):
    return sum(x * decimal(Fraction(rate)).ln() - decimal(Fraction(rate)) - log_factorial(x)
               for x, rate in zip(counts, rates) if x is not None)


def log_sum(values):
    top = max(values)
    return float(top + sum((v - top).exp() for v in values).ln())
