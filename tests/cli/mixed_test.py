"""Tables with numbers, categories, flags, counts and text in one model."""

import math
import random
import unittest

from discrete_formulas import Categorical, Gaussian, Model, Multinomial, counts_of, words_of
from discrete_support import DiscreteTest, mixed, only, reference_file
from support import DATA, NOT_A_NUMBER, Sample, csv_text, read_data

MEMBERS = ("qda", "lda", "gnb", "dlda", "spherical", "centroid")


def blocks_of(sample, family, smoothing=1.0, **how):
    """What a mixed sample becomes under a member of the family, with no types told."""
    return (Gaussian(sample, (0, 1), family, **how), Categorical(sample, (2,), smoothing),
            Categorical(sample, (3,), smoothing), Multinomial(sample, words_of(4), smoothing))


def with_counts(seed):
    rng = random.Random(seed)
    sample = mixed(seed)
    return Sample([*sample.names, "visits", "calls"],
                  [[*row, rng.randrange(1 + 5 * (y == "a")), rng.randrange(4)]
                   for row, y in zip(sample.rows, sample.labels)], sample.labels)


class AgainstFormulas(DiscreteTest):
    def test_every_member_of_the_family(self):
        sample = mixed(seed=1)
        for family in MEMBERS:
            with self.subTest(family=family):
                self.expect(sample, Model(sample, *blocks_of(sample, family)), "--model", family)

    def test_options_reach_their_blocks(self):
        sample = mixed(seed=2)
        for s in (0.0, 3.0):
            with self.subTest(smoothing=s):
                expected = Model(sample, *blocks_of(sample, "qda", s, divisor="unbiased"))
                self.expect(sample, expected, "--model", "qda", "--divisor", "unbiased",
                            "--smoothing", s)
        expected = Model(sample, *blocks_of(sample, "lda", shrinkage="oas"),
                         priors={"a": .9, "b": .1})
        self.expect(sample, expected, "--model", "lda", "--shrinkage", "oas", "--priors",
                    "a=.9,b=.1")

    def test_weights(self):
        sample = mixed(seed=3)
        sample.weights = [(0.5, 1.0, 2.5)[i % 3] for i in range(len(sample.rows))]
        self.expect(sample, Model(sample, *blocks_of(sample, "lda")), "--model", "lda",
                    "--weights", "w")

    def test_told_types(self):
        sample = with_counts(seed=4)
        names = sample.names
        for options, blocks in (
                (("--type", "visits=count", "--type", "calls=count"),
                 (Gaussian(sample, (0, 1), "lda"), Categorical(sample, (2, 3)),
                  Multinomial(sample, words_of(4)), Multinomial(sample, counts_of(names, (5, 6))))),
                (("--type", "visits=categorical", "--type", "calls=categorical"),
                 (Gaussian(sample, (0, 1), "lda"), Categorical(sample, (2, 3, 5, 6)),
                  Multinomial(sample, words_of(4)))),
                ((), (Gaussian(sample, (0, 1, 5, 6), "lda"), Categorical(sample, (2, 3)),
                      Multinomial(sample, words_of(4))))):
            with self.subTest(options=options):
                self.expect(sample, Model(sample, *blocks), "--model", "lda", *options)

    def test_missing_cells_of_naive_blocks_are_skipped(self):
        rng = random.Random(5)
        whole = mixed(seed=5)
        sample = Sample(whole.names, [[*row[:2], *("" if rng.random() < 0.2 else cell
                                                   for cell in row[2:4]), row[4]]
                                      for row in whole.rows], whole.labels)
        self.expect(sample, Model(sample, *blocks_of(sample, "qda")), "--model", "qda")

    def test_strings_alone(self):
        """A table without numbers has no Gaussian block, whatever the model's name."""
        sample = only(mixed(seed=6), (2, 3))
        for family in ("lda", "qda", "gnb"):
            with self.subTest(family=family):
                model = self.expect(sample, Model(sample, Categorical(sample, (0, 1))),
                                    "--model", family)
                self.assertEqual(self.blocks(model, "gaussian"), [])

    def test_evaluation_adds_the_blocks(self):
        sample = mixed(seed=7)
        expected = Model(sample, *blocks_of(sample, "lda"))
        data = self.write("rows.csv", sample)
        model = self.fit(data, "--model", "lda")
        found = self.ok_json("evaluate", model, data)
        joints = [expected.log_joint(row) for row in sample.rows]
        self.assertAlmostEqual(found["log_likelihood"], math.fsum(
            joint[y] for joint, y in zip(joints, sample.labels)), delta=1e-7)
        wrong = sum(max(joint, key=joint.get) != y for joint, y in zip(joints, sample.labels))
        self.assertEqual(found["errors"], wrong)
        for row, joint in zip(self.ok_csv("score", model, data), joints):
            top = max(joint.values())
            density = top + math.log(sum(math.exp(v - top) for v in joint.values()))
            self.assertAlmostEqual(float(row["log_density"]), density, delta=1e-8)
            self.assertTrue(0 < float(row["tail"]) <= 1)


