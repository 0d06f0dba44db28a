"""Fuzzing, from outside: promises read here, inputs tried in the sandbox, findings tried again.

with Sandbox() as sandbox:
    for found in fuzz(sandbox, "shop/prices.py:parse", Path(".")).findings:
        print(found.input, found.expected, found.actual)
        Path("repro.py").write_text(found.repro)
"""

import ast
import os
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from reverie import inputs
from reverie.dreamers.enrich.search.answers import imported_names, own_names
from reverie.dreamers.enrich.search.examples import examples_for, importable_modules
from reverie.dreamers.enrich.search.search import Progress, as_list, as_whole
from reverie.dreamers.enrich.surroundings import is_unbound_option, trace_of
from reverie.dreamers.enrich.target import (
    Target,
    find_target,
    told_by,
    trying_policy,
    trying_request,
)
from reverie.dreamers.fuzz.claims.laws import Promises, laws_of, promises_of
from reverie.dreamers.fuzz.claims.subjects import (
    Reading,
    is_unit,
    ordered_parameters,
    positive_parameters,
    read_module,
)
from reverie.dreamers.fuzz.findings import (
    Grown,
    Told,
    discovery_of_class,
    discovery_of_growth,
    discovery_of_law,
    discovery_of_model,
    is_believable,
)
from reverie.dreamers.fuzz.law import LawKind
from reverie.dreamers.fuzz.program import ENTRY, fuzz_program
from reverie.dreamers.fuzz.right_types import have_right_types
from reverie.dreamers.fuzz.using import Shown, discoveries, try_uses
from reverie.errors import MachineryError, UsageError
from reverie.model.execution import Call, Request
from reverie.model.outcome import TestOutcome, counted
from reverie.model.repository.environment import Discovery, Fuzzed
from reverie.sandbox.engine import Sandbox
from reverie.syntax.nodes import is_stub
from reverie.syntax.parsing import parse_module

_MODULES = (
    "array", "bisect", "collections", "copy", "datetime", "decimal", "enum", "fractions",
    "functools", "io", "itertools", "math", "operator", "pathlib", "re", "statistics", "string",
    "types", "uuid",
)  # fmt: skip
_PRELOADED = (
    "ast", "asyncio", "copy", "datetime", "decimal", "doctest", "fractions", "inspect", "json",
    "linecache", "pathlib", "pickle", "resource", "select", "statistics", "uuid",
)  # fmt: skip
_SPARE_SECONDS = 60.0
_CONFIRM_SECONDS, _CONFIRM_CPU_SECONDS = 60.0, 10
_DRAWN = 40
_LEAST_SECONDS = 2.0
_SHOWN_SHARE = 0.5
"""Of the time, for uses that tests and documents show."""
_CLASS_SHARE, _HELPERS_SHARE = 0.6, 0.25
"""Of the time, for using objects: of a class by itself, and of classes that functions make."""
_MOST_EXAMPLES = 200
_EXAMPLE_SECONDS, _MOST_EXAMPLE_SECONDS = 1.0, 5.0
"""For examples of docs: each is tried once, and whatever does not end is left."""
_QUOTED = re.compile(r"(?<!\w)'([^'\n]{1,60})'(?!\w)|\"([^\"\n]{1,60})\"|`([^`\n]{1,60})`")
_SEARCH_HASH_SEED, _CONFIRM_HASH_SEED = 0, 7
_CONFIRM_DISGUISE = 1
"""Another user, host, time zone and locale than those of the search."""
_RESULT_MB = 32


@dataclass(frozen=True, slots=True)
class Effort:
    """What a run may spend."""

    seconds: float = 20.0
    executions: int | None = None
    """At most so many calls; the same number and seed try the same inputs."""
    seed: int = 0


def public_callables(target: Target) -> tuple[str, ...]:
    """The functions and classes of a module that others may call; not what is only declared."""
    reading = read_module(target.source, target.module)
    functions = [
        each.qualname
        for each in reading.functions.values()
        if each.is_public and not is_stub(each.node)
    ]
    return (*functions, *(each for each in reading.classes if not each.startswith("_")))


def fuzz_callable(
    sandbox: Sandbox,
    target: Target,
    name: str,
    effort: Effort,
    progress: Progress = lambda *_: None,
) -> Fuzzed:
    """Look for inputs on which a callable, or what it relies on, does not keep its word."""
    progress("reading", 0, 0)
    reading = _reading_of(target, name)
    shown = _used(sandbox, target, reading, (name.partition(".")[0],), effort)
    left = replace(effort, seconds=max(_LEAST_SECONDS, effort.seconds - shown.seconds))
    return _joined(_promised(sandbox, target, name, left, progress), shown)


