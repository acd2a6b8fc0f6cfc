"""Explanations: what speaks for the best class against the second, feature by feature."""

import math
import unittest

import formulas
from discrete_formulas import (Categorical, Complement, Gaussian, Model, Multinomial, Presence,
                               counts_of, top_log_odds, words_of)
from discrete_support import DiscreteTest, categories, counts, flags, mixed, only, texts
from support import FAMILY, Sample, csv_text, three_classes


def category_parts(sample, block, row, best, second):
    """{column=level: log ratio} of the cells that are not missing."""
    return {f"{sample.names[j]}={row[j]}": math.log(first[str(row[j])] / other[str(row[j])])
            for j, first, other in zip(block.columns, block.tables[best], block.tables[second])
            if str(row[j]) in first}


def term_parts(block, row, best, second, prefix=""):
    """{term: count times log ratio}."""
    return {prefix + t: count * math.log(block.p[best][t] / block.p[second][t])
            for t, count in block.known(row).items()}


def diagonal_parts(sample, block, row, best, second):
    """{column: half the difference of squared distances}."""
    result = {}
    for i, j in enumerate(block.columns):
        squares = [(float(row[j]) - mean[i]) ** 2 / covariance[i][i]
                   for _, mean, covariance in (block.parameters[best], block.parameters[second])]
        result[sample.names[j]] = 0.5 * (squares[1] - squares[0])
    return result


class Explained(DiscreteTest):
    def explain(self, model, data, n, *options):
        return self.ok_csv("predict", model, data, "--explain", n, *options)

    def parts(self, row, n):
        """[(feature, contribution)] of a row of output; empty cells come last, in pairs."""
        pairs = [(row[f"feature_{i}"], row[f"contribution_{i}"]) for i in range(1, n + 1)]
        filled = [pair for pair in pairs if pair != ("", "")]
        self.assertEqual(pairs[:len(filled)], filled)
        return [(feature, float(value)) for feature, value in filled]

    def assert_adds_up(self, row, n, joint=None):
        """base + contributions + rest = log odds of the best against the second class."""
        parts = self.parts(row, n)
        sizes = [abs(value) for _, value in parts]
        self.assertEqual(sizes, sorted(sizes, reverse=True))
        self.assertEqual(len({feature for feature, _ in parts}), len(parts))
        terms = [float(row["base"]), *(value for _, value in parts), float(row["rest"])]
        odds = float(row["log_odds"])
        scale = max(1.0, *map(abs, terms))
        self.assertAlmostEqual(math.fsum(terms), odds, delta=1e-9 * scale)
        self.assertGreaterEqual(odds, 0)
        if joint is not None:
            best, second = sorted(joint, key=lambda k: -joint[k])[:2]
            self.assertEqual((row["prediction"], row["second"]), (best, second))
            self.assertAlmostEqual(joint[best] - joint[second], odds, delta=1e-9 * scale)
        return parts

    def assert_parts(self, model, sample, expected_parts, joints, base=None):
        """Every feature has the contribution of the formula, whatever N; zeros may be left out."""
        data = self.write("rows.csv", sample)
        for n in (1, 3, 40):
            for row, cells, joint in zip(self.explain(model, data, n), sample.rows, joints):
                parts = self.assert_adds_up(row, n, joint)
                best, second = row["prediction"], row["second"]
                expected = expected_parts(cells, best, second)
                ranked = sorted(map(abs, expected.values()), reverse=True)
                for (feature, value), size in zip(parts, ranked):
                    self.assertAlmostEqual(value, expected.get(feature, 0.0), delta=1e-9,
                                           msg=feature)
                    self.assertAlmostEqual(abs(value), size, delta=1e-9)
                listed = {feature for feature, value in parts}
                if n == 40:
                    left = [v for f, v in expected.items() if f not in listed]
                    self.assertTrue(all(abs(v) < 1e-12 for v in left), (cells, left))
                self.assertAlmostEqual(float(row["rest"]), math.fsum(
                    v for f, v in expected.items() if f not in listed), delta=1e-9)
                if base is not None:
                    self.assertAlmostEqual(float(row["base"]), base(best, second), delta=1e-9)


