"""An SQLAlchemy dialect, for 1.4 and 2.x: `siskin+https://:TOKEN@siskin.example.com/PROJECT`.

A project is read only. Reflection answers from the project: its models are tables, their paths are foreign keys.
"""

from __future__ import annotations

import re
from typing import Any

import sqlalchemy
from sqlalchemy import exc, types as sqltypes
from sqlalchemy.dialects.postgresql import base as postgresql
from sqlalchemy.engine import default, reflection

import siskin_sql


class UUID(sqltypes.UserDefinedType):  # type: ignore[type-arg]
    """Values are `uuid.UUID`."""

    cache_ok = True
    __visit_name__ = "UUID"

    def get_col_spec(self, **kw: Any) -> str:
        return "UUID"


class SiskinCompiler(postgresql.PGCompiler):
    """PostgreSQL's, which the language of the service follows, without statements that change data."""

    def visit_insert(self, insert_stmt: Any, *args: Any, **kw: Any) -> str:
        raise _read_only("INSERT")

    def visit_update(self, update_stmt: Any, *args: Any, **kw: Any) -> str:
        raise _read_only("UPDATE")

    def visit_delete(self, delete_stmt: Any, *args: Any, **kw: Any) -> str:
        raise _read_only("DELETE")

    def for_update_clause(self, select: Any, **kw: Any) -> str:
        raise _read_only("SELECT … FOR UPDATE")


class SiskinDdlCompiler(postgresql.PGDDLCompiler):
    def visit_create_table(self, create: Any, **kw: Any) -> str:
        raise _read_only("CREATE TABLE")

    def visit_drop_table(self, drop: Any, **kw: Any) -> str:
        raise _read_only("DROP TABLE")


class SiskinTypeCompiler(postgresql.PGTypeCompiler):
    def visit_TIMESTAMP(self, type_: Any, **kw: Any) -> str:
        return "TIMESTAMP WITH TIME ZONE" if type_.timezone else "TIMESTAMP"

    def visit_DATETIME(self, type_: Any, **kw: Any) -> str:
        return self.visit_TIMESTAMP(type_, **kw)

    def visit_datetime(self, type_: Any, **kw: Any) -> str:
        return self.visit_TIMESTAMP(type_, **kw)

    def visit_TIME(self, type_: Any, **kw: Any) -> str:
        return "TIME"


def _read_only(construct: str) -> exc.CompileError:
    return exc.CompileError(f"{construct} is not supported: projects are read only.")


