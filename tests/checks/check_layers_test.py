"""The layer check accepts the rule of the table and refuses each way of breaking it."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import check_layers

TABLE = """
| folder | may include | its public headers | holds |
|---|---|---|---|
| `kernel/` | nothing | `a.hpp`, `b.hpp`, `eigen.hpp` | numerics |
| `data/` | `kernel/` | `table.hpp` | tables |
| `fit/` | `kernel/`, `data/` | `fit.hpp` | estimates |
"""


class CheckLayers(unittest.TestCase):
    def problems_of(self, files, table=TABLE):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, text in ({"docs/architecture.md": table} | files).items():
                path = root / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return check_layers.problems(root)

    def refuses(self, name, text, problem):
        self.assertEqual(self.problems_of({name: text}), [problem])

    def test_accepts_includes_that_point_down(self):
        files = {
            "include/genera/a.hpp": "#include <genera/b.hpp>\n#include <vector>\n// eigenvalues\n",
            "src/fit/a.cpp": '#include "fit/a.hpp"\n#include "data/b.hpp"\n#include <Eigen/Core>\n',
            "src/kernel/parallel.cpp": '#include "kernel/parallel.hpp"\n#include <thread>\n',
            "apps/cli/main.cpp": '#include "names.hpp"\n#include <CLI/CLI.hpp>\n#include <iostream>\n',
            "apps/cli/names.hpp": "#include <genera/fit.hpp>\n",
        }
        self.assertEqual(self.problems_of(files), [])

    def test_refuses_an_include_that_points_up(self):
        self.refuses(
            "src/kernel/a.cpp",
            '#  include "data/b.hpp"\n',
            'src/kernel/a.cpp: "data/b.hpp": kernel/ may not include data/',
        )

    def test_refuses_a_public_header_of_a_higher_layer(self):
        self.refuses(
            "src/data/a.cpp",
            "#include <genera/fit.hpp>\n",
            "src/data/a.cpp: <genera/fit.hpp>: data/ may not include headers of fit/",
        )
        self.refuses(
            "include/genera/table.hpp",
            "#include <genera/fit.hpp>\n",
            "genera/table.hpp: <genera/fit.hpp>: data/ may not include headers of fit/",
        )

    def test_refuses_a_public_header_of_no_layer(self):
        self.refuses(
            "include/genera/new.hpp", "", "genera/new.hpp: no line of docs/architecture.md names it"
        )
        self.refuses(
            "src/fit/a.cpp",
            "#include <genera/new.hpp>\n",
            "src/fit/a.cpp: <genera/new.hpp>: no line of docs/architecture.md names new.hpp",
        )

    def test_refuses_a_folder_without_a_line(self):
        self.refuses(
            "src/new/a.cpp", "", "src/new/a.cpp: folder new/ has no line in docs/architecture.md"
        )

    def test_refuses_an_include_of_an_unknown_folder(self):
        self.refuses(
            "src/fit/a.cpp",
            '#include "hwy/highway.h"\n',
            'src/fit/a.cpp: "hwy/highway.h": hwy/ is not a folder of src/ in docs/architecture.md',
        )

    def test_refuses_an_include_without_folder(self):
        self.refuses(
            "src/fit/a.cpp",
            '#include "a.hpp"\n',
            'src/fit/a.cpp: "a.hpp": write the folder too, or <> if it is not ours',
        )

    def test_refuses_threads_and_printing_elsewhere(self):
        self.refuses(
            "src/fit/a.cpp", "#include <thread>\n", "src/fit/a.cpp: <thread>: only kernel/parallel may"
        )
        self.refuses(
            "src/fit/a.cpp",
            "#include <iostream>\n",
            "src/fit/a.cpp: <iostream>: the library does not print",
        )

    def test_refuses_third_parties_in_public_headers(self):
        found = self.problems_of({"include/genera/a.hpp": "#include <Eigen/Core>\n"})
        self.assertEqual(
            found,
            [
                "genera/a.hpp: includes Eigen/Core, which is neither <genera/...> nor standard",
                "genera/a.hpp: mentions Eigen; public headers name no other library",
            ],
        )

    def test_refuses_a_third_party_named_in_passing(self):
        self.refuses(
            "include/genera/a.hpp",
            "struct Eigen;\n",
            "genera/a.hpp: mentions Eigen; public headers name no other library",
        )

    def test_lets_the_adapter_mention_eigen(self):
        self.assertEqual(self.problems_of({"include/genera/eigen.hpp": "#include <Eigen/Core>\n"}), [])

    def test_refuses_private_headers_in_applications(self):
        for include in ('"data/b.hpp"', "<data/b.hpp>", '"../../src/data/b.hpp"'):
            target = include.strip('<>"')
            self.assertEqual(
                self.problems_of({"apps/cli/a.cpp": f"#include {include}\n", "src/data/b.hpp": ""}),
                [f"apps/cli/a.cpp: includes {target}; only <genera/...> of the library"],
            )

    def test_refuses_to_run_without_a_table(self):
        self.assertEqual(len(self.problems_of({}, table="nothing")), 1)


if __name__ == "__main__":
    unittest.main()
