"""The SQLAlchemy dialect, of 1.4 and 2.x, against a running service (SISKIN_URL) with the projects shop and model."""

from __future__ import annotations

import datetime
import os
import unittest
import uuid
from decimal import Decimal
from typing import Any

import siskin_sql

try:
    import sqlalchemy as sa
except ImportError:
    raise unittest.SkipTest("SQLAlchemy is not installed")
from sqlalchemy import orm
from sqlalchemy.dialects import registry

from siskin_sql.sqlalchemy import UUID, type_of

URL = os.environ.get("SISKIN_URL", "")
# As the entry points of the installed package do.
registry.register("siskin", "siskin_sql.sqlalchemy", "SiskinDialect")
registry.register("siskin.https", "siskin_sql.sqlalchemy", "SiskinDialect")
registry.register("siskin.http", "siskin_sql.sqlalchemy", "SiskinHttpDialect")


def engine_of(project: str) -> Any:
    return sa.create_engine(f"{URL.replace('http://', 'siskin+http://')}/{project}")


class Urls(unittest.TestCase):
    def arguments(self, url: str) -> Any:
        made = sa.engine.make_url(url)
        return made.get_dialect()().create_connect_args(made)

    def test_urls(self) -> None:
        cases: list[tuple[str, str, dict[str, Any]]] = [
            ("siskin://:t@siskin.test/shop", "https://siskin.test:443", {"project": "shop", "token": "t"}),
            ("siskin+https://token:t@siskin.test/shop", "https://siskin.test:443", {"project": "shop", "token": "t"}),
            ("siskin+https://key:k%40@siskin.test/shop", "https://siskin.test:443", {"project": "shop", "key": "k@"}),
            ("siskin+http://localhost:8787/a/b/shop", "http://localhost:8787/a/b", {"project": "shop"}),
            ("siskin+http://[::1]:8787/shop", "http://[::1]:8787", {"project": "shop"}),
            (
                "siskin://h/shop?timeout=5&retries=0&limit=7&time_zone=Europe/Paris",
                "https://h:443",
                {"project": "shop", "timeout": 5.0, "retries": 0, "limit": 7, "time_zone": "Europe/Paris"},
            ),
        ]
        for url, address, options in cases:
            with self.subTest(url):
                self.assertEqual(self.arguments(url), ((address,), options))

    def test_urls_that_are_refused(self) -> None:
        for url in ("siskin://h", "siskin://h/", "siskin:///shop", "siskin://ann:p@h/shop", "siskin://h/shop?sslmode=x"):
            with self.subTest(url), self.assertRaises(sa.exc.ArgumentError):
                self.arguments(url)


class Types(unittest.TestCase):
    def test_types(self) -> None:
        cases = {
            "integer": "INTEGER",
            "bigint": "BIGINT",
            "numeric": "NUMERIC",
            "numeric(15,2)": "NUMERIC(15, 2)",
            "double precision": "FLOAT",
            "varchar(20)": "VARCHAR(20)",
            "text": "TEXT",
            "boolean": "BOOLEAN",
            "date": "DATE",
            "time": "TIME",
            "json": "JSON",
        }
        for name, text in cases.items():
            self.assertEqual(str(type_of(name)), text)
        self.assertEqual([type_of("timestamp").timezone, type_of("timestamp with time zone").timezone], [False, True])
        self.assertIsInstance(type_of("uuid"), UUID)
        self.assertIsInstance(type_of("integer[]"), sa.ARRAY)
        for unknown in ("struct(a integer)", "geometry", "unknown"):
            self.assertIsInstance(type_of(unknown), sa.types.NullType)


