"""Subcommands of `reverie dream`: open the journal, ask, show dreams as documents and tables.

Report, journal and health show many dreams together.
"""

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from reverie.errors import UsageError, reason_of
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.arguments import parse_duration
from reverie.interfaces.cli.journals import rules_of, writable_journal
from reverie.interfaces.cli.output import emit_json, emit_table, printable
from reverie.model.codec import pick
from reverie.model.dream import DreamStatus
from reverie.model.outcome import counted
from reverie.model.procedure import DreamProcedure, DreamTier, DreamType
from reverie.store import DreamStore

_STYLES = {"success": "green", "tested": "cyan", "viable": "green", "archive": "dim"}


def dream_document(dream: DreamProcedure) -> dict[str, Any]:
    """A dream without its sources."""
    return pick(
        dream,
        "id title dream_type dreamer base_procedure repository status tier=tier.number "
        "viability_score novelty_score cross_project_matches effectiveness test_outcome test_error "
        "test_timestamp created_at run_id",
    )


def whole_document(dream: DreamProcedure) -> dict[str, Any]:
    """A dream with its sources and all that is known of it."""
    sources = "entry code base_code import_roots details reasoning evaluator evaluated_at"
    return {**dream_document(dream), **pick(dream, sources)}


def show_dreams(dreams: Sequence[DreamProcedure]) -> None:
    """Dreams as a table, one line each."""
    rows = [
        (
            each.id,
            each.status.value,
            "-" if each.tier is None else each.tier.number,
            _figure(each.viability_score),
            _figure(each.novelty_score),
            "-" if each.test_outcome is None else each.test_outcome.value,
            each.dreamer,
            each.base_procedure or "-",
            each.title,
        )
        for each in dreams
    ]
    columns = ("id", "status", "tier", "viability", "novelty", "test", "dreamer", "base", "what")
    emit_table(columns, rows, _STYLES)


def show_dream(document: dict[str, Any]) -> None:
    """One dream with its source and its tests."""
    shown = ("code", "base_code", "tests", "details")
    for name, value in document.items():
        if name not in shown and value is not None:
            click.echo(f"{name:<22} {printable(str(value))}")
    for name, value in document["details"].items():
        click.echo(f"{name:<22} {printable(str(value))}")
    for test in document["tests"]:
        words = ", ".join(test["compared"]) or "no base to compare with"
        inputs = counted(test["inputs"], "input")
        click.echo(f"test {test['tested_at']}: {test['outcome']}, {inputs}, {words}")
    click.echo("\n" + printable(document["code"], multiline=True))


def show_figures(document: dict[str, Any]) -> None:
    """Plain figures, one on a line; what is absent is a dash."""
    for name, value in document.items():
        if isinstance(value, dict):
            for inner, each in value.items():
                click.echo(f"{name + '.' + str(inner):<34} {_figure(each)}")
        elif not isinstance(value, list):
            click.echo(f"{name:<34} {_figure(value)}")


def _figure(value: Any) -> str:
    if value is None:
        return "-"
    return f"{value:.3f}" if isinstance(value, float) else printable(str(value))


def show_tests(document: Mapping[str, Any]) -> None:
    """Tests as a table, one line each."""
    columns = ("dream", "outcome", "inputs", "compared", "speed-up", "effective", "what")
    rows = [
        (
            each["dream_id"],
            each["outcome"],
            each["inputs"],
            ", ".join(each["compared"]) or "-",
            short(each["speedup"]),
            short(each["effectiveness"]),
            each["title"],
        )
        for each in document["tested_dreams_details"]
    ]
    emit_table(columns, rows, {"success": "green"})
    click.echo(
        f"{document['dreams_passed']} of {counted(document['tested_dreams'], 'dream')} passed"
    )


def show_report(document: Mapping[str, Any]) -> None:
    """What would help, and what is tightened."""
    passed, tested = document["dreams_passed"], document["total_dreams_tested"]
    click.echo(f"{passed} of {tested} tested dreams passed")
    for each in document["suggested_improvements"]:
        issue = printable(" ".join(each["issue"].split()))[:100]
        click.echo(f"{counted(each['frequency'], 'dream'):>11}  {each['category']}: {issue}")
        click.echo(f"             {each['suggestion']}")
    for each in document["tightenings"]:
        constraint = each["constraint"] or "no constraint"
        what = f"{each['dreamer']} keeps {each['share']:.0%} of its variants, {constraint}"
        click.echo(f"tightening {each['id']}: {what}; lift it with --lift {each['id']}")


def short(value: Any) -> str:
    """A figure in a table; a dash when it is absent."""
    if value is None:
        return "-"
    return f"{value:.2f}" if isinstance(value, float) else str(value)


Given = Mapping[str, Any]
_KEPT = "dreams are kept"
_SOURCE_BYTES = 1 << 20


@contextmanager
def opened_dreams(app: App, *named: int) -> Iterator[DreamStore]:
    """The dreams of this invocation's journal; those that are named by number are in it."""
    with writable_journal(app, _KEPT, str(named[0]) if named else None) as journal:
        yield DreamStore(journal)


