"""Constants worth trying, by type: of both sources, and of what the versions compared.

For code that asks for kinds of characters, one of every kind that Python or Unicode tells apart.
"""

import ast
import copy
import random
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from reverie.instruments.equivalence.facts import Facts
from reverie.instruments.equivalence.patterns import matching_texts
from reverie.model.call import Call, Expression
from reverie.syntax.parsing import parse_expression

_MOST_POOLED = 400
_SHORT = 6
_SEPARATOR = re.compile(r"'[^\w\\]{1,2}'")
_TEXTS_PER_PATTERN = 6
_MOMENTS = (
    "2024-01-05", "2024-1-5", "20240105", "2024-W01-5", "2024-02-30", "2024-01-05T10:20:30",
    "2024-01-05 10:20", "10:20", "2024-01-05T10:20:30Z", "2024-01-05T10:20:30+05:30", "05/01/2024",
)  # fmt: skip
"""Dates and times as they are written, more or less properly."""
_SIGN = re.compile(r"[^\w\\]")
_WORD = re.compile(r"\w")
_TOKEN = re.compile(r"\d+|[^\W\d]+")
_MOST_SEPARATORS = 24
_LONGEST_SAID = 8
"""Longer texts are messages; their punctuation means nothing."""
_EDGE = 0.2
_RETOLD = 0.6
_NUMBERED, _KNOWN = 0.6, 0.8
_DIRECTED = 3
"""How much more often constants are drawn that stand in one version only."""


