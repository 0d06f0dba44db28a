"""A judgement as people and programs read it: table, JSON, SARIF, Markdown."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import click

from reverie.bootstrap.guard import Judged
from reverie.cycle.report.inert import inert_markdown
from reverie.gates.remedies import gravest_first, remedies
from reverie.interfaces.cli.output import emit_json, emit_table, printable
from reverie.model.codec import pick
from reverie.model.dream import Stage
from reverie.model.outcome import counted
from reverie.model.ruling import Answer, Ruling

NOTHING_RUN = (
    "It was refused before anything was run: no test was run, and no behaviour was compared."
)
_PLACE = re.compile(r"^(?P<path>[^\0:]+\.pyi?):(?P<line>\d+)$")
_ANSWERS = {"pass": "passed", "hold": "not decided", "fail": "failed"}
_STYLES = {"passed": "green", "not decided": "yellow", "failed": "red"}
_LEVELS = {Answer.PASS: "none", Answer.HOLD: "warning", Answer.FAIL: "error"}
_SENTENCES = {
    "promote": "Every check passed.",
    "borderline": "Nothing speaks against it, but not everything could be shown.",
    "pilot": "Nothing speaks against it, but not everything could be shown.",
    "reject": "It cannot be merged as it is.",
}
_TALLY = {"fail": "failed", "hold": "could not decide", "pass": "passed"}
_CLAIMS = {
    "A": "only tests change",
    "B": "the code does the same as before",
    "C": "the code does the same, faster",
    "I": "an unused module becomes part of its package",
}
_NO_EDITS = ("paths", "nothing_to_judge")
_SARIF = "https://json.schemastore.org/sarif-2.1.0.json"


def judgement_document(judged: Judged, stage: Stage, seconds: float) -> dict[str, Any]:
    """As `reverie guard --json` prints it."""
    measures = {} if judged.evidence is None else judged.evidence.measures
    return pick(
        judged,
        "id judgement.verdict stage judgement.rulings judgement.needs measures remembered seconds",
        id=None,
        stage=str(stage),
        measures=dict(sorted(measures.items())),
        seconds=round(seconds, 3),
    )


def show_judgement(document: dict[str, Any], judged: Judged, form: str) -> None:
    """Write it to stdout in one of four forms."""
    if form == "json":
        emit_json(document)
    elif form == "sarif":
        emit_json(sarif_of(judged.judgement.rulings))
    elif form == "markdown":
        click.echo(markdown_of(document))
    else:
        show_answer(document)


def show_answer(document: Mapping[str, Any]) -> None:
    """A row for each check, wrong behaviour first; then the answer in words."""
    if any((each["gate"], each["reason_code"]) == _NO_EDITS for each in document["rulings"]):
        click.echo("there is nothing to judge: both sides are the same")
        return
    rows = [
        (_ANSWERS[each["verdict"]], each["gate"], _why(each))
        for each in gravest_first(document["rulings"])
    ]
    emit_table(("result", "check", "why"), rows, _STYLES)
    click.echo()
    for code, remedy in remedies(document["rulings"]):
        click.echo(printable(f"what helps against {code}: {remedy}"))
    if document["verdict"] == "reject" and not document["measures"]:
        click.echo(NOTHING_RUN)
    for need in document["needs"]:
        click.echo(f"needs: {printable(need)}")
    if document["remembered"] is not None:
        click.echo(
            f"judged at {document['remembered']}, and nothing has changed: --again tries anew"
        )
    click.echo(f"{_SENTENCES[document['verdict']]} {_tally(document['rulings'])}")
    click.echo(
        f"{document['verdict']} ({Stage(document['stage']).word}, {document['seconds']:.1f} s)"
    )
    if document.get("id") is not None:
        click.echo(f"see it again: reverie show {document['id']}")


def _why(ruling: Mapping[str, Any]) -> str:
    """The reason of a check; of one that did not pass with its figures and its code."""
    code = "" if ruling["verdict"] == "pass" else f" [{ruling['reason_code']}]"
    return f"{ruling['reason']}{_figures(ruling)}{code}"


def _shown(measured: object) -> str:
    if measured is None:
        return ""
    return f"{measured:g}" if isinstance(measured, float) else str(measured)


def markdown_of(document: dict[str, Any]) -> str:
    """For a pull request: what speaks against it first, what passed folded."""
    rulings = gravest_first(document["rulings"])
    passed = [each for each in rulings if each["verdict"] == "pass"]
    others = [each for each in rulings if each["verdict"] != "pass"]
    lines = [
        f"### Reverie: **{document['verdict']}** ({_claimed(document['stage'])})",
        "",
        " ".join([_SENTENCES[document["verdict"]], *([_tally(rulings)] if others else [])]),
    ]
    lines += ["", *_rows(others)] if others else []
    if others:
        lines += ["", "What would help:", ""]
        lines += [f"- {inert_markdown(code)}: {remedy}" for code, remedy in remedies(rulings)]
    if document["needs"]:
        lines += ["", "Still needed from people:", ""]
        lines += [f"- {inert_markdown(need)}" for need in document["needs"]]
    if passed:
        summary = f"<summary>{counted(len(passed), 'check')} passed</summary>"
        lines += ["", "<details>", summary, "", *_rows(passed), "", "</details>"]
    return "\n".join(lines)


def _tally(rulings: Sequence[dict[str, Any]]) -> str:
    counts = Counter(each["verdict"] for each in rulings)
    told = [f"{counts[word]} {said}" for word, said in _TALLY.items() if counts[word]]
    return f"Of {counted(len(rulings), 'check')}: {', '.join(told)}."


def _claimed(letter: str) -> str:
    """What a change of this stage claims, for people who have never heard of stages."""
    return _CLAIMS.get(letter, Stage(letter).word)


def _rows(rulings: Sequence[dict[str, Any]]) -> list[str]:
    return [
        "| check | answer | code | reason |",
        "|---|---|---|---|",
        *map(_row, rulings),
    ]


def _row(ruling: Mapping[str, Any]) -> str:
    cells = (
        ruling["gate"],
        _ANSWERS[ruling["verdict"]],
        ruling["reason_code"],
        ruling["reason"] + _figures(ruling),
    )
    return f"| {' | '.join(map(inert_markdown, cells))} |"


def _figures(ruling: Mapping[str, Any]) -> str:
    """What was measured and required, where a reader has to know; else where it is."""
    measured, required = _shown(ruling["measured"]), _shown(ruling["required"])
    if isinstance(ruling["measured"], str):
        return f" ({measured})"
    if ruling["verdict"] == "pass" or not measured or not ruling["required"]:
        return ""
    return f" (measured {measured}, required {required})"


def sarif_of(rulings: tuple[Ruling, ...]) -> dict[str, Any]:
    """For code scanning: a result for every check that did not pass."""
    codes = sorted({each.reason_code for each in rulings if each.verdict is not Answer.PASS})
    return {
        "$schema": _SARIF,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": "Reverie guard", "rules": [{"id": c} for c in codes]}},
                "results": [_result(each) for each in rulings if each.verdict is not Answer.PASS],
            }
        ],
    }


def _result(ruling: Ruling) -> dict[str, Any]:
    found: dict[str, Any] = {
        "ruleId": ruling.reason_code,
        "level": _LEVELS[ruling.verdict],
        "message": {"text": f"{ruling.gate}: {ruling.reason}"},
    }
    measured = ruling.measured if isinstance(ruling.measured, str) else ""
    place = _PLACE.match(measured)
    path, line = (place["path"], int(place["line"])) if place else (measured, 1)
    if place or path.endswith((".py", ".toml", ".cfg", ".yml")):
        region = {"startLine": line}
        found["locations"] = [
            {"physicalLocation": {"artifactLocation": {"uri": path}, "region": region}}
        ]
    return found
