"""Outcomes: what the code under test did, which kind of mistake it was; units, counted nouns.

Whether *our* machinery worked is never one of these words: that is a `MachineryError`.
"""

from enum import StrEnum


class TestOutcome(StrEnum):
    """What one execution did."""

    __test__ = False  # the name starts with "Test"; pytest must not collect it

    SUCCESS = "success"
    SYNTAX_ERROR = "syntax_error"
    RUNTIME_ERROR = "runtime_error"
    TYPE_ERROR = "type_error"
    TIMEOUT = "timeout"
    RESOURCE_EXHAUSTION = "resource_exhaustion"
    OUTPUT_VALIDATION_FAILED = "output_validation_failed"
    UNKNOWN_ERROR = "unknown_error"


class ErrorCategory(StrEnum):
    """Groups failures for learning."""

    SYNTAX = "syntax"
    RUNTIME = "runtime"
    TYPE = "type"
    LOGIC = "logic"
    RESOURCE = "resource"
    DEPENDENCY = "dependency"
    TIMEOUT = "timeout"
    VALIDATION = "validation"
    UNKNOWN = "unknown"


class IsolationTier(StrEnum):
    """What stood between the code under test and the machine, strongest first."""

    NAMESPACES = "namespaces"  # own user, mount, pid, network, ipc, uts and cgroup namespaces
    LANDLOCK = "landlock"  # no namespaces: Landlock, seccomp and rlimits
    SRT = "srt"  # Anthropic's sandbox-runtime command
    NONE = "none"  # a plain process with rlimits; only when asked for by name


class TrustTier(StrEnum):
    """How far a piece of code is trusted by the static safety rules, least first."""

    SANDBOX = "sandbox"
    TESTING = "testing"
    TRUSTED = "trusted"
    CORE = "core"


MIB = 1 << 20


def counted(number: float, noun: str) -> str:
    """A number with its noun: `1 file`, `2 files`, `0 branches`."""
    if number == 1:
        return f"{number:g} {noun}"
    plural = f"{noun}es" if noun.endswith(("s", "x", "ch", "sh")) else f"{noun}s"
    return f"{number:g} {plural}"
