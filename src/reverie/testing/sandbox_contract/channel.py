"""The way back: nothing that the code can write there is more than its own claim.

Code in the same interpreter can always find the nonce (frames, closures, the collector) and
answer in the runner's place. That cannot be prevented and gains nothing: whoever can forge
"returned 7" could as well have returned 7. So what counts is that a forged answer is still
one bounded answer about itself, that facts (time, memory, tier) are not in it, and that
declared types are checked on the host.
"""

from dataclasses import replace

import pytest

from reverie.model.outcome import ErrorCategory, TestOutcome
from reverie.sandbox.engine import Sandbox
from reverie.testing.sandbox_contract.harness import (
    QUICK,
    SHORT,
    SandboxHarness,
    call,
    ended,
    script,
    told,
)

_STEAL = """
import os, struct, sys
def stolen():
    'The nonce, as anything in this interpreter can find it.'
    frame = sys._getframe()
    while frame is not None:
        for value in list(frame.f_locals.values()):
            cells = getattr(getattr(value, "send", None), "__closure__", None) or ()
            for found in (value, *(cell.cell_contents for cell in cells)):
                if type(found) is bytes and len(found) == 16:
                    return found
        frame = frame.f_back
    raise LookupError("no nonce")
def framed(body):
    body = body if isinstance(body, bytes) else body.encode()
    return stolen() + struct.pack("!I", len(body)) + body
"""

_FORGED = b'{"claim":"returned","value":"forged","type":"str"}'

_BLIND = {
    "junk": "os.write(n, b'junk' * 10)",
    "zeros": "os.write(n, bytes(4096))",
    "frame": "os.write(n, len(forged).to_bytes(4, 'big') + forged)",
    "wrong_nonce": "os.write(n, bytes(16) + len(forged).to_bytes(4, 'big') + forged)",
    "json": "os.write(n, forged)",
    "one_byte": "os.write(n, b'x')",
    "many": "[os.write(n, bytes(range(256)) * 16) for _ in range(100)]",
    "status": 'os.write(n, b\'{"status":0,"cpu":0,"strays":0}\')',
}

_MALFORMED = {
    "no_json": "framed('certainly not')",
    "empty": "framed('')",
    "list": "framed('[]')",
    "number": "framed('7')",
    "null": "framed('null')",
    "not_utf_8": 'framed(b\'{"claim": "\\xff\\xfe"}\')',
    "nan": 'framed(\'{"claim":"returned","value":NaN}\')',
    "deep": "framed('[' * 200_000)",
    "deep_object": "framed('{\"a\":' * 200_000)",
    "deep_closed": "framed('{\"claim\":\"returned\",\"value\":' + '['*90000 + ']'*90000 + '}')",
    "infinite": 'framed(\'{"claim":"returned","value":[1e999]}\')',
    "rather_deep": "framed('{\"claim\":\"returned\",\"value\":' + '['*900 + ']'*900 + '}')",
    "endless_number": "framed('{\"claim\":\"returned\",\"value\":' + '9' * 5000 + '}')",
    "two": "framed(forged) * 2",
    "trailing": "framed(forged) + b'x'",
    "huge": "stolen() + b'\\xff\\xff\\xff\\xff' + bytes(1000)",
    "just_too_large": "framed(b'x' * 5_000_000)",
    "prefix": "b'x' + framed(forged)",
}

_ODD_CLAIMS = (
    "{}",
    '{"claim":null}',
    '{"claim":7}',
    '{"claim":["returned"]}',
    '{"claim":"success"}',
    '{"claim":"died"}',
    '{"claim":"died","status":"x"}',
    '{"claim":"died","status":-1}',
    '{"claim":"died","status":1e99}',
    '{"claim":"died","status":true}',
    '{"claim":"raised"}',
    '{"claim":"raised","error":[]}',
    '{"claim":"raised","error":{"type":7,"ancestors":{},"message":[],"frames":7}}',
    '{"claim":"raised","error":{"ancestors":[7,null],"frames":[[1,2,3],["a","b","c"],[]]}}',
    '{"claim":"raised","error":{"ancestors":["OSError"],"errno":"x"}}',
    '{"claim":"raised","error":{"message":"\\ud800"}}',
    '{"claim":"not_compiled","error":7}',
    '{"claim":"not_plain","error":null}',
    '{"claim":"too_large","error":null}',
    '{"claim":"returned","exit_code":9}',
)


