"""The parts of the page that tell of one dream or one finding."""

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from reverie.cycle.report.inert import inert, inert_lines
from reverie.model.gains import gains_of
from reverie.model.words import counted

Document = Mapping[str, Any]
OPEN_LINES = 120
"""A longer difference is folded."""
_KINDS = {"+": "add", "-": "del", "@": "at"}
_CHIPS = {"pass": "good", "fail": "bad", "hold": "hold"}


def promoted_card(dream: Document) -> str:
    """A dream that came true: what it changes, on what evidence, and how to check that."""
    promotion = dream["promotion"]
    place = (promotion["commit"] or "")[:12] or promotion["patch"] or dream["dream_id"]
    size = f"+{dream['lines_added']} &minus;{dream['lines_removed']}"
    return (
        f'<article class="card"><div class="head"><h3>{inert(dream["title"])}</h3>'
        f'<div class="meta">{inert(dream["module"])} · {inert(", ".join(dream["files"]))} · '
        f"{size} · <code>{inert(place, 200)}</code></div>"
        f'<div class="chips">{_gains(dream["trial"])}</div></div>'
        f"{_diff(dream['diff'])}{_trial(dream['trial'])}{_again(dream)}</article>"
    )


def refused_card(dream: Document) -> str:
    """A dream that was not promoted, and why."""
    trial = dream["trial"]
    why = _objections(trial["rulings"]) if trial is not None else _chip(dream["status"], "hold")
    return (
        f'<article class="card"><div class="head"><h3>{inert(dream["title"])}</h3>'
        f'<div class="meta">{inert(dream["module"])} · {inert(dream["status"])} · '
        f'<code>{inert(dream["dream_id"])}</code></div><div class="chips">{why}</div></div>'
        f"{_diff(dream['diff'], is_open=False)}{_trial(trial)}</article>"
    )


def finding_card(found: Document) -> str:
    """Behaviour that looks like a fault."""
    details = found["details"]
    rows = "".join(
        f"<dt>{inert(str(name).replace('_', ' '))}</dt><dd>{_value(value)}</dd>"
        for name, value in details.items()
        if value not in (None, "")
    )
    return (
        f'<article class="card"><div class="head"><h3>{inert(found["title"])}</h3>'
        f'<div class="meta">{inert(found["module"])}</div></div><dl>{rows}</dl></article>'
    )


def _value(value: Any) -> str:
    text = value if isinstance(value, str) else str(value)
    return "\n".join(inert_lines(text))


def _gains(trial: Document | None) -> str:
    measures = {} if trial is None else trial["measures"]
    chips = [_chip(each, "good") for each in gains_of(measures)]
    least = measures.get("tests.keepability")
    if least is not None:
        chips.append(_chip(f"keepable: {least:.0%} or more each"))
    return "".join(chips)


def _objections(rulings: Sequence[Document]) -> str:
    found = [each for each in rulings if each["verdict"] != "pass"]
    return "".join(
        _chip(f"{each['reason_code']}: {each['reason']}", _CHIPS.get(each["verdict"], ""))
        for each in found
    )


def _chip(text: str, kind: str = "") -> str:
    return f'<span class="chip {kind}">{inert(text, 300)}</span>'


def _diff(diff: str, *, is_open: bool = True) -> str:
    lines = inert_lines(diff.rstrip("\n"))
    is_open = is_open and len(lines) <= OPEN_LINES
    body = "".join(_line(line) for line in lines)
    opened = " open" if is_open else ""
    summary = f"<summary>The change, {counted(len(lines), 'line')}</summary>"
    return f"<details{opened}>{summary}<pre>{body}</pre></details>"


def _line(line: str) -> str:
    kind = _KINDS.get(line[:1], "")
    if line.startswith(("+++ ", "--- ")):
        kind = "at"
    return f'<span class="{kind}">{line}</span>' if kind else f"<span>{line}</span>"


def _trial(trial: Document | None) -> str:
    if trial is None:
        return ""
    rows = "".join(
        f"<tr><td>{_chip(each['verdict'], _CHIPS.get(each['verdict'], ''))}</td>"
        f"<td>{inert(each['gate'])}</td><td>{inert(each['reason'])}</td>"
        f'<td class="n">{_cell(each["measured"])}</td>'
        f'<td class="n">{_cell(each["required"])}</td></tr>'
        for each in trial["rulings"]
    )
    head = (
        "<tr><th></th><th>gate</th><th>ruling</th>"
        '<th class="n">measured</th><th class="n">required</th></tr>'
    )
    passed = sum(each["verdict"] == "pass" for each in trial["rulings"])
    told = f"Rulings, {passed} of {len(trial['rulings'])} passed"
    table = f'<div class="scroll"><table>{head}{rows}</table></div>'
    return f"<details><summary>{told}</summary>{table}{_parts(trial)}</details>"


def _parts(trial: Document) -> str:
    """Every measure, and what the worth is made of."""
    rows = [
        *((name, value) for name, value in trial["measures"].items()),
        *((f"score: {name}", value) for name, value in trial["score"].items()),
    ]
    cells = "".join(
        f'<tr><td>{inert(name)}</td><td class="n">{_cell(value)}</td></tr>' for name, value in rows
    )
    return f'<div class="scroll"><table>{cells}</table></div>'


def _cell(value: Any) -> str:
    if value is None:
        return "&ndash;"
    return f"{value:.4g}" if isinstance(value, float) else inert(value, 400)


def _again(dream: Document) -> str:
    bundle = dream["promotion"]["bundle"]
    commands = [] if bundle is None else [f"reverie verify {shlex.quote(bundle)}"]
    commands.append(f"reverie rollback {dream['dream_id']}")
    body = "".join(f"<span>{inert(command)}</span>" for command in commands)
    return f"<details><summary>Check it, or take it back</summary><pre>{body}</pre></details>"
