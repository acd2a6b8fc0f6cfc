"""What the hint of a singular covariance offers: each option is tried, and works."""

import random
import re
import shlex
import unittest

from support import CliTest, Sample, run, three_classes

OFFER = re.compile(r"--(?:shrinkage oas|model rda with --gamma [\d.]+|model \w+|gamma [\d.]+|"
                   r"alpha [\d.]+|on-singular shrink|covariance \w+|drop (?:'[^']*'|[\w,.-]+)|"
                   r"variance-floor|divisor mle)")


def situations():
    """(name, sample): tables whose covariances have no inverse, each in its own way."""
    rng = random.Random(7)
    base = three_classes(seed=3, d=4)

    def changed(name, action):
        rows = [action(list(row), label) for row, label in zip(base.rows, base.labels)]
        return name, Sample(base.names, rows, base.labels)

    def put(row, j, value):
        row[j] = value
        return row

    yield changed("dependent everywhere", lambda x, k: put(x, 3, x[0] - 2 * x[1]))
    yield changed("dependent in one class", lambda x, k: put(x, 3, x[0]) if k == "b" else x)
    yield changed("constant in one class", lambda x, k: put(x, 2, 5.0) if k == "a" else x)
    yield changed("all constant in one class", lambda x, k: [1.0, 2.0, 3.0, 4.0] if k == "a" else x)
    yield changed("constant and dependent", lambda x, k: put(put(x, 1, 7.0), 3, x[0])
                  if k == "c" else put(x, 3, x[0]))
    yield changed("constant within every class", lambda x, k: put(x, 1, float(ord(k))))
    yield changed("two constant within every class",
                  lambda x, k: put(put(x, 1, float(ord(k))), 0, -float(ord(k))))
    yield changed("all constant within every class", lambda x, k: [float(ord(k))] * 4)
    yield changed("constant within, and dependent",
                  lambda x, k: put(put(x, 1, float(ord(k))), 3, x[0] + x[2]))
    yield changed("left out and dependent", lambda x, k: put(put(x, 1, 7.0), 3, x[0]))
    lonely = Sample(base.names, [*base.rows, [9.0, 9.0, 9.0, 9.0]], [*base.labels, "lonely"])
    yield "a class of one row", lonely
    few = base.subset([i for k in "abc" for i in [i for i, l in enumerate(base.labels)
                                                  if l == k][:3]])
    yield "three rows in each class", few
    wide = Sample([f"x{j}" for j in range(12)],
                  [[rng.gauss(0, 1) for _ in range(12)] for _ in range(10)], ["a", "b"] * 5)
    yield "more columns than rows", wide
    one = Sample(["x"], [[1.0], [1.0], [2.0], [3.0]], ["a", "a", "b", "b"])
    yield "one column, constant in a class", one


def with_holes(sample):
    rng = random.Random(5)
    rows = [["" if rng.random() < 0.1 else x for x in row] for row in sample.rows]
    return Sample(sample.names, rows, sample.labels)


class Cures(CliTest):
    def offers(self, message):
        hint = message[message.index("hint: "):]
        return [shlex.split(found.replace(" with ", " ")) for found in OFFER.findall(hint)]

    def check(self, name, sample, options):
        data = self.write("d.csv", sample)
        words = ("fit", data, "--target", "class", *options)
        result = run(*words)
        if result.status == 0:
            return 0
        message = self.refused(*words, status=1)
        offers = self.offers(message)
        self.assertTrue(offers or "give " in message, message)
        for offer in offers:
            kept = list(options)
            for flag in ("--model", "--shrinkage", "--gamma", "--alpha", "--variance-floor",
                         "--covariance"):
                replaced = flag in offer or (flag == "--shrinkage" and "rda" in offer)
                if replaced and flag in kept:
                    at = kept.index(flag)
                    del kept[at:at + 2]
            if offer == ["--variance-floor"]:
                offer = ["--variance-floor", "1e-4"]
            with self.subTest(situation=name, options=options, offer=offer):
                after = run("fit", data, "--target", "class", *kept, *offer)
                self.assertEqual(after.status, 0, f"{message}\n{after}")
        return len(offers)

    def test_each_offer_works(self):
        tried = 0
        for name, sample in situations():
            for options in (("--model", "qda"), ("--model", "lda"), ("--model", "rda"),
                            ("--model", "rda", "--alpha", "1"), ("--model", "gnb"),
                            ("--model", "qda", "--shrinkage", "oas"),
                            ("--model", "qda", "--shrinkage", "0"),
                            ("--model", "qda", "--divisor", "unbiased"),
                            ("--model", "gnb", "--variance-floor", "0"),
                            ("--model", "mda", "--components", "1"),
                            ("--model", "mda", "--components", "1-2", "--starts", "1"),
                            ("--model", "mda", "--components", "2", "--starts", "1",
                             "--covariance", "lda")):
                tried += self.check(name, sample, options)
        self.assertGreater(tried, 150)

    def test_of_clusters_too(self):
        tried = 0
        for name, sample in situations():
            for holes in (False, True):
                data = self.write("d.csv", with_holes(sample) if holes else sample)
                for structure in ("qda", "lda"):
                    words = ("cluster", data, "--components", "1-2", "--starts", "1",
                             "--covariance", structure)
                    result = run(*words)
                    if result.status != 0:
                        tried += self.try_offers(self.refused(*words, status=1), name, words)
        self.assertGreater(tried, 10)

    def try_offers(self, message, name, words):
        """Each offer in the place of the same option of the words."""
        offers = self.offers(message)
        self.assertTrue(offers or "give " in message, message)
        for flag, value, *more in offers:
            changed = list(words)
            if flag in changed:
                changed[changed.index(flag) + 1] = value
            else:
                changed += [flag, value]
            with self.subTest(situation=name, offer=(flag, value, *more)):
                after = run(*changed, *more)
                self.assertEqual(after.status, 0, f"{message}\n{after}")
        return len(offers)

    def test_also_where_cells_are_missing(self):
        for name, sample in situations():
            for options in (("--model", "qda"), ("--model", "lda")):
                self.check(name, with_holes(sample), options)

    def test_what_cannot_help_is_not_offered(self):
        lonely = dict(situations())["a class of one row"]
        message = self.refused("fit", self.write("d.csv", lonely), "--target", "class", "--model",
                               "qda")
        self.assertNotIn("--shrinkage oas", message)
        self.assertIn("--model rda", message)

    def test_columns_left_out_before_are_named(self):
        for name in ("left out and dependent",):
            data = self.write("d.csv", dict(situations())[name])
            for options in (("--model", "qda"), ("--model", "lda"), ("--model", "mda")):
                message = self.refused("fit", data, "--target", "class", *options)
                self.assertIn("left out before that, as constant or empty: 'x2'", message)
        constant = Sample(["x", "y"], [[1.0, 2.0]] * 4, ["a", "a", "b", "b"])
        message = self.refused("fit", self.write("c.csv", constant), "--model", "lda")
        self.assertIn("'x', 'y'", message)


if __name__ == "__main__":
    unittest.main()
