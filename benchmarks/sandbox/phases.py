"""Program: what happens on the far side, timed step by step in forks of the zygote's size.

Standard library and `inside` only; outside the isolation, so that it can tell. Prints JSON:
microseconds of each step, one list per step.
"""

import gc
import json
import os
import sys
import tempfile
import time

config = json.loads(sys.argv[1])
count = int(sys.argv[2])
request = json.loads(sys.argv[3])
sys.path.insert(0, config["own_code"])

from inside import boot, frames, perform, runner, wipe, zygote  # type: ignore[import-not-found]  # noqa: E402

assert boot
zygote.warm_up(config)
steps: dict[str, list[float]] = {}


def note(step: str, started: float) -> float:
    now = time.perf_counter()
    steps.setdefault(step, []).append((now - started) * 1e6)
    return now


def child(writing: int, rehearsed: bool) -> None:
    steps.clear()
    mode = "rehearsed" if rehearsed else "not rehearsed"
    now = time.perf_counter()
    if rehearsed:
        runner.rehearse()
        now = note("rehearse (while nobody waits)", now)
    gc.enable()
    document = json.loads(json.dumps(request))
    now = note(f"parse the request, {mode}", now)
    claim = perform.perform(document)
    now = note(f"compile, execute, call, {mode}", now)
    frames.encode(claim)
    note(f"encode the answer, {mode}", now)
    os.write(writing, json.dumps(steps).encode())
    os._exit(0)


def one(rehearsed: bool, folder: str) -> None:
    reading, writing = os.pipe()
    started = time.perf_counter()
    pid = os.fork()
    if pid == 0:
        child(writing, rehearsed)
    note("fork, as the zygote sees it", started)
    os.close(writing)
    told = b""
    while part := os.read(reading, 1 << 16):
        told += part
    os.close(reading)
    for step, values in json.loads(told).items():
        steps.setdefault(step, []).extend(values)
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    now = time.perf_counter()
    os.wait4(pid, 0)
    now = note("reap", now)
    wipe.empty(folder, frozenset())
    note("wipe an empty folder", now)


with tempfile.TemporaryDirectory(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None) as own:
    for number in range(count):
        one(number % 2 == 0, own)
print(json.dumps(steps))
