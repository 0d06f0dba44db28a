import copy
import json
import os
from collections.abc import Callable
from typing import Any

import pytest

from reverie.instruments.mutation.inside.tables import Asked, Tables, noting


class Guessing(dict):
    def __missing__(self, key: str) -> str:
        self[key] = key * 2
        return self[key]


class Sorted(dict):
    def __iter__(self) -> Any:
        return iter(sorted(self.keys()))


def asked_by(use: Callable[[dict], Any], table: dict) -> Asked:
    asked = Asked()
    made = noting(table, asked)
    assert made is not None
    use(made)
    return asked


@pytest.mark.parametrize(
    "use",
    [
        lambda t: t["a"],
        lambda t: t.get("a"),
        lambda t: "a" in t,
        lambda t: t.setdefault("a", 3),
        lambda t: t.pop("a"),
        lambda t: t.__setitem__("a", 3),
        lambda t: t.__delitem__("a"),
        lambda t: "{a}".format_map(t),
    ],
)
def test_who_asks_for_an_entry_notices_that_one_alone(use: Callable[[dict], Any]) -> None:
    asked = asked_by(use, {"a": 1, "b": 2})
    assert asked.tells_apart({"a": 1, "b": 2}, {"a": 9, "b": 2})
    assert asked.tells_apart({"a": 1, "b": 2}, {"b": 2})
    assert not asked.tells_apart({"a": 1, "b": 2}, {"a": 1, "b": 9})


@pytest.mark.parametrize(
    "use",
    [
        list,
        dict,
        set,
        sorted,
        repr,
        str,
        json.dumps,
        copy.copy,
        copy.deepcopy,
        lambda t: {**t},
        lambda t: dict(**t),
        lambda t: t == {},
        lambda t: t.__ne__({}),
        lambda t: {} | t,
        lambda t: {}.update(t),
        lambda t: dict.fromkeys(t),
        lambda t: [*t.items()],
        lambda t: [*reversed(t)],
        lambda t: max(t.values()),
        lambda t: t.copy(),
        lambda t: t.update(c=3),
        lambda t: t.get(frozenset()),
    ],
)
def test_who_goes_through_a_table_notices_every_entry(use: Callable[[dict], Any]) -> None:
    asked = asked_by(use, {"a": 1, "b": 2})
    assert asked.tells_apart({"a": 1, "b": 2}, {"a": 1, "b": 9})


def test_who_counts_entries_notices_their_number_only() -> None:
    asked = asked_by(len, {"a": 1})
    assert asked.tells_apart({"a": 1}, {})
    assert not asked.tells_apart({"a": 1}, {"b": 1})
    assert asked_by(bool, {"a": 1}).tells_apart({"a": 1}, {})


@pytest.mark.parametrize(("old", "new"), [(1, True), (1, 1.0), (0.0, -0.0), ((), ())])
def test_a_value_is_the_same_only_if_nothing_tells_it_apart(old: Any, new: Any) -> None:
    asked = asked_by(lambda t: t["a"], {"a": 1})
    assert asked.tells_apart({"a": old}, {"a": new}) is (old is not new)


def test_a_table_with_a_way_of_its_own_to_find_what_is_missing_keeps_it() -> None:
    asked = Asked()
    made = noting(Guessing(a="b"), asked)
    assert made is not None
    assert (made["a"], made["x"], made["x"]) == ("b", "xx", "xx")
    assert isinstance(made, Guessing)
    assert asked.tells_apart({}, {"x": "other"})


@pytest.mark.parametrize(
    "table", [Sorted(a=1), [1], "text", type("Slotted", (dict,), {"__slots__": ()})()]
)
def test_what_is_no_ordinary_table_is_left_alone(table: Any) -> None:
    assert noting(table, Asked()) is None


def filled(**names: Any) -> Callable[[dict[str, Any]], None]:
    def fill(space: dict[str, Any]) -> None:
        space.update(names)

    return fill


def test_a_change_that_no_answer_shows_is_unnoticed() -> None:
    space = {"TABLE": {"a": 1, "b": 2}, "BACK": {1: "a", 2: "b"}}
    tables = Tables([space], ["TABLE", "BACK"])
    assert space["TABLE"]["a"] == 1
    other = filled(TABLE={"a": 1, "b": 3}, BACK={1: "a", 3: "b"})
    assert tables.is_unnoticed(other, ["TABLE", "BACK"])
    assert not tables.is_unnoticed(filled(TABLE={"a": 0, "b": 2}), ["TABLE"])
    assert space["BACK"].get(3) is None
    assert not tables.is_unnoticed(other, ["TABLE", "BACK"])


def test_two_names_of_one_table_are_asked_together() -> None:
    one = {"a": 1, "b": 2}
    space = {"TABLE": one, "ALIAS": one}
    tables = Tables([space], ["TABLE", "ALIAS"])
    assert space["TABLE"] is space["ALIAS"]
    assert space["ALIAS"]["b"] == 2
    changed = {"a": 1, "b": 3}
    assert not tables.is_unnoticed(filled(TABLE=changed, ALIAS=changed), ["TABLE"])


def test_what_was_replaced_or_loaded_once_more_is_not_known() -> None:
    space: dict[str, Any] = {"TABLE": {"a": 1}}
    spaces = [space]
    tables = Tables(spaces, ["TABLE"])
    change = filled(TABLE={"a": 2})
    assert tables.is_unnoticed(change, ["TABLE"])
    spaces.append({})
    assert not tables.is_unnoticed(change, ["TABLE"])
    spaces.pop()
    space["TABLE"] = {"a": 1}
    assert not tables.is_unnoticed(change, ["TABLE"])


def test_statements_that_raise_and_values_that_are_no_tables_are_noticed() -> None:
    tables = Tables([{"TABLE": {"a": 1}, "SIZE": 1}], ["TABLE", "SIZE"])

    def fail(space: dict[str, Any]) -> None:
        raise ValueError(space)

    assert not tables.is_unnoticed(fail, ["TABLE"])
    assert not tables.is_unnoticed(filled(SIZE=2), ["SIZE"])
    assert tables.is_unnoticed(filled(SIZE=1), ["SIZE"])


def test_a_fork_may_ask_for_anything() -> None:
    tables = Tables([{"TABLE": {"a": 1}}], ["TABLE"])
    change = filled(TABLE={"a": 2})
    assert tables.is_unnoticed(change, ["TABLE"])
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
    assert not tables.is_unnoticed(change, ["TABLE"])
