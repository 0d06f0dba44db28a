"""Other forms of a candidate: with an argument less, a call less, an object made at once.

Whether a line was needed is not guessed: every form is tried, and what comes to the same without
it has shown nothing.
"""

import ast
import builtins
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, pairwise

from reverie.dreamers.enrich.writing.selecting.candidates import Candidate, Check, Relation
from reverie.dreamers.enrich.writing.selecting.taste import EMPTY_RESULTS
from reverie.dreamers.enrich.writing.selecting.threads import names_in
from reverie.instruments.mutation.matrix import KillMatrix
from reverie.model.call import Expression, Scenario, Step, StepForm, combine
from reverie.syntax.parsing import fresh_expression, parse_expression
from reverie.syntax.unparsing import unparse

_FEW_CALLS = 3
_MOST_NAMED = 3
_KEPT = (StepForm.CHANGE, StepForm.ENTER)


def shorter_forms(
    candidates: Sequence[Candidate], chosen: Mapping[int, Sequence[int]]
) -> list[Candidate]:
    """The chosen candidates as they are, and in every shorter form, numbered anew."""
    found: list[Candidate] = []
    seen: set[tuple[tuple[str, ...], tuple[Check, ...]]] = set()
    number = 0
    for place in sorted(chosen):
        for scenario, checks in _forms(candidates[place], chosen[place]):
            key = tuple(step.line.source for step in scenario.steps), checks
            if key in seen or not checks:
                continue
            seen.add(key)
            found.append(Candidate(scenario, checks, number))
            number += len(checks)
    return found


def _forms(
    candidate: Candidate, numbers: Sequence[int]
) -> Iterator[tuple[Scenario, tuple[Check, ...]]]:
    yield candidate.scenario, candidate.checks
    checks = tuple(candidate.check(number) for number in numbers)
    yield from ((each, checks) for each in _with_less_said(candidate.scenario, checks))
    made = _made_at_once(candidate.scenario, checks)
    yield from [made] if made is not None else []
    if len(candidate.scenario.steps) == 1:
        return
    wanted = [checks, *((check,) for check in checks)] if len(checks) > 1 else [checks]
    for some in wanted:
        for kept in _kept_calls(candidate.scenario, some):
            yield _trimmed(candidate.scenario, some, kept)


def _made_at_once(
    scenario: Scenario, checks: tuple[Check, ...]
) -> tuple[Scenario, tuple[Check, ...]] | None:
    """An object that is made of nothing and then given something, made of that: `Shelf(books)`."""
    for place, (make, fill) in enumerate(pairwise(scenario.steps)):
        match _called(make), _called(fill):
            case (
                ast.Call(func=ast.Name() as kind, args=[], keywords=[]),
                ast.Call(func=ast.Attribute(value=ast.Name(id=name)), args=[given], keywords=[]),
            ) if name == make.name and not any(each.step in (place, place + 1) for each in checks):
                is_one = isinstance(given, ast.Call) and unparse(given.func) == kind.id
                source = unparse(given if is_one else ast.Call(kind, [given], []))
                lines = combine(source, [make.line, fill.line])
                steps = (
                    *scenario.steps[:place],
                    replace(make, line=lines),
                    *scenario.steps[place + 2 :],
                )
                seen = (*scenario.seen[: place + 1], *scenario.seen[place + 2 :])
                shorter = replace(scenario, steps=steps, seen=seen)
                return shorter, tuple(replace(each, step=each.step - 1) for each in checks)
    return None


def _called(step: Step) -> ast.expr | None:
    is_call = step.form in (StepForm.MAKE, StepForm.CALL)
    return parse_expression(step.line.source) if is_call else None


def _with_less_said(scenario: Scenario, checks: tuple[Check, ...]) -> Iterator[Scenario]:
    """What is looked at last, with fewer arguments; and what a method is called on, alone."""
    last = max(check.step for check in checks)
    step = scenario.steps[last]
    if step.form is not StepForm.CALL:
        return
    for source in _shorter_calls(step.line.source):
        steps = list(scenario.steps)
        steps[last] = replace(step, line=_narrowed(step.line, source))
        yield replace(scenario, steps=tuple(steps))


def _shorter_calls(source: str) -> Iterator[str]:
    call = parse_expression(source)
    if not isinstance(call, ast.Call):
        return
    given, named = call.args, call.keywords
    if len(named) > 1:
        yield unparse(ast.Call(call.func, given, []))
    if len(named) > 2:
        yield from (unparse(ast.Call(call.func, given, [each])) for each in named)
    for place in range(min(len(named), _MOST_NAMED)):
        yield unparse(ast.Call(call.func, given, [*named[:place], *named[place + 1 :]]))
    for many in range(1, len(given)):
        yield unparse(ast.Call(call.func, given[:many], named))
    if isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Call | ast.BinOp):
        yield unparse(call.func.value)


