"""Texts: what is in them, how often, and which of it comes first."""

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
