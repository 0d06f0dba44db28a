"""Are the tests that were there still there, and as strict as before?"""

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from reverie.gates.gate import Matter, nothing_to_judge, ruled
from reverie.gates.paths import is_test_path
from reverie.gates.python import Parsed, imported_names, parse, same
from reverie.gates.suite.files_of_tests import PARAMETRISE, tests_of
from reverie.model.change import FileEdit
from reverie.model.ruling import Answer, Ruling
from reverie.syntax.nodes import Function, dotted, is_bare_constant, names_in
from reverie.syntax.unparsing import unparse

_SKIPS = frozenset(
    {"skip", "skipif", "xfail", "importorskip", "skipIf", "skipUnless", "expectedFailure",
     "skipTest", "SkipTest", "exit", "_exit", "collect_ignore", "collect_ignore_glob", "__test__",
     "deselect"}
)  # fmt: skip
_SKIP_OWNERS = ("pytest", "mark", "unittest", "self", "os", "")


@dataclass(frozen=True, slots=True)
class KeptGate:
    """Refuses a change that loses a test, or makes one that was there look at less."""

    name: str = "kept"

    def judge(self, matter: Matter) -> tuple[Ruling, ...]:
        """One ruling for each test that is lost or weaker."""
        if not matter.change.edits:
            return nothing_to_judge(self.name)
        said = "every old test is still there, unchanged or longer"
        return ruled(self.name, self._objections(matter), said)

    def _objections(self, matter: Matter) -> Iterator[Ruling]:
        edits = [
            edit
            for edit in matter.change.edits
            if any(is_test_path(p, matter.section) for p in (edit.path, edit.renamed_from) if p)
            and edit.path.endswith(".py")
        ]
        everywhere = [found for edit in edits if (found := parse(edit.path, edit.after))]
        for edit in edits:
            before = parse(edit.renamed_from or edit.path, edit.before)
            after = parse(edit.path, edit.after)
            if before is not None:
                yield from self._lost(edit, before, after, everywhere)
            if after is not None:
                yield from self._skips(before, after)
                yield from self._hidden(after)
            if before is not None and after is not None:
                yield from self._surroundings(before, after)

    def _lost(
        self, edit: FileEdit, before: Parsed, after: Parsed | None, everywhere: list[Parsed]
    ) -> Iterator[Ruling]:
        left = {} if after is None else tests_of(after)
        others = [node for each in everywhere for node in tests_of(each).values()]
        for name, node in tests_of(before).items():
            now = left.get(name)
            if now is None:
                if not any(same(node, each) for each in others):
                    place = f"{edit.renamed_from or edit.path}:{node.lineno}"
                    said = f"{name} is gone"
                    yield Ruling(self.name, Answer.FAIL, "test_deleted", said, place)
            elif not _is_extension(node, now) and after is not None:
                yield self._weakened(name, node, now, after)

    def _weakened(self, name: str, old: Function, new: Function, file: Parsed) -> Ruling:
        missing = Counter(_checks(old)) - Counter(_checks(new))
        place = file.place(new)
        if missing:
            said = f"{name} no longer says: {next(iter(missing))[:120]}"
            return Ruling(self.name, Answer.FAIL, "assertion_weakened", said, place)
        said = f"{name} was changed other than by adding to its end"
        return Ruling(self.name, Answer.FAIL, "test_changed", said, place)

    def _skips(self, before: Parsed | None, after: Parsed) -> Iterator[Ruling]:
        known = Counter() if before is None else Counter(k for k, _ in _skips(before.tree))
        for kind, node in _skips(after.tree):
            known[kind] -= 1
            if known[kind] < 0:
                said = f"a test is passed over by {kind!r}"
                place = after.place(node)
                yield Ruling(self.name, Answer.FAIL, "skip_added", said, place)

    def _hidden(self, after: Parsed) -> Iterator[Ruling]:
        """A second definition of the same name silently replaces the first."""
        for scope in (
            each for each in ast.walk(after.tree) if isinstance(each, ast.Module | ast.ClassDef)
        ):
            seen: set[str] = set()
            for node in scope.body:
                name = getattr(node, "name", "")
                if name.lower().startswith("test") and name in seen:
                    said = f"{name} is defined twice: the first never runs"
                    yield Ruling(self.name, Answer.FAIL, "test_hidden", said, after.place(node))
                seen.add(name)

    def _surroundings(self, before: Parsed, after: Parsed) -> Iterator[Ruling]:
        """What tests stand on: imports, helpers, fixtures, data of their file."""
        old, new = imported_names(before.tree), imported_names(after.tree)
        used = names_in(after.tree)
        for name, origin in old.items():
            if name in used and new.get(name) != origin:
                said = f"{name!r} stood for {origin} and now for {new.get(name)}"
                yield Ruling(self.name, Answer.FAIL, "helper_changed", said, f"{after.path}:1")
        left = Counter(ast.dump(each) for each in _supporting(after))
        bound = Counter(name for each in _supporting(before) for name in _bound(each))
        for node in _supporting(before):
            if not left[ast.dump(node)]:
                said = f"what tests stand on was changed: {unparse(node).splitlines()[0][:100]}"
                yield Ruling(self.name, Answer.FAIL, "helper_changed", said, before.place(node))
        known = {ast.dump(each) for each in _supporting(before)}
        for node in _supporting(after):
            taken = [n for n in _bound(node) if bound[n] or n in old]
            if taken and ast.dump(node) not in known:
                said = f"{taken[0]!r} is bound a second time"
                yield Ruling(self.name, Answer.FAIL, "helper_changed", said, after.place(node))


