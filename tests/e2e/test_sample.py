"""The sample repository is made the same every time, and is what lies in `examples`."""

import filecmp
import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture(scope="module")
def history() -> ModuleType:
    place = Path(__file__).parents[2] / "examples" / "sample_history.py"
    spec = importlib.util.spec_from_file_location("sample_history", place)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["sample_history"] = module
    spec.loader.exec_module(module)
    return module


def test_its_past_is_the_same_every_time(history: ModuleType, tmp_path: Path) -> None:
    assert history.make_sample(tmp_path / "one") == history.make_sample(tmp_path / "two")


def test_its_last_commit_is_the_bundled_files(
    history: ModuleType, tmp_path: Path, root: Path
) -> None:
    history.make_sample(tmp_path / "made")
    bundled = root / "examples" / "sample_repo"
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=tmp_path / "made", capture_output=True, text=True, check=True
    )
    names = [name for name in listed.stdout.split("\0") if name]
    there = [
        path.relative_to(bundled).as_posix()
        for path in bundled.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    ]
    assert sorted(names) == sorted(there)
    assert filecmp.cmpfiles(bundled, tmp_path / "made", names, shallow=False)[0] == names


def test_its_past_has_what_a_ranking_needs(history: ModuleType) -> None:
    assert len({commit.author for commit in history.PAST}) >= 3
    assert sum(commit.message.startswith("Fix") for commit in history.PAST) >= 5
    days = [commit.day for commit in history.PAST]
    assert days == sorted(days)
