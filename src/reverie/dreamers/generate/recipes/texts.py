"""Texts: turned, cut, cased, counted and compared."""

import re
import textwrap
import unicodedata
from collections import Counter


def reverse_text(text: str) -> str:
    """A text reversed.

    Also: reverse string, backwards.

    >>> reverse_text("abc")
    'cba'
    """
    return text[::-1]


def reverse_words(text: str) -> str:
    """The words of a text in reverse order.

    Also: reverse word order in a sentence.

    >>> reverse_words("the quick fox")
    'fox quick the'
    """
    return " ".join(reversed(text.split()))


def reverse_each_word(text: str) -> str:
    """Every word of a text reversed, in the same order.

    Also: reverse letters of each word.

    >>> reverse_each_word("abc de")
    'cba ed'
    """
    return " ".join(word[::-1] for word in text.split(" "))


def is_palindrome(text: str) -> bool:
    """Whether a text reads the same in both directions.

    Also: exact palindrome.

    >>> [is_palindrome("anna"), is_palindrome("ab")]
    [True, False]
    """
    return text == text[::-1]


def is_palindrome_phrase(text: str) -> bool:
    """Whether a text is a palindrome when only letters and digits count, ignoring case.

    Also: palindrome ignoring punctuation and spaces.

    >>> is_palindrome_phrase("A man, a plan, a canal: Panama")
    True
    """
    kept = [char.lower() for char in text if char.isalnum()]
    return kept == kept[::-1]


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


def remove_vowels(text: str) -> str:
    """A text without its vowels.

    Also: strip vowels, disemvowel.

    >>> remove_vowels("Hello World")
    'Hll Wrld'
    """
    return "".join(char for char in text if char not in "aeiouAEIOU")


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


def remove_duplicate_characters(text: str) -> str:
    """A text with each character kept only where it first occurs.

    Also: unique characters in order.

    >>> remove_duplicate_characters("banana")
    'ban'
    """
    return "".join(dict.fromkeys(text))


def remove_adjacent_duplicates(text: str) -> str:
    """A text with runs of equal characters reduced to one.

    Also: squeeze, collapse repeated characters.

    >>> remove_adjacent_duplicates("aabbca")
    'abca'
    """
    return "".join(char for at, char in enumerate(text) if at == 0 or char != text[at - 1])


def capitalize_words(text: str) -> str:
    """A text with the first letter of each word in upper case, the rest in lower case.

    Also: title case, each word capitalised.

    >>> capitalize_words("hello WORLD")
    'Hello World'
    """
    return text.title()


def capitalize_first(text: str) -> str:
    """A text with its first character in upper case, the rest unchanged.

    Also: capitalise the first letter only.

    >>> capitalize_first("hello World")
    'Hello World'
    """
    return text[:1].upper() + text[1:]


def swap_case(text: str) -> str:
    """A text with upper case made lower and lower case made upper.

    Also: invert the case, toggle.

    >>> swap_case("aBc")
    'AbC'
    """
    return text.swapcase()


def alternating_case(text: str) -> str:
    """A text whose characters are alternately upper and lower case, beginning upper.

    Also: sponge case, mocking.

    >>> alternating_case("hello")
    'HeLlO'
    """
    return "".join(c.lower() if at % 2 else c.upper() for at, c in enumerate(text))


def snake_case(name: str) -> str:
    """A camel-case name in snake case.

    Also: camelCase to snake_case, underscore.

    >>> [snake_case("camelCaseName"), snake_case("HTTPServer")]
    ['camel_case_name', 'http_server']
    """
    parts = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1_\2", name)
    return re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", parts).lower()


def camel_case(name: str) -> str:
    """A snake-case name in camel case, beginning lower.

    Also: snake_case to camelCase.

    >>> camel_case("some_long_name")
    'someLongName'
    """
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)


def pascal_case(name: str) -> str:
    """A snake-case name in camel case, beginning upper.

    Also: snake_case to PascalCase, CapWords.

    >>> pascal_case("some_long_name")
    'SomeLongName'
    """
    return "".join(part.capitalize() for part in name.split("_"))


def kebab_case(text: str) -> str:
    """The words of a text in lower case, joined with hyphens.

    Also: dash case.

    >>> kebab_case("Hello Big World")
    'hello-big-world'
    """
    return "-".join(text.lower().split())


def slugify(text: str) -> str:
    """A text as a slug: lower-case letters and digits, everything else one hyphen.

    Also: URL slug, permalink.

    >>> slugify(" Hello, World! ")
    'hello-world'
    """
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def strip_accents(text: str) -> str:
    """A text without accents.

    Also: remove diacritics, ascii fold.

    >>> strip_accents("café")
    'cafe'
    """
    parts = unicodedata.normalize("NFD", text)
    return "".join(char for char in parts if not unicodedata.combining(char))


