"""The journal's tables, column by column.

Changing anything here needs a new file in `migrations/versions`; a test compares the two.
Moments are microseconds since 1970-01-01 UTC (`clock`), JSON is text, enum columns hold the
word of the enum. An absent measure is NULL.
"""

from sqlalchemy import BigInteger, Boolean, Column, Double, ForeignKey, Index, Integer, Table, Text

from reverie.store.tables.columns import Key as _Key
from reverie.store.tables.columns import RowNumber as _RowNumber
from reverie.store.tables.columns import metadata
from reverie.store.tables.cycle_tables import (
    checkpoints,
    cycles,
    dreams,
    evidence,
    findings,
    promotions,
    rulings,
    trials,
)
from reverie.store.tables.measure_tables import (
    decisions,
    foresight_cycles,
    measures,
    observations,
    regressions,
    tallies,
)
from reverie.store.tables.procedure_tables import (
    dream_metrics,
    dream_procedures,
    generation_runs,
    procedure_failures,
    procedure_tests,
    tightenings,
)
from reverie.store.tables.promotion_tables import (
    approvals,
    canaries,
    deeds,
    finding_verdicts,
    interactions,
    overrides,
    roi_weights,
    rollbacks,
)
from reverie.store.tables.workflow_tables import (
    included_modules,
    model_interactions,
    self_tests,
    workflow_evolutions,
    workflow_runs,
    workflows,
)

__all__ = [
    "approvals",
    "canaries",
    "checkpoints",
    "code",
    "cycles",
    "decisions",
    "deeds",
    "dream_metrics",
    "dream_procedures",
    "dreams",
    "evidence",
    "executions",
    "failure_patterns",
    "finding_verdicts",
    "findings",
    "foresight_cycles",
    "generation_runs",
    "included_modules",
    "indexed_evidence",
    "indexed_files",
    "indexed_repositories",
    "indexed_symbols",
    "interactions",
    "measures",
    "meta",
    "metadata",
    "model_interactions",
    "observations",
    "overrides",
    "procedure_failures",
    "procedure_tests",
    "promotions",
    "regressions",
    "roi_weights",
    "rollbacks",
    "rulings",
    "safety_rules",
    "self_tests",
    "tallies",
    "terms",
    "tightenings",
    "trials",
    "workflow_evolutions",
    "workflow_runs",
    "workflows",
]

meta = Table(
    "meta",
    metadata,
    # What is told: "created_by" (Reverie version), "last_prune" (changes when sources go),
    # "counted_executions" (every one there ever was up to a row, pruned ones as well).
    Column("key", _Key, primary_key=True),
    Column("value", Text, nullable=False),
)

terms = Table(
    "terms",
    metadata,
    # The policy and limits executions ran under. A few rows serve millions of executions.
    # sha256 over both texts, first 16 hex.
    Column("terms_hash", _Key, primary_key=True),
    # `Policy`, as JSON.
    Column("policy", Text, nullable=False),
    # `Limits`, as JSON.
    Column("limits", Text, nullable=False),
)

code = Table(
    "code",
    metadata,
    # Source that was executed, once per hash. Absent when sources are not kept.
    # sha256 of the source as it was executed.
    Column("code_hash", _Key, primary_key=True),
    # The source, cut at `text.SOURCE_CHARACTERS`, without what a database refuses.
    Column("source", Text, nullable=False),
    # Length of the whole source; more than `source` has when it was cut.
    Column("characters", BigInteger, nullable=False),
)

executions = Table(
    "executions",
    metadata,
    # Order of arrival; breaks ties between executions that started in the same microsecond.
    Column("seq", _RowNumber, primary_key=True),
    # The execution's own id.
    Column("id", _Key, nullable=False),
    Column("started_at_us", BigInteger, nullable=False),
    # sha256 of what was run: the source, or module and arguments. No foreign key: sources
    # are optional, and leave before the executions do.
    Column("code_hash", _Key, nullable=False),
    Column("terms_hash", _Key, ForeignKey("terms.terms_hash"), nullable=False),
    # "expression", "call", "script", "module" or "pytest".
    Column("target", Text, nullable=False),
    # Function, module or script path; NULL where the target has no name.
    Column("entry", Text),
    # `TestOutcome`.
    Column("outcome", _Key, nullable=False),
    # `ErrorCategory`; NULL for a success.
    Column("error_category", _Key),
    # Class of the error, as the code under test claimed it.
    Column("error_type", Text),
    # Message of the error, cut at `model.failure.ERROR_MESSAGE_CHARACTERS`.
    Column("error_message", Text),
    # `failure_patterns.signature`; NULL for a success.
    Column("failure_signature", _Key),
    # Wall time.
    Column("duration_ms", Double),
    # CPU time of the whole process tree.
    Column("cpu_seconds", Double),
    Column("peak_rss_bytes", BigInteger),
    # `IsolationTier`: what really stood between the code and the machine.
    Column("isolation", _Key, nullable=False),
    Column("exit_code", BigInteger),
    # Whether stdout or stderr met its limit.
    Column("output_truncated", Boolean, nullable=False),
    # Type name the output was checked against; NULL when it was not.
    Column("expected_output_type", Text),
    # Version of Reverie that ran it.
    Column("reverie_version", Text, nullable=False),
)

