"""Files of tests that can reach a change, nearest first, found by names: nothing is run.

A suite of thousands of tests takes longer than a judgement may. What a change rewrites has names;
whatever says one of them may reach it, and so may whatever says a name of that. Texts count as
names, and any two things of one name are taken for the same: more is found than is there, and at
some distance that is everything. So files are taken step by step, as long as they are few.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from reverie.gates.paths import is_test_module
from reverie.gates.python import parse
from reverie.model.change import Change
from reverie.model.dream import Stage
from reverie.model.ruling import Evidence
from reverie.syntax.nodes import Function, is_bare_constant, stored_names

_MANY_TESTS = 2000
"""Functions of tests, of a suite that is asked in part. A smaller one is asked as a whole."""
_MOST_TESTS = 800
"""Functions of tests, in all files that are taken; those of the first step are always."""
_MOST_SHARE = 0.5
"""Of the tests: where the first step has more of them, all are asked."""
_NO_CODE = frozenset({"docs", "doc", "examples", "benchmarks", "build", "dist", "tools"})
_TEST = b"def test"
ASKED, LEFT_OUT = "suite.asked", "suite.files_left_out"
"""Names in evidence: the files of tests that were run, and how many were not."""
_MOST_CHARACTERS = 200
"""Of a text that may be a name."""


@dataclass(frozen=True, slots=True)
class Reaching:
    """The files of tests to run, and what is left out."""

    files: tuple[str, ...]
    """One that a tree does not have is passed over there."""
    left_out: int
    """Files of tests."""
    code: tuple[str, ...] | None = None
    """The files of the change: what tests run of others is not asked. None: all is."""

    def beside(self, change: Change) -> "Reaching":
        """The same with the files of tests that a change writes."""
        own = (each.path for each in change.edits if each.after is not None)
        return replace(self, files=(*self.files, *filter(is_test_module, own)))


@dataclass(frozen=True, slots=True)
class _Unit:
    """A function, the front of a class or a statement of a module: what it is called, and says."""

    names: frozenset[str]
    says: frozenset[str]


def find_reaching(files: Mapping[str, bytes], change: Change) -> Reaching | None:
    """Of a tree before a change; None where the whole suite is to be run."""
    tests = {path: files[path].count(_TEST) for path in files if is_test_module(path)}
    total = sum(tests.values())
    if total < _MANY_TESTS:
        return None
    names = _changed_names(change)
    if names is None:
        return None
    units = {
        path: tuple(_units(tree.body, "", path in tests or path.endswith("conftest.py")))
        for path, tree in _trees(files)
    }
    found: dict[str, int] = {}
    for reached in _steps(names, [unit for some in units.values() for unit in some]):
        more = {path: tests[path] for path in tests if _says(units.get(path, ()), reached)}
        if found and sum({**found, **more}.values()) > _MOST_TESTS:
            break
        found |= more
    if not found or sum(found.values()) > _MOST_SHARE * total:
        return None
    return Reaching(tuple(sorted(found)), len(tests) - len(found), _code_of(change))


def asked_before(evidence: Evidence, stage: Stage, change: Change) -> Reaching | None:
    """What an earlier trial asked of the suite; None where that was all of it."""
    files = evidence.details.get(ASKED, ())
    if not files:
        return None
    code = None if stage is Stage.A else _code_of(change)
    return Reaching(files, int(evidence.get(LEFT_OUT) or 0), code)


def _code_of(change: Change) -> tuple[str, ...]:
    return tuple(each.path for each in change.edits if each.path.endswith(".py"))


def _says(units: Iterable[_Unit], names: frozenset[str]) -> bool:
    return any(unit.says & names or unit.names & names for unit in units)


def _trees(files: Mapping[str, bytes]) -> Iterator[tuple[str, ast.Module]]:
    for path, content in files.items():
        if path.endswith(".py") and path.partition("/")[0] not in _NO_CODE:
            parsed = parse(path, content.decode("utf-8", "surrogateescape"))
            if parsed is not None:
                yield path, parsed.tree


def _steps(names: frozenset[str], units: Sequence[_Unit]) -> Iterator[frozenset[str]]:
    """The names; then those of all that says one of them too; until there is nothing new."""
    by_word: dict[str, list[_Unit]] = {}
    for unit in units:
        for word in unit.says:
            by_word.setdefault(word, []).append(unit)
    reached, last = names, names
    while last:
        yield reached
        users = [unit for word in last for unit in by_word.get(word, ())]
        last = frozenset(name for unit in users for name in unit.names) - reached
        reached |= last


def _changed_names(change: Change) -> frozenset[str] | None:
    """What differs between the texts of a change; None where something without a name does."""
    found: set[str] = set()
    for edit in change.edits:
        if not edit.path.endswith(".py"):
            continue
        before, after = (parse(edit.path, text or "") for text in (edit.before, edit.after))
        if before is None or after is None or edit.renamed_from is not None:
            return None
        old, new = ([*_parts(each.tree)] for each in (before, after))
        for mine, others in ((old, {said for said, _ in new}), (new, {said for said, _ in old})):
            for said, names in mine:
                if said in others:
                    continue
                if not names:
                    return None
                found |= names
    return frozenset(found) if found else None


_Part = tuple[str, frozenset[str]]
"""How a part of a module reads, and under which names others come to it."""


def _parts(tree: ast.Module) -> Iterator[_Part]:
    """Of what a module imports, others come to what uses it."""
    units = tuple(_units(tree.body, "", False))
    for said, names, is_import in _parts_of(tree.body, ""):
        users = frozenset(name for unit in units if unit.says & names for name in unit.names)
        yield said, (users or names) if is_import else names


def _parts_of(body: Sequence[ast.stmt], owner: str) -> Iterator[tuple[str, frozenset[str], bool]]:
    for node in body:
        if isinstance(node, ast.ClassDef):
            front = ast.ClassDef(node.name, node.bases, node.keywords, [], node.decorator_list)
            yield owner + ast.dump(front), frozenset({node.name}), False
            yield from _parts_of(node.body, node.name)
        elif not is_bare_constant(node):  # words
            is_import = isinstance(node, ast.Import | ast.ImportFrom)
            yield owner + ast.dump(node), _names_of(node, owner), is_import


def _names_of(node: ast.stmt, owner: str) -> frozenset[str]:
    """What a statement binds; what Python calls by itself is reached through its class."""
    if isinstance(node, Function):
        is_special = node.name.startswith("__") and node.name.endswith("__")
        return frozenset({owner if owner and is_special else node.name})
    if isinstance(node, ast.Import | ast.ImportFrom):
        return frozenset((each.asname or each.name).partition(".")[0] for each in node.names)
    bound = frozenset(stored_names(node)) - {"__all__"}
    return bound | {owner} if owner else bound


def _units(body: Sequence[ast.stmt], owner: str, is_test: bool) -> Iterator[_Unit]:
    for node in body:
        if isinstance(node, ast.ClassDef):
            around = (*node.bases, *node.keywords, *node.decorator_list)
            yield _Unit(frozenset({node.name}), frozenset(w for e in around for w in _words(e)))
            yield from _units(node.body, node.name, is_test)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            for each in node.names:
                if each.asname is not None:
                    yield _Unit(frozenset({each.asname}), frozenset({_last(each.name)}))
        elif isinstance(node, Function):
            names = _names_of(node, owner)
            said = frozenset(_words(node)) - (frozenset() if is_test else _own_names(node))
            # A test is called by nobody, but its class may be a part of others.
            yield _Unit(names | {owner} if is_test and owner else names, said)
        elif names := _names_of(node, owner):
            yield _Unit(names, frozenset(_words(node)) - names)


def _own_names(function: Function) -> frozenset[str]:
    """Names that a function gives to values of its own; what it asks for as an attribute stays."""
    asked = {each.attr for each in ast.walk(function) if isinstance(each, ast.Attribute)}
    taken = {a.arg for a in ast.walk(function.args) if isinstance(a, ast.arg)}
    return frozenset((stored_names(function) | taken) - asked)


def _last(dotted: str) -> str:
    return dotted.rpartition(".")[2]


def _words(node: ast.AST) -> Iterator[str]:
    """Names that are read, asked for as attributes or arguments, imported, or said in a text."""
    for each in ast.walk(node):
        match each:
            case ast.Name(id=name) | ast.arg(arg=name) | ast.Attribute(attr=name):
                yield name
            case ast.ImportFrom(names=names):
                yield from (each.name for each in names)
            case ast.Constant(value=str() as text) if len(text) < _MOST_CHARACTERS:
                yield from (part for part in text.split(".") if part.isidentifier())
