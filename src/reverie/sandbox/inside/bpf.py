"""Classic BPF for the system call filter, assembled one system call at a time."""

import ctypes
import errno
import struct
from collections.abc import Iterator
from contextlib import contextmanager

from . import kernel

LOAD, EQUAL, ABOVE, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x25, 0x35, 0x45, 0x06
IS_OWN = 0x1D
"""As `EQUAL`, with a number that `write_own` can still change in a finished program."""
_AND, _XOR, _SHIFT_RIGHT, _KEEP = 0x54, 0xA4, 0x74, 0x01
_X32_BIT = 0x40000000
_INSTRUCTION = struct.Struct("HBBI")
_pack = _INSTRUCTION.pack
_write_value = struct.Struct("I").pack_into
_VALUE_PLACE = 4
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

    def begin(self) -> "dict[str, int]":
        """Refuse calls of another architecture; the numbers of this one."""
        architecture, numbers = kernel.machine()
        self.emit(LOAD, ARCHITECTURE)
        self.unless(EQUAL, architecture, UNKNOWN)
        self.emit(LOAD, NUMBER)
        self.when(AT_LEAST, _X32_BIT, UNKNOWN)
        return numbers

    def end(self, otherwise: int) -> bytes:
        """The whole program; what no rule has named gets `otherwise`."""
        self.finish(otherwise)
        return b"".join(self.code)

    def emit(self, operation: int, value: int, if_true: int = 0, if_false: int = 0) -> None:
        """One instruction; jumps are counted from the next."""
        self.code.append(_pack(operation, if_true, if_false, value))

    def finish(self, action: int) -> None:
        """Answer now."""
        self.emit(RETURN, action)

    def when(self, test: int, value: int, action: int) -> None:
        """Answer if the accumulator passes a test."""
        if test == IS_OWN:
            # Here, not once at the start: with one instruction more on the way of every call the
            # kernel would no longer see which of them are always allowed, and run us for each.
            self.emit(_KEEP, value)
        self.code += (_pack(test, 0, 1, value), _pack(RETURN, 0, 0, action))

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

    def flip(self, bits: int) -> None:
        """Turn these bits of the accumulator round."""
        self.emit(_XOR, bits)

    def shift_right(self, count: int) -> None:
        """Drop the lowest bits of the accumulator."""
        self.emit(_SHIFT_RIGHT, count)

    @contextmanager
    def only(self, number: int) -> "Iterator[None]":
        """What is emitted inside is for one system call; it has to end with an answer."""
        start = len(self.code)
        self.emit(EQUAL, number)
        yield
        self.code[start] = _pack(EQUAL, 0, len(self.code) - start - 1, number)

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
        with self.only(number):
            if always:
                self.load_argument(always[0])
                self.when(EQUAL, always[1], REFUSE)
            self.load_argument(argument)
            for first, last in ranges:
                self.emit(AT_LEAST, first, 0, 2)
                self.unless(ABOVE, last, REFUSE)
            self.finish(ALLOW)


def own_places(program: bytes) -> "list[int]":
    """Where numbers stand that `IS_OWN` compares with."""
    size = _INSTRUCTION.size
    operations = (each[0] for each in _INSTRUCTION.iter_unpack(program))
    return [i * size + _VALUE_PLACE for i, each in enumerate(operations) if each == _KEEP]


def write_own(program: "ctypes.Array[ctypes.c_char]", places: "list[int]", number: int) -> None:
    """Another number to compare with: all that a fork has to add to a program made before."""
    for place in places:
        _write_value(program, place, number)


def difference(inner: bytes, outer: bytes) -> bytes:
    """The rules of a stricter program that differ from another's, which is in force already.

    Of two filters the kernel takes the stricter answer, so together they answer as `inner`.
    """
    before, after = _rules_of(outer), _rules_of(inner)
    unknown = {number: _rule(number, UNKNOWN) for number in before}
    changed = {
        number: rule
        for number, rule in {**unknown, **after}.items()
        if number in before and rule != before[number]
    }
    start = inner[: _first_rule(inner)]
    return start + b"".join(changed.values()) + _pack(RETURN, 0, 0, ALLOW)


def _rules_of(program: bytes) -> "dict[int, bytes]":
    """What a program says of every system call that it names: each begins by asking for it."""
    found: dict[int, bytes] = {}
    place = _first_rule(program)
    while place < len(program) - _INSTRUCTION.size:
        operation, if_true, length, number = _INSTRUCTION.unpack_from(program, place)
        if (operation, if_true) != (EQUAL, 0):
            raise ValueError("a rule that does not begin with its system call")
        end = place + (1 + length) * _INSTRUCTION.size
        found.setdefault(number, program[place:end])
        place = end
    return found


def _first_rule(program: bytes) -> int:
    """Where a program is through with what it does for every call."""
    operations = [each[0] for each in _INSTRUCTION.iter_unpack(program)]
    return (operations.index(AT_LEAST) + 2) * _INSTRUCTION.size


def _rule(number: int, action: int) -> bytes:
    return _pack(EQUAL, 0, 1, number) + _pack(RETURN, 0, 0, action)
