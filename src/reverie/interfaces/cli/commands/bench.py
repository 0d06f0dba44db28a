"""`reverie bench`: which of two callables is faster."""

import json
from pathlib import Path
from typing import Any

import click

from reverie.bootstrap import open_sandbox
from reverie.errors import UsageError
from reverie.instruments.benchmark.instrument import compare_speed, to_pytest_benchmark
from reverie.instruments.benchmark.rounds import Comparison, Effort
from reverie.instruments.benchmark.target import (
    CallableTarget,
    Inputs,
    generated_inputs,
    inputs_from_expression,
    named_target,
)
from reverie.instruments.self_check import Proofs
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.arguments import parse_duration
from reverie.interfaces.cli.command import Command, NewFile, setting_option
from reverie.interfaces.cli.environments import environment_options, interpreter_for
from reverie.interfaces.cli.output import emit_json
from reverie.interfaces.cli.progress import count_bar
from reverie.interfaces.cli.views.figures import benchmark_document, show_benchmark
from reverie.model.measurements.benchmark import Benchmark, RequiredGain, SpeedVerdict

_EXAMPLE = """
reverie bench old.py:find new.py:find --inputs cases.py:make_input --n 1000
reverie bench old.py:total new.py:total --call 'total([seed % 7] * n)' --gain 10,15
"""
_ANSWERS_NO = (SpeedVerdict.SLOWER, SpeedVerdict.HOLD)


@click.command(cls=Command, example=_EXAMPLE, paths=("old", "new"))
@click.argument("old", metavar="OLD:callable")
@click.argument("new", metavar="NEW:callable")
@click.option(
    "--inputs", metavar="FILE:callable", help="make_input(n, seed) that returns (args, kwargs)."
)
@click.option("--call", metavar="EXPR", help="A call to take arguments from; may use n and seed.")
@click.option(
    "--n",
    "size",
    default=1000,
    show_default=True,
    type=click.IntRange(0, 1 << 40),
    help="Size of the inputs, handed to what makes them.",
)
@click.option(
    "--seed",
    default=0,
    show_default=True,
    type=click.IntRange(0, 1 << 32),
    help="Of inputs and intervals.",
)
@click.option(
    "--pairs",
    default=30,
    show_default=True,
    type=click.IntRange(30, 100_000),
    help="How often to time old and new next to one another, at least.",
)
@click.option("--budget", default="10s", show_default=True, metavar="TIME", help="For measuring.")
@click.option(
    "--gain",
    default="10",
    show_default=True,
    metavar="P50[,P95[,P99]]",
    help="Least share of time saved, in percent; P50 counts for P95 too.",
)
@click.option("--scale", is_flag=True, help="Also measure how time grows with n.")
@click.option(
    "--pytest-benchmark",
    type=NewFile(),
    metavar="FILE",
    help="Write the figures in its format too.",
)
@click.option("--python", metavar="PATH", help="Interpreter with the callables' dependencies.")
@environment_options()
@setting_option("sandbox.tier")
@setting_option("sandbox.memory_mb")
@click.pass_obj
def command(app: App, /, **given: Any) -> int:
    """Compare the speed of two callables: paired, interleaved, in the sandbox, with intervals.

    Without --inputs or --call the inputs are made from the source of OLD. The exit code is 1 when
    NEW is slower, when its results differ, or when the measurements allow no verdict.
    """
    comparison = _comparison(given)
    required = _required(given["gain"])
    effort = Effort(given["pairs"], parse_duration(given["budget"], "--budget"))
    python = interpreter_for(app, given["python"], [comparison.old.file, comparison.new.file])
    with open_sandbox(app.settings.sandbox, app.recording_url(), python) as sandbox:
        proof = Proofs(sandbox).require("benchmark")
        with count_bar("rounds") as progress:
            found = compare_speed(
                sandbox,
                comparison,
                required,
                effort,
                with_growth=given["scale"],
                progress=progress,
            )
        tier = sandbox.tier
    if given["pytest_benchmark"] is not None:
        _write(given["pytest_benchmark"], to_pytest_benchmark(found, comparison))
    if app.json:
        named = {"old": given["old"], "new": given["new"], "n": given["size"]}
        emit_json({**named, **benchmark_document(found, required, proof, tier, given["seed"])})
    else:
        show_benchmark(found, required)
    return _exit_code(found)


def _exit_code(found: Benchmark) -> int:
    return 1 if found.judgement.verdict in _ANSWERS_NO else 0


def _comparison(given: dict[str, Any]) -> Comparison:
    old, new = named_target(given["old"]), named_target(given["new"])
    return Comparison(old, new, _inputs(given, old), given["size"], given["seed"])


def _inputs(given: dict[str, Any], old: CallableTarget) -> Inputs:
    if given["inputs"] is not None and given["call"] is not None:
        raise UsageError("--inputs and --call exclude one another")
    if given["inputs"] is not None:
        return Inputs(named_target(given["inputs"]))
    if given["call"] is not None:
        return inputs_from_expression(given["call"])
    return generated_inputs(old, given["seed"])


def _required(text: str) -> RequiredGain:
    try:
        shares = [float(part) / 100 for part in text.split(",")]
    except ValueError:
        shares = []
    if not 1 <= len(shares) <= 3 or not all(0 <= share < 1 for share in shares):
        raise UsageError(f"--gain: expected percentages such as 10 or 10,15,20, not {text!r:.60}")
    p50, p95, p99 = (*shares, *(shares[:1] if len(shares) == 1 else []), None, None)[:3]
    return RequiredGain(p50, p95, p99)


def _write(path: str, document: dict[str, Any]) -> None:
    try:
        Path(path).write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    except OSError as error:
        raise UsageError(f"cannot write {path!r}: {error.strerror}") from error
