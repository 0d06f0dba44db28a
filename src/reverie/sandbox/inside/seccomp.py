"""The system call filter: an allow-list. What it does not name is answered with an errno.

Nothing is ever killed for a system call: an unknown one gets ENOSYS, so that a libc newer
than this file falls back; a known dangerous one gets EPERM.
"""

from __future__ import annotations

import ctypes
import errno
from dataclasses import dataclass

from . import kernel, sharing, syscalls
from .bpf import (
    ALLOW,
    ANY_BIT,
    ARGUMENTS,
    AT_LEAST,
    EQUAL,
    ERRNO,
    IS_OWN,
    LOAD,
    REFUSE,
    RETURN,
    UNKNOWN,
    Program,
    own_places,
    write_own,
)

_CLONE_THREAD = 0x10000
_PR_SET_MM, _PR_SCHED_CORE = 35, 62
_PR_SET_SECCOMP, _MODE_FILTER = 22, 2
_MAP_SHARED, _MAP_ANONYMOUS = 0x01, 0x20


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
    private_files: bool = False
    """Every inode that can be opened belongs to the slot: locks on it are nobody else's."""
    allow_shared_memory: bool = True
    """RLIMIT_DATA does not count shared mappings: without a cgroup nobody would."""


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
    judged = {*syscalls.FILTERED, *sharing.JUDGED}
    if rules.own_pid_only is not None:
        judged |= {*_SIGNALLING, *syscalls.LOOKS, *_LOOKS_BY_KIND, *CLOCKS}
    for name in judged:
        answers.pop(name, None)
    return answers


_SIGNALLING = ("kill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo")
_LOOKS_BY_KIND = ("getpriority", "ioprio_get")
HIGHEST_PID = 1 << 22
_CLOCK_KIND_BITS = 3
CLOCKS = ("clock_gettime", "clock_getres", "clock_nanosleep", "timer_create")
"""A clock of somebody's CPU time can be their first argument."""


def cpu_clock(pid: int) -> int:
    """The first of the eight clocks of a process; 0 is the caller itself."""
    return ~pid << _CLOCK_KIND_BITS & 0xFFFFFFFF


def _judge_by_argument(program: Program, numbers: dict[str, int], rules: Rules) -> None:
    families = [(EQUAL, family, ALLOW) for family in rules.socket_families]
    program.by_argument(
        numbers["socket"], 0, families, ERRNO | errno.EAFNOSUPPORT if families else REFUSE
    )
    if rules.allow_processes:
        program.by_argument(
            numbers["clone"], 0, [(ANY_BIT, kernel.CLONE_ANY_NAMESPACE, REFUSE)], ALLOW
        )
    else:
        program.by_argument(
            numbers["clone"],
            0,
            [(ANY_BIT, kernel.CLONE_ANY_NAMESPACE, REFUSE), (ANY_BIT, _CLONE_THREAD, ALLOW)],
            REFUSE,
        )
    program.answer(numbers["clone3"], UNKNOWN)
    locks = sharing.answer_to_locks(rules.private_files, rules.allow_processes)
    sharing.judge(program, numbers, bool(rules.socket_families), locks)
    if not rules.allow_processes:
        sharing.judge_futex(program, numbers["futex"])
    program.by_argument(
        numbers["personality"], 0, [(EQUAL, 0, ALLOW), (EQUAL, 0xFFFFFFFF, ALLOW)], REFUSE
    )
    judge_prctl(program, numbers["prctl"], rules.allow_hiding)
    if not rules.allow_shared_memory:
        _judge_mmap(program, numbers["mmap"])
    if rules.own_pid_only is not None:
        _judge_naming(program, numbers, rules.own_pid_only)
    elif rules.allow_limiting_others:
        program.answer(numbers["prlimit64"], ALLOW)
    else:
        program.by_argument(numbers["prlimit64"], 0, [(EQUAL, 0, ALLOW)], REFUSE)


def _judge_naming(program: Program, numbers: dict[str, int], pid: int) -> None:
    """Calls that can name a process may name this one, which is all it has."""
    own = [(EQUAL, 0, ALLOW), (IS_OWN, pid, ALLOW)]
    program.by_argument(numbers["prlimit64"], 0, own, REFUSE)
    for name in _SIGNALLING:
        program.by_argument(numbers[name], 0, [(IS_OWN, pid, ALLOW)], REFUSE)
    for argument, names in ((0, syscalls.LOOKS), (1, _LOOKS_BY_KIND)):
        for name in names:
            program.by_argument(numbers[name], argument, own, REFUSE)
    for name in CLOCKS:
        _judge_clock(program, numbers[name], pid)


def _judge_clock(program: Program, number: int, pid: int) -> None:
    """Of the clocks of somebody's CPU time only those of the caller and of this process."""
    with program.only(number):
        program.load_argument(0)
        program.when(AT_LEAST, cpu_clock(0), ALLOW)
        program.unless(AT_LEAST, cpu_clock(HIGHEST_PID), ALLOW)
        program.shift_right(_CLOCK_KIND_BITS)
        program.flip(0xFFFFFFFF >> _CLOCK_KIND_BITS)
        program.when(IS_OWN, pid, ALLOW)
        program.finish(REFUSE)


def judge_prctl(program: Program, number: int, allow_hiding: bool) -> None:
    """Everything but what names another process or moves our own memory about.

    Without `allow_hiding` dumpable may only be switched on, so that we can be counted.
    """
    refused = [(EQUAL, option, REFUSE) for option in (_PR_SET_MM, _PR_SCHED_CORE)]
    if allow_hiding:
        program.by_argument(number, 0, refused, ALLOW)
        return
    program.emit(EQUAL, number, 0, 8)
    program.emit(LOAD, ARGUMENTS)
    program.emit(EQUAL, _PR_SET_MM, 5, 0)
    program.emit(EQUAL, _PR_SCHED_CORE, 4, 0)
    program.emit(EQUAL, kernel.PR_SET_DUMPABLE, 0, 2)
    program.emit(LOAD, ARGUMENTS + 8)
    program.emit(EQUAL, 1, 0, 1)
    program.emit(RETURN, ALLOW)
    program.emit(RETURN, REFUSE)


def _judge_mmap(program: Program, number: int) -> None:
    """No memory that is both anonymous and shared; ENOMEM, for that is how limits answer."""
    program.emit(EQUAL, number, 0, 5)
    program.emit(LOAD, ARGUMENTS + 8 * 3)
    program.emit(ANY_BIT, _MAP_ANONYMOUS, 0, 2)
    program.emit(ANY_BIT, _MAP_SHARED, 0, 1)
    program.emit(RETURN, ERRNO | errno.ENOMEM)
    program.emit(RETURN, ALLOW)


class _SockFprog(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_void_p)]


class Filter:
    """A program that lies ready in memory: a fork only has to put it in force."""

    def __init__(self, program: bytes) -> None:
        self._program = ctypes.create_string_buffer(program, len(program))
        self._places = own_places(program)
        self._argument = _SockFprog(len(program) // 8, ctypes.addressof(self._program))

    def install(self, own_pid: int | None = None) -> None:
        """Put it on this process and all its future children."""
        if own_pid is not None:
            write_own(self._program, self._places, own_pid)
        kernel.prctl(_PR_SET_SECCOMP, _MODE_FILTER, ctypes.addressof(self._argument))


def install(program: bytes) -> None:
    """Put the filter on this process and all its future children."""
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
    Filter(program).install()
