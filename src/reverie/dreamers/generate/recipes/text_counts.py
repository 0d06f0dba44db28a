"""Texts counted and compared: what is in them, and how far two are apart."""

from collections import Counter


def count_vowels(text: str) -> int:
    """How many vowels (a, e, i, o, u in either case) a text has.

    Also: number of vowels.

    >>> count_vowels("Hello")
    2
    """
    return sum(char in "aeiouAEIOU" for char in text)


def count_consonants(text: str) -> int:
    """How many ASCII consonants a text has.

    Also: letters that are not vowels.

    >>> count_consonants("Hello")
    3
    """
    return sum(char.isascii() and char.isalpha() and char not in "aeiouAEIOU" for char in text)


def count_words(text: str) -> int:
    """How many words a text has.

    Also: number of words separated by whitespace.

    >>> count_words(" a bc  d ")
    3
    """
    return len(text.split())


def count_lines(text: str) -> int:
    """How many lines a text has.

    Also: number of lines.

    >>> count_lines("a\\nb")
    2
    """
    return len(text.splitlines())


def count_character(text: str, char: str) -> int:
    """How often a character occurs in a text, ignoring case.

    Also: case-insensitive character count.

    >>> count_character("Banana", "A")
    3
    """
    return text.lower().count(char.lower())


def count_occurrences(text: str, part: str) -> int:
    """How often a part occurs in a text without overlap.

    Also: count substring.

    >>> count_occurrences("aXbXc", "X")
    2
    """
    return text.count(part)


def count_overlapping(text: str, part: str) -> int:
    """How often a part occurs in a text, overlaps counted.

    Also: overlapping substring count.

    >>> count_overlapping("aaaa", "aa")
    3
    """
    return sum(text.startswith(part, start) for start in range(len(text) - len(part) + 1))


def character_frequencies(text: str) -> dict[str, int]:
    """How often each character of a text occurs.

    Also: count letters, character histogram.

    >>> character_frequencies("aab")
    {'a': 2, 'b': 1}
    """
    return dict(Counter(text))


def word_frequencies(text: str) -> dict[str, int]:
    """How often each word of a text occurs, in lower case.

    Also: word count dictionary, word histogram.

    >>> word_frequencies("The cat the")
    {'the': 2, 'cat': 1}
    """
    return dict(Counter(text.lower().split()))


def most_common_character(text: str) -> str:
    """The most common character of a text; the first of equals; empty for an empty text.

    Also: most frequent letter.

    >>> [most_common_character("abb"), most_common_character("")]
    ['b', '']
    """
    return max(text, key=text.count, default="")


def most_common_word(text: str) -> str:
    """The most common word of a text in lower case; ties go to the alphabetically first.

    Also: most frequent word.

    >>> [most_common_word("the cat The dog"), most_common_word("b a"), most_common_word("")]
    ['the', 'a', '']
    """
    counts = Counter(text.lower().split())
    return min(counts, key=lambda word: (-counts[word], word), default="")


def longest_word(text: str) -> str:
    """The longest word of a text; the first of equals; empty for an empty text.

    Also: find the longest word in a sentence.

    >>> longest_word("a quick fox")
    'quick'
    """
    return max(text.split(), key=len, default="")


def shortest_word(text: str) -> str:
    """The shortest word of a text; the first of equals; empty for an empty text.

    Also: find the shortest word in a sentence.

    >>> shortest_word("some of us")
    'of'
    """
    return min(text.split(), key=len, default="")


def first_unique_character(text: str) -> str:
    """The first character that occurs only once; empty when there is none.

    Also: first non-repeating character.

    >>> [first_unique_character("aabcb"), first_unique_character("aa")]
    ['c', '']
    """
    return next((char for char in text if text.count(char) == 1), "")


def first_repeated_character(text: str) -> str:
    """The first character that has occurred before; empty when there is none.

    Also: first duplicate letter.

    >>> first_repeated_character("abca")
    'a'
    """
    seen: set[str] = set()
    for char in text:
        if char in seen:
            return char
        seen.add(char)
    return ""


def has_unique_characters(text: str) -> bool:
    """Whether no character of a text occurs twice.

    Also: all characters distinct, isogram.

    >>> [has_unique_characters("abc"), has_unique_characters("aba")]
    [True, False]
    """
    return len(set(text)) == len(text)


def is_pangram(text: str) -> bool:
    """Whether a text has every letter of the English alphabet.

    Also: uses all 26 letters.

    >>> is_pangram("The quick brown fox jumps over the lazy dog")
    True
    """
    return set("abcdefghijklmnopqrstuvwxyz") <= set(text.lower())


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
