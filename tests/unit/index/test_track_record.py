from reverie.index.hotness import track_record
from reverie.model.repository.candidate import Commit, FileTouch, History, TouchKind
from reverie.model.worth import TrackRecord


def commit(message: str, *paths: str) -> Commit:
    touches = tuple(FileTouch(path, TouchKind.MODIFIED) for path in paths)
    return Commit("c", 0, "Ada", "ada@example.org", message, False, touches)


def test_reverts_and_fixes_of_the_files_count_against_them() -> None:
    commits = (
        commit("Revert the discount", "shop.py"),
        commit("Fix a crash without prices", "shop.py", "cart.py"),
        commit("Add a discount", "shop.py"),
        commit("Fix the cart", "cart.py"),
    )
    history = History("head", 0, commits)
    assert track_record(history, ("shop.py",)) == TrackRecord(bad=2, kept=1)
    assert track_record(history, ("new.py",)) == TrackRecord()
