"""What the two sources say about the callable before anything is run."""

import ast
from dataclasses import dataclass, field

from reverie.errors import UsageError
from reverie.instruments.equivalence.roles import asked_parameters, told_parameters
from reverie.instruments.equivalence.state import (
    companions_of,
    keeps_state,
    shares_state,
    watched_of,
)
from reverie.instruments.equivalence.targets import Version
from reverie.instruments.equivalence.words import (
    caught_errors,
    computes_with_floats,
    constants_of,
    patterns_of,
    uses_clocks,
    uses_files,
    uses_sets,
)

_LOOSE = frozenset({"Any", "object", "dict", "list", "tuple", "set", "Dict", "List", "Tuple"})
_FILES = {
    "notes.txt": "hello world\n\nsecond line  \n",
    "report.csv": "name,count\nada,1\nbob,2\n",
    "data/report.csv": "name,count\nada,1\n",
    "config.json": '{"name": "ada", "items": [1, 2]}\n',
}
"""Under names that arguments named like paths get."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Facts:
    """Both versions, and what guides the search for a difference."""

    old: Version
    new: Version
    parameters: tuple[str, ...]
    """Positional parameters of the old version, without `self`."""
    annotations: dict[str, ast.expr | None]
    """By parameter, without `self`; None where nobody wrote a type down."""
    loose: frozenset[str]
    """Parameters whose annotation is missing or leaves the items open."""
    keywords: tuple[str, ...]
    """Parameters of the old version that can be given by name and by position."""
    takes_options: bool
    """It has a `**` parameter."""
    is_fully_annotated: bool
    """Every argument's type is written down to the last element."""
    constants: tuple[str, ...]
    """Literals of both sources, as source; those in one version only come first."""
    changed_constants: int
    """How many stand in one version only."""
    patterns: tuple[str, ...]
    """Regular expressions of both sources."""
    companions: tuple[str, ...]
    """Public functions or methods in both whose calls may change, or show, what a call leaves."""
    watched: tuple[str, ...]
    """Public data of the module, in both, that calls could change."""
    recorded: tuple[tuple[int, str], ...]
    """Parameters that are called for their effect, by position."""
    asked: tuple[int, ...]
    """Parameters that are called for their answer, by position."""
    caught: tuple[str, ...]
    """Builtin exceptions that handlers in the sources catch."""
    is_recursive: bool
    keeps_state: bool
    """Something outlives a call: a cache, a mutable default, a module-level container."""
    shares_state: bool
    """Callers of the new version share something that its calls change."""
    becomes_inexact: bool
    """The new version computes whole numbers with floats, and the old one did not."""
    uses_files: bool
    uses_sets: bool
    """The order of a set may show, and with it the hashes of texts."""
    uses_clocks: bool
    """The time zone may show."""
    files: dict[str, str] = field(default_factory=lambda: dict(_FILES))
    """What lies in the working folder before every scenario, if files are used at all."""

    @property
    def versions(self) -> tuple[Version, Version]:
        """Old, then new."""
        return self.old, self.new


def gather_facts(old: Version, new: Version) -> Facts:
    """The facts about two versions; `UsageError` when one does not define the callable."""
    trees = (old.tree, new.tree)
    node = old.node
    _ = new.node
    names = [argument.arg for argument in _positional(node, old)]
    constants, changed = constants_of(*trees)
    return Facts(
        old=old,
        new=new,
        parameters=tuple(names),
        annotations={each.arg: each.annotation for each in _arguments(node, old)},
        loose=frozenset(
            each.arg for each in _arguments(node, old) if not _is_tight(each.annotation)
        ),
        keywords=tuple(_keywords(node, old)),
        takes_options=isinstance(node, Function) and node.args.kwarg is not None,
        is_fully_annotated=_is_fully_annotated(node, old),
        constants=tuple(constants),
        changed_constants=changed,
        patterns=tuple(dict.fromkeys(patterns_of(trees))),
        companions=tuple(companions_of(*trees, old.qualname)),
        watched=tuple(watched_of(*trees)),
        recorded=tuple(told_parameters(trees, names)),
        asked=tuple(asked_parameters(trees, names)),
        caught=tuple(caught_errors(trees)),
        is_recursive=any(_calls_itself(each.node) for each in (old, new)),
        keeps_state=any(keeps_state(tree) for tree in trees),
        shares_state=shares_state(new.tree),
        becomes_inexact=_becomes_inexact(old, new),
        uses_files=any(uses_files(tree) for tree in trees),
        uses_sets=any(uses_sets(tree) for tree in trees),
        uses_clocks=any(uses_clocks(tree) for tree in trees),
    )


def _positional(node: ast.AST, version: Version) -> list[ast.arg]:
    if isinstance(node, ast.ClassDef):
        made = [each for each in node.body if getattr(each, "name", "") == "__init__"]
        return _positional(made[0], version)[1:] if made else []
    if not isinstance(node, Function):
        raise UsageError(f"{version.label!r}: {version.qualname!r} is not callable")
    found = [*node.args.posonlyargs, *node.args.args]
    is_method = "." in version.qualname and not _is_static(node)
    return found[1:] if is_method else found


def _keywords(node: ast.AST, version: Version) -> list[str]:
    is_plain = isinstance(node, Function) and not node.args.posonlyargs and not node.args.vararg
    return [each.arg for each in _positional(node, version)] if is_plain else []


def _arguments(node: ast.AST, version: Version) -> list[ast.arg]:
    keywords = node.args.kwonlyargs if isinstance(node, Function) else []
    return [*_positional(node, version), *keywords]


def _is_static(node: Function) -> bool:
    return any(
        isinstance(each, ast.Name) and each.id == "staticmethod" for each in node.decorator_list
    )


def _is_fully_annotated(node: ast.AST, version: Version) -> bool:
    if not isinstance(node, Function):
        return False
    given = [*_positional(node, version), *node.args.kwonlyargs]
    return bool(given) and all(_is_tight(each.annotation) for each in given)


def _is_tight(annotation: ast.expr | None) -> bool:
    """Whether an annotation leaves nothing open: `list[int]` does not, `list` and `Any` do."""
    if annotation is None:
        return False
    subscripted = {
        id(each.value) for each in ast.walk(annotation) if isinstance(each, ast.Subscript)
    }
    for each in ast.walk(annotation):
        name = getattr(each, "id", None) or getattr(each, "attr", None)
        if name in _LOOSE and id(each) not in subscripted:
            return False
    return True


def _becomes_inexact(old: Version, new: Version) -> bool:
    said = getattr(old.node, "returns", None)
    is_whole = (
        said is not None
        and "float" not in (text := ast.unparse(said))
        and ("int" in text or "bool" in text)
    )
    return is_whole and computes_with_floats(new.tree) and not computes_with_floats(old.tree)


def _calls_itself(node: ast.AST) -> bool:
    inner = [each for each in ast.walk(node) if isinstance(each, Function)]
    return any(
        isinstance(call, ast.Call) and _called_name(call.func) == each.name
        for each in inner
        for call in ast.walk(each)
    )


def _called_name(called: ast.expr) -> str:
    """The function's own name, or a method's of its own object; `other.name()` is another one."""
    match called:
        case ast.Name(id=name) | ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name):
            return name
    return ""
