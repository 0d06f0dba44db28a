"""Values that people use for each parameter of a module, the best source first.

In this order: examples of the callee's own docs; the same parameter elsewhere in the module; calls
in tests, docs and the package, and columns of data files; constants, literals and defaults; what
its docs quote; comments; the catalogue by what a parameter is called; the catalogue by its type.

Where a value comes from decides whether a test may have it at all. The catalogue serves only
parameters of which somebody wrote down the type, and its texts only those whose name says what
they are: a guessed type is no reason to give anything. Words that docs quote are examples only
where no call shows one.
"""

import ast
import builtins
import datetime
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from reverie.dreamers.enrich.naturalising import mining
from reverie.dreamers.enrich.naturalising.inside.naturalness import Familiar
from reverie.dreamers.enrich.naturalising.parameters import (
    Signature,
    Signatures,
    Slot,
    signatures_of,
    typical_values,
)
from reverie.dreamers.enrich.search.answers import Names, imported_names, own_names
from reverie.dreamers.enrich.search.examples import Renaming, parsed, sources_about
from reverie.dreamers.enrich.search.search import MODULES
from reverie.dreamers.enrich.target import Target
from reverie.inputs.literals import texts_for
from reverie.syntax.parsing import parse_expression, parse_module
from reverie.syntax.unparsing import unparse

_DOCS, _MODULE, _CALLS, _ELSEWHERE, _DATA, _CODE, _PROSE, _COMMENTS, _ROLE, _TYPE = range(10)
_GIVEN = (_DOCS, _CALLS, _CODE)
_SHOWN = (_DOCS, _CALLS)
_GENERIC = frozenset({
    "text", "value", "s", "string", "name", "data", "obj", "item", "items", "x", "y", "a", "b", "n",
    "key", "args", "kwargs", "val", "val1", "val2", "d", "dct", "iterable", "seq", "other", "self",
    "func", "f", "fn", "function", "arg", "line", "names", "strings", "texts", "values", "input",
})  # fmt: skip
"""What so many parameters are called says nothing outside of their module."""
_HOLDERS = frozenset({
    "array", "arrays", "list", "values", "elements", "rows", "row", "columns", "chars", "sequence",
    "options", "params", "parameters", "content", "contents", "parts", "fields", "objects", "size",
    "width", "count", "type", "kind", "mode", "format", "style", "flags",
})  # fmt: skip
"""What says how something is held, or how it is done, and not what it is: each callable means
something of its own by it."""
_MOST = 30
_MOST_OTHERS = 60
_LONGEST = 60
_FLEETING = re.compile(r"\b(?:today|now|utcnow|time|urandom|random|getcwd|environ)\(")
_PEOPLE = re.compile(
    r"(?<!_)author(?!_)|person|people|reader|customer|surname|player|student|employee|patient"
    r"|(?:first|last|full|given|family)[_ ]?name|guest|greet|titlecase|initials",
    re.IGNORECASE,
)
_LIMITS = re.compile(r"\b(?:nan|inf|isnan|isinf|isfinite|NaN|infinity)\b", re.IGNORECASE)
_TEXTUAL = ("", "str", "Any", "object", "AnyStr", "LiteralString", "Text")
_PLAIN: dict[str, type | tuple[type, ...]] = {
    "str": str,
    "int": int,
    "float": (int, float),
    "bool": bool,
    "bytes": bytes,
}


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of one module's values."""

    roles: Mapping[tuple[str, str], tuple[str, ...]]
    """Sources by the last part of a callee's name and its parameter, the best first."""
    texts: tuple[str, ...] = ()
    numbers: tuple[float, ...] = ()
    tokens: tuple[str, ...] = ()
    firm: frozenset[tuple[str, str]] = frozenset()
    """Roles of which somebody has shown a value; of others there is only the catalogue."""
    given: Mapping[tuple[str, str], frozenset[str]] = field(default_factory=dict)
    """What docs, tests and callers have given a callable itself for a parameter."""
    patterns: Mapping[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)
    """Regular expressions that texts of a role are held against, where nobody shows a text."""
    speaks_of_limits: bool = False
    """Whether the module is about numbers that are none, or without end."""
    signatures: Signatures = field(default_factory=lambda: Signatures({}))
    foreign: frozenset[tuple[str, str]] = frozenset()
    """Roles whose annotation asks for objects: no number and no text is one."""
    lines: frozenset[str] = frozenset()
    """Calls as they stand in docs, tests and callers."""
    written: frozenset[str] = frozenset()
    """Texts that stand there, given or expected."""
    own: frozenset[str] = frozenset()
    """Names of the module."""
    asked: frozenset[str] = frozenset()
    """Fields and methods that docs and tests look at."""
    calls: Mapping[str, Sequence[Mapping[str, frozenset[str]]]] = field(default_factory=dict)
    """What stands together in docs and tests: of each call of a callable its arguments by name."""

    @property
    def familiar(self) -> Familiar:
        """The same, to judge single values with."""
        return Familiar(list(self.texts), list(self.numbers), list(self.tokens))

    def document(self) -> dict[str, Any]:
        """For the sandbox."""
        return {
            "roles": [[*role, list(several)] for role, several in self.roles.items()],
            "texts": list(self.texts),
            "numbers": list(self.numbers),
            "tokens": list(self.tokens),
            "firm": [list(role) for role in sorted(self.firm)],
            "patterns": [[*role, list(several)] for role, several in self.patterns.items()],
        }

    def with_texts(self, made: Any) -> "Known":
        """The same with texts that the sandbox has made for patterns; what is amiss is left out."""
        roles = dict(self.roles)
        for each in made if isinstance(made, list) else ():
            match each:
                case [str(callee), str(parameter), list(texts)] if (
                    callee,
                    parameter,
                ) in self.patterns:
                    role = callee, parameter
                    plain = [text for text in texts if _is_plain_text(text)]
                    roles[role] = tuple(dict.fromkeys((*map(repr, plain), *roles.get(role, ()))))
        return replace(self, roles=roles)


