"""Arguments that mean harm, calls by people who have not read the manual, and records that drift.

Fields of records are dropped, renamed and retyped, wherever records come in.
"""

import csv
import inspect
import json
import os
from typing import TYPE_CHECKING, Any

from reverie.workflows.scenarios.inside.watch import Board

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_MISUSES = ("wrong_type", "forbidden_file", "missing_argument")


def _changed_call(
    function: "Callable[..., Any]", params: "dict[str, Any]", change: "dict[str, Any]",
    board: "Board", open_file: "Callable[..., Any]",
) -> "tuple[tuple[Any, ...], dict[str, Any]] | None":  # fmt: skip
    """Positional and keyword arguments after a change; None when there is nothing to change."""
    names = _names(function, params)
    kind, turn = change["kind"], change["turn"]
    match kind:
        case "extra_argument":
            board.fire(kind)
            return (None,) * (len(names) + 1), {}
        case "unknown_keyword":
            board.fire(kind)
            return (), {**params, "no_such_parameter": 1}
    if not names:
        found = _changed_file(change, board, open_file)
        if found is None and kind in _MISUSES:
            board.fire("extra_argument")
            return (None,), {}
        return found
    name = names[turn % len(names)]
    board.fire(kind)
    if kind == "missing_argument":
        given = [each for each in names if each in params]
        left_out = given[turn % len(given)] if given else None
        return (), {each: value for each, value in params.items() if each != left_out}
    payload = eval(change["source"], {})
    return (), {**params, name: payload}


def _names(function: "Callable[..., Any]", params: "dict[str, Any]") -> "list[str]":
    """What can be given by name: first what is given, then what has a default."""
    names = list(params)
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return names
    by_name = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    more = [name for name, each in signature.parameters.items() if each.kind in by_name]
    return names + [name for name in more if name not in params]


def _changed_file(
    change: "dict[str, Any]", board: "Board", open_file: "Callable[..., Any]"
) -> "tuple[tuple[Any, ...], dict[str, Any]] | None":
    """Where a workflow takes no arguments its files are its input: one value of one of them."""
    names = sorted(
        os.path.join(folder, name) for folder, _, found in os.walk(".") for name in found
    )
    if not names or change["kind"] in ("missing_argument", "forbidden_file"):
        return None
    payload = eval(change["source"], {})
    path = names[change["turn"] % len(names)]
    with open_file(path, "rb") as file:
        text = file.read().decode("utf-8", "replace")
    with open_file(path, "wb") as file:
        file.write(_with_payload(text, payload, change).encode("utf-8", "surrogatepass"))
    board.fire(change["kind"])
    return (), {}


def _with_payload(text: str, payload: Any, change: "dict[str, Any]") -> str:
    turn = change["turn"]
    if change["kind"] == "broken_json":
        return text[: len(text) // 2]
    try:
        document = json.loads(text)
        places = list(_leaves(document))
        holder, key = places[turn % len(places)]
        holder[key] = payload if _is_json(payload) else str(payload)
        return json.dumps(document)
    except (ValueError, IndexError):
        lines = text.split("\n")
        row = (1 + turn) % len(lines) if len(lines) > 1 else 0
        cells = lines[row].split(",")
        cells[turn % len(cells)] = str(payload)
        lines[row] = ",".join(cells)
        return "\n".join(lines)


def _leaves(value: Any, depth: int = 0) -> "list[tuple[Any, Any]]":
    """Every place of a JSON document that holds no other."""
    if depth > 20:
        return []
    items: Any = value.items() if isinstance(value, dict) else ()
    if isinstance(value, list):
        items = enumerate(value)
    found: list[tuple[Any, Any]] = []
    for key, item in items:
        is_inner = isinstance(item, dict | list) and bool(item)
        found += _leaves(item, depth + 1) if is_inner else [(value, key)]
    return found


def _is_json(value: Any) -> bool:
    return value is None or isinstance(value, str | int | float)


_DRIFTS = ("dropped", "retyped", "renamed")


class Drift:
    """Changes some of the records in arguments, in JSON and in CSV that is read."""

    def __init__(self, every: int, board: "Board") -> None:
        self.every = every
        self.board = board
        self.is_on = False
        self.loads = json.loads
        self.load = json.load
        self.next_row = csv.DictReader.__next__

    def install(self) -> None:
        """From here on what is parsed drifts."""
        drift = self

        def loads(*arguments: Any, **options: Any) -> Any:
            return drift.changed(drift.loads(*arguments, **options))

        def load(file: Any, **options: Any) -> Any:
            return drift.changed(drift.loads(file.read(), **options))

        def next_row(self: Any) -> Any:
            return drift.changed(drift.next_row(self))

        json.loads = loads
        json.load = load  # type: ignore[assignment]
        csv.DictReader.__next__ = next_row  # type: ignore[method-assign]

    def close(self) -> None:
        """Parse as before."""
        json.loads = self.loads
        json.load = self.load
        csv.DictReader.__next__ = self.next_row  # type: ignore[method-assign]

    def changed(self, value: Any) -> Any:
        """The value, with the records in it that are due changed in place."""
        for record in _records(value) if self.is_on else ():
            number = self.board.next_record()
            if self.board.is_due("drift", number, self.every) and record:
                self._change(record, number // self.every)
        return value

    def _change(self, record: "dict[Any, Any]", turn: int) -> None:
        fields = list(record)
        field = fields[turn % len(fields)]
        shift = 0 if len(fields) % len(_DRIFTS) else turn // len(fields)
        drift = _DRIFTS[(turn + shift) % len(_DRIFTS)]
        if drift == "renamed" and isinstance(field, str):
            record[f"{field}_v2"] = record.pop(field)
        elif drift == "retyped":
            record[field] = _retyped(record[field])
        else:
            drift = "dropped"
            del record[field]
        self.board.fire(drift)


def _records(value: Any) -> "list[dict[Any, Any]]":
    """The dicts of lists; where there is none, a dict itself."""
    found = list(_listed(value, 0))
    return [value] if not found and type(value) is dict else found


def _listed(value: Any, depth: int) -> "Iterator[dict[Any, Any]]":
    if depth > 6:
        return
    if isinstance(value, list | tuple):
        for item in value:
            if isinstance(item, dict):
                yield item
            else:
                yield from _listed(item, depth + 1)
    elif isinstance(value, dict):
        for item in value.values():
            yield from _listed(item, depth + 1)


def _retyped(value: Any) -> Any:
    """As another program would write it after a change: numbers as words, texts wrapped."""
    if value is None or isinstance(value, bool):
        return "unknown"
    if isinstance(value, int | float):
        return {"amount": str(value)}
    if isinstance(value, str):
        return [value]
    return None
