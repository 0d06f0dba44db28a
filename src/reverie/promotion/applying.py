"""A change put onto a tree, on top of earlier promotions, or taken out of it again.

Done with git's plumbing and an index of our own, or on files of our own. Nothing here reads or
writes the user's index, working tree or branches. Objects go into the repository only where the
caller wants them kept; `aside` keeps them out of it altogether. Changes of one file are stacked
where they do not meet; reverting is a three-way merge, file by file.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from reverie.errors import GitFailed, Refused
from reverie.model.change import Change, FileEdit, merged
from reverie.promotion.git import Git
from reverie.promotion.scratch import scratch_folder
from reverie.promotion.trees import (
    EXECUTABLE,
    FILE,
    SUBMODULE,
    SYMLINK,
    Entry,
    blob_name,
    contents,
    empty_tree,
    is_safe,
    path_bytes,
    read_tree,
    tree_of,
)

SUBPROJECT = "Subproject commit "


@contextmanager
def own_index(git: Git) -> Iterator[Git]:
    """The repository with an index of our own, empty and soon gone."""
    with scratch_folder(avoid=git.folder) as folder:
        yield git.with_variables({"GIT_INDEX_FILE": str(folder / "index")})


@contextmanager
def aside(git: Git) -> Iterator[Git]:
    """The repository with an index and new objects of our own: reading it writes nothing."""
    objects = git.common_dir / "objects"
    with scratch_folder(avoid=git.folder) as folder:
        (folder / "objects").mkdir()
        yield git.with_variables(
            {
                "GIT_INDEX_FILE": str(folder / "index"),
                "GIT_OBJECT_DIRECTORY": str(folder / "objects"),
                "GIT_ALTERNATE_OBJECT_DIRECTORIES": _quoted(objects),
            }
        )


def write_change(git: Git, tree: str, change: Change) -> str:
    """What git calls a tree with a change on it; `Refused` when the tree is not what it expects.

    `git` has an index of our own.
    """
    entries = read_tree(git, tree)
    lines = [line for edit in change.edits for line in _replace(git, entries, edit)]
    lines.sort(key=lambda line: not line[0].startswith(b"0 "))  # what goes makes room
    _require_no_file_is_a_folder(change, entries)
    git.run("read-tree", tree)
    prefix = path_bytes(git.prefix)
    listed = b"".join(b"%s\t%s%s\0" % (about, prefix, path) for about, path in lines)
    git.run("update-index", "-z", "--index-info", stdin=listed)
    return git.run("write-tree", "--missing-ok").decode("ascii").strip()


def apply_patch(git: Git, tree: str, patch: bytes) -> str:
    """What git calls a tree with a patch on it; `Refused` when the patch does not fit.

    `git` has an index of our own.
    """
    git.run("read-tree", tree)
    where = (f"--directory={git.prefix}",) if git.prefix else ()
    how = ("apply", "--cached", "--binary", "--whitespace=nowarn", "--no-ignore-whitespace")
    try:
        git.at_root().run(*how, *where, "-", stdin=patch)
    except GitFailed as error:
        raise Refused(f"the patch does not apply: {error}") from error
    return git.run("write-tree", "--missing-ok").decode("ascii").strip()


def apply_to_folder(folder: Path, change: Change) -> None:
    """Put a change onto plain files; `Refused`, before anything is written, when it cannot be."""
    gone = [_place(folder, old) for edit in change.edits if (old := _leaves(edit)) is not None]
    for edit in change.edits:
        _require_fits(folder, edit, frozenset(gone))
    for place in gone:
        place.unlink()
        _remove_emptied(place.parent, folder)
    for edit in change.edits:
        if edit.after is not None:
            _lay(_place(folder, edit.path), edit)


def _leaves(edit: FileEdit) -> str | None:
    """The path that an edit leaves empty."""
    if edit.before is None or (edit.after is not None and edit.renamed_from is None):
        return None
    return edit.renamed_from or edit.path


def _replace(git: Git, entries: dict[str, Entry], edit: FileEdit) -> Iterator[tuple[bytes, bytes]]:
    """What the index has to be told about one edit; `entries` follows."""
    _require_expected(entries, edit)
    old = edit.renamed_from or edit.path
    before = entries.pop(old, None)
    if before is not None and (edit.after is None or old != edit.path):
        yield b"0 " + b"0" * len(before.name), path_bytes(old)
    if edit.after is not None:
        mode = edit.mode_after or (before.mode if before else FILE)
        entry = Entry(mode, _write_content(git, edit.after, mode))
        entries[edit.path] = entry
        yield f"{entry.mode} {entry.name}".encode("ascii"), path_bytes(edit.path)


def _write_content(git: Git, text: str, mode: str) -> str:
    if mode == SUBMODULE:
        return text.removeprefix(SUBPROJECT).strip()
    if mode not in (FILE, EXECUTABLE, SYMLINK):
        raise Refused(f"no mode of a file: {mode!r}")
    written = git.run("hash-object", "-w", "--no-filters", "--stdin", stdin=path_bytes(text))
    return written.decode("ascii").strip()


def _require_expected(entries: Mapping[str, Entry], edit: FileEdit) -> None:
    old = edit.renamed_from or edit.path
    for path in (edit.path, old):
        if not is_safe(path):
            raise Refused(f"{path!r} is no path inside of a repository")
    entry = entries.get(old)
    is_there = edit.path in entries if edit.before is None or old != edit.path else False
    if is_there:
        raise Refused(f"{edit.path!r} is there already")
    if edit.before is None:
        return
    if entry is None:
        raise Refused(f"{old!r} is not there")
    is_same = _name_of(edit.before, entry) == entry.name
    if not is_same or edit.mode_before not in (None, entry.mode):
        raise Refused(f"{old!r} is not as the change expects it")


def _name_of(text: str, like: Entry) -> str:
    if like.mode == SUBMODULE:
        return text.removeprefix(SUBPROJECT).strip()
    return blob_name(path_bytes(text), like.name)


def _require_no_file_is_a_folder(change: Change, entries: Mapping[str, Entry]) -> None:
    folders = {
        "/".join(parts[:end])
        for parts in (path.split("/") for path in entries)
        for end in range(1, len(parts))
    }
    for edit in change.edits:
        parts = edit.path.split("/")
        above = ("/".join(parts[:end]) for end in range(1, len(parts)))
        if edit.after is not None and (edit.path in folders or any(up in entries for up in above)):
            raise Refused(f"{edit.path!r} would be a file and a folder at once")


def _require_fits(folder: Path, edit: FileEdit, gone: frozenset[Path]) -> None:
    """`gone`: what the whole change takes away."""
    old = edit.renamed_from or edit.path
    for path in {edit.path, old}:
        if not is_safe(path):
            raise Refused(f"{path!r} is no path inside of a repository")
    place, new = _place(folder, old), _place(folder, edit.path)
    for up in (up for each in (place, new) for up in each.parents if up.is_relative_to(folder)):
        is_kept = up not in gone or (edit.before is not None and up in place.parents)
        if up != folder and is_kept and (up.is_symlink() or up.is_file()):
            raise Refused(f"{edit.path!r} lies behind a link or a file")
    is_new = (edit.before is None or old != edit.path) and gone.isdisjoint(new.parents)
    if is_new and os.path.lexists(new) and not _is_emptied(new, gone):
        raise Refused(f"{edit.path!r} is there already")
    if edit.before is not None and _text_at(place) != edit.before:
        raise Refused(f"{old!r} is not as the change expects it")


def _is_emptied(place: Path, gone: frozenset[Path]) -> bool:
    if place.is_symlink() or not place.is_dir():
        return place in gone
    return all(inner in gone or _is_emptied(inner, gone) for inner in place.iterdir())


def _remove_emptied(place: Path, folder: Path) -> None:
    while place != folder and not any(place.iterdir()):
        place.rmdir()
        place = place.parent


def _place(folder: Path, path: str) -> Path:
    return folder / os.fsdecode(path_bytes(path))


def _text_at(place: Path) -> str | None:
    if place.is_symlink():
        content = os.fsencode(os.readlink(place))
    elif place.is_file():
        content = place.read_bytes()
    else:
        return None
    return content.decode("utf-8", "surrogateescape")


def _lay(place: Path, edit: FileEdit) -> None:
    content = path_bytes(edit.after or "")
    place.parent.mkdir(parents=True, exist_ok=True)
    is_link = edit.mode_after == SYMLINK or (edit.mode_after is None and place.is_symlink())
    if is_link or place.is_symlink():
        place.unlink(missing_ok=True)
    if is_link:
        os.symlink(os.fsdecode(content), place)
        return
    place.write_bytes(content)
    if edit.mode_after is not None:
        place.chmod(0o755 if edit.mode_after == EXECUTABLE else 0o644)


def _quoted(path: Path) -> str:
    """As git reads a list of folders: in quotes when the name holds a colon or a quote."""
    text = str(path)
    if ":" not in text and not text.startswith('"'):
        return text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def on_top(git: Git, tree: str, change: Change) -> Change:
    """The change as it reads on a tree in which its files may have changed elsewhere."""
    entries = read_tree(git, tree)
    wanted = {edit.path: entries[edit.path] for edit in change.edits if edit.path in entries}
    texts = {p: text.decode("utf-8", "surrogateescape") for p, text in contents(git, wanted)}
    return Change(tuple(_on_top(edit, texts.get(edit.path)) for edit in change.edits))


def _on_top(edit: FileEdit, text: str | None) -> FileEdit:
    if text is None or edit.before is None or edit.after is None or text == edit.before:
        return edit
    both = merged(edit.before, text, edit.after)
    if both is None:
        raise Refused(f"{edit.path!r} was changed at the same place by an earlier promotion")
    return replace(edit, before=text, after=both)


def reverted_tree(git: Git, commit: str, onto: str) -> str:
    """What git calls the tree of `onto` without what `commit` did; `Refused` on a conflict."""
    parent = git.find_commit(f"{commit}^")
    whole = git.at_root()
    did = read_tree(whole, tree_of(git, commit))
    undone = read_tree(whole, empty_tree(git) if parent is None else tree_of(git, parent))
    ours = read_tree(whole, tree_of(git, onto))
    with own_index(whole) as own:
        own.run("read-tree", tree_of(git, onto))
        lines = [
            _index_line(path, entry, onto) for path, entry in _replacements(own, did, undone, ours)
        ]
        own.run("update-index", "-z", "--index-info", stdin=b"".join(lines))
        return own.run("write-tree", "--missing-ok").decode("ascii").strip()


_Tree = dict[str, Entry]


def _replacements(
    git: Git, did: _Tree, undone: _Tree, ours: _Tree
) -> Iterator[tuple[str, Entry | None]]:
    for path in sorted({*did, *undone}):
        if did.get(path) == undone.get(path) or ours.get(path) == undone.get(path):
            continue
        if ours.get(path) == did.get(path):
            yield path, undone.get(path)
        else:
            yield path, _merged(git, path, did.get(path), undone.get(path), ours.get(path))


def _merged(
    git: Git, path: str, did: Entry | None, undone: Entry | None, ours: Entry | None
) -> Entry:
    """The file as it is now, without what was done to it."""
    if did is None or undone is None or ours is None or not did.mode == undone.mode == ours.mode:
        raise Refused(f"{path!r} was changed since: it cannot be rolled back by itself")
    texts = dict(contents(git, {"did": did, "undone": undone, "ours": ours}))
    with scratch_folder(avoid=git.folder) as folder:
        for name, content in texts.items():
            (folder / name).write_bytes(content)
        files = [str(folder / name) for name in ("ours", "did", "undone")]
        try:
            merged = git.run("merge-file", "-p", "-q", *files)
        except GitFailed:
            raise Refused(f"{path!r} was changed in the same lines since") from None
    how = ("hash-object", "-w", "--no-filters", "--stdin")
    return Entry(ours.mode, git.run(*how, stdin=merged).decode("ascii").strip())


def _index_line(path: str, entry: Entry | None, like: str) -> bytes:
    about = f"0 {'0' * len(like)}" if entry is None else f"{entry.mode} {entry.name}"
    return about.encode("ascii") + b"\t" + path_bytes(path) + b"\0"
