"""`reverie nightly` through the command line, with stand-ins for the schedulers' own programs.

The stand-ins keep what they are given in a file, as `crontab` does, and write down what they were
asked: a person's real crontab is no place for a test.
"""

import json
import os
import shutil
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from reverie.promotion.scratch import held_alone

CRONTAB = """#!/bin/sh
case "$1" in
-l) [ -f "{file}" ] && cat "{file}" || {{ echo "no crontab for me" >&2; exit 1; }} ;;
-) cat > "{file}" ;;
*) exit 2 ;;
esac
"""
SYSTEMCTL = """#!/bin/sh
echo "$@" >> "{file}"
[ "$1" = --user ]
"""


def program(folder: Path, name: str, text: str) -> None:
    folder.mkdir(exist_ok=True)
    place = folder / name
    place.write_text(text)
    place.chmod(place.stat().st_mode | stat.S_IXUSR)


@pytest.fixture
def prepared(cli: Callable, repository: Path) -> Path:
    assert cli("init", "--repo", str(repository)).code == 0
    return repository


@pytest.fixture
def cron(tmp_path: Path) -> dict[str, str]:
    program(tmp_path / "bin", "crontab", CRONTAB.format(file=tmp_path / "crontab.txt"))
    (tmp_path / "crontab.txt").write_text("# mine\n1 1 * * * mine\n")
    return {"PATH": f"{tmp_path / 'bin'}:/usr/bin:/bin", "HOME": str(tmp_path)}


def test_cron_gets_the_night_and_loses_it(
    cli: Callable, prepared: Path, tmp_path: Path, cron: dict[str, str]
) -> None:
    def nightly(*arguments: str) -> object:
        return cli("nightly", *arguments, "--json", "--repo", str(prepared), environ=cron)

    file = tmp_path / "crontab.txt"
    before = file.read_text()
    dry = nightly("install", "--scheduler", "cron", "--time", "03:30", "--dry-run")
    assert (dry.code, file.read_text()) == (0, before)
    done = nightly("install", "--scheduler", "cron", "--time", "03:30")
    assert done.document["written"] == dry.document["written"]
    assert file.read_text() == before + done.document["written"]
    log = nightly("status").document["log"]
    assert log == str(prepared.resolve() / ".reverie" / "night.log")
    assert done.document["written"].count(f" >>{log} 2>&1\n") == 2
    seen = nightly("status").document
    assert (seen["schedulers"], seen["time"], seen["last"], seen["missed"]) == (
        ["cron"],
        "03:30",
        None,
        False,
    )
    nightly("install", "--scheduler", "cron", "--time", "04:00")
    assert file.read_text().count("# >>> reverie nightly") == 1
    gone = nightly("uninstall")
    assert (gone.code, gone.document["removed"]) == (0, ["cron"])
    assert file.read_text() == before
    assert (nightly("uninstall").code, nightly("status").code) == (1, 1)


def test_a_systemd_timer_is_taken_where_a_users_systemd_answers(
    cli: Callable, prepared: Path, tmp_path: Path, cron: dict[str, str]
) -> None:
    program(tmp_path / "bin", "systemctl", SYSTEMCTL.format(file=tmp_path / "asked"))
    ran = cli("nightly", "install", "--json", "--repo", str(prepared), environ=cron)
    assert (ran.code, ran.document["scheduler"]) == (0, "systemd")
    units = sorted((tmp_path / ".config" / "systemd" / "user").iterdir())
    assert [each.suffix for each in units] == [".service", ".timer"]
    asked = (tmp_path / "asked").read_text()
    assert "--user daemon-reload\n" in asked
    assert f"--user enable --now {units[1].name}\n" in asked
    ran = cli("nightly", "uninstall", "--json", "--repo", str(prepared), environ=cron)
    assert ran.document["removed"] == ["systemd"]
    assert f"disable --now {units[1].name}" in (tmp_path / "asked").read_text()
    assert not list((tmp_path / ".config" / "systemd" / "user").iterdir())


def test_a_machine_without_a_scheduler_says_so(
    cli: Callable, prepared: Path, tmp_path: Path
) -> None:
    environ = {"PATH": str(tmp_path / "nothing"), "HOME": str(tmp_path)}
    ran = cli("nightly", "install", "--repo", str(prepared), environ=environ)
    assert (ran.code, ran.out) == (1, "")
    assert "neither a user's systemd nor crontab" in ran.err
    assert "0 2 * * * " in ran.err  # what another scheduler has to run, in the same answer


@pytest.mark.parametrize(
    ("arguments", "why"),
    [(("install", "--time", "25:00"), "02:00"), (("install", "--time", "soon"), "02:00")],
)
def test_a_wrong_time_is_one_line(
    cli: Callable, prepared: Path, cron: dict[str, str], arguments: tuple[str, ...], why: str
) -> None:
    ran = cli("nightly", *arguments, "--repo", str(prepared), environ=cron)
    assert (ran.code, ran.out) == (2, "")
    assert why in ran.err


def test_a_repository_has_to_be_prepared(
    cli: Callable, repository: Path, cron: dict[str, str]
) -> None:
    for verb in ("install", "run"):
        ran = cli("nightly", verb, "--repo", str(repository), environ=cron)
        assert ran.code == 2
        assert "run `reverie init`" in ran.err


def test_a_night_runs_into_its_log_and_is_missed_no_more(cli: Callable, prepared: Path) -> None:
    shutil.rmtree(prepared / ".git")
    (prepared / "pyproject.toml").write_text("")
    (prepared / "shop.py").write_text("PRICE = 2\n")
    at = ("--time", "00:00", "--repo", str(prepared), "--json")
    ran = cli("nightly", "run", "--missed", "--budget", "5s", *at)
    assert (ran.code, ran.document["ran"]) == (0, True), ran
    log = (prepared / ".reverie" / "night.log").read_text()
    assert "the night begins" in log
    assert f"cycle {ran.document['last']['cycle_id']} finished" in log
    again = cli("nightly", "run", "--missed", *at)
    assert (again.code, again.document["ran"]) == (0, False)
    state = json.loads((prepared / ".reverie" / "nightly" / "state.json").read_text())
    assert state["exit_code"] == 0


def test_two_nights_at_once_are_one(cli: Callable, prepared: Path) -> None:
    with held_alone(f"night {prepared.resolve()}", "a night", 0.0):
        ran = cli("nightly", "run", "--repo", str(prepared))
    assert ran.code == 1
    assert "a night is under way" in ran.err


def test_a_night_that_cannot_work_says_so_in_its_log(cli: Callable, prepared: Path) -> None:
    (prepared / "no").write_text("a file, where a folder would have to be")
    environ = {"REVERIE_JOURNAL_URL": f"sqlite:///{prepared}/no/such/folder/x.db", **os.environ}
    ran = cli("nightly", "run", "--repo", str(prepared), environ=environ)
    assert ran.code == 3
    assert "failed: " in (prepared / ".reverie" / "night.log").read_text()
