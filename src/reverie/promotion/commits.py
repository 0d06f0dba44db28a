"""Commits made by plumbing alone, whose message says what they bring and names the proof.

The body says how that was proven and how to check it again. Names come from the repository, so
only identifiers are told: a file's name may hold any sentence.
"""

import re
import shlex
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from reverie.model.cycle import Proven
from reverie.model.dream import Stage
from reverie.model.measurements.equivalence import SAME_PROGRAM
from reverie.model.ruling import Evidence
from reverie.model.worth import counted, listed
from reverie.promotion.git import Git
from reverie.syntax.nodes import is_dotted

_WIDTH = 72
_PROVEN = "equivalence.proven"


def account_of(proven: Proven, more: str, bundle: str | None) -> str:
    """Paragraphs for a person who decides whether to merge; `more` is what the subject left."""
    found = proven.evidence
    if proven.stage in (Stage.A, Stage.INTEGRATION, Stage.STUBS):
        sentences = [*_protects(found), *_stands_firm(found)]
    else:
        sentences = [*_gains_speed(found), *_behaves(found), *_keeps_tests(found)]
    proof = " ".join(filter(None, (more, *sentences)))
    again = f"Check it again: reverie verify {bundle}" if bundle else ""
    return "\n\n".join(_wrapped(each) for each in (proof, again) if each)


def _wrapped(paragraph: str) -> str:
    return textwrap.fill(paragraph, _WIDTH, break_long_words=False, break_on_hyphens=False)


# -- tests --------------------------------------------------------------------------------------


def _protects(found: Evidence) -> Iterator[str]:
    killed, judged = found.get("mutants.newly_killed"), found.get("mutants.judged")
    if killed:
        of = "" if judged is None else f" (of {judged:.0f} tried)"
        where = listed(_functions(found.details.get("mutants.newly_killed", ())))
        named = f" in {where}" if where else ""
        faults = counted(killed, "fault", "faults")
        yield f"Notices {faults} planted{named} that no test noticed before{of}."
    before, after = found.get("coverage.lines.before"), found.get("coverage.lines.after")
    if before is not None and after is not None and after > before:
        yield f"Tests now run {_share(after)} of the project's lines, {_share(before)} before."


def _stands_firm(found: Evidence) -> Iterator[str]:
    new, runs = found.get("tests.new"), found.get("tests.passed_runs")
    if runs:
        who = "The new tests" if not new else f"The {counted(new, 'new test', 'new tests')}"
        how = "under another order, hash seed and clock each time"
        yield f"{who} passed {counted(runs, 'run', 'runs')}, {how}."
    noticed, killed = found.get("mutants.killed_by_assertion"), found.get("mutants.newly_killed")
    if noticed and noticed == killed:
        yield "It is their assertions that notice: without them every such fault passes."


def _functions(mutants: Iterable[str]) -> list[str]:
    """Of `file::function::operator::occurrence`: the functions, those with most mutants first."""
    names = [each.split("::")[1] for each in mutants if each.count("::") >= 2]
    known = [name for name in names if is_dotted(name)]
    return sorted(dict.fromkeys(known), key=lambda name: -known.count(name))


# -- code ---------------------------------------------------------------------------------------


def _gains_speed(found: Evidence) -> Iterator[str]:
    median, tail = found.get("speed.p50"), found.get("speed.p95")
    if median is None:
        return
    names = _names(found.details.get("speed.faster", ()), 0)
    who = f"{listed(names)} {'is' if len(names) == 1 else 'are'}" if names else "It is"
    slow = "" if tail is None else f", {tail:.2g} times at the 95th percentile"
    how = "lower ends of 95 % intervals, CPU time, old and new side by side"
    yield f"{who} at least {median:.2g} times as fast at the median{slow} ({how})."
    memory = found.get("memory.ratio")
    if memory is not None:
        yield "It needs no more memory." if memory <= 1 else f"Memory: {memory:.2g} times as much."


