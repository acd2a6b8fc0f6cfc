"""--variance-prior: variances of each class drawn towards the pooled ones, and what the floor says."""

import json
import random
import unittest

from support import CliTest, Sample, three_classes


def column(sample, j, label=None):
    return [row[j] for row, k in zip(sample.rows, sample.labels) if label in (None, k)]


def scatter(values):
    mean = sum(values) / len(values)
    return sum((x - mean) ** 2 for x in values)


def by_hand(sample, kappa):
    """v_jk = (n_k s2_jk + kappa s2_j) / (n_k + kappa), s2_j pooled within the classes."""
    n = len(sample.labels)
    found = {}
    for k in sample.classes:
        own = [scatter(column(sample, j, k)) for j in range(len(sample.names))]
        pooled = [sum(scatter(column(sample, j, c)) for c in sample.classes) / n
                  for j in range(len(sample.names))]
        n_k = sample.labels.count(k)
        found[k] = [(s + kappa * p) / (n_k + kappa) for s, p in zip(own, pooled)]
    return found


def flags(n=60, seed=4):
    """Two columns of 0 and 1, of which one is 0 throughout class a, and one of measurements."""
    rng = random.Random(seed)
    labels = ["ab"[i % 2] for i in range(n)]
    rows = [[int(k == "b" and rng.random() < 0.5), int(rng.random() < 0.4), rng.gauss(0, 1)]
            for k in labels]
    return Sample(["seen", "other", "x"], rows, labels)


class VariancePrior(CliTest):
    def variances(self, model):
        return {k["name"]: [line[j] for j, line in enumerate(k["covariance"])]
                for k in self.ok_json("inspect", model)["classes"]}

    def assert_formula(self, sample, kappa, model):
        got, want = self.variances(model), by_hand(sample, kappa)
        for k, values in want.items():
            for g, w in zip(got[k], values):
                self.assertAlmostEqual(g, w, delta=1e-12 * w)

    def test_is_the_formula(self):
        sample = three_classes(seed=9)
        for kappa in (0, 0.5, 1, 20):
            self.assert_formula(sample, kappa, self.fit(sample, "--model", "gnb",
                                                        "--variance-prior", kappa))

    def test_also_of_merged_statistics(self):
        sample = three_classes(seed=9)
        whole = range(len(sample.labels))
        parts = [self.write(f"{i}.csv", sample.subset([j for j in whole if j % 2 == i]))
                 for i in (0, 1)]
        for i, part in enumerate(parts):
            self.ok("stats", part, "-o", self.folder / f"{i}.json")
        self.ok("merge", self.folder / "0.json", self.folder / "1.json", "-o",
                self.folder / "all.json")
        model = self.folder / "m.json"
        self.ok("fit", self.folder / "all.json", "--model", "gnb", "--variance-prior", 3, "-o", model)
        self.assert_formula(sample, 3, model)

    def test_units_do_not_matter(self):
        sample = three_classes(seed=10)
        scaled = sample.scaled((1e-6, 3e4, 7))
        options = ("--variance-prior", "2", "--model")
        for family in ("gnb", "spherical"):
            first = self.proba(self.fit(sample, *options, family), self.write("a.csv", sample))
            second = self.proba(self.fit(scaled, *options, family), self.write("b.csv", scaled))
            self.assert_rows_close(second, first, 1e-10)

    def test_is_saved_and_shown(self):
        model = self.fit(three_classes(seed=9), "--model", "gnb", "--variance-prior", "2.5")
        self.assertEqual(json.loads(model.read_text())["blocks"][0]["variance_prior"], 2.5)
        self.assertIn("variance prior: 2.5 rows", self.ok("inspect", model).out)
        self.assertEqual(self.ok_json("inspect", model)["blocks"][0]["variance_prior"], 2.5)
        plain = self.fit(three_classes(seed=9), "--model", "gnb")
        self.assertNotIn("variance_prior", plain.read_text())

    def test_missing_cells_are_learned_with_it(self):
        sample = three_classes(seed=11, counts=(40, 40, 40))
        rng = random.Random(3)
        holes = Sample(sample.names, [["" if rng.random() < 0.2 else x for x in row]
                                      for row in sample.rows], sample.labels)
        model = self.fit(holes, "--model", "gnb", "--variance-prior", 5)
        got = self.variances(model)
        pooled = []
        for j in range(3):  # a column alone, since gnb's columns are independent
            there = {k: [row[j] for row, c in zip(holes.rows, holes.labels)
                         if c == k and row[j] != ""] for k in "abc"}
            # the fixed point: cells that are missing count with the variance itself
            v = {k: scatter(x) / len(x) for k, x in there.items()}
            for _ in range(2000):
                s = {k: (scatter(x) + (40 - len(x)) * v[k]) / 40 for k, x in there.items()}
                all_ = sum(s.values()) / 3
                v = {k: (40 * s[k] + 5 * all_) / 45 for k in v}
            pooled.append(v)
        for k in "abc":
            for j in range(3):
                self.assertAlmostEqual(got[k][j], pooled[j][k], delta=1e-6 * pooled[j][k])

    def test_is_refused_by_name_where_it_means_nothing(self):
        data = self.write("d.csv", three_classes(seed=9))
        for family in ("qda", "lda", "dlda", "centroid", "rda"):
            self.refused("fit", data, "--model", family, "--variance-prior", "1", status=2,
                         mentions=(family, "--model gnb", "--variance-prior"))
        self.refused("fit", data, "--model", "mda", "--covariance", "gnb", "--variance-prior", "1",
                     status=2, mentions=("mda does not use --variance-prior",))
        for value in ("-1", "inf", "x"):
            self.refused("fit", data, "--model", "gnb", "--variance-prior", value, status=2)


