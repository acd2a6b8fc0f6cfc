"""Categories, counts and texts to feed the program, and how answers are compared with formulas."""

import gzip
import math
import random
import unittest

from support import DATA, REFERENCE_DATA, CliTest, Sample

TEXT_MODELS = ("multinomial", "bernoulli", "complement")
DENSITIES = ("bernoulli", "categorical", "joint", "multinomial")
COLOURS = ("red", "green", "blue", "grey")
SIZES = ("small", "middle", "large")


def categories(seed, n=90, missing=0.0):
    """Two columns of several levels and one of two, in three classes."""
    rng = random.Random(seed)
    rows, labels = [], []
    for i in range(n):
        k = rng.choice((0, 0, 1, 2, 2, 2))
        row = [rng.choices(COLOURS, (1 + 4 * k, 5, 2, 6 - 2 * k))[0],
               rng.choices(SIZES, (4, 1 + 3 * k, 3))[0],
               rng.choices(("yes", "no"), (1 + k, 3))[0]]
        rows.append(["" if rng.random() < missing else cell for cell in row])
        labels.append("abc"[k])
    return Sample(["colour", "size", "spotted"], rows, labels)


def flags(seed, n=80, d=4):
    """Columns of 0 and 1 in two classes."""
    rng = random.Random(seed)
    labels = [rng.choice("ab") for _ in range(n)]
    rows = [[int(rng.random() < (0.2 + 0.15 * j if y == "a" else 0.7 - 0.1 * j))
             for j in range(d)] for y in labels]
    return Sample([f"f{j + 1}" for j in range(d)], rows, labels)


def counts(seed, n=60, d=3):
    """Columns of small whole numbers in two classes."""
    rng = random.Random(seed)
    labels = [rng.choice("ab") for _ in range(n)]
    rows = [[rng.randrange(3 + (2 * j if y == "a" else 4)) for j in range(d)] for y in labels]
    return Sample([f"n{j + 1}" for j in range(d)], rows, labels)


def vocabulary(size):
    return [f"{a}{b}{c}" for a in ("ba", "ko", "mi", "tu", "re", "so")
            for b in ("la", "ni", "do", "pe") for c in ("s", "nt", "ram", "x")][:size]


def sentence(rng, k, words):
    """Words of a class: the vocabulary is read from another end."""
    some = rng.randrange(5, 14)
    return " ".join(words[min(len(words) - 1, int(rng.expovariate(0.12)))] if k == 0
                    else words[-1 - min(len(words) - 1, int(rng.expovariate(0.08 + 0.05 * k)))]
                    for _ in range(some))


def texts(seed, n=90, size=60):
    """One text column in three classes."""
    rng = random.Random(seed)
    words = vocabulary(size)
    labels = [rng.choice("aabccc") for _ in range(n)]
    return Sample(["note"], [[sentence(rng, "abc".index(y), words)] for y in labels], labels)


def mixed(seed, n=120):
    """Two numbers, a category, a flag in words, and a text."""
    rng = random.Random(seed)
    words = vocabulary(40)
    rows, labels = [], []
    for _ in range(n):
        k = rng.choice((0, 1, 1))
        x = rng.gauss(k, 1)
        rows.append([round(x, 4), round(rng.gauss(2 * k, 1.5) + 0.5 * x, 4),
                     rng.choices(COLOURS, (1 + 3 * k, 4, 2, 3 - k))[0],
                     rng.choices(("true", "false"), (1 + 2 * k, 2))[0], sentence(rng, k, words)])
        labels.append("ab"[k])
    return Sample(["length", "width", "colour", "wild", "note"], rows, labels)


def only(sample, columns):
    return Sample([sample.names[j] for j in columns], [[row[j] for j in columns]
                                                       for row in sample.rows],
                  sample.labels, sample.weights)


def reference_file(name):
    """Path of a larger data set (perhaps of a packed one); the test is skipped without it."""
    for folder in (DATA, REFERENCE_DATA):
        for path in (folder / name, folder / f"{name}.gz"):
            if path.exists():
                return path
    raise unittest.SkipTest(f"no {name} in GENERA_REFERENCE_DATA")


def reference_text(name):
    path = reference_file(name)
    content = path.read_bytes()
    return (gzip.decompress(content) if path.suffix == ".gz" else content).decode()


class DiscreteTest(CliTest):
    """Fits, asks, and compares with a model computed apart."""

    def expect(self, sample, expected, *options, rows=None, tolerance=1e-9):
        """Log joints and posteriors of `rows` (default: the sample's) are those of `expected`."""
        model = self.fit(sample, "--target", "class", *options)
        data = self.write("rows.csv", rows or sample)
        cells = (rows or sample).rows
        self.assert_rows_close(self.joint(model, data), [expected.log_joint(r) for r in cells],
                               tolerance)
        self.assert_rows_close(self.proba(model, data), [expected.posterior(r) for r in cells],
                               tolerance)
        return model

    def assert_rows_close(self, actual, expected, tolerance):
        """As for every model; infinite where infinite is expected."""
        for i, (got, want) in enumerate(zip(actual, expected)):
            self.assertEqual({k: math.isinf(v) for k, v in got.items()},
                             {k: math.isinf(v) for k, v in want.items()}, f"row {i}")
        super().assert_rows_close(actual, expected, tolerance)

    def blocks(self, model, kind):
        return [b for b in self.ok_json("inspect", model)["blocks"] if b["type"] == kind]

    def block(self, model, kind):
        found = self.blocks(model, kind)
        self.assertEqual(len(found), 1, f"blocks of type {kind}")
        return found[0]

    def terms(self, model, kind="multinomial"):
        return self.block(model, kind)["terms"]

    def statistics(self, data, name, *options):
        path = self.folder / name
        if isinstance(data, Sample):
            data = self.write(f"{name}.csv", data)
        self.ok("stats", data, "-o", path, "--target", "class", *options)
        return path

    def assert_tables_close(self, found, expected, tolerance=1e-12):
        """Probabilities by name."""
        self.assertEqual(set(found), set(expected))
        for key, p in expected.items():
            self.assertAlmostEqual(found[key], p, delta=tolerance, msg=key)

    def assert_same_answers(self, first, second, data, *, joint=True, tolerance=1e-9):
        """Two models agree on the rows of a file."""
        self.assertEqual(self.labels(first, data), self.labels(second, data))
        self.assert_rows_close(self.proba(first, data), self.proba(second, data), tolerance)
        if joint:
            self.assert_rows_close(self.joint(first, data), self.joint(second, data), tolerance)

    def errors(self, model, test):
        return self.ok_json("evaluate", model, test)["errors"]
