"""Statements with placeholders, values that are sent, and values that arrive."""

from __future__ import annotations

import datetime
import unittest
import uuid
from decimal import Decimal
from typing import Any

import siskin_sql
from siskin_sql.parameters import bound, wire_value
from siskin_sql.types import converter


class Statements(unittest.TestCase):
    def test_placeholders_become_numbers(self) -> None:
        cases: list[tuple[str, Any, str, Any]] = [
            ("SELECT 5 % 2", None, "SELECT 5 % 2", None),
            ("SELECT %s, %s", (1, 2), "SELECT $1, $2", [1, 2]),
            ("SELECT %(a)s, %(b)s, %(a)s", {"a": 1, "b": 2, "c": 3}, "SELECT $1, $2, $1", [1, 2]),
            ("SELECT 5 %% 2, '50%%'", (), "SELECT 5 % 2, '50%'", []),
            ('SELECT "a%%b" -- 5%%\n, %s', (1,), 'SELECT "a%b" -- 5%\n, $1', [1]),
            ("SELECT '$1', $$ $2 $$, %s", (1,), "SELECT '$1', $$ $2 $$, $1", [1]),
            ("SELECT E'it\\'s', 'it''s', %s", (1,), "SELECT E'it\\'s', 'it''s', $1", [1]),
            ("SELECT %s::text", ["x"], "SELECT $1::text", ["x"]),
        ]
        for sql, parameters, text, values in cases:
            with self.subTest(sql):
                self.assertEqual(bound(sql, parameters), (text, values))

    def test_statements_that_are_refused(self) -> None:
        cases: list[tuple[str, Any]] = [
            ("SELECT %s", ()),
            ("SELECT %s", (1, 2)),
            ("SELECT %s", {"a": 1}),
            ("SELECT %(a)s", (1,)),
            ("SELECT %(a)s", {}),
            ("SELECT 5 % 2", ()),
            ("SELECT '%s'", (1,)),
            ("SELECT '50%'", ()),
            ("SELECT $1, %s", (1,)),
            ("SELECT %s", "a"),
            ("SELECT %s", 1),
        ]
        for sql, parameters in cases:
            with self.subTest(sql), self.assertRaises(siskin_sql.ProgrammingError):
                bound(sql, parameters)


