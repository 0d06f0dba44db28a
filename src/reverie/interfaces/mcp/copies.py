"""The work that is looked at: the repository as it stands, a checkout of it, or a patch on it."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from reverie.errors import UsageError
from reverie.interfaces.mcp.desk import Desk

if TYPE_CHECKING:
    from collections.abc import Mapping

    from reverie.model.change import Change
    from reverie.model.repository.environment import Surroundings

MOST_PATCH = 2_000_000
Patch = Annotated[
    str | None,
    Field(
        max_length=MOST_PATCH,
        description="A unified diff; without one the files as they stand are looked at",
    ),
]
Checkout = Annotated[
    str | None,
    Field(
        description="A linked worktree of this repository, by folder; else the repository itself"
    ),
]


def checkout_of(desk: Desk, given: str | None) -> Path:
    """The folder of the repository, or of one of its worktrees; `UsageError` for any other."""
    if given is None:
        return desk.repository
    from reverie.bootstrap.checkouts import worktrees_of

    known = worktrees_of(desk.repository)
    place = (desk.repository / given).resolve()
    found = [each for each in known if each == place or each.name == given]
    if len(found) == 1:
        return found[0]
    names = ", ".join(sorted(str(each) for each in known)) or "none"
    raise UsageError(
        f"checkout: {given!r} is no worktree of this repository (it has: {names}); "
        "make one with `git worktree add`, or leave checkout out"
    )


def change_of(
    desk: Desk, base: str, patch: str | None, checkout: str | None
) -> tuple[Mapping[str, bytes], Change]:
    """The files that work starts from, and what it changes in them; `UsageError` for nothing."""
    from reverie.bootstrap.guard import read_change

    if patch is not None and checkout is not None:
        raise UsageError("give a patch or a checkout, not both")
    folder = checkout_of(desk, checkout)
    if patch is None:
        files, change = read_change(folder, base, None, None)
        if not change.edits:
            said = "edit files there, or hand in a patch"
            raise UsageError(f"nothing is changed in {str(folder)!r} since {base[:12]}: {said}")
        return files, change
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / "given.patch"
        file.write_text(patch, "utf-8", newline="")
        try:
            return read_change(folder, base, None, str(file))
        except UsageError as error:
            told = str(error).replace(repr(str(file)), "patch")
            raise UsageError(f"{told}; make it with `git diff {base[:12]}`") from error


@contextmanager
def open_work(
    desk: Desk, around: Surroundings, patch: str | None, checkout: str | None
) -> Iterator[Path]:
    """A scratch copy of the work, with the files that a build would have put there."""
    from reverie.bootstrap.environments import generated_beside, open_copy
    from reverie.promotion.trial_tree import lay_files
    from reverie.trials.plan import write_trees

    if patch is None:
        with open_copy(checkout_of(desk, checkout), None, around) as folder:
            yield folder
        return
    files, change = change_of(desk, "HEAD", patch, checkout)
    with tempfile.TemporaryDirectory() as scratch:
        trees = write_trees(files, change, Path(scratch))
        lay_files(trees.head, generated_beside(desk.repository, around, change))
        yield trees.head
