"""Texts compared: what two have in common and how far they are apart."""


def is_anagram(first: str, second: str) -> bool:
    """Whether two texts are anagrams of each other, ignoring case and spaces.

    Also: same letters rearranged.

    >>> [is_anagram("Listen", "Silent"), is_anagram("ab", "abb")]
    [True, False]
    """
    return sorted(first.lower().replace(" ", "")) == sorted(second.lower().replace(" ", ""))


def is_rotation(first: str, second: str) -> bool:
    """Whether a text is a rotation of another.

    Also: cyclic shift of a string.

    >>> [is_rotation("abcd", "cdab"), is_rotation("abcd", "acbd")]
    [True, False]
    """
    return len(first) == len(second) and second in first + first


def is_subsequence(part: str, text: str) -> bool:
    """Whether the characters of a part occur in a text in the same order.

    Also: subsequence check.

    >>> [is_subsequence("ace", "abcde"), is_subsequence("aec", "abcde")]
    [True, False]
    """
    rest = iter(text)
    return all(char in rest for char in part)


def common_prefix(texts: list[str]) -> str:
    """The longest prefix shared by all texts; empty for an empty list.

    Also: longest common prefix of words.

    >>> [common_prefix(["flower", "flow"]), common_prefix([])]
    ['flow', '']
    """
    if not texts:
        return ""
    shortest = min(texts, key=len)
    for at, char in enumerate(shortest):
        if any(text[at] != char for text in texts):
            return shortest[:at]
    return shortest


def common_suffix(texts: list[str]) -> str:
    """The longest suffix shared by all texts; empty for an empty list.

    Also: longest common ending.

    >>> common_suffix(["walking", "talking"])
    'alking'
    """
    if not texts:
        return ""
    shortest = min(texts, key=len)
    for length in range(len(shortest), 0, -1):
        if all(text.endswith(shortest[-length:]) for text in texts):
            return shortest[-length:]
    return ""


def hamming_distance(first: str, second: str) -> int:
    """In how many places two texts of equal length differ.

    Also: count differing positions.

    >>> hamming_distance("karolin", "kathrin")
    3
    """
    return sum(a != b for a, b in zip(first, second, strict=False))


def edit_distance(first: str, second: str) -> int:
    """The Levenshtein distance of two texts: insertions, deletions and replacements.

    Also: edit distance, minimum edits.

    >>> edit_distance("kitten", "sitting")
    3
    """
    row = list(range(len(second) + 1))
    for i, a in enumerate(first, 1):
        previous, row[0] = row[0], i
        for j, b in enumerate(second, 1):
            previous, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, previous + (a != b))
    return row[-1]


def longest_common_subsequence(first: str, second: str) -> int:
    """The length of the longest common subsequence of two texts.

    Also: lcs length.

    >>> longest_common_subsequence("abcde", "ace")
    3
    """
    row = [0] * (len(second) + 1)
    for a in first:
        previous = 0
        for j, b in enumerate(second, 1):
            previous, row[j] = row[j], previous + 1 if a == b else max(row[j], row[j - 1])
    return row[-1]


def longest_common_substring(first: str, second: str) -> str:
    """The longest text that two texts share; the first of equals.

    Also: longest common contiguous part.

    >>> longest_common_substring("abcdef", "zbcdx")
    'bcd'
    """
    for length in range(len(first), 0, -1):
        for start in range(len(first) - length + 1):
            if first[start : start + length] in second:
                return first[start : start + length]
    return ""


def longest_unique_substring(text: str) -> int:
    """The length of the longest part of a text without a repeated character.

    Also: longest substring without repeating characters.

    >>> longest_unique_substring("abcabcbb")
    3
    """
    start, best, last = 0, 0, dict[str, int]()
    for at, char in enumerate(text):
        start = max(start, last.get(char, -1) + 1)
        last[char] = at
        best = max(best, at - start + 1)
    return best


def longest_palindrome(text: str) -> str:
    """The longest part of a text that is a palindrome; the first of equals.

    Also: longest palindromic substring.

    >>> longest_palindrome("babad")
    'bab'
    """
    for length in range(len(text), 0, -1):
        for start in range(len(text) - length + 1):
            part = text[start : start + length]
            if part == part[::-1]:
                return part
    return ""
