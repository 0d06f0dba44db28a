"""What pages say, on a journal that holds what nobody should have written."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.unit.interfaces.cli.test_promotion_commands import journaled
from tests.unit.interfaces.web.conftest import Door

from reverie.interfaces.web.charts import COUNTS, Point, line_chart, stacked_bar
from reverie.interfaces.web.rendering import coloured, diff_lines, make_environment, side_by_side
from reverie.model.change import Change, FileEdit
from reverie.model.cycle import Proven, Sighting
from reverie.model.dream import DreamKind, Stage
from reverie.model.outcome import TestOutcome
from reverie.promotion.bundle.keys import own_key
from reverie.promotion.trial_tree import read_source
from reverie.store import ExecutionRecorder, Journal, journal_url
from reverie.store.cycles.cycles import CycleWriter
from reverie.testing.fakes import finished, proven_dream

OLD, NEW = "def total(p):\n    return sum(list(p))\n", "def total(p):\n    return sum(p)\n"
HOSTILE = "<script>alert(1)</script>\x1b[31m\u202eevil\u2066"
CYCLE = "20261115-0300-abcd"


@pytest.fixture
def shop(scripted: Callable):  # type: ignore[no-untyped-def]
    repository = scripted("shop")
    repository.commit("One", {"cart.py": OLD, ".gitignore": ".reverie/\n"})
    return repository


@pytest.fixture
def faster(shop) -> Proven:
    change = Change((FileEdit("cart.py", OLD, NEW, mode_before="100644", mode_after="100644"),))
    proven = proven_dream(
        change,
        read_source(shop.folder),
        title=f"Sum without a list {HOSTILE}",
        kind=DreamKind.OPTIMISATION,
        stage=Stage.C,
        needs=("2 approvals by different people",),
    )
    journaled(shop.folder, proven)
    return proven


def key_of(folder: Path, name: str) -> bytes:
    own_key(folder / name)
    return (folder / name / "key.pem").read_bytes()


def decide(door: Door, proven: Proven, deed: str, name: str, key: bytes, why: str = ""):  # type: ignore[no-untyped-def]
    """As the account whose key of ssh's it is."""
    lay_key(door, key)
    place = f"/cycles/{CYCLE}/dreams/{proven.dream.id}"
    form = {"word": door.word(), "name": name, "why": why}
    browser = door.browser()
    answer = browser.post(f"{place}/{deed}", data=form)
    return answer, browser.get(place).text


def lay_key(door: Door, key: bytes) -> None:
    file = Path(door.desk.environ["HOME"]) / ".ssh" / "id_ed25519"
    file.parent.mkdir(exist_ok=True)
    file.touch(0o600)
    file.write_bytes(key)


def test_two_keys_approve_and_one_key_never_counts_twice(
    shop, faster, open_door: Callable[..., Door], tmp_path: Path
) -> None:
    door = open_door(shop.folder)
    ada, bob = key_of(tmp_path, "ada"), key_of(tmp_path, "bob")
    answer, page = decide(door, faster, "approve", "Ada", ada)
    assert (answer.status_code, "1 of 2 approvals" in page) == (303, True)
    for name, key in (("Bob", ada), ("Ada", bob), ("tests", bob)):
        answer, page = decide(door, faster, "approve", name, key)
        assert (answer.status_code, "1 of 2 approvals" in page) == (409, True)
    answer, page = decide(door, faster, "approve", "Bob", bob)
    assert (answer.status_code, "2 of 2 approvals" in page) == (303, True)
    assert f"reverie promote {faster.dream.id}" in page


@pytest.mark.parametrize("key", [b"", b"no key", b"-----BEGIN PRIVATE KEY-----\n", b"x" * 9000])
def test_what_is_no_key_signs_nothing(
    shop, faster, open_door: Callable[..., Door], key: bytes
) -> None:
    answer, page = decide(open_door(shop.folder), faster, "approve", "Ada", key)
    assert answer.status_code in (404, 409)
    assert "Traceback" not in answer.text
    assert "0 of 2 approvals" in page


