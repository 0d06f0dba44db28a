import re
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from reverie.cycle.report.document import (
    cycle_document,
    failed_everywhere,
    kept_chance,
    report_document,
)
from reverie.cycle.report.inert import LINE_CHARACTERS, LINES, inert, inert_lines
from reverie.cycle.report.page import report_page
from reverie.cycle.report.plots import checks_table, duration, flame_graph
from reverie.cycle.report.profile import profile_lines
from reverie.cycle.running import CycleRun
from reverie.model.change import Change, FileEdit
from reverie.model.cycle import CycleBudget, CycleRecord, CycleWishes, Sighting
from reverie.model.settings.cycle import CycleSection
from reverie.model.worth import at_least
from reverie.store import Journal, journal_url
from reverie.testing.workshop import ScriptedWorkshop

HOSTILE = (
    "<script>alert(1)</script>",
    "'\"><img src=x onerror=alert(1)>",
    "</pre></style><svg onload=alert(1)>",
    "\x1b[31mred\x1b]8;;http://evil\x07",
    "\u202egnp.exe\u202c \u2066x\u2069 a\u200bb",
    "&lt;b&gt; &#60;",
    "javascript:alert(1)",
    "z" + "\u0301" * 500,
    "nul \x00 lone \ud800",
)
VOID = {"meta", "br", "circle", "line", "rect"}


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CycleRecord]:
    folder = tmp_path_factory.mktemp("cycle")
    workshop = ScriptedWorkshop(folder)
    with Journal.open(journal_url(folder)) as journal:
        run = CycleRun(journal, folder, workshop, CycleSection())
        yield run.begin(CycleWishes(CycleBudget(executions=600), seed=7))


