"""Laws that follow from names and types: pairs that undo each other, one thing done twice."""

import ast
import re
from collections.abc import Iterator

from reverie.dreamers.fuzz.claims.conditions import HEDGED, sentences
from reverie.dreamers.fuzz.claims.outcomes import own_variables
from reverie.dreamers.fuzz.claims.subjects import Reading, Subject, is_unit
from reverie.dreamers.fuzz.law import Basis, Law, LawKind, Variable
from reverie.syntax.unparsing import unparse

_PAIRS = (
    ("encode", "decode"), ("dumps", "loads"), ("dump", "load"), ("pack", "unpack"),
    ("compress", "decompress"), ("quote", "unquote"), ("escape", "unescape"),
    ("serialize", "deserialize"), ("serialise", "deserialise"), ("encrypt", "decrypt"),
    ("join", "split"), ("format", "parse"), ("to", "from"), ("render", "parse"),
    ("marshal", "unmarshal"), ("flatten", "unflatten"), ("zip", "unzip"), ("to_string", "parse"),
    ("write", "read"), ("stringify", "parse"), ("encode", "parse"), ("unparse", "parse"),
    ("wrap", "unwrap"), ("shift", "unshift"), ("obfuscate", "deobfuscate"),
)  # fmt: skip
_STRICT = frozenset({"encode", "dumps", "pack", "compress", "quote", "escape", "serialize",
                     "serialise", "encrypt", "marshal", "to"})  # fmt: skip
_READS = re.compile(r"^(?:parse|loads?|read|scan)(?:_|$)")
_INVERSE = re.compile(
    r"\b(?:the )?(?:inverse|reverse|opposite|counterpart) of :?\w*:?`?(?P<name>\w+)", re.IGNORECASE
)
_UNDOES = re.compile(r"\b(?:undoes|inverts|reverses) :?\w*:?`?(?P<name>\w+)", re.IGNORECASE)


def is_inverse(subject: Subject) -> bool:
    """Whether it is only meant for what another function makes."""
    return bool(_INVERSE.search(subject.doc) or _UNDOES.search(subject.doc))


def inverse_laws(subject: Subject, reading: Reading) -> Iterator[Law]:
    """That one function gives back what another has made."""
    for text in sentences(subject.doc):
        found = _INVERSE.search(text) or _UNDOES.search(text)
        if found is None or HEDGED.search(text):
            continue
        other = reading.functions.get(found["name"])
        if other is not None and other is not subject:
            yield from _round_trip(other, subject, subject, Basis.STATED)
    for other in reading.functions.values():
        if other is subject:
            continue
        if _are_pair(subject.name, other.name):
            yield from _several_back(subject, other, subject, reading)
        elif _are_pair(other.name, subject.name):
            yield from _several_back(other, subject, subject, reading)
        if (how := _are_pair(subject.name, other.name)) and _types_fit(subject, other):
            yield from _round_trip(subject, other, subject, how)
        if (how := _are_pair(other.name, subject.name)) and _types_fit(other, subject):
            yield from _round_trip(other, subject, subject, how)


def _are_pair(one: str, other: str) -> Basis | None:
    """Whether `one` makes what `other` takes back, by their names."""
    for first, second in _PAIRS:
        if first in _STRICT and first != "to" and one.replace(first, second, 1) == other != one:
            return Basis.NAMED
        for made, taken in (
            (first, second),
            (f"{first}_", f"{second}_"),
            (f"_{first}", f"_{second}"),
        ):
            if (
                re.search(rf"(?:^|_){re.escape(made.strip('_'))}(?:_|$)", one)
                and one.replace(made.strip("_"), taken.strip("_"), 1) == other
            ):
                return Basis.NAMED
    swapped = re.fullmatch(r"(\w+?)_?(?:2|to)_?(\w+)", one)
    if (
        swapped is not None
        and "_" in one + "_"
        and other
        in (
            f"{swapped[2]}_to_{swapped[1]}",
            f"{swapped[2]}2{swapped[1]}",
        )
    ):
        return Basis.NAMED
    return None


