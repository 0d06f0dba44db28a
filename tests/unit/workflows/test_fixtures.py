from typing import Any

import pytest

from reverie.errors import UsageError
from reverie.workflows.answers import Files, files_claimed, files_from, relative_name


@pytest.mark.parametrize(
    ("name", "inner"),
    [("a.txt", "a.txt"), ("/data/a.txt", "data/a.txt"), ("a//b/./c", "a/b/c"), ("a/../b", "b")],
)
def test_names_end_up_below_the_folder(name: str, inner: str) -> None:
    assert relative_name(name) == inner


@pytest.mark.parametrize("name", ["", "/", ".", "..", "../x", "a/../../x", "/../x", "a\0b"])
def test_names_that_lead_elsewhere_are_refused(name: str) -> None:
    with pytest.raises(UsageError, match="not the name of a file"):
        relative_name(name)


def test_text_becomes_bytes() -> None:
    assert files_from({"/in.txt": "ä", "b": b"\0"}).contents == {"in.txt": "ä".encode(), "b": b"\0"}


@pytest.mark.parametrize("data", [{"a": "", "/a": ""}, {"a": "", "a/b": ""}])
def test_contradictions_are_refused(data: dict[str, str]) -> None:
    with pytest.raises(UsageError, match="test data"):
        files_from(data)


def test_what_goes_in_comes_out() -> None:
    files = Files({"a/b.bin": bytes(range(256))}, ("a", "empty"))
    assert files_claimed(files.document()) == files


@pytest.mark.parametrize(
    "claim",
    [
        {},
        {"files": [], "folders": []},
        {"files": {"../x": ""}, "folders": []},
        {"files": {"x": "not base64!"}, "folders": []},
        {"files": {"x": 3}, "folders": []},
        {"files": {"x": "\x80"}, "folders": []},
        {"files": {}, "folders": ["/.."]},
        {"files": {}, "folders": [3]},
    ],
)
def test_a_claim_that_makes_no_sense_is_none(claim: dict[str, Any]) -> None:
    assert files_claimed(claim) is None


def test_changes() -> None:
    before = Files({"same": b"1", "gone": b"2", "other": b"3"})
    after = Files({"same": b"1", "other": b"4", "new": b"5"})
    assert [(each.kind, each.path) for each in after.changes_since(before)] == [
        ("deleted", "gone"),
        ("created", "new"),
        ("modified", "other"),
    ]
