"""`reverie restore`: a journal out of one file."""

import gzip
import zlib
from collections.abc import Iterator

import click

from reverie.errors import UsageError
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.command import Command, setting_option
from reverie.interfaces.cli.journals import writable_journal
from reverie.interfaces.cli.output import emit_json, printable

LONGEST_LINE = 256 << 20
"""Bytes of one row: a small file may unpack to a line without end."""


@click.command(cls=Command, example="reverie restore journal.gz")
@click.argument("file")
@setting_option("journal.url")
@click.pass_obj
def command(app: App, file: str) -> int:
    """Read what `reverie backup` wrote into an empty journal: all of it, or nothing."""
    from reverie.store.database.archive import read_in

    with writable_journal(app, "a backup is read in") as journal:
        try:
            with gzip.open(file, "rb") as lines:
                archived = read_in(journal, _bounded(lines))
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise UsageError(f"{file!r} is damaged: nothing was changed") from error
        except OSError as error:
            raise UsageError(f"cannot read {file!r}: {error.strerror}") from error
        location = journal.location
    if app.json:
        emit_json({"journal": location, "rows": archived.rows, "schema": archived.schema})
    else:
        click.echo(printable(f"{location}: {archived.rows} rows"))
    return 0


def _bounded(stream: gzip.GzipFile) -> Iterator[bytes]:
    """The lines of a stream, none of them longer than is allowed."""
    while line := stream.readline(LONGEST_LINE):
        if len(line) == LONGEST_LINE:
            raise UsageError(f"a row has more than {LONGEST_LINE >> 20} MiB: nothing was changed")
        yield line
