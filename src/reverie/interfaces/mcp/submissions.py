"""Changes and procedures that agents hand in; and resources and prompts that they can read.

A change is judged, a procedure goes into the dream journal. To be read are reports of cycles,
proof bundles and submissions; the prompts are for reviews.
"""

import ast
import json
import re
from dataclasses import replace
from typing import Annotated, Any

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError
from pydantic import Field

from reverie.errors import ReverieError, UsageError
from reverie.interfaces.mcp.answers import JudgementAnswer, Submitted
from reverie.interfaces.mcp.copies import MOST_PATCH
from reverie.interfaces.mcp.desk import Ctx, Desk, Progress
from reverie.interfaces.mcp.dream_tools import ADDS, asked
from reverie.interfaces.mcp.proof_tools import judge_patch
from reverie.promotion import BUNDLES
from reverie.syntax.parsing import NOT_PYTHON, parse_module

FOLDER = "submissions"
_MOST_CODE = 200_000
STATUS = {"promote": "proven", "pilot": "pilot", "borderline": "borderline", "reject": "rejected"}


def add_submission_tools(server: MCPServer[Any], desk: Desk) -> None:
    """The tool that agents hand their work in with."""

    @server.tool(title="Hand in a dream", annotations=ADDS)
    async def submit_dream(
        ctx: Ctx,
        title: Annotated[str, Field(min_length=1, max_length=200, description="What it does")],
        patch: Annotated[
            str | None, Field(max_length=MOST_PATCH, description="A unified diff against HEAD")
        ] = None,
        stage: Annotated[
            str | None, Field(description="What the patch claims to be: A, B, C")
        ] = None,
        code: Annotated[
            str | None, Field(max_length=_MOST_CODE, description="Or a procedure, on its own")
        ] = None,
        entry: Annotated[str | None, Field(description="The function of the code")] = None,
        base_procedure: Annotated[
            str | None, Field(description="module:function that it is a variant of")
        ] = None,
        author: Annotated[
            str, Field(min_length=1, max_length=60, description="Who made it")
        ] = "agent",
    ) -> Submitted:
        """Hand in a patch and get the verdict with its evidence, or a procedure for the journal.

        A patch is judged at once like anybody's; nothing is merged. A procedure waits in the
        journal for its evaluation and test.
        """

        def job(_: Progress) -> Submitted:
            if (patch is None) == (code is None):
                raise UsageError("hand in a patch with its stage, or code with its entry")
            if patch is not None:
                if stage is None:
                    raise UsageError("stage: say what the patch claims to be: A, B or C")
                return _change(desk, title, patch, stage, author)
            return _procedure(desk, title, code or "", entry, base_procedure, author)

        return await desk.work(ctx, job)


def _change(desk: Desk, title: str, patch: str, stage: str, author: str) -> Submitted:
    import hashlib

    judgement = judge_patch(desk, patch, stage, "HEAD", static=False)
    told = "\0".join((stage, patch)).encode("utf-8", "surrogatepass")
    digest = hashlib.sha256(told).hexdigest()[:16]
    is_kept = keep_submission(
        desk, digest, {"title": title, "author": author, "patch": patch}, judgement
    )
    return Submitted(
        id=digest,
        kind="change",
        status=STATUS[judgement.verdict],
        judgement=judgement,
        resource=f"reverie://submission/{digest}" if is_kept else None,
    )


def keep_submission(
    desk: Desk, digest: str, about: dict[str, str], judgement: JudgementAnswer
) -> bool:
    """Kept in the data folder of a repository that has one; never made by the way."""
    if not desk.loaded.is_initialised:
        return False
    folder = desk.loaded.data_dir / FOLDER
    document = {"id": digest, **about, "judgement": judgement.model_dump()}
    try:
        folder.mkdir(exist_ok=True)
        (folder / f"{digest}.json").write_text(json.dumps(document, indent=2), "utf-8")
    except OSError as error:
        raise UsageError(f"cannot write to {str(folder)!r}: {error.strerror}") from error
    return True


