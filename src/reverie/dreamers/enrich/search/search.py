"""The search of one module: seeds made here, tries in the sandbox, and what repeats kept."""

import ast
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

from reverie import inputs
from reverie.dreamers.enrich.search.answers import (
    Names,
    imported_names,
    own_names,
    read_arcs,
    read_scenario,
    read_steps,
    worth_replaying,
)
from reverie.dreamers.enrich.search.examples import Example, examples_for, importable_modules
from reverie.dreamers.enrich.search.program import ENTRY, search_program
from reverie.dreamers.enrich.target import Target, told_by, trying_policy, trying_request
from reverie.errors import MachineryError, UsageError
from reverie.model.call import Call as ArgumentCall
from reverie.model.call import Scenario, Step, combine
from reverie.model.codec import pick
from reverie.model.execution import Call, Request
from reverie.sandbox.engine import Sandbox
from reverie.syntax.parsing import parse_module

Progress = Callable[[str, int, int], None]
MODULES = frozenset(
    {"array", "collections", "collections.abc", "copy", "datetime", "decimal", "enum", "fractions",
     "functools", "io", "itertools", "math", "operator", "os", "pathlib", "pickle", "re", "types",
     "uuid", "asyncio", "string", "statistics", "random", "contextlib"}
)  # fmt: skip
PRELOADED = ("ast", "asyncio", "doctest", "inspect", "json", "pickle", "decimal", "fractions",
              "datetime", "uuid", "pathlib", "linecache", "resource", "select")  # fmt: skip
_SPARE_SECONDS = 60.0
_CALLABLES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_MOST_DRAWN = 30
_CALLS_EACH = 3
_CALL_SECONDS = 1.0
_TRIED_SHARE = 0.75
"""Of the time; the rest is for replaying what was found."""
_HASH_SEEDS = (0, 1)
_RESULT_MB = 64
_TOGETHER = 12
MOST_TEXTS = 500
_MOST_SCENARIOS = 400


@dataclass(frozen=True, slots=True)
class Effort:
    """What a search may spend: seconds, or a number of tries, which repeats exactly."""

    seconds: float | None = 20.0
    tries: int | None = None
    seed: int = 0
    workers: int = 2


@dataclass(frozen=True, slots=True)
class Seeds:
    """What there is to begin with: lines, texts, constants, and names that lines may use."""

    examples: tuple[Example, ...]
    texts: tuple[str, ...]
    constants: tuple[Any, ...]
    names: Names


@dataclass(frozen=True, slots=True)
class Findings:
    """What a search came to."""

    scenarios: tuple[Scenario, ...]
    tries: int
    open_ways: tuple[str, ...]
    """Functions of which some way was not taken, once for each way."""
    dropped: int
    """Scenarios that did not repeat."""
    seconds: float
    import_arcs: frozenset[tuple[int, int]] = frozenset()
    """Steps that importing the module takes."""
    seeds: Seeds | None = None
    """What it began with, and the names that its lines use."""


def find_scenarios(
    sandbox: Sandbox, target: Target, effort: Effort, progress: Progress = lambda *_: None
) -> Findings:
    """Scenarios of a module; `UsageError` when it cannot be imported."""
    began = time.monotonic()
    progress("reading", 0, 0)
    seeds = _seeds(target, effort)
    progress("searching", 0, 0)
    spent = time.monotonic() - began
    left = None if effort.seconds is None else max(1.0, effort.seconds * _TRIED_SHARE - spent)
    answers = in_parallel(
        lambda number: _search(sandbox, target, seeds, effort, number, left), effort.workers
    )
    texts: dict[tuple[Step, ...], str] = {}
    names = seeds.names
    for answer in answers:
        absent = frozenset(str(each) for each in as_list(answer.get("absent")))
        names = replace(
            names,
            own=names.own - absent,
            helpers=names.helpers - absent,
            definitions={**names.definitions, **_texts(answer.get("definitions"))},
        )
    claims = [each for answer in answers for each in as_list(answer.get("scenarios"))]
    for claim in worth_replaying(claims, _MOST_SCENARIOS):
        steps = read_steps(claim, names)
        if steps is not None:
            texts.setdefault(steps, str(claim.get("origin"))[:20])
    progress("replaying", 0, len(texts))
    scenarios, import_arcs = replay_steps(sandbox, target, texts, names)
    opens = min((as_list(each.get("open")) for each in answers), key=len, default=[])
    return Findings(
        scenarios=scenarios,
        tries=sum(as_whole(each.get("tries")) for each in answers),
        open_ways=tuple(str(each[0]) for each in opens if isinstance(each, list) and each),
        dropped=len(texts) - len(scenarios),
        seconds=time.monotonic() - began,
        import_arcs=import_arcs,
        seeds=replace(seeds, names=names),
    )


def _seeds(target: Target, effort: Effort) -> Seeds:
    tree = parse_module(target.source)
    examples, texts = examples_for(target)
    literals = inputs.Literals.of(target.source)
    constants = (*literals.texts, *literals.integers, *literals.floats)
    own = own_names(tree)
    modules = MODULES | importable_modules(examples)
    until = float("inf") if effort.seconds is None else time.monotonic() + _CALL_SECONDS
    names = Names(own, imported_names(tree, target.package), modules)
    drawn, definitions = _drawn_calls(target, tree, names, effort.seed, until)
    return Seeds((*examples, *drawn), texts, constants, replace(names, definitions=definitions))


