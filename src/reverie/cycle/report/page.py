"""The report as one page that opens from disk: no script, nothing fetched, everything escaped.

A card tells of one change or one finding.
"""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from pathlib import PurePath
from typing import Any

from reverie.cycle.report.figures import (
    Figures,
    asked_of_people,
    brings,
    kept_probability,
    measures_of,
    objections,
    passed_over,
    proof,
    ready_and_merged,
    taking_back,
    would_help,
)
from reverie.cycle.report.inert import inert, inert_lines, inert_words
from reverie.cycle.report.measure_words import stage_words
from reverie.cycle.report.passing_on import passed_on
from reverie.cycle.report.plots import (
    Spent,
    before_after_plot,
    checks_summary,
    checks_table,
    duration,
    evidence_plots,
    flame_graph,
    spent_plot,
)
from reverie.model.outcome import counted

Document = Mapping[str, Any]

_KINDS = {"+": "add", "-": "del", "@": "at"}
_FACTS = {
    "input": "Input",
    "actual": "What happened",
    "expected": "Expected",
    "why": "Why it looks wrong",
    "hypothesis": "Why it looks wrong",
    "action": "What to do",
    "mending": "An edit that makes it true",
    "mending_shown": "With the edit",
    "repro": "To see it again",
    "line": "Where",
}
"""What is told of a finding, in this order and in these words."""
_INNER = frozenset(
    {
        "signature",
        "kind",
        "function",
        "basis",
        "callable",
        "verdict",
        "id",
        "documented",
        "formerly",
    }
)
"""What only programs ask for, or the title says already."""


def promoted_card(
    change: Document, figures: Figures, branch: str | None, *, is_merged: bool = False
) -> str:
    """A change that was accepted: what is better; folded, the evidence and what to do."""
    ways_on = dict(ways(change, branch, is_merged=is_merged))
    body = f"{_told(change)}{_evidence(change, figures)}{commands(ways_on)}"
    return _card(change["title"], _brings(change, figures), body + _diff(change) + _checks(change))


def waiting_card(change: Document, figures: Figures) -> str:
    """A change that is proven and needs somebody's word."""
    needs = asked_of_people(change["needs"])
    ways_on = {
        "Approve it": change["command"],
        "Look at it": f"reverie show {change['dream']} --patch",
    }
    lead = f'{_brings(change, figures)}<p class="needs">Needs {inert(needs)}.</p>'
    body = f"{_told(change)}{_evidence(change, figures)}{commands(ways_on)}"
    return _card(change["title"], lead, body + _diff(change) + _checks(change))


def refused_card(change: Document) -> str:
    """A change that was not promoted, and why."""
    why = f"<p>{inert(sentence(objections(change)))}</p>{helping(change)}"
    return _card(change["title"], why, f"{_told(change)}{_diff(change)}{_checks(change)}")


def helping(change: Document) -> str:
    """What would help a change that was refused, a line for each reason."""
    lines = "".join(f"<li>{inert_words(sentence(each))}</li>" for each in would_help(change))
    return f'<p class="meta">What would help:</p><ul class="helping">{lines}</ul>' if lines else ""


def finding_card(found: Document) -> str:
    """Behaviour that looks like a fault."""
    rows = "".join(
        f"<dt>{inert(label)}</dt><dd>{_fact(label, value)}</dd>"
        for label, value in finding_facts(found["details"], found["module"])
    )
    judge = {"Judge it": f"reverie finding {found['id']} bug|feature|ignore"}
    lead = f'<p class="meta">{inert(found["module"])} · <code>{inert(found["id"])}</code></p>'
    return _card(found["title"], lead, f"<dl>{rows}</dl>{commands(judge)}")


def _card(title: str, lead: str, body: str) -> str:
    """One line that says it, and the rest folded."""
    return (
        f'<details class="card"><summary class="head"><h3>{inert_words(title)}</h3>{lead}</summary>'
        f"{body}</details>"
    )


def finding_facts(details: Document, module: str) -> Iterator[tuple[str, Any]]:
    """What is known of a finding, in words and in the order in which a person asks."""
    given = {name: value for name, value in details.items() if value not in (None, "")}
    seen = set()
    for name, label in _FACTS.items():
        if name in given and label not in seen:
            seen.add(label)
            yield label, f"line {given[name]} of {module}" if name == "line" else given[name]
    for name, value in given.items():
        if name not in _FACTS and name not in _INNER:
            yield str(name).replace("_", " "), value