class Columns(Explained):
    def test_header(self):
        data = self.write("d.csv", categories(seed=1))
        model = self.fit(data, "--model", "categorical")
        p, joint = [f"p({k})" for k in "abc"], [f"logjoint({k})" for k in "abc"]
        tail = ["second", "log_odds", "base", "feature_1", "contribution_1", "feature_2",
                "contribution_2", "rest"]
        for options, before in (((), []), (("--proba",), p), (("--joint",), joint),
                                (("--proba", "--joint"), p + joint)):
            with self.subTest(options=options):
                text = self.ok("predict", model, data, "--explain", 2, *options).out
                self.assertEqual(text.split("\n", 1)[0].split(","),
                                 ["prediction", *before, *tail])
        kept = self.explain(model, data, 1, "--keep", "size")
        self.assertEqual(list(kept[0])[:3], ["size", "prediction", "second"])

    def test_cells_without_a_feature_are_empty(self):
        sample = only(categories(seed=2), (0, 1))
        data = self.write("d.csv", sample)
        for row in self.explain(self.fit(data, "--model", "categorical"), data, 5):
            self.assertEqual(len(self.parts(row, 5)), 2)
            self.assertEqual([row["feature_3"], row["contribution_5"]], ["", ""])
            self.assertAlmostEqual(float(row["rest"]), 0, delta=1e-12)

    def test_answers_do_not_change(self):
        data = self.write("d.csv", mixed(seed=3))
        model = self.fit(data, "--model", "lda")
        plain = self.ok_csv("predict", model, data, "--proba", "--joint")
        for row, explained in zip(plain, self.explain(model, data, 2, "--proba", "--joint")):
            self.assertEqual(row, {key: explained[key] for key in row})

    def test_any_number_of_threads_and_pipes(self):
        sample = mixed(seed=4, n=4000)
        data = self.write("d.csv", sample)
        model = self.fit(data, "--model", "qda")
        seen = {self.ok("predict", model, data, "--explain", 4, "--threads", t).out
                for t in (1, 8)}
        seen.add(self.ok("predict", model, "-", "--explain", 4, stdin=sample.text()).out)
        self.assertEqual(len(seen), 1)

    def test_wrong_numbers(self):
        data = self.write("d.csv", categories(seed=5))
        model = self.fit(data, "--model", "categorical")
        for value in ("-1", "some", "1.5"):
            with self.subTest(value=value):
                self.refused("predict", model, data, "--explain", value, status=2,
                             mentions=("--explain",))

    def test_features_with_commas_are_quoted(self):
        rows = [["x, y", "p"], ['say "z"', "q"], ["x, y", "q"], ['say "z"', "p"]] * 5
        sample = Sample(["a, b", "c"], rows, list("abbb") * 5)
        data = self.write("d.csv", sample)
        row = self.explain(self.fit(data, "--model", "categorical"), data, 2)[0]
        self.assertIn("a, b=x, y", (row["feature_1"], row["feature_2"]))


