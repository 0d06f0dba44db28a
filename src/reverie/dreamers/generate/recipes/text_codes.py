"""Texts written in another way, and back."""

import re


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