def _is_plain_text(text: Any) -> bool:
    return isinstance(text, str) and 0 < len(text) <= _LONGEST and text.isprintable()


@dataclass(slots=True)
class _Ranked:
    """Values as they come in, by role and by the rank of their source."""

    by_role: dict[tuple[str, str], dict[str, int]] = field(default_factory=dict)
    by_name: dict[str, dict[str, int]] = field(default_factory=dict)
    lines: set[str] = field(default_factory=set)
    written: set[str] = field(default_factory=set)
    calls: dict[str, list[dict[str, set[str]]]] = field(default_factory=dict)
    asked: set[str] = field(default_factory=set)
    is_of_people: bool = True
    """Whether the module speaks of people: then a name is one of theirs."""

    def put(self, rank: int, callee: str, parameter: str, source: str) -> None:
        """Keep a value under its best rank."""
        several = self.by_role.setdefault((callee, parameter), {})
        several[source] = min(rank, several.get(source, rank))

    def put_name(self, rank: int, parameter: str, source: str) -> None:
        """Keep a value for all parameters of a name."""
        several = self.by_name.setdefault(parameter, {})
        several[source] = min(rank, several.get(source, rank))


def known_values(target: Target) -> Known:
    """Everything that is known of a module's values; nothing of it is imported."""
    tree = parse_module(target.source)
    names = Names(own_names(tree), imported_names(tree, target.package), MODULES)
    others = _other_sources(target)
    helpers = imported_names(tree, target.package)
    signatures = signatures_of(target.source, others, helpers, frozenset({target.package}))
    ranked = _Ranked(is_of_people=_PEOPLE.search(" ".join(_identifiers(tree))) is not None)
    _from_scripts(target, tree, others, signatures, ranked)
    _from_prose(target, tree, signatures, ranked)
    _from_code(tree, signatures, ranked)
    wanted = frozenset(slot.name for each in signatures.by_name.values() for slot in each.slots)
    if target.repository is not None:
        for name, text in mining.in_data_files(Path(target.repository), wanted - _GENERIC):
            ranked.put_name(_DATA, name, repr(text))
    return _joined(target, tree, signatures, ranked, names)


