"""Read plain data strictly: every mistake is a `ConfigError` that names the key and the value."""

from collections.abc import Mapping, Set
from enum import StrEnum
from typing import Any, TypeVar

from reverie.errors import ConfigError

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
