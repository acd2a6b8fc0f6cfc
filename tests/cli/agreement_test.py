"""predict, evaluate, score and impute accept the same rows, and refuse the same with the same words."""

import unittest

from support import CliTest

ASKING = ("predict", "evaluate", "score", "impute")
READING_SVMLIGHT = ASKING[:3]  # impute refuses them all: what they leave out is 0, not missing

SVMLIGHT = "spam 1:2 3:1\nham 2:3\nspam 1:1\nham 2:1 3:2\n"
TABLE = "1,2,3,label\n2,0,1,spam\n0,3,0,ham\n1,0,0,spam\n0,1,2,ham\n"


class Counts(CliTest):
    def setUp(self):
        super().setUp()
        self.svmlight = self.write("d.svm", SVMLIGHT)
        self.table = self.write("d.csv", TABLE)
        self.models = [self.fit(self.svmlight, "--model", "multinomial", name="svmlight.json"),
                       self.fit(self.table, "--model", "multinomial", name="table.json")]

    def assert_refused_alike(self, verbs, data, *mentions):
        for model in self.models:
            with self.subTest(model=model.name, data=data.name):
                messages = {self.refused(verb, model, data, status=1, mentions=mentions)
                            for verb in verbs}
                self.assertEqual(len(messages), 1, messages)

    def assert_accepted(self, verbs, data):
        for model in self.models:
            for verb in verbs:
                with self.subTest(model=model.name, data=data.name, verb=verb):
                    self.ok(verb, model, data)

    def test_good_files(self):
        self.assert_accepted(ASKING, self.table)
        self.assert_accepted(READING_SVMLIGHT, self.svmlight)
        for model in self.models:
            self.refused("impute", model, self.svmlight, status=2, mentions=("nothing is missing",))

    def test_fractional_counts_of_svmlight(self):
        data = self.write("half.svm", SVMLIGHT + "ham 2:0.5\n")
        self.assert_refused_alike(READING_SVMLIGHT, data, "half.svm:5", "0.5", "whole number")
        for model in self.models:
            self.refused("impute", model, data, status=2, mentions=("nothing is missing",))

    def test_fractional_counts_of_a_table(self):
        data = self.write("half.csv", TABLE + "0,0.5,0,ham\n")
        self.assert_refused_alike(ASKING, data, "half.csv:6", "0.5")

    def test_negative_counts(self):
        self.assert_refused_alike(READING_SVMLIGHT, self.write("less.svm", SVMLIGHT + "ham 2:-1\n"),
                                  "less.svm:5", "-1")
        self.assert_refused_alike(ASKING, self.write("less.csv", TABLE + "0,-1,0,ham\n"),
                                  "less.csv:6", "-1")


class Numbers(CliTest):
    def test_fractions_are_numbers_to_a_density_of_numbers(self):
        data = self.write("d.svm", "a 1:0.5 2:1\nb 1:2.5\na 1:0.25 2:2\nb 2:3.5\na 1:1\nb 1:3 2:3\n")
        model = self.fit(data, "--model", "gnb")
        for verb in READING_SVMLIGHT:
            with self.subTest(verb=verb):
                self.ok(verb, model, data)


class Features(CliTest):
    def setUp(self):
        super().setUp()
        self.model = self.fit("@iris")

    def test_a_missing_column_is_refused_alike(self):
        data = self.write("d.csv", "sepal_length,sepal_width,petal_length,species\n5,3,1,setosa\n")
        messages = {self.refused(verb, self.model, data, status=1, mentions=("'petal_width'",))
                    for verb in ASKING}
        self.assertEqual(len(messages), 1, messages)

    def test_columns_in_any_order_with_others_between(self):
        data = self.write("d.csv", "petal_width,id,species,petal_length,sepal_width,sepal_length\n"
                                   "0.2,x1,setosa,1.4,3.5,5.1\n2.1,x2,virginica,,3,6.5\n")
        for verb in ASKING:
            with self.subTest(verb=verb):
                self.ok(verb, self.model, data)


if __name__ == "__main__":
    unittest.main()