def _identifiers(tree: ast.AST) -> Iterator[str]:
    """What the code names: a licence may thank its authors."""
    for node in ast.walk(tree):
        match node:
            case ast.arg(arg=name) | ast.Attribute(attr=name) | ast.Name(id=name):
                yield name
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield name


def _other_sources(target: Target) -> list[str]:
    base = Path(target.import_root, target.package)
    found = []
    for path in sorted(base.rglob("*.py"))[:_MOST_OTHERS] if base.is_dir() else ():
        if str(path) != target.path:
            try:
                found.append(path.read_text("utf-8"))
            except (OSError, UnicodeDecodeError):
                continue
    return found


def _from_scripts(
    target: Target,
    tree: ast.Module,
    others: Sequence[str],
    signatures: Signatures,
    ranked: _Ranked,
) -> None:
    """Doctests, the read-me, tests, and calls within the package."""
    several = [*sources_about(target), ("call_site", target.source)]
    several += [("call_site", each) for each in others]
    callees = re.compile(rf"\b(?:{'|'.join(map(re.escape, signatures.by_name)) or '$'})\(")
    for origin, source in several:
        script = parsed(source) if callees.search(source) else None
        if script is None:
            continue
        rename = Renaming.of(script, target, tree)
        ranked.lines.update(mining.whole_calls(script, signatures, rename.line))
        ranked.written.update(_texts_in(script))
        together: dict[tuple[str, int], dict[str, set[str]]] = {}
        for each in mining.called_with(script, signatures, rename.line):
            one = together.setdefault((each.callee, each.place), {})
            one.setdefault(each.parameter, set()).add(_one_way(each.source))
            rank = _DOCS if origin == "doctest" else _CALLS
            ranked.put(rank, each.callee, each.parameter, each.source)
            is_own = signatures.by_name[each.callee].is_own
            if is_own and origin == "doctest":
                ranked.put_name(_MODULE, each.parameter, each.source)
            elif is_own or each.parameter not in _GENERIC:
                ranked.put_name(_ELSEWHERE, each.parameter, each.source)
        if origin != "call_site":
            ranked.asked.update(each.attr for each in ast.walk(script)
                                if isinstance(each, ast.Attribute))  # fmt: skip
        for (callee, _), one in together.items() if origin != "call_site" else ():
            ranked.calls.setdefault(callee, []).append(one)


def _one_way(source: str) -> str:
    try:
        return unparse(parse_expression(source))
    except SyntaxError:
        return source


def _texts_in(script: ast.AST) -> Iterator[str]:
    for node in ast.walk(script):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _from_prose(target: Target, tree: ast.Module, signatures: Signatures, ranked: _Ranked) -> None:
    """Examples that docstrings and comments quote, for parameters that take texts."""
    for each in signatures.own:
        # What the prose quotes is given first of all; a separator is not what it shows.
        textual = [slot for slot in each.slots if _is_textual(slot)]
        slots = [slot for slot in textual if slot.is_required][:1] or textual[:1]
        names = {slot.name for slot in each.slots} | set(signatures.by_name)
        first, last = each.node.lineno, each.node.end_lineno or each.node.lineno
        in_docs = list(mining.texts_in_prose(each.document))
        commented = list(mining.texts_in_comments(target.source, first, last))
        for slot in slots:
            for rank, texts in ((_PROSE, in_docs), (_COMMENTS, commented)):
                for text in texts:
                    if text not in names:
                        ranked.put(rank, each.callee, slot.name, repr(text))


