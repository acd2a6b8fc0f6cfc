"""fit --model kernel: a normal density around every training row."""

import json
import math
import unittest

from support import DATA, CliTest, Sample

IRIS = DATA / "iris.csv"


class Kernel(CliTest):
    def setUp(self):
        super().setUp()
        self.data = self.write("two.csv", Sample(["x"], [[1], [2], [4], [7], [8]], list("aaabb")))

    def test_the_formula(self):
        model = self.fit(self.data, "--model", "kernel", "--bandwidth", 0.5, "--kernel-gamma", 0.1)
        variance = 0.25 * (14 / 3 + 1 / 2) / 5
        expected = []
        for x in (1, 2, 4, 7, 8):
            row = {}
            for k, share, own in (("a", 0.6, (1, 2, 4)), ("b", 0.4, (7, 8))):
                total = sum(math.exp(-(x - y) ** 2 / 2 / variance) for y in own) / len(own)
                row[k] = math.log(share * total / math.sqrt(2 * math.pi * variance))
            expected.append(row)
        self.assert_rows_close(self.joint(model, self.data), expected, 1e-11)

    def test_it_says_that_it_keeps_rows(self):
        path = self.folder / "m.json"
        said = self.ok("fit", IRIS, "--model", "kernel", "-o", path)
        self.assertIn("the model keeps all 150 training rows", said.err)
        block = self.ok_json("inspect", path)["blocks"][0]
        self.assertEqual((block["model"], block["keeps_rows"], block["rows"]), ("kernel", True, 150))
        self.assertIn("contains 150 training rows", self.ok("inspect", path).out)
        self.assertTrue(json.loads(path.read_text())["blocks"][0]["keeps_rows"])

    def test_select_and_other_verbs(self):
        rows = self.ok_json("select", IRIS, "--models", "kernel,lda")["candidates"]
        self.assertEqual({row["model"] for row in rows}, {"kernel", "lda"})
        self.assertIn("has no closed form",
                      self.ok("select", IRIS, "--models", "kernel", "--loo").err)
        model = self.fit(IRIS, "--model", "kernel")
        self.assertLess(self.ok_json("evaluate", model, IRIS)["error_rate"], 0.03)
        self.ok("sample", model, "-n", 20)
        self.ok("probability", model, "--between", "sepal_length=5:6")
        self.assertIn("kernel(", self.ok("predict", model, IRIS, "--explain", 1).out)

    def test_statistics_are_not_enough(self):
        statistics = self.folder / "s.json"
        self.ok("stats", self.data, "-o", statistics)
        self.refused("fit", statistics, "--model", "kernel", status=2,
                     mentions=["kernel needs the rows"])

    def test_options_are_checked(self):
        self.refused("fit", IRIS, "--model", "kernel", "--bandwidth", 0, status=2,
                     mentions=["the bandwidth is 0"])
        self.refused("fit", IRIS, "--model", "qda", "--bandwidth", 1, status=2,
                     mentions=["--model kernel"])


if __name__ == "__main__":
    unittest.main()
