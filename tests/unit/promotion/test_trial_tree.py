import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from reverie.errors import MachineryError, Refused
from reverie.model.change import Change, FileEdit
from reverie.promotion import scratch
from reverie.promotion.git import Git
from reverie.promotion.scratch import held_alone, scratch_folder
from reverie.promotion.trees import contents, linked_files, read_tree, tree_of, with_links
from reverie.promotion.trial_tree import open_trial_tree, read_files, read_links


def files(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): (
            f"-> {os.readlink(path)}" if path.is_symlink() else path.read_bytes().decode("latin-1")
        )
        for path in sorted(folder.rglob("*"))
        if path.is_symlink() or path.is_file()
    }


@pytest.fixture
def shop(scripted: Callable):  # type: ignore[no-untyped-def]
    repository = scripted("the shop")
    repository.write({"a b.py": "x = 1\n", "crlf.txt": b"a\r\n", "tool": "#!/bin/sh\n"})
    (repository.folder / "tool").chmod(0o755)
    os.symlink("a b.py", repository.folder / "link")
    repository.commit("One", {".gitattributes": "*.py text eol=crlf filter=evil\n"})
    return repository


def test_a_revision_lies_outside_of_the_user_s_tree_and_is_gone_afterwards(shop) -> None:
    shop.write({"a b.py": "uncommitted\n", "new.py": "y = 1\n"})
    with open_trial_tree(shop.folder, "HEAD") as folder:
        assert not folder.is_relative_to(shop.folder)
        assert folder.name == "the shop"
        assert files(folder) == {
            ".gitattributes": "*.py text eol=crlf filter=evil\n",
            "a b.py": "x = 1\n",
            "crlf.txt": "a\r\n",
            "link": "-> a b.py",
            "tool": "#!/bin/sh\n",
        }
        assert os.access(folder / "tool", os.X_OK)
        (folder / "sealed").mkdir(mode=0o500)
    assert not folder.parent.exists()


def test_or_the_files_as_they_stand(shop) -> None:
    shop.write({"a b.py": "uncommitted\n", "new.py": "y = 1\n"})
    os.remove(shop.folder / "crlf.txt")
    with open_trial_tree(shop.folder) as folder:
        seen = files(folder)
    assert (seen["a b.py"], seen["new.py"]) == ("uncommitted\n", "y = 1\n")
    assert "crlf.txt" not in seen


def test_with_a_change_on_them(shop) -> None:
    change = Change(
        (
            FileEdit("a b.py", "x = 1\n", "x = 2\n", mode_before="100644", mode_after="100755"),
            FileEdit("dir/tool", "#!/bin/sh\n", "#!/bin/sh\n", "tool", "100755", "100755"),
            FileEdit("link", "a b.py", "dir/tool", None, "120000", "120000"),
        )
    )
    with open_trial_tree(shop.folder, "HEAD", change) as folder:
        seen = files(folder)
        assert os.access(folder / "a b.py", os.X_OK)
    assert seen["link"] == "-> dir/tool"
    assert seen["dir/tool"] == "#!/bin/sh\n"
    assert "tool" not in seen


@pytest.mark.parametrize(
    ("edit", "reason"),
    [
        (FileEdit("a b.py", "other", "x"), "expects"),
        (FileEdit("new.py", "x", "y"), "expects"),
        (FileEdit("tool", None, "x"), "there already"),
        (FileEdit("out/x.py", None, "x"), "behind a link"),
        (FileEdit("../x.py", None, "x"), "no path inside"),
        (FileEdit("out", "x", None), "expects"),
    ],
)
def test_a_change_that_does_not_fit_writes_nothing(shop, tmp_path: Path, edit, reason: str) -> None:
    os.symlink(tmp_path, shop.folder / "out")
    with pytest.raises(Refused, match=reason), open_trial_tree(shop.folder, None, Change((edit,))):
        pass
    assert not (tmp_path / "x.py").exists()


