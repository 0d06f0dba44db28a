"""The forge: a branch pushed and its merge asked for, and the verdict as one comment.

Pushed only when a person said so. The repository's configuration could name programs for that. So
the push starts from an empty repository of our own that borrows the objects, with the person's
settings and the address alone.

The comment is written and later updated by the forge's API. The event that a pipeline hands over
says which request it is; the token is the pipeline's own. The shape of the event is checked,
since a request's author chooses parts of it. Only a comment of our own is updated: anybody can
write one that carries the mark.
"""

import http.client
import json
import os
import re
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from reverie import __version__
from reverie.errors import GitFailed, Refused, UsageError, reason_of
from reverie.events.sinks import NoRedirect
from reverie.promotion.commits import one_line
from reverie.promotion.git import Git, run_asked
from reverie.promotion.scratch import scratch_folder

_ADDRESS = re.compile(
    r"(https?|ssh|git)://[^\s-][^\s]*|[\w.-]+@[\w.-]+:[^\s-][^\s]*|file://[^\s]+|/[^\s]+"
)
_CREDENTIALS = re.compile(r"(?<=://)[^/@\s]*@")
_TITLE_CHARACTERS = 200


def push(git: Git, branch: str, remote: str) -> str:
    """Push one branch to a remote, by its name there or an address; returns the address."""
    address = address_of(git, remote)
    commit = git.resolve(f"refs/heads/{branch}")
    with scratch_folder(avoid=git.folder) as folder:
        _borrow(git, folder)
        target = f"{commit}:refs/heads/{branch}"
        options = ("-c", "core.hooksPath=/dev/null", "-c", "protocol.ext.allow=never")
        run_asked("git", "-C", str(folder), *options, "push", "--", address, target, folder=folder)
    return _CREDENTIALS.sub("", address)


def open_request(git: Git, branch: str, remote: str, title: str, body: str) -> str:
    """Open a pull or merge request by the forge's own program; returns what it answers."""
    address = _CREDENTIALS.sub("", address_of(git, remote))
    subject = one_line(title, _TITLE_CHARACTERS)
    with scratch_folder(avoid=git.folder) as folder:
        if "gitlab" in address:
            answer = run_asked(
                *("glab", "mr", "create", "--repo", address, "--source-branch", branch),
                *("--title", subject, "--description", body, "--yes"),
                folder=folder,
            )
        else:
            answer = run_asked(
                *("gh", "pr", "create", "--repo", address, "--head", branch),
                *("--title", subject, "--body-file", "-"),
                folder=folder,
                stdin=body.encode("utf-8"),
            )
    return answer.decode("utf-8", "replace").strip()


def _borrow(git: Git, folder: Path) -> None:
    """An empty repository that finds the objects of another, a shallow one's edge included."""
    kind = git.run("rev-parse", "--show-object-format").decode("ascii").strip()
    quiet = ("init", "-q", "--bare", "--template=", f"--object-format={kind}")
    run_asked("git", *quiet, str(folder), folder=folder)
    common = git.common_dir
    alternates = folder / "objects" / "info" / "alternates"
    alternates.parent.mkdir(parents=True, exist_ok=True)
    alternates.write_bytes(os.fsencode(common / "objects") + b"\n")
    if (common / "shallow").is_file():
        (folder / "shallow").write_bytes((common / "shallow").read_bytes())


def address_of(git: Git, remote: str) -> str:
    """Where a remote is: an address as given, or the one that its name has here."""
    if _ADDRESS.fullmatch(remote):
        return remote
    try:
        told = git.run("config", "--get", f"remote.{remote}.url").decode("utf-8").strip()
    except (GitFailed, UnicodeDecodeError):
        raise UsageError(f"there is no remote {remote!r}") from None
    if not _ADDRESS.fullmatch(told):
        raise Refused(f"the address of {remote!r} is none that is pushed to: {told!r}")
    return told


MARK = "<!-- reverie guard -->"
GITLAB = "gitlab"
_GITHUB_API = "https://api.github.com"
_LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
_COMMIT = re.compile(r"[0-9a-f]{40}([0-9a-f]{24})?")
_SLUG = re.compile(r"[\w.-]+/[\w.-]+")
_EVENT_BYTES = 8 << 20
_ANSWER_BYTES = 4 << 20
_SECONDS = 30.0
_PAGES = 10
_MOST_CHARACTERS = 60_000


class Forge(StrEnum):
    """Whose comments they are."""

    GITHUB = "github"
    GITLAB = "gitlab"


class NotPosted(Exception):
    """The forge did not take a comment; says nothing about the change."""


