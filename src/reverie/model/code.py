"""What the index knows of a repository's code. Read from source; nothing of it was ever run."""

from dataclasses import dataclass, field
from enum import StrEnum


class TrustTier(StrEnum):
    """How far the code of a module is trusted, least first."""

    SANDBOX = "sandbox"
    TESTING = "testing"
    TRUSTED = "trusted"
    CORE = "core"


class ParameterKind(StrEnum):
    """How an argument reaches a parameter."""

    POSITIONAL_ONLY = "positional_only"
    POSITIONAL_OR_KEYWORD = "positional_or_keyword"
    VAR_POSITIONAL = "var_positional"
    KEYWORD_ONLY = "keyword_only"
    VAR_KEYWORD = "var_keyword"


class ImportKind(StrEnum):
    """When an import happens. Only the first two happen whenever the module is imported."""

    PLAIN = "plain"
    CONDITIONAL = "conditional"
    LOCAL = "local"
    TYPE_CHECKING = "type_checking"


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter; annotation and default as they are written."""

    name: str
    kind: ParameterKind
    annotation: str | None = None
    default: str | None = None


@dataclass(frozen=True, slots=True)
class Function:
    """A function or a method. `qualname` is relative to its module: `Class.method`."""

    name: str
    qualname: str
    line: int
    end_line: int
    parameters: tuple[Parameter, ...]
    returns: str | None
    decorators: tuple[str, ...]
    docstring: str | None
    is_async: bool
    is_generator: bool
    complexity: int
    """Cyclomatic: the number of independent paths."""
    cognitive: int
    loc: int


@dataclass(frozen=True, slots=True)
class Class:
    """A class with its methods; nested classes stand beside it under their own `qualname`."""

    name: str
    qualname: str
    line: int
    end_line: int
    bases: tuple[str, ...]
    decorators: tuple[str, ...]
    docstring: str | None
    methods: tuple[Function, ...]


@dataclass(frozen=True, slots=True)
class Import:
    """One imported name, resolved. `module` is the dotted name of what Python would load."""

    module: str
    name: str | None
    """The name taken out of `module`; None for a plain import, `*` for a star."""
    line: int
    kind: ImportKind
    is_internal: bool


@dataclass(frozen=True, slots=True)
class CallSite:
    """A call of one of the repository's own functions, with the literal arguments it was given."""

    callee: str
    """`package.module:qualname`."""
    line: int
    literals: tuple[str, ...]
    """Arguments that are literals, as source; `name=value` for keywords."""


@dataclass(frozen=True, slots=True)
class Module:
    """One file of the repository. With an `error`, what follows from its syntax tree is empty."""

    name: str
    """Dotted import name, unique together with `path`."""
    path: str
    """Relative to the repository, with forward slashes."""
    content_hash: str
    loc: int
    is_package: bool
    tier: TrustTier
    docstring: str | None = None
    functions: tuple[Function, ...] = ()
    classes: tuple[Class, ...] = ()
    imports: tuple[Import, ...] = ()
    calls: tuple[CallSite, ...] = ()
    literals: tuple[str, ...] = ()
    """Literals worth trying as inputs, as source, from tests and doctests."""
    exports: tuple[str, ...] = ()
    """The public names, as a reader of the package sees them."""
    has_main_block: bool = False
    error: str | None = None


@dataclass(frozen=True, slots=True)
class CodeIndex:
    """A whole repository. Edges are internal: (importer, imported), by module name."""

    repository: str
    modules: tuple[Module, ...]
    edges: frozenset[tuple[str, str]]
    type_checking_edges: frozenset[tuple[str, str]] = field(default=frozenset())
