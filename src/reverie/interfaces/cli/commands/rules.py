"""`reverie rules`: the static safety rules, which of them are in force, and new ones."""

import json
import sys
import tomllib
from pathlib import Path
from typing import Any

import click

from reverie import store
from reverie.bootstrap import rules_in_force
from reverie.errors import UsageError, reason_of
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.command import Command, CommandGroup, setting_option
from reverie.interfaces.cli.journals import existing_journal, writable_journal
from reverie.interfaces.cli.output import emit_json, emit_table, printable
from reverie.model.history import StoredRule
from reverie.sandbox.safety import Rule, RuleSet

_EXAMPLE = """
reverie rules list
reverie rules disable debugger
reverie rules add no-print.json
"""
_NEW_RULE = """
echo '{"id": "no-print", "title": "Prints", "kind": "call", "severity": "warning",
  "tiers": ["sandbox"], "symbols": ["builtins.print"], "message": "{symbol} prints"}' \\
  | reverie rules add -
"""
_STORED = "rules are stored"


@click.group(cls=CommandGroup, example=_EXAMPLE)
def command() -> None:
    """List the static safety rules; add some, and switch them on and off.

    Changes are stored in the journal of the repository. `safety.disable` in the settings is
    stronger than what is stored.
    """


@command.command("list", cls=Command, example="reverie rules list --json")
@setting_option("journal.url")
@click.pass_obj
def list_rules(app: App) -> None:
    """List the rules in the order in which they are read."""
    rules, stored = _in_force(app)
    if app.json:
        emit_json({"rules": [_document(app, rule, stored) for rule in rules]})
        return
    rows = [
        (
            rule.id,
            rule.family,
            rule.severity,
            ", ".join(rule.tiers) or "-",
            "on" if rule.enabled else "off",
            _origin(app, rule, stored),
            rule.title,
        )
        for rule in rules
    ]
    emit_table(("rule", "family", "severity", "fails at", "is", "from", "what"), rows)


@command.command("show", cls=Command, example="reverie rules show dynamic-code")
@click.argument("rule_id", metavar="RULE")
@setting_option("journal.url")
@click.pass_obj
def show_rule(app: App, rule_id: str) -> None:
    """Show everything about one rule."""
    rules, stored = _in_force(app)
    _emit(app, rules.get(rule_id), stored)


@command.command("add", cls=Command, example=_NEW_RULE)
@click.argument("file", metavar="FILE")
@setting_option("journal.url")
@click.pass_obj
def add_rule(app: App, file: str) -> None:
    """Store a rule from a JSON or TOML file; - is JSON on standard input."""
    rule = Rule.from_dict(_read(file))
    with writable_journal(app, _STORED) as journal:
        rules_in_force(app.settings.safety, store.load_rules(journal)).with_rule(rule)
        store.save_rule(journal, rule.id, rule.to_dict(), rule.enabled)
    rules, stored = _in_force(app)
    _emit(app, rules.get(rule.id), stored)


@command.command("enable", cls=Command, example="reverie rules enable debugger")
@click.argument("rule_id", metavar="RULE")
@setting_option("journal.url")
@click.pass_obj
def enable_rule(app: App, rule_id: str) -> None:
    """Switch a rule on."""
    _switch(app, rule_id, enabled=True)


@command.command("disable", cls=Command, example="reverie rules disable debugger")
@click.argument("rule_id", metavar="RULE")
@setting_option("journal.url")
@click.pass_obj
def disable_rule(app: App, rule_id: str) -> None:
    """Switch a rule off. What cannot be judged never passes: those rules stay on."""
    _switch(app, rule_id, enabled=False)


@command.command("remove", cls=Command, example="reverie rules remove no-print")
@click.argument("rule_id", metavar="RULE")
@setting_option("journal.url")
@click.pass_obj
def remove_rule(app: App, rule_id: str) -> None:
    """Forget what is stored about a rule; a built-in one is as it came again."""
    with writable_journal(app, _STORED, rule_id) as journal:
        if not store.delete_rule(journal, rule_id):
            raise UsageError(f"nothing is stored about a rule {rule_id!r}")
    if app.json:
        emit_json({"removed": rule_id})
    else:
        click.echo(printable(f"removed: {rule_id}"))


def _switch(app: App, rule_id: str, *, enabled: bool) -> None:
    with writable_journal(app, _STORED) as journal:
        rules = rules_in_force(app.settings.safety, store.load_rules(journal))
        _ = rules.enable(rule_id) if enabled else rules.disable(rule_id)  # refuses what it must
        store.set_rule_enabled(journal, rule_id, enabled)
    after, stored = _in_force(app)
    if enabled and not after.get(rule_id).enabled:
        raise UsageError(f"rule {rule_id!r} stays off: safety.disable in the settings names it")
    _emit(app, after.get(rule_id), stored)


def _in_force(app: App) -> tuple[RuleSet, dict[str, StoredRule]]:
    with existing_journal(app) as journal:
        stored = () if journal is None else store.load_rules(journal)
    return rules_in_force(app.settings.safety, stored), {each.rule_id: each for each in stored}


def _origin(app: App, rule: Rule, stored: dict[str, StoredRule]) -> str:
    if rule.id in app.settings.safety.disable:
        return "settings"
    if rule.id not in stored:
        return "built-in"
    return "stored" if stored[rule.id].body else "built-in, switched"


def _document(app: App, rule: Rule, stored: dict[str, StoredRule]) -> dict[str, Any]:
    return {**rule.to_dict(), "origin": _origin(app, rule, stored)}


def _emit(app: App, rule: Rule, stored: dict[str, StoredRule]) -> None:
    document = _document(app, rule, stored)
    if app.json:
        emit_json({"rule": document})
        return
    emit_table(("what", "value"), [(key, _cell(value)) for key, value in document.items()])


def _cell(value: object) -> str:
    if isinstance(value, list):
        return (
            ", ".join(each if isinstance(each, str) else json.dumps(each) for each in value) or "-"
        )
    return "-" if value in (None, "") else str(value)


def _read(file: str) -> dict[str, Any]:
    try:
        data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
        text = data.decode("utf-8")
        document = tomllib.loads(text) if file.endswith(".toml") else json.loads(text)
    except OSError as error:
        raise UsageError(f"cannot read {file!r}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{file!r} is not a rule: {reason_of(error)}") from error
    if not isinstance(document, dict):
        raise UsageError(f"{file!r} is not a rule: a JSON {type(document).__name__}")
    return document
