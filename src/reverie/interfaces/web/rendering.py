"""Pages from templates, Python with its colours, differences line by line: harmless HTML out.

Whatever a template prints is inert: no template can forget it. The colours are a reader's aid,
found by a pattern that never fails; what is not Python comes out as it is.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from typing import Any
from urllib.parse import quote, urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from reverie.cycle.report.figures import asked_of_people, objection
from reverie.cycle.report.inert import LINE_CHARACTERS, LINES, inert, inert_lines, inert_words
from reverie.cycle.report.measure_words import stage_words
from reverie.cycle.report.plots import duration
from reverie.model.history import ExecutionRecord
from reverie.model.outcome import counted
from reverie.model.worth import gains_of

CHIPS = {
    **dict.fromkeys(("promoted", "promote", "pass", "success", "done", "merged"), "good"),
    **dict.fromkeys(("finished", "passed", "offered", "Stable", "reinforcing"), "good"),
    **dict.fromkeys(("rejected", "reject", "fail", "failed", "rolled_back", "conflicting"), "bad"),
    **dict.fromkeys(("timeout", "runtime_error", "type_error", "syntax_error"), "bad"),
    **dict.fromkeys(("resource_exhaustion", "output_validation_failed", "unknown_error"), "bad"),
    **dict.fromkeys(("borderline", "pilot", "hold", "tested", "pending_test"), "hold"),
    **dict.fromkeys(("interrupted", "running", "dreamt", "Volatile", "Slow decay"), "hold"),
}
"""The colour of a word."""
WORDS = {
    "tested": "waiting for approval",
    "pending_test": "not tried yet",
    "borderline": "not proven",
    "rejected": "refused",
    "reject": "refused",
    "promoted": "ready to merge",
    "promote": "accepted",
    "out_of_scope": "ignored",
    "dreamt": "being proven",
    "planned": "not yet begun",
    "pilot": "on trial",
    "archived": "put aside",
    "test": "tests",
    "refactor": "refactoring",
    "optimisation": "speed-up",
    "optimise": "speed-ups",
    "offered": "ready to merge",
    "runtime": "runtime error",
    "syntax": "syntax error",
    "type": "type error",
    "logic": "wrong result",
    **dict.fromkeys(("resource", "resource_exhaustion"), "out of resources"),
    **dict.fromkeys(("validation", "output_validation_failed"), "output not as asked"),
    "dependency": "missing dependency",
    "projected_roi_below_threshold": "expected worth too low",
    "low_confidence": "few outcomes to judge by",
    "roi_collapse_risk": "its worth may collapse",
    "negative_dag_impact": "what depends on it may lose",
}
"""Words of the journal as people say them."""
_TOLD = 50
"""Parts of one value that a page shows."""


def make_environment() -> Environment:
    """The templates, with what all of them use."""
    environment = Environment(
        loader=PackageLoader("reverie.interfaces.web", "templates"),
        autoescape=True,
        finalize=shown,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        chip=chip, moment=moment, dated=dated, ago=ago, gain=gain, share=share, span=span,
        number=number, plain=plain, lines=lines, words=words, size=size, prose=prose,
        purpose=purpose, complaint=complaint, asked=asked, objection=objection, ruled=ruled,
        staged=stage_words,
    )  # fmt: skip
    environment.globals.update(url=url, limit=limit, limit_name=limit_name)
    return environment


def shown(value: object) -> Markup:
    """Anything as harmless HTML; what is markup already was made by us."""
    if isinstance(value, Markup):
        return value
    return Markup("&ndash;") if value is None else Markup(inert(value))


def url(*parts: object, **query: object) -> str:
    """An address here: its parts between slashes, and what it asks for."""
    path = "/" + "/".join(quote(str(part), safe="") for part in parts)
    asked = {name: value for name, value in query.items() if value not in (None, "")}
    return f"{path}?{urlencode(asked)}" if asked else path


def chip(word: object, kind: str | None = None) -> Markup:
    """A word in its colour."""
    if word is None:
        return Markup("")
    colour = CHIPS.get(str(word), "") if kind is None else kind
    return Markup(f'<span class="chip {inert(colour)}">{words(word)}</span>')


_RULED = {
    "promote": "no objection",
    "borderline": "people decide",
    "hold": "held back for now",
    "demote": "not to be kept",
}


def ruled(verdict: object, *, is_founded: bool = True) -> Markup:
    """What governance said of a change, which is not what became of it; grey without grounds."""
    told = words(_RULED.get(str(verdict), verdict))
    colour = CHIPS.get(str(verdict), "") if is_founded else ""
    return Markup(f'<span class="chip {inert(colour)}">{told}</span>')


def words(word: object) -> Markup:
    """An enum's word as people say it."""
    return Markup(inert(WORDS.get(str(word), str(word).replace("_", " ")), 300))


def prose(text: object) -> Markup:
    """A title; what stands between two backticks in it is code."""
    return Markup(inert_words(text))


