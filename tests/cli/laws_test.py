"""Laws every model obeys: units, permutations, weights, equal members, statistics that add up."""

import random
import unittest
from fractions import Fraction

from support import FAMILY, CliTest, Sample, csv_text, three_classes

VARIANTS = [("--model", family) for family in FAMILY] + [
    ("--model", "rda", "--alpha", "0.3", "--gamma", "0.4"),
    ("--model", "rda", "--gamma", "0.4", "--toward", "identity"),
    ("--model", "qda", "--shrinkage", "oas"),
    ("--model", "qda", "--shrinkage", "lw"),
    ("--model", "lda", "--shrinkage", "0.2"),
    ("--model", "gnb", "--variance-floor", "0.5"),
    ("--model", "lda", "--divisor", "unbiased"),
]


class Law(CliTest):
    def answers(self, sample, rows, *options):
        """(labels, posteriors) of `rows` under a model of `sample`."""
        model = self.fit(sample, "--target", "class", *options)
        data = rows if not isinstance(rows, Sample) else self.write("rows.csv", rows)
        return self.labels(model, data), self.proba(model, data)

    def assert_same_answers(self, first, second, tolerance=1e-9):
        self.assertEqual(first[0], second[0])
        self.assert_rows_close(first[1], second[1], tolerance)


class UnitLaw(Law):
    def test_a_column_times_a_constant_changes_nothing(self):
        sample = three_classes(seed=1)
        for options in VARIANTS:
            plain = self.answers(sample, sample, *options)
            for factors in ((1e-6, 1, 1), (1, 3e5, 1), (1e-6, -2.5, 3e5), (1e12, 1, 1e-12)):
                with self.subTest(options=options, factors=factors):
                    scaled = sample.scaled(factors)
                    self.assert_same_answers(self.answers(scaled, scaled, *options), plain, 1e-8)

    def test_a_shifted_column_changes_nothing(self):
        sample = three_classes(seed=2)
        shifted = Sample(sample.names, [[x + 1000, y - 64, z] for x, y, z in sample.rows],
                         sample.labels)
        for options in VARIANTS:
            with self.subTest(options=options):
                self.assert_same_answers(self.answers(shifted, shifted, *options),
                                         self.answers(sample, sample, *options), 1e-8)


class PermutationLaw(Law):
    def test_of_rows(self):
        sample = three_classes(seed=3)
        order = list(range(len(sample.rows)))
        random.Random(3).shuffle(order)
        for options in VARIANTS:
            with self.subTest(options=options):
                self.assert_same_answers(self.answers(sample.subset(order), sample, *options),
                                         self.answers(sample, sample, *options))

    def test_of_columns(self):
        sample = three_classes(seed=4)
        turned = Sample(["x3", "x1", "x2"], [[z, x, y] for x, y, z in sample.rows], sample.labels)
        for options in VARIANTS:
            with self.subTest(options=options):
                self.assert_same_answers(self.answers(turned, sample, *options),
                                         self.answers(sample, sample, *options))

    def test_of_columns_at_prediction_has_the_same_bits(self):
        sample = three_classes(seed=5)
        model = self.fit(sample, "--model", "qda")
        turned = self.write("t.csv", csv_text(
            ["class", "x2", "extra", "x3", "x1"],
            [[c, y, "?", z, x] for (x, y, z), c in zip(sample.rows, sample.labels)]))
        plain = self.write("p.csv", sample)
        self.assertEqual(self.ok("predict", model, turned, "--proba", "--joint").out,
                         self.ok("predict", model, plain, "--proba", "--joint").out)

    def test_of_class_names(self):
        sample = three_classes(seed=6)
        names = {"a": "z", "b": "m", "c": "d"}
        renamed = Sample(sample.names, sample.rows, [names[y] for y in sample.labels])
        for options in VARIANTS:
            with self.subTest(options=options):
                labels, rows = self.answers(sample, sample, *options)
                other_labels, other_rows = self.answers(renamed, sample, *options)
                self.assertEqual([names[y] for y in labels], other_labels)
                self.assert_rows_close(other_rows, [{"d": p["c"], "m": p["b"], "z": p["a"]}
                                                    for p in rows], 1e-9)