class SiskinDialect(default.DefaultDialect):
    name = "siskin"
    driver = "https"
    _scheme = "https"
    _default_port = 443

    statement_compiler = SiskinCompiler
    ddl_compiler = SiskinDdlCompiler
    type_compiler = SiskinTypeCompiler
    type_compiler_cls = SiskinTypeCompiler
    preparer = postgresql.PGIdentifierPreparer

    default_paramstyle = "pyformat"
    supports_statement_cache = True
    supports_native_boolean = True
    supports_native_decimal = True
    supports_native_uuid = True
    supports_alter = False
    supports_comments = True
    supports_default_values = False
    supports_empty_insert = False
    supports_sequences = False
    supports_sane_rowcount = False
    supports_sane_multi_rowcount = False
    supports_schemas = False
    supports_views = True
    supports_is_distinct_from = True
    postfetch_lastrowid = False
    insert_returning = False
    requires_name_normalize = False
    isolation_level = None
    # What PostgreSQL's compiler asks its dialect.
    _backslash_escapes = False
    _supports_create_index_concurrently = False
    server_version_info = (16,)

    @classmethod
    def import_dbapi(cls) -> Any:
        return siskin_sql

    if sqlalchemy.__version__.startswith("1."):

        @classmethod
        def dbapi(cls) -> Any:  # type: ignore[override]
            return siskin_sql

    def create_connect_args(self, url: Any) -> Any:
        database = (url.database or "").strip("/")
        if not url.host or not database:
            raise exc.ArgumentError("The URL names a host and a project: siskin+https://:TOKEN@HOST/PROJECT.")
        if url.username not in (None, "", "token", "key"):
            raise exc.ArgumentError("The user of the URL is token or key: siskin+https://key:KEY@HOST/PROJECT.")
        *prefix, project = database.split("/")
        host = f"[{url.host}]" if ":" in url.host else url.host
        base = f"{self._scheme}://{host}:{url.port or self._default_port}"
        options: dict[str, Any] = {"project": project}
        if url.password is not None:
            options["key" if url.username == "key" else "token"] = str(url.password)
        for name, value in dict(url.query).items():
            if name == "timeout":
                options["timeout"] = float(value)
            elif name == "retries" or name == "limit":
                options[name] = int(value)
            elif name == "time_zone":
                options["time_zone"] = value
            else:
                raise exc.ArgumentError(f"The URL has the unknown option {name}. Options: timeout, retries, limit, time_zone.")
        return ("/".join([base, *prefix]),), options

    def initialize(self, connection: Any) -> None:
        """Asks nothing: what a service can do is the same for all of its projects."""
        self.default_schema_name = None
        self.default_isolation_level = None
        self._user_defined_max_identifier_length = self.label_length

    def do_ping(self, dbapi_connection: Any) -> bool:
        dbapi_connection.describe()
        return True

    def do_begin(self, dbapi_connection: Any) -> None:
        pass

    def do_rollback(self, dbapi_connection: Any) -> None:
        pass

    def do_commit(self, dbapi_connection: Any) -> None:
        pass

    def is_disconnect(self, e: Exception, connection: Any, cursor: Any) -> bool:
        # A connection has no state at the server, and opens another socket by itself.
        return False

    # Reflection

    def _project(self, connection: Any, **kw: Any) -> Any:
        cache = kw.get("info_cache")
        if cache is None:
            return _raw(connection).describe()
        key = ("siskin project",)
        if key not in cache:
            cache[key] = _raw(connection).describe()
        return cache[key]

    def _model(self, connection: Any, table_name: str, schema: str | None, **kw: Any) -> Any:
        """The model of this name; None for a view."""
        project = self._project(connection, **kw)
        if not schema:
            for model in project["models"]:
                if model["name"] == table_name:
                    return model
            if any(view["name"] == table_name for view in project["views"]):
                return None
        raise exc.NoSuchTableError(table_name)

    def get_schema_names(self, connection: Any, **kw: Any) -> list[str]:
        return []

    def has_schema(self, connection: Any, schema_name: str, **kw: Any) -> bool:
        return False

    def get_table_names(self, connection: Any, schema: str | None = None, **kw: Any) -> list[str]:
        return [] if schema else [model["name"] for model in self._project(connection, **kw)["models"]]

    def get_view_names(self, connection: Any, schema: str | None = None, **kw: Any) -> list[str]:
        return [] if schema else [view["name"] for view in self._project(connection, **kw)["views"]]

    def get_view_definition(self, connection: Any, view_name: str, schema: str | None = None, **kw: Any) -> None:
        """None: the statements of a project's views are its operator's."""
        if self._model(connection, view_name, schema, **kw) is not None:
            raise exc.NoSuchTableError(view_name)
        return None

    def has_table(self, connection: Any, table_name: str, schema: str | None = None, **kw: Any) -> bool:
        try:
            self._model(connection, table_name, schema, **kw)
        except exc.NoSuchTableError:
            return False
        return True

    def get_columns(self, connection: Any, table_name: str, schema: str | None = None, **kw: Any) -> list[Any]:
        model = self._model(connection, table_name, schema, **kw)
        if model is not None:
            columns = model["columns"]
        else:
            name = self.identifier_preparer.quote(table_name)
            columns = _raw(connection).explain(f"SELECT * FROM {name}")["columns"]
        return [
            {
                "name": column["name"],
                "type": type_of(column["type"]),
                "nullable": column["nullable"],
                "default": None,
                "autoincrement": False,
                "comment": column.get("description"),
            }
            for column in columns
        ]

    def get_pk_constraint(self, connection: Any, table_name: str, schema: str | None = None, **kw: Any) -> Any:
        model = self._model(connection, table_name, schema, **kw)
        return {"name": None, "constrained_columns": list((model or {}).get("primaryKey", []))}

    def get_foreign_keys(self, connection: Any, table_name: str, schema: str | None = None, **kw: Any) -> list[Any]:
        """Relationships to one row of another model, or of the same."""
        self._model(connection, table_name, schema, **kw)
        keys = []
        for relationship in self._project(connection, **kw).get("relationships", []):
            first, second = relationship["models"]
            join, pairs = relationship["joinType"], relationship["on"]
            if join == "ONE_TO_MANY":
                first, second, pairs = second, first, [(to, own) for own, to in pairs]
            if first != table_name or join == "MANY_TO_MANY" or not pairs:
                continue
            keys.append(
                {
                    "name": relationship["name"],
                    "constrained_columns": [own for own, _ in pairs],
                    "referred_schema": None,
                    "referred_table": second,
                    "referred_columns": [to for _, to in pairs],
                    "options": {},
                    "comment": relationship.get("description"),
                }
            )
        return keys

    def get_table_comment(self, connection: Any, table_name: str, schema: str | None = None, **kw: Any) -> Any:
        model = self._model(connection, table_name, schema, **kw)
        if model is None:
            views = self._project(connection, **kw)["views"]
            model = next(view for view in views if view["name"] == table_name)
        return {"text": model.get("description")}

    def get_indexes(self, connection: Any, table_name: str, schema: str | None = None, **kw: Any) -> list[Any]:
        self._model(connection, table_name, schema, **kw)
        return []

    def get_unique_constraints(self, connection: Any, table_name: str, schema: str | None = None, **kw: Any) -> list[Any]:
        self._model(connection, table_name, schema, **kw)
        return []

    def get_check_constraints(self, connection: Any, table_name: str, schema: str | None = None, **kw: Any) -> list[Any]:
        self._model(connection, table_name, schema, **kw)
        return []


