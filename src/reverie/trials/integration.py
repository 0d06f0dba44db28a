"""The trial of an integration: new tests, then who uses what, then every import by itself.

    evidence = try_integration(trees, sandbox, plan)

A module is imported in a sandbox of its own: the first thing that is asked of one.
"""

import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

from reverie.errors import MachineryError, UsageError
from reverie.gates.paths import is_test_path
from reverie.index import read_repository
from reverie.index.graph import ImportGraph, ModuleNames
from reverie.index.orphans import classify, read_evidence
from reverie.instruments.effects.recording import NewEffect, record_imports
from reverie.instruments.equivalence import version_of
from reverie.model.change import FileEdit
from reverie.model.dream import Stage
from reverie.model.execution import Call, Execution, Request
from reverie.model.outcome import TrustTier
from reverie.model.repository.code import CodeIndex, Import, ImportKind, Module
from reverie.model.repository.standing import ModuleStanding
from reverie.model.ruling import Evidence
from reverie.model.sections import IndexSection, OrphansSection
from reverie.sandbox.engine import Sandbox
from reverie.trials.plan import Trees, TrialPlan
from reverie.trials.tests_trial import TestTrial

_PROGRAM = "import importlib\ndef load(name):\n    importlib.import_module(name)\n"
_SECONDS = 30.0


def import_alone(
    sandbox: Sandbox, folder: Path, module: Module, python: str | None = None
) -> Execution:
    """Import one module of a folder; nothing that it needs is imported before it."""
    call = Call(_PROGRAM, "load", {"name": import_name(module)})
    return ask_alone(sandbox, folder, module, call, python)


def ask_alone(
    sandbox: Sandbox, folder: Path, module: Module, call: Call, python: str | None = None
) -> Execution:
    """Make one call where a module of a folder can be imported, and nothing is yet."""
    home = os.path.realpath(folder)
    root = os.path.normpath(os.path.join(home, module.root))
    policy = replace(
        sandbox.section.policy(),
        readonly=(home,),
        python=python,
        import_paths=tuple(dict.fromkeys((root, home))),
        seed=0,
    )
    limits = replace(sandbox.section.limits(), wall_seconds=_SECONDS)
    return sandbox.run(Request(call, limits, policy))


def import_name(module: Module) -> str:
    """The name that Python knows a file by, from its root on: also where two share one."""
    inside = os.path.relpath(module.path, module.root).removesuffix(".py")
    return inside.removesuffix("/__init__").replace("/", ".")


_FRONT = "__init__.py"
_MOST_IMPORTS = 60
_SHOWN = 160


def try_integration(trees: Trees, sandbox: Sandbox, plan: TrialPlan) -> Evidence:
    """Everything that an integration has to show, measured on both trees."""
    return _IntegrationTrial(trees, sandbox, plan).run()


@dataclass(frozen=True, slots=True)
class ReadTree:
    """One tree as its source says, and its modules that have a mark, by path."""

    index: CodeIndex
    graph: ImportGraph
    standings: Mapping[str, ModuleStanding]

    @property
    def orphans(self) -> frozenset[str]:
        """Paths of what nothing uses."""
        return frozenset(path for path, each in self.standings.items() if each.orphan)

    def closure(self, path: str) -> tuple[str, ...]:
        """A module and all of the repository that running it may import, by path."""
        found, left = {path}, [path]
        while left:
            new = self.graph.imports.get(left.pop(), frozenset()) - found
            found |= new
            left += new
        return tuple(sorted(found))

    def libraries(self, path: str) -> frozenset[str]:
        """Top-level names from outside that have to be there when a module is imported."""
        return frozenset(
            name
            for each in self.closure(path)
            for name in map(_outside, self.graph.modules[each].imports)
            if name is not None
        )


def read_tree(folder: Path) -> ReadTree:
    """Read a tree as `reverie orphans` does, by nothing but its own files."""
    index = read_repository(folder, IndexSection(), lambda path: TrustTier.SANDBOX)
    return tree_of(index, folder, OrphansSection())


