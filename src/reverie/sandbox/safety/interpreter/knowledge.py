"""What names of Python and of well-known libraries refer to, read once from `symbols.toml`."""

import functools
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources

from reverie.sandbox.safety.rule import Access


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a function: by position, by keyword, or the object of a method."""

    position: int | None
    keyword: str | None

    @property
    def is_receiver(self) -> bool:
        """Whether the argument is the object that the method is called on."""
        return self.position is None


@dataclass(frozen=True, slots=True)
class Opener:
    """A function that opens a file in a mode."""

    path: Argument
    mode: Argument
    default: str


@dataclass(frozen=True, slots=True)
class Knowledge:
    """The whole of `symbols.toml`, in the shapes that the interpreter asks for."""

    aliases: Mapping[str, str]
    embedded: frozenset[str]
    standalone: frozenset[str]
    decoders: frozenset[str]
    accesses: Mapping[str, tuple[tuple[Access, Argument], ...]]
    openers: Mapping[str, Opener]
    write_flags: frozenset[str]
    places: Mapping[str, tuple[str, ...]]


def _argument(text: str) -> Argument:
    if text == "self":
        return Argument(None, None)
    position, _, keyword = text.partition("=")
    return Argument(int(position), keyword)


@functools.cache
def knowledge() -> Knowledge:
    """The knowledge that comes with the package."""
    text = (
        resources.files("reverie.sandbox.safety.interpreter")
        .joinpath("symbols.toml")
        .read_text("utf-8")
    )
    data = tomllib.loads(text)
    accesses: dict[str, tuple[tuple[Access, Argument], ...]] = {}
    for access in Access:
        for line in data["access"][access.value]:
            name, argument = line.rsplit(":", 1)
            accesses[name] = (*accesses.get(name, ()), (access, _argument(argument)))
    openers = {}
    for line in data["access"]["open"]:
        name, path, mode, default = line.rsplit(":", 3)
        openers[name] = Opener(_argument(path), _argument(mode), default)
    return Knowledge(
        aliases=data["aliases"],
        embedded=frozenset(data["embedded"]["modules"]),
        standalone=frozenset(data["embedded"]["exceptions"]),
        decoders=frozenset(data["decoders"]["symbols"]),
        accesses=accesses,
        openers=openers,
        write_flags=frozenset(data["access"]["write_flags"]),
        places={key: tuple(patterns) for key, patterns in data["places"].items()},
    )


@functools.lru_cache(maxsize=4096)
def canonical(name: str) -> str:
    """The one name under which rules know a symbol."""
    facts = knowledge()
    base, dot, last = name.rpartition(".")
    module = last.lstrip("_")
    embedded = module in facts.embedded and base.rpartition(".")[2] != module
    if dot and embedded and _carries_modules(base) and name not in facts.standalone:
        return canonical(module)
    for _ in range(4):
        changed = _replace_prefix(name, facts.aliases)
        if changed == name:
            break
        name = changed
    return name


def _carries_modules(base: str) -> bool:
    return "(" not in base and not base.startswith((".", "<")) and not base.endswith("__")


def _replace_prefix(name: str, aliases: Mapping[str, str]) -> str:
    end = len(name)
    while end > 0:
        target = aliases.get(name[:end])
        if target is not None:
            return target + name[end:]
        cut = max(name.rfind(".", 0, end), name.rfind("()", 0, end))
        end = cut
    return name
