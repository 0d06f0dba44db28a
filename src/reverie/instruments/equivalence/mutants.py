"""Mutants of what a change touches: made by the mutation instrument's own operators."""

import ast
import codecs
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from reverie.instruments.equivalence.dead import constant_names, is_dead
from reverie.instruments.equivalence.inside.probes import reachable
from reverie.instruments.equivalence.targets import Version
from reverie.instruments.mutation.inside.sites import Site, Survey
from reverie.instruments.mutation.inside.texts import Text
from reverie.instruments.mutation.inside.units import is_same

MARK = "_rv_mark"
_FEW = 12
"""With fewer mutants of changed statements, those of the whole changed functions are taken."""
_SHOWN = 80
_BINDING = (ast.Yield, ast.YieldFrom, ast.Await, ast.NamedExpr)
"""What cannot be evaluated a second time in a function of its own."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change to a version: a statement of its module, written otherwise."""

    operator: str
    line: int
    shown: str
    """What stands there, and what stands there instead."""
    top: int
    text: str
    """The whole statement of the module, changed."""
    marked: str | None
    """The statement as it was, with a mark where the change would make a difference."""
    is_shared: bool = False
    """The other version computes the same there: whoever survives it says nothing of the change."""

    @property
    def name(self) -> str:
        """The same for the same change of the same code."""
        return f"{self.line} {self.operator} {self.shown}"


def mutants_of(version: Version, other: Version) -> list[Mutant]:
    """Mutants of the code that only this version has, as far as its callable reaches it."""
    survey = Survey(version.source.encode())
    owners = reachable(survey.tree, version.qualname)
    writer = _Writer(survey, version.source, _expressions(other, changed_functions(other, version)))
    writer.others = {ast.dump(each) for each in other.tree.body}
    known = _heads(other)
    changed = changed_functions(version, other)
    sites = [each for each in survey.sites if _counts(each, owners) and writer.may_show(each)]
    near = [each for each in sites if writer.head(each.lines) not in known]
    if len(near) < _FEW:
        near = [
            each for each in sites if each.scope in changed or writer.head(each.lines) not in known
        ]
    return list(dict.fromkeys(made for each in near if (made := writer.mutant(each)) is not None))


def _counts(site: Site, owners: set[str]) -> bool:
    is_decorator = site.slot == "decorator_list" or site.operator == "drop_decorator"
    return not is_decorator and (site.scope in owners or site.scope == "<module>")


class _Writer:
    """Writes the mutants of one source."""

    def __init__(self, survey: Survey, source: str, known: frozenset[str] = frozenset()) -> None:
        self.known = known
        """Expressions that stand in the changed code of the other version."""
        self.others: set[str] = set()
        """Statements of the other version: a mutant that is one of them is what is compared."""
        self.data = source.encode()
        self.text = Text(self.data)
        self.tree = survey.tree
        self.lines = source.split("\n")
        self.parents = {
            id(child): node
            for node in ast.walk(survey.tree)
            for child in ast.iter_child_nodes(node)
        }
        self.silent = {
            *_silent(survey.tree),
            *_unreachable(survey.tree),
            *_rebound(survey.tree),
        }
        self._codes: dict[int, Any] = {}

    def head(self, lines: tuple[int, int]) -> str:
        """The text of a statement, or of a compound one's head."""
        return " ".join(each.strip() for each in self.lines[lines[0] - 1 : lines[1]])

    def may_show(self, site: Site) -> bool:
        """Whether it could change anything that is compared: the words of an error are not."""
        if id(site.node) in self.silent:
            return False
        before, after = site.node, site.replacement
        if isinstance(before, ast.Constant) and isinstance(after, ast.Constant):
            return not _are_one_codec(before.value, after.value)
        return True

    def mutant(self, site: Site) -> Mutant | None:
        """The change as text; None when Python cannot write it or it compiles to the same."""
        written = self.text.replacing(site)
        if written is None:
            return None
        start, end = self.text.span(site.node)
        changed = self._statement(site.top, start, end, written)
        if changed is None or not self._differs(site.top, changed) or self._is_other(changed):
            return None
        was = self.text.of(site.node)
        shown = f"{' '.join(was.split())[:_SHOWN]} -> {' '.join(written.split())[:_SHOWN]}"
        marked = self._marked(site, start, end, written)
        is_shared = self._is_shared(site.node)
        line = self.data[:start].count(b"\n") + 1
        return Mutant(site.operator, line, shown, site.top, changed, marked, is_shared)

    def _is_other(self, changed: str) -> bool:
        return bool(self.others) and ast.dump(ast.parse(changed).body[0]) in self.others

    def _is_shared(self, node: ast.AST) -> bool:
        """Whether it is part of an expression that the other version computes as well."""
        if not isinstance(node, ast.expr):
            return False
        around: ast.AST = node
        while isinstance(around, ast.expr):
            if ast.unparse(around) in self.known:
                return True
            around = self.parents[id(around)]
        return False

    def _statement(self, top: int, start: int, end: int, written: str) -> str | None:
        """A statement of the module with other bytes in one place."""
        node = self.tree.body[top]
        begin, finish = self.text.span(node)
        for each in getattr(node, "decorator_list", ()):
            begin = min(begin, self.text.starts[each.lineno - 1])
        if not begin <= start <= end <= finish:
            return None
        return (self.data[begin:start] + written.encode() + self.data[end:finish]).decode()

    def _differs(self, top: int, changed: str) -> bool:
        if top not in self._codes:
            first = self.text.span(self.tree.body[top])[0]
            whole = self._statement(top, first, first, "")
            self._codes[top] = compile(whole or "", "", "exec", dont_inherit=True)
        try:
            return not is_same(self._codes[top], compile(changed, "", "exec", dont_inherit=True))
        except (SyntaxError, ValueError):
            return False

    def _marked(self, site: Site, start: int, end: int, written: str) -> str | None:
        """The original, telling when the change would make the statement's value another."""
        node = site.node
        if isinstance(node, ast.stmt):
            is_plain = not isinstance(node, ast.Match)
            return self._statement(site.top, start, start, f"{MARK}(); ") if is_plain else None
        outer = self._outermost(node)
        first, last = self.text.span(outer)
        was = self.data[first:last].decode()
        changed = (self.data[first:start] + written.encode() + self.data[end:last]).decode()
        is_for_effect = isinstance(self.parents[id(outer)], ast.Expr)
        if is_for_effect or any(isinstance(each, _BINDING) for each in ast.walk(outer)):
            marked = f"({MARK}(), ({was}))[1]"
        else:
            marked = f"{MARK}(lambda: ({was}), lambda: ({changed}))"
        return self._statement(site.top, first, last, marked)

    def _outermost(self, node: ast.AST) -> ast.AST:
        """The largest expression around it that is read, not written to; a comparison decides."""
        found = node
        while not isinstance(found, ast.Compare):
            node = self.parents[id(node)]
            if isinstance(node, ast.stmt | ast.ExceptHandler | ast.match_case | ast.arguments):
                break
            is_written = isinstance(getattr(node, "ctx", None), ast.Store | ast.Del)
            is_spread = isinstance(node, ast.Starred | ast.Slice)
            if isinstance(node, ast.expr) and not is_written and not is_spread:
                found = node
        return found


