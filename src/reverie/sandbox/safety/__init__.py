"""Static safety rules: what a piece of source would do, judged without running it.

Advice in depth, never the boundary: the sandbox is the boundary.
"""

from reverie.sandbox.safety.check import check_file, check_source
from reverie.sandbox.safety.rule import Rule, RuleKind
from reverie.sandbox.safety.ruleset import RuleSet

__all__ = ["Rule", "RuleKind", "RuleSet", "check_file", "check_source"]
