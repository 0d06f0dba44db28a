"""What is the same as long as values do what is usual, and what is not even then."""

import pytest

from reverie.instruments.equivalence.proven import prove_modules, renamed_functions
from reverie.trials.changed import changed_code

SAME = [
    ('def f(x):\n if not x: return 1\n if isinstance(x, list): return x + [2] if x else 3',
     'def f(x):\n if not x: return 1\n if isinstance(x, list): return x + [2]'),
    ('def f(o, k):\n return " {}={}".format(k, o["a"][k])',
     'def f(o, k):\n return f" {k}={o[\'a\'][k]}"'),
    ('def f(o, ks):\n r = []\n for k in ks: r.append(" {}={}".format(k, o[k]))\n return r',
     'def f(o, ks):\n r = []\n for k in ks: r.append(f" {k}={o[k]}")\n return r'),
    ('def f(x):\n raise ValueError("no %r in %s" % (x, ", ".join(x.names)))',
     'def f(x):\n m = "no {!r} in {}".format(x, ", ".join(x.names))\n raise ValueError(m)'),
    ('def f(x):\n n = len(x)\n return x.size', 'def f(x):\n return x.size'),
    ('def f(x, y):\n return 1 if x != y else 2', 'def f(x, y):\n return 2 if y == x else 1'),
    ('def f(x):\n for y in x: yield y', 'def f(x):\n yield from x'),
    ('def f(x):\n import sys\n return sys.intern(x)',
     'import sys\ndef f(x):\n return sys.intern(x)'),
    ('import re\ndef f(x):\n return re.sub("[^\\\\]]+\\\\]", "", x)',
     'import re\ndef f(x):\n return re.sub("[^]]+]", "", x)'),
    ('def f(a: bool, b, c):\n if not a: d = b and not c\n else: d = b\n return 1 if d else 2',
     'def f(a: bool, b, c):\n d = b and (a or not c)\n return 1 if d else 2'),
    ('class A:\n def f(self, x):\n  return self.g(x) * 2',
     'class A:\n def f(self, x):\n  return self._h(x)\n def _h(self, y):\n  return self.g(y) * 2'),
    ('def f(v, h, g):\n try:\n  return g(v)\n except KeyError: return h\n',
     'def f(v, h, g):\n try:\n  w = g(v)\n  return w\n except KeyError: return h\n'),
    ('def f(x, g):\n if g:\n  try: return g(x)\n  except ValueError: return 1\n'
     ' try: return x.h()\n except ValueError: return 1',
     'def f(x, g):\n try:\n  if g: return g(x)\n  return x.h()\n except ValueError: return 1'),
    ('def f(xs):\n return list(map(lambda x: x.a, xs))', 'def f(xs):\n return [x.a for x in xs]'),
    # what a comparison found stays as it is
    ('def f(x):\n n = x < 0\n x = x.g()\n return "-" + str(x) if n else str(x)',
     'def f(x):\n p = "-" if x < 0 else ""\n x = x.g()\n return p + str(x)'),
    # attributes are read earlier, or twice
    ('def f(p, q):\n return 1 if p.a != 2 and q.b == p.c else 3',
     'def f(p, q):\n return 1 if q.b == p.c and p.a != 2 else 3'),
    # numbers are worked out earlier, also beside what catches other errors
    ('def f(xs, n, g):\n try:\n  b = xs[n]\n  g(b * 128 ** (n - 1) if b else 128 ** (n - 1))\n'
     ' except IndexError: return 1',
     'def f(xs, n, g):\n try:\n  b = xs[n]\n  m = 128 ** (n - 1)\n  g(b * m if b else m)\n'
     ' except IndexError: return 1'),
    # generators that are drawn at once, copies, and loops up to the first
    ('def f(xs):\n return [x for x in xs.g()]', 'def f(xs):\n return list(xs.g())'),
    ('def f(xs):\n return {k: v for k, v in xs.items()}',
     'def f(xs):\n return dict(xs.items())'),
    ('def f(xs):\n return set([x.a for x in xs])', 'def f(xs):\n return {x.a for x in xs}'),
    ('def f(xs):\n return ", ".join([x.a for x in xs])',
     'def f(xs):\n return ", ".join(x.a for x in xs)'),
    ('def f(xs, y):\n for x in xs:\n  if not y.g(x): return False\n return True',
     'def f(xs, y):\n return all(y.g(x) for x in xs)'),
    ('def f(xs, y):\n for x in xs:\n  if y.g(x): return True\n return False',
     'def f(xs, y):\n return any(y.g(x) for x in xs)'),
    # a part of a function that nothing can be said of as a whole
    ('def f(x, h):\n class A: pass\n if x.g():\n  t = [y for y in x.g()]\n  h(t)\n return A',
     'def f(x, h):\n class A: pass\n if x.g():\n  h(list(x.g()))\n return A'),
    ('def f(x, ys):\n class A: pass\n if x.a:\n  x.h()\n  return',
     'def f(x, ys):\n class A: pass\n if not x.a: return\n x.h()'),
    ('def f(x, ys):\n class A: pass\n for y in ys:\n  if not y.a:\n   continue'
     '\n  x.h(y)\n return A',
     'def f(x, ys):\n class A: pass\n for y in ys:\n  if y.a:\n   x.h(y)\n return A'),
]  # fmt: skip
DIFFERENT = [
    # somebody asks first whether it is there
    ('def f(x):\n if x is None: return 0\n return x.size',
     'def f(x):\n n = x.size\n if x is None: return 0\n return n'),
    ('def f(x):\n if isinstance(x, str): return 0\n n = x.size\n return 1',
     'def f(x):\n n = x.size\n if isinstance(x, str): return 0\n return 1'),
    ('def f(x):\n return 1 if x and x.a == 2 else 3',
     'def f(x):\n return 1 if x.a == 2 and x else 3'),
    ('def f(x):\n try: x.a\n except AttributeError: return 1\n return 2',
     'def f(x):\n try: pass\n except AttributeError: return 1\n return 2'),
    ('def f(x):\n if x is None: return 0\n return x - 1',
     'def f(x):\n y = x - 1\n if x is None: return 0\n return y'),
    # an attribute may be another by then, and so may a list that is added or repeated
    ('def f(x):\n a = x.a\n x.g()\n return a', 'def f(x):\n x.g()\n return x.a'),
    ('def f(x, r, s):\n r(x + x)\n s(x + x)', 'def f(x, r, s):\n y = x + x\n r(y)\n s(y)'),
    ('def f(x, r, s):\n r(x * 2)\n s(x * 2)', 'def f(x, r, s):\n y = x * 2\n r(y)\n s(y)'),
    ('def f(x, y):\n if y: return 1\n return x / 2',
     'def f(x, y):\n z = x / 2\n return 1 if y else z'),
    # what is not drawn at once, and what decides otherwise
    ('def f(xs):\n return [x.a for x in xs]', 'def f(xs):\n return (x.a for x in xs)'),
    ('def f(xs, y):\n return all([y.g(x) for x in xs])',
     'def f(xs, y):\n return all(y.g(x) for x in xs)'),
    ('def f(xs):\n return {k: v for k, v in xs}', 'def f(xs):\n return dict(xs)'),
    ('def f(xs):\n return {v: k for k, v in xs.items()}', 'def f(xs):\n return dict(xs.items())'),
    ('def f(xs, list):\n return [x for x in xs]', 'def f(xs, list):\n return list(xs)'),
    ('def f(xs, y):\n for x in xs:\n  if not y.g(x): return False\n return True',
     'def f(xs, y):\n return any(y.g(x) for x in xs)'),
    ('def f(xs, y):\n return bool(any(x for x in xs))',
     'def f(xs, y):\n return not any(x for x in xs)'),
    # a part that leaves another name, goes another way, or is seen by a function inside
    ('def f(x, ys):\n class A: pass\n t = x.g()\n x.h(t)\n return A, t',
     'def f(x, ys):\n class A: pass\n x.h(x.g())\n return A, t'),
    ('def f(x, ys):\n class A: pass\n for y in ys:\n  if y.a: break\n  x.h(y)\n return A',
     'def f(x, ys):\n class A: pass\n for y in ys:\n  if y.a: continue\n  x.h(y)\n return A'),
    ('def f(x, ys):\n class A: pass\n t = 0\n for y in ys:\n  x.h(t)\n  t = y\n return A',
     'def f(x, ys):\n class A: pass\n t = 0\n for y in ys:\n  x.h(t)\n  u = y\n return A'),
    ('def f(x, ys):\n class A: pass\n def g(): return t\n t = x.a\n x.h(g)\n return A',
     'def f(x, ys):\n class A: pass\n def g(): return t\n x.h(g)\n t = x.a\n return A'),
    ('def f(x, ys):\n class A: pass\n try:\n  t = x.g()\n  x.h()\n except KeyError: t\n return A',
     'def f(x, ys):\n class A: pass\n try:\n  u = x.g()\n  x.h()\n except KeyError: t\n return A'),
    ('def f(x, ys):\n class A: pass\n x.h()\n return A',
     'def f(x, ys):\n class A: pass\n return A'),
    # the value may be another by then
    ('def f(x):\n if not x: return 1\n x.clear()\n return 2 if x else 3',
     'def f(x):\n if not x: return 1\n x.clear()\n return 2'),
    ('def f(x):\n s = str(x)\n x.clear()\n return s', 'def f(x):\n x.clear()\n return str(x)'),
    ('def f(x):\n n = len(x)\n x.pop()\n return n', 'def f(x):\n x.pop()\n return len(x)'),
    ('def f(x):\n y = [x]\n s = f"{y}"\n y.append(1)\n return s',
     'def f(x):\n y = [x]\n y.append(1)\n return f"{y}"'),
    # it is asked in order to see whether it fails
    ('def f(x):\n try: len(x)\n except TypeError: return 1\n return 2',
     'def f(x):\n try: len(x)\n except TypeError: return 3\n return 2'),
    ('def f(x, y):\n try: return x < y\n except TypeError: return 1',
     'def f(x, y):\n try: return x < y\n except TypeError: return 2'),
    # other comparisons, other texts, other kinds
    ('def f(x, y):\n return 1 if x < y else 2', 'def f(x, y):\n return 2 if x >= y else 1'),
    ('def f(x, y):\n return x != y', 'def f(x, y):\n return not x == y'),
    ('def f(x):\n return "%s" % x', 'def f(x):\n return f"{x}"'),
    ('def f(x):\n return "%s" % (x,)', 'def f(x):\n return f"{x}"'),
    ('def f(x):\n return "%d" % (x,)', 'def f(x):\n return f"{x}"'),
    ('def f(x):\n return f"{x:>4}"', 'def f(x):\n return f"{x:<4}"'),
    ('def f(a: bool, b):\n return b if a else False', 'def f(a: bool, b):\n return a or b'),
    ('def f(a, b, c):\n if not a: return b and c\n return b',
     'def f(a, b, c):\n return b and (a or c)'),
    # drawing and containing use things up
    ('def f(x, y):\n if y in x: return 1\n return y in x', 'def f(x, y):\n return y in x and 1'),
    ('def f(x):\n a = next(x)\n b = next(x)\n return a', 'def f(x):\n a = next(x)\n return a'),
    ('def f(x):\n y = yield 1\n for z in x: yield z\n return y',
     'def f(x):\n y = yield 1\n z = yield from x\n return z'),
    # another module, another pattern, another method
    ('def f(x):\n import json\n return json.loads(x)',
     'import pickle\ndef f(x):\n return pickle.loads(x)'),
    ('import re\ndef f(x):\n return re.sub("a+", "", x)',
     'import re\ndef f(x):\n return re.sub("a*", "", x)'),
    ('import re\ndef f(x):\n return re.sub("a b", "", x, flags=re.X)',
     'import re\ndef f(x):\n return re.sub("ab", "", x, flags=re.X)'),
    ('class A:\n def f(self, o):\n  return o.g() * 2',
     'class A:\n def f(self, o):\n  return o._h()\n def _h(self):\n  return self.g() * 2'),
    ('class A:\n def f(self, x):\n  self = x\n  return self.g()',
     'class A:\n def f(self, x):\n  self = x\n  return self._h()\n'
     ' def _h(self):\n  return self.g()'),
    ('def f(xs):\n return list(map(lambda x: lambda: x, xs))',
     'def f(xs):\n return [lambda: x for x in xs]'),
    ('def f(a):\n b = 1\n return locals()', 'def f(a):\n c = 1\n return locals()'),
]  # fmt: skip


