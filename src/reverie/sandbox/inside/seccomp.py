"""The system call filter: an allow-list. What it does not name is answered with an errno.

Nothing is ever killed for a system call: an unknown one gets ENOSYS, so that a libc newer
than this file falls back; a known dangerous one gets EPERM.
"""

import ctypes
import errno
import mmap
import struct
import termios
from dataclasses import dataclass

from . import kernel, syscalls

_LOAD, _EQUAL, _ABOVE, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x25, 0x35, 0x45, 0x06
ALLOW, _ERRNO = 0x7FFF0000, 0x00050000
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16
_X32_BIT = 0x40000000
_TIOCLINUX = 0x541C
_F_SETOWN, _F_SETSIG, _F_SETOWN_EX = 8, 10, 15
_FIOSETOWN, _SIOCSPGRP = 0x8901, 0x8902
_CLONE_THREAD = 0x10000
_PR_SET_MM, _PR_SCHED_CORE = 35, 62

AF_UNIX, AF_INET, AF_INET6, AF_NETLINK = 1, 2, 10, 16

REFUSE = _ERRNO | errno.EPERM
UNKNOWN = _ERRNO | errno.ENOSYS
PRETEND = _ERRNO


@dataclass(frozen=True)
class Rules:
    """What differs between tiers and policies."""

    socket_families: tuple[int, ...] = ()
    own_pid_only: int | None = None
    """No pid namespace: signals, limits and scheduling may name this process only."""
    allow_limiting_others: bool = True
    """Limits and scheduling may name a process by its number."""
    allow_hiding: bool = False
    """From /proc, by not being dumpable: the zygote must, an execution must not."""
    allow_processes: bool = True
    allow_metadata: bool = True
    allow_memfd: bool = True
    allow_shared_memory: bool = True
    """RLIMIT_DATA does not count shared mappings: without a cgroup nobody would."""


class Program:
    """Instructions of classic BPF, assembled one system call at a time."""

    def __init__(self) -> None:
        self.code: list[bytes] = []

    def begin(self) -> "dict[str, int]":
        """Refuse calls of another architecture; the numbers of this one."""
        architecture, numbers = kernel.machine()
        self.emit(_LOAD, _ARCHITECTURE)
        self.emit(_EQUAL, architecture, 1, 0)
        self.emit(_RETURN, UNKNOWN)
        self.emit(_LOAD, _NUMBER)
        self.emit(_AT_LEAST, _X32_BIT, 0, 1)
        self.emit(_RETURN, UNKNOWN)
        return numbers

    def end(self, otherwise: int) -> bytes:
        """The whole program; what no rule has named gets `otherwise`."""
        self.emit(_RETURN, otherwise)
        return b"".join(self.code)

    def emit(self, operation: int, value: int, if_true: int = 0, if_false: int = 0) -> None:
        """One instruction; jumps are counted from the next."""
        self.code.append(struct.pack("HBBI", operation, if_true, if_false, value))

    def answer(self, number: int, action: int) -> None:
        """`number` gets `action`, whatever its arguments."""
        self.emit(_EQUAL, number, 0, 1)
        self.emit(_RETURN, action)

    def by_argument(
        self, number: int, argument: int, cases: "list[tuple[int, int, int]]", otherwise: int
    ) -> None:
        """`number` is judged by the low word of one argument: (test, value, action) in order."""
        self.emit(_EQUAL, number, 0, 2 + 2 * len(cases))
        self.emit(_LOAD, _ARGUMENTS + 8 * argument)
        for test, value, action in cases:
            self.emit(test, value, 0, 1)
            self.emit(_RETURN, action)
        self.emit(_RETURN, otherwise)

    def refuse_ranges(
        self,
        number: int,
        argument: int,
        ranges: "list[tuple[int, int]]",
        always: "tuple[int, int] | None" = None,
    ) -> None:
        """`number` is refused when an argument's low word lies in one of the (first, last).

        `always` is (argument, value): with that value it is refused whatever else is asked.
        """
        self.emit(_EQUAL, number, 0, 2 + 3 * len(ranges) + (3 if always else 0))
        if always:
            self.emit(_LOAD, _ARGUMENTS + 8 * always[0])
            self.emit(_EQUAL, always[1], 0, 1)
            self.emit(_RETURN, REFUSE)
        self.emit(_LOAD, _ARGUMENTS + 8 * argument)
        for first, last in ranges:
            self.emit(_AT_LEAST, first, 0, 2)
            self.emit(_ABOVE, last, 1, 0)
            self.emit(_RETURN, REFUSE)
        self.emit(_RETURN, ALLOW)


