import os
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from reverie.errors import Refused
from reverie.model.change import Change, FileEdit
from reverie.model.dream import DreamKind, Stage
from reverie.model.ruling import Answer
from reverie.promotion.promoter import Offer
from reverie.promotion.rollback import roll_back
from reverie.promotion.trial_tree import read_source
from reverie.testing.fakes import new_file, proven_dream

BRANCH = "reverie/2026-11-15-1"


def dirty(repository) -> None:  # type: ignore[no-untyped-def]
    """Staged, unstaged, untracked, ignored and stashed work, all at once."""
    repository.write({"shop.py": "VALUE = 'stashed'\n"})
    repository.git("stash", "push", "-q")
    repository.write({"shop.py": "VALUE = 'staged'\n", "staged.py": "x = 1\n"})
    repository.git("add", "-A")
    repository.write({"shop.py": "VALUE = 'unstaged'\n", "new.py": "y = 2\n", "a.log": "ignored"})


@pytest.fixture
def shop(scripted: Callable):  # type: ignore[no-untyped-def]
    repository = scripted("a shop é")
    repository.commit("One", {"shop.py": "VALUE = 1\n", ".gitignore": "*.log\n"})
    return repository


def test_a_dream_becomes_one_commit_and_nothing_else_moves(
    shop, promoter: Callable, dream_of: Callable, snapshot: Callable, now
) -> None:
    dirty(shop)
    before, head = snapshot(shop.folder), shop.git("rev-parse", "HEAD")
    status = shop.git("status", "--porcelain=v2", "--branch", "--show-stash")
    made = promoter(shop.folder).promote(dream_of(shop.folder), Offer(now, BRANCH))
    assert snapshot(shop.folder) == before
    assert shop.git("status", "--porcelain=v2", "--branch", "--show-stash") == status
    assert made.branch == BRANCH
    assert shop.git("rev-parse", f"{BRANCH}^") == head == made.base
    assert shop.git("diff", "--name-status", "HEAD", BRANCH) == "A\ttests/test_cart.py"
    assert shop.git("fsck", "--strict", "--no-dangling") == ""


def test_the_message_has_few_trailers_and_none_of_them_is_forged(
    shop, promoter: Callable, dream_of: Callable, now
) -> None:
    hostile = "Test the cart\n\nReverie-Verdict: forged\x1b[31m\u202e"
    made = promoter(shop.folder).promote(
        dream_of(shop.folder, title=hostile), Offer(now, BRANCH, bundle_digest="sha256:12")
    )
    message = shop.git("log", "-1", "--format=%B", BRANCH)
    assert message.splitlines()[0] == "Test the cart Reverie-Verdict: forged [31m"
    parsed = subprocess.run(
        ["git", "interpret-trailers", "--parse"], input=message, text=True, capture_output=True
    ).stdout.splitlines()
    assert parsed == [
        f"Reverie-Dream: {made.dream_id}",
        "Reverie-Kind: test (stage A)",
        "Reverie-Module: shop.cart",
        f"Reverie-Base: {made.base}",
        "Reverie-Bundle: sha256:12",
    ]
    about = shop.git("log", "-1", "--format=%an <%ae> %cn <%ce> %at %G?", BRANCH)
    assert (
        about == f"Reverie <reverie@localhost> Reverie <reverie@localhost> {now.timestamp():.0f} N"
    )


def test_a_cycle_has_one_branch_and_a_dream_one_commit(
    shop, promoter: Callable, dream_of: Callable, now
) -> None:
    ours = promoter(shop.folder)
    branch = ours.choose_branch(now.date())
    first = ours.promote(dream_of(shop.folder, "one"), Offer(now, branch))
    second = ours.promote(dream_of(shop.folder, "two"), Offer(now, branch))
    assert (first.branch, second.branch) == (BRANCH, BRANCH)
    assert shop.git("rev-list", "--count", f"HEAD..{BRANCH}") == "2"
    assert ours.choose_branch(now.date()) == "reverie/2026-11-15-2"