class Naive(Explained):
    def prior_odds(self, sample):
        priors = Model(sample).priors
        return lambda best, second: math.log(priors[best] / priors[second])

    def test_categories(self):
        for name, sample in (("categorical", categories(seed=10, missing=0.1)),
                             ("bernoulli", flags(seed=11))):
            with self.subTest(model=name):
                block = Categorical(sample, range(len(sample.names)))
                joints = [Model(sample, block).log_joint(row) for row in sample.rows]
                self.assert_parts(
                    self.fit(sample, "--model", name), sample,
                    lambda row, b, s, t=sample, c=block: category_parts(t, c, row, b, s),
                    joints, self.prior_odds(sample))

    def test_unseen_categories_contribute_nothing(self):
        sample = categories(seed=12)
        block = Categorical(sample, range(3))
        asked = Sample(sample.names, [["pink", "small", "no"], ["red", "", "perhaps"]], ["a", "a"])
        joints = [Model(sample, block).log_joint(row) for row in asked.rows]
        self.assert_parts(self.fit(sample, "--model", "categorical"), asked,
                          lambda row, b, s: category_parts(sample, block, row, b, s), joints,
                          self.prior_odds(sample))

    def test_counts(self):
        sample = counts(seed=13, d=6)
        block = Multinomial(sample, counts_of(sample.names, range(6)))
        joints = [Model(sample, block).log_joint(row) for row in sample.rows]
        self.assert_parts(self.fit(sample, "--model", "multinomial"), sample,
                          lambda row, b, s: term_parts(block, row, b, s), joints,
                          self.prior_odds(sample))

    def test_words(self):
        sample = texts(seed=14)
        block = Multinomial(sample, words_of(0))
        joints = [Model(sample, block).log_joint(row) for row in sample.rows]
        self.assert_parts(self.fit(sample, "--model", "multinomial"), sample,
                          lambda row, b, s: term_parts(block, row, b, s), joints,
                          self.prior_odds(sample))

    def test_words_of_two_columns_bear_their_names(self):
        first, second = texts(seed=15, size=30), texts(seed=16, size=60)
        sample = Sample(["subject", "body"], [[a[0], b[0]] for a, b in
                                              zip(first.rows, second.rows)], first.labels)
        blocks = [Multinomial(sample, words_of(j)) for j in (0, 1)]
        joints = [Model(sample, *blocks).log_joint(row) for row in sample.rows]
        self.assert_parts(self.fit(sample, "--model", "multinomial"), sample,
                          lambda row, b, s: {**term_parts(blocks[0], row, b, s, "subject:"),
                                             **term_parts(blocks[1], row, b, s, "body:")},
                          joints, self.prior_odds(sample))

    def test_words_that_are_there_or_not(self):
        sample = texts(seed=17)
        expected = Model(sample, Presence(sample, words_of(0)))
        data = self.write("d.csv", sample)
        model = self.fit(data, "--model", "bernoulli")
        for n in (1, 5, 100):
            for row, cells in zip(self.explain(model, data, n), sample.rows):
                self.assert_adds_up(row, n, expected.log_joint(cells))

    def test_complement(self):
        sample = texts(seed=18)
        block = Complement(sample, words_of(0))
        scores = [block.scores(row) for row in sample.rows]
        self.assert_parts(self.fit(sample, "--model", "complement"), sample,
                          lambda row, b, s: term_parts(block, row, s, b), scores,
                          lambda best, second: 0.0)

    def test_zero_probabilities_give_no_nan(self):
        for name, sample in (("categorical", categories(seed=19)), ("multinomial", texts(seed=19)),
                             ("bernoulli", texts(seed=19)), ("joint", categories(seed=19))):
            with self.subTest(model=name):
                data = self.write("d.csv", sample)
                model = self.fit(data, "--model", name, "--smoothing", 0)
                self.ok("predict", model, data, "--proba", "--explain", 3)

    def test_full_tables(self):
        sample = categories(seed=20)
        data = self.write("d.csv", sample)
        model = self.fit(data, "--model", "joint")
        for row, joint in zip(self.explain(model, data, 3), self.joint(model, data)):
            self.assert_adds_up(row, 3, joint)