def with_less(candidates: Sequence[Candidate]) -> list[tuple[Candidate, Candidate]]:
    """The candidates with each form of them that has an argument or a call less, numbered anew."""
    found: list[tuple[Candidate, Candidate]] = []
    number = 0
    for candidate in candidates:
        last, checks = len(candidate.scenario.seen) - 1, _last_checks(candidate)
        forms = (*_given_less(candidate.scenario, last), *_done_less(candidate.scenario, checks))
        for scenario, some in forms if checks else ():
            kept = some or checks
            found.append((candidate, Candidate(scenario, kept, number)))
            number += len(kept)
    return found


def _last_checks(candidate: Candidate) -> tuple[Check, ...]:
    last = len(candidate.scenario.seen) - 1
    return tuple(each for each in candidate.checks if each.step == last and _is_firm(each))


def apart(
    candidates: Sequence[Candidate],
    forms: Sequence[tuple[Candidate, Candidate]],
    steady: frozenset[int],
) -> tuple[list[Candidate], list[Candidate]]:
    """The candidates with the checks that need all of their lines, and shorter ones with the rest.

    `forms` are those of `with_less`, of which the checks in `steady` hold.
    """
    covered: dict[int, dict[Check, tuple[Candidate, Check]]] = {}
    for candidate, form in forms:
        pairs = zip(_last_checks(candidate), form.checks, form.numbers, strict=True)
        for check, other, number in pairs:
            if number in steady:
                covered.setdefault(id(candidate), {}).setdefault(check, (form, other))
    kept: list[Candidate] = []
    shorter: dict[int, tuple[Candidate, list[Check]]] = {}
    for candidate in candidates:
        mine = covered.get(id(candidate), {})
        rest = tuple(each for each in candidate.checks if each not in mine)
        if not mine or set(rest) & set(_last_checks(candidate)):
            kept.append(replace(candidate, checks=rest))
        for form, other in mine.values():
            shorter.setdefault(id(form), (form, []))[1].append(other)
    return kept, [replace(form, checks=tuple(some)) for form, some in shorter.values()]


def _given_less(scenario: Scenario, last: int) -> Iterator[tuple[Scenario, tuple[Check, ...]]]:
    places = [at for at, each in enumerate(scenario.steps[: last + 1]) if each.form not in _KEPT]
    for place in places[-_FEW_CALLS:]:
        step = scenario.steps[place]
        for source in _with_one_less(step.line.source):
            steps = list(scenario.steps)
            steps[place] = replace(step, line=_narrowed(step.line, source))
            yield replace(scenario, steps=tuple(steps)), ()


def _done_less(
    scenario: Scenario, checks: tuple[Check, ...]
) -> Iterator[tuple[Scenario, tuple[Check, ...]]]:
    """Without a call that no later line needs: of several of one callee, all but one may matter."""
    last = len(scenario.seen) - 1
    callees = [each.callee for each in scenario.steps[:last]]
    is_raising = any(each.relation is Relation.RAISES for each in checks)
    for place in range(last):
        step = scenario.steps[place]
        later = (names_in(each.line.source) for each in scenario.steps[place + 1 :])
        is_used = step.name in frozenset[str]().union(*later)
        is_alone = is_raising or callees.count(step.callee) == 1
        if step.form is StepForm.CALL and is_alone and not is_used:
            steps = (*scenario.steps[:place], *scenario.steps[place + 1 :])
            seen = (*scenario.seen[:place], *scenario.seen[place + 1 :])
            moved = tuple(replace(each, step=each.step - 1) for each in checks)
            yield replace(scenario, steps=steps, seen=seen), moved


def _is_firm(check: Check) -> bool:
    """Whether it cannot hold by chance of another call: an exception without a message can."""
    return check.relation is not Relation.RAISES or check.match is not None


def _with_one_less(source: str) -> Iterator[str]:
    """A line with an argument less in one of its calls: one given by name, the last, an empty."""
    calls = [each for each in ast.walk(parse_expression(source)) if isinstance(each, ast.Call)]
    for at, call in enumerate(calls):
        if not (isinstance(call.func, ast.Name) and hasattr(builtins, call.func.id)):
            empty = (number for number, each in enumerate(call.args[:-1]) if _is_hollow(each))
            places = [*([len(call.args) - 1] if call.args else []), *empty]
            yield from (_one_less(source, at, "args", place) for place in places)
            named = range(len(call.keywords))
            yield from (_one_less(source, at, "keywords", place) for place in named)


def _is_hollow(node: ast.expr) -> bool:
    return unparse(node) in EMPTY_RESULTS or unparse(node).endswith("()")


def _one_less(source: str, at: int, kind: str, place: int) -> str:
    node = fresh_expression(source)
    call = [each for each in ast.walk(node) if isinstance(each, ast.Call)][at]
    del getattr(call, kind)[place]
    return unparse(node)


def _narrowed(line: Expression, source: str) -> Expression:
    """Another source with those of the names and modules that it still uses."""
    used = names_in(source)
    modules = {each for each in line.modules if each.partition(".")[0] in used}
    return replace(
        line, source=source, names=line.names & frozenset(used), modules=frozenset(modules)
    )


