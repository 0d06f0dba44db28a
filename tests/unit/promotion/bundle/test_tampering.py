"""Whatever is done to a bundle afterwards, it is refused, and the reason is told."""

import json
import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from reverie.promotion.bundle import verification
from reverie.promotion.bundle.keys import own_key
from reverie.promotion.bundle.statement import ENVELOPE, encode, open_envelope, seal


def change_statement(folder: Path, key, change: Callable[[dict], object]) -> None:  # type: ignore[no-untyped-def]
    """As somebody would who has the key."""
    document = json.loads(open_envelope((folder / ENVELOPE).read_bytes()).payload)
    change(document)
    (folder / ENVELOPE).write_bytes(seal(encode(document), key))


def code(sealed) -> str | None:  # type: ignore[no-untyped-def]
    answer = sealed.verify()
    assert answer.accepted is (answer.reason_code is None)
    assert (answer.reason is None) is answer.accepted
    return answer.reason_code


def test_an_untouched_one_says_what_was_proven(sealed) -> None:
    answer = sealed.verify()
    assert answer.accepted
    assert answer.bundle is not None
    told = answer.bundle.told.proven
    assert told.dream == sealed.proven.dream
    assert told.source == sealed.proven.source
    assert told.judgement == sealed.proven.judgement
    measures = sealed.proven.evidence.measures
    assert repr(told.evidence.measures) == repr(dict(sorted(measures.items())))


def test_files_added_missing_or_of_another_kind(sealed) -> None:
    folder = sealed.folder
    for name, reason in [("notes.txt", "added_file"), (".hidden", "added_file")]:
        (folder / name).write_text("x")
        assert code(sealed) == reason
        (folder / name).unlink()
    (folder / "inner").mkdir()
    assert code(sealed) == "not_a_file"
    (folder / "inner").rmdir()
    for name in sorted(os.listdir(folder)):
        content = (folder / name).read_bytes()
        (folder / name).unlink()
        assert code(sealed) == "missing_file"
        os.symlink("/etc/hostname", folder / name)
        assert code(sealed) == "not_a_file"
        (folder / name).unlink()
        os.mkfifo(folder / name)
        assert code(sealed) == "not_a_file"
        (folder / name).unlink()
        with socket.socket(socket.AF_UNIX) as bound:
            here = os.getcwd()
            os.chdir(folder)
            bound.bind(name)
            os.chdir(here)
        assert code(sealed) == "not_a_file"
        (folder / name).unlink()
        (folder / name).write_bytes(content[:-1])
        assert code(sealed) is not None
        (folder / name).write_bytes(content + b" ")
        assert code(sealed) is not None
        (folder / name).write_bytes(b"")
        assert code(sealed) is not None
        (folder / name).write_bytes(content)
    assert code(sealed) is None


def test_a_link_that_leads_to_the_very_same_bytes_is_refused(sealed, tmp_path: Path) -> None:
    place = tmp_path / "outside"
    (sealed.folder / "dream.json").rename(place)
    os.symlink(place, sealed.folder / "dream.json")
    assert code(sealed) == "not_a_file"


def test_huge_files_are_not_read(sealed, monkeypatch: pytest.MonkeyPatch) -> None:
    with open(sealed.folder / "change.patch", "r+b") as stream:
        stream.truncate(1 << 40)
    assert code(sealed) == "too_large"
    for number in range(40):
        (sealed.folder / f"f{number}").write_bytes(b"")
    assert code(sealed) == "added_file"


def test_all_together_may_be_too_much(sealed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verification, "_MAX_BYTES", 1000)
    assert code(sealed) == "too_large"


def test_another_key_is_another_signer(sealed, tmp_path: Path) -> None:
    other = own_key(tmp_path / "other")
    payload = open_envelope((sealed.folder / ENVELOPE).read_bytes()).payload
    (sealed.folder / ENVELOPE).write_bytes(seal(payload, other))
    assert code(sealed) == "bad_signature"
    (sealed.folder / "key.pub").write_bytes(other.public.pem)
    assert code(sealed) == "untrusted_key"
    assert sealed.verify(trusted=()).reason_code == "untrusted_key"
    assert sealed.verify(trusted=(other.public,)).reason_code == "changed_file"


