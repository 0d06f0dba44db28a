import pytest

from reverie.sandbox.safety import check_source
from reverie.sandbox.safety.interpreter.calls import place_of
from reverie.sandbox.safety.rule import Place


@pytest.mark.parametrize(
    ("path", "place"),
    [
        (("out.txt",), Place.RELATIVE),
        (("data/../out.txt",), Place.RELATIVE),
        (("/tmp/x",), Place.SCRATCH),
        (("/tmp/", None), Place.SCRATCH),
        (("/tmp/../etc/passwd",), Place.SYSTEM),
        (("/etc/passwd",), Place.SYSTEM),
        (("//etc//passwd",), Place.SYSTEM),
        (("/etc/shadow",), Place.SENSITIVE),
        (("/srv/data.csv",), Place.ABSOLUTE),
        (("C:\\Windows\\x",), Place.SYSTEM),
        (("~/notes.txt",), Place.HOME),
        (("~/.ssh/id_rsa",), Place.SENSITIVE),
        ((None, "/.aws/credentials"), Place.SENSITIVE),
        ((".env",), Place.SENSITIVE),
        (("../x",), Place.ESCAPING),
        (("a/../../x",), Place.ESCAPING),
        ((None, "/../../etc/passwd"), Place.ESCAPING),
        ((None,), Place.UNKNOWN),
        ((None, "/x"), Place.UNKNOWN),
        (("<here>/module.py",), Place.SOURCE),
        (("<here>/../data",), Place.RELATIVE),
        (("<here>/../../../../x",), Place.ESCAPING),
        (("",), Place.RELATIVE),
    ],
)
def test_a_path_points_somewhere(path: tuple[str | None, ...], place: Place) -> None:
    assert place_of(path) is place


@pytest.mark.parametrize(
    ("source", "rules"),
    [
        ("open(p)", set()),
        ("open('data.csv')", set()),
        ("open(p, 'w')", {"file-write-open"}),
        ("open('/etc/x', 'w')", {"file-write"}),
        ("open('/etc/x', mode='a')", {"file-write"}),
        ("open('/etc/' + n)", {"file-read"}),
        ("from pathlib import Path\n(Path('/') / 'etc' / 'hosts').read_text()", {"file-read"}),
        ("from pathlib import Path\nPath.home().joinpath('.netrc').read_text()", {"secret-file"}),
        ("import os\nos.remove(p)", {"file-delete"}),
        ("import os, tempfile\nos.remove(tempfile.mkdtemp() + '/x')", set()),
        ("import os\nfd = os.open('/etc/x', os.O_RDWR | os.O_CREAT)", {"file-write"}),
        ("import os\nos.open('/srv/x', os.O_RDONLY)", set()),
        ("import os\nopen(os.path.join(os.path.dirname(__file__), 'x'))", set()),
    ],
)
def test_access_is_judged_by_place(source: str, rules: set[str]) -> None:
    assert {finding.rule for finding in check_source(source).findings} == rules
