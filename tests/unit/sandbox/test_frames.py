import os
import threading

import pytest

from reverie.sandbox.inside import frames


def through_a_pipe(data: bytes, close: bool = True) -> int:
    read, write = os.pipe()
    threading.Thread(
        target=lambda: (frames.write_all(write, data), close and os.close(write))
    ).start()
    return read


def test_a_request_comes_through_unchanged() -> None:
    nonce = bytes(range(16))
    document = {"code": "é\0😀", "inputs": [10**5000, -1, 1.5, None], "deep": [[[[]]]]}
    body = frames.encode_request(document)
    read = through_a_pipe(frames.request_frame(nonce, body))
    assert frames.read_request(read) == (nonce, document)
    os.close(read)


def test_a_request_larger_than_a_pipe_comes_through() -> None:
    body = frames.encode_request({"code": "x" * 3_000_000})
    read = through_a_pipe(frames.request_frame(bytes(16), body))
    assert len(frames.read_request(read)[1]["code"]) == 3_000_000
    os.close(read)


@pytest.mark.parametrize("kept", [0, 3, 4, 19, 20, 25])
def test_a_part_of_a_request_is_its_end(kept: int) -> None:
    whole = frames.request_frame(bytes(16), frames.encode_request({"code": "x" * 100}))
    read = through_a_pipe(whole[:kept])
    with pytest.raises(EOFError):
        frames.read_request(read)
    os.close(read)


def test_long_numbers_are_only_allowed_for_requests() -> None:
    frames.encode_request(10**5000)
    with pytest.raises(ValueError, match="digits"):
        frames.encode(10**5000)


@pytest.mark.parametrize("document", [{1, 2}, object(), b"x", float])
def test_what_json_cannot_carry_is_refused(document: object) -> None:
    with pytest.raises(TypeError):
        frames.encode_request(document)