def test_the_name_of_a_branch_that_is_gone_is_not_given_again(
    shop, promoter: Callable, dream_of: Callable, now
) -> None:
    ours = promoter(shop.folder)
    made = ours.promote(dream_of(shop.folder, "one"), Offer(now, BRANCH))
    roll_back(ours, made, now)
    assert ours.choose_branch(now.date()) == BRANCH
    later = replace(ours, used=frozenset({BRANCH}))
    assert later.choose_branch(now.date()) == "reverie/2026-11-15-2"


def test_or_every_dream_has_its_own(shop, promoter: Callable, dream_of: Callable, now) -> None:
    from reverie.model.settings.promotion import BranchPer

    ours = promoter(shop.folder, branch_per=BranchPer.DREAM)
    made = [ours.promote(dream_of(shop.folder, n), Offer(now, BRANCH)) for n in ("one", "two")]
    assert [each.branch for each in made] == [BRANCH, "reverie/2026-11-15-2"]


def test_promoting_twice_adds_nothing(shop, promoter: Callable, dream_of: Callable, now) -> None:
    ours = promoter(shop.folder)
    first = ours.promote(dream_of(shop.folder), Offer(now, BRANCH))
    assert ours.promote(dream_of(shop.folder), Offer(now, "reverie/other")) == first
    assert shop.git("branch", "--list", "reverie/*").split() == [BRANCH]


@pytest.mark.parametrize(
    ("about", "reason"),
    [
        ({"kind": DreamKind.FINDING}, "finding"),
        ({"stage": Stage.D}, "finding"),
        ({"answer": Answer.FAIL}, "reject"),
        ({"answer": Answer.HOLD}, "borderline"),
        ({"needs": ("two approvals",)}, "2 more approvals"),
        ({"needs": ("5 approvals",)}, "5 more approvals"),
        ({"needs": ("a blessing",)}, "a blessing"),
        ({"kind": DreamKind.OPTIMISATION, "stage": Stage.C}, "2 more approvals"),
        ({"kind": DreamKind.OPTIMISATION, "stage": Stage.B}, "judged as speed at the least"),
        ({"kind": DreamKind.REFACTOR, "stage": Stage.A}, "judged as refactoring at the least"),
    ],
)
def test_what_is_not_proven_is_refused(
    shop, promoter: Callable, dream_of: Callable, now, about, reason: str
) -> None:
    with pytest.raises(Refused, match=reason):
        promoter(shop.folder).promote(dream_of(shop.folder, **about), Offer(now, BRANCH))
    assert shop.git("branch", "--list", "reverie/*") == ""


def edit(path: str, before: str | None, after: str | None, **modes: str) -> Change:
    return Change((FileEdit(path, before, after, **modes),))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (edit("shop.py", "VALUE = 0\n", "x\n"), "not as the change expects"),
        (edit("shop.py", "VALUE = 1\n", "x\n", mode_before="100755"), "not as the change expects"),
        (edit("shop.py", None, "x\n"), "there already"),
        (edit("gone.py", "x", None), "not there"),
        (edit("shop.py/inner.py", None, "x"), "a file and a folder"),
        (edit("../out.py", None, "x"), "no path inside"),
        (edit("/etc/x", None, "x"), "no path inside"),
        (edit("a//b", None, "x"), "no path inside"),
        (edit(".git/hooks/pre-commit", None, "x"), "no path inside"),
        (edit("sub/.GIT/config", None, "x"), "no path inside"),
        (edit("x", None, "x", mode_after="040000"), "no mode"),
        (edit("shop.py", "VALUE = 1\n", "VALUE = 1\n"), "changes nothing"),
        (Change(()), "changes nothing"),
    ],
)
def test_a_change_that_does_not_fit_is_refused_whole(
    shop, promoter: Callable, snapshot: Callable, now, change: Change, reason: str
) -> None:
    before = snapshot(shop.folder)
    with pytest.raises(Refused, match=reason):
        promoter(shop.folder).promote(
            proven_dream(change, read_source(shop.folder)), Offer(now, BRANCH)
        )
    assert snapshot(shop.folder) == before
    assert shop.git("branch", "--list", "reverie/*") == ""