def ways(
    change: Document, branch: str | None, *, is_merged: bool = False
) -> Iterator[tuple[str, str]]:
    """What a person can do with a promoted change, and the command that does it."""
    promotion, name = change["promotion"], change["dream_id"]
    if is_merged:
        yield "Take it back", taking_back(name, promotion["branch"])
    elif promotion["commit"]:
        yield "Take it", f"git cherry-pick {promotion['commit'][:12]}"
    elif promotion["patch"]:
        yield "Take it", f"git apply {shlex.quote(promotion['patch'])}"
    if not is_merged:
        if branch is not None:
            yield "Take all of this cycle", f"git merge {shlex.quote(branch)}"
        yield "Take it back", f"reverie rollback {name}"
    if promotion["bundle"] is not None:
        yield "Prove it again", f"reverie verify {name}"


def commands(given: Mapping[str, str]) -> str:
    """Commands, each with what it is for."""
    rows = "".join(
        f"<dt>{inert(label)}</dt><dd><code>{inert(line)}</code></dd>"
        for label, line in given.items()
    )
    return f'<dl class="commands">{rows}</dl>'


def _brings(change: Document, figures: Figures) -> str:
    """What is better with a change, in one line."""
    told = inert(sentence(brings(change, figures), change["module"])).replace(" %", "&nbsp;%")
    return f'<p class="brings">{told}</p>'


def _told(change: Document) -> str:
    """How it was proven, and where it is."""
    lines = f"+{change['lines_added']} \N{MINUS SIGN}{change['lines_removed']} lines"
    where = f"{change['module']} · {', '.join(change['files'])} · {lines}"
    return (
        f'<div class="told"><p>{inert(sentence(proof(change)))} {inert(kept(change))}</p>'
        f'<p class="meta">{inert(where)} · <code>{inert(change["dream_id"])}</code></p></div>'
    )


def kept(change: Document) -> str:
    """How likely a maintainer keeps a change, as a sentence; empty where that is not known."""
    chance = kept_probability(change)
    return "" if chance is None else f"{100 * chance:.0f} % likely that a maintainer keeps it."


def sentence(text: str, module: str = "") -> str:
    """Words as a sentence; without the module, where that stands beside it."""
    said = text.removeprefix(f"{module}: ") if module else text
    return f"{said[:1].upper()}{said[1:]}." if said else ""


def _evidence(change: Document, figures: Figures) -> str:
    return evidence_plots(measures_of(change), figures.covered(change["module"], "branches"))


FACTS_IN_WORDS = frozenset({"Expected", "Why it looks wrong", "What to do", "Where"})
"""What of a finding is a sentence; the rest is code, or what code printed."""


def _fact(label: str, value: Any) -> str:
    return _value(value) if label in FACTS_IN_WORDS else f"<code>{_value(value)}</code>"


def _value(value: Any) -> str:
    text = value if isinstance(value, str) else str(value)
    return "\n".join(inert_lines(text))


def _prose(text: str) -> str:
    return "\n".join(inert_words(line) for line in text.split("\n"))


def _diff(change: Document) -> str:
    if not change.get("diff"):
        return ""
    lines = inert_lines(change["diff"].rstrip("\n"))
    body = "".join(_line(line) for line in lines)
    summary = f"<summary>The change, {counted(len(lines), 'line')}</summary>"
    return f'<details>{summary}<pre tabindex="0">{body}</pre></details>'


def _line(line: str) -> str:
    kind = _KINDS.get(line[:1], "")
    if line.startswith(("+++ ", "--- ")):
        kind = "at"
    return f'<span class="{kind}">{line}</span>' if kind else f"<span>{line}</span>"


def _checks(change: Document) -> str:
    trial = change.get("trial")
    if trial is None:
        return ""
    rulings = trial["rulings"]
    told = checks_summary(rulings)
    return f"<details><summary>{told}</summary>{checks_table(rulings)}</details>"


