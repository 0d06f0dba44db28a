"""Values of every kind that code is written for, and the texts and numbers they are made of."""

import collections
import datetime
import decimal
import fractions
import io
import math
import pathlib
import random
import re
import uuid
from collections.abc import Callable
from typing import Any

from reverie.instruments.equivalence.patterns import matching_texts

from .nodes import Node, const, form

TEXTS = (
    "",
    " ",
    "a",
    "abc",
    "Ab c-1",
    "0",
    "1",
    "-1",
    "1.5",
    "é",
    "\n",
    "a b",
    "x,y",
    "key=value",
    "nan",
    "inf",
)
WHOLE = (0, 1, -1, 2, 3, 5, 10, 12, 100, 255, 1000, 1024)
FLOATS = (0.0, 0.5, -2.5, 1.5, 3.14, 1e9, -1.0, 1e-9, 100.0, math.inf, -math.inf, math.nan)
LETTERS = "aZ09 -_.:,=[]{}()\"'\n\t#é+/@%*\\"
FUNCTIONS = (
    "lambda x: x", "lambda x, y: x", "lambda *args, **kwargs: args", "lambda x: x > 1",
    "lambda x: x % 2 == 0", "lambda x: None", "lambda: 1", "operator.add", "len", "str", "int",
    "abs", "min", "lambda x: -x", "lambda x, y: x + y", "lambda *args: 1", "lambda: [1, 2]",
    "lambda key, value, now: now + 1", "lambda x: x[0]", "failing", "operator.itemgetter(0)",
    "lambda *args: 0", "lambda *args: -1", "lambda *args: args[-1]", "lambda *args: 100",
    "lambda *args: args[-1] + 1",
)  # fmt: skip
CLOCKS = ("itertools.count().__next__", "itertools.count(0, 5).__next__", "lambda: 0")
FAILING = """def failing(*args, **kwargs):
    raise ValueError("failing")
"""
ENTERED = """async def entered(manager):
    async with manager as value:
        return value
"""
DEFINITIONS = {"failing": FAILING, "entered": ENTERED}
MOMENTS = (
    "datetime.datetime(·, ·, ·, ·, ·, ·)", "datetime.date(·, ·, ·)", "datetime.time(·, ·, ·)",
    "datetime.timedelta(days=·, seconds=·)", "datetime.timedelta(·, ·, ·)",
    "datetime.datetime(·, ·, ·, tzinfo=datetime.timezone.utc)",
    "datetime.datetime(·, ·, ·, ·, tzinfo=datetime.timezone(datetime.timedelta(hours=·)))",
)  # fmt: skip
ODD = (
    "decimal.Decimal(·)", "fractions.Fraction(·, ·)", "complex(·, ·)", "range(·)", "slice(·, ·)",
    "re.compile(·)", "collections.OrderedDict()", "collections.deque(·)", "bytearray(·)",
    "float('nan')", "float('inf')", "object()", "int", "str", "list", "ValueError", "ValueError(·)",
    "types.SimpleNamespace(a=·, b=·)", "Ellipsis", "NotImplemented", "memoryview(b'ab')",
    "datetime.timezone.utc", "pathlib.PurePosixPath(·)", "uuid.UUID(int=·)", "array.array('i', ·)",
)  # fmt: skip
MODULES = (
    "datetime", "decimal", "fractions", "re", "collections", "types", "io", "operator", "pathlib",
    "uuid", "array", "itertools", "math", "enum",
)  # fmt: skip
_BY_NAME = {
    "function": ("key", "func", "fn", "f", "function", "predicate", "pred", "callback", "binop",
                 "op", "getter", "factory", "choice", "getsizeof", "hook", "default_factory",
                 "condition", "handler", "transform", "cmp", "reducer", "combine", "cond"),
    "clock": ("timer", "clock", "now", "time_func", "get_time", "timefunc"),
    "text": ("s", "text", "string", "name", "sep", "prefix", "suffix", "format", "spec", "pattern",
             "value", "src", "source", "line", "message", "separator", "encoding", "path",
             "attribute", "version", "unit"),
    "int": ("n", "i", "size", "maxsize", "count", "num", "number", "index", "limit", "k", "length",
            "width", "start", "stop", "step", "digits", "precision", "ndigits", "ttl", "year",
            "month", "day"),
    "list": ("seq", "iterable", "items", "data", "lst", "values", "sequence", "iterables", "seqs",
             "it", "xs", "array", "elements", "coll"),
    "mapping": ("d", "mapping", "dct", "dictionary", "kwargs", "options", "config", "params"),
    "file": ("fp", "file", "stream", "fh", "fileobj", "buffer"),
    "moment": ("dt", "date", "datetime", "time", "when", "moment", "delta", "tz", "tzinfo", "until",
               "dtstart"),
}  # fmt: skip
RARE = ("odd", "decimal", "file", "moment", "blob", "own")
UNUSUAL = ("path", "later", "type", "date", "time", "delta")
PRIORS = {name: kind for kind, names in _BY_NAME.items() for name in names}
TYPE_NAMES = {
    "int": "int", "float": "number", "str": "text", "bool": "bool", "bytes": "blob",
    "NoneType": "none", "list": "list", "dict": "mapping", "set": "set", "tuple": "tuple",
    "frozenset": "set", "Callable": "function", "datetime": "moment", "date": "moment",
    "time": "moment", "timedelta": "moment", "Iterable": "list", "Sequence": "list",
    "Mapping": "mapping", "MutableMapping": "mapping", "Decimal": "decimal", "IO": "file",
    "TextIO": "file", "BinaryIO": "file", "Iterator": "iterator", "Hashable": "text",
    "Number": "number", "Real": "number", "Integral": "int", "SupportsInt": "int",
    "complex": "number", "Generator": "iterator", "Collection": "list", "Sized": "list",
    "Container": "list", "StringIO": "file", "BytesIO": "file", "Path": "path",
    "PathLike": "path", "AsyncIterable": "later", "Awaitable": "later", "type": "type",
    "Fraction": "decimal", "ByteString": "blob", "bytearray": "blob", "object": "text",
}  # fmt: skip


