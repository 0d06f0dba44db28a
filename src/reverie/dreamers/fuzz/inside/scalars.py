"""Numbers and texts: small ones, those that the code knows, and their neighbours."""

import random

from reverie.dreamers.enrich.search.inside.kinds import Kinds
from reverie.dreamers.enrich.search.inside.nodes import Node, const

from .values import clean

_SMALL = (
    "base", "capacity", "count", "depth", "digits", "factor", "k", "length", "limit", "maxsize",
    "n", "number", "page", "people", "size", "step", "times", "width", "window",
)  # fmt: skip
_HOSTILE = (
    "\x00", "\u00b2", "\u0661\u0662", "\uff11\uff12", "\u202eabc", "\U0001f642", "\ufeffa",
    "../../etc/passwd", "'; DROP TABLE x; --", "%s%n", "${7*7}", "<b>", "\\", "a" * 300, "NaN",
    "1e400", "-0", "\r\n", "\u01c5", "\u0130", "\ufb01",
)  # fmt: skip


class Scalars:
    """Draws numbers, texts and bytes."""

    def __init__(self, kinds: Kinds, chance: random.Random) -> None:
        self.kinds = kinds
        self.chance = chance
        self.pieces: list[str] = []
        """Short texts that the module's own texts are made of."""

    def integer(self, name: str = "") -> Node:
        """A whole number: small ones, those that the code knows and their neighbours."""
        draw = self.chance.random()
        if name in _SMALL and draw < 0.6:
            return const(self.chance.choice((1, 1, 2, 2, 3, 4, 5, 7, 10)))
        learned = self.kinds.learned[int]
        if learned and draw < 0.3:
            return const(self.chance.choice(learned) + self.chance.choice((-1, 0, 0, 1)))
        if draw < 0.7:
            return const(self.chance.randint(-3, 12))
        if draw < 0.85:
            return const(self.chance.randint(0, 130))
        return const(
            self.chance.choice((-10, 50, 99, 100, 101, 999, 1000, 1024, 3661, 86400, 90000, 123456))
        )

    def number(self) -> Node:
        """A number, whole or not."""
        draw = self.chance.random()
        learned = self.kinds.learned[float]
        if learned and draw < 0.2:
            return const(self.chance.choice(learned))
        if draw < 0.5:
            return const(float(self.chance.randint(-4, 12)))
        if draw < 0.75:
            return const(self.chance.randint(-8, 40) / 4)
        return const(
            self.chance.choice(
                (0.1, 0.5, -0.5, 2.5, 99.99, 1000.0, -40.0, 1e-3, 1.005, 0.05, 1234.567)
            )
        )

    def text(self, name: str = "") -> Node:
        """A text."""
        return const(self.a_text())

    def a_text(self) -> str:
        """One that the module knows, one put together of its pieces, or any."""
        draw = self.chance.random()
        learned = self.kinds.learned[str]
        if learned and draw < 0.22:
            return str(self.chance.choice(learned))
        if learned and draw < 0.4:
            return clean(self.kinds.changed_text(str(self.chance.choice(learned))))
        if draw < 0.65:
            return self._composed()
        if draw < 0.75:
            return self.chance.choice('ab1 -x"é') * self.chance.choice((2, 3, 9, 10, 12))
        if draw < 0.9:
            words = (
                "a",
                "b",
                "ab",
                "abc",
                "hello",
                "World",
                "x1",
                "10",
                "é",
                "ß",
                "naïve",
                "longerword",
                "42",
            )
            joint = self.chance.choice((" ", " ", ",", "-", "_", "  ", "\n", "", "."))
            return joint.join(
                self.chance.choice(words) for _ in range(self.chance.choice((1, 2, 3, 5)))
            )
        if draw < 0.93:
            return self.chance.choice(_HOSTILE)
        return clean(self.kinds.a_text())

    def a_blob(self) -> bytes:
        """Bytes: of a text, all alike, or any."""
        draw = self.chance.random()
        if draw < 0.4:
            return self.a_text().encode("utf-8", "replace")
        many = self.chance.choice((1, 2, 3, 4, 5, 7, 8, 16, 60))
        if draw < 0.7:
            return self.chance.choice((b"\x00", b" ", b"\xff", b"a")) * many
        return bytes(self.chance.randrange(256) for _ in range(many))

    def _composed(self) -> str:
        """Pieces that the module's own texts are made of, with numbers and letters between."""
        pieces = self.pieces or [" ", ",", "a"]
        parts = []
        for _ in range(self.chance.choice((1, 2, 3, 3, 4, 5, 7))):
            draw = self.chance.random()
            if draw < 0.5:
                parts.append(self.chance.choice(pieces))
            elif draw < 0.75:
                parts.append(str(self.chance.choice((0, 1, 2, 5, 9, 10, 12, 30, 59, 60, 100))))
            else:
                parts.append(self.chance.choice("abzAZ"))
        return "".join(parts)

    def changed_text(self, text: str) -> str:
        """A neighbour of a text: a part taken out, said twice or put in the place of another."""
        draw = self.chance.random()
        signs = [
            each
            for each in (*self.pieces, " ", ",", "\n")
            if each and not each.isalnum() and each in text
        ]
        if signs and draw < 0.4:
            sign = self.chance.choice(signs)
            parts = text.split(sign)
            at = self.chance.randrange(len(parts))
            edit = self.chance.randrange(4)
            if edit == 0:
                del parts[at]
            elif edit == 1:
                parts.insert(at, self.chance.choice(parts))
            elif edit == 2:
                parts.append(self.chance.choice(("0", "1", "2", "10", "a", "")))
            else:
                parts[at] = self.chance.choice(("0", "1", "2", "10", "a", "", *parts))
            return sign.join(parts)
        if draw < 0.5 and text:
            at = self.chance.randrange(len(text))
            return text[:at] + text[at] * self.chance.choice((2, 3, 10)) + text[at + 1 :]
        return clean(self.kinds.changed_text(text)) if draw < 0.8 else self.a_text()
