"""A change agrees with its patch and its files; of a proof, no byte can change."""

import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from reverie.model.change import Change, FileEdit
from reverie.promotion.applying import apply_patch, apply_to_folder, aside, write_change
from reverie.promotion.bundle.keys import own_key
from reverie.promotion.bundle.verification import Verifier
from reverie.promotion.bundle.writing import Sealing, read_environment, write_bundle
from reverie.promotion.git import Git
from reverie.promotion.patch import change_between_trees, patch_of
from reverie.promotion.trees import empty_tree
from reverie.promotion.trial_tree import export_tree, read_source
from reverie.testing.fakes import new_file, proven_dream

NAMES = st.text(st.characters(codec="utf-8", exclude_characters="/\0"), min_size=1, max_size=8)
PATHS = (
    st.lists(NAMES, min_size=1, max_size=3)
    .map("/".join)
    .filter(
        lambda path: (
            not any(
                part.lower().rstrip(". ") in ("", ".", "..", ".git", "git~1")
                for part in path.split("/")
            )
        )
    )
)
TEXTS = st.binary(max_size=60).map(lambda raw: raw.decode("utf-8", "surrogateescape")) | st.lists(
    st.sampled_from(["a\n", "b\n", "c\r\n", "d", "\n", "--- x\n", "+++ y\n"]), max_size=12
).map("".join)
LINKS = st.text(st.characters(codec="ascii", exclude_characters="\0"), min_size=1, max_size=9)
FILES = st.tuples(st.sampled_from(["100644", "100755"]), TEXTS) | st.tuples(
    st.just("120000"), LINKS
)
TREES = st.dictionaries(PATHS, FILES, max_size=5).filter(
    lambda tree: not any(one != two and two.startswith(f"{one}/") for one in tree for two in tree)
)

PLAIN = ("100644", "text\n")


@pytest.fixture(scope="module")
def git(tmp_path_factory: pytest.TempPathFactory) -> Git:
    folder = tmp_path_factory.mktemp("trees")
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    found = Git.find(folder)
    assert found is not None
    return found


def written(own: Git, tree: dict[str, tuple[str, str]]) -> str:
    edits = (FileEdit(path, None, text, mode_after=mode) for path, (mode, text) in tree.items())
    return write_change(own, empty_tree(own), Change(tuple(edits)))


@settings(max_examples=15)
@given(before=TREES, after=TREES)
@example(before={"a/b/c": PLAIN, "d": PLAIN}, after={"a": PLAIN, "d/e": PLAIN})
@example(before={"a": ("120000", "b"), "b/c": PLAIN}, after={"a/c": ("100644", "x"), "b": PLAIN})
@example(before={"a": PLAIN}, after={"a": ("120000", "x")})
def test_a_change_its_patch_and_its_files_agree(
    git: Git, tmp_path_factory: pytest.TempPathFactory, before: dict, after: dict
) -> None:
    with aside(git) as own:
        start, end = written(own, before), written(own, after)
        change = change_between_trees(own, start, end)
        assert write_change(own, start, change) == end
        if change.edits:
            assert apply_patch(own, start, patch_of(change)) == end
        folder, wanted = tmp_path_factory.mktemp("start"), tmp_path_factory.mktemp("end")
        export_tree(own, start, folder)
        export_tree(own, end, wanted)
    apply_to_folder(folder, change)
    assert laid(folder) == laid(wanted)


def laid(folder: Path) -> dict[str, tuple[int, bytes]]:
    return {
        str(path.relative_to(folder)): (
            path.lstat().st_mode,
            str(path.readlink()).encode() if path.is_symlink() else path.read_bytes(),
        )
        for path in folder.rglob("*")
        if path.is_symlink() or path.is_file()
    }


@pytest.fixture(scope="module")
def sealed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Verifier]:
    """A bundle with an archive of its source, and who trusts its key."""
    place = tmp_path_factory.mktemp("sealed")
    repository = place / "shop"
    subprocess.run(["git", "init", "-q", str(repository)], check=True)
    (repository / "cart.py").write_text("x = 1\n")
    author = ("-c", "user.name=a", "-c", "user.email=a@b.c")
    for line in (["add", "-A"], [*author, "commit", "-qm", "One"]):
        subprocess.run(["git", "-C", str(repository), *line], check=True)
    key = own_key(place / "config")
    proven = proven_dream(new_file("test_cart.py", "x = 1\n"), read_source(repository))
    sealing = Sealing(key, datetime(2026, 11, 15, tzinfo=UTC), read_environment(), "0.1.0", True)
    written = write_bundle(place / "bundles", proven, sealing, repository)
    return written.folder, Verifier((key.public,))


@given(data=st.data())
def test_a_bundle_with_any_byte_changed_is_refused(
    sealed: tuple[Path, Verifier], data: st.DataObject
) -> None:
    folder, verifier = sealed
    path = data.draw(st.sampled_from(sorted(folder.iterdir())))
    content = path.read_bytes()
    place = data.draw(st.integers(0, len(content) - 1))
    other = data.draw(st.integers(1, 255))
    try:
        path.write_bytes(content[:place] + bytes([content[place] ^ other]) + content[place + 1 :])
        answer = verifier.verify(folder)
    finally:
        path.write_bytes(content)
    assert not answer.accepted
    assert answer.reason
    assert verifier.verify(folder).accepted