def _is_proven(before: str, after: str, *, is_behaved: bool) -> bool:
    found = prove_modules(before, after, is_behaved=is_behaved).functions
    return "f" in found or "A.f" in found


@pytest.mark.parametrize(("before", "after"), SAME)
def test_well_behaved_values_leave_it_the_same(before: str, after: str) -> None:
    assert _is_proven(before, after, is_behaved=True)


@pytest.mark.parametrize(("before", "after"), DIFFERENT)
def test_no_convention_makes_it_the_same(before: str, after: str) -> None:
    assert not _is_proven(before, after, is_behaved=True)


def test_a_convention_is_named_and_is_no_proof() -> None:
    before, after = SAME[4]
    assert not _is_proven(before, after, is_behaved=False)
    laws = prove_modules(before, after, is_behaved=True).functions["f"]
    assert "asking for a length has no effects" in laws


PENDING = (
    "class A:\n def f(self, x):\n  self._busy = True\n  y = x()\n  self._busy = False\n  return y\n"
)


def test_setting_a_private_attribute_that_nothing_reads_is_no_behaviour() -> None:
    after = "class A:\n def f(self, x):\n  return x()\n"
    assert _is_proven(PENDING, after, is_behaved=True)
    assert not _is_proven(PENDING, after, is_behaved=False)
    laws = prove_modules(PENDING, after, is_behaved=True).functions["A.f"]
    assert "a private attribute that nothing reads" in laws
    read = " def g(self):\n  return self._busy\n"
    assert not _is_proven(PENDING + read, after + read, is_behaved=True)
    asked = " def g(self):\n  return getattr(self, '_busy', 0)\n"
    assert not _is_proven(PENDING + asked, after + asked, is_behaved=True)
    public = PENDING.replace("_busy", "busy")
    assert not _is_proven(public, after, is_behaved=True)


