"""Known values by role, as parts of tries; readable texts for regular expressions."""

import ast
import datetime
import random
import re
from typing import Any

from reverie.dreamers.enrich.naturalising.inside.naturalness import (
    YEARS,
    Familiar,
    edited,
    is_off_calendar,
)
from reverie.dreamers.enrich.search.inside.changing import is_receiver
from reverie.dreamers.enrich.search.inside.nodes import (
    CONST,
    DICT,
    DISPLAYS,
    FORM,
    LIST,
    REF,
    SET,
    TUPLE,
    Line,
    Node,
    const,
    places,
    read_expression,
    render,
)
from reverie.dreamers.enrich.search.inside.trying import OutOfTime, guarded
from reverie.instruments.equivalence.patterns import matching_texts

_DRAWN, _MOST = 30, 4
_LONGEST = 60
_LETTERS = re.compile(r"[^\W\d_]+")
_DIGITS = re.compile(r"\d+")
_WORD, _NUMBER = "spameggs", "1234567890"


def readable_texts(pattern: str) -> "list[str]":
    """A few texts, their letters those of a word and their digits in order, if that matches."""
    try:
        compiled = re.compile(pattern)
    except (re.error, RecursionError, OverflowError):
        return []
    found: dict[str, None] = {}
    for text in matching_texts(pattern, random.Random(0), _DRAWN):
        plain = _LETTERS.sub(_worded, _DIGITS.sub(_numbered, text)).strip()
        for each in (plain, text):
            if 1 < len(each) <= _LONGEST and _is_readable(each) and compiled.search(each):
                found.setdefault(each)
                break
    return sorted(found, key=len, reverse=True)[:_MOST]


def _is_readable(text: str) -> bool:
    return text.isascii() and text.isprintable()


