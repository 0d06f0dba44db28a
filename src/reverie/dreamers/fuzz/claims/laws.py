"""Everything that a module promises about one of its callables, and about what that relies on."""

import ast
import builtins
import doctest
import re
from collections.abc import Iterator
from dataclasses import dataclass

from reverie.dreamers.fuzz.claims.annotations import result_laws
from reverie.dreamers.fuzz.claims.classes import ClassPromises, class_promises
from reverie.dreamers.fuzz.claims.containers import Container, recognise
from reverie.dreamers.fuzz.claims.costs import measured_callables
from reverie.dreamers.fuzz.claims.formulas import formula_laws
from reverie.dreamers.fuzz.claims.inverses import is_inverse
from reverie.dreamers.fuzz.claims.kinship import kinship_laws
from reverie.dreamers.fuzz.claims.likeness import likeness_laws
from reverie.dreamers.fuzz.claims.refusals import documented_errors, error_law, refusal_laws
from reverie.dreamers.fuzz.claims.sentences import sentence_laws
from reverie.dreamers.fuzz.claims.subjects import Reading, Subject
from reverie.dreamers.fuzz.law import Basis, Law, LawKind

_BUILTINS = frozenset(dir(builtins))
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
    tree = ast.parse("\n".join((*law.setup, *law.steps)))
    names = [
        each.func.id
        for each in ast.walk(tree)
        if isinstance(each, ast.Call) and isinstance(each.func, ast.Name)
    ]
    return tuple(sorted(names))


def laws_of(subject: Subject, reading: Reading) -> Iterator[Law]:
    """The laws of one function."""
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
        tree = ast.parse("\n".join((*before, source)))
    except SyntaxError:
        return False
    bound = {each.id for each in ast.walk(tree)
             if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}  # fmt: skip
    bound |= {each.arg for each in ast.walk(tree) if isinstance(each, ast.arg)}
    for each in ast.walk(tree):
        if isinstance(each, ast.Import | ast.ImportFrom):
            bound |= {(name.asname or name.name).partition(".")[0] for name in each.names}
    used = {each.id for each in ast.walk(tree) if isinstance(each, ast.Name)}
    return used <= bound | reading.names | _BUILTINS


def _is_expression(source: str) -> bool:
    try:
        ast.parse(source, mode="eval")
    except SyntaxError:
        return False
    return True
