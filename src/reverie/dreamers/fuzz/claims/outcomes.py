"""Outcomes that a callable promises: errors, results that fit an annotation or a sentence."""

import ast
import re
from collections.abc import Iterator

from reverie.dreamers.fuzz.claims import phrases
from reverie.dreamers.fuzz.claims.conditions import (
    CONDITIONAL,
    HEDGED,
    RULES,
    Said,
    disjuncts,
    is_source,
    sentences,
)
from reverie.dreamers.fuzz.claims.subjects import Reading, Subject, errors_named
from reverie.dreamers.fuzz.law import Basis, Law, LawKind, Variable
from reverie.syntax.parsing import parse_expression
from reverie.syntax.unparsing import unparse

_RAISES = re.compile(
    r"(?:raises?|throws?) (?:an? )?`*(?P<error>[A-Z]\w*)`*,? (?:only )?"
    r"(?P<when>(?:when|if|for|unless)\b(?:[^.\n;]|\.\.|\.(?=\d))*)",
    re.IGNORECASE,
)
_SHORT = re.compile(r"(?P<error>[A-Z]\w*Error) (?P<when>(?:when|if)\b(?:[^.\n;]|\.\.|\.(?=\d))*)")
_SECTION = re.compile(
    r"(?:^|\n):?raises? (?P<error>[A-Z]\w*)\s*:\s*(?P<when>[^\n.]*)", re.IGNORECASE
)
_NEVER = re.compile(
    r"never raises|does not raise|always returns|never fails|raises nothing|total function"
    r"|works for (?:every|any|all)|accepts any",
    re.IGNORECASE,
)
_ALWAYS_TYPICAL = ("NotImplementedError", "KeyboardInterrupt", "SystemExit", "GeneratorExit")


def error_law(subject: Subject, reading: Reading) -> Law:
    """That a call raises nothing but what is documented or raised on purpose."""
    told = documented_errors(subject, reading)
    never = "" if not never_raises(subject) else "never"
    known = "stated" if told else ""
    says = (
        f"{subject.name} raises only {', '.join(sorted(told))}"
        if told
        else f"{subject.name} returns for every argument of the right type"
    )
    return Law(
        LawKind.ERROR,
        subject.qualname,
        says,
        "True",
        variables=own_variables(subject),
        steps=(f"result = {subject.call()}",),
        allowed=(*sorted(told | raised_errors(subject, reading)), *_ALWAYS_TYPICAL),
        shown=never or known,
    )


def documented_errors(subject: Subject, reading: Reading) -> frozenset[str]:
    """Exceptions that its documentation names, or that of what it calls."""
    found = errors_named(ast.get_docstring(subject.node) or "")
    for each in reading.related(subject.qualname):
        found |= errors_named(ast.get_docstring(reading.functions[each].node) or "")
    owner = reading.classes.get(subject.qualname.partition(".")[0])
    for name in subject.calls & set(reading.classes):
        made = reading.classes[name]
        found |= errors_named(made.doc)
        for method in made.methods:
            found |= errors_named(method.doc) | _raised(method)
    return found | (errors_named(owner.doc) if owner is not None else frozenset())


def raised_errors(subject: Subject, reading: Reading) -> frozenset[str]:
    """Exceptions that it raises by itself, or what it calls does."""
    found = _raised(subject)
    for each in reading.related(subject.qualname):
        found |= _raised(reading.functions[each])
    return found


def never_raises(subject: Subject) -> bool:
    """Whether it says that it always comes to a result."""
    return bool(_NEVER.search(subject.doc)) and not re.search(r"\braises? [A-Z]", subject.doc)


def refusal_laws(subject: Subject) -> Iterator[Law]:
    """That a call raises what it says it raises, when it says so."""
    seen: set[str] = set()
    for pattern in (_RAISES, _SHORT, _SECTION):
        for found in pattern.finditer(subject.doc):
            when = re.sub(r"^(?:when|if|for) ", "", found["when"].strip())
            when = re.split(r",? and (?:an? )?(?=[A-Z]\w*Error)", when)[0]
            if found["when"].lower().startswith("unless"):
                continue
            for text in disjuncts(when, subject.parameters):
                if text not in seen:
                    seen.add(text)
                    yield _refusal(subject, found["error"], text)


def own_variables(subject: Subject) -> tuple[Variable, ...]:
    """Its parameters, as variables of a law."""
    return tuple(Variable(each, subject.qualname, each) for each in subject.names)


def _refusal(subject: Subject, error: str, when: str) -> Law:
    """Another documented error will do: two conditions may hold at once."""
    others = sorted(errors_named(ast.get_docstring(subject.node) or "") - {error})
    rest = "".join(f" or {each!r} in raised" for each in others)
    return Law(
        LawKind.REFUSAL,
        subject.qualname,
        f"{subject.name} raises {error} when {when}",
        f"{error!r} in raised{rest}",
        variables=own_variables(subject),
        guard=when,
        setup=(f"raised = errors_of(lambda: {subject.call()})",),
        basis=Basis.STATED,
        shown="raised[0] if raised else 'no error'",
    )


def _raised(subject: Subject) -> frozenset[str]:
    found = set()
    for node in ast.walk(subject.node):
        if isinstance(node, ast.Raise) and node.exc is not None:
            target = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
            found.add(unparse(target).rpartition(".")[2])
    return frozenset(found)


_PLAIN = {
    "int": "isinstance({0}, int)", "str": "isinstance({0}, str)", "bool": "isinstance({0}, bool)",
    "float": "isinstance({0}, (int, float))", "bytes": "isinstance({0}, bytes)",
    "list": "isinstance({0}, list)", "dict": "isinstance({0}, dict)", "set": "isinstance({0}, set)",
    "tuple": "isinstance({0}, tuple)", "frozenset": "isinstance({0}, frozenset)",
    "None": "{0} is None", "complex": "isinstance({0}, (int, float, complex))",
}  # fmt: skip


