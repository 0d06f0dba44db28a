"""Do the new tests leave the code under test, and whoever judges them, alone?

Stand-ins that take the place of the very function that a test asserts about are found too.
"""

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from reverie.gates.gate import Matter, nothing_to_judge, ruled
from reverie.gates.paths import is_test_module
from reverie.gates.python import origin_of
from reverie.gates.suite.files_of_tests import TestFile, is_production, production_names, test_files
from reverie.gates.suite.places import is_fixture
from reverie.model.ruling import Answer, Ruling
from reverie.syntax.nodes import Function, dotted, functions
from reverie.syntax.unparsing import unparse

_PATCHES = ("patch", "patch.object", "patch.multiple", "setattr", "patch.dict", "spy")


def mocked_subjects(file: TestFile, own: frozenset[str], matter: Matter) -> Iterator[ast.AST]:
    """Patches of production functions that the patching test itself calls by their name."""
    shared = set()
    for _, function in functions(file.parsed.tree):
        if not function.name.startswith("test"):
            shared |= {name for name, _ in patched_names(function, file, own, matter)}
    for function in file.tests().values():
        called = _called_names(function)
        for name, node in patched_names(function, file, own, matter):
            if name in called:
                yield node
        if any(name in called for name in shared):
            yield function


def patched_names(
    function: Function, file: TestFile, own: frozenset[str], matter: Matter
) -> Iterator[tuple[str, ast.AST]]:
    """The last part of each name of production code that is replaced, and where."""
    for node in ast.walk(function):
        if not isinstance(node, ast.Call) or not unparse(node.func).endswith(_PATCHES):
            continue
        if any(each.arg == "wraps" for each in node.keywords) or not node.args:
            continue
        first = node.args[0]
        if isinstance(first, ast.Constant) and isinstance(first.value, str):
            if is_production(first.value, matter):
                yield first.value.rpartition(".")[2], node
        elif len(node.args) > 1 and isinstance(node.args[1], ast.Constant):
            root = origin_of(first, file.names)
            head = unparse(first).partition(".")[0].partition("(")[0]
            if head in own or is_production(root, matter) or head not in file.names:
                yield str(node.args[1].value), node


def _called_names(function: Function) -> frozenset[str]:
    """Last parts of the names that a test calls itself, not through a mock's own methods."""
    found = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Call):
            target = node.func
            found.add(
                target.attr if isinstance(target, ast.Attribute) else getattr(target, "id", "")
            )
    return frozenset(found)


_JUDGES = frozenset({"_pytest", "reverie", "reverie_pytest", "pluggy", "coverage", "ctypes"})
_REACHING = (
    "sys.settrace", "sys.setprofile", "sys.monitoring", "sys._getframe", "sys._current_frames",
    "os._exit", "os.kill", "os.abort", "os.fork", "os.exec", "sys.exit", "atexit.register",
    "gc.get_objects", "gc.get_referrers", "inspect.stack", "inspect.currentframe", "signal.",
    "threading.settrace", "threading.setprofile", "sys.meta_path", "sys.path_hooks", "os.write",
    "sys.excepthook", "sys.unraisablehook", "sys.addaudithook", "sys.breakpointhook",
)  # fmt: skip
_TELLTALES = frozenset(
    {"PYTEST_CURRENT_TEST", "PYTEST_SEED", "FREEZE_TIME", "PYTHONHASHSEED", "PYTEST_XDIST_WORKER",
     "GITHUB_ACTIONS", "ALLOW_NET", "PYTEST_ADDOPTS", "COVERAGE_RUN", "COV_CORE_SOURCE"}
)  # fmt: skip
_DYNAMIC = frozenset({"exec", "eval", "compile", "globals", "__import__"})
_READING = (".get", ".keys", ".copy", ".values", ".items")
_UPDATES = ("update", "__setitem__", "setdefault", "__setattr__")
_NOT_TO_WRITE = ("sys.modules", "builtins", "__builtins__")
_INNER_PARTS = ("__code__", "__defaults__", "__class__", "__globals__", "__kwdefaults__")
_REASONS = {
    "replaces_production": "it puts something else in the place of the code under test",
    "mocks_subject": "what it asserts about is its own stand-in, not the code under test",
    "report_hook": "hooks of pytest decide what is reported, and how",
    "plugin_added": "a plugin is loaded into the run that judges",
    "reaches_judge": "it reaches for what runs, watches or ends the tests",
    "detects_judge": "it asks whether it is being judged",
    "dynamic_code": "it runs code that is not there to be read",
    "edits_production": "it looks for the files of the code under test",
    "replaces_fixture": "a fixture takes the name of one that tests rely on",
    "shadows_module": "a file of the tests takes the name of another module",
}


@dataclass(frozen=True, slots=True)
class HonestyGate:
    """Refuses tests that replace what they test, or reach for the judge."""

    name: str = "honesty"

    def judge(self, matter: Matter) -> tuple[Ruling, ...]:
        """One ruling for each place that does."""
        if not matter.change.edits:
            return nothing_to_judge(self.name)
        said = "the tests leave the code under test and the judge alone"
        return ruled(self.name, self._objections(matter), said)

    def _objections(self, matter: Matter) -> Iterator[Ruling]:
        for file in test_files(matter):
            before: Counter[tuple[str, str]] = Counter()
            if file.before is not None:
                old = TestFile(file.edit, file.before, file.names, None)
                before.update((code, ast.dump(node)) for code, node in _dishonest(old, matter))
            for code, node in _dishonest(file, matter):
                before[code, ast.dump(node)] -= 1
                if before[code, ast.dump(node)] < 0:
                    place = file.parsed.place(node)
                    yield Ruling(self.name, Answer.FAIL, code, _REASONS[code], place)