def _kept_calls(scenario: Scenario, checks: tuple[Check, ...]) -> Iterator[frozenset[int]]:
    """Which of the calls that nobody looks at stay: none, all, and where they are few, some."""
    checked = {check.step for check in checks}
    calls = [
        place
        for place in range(max(checked))
        if scenario.steps[place].form is StepForm.CALL and place not in checked
    ]
    yield frozenset()
    if len(calls) <= _FEW_CALLS:
        for count in range(1, len(calls)):
            yield from map(frozenset, combinations(calls, count))
    if calls:
        yield frozenset(calls)


def _trimmed(
    scenario: Scenario, checks: tuple[Check, ...], calls: frozenset[int]
) -> tuple[Scenario, tuple[Check, ...]]:
    """The steps that are checked, that change something, or whose result those use."""
    checked = {check.step for check in checks}
    last = max(checked)
    kept: list[int] = []
    used: set[str] = set()
    for place in range(last, -1, -1):
        step = scenario.steps[place]
        if place in checked or place in calls or step.form in _KEPT or step.name in used:
            kept.insert(0, place)
            used |= names_in(step.line.source)
    moved = {place: number for number, place in enumerate(kept)}
    shorter = replace(
        scenario,
        steps=tuple(scenario.steps[place] for place in kept),
        seen=tuple(scenario.seen[place] for place in kept if place < len(scenario.seen)),
    )
    return shorter, tuple(replace(check, step=moved[check.step]) for check in checks)


Holding = Mapping[tuple[tuple[str, ...], str], frozenset[int]]
"""The lines and the check of what holds, with what it notices."""


def holding_in(candidates: Sequence[Candidate], matrix: KillMatrix) -> Holding:
    """Every check that holds."""
    return {
        (sources_of(each), _looked_at(each.check(number))): matrix.kills.get(number, frozenset())
        for each in candidates
        for number in each.numbers
        if number in matrix.steady
    }


def without_the_idle(
    candidates: Sequence[Candidate], matrix: KillMatrix, holding: Holding
) -> tuple[list[Candidate], KillMatrix]:
    """Without those that say no more than a shorter form of them.

    An argument, a line or a call without which the same holds has shown nothing.
    """
    kept = [each for each in candidates if not _is_idle(each, holding, matrix)]
    return some_of(candidates, matrix, kept)


def some_of(
    candidates: Sequence[Candidate], matrix: KillMatrix, kept: list[Candidate]
) -> tuple[list[Candidate], KillMatrix]:
    """Some of the candidates, with their steps."""
    wanted = {id(each) for each in kept}
    arcs = tuple(matrix.arcs[at] for at, each in enumerate(candidates) if id(each) in wanted)
    return kept, replace(matrix, arcs=arcs)


def _is_idle(candidate: Candidate, holding: Holding, matrix: KillMatrix) -> bool:
    numbers = [each for each in candidate.numbers if each in matrix.steady]
    if not numbers:
        return True
    last = max(candidate.check(each).step for each in numbers)
    steps = candidate.scenario.steps
    sources = sources_of(candidate)
    for number in (each for each in numbers if candidate.check(each).step == last):
        told = _looked_at(candidate.check(number))
        kills = matrix.kills.get(number, frozenset())
        if steps[last].form is StepForm.CALL and any(
            ((*sources[:last], each, *sources[last + 1 :]), told) in holding
            for each in _shorter_calls(sources[last])
        ):
            return True
        called = [each.callee for each in steps[: last + 1]]
        for place in range(last):
            later = (names_in(each) for each in sources[place + 1 :])
            is_used = steps[place].name in frozenset[str]().union(*later)
            is_call = steps[place].form is StepForm.CALL
            if is_used or not (is_call or steps[place].name) or steps[place].form in _KEPT:
                continue
            shorter = _shown_without(candidate, candidate.check(number), place, holding)
            if shorter is None:
                continue
            # one more of the same may matter: a second book of an author that is listed once
            is_alone = called.count(steps[place].callee) == 1 or _is_bare(sources[place])
            if is_alone or kills <= shorter:
                return True
    return False


def _shown_without(
    candidate: Candidate, check: Check, place: int, holding: Holding
) -> frozenset[int] | None:
    """What the check notices without a call, and without what only that call needed."""
    sources, told = sources_of(candidate), _looked_at(check)
    direct = holding.get(((*sources[:place], *sources[place + 1 :]), told))
    if direct is not None:
        return direct
    calls = (at for at, step in enumerate(candidate.scenario.steps) if step.form is StepForm.CALL)
    shorter, _ = _trimmed(candidate.scenario, (check,), frozenset(calls) - {place})
    return holding.get((tuple(step.line.source for step in shorter.steps), told))


def _is_bare(source: str) -> bool:
    """Whether a call is given nothing."""
    call = parse_expression(source)
    return isinstance(call, ast.Call) and not call.args and not call.keywords


def _looked_at(check: Check) -> str:
    return f"{check.relation} {check.reading} {check.expected.source} {check.match}"


def sources_of(candidate: Candidate) -> tuple[str, ...]:
    """The lines of a candidate."""
    return tuple(step.line.source for step in candidate.scenario.steps)
