"""A change on top of earlier promotions: of the same file too, where they do not meet."""

from dataclasses import replace

from reverie.errors import Refused
from reverie.model.change import Change, FileEdit
from reverie.model.merging import merged
from reverie.promotion.git import Git
from reverie.promotion.trees import contents, read_tree


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
