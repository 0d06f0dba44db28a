"""What to try when a dream fails: a table of rules, read from the top.

A rule matches on the category and on the error's own words; the words it matched are its
evidence and are shown with the fix. Nothing matches: nothing is suggested.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from reverie.model.history import FailurePattern
from reverie.model.outcome import ErrorCategory as Category

_EVIDENCE_CHARACTERS = 120


@dataclass(frozen=True, slots=True)
class FixRule:
    """Words of an error, and what helps against it; `{1}` is the first group of the pattern."""

    category: Category
    evidence: str
    fix: str


@dataclass(frozen=True, slots=True)
class SuggestedFix:
    """What to try, and the part of the error that says so (the code's own words)."""

    fix: str
    evidence: str

    def __str__(self) -> str:
        return f"{self.fix} [seen: {self.evidence}]"


FIX_RULES: tuple[FixRule, ...] = (
    FixRule(
        Category.SYNTAX,
        r"IndentationError|TabError|expected an indented block",
        "Indent every block by four spaces, and keep the code's own line breaks.",
    ),
    FixRule(
        Category.SYNTAX,
        r"was never closed|unexpected EOF|unterminated|unmatched",
        "The code is cut off or a bracket or quote is left open: generate it whole.",
    ),
    FixRule(
        Category.SYNTAX,
        r"nested|too many|MemoryError|RecursionError",
        "Split the expression: it is nested deeper than Python's parser goes.",
    ),
    FixRule(
        Category.SYNTAX,
        r"SyntaxError[^:]*: ?(.{0,60})",
        "Parse the code with ast.parse before it becomes a dream.",
    ),
    FixRule(
        Category.DEPENDENCY,
        r"No module named '([^']{1,100})'",
        "Install {1} into the interpreter that runs the dream, or do without it.",
    ),
    FixRule(
        Category.DEPENDENCY,
        r"cannot import name '([^']{1,100})'",
        "Import what the installed version has: {1} is not in that module.",
    ),
    FixRule(
        Category.TYPE,
        r"unexpected keyword argument '([^']{1,100})'",
        "Drop the parameter {1}, or give the function one of that name.",
    ),
    FixRule(
        Category.TYPE,
        r"missing \d+ required [a-z-]+ arguments?: (.{1,100})",
        "Give every required parameter a value: {1}.",
    ),
    FixRule(
        Category.TYPE,
        r"'?NoneType'?",
        "Something is None: return a value on every path, or test for None first.",
    ),
    FixRule(
        Category.TYPE,
        r"unsupported operand type\(s\) for (\S+): '?([\w.]+)'? and '?([\w.]+)'?",
        "Convert one side before {1}: it was given {2} and {3}.",
    ),
    FixRule(
        Category.TYPE,
        r'can only concatenate (\w+) \(not "(\w+)"\)|must be (str), not (\w+)',
        "Convert one side before putting the two together.",
    ),
    FixRule(
        Category.TYPE,
        r"object is not (callable|iterable|subscriptable)|argument of type",
        "Check the type where the value comes in, or convert it there.",
    ),
    FixRule(
        Category.RUNTIME,
        r"NameError: (?:name|free variable) '([^']{1,100})'",
        "Define or import {1} before it is used.",
    ),
    FixRule(
        Category.RUNTIME,
        r"ZeroDivisionError",
        "Decide what a divisor of zero means before dividing.",
    ),
    FixRule(
        Category.RUNTIME,
        r"KeyError: ?(.{0,60})",
        "Ask with .get() or test membership: the key {1} is not always there.",
    ),
    FixRule(
        Category.RUNTIME,
        r"IndexError|StopIteration",
        "Handle the empty and the shorter sequence before taking an item.",
    ),
    FixRule(
        Category.RUNTIME,
        r"AttributeError: [^\n]{0,200}?'?([\w.]{1,100})'? object has no attribute '([^']{1,100})'",
        "A {1} has no {2}: check what came in.",
    ),
    FixRule(
        Category.RUNTIME,
        r"RecursionError|maximum recursion depth",
        "Give the recursion an end for every input, or use a loop.",
    ),
    FixRule(
        Category.RUNTIME,
        r"Network is unreachable|Name or service not known|Temporary failure in name resolution"
        r"|gaierror|URLError|Address family not supported|network access is off",
        "Pass the data in as a parameter: there is no network in the sandbox.",
    ),
    FixRule(
        Category.RUNTIME,
        r"FileNotFoundError|NotADirectoryError|No such file or directory",
        "Pass the content in as a parameter, or mount the folder: no file of the host is there.",
    ),
    FixRule(
        Category.RUNTIME,
        r"PermissionError|Read-only file system|Operation not permitted",
        "Write below the working directory only: everything else is read-only or refused.",
    ),
    FixRule(
        Category.RUNTIME,
        r"EOFError|EOF when reading a line",
        "Take parameters instead of input(): standard input is empty.",
    ),
    FixRule(
        Category.RUNTIME,
        r"Unicode(?:De|En)codeError",
        "Say which encoding the bytes have, and what to do with those that do not fit.",
    ),
    FixRule(
        Category.RUNTIME,
        r"(ValueError|JSONDecodeError|OverflowError|decimal\.\w+): (.{0,60})",
        "Validate the input before converting it.",
    ),
    FixRule(
        Category.RUNTIME,
        r"signal (SIGSEGV|SIGBUS|SIGILL|SIGFPE|SIGABRT)",
        "Native code crashed with {1}: look for ctypes, a C extension or endless recursion in C.",
    ),
    FixRule(
        Category.RUNTIME,
        r"exit status (\d+)",
        "Return instead of exiting: the program ended with status {1}.",
    ),
    FixRule(
        Category.LOGIC,
        r"AssertionError|tests failed|expected",
        "The code runs but does something else: compare it with the expectation.",
    ),
    FixRule(
        Category.RESOURCE,
        r"memory",
        "Work on a part at a time, or raise memory_limit_mb if the need is real.",
    ),
    FixRule(
        Category.RESOURCE,
        r"CPU limit",
        "Look for a loop without an end, or a cheaper algorithm.",
    ),
    FixRule(
        Category.RESOURCE,
        r"processes|new thread",
        "Bound the number of threads and processes.",
    ),
    FixRule(Category.RESOURCE, r"open files", "Close files when done: use a with statement."),
    FixRule(
        Category.RESOURCE,
        r"disk|file size|output",
        "Write less: keep results in memory, and print summaries.",
    ),
    FixRule(
        Category.TIMEOUT,
        r"stopped after ([\d.e+]+) s",
        "Look for an endless loop or a wait for something that is not in the sandbox; "
        "{1} s were not enough.",
    ),
    FixRule(
        Category.VALIDATION,
        r"expected ([^:]{1,100}): (.{1,100})",
        "Return {1}: {2}.",
    ),
    FixRule(
        Category.VALIDATION,
        r"of type (\S+) is not JSON|key of type (\S+)|result contains|lone surrogate|nested",
        "Return plain JSON values: numbers, strings, lists, dicts with string keys.",
    ),
    FixRule(
        Category.VALIDATION,
        r"larger than (\d+) bytes",
        "Return a summary: the result is larger than {1} bytes.",
    ),
    FixRule(
        Category.VALIDATION,
        r"not a valid answer",
        "Leave descriptors that the code did not open alone.",
    ),
    FixRule(
        Category.UNKNOWN,
        r"without an answer",
        "Return normally: os._exit() and signals to itself end the code without a result.",
    ),
)


def suggest_fix(
    category: Category, message: str, rules: Sequence[FixRule] = FIX_RULES
) -> SuggestedFix | None:
    """The first rule whose evidence is in the message, filled in; None when there is none."""
    for rule in rules:
        if rule.category is not category:
            continue
        found = re.search(rule.evidence, message)
        if found is not None:
            groups = [" ".join(group.split()) for group in found.groups(default="")]
            fix = rule.fix.format(found.group(), *groups)
            return SuggestedFix(fix, " ".join(found.group().split())[:_EVIDENCE_CHARACTERS])
    return None


def with_fix(pattern: FailurePattern) -> FailurePattern:
    """The pattern with a fix: what somebody stored, or else what the table suggests."""
    if pattern.suggested_fix is not None:
        return pattern
    found = suggest_fix(pattern.error_category, pattern.error_message)
    return pattern if found is None else replace(pattern, suggested_fix=str(found))
