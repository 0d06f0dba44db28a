import os
import stat
from pathlib import Path

import pytest

from reverie.sandbox.inside import wipe


def empty(folder: Path, at_most: int = wipe.ENTRIES_AT_MOST) -> None:
    wipe.empty(str(folder), 0o700, at_most=at_most)


def test_everything_goes(tmp_path: Path) -> None:
    (tmp_path / "a" / "b" / "c").mkdir(parents=True)
    (tmp_path / "a" / "b" / "file").write_text("x")
    (tmp_path / ".hidden").write_text("x")
    os.mkfifo(tmp_path / "fifo")
    os.mkdir(os.fsencode(tmp_path) + b"/\xff\n")
    empty(tmp_path)
    assert os.listdir(tmp_path) == []


def test_an_empty_folder_stays_one(tmp_path: Path) -> None:
    empty(tmp_path)
    assert os.listdir(tmp_path) == []


def test_closed_folders_go(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b" / "c"
    inner.mkdir(parents=True)
    for path in (inner, inner.parent, inner.parent.parent):
        path.chmod(0)
    empty(tmp_path)
    assert os.listdir(tmp_path) == []


def test_a_tree_deeper_than_a_path_may_be_long_goes(tmp_path: Path) -> None:
    here = os.open(tmp_path, os.O_RDONLY)
    for _ in range(1200):
        os.mkdir("d" * 40, dir_fd=here)
        inner = os.open("d" * 40, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inner
    os.close(here)
    empty(tmp_path)
    assert os.listdir(tmp_path) == []


def test_links_are_removed_not_followed(tmp_path: Path) -> None:
    outside, folder = tmp_path / "outside", tmp_path / "folder"
    (outside / "kept").mkdir(parents=True)
    folder.mkdir()
    (folder / "to-folder").symlink_to(outside)
    (folder / "to-nothing").symlink_to("nowhere")
    (folder / "to-itself").symlink_to("to-itself")
    (folder / "inner").mkdir()
    (folder / "inner" / "up").symlink_to("../..")
    empty(folder)
    assert os.listdir(folder) == []
    assert (outside / "kept").is_dir()
    assert stat.S_IMODE(outside.stat().st_mode) != 0o700 or os.listdir(outside) == ["kept"]


def test_names_that_look_like_ours_do_no_harm(tmp_path: Path) -> None:
    for number in range(12):
        (tmp_path / f".parked-{number}" / f".parked-{number * 100_000}" / "x").mkdir(parents=True)
    (tmp_path / "a" / ".parked-100000").mkdir(parents=True)
    empty(tmp_path)
    assert os.listdir(tmp_path) == []


def test_too_much_is_given_up(tmp_path: Path) -> None:
    for number in range(20):
        (tmp_path / str(number)).touch()
    with pytest.raises(wipe.TooDirty):
        empty(tmp_path, at_most=10)


def test_too_much_in_one_folder_below_is_given_up_or_removed(tmp_path: Path) -> None:
    for number in range(20):
        (tmp_path / "a" / str(number)).mkdir(parents=True)
    with pytest.raises(wipe.TooDirty):
        empty(tmp_path, at_most=10)


def test_the_folder_itself_carries_no_message(tmp_path: Path) -> None:
    try:
        os.setxattr(tmp_path, "user.message", b"hello")
    except OSError:
        pass  # this file system has no attributes
    os.utime(tmp_path, (987654321, 987654321))
    tmp_path.chmod(0o751)
    empty(tmp_path)
    facts = tmp_path.stat()
    assert stat.S_IMODE(facts.st_mode) == 0o700
    assert (facts.st_mtime, facts.st_atime) == (0, 0)
    assert "user.message" not in os.listxattr(tmp_path)
