import hashlib
import os
from collections.abc import Callable

import pytest

from reverie.model.change import Change
from reverie.promotion.applying import apply_patch, aside, own_index, write_change
from reverie.promotion.git import Git
from reverie.promotion.patch import change_between, change_to_working_tree, patch_of
from reverie.promotion.trees import tree_of


def git_of(repository) -> Git:  # type: ignore[no-untyped-def]
    found = Git.find(repository.folder)
    assert found is not None
    return found


def edits(change: Change) -> dict[str, tuple[str | None, str | None, str | None]]:
    return {
        each.path: (each.renamed_from, each.mode_before, each.mode_after) for each in change.edits
    }


@pytest.fixture
def shop(scripted: Callable):  # type: ignore[no-untyped-def]
    repository = scripted()
    text = "".join(f"line {number}\n" for number in range(20))
    repository.commit(
        "One",
        {
            "moved.py": text,
            'odd é\n"name".py': "x = 1\n",
            "raw.bin": bytes(range(256)) * 8,
            "tool.sh": "#!/bin/sh\n",
            "gone.py": "x = 1\n",
            "crlf.txt": b"a\r\nb\r\n",
            "turned": "a file\n",
        },
    )
    os.symlink("moved.py", repository.folder / "link")
    repository.commit("Two")
    return repository


def work_on(shop) -> None:  # type: ignore[no-untyped-def]
    text = (shop.folder / "moved.py").read_text()
    os.remove(shop.folder / "moved.py")
    os.remove(shop.folder / "gone.py")
    os.remove(shop.folder / "link")
    os.remove(shop.folder / "turned")
    os.symlink("tool.sh", shop.folder / "link")
    os.symlink("tool.sh", shop.folder / "turned")
    (shop.folder / "tool.sh").chmod(0o755)
    shop.write(
        {
            "new place/moved.py": text + "one more",
            'odd é\n"name".py': "x = 2\n",
            "raw.bin": bytes(range(255)) * 8,
            "empty": "",
            "crlf.txt": b"a\r\nb\r\nc\r\n",
        }
    )


EXPECTED = {
    "crlf.txt": (None, "100644", "100644"),
    "empty": (None, None, "100644"),
    "gone.py": (None, "100644", None),
    "link": (None, "120000", "120000"),
    "new place/moved.py": ("moved.py", "100644", "100644"),
    'odd é\n"name".py': (None, "100644", "100644"),
    "raw.bin": (None, "100644", "100644"),
    "tool.sh": (None, "100644", "100755"),
    "turned": (None, "100644", "120000"),
}


def test_a_change_between_revisions_has_renames_modes_links_and_binaries(shop) -> None:
    work_on(shop)
    shop.commit("Three")
    change = change_between(git_of(shop), "HEAD~1", "HEAD")
    assert edits(change) == EXPECTED
    assert [each.path for each in change.edits if each.is_binary] == ["raw.bin"]
    by_path = {each.path: each for each in change.edits}
    assert by_path["link"].after == "tool.sh"
    assert by_path["new place/moved.py"].lines_added == 1


def test_the_working_tree_gives_the_same_before_it_is_committed(shop, snapshot: Callable) -> None:
    work_on(shop)
    before = snapshot(shop.folder)
    objects = sorted((shop.folder / ".git/objects").rglob("*"))
    change = change_to_working_tree(git_of(shop), "HEAD")
    assert snapshot(shop.folder) == before
    assert sorted((shop.folder / ".git/objects").rglob("*")) == objects
    shop.commit("Three")
    assert change == change_between(git_of(shop), "HEAD~1", "HEAD")


def test_the_patch_and_the_change_make_the_same_tree(shop) -> None:
    work_on(shop)
    shop.commit("Three")
    git = git_of(shop)
    change = change_between(git, "HEAD~1", "HEAD")
    start, end = tree_of(git, "HEAD~1"), tree_of(git, "HEAD")
    with own_index(git) as own:
        assert write_change(own, start, change) == end
    with aside(git) as own:
        assert apply_patch(own, start, patch_of(change)) == end


def test_ignored_files_are_no_change_and_a_nested_repository_is_none(
    shop, scripted: Callable
) -> None:
    shop.commit("Ignore", {".gitignore": "*.log\n"})
    shop.write({"a.log": "x", "inner/b.log": "y"})
    nested = scripted("scripted/nested")
    nested.commit("Nested", {"n.py": "x"})
    assert change_to_working_tree(git_of(shop), "HEAD").edits == ()


