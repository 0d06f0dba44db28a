"""Tools on code: run it, check it, compare it, and find it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
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
from reverie.interfaces.mcp.copies import open_work
from reverie.interfaces.mcp.desk import Ctx, Desk, Progress
from reverie.model.codec import plain
from reverie.model.execution import Policy

Detail = Annotated[
    bool, Field(description="All of it, up to 40,000 tokens; else 4,000, and `whole` has the rest")
]
LOOKS = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
_MOST_MODULES = 2000
_NEAR = 6
"""Modules that are shown with signatures and imports."""
_FEW = 5


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
        with_repository: Annotated[
            bool, Field(description="Show it the repository, read-only, so that it can import it")
        ] = False,
        detail: Detail = False,
    ) -> Ran:
        """Run Python that nobody trusts: no network, no files, bounded time and memory.

        With with_repository=true the code can `import` the modules of the repository and what its
        environment has installed; for a script, set `_result` to what is to come back.
        """

        def job(_: Progress) -> Ran:
            given = (desk, code, entry, params or {}, timeout_s, memory_mb)
            if not with_repository:
                return _run(*given)
            with open_work(desk, desk.around(runs_tests=False), None, None) as folder:
                return _run(*given, _seeing(desk, folder))

        return await desk.work(ctx, job)


def _run(
    desk: Desk,
    code: str,
    entry: str | None,
    params: dict[str, Any],
    timeout_s: float | None,
    memory_mb: int | None,
    policy: Policy | None = None,
) -> Ran:
    from reverie.bootstrap import open_sandbox
    from reverie.model.execution import Call, Request, Script
    from reverie.model.outcome import MIB

    section = desk.loaded.settings.sandbox
    limits = section.limits()
    limits = replace(
        limits,
        wall_seconds=min(timeout_s or limits.wall_seconds, limits.wall_seconds),
        memory_bytes=min((memory_mb or 1 << 40) * MIB, limits.memory_bytes),
    )
    target = Script(code, params=params) if entry is None else Call(code, entry, params)
    with open_sandbox(section, python=desk.found()) as sandbox:
        done = sandbox.run(Request(target, limits, policy or sandbox.section.policy()))
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


def _seeing(desk: Desk, folder: Path) -> Policy:
    """The usual policy, with a copy of the repository to be seen and imported.

    A copy has what git knows or would add, and nothing that it ignores: no `.env`, no history.
    """
    modules = desk.index_of(folder).modules
    roots = dict.fromkeys(each.root for each in modules if not each.is_test) or {".": None}
    base = desk.loaded.settings.sandbox.policy()
    return replace(
        base,
        readonly=(*base.readonly, str(folder)),
        import_paths=(*(str((folder / root).resolve()) for root in roots), *base.import_paths),
        python=desk.settled(),
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
        budget_seconds: Annotated[float | None, Field(gt=0, le=3600, description="Time")] = None,
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
    from reverie.instruments.self_check import Proofs

    def tell(inputs: int, before: float, after: float) -> None:
        progress.tell("inputs", inputs, 0)

    settings = desk.loaded.settings
    section = settings.equivalence
    section = section if seconds is None else replace(section, budget_seconds=seconds)
    with tempfile.TemporaryDirectory() as scratch:
        first = read_version(named_callable(desk, old, "old"), desk.repository)
        if new_source is None:
            second = read_version(named_callable(desk, new, "new"), desk.repository)
        else:
            place = Path(scratch) / "proposed.py"
            place.write_text(new_source, "utf-8")
            second = read_version(f"{place}:{new.rpartition(':')[2]}", desk.repository)
        with open_sandbox(settings.sandbox, python=desk.settled()) as sandbox:
            Proofs(sandbox).require("equivalence")
            answer = compare_versions(sandbox, first, second, section=section, progress=tell)
    return Compared.model_validate(plain(answer))


def named_callable(desk: Desk, given: str, what: str) -> str:
    """`path:callable`, the path inside of the repository."""
    path, colon, name = given.rpartition(":")
    if not colon or not path.endswith(".py"):
        raise UsageError(
            f"{what}: {given!r} is not of the form path.py:callable; find_function finds both"
        )
    return f"{desk.inside(path, what)}:{name}"


def _find_tool(server: MCPServer[Any], desk: Desk) -> None:
    @server.tool(title="Find a function of the repository", annotations=LOOKS)
    async def find_function(
        ctx: Ctx,
        query: Annotated[str, Field(description='Words, a name, or types: "(str, _) -> bool"')],
        limit: Annotated[int, Field(ge=1, le=200, description="At most so many")] = 10,
        detail: Detail = False,
    ) -> FoundFunctions:
        """Find functions, methods and classes by name, words or signature, best first."""

        def job(progress: Progress) -> FoundFunctions:
            with open_code_index(desk) as index:
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


@contextmanager
def open_code_index(desk: Desk) -> Iterator[Any]:
    """The index of the repository, remembered in its journal."""
    from reverie.bootstrap import open_index

    settings, loaded = desk.loaded.settings, desk.loaded
    with open_index(
        loaded.repository,
        settings.index,
        settings.safety,
        loaded.journal_url,
        settings.sandbox,
    ) as index:
        yield index


def _map_tool(server: MCPServer[Any], desk: Desk) -> None:
    @server.tool(title="Map the repository", annotations=LOOKS)
    async def repository_map(
        ctx: Ctx,
        prefix: Annotated[str, Field(description="Only modules whose name begins so")] = "",
        limit: Annotated[int, Field(ge=1, le=_MOST_MODULES, description="At most so many")] = 40,
        offset: Annotated[int, Field(ge=0, description="Where a page begins")] = 0,
        detail: Detail = False,
    ) -> RepositoryMap:
        """Modules with their size and public names, by path; read from source, never run.

        A prefix that leaves few modules shows signatures and imports, too.
        """

        def job(progress: Progress) -> RepositoryMap:
            return _map(desk, prefix, range(offset, offset + limit), progress, is_whole=detail)

        return await desk.work(ctx, job)


def _map(
    desk: Desk, prefix: str, page: range, progress: Progress, *, is_whole: bool
) -> RepositoryMap:
    from dataclasses import asdict

    with open_code_index(desk) as index:
        totals = index.refresh(lambda done, total: progress.tell("reading", done, total)).totals
        code = index.load()
    wanted = [each for each in code.modules if each.name.startswith(prefix)]
    if prefix and not wanted:
        raise UsageError(f"prefix: no module's name begins with {prefix!r}; leave it out for all")
    shown = wanted[page.start : page.stop]
    is_near = is_whole or len(wanted) <= _NEAR
    names = {each.name for each in shown}
    edges = sorted([edge[0], edge[1]] for edge in code.edges if edge[0] in names)
    left = len(wanted) - page.start - len(shown)
    return RepositoryMap(
        modules=[_mapped(each, edges, is_near=is_near) for each in shown],
        edges=edges if is_whole else [],
        totals=asdict(totals),
        left_out=len(wanted) - len(shown),
        next_offset=page.start + len(shown) if left > 0 else None,
    )


def _mapped(module: Any, edges: list[list[str]], *, is_near: bool) -> MappedModule:
    """A module of the map: from afar its public names only, and few of them."""
    named = [f"{each.qualname}{each.signature}" for each in module.functions]
    if not is_near:
        public = [each.name for each in module.functions if not each.name.startswith("_")]
        named = [*public[:_FEW], *([f"… {len(public) - _FEW} more"] if len(public) > _FEW else [])]
    classes = [each.name for each in module.classes]
    return MappedModule(
        name=module.name,
        path=module.path,
        loc=module.loc,
        functions=named,
        classes=classes if is_near else classes[:_FEW],
        imports=[to for importer, to in edges if importer == module.name] if is_near else [],
        error=module.error,
    )