def _behaves(found: Evidence) -> Iterator[str]:
    alike = _names(found.details.get("equivalence.equivalent", ()), 1)
    proven = set(_names(found.details.get(_PROVEN, ()), 1))
    tried = [name for name in alike if name not in proven]
    shown = [name for name in alike if name in proven]
    files = sum(each.endswith(f": {SAME_PROGRAM}") for each in found.details.get(_PROVEN, ()))
    if files and files == found.get("equivalence.callables"):
        yield "It is the same program as before, as the code itself shows."
    if shown:
        verb = "takes" if len(shown) == 1 else "take"
        yield f"{listed(shown)} {verb} the same steps as before, as the code itself shows."
    if tried:
        same = "the same results, errors and effects"
        yield f"On generated inputs old and new {listed(tried)} gave {same}."


def _keeps_tests(found: Evidence) -> Iterator[str]:
    tests, lost = found.get("suite.tests"), found.get("suite.newly_failing")
    before, after = found.get("mutants.score.before"), found.get("mutants.score.after")
    if tests and lost == 0:
        scores = ""
        if before is not None and after is not None:
            scores = f" and notice {_share(after)} of the planted faults, {_share(before)} before"
        yield f"The {counted(tests, 'test', 'tests')} of the suite pass as before{scores}."
    removed = found.get("complexity.removed")
    if removed:
        yield f"{counted(removed, 'decision', 'decisions')} fewer to follow."


def _names(places: Iterable[str], part: int) -> list[str]:
    """The names in `path:name` (part 1) or `name: reason` (part 0)."""
    parts = [each.split(":")[part].strip() for each in places if each.count(":") >= part]
    return [name for name in dict.fromkeys(parts) if is_dotted(name)]


def _share(value: float) -> str:
    return f"{100 * value:.0f} %"


DREAM_TRAILER = "Reverie-Dream"
_SUBJECT_CHARACTERS = 100
_TITLE_CHARACTERS = 200
_SHOWN_CHARACTERS = 72
_VALUE_CHARACTERS = 400


@dataclass(frozen=True, slots=True)
class CommitAuthor:
    """Who makes a commit, when, and with which key it is signed, if any.

    `key`: `ssh:FILE`, or what gpg knows a key by. Only ever what a person asked for.
    """

    name: str
    email: str
    moment: datetime
    key: str | None = None

    def variables(self) -> dict[str, str]:
        """As git wants to be told."""
        when = f"{int(self.moment.timestamp())} +0000"
        told = {"NAME": self.name, "EMAIL": self.email, "DATE": when}
        return {f"GIT_{who}_{key}": told[key] for who in ("AUTHOR", "COMMITTER") for key in told}


def commit_tree(git: Git, tree: str, parent: str | None, message: str, author: CommitAuthor) -> str:
    """What git calls a new commit. No branch has it yet."""
    parents = () if parent is None else ("-p", parent)
    named = git.with_variables(author.variables())
    given = message.encode("utf-8", "replace")
    if author.key is not None:
        named = named.with_user_keys()
    how = (*_signing(author.key), tree, *parents, "-F", "-")
    return named.run(*how, stdin=given).decode("ascii").strip()


def promotion_message(
    proven: Proven, digest: str | None, bundle: Path | None, repository: Path
) -> str:
    """Subject, an account for people, and the few trailers that programs read.

    The evidence itself is in the bundle; a commit is read by people, for years.
    """
    dream = proven.dream
    trailers = [
        (DREAM_TRAILER, dream.id),
        ("Reverie-Kind", f"{dream.kind} (stage {proven.stage})"),
        ("Reverie-Module", dream.module),
        ("Reverie-Base", proven.source.revision or "none"),
    ]
    trailers += [("Reverie-Warning", each) for each in proven.warnings]
    if digest is not None:
        trailers.append(("Reverie-Bundle", digest))
    told = "\n".join(f"{key}: {one_line(value, _VALUE_CHARACTERS)}" for key, value in trailers)
    subject, more = _subject(dream.title)
    parts = (subject, account_of(proven, more, _place(bundle, repository)), told)
    return "\n\n".join(filter(None, parts)) + "\n"