def _by_word(groups: "dict[str, str]") -> "dict[str, tuple[str, ...]]":
    found: dict[str, tuple[str, ...]] = {}
    for kinds, words in groups.items():
        for word in words.split():
            found[word] = (*found.get(word, ()), *kinds.split())
    return found


HAVING = _by_word({
    "text": "strip split lower upper startswith endswith encode splitlines isdigit isalpha title "
            "lstrip rstrip partition rpartition rsplit casefold isspace isupper islower zfill "
            "capitalize isidentifier isalnum swapcase removeprefix removesuffix",
    "mapping": "items keys values get setdefault update popitem",
    "list": "append extend insert sort",
    "moment": "tzinfo utcoffset strftime isoformat toordinal timetuple astimezone timestamp year "
              "month day hour minute second weekday isocalendar utctimetuple",
    "delta": "total_seconds days seconds microseconds",
    "file": "read readline readlines seek tell write", "blob": "decode hex",
    "decimal": "quantize as_tuple", "iterator": "__next__", "function": "__name__ __wrapped__",
})  # fmt: skip
"""Kinds of values by an attribute that they have."""
CALLED_WITH = _by_word({
    "int": "range chr hex bin oct islice",
    "number": "float round abs fromtimestamp isnan floor ceil",
    "text": "int float ord Decimal fromisoformat strptime literal_eval compile escape",
    "list texts": "len sorted enumerate zip sum max min any all list tuple set frozenset reversed "
                  "chain fromiterable deque Counter",
    "mapping": "dict OrderedDict", "iterator": "next iter",
})  # fmt: skip
"""Kinds of the first argument of a well-known function."""
SAID = tuple(
    (word, kinds) for word, kinds in _by_word({
        "int": "integer int number", "number": "float number numeric", "text": "string str text",
        "bool": "bool boolean", "list texts": "list sequence iterable array",
        "tuple": "tuple", "mapping": "dict mapping dictionary", "function": "callable function",
        "moment": "datetime date", "delta": "timedelta", "blob": "bytes", "file": "file stream",
        "set": "set", "iterator": "iterator",
    }).items()
)  # fmt: skip
"""Kinds by the words in which docstrings speak of them."""


