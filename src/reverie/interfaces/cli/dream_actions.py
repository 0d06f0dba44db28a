"""What the subcommands of `reverie dream` do: open the journal, ask, render."""

import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from reverie.errors import UsageError
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.dreams import (
    dream_document,
    show_dream,
    show_dreams,
    show_tests,
    whole_document,
)
from reverie.interfaces.cli.durations import parse_duration
from reverie.interfaces.cli.journals import rules_of, writable_journal
from reverie.interfaces.cli.output import emit_json, printable
from reverie.model.dream import DreamStatus
from reverie.model.procedure import DreamProcedure, DreamTier, DreamType
from reverie.model.words import counted
from reverie.store import DreamStore

Given = Mapping[str, Any]
_KEPT = "dreams are kept"
_SOURCE_BYTES = 1 << 20


@contextmanager
def opened_dreams(app: App) -> Iterator[DreamStore]:
    """The dreams of this invocation's journal."""
    with writable_journal(app, _KEPT) as journal:
        yield DreamStore(journal)


async def imagine(app: App, given: Given) -> int:
    """`reverie dream new`."""
    from reverie.bootstrap import open_sandbox
    from reverie.bootstrap.dreams import find_procedures, indexed_repositories
    from reverie.cycle.dreams.generating import Wishes, generate
    from reverie.dreamers.procedures.strategies import Strategy
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
    from reverie.scoring.novelty import novelty

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
    from reverie.cycle.dreams.telling import test_document

    with opened_dreams(app) as store:
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
    from reverie.cycle.dreams.evaluating import evaluate_waiting
    from reverie.model.evaluation import read_evaluation

    ids = list(given["ids"])
    refused: Mapping[int, str] = {}
    with opened_dreams(app) as store:
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
        opened_dreams(app) as store,
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
        raise UsageError(f"{path!r} is not UTF-8: {error}") from error
    if len(raw) > _SOURCE_BYTES:
        raise UsageError(f"{path!r} is larger than {_SOURCE_BYTES} bytes")
    return text
