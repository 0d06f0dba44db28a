"""What can be read: reports of cycles, proof bundles, submissions; and prompts for reviews."""

import json
import re
from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError

from reverie.errors import ReverieError
from reverie.interfaces.mcp.desk import Desk
from reverie.interfaces.mcp.submissions import FOLDER

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,63}")
_BUNDLES = "bundles"
_MOST_BYTES = 4 << 20
_JSON = "application/json"


def add_resources(server: MCPServer[Any], desk: Desk) -> None:
    """Reports, bundles and submissions by their address."""

    @server.resource("reverie://report", title="Report of the newest cycle", mime_type=_JSON)
    def newest_report() -> str:
        """What the newest cycle promoted and refused, on what evidence."""
        return _report(desk, None)

    @server.resource("reverie://report/{cycle}", title="Report of a cycle", mime_type=_JSON)
    def report(cycle: str) -> str:
        """What a cycle came to; its id, or the beginning of it."""
        return _report(desk, _checked(cycle))

    @server.resource("reverie://bundles", title="Proof bundles", mime_type=_JSON)
    def bundles() -> str:
        """The ids of the proof bundles that are here."""
        folder = desk.loaded.data_dir / _BUNDLES
        names = sorted(each.name for each in folder.iterdir()) if folder.is_dir() else []
        return json.dumps({"bundles": [name for name in names if _NAME.fullmatch(name)]})

    @server.resource("reverie://bundle/{dream}", title="Files of a proof bundle", mime_type=_JSON)
    def bundle(dream: str) -> str:
        """The files of one bundle, as text where they are text."""
        return _bundle(desk, _checked(dream))

    @server.resource("reverie://submission/{digest}", title="A submission", mime_type=_JSON)
    def submission(digest: str) -> str:
        """What was handed in, and the judgement on it."""
        place = desk.loaded.data_dir / FOLDER / f"{_checked(digest)}.json"
        if not place.is_file():
            raise ResourceNotFoundError(f"there is no submission {digest!r}")
        return place.read_text("utf-8")


def _checked(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise ResourceNotFoundError(f"{name!r} is no id")
    return name


def _report(desk: Desk, cycle: str | None) -> str:
    from reverie.cycle.report import report_document
    from reverie.store import Journal
    from reverie.store.cycle_queries import find_cycle, load_cycle

    url = desk.loaded.journal_url
    journal = None if url is None else Journal.find(url)
    if journal is None:
        raise ResourceNotFoundError("no cycle has run here: there is no journal")
    try:
        with journal:
            found = find_cycle(journal, desk.loaded.repository, cycle)
            document = report_document(load_cycle(journal, found))
    except ReverieError as error:
        raise ResourceNotFoundError(str(error)) from error
    return json.dumps(document, default=str)


def _bundle(desk: Desk, name: str) -> str:
    folder = desk.loaded.data_dir / _BUNDLES / name
    if not folder.is_dir() or folder.is_symlink():
        raise ResourceNotFoundError(f"there is no bundle {name!r}")
    files: dict[str, str | None] = {}
    left = _MOST_BYTES
    for place in sorted(folder.rglob("*")):
        if place.is_symlink() or not place.is_file():
            continue
        left -= place.stat().st_size
        if left < 0:
            raise ResourceError(f"the bundle {name!r} is larger than {_MOST_BYTES} bytes")
        try:
            files[place.relative_to(folder).as_posix()] = place.read_text("utf-8")
        except UnicodeDecodeError:
            files[place.relative_to(folder).as_posix()] = None
    return json.dumps({"id": name, "files": files})


def add_prompts(server: MCPServer[Any]) -> None:
    """Ways to ask that lead to proof."""

    @server.prompt(title="Review a change with proof")
    def review_change(stage: str = "B") -> str:
        """Review the uncommitted change by evidence rather than by reading alone."""
        return (
            f"Review my change as stage {stage}. Make a unified diff of it against HEAD, call "
            "guard_diff with it, and explain every ruling that is not `pass`, with what was "
            "measured and what was required. Where behaviour may have changed, call "
            "check_equivalence on the functions concerned and show the counterexample. Do not "
            "call a change good that the gates hold back."
        )

    @server.prompt(title="Strengthen the tests of a file")
    def strengthen_tests(path: str) -> str:
        """Kill the mutants that survive in one file."""
        return (
            f"Call mutation_score for {json.dumps(path)}. For each survivor write a test that "
            "fails on the mutant and passes on the code, or say why the mutant is equivalent. "
            "Hand the tests in with submit_dream as stage A, and repeat on what the verdict says."
        )

    @server.prompt(title="Make a function faster, and prove it")
    def speed_up(path: str, function: str) -> str:
        """A faster version that behaves the same."""
        return (
            f"Make {json.dumps(function)} in {json.dumps(path)} faster. Before you hand anything "
            "in, call check_equivalence between the old and the new version and repair every "
            "counterexample. Then hand the patch in with submit_dream as stage C."
        )