PURPOSES = {
    "_run_benchmark": "timing a function",
    "_race": "timing old against new",
    "answer": "comparing calls of old and new",
    "notice": "looking for calls that notice a fault",
    "observe": "trying calls for tests",
    "record": "recording what tests call",
    "record_suite": "recording what tests call",
    "run": "running tests",
    "run_plainly": "running tests without measuring",
    "<dream>": "a script",
}
"""What our own programs in the sandbox are for, by the name of their entry."""


def purpose(record: ExecutionRecord) -> Markup:
    """What an execution was for: in words where the program is ours, else what was called."""
    entry = record.entry
    said = PURPOSES.get(entry, f"a call of `{entry}`") if entry else record.target
    return Markup(inert_words(said))


def complaint(record: ExecutionRecord) -> str:
    """How an execution failed; its message may begin with the kind of error already."""
    kind, message = record.error_type or "", record.error_message or ""
    if not kind or message.startswith(kind):
        return message or record.error_category or ""
    return f"{kind}: {message}" if message else kind


def asked(needs: Iterable[object]) -> Markup:
    """What people have to do for a change that waits."""
    return Markup(inert(asked_of_people(map(str, needs))))


_LIMITS = {
    "cpu_seconds": "CPU time",
    "file_bytes": "one file",
    "output_bytes": "each of stdout and stderr",
    "wall_seconds": "wall time",
}


def limit_name(name: str) -> str:
    """What a limit of the sandbox is about."""
    return _LIMITS.get(name, name.removesuffix("_bytes").replace("_", " "))


def limit(name: str, value: object) -> Markup:
    """A limit of the sandbox with its unit; without a number there is none."""
    if value is None:
        return Markup("no limit")
    if isinstance(value, int | float) and name.endswith("_bytes"):
        return Markup(f"{value / 2**20:,.4g} MiB")
    if isinstance(value, int | float) and name.endswith("_seconds"):
        return span(value)
    return number(value) if isinstance(value, int | float) else plain(value)


def moment(at: datetime | None, *, to_the_second: bool = False) -> Markup:
    """When something was, to the minute; to the second for whoever asks, or points at it."""
    if at is None:
        return Markup("&ndash;")
    told = at.astimezone(UTC)
    exact = told.isoformat(timespec="seconds")
    seconds = f"{told:%Y-%m-%d %H:%M:%S}" if to_the_second else f"{told:%Y-%m-%d %H:%M}"
    return Markup(f'<time datetime="{exact}" title="{exact}">{seconds}</time>')


_CYCLE = re.compile(r"(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)\d\d-")


def dated(cycle_id: str) -> Markup:
    """A cycle by when it began, as its id says; the id for whoever points at it."""
    found = _CYCLE.match(cycle_id)
    told = "{}-{}-{} {}:{}".format(*found.groups()) if found else cycle_id
    return Markup(f'<span class="word" title="{inert(cycle_id)}">{inert(told)}</span>')


def ago(at: datetime | None) -> Markup:
    """How long ago something was, in words; the exact moment for whoever points at it."""
    if at is None:
        return Markup("")
    exact = at.astimezone(UTC).isoformat(timespec="seconds")
    seconds = max(0.0, (datetime.now(UTC) - at).total_seconds())
    for unit, length in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if seconds >= length:
            told = f"{counted(seconds // length, unit)} ago"
            break
    else:
        told = "just now"
    return Markup(f'<time datetime="{exact}" title="{exact}">{told}</time>')


def gain(measures: Mapping[str, float]) -> Markup:
    """What a change brings, as far as it was measured."""
    return Markup(inert(", ".join(gains_of(measures))))


def share(value: float | None) -> Markup:
    """A part of a whole, in hundredths."""
    if value is None:
        return Markup("&ndash;")
    return Markup(f"{100 * value:.1f} %")


def span(seconds: float | None) -> Markup:
    """A length of time as people say it."""
    if seconds is None:
        return Markup("&ndash;")
    if seconds < 1:
        return Markup(f"{1000 * seconds:.1f} ms" if seconds < 0.1 else f"{1000 * seconds:.0f} ms")
    return Markup(duration(seconds))


def number(value: float | None) -> Markup:
    """A figure with its thousands apart."""
    if value is None:
        return Markup("&ndash;")
    return Markup(f"{value:,}" if isinstance(value, int) else f"{value:,.4g}")


def size(value: float | None) -> Markup:
    """Bytes."""
    return Markup("&ndash;") if value is None else Markup(f"{value / 2**20:,.1f} MiB")


def plain(value: Any) -> Markup:
    """A value out of JSON, on one line."""
    if value is None:
        return Markup("not measured")
    return Markup(inert(_flat(value)))