def _worded(found: "re.Match[str]") -> str:
    word = (_WORD * (1 + len(found[0]) // len(_WORD)))[: len(found[0])]
    return word.upper() if found[0].isupper() else word


def _numbered(found: "re.Match[str]") -> str:
    return (_NUMBER * (1 + len(found[0]) // len(_NUMBER)))[: len(found[0])]


_EDITED_WHOLES = 6
_DAYS = 400
_SIZES = (1, 2, 3, 4, 5, 10)
LIBRARY = ("datetime", "decimal", "fractions", "uuid", "re", "pathlib", "collections", "array")
_DATED = ("datetime.date(", "datetime.datetime(")
_ODD_FORMS = (
    "object()", "Ellipsis", "NotImplemented", "nan", "inf", "failing", "complex(", "memoryview",
    "SimpleNamespace", "bytearray", "OrderedDict()", "ValueError",
)  # fmt: skip


class Place:
    """A part of a try that stands for a parameter, or for an item of one."""

    __slots__ = ("line", "path", "role", "text")

    def __init__(self, line: int, path: "Any", role: "tuple[str, str]", text: str) -> None:
        self.line = line
        self.path = path
        self.role = role
        self.text = text
        """What stands there, as source."""


class Pool:
    """Values by role."""

    def __init__(self, document: "dict[str, Any]") -> None:
        self.familiar = Familiar(document["texts"], document["numbers"], document["tokens"])
        self.tokens: list[str] = document["tokens"][:12]
        self.wholes: dict[tuple[str, str], list[Node]] = {}
        for callee, parameter, sources in document["roles"]:
            self.wholes[callee, parameter] = [_read(each) for each in sources]
        self.made: list[list[Any]] = []
        """Texts for patterns, by callee and parameter: the host does not run what others wrote."""
        for callee, parameter, patterns in document.get("patterns", ()):
            texts = _texts_for(patterns)
            self.made.append([callee, parameter, texts])
            known = self.wholes.get((callee, parameter), [])
            self.wholes[callee, parameter] = _once([*map(const, texts), *known])
        for role, several in list(self.wholes.items()):
            self._add_items(role, several)
        self._edits: dict[tuple[str, str], list[Node]] = {}
        self.firm = {tuple(each) for each in document.get("firm", ())}
        self._kinds: dict[tuple[str, str], frozenset[str]] = {}
        self._makers: dict[tuple[str, str], frozenset[str]] = {}
        self._plain: dict[tuple[str, str], frozenset[Any]] = {}

    def _add_items(self, role: "tuple[str, str]", several: "list[Node]") -> None:
        """What is in known lists is known of an item."""
        items = [part for each in several if each.kind in (LIST, TUPLE, SET, DICT)
                 for part in each.items]  # fmt: skip
        items += self.wholes.get((role[0], role[1].rstrip("s")), [])
        if items:
            self.wholes[role[0], f"{role[1]}[]"] = _once(items)

    def values(self, role: "tuple[str, str]") -> "list[Node]":
        """Whole values, then those that are one edit away from them."""
        return [*self.wholes.get(role, ()), *self.edits(role)]

    def edits(self, role: "tuple[str, str]") -> "list[Node]":
        """Values that are one edit away from a known one."""
        if role not in self._edits:
            plain = [each.value for each in self.wholes.get(role, ()) if each.kind == CONST]
            texts = [each for each in plain if type(each) is str]
            rows = [edited(each, self.tokens) for each in texts[:_EDITED_WHOLES]]
            made = [row[at] for at in range(max(map(len, rows), default=0)) for row in rows
                    if at < len(row)]  # fmt: skip
            numbers = [each for each in plain if type(each) is int]
            beside = [each + by for each in numbers[:_EDITED_WHOLES] for by in (1, -1)]
            moved = self._moved(self.wholes.get(role, [])[:_EDITED_WHOLES])
            self._edits[role] = _once([*moved, *map(const, (*made, *beside))])
        return self._edits[role]

    def _moved(self, wholes: "list[Node]") -> "list[Node]":
        """Known days, moved by as many days as the code knows of, and by one more."""
        known = [each for each in self.familiar.numbers if type(each) is int and 0 < each < _DAYS]
        steps = sorted({each + by for each in (1, 7, 30, 100, 365, *known) for by in (0, 1)})
        return [
            made for days in (*steps, *(-each for each in steps)) for each in wholes
            for made in [_later(each, days)] if made is not None
        ]  # fmt: skip

    def is_natural(self, role: "tuple[str, str]", node: Node) -> bool:
        """Whether a part of a try is what people would write there."""
        if node.kind == REF:
            return not self._takes_plain_values(role)
        if node.kind == FORM:
            return self._is_natural_form(role, node)
        if node.value is not None and not self._is_of_a_kind(role, node):
            return False
        if role not in self._plain:
            known = self.wholes.get((role[0], role[1].removesuffix("()")), ())
            self._plain[role] = frozenset(part for each in known for part in _parts(each))
        if node.kind == CONST and self._is_odd_size(role, node.value):
            return False
        try:
            value = ast.literal_eval(render(node, {}))
        except (ValueError, SyntaxError, KeyError, TypeError):
            return all(self.is_natural((role[0], f"{role[1]}[]"), each) for each in node.items)
        return self.familiar.is_value(value, self._plain[role])

    def _is_odd_size(self, role: "tuple[str, str]", value: Any) -> bool:
        """Whether no calendar has it, or it only makes an object for which people give others."""
        if is_off_calendar(role[1], value):
            return True
        is_made = role[0][:1].isupper() and tuple(role) in self.firm
        is_number = type(value) in (int, float)
        return is_made and is_number and value not in self._plain[role] and value not in _SIZES

    def _is_natural_form(self, role: "tuple[str, str]", node: Node) -> bool:
        if any(odd in piece for piece in node.value for odd in _ODD_FORMS):
            return False
        if not self._is_made_alike(role, node):
            return False
        if node.value[0].isidentifier() and self._takes_plain_values(role):
            return False  # a function in the place of a text or a number
        if node.value[0].startswith(_DATED) and node.items[0].value not in YEARS:
            return False
        made_of = role[0], f"{role[1].removesuffix('()')}()"
        return all(
            self.is_natural(_inner(node, place, made_of), each)
            for place, each in enumerate(node.items)
        )

    def _takes_plain_values(self, role: "tuple[str, str]") -> bool:
        known = self.wholes.get(role, ())
        return bool(known) and all(each.kind == CONST for each in known)

    def _is_of_a_kind(self, role: "tuple[str, str]", node: Node) -> bool:
        """Whether known values of a role are of the same kind, where somebody has shown any."""
        if self._takes_instances(role):
            return False
        if role not in self._kinds:
            known = self.wholes.get(role, ()) if role in self.firm else ()
            kinds = {_kind(each) for each in known}
            self._kinds[role] = frozenset(kinds | {"float"} if "int" in kinds else kinds)
        return not self._kinds[role] or _kind(node) in self._kinds[role]

    def _takes_instances(self, role: "tuple[str, str]") -> bool:
        """Whether all that is known of a role is made by calls."""
        known = self.wholes.get(role, ())
        return bool(known) and all(each.kind == FORM for each in known)

    def _is_made_alike(self, role: "tuple[str, str]", node: Node) -> bool:
        """Whether known values of a role are made by the same: a `date`, and no `datetime`."""
        if role not in self._makers:
            known = self.wholes.get(role, ())
            self._makers[role] = frozenset(_maker(each) for each in known if each.kind == FORM)
        made = _maker(node)
        is_library = made.partition(".")[0] in LIBRARY
        return not is_library or not self.wholes.get(role) or made in self._makers[role]

    def places(self, lines: "list[Line]") -> "list[Place]":
        """Parts of a try that have a role, wholes before their parts."""
        found = []
        for number, line in enumerate(lines):
            for path, node in places(line.node):
                role = role_at(line.node, path)
                is_free = not node.needs or node.kind == REF
                if role is not None and is_free and not is_receiver(line.node, path):
                    found.append(Place(number, path, role, text_of(node)))
        return found

    def oddities(self, lines: "list[Line]") -> "list[Place]":
        """Places whose value is none that people would write there."""
        return [
            each for each in self.places(lines)
            if not self.is_natural(each.role, part_at(lines[each.line].node, each.path))
        ]  # fmt: skip


def _texts_for(patterns: "list[str]") -> "list[str]":
    found: list[str] = []
    for each in patterns:
        try:
            with guarded():
                found += readable_texts(each)
        except OutOfTime:
            continue  # an expression that takes its time
    return found


def _later(node: Node, days: int) -> "Node | None":
    """A day so many days later; None for what is no day."""
    if node.kind != FORM or not node.value[0].startswith(_DATED) or len(node.items) < len("ymd"):
        return None
    try:
        day = datetime.date(*(each.value for each in node.items[:3]))
        moved = day + datetime.timedelta(days=days)
    except (TypeError, ValueError, OverflowError):
        return None
    parts = tuple(map(const, (moved.year, moved.month, moved.day)))
    return node.with_items((*parts, *node.items[3:]))


def _kind(node: Node) -> str:
    if node.kind == CONST:
        return type(node.value).__name__
    return LIST if node.kind == TUPLE else str(node.kind)


def text_of(node: Node) -> str:
    """What stands in a place, as source; the result of an earlier line by its number."""
    return f"_{node.value}" if node.kind == REF else render(node, {})


def _maker(node: Node) -> str:
    return str(node.value[0]).partition("(")[0]


def role_at(whole: Node, path: "Any") -> "tuple[str, str] | None":
    """What a part is for: a parameter of a call, or an item of it."""
    holder = whole
    role: tuple[str, str] | None = None
    for step in path:
        if holder.kind == FORM:
            made_of = None if role is None else (role[0], f"{role[1].removesuffix('()')}()")
            role = _inner(holder, step, made_of)
        elif holder.kind in DISPLAYS and role is not None:
            role = role[0], f"{role[1].removesuffix('[]')}[]"
        holder = holder.items[step]
    return role if role and role[1] else None


def part_at(whole: Node, path: "Any") -> Node:
    """The part at the end of a path."""
    for step in path:
        whole = whole.items[step]
    return whole


def _inner(holder: Node, place: int, role: "tuple[str, str] | None") -> "Any":
    if holder.about is None or place >= len(holder.about[1]):
        return role or ("", "")
    return holder.about[0].rpartition(".")[2], holder.about[1][place]


def _read(source: str) -> Node:
    return read_expression(ast.parse(source, mode="eval").body, {})


def _once(nodes: "list[Node]") -> "list[Node]":
    return list({render(each, {}): each for each in reversed(nodes)}.values())[::-1]


def _parts(node: Node) -> "list[Any]":
    """The plain values that a value is made of."""
    return [each.value for _, each in places(node) if each.kind == CONST]
