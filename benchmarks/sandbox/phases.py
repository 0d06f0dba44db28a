"""Program: what happens on the far side, timed step by step in forks of the zygote's size.

Standard library and `inside` only; outside the isolation, so that it can tell. Prints JSON:
for each step a list of [microseconds, page faults].
"""

import gc
import json
import os
import resource
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
steps: dict[str, list[list[float]]] = {}


class Clock:
    """Time and page faults since the last note."""

    def __init__(self) -> None:
        self.again()

    def again(self) -> None:
        self.faults = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
        self.started = time.perf_counter()

    def note(self, step: str) -> None:
        seconds = time.perf_counter() - self.started
        faults = resource.getrusage(resource.RUSAGE_SELF).ru_minflt - self.faults
        steps.setdefault(step, []).append([seconds * 1e6, faults])
        self.again()


def child(writing: int, rehearsed: bool) -> None:
    steps.clear()
    mode = "rehearsed" if rehearsed else "not rehearsed"
    clock = Clock()
    clock.faults = 0
    clock.note("start of the forked process (time not seen)")
    if rehearsed:
        runner.rehearse()
        clock.note("rehearse (while nobody waits)")
    gc.enable()
    document = json.loads(json.dumps(request))
    clock.note(f"parse the request, {mode}")
    claim = perform.perform(document)
    clock.note(f"compile, execute, call, {mode}")
    frames.encode(claim)
    clock.note(f"encode the answer, {mode}")
    os.write(writing, json.dumps(steps).encode())
    os._exit(0)


def one(rehearsed: bool, folder: str) -> None:
    reading, writing = os.pipe()
    clock = Clock()
    pid = os.fork()
    if pid == 0:
        child(writing, rehearsed)
    clock.note("fork, as the zygote sees it")
    os.close(writing)
    told = b""
    while part := os.read(reading, 1 << 16):
        told += part
    os.close(reading)
    for step, values in json.loads(told).items():
        steps.setdefault(step, []).extend(values)
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    clock.again()
    os.wait4(pid, 0)
    clock.note("reap")
    wipe.empty(folder, 0o700)
    clock.note("wipe an empty folder")


with tempfile.TemporaryDirectory(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None) as own:
    for number in range(count):
        one(number % 2 == 0, own)
print(json.dumps(steps))
