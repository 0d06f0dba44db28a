"""Takes a promotion back: it leaves its branch while that is only ours, or a commit reverts it.

A revert that cannot go onto our own branch goes onto a new one, for people to merge: nothing here
commits to a branch of theirs.
"""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from reverie.errors import GitFailed, Refused
from reverie.model.cycle import Promotion, PromotionStatus, Rollback
from reverie.promotion.applying import reverted_tree
from reverie.promotion.branches import Branches
from reverie.promotion.commits import commit_tree, revert_message
from reverie.promotion.git import Git
from reverie.promotion.promoter import Offer, Promoter
from reverie.promotion.scratch import held_alone
from reverie.promotion.trees import tree_of


def roll_back(
    promoter: Promoter, promotion: Promotion, at: datetime, why: str = "", group: str = ""
) -> Rollback:
    """Undo one promotion; `Refused` when later changes stand on it.

    Reverts for people to merge that share a `group` are on one branch, one after another.
    """
    if promotion.status is PromotionStatus.ROLLED_BACK:
        raise Refused(f"the promotion of {promotion.dream_id} was rolled back already")
    git = Git.find(promoter.repository)
    if git is None or promotion.commit is None:
        return _remove_patch(promotion, at)
    with held_alone(str(git.common_dir), "a promotion", promoter.section.lock_seconds):
        return _Undoing(promoter, git, promotion, promotion.commit, at, why, group).run()


def status_of(promoter: Promoter, promotion: Promotion) -> PromotionStatus:
    """Where a promotion stands by what git has: somebody's branch may have it by now."""
    git = Git.find(promoter.repository)
    if git is None or promotion.commit is None or git.find_commit(promotion.commit) is None:
        return promotion.status
    ours = {f"refs/heads/{name}" for name in promoter.branches(git).ours()}
    holders = set(promoter.branches(git).containing(promotion.commit)) - ours
    is_offered = promotion.status is PromotionStatus.OFFERED
    return PromotionStatus.MERGED if is_offered and holders else promotion.status


@dataclass(frozen=True, slots=True)
class _Undoing:
    promoter: Promoter
    git: Git
    promotion: Promotion
    commit: str
    at: datetime
    why: str
    group: str

    @property
    def branches(self) -> Branches:
        return self.promoter.branches(self.git)

    def run(self) -> Rollback:
        if self.git.find_commit(self.commit) is None:
            raise Refused(f"the repository no longer has the commit {self.commit}")
        branch = self.promotion.branch or ""
        tip = self.branches.tip(branch) if branch else None
        is_free = tip is not None and not self.branches.is_checked_out(branch)
        holders = [ref for ref in self.branches.containing(self.commit) if not self._is_ours(ref)]
        if tip is not None and is_free and not holders:
            if tip == self.commit:
                self._leave(branch, tip)
                return self._told(branch, None)
            return self._revert(branch, tip, tip)
        return self._revert_for_people(holders)

    def _leave(self, branch: str, tip: str) -> None:
        """Off the tip of our branch; the last one takes the branch along."""
        parent = self._parent()
        ours = {f"refs/heads/{name}" for name in self.branches.ours()}
        is_last = parent is None or bool(set(self.branches.containing(parent)) - ours)
        if parent is None or is_last or parent == self.git.find_commit("HEAD"):
            self.branches.remove(branch, tip)
        else:
            why = f"reverie: take back {self.promotion.dream_id}"
            self.branches.move(branch, parent, tip, why)

    def _is_ours(self, ref: str) -> bool:
        return ref == f"refs/heads/{self.promotion.branch}"

    def _parent(self) -> str | None:
        return self.git.find_commit(f"{self.commit}^")

    def _revert_for_people(self, holders: list[str]) -> Rollback:
        """On top of what people have, on a branch of its own."""
        head = self.git.find_commit("HEAD")
        local = [ref for ref in holders if ref.startswith("refs/heads/")]
        onto = head if head is not None and self._is_in(head) else None
        if onto is None and local:
            onto = self.git.resolve(local[0])
        onto = onto or head
        if onto is None:
            raise Refused(f"no branch has the commit {self.commit}: there is nothing to roll back")
        branch = f"{self.branches.prefix}/rollback-{self.group or self.promotion.dream_id}"
        tip = self.branches.tip(branch)
        if self.group and tip is not None:
            onto = tip
        return self._revert(branch, onto, tip)

    def _is_in(self, commit: str) -> bool:
        try:
            self.git.run("merge-base", "--is-ancestor", self.commit, commit)
        except GitFailed:
            return False
        return True

    def _revert(self, branch: str, onto: str, expected: str | None) -> Rollback:
        tree = reverted_tree(self.git, self.commit, onto)
        if tree == tree_of(self.git, onto):
            raise Refused(f"{onto[:12]} does not have what {self.promotion.dream_id} changed")
        message = revert_message(
            self.promotion.title, self.promotion.dream_id, self.commit, self.why
        )
        author = self.promoter.author(Offer(self.at))
        commit = commit_tree(self.git, tree, onto, message, author)
        why = f"reverie: roll back {self.promotion.dream_id}"
        self.branches.move(branch, commit, expected, why)
        return self._told(branch, commit)

    def _told(self, branch: str, commit: str | None) -> Rollback:
        return Rollback(self.promotion.dream_id, branch, commit, self.at)


def _remove_patch(promotion: Promotion, at: datetime) -> Rollback:
    if promotion.patch is None:
        raise Refused(f"the promotion of {promotion.dream_id} left neither a commit nor a patch")
    Path(promotion.patch).unlink(missing_ok=True)
    return Rollback(promotion.dream_id, None, None, at)
