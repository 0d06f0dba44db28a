"""`reverie cluster`: workers that trials are spread over."""

import signal
import sys
import threading

import click

from reverie.errors import UsageError
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.command import Command, CommandGroup, setting_option
from reverie.interfaces.cli.output import emit_json, emit_table
from reverie.model.outcome import counted

_EXAMPLE = """
reverie cluster start --workers 4
reverie run --executor dask://127.0.0.1:8786
"""


@click.group("cluster", cls=CommandGroup, example=_EXAMPLE)
def command() -> None:
    """Workers of this machine for `reverie run --executor`; or look at those of any cluster."""


@command.command(cls=Command, example="reverie cluster start --workers 4 --port 8786")
@click.option("--workers", type=click.IntRange(1, 256), default=2, help="Processes, a job each.")
@setting_option("cluster.host")
@setting_option("cluster.port")
@click.pass_obj
def start(app: App, workers: int) -> int:
    """Run a scheduler and workers on this machine, until Ctrl-C.

    Whoever reaches the port can have code run by the workers: it is bound to the loopback
    address unless a setting from outside the repository says otherwise.
    """
    from reverie.bootstrap.clusters import own_cluster

    section = app.settings.cluster
    over = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: over.set())
    with own_cluster(section.host, section.port, workers) as address:
        if app.json:
            emit_json({"address": address, "workers": workers}, on_one_line=True)
            sys.stdout.flush()
        else:
            click.echo(f"{counted(workers, 'worker')}: reverie run --executor {address}", err=True)
        over.wait()
    return 0


@command.command(cls=Command, example="reverie cluster status dask://127.0.0.1:8786")
@click.argument("address")
@click.pass_obj
def status(app: App, address: str) -> int:
    """List the workers of a cluster."""
    from reverie.bootstrap.clusters import about_cluster
    from reverie.model.settings.cycle import EXECUTOR, LOCAL

    try:
        checked = EXECUTOR.from_text(address)
    except ValueError as error:
        raise UsageError(f"{address!r}: {error}") from error
    if checked == LOCAL:
        raise UsageError("a cluster has an address like dask://host:port, not 'local'")
    document = about_cluster(checked)
    if app.json:
        emit_json(document)
    else:
        rows = [(e["name"], e["address"], e["threads"], e["pid"]) for e in document["workers"]]
        emit_table(("worker", "address", "threads", "pid"), rows)
    return 0
