"""What is proven without a single input, and what only looks as if it were the same."""

import pytest

from reverie.instruments.equivalence.proven import laws_of_versions, prove_modules
from reverie.instruments.equivalence.targets import version_of

SAME = [
    ('def f(x):\n return max(0, x)',
     'def f(x):\n return x if x > 0 else 0'),
    ('def f(x, y):\n return min(x, y)',
     'def f(x, y):\n if y < x: return y\n return x'),
    ('def f(x):\n if x: return 1\n else: return 2',
     'def f(x):\n return 1 if x else 2'),
    ('def f(x,y):\n return not x in y',
     'def f(x,y):\n return x not in y'),
    ('def f(x):\n r=[]\n for a in x:\n  r.append(a+1)\n return r',
     'def f(x):\n return [b+1 for b in x]'),
    ('def f(x):\n return [y for y in x if y]',
     'def f(x):\n r=[]\n for y in x:\n  if not y:\n   continue\n  r.append(y)\n return r'),
    ('def f(x):\n return [*range(0, len(x), 1)], sorted(x, reverse=False)',
     'def f(x):\n return [*range(len(x))], sorted(x)'),
    ('def f(x):\n for i, e in enumerate(x, start=0): print(e, end="\\n")',
     'def f(x):\n for i, e in enumerate(x): print(e)'),
    ("def f(x,y):\n return '{0}{1}'.format(x,y)",
     "def f(x,y):\n return f'{x}{y}'"),
    ("def f(x):\n return '{0:>5}!'.format(x)",
     "def f(x):\n return '{:>5}!'.format(x)"),
    ("def f(x):\n return 'a' + 'b%s' % len(x)",
     "def f(x):\n return f'ab{len(x)}'"),
    ('def f(x):\n n=0\n for i in x:\n  n+=i\n return n',
     'def f(x):\n total=0\n for j in x:\n  total+=j\n return total'),
    ('def f(x):\n try:\n  g(x)\n except ValueError as e:\n  raise KeyError from e\n else:\n  h(x)',
     'def f(x):\n try:\n  g(x)\n except ValueError as e:\n  raise KeyError from e\n h(x)'),
    ('def f(x):\n return g(x)*2\ndef g(x): return x+1',
     'def f(x):\n return _h(x)\ndef g(x): return x+1\ndef _h(y):\n z=g(y)\n return z*2'),
    ('def f(x):\n k=3\n def g(y):\n  if y: return k\n  else: return x\n return g',
     'def f(x):\n k=3\n def g(y):\n  if y: return k\n  return x\n return g'),
    ('def f(x):\n with open(x) as h:\n  return h.read()',
     'def f(x):\n with open(x) as h:\n  s = h.read()\n  return s'),
    ('def f(a):\n with a:\n  x=1\n return x',
     'def f(a):\n with a:\n  x=1\n  return x'),
    ('def f(x):\n a,b=x\n return b,a',
     'def f(x):\n a,b=x\n a,b=b,a\n return a,b'),
    ('def f(x):\n y=x.y\n if y is None: return None\n if y is None: return 1\n return 3',
     'def f(x):\n z=x.y\n if z is None: return z\n return 3'),
    ('def f(x):\n if x: return True\n return False',
     'def f(x):\n return bool(x)'),
    ('def f(x):\n return list(sorted(x))',
     'def f(x):\n return sorted(x)'),
    ('def f(x):\n return dict(a=x), list(), set([x])',
     "def f(x):\n return {'a': x}, [], {x}"),
    ('def f(x):\n return isinstance(x, int) or isinstance(x, str)',
     'def f(x):\n return isinstance(x, (int, str))'),
    ('def f(x):\n return len(x) > 0',
     'def f(x):\n return not len(x) < 1'),
    ('def f(x, y):\n if not x and not y: return 1\n return 2',
     'def f(x, y):\n if x or y: return 2\n return 1'),
    ('def f(x):\n y = 3\n return x.a',
     'def f(x):\n return x.a'),
    ('def f(x):\n while 1:\n  if x.a(): break\n  x.b()',
     'def f(x):\n while True:\n  if x.a(): return\n  x.b()'),
    ('def f(x):\n if x in [1, 2]: return 1\n return None',
     'def f(x):\n if x in (1, 2): return 1'),
    ('def f(x):\n with x.a() as a, x.b() as b: return a, b',
     'def f(x):\n with x.a() as one:\n  with x.b() as two: return one, two'),
    ('def f(x):\n yield 1\n for y in x:\n  if y: yield y\n  else: continue',
     'def f(x):\n yield 1\n for y in x:\n  if not y: continue\n  yield y'),
]  # fmt: skip
DIFFERENT = [
    ('def f(x):\n return range(1, x)', 'def f(x):\n return range(x)'),
    ('def f(x):\n return range(0, x, 2)', 'def f(x):\n return range(x, 2)'),
    ('def f(x):\n return sum(x, 0.0)', 'def f(x):\n return sum(x)'),
    ('def f(x, k):\n return print(x, sep=" ", **k)', 'def f(x, k):\n return print(x, **k)'),
    ('def range(a, b=1): return a\ndef f(x):\n return range(0, x)',
     'def range(a, b=1): return a\ndef f(x):\n return range(x)'),
    ('def f(x):\n return max(0, x)', 'def f(x):\n return 0 if x < 0 else x'),
    ('def f(x):\n return max(x, 0)', 'def f(x):\n return x if x > 0 else 0'),
    ('def f(x):\n return max(0, x)', 'def f(x):\n return min(0, x)'),
    ('def f(a,b):\n x=a()\n y=b()\n return x,y',
     'def f(a,b):\n y=b()\n x=a()\n return x,y'),
    ('def f(a,b):\n return a.x+b.y',
     'def f(a,b):\n t=b.y\n return a.x+t'),
    ('def f(a):\n a.x\n return 1',
     'def f(a):\n return 1'),
    ('def f(a):\n a[0]\n return 1',
     'def f(a):\n return 1'),
    ('def f(a):\n a == 1\n return 1',
     'def f(a):\n return 1'),
    ('def f(a,b):\n return not a==b',
     'def f(a,b):\n return a!=b'),
    ('def f(a,b):\n return not a<b',
     'def f(a,b):\n return a>=b'),
    ('def f(a):\n return a+1',
     'def f(a):\n return 1+a'),
    ('def f(a):\n a+=[1]\n return a',
     'def f(a):\n a=a+[1]\n return a'),
    ("def f(a):\n return '%s' % a",
     "def f(a):\n return '{}'.format(a)"),
    ("def f(a):\n return '%s' % (a,)",
     "def f(a):\n return f'{a}'"),
    ("def f(a):\n return 'x%sx' % (a,)",
     "def f(a):\n return f'x{a}x'"),
    ("def f(a):\n return '{}'.format(a)",
     'def f(a):\n return str(a)'),
    ("def f(a):\n return f'{a}'",
     'def f(a):\n return str(a)'),
    ("def f(a,b):\n return '{}{}'.format(a(),b())",
     "def f(a,b):\n return f'{a()}{b()}'"),
    ("def f(a,b):\n return '{1}{0}'.format(a,b)",
     "def f(a,b):\n return f'{a}{b}'"),
    ("def f(a):\n return '{:>5}'.format(a)",
     "def f(a):\n return '{:>6}'.format(a)"),
    ("def f(a):\n return '{!r}'.format(a)",
     "def f(a):\n return '{}'.format(a)"),
    ('list=tuple\ndef f():\n return list()',
     'list=tuple\ndef f():\n return []'),
    ('def f(dict):\n return dict()',
     'def f(dict):\n return {}'),
    ('from os import *\ndef f():\n return list()',
     'from os import *\ndef f():\n return []'),
    ('def g():\n global list\n list=3\ndef f():\n return list()',
     'def g():\n global list\n list=3\ndef f():\n return []'),
    ("globals()['list']=3\ndef f():\n return list()",
     "globals()['list']=3\ndef f():\n return []"),
    ('def f():\n return 1',
     'def f():\n return True'),
    ('def f():\n return 1',
     'def f():\n return 1.0'),
    ('def f():\n return 0.0',
     'def f():\n return -0.0'),
    ('def f(a):\n return [a]',
     'def f(a):\n return (a,)'),
    ('def f(a):\n return [x for x in a]',
     'def f(a):\n return (x for x in a)'),
    ('def f(a):\n return [x for x in a]',
     'def f(a):\n return list(a)'),
    ('def f(a):\n return {x for x in a}',
     'def f(a):\n return set(a)'),
    ('def f(a):\n return a in (1,2)',
     'def f(a):\n return a in {1,2}'),
    ('def f(a):\n x=[]\n return x,x',
     'def f(a):\n return [],[]'),
    ('def f(a):\n x=[]\n a(x)\n x.append(1)\n return x',
     'def f(a):\n x=[]\n x.append(1)\n a(x)\n return x'),
    ('def f(a):\n x=[]\n a.append(x)\n return x',
     'def f(a):\n x=[]\n a.append(x)\n return []'),
    ('def f(a=[]):\n a.append(1)\n return a',
     'def f(a=[]):\n a=a+[1]\n return a'),
    ('def f(a):\n r=[]\n for x in a:\n  r.append(x)\n return r',
     'def f(a):\n r=[]\n for x in a:\n  r.append(x)\n  r.append(x)\n return r'),
    ('def f(a):\n r=[]\n for x in a:\n  r.append(x)\n return r',
     'def f(a):\n r=[]\n for x in a:\n  r=[x]\n return r'),
    ('def f(a):\n for x in a: pass\n return x',
     'def f(a):\n [x for x in a]\n return x'),
    ('x=5\ndef f(a):\n for x in a: pass\n return x',
     'x=5\ndef f(a):\n [x for x in a]\n return x'),
    ('def f(a):\n n=0\n for x in a:\n  n+=1\n return n',
     'def f(a):\n n=0\n for x in a:\n  n=1\n return n'),
    ('def f(a):\n n=0\n m=0\n for x in a:\n  n=n+x\n  m=m+x\n return n',
     'def f(a):\n n=0\n m=0\n for x in a:\n  n=n+x\n  m=n+x\n return m'),
    ('def f(a):\n while a.b(): a.c()',
     'def f(a):\n while a.b(): a.c(); a.b()'),
    ('def f(a):\n while True: pass',
     'def f(a):\n return 1'),
    ('def f(a):\n n=0\n while n<3:\n  n+=1\n return n',
     'def f(a):\n return 3 if a else 4'),
    ('def f(a):\n try:\n  return a()\n except ValueError: return 1',
     'def f(a):\n try:\n  return a()\n except Exception: return 1'),
    ('def f(a):\n try:\n  x=a()\n except ValueError: return 1\n return x.y',
     'def f(a):\n try:\n  x=a()\n  return x.y\n except ValueError: return 1'),
    ('def f(a):\n try:\n  return a()\n finally:\n  b()',
     'def f(a):\n x=a()\n b()\n return x'),
    ('def f(a):\n try:\n  a()\n except ValueError:\n  raise KeyError(1)',
     'def f(a):\n try:\n  a()\n except ValueError:\n  raise KeyError(1) from None'),
    ('def f(a):\n try:\n  a()\n except ValueError:\n  raise KeyError(1)',
     'def f(a):\n e=None\n try:\n  a()\n except ValueError:\n  e=1\n if e: raise KeyError(1)'),
    ('def f(a):\n try:\n  a()\n except ValueError as e:\n  pass\n return e',
     'def f(a):\n e=None\n try:\n  a()\n except ValueError as e:\n  pass\n return e'),
    ('def f(a):\n assert a',
     'def f(a):\n if not a: raise AssertionError'),
    ('def f(a):\n assert a\n return 1',
     'def f(a):\n return 1'),
    ('def f(a):\n if __debug__: a()',
     'def f(a):\n a()'),
    ('def f(a):\n del a\n return 1',
     'def f(a):\n del a\n return a'),
    ('def f(a):\n r=[]\n for x in a:\n  r.append(lambda: x)\n return r',
     'def f(a):\n r=[]\n for x in a:\n  r.append(lambda x=x: x)\n return r'),
    ('def f(a):\n r=[]\n for x in a:\n  r.append(lambda: x)\n return r',
     'def f(a):\n return [lambda: x for x in a]'),
    ('def f(a):\n x=1\n g=lambda: x\n x=2\n return g',
     'def f(a):\n x=2\n g=lambda: x\n return g'),
    ('def f(a):\n x=1\n def g():\n  nonlocal x\n  x=2\n g()\n return x',
     'def f(a):\n x=1\n def g():\n  nonlocal x\n  x=2\n g()\n return 1'),
    ('def f(a):\n def g(): return a\n a=2\n return g',
     'def f(a):\n def g(): return a\n return g'),
    ('def f(a):\n def g(): return a\n return g',
     'def f(a):\n def h(): return a\n return h'),
    ('def f(a):\n yield 1',
     'def f(a):\n return iter([1])'),
    ('def f(a):\n for x in a: yield x',
     'def f(a):\n yield from a'),
    ('def f(a):\n yield 1\n a()',
     'def f(a):\n a()\n yield 1'),
    ('def f(a):\n with a: return a.x',
     'def f(a):\n x = a.x\n with a: return x'),
    ('def f(a,b):\n return a and b',
     'def f(a,b):\n return bool(a and b)'),
    ('def f(a,b):\n return True if a else False',
     'def f(a,b):\n return a'),
    ('def f(a):\n return a or []',
     'def f(a):\n return a if a is not None else []'),
    ('def f(a):\n if a: return 1\n if a: return 2\n return 3',
     'def f(a):\n if a: return 1\n return 4'),
    ('def f(a):\n if a.x: a.y()\n if a.x: return 2\n return 3',
     'def f(a):\n if a.x:\n  a.y()\n  return 2\n return 3'),
    ('def f(a):\n return len(a)==0',
     'def f(a):\n return not a'),
    ('def f(a):\n return len(a)>1',
     'def f(a):\n return len(a)>=1'),
    ('def f(a):\n b=1\n return locals()',
     'def f(a):\n c=1\n return locals()'),
    ("def f(a):\n b=a()\n return eval('b')",
     "def f(a):\n c=a()\n return eval('b')"),
    ('def f(a):\n global G\n G=1\n a()',
     'def f(a):\n global G\n a()\n G=1'),
    ('G=1\ndef f(a):\n x=G\n a()\n return x',
     'G=1\ndef f(a):\n a()\n return G'),
    ('def f(a):\n x=zork\n return 1',
     'def f(a):\n return 1'),
    ('def f(a):\n return a(1,2)',
     'def f(a):\n return a(2,1)'),
    ('def f(a):\n return a(x=1,y=2)',
     'def f(a):\n return a(y=2,x=1)'),
    ('def f(a):\n return a(*a.b, c=a.c())',
     'def f(a):\n return a(*a.b, d=a.c())'),
    ('def f(a):\n a.x = 1\n a.y = 2',
     'def f(a):\n a.y = 2\n a.x = 1'),
    ('def f(a):\n a.x, a.y = 1, 2',
     'def f(a):\n a.y, a.x = 2, 1'),
    ('def f(a):\n b,c=a\n return b',
     'def f(a):\n return a[0]'),
    ('def f(a):\n return isinstance(a,(int,str))',
     'def f(a):\n return isinstance(a,(str,int))'),
    ('def f(a):\n return super().x',
     'class A:pass\ndef f(a):\n return super(A,a).x'),
    ('def f(a):\n x = yield\n return x',
     'def f(a):\n yield\n return None'),
    ("import re\ndef f(a):\n return re.sub('a','b',a)",
     "import re\ndef f(a):\n return re.sub('a','c',a)"),
    ('def f(a):\n return a is a.b',
     'def f(a):\n return a.b is a.b'),
    ('def f(a):\n return a.b is a.b',
     'def f(a):\n return True'),
    ('def f(a):\n x=1\n del x\n return x',
     'def f(a):\n x=1\n return x'),
    ('def f(a,b):\n return a<b<a',
     'def f(a,b):\n return a<b and a<b'),
    ('def f(a,b):\n return a<b()<a',
     'def f(a,b):\n return a<b() and b()<a'),
    ('def f(a):\n x=[1,2]\n x.append(a)\n return x',
     'def f(a):\n x=[1,2]\n x.append([a])\n return x'),
    ('def f(a):\n return sorted(a)',
     'def f(a):\n a.sort()\n return a'),
    ('def f(a):\n x=[]\n x.append(x)\n return x',
     'def f(a):\n x=[]\n x.append([])\n return x'),
    ('def f(a):\n return {k:1 for k in a}',
     'def f(a):\n return {k:2 for k in a}'),
    ("def f(a):\n return 'a' if a else 'b'",
     "def f(a):\n return 'b' if a else 'a'"),
    ('def f(n):\n return len(n) < 3',
     'def f(n):\n return len(n) <= 3'),
    ('def f(n):\n try:\n  return n()\n except:\n  return 1',
     'def f(n):\n try:\n  return n()\n except Exception:\n  return 1'),
    ('def f(n):\n for i in n:\n  try:\n   i()\n  finally:\n   break',
     'def f(n):\n for i in n:\n  try:\n   i()\n  finally:\n   continue'),
    ('def f(n):\n try:\n  return 1\n finally:\n  return 2',
     'def f(n):\n return 1'),
    ('async def f(n):\n await n',
     'async def f(n):\n n'),
    ('def f(x):\n return _h(x)\ndef _h(x): return x+1',
     'def f(x):\n return x+2'),
    ('def f(x):\n return _h(x, x.y())\ndef _h(x, y):\n return y',
     'def f(x):\n return x'),
    ('def f(x):\n return _h(x)\n_h = abs\ndef _h(x): return x+1',
     'def f(x):\n return x+1'),
    ('def f(x):\n return _h(x)\ndef _h(x): return x+1\nimport m\nm.g(_h)\n_h = 3',
     'def f(x):\n return x+1'),
    ('def f(x):\n return _h()\ndef _h(x=[]): return x',
     'def f(x):\n return []'),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new"), SAME)
def test_the_same_steps_on_the_same_values_are_proven(old: str, new: str) -> None:
    assert "f" in prove_modules(old, new).functions
    assert "f" in prove_modules(new, old).functions


@pytest.mark.parametrize(("old", "new"), DIFFERENT)
def test_what_somebody_could_notice_is_not_proven(old: str, new: str) -> None:
    assert "f" not in prove_modules(old, new).functions
    assert "f" not in prove_modules(new, old).functions


def test_a_parameter_a_default_or_a_decorator_is_seen_from_outside() -> None:
    old = "def f(a, b=1):\n    return (a)\n"
    for new in ("def f(c, b=1):\n    return c\n", "def f(a, b=2):\n    return a\n",
                "@property\ndef f(a, b=1):\n    return a\n",
                "async def f(a, b=1):\n    return a\n"):  # fmt: skip
        assert not prove_modules(old, new).functions


def test_a_wrapper_that_may_read_types_or_words_keeps_them() -> None:
    old = "@checked\ndef f(a: int):\n    if a: return 1\n    else: return 2\n"
    new = old.replace("else: return 2", "return 2")
    assert "f" in prove_modules(old, new).functions
    assert "f" not in prove_modules(old, new.replace("int", "str")).functions


def test_both_functions_of_a_property_have_to_be_the_same() -> None:
    old = (
        "class C:\n    @property\n    def x(self):\n        return (self.y)\n"
        "    @x.setter\n    def x(self, value):\n        self.y = value\n        return None\n"
    )
    same = old.replace("        return None\n", "")
    assert "C.x" in prove_modules(old, same).functions
    assert "C.x" not in prove_modules(old, same.replace("self.y)", "self.z)")).functions


def test_a_helper_is_absorbed_only_where_all_its_users_are_proven() -> None:
    old = "def f(a):\n    return a.b(a) + 1\n"
    new = "def _g(a):\n    return a.b(a)\n\ndef f(a):\n    return _g(a) + 1\n"
    assert prove_modules(old, new).absorbed == {"_g"}
    assert not prove_modules(old, new + "\nregister(_g)\n").absorbed
    assert not prove_modules(old, new.replace("+ 1", "+ 2")).absorbed


def test_code_that_looks_at_code_is_left_to_the_search() -> None:
    old = "import sys\ndef g():\n    return sys._getframe()\ndef f(a):\n    b = a\n    return b\n"
    assert not prove_modules(old, old.replace("    b = a\n    return b", "    return a")).functions


def test_a_value_of_the_module_may_be_spelled_otherwise() -> None:
    proven = prove_modules("X = dict(a=1)\nY = [1]\n", "X = {'a': 1}\nY = [2]\n")
    assert proven.values == {"X"}


@pytest.mark.parametrize("text", ["def f(:\n", "x = " + "(" * 300 + ")" * 300, "\0", "x" * 500_000])
def test_what_is_not_python_or_too_much_is_not_proven(text: str) -> None:
    assert not prove_modules("def f(a):\n    return a\n", text).functions


def test_deep_code_ends_without_a_proof() -> None:
    old = "def f(a):\n    return " + " + ".join(["a"] * 900) + "\n"
    new = "def f(a):\n    b = a\n    return " + " + ".join(["b"] * 900) + "\n"
    assert prove_modules(old, new).functions in ({}, {"f": ()})


def test_versions_are_proven_only_where_the_rest_of_their_modules_is_the_same() -> None:
    old = "LIMIT = 3\n\ndef f(a):\n    if a: return LIMIT\n    else: return 2\n"
    new = old.replace("else: return 2", "return 2")

    def laws(second: str) -> tuple[str, ...] | None:
        return laws_of_versions(version_of(old, "f"), version_of(second, "f"))

    assert laws(new) == ()
    assert laws(new.replace("LIMIT = 3", "LIMIT = 4")) is None
    assert laws(new + "\nprint(1)\n") is None