def test_a_folder_without_git_is_copied_without_its_caches(tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    for name in ("a.py", "pkg/b.py", "__pycache__/a.pyc", ".venv/pyvenv.cfg", ".venv/x.py"):
        (plain / name).parent.mkdir(parents=True, exist_ok=True)
        (plain / name).write_text("x")
    os.symlink("/etc/passwd", plain / "link")
    with open_trial_tree(plain) as folder:
        assert sorted(files(folder)) == ["a.py", "link", "pkg/b.py"]
    with pytest.raises(Refused, match="no git repository"), open_trial_tree(plain, "HEAD"):
        pass


def test_a_tree_made_by_hand_leads_nowhere(shop) -> None:
    blob = shop.git("hash-object", "-w", "a b.py")
    for name in ("..", ".git", ".GIT"):
        inner = subprocess.run(
            ["git", "mktree"], input=f"100644 blob {blob}\tx\n",
            cwd=shop.folder, text=True, capture_output=True, check=True,
        ).stdout.strip()  # fmt: skip
        raw = b"40000 " + name.encode() + b"\0" + bytes.fromhex(inner)
        tree = subprocess.run(
            ["git", "hash-object", "-w", "-t", "tree", "--literally", "--stdin"],
            input=raw, cwd=shop.folder, capture_output=True, check=True,
        ).stdout.decode().strip()  # fmt: skip
        commit = shop.git("commit-tree", tree, "-m", "hostile")
        with pytest.raises(Refused, match="no path inside"), open_trial_tree(shop.folder, commit):
            pass


KEEPER = """
import sys, time
from reverie.promotion.scratch import scratch_folder
with scratch_folder() as folder:
    (folder / "left").write_text("x")
    print(folder, flush=True)
    time.sleep(60)
"""


def test_what_a_dead_process_left_is_swept_and_what_a_living_one_has_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    keepers = [
        subprocess.Popen([sys.executable, "-c", KEEPER], stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    try:
        dead, living = (Path(each.stdout.readline().strip()) for each in keepers)
        keepers[0].send_signal(signal.SIGKILL)
        keepers[0].wait()
        assert (dead / "left").exists()
        with scratch_folder():
            assert not dead.exists()
            assert (living / "left").exists()
    finally:
        for each in keepers:
            each.kill()
            each.wait()
            each.stdout.close()


def test_the_scratch_is_never_inside_of_what_it_is_about(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with scratch_folder(avoid=tmp_path) as folder:
        assert not folder.is_relative_to(tmp_path)


def test_a_place_that_others_can_reach_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    (tmp_path / f"reverie-{os.getuid()}").mkdir(mode=0o755)
    with pytest.raises(MachineryError, match="only its user"), scratch_folder():
        pass


def test_two_do_not_hold_one_thing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    started = time.monotonic()
    with held_alone("shop", "a promotion", 1):
        with held_alone("other", "a promotion", 0):
            pass
        with pytest.raises(Refused, match="under way"), held_alone("shop", "a promotion", 0.1):
            pass
    with held_alone("shop", "a promotion", 0):
        assert time.monotonic() - started < 30
    assert scratch.sweep(tmp_path) == 0


def test_a_link_to_a_file_has_its_content_unless_that_is_left_out(scripted: Callable) -> None:
    repository = scripted()
    repository.commit("One", {"docs/coerce.py": "x = 1\n", "tests/test_a.py": "import coerce\n"})
    os.symlink("../docs/coerce.py", repository.folder / "tests/coerce.py")
    os.symlink("/etc/hostname", repository.folder / "outside")
    os.symlink("../../docs/coerce.py", repository.folder / "tests/above.py")
    repository.commit("Two")
    git = Git.find(repository.folder)
    assert git is not None
    entries = read_tree(git, tree_of(git, "HEAD"))
    found = dict(contents(git, entries))
    whole = linked_files(entries, found, ())
    assert sorted(whole) == ["docs/coerce.py", "tests/coerce.py", "tests/test_a.py"]
    assert whole["tests/coerce.py"] == b"x = 1\n"
    assert "tests/coerce.py" not in linked_files(entries, found, {"docs/coerce.py"})


def test_a_link_to_a_folder_has_its_files(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "tests").mkdir()
    (tmp_path / "data" / "rates.csv").write_text("1,2\n")
    os.symlink("../data", tmp_path / "tests" / "data")
    os.symlink("..", tmp_path / "tests" / "all")
    links = read_links(tmp_path)
    assert links == {"tests/data": "../data", "tests/all": ".."}
    whole = with_links(read_files(tmp_path), links, ())
    assert whole == {"data/rates.csv": b"1,2\n", "tests/data/rates.csv": b"1,2\n"}
    assert "tests/data/rates.csv" not in with_links(read_files(tmp_path), links, {"tests/data"})
