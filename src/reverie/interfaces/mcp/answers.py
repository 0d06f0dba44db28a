"""What the tools answer: the schema of each is generated from here."""

from typing import Any

from pydantic import BaseModel, Field

from reverie.interfaces.mcp.shaping import Answer


class Ran(Answer):
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


class Checked(Answer):
    """A source held against the safety rules."""

    passed: bool
    findings: list[SafetyFinding]


class Compared(Answer):
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


class MutationScore(Answer):
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


class WrittenTests(Answer):
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


class JudgementAnswer(Answer):
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


class FoundFunctions(Answer):
    """Answers to a question, best first."""

    results: list[FoundFunction]


class MappedModule(BaseModel):
    """One module of the map."""

    name: str
    path: str
    loc: int
    functions: list[str] = Field(description="With signatures where few modules are shown")
    classes: list[str]
    imports: list[str] = Field(description="Where few modules are shown, or with detail")
    error: str | None


class RepositoryMap(Answer):
    """The modules of the repository and who imports whom."""

    modules: list[MappedModule]
    edges: list[list[str]] = Field(description="With detail: who imports whom")
    totals: dict[str, Any]
    left_out: int = Field(description="Modules that are on other pages")
    next_offset: int | None = Field(default=None, description="Where the next page begins")


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


class TestAnswers(Answer):
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


class PatternAnswers(Answer):
    """Failures of dreams by how often they came."""

    patterns: list[PatternAnswer]


class Statistics(Answer):
    """Figures over all dreams. What has no data is null."""

    statistics: dict[str, Any]


class Health(Answer):
    """The compound health of the journal, with its parts."""

    health: float | None
    is_healthy: bool | None
    parts: dict[str, float | None]
    left_out: list[str]
    measured_at: str | None
    tier1_test_success_rate: float | None
    tier1_test_count: int
    total: int


class DreamAnswers(Answer):
    """What was asked of the dream journal; the other parts are empty."""

    dreams: list[DreamAnswer]
    tests: list[TestAnswer] = Field(default_factory=list)
    patterns: list[PatternAnswer] = Field(default_factory=list)
    statistics: dict[str, Any] | None = None
    health: Health | None = None


class Submitted(Answer):
    """What became of a dream that was handed in."""

    id: str = Field(description="Its number in the journal, or the digest of its change")
    kind: str = Field(description="procedure or change")
    status: str
    judgement: JudgementAnswer | None
    resource: str | None = Field(description="Where it can be read again")
    next: str | None = Field(default=None, description="What to do now")


class Dreamt(Answer):
    """What a generation run came to."""

    stored: list[DreamAnswer]
    made: dict[str, int]
    dropped: dict[str, int]
    seconds: float


class RanTest(BaseModel):
    """A test that did not pass."""

    test: str
    end: str = Field(description="failed, error, skipped, …")
    reason: str


class TestsRun(Answer):
    """A run of tests in a copy of the work."""

    passed: int
    failed: int
    skipped: int
    files: list[str] = Field(description="Test files that were run")
    why: str = Field(description="Why these: asked for, or what they reach")
    failures: list[RanTest]
    problem: str | None = Field(description="Why nothing could be run; null: it ran")
    seconds: float
    next: str = Field(description="What to do now")

    def said(self) -> str:
        """Counts, and the first failure."""
        if self.problem is not None:
            return f"not run: {self.problem}"
        counts = f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped"
        first = self.failures[0] if self.failures else None
        return counts if first is None else f"{counts}; {first.test}: {first.reason}"


class FunctionCoverage(BaseModel):
    """What tests run of one function."""

    function: str
    line: int
    share: float = Field(description="Of its lines that run")
    missed_lines: list[int]
    tests: int = Field(description="How many tests run any of it")


class Coverage(Answer):
    """What the tests run of one file."""

    path: str
    line_coverage: float | None
    missed_lines: list[int]
    missed_branches: list[list[int]] = Field(
        description="Line with a choice, and the line that no test goes on with; -1: it leaves"
    )
    functions: list[FunctionCoverage] = Field(description="Least covered first")
    tests: list[str] = Field(description="Tests that run any of it")
    problem: str | None
    seconds: float


class HotFunction(BaseModel):
    """One function and what it costs."""

    path: str
    function: str
    calls: int
    own_seconds: float
    total_seconds: float


class Profiled(Answer):
    """Where the suite spends its time."""

    functions: list[HotFunction] = Field(description="Most time of their own first")
    seconds: float
    problem: str | None


class CallSiteAnswer(BaseModel):
    """A place that calls it."""

    path: str
    line: int
    caller: str = Field(description="The function around it; empty at the top of a module")
    arguments: list[str] = Field(description="Those that are literals")
    is_test: bool


class Callers(Answer):
    """Who calls a function, as far as source tells."""

    callee: str
    callers: list[CallSiteAnswer]
    total: int
    importers: list[str] = Field(description="Modules that import its module")


class Timed(Answer):
    """Old and new timed in pairs."""

    verdict: str = Field(description="faster, slower, no_difference or hold")
    reason: str
    speedup: dict[str, dict[str, float] | None] = Field(
        description="p50 and p95 with the bounds of their 95 % interval; 2.0 is twice as fast"
    )
    growth: dict[str, float] | None = Field(description="Exponents of n, before and after")
    memory_ratio: float | None
    calls: int
    difference: str | None = Field(description="How the results differ, where they do")
    seconds: float


class Reason(BaseModel):
    """Why a change does not pass yet, and what to do about it."""

    gate: str
    verdict: str = Field(description="fail, or hold: it could not be shown")
    reason_code: str
    reason: str
    measured: float | str | None
    required: float | str | None
    todo: str


class TaskStarted(Answer):
    """A task: what is wanted, what it will be held to, and how to work on it."""

    task: str = Field(description="Give it to check and submit")
    stage: str
    path: str | None
    base: str = Field(description="The commit that changes are compared with")
    goal: str
    bar: list[str] = Field(description="What the change will be held to")
    environment: dict[str, str | None] = Field(
        description="Interpreter; what it lacks, and the fix"
    )
    how_to: list[str]
    tests: list[str] = Field(description="Test files that reach the path")
    evidence: list[str] = Field(description="Tools and resources that tell more")
    next: str


class CheckAnswer(Answer):
    """A judgement on the work so far."""

    task: str
    passed: bool
    verdict: str = Field(description="promote, pilot, borderline or reject")
    round: int
    reasons: list[Reason] = Field(description="Only what does not pass")
    gates_passed: int
    needs: list[str] = Field(description="What people still owe before promotion")
    files: list[str]
    changed_lines: int
    measures: dict[str, Any]
    remembered: str | None
    seconds: float
    evidence: str | None = Field(description="Resource with everything about this task")
    next: str

    def said(self) -> str:
        """The verdict and the first reasons, so that the text alone is enough to go on."""
        told = [f"{each.gate}: {each.reason} ({each.todo})" for each in self.reasons[:3]]
        return " | ".join([f"{'passed' if self.passed else 'refused'}: {self.verdict}", *told])