async def imagine(app: App, given: Given) -> int:
    """`reverie dream new`."""
    from reverie.bootstrap import open_sandbox
    from reverie.bootstrap.dreams import find_procedures, indexed_repositories
    from reverie.cycle.dreams.generating import Wishes, generate
    from reverie.dreamers.procedures.variant import Strategy
    from reverie.interfaces.cli.progress import count_bar

    place = app.repository.path
    named = [_folder(each) for each in given["others"]]
    with opened_dreams(app) as store:
        procedures = find_procedures(place, app.settings, given["targets"])
        chosen = await _least_dreamt(store, procedures, given["functions"])
        elsewhere = dict.fromkeys((*named, *indexed_repositories(store.journal, place)))
        others = [each for folder in elsewhere for each in find_procedures(folder, app.settings)]
        wishes = Wishes(Strategy(given["strategy"]), given["seed"], not given["untightened"])
        with open_sandbox(app.settings.sandbox) as sandbox, count_bar("functions") as show:
            found = await generate(
                store, sandbox, chosen, others, wishes,
                lambda done, dreams: show(done, len(chosen)),
            )  # fmt: skip
        dreams = [await store.get_dream(each) for each in found.dream_ids]
    run = found.run
    if app.json:
        emit_json(
            {
                "run_id": run.id,
                "strategy": run.strategy,
                "functions": [each.base for each in chosen],
                "other_repositories": [str(each) for each in elsewhere],
                "made": run.made,
                "stored": run.stored,
                "dropped": run.dropped,
                "dreams": [dream_document(each) for each in dreams],
                "seconds": run.seconds,
            }
        )
    else:
        show_dreams(dreams)
        made, dropped = sum(run.made.values()), dict(run.dropped)
        click.echo(
            f"{counted(len(dreams), 'dream')} of {counted(made, 'variant')}; not kept: {dropped}"
        )
    return 0 if dreams else 1


async def add(app: App, given: Given) -> None:
    """`reverie dream add`."""
    from reverie.bootstrap.dreams import find_procedures
    from reverie.inputs.scope import Scope, parse
    from reverie.inputs.signature import default_entry
    from reverie.scoring.procedures import novelty

    path, _, name = given["file"].partition(":")
    code = _read(path)
    scope = Scope(parse(code))
    entry = name or default_entry(scope)
    if scope.function(entry) is None:
        raise UsageError(f"{path!r} defines no {entry!r}")
    dream = DreamProcedure(
        code=code,
        entry=entry,
        dream_type=DreamType.CONTRIBUTED,
        dreamer=f"contributed/{given['by']}",
        title=" ".join((given["title"] or f"{entry} by {given['by']}").split())[:200],
        repository=str(app.repository.path.resolve()),
    )
    if given["base"] is not None:
        base = find_procedures(app.repository.path, app.settings, [given["base"]])
        if len(base) != 1 or base[0].name != entry:
            raise UsageError(f"--base must name a function {entry!r}, not {given['base']!r}")
        dream = replace(
            dream,
            base_procedure=base[0].base,
            base_code=base[0].code,
            import_roots=base[0].import_roots,
            novelty_score=novelty(code, [base[0].slice.function]),
        )
    with opened_dreams(app) as store:
        found = await store.get_dream(await store.store_dream(dream))
    _emit(app, found)


async def list_dreams(app: App, given: Given) -> None:
    """`reverie dream list`."""
    wanted = {
        "status": DreamStatus(given["status"]) if given["status"] else None,
        "tier": DreamTier(given["tier"]) if given["tier"] else None,
        "dream_type": DreamType(given["dream_type"]) if given["dream_type"] else None,
        "base_procedure": given["base"],
    }
    with opened_dreams(app) as store:
        dreams = await store.list_dreams()
    fitting = [
        each
        for each in dreams
        if all(value is None or getattr(each, name) == value for name, value in wanted.items())
    ][: given["limit"]]
    if app.json:
        emit_json({"dreams": [dream_document(each) for each in fitting]})
    else:
        show_dreams(fitting)


async def show(app: App, dream_id: int) -> None:
    """`reverie dream show`."""
    from reverie.cycle.dreams.runner import test_document

    with opened_dreams(app, dream_id) as store:
        dream = await store.get_dream(dream_id)
        tests = await store.get_tests(dream_id)
    told = [test_document(each, dream.is_variant) for each in tests]
    document = {**whole_document(dream), "tests": told}
    if app.json:
        emit_json(document)
    else:
        show_dream(document)


async def evaluate(app: App, given: Given) -> None:
    """`reverie dream evaluate`."""
    from reverie.cycle.dreams.generating import evaluate_waiting
    from reverie.model.procedure import read_evaluation

    ids = list(given["ids"])
    refused: Mapping[int, str] = {}
    with opened_dreams(app, *ids) as store:
        if given["model"]:
            dreams, refused = await _ask_model(app, store, given)
        elif given["reply"] is not None:
            if len(ids) > 1:
                raise UsageError("--reply is about one dream")
            reply = read_evaluation(_read(given["reply"]), ids[0] if ids else None)
            dreams = [await store.evaluate(reply, given["by"])]
        else:
            dreams = await evaluate_waiting(store, rules_of(app), ids or None)
    if app.json:
        told = [{**dream_document(each), "reasoning": each.reasoning} for each in dreams]
        lines = [{"dream_id": number, "reason": why} for number, why in refused.items()]
        emit_json({"evaluated": told, "refused": lines})
    else:
        show_dreams(dreams)
        for number, why in refused.items():
            click.echo(printable(f"dream {number}: {why}"), err=True)


