"""HTTP over `http.client`: idle connections, proxies of the environment, retries, time-outs and cancelling."""

from __future__ import annotations

import base64
import http.client
import json
import socket
import ssl
import threading
import time
import weakref
from email.utils import parsedate_to_datetime
from typing import Any, Iterator, Mapping
from urllib.parse import quote, unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

from .errors import DatabaseError, InterfaceError, OperationalError, error_in

#: Seconds: a longer Retry-After is the caller's to wait for.
LONGEST_WAIT = 30
#: Bytes of an error page that are read.
LONGEST_ERROR = 1 << 20
#: Idle connections that are kept for the next request.
MOST_IDLE = 4
CHUNK = 1 << 16

JSON = "application/json"
ROWS = "application/x-ndjson"
ARROW = "application/vnd.apache.arrow.stream"

#: A connection that the server closed while it was idle fails in one of these ways before any byte of the answer.
_STALE = (http.client.RemoteDisconnected, http.client.CannotSendRequest, BrokenPipeError, ConnectionResetError)


class Transport:
    """Requests to one project. Threads may share it."""

    def __init__(
        self,
        url: str,
        project: str,
        *,
        token: str | None,
        key: str | None,
        timeout: float | None,
        retries: int,
        headers: Mapping[str, str],
        context: ssl.SSLContext | None,
    ) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc:
            raise InterfaceError(
                "The URL must begin with http:// or https:// and hold no credentials. Use token or key.",
                reason="URL_INVALID",
            )
        self._scheme = parts.scheme
        self._host = parts.hostname
        self._port = parts.port or (443 if parts.scheme == "https" else 80)
        self._base = f"{parts.path.rstrip('/')}/v3/projects"
        self.project = f"/{quote(project, safe='')}"
        self._timeout = timeout
        self._retries = retries
        self._context = context
        self._proxy = _proxy_for(parts.scheme, self._host, self._port)
        self._headers = {**headers, "User-Agent": "siskin-sql/0.1.0"}
        if token is not None:
            self._headers["Authorization"] = f"Bearer {token}"
        if key is not None:
            self._headers["X-API-Key"] = key
        for name, value in self._headers.items():
            if "\r" in value or "\n" in value:
                raise InterfaceError(f"The header {name} has a line break.", reason="HEADER_INVALID")
        self._idle: list[http.client.HTTPConnection] = []
        #: Answers that are not read to their end: closing the connection stops their statements.
        self._running: weakref.WeakSet[Answer] = weakref.WeakSet()
        self._lock = threading.Lock()

    def send(
        self,
        path: str,
        accept: str,
        body: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> "Answer":
        """The answer of status 200. Raises an error for every other one."""
        for attempt in range(self._retries + 1):
            answer = self._attempt(path, accept, body, headers or {})
            status = answer.status
            if status == 200 and answer.content_type.startswith(accept):
                return answer
            if 300 <= status < 400:
                answer.close()
                # The next address would get the credentials, or the request as a GET.
                location = answer.header("location")
                raise OperationalError(
                    "The server answered with a redirect, which is not followed.",
                    reason="REDIRECTED",
                    status=status,
                    hint=f"Use the service's own address{f': {location}' if location else ''}.",
                    request_id=answer.request_id,
                )
            wait = _seconds_until(answer.header("retry-after"))
            if status in (429, 503) and wait is not None and wait <= LONGEST_WAIT and attempt < self._retries:
                answer.read(LONGEST_ERROR)
                time.sleep(wait)
                continue
            failure = None
            if status != 200:
                failure = error_in(answer.read(LONGEST_ERROR).decode("utf-8", "replace"), status, answer.request_id)
            answer.close()
            raise failure or unexpected(status, answer.content_type or "no content type", answer.request_id)
        raise AssertionError("unreachable")

    def json(self, path: str, body: Mapping[str, Any] | None = None, headers: Mapping[str, str] | None = None) -> Any:
        answer = self.send(path, JSON, body, headers)
        text = answer.read()
        try:
            return json.loads(text)
        except ValueError:
            raise unexpected(200, "text that is no JSON", answer.request_id) from None

    def close(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
            running = list(self._running)
        for answer in running:
            answer.close()
        for connection in idle:
            connection.close()

    def _attempt(
        self, path: str, accept: str, body: Mapping[str, Any] | None, headers: Mapping[str, str]
    ) -> "Answer":
        sent = {**self._headers, **headers, "Accept": accept}
        data = None
        if body is not None:
            data = json.dumps(body, allow_nan=False).encode()
            sent["Content-Type"] = JSON
        target = self._base + path
        if self._proxy and self._scheme == "http":
            target = f"http://{_bracketed(self._host)}:{self._port}{target}"
            sent.update(_proxy_credentials(self._proxy))
        with self._lock:
            connection = self._idle.pop() if self._idle else None
        is_reused = connection is not None
        while True:
            try:
                if connection is None:
                    connection = self._open()
                connection.request("GET" if data is None else "POST", target, data, sent)
                answer = Answer(self, connection, connection.getresponse())
                with self._lock:
                    self._running.add(answer)
                return answer
            except Exception as error:
                if connection is not None:
                    connection.close()
                if is_reused and isinstance(error, _STALE):
                    connection, is_reused = None, False
                    continue
                if isinstance(error, TimeoutError):
                    raise timed_out(self._timeout) from error
                if isinstance(error, (OSError, http.client.HTTPException)):
                    message = f"The server cannot be reached: {error}."
                    raise OperationalError(message, reason="NETWORK") from error
                raise

    def _open(self) -> http.client.HTTPConnection:
        host, port = self._host, self._port
        if self._proxy:
            host, port = self._proxy.hostname or "", self._proxy.port or 80
        if self._scheme == "https":
            context = self._context or ssl.create_default_context()
            secure = http.client.HTTPSConnection(host, port, timeout=self._timeout, context=context)
            if self._proxy:
                secure.set_tunnel(self._host, self._port, _proxy_credentials(self._proxy))
            return secure
        return http.client.HTTPConnection(host, port, timeout=self._timeout)

    def keep(self, connection: http.client.HTTPConnection) -> None:
        with self._lock:
            if len(self._idle) < MOST_IDLE:
                self._idle.append(connection)
                return
        connection.close()


class Answer:
    """A response whose body is read as it arrives."""

    def __init__(
        self, transport: Transport, connection: http.client.HTTPConnection, response: http.client.HTTPResponse
    ) -> None:
        self._transport = transport
        self._connection = connection
        self._response = response
        self._socket = connection.sock
        self._is_over = False
        self._is_cancelled = False
        self.status = response.status
        self.content_type = response.headers.get("content-type") or ""
        self.request_id = response.headers.get("x-correlation-id")

    def header(self, name: str) -> str | None:
        return self._response.headers.get(name)

    def chunks(self) -> Iterator[bytes]:
        """Raises OperationalError BROKEN_OFF for a body that ends early."""
        while not self._is_over:
            try:
                chunk = self._response.read1(CHUNK)
                expected = self._response.length
                if not chunk and expected:
                    raise http.client.IncompleteRead(b"", expected)
            except (OSError, http.client.HTTPException, ValueError, AttributeError) as error:
                self.close()
                if self._is_cancelled:
                    raise cancelled(self.request_id) from error
                if isinstance(error, TimeoutError):
                    raise timed_out(self._transport._timeout, self.request_id) from error
                raise broken_off(self.request_id) from error
            if not chunk:
                if self._is_cancelled:
                    self.close()
                    raise cancelled(self.request_id)
                self._is_over = True
                self._finish()
                return
            yield chunk

    def read(self, most: int | None = None) -> bytes:
        parts = []
        length = 0
        for chunk in self.chunks():
            parts.append(chunk)
            length += len(chunk)
            if most is not None and length > most:
                self.close()
                break
        return b"".join(parts)

    def _finish(self) -> None:
        with self._transport._lock:
            self._transport._running.discard(self)
        # Reading nothing more marks the response as closed, which lets the connection send another request.
        self._response.read()
        if self._response.will_close or self._connection.sock is None:
            self._connection.close()
        else:
            self._transport.keep(self._connection)

    def cancel(self) -> None:
        """Ends a read that another thread waits in. The service stops the statement."""
        self._is_cancelled = True
        try:
            if self._socket is not None:
                self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    def close(self) -> None:
        """Closes the connection if the body was not read to its end: the service then stops the statement."""
        if self._is_over:
            return
        self._is_over = True
        # A reset reaches the service at once; a regular end would wait for the rest of the body.
        self._response.close()
        self._connection.close()


def _proxy_for(scheme: str, host: str, port: int) -> Any:
    url = getproxies().get(scheme) or getproxies().get("all")
    if not url or proxy_bypass(f"{host}:{port}") or proxy_bypass(host):
        return None
    proxy = urlsplit(url if "://" in url else f"http://{url}")
    if proxy.scheme != "http":
        raise InterfaceError(f"Proxies of the scheme {proxy.scheme} are not supported.", reason="PROXY_UNSUPPORTED")
    return proxy


def _proxy_credentials(proxy: Any) -> dict[str, str]:
    if proxy.username is None:
        return {}
    pair = f"{unquote(proxy.username)}:{unquote(proxy.password or '')}"
    return {"Proxy-Authorization": f"Basic {base64.b64encode(pair.encode()).decode()}"}


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _seconds_until(header: str | None) -> float | None:
    """Retry-After in seconds or as a date."""
    if header is None:
        return None
    if header.strip().isdigit():
        return float(header)
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
    except (TypeError, ValueError):
        return None


def unexpected(status: int, kind: str, request_id: str | None) -> DatabaseError:
    return OperationalError(
        f"The server answered {status} with {kind}.",
        reason="UNEXPECTED_ANSWER",
        status=status,
        hint="Check that the URL is that of a Siskin service, and not of a proxy in front of it.",
        request_id=request_id,
    )


def broken_off(request_id: str | None) -> OperationalError:
    return OperationalError(
        "The answer broke off before its end.",
        reason="BROKEN_OFF",
        status=200,
        hint="Rows are missing. Run the statement again.",
        request_id=request_id,
    )


def cancelled(request_id: str | None) -> OperationalError:
    return OperationalError("The statement was cancelled.", reason="CANCELLED", request_id=request_id)


def timed_out(seconds: float | None, request_id: str | None = None) -> OperationalError:
    return OperationalError(f"The server sent nothing for {seconds:g} s.", reason="TIMEOUT", request_id=request_id)