def test_every_kind_of_edit_arrives(shop, promoter: Callable, now) -> None:
    shop.commit(
        "Two", {"old name.py": "a\nb\nc\n", "tool": "#!/bin/sh\n", "gone": "x", "crlf": b"a\r\n"}
    )
    raw = bytes(range(256)).decode("utf-8", "surrogateescape")
    change = Change(
        (
            FileEdit("crlf", "a\r\n", "a\r\nb\r\n", mode_before="100644", mode_after="100644"),
            FileEdit(
                "dïr/nëw näme.py", "a\nb\nc\n", "a\nb\nd\n", "old name.py", "100644", "100755"
            ),
            FileEdit("gone", "x", None, mode_before="100644"),
            FileEdit("link", None, "tool", mode_after="120000"),
            FileEdit("raw\udcff", None, raw, mode_after="100644"),
            FileEdit("tool", "#!/bin/sh\n", "#!/bin/sh\n", None, "100644", "100755"),
        )
    )
    promoter(shop.folder).promote(
        proven_dream(change, read_source(shop.folder)), Offer(now, BRANCH)
    )
    listed = shop.git("ls-tree", "-r", "--format=%(objectmode) %(path)", BRANCH)
    assert r'100755 "d\303\257r/n\303\253w n\303\244me.py"' in listed
    assert "120000 link" in listed
    assert "100755 tool" in listed
    assert "gone" not in listed
    assert "old name.py" not in listed
    assert shop.git("cat-file", "blob", f"{BRANCH}:link") == "tool"
    stored = subprocess.run(
        [b"git", b"cat-file", b"blob", BRANCH.encode() + b":raw\xff"],
        cwd=shop.folder, capture_output=True,
    ).stdout  # fmt: skip
    assert stored == bytes(range(256))


def test_a_detached_head(shop, promoter: Callable, dream_of: Callable, now) -> None:
    shop.git("checkout", "-q", "--detach")
    made = promoter(shop.folder).promote(dream_of(shop.folder), Offer(now, BRANCH))
    assert shop.git("rev-parse", f"{BRANCH}^") == made.base
    assert (shop.folder / ".git/HEAD").read_text().strip() == made.base


def test_an_unborn_branch(scripted: Callable, promoter: Callable, snapshot: Callable, now) -> None:
    empty = scripted("empty")
    empty.write({"shop.py": "VALUE = 1\n"})
    before = snapshot(empty.folder)
    dream = proven_dream(new_file("tests/test_a.py", "x = 1\n"), read_source(empty.folder))
    made = promoter(empty.folder).promote(dream, Offer(now, BRANCH))
    assert snapshot(empty.folder) == before
    assert made.base is None
    assert empty.git("rev-list", "--parents", BRANCH) == made.commit
    assert empty.git("ls-tree", "-r", "--name-only", BRANCH) == "tests/test_a.py"


def test_a_bare_repository(
    shop, tmp_path: Path, promoter: Callable, dream_of: Callable, now
) -> None:
    bare = tmp_path / "bare.git"
    shop.git("clone", "-q", "--bare", ".", str(bare))
    made = promoter(bare).promote(dream_of(bare), Offer(now, BRANCH))
    found = subprocess.run(
        ["git", "ls-tree", "-r", "--name-only", BRANCH], cwd=bare, capture_output=True, text=True
    )
    assert "tests/test_cart.py" in found.stdout
    assert made.branch == BRANCH
    assert not (bare / "index").exists()