def test_a_rejected_dream_says_by_whom_and_cannot_be_approved(
    shop, faster, cli: Callable, open_door: Callable[..., Door], tmp_path: Path
) -> None:
    door = open_door(shop.folder)
    ada = key_of(tmp_path, "ada")
    answer, page = decide(door, faster, "reject", "Ada", ada, "the loop was clearer")
    assert answer.status_code == 303
    assert "the loop was clearer" in page
    assert "/approve" not in page
    assert decide(door, faster, "reject", "Ada", ada)[0].status_code == 409
    line = ("reject", faster.dream.id, "--as", "Ada", "--repo", str(shop.folder))
    assert cli(*line, "--key", str(tmp_path / "ada" / "key.pem")).code == 1


def test_a_promotion_is_taken_back_under_a_signature(
    shop, faster, cli: Callable, open_door: Callable[..., Door], tmp_path: Path
) -> None:
    door = open_door(shop.folder)
    for name in ("Ada", "Bob"):
        decide(door, faster, "approve", name, key_of(tmp_path, name))
    home = {"HOME": str(tmp_path)}
    line = ("promote", faster.dream.id, "--repo", str(shop.folder), "--json")
    branch = cli(*line, environ=home).document["branch"]
    answer, page = decide(door, faster, "rollback", "Ada", key_of(tmp_path, "Ada"), "too clever")
    assert answer.status_code == 303, answer.text
    assert "rolled back" in page
    assert "too clever" in page
    assert branch not in shop.git("branch", "--list", branch)
    again, _ = decide(door, faster, "rollback", "Ada", key_of(tmp_path, "Ada"))
    assert again.status_code == 409


def test_no_key_is_taken_over_the_wire(shop, faster, open_door: Callable[..., Door]) -> None:
    browser, place = open_door(shop.folder).browser(), f"/cycles/{CYCLE}/dreams/{faster.dream.id}"
    assert 'type="file"' not in browser.get(place).text
    answer = browser.post(f"{place}/reject", data={"name": "Ada"}, files={"key": ("key", b"x")})
    assert answer.status_code == 400


def test_without_a_key_of_ones_own_nothing_is_approved_but_all_can_be_rejected(
    shop, faster, open_door: Callable[..., Door]
) -> None:
    door = open_door(shop.folder)
    browser, place = door.browser(), f"/cycles/{CYCLE}/dreams/{faster.dream.id}"
    page = browser.get(place).text
    assert "ssh-keygen -t ed25519" in page
    assert f'action="{place}/approve"' not in page
    form = {"word": door.word(), "name": "Ada", "why": "not now"}
    assert browser.post(f"{place}/approve", data=form).status_code == 409
    assert browser.post(f"{place}/reject", data=form).status_code == 303
    assert "not now" in browser.get(place).text


@pytest.mark.parametrize("options", [{"is_read_only": True}, {"can_sign": False}])
def test_nothing_is_decided_where_nothing_may_be(
    shop, faster, open_door: Callable[..., Door], tmp_path: Path, options: dict[str, bool]
) -> None:
    door = open_door(shop.folder, **options)
    for deed in ("approve", "reject", "rollback"):
        answer, page = decide(door, faster, deed, "Ada", key_of(tmp_path, "ada"))
        assert answer.status_code == 409
        assert 'method="post"' not in page.partition("<main")[2]


