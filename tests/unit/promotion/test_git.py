import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from reverie.errors import GitFailed, NoRepository, UsageError
from reverie.promotion.git import Git, GitLimits
from reverie.promotion.history import changed_since, read_blobs, read_history

PROGRAM = "touch '{mark}'; cat /dev/null"
HOSTILE = """
[core]
    fsmonitor = {program}
    hooksPath = {folder}/hooks
    pager = {program}
    sshCommand = {program}
    attributesFile = {folder}/attributes
    alternateRefsCommand = {program}
    worktree = /etc
[diff]
    external = {program}
[diff "evil"]
    command = {program}
    textconv = {program}
[filter "evil"]
    clean = {program}
    smudge = {program}
    process = {program}
    required = true
[log]
    showSignature = true
[gpg]
    program = {program}
[pager]
    log = {program}
[alias]
    log = !{program}
    ls-files = !{program}
[credential]
    helper = !{program}
[remote "origin"]
    url = ext::sh -c {program}
    promisor = true
    partialclonefilter = blob:none
[extensions]
    partialClone = origin
[protocol "ext"]
    allow = always
"""


def git_of(folder: Path) -> Git:
    found = Git.find(folder)
    assert found is not None
    return found


def test_nothing_that_a_repository_names_is_run(
    scripted: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = scripted()
    base = repository.commit("one", {"a.py": "x = 1\n", ".gitattributes": "*.py diff=evil\n"})
    repository.commit("two", {"a.py": "x = 2\n"})
    repository.write({"a.py": "x = 3\n", ".gitattributes": "*.py diff=evil filter=evil\n"})
    mark = tmp_path / "mark"
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\n{PROGRAM.format(mark=mark)}\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    hooks = repository.folder / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    for name in ("post-index-change", "reference-transaction", "fsmonitor-watchman"):
        (hooks / name).symlink_to(program)
    config = HOSTILE.format(program=program, folder=tmp_path)
    with open(repository.folder / ".git" / "config", "a") as stream:
        stream.write(config)
    for name in ("GIT_EXTERNAL_DIFF", "GIT_PAGER", "PAGER", "GIT_SSH_COMMAND"):
        monkeypatch.setenv(name, str(program))
    git = git_of(repository.folder)
    history = read_history(git, 10)
    assert history is not None
    assert [len(commit.touches) for commit in history.commits] == [1, 1]
    assert dict(read_blobs(git, [history.commits[0].touches[0].blobs.new])) != {}
    assert dict(read_blobs(git, ["0" * 39 + "1"])) == {}
    assert [file.path for file in changed_since(git, base)] == ["a.py"]
    assert not mark.exists()
    repository.git("-c", f"core.worktree={repository.folder}", "status")
    assert mark.exists(), "the trap itself does not work"


def test_the_host_s_own_settings_do_not_matter(
    scripted: Callable, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    repository = scripted()
    repository.commit("one", {"a.py": "x = 1\n"})
    (tmp_path / ".gitconfig").write_text("[diff]\n  renames = false\n[log]\n  date = broken\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("GIT_DIR", "/nonexistent")
    monkeypatch.setenv("GIT_INDEX_FILE", "/nonexistent")
    assert read_history(git_of(repository.folder), 10) is not None


def test_names_of_files_may_be_any_bytes(scripted: Callable) -> None:
    repository = scripted()
    names = [b"new\nline.py", b"tab\t\xff.py", b" blank .py", '"quoted"é.py'.encode(), b"-x.py"]
    for name in names:
        (repository.folder / os.fsdecode(name)).write_text("x = 1\n")
    base = repository.commit("odd names")
    (commit,) = read_history(git_of(repository.folder), 10).commits  # type: ignore[union-attr]
    spelled = {name.decode("utf-8", "backslashreplace") for name in names}
    assert {touch.path for touch in commit.touches} == spelled
    for name in names:
        (repository.folder / os.fsdecode(name)).write_text("x = 1\ny = 2\n")
    changed = changed_since(git_of(repository.folder), base)
    assert {file.path for file in changed} == spelled
    assert {file.lines for file in changed} == {frozenset({2})}


def test_a_message_cannot_pretend_to_be_a_commit(scripted: Callable) -> None:
    repository = scripted()
    message = "\x01" + "a" * 40 + "\n\n:100644 100644 " + "b" * 40 + " " + "c" * 40 + " M\nevil.py"
    sha = repository.commit(message, {"a.py": "x = 1\n"})
    history = read_history(git_of(repository.folder), 10)
    assert history is not None
    assert [commit.sha for commit in history.commits] == [sha]
    assert [touch.path for touch in history.commits[0].touches] == ["a.py"]
    assert history.commits[0].message == message


def test_a_rename_says_where_the_file_came_from(scripted: Callable) -> None:
    repository = scripted()
    repository.commit("one", {"a.py": "x = 1\ny = 2\nz = 3\n"})
    repository.git("mv", "a.py", "b.py")
    repository.commit("two", {"b.py": "x = 1\ny = 2\nz = 4\n"}, day=1)
    history = read_history(git_of(repository.folder), 10)
    assert history is not None
    (touch,) = history.commits[0].touches
    assert (touch.path, touch.previous_path, touch.kind) == ("b.py", "a.py", "renamed")
    assert touch.blobs is not None
    assert dict(read_blobs(git_of(repository.folder), [touch.blobs.old])) == {
        touch.blobs.old: b"x = 1\ny = 2\nz = 3\n"
    }


def test_more_commits_than_wanted_are_cut_and_said(scripted: Callable) -> None:
    repository = scripted()
    for number in range(3):
        repository.commit(str(number), {"a.py": f"x = {number}\n"}, day=number)
    history = read_history(git_of(repository.folder), 2)
    assert history is not None
    assert [commit.subject for commit in history.commits] == ["2", "1"]
    assert history.is_truncated
    assert not read_history(git_of(repository.folder), 3).is_truncated  # type: ignore[union-attr]


def test_a_shallow_clone_is_known_as_one(scripted: Callable, tmp_path: Path) -> None:
    repository = scripted()
    for number in range(3):
        repository.commit(str(number), {"a.py": f"x = {number}\n"}, day=number)
    repository.git("clone", "-q", "--depth=1", f"file://{repository.folder}", str(tmp_path / "b"))
    history = read_history(git_of(tmp_path / "b"), 10)
    assert history is not None
    assert history.is_shallow
    assert [commit.is_root for commit in history.commits] == [True]


def test_contents_that_a_partial_clone_lacks_are_not_fetched(
    scripted: Callable, tmp_path: Path
) -> None:
    repository = scripted()
    repository.commit("one", {"a.py": "x = 1\ny = 2\nz = 3\n"})
    repository.git("mv", "a.py", "b.py")
    repository.commit("two", {"b.py": "x = 1\ny = 2\nz = 4\n"}, day=1)
    repository.git("config", "uploadpack.allowFilter", "true")
    clone = ("clone", "-q", "--filter=blob:none", "--no-checkout")
    repository.git(*clone, f"file://{repository.folder}", str(tmp_path / "b"))
    history = read_history(git_of(tmp_path / "b"), 10)
    assert history is not None
    assert history.only_exact_renames
    kinds = [touch.kind for touch in history.commits[0].touches]
    assert sorted(kinds) == ["added", "deleted"]


def test_before_the_first_commit_there_is_no_history(scripted: Callable) -> None:
    assert read_history(git_of(scripted().folder), 10) is None


def test_no_repository_is_none(tmp_path: Path) -> None:
    assert Git.find(tmp_path) is None


def test_a_repository_of_somebody_else_around_us_is_not_asked(
    scripted: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = scripted()
    inner = repository.folder / "inner"
    inner.mkdir()
    assert Git.find(inner) is not None
    real = os.lstat
    other = os.stat_result((0o40755, 1, 1, 1, 12_345, 12_345, 0, 0, 0, 0))
    monkeypatch.setattr(
        os, "lstat", lambda path: other if str(path).endswith(".git") else real(path)
    )
    assert Git.find(inner) is None


def test_a_bare_repository_has_a_history_too(scripted: Callable, tmp_path: Path) -> None:
    repository = scripted()
    sha = repository.commit("one", {"a.py": "x = 1\n"})
    repository.git("clone", "-q", "--bare", str(repository.folder), str(tmp_path / "bare"))
    git = git_of(tmp_path / "bare")
    assert git.is_bare
    assert read_history(git, 10).head == sha  # type: ignore[union-attr]


def test_below_the_root_paths_are_relative_to_the_folder(scripted: Callable) -> None:
    repository = scripted()
    base = repository.commit("one", {"inner/a.py": "x = 1\n", "outer.py": "x = 1\n"})
    git = git_of(repository.folder / "inner")
    (commit,) = read_history(git, 10).commits  # type: ignore[union-attr]
    assert [touch.path for touch in commit.touches] == ["a.py"]
    repository.write({"inner/a.py": "x = 2\n", "outer.py": "x = 2\n"})
    assert [file.path for file in changed_since(git, base)] == ["a.py"]


@pytest.mark.parametrize(
    "revision", ["nothing", "--all", "-n1", "", "HEAD:a.py", "a\0b", "main..x"]
)
def test_what_is_no_commit_is_named(scripted: Callable, revision: str) -> None:
    repository = scripted()
    repository.commit("one", {"a.py": "x = 1\n"})
    with pytest.raises(UsageError, match="no such revision"):
        changed_since(git_of(repository.folder), revision)


def test_only_what_changed_since_the_branches_parted_counts(scripted: Callable) -> None:
    repository = scripted()
    text = "".join(f"x{n} = {n}\n" for n in range(5))
    repository.commit("base", {"a.py": text, "b.py": text, "c.py": text})
    repository.git("checkout", "-q", "-b", "topic")
    repository.commit("ours", {"a.py": text.replace("x2 = 2", "x2 = 22")}, day=1)
    repository.git("checkout", "-q", "main")
    repository.commit("theirs", {"b.py": text + "y = 1\n"}, day=2)
    repository.git("checkout", "-q", "topic")
    repository.git("mv", "c.py", "moved.py")
    repository.write({"new.py": "n = 1\n", "notes.txt": "no Python\n"})
    found = {file.path: file.lines for file in changed_since(git_of(repository.folder), "main")}
    assert found == {"a.py": {3}, "new.py": {1}}


def test_a_link_out_of_the_repository_is_not_read(scripted: Callable, tmp_path: Path) -> None:
    repository = scripted()
    base = repository.commit("one", {"a.py": "x = 1\n"})
    (tmp_path / "secret.py").write_text("password = 1\n")
    (repository.folder / "link.py").symlink_to(tmp_path / "secret.py")
    assert changed_since(git_of(repository.folder), base) == ()


def test_git_may_not_run_or_talk_for_ever(scripted: Callable) -> None:
    repository = scripted()
    repository.commit("one", {"a.py": "x = 1\n" * 1000})
    with pytest.raises(GitFailed, match="more than 100 bytes"):
        read_history(Git(repository.folder, repository.folder, GitLimits(10, 100)), 10)
    os.mkfifo(repository.folder / "pipe")  # git waits for whoever writes into it
    with pytest.raises(GitFailed, match=r"no end after 0\.1 s"):
        Git(repository.folder, repository.folder, GitLimits(0.1)).run("hash-object", "pipe")


def test_a_failure_of_git_is_told_in_a_line(scripted: Callable) -> None:
    with pytest.raises(GitFailed, match=r"^git cat-file: fatal: [^\n]+$"):
        git_of(scripted().folder).run("cat-file", "blob", "nothing")


def test_what_git_cannot_work_in_is_said_of_the_folder(scripted: Callable) -> None:
    repository = scripted()
    repository.commit("one", {"a.py": "x = 1\n"})
    (repository.folder / ".git" / "HEAD").write_text("nonsense")
    with pytest.raises(
        NoRepository, match=r"cannot be read as a git repository: its \.git is damaged"
    ) as told:
        git_of(repository.folder).run("ls-files")
    assert told.value.exit_code == 2


def test_one_person_with_two_addresses_is_one_author(scripted: Callable) -> None:
    repository = scripted()
    repository.commit("one", {"a.py": "x = 1\n"}, author="Ada")
    mailmap = "Ada <ada@example.org> <lovelace@example.org>\n"
    repository.commit("two", {"a.py": "x = 2\n", ".mailmap": mailmap}, author="Lovelace")
    history = read_history(git_of(repository.folder), 10)
    assert history is not None
    assert {commit.author for commit in history.commits} == {"Ada <ada@example.org>"}


def test_a_repository_of_longer_names_is_read_as_well(scripted: Callable) -> None:
    repository = scripted()
    repository.git("init", "-q", "--object-format=sha256", "-b", "main", "long")
    repository.folder = repository.folder / "long"
    base = repository.commit("one", {"a.py": "x = 1\n", "b.py": "y = 1\n"})
    assert len(base) == 64
    repository.commit("two", {"a.py": "x = 2\n"}, day=1)
    git = git_of(repository.folder)
    history = read_history(git, 10)
    assert history is not None
    assert [len(commit.touches) for commit in history.commits] == [1, 2]
    assert [file.path for file in changed_since(git, base)] == ["a.py"]
