"""Laws that follow from names and types: one thing done twice, arguments left alone."""

import ast
import re
from collections.abc import Iterator

from reverie.dreamers.fuzz.claims.inverses import inverse_laws, is_inverse
from reverie.dreamers.fuzz.claims.refusals import own_variables
from reverie.dreamers.fuzz.claims.subjects import Reading, Subject
from reverie.dreamers.fuzz.law import Basis, Law, LawKind, Variable

_IDEMPOTENT = re.compile(
    r"^(?:normali[sz]e|canonical\w*|slugify|dedupe|dedup|deduplicate|unique|uniq|clean|sanitize"
    r"|sanitise|strip|squeeze|collapse|simplify|sort|sorted|trim|titlecase|normal)(?:_|$)|_normali[sz]ed?$|_sorted$"
)
_COMMUTATIVE = re.compile(
    r"^(?:gcd|lcm|add|union|intersect\w*|distance|similarity|hamming\w*|levenshtein|edit_distance"
    r"|overlaps?|are_anagrams|is_anagram|equal\w*|jaccard|common\w*|symmetric_\w+|manhattan|euclid\w*)(?:_|$)"
)
_MUTATING = re.compile(
    r"\b(?:in[- ]place|modif(?:y|ies|ied)|mutat\w*|chang(?:e|es|ed)|updates?|updated|fills?|extends?|appends?"
    r"|adds? (?:\w+ )?to|removes? (?:\w+ )?from|pops?|inserts?|sorts? the|shuffles?|consum\w*|clears?"
    r"|sets?|stores?|registers?|push\w*)\b", re.IGNORECASE,
)  # fmt: skip
_UNCHANGED = re.compile(
    r"unchanged|not (?:be )?(?:changed|modified|mutated|touched|altered)|(?:does not|doesn't|never|without)"
    r" (?:change|modif|mutat|touch|alter)\w*|neither argument is|(?:is|are) left (?:alone|as)"
    r"|a new (?:list|dict|dictionary|set|mapping)|pure function|returns? a copy",
    re.IGNORECASE,
)  # fmt: skip
_MUTATORS = re.compile(
    r"^(?:add|append|insert|push|pop|remove|delete|del|update|set|put|sort|shuffle|extend|fill|clear|register"
    r"|apply|swap|heapify|heap\w+|rotate|reverse|move|discard|merge_into|inplace|consume|drain|next|read|write|load|dump)(?:_|$)"
)
_MONOTONE = re.compile(
    r"adding (?:an? |more |another )?(?P<what>\w+) never (?P<how>lowers|reduces|decreases|shrinks|raises|increases)",
    re.IGNORECASE,
)
_VARYING = re.compile(
    r"random|shuffle|sample|choice|token|unique|next|count(?:er|ing)|now|today|current|time|seed"
    r"|stateful|remember|cache|memo|first call|each call|new id|generate",
    re.IGNORECASE,
)
_CHANGING = re.compile(
    r"\b(?:global|nonlocal|random|time|uuid|secrets|os|datetime\.now|today|open|input|next|id)\b"
)
_TWINS = re.compile(
    r"_(?:slow|naive|reference|ref|simple|brute|bruteforce|fast|iter|iterative|recursive|rec|v1|v2|old|new|alt|bf)$"
)


def kinship_laws(subject: Subject, reading: Reading) -> Iterator[Law]:
    """All laws of a function that its relation to others, or to itself, suggests."""
    yield from _unchanged(subject)
    if not subject.is_plain or not subject.names:
        return
    yield from inverse_laws(subject, reading)
    yield from _repeated(subject)
    yield from _swapped(subject)
    yield from _again(subject, reading)
    yield from _twins(subject, reading)
    yield from _growing(subject)


def _repeated(subject: Subject) -> Iterator[Law]:
    told = re.search(r"\bidempotent\b", subject.doc) and not re.search(
        r"not idempotent", subject.doc
    )
    named = _IDEMPOTENT.search(subject.name)
    if not (told or named) or len(subject.required) != 1:
        return
    first = subject.parameters[0]
    if first.annotation is not None and subject.returns not in (None, first.annotation):
        return
    yield Law(
        LawKind.IDEMPOTENCE,
        subject.qualname,
        f"{subject.name}({subject.name}({first.name})) == {subject.name}({first.name})",
        "same(twice, result)",
        own_variables(subject),
        setup=(f"result = {subject.call()}",),
        steps=(f"twice = {subject.call('result', *subject.names[1:])}",),
        basis=Basis.STATED if told else Basis.NAMED,
        shown="twice",
    )


