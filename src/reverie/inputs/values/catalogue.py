"""Types of the standard library and of a few others, with expressions of their values."""

import builtins
import tomllib
from dataclasses import dataclass
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Entry:
    """Values of one type, as source."""

    typical: tuple[str, ...]
    edges: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()


def _read() -> dict[str, Entry]:
    text = files("reverie.inputs.values").joinpath("catalogue.toml").read_text("utf-8")
    return {
        name: Entry(
            tuple(entry["typical"]),
            tuple(entry.get("edges", ())),
            tuple(entry.get("modules", filter(None, (name.rpartition(".")[0],)))),
        )
        for name, entry in tomllib.loads(text).items()
    }


CATALOGUE = _read()

_NOT_BY_MESSAGE = ("UnicodeDecodeError", "UnicodeEncodeError", "UnicodeTranslateError",
                   "BaseExceptionGroup", "ExceptionGroup", "PythonFinalizationError")  # fmt: skip
ERRORS = frozenset(
    name
    for name, value in vars(builtins).items()
    if isinstance(value, type) and issubclass(value, BaseException) and name not in _NOT_BY_MESSAGE
)
"""Exceptions that take a message."""
