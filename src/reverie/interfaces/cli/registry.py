"""Every command: where it lives, and its one line in `reverie --help`."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Entry:
    """A command that is imported only when it is called or its own help is asked for."""

    target: str
    summary: str


def _entry(name: str, summary: str) -> Entry:
    return Entry(f"reverie.interfaces.cli.commands.{name}:command", summary)


# In the order of `reverie --help`. An entry whose module is absent is not shown.
COMMANDS: Mapping[str, Entry] = {
    "run": _entry("run", "Dream up improvements, prove each, promote what is better."),
    "prepare": _entry("prepare", "Find or make the environment of a repository; run its suite."),
    "report": _entry("report", "Show what a cycle came to, also as one page."),
    "index": _entry("index", "Read a repository: modules, functions, imports, calls."),
    "search": _entry("search", "Find functions by name, words or signature."),
    "orphans": _entry("orphans", "List modules that nothing uses, copies, and old ones."),
    "integrate": _entry("integrate", "Test modules that nothing uses, and make them part of it."),
    "candidates": _entry("candidates", "Rank the modules by what a test there would be worth."),
    "quality": _entry("quality", "Grade code, with every figure that the grade is made of."),
    "exec": _entry("exec", "Run code that nobody trusts in the sandbox."),
    "check": _entry("check", "Hold files against the static safety rules."),
    "rules": _entry("rules", "List the static safety rules; switch them on and off."),
    "enrich": _entry("enrich", "Write tests for modules, from trying them out."),
    "mutate": _entry("mutate", "Measure what the tests notice: mutants killed and survived."),
    "equiv": _entry("equiv", "Say whether two versions of a callable behave alike."),
    "bench": _entry("bench", "Compare the speed of two callables."),
    "refactor": _entry("refactor", "Make code easier to read, and prove that it does the same."),
    "optimise": _entry("optimise", "Make a callable faster, and prove it."),
    "track": _entry("track", "Say what a callable costs, and by which commit it got slower."),
    "suggest": _entry("suggest", "Rank what would be worth doing, with the evidence behind it."),
    "fuzz": _entry("fuzz", "Find inputs on which a callable does not keep its word."),
    "generate": _entry("generate", "Write a function and its tests from a specification."),
    "propose": _entry("propose", "Ask a model or an agent for a change, and judge it."),
    "dream": _entry("dream", "Imagine variants of functions; evaluate, test and learn from them."),
    "workflow": _entry("workflow", "Find, run, compare and improve the workflows of a repository."),
    "scenarios": _entry("scenarios", "List and write the faults that workflows are stressed with."),
    "approve": _entry("approve", "Sign for a change that needs the word of two people."),
    "reject": _entry("reject", "Put aside a change that waits for its promotion."),
    "promote": _entry("promote", "Offer a proven dream on a branch of its own."),
    "rollback": _entry("rollback", "Take a promotion back."),
    "canary": _entry("canary", "Run old and new side by side; roll back what is worse."),
    "verify": _entry("verify", "Check a proof bundle, and run its proof again."),
    "score": _entry("score", "Show what a dream or a module is worth, part by part."),
    "forecast": _entry("forecast", "Say how the worth of a module or workflow will go on."),
    "governance": _entry("governance", "Rules, decisions and signed words on what is promoted."),
    "weights": _entry("weights", "Learn what the parts of worth should count, from outcomes."),
    "guard": _entry("guard", "Judge a change: guardrails, then trials; also somebody else's."),
    "baseline": _entry("baseline", "Show or raise the figures that changes must not lower."),
    "align": _entry("align", "Flag what a person should look at in a commit."),
    "history": _entry("history", "Show recorded executions and their statistics."),
    "events": _entry("events", "Show the failures of test runs by signature."),
    "nightly": _entry("nightly", "Have a cycle run every night by cron or systemd."),
    "serve": _entry("serve", "Show the journal in a browser; approve, reject, roll back."),
    "cluster": _entry("cluster", "Run workers that trials are spread over, or look at them."),
    "metrics": _entry("metrics", "Show what the journal knows to Prometheus."),
    "synergy-exporter": _entry("synergy_exporter", "Show synergy figures alone to Prometheus."),
    "mcp": _entry("mcp", "Serve coding agents over the Model Context Protocol."),
    "prune": _entry("prune", "Forget old executions and reports."),
    "backup": _entry("backup", "Write the journal into one file."),
    "restore": _entry("restore", "Read a backup into an empty journal."),
    "init": _entry("init", "Prepare a repository: its folder for the journal."),
    "config": _entry("config", "Show the settings in force and where each came from."),
    "doctor": _entry("doctor", "Say what isolation this machine allows, and how to get more."),
}
