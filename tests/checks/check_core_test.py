"""The core check accepts a core of plain C++ and refuses each way to the operating system."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import check_core

LISTS = "set(GENERA_CORE\n  data/a.cpp\n  kernel/parallel.cpp)\nadd_library(genera io/file.cpp)\n"
FILES = {
    "src/CMakeLists.txt": LISTS,
    "src/data/a.cpp": '#include <vector>\n#include "data/a.hpp"\n#include <genera/version.hpp>\n',
    "src/data/a.hpp": "#include <genera/a.hpp>\n",
    "include/genera/a.hpp": "#include <string>\n",
    "src/kernel/parallel.cpp": "#include <thread>\n#include <mutex>\n",
    "src/io/file.cpp": "#include <unistd.h>\n#include <zlib.h>\n",
}


class CheckCore(unittest.TestCase):
    def problems_of(self, files):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, text in (FILES | files).items():
                path = root / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return check_core.problems(root)

    def test_accepts_plain_code(self):
        self.assertEqual(self.problems_of({}), [])

    def test_refuses_every_way_to_the_system(self):
        for header in ("unistd.h", "fcntl.h", "sys/stat.h", "poll.h", "zlib.h", "filesystem", "fstream",
                       "csignal", "cstdio"):
            self.assertEqual(
                self.problems_of({"src/data/a.cpp": f"#include <{header}>\n"}),
                [f"src/data/a.cpp: includes <{header}>, which the core must do without"],
            )

    def test_lets_one_file_ask_about_memory(self):
        lists = LISTS.replace("data/a.cpp", "data/a.cpp kernel/pages.cpp")
        text = "#include <sys/mman.h>\n"
        self.assertEqual(self.problems_of({"src/CMakeLists.txt": lists, "src/kernel/pages.cpp": text}), [])
        self.assertEqual(
            self.problems_of({"src/data/a.cpp": text}),
            ["src/data/a.cpp: includes <sys/mman.h>, which the core must do without"],
        )

    def test_follows_private_and_public_headers(self):
        for header in ("src/data/a.hpp", "include/genera/a.hpp"):
            text = FILES[header] + "#include <filesystem>\n"
            self.assertEqual(
                self.problems_of({header: text}),
                [f"{header}: includes <filesystem>, which the core must do without"],
            )

    def test_refuses_threads_elsewhere(self):
        self.assertEqual(
            self.problems_of({"src/data/a.hpp": "#include <mutex>\n"}),
            ["src/data/a.hpp: includes <mutex>; threads are in src/kernel/parallel.cpp alone"],
        )

    def test_refuses_a_core_that_moved_away(self):
        self.assertEqual(len(self.problems_of({"src/CMakeLists.txt": "add_library(genera a.cpp)"})), 1)
        self.assertEqual(len(self.problems_of({"src/CMakeLists.txt": LISTS.replace("a.cpp", "b.cpp")})), 1)


if __name__ == "__main__":
    unittest.main()