class Typed(DiscreteTest):
    def test_inspect_shows_the_blocks(self):
        sample = with_counts(seed=10)
        model = self.fit(sample, "--model", "qda", "--type", "visits=count", "--type",
                         "calls=count")
        found = self.ok_json("inspect", model)
        kinds = sorted(b["type"] for b in found["blocks"])
        self.assertEqual(kinds, ["bernoulli", "categorical", "gaussian", "multinomial",
                                 "multinomial"])
        by_kind = {b["type"]: b for b in found["blocks"] if b["type"] != "multinomial"}
        self.assertEqual(by_kind["gaussian"]["features"], ["length", "width"])
        self.assertEqual(by_kind["categorical"]["features"], ["colour"])
        self.assertEqual(by_kind["bernoulli"]["features"], ["wild"])
        self.assertEqual(sorted(by_kind["bernoulli"]["levels"][0]), ["false", "true"])
        terms = {b.get("text"): b["terms"] for b in found["blocks"] if b["type"] == "multinomial"}
        self.assertEqual(sorted(terms[None]), ["calls", "visits"])
        self.assertEqual(set(terms), {None, "note"})
        self.assertEqual(found["parameters"]["probabilities"],
                         2 * (3 + 1 + (len(terms["note"]) - 1) + (2 - 1)))
        self.assertEqual(found["parameters"]["means"], 2 * 2)
        self.assertEqual(found["parameters"]["covariances"], 2 * 3)

    def test_integers_are_numbers_unless_told(self):
        rng = random.Random(11)
        rows = [[rng.randrange(2), rng.randrange(9)] for _ in range(60)]
        sample = Sample(["flag", "level"], rows, [rng.choice("ab") for _ in rows])
        model = self.fit(sample, "--model", "gnb")
        self.assertEqual(self.block(model, "gaussian")["features"], ["flag", "level"])
        model = self.fit(sample, "--model", "gnb", "--type", "flag=binary")
        self.assertEqual(self.block(model, "bernoulli")["features"], ["flag"])
        self.assertEqual(self.block(model, "gaussian")["features"], ["level"])

    def test_the_report_names_the_types(self):
        result = self.ok("fit", self.write("d.csv", mixed(seed=12)), "--model", "lda",
                         "-o", self.folder / "m.json")
        report = result.out + result.err
        for name in ("colour", "wild", "note", "categorical", "binary", "text"):
            self.assertIn(name, report)

    def test_a_late_level_in_a_shard_of_two(self):
        """Two levels in one shard, three in the other: statistics are matched by name."""
        sample = mixed(seed=13)
        data = self.write("rows.csv", sample)
        few = [i for i, row in enumerate(sample.rows) if row[2] in ("red", "green")]
        rest = [i for i in range(len(sample.rows)) if i not in set(few)]
        for family in ("lda", "gnb"):
            with self.subTest(family=family):
                shards = [self.statistics(sample.subset(part), f"{i}.stats")
                          for i, part in enumerate((few, rest))]
                merged = self.folder / "m.stats"
                self.ok("merge", *shards, "-o", merged)
                self.assert_same_answers(self.fit(merged, "--model", family, name="again.json"),
                                         self.fit(sample, "--model", family, name="whole.json"),
                                         data, tolerance=1e-9)

    def test_shards_that_disagree_about_a_type_are_refused(self):
        sample = mixed(seed=14)
        worded = Sample(sample.names, [["long" if row[0] > 0 else "short", *row[1:]]
                                       for row in sample.rows], sample.labels)
        merged = self.folder / "never.stats"
        self.refused("merge", self.statistics(sample, "n.stats"),
                     self.statistics(worded, "w.stats"), "-o", merged, status=1,
                     mentions=("'length'",))
        self.assertFalse(merged.exists())


