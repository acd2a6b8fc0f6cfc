"""Numbers of parameters without data, against those of fitted models; and help about models."""

import itertools
import random
import re
import shlex
import unittest

from support import CliTest, csv_text


class Parameters(CliTest):
    def fitted(self, data, *options):
        found = self.ok_json("fit", data, *options)["parameters"]
        return found["total"]

    def counted(self, *options):
        (found,) = self.ok_json("parameters", *options)
        self.assertEqual(found["parameters"], sum(group["count"] for group in found["groups"]))
        return found["parameters"]

    def test_of_numbers(self):
        size = ("--features", "4", "--classes", "3")
        for model in ("qda", "lda", "gnb", "dlda", "spherical", "centroid", "rda", "logistic"):
            with self.subTest(model=model):
                self.assertEqual(self.counted(*size, "--model", model),
                                 self.fitted("@iris", "--model", model))
        for covariance in ("full", "tied", "diag", "tied_diag", "spherical", "tied_spherical"):
            with self.subTest(covariance=covariance):
                options = ("--model", "mda", "--components", "2", "--covariance", covariance)
                self.assertEqual(self.counted(*size, *options), self.fitted("@iris", *options))
        for terms in ("squares", "quadratic"):
            options = ("--model", "logistic", "--terms", terms)
            self.assertEqual(self.counted(*size, *options), self.fitted("@iris", *options))

    def test_of_words_and_counts(self):
        rng = random.Random(2)
        rows = [[*levels, "uv"[i % 2]] for i in range(4) for levels in
                itertools.product("abc", repeat=3)]
        data = self.write("w.csv", csv_text(["a", "b", "c", "y"], rows))
        for model in ("categorical", "joint"):
            self.assertEqual(self.counted("--features", "3", "--levels", "3", "--model", model),
                             self.fitted(data, "--model", model))
        rows = [[rng.randrange(2), rng.randrange(2), "uvw"[i % 3]] for i in range(90)]
        data = self.write("c.csv", csv_text(["a", "b", "y"], rows))
        for model in ("bernoulli", "poisson", "multinomial"):
            self.assertEqual(self.counted("--features", "2", "--classes", "3", "--model", model),
                             self.fitted(data, "--model", model))

    def test_large_and_impossible_sizes(self):
        self.assertEqual(self.counted("--features", "784", "--classes", "1000", "--model", "qda"),
                         999 + 784000 + 1000 * 784 * 785 // 2)
        self.assertIn("about", self.ok("parameters", "--features", "300", "--model", "joint").out)
        for words, mention in ((("--features", "0"), "--features is '0'"),
                               (("--levels", "1"), "the number of levels"),
                               (("--model", "qdaa"), "did you mean 'qda'"),
                               (("--model", "mda", "--covariance", "tide"), "did you mean 'tied'"),
                               (("--model", "logistic", "--terms", "cubes"), "use linear, squares")):
            self.assertIn(mention, self.refused("parameters", *words, status=2))


class Help(CliTest):
    def names(self):
        return re.findall(r"^  (\w+) ", self.ok("help", "models").out, re.M)

    def test_every_model_has_a_line_and_a_page(self):
        help_of_fit = " ".join(self.ok("help", "fit").out.split())
        names = self.names()
        self.assertGreater(len(names), 15)
        for name in names:
            self.assertIn(name, help_of_fit)
            page = self.ok("help", name).out
            self.assertRegex(page, rf"^  {name} +\S+ \S+ ")
            self.assertEqual(page, self.ok("help", name.upper()).out)
            for line in page.splitlines():
                self.assertLessEqual(len(line), 80)
        self.assertIn("--gamma", self.ok("help", "rda").out)
        self.assertNotIn("--gamma", self.ok("help", "lda").out)

    def test_a_model_is_not_a_verb(self):
        for word in ("rda", "QDA"):
            message = self.refused(word, status=2, mentions=("is a model, not a verb",))
            self.assertIn(f"--model {word.lower()}", message)
        self.refused("models", status=2, mentions=("genera help models",))

    def test_a_manual_page_for_each_verb(self):
        page = self.ok("help", "fit", "--man").out
        self.assertTrue(page.startswith('.TH GENERA\\-FIT 1 '), page[:80])
        self.assertIn("\\-\\-model", page)
        self.refused("help", "fit", "--completion", "bash", status=2)


class Hints(CliTest):
    """Each remedy is followed."""

    def test_an_identifier_is_not_a_target(self):
        rng = random.Random(1)
        rows = [[round(rng.gauss(0, 1), 3), "pq"[i % 2], f"w{i * 7919}"] for i in range(100)]
        data = self.write("id.csv", csv_text(["a", "kind", "name"], rows))
        message = self.refused("fit", data, status=1, mentions=("looks like an identifier",))
        for offer in re.findall(r"--(?:target|type) \S+", message):
            self.ok("fit", data, *shlex.split(offer), "--model", "lda", "--drop", "a" if "type" in
                    offer else "name", "--on-singular", "shrink")
        self.assertEqual(len(re.findall("--target kind|--type name=categorical", message)), 2)
        numbered = self.write("n.csv", csv_text(["a", "id"], [[i % 7, i + 1] for i in range(60)]))
        self.refused("fit", numbered, status=1, mentions=("consecutive whole numbers",))

    def test_a_missing_model_gets_the_nearest_name(self):
        model = self.fit("@iris", name="iris.json")
        message = self.refused("predict", self.folder / "irs.json", "@iris", status=1)
        self.assertIn("did you mean 'iris.json'?", message)
        self.ok("predict", model, "@iris")
        self.assertIn("check the name", self.refused("inspect", self.folder / "zzzzzzzzzz", status=1))

    def test_an_empty_list_of_tokens(self):
        rows = [["NA" if i % 5 == 0 else i % 4, "uv"[i % 2]] for i in range(60)]
        data = self.write("na.csv", csv_text(["a", "y"], rows))
        result = self.ok("fit", data, "--model", "gnb", "-o", self.folder / "m.json")
        self.assertIn("use --missing-token ''", result.err)
        self.ok("fit", data, "--missing-token", "", "--model", "categorical")

    def test_constant_words_are_noted(self):
        rows = [["same", i % 4, "uv"[i % 2]] for i in range(60)]
        data = self.write("same.csv", csv_text(["k", "a", "y"], rows))
        result = self.ok("fit", data, "--model", "gnb", "-o", self.folder / "m.json")
        self.assertIn("always the same in the first 60 rows, which helps no prediction: 'k'",
                      result.err)


if __name__ == "__main__":
    unittest.main()
