"""Promises of a class: about its instances, by its protocols, or as a known container."""

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from reverie.dreamers.fuzz.claims.conditions import CONDITIONAL, RULES, Said, is_source, sentences
from reverie.dreamers.fuzz.claims.subjects import ClassSubject, Subject, errors_named
from reverie.model.codec import pick
from reverie.syntax.unparsing import unparse

_LAWS: tuple[tuple[frozenset[str], str, str], ...] = (
    (frozenset({"__len__", "__iter__"}), "its length is the number of its items",
     "len(list(subject)) == len(subject)"),
    (frozenset({"__contains__", "__iter__"}), "it contains its items",
     "all(each in subject for each in list(subject))"),
    (frozenset({"__getitem__", "__len__", "__iter__"}), "its places hold its items",
     "[subject[each] for each in range(len(subject))] == list(subject)"),
    (frozenset({"__reversed__", "__iter__"}), "its items backwards are its items",
     "list(reversed(subject)) == list(subject)[::-1]"),
    (frozenset({"index", "__iter__"}), "index gives the place of an item",
     "all(subject.index(each) == list(subject).index(each) for each in list(subject))"),
    (frozenset({"count", "__iter__"}), "count gives how often an item is there",
     "all(subject.count(each) == list(subject).count(each) for each in list(subject))"),
    (frozenset({"copy", "__eq__"}), "a copy equals what it was made of",
     "subject.copy() == subject"),
)  # fmt: skip
_KEYED = frozenset({"keys", "items", "values", "__missing__"})


def protocol_laws(made: ClassSubject) -> Iterator[tuple[str, str]]:
    """What is said, and the condition on `subject`, for the methods that a class defines."""
    names = set(made.by_name)
    is_keyed = bool(names & _KEYED) or any(
        "Mapping" in unparse(each) or "dict" in unparse(each).lower() for each in made.node.bases
    )
    if "__next__" in names:
        return  # it is used up by looking at it
    for needed, says, check in _LAWS:
        if needed <= names and not (is_keyed and "[each]" in check):
            yield f"{made.name}: {says}", check


_NEVER_NEGATIVE = re.compile(
    r"(?:the |its )?(?P<name>\w+) (?:is|are|stays|gets) never negative", re.IGNORECASE
)
_ANSWERS = re.compile(
    r"\b(?:None|False|True|0|an empty \w+|nothing|default) (?:when|if|for|where|unless)\b[^.;\n]*"
    r"|\bor None\b|\bwhether\b[^.;\n]*|\bnever raises\b"
)
_AT_MOST = re.compile(r"(?:at most|never more than|no more than) (?P<name>\w+)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ClassLaw:
    """A condition on `result` after one method, or on `subject` after every one.

    Without a condition the law is that the method comes to a result, whatever was done before.
    """

    method: str | None
    says: str
    check: str
    parameters: tuple[str, ...] = ()
    allowed: tuple[str, ...] = ()
    """Errors that are told, where there is no condition."""


@dataclass(frozen=True, slots=True)
class ClassPromises:
    """A class that can be made and used, and the laws of that."""

    name: str
    methods: tuple[str, ...]
    laws: tuple[ClassLaw, ...]

    def document(self) -> dict[str, Any]:
        """As `inside` reads it."""
        laws = [
            [each.method, each.check, list(each.parameters), list(each.allowed)]
            for each in self.laws
        ]
        return {"name": self.name, "methods": list(self.methods), "laws": laws}


def class_promises(made: ClassSubject) -> ClassPromises | None:
    """The laws of a class; None when it states none that can be read."""
    methods = [each for each in made.methods if each.is_public and _is_usable(each)]
    laws = (
        *_invariants(made),
        *(ClassLaw(None, says, check) for says, check in protocol_laws(made)),
        *(law for each in methods for law in _results(each)),
        *(law for each in methods for law in _total(each, made)),
    )
    if not laws:
        return None
    return ClassPromises(made.name, tuple(each.name for each in methods), laws)


def _is_usable(method: Subject) -> bool:
    """Whether it is simply called on an instance: neither a property nor of the class."""
    return method.is_plain and not method.is_lazy and not method.node.decorator_list


def _invariants(made: ClassSubject) -> Iterator[ClassLaw]:
    attributes = {
        each.attr
        for method in made.methods
        for each in ast.walk(method.node)
        if isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name)
        and each.value.id == "self" and isinstance(each.ctx, ast.Store)
    }  # fmt: skip
    for text in sentences(made.doc):
        found = _NEVER_NEGATIVE.search(text)
        if found is not None and found["name"] in attributes:
            yield ClassLaw(None, text, f"subject.{found['name']} >= 0")
        limit = _AT_MOST.search(text)
        if limit is not None and limit["name"] in attributes and "__len__" in made.by_name:
            yield ClassLaw(None, text, f"len(subject) <= subject.{limit['name']}")


