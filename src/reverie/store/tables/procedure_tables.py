"""The tables of the dream journal: procedures that were imagined, and what became of them."""

from sqlalchemy import BigInteger, Column, Double, ForeignKey, Index, Integer, Table, Text

from reverie.store.tables.columns import Key, RowNumber, metadata

generation_runs = Table(
    "generation_runs",
    metadata,
    Column("id", RowNumber, primary_key=True),
    Column("started_at_us", BigInteger, nullable=False),
    # Folder of the repository, links resolved.
    Column("repository", Key),
    # "light", "balanced" or "deep".
    Column("strategy", Key, nullable=False),
    Column("seed", BigInteger, nullable=False),
    Column("seconds", Double, nullable=False),
    # Counts as JSON: by dream type, by dream type, by reason.
    Column("made", Text, nullable=False),
    Column("stored", Text, nullable=False),
    Column("dropped", Text, nullable=False),
    # Of every rule [in order, looked at], as JSON.
    Column("record", Text, nullable=False),
)

dream_procedures = Table(
    "dream_procedures",
    metadata,
    Column("id", RowNumber, primary_key=True),
    # `DreamProcedure.digest`: the same code for the same base is stored once.
    Column("digest", Key, nullable=False),
    Column("repository", Key),
    # "module:function" that it is a variant of.
    Column("base_procedure", Key),
    Column("base_code", Text),
    Column("code", Text, nullable=False),
    # The function of `code`.
    Column("entry", Text, nullable=False),
    # `DreamType`.
    Column("dream_type", Key, nullable=False),
    # "dreamer/rule".
    Column("dreamer", Key, nullable=False),
    Column("title", Text, nullable=False),
    # What was changed, as JSON.
    Column("details", Text, nullable=False),
    # Folders that the code imports from, as a JSON list.
    Column("import_roots", Text, nullable=False),
    Column("run_id", BigInteger, ForeignKey("generation_runs.id")),
    Column("novelty_score", Double),
    # NULL: nobody looked into other repositories.
    Column("cross_project_matches", Integer),
    # `DreamStatus`.
    Column("status", Key, nullable=False),
    Column("viability_score", Double),
    # `DreamTier`.
    Column("tier", Key),
    Column("reasoning", Text),
    # Who evaluated it last.
    Column("evaluator", Text),
    Column("evaluated_at_us", BigInteger),
    # `TestOutcome` of its last test.
    Column("test_outcome", Key),
    Column("test_error", Text),
    Column("test_timestamp_us", BigInteger),
    Column("effectiveness", Double),
    Column("created_at_us", BigInteger, nullable=False),
)

Index("dream_procedures_by_digest", dream_procedures.c.digest, unique=True)
Index("dream_procedures_by_status", dream_procedures.c.status, dream_procedures.c.id)
Index("dream_procedures_by_base", dream_procedures.c.base_procedure, dream_procedures.c.id)

procedure_tests = Table(
    "procedure_tests",
    metadata,
    Column("id", RowNumber, primary_key=True),
    Column("dream_id", BigInteger, ForeignKey("dream_procedures.id"), nullable=False),
    Column("tested_at_us", BigInteger, nullable=False),
    # `TestOutcome`: "success", or what cost it the test.
    Column("outcome", Key, nullable=False),
    # Counts of inputs: `ProcedureTest`.
    Column("inputs", Integer, nullable=False),
    Column("succeeded", Integer, nullable=False),
    Column("same", Integer, nullable=False),
    Column("different", Integer, nullable=False),
    Column("more_robust", Integer, nullable=False),
    Column("less_robust", Integer, nullable=False),
    # Cost of the base over cost of the dream.
    Column("speedup", Double),
    Column("effectiveness", Double),
    Column("seconds", Double, nullable=False),
    Column("error", Text),
)

Index("procedure_tests_by_dream", procedure_tests.c.dream_id, procedure_tests.c.tested_at_us)
Index("procedure_tests_by_time", procedure_tests.c.tested_at_us)

procedure_failures = Table(
    "procedure_failures",
    metadata,
    # Which failures a test met, by signature. No foreign key to `failure_patterns`: executions
    # may be recorded elsewhere, or not at all.
    Column("test_id", BigInteger, ForeignKey("procedure_tests.id"), primary_key=True),
    Column("signature", Key, primary_key=True),
    # `ErrorCategory`.
    Column("category", Key, nullable=False),
    Column("message", Text, nullable=False),
    # Inputs that met it.
    Column("inputs", Integer, nullable=False),
)

Index("procedure_failures_by_signature", procedure_failures.c.signature)

dream_metrics = Table(
    "dream_metrics",
    metadata,
    # `DreamMetrics`, one row each time somebody measured.
    Column("id", RowNumber, primary_key=True),
    Column("measured_at_us", BigInteger, nullable=False),
    # NULL: no part had data.
    Column("compound_health_score", Double),
    # All figures, as JSON.
    Column("figures", Text, nullable=False),
)

Index("dream_metrics_by_time", dream_metrics.c.measured_at_us)

tightenings = Table(
    "tightenings",
    metadata,
    # What failures put on dreamers' rules; lifted ones stay, to be seen.
    Column("id", RowNumber, primary_key=True),
    Column("dreamer", Key, nullable=False),
    # Of the rule's usual number of variants.
    Column("share", Double, nullable=False),
    # By name; empty when only the share was lowered.
    Column("constraint_name", Text, nullable=False),
    # As JSON.
    Column("evidence", Text, nullable=False),
    Column("created_at_us", BigInteger, nullable=False),
    Column("lifted_at_us", BigInteger),
)
