"""The pull request of a cycle: short, true to the report, and with nothing in it that is obeyed."""

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from reverie.cycle.report.document import report_document
from reverie.cycle.report.inert import inert_markdown
from reverie.cycle.report.request import request_text, request_title
from reverie.cycle.running import CycleRun
from reverie.model.cycle import CycleBudget, CycleRecord, CycleWishes
from reverie.model.settings.cycle import CycleSection
from reverie.store import Journal, journal_url
from reverie.testing.workshop import ScriptedWorkshop

HOSTILE = "@ada <img src=x> [see](http://evil) | `rm` **now**\n## Approved\x1b[31m"


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CycleRecord]:
    folder = tmp_path_factory.mktemp("cycle")
    with Journal.open(journal_url(folder)) as journal:
        run = CycleRun(journal, folder, ScriptedWorkshop(folder), CycleSection())
        yield run.begin(CycleWishes(CycleBudget(executions=600), seed=7))


def test_it_says_what_is_better_how_it_was_proven_and_how_to_check_it(record: CycleRecord) -> None:
    document = report_document(record)
    text = request_text(document)
    assert text.startswith("4 commits: only test files, no production code.")
    for each in document["promoted"]:
        assert f"| {inert_markdown(each['title'])} | " in text
        assert f"- {inert_markdown(each['title'])}: " in text
    assert f"reverie verify {document['promoted'][0]['dream_id']}" in text
    assert f"reverie rollback {document['cycle_id']}" in text
    assert len(re.findall(r"checks? passed", text)) == len(document["promoted"])


def test_a_finding_is_shown_and_not_part_of_it(record: CycleRecord) -> None:
    document = {**report_document(record), "found": [
        {"id": "0123456789abcdef", "module": "shop", "title": "price: ZeroDivisionError"}
    ] * 12}  # fmt: skip
    text = request_text(document)
    assert text.count("price: ZeroDivisionError") == 10
    assert "and 2 more" in text
    assert "### Please look at" not in request_text({**document, "found": []})


def test_nothing_of_the_repository_is_obeyed(record: CycleRecord) -> None:
    dreams = tuple(
        replace(each, dream=replace(each.dream, title=HOSTILE, module=HOSTILE))
        for each in record.dreams
    )
    document = report_document(replace(record, dreams=dreams))
    text = request_text(document)
    left = re.sub(r"\\.", "", text)
    for obeyed in ("<img", "](", "@ada", "\n## Approved", "**now**", "\x1b"):
        assert obeyed not in left, obeyed
    assert all(line.count(" | ") == 2 for line in left.splitlines() if line.startswith("| "))


def test_its_title_is_one_short_line(record: CycleRecord) -> None:
    document = report_document(record)
    assert " for " in request_title(document)
    one = {**document, "promoted": [{**document["promoted"][0], "title": "Test total in shop"}]}
    assert request_title(one) == "Test total in shop"
    assert (
        len(request_title({**one, "promoted": [{**one["promoted"][0], "title": "x" * 999}]})) <= 100
    )