def _total(method: Subject, made: ClassSubject) -> Iterator[ClassLaw]:
    """`None when nobody waits`: a method that says what it gives then raises nothing else."""
    if not _ANSWERS.search(method.doc) or any(
        each.annotation is None for each in (*method.parameters, *made.constructor)
    ):
        return
    told = errors_named(f"{method.doc} {made.doc}")
    says = f"{made.name}.{method.name} returns: {_ANSWERS.search(method.doc)[0]}"  # type: ignore[index]
    yield ClassLaw(method.name, says, "", method.names, tuple(sorted(told)))


def _results(method: Subject) -> Iterator[ClassLaw]:
    for number, text in enumerate(sentences(method.doc)):
        if CONDITIONAL.search(text):
            continue
        for pattern, make, _ in RULES:
            for found in pattern.finditer(text):
                check = make(Said(method, text, number == 0), found)
                if check is not None and is_source(check):
                    yield ClassLaw(method.name, text, check, method.names)


_ROLES: Mapping[str, tuple[str, ...]] = {
    "add": ("add", "insert", "push", "append", "put", "enqueue", "offer", "record", "write", "extend_one"),
    "has": ("has", "contains", "__contains__", "search", "member", "exists", "is_member", "might_contain"),
    "remove": ("remove", "discard", "delete", "erase", "__delitem__"),
    "take": ("pop", "pop_min", "extract_min", "pop_max", "extract_max", "dequeue", "poll", "get_next",
             "pop_front", "popleft", "take", "get"),
    "peek": ("peek", "top", "front", "first"),
    "least": ("min", "find_min", "smallest", "minimum", "get_min", "peek_min"),
    "most": ("max", "find_max", "largest", "maximum", "get_max", "peek_max"),
    "rank": ("push", "add", "insert", "put", "enqueue"),
    "store": ("put", "set", "__setitem__", "insert", "add", "store"),
    "look": ("get", "__getitem__", "lookup", "fetch", "find", "read"),
    "items": ("items", "to_list", "as_list", "values", "contents", "snapshot", "elements", "list", "tolist",
              "__iter__", "latest", "all"),
    "size": ("__len__", "size", "count", "length"),
    "join": ("union", "merge", "connect", "unite", "join", "link"),
    "joined": ("connected", "same", "is_connected", "same_set", "together", "are_connected"),
    "root": ("find", "__getitem__", "find_set", "root", "representative"),
    "words": ("words_with_prefix", "starts_with", "with_prefix", "startswith", "has_prefix", "prefix"),
    "bump": ("update", "add", "increment"),
    "prefix": ("prefix_sum", "sum", "query", "prefix", "total", "range_sum", "sum_range"),
}  # fmt: skip
SAME = "=="
"""Behind the name of a method: whether it answers the same for two values."""
_CAPACITY = (
    "capacity",
    "maxsize",
    "size",
    "limit",
    "max_size",
    "maxlen",
    "max_items",
    "length",
    "n",
)


@dataclass(frozen=True, slots=True)
class Container:
    """A class, the model that it is held against, and which method plays which part."""

    name: str
    model: str
    roles: Mapping[str, str]
    capacity: str | None = None
    is_largest_first: bool = False
    is_stable: bool = False
    """Among equals the first comes first."""
    is_priority_first: bool = False
    key_hint: str = ""
    """Annotation of what is put in."""

    def document(self) -> dict[str, Any]:
        """As `inside` reads it."""
        return pick(
            self,
            "name model roles capacity is_largest_first key_hint is_stable is_priority_first",
        )


