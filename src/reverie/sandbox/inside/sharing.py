"""System calls that reach beyond an execution through what it shares with others.

A file that is only shown for reading is still somebody else's inode: locks, leases, watches
and its pages in memory are seen and felt by everyone who has it. A socket of datagrams takes
an address with every message. Where a call can be told apart by its arguments it is judged
here; where it cannot, it is refused unless the slot has inodes of its own.
"""

import errno
import os
import socket

from .bpf import ALLOW, ANY_BIT, EQUAL, ERRNO, PRETEND, REFUSE, UNKNOWN, Program

_CONNECTED_KINDS = (int(socket.SOCK_STREAM), int(socket.SOCK_SEQPACKET))
_KIND_MASK = 0xF
_INVALID, _NO_SUCH_OFFER = ERRNO | errno.EINVAL, ERRNO | errno.EOPNOTSUPP
_NO_LOCKS = ERRNO | errno.ENOLCK

_F_PLAIN = (0, 1, 2, 3, 4, 9, 11, 16, 1027, 1030, 1031, 1032, 1033, 1034)
"""Descriptors, flags, pipes and seals."""
_F_SIGNALS = (8, 10, 15)
"""The kernel would send a signal of our choice to a process of our choice."""
_F_GETLK, _F_LOCKS, _F_OPEN_FILE_LOCKS = 5, (6, 7), (36, 37, 38)

_IOCTL_TYPES = (0x5400, 0x8900, 0x9400)
"""Terminals and descriptors, sockets, clones of file contents."""
_IOCTL_TYPE_MASK = 0xFF00
_TIOCSTI, _TIOCLINUX, _FIOSETOWN, _SIOCSPGRP = 0x5412, 0x541C, 0x8901, 0x8902
_GET_INODE_FLAGS = 0x80086601
_NO_IOCTL = ERRNO | errno.ENOTTY

_MADV_MERGEABLE, _MADV_COLD, _MADV_PAGEOUT = 12, 20, 21
_RWF_APPEND = 0x10  # Python 3.9 has no name for it
_RWF_KNOWN = os.RWF_HIPRI | os.RWF_DSYNC | os.RWF_SYNC | _RWF_APPEND
"""Not: fail unless it is in memory, or drop it from there afterwards."""
_FUTEX_PRIVATE, _FUTEX_COMMAND_MASK, _FUTEX_WAITS = 0x80, 0x7F, (0, 9)
_O_TMPFILE = os.O_TMPFILE & ~os.O_DIRECTORY

_ADDRESSES = ("bind", "connect", "listen", "accept", "accept4")
_WATCHES = ("inotify_init", "inotify_init1", "inotify_add_watch", "inotify_rm_watch")
_MEMORY_OF_FILES = ("cachestat", "mincore")
_NEW_FUTEXES = ("futex_wake", "futex_wait", "futex_requeue", "futex_waitv")
_HINTS = ("fadvise64", "sync", "syncfs")
JUDGED = (
    *("socketpair", "fcntl", "flock", "ioctl", "madvise", "preadv2", "pwritev2", "openat2"),
    *("open", "openat", *_ADDRESSES, *_WATCHES, *_MEMORY_OF_FILES, *_HINTS, *_NEW_FUTEXES),
)
"""Every call that is decided here and nowhere else."""


def judge(program: Program, numbers: "dict[str, int]", has_sockets: bool, locks: int) -> None:
    """Add the rules of `JUDGED`; `locks` is the answer to POSIX locks."""
    known = {name: numbers[name] for name in JUDGED if name in numbers}
    for name in (*_WATCHES, *_MEMORY_OF_FILES, *_NEW_FUTEXES, "openat2"):
        if name in known:
            program.answer(known[name], UNKNOWN)
    for name in _HINTS:  # advice may be ignored, and a flush waits for everybody's files
        program.answer(known[name], PRETEND)
    for name in _ADDRESSES:
        program.answer(known[name], ALLOW if has_sockets else REFUSE)
    _judge_socketpair(program, known["socketpair"])
    _judge_locks(program, known, locks)
    _judge_ioctl(program, known["ioctl"])
    unwanted = (_MADV_MERGEABLE, _MADV_COLD, _MADV_PAGEOUT)
    cases = [(EQUAL, advice, _INVALID) for advice in unwanted]
    program.by_argument(known["madvise"], 2, cases, ALLOW)
    for name in ("preadv2", "pwritev2"):
        cases = [(ANY_BIT, 0xFFFFFFFF & ~_RWF_KNOWN, _NO_SUCH_OFFER)]
        program.by_argument(known[name], 5, cases, ALLOW)
    for name, position in (("open", 1), ("openat", 2)):
        if name in known:  # a file without a name leaves no trace but the next file's number
            cases = [(ANY_BIT, _O_TMPFILE, _NO_SUCH_OFFER)]
            program.by_argument(known[name], position, cases, ALLOW)


def judge_futex(program: Program, number: int) -> None:
    """Where there is one process, it wakes nobody else.

    A futex in a mapped file is one with everybody who has mapped that page, be it read-only.
    To wait for one is harmless, and how a thread waits for the end of another.
    """
    with program.only(number):
        program.load_argument(1)
        program.when(ANY_BIT, _FUTEX_PRIVATE, ALLOW)
        program.mask(_FUTEX_COMMAND_MASK)
        for command in _FUTEX_WAITS:
            program.when(EQUAL, command, ALLOW)
        program.finish(_INVALID)


def _judge_socketpair(program: Program, number: int) -> None:
    """Pairs that stay connected to one another; a datagram can be sent to any address."""
    with program.only(number):
        program.load_argument(0)
        program.unless(EQUAL, int(socket.AF_UNIX), REFUSE)
        program.load_argument(1)
        program.mask(_KIND_MASK)
        for kind in _CONNECTED_KINDS:
            program.when(EQUAL, kind, ALLOW)
        program.finish(REFUSE)


def answer_to_locks(private_files: bool, allow_processes: bool) -> int:
    """Locks are kept on private inodes only.

    Where no process can be made, a POSIX lock could conflict with nobody in here: to say yes
    is the truth, as long as nobody asks who else holds one.
    """
    if private_files:
        return ALLOW
    return _NO_LOCKS if allow_processes else PRETEND


def _judge_locks(program: Program, known: "dict[str, int]", locks: int) -> None:
    """Locks of open files conflict within one process too: they are kept, or refused."""
    cases = [(EQUAL, command, ALLOW) for command in _F_PLAIN]
    cases += [(EQUAL, command, locks) for command in _F_LOCKS]
    cases += [(EQUAL, command, REFUSE) for command in _F_SIGNALS]
    if locks == ALLOW:
        allowed = (_F_GETLK, *_F_OPEN_FILE_LOCKS)
        cases += [(EQUAL, command, ALLOW) for command in allowed]
    program.answer(known["flock"], ALLOW if locks == ALLOW else UNKNOWN)
    program.by_argument(known["fcntl"], 1, cases, _INVALID)


def _judge_ioctl(program: Program, number: int) -> None:
    """By kind: flags and keys of file systems, and everything a device may know, is unknown."""
    with program.only(number):
        program.load_argument(1)
        for command in (_TIOCSTI, _TIOCLINUX, _FIOSETOWN, _SIOCSPGRP):
            program.when(EQUAL, command, REFUSE)
        program.when(EQUAL, _GET_INODE_FLAGS, ALLOW)
        program.mask(_IOCTL_TYPE_MASK)
        for kind in _IOCTL_TYPES:
            program.when(EQUAL, kind, ALLOW)
        program.finish(_NO_IOCTL)