class Floor(CliTest):
    def test_says_which_columns_and_what_helps(self):
        data = self.write("f.csv", flags())
        result = self.ok("fit", data, "--model", "gnb", "-o", self.folder / "m.json")
        self.assertIn("warning: 1 of 6 variances is raised to the variance floor ('seen'), which "
                      "makes posteriors too certain: use --type seen=binary, or --variance-prior 1\n",
                      result.err)
        shown = self.ok("inspect", self.folder / "m.json").out
        self.assertIn("raised to the variance floor ('seen')", shown)
        for cure in (("--variance-prior", "1"), ("--type", "seen=binary")):
            cured = self.ok("fit", data, "--model", "gnb", *cure, "-o", self.folder / "c.json")
            self.assertNotIn("floor", cured.err)

    def test_lists_all_columns_that_are_flags(self):
        rng = random.Random(5)
        labels = ["ab"[i % 2] for i in range(60)]
        rows = [[int(k == "b" and rng.random() < 0.5), int(k == "a" and rng.random() < 0.3),
                 4.0 if k == "a" else rng.gauss(4, 1)] for k in labels]
        data = self.write("f.csv", Sample(["one", "two", "x"], rows, labels))
        options = ("fit", data, "--model", "gnb", "-o", self.folder / "m.json")
        said = self.ok(*options).err
        self.assertIn("('one', 'two', 'x')", said)
        self.assertIn(": use --type one=binary,two=binary for what is 0 or 1, or --variance-prior 1\n",
                      said)
        self.assertIn("('x')", self.ok(*options, "--type", "one=binary,two=binary").err)

    def test_a_table_of_flags_alone(self):
        sample = flags()
        data = self.write("f.csv", Sample(["seen"], [row[:1] for row in sample.rows], sample.labels))
        options = ("fit", data, "--model", "gnb", "-o", self.folder / "m.json")
        self.assertIn(": use --type seen=binary, or --variance-prior 1\n", self.ok(*options).err)
        self.assertNotIn("floor", self.ok(*options, "--type", "seen=binary").err)

    def test_the_prior_that_is_offered_is_enough(self):
        sample = flags(n=40_000)
        data = self.write("f.csv", sample)
        options = ("fit", data, "--model", "gnb", "-o", self.folder / "m.json")
        self.assertIn("--variance-prior 10\n", self.ok(*options).err)  # 1 of 20,001 is below 1e-4
        self.assertIn("--variance-prior 10\n", self.ok(*options, "--variance-prior", 1).err)
        self.assertNotIn("floor", self.ok(*options, "--variance-prior", 10).err)

    def test_measurements_are_not_called_flags(self):
        sample = three_classes(seed=2)
        rows = [[5.0, *row[1:]] if k == "a" else row for row, k in zip(sample.rows, sample.labels)]
        data = self.write("d.csv", Sample(sample.names, rows, sample.labels))
        result = self.ok("fit", data, "--model", "gnb", "-o", self.folder / "m.json")
        self.assertIn("('x1')", result.err)
        self.assertNotIn("binary", result.err)


if __name__ == "__main__":
    unittest.main()
