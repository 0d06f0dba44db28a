"""Numbers and texts written in other ways, and back."""

import re


def to_binary(number: int) -> str:
    """A number written in binary.

    Also: base 2 text, convert to bits.

    >>> [to_binary(10), to_binary(0)]
    ['1010', '0']
    """
    return format(number, "b")


def from_binary(text: str) -> int:
    """The number that a binary text stands for.

    Also: parse base 2, binary to decimal.

    >>> from_binary("1010")
    10
    """
    return int(text, 2)


def to_hexadecimal(number: int) -> str:
    """A number written in lower-case hexadecimal.

    Also: base 16 text, hex.

    >>> to_hexadecimal(255)
    'ff'
    """
    return format(number, "x")


def from_hexadecimal(text: str) -> int:
    """The number that a hexadecimal text stands for.

    Also: parse base 16, hex to decimal.

    >>> from_hexadecimal("ff")
    255
    """
    return int(text, 16)


def to_octal(number: int) -> str:
    """A number written in octal.

    Also: base 8 text.

    >>> to_octal(8)
    '10'
    """
    return format(number, "o")


def to_base(number: int, base: int) -> str:
    """A number written in a base from 2 to 36, with lower-case letters.

    Also: convert to another radix.

    >>> [to_base(35, 36), to_base(-5, 2)]
    ['z', '-101']
    """
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"
    value, text = abs(number), ""
    while value or not text:
        value, place = divmod(value, base)
        text = digits[place] + text
    return "-" + text if number < 0 else text


def from_base(text: str, base: int) -> int:
    """The number that a text in a given base stands for.

    Also: parse radix.

    >>> from_base("z", 36)
    35
    """
    return int(text, base)


def to_roman(number: int) -> str:
    """A positive number written as a Roman numeral.

    Also: integer to roman.

    >>> [to_roman(4), to_roman(1994)]
    ['IV', 'MCMXCIV']
    """
    values = (1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1)
    signs = ("M", "CM", "D", "CD", "C", "XC", "L", "XL", "X", "IX", "V", "IV", "I")
    text = ""
    for value, mark in zip(values, signs, strict=True):
        text += mark * (number // value)
        number %= value
    return text


def from_roman(numeral: str) -> int:
    """The number that a Roman numeral stands for.

    Also: roman to integer, convert a valid Roman numeral.

    >>> [from_roman("XIV"), from_roman("MCMXCIV")]
    [14, 1994]
    """
    values = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
    total = 0
    for index, mark in enumerate(numeral):
        following = values.get(numeral[index + 1 : index + 2], 0)
        total += -values[mark] if values[mark] < following else values[mark]
    return total


def with_thousands_separators(number: int) -> str:
    """A number written with commas between groups of three digits.

    Also: thousands separator, group digits, format with commas.

    >>> with_thousands_separators(1234567)
    '1,234,567'
    """
    return f"{number:,}"


def ordinal(number: int) -> str:
    """A number with its English ordinal ending.

    Also: 1st, 2nd, 3rd, 4th.

    >>> [ordinal(1), ordinal(12), ordinal(23)]
    ['1st', '12th', '23rd']
    """
    if 10 <= abs(number) % 100 <= 20:
        return f"{number}th"
    return f"{number}" + {1: "st", 2: "nd", 3: "rd"}.get(abs(number) % 10, "th")


def zero_padded(number: int, width: int) -> str:
    """A number padded with zeros to a width.

    Also: leading zeros, zfill.

    >>> zero_padded(7, 3)
    '007'
    """
    return str(number).zfill(width)


def human_size(size: int) -> str:
    """A number of bytes in units of 1024 with one decimal.

    Also: file size, KB MB GB, bytes to human readable.

    >>> [human_size(512), human_size(1536)]
    ['512 B', '1.5 KB']
    """
    amount = float(size)
    for unit in ("B", "KB", "MB", "GB", "TB"):
        if amount < 1024 or unit == "TB":
            return f"{size} B" if unit == "B" else f"{amount:.1f} {unit}"
        amount /= 1024
    return f"{amount:.1f} PB"


def percentage(part: float, whole: float) -> float:
    """What percentage a part is of a whole; 0 when the whole is 0.

    Also: percent of total.

    >>> [percentage(1, 4), percentage(1, 0)]
    [25.0, 0.0]
    """
    return part / whole * 100 if whole else 0.0


def celsius_to_fahrenheit(degrees: float) -> float:
    """A temperature in degrees Celsius as degrees Fahrenheit.

    Also: convert C to F.

    >>> [celsius_to_fahrenheit(100), celsius_to_fahrenheit(0)]
    [212.0, 32.0]
    """
    return degrees * 9 / 5 + 32


def fahrenheit_to_celsius(degrees: float) -> float:
    """A temperature in degrees Fahrenheit as degrees Celsius.

    Also: convert F to C.

    >>> fahrenheit_to_celsius(212)
    100.0
    """
    return (degrees - 32) * 5 / 9


def number_in_words(number: int) -> str:
    """A whole number below a thousand in English words.

    Also: spell out a number.

    >>> [number_in_words(0), number_in_words(42), number_in_words(305)]
    ['zero', 'forty-two', 'three hundred five']
    """
    ones = [
        "zero",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
    ]
    tens = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
    if number < 20:
        return ones[number]
    if number < 100:
        rest = f"-{ones[number % 10]}" if number % 10 else ""
        return tens[number // 10 - 2] + rest
    head = f"{ones[number // 100]} hundred"
    return head if number % 100 == 0 else f"{head} {number_in_words(number % 100)}"


def excel_column(number: int) -> str:
    """The letters of a spreadsheet column, counted from 1.

    Also: column number to title A, B, AA.

    >>> [excel_column(1), excel_column(28)]
    ['A', 'AB']
    """
    letters = ""
    while number > 0:
        number, place = divmod(number - 1, 26)
        letters = chr(65 + place) + letters
    return letters


def excel_column_number(letters: str) -> int:
    """The number of a spreadsheet column from its letters.

    Also: column title to number.

    >>> excel_column_number("AB")
    28
    """
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number


def hex_to_rgb(colour: str) -> list[int]:
    """The red, green and blue parts of a colour such as '#ff8000'.

    Also: parse a hex color.

    >>> hex_to_rgb("#ff8000")
    [255, 128, 0]
    """
    digits = colour.removeprefix("#")
    return [int(digits[at : at + 2], 16) for at in (0, 2, 4)]


def rgb_to_hex(red: int, green: int, blue: int) -> str:
    """A colour such as '#ff8000' from its red, green and blue parts.

    Also: format a color.

    >>> rgb_to_hex(255, 128, 0)
    '#ff8000'
    """
    return f"#{red:02x}{green:02x}{blue:02x}"


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