def _dishonest(file: TestFile, matter: Matter) -> Iterator[tuple[str, ast.AST]]:
    tree = file.parsed.tree
    own = production_names(file.names, matter)
    if file.edit.before is None and _takes_a_name(file.edit.path, matter):
        yield "shadows_module", tree
    for node in ast.walk(tree):
        for code in _of_node(node, file, own, matter):
            yield code, node
    for node in mocked_subjects(file, own, matter):
        yield "mocks_subject", node


def _of_node(node: ast.AST, file: TestFile, own: frozenset[str], matter: Matter) -> Iterator[str]:
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            if name.startswith("pytest_"):
                yield "report_hook"
            elif isinstance(node, ast.FunctionDef) and is_fixture(node):
                yield from _fixture(node, file, own, matter)
        case ast.Import(names=aliases):
            if any(alias.name.partition(".")[0] in _JUDGES for alias in aliases):
                yield "reaches_judge"
        case ast.ImportFrom(module=module):
            if (module or "").partition(".")[0] in _JUDGES:
                yield "reaches_judge"
        case ast.Assign(targets=targets) | ast.Delete(targets=targets):
            yield from _written(targets, file, own, matter)
        case ast.AugAssign(target=target) | ast.AnnAssign(target=target):
            yield from _written([target], file, own, matter)
        case ast.Call():
            yield from _called(node, file, own)
        case ast.Attribute() if origin_of(node, file.names).startswith(_REACHING):
            yield "reaches_judge"
        case ast.Constant(value=str(text)):
            if text in _TELLTALES or "reverie" in text.lower().split("_")[0:1]:
                yield "detects_judge"


def _fixture(
    node: ast.FunctionDef, file: TestFile, own: frozenset[str], matter: Matter
) -> Iterator[str]:
    """One that tests get without asking may replace nothing; nor may one take another's name."""
    is_shared = file.edit.path.endswith("conftest.py")
    if is_shared and node.name in matter.surroundings.fixtures:
        yield "replaces_fixture"
    is_automatic = any("autouse" in unparse(each) for each in node.decorator_list)
    if is_automatic and any(True for _ in patched_names(node, file, own, matter)):
        yield "replaces_production"


def _written(
    targets: list[ast.expr], file: TestFile, own: frozenset[str], matter: Matter
) -> Iterator[str]:
    for target in targets:
        owner = target.value if isinstance(target, ast.Subscript) else target
        origin = origin_of(owner, file.names)
        if origin == "pytest_plugins":
            yield "plugin_added"
        elif origin.startswith(_NOT_TO_WRITE) or _is_foreign(target, file, own, matter):
            yield "replaces_production"


def _is_foreign(target: ast.expr, file: TestFile, own: frozenset[str], matter: Matter) -> bool:
    """Whether a target is part of something imported, or of what a function is made of."""
    if isinstance(target, ast.Attribute) and target.attr in _INNER_PARTS:
        return True
    root = target
    while isinstance(root, ast.Attribute | ast.Subscript):
        root = root.value
    if root is target or not isinstance(root, ast.Name):
        return False
    return root.id in own or _is_library(root.id, file, matter)


def _is_library(name: str, file: TestFile, matter: Matter) -> bool:
    """Whether a name stands for an imported module or something of one: not for tests to change."""
    origin = file.names.get(name, "")
    return bool(origin) and not is_production(origin, matter) and origin.partition(".")[0] in (
        "random", "time", "datetime", "pytest", "unittest", "operator", "math", "json", "os", "sys",
        "collections", "functools",
    )  # fmt: skip


def _called(node: ast.Call, file: TestFile, own: frozenset[str]) -> Iterator[str]:
    name = origin_of(node.func, file.names)
    first = node.args[0] if node.args else None
    is_set = name in ("setattr", "delattr") and first is not None and _rests_on(first, own)
    is_module_change = name.startswith("sys.modules.") and not name.endswith(_READING)
    if is_set or is_module_change or _updates(node, own):
        yield "replaces_production"
    elif name in _DYNAMIC:
        yield "dynamic_code"
    for each in ast.walk(node):
        if (
            isinstance(each, ast.Attribute)
            and each.attr == "__file__"
            and _rests_on(each.value, own)
        ):
            yield "edits_production"
            return


def _updates(node: ast.Call, own: frozenset[str]) -> bool:
    """`vars(module).update(…)` and its like."""
    if not isinstance(node.func, ast.Attribute) or node.func.attr not in _UPDATES:
        return False
    owner = node.func.value
    if isinstance(owner, ast.Call):
        return dotted(owner.func) in ("vars", "globals")
    return "__dict__" in unparse(owner) or dotted(owner) in own


def _rests_on(node: ast.expr, own: frozenset[str]) -> bool:
    """Whether an expression starts at an imported name of production code."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return isinstance(node, ast.Name) and node.id in own


def _takes_a_name(path: str, matter: Matter) -> bool:
    parts = path.removesuffix(".py").split("/")
    stem = parts[-2] if parts[-1] == "__init__" and len(parts) > 1 else parts[-1]
    known = matter.surroundings.packages | matter.surroundings.modules
    if parts[-1] == "__init__" and stem in matter.section.test_roots:
        return False
    return stem in known and stem != "conftest" and not is_test_module(path)
