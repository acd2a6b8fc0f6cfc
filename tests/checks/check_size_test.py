"""The size check accepts small trees and refuses long files and full folders."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import check_size
from check_size import MAX_LINES, MAX_SOURCES_IN_FOLDER


class CheckSize(unittest.TestCase):
    def problems_of(self, lines_by_file, exceptions=()):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, lines in lines_by_file.items():
                path = root / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text("x\n" * lines)
            return check_size.problems(root, exceptions)

    def test_accepts_what_is_at_the_limit(self):
        files = {f"src/a/{i}.cpp": 1 for i in range(MAX_SOURCES_IN_FOLDER - 1)}
        self.assertEqual(self.problems_of(files | {"src/a/long.hpp": MAX_LINES}), [])

    def test_refuses_a_long_file(self):
        self.assertEqual(
            self.problems_of({"src/a/long.cpp": MAX_LINES + 1}),
            [f"src/a/long.cpp: {MAX_LINES + 1} lines, at most {MAX_LINES}; split it by concept"],
        )

    def test_refuses_a_full_folder(self):
        count = MAX_SOURCES_IN_FOLDER + 1
        self.assertEqual(
            self.problems_of({f"apps/a/{i}.hpp": 1 for i in range(count)}),
            [f"apps/a: {count} source files, at most {MAX_SOURCES_IN_FOLDER}; make a folder of a part"],
        )

    def test_looks_at_sources_only(self):
        self.assertEqual(self.problems_of({"docs/long.cpp": 999, "src/a/data.csv": 999}), [])

    def test_exceptions_are_accepted_only_while_they_are_needed(self):
        self.assertEqual(self.problems_of({"src/a.cpp": MAX_LINES + 1}, {"src/a.cpp": "reason"}), [])
        self.assertEqual(
            self.problems_of({"src/a.cpp": MAX_LINES}, {"src/a.cpp": "reason"}),
            ["src/a.cpp: an exception that is no longer needed"],
        )


if __name__ == "__main__":
    unittest.main()
