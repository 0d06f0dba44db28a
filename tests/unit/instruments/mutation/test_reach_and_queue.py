import threading

from reverie.instruments.mutation.queue import OrderQueue, orders_for
from reverie.instruments.mutation.sandbox_side import Order, SliceAnswer, SliceResult
from reverie.model.measurements.suite import CoverageMap, Mutant, TestLook


def mutant(number: int, unit: str | None = "f", line: int = 1) -> Mutant:
    name = f"a.py::f::x::{number}"
    return Mutant(name, "a.py", line, "x", "f", unit, line, line, 0, 1, "", number)


def look(name: str, outcome: str = "passed", **lines: frozenset[int]) -> TestLook:
    functions = {each.replace("__", ".<locals>."): found for each, found in lines.items()}
    return TestLook(name, outcome, "", 0.0, False, False, {"a.py": functions})


def test_a_mutant_is_reached_by_the_tests_that_run_its_function_at_its_line() -> None:
    tests = (
        look("bad", "failed", f=frozenset({1})),
        look("elsewhere", g=frozenset({1})),
        look("here", f=frozenset({1})),
        look("inside", f__inner=frozenset({1})),
    )
    coverage = CoverageMap(tests, {"a.py": {"<module>": frozenset({1})}}, {}, 0.0)
    called, other_line, module = orders_for(
        [mutant(1), mutant(2, line=9), mutant(3, unit=None)], coverage
    )
    assert (called.tests, called.at_import) == ((1, 2), False)
    assert (other_line.tests, other_line.at_import) == ((), False)
    assert module.at_import is True


def test_a_test_that_nobody_could_watch_may_reach_anything() -> None:
    blind = TestLook("blind", "passed", "", 0.0, False, False, is_traced=False)
    (order,) = orders_for([mutant(1)], CoverageMap((blind,), {}, {}, 0.0))
    assert order.tests == (0,)


def orders(count: int) -> list[Order]:
    return [Order(mutant(number), number % 2 == 0, ()) for number in range(count)]


def test_what_is_put_back_is_taken_again_and_nothing_twice() -> None:
    queue = OrderQueue(orders(100), workers=2)
    seen: list[str] = []
    is_first = True
    while some := queue.take():
        done = some[: len(some) // 2] if is_first else some
        queue.finish(done)
        queue.put_back(some[len(done) :], in_halves=is_first)
        queue.release()
        seen += [order.mutant.id for order in done]
        is_first = False
    assert len(seen) == len(set(seen)) == 100
    assert queue.left == 0


def test_nobody_leaves_while_somebody_may_give_something_back() -> None:
    queue = OrderQueue(orders(1), workers=2)
    some = queue.take()
    found: list[int] = []
    other = threading.Thread(target=lambda: found.append(len(queue.take())))
    other.start()
    queue.put_back(some)
    queue.release()
    other.join(5)
    assert found == [1]


def test_tests_that_kill_are_remembered() -> None:
    queue = OrderQueue(orders(1), workers=1)
    results = tuple(SliceResult(str(test), "killed", test, True) for test in (3, 3, -1))
    queue.learn(SliceAnswer(results, (3,)))
    assert (queue.kills, queue.alone) == ({3: 2}, {3})
