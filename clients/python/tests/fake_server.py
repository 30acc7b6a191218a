"""A server that answers as a test says, byte by byte: for what a real service does rarely or never."""

from __future__ import annotations

import json
import socket
import threading
from typing import Any, Callable

Reply = Callable[[socket.socket, "Request"], None]


class Request:
    def __init__(self, head: bytes, body: bytes) -> None:
        first, *rest = head.decode("latin-1").split("\r\n")
        self.method, self.target, _ = first.split(" ", 2)
        self.headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in rest) if name}
        self.body = json.loads(body) if body else None


class FakeServer:
    """Each request gets the next reply; the last one is for all further requests."""

    def __init__(self, *replies: Reply) -> None:
        self.seen: list[Request] = []
        #: Connections that clients opened.
        self.opened = 0
        #: Set when a client closes a connection.
        self.left = threading.Event()
        self._replies = replies
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port = self._server.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._sockets: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self) -> FakeServer:
        return self

    def __exit__(self, *exception: object) -> None:
        self._server.close()
        for each in self._sockets:
            each.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._server.accept()
            except OSError:
                return
            self.opened += 1
            self._sockets.append(client)
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        try:
            while (request := _read(client)) is not None:
                self.seen.append(request)
                self._replies[min(len(self.seen), len(self._replies)) - 1](client, request)
        except OSError:
            pass
        self.left.set()


def _read(client: socket.socket) -> Request | None:
    data = b""
    while b"\r\n\r\n" not in data:
        more = client.recv(65536)
        if not more:
            return None
        data += more
    head, _, body = data.partition(b"\r\n\r\n")
    length = 0
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            length = int(line.split(b":")[1])
    while len(body) < length:
        body += client.recv(65536)
    return Request(head, body)


def head(status: int, headers: dict[str, str]) -> bytes:
    return "".join([f"HTTP/1.1 {status} X\r\n", *(f"{k}: {v}\r\n" for k, v in headers.items()), "\r\n"]).encode("latin-1")


def answer(status: int, headers: dict[str, str], body: Any = "") -> Reply:
    data = (body if isinstance(body, str) else json.dumps(body)).encode()
    return lambda client, _: client.sendall(head(status, {**headers, "content-length": str(len(data))}) + data)


NDJSON = {"content-type": "application/x-ndjson", "x-correlation-id": "request-1"}


def lines(*values: Any) -> Reply:
    """A whole body with these lines."""
    return answer(200, NDJSON, "".join(f"{each if isinstance(each, str) else json.dumps(each)}\n" for each in values))


def raw(*parts: bytes, close: bool = False) -> Reply:
    def reply(client: socket.socket, _: Request) -> None:
        for part in parts:
            client.sendall(part)
        if close:
            client.shutdown(socket.SHUT_RDWR)

    return reply
