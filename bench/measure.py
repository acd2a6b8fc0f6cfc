#!/usr/bin/python3
"""measure.py COMMAND...: seconds and peak memory of a command, as JSON.

A process of its own, because a process inherits the peak memory of the process that starts it.
"""
import json
import os
import subprocess
import sys
import time

start = time.perf_counter()
process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
_, status, usage = os.wait4(process.pid, 0)
if status != 0:
    sys.exit("measure.py: failed: " + " ".join(sys.argv[1:]))
print(json.dumps({"seconds": time.perf_counter() - start, "peak_mb": usage.ru_maxrss / 1024}))
