import os
import subprocess
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from reverie.errors import BundleRefused, UsageError
from reverie.model.ruling import Answer, Judgement, Ruling
from reverie.promotion.bundle.documents import Direction, Tolerance, compare, tolerance_of
from reverie.promotion.bundle.verification import Rerun, Verifier
from reverie.promotion.bundle.writing import (
    Sealing,
    differences,
    pack_revision,
    read_environment,
    unpack,
    write_bundle,
)
from reverie.promotion.git import Git
from reverie.promotion.trial_tree import read_source
from reverie.testing.fakes import new_file, proven_dream

NOW = datetime(2026, 11, 15, tzinfo=UTC)


def test_a_claim_that_comes_out_again_is_accepted(sealed) -> None:
    answer = sealed.verify_again(**{"trial.seconds": 99.0, "mutants.newly_killed": 29.0})
    assert answer.accepted
    assert answer.checks == ("signature", "files", "contents", "source", "patch", "rerun")


@pytest.mark.parametrize(
    ("measure", "value"),
    [
        ("tests.passed_runs", 4.0),
        ("mutants.newly_killed", 28.0),
        ("mutants.newly_killed", 32.0),
        ("coverage.lines.after", 0.89),
        ("tests.passed_runs", float("nan")),
        ("odd", 1.0),
        ("tests.passed_runs", None),
    ],
)
def test_one_that_does_not_is_named(sealed, measure: str, value: float) -> None:
    answer = sealed.verify_again(**{measure: value})
    assert (answer.accepted, answer.reason_code) == (False, "not_reproduced")
    assert [each.measure for each in answer.mismatches] == [measure]
    assert measure in (answer.reason or "")


def test_another_verdict_is_no_proof(sealed) -> None:
    def rerun(proven, tree):  # type: ignore[no-untyped-def]
        failed = Judgement((Ruling("g", Answer.FAIL, "no", "no"),))
        return Rerun(proven.evidence, failed)

    answer = sealed.verify(repository=sealed.repository, rerun=rerun)
    assert (answer.accepted, answer.reason_code) == (False, "other_verdict")


def agree(proven, tree: Path) -> Rerun:  # type: ignore[no-untyped-def]
    assert (tree / "cart.py").read_text().startswith("def total")
    return Rerun(proven.evidence)


def test_the_source_may_come_from_the_bundle_itself(sealed, tmp_path: Path) -> None:
    nowhere = tmp_path / "nowhere"
    nowhere.mkdir()
    assert sealed.verify(repository=nowhere, rerun=agree).accepted


def test_without_the_source_there_is_nothing_to_run(sealed, tmp_path: Path) -> None:
    nowhere = tmp_path / "nowhere"
    nowhere.mkdir()
    sealing = Sealing(sealed.key, NOW, {}, "0")
    small = write_bundle(tmp_path / "small", sealed.proven, sealing, sealed.repository)
    with pytest.raises(UsageError, match="--repo"):
        Verifier((sealed.key.public,), nowhere, agree).verify(small.folder)


def test_a_source_that_lies_is_refused(sealed, tmp_path: Path) -> None:
    sealing = Sealing(sealed.key, NOW, {}, "0")
    wrong = replace(sealed.proven.source, files={"cart.py": "0" * 64})
    lying = replace(sealed.proven, source=wrong)
    written = write_bundle(tmp_path / "lying", lying, sealing, sealed.repository)
    answer = Verifier((sealed.key.public,), sealed.repository, agree).verify(written.folder)
    assert (answer.accepted, answer.reason_code) == (False, "wrong_source")


