"""PEP 249, paragraph by paragraph, against a running service (SISKIN_URL) with the project of examples/tpch (shop)."""

from __future__ import annotations

import datetime
import os
import threading
import unittest
import uuid
from decimal import Decimal
from typing import Any

import siskin_sql as driver

URL = os.environ.get("SISKIN_URL", "")


@unittest.skipIf(URL == "", "SISKIN_URL is not set")
class Case(unittest.TestCase):
    def setUp(self) -> None:
        self.connection = driver.connect(URL, project="shop")
        self.addCleanup(self.connection.close)
        self.cursor = self.connection.cursor()


class Module(Case):
    def test_globals(self) -> None:
        self.assertEqual((driver.apilevel, driver.paramstyle), ("2.0", "pyformat"))
        self.assertIn(driver.threadsafety, (0, 1, 2, 3))

    def test_the_tree_of_exceptions(self) -> None:
        tree = {
            driver.Warning: Exception,
            driver.Error: Exception,
            driver.InterfaceError: driver.Error,
            driver.DatabaseError: driver.Error,
            driver.DataError: driver.DatabaseError,
            driver.OperationalError: driver.DatabaseError,
            driver.IntegrityError: driver.DatabaseError,
            driver.InternalError: driver.DatabaseError,
            driver.ProgrammingError: driver.DatabaseError,
            driver.NotSupportedError: driver.DatabaseError,
        }
        for kind, base in tree.items():
            self.assertIs(kind.__bases__[0], base)
            self.assertIs(getattr(self.connection, kind.__name__), kind)

    def test_constructors(self) -> None:
        self.assertEqual(driver.Date(2002, 12, 25), datetime.date(2002, 12, 25))
        self.assertEqual(driver.Time(13, 45, 30), datetime.time(13, 45, 30))
        self.assertEqual(driver.Timestamp(2002, 12, 25, 13, 45, 30), datetime.datetime(2002, 12, 25, 13, 45, 30))
        ticks = datetime.datetime(2002, 12, 25, 13, 45, 30).timestamp()
        self.assertEqual(driver.DateFromTicks(ticks), driver.Date(2002, 12, 25))
        self.assertEqual(driver.TimeFromTicks(ticks), driver.Time(13, 45, 30))
        self.assertEqual(driver.TimestampFromTicks(ticks), driver.Timestamp(2002, 12, 25, 13, 45, 30))
        self.assertEqual(driver.Binary(b"a"), b"a")


class Connections(Case):
    def test_commit_and_rollback_have_nothing_to_do(self) -> None:
        self.connection.commit()
        self.connection.rollback()

    def test_close(self) -> None:
        self.connection.close()
        for use in (self.connection.cursor, self.connection.commit, self.connection.rollback):
            self.assertRaises(driver.Error, use)
        self.assertRaises(driver.Error, self.cursor.execute, "SELECT 1")

    def test_context_managers(self) -> None:
        with driver.connect(URL, project="shop") as connection, connection.cursor() as cursor:
            cursor.execute("SELECT 1")
            self.assertEqual(cursor.fetchone(), (1,))
        self.assertRaises(driver.Error, cursor.fetchone)

    def test_a_cursor_knows_its_connection(self) -> None:
        self.assertIs(self.cursor.connection, self.connection)


