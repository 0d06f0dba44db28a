"""Functions tried in the sandbox: on examples, on probes for laws, and as mutants.

All files of this folder are joined into one source for the sandbox: their names share one space.
"""

import copy
import itertools
import json
import os
import signal
import sys
import tempfile
from typing import Any


def _same(one: Any, two: Any) -> bool:
    """Equal with their types, all the way down; the order of keys counts as well."""
    if isinstance(one, tuple):
        one = list(one)
    if type(one) is not type(two):
        return False
    if isinstance(one, list):
        return len(one) == len(two) and all(map(_same, one, two))
    if isinstance(one, dict):
        return list(one) == list(two) and all(_same(one[key], two[key]) for key in one)
    return bool(one == two)


def _key(value: Any) -> str:
    """A text that is equal for equal values of equal types; raises when JSON cannot hold it."""
    return json.dumps(_shown(value))


def _shown(value: Any) -> Any:
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    if isinstance(value, int | float):
        return [type(value).__name__, repr(value)]
    if isinstance(value, list | tuple):
        return [type(value).__name__, [_shown(each) for each in value]]
    if isinstance(value, dict):
        return ["dict", [[_shown(key), _shown(each)] for key, each in value.items()]]
    if isinstance(value, set | frozenset):
        return ["set", sorted(json.dumps(_shown(each)) for each in value)]
    raise TypeError(type(value).__name__)


def _fresh(args: "list[Any]") -> "list[Any]":
    return copy.deepcopy(args)


_CALL_SECONDS = 0.2
_BODY_SECONDS = 2.0
_MOST_ARGUMENTS = 4


class _TooLong(BaseException):
    """What is not made for these values may take for ever."""


def _stop(number: int, frame: Any) -> None:
    raise _TooLong