def _is_extension(old: Function, new: Function) -> bool:
    """Whether everything that a test said it still says first."""
    if type(old) is not type(new) or not same(old.args, new.args):
        return False
    left = [ast.dump(each) for each in new.decorator_list]
    for decorator in old.decorator_list:
        if ast.dump(decorator) not in left and not any(
            _is_longer_list(decorator, each) for each in new.decorator_list
        ):
            return False
    if len(new.decorator_list) != len(old.decorator_list):
        return False
    first = new.body[: len(old.body)]
    return len(first) == len(old.body) and all(map(same, old.body, first))


def _is_longer_list(old: ast.expr, new: ast.expr) -> bool:
    """`parametrize` with the same names and more rows."""
    if not (isinstance(old, ast.Call) and isinstance(new, ast.Call)):
        return False
    if not unparse(old.func).endswith(PARAMETRISE) or not same(old.func, new.func):
        return False
    if len(old.args) != 2 or len(new.args) != 2 or not same(old.args[0], new.args[0]):
        return False
    rows, more = old.args[1], new.args[1]
    if not (isinstance(rows, ast.List | ast.Tuple) and isinstance(more, ast.List | ast.Tuple)):
        return False
    left = Counter(ast.dump(each) for each in more.elts)
    return not Counter(ast.dump(each) for each in rows.elts) - left and not new.keywords


def _checks(function: Function) -> list[str]:
    """The assertions of a test, as text."""
    found = []
    for node in ast.walk(function):
        if isinstance(node, ast.Assert):
            found.append(unparse(node))
        elif isinstance(node, ast.Call):
            last = dotted(node.func).rpartition(".")[2]
            if last.startswith(("assert", "raises", "fail", "warns")):
                found.append(unparse(node))
    return found


def _skips(tree: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    for node in ast.walk(tree):
        name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", None)
        if isinstance(node, ast.Attribute | ast.Name) and name in _SKIPS:
            owner = dotted(node.value).rpartition(".")[2] if isinstance(node, ast.Attribute) else ""
            is_call_like = isinstance(node, ast.Attribute) or isinstance(node.ctx, ast.Store)
            if owner in _SKIP_OWNERS and (is_call_like or name not in ("skip", "exit")):
                yield str(name), node
        elif isinstance(node, ast.ImportFrom) and node.module in ("pytest", "unittest", "os"):
            for alias in node.names:
                if alias.name in _SKIPS:
                    yield alias.name, node


def _supporting(parsed: Parsed) -> list[ast.stmt]:
    """Statements of a file's top level that are neither tests, imports nor words about it."""
    found: list[ast.stmt] = []
    for node in parsed.tree.body:
        if isinstance(node, ast.ClassDef) and any(
            getattr(each, "name", "").startswith("test") for each in node.body
        ):
            found += [
                each for each in node.body if not getattr(each, "name", "").startswith("test")
            ]
        elif not (
            isinstance(node, ast.Import | ast.ImportFrom)
            or getattr(node, "name", "").startswith("test")
            or (is_bare_constant(node))
        ):
            found.append(node)
    return found


def _bound(node: ast.stmt) -> list[str]:
    if isinstance(node, Function | ast.ClassDef):
        return [node.name]
    return [
        each.id
        for each in ast.walk(node)
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    ]
