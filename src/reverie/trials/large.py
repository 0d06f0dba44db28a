"""Both versions of a callable on arguments of many items: what is wrong only from some size on."""

from pathlib import Path

from reverie.errors import MachineryError, UsageError
from reverie.instruments.benchmark.growing import growing_calls
from reverie.instruments.benchmark.rounds import Comparison, NotMeasured, Rounds
from reverie.instruments.benchmark.target import Inputs, parse_target
from reverie.model.change import FileEdit
from reverie.sandbox.engine import Sandbox
from reverie.trials.trees import Trees

_SIZES = (60, 300, 2000)


def comparison_of(
    trees: Trees, edit: FileEdit, name: str, size: int, seed: int
) -> Comparison | None:
    """Old and new with arguments that grow; None where the annotations do not say enough."""
    sources = growing_calls(edit.before or "", name)
    if not sources:
        return None
    old: Path = trees.base / (edit.renamed_from or edit.path)
    return Comparison(
        parse_target(f"{old}:{name}"),
        parse_target(f"{trees.head / edit.path}:{name}"),
        Inputs(sources=sources),
        size,
        seed,
    )


def large_difference(trees: Trees, edit: FileEdit, name: str, sandbox: Sandbox) -> str | None:
    """The first difference seen; None says nothing about arguments that were not tried."""
    for seed, size in enumerate(_SIZES):
        try:
            comparison = comparison_of(trees, edit, name, size, seed)
            if comparison is None:
                return None
            difference = Rounds(sandbox, comparison).calibrate().difference
        except (UsageError, MachineryError, NotMeasured):
            return None
        if difference is not None:
            return difference
    return None