def test_a_helper_may_be_renamed_in_two_modules() -> None:
    there = "def _is_edge(x):\n return x > 1\n"
    renamed = renamed_functions(there, there.replace("_is_edge", "is_edge"))
    assert renamed == {"is_edge": "_is_edge"}
    here = "from .there import _is_edge\ndef f(x):\n return 1 if _is_edge(x) else 2\n"
    after = here.replace("_is_edge", "is_edge")
    assert "f" in prove_modules(here, after, is_behaved=True, renamed=renamed).functions
    assert not prove_modules(here, after, is_behaved=True).functions
    elsewhere = after.replace(".there", ".other")
    assert not prove_modules(here, elsewhere, is_behaved=True, renamed=renamed).functions
    assert renamed_functions(there, "def is_edge(x):\n return x >= 1\n") == {}
    found = changed_code(here, after, renamed)
    assert {*found.compare} <= {*found.conventional}


UNREAD = (
    "class T:\n"
    " def show(self, rows, options):\n  return self._all(rows, options)\n"
    " def _all(self, rows, options):\n  return [self._one(row, options) for row in rows]\n"
    " def _one(self, row, options):\n  return row.text\n"
)


def test_an_unread_parameter_of_private_functions_goes_with_what_callers_give() -> None:
    after = UNREAD.replace("(rows, options)", "(rows)").replace("(row, options)", "(row)")
    after = after.replace("_all(self, rows, options)", "_all(self, rows)")
    after = after.replace("_one(self, row, options)", "_one(self, row)")
    found = prove_modules(UNREAD, after, is_behaved=True).functions
    assert set(found) == {"T.show", "T._all", "T._one"}
    assert found["T._one"] == ("a parameter that nobody reads",)


