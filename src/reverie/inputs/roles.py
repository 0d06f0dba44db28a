"""What the name of a parameter says about its values; the words are in `roles.toml`."""

import tomllib
from importlib.resources import files

_WORDS = tomllib.loads(files("reverie.inputs").joinpath("roles.toml").read_text("utf-8"))
_TEXTS: dict[str, tuple[str, ...]] = {name: tuple(each) for name, each in _WORDS["texts"].items()}
_RANGES: dict[str, tuple[int, int]] = {name: tuple(each) for name, each in _WORDS["ranges"].items()}
_COUNTS = frozenset(_WORDS["counts"]["names"])
_TYPES: dict[str, str] = {
    **dict.fromkeys(_COUNTS, "int"),
    **dict.fromkeys(_TEXTS, "str"),
    **{name: kind for kind, names in _WORDS["types"].items() for name in names},
}
_CHARACTERS: dict[str, list[str]] = _WORDS["characters"]
_PREFIXES: dict[str, str] = _WORDS["prefixes"]
_SMALL = (0, 9)


def texts_for(name: str) -> tuple[str, ...]:
    """Texts that fit a parameter of this name; none when the name says nothing."""
    return next((_TEXTS[word] for word in _words(name) if word in _TEXTS), ())


def characters_for(name: str) -> tuple[str, ...]:
    """The values of a parameter that must be a single character; none for all others."""
    return tuple(_CHARACTERS["options"]) if name in _CHARACTERS["names"] else ()


def range_for(name: str) -> tuple[int, int] | None:
    """Whole numbers that fit a parameter of this name."""
    words = _words(name)
    exact = next((_RANGES[word] for word in words if word in _RANGES), None)
    return exact or (_SMALL if any(word in _COUNTS for word in words) else None)


def type_for(name: str) -> str | None:
    """The type that a parameter of this name most often has."""
    for prefix, kind in _PREFIXES.items():
        if name.startswith(prefix):
            return kind
    return next((_TYPES[word] for word in _words(name) if word in _TYPES), None)


def _words(name: str) -> list[str]:
    """The whole name, then its words from the last: the noun stands there."""
    lowered = name.lower().strip("_")
    parts = lowered.split("_")
    singular = [part[:-1] for part in reversed(parts) if part.endswith("s")]
    return [lowered, *reversed(parts), *singular]
