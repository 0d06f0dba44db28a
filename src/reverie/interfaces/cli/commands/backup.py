"""`reverie backup`: a journal in one file."""

import gzip
import os
from pathlib import Path

import click

from reverie.errors import UsageError
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.command import Command, setting_option
from reverie.interfaces.cli.journals import existing_journal
from reverie.interfaces.cli.output import emit_json, printable

_EXAMPLE = """
reverie backup journal.gz
reverie restore journal.gz --journal-url postgresql://server/reverie
"""


@click.command(cls=Command, example=_EXAMPLE)
@click.argument("file")
@setting_option("journal.url")
@click.pass_obj
def command(app: App, file: str) -> int:
    """Write every row of the journal, as of one moment, into FILE; others go on meanwhile.

    `reverie restore` reads it in again, also into another kind of database. Proof bundles and
    reports are files of the data folder: copy that.
    """
    from reverie.store.database.archive import lines_of

    target = Path(file)
    if target.exists():
        raise UsageError(f"{file!r} is there already: nothing was written")
    rows = -2  # the head and the end are none
    with existing_journal(app) as journal:
        if journal is None:
            raise UsageError("there is no journal here: nothing to back up")
        part = target.with_name(f"{target.name}.part")
        try:
            with gzip.open(part, "wb") as out:
                for line in lines_of(journal):
                    out.write(line)
                    rows += 1
            os.replace(part, target)
        except OSError as error:
            raise UsageError(f"cannot write {file!r}: {error.strerror}") from error
        finally:
            part.unlink(missing_ok=True)
    size = target.stat().st_size
    if app.json:
        emit_json({"file": target, "rows": rows, "bytes": size})
    else:
        click.echo(printable(f"{target}: {rows} rows, {size} bytes"))
    return 0
