"""Averaged one-dependence estimators: the definition written again, every verb, what is refused."""

import bisect
import math
import random
import unittest

from discrete_support import DiscreteTest, categories
from support import Sample, csv_text, parse_csv


def numbers(seed, n=120):
    """Two numbers (the second with many zeros), a category and a flag, in three classes; some cells
    are missing."""
    rng = random.Random(seed)
    rows, labels = [], []
    for _ in range(n):
        k = rng.choice((0, 1, 1, 2))
        x = rng.gauss(k, 1)
        row = [round(x, 3), 0 if rng.random() < 0.3 else round(rng.expovariate(1 + k) + 0.1 * x, 3),
               rng.choices(("red", "green", "blue"), (1 + 3 * k, 4, 2))[0],
               "yes" if rng.random() < (0.2 + 0.3 * (x > 1)) else "no"]
        rows.append(["" if rng.random() < 0.05 else cell for cell in row])
        labels.append("abc"[k])
    return Sample(["x", "z", "colour", "flag"], rows, labels)


def limits_of(values, bins):
    """Each bin begins with a value that is in it."""
    different = sorted(set(values))
    if len(different) <= bins:
        return different[1:]
    left, held, limits = len(values), 0, []
    for value in different:
        count, share = values.count(value), left / (bins - len(limits))
        if len(limits) == bins - 1:
            break
        if held and (held >= share * (1 - 1e-9) or (count >= 0.6 * share and held > 0.25 * share)):
            limits.append(value)
            left -= held
            held = 0
        held += count
    return limits


class Column:
    """Codes of a column, and the density of a cell within its code."""

    def __init__(self, cells, numeric, bins):
        self.numeric = numeric
        known = [cell for cell in cells if cell != ""]
        if not numeric:
            self.levels = sorted(set(known))
            self.count = len(self.levels)
            return
        self.limits = limits_of(known, bins)
        self.count = len(self.limits) + 1
        first, last = self.limits[0], self.limits[-1]
        low = [first - x for x in known if x < first]
        high = [x - last for x in known if x >= last]
        self.below = math.fsum(low) / len(low)
        self.above = math.fsum(high) / len(high) or last - max(x for x in known if x < last)

    def code(self, cell):
        if cell == "":
            return None
        return bisect.bisect_right(self.limits, cell) if self.numeric else self.levels.index(cell)

    def log_density(self, cell):
        if cell == "" or not self.numeric:
            return 0
        b = self.code(cell)
        if b == 0:
            return -math.log(self.below) - (self.limits[0] - cell) / self.below
        if b == len(self.limits):
            return -math.log(self.above) - (cell - self.limits[-1]) / self.above
        return -math.log(self.limits[b] - self.limits[b - 1])


def spread(weights, rows):
    """Neighbouring bins lend each other a quarter of their weight, less of many `rows`."""
    if len(weights) < 4:
        return weights
    part = 0.25 / (1 + rows / len(weights) / 200)
    last = len(weights) - 1
    found = [0.0] * len(weights)
    for v, weight in enumerate(weights):
        found[v] += weight * (1 - 2 * part)
        found[max(v - 1, 0)] += weight * part
        found[min(v + 1, last)] += weight * part
    return found


class Aode:
    def __init__(self, sample, numeric, smoothing=1.0, bins=None):
        n = len(sample.rows)
        bins = bins or min(20, max(4, round(n ** (1 / 3))))
        self.columns = [Column([row[j] for row in sample.rows], j in numeric, bins)
                        for j in range(len(sample.names))]
        self.classes = sorted(set(sample.labels))
        self.s = smoothing
        self.prior = {k: sample.labels.count(k) / n for k in self.classes}
        coded = [[column.code(cell) for column, cell in zip(self.columns, row)]
                 for row in sample.rows]
        self.of_class = {k: [row for row, y in zip(coded, sample.labels) if y == k]
                         for k in self.classes}
        self.marginals = [self.marginal(j) for j in range(len(self.columns))]

    def smoothed(self, j, weights, rows):
        return spread(weights, rows) if self.columns[j].numeric else weights

    def marginal(self, j):
        levels = self.columns[j].count
        counts = {k: [sum(row[j] == v for row in rows) for v in range(levels)]
                  for k, rows in self.of_class.items()}
        weights = {k: self.smoothed(j, count, sum(count)) for k, count in counts.items()}
        pooled = [sum(w[v] for w in weights.values()) + self.s / levels for v in range(levels)]
        pooled = [w / sum(pooled) for w in pooled]
        return {k: [(w[v] + self.s * pooled[v]) / (sum(w) + self.s) for v in range(levels)]
                for k, w in weights.items()}

    def pair(self, i, j, k):
        """Weights of the levels of i (lists) and j, in class k."""
        table = [[float(sum(row[i] == u and row[j] == v for row in self.of_class[k]))
                  for v in range(self.columns[j].count)] for u in range(self.columns[i].count)]
        rows = math.fsum(map(sum, table))
        table = [self.smoothed(j, row, rows) for row in table]
        return [list(row) for row in zip(*[self.smoothed(i, list(c), rows) for c in zip(*table)])]

    def child(self, i, u, j, k):
        row = self.pairs(i, j, k)[u]
        return [(w + self.s * p) / (sum(row) + self.s) for w, p in zip(row, self.marginals[j][k])]

    def pairs(self, i, j, k):
        known = self.__dict__.setdefault("known", {})
        if (i, j, k) not in known:
            known[i, j, k] = self.pair(i, j, k)
        return known[i, j, k]

    def probability(self, codes, k):
        """p(codes | k); None: missing. The sum over all levels of a missing super-parent."""
        total = 0
        for i, column in enumerate(self.columns):
            for u in range(column.count) if codes[i] is None else (codes[i],):
                product = self.marginals[i][k][u]
                for j, v in enumerate(codes):
                    if j != i and v is not None:
                        product *= self.child(i, u, j, k)[v]
                total += product
        return total / len(self.columns)

    def log_joint(self, row):
        codes = [column.code(cell) for column, cell in zip(self.columns, row)]
        within = math.fsum(column.log_density(cell) for column, cell in zip(self.columns, row))
        return {k: math.log(self.prior[k] * self.probability(codes, k)) + within
                for k in self.classes}


