import subprocess
from pathlib import Path

import pytest

from reverie.errors import UsageError
from reverie.promotion.git import Git
from reverie.promotion.patches import apply_patch
from reverie.promotion.revisions import TreeFile, change_between, read_tree, read_working_tree


def git(folder: Path, *arguments: str) -> bytes:
    line = ["git", "-c", "user.name=A", "-c", "user.email=a@example.org", *arguments]
    return subprocess.run(line, cwd=folder, check=True, capture_output=True).stdout


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    folder.mkdir()
    lines = "".join(f"line {n}\n" for n in range(30))
    (folder / "a.py").write_text(lines)
    (folder / "b.py").write_text("x = 1\ny = 2\nz = 3\n")
    (folder / "end.py").write_text("no newline")
    git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "one")
    return folder


CHANGES = {
    "edit": {"a.py": "".join(f"line {n if n not in (3, 20) else 'x'}\n" for n in range(30))},
    "new": {"deep/c.py": "c = 1\n"},
    "delete": {"b.py": None},
    "rename": {"b.py": None, "moved.py": "x = 1\ny = 2\nz = 4\n"},
    "ending": {"end.py": "a newline\n", "b.py": "x = 1\ny = 2\nz = 3"},
    "front": {"a.py": "first\n" + "".join(f"line {n}\n" for n in range(30))},
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_patch_gives_what_git_has(repository: Path, name: str, tmp_path: Path) -> None:
    for path, text in CHANGES[name].items():
        place = repository / path
        if text is None:
            place.unlink()
        else:
            place.parent.mkdir(exist_ok=True)
            place.write_text(text)
    found = Git.find(repository)
    assert found is not None
    base = read_tree(found, "HEAD")
    on_disk = read_working_tree(found)
    git(repository, "add", "-A")
    patch = tmp_path / "change.diff"
    patch.write_bytes(git(repository, "diff", "--cached", "-M", "HEAD"))
    git(repository, "commit", "-qm", "two")
    head = read_tree(found, "HEAD")
    assert on_disk == head
    assert apply_patch(base, str(patch)) == head
    renamed = [edit.renamed_from for edit in change_between(base, head).edits]
    assert renamed == (["b.py"] if name == "rename" else [None] * len(CHANGES[name]))


@pytest.mark.parametrize(
    "text",
    [
        "nothing of the kind\n",
        "--- a/none.py\n+++ b/none.py\n@@ -1 +1 @@\n-a\n+b\n",
        "--- a/b.py\n+++ b/b.py\n@@ -1 +1 @@\n-other\n+b\n",
        "--- a/b.py\n+++ b/b.py\n@@ -1,3 +1,3 @@\n-x = 1\n",
    ],
)
def test_a_patch_that_does_not_fit_is_refused(text: str, tmp_path: Path) -> None:
    patch = tmp_path / "x.diff"
    patch.write_text(text)
    with pytest.raises(UsageError):
        apply_patch({"b.py": TreeFile("100644", b"x = 1\ny = 2\nz = 3\n")}, str(patch))