def _swapped(subject: Subject) -> Iterator[Law]:
    told = re.search(r"\bcommutative\b|\bsymmetric\b(?! difference)|order of (?:the )?arguments does not",
                     subject.doc)  # fmt: skip
    told = told if not re.search(r"\bnot (?:commutative|symmetric)", subject.doc) else None
    named = _COMMUTATIVE.search(subject.name)
    anti = re.search(r"\bantisymmetric\b", subject.doc) or (
        re.fullmatch(r"cmp|compare(?:_\w+)?|cmp_\w+", subject.name) and subject.returns == "int"
    )
    if len(subject.required) != 2 or not (told or named or anti):
        return
    one, two = subject.required
    if one.annotation != two.annotation:
        return
    sign = "-" if anti else ""
    swapped = subject.call(two.name, one.name)
    yield Law(
        LawKind.COMMUTATIVITY,
        subject.qualname,
        f"{subject.call(one.name, two.name)} == {sign}{swapped}",
        f"same(result, {sign}swapped)",
        tuple(Variable(each.name, subject.qualname, each.name) for each in (one, two)),
        setup=(f"result = {subject.call(one.name, two.name)}",),
        steps=(f"swapped = {swapped}",),
        basis=Basis.STATED if told else Basis.NAMED,
    )


def _again(subject: Subject, reading: Reading) -> Iterator[Law]:
    """The same arguments give the same result: nothing is left behind by the call before."""
    bodies = [
        subject.node,
        *(reading.functions[each].node for each in reading.related(subject.name)),
    ]
    source = "\n".join(map(ast.unparse, bodies))
    if _VARYING.search(f"{subject.name} {subject.doc}") or _CHANGING.search(source):
        return
    given = ", ".join(f"copy.deepcopy({each})" for each in subject.names)
    yield Law(
        LawKind.REPEATABILITY,
        subject.qualname,
        f"{subject.name} gives the same result for the same arguments",
        "same(again, result)",
        own_variables(subject),
        setup=(f"result = {subject.qualname}({given})",),
        steps=(f"again = {subject.qualname}({given})",),
        shown="again",
    )


def _twins(subject: Subject, reading: Reading) -> Iterator[Law]:
    base = _TWINS.sub("", subject.name)
    for other in reading.functions.values():
        is_twin = other is not subject and _TWINS.sub("", other.name) == base
        if is_twin and other.names == subject.names and other.is_plain:
            yield Law(
                LawKind.AGREEMENT,
                subject.qualname,
                f"{subject.name} and {other.name} agree",
                "same(result, other)",
                own_variables(subject),
                setup=(f"other = {other.call()}",),
                steps=(f"result = {subject.call()}",),
            )


def _growing(subject: Subject) -> Iterator[Law]:
    found = _MONOTONE.search(subject.doc)
    first = subject.parameters[0]
    if found is None or not (first.annotation or "").startswith("list"):
        return
    sign = ">=" if found["how"].lower() in ("lowers", "reduces", "decreases", "shrinks") else "<="
    shorter = subject.call(f"{first.name}[:-1]", *subject.names[1:])
    yield Law(
        LawKind.MONOTONICITY,
        subject.qualname,
        found[0],
        f"result {sign} shorter",
        own_variables(subject),
        guard=f"len({first.name}) > 0",
        setup=(f"shorter = {shorter}", f"result = {subject.call()}"),
    )


def _unchanged(subject: Subject) -> Iterator[Law]:
    """Arguments that nobody says are changed stay as they are."""
    told = _UNCHANGED.search(subject.doc)
    is_loose = _mutates(subject) or subject.name.startswith("_") or is_inverse(subject)
    if not subject.names or (not told and is_loose):
        return
    before = ", ".join(subject.names)
    yield Law(
        LawKind.ARGUMENTS,
        subject.qualname,
        told[0] if told else f"{subject.name} leaves its arguments as they are",
        f"same(({before},), before)",
        own_variables(subject),
        setup=(f"before = copy.deepcopy(({before},))", f"result = {subject.call()}"),
        basis=Basis.STATED,
        shown=f"({before},)",
    )


def _mutates(subject: Subject) -> bool:
    """Whether changing an argument may be what it is for."""
    if _MUTATORS.search(subject.name) or _MUTATING.search(subject.doc):
        return True
    if subject.returns == "None":
        return True
    has_result = any(
        isinstance(each, ast.Return) and each.value is not None for each in ast.walk(subject.node)
    )
    return not has_result
