"""What values are made of: texts, numbers and forms that code is often written for."""

import collections
import datetime
import fractions
import io
import math
import re
import uuid
from typing import Any

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
        ("datetime.timezone.utc", datetime.UTC),
        ("uuid.UUID(int=1)", uuid.UUID(int=1)), ("io.BytesIO(b'a')", io.BytesIO(b"a")),
    ]  # fmt: skip
