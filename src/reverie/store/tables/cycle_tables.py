"""The tables of cycles: what was planned, dreamt, tried, ruled and promoted.

Every row is written in the transaction that makes it true, so that whoever finds a cycle
unfinished knows exactly what is left to do.
"""

from sqlalchemy import (
    BigInteger,
    Column,
    Double,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    Table,
    Text,
)

from reverie.store.tables.columns import Key, metadata

cycles = Table(
    "cycles",
    metadata,
    # Date and time of its start and four random hex digits.
    Column("id", Key, primary_key=True),
    # Folder of the repository, links resolved.
    Column("repository", Key, nullable=False),
    Column("started_at_us", BigInteger, nullable=False),
    # NULL while it runs, and for ever when it was killed and nobody recovered it.
    Column("ended_at_us", BigInteger),
    # `CycleState`.
    Column("state", Key, nullable=False),
    # `CycleWishes`, as JSON: what `--recover` goes on with.
    Column("wishes", Text, nullable=False),
    # The commit that everything is proven against; NULL where there is no git.
    Column("revision", Text),
    # The branch that promotions go to, chosen before the first one.
    Column("branch", Text),
    # Interpreter, isolation, versions and remarks, as JSON.
    Column("environment", Text, nullable=False),
    # What was measured before any dream, as JSON; NULL until it is.
    Column("baseline", Text),
    # The same with all promotions together, at the end.
    Column("result", Text),
    # Time spent so far, over every process that worked on it.
    Column("seconds", Double, nullable=False),
    # Executions in the sandbox so far, likewise.
    Column("executions", BigInteger, nullable=False),
    # Why it failed.
    Column("error", Text),
    Column("reverie_version", Text, nullable=False),
)

Index("cycles_by_repository", cycles.c.repository, cycles.c.started_at_us, cycles.c.id)
# Counting reads the index alone: the rows are long.
Index("cycles_by_state", cycles.c.state, cycles.c.seconds)

