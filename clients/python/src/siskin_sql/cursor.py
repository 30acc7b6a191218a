"""A cursor: one statement at a time, whose rows arrive as they are fetched."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator, Mapping, Sequence

from .errors import InterfaceError, NotSupportedError, ProgrammingError, Warning
from .parameters import bound
from .rows import RowReader
from .transport import ROWS
from .types import size_of

if TYPE_CHECKING:
    from .connection import Connection

Parameters = Mapping[str, Any] | Sequence[Any] | None


class Cursor:
    """Made by `Connection.cursor()`."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        #: Rows that `fetchmany` returns without a size.
        self.arraysize = 1
        #: Name, type code, None, None, precision, scale and None of each column; None without an answer.
        self.description: list[tuple[Any, ...]] | None = None
        #: -1 while rows remain, since their number is not known before the last one.
        self.rowcount = -1
        self.rownumber: int | None = None
        self.messages: list[tuple[type[Warning], Warning]] = []
        self.lastrowid = None
        self._reader: RowReader | None = None
        self._is_closed = False

    def execute(self, operation: str, parameters: Parameters = None) -> Cursor:
        """Runs a statement. Placeholders are %s or %(name)s; without parameters a percent sign means itself."""
        self._reset()
        sql, values = bound(operation, parameters)
        return self._start("/query", {"sql": sql, **({} if values is None else {"parameters": values})})

    def execute_cube(self, query: Mapping[str, Any]) -> Cursor:
        """Runs a structured query over a cube."""
        self._reset()
        return self._start("/cube", {"cube": dict(query)})

    def executemany(self, operation: str, seq_of_parameters: Sequence[Parameters]) -> None:
        """Runs the statement for each, for what only it may do: the rows of none can be fetched."""
        for parameters in seq_of_parameters:
            self.execute(operation, parameters)
            for _ in self._rows():
                pass
        self._reset()

    def fetchone(self) -> tuple[Any, ...] | None:
        return next(self._rows(), None)

    def fetchmany(self, size: int | None = None) -> list[tuple[Any, ...]]:
        rows = self._rows()
        most = self.arraysize if size is None else size
        return [row for _, row in zip(range(most), rows)]

    def fetchall(self) -> list[tuple[Any, ...]]:
        return list(self._rows())

    def fetch_arrow_table(self) -> Any:
        """The remaining rows as a `pyarrow.Table`. `Connection.arrow` is faster for many rows."""
        from .arrow import table_of

        rows = self.fetchall()
        return table_of(self._columns(), rows)

    def fetch_pandas(self) -> Any:
        """The remaining rows as a `pandas.DataFrame`."""
        return self.fetch_arrow_table().to_pandas()

    def fetch_polars(self) -> Any:
        """The remaining rows as a `polars.DataFrame`."""
        import polars

        return polars.from_arrow(self.fetch_arrow_table())

    def cancel(self) -> None:
        """Stops the statement. Another thread may call it while this cursor's waits for rows."""
        reader = self._reader
        if reader is not None:
            reader.answer.cancel()

    def close(self) -> None:
        """Stops a statement whose rows were not fetched to the end."""
        if self._is_closed:
            return
        self._reset()
        self._is_closed = True

    def setinputsizes(self, sizes: Sequence[Any]) -> None:
        """Does nothing."""

    def setoutputsize(self, size: int, column: int | None = None) -> None:
        """Does nothing."""

    def callproc(self, procname: str, parameters: Sequence[Any] = ()) -> None:
        raise NotSupportedError("Projects have no stored procedures.", reason="UNSUPPORTED_STATEMENT")

    def nextset(self) -> None:
        """A statement has one set of rows."""
        return None

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        return self

    def __next__(self) -> tuple[Any, ...]:
        return next(self._rows())

    next = __next__

    def __enter__(self) -> Cursor:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _start(self, path: str, body: Mapping[str, Any]) -> Cursor:
        connection = self.connection
        answer = connection.transport.send(connection.transport.project + path, ROWS, *connection.request(body, rows=True))
        self._reader = RowReader(answer)
        self.description = []
        for name, code in self._reader.columns:
            precision, scale = size_of(code)
            self.description.append((name, code, None, None, precision, scale, None))
        self.rownumber = 0
        for record in connection.warnings_in(answer.header("x-warnings")):
            self.messages.append((Warning, Warning(record)))
        return self

    def _rows(self) -> Iterator[tuple[Any, ...]]:
        self._check_open()
        if self._reader is None:
            raise ProgrammingError("No statement was executed.", reason="NO_STATEMENT")
        return self._counted(self._reader)

    def _counted(self, reader: RowReader) -> Iterator[tuple[Any, ...]]:
        for row in reader:
            self.rownumber = (self.rownumber or 0) + 1
            yield row
        self.rowcount = self.rownumber or 0

    def _columns(self) -> Any:
        if self._reader is None:
            raise ProgrammingError("No statement was executed.", reason="NO_STATEMENT")
        return self._reader.columns

    def _reset(self) -> None:
        self._check_open()
        if self._reader is not None:
            self._reader.close()
        self._reader = None
        self.description = None
        self.rowcount = -1
        self.rownumber = None
        self.messages = []

    def _check_open(self) -> None:
        if self._is_closed:
            raise InterfaceError("The cursor is closed.", reason="CLOSED")
        self.connection.check_open()