@pytest.mark.parametrize(
    "name", ["../evil", "/etc/passwd", "a/b.json", "..", "", "dream.json\0", ENVELOPE, "DREAM.json"]
)
def test_names_that_lead_elsewhere_are_refused_even_when_signed(sealed, name: str) -> None:
    change_statement(
        sealed.folder, sealed.key,
        lambda told: told["subject"].append({"name": name, "digest": {"sha256": "0" * 64}}),
    )  # fmt: skip
    assert code(sealed) == "unsafe_name"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda told: told.update(_type="https://in-toto.io/Statement/v0.1"), "malformed"),
        (lambda told: told.update(predicateType="urn:other"), "malformed"),
        (lambda told: told.update(subject=[]), "added_file"),
        (lambda told: told.update(subject=None), "malformed"),
        (lambda told: told.pop("predicate"), "malformed"),
        (lambda told: told["predicate"].update(dream="0" * 16), "contradiction"),
        (lambda told: told["predicate"].update(verdict="reject"), "contradiction"),
        (lambda told: told["predicate"].update(revision="0" * 40), "contradiction"),
        (lambda told: told["predicate"].update(stage="C"), "contradiction"),
    ],
)
def test_a_statement_that_says_something_else_is_refused(sealed, change, reason: str) -> None:
    change_statement(sealed.folder, sealed.key, change)
    assert code(sealed) == reason


@pytest.mark.parametrize(
    ("name", "change", "reason"),
    [
        ("dream.json", lambda told: told.update(id="0" * 16), "contradiction"),
        ("dream.json", lambda told: told["edits"][0].update(after="x"), "contradiction"),
        ("dream.json", lambda told: told.update(title="Another title"), "contradiction"),
        ("dream.json", lambda told: told["edits"][0].update(path=None), "malformed"),
        ("dream.json", lambda told: told.update(seed="7"), "malformed"),
        ("dream.json", lambda told: told.update(kind="wish"), "malformed"),
        ("rulings.json", lambda told: told["rulings"][0].update(verdict="fail"), "contradiction"),
        ("rulings.json", lambda told: told.update(rulings=[]), "contradiction"),
        ("rulings.json", lambda told: told.pop("needs"), "malformed"),
        ("evidence.json", lambda told: told["measures"].update(x=1), "malformed"),
        ("evidence.json", lambda told: told.update(isolation="none at all"), "malformed"),
        ("source.json", lambda told: told.update(files=[]), "malformed"),
        ("source.json", lambda told: told.update(tree=7), "malformed"),
    ],
)
def test_documents_that_contradict_themselves_are_refused_even_when_signed(
    sealed, name: str, change, reason: str
) -> None:
    import hashlib

    document = json.loads((sealed.folder / name).read_bytes())
    change(document)
    (sealed.folder / name).write_bytes(encode(document))
    digest = hashlib.sha256((sealed.folder / name).read_bytes()).hexdigest()

    def point(told: dict) -> None:
        for each in told["subject"]:
            if each["name"] == name:
                each["digest"]["sha256"] = digest

    change_statement(sealed.folder, sealed.key, point)
    assert code(sealed) == reason


def test_a_patch_that_is_not_the_change_is_refused_even_when_signed(sealed) -> None:
    import hashlib

    path = sealed.folder / "change.patch"
    path.write_bytes(path.read_bytes().replace(b"assert 1", b"assert 2"))

    def point(told: dict) -> None:
        for each in told["subject"]:
            if each["name"] == "change.patch":
                each["digest"]["sha256"] = hashlib.sha256(path.read_bytes()).hexdigest()

    change_statement(sealed.folder, sealed.key, point)
    assert code(sealed) == "contradiction"
