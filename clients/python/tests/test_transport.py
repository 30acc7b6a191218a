"""Requests, errors, retries and ends over a fake server."""

from __future__ import annotations

import json
import os
import pickle
import threading
import unittest
from typing import Any
from unittest import mock

import siskin_sql
from fake_server import NDJSON, FakeServer, Reply, answer, head, lines, raw

HEAD = {"columns": ["a"], "dtypes": {"a": "int32"}}
END = {"end": {"rows": 1}}
WHOLE = lines(HEAD, [1], END)
JSON = {"content-type": "application/json"}
CHUNKED = head(200, {**NDJSON, "transfer-encoding": "chunked"})


def chunk(text: str) -> bytes:
    return f"{len(text):x}\r\n{text}\r\n".encode()


FIRST_ROW = CHUNKED + chunk(f"{json.dumps(HEAD)}\n[1]\n")


class Case(unittest.TestCase):
    def server(self, *replies: Reply) -> FakeServer:
        server = FakeServer(*replies)
        self.addCleanup(server.__exit__)
        return server

    def connect(self, server: FakeServer, **options: Any) -> siskin_sql.Connection:
        connection = siskin_sql.connect(server.url, project="shop", **options)
        self.addCleanup(connection.close)
        return connection

    def failure(self, connection: siskin_sql.Connection, sql: str = "SELECT 1") -> siskin_sql.Error:
        with self.assertRaises(siskin_sql.Error) as caught:
            connection.execute(sql).fetchall()
        return caught.exception