def test_hostile_texts_are_spelt_out_on_every_page(
    shop, faster, open_door: Callable[..., Door]
) -> None:
    with Journal.open(journal_url(shop.folder)) as journal, ExecutionRecorder(journal) as recorder:
        writer = CycleWriter(journal, CYCLE)
        from reverie.model.cycle import Step

        step = Step(0, "tests", HOSTILE, "x.py", "0" * 16)
        writer.dreamt(
            step, [], [Sighting(HOSTILE, HOSTILE, {"input": HOSTILE, HOSTILE: "x" * (1 << 20)})]
        )
        code = f"# {HOSTILE}\nx = '{'A' * (1 << 20)}'\n"
        recorder(*finished(1, code=code, outcome=TestOutcome.RUNTIME_ERROR, message=HOSTILE))
    browser = open_door(shop.folder).browser()
    place = f"/cycles/{CYCLE}/dreams/{faster.dream.id}"
    execution = finished(1)[1].id
    for path in (
        "/",
        "/cycles",
        f"/cycles/{CYCLE}",
        "/dreams",
        place,
        f"{place}?view=split",
        f"{place}/evidence",
        "/executions",
        f"/executions/{execution}",
        "/patterns",
        "/findings",
        "/modules",
        "/map",
        "/approvals",
        "/search?q=script",
    ):
        page = browser.get(path)
        assert page.status_code == 200, (path, page.text[-300:])
        assert "<script>alert" not in page.text, path
        assert not {"\x1b", "\u202e", "\u2066"} & set(page.text), path
        assert len(page.text) < 200_000, path


def test_a_repository_without_a_journal_says_so(repository: Path, open_door: Callable) -> None:
    browser = open_door(repository).browser()
    for path in ("/", "/dreams", "/figures"):
        answer = browser.get(path)
        assert (answer.status_code, "Nothing has run yet" in answer.text) == (200, True)
    assert not (repository / ".reverie").exists()


def test_filters_stay_in_the_address_and_a_wrong_one_is_said(
    shop, faster, open_door: Callable[..., Door]
) -> None:
    browser = open_door(shop.folder).browser()
    page = browser.get("/dreams?status=tested&q=LIST").text
    assert "Sum without a list" in page
    assert '<option value="tested" selected>' in page
    assert "Sum without" not in browser.get("/dreams?status=promoted").text.partition("<main")[2]
    for wrong in (
        "/dreams?status=nope",
        "/executions?since=now",
        "/dreams?after=1",
        "/executions?after=x~y",
        "/cycles?state=x",
        "/dreams?q=" + "x" * 300,
    ):
        assert browser.get(wrong).status_code == 404, wrong


def test_whatever_a_template_prints_is_inert() -> None:
    template = make_environment().from_string(
        "<p title='{{ x }}'>{{ x }}{{ x ~ 'y' }}{{ [x] }}</p>"
    )
    page = template.render(x=HOSTILE + "'\"")
    assert "<script" not in page
    assert "\u202e" not in page
    assert page.count("'") == 2


def test_colours_keep_every_character_of_the_code() -> None:
    import re

    source = 'def f(x: int) -> str:\n    """Say\n    it."""\n    return f"{x!r}" + \'\\\'\'  # 1\n'
    lines = list(coloured(source))
    plain = "\n".join(re.sub(r"<[^>]+>", "", str(line)) for line in lines)
    import html

    assert html.unescape(plain) == source
    assert '<b class="k">def</b>' in lines[0]
    assert '<b class="s">    it.&quot;&quot;&quot;</b>' in lines[2]


def test_a_difference_has_its_numbers_on_both_sides() -> None:
    change = Change((FileEdit("a.py", "a\nb\nc\n", "a\nB\nB2\nc\n"),))
    lines = list(diff_lines(change.diff()))
    seen = [(line.kind, line.old, line.new) for line in lines if line.kind != "at"]
    assert seen == [("", 1, 1), ("del", 2, None), ("add", None, 2), ("add", None, 3), ("", 3, 4)]
    rows = [row for row in side_by_side(lines) if row.old is None or row.old.kind != "at"]
    assert [row.old is None for row in rows] == [False, False, True, False]


def test_plots_hold_with_nothing_one_and_flat_values() -> None:
    assert "polyline" in line_chart("x", [Point("a", 1.0)], COUNTS)
    assert "nan" not in line_chart("x", [Point("a", 0.0), Point("b", 0.0)], COUNTS)
    assert "nan" not in line_chart("x", [], COUNTS)
    assert stacked_bar([("good", "promoted", 0)]) == ""


def test_moments_are_told_in_utc() -> None:
    template = make_environment().from_string("{{ at | moment }}")
    assert "2026-11-15 03:00" in template.render(at=datetime(2026, 11, 15, 3, tzinfo=UTC))
