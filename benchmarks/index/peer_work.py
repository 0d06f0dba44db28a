"""What a peer does with a package, run by the peers' own interpreter.

`python peer_work.py grimp FOLDER PACKAGE` or `… vulture FOLDER PACKAGE`.
"""

import contextlib
import io
import json
import resource
import sys
import time


def run_grimp(package: str) -> object:
    import grimp

    started = time.process_time()
    graph = grimp.build_graph(package, cache_dir=None)
    found = [
        (module, imported)
        for module in graph.modules
        for imported in graph.find_modules_directly_imported_by(module)
    ]
    return time.process_time() - started, {"edges": sorted(found), "modules": sorted(graph.modules)}


def run_vulture(folder: str, package: str) -> object:
    import vulture

    started = time.process_time()
    tool = vulture.Vulture()
    with contextlib.redirect_stdout(io.StringIO()):
        tool.scavenge([f"{folder}/{package}"])
        unused = len(tool.get_unused_code())
    return time.process_time() - started, {"unused": unused}


def main() -> None:
    peer, folder, package = sys.argv[1:]
    sys.path.insert(0, folder)
    wall = time.perf_counter()
    cpu, result = run_grimp(package) if peer == "grimp" else run_vulture(folder, package)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    took = {"cpu": cpu, "wall": time.perf_counter() - wall, "peak_mb": peak}
    print(json.dumps({**took, "result": result}))


if __name__ == "__main__":
    main()