# Whatever slipped through the escaping could neither run nor fetch.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def report_page(document: Document) -> str:
    """The whole page of one cycle."""
    document = passed_on(document)
    style = files("reverie.cycle.report").joinpath("page.css").read_text("utf-8")
    name = document["repository"]
    figures = Figures(document)
    sections = (
        _findings(document["found"], document.get("settled", 0)),
        _waiting(document["waiting"], figures),
        _promoted(document, figures),
        _plots(figures),
        _refused("Refused", [each for each in document["refused"] if each["trial"] is not None]),
        _refused("Not tried", [each for each in document["refused"] if each["trial"] is None]),
        _skipped(document["modules"]),
        _cost(document),
    )
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Reverie: {inert(name, 200)}</title>
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>{style}</style></head><body>
{_header(document, name, figures)}
<main>
{"".join(sections)}
</main>
<footer>Figures that were not measured are not shown. To write this page again:
<code>reverie report {inert(document["cycle_id"])} --html FILE</code></footer>
</body></html>
"""


def _header(document: Document, name: str, figures: Figures) -> str:
    state = "" if document["state"] == "finished" else f" · {inert(document['state'])}"
    when = inert(document["started_at"].replace("T", " ")[:16])
    base = inert((document["revision"] or "no git")[:12])
    stage = inert(stage_words(document["stage"]))
    return f"""<header>
