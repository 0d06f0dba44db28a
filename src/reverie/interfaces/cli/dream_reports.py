"""What `reverie dream` shows of many dreams together: report, journal and health."""

from collections.abc import Mapping
from typing import Any

from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.dream_actions import opened_dreams
from reverie.interfaces.cli.dreams import short, show_figures, show_report
from reverie.interfaces.cli.output import emit_json, emit_table

Given = Mapping[str, Any]


async def report(app: App, given: Given) -> None:
    """`reverie dream report`."""
    from reverie.cycle.dreams.learning import learn, learning_report, tightening_document

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
    from reverie.cycle.dreams.days import journal_days

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
    from reverie.cycle.dreams.health import health_document

    with opened_dreams(app) as store:
        document = await health_document(store, given["days"])
    if app.json:
        emit_json(document)
    else:
        show_figures(document)
        rows = [[short(value) for value in day.values()] for day in document["trend"]]
        emit_table(("day", "health", "dreams", "tier-1 success", "tier-1 tests"), rows)
    return 1 if document["is_healthy"] is False else 0