def odd_samples() -> "list[tuple[str, Any]]":
    """Values that are rarely asked for, with the source that makes them."""
    return [
        ("range(3)", range(3)), ("slice(1, 2)", slice(1, 2)), ("Ellipsis", Ellipsis),
        ("re.compile('a')", re.compile("a")), ("ValueError", ValueError), ("math", math),
        ("collections.OrderedDict(a=1)", collections.OrderedDict(a=1)),
        ("collections.deque([1])", collections.deque([1])),
        ("collections.Counter('a')", collections.Counter("a")),
        ("bytearray(b'a')", bytearray(b"a")), ("memoryview(b'a')", memoryview(b"a")),
        ("complex(1, 2)", 1 + 2j), ("fractions.Fraction(1, 2)", fractions.Fraction(1, 2)),
        ("ValueError('a')", ValueError("a")), ("frozenset([1])", frozenset([1])),
        ("(each for each in [1, 2])", (each for each in [1, 2])),
        ("datetime.timezone.utc", datetime.timezone.utc),  # noqa: UP017  Python 3.10
        ("uuid.UUID(int=1)", uuid.UUID(int=1)), ("io.BytesIO(b'a')", io.BytesIO(b"a")),
    ]  # fmt: skip


_MOST_PATTERNS = 120
_PATTERN_SHARE = 0.25