async def _ask_model(
    app: App, store: DreamStore, given: Given
) -> tuple[list[DreamProcedure], Mapping[int, str]]:
    from reverie.bootstrap.models import evaluate_dreams, open_client

    if given["reply"] is not None:
        raise UsageError("--model and --reply say two things; give one of them")
    client = open_client(app.loaded, app.environ)
    found = await evaluate_dreams(store, client, list(given["ids"]) or None)
    return list(found.evaluated), found.refused


async def test(app: App, given: Given) -> int:
    """`reverie dream test`."""
    from reverie.bootstrap import open_sandbox
    from reverie.cycle.dreams.runner import DreamTestRunner

    seconds = parse_duration(given["timeout"], "--timeout")
    with (
        opened_dreams(app, *given["ids"]) as store,
        open_sandbox(app.settings.sandbox) as sandbox,
        DreamTestRunner(
            store.journal, seconds, given["inputs"], sandbox=sandbox, seed=given["seed"]
        ) as runner,
    ):
        if not given["ids"] and not given["edges"]:
            document = await runner.test_tier1_dreams()
        else:
            document = await _test_some(runner, given)
    if "error" in document:
        from reverie.errors import MachineryError

        raise MachineryError(document["error"])
    if app.json:
        emit_json(document)
    else:
        show_tests(document)
    return 1 if document["dreams_failed"] else 0


async def _test_some(runner: Any, given: Given) -> dict[str, Any]:
    if not given["ids"]:
        raise UsageError("--edges needs the ID of a dream")
    dreams = [await runner.store.get_dream(each) for each in given["ids"]]
    ask = runner.test_with_edge_cases if given["edges"] else runner.test_dream
    told = [await ask(each) for each in dreams]
    passed = sum(each["success"] for each in told)
    return {
        "success": True,
        "tested_dreams": len(told),
        "dreams_passed": passed,
        "dreams_failed": len(told) - passed,
        "pass_rate": passed / len(told),
        "tested_dreams_details": told,
    }


async def _least_dreamt(store: DreamStore, procedures: list[Any], most: int) -> list[Any]:
    known = Counter(each.base_procedure for each in await store.list_dreams())
    return sorted(procedures, key=lambda each: known[each.base])[:most]


def _emit(app: App, dream: DreamProcedure) -> None:
    if app.json:
        emit_json(whole_document(dream))
    else:
        show_dreams([dream])


def _folder(given: str) -> Path:
    path = Path(given)
    if not path.is_dir():
        raise UsageError(f"--with: no such folder: {given!r}")
    return path.resolve()


def _read(path: str) -> str:
    try:
        raw = sys.stdin.buffer.read(_SOURCE_BYTES + 1) if path == "-" else Path(path).read_bytes()
        text = raw.decode("utf-8-sig")
    except OSError as error:
        raise UsageError(f"cannot read {path!r}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path!r} is no text: {reason_of(error)}") from error
    if len(raw) > _SOURCE_BYTES:
        raise UsageError(f"{path!r} is larger than {_SOURCE_BYTES} bytes")
    return text


async def report(app: App, given: Given) -> None:
    """`reverie dream report`."""
    from reverie.cycle.dreams.runner import learn, learning_report, tightening_document

    with opened_dreams(app) as store:
        if given["lift"] is not None:
            await store.lift_tightening(given["lift"])
        new = await learn(store) if given["tighten"] else []
        document = await learning_report(store)
    document["newly_tightened"] = [tightening_document(each) for each in new]
    if app.json:
        emit_json(document)
    else:
        show_report(document)


async def journal(app: App, given: Given) -> None:
    """`reverie dream journal`."""
    from reverie.cycle.dreams.reports import journal_days

    with opened_dreams(app) as store:
        days = await journal_days(store, app.repository.path, given["limit"])
        statistics = await store.get_statistics()
    if app.json:
        emit_json({"days": days, "statistics": statistics})
        return
    columns = ("day", "runs", "dreamt", "evaluated", "tested", "passed", "cycle dreams", "promoted")
    names = ("day", "runs", "dreamt", "evaluated", "tested", "passed", "cycle_dreams", "promoted")
    emit_table(columns, [[day[name] for name in names] for day in days])


async def health(app: App, given: Given) -> int:
    """`reverie dream health`."""
    from reverie.cycle.dreams.reports import health_document

    with opened_dreams(app) as store:
        document = await health_document(store, given["days"])
    if app.json:
        emit_json(document)
    else:
        show_figures(document)
        rows = [[short(value) for value in day.values()] for day in document["trend"]]
        emit_table(("day", "health", "dreams", "tier-1 success", "tier-1 tests"), rows)
    return 1 if document["is_healthy"] is False else 0