def _from_code(tree: ast.Module, signatures: Signatures, ranked: _Ranked) -> None:
    for each in signatures.own:
        for mention in mining.compared_with(each):
            ranked.put(_CODE, mention.callee, mention.parameter, mention.source)
        for slot in each.slots:
            for source in _declared(slot):
                ranked.put(_CODE, each.callee, slot.name, source)
    for name, source in mining.listed_by_name(tree):
        ranked.put_name(_CODE, name, source)


def _declared(slot: Slot) -> Iterator[str]:
    """The values of a `Literal`; the default where it is not None."""
    try:
        annotation = parse_expression(slot.annotation or "None")
    except SyntaxError:
        return
    for node in ast.walk(annotation):
        match node:
            case ast.Subscript(value=ast.Name(id="Literal") | ast.Attribute(attr="Literal")):
                inner = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
                yield from (unparse(each) for each in inner)
    if isinstance(slot.default, ast.Constant) and slot.default.value is not None:
        yield unparse(slot.default)


def _is_textual(slot: Slot) -> bool:
    kinds = [each.strip() for each in slot.annotation.split("|")]
    return any(each in _TEXTUAL for each in kinds)


# -- together ---------------------------------------------------------------------------------


def _joined(
    target: Target, tree: ast.Module, signatures: Signatures, ranked: _Ranked, names: Names
) -> Known:
    roles: dict[tuple[str, str], tuple[str, ...]] = {}
    shown: dict[str, None] = {}
    firm: set[tuple[str, str]] = set()
    every = [*signatures.methods.values(), *signatures.by_name.values()]
    kin = _by_type(every, ranked)
    for signature in every:
        for slot in signature.slots if signature.callee != "__init__" else ():
            role = signature.callee, slot.name
            found = _ordered(signature, slot, ranked, names)
            if found and slot.annotation in kin and all(rank == _TYPE for _, rank in found):
                found = [(each, _ELSEWHERE) for each in kin[slot.annotation]]
            best = [source for source, rank in found if rank <= _COMMENTS]
            if best:
                firm.add(role)
            if signature.is_own:
                for source in best:
                    shown.setdefault(source)
            roles[role] = tuple(source for source, _ in found)[:_MOST]
    composed = dict(_composed(signatures, roles, names))
    roles.update(composed)
    firm.update(composed)
    tokens = mining.tokens_of(tree)
    texts, numbers = _parts(shown)
    compiled = mining.patterns_compiled(tree)
    return Known(
        roles,
        tuple(dict.fromkeys(texts)),
        tuple(dict.fromkeys((*numbers, *mining.bounds_of(tree)))),
        tokens,
        frozenset(firm),
        {
            role: _plain(source for source, rank in several.items() if rank in _GIVEN)
            for role, several in ranked.by_role.items()
        },
        {
            (each.callee, slot.name): patterns
            for each in signatures.own
            for patterns in [mining.patterns_met(compiled, each)]
            for slot in each.slots
            if patterns and _is_textual(slot) and (each.callee, slot.name) not in firm
        },
        _LIMITS.search(target.source) is not None,
        signatures,
        frozenset(_foreign(tree, signatures)),
        frozenset(ranked.lines),
        frozenset(ranked.written),
        names.own,
        frozenset(ranked.asked),
        {
            callee: [{name: frozenset(each) for name, each in one.items()} for one in several]
            for callee, several in ranked.calls.items()
        },
    )


def _by_type(every: Sequence[Signature], ranked: _Ranked) -> dict[str, list[str]]:
    """Objects that people give for parameters of a type: better than any that would be made up."""
    found: dict[str, dict[str, None]] = {}
    for signature in every:
        for slot in signature.slots:
            kinds = {each.strip() for each in slot.annotation.split("|")}
            if slot.is_described and not kinds & {*_PLAIN, *_ANYTHING}:
                for source, rank in ranked.by_role.get((signature.callee, slot.name), {}).items():
                    if rank in _SHOWN and not source.isidentifier():
                        found.setdefault(slot.annotation, {}).setdefault(source)
    return {annotation: list(several) for annotation, several in found.items()}