@unittest.skipIf(URL == "", "SISKIN_URL is not set")
class Reflection(unittest.TestCase):
    def setUp(self) -> None:
        self.engine = engine_of("model")
        self.addCleanup(self.engine.dispose)
        self.inspector = sa.inspect(self.engine)

    def test_tables_and_views(self) -> None:
        self.assertEqual(self.inspector.get_table_names(), ["orders", "customers", "Odd Name"])
        self.assertEqual(self.inspector.get_view_names(), ["large_orders"])
        self.assertEqual(self.inspector.get_table_names(schema="other"), [])
        self.assertEqual([self.inspector.has_table(name) for name in ("orders", "large_orders", "x")], [True, True, False])
        self.assertEqual(self.inspector.get_table_comment("orders"), {"text": "One row per order."})
        self.assertEqual(self.inspector.get_table_comment("large_orders"), {"text": "Orders above 200,000."})

    def test_columns(self) -> None:
        columns = {column["name"]: column for column in self.inspector.get_columns("orders")}
        self.assertEqual(list(columns), ["id", "customer_id", "parent_id", "status", "ordered_on", "total", "is_large"])
        self.assertEqual((columns["total"]["type"].precision, columns["total"]["type"].scale), (15, 2))
        self.assertEqual((columns["id"]["nullable"], columns["status"]["nullable"]), (False, True))
        self.assertEqual(columns["total"]["comment"], "Amount in EUR.")
        view = {column["name"]: str(column["type"]) for column in self.inspector.get_columns("large_orders")}
        self.assertEqual(view, {"id": "INTEGER", "total": "NUMERIC(15, 2)"})

    def test_keys(self) -> None:
        self.assertEqual(self.inspector.get_pk_constraint("orders")["constrained_columns"], ["id"])
        self.assertEqual(self.inspector.get_pk_constraint("large_orders")["constrained_columns"], [])
        keys = {key["name"]: key for key in self.inspector.get_foreign_keys("orders")}
        summary = {
            name: (key["constrained_columns"], key["referred_table"], key["referred_columns"]) for name, key in keys.items()
        }
        wanted = {
            "orders_customers": (["customer_id"], "customers", ["id"]),
            "orders_parents": (["parent_id"], "orders", ["id"]),
        }
        self.assertEqual(summary, wanted)
        # A relationship that is written from the other side is a key of the model with many rows.
        [turned] = self.inspector.get_foreign_keys("Odd Name")
        self.assertEqual((turned["constrained_columns"], turned["referred_table"]), (["Customer Id"], "customers"))
        self.assertEqual(self.inspector.get_foreign_keys("customers"), [])

    def test_names_that_are_not_known(self) -> None:
        for ask in (self.inspector.get_columns, self.inspector.get_pk_constraint, self.inspector.get_foreign_keys):
            self.assertRaises(sa.exc.NoSuchTableError, ask, "nothing")

    def test_tables_that_are_reflected_join_by_their_keys(self) -> None:
        tables = sa.MetaData()
        tables.reflect(bind=self.engine, views=True)
        self.assertEqual(set(tables.tables), {"orders", "customers", "Odd Name", "large_orders"})
        orders, customers, odd = (tables.tables[name] for name in ("orders", "customers", "Odd Name"))
        with self.engine.connect() as connection:
            joined = sa.select(sa.func.count()).select_from(orders.join(customers))
            self.assertEqual(
                connection.execute(joined).scalar(), connection.execute(sa.select(sa.func.count()).select_from(orders)).scalar()
            )
            self.assertIsNotNone(connection.execute(sa.select(odd.c["Customer Id"]).limit(1)).scalar())


