"""Rows of Python's values as Arrow."""

from __future__ import annotations

import re
from typing import Any, Sequence

from .rows import Column


def table_of(columns: Sequence[Column], rows: Sequence[Sequence[Any]]) -> Any:
    import pyarrow as pa

    arrays = []
    for index, (_, code) in enumerate(columns):
        values = [row[index] for row in rows]
        if code == "uuid":
            values = [None if each is None else str(each) for each in values]
        kind = type_of(code)
        # A decimal without a size gets that of its values.
        is_empty = kind is None and all(each is None for each in values)
        arrays.append(pa.array(values, pa.string() if is_empty else kind))
    return pa.Table.from_arrays(arrays, names=[name for name, _ in columns])


def type_of(code: str) -> Any:
    """Arrow's type of a type code; None where the values decide."""
    import pyarrow as pa

    plain = {
        **{f"{sign}int{bits}": getattr(pa, f"{sign}int{bits}")() for sign in ("", "u") for bits in (8, 16, 32, 64)},
        "bool": pa.bool_(),
        "float": pa.float32(),
        "double": pa.float64(),
        "binary": pa.binary(),
        "date32[day]": pa.date32(),
        "null": pa.null(),
    }
    if code in plain:
        return plain[code]
    if code == "decimal":
        return None
    if found := re.fullmatch(r"decimal(128|256)\((\d+), (\d+)\)", code):
        make = pa.decimal128 if found[1] == "128" else pa.decimal256
        return make(int(found[2]), int(found[3]))
    if found := re.fullmatch(r"timestamp\[(\w+)(?:, tz=(.*))?\]", code):
        return pa.timestamp(found[1], found[2])
    if found := re.fullmatch(r"time(32|64)\[(\w+)\]", code):
        return pa.time32(found[2]) if found[1] == "32" else pa.time64(found[2])
    if found := re.fullmatch(r"list<item: (.*)>", code):
        inner = type_of(found[1])
        return None if inner is None else pa.list_(inner)
    if code.startswith(("struct<", "map<")):
        return None
    return pa.string()
