import importlib
from pathlib import Path

import pytest

children = importlib.import_module("reverie.instruments.mutation.inside.children")


def test_outside_a_sandbox_nothing_is_swept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    litter = children.Litter([])
    (tmp_path / "somebody's").write_text("work")
    litter.sweep()
    assert (tmp_path / "somebody's").exists()


def test_in_a_scratch_folder_of_ours_what_a_test_left_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scratch = tmp_path / "own"
    scratch.mkdir()
    (scratch / "before").write_text("")
    monkeypatch.setenv("TMPDIR", str(scratch))
    litter = children.Litter(["$TMPDIR"])
    (scratch / "left").mkdir()
    litter.sweep()
    assert [each.name for each in scratch.iterdir()] == ["before"]