class WeightLaw(Law):
    def test_weight_two_is_the_row_twice(self):
        sample = three_classes(seed=7)
        rng = random.Random(7)
        weights = [rng.choice((1, 2, 3)) for _ in sample.rows]
        repeated = sample.subset([i for i, w in enumerate(weights) for _ in range(w)])
        weighted = Sample(sample.names, sample.rows, sample.labels, weights)
        for options in VARIANTS:
            with self.subTest(options=options):
                self.assert_same_answers(
                    self.answers(weighted, sample, "--weights", "w", *options),
                    self.answers(repeated, sample, *options))

    def test_weight_zero_is_no_row(self):
        sample = three_classes(seed=8)
        kept = [i for i in range(len(sample.rows)) if i % 5]
        weighted = Sample(sample.names, sample.rows, sample.labels,
                          [1 if i % 5 else 0 for i in range(len(sample.rows))])
        self.assert_same_answers(
            self.answers(weighted, sample, "--weights", "w", "--model", "qda"),
            self.answers(sample.subset(kept), sample, "--model", "qda"))

    def test_weights_that_are_all_zero(self):
        data = self.write("z.csv", "x,w,y\n1,0,a\n2,0,b\n3,0,a\n")
        self.refused("fit", data, "--weights", "w", "--model", "lda",
                     mentions=("there is no row to learn from", "a weight above 0"))

    def test_negative_weights_are_refused(self):
        sample = three_classes(seed=9)
        sample.weights = [1] * len(sample.rows)
        sample.weights[11] = -1
        data = self.write("d.csv", sample)
        self.refused("fit", data, "--weights", "w", status=1, mentions=("'w'", "d.csv:13"))


class EqualMembers(Law):
    def test_corners_of_the_regularised_model(self):
        sample = three_classes(seed=10)
        for family, alpha, gamma in (("qda", 1, 0), ("lda", 0, 0), ("gnb", 1, 1), ("dlda", 0, 1)):
            for divisor in ("mle", "unbiased"):
                with self.subTest(family=family, divisor=divisor):
                    corner = ("--model", "rda", "--alpha", alpha, "--gamma", gamma)
                    self.assert_same_answers(
                        self.answers(sample, sample, *corner, "--divisor", divisor),
                        self.answers(sample, sample, "--model", family, "--divisor", divisor))

    def test_posteriors_sum_to_one(self):
        sample = three_classes(seed=11)
        far = self.write("far.csv", csv_text(sample.names, [
            *sample.rows, [1e6, 0.0, 0.0], [0.0, -1e100, 0.0], [1e200, 1e200, -1e200]]))
        for options in VARIANTS:
            with self.subTest(options=options):
                for row in self.answers(sample, far, *options)[1]:
                    self.assertAlmostEqual(sum(row.values()), 1, delta=1e-12)
                    self.assertTrue(all(0 <= p <= 1 for p in row.values()))


    def test_impossible_rows_get_the_prior_and_are_counted(self):
        sample = three_classes(seed=12, counts=(10, 20, 70))
        model = self.fit(sample, "--model", "qda")
        data = self.write("far.csv", csv_text(sample.names, [[1e200, 0.0, 0.0], [0.0, 0.0, 0.0],
                                                             [0.0, -1e200, 1e250]]))
        result = self.ok("predict", model, data, "--proba")
        self.assertRegex(result.err, r"\b2 rows")
        rows = self.proba(model, data)
        for i in (0, 2):
            self.assert_rows_close([rows[i]], [{"a": 0.1, "b": 0.2, "c": 0.7}], 1e-15)