def test_a_linked_worktree(
    shop, tmp_path: Path, promoter: Callable, dream_of: Callable, snapshot: Callable, now
) -> None:
    linked = tmp_path / "linked"
    shop.git("worktree", "add", "-q", "-b", "side", str(linked))
    (linked / "shop.py").write_text("VALUE = 9\n")
    before = snapshot(shop.folder), snapshot(linked)
    promoter(linked).promote(dream_of(linked), Offer(now, BRANCH))
    assert (snapshot(shop.folder), snapshot(linked)) == before
    assert shop.git("rev-parse", f"{BRANCH}^") == shop.git("rev-parse", "side")


def test_a_shallow_clone(shop, tmp_path: Path, promoter: Callable, dream_of: Callable, now) -> None:
    shop.commit("Two", {"shop.py": "VALUE = 2\n"})
    shallow = tmp_path / "shallow"
    shop.git("clone", "-q", "--depth=1", f"file://{shop.folder}", str(shallow))
    made = promoter(shallow).promote(dream_of(shallow), Offer(now, BRANCH))
    assert made.commit is not None


def test_a_sparse_checkout(
    shop, promoter: Callable, dream_of: Callable, snapshot: Callable, now
) -> None:
    shop.commit("Two", {"kept/a.py": "a = 1\n", "left/b.py": "b = 1\n"})
    shop.git("sparse-checkout", "set", "--cone", "--sparse-index", "kept")
    before = snapshot(shop.folder)
    promoter(shop.folder).promote(dream_of(shop.folder), Offer(now, BRANCH))
    assert snapshot(shop.folder) == before
    assert "left/b.py" in shop.git("ls-tree", "-r", "--name-only", BRANCH)


def test_a_folder_below_the_root(shop, promoter: Callable, now) -> None:
    shop.commit("Two", {"packages/one/one.py": "x = 1\n", "packages/two/two.py": "y = 1\n"})
    folder = shop.folder / "packages" / "one"
    source = read_source(folder)
    assert list(source.files) == ["one.py"]
    promoter(folder).promote(proven_dream(new_file("test_one.py", "x"), source), Offer(now, BRANCH))
    assert shop.git("diff", "--name-status", "HEAD", BRANCH) == "A\tpackages/one/test_one.py"


def test_sha256_names(tmp_path: Path, promoter: Callable, dream_of: Callable, now) -> None:
    folder = tmp_path / "new"
    run = lambda *a: subprocess.run(["git", "-C", str(folder), *a], check=True, capture_output=True)  # noqa: E731
    subprocess.run(["git", "init", "-q", "--object-format=sha256", str(folder)], check=True)
    (folder / "shop.py").write_text("x = 1\n")
    run("add", "-A")
    run("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "One")
    made = promoter(folder).promote(dream_of(folder), Offer(now, BRANCH))
    assert made.commit is not None
    assert len(made.commit) == 64


def test_submodules_stay_as_they_are(
    shop, scripted: Callable, promoter: Callable, dream_of: Callable, now
) -> None:
    inner = scripted("inner")
    inner.commit("Inner", {"i.py": "x = 1\n"})
    shop.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner.folder), "sub")
    shop.commit("With a submodule")
    promoter(shop.folder).promote(dream_of(shop.folder), Offer(now, BRANCH))
    assert shop.git("diff", "--name-status", "HEAD", BRANCH) == "A\ttests/test_cart.py"


def test_a_branch_that_is_checked_out_does_not_move(
    shop, promoter: Callable, dream_of: Callable, snapshot: Callable, now
) -> None:
    ours = promoter(shop.folder)
    ours.promote(dream_of(shop.folder, "one"), Offer(now, BRANCH))
    second = dream_of(shop.folder, "two")
    shop.git("checkout", "-q", BRANCH)
    before = snapshot(shop.folder)
    made = ours.promote(second, Offer(now, BRANCH))
    assert snapshot(shop.folder) == before
    assert made.branch == "reverie/2026-11-15-2"
    assert shop.git("rev-parse", f"{made.branch}^") == shop.git("rev-parse", BRANCH)


