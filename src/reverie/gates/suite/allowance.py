"""What a test may reach besides the code under test: a list of what is allowed, by origin.

It stands on the table of purity (`gates.effects.table`): what is pure there is pure here. Beyond
it a test may use the libraries of tests, threads, clocks and chance (`chance` looks at those), and
whatever the tests of its repository already use.
"""

from reverie.gates.effects.table import Effect, EffectKind, effect_of_attribute, is_known_module
from reverie.gates.suite.reading import TEST_LIBRARIES

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
