"""Which callables a repository spends its time in, profiled inside the sandbox.

The suite is one thing to profile; `profiled` and `read_profile` serve others as well.

What comes back is the claim of code that nobody trusts: good enough to choose what to look at
first, and checked for shape. Every run also profiles two planted functions, of which the slow one
must come out slower.
"""

from collections.abc import Mapping
from typing import Any, TypeGuard

from reverie.errors import InstrumentUnproven
from reverie.index.candidates import functions_of
from reverie.instruments.own_suite import suite_request
from reverie.model.analysis_sections import CandidatesSection
from reverie.model.code import CodeIndex, Function, Module
from reverie.model.execution import Execution
from reverie.model.profile import HotCallable, Profile
from reverie.sandbox.engine import Sandbox

_MOST_SECONDS = 1e6
_PLANTED = """
import cProfile, sys


def planted_slow():
    return sum(number * number for number in range(60_000))


def planted_quick():
    return 1


def profile_rows(profiler, root):
    profiler.create_stats()
    rows, planted, seconds = [], {}, 0.0
    for (file, line, name), (_, calls, own, total, _) in profiler.stats.items():
        seconds += own
        if file.startswith(root + "/"):
            rows.append([file[len(root) + 1:], line, name, calls, own, total])
        elif name.startswith("planted_"):
            planted[name] = total
    return {"rows": rows, "planted": planted, "seconds": seconds}

"""
_SUITE = """
import pytest
code = int(pytest.main(list(arguments)))
if code == usage_error:
    code = int(pytest.main([*arguments, "-o", "addopts="]))
"""


def planted_source() -> str:
    """What is planted beside everything that is profiled, and how a profile is written down."""
    return _PLANTED


def profiled(work: str) -> str:
    """A script that runs statements under a profiler."""
    return f"""{_PLANTED}
sys.path[:0] = paths
sys.dont_write_bytecode = True
profiler = cProfile.Profile()
profiler.enable()
planted_slow()
planted_quick()
{work}
profiler.disable()
_result = profile_rows(profiler, root)
"""


def profile_suite(
    sandbox: Sandbox, index: CodeIndex, section: CandidatesSection, python: str | None = None
) -> Profile:
    """Run the suite under a profiler; the functions of the repository, hottest first."""
    request = suite_request(profiled(_SUITE), sandbox.tier, index, section, python)
    return profile_of(sandbox.run(request), index)


def profile_of(execution: Execution, index: CodeIndex) -> Profile:
    """The profile that a script of `profiled` came to."""
    if not execution.succeeded:
        told = execution.error.message if execution.error else "it ended before its end"
        return Profile((), 0.0, f"{execution.outcome}: {told}")
    return read_profile(execution.output, index)


def read_profile(answer: Any, index: CodeIndex) -> Profile:
    """A profile as it was written down inside, checked for shape and for what was planted."""
    if not isinstance(answer, Mapping):
        return Profile((), 0.0, "the profile is not what a profiler gives")
    _check_planted(answer.get("planted"))
    rows, seconds = answer.get("rows"), answer.get("seconds")
    if not isinstance(rows, list) or not _is_time(seconds) or not all(map(_is_row, rows)):
        return Profile((), 0.0, "the profile is not what a profiler gives")
    modules = {each.path: each for each in index.modules if not each.is_test}
    return Profile(_hottest(modules, rows), float(seconds))


def _hottest(modules: Mapping[str, Module], rows: list[Any]) -> tuple[HotCallable, ...]:
    """Rows as callables of the index; what runs inside of one, a comprehension say, is its own."""
    found: dict[tuple[str, str], HotCallable] = {}
    for path, line, name, calls, own, total in rows:
        function = _around(modules.get(path), line)
        if function is None:
            continue
        key = path, function.qualname
        before = found.get(key, HotCallable(*key, 0, 0.0, 0.0))
        is_it = name == function.name
        found[key] = HotCallable(
            *key,
            before.calls + (calls if is_it else 0),
            before.own_seconds + own,
            before.total_seconds + (total if is_it else 0.0),
        )
    return tuple(sorted(found.values(), key=lambda e: (-e.own_seconds, e.path, e.qualname)))


def _around(module: Module | None, line: int) -> Function | None:
    """The function of a module, outside of all others, that a line belongs to."""
    functions = () if module is None else functions_of(module)
    for each in functions:
        if not each.is_nested and each.line <= line <= each.end_line:
            return each
    return None


def _check_planted(planted: Any) -> None:
    slow = planted.get("planted_slow") if isinstance(planted, Mapping) else None
    quick = planted.get("planted_quick") if isinstance(planted, Mapping) else None
    if not _is_time(slow) or not _is_time(quick) or not slow > quick:
        raise InstrumentUnproven("profile", f"of what was planted it saw {planted}")


def _is_time(value: Any) -> TypeGuard[float]:
    return isinstance(value, int | float) and 0 <= value <= _MOST_SECONDS


def _is_row(row: Any) -> bool:
    match row:
        case [str(), int(), str(), int(calls), own, total]:
            return calls >= 0 and _is_time(own) and _is_time(total)
    return False
