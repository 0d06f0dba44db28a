"""What code does with one value, gathered while its syntax tree is walked."""

from collections import Counter
from dataclasses import dataclass, field

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
