"""`reverie metrics`: what the journal knows, for Prometheus."""

import click

from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.command import Command, setting_option
from reverie.interfaces.cli.output import emit_json, tell_address

_EXAMPLE = """
reverie metrics                         # print them once
reverie metrics --serve --port 8001     # until Ctrl-C: /metrics, /health, /ready
reverie metrics --grafana > reverie.json
"""


@click.command(cls=Command, example=_EXAMPLE)
@click.option("--serve", is_flag=True, help="Listen for Prometheus instead of printing once.")
@click.option("--grafana", "shipped", flag_value="grafana.json", help="Print a dashboard instead.")
@click.option("--alerts", "shipped", flag_value="alerts.yml", help="Print alert rules instead.")
@setting_option("metrics.host")
@setting_option("metrics.port")
@click.pass_obj
def command(app: App, serve: bool, shipped: str | None) -> int:
    """Print the metrics of the repository's journal in the text format of Prometheus.

    With --serve they are read afresh whenever somebody asks; a cycle that runs meanwhile does
    not notice. Every name is explained in docs/guides/operate.md.
    """
    if shipped is not None:
        return _print_shipped(shipped)
    if serve:
        return _serve(app)
    from reverie.interfaces.metrics.catalogue import exposition
    from reverie.interfaces.metrics.exporter import Exporter

    families = [each for each in Exporter(app.loaded).families() if each.samples or each.histograms]
    if app.json:
        emit_json({"metrics": families})
    else:
        click.echo(exposition(families), nl=False)
    return 0


def _print_shipped(name: str) -> int:
    from importlib.resources import files

    found = files("reverie.interfaces.metrics") / "shipped" / name
    click.echo(found.read_text("utf-8"), nl=False)
    return 0


def _serve(app: App) -> int:
    from reverie.interfaces.metrics.serving import MetricsServer, serve

    server = MetricsServer(app.loaded, app.settings.metrics.port)
    serve(server, lambda address: tell_address(app.json, "listening", address))
    return 0
