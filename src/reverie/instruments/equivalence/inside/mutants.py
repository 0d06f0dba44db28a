"""Entry of the program: which mutants of a version the scenarios tell from it."""

import __future__

import ast
import signal
import time
import types
from typing import Any

from reverie.instruments.equivalence.inside.observe import _ring, _Run
from reverie.instruments.equivalence.inside.versions import Version
from reverie.instruments.equivalence.inside.world import World

_MARK = "_rv_mark"
_LEAST_SCENARIOS = 40
_BASELINE_SECONDS = 0.15
"""CPU time of the scenarios that a mutant may have to go through, one run of them."""
_PATIENCE = 20.0
"""How many times longer than the slowest step of the original a mutant's step may take."""
_QUICKEST = 0.05
_LOADING = 2.0
"""CPU time in which a mutant has to be imported."""
_UNSEEN = ("seconds", "message", "error", "is_misfit", "is_deliberate")
"""What of a step is no behaviour."""


def notice(**order: Any) -> "list[int]":
    """For each mutant the scenario that tells it from the original; -1: none does.

    A mutant that only marks a place tells how many scenarios came by instead.
    """
    world = World(order["uses_files"], order["files"], order["epoch"])
    signal.signal(signal.SIGPROF, _ring)
    version = Version(order["versions"][0], False)
    pieces = _Pieces(order["versions"][0]["source"], version.path)
    expected = _Expected(version, pieces, world, order)
    return [expected.met(pieces, *each) for each in order["mutants"]]


class _Pieces:
    """A module's statements, each compiled by itself."""

    def __init__(self, source: str, path: str) -> None:
        self.path = path
        self.tree = ast.parse(source)
        self.flags = 0
        for node in self.tree.body:
            if isinstance(node, ast.ImportFrom) and node.module == "__future__":
                for each in node.names:
                    self.flags |= getattr(__future__, each.name).compiler_flag
        self.codes = [self._compiled(ast.Module([each], [])) for each in self.tree.body]

    def _compiled(self, tree: ast.Module) -> types.CodeType:
        code: types.CodeType = compile(tree, self.path, "exec", self.flags, dont_inherit=True)
        return code

    def changed(self, top: int, text: str) -> "tuple[ast.Module, tuple[types.CodeType, ...]]":
        """All of them with another text for one."""
        part, body = ast.parse(text), self.tree.body
        codes = (*self.codes[:top], self._compiled(part), *self.codes[top + 1 :])
        return ast.Module([*body[:top], *part.body, *body[top + 1 :]], []), codes


class _Expected:
    """What the original answers where it answers the same twice, well and in time."""

    def __init__(
        self, version: "Version", pieces: _Pieces, world: "World", order: "dict[str, Any]"
    ) -> None:
        self.version = version
        self.world = world
        self.order = {**order, "counts_cpu": True}
        self.scenarios: list[list[dict[str, Any]]] = order["scenarios"]
        first = self._answers(pieces, _BASELINE_SECONDS)
        second = self._answers(pieces, 4 * _BASELINE_SECONDS)
        self.answers = [
            _told(one) if _told(one) == _told(other) and all(map(_is_fair, one)) else None
            for one, other in zip(first, second, strict=False)
        ]
        self.scenarios = self.scenarios[: len(self.answers)]
        slowest = max(
            (step.get("seconds", 0.0) for steps in (*first, *second) for step in steps), default=0
        )
        seconds = max(_QUICKEST, _PATIENCE * slowest)
        self.order["step_seconds"] = min(order["step_seconds"], seconds)

    def _answers(self, pieces: _Pieces, seconds: float) -> "list[list[dict[str, Any]]]":
        run = _Run(
            self.version.changed(pieces.tree, tuple(pieces.codes), {}), self.world, self.order
        )
        found = []
        started = time.process_time()
        for number, scenario in enumerate(self.scenarios):
            found.append(run.perform(scenario, number)["steps"])
            is_spent = time.process_time() - started > seconds
            if is_spent and number + 1 >= _LEAST_SCENARIOS:
                break
        return found

    def met(self, pieces: _Pieces, top: int, text: str, is_marking: bool) -> int:
        """The first scenario on which a mutant differs, or how many reach what it marks."""
        mark = _Mark()
        signal.setitimer(signal.ITIMER_PROF, _LOADING)
        try:
            changed = self.version.changed(*pieces.changed(top, text), {_MARK: mark})
        except BaseException:  # noqa: BLE001  a mutant that cannot be imported is noticed
            return 0
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        run = _Run(changed, self.world, self.order)
        reached = 0
        for number, (scenario, answer) in enumerate(zip(self.scenarios, self.answers, strict=True)):
            mark.is_made = False
            found = run.perform(scenario, number)["steps"]
            if is_marking:
                reached += mark.is_made
            elif answer is not None and _told(found) != answer:
                return number
        return reached if is_marking else -1


class _Mark:
    """Notes that a place was reached, or that a changed expression has another value there."""

    def __init__(self) -> None:
        self.is_made = False

    def __call__(self, original: Any = None, changed: Any = None) -> Any:
        if original is None:
            self.is_made = True
            return None
        value = original()
        if not self.is_made:
            self.is_made = not _is_alike(value, changed)
        return value


def _is_alike(value: Any, changed: Any) -> bool:
    try:
        other = changed()
        if type(value) is not type(other):
            return False
        return bool(value == other) or repr(value) == repr(other)
    except Exception:  # noqa: BLE001  it raises where the original does not
        return False


def _told(steps: "list[dict[str, Any]]") -> "list[dict[str, Any]]":
    return [{name: each[name] for name in each if name not in _UNSEEN} for each in steps]


def _is_fair(step: "dict[str, Any]") -> bool:
    """Whether a difference here would count between two versions."""
    return step["outcome"] in ("returned", "raised") and not step.get("is_misfit")