class Reader(HTMLParser):
    """Tags and attributes as a browser would see them; complains about what is not closed."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [name for name, _ in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [name for name, _ in attrs]

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def read(page: str) -> Reader:
    reader = Reader()
    reader.feed(page)
    reader.close()
    assert reader.open == []
    return reader


def test_the_keys_of_a_cycle_are_the_promised_ones(record: CycleRecord) -> None:
    document = cycle_document(record)
    promised = "cycle cycle_id repository baseline dreams trials executions verdicts promotions"
    later = "seconds environment budget waiting findings skipped branch"
    assert {*promised.split(), *later.split()} <= set(document)
    assert document["budget"]["spent_seconds"] > 0
    assert set(document["environment"]["suite"]) == {"passed", "failed", "skipped", "broken"}
    assert document["verdicts"] == {"promote": 4, "pilot": 0, "borderline": 0, "reject": 2}
    keys = "dream dream_id kind author module commit branch bundle roi raroi worth"
    assert set(keys.split()) <= set(document["promotions"][0])
    (finding,) = document["findings"]
    assert set(finding) == {"id", "module", "callable", "rank", "title", "repro", "mending"}
    assert (finding["module"], finding["rank"], finding["repro"]) == ("m04", 3, "f([])")


def test_the_page_is_whole_and_needs_nothing(record: CycleRecord) -> None:
    page = report_page(report_document(record))
    reader = read(page)
    assert "script" not in reader.tags
    assert not {"src", "href", "onload", "onclick"} & set(reader.attributes)
    assert not re.search(r"https?://|url\(|@import", page)
    assert "4 tests for 4 modules" in reader.text
    assert "mutants newly killed" in reader.text
    assert "IndexError for an empty list" in reader.text
    assert page.count('<div class="plots">') == 1
    assert page.count('<div class="evidence">') == 4, "each promoted change has its own"


def test_a_module_that_two_stages_looked_at_has_one_bar(record: CycleRecord) -> None:
    document = report_document(record)
    twice = [{**each, "seconds": 30.0} for each in document["modules"][:1] * 2]
    told = read(report_page({**document, "modules": twice, "refused": [], "waiting": []})).text
    bar = re.search(rf"{twice[0]['module']}: ([\d.]+) s writing", told)
    assert bar is not None
    assert bar[1] == "60.0"
    assert told.count("s writing") == 1


def test_the_page_says_what_is_merged_by_now(record: CycleRecord) -> None:
    document = report_document(record)
    names = [each["dream_id"] for each in document["promoted"]]
    told = read(report_page({**document, "merged": names[:1]})).text
    assert f"reverie rollback {names[0]} && git merge" in told
    assert "Merged 1" in told
    assert "git merge" in told
    whole = read(report_page({**document, "merged": names})).text
    assert "They are merged: your branch has them" in whole
    assert "Ready to merge" not in whole


def test_the_page_tells_why_a_dream_was_refused(record: CycleRecord) -> None:
    told = read(report_page(report_document(record))).text
    assert "0 mutants newly killed" in told


def test_the_page_tells_how_likely_the_tests_are_kept(record: CycleRecord) -> None:
    document = report_document(record)
    first = document["promoted"][0]
    first["trial"]["score"].pop("kept_probability", None)
    assert "likely that a maintainer keeps" not in read(report_page(document)).text
    first["trial"]["score"]["kept_probability"] = 0.62
    assert "62 % likely that a maintainer keeps it." in read(report_page(document)).text


def test_a_column_is_there_only_for_checks_that_did_not_pass() -> None:
    passed = {"verdict": "pass", "reason": "worth", "reason_code": "ok", "measured": 8.2}
    failed = {**passed, "verdict": "fail", "required": 9.0}
    assert "measured" not in checks_table([{**passed, "required": 0}])
    assert "measured" in checks_table([{**passed, "required": 0}, failed])


def test_notes_are_lines_of_their_own(record: CycleRecord) -> None:
    document = report_document(record)
    document["environment"]["notes"] = ["one", "run `reverie prepare` once"]
    page = report_page(document)
    assert "one\nrun <code>reverie prepare</code> once" in page


def hostile(record: CycleRecord, text: str) -> CycleRecord:
    """The record with a text wherever a repository could put one."""
    edit = FileEdit(f"tests/{text}.py", text, f"{text}\n{text}\n")
    dreams = tuple(
        replace(each, dream=replace(each.dream, module=text, title=text, change=Change((edit,))))
        for each in record.dreams
    )
    steps = tuple(replace(step, module=text, note=text, error=text) for step in record.steps)
    header = replace(
        record.header,
        repository=f"/tmp/{text}",
        branch=text,
        baseline={"failing": [text], text: text},
        environment={"notes": [text]},
    )
    seen = (Sighting(text, text, {"input": text, text: {text: text}}),)
    return CycleRecord(header, steps, dreams, seen)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_shown_and_never_obeyed(record: CycleRecord, text: str) -> None:
    plain = read(report_page(report_document(hostile(record, "plain"))))
    page = report_page(report_document(hostile(record, text)))
    reader = read(page)
    assert sorted(reader.tags) == sorted(plain.tags), "a text has become markup"
    assert sorted(reader.attributes) == sorted(plain.attributes)
    assert not any(char in page for char in "\x1b\x07\x00\u202e\u2066\u200b")
    page.encode("utf-8")


def test_the_page_names_no_place_of_this_machine(
    record: CycleRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, home, python = "/srv/ada/my shop", "/home/ada", "/srv/envs/3f/bin/python"
    monkeypatch.setenv("HOME", home)
    around = {"python": python, "python_version": "3.12.1", "notes": [f"running with {python}"]}
    repro = f"PYTHONPATH='{here}/src' python -c 'import shop'  # in {here}, not in {here}-2/x"
    found = Sighting("shop", "odd", {"repro": repro, "actual": f"{home}/a.csv or /x{here}"})
    document = report_document(
        replace(
            record,
            header=replace(record.header, repository=here, environment=around),
            sightings=(found,),
        )
    )
    for each in document["promoted"]:
        each["diff"] = f"+HERE = '{here}/src'"
        each["promotion"] |= {"commit": None, "patch": f"{here}/.reverie/patches/a.patch"}
    text = read(report_page(document)).text
    assert "PYTHONPATH='src' python" in text
    assert f"# in ., not in {here}-2/x" in text
    assert f"~/a.csv or /x{here}" in text
    assert "git apply .reverie/patches/a.patch" in text
    assert "running with Python 3.12.1" in text
    assert "InterpreterPython 3.12.1" in text
    assert "my shop · started from " in text
    assert python not in text
    assert f"+HERE = '{here}/src'" in text
    assert document["repository"] == here


def test_a_line_of_a_megabyte_is_cut_and_said(record: CycleRecord) -> None:
    page = report_page(report_document(hostile(record, "x" * 1_000_000)))
    assert "998000 more characters" in page
    assert len(page) < 500_000


def test_many_lines_are_cut_and_said() -> None:
    lines = inert_lines("a\n" * 100_000)
    assert len(lines) == LINES + 1
    assert "more lines" in lines[-1]


def test_what_a_person_wrote_stays_as_it_is() -> None:
    text = "naïve — 漢字 עברית 😀 x\u00a0y"
    assert inert(text) == text
    assert inert("a" * LINE_CHARACTERS) == "a" * LINE_CHARACTERS


def test_a_cycle_without_anything_has_a_page(record: CycleRecord) -> None:
    empty = CycleRecord(replace(record.header, baseline=None, branch=None), (), (), ())
    document: dict[str, Any] = report_document(empty)
    reader = read(report_page(document))
    assert "No change was accepted" in reader.text
    assert Path(document["repository"]).name in reader.text


def test_a_lower_bound_is_never_rounded_up() -> None:
    assert [at_least(each) for each in (10.6, 1.99, 0.999, 2.0, 1234.5)] == [
        "10", "1.9", "0.99", "2", "1,200",
    ]  # fmt: skip


def test_even_odds_that_nobody_has_decided_on_are_not_told() -> None:
    assert kept_chance({"kept_probability": 0.5, "kept_decisions": 0}) is None
    assert kept_chance({"kept_probability": 0.5, "kept_decisions": 4}) == 0.5
    assert kept_chance({"kept_probability": 0.62, "kept_decisions": 0}) == 0.62
    assert kept_chance({}) is None


def test_times_are_told_in_one_way() -> None:
    told = [duration(each) for each in (8.6, 9.0, 47.2, 60, 174, 3600, 4350)]
    assert told == ["8.6 s", "9 s", "47 s", "1 min", "2 min 54 s", "1 h", "1 h 12 min"]


def test_a_profile_names_who_dreamt_where_and_what_took_the_time(record: CycleRecord) -> None:
    profile = report_document(record)["profile"]
    worked = [part for part in profile["parts"] if part["parts"]]
    assert {part["name"] for part in worked} <= {step.dreamer for step in record.steps}
    done = sum(step.seconds for step in record.steps)
    done += sum(each.trial.seconds for each in record.dreams if each.trial is not None)
    assert sum(part["seconds"] for part in worked) == pytest.approx(done, abs=0.01)
    assert profile["seconds"] >= sum(part["seconds"] for part in worked) - 0.01
    deepest = {
        part["name"] for one in worked for module in one["parts"] for part in module["parts"]
    }
    assert deepest <= {"writing", "proving"}


PROFILE = {
    "name": "night",
    "seconds": 100.0,
    "parts": [
        {
            "name": "tests",
            "seconds": 90.0,
            "parts": [
                {"name": "shop.<cart>", "seconds": 89.5, "parts": []},
                {"name": "shop.tiny", "seconds": 0.5, "parts": []},
            ],
        },
        {"name": "survey, plans, waiting", "seconds": 10.0, "parts": []},
    ],
}


def test_lines_of_a_profile_are_shares_of_the_whole_without_what_took_next_to_nothing() -> None:
    assert list(profile_lines(PROFILE)) == [
        " 90% 1 min 30 s  tests",
        "   90% 1 min 30 s  shop.<cart>",
        " 10%     10 s  survey, plans, waiting",
    ]


def test_boxes_of_a_flame_graph_are_as_wide_as_what_they_stand_for() -> None:
    drawn = flame_graph("Where", PROFILE)
    read(drawn)
    widths = [float(each) for each in re.findall(r'<rect[^>]* width="([\d.]+)"', drawn)]
    assert [round(each / widths[0], 3) for each in widths] == [1.0, 0.9, 0.895, 0.005, 0.1]
    assert "shop.&lt;cart&gt;" in drawn
    assert flame_graph("Where", {**PROFILE, "seconds": 0.0}) == ""


@pytest.mark.parametrize(
    ("steps", "is_so"),
    [
        ({"done": 4, "failed": 1}, False),
        ({"done": 1, "failed": 3, "skipped": 2}, False),
        ({"failed": 1, "skipped": 2}, True),
        ({"done": 1, "skipped": 2}, False),
        ({"skipped": 2}, False),
        ({}, False),
    ],
)
def test_one_module_that_reverie_fails_at_decides_no_run(
    steps: dict[str, int], is_so: bool
) -> None:
    assert failed_everywhere({"steps": steps}) is is_so
