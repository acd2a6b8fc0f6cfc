"""What a start of the program costs."""

import os
import platform
import subprocess
import unittest

from support import GENERA


class Start(unittest.TestCase):
    @unittest.skipUnless(platform.machine() in ("x86_64", "AMD64"), "only there its functions are not needed")
    def test_the_library_that_measures_clocks_is_not_loaded(self):
        loaded = subprocess.run([GENERA, "--version"], env={**os.environ, "LD_TRACE_LOADED_OBJECTS": "1"}, check=True,
                                capture_output=True, text=True).stdout
        if "libc.so" not in loaded:
            self.skipTest("the loader does not tell")
        self.assertNotIn("libhwy", loaded)


if __name__ == "__main__":
    unittest.main()
