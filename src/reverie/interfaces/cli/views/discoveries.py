"""Findings of fuzzing on a terminal, as JSON, and as a catalogue on disk."""

import json
from html import escape
from pathlib import Path
from typing import Any

import click

from reverie.errors import UsageError
from reverie.interfaces.cli.output import printable
from reverie.model.codec import pick
from reverie.model.outcome import counted
from reverie.model.repository.environment import Discovery, Fuzzed

# Whatever slipped through the escaping could neither run nor fetch.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;"
    "color:#1c1c1c;background:#fff}code,pre{background:#f2f2f0;padding:.1em .3em;border-radius:3px}"
    "pre{padding:1em;overflow:auto}dt{font-weight:600}dd{margin:0 0 .6em}"
    "@media(prefers-color-scheme:dark){body{color:#eee;background:#161616}code,pre{background:#262626}}"
)
_PARTS = ("input", "expected", "actual", "hypothesis", "action")


def fuzzed_document(fuzzed: Fuzzed) -> dict[str, Any]:
    """The answer as JSON values; see docs/json.md."""
    names = "callable executions findings settled callables not_reproduced=doubted notes seconds:3"
    return pick(fuzzed, names)


def show_fuzzed(fuzzed: Fuzzed, report: str | None) -> None:
    """The answer for people."""
    many = len(fuzzed.findings)
    said = counted(many, "finding") if many else "no finding"
    click.echo(f"{printable(fuzzed.callable)}: {said} in {counted(fuzzed.executions, 'execution')}")
    for each in fuzzed.findings:
        click.echo(f"\n{each.signature}  {each.kind}  {printable(each.callable)}")
        for part in _PARTS:
            click.echo(f"  {part:<11}{printable(getattr(each, part))}")
    for each in fuzzed.settled:
        click.echo(
            f"{each.signature}  {each.opinion}: {printable(each.callable)}, not reported again"
        )
    if fuzzed.findings:
        click.echo("\nsay what one is: reverie finding ID bug|feature|ignore")
    for note in fuzzed.notes:
        click.echo(printable(note))
    if report is not None:
        click.echo(f"the catalogue is in {printable(report)}")


def write_catalogue(folder: Path, fuzzed: Fuzzed) -> None:
    """`emergence.md`, `.html` and `.json`, with a script for every finding."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for each in fuzzed.findings:
            (folder / _script_name(each)).write_text(each.repro, "utf-8")
        (folder / "emergence.json").write_text(
            json.dumps(fuzzed_document(fuzzed), indent=2) + "\n", "utf-8"
        )
        (folder / "emergence.md").write_text(_markdown(fuzzed), "utf-8")
        (folder / "emergence.html").write_text(_page(fuzzed), "utf-8")
    except OSError as error:
        raise UsageError(f"cannot write {str(folder)!r}: {error.strerror}") from error


def _script_name(found: Discovery) -> str:
    return f"repro_{found.signature}.py"


def _markdown(fuzzed: Fuzzed) -> str:
    lines = [f"# Findings in {_code(fuzzed.callable)}", "", _summary(fuzzed), ""]
    for each in fuzzed.findings:
        lines += [f"## {_code(each.callable)}: {each.kind}", ""]
        lines += [f"- {part}: {_code(getattr(each, part))}" for part in _PARTS]
        lines += [
            f"- signature: `{each.signature}`, script: `{_script_name(each)}`",
            "",
        ]
    return "\n".join(lines) + "\n"


def _summary(fuzzed: Fuzzed) -> str:
    findings = counted(len(fuzzed.findings), "finding")
    executions, callables = fuzzed.executions, counted(len(fuzzed.callables), "callable")
    return (
        f"{findings} in {counted(executions, 'execution')} of {callables}. Each is for a person "
        "to judge: `reverie finding SIGNATURE bug|feature|ignore`. Nothing was changed."
    )


def _page(fuzzed: Fuzzed) -> str:
    cards = "".join(_card(each) for each in fuzzed.findings)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f"<title>Findings in {escape(fuzzed.callable)}</title>"
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style></head><body>\n'
        f"<h1>Findings in <code>{_inert(fuzzed.callable)}</code></h1>\n"
        f"<p>{_inert(_summary(fuzzed))}</p>\n"
        f"{cards}</body></html>\n"
    )


def _card(found: Discovery) -> str:
    rows = "".join(
        f"<dt>{part}</dt><dd><code>{_inert(getattr(found, part))}</code></dd>" for part in _PARTS
    )
    return (
        f"<h2><code>{_inert(found.callable)}</code>: {_inert(found.kind)}</h2>\n<dl>{rows}"
        f"<dt>signature</dt><dd><code>{_inert(found.signature)}</code></dd></dl>\n"
        f"<details><summary>{_script_name(found)}</summary><pre>{escape(found.repro)}</pre></details>\n"
    )


def _inert(text: str) -> str:
    return escape(printable(text))


def _code(text: str) -> str:
    """A text between ticks that cannot end them."""
    return f"`{printable(text).replace('`', chr(39))}`"
