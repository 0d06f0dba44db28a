"""Do the new tests look at what code does, and at nothing else?

What a test may reach is a list of what is allowed, by origin. It stands on the table of purity
(`gates.effects.table`): what is pure there is pure here. Beyond it a test may use the libraries of
tests, threads, clocks and chance (`chance` looks at those), and whatever the tests of its
repository already use.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from reverie.gates.effects.table import (
    Effect,
    EffectKind,
    effect_of,
    effect_of_attribute,
    is_known_module,
)
from reverie.gates.effects.units import read_units
from reverie.gates.effects.walk import MADE
from reverie.gates.gate import Matter, nothing_to_judge, ruled
from reverie.gates.paths import module_of
from reverie.gates.python import Parsed, imported_names, origin_of
from reverie.gates.suite.files_of_tests import (
    TEST_LIBRARIES,
    TestFile,
    is_production,
    parametrised,
    test_files,
)
from reverie.gates.suite.places import Places
from reverie.model.ruling import Answer, Ruling
from reverie.syntax.nodes import dotted

_KINDS = frozenset(
    {EffectKind.TIME, EffectKind.CHANCE, EffectKind.THREADS, EffectKind.OUTPUT, EffectKind.STATE}
)
"""Kinds that say nothing about who is looking."""
_MODULES = frozenset({"warnings", "weakref", "decimal", "csv", "codecs", "calendar", "zoneinfo"})
_NAMES = {
    "pytest": "raises approx fixture mark param warns fail skip xfail deprecated_call"
    " MonkeyPatch CaptureFixture LogCaptureFixture FixtureRequest ExceptionInfo TempPathFactory"
    " RaisesGroup RaisesExc WarningsRecorder",
    "unittest": "TestCase IsolatedAsyncioTestCase mock skip skipIf skipUnless expectedFailure"
    " SkipTest case async_case",
    "inspect": "signature Signature Parameter BoundArguments iscoroutinefunction isclass isfunction"
    " isasyncgenfunction isgeneratorfunction isgenerator iscoroutine isawaitable ismethod"
    " isabstract isbuiltin isasyncgen getdoc cleandoc",
    "sys": "getrecursionlimit version_info get_int_max_str_digits set_int_max_str_digits",
    "gc": "collect",
    "logging": "getLogger DEBUG INFO WARNING WARN ERROR CRITICAL FATAL NOTSET Logger Handler"
    " StreamHandler NullHandler Formatter Filter LoggerAdapter basicConfig disable getLevelName"
    " captureWarnings debug info warning error critical exception log root shutdown",
    "re": "purge",
    "timeit": "default_timer",
    "pickle": "dumps HIGHEST_PROTOCOL PicklingError UnpicklingError",
}
_PLAIN = frozenset(
    {"id", "dir", "vars", "RecursionError", "MemoryError", "__name__", "except RuntimeError",
     "an assert that binds a name", "__del__, when the garbage collector likes", ".__dict__",
     ".__wrapped__", ".__cause__", ".__context__", ".__suppress_context__", ".__annotations__",
     ".__module__", ".__doc__", ".strftime"}
)  # fmt: skip
_AWAY = frozenset({EffectKind.INTERPRETER, EffectKind.MACHINE, EffectKind.ENVIRONMENT})
_NO_DATA = ("/proc", "/sys", "/dev")
"""Paths that are of no use as mere text."""
_ALLOWED = {module: frozenset(names.split()) for module, names in _NAMES.items()}


def is_allowed(effect: Effect, known: frozenset[Effect], libraries: frozenset[str]) -> bool:
    """Whether any test may have an effect, given what the repository's tests have and import."""
    origin = effect.origin
    top, _, rest = origin.partition(".")
    if origin in _PLAIN or effect in known:
        return True
    if effect.kind is EffectKind.MACHINE and origin.startswith("/"):
        return not origin.startswith(_NO_DATA)
    if _leads_away(origin):
        return False
    if top in _ALLOWED:
        return rest.partition(".")[0] in _ALLOWED[top]
    if effect.kind in _KINDS:
        return True
    if effect.kind is EffectKind.UNKNOWN:
        return top in libraries | TEST_LIBRARIES or origin.endswith(" as a value")
    return top in _MODULES


def _leads_away(origin: str) -> bool:
    """Whether a chain of names leads from one module to another, or to what is its own affair."""
    top, *rest = origin.split(".")
    told = (effect_of_attribute(part) for part in rest)
    return (
        bool(top)
        and not origin.endswith(" as a value")
        and (
            any(part.startswith("_") or is_known_module(part) for part in rest if part != top)
            or any(each is not None and each.kind in _AWAY for each in told)
        )
    )


def is_module(effect: Effect) -> bool:
    """Whether it is a whole module as a value, as what replaces a part of it needs."""
    return is_known_module(effect.origin) or effect.origin == "os.environ"


