"""Traces: what code does with one value, gathered while its syntax tree is walked.

Handing a value to a builtin, or to a well-known function, says something about it.
"""

import ast
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from reverie.syntax.unparsing import unparse

if TYPE_CHECKING:
    from reverie.inputs.evidence.watch import Sight

_METHODS: dict[str, tuple[str, ...]] = {
    "str": (
        "lower", "upper", "split", "strip", "startswith", "endswith", "replace", "encode", "title",
        "isdigit", "isalpha", "isalnum", "isspace", "isupper", "islower", "format", "splitlines",
        "rstrip", "lstrip", "rsplit", "capitalize", "casefold", "zfill", "ljust", "rjust", "center",
        "partition", "rpartition", "swapcase", "join", "find", "rfind", "isidentifier", "translate",
        "removeprefix", "removesuffix", "isnumeric", "isdecimal", "expandtabs", "format_map",
    ),
    "list": ("append", "extend", "sort", "insert", "reverse", "pop", "remove"),
    "sequence": ("index", "count"),
    "dict": ("items", "keys", "values", "get", "setdefault", "popitem", "update"),
    "set": ("add", "union", "discard", "intersection", "difference", "issubset", "issuperset"),
    "bytes": ("decode", "hex"),
    "collections.deque": ("popleft", "appendleft", "rotate"),
    "TextIO": ("read", "readline", "readlines", "write", "writelines", "seek"),
    "datetime.datetime": ("strftime", "isoformat", "timestamp", "weekday", "isoweekday", "date",
                          "astimezone", "total_seconds"),
    "pathlib.Path": ("exists", "read_text", "write_text", "is_file", "is_dir", "iterdir", "glob",
                     "resolve", "mkdir", "joinpath", "with_suffix", "relative_to"),
    "re.Pattern": ("match", "search", "sub", "findall", "fullmatch", "finditer"),
    "Iterator": ("__next__",),
    "decimal.Decimal": ("quantize",),
}  # fmt: skip
_ATTRIBUTES: dict[str, tuple[str, ...]] = {
    "datetime.datetime": ("year", "month", "day", "hour", "minute", "tzinfo"),
    "pathlib.Path": ("suffix", "stem", "parent"),
    "complex": ("real", "imag"),
    "fractions.Fraction": ("numerator", "denominator"),
    "numpy.ndarray": ("shape", "dtype", "ndim"),
}
OWNERS = {name: kind for kind, names in _METHODS.items() for name in names}
ATTRIBUTE_OWNERS = {name: kind for kind, names in _ATTRIBUTES.items() for name in names}
TEXT_RESULTS = frozenset(
    ("lower", "upper", "strip", "replace", "title", "rstrip", "lstrip", "capitalize", "casefold",
     "zfill", "ljust", "rjust", "center", "swapcase", "join", "format", "decode", "read",
     "read_text", "strftime", "isoformat", "readline", "removeprefix", "removesuffix", "translate")
)  # fmt: skip
TEXT_LISTS = frozenset(("split", "splitlines", "rsplit", "partition", "rpartition", "readlines"))


@dataclass(eq=False)
class Trace:
    """Votes for the type of one value, and the traces of its parts."""

    votes: Counter[str] = field(default_factory=Counter)
    fields: "dict[str, Trace]" = field(default_factory=dict)
    """By string subscript: `x["name"]`."""
    attributes: "dict[str, Trace]" = field(default_factory=dict)
    methods: "dict[str, Trace]" = field(default_factory=dict)
    """Results of methods that no builtin type has."""
    parts: "list[Trace]" = field(default_factory=list)
    """Of an unpacking: `a, b = x`."""
    likes: "list[Trace]" = field(default_factory=list)
    """Values it is added to and compared with."""
    constants: list[object] = field(default_factory=list)
    arity: int | None = None
    is_indexed: bool = False
    is_iterated: bool = False
    is_sized: bool = False
    is_exact: bool = False
    """An assertion says that it is one of the constants."""
    is_tested: bool = False
    """Its truth is asked for."""
    optional_fields: set[str] = field(default_factory=set)
    """Keys that the code does not count on."""
    _element: "Trace | None" = None
    _key: "Trace | None" = None
    _result: "Trace | None" = None

    @classmethod
    def of(cls, kind: str) -> "Trace":
        """A value whose type is known."""
        return cls(Counter({kind: 3}))

    @property
    def element(self) -> "Trace":
        """One of its items, or of its values if it turns out to be a mapping."""
        if self._element is None:
            self._element = Trace()
        return self._element

    @property
    def key(self) -> "Trace":
        """One of its keys."""
        if self._key is None:
            self._key = Trace()
        return self._key

    @property
    def result(self) -> "Trace":
        """What it returns when it is called."""
        if self._result is None:
            self._result = Trace()
        return self._result

    @property
    def has_element(self) -> bool:
        """Whether anything was done with its items."""
        return self._element is not None

    def vote(self, kind: str, weight: int = 1) -> "Trace":
        """One more reason for a type."""
        self.votes[kind] += weight
        return self

    def iterate(self) -> "Trace":
        """It is looped over."""
        self.is_iterated = True
        return self.element

    def part(self, index: int, count: int) -> "Trace":
        """One of `count` values that it is unpacked into."""
        while len(self.parts) < count:
            self.parts.append(Trace())
        return self.parts[index]

    def named(self, name: str) -> "Trace":
        """The value under a string key."""
        return self.fields.setdefault(name, Trace())

    def attribute(self, name: str) -> "Trace":
        """An attribute that is read."""
        if name in ATTRIBUTE_OWNERS:
            self.vote(ATTRIBUTE_OWNERS[name])
            return Trace.of("int")
        return self.attributes.setdefault(name, Trace())

    def like(self, other: "Trace | None") -> None:
        """It is used together with another value, as things of one type are."""
        if other is not None and other is not self:
            self.likes.append(other)
            other.likes.append(self)

    def compared(self, value: object) -> None:
        """It is held against a constant."""
        if value is not None and not isinstance(value, bool):
            self.constants.append(value)
            self.vote(type(value).__name__, 2)