@dataclass(frozen=True, slots=True)
class PullRequest:
    """A pull or merge request: its two ends, and where its comments are."""

    forge: Forge
    base: str
    head: str
    api: str
    project: str
    """Below the API: `repos/ada/shop`, or `projects/17`."""
    number: int
    token: str = field(repr=False, default="")

    def post(self, text: str) -> str:
        """Write the comment, or update the one that is there; returns its address."""
        body = {"body": f"{MARK}\n{text[:_MOST_CHARACTERS]}"}
        own = self._own_comment()
        if own is None:
            answer = self._ask("POST", self._comments, body)
        elif self.forge is Forge.GITHUB:
            answer = self._ask("PATCH", f"{self.project}/issues/comments/{own}", body)
        else:
            answer = self._ask("PUT", f"{self._comments}/{own}", body)
        return str(answer.get("html_url") or answer.get("id") or "")

    @property
    def _comments(self) -> str:
        if self.forge is Forge.GITHUB:
            return f"{self.project}/issues/{self.number}/comments"
        return f"{self.project}/merge_requests/{self.number}/notes"

    def _own_comment(self) -> int | None:
        """The number of our comment, if there is one."""
        myself = None if self.forge is Forge.GITHUB else self._ask("GET", "user").get("id")
        for page in range(1, _PAGES + 1):
            listed = self._ask("GET", f"{self._comments}?per_page=100&page={page}")
            found = [each for each in listed if self._is_own(each, myself)]
            if found:
                return int(found[0]["id"])
            if len(listed) < 100:
                return None
        return None

    def _is_own(self, comment: Any, myself: object) -> bool:
        if not str(comment.get("body") or "").startswith(MARK):
            return False
        if self.forge is Forge.GITHUB:
            return bool((comment.get("user") or {}).get("type") == "Bot")
        return bool((comment.get("author") or {}).get("id") == myself)

    def _ask(self, method: str, path: str, body: Mapping[str, str] | None = None) -> Any:
        content = None if body is None else json.dumps(body).encode("utf-8")
        request = urllib.request.Request(
            f"{self.api}/{path}", content, self._headers(), method=method
        )
        host = urlsplit(self.api).hostname
        try:
            opener = urllib.request.build_opener(NoRedirect)
            with opener.open(request, timeout=_SECONDS) as answer:
                return json.loads(answer.read(_ANSWER_BYTES))
        except urllib.error.HTTPError as error:
            error.close()
            raise NotPosted(f"{host} answered {error.code}") from None
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise NotPosted(f"{host}: {error}") from None

    def _headers(self) -> dict[str, str]:
        shown = {"Content-Type": "application/json", "User-Agent": f"reverie/{__version__}"}
        if self.forge is Forge.GITLAB:
            return {**shown, "PRIVATE-TOKEN": self.token}
        accepted = "application/vnd.github+json"
        return {**shown, "Accept": accepted, "Authorization": f"Bearer {self.token}"}


def read_request(event: str, environ: Mapping[str, str]) -> PullRequest:
    """The request that a pipeline runs for: a GitHub event file, or `gitlab` and its variables."""
    return _of_gitlab(environ) if event == GITLAB else _of_github(event, environ)


def _of_github(event: str, environ: Mapping[str, str]) -> PullRequest:
    document = _document(event)
    request = document.get("pull_request")
    slug = _inner(document, "repository", "full_name")
    if not isinstance(request, dict):
        raise UsageError(f"{event!r} is no event of a pull request")
    if not isinstance(slug, str) or not _SLUG.fullmatch(slug):
        raise UsageError(f"{event!r} names no repository")
    return PullRequest(
        Forge.GITHUB,
        _commit(_inner(request, "base", "sha"), event),
        _commit(_inner(request, "head", "sha"), event),
        _api(environ.get("GITHUB_API_URL") or _GITHUB_API),
        f"repos/{slug}",
        _number(request.get("number"), event),
        environ.get("GITHUB_TOKEN", ""),
    )


def _of_gitlab(environ: Mapping[str, str]) -> PullRequest:
    def told(name: str) -> str:
        if not environ.get(name):
            raise UsageError(f"{name} is not set: this is no pipeline of a merge request")
        return environ[name]

    return PullRequest(
        Forge.GITLAB,
        _commit(told("CI_MERGE_REQUEST_DIFF_BASE_SHA"), "CI_MERGE_REQUEST_DIFF_BASE_SHA"),
        _commit(told("CI_COMMIT_SHA"), "CI_COMMIT_SHA"),
        _api(told("CI_API_V4_URL")),
        f"projects/{_number(told('CI_PROJECT_ID'), 'CI_PROJECT_ID')}",
        _number(told("CI_MERGE_REQUEST_IID"), "CI_MERGE_REQUEST_IID"),
        environ.get("GITLAB_TOKEN", ""),
    )


def _document(path: str) -> dict[str, Any]:
    try:
        with Path(path).open("rb") as stream:
            document = json.loads(stream.read(_EVENT_BYTES))
    except OSError as error:
        raise UsageError(f"cannot read {path!r}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path!r} is no JSON: {reason_of(error)}") from error
    if not isinstance(document, dict):
        raise UsageError(f"{path!r} is no event of a pull request")
    return document


def _inner(document: Mapping[str, Any], name: str, key: str) -> object:
    inner = document.get(name)
    return inner.get(key) if isinstance(inner, dict) else None


def _commit(given: object, place: str) -> str:
    if not isinstance(given, str) or not _COMMIT.fullmatch(given):
        raise UsageError(f"{place!r} names no commit: {given!r}")
    return given


def _number(given: object, place: str) -> int:
    if not str(given).isascii() or not str(given).isdigit():
        raise UsageError(f"{place!r} names no number: {given!r}")
    return int(str(given))


def _api(address: str) -> str:
    """The address of the API; a token goes over plain HTTP to this machine only."""
    place = urlsplit(address)
    is_here = place.scheme == "http" and place.hostname in _LOOPBACK
    if not (place.scheme == "https" and place.hostname) and not is_here:
        raise UsageError(f"a comment is sent over https, not to {address!r}")
    return address.rstrip("/")