def revert_message(title: str, dream_id: str, commit: str, why: str) -> str:
    """As git writes one, with the reason and our trailer."""
    reason = f"{one_line(why, _VALUE_CHARACTERS)}\n\n" if why else ""
    return (
        f'Revert "{one_line(title, _SUBJECT_CHARACTERS)}"\n\n'
        f"This reverts commit {commit}.\n\n{reason}"
        f"Reverie-Rollback: {one_line(dream_id, _VALUE_CHARACTERS)}\n"
    )


def find_promoted(
    git: Git, prefix: str, dream_id: str, base: str | None
) -> Iterator[tuple[str, str]]:
    """Branch and commit wherever a dream is promoted already, and not taken back.

    Only what came after `base` is looked at: a dream is never committed before its own source.
    """
    wanted = f"%S%x00%H%x00%(trailers:key={DREAM_TRAILER},valueonly,separator=%x2C)%x00"
    asked = ("log", "--no-show-signature", f"--format={wanted}", f"--branches={prefix}/*")
    grep = ("--fixed-strings", f"--grep={DREAM_TRAILER}: {dream_id}")
    since = () if base is None else ("--not", base)
    words = git.run(*asked, *grep, *since).decode("utf-8", "replace").split("\0")
    for ref, commit, value in zip(words[::3], words[1::3], words[2::3], strict=False):
        branch = ref.strip().removeprefix("refs/heads/")
        if value.strip() == dream_id and not _is_reverted(git, branch, commit):
            yield branch, commit


def one_line(text: str, limit: int) -> str:
    """Text that stays on its line and shows itself whole: no control, no hidden character."""
    plain = "".join(char if char.isprintable() else " " for char in text)
    plain = re.sub(r"\s+", " ", plain).strip()
    return plain if len(plain) <= limit else f"{plain[: limit - 1]}…"


def _subject(title: str) -> tuple[str, str]:
    """A subject that `git log` shows whole, and what of a long title goes into the body."""
    line = one_line(title, _TITLE_CHARACTERS)
    what, colon, how = line.partition(": ")
    if len(line) <= _SHOWN_CHARACTERS or not colon or len(how) < len(what):
        return one_line(line, _SUBJECT_CHARACTERS), ""
    return one_line(what, _SUBJECT_CHARACTERS), f"{how[:1].upper()}{how[1:]}."


def _place(bundle: Path | None, repository: Path) -> str | None:
    """Where a bundle is, as one would type it in the repository."""
    if bundle is None:
        return None
    inside = bundle.relative_to(repository) if bundle.is_relative_to(repository) else bundle
    return one_line(shlex.quote(inside.as_posix()), _VALUE_CHARACTERS)


def _is_reverted(git: Git, branch: str, commit: str) -> bool:
    asked = ("log", "--no-show-signature", "--format=%H", "-n1", "--fixed-strings")
    found = git.run(
        *asked, f"--grep=This reverts commit {commit}.", f"{commit}..refs/heads/{branch}"
    )
    return bool(found.strip())


def _signing(key: str | None) -> tuple[str, ...]:
    """The command, with what signs it. Programs are named here and never by the repository."""
    if key is None:
        return ("commit-tree", "--no-gpg-sign")
    if key.startswith("ssh:"):
        ssh = ("-c", "gpg.format=ssh", "-c", "gpg.ssh.program=ssh-keygen")
        return (*ssh, "commit-tree", f"-S{key.removeprefix('ssh:')}")
    gpg = ("-c", "gpg.format=openpgp", "-c", "gpg.openpgp.program=gpg", "-c", "gpg.program=gpg")
    return (*gpg, "commit-tree", f"-S{key}")
