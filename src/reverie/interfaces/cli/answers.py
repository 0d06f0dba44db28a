"""The answers to a question as `reverie search` writes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reverie.interfaces.cli.output import printable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from reverie.index.search import Hit


def answer_document(
    question: str, hits: Sequence[Hit], names: Mapping[str, str], seconds: float
) -> dict[str, Any]:
    """The answers for a program; `names`: of the modules, by path."""
    results = [_result(each, names[each.found.path]) for each in hits]
    return {"query": question, "results": results, "seconds": round(seconds, 3)}


def answer_text(hits: Sequence[Hit]) -> str:
    """The answers for a person, in lines that terminals and editors can follow."""
    lines = []
    for symbol, path in ((each.found.symbol, each.found.path) for each in hits):
        lines.append(f"{path}:{symbol.line}: {symbol.kind} {symbol.qualname}{symbol.signature}")
        if symbol.summary:
            lines.append(f"    {symbol.summary}")
    return "".join(f"{printable(line)}\n" for line in lines or ["nothing found"])


def _result(hit: Hit, module: str) -> dict[str, Any]:
    from reverie.model.codec import pick  # text alone is waited for

    names = "name qualname=found.symbol.qualname module found.path found.symbol.line"
    more = "found.symbol.kind found.symbol.signature found.symbol.summary score:3"
    name = hit.found.symbol.qualname.rpartition(".")[2]
    return pick(hit, f"{names} {more}", name=name, module=module)