def _several_back(
    maker: Subject, taker: Subject, subject: Subject, reading: Reading
) -> Iterator[Law]:
    """`hsv_to_rgb(*rgb_to_hsv(r, g, b))`: as many values back as were given."""
    many = len(maker.required)
    if many < 2 or len(taker.required) != many or len(maker.names) != many:
        return
    if not is_unit(maker, reading) and any(each.annotation is None for each in maker.parameters):
        return  # nobody says which values are meant
    given = f"({', '.join(maker.names)})"
    yield Law(
        LawKind.ROUND_TRIP,
        subject.qualname,
        f"{taker.name}(*{maker.call()}) == {given}",
        f"all(math.isclose(one, two, abs_tol=1e-6) for one, two in zip(result, {given}))",
        tuple(Variable(each, maker.qualname, each) for each in maker.names),
        setup=(f"made = {maker.call()}",),
        steps=(f"result = {taker.qualname}(*made)",),
        basis=Basis.STATED if is_unit(maker, reading) else Basis.NAMED,
    )


def _types_fit(maker: Subject, taker: Subject) -> bool:
    if len(maker.required) != 1 or len(taker.required) != 1:
        return False
    made, taken = maker.returns, taker.parameters[0].annotation
    return made is None or taken is None or made == taken


def _round_trip(maker: Subject, taker: Subject, subject: Subject, basis: Basis) -> Iterator[Law]:
    required = {each.name for each in (*maker.required, *taker.required)}
    shared = [each for each in maker.names[1:] if each in taker.names and each in required]
    if not maker.names or not taker.names or len(maker.required) > 1 + len(shared):
        return
    rest = [f"{each}={each}" for each in shared]
    first = maker.names[0]
    variables = tuple(Variable(each, maker.qualname, each) for each in (first, *shared))
    made = f"{maker.qualname}({', '.join([first, *rest])})"
    taken = f"{taker.qualname}({', '.join(['made', *rest])})"
    if _READS.match(maker.name):
        yield _read_again(maker, taker, subject, (made, taken), variables, basis)
        return
    is_typed = basis is Basis.STATED or maker.parameters[0].annotation is not None
    alike = "" if is_typed else f"not akin(result, {first}) or "
    yield Law(
        LawKind.ROUND_TRIP,
        subject.qualname,
        f"{taker.name}({maker.name}({first})) == {first}",
        f"{alike}same(result, {first})",
        variables,
        guard=_kept_by(taker, first),
        setup=(f"made = {made}",),
        steps=(f"result = {taken}",),
        basis=basis,
    )


def _read_again(
    maker: Subject,
    taker: Subject,
    subject: Subject,
    calls: tuple[str, str],
    variables: tuple[Variable, ...],
    basis: Basis,
) -> Law:
    """Many texts mean the same: what was read, written and read does not change any more."""
    made, taken = calls
    first = maker.names[0]
    once, again = (made.replace(f"({first}", f"({each}", 1) for each in ("written", "rewritten"))
    rewritten = taken.replace("(made", "(once", 1)
    return Law(
        LawKind.ROUND_TRIP,
        subject.qualname,
        f"{maker.name}({taker.name}(value)) == value, for value = {maker.name}({first})",
        "same(again, once)",
        variables,
        setup=(f"made = {made}",),
        steps=(
            f"written = {taken}",
            f"once = {once}",
            f"rewritten = {rewritten}",
            f"again = {again}",
        ),
        basis=basis,
        shown="again",
    )


def _kept_by(taker: Subject, first: str) -> str:
    """What order and repetition a way back can still know: none, when its results are sorted."""
    if not re.search(r"\breturns? (?:a |the )?(?:new )?sorted list\b", taker.doc, re.IGNORECASE):
        return "True"
    return f"not isinstance({first}, list) or {first} == sorted(set({first}))"


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
    others = subject.names[1:] if told else ()  # a name promises it of the plain call alone
    yield Law(
        LawKind.IDEMPOTENCE,
        subject.qualname,
        f"{subject.name}({subject.name}({first.name})) == {subject.name}({first.name})",
        "same(twice, result)",
        own_variables(subject)[: 1 + len(others)],
        setup=(f"result = {subject.call(first.name, *others)}",),
        steps=(f"twice = {subject.call('result', *others)}",),
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
    source = "\n".join(map(unparse, bodies))
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
                "same(result, other) or not same(other, again)",
                own_variables(subject),
                setup=(f"other = {other.call()}", f"again = {other.call()}"),
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