_ITERATE = frozenset(("sum", "sorted", "set", "list", "tuple", "frozenset", "reversed", "iter",
                      "any", "all", "enumerate", "max", "min", "collections.Counter", "Counter",
                      "deque", "collections.deque", "heapq.heapify", "statistics.mean",
                      "itertools.chain", "random.choice", "next"))  # fmt: skip
_KEEP_ITEMS = frozenset(("sorted", "set", "list", "tuple", "frozenset", "reversed", "iter"))
_ONE_ITEM = frozenset(("max", "min", "next", "random.choice"))
_FIRST: dict[str, str] = {
    "len": "sized", "abs": "number", "round": "float", "ord": "str", "chr": "int", "hex": "int",
    "bin": "int", "int": "number", "float": "number", "oct": "int",
    "divmod": "int", "open": "path", "os.listdir": "path",
    "json.loads": "json", "bytes.fromhex": "str", "Path": "path", "pathlib.Path": "path",
    "re.escape": "str", "hash": "Hashable", "dict": "dict", "callable": "callable",
}  # fmt: skip
_PREFIXES: dict[str, str] = {
    "math.": "float", "os.path.": "path", "re.": "str", "textwrap.": "str", "html.": "str",
    "hashlib.": "bytes", "base64.": "bytes", "urllib.parse.": "str", "shlex.": "str",
    "struct.unpack": "bytes", "ast.": "str", "unicodedata.": "str",
}  # fmt: skip
_RESULTS: dict[str, str] = {
    "len": "int", "sum": "number", "abs": "number", "int": "int", "float": "float", "str": "str",
    "ord": "int", "chr": "str", "round": "int", "repr": "str", "bool": "bool", "range": "range",
}  # fmt: skip


def watch_builtin(watcher: "Sight", node: ast.Call) -> Trace | None:
    """The result of a call that is known by name; None when it is not."""
    try:
        name = unparse(node.func)
    except (ValueError, RecursionError):
        return None
    if name == "isinstance" and len(node.args) == 2:
        _isinstance(watcher, node.args[0], node.args[1])
        return Trace.of("bool")
    if name == "range":
        for each in node.args:
            _vote(watcher, each, "int")
        return Trace.of("range")
    if name in ("map", "filter") and len(node.args) == 2:
        return _mapped(watcher, node)
    if name in _ITERATE and len(node.args) == 1:
        return _iterated(watcher, name, node)
    return _first(watcher, name, node)


def _isinstance(watcher: "Sight", value: ast.expr, kinds: ast.expr) -> None:
    found = watcher.see(value)
    options = kinds.elts if isinstance(kinds, ast.Tuple) else [kinds]
    for each in options:
        if found is not None and isinstance(each, ast.Name | ast.Attribute):
            found.vote(unparse(each), 2)


def _iterated(watcher: "Sight", name: str, node: ast.Call) -> Trace | None:
    item = watcher.iterated(node.args[0])
    if item is None:
        return Trace.of(_RESULTS[name]) if name in _RESULTS else None
    if name == "sum":
        item.vote("number", 2)
    for keyword in node.keywords:
        if keyword.arg == "key":
            through_lambda(watcher, keyword.value, item)
    if name in _ONE_ITEM:
        return item
    if name in _KEEP_ITEMS:
        return Trace(votes=Trace.of("list").votes, _element=item)
    return Trace.of(_RESULTS[name]) if name in _RESULTS else Trace()


def through_lambda(watcher: "Sight", node: ast.expr, item: Trace) -> Trace | None:
    """What a function gives for an item, after noting what it does with it."""
    if isinstance(node, ast.Lambda) and node.args.args:
        inner = watcher.within({**watcher.names, node.args.args[0].arg: item})
        return inner.see(node.body)
    if isinstance(node, ast.Name) and node.id in ("int", "float", "len", "str"):
        if node.id == "len":
            item.is_sized = True
        return Trace.of(_RESULTS[node.id])
    _vote(watcher, node, "callable")
    return None


def _mapped(watcher: "Sight", node: ast.Call) -> Trace:
    item = watcher.iterated(node.args[1]) or Trace()
    result = through_lambda(watcher, node.args[0], item)
    kept = item if unparse(node.func) == "filter" else result
    return Trace(votes=Trace.of("list").votes, _element=kept or Trace())


def _first(watcher: "Sight", name: str, node: ast.Call) -> Trace | None:
    kind = _FIRST.get(name)
    if kind is None:
        kind = next((each for prefix, each in _PREFIXES.items() if name.startswith(prefix)), None)
    if kind is None and name not in _RESULTS:
        return None
    for index, each in enumerate(node.args):
        found = watcher.see(each)
        if found is None or kind is None or (index > 0 and name != "divmod"):
            if name.startswith("re.") and found is not None:
                found.vote("str", 2)
            continue
        if kind == "sized":
            found.is_sized = True
        else:
            found.vote(kind, 2)
    return Trace.of(_RESULTS[name]) if name in _RESULTS else Trace()


def _vote(watcher: "Sight", node: ast.expr, kind: str) -> None:
    found = watcher.see(node)
    if found is not None:
        found.vote(kind, 2)
