"""Arrow, pandas and polars against a running service (SISKIN_URL) with the project of examples/tpch (shop)."""

from __future__ import annotations

import os
import unittest

import siskin_sql

try:
    import pandas
    import polars
    import pyarrow
except ImportError:
    raise unittest.SkipTest("pyarrow, pandas and polars are not installed")

URL = os.environ.get("SISKIN_URL", "")
SQL = "SELECT id, status, ordered_on, total, is_large FROM orders ORDER BY id"


@unittest.skipIf(URL == "", "SISKIN_URL is not set")
class Frames(unittest.TestCase):
    def setUp(self) -> None:
        self.connection = siskin_sql.connect(URL, project="shop")
        self.addCleanup(self.connection.close)

    def test_arrow_of_rows_is_that_of_the_service(self) -> None:
        sent = self.connection.arrow(SQL)
        self.assertEqual(sent.schema.field("total").type, pyarrow.decimal128(15, 2))
        made = self.connection.execute(SQL).fetch_arrow_table()
        self.assertEqual(made.schema.types, sent.schema.types)
        self.assertEqual(made.to_pylist(), sent.to_pylist())
        self.assertEqual(self.connection.arrow("SELECT id FROM orders WHERE id = %s", (1,)).to_pylist(), [{"id": 1}])

    def test_arrow_of_every_type(self) -> None:
        sql = (
            "SELECT 1 AS a, 1.5 AS b, CAST(1.5 AS double precision) AS c, 'x' AS d, true AS e, DATE '2024-01-02' AS f, "
            "TIME '10:00:00' AS g, TIMESTAMP '2024-01-02 03:04:05' AS h, now() AS i, ARRAY[1, 2] AS j, CAST('ab' AS bytea) AS k, "
            "CAST('a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11' AS uuid) AS l"
        )
        made = self.connection.execute(sql).fetch_arrow_table()
        self.assertEqual(made.schema.types, self.connection.arrow(sql).schema.types)

    def test_no_rows(self) -> None:
        table = self.connection.execute("SELECT id, total FROM orders WHERE id < 0").fetch_arrow_table()
        self.assertEqual((table.num_rows, table.column_names), (0, ["id", "total"]))

    def test_frames_of_cursors(self) -> None:
        count = self.connection.arrow(SQL).num_rows
        for frame in (self.connection.execute(SQL).fetch_pandas(), self.connection.execute(SQL).fetch_polars()):
            self.assertEqual(frame.shape, (count, 5))
            self.assertEqual(list(frame.columns), ["id", "status", "ordered_on", "total", "is_large"])

    def test_polars_reads_a_connection(self) -> None:
        frame = polars.read_database(SQL, self.connection)
        self.assertEqual(frame.height, self.connection.arrow(SQL).num_rows)
        self.assertEqual(frame.schema["total"], polars.Decimal(15, 2))

    def test_pandas_reads_a_connection(self) -> None:
        import warnings

        with warnings.catch_warnings():
            # pandas tests SQLAlchemy and SQLite alone, and says so.
            warnings.simplefilter("ignore", UserWarning)
            frame = pandas.read_sql("SELECT id, total FROM orders WHERE id <= %(most)s ORDER BY id", self.connection, params={"most": 3})
        self.assertEqual(list(frame["id"]), [1, 2, 3])


if __name__ == "__main__":
    unittest.main()
