"""Reads `application/x-ndjson`: a line of columns, an array per row, and a line that says that the answer is whole."""

from __future__ import annotations

import json
from typing import Any, Iterator, NamedTuple

from .errors import error_of
from .transport import Answer, broken_off, unexpected
from .types import converter


class Column(NamedTuple):
    name: str
    #: `int64`, `decimal128(15, 2)`, `date32[day]` …
    type: str


class RowReader:
    """Rows of an answer as tuples. Reads the columns when it is made, and rows as they are asked for."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.is_over = False
        self._lines = _lines(answer)
        self.columns = self._head()
        converts = [(index, converter(column.type)) for index, column in enumerate(self.columns)]
        self._converts = [(index, convert) for index, convert in converts if convert is not None]

    def _head(self) -> list[Column]:
        line = next(self._lines, None)
        if line is None:
            raise broken_off(self.answer.request_id)
        head = _parsed(line)
        names = head.get("columns") if isinstance(head, dict) else None
        dtypes = head.get("dtypes") if isinstance(head, dict) else None
        if not isinstance(names, list) or not isinstance(dtypes, dict):
            self.close()
            raise error_of(head, 200, self.answer.request_id) or self._unexpected()
        types = head.get("types") or [dtypes.get(name, "string") for name in names]
        return [Column(name, code) for name, code in zip(names, types)]

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        return self

    def __next__(self) -> tuple[Any, ...]:
        if self.is_over:
            raise StopIteration
        line = next(self._lines, None)
        if line is None:
            self.is_over = True
            raise broken_off(self.answer.request_id)
        row = _parsed(line)
        if isinstance(row, list) and len(row) == len(self.columns):
            for index, convert in self._converts:
                if row[index] is not None:
                    row[index] = convert(row[index])
            return tuple(row)
        self.is_over = True
        if isinstance(row, dict) and "end" in row:
            if next(self._lines, None) is None:
                raise StopIteration
        elif isinstance(row, dict) and "error" in row:
            self.close()
            raise error_of(row["error"], 200, self.answer.request_id) or broken_off(self.answer.request_id)
        self.close()
        raise self._unexpected()

    def close(self) -> None:
        self.is_over = True
        self.answer.close()

    def _unexpected(self) -> Exception:
        return unexpected(200, "text that is no answer", self.answer.request_id)


def _parsed(line: bytes) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        return None


def _lines(answer: Answer) -> Iterator[bytes]:
    """Whole lines. The pieces of one are joined once, so that a row of many megabytes costs no more than its length."""
    pieces: list[bytes] = []
    for chunk in answer.chunks():
        lines = chunk.split(b"\n")
        rest = lines.pop()
        for line in lines:
            pieces.append(line)
            yield b"".join(pieces)
            pieces = []
        pieces.append(rest)
    # A line without its end is one that broke off: it is not yielded.