class AgainstTheDefinition(DiscreteTest):
    def check(self, sample, expected, *arguments):
        model = self.fit(sample, "--model", "aode", *arguments)
        data = self.write("rows.csv", csv_text(sample.names, sample.rows))
        self.assert_rows_close(self.joint(model, data),
                               [expected.log_joint(row) for row in sample.rows], 1e-10)

    def test_categories(self):
        sample = categories(40, missing=0.1)
        for s in (1.0, 3.5):
            self.check(sample, Aode(sample, (), s), "--smoothing", s)

    def test_numbers_beside_categories(self):
        sample = numbers(41)
        self.check(sample, Aode(sample, (0, 1)))
        self.check(sample, Aode(sample, (0, 1), 0.5, 9), "--max-bins", 9, "--smoothing", 0.5)


class Verbs(DiscreteTest):
    def setUp(self):
        super().setUp()
        self.sample = numbers(50)
        self.model = self.fit(self.sample, "--model", "aode")
        self.data = self.write("rows.csv", self.sample)

    def test_inspect(self):
        text = self.ok("inspect", self.model).out
        for words in ("averaged one-dependence estimators", "4 columns with",
                      "numbers are cut into bins: x, z"):
            self.assertIn(words, text)
        self.assertIn("colour=", self.ok("inspect", self.model, "--top", 20).out)
        block = self.block(self.model, "aode")
        self.assertEqual((block["cut"], block["features"]), (["x", "z"], self.sample.names))

    def test_explain(self):
        for row in self.ok_csv("predict", self.model, self.data, "--explain", 4):
            self.assertTrue(math.isfinite(float(row["log_odds"])))

    def test_sample_impute_probability_score(self):
        self.assertEqual(len(parse_csv(self.ok("sample", self.model, "-n", 50).out)), 50)
        found = self.ok_csv("impute", self.model, self.data)
        self.assertTrue(all(cell for row in found for name, cell in row.items()
                            if name in self.sample.names))
        self.ok("probability", self.model, "--between", "colour=red", "--given", "x=1.5")
        self.ok("score", self.model, self.data)
        self.ok("select", self.data, "--models", "aode,gnb", "--grid", "max_bins=4,8")

    def test_statistics_of_parts(self):
        half = len(self.sample.rows) // 2
        first = self.statistics(self.sample.subset(range(half)), "a.json", "--model", "aode")
        rest = self.write("rest.csv", self.sample.subset(range(half, 2 * half)))
        second, other = self.folder / "b.json", self.folder / "c.json"
        self.ok("stats", rest, "--like", first, "-o", second)
        self.ok("stats", rest, "--model", "aode", "-o", other)
        merged, again = self.folder / "all.json", self.folder / "again.json"
        self.refused("merge", first, other, "-o", merged,
                     mentions=["is cut into bins at other limits on each side", "--like FIRST"])
        self.ok("merge", first, second, "-o", merged)
        self.ok("forget", merged, rest, "-o", again)
        models = [self.folder / "m1.json", self.folder / "m2.json"]
        for statistics, model in zip((first, again), models):
            self.ok("fit", statistics, "--model", "aode", "-o", model)
        self.assert_rows_close(self.joint(models[0], self.data), self.joint(models[1], self.data),
                               1e-10)

    def test_rows_without_a_label(self):
        rows = Sample(self.sample.names, self.sample.rows,
                      ["" if i % 7 == 3 else y for i, y in enumerate(self.sample.labels)])
        data = self.write("some.csv", rows)
        self.refused("fit", data, "--model", "aode", "--unlabelled-weight", 1,
                     mentions=["aode cannot learn from rows without a label"])
        for option in (("--missing", "drop"), ("--unlabelled-weight", 0)):
            self.ok("fit", data, "--model", "aode", *option, "-o", self.folder / "some.json")

    def test_refusals(self):
        for arguments, said in (
                (("fit", self.data, "--model", "gnb", "--max-bins", 5), "gnb does not use --max-bins"),
                (("stats", self.data, "--max-bins", 5), "--max-bins is for --model aode"),
                (("stats", self.data, "--like", "x", "--model", "aode"),
                 "--like collects what STATS has, and --model asks for something else")):
            self.refused(*arguments, mentions=[said])


if __name__ == "__main__":
    unittest.main()
