"""What a test may say about what was seen: one check is one line of it."""

import ast
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum

from reverie.dreamers.enrich.writing.admission import is_admitted
from reverie.dreamers.enrich.writing.constructors import Constructors, shortened
from reverie.dreamers.enrich.writing.messages import escaped, shown_values, stable_part
from reverie.model.call import Expression
from reverie.model.scenario import Scenario, Seen, StepForm

_MOST_CHARACTERS = 600
_MOST_PARTS = 8
_LONG = 80
_BUILTIN = "builtins."
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
    for place, seen in enumerate(scenario.seen):
        form = scenario.steps[place].form
        if first is None or place < first:
            continue
        if seen.is_exception:
            source = scenario.steps[place].line.source
            said = tuple(text for text in texts if text.strip() not in source)
            shown = shown_values(step.line.source for step in scenario.steps[: place + 1])
            found += _about_exception(place, seen, names, said, shown)
        elif form not in (StepForm.CHANGE, StepForm.ENTER):
            about = _about_value(place, seen, names, is_made=form is StepForm.MAKE)
            found += _plainly(about, scenario.steps[place].line.source)
    return found


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
        if len(literal.source) > _LONG:
            yield from _excerpts(place, literal)
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
        is_comparison = isinstance(ast.parse(source, mode="eval").body, ast.Compare)
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


def _excerpts(place: int, literal: Expression) -> Iterator[Check]:
    """Of a long value: its length, its beginning and its end."""
    try:
        value = ast.literal_eval(literal.source)
    except (ValueError, SyntaxError, MemoryError):
        return
    if not isinstance(value, (list, tuple, str, bytes, dict, set)):
        return
    yield Check(place, Relation.EQUALS, "len({})", Expression(repr(len(value))))
    if isinstance(value, (list, tuple, str, bytes)):
        few = 20 if isinstance(value, (str, bytes)) else 3
        yield Check(place, Relation.EQUALS, f"{{}}[:{few}]", Expression(ascii(value[:few])))
        yield Check(place, Relation.EQUALS, f"{{}}[-{few}:]", Expression(ascii(value[-few:])))


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
