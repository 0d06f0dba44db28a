"""Arguments that mean harm, and calls by people who have not read the manual."""

import inspect
import json
import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from reverie.workflows.scenarios.inside.board import Board

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
