"""What people type wrongly: one clear line, exit code 2, and nothing is written."""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from reverie.store import Journal, journal_url

LONG = "x" * 500
BAD: list[tuple[str, str]] = [
    # commands
    ("nosuch", "No such command 'nosuch': `reverie --help` lists them"),
    ("optimze", "did you mean `reverie optimise`?"),
    ("Run", "did you mean `reverie run`?"),
    ("undo", "did you mean `reverie rollback`?"),
    ("ignore", "did you mean `reverie finding ID ignore`?"),
    ("cron", "did you mean `reverie nightly install`?"),
    ("nightly instal", "did you mean `reverie nightly install`?"),
    ("dream lst", "did you mean `reverie dream list`?"),
    ("--json", "no command given"),
    ("authors", "goes with one of: list, add"),
    ("nightly", "goes with one of: install, status"),
    ("run --nosuch", "--nosuch"),
    ("run --budgte 10m", "--budget"),
    ("guard --haed main", "--head"),
    # repositories
    ("run nowhere", "'nowhere'"),
    ("run shop.py", "'shop.py'"),
    ("serve --repo nowhere", "'nowhere'"),
    ("cycles nowhere", "'nowhere'"),
    ("nightly status nowhere", "'nowhere'"),
    ("config . --repo tests", "two repositories are named"),
    ("--repo", "--repo"),
    # times
    ("run --budget soon", "a time such as 90s, 10m or 1h"),
    ("run --budget -5s", "a time such as 90s, 10m or 1h"),
    ("run --budget 0", "a time such as 90s, 10m or 1h"),
    ("run --budget 10x", "a time such as 90s, 10m or 1h"),
    ("run --budget 1h1h", "a time such as 90s, 10m or 1h"),
    ("guard --budget later", "a time such as 90s, 10m or 1h"),
    ("fuzz shop.py --budget 99h", "a time such as 90s, 10m or 1h"),
    ("optimise shop.py:price --budget many", "a time such as 90s, 10m or 1h"),
    ("refactor shop.py --budget 1e3", "a time such as 90s, 10m or 1h"),
    ("enrich shop --budget nan", "a time such as 90s, 10m or 1h"),
    ("generate spec.json --budget 5parsecs", "a time such as 90s, 10m or 1h"),
    ("nightly run --budget -1", "a time such as 90s, 10m or 1h"),
    ("nightly install --time 25:00", "25:00"),
    ("nightly install --time noon", "noon"),
    ("history --since yesterdayish", "yesterdayish"),
    # interpreters
    ("run --python tests", "is a folder, not an interpreter"),
    ("mutate --python /bin/ls", "not an interpreter"),
    ("guard --python /nowhere/python", "there is no '/nowhere/python'"),
    ("fuzz shop.py --python shop.py", "not an interpreter"),
    ("quality --python /etc/passwd", "not an interpreter"),
    ("exec shop.py --python no-such-python", "there is no 'no-such-python'"),
    # paths and callables
    ("mutate nowhere.py", "'nowhere.py'"),
    ("mutate /etc/passwd", "not inside the repository"),
    ("fuzz nowhere.py", "nowhere.py"),
    ("fuzz shop.py:", "''"),
    ("optimise shop.py", "FILE:callable"),
    ("optimise shop.py:missing", "missing"),
    ("optimise shop.py:price --inputs nowhere.py:make", "nowhere.py"),
    ("equiv shop.py:price nowhere.py:price", "nowhere.py"),
    ("bench shop.py:missing shop.py:price", "missing"),
    ("mutate broken.py", "'broken.py' is no Python source"),
    ("mutate binary.py", "'binary.py' is no Python source"),
    ("mutate shop.py --since nowhere", "'nowhere'"),
    ("mutate shop.py --cache spec.json", "'spec.json' is no folder"),
    ("mutate shop.py --fail-under nan", "nan is not a number"),
    ("optimise broken.py:price", "'broken.py' is no Python source"),
    ("bench shop.py:price binary.py:price", "'binary.py' is no Python source"),
    ("generate tests", "'tests' is a folder"),
    ("check nowhere.py", "nowhere.py"),
    ("quality nowhere", "nowhere"),
    ("enrich no.such.module", "no.such.module"),
    ("enrich constants", "nothing to test in 'constants': no function and no class"),
    ("generate nowhere.json", "nowhere.json"),
    ("propose /etc/passwd --stage B", "/etc/passwd"),
    ("run --html tests", "'tests' is a folder"),
    ("run --html /dev/null/night.html", "/dev/null/night.html"),
    # numbers and choices
    ("run --dreams 0", "--dreams"),
    ("run --cycles many", "many"),
    ("run --stage Z", "'Z'"),
    ("run --tier steel", "steel"),
    ("run --slots 0", "slots"),
    ("run --seed -1", "seed"),
    ("run --recover --dry-run", "--recover"),
    ("run --authors nobody", "there is no author 'nobody'"),
    ("guard --stage Q", "'Q'"),
    ("guard --base no-such-revision", "no-such-revision"),
    ("guard --patch nowhere.diff", "nowhere.diff"),
    ("guard --format yaml", "yaml"),
    ("mutate --fail-under 80", "--fail-under"),
    ("mutate --sample 0", "--sample"),
    ("serve --port 99999", "port"),
    ("serve --host /etc", "host"),
    ("cycles --limit 0", "--limit"),
    ("history --limit 0", "limit"),
    ("config --log-level loud", "loud"),
    ("completion tcsh", "tcsh"),
    # ids
    ("show", "ID"),
    ("show ab", "too short"),
    ("show 0123456789abcdef", "'0123456789abcdef'"),
    (f"show {LONG}", "nothing here has the id"),
    ("report 20200101", "20200101"),
    ("verify 0123456789abcdef", "0123456789abcdef"),
    ("verify nowhere/bundle", "nowhere/bundle"),
    ("verify tests --static", "tests' is no proof bundle"),
    ("rollback 0123456789abcdef", "0123456789abcdef"),
    ("approve 0123456789abcdef --as Ada --key nowhere.pem", "nowhere.pem"),
    ("promote 0123456789abcdef --open-pr", "--push"),
    ("finding 0123 ignore", "'0123'"),
    ("finding 0123456789abcdef whatever", "'whatever'"),
    ("finding 0123456789abcdef", "0123456789abcdef"),
    ("score 0123456789abcdef", "0123456789abcdef"),
    ("dream show seven", "seven"),
    ("fuzz --verdict nonsense", "--verdict"),
    ("rules show no-such-rule", "no-such-rule"),
    ("prepare --with ;rm", "--with"),
    # pull requests, and files that are written
    ("run --push origin", "--open-pr"),
    ("run --open-pr --push nowhere", "git repository"),
    ("guard --comment", "--event"),
    ("guard --event nowhere.json", "nowhere.json"),
    ("guard --event gitlab", "CI_MERGE_REQUEST_DIFF_BASE_SHA"),
    ("guard --event spec.json --base HEAD~1", "--base"),
    ("guard --fail-on promote", "promote"),
    ("guard --sarif tests", "--sarif"),
    ("mutate --sarif tests", "--sarif"),
    ("mutate --html shop.py/page.html", "--html"),
    # what was found late, or not at all: a suite had been run, or something been written
    ("run void", "no Python source in"),
    ("run bare", "no Python source in"),
    ("run damaged", "its .git is damaged"),
    ("run --dreams 99999999999999999999", "--dreams: at most"),
    ("run --executions 99999999999999999999", "--executions: at most"),
    ("run --replay spec.json", "none takes part"),
    ("integrate --module nowhere", "there is no module 'nowhere'"),
    ("guard --event deep.json", "'deep.json' is no JSON"),
    ("index --html tests", "--html: 'tests' is a folder"),
    ("report --html tests", "--html: 'tests' is a folder"),
    ("propose shop.py --stage A --patch tests", "--patch: 'tests' is a folder"),
    ("candidates --write tests", "--write: 'tests' is a folder"),
    ("candidates --coverage shop.py", "'shop.py' is no coverage report"),
    ("scenarios generate --out tests", "--out: 'tests' is a folder"),
    ("weights train --progress tests", "--progress: 'tests' is a folder"),
    ("bench shop.py:price shop.py:price --pytest-benchmark tests", "'tests' is a folder"),
    ("bench shop.py:price shop.py:price --inputs shop.py:none", "no callable 'none'"),
    ("evolve shop.py:price --state tests", "--state: 'tests' is a folder"),
    ("evolve shop.py:price --svg tests", "--svg: 'tests' is a folder"),
    ("evolve constants.py:price", "'constants.py' has no callable 'price'"),
    ("track constants.py:price", "'constants.py' has no callable 'price'"),
    ("fuzz shop.py --out shop.py", "--out: 'shop.py' is no folder"),
    ("fuzz shop.py:price.inner", "no callable 'price.inner'"),
    ("enrich shop --out shop.py", "--out: 'shop.py' is no folder"),
    ("mutate blank.py", "no Python source to mutate in 'blank.py'"),
    ("refactor binary.py", "'binary.py' is no Python source"),
    ("cycles --journal-url sqlite:///key.bin", "file is not a database"),
    ("run --journal-url sqlite:///key.bin", "file is not a database"),
    ("serve --journal-url sqlite:///key.bin", "file is not a database"),
    ("generate key.bin", "cannot read 'key.bin': not UTF-8 at byte 0"),
    ("synergy-exporter --history-file shop.py", "'shop.py' is no SQLite journal"),
    ("quality pipe.py", "'pipe.py' is no file and no folder"),
    ("check pipe.py", "'pipe.py' is no file and no folder"),
    ("events spec.json", "no line of 'spec.json' is an event"),
    ("exec --expression 1+1 --entry price", "goes with no --entry"),
    ("exec shop.py --stream", "'shop.py' is too much"),
    ("exec shop.py --request -", "'shop.py' is too much"),
    ("search (str->int", 'as in "(str, _) -> bool"'),
    ("track shop.py:price --since nowhere", "no such revision: 'nowhere'"),
    ("cycles --journal-url sqlite:///tests", "is a folder, and no journal"),
    ("workflow run nowhere", "there is no workflow 'nowhere'"),
    ("workflow evolve nowhere", "there is no workflow 'nowhere'"),
    ("mutate --tests void", "--tests: pytest finds no test in 'void'"),
    ("mutate --tests spec.json", "--tests: pytest finds no test in 'spec.json'"),
    ("init damaged --yes", "its .git is damaged"),
    ("workflow run shop:price --file a=nowhere.csv", "'nowhere.csv': No such file or directory"),
    # of 173 new ones nine were wrong (they stand above); these are of those that were right
    ("align nowhere..HEAD", "nowhere"),
    ("align HEAD...HEAD", "HEAD...HEAD"),
    ("backup tests", "'tests'"),
    ("baseline --lower coverage", "coverage"),
    ("bench shop.py:price shop.py:price --call price(", "price("),
    ("bench shop.py:price shop.py:price --gain a,b", "--gain"),
    ("bench shop.py:price shop.py:price --pairs 3", "--pairs"),
    ("canary start nowhere", "nowhere"),
    ("candidates --half-life-days 0", "half"),
    ("check shop.py --tier steel", "steel"),
    ("dream add nowhere.py --base shop:price", "nowhere.py"),
    ("dream evaluate --reply blank.py", "not an evaluation"),
    ("dream test --inputs 0", "--inputs"),
    ("dream list --status asleep", "asleep"),
    ("dream report --lift 77", "77"),
    ("enrich shop.py --style nose", "nose"),
    ("equiv shop.py:price shop.py", "shop.py"),
    ("equiv shop.py:price shop.py:price --inputs tests", "tests"),
    ("events --since never", "never"),
    ("events --deliver", "--published"),
    ("evolve shop.py", "FILE:callable"),
    ("exec shop.py --entry price --params [1]", "--params"),
    ("exec shop.py --readonly nowhere", "nowhere"),
    ("exec shop.py --memory 0", "memory"),
    ("forecast nowhere", "nowhere"),
    ("fuzz pipe.py", "pipe.py"),
    ("governance evaluate nowhere", "nowhere"),
    ("guard --patch blank.py", "blank.py"),
    ("history nosuchid", "nosuchid"),
    ("history --tier steel", "steel"),
    ("integrate --min-roi many", "many"),
    ("integrate --max-depth -3", "depth"),
    ("mcp --http --port 70000", "port"),
    ("metrics --serve --port -1", "port"),
    ("nightly install --scheduler launchd", "launchd"),
    ("orphans --similarity 3", "similarity"),
    ("propose shop.py --stage A --author nobody", "nobody"),
    ("prune --older-than -1", "--older-than"),
    ("quality --minimum superb", "superb"),
    ("quality --configuration theirs", "theirs"),
    ("refactor shop.py:missing", "missing"),
    ("report 99999999-999999-ffff", "99999999-999999-ffff"),
    ("restore shop.py", "shop.py"),
    ("rollback main", "main"),
    ("rules add spec.json", "rule"),
    ("rules enable nosuchrule", "nosuchrule"),
    ("scenarios generate nosuch", "nosuch"),
    ("scenarios generate --level middle", "middle"),
    ("score --by colour", "colour"),
    ("search --limit 0 price", "--limit"),
    ("suggest --top 0", "--top"),
    ("track shop.py", "FILE:callable"),
    ("verify tests --trust nowhere", "nowhere"),
    ("workflow compare nowhere alsonot", "nowhere"),
    ("workflow run shop:price shop", "one workflow at a time"),
    ("workflow run shop:price --params [", "--params"),
    ("workflow stress nowhere --level deep", "nowhere"),
    ("workflow trajectory nowhere", "nowhere"),
    ("authors show nobody", "nobody"),
    ("authors add x --preset nosuch", "nosuch"),
    ("run --journal-url mysql://x/y", "mysql"),
    ("run --executor cloud", "cloud"),
    ("run --recover --cycles 3", "--recover"),
    ("cycles --log-file tests", "tests"),
]


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small repository with an empty journal, in which we stand."""
    folder = tmp_path / "shop"
    (folder / "tests").mkdir(parents=True)
    (folder / "pyproject.toml").write_text('[project]\nname = "shop"\nversion = "1"\n')
    (folder / "shop.py").write_text("def price(count):\n    return 2 * count\n")
    (folder / "spec.json").write_text("{}")
    (folder / "constants.py").write_text("LIMIT = 3\n")
    (folder / "broken.py").write_text("def price(:\n")
    (folder / "binary.py").write_bytes(bytes(range(256)))
    (folder / "key.bin").write_bytes(bytes(range(128, 256)) * 40)
    (folder / "blank.py").write_text("\n")
    (folder / "deep.json").write_text("[" * 100_000)
    (folder / "void").mkdir()
    os.mkfifo(folder / "pipe.py")
    for inner in ("bare/objects", "bare/refs", "damaged/.git"):
        (folder / inner).mkdir(parents=True)
    (folder / "bare" / "HEAD").write_text("ref: refs/heads/main\n")
    (folder / "damaged" / "price.py").write_text("PRICE = 2\n")
    (folder / "tests" / "test_shop.py").write_text("def test_nothing():\n    pass\n")
    Journal.open(journal_url(folder)).close()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return folder


def seen(folder: Path) -> dict[str, str]:
    """Every file with a digest, but for what SQLite keeps beside a database that is read."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.endswith(("-wal", "-shm"))
    }


