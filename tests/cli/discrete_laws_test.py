"""Laws of the discrete models: weights, orders, smoothing, sums to one, statistics that add up."""

import itertools
import math
import random
import unittest

from discrete_formulas import Categorical, Model
from discrete_support import COLOURS, SIZES, DiscreteTest, categories, counts, flags, only
from support import Sample, csv_text


class DiscreteLaws(DiscreteTest):
    samples = (("categorical", categories(30)), ("joint", categories(30)),
               ("bernoulli", flags(31)), ("multinomial", counts(32)),
               ("poisson", counts(32)), ("complement", counts(32)))

    def each(self):
        return [(name, sample, self.write(f"{name}_rows.csv", sample))
                for name, sample in self.samples]

    def test_weight_two_is_the_row_twice(self):
        for name, sample, data in self.each():
            with self.subTest(model=name):
                weights = [1 + i % 3 for i in range(len(sample.rows))]
                weighted = Sample(sample.names, sample.rows, sample.labels, weights)
                repeated = sample.subset([i for i, w in enumerate(weights) for _ in range(w)])
                self.assert_same_answers(
                    self.fit(weighted, "--model", name, "--weights", "w", name="w.json"),
                    self.fit(repeated, "--model", name, name="r.json"), data,
                    joint=name != "complement", tolerance=1e-12)

    def test_the_order_of_rows_and_columns_does_not_matter(self):
        for name, sample, data in self.each():
            with self.subTest(model=name):
                order = list(range(len(sample.rows)))
                random.Random(33).shuffle(order)
                turned = only(sample.subset(order), range(len(sample.names))[::-1])
                self.assert_same_answers(self.fit(sample, "--model", name, name="a.json"),
                                         self.fit(turned, "--model", name, name="b.json"), data,
                                         joint=name != "complement", tolerance=1e-12)

    def test_much_smoothing_leaves_the_prior(self):
        for name, sample, data in self.each():
            with self.subTest(model=name):
                if name == "complement":
                    continue
                model = self.fit(sample, "--model", name, "--smoothing", 1e14)
                priors = Model(sample).priors
                self.assert_rows_close(self.proba(model, data), [priors] * len(sample.rows), 1e-9)

    def test_two_levels_are_bernoulli(self):
        sample = flags(34)
        words = Sample(sample.names, [["no yes".split()[v] for v in r] for r in sample.rows],
                       sample.labels)
        for data in (sample, words):
            rows = self.write("rows.csv", data)
            for s in (0, 1, 2.5):
                self.assert_same_answers(
                    self.fit(data, "--model", "categorical", "--smoothing", s, name="c.json"),
                    self.fit(data, "--model", "bernoulli", "--smoothing", s, name="b.json"),
                    rows, tolerance=1e-12)

    def assert_sums_to_one(self, model, names, outcomes):
        rows = self.write("all.csv", csv_text(names, outcomes))
        total = math.fsum(math.exp(v) for joint in self.joint(model, rows)
                          for v in joint.values())
        self.assertAlmostEqual(total, 1, delta=1e-11)

    def test_probabilities_of_all_outcomes_sum_to_one(self):
        everything = list(itertools.product(COLOURS, SIZES, ("yes", "no")))
        for s in (1.0, 0.0, 0.25, 7.5):
            for name in ("categorical", "joint"):
                with self.subTest(model=name, smoothing=s):
                    model = self.fit(categories(35), "--model", name, "--smoothing", s)
                    self.assert_sums_to_one(model, ("colour", "size", "spotted"), everything)
            with self.subTest(model="bernoulli", smoothing=s):
                sample = flags(36)
                model = self.fit(sample, "--model", "bernoulli", "--smoothing", s)
                self.assert_sums_to_one(model, sample.names,
                                        itertools.product((0, 1), repeat=4))
            with self.subTest(model="multinomial", smoothing=s):
                sample = counts(37)
                model = self.fit(sample, "--model", "multinomial", "--smoothing", s)
                for length in (0, 1, 6):
                    self.assert_sums_to_one(model, sample.names, [
                        x for x in itertools.product(range(length + 1), repeat=3)
                        if sum(x) == length])

    def test_fit_on_merged_shards_is_fit_on_all(self):
        """The shards differ in levels and in classes."""
        for name, sample, data in self.each():
            with self.subTest(model=name):
                parts = ([i for i, y in enumerate(sample.labels) if y == "a"],
                         [i for i, (y, r) in enumerate(zip(sample.labels, sample.rows))
                          if y != "a" and r[0] in ("red", "green", 0, 1)],
                         [i for i, (y, r) in enumerate(zip(sample.labels, sample.rows))
                          if y != "a" and r[0] not in ("red", "green", 0, 1)])
                shards = [self.statistics(sample.subset(part), f"{name}{i}.stats", "--model", name)
                          for i, part in enumerate(parts) if part]
                whole = self.fit(sample, "--model", name, name="whole.json")
                for i, order in enumerate((shards, shards[::-1])):
                    merged = self.folder / f"merged{i}.stats"
                    self.ok("merge", *order, "-o", merged)
                    again = self.fit(merged, "--model", name, name=f"again{i}.json")
                    self.assert_same_answers(again, whole, data, joint=name != "complement",
                                             tolerance=1e-12)

    def test_forget_undoes_merge(self):
        for name, sample, data in self.each():
            with self.subTest(model=name):
                kept, gone = sample.subset(range(40)), sample.subset(range(40, len(sample.rows)))
                whole = self.statistics(sample, "whole.stats", "--model", name)
                rest = self.folder / "rest.stats"
                self.ok("forget", whole, self.write("gone.csv", gone), "-o", rest)
                self.assert_same_answers(self.fit(rest, "--model", name, name="rest.json"),
                                         self.fit(kept, "--model", name, name="kept.json"), data,
                                         joint=name != "complement", tolerance=1e-12)

    def test_forgotten_levels_were_never_seen(self):
        kept = only(categories(38), (0, 1))
        gone = Sample(kept.names, [["violet", "small"], ["violet", "huge"]], ["a", "b"])
        whole = self.statistics(Sample(kept.names, kept.rows + gone.rows,
                                       kept.labels + gone.labels), "w.stats",
                                "--model", "categorical")
        rest = self.folder / "rest.stats"
        self.ok("forget", whole, self.write("gone.csv", gone), "-o", rest)
        model = self.fit(rest, "--model", "categorical")
        expected = Model(kept, Categorical(kept, (0, 1)))
        self.assert_rows_close(
            self.joint(model, self.write("r.csv", csv_text(kept.names, kept.rows))),
            [expected.log_joint(row) for row in kept.rows], 1e-12)

    def test_forgetting_a_category_that_was_never_there_is_refused(self):
        part = self.statistics(categories(39), "p.stats", "--model", "categorical")
        never = Sample(["colour", "size", "spotted"], [["pink", "small", "no"]], ["a"])
        rest = self.folder / "rest.stats"
        self.refused("forget", part, self.write("never.csv", never), "-o", rest, status=1)
        self.assertFalse(rest.exists())


if __name__ == "__main__":
    unittest.main()