class StatisticsLaw(Law):
    def statistics(self, sample, name, *options):
        path = self.folder / name
        self.ok("stats", self.write(f"{name}.csv", sample), "-o", path, "--target", "class",
                *options)
        return path

    def shards(self, sample, parts):
        size = -(-len(sample.rows) // parts)
        return [self.statistics(sample.subset(range(i * size, min((i + 1) * size,
                                                                   len(sample.rows)))), f"s{i}")
                for i in range(parts)]

    def parameters(self, source, *options):
        model = self.fit(source, *options, name="fitted.json")
        return self.ok_json("inspect", model)["classes"]

    def assert_same_parameters(self, found, expected, accuracy):
        self.assertEqual([k["name"] for k in found], [k["name"] for k in expected])
        for a, b in zip(found, expected):
            self.assertAlmostEqual(a["count"], b["count"], delta=1e-9)
            self.assertAlmostEqual(a["prior"], b["prior"], delta=1e-14)
            sd = [b["covariance"][j][j] ** 0.5 for j in range(len(b["mean"]))]
            self.assert_matrices_close([a["mean"]], [b["mean"]],
                                       lambda i, j: accuracy * (sd[j] + abs(b["mean"][j])))
            self.assert_matrices_close(a["covariance"], b["covariance"],
                                       lambda i, j: accuracy * sd[i] * sd[j])

    def test_fit_on_merged_shards_is_fit_on_all(self):
        for centre in (0.0, 1e8):
            sample = three_classes(seed=12, centre=centre)
            merged = self.folder / "merged.stats"
            self.ok("merge", *self.shards(sample, 4), "-o", merged)
            for family in FAMILY:
                with self.subTest(centre=centre, family=family):
                    self.assert_same_parameters(
                        self.parameters(merged, "--model", family),
                        self.parameters(sample, "--model", family, "--target", "class"), 1e-12)

    def test_merged_moments_far_from_zero_are_exact(self):
        sample = three_classes(seed=13, centre=1e8)
        merged = self.folder / "merged.stats"
        self.ok("merge", *self.shards(sample, 3), "-o", merged)
        exact = []
        for name in "abc":
            rows = [[Fraction(v) for v in x] for x, y in zip(sample.rows, sample.labels)
                    if y == name]
            n = len(rows)
            mean = [sum(column) / n for column in zip(*rows)]
            covariance = [[float(sum((x[i] - mean[i]) * (x[j] - mean[j]) for x in rows) / n)
                           for j in range(3)] for i in range(3)]
            exact.append({"name": name, "count": n, "prior": n / len(sample.rows),
                          "mean": [float(m) for m in mean], "covariance": covariance})
        self.assert_same_parameters(self.parameters(merged, "--model", "qda"), exact, 1e-12)

    def test_merge_in_any_order_and_grouping(self):
        a, b, c = self.shards(three_classes(seed=14), 3)
        orders = {}
        for name, order in (("abc", (a, b, c)), ("cab", (c, a, b))):
            orders[name] = self.folder / f"{name}.stats"
            self.ok("merge", *order, "-o", orders[name])
        grouped = self.folder / "grouped.stats"
        self.ok("merge", b, c, "-o", grouped)
        self.ok("merge", a, grouped, "-o", grouped)
        first = self.parameters(orders["abc"], "--model", "qda")
        for other in (orders["cab"], grouped):
            self.assert_same_parameters(self.parameters(other, "--model", "qda"), first, 1e-13)

    def test_forget_undoes_merge(self):
        sample = three_classes(seed=15, centre=50.0)
        whole = self.statistics(sample, "whole")
        gone, kept = sample.subset(range(0, 30)), sample.subset(range(30, len(sample.rows)))
        rest = self.folder / "rest.stats"
        self.ok("forget", whole, self.write("gone.csv", gone), "-o", rest)
        self.assert_same_parameters(self.parameters(rest, "--model", "qda"),
                                    self.parameters(kept, "--model", "qda"), 1e-11)

    def test_forgetting_a_whole_class_removes_it(self):
        sample = three_classes(seed=16)
        whole = self.statistics(sample, "whole")
        gone = sample.subset([i for i, y in enumerate(sample.labels) if y == "b"])
        rest = self.folder / "rest.stats"
        self.ok("forget", whole, self.write("gone.csv", gone), "-o", rest)
        self.assertEqual([k["name"] for k in self.parameters(rest)], ["a", "c"])

    def test_forgetting_a_class_by_name_is_never_having_learned_it(self):
        sample = three_classes(seed=16)
        whole = self.statistics(sample, "whole")
        kept = sample.subset([i for i, y in enumerate(sample.labels) if y != "b"])
        rest, never = self.folder / "rest.stats", self.statistics(kept, "never")
        self.ok("forget", whole, "--class", "b", "-o", rest)
        self.assertEqual(rest.read_bytes(), never.read_bytes())
        for family in ("qda", "lda", "gnb"):
            left, right = (self.fit(s, "--model", family, name=f"{i}.json")
                           for i, s in enumerate((rest, never)))
            self.assertEqual(left.read_bytes(), right.read_bytes())

    def test_forgetting_a_class_that_is_not_there(self):
        rows = [[x, k] for x, k in ((1.0, "1.0"), (2.0, "1.0"), (3.0, "2.0"), (5.0, "2.0"))]
        whole = self.folder / "whole.stats"
        self.ok("stats", self.write_data("w.csv", ["x", "class"], rows), "-o", whole)
        self.refused("forget", whole, "--class", "2.9", "-o", whole, status=2,
                     mentions=("whole.stats", "'2.9'", "did you mean '2.0'"))
        self.ok("forget", whole, "--class", "2", "-o", whole)
        self.assertEqual([k["name"] for k in self.ok_json("fit", whole)["classes"]], ["1.0"])

    def test_forgetting_what_was_never_there_is_refused(self):
        sample = three_classes(seed=17, counts=(10, 10, 10))
        part = self.statistics(sample.subset(range(10)), "part")
        rest = self.folder / "rest.stats"
        self.refused("forget", part, self.write("all.csv", sample), "-o", rest, status=1,
                     mentions=("class '",))
        self.assertFalse(rest.exists())

    def test_forgetting_nearly_all_the_scatter_warns(self):
        rng = random.Random(18)
        narrow = [[rng.gauss(0, 1)] for _ in range(40)]
        wide = [[rng.gauss(0, 1000)] for _ in range(40)]
        labels = ["a", "b"] * 40
        whole = self.statistics(Sample(["x"], narrow + wide, labels), "whole")
        gone = self.write("gone.csv", Sample(["x"], wide, labels[:40]))
        result = self.ok("forget", whole, gone, "-o", self.folder / "rest.stats")
        self.assertRegex(result.err, "warning")

    def test_a_new_class_may_appear_in_a_shard(self):
        sample = three_classes(seed=19)
        index = {k: [i for i, y in enumerate(sample.labels) if y in k] for k in ("ab", "c")}
        first = self.statistics(sample.subset(index["ab"]), "first")
        second = self.statistics(sample.subset(index["c"]), "second")
        merged = self.folder / "merged.stats"
        self.ok("merge", first, second, "-o", merged)
        self.assert_same_parameters(self.parameters(merged, "--model", "qda"),
                                    self.parameters(sample, "--model", "qda"), 1e-12)

    def test_columns_of_shards_are_matched_by_name(self):
        sample = three_classes(seed=20)
        head, tail = sample.subset(range(40)), sample.subset(range(40, len(sample.rows)))
        turned = Sample(["x2", "x3", "x1"], [[y, z, x] for x, y, z in tail.rows], tail.labels)
        merged = self.folder / "merged.stats"
        self.ok("merge", self.statistics(head, "h"), self.statistics(turned, "t"), "-o", merged)
        self.assert_same_parameters(self.parameters(merged, "--model", "qda"),
                                    self.parameters(sample, "--model", "qda"), 1e-12)

    def test_a_shard_with_other_columns_is_refused(self):
        sample = three_classes(seed=21)
        other = Sample(["x1", "x2", "length"], sample.rows, sample.labels)
        merged = self.folder / "merged.stats"
        self.refused("merge", self.statistics(sample, "s"), self.statistics(other, "o"),
                     "-o", merged, status=1, mentions=("'length'",))
        self.assertFalse(merged.exists())

    def test_ledoit_wolf_needs_the_rows(self):
        statistics = self.statistics(three_classes(seed=22), "s")
        self.refused("fit", statistics, "--model", "qda", "--shrinkage", "lw", mentions=("lw",))

    def test_weights_in_statistics(self):
        sample = three_classes(seed=23)
        sample.weights = [1 + i % 3 for i in range(len(sample.rows))]
        statistics = self.statistics(sample, "s", "--weights", "w")
        self.assert_same_parameters(self.parameters(statistics, "--model", "qda"),
                                    self.parameters(sample, "--model", "qda", "--weights", "w"),
                                    1e-13)


if __name__ == "__main__":
    unittest.main()
