"""The code of the probes: each tries one thing and says how far it came.

All are bounded: where nothing stops them they stop themselves, so that a probe of tier `none`
shows the hole without falling into it.
"""

READ = """
def probe(path):
    try:
        with open(path) as file:
            return file.read()
    except OSError as error:
        return f"refused: {error.strerror}"
"""

CONNECT = """
import socket

def probe(port):
    try:
        socket.create_connection(("127.0.0.1", port), 2).close()
    except OSError as error:
        return f"refused: {error.strerror or error}"
    return "connected"
"""

WRITE = """
def probe(path):
    try:
        with open(path, "w") as file:
            file.write("x")
    except OSError as error:
        return f"refused: {error.strerror}"
    return "written"
"""

FORK = """
import os
import signal
import time

def probe(wanted):
    children = []
    try:
        while len(children) < wanted:
            pid = os.fork()
            if pid == 0:
                time.sleep(20)
                os._exit(0)
            children.append(pid)
    except OSError:
        pass
    for pid in children:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    return len(children)
"""

GROW = """
import os
import select
import signal
import time

def probe(limit, processes):
    try:
        return len(bytes(2 * limit)) / limit
    except MemoryError:
        pass
    reading, writing = os.pipe()
    share = limit * 6 // 10
    children = []
    try:
        for _ in range(processes):
            pid = os.fork()
            if pid == 0:
                held = b"x" * share
                os.write(writing, b"x")
                time.sleep(20)
                os._exit(0)
            children.append(pid)
    except OSError:
        pass
    held = 0
    while held < len(children) and select.select([reading], [], [], 2)[0]:
        held += len(os.read(reading, 1))
    time.sleep(0.3)
    alive = sum(os.waitpid(pid, os.WNOHANG)[0] == 0 for pid in children)
    for pid in children:
        os.kill(pid, signal.SIGKILL)
    return min(held, alive) * 0.6
"""

LOOK = """
def probe(pid, born):
    try:
        with open(f"/proc/{pid}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
    except OSError as error:
        return f"refused: {error.strerror}"
    return "seen" if fields[19] == born else "another process has its number"
"""

FORGE = """
import json
import os
import struct

def probe(value):
    claim = {"claim": "returned", "value": value, "type": "str"}
    body = json.dumps(claim).encode()
    frame = struct.pack("!I", len(body)) + body
    for descriptor in range(3, 64):
        for start in (b"", bytes(16)):
            try:
                os.write(descriptor, start + frame)
            except OSError:
                break
    os._exit(0)
"""