_CODES = {
    EffectKind.FILES: "outside_files",
    EffectKind.NETWORK: "reaches_network",
    EffectKind.CODE: "reaches_code",
    EffectKind.INTERPRETER: "reaches_code",
    EffectKind.IMPORTS: "reaches_code",
    EffectKind.UNKNOWN: "unknown_reach",
}
_REASONS = {
    "outside_files": "it uses files outside of a temporary folder",
    "reaches_network": "it reaches for the network",
    "reaches_code": "it looks at how code is made or run, not at what it does",
    "reaches_machine": "it looks at the machine, the user or the environment",
    "unknown_reach": "it uses what nobody knows the reach of",
}
_OF_REQUEST = frozenset({"param", "addfinalizer", "getfixturevalue", "instance", "cls"})
_OF_ERRORS = frozenset({"tb", "traceback", "syspath_prepend", "_excinfo"})
_OF_THE_RUN = frozenset({"pytestconfig", "pytester", "testdir", "cache", "record_property"})
_TESTS_OF_CODE = ("skipif", "xfail")
_LOOKUPS = ("get", "pop", "setdefault", "__getitem__")


@dataclass(frozen=True, slots=True)
class TestReachGate:
    """Refuses tests that reach code objects, source, imports, files, network or the machine."""

    __test__ = False

    name: str = "test_reach"

    def judge(self, matter: Matter) -> tuple[Ruling, ...]:
        """One ruling for each thing that is reached, where it is first."""
        if not matter.change.edits:
            return nothing_to_judge(self.name)
        said = "the tests look only at what the code does"
        return ruled(self.name, self._objections(matter), said)

    def _objections(self, matter: Matter) -> Iterator[Ruling]:
        for file in test_files(matter):
            own = _own_names(file.names, matter)
            known = frozenset() if file.before is None else effects_of(file.before, own)
            told: set[Effect] = set()
            for effect, line in sorted(
                _reached(file, matter, known, own), key=lambda each: each[1]
            ):
                if effect not in told:
                    told.add(effect)
                    code = _CODES.get(effect.kind, "reaches_machine")
                    answer = Answer.HOLD if code == "unknown_reach" else Answer.FAIL
                    said = f"{_REASONS[code]}: {effect.origin}"
                    yield Ruling(self.name, answer, code, said, f"{file.parsed.path}:{line}")


def effects_of(parsed: Parsed, packages: frozenset[str]) -> frozenset[Effect]:
    """All that a file of tests reaches, allowed or not; `packages` are the code under test."""
    names = imported_names(parsed.tree)
    files = (Effect(EffectKind.FILES, o) for _, o in Places(parsed.tree, names, packages).outside())
    return frozenset(effect for effect, _, _ in _looks(parsed, packages)).union(files)


def _own_names(names: dict[str, str], matter: Matter) -> frozenset[str]:
    own = {each.partition(".")[0] for each in names.values() if is_production(each, matter)}
    return frozenset(own) | matter.surroundings.packages


def _reached(
    file: TestFile, matter: Matter, before: frozenset[Effect], own: frozenset[str]
) -> Iterator[tuple[Effect, int]]:
    around = matter.surroundings
    known = around.test_effects | before
    places = Places(file.parsed.tree, file.names, own)
    variables = _lines_of_variables(file, places)
    for effect, line, is_import in _looks(file.parsed, own):
        if is_import and effect.kind is not EffectKind.UNKNOWN:
            continue  # having a module at hand is nothing; what is used of it is looked at
        if effect.kind is EffectKind.FILES or is_allowed(effect, known, around.libraries):
            continue
        if line in places.replaced_lines and is_module(effect):
            continue
        if line in variables and effect.kind is EffectKind.ENVIRONMENT:
            continue
        if effect.origin == MADE and _is_parametrised(file, line):
            continue
        if effect.origin == "pickle.loads" and _is_round_trip(file, line):
            continue
        yield effect, line
    for effect, line in _through_production(file, matter, own):
        is_replaced = line in places.replaced_lines and effect.origin.count(".") == 1
        if not is_replaced and not is_allowed(effect, known, around.libraries):
            yield effect, line
    for node, origin in places.outside():
        effect = Effect(EffectKind.FILES, origin)
        if effect not in known:
            yield effect, node.lineno
    for effect, line in _of_pytest(file):
        if effect not in known:
            yield effect, line


def _looks(parsed: Parsed, packages: frozenset[str]) -> Iterator[tuple[Effect, int, bool]]:
    reading = read_units(parsed.tree, module_of(parsed.path), packages)
    for unit in reading.units.values():
        for look in unit.looks:
            yield look.effect, look.line, look.is_import
    for origin in imported_names(parsed.tree).values():
        if origin.endswith(".*") and origin.partition(".")[0] not in packages:
            yield Effect(EffectKind.UNKNOWN, origin), 1, False
    for node in ast.walk(parsed.tree):
        for text in _looked_up(node):
            found = effect_of_attribute(text)
            if found is not None and text.startswith("__"):
                yield found, getattr(node, "lineno", 1), False
            elif is_known_module(text) and _is_getattr(node):
                yield Effect(EffectKind.IMPORTS, text), getattr(node, "lineno", 1), False


