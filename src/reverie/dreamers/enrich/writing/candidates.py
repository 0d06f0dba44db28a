"""A scenario that may become a test, and the program that tries all of them at once."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from reverie.dreamers.enrich.writing.checks import Check, Names, Relation, checks_of
from reverie.model.call import Expression, combine
from reverie.model.scenario import Scenario, Step, StepForm

_INDENT = "    "


@dataclass(frozen=True, slots=True)
class Candidate:
    """A scenario with all that can be asserted of it; its checks are numbered among all."""

    scenario: Scenario
    checks: tuple[Check, ...]
    first: int

    @property
    def numbers(self) -> range:
        """The numbers of its checks."""
        return range(self.first, self.first + len(self.checks))

    def check(self, number: int) -> Check:
        """A check by its number."""
        return self.checks[number - self.first]

    def callee(self, numbers: Iterable[int]) -> str:
        """What a test with these checks is about: what the last of them looks at."""
        last = max((self.check(number).step for number in numbers), default=-1)
        named = [step.callee for step in self.scenario.steps[: last + 1] if step.callee]
        return named[-1] if named else ""


def candidates_of(
    scenarios: Iterable[Scenario],
    names: Names,
    texts: tuple[str, ...],
    strangeness: Callable[[Step], float] = lambda step: 0.0,
) -> list[Candidate]:
    """The scenarios of which something can be asserted, familiar and short ones first."""
    scenarios = list(scenarios)
    found: list[Candidate] = []
    seen: set[tuple[str, ...]] = set()
    number = 0
    costs = {id(each): sum(map(strangeness, each.steps)) for each in scenarios}
    for scenario in sorted(scenarios, key=lambda each: (costs[id(each)] >= 1.0, *_length(each))):
        key = tuple(step.line.source for step in scenario.steps)
        checks = tuple(checks_of(scenario, names, texts))
        if key in seen or not checks:
            continue
        seen.add(key)
        found.append(Candidate(scenario, checks, number))
        number += len(checks)
    return found


def _length(scenario: Scenario) -> tuple[int, int]:
    sources = [step.line.source for step in scenario.steps]
    return len(sources), sum(map(len, sources))


def needs_of(candidate: Candidate, checks: Iterable[int]) -> Expression:
    """Modules, names and definitions that the lines of a test need."""
    lines = [step.line for step in candidate.scenario.steps]
    return combine("", lines, *(candidate.check(number).expected for number in checks))


def free_checks(candidate: Candidate, numbers: Sequence[int]) -> Iterator[int]:
    """A check for each line before the last that would otherwise stand there without a word."""
    checked = {candidate.check(number).step for number in numbers}
    for place in range(max(checked, default=0)):
        step = candidate.scenario.steps[place]
        if place in checked or step.name or step.form in (StepForm.CHANGE, StepForm.ENTER):
            continue
        for number in candidate.numbers:
            check = candidate.check(number)
            if check.step == place and check.expected.source != "None" and check.characters < 60:
                yield number
                break


def firmly(candidate: Candidate, number: int, matches: frozenset[str]) -> int:
    """The check that says all of a message, where another test about the message does."""
    check = candidate.check(number)
    whole = f"^{check.match}$"
    if check.match is None or whole not in matches:
        return number
    for other in candidate.numbers:
        if candidate.check(other) == replace(check, match=whole):
            return other
    return number


# -- the program ------------------------------------------------------------------------------


def trial_program(candidates: Sequence[Candidate], module: str) -> str:
    """A program whose `TRIALS` run every candidate and tell each check that holds."""
    every = [needs_of(each, each.numbers) for each in candidates]
    needs = combine("", every)
    lines = ["import math", "import re", "import asyncio"]
    lines += [f"import {name}" for name in sorted(needs.modules)]
    lines += [f"from {module} import {name}" for name in sorted(needs.names)]
    lines += needs.definitions
    lines += [_EQUAL]
    for place, candidate in enumerate(candidates):
        lines += [f"def _trial_{place}(_hold):", *_trial_lines(candidate)]
    names = ", ".join(f"_trial_{place}" for place in range(len(candidates)))
    return "\n".join([*lines, f"TRIALS = [{names}]", ""])


# As the test will compare: with the types that `==` would let pass.
_EQUAL = """
def _nearly(value, expected):
    return abs(value - expected) <= 1e-6 * abs(expected) or value == expected
"""


def _trial_lines(candidate: Candidate) -> list[str]:
    lines: list[str] = []
    indent = _INDENT
    steps = candidate.scenario.steps
    for place, step in enumerate(steps):
        mine = [number for number in candidate.numbers if candidate.check(number).step == place]
        source = f"asyncio.run({step.line.source})" if step.is_awaited else step.line.source
        if step.form is StepForm.ENTER:
            alias = f" as {step.name}" if step.name else ""
            lines.append(f"{indent}with {source}{alias}:")
            indent += _INDENT
            lines.append(f"{indent}pass")
        elif mine and candidate.check(mine[0]).relation is Relation.RAISES:
            lines += _raising(candidate, mine, source, indent)
            break
        elif step.form is StepForm.CHANGE:
            lines.append(indent + source)
        else:
            lines.append(f"{indent}_seen = {source}")
            lines += [f"{indent}{step.name} = _seen"] if step.name else []
            lines += [line for number in mine for line in _checking(candidate, number, indent)]
    return lines


def _raising(candidate: Candidate, numbers: Sequence[int], source: str, indent: str) -> list[str]:
    kind = candidate.check(numbers[0]).expected.source
    lines = [f"{indent}try:", f"{indent}    {source}", f"{indent}except {kind} as _error:"]
    for number in numbers:
        match = candidate.check(number).match
        test = "True" if match is None else f"re.search({match!a}, str(_error))"
        lines.append(f"{indent}    if {test}: _hold({number})")
    return lines


def _checking(candidate: Candidate, number: int, indent: str) -> list[str]:
    check = candidate.check(number)
    reading = check.reading.replace("{}", "_seen")
    expected = check.expected.source
    match check.relation:
        case Relation.IS_A:
            test = f"isinstance({reading}, {expected})"
        case Relation.IS_NAN:
            test = f"math.isnan({reading})"
        case Relation.NEARLY:
            test = f"_nearly({reading}, {expected})"
        case Relation.HOLDS:
            test = reading
        case Relation.HOLDS_NOT:
            test = f"not {reading}"
        case relation:
            test = f"{reading} {relation} {expected}"
    # A reading that raises is a check that does not hold; the steps after it still run.
    return [
        f"{indent}try:",
        f"{indent}    if {test}: _hold({number})",
        f"{indent}except Exception: pass",
    ]
