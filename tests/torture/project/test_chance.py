"""Fails always, and says what chance gave: two runs are alike if their messages are."""

import os
import random
import secrets
import tempfile
import threading
import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest

AT_IMPORT = random.random(), uuid.uuid4().int % 10**9


def show(**values: object) -> None:
    pytest.fail(" ".join(f"{name}={value}" for name, value in sorted(values.items())))


def test_random() -> None:
    show(a=random.random(), b=random.Random().random(), c=random.SystemRandom().random())


def test_reseeded_without_a_seed() -> None:
    random.seed()
    show(a=random.random())


def test_at_import() -> None:
    show(a=AT_IMPORT)


def test_ids() -> None:
    show(a=uuid.uuid4().int % 10**9, b=uuid.uuid1().int % 10**9)


def test_bytes() -> None:
    show(a=os.urandom(4).hex(), b=secrets.token_hex(4), c=secrets.randbelow(10**6))


def test_numpy() -> None:
    numpy = pytest.importorskip("numpy")
    show(
        a=numpy.random.rand(),
        b=numpy.random.default_rng().random(),
        c=numpy.random.RandomState().rand(),
    )


def test_hash_and_set_order() -> None:
    show(a=hash("reverie") % 10**9, b="".join({"alpha", "beta", "gamma", "delta"}))


def test_temporary_names() -> None:
    with tempfile.NamedTemporaryFile() as file, tempfile.TemporaryDirectory() as folder:
        show(a=os.path.basename(file.name), b=os.path.basename(folder))


def test_threads() -> None:
    found = {}

    def draw() -> None:
        found[threading.current_thread().name] = uuid.uuid4().int % 10**9

    threads = [threading.Thread(target=draw) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    show(a=sorted(found.items()))


def test_thread_pool() -> None:
    with ThreadPoolExecutor(1) as pool:
        show(a=list(pool.map(lambda _: uuid.uuid4().int % 10**9, range(3))))


def test_forked_children_differ() -> None:
    drawn = []
    for _ in range(2):
        reader, writer = os.pipe()
        if not (child := os.fork()):
            os.write(writer, f"{uuid.uuid4().int % 10**9} {random.random()}".encode())
            os._exit(0)
        os.waitpid(child, 0)
        drawn.append(os.read(reader, 100).decode())
    assert drawn[0] != drawn[1]
    show(a=drawn)


@pytest.fixture(scope="module")
def shared() -> str:
    return f"{random.random()} {uuid.uuid4().int % 10**9}"


def test_first_user_of_a_shared_fixture(shared: str) -> None:
    show(a=shared, b=random.random())


def test_second_user_of_a_shared_fixture(shared: str) -> None:
    show(a=shared, b=random.random())


@pytest.mark.parametrize("number", [random.randrange(10**6) for _ in range(2)])
def test_parameters_drawn_at_import(number: int) -> None:
    show(a=number)
