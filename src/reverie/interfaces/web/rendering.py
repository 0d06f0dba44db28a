"""Pages from templates. Whatever a template prints is inert: no template can forget it."""

from collections.abc import Mapping
from datetime import UTC, datetime
from itertools import islice
from typing import Any
from urllib.parse import quote, urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from reverie.cycle.report.inert import inert, inert_lines

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
        chip=chip, moment=moment, minutes=minutes, share=share, span=span, number=number,
        plain=plain, lines=lines, words=words, size=size,
    )  # fmt: skip
    environment.globals.update(url=url)
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


def words(word: object) -> Markup:
    """An enum's word as people write it."""
    return Markup(inert(str(word).replace("_", " "), 300))


def moment(at: datetime | None) -> Markup:
    """When something was, to the minute; to the second for whoever points at it."""
    if at is None:
        return Markup("&ndash;")
    told = at.astimezone(UTC)
    exact = told.isoformat(timespec="seconds")
    return Markup(f'<time datetime="{exact}" title="{exact}">{told:%Y-%m-%d %H:%M}</time>')


def minutes(value: float | None) -> Markup:
    """A worth, in minutes of a maintainer's time."""
    return Markup("&ndash;") if value is None else Markup(f"{value:+.0f} min")


def share(value: float | None) -> Markup:
    """A part of a whole, in hundredths."""
    return Markup("&ndash;") if value is None else Markup(f"{100 * value:.1f} %")


def span(seconds: float | None) -> Markup:
    """A length of time as people say it."""
    if seconds is None:
        return Markup("&ndash;")
    if seconds < 1:
        return Markup(f"{1000 * seconds:.1f} ms")
    if seconds < 90:
        return Markup(f"{seconds:.1f} s")
    return Markup(f"{seconds / 60:.1f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h")


def number(value: float | None) -> Markup:
    """A figure with its thousands apart."""
    if value is None:
        return Markup("&ndash;")
    return Markup(f"{value:,}" if isinstance(value, int) else f"{value:,.4g}")


def size(value: float | None) -> Markup:
    """Bytes."""
    return Markup("&ndash;") if value is None else Markup(f"{value / 1e6:,.1f} MB")


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
    else:
        return f"{value:.4g}" if isinstance(value, float) else str(value)
    more = [f"… ({len(value) - _TOLD} more)"] if len(value) > _TOLD else []
    return ", ".join((*shown, *more)) or "none"


def lines(text: object) -> Markup:
    """Text of several lines, for `pre`."""
    body = "".join(f"<span>{line}</span>" for line in inert_lines(str(text).rstrip("\n")))
    return Markup(body)
