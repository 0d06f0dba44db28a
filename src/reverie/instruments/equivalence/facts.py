"""What the two sources say about the callable before anything is run."""

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from reverie.errors import UsageError
from reverie.instruments.equivalence.roles import asked_parameters, told_parameters
from reverie.instruments.equivalence.targets import Version

_LOOSE = frozenset({"Any", "object", "dict", "list", "tuple", "set", "Dict", "List", "Tuple"})
_FILE_WORDS = frozenset(
    {"open", "Path", "shutil", "tempfile", "mkdir", "remove", "unlink", "write_text", "makedirs"}
)
_CHANGING_METHODS = frozenset(
    [
        "append",
        "add",
        "update",
        "clear",
        "pop",
        "popitem",
        "setdefault",
        "extend",
        "insert",
        "remove",
        "discard",
    ]
)
_SETS = frozenset({"set", "frozenset", "Set", "FrozenSet", "hash"})
_MOST_CONSTANTS = 120
_FILES = {
    "notes.txt": "hello world\n\nsecond line  \n",
    "report.csv": "name,count\nada,1\nbob,2\n",
    "data/report.csv": "name,count\nada,1\n",
    "config.json": '{"name": "ada", "items": [1, 2]}\n',
}
"""Under names that arguments named like paths get."""
_LARGEST = 1 << 128
_LONGEST = 200


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
    """Functions in both that change the module's state."""
    watched: tuple[str, ...]
    """Public data of the module, in both, that calls could change."""
    recorded: tuple[tuple[int, str], ...]
    """Parameters that are called for their effect, by position."""
    asked: tuple[int, ...]
    """Parameters that are called for their answer, by position."""
    is_recursive: bool
    keeps_state: bool
    """Something outlives a call: a cache, a mutable default, a module-level container."""
    uses_files: bool
    uses_sets: bool
    """The order of a set may show, and with it the hashes of texts."""
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
    constants, changed = _constants(*trees)
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
        patterns=tuple(dict.fromkeys(_patterns(trees))),
        companions=tuple(_companions(*trees, old.qualname)),
        watched=tuple(_watched(*trees)),
        recorded=tuple(told_parameters(trees, names)),
        asked=tuple(asked_parameters(trees, names)),
        is_recursive=any(_calls_itself(each.node) for each in (old, new)),
        keeps_state=any(_keeps_state(tree) for tree in trees),
        uses_files=any(_uses_files(tree) for tree in trees),
        uses_sets=any(_uses_sets(tree) for tree in trees),
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


def _constants(old: ast.Module, new: ast.Module) -> tuple[list[str], int]:
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


def _is_drawn(value: object) -> bool:
    if isinstance(value, int) and not isinstance(value, bool):
        return abs(value) < _LARGEST
    return isinstance(value, str | bytes | float) and len(str(value)) <= _LONGEST


def _patterns(trees: Iterable[ast.Module]) -> Iterator[str]:
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


def _top_level(tree: ast.Module) -> dict[str, ast.expr]:
    """Names that the module binds to data."""
    found: dict[str, ast.expr] = {}
    for node in tree.body:
        if isinstance(node, ast.Assign):
            found |= {each.id: node.value for each in node.targets if isinstance(each, ast.Name)}
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value:
            found[node.target.id] = node.value
    return found


def _changed_names(function: ast.AST, data: Iterable[str]) -> set[str]:
    """Which of the module's names a function changes."""
    known = set(data)
    changed: set[str] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Global):
            changed |= set(node.names)
        elif isinstance(node, ast.Subscript | ast.Attribute) and not isinstance(node.ctx, ast.Load):
            changed |= {node.value.id} if isinstance(node.value, ast.Name) else set()
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            owner = node.func.value
            if isinstance(owner, ast.Name) and node.func.attr in _CHANGING_METHODS:
                changed.add(owner.id)
    return changed & known


def _functions(tree: ast.Module) -> dict[str, ast.FunctionDef]:
    return {each.name: each for each in tree.body if isinstance(each, ast.FunctionDef)}


def _companions(old: ast.Module, new: ast.Module, entry: str) -> Iterator[str]:
    data, others = _top_level(old), _functions(new)
    for name, node in _functions(old).items():
        is_public = not name.startswith("_") and name != entry
        if is_public and name in others and _changed_names(node, data):
            yield name


def _watched(old: ast.Module, new: ast.Module) -> Iterator[str]:
    before, after = _top_level(old), _top_level(new)
    changed = {name for tree in (old, new) for name in _changed_names(tree, {**before, **after})}
    for name in before:
        if name in after and name in changed and not name.startswith("_"):
            yield name


def _calls_itself(node: ast.AST) -> bool:
    inner = [each for each in ast.walk(node) if isinstance(each, Function)]
    return any(
        isinstance(call, ast.Call)
        and (getattr(call.func, "id", None) or getattr(call.func, "attr", None)) == each.name
        for each in inner
        for call in ast.walk(each)
    )


def _keeps_state(tree: ast.Module) -> bool:
    data = _top_level(tree)
    for node in ast.walk(tree):
        if isinstance(node, Function):
            defaults = [*node.args.defaults, *filter(None, node.args.kw_defaults)]
            if any(isinstance(each, ast.List | ast.Dict | ast.Set | ast.Call) for each in defaults):
                return True
            if any("cache" in ast.unparse(each) for each in node.decorator_list):
                return True
            if _changed_names(node, data):
                return True
    return False


def _uses_sets(tree: ast.Module) -> bool:
    return any(
        isinstance(node, ast.Set | ast.SetComp) or getattr(node, "id", None) in _SETS
        for node in ast.walk(tree)
    )


def _uses_files(tree: ast.Module) -> bool:
    words = {
        getattr(node, "id", None) or getattr(node, "attr", None) or getattr(node, "name", None)
        for node in ast.walk(tree)
    }
    imported = {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
    }
    return bool((words | imported) & _FILE_WORDS) or "os" in imported
