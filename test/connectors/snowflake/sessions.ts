/**
 * A FAKE of Snowflake's protocol of sessions, and no engine. What it knows of statements is `rest.ts`; logins, answers that are not
 * there yet, chunks in a storage and their form are those that the maker's open drivers expect (snowflake-connector-python).
 */
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { gzipSync } from "node:zlib";
import { listenOnLoopback } from "../../support/tcp.ts";
import { type Answer, answerTo, SNOWFLAKE } from "./rest.ts";

/** Where chunks lie. */
export const STORAGE = "https://sfc-eu-ds1-customer-stage.s3.eu-west-1.amazonaws.com";
export const PASSWORD = "correct horse";

interface Running {
  readonly sql: string;
  readonly answer: Answer;
  isCancelled: boolean;
}

export interface FakeSessions {
  readonly url: string;
  readonly fetch: typeof fetch;
  /** `METHOD path` of each request, newest last, without what tells one statement from another. */
  readonly asked: readonly string[];
  /** Bodies of logins and of statements, newest last. */
  readonly logins: readonly Readonly<Record<string, unknown>>[];
  readonly questions: readonly Readonly<Record<string, unknown>>[];
  /** Sessions that are open. */
  readonly open: ReadonlySet<string>;
  /** Tokens that were given out do no longer. */
  expire(): void;
  running(marker: string): number;
  close(): Promise<void>;
}

const failed = (code: string, message: string, sqlState?: string) => ({
  success: false,
  code,
  message,
  data: { sqlState },
});
const chunkRows = (total: number) => (total > 1_000_000 ? 100_000 : 1000);

