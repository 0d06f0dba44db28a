"""Offers proven dreams: a commit each on a branch of our own, or a patch where there is no git.

The user's branch, index, stash, working tree and uncommitted work are neither read nor written.
A branch moves in one step, as the last thing that happens: whoever dies before that leaves
nothing but objects that no branch has.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path

from reverie.errors import Refused
from reverie.model.change import Change
from reverie.model.cycle import Promotion, PromotionStatus, Proven
from reverie.model.dream import DreamKind, Stage
from reverie.model.events import Publish, unheard
from reverie.model.ruling import LEAST_APPROVALS, Answer, Approval, Approver, NeedKind, Verdict
from reverie.model.settings.promotion import AlignmentSection, BranchPer, PromotionSection
from reverie.promotion.applying import on_top, own_index, reverted_tree, write_change
from reverie.promotion.approvals import counted
from reverie.promotion.branches import Branches
from reverie.promotion.bundle.keys import PublicKey
from reverie.promotion.commits import CommitAuthor, commit_tree, find_promoted, promotion_message
from reverie.promotion.decision_records import FOLDERS, decision_record, read_habit, require_aligned
from reverie.promotion.git import Git
from reverie.promotion.patch import patch_of
from reverie.promotion.scratch import held_alone
from reverie.promotion.trees import contents, empty_tree, read_tree, tree_of
from reverie.promotion.trial_tree import walk_files


@dataclass(frozen=True, slots=True)
class Offer:
    """How one dream is to be offered."""

    at: datetime
    branch: str | None = None
    """Where it goes; made when it is not there yet. None: a new one."""
    bundle: Path | None = None
    """The folder of its proof bundle."""
    bundle_digest: str | None = None
    patches: Path | None = None
    """Where patches go when there is no git."""
    approvals: tuple[Approval, ...] = ()
    """What people have said about it; each is checked before it counts."""
    author_keys: tuple[PublicKey, ...] = ()
    """Keys that speak for its author, and so cannot approve."""
    signing_key: str | None = None


@dataclass(frozen=True, slots=True)
class Promoter:
    """Promotions of one repository."""

    repository: Path
    section: PromotionSection
    alignment: AlignmentSection = field(default_factory=AlignmentSection)
    publish: Publish = unheard
    used: frozenset[str] = frozenset()
    """Names of branches that are not given again."""

    def choose_branch(self, day: date) -> str | None:
        """A name for the branch of a cycle that starts on `day`; None where there is no git."""
        git = Git.find(self.repository)
        return None if git is None else self.branches(git).unused(day)

    def branches(self, git: Git) -> Branches:
        """The branches that promotions may make and move."""
        return Branches(git, self.section.branch_prefix, self.used)

    def promote(self, proven: Proven, offer: Offer) -> Promotion:
        """Offer a dream; a dream that is offered already is only told again."""
        self.require_promotable(proven, offer)
        git = Git.find(self.repository)
        if git is None:
            message = self._message(proven, offer)
            return _write_patch(proven, offer, self._recorded(proven, offer), message)
        wait = self.section.lock_seconds
        with held_alone(str(git.common_dir), "a promotion", wait):
            return self._commit(git, proven, offer)

    def find(self, proven: Proven, offer: Offer) -> Promotion | None:
        """The dream as it is offered already, if it is."""
        git = Git.find(self.repository)
        if git is None:
            path = None if offer.patches is None else _patch_file(offer.patches, proven)
            is_there = path is not None and path.is_file()
            return _promotion(proven, offer, patch=path) if is_there else None
        revision = proven.source.revision
        base = None if revision is None else git.resolve(revision)
        prefix = self.section.branch_prefix
        for branch, commit in find_promoted(git, prefix, proven.dream.id, base):
            return _promotion(proven, offer, branch=branch, commit=commit)
        return None

    def _commit(self, git: Git, proven: Proven, offer: Offer) -> Promotion:
        branches = self.branches(git)
        found = self.find(proven, offer)
        if found is not None:
            return found
        branch = self._branch(branches, offer)
        branches.require_ours(branch)
        tip = branches.tip(branch)
        if tip is not None and branches.is_checked_out(branch):
            branch = branches.unused(offer.at.date())
        parent = tip or _base(git, proven)
        start = empty_tree(git) if parent is None else tree_of(git, parent)
        with own_index(git) as own:
            change = proven.dream.change
            tree = write_change(own, start, change if tip is None else on_top(own, start, change))
            if tree == start:
                raise Refused(f"the change {proven.dream.id} changes nothing")
            if NeedKind.DECISION_RECORD in needs_of(proven):
                tree = write_change(own, tree, self._record(own, tree, proven, offer))
        message = self._message(proven, offer)
        commit = commit_tree(git, tree, parent, message, self.author(offer))
        if reverted_tree(git, commit, commit) != start:
            raise Refused(f"the change {proven.dream.id} cannot be rolled back: it is not offered")
        expected = branches.tip(branch)
        branches.move(branch, commit, expected, f"reverie: promote {proven.dream.id}")
        return _promotion(proven, offer, branch=branch, commit=commit)

    def require_promotable(self, proven: Proven, offer: Offer) -> None:
        """Raise `Refused` unless all that a promotion needs is there. There is no other door."""
        require_judged(proven)
        require_aligned(proven, self.alignment)
        required = approvals_required(proven, self.section.known_approvers())
        if required:
            found = len(self.approvals(proven, offer))
            if found < required:
                left = required - found
                reason = (
                    f"{left} more {'approval' if left == 1 else 'approvals'} by different people"
                )
                raise Refused(f"the change {proven.dream.id} still needs: {reason}")

    def approvals(self, proven: Proven, offer: Offer) -> tuple[Approval, ...]:
        """Those approvals of an offer that count."""
        approvers = self.section.known_approvers()
        return counted(proven, offer.approvals, offer.author_keys, approvers)

    def _recorded(self, proven: Proven, offer: Offer) -> Change:
        """The change of a dream with the record that it owes, where there is no git."""
        change = proven.dream.change
        if NeedKind.DECISION_RECORD not in needs_of(proven):
            return change
        habit = read_habit(list(walk_files(self.repository)))
        record = decision_record(proven, self.approvals(proven, offer), habit, offer.at)
        return Change((*change.edits, *record.edits))

    def _record(self, git: Git, tree: str, proven: Proven, offer: Offer) -> Change:
        entries = read_tree(git, tree)
        kept = {path: each for path, each in entries.items() if path.startswith(FOLDERS)}
        texts = {path: text.decode("utf-8", "replace") for path, text in contents(git, kept)}
        habit = read_habit(entries, texts)
        return decision_record(proven, self.approvals(proven, offer), habit, offer.at)

    def _branch(self, branches: Branches, offer: Offer) -> str:
        if offer.branch is None or self.section.branch_per is BranchPer.DREAM:
            return branches.unused(offer.at.date())
        return offer.branch

    def _message(self, proven: Proven, offer: Offer) -> str:
        return promotion_message(proven, offer.bundle_digest, offer.bundle, self.repository)

    def author(self, offer: Offer) -> CommitAuthor:
        """Who makes the commit: the author in the settings, never the user unasked."""
        name, email = self.section.author_name, self.section.author_email
        return CommitAuthor(name, email, offer.at, offer.signing_key)


def needs_of(proven: Proven) -> frozenset[NeedKind]:
    """What people owe for a dream: stage C owes everything, whatever its judgement says."""
    for need in proven.judgement.needs:
        if need.kind is NeedKind.OTHER:
            raise Refused(f"the change {proven.dream.id} still needs: {need}")
    if proven.stage is Stage.C:
        return frozenset(NeedKind) - {NeedKind.OTHER}
    return frozenset(need.kind for need in proven.judgement.needs)


def approvals_required(proven: Proven, approvers: Sequence[Approver] = ()) -> int:
    """How many approvals a dream owes; 0 when it owes none.

    At stage C never fewer than two people, unless `approvers` says that there is only one.
    """
    if NeedKind.APPROVALS not in needs_of(proven):
        return 0
    told = [n.count for n in proven.judgement.needs if n.kind is NeedKind.APPROVALS]
    if len(approvers) == 1:
        return 1
    return max([LEAST_APPROVALS if proven.stage is Stage.C else 1, *told])


def require_judged(proven: Proven) -> None:
    """Raise `Refused` unless the gates let a dream pass, at a stage that fits its kind."""
    dream, judgement = proven.dream, proven.judgement
    if dream.kind is DreamKind.FINDING or proven.stage is Stage.D:
        raise Refused(f"the change {dream.id} is a finding: for people to read, never promoted")
    least = dream.kind.stage
    if proven.stage < least:
        told = f"the change {dream.id} is of kind {dream.kind}"
        raise Refused(f"{told}: judged as {least.word} at the least")
    if proven.stage in (Stage.INTEGRATION, Stage.STUBS) and proven.stage is not least:
        told = f"the change {dream.id} is of kind {dream.kind}"
        raise Refused(f"{told}: not to be judged as {proven.stage.word}")
    if judgement.verdict is not Verdict.PROMOTE:
        reasons = "; ".join(r.reason for r in judgement.rulings if r.verdict is not Answer.PASS)
        raise Refused(f"the verdict on {dream.id} is {judgement.verdict}: {reasons or 'no ruling'}")
    if not dream.change.edits:
        raise Refused(f"the change {dream.id} changes nothing")


def _base(git: Git, proven: Proven) -> str | None:
    """The commit that the proof is about."""
    revision = proven.source.revision
    if revision is None:
        return None
    commit = git.resolve(revision)
    if proven.source.tree is not None and tree_of(git, commit) != proven.source.tree:
        raise Refused(f"the revision {revision!r} is not the tree that the change was proven on")
    return commit


def _promotion(
    proven: Proven,
    offer: Offer,
    *,
    branch: str | None = None,
    commit: str | None = None,
    patch: Path | None = None,
) -> Promotion:
    return Promotion(
        dream_id=proven.dream.id,
        kind=proven.dream.kind,
        title=proven.dream.title,
        status=PromotionStatus.OFFERED,
        created_at=offer.at,
        branch=branch,
        commit=commit,
        base=proven.source.revision,
        patch=None if patch is None else str(patch),
        bundle=None if offer.bundle is None else str(offer.bundle),
        roi=proven.roi,
        raroi=proven.raroi,
    )


def _patch_file(folder: Path, proven: Proven) -> Path:
    return folder / f"{proven.dream.id}.patch"


def _write_patch(proven: Proven, offer: Offer, change: Change, message: str) -> Promotion:
    """The change as a file, whole or not at all."""
    if offer.patches is None:
        raise Refused("this is no git repository, and no folder for patches was given")
    offer.patches.mkdir(parents=True, exist_ok=True)
    path = _patch_file(offer.patches, proven)
    part = path.with_suffix(f".{os.getpid()}.part")
    part.write_bytes(message.encode("utf-8", "replace") + b"---\n\n" + patch_of(change))
    part.replace(path)
    return _promotion(proven, offer, patch=path)
