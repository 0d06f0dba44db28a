"""Where every error of a command becomes one line on stderr and an exit code."""

import os
import sys
from collections.abc import Mapping, Sequence

import click

from reverie.errors import ReverieError
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.root import build_root

PROGRAM = "reverie"
USAGE, MACHINERY, INTERRUPTED, PIPE_CLOSED = 2, 3, 130, 141


def run(arguments: Sequence[str], environ: Mapping[str, str] | None = None) -> int:
    """Run one command line and return its exit code. Commands return theirs, or None for 0."""
    app = App(environ=os.environ if environ is None else environ)
    _write_anything(sys.stdout, sys.stderr)
    try:
        code = _call(app, list(arguments))
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except click.exceptions.Exit as request:
        return request.exit_code
    except click.ClickException as error:
        return _fail(app, error.format_message(), USAGE)
    except ReverieError as error:
        return _fail(app, str(error), error.exit_code)
    except (KeyboardInterrupt, click.Abort):
        return _fail(app, "interrupted", INTERRUPTED)
    except BrokenPipeError:
        _abandon_stdout()
        return PIPE_CLOSED
    except Exception as error:  # noqa: BLE001 - the boundary: nothing leaves as a traceback
        _abandon_stdout()
        return _fail(app, f"internal {type(error).__name__}: {error}", MACHINERY)


def _call(app: App, arguments: list[str]) -> int:
    root = build_root()
    if f"_{PROGRAM.upper()}_COMPLETE" in app.environ:
        root.main(args=arguments, prog_name=PROGRAM, obj=app)
    try:
        with root.make_context(PROGRAM, arguments, obj=app) as context:
            result = root.invoke(context)
    finally:
        app.settle()
    return result if isinstance(result, int) else 0


def _fail(app: App, message: str, code: int) -> int:
    from reverie.interfaces.cli.output import printable

    if app.debug:
        import traceback

        traceback.print_exc()
    line = printable(" ".join(message.split()))
    click.echo(f"error: {line}", err=True)
    return code


def _write_anything(*streams: object) -> None:
    """A character that the terminal's encoding lacks is escaped, not an error."""
    for stream in streams:
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _abandon_stdout() -> None:
    """What is still buffered cannot be written; keep the interpreter from trying at exit."""
    if sys.stdout is None:
        return
    try:
        descriptor = sys.stdout.fileno()
        os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)
    except (OSError, ValueError):
        return
