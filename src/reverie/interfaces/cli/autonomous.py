"""`python -m reverie.autonomous`: the flags of `run_autonomous.py`, as commands of Reverie.

A flag becomes a setting, which becomes a variable of the command's own environment: what flags
say comes before what the environment says, as everywhere.
"""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import click

from reverie.errors import UsageError

_SWITCHES: Mapping[str, tuple[str, ...]] = {
    "orphans.recursive": ("--recursive-orphans", "--recursive-include"),
    "orphans.recursive_isolated": ("--recursive-isolated",),
    "orphans.discover_isolated": ("--discover-isolated",),
    "orphans.include_redundant": ("--include-redundant", "--test-redundant"),
    "integration.include_isolated": ("--auto-include-isolated",),
    "integration.clean": ("--clean-orphans",),
    "integration.enabled": ("--discover-orphans", "--include-orphans"),
    "map.semantic": ("--module-semantic",),
}
_VALUES: Mapping[str, tuple[str, ...]] = {
    "orphans.max_depth": ("--max-recursion-depth",),
    "governance.plateau": ("--entropy-threshold",),
    "governance.plateau_consecutive": ("--consecutive",),
    "map.algorithm": ("--module-algorithm",),
    "map.threshold": ("--module-threshold",),
    "journal.data_dir": ("--sandbox-data-dir",),
    "logging.level": ("--log-level",),
    "cycle.budget_seconds": ("--budget",),
    "cycle.seed": ("--seed",),
    "sandbox.tier": ("--tier",),
}
_ELSEWHERE = {
    "--preset-file": "reverie workflow stress",
    "--preset-debug": "reverie workflow stress",
    "--debug-log-file": "--log-level debug, with stderr in a file",
    "--forecast-log": "reverie forecast --json",
    "--metrics-port": "reverie metrics",
    "--dynamic-workflows": "reverie workflow list",
}
"""Flags that belong to another command here."""
CYCLES_VARIABLE = "SANDBOX_CYCLES"
_DO_INSTEAD = {
    "RUN_CYCLES": "--runs says how many cycles",
    "SELF_TEST_INTERVAL": "reverie nightly install",
    "SELF_CODING_INTERVAL": "reverie nightly install",
    "AUTO_SANDBOX": "reverie nightly install",
    "ENTROPY_THRESHOLD": "set ENTROPY_PLATEAU_THRESHOLD",
    "SANDBOX_ROI_TOLERANCE": "set ROI_THRESHOLD",
    "EXPORT_SYNERGY_METRICS": "reverie metrics --serve",
    "SYNERGY_EXPORTER_CHECK_INTERVAL": "figures are read when they are asked for",
    "AUTO_TRAIN_SYNERGY": "reverie weights train",
    "AUTO_TRAIN_INTERVAL": "reverie weights train --interval SECONDS",
    "ADAPTIVE_ROI_TRAIN_INTERVAL": "reverie weights train --interval SECONDS",
    "ADAPTIVE_ROI_RETRAIN_INTERVAL": "reverie weights train --interval SECONDS",
    "SANDBOX_ADAPTIVE_AGENT_STRATEGY": "reverie weights train --learner",
    "AUDIT_LOG_PATH": "reverie governance log",
    "KAFKA_HOSTS": "set REVERIE_EVENTS_KAFKA_SERVERS",
    "SANDBOX_CENTRAL_LOGGING": "set SANDBOX_JSON_LOGS",
    "SANDBOX_AUTO_MAP": "reverie index --map",
    "SANDBOX_REFRESH_MODULE_MAP": "reverie index --map",
    "SANDBOX_AUTODISCOVER_MODULES": "reverie index --map",
}
_NEEDLESS = (
    "MENACE_MODE", "MENACE_ENV_FILE", "MENACE_LOCAL_DB_PATH", "MENACE_SHARED_DB_PATH",
    "BOT_DB_PATH", "BOT_PERFORMANCE_DB", "MAINTENANCE_DB", "OPTIONAL_SERVICE_VERSIONS",
    "SELF_CODING_ROI_DROP", "SELF_CODING_ERROR_INCREASE", "LOCAL_KNOWLEDGE_REFRESH_INTERVAL",
    "ROI_CONFIDENCE", "SYNERGY_THRESHOLD", "SYNERGY_THRESHOLD_WINDOW", "SYNERGY_THRESHOLD_WEIGHT",
    "SYNERGY_CONFIDENCE", "SYNERGY_STATIONARITY_CONFIDENCE", "SYNERGY_VARIANCE_CONFIDENCE",
    "ALIGNMENT_BASELINE_METRICS_PATH", "SELF_TEST_STATE", "SANDBOX_PRESET_RL_PATH",
    "SANDBOX_PRESET_RL_STRATEGY", "SANDBOX_ADAPTIVE_AGENT_PATH", "SELF_IMPROVEMENT_BACKUP_COUNT",
    "PATCH_SCORE_BACKEND_URL",
)  # fmt: skip
UNHEARD = {**dict.fromkeys(_NEEDLESS, "nothing takes its place"), **_DO_INSTEAD}
"""Variables of the source documents that have no effect, with what to do instead."""