def initials(name: str) -> str:
    """The upper-case initials of the words of a name.

    Also: first letters, monogram.

    >>> initials("ada lovelace")
    'AL'
    """
    return "".join(word[0].upper() for word in name.split())


def acronym(phrase: str) -> str:
    """The acronym of a phrase, hyphens counted as spaces.

    Also: abbreviation from first letters.

    >>> acronym("portable network-graphics")
    'PNG'
    """
    return "".join(word[0].upper() for word in phrase.replace("-", " ").split())


def collapse_spaces(text: str) -> str:
    """A text with runs of whitespace reduced to single spaces, and none at the ends.

    Also: normalise whitespace, squeeze spaces.

    >>> collapse_spaces("  a   b ")
    'a b'
    """
    return " ".join(text.split())


def remove_spaces(text: str) -> str:
    """A text without any whitespace.

    Also: delete all spaces.

    >>> remove_spaces(" a b\\tc")
    'abc'
    """
    return "".join(text.split())


def remove_punctuation(text: str) -> str:
    """A text without ASCII punctuation.

    Also: strip punctuation marks.

    >>> remove_punctuation("Hi, you!")
    'Hi you'
    """
    marks = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
    return "".join(char for char in text if char not in marks)


def only_letters(text: str) -> str:
    """The letters of a text.

    Also: keep alphabetic characters only.

    >>> only_letters("a1-b2")
    'ab'
    """
    return "".join(char for char in text if char.isalpha())


def only_digits(text: str) -> str:
    """The digits of a text.

    Also: keep numeric characters only, extract digits.

    >>> only_digits("tel. 12-34")
    '1234'
    """
    return "".join(char for char in text if char.isdigit())


def extract_numbers(text: str) -> list[int]:
    """The whole numbers in a text, in order.

    Also: find all integers.

    >>> extract_numbers("a1 b-22 c3")
    [1, -22, 3]
    """
    return [int(each) for each in re.findall(r"-?\d+", text)]


def truncate(text: str, length: int) -> str:
    """A text cut to a length, with three dots at the end when it was longer.

    Also: shorten with ellipsis.

    >>> [truncate("abcdef", 5), truncate("abc", 5)]
    ['ab...', 'abc']
    """
    return text if len(text) <= length else text[: max(length - 3, 0)] + "..."


def wrap_text(text: str, width: int) -> list[str]:
    """A text wrapped into lines of at most a width.

    Also: word wrap, fill paragraphs.

    >>> wrap_text("the quick fox", 9)
    ['the quick', 'fox']
    """
    return textwrap.wrap(text, width)


def center_text(text: str, width: int, fill: str) -> str:
    """A text centred in a width, filled with a character.

    Also: pad on both sides.

    >>> center_text("ab", 6, "*")
    '**ab**'
    """
    return text.center(width, fill)


def repeat_text(text: str, times: int) -> str:
    """A text repeated a number of times.

    Also: duplicate string n times.

    >>> repeat_text("ab", 3)
    'ababab'
    """
    return text * times


def is_anagram(first: str, second: str) -> bool:
    """Whether two texts are anagrams of each other, ignoring case and spaces.

    Also: same letters rearranged.

    >>> [is_anagram("Listen", "Silent"), is_anagram("ab", "abb")]
    [True, False]
    """
    return sorted(first.lower().replace(" ", "")) == sorted(second.lower().replace(" ", ""))


def is_pangram(text: str) -> bool:
    """Whether a text has every letter of the English alphabet.

    Also: uses all 26 letters.

    >>> is_pangram("The quick brown fox jumps over the lazy dog")
    True
    """
    return set("abcdefghijklmnopqrstuvwxyz") <= set(text.lower())


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


def run_length_encode(text: str) -> str:
    """Runs of equal characters written as the character and its count.

    Also: run length encoding, compress aab as a2b1.

    >>> run_length_encode("aaab")
    'a3b1'
    """
    return "".join(
        f"{m.group(1)}{len(m.group(0))}" for m in re.finditer(r"(.)\1*", text, re.DOTALL)
    )


def run_length_encode_counts_first(text: str) -> str:
    """Runs of equal characters written as the count and the character.

    Also: run length encoding, count before character.

    >>> run_length_encode_counts_first("aaab")
    '3a1b'
    """
    return "".join(
        f"{len(m.group(0))}{m.group(1)}" for m in re.finditer(r"(.)\1*", text, re.DOTALL)
    )


def run_length_decode(text: str) -> str:
    """The text that characters, each followed by its count, stand for.

    Also: run length decoding, expand a3b1.

    >>> run_length_decode("a3b1")
    'aaab'
    """
    return "".join(char * int(count) for char, count in re.findall(r"(\D)(\d+)", text))


def runs_of(text: str) -> list[list[object]]:
    """The runs of equal characters of a text as [character, length] pairs.

    Also: group consecutive characters.

    >>> runs_of("aab")
    [['a', 2], ['b', 1]]
    """
    return [[m.group(1), len(m.group(0))] for m in re.finditer(r"(.)\1*", text, re.DOTALL)]


