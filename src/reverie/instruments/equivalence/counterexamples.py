"""Counter-examples: confirmed, made smaller, and written as one expression and as a script.

A difference is believed when fresh processes show it again and the old version is steady. Calls
one after the other do not show everything: growth without end, and calls that overlap, are looked
for here as well.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from reverie.inputs import shrink_call
from reverie.instruments.equivalence.laboratory import Growth, Laboratory, Pair
from reverie.instruments.equivalence.program import interleaving_source
from reverie.instruments.equivalence.scenario import (
    CHANNELS,
    Difference,
    Lens,
    Scenario,
    Step,
    Trace,
    first_difference,
)
from reverie.instruments.equivalence.targets import Version
from reverie.model.call import Call, combine
from reverie.model.measurements.equivalence import DifferenceKind, Observation
from reverie.syntax.parsing import parse_expression


def simpler_scenarios(scenario: Scenario) -> Iterator[Scenario]:
    """Fewer steps first, then simpler calls."""
    steps = scenario.steps
    size = len(steps) // 2
    while size:
        for start in range(0, len(steps) - size, size):
            yield Scenario(steps[:start] + steps[start + size :])
        size //= 2
    for number, step in enumerate(steps):
        for call in shrink_call(step.call):
            yield scenario.with_call(number, call)


def weight(scenario: Scenario) -> tuple[int, int, str]:
    """What shrinking makes smaller: steps, then length, then the text itself."""
    text = " ".join(step.call.render("f") for step in scenario.steps)
    return len(scenario.steps), len(text), text


_PATIENCE = 3.0
"""How many times longer a version may take before it counts as not ending."""
_HASH_SEEDS = (1, 2, 3, 4)
_BALLAST = 1009
"""Objects that lie where those of a call would have lain."""
_ROUNDS = 20
_AT_ONCE = 80
_ALONE = 24


@dataclass(frozen=True, slots=True)
class Confirmation:
    """What fresh processes said: a difference, or the kinds in which the old one wavers."""

    difference: Difference | None
    noise: frozenset[DifferenceKind] = frozenset()
    is_misplaced: bool = False
    """The old version wavers, and may tell where an object lies that it was given."""


def confirm(laboratory: Laboratory, scenario: Scenario, lens: Lens) -> Confirmation:
    """Each version twice, alone, unprobed, in a process of its own."""
    facts = laboratory.facts
    seconds = lens.step_seconds * _PATIENCE
    lens = replace(lens, step_seconds=seconds)
    first = laboratory.observe_alone(facts.old, scenario, seconds)
    new = laboratory.observe_alone(facts.new, scenario, seconds)
    is_seen = first_difference(first, new, lens) is not None
    if not is_seen and not scenario.objects:
        return Confirmation(None)
    second = laboratory.observe_alone(facts.old, scenario, seconds, ballast=_BALLAST)
    noise = _wavering(first, second)
    if noise and scenario.objects:
        return Confirmation(None, is_misplaced=True)
    if not is_seen:
        return Confirmation(None)
    lens = replace(lens, ignored=lens.ignored | noise)
    again = laboratory.observe_alone(facts.new, scenario, seconds)
    found = first_difference(first, new, lens)
    if found is not None and first_difference(second, again, lens) is None:
        found = None
    return Confirmation(found, noise)


def is_fragile(laboratory: Laboratory, scenario: Scenario, lens: Lens) -> bool:
    """Whether the difference depends on the order of a set, and so on luck."""
    has_texts = any("'" in step.call.arguments for step in scenario.steps)
    if not (laboratory.facts.uses_sets and has_texts):
        return False
    facts = laboratory.facts
    for hash_seed in _HASH_SEEDS:
        other = laboratory.under(hash_seed)
        old, new = (
            other.observe_alone(each, scenario, lens.step_seconds) for each in facts.versions
        )
        if first_difference(old, new, lens) is None:
            return True
    return False


def _wavering(first: Trace, second: Trace) -> frozenset[DifferenceKind]:
    found = set()
    for one, other in zip(first.steps, second.steps, strict=False):
        if one.outcome != other.outcome:
            found.add(DifferenceKind.EXCEPTION)
        found |= {kind for kind, name in CHANNELS if getattr(one, name) != getattr(other, name)}
    return frozenset(found)


def shrink(
    laboratory: Laboratory,
    scenario: Scenario,
    still_shows: Callable[[Scenario, Pair], bool],
    *,
    alone: bool,
) -> Scenario:
    """The smallest scenario found that still shows the difference.

    `alone`: every candidate in a process of its own, for versions that keep state.
    """
    for _ in range(_ROUNDS):
        if laboratory.deadline.is_over:
            break
        candidates = [
            each for each in simpler_scenarios(scenario) if weight(each) < weight(scenario)
        ]
        for each, pair in _observed(laboratory, candidates[:_AT_ONCE], alone):
            if still_shows(each, pair):
                scenario = each
                break
        else:
            break
    return scenario


def _observed(
    laboratory: Laboratory, candidates: list[Scenario], alone: bool
) -> Iterator[tuple[Scenario, Pair]]:
    """Candidates with their traces, in one process or in one each."""
    batches = [[each] for each in candidates[:_ALONE]] if alone else [candidates]
    for batch in batches:
        if laboratory.deadline.is_over:
            return
        yield from zip(batch, laboratory.observe_pairs(batch), strict=False)


_KEPT_SHARE = 0.2
"""So many parts kept per call, and the rest of the calls may just have been repetitions."""
_LEAST_SCENARIOS = 40
_OVERLAPS = 6


def keeps_growing(growth: Growth) -> bool:
    """Whether the new version kept more and more, and the old one did not."""
    least = _KEPT_SHARE * growth.scenarios
    is_steady = growth.new_later >= least / 2
    return (
        growth.scenarios >= _LEAST_SCENARIOS
        and growth.new >= least
        and is_steady
        and growth.new > 2 * growth.old
    )


def grows_without_end(laboratory: Laboratory, many: Callable[[], Sequence[Scenario]]) -> bool:
    """Whether the new version keeps something of every call, however many there are.

    The many are made only when it looks like that.
    """
    if not any(map(keeps_growing, laboratory.growths)):
        return False
    laboratory.growths.clear()
    for _ in laboratory.observe_pairs(many()):
        pass
    return any(map(keeps_growing, laboratory.growths))


def overlapping_difference(
    laboratory: Laboratory, calls: Sequence[Call], chance: random.Random
) -> tuple[Scenario, Difference] | None:
    """Two calls that disturb each other in the new version only, seen twice."""
    facts = laboratory.facts
    if not facts.shares_state or len(calls) < 2:
        return None
    pairs = [Scenario.of(*chance.sample(calls, 2)) for _ in range(_OVERLAPS)]
    seen = [laboratory.observe_overlaps(each, pairs) for each in (facts.old, facts.new, facts.new)]
    for pair, old, new, again in zip(pairs, *seen, strict=False):
        if len(old) == 1 and len(new) > 1 and len(again) > 1:
            kind = DifferenceKind.THREADS
            return pair, Difference(kind, 1, _observation(old), _observation(new))
    return None


def difference_elsewhere(
    laboratory: Laboratory,
    scenarios: Sequence[Scenario],
    seen: Callable[[Scenario, Pair], Difference | None],
    lens: Lens,
) -> tuple[Scenario, Difference] | None:
    """A scenario on which the versions part on another machine, both of them looked at there.

    A version that asks for the machine, as the old one may do as well, is no difference.
    """
    other = laboratory.elsewhere()
    for scenario, pair in zip(scenarios, other.observe_pairs(scenarios), strict=False):
        if seen(scenario, pair) is None:
            continue
        found = confirm(other, scenario, lens).difference
        if found is not None:
            return scenario, replace(found, kind=DifferenceKind.MACHINE)
    return None


def _observation(answers: frozenset[tuple[str, ...]]) -> Observation:
    return Observation("returned", " or ".join(sorted(map(str, answers))))


_DISTURBANCES = {"List": "{0}.append({0}[0])", "Dict": "{0}.pop(next(iter({0})))"}

_MOVING = "__import__('os').environ.update(TZ={!r}), __import__('time').tzset()"
_LIMITING = "(lambda r: r.setrlimit(r.RLIMIT_AS, (1 << 29, 1 << 29)))(__import__('resource'))"
_CATCHING = "__import__('unittest').TestCase().assertRaises"


def expression_of(
    scenario: Scenario, found: Difference, qualname: str, told: tuple[int, ...] = ()
) -> str:
    """The calls as one expression for the namespace of either version.

    `told` are the positions of callbacks: where their calls make the difference, they are logged.
    """
    steps = scenario.steps
    if found.kind is DifferenceKind.THREADS:
        calls = (f"lambda: {step.call.render(qualname)}" for step in steps)
        return f"sorted(interleavings({', '.join(calls)}))"
    shares = "<again" in found.old.value + found.new.value
    alias = _alias(found) if found.kind is DifferenceKind.ALIASING or shares else ""
    if len(steps) > 1:
        told_so = _several(steps, found, qualname, alias)
    elif found.kind is DifferenceKind.EFFECTS and _is_plain(steps[0]) and told:
        told_so = _logged(steps[0].call, qualname, told)
    elif found.kind is DifferenceKind.ARGUMENTS and found.old.outcome == "raised":
        told_so = _after_an_error(steps[0], qualname)
    else:
        told_so = _single(steps[0], found.kind, alias, qualname)
    before = [_MOVING.format(steps[0].zone)] if steps[0].zone else []
    before += [_LIMITING] if found.kind is DifferenceKind.MEMORY else []
    return f"({', '.join((*before, told_so))})[-1]" if before else told_so


def _several(steps: tuple[Step, ...], found: Difference, qualname: str, alias: str) -> str:
    """All calls, one after the other; those that are known to raise do not end it."""
    calls = []
    for number, step in enumerate(steps):
        name, call = step.callee or qualname, step.call
        if any(each.is_shared for each in steps) and call.receiver is not None:
            call = replace(call, receiver=call.receiver.replaced("self"))
        said = call.render(name)
        calls.append(f"{_CATCHING}(Exception, lambda: {said})" if number in found.failed else said)
    told = f"({', '.join(calls)})"
    if alias:
        names = ", ".join(f"r{number}" for number in range(len(steps)))
        told = f"(lambda {names}: {alias}){told}"
    shared = next((each.call.receiver for each in steps if each.is_shared), None)
    return told if shared is None else f"(lambda self: {told})({shared.source})"


def _alias(found: Difference) -> str:
    """An identity that holds in one version only, if source can say it."""
    either = set(found.old.aliases) ^ set(found.new.aliases)
    told = sorted((each for each in either if "…" not in each), key=len)
    return told[0] if told else ""


def _single(step: Step, kind: DifferenceKind, alias: str, qualname: str) -> str:
    call, name = step.call, step.callee or qualname
    if call.receiver is not None or not call.args:
        return call.render(name)
    given = [f"a{place}" for place in range(len(call.args))]
    if step.aliased is not None:
        given[step.aliased[1]] = given[step.aliased[0]]
    keywords = [f"{key}={value.source}" for key, value in call.kwargs]
    result = f"{name}({', '.join((*given, *keywords))})"
    names = ", ".join(dict.fromkeys(given))
    sources = dict(zip(reversed(given), reversed(call.args), strict=True))
    values = ", ".join(sources[each].source for each in dict.fromkeys(given))
    if step.is_brief:
        left = f"[list(a) if hasattr(a, '__next__') else a for a in ({names},)]"
        body = f"(lambda r: (next(r, None), getattr(r, 'close', bool)(), {left}))({result})"
    elif step.is_late:
        body = f"(lambda r: ({''.join(_disturbed(call))}list(r))[-1])({result})"
    elif alias:
        body = f"(lambda r: {alias})({result})"
    elif kind is DifferenceKind.ARGUMENTS or step.aliased is not None:
        body = f"({result}, {names})"
    else:
        return call.render(name)
    return f"(lambda {names}: {body})({values})"


def _is_plain(step: Step) -> bool:
    return step.call.receiver is None and step.aliased is None and not step.is_late


def _logged(call: Call, name: str, told: tuple[int, ...]) -> str:
    """The call with callbacks that write down what they are told, and when an item was drawn."""
    given = [
        f"(lambda *given: (log.append(({place}, given)), ({each.source})(*given))[1])"
        if place in told
        else each.source
        for place, each in enumerate(call.args)
    ]
    given += [f"{key}={value.source}" for key, value in call.kwargs]
    drawn = "[log.append(each) for each in r] if hasattr(r, '__next__') else r"
    return f"(lambda log: ((lambda r: {drawn})({name}({', '.join(given)})), log))([])"


def _after_an_error(step: Step, name: str) -> str:
    """What an error leaves of the arguments."""
    call = step.call
    if not _is_plain(step) or not call.args:
        return call.render(name)
    names = ", ".join(f"a{place}" for place in range(len(call.args)))
    keywords = "".join(f", {key}={value.source}" for key, value in call.kwargs)
    caught = f"{_CATCHING}(BaseException, {name}, {names}{keywords})"
    values = ", ".join(each.source for each in call.args)
    return f"(lambda {names}: ({caught}, {names}))({values})"


def _disturbed(call: Call) -> list[str]:
    forms = [type(parse_expression(each.source)).__name__ for each in call.args]
    return [
        _DISTURBANCES[form].format(f"a{place}") + ", "
        for place, form in enumerate(forms)
        if form in _DISTURBANCES
    ]


def script_of(scenario: Scenario, expression: str, old: Version, new: Version) -> str:
    """`python repro.py [OLD NEW]` evaluates the expression in both and prints what happened."""
    needs = combine("", [part for step in scenario.steps for part in step.call.expressions()])
    helper = interleaving_source() if "interleavings(" in expression else ""
    setup = "\n".join(filter(None, (helper, Call((needs,)).preamble)))
    modules = [each.module if "." in each.module else each.path for each in (old, new)]
    roots = list(dict.fromkeys((*old.roots, *new.roots)))
    return f'''"""python repro.py [OLD.py NEW.py]: the same expression on both versions."""
import asyncio
import importlib
import inspect
import runpy
import sys

sys.path[:0] = {roots!a}
SETUP = {setup!a}
EXPRESSION = {expression!a}
for place in sys.argv[1:] or {modules!a}:
    is_file = place.endswith(".py")
    namespace = runpy.run_path(place) if is_file else dict(vars(importlib.import_module(place)))
    exec(SETUP, namespace)
    try:
        value = eval(EXPRESSION, namespace)
        value = asyncio.run(value) if inspect.iscoroutine(value) else value
        shown = list(value) if hasattr(value, "__next__") else value
        print(place, "returned", type(value).__name__, repr(shown))
    except BaseException as error:
        print(place, "raised", type(error).__name__, error)
'''
