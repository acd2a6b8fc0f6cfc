"""The formulas of the discrete blocks in plain Python, written apart from the library.

A block answers log_probability(row, k) for a row of cells and a class; "" is a missing cell. A view
takes from a row the counts of the terms that a block models.
"""

import itertools
import math
import re
from collections import Counter

import formulas


def log(p):
    return math.log(p) if p > 0 else -math.inf


def tokens(text):
    """Lower-cased runs of two or more letters, digits or underscores."""
    return re.findall(r"(?u)\b\w\w+\b", text.lower())


def ngrams(words, shortest, longest):
    """Runs of words, joined by a blank."""
    return [" ".join(words[i:i + n]) for n in range(shortest, longest + 1)
            for i in range(len(words) - n + 1)]


def words_of(column, shortest=1, longest=1):
    """The view of a text column."""
    return lambda row: Counter(ngrams(tokens(row[column]), shortest, longest))


def counts_of(names, columns):
    """The view of count columns."""
    return lambda row: Counter({names[j]: float(row[j]) for j in columns})


def class_weights(sample):
    result = dict.fromkeys(sample.classes, 0.0)
    for w, y in zip(formulas.weights_of(sample), sample.labels):
        result[y] += w
    return result


def levels_of(sample, column):
    return sorted({str(row[column]) for row in sample.rows} - {""})


class Categorical:
    """Independent within a class: (n_jvk + s) / (N_jk + s V_j); Bernoulli is the case V_j = 2."""

    def __init__(self, sample, columns, smoothing=1.0, levels=None):
        self.columns = columns
        self.levels = levels or [levels_of(sample, j) for j in columns]
        self.tables = {k: [self.table(sample, j, values, k, smoothing)
                           for j, values in zip(columns, self.levels)] for k in sample.classes}

    @staticmethod
    def table(sample, column, values, k, smoothing):
        counts = dict.fromkeys(values, 0.0)
        for w, row, y in zip(formulas.weights_of(sample), sample.rows, sample.labels):
            if y == k and str(row[column]) != "":
                counts[str(row[column])] += w
        total = sum(counts.values()) + smoothing * len(values)
        return {v: (n + smoothing) / total for v, n in counts.items()}

    def log_probability(self, row, k):
        return sum(log(table[str(row[j])]) for j, table in zip(self.columns, self.tables[k])
                   if str(row[j]) in table)


class Joint:
    """One table per class: (n_cell + s) / (n_k + s cells); missing cells are summed over."""

    def __init__(self, sample, columns, smoothing=1.0):
        self.columns = columns
        self.levels = [levels_of(sample, j) for j in columns]
        self.cells = list(itertools.product(*self.levels))
        total = class_weights(sample)
        counts = {k: Counter() for k in sample.classes}
        for w, row, y in zip(formulas.weights_of(sample), sample.rows, sample.labels):
            counts[y][tuple(str(row[j]) for j in columns)] += w
        self.tables = {k: {cell: (counts[k][cell] + smoothing)
                           / (total[k] + smoothing * len(self.cells)) for cell in self.cells}
                       for k in sample.classes}

    def log_probability(self, row, k):
        known = [(i, str(row[j])) for i, j in enumerate(self.columns)
                 if str(row[j]) in self.levels[i]]
        return log(math.fsum(p for cell, p in self.tables[k].items()
                             if all(cell[i] == v for i, v in known)))


class Terms:
    """What the models of terms share: weighted occurrences, and rows with the term, per class."""

    def __init__(self, sample, view, terms=None):
        self.view, self.rows = view, class_weights(sample)
        self.occurrences = {k: Counter() for k in sample.classes}
        self.presences = {k: Counter() for k in sample.classes}
        for w, row, y in zip(formulas.weights_of(sample), sample.rows, sample.labels):
            for term, count in view(row).items():
                self.occurrences[y][term] += w * count
                self.presences[y][term] += w * (count > 0)
        seen = set().union(*self.occurrences.values())
        self.terms = sorted(seen if terms is None else terms)
        self.classes = sample.classes

    def known(self, row):
        terms = set(self.terms)
        return {term: count for term, count in self.view(row).items() if term in terms and count}