Index("executions_by_id", executions.c.id, unique=True)
Index("executions_by_time", executions.c.started_at_us, executions.c.seq)
Index("executions_by_code", executions.c.code_hash, executions.c.started_at_us, executions.c.seq)
Index("executions_by_outcome", executions.c.outcome, executions.c.started_at_us, executions.c.seq)
Index(
    "executions_by_isolation", executions.c.isolation, executions.c.started_at_us, executions.c.seq
)
# Holds all that `statistics` counts, in the order it groups by: it never reads the table.
Index(
    "executions_by_group",
    executions.c.outcome,
    executions.c.error_category,
    executions.c.isolation,
    executions.c.started_at_us,
    executions.c.duration_ms,
)
# The executions of one failure. Successes have no place in it.
Index(
    "executions_by_signature",
    executions.c.failure_signature,
    executions.c.started_at_us,
    executions.c.seq,
    sqlite_where=executions.c.failure_signature.is_not(None),
    postgresql_where=executions.c.failure_signature.is_not(None),
)
# Percentiles are a walk along this index.
Index("executions_by_duration", executions.c.duration_ms, executions.c.started_at_us)

failure_patterns = Table(
    "failure_patterns",
    metadata,
    # `failure_signature(...)`: the same bug has the same signature in every run.
    Column("signature", _Key, primary_key=True),
    # `ErrorCategory`.
    Column("category", _Key, nullable=False),
    # Message and code of the first failure recorded with this signature.
    Column("message", Text, nullable=False),
    Column("snippet", Text, nullable=False),
    # Executions that failed this way.
    Column("frequency", BigInteger, nullable=False),
    Column("first_seen_us", BigInteger, nullable=False),
    Column("last_seen_us", BigInteger, nullable=False),
    # What helped, once somebody or something knows. Recording never changes it.
    Column("suggested_fix", Text),
)

Index(
    "failure_patterns_by_frequency",
    failure_patterns.c.frequency,
    failure_patterns.c.last_seen_us,
    failure_patterns.c.signature,
)

safety_rules = Table(
    "safety_rules",
    metadata,
    # Static rules that were added, and built-in ones that were overridden.
    Column("rule_id", _Key, primary_key=True),
    # The rule as JSON; {} when only `enabled` is overridden.
    Column("body", Text, nullable=False),
    Column("enabled", Boolean, nullable=False),
    Column("updated_at_us", BigInteger, nullable=False),
)

indexed_repositories = Table(
    "indexed_repositories",
    metadata,
    Column("id", _RowNumber, primary_key=True),
    # Folder of the repository, links resolved.
    Column("place", _Key, nullable=False),
    # What the facts were written by: another format, Python or limit cannot use them.
    Column("format", Text),
    # Hash of what names and edges depend on besides the files. This and what follows is NULL
    # until a first index is finished.
    Column("layout", Text),
    # `IndexTotals`, as JSON.
    Column("totals", Text),
    Column("indexed_at_us", BigInteger),
    # What each folder and file looked like when all this was true; NULL once one was saved anew.
    Column("trail", Text),
)

Index("indexed_repositories_by_place", indexed_repositories.c.place, unique=True)

indexed_files = Table(
    "indexed_files",
    metadata,
    Column("repository", BigInteger, ForeignKey("indexed_repositories.id"), primary_key=True),
    # Relative to the repository, with `/`.
    Column("path", _Key, primary_key=True),
    # Size, times and inode; empty when the file was too fresh to be sure of them.
    Column("signature", Text, nullable=False),
    # sha256; empty when the file cannot be read.
    Column("content_hash", _Key, nullable=False),
    # Import name of the module; empty while an index is not finished.
    Column("name", Text, nullable=False),
    Column("loc", BigInteger, nullable=False),
    Column("functions", BigInteger, nullable=False),
    Column("methods", BigInteger, nullable=False),
    Column("classes", BigInteger, nullable=False),
    # Why it could not be read or parsed.
    Column("error", Text),
    # Import statements as they are written, as JSON.
    Column("imports", Text, nullable=False),
    # All the rest, as JSON. Last, because it is long and seldom read.
    Column("facts", Text, nullable=False),
)

indexed_symbols = Table(
    "indexed_symbols",
    metadata,
    # What `reverie search` reads: functions, methods and classes.
    Column("repository", BigInteger, ForeignKey("indexed_repositories.id"), primary_key=True),
    Column("path", _Key, primary_key=True),
    # Order in the file.
    Column("position", Integer, primary_key=True),
    Column("qualname", Text, nullable=False),
    Column("line", BigInteger, nullable=False),
    # "function", "method" or "class".
    Column("kind", Text, nullable=False),
    Column("signature", Text, nullable=False),
    # First line of the docstring.
    Column("summary", Text, nullable=False),
    # Words it is found by: of its name, of what is around it, of its docstring.
    Column("words", Text, nullable=False),
    # Types in normal form; empty when nothing is annotated.
    Column("shape", Text, nullable=False),
)

indexed_evidence = Table(
    "indexed_evidence",
    metadata,
    # What a file says about the use of others: read only when orphans are looked for.
    Column("repository", BigInteger, ForeignKey("indexed_repositories.id"), primary_key=True),
    Column("path", _Key, primary_key=True),
    # sha256 of the content that says so.
    Column("content_hash", _Key, nullable=False),
    # As JSON, with the format it is written in.
    Column("facts", Text, nullable=False),
)
