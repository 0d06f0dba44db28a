"""What one file says by itself, before any other file is looked at."""

from dataclasses import dataclass

from reverie.model.code import Class, Function, ImportKind


@dataclass(frozen=True, slots=True)
class RawImport:
    """One imported name as it is written."""

    level: int
    """Leading dots."""
    module: str
    """What follows the dots; empty in `from . import name`."""
    name: str | None
    """The name taken out of the module; None for a plain import, `*` for a star."""
    bound: str
    """The name it has here afterwards; empty for a star."""
    line: int
    kind: ImportKind


@dataclass(frozen=True, slots=True)
class RawCall:
    """A call whose callee is a dotted name that this file binds, or a method of `self`."""

    target: str
    line: int
    literals: tuple[str, ...]
    caller: str
    in_doctest: bool = False


@dataclass(frozen=True, slots=True)
class FileFacts:
    """Everything the index keeps of one file. With an `error` the rest is empty but for `loc`."""

    loc: int
    docstring: str | None = None
    functions: tuple[Function, ...] = ()
    classes: tuple[Class, ...] = ()
    imports: tuple[RawImport, ...] = ()
    calls: tuple[RawCall, ...] = ()
    literals: tuple[str, ...] = ()
    strings: tuple[str, ...] = ()
    """String literals that could name a module."""
    names: tuple[str, ...] = ()
    """Names bound at the level of the module, imports left out."""
    declared: tuple[str, ...] | None = None
    """The names in `__all__`; None when there is none that can be read."""
    declared_from: tuple[str, ...] = ()
    """Dotted names whose own `__all__` is part of this one."""
    has_main_block: bool = False
    error: str | None = None
