"""Changed functions on the calls of the tests that reach them, where these are made.

orders = [order_of(edit) for edit in edits]
"""

import ast
from collections.abc import Iterator, Sequence

from reverie.instruments.replay.orders import FileOrder, Front, Replaced
from reverie.model.change import FileEdit
from reverie.model.measurements.suite import CoverageMap, TestLook
from reverie.syntax.nodes import Function, names_in
from reverie.syntax.parsing import fresh_module
from reverie.syntax.unparsing import unparse
from reverie.trials.changed import bare, imported_otherwise, users_of

_MOST_TESTS = 120


class NotReplayable(Exception):
    """Why a change cannot be put in the place of what is loaded."""


def order_of(edit: FileEdit) -> FileOrder:
    """What to watch of a changed file, and what to exchange. Raises `NotReplayable`."""
    before, after = edit.before or "", edit.after or ""
    old, new = bare(fresh_module(before)), bare(fresh_module(after))
    ours, theirs = _Functions(old), _Functions(new)
    common = [name for name in ours.nodes if name in theirs.nodes]
    swapped = [n for n in common if ast.dump(ours.nodes[n]) != ast.dump(theirs.nodes[n])]
    rewritten = [n for n in swapped if ours.own(n) != theirs.own(n)]
    added = [n for n in theirs.nodes if n not in ours.nodes and "<locals>" not in n]
    removed = [n for n in ours.nodes if n not in theirs.nodes and "<locals>" not in n]
    for name in common:
        if ours.wrappers(name) != theirs.wrappers(name):
            raise NotReplayable(f"{name} is decorated otherwise")
    fronts = {n: theirs.front(n) for n in swapped if ours.arguments(n) != theirs.arguments(n)}
    statements, moved = _statements(old, new)
    elsewhere = {*fronts, *added, *removed, *moved}
    users = users_of(elsewhere, ours.several, theirs.several) if elsewhere else set()
    watched = [
        name
        for name in common
        if name not in fronts and (name in rewritten or name.replace(".<locals>", "") in users)
    ]
    if not watched:
        raise NotReplayable("no function is in both versions and called alike")
    ours.require_single(swapped)
    theirs.require_single([*swapped, *added])
    told = Replaced(
        swapped=tuple(dict.fromkeys((*swapped, *watched))),
        fronts=fronts,
        added={name: theirs.front(name) for name in added},
        removed=tuple(removed),
        statements=statements,
    )
    data = _data_names(old) & _data_names(new)
    named = {word for n in watched for word in (*ours.words(n), *theirs.words(n))}
    path = edit.renamed_from or edit.path
    return FileOrder(path, before, after, tuple(watched), told, tuple(sorted(data & named)))


def tests_reaching(coverage: CoverageMap, orders: Sequence[FileOrder]) -> tuple[str, ...]:
    """Tests that call watched functions: first those that go ways of their own, then others."""
    reaching = {test.id: ways for test in coverage.usable if (ways := _ways(test, orders))}
    first: dict[frozenset[tuple[str, str, int]], str] = {}
    for name, ways in reaching.items():
        first.setdefault(ways, name)
    chosen = dict.fromkeys((*first.values(), *reaching))
    return tuple(chosen)[:_MOST_TESTS]


def _ways(test: TestLook, orders: Sequence[FileOrder]) -> frozenset[tuple[str, str, int]]:
    return frozenset(
        (order.path, name, line)
        for order in orders
        for name, lines in test.lines.get(order.path, {}).items()
        if name in order.watched
        for line in lines
    )


