"""Sentences of documentation that say something of every result, as conditions in Python."""

import ast
import re
from collections.abc import Iterator

from reverie.dreamers.fuzz.claims.phrases import empties, numbers, order, parts, texts
from reverie.dreamers.fuzz.claims.refusals import own_variables
from reverie.dreamers.fuzz.claims.saying import CONDITIONAL, RULES, Said, is_source, sentences
from reverie.dreamers.fuzz.claims.subjects import Reading, Subject, errors_named
from reverie.dreamers.fuzz.law import Law, LawKind

_PROMISED = re.compile(r"^(?:len\((?P<empty>\w+)\) > 0|(?P<zero>\w+) != 0) or ")
PHRASES = (numbers, order, texts, empties, parts)
"""Modules that add their rules when they are loaded."""


def sentence_laws(subject: Subject, reading: Reading) -> Iterator[Law]:
    """The laws that the sentences of a docstring state."""
    seen: set[str] = set()
    for number, text in enumerate(sentences(subject.doc)):
        said = Said(subject, text, number == 0)
        if CONDITIONAL.search(text):
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