def _drawn_calls(
    target: Target, tree: ast.Module, names: Names, seed: int, until: float
) -> tuple[list[Example], dict[str, str]]:
    """Calls that signatures and types suggest, while there is time."""
    resolver = inputs.folder_resolver(target.import_root)
    found: list[Example] = []
    definitions: dict[str, str] = {}
    defined = [
        each for each in tree.body if isinstance(each, _CALLABLES) and not each.name.startswith("_")
    ]
    for node in defined[:_MOST_DRAWN]:
        if time.monotonic() > until:
            break
        try:
            calls = inputs.generate_calls(
                target.source, node.name, seed=seed, count=_CALLS_EACH, module=target.module,
                resolver=resolver,
            )  # fmt: skip
        except UsageError:
            continue
        found += [
            Example((call.render(node.name),), "search")
            for call in calls
            if _takes_over(definitions, call, names)
        ]
    return found, definitions


def _takes_over(definitions: dict[str, str], call: ArgumentCall, names: Names) -> bool:
    """Take over the stand-ins of a call; False when one name would mean two, or none is known."""
    for text in combine("", call.expressions()).definitions:
        if not names.can_define(text):
            return False
        name = str(getattr(parse_module(text).body[0], "name", ""))
        if definitions.setdefault(name, text) != text:
            return False
    return True


def _search(
    sandbox: Sandbox,
    target: Target,
    seeds: Seeds,
    effort: Effort,
    number: int,
    seconds: float | None,
) -> dict[str, Any]:
    tries = None if effort.tries is None else max(1, effort.tries // effort.workers)
    request = {
        **common_request(target, seeds.names),
        "mode": "search",
        "seed": effort.seed * 101 + number,
        "seconds": seconds,
        "tries": tries,
        "examples": [{"lines": each.lines, "origin": each.origin} for each in seeds.examples],
        "texts": seeds.texts[:MOST_TEXTS],
        "constants": seeds.constants,
    }
    wall = _SPARE_SECONDS + (seconds if seconds is not None else (tries or 0) / 20)
    return told_by(sandbox.run(_request(sandbox, target, request, wall, 0)), target)


def replay_steps(
    sandbox: Sandbox, target: Target, texts: dict[tuple[Step, ...], str], names: Names
) -> tuple[tuple[Scenario, ...], frozenset[tuple[int, int]]]:
    """What steps come to, on the module as it is, and the steps of its import."""
    request = {
        **common_request(target, names),
        "mode": "replay",
        "root": target.import_root,
        "path": target.path,
        "scenarios": [{"steps": [_document(step) for step in steps]} for steps in texts],
    }

    def run(number: int) -> dict[str, Any]:
        wall = _SPARE_SECONDS + len(texts) * 1.0
        asked = {**request, "groups": _groups(len(texts), number), "other": number == 1}
        made = _request(sandbox, target, asked, wall, _HASH_SEEDS[number])
        answer = told_by(sandbox.run(made), target)
        if len(as_list(answer.get("seen"))) != len(texts):
            raise MachineryError(f"{target.module}: a replay of other scenarios")
        return answer

    replays = in_parallel(run, len(_HASH_SEEDS))
    found = [
        read_scenario(steps, [replay["seen"][place] for replay in replays], names, origin)
        for place, (steps, origin) in enumerate(texts.items())
    ]
    return tuple(each for each in found if each is not None), read_arcs(replays[0])


def _groups(count: int, number: int) -> list[list[int]]:
    """Scenarios that share a fork: neighbours the first time, strangers in reverse the second.

    What one leaves behind for another then shows as a difference between the two.
    """
    if number == 0:
        return [list(range(at, min(at + _TOGETHER, count))) for at in range(0, count, _TOGETHER)]
    strides = -(-count // _TOGETHER)
    return [list(range(at, count, strides))[::-1] for at in range(strides)]


def _document(step: Step) -> dict[str, Any]:
    return pick(step, "line.source form name is_awaited")


def common_request(target: Target, names: Names) -> dict[str, Any]:
    """What every program that tries out a module is told."""
    return {
        "module": target.module,
        "paths": [target.import_root],
        "own": sorted(names.own),
        "helpers": sorted(names.helpers),
        "modules": sorted(names.modules),
        "definitions": list(names.definitions.values()),
    }


def _request(
    sandbox: Sandbox, target: Target, request: dict[str, Any], wall: float, hash_seed: int
) -> Request:
    call = Call(search_program(), ENTRY, {"request": request})
    policy = trying_policy(sandbox, target, hash_seed, PRELOADED)
    return trying_request(sandbox, call, policy, wall, _RESULT_MB)


def in_parallel(work: Callable[[int], Any], count: int) -> list[Any]:
    """The same with each of the first numbers, at once."""
    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(work, range(count)))


def as_list(value: Any) -> Sequence[Any]:
    """A list that the far side sent; empty for anything else."""
    return value if isinstance(value, list) else []


def _texts(value: Any) -> dict[str, str]:
    """Definitions by name; only what is one class or function of that name."""
    found = {}
    for name, text in value.items() if isinstance(value, dict) else ():
        try:
            body = parse_module(text).body
        except (SyntaxError, ValueError, TypeError, RecursionError):
            continue
        if len(body) == 1 and getattr(body[0], "name", None) == name:
            found[name] = text
    return found


def as_whole(value: Any) -> int:
    """A whole number that the far side sent; zero for anything else."""
    return value if type(value) is int else 0
