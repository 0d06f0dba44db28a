"""The report as one page that opens from disk: no script, nothing fetched, everything escaped."""

from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import PurePath
from typing import Any

from reverie.cycle.report.cards import finding_card, promoted_card, refused_card
from reverie.cycle.report.figures import Figures, duration
from reverie.cycle.report.inert import inert
from reverie.cycle.report.plots import Spent, before_after_plot, spent_plot

Document = Mapping[str, Any]
# Whatever slipped through the escaping could neither run nor fetch.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def report_page(document: Document) -> str:
    """The whole page of one cycle."""
    style = files("reverie.cycle.report").joinpath("page.css").read_text("utf-8")
    name = PurePath(document["repository"]).name
    sections = (
        _plots(document),
        _promoted(document),
        _findings(document["found"]),
        _refused(document["refused"]),
        _modules(document["modules"]),
        _cost(document),
    )
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Reverie: {inert(name, 200)}</title>
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<meta name="viewport" content="width=device-width"><style>{style}</style></head><body>
{_header(document, name)}
<main>
{"".join(sections)}
</main>
<footer>Every figure comes from the journal; `reverie report {inert(document["cycle_id"])}` writes
this page again. A figure that was not measured is not shown.</footer>
</body></html>
"""


def _header(document: Document, name: str) -> str:
    figures = Figures(document)
    state = "" if document["state"] == "finished" else f" · {inert(document['state'])}"
    when = inert(document["started_at"].replace("T", " ")[:16])
    base = inert((document["revision"] or "no git")[:12])
    return f"""<header><p class="eyebrow">{inert(name, 200)} at {base} · {when} UTC{state}</p>
<h1>{inert(figures.headline)}</h1>
{_how_to_take(document)}
<div class="tiles">{"".join(_tile(*tile) for tile in figures.tiles())}</div></header>"""


def _how_to_take(document: Document) -> str:
    if not document["promotions"]:
        return "<p>Nothing was promoted; your branches are as they were.</p>"
    if document["branch"] is None:
        places = sorted({str(PurePath(each["patch"]).parent) for each in document["promotions"]})
        return f"<p>The patches are in <code>{inert(', '.join(places))}</code>.</p>"
    branch = inert(document["branch"])
    look, take = f"git log -p HEAD..{branch}", f"git merge {branch}"
    return (
        f"<p>Everything is on the branch <code>{branch}</code>; nothing of yours was touched. "
        f"Look with <code>{look}</code>, take it with <code>{take}</code>.</p>"
    )


def _tile(figure: str, label: str, before: str | None = None) -> str:
    way = "" if before is None else f'<span class="way">{inert(before)} → </span>'
    return f'<div class="tile"><b>{way}{inert(figure)}</b><span>{inert(label)}</span></div>'


def _plots(document: Document) -> str:
    figures = Figures(document)
    plots = [
        before_after_plot("Branches that tests take", figures.branch_rows()),
        before_after_plot("Mutants that tests notice", figures.mutation_rows()),
    ]
    if not any(plots):
        return ""
    legend = (
        '<p class="legend"><span class="dot b"></span>before<span class="dot a"></span>after, '
        "with the promoted tests; the gain in points.</p>"
    )
    return f'<h2>What it changed</h2><div class="plots">{"".join(plots)}</div>{legend}'


def _section(title: str, cards: Sequence[str], lead: str = "") -> str:
    count = f'<span class="count">{len(cards)}</span>'
    return f"<h2>{title} {count}</h2>{lead}{''.join(cards)}" if cards else ""


def _promoted(document: Document) -> str:
    return _section("Promoted", [promoted_card(each) for each in document["promoted"]])


def _findings(found: Sequence[Document]) -> str:
    lead = (
        "<p>Behaviour that looks like a fault. It was not written into a test as if it were "
        "right: a person decides.</p>"
    )
    return _section("Findings", [finding_card(each) for each in found], lead)


def _refused(refused: Sequence[Document]) -> str:
    return _section("Refused", [refused_card(each) for each in refused])


def _modules(modules: Sequence[Document]) -> str:
    quiet = [each for each in modules if each["state"] != "done" or each["note"]]
    if not quiet:
        return ""
    rows = "".join(
        f"<tr><td><code>{inert(each['module'])}</code></td><td>{inert(each['state'])}</td>"
        f"<td>{inert(each['note'] or '')}</td></tr>"
        for each in quiet
    )
    head = "<tr><th>module</th><th>state</th><th>why</th></tr>"
    return f'<h2>Also looked at</h2><div class="scroll"><table>{head}{rows}</table></div>'


def _cost(document: Document) -> str:
    tried: dict[str, float] = {}
    for each in (*document["promoted"], *document["refused"]):
        if each["trial"] is not None:
            tried[each["module"]] = tried.get(each["module"], 0.0) + each["trial"]["seconds"]
    spent = [
        Spent(each["module"], each["seconds"], tried.get(each["module"], 0.0))
        for each in document["modules"]
        if each["seconds"] or each["module"] in tried
    ]
    legend = (
        '<p class="legend"><span class="dot d"></span>dreaming<span class="dot t"></span>trying</p>'
    )
    plot = spent_plot("Where the time went", spent)
    facts = {
        "time": duration(document["seconds"]),
        "executions in the sandbox": f"{document['executions']:,}",
        "budget": _budget(document["budget"]),
        "seed": document["seed"],
        **{name: _plain(value) for name, value in document["environment"].items()},
        **_told("before", document["baseline"]),
        **_told("after", document["result"] or {}),
    }
    rows = "".join(
        f"<dt>{inert(name.replace('_', ' '))}</dt><dd>{inert(value)}</dd>"
        for name, value in facts.items()
    )
    return f"<h2>What it cost, and on what ground</h2>{plot}{legend if plot else ''}<dl>{rows}</dl>"


def _told(when: str, figures: Document) -> dict[str, str]:
    """The figures of a suite, but for what the plots show."""
    return {f"{when}: {k}": _plain(v) for k, v in figures.items() if k != "covered"}


def _budget(budget: Document) -> str:
    units = {"seconds": "s", "executions": "executions", "dreams": "dreams"}
    given = [f"{value:g} {units[name]}" for name, value in budget.items() if value is not None]
    return ", ".join(given) or "none"


def _plain(value: Any) -> str:
    if value is None:
        return "not measured"
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_plain(inner)}" for key, inner in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(_plain, value)) or "none"
    return f"{value:.4g}" if isinstance(value, float) else str(value)
