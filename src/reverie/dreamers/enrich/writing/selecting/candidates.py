"""A scenario that may become a test, the checks it may make, and the program that tries it."""

import ast
import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from reverie.dreamers.enrich.writing.admission import (
    Constructors,
    escaped,
    is_admitted,
    shortened,
    shown_values,
    stable_part,
)
from reverie.model.call import Expression, Scenario, Seen, Step, StepForm, combine
from reverie.syntax.nodes import names_in
from reverie.syntax.parsing import parse_expression, parse_module

_MOST_CHARACTERS = 600
_MOST_PARTS = 12
_UNSTABLE = re.compile(r"0x[0-9a-fA-F]{6,}|/tmp/|\bat 0x|<[\w.]+ object")


class Relation(StrEnum):
    """How what is read relates to what is expected."""

    EQUALS = "=="
    IS = "is"
    IS_A = "isinstance"
    IS_NAN = "isnan"
    NEARLY = "approx"
    RAISES = "raises"
    HOLDS = "holds"
    HOLDS_NOT = "holds not"


@dataclass(frozen=True, slots=True)
class Check:
    """One thing to assert about the result of one step."""

    step: int
    relation: Relation
    reading: str
    """What is looked at, with `{}` in the place of the step's result."""
    expected: Expression
    match: str | None = None
    """Of an exception: what its message has to contain, as a regular expression."""

    @property
    def characters(self) -> int:
        """How long it is, about."""
        return len(self.reading) + len(self.expected.source) + len(self.match or "")


@dataclass(frozen=True, slots=True)
class Names:
    """What may be named in a test: the module's own names, and modules of its package."""

    own: frozenset[str]
    modules: frozenset[str] = frozenset()
    constructors: Constructors = field(default_factory=dict)

    def admits(self, expression: Expression) -> bool:
        """Whether a value from the sandbox may be written down."""
        modules = self.modules & expression.modules
        return not expression.definitions and is_admitted(expression.source, self.own, modules)


def checks_of(scenario: Scenario, names: Names, texts: tuple[str, ...]) -> list[Check]:
    """All that can be asserted; `texts` are the string constants of the module.

    Of what is made before the module has been used there is nothing to say.
    """
    found: list[Check] = []
    first = next(
        (at for at, step in enumerate(scenario.steps) if uses_module(step.line, names)), None
    )
    made: set[str] = set()
    """What the module has had a hand in."""
    for place, seen in enumerate(scenario.seen):
        form, line = scenario.steps[place].form, scenario.steps[place].line
        if first is None or place < first:
            continue
        is_touched = uses_module(line, names) or bool(_names_in(line.source) & made)
        if is_touched:
            made |= {scenario.steps[place].name or "", *_names_in(line.source)}
        elif not seen.is_exception:
            continue  # a value as it was written down
        if seen.is_exception:
            source = scenario.steps[place].line.source
            said = tuple(text for text in texts if text.strip() not in source)
            shown = shown_values(step.line.source for step in scenario.steps[: place + 1])
            found += _about_exception(place, seen, names, said, shown)
        elif form not in (StepForm.CHANGE, StepForm.ENTER):
            about = _about_value(place, seen, names, is_made=form is StepForm.MAKE)
            found += _plainly(about, scenario.steps[place].line.source)
    return found


def _names_in(source: str) -> set[str]:
    return names_in(parse_module(source))


def uses_module(line: Expression, names: Names) -> bool:
    """Whether a line uses a name of the module, or of its package."""
    packages = tuple(f"{name}." for name in names.modules)
    return bool(line.names) or any(f"{name}.".startswith(packages) for name in line.modules)


def _about_exception(
    place: int, seen: Seen, names: Names, texts: tuple[str, ...], shown: frozenset[str]
) -> Iterator[Check]:
    kind = exception_source(seen.type_name, names)
    if kind is None:
        return
    message = stable_part(seen.raised or "", texts, shown)
    yield Check(place, Relation.RAISES, "{}", kind, escaped(message.text) if message else None)
    if message is not None and message.is_whole:
        yield Check(place, Relation.RAISES, "{}", kind, f"^{escaped(message.text)}$")


