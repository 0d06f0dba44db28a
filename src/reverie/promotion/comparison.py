"""The change between two revisions, or between a revision and the files as they stand."""

from collections.abc import Iterator
from itertools import islice

from reverie.model.change import Change, FileEdit
from reverie.promotion.applying import SUBPROJECT, aside
from reverie.promotion.git import Git
from reverie.promotion.trees import SUBMODULE, Entry, contents, empty_tree, path_text, tree_of
from reverie.promotion.working_tree import write_working_tree

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
