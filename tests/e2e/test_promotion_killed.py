"""Killed at any moment, a promotion leaves the work of people alone; repeating finishes it."""

import random
import subprocess
import sys
from pathlib import Path

import pytest

from reverie.promotion.bundle.keys import own_key
from reverie.promotion.bundle.verification import Verifier

DREAMS = 4
WORKER = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from reverie.model.settings.promotion import PromotionSection
from reverie.promotion.bundle.keys import own_key
from reverie.promotion.bundle.writing import Sealing
from reverie.promotion.offering import offer_dream
from reverie.promotion.promoter import Offer, Promoter
from reverie.promotion.trial_tree import read_source
from reverie.testing.fakes import new_file, proven_dream

folder, place, dreams = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
at = datetime(2026, 11, 15, tzinfo=UTC)
promoter = Promoter(folder, PromotionSection(lock_seconds=60))
sealing = Sealing(own_key(place / "config"), at, {}, "0")
source = read_source(folder, "HEAD")
print("ready", flush=True)
for number in range(dreams):
    proven = proven_dream(new_file(f"tests/test_{number}.py", f"x = {number}\\n"), source)
    offer_dream(promoter, proven, Offer(at, "reverie/2026-11-15-1"), sealing, place / "bundles")
"""


@pytest.fixture
def shop(scripted):  # type: ignore[no-untyped-def]
    repository = scripted("shop")
    repository.commit("One", {f"module_{n}.py": f"x = {n}\n" * 20 for n in range(30)})
    repository.write({"module_0.py": "stashed\n"})
    repository.git("stash", "push", "-q")
    repository.write({"module_1.py": "staged\n"})
    repository.git("add", "-A")
    repository.write({"module_1.py": "unstaged\n", "untracked.py": "x\n"})
    return repository


def snapshot(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "objects/" not in str(path) and "heads/reverie" not in str(path)
    }


@pytest.mark.parametrize("kills", [8, pytest.param(200, marks=pytest.mark.soak)])
def test_killed_at_any_moment(shop, tmp_path: Path, kills: int) -> None:
    chance = random.Random(20261115)
    before = snapshot(shop.folder)
    command = [sys.executable, "-c", WORKER, str(shop.folder), str(tmp_path), str(DREAMS)]
    for _ in range(kills):
        with subprocess.Popen(command, stdout=subprocess.PIPE) as worker:
            assert worker.stdout is not None
            worker.stdout.readline()
            try:
                worker.wait(chance.uniform(0.0, 0.6))
            except subprocess.TimeoutExpired:
                worker.kill()
        assert snapshot(shop.folder) == before
        assert "error" not in shop.git("fsck", "--connectivity-only", "--no-dangling")
        if chance.random() < 0.3 and shop.git("branch", "--list", "reverie/*"):
            shop.git("update-ref", "-d", "refs/heads/reverie/2026-11-15-1")
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    assert snapshot(shop.folder) == before
    assert shop.git("rev-list", "--count", "HEAD..reverie/2026-11-15-1") == str(DREAMS)
    listed = shop.git("diff", "--name-only", "HEAD", "reverie/2026-11-15-1").split()
    assert listed == [f"tests/test_{number}.py" for number in range(DREAMS)]
    verifier = Verifier((own_key(tmp_path / "config").public,))
    bundles = sorted((tmp_path / "bundles").iterdir())
    assert [verifier.verify(folder).accepted for folder in bundles] == [True] * DREAMS