def _setting(key: str, names: Sequence[str], is_switch: bool) -> Callable[[Any], Any]:
    def remember(ctx: click.Context, _: click.Parameter, value: Any) -> None:
        if value is not None:
            ctx.ensure_object(dict)[key] = str(value)

    spelt = [f"{name}/--no-{name[2:]}" for name in names] if is_switch else list(names)
    return click.option(
        *spelt, default=None, expose_value=False, callback=remember, help=f"Sets {key}."
    )


def _settings(function: Any) -> Any:
    for key, names in reversed(list(_SWITCHES.items())):
        function = _setting(key, names, True)(function)
    for key, names in reversed(list(_VALUES.items())):
        function = _setting(key, names, False)(function)
    return function


@click.command()
@click.argument("modules", nargs=-1, metavar="[MODULE]...")
@_settings
@click.option(
    "--runs",
    type=click.IntRange(min=1),
    default=1,
    help=f"How many cycles; {CYCLES_VARIABLE} says it too.",
)
@click.option("--executions", type=click.IntRange(min=1), help="What dreamers may spend.")
@click.option("--recover", is_flag=True, help="Go on with the cycle that did not come to its end.")
@click.option("--verbose", is_flag=True, help="Log everything.")
@click.option("--repo", metavar="DIR", help="The repository.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document on stdout.")
@click.pass_context
def command(ctx: click.Context, /, modules: tuple[str, ...], **given: Any) -> None:
    """Improve a repository, and integrate what nothing uses; with modules, integrate these.

    The same as `reverie run` and `reverie integrate`, with the flags of `run_autonomous.py`.
    Modules that nothing uses are integrated unless the settings or the environment say otherwise.
    """
    settings: dict[str, str] = ctx.ensure_object(dict)
    if given["verbose"]:
        settings["logging.level"] = "debug"
    line = ["integrate"] if modules else ["run"]
    line += [part for each in modules for part in ("--module", each)]
    if not modules:
        line += ["--cycles", str(given["runs"])] if given["runs"] > 1 else []
        line += ["--recover"] if given["recover"] else []
    for name in ("executions", "repo"):
        line += [f"--{name}", str(given[name])] if given[name] is not None else []
    ctx.obj = (settings, [*line, *(["--json"] if given["as_json"] else [])])


def translate(
    arguments: Sequence[str], environ: Mapping[str, str]
) -> tuple[list[str], dict[str, str]]:
    """The command line of Reverie that means the same, and the environment to run it in."""
    from reverie.settings import find_repository, load_settings, variable_of

    for each in arguments:
        flag = each.partition("=")[0]
        if flag in _ELSEWHERE:
            raise UsageError(f"{flag} belongs to another command here: {_ELSEWHERE[flag]}")
    known = {"runs": environ[CYCLES_VARIABLE]} if environ.get(CYCLES_VARIABLE) else {}
    with command.make_context("reverie.autonomous", list(arguments), default_map=known) as context:
        command.invoke(context)
        settings, line = context.obj
    repo = line[line.index("--repo") + 1] if "--repo" in line else None
    told = load_settings(find_repository(repo, environ).path, environ, {})
    if "integration.enabled" not in told.written:
        settings.setdefault("integration.enabled", "true")
    return line, {**environ, **{variable_of(key): value for key, value in settings.items()}}


def unheard(environ: Mapping[str, str]) -> list[str]:
    """What to tell somebody whose variables have no effect."""
    return [
        f"{name} has no effect: {instead}" for name, instead in UNHEARD.items() if environ.get(name)
    ]


def main() -> None:
    """The program."""
    from reverie.errors import ReverieError
    from reverie.interfaces.cli.boundary import USAGE, run
    from reverie.interfaces.cli.output import warn

    for each in unheard(os.environ):
        warn(each)
    try:
        line, environ = translate(sys.argv[1:], os.environ)
    except click.exceptions.Exit as request:
        sys.exit(request.exit_code)
    except click.ClickException as error:
        click.echo(f"error: {error.format_message()}", err=True)
        sys.exit(USAGE)
    except ReverieError as error:
        click.echo(f"error: {error}", err=True)
        sys.exit(error.exit_code)
    sys.exit(run(line, environ))