def test_a_folder_without_git_is_held_to_its_files(sealed, tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.mkdir()
    (plain / "cart.py").write_text("def total(): ...\n")
    proven = proven_dream(new_file("test_cart.py", "x"), read_source(plain))
    sealing = Sealing(sealed.key, NOW, {}, "0")
    written = write_bundle(tmp_path / "plain bundles", proven, sealing, plain)
    verifier = Verifier((sealed.key.public,), plain, agree)
    assert verifier.verify(written.folder).accepted
    (plain / "cart.py").write_text("def total(): return 1\n")
    assert verifier.verify(written.folder).reason_code == "wrong_source"


def test_the_archive_holds_what_git_holds(scripted: Callable, tmp_path: Path) -> None:
    repository = scripted()
    repository.write({"a b/é.py": "x", "tool": "#!/bin/sh\n", "raw": bytes(range(256))})
    (repository.folder / "tool").chmod(0o755)
    os.symlink("tool", repository.folder / "link")
    repository.commit("One")
    git = Git.find(repository.folder)
    assert git is not None
    packed = pack_revision(git, "HEAD")
    assert packed == pack_revision(git, "HEAD")
    unpack(packed, tmp_path / "out")
    ran = subprocess.run(
        ["diff", "-r", "--no-dereference", "-x", ".git", repository.folder, tmp_path / "out"]
    )
    assert ran.returncode == 0
    assert os.access(tmp_path / "out" / "tool", os.X_OK)


def test_an_archive_leads_nowhere(tmp_path: Path) -> None:
    import io
    import tarfile

    def packed(name: str, kind: bytes = tarfile.REGTYPE) -> bytes:
        content = io.BytesIO()
        with tarfile.open(fileobj=content, mode="w") as archive:
            about = tarfile.TarInfo(name)
            about.type = kind
            archive.addfile(about)
        return content.getvalue()

    for name, kind in [
        ("../x", tarfile.REGTYPE),
        ("/x", tarfile.REGTYPE),
        (".git/hooks/x", tarfile.REGTYPE),
        ("device", tarfile.CHRTYPE),
        ("hard", tarfile.LNKTYPE),
    ]:
        with pytest.raises(BundleRefused):
            unpack(packed(name, kind), tmp_path / "out")


def test_the_environment_is_a_lock(tmp_path: Path) -> None:
    lock = read_environment()
    assert lock["distributions"]["pytest"]["record_sha256"]
    assert differences(lock, read_environment()) == ()
    home = tmp_path / "venv"
    info = home / "lib/python3.12/site-packages/Some_Thing-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Name: Some.Thing\nVersion: 1.0\n")
    (info / "RECORD").write_text("some.py,sha256=x,1\n")
    (home / "pyvenv.cfg").write_text("home = /usr\nversion = 3.12.1\n")
    other = read_environment(home / "bin" / "python")
    assert other["python"] == "3.12.1"
    assert list(other["distributions"]) == ["some-thing"]
    told = differences(lock, other)
    assert "some-thing: not installed there, 1.0 here" in told
    newer = {**lock, "distributions": {"pytest": {"version": "0.1", "record_sha256": None}}}
    assert any(line.startswith("pytest: 0.1 there") for line in differences(newer, lock))


def test_tolerances_go_by_name_and_direction() -> None:
    assert tolerance_of("trial.seconds").direction is Direction.NEITHER
    assert tolerance_of("compute.minutes").direction is Direction.NEITHER
    assert tolerance_of("tests.passed_runs") == Tolerance()
    assert tolerance_of("mutants.score.after").absolute == 0.02
    faster = tolerance_of("speedup.p50")
    assert faster.allows(2.0, 9.0)
    assert faster.allows(2.0, 1.7)
    assert not faster.allows(2.0, 1.5)
    assert not Tolerance().allows(1.0, float("inf"))
    claimed = {"a": 1.0, "b.seconds": 2.0}
    known = {name: tolerance_of(name) for name in claimed}
    assert [each.measure for each in compare(claimed, {}, known)] == ["a"]


def test_a_half_written_bundle_is_never_seen_and_swept(sealed, tmp_path: Path) -> None:
    parent = sealed.folder.parent
    left = parent / ".part-999999999-abcd"
    left.mkdir()
    sealing = Sealing(sealed.key, NOW, {}, "0")
    again = write_bundle(parent, sealed.proven, sealing, sealed.repository)
    assert again.folder == sealed.folder
    assert [path.name for path in parent.iterdir()] == [sealed.proven.dream.id]