class Values(unittest.TestCase):
    def test_values_that_are_sent(self) -> None:
        cases: list[tuple[Any, Any]] = [
            (None, None),
            (True, True),
            ("a", "a"),
            (7, 7),
            (2**53 + 1, {"type": "bigint", "value": "9007199254740993"}),
            (-(2**70), {"type": "decimal(38,0)", "value": "-1180591620717411303424"}),
            (1.5, 1.5),
            (0.1 + 0.2, {"type": "double precision", "value": "0.30000000000000004"}),
            (1e300, {"type": "double precision", "value": "1e+300"}),
            (Decimal("1.50"), {"type": "decimal(3,2)", "value": "1.50"}),
            (Decimal("0"), {"type": "decimal(1,0)", "value": "0"}),
            (Decimal("-0.001"), {"type": "decimal(3,3)", "value": "-0.001"}),
            (Decimal("1E+5"), {"type": "decimal(6,0)", "value": "100000"}),
            (datetime.date(2026, 1, 2), {"type": "date", "value": "2026-01-02"}),
            (datetime.datetime(2026, 1, 2, 3, 4, 5), {"type": "timestamp", "value": "2026-01-02 03:04:05"}),
            (
                datetime.datetime(2026, 1, 2, tzinfo=datetime.timezone.utc),
                {"type": "timestamp with time zone", "value": "2026-01-02 00:00:00+00:00"},
            ),
            (datetime.time(1, 2, 3, 4), {"type": "time", "value": "01:02:03.000004"}),
            (datetime.timedelta(days=-1, hours=1), {"type": "interval", "value": "-0 days -82800.000000 seconds"}),
            (uuid.UUID(int=1), {"type": "uuid", "value": str(uuid.UUID(int=1))}),
            (b"a\0\xff", {"type": "bytea", "value": "\\x6100ff"}),
            (bytearray(), {"type": "bytea", "value": "\\x"}),
            ([memoryview(b"a"), None], {"type": "bytea[]", "value": ["\\x61", None]}),
            ([1, None], [1, None]),
            ([2**60, 1], {"type": "bigint[]", "value": [str(2**60), "1"]}),
            ([Decimal("1.5"), Decimal("22.25")], {"type": "decimal(4,2)[]", "value": ["1.5", "22.25"]}),
        ]
        for value, expected in cases:
            with self.subTest(repr(value)):
                self.assertEqual(wire_value(value, "p"), expected)

    def test_values_that_are_refused(self) -> None:
        late = datetime.time(1, tzinfo=datetime.timezone.utc)
        wrong: list[Any] = [float("nan"), float("inf"), Decimal("NaN"), Decimal("1E+400000000"), 10**38, late]
        for value in [*wrong, "\ud800", object(), {"a": 1}, [], [[1]], [Decimal(1), datetime.date.today()], {1}]:
            with self.subTest(repr(value)[:40]), self.assertRaises(siskin_sql.DataError):
                wire_value(value, "p")

    def test_values_that_arrive(self) -> None:
        zone = datetime.timezone(datetime.timedelta(hours=-4))
        cases: list[tuple[str, Any, Any]] = [
            ("decimal128(38, 2)", "12345678901234567890.5", Decimal("12345678901234567890.5")),
            ("decimal", "1e-07", Decimal("1e-07")),
            ("date32[day]", "1996-01-02", datetime.date(1996, 1, 2)),
            ("date32[day]", "infinity", "infinity"),
            ("time64[us]", "12:34:56", datetime.time(12, 34, 56)),
            ("time64[us]", "12:34:56.500000", datetime.time(12, 34, 56, 500000)),
            ("time64[us]", "24:00:00", "24:00:00"),
            ("timestamp[us]", "2024-01-01 23:59:59.000001", datetime.datetime(2024, 1, 1, 23, 59, 59, 1)),
            ("timestamp[ns]", "2024-01-01 23:59:59.000001999", datetime.datetime(2024, 1, 1, 23, 59, 59, 1)),
            ("timestamp[us, tz=X]", "2024-07-01 19:59:59.000000 -04:00", datetime.datetime(2024, 7, 1, 19, 59, 59, tzinfo=zone)),
            ("timestamp[us]", "0044-03-15 00:00:00.000000 BC", "0044-03-15 00:00:00.000000 BC"),
            ("uuid", str(uuid.UUID(int=1)), uuid.UUID(int=1)),
            ("binary", "616200", b"ab\0"),
            ("list<item: date32[day]>", ["2024-01-01", None], [datetime.date(2024, 1, 1), None]),
            ("list<item: list<item: decimal128(2, 1)>>", [["1.5"]], [[Decimal("1.5")]]),
            ("struct<a: date32[day], b: decimal128(3, 1)>", {"a": "2024-01-01", "b": None}, {"a": datetime.date(2024, 1, 1), "b": None}),
            ("map<string, decimal128(3, 1)>", [["k", "1.5"]], [("k", Decimal("1.5"))]),
        ]
        for code, value, expected in cases:
            with self.subTest(code):
                convert = converter(code)
                assert convert is not None
                self.assertEqual(convert(value), expected)
        for code in ("int64", "string", "bool", "double", "json", "month_day_nano_interval", "list<item: int64>", "null"):
            self.assertIsNone(converter(code))


class Types(unittest.TestCase):
    def test_type_objects(self) -> None:
        kinds = {
            siskin_sql.STRING: ["string", "uuid", "json"],
            siskin_sql.NUMBER: ["int64", "uint8", "double", "float", "decimal128(38, 2)", "decimal"],
            siskin_sql.DATETIME: ["date32[day]", "time64[us]", "timestamp[us, tz=UTC]", "month_day_nano_interval"],
            siskin_sql.BINARY: ["binary"],
            siskin_sql.ROWID: [],
        }
        for kind, codes in kinds.items():
            for other in kinds:
                for code in codes:
                    self.assertEqual(code == other, other is kind)


if __name__ == "__main__":
    unittest.main()
