"""From all that was kept to what is worth showing: few tries, each as short as it can be."""

from typing import Any

from .changing import next_number
from .memory import Entry
from .nodes import REF, Line, form, needs_of, render, tidy
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
