"""The exceptions of PEP 249, and how answers of a service become them."""

from __future__ import annotations

import json
from typing import Any, Mapping, Sequence


class Warning(Exception):  # noqa: A001 - PEP 249 names it so
    """A warning of the service. The client raises none; `cursor.messages` lists them."""


class Error(Exception):
    """Base of all errors of this module.

    `reason` is the service's, such as COLUMN_NOT_FOUND, or one of the client: NETWORK, TIMEOUT, BROKEN_OFF, REDIRECTED,
    UNEXPECTED_ANSWER, REQUEST_SHAPE, PARAMETER_INVALID, CANCELLED, CLOSED.
    """

    def __init__(
        self,
        message: str,
        *,
        reason: str = "UNKNOWN",
        status: int | None = None,
        code: str | None = None,
        position: Mapping[str, int] | None = None,
        suggestions: Sequence[str] = (),
        hint: str | None = None,
        request_id: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.reason = reason
        self.status = status
        self.code = code
        self.position = position
        self.suggestions = tuple(suggestions)
        self.hint = hint
        self.request_id = request_id

    def __str__(self) -> str:
        place = f" (line {self.position['line']}, column {self.position['column']})" if self.position else ""
        hint = f"\nHint: {self.hint}" if self.hint and self.hint not in self.message else ""
        return f"{self.message}{place} [{self.reason}]{hint}"

    def __reduce__(self) -> Any:
        return (_rebuilt, (type(self), self.message, dict(self.__dict__)))


def _rebuilt(kind: type[Error], message: str, state: dict[str, Any]) -> Error:
    error = kind(message)
    error.__dict__.update(state)
    return error


class InterfaceError(Error):
    """A wrong use of this module, such as a closed cursor."""


class DatabaseError(Error):
    """An error of the service or of its source."""


class DataError(DatabaseError):
    """A value that cannot be sent, read or computed."""


class OperationalError(DatabaseError):
    """The service or the source cannot be reached, is busy, or refuses the caller."""


class IntegrityError(DatabaseError):
    """Never raised: projects are read only."""


class InternalError(DatabaseError):
    """A fault of the service."""


class ProgrammingError(DatabaseError):
    """The statement is wrong: its syntax, its names or its parameters."""


class NotSupportedError(DatabaseError):
    """The language or the source has no such construct."""


_DATA = {"CONVERSION", "ROW_LIMIT_EXCEEDED", "BYTE_LIMIT_EXCEEDED", "SOURCE_ERROR"}
_NOT_SUPPORTED = {"UNSUPPORTED_STATEMENT", "UNSUPPORTED_ON_SOURCE"}
_PROGRAMMING = {"SOURCE_INVALID_SQL", "REQUEST_SHAPE", "PARAMETER_INVALID", "NOT_FOUND"}


def error_class(reason: str, code: str | None, status: int) -> type[DatabaseError]:
    if reason in _NOT_SUPPORTED:
        return NotSupportedError
    if reason in _PROGRAMMING or code == "INVALID_SQL":
        return ProgrammingError
    if reason == "INTERNAL":
        return InternalError
    if reason in _DATA:
        return DataError
    if status in (401, 403, 408, 429) or status >= 500 or code in ("GET_CONNECTION_ERROR", "INVALID_CONNECTION_INFO"):
        return OperationalError
    return DatabaseError


def error_in(text: str, status: int, request_id: str | None = None) -> DatabaseError | None:
    """The error that a body of the service describes; None for any other text."""
    try:
        body = json.loads(text)
    except ValueError:
        return None
    return error_of(body, status, request_id)


def error_of(body: Any, status: int, request_id: str | None) -> DatabaseError | None:
    if not isinstance(body, dict):
        return None
    message = body.get("message")
    if isinstance(message, str):
        found = body.get("metadata")
        metadata = found if isinstance(found, dict) else {}
        code = body.get("errorCode")
        reason = str(metadata.get("reason") or code or "UNKNOWN")
        return error_class(reason, code, status)(
            message,
            reason=reason,
            status=status,
            code=code,
            position=metadata.get("position"),
            suggestions=metadata.get("suggestions") or (),
            hint=metadata.get("hint"),
            request_id=body.get("correlationId") or request_id,
        )
    detail = body.get("detail")
    if detail is None:
        return None
    if isinstance(detail, list):
        detail = "; ".join(
            f"{'.'.join(map(str, each.get('loc', ())))}: {each.get('msg')}" for each in detail if isinstance(each, dict)
        )
    reason = "NOT_FOUND" if status == 404 else "REQUEST_SHAPE"
    return error_class(reason, None, status)(str(detail), reason=reason, status=status, request_id=request_id)