def _rebound(tree: ast.Module) -> Iterator[int]:
    """Nodes of a module's assignments to names that its functions bind anew."""
    names = {name for node in ast.walk(tree) if isinstance(node, ast.Global) for name in node.names}
    for node in tree.body:
        if isinstance(node, ast.Assign) and any(
            isinstance(each, ast.Name) and each.id in names for each in node.targets
        ):
            yield from map(id, ast.walk(node))


def _unreachable(tree: ast.Module) -> Iterator[int]:
    """Nodes in branches whose condition is a constant that excludes them."""
    constants = constant_names(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.If | ast.While):
            condition = ast.unparse(node.test)
            for way, block in ((1, node.body), (0, node.orelse)):
                if is_dead(condition, way, constants):
                    yield from (id(inner) for each in block for inner in ast.walk(each))


def _silent(tree: ast.Module) -> Iterator[int]:
    """Nodes that only make the words of an error."""
    for node in ast.walk(tree):
        said: list[ast.AST] = []
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            said = [node.exc, *node.exc.args, *node.exc.keywords]
        elif isinstance(node, ast.Assert) and node.msg is not None:
            said = [node.msg]
        for each in said:
            yield from map(id, ast.walk(each))


def _are_one_codec(before: object, after: object) -> bool:
    """Whether both texts name one encoding: its name is written in many ways."""
    try:
        return codecs.lookup(str(before)).name == codecs.lookup(str(after)).name
    except (LookupError, ValueError):
        return False


def _heads(version: Version) -> set[str]:
    """The statements of a version, each as its text; of compound ones the heads."""
    survey = Survey(version.source.encode())
    writer = _Writer(survey, version.source)
    return {writer.head(each.lines) for each in survey.sites}


def changed_functions(version: Version, other: Version) -> set[str]:
    """Functions of a version that the other does not have, or not so."""
    known = dict(_functions(other.tree, ""))
    return {name for name, text in _functions(version.tree, "") if known.get(name) != text}


def _expressions(version: Version, functions: set[str]) -> frozenset[str]:
    """What some functions of a version compute of what they are given, each as its text."""
    return frozenset(
        ast.unparse(each)
        for name, node in _nodes(version.tree, "")
        if name in functions and not isinstance(node, ast.ClassDef)
        for each in ast.walk(node)
        if isinstance(each, ast.expr) and _computes(each)
    )


def _computes(node: ast.expr) -> bool:
    """Whether it is made of more than names and constants, and of a value that can vary."""
    called = {id(each.func) for each in ast.walk(node) if isinstance(each, ast.Call)}
    is_more = not isinstance(node, ast.Name | ast.Constant | ast.Attribute)
    return is_more and any(
        isinstance(each, ast.Name) and id(each) not in called for each in ast.walk(node)
    )


def _functions(node: ast.AST, around: str) -> Iterator[tuple[str, str]]:
    yield from ((name, ast.unparse(each)) for name, each in _nodes(node, around))


def _nodes(
    node: ast.AST, around: str
) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            name = f"{around}{child.name}"
            yield name, child
            yield from _nodes(child, f"{name}.")
        else:
            yield from _nodes(child, around)