class Numbers(Explained):
    def test_diagonal_models(self):
        sample = three_classes(seed=30)
        for family in ("gnb", "dlda", "spherical", "centroid"):
            with self.subTest(family=family):
                block = Gaussian(sample, (0, 1, 2), family)
                model = Model(sample, block)

                def base(best, second, block=block, priors=model.priors):
                    logs = [sum(math.log(block.parameters[k][2][j][j]) for j in range(3))
                            for k in (best, second)]
                    return math.log(priors[best] / priors[second]) - 0.5 * (logs[0] - logs[1])
                self.assert_parts(
                    self.fit(sample, "--model", family), sample,
                    lambda row, b, s, c=block: diagonal_parts(sample, c, row, b, s),
                    [model.log_joint(row) for row in sample.rows], base)

    def test_full_models_add_up(self):
        sample = three_classes(seed=31, d=4)
        data = self.write("d.csv", sample)
        for family in FAMILY:
            with self.subTest(family=family):
                model = self.fit(data, "--model", family)
                joints = self.joint(model, data)
                for n in (1, 4, 6):
                    for row, joint in zip(self.explain(model, data, n), joints):
                        parts = self.assert_adds_up(row, n, joint)
                        self.assertEqual(len(parts), min(n, 4))
                        self.assertLessEqual({f for f, _ in parts}, set(sample.names))
                        if n >= 4:
                            self.assertAlmostEqual(float(row["rest"]), 0, delta=1e-9)

    def test_base_holds_the_prior_odds_and_the_determinants(self):
        sample = three_classes(seed=32)
        data = self.write("d.csv", sample)
        for family in ("lda", "qda"):
            with self.subTest(family=family):
                parameters = formulas.estimate(sample, family)
                fixed = {k: math.log(prior) - 0.5 * formulas.solve(covariance, mean)[1]
                         for k, (prior, mean, covariance) in parameters.items()}
                for row in self.explain(self.fit(data, "--model", family), data, 1):
                    self.assertAlmostEqual(float(row["base"]), fixed[row["prediction"]]
                                           - fixed[row["second"]], delta=1e-9)


class Mixed(Explained):
    def test_all_kinds_of_features(self):
        sample = mixed(seed=40)
        gaussian, words = Gaussian(sample, (0, 1), "gnb"), Multinomial(sample, words_of(4))
        levels = Categorical(sample, (2, 3))
        model = Model(sample, gaussian, levels, words)
        self.assert_parts(self.fit(sample, "--model", "gnb"), sample,
                          lambda row, b, s: {**diagonal_parts(sample, gaussian, row, b, s),
                                             **category_parts(sample, levels, row, b, s),
                                             **term_parts(words, row, b, s)},
                          [model.log_joint(row) for row in sample.rows])

    def test_sparse_rows(self):
        text = "".join(f"{i % 2} {1 + i % 3}:{1 + i % 2} {5 + i % 4}:2\n" for i in range(40))
        data = self.write("d.svm", text)
        for name in ("multinomial", "bernoulli", "gnb", "complement"):
            with self.subTest(model=name):
                model = self.fit(data, "--model", name)
                for row in self.explain(model, data, 3):
                    parts = self.assert_adds_up(row, 3)
                    self.assertLessEqual({f.lstrip("!") for f, _ in parts}, set("12345678"))


class TopLevels(DiscreteTest):
    def test_levels_that_speak_for_a_class(self):
        sample = mixed(seed=50)
        block = Categorical(sample, (2, 3))
        words = Multinomial(sample, words_of(4))
        tables = {k: {**words.p[k], **{f"{sample.names[j]}={v}": p for j, table in
                                       zip(block.columns, block.tables[k])
                                       for v, p in table.items()}} for k in "ab"}
        odds = top_log_odds(tables, Model(sample).priors)
        found = self.ok_json("inspect", self.fit(sample, "--model", "lda"), "--top", 12)["top"]
        self.assertEqual(sorted(found), ["a", "b"])
        for k, entries in found.items():
            best = sorted(odds[k].values(), reverse=True)[:12]
            self.assertEqual(len(entries), 12)
            for entry, value in zip(entries, best):
                self.assertAlmostEqual(entry["log_odds"], value, delta=1e-9)
                self.assertAlmostEqual(odds[k][entry["feature"]], value, delta=1e-9)

    def test_without_discrete_blocks(self):
        data = self.write("d.csv", csv_text(["x", "class"], [
            [float(i % 7 + (i % 2)), "ab"[i % 2]] for i in range(30)]))
        self.works_or_refuses("inspect", self.fit(data, "--model", "lda"), "--top", 3)


if __name__ == "__main__":
    unittest.main()