class Multinomial(Terms):
    """theta_jk = (N_jk + s) / (N_k + s V), the coefficient included."""

    def __init__(self, sample, view, smoothing=1.0, terms=None):
        super().__init__(sample, view, terms)
        self.p = {}
        for k, counts in self.occurrences.items():
            total = sum(counts[t] for t in self.terms) + smoothing * len(self.terms)
            self.p[k] = {t: (counts[t] + smoothing) / total for t in self.terms}

    def log_probability(self, row, k):
        known = self.known(row)
        coefficient = math.lgamma(sum(known.values()) + 1) - sum(
            math.lgamma(count + 1) for count in known.values())
        return coefficient + sum(count * log(self.p[k][t]) for t, count in known.items())


class Poisson:
    """lambda_jk = (S_jk + s m_j) / (N_jk + s), m_j the mean of the column; "" is left out."""

    def __init__(self, sample, columns, smoothing=1.0):
        self.columns = columns
        self.rates = {k: [] for k in sample.classes}
        for j in columns:
            seen = [(w, float(row[j]), y) for w, row, y in
                    zip(formulas.weights_of(sample), sample.rows, sample.labels)
                    if str(row[j]) != ""]
            mean = sum(w * x for w, x, _ in seen) / sum(w for w, _, _ in seen)
            for k in sample.classes:
                total = sum(w * x for w, x, y in seen if y == k)
                weight = sum(w for w, _, y in seen if y == k)
                self.rates[k].append((total + smoothing * mean) / (weight + smoothing))

    def log_probability(self, row, k):
        return math.fsum((x * log(rate) if x else 0) - rate - math.lgamma(x + 1)
                         for x, rate in ((float(row[j]), rate) for j, rate in
                                         zip(self.columns, self.rates[k]) if str(row[j]) != ""))


class Presence(Terms):
    """psi_jk = (rows of the class with the term + s) / (rows of the class + 2 s)."""

    def __init__(self, sample, view, smoothing=1.0, terms=None):
        super().__init__(sample, view, terms)
        self.p = {k: {t: (counts[t] + smoothing) / (self.rows[k] + 2 * smoothing)
                      for t in self.terms} for k, counts in self.presences.items()}

    def log_probability(self, row, k):
        known = self.known(row)
        return math.fsum(log(p if t in known else 1 - p) for t, p in self.p[k].items())


class Complement(Terms):
    """Rennie et al. (2003): -sum_j x_j log p(j | the other classes), without a prior."""

    def __init__(self, sample, view, smoothing=1.0, terms=None):
        super().__init__(sample, view, terms)
        self.p = {}
        for k in self.classes:
            others = {t: sum(self.occurrences[o][t] for o in self.classes if o != k) + smoothing
                      for t in self.terms}
            total = sum(others.values())
            self.p[k] = {t: n / total for t, n in others.items()}

    def scores(self, row):
        return {k: -sum(count * math.log(self.p[k][t]) for t, count in self.known(row).items())
                for k in self.classes}

    def posterior(self, row):
        return softmax(self.scores(row))


class Gaussian:
    """The numbers of a mixed table, any member of the family."""

    def __init__(self, sample, columns, family, **how):
        numbers = type(sample)([sample.names[j] for j in columns],
                               [[float(row[j]) for j in columns] for row in sample.rows],
                               sample.labels, sample.weights)
        self.columns = columns
        self.parameters = formulas.estimate(numbers, family, priors=dict.fromkeys(
            sample.classes, 1.0), **how)

    def log_probability(self, row, k):
        x = [float(row[j]) for j in self.columns]
        return formulas.log_joint({k: self.parameters[k]}, x)[k]


def softmax(values):
    total = formulas.log_sum_exp(values.values())
    return {k: math.exp(v - total) for k, v in values.items()}


class Model:
    """A prior times blocks."""

    def __init__(self, sample, *blocks, priors=None):
        weight = class_weights(sample)
        self.blocks = blocks
        self.priors = priors or {k: w / sum(weight.values()) for k, w in weight.items()}

    def log_joint(self, row):
        return {k: math.log(prior) + sum(b.log_probability(row, k) for b in self.blocks)
                for k, prior in self.priors.items()}

    def posterior(self, row):
        joint = self.log_joint(row)
        return dict(self.priors) if max(joint.values()) == -math.inf else softmax(joint)


def top_log_odds(tables, priors):
    """{class: {term: log p(term | class) - log p(term | other classes)}} of {class: {term: p}}."""
    result = {}
    for k, table in tables.items():
        others = [o for o in tables if o != k]
        weight = sum(priors[o] for o in others)
        result[k] = {t: math.log(p) - math.log(sum(priors[o] * tables[o][t] for o in others)
                                               / weight) for t, p in table.items()}
    return result