def _looked_up(node: ast.AST) -> Iterator[str]:
    """Texts under which something is looked up: the names of a module are keys as well."""
    match node:
        case ast.Subscript(slice=ast.Constant(value=str(text))):
            yield text
        case ast.Call(func=ast.Attribute(attr=name), args=[ast.Constant(value=str(text)), *_]):
            if name in _LOOKUPS or name.endswith("attr"):
                yield from text.split(".")
        case ast.Call(args=[_, ast.Constant(value=str(text)), *_]) if _is_getattr(node):
            yield text


def _is_getattr(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and dotted(node.func) == "getattr"


def _through_production(
    file: TestFile, matter: Matter, own: frozenset[str]
) -> Iterator[tuple[Effect, int]]:
    """Code objects of the code under test, and the modules of Python that it has at hand."""
    origins = [
        (origin_of(node, file.names), node.lineno)
        for node in ast.walk(file.parsed.tree)
        if isinstance(node, ast.Attribute) and dotted(node).partition(".")[0] in file.names
    ]
    for origin, line in origins:
        found = _behind(origin.split("."), matter) if origin.partition(".")[0] in own else None
        if found is not None and found.kind is not EffectKind.UNKNOWN:
            yield found, line


def _behind(parts: list[str], matter: Matter) -> Effect | None:
    """What a name of the code under test leads to, if not to code under test."""
    found = effect_of_attribute(parts[-1])
    if found is not None:
        return found
    sources = matter.surroundings.sources
    known = [end for end in range(2, len(parts)) if ".".join(parts[:end]) in sources]
    return effect_of(".".join([parts[0], *parts[max(known, default=1) :]]))


def _is_round_trip(file: TestFile, line: int) -> bool:
    """Whether all that is unpickled on a line is what the file has pickled."""
    made = {
        target.id
        for node in ast.walk(file.parsed.tree)
        if isinstance(node, ast.Assign) and _calls(node.value, file, "pickle.dumps")
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    return all(
        bool(node.args)
        and (
            getattr(node.args[0], "id", None) in made or _calls(node.args[0], file, "pickle.dumps")
        )
        for node in ast.walk(file.parsed.tree)
        if isinstance(node, ast.Call) and node.lineno == line
        if origin_of(node.func, file.names) == "pickle.loads"
    )


def _calls(node: ast.AST, file: TestFile, origin: str) -> bool:
    return isinstance(node, ast.Call) and origin_of(node.func, file.names) == origin


def _lines_of_variables(file: TestFile, places: Places) -> frozenset[int]:
    """Lines that read an environment variable which the file itself sets."""
    found = set()
    for node in ast.walk(file.parsed.tree):
        match node:
            case ast.Subscript(value=owner, slice=ast.Constant(value=str(text))):
                pass
            case ast.Call(func=owner, args=[ast.Constant(value=str(text)), *_]):
                pass
            case _:
                continue
        is_environment = origin_of(owner, file.names).startswith(("os.environ", "os.getenv"))
        if is_environment and text in places.variables:
            found.add(owner.lineno)
    return frozenset(found)


def _is_parametrised(file: TestFile, line: int) -> bool:
    """Whether a name that is looked up is one of the texts of a table in the file."""
    for function in file.tests().values():
        values = parametrised(function)
        for node in ast.walk(function):
            if isinstance(node, ast.Call) and node.lineno == line and len(node.args) > 1:
                given = node.args[1]
                table = values.get(given.id) if isinstance(given, ast.Name) else None
                if table is not None:
                    return all(
                        effect_of_attribute(each.value) is None
                        for each in ast.walk(table)
                        if isinstance(each, ast.Constant) and isinstance(each.value, str)
                    ) and not any(
                        isinstance(each, ast.BinOp | ast.JoinedStr | ast.Call)
                        and not dotted(getattr(each, "func", None)).endswith("param")
                        for each in ast.walk(table)
                    )
    return False


def _of_pytest(file: TestFile) -> Iterator[tuple[Effect, int]]:
    """What fixtures and marks of pytest reach that no import shows."""
    for node in ast.walk(file.parsed.tree):
        match node:
            case ast.Attribute(value=ast.Name(id="request"), attr=name):
                if name not in _OF_REQUEST:
                    yield Effect(EffectKind.INTERPRETER, f"request.{name}"), node.lineno
            case ast.Attribute(attr=name) if name in _OF_ERRORS:
                yield Effect(EffectKind.INTERPRETER, f".{name}"), node.lineno
            case ast.arg(arg=name) if name in _OF_THE_RUN:
                yield Effect(EffectKind.INTERPRETER, name), node.lineno
            case ast.Call(func=called, args=[first, *_]) if dotted(called).endswith(_TESTS_OF_CODE):
                if isinstance(first, ast.Constant | ast.JoinedStr | ast.BinOp) and not isinstance(
                    getattr(first, "value", ""), bool
                ):
                    yield Effect(EffectKind.CODE, f"{dotted(called)} of a text"), node.lineno
