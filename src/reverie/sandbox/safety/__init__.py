"""Static safety rules: what a piece of source would do, judged without running it.

Advice in depth, never the boundary: the sandbox is the boundary. Names are loaded when first
used, so that a command which checks nothing does not pay for the interpreter.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from reverie.sandbox.safety.check import CodeValidator, check_file, check_source
    from reverie.sandbox.safety.report import render_json, to_sarif
    from reverie.sandbox.safety.rule import Access, Condition, Place, Rule, RuleKind, Test
    from reverie.sandbox.safety.ruleset import RuleSet

__all__ = [
    "Access",
    "CodeValidator",
    "Condition",
    "Place",
    "Rule",
    "RuleKind",
    "RuleSet",
    "Test",
    "check_file",
    "check_source",
    "render_json",
    "to_sarif",
]

_HOMES = {
    "check": ("CodeValidator", "check_file", "check_source"),
    "report": ("render_json", "to_sarif"),
    "rule": ("Access", "Condition", "Place", "Rule", "RuleKind", "Test"),
    "ruleset": ("RuleSet",),
}


def __getattr__(name: str) -> Any:
    for module, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
