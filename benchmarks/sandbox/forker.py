"""A program of a zygote's size that forks on demand; standard library and `inside` only.

Started by `floor.py` with the folder of `inside` and a slot's configuration. Reads counts
from stdin, answers each with the seconds that so many forks took.
"""

import json
import os
import resource
import site
import sys
import time

config = json.loads(sys.argv[1])
sys.path.insert(0, config["own_code"])

from inside import boot, zygote  # type: ignore[import-not-found]  # noqa: E402

assert boot  # imported for its size: a zygote is a fork of the launcher
for folder in config["site_packages"]:
    site.addsitedir(folder)
zygote.warm_up(config)
with open("/proc/self/statm", encoding="ascii") as file:
    rss_bytes = int(file.read().split()[1]) * resource.getpagesize()
print(json.dumps({"rss_bytes": rss_bytes}), flush=True)

for line in sys.stdin:
    count = int(line)
    before, started = os.times(), time.perf_counter()
    for _ in range(count):
        pid = os.fork()
        if pid == 0:
            os._exit(0)
        os.waitpid(pid, 0)
    wall_seconds = time.perf_counter() - started
    cpu_seconds = sum(os.times()[:4]) - sum(before[:4])
    facts = {"count": count, "wall_seconds": wall_seconds, "cpu_seconds": cpu_seconds}
    print(json.dumps(facts), flush=True)
