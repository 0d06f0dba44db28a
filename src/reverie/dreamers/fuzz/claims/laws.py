"""Everything that a module promises about one of its callables, and about what that relies on."""

import ast
import doctest
import re
from collections.abc import Iterator
from dataclasses import dataclass

from reverie.dreamers.enrich.search.answers import BUILTINS
from reverie.dreamers.fuzz.claims.classes import ClassPromises, Container, class_promises, recognise
from reverie.dreamers.fuzz.claims.conditions import sentences
from reverie.dreamers.fuzz.claims.formulas import formula_laws
from reverie.dreamers.fuzz.claims.kinship import is_inverse, kinship_laws
from reverie.dreamers.fuzz.claims.outcomes import (
    documented_errors,
    error_law,
    own_variables,
    refusal_laws,
    result_laws,
    sentence_laws,
)
from reverie.dreamers.fuzz.claims.subjects import Reading, Subject, measured_callables
from reverie.dreamers.fuzz.law import Basis, Law, LawKind, Variable
from reverie.syntax.nodes import is_stub, names_in, stored_names
from reverie.syntax.parsing import parse_expression, parse_module

_LEAST_WORDS = 6
_TURNED = re.compile(r"^(?P<a>rotate|shift|roll|turn|cycle)_?(?P<side>left|right)$|"
                     r"^(?P<side2>left|right)_?(?P<b>rotate|shift|roll|turn|cycle)$")  # fmt: skip
_EVEN_NAME = re.compile(
    r"^(?:within|is_close|isclose|are|is_same|same|equal|overlap|intersects?|similar|approx"
    r"|distance|almost)(?:_|$)"
)
_EVEN_WORDS = re.compile(
    r"comparing two|two \w+ (?:are|have|overlap|share|match)|considered equal", re.IGNORECASE
)
_NUMBERED = re.compile(r"(?P<stem>[a-z_]*?)_?(?P<number>[12ab])")
_SPAN = re.compile(
    r"(?:number|count|sum|total|amount) of [\w ]{1,40}(?:in|from|between|over)(?: the)?(?: range)? "
    r"\[`*(?P<a>\w+)`*, ?`*(?P<b>\w+)`*\)",
    re.IGNORECASE,
)


def likeness_laws(subject: Subject, reading: Reading) -> Iterator[Law]:
    """All laws of a function that its likeness to others, or to itself, suggests."""
    if not subject.names:
        return
    yield from _told_alike(subject, reading)
    yield from _turned_back(subject, reading)
    yield from _even(subject)
    yield from _added_spans(subject)


def _told_alike(subject: Subject, reading: Reading) -> Iterator[Law]:
    """Two functions that open with the same sentence, and take the same, agree."""
    opening = _opening(subject)
    if len(opening.split()) < _LEAST_WORDS:
        return
    for other in reading.functions.values():
        if other is subject or not other.is_plain or _opening(other) != opening:
            continue
        if other.names != subject.names or other.returns != subject.returns:
            continue
        yield Law(
            LawKind.AGREEMENT,
            subject.qualname,
            f"{subject.name} and {other.name} agree: {opening}",
            "same(result, other)",
            own_variables(subject),
            setup=(f"other = {other.call()}", f"result = {subject.call()}"),
            basis=Basis.NAMED,
        )


def _opening(subject: Subject) -> str:
    found = sentences(subject.doc)
    return found[0] if found else ""


def _turned_back(subject: Subject, reading: Reading) -> Iterator[Law]:
    """Turning left after turning right is turning not at all."""
    found = _TURNED.match(subject.name)
    if found is None or len(subject.required) != 2:
        return
    side = found["side"] or found["side2"]
    other = reading.functions.get(subject.name.replace(side, "right" if side == "left" else "left"))
    if other is None or other.names != subject.names:
        return
    items, steps = (each.name for each in subject.required)
    yield Law(
        LawKind.ROUND_TRIP,
        subject.qualname,
        f"{other.name}({subject.name}({items}, {steps}), {steps}) == {items}",
        f"same(list(back), list({items}))",
        own_variables(subject),
        guard=f"isinstance({items}, (list, tuple, str))",
        setup=(f"result = {subject.call(items, steps)}",),
        steps=(f"back = {other.call('result', steps)}",),
        basis=Basis.NAMED,
        shown="back",
    )


