"""Which files are read, and what happens to those that cannot be."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from reverie.index import read_repository
from reverie.model.outcome import TrustTier
from reverie.model.sections import IndexSection, PathTier, SafetySection


def paths(index) -> list[str]:
    return [each.path for each in index.modules]


def test_folders_of_others_are_passed_over(indexed: Callable) -> None:
    index = indexed(
        {
            "a.py": "",
            ".hidden/b.py": "",
            "node_modules/c.py": "",
            "env/pyvenv.cfg": "",
            "env/d.py": "",
            "cache/CACHEDIR.TAG": "",
            "cache/e.py": "",
            "build/f.py": "",
            "pkg/build/__init__.py": "",
            "pkg/site-packages/g.py": "",
            "x.egg-info/h.py": "",
            "notes.txt": "",
        }
    )
    assert paths(index) == ["a.py", "pkg/build/__init__.py"]


def test_exclusions_are_a_setting(indexed: Callable) -> None:
    files = {"a.py": "", "old/b.py": "", "pkg/old/c.py": "", "pkg/gen_x.py": "", "build/d.py": ""}
    index = indexed(files, exclude=("/old", "gen_*.py"))
    assert paths(index) == ["a.py", "build/d.py", "pkg/old/c.py"]


def test_links_do_not_lead_out_nor_round_in_circles(indexed: Callable, tmp_path: Path) -> None:
    outside = tmp_path.parent / f"{tmp_path.name}-outside.py"
    outside.write_text("secret = 1\n")
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "loop").symlink_to(tmp_path)
    (tmp_path / "pkg" / "self.py").symlink_to("self.py")
    (tmp_path / "pkg" / "out.py").symlink_to(outside)
    (tmp_path / "pkg" / "gone.py").symlink_to("nowhere.py")
    (tmp_path / "pkg" / "inside.py").symlink_to("real.py")
    index = indexed({"pkg/real.py": "x = 1\n"})
    errors = {each.path: each.error for each in index.modules}
    assert errors["pkg/real.py"] is None
    assert errors["pkg/inside.py"] is None
    assert errors["pkg/out.py"] == "a link out of the repository"
    assert errors["pkg/gone.py"] == "cannot be read: No such file or directory"
    assert "Too many levels" in errors["pkg/self.py"]
    assert len(errors) == 5


def test_what_is_no_file_is_listed_and_never_opened(indexed: Callable, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "folder.py").mkdir()
    (tmp_path / "null.py").symlink_to("/dev/zero")
    index = indexed({"a.py": ""})
    assert {each.path: each.error for each in index.modules} == {
        "a.py": None,
        "null.py": "not a regular file",
        "pipe.py": "not a regular file",
    }


def test_a_name_that_is_no_text_is_shown_as_bytes(indexed: Callable, tmp_path: Path) -> None:
    try:
        with open(os.fsencode(tmp_path) + b"/caf\xe9.py", "wb") as file:
            file.write(b"x = 1\n")
    except OSError:
        pytest.skip("this file system has only names that are text")
    index = indexed({})
    assert paths(index) == ["caf\\xe9.py"]
    assert index.modules[0].error is None


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_what_may_not_be_read_is_listed(indexed: Callable, tmp_path: Path) -> None:
    (tmp_path / "locked.py").write_text("")
    (tmp_path / "locked.py").chmod(0)
    (tmp_path / "closed").mkdir(mode=0)
    index = indexed({"a.py": ""})
    assert {each.path: each.error for each in index.modules} == {
        "a.py": None,
        "locked.py": "cannot be read: Permission denied",
    }
    assert index.notes == ("closed: cannot be looked into: Permission denied",)


def test_a_file_over_the_limit_is_listed(indexed: Callable) -> None:
    index = indexed({"big.py": "#" * (1 << 20) + "\nx = 1\n"}, max_file_mb=1)
    assert index.modules[0].error == "1048583 bytes, more than the 1048576 that are read"


def test_an_empty_folder_is_an_empty_index(indexed: Callable) -> None:
    index = indexed({})
    assert (index.modules, index.edges) == ((), frozenset())


def test_tiers_go_by_path(tmp_path: Path) -> None:
    for name in ("core.py", "tests/test_a.py", "other.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    rules = (PathTier("tests/*", TrustTier.TESTING), PathTier("core.py", TrustTier.CORE))
    safety = SafetySection(paths=rules)
    index = read_repository(tmp_path, IndexSection(), safety.tier_of)
    assert {each.path: each.tier.value for each in index.modules} == {
        "core.py": "core",
        "other.py": "sandbox",
        "tests/test_a.py": "testing",
    }
    assert [each.is_test for each in index.modules] == [False, False, True]


def test_one_broken_file_leaves_the_others(indexed: Callable) -> None:
    index = indexed({"bad.py": "def (:\n", "good.py": "import bad\n\n\ndef f(): pass\n"})
    bad, good = index.modules
    assert bad.error == "line 1: invalid syntax"
    assert [each.name for each in good.functions] == ["f"]
    assert index.edges == {("good", "bad")}
