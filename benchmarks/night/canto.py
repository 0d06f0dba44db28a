"""A choir's library: below `src`, with unittest, a bundled copy, a generated table and a script."""

from benchmarks.night.planted import Planted

_PYPROJECT = """[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "canto"
version = "1.2.0"
description = "What a choir's librarian needs: pitches, texts, programmes and seats."
requires-python = ">=3.11"

[tool.pytest.ini_options]
pythonpath = ["src"]
testpaths = ["tests"]

[tool.reverie.workflows.evening]
steps = ["canto.programme:read", "canto.programme:running_order", "canto.programme:printed"]
params = { text = "Sicut cervus;3:10\\nAve verum;2:55\\nSing joyfully;2:40" }
"""
_README = """# canto

Helpers for the library of a choir. `pip install -e .`, then `pytest`.
"""
_PITCH = '''"""Names of notes, and where they lie."""

from dataclasses import dataclass

STEPS = {"C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11}
RANGES = {
    "soprano": (60, 81),
    "alto": (55, 74),
    "tenor": (48, 69),
    "bass": (40, 64),
}


@dataclass(frozen=True)
class Note:
    """A note as it is written: a letter, sharps or flats, an octave."""

    letter: str
    accidental: int
    octave: int

    def number(self) -> int:
        """The MIDI number; middle C (C4) is 60."""
        return 12 * (self.octave + 1) + STEPS[self.letter] + self.accidental


def read_note(text: str) -> Note:
    """A note from text such as ``F#4`` or ``Bb3``; anything else is a ValueError."""
    letter, rest = text[:1].upper(), text[1:]
    if letter not in STEPS:
        raise ValueError(f"not a note: {text!r}")
    accidental = 0
    while rest and rest[0] in "#b":
        accidental += 1 if rest[0] == "#" else -1
        rest = rest[1:]
    if not rest.isdigit():
        raise ValueError(f"no octave: {text!r}")
    return Note(letter, accidental, int(rest))


def fits(voice: str, notes: list[str]) -> bool:
    """Whether a voice reaches every note."""
    lowest, highest = RANGES[voice]
    return all(lowest <= read_note(each).number() <= highest for each in notes)


def quality(semitones: int) -> str:
    """What an interval within an octave is called: perfect, imperfect or dissonant."""
    inside = semitones % 12
    if inside in (0, 5, 7):
        return "perfect"
    if inside in (3, 4, 8, 9):
        return "imperfect"
    return "dissonant"
'''
_WORDS_VERSES = '''"""Verses and refrains as they are printed under each other."""


def numbered(verses, refrain):
    """Each verse with its number, followed by the refrain if there is one."""
    result = []
    for i in range(len(verses)):
        line = str(i + 1) + ". " + verses[i]
        result.append(line)
        if refrain is not None:
            if refrain != "":
                result.append("   " + refrain)
    return result


def is_complete(verse, endings):
    """Whether a verse ends in one of the endings."""
    for ending in endings:
        if verse.endswith(ending):
            return True
    return False


def longest_line(verses):
    """How many letters the longest line of all verses has."""
    longest = 0
    for verse in verses:
        for line in verse.split("\\n"):
            if len(line) > longest:
                longest = len(line)
    return longest
'''
_SEATS = '''"""Who sits where at a rehearsal."""

VOICES = ("soprano", "alto", "tenor", "bass")


def row_of(voice, is_new, height):
    """The row for a singer: 1 in front. New ones sit in front, tall ones behind."""
    if is_new == True:
        row = 1
    else:
        if voice == "soprano" or voice == "alto":
            if height > 175:
                row = 2
            else:
                row = 1
        else:
            if height > 185:
                row = 4
            else:
                row = 3
    return row


def placard(name, voice, row):
    """What stands on a chair."""
    if row == 1:
        text = "{} ({})".format(name, voice[0].upper())
        text = text + " *"
        return text
    else:
        text = "{} ({})".format(name, voice[0].upper())
        return text


def absent(names, present):
    """Everybody who is not there, in order."""
    missing = []
    for name in names:
        if not name in present:
            missing.append(name)
    return missing
'''
_LIBRARY = '''"""The shelves: copies of pieces, and who has them."""

from dataclasses import dataclass


@dataclass
class Copy:
    """One printed copy."""

    piece: str
    number: int
    holder: str = ""


def duplicates(copies):
    """Copies whose piece and number were seen before, in the order of the shelf."""
    seen = []
    found = []
    for copy in copies:
        mark = (copy.piece, copy.number)
        if mark in seen:
            found.append(copy)
        else:
            seen.append(mark)
    return found


def lend(copy, name):
    """Give a copy to somebody; one that is out already is a ValueError."""
    if copy.holder:
        raise ValueError(f"{copy.piece} {copy.number} is with {copy.holder}")
    copy.holder = name
'''
_METRE = '''"""Bars and beats."""


def beats(signature: str) -> int:
    """How many beats the conductor gives in a bar.

    Compound metres (6, 9 or 12 above) are given in threes.

    >>> beats("4/4")
    4
    >>> beats("6/8")
    2
    >>> beats("12/8")
    4
    """
    above, _ = signature.split("/")
    count = int(above)
    if count % 3 == 0:
        return count // 3
    return count


def bars(length: int, signature: str) -> int:
    """How many full bars a number of beats fills; what is left over is not counted.

    >>> bars(17, "4/4")
    4
    >>> bars(8, "3/4")
    2
    """
    return length // beats(signature)


def seconds(count: int, tempo: int) -> float:
    """How long some beats take at a tempo in beats a minute; a tempo of 0 is a ValueError."""
    if tempo <= 0:
        raise ValueError("no tempo")
    return 60 * count / tempo
'''
_PROGRAMME = '''"""The programme of a concert."""

from canto._bundled.tally import Tally
from canto._titles import short
from canto.metre import seconds
from canto.pitch import fits
from canto.seats import placard


def read(text: str) -> list[tuple[str, int]]:
    """Pieces with their seconds, from lines such as ``Ave verum;2:55``."""
    pieces = []
    for line in text.splitlines():
        title, _, length = line.partition(";")
        minutes, _, rest = length.partition(":")
        pieces.append((title.strip(), 60 * int(minutes) + int(rest)))
    return pieces


def running_order(pieces: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """The longest first, then the shortest, and so on in turn."""
    left = sorted(pieces, key=lambda each: each[1])
    order = []
    while left:
        order.append(left.pop())
        if left:
            order.append(left.pop(0))
    return order


def printed(pieces: list[tuple[str, int]]) -> str:
    """The programme as text, with the time of all."""
    lines = [f"{title}  {length // 60}:{length % 60:02}" for title, length in pieces]
    whole = sum(length for _, length in pieces)
    return "\\n".join([*lines, f"together {whole // 60}:{whole % 60:02}"])


def check(voice: str, notes: list[str], name: str) -> str:
    """A line for the section leader."""
    tally = Tally()
    tally.add(name)
    word = "can" if fits(voice, notes) else "cannot"
    return f"{placard(name, voice, 2)} {word} sing {short(notes[0])} in {seconds(4, 60):.0f} s"
'''
_TITLES = """# -*- coding: utf-8 -*-
# Code generated by tools/titles.py; DO NOT EDIT.

_TABLE = {}
for _i, _t in enumerate(["Ave", "Sicut", "Sing"]):
    _TABLE[_i] = _t


def short(title):
    if title == None:
        return ""
    else:
        return title[0:12]
"""
_BUNDLED_TALLY = """# Copyright (c) 2014 the tally authors. MIT licence.
# Bundled copy of tally 0.3.1, unmodified. Report problems upstream.


class Tally(object):
    def __init__(self):
        self.counts = {}

    def add(self, what):
        if not what in self.counts:
            self.counts[what] = 0
        self.counts[what] = self.counts[what] + 1

    def most(self):
        best = None
        for what in self.counts:
            if best == None or self.counts[what] > self.counts[best]:
                best = what
        return best
"""
_TUNING = '''"""Temperaments for the organ; no command offers them yet."""

import math

PYTHAGOREAN = 3 / 2


def frequency(number: int, concert_pitch: float = 440.0) -> float:
    """Hertz of a MIDI number in equal temperament."""
    return concert_pitch * 2 ** ((number - 69) / 12)


def cents(lower: float, upper: float) -> float:
    """The interval between two frequencies in cents; neither may be zero or less."""
    if lower <= 0 or upper <= 0:
        raise ValueError("a frequency is above zero")
    return 1200 * math.log2(upper / lower)


def circle(fifth: float = PYTHAGOREAN, count: int = 12) -> list[float]:
    """Ratios of so many fifths, each brought back into one octave."""
    ratios = [1.0]
    for _ in range(count - 1):
        ratio = ratios[-1] * fifth
        while ratio >= 2:
            ratio /= 2
        ratios.append(ratio)
    return ratios
'''
_TRANSPOSE = '''"""Other keys."""

NAMES = ("C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B")


def key_name(number: int) -> str:
    """The name of the key that a MIDI number stands for, without its octave."""
    return NAMES[number % 12]


def clamp_shift(shift: int, most: int) -> int:
    """A shift in semitones, held between -most and most.

    >>> clamp_shift(7, 5)
    5
    >>> clamp_shift(-9, 5)
    -5
    >>> clamp_shift(3, 5)
    3
    >>> clamp_shift(0, 0)
    0
    """
    raise NotImplementedError
'''
_TOOLS_TITLES = """import sys

titles = [line.strip() for line in open(sys.argv[1])] if len(sys.argv) > 1 else []
print("# Code generated by tools/titles.py; DO NOT EDIT.")
for i in range(len(titles)):
    print("    %d: %r," % (i, titles[i]))


def longest(xs):
    m = xs[0]
    for x in xs:
        if len(x) > len(m):
            m = x
    return m
"""
_TESTS_TEST_WORDS = """import unittest

from canto.words.verses import is_complete, longest_line, numbered


class NumberedTest(unittest.TestCase):
    def test_without_refrain(self):
        self.assertEqual(numbered(["One", "Two"], None), ["1. One", "2. Two"])
        self.assertEqual(numbered(["One", "Two"], ""), ["1. One", "2. Two"])
        self.assertEqual(numbered([], "Gloria"), [])

    def test_with_refrain(self):
        self.assertEqual(
            numbered(["One", "Two"], "Gloria"), ["1. One", "   Gloria", "2. Two", "   Gloria"]
        )


class CompleteTest(unittest.TestCase):
    def test_endings(self):
        self.assertTrue(is_complete("Kyrie eleison.", [".", "!"]))
        self.assertTrue(is_complete("Gloria!", [".", "!"]))
        self.assertFalse(is_complete("Gloria", [".", "!"]))
        self.assertFalse(is_complete("Gloria", []))


class LongestTest(unittest.TestCase):
    def test_lines(self):
        self.assertEqual(longest_line(["a\\nbcd", "ef"]), 3)
        self.assertEqual(longest_line(["ef", "abc\\nd"]), 3)
        self.assertEqual(longest_line([]), 0)
"""
_TESTS_TEST_SEATS = """import unittest

from canto.seats import absent, placard, row_of


class SeatsTest(unittest.TestCase):
    def test_rows(self):
        self.assertEqual(row_of("bass", True, 190), 1)
        self.assertEqual(row_of("bass", False, 190), 4)
        self.assertEqual(row_of("bass", False, 185), 3)
        self.assertEqual(row_of("tenor", False, 186), 4)
        self.assertEqual(row_of("soprano", False, 176), 2)
        self.assertEqual(row_of("soprano", False, 175), 1)
        self.assertEqual(row_of("alto", False, 176), 2)
        self.assertEqual(row_of("alto", False, 160), 1)

    def test_placards(self):
        self.assertEqual(placard("Ida", "alto", 1), "Ida (A) *")
        self.assertEqual(placard("Ida", "alto", 2), "Ida (A)")

    def test_absent(self):
        self.assertEqual(absent(["Ida", "Jo", "Kim"], ["Jo"]), ["Ida", "Kim"])
        self.assertEqual(absent([], ["Jo"]), [])
"""
_TESTS_TEST_LIBRARY = """import unittest

from canto.library import Copy, duplicates, lend


class LibraryTest(unittest.TestCase):
    def test_a_shelf_after_stocktaking(self):
        shelf = [Copy(f"piece {n % 40}", n // 40) for n in range(2400)]
        again = Copy("piece 7", 3)
        self.assertEqual(duplicates([*shelf, again]), [again])

    def test_nothing_twice(self):
        self.assertEqual(duplicates([Copy("a", 1), Copy("a", 2), Copy("b", 1)]), [])

    def test_every_further_copy(self):
        a, b, c = Copy("a", 1), Copy("a", 1), Copy("a", 1)
        self.assertEqual(duplicates([a, b, c]), [b, c])

    def test_lending(self):
        copy = Copy("a", 1)
        lend(copy, "Ida")
        self.assertEqual(copy.holder, "Ida")
        with self.assertRaises(ValueError):
            lend(copy, "Jo")
"""
_TESTS_TEST_PROGRAMME = """import unittest

from canto.metre import bars, beats, seconds
from canto.programme import check, printed, read, running_order
from canto.transpose import key_name

TEXT = "Sicut cervus;3:10\\nAve verum;2:55\\nSing joyfully;2:40"


class ProgrammeTest(unittest.TestCase):
    def test_an_evening(self):
        pieces = running_order(read(TEXT))
        titles = [title for title, _ in pieces]
        self.assertEqual(titles, ["Sicut cervus", "Sing joyfully", "Ave verum"])
        self.assertTrue(printed(pieces).endswith("together 8:45"))

    def test_check(self):
        self.assertEqual(check("bass", ["C3", "E3"], "Ida"), "Ida (B) can sing C3 in 4 s")

    def test_metre(self):
        self.assertEqual(beats("4/4"), 4)
        self.assertEqual(bars(17, "4/4"), 4)
        self.assertEqual(seconds(2, 60), 2)
        with self.assertRaises(ValueError):
            seconds(1, 0)

    def test_keys(self):
        self.assertEqual(key_name(61), "C#")


class GuestsTest(unittest.TestCase):
    def test_first_guest(self):
        guests = {"Ida", "Jo", "Kim", "Lea", "Max", "Nor"}
        self.assertNotEqual(next(iter(guests)), "Max")
"""
_FILES = {
    "pyproject.toml": _PYPROJECT,
    "README.md": _README,
    "src/canto/__init__.py": '"""Pitches, texts, programmes and seats of a choir."""\n',
    "src/canto/pitch.py": _PITCH,
    "src/canto/words/__init__.py": '"""Texts that are sung."""\n',
    "src/canto/words/verses.py": _WORDS_VERSES,
    "src/canto/seats.py": _SEATS,
    "src/canto/library.py": _LIBRARY,
    "src/canto/metre.py": _METRE,
    "src/canto/programme.py": _PROGRAMME,
    "src/canto/_titles.py": _TITLES,
    "src/canto/_bundled/__init__.py": "",
    "src/canto/_bundled/tally.py": _BUNDLED_TALLY,
    "src/canto/tuning.py": _TUNING,
    "src/canto/transpose.py": _TRANSPOSE,
    "tools/titles.py": _TOOLS_TITLES,
    "tests/test_words.py": _TESTS_TEST_WORDS,
    "tests/test_seats.py": _TESTS_TEST_SEATS,
    "tests/test_library.py": _TESTS_TEST_LIBRARY,
    "tests/test_programme.py": _TESTS_TEST_PROGRAMME,
}
CANTO = Planted(
    name="canto",
    files=_FILES,
    kinds={
        "canto.pitch": "test",
        "canto.words.verses": "refactor",
        "canto.seats": "refactor",
        "canto.library": "optimisation",
        "canto.tuning": "integration",
        "canto.metre": "finding",
        "canto.transpose": "generated",
    },
    junk=(
        "README.md",
        "src/canto/_titles.py",
        "src/canto/_bundled/tally.py",
        "tools/titles.py",
    ),
    first=(
        "pyproject.toml",
        "README.md",
        "src/canto/__init__.py",
        "src/canto/seats.py",
        "tests/test_seats.py",
        "src/canto/words/__init__.py",
        "src/canto/words/verses.py",
        "tests/test_words.py",
    ),
    flaky="tests/test_programme.py::GuestsTest::test_first_guest",
    workflow="evening",
)