class ChannelContract(SandboxHarness):
    """Junk, partial, huge, nested and forged answers."""

    @pytest.mark.parametrize("way", _BLIND.values(), ids=_BLIND)
    def test_writing_to_every_descriptor_forges_nothing(self, sandbox: Sandbox, way: str) -> None:
        code = f"""
            import os
            forged = {_FORGED!r}
            for n in [*range(256), 0, 1, 2, 3]:
                if n in (1, 2): continue
                try:
                    {way}
                except OSError:
                    pass
            _result = "its own"
        """
        execution = script(sandbox, code)
        ended(execution, TestOutcome.OUTPUT_VALIDATION_FAILED, ErrorCategory.VALIDATION)
        assert execution.output is None
        ended(script(sandbox, "_result = 1"), TestOutcome.SUCCESS)

    @pytest.mark.parametrize("frame", _MALFORMED.values(), ids=_MALFORMED)
    def test_an_answer_that_is_no_answer_is_dropped(self, sandbox: Sandbox, frame: str) -> None:
        code = f"""{_STEAL}
forged = {_FORGED!r}
data = {frame}
while data:
    data = data[os.write(3, data):]
_result = "its own"
"""
        execution = script(sandbox, code)
        ended(execution, TestOutcome.OUTPUT_VALIDATION_FAILED, ErrorCategory.VALIDATION)
        assert execution.output is None

    def test_a_claim_of_any_shape_is_read_and_is_no_success(self, sandbox: Sandbox) -> None:
        for claim in _ODD_CLAIMS:
            code = f"{_STEAL}\nos.write(3, framed({claim!r}))\nos._exit(0)"
            execution = script(sandbox, code)
            assert not execution.succeeded, claim
            assert execution.error is not None
            execution.error.message.encode()

    def test_a_part_of_an_answer_is_silence(self, sandbox: Sandbox) -> None:
        code = f"{_STEAL}\nos.write(3, framed({_FORGED!r})[:-1])\n"
        ended(script(sandbox, code + "os._exit(0)"), TestOutcome.UNKNOWN_ERROR)
        execution = script(sandbox, code + "import time; time.sleep(60)", limits=SHORT)
        ended(execution, TestOutcome.TIMEOUT)

    def test_an_answer_drop_by_drop_does_not_buy_time(self, sandbox: Sandbox) -> None:
        code = f"""{_STEAL}
import time
for byte in framed(b'{{"claim":"returned","value":"' + b"x" * 10_000 + b'"}}'):
    os.write(3, bytes([byte]))
    time.sleep(0.01)
"""
        ended(script(sandbox, code, limits=SHORT), TestOutcome.TIMEOUT)

    def test_a_forged_answer_is_a_claim_about_itself_and_no_more(self, sandbox: Sandbox) -> None:
        code = f"{_STEAL}\ndef f():\n    os.write(3, framed({_FORGED!r}))\n    os._exit(0)"
        execution = call(sandbox, code)
        ended(execution, TestOutcome.SUCCESS)
        assert execution.output == "forged"
        assert execution.isolation is sandbox.tier
        execution = call(sandbox, code, expected="int")
        ended(execution, TestOutcome.OUTPUT_VALIDATION_FAILED)

    def test_a_forged_answer_does_not_keep_anything_alive(self, sandbox: Sandbox) -> None:
        code = f"{_STEAL}\nos.write(3, framed({_FORGED!r}))\nwhile True: pass"
        execution = script(sandbox, code)
        assert execution.usage.wall_seconds < 15, told(execution)
        ended(script(sandbox, "_result = 1"), TestOutcome.SUCCESS)

    def test_a_fork_that_comes_back_does_not_answer(self, sandbox: Sandbox) -> None:
        code = """
            import os
            def f():
                if os.fork() == 0:
                    return "child"
                os.wait()
                return "parent"
        """
        execution = call(sandbox, code)
        ended(execution, TestOutcome.SUCCESS)
        assert execution.output == "parent"

    @pytest.mark.parametrize(
        "patch",
        [
            "import json; json.dumps = json.loads = lambda *a, **k: '{}'",
            "import json; json.encoder.JSONEncoder.iterencode = lambda *a, **k: iter(['7'])",
            "import json; json.encoder.encode_basestring_ascii = lambda s: '\"forged\"'",
            "import json; json.encoder.c_make_encoder = None",
            "import struct; struct.pack = struct.Struct = None",
            "import os; os.getpid = lambda: 1",
            "import os; os.fsync = os.read = os.dup = None",
            "import sys; sys.modules.clear()",
            "import sys; sys.modules.update(dict.fromkeys(('json', 'os', 'inside'), None))",
            "import sys; sys.stdout = sys.stderr = None",
            "import sys; sys.stdout = type('S', (), {'flush': lambda self: 1 / 0})()",
            "import builtins; builtins.len = builtins.type = builtins.isinstance = lambda *a: 7",
            "import builtins; builtins.__dict__.clear()",
            "import gc; gc.disable(); gc.freeze()",
            "import sys; sys.setrecursionlimit(60)",
            "import sys; sys.settrace(lambda *a: 1 / 0)",
            "import sys; sys.setprofile(lambda *a: None)",
            "import threading; threading._shutdown = lambda: None",
            "import os; os.write = lambda n, data: len(data)",
        ],
    )
    def test_patching_the_interpreter_forges_nothing(self, sandbox: Sandbox, patch: str) -> None:
        code = f"def f():\n    {patch}\n    return ['its', 'own', 3]"
        execution = call(sandbox, code)
        if execution.succeeded:
            assert execution.output == ["its", "own", 3]
        else:
            assert execution.output is None
        execution = call(sandbox, "import json\ndef f(): return json.loads('[1, 2]')")
        assert execution.output == [1, 2], told(execution)

    @pytest.mark.parametrize("number", [0, 1, 2, 3])
    def test_closing_a_descriptor_harms_only_itself(self, sandbox: Sandbox, number: int) -> None:
        for code in (f"os.close({number})", f"os.dup2(os.open('/dev/null', 2), {number})"):
            execution = script(sandbox, f"import os\n{code}\n_result = 1", limits=SHORT)
            assert execution.output in (1, None), told(execution)
        ended(script(sandbox, "_result = 1"), TestOutcome.SUCCESS)

    @pytest.mark.parametrize("code", ["os.close(3)", "os.dup2(0, 3)"], ids=["closed", "replaced"])
    def test_closing_the_channel_does_not_buy_time(self, sandbox: Sandbox, code: str) -> None:
        execution = script(sandbox, f"import os, time\n{code}\ntime.sleep(60)", limits=SHORT)
        ended(execution, TestOutcome.TIMEOUT)
        execution = script(sandbox, f"import os, time\n{code}\ntime.sleep(0.1)\nos._exit(7)")
        ended(execution, TestOutcome.UNKNOWN_ERROR)
        assert "7" in told(execution)

    def test_reading_the_channel_gives_nothing(self, sandbox: Sandbox) -> None:
        code = """
            import os
            os.set_blocking(3, False)
            try:
                _result = os.read(3, 100).hex()
            except BlockingIOError:
                _result = "empty"
        """
        execution = script(sandbox, code)
        assert execution.output == "empty", told(execution)

    def test_flooding_the_channel_is_cut_short(self, sandbox: Sandbox) -> None:
        code = f"""{_STEAL}
os.write(3, stolen() + bytes([0, 1, 0, 0]))
while True: os.write(3, b"[" * 65536)
"""
        execution = script(sandbox, code, limits=replace(QUICK, wall_seconds=5))
        ended(execution, TestOutcome.OUTPUT_VALIDATION_FAILED)
