"""Objects that stand for a list, a set or a dictionary, beside one: the same is done to both."""

import itertools
from typing import Any

_SET = ("add", "discard", "__contains__", "__iter__", "__len__")
_DICT = ("keys", "__setitem__", "__delitem__", "__iter__", "__len__", "__contains__", "get")
_LIST = ("append", "insert", "__getitem__", "__iter__", "__len__", "extend")
ONE, MANY, NONE, PLACE = "one", "many", "none", "place"
_USES: "dict[Any, tuple[tuple[str, str], ...]]" = {
    set: (
        ("add", ONE), ("discard", ONE), ("remove", ONE), ("update", MANY), ("union", MANY), ("intersection", MANY),
        ("difference", MANY), ("symmetric_difference", MANY), ("issubset", MANY), ("issuperset", MANY),
        ("isdisjoint", MANY), ("intersection_update", MANY), ("difference_update", MANY),
        ("symmetric_difference_update", MANY), ("__or__", "set"), ("__and__", "set"), ("__sub__", "set"),
        ("__xor__", "set"), ("__ior__", "set"), ("__iand__", "set"), ("__isub__", "set"), ("__ixor__", "set"),
        ("__eq__", "set"), ("__le__", "set"), ("__lt__", "set"), ("__ge__", "set"), ("clear", NONE), ("copy", NONE),
        ("union", "several"), ("intersection", "several"), ("difference", "several"), ("update", "several"),
    ),
    dict: (
        ("get", ONE), ("pop", ONE), ("setdefault", "pair"), ("__setitem__", "pair"), ("__getitem__", ONE),
        ("__delitem__", ONE), ("__contains__", ONE), ("update", "map"), ("update", "pairs"), ("copy", NONE), ("clear", NONE),
        ("__or__", "map"), ("__ior__", "map"), ("__eq__", "map"),
    ),
    list: (
        ("append", ONE), ("insert", "place_one"), ("extend", MANY), ("pop", PLACE), ("pop", NONE), ("remove", ONE),
        ("index", ONE), ("count", ONE), ("reverse", NONE), ("__delitem__", PLACE), ("__getitem__", PLACE),
        ("__setitem__", "place_one"), ("__contains__", ONE), ("__add__", "list"), ("__iadd__", "list"), ("clear", NONE),
        ("copy", NONE), ("__delitem__", "slice"), ("__getitem__", "slice"), ("__eq__", "list"),
    ),
}  # fmt: skip


def model_of(subject: Any) -> Any:
    """The plain container that an object stands for; None where it is none, or is one itself."""
    kind = type(subject)
    for model, needed in ((dict, _DICT), (set, _SET), (list, _LIST)):
        if kind is not model and all(callable(getattr(kind, each, None)) for each in needed):
            made = model(subject)
            return made if len(made) == len(subject) else None
    return None


def uses_for(subject: Any, model: Any) -> "list[tuple[str, tuple[Any, ...]]]":
    """What is done to both: methods that the class has, with items it holds and others."""
    kind, items = type(subject), list(model)[:6]
    if not all(type(each) in (int, str, float, bool) for each in items):
        return []
    new = _others(items)
    found: list[tuple[str, tuple[Any, ...]]] = []
    for name, shape in _USES[type(model)]:
        if callable(getattr(kind, name, None)):
            found += [(name, args) for args in _arguments(shape, items, new, len(model))]
    return found


def _others(items: "list[Any]") -> "list[Any]":
    if all(type(each) is str for each in items) and items:
        made: list[Any] = [items[0] + "0", "zz"]
    else:
        made = [max((each for each in items if type(each) is not str), default=0) + 1, 97]
    return [each for each in made if each not in items]


def _arguments(
    shape: str, items: "list[Any]", new: "list[Any]", size: int
) -> "list[tuple[Any, ...]]":
    ones = [*items[:1], *items[-1:], *new[:1]]
    many = [[], items[:2], new, [*items[-1:], *new], [*new[:1], *new[:1]]]
    places = [0, -1, size - 1, -size, size, -size - 1]
    pairs = [(each, "other") for each in ones]
    made: dict[str, list[tuple[Any, ...]]] = {
        NONE: [()],
        ONE: [(each,) for each in ones],
        MANY: [(each,) for each in many],
        "several": [(items[:2], items[1:]), (new, items[:1])],
        "set": [(set(each),) for each in many],
        "list": [(each,) for each in many[:3]],
        "pair": pairs,
        "map": [(dict(pairs[-1:]),), (dict(pairs),)],
        "pairs": [(pairs,)],
        PLACE: [(each,) for each in places],
        "place_one": [(each, new[0] if new else 0) for each in places],
        "slice": [
            (slice(*each),) for each in itertools.product((None, 1, -1), (None, 2, -1), (None, 2))
        ],
    }
    return made[shape]
