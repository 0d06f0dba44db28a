"""`reverie exec`: run code that nobody trusts in the sandbox."""

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from reverie.bootstrap import open_sandbox
from reverie.errors import ReverieError, UsageError, reason_of
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.command import Command, setting_option
from reverie.interfaces.cli.output import emit_json, printable
from reverie.interfaces.cli.views.requests import (
    execution_document,
    failure_document,
    parse_request,
)
from reverie.model.execution import (
    Call,
    Execution,
    Expression,
    Module,
    Policy,
    Pytest,
    Request,
    Script,
    Target,
)

_EXAMPLE = """
reverie exec mathx.py --entry double --params '{"x": 21}'
echo '{"code": "def f(x): return x + 1", "entry": "f", "params": {"x": 1}}' \\
  | reverie exec --request -
"""


@click.command(cls=Command, example=_EXAMPLE, context_settings={"ignore_unknown_options": False})
@click.argument("file", required=False)
@click.argument("arguments", nargs=-1)
@click.option("--entry", metavar="NAME", help="Function to call; without it FILE is a script.")
@click.option("--params", metavar="JSON", help="Keyword arguments of the entry, a JSON object.")
@click.option("--expression", metavar="CODE", help="Evaluate an expression instead of a file.")
@click.option("--module", metavar="NAME", help="Run a module as `python -m` would.")
@click.option("--pytest", is_flag=True, help="Run pytest; FILE and ARGUMENTS are its arguments.")
@click.option("--expect", metavar="TYPE", help="Type that the result must have.")
@click.option("--readonly", metavar="PATH", multiple=True, help="Show a folder, read-only.")
@click.option("--copy", metavar="DIR", multiple=True, help="Show a private copy of a folder.")
@click.option("--env", metavar="NAME", multiple=True, help="Pass one environment variable.")
@click.option("--python", metavar="PATH", help="Interpreter of another environment.")
@click.option("--cwd", metavar="DIR", help="Folder to start in; it must be visible.")
@click.option("--request", metavar="FILE", help="Read one JSON request; - is standard input.")
@click.option("--stream", is_flag=True, help="Read a request per line; answer a line each.")
@click.option("--journal", is_flag=True, help="Record, also where `reverie init` was not run.")
@setting_option("sandbox.tier")
@setting_option("sandbox.timeout_seconds")
@setting_option("sandbox.memory_mb")
@setting_option("sandbox.slots")
@setting_option("sandbox.enable_network")
@setting_option("journal.url")
@click.pass_obj
def command(app: App, /, **given: Any) -> int:
    """Run code in the sandbox: a file, a function in it, an expression, a module or pytest.

    The exit code is 0 when the code succeeded and 1 when it did not.
    """
    section = app.settings.sandbox
    base = section.policy()
    policy = replace(
        base,
        enable_filesystem=base.enable_filesystem or bool(given["copy"]),
        readonly=tuple(_absolute(path) for path in given["readonly"]),
        private_copies=tuple(_absolute(path) for path in given["copy"]),
        environment=tuple(given["env"]),
        python=given["python"] and _absolute(given["python"]),
        working_directory=given["cwd"] and _absolute(given["cwd"]),
    )
    journal_url = app.recording_url(asked=given["journal"])
    if given["file"] is not None and (given["stream"] or given["request"] is not None):
        raise UsageError(f"--stream and --request say what to run: {given['file']!r} is too much")
    if given["stream"]:
        from reverie.interfaces.cli.views.requests import serve_stream

        return serve_stream(app, policy, journal_url)
    if given["request"] is not None:
        return _answer_request(app, policy, given["request"], journal_url)
    request = Request(_target(given), section.limits(), policy, given["expect"])
    with open_sandbox(section, journal_url) as sandbox:
        execution = sandbox.run(request)
    if app.json:
        emit_json(execution_document(execution))
    else:
        _show(execution)
    return 0 if execution.succeeded else 1


def _answer_request(app: App, policy: Policy, source: str, journal_url: str | None) -> int:
    """One JSON object in, one out, whatever happens in between."""
    section = app.settings.sandbox
    request = parse_request(_read(source), section.limits(), policy)
    try:
        with open_sandbox(section, journal_url) as sandbox:
            execution = sandbox.run(request)
    except UsageError:
        raise
    except ReverieError as error:
        emit_json(failure_document(str(error), section.tier), on_one_line=True)
        return error.exit_code
    emit_json(execution_document(execution), on_one_line=True)
    return 0 if execution.succeeded else 1


def _target(given: dict[str, Any]) -> Target:
    arguments: tuple[str, ...] = given["arguments"]
    if given["expression"] is not None:
        if given["file"] is not None or given["entry"] is not None:
            raise UsageError("--expression stands instead of a FILE: it goes with no --entry")
        return Expression(given["expression"])
    if given["module"] is not None:
        return Module(given["module"], _all_arguments(given))
    if given["pytest"]:
        return Pytest(_all_arguments(given))
    if given["file"] is None:
        raise UsageError("nothing to run: give a FILE, --expression, --module or --request -")
    code = _read(given["file"])
    params = _params(given["params"])
    if given["entry"] is not None:
        return Call(code, given["entry"], params)
    return Script(code, arguments, params, path=given["file"])


def _all_arguments(given: dict[str, Any]) -> tuple[str, ...]:
    first = () if given["file"] is None else (given["file"],)
    return (*first, *given["arguments"])


def _params(text: str | None) -> dict[str, Any]:
    if text is None:
        return {}
    try:
        params = json.loads(text)
    except ValueError as error:
        raise UsageError(f"--params is not JSON: {error}") from error
    if not isinstance(params, dict):
        raise UsageError(f"--params must be a JSON object, not {text:.60}")
    return params


def _read(source: str) -> str:
    try:
        if source == "-":
            return sys.stdin.buffer.read().decode("utf-8")
        return Path(source).read_bytes().decode("utf-8")
    except OSError as error:
        raise UsageError(f"cannot read {source!r}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{source!r} is no text: {reason_of(error)}") from error


def _absolute(path: str) -> str:
    return str(Path(path).absolute())


def _show(execution: Execution) -> None:
    """For people: what it printed, what it returned, what it cost."""
    for text, to_stderr in ((execution.stdout, False), (execution.stderr, True)):
        if text:
            click.echo(printable(text, multiline=True), err=to_stderr, nl=not text.endswith("\n"))
    if execution.succeeded and execution.output is not None:
        click.echo(printable(json.dumps(execution.output, ensure_ascii=False)))
    if execution.error is not None:
        if execution.error.traceback:
            click.echo(printable(execution.error.traceback, multiline=True), err=True)
        click.echo(printable(execution.error.message), err=True)
    for change in execution.changes:
        click.echo(printable(f"{change.kind}  {change.path}"), err=True)
    if execution.changes_truncated:
        click.echo("more files were changed than can be listed", err=True)
    usage = execution.usage
    cpu = "" if usage.cpu_seconds is None else f", {usage.cpu_seconds * 1000:.1f} ms CPU"
    click.echo(
        f"{execution.outcome} in {execution.duration_ms:.1f} ms{cpu} ({execution.isolation})",
        err=True,
    )
