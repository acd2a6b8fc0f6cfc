"""The check of words accepts good English and code, and refuses the habits and long lines of prose."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import check_words

GOOD = (
    "There is no other model, and there\nare no labels. It is no longer used, and no faster: it is no\nslower either.",
    "The answer is no. No row is lost. Nothing is lost, no matter which is used.",
    "At least log n rows, at least cost 3, least squares, the least certain bird.",
    "There are so many labels in so few rows that they are not classes. It has as many rows as columns.",
    "A table of more than 100 rows. Of the 42 birds, 41 are right. The two cannot be told apart.",
    "Whole numbers, a whole class, a loophole, an honest estimate, to cure, a law of large numbers.",
    "This speaks for itself. Nothing stands in the way.",
)
BAD = (
    ("It starts anew.", "anew"),
    ("Whoever calls it keeps it.", "Whoever"),
    ("as if so many more rows had it", "so many"),
    ("rows with holes", "holes"),
    ("scores, which are\nno densities", "are no"),
    ("Of more than 20,000 rows a sample decides.", "Of more than"),
    ("numbers: all; of more than 150 columns some", "of more than"),
    ("The class is told.", "is told"),
    ("the one with the least log loss", "least log loss"),
    ("A file appears whole or\nnot at all.", "whole or not at all"),
    ("the levels that speak most for each class", "speak most for"),
    ("the F law of the distance", "F law"),
)


class CheckWords(unittest.TestCase):
    def problems_of(self, text, name="page.md", names=None):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            return check_words.problems(pathlib.Path(folder), names or (name,))

    def test_accepts_good_english(self):
        for text in GOOD:
            self.assertEqual(self.problems_of(text), [], text)

    def test_refuses_each_habit(self):
        for text, wording in BAD:
            found = self.problems_of(text)
            self.assertEqual(len(found), 1, text)
            self.assertTrue(found[0].startswith(f"page.md:1: '{wording}': "), found)

    def test_names_the_line(self):
        self.assertEqual(self.problems_of("one\n\nit starts anew\n"), ["page.md:3: 'anew': write 'again'"])

    def test_leaves_code_and_link_targets_alone(self):
        self.assertEqual(self.problems_of("`with holes`, [x](a.md#with-holes)\n\n    anew\n\n```sh\nholes anew\n```\n"), [])
        self.assertEqual(self.problems_of("<!-- holes -->\n## New rows, filled holes\n"), [])

    def test_refuses_long_lines_of_prose(self):
        long = "word " * 21
        self.assertEqual(self.problems_of(long), ["page.md:1: 105 columns, at most 100"])
        self.assertEqual(self.problems_of("- " + long), ["page.md:1: 107 columns, at most 100"])
        self.assertEqual(self.problems_of(f"| {long} |\n\n# {long}\n\n    {long}\n\n```\n{long}\n```\n![{long}](a.png)\n"), [])
        self.assertEqual(self.problems_of("word " * 20), [])
        self.assertEqual(self.problems_of("http://" + "x" * 100), [])

    def test_looks_at_comments_and_texts_of_code(self):
        code = '/// It starts\n/// anew.\nint holes = 1;  // fine\nf("no holes", \'"\');\n/* nobody */\n'
        self.assertEqual([problem.split(":")[1] for problem in self.problems_of(code, "src/a.cpp")], ["2", "4", "5"])
        code = '"""Rows with\nholes."""\nholes = 1  # anew\nf(\'so many\')\n'
        self.assertEqual([problem.split(":")[1] for problem in self.problems_of(code, "a/b.py")], ["2", "3", "4"])

    def test_joins_lines_of_a_comment_but_nothing_across_code(self):
        self.assertEqual(len(self.problems_of("/// which are\n/// no densities\n", "a.hpp")), 1)
        self.assertEqual(self.problems_of("int a;  // what they are\nint b;  // no rows\n", "a.hpp"), [])

    def test_looks_at_what_is_listed_only(self):
        self.assertEqual(self.problems_of("anew", "docs/a.md", ("docs/b.md",)), ["docs/b.md: does not exist"])
        self.assertEqual(len(self.problems_of("anew", "docs/a.md", ("docs",))), 1)


if __name__ == "__main__":
    unittest.main()