def test_there_are_at_least_sixty() -> None:
    assert len({line for line, _ in BAD}) == len(BAD) >= 60


EMPTY = ["show", "report", "run", "cycles", "rollback", "verify", "fuzz", "generate", "search"]


@pytest.mark.parametrize("command", EMPTY)
def test_an_argument_that_is_empty_is_none(cli: Callable, shop: Path, command: str) -> None:
    before = seen(shop.parent)
    ran = cli(command, " ")
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1), ran.err
    assert seen(shop.parent) == before


def test_nothing_to_go_on_with_makes_no_journal(
    cli: Callable, tmp_path: Path, scripted: Callable
) -> None:
    scripted("fresh").commit("Begin")
    folder = tmp_path / "fresh"
    assert cli("init", str(folder), "--no-settings").code == 0
    before = seen(folder)
    ran = cli("run", str(folder), "--recover")
    assert (ran.code, ran.out) == (2, "")
    assert "is unfinished" in ran.err
    assert seen(folder) == before


NOT_RECORDED = ["promote 0123456789abcdef", "rollback 0123456789abcdef", "dream show 7",
                "dream evaluate 7", "dream test 7", "finding 0123456789abcdef ignore",
                "rules remove no-print", "workflow run nowhere"]  # fmt: skip


@pytest.mark.parametrize("line", NOT_RECORDED)
def test_what_was_never_recorded_makes_no_journal(
    cli: Callable, shop: Path, scripted: Callable, line: str
) -> None:
    scripted("fresh").commit("Begin")
    folder = shop.parent / "fresh"
    assert cli("init", str(folder), "--no-settings").code == 0
    before = seen(shop.parent)
    ran = cli(*line.split(), "--repo", str(folder))
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1), ran.err
    assert seen(shop.parent) == before


def test_a_server_that_does_not_answer_is_one_line_and_no_fault_of_the_input(
    cli: Callable, shop: Path
) -> None:
    before = seen(shop.parent)
    ran = cli("cycles", "--journal-url", "postgresql://shop:secret@127.0.0.1:1/journal")
    assert (ran.code, ran.out, ran.err.count("\n")) == (3, "", 1), ran.err
    assert ran.err.startswith("error: the journal postgresql://127.0.0.1/journal cannot be used")
    assert "secret" not in ran.err
    assert seen(shop.parent) == before


@pytest.mark.parametrize(("line", "message"), BAD, ids=[line[:60] for line, _ in BAD])
def test_a_bad_input_is_one_clear_line_and_writes_nothing(
    cli: Callable, shop: Path, scripted: Callable, line: str, message: str
) -> None:
    if line.startswith(("guard", "mutate", "track")):
        scripted("shop").commit("Begin")
    before = seen(shop.parent)
    ran = cli(*line.split())
    assert (ran.code, ran.out) == (2, ""), ran.err
    assert ran.err.startswith("error: "), ran.err
    assert ran.err.count("\n") == 1, ran.err
    assert message in ran.err
    assert len(ran.err) < 700
    assert seen(shop.parent) == before
