"""Tools on code: run it, check it, compare it, and find it."""

from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Any

from mcp.server.mcpserver import MCPServer
from mcp_types import ToolAnnotations
from pydantic import Field

from reverie.errors import UsageError
from reverie.interfaces.mcp.answers import (
    Checked,
    Compared,
    FoundFunction,
    FoundFunctions,
    MappedModule,
    Ran,
    RepositoryMap,
    SafetyFinding,
)
from reverie.interfaces.mcp.desk import Ctx, Desk, Progress
from reverie.model.codec import plain

LOOKS = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
_MOST_MODULES = 2000


def add_code_tools(server: MCPServer[Any], desk: Desk) -> None:
    """The tools that work on pieces of code and on the index."""
    for tool in (_run_tool, _check_tool, _equivalence_tool, _find_tool, _map_tool):
        tool(server, desk)


def _run_tool(server: MCPServer[Any], desk: Desk) -> None:
    @server.tool(title="Run code in the sandbox", annotations=LOOKS)
    async def run_in_sandbox(
        ctx: Ctx,
        code: Annotated[str, Field(description="Python source")],
        entry: Annotated[str | None, Field(description="Function to call; else a script")] = None,
        params: Annotated[dict[str, Any] | None, Field(description="Its arguments")] = None,
        timeout_s: Annotated[float | None, Field(gt=0, description="At most the setting's")] = None,
        memory_mb: Annotated[int | None, Field(gt=0, description="At most the setting's")] = None,
    ) -> Ran:
        """Run Python that nobody trusts: no network, no files, bounded time and memory."""

        def job(_: Progress) -> Ran:
            return _run(desk, code, entry, params or {}, timeout_s, memory_mb)

        return await desk.work(ctx, job)


def _run(
    desk: Desk,
    code: str,
    entry: str | None,
    params: dict[str, Any],
    timeout_s: float | None,
    memory_mb: int | None,
) -> Ran:
    from reverie.bootstrap import open_sandbox
    from reverie.model.execution import Call, Request, Script
    from reverie.model.units import MIB

    section = desk.loaded.settings.sandbox
    limits = section.limits()
    limits = replace(
        limits,
        wall_seconds=min(timeout_s or limits.wall_seconds, limits.wall_seconds),
        memory_bytes=min((memory_mb or 1 << 40) * MIB, limits.memory_bytes),
    )
    target = Script(code, params=params) if entry is None else Call(code, entry, params)
    with open_sandbox(section, python=desk.found()) as sandbox:
        done = sandbox.run(Request(target, limits, sandbox.section.policy()))
    return Ran(
        outcome=done.outcome,
        error_category=done.error_category,
        output=done.output,
        error=None if done.error is None else done.error.message,
        traceback=None if done.error is None else done.error.traceback,
        stdout=done.stdout,
        stderr=done.stderr,
        duration_ms=round(done.duration_ms, 3),
        isolation=done.isolation,
    )


def _check_tool(server: MCPServer[Any], desk: Desk) -> None:
    @server.tool(title="Check code against the safety rules", annotations=LOOKS)
    async def check_code(
        ctx: Ctx,
        code: Annotated[str, Field(description="Python source; nothing of it is run")],
        tier: Annotated[str, Field(description="sandbox, testing, trusted or core")] = "sandbox",
    ) -> Checked:
        """Say what a piece of source would do that the safety rules object to."""

        def job(_: Progress) -> Checked:
            return _check(desk, code, tier)

        return await desk.work(ctx, job)


def _check(desk: Desk, code: str, tier: str) -> Checked:
    from reverie.bootstrap import rules_in_force
    from reverie.model.outcome import TrustTier
    from reverie.sandbox.safety import check_source

    if tier not in list(TrustTier):
        raise UsageError(f"tier: {tier!r} is none of {', '.join(TrustTier)}")
    rules = rules_in_force(desk.loaded.settings.safety)
    checked = check_source(code, "<source>", TrustTier(tier), rules)
    findings = [
        SafetyFinding(
            rule=each.rule,
            severity=str(each.severity),
            line=each.line,
            column=each.column,
            message=each.message,
        )
        for each in checked.findings
    ]
    return Checked(passed=checked.passed, findings=findings)


def _equivalence_tool(server: MCPServer[Any], desk: Desk) -> None:
    @server.tool(title="Compare two versions of a callable", annotations=LOOKS)
    async def check_equivalence(
        ctx: Ctx,
        old: Annotated[str, Field(description="path/in/repository.py:callable")],
        new: Annotated[str, Field(description="The same form; or the callable, with new_source")],
        new_source: Annotated[str | None, Field(description="Source of the new version")] = None,
        budget_seconds: Annotated[float | None, Field(gt=0, le=3600)] = None,
    ) -> Compared:
        """Search for an input on which two versions of a function behave differently."""

        def job(progress: Progress) -> Compared:
            return _compare(desk, old, new, new_source, budget_seconds, progress)

        return await desk.work(ctx, job)