def exception_source(type_name: str, names: Names) -> Expression | None:
    """The class of an exception as a test names it; None when it cannot be imported."""
    module, _, name = type_name.rpartition(".")
    if module in ("", "builtins"):
        is_builtin = isinstance(getattr(__import__("builtins"), name, None), type)
        return Expression(name) if is_builtin else None
    if name in names.own:
        return Expression(name, names=frozenset({name}))
    if not re.fullmatch(r"[A-Za-z]\w*(\.[A-Za-z]\w*)*", type_name):
        return None
    return Expression(type_name, frozenset({module}))


def _about_value(place: int, seen: Seen, names: Names, *, is_made: bool) -> Iterator[Check]:
    literal = seen.literal
    if literal is not None and names.admits(literal) and not is_made:
        if len(literal.source) <= _MOST_CHARACTERS:
            yield _compared(place, "{}", shortened(literal, names.constructors))
        return
    admitted = [
        (reading, value)
        for reading, value in seen.parts.items()
        if reading.count("{}") == 1 and _is_stable(value) and names.admits(value)
    ]
    for reading, value in sorted(admitted, key=lambda each: len(each[1].source))[:_MOST_PARTS]:
        yield _compared(place, reading, value)
    home, _, own = seen.type_name.rpartition(".")
    if own in names.own and home != "builtins" and not is_made:
        kind = Expression(own, names=frozenset({own}))
        yield Check(place, Relation.IS_A, "{}", kind)


def _plainly(checks: Iterator[Check], source: str) -> Iterator[Check]:
    """Of a comparison: that it holds, rather than that it is `True`."""
    try:
        is_comparison = isinstance(parse_expression(source), ast.Compare)
    except SyntaxError:
        is_comparison = False
    relations = {"True": Relation.HOLDS, "False": Relation.HOLDS_NOT}
    for check in checks:
        if is_comparison and check.reading == "{}" and check.expected.source in relations:
            yield replace(check, relation=relations[check.expected.source])
        else:
            yield check


def _is_stable(value: Expression) -> bool:
    return len(value.source) <= _MOST_CHARACTERS and not _UNSTABLE.search(value.source)


def _compared(place: int, reading: str, literal: Expression) -> Check:
    if literal.source in ("None", "True", "False", "Ellipsis", "NotImplemented"):
        return Check(place, Relation.IS, reading, literal)
    if literal.source in ("float('nan')", 'float("nan")'):
        return Check(place, Relation.IS_NAN, reading, Expression("", frozenset({"math"})))
    if _is_noisy(literal.source):
        return Check(place, Relation.NEARLY, reading, literal)
    return Check(place, Relation.EQUALS, reading, literal)


def _is_noisy(source: str) -> bool:
    """Whether a number has so many digits that the last ones are the platform's."""
    try:
        value = ast.literal_eval(source)
    except (ValueError, SyntaxError):
        return False
    if type(value) is not float or not math.isfinite(value):
        return False
    return len(repr(value).partition("e")[0].replace(".", "").strip("-0")) > 12


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
    tells: Callable[[Scenario, Check], bool] = lambda scenario, check: True,
) -> list[Candidate]:
    """The scenarios of which something can be asserted, familiar and short ones first."""
    scenarios = list(scenarios)
    found: list[Candidate] = []
    seen: set[tuple[str, ...]] = set()
    number = 0
    costs = {id(each): sum(map(strangeness, each.steps)) for each in scenarios}
    for scenario in sorted(scenarios, key=lambda each: (costs[id(each)] >= 1.0, *_length(each))):
        key = tuple(step.line.source for step in scenario.steps)
        every = checks_of(scenario, names, texts)
        checks = tuple(check for check in every if tells(scenario, check))
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
        if place in checked or step.name or step.form is not StepForm.CALL:
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
