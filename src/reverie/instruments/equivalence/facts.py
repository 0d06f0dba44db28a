"""Facts that the two sources state about the callable before anything is run.

Besides its parameters: what parameters that are called are called for (to be told something, or to
be asked), and what is worth trying or watching: literals, patterns, libraries.
"""

import ast
import builtins
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from reverie.errors import UsageError
from reverie.instruments.equivalence.tables import numbers_in_tables
from reverie.instruments.equivalence.targets import (
    Version,
    companions_of,
    keeps_state,
    shares_state,
    watched_of,
)
from reverie.syntax.nodes import Function, last_name
from reverie.syntax.unparsing import unparse

_CALLED_FOR_EFFECT = ("callback", "handler", "hook", "emit", "notify", "sink", "visit", "on_")
_ASKING = frozenset({"map", "filter", "filterfalse", "takewhile", "dropwhile", "reduce"})


def told_parameters(trees: Iterable[ast.Module], names: list[str]) -> Iterator[tuple[int, str]]:
    """Parameters called as statements, or named like callbacks. Others are asked, not told."""
    told = {
        node.value.func.id
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Call)
        and isinstance(node.value.func, ast.Name)
    }
    for place, name in enumerate(names):
        if name in told or name.startswith(_CALLED_FOR_EFFECT):
            yield place, name


def asked_parameters(trees: Iterable[ast.Module], names: list[str]) -> Iterator[int]:
    """Parameters that are called by name, or handed to `map` and its like."""
    called: set[str] = set()
    for tree in trees:
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
                name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
                first = node.args[0] if node.args and name in _ASKING else node.func
                called.add(getattr(first, "id", ""))
    told = {place for place, _ in told_parameters(trees, names)}
    return (place for place, name in enumerate(names) if name in called and place not in told)


_FILE_WORDS = frozenset(
    {"open", "Path", "shutil", "tempfile", "mkdir", "remove", "unlink", "write_text", "makedirs"}
)
_SETS = frozenset({"set", "frozenset", "Set", "FrozenSet", "hash"})
_CLOCKS = frozenset({"datetime", "time", "calendar", "zoneinfo", "email", "dateutil"})
_INEXACT = frozenset({"float", "sqrt", "cbrt", "log", "log2", "log10", "exp", "fsum", "mean"})
_MOST_CONSTANTS = 120
_LARGEST = 1 << 400
"""Of whole numbers: a googol and its neighbours are below it."""
_LONGEST = 200


def constants_of(old: ast.Module, new: ast.Module) -> tuple[list[str], int]:
    """Literals, those of one version only first, and how many those are."""
    before, after = dict.fromkeys(_literals(old)), dict.fromkeys(_literals(new))
    only_one = [*(each for each in after if each not in before)]
    only_one += [each for each in before if each not in after]
    ordered = dict.fromkeys([*only_one, *after])
    return list(ordered)[:_MOST_CONSTANTS], min(len(only_one), _MOST_CONSTANTS)


def _literals(tree: ast.Module) -> Iterator[str]:
    texts = {id(each.value) for each in ast.walk(tree) if isinstance(each, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and id(node) not in texts and _is_drawn(node.value):
            yield ascii(node.value)
    for number in numbers_in_tables(tree):
        if _is_drawn(number):
            yield ascii(number)


def _is_drawn(value: object) -> bool:
    if isinstance(value, int) and not isinstance(value, bool):
        return abs(value) < _LARGEST
    return isinstance(value, str | bytes | float) and len(str(value)) <= _LONGEST


def patterns_of(trees: Iterable[ast.Module]) -> Iterator[str]:
    """Regular expressions that are handed to `re` as they stand."""
    for tree in trees:
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and isinstance(node.func.value, ast.Name)
                and node.func.value.id in ("re", "regex")
                and node.args
                and isinstance(node.args[0], ast.Constant)
                and isinstance(node.args[0].value, str)
            ):
                yield node.args[0].value


def caught_errors(trees: Iterable[ast.Module]) -> list[str]:
    """Names of builtin exceptions that handlers in the sources catch."""
    found = dict.fromkeys(name for tree in trees for name in _caught(tree))
    return [name for name in found if _is_error(name)]


def newly_caught(old: ast.Module, new: ast.Module) -> frozenset[str]:
    """Names of builtin exceptions that the new source catches more often than the old one."""
    more = Counter(_caught(new)) - Counter(_caught(old))
    return frozenset(name for name in more if _is_error(name))


def _caught(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ExceptHandler) and node.type is not None:
            several = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
            yield from map(last_name, several)


def _is_error(name: str) -> bool:
    kind = getattr(builtins, name, None)
    return isinstance(kind, type) and issubclass(kind, Exception)


def copies_otherwise(old: ast.Module, new: ast.Module) -> bool:
    """Whether what copied itself is copied in another way: mappings may have a `copy` of their own.

    Ways that make a plain dictionary of any mapping are all alike.
    """
    return _own_copies(new) < _own_copies(old)


def asks_members_otherwise(old: ast.Module, new: ast.Module) -> bool:
    """Whether one version asks `in`, and with it for identity, where the other one does not."""
    return _memberships(new) != _memberships(old)


def _memberships(tree: ast.Module) -> int:
    return sum(isinstance(node, ast.In | ast.NotIn) for node in ast.walk(tree))


def _own_copies(tree: ast.Module) -> int:
    return sum(
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "copy"
        for node in ast.walk(tree)
    )


def uses_sets(tree: ast.Module) -> bool:
    """Whether the order of a set may show."""
    return any(
        isinstance(node, ast.Set | ast.SetComp) or getattr(node, "id", None) in _SETS
        for node in ast.walk(tree)
    )


def uses_files(tree: ast.Module) -> bool:
    """Whether it may read or write files."""
    words = {
        getattr(node, "id", None) or getattr(node, "attr", None) or getattr(node, "name", None)
        for node in ast.walk(tree)
    }
    imported = _imported(tree)
    return bool((words | imported) & _FILE_WORDS) or "os" in imported


def _inexact_steps(tree: ast.Module) -> int:
    """How often it computes inexactly: divides, takes roots, writes floats down."""
    return sum(
        (isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div))
        or (isinstance(node, ast.Constant) and isinstance(node.value, float))
        or (isinstance(node, ast.Call) and last_name(node.func) in _INEXACT)
        for node in ast.walk(tree)
    )