def _flat(value: Any) -> str:
    """What `plain` shows, before it is made inert: of a long value only as much as is told."""
    if value is None:
        return "not measured"
    if isinstance(value, Mapping):
        shown = [f"{key} {_flat(each)}" for key, each in islice(value.items(), _TOLD)]
    elif isinstance(value, list | tuple):
        shown = [_flat(each) for each in value[:_TOLD]]
    elif isinstance(value, bool):
        return "yes" if value else "no"
    else:
        return f"{value:.4g}" if isinstance(value, float) else str(value)
    more = [f"… ({len(value) - _TOLD} more)"] if len(value) > _TOLD else []
    return ", ".join((*shown, *more)) or "none"


def lines(text: object) -> Markup:
    """Text of several lines, for `pre`."""
    body = "".join(f"<span>{line}</span>" for line in inert_lines(str(text).rstrip("\n")))
    return Markup(body)


_KEYWORDS = (
    "and as assert async await break case class continue def del elif else except finally for "
    "from global if import in is lambda match nonlocal not or pass raise return try while with "
    "yield None True False self cls"
).replace(" ", "|")
_TOKEN = re.compile(
    r"(?P<c>\#.*)"
    r"|(?P<t>[rbfuRBFU]{0,2}(?:\"\"\"|'''))"
    r"|(?P<s>[rbfuRBFU]{0,2}(?:\"(?:\\.|[^\"\\])*\"?|'(?:\\.|[^'\\])*'?))"
    r"|(?P<m>\b\d[\w.]*)"
    rf"|(?P<k>\b(?:{_KEYWORDS})\b)"
    r"|(?P<d>(?<=\bdef )\w+|(?<=\bclass )\w+|@[\w.]+)"
)
_HUNK = re.compile(r"@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@")


@dataclass(frozen=True, slots=True)
class DiffLine:
    """One line of a difference: which side has it, and where."""

    kind: str
    """`add`, `del`, `at` (headings), or empty for what both sides have."""
    old: int | None
    new: int | None
    html: Markup


@dataclass(frozen=True, slots=True)
class DiffRow:
    """One row of a difference, side by side."""

    old: DiffLine | None
    new: DiffLine | None


def coloured(source: str) -> Iterator[Markup]:
    """The lines of a Python source."""
    inside = ""
    every = source.split("\n")
    for line in every[:LINES]:
        html, inside = _line(line, inside)
        yield html
    if len(every) > LINES:
        yield Markup(inert(f"… ({len(every) - LINES} more lines)"))


def diff_lines(diff: str) -> Iterator[DiffLine]:
    """The lines of a unified difference."""
    old = new = 0
    every = diff.rstrip("\n").split("\n")
    for line in every[:LINES]:
        found = _HUNK.match(line)
        if found is not None:
            old, new = int(found[1]), int(found[2])
        if found is not None or line.startswith(("--- ", "+++ ", "\\")):
            yield DiffLine("at", None, None, Markup(inert(line)))
            continue
        kind = {"+": "add", "-": "del"}.get(line[:1], "")
        html = Markup(inert(line[:1])) + _line(line[1:], "")[0]
        yield DiffLine(kind, old if kind != "add" else None, new if kind != "del" else None, html)
        old, new = old + (kind != "add"), new + (kind != "del")
    if len(every) > LINES:
        told = f"… ({len(every) - LINES} more lines)"
        yield DiffLine("at", None, None, Markup(inert(told)))


def side_by_side(lines: Sequence[DiffLine]) -> Iterator[DiffRow]:
    """The same with what goes on the left and what comes on the right."""
    gone: list[DiffLine] = []
    come: list[DiffLine] = []
    for line in lines:
        if line.kind in ("add", "del"):
            (come if line.kind == "add" else gone).append(line)
            continue
        yield from _paired(gone, come)
        gone, come = [], []
        yield DiffRow(line, line)
    yield from _paired(gone, come)


def _paired(gone: list[DiffLine], come: list[DiffLine]) -> Iterator[DiffRow]:
    for at in range(max(len(gone), len(come))):
        yield DiffRow(gone[at] if at < len(gone) else None, come[at] if at < len(come) else None)


def _line(line: str, inside: str) -> tuple[Markup, str]:
    """One line, and the quotes that are still open behind it."""
    if len(line) > LINE_CHARACTERS:
        return Markup(inert(line)), inside
    line = line.expandtabs(8)
    parts: list[str] = []
    at = 0
    while at < len(line):
        if inside:
            end = line.find(inside, at)
            stop = len(line) if end < 0 else end + 3
            parts.append(_token("s", line[at:stop]))
            at, inside = stop, inside if end < 0 else ""
            continue
        found = _TOKEN.search(line, at)
        if found is None:
            parts.append(inert(line[at:]))
            break
        parts.append(inert(line[at : found.start()]))
        kind = found.lastgroup or ""
        parts.append(_token("s" if kind == "t" else kind, found[0]))
        inside = found[0][-3:] if kind == "t" else ""
        at = found.end()
    return Markup("".join(parts)), inside


def _token(kind: str, text: str) -> str:
    return f'<b class="{kind}">{inert(text)}</b>'
