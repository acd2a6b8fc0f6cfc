"""bench/options.py rejects wrong options at once."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Options(unittest.TestCase):
    def check(self, *words):
        return subprocess.run([sys.executable, "-B", ROOT / "bench/options.py", "build", *words],
                              capture_output=True, text=True, check=False)

    def test_accepts_what_the_benchmarks_take(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("newsgroups20_train.csv.gz", "newsgroups20_test.csv.gz"):
                (pathlib.Path(folder) / name).touch()
            done = self.check("--quick", "--tiny", "--newsgroups", folder, "--out", "table.md")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_refuses_unknown_options(self):
        for word in ("--qick", "--mn", "more"):
            done = self.check(word)
            self.assertEqual(done.returncode, 2)
            self.assertIn(f"unrecognized arguments: {word}", done.stderr)

    def test_refuses_folders_without_the_data(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "train-images-idx3-ubyte.gz").touch()
            done = self.check("--mnist", folder)
            self.assertEqual(done.returncode, 2)
            self.assertIn(f"argument --mnist: {folder}: there is no train-labels-idx1-ubyte.gz", done.stderr)

    def test_make_checks_them_first(self):
        lines = (ROOT / "Makefile").read_text(encoding="utf-8").split("\nbench:")[1].splitlines()
        self.assertEqual(lines[1], "\t@$(PYTHON) -B bench/options.py build/bench $(OPTIONS)")


if __name__ == "__main__":
    unittest.main()