def _exact_numbers(tree: ast.Module) -> int:
    """How often it makes numbers that are exact however long they are."""
    return sum(
        isinstance(node, ast.Call) and last_name(node.func) in ("Decimal", "Fraction")
        for node in ast.walk(tree)
    )


_FAMILIES = (
    frozenset({"lower", "casefold", "upper", "swapcase", "title", "capitalize"}),
    frozenset({"isdigit", "isdecimal", "isnumeric"}),
    frozenset({"isalpha", "isalnum", "isidentifier", "isprintable"}),
)
"""Methods of texts that agree on most texts."""


def exchanged_methods(old: ast.AST, new: ast.AST) -> str:
    """What takes the place of a method that does the same for most texts; empty for nothing."""
    before, after = _called_methods(old), _called_methods(new)
    gone, come = before - after, after - before
    for family in _FAMILIES:
        if family & gone.keys() and family & come.keys():
            return f"{min(family & come.keys())} where {min(family & gone.keys())} was"
    return ""


def _called_methods(tree: ast.AST) -> Counter[str]:
    return Counter(
        node.func.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    )


def uses_clocks(tree: ast.Module) -> bool:
    """Whether it may depend on where on earth it runs."""
    return bool(_imported(tree) & _CLOCKS)


def _imported(tree: ast.Module) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            found.add(node.module.partition(".")[0])
    return found


_LOOSE = frozenset({"Any", "object", "dict", "list", "tuple", "set", "Dict", "List", "Tuple"})
_FILES = {
    "notes.txt": "hello world\n\nsecond line  \n",
    "report.csv": "name,count\nada,1\nbob,2\n",
    "data/report.csv": "name,count\nada,1\n",
    "config.json": '{"name": "ada", "items": [1, 2]}\n',
}
"""Under names that arguments named like paths get."""


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
    newly_caught: frozenset[str]
    """Those of them that the new version relies on and the old one did not."""
    copies_otherwise: bool
    asks_members_otherwise: bool
    is_recursive: bool
    keeps_state: bool
    """Something outlives a call: a cache, a mutable default, a module-level container."""
    shares_state: bool
    """Callers of the new version share something that its calls change."""
    becomes_inexact: bool
    """The new version computes with floats what the old one computed exactly."""
    exchanged: str
    """The new version asks texts by another method, which agrees with the old one's on most."""
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
        newly_caught=newly_caught(*trees),
        copies_otherwise=copies_otherwise(*trees),
        asks_members_otherwise=asks_members_otherwise(*trees),
        is_recursive=any(_calls_itself(each.node) for each in (old, new)),
        keeps_state=any(keeps_state(tree) for tree in trees),
        shares_state=shares_state(new.tree),
        becomes_inexact=_becomes_inexact(old, new),
        exchanged=exchanged_methods(*trees),
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
        and "float" not in (text := unparse(said))
        and ("int" in text or "bool" in text)
    )
    before, after = _inexact_steps(old.tree), _inexact_steps(new.tree)
    is_less_exact = _exact_numbers(new.tree) < _exact_numbers(old.tree)
    return after > before and (is_less_exact or (is_whole and before == 0))


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