def _reading_of(target: Target, name: str) -> Reading:
    """The module, in which there has to be such a callable."""
    reading = read_module(target.source, target.module)
    owner = name.partition(".")[0]
    is_method = owner != name and owner in reading.classes
    if not is_method and name not in reading.functions and name not in reading.classes:
        raise UsageError(f"{target.path!r} has no callable {name!r}")
    return reading


def _promised(
    sandbox: Sandbox,
    target: Target,
    name: str,
    effort: Effort,
    progress: Progress = lambda *_: None,
) -> Fuzzed:
    """What the source of a callable promises, held against inputs."""
    reading = _reading_of(target, name)
    promises = promises_of(name, reading)
    found = _held(sandbox, target, reading, promises, effort, progress)
    return replace(found, callable=f"{target.module}:{name}", callables=(name,))


def _used(
    sandbox: Sandbox, target: Target, reading: Reading, names: Sequence[str], effort: Effort
) -> Fuzzed:
    """Uses that tests and documents show, and what is one edit away from them."""
    began = time.monotonic()
    share = effort.seconds * _SHOWN_SHARE
    tried = try_uses(sandbox, target, names, share, effort.executions)
    found: dict[str, Discovery] = {}
    doubted = 0
    for made, told in discoveries(tried.claims, target, reading):
        if not trace_of(made.actual, made.input) and _is_true(sandbox, target, made, told):
            found[made.signature] = made
        else:
            doubted += 1
    seconds = time.monotonic() - began
    findings = tuple(found.values())
    return Fuzzed(target.module, (), tried.executions, findings, seconds, doubted=doubted)


def _joined(found: Fuzzed, shown: Fuzzed) -> Fuzzed:
    return replace(
        found,
        executions=found.executions + shown.executions,
        findings=(*shown.findings, *found.findings),
        seconds=found.seconds + shown.seconds,
        doubted=found.doubted + shown.doubted,
    )


def check_examples(sandbox: Sandbox, target: Target) -> Fuzzed:
    """The examples that the docs of a module show, all of them once: the cheapest look there is."""
    reading = read_module(target.source, target.module)
    laws = [
        law
        for subject in reading.functions.values()
        for law in laws_of(subject, reading)
        if law.kind is LawKind.EXAMPLE and not law.variables
    ]
    if not laws:
        return Fuzzed(target.module, (), 0, (), 0.0)
    effort = Effort(min(_EXAMPLE_SECONDS * len(laws), _MOST_EXAMPLE_SECONDS))
    return _held(sandbox, target, reading, Promises(tuple(laws), ()), effort, lambda *_: None)


def _held(
    sandbox: Sandbox,
    target: Target,
    reading: Reading,
    promises: Promises,
    effort: Effort,
    progress: Progress,
) -> Fuzzed:
    """Promises held against inputs, and what broke one of them tried again."""
    began = time.monotonic()
    request = _asked(target, reading, promises, effort, max(1.0, effort.seconds))
    progress("fuzzing", 0, 0)
    answer = told_by(sandbox.run(_request(sandbox, target, request, effort.seconds)), target)
    claims = list(_claims(answer, promises, target.source))
    progress("reproducing", 0, len(claims))
    tree = parse_module(target.source)
    found: dict[str, Discovery] = {}
    doubted = 0
    for claim in claims:
        made = _discovered(claim, promises, target, reading)
        if made is None or made.signature in found:
            continue
        is_ours = trace_of(made.actual, made.input) or is_unbound_option(made.actual, tree)
        if not is_ours and _is_true(sandbox, target, made, claim):
            found[made.signature] = made
        else:
            doubted += 1
    return Fuzzed(
        callable=target.module,
        callables=tuple(dict.fromkeys(law.subject for law in promises.laws)),
        executions=as_whole(answer.get("executions")),
        findings=tuple(found.values()),
        seconds=time.monotonic() - began,
        doubted=doubted,
    )


def _claims(answer: dict[str, Any], promises: Promises, source: str) -> Iterator[Told | Grown]:
    """What the sandbox tells that has the right form and can be believed."""
    for each in as_list(answer.get("findings")):
        grown = Grown.read(each)
        if grown is not None:
            yield grown
            continue
        told = Told.read(each)
        if told is None or not is_believable(told, promises.laws):
            continue
        if have_right_types((text for _, text in told.arguments), source):
            yield told


def _discovered(
    told: Told | Grown, promises: Promises, target: Target, reading: Reading
) -> Discovery | None:
    if isinstance(told, Grown):
        return discovery_of_growth(told, promises.measured, target, reading)
    if told.model is not None:
        return discovery_of_model(told, promises.containers, target, reading)
    if told.class_number is not None:
        return discovery_of_class(told, promises.classes, target, reading)
    return discovery_of_law(told, promises.laws, target, reading)


