"""From all that was kept to what is worth showing: few tries, each as short as it can be."""

import re
import time
from collections.abc import Callable, Iterator
from typing import Any

from .changing import next_number, with_part, without
from .hunting import Hunter
from .memory import Entry
from .nodes import (
    CONST,
    DICT,
    DISPLAYS,
    FORM,
    REF,
    Line,
    Node,
    const,
    form,
    needs_of,
    places,
    render,
    tidy,
)
from .trying import FEW_ITEMS, Outcome

_PER_CALLEE = 24


def chosen_entries(entries: "list[Entry]") -> "list[Entry]":
    """The best try for every way, then some more of each function's behaviours."""
    best: dict[int, Entry] = {}
    for entry in sorted(entries, key=lambda each: each.rank):
        for way in entry.hits:
            best.setdefault(way, entry)
    needed = {id(each): each for each in best.values()}
    left = set(best)
    chosen = []
    for entry in sorted(needed.values(), key=lambda each: each.rank):
        if entry.hits & left:
            chosen.append(entry)
            left -= entry.hits
    taken = {id(each) for each in chosen}
    paths = {(each.callee, each.hits, each.outcome) for each in chosen}
    counts: dict[str, int] = {}
    for entry in sorted(entries, key=lambda each: each.rank):
        path = (entry.callee, entry.hits, entry.outcome)
        few = counts.get(entry.callee or "", 0) < _PER_CALLEE
        if id(entry) not in taken and not entry.is_poor and few and path not in paths:
            counts[entry.callee or ""] = counts.get(entry.callee or "", 0) + 1
            paths.add(path)
            chosen.append(entry)
    return chosen


def looked_at(lines: "list[Line]", outcome: Outcome) -> "list[Line]":
    """The lines, and a look at the object, where the last of them only does something to it."""
    last = lines[-1]
    receiver = last.node.items[0] if last.node.items else None
    if outcome.error is not None or receiver is None or receiver.kind != REF:
        return lines
    is_procedure = last.form == "call" and outcome.values and outcome.values[-1] is None
    if last.form == "change" or is_procedure:
        return [*lines, Line(receiver, "read", last.callee, next_number(lines))]
    return lines


def written(lines: "list[Line]", handling: "list[str]", origin: str) -> "dict[str, Any] | None":
    """The try as source; None when it cannot be written."""
    used = needs_of(lines)
    names = _names(lines, used)
    steps = []
    for place, line in enumerate(lines):
        how = handling[place] if place < len(handling) else ""
        node = line.node
        if how == "listed":
            node = form("list(·)", node)
        elif how == "each listed":
            node = form("[list(each) for each in ·]", node)
        elif how == "sliced":
            node = form(f"list(itertools.islice(·, {FEW_ITEMS}))", node)
        elif how == "gathered":
            node = form("[each async for each in ·]", node)
        try:
            source = tidy(render(node, names))
        except ValueError:
            return None
        steps.append({
            "source": source, "form": line.form, "callee": line.callee,
            "name": names.get(line.number) if line.number in used else None,
            "is_awaited": how in ("awaited", "gathered"),
        })  # fmt: skip
    return {"steps": steps, "origin": origin}


def _names(lines: "list[Line]", used: "set[int]") -> "dict[int, str]":
    """A name for each result that a later line needs, from what makes it."""
    names: dict[int, str] = {}
    taken: dict[str, int] = {}
    for line in lines:
        if line.number not in used:
            continue
        base = (line.callee or "result").partition(".")[0 if line.form == "make" else 2] or "result"
        base = _snake(base if line.form == "make" else "result")
        taken[base] = taken.get(base, 0) + 1
        names[line.number] = base if taken[base] == 1 else f"{base}_{taken[base]}"
    return names


def _snake(name: str) -> str:
    made = "".join(
        f"_{each.lower()}" if each.isupper() and place and not name[place - 1].isupper()
        else each.lower() for place, each in enumerate(name.strip("_"))
    ).removesuffix("_stand_in")  # fmt: skip
    return made if made.isidentifier() and made != name else "made"


_BEFORE = re.compile(r"(?:, )?(?:\w+=)?$")
_MOST_RUNS = 40
_SHORT_TEXT = 6
_FEW_ITEMS = 2