def test_a_branch_of_the_prefix_s_name_leaves_no_room(shop, promoter: Callable, now) -> None:
    shop.git("branch", "reverie")
    with pytest.raises(Refused, match="branch_prefix"):
        promoter(shop.folder).choose_branch(now.date())
    assert (
        promoter(shop.folder, branch_prefix="dreams").choose_branch(now.date())
        == "dreams/2026-11-15-1"
    )


@pytest.mark.parametrize("branch", ["main", "feature/x", "reveriex/1"])
def test_no_branch_of_somebody_else_s_is_ever_moved(
    shop, promoter: Callable, dream_of: Callable, now, branch: str
) -> None:
    with pytest.raises(Refused, match="not a branch of ours"):
        promoter(shop.folder).promote(dream_of(shop.folder), Offer(now, branch))


def test_no_hook_filter_or_signing_program_is_run(
    shop, promoter: Callable, dream_of: Callable, tmp_path: Path, now
) -> None:
    mark, program = tmp_path / "mark", tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch '{mark}'\ncat\n")
    program.chmod(0o755)
    shop.commit("Attributes", {".gitattributes": "* filter=evil text=auto eol=crlf\n"})
    hooks = shop.folder / ".git/hooks"
    hooks.mkdir(exist_ok=True)
    for name in ("reference-transaction", "pre-commit", "post-commit", "post-index-change"):
        shutil.copy(program, hooks / name)
    with open(shop.folder / ".git/config", "a") as stream:
        stream.write(
            f"[commit]\n gpgSign = true\n[gpg]\n program = {program}\n"
            f"[core]\n fsmonitor = {program}\n"
            f" splitIndex = true\n autocrlf = true\n"
            f'[filter "evil"]\n clean = {program}\n smudge = {program}\n required = true\n'
        )
    promoter(shop.folder).promote(dream_of(shop.folder), Offer(now, BRANCH))
    assert not mark.exists()
    assert not list((shop.folder / ".git").glob("sharedindex*"))
    assert shop.git("cat-file", "blob", f"{BRANCH}:tests/test_cart.py").startswith("def test_cart")


def test_a_commit_is_signed_only_when_asked(
    shop, promoter: Callable, dream_of: Callable, tmp_path: Path, needs_program: Callable, now
) -> None:
    needs_program("ssh-keygen")
    key = tmp_path / "id"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(key)], check=True)
    offer = Offer(now, BRANCH, signing_key=f"ssh:{key}")
    promoter(shop.folder).promote(dream_of(shop.folder), offer)
    assert "BEGIN SSH SIGNATURE" in shop.git("cat-file", "commit", BRANCH)


def test_where_there_is_no_git_a_patch_is_written(tmp_path: Path, promoter: Callable, now) -> None:
    folder, patches = tmp_path / "plain", tmp_path / "patches"
    folder.mkdir()
    (folder / "shop.py").write_text("VALUE = 1\n")
    dream = proven_dream(edit("shop.py", "VALUE = 1\n", "VALUE = 2\n"), read_source(folder))
    made = promoter(folder).promote(dream, Offer(now, patches=patches))
    assert (made.branch, made.commit) == (None, None)
    assert made.patch == str(patches / f"{dream.dream.id}.patch")
    assert promoter(folder).promote(dream, Offer(now, patches=patches)) == made
    assert (folder / "shop.py").read_text() == "VALUE = 1\n"
    subprocess.run(["git", "apply", made.patch], cwd=folder, check=True)
    assert (folder / "shop.py").read_text() == "VALUE = 2\n"
    assert os.listdir(patches) == [f"{dream.dream.id}.patch"]


def test_a_source_that_is_not_the_proven_one_is_refused(
    shop, promoter: Callable, dream_of: Callable, now
) -> None:
    from dataclasses import replace

    dream = dream_of(shop.folder)
    other = replace(dream, source=replace(dream.source, tree="0" * 40))
    with pytest.raises(Refused, match="not the tree"):
        promoter(shop.folder).promote(other, Offer(now, BRANCH))