class _Functions:
    """The functions of a text, by `__qualname__`."""

    def __init__(self, tree: ast.Module) -> None:
        self.nodes: dict[str, Function] = {}
        self._twice: set[str] = set()
        for name, node in _walk(tree, ""):
            if name in self.nodes:
                self._twice.add(name)
            self.nodes[name] = node

    @property
    def several(self) -> dict[str, list[Function]]:
        """By names without marks of what is inside a function; one name may have several."""
        found: dict[str, list[Function]] = {}
        for name, node in self.nodes.items():
            found.setdefault(name.replace(".<locals>", ""), []).append(node)
        return found

    def require_single(self, names: Sequence[str]) -> None:
        """Two functions of one name could not be told apart."""
        for name in names:
            if name in self._twice:
                raise NotReplayable(f"{name} is defined twice")

    def own(self, name: str) -> str:
        """A function without the bodies of those inside it."""
        return "".join(_own_parts(self.nodes[name]))

    def arguments(self, name: str) -> str:
        return ast.dump(self.nodes[name].args)

    def wrappers(self, name: str) -> list[str]:
        return [ast.dump(each) for each in self.nodes[name].decorator_list]

    def words(self, name: str) -> set[str]:
        return names_in(self.nodes[name])

    def front(self, name: str) -> Front:
        node = self.nodes[name]
        arguments = node.args
        return Front(
            tuple(unparse(each) for each in arguments.defaults),
            {
                each.arg: unparse(value)
                for each, value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
                if value is not None
            },
            tuple(unparse(each) for each in node.decorator_list),
        )


def _walk(node: ast.AST, around: str) -> Iterator[tuple[str, Function]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, Function):
            yield f"{around}{child.name}", child
            yield from _walk(child, f"{around}{child.name}.<locals>.")
        elif isinstance(child, ast.ClassDef):
            yield from _walk(child, f"{around}{child.name}.")
        else:
            yield from _walk(child, around)


def _own_parts(node: ast.AST) -> Iterator[str]:
    yield type(node).__name__
    for name, value in ast.iter_fields(node):
        if isinstance(value, list):
            for each in value:
                yield from _own_part(each)
        else:
            yield f"{name}="
            yield from _own_part(value)


def _own_part(value: object) -> Iterator[str]:
    if isinstance(value, Function):
        yield f"def {value.name}"
    elif isinstance(value, ast.AST):
        yield from _own_parts(value)
    else:
        yield repr(value)


def _statements(old: ast.Module, new: ast.Module) -> tuple[tuple[str, ...], set[str]]:
    """What the module binds otherwise, as source, and the names. Raises `NotReplayable`."""
    moved = imported_otherwise(old, new)
    known = {ast.dump(each) for each in old.body}
    told: list[str] = []
    for each in new.body:
        if ast.dump(each) in known or isinstance(each, Function):
            continue
        if isinstance(each, ast.ClassDef):
            _require_same_shell(each, old)
            continue
        if not isinstance(each, ast.Assign | ast.AnnAssign | ast.Import | ast.ImportFrom):
            raise NotReplayable("the module does something else when it is imported")
        told.append(unparse(each))
        moved |= names_in(each)
    kept = {ast.dump(each) for each in new.body}
    for each in old.body:
        if ast.dump(each) not in kept and isinstance(each, ast.Assign):
            moved |= names_in(each)
    return tuple(told), moved


def _require_same_shell(node: ast.ClassDef, old: ast.Module) -> None:
    known = {each.name: each for each in old.body if isinstance(each, ast.ClassDef)}
    if node.name not in known or _shell(node) != _shell(known[node.name]):
        raise NotReplayable(f"class {node.name} is made otherwise")


def _shell(node: ast.ClassDef) -> list[str]:
    """A class without the functions in it."""
    rest = [
        "".join(_shell(each)) if isinstance(each, ast.ClassDef) else ast.dump(each)
        for each in node.body
        if not isinstance(each, Function)
    ]
    around = (*node.bases, *node.keywords, *node.decorator_list)
    return [node.name, *(ast.dump(each) for each in around), *rest]


def _data_names(tree: ast.Module) -> set[str]:
    """Names of a module that are bound to something that calls could change."""
    return {
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Dict | ast.List | ast.Set | ast.Call | ast.DictComp)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
