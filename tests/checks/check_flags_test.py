"""The check of texts accepts options as data and refuses flags of the command line."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import check_flags


class CheckFlags(unittest.TestCase):
    def problems_of(self, text, name="src/fit/a.cpp"):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / name
            path.parent.mkdir(parents=True)
            path.write_text(text)
            return check_flags.problems(pathlib.Path(folder))

    def test_accepts_options_as_data_and_what_only_looks_like_a_flag(self):
        self.assertEqual(self.problems_of('throw Error(c, what, {"use {}", {{"drop"}}});'), [])
        self.assertEqual(self.problems_of('// say "--drop"\n/* "--drop" */ for (; n > 0; --n) f(\'"\', "a - b -- c");'), [])

    def test_refuses_a_flag_in_a_text(self):
        self.assertEqual(self.problems_of('f("x");\ng("use " "\\"--on-singular shrink\\"");'),
                         ["src/fit/a.cpp:2: names --on-singular; write it as an OptionUse"])
        self.assertEqual(len(self.problems_of('f(R"(use --drop)");', "include/genera/a.hpp")), 1)

    def test_leaves_the_command_line_alone(self):
        self.assertEqual(self.problems_of('f("--drop");', "apps/cli/a.cpp"), [])


if __name__ == "__main__":
    unittest.main()