<p class="eyebrow">{inert(name, 200)} · started from {base} · {when} UTC · {stage}{state}</p>
<h1>{inert(figures.headline)}</h1>
<p class="eyebrow">{inert(" · ".join(ground_of(document)))}</p>
{_how_to_take(document)}
<div class="tiles">{"".join(_tile(*tile) for tile in figures.tiles())}</div></header>"""


_ISOLATIONS = {"namespaces": "Linux namespaces", "landlock": "Landlock", "none": "no isolation"}


def ground_of(document: Document) -> Iterator[str]:
    """The suite, the interpreter and the sandbox that everything was measured with."""
    suite, around = document["baseline"] or {}, document["environment"]
    if suite.get("tests") is not None:
        failed = f", {suite['failed']:g} failed" if suite.get("failed") else ""
        yield f"tests before: {suite.get('passed') or 0:g} passed{failed}"
    if around.get("python_version"):
        yield f"Python {around['python_version']}"
    if around.get("isolation"):
        yield f"sandbox: {_ISOLATIONS.get(around['isolation'], around['isolation'])}"
    runs = counted(document["executions"], "run")
    yield f"{duration(document['seconds'])}, {runs} in the sandbox"


def _how_to_take(document: Document) -> str:
    if not document["promotions"]:
        return "<p>No change was accepted; your branches are as they were.</p>"
    if document["branch"] is None:
        places = sorted({str(PurePath(each["patch"]).parent) for each in document["promotions"]})
        return f"<p>The patches are in <code>{inert(', '.join(places))}</code>.</p>"
    branch = inert(document["branch"])
    if not ready_and_merged(document)[0]:
        undo = inert(taking_back(document["cycle_id"], document["branch"]))
        return f"<p>They are merged: your branch has them. To undo them: <code>{undo}</code></p>"
    look, take = f"git log -p HEAD..{branch}", f"git merge {branch}"
    return (
        f"<p>All accepted changes are on the branch <code>{branch}</code>; your own branches are "
        f"as they were. Look: <code>{look}</code>. Take them: <code>{take}</code>.</p>"
    )


def _tile(figure: str, label: str, before: str | None = None) -> str:
    way = "" if before is None else f'<span class="way">{inert(before)} → </span>'
    return f'<div class="tile"><b>{way}{inert(figure)}</b><span>{inert(label)}</span></div>'


def _plots(figures: Figures) -> str:
    plots = [
        before_after_plot("Branches that tests run", figures.branch_rows()),
        before_after_plot("Planted faults that tests notice", figures.mutation_rows()),
    ]
    if not any(plots):
        return ""
    legend = (
        '<p class="legend"><span class="dot b"></span>before<span class="dot a"></span>after, '
        "with the accepted changes.</p>"
    )
    return f'<h2>Module by module</h2><div class="plots">{"".join(plots)}</div>{legend}'


def _section(title: str, cards: Sequence[str], lead: str = "") -> str:
    count = f'<span class="count">{len(cards)}</span>'
    return f"<h2>{title} {count}</h2>{lead}{''.join(cards)}" if cards else ""


def _folded(title: str, body: str) -> str:
    return f'<details class="fold"><summary><h2>{title}</h2></summary>{body}</details>'


def _findings(found: Sequence[Document], settled: int) -> str:
    lead = (
        "<p>Behaviour that looks like a fault. No test was written as if it were right: "
        "you decide.</p>"
    )
    left_out = f"<p>Left out: {counted(settled, 'finding')} that you settled since.</p>"
    section = _section("Findings", [finding_card(each) for each in found], lead)
    return section + (left_out if settled else "")


def _waiting(waiting: Sequence[Document], figures: Figures) -> str:
    lead = "<p>Proven; each is put on a branch once it is approved.</p>"
    return _section("Waiting for approval", [waiting_card(each, figures) for each in waiting], lead)


def _promoted(document: Document, figures: Figures) -> str:
    told = ("Ready to merge", False), ("Merged", True)
    return "".join(
        _section(
            title,
            [
                promoted_card(each, figures, document["branch"], is_merged=is_merged)
                for each in changes
            ],
        )
        for (title, is_merged), changes in zip(told, ready_and_merged(document), strict=True)
    )


_LEADS = {"Not tried": "<p>Left for another cycle: the time was up.</p>"}


def _refused(title: str, refused: Sequence[Document]) -> str:
    if not refused:
        return ""
    count = f'<span class="count">{len(refused)}</span>'
    return _folded(f"{title} {count}", _LEADS.get(title, "") + "".join(map(refused_card, refused)))


def _skipped(modules: Sequence[Document]) -> str:
    quiet = passed_over(modules)
    if not quiet:
        return ""
    rows = "".join(
        f"<tr><td><code>{inert(name)}</code></td><td>{inert(reason)}</td></tr>"
        for name, reason in quiet.items()
    )
    table = f'<div class="scroll"><table><tr><th>module</th><th>why</th></tr>{rows}</table></div>'
    lead = "<p>Modules in which nothing was tried.</p>"
    return _folded(f'Modules skipped <span class="count">{len(quiet)}</span>', lead + table)


def _cost(document: Document) -> str:
    tried: dict[str, float] = {}
    for each in (*document["promoted"], *document["waiting"], *document["refused"]):
        if each.get("trial") is not None:
            tried[each["module"]] = tried.get(each["module"], 0.0) + each["trial"]["seconds"]
    written: dict[str, float] = {}
    for each in document["modules"]:  # a module has a line for every stage that looked at it
        written[each["module"]] = written.get(each["module"], 0.0) + each["seconds"]
    spent = [
        Spent(name, seconds, tried.get(name, 0.0))
        for name, seconds in written.items()
        if seconds or name in tried
    ]
    legend = (
        '<p class="legend"><span class="dot d"></span>writing<span class="dot t"></span>proving</p>'
    )
    spent.sort(key=lambda each: -(each.dreaming + each.trying))
    plot = spent_plot("Where the time went", spent)
    flames = flame_graph("The whole night, by author and module", document["profile"])
    rows = "".join(
        f"<dt>{inert(name)}</dt><dd>{_prose(value)}</dd>" for name, value in _facts(document)
    )
    return _folded("Time and settings", f"{plot}{legend if plot else ''}{flames}<dl>{rows}</dl>")


def _facts(document: Document) -> Iterator[tuple[str, str]]:
    around = document["environment"]
    yield "Time", duration(document["seconds"])
    yield "Budget", _budget(document["budget"])
    yield "Runs in the sandbox", f"{document['executions']:,}"
    yield "Seed", str(document["seed"])
    for label, name in (("Interpreter", "python"), ("Reverie", "reverie")):
        if around.get(name):
            yield label, str(around[name])
    for label, figures in (
        ("Suite before", document["baseline"]),
        ("Suite after", document["result"]),
    ):
        if figures and figures.get("tests") is not None:
            yield (
                label,
                f"{figures.get('passed') or 0:g} passed, {figures.get('failed') or 0:g} failed",
            )
    failing = (document["baseline"] or {}).get("failing") or ()
    if failing:
        yield "Tests that fail without any change", "\n".join(map(str, failing))
    if around.get("notes"):
        yield "Notes", "\n".join(map(str, around["notes"]))
    if document["error"]:
        yield "Error", str(document["error"])


def _budget(budget: Document) -> str:
    given = []
    if budget.get("seconds") is not None:
        given.append(duration(budget["seconds"]))
    given += [
        counted(budget[name], noun)
        for name, noun in (("executions", "run"), ("dreams", "change"))
        if budget.get(name) is not None
    ]
    return ", ".join(given) or "none"