def tree_of(index: CodeIndex, folder: Path, section: OrphansSection) -> ReadTree:
    """The tree of an index that is there."""
    standings = classify(index, read_evidence(folder, index), section)
    graph = ImportGraph.of(index, ModuleNames(index.modules), type_checking=False)
    return ReadTree(index, graph, {each.path: each for each in standings})


def _outside(each: Import) -> str | None:
    top = each.module.partition(".")[0]
    is_needed = each.kind is ImportKind.PLAIN and not each.is_internal
    return top if is_needed and top not in sys.stdlib_module_names else None


class ImportingTrial(TestTrial):
    """The trial of tests with code beside them: what importing that reaches is looked at, too."""

    def note_effects(self) -> None:
        """What importing the changed modules reaches that it did not."""
        new: dict[str, NewEffect] = {}
        unrecorded: list[str] = []
        for edit in self.trees.change.edits:
            is_code = edit.path.endswith(".py") and edit.after is not None
            if not is_code or is_test_path(edit.path, self.plan.section):
                continue
            try:
                new |= {str(each): each for each in self._recorded(edit)}
            except (UsageError, MachineryError) as error:
                unrecorded.append(f"{edit.path}: {error}"[:_SHOWN])
        self.found.note_names("effects.new", tuple(new))
        self.found.note_names("effects.unrecorded", unrecorded)

    def _recorded(self, edit: FileEdit) -> tuple[NewEffect, ...]:
        path = str(self.trees.head / edit.path)
        after = version_of(edit.after or "", "", path=path, label=edit.path)
        if edit.before is None:  # where nothing was, nothing was reached
            before = version_of("", "", path=path, label=f"old {edit.path}")
        else:
            place = str(self.trees.base / (edit.renamed_from or edit.path))
            before = version_of(edit.before, "", path=place, label=f"old {edit.path}")
        return record_imports(self.sandbox.with_python(self.plan.python), before, after)


class _IntegrationTrial(ImportingTrial):
    """The trial of the tests, and what makes a module part of the repository besides."""

    stage: ClassVar[Stage] = Stage.INTEGRATION

    def note_more(self) -> None:
        """Who is used now that was not, and what importing it takes."""
        base, head = read_tree(self.trees.base), read_tree(self.trees.head)
        found = sorted(base.orphans - head.orphans)
        marks = [base.standings[path] for path in found]
        self.found.note_names("orphans.integrated", found)
        self.found.note_names("orphans.redundant", (e.path for e in marks if e.redundant))
        self.found.note_names("orphans.legacy", (e.path for e in marks if e.legacy))
        fronts = [e.path for e in self.trees.change.edits if e.path.rpartition("/")[2] == _FRONT]
        self.found.note_names("imports.new_libraries", _new_libraries(base, head, fronts))
        self._note_imports(head, [*found, *fronts])
        self.note_effects()

    def _note_imports(self, head: ReadTree, paths: list[str]) -> None:
        wanted = sorted({each for path in paths for each in head.closure(path)})
        failing, noisy = [], []
        for path in wanted[:_MOST_IMPORTS]:
            module = head.graph.modules[path]
            seen = import_alone(self.sandbox, self.trees.head, module, self.plan.python)
            if not seen.succeeded:
                failing.append(path)
            elif seen.stdout or seen.changes or seen.changes_truncated:
                noisy.append(path)
        self.found.note("imports.tried", min(len(wanted), _MOST_IMPORTS))
        self.found.note_names("imports.failing", failing)
        self.found.note_names("imports.noisy", noisy)


def _new_libraries(base: ReadTree, head: ReadTree, fronts: list[str]) -> Iterator[str]:
    """What the packages need now and did not; tests alone make nobody need anything."""
    for path in fronts:
        yield from sorted(head.libraries(path) - base.libraries(path))