def _asked(
    target: Target, reading: Reading, promises: Promises, effort: Effort, seconds: float
) -> dict[str, Any]:
    tree = parse_module(target.source)
    examples, texts = examples_for(target)
    literals = inputs.Literals.of(target.source)
    quoted = _quoted(tree)
    drawn = _drawn(target, promises, effort.seed)
    constants = [*literals.texts, *literals.integers, *literals.floats, *quoted]
    return {
        "module": target.module,
        "paths": [target.import_root],
        "own": sorted(own_names(tree)),
        "helpers": sorted(imported_names(tree, target.package)),
        "modules": sorted({*_MODULES, *importable_modules(examples)}),
        "definitions": [],
        "seed": effort.seed,
        "seconds": seconds,
        "most": effort.executions or 10**9,
        "laws": [each.document() for each in promises.laws],
        "containers": [each.document() for each in promises.containers],
        "classes": [each.document() for each in promises.classes],
        "ordered": sorted(ordered_parameters(reading)),
        "objects_share": _CLASS_SHARE if not promises.laws else _HELPERS_SHARE,
        "measured": list(promises.measured),
        "positive": sorted(positive_parameters(reading)),
        "unit": sorted(name for name, each in reading.functions.items() if is_unit(each, reading)),
        "documented": _documented(reading),
        "constants": [each for each in constants if _is_short(each)],
        "texts": [each for each in texts[:300] if _is_short(each)],
        "pieces": _pieces([*literals.texts, *quoted]),
        "examples": [*drawn, *(list(each.lines) for each in examples[:_MOST_EXAMPLES])],
    }


def _documented(reading: Reading) -> dict[str, str]:
    """Types of parameters that only documentation gives, as `function:parameter`."""
    return {
        f"{subject.qualname}:{each.name}": each.documented
        for subject in reading.functions.values()
        for each in subject.parameters
        if each.documented is not None
    }


def _quoted(tree: ast.Module) -> list[str]:
    """Texts that documentation shows in quotes."""
    found: dict[str, None] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            for match in _QUOTED.finditer(ast.get_docstring(node) or ""):
                found[next(filter(None, match.groups()))] = None
    return list(found)


def _pieces(texts: Sequence[str]) -> list[str]:
    """What texts are put together from: short ones, and signs of longer ones."""
    found: dict[str, None] = {}
    for text in texts:
        if len(text) <= 4:
            found[text] = None
        elif len(text) <= 40:
            found.update(dict.fromkeys(re.findall(r"[^\w\s]|[A-Za-z]+", text)[:8]))
    return [each for each in found if each][:60]


def _drawn(target: Target, promises: Promises, seed: int) -> list[list[str]]:
    """Calls that the source itself suggests, for parameters without annotation."""
    resolver = inputs.folder_resolver(target.import_root)
    found = []
    for name in dict.fromkeys(each.owner for law in promises.laws for each in law.variables):
        try:
            calls = inputs.generate_calls(
                target.source,
                name,
                seed=seed,
                count=_DRAWN,
                module=target.module,
                resolver=resolver,
            )
        except UsageError:
            continue
        found += [[each.render(name)] for each in calls if not each.preamble.count("class ")]
    return found


def _request(sandbox: Sandbox, target: Target, asked: dict[str, Any], seconds: float) -> Request:
    call = Call(fuzz_program(), ENTRY, {"request": asked})
    policy = trying_policy(sandbox, target, _SEARCH_HASH_SEED, _PRELOADED)
    return trying_request(sandbox, call, policy, seconds + _SPARE_SECONDS, _RESULT_MB)


def _is_true(
    sandbox: Sandbox, target: Target, found: Discovery, told: Told | Grown | Shown
) -> bool:
    """Whether the script fails in the same way in a process of its own, on another machine."""
    base = sandbox.section.limits()
    limits = replace(base, wall_seconds=_CONFIRM_SECONDS, cpu_seconds=_CONFIRM_CPU_SECONDS)
    call = Call(f"import sys\nsys.argv = ['repro.py']\n{found.repro}", "main")
    policy = trying_policy(sandbox, target, _CONFIRM_HASH_SEED, _PRELOADED)
    policy = replace(policy, disguise=_CONFIRM_DISGUISE)
    execution = sandbox.run(Request(call, limits, policy))
    if execution.succeeded:
        return False
    is_late = not isinstance(told, Grown) and told.is_late
    if is_late and execution.outcome is TestOutcome.RESOURCE_EXHAUSTION:
        return True
    raised = "" if execution.error is None else (execution.error.type_name or "").rpartition(".")[2]
    return raised in told.errors


def _is_short(value: object) -> bool:
    return not isinstance(value, str | bytes) or len(value) <= 200


