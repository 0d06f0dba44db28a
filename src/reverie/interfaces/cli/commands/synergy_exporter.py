"""`reverie synergy-exporter`: synergy and its trainer alone, for Prometheus."""

from pathlib import Path

import click

from reverie.errors import UsageError
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.command import Command, app_of, setting_option
from reverie.interfaces.cli.output import tell_address

_RUNNING = "Synergy metrics exporter running"
_EXAMPLE = """
reverie synergy-exporter --history-file .reverie/journal.db --port 8003
"""


_SQLITE = b"SQLite format 3\0"


def _use_journal(ctx: click.Context, _: click.Parameter, file: str | None) -> None:
    if file is None:
        return
    if not Path(file).is_file():
        raise UsageError(f"there is no journal {file!r}")
    with Path(file).open("rb") as stream:
        if stream.read(len(_SQLITE)) != _SQLITE:
            raise UsageError(f"{file!r} is no SQLite journal")
    app_of(ctx).overrides["journal.url"] = f"sqlite:///{Path(file).resolve()}"


@click.command("synergy-exporter", cls=Command, example=_EXAMPLE)
@click.option(
    "--history-file",
    metavar="FILE",
    expose_value=False,
    callback=_use_journal,
    help="A SQLite journal; otherwise the repository's.",
)
@setting_option("metrics.host")
@setting_option("metrics.synergy_port", also=("--port",))
@click.pass_obj
def command(app: App) -> int:
    """Serve the last synergy figures, and how far their trainer is, until Ctrl-C.

    At /metrics for Prometheus, at /health for whoever watches over it. Figures are read when they
    are asked for.
    """
    from reverie.interfaces.metrics.catalogue import SYNERGY_KEYS
    from reverie.interfaces.metrics.serving import MetricsServer, serve

    server = MetricsServer(app.loaded, app.settings.metrics.synergy_port, keys=SYNERGY_KEYS)
    serve(
        server, lambda address: tell_address(app.json, "Synergy metrics exporter running", address)
    )
    return 0
