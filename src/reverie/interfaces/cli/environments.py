"""The environment for a command: settled before it begins, with the consent of whoever calls it."""

from __future__ import annotations

import os
import shlex
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from reverie.errors import OutOfTime, UsageError
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.command import remember_switch
from reverie.interfaces.cli.output import printable, warn
from reverie.interfaces.cli.progress import working

if TYPE_CHECKING:
    from reverie.bootstrap.cycles import Cycle
    from reverie.bootstrap.environments import Proposal, Wish
    from reverie.model.repository.environment import Finding, Preflight, Surroundings

F = TypeVar("F", bound=Callable[..., Any])
_LISTED = 20


def environment_options() -> Callable[[F], F]:
    """`--yes` and `--anyway`: what a person says about the environment besides `--python`."""

    def add(function: F) -> F:
        for flag, name, text in (
            (
                "--anyway",
                "goes_on",
                "Go on though the preflight says that nothing can be relied on.",
            ),
            ("--yes", "consents", "Make an environment, if one is needed, without asking."),
        ):
            function = click.option(
                flag, name, is_flag=True, expose_value=False, callback=remember_switch, help=text
            )(function)
        return function

    return add


def settle_environment(
    app: App,
    python: str | None,
    extra: tuple[str, ...] = (),
    *,
    runs_tests: bool = True,
    ends_at: float | None = None,
) -> Surroundings:
    """The interpreter for this repository; made with consent, and what is noteworthy said.

    Past `ends_at`, by `time.monotonic`, making one is broken off: `OutOfTime`.
    """
    from reverie.bootstrap.environments import settle

    wish = replace(wish_of(app, python), extra=extra, runs_tests=runs_tests, ends_at=ends_at)
    around = settle(app.loaded, wish, app.environ)
    for each in around.notes:
        warn(each)
    return around


def wish_of(app: App, python: str | None) -> Wish:
    """What flags and settings say about the environment."""
    from reverie.bootstrap.environments import Wish
    from reverie.model.settings.cycle import Making

    making = app.settings.environment.make
    is_settled = making is not Making.NEVER and (app.consents or making is Making.ALWAYS)
    return Wish(
        python,
        consents=lambda proposal: _consents(app, proposal),
        is_settled=is_settled,
        say=_say,
    )


def require_environment(app: App, python: str | None) -> str | None:
    """The interpreter for a command that runs no suite; `UsageError` where it lacks something."""
    return settle_with_all(app, python).python


def settle_with_all(app: App, python: str | None, *, runs_tests: bool = True) -> Surroundings:
    """The environment without a run of the suite; `UsageError` where it lacks something."""
    from reverie.environment.preflight import missing_findings

    around = settle_environment(app, python, runs_tests=runs_tests)
    stop_at(app, tuple(missing_findings(around)))
    return around


def interpreter_for(app: App, python: str | None, files: Iterable[str]) -> str | None:
    """The interpreter for code of these files: theirs, where one lies in the repository.

    `UsageError` where it lacks what the code needs; what only tests need is not asked for.
    """
    root = app.repository.path.resolve()
    if python is None and not any(Path(each).resolve().is_relative_to(root) for each in files):
        return None
    return settle_with_all(app, python, runs_tests=False).python


def require_preflight(
    app: App,
    python: str | None,
    revision: str | None = None,
    seconds: float | None = None,
    tests: tuple[str, ...] = (),
    *,
    may_be_part: bool = False,
) -> tuple[Surroundings, Preflight]:
    """The environment after a run of the suite in it; `UsageError` where that says stop.

    Of a suite some `tests` may do. With a time, also where the suite takes so much of it that
    nothing can be tried; a part that fits does where it `may_be_part`.
    """
    from reverie.bootstrap.environments import look_before, looked_at
    from reverie.environment.preflight import Spent, findings_within, fit_for

    began = time.monotonic()
    around = _settle_within(app, python, seconds)
    made = time.monotonic()
    ends_at = None if seconds is None else began + seconds
    fit = fit_for(began + seconds - made) if may_be_part and seconds is not None else None
    wish = replace(wish_of(app, python), ends_at=ends_at)

    def look(each: Surroundings) -> Preflight:
        return look_before(app.loaded, each, revision, ends_at=ends_at, tests=tests, fit=fit)

    with working("running the suite once"):
        around, found = looked_at(app.loaded, around, wish, app.environ, look)
    around = replace(around, part=found.part)
    show_preflight(found, err=True)
    looked = time.monotonic() - made
    spent = None if seconds is None else Spent(seconds, made - began, looked)
    stop_at(app, findings_within(found, spent))
    return around, found