/** `hasStorage`: chunks lie at the fake's own address, for clients whose requests cannot be sent elsewhere. */
export async function startFakeSessions({ hasStorage = false } = {}): Promise<FakeSessions> {
  const asked: string[] = [];
  const logins: Readonly<Record<string, unknown>>[] = [];
  const questions: Readonly<Record<string, unknown>>[] = [];
  const open = new Set<string>();
  const expired = new Set<string>();
  const statements = new Map<string, Running>();

  const inChunk = (answer: Answer, total: number, chunk: number): readonly (readonly (string | null)[])[] => {
    const size = chunkRows(total);
    const length = Math.max(0, Math.min(size, total - chunk * size));
    return Array.from({ length }, (_, index) => answer.row?.(chunk * size + index) ?? []);
  };

  function resultOf(id: string, { answer, isCancelled }: Running): object {
    if (isCancelled) return failed("000604", "SQL execution canceled", "57014");
    if (answer.isStuck === true) {
      return {
        success: false,
        code: "333334",
        message: "Query in progress",
        data: { queryId: id, getResultUrl: `/queries/${id}/result` },
      };
    }
    if (answer.error !== undefined) return failed(answer.error.code, answer.error.message, answer.error.sqlState);
    const { total = 0, columns = [] } = answer;
    const size = chunkRows(total);
    const chunks = Array.from({ length: Math.max(0, Math.ceil(total / size) - 1) }, (_, index) => ({
      url: `${hasStorage ? `${url}/stored` : STORAGE}/${id}/${index + 1}`,
      rowCount: Math.min(size, total - (index + 1) * size),
      compressedSize: 1,
      uncompressedSize: 1,
    }));
    return {
      success: true,
      data: {
        rowtype: columns.map((column) => ({
          ...column,
          type: (column as { readonly type: string }).type.toLowerCase(),
        })),
        rowset: inChunk(answer, total, 0),
        total,
        returned: total,
        queryId: id,
        version: 1,
        queryResultFormat: "json",
        ...(chunks.length > 0 && { chunks, qrmk: "a2V5" }),
      },
    };
  }

  function sessionOf(request: IncomingMessage): string | object {
    const [, token = ""] = /^Snowflake Token="(.*)"$/.exec(request.headers.authorization ?? "") ?? [];
    if (expired.has(token))
      return failed("390112", "Authentication token has expired.  The user must authenticate again.");
    return open.has(token) ? token : failed("390104", "User must login again to access the service.");
  }

  function newSession(): { readonly token: string; readonly masterToken: string } {
    const token = `ver:1-hint:${randomUUID()}`;
    open.add(token);
    return { token, masterToken: `master:${token}` };
  }

  function answerOf(request: IncomingMessage, url: URL, body: Readonly<Record<string, unknown>>): object {
    const { pathname, searchParams } = url;
    if (pathname === "/session/v1/login-request") {
      const data = body["data"] as Readonly<Record<string, unknown>>;
      logins.push(data);
      if (data["LOGIN_NAME"] === "mfa")
        return { success: true, data: { nextAction: "EXT_AUTHN_DUO_ALL", inFlightCtx: "x" } };
      if (data["PASSWORD"] !== PASSWORD) return failed("390100", "Incorrect username or password was specified.");
      return { success: true, data: newSession() };
    }
    if (pathname === "/session/token-request") {
      const old = String(body["oldSessionToken"]);
      if (!expired.has(old) || request.headers.authorization !== `Snowflake Token="master:${old}"`) {
        return failed("390113", "Master token is not there.");
      }
      const { token, masterToken } = newSession();
      return { success: true, data: { sessionToken: token, masterToken } };
    }
    const session = sessionOf(request);
    if (typeof session !== "string") return session;
    if (pathname === "/session") {
      open.delete(session);
      return { success: true, data: null };
    }
    if (pathname === "/queries/v1/query-request") {
      const id = searchParams.get("requestId") ?? "";
      questions.push(body);
      const sql = String(body["sqlText"]);
      const statement = statements.get(id) ?? { sql, answer: answerTo(sql), isCancelled: false };
      statements.set(id, statement);
      return resultOf(id, statement);
    }
    const [, id = ""] = /^\/queries\/([\w-]+)\/result$/.exec(pathname) ?? [
      String(body["requestId"]),
      String(body["requestId"]),
    ];
    const statement = statements.get(id);
    if (statement === undefined) return failed("000605", "Identified SQL statement is not currently executing.");
    if (pathname === "/queries/v1/abort-request") {
      statement.isCancelled = true;
      return { success: true, data: null };
    }
    return resultOf(id, statement);
  }

  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const url = new URL(request.url ?? "", SNOWFLAKE);
    const stored = /^\/stored\/([\w-]+)\/(\d+)$/.exec(url.pathname);
    asked.push(`${request.method} ${url.pathname.replace(/[\da-f]{8}-[\da-f-]{27}/, "id")}`);
    if (stored !== null) {
      const statement = statements.get(stored[1] ?? "");
      const isAllowed =
        request.headers.authorization === undefined &&
        request.headers["x-amz-server-side-encryption-customer-key"] === "a2V5";
      if (statement === undefined || !isAllowed) return response.writeHead(403).end();
      const rows = JSON.stringify(inChunk(statement.answer, statement.answer.total ?? 0, Number(stored[2])));
      // Storages report gzip by a header or not at all; the maker's client needs the header.
      const headers = hasStorage ? { "content-encoding": "gzip" } : {};
      return response.writeHead(200, headers).end(gzipSync(rows.slice(1, -1)));
    }
    const json = answerOf(request, url, text === "" ? {} : JSON.parse(text));
    return response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(json));
  });
  const { url, close } = await listenOnLoopback(server);
  return {
    url,
    asked,
    logins,
    questions,
    open,
    fetch: ((input, init) => {
      const address = String(input);
      const [from, to] = address.startsWith(`${STORAGE}/`) ? [STORAGE, `${url}/stored`] : [SNOWFLAKE, url];
      if (!address.startsWith(`${from}/`)) throw new Error(`Asked ${address}`);
      return fetch(address.replace(from, to), init);
    }) as typeof fetch,
    expire: () => {
      for (const token of open) expired.add(token);
      open.clear();
    },
    running: (marker) =>
      [...statements.values()].filter(
        ({ sql, answer, isCancelled }) => answer.isStuck === true && !isCancelled && sql.includes(marker),
      ).length,
    close,
  };
}