def _even(subject: Subject) -> Iterator[Law]:
    """What is said of two values is said of them in either order."""
    pair = _pair(subject)
    is_told = bool(_EVEN_WORDS.search(subject.doc))
    if pair is None or not (is_told or _EVEN_NAME.match(subject.name)):
        return
    one, two = pair
    swapped = {one: two, two: one}
    given = [swapped.get(each, each) for each in subject.names]
    yield Law(
        LawKind.COMMUTATIVITY,
        subject.qualname,
        f"{subject.call()} == {subject.call(*given)}",
        "same(result, swapped)",
        own_variables(subject),
        setup=(f"result = {subject.call()}",),
        steps=(f"swapped = {subject.call(*given)}",),
        basis=Basis.STATED if is_told else Basis.NAMED,
        shown="swapped",
    )


def _pair(subject: Subject) -> tuple[str, str] | None:
    """The first two parameters, when they are called alike: `dt1, dt2`, `a, b`."""
    if len(subject.required) < 3:
        return None  # two alone are held to it by their names already
    one, two = subject.required[:2]
    first, second = _NUMBERED.fullmatch(one.name), _NUMBERED.fullmatch(two.name)
    if first is None or second is None or first["stem"] != second["stem"]:
        return None
    return one.name, two.name


def _added_spans(subject: Subject) -> Iterator[Law]:
    """What is counted from a to b and from b to c is counted from a to c."""
    found = _SPAN.search(subject.doc)
    if found is None or subject.names[:2] != (found["a"], found["b"]) or len(subject.required) != 2:
        return
    low, high = found["a"], found["b"]
    variables = (*own_variables(subject)[:2], Variable("further", subject.qualname, high))
    yield Law(
        LawKind.FORMULA,
        subject.qualname,
        f"{subject.call(low, high)} + {subject.call(high, 'further')} == {subject.call(low, 'further')}",
        "same(result, whole)",
        variables,
        guard=f"{low} <= {high} <= further",
        setup=(
            f"result = {subject.call(low, high)} + {subject.call(high, 'further')}",
            f"whole = {subject.call(low, 'further')}",
        ),
    )


_OF_CALLERS = frozenset(
    {LawKind.ERROR, LawKind.ARGUMENTS, LawKind.RESULT_TYPE, LawKind.REFUSAL, LawKind.REPEATABILITY}
)
_RELATIONS = frozenset(
    {LawKind.ROUND_TRIP, LawKind.IDEMPOTENCE, LawKind.COMMUTATIVITY, LawKind.FORMULA}
)


@dataclass(frozen=True, slots=True)
class Promises:
    """The laws and models that one callable is held to."""

    laws: tuple[Law, ...]
    containers: tuple[Container, ...]
    classes: tuple[ClassPromises, ...] = ()
    measured: tuple[str, ...] = ()
    """Functions whose cost is measured as their input grows."""


def promises_of(name: str, reading: Reading) -> Promises:
    """What has to hold for a function or a class, and for the functions that it calls."""
    owner = name.partition(".")[0]
    subjects: list[Subject] = []
    classes: list[str] = []
    if owner in reading.classes:
        classes.append(owner)
        subjects += [reading.functions[each] for each in reading.callers(owner)]
    if owner in reading.functions:
        related = (owner, *reading.related(owner))
        subjects += [reading.functions[each] for each in related]
        classes += [each for each in reading.classes
                    if any(each in reading.functions[one].calls for one in related)]  # fmt: skip
    laws: dict[tuple[str, ...], Law] = {}
    for each in subjects:
        for law in laws_of(each, reading):
            if each.name.startswith("_") and each.qualname != owner and law.kind in _OF_CALLERS:
                continue  # what a helper may be given is known to its callers
            laws.setdefault((law.subject, law.check, law.guard, *law.setup, *law.steps), law)
    kept = _without_guesses(tuple(laws.values()))
    containers = [recognise(reading.classes[each]) for each in classes]
    promised = [class_promises(reading.classes[each]) for each in classes]
    return Promises(
        kept,
        tuple(each for each in containers if each is not None),
        tuple(each for each in promised if each is not None),
        measured_callables(owner, reading),
    )


