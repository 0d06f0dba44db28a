"""Bugs to plant in functions of the standard library and of packages that `make setup` installs.

A plant is a patch of one place: `old` stands once in the module, and becomes `new`.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Plant:
    """One bug in real code."""

    module: str
    callable: str
    old: str
    new: str

    @property
    def name(self) -> str:
        return f"{self.module}:{self.callable}"


PLANTS = (
    Plant("shlex", "join", """s.replace("'", "'\\"'\\"'")""", """s.replace("'", "\\\\'")"""),
    Plant("html", "escape", """s = s.replace("&", "&amp;") # Must be done first!\n""", "pass\n"),
    Plant("html", "unescape", "return _invalid_charrefs[num]", "return chr(num)"),
    Plant("base64", "b32encode", "encoded[-3:] = b'==='", "encoded[-4:] = b'===='"),
    Plant("base64", "b32decode", "leftover = (43 - 5 * padchars) // 8", "leftover = (51 - 5 * padchars) // 8"),
    Plant("base64", "a85encode", "chunks[-1] = chars[0] * 5", "pass"),
    Plant("base64", "b85decode", "b = b + b'~' * padding", "b = b + b'0' * padding"),
    Plant("base64", "encodebytes", "chunk = s[i : i + MAXBINSIZE]", "chunk = s[i : i + MAXBINSIZE - 1]"),
    Plant("statistics", "median_low", "return data[n // 2 - 1]", "return data[n // 2]"),
    Plant("statistics", "median_high",
          'raise StatisticsError("no median for empty data")\n    return data[n // 2]',
          'raise StatisticsError("no median for empty data")\n    return data[(n - 1) // 2]'),
    Plant("statistics", "multimode", "if count == maxcount]", "if count == maxcount][:1]"),
    Plant("statistics", "harmonic_mean", "weights = repeat(1, n)", "weights = repeat(1, n - 1)"),
    Plant("colorsys", "rgb_to_hsv", "    s = rangec / maxc\n", "    s = rangec / (maxc + minc)\n"),
    Plant("colorsys", "rgb_to_hls", "    l = sumc/2.0\n", "    l = sumc/3.0\n"),
    Plant("urllib.parse", "unquote_plus", "string = string.replace('+', ' ')\n", "pass\n"),
    Plant("urllib.parse", "unquote_to_bytes", "append(item[2:])", "append(item[3:])"),
    Plant("heapq", "nsmallest", "            if elem < top:\n", "            if elem < top and order < n + 2:\n"),
    Plant("heapq", "nlargest", "result = max(it, default=sentinel, key=key)",
          "result = min(it, default=sentinel, key=key)"),
    Plant("textwrap", "wrap", "if cur_len + l <= width:", "if cur_len + l <= width + 1:"),
    Plant("textwrap", "dedent", "margin = margin[:i]", "margin = margin[:i + 1]"),
    Plant("http.cookies", "_unquote", "i = k + 2", "i = k + 1"),
    Plant("calendar", "monthrange", "ndays = mdays[month] +", "ndays = mdays[month - 1] +"),
    Plant("difflib", "get_close_matches", "result = _nlargest(n, result)", "result = _nlargest(n + 1, result)"),
    Plant("packaging.utils", "canonicalize_name", '.replace(".", "-")', ""),
    Plant("packaging.utils", "canonicalize_version", "except InvalidVersion:\n            return str(version)",
          "except InvalidVersion:\n            return str(version).partition(' ')[0]"),
    Plant("rich.filesize", "decimal", "(base * size / unit),", "(size / unit),"),
    Plant("rich._ratio", "ratio_distribute", "total_remaining -= distributed\n    return distributed_total",
          "total_remaining -= minimum\n    return distributed_total"),
    Plant("hypothesis.internal.conjecture.floats", "lex_to_float", "exponent = (i >> 52) & ((1 << 11) - 1)",
          "exponent = (i >> 52) & ((1 << 10) - 1)"),
    Plant("sortedcontainers.sortedlist", "SortedList", "                insort(_lists[pos], value)\n\n            self._expand(pos)\n        else:\n            _lists.append([value])\n            _maxes.append(value)\n\n        self._len += 1\n\n\n    def _expand(self, pos):\n        \"\"\"Split sublists with length greater than double the load-factor.\n\n        Updates the index when the sublist length is less than double the load",
          "                _lists[pos].append(value)\n\n            self._expand(pos)\n        else:\n            _lists.append([value])\n            _maxes.append(value)\n\n        self._len += 1\n\n\n    def _expand(self, pos):\n        \"\"\"Split sublists with length greater than double the load-factor.\n\n        Updates the index when the sublist length is less than double the load"),
    Plant("calendar", "leapdays", "    y1 -= 1\n    y2 -= 1\n", "    y1 -= 1\n"),
)  # fmt: skip
