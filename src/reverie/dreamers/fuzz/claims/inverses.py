"""Pairs of functions that undo each other, by their names or by what is said of them."""

import re
from collections.abc import Iterator

from reverie.dreamers.fuzz.claims.preconditions import is_unit
from reverie.dreamers.fuzz.claims.subjects import Reading, Subject
from reverie.dreamers.fuzz.law import Basis, Law, LawKind, Variable

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
    for pattern in (_INVERSE, _UNDOES):
        for found in pattern.finditer(subject.doc):
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
    """Many texts mean the same: what is read, written and read once more has not changed."""
    made, taken = calls
    first = maker.names[0]
    again = made.replace(f"({first}", "(written", 1)
    return Law(
        LawKind.ROUND_TRIP,
        subject.qualname,
        f"{maker.name}({taker.name}(value)) == value, for value = {maker.name}({first})",
        "same(again, made)",
        variables,
        setup=(f"made = {made}",),
        steps=(f"written = {taken}", f"again = {again}"),
        basis=basis,
        shown="again",
    )


def _kept_by(taker: Subject, first: str) -> str:
    """What order and repetition a way back can still know: none, when its results are sorted."""
    if not re.search(r"\breturns? (?:a |the )?(?:new )?sorted list\b", taker.doc, re.IGNORECASE):
        return "True"
    return f"not isinstance({first}, list) or {first} == sorted(set({first}))"
