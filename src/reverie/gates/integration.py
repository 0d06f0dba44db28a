"""Does a change make a module part of its package, and do nothing else?"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from reverie.gates.gate import Matter, nothing_to_judge, ruled
from reverie.gates.production.rewritten_files import Rewritten, rewritten_files
from reverie.gates.proof import Bound, objections
from reverie.gates.python import imported_names
from reverie.model.ruling import Answer, Ruling
from reverie.syntax.nodes import stored_names

_BOUNDS = (
    Bound("orphans.integrated", "nothing_integrated",
          "no module that nothing used is used now", least=1),
    Bound("orphans.redundant", "redundant_module", "another module does the same", most=0),
    Bound("orphans.legacy", "legacy_module", "the module is marked as out of date", most=0),
    Bound("imports.failing", "import_fails", "modules that cannot be imported", most=0),
    Bound("imports.new_libraries", "new_requirement",
          "importing the package would need libraries that it did not need", most=0),
    Bound("imports.noisy", "import_effect", "importing does more than bind names", most=0,
          answer=Answer.HOLD),
)  # fmt: skip
_REASONS = {
    "not_an_import": "it is no import of a module of the package",
    "name_taken": "the package gives this name to something else",
}


@dataclass(frozen=True, slots=True)
class FrontGate:
    """Refuses any change of a package's front but imports of its own modules, and their names."""

    name: str = "front"

    def judge(self, matter: Matter) -> tuple[Ruling, ...]:
        """One ruling for each statement that is gone, or is new and no such import."""
        if not matter.change.edits:
            return nothing_to_judge(self.name)
        said = "fronts of packages get nothing but imports of their own modules"
        return ruled(self.name, self._objections(matter), said)

    def _objections(self, matter: Matter) -> Iterator[Ruling]:
        for file in rewritten_files(matter):
            code, node = _first_wrong(file)
            if code == "statement_lost":
                said = "statements of the package's front are gone, or in another order"
                yield Ruling(self.name, Answer.FAIL, code, said, f"{file.after.path}:1")
            elif node is not None:
                said = _REASONS[code]
                yield Ruling(self.name, Answer.FAIL, code, said, file.after.place(node))


def _first_wrong(file: Rewritten) -> tuple[str, ast.stmt | None]:
    """What is not as it should be; nothing when all that is new are imports and their names."""
    waiting, taken = list(file.before.tree.body), _bound(file.before.tree)
    package = file.after.path.removesuffix("/__init__.py").split("/")
    for node in file.after.tree.body:
        new = {alias.name for alias in getattr(node, "names", ())}
        if waiting and _is_kept(waiting[0], node):
            new -= {alias.name for alias in getattr(waiting.pop(0), "names", ())}
            if not new:
                continue
        if not _is_own_import(node, package):
            return "not_an_import", node
        if taken & new:
            return "name_taken", node
    return ("statement_lost" if waiting else "", None)


def _bound(tree: ast.Module) -> set[str]:
    """Names that a module gives something of its own."""
    named = {getattr(node, "name", "") for node in tree.body}
    stored = stored_names(tree)
    return named | stored | set(imported_names(tree))


def _is_kept(before: ast.stmt, after: ast.stmt) -> bool:
    if ast.dump(before) == ast.dump(after):
        return True
    match before, after:
        case ast.ImportFrom(), ast.ImportFrom():
            if (before.module, before.level) != (after.module, after.level):
                return False
            old, new = ([ast.dump(each) for each in node.names] for node in (before, after))
        case _:
            listed = _exported(before), _exported(after)
            if listed[0] is None or listed[1] is None:
                return False
            old, new = listed[0], listed[1]
    left = iter(new)
    return all(name in left for name in old)


def _exported(node: ast.stmt) -> list[str] | None:
    """The names of an `__all__` that is written out."""
    match node:
        case ast.Assign(targets=[ast.Name(id="__all__")], value=ast.List() | ast.Tuple() as held):
            names = [each.value for each in held.elts if isinstance(each, ast.Constant)]
            texts = [name for name in names if isinstance(name, str)]
            return texts if len(texts) == len(held.elts) else None
    return None


def _is_own_import(node: ast.stmt, package: list[str]) -> bool:
    """`from . import name`, or the same with the package by its name."""
    match node:
        case ast.ImportFrom(module=None, level=1, names=names):
            pass
        case ast.ImportFrom(module=str(module), level=0, names=names):
            if package[-module.count(".") - 1 :] != module.split("."):
                return False
        case _:
            return False
    return all(each.name != "*" and each.asname in (None, each.name) for each in names)


@dataclass(frozen=True, slots=True)
class IntegrationGate:
    """Refuses unless a module that nothing used is used now, and can be imported as it is."""

    name: str = "integration"

    def judge(self, matter: Matter) -> tuple[Ruling, ...]:
        """On both trees, read and imported."""
        names = ", ".join(matter.named("orphans.integrated")[:3])
        return ruled(self.name, objections(self.name, matter, _BOUNDS), f"integrated: {names}")
