"""Records that drift: fields dropped, renamed and retyped, wherever records come in."""

import csv
import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reverie.workflows.scenarios.inside.board import Board

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
