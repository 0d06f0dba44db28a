"""Every page of the dashboard, and the hardest things to ask of each."""

from benchmarks.dashboard.data import execution_name
from benchmarks.dashboard.size import HOUR_US, MODULES, START_US, Size, cycle_name, dream_name


def addresses(size: Size) -> dict[str, str]:
    """Where to ask, by what is asked."""
    cycle, dream = cycle_name(size.cycles - 1), dream_name(size.cycles - 1, 5)
    return {
        "overview": "/",
        **_cycles(size, cycle),
        **_dreams(size, f"/cycles/{cycle}/dreams/{dream}"),
        **_executions(size),
        "modules": "/modules?order=promoted",
        "modules by name": "/modules?q=area7",
        "module": f"/modules/{MODULES[7]}",
        "map": "/map",
        "experiments": "/experiments",
        "figures": "/figures",
        "figures, one": "/figures?figure=raroi",
        "workflows": "/workflows",
        "synergy": "/synergy",
        "synergy of an old cycle": f"/synergy?cycle={cycle_name(size.cycles // 2)}",
        "findings": "/findings",
        "findings of a module": f"/findings?module={MODULES[7]}",
        "findings, last page": f"/findings?after={cycle_name(1)}~{'0' * 16}",
        "failures": "/patterns",
        "failures, a rare category": "/patterns?category=syntax",
        "failures, last page": f"/patterns?after=2~{START_US + 10**15}~0",
        "failure": f"/patterns/{7:016x}",
        "approvals": "/approvals",
        **_searches(size, cycle, dream),
        "metrics": "/metrics",
        "ready": "/ready",
    }


def _cycles(size: Size, cycle: str) -> dict[str, str]:
    old = cycle_name(size.cycles // 2)
    return {
        "cycles": "/cycles",
        "cycles, in the middle": f"/cycles?after={_middle(size)}~{old}",
        "cycles, last page": f"/cycles?after={START_US + 24 * HOUR_US}~{cycle_name(1)}",
        "cycles, failed": "/cycles?state=failed",
        "cycle": f"/cycles/{cycle}",
        "cycle, filtered": f"/cycles/{old}?status=rejected&kind=test",
    }


def _dreams(size: Size, place: str) -> dict[str, str]:
    old = cycle_name(size.cycles // 2)
    return {
        "dreams": "/dreams",
        "dreams, in the middle": f"/dreams?after={_middle(size)}~{old}~{'8' * 16}",
        "dreams, last page": f"/dreams?after={START_US + HOUR_US // 8}~{cycle_name(0)}~f",
        "dreams by status": "/dreams?status=borderline",
        "dreams of a rare status": "/dreams?status=rolled_back",
        "dreams of a kind": "/dreams?kind=optimisation",
        "dreams of a kind, none": "/dreams?kind=workflow",
        "dreams of a module": f"/dreams?module={MODULES[7]}&status=promoted",
        "dreams of a cycle": f"/dreams?cycle={old}&status=tested&kind=refactor",
        "dreams by words": "/dreams?q=does+with+7",
        "dreams by words, none": "/dreams?q=nothing+has+this+title",
        "dream": place,
        "dream, side by side": f"{place}?view=split",
        "evidence": f"{place}/evidence",
    }


def _executions(size: Size) -> dict[str, str]:
    return {
        "executions": "/executions",
        "executions, in the middle": f"/executions?after={_middle(size)}~{size.executions // 2}",
        "executions, last page": f"/executions?after={START_US + 1000}~20",
        "executions by outcome": "/executions?outcome=timeout",
        "executions by outcome, last page": f"/executions?outcome=timeout&after={START_US}~9",
        "executions, common": "/executions?outcome=success",
        "executions by isolation": "/executions?isolation=landlock",
        "executions, two rare": "/executions?outcome=timeout&isolation=landlock",
        "executions, none": "/executions?outcome=syntax_error",
        "executions of a code": f"/executions?code={7:064x}&outcome=timeout",
        "executions by words": "/executions?q=bad+value+7",
        "executions by words, none": "/executions?q=nothing+says+this",
        "executions of a time": "/executions?since=2020-09-20T00:00&until=2020-09-21T00:00",
        "execution": f"/executions/{execution_name(size.executions // 3)}",
    }


def _searches(size: Size, cycle: str, dream: str) -> dict[str, str]:
    return {
        "search, a module": "/search?q=part7",
        "search, a dream": f"/search?q={dream[:12]}",
        "search, a cycle": f"/search?q={cycle[:12]}",
        "search, an execution": f"/search?q={execution_name(size.executions // 2)[:20]}",
        "search, a word": "/search?q=does",
        "search, nothing": "/search?q=zzzznothing",
    }


def _middle(size: Size) -> int:
    return START_US + 12 * size.cycles * HOUR_US
