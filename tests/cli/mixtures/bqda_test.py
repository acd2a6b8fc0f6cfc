"""fit --model bqda: t densities, each class integrated over the posterior of its parameters."""

import json
import math
import unittest

from support import DATA, CliTest, Sample

IRIS = DATA / "iris.csv"


def log_t(x, nu, mean, scale):
    """One column."""
    return (math.lgamma((nu + 1) / 2) - math.lgamma(nu / 2) - 0.5 * math.log(nu * math.pi * scale)
            - (nu + 1) / 2 * math.log1p((x - mean) ** 2 / scale / nu))


class Bqda(CliTest):
    def setUp(self):
        super().setUp()
        self.data = self.write("two.csv", Sample(["x"], [[1], [2], [4], [7], [8]], list("aaabb")))

    def test_the_formula(self):
        model = self.fit(self.data, "--model", "bqda", "--prior-rows", 3, "--prior-gamma", 0.5)
        # W_a = 14/3, W_b = 1/2, P = (W_a + W_b) / 5; with one column, P0 = P
        pooled = (14 / 3 + 1 / 2) / 5
        block = self.ok_json("inspect", model)["blocks"][0]
        self.assertEqual((block["model"], block["prior_rows"], block["prior_gamma"]),
                         ("bqda", 3, 0.5))
        self.assertEqual(block["degrees"], [6, 5])
        expected = [{k: math.log(share) + log_t(float(row["x"]), nu, mean, scale) for k, share, nu, mean,
                     scale in (("a", 0.6, 6, 7 / 3, (3 * pooled + 14 / 3) / 6 * 4 / 3),
                               ("b", 0.4, 5, 7.5, (3 * pooled + 0.5) / 5 * 3 / 2))}
                    for row in ({"x": x} for x in (1, 2, 4, 7, 8))]
        self.assert_rows_close(self.joint(model, self.data), expected, 1e-12)
        self.assertIn("3 rows (nu)", self.ok("inspect", model).out)

    def test_statistics_give_the_same_model(self):
        statistics = self.folder / "s.json"
        self.ok("stats", self.data, "-o", statistics)
        of_rows = self.fit(self.data, "--model", "bqda", name="r.json")
        of_sums = self.fit(statistics, "--model", "bqda", name="s2.json")
        self.assert_rows_close(self.joint(of_sums, self.data), self.joint(of_rows, self.data), 1e-12)

    def test_select_tries_priors(self):
        rows = self.ok_json("select", IRIS, "--models", "bqda", "--loo")["candidates"]
        self.assertEqual(len(rows), 9)  # 2, 8 and 32 rows; gamma 0.1, 0.4 and 1
        grid = ("--grid", "prior_rows=3", "--grid", "prior_gamma=0.1")
        rows = self.ok_json("select", IRIS, "--models", "bqda", *grid, "--loo")["candidates"]
        self.assertEqual(len(rows), 1)

    def test_it_is_offered_where_qda_is_singular(self):
        few = self.write("few.csv", Sample(["x", "y", "z"], [[1, 2, 3], [2, 1, 5], [4, 4, 1],
                                                             [7, 5, 5], [8, 9, 2], [6, 4, 4]],
                                           list("aaabbb")))
        self.refused("fit", few, "--model", "qda", status=1, mentions=["--model bqda"])
        self.ok("fit", few, "--model", "bqda", "-o", self.folder / "m.json")

    def test_sample_score_and_explain(self):
        model = self.fit(IRIS, "--model", "bqda")
        drawn = self.folder / "drawn.csv"
        self.ok("sample", model, "-n", 500, "-o", drawn)
        tails = [float(line.split(",")[1]) for line in
                 self.ok("score", model, drawn).out.splitlines()[1:]]
        self.assertLess(abs(sum(tails) / len(tails) - 0.5), 5 / math.sqrt(12 * len(tails)))
        self.assertIn("petal", self.ok("predict", model, IRIS, "--explain", 2).out)

    def test_options_of_other_models_are_refused(self):
        self.refused("fit", IRIS, "--model", "bqda", "--shrinkage", "oas", status=2,
                     mentions=["bqda does not use"])
        self.refused("fit", IRIS, "--model", "qda", "--prior-rows", 3, status=2,
                     mentions=["--model bqda"])
        self.refused("fit", IRIS, "--model", "bqda", "--prior-rows", 0, status=2,
                     mentions=["the prior has 0 rows"])

    def test_a_damaged_file_is_refused(self):
        model = json.loads(self.fit(self.data, "--model", "bqda").read_text())
        for key, value, words in (("degrees", [1, -1], "degrees of freedom"),
                                  ("scales", [[[1]], [[-1]]], "class 'b' is not positive definite"),
                                  ("prior_rows", -1, "prior_rows"),
                                  ("model", "qda", "expected 'bqda'")):
            damaged = json.loads(json.dumps(model))
            damaged["blocks"][0][key] = value
            path = self.folder / "damaged.json"
            path.write_text(json.dumps(damaged))
            self.refused("inspect", path, status=1, mentions=[words])


if __name__ == "__main__":
    unittest.main()
