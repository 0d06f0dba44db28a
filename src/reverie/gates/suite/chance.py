"""Would the new tests give the same answer tomorrow, alone, and on another machine?"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from reverie.gates.gate import Matter, nothing_to_judge, ruled
from reverie.gates.python import origin_of
from reverie.gates.suite.files_of_tests import Flow, TestFile, test_files
from reverie.model.ruling import Answer, Ruling
from reverie.syntax.nodes import Function, functions

_SEEDED_BY = ("random.seed", "numpy.random.seed", "np.random.seed")
_NO_DRAW = frozenset({"seed", "Random", "getstate", "setstate", "default_rng", "RandomState",
                      "Generator", "PCG64", "SeedSequence", "SystemRandom"})  # fmt: skip
_NEED_A_SEED = ("random.Random", "numpy.random.default_rng", "numpy.random.RandomState")
_ALWAYS_CHANCE = ("secrets.", "os.urandom", "random.SystemRandom")
_CLOCKS = (
    "time.time", "time.time_ns", "time.monotonic", "time.monotonic_ns", "time.perf_counter",
    "time.perf_counter_ns", "time.process_time", "time.localtime", "time.gmtime", "time.strftime",
    "time.ctime", "datetime.datetime.now", "datetime.datetime.utcnow", "datetime.datetime.today",
    "datetime.date.today", "datetime.now", "datetime.utcnow", "date.today", "os.times",
)  # fmt: skip
_OF_STAMPS = (
    "datetime.datetime.fromtimestamp", "datetime.datetime.utcfromtimestamp",
    "datetime.date.fromtimestamp", "time.localtime", "time.gmtime", "time.ctime", "time.strftime",
)  # fmt: skip
_STAMPS = frozenset({"st_mtime", "st_ctime", "st_atime", "st_birthtime", "st_mtime_ns",
                     "st_ctime_ns", "st_atime_ns", "getmtime", "getctime", "getatime"})  # fmt: skip
"""When a file was last touched: a clock, too, where it is read as a date."""
_CHANGES = frozenset({"append", "add", "update", "extend", "insert", "setdefault", "pop", "clear",
                      "remove", "discard", "appendleft", "popitem", "__setitem__"})  # fmt: skip


@dataclass(frozen=True, slots=True)
class ChanceGate:
    """Refuses new tests whose answer hangs on chance, on the clock or on their order."""

    name: str = "chance"

    def judge(self, matter: Matter) -> tuple[Ruling, ...]:
        """One ruling for each test that does."""
        if not matter.change.edits:
            return nothing_to_judge(self.name)
        said = "no new test depends on chance, clock or order, as far as its text shows"
        return ruled(self.name, self._objections(matter), said)

    def _objections(self, matter: Matter) -> Iterator[Ruling]:
        for file in test_files(matter):
            new = file.new_tests()
            helpers = [n for _, n in functions(file.parsed.tree) if not n.name.startswith("test")]
            is_seeded = any(_seeds(each, file) for each in helpers)
            for node in [*new.values(), *helpers]:
                if not is_seeded and not _seeds(node, file):
                    yield from self._chance(node, file)
            chosen = _chosen_by_time(helpers, file)
            for name, node in new.items():
                yield from self._clock(name, node, file, matter, chosen)
            yield from self._order(new, file)

    def _chance(self, function: Function, file: TestFile) -> Iterator[Ruling]:
        for node in ast.walk(function):
            if isinstance(node, ast.Call) and _draws(node, file.names):
                said = (
                    f"{function.name} draws from {origin_of(node.func, file.names)} without a seed"
                )
                place = file.parsed.place(node)
                yield Ruling(self.name, Answer.FAIL, "depends_on_chance", said, place)
                return

    def _clock(
        self,
        name: str,
        function: Function,
        file: TestFile,
        matter: Matter,
        chosen: frozenset[str],
    ) -> Iterator[Ruling]:
        timed = _timed_names(function, file.names, chosen)
        chosen = _chosen_names(function, timed, chosen, file.names)
        flow = Flow(function, file, matter)
        for node in ast.walk(function):
            if not isinstance(node, ast.Assert | ast.If | ast.While | ast.IfExp):
                continue
            for each in ast.walk(node.test):
                if not isinstance(each, ast.Compare):
                    continue
                if not any(
                    _is_timed(side, timed, file.names) for side in (each.left, *each.comparators)
                ):
                    continue
                is_picked = _is_chosen(each, timed, chosen, file.names)
                is_excused = isinstance(node, ast.Assert) and not is_picked
                if is_excused and _holds_result(each, flow, timed, file.names):
                    continue
                said = f"{name} hangs on what time it is, or on how long something takes"
                place = file.parsed.place(node)
                yield Ruling(self.name, Answer.FAIL, "depends_on_time", said, place)
                return

    def _order(self, new: dict[str, Function], file: TestFile) -> Iterator[Ruling]:
        shared = {
            each.id
            for statement in file.parsed.tree.body
            if isinstance(statement, ast.Assign | ast.AnnAssign)
            for each in ast.walk(statement)
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
        }
        classes = {each.name for each in file.parsed.tree.body if isinstance(each, ast.ClassDef)}
        users = {name: sum(_uses(node, name) for node in file.tests().values()) for name in shared}
        for name, node in new.items():
            changed = _changed_names(node, shared, classes)
            if any(users.get(each, 2) > 1 or each in classes for each in changed):
                said = f"{name} changes {min(changed)!r}, which other tests see"
                place = file.parsed.place(node)
                yield Ruling(self.name, Answer.FAIL, "depends_on_order", said, place)


def _draws(node: ast.Call, names: dict[str, str]) -> bool:
    origin = origin_of(node.func, names)
    if origin.startswith("np."):
        origin = "numpy." + origin.removeprefix("np.")
    if origin.startswith(_ALWAYS_CHANCE):
        return True
    if origin in _NEED_A_SEED:
        return not node.args and not node.keywords
    if origin.startswith(("random.", "numpy.random.")):
        return origin.rpartition(".")[2] not in _NO_DRAW
    return False


def _seeds(function: Function, file: TestFile) -> bool:
    return any(_is_seeding(each, file.names) for each in ast.walk(function))


def _is_seeding(node: ast.AST, names: dict[str, str]) -> bool:
    if not isinstance(node, ast.Call) or origin_of(node.func, names) not in _SEEDED_BY:
        return False
    return bool(node.args) and not any(
        isinstance(each, ast.Call) for each in ast.walk(node.args[0])
    )


def _chosen_by_time(helpers: list[Function], file: TestFile) -> frozenset[str]:
    """Functions and fixtures of the file whose answer is picked by what time it is."""
    found: frozenset[str] = frozenset()
    for node in helpers:
        timed = _timed_names(node, file.names, found)
        chosen = _chosen_names(node, timed, found, file.names)
        for each in ast.walk(node):
            value = each.value if isinstance(each, ast.Return | ast.Yield) else None
            if value is not None and _is_chosen(value, timed, chosen, file.names):
                found |= {node.name}
    return found


def _chosen_names(
    function: Function, timed: frozenset[str], known: frozenset[str], names: dict[str, str]
) -> frozenset[str]:
    found = set(known)
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and _is_chosen(node.value, timed, frozenset(found), names):
            found |= {e.id for t in node.targets for e in ast.walk(t) if isinstance(e, ast.Name)}
    return frozenset(found)


def _is_chosen(
    node: ast.AST, timed: frozenset[str], chosen: frozenset[str], names: dict[str, str]
) -> bool:
    """Whether the time decides which of several values it is."""
    return any(
        (isinstance(each, ast.Name) and each.id in chosen)
        or (isinstance(each, ast.Subscript) and _is_timed(each.slice, timed, names))
        or (isinstance(each, ast.IfExp) and _is_timed(each.test, timed, names))
        for each in ast.walk(node)
    )


def _timed_names(
    function: Function, names: dict[str, str], known: frozenset[str] = frozenset()
) -> frozenset[str]:
    found = set(known)
    for _ in range(3):
        for node in ast.walk(function):
            if isinstance(node, ast.Assign) and _is_timed(node.value, frozenset(found), names):
                found |= {
                    e.id for t in node.targets for e in ast.walk(t) if isinstance(e, ast.Name)
                }
    return frozenset(found)


def _is_timed(node: ast.AST, timed: frozenset[str], names: dict[str, str]) -> bool:
    for each in ast.walk(node):
        if isinstance(each, ast.Name) and each.id in timed:
            return True
        if isinstance(each, ast.Call) and _is_stamp(each, names):
            return True
        if isinstance(each, ast.Call) and origin_of(each.func, names) in _CLOCKS:
            is_of_now = not each.args or origin_of(each.func, names).endswith(("now", "strftime"))
            if is_of_now and len(each.args) < 2:
                return True
    return False


def _is_stamp(call: ast.Call, names: dict[str, str]) -> bool:
    """Whether the time of a file is read as a date."""
    return origin_of(call.func, names) in _OF_STAMPS and any(
        isinstance(each, ast.Attribute) and each.attr in _STAMPS
        for given in call.args
        for each in ast.walk(given)
    )


def _holds_result(
    node: ast.Compare, flow: Flow, timed: frozenset[str], names: dict[str, str]
) -> bool:
    """Whether a side of the comparison is the code's own and has nothing of the clock."""
    sides = (node.left, *node.comparators)
    return any(flow.carries(side) and not _is_timed(side, timed, names) for side in sides)


def _uses(function: Function, name: str) -> bool:
    return any(isinstance(each, ast.Name) and each.id == name for each in ast.walk(function))


def _changed_names(function: Function, shared: set[str], classes: set[str]) -> set[str]:
    found: set[str] = set()
    local = {each.arg for each in ast.walk(function) if isinstance(each, ast.arg)}
    for node in ast.walk(function):
        if isinstance(node, ast.Global):
            found |= set(node.names)
        elif isinstance(node, ast.Attribute | ast.Subscript) and isinstance(
            node.ctx, ast.Store | ast.Del
        ):
            root: ast.AST = node
            while isinstance(root, ast.Attribute | ast.Subscript):
                root = root.value
            if isinstance(root, ast.Name) and root.id in (shared | classes) - local:
                found.add(root.id)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            owner = node.func.value
            is_change = node.func.attr in _CHANGES and isinstance(owner, ast.Name)
            if is_change and isinstance(owner, ast.Name) and owner.id in shared - local:
                found.add(owner.id)
    return found
