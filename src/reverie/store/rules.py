"""Static safety rules that were added or overridden in this journal.

What a rule's body means is the safety room's business; here it is a JSON object.
"""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.dialects import postgresql, sqlite

from reverie.errors import StoreError, UsageError
from reverie.model.codec import Malformed
from reverie.model.history import StoredRule
from reverie.store.journal import Journal
from reverie.store.rows import json_map
from reverie.store.scalars import from_microseconds, one_line, storable, to_microseconds
from reverie.store.schema import safety_rules


def load_rules(journal: Journal) -> tuple[StoredRule, ...]:
    """Every stored rule, by id."""
    with journal.reading() as connection:
        rows = connection.execute(select(safety_rules).order_by(safety_rules.c.rule_id)).all()
    return tuple(
        StoredRule(
            rule_id=row.rule_id,
            body=_parsed(row.body, row.rule_id, journal),
            enabled=row.enabled,
            updated_at=from_microseconds(row.updated_at_us),
        )
        for row in rows
    )


def save_rule(
    journal: Journal, rule_id: str, body: Mapping[str, Any], enabled: bool = True
) -> None:
    """Store a rule in place of whatever had its id."""
    try:
        text = json.dumps(dict(body), sort_keys=True, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise UsageError(f"the body of rule {rule_id!r} is not JSON: {error}") from error
    _upsert(journal, rule_id, {"body": text, "enabled": enabled}, ("body", "enabled"))


def set_rule_enabled(journal: Journal, rule_id: str, enabled: bool) -> None:
    """Switch a rule on or off; one that is not stored gets an empty body: a built-in's override."""
    _upsert(journal, rule_id, {"body": "{}", "enabled": enabled}, ("enabled",))


def delete_rule(journal: Journal, rule_id: str) -> bool:
    """Forget a stored rule; whether there was one. A built-in rule is in force again."""
    with journal.writing() as connection:
        found = safety_rules.c.rule_id == _checked_id(rule_id)
        return connection.execute(delete(safety_rules).where(found)).rowcount > 0


def _upsert(
    journal: Journal, rule_id: str, values: dict[str, Any], replaced: tuple[str, ...]
) -> None:
    insert = sqlite.insert if journal.backend.dialect == "sqlite" else postgresql.insert
    now = to_microseconds(datetime.now(UTC))
    statement = insert(safety_rules).values(
        rule_id=_checked_id(rule_id), updated_at_us=now, **values
    )
    new = {name: statement.excluded[name] for name in (*replaced, "updated_at_us")}
    with journal.writing() as connection:
        connection.execute(statement.on_conflict_do_update(index_elements=["rule_id"], set_=new))


def _checked_id(rule_id: str) -> str:
    if not rule_id.strip() or storable(rule_id) != rule_id:
        raise UsageError(f"not a rule id: {rule_id!r}")
    return rule_id


def _parsed(text: str, rule_id: str, journal: Journal) -> Mapping[str, Any]:
    try:
        return json_map(text)
    except Malformed as error:
        reason = f"rule {one_line(rule_id)!r}: {error}"
        raise StoreError(f"the journal {journal.location}: {reason}") from error