_SKIPPED = frozenset({"tests", "test", "build", "dist", "node_modules", "venv", "docs", "examples"})


@dataclass(frozen=True, slots=True)
class Wish:
    """What fuzzing may spend, and with which Python."""

    seconds: float = 20.0
    executions: int | None = None
    seed: int = 0
    python: str | None = None


def fuzz(
    sandbox: Sandbox,
    named: str,
    repository: Path,
    wish: Wish = Wish(),  # noqa: B008  frozen
    progress: Progress = lambda *_: None,
) -> Fuzzed:
    """Fuzz what is named: `FILE:callable`, a module, a file or a folder."""
    place, colon, name = named.rpartition(":")
    if colon and place:
        target = find_target(place, repository, wish.python)
        if name.partition(".")[0].isidentifier():
            return fuzz_callable(sandbox, target, name, _effort(wish, wish.seconds), progress)
        raise UsageError(f"not the name of a callable: {name!r}")
    targets = list(_targets(named, repository, wish))
    pairs = [(target, each) for target in targets for each in public_callables(target)]
    found = _fuzz_all(sandbox, named, targets, pairs, wish, progress)
    if not pairs and not found.executions:
        raise UsageError(f"no public callable in {named!r}")
    return found


def _fuzz_all(
    sandbox: Sandbox,
    named: str,
    targets: list[Target],
    pairs: list[tuple[Target, str]],
    wish: Wish,
    progress: Progress,
) -> Fuzzed:
    """Each in turn, with an equal share of what is left of the time."""
    began = time.monotonic()
    shown = _all_shown(sandbox, targets, wish, progress)
    found = {each.signature: each for each in shown.findings}
    executions, doubted = shown.executions, shown.doubted
    tried: list[str] = []
    notes = list(shown.notes)
    for number, (target, name) in enumerate(pairs):
        left = wish.seconds - (time.monotonic() - began)
        if left <= 0:
            left_out = counted(len(pairs) - number, "callable")
            notes.append(f"{left_out} not reached within the time")
            break
        progress(f"fuzzing {name}", number, len(pairs))
        share = max(_LEAST_SECONDS, left / (len(pairs) - number))
        try:
            each = _promised(sandbox, target, name, _effort(wish, min(share, left)))
        except MachineryError as error:
            notes.append(f"{target.module}:{name}: {error}"[:200])
            continue
        executions += each.executions
        doubted += each.doubted
        tried.append(each.callable)
        for one in each.findings:
            found.setdefault(one.signature, _located(one, target))
    seconds = time.monotonic() - began
    return Fuzzed(named, tuple(tried), executions, tuple(found.values()), seconds,
                  doubted=doubted, notes=tuple(notes))  # fmt: skip


def _all_shown(sandbox: Sandbox, targets: list[Target], wish: Wish, progress: Progress) -> Fuzzed:
    """What is shown of each module, as far as its part of the time goes."""
    began = time.monotonic()
    found: list[Discovery] = []
    executions = doubted = 0
    notes: list[str] = []
    for number, target in enumerate(targets):
        if time.monotonic() - began > wish.seconds * _SHOWN_SHARE:
            break
        progress(f"trying what is shown of {target.module}", number, len(targets))
        reading = read_module(target.source, target.module)
        share = max(_LEAST_SECONDS, wish.seconds / len(targets))
        try:
            each = _used(sandbox, target, reading, (), _effort(wish, share))
        except (MachineryError, UsageError) as error:
            notes.append(f"{target.module}: {error}"[:200])
            continue
        executions += each.executions
        doubted += each.doubted
        found += [_located(one, target) for one in each.findings]
    seconds = time.monotonic() - began
    return Fuzzed("", (), executions, tuple(found), seconds, doubted=doubted, notes=tuple(notes))


def _located(found: Discovery, target: Target) -> Discovery:
    return replace(found, callable=f"{target.module}:{found.callable}")


def _effort(wish: Wish, seconds: float) -> Effort:
    return Effort(seconds, wish.executions, wish.seed)


def _targets(named: str, repository: Path, wish: Wish) -> Iterator[Target]:
    folder = next((each for each in (Path(named), repository / named) if each.is_dir()), None)
    if folder is None:
        yield find_target(named, repository, wish.python)
        return
    for path in sorted(folder.rglob("*.py")):
        parts = path.relative_to(folder).parts
        hidden = any(each in _SKIPPED or each.startswith(".") for each in parts[:-1])
        if hidden or parts[-1].startswith(("test_", "conftest", "setup.")):
            continue
        try:
            yield find_target(os.path.abspath(path), repository, wish.python)
        except UsageError:
            continue  # a file that cannot be imported has no callable to try