class SiskinHttpDialect(SiskinDialect):
    """Over HTTP without TLS, for a service on the same machine."""

    driver = "http"
    _scheme = "http"
    _default_port = 80
    supports_statement_cache = True


def _raw(connection: Any) -> Any:
    """The connection of this module below SQLAlchemy's."""
    proxied = connection.connection
    return getattr(proxied, "dbapi_connection", None) or proxied.connection


_TYPES: dict[str, Any] = {
    "boolean": sqltypes.BOOLEAN,
    "tinyint": sqltypes.SMALLINT,
    "smallint": sqltypes.SMALLINT,
    "integer": sqltypes.INTEGER,
    "bigint": sqltypes.BIGINT,
    "real": sqltypes.FLOAT,
    "double precision": sqltypes.FLOAT,
    "numeric": sqltypes.NUMERIC,
    "text": sqltypes.TEXT,
    "varchar": sqltypes.VARCHAR,
    "char": sqltypes.CHAR,
    "bytea": postgresql.BYTEA,
    "uuid": UUID,
    "json": sqltypes.JSON,
    "jsonb": sqltypes.JSON,
    "date": sqltypes.DATE,
    "time": sqltypes.TIME,
    "timestamp": sqltypes.TIMESTAMP,
    "timestamp with time zone": sqltypes.TIMESTAMP,
    "interval": postgresql.INTERVAL,
}


def type_of(name: str) -> Any:
    """The type of a column by its name in the language; NullType for structures and the source's own types."""
    if name.endswith("[]"):
        element = type_of(name[:-2])
        return element if isinstance(element, sqltypes.NullType) else sqltypes.ARRAY(element)
    found = re.fullmatch(r"([a-z ]+?)(?:\((\d+)(?:, ?(-?\d+))?\))?", name)
    kind = _TYPES.get(found[1]) if found else None
    if kind is None or found is None:
        return sqltypes.NullType()
    if kind is sqltypes.NUMERIC and found[2]:
        return sqltypes.NUMERIC(int(found[2]), int(found[3] or 0))
    if kind in (sqltypes.VARCHAR, sqltypes.CHAR) and found[2]:
        return kind(int(found[2]))
    if kind is sqltypes.TIMESTAMP:
        return sqltypes.TIMESTAMP(timezone=name.endswith("with time zone"))
    return kind()