def _compare(
    desk: Desk,
    old: str,
    new: str,
    new_source: str | None,
    seconds: float | None,
    progress: Progress,
) -> Compared:
    import tempfile
    from pathlib import Path

    from reverie.bootstrap import open_sandbox
    from reverie.instruments.equivalence import compare_versions, read_version
    from reverie.instruments.proof import Proofs

    def tell(inputs: int, before: float, after: float) -> None:
        progress.tell("inputs", inputs, 0)

    settings = desk.loaded.settings
    section = settings.equivalence
    section = section if seconds is None else replace(section, budget_seconds=seconds)
    with tempfile.TemporaryDirectory() as scratch:
        first = read_version(_named(desk, old, "old"), desk.repository)
        if new_source is None:
            second = read_version(_named(desk, new, "new"), desk.repository)
        else:
            place = Path(scratch) / "proposed.py"
            place.write_text(new_source, "utf-8")
            second = read_version(f"{place}:{new.rpartition(':')[2]}", desk.repository)
        with open_sandbox(settings.sandbox, python=desk.settled()) as sandbox:
            Proofs(sandbox).require("equivalence")
            answer = compare_versions(sandbox, first, second, section=section, progress=tell)
    return Compared.model_validate(plain(answer))


def _named(desk: Desk, given: str, what: str) -> str:
    """`path:callable`, the path inside of the repository."""
    path, colon, name = given.rpartition(":")
    if not colon or not path.endswith(".py"):
        raise UsageError(f"{what}: {given!r} is not of the form path.py:callable")
    return f"{desk.inside(path, what)}:{name}"


def _find_tool(server: MCPServer[Any], desk: Desk) -> None:
    @server.tool(title="Find a function of the repository", annotations=LOOKS)
    async def find_function(
        ctx: Ctx,
        query: Annotated[str, Field(description='Words, a name, or types: "(str, _) -> bool"')],
        limit: Annotated[int, Field(ge=1, le=200)] = 10,
    ) -> FoundFunctions:
        """Find functions, methods and classes by name, words or signature, best first."""

        def job(progress: Progress) -> FoundFunctions:
            with _index(desk)() as index:
                index.refresh(lambda done, total: progress.tell("reading", done, total))
                hits = index.search(query, limit)
            return FoundFunctions(results=[_found(each) for each in hits])

        return await desk.work(ctx, job)


def _found(hit: Any) -> FoundFunction:
    symbol = hit.found.symbol
    return FoundFunction(
        qualname=symbol.qualname,
        path=hit.found.path,
        line=symbol.line,
        kind=str(symbol.kind),
        signature=symbol.signature or "",
        summary=symbol.summary or "",
        score=round(hit.score, 3),
    )


def _index(desk: Desk) -> Callable[[], Any]:
    from functools import partial

    from reverie.bootstrap import open_index

    settings, loaded = desk.loaded.settings, desk.loaded
    return partial(
        open_index,
        loaded.repository,
        settings.index,
        settings.safety,
        loaded.journal_url,
        settings.sandbox,
    )


def _map_tool(server: MCPServer[Any], desk: Desk) -> None:
    @server.tool(title="Map the repository", annotations=LOOKS)
    async def repository_map(
        ctx: Ctx,
        prefix: Annotated[str, Field(description="Only modules whose name begins so")] = "",
        limit: Annotated[int, Field(ge=1, le=_MOST_MODULES)] = 500,
    ) -> RepositoryMap:
        """Modules, what they define, and who imports whom; read from source, never run."""

        def job(progress: Progress) -> RepositoryMap:
            return _map(desk, prefix, limit, progress)

        return await desk.work(ctx, job)


def _map(desk: Desk, prefix: str, limit: int, progress: Progress) -> RepositoryMap:
    from dataclasses import asdict

    with _index(desk)() as index:
        totals = index.refresh(lambda done, total: progress.tell("reading", done, total)).totals
        code = index.load()
    wanted = [each for each in code.modules if each.name.startswith(prefix)]
    shown = wanted[:limit]
    names = {each.name for each in shown}
    modules = [
        MappedModule(
            name=each.name,
            path=each.path,
            loc=each.loc,
            functions=[f"{one.qualname}{one.signature}" for one in each.functions],
            classes=[one.name for one in each.classes],
            imports=sorted({edge[1] for edge in code.edges if edge[0] == each.name}),
            error=each.error,
        )
        for each in shown
    ]
    edges = sorted([edge[0], edge[1]] for edge in code.edges if edge[0] in names)
    return RepositoryMap(
        modules=modules, edges=edges, totals=asdict(totals), left_out=len(wanted) - len(shown)
    )
