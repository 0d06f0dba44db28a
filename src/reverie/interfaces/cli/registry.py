"""Every command: where it lives, its heading, and its one line in `reverie --help`."""

from collections.abc import Mapping
from dataclasses import dataclass

FIRST, WRITE, JUDGE, UNDERSTAND, DECIDE, OPERATE, AGENTS = (
    *("Start here", "Write", "Judge", "Understand", "Decide", "Operate", "Agents"),
)
HEADINGS: Mapping[str, str] = {
    FIRST: "",
    WRITE: "tests, clearer code, faster code, new code",
    JUDGE: "code, changes and speed",
    UNDERSTAND: "a repository and what happened in it",
    DECIDE: "what becomes of a change or a finding",
    OPERATE: "nights, settings, servers, the journal",
    AGENTS: "models and agents; code that nobody trusts",
}
"""The headings of `reverie --help`, in order, with what they are about."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A command that is imported only when it is called or its own help is asked for."""

    target: str
    summary: str
    heading: str = OPERATE


def _entries(heading: str, summaries: Mapping[str, str]) -> dict[str, Entry]:
    place = "reverie.interfaces.cli.commands"
    return {
        name: Entry(f"{place}.{name.replace('-', '_')}:command", summary, heading)
        for name, summary in summaries.items()
    }


# In the order of `reverie --help`. An entry whose module is absent is not shown.
COMMANDS: Mapping[str, Entry] = {
    **_entries(
        FIRST,
        {
            "run": "Improve a repository: try changes, prove each, keep what is better.",
            "report": "Show what a run came to: ready, waiting, refused, found.",
            "guard": "Judge a change, also somebody else's pull request.",
            "mutate": "Find weak tests: change the code a little, see what they miss.",
            "fuzz": "Find inputs on which code breaks what its documentation says.",
            "verify": "Prove a change again, from its id or its proof bundle.",
            "serve": "Show everything in a browser; decide there.",
            "doctor": "Say what isolation this machine allows, and how to get more.",
        },
    ),
    **_entries(
        WRITE,
        {
            "enrich": "Write tests for modules, from trying them out.",
            "refactor": "Make code easier to read, and prove that it does the same.",
            "optimise": "Make a callable faster, and prove it.",
            "evolve": "Breed faster variants of a callable, and prove the best.",
            "generate": "Write a function and its tests from a specification.",
            "integrate": "Test modules that nothing uses, and make them part of it.",
            "dream": "Imagine variants of functions; evaluate, test and learn from them.",
            "workflow": "Find, run, compare and improve the workflows of a repository.",
            "scenarios": "List and write the faults that workflows are stressed with.",
        },
    ),
    **_entries(
        JUDGE,
        {
            "check": "Hold files against the static safety rules.",
            "rules": "List the static safety rules; switch them on and off.",
            "quality": "Grade code, with every figure that the grade is made of.",
            "equiv": "Say whether two versions of a callable behave alike.",
            "bench": "Compare the speed of two callables.",
            "track": "Say what a callable costs, and by which commit it got slower.",
            "align": "Flag what a person should look at in a commit.",
            "baseline": "Show or raise the figures that changes must not lower.",
        },
    ),
    **_entries(
        UNDERSTAND,
        {
            "show": "Show anything by its id: a change, a cycle, a finding, an execution.",
            "cycles": "List the cycles that ran, newest first.",
            "index": "Read a repository: modules, functions, imports, calls.",
            "search": "Find functions by name, words or signature.",
            "candidates": "Rank the modules by what a test there would be worth.",
            "suggest": "Rank what would be worth doing, with the evidence behind it.",
            "orphans": "List modules that nothing uses, copies, and old ones.",
            "score": "Show what a change or a module is worth, part by part.",
            "forecast": "Say how the worth of a module or workflow will go on.",
            "history": "Show recorded executions and their statistics.",
            "events": "Show the failures of test runs by signature.",
        },
    ),
    **_entries(
        DECIDE,
        {
            "approve": "Sign for a change that waits for the word of people.",
            "promote": "Put a proven change on a branch of its own.",
            "reject": "Put aside a change that waits.",
            "rollback": "Take back a change, or all changes of a cycle.",
            "finding": "Say of a finding: a bug, meant so, or to be ignored for ever.",
            "canary": "Run old and new side by side; roll back what is worse.",
            "governance": "Rules, decisions and signed words on what is promoted.",
            "weights": "Learn what the parts of worth should count, from outcomes.",
        },
    ),
    **_entries(
        OPERATE,
        {
            "init": "Prepare a repository: its settings, its folder for the journal.",
            "prepare": "Find or make the environment of a repository; run its tests.",
            "nightly": "Have a cycle run every night by cron or systemd.",
            "stop": "Stop the cycle that is running; what is proven by then is kept.",
            "config": "Show the settings in force and where each came from.",
            "completion": "Print the completion script for bash, zsh or fish.",
            "metrics": "Show what the journal knows to Prometheus.",
            "synergy-exporter": "Show synergy figures alone to Prometheus.",
            "cluster": "Run workers that trials are spread over, or look at them.",
            "prune": "Forget old executions and reports.",
            "backup": "Write the journal into one file.",
            "restore": "Read a backup into an empty journal.",
        },
    ),
    **_entries(
        AGENTS,
        {
            "mcp": "Serve coding agents over the Model Context Protocol.",
            "authors": "Add, list and try models, agents and programs as authors.",
            "propose": "Ask a model or an agent for a change, and judge it.",
            "check-work": "Say what the judge will say about an author's work so far.",
            "exec": "Run code that nobody trusts in the sandbox.",
        },
    ),
}

OTHER_NAMES: Mapping[str, str] = {"optimize": "optimise", "cycle": "cycles", "findings": "finding"}
"""Names that work besides those that are listed."""

MEANT: Mapping[str, str] = {
    **dict.fromkeys(("accept", "sign"), "approve"),
    **dict.fromkeys(("apply", "take"), "promote"),
    **dict.fromkeys(("undo", "revert", "back"), "rollback"),
    **dict.fromkeys(("ignore", "dismiss", "suppress", "silence"), "finding ID ignore"),
    **dict.fromkeys(("cron", "schedule", "night", "every"), "nightly install"),
    **dict.fromkeys(("abort", "cancel", "kill", "halt"), "stop"),
    **dict.fromkeys(("pr", "review", "judge", "ci", "diff"), "guard"),
    **dict.fromkeys(("why", "explain", "info", "inspect"), "show"),
    **dict.fromkeys(("list", "log", "ls", "nights", "status"), "cycles"),
    **dict.fromkeys(("plan", "preview"), "run --dry-run"),
    **dict.fromkeys(("web", "dashboard", "ui", "open"), "serve"),
    **dict.fromkeys(("test", "tests", "write"), "enrich"),
    **dict.fromkeys(("mutation", "mutants", "weak"), "mutate"),
    **dict.fromkeys(("speed", "faster", "profile"), "optimise"),
    **dict.fromkeys(("sandbox", "python"), "exec"),
    **dict.fromkeys(("settings", "configure"), "config"),
    **dict.fromkeys(("setup", "install", "env"), "prepare"),
}
"""What people mean by a word that is no command: said, never done."""