def recognise(made: ClassSubject) -> Container | None:
    """The model of a class, by its name, its documentation and its methods; None for most."""
    text = f"{made.name} {made.doc}".lower()
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", made.name).lower() + " " + made.doc.lower()
    roles = {
        role: name for role, names in _ROLES.items() if (name := _first(made, names)) is not None
    }
    if "join" in roles and "joined" not in roles and "root" in roles:
        roles["joined"] = f"{roles['root']}{SAME}"
    capacity = next((each.name for each in made.constructor if each.name in _CAPACITY), None)
    if len([each for each in made.constructor if each.is_required]) > (1 if capacity else 0):
        return None
    kind = _kind(words, text, made, roles, capacity)
    if kind is None:
        return None
    largest = bool(
        re.search(r"\b(?:largest|max|maximum|highest|biggest)\b", text)
    ) and not re.search(r"\b(?:smallest|min|minimum|lowest)\b", text)
    return Container(
        made.name,
        kind,
        roles,
        capacity,
        largest,
        is_stable=bool(
            re.search(r"added first|first added|insertion order|fifo|stable|in order of", text)
        ),
        is_priority_first=_is_priority_first(made, roles),
        key_hint=_key_hint(made, roles),
    )


def _is_priority_first(made: ClassSubject, roles: Mapping[str, str]) -> bool:
    method = made.by_name.get(roles.get("rank", ""))
    names = () if method is None else method.names
    return bool(names) and bool(re.match(r"prio|weight|rank|key|cost", names[0]))


def _kind(
    words: str, text: str, made: ClassSubject, roles: dict[str, str], capacity: str | None
) -> str | None:
    """Which model fits: names first, since a queue and a stack have the same methods."""
    many = {role: _many(made, name) for role, name in roles.items()}
    is_row = bool(re.search(r"\blist\b|sequence|array", words))
    is_keyed = (
        not is_row and "look" in roles and many.get("store") == 2 and many.get("look", 0) >= 1
    )
    if is_keyed and capacity and re.search(r"\blru\b|lru|least recently", text):
        return "lru"
    if is_keyed and capacity and re.search(r"\bfifo\b|first in", text):
        return "fifo_map"
    if is_keyed and not capacity and re.search(r"map|dict|table|store|cache|tree", words):
        return "map"
    if {"join", "joined"} <= set(roles) and many["join"] == 2:
        return "partition"
    takes = "take" in roles and many["take"] == 0 and many.get("add") == 1
    if "take" in roles and many["take"] == 0 and many.get("rank") == 2:
        return "priority" if re.search(r"priorit", words) else None
    if takes and not is_row and (order := _order(words)) is not None:
        return order
    is_rolling = re.search(r"ring|circular|last|recent|rolling|window|history", words)
    if many.get("add") == 1 and "items" in roles and capacity and is_rolling:
        return "ring"
    if many.get("add") == 1 and "has" in roles and many["has"] == 1:
        if re.search(r"bloom|might", words):
            return "bloom"
        is_set = re.search(r"\bset\b", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", made.name).lower())
        if (
            re.search(r"\bbag\b|multiset|\blist\b|counter|duplicates are kept", words)
            and not is_set
        ):
            return "bag"
        return (
            "set"
            if re.search(r"\bset\b|trie|tree|distinct|unique|words|index|graph", words)
            else None
        )
    return None


def _order(words: str) -> str | None:
    """What comes out first; a stack that knows its smallest item is a stack."""
    for kind, pattern in (
        ("heap", r"heap|priority"),
        ("stack", r"\bstack\b|last in|lifo"),
        ("queue", r"\bqueue\b|first in|fifo"),
        ("heap", r"smallest|largest"),
    ):
        if re.search(pattern, words):
            return kind
    return None


def _first(made: ClassSubject, names: tuple[str, ...]) -> str | None:
    return next((each for each in names if each in made.by_name), None)


def _many(made: ClassSubject, name: str) -> int:
    """How many values a method takes; two where it takes any number."""
    method = made.by_name.get(name.removesuffix(SAME))
    if method is None:
        return 0
    is_open = not method.required and method.node.args.vararg is not None
    return 2 if is_open or name.endswith(SAME) else len(method.required)


def _key_hint(made: ClassSubject, roles: Mapping[str, str]) -> str:
    method: Subject | None = made.by_name.get(roles.get("add", roles.get("store", "")))
    if method is None or not method.parameters:
        return ""
    return method.parameters[0].annotation or ""