def _plain(sources: Iterable[str]) -> frozenset[str]:
    """The literals among them, and functions of Python's, each written one way."""
    found = set()
    for source in sources:
        if hasattr(builtins, source):
            found.add(source)
        try:
            ast.literal_eval(source)
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            continue
        found.add(unparse(parse_expression(source)))
    return frozenset(found)


def _ordered(
    signature: Signature, slot: Slot, ranked: _Ranked, names: Names
) -> list[tuple[str, int]]:
    """The values of one parameter with the ranks of their sources."""
    found = dict(ranked.by_role.get((signature.callee, slot.name), {}))
    if not _is_its_own(slot, found):
        for source, rank in ranked.by_name.get(slot.name, {}).items():
            found.setdefault(source, rank)
    singular = slot.name.removesuffix("s")
    for source, rank in ranked.by_name.get(singular, {}).items() if singular != slot.name else ():
        if "list" in slot.annotation or "Iterable" in slot.annotation:
            found.setdefault(f"[{source}]", rank)
    # what people give goes before what the code suggests
    several = _fitted(found, replace(slot, annotation="") if slot.is_inferred else slot, names)
    is_called = any(rank in _SHOWN for _, rank in several)
    if is_called:
        several = [each for each in several if each[1] not in (_PROSE, _COMMENTS)]
    is_shown = any(rank < _CODE or rank == _PROSE for _, rank in several)
    more: dict[str, int] = {}
    is_person = slot.name in ("name", "names") and ranked.is_of_people
    role = "" if slot.name in _GENERIC and not is_person else slot.name
    if slot.is_described and _is_textual(slot) and not is_shown:
        more.update((repr(text), _ROLE) for text in texts_for(role))
    for source in typical_values(slot.annotation, role) if slot.is_described else ():
        # Where somebody has shown what is meant, words of the catalogue only distract.
        is_wanted = not (is_shown or more or _has_words(source))
        if is_wanted or _is_empty(source) or _is_plain(source):
            more.setdefault(source, _TYPE)
    several += _fitted(more, slot, names)
    several.sort(key=lambda each: each[1])
    best: dict[str, int] = {}
    for source, rank in several:
        best.setdefault(source, rank)
    return list(best.items())


def _is_empty(source: str) -> bool:
    return source in ("[]", "{}")


def _is_plain(source: str) -> bool:
    """Whether it is a number, a truth or nothing: a bound is tried where others are shown."""
    return source in ("True", "False", "None") or source.lstrip("-")[:1].isdigit()


def _has_words(source: str) -> bool:
    """Whether a text stands in it."""
    return "'" in source or '"' in source


_TYPING = frozenset({"typing", "typing_extensions", "collections.abc", "t"})
_ANYTHING = frozenset(
    {"Any", "object", "AnyStr", "str", "int", "float", "bytes", "bool", "complex"}
)


def _foreign(tree: ast.Module, signatures: Signatures) -> Iterator[tuple[str, str]]:
    """Parameters of which the annotation names classes, and nothing that can be written plainly."""
    classes = {node.name for node in tree.body if isinstance(node, ast.ClassDef)}
    aliases: dict[str, ast.expr] = {}
    for node in tree.body:
        match node:
            case ast.ImportFrom(module=module) if module not in _TYPING:
                classes |= {each.asname or each.name for each in node.names}
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                aliases[name] = value
    for signature in signatures.own:
        for slot in signature.slots:
            if slot.annotation and not slot.is_inferred:
                named = _named_in(slot.annotation, aliases)
                if named & classes and not named & _ANYTHING:
                    yield signature.callee, slot.name