def test_line_endings_of_the_checkout_are_no_change(shop) -> None:
    shop.commit("Text", {"text.py": "a = 1\nb = 2\n"})
    shop.write({"text.py": b"a = 1\r\nb = 2\r\n"})
    assert change_to_working_tree(git_of(shop), "HEAD").edits == ()
    shop.write({"text.py": b"a = 1\r\nb = 3\r\n"})
    (edit,) = change_to_working_tree(git_of(shop), "HEAD").edits
    assert edit.after == "a = 1\nb = 3\n"


def test_what_large_file_storage_puts_in_place_is_no_change(shop) -> None:
    content = b"\x00" * 5000
    digest = hashlib.sha256(content).hexdigest()
    pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{digest}\nsize 5000\n"
    shop.commit("Pointer", {"large.bin": pointer})
    shop.write({"large.bin": content})
    assert change_to_working_tree(git_of(shop), "HEAD").edits == ()
    shop.write({"large.bin": content + b"\x01"})
    assert [each.path for each in change_to_working_tree(git_of(shop), "HEAD").edits] == [
        "large.bin"
    ]


def test_a_sparse_checkout_deletes_nothing(shop) -> None:
    shop.commit("More", {"kept/a.py": "a", "left/b.py": "b"})
    shop.git("sparse-checkout", "set", "--cone", "kept")
    assert not (shop.folder / "left").exists()
    assert change_to_working_tree(git_of(shop), "HEAD").edits == ()


def test_a_folder_that_became_a_link_is_not_followed(shop, tmp_path) -> None:  # type: ignore[no-untyped-def]
    shop.commit("More", {"inner/a.py": "a"})
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "a.py").write_text("secret")
    os.remove(shop.folder / "inner/a.py")
    (shop.folder / "inner").rmdir()
    os.symlink(secret, shop.folder / "inner")
    change = change_to_working_tree(git_of(shop), "HEAD")
    assert "secret" not in {each.after for each in change.edits}
    assert {each.path for each in change.edits} == {"inner", "inner/a.py"}


def test_a_submodule_that_moved_is_a_change(shop, scripted: Callable) -> None:
    inner = scripted("inner")
    first = inner.commit("One", {"i.py": "1"})
    shop.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner.folder), "sub")
    shop.commit("Submodule")
    assert change_to_working_tree(git_of(shop), "HEAD").edits == ()
    second = inner.commit("Two", {"i.py": "2"})
    shop.git("-C", "sub", "-c", "protocol.file.allow=always", "pull", "-q")
    with open(shop.folder / ".git/config", "a") as stream:
        stream.write('[diff]\n ignoreSubmodules = all\n[submodule "sub"]\n ignore = all\n')
    (edit,) = change_to_working_tree(git_of(shop), "HEAD").edits
    assert (edit.before, edit.after) == (
        f"Subproject commit {first}\n",
        f"Subproject commit {second}\n",
    )
    assert edit.mode_after == "160000"


def test_below_the_root_only_what_is_there_counts(shop) -> None:
    shop.commit("More", {"packages/one/a.py": "a", "packages/two/b.py": "b"})
    shop.write({"packages/one/a.py": "A", "packages/two/b.py": "B"})
    inner = Git.find(shop.folder / "packages/one")
    assert inner is not None
    change = change_to_working_tree(inner, "HEAD")
    assert change.paths == ("a.py",)
    shop.commit("Both")
    assert change_between(inner, "HEAD~1", "HEAD") == change


def test_modes_that_the_file_system_does_not_know_are_no_change(shop) -> None:
    shop.git("config", "core.fileMode", "false")
    (shop.folder / "tool.sh").chmod(0o755)
    assert change_to_working_tree(git_of(shop), "HEAD").edits == ()


def test_before_the_first_commit_everything_is_new(scripted: Callable) -> None:
    empty = scripted("empty")
    empty.write({"a.py": "x = 1\n"})
    assert change_to_working_tree(git_of(empty), None).paths == ("a.py",)
    empty.commit("One")
    assert change_between(git_of(empty), None, "HEAD").paths == ("a.py",)


@pytest.mark.parametrize(
    ("patch", "reason"),
    [
        (b"--- a/none.py\n+++ b/none.py\n@@ -1 +1 @@\n-a\n+b\n", "does not apply"),
        (b"--- a/../x\n+++ b/../x\n@@ -0,0 +1 @@\n+b\n", "does not apply"),
        (b"--- /dev/null\n+++ b/.git/config\n@@ -0,0 +1 @@\n+b\n", "does not apply"),
        (b"no patch at all", "does not apply"),
    ],
)
def test_a_patch_that_does_not_fit_is_refused(shop, patch: bytes, reason: str) -> None:
    from reverie.errors import Refused

    git = git_of(shop)
    with aside(git) as own, pytest.raises(Refused, match=reason):
        apply_patch(own, tree_of(git, "HEAD"), patch)