class Shortener:
    """Leaves out of a try whatever it goes the same ways without."""

    def __init__(self, hunter: Hunter, until: float) -> None:
        self.hunter = hunter
        self.until = until
        self._ending: type | None = None
        """Of the try in hand: the class of the exception that it ends with."""

    def shorten(self, entry: Entry, wanted: "frozenset[int]") -> "list[Line]":
        """The lines that are needed for the wanted ways, with no more in them than needed."""
        lines = entry.lines
        self._ending = type(self.hunter.runner.run(lines).error)
        for place in range(len(lines) - 2, -1, -1):
            if place < len(lines):
                shorter = without(lines, place)
                if len(shorter) < len(lines) and self._still(shorter, wanted):
                    lines = shorter
        runs = 0
        is_shorter = True
        while is_shorter and runs < _MOST_RUNS:
            is_shorter = False
            for candidate in _simpler(lines, self.hunter.kinds.is_known):
                runs += 1
                if runs >= _MOST_RUNS:
                    break
                if self._still(candidate, wanted):
                    lines, is_shorter = candidate, True
                    break
        return lines

    def steadied(self, entry: Entry, lines: "list[Line]") -> "list[Line]":
        """The lines after a seed for chance, where that makes them come to the same each time."""
        if entry.is_steady:
            return lines
        seed = form("random.seed(·)", const(0))
        seeded = [Line(seed, "change", None, next_number(lines)), *lines]
        outcome = self.hunter.runner.run(seeded)
        is_better = not outcome.is_late and self.hunter.runner.is_steady(seeded, outcome)
        return seeded if is_better else lines

    def _still(self, lines: "list[Line]", wanted: "frozenset[int]") -> bool:
        if time.monotonic() > self.until:
            return False
        recorder = self.hunter.recorder
        recorder.clear()
        outcome = self.hunter.runner.run(lines)
        is_alike = not outcome.is_late and type(outcome.error) is self._ending
        return is_alike and wanted <= recorder.hits


def _simpler(
    lines: "list[Line]", is_known: "Callable[[Any], bool]" = lambda value: False
) -> "Iterator[list[Line]]":
    """The same lines with a little less in one of them, the largest savings first."""
    for number, line in enumerate(lines):
        for path, node in places(line.node):
            if node.kind == FORM and node.about is not None:
                for place in range(len(node.items) - 1, -1, -1):
                    less = _without_argument(node, place)
                    if less is not None:
                        yield with_part(lines, number, path, less)
    for number, line in enumerate(lines):
        for path, node in places(line.node):
            for part in _smaller(node, is_known):
                yield with_part(lines, number, path, part)


def _without_argument(node: Node, place: int) -> "Node | None":
    """A call without one of its arguments: one given by name, or the last."""
    pieces = node.value
    is_named = pieces[place].endswith("=")
    is_last = place == len(node.items) - 1 and pieces[place + 1].startswith(")")
    if not (is_named or is_last) or not _BEFORE.search(pieces[place]) or "(" not in pieces[0]:
        return None
    if pieces[place] == "" or not (pieces[place].startswith(", ") or pieces[place][-1] in "(="):
        return None
    head = _BEFORE.sub("", pieces[place])
    tail = pieces[place + 1]
    joined = head + (tail.removeprefix(", ") if head.endswith("(") else tail)
    names = node.about[1] if node.about is not None else ()
    about = None if node.about is None else (node.about[0], (*names[:place], *names[place + 1 :]))
    return Node(
        FORM,
        (*pieces[:place], joined, *pieces[place + 2 :]),
        (*node.items[:place], *node.items[place + 1 :]),
        about,
    )


def _smaller(node: Node, is_known: "Callable[[Any], bool]") -> "Iterator[Node]":
    """A value with less in it; numbers stay, and texts that somebody wrote as a whole."""
    if node.kind == CONST and isinstance(node.value, (str, bytes)):
        half = len(node.value) // 2
        if len(node.value) > _SHORT_TEXT and not is_known(node.value):
            yield const(node.value[:half])
            yield const(node.value[half:])
            yield const(node.value[:-2])
            yield const(node.value[2:])
    elif node.kind in DISPLAYS:
        step = 2 if node.kind == DICT else 1
        if len(node.items) > _FEW_ITEMS * step:
            for at in range(0, len(node.items), step):
                yield node.with_items((*node.items[:at], *node.items[at + step :]))