class Requests(Case):
    def test_a_statement_goes_to_the_project_with_its_settings(self) -> None:
        server = self.server(WHOLE)
        settings: Any = {"token": "secret", "time_zone": "Europe/Paris", "view_as": {"tenant": "acme"}, "limit": 5}
        cursor = self.connect(server, headers={"x-team": "a"}, **settings).execute("SELECT %s AS a", (1,))
        self.assertEqual(cursor.fetchall(), [(1,)])
        [seen] = server.seen
        self.assertEqual([seen.method, seen.target], ["POST", "/v3/projects/shop/query"])
        wanted = {"authorization": "Bearer secret", "accept": "application/x-ndjson", "x-team": "a"}
        self.assertLessEqual({**wanted, "x-wren-timezone": "Europe/Paris"}.items(), seen.headers.items())
        self.assertEqual(
            seen.body, {"sql": "SELECT $1 AS a", "parameters": [1], "viewAs": {"tenant": "acme"}, "limit": 5}
        )

    def test_a_key_has_a_header_of_its_own(self) -> None:
        server = self.server(WHOLE)
        self.connect(server, key="k").execute("SELECT 1").fetchall()
        self.assertEqual(server.seen[0].headers["x-api-key"], "k")
        self.assertNotIn("authorization", server.seen[0].headers)

    def test_urls_that_are_refused(self) -> None:
        for url in ("shop", "ftp://siskin.test", "https://ann:secret@siskin.test", "https://"):
            with self.subTest(url), self.assertRaises(siskin_sql.InterfaceError):
                siskin_sql.connect(url, project="shop")
        with self.assertRaises(siskin_sql.InterfaceError):
            siskin_sql.connect("https://siskin.test", project="shop", token="a\r\nX-Other: b")

    def test_a_connection_is_used_again(self) -> None:
        server = self.server(WHOLE)
        connection = self.connect(server)
        for _ in range(3):
            connection.execute("SELECT 1").fetchall()
        self.assertEqual(server.opened, 1)

    def test_a_connection_that_was_closed_while_it_was_idle_is_opened_again(self) -> None:
        data = "".join(f"{json.dumps(each)}\n" for each in (HEAD, [1], END)).encode()
        closing = raw(head(200, {**NDJSON, "content-length": str(len(data))}) + data, close=True)
        server = self.server(closing, WHOLE)
        connection = self.connect(server)
        for _ in range(2):
            self.assertEqual(connection.execute("SELECT 1").fetchall(), [(1,)])
        self.assertEqual(server.opened, 2)

    def test_threads_share_a_connection(self) -> None:
        server = self.server(WHOLE)
        connection = self.connect(server)
        rows: list[Any] = []
        threads = [threading.Thread(target=lambda: rows.extend(connection.execute("SELECT 1").fetchall())) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(rows, [(1,)] * 8)


class Proxies(Case):
    def test_http_goes_through_the_proxy_of_the_environment(self) -> None:
        proxy = self.server(WHOLE)
        settings = {"http_proxy": f"http://ann:p%40ss@127.0.0.1:{proxy.port}", "no_proxy": ""}
        with mock.patch.dict(os.environ, settings):
            connection = siskin_sql.connect("http://siskin.test:8787", project="shop", token="t")
        self.addCleanup(connection.close)
        self.assertEqual(connection.execute("SELECT 1").fetchall(), [(1,)])
        self.assertEqual(proxy.seen[0].target, "http://siskin.test:8787/v3/projects/shop/query")
        self.assertEqual(proxy.seen[0].headers["proxy-authorization"], "Basic YW5uOnBAc3M=")

    def test_https_opens_a_tunnel_which_sees_no_credential(self) -> None:
        proxy = self.server(answer(403, {}, "no"))
        with mock.patch.dict(os.environ, {"https_proxy": f"http://127.0.0.1:{proxy.port}", "no_proxy": ""}):
            connection = siskin_sql.connect("https://siskin.test", project="shop", token="secret")
        self.assertEqual(self.failure(connection).reason, "NETWORK")
        self.assertEqual([proxy.seen[0].method, proxy.seen[0].target], ["CONNECT", "siskin.test:443"])
        self.assertNotIn("authorization", proxy.seen[0].headers)

    def test_no_proxy(self) -> None:
        server = self.server(WHOLE)
        with mock.patch.dict(os.environ, {"http_proxy": "http://127.0.0.1:9", "no_proxy": "127.0.0.1"}):
            connection = self.connect(server)
        self.assertEqual(connection.execute("SELECT 1").fetchall(), [(1,)])

    def test_a_proxy_of_another_kind_is_refused(self) -> None:
        with mock.patch.dict(os.environ, {"http_proxy": "socks5://127.0.0.1:9", "no_proxy": ""}):
            with self.assertRaises(siskin_sql.InterfaceError):
                siskin_sql.connect("http://siskin.test", project="shop")


class Errors(Case):
    def test_they_carry_what_the_service_says(self) -> None:
        metadata = {
            "reason": "COLUMN_NOT_FOUND",
            "position": {"line": 1, "column": 8, "offset": 8, "length": 3},
            "suggestions": ["total"],
            "hint": "Columns: total.",
        }
        body = {"errorCode": "INVALID_SQL", "message": "column not found", "metadata": metadata, "correlationId": "r"}
        error = self.failure(self.connect(self.server(answer(422, JSON, body))))
        self.assertIsInstance(error, siskin_sql.ProgrammingError)
        self.assertEqual((error.reason, error.position, error.hint), (metadata["reason"], metadata["position"], metadata["hint"]))
        self.assertEqual((error.suggestions, error.status, error.code, error.request_id), (("total",), 422, "INVALID_SQL", "r"))
        self.assertEqual(str(error), "column not found (line 1, column 8) [COLUMN_NOT_FOUND]\nHint: Columns: total.")
        copied = pickle.loads(pickle.dumps(error))
        self.assertEqual((type(copied), str(copied)), (type(error), str(error)))

    def test_kinds(self) -> None:
        def fails(status: int, reason: str, code: str = "GENERIC_USER_ERROR") -> Reply:
            return answer(status, JSON, {"errorCode": code, "message": "m", "metadata": {"reason": reason}})

        html = {"content-type": "text/html"}
        early = raw(head(200, {**NDJSON, "content-length": "1000"}), b'{"columns"', close=True)
        detail = {"detail": [{"loc": ["body", "sql"], "msg": "Field required"}]}
        cases: list[tuple[str, Reply, type, str]] = [
            ("syntax", fails(422, "SYNTAX", "INVALID_SQL"), siskin_sql.ProgrammingError, "SYNTAX"),
            ("not supported", fails(422, "UNSUPPORTED_ON_SOURCE", "INVALID_SQL"), siskin_sql.NotSupportedError, "UNSUPPORTED_ON_SOURCE"),
            ("a value", fails(422, "SOURCE_ERROR"), siskin_sql.DataError, "SOURCE_ERROR"),
            ("credentials", fails(401, "CREDENTIALS_MISSING"), siskin_sql.OperationalError, "CREDENTIALS_MISSING"),
            ("time-out", fails(504, "STATEMENT_TIMEOUT"), siskin_sql.OperationalError, "STATEMENT_TIMEOUT"),
            ("a fault", fails(500, "INTERNAL"), siskin_sql.InternalError, "INTERNAL"),
            ("shape", answer(422, JSON, detail), siskin_sql.ProgrammingError, "REQUEST_SHAPE"),
            ("route", answer(404, JSON, {"detail": "Not Found"}), siskin_sql.ProgrammingError, "NOT_FOUND"),
            ("a proxy's page", answer(502, html, "<html>Bad Gateway"), siskin_sql.OperationalError, "UNEXPECTED_ANSWER"),
            ("a page of 200", answer(200, html, "<html>Sign in"), siskin_sql.OperationalError, "UNEXPECTED_ANSWER"),
            ("JSON of another kind", answer(500, JSON, "[1]"), siskin_sql.OperationalError, "UNEXPECTED_ANSWER"),
            ("another version", lines({"version": 9}), siskin_sql.OperationalError, "UNEXPECTED_ANSWER"),
            ("a row of another width", lines(HEAD, [1, 2], END), siskin_sql.OperationalError, "UNEXPECTED_ANSWER"),
            ("an unknown line", lines(HEAD, {"news": 1}, END), siskin_sql.OperationalError, "UNEXPECTED_ANSWER"),
            ("rows behind the end", lines(HEAD, END, [1]), siskin_sql.OperationalError, "UNEXPECTED_ANSWER"),
            ("no last line", lines(HEAD, [1]), siskin_sql.OperationalError, "BROKEN_OFF"),
            ("an end within a row", answer(200, NDJSON, f"{json.dumps(HEAD)}\n[1"), siskin_sql.OperationalError, "BROKEN_OFF"),
            ("nothing", answer(200, NDJSON, ""), siskin_sql.OperationalError, "BROKEN_OFF"),
            ("fewer bytes than promised", early, siskin_sql.OperationalError, "BROKEN_OFF"),
            ("no last chunk", raw(FIRST_ROW, close=True), siskin_sql.OperationalError, "BROKEN_OFF"),
            ("no answer", raw(close=True), siskin_sql.OperationalError, "NETWORK"),
            ("no HTTP", raw(b"SSH-2.0\r\n\r\n", close=True), siskin_sql.OperationalError, "NETWORK"),
            (
                "a failure behind the first row",
                lines(HEAD, [1], {"error": {"message": "gone", "metadata": {"reason": "SOURCE_ERROR"}}}),
                siskin_sql.DataError,
                "SOURCE_ERROR",
            ),
        ]
        for name, reply, kind, reason in cases:
            with self.subTest(name):
                error = self.failure(self.connect(self.server(reply)))
                self.assertEqual((type(error), error.reason), (kind, reason))

    def test_rows_before_a_break_were_fetched(self) -> None:
        cursor = self.connect(self.server(lines(HEAD, [1], [2]))).execute("SELECT 1")
        self.assertEqual([cursor.fetchone(), cursor.fetchone()], [(1,), (2,)])
        with self.assertRaises(siskin_sql.OperationalError):
            cursor.fetchone()

    def test_an_error_page_without_an_end_is_not_read_to_its_end(self) -> None:
        def endless(client: Any, _: Any) -> None:
            client.sendall(head(500, {"content-type": "text/html"}))
            while True:
                client.sendall(b"x" * 65536)

        server = self.server(endless)
        self.assertEqual(self.failure(self.connect(server)).reason, "UNEXPECTED_ANSWER")
        self.assertTrue(server.left.wait(30))

    def test_nobody_listens(self) -> None:
        connection = siskin_sql.connect("http://127.0.0.1:9", project="shop")
        self.assertEqual(self.failure(connection).reason, "NETWORK")

    def test_a_redirect_is_not_followed_and_its_address_gets_no_request(self) -> None:
        other = self.server(WHOLE)
        for status in (301, 302, 303, 307, 308):
            server = self.server(answer(status, {"location": f"{other.url}/x"}))
            error = self.failure(self.connect(server, token="secret"))
            self.assertEqual((error.reason, error.status), ("REDIRECTED", status))
        self.assertEqual(other.seen, [])


class Retries(Case):
    def busy(self, status: int, retry_after: str | None) -> Reply:
        return answer(status, {**JSON, **({"retry-after": retry_after} if retry_after else {})}, {"message": "busy"})

    def test_busy_with_retry_after_is_sent_again(self) -> None:
        for status, after in ((429, "0"), (503, "0"), (429, "Thu, 01 Jan 1970 00:00:00 GMT")):
            server = self.server(self.busy(status, after), WHOLE)
            self.assertEqual(self.connect(server).execute("SELECT 1").fetchall(), [(1,)])
            self.assertEqual(len(server.seen), 2)

    def test_others_are_not(self) -> None:
        for status, after in ((503, None), (429, "3600"), (429, "soon"), (500, "0")):
            server = self.server(self.busy(status, after))
            self.assertEqual(self.failure(self.connect(server)).status, status)
            self.assertEqual(len(server.seen), 1)

    def test_they_are_bounded(self) -> None:
        server = self.server(self.busy(429, "0"))
        self.failure(self.connect(server, retries=3))
        self.assertEqual(len(server.seen), 4)


class Ends(Case):
    def test_closing_a_cursor_closes_the_connection_of_a_statement_that_runs(self) -> None:
        server = self.server(raw(FIRST_ROW))
        cursor = self.connect(server).execute("SELECT 1")
        self.assertEqual(cursor.fetchone(), (1,))
        cursor.close()
        self.assertTrue(server.left.wait(30))

    def test_another_statement_ends_the_one_before(self) -> None:
        server = self.server(raw(FIRST_ROW), WHOLE)
        cursor = self.connect(server).execute("SELECT 1")
        self.assertEqual(cursor.execute("SELECT 2").fetchall(), [(1,)])
        self.assertTrue(server.left.wait(30))

    def test_another_thread_cancels(self) -> None:
        server = self.server(raw(FIRST_ROW))
        cursor = self.connect(server).execute("SELECT 1")
        cursor.fetchone()
        waiting = threading.Thread(target=cursor.cancel)
        waiting.start()
        with self.assertRaises(siskin_sql.OperationalError) as caught:
            cursor.fetchall()
        waiting.join()
        self.assertEqual(caught.exception.reason, "CANCELLED")
        self.assertTrue(server.left.wait(30))

    def test_a_server_that_hangs_is_left_before_and_within_the_rows(self) -> None:
        for reply in (raw(), raw(FIRST_ROW)):
            server = self.server(reply)
            self.assertEqual(self.failure(self.connect(server, timeout=0.05)).reason, "TIMEOUT")
            self.assertTrue(server.left.wait(30))

    def test_a_row_of_40_mb_that_arrives_in_pieces(self) -> None:
        first = CHUNKED + chunk(f'{json.dumps({"columns": ["a"], "dtypes": {"a": "string"}})}\n["')
        last = chunk(f'"]\n{json.dumps(END)}\n') + b"0\r\n\r\n"
        server = self.server(raw(first, *[chunk("x" * 65536)] * 640, last))
        [(text,)] = self.connect(server).execute("SELECT 1").fetchall()
        self.assertEqual(len(text), 640 * 65536)


if __name__ == "__main__":
    unittest.main()
