"""Classic BPF for the system call filter, assembled one system call at a time."""

import errno
import struct
from collections.abc import Iterator
from contextlib import contextmanager

LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_AND = 0x54
NUMBER, ARCHITECTURE, ARGUMENTS = 0, 4, 16
ALLOW, ERRNO = 0x7FFF0000, 0x00050000

REFUSE = ERRNO | errno.EPERM
UNKNOWN = ERRNO | errno.ENOSYS
PRETEND = ERRNO
"""Answered with success, and not done."""


class Program:
    """Instructions; the accumulator holds the system call's number between two rules."""

    def __init__(self) -> None:
        self.code: list[bytes] = []

    def emit(self, operation: int, value: int, if_true: int = 0, if_false: int = 0) -> None:
        """One instruction."""
        self.code.append(struct.pack("HBBI", operation, if_true, if_false, value))

    def finish(self, action: int) -> None:
        """Answer now."""
        self.emit(RETURN, action)

    def when(self, test: int, value: int, action: int) -> None:
        """Answer if the accumulator passes a test."""
        self.emit(test, value, 0, 1)
        self.finish(action)

    def unless(self, test: int, value: int, action: int) -> None:
        """Answer if the accumulator fails a test."""
        self.emit(test, value, 1, 0)
        self.finish(action)

    def load_argument(self, argument: int) -> None:
        """The low word of an argument into the accumulator."""
        self.emit(LOAD, ARGUMENTS + 8 * argument)

    def mask(self, bits: int) -> None:
        """Keep these bits of the accumulator."""
        self.emit(_AND, bits)

    @contextmanager
    def only(self, number: int) -> "Iterator[None]":
        """What is emitted inside is for one system call; it has to end with an answer."""
        start = len(self.code)
        self.emit(EQUAL, number)
        yield
        self.code[start] = struct.pack("HBBI", EQUAL, 0, len(self.code) - start - 1, number)

    def answer(self, number: int, action: int) -> None:
        """`number` gets `action`, whatever its arguments."""
        self.when(EQUAL, number, action)

    def by_argument(
        self, number: int, argument: int, cases: "list[tuple[int, int, int]]", otherwise: int
    ) -> None:
        """`number` is judged by the low word of one argument: (test, value, action) in order."""
        with self.only(number):
            self.load_argument(argument)
            for test, value, action in cases:
                self.when(test, value, action)
            self.finish(otherwise)
