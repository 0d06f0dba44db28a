"""The second filter: what an execution may not do to the processes that serve it.

Installed by the zygote in itself, when nothing foreign will be loaded any more, and inherited
by every execution. In a pid namespace numbers are given out in rising order, so whoever was
there before the first execution has a number up to a known one, and every process of an
execution has a higher one: those below are out of reach, whatever the call is.
"""

import os

from . import seccomp
from .bpf import ALLOW, Program

_BY_NUMBER = (
    "kill tkill tgkill rt_sigqueueinfo rt_tgsigqueueinfo pidfd_open prlimit64 sched_setaffinity "
    "sched_setparam sched_setscheduler sched_setattr"
).split()
"""A process (or minus its group) is their first argument."""
_BY_KIND = {"setpriority": 2, "ioprio_set": 3}
"""A process or group is their second argument, or, with this as the first, all of a user."""
_WORD = 1 << 32


def keep_off() -> None:
    """Put everybody who is here now out of the reach of everybody who comes."""
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
    seccomp.install(build(pid))  # no process or thread has a higher number than it had


def build(last: int) -> bytes:
    """A filter that keeps off every process with a number up to `last`."""
    program = Program()
    numbers = program.begin()
    groups = (_WORD - last, _WORD - 2)  # -1 is everybody but pid 1, who is no group of ours
    for name in _BY_NUMBER:
        if name in numbers:
            program.refuse_ranges(numbers[name], 0, [(1, last), groups][: 1 + (last > 1)])
    for name, user in _BY_KIND.items():
        program.refuse_ranges(numbers[name], 1, [(1, last)], always=(0, user))
    clocks = (seccomp.cpu_clock(last), seccomp.cpu_clock(0) - 1)
    for name in seccomp.CLOCKS:
        program.refuse_ranges(numbers[name], 0, [clocks])
    seccomp.judge_prctl(program, numbers["prctl"], allow_hiding=False)
    return program.end(ALLOW)
