"""One safety rule as data: what it objects to, how much that matters, and at which tiers.

Plain data is read strictly: every mistake is a `ConfigError` that names the key and the value.
"""

from collections.abc import Mapping, Set
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any, TypeVar

from reverie.errors import ConfigError
from reverie.model.outcome import TrustTier
from reverie.model.repository.quality import Severity

E = TypeVar("E", bound=StrEnum)


class Reader:
    """Typed access to one mapping whose keys are all known."""

    __slots__ = ("_data", "where")

    def __init__(self, data: Mapping[str, Any], where: str, known: Set[str]) -> None:
        if not isinstance(data, Mapping):
            raise ConfigError(f"{where}: expected a table, got {data!r}")
        unknown = sorted(str(key) for key in data if key not in known)
        if unknown:
            raise ConfigError(f"{where}: unknown key {unknown[0]!r}")
        self._data = data
        self.where = where

    def text(self, key: str, *, default: str | None = None) -> str:
        """A string; an empty one counts as missing when there is no default."""
        value = self._data.get(key, default)
        if not isinstance(value, str) or (default is None and not value):
            raise self._wrong(key, "a string", value)
        return value

    def flag(self, key: str, *, default: bool) -> bool:
        """True or false."""
        value = self._data.get(key, default)
        if not isinstance(value, bool):
            raise self._wrong(key, "true or false", value)
        return value

    def optional_integer(self, key: str) -> int | None:
        """A whole number that is not negative, or nothing."""
        value = self._data.get(key)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise self._wrong(key, "a whole number", value)
        return value

    def enum(self, key: str, kind: type[E]) -> E:
        """One word of an enumeration."""
        return self._word(key, kind, self._data.get(key))

    def enums(self, key: str, kind: type[E]) -> tuple[E, ...]:
        """Words of an enumeration."""
        return tuple(self._word(key, kind, value) for value in self._list(key))

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of strings that are not empty."""
        values = self._list(key)
        for value in values:
            if not isinstance(value, str) or not value:
                raise self._wrong(key, "a list of strings", value)
        return tuple(values)

    def scalars(self, key: str) -> tuple[str | int | float | bool, ...]:
        """A list of strings, numbers, true and false."""
        values = self._list(key)
        for value in values:
            if not isinstance(value, (str, int, float, bool)):
                raise self._wrong(key, "a list of plain values", value)
        return tuple(values)

    def tables(self, key: str) -> list[Mapping[str, Any]]:
        """A list of tables; each is checked by whoever reads it."""
        return self._list(key)

    def _list(self, key: str) -> list[Any]:
        value = self._data.get(key, [])
        if not isinstance(value, (list, tuple)):
            raise self._wrong(key, "a list", value)
        return list(value)

    def _word(self, key: str, kind: type[E], value: Any) -> E:
        words = {member.value: member for member in kind}
        if not isinstance(value, str) or value not in words:
            raise self._wrong(key, "one of " + ", ".join(words), value)
        return words[value]

    def _wrong(self, key: str, expected: str, value: Any) -> ConfigError:
        return ConfigError(f"{self.where}: {key!r} must be {expected}, got {value!r}")


class RuleKind(StrEnum):
    """Which detector reads the rule."""

    CALL = "call"  # a symbol is called, or passed on to whoever may call it
    VALUE = "value"  # a symbol is used as a whole value
    ARGUMENT = "argument"  # a symbol is called with arguments that make it dangerous
    IMPORT = "import"  # a module is imported, in whatever spelling
    ATTRIBUTE = "attribute"  # an attribute of any object is reached
    ASSIGN = "assign"  # a symbol is replaced
    DYNAMIC = "dynamic"  # a namespace is asked for a name that only the run will know
    FORMAT = "format"  # a format string walks over attributes
    PATH = "path"  # a file is read, written or deleted in a place
    RESOURCE = "resource"  # memory or time without end, plainly visible
    SOURCE = "source"  # what a reader sees is not what Python runs
    UNJUDGED = "unjudged"  # the source cannot be judged at all; never switched off


class Access(StrEnum):
    """What is done to a file."""

    READ = "read"
    WRITE = "write"
    DELETE = "delete"


class Place(StrEnum):
    """Where a path points, as far as the source tells."""

    SCRATCH = "scratch"  # temporary folders and null devices
    RELATIVE = "relative"  # below the working directory, or beside the module
    HOME = "home"  # the user's own files
    ABSOLUTE = "absolute"  # an absolute path nobody lists
    SYSTEM = "system"  # what belongs to the operating system or to other users
    SENSITIVE = "sensitive"  # keys, credentials and the files that start programs
    ESCAPING = "escaping"  # climbs out of the working directory
    SOURCE = "source"  # the module's own file
    UNKNOWN = "unknown"  # given from outside


class Test(StrEnum):
    """How a condition looks at an argument."""

    __test__ = False  # the name starts with "Test"; pytest must not collect it

    IN = "in"  # one of its possible values is listed
    NOT_IN = "not-in"  # one of its possible values is not listed
    NONE_IN = "none-in"  # none of its possible values is listed
    UNKNOWN = "unknown"  # the source does not fix it
    ABOVE = "above"  # a number larger than the first listed value
    DECODED = "decoded"  # it came out of a decoder


Scalar = str | int | float | bool


@dataclass(frozen=True, slots=True)
class Condition:
    """What must be true of one argument for an `argument` rule to object."""

    argument: str
    test: Test
    position: int | None = None
    values: tuple[Scalar, ...] = ()
    if_absent: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {
            "argument": self.argument,
            "test": self.test.value,
            "position": self.position,
            "values": list(self.values),
            "if_absent": self.if_absent,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], where: str) -> "Condition":
        """The inverse of `to_dict`; an unknown key or a wrong type is a `ConfigError`."""
        reader = Reader(data, where, {f.name for f in fields(cls)})
        return cls(
            argument=reader.text("argument"),
            test=reader.enum("test", Test),
            position=reader.optional_integer("position"),
            values=reader.scalars("values"),
            if_absent=reader.flag("if_absent", default=False),
        )


@dataclass(frozen=True, slots=True)
class Rule:
    """One reason to object to a piece of source."""

    id: str
    title: str
    family: str
    kind: RuleKind
    severity: Severity
    tiers: tuple[TrustTier, ...]
    """The tiers at which a finding fails the check; at the others it is advice."""
    message: str
    """What a finding says; `{symbol}` and `{detail}` are filled in."""
    why: str
    fix: str
    symbols: tuple[str, ...] = ()
    """Dotted names as Python would resolve them, `*` allowed; `()` stands for a call's result."""
    exceptions: tuple[str, ...] = ()
    """What the rule lets pass although `symbols` or `names` match."""
    names: tuple[str, ...] = ()
    """Attribute names, or the word a detector reports."""
    when: tuple[Condition, ...] = ()
    access: Access | None = None
    places: tuple[Place, ...] = ()
    enabled: bool = True

    def fails_at(self, tier: TrustTier) -> bool:
        """Whether a finding of this rule fails the check at the tier."""
        return self.kind is RuleKind.UNJUDGED or tier in self.tiers

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        data: dict[str, Any] = {}
        for field in fields(self):
            value = getattr(self, field.name)
            data[field.name] = list(value) if isinstance(value, tuple) else value
        data["kind"], data["severity"] = self.kind.value, self.severity.value
        data["tiers"] = [tier.value for tier in self.tiers]
        data["when"] = [condition.to_dict() for condition in self.when]
        data["access"] = self.access.value if self.access else None
        data["places"] = [place.value for place in self.places]
        return data

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Rule":
        """The inverse of `to_dict`; an unknown key or a wrong type is a `ConfigError`."""
        reader = Reader(data, "rule", {f.name for f in fields(cls)})
        rule_id = reader.text("id")
        reader = Reader(data, f"rule {rule_id!r}", {f.name for f in fields(cls)})
        rule = cls(
            id=rule_id,
            title=reader.text("title"),
            family=reader.text("family", default="custom"),
            kind=reader.enum("kind", RuleKind),
            severity=reader.enum("severity", Severity),
            tiers=reader.enums("tiers", TrustTier),
            message=reader.text("message"),
            why=reader.text("why", default=""),
            fix=reader.text("fix", default=""),
            symbols=reader.texts("symbols"),
            exceptions=reader.texts("exceptions"),
            names=reader.texts("names"),
            when=tuple(
                Condition.from_dict(c, f"{reader.where}: when") for c in reader.tables("when")
            ),
            access=reader.enum("access", Access) if data.get("access") is not None else None,
            places=reader.enums("places", Place),
            enabled=reader.flag("enabled", default=True),
        )
        _require_a_target(rule)
        return rule