checkpoints = Table(
    "checkpoints",
    metadata,
    # One row per step of the plan: a dreamer and a module.
    Column("cycle_id", Key, ForeignKey("cycles.id"), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("dreamer", Text, nullable=False),
    Column("module", Text, nullable=False),
    Column("path", Text, nullable=False),
    # sha256 over the module, what it imports of the repository, and its tests.
    Column("source_hash", Key, nullable=False),
    # Expected value of a success, as the ranking has it.
    Column("value", Double),
    # sha256 of the module alone: as long as it stays, a complete module is complete.
    Column("content_hash", Key),
    # `CycleBudget` of this step, as JSON.
    Column("allowance", Text, nullable=False),
    # `StepState`.
    Column("state", Key, nullable=False),
    # Why it was skipped, or what there is to say.
    Column("note", Text),
    # Traceback, when our side failed.
    Column("error", Text),
    Column("seconds", Double, nullable=False),
    Column("executions", BigInteger, nullable=False),
    # What the dreamer measured, as JSON.
    Column("figures", Text, nullable=False),
    Column("updated_at_us", BigInteger, nullable=False),
)

Index("checkpoints_by_source", checkpoints.c.source_hash, checkpoints.c.state)

Index("checkpoints_by_dreamer", checkpoints.c.dreamer, checkpoints.c.state)

dreams = Table(
    "dreams",
    metadata,
    Column("cycle_id", Key, ForeignKey("cycles.id"), primary_key=True),
    # `Dream.id`: the same change to the same text by the same dreamer.
    Column("id", Key, primary_key=True),
    # The step that dreamt it.
    Column("position", Integer, nullable=False),
    Column("kind", Key, nullable=False),
    Column("dreamer", Text, nullable=False),
    Column("module", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("seed", BigInteger, nullable=False),
    # `Change`, as JSON.
    Column("change", Text, nullable=False),
    Column("source_hash", Key, nullable=False),
    # `DreamStatus`.
    Column("status", Key, nullable=False),
    # The earlier cycle that had decided on it; NULL when this one did.
    Column("known_from", Key),
    Column("created_at_us", BigInteger, nullable=False),
)

Index("dreams_by_id", dreams.c.id, dreams.c.source_hash)
# What lists walk along, newest first.
_WHEN = (dreams.c.created_at_us, dreams.c.cycle_id, dreams.c.id)
Index("dreams_by_time", *_WHEN)
Index("dreams_by_status", dreams.c.status, *_WHEN)
# With the status at the end: counting reads the index alone.
Index("dreams_by_module", dreams.c.module, *_WHEN, dreams.c.status)
Index("dreams_by_cycle", dreams.c.cycle_id, dreams.c.created_at_us, dreams.c.id, dreams.c.status)


def of_a_dream() -> tuple[Column[str], Column[str], ForeignKeyConstraint]:
    """The columns that say of which dream a row is."""
    return (
        Column("cycle_id", Key, primary_key=True),
        Column("dream_id", Key, primary_key=True),
        ForeignKeyConstraint(["cycle_id", "dream_id"], ["dreams.cycle_id", "dreams.id"]),
    )


trials = Table(
    "trials",
    metadata,
    *of_a_dream(),
    # `Verdict`.
    Column("verdict", Key, nullable=False),
    # What people still owe, as a JSON list.
    Column("needs", Text, nullable=False),
    # ROI, RAROI and their parts, as JSON.
    Column("score", Text, nullable=False),
    Column("seconds", Double, nullable=False),
    Column("executions", BigInteger, nullable=False),
    Column("ended_at_us", BigInteger, nullable=False),
)

evidence = Table(
    "evidence",
    metadata,
    # What the trial measured, and all it takes to measure it again: `Evidence`, its maps as JSON.
    *of_a_dream(),
    Column("measures", Text, nullable=False),
    Column("seed", BigInteger, nullable=False),
    Column("isolation", Key, nullable=False),
    Column("command", Text, nullable=False),
    Column("limits", Text, nullable=False),
    Column("hashes", Text, nullable=False),
    Column("versions", Text, nullable=False),
    Column("details", Text, nullable=False),
)

rulings = Table(
    "rulings",
    metadata,
    *of_a_dream(),
    # Order in which the gates were asked.
    Column("position", Integer, primary_key=True),
    Column("gate", Text, nullable=False),
    # `Answer`.
    Column("verdict", Key, nullable=False),
    Column("reason_code", Key, nullable=False),
    Column("reason", Text, nullable=False),
    # As JSON: a number, a text or null.
    Column("measured", Text, nullable=False),
    Column("required", Text, nullable=False),
)

promotions = Table(
    "promotions",
    metadata,
    *of_a_dream(),
    # `PromotionStatus`.
    Column("status", Key, nullable=False),
    Column("created_at_us", BigInteger, nullable=False),
    Column("branch", Text),
    Column("commit_id", Text),
    # The commit that the branch was started from.
    Column("base", Text),
    # The file, where the change was written instead of committed.
    Column("patch", Text),
    # Folder of the proof bundle.
    Column("bundle", Text),
    # Minutes of a maintainer's time.
    Column("roi", Double),
    Column("raroi", Double),
)

Index(
    "promotions_by_time",
    promotions.c.created_at_us,
    promotions.c.cycle_id,
    promotions.c.dream_id,
)

findings = Table(
    "findings",
    metadata,
    # Behaviour that looks like a fault, for people: never promoted.
    Column("cycle_id", Key, ForeignKey("cycles.id"), primary_key=True),
    # sha256 over module, title and details, first 16 hex.
    Column("id", Key, primary_key=True),
    # The step that saw it.
    Column("position", Integer, nullable=False),
    Column("module", Text, nullable=False),
    Column("title", Text, nullable=False),
    # As JSON.
    Column("details", Text, nullable=False),
)

Index("findings_by_cycle", findings.c.cycle_id, findings.c.id)
Index("findings_by_module", findings.c.module, findings.c.cycle_id, findings.c.id)