def _without_guesses(laws: tuple[Law, ...]) -> tuple[Law, ...]:
    """What is said of some functions together makes it needless to guess about them."""
    told = {_calls(each) for each in laws if each.basis is Basis.STATED and each.kind in _RELATIONS}
    return tuple(
        each
        for each in laws
        if each.basis is Basis.STATED or each.kind not in _RELATIONS or _calls(each) not in told
    )


def _calls(law: Law) -> tuple[str, ...]:
    tree = parse_module("\n".join((*law.setup, *law.steps)))
    names = [
        each.func.id
        for each in ast.walk(tree)
        if isinstance(each, ast.Call) and isinstance(each.func, ast.Name)
    ]
    return tuple(sorted(names))


def laws_of(subject: Subject, reading: Reading) -> Iterator[Law]:
    """The laws of one function; what is only declared has given its word on nothing yet."""
    if is_stub(subject.node):
        return
    yield from _doctests(subject, reading)
    if not subject.is_plain:
        return
    if not is_inverse(subject) or documented_errors(subject, reading):
        yield error_law(subject, reading)
    yield from refusal_laws(subject)
    yield from formula_laws(subject, reading)
    yield from sentence_laws(subject, reading)
    yield from kinship_laws(subject, reading)
    yield from likeness_laws(subject, reading)
    yield from result_laws(subject)


def _doctests(subject: Subject, reading: Reading) -> Iterator[Law]:
    """The examples of a docstring, each after those before it."""
    try:
        examples = doctest.DocTestParser().get_examples(ast.get_docstring(subject.node) or "")
    except ValueError:
        return
    before: list[str] = []
    for each in examples:
        source, want = _bare(each.source.strip(), reading), each.want.strip()
        if each.exc_msg is not None or "..." in want or not _is_plain(source, before, reading):
            continue
        if want and _is_expression(source):
            yield Law(
                LawKind.EXAMPLE,
                subject.qualname,
                f"{source} is {want}",
                _expected(want),
                setup=tuple(before),
                steps=(f"result = {source}",),
            )
        before.append(source)


def _bare(source: str, reading: Reading) -> str:
    """A line in terms of the module itself: `filesize.decimal(1)` is `decimal(1)`."""
    last = reading.module.rpartition(".")[2]
    return re.sub(rf"(?<![\w.]){re.escape(last)}\.(?=\w)", "", source) if last else source


def _expected(want: str) -> str:
    """The text of an example's answer, or what it stands for."""
    try:
        value = ast.literal_eval(want)
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        return f"repr(result) == {want!r}"
    return f"repr(result) == {want!r} or same(result, {value!r})"


def _is_plain(source: str, before: list[str], reading: Reading) -> bool:
    """Whether a line of an example stands by itself: every name is known."""
    if "\n" in source or "print(" in source or "__future__" in source:
        return False
    try:
        tree = parse_module("\n".join((*before, source)))
    except SyntaxError:
        return False
    bound = stored_names(tree)
    bound |= {each.arg for each in ast.walk(tree) if isinstance(each, ast.arg)}
    for each in ast.walk(tree):
        if isinstance(each, ast.Import | ast.ImportFrom):
            bound |= {(name.asname or name.name).partition(".")[0] for name in each.names}
    used = names_in(tree)
    return used <= bound | reading.names | BUILTINS


def _is_expression(source: str) -> bool:
    try:
        parse_expression(source)
    except SyntaxError:
        return False
    return True