def caesar_cipher(text: str, shift: int) -> str:
    """A text with each ASCII letter shifted around the alphabet, keeping case.

    Also: Caesar cipher, rotate letters.

    >>> caesar_cipher("xyz Z!", 3)
    'abc C!'
    """

    def moved(char: str) -> str:
        if not (char.isascii() and char.isalpha()):
            return char
        base = ord("A") if char.isupper() else ord("a")
        return chr((ord(char) - base + shift) % 26 + base)

    return "".join(moved(char) for char in text)


def rot13(text: str) -> str:
    """A text with each letter moved by thirteen places.

    Also: rot13 cipher.

    >>> rot13("Hello")
    'Uryyb'
    """
    return caesar_cipher(text, 13)


def vigenere_cipher(text: str, key: str) -> str:
    """Upper-case letters of a text shifted by the letters of a key in turn.

    Also: Vigenère encryption.

    >>> vigenere_cipher("ATTACK", "LEMON")
    'LXFOPV'
    """
    shifts = [ord(char) - 65 for char in key]
    return "".join(
        chr((ord(char) - 65 + shifts[at % len(shifts)]) % 26 + 65) for at, char in enumerate(text)
    )


def morse_code(text: str) -> str:
    """A text in Morse code, letters separated by spaces.

    Also: Morse encode, dots and dashes.

    >>> morse_code("SOS")
    '... --- ...'
    """
    codes = [
        ".-",
        "-...",
        "-.-.",
        "-..",
        ".",
        "..-.",
        "--.",
        "....",
        "..",
        ".---",
        "-.-",
        ".-..",
        "--",
        "-.",
        "---",
        ".--.",
        "--.-",
        ".-.",
        "...",
        "-",
        "..-",
        "...-",
        ".--",
        "-..-",
        "-.--",
        "--..",
    ]
    return " ".join(codes[ord(char) - 65] for char in text.upper() if "A" <= char <= "Z")


def pig_latin(word: str) -> str:
    """A word in pig Latin.

    Also: move leading consonants to the end and add ay.

    >>> [pig_latin("hello"), pig_latin("apple")]
    ['ellohay', 'appleway']
    """
    for at, char in enumerate(word):
        if char in "aeiou":
            return word + "way" if at == 0 else word[at:] + word[:at] + "ay"
    return word + "ay"


def is_numeric(text: str) -> bool:
    """Whether a text is not empty and made only of decimal digits.

    Also: all digits, digits only.

    >>> [is_numeric("123"), is_numeric("12a"), is_numeric("")]
    [True, False, False]
    """
    return text.isdecimal()


def mask_text(text: str, visible: int) -> str:
    """A text with all but its last characters replaced by asterisks.

    Also: mask a card number, hide, redact.

    >>> mask_text("12345678", 4)
    '****5678'
    """
    hidden = max(len(text) - visible, 0)
    return "*" * hidden + text[hidden:]


def split_every(text: str, size: int) -> list[str]:
    """A text cut into pieces of a size; the last may be shorter.

    Also: chunk a string.

    >>> split_every("abcde", 2)
    ['ab', 'cd', 'e']
    """
    return [text[at : at + size] for at in range(0, len(text), size)]


def all_substrings(text: str) -> list[str]:
    """Every part of a text that is not empty, by start and then by length.

    Also: list substrings.

    >>> all_substrings("ab")
    ['a', 'ab', 'b']
    """
    size = len(text)
    return [text[i:j] for i in range(size) for j in range(i + 1, size + 1)]


def permutations_of_text(text: str) -> list[str]:
    """All distinct orders of the characters of a text, sorted.

    Also: string permutations.

    >>> permutations_of_text("aab")
    ['aab', 'aba', 'baa']
    """
    if not text:
        return [""]
    heads = sorted(set(text))
    return [
        head + rest for head in heads for rest in permutations_of_text(text.replace(head, "", 1))
    ]


def balanced_brackets(text: str) -> bool:
    """Whether the brackets ()[]{} of a text are balanced; other characters are ignored.

    Also: matching parentheses, valid brackets.

    >>> [balanced_brackets("(a[b])"), balanced_brackets("(]")]
    [True, False]
    """
    pairs = {")": "(", "]": "[", "}": "{"}
    opened: list[str] = []
    for char in text:
        if char in "([{":
            opened.append(char)
        elif char in pairs and (not opened or opened.pop() != pairs[char]):
            return False
    return not opened


def bracket_depth(text: str) -> int:
    """How deeply the round brackets of a text are nested.

    Also: maximum nesting depth of parentheses.

    >>> bracket_depth("(a(b))")
    2
    """
    depth = deepest = 0
    for char in text:
        depth += (char == "(") - (char == ")")
        deepest = max(deepest, depth)
    return deepest
