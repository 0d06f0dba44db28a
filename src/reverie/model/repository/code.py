"""What the index knows of a repository's code. Read from source; nothing of it was ever run."""

from dataclasses import dataclass
from enum import StrEnum

from reverie.model.outcome import TrustTier


class ParameterKind(StrEnum):
    """How an argument reaches a parameter."""

    POSITIONAL_ONLY = "positional_only"
    POSITIONAL_OR_KEYWORD = "positional_or_keyword"
    VAR_POSITIONAL = "var_positional"
    KEYWORD_ONLY = "keyword_only"
    VAR_KEYWORD = "var_keyword"


class ImportKind(StrEnum):
    """When an import happens. Only the first happens whenever the module is imported."""

    PLAIN = "plain"
    CONDITIONAL = "conditional"
    """Below an `if`, a `try`, a loop or a `match` of the module or of a class."""
    LOCAL = "local"
    """Inside a function."""
    TYPE_CHECKING = "type_checking"
    """Only for type checkers."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter; annotation and default as they are written."""

    name: str
    kind: ParameterKind
    annotation: str | None = None
    default: str | None = None


@dataclass(frozen=True, slots=True)
class Function:
    """A function or a method. `qualname` is relative to its module: `Class.method`.

    One that is defined inside another function is `outer.<locals>.inner`.
    """

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
    """Cyclomatic, as McCabe counts: 1, and 1 for each way the flow may branch."""
    cognitive: int
    """Cognitive: each break in the flow, the more the deeper it is nested."""
    loc: int
    """Lines from the first decorator on that are neither blank nor only a comment."""

    @property
    def is_nested(self) -> bool:
        """Whether it exists only while another function runs."""
        return "<locals>" in self.qualname

    @property
    def signature(self) -> str:
        """Parameters and result as they are written: `(path: str, *, deep=True) -> int`."""
        return render_signature(self.parameters, self.returns)


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
    """Of an internal import, `Module.name`; of any other, what is written, made absolute."""
    name: str | None
    """The name taken out of `module`; None when the module itself is meant, `*` for a star."""
    line: int
    kind: ImportKind
    is_internal: bool


@dataclass(frozen=True, slots=True)
class CallSite:
    """A call of one of the repository's own functions, with the literal arguments it was given."""

    callee: str
    """`package.module:qualname`; a class when it is instantiated."""
    line: int
    literals: tuple[str, ...]
    """Arguments that are literals, as source; `name=value` for keywords."""
    caller: str = ""
    """`qualname` of the function around it; empty at the level of the module."""
    in_doctest: bool = False


@dataclass(frozen=True, slots=True)
class Module:
    """One file of the repository. With an `error`, what follows from its syntax tree is empty."""

    name: str
    """Dotted import name, unique in the index.

    Where two files answer to one name, the file that Python would find first has it; the other
    is called by its path from the repository on.
    """
    path: str
    """Relative to the repository, with forward slashes; bytes that are no text as `\\xff`."""
    content_hash: str
    """sha256; empty when the file cannot be read."""
    loc: int
    """Lines that are neither blank nor only a comment."""
    is_package: bool
    tier: TrustTier
    docstring: str | None = None
    functions: tuple[Function, ...] = ()
    """Those outside of classes, in the order of the file."""
    classes: tuple[Class, ...] = ()
    imports: tuple[Import, ...] = ()
    calls: tuple[CallSite, ...] = ()
    literals: tuple[str, ...] = ()
    """Literals worth trying as inputs, as source, from tests and doctests."""
    exports: tuple[str, ...] = ()
    """The public names, as a reader of the package sees them, sorted."""
    has_main_block: bool = False
    error: str | None = None
    mentions: tuple[str, ...] = ()
    """Internal modules named in string literals: dynamic imports, settings, plug-in tables."""
    distribution: str | None = None
    """Name of the project the file belongs to, where its project file says."""
    root: str = "."
    """The folder that is on Python's path when the module has this name, from the repository on."""
    is_test: bool = False


@dataclass(frozen=True, slots=True)
class CodeIndex:
    """A whole repository. Edges are internal: (importer, imported), by module name."""

    repository: str
    modules: tuple[Module, ...]
    """By path."""
    edges: frozenset[tuple[str, str]]
    """What running the code may import."""
    type_checking_edges: frozenset[tuple[str, str]] = frozenset()
    """What only a type checker imports: never one of `edges`."""
    notes: tuple[str, ...] = ()
    """Folders that could not be looked into, and the like."""


def render_signature(parameters: tuple[Parameter, ...], returns: str | None) -> str:
    """Parameters and result as Python would have them written."""
    shown: list[str] = []
    before: ParameterKind | None = None
    for each in parameters:
        if before is ParameterKind.POSITIONAL_ONLY and each.kind is not before:
            shown.append("/")
        starts_keywords = each.kind is ParameterKind.KEYWORD_ONLY and before not in (
            ParameterKind.KEYWORD_ONLY,
            ParameterKind.VAR_POSITIONAL,
        )
        if starts_keywords:
            shown.append("*")
        shown.append(_render_parameter(each))
        before = each.kind
    if before is ParameterKind.POSITIONAL_ONLY:
        shown.append("/")
    return f"({', '.join(shown)})" + ("" if returns is None else f" -> {returns}")


_STARS = {ParameterKind.VAR_POSITIONAL: "*", ParameterKind.VAR_KEYWORD: "**"}


def _render_parameter(parameter: Parameter) -> str:
    text = _STARS.get(parameter.kind, "") + parameter.name
    if parameter.annotation is not None:
        text += f": {parameter.annotation}"
    if parameter.default is not None:
        equals = "=" if parameter.annotation is None else " = "
        text += f"{equals}{parameter.default}"
    return text