def build(rules: Rules) -> bytes:
    """The filter for `rules` on this machine, as BPF instructions."""
    program = Program()
    numbers = program.begin()
    _judge_by_argument(program, numbers, rules)
    for name, action in _plain_answers(rules).items():
        if name in numbers:
            program.answer(numbers[name], action)
    return program.end(UNKNOWN)


def _plain_answers(rules: Rules) -> dict[str, int]:
    answers = dict.fromkeys(syscalls.REFUSED, REFUSE)
    for group in (
        syscalls.FILES,
        syscalls.METADATA,
        syscalls.MEMORY,
        syscalls.PROCESSES,
        syscalls.OTHER_PROCESSES,
        syscalls.SIGNALS,
        syscalls.KILL,
        syscalls.TIME,
        syscalls.NETWORK,
    ):
        answers.update(dict.fromkeys(group, ALLOW))
    if not rules.allow_metadata:
        answers.update(dict.fromkeys(syscalls.METADATA, REFUSE))
    if not rules.allow_memfd:
        answers["memfd_create"] = REFUSE
    if not rules.allow_processes:
        answers.update(dict.fromkeys(("fork", "vfork", "setsid", "setpgid"), REFUSE))
        answers.update(dict.fromkeys(("execve", "execveat"), REFUSE))
    if rules.own_pid_only is not None:
        answers.update(dict.fromkeys(("tkill", "pidfd_open", "pidfd_send_signal"), REFUSE))
    if rules.own_pid_only is not None or not rules.allow_limiting_others:
        answers.update(dict.fromkeys(syscalls.OTHER_PROCESSES, REFUSE))
    judged = set(syscalls.FILTERED)
    if rules.own_pid_only is not None:
        judged |= {*_SIGNALLING, *syscalls.LOOKS, *_LOOKS_BY_KIND, *CLOCKS}
    for name in judged:
        answers.pop(name, None)
    return answers


_SIGNALLING = ("kill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo")
_LOOKS_BY_KIND = ("getpriority", "ioprio_get")
_HIGHEST_PID = 1 << 22
CLOCKS = ("clock_gettime", "clock_getres", "clock_nanosleep", "timer_create")
"""A clock of somebody's CPU time can be their first argument."""


def cpu_clock(pid: int) -> int:
    """The first of the eight clocks of a process; 0 is the caller itself."""
    return ~pid << 3 & 0xFFFFFFFF


