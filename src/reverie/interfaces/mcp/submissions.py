"""What agents hand in: a change to be judged, or a procedure for the dream journal."""

import ast
import json
from dataclasses import replace
from typing import Annotated, Any

from mcp.server.mcpserver import MCPServer
from pydantic import Field

from reverie.errors import UsageError
from reverie.interfaces.mcp.answers import JudgementAnswer, Submitted
from reverie.interfaces.mcp.desk import Ctx, Desk, Progress
from reverie.interfaces.mcp.dream_tools import ADDS, asked
from reverie.interfaces.mcp.proof_tools import MOST_PATCH, judge_patch

FOLDER = "submissions"
_MOST_CODE = 200_000
_STATUS = {"promote": "proven", "pilot": "pilot", "borderline": "borderline", "reject": "rejected"}


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
        author: Annotated[str, Field(min_length=1, max_length=60)] = "agent",
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
    is_kept = _keep(desk, digest, {"title": title, "author": author, "patch": patch}, judgement)
    return Submitted(
        id=digest,
        kind="change",
        status=_STATUS[judgement.verdict],
        judgement=judgement,
        resource=f"reverie://submission/{digest}" if is_kept else None,
    )


def _keep(desk: Desk, digest: str, about: dict[str, str], judgement: JudgementAnswer) -> bool:
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
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise UsageError(f"code: it does not parse: {error}") from error
    names = [each.name for each in tree.body if isinstance(each, ast.FunctionDef)]
    if entry is None and len(names) == 1:
        return names[0]
    if entry not in names:
        raise UsageError(f"entry: {entry!r} is no function of the code")
    return entry
