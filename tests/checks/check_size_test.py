"""The size check accepts small trees and refuses long files and full folders."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import check_size


class CheckSize(unittest.TestCase):
    def problems_of(self, lines_by_file):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, lines in lines_by_file.items():
                path = root / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text("x\n" * lines)
            return check_size.problems(root)

    def test_accepts_what_is_at_the_limit(self):
        files = {f"src/a/{i}.cpp": 1 for i in range(12)} | {f"src/a/{i}.hpp": 1 for i in range(11)}
        self.assertEqual(self.problems_of(files | {"src/a/long.hpp": 400}), [])

    def test_refuses_a_long_file(self):
        self.assertEqual(
            self.problems_of({"src/a/long.cpp": 401}),
            ["src/a/long.cpp: 401 lines, at most 400; split it by concept"],
        )

    def test_refuses_thirteen_cpp_files_in_a_folder(self):
        self.assertEqual(
            self.problems_of({f"tests/a/{i}.cpp": 1 for i in range(13)}),
            ["tests/a: 13 .cpp files, at most 12; make a folder of a part"],
        )

    def test_refuses_twentyfive_sources_in_a_folder(self):
        self.assertEqual(
            self.problems_of({f"apps/a/{i}.hpp": 1 for i in range(25)}),
            ["apps/a: 25 source files, at most 24"],
        )

    def test_looks_at_sources_only(self):
        self.assertEqual(self.problems_of({"docs/long.cpp": 999, "src/a/data.csv": 999}), [])


if __name__ == "__main__":
    unittest.main()
