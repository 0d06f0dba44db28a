"""Does the change reach for what the code did not reach before?

Every function, method, value and import is asked for its effects: whatever it names that the table
of pure names (`gates/effects`) does not have. One that it did not have before is refused.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from reverie.gates.effects.table import Effect, EffectKind
from reverie.gates.effects.units import IMPORT, Comparison, Modules
from reverie.gates.gate import Matter, nothing_to_judge, ruled
from reverie.gates.paths import module_of
from reverie.gates.production.rewritten_files import Rewritten, rewritten_files
from reverie.model.ruling import Answer, Ruling

CODES: dict[EffectKind, tuple[str, str]] = {
    EffectKind.NETWORK: ("new_network", "it starts to use the network"),
    EffectKind.PROCESSES: ("new_process", "it starts to use processes"),
    EffectKind.CODE: ("new_dynamic_code", "it starts to run code that is not there to be read"),
    EffectKind.THREADS: ("new_threads", "it starts threads or tasks of its own"),
    EffectKind.FILES: ("new_file_use", "it starts to use files"),
    EffectKind.ENVIRONMENT: ("new_environment_use", "it starts to use the environment"),
    EffectKind.INTERPRETER: (
        "new_interpreter_use",
        "it starts to use the workings of the interpreter",
    ),
    EffectKind.TIME: ("new_chance_or_clock", "it starts to depend on the clock"),
    EffectKind.CHANCE: ("new_chance_or_clock", "it starts to depend on chance"),
    EffectKind.MACHINE: ("new_machine_use", "it starts to depend on the machine"),
    EffectKind.USER: ("new_user_use", "it starts to depend on the user"),
    EffectKind.LOCALE: ("new_locale_use", "it starts to depend on the locale"),
    EffectKind.IMPORTS: (
        "new_import_state_use",
        "it starts to depend on what is imported, and how",
    ),
    EffectKind.STATE: ("new_state_use", "it starts to depend on what calls leave behind"),
    EffectKind.OUTPUT: ("new_output", "it starts to write or to ask"),
    EffectKind.UNKNOWN: ("unknown_effect", "it starts to use what is not known to be pure"),
}
"""Reason code and reason of a new effect, by its kind."""
_REASONS = {
    "detects_judge": "it asks whether it is being tested",
    "import_effect": "importing the module does something that it did not do",
}
_TELLTALES = ("REVERIE", "PYTEST_", "COVERAGE", "pytest", "unittest", "_reverie")
_INERT = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom, ast.Pass)


@dataclass(frozen=True, slots=True)
class ReachGate:
    """Refuses new effects; holds new use of what nobody knows to be pure."""

    name: str = "reach"

    def judge(self, matter: Matter) -> tuple[Ruling, ...]:
        """One ruling for each new effect."""
        if not matter.change.edits:
            return nothing_to_judge(self.name)
        return ruled(
            self.name, self._objections(matter), "it uses no new file, network, process or clock"
        )

    def _objections(self, matter: Matter) -> Iterator[Ruling]:
        files = tuple(rewritten_files(matter))
        changed = {module_of(file.after.path): module_of(file.before.path) for file in files}
        paths = {module_of(file.after.path): file.after.path for file in files}
        comparison = Comparison(*_modules(matter, files), changed)
        told = set()
        for file in files:
            for unit, effect, reached in comparison.new(module_of(file.after.path)):
                if effect not in told:
                    told.add(effect)
                    place = f"{paths.get(reached.module, reached.module)}:{reached.look.line}"
                    yield self._ruling(effect, unit, place)
            yield from self._tells(file)
            yield from self._import_effects(file)

    def _ruling(self, effect: Effect, unit: str, place: str) -> Ruling:
        code, reason = CODES[effect.kind]
        answer = Answer.HOLD if effect.kind is EffectKind.UNKNOWN else Answer.FAIL
        where = "when it is imported" if unit == IMPORT else f"in {unit}"
        said = f"{reason}: {effect.origin.lstrip('.')} ({where})"
        return Ruling(self.name, answer, code, said, place)

    def _tells(self, file: Rewritten) -> Iterator[Ruling]:
        known = {text for text, _ in _telltales(file.before.tree)}
        for text, node in _telltales(file.after.tree):
            if text not in known:
                known.add(text)
                said = f"{_REASONS['detects_judge']}: {text}"
                yield Ruling(self.name, Answer.FAIL, "detects_judge", said, file.after.place(node))

    def _import_effects(self, file: Rewritten) -> Iterator[Ruling]:
        before = {ast.dump(each) for each in file.before.tree.body}
        for node in file.after.tree.body:
            if ast.dump(node) not in before and not _is_inert(node):
                said, place = _REASONS["import_effect"], file.after.place(node)
                yield Ruling(self.name, Answer.FAIL, "import_effect", said, place)


def _modules(matter: Matter, files: tuple[Rewritten, ...]) -> tuple[Modules, Modules]:
    """The repository before and after."""
    around = matter.surroundings
    old: dict[str, str] = dict(around.sources)
    new = old | {module_of(file.after.path): file.after.text for file in files}
    old.update((module_of(file.before.path), file.before.text) for file in files)
    return Modules(old, around.packages), Modules(new, around.packages)


def _telltales(tree: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and str(node.value).startswith(_TELLTALES):
            yield str(node.value)[:40], node


def _is_inert(node: ast.stmt) -> bool:
    """Whether a statement at the top of a module binds names and does nothing else."""
    if isinstance(node, _INERT):
        return True
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    if isinstance(node, ast.Assign):
        return all(isinstance(each, ast.Name | ast.Tuple) for each in node.targets)
    if isinstance(node, ast.AnnAssign):
        return isinstance(node.target, ast.Name)
    if isinstance(node, ast.If):
        works = any(isinstance(each, ast.Call | ast.NamedExpr) for each in ast.walk(node.test))
        return not works and all(map(_is_inert, (*node.body, *node.orelse)))
    if isinstance(node, ast.Try):
        caught = [each for handler in node.handlers for each in handler.body]
        return all(map(_is_inert, (*node.body, *caught, *node.orelse, *node.finalbody)))
    return False