_BY_SYMBOL = {
    RuleKind.CALL,
    RuleKind.VALUE,
    RuleKind.ARGUMENT,
    RuleKind.IMPORT,
    RuleKind.ASSIGN,
    RuleKind.DYNAMIC,
}
_BY_NAME = {
    RuleKind.ATTRIBUTE,
    RuleKind.FORMAT,
    RuleKind.RESOURCE,
    RuleKind.SOURCE,
    RuleKind.UNJUDGED,
}


def _require_a_target(rule: Rule) -> None:
    """A rule that could never object is a mistake of whoever wrote it."""
    if rule.kind in _BY_SYMBOL and not rule.symbols:
        raise ConfigError(f"rule {rule.id!r}: kind {rule.kind.value!r} needs 'symbols'")
    if rule.kind in _BY_NAME and not rule.names:
        raise ConfigError(f"rule {rule.id!r}: kind {rule.kind.value!r} needs 'names'")
    if rule.kind is RuleKind.ARGUMENT and not rule.when:
        raise ConfigError(f"rule {rule.id!r}: kind 'argument' needs 'when'")
    if rule.kind is RuleKind.PATH and (rule.access is None or not rule.places):
        raise ConfigError(f"rule {rule.id!r}: kind 'path' needs 'access' and 'places'")