def _judge_by_argument(program: Program, numbers: dict[str, int], rules: Rules) -> None:
    pid = rules.own_pid_only
    families = [(_EQUAL, family, ALLOW) for family in rules.socket_families]
    program.by_argument(
        numbers["socket"], 0, families, _ERRNO | errno.EAFNOSUPPORT if families else REFUSE
    )
    program.by_argument(numbers["socketpair"], 0, [(_EQUAL, AF_UNIX, ALLOW)], REFUSE)
    if rules.allow_processes:
        program.by_argument(
            numbers["clone"], 0, [(_ANY_BIT, kernel.CLONE_ANY_NAMESPACE, REFUSE)], ALLOW
        )
    else:
        program.by_argument(
            numbers["clone"],
            0,
            [(_ANY_BIT, kernel.CLONE_ANY_NAMESPACE, REFUSE), (_ANY_BIT, _CLONE_THREAD, ALLOW)],
            REFUSE,
        )
    program.answer(numbers["clone3"], UNKNOWN)
    harmful = (termios.TIOCSTI, _TIOCLINUX, _FIOSETOWN, _SIOCSPGRP)
    program.by_argument(numbers["ioctl"], 1, [(_EQUAL, each, REFUSE) for each in harmful], ALLOW)
    # The kernel would send a signal of our choice to a process of our choice.
    owner = [(_EQUAL, command, REFUSE) for command in (_F_SETOWN, _F_SETSIG, _F_SETOWN_EX)]
    program.by_argument(numbers["fcntl"], 1, owner, ALLOW)
    program.by_argument(
        numbers["personality"], 0, [(_EQUAL, 0, ALLOW), (_EQUAL, 0xFFFFFFFF, ALLOW)], REFUSE
    )
    judge_prctl(program, numbers["prctl"], rules.allow_hiding)
    if not rules.allow_shared_memory:
        _judge_mmap(program, numbers["mmap"])
    program.answer(numbers["sync"], PRETEND)
    if pid is None:
        others = ALLOW if rules.allow_limiting_others else REFUSE
        program.by_argument(numbers["prlimit64"], 0, [(_EQUAL, 0, ALLOW)], others)
        return
    own = [(_EQUAL, 0, ALLOW), (_EQUAL, pid, ALLOW)]
    program.by_argument(numbers["prlimit64"], 0, own, REFUSE)
    for name in _SIGNALLING:
        program.by_argument(numbers[name], 0, [(_EQUAL, pid, ALLOW)], REFUSE)
    for argument, names in ((0, syscalls.LOOKS), (1, _LOOKS_BY_KIND)):
        for name in names:
            program.by_argument(numbers[name], argument, own, REFUSE)
    first, last = cpu_clock(pid), cpu_clock(0) - 1
    for name in CLOCKS:
        others = [(cpu_clock(_HIGHEST_PID), first - 1), (first + 8, last)]
        program.refuse_ranges(numbers[name], 0, others)


def judge_prctl(program: Program, number: int, allow_hiding: bool) -> None:
    """Everything but what names another process or moves our own memory about.

    Without `allow_hiding` dumpable may only be switched on, so that we can be counted.
    """
    refused = [(_EQUAL, option, REFUSE) for option in (_PR_SET_MM, _PR_SCHED_CORE)]
    if allow_hiding:
        program.by_argument(number, 0, refused, ALLOW)
        return
    program.emit(_EQUAL, number, 0, 8)
    program.emit(_LOAD, _ARGUMENTS)
    program.emit(_EQUAL, _PR_SET_MM, 5, 0)
    program.emit(_EQUAL, _PR_SCHED_CORE, 4, 0)
    program.emit(_EQUAL, kernel.PR_SET_DUMPABLE, 0, 2)
    program.emit(_LOAD, _ARGUMENTS + 8)
    program.emit(_EQUAL, 1, 0, 1)
    program.emit(_RETURN, ALLOW)
    program.emit(_RETURN, REFUSE)


def _judge_mmap(program: Program, number: int) -> None:
    """No memory that is both anonymous and shared; ENOMEM, for that is how limits answer."""
    program.emit(_EQUAL, number, 0, 5)
    program.emit(_LOAD, _ARGUMENTS + 8 * 3)
    program.emit(_ANY_BIT, mmap.MAP_ANONYMOUS, 0, 2)
    program.emit(_ANY_BIT, mmap.MAP_SHARED, 0, 1)
    program.emit(_RETURN, _ERRNO | errno.ENOMEM)
    program.emit(_RETURN, ALLOW)


class _SockFprog(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_void_p)]


def install(program: bytes) -> None:
    """Put the filter on this process and all its future children."""
    buffer = ctypes.create_string_buffer(program, len(program))
    argument = _SockFprog(len(program) // 8, ctypes.addressof(buffer))
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
    kernel.prctl(22, 2, ctypes.addressof(argument))  # PR_SET_SECCOMP, SECCOMP_MODE_FILTER
