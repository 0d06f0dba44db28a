"""What is left of a tree without one commit: a three-way merge, file by file."""

from collections.abc import Iterator

from reverie.errors import GitFailed, Refused
from reverie.promotion.applying import own_index
from reverie.promotion.git import Git
from reverie.promotion.scratch import scratch_folder
from reverie.promotion.trees import Entry, contents, empty_tree, path_bytes, read_tree, tree_of


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
