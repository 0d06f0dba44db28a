"""What schedulers are told, and the diary of the nights."""

import shlex
import subprocess
from datetime import datetime, time
from pathlib import Path

import pytest

from reverie.cycle.scheduler_entries import (
    Diary,
    NightRecord,
    Schedule,
    called_as,
    cron_lines,
    find_block,
    last_due,
    parse_time,
    service_text,
    timer_text,
    told_time,
    with_block,
    without_block,
)
from reverie.errors import UsageError


def schedule_of(place: Path, at: time = time(2, 5), program: str = "/bin/reverie") -> Schedule:
    return Schedule(place, at, (program,), place / ".reverie" / "night.log")


SCHEDULE = schedule_of(Path("/home/me/my shop"))
NOW = datetime.fromisoformat("2026-03-01T12:00:00+00:00")


@pytest.mark.parametrize(
    ("given", "found"), [("02:00", time(2)), ("9:05", time(9, 5)), ("23:59", time(23, 59))]
)
def test_a_time_is_read(given: str, found: time) -> None:
    assert parse_time(given) == found


@pytest.mark.parametrize(
    "given",
    ["", "2", "24:00", "12:60", "2am", "02:00:00", "-1:00", "2:0\N{ARABIC-INDIC DIGIT ZERO}"],
)
def test_anything_else_is_a_usage_error(given: str) -> None:
    with pytest.raises(UsageError, match="like 02:00"):
        parse_time(given)


@pytest.mark.parametrize(
    ("now", "due"),
    [("2026-03-01T12:00", "2026-03-01T02:05"), ("2026-03-01T01:00", "2026-02-28T02:05"),
     ("2026-03-01T02:05", "2026-03-01T02:05")],
)  # fmt: skip
def test_the_night_that_is_due(now: str, due: str) -> None:
    moment = datetime.fromisoformat(f"{now}+01:00")
    assert last_due(time(2, 5), moment) == datetime.fromisoformat(f"{due}+01:00")


def test_a_crontab_gets_the_night_once_and_loses_it_again() -> None:
    mine = "# mine\nMAILTO=me\n5 4 * * * backup\n"
    once = with_block(mine, SCHEDULE)
    assert once.startswith(mine)
    place, log = "'/home/me/my shop'", "'/home/me/my shop/.reverie/night.log'"
    line = f"/bin/reverie nightly run --time 02:05 --repo {place}"
    assert f"\n5 2 * * * {line} >>{log} 2>&1\n" in once
    assert f"\n*/30 * * * * {line} --missed >>{log} 2>&1\n" in once
    assert with_block(once, SCHEDULE) == once
    assert told_time(find_block(once, SCHEDULE.repository) or "") == "02:05"
    assert without_block(once, SCHEDULE.repository) == mine
    assert without_block(mine, SCHEDULE.repository) == mine


def test_two_repositories_do_not_touch_each_other() -> None:
    other = schedule_of(Path("/home/me/my shop/inner"), time(3))
    both = with_block(with_block("", SCHEDULE), other)
    assert without_block(both, other.repository) == with_block("", SCHEDULE)
    assert find_block(without_block(both, SCHEDULE.repository), SCHEDULE.repository) is None


def test_a_crontab_without_a_last_newline_and_a_torn_block() -> None:
    assert with_block("1 1 * * * x", SCHEDULE).startswith("1 1 * * * x\n# >>>")
    torn = with_block("", SCHEDULE).rpartition("# <<<")[0]
    with pytest.raises(UsageError, match="without its end"):
        with_block(torn, SCHEDULE)


@pytest.mark.parametrize(
    "name", ["a b", "50%", "it's", 'q"q', "$HOME", "`id`", "x;y", "back\\slash"]
)
def test_a_shell_reads_the_line_of_cron_as_it_is_meant(name: str, tmp_path: Path) -> None:
    schedule = schedule_of(tmp_path / name, time(2), "/bin/echo")
    schedule.log.parent.mkdir(parents=True)
    line = cron_lines(schedule)[1].removeprefix("0 2 * * * ")
    as_cron_passes_it = line.replace("\\%", "%")
    for _ in range(2):
        subprocess.run(["/bin/sh", "-c", as_cron_passes_it], check=True)
    assert schedule.log.read_text() == 2 * (" ".join(schedule.command[1:]) + "\n")
    assert "%" not in line.replace("\\%", "")


def test_a_name_of_two_lines_cannot_be_scheduled() -> None:
    with pytest.raises(UsageError, match="line break"):
        cron_lines(schedule_of(Path("/a\n* * * * * evil")))


def test_reverie_is_called_by_its_own_program_where_it_has_one(tmp_path: Path) -> None:
    python, script = tmp_path / "python", tmp_path / "reverie"
    assert called_as(str(python)) == (str(python), "-m", "reverie")
    script.touch(mode=0o755)
    assert called_as(str(python)) == (str(script),)


def test_units_say_when_and_what_and_catch_up() -> None:
    odd = schedule_of(Path('/o %h/$x/"q"'))
    service, timer = service_text(odd), timer_text(odd)
    assert 'ExecStart="/bin/reverie" "nightly" "run"' in service
    assert 'StandardOutput=append:/o %%h/$x/"q"/.reverie/night.log\n' in service
    assert '"/o %%h/$$x/\\"q\\""' in service
    assert "OnCalendar=*-*-* 02:05:00\nPersistent=true" in timer
    assert told_time(service) == "02:05"
    assert shlex.quote(odd.unit) == odd.unit
    assert odd.unit != SCHEDULE.unit


def test_the_diary_keeps_the_last_night(tmp_path: Path) -> None:
    diary = Diary(tmp_path, 3, 1000)
    assert diary.last() is None
    record = NightRecord(NOW.isoformat(), NOW.isoformat(), 0, "c1")
    diary.note(record)
    assert diary.last() == record
    for broken in (
        "",
        "[]",
        '{"began_at": 3}',
        '{"began_at": "x", "ended_at": null, "exit_code": 0, "cycle_id": null}',
    ):
        (tmp_path / "nightly" / "state.json").write_text(broken)
        assert diary.last() is None


def test_the_log_rotates_and_only_so_many_stay(tmp_path: Path) -> None:
    diary = Diary(tmp_path, 3, 200)
    for number in range(60):
        diary.write(f"line {number}\nof one", NOW)
    names = sorted(each.name for each in tmp_path.iterdir())
    assert names == ["night.log", "night.log.1", "night.log.2", "night.log.3"]
    lines = (tmp_path / "night.log").read_text().splitlines()
    assert lines[-1] == "2026-03-01T12:00:00+00:00 line 59 of one"
    assert all(each.stat().st_size < 300 for each in tmp_path.iterdir())