class Cursors(Case):
    ROWS = "SELECT id FROM nations ORDER BY id LIMIT 6"

    def test_description(self) -> None:
        self.assertIsNone(self.cursor.description)
        self.cursor.execute("SELECT id, name FROM nations")
        description = self.cursor.description
        assert description is not None
        self.assertEqual([len(each) for each in description], [7, 7])
        self.assertEqual([each[0] for each in description], ["id", "name"])
        self.assertEqual(description[0][1], driver.NUMBER)
        self.assertEqual(description[1][1], driver.STRING)
        self.cursor.execute("SELECT total FROM orders")
        assert self.cursor.description is not None
        self.assertEqual(self.cursor.description[0][4:6], (15, 2))

    def test_rowcount(self) -> None:
        self.assertEqual(self.cursor.rowcount, -1)
        self.cursor.execute(self.ROWS)
        self.assertIn(self.cursor.rowcount, (-1, 6))
        self.cursor.fetchall()
        self.assertEqual(self.cursor.rowcount, 6)

    def test_fetching_before_a_statement_is_an_error(self) -> None:
        for use in (self.cursor.fetchone, self.cursor.fetchmany, self.cursor.fetchall):
            self.assertRaises(driver.Error, use)

    def test_fetchone(self) -> None:
        self.cursor.execute("SELECT id FROM nations WHERE id = -1")
        self.assertIsNone(self.cursor.fetchone())
        self.cursor.execute("SELECT id FROM nations WHERE id = 0")
        self.assertEqual([self.cursor.fetchone(), self.cursor.fetchone()], [(0,), None])
        self.assertIn(self.cursor.rowcount, (-1, 1))

    def test_fetchmany(self) -> None:
        self.cursor.execute(self.ROWS)
        self.assertEqual(len(self.cursor.fetchmany()), 1)
        self.cursor.arraysize = 2
        self.assertEqual(len(self.cursor.fetchmany()), 2)
        self.assertEqual(len(self.cursor.fetchmany(10)), 3)
        self.assertEqual(self.cursor.fetchmany(10), [])
        self.assertEqual(self.cursor.fetchmany(0), [])

    def test_fetchall(self) -> None:
        self.cursor.execute(self.ROWS)
        self.assertEqual(self.cursor.fetchmany(2), [(0,), (1,)])
        self.assertEqual(self.cursor.fetchall(), [(2,), (3,), (4,), (5,)])
        self.assertEqual(self.cursor.fetchall(), [])

    def test_iteration(self) -> None:
        self.cursor.execute(self.ROWS)
        self.assertEqual([id for (id,) in self.cursor], [0, 1, 2, 3, 4, 5])
        self.assertEqual(list(self.cursor), [])

    def test_executemany(self) -> None:
        self.cursor.executemany("SELECT id FROM nations WHERE id = %s", [(0,), (1,)])
        self.assertRaises(driver.Error, self.cursor.fetchall)

    def test_close(self) -> None:
        self.cursor.close()
        self.cursor.close()
        for use in (lambda: self.cursor.execute("SELECT 1"), self.cursor.fetchone, self.cursor.fetchall):
            self.assertRaises(driver.Error, use)

    def test_what_has_no_effect(self) -> None:
        self.cursor.setinputsizes((25,))
        self.cursor.setoutputsize(1000)
        self.cursor.setoutputsize(2000, 0)
        self.assertIsNone(self.cursor.nextset())
        self.assertRaises(driver.NotSupportedError, self.cursor.callproc, "x")

    def test_many_rows(self) -> None:
        self.cursor.execute("SELECT count(*) FROM orders a CROSS JOIN nations b")
        [(count,)] = self.cursor.fetchall()
        self.cursor.execute("SELECT a.id FROM orders a CROSS JOIN nations b")
        self.assertEqual(len(self.cursor.fetchall()), count)


