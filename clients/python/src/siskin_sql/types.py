"""Type objects of PEP 249, and Python's values of columns."""

from __future__ import annotations

import datetime
import re
import uuid
from decimal import Decimal
from typing import Any, Callable, Sequence

Convert = Callable[[Any], Any]


class TypeObject:
    """Equals every type code of its kind: `description[0][1] == NUMBER`."""

    def __init__(self, name: str, pattern: str) -> None:
        self.name = name
        self._pattern = re.compile(pattern)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, TypeObject):
            return self is other
        return isinstance(other, str) and self._pattern.fullmatch(other) is not None

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"siskin_sql.{self.name}"


STRING = TypeObject("STRING", r"string|uuid|json|null")
BINARY = TypeObject("BINARY", r"binary")
NUMBER = TypeObject("NUMBER", r"u?int(8|16|32|64)|float|double|decimal.*")
DATETIME = TypeObject("DATETIME", r"(date|time|timestamp).*|month_day_nano_interval")
#: Models have no row identifiers: no column has this type.
ROWID = TypeObject("ROWID", r"(?!)")


def size_of(code: str) -> tuple[int | None, int | None]:
    """Precision and scale of a type code."""
    found = re.fullmatch(r"decimal\d+\((\d+), (-?\d+)\)", code)
    return (int(found[1]), int(found[2])) if found else (None, None)


def converter(code: str) -> Convert | None:
    """Makes a JSON value of the column's type Python's; None where it is Python's already. Values are never None."""
    if code.startswith("decimal"):
        return Decimal
    if code.startswith("timestamp["):
        return _timestamp
    if code.startswith("date32"):
        return _date
    if code.startswith("time"):
        return _time
    if code == "uuid":
        return uuid.UUID
    if code == "binary":
        return bytes.fromhex
    element = re.fullmatch(r"list<item: (.*)>", code)
    if element:
        inner = converter(element[1])
        if inner is None:
            return None
        return lambda values: [None if each is None else inner(each) for each in values]
    if code.startswith("map<"):
        parts = _parts(code[4:-1])
        if len(parts) == 2:
            key, value = (converter(each) or _same for each in parts)
            return lambda pairs: [(key(k), None if v is None else value(v)) for k, v in pairs]
    if code.startswith("struct<"):
        fields = dict(part.split(": ", 1) for part in _parts(code[7:-1]) if ": " in part)
        converts = {name: converter(inner) for name, inner in fields.items()}
        return lambda record: {
            name: convert(each) if each is not None and (convert := converts.get(name)) else each
            for name, each in record.items()
        }
    return None


def _same(value: Any) -> Any:
    return value


def _parts(text: str) -> Sequence[str]:
    """Parts between commas that are not within brackets."""
    parts, depth, start = [], 0, 0
    for index, letter in enumerate(text):
        depth += {"<": 1, "(": 1, "[": 1, ">": -1, ")": -1, "]": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            parts.append(text[start:index].strip())
            start = index + 1
    return [*parts, text[start:].strip()]


_TIMESTAMP = re.compile(r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)(?:\.(\d+))?(?: ([+-]\d\d:\d\d))?")
_TIME = re.compile(r"(\d\d:\d\d:\d\d)(?:\.(\d+))?(?: ?([+-]\d\d:\d\d))?")


def _timestamp(text: str) -> datetime.datetime | str:
    """Values that Python has no room for (infinity, years beyond 9999) stay texts. Digits below microseconds are cut."""
    found = _TIMESTAMP.fullmatch(text)
    if found is None:
        return text
    try:
        return datetime.datetime.fromisoformat(f"{found[1]}.{_micros(found[2])}{found[3] or ''}")
    except ValueError:
        return text


def _date(text: str) -> datetime.date | str:
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        return text


def _time(text: str) -> datetime.time | str:
    found = _TIME.fullmatch(text)
    if found is None:
        return text
    try:
        return datetime.time.fromisoformat(f"{found[1]}.{_micros(found[2])}{found[3] or ''}")
    except ValueError:
        return text


def _micros(digits: str | None) -> str:
    return (digits or "")[:6].ljust(6, "0")
