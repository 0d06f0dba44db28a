"""What the tools answer: the schema of each is generated from here."""

from typing import Any

from pydantic import BaseModel, Field


class Ran(BaseModel):
    """One execution in the sandbox."""

    outcome: str = Field(description="success, runtime_error, type_error, timeout, …")
    error_category: str | None
    output: Any = Field(description="What the function returned, or null")
    error: str | None
    traceback: str | None
    stdout: str
    stderr: str
    duration_ms: float
    isolation: str


class SafetyFinding(BaseModel):
    """One safety rule that a source breaks."""

    rule: str
    severity: str
    line: int
    column: int
    message: str


class Checked(BaseModel):
    """A source held against the safety rules."""

    passed: bool
    findings: list[SafetyFinding]


class Compared(BaseModel):
    """Two versions of a callable."""

    verdict: str = Field(description="equivalent, different or unknown")
    inputs: int
    branch_coverage: dict[str, float | None]
    counterexample: dict[str, Any] | None
    reason: str | None
    adequacy: dict[str, Any] | None = Field(
        description="Mutants of the changed code that the inputs noticed, and those they did not"
    )
    novelty: float | None = Field(
        description="Estimated share of further inputs that would show new behaviour"
    )
    seed: int | None = Field(description="Tries the same inputs again")
    proof: dict[str, Any] | None = Field(
        default=None, description="The laws that show it without any input; null: it was searched"
    )


class Survivor(BaseModel):
    """A mutant that no test noticed."""

    id: str
    file: str
    line: int
    operator: str
    diff: str


class MutationScore(BaseModel):
    """What the tests notice."""

    mutants: int
    killed: int
    survived: int
    timeout: int
    not_covered: int
    score: float | None
    complete: bool
    survivors: list[Survivor]
    notes: list[str]


class WrittenTests(BaseModel):
    """A test file for a module, not on disk."""

    module: str
    tests: int
    file: str = Field(description="Where it would belong, relative to the repository")
    source: str | None
    line_coverage: dict[str, float | None]
    branch_coverage: dict[str, float | None]
    mutation: dict[str, float | None]
    findings: list[dict[str, Any]]
    seconds: float
    notes: list[str]


class RulingAnswer(BaseModel):
    """One gate's answer."""

    gate: str
    verdict: str = Field(description="pass, hold or fail")
    reason_code: str
    reason: str
    measured: float | str | None
    required: float | str | None


class JudgementAnswer(BaseModel):
    """The whole judgement on a change, with what was measured."""

    verdict: str = Field(description="promote, pilot, borderline or reject")
    stage: str
    rulings: list[RulingAnswer]
    needs: list[str] = Field(description="What people still owe before promotion")
    measures: dict[str, Any]
    files: list[str]
    remembered: str | None = Field(
        default=None, description="When it was judged, where an earlier judgement is given again"
    )
    seconds: float


class FoundFunction(BaseModel):
    """A function, method or class."""

    qualname: str
    path: str
    line: int
    kind: str
    signature: str
    summary: str
    score: float


class FoundFunctions(BaseModel):
    """Answers to a question, best first."""

    results: list[FoundFunction]


class MappedModule(BaseModel):
    """One module of the map."""

    name: str
    path: str
    loc: int
    functions: list[str]
    classes: list[str]
    imports: list[str]
    error: str | None


class RepositoryMap(BaseModel):
    """The modules of the repository and who imports whom."""

    modules: list[MappedModule]
    edges: list[list[str]]
    totals: dict[str, Any]
    left_out: int = Field(description="Modules beyond the limit")


class DreamAnswer(BaseModel):
    """One dream of the journal. What is not known is null."""

    id: int | None
    title: str
    dream_type: str
    dreamer: str
    status: str
    tier: str | None
    viability: float | None
    novelty: float | None
    base_procedure: str | None
    test_outcome: str | None
    effectiveness: float | None
    reasoning: str | None
    created_at: str | None


class DreamAnswers(BaseModel):
    """Dreams of the journal."""

    dreams: list[DreamAnswer]


class TestAnswer(BaseModel):
    """One test of one dream."""

    dream_id: int
    tested_at: str
    outcome: str
    passed: bool
    inputs: int
    succeeded: int
    same: int
    different: int
    more_robust: int
    less_robust: int
    speedup: float | None
    effectiveness: float | None
    error: str | None
    failures: list[dict[str, Any]]


class TestAnswers(BaseModel):
    """Tests of dreams, newest first."""

    tests: list[TestAnswer]


class PatternAnswer(BaseModel):
    """A failure that came back."""

    signature: str
    category: str
    message: str
    dreams: int = Field(description="Dreams whose test met it")
    inputs: int
    suggestion: str


class PatternAnswers(BaseModel):
    """Failures of dreams by how often they came."""

    patterns: list[PatternAnswer]


class Statistics(BaseModel):
    """Figures over all dreams. What has no data is null."""

    statistics: dict[str, Any]


class Health(BaseModel):
    """The compound health of the journal, with its parts."""

    health: float | None
    is_healthy: bool | None
    parts: dict[str, float | None]
    left_out: list[str]
    measured_at: str | None
    tier1_test_success_rate: float | None
    tier1_test_count: int
    total: int


class Submitted(BaseModel):
    """What became of a dream that was handed in."""

    id: str = Field(description="Its number in the journal, or the digest of its change")
    kind: str = Field(description="procedure or change")
    status: str
    judgement: JudgementAnswer | None
    resource: str | None = Field(description="Where it can be read again")


class Dreamt(BaseModel):
    """What a generation run came to."""

    stored: list[DreamAnswer]
    made: dict[str, int]
    dropped: dict[str, int]
    seconds: float