class Laws(DiscreteTest):
    def setUp(self):
        super().setUp()
        self.sample = mixed(seed=20)
        self.data = self.write("rows.csv", self.sample)

    def test_forget_undoes_merge(self):
        kept, gone = self.sample.subset(range(80)), self.sample.subset(range(80, 120))
        terms = Multinomial(self.sample, words_of(4)).terms
        whole = self.statistics(self.sample, "whole.stats")
        rest = self.folder / "rest.stats"
        self.ok("forget", whole, self.write("gone.csv", gone), "-o", rest)
        model = self.fit(rest, "--model", "qda")
        expected = Model(kept, Gaussian(kept, (0, 1), "qda"), Categorical(kept, (2, 3)),
                         Multinomial(kept, words_of(4), terms=terms))
        self.assert_rows_close(self.joint(model, self.data),
                               [expected.log_joint(row) for row in self.sample.rows], 1e-9)

    def test_weight_two_is_the_row_twice(self):
        weights = [1 + i % 2 for i in range(120)]
        weighted = Sample(self.sample.names, self.sample.rows, self.sample.labels, weights)
        repeated = self.sample.subset([i for i, w in enumerate(weights) for _ in range(w)])
        for family in MEMBERS:
            with self.subTest(family=family):
                self.assert_same_answers(
                    self.fit(weighted, "--model", family, "--weights", "w", name="w.json"),
                    self.fit(repeated, "--model", family, "--type", "note=text", name="r.json"),
                    self.data)

    def test_the_order_of_columns_does_not_matter(self):
        turned = only(self.sample, (4, 2, 1, 3, 0))
        self.assert_same_answers(self.fit(self.sample, "--model", "qda", name="a.json"),
                                 self.fit(turned, "--model", "qda", name="b.json"), self.data)

    def test_units_do_not_matter(self):
        scaled = Sample(self.sample.names, [[row[0] * 1e-6, row[1] * -3e5, *row[2:]]
                                            for row in self.sample.rows], self.sample.labels)
        other = self.write("scaled.csv", scaled)
        for family in MEMBERS:
            with self.subTest(family=family):
                first = self.fit(self.sample, "--model", family, name="a.json")
                second = self.fit(scaled, "--model", family, name="b.json")
                self.assert_rows_close(self.proba(first, self.data), self.proba(second, other),
                                       1e-8)

    def test_json_cbor_threads_and_pipes(self):
        big = mixed(seed=21, n=8000)
        data = self.write("big.csv", big)
        text = self.fit(data, "--model", "qda", "--threads", 1, name="m.json")
        binary = self.fit(data, "--model", "qda", name="m.cbor")
        many = self.fit(data, "--model", "qda", "--threads", 8, name="8.json")
        piped = self.fit("-", "--model", "qda", name="p.json", stdin=big.text())
        self.assertEqual(text.read_bytes(), many.read_bytes())
        self.assertEqual(text.read_bytes(), piped.read_bytes())
        self.assertIsNone(NOT_A_NUMBER.search(text.read_text()))
        for verb, *options in (("predict", "--proba", "--joint"), ("score",),
                               ("evaluate", "--json")):
            with self.subTest(verb=verb):
                seen = {self.ok(verb, model, data, *options, "--threads", threads).out
                        for model, threads in ((text, 1), (text, 8), (binary, 2))}
                seen.add(self.ok(verb, text, "-", *options, stdin=big.text()).out)
                self.assertEqual(len(seen), 1)

    def test_nothing_is_ever_nan(self):
        """Rows far away, with unseen categories and without known words, under all smoothings."""
        rows = [[1e200, 0, "pink", "", "zzzz"], [0, 0, "", "", "..."], [-1e300, 1e300, "red",
                "perhaps", "zzzz qqqq"], [0.5, 1, "grey", "true", self.sample.rows[0][4]]]
        data = self.write("far.csv", csv_text([*self.sample.names, "class"], [
            [*row, "ab"[i % 2]] for i, row in enumerate(rows)]))
        for family in MEMBERS:
            for s in (0, 1e-300, 1, 1e300):
                with self.subTest(family=family, smoothing=s):
                    model = self.fit(self.sample, "--model", family, "--smoothing", s)
                    self.assertIsNone(NOT_A_NUMBER.search(model.read_text()))
                    for arguments in (("predict", "--proba", "--joint", "--explain", 3),
                                      ("score",), ("evaluate", "--json")):
                        self.ok(arguments[0], model, data, *arguments[1:])
                    for row in self.proba(model, data):
                        self.assertAlmostEqual(sum(row.values()), 1, delta=1e-12)
                    self.ok("inspect", model, "--json", "--top", 3)


class RealTables(DiscreteTest):
    def test_penguins(self):
        header, rows = read_data("penguins")
        complete = [row for row in rows if "" not in row]
        numeric = [j for j, name in enumerate(header[:-1]) if all(
            cell.replace(".", "").isdigit() for cell in (row[j] for row in complete))]
        other = [j for j in range(len(header) - 1) if j not in numeric]
        sample = Sample(header[:-1], [row[:-1] for row in complete], [r[-1] for r in complete])
        self.assertEqual((len(numeric), len(other)), (5, 2))
        for family in ("qda", "lda", "gnb"):
            with self.subTest(family=family):
                expected = Model(sample, Gaussian(sample, numeric, family),
                                 Categorical(sample, other))
                model = self.fit(DATA / "penguins.csv", "--model", family, "--missing", "drop")
                asked = self.write_data("rows.csv", header, complete)
                self.assert_rows_close(self.joint(model, asked),
                                       [expected.log_joint(row) for row in sample.rows], 1e-8)

    def test_adult(self):
        """Numbers in one Gaussian block (mle), categories naive with smoothing 1, missing cells
        skipped: an independent computation with NumPy, within two rows."""
        train, test = reference_file("adult_train.csv"), reference_file("adult_test.csv")
        for family, expected in (("qda", 2762), ("gnb", 2769), ("dlda", 2925), ("lda", 2933)):
            with self.subTest(family=family):
                found = self.ok_json("evaluate", self.fit(train, "--model", family), test)
                self.assertEqual(found["rows"], 16281)
                self.assertAlmostEqual(found["errors"], expected, delta=2)


if __name__ == "__main__":
    unittest.main()