class Pools:
    """Literals by type; what was learned twice over is drawn more often."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self._pools: dict[type, list[ast.expr]] = {}
        self._known: set[str] = set()
        self._separators: list[str] = []
        self._numbers: list[int] = []
        """Of the sources alone: what is compared when they run is drawn from the pools."""

    def learn(self, source: str, weight: int = 1) -> None:
        """Put a literal into the pool of its type; a list gives its items."""
        if source in self._known:
            return
        self._known.add(source)
        try:
            node = parse_expression(source)
            items = node.elts if isinstance(node, ast.List) else [node]
            learned = [(type(ast.literal_eval(each)), each) for each in items]
        except (SyntaxError, ValueError):
            return
        for kind, each in learned:
            pool = self._pools.setdefault(kind, [])
            if len(pool) < _MOST_POOLED:
                pool += [each] * weight

    def learn_parts(self, value: object) -> None:
        """What texts can be made of: numbers, and the signs of short texts."""
        if type(value) is int:
            self._numbers.append(value)
        said = value.decode("latin-1") if isinstance(value, bytes) else value
        if isinstance(said, str) and len(said) <= _LONGEST_SAID:
            self.learn_separators(said)

    def learn_separators(self, text: str) -> None:
        """What stands between words in a short text, and each sign of it alone."""
        signs = _SIGN.findall(text)
        whole = [text] if signs and not _WORD.search(text) else []
        for each in (*whole, *signs):
            if each not in self._separators and len(self._separators) < _MOST_SEPARATORS:
                self._separators.append(each)

    def composed(self, text: str) -> str | None:
        """Another text of the same make, or one made of known parts; None: no parts are known."""
        if not self._separators:
            return None
        return self.retold(text) if self.chance.random() < _RETOLD else self.sentence()

    def sentence(self) -> str | None:
        """Numbers and words with separators around them, also where none is expected.

        Code that takes texts apart is wrong for one too many sooner than for odd characters.
        """
        if not self._separators:
            return None
        chance = self.chance
        chosen = chance.choices(self._separators, k=chance.choice((1, 1, 1, 2, 3)))
        words = [self._word() for _ in range(chance.choice((1, 2, 2, 3, 3, 3, 4, 5)))]
        text = words[0]
        for each in words[1:]:
            text += chance.choice(chosen) * chance.choice((1, 1, 1, 1, 1, 2)) + each
        if chance.random() < _EDGE:
            text = chance.choice((text + chosen[0], chosen[0] + text))
        return text

    def retold(self, text: str) -> str:
        """A text with one of its words or numbers as another one."""
        places = [each.span() for each in _TOKEN.finditer(text)]
        if not places:
            return self.sentence() or text
        start, end = self.chance.choice(places)
        return text[:start] + self._word() + text[end:]

    def _word(self) -> str:
        draw = self.chance.random()
        if draw < _NUMBERED / 2 and self._numbers:
            return str(abs(self.chance.choice(self._numbers) + self.chance.choice((-1, 0, 0, 1))))
        if draw < _NUMBERED:
            return str(self.chance.choice((0, 1, 2, 3, 5, 9, 10, 12, self.chance.randint(0, 99))))
        pooled = self.draw(str)
        known = "" if pooled is None else str(ast.literal_eval(pooled))
        if draw < _KNOWN and 0 < len(known) <= _SHORT:
            return known
        return self.chance.choice(("a", "b", "ab", "x1", "A", "", " 1", "-1", "1.5"))

    def learn_separated(self, separator: str) -> None:
        """Numbers and words with a separator between them, as code that splits there takes them."""
        for text in ("1{0}0", "0{0}0{0}2", "10{0}0{0}0", "a{0}b"):
            self.learn(ascii(text.format(separator)))

    def learn_characters(self, source: str) -> None:
        """The characters of a short text: what is put into a result may be looked for in it."""
        value = ast.literal_eval(source)
        if isinstance(value, str) and 1 < len(value) <= _SHORT:
            for each in dict.fromkeys(value):
                self.learn(ascii(each))

    def draw(self, kind: type) -> ast.expr | None:
        """A literal of the type; None when none is known."""
        pool = self._pools.get(kind)
        return copy.deepcopy(self.chance.choice(pool)) if pool else None


def pools_of(facts: Facts, chance: random.Random) -> Pools:
    """What the two sources know: their constants, and texts that match their patterns."""
    pools = Pools(chance)
    for place, source in enumerate(facts.constants):
        pools.learn(source, _DIRECTED if place < facts.changed_constants else 1)
        pools.learn_characters(source)
        value = ast.literal_eval(source)
        pools.learn_parts(value)
        if _SEPARATOR.fullmatch(source):
            pools.learn_separated(ast.literal_eval(source))
    for moment in _MOMENTS if facts.uses_clocks else ():
        pools.learn(ascii(moment))
    for pattern in facts.patterns:
        for is_odd in (False, True):
            for text in matching_texts(pattern, chance, _TEXTS_PER_PATTERN, is_odd=is_odd):
                pools.learn(ascii(text))
                pools.learn_separators(text)
    return pools


_LAST = 0x3100
"""Beyond it there are mostly more letters."""
_FAR = ("\uff21", "\uff11", "\ufb01", "\ufe00", "\U0001d7d8", "\U0001f600", "\U000e0100")
_LIGATURES = range(0xFB00, 0xFB07)
_ASKING = frozenset({
    "unicodedata", "isalpha", "isalnum", "isdigit", "isdecimal", "isnumeric",
    "isspace", "isupper", "islower", "istitle", "isprintable", "isidentifier",
    "casefold", "upper", "lower", "swapcase", "title", "capitalize",
    "splitlines", "strip", "lstrip", "rstrip", "split", "encode",
    "ord",
})  # fmt: skip


def asks_for_characters(*trees: ast.Module) -> bool:
    """Whether a version asks what kind a character is, or treats kinds differently."""
    for tree in trees:
        for node in ast.walk(tree):
            named = getattr(node, "attr", None) or getattr(node, "id", None)
            if named in _ASKING or (isinstance(node, ast.Name) and node.id == "re"):
                return True
    return False


@cache
def characters() -> tuple[str, ...]:
    """The first character of each kind."""
    found: dict[tuple[object, ...], str] = {}
    for each in (*map(chr, range(_LAST)), *_FAR):
        found.setdefault(_kind(each), each)
    return tuple(found.values())


def _kind(character: str) -> tuple[object, ...]:
    return (
        unicodedata.category(character),
        unicodedata.combining(character) > 0,
        unicodedata.east_asian_width(character) in "WF",
        character.isdecimal(), character.isdigit(), character.isnumeric(),
        character.isspace(), character.isidentifier(), character.isascii(),
        len(character.splitlines()[0]) if character.splitlines() else 1,
        len(character.upper()) > 1, len(character.lower()) > 1,
        character.casefold() != character.lower(),
        character.lower().upper() != character.upper(),
    )  # fmt: skip


@cache
def decomposing() -> tuple[str, ...]:
    """The first character of each kind that a normal form takes apart, and of what it becomes."""
    found: dict[tuple[object, ...], str] = {}
    for each in (*map(chr, range(0x80, _LAST)), *_FAR):
        parts = unicodedata.normalize("NFKD", each)
        if parts != each:
            how = unicodedata.decomposition(each).partition(">")[0]
            kind = how if how.startswith("<") else str(len(how.split()))
            key = (kind, unicodedata.category(each), parts[0].isascii(), len(parts) > 1)
            found.setdefault(key, each)
    return tuple(found.values())


def asks_for_forms(*trees: ast.Module) -> bool:
    """Whether a version asks for the normal form of a text."""
    named = (getattr(e, "attr", None) or getattr(e, "id", None) for t in trees for e in ast.walk(t))
    return any(each == "normalize" for each in named)


def character_calls(call: Call, has_forms: bool = False) -> Iterator[Call]:
    """The call with each text of its own as one character, alone and between others."""
    chosen = (*characters(), *decomposing()) if has_forms else characters()
    for place, argument in enumerate(call.args):
        if _own_text(argument) is None:
            continue
        for number, each in enumerate(chosen):
            text = each if number % 2 else f"a{each}b"
            args = (*call.args[:place], argument.replaced(ascii(text)), *call.args[place + 1 :])
            yield replace(call, args=args)


@cache
def look_alikes() -> dict[str, tuple[str, ...]]:
    """What some code takes for an ASCII text and other code does not: by case, digit or blank."""
    found: dict[str, dict[tuple[object, ...], str]] = {}
    for each in map(chr, (*range(0x80, _LAST), *_LIGATURES)):
        folded, digit = each.casefold(), unicodedata.digit(each, None)
        if folded.isascii():
            kind = (each.lower() == folded, each.upper() == folded.upper())
            found.setdefault(folded, {}).setdefault(kind, each)
        if digit is not None:
            found.setdefault(str(digit), {}).setdefault((each.isdecimal(),), each)
        if each.isspace():
            found.setdefault(" ", {}).setdefault((), each)
    return {text: tuple(others.values()) for text, others in found.items()}


def look_alike_calls(call: Call) -> Iterator[Call]:
    """The call with a part of a text of its own as something that may be taken for it."""
    for place, argument in enumerate(call.args):
        value = _own_text(argument) or ""
        folded = value.casefold()
        for text, others in look_alikes().items():
            if text in folded and len(folded) == len(value):
                start = folded.index(text)
                for each in others:
                    made = argument.replaced(
                        ascii(value[:start] + each + value[start + len(text) :])
                    )
                    yield replace(call, args=(*call.args[:place], made, *call.args[place + 1 :]))


def _own_text(argument: Expression) -> str | None:
    """The text that an argument is; None for anything else."""
    try:
        value = ast.literal_eval(argument.source)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None
    return value if isinstance(value, str) else None
