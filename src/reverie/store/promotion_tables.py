"""The tables of what people and we did about promotions after they were offered."""

from sqlalchemy import BigInteger, Column, ForeignKeyConstraint, Index, Table, Text

from reverie.store.columns import Key, metadata


def _of_a_dream() -> tuple[Column[str], Column[str], ForeignKeyConstraint]:
    return (
        Column("cycle_id", Key, primary_key=True),
        Column("dream_id", Key, primary_key=True),
        ForeignKeyConstraint(["cycle_id", "dream_id"], ["dreams.cycle_id", "dreams.id"]),
    )


rollbacks = Table(
    "rollbacks",
    metadata,
    *_of_a_dream(),
    # A dream can be offered again, and taken back again.
    Column("created_at_us", BigInteger, primary_key=True),
    # The branch that was removed, or that carries the commit which reverts it.
    Column("branch", Text),
    # The commit that reverts it; NULL when the branch or the patch was removed.
    Column("commit_id", Text),
    # What the person said, on one line.
    Column("why", Text, nullable=False),
)

approvals = Table(
    "approvals",
    metadata,
    *_of_a_dream(),
    # Fingerprint of the key that signed: one key is one voice.
    Column("keyid", Key, primary_key=True),
    # Who says so.
    Column("name", Text, nullable=False),
    # What was signed, in its envelope: anyone can check it again.
    Column("envelope", Text, nullable=False),
    Column("created_at_us", BigInteger, nullable=False),
)

Index("approvals_by_dream", approvals.c.dream_id)

deeds = Table(
    "deeds",
    metadata,
    # What a person did about a dream by hand: rejected it, or took its promotion back.
    *_of_a_dream(),
    Column("created_at_us", BigInteger, primary_key=True),
    # `DeedKind`.
    Column("deed", Key, nullable=False),
    # Who says so.
    Column("name", Text, nullable=False),
    # Fingerprint of the key that signed.
    Column("keyid", Key, nullable=False),
    # What the person said, on one line.
    Column("why", Text, nullable=False),
    # What was signed, in its envelope: anyone can check it again.
    Column("envelope", Text, nullable=False),
)
