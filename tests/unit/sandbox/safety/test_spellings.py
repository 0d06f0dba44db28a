"""One dangerous call in many spellings, and what only looks like it."""

import pytest

from reverie.sandbox.safety import check_source

SPELLINGS = [
    "import os\nos.system('x')",
    "import os as o\no.system('x')",
    "from os import system as s\ns('x')",
    "from os import *\nsystem('x')",
    "import os.path as p\np.os.system('x')",
    "import posix\nposix.system('x')",
    "import random\nrandom._os.system('x')",
    "__import__('os').system('x')",
    "import importlib as i\ni.import_module('o' + 's').system('x')",
    "import sys\nsys.modules['os'].system('x')",
    "import sys\nsys.modules.get('os').system('x')",
    "import os\ngetattr(os, 'sys' + 'tem')('x')",
    "import os\ngetattr(os, f'{\"sys\"}tem')('x')",
    "import os\ngetattr(os, 'metsys'[::-1])('x')",
    "import os\ngetattr(os, ''.join(['sys', 'tem']))('x')",
    "import os\ngetattr(os, ''.join(chr(c) for c in (115, 121, 115, 116, 101, 109)))('x')",
    "import os\ngetattr(os, bytes.fromhex('73797374656d').decode())('x')",
    "import os, base64\ngetattr(os, base64.b64decode('c3lzdGVt').decode())('x')",
    "import os, codecs\ngetattr(os, codecs.decode('flfgrz', 'rot13'))('x')",
    "import os\ngetattr(os, '%stem' % 'sys')('x')",
    "import os\ngetattr(os, '{}tem'.format('sys'))('x')",
    "import os\ngetattr(os, 'sxstem'.replace('x', 'y'))('x')",
    "import os\nn = {'a': 'system'}\ngetattr(os, n['a'])('x')",
    "import os\nn = ''\nfor c in 'system':\n    n += c\ngetattr(os, n)('x')",
    "import os\nvars(os)['system']('x')",
    "import os\nos.__dict__['system']('x')",
    "import os\nos.__dict__.get('system')('x')",
    "import os\nos.__getattribute__('system')('x')",
    "import os\nobject.__getattribute__(os, 'system')('x')",
    "import os, operator\noperator.attrgetter('system')(os)('x')",
    "import os, operator\noperator.methodcaller('system', 'x')(os)",
    "import os, functools\nfunctools.partial(os.system, 'x')()",
    "import os, functools\nfunctools.reduce(getattr, ['path', 'os', 'system'], os)('x')",
    "import pkgutil\npkgutil.resolve_name('os:system')('x')",
    "import os\nf, (g, h) = 1, (2, os)\nh.system('x')",
    "import os\nif (m := os):\n    m.system('x')",
    "import os\ndef f(m=os):\n    m.system('x')",
    "import os\n(lambda m: m.system('x'))(os)",
    "import os\n[m.system('x') for m in [os]]",
    "import os\nd = {'m': [os]}\nd['m'][0].system('x')",
    "import os\nd = {}\nd['m'] = os\nd['m'].system('x')",
    "import os\nclass A:\n    m = os\nA.m.system('x')",
    "import os\nclass A:\n  def __init__(self): self.m = os\n  def go(self): self.m.system('x')",
    "import os\ndef f():\n    return os\nf().system('x')",
    "import os\ndef f():\n    yield os\nfor m in f():\n    m.system('x')",
    "import os\nlist(map(os.system, 'x'))",
    "import os\n@os.system\ndef f(): pass",
    "import os\nclass A:\n    __getitem__ = os.system\nA()['x']",
    "import os\nglobals()['m'] = os\nm.system('x')",
    "import os\nmatch os:\n    case m:\n        m.system('x')",
    "exec('import os')\nexec('os.system(1)')",
    "m = None\ndef f():\n    global m\n    import os as m\nf()\nm.system('x')",
]


@pytest.mark.parametrize("source", SPELLINGS)
def test_the_call_is_found_in_every_spelling(source: str) -> None:
    assert "process" in {finding.rule for finding in check_source(source).findings}


LOOKALIKES = [
    "def system(x): return x\nsystem('x')",
    "def f(os): return os.system('x')",
    "class os:\n    @staticmethod\n    def system(x): return x\nos.system('x')",
    "import statistics as os\nos.mean([1])",
    "from mine import system\nsystem('x')",
    "import os\nos = Fake()\nos.system('x')",
    "[system('x') for system in fs]",
    "'''os.system('x')'''\n# os.system('x')",
    "import os\nos.path.join('a', 'b')",
    "import os\nprint(os.system.__name__)",
    "import platform\nplatform.system()",
    "getattr(o, 'system')('x')",
    "import subprocess\ntry:\n    f()\nexcept subprocess.CalledProcessError: pass",
    "import subprocess\ndef f(p: subprocess.Popen) -> 'subprocess.Popen': return p",
    "import socket\nisinstance(x, socket.socket)",
]


@pytest.mark.parametrize("source", LOOKALIKES)
def test_what_only_looks_like_it_passes(source: str) -> None:
    assert check_source(source).findings == ()