@unittest.skipIf(URL == "", "SISKIN_URL is not set")
class Queries(unittest.TestCase):
    def setUp(self) -> None:
        self.engine = engine_of("shop")
        self.addCleanup(self.engine.dispose)
        tables = sa.MetaData()
        self.orders = sa.Table("orders", tables, autoload_with=self.engine)
        self.customers = sa.Table("customers", tables, autoload_with=self.engine)
        self.connection = self.engine.connect()
        self.addCleanup(self.connection.close)

    def value(self, expression: Any) -> Any:
        return self.connection.execute(sa.select(expression)).scalar()

    def test_a_query_of_many_clauses(self) -> None:
        orders, customers = self.orders, self.customers
        asked = (
            sa.select(orders.c.status, sa.func.sum(orders.c.total).label("total"), sa.func.count())
            .select_from(orders.join(customers, orders.c.customer_id == customers.c.id))
            .where(orders.c.ordered_on >= datetime.date(1994, 1, 1), orders.c.is_large.is_(True))
            .where(orders.c.status.in_(["O", "F"]), sa.not_(customers.c.name.like("%x%")))
            .group_by(orders.c.status)
            .having(sa.func.count() > 1)
            .order_by(orders.c.status)
            .limit(2)
            .offset(0)
        )
        rows = self.connection.execute(asked).fetchall()
        self.assertEqual([row[0] for row in rows], ["F", "O"])
        self.assertIsInstance(rows[0][1], Decimal)

    def test_expressions(self) -> None:
        day = sa.literal(datetime.date(2024, 3, 15))
        cases: list[tuple[Any, Any]] = [
            (sa.cast(sa.literal("12"), sa.Integer), 12),
            (sa.cast(sa.literal(12), sa.String), "12"),
            (sa.cast(sa.literal("2024-01-02 03:04:05"), sa.DateTime), datetime.datetime(2024, 1, 2, 3, 4, 5)),
            (sa.func.date_trunc("month", day), datetime.datetime(2024, 3, 1)),
            (sa.extract("year", day), 2024),
            (sa.case((sa.literal(2) > 1, "big"), else_="small"), "big"),
            (sa.literal(7) % 4, 3),
            (sa.literal("a") + "b%", "ab%"),
            (sa.literal("ABC").ilike("%b%"), True),
            (sa.func.coalesce(sa.null(), "x"), "x"),
            (sa.true(), True),
            (sa.and_(sa.true(), sa.literal(True)), True),
            (sa.literal(Decimal("1.25")), Decimal("1.25")),
            (sa.literal("it's 50% \\ :x"), "it's 50% \\ :x"),
            (sa.literal("x", sa.String).is_(None), False),
            (sa.func.greatest(1, 2), 2),
            (sa.literal_column("'50%'"), "50%"),
        ]
        for expression, expected in cases:
            with self.subTest(str(expression)):
                self.assertEqual(self.value(expression), expected)
        self.assertEqual(self.value(sa.cast(sa.literal(str(uuid.UUID(int=7))), UUID())), uuid.UUID(int=7))

    def test_texts(self) -> None:
        asked = sa.text("SELECT count(*) FROM orders WHERE status = :status AND 10 % 3 = 1")
        self.assertGreater(self.connection.execute(asked, {"status": "O"}).scalar(), 0)
        self.assertEqual(self.connection.execute(sa.text("SELECT '50%' AS x")).scalar(), "50%")

    def test_set_operations_subqueries_and_windows(self) -> None:
        orders = self.orders
        both = sa.union_all(sa.select(orders.c.id).where(orders.c.id == 1), sa.select(orders.c.id).where(orders.c.id == 2))
        self.assertEqual(sorted(row[0] for row in self.connection.execute(both)), [1, 2])
        ranked = sa.select(
            orders.c.status, sa.func.row_number().over(partition_by=orders.c.status, order_by=orders.c.total.desc()).label("n")
        ).subquery()
        first = sa.select(sa.func.count()).select_from(ranked).where(ranked.c.n == 1)
        self.assertEqual(self.connection.execute(first).scalar(), 3)
        common = sa.select(orders.c.id).where(orders.c.id < 5).cte("few")
        self.assertGreater(self.connection.execute(sa.select(sa.func.count()).select_from(common)).scalar(), 0)

    def test_the_orm(self) -> None:
        class Order:
            pass

        mapper = orm.registry()
        mapper.map_imperatively(Order, self.orders)
        with orm.Session(self.engine) as session:
            order: Any = session.get(Order, 1)
            self.assertEqual(order.id, 1)
            session.add(Order())
            self.assertRaises(Exception, session.flush)

    def test_statements_that_change_data_are_refused_before_they_are_sent(self) -> None:
        orders = self.orders
        changes = [orders.insert().values(id=1), orders.update().values(id=1), orders.delete(), sa.select(orders).with_for_update()]
        for change in [*changes, sa.schema.CreateTable(orders), sa.schema.DropTable(orders)]:
            with self.subTest(type(change).__name__), self.assertRaises(sa.exc.CompileError):
                self.connection.execute(change)

    def test_errors_keep_what_the_service_says(self) -> None:
        with self.assertRaises(sa.exc.ProgrammingError) as caught:
            self.connection.execute(sa.text("SELECT nme FROM customers"))
        error: Any = caught.exception.orig
        self.assertIsInstance(error, siskin_sql.ProgrammingError)
        self.assertEqual((error.reason, error.suggestions), ("COLUMN_NOT_FOUND", ("name",)))

    def test_pandas_reads_an_engine(self) -> None:
        try:
            import pandas
        except ImportError:
            self.skipTest("pandas is not installed")
        if sa.__version__.startswith("1."):
            self.skipTest("pandas wants SQLAlchemy 2")
        frame = pandas.read_sql(sa.select(self.orders.c.id).where(self.orders.c.id < 4), self.engine)
        self.assertEqual(sorted(frame["id"]), [1, 2, 3])
        table = pandas.read_sql_table("customers", self.engine)
        self.assertIn("segment", table.columns)


if __name__ == "__main__":
    unittest.main()
