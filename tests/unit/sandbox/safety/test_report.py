import json

from reverie.sandbox.safety import check_source, render_json


def test_the_json_has_the_keys_of_the_contract() -> None:
    files = [check_source("eval(x)", "bad.py"), check_source("x = 1", "good.py")]
    answer = json.loads(json.dumps(render_json(files)))
    assert answer["passed"] is False
    bad, good = answer["files"]
    assert (bad["path"], bad["passed"]) == ("bad.py", False)
    assert (good["path"], good["passed"], good["findings"]) == ("good.py", True, [])
    (finding,) = bad["findings"]
    assert set(finding) == {"rule", "severity", "line", "column", "message"}
    assert (finding["rule"], finding["severity"]) == ("dynamic-code", "critical")
    assert len(bad["code_hash"]) == 64


def test_all_files_have_to_pass() -> None:
    assert render_json([check_source("x = 1")])["passed"] is True
    assert render_json([])["passed"] is True