def result_laws(subject: Subject) -> Iterator[Law]:
    """That results are of the type that the annotation says."""
    node = subject.node.returns
    if (
        node is None
        or not subject.is_plain
        or subject.is_lazy
        or (isinstance(node, ast.Constant) and node.value is None)
    ):
        return
    check = type_check(node, "result")
    if check is None:
        return
    yield Law(
        LawKind.RESULT_TYPE,
        subject.qualname,
        f"{subject.name} returns {unparse(node)}",
        check,
        own_variables(subject),
        setup=(f"result = {subject.call()}",),
    )


def type_check(node: ast.expr, value: str, depth: int = 0) -> str | None:
    """The condition that a value is of an annotated type; None for what is not understood."""
    match node:
        case ast.Constant(None):
            return f"{value} is None"
        case ast.Constant(str() as text):
            return _of_text(text, value, depth)
        case ast.Name(name):
            return _PLAIN[name].format(value) if name in _PLAIN else None
        case ast.BinOp(left, ast.BitOr(), right):
            parts = [type_check(each, value, depth) for each in (left, right)]
            return None if None in parts else f"({parts[0]} or {parts[1]})"
        case ast.Subscript(ast.Name("Optional"), inner):
            part = type_check(inner, value, depth)
            return None if part is None else f"({value} is None or {part})"
        case ast.Subscript(ast.Name(name), inner) if name in _PLAIN and depth < 2:
            return _container(name, inner, value, depth)
    return None


def _of_text(text: str, value: str, depth: int) -> str | None:
    try:
        return type_check(parse_expression(text), value, depth)
    except SyntaxError:
        return None


def _container(name: str, inner: ast.expr, value: str, depth: int) -> str | None:
    whole = _PLAIN[name].format(value)
    item = f"each_{depth}"
    match name, inner:
        case "tuple", ast.Tuple(elts=[first, ast.Constant(value=last)]) if last is Ellipsis:
            part = type_check(first, item, depth + 1)
        case "tuple", ast.Tuple(elts=elements):
            parts = [
                type_check(each, f"{value}[{at}]", depth + 1) for at, each in enumerate(elements)
            ]
            known = "".join(f" and {each}" for each in parts if each is not None)
            return f"({whole} and len({value}) == {len(elements)}{known})"
        case "dict", _:
            return whole
        case _:
            part = type_check(inner, item, depth + 1)
    return whole if part is None else f"({whole} and all({part} for {item} in {value}))"


_PROMISED = re.compile(r"^(?:len\((?P<empty>\w+)\) > 0|(?P<zero>\w+) != 0) or ")
PHRASES = (phrases,)
"""The module that adds its rules when it is loaded."""


def sentence_laws(subject: Subject, reading: Reading) -> Iterator[Law]:
    """The laws that the sentences of a docstring state."""
    seen: set[str] = set()
    for number, text in enumerate(sentences(subject.doc)):
        said = Said(subject, text, number == 0)
        if CONDITIONAL.search(text) or HEDGED.search(text):
            continue
        for pattern, make, kind in RULES:
            for found in pattern.finditer(text):
                check = make(said, found)
                if check is None or check in seen or not is_source(check):
                    continue
                seen.add(check)
                yield postcondition(subject, text, check, kind)
    yield from _component_laws(subject, reading)


def postcondition(subject: Subject, text: str, check: str, kind: LawKind) -> Law:
    """That a condition holds after every call that returns.

    A result that is promised for one argument has to come: there an error breaks the law as well.
    """
    call = f"result = {subject.call()}"
    promised = _PROMISED.match(check)
    if promised is None:
        return Law(
            kind, subject.qualname, text.strip(), check, own_variables(subject), setup=(call,)
        )
    guard = f"len({promised['empty']}) == 0" if promised["empty"] else f"{promised['zero']} == 0"
    told = tuple(sorted(errors_named(ast.get_docstring(subject.node) or "")))
    return Law(
        kind,
        subject.qualname,
        text.strip(),
        check[promised.end() :],
        own_variables(subject),
        guard,
        steps=(call,),
        allowed=told,
    )


def _component_laws(subject: Subject, reading: Reading) -> Iterator[Law]:
    """`the denominator is positive`, where a result is a (numerator, denominator)."""
    names = _components(subject, reading)
    for text in sentences(subject.doc):
        if CONDITIONAL.search(text):
            continue
        for place, name in enumerate(names):
            word = re.escape(name)
            found = re.search(
                rf"\b{word} is (?:always )?(?P<a>positive|non-?negative|negative)"
                rf"|\b(?P<b>positive|non-?negative|negative) {word}\b", text, re.IGNORECASE,
            )  # fmt: skip
            if found is None:
                continue
            sign = {"positive": "> 0", "negative": "< 0"}.get(
                (found["a"] or found["b"]).lower(), ">= 0"
            )
            yield postcondition(subject, text, f"result[{place}] {sign}", LawKind.POSTCONDITION)


def _components(subject: Subject, reading: Reading) -> tuple[str, ...]:
    returned = re.fullmatch(r"tuple\[(.*)\]", subject.returns or "")
    if returned is None:
        return ()
    many = len(returned[1].split(","))
    for text in (subject.doc, reading.doc):
        for found in re.finditer(r"\((\w+(?:, \w+)+)\)", text):
            names = tuple(found[1].split(", "))
            if len(names) == many and all(each.isidentifier() for each in names):
                return names
    return subject.names if len(subject.names) == many else ()
