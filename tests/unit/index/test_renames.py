from reverie.index.hotness import trace_files
from reverie.model.repository.candidate import Commit, FileTouch, History, TouchKind

ADDED, MODIFIED, DELETED = TouchKind.ADDED, TouchKind.MODIFIED, TouchKind.DELETED


def renamed(old: str, new: str) -> FileTouch:
    return FileTouch(new, TouchKind.RENAMED, old)


def past(*commits: list[FileTouch]) -> History:
    """A history of commits given newest first, called by their position."""
    made = (
        Commit(str(n), 0, "Ada", "ada@example.org", "", False, tuple(touches))
        for n, touches in enumerate(commits)
    )
    return History("0", 0, tuple(made))


def commits_of(history: History, *paths: str) -> dict[str, list[str]]:
    traced = trace_files(history, paths)
    return {path: [each.commit.sha for each in entries] for path, entries in traced.items()}


def test_a_file_keeps_its_past_under_a_new_name() -> None:
    history = past(
        [FileTouch("c.py", MODIFIED)],
        [renamed("b.py", "c.py")],
        [renamed("a.py", "b.py")],
        [FileTouch("a.py", MODIFIED)],
        [FileTouch("a.py", ADDED)],
    )
    assert commits_of(history, "c.py") == {"c.py": ["0", "1", "2", "3", "4"]}


def test_two_files_that_change_names_keep_their_own_past() -> None:
    history = past(
        [renamed("a.py", "b.py"), renamed("b.py", "a.py")],
        [FileTouch("a.py", MODIFIED)],
        [FileTouch("b.py", MODIFIED)],
    )
    assert commits_of(history, "a.py", "b.py") == {"a.py": ["0", "2"], "b.py": ["0", "1"]}


def test_a_new_file_under_an_old_name_does_not_inherit() -> None:
    history = past(
        [FileTouch("a.py", MODIFIED)],
        [FileTouch("a.py", ADDED)],
        [renamed("a.py", "b.py")],
        [FileTouch("a.py", MODIFIED)],
    )
    assert commits_of(history, "a.py", "b.py") == {"a.py": ["0", "1"], "b.py": ["2", "3"]}


def test_a_branch_that_still_used_the_old_name_is_counted() -> None:
    history = past(
        [FileTouch("a.py", MODIFIED)],
        [renamed("a.py", "b.py")],
        [FileTouch("a.py", ADDED)],
    )
    assert commits_of(history, "b.py") == {"b.py": ["1", "0", "2"]}


def test_a_file_that_came_and_went_under_the_old_name_is_not() -> None:
    history = past(
        [FileTouch("a.py", DELETED)],
        [FileTouch("a.py", MODIFIED)],
        [FileTouch("a.py", ADDED)],
        [renamed("a.py", "b.py")],
    )
    assert commits_of(history, "b.py") == {"b.py": ["3"]}


def test_a_file_without_commits_is_there_without_them() -> None:
    assert commits_of(past([FileTouch("a.py", ADDED)]), "new.py") == {"new.py": []}
