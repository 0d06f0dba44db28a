"""Bugs to plant in packages that are laid beside the benchmark: `--packages FOLDER`.

    pip install --target FOLDER --no-deps more-itertools==11.2.1 boltons==26.2.0 \
        python-dateutil==4.0.0 six toolz==1.2.0 networkx==3.6.1 sympy==1.14.0 mpmath==1.3.0 \
        pygments==2.21.0

They were written before any of them was tried.
"""

from benchmarks.fuzz.plants import Plant

PACKAGED = (
    Plant("toolz.itertoolz", "topk", "heapq.nlargest(k, seq, key=key)", "heapq.nlargest(k, set(seq), key=key)"),
    Plant("toolz.itertoolz", "partition_all", "end = len(seq) % n", "end = len(seq) % min(n, 5)"),
    Plant("toolz.dicttoolz", "assoc", "    d2 = factory()\n    d2.update(d)\n    d2[key] = value\n",
          "    d2 = d if key in d else {**d}\n    d2[key] = value\n"),
    Plant("more_itertools.recipes", "sieve", "stop=isqrt(n) + 1)", "stop=isqrt(n))"),
    Plant("more_itertools.recipes", "unique_everseen", "                seen.add(k)\n", "                seen.add(element)\n"),
    Plant("boltons.strutils", "parse_int_list", "    return sorted(output)\n", "    return output\n"),
    Plant("boltons.strutils", "format_int_list",
          "elif delta > 1:\n                output.append(f'{contig_range.popleft():d}')",
          "elif delta > 2:\n                output.append(f'{contig_range.popleft():d}')"),
    Plant("boltons.setutils", "IndexedSet", "if real_index < d_start:", "if real_index <= d_start:"),
    Plant("dateutil.utils", "within_delta", "return -delta <= difference <= delta", "return difference <= delta"),
    Plant("networkx.utils.union_find", "UnionFind", "self.parents[ancestor] = root", "self.parents[root] = ancestor"),
    Plant("networkx.algorithms.graphical", "is_valid_degree_sequence_havel_hakimi",
          "            if k > 1:\n                modstubs[mslen] = k - 1\n", "            if k > 2:\n                modstubs[mslen] = k - 1\n"),
    Plant("networkx.algorithms.tree.coding", "from_prufer_sequence",
          "        not_orphaned.add(u)\n        degree[v] -= 1\n        if v < index and degree[v] == 1:",
          "        not_orphaned.add(u)\n        degree[v] -= 1\n        if degree[v] == 1:"),
    Plant("sympy.utilities.iterables", "rotate_right", "y = len(x) - y % len(x)", "y = len(x) - y"),
    Plant("sympy.core.intfunc", "igcdex", "gcdext(int(a), int(b))", "gcdext(abs(int(a)), int(b))"),
    Plant("pygments.util", "duplicates_removed", "        seen.add(i)\n    return lst", "        seen = {i}\n    return lst"),
)  # fmt: skip