class Values(Case):
    def test_values_by_the_type_of_the_column(self) -> None:
        self.cursor.execute(
            "SELECT 9007199254740993 AS a, CAST(1.5 AS double precision) AS b, CAST(12.5 AS numeric(10, 2)) AS c, 'x' AS d, "
            "true AS e, NULL AS f, DATE '2024-01-02' AS g, TIME '10:00:00.5' AS h, TIMESTAMP '2024-01-02 03:04:05' AS i, "
            "TIMESTAMP WITH TIME ZONE '2024-01-02 03:04:05+02:00' AS j, ARRAY[1, 2] AS k, INTERVAL '1 day' AS l, "
            "CAST('a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11' AS uuid) AS m, CAST('ab' AS bytea) AS n"
        )
        [row] = self.cursor.fetchall()
        wanted: tuple[Any, ...] = (
            *(9007199254740993, 1.5, Decimal("12.5"), "x", True, None, datetime.date(2024, 1, 2)),
            *(datetime.time(10, 0, 0, 500000), datetime.datetime(2024, 1, 2, 3, 4, 5)),
            datetime.datetime(2024, 1, 2, 1, 4, 5, tzinfo=datetime.timezone.utc),
            *([1, 2], "1 days", uuid.UUID("a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"), b"ab"),
        )
        self.assertEqual(row, wanted)
        self.assertEqual([type(each) for each in row], [type(each) for each in wanted])

    def test_two_columns_of_one_name(self) -> None:
        self.cursor.execute("SELECT 1 AS a, DATE '2024-01-02' AS a")
        self.assertEqual(self.cursor.fetchall(), [(1, datetime.date(2024, 1, 2))])

    def test_parameters_come_back_as_they_were(self) -> None:
        values: list[Any] = [
            *(1, 2**60, 2**70, "a%b'c\"", True, None, Decimal("1.50"), Decimal("-0.001"), 0.1 + 0.2),
            *(datetime.date(2024, 1, 2), datetime.time(1, 2, 3, 4), datetime.datetime(2024, 1, 2, 3, 4, 5, 6)),
            datetime.datetime(2024, 1, 2, 3, 4, 5, tzinfo=datetime.timezone.utc),
            *(b"", b"a\0\\x'\xff", uuid.UUID(int=7), [1, 2], [Decimal("1.5"), Decimal("22.25")], [datetime.date(2024, 1, 2)]),
        ]
        for value in values:
            with self.subTest(repr(value)):
                self.cursor.execute("SELECT %s AS v", (value,))
                self.assertEqual(self.cursor.fetchone(), (value,))
                self.cursor.execute("SELECT %(v)s AS v, '100%%' AS p", {"v": value})
                self.assertEqual(self.cursor.fetchone(), (value, "100%"))

    def test_parameters_mean_nothing_but_themselves(self) -> None:
        for text in ("'; DROP TABLE orders; --", "$1", "%s", "\\", "' OR 1 = 1 --"):
            self.cursor.execute("SELECT count(*) FROM nations WHERE name = %s", (text,))
            self.assertEqual(self.cursor.fetchone(), (0,))


class Errors(Case):
    def test_a_name_that_is_not_known(self) -> None:
        with self.assertRaises(driver.ProgrammingError) as caught:
            self.cursor.execute("SELECT nme FROM nations")
        error = caught.exception
        self.assertEqual((error.reason, error.suggestions), ("COLUMN_NOT_FOUND", ("name",)))
        self.assertEqual(error.position, {"line": 1, "column": 8, "offset": 8, "length": 3})
        self.assertIsNotNone(error.request_id)

    def test_syntax_and_statements_that_change_data(self) -> None:
        self.assertRaises(driver.ProgrammingError, self.cursor.execute, "SELEC 1")
        self.assertRaises(driver.DatabaseError, self.cursor.execute, "DELETE FROM nations")

    def test_a_project_that_is_not_known(self) -> None:
        with driver.connect(URL, project="nothing") as connection, self.assertRaises(driver.DatabaseError) as caught:
            connection.execute("SELECT 1")
        self.assertEqual(caught.exception.reason, "PROJECT_NOT_FOUND")

    def test_a_cursor_works_after_an_error(self) -> None:
        self.assertRaises(driver.Error, self.cursor.execute, "SELECT nothing FROM nations")
        self.cursor.execute("SELECT 1")
        self.assertEqual(self.cursor.fetchall(), [(1,)])


class Use(Case):
    def test_threads_share_a_connection(self) -> None:
        found: list[Any] = []
        statement = "SELECT id FROM nations WHERE id = %s"
        threads = [
            threading.Thread(target=lambda id=id: found.extend(self.connection.execute(statement, (id,)).fetchall()))
            for id in range(6)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(sorted(found), [(id,) for id in range(6)])

    def test_cubes(self) -> None:
        self.cursor.execute_cube({"cube": "sales", "measures": ["revenue"], "dimensions": ["status"]})
        rows = dict(self.cursor.fetchall())
        self.cursor.execute("SELECT status, sum(total) FROM orders GROUP BY status")
        self.assertEqual(rows, dict(self.cursor.fetchall()))

    def test_descriptions(self) -> None:
        self.assertIn("orders", [model["name"] for model in self.connection.describe()["models"]])
        self.assertEqual(self.connection.explain("SELECT 1 AS a")["columns"][0]["name"], "a")


if __name__ == "__main__":
    unittest.main()