def _named_in(annotation: str, aliases: Mapping[str, ast.expr]) -> set[str]:
    found: set[str] = set()
    waiting = [annotation]
    while waiting:
        try:
            node = parse_expression(waiting.pop())
        except SyntaxError:
            return {"Any"}
        for each in ast.walk(node):
            name = each.id if isinstance(each, ast.Name) else ""
            name = str(each.value) if isinstance(each, ast.Constant) and each.value else name
            if name and name not in found:
                found.add(name)
                waiting += [unparse(aliases[name])] if name in aliases else []
    return found


def _is_its_own(slot: Slot, given: Mapping[str, int]) -> bool:
    """Whether the parameters of other callables that have its name say nothing of its values.

    Where people have shown what a callable is given, a common name adds only what others are.
    """
    is_shown = any(rank in _SHOWN for rank in given.values())
    return slot.name in _HOLDERS or (is_shown and slot.name in _GENERIC)


def _fitted(found: Mapping[str, int], slot: Slot, names: Names) -> list[tuple[str, int]]:
    made = [(_fitting(source, slot, names), rank) for source, rank in found.items()]
    return [(source, rank) for source, rank in made if source is not None]


def _fitting(source: str, slot: Slot, names: Names) -> str | None:
    """A value that the annotation allows, and that a line of a test can have."""
    try:
        value: Any = ast.literal_eval(source)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        is_usable = names.expression(source) is not None and not _FLEETING.search(source)
        return source if is_usable else None
    if type(value) in (str, bytes):
        source = repr(value)
    if "date" in slot.annotation and isinstance(value, str) and "str" not in slot.annotation:
        return _moment(value, slot.annotation)
    kinds = [each.strip() for each in slot.annotation.split("|")]
    plain = tuple(_PLAIN[each] for each in kinds if each in _PLAIN)
    if plain and all(each in (*_PLAIN, "None") for each in kinds):
        is_right = any(isinstance(value, each) for each in plain) and not (
            isinstance(value, bool) and "bool" not in kinds
        )
        is_right = is_right or (value is None and "None" in kinds)
        return source if is_right else None
    return source


def _moment(text: str, annotation: str) -> str | None:
    """A date of a data file as the code takes it."""
    try:
        if "datetime" in annotation.replace("datetime.date", "date"):
            return repr(datetime.datetime.fromisoformat(text))
        return repr(datetime.date.fromisoformat(text))
    except ValueError:
        return None


def _composed(
    signatures: Signatures, roles: Mapping[tuple[str, str], tuple[str, ...]], names: Names
) -> Iterator[tuple[tuple[str, str], tuple[str, ...]]]:
    """Instances for parameters that take a class of the package, made of known values."""
    for signature in signatures.own:
        for slot in signature.slots:
            for kind in slot.annotation.split("|"):
                made = signatures.by_name.get(kind.strip().strip("\"'"))
                if made is None or not isinstance(made.node, ast.ClassDef):
                    continue
                given = [roles.get((made.callee, each.name), ()) for each in made.slots
                         if each.is_required]  # fmt: skip
                source = f"{made.callee}({', '.join(each[0] for each in given if each)})"
                role = signature.callee, slot.name
                if all(given) and names.expression(source) is not None:
                    yield role, tuple(dict.fromkeys((*roles.get(role, ()), source)))


def _parts(sources: Mapping[str, None]) -> tuple[list[str], list[float]]:
    """The texts and numbers in values that somebody has shown."""
    texts: list[str] = []
    numbers: list[float] = []
    for source in sources:
        for node in ast.walk(parse_expression(source)):
            if isinstance(node, ast.Constant):
                if isinstance(node.value, str):
                    texts.append(node.value)
                elif type(node.value) in (int, float):
                    numbers.append(node.value)  # type: ignore[arg-type]
    return texts, numbers
