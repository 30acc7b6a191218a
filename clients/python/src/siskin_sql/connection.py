"""A connection: one project of one service. It holds no state of the server, so it needs no transaction."""

from __future__ import annotations

import json
import ssl
from typing import Any, Iterator, Mapping

from . import errors
from .cursor import Cursor, Parameters
from .errors import InterfaceError
from .parameters import bound
from .transport import ARROW, Transport, broken_off


def connect(
    url: str,
    *,
    project: str,
    token: str | None = None,
    key: str | None = None,
    timeout: float | None = 120,
    retries: int = 2,
    time_zone: str | None = None,
    session: Mapping[str, str] | None = None,
    view_as: Mapping[str, Any] | None = None,
    limit: int | None = None,
    headers: Mapping[str, str] | None = None,
    ssl_context: ssl.SSLContext | None = None,
) -> Connection:
    """Opens a project of the service at `url`. Nothing is sent before the first statement.

    token, key: a bearer token, or an API key. timeout: seconds without a byte from the service. retries: how often a
    request is sent again after 429 or 503 with Retry-After. time_zone: zone of the SQL and of its instants. session: session
    properties as texts of SQL literals. view_as: session properties of another caller. limit: most rows of an answer.
    """
    transport = Transport(
        url,
        project,
        token=token,
        key=key,
        timeout=timeout,
        retries=retries,
        headers={**(headers or {}), **({"x-wren-timezone": time_zone} if time_zone else {})},
        context=ssl_context,
    )
    body = {"sessionProperties": session, "viewAs": view_as, "limit": limit}
    return Connection(transport, {name: value for name, value in body.items() if value is not None})


class Connection:
    """Made by `connect`. Threads may share it."""

    Warning = errors.Warning
    Error = errors.Error
    InterfaceError = errors.InterfaceError
    DatabaseError = errors.DatabaseError
    DataError = errors.DataError
    OperationalError = errors.OperationalError
    IntegrityError = errors.IntegrityError
    InternalError = errors.InternalError
    ProgrammingError = errors.ProgrammingError
    NotSupportedError = errors.NotSupportedError

    def __init__(self, transport: Transport, body: Mapping[str, Any]) -> None:
        self.transport = transport
        self._body = body
        self._is_closed = False

    def cursor(self) -> Cursor:
        self.check_open()
        return Cursor(self)

    def execute(self, operation: str, parameters: Parameters = None) -> Cursor:
        """A new cursor with the rows of a statement."""
        return self.cursor().execute(operation, parameters)

    def arrow(self, operation: str, parameters: Parameters = None) -> Any:
        """All rows as a `pyarrow.Table`, sent in Arrow's stream format."""
        import pyarrow.ipc

        self.check_open()
        sql, values = bound(operation, parameters)
        body = {"sql": sql, **({} if values is None else {"parameters": values})}
        answer = self.transport.send(f"{self.transport.project}/query", ARROW, *self.request(body, rows=True))
        data = answer.read()
        # Arrow's readers take a stream without its mark for a whole one.
        if not data.endswith(b"\xff\xff\xff\xff\0\0\0\0"):
            raise broken_off(answer.request_id)
        return pyarrow.ipc.open_stream(data).read_all()

    def describe(self) -> Any:
        """Models, relationships, views and cubes that the caller may use, as JSON."""
        self.check_open()
        return self.transport.json(self.transport.project)

    def explain(self, operation: str, parameters: Parameters = None) -> Any:
        """Columns, descriptions and warnings of a statement, without running it, as JSON."""
        self.check_open()
        sql, values = bound(operation, parameters)
        body = {"sql": sql, **({} if values is None else {"parameters": values})}
        return self.transport.json(f"{self.transport.project}/explain", *self.request(body))

    def commit(self) -> None:
        """Does nothing: projects are read only."""
        self.check_open()

    def rollback(self) -> None:
        """Does nothing: projects are read only."""
        self.check_open()

    def close(self) -> None:
        self._is_closed = True
        self.transport.close()

    def __enter__(self) -> Connection:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def check_open(self) -> None:
        if self._is_closed:
            raise InterfaceError("The connection is closed.", reason="CLOSED")

    def request(self, body: Mapping[str, Any], rows: bool = False) -> tuple[Mapping[str, Any], Mapping[str, str]]:
        """The body and headers of a request with the settings of this connection."""
        settings = {name: value for name, value in self._body.items() if rows or name != "limit"}
        return {**settings, **body}, ({"x-column-types": "true"} if rows else {})

    @staticmethod
    def warnings_in(header: str | None) -> Iterator[Mapping[str, Any]]:
        try:
            records = json.loads(header or "[]")
        except ValueError:
            return
        if isinstance(records, list):
            yield from (each for each in records if isinstance(each, dict))