def _settle_within(app: App, python: str | None, seconds: float | None) -> Surroundings:
    """The environment; `UsageError` where making it takes longer than there is time."""
    from reverie.environment.preflight import never_made

    ends_at = None if seconds is None else time.monotonic() + seconds
    try:
        with working("making sure of the environment"):
            return settle_environment(app, python, ends_at=ends_at)
    except OutOfTime as error:
        finding = never_made(seconds or 0.0)
        raise UsageError(f"{finding.text}; mend it: {mending(app, finding)}") from error


def prepare_cycle(app: App, cycle: Cycle, python: str | None) -> None:
    """Give a cycle the environment that its preflight was made in, and what was said of it."""
    from reverie.bootstrap.environments import with_fresh
    from reverie.interfaces.cli.journals import existing_journal

    with existing_journal(app):  # one that cannot be used is said before the suite is run
        pass
    began, seconds = time.monotonic(), cycle.wishes.budget.seconds
    around, found = require_preflight(app, python, seconds=seconds, may_be_part=cycle.may_ask_part)
    around = with_fresh(app.loaded, around, wish_of(app, python), app.environ)
    cycle.surroundings = replace(around, warnings=_warnings_of(found))
    cycle.spent_seconds = time.monotonic() - began


def stop_at(app: App, findings: tuple[Finding, ...]) -> None:
    """End here with the command that mends it, unless somebody said to go on anyway."""
    if not findings:
        return
    if app.goes_on:
        for each in findings:
            warn(f"going on anyway: {each.text}")
        return
    first, rest = findings[0], len(findings) - 1
    more = f" (and {rest} more)" if rest else ""
    raise UsageError(f"{first.text}{more}; mend it: {mending(app, first)} (or go on with --anyway)")


def mending(app: App, finding: Finding) -> str:
    """The command of a finding as it is to be typed here: it is meant for the repository."""
    place = app.repository.path.resolve()
    is_here = os.path.realpath(".") == str(place)
    return finding.command if is_here else f"cd {shlex.quote(str(place))} && {finding.command}"


def _warnings_of(found: Preflight) -> tuple[str, ...]:
    """What report and commits have to carry when work went on in spite of a preflight."""
    return tuple(f"went on anyway: {each.text}" for each in found.findings)


def show_preflight(found: Preflight, *, err: bool = False) -> None:
    """The line, and the tests that fail before anything was changed."""
    click.echo(printable(found.line), err=err)
    for name, why in [*found.broken.items(), *found.failing.items()][:_LISTED]:
        click.echo(printable(f"  fails already: {name}" + (f" ({why})" if why else "")), err=err)
    hidden = len(found.broken) + len(found.failing) - _LISTED
    if hidden > 0:
        click.echo(f"  and {hidden} more", err=err)


def _consents(app: App, proposal: Proposal) -> bool:
    """By the flag, by the user's setting, or by an answer on a terminal."""
    from reverie.model.settings.cycle import Making

    making = app.settings.environment.make
    if making is Making.NEVER:
        return False
    if app.consents or making is Making.ALWAYS:
        return True
    if sys.stdin is None or not sys.stdin.isatty() or not sys.stderr.isatty():
        return False
    _say(f"{proposal.reason}; an environment would be made from {proposal.label} with Python "
         f"{proposal.version}: {', '.join(proposal.requirements)}")  # fmt: skip
    return click.confirm("Fetch these from the package index?", default=True, err=True)


def _say(line: str) -> None:
    click.echo(printable(line), err=True)