class Kinds:
    """Draws values; what the code was seen comparing with is drawn more often than the rest."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.texts: list[str] = list(TEXTS)
        self.whole: list[int] = list(WHOLE)
        self.floats: list[float] = list(FLOATS)
        self.blobs: list[bytes] = [b"", b"a", b"a\nb\n"]
        self.identifiers: list[str] = []
        """Names of parameters and attributes: keys that a mapping may be asked for."""
        self.separators: list[str] = ["\n", " ", ","]
        """What texts of several parts are held together by."""
        self.patterns: list[str] = []
        self.learned: dict[type, list[Any]] = {str: [], int: [], float: [], bytes: []}
        self._known: set[Any] = set()
        self._makers: dict[str, Callable[[], Node]] = {
            "int": self.integer, "number": self.number, "text": self.text,
            "none": lambda: const(None), "bool": lambda: const(self.chance.random() < 0.5),
            "list": self._list, "texts": lambda: self.several("list", self.text),
            "nested": lambda: self.several("list", self._small_list),
            "pairs": lambda: self.several("list", self._pair), "mapping": self._mapping,
            "tuple": lambda: self.several("tuple", self.integer), "function": self.function,
            "iterator": lambda: form("iter(·)", self._list()), "blob": self.blob,
            "set": lambda: form("set(·)", self._small_list()), "moment": self.moment,
            "file": self.file, "decimal": self.decimal, "odd": self.odd, "own": self.text,
            "date": lambda: self._moment(MOMENTS[1]), "time": lambda: self._moment(MOMENTS[2]),
            "delta": lambda: self._moment(MOMENTS[3]),
            "path": lambda: form("pathlib.PurePosixPath(·)", self.text()),
            "clock": lambda: form(chance.choice(CLOCKS)),
            "later": self.odd, "type": lambda: form(chance.choice(("int", "str", "list"))),
        }  # fmt: skip
        self.names = [each for each in self._makers if each not in UNUSUAL]

    def make(self, kind: str) -> Node:
        """A value of a kind, or of the text after a `=`."""
        return form(kind[1:]) if kind.startswith("=") else self._makers[kind]()

    def samples(self) -> "list[tuple[str, Any]]":
        """A value of each kind, to ask whether it is what a condition wants."""
        return [("int", 1), ("number", 1.5), ("text", "a"), ("none", None), ("bool", True),
                ("list", [1]), ("mapping", {"a": 1}), ("tuple", (1,)), ("function", len),
                ("iterator", iter([1])), ("blob", b"a"), ("set", {1}), ("file", io.StringIO("a")),
                ("decimal", decimal.Decimal(1)), ("moment", datetime.datetime(2020, 1, 1)),
                ("date", datetime.date(2020, 1, 1)), ("delta", datetime.timedelta(1)),
                ("time", datetime.time(1)), ("type", int), ("path", pathlib.PurePosixPath("a")),
                *((f"={text}", value) for text, value in odd_samples())]  # fmt: skip

    def prior(self, parameter: str, kind: str) -> float:
        """How likely a parameter of that name takes the kind, before anything was tried."""
        if PRIORS.get(parameter.lower().strip("_")) == kind:
            return 4.0
        return 0.4 if kind in ("clock", *RARE) else 1.0

    def of_type_name(self, name: str) -> "str | None":
        """The kind of a type, by the type's name."""
        return TYPE_NAMES.get(name)

    def learn(self, value: Any) -> None:
        """A constant that the code compared with or knows; each once."""
        if type(value) not in self.learned or value in self._known or value != value:
            return
        if isinstance(value, (str, bytes)) and len(value) > 400:
            return
        self._known.add(value)
        pool = self.learned[type(value)]
        pool.append(value)
        if len(pool) > 600:
            del pool[self.chance.randrange(300)]

    def is_known(self, value: Any) -> bool:
        """Whether a constant was learned as it is."""
        return value in self._known

    def learn_pattern(self, pattern: str) -> None:
        """A regular expression that texts are held against."""
        if pattern not in self.patterns and len(self.patterns) < _MOST_PATTERNS:
            self.patterns.append(pattern)

    # Plain values

    def _pooled(self, kind: type, usual: "list[Any]") -> Any:
        pool = self.learned[kind]
        return self.chance.choice(pool if pool and self.chance.random() < 0.55 else usual)

    def integer(self) -> Node:
        """A whole number."""
        draw = self.chance.random()
        if draw < 0.6:
            return const(self._pooled(int, self.whole))
        if draw < 0.75:
            return const(self._pooled(int, self.whole) + self.chance.choice((-1, 1)))
        return const(self.chance.randint(-3, 12 if draw < 0.9 else 120))

    def number(self) -> Node:
        """A number."""
        if self.chance.random() < 0.5:
            return self.integer()
        value = self._pooled(float, self.floats)
        return const(value if self.chance.random() < 0.7 else float(self.chance.randint(-9, 99)))

    def text(self) -> Node:
        """A text."""
        return const(self.a_text())

    def a_text(self) -> str:
        """A text: a known one, several together, or one with a change."""
        draw = self.chance.random()
        text = self._token()
        if draw < 0.6:
            return text
        if draw < 0.8:
            between = self.chance.choice(("", *self.separators))
            return text[:150] + between + self._token()[:150]
        return self.changed_text(text)

    def _token(self) -> str:
        """A known text, or one that a known pattern matches."""
        if self.patterns and self.chance.random() < _PATTERN_SHARE:
            made = matching_texts(self.chance.choice(self.patterns), self.chance, 1)
            if made:
                return made[0][:300]
        return str(self._pooled(str, self.texts))

    def changed_text(self, text: str) -> str:
        """A neighbour of a text."""
        first, last = sorted((self.chance.randint(0, len(text)), self.chance.randint(0, len(text))))
        token = self._token()
        letter = self.chance.choice(LETTERS)
        made = self.chance.choice((
            lambda: text[:first] + token + text[first:],
            lambda: text[:first] + token + text[last:],
            lambda: text[:first] + text[last:],
            lambda: text[:first] + letter + text[first:],
            lambda: text[:first] + letter + text[first + 1:],
            lambda: text[:first] + text[first + 1:],
            lambda: text + token,
            lambda: token + text,
            lambda: text[:last] + text[first:last] + text[last:],
            lambda: text + self.chance.choice(self.separators) + token,
            lambda: self.chance.choice((text.upper(), text.lower(), text.title(), text.strip())),
            lambda: text[:first],
            lambda: text * 2,
        ))()  # fmt: skip
        return made[:400]

    def blob(self) -> Node:
        """Some bytes."""
        if self.chance.random() < 0.5:
            return const(self._pooled(bytes, self.blobs))
        return const(self.a_text().encode("utf-8", "surrogatepass"))

    # Containers

    def several(self, kind: str, make: "Callable[[], Node]") -> Node:
        """A list or tuple of values made one by one; short ones mostly."""
        many = self.chance.choice((0, 1, 2, 2, 3, 3, 4, 6))
        return Node(kind, None, tuple(make() for _ in range(many)))

    def mapping(self, key: "Callable[[], Node]", value: "Callable[[], Node]") -> Node:
        """A dict; keys that cannot be such fail in the try."""
        many = self.chance.choice((0, 1, 2, 3))
        return Node("dict", None, tuple(make() for _ in range(many) for make in (key, value)))

    def _list(self) -> Node:
        draw = self.chance.random()
        if draw < 0.7:
            return self._small_list()
        return self.several("list", self.text if draw < 0.85 else self.number)

    def _small_list(self) -> Node:
        return self.several("list", lambda: const(self.chance.randint(-2, 6)))

    def _pair(self) -> Node:
        return Node("tuple", None, (const(self.chance.randint(0, 3)), self.text()))

    def _mapping(self) -> Node:
        draw = self.chance.random()
        key = self.text if draw < 0.5 else self.integer if draw < 0.7 else self._identifier
        return self.mapping(key, self.chance.choice((self.integer, self.text)))

    def _identifier(self) -> Node:
        return const(self.chance.choice(self.identifiers)) if self.identifiers else self.text()

    # The rest

    def function(self) -> Node:
        """A function."""
        return form(self.chance.choice(FUNCTIONS))

    def moment(self) -> Node:
        """A date, a time, a duration."""
        return self._moment(
            MOMENTS[0] if self.chance.random() < 0.4 else self.chance.choice(MOMENTS)
        )

    def _moment(self, text: str) -> Node:
        if "timedelta(" in text[:20]:
            return form(text, *(self.integer() for _ in range(text.count("·"))))
        ranges = ((1, 24), (0, 59), (0, 59)) if ".time(" in text else (
            (1990, 2030), (1, 12), (1, 28), (0, 23), (0, 59), (0, 59))  # fmt: skip
        if "hours=·" in text:
            ranges = (*ranges[:4], (-11, 12))
        return form(
            text, *(const(self.chance.randint(*each)) for each in ranges[: text.count("·")])
        )

    def file(self) -> Node:
        """Something to read from."""
        if self.chance.random() < 0.5:
            return form("io.StringIO(·)", self.text())
        return form("io.BytesIO(·)", self.blob())

    def decimal(self) -> Node:
        """A decimal number."""
        text = self.chance.choice(("1.5", "0", "-2.50", "1E+3", "NaN", "Infinity", "100"))
        return form("decimal.Decimal(·)", const(text))

    def odd(self) -> Node:
        """Something rarely asked for."""
        text = self.chance.choice(ODD)
        if "Decimal(" in text:
            return self.decimal()
        make = (
            self.text if "Posix" in text or "compile" in text or "Value" in text else self.integer
        )
        if "deque" in text or "array" in text:
            make = self._small_list
        return form(text, *(make() for _ in range(text.count("·"))))
