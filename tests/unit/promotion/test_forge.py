import os
from collections.abc import Callable
from pathlib import Path

import pytest

from reverie.errors import GitFailed, Refused, UsageError
from reverie.promotion.forge import open_request, push
from reverie.promotion.git import Git
from reverie.promotion.promoter import Offer

BRANCH = "reverie/2026-11-15-1"


@pytest.fixture
def offered(scripted: Callable, promoter: Callable, dream_of: Callable, tmp_path: Path, now):  # type: ignore[no-untyped-def]
    """A repository with a promotion, an empty remote, and a configuration that names programs."""
    repository = scripted("shop")
    repository.commit("One", {"shop.py": "x = 1\n"})
    repository.git("init", "-q", "--bare", str(tmp_path / "remote.git"))
    repository.git("remote", "add", "origin", str(tmp_path / "remote.git"))
    promoter(repository.folder).promote(dream_of(repository.folder), Offer(now, BRANCH))
    program, mark = tmp_path / "program", tmp_path / "mark"
    program.write_text(f"#!/bin/sh\ntouch '{mark}'\nexit 1\n")
    program.chmod(0o755)
    with open(repository.folder / ".git/config", "a") as stream:
        stream.write(
            f"[core]\n sshCommand = {program}\n hooksPath = {tmp_path}\n"
            f"[credential]\n helper = !{program}\n"
            f'[remote "origin"]\n receivepack = {program}\n pushurl = ext::{program}\n'
            f'[url "ext::{program} "]\n pushInsteadOf = /\n'
        )
    (tmp_path / "pre-push").symlink_to(program)
    return repository, mark


def git_of(repository) -> Git:  # type: ignore[no-untyped-def]
    found = Git.find(repository.folder)
    assert found is not None
    return found


def test_only_the_branch_is_pushed_and_nothing_of_the_repository_is_run(
    offered, tmp_path: Path
) -> None:
    repository, mark = offered
    remote = str(tmp_path / "remote.git")
    assert push(git_of(repository), BRANCH, "origin") == remote
    assert not mark.exists()
    listed = repository.git("ls-remote", "--heads", f"file://{remote}")
    assert listed.split("\t")[1] == f"refs/heads/{BRANCH}"
    assert repository.git("rev-parse", BRANCH) in listed


def test_a_shallow_clone_can_push(
    offered, promoter: Callable, dream_of: Callable, tmp_path: Path, now
) -> None:
    repository, _ = offered
    repository.commit("Two", {"shop.py": "x = 2\n"})
    shallow = tmp_path / "shallow"
    repository.git("clone", "-q", "--depth=1", f"file://{repository.folder}", str(shallow))
    promoter(shallow).promote(dream_of(shallow, "other"), Offer(now, "reverie/two"))
    git = Git.find(shallow)
    assert git is not None
    push(git, "reverie/two", f"file://{repository.folder}")
    assert repository.git("rev-parse", "reverie/two")


@pytest.mark.parametrize(
    ("remote", "error"),
    [
        ("nowhere", UsageError),
        ("evil", Refused),
        ("dashed", Refused),
        ("/nonexistent/remote.git", GitFailed),
    ],
)
def test_addresses_that_are_none_are_refused(offered, remote: str, error: type[Exception]) -> None:
    repository, mark = offered
    with open(repository.folder / ".git/config", "a") as stream:
        stream.write(f'[remote "evil"]\n url = ext::touch {mark}\n')
        stream.write('[remote "dashed"]\n url = --upload-pack=touch\n')
    with pytest.raises(error):
        push(git_of(repository), BRANCH, remote)
    assert not mark.exists()


@pytest.mark.parametrize(
    ("address", "program", "words"),
    [
        ("https://user:secret@github.com/ada/shop.git", "gh", ["pr", "create"]),
        ("git@gitlab.com:ada/shop.git", "glab", ["mr", "create"]),
    ],
)
def test_the_forge_s_own_program_is_asked(
    offered, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str, program: str, words
) -> None:
    repository, _ = offered
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / program).write_text(
        f'#!/bin/sh\nprintf "%s\\n" "$@" > "{tmp_path}/asked"\npwd >> "{tmp_path}/asked"\n'
        f"echo https://forge/1\n"
    )
    (tools / program).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}{os.pathsep}{os.environ['PATH']}")
    answer = open_request(git_of(repository), BRANCH, address, "Test\nthe cart", "Because")
    asked = (tmp_path / "asked").read_text().splitlines()
    assert answer == "https://forge/1"
    assert asked[:2] == words
    assert BRANCH in asked
    assert "Test the cart" in asked
    assert "secret" not in " ".join(asked)
    assert not Path(asked[-1]).is_relative_to(repository.folder)


def test_without_the_program_it_says_so(
    offered, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    repository, _ = offered
    git = git_of(repository)
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "git").symlink_to("/usr/bin/git")
    monkeypatch.setenv("PATH", str(tools))
    with pytest.raises(UsageError, match="'gh' is not there"):
        open_request(git, BRANCH, "https://github.com/ada/shop", "Title", "Body")