@pytest.mark.parametrize(
    "other",
    [
        UNREAD.replace("row.text", "row.text + options"),  # it is read
        UNREAD + " each = _one\n",  # it is more than called
        UNREAD.replace(
            "_one(row, options)", "_one(row, options())"
        ),  # what is given does something
    ],
)
def test_a_parameter_that_may_matter_stays(other: str) -> None:
    after = other.replace("_one(self, row, options)", "_one(self, row)")
    after = after.replace("_one(row, options)", "_one(row)").replace(
        "_one(row, options())", "_one(row)"
    )
    assert "T._one" not in prove_modules(other, after, is_behaved=True).functions


def test_what_is_compared_says_where_a_convention_would_do() -> None:
    before = (
        "def _g(x):\n n = len(x)\n return x.a\n\n"
        "def f(x):\n return _g(x)\n\n"
        "def h(x):\n return x.b + 1\n"
    )
    after = before.replace(" n = len(x)\n", "").replace("x.b + 1", "1 + x.b")
    found = changed_code(before, after)
    assert "f" in found.compare
    assert "h" in found.compare
    assert "f" in found.conventional
    assert "h" not in found.conventional


def test_a_value_of_the_module_that_is_spelled_otherwise_needs_no_comparison() -> None:
    made = "list(sorted(_table.keys()))"
    before = f"_table = {{'b': 1}}\nnames = {made}\n\ndef f():\n return names, _table\n"
    found = changed_code(before, before.replace(made, "sorted(_table.keys())"))
    assert found.compare == ()
    assert "names" in found.proven


CAST = "class A:\n def f(self, x):\n  return {} == x.b\n"


def test_a_cast_is_its_value_and_a_proof() -> None:
    before = CAST.format("x.a")
    after = "from typing import cast\n" + CAST.format("cast(int, x.a)")
    found = prove_modules(before, after)
    assert "cast() is its value" in found.functions["A.f"]
    assert "cast" in found.values
    assert changed_code(before, after).compare == ()
    dotted = after.replace("int,", "list[int] | None,")
    assert not prove_modules(before, dotted).functions
    assert "A.f" in prove_modules(before, dotted, is_behaved=True).functions
    other = after.replace("typing", "mine")
    assert not prove_modules(before, other).functions
    used = after + "def g(x):\n return cast(x, 1)\n"
    assert "cast" not in prove_modules(before, used).values


def test_what_takes_the_same_steps_is_named_among_what_is_rewritten() -> None:
    before, after = SAME[4]
    assert changed_code(before, after).alike == {"f"}
    assert changed_code(*DIFFERENT[0]).alike == frozenset()


def test_what_python_calls_unnamed_is_not_put_in_place_of_its_calls() -> None:
    before = "def f(x):\n return x.g()\n"
    after = (
        "def f(x):\n return _h(x)\ndef _h(x):\n return x.g()\ndef __getattr__(name):\n return 1\n"
    )
    assert prove_modules(before, after).absorbed == {"_h"}
