/**
 * A FAKE Trino coordinator: its client protocol over HTTP, and no engine. `rows COUNT` in a comment of the statement is how
 * many rows it has, of one bigint column, a thousand a page; without it the statement runs and brings nothing.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface FakeTrino {
  readonly port: number;
  /** `METHOD path`, of what came, newest last. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

const PAGE_ROWS = 1000;
/** A real one holds an answer back for as long as there is nothing, up to a second. */
const HELD_MS = 20;
/** Beyond what a binary64 holds. */
const FIRST_VALUE = 9007199254740993n;

export async function startFakeTrino(): Promise<FakeTrino> {
  const asked: string[] = [];
  const statements: (number | undefined)[] = [];
  const server = createServer(async (request, response) => {
    const { method = "", url = "", headers } = request;
    const { pathname } = new URL(url, "http://trino");
    asked.push(`${method} ${pathname}`);
    let sql = "";
    for await (const chunk of request) sql += chunk;
    const answer = (json: string) => response.setHeader("content-type", "application/json").end(json);
    const at = (id: number, page: number) => `http://${headers.host}/v1/statement/executing/${id}/slug/${page}`;
    if (method === "DELETE") {
      response.statusCode = 204;
      return response.end();
    }
    if (method === "POST") {
      const [, count] = /rows (\d+)/.exec(sql) ?? [];
      const id = statements.push(count === undefined ? undefined : Number(count)) - 1;
      return answer(JSON.stringify({ id, nextUri: at(id, 0), stats: { state: "QUEUED" } }));
    }
    const [, id = "", page = ""] = /executing\/(\d+)\/slug\/(\d+)$/.exec(pathname) ?? [];
    const count = statements[Number(id)];
    if (count === undefined) {
      await new Promise((resolve) => setTimeout(resolve, HELD_MS));
      return answer(JSON.stringify({ nextUri: at(Number(id), Number(page)), stats: { state: "RUNNING" } }));
    }
    const from = Number(page) * PAGE_ROWS;
    const to = Math.min(count, from + PAGE_ROWS);
    const rows = Array.from({ length: to - from }, (_, i) => `[${FIRST_VALUE + BigInt(from + i)}]`);
    const columns = `[{"name":"n","type":"bigint","typeSignature":{"rawType":"bigint","arguments":[]}}]`;
    const next = to < count ? `,"nextUri":"${at(Number(id), Number(page) + 1)}"` : "";
    return answer(`{"columns":${columns},"data":[${rows.join()}],"stats":{}${next}}`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
