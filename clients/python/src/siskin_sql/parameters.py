"""`pyformat` statements as statements with $1, $2 …, and Python's values as typed parameters."""

from __future__ import annotations

import datetime
import math
import re
import uuid
from decimal import Decimal
from typing import Any, Mapping, Sequence

from .errors import DataError, ProgrammingError

#: JSON numbers with more digits are refused by the service, because JSON does not keep them.
_EXACT_DIGITS = 15
_MOST_DIGITS = 38

#: Texts, names and comments, which hold no placeholder; then placeholders.
_TOKEN = re.compile(
    r"""
      (?P<quoted>
          [eE]'(?:[^'\\]|\\.|'')*'
        | '(?:[^']|'')*'
        | "(?:[^"]|"")*"
        | \$(?P<tag>[A-Za-z_]\w*|)\$.*?\$(?P=tag)\$
        | --[^\n]*
        | /\*.*?\*/
      )
    | (?P<number>\$\d+)
    | %(?:(?P<percent>%)|\((?P<name>[^)]*)\)s|(?P<next>s))
    | (?P<wrong>%)
    """,
    re.VERBOSE | re.DOTALL,
)


def bound(
    sql: str, parameters: Mapping[str, Any] | Sequence[Any] | None
) -> tuple[str, list[Any] | None]:
    """The statement and its wire parameters. Without parameters (None) a percent sign means itself."""
    if parameters is None:
        return sql, None
    is_named = isinstance(parameters, Mapping)
    if isinstance(parameters, (str, bytes)) or not (is_named or isinstance(parameters, Sequence)):
        raise _invalid("Parameters are a mapping or a sequence.")
    values: list[Any] = []
    numbers: dict[str, int] = {}

    def placeholder(found: re.Match[str]) -> str:
        if found["quoted"] is not None:
            return _without_placeholders(found["quoted"])
        if found["percent"] is not None:
            return "%"
        if found["number"] is not None:
            raise _invalid(f"The statement has {found['number']}. Write %s or %(name)s.")
        if found["wrong"] is not None:
            raise _invalid("A percent sign is written %% in a statement with parameters.")
        if found["name"] is None:
            if is_named:
                raise _invalid("The statement has %s, and the parameters are a mapping.")
            if len(values) >= len(parameters):
                raise _invalid(f"The statement has more than {len(parameters)} placeholders.")
            values.append(wire_value(parameters[len(values)], f"parameter {len(values) + 1}"))
            return f"${len(values)}"
        name = found["name"]
        if not is_named:
            raise _invalid(f"The statement has %({name})s, and the parameters are no mapping.")
        if name not in numbers:
            if name not in parameters:
                raise _invalid(f"The parameter {name} is missing.")
            values.append(wire_value(parameters[name], f"parameter {name}"))
            numbers[name] = len(values)
        return f"${numbers[name]}"

    text = _TOKEN.sub(placeholder, sql)
    if not is_named and len(values) < len(parameters):
        raise _invalid(f"The statement has {len(values)} placeholders for {len(parameters)} parameters.")
    return text, values


def _without_placeholders(quoted: str) -> str:
    def unescaped(found: re.Match[str]) -> str:
        if found[0] != "%%":
            raise _invalid("A text, a quoted name or a comment has a percent sign or a placeholder. Write %% for the sign.")
        return "%"

    return re.sub(r"%%|%", unescaped, quoted)


