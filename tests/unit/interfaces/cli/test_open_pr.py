"""`--open-pr`: the text is always written; it is opened where that was asked and can be done."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reverie.errors import UsageError
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.views.cycles import offer_request, require_remote, show_request

BRANCH = "reverie/2026-11-18-1"


@pytest.fixture
def shop(scripted: Callable, tmp_path: Path) -> Any:
    made = scripted("shop")
    made.commit("One", {"shop.py": "x = 1\n"})
    made.git("branch", BRANCH)
    made.git("init", "-q", "--bare", str(tmp_path / "remote.git"))
    made.git("remote", "add", "origin", str(tmp_path / "remote.git"))
    return made


@pytest.fixture
def app(shop: Any) -> App:
    return App(environ={}, repo=str(shop.folder))


def document(**given: Any) -> dict[str, Any]:
    change = {
        "dream_id": "3f2a9c41d0e7b856",
        "kind": "test",
        "module": "shop",
        "title": "Test total",
        "files": ["tests/test_shop.py"],
        "trial": None,
    }
    made = {"cycle_id": "20261118-1", "branch": BRANCH, "promoted": [change], "found": []}
    return {**made, "baseline": {}, "result": None, **given}


def tools(folder: Path, monkeypatch: pytest.MonkeyPatch, **programs: str) -> None:
    folder.mkdir()
    (folder / "git").symlink_to("/usr/bin/git")
    for name, script in programs.items():
        (folder / name).write_text(f"#!/bin/sh\n{script}\n")
        (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))


def test_without_a_remote_it_is_a_file_and_a_line_to_open_it(
    app: App, shop: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    made = offer_request(app, document(), None)
    assert made is not None
    assert Path(made["file"]).read_text().startswith("1 commit: only test files")
    assert (made["pushed_to"], made["request"]) == (None, None)
    show_request(made, BRANCH)
    told = capsys.readouterr().out
    assert f"git push origin {BRANCH} && gh pr create --head {BRANCH}" in told
    assert made["file"] in told


def test_with_a_remote_it_is_pushed_and_opened(
    app: App, shop: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tools(tmp_path / "tools", monkeypatch, gh=f"/bin/cat > {tmp_path}/body; echo https://forge/1")
    made = offer_request(app, document(), "origin")
    assert made is not None
    assert made["request"] == "https://forge/1"
    assert (tmp_path / "body").read_text() == Path(made["file"]).read_text()
    monkeypatch.setenv("PATH", os.defpath)
    assert BRANCH in shop.git("ls-remote", "--heads", str(tmp_path / "remote.git"))


def test_without_the_program_it_says_so_and_the_text_is_there(
    app: App,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    tools(tmp_path / "tools", monkeypatch)
    made = offer_request(app, document(), "origin")
    assert made is not None
    assert made["request"] is None
    assert made["pushed_to"] == str(tmp_path / "remote.git")
    assert "not opened: the program 'gh' is not there" in capsys.readouterr().err
    assert Path(made["file"]).is_file()


def test_nothing_promoted_is_no_request(app: App, capsys: pytest.CaptureFixture[str]) -> None:
    assert offer_request(app, document(promoted=[]), "origin") is None
    assert "nothing was promoted" in capsys.readouterr().err


def test_a_remote_that_is_none_is_refused_before_a_night_is_spent(
    app: App, cli: Callable, shop: Any
) -> None:
    with pytest.raises(UsageError, match="nowhere"):
        require_remote(app, "nowhere")
    for line in (("--open-pr", "--push", "nowhere"), ("--push", "origin")):
        ran = cli("run", str(shop.folder), *line)
        assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
        assert not (Path(shop.folder) / ".reverie").exists()
