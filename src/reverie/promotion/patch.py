"""The change between two revisions or to the files as they stand; and a change as a patch.

A patch is one that `git apply` takes: modes, renames, links and binary files included.
"""

import base64
import zlib
from collections.abc import Iterator
from itertools import islice

from reverie.model.change import Change, FileEdit
from reverie.promotion.applying import SUBPROJECT, aside
from reverie.promotion.git import Git
from reverie.promotion.trees import (
    FILE,
    SUBMODULE,
    Entry,
    blob_name,
    contents,
    empty_tree,
    path_bytes,
    path_text,
    tree_of,
    write_working_tree,
)

_DIFF = (
    *("diff-tree", "-r", "-z", "--raw", "--no-abbrev", "--relative", "-M50%", "-l2000"),
    *("--no-ext-diff", "--no-textconv", "--ignore-submodules=none"),
)


def change_between(git: Git, base: str | None, head: str) -> Change:
    """What turns one revision into another; renames are found, modes and links are told.

    Without a base everything is new.
    """
    start = empty_tree(git) if base is None else tree_of(git, git.resolve(base))
    return change_between_trees(git, start, tree_of(git, git.resolve(head)))


def change_to_working_tree(git: Git, base: str | None) -> Change:
    """What turns a revision into the files as they stand: tracked ones, and new ones not ignored.

    The repository is only read. Line endings are those that the repository stores.
    """
    start = None if base is None else git.resolve(base)
    with aside(git) as own:
        before = empty_tree(own) if start is None else tree_of(own, start)
        return change_between_trees(own, before, write_working_tree(git, own))


def change_between_trees(git: Git, base: str, head: str) -> Change:
    """What turns one tree into another. `git` has the objects of both."""
    raw = git.run(*_DIFF, base, head).split(b"\0")
    found = list(_pairs(raw))
    texts = _texts(git, found)
    edits = (
        FileEdit(
            path=new or old,
            before=texts[before] if before else None,
            after=texts[after] if after else None,
            renamed_from=old if new and old != new else None,
            mode_before=before.mode if before else None,
            mode_after=after.mode if after else None,
        )
        for before, old, after, new in found
    )
    return Change(tuple(sorted(edits, key=lambda edit: edit.path)))


_Pair = tuple[Entry | None, str, Entry | None, str]


def _pairs(raw: list[bytes]) -> Iterator[_Pair]:
    """Entry and path before and after; a path is empty on the side that it is not on."""
    words = iter(raw)
    for about in words:
        if not about:
            continue
        old_mode, new_mode, old_name, new_name, status = about[1:].decode("ascii").split(" ")
        paths = [path_text(path) for path in islice(words, 2 if status[0] in "RC" else 1)]
        before = None if status[0] in "AC" else Entry(old_mode, old_name)
        after = None if status[0] == "D" else Entry(new_mode, new_name)
        yield before, paths[0], after, "" if after is None else paths[-1]


def _texts(git: Git, pairs: list[_Pair]) -> dict[Entry, str]:
    entries = {entry for before, _, after, _ in pairs for entry in (before, after) if entry}
    by_name = {f"{entry.mode} {entry.name}": entry for entry in entries}
    texts = {entry: f"{SUBPROJECT}{entry.name}\n" for entry in entries if entry.mode == SUBMODULE}
    for key, content in contents(git, by_name):
        texts[by_name[key]] = content.decode("utf-8", "surrogateescape")
    return texts


_LINE_BYTES = 52
_ESCAPES = {7: "a", 8: "b", 9: "t", 10: "n", 11: "v", 12: "f", 13: "r", 34: '"', 92: "\\"}


def patch_of(change: Change, like: str = "") -> bytes:
    """The change as git writes it. `like`: any name of an object of the repository it is for."""
    whole = (each for edit in change.edits for each in _of_one_type(edit))
    return b"".join(part for edit in whole for part in _edit(edit, like))


def _of_one_type(edit: FileEdit) -> Iterator[FileEdit]:
    """git has no patch that turns a file into a link: it goes, and the link comes."""
    before, after = edit.mode_before or FILE, edit.mode_after or edit.mode_before or FILE
    is_both = edit.before is not None and edit.after is not None
    if not is_both or before[:3] == after[:3]:
        yield edit
        return
    yield FileEdit(edit.renamed_from or edit.path, edit.before, None, mode_before=before)
    yield FileEdit(edit.path, None, edit.after, mode_after=after)


def _edit(edit: FileEdit, like: str) -> Iterator[bytes]:
    old = edit.renamed_from or edit.path
    yield b"diff --git %s %s\n" % (_quoted("a/", old), _quoted("b/", edit.path))
    yield "".join(f"{line}\n" for line in _modes(edit)).encode("ascii")
    if edit.renamed_from is not None:
        yield b"rename from %s\nrename to %s\n" % (_quoted("", old), _quoted("", edit.path))
    if edit.before == edit.after:
        return
    yield f"index {_name(edit.before, like)}..{_name(edit.after, like)}\n".encode("ascii")
    if edit.is_binary:
        yield b"GIT binary patch\n" + _literal(edit.after) + _literal(edit.before)
        return
    body = edit.hunks()
    if body:
        yield b"--- " + (b"/dev/null" if edit.before is None else _named("a/", old)) + b"\n"
        yield b"+++ " + (b"/dev/null" if edit.after is None else _named("b/", edit.path)) + b"\n"
        yield path_bytes(body)


def _modes(edit: FileEdit) -> Iterator[str]:
    before, after = edit.mode_before or FILE, edit.mode_after or edit.mode_before or FILE
    if edit.before is None:
        yield f"new file mode {after}"
    elif edit.after is None:
        yield f"deleted file mode {before}"
    elif before != after:
        yield f"old mode {before}"
        yield f"new mode {after}"


def _name(text: str | None, like: str) -> str:
    if text is None:
        return "0" * (len(like) or 40)
    return blob_name(path_bytes(text), like)


def _named(side: str, path: str) -> bytes:
    """The name in a header: a blank in it needs a tab behind it."""
    quoted = _quoted(side, path)
    return quoted + b"\t" if b" " in quoted and not quoted.startswith(b'"') else quoted


def _quoted(side: str, path: str) -> bytes:
    """A name as git writes it: in quotes, with octal numbers, when it is more than plain ASCII."""
    name = path_bytes(side + path)
    if all(0x20 <= byte < 0x7F and byte not in (0x22, 0x5C) for byte in name):
        return name
    spelled = (
        f"\\{_ESCAPES[byte]}"
        if byte in _ESCAPES
        else chr(byte)
        if 0x20 <= byte < 0x7F
        else f"\\{byte:03o}"
        for byte in name
    )
    return f'"{"".join(spelled)}"'.encode("ascii")


def _literal(text: str | None) -> bytes:
    """A whole content, packed and spelled as git spells binary ones."""
    content = path_bytes(text or "")
    packed = zlib.compress(content)
    lines = [f"literal {len(content)}".encode("ascii")]
    for start in range(0, len(packed), _LINE_BYTES):
        piece = packed[start : start + _LINE_BYTES]
        count = (
            chr(ord("A") + len(piece) - 1) if len(piece) <= 26 else chr(ord("a") + len(piece) - 27)
        )
        lines.append(count.encode("ascii") + base64.b85encode(piece, pad=True))
    return b"\n".join(lines) + b"\n\n"
