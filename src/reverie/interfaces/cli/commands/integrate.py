"""`reverie integrate`: modules that nothing uses, tested and made part of the repository."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from reverie.errors import UsageError
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.arguments import python_files
from reverie.interfaces.cli.command import Command, setting_option
from reverie.interfaces.cli.environments import environment_options, prepare_cycle
from reverie.interfaces.cli.output import emit_json, emit_table, printable
from reverie.model.codec import pick

if TYPE_CHECKING:
    from reverie.bootstrap.integrations import Integrated
    from reverie.model.repository.standing import Inclusion, SelfTest

_EXAMPLE = """
reverie integrate
reverie integrate path/to/repository --module isolated.py --json
"""
_COUNT = click.IntRange(min=1)


@click.command(cls=Command, example=_EXAMPLE)
@click.option("--module", "modules", multiple=True, metavar="MODULE",
              help="A path or a dotted name; otherwise whatever nothing uses.")  # fmt: skip
@click.option("--executions", type=_COUNT, metavar="N", help="Runs of code to spend at most.")
@click.option("--python", metavar="PATH", help="Interpreter with the project's dependencies.")
@click.option("--fresh", is_flag=True, help="Try again what was tried before on the same source.")
@click.option("--dry-run", is_flag=True, help="Only test: promote nothing, write no file.")
@environment_options()
@setting_option("integration.include_isolated", also=("--auto-include-isolated",))
@setting_option("integration.clean", also=("--clean-orphans",))
@setting_option("integration.min_roi")
@setting_option("orphans.recursive", also=("--recursive-orphans", "--recursive-include"))
@setting_option("orphans.recursive_isolated")
@setting_option("orphans.discover_isolated")
@setting_option("orphans.include_redundant", also=("--test-redundant",))
@setting_option("orphans.max_depth", also=("--max-recursion-depth",))
@setting_option("cycle.budget_seconds")
@setting_option("cycle.seed")
@setting_option("sandbox.tier")
@setting_option("journal.url")
@click.pass_obj
def command(app: App, /, **given: Any) -> int:
    """Test modules that nothing uses, and make those that pass part of the repository.

    Each is imported in the sandbox with all of the repository that it needs, and tests are
    written for it. What passes and is worth it becomes a commit on a branch of its own: its
    tests, and its import in the package's `__init__.py` where there is one. Redundant and legacy
    modules are tested and left where they are. Your files are not touched. The exit code is 1
    when a candidate could not be integrated.
    """
    if given["dry_run"]:
        return _only_test(app, given)
    done = _integrate(app, given)
    if app.json:
        emit_json(integrated_document(done))
    else:
        _show(done)
    return 0 if all(each.included for each in done.modules) else 1


def _integrate(app: App, given: dict[str, Any]) -> "Integrated":
    from reverie.bootstrap.integrations import Integration
    from reverie.interfaces.cli.views.cycles import Night

    _require_modules(app, given["modules"])
    integration = Integration(
        modules=given["modules"],
        loaded=app.loaded,
        is_fresh=given["fresh"],
        **_wishes(app, given),
    )
    prepare_cycle(app, integration.cycle, given["python"])
    with Night() as night:
        integration.cycle.watch = night.show
        return integration.run()


def _require_modules(app: App, named: Sequence[str]) -> None:
    """`UsageError` for a name that no file can have, before the suite is run."""
    if not named:
        return
    root = app.repository.path
    known = [f"/{each.relative_to(root).as_posix()}" for each in python_files([str(root)])]
    for each in named:
        inner = each.replace(".", "/")
        ends = (f"/{os.path.normpath(each)}", f"/{inner}.py", f"/{inner}/__init__.py")
        if not any(path.endswith(ends) for path in known):
            raise UsageError(f"there is no module {each!r:.80} in the repository")


def _wishes(app: App, given: dict[str, Any]) -> dict[str, Any]:
    asked = "cycle.budget_seconds" in app.overrides
    seconds = app.settings.cycle.budget_seconds if asked else None
    return {"seconds": seconds, "executions": given["executions"], "python": given["python"]}


def _only_test(app: App, given: dict[str, Any]) -> int:
    from reverie.bootstrap.integrations import SelfTestService

    service = SelfTestService(loaded=app.loaded, **_wishes(app, given))
    prepare_cycle(app, service.cycle, given["python"])
    tests = service.run(given["modules"])
    if app.json:
        emit_json({"modules": [test_document(each) for each in tests]})
    else:
        rows = [(each.path, _passed(each), each.tests, each.reason or "") for each in tests]
        emit_table(("module", "self-test", "tests", "remark"), rows)
    return 0 if all(each.passed for each in tests) else 1


def test_document(test: "SelfTest") -> dict[str, Any]:
    """A self-test as JSON prints it."""
    names = "module path passed reason closure failing tests coverage isolated redundant legacy"
    return pick(test, f"{names} dormant seconds")


def integrated_document(done: "Integrated") -> dict[str, Any]:
    """An integration as JSON prints it."""
    return {
        "cycle_id": None if done.record is None else done.record.header.id,
        "modules": [_included(each) for each in done.modules],
        "figures": dict(done.figures.gauges()),
    }


def _included(each: "Inclusion") -> dict[str, Any]:
    names = "included reason dream_id verdict branch roi workflow"
    told = pick(each, names, reason=each.reason or each.test.reason)
    return {**test_document(each.test), **told}


def _show(done: "Integrated") -> None:
    rows = [
        (
            each.test.path,
            _passed(each.test),
            "yes" if each.included else "no",
            each.branch or "-",
            each.reason or each.test.reason or "",
        )
        for each in done.modules
    ]
    if rows:
        emit_table(("module", "self-test", "integrated", "branch", "remark"), rows)
    figures = done.figures
    told = f"{figures.tested} tested so far, {figures.reintroduced} integrated, "
    click.echo(printable(f"{told}{figures.failed} failed"))


def _passed(test: "SelfTest") -> str:
    return "passed" if test.passed else "failed"
