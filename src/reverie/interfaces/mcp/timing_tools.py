"""Tools about what code costs and who depends on it: the profile, callers, and paired times."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from mcp.server.mcpserver import MCPServer
from pydantic import Field

from reverie.errors import UsageError
from reverie.interfaces.mcp.answers import Callers, CallSiteAnswer, HotFunction, Profiled, Timed
from reverie.interfaces.mcp.code_tools import LOOKS, Detail, named_callable, open_code_index
from reverie.interfaces.mcp.copies import Checkout, open_work
from reverie.interfaces.mcp.desk import Ctx, Desk, Progress

if TYPE_CHECKING:
    from reverie.instruments.benchmark.target import CallableTarget, Inputs
    from reverie.model.measurements.benchmark import Benchmark
    from reverie.model.repository.code import CodeIndex

_CALLERS = 30
_HOT = 20


def add_timing_tools(server: MCPServer[Any], desk: Desk) -> None:
    """The tools that say what matters before anything is changed."""
    for tool in (_profile_tool, _callers_tool, _benchmark_tool):
        tool(server, desk)


def _profile_tool(server: MCPServer[Any], desk: Desk) -> None:
    @server.tool(title="Where the suite spends its time", annotations=LOOKS)
    async def profile(
        ctx: Ctx,
        limit: Annotated[int, Field(ge=1, le=200, description="At most so many")] = _HOT,
        checkout: Checkout = None,
        detail: Detail = False,
    ) -> Profiled:
        """Run the suite under a profiler and list the functions that cost most."""

        def job(progress: Progress) -> Profiled:
            return _profile(desk, limit, checkout, progress)

        return await desk.work(ctx, job)


def _profile(desk: Desk, limit: int, checkout: str | None, progress: Progress) -> Profiled:
    from reverie.bootstrap import open_sandbox
    from reverie.instruments.profiling import profile_suite

    around = desk.surroundings()
    settings = desk.loaded.settings
    with (
        open_work(desk, around, None, checkout) as folder,
        open_sandbox(settings.sandbox) as sandbox,
    ):
        index = desk.index_of(folder)
        progress.tell("profiling the suite", 0, 0)
        found = profile_suite(sandbox, index, settings.candidates, around.python)
    return Profiled(
        functions=[
            HotFunction(
                path=each.path,
                function=each.qualname,
                calls=each.calls,
                own_seconds=round(each.own_seconds, 4),
                total_seconds=round(each.total_seconds, 4),
            )
            for each in found.hot[:limit]
        ],
        seconds=round(found.seconds, 3),
        problem=found.problem,
    )


def _callers_tool(server: MCPServer[Any], desk: Desk) -> None:
    @server.tool(title="Who calls a function", annotations=LOOKS)
    async def callers(
        ctx: Ctx,
        function: Annotated[str, Field(description="path/in/repository.py:qualname")],
        limit: Annotated[int, Field(ge=1, le=500, description="At most so many")] = _CALLERS,
        detail: Detail = False,
    ) -> Callers:
        """List the places that call a function, read from source: production first, then tests."""

        def job(progress: Progress) -> Callers:
            with open_code_index(desk) as index:
                index.refresh(lambda done, total: progress.tell("reading", done, total))
                return _callers(index.load(), function, limit)

        return await desk.work(ctx, job)


def _callers(index: CodeIndex, function: str, limit: int) -> Callers:
    path, _, name = function.rpartition(":")
    module = next((each for each in index.modules if each.path == path), None)
    if module is None:
        raise UsageError(
            f"function: {function!r} is not of the form path.py:name with a path of the "
            "repository; find_function finds both"
        )
    callee = f"{module.name}:{name}"
    found = [
        CallSiteAnswer(
            path=each.path,
            line=site.line,
            caller=site.caller,
            arguments=list(site.literals)[:6],
            is_test=each.is_test,
        )
        for each in index.modules
        for site in each.calls
        if site.callee == callee
    ]
    found.sort(key=lambda each: (each.is_test, each.path, each.line))
    importers = sorted(importer for importer, imported in index.edges if imported == module.name)
    return Callers(
        callee=callee, callers=found[:limit], total=len(found), importers=importers[:limit]
    )


def _benchmark_tool(server: MCPServer[Any], desk: Desk) -> None:
    @server.tool(title="Time two versions of a callable", annotations=LOOKS)
    async def benchmark(
        ctx: Ctx,
        old: Annotated[str, Field(description="path/in/repository.py:callable")],
        new: Annotated[str, Field(description="The same form; or the callable, with new_source")],
        new_source: Annotated[str | None, Field(description="Source of the new module")] = None,
        inputs: Annotated[
            str | None, Field(description="path.py:make_input, with make_input(n, seed)")
        ] = None,
        call: Annotated[
            str | None, Field(description="Or a call as written: `f(list(range(n)), key=seed)`")
        ] = None,
        size: Annotated[int, Field(ge=1, le=10**7, description="n")] = 1000,
        budget_seconds: Annotated[float, Field(gt=0, le=600, description="Time for it")] = 10.0,
    ) -> Timed:
        """Time old and new in pairs, in the sandbox, and say which is faster with its interval."""

        def job(progress: Progress) -> Timed:
            return _benchmark(
                desk, (old, new, new_source), (inputs, call), size, budget_seconds, progress
            )

        return await desk.work(ctx, job)


def _benchmark(
    desk: Desk,
    sides: tuple[str, str, str | None],
    given: tuple[str | None, str | None],
    size: int,
    seconds: float,
    progress: Progress,
) -> Timed:
    import tempfile

    from reverie.bootstrap import open_sandbox
    from reverie.instruments.benchmark.instrument import compare_speed
    from reverie.instruments.benchmark.rounds import Comparison, Effort
    from reverie.instruments.benchmark.target import parse_target
    from reverie.instruments.self_check import Proofs

    old, new, source = sides
    first = parse_target(named_callable(desk, old, "old"))
    with tempfile.TemporaryDirectory() as scratch:
        if source is None:
            second = parse_target(named_callable(desk, new, "new"))
        else:
            second = parse_target(_beside(first, source, new, Path(scratch)))
        comparison = Comparison(first, second, _inputs(desk, first, given), size, 0)
        with open_sandbox(desk.loaded.settings.sandbox, python=desk.settled()) as sandbox:
            Proofs(sandbox).require("benchmark")
            effort = Effort(budget_seconds=seconds)
            found = compare_speed(
                sandbox,
                comparison,
                effort=effort,
                with_growth=True,
                progress=lambda done, of: progress.tell("rounds", done, of),
            )
    return _timed(found)


def _beside(first: CallableTarget, source: str, new: str, scratch: Path) -> str:
    """The new text in a copy of its package, so that it imports what the old one imports."""
    import shutil

    root, file = Path(first.root), Path(first.file)
    below = file.relative_to(root)
    place = scratch / below
    if len(below.parts) > 1:
        shutil.copytree(root / below.parts[0], scratch / below.parts[0], symlinks=True)
    place.write_text(source, "utf-8")
    return f"{place}:{new.rpartition(':')[2]}"


def _inputs(desk: Desk, first: CallableTarget, given: tuple[str | None, str | None]) -> Inputs:
    from reverie.instruments.benchmark.target import (
        Inputs,
        generated_inputs,
        inputs_from_expression,
        parse_target,
    )

    maker, call = given
    if maker is not None and call is not None:
        raise UsageError("give inputs or call, not both")
    if maker is not None:
        return Inputs(parse_target(named_callable(desk, maker, "inputs")))
    if call is not None:
        return inputs_from_expression(call)
    return generated_inputs(first, 0)


def _timed(found: Benchmark) -> Timed:
    speedup = found.judgement.speedup
    estimates = {f"p{at}": speedup.at(at) if speedup else None for at in (50, 95)}
    return Timed(
        verdict=str(found.judgement.verdict),
        reason=found.judgement.reason,
        speedup={
            name: None
            if each is None
            else {
                "value": round(each.value, 4),
                "low": round(each.low, 4),
                "high": round(each.high, 4),
            }
            for name, each in estimates.items()
        },
        growth=None
        if found.growth is None
        else {
            "before": round(found.growth.old.value, 3),
            "after": round(found.growth.new.value, 3),
        },
        memory_ratio=found.memory_ratio,
        calls=found.calls,
        difference=found.difference,
        seconds=round(found.seconds, 3),
    )
