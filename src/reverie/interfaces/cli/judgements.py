"""A judgement as people and programs read it: table, JSON, SARIF, Markdown."""

import re
from typing import Any

import click

from reverie.bootstrap import Judged
from reverie.interfaces.cli.output import emit_json, emit_table, printable
from reverie.model.codec import pick
from reverie.model.dream import Stage
from reverie.model.ruling import Answer, Ruling

_PLACE = re.compile(r"^(?P<path>[^\0:]+\.pyi?):(?P<line>\d+)$")
_STYLES = {"pass": "green", "hold": "yellow", "fail": "red"}
_LEVELS = {Answer.PASS: "none", Answer.HOLD: "warning", Answer.FAIL: "error"}
_NO_EDITS = ("paths", "nothing_to_judge")
_SARIF = "https://json.schemastore.org/sarif-2.1.0.json"


def judgement_document(judged: Judged, stage: Stage, seconds: float) -> dict[str, Any]:
    """As `reverie guard --json` prints it."""
    measures = {} if judged.evidence is None else judged.evidence.measures
    return pick(
        judged,
        "judgement.verdict stage judgement.rulings judgement.needs measures remembered seconds",
        stage=str(stage),
        measures=dict(sorted(measures.items())),
        seconds=round(seconds, 3),
    )


def show_judgement(document: dict[str, Any], judged: Judged, form: str) -> None:
    """Write it to stdout in one of four forms."""
    if form == "json":
        emit_json(document)
    elif form == "sarif":
        emit_json(_sarif(judged.judgement.rulings))
    elif form == "markdown":
        click.echo(_markdown(document))
    else:
        _table(document)


def _table(document: dict[str, Any]) -> None:
    if any((each["gate"], each["reason_code"]) == _NO_EDITS for each in document["rulings"]):
        click.echo("there is nothing to judge: both sides are the same")
        return
    rows = [
        (
            each["gate"],
            each["verdict"],
            each["reason_code"],
            each["reason"],
            _shown(each["measured"]),
        )
        for each in document["rulings"]
    ]
    emit_table(("gate", "answer", "code", "reason", "measured"), rows, _STYLES)
    for need in document["needs"]:
        click.echo(f"needs: {printable(need)}")
    if document["remembered"] is not None:
        click.echo(
            f"judged at {document['remembered']}, and nothing has changed: --again tries anew"
        )
    click.echo(f"{document['verdict']} (stage {document['stage']}, {document['seconds']:.1f} s)")


def _shown(measured: object) -> str:
    if measured is None:
        return ""
    return f"{measured:g}" if isinstance(measured, float) else str(measured)


def _markdown(document: dict[str, Any]) -> str:
    lines = [
        f"### Reverie: **{document['verdict']}** (stage {document['stage']})",
        "",
        "| gate | answer | code | reason |",
        "|---|---|---|---|",
    ]
    lines += [
        f"| {_cell(each['gate'])} | {each['verdict']} | `{_cell(each['reason_code'])}` | "
        f"{_cell(each['reason'])} {_cell(_shown(each['measured']))} |"
        for each in document["rulings"]
    ]
    if document["needs"]:
        lines += ["", "Still owed by people:", ""]
        lines += [f"- {_cell(need)}" for need in document["needs"]]
    return "\n".join(lines)


def _cell(text: str) -> str:
    """Text of others in a table of Markdown: no markup, no mention, no second cell."""
    return re.sub(r"([\\`*_{}\[\]<>()#+!|@~-])", r"\\\1", printable(text))


def _sarif(rulings: tuple[Ruling, ...]) -> dict[str, Any]:
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