def wire_value(value: Any, name: str) -> Any:
    """JSON of a value: bare where JSON says the type, {"type", "value"} elsewhere."""
    if value is None or isinstance(value, (bool, str)):
        return _text(value, name) if isinstance(value, str) else value
    if type(value).__module__ == "numpy" and hasattr(value, "item"):
        return wire_value(value.item() if getattr(value, "ndim", 0) == 0 else value.tolist(), name)
    if isinstance(value, int):
        digits = len(str(abs(value))) if abs(value) < 10**_MOST_DIGITS else _MOST_DIGITS + 1
        if digits <= _EXACT_DIGITS:
            return int(value)
        if -(2**63) <= value < 2**63:
            return {"type": "bigint", "value": str(int(value))}
        if digits > _MOST_DIGITS:
            raise _data(f"The {name} has more than {_MOST_DIGITS} digits.")
        return {"type": "decimal(38,0)", "value": str(int(value))}
    if isinstance(value, float):
        if not math.isfinite(value):
            raise _data(f"The {name} is {value}. The language has no such number.")
        text = repr(float(value))
        digits = re.sub(r"\D", "", text).lstrip("0")
        return float(value) if "e" not in text and len(digits) <= _EXACT_DIGITS else _typed("double precision", text)
    if isinstance(value, Decimal):
        return _decimal(value, name)
    if isinstance(value, datetime.datetime):
        zone = "" if value.tzinfo is None else " with time zone"
        return _typed(f"timestamp{zone}", value.isoformat(" "))
    if isinstance(value, datetime.date):
        return _typed("date", value.isoformat())
    if isinstance(value, datetime.time):
        if value.tzinfo is not None:
            raise _data(f"The {name} is a time with a zone. Send a datetime.")
        return _typed("time", value.isoformat())
    if isinstance(value, datetime.timedelta):
        return _typed("interval", _interval(value))
    if isinstance(value, uuid.UUID):
        return _typed("uuid", str(value))
    if isinstance(value, (bytes, bytearray, memoryview)):
        return _typed("bytea", f"\\x{bytes(value).hex()}")
    if isinstance(value, (list, tuple)):
        return _list(value, name)
    raise _data(f"The {name} is of type {type(value).__name__}. Send a value of a column's type.")


def _typed(type_name: str, value: Any) -> dict[str, Any]:
    return {"type": type_name, "value": value}


def _text(value: str, name: str) -> str:
    try:
        value.encode()
    except UnicodeEncodeError:
        raise _data(f"The {name} is no text of Unicode: it has half of a surrogate pair.") from None
    return str(value)


def _decimal(value: Decimal, name: str) -> Any:
    if not value.is_finite():
        raise _data(f"The {name} is {value}. The language has no such number.")
    # An exponent beyond the digits of a decimal would be written out as so many zeros.
    if abs(value.adjusted()) > _MOST_DIGITS:
        raise _data(f"The {name} has more than {_MOST_DIGITS} digits.")
    text = format(value, "f")
    whole, _, fraction = text.lstrip("-").partition(".")
    precision = max(len(whole.lstrip("0")) + len(fraction), 1)
    if precision > _MOST_DIGITS:
        raise _data(f"The {name} has more than {_MOST_DIGITS} digits.")
    return _typed(f"decimal({precision},{len(fraction)})", text)


def _interval(value: datetime.timedelta) -> str:
    micros = (value.days * 86_400 + value.seconds) * 1_000_000 + value.microseconds
    sign = "-" if micros < 0 else ""
    days, rest = divmod(abs(micros), 86_400_000_000)
    seconds, fraction = divmod(rest, 1_000_000)
    return f"{sign}{days} days {sign}{seconds}.{fraction:06d} seconds"


def _list(values: Sequence[Any], name: str) -> Any:
    if not values:
        raise _data(f"The {name} is an empty list, which has no type.")
    elements = [wire_value(each, name) for each in values]
    if any(isinstance(each, list) or (isinstance(each, dict) and isinstance(each["value"], list)) for each in elements):
        raise _data(f"The {name} is a list of lists.")
    types = {each["type"] for each in elements if isinstance(each, dict)}
    if not types:
        return elements
    if all(each.startswith("decimal(") for each in types):
        sizes = [tuple(map(int, re.findall(r"\d+", each))) for each in types]
        scale = max(each[1] for each in sizes)
        precision = max(each[0] - each[1] for each in sizes) + scale
        types = {f"decimal({min(precision, _MOST_DIGITS)},{scale})"}
    is_mixed = any(each is not None and not isinstance(each, dict) for each in elements)
    if len(types) > 1 or (is_mixed and not types <= {"bigint", "double precision"}):
        raise _data(f"The {name} is a list of several types.")
    plain = [each["value"] if isinstance(each, dict) else None if each is None else str(each) for each in elements]
    return _typed(f"{types.pop()}[]", plain)


def _invalid(message: str) -> ProgrammingError:
    return ProgrammingError(message, reason="PARAMETER_INVALID")


def _data(message: str) -> DataError:
    return DataError(message, reason="PARAMETER_INVALID")