def _procedure(
    desk: Desk, title: str, code: str, entry: str | None, base: str | None, author: str
) -> Submitted:
    from reverie.bootstrap.dreams import find_procedures
    from reverie.model.procedure import DreamProcedure, DreamType

    dream = DreamProcedure(
        code=code,
        entry=_entry(code, entry),
        dream_type=DreamType.CONTRIBUTED,
        dreamer=f"contributed/{author}",
        title=" ".join(title.split()),
        repository=str(desk.repository),
    )
    if base is not None:
        if ".py" in base or "/" in base:
            raise UsageError(f"base_procedure: {base!r} is not of the form module:function")
        named = find_procedures(desk.repository, desk.loaded.settings, [base])
        if len(named) != 1 or named[0].name != dream.entry:
            raise UsageError(f"base_procedure: it must name a function {dream.entry!r}")
        (of,) = named
        dream = replace(
            dream, base_procedure=of.base, base_code=of.code, import_roots=of.import_roots
        )
    number = asked(desk, lambda store: store.store_dream(dream))
    kept = asked(desk, lambda store: store.get_dream(number))
    return Submitted(
        id=str(number), kind="procedure", status=str(kept.status), judgement=None, resource=None
    )


def _entry(code: str, entry: str | None) -> str:
    try:
        tree = parse_module(code)
    except NOT_PYTHON as error:
        raise UsageError(f"code: it does not parse: {error}") from error
    names = [each.name for each in tree.body if isinstance(each, ast.FunctionDef)]
    if entry is None and len(names) == 1:
        return names[0]
    if entry not in names:
        raise UsageError(f"entry: {entry!r} is no function of the code")
    return entry


_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,63}")
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
        folder = desk.loaded.data_dir / BUNDLES
        names = sorted(each.name for each in folder.iterdir()) if folder.is_dir() else []
        return json.dumps({"bundles": [name for name in names if _NAME.fullmatch(name)]})

    @server.resource("reverie://bundle/{dream}", title="Files of a proof bundle", mime_type=_JSON)
    def bundle(dream: str) -> str:
        """The files of one bundle, as text where they are text."""
        return _bundle(desk, _checked(dream))

    @server.resource("reverie://answer/{name}/{page}", title="A whole answer", mime_type=_JSON)
    def answer(name: str, page: str) -> str:
        """What did not fit into an answer, page by page."""
        found = desk.shelf.page(_checked(name), int(page)) if page.isdecimal() else None
        if found is None:
            raise ResourceNotFoundError(f"there is no page {page!r} of an answer {name!r}")
        return found

    @server.resource("reverie://task/{task}", title="A task and its checks", mime_type=_JSON)
    def task(task: str) -> str:
        """A task of this server: every check with its rulings and measurements."""
        found = desk.tasks.get(_checked(task))
        if found is None:
            raise ResourceNotFoundError(f"there is no task {task!r}")
        return json.dumps(found.document(), indent=1)

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
    from reverie.cycle.report.document import report_document
    from reverie.store import Journal
    from reverie.store.cycles.cycles import find_cycle, load_cycle

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
    folder = desk.loaded.data_dir / BUNDLES / name
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
            f"Review my change as stage {stage}: call start_task with that stage, then check with "
            "the task it gives, and explain every ruling that is not `pass`, with what was "
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
            "Call start_task with stage A (tests) and that path first; check until it passes, then "
            "submit."
        )

    @server.prompt(title="Make a function faster, and prove it")
    def speed_up(path: str, function: str) -> str:
        """A faster version that behaves the same."""
        return (
            f"Make {json.dumps(function)} in {json.dumps(path)} faster. Call start_task with stage "
            "C and that path; callers and profile show what matters. Before you hand anything "
            "in, call check_equivalence between the old and the new version and repair every "
            "counterexample. Then check until it passes, and submit."
        )