def _called(function: Any, args: "list[Any]", seconds: float = _CALL_SECONDS) -> Any:
    """What a function gives; `_TooLong` when it does not come back in time."""
    signal.signal(signal.SIGALRM, _stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        return function(*args)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _try_recipes(
    modules: "dict[str, str]", recipes: "list[list[Any]]", examples: "list[dict[str, Any]]"
) -> "list[dict[str, Any]]":
    """The recipes that give every example's result, with the order of arguments that does.

    A recipe is its module, its name, and how many arguments it takes.
    """
    spaces: dict[str, dict[str, Any]] = {}
    for name, source in modules.items():
        spaces[name] = {"__name__": name}
        exec(source, spaces[name])  # noqa: S102  inside the sandbox
    arity = len(examples[0]["args"])
    found = []
    for number, (module, name, takes) in enumerate(recipes):
        if arity != takes or arity > _MOST_ARGUMENTS:
            continue
        for order in itertools.permutations(range(arity)):
            if all(_gives(spaces[module][name], order, each) for each in examples):
                found.append({"number": number, "order": list(order)})
                break
    return found


def _gives(function: Any, order: "tuple[int, ...]", example: "dict[str, Any]") -> bool:
    args = _fresh(example["args"])
    try:
        result = _called(function, [args[at] for at in order])
    except (Exception, _TooLong):  # noqa: BLE001  this recipe is for something else
        return False
    return _same(result, example["result"])


def _try_source(source: str, name: str, examples: "list[dict[str, Any]]") -> "str | None":
    """What is wrong with a function by the examples; None when it gives every result."""
    space: dict[str, Any] = {"__name__": "made"}
    exec(source, space)  # noqa: S102  inside the sandbox
    for each in examples:
        try:
            result = _called(space[name], _fresh(each["args"]), _BODY_SECONDS)
        except Exception as error:  # noqa: BLE001  told as what is wrong
            return f"{each['args']!r:.80} raises {type(error).__name__}"
        except _TooLong:
            return f"{each['args']!r:.80} takes longer than {_BODY_SECONDS} s"
        if not _same(result, each["result"]):
            return f"{each['args']!r:.80} gives {result!r:.80}, not {each['result']!r:.80}"
    return None


_LEAST_CALLS = 5
_LEAST_TELLING = 3
_NOT_MEANT = (TypeError, AttributeError, RecursionError, MemoryError)


def _observe(
    source: str, name: str, calls: "list[list[Any]]", laws: "list[list[str]]"
) -> "dict[str, Any]":
    """The outcome of each call (None: nothing to hold on to), and the numbers of the laws kept.

    A law is two expressions of `function` and `args`: what always holds, and when that tells
    anything.
    """
    space: dict[str, Any] = {"__name__": "made"}
    exec(source, space)  # noqa: S102  inside the sandbox
    outcomes = [_outcome(space[name], args) for args in calls]
    good = [args for args, each in zip(calls, outcomes, strict=True) if each and "result" in each]
    kept = [
        number
        for number, (law, telling) in enumerate(laws)
        if _keeps(space[name], law, telling, good)
    ]
    return {"outcomes": outcomes, "laws": kept}


def _outcome(function: Any, args: "list[Any]") -> "dict[str, Any] | None":
    given = _fresh(args)
    try:
        result = _called(function, given)
        again = _called(function, _fresh(args))
        if _key(result) != _key(again):
            return None
        kind = type(result).__name__
        return {"result": result, "type": kind, "spares": _key(given) == _key(args)}
    except _NOT_MEANT:
        return None
    except Exception as error:  # noqa: BLE001  what it raises is what is looked for
        return {"raises": type(error).__name__}
    except _TooLong:
        return None


def _keeps(function: Any, law: str, telling: str, calls: "list[list[Any]]") -> bool:
    """Whether a law holds for every call, and tells something for enough of them."""
    told = 0
    for args in calls:
        try:
            if not _called(_judged, [law, function, args]):
                return False
            told += bool(_called(_judged, [telling, function, args]))
        except (Exception, _TooLong):  # noqa: BLE001  then it is no law of this function
            return False
    return len(calls) >= _LEAST_CALLS and told >= _LEAST_TELLING


def _judged(expression: str, function: Any, args: "list[Any]") -> Any:
    space = {"function": lambda *given: function(*_fresh(list(given))), "args": _fresh(args)}
    return eval(expression, space)


def _behaviours(functions: "list[list[str]]", calls: "list[list[Any]]") -> "list[list[str | None]]":
    """What each function (source and name) gives for each call; None where it gives nothing."""
    answers = []
    for source, name in functions:
        space: dict[str, Any] = {"__name__": "made"}
        exec(source, space)  # noqa: S102  inside the sandbox
        answers.append([_told(space[name], args) for args in calls])
    return answers


def _told(function: Any, args: "list[Any]") -> "str | None":
    try:
        return _key(_called(function, _fresh(args)))
    except (Exception, _TooLong):  # noqa: BLE001  nothing to compare
        return None


def _notice(
    mutants: "list[str]", name: str, seen: "list[dict[str, Any]]", with_types: bool
) -> "list[list[int]]":
    """For each mutant, the numbers of the calls whose outcome is another than was seen."""
    noticed = []
    for source in mutants:
        space: dict[str, Any] = {"__name__": "made"}
        try:
            exec(compile(source, "<mutant>", "exec"), space)  # noqa: S102  inside the sandbox
            function = space[name]
        except Exception:  # noqa: BLE001  whoever imports it notices
            noticed.append(list(range(len(seen))))
            continue
        noticed.append(_noticed_by(function, seen, with_types))
    return noticed


def _noticed_by(function: Any, seen: "list[dict[str, Any]]", with_types: bool) -> "list[int]":
    """Up to the first call that does not come back: the others would take as long."""
    found: list[int] = []
    for at, each in enumerate(seen):
        try:
            is_noticed = _is_noticed(function, each, with_types)
        except _TooLong:
            return [*found, at]
        if is_noticed:
            found.append(at)
    return found


def _is_noticed(function: Any, seen: "dict[str, Any]", with_types: bool) -> bool:
    try:
        result = _called(function, _fresh(seen["args"]))
        if seen["raises"] is not None or result != seen["result"]:
            return True
        return with_types and type(result).__name__ != seen["type"]
    except Exception as error:  # noqa: BLE001  another than was seen, or the same
        return seen["raises"] not in {each.__name__ for each in type(error).__mro__}


class _Counting:
    """A plug-in of pytest that counts."""

    def __init__(self) -> None:
        self.passed = 0
        self.failed: list[str] = []

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed:
            self.failed.append(report.nodeid)
        elif report.when == "call" and report.passed:
            self.passed += 1

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed:
            self.failed.append(report.nodeid)


def _run_tests(module: str, source: str, tests: str) -> "dict[str, Any]":
    """How many tests pass, and the names of those that do not."""
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    import pytest

    folder = tempfile.mkdtemp()
    for name, text in ((module, source), (f"test_{module}", tests)):
        with open(os.path.join(folder, f"{name}.py"), "w", encoding="utf-8") as file:
            file.write(text)
    sys.path.insert(0, folder)
    counting = _Counting()
    path = os.path.join(folder, f"test_{module}.py")
    arguments = ["-q", "--assert=plain", "-p", "no:cacheprovider", "--rootdir", folder, path]
    code = pytest.main(arguments, plugins=[counting])
    return {"code": int(code), "passed": counting.passed, "failed": counting.failed}
