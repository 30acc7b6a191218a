/** A service that answers as a test wants it to, with the page's own files and headers: states that a real one seldom has. */
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { freshExplorer } from "../../scripts/service/explorer-bundle.ts";
import { testApp } from "../api/test-app.ts";

export interface Given {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The answer never begins: its request is closed by the page, or with the service. */
  readonly waits?: true;
  /** The connection is lost after the body. */
  readonly breaks?: true;
}

export interface FakeService {
  readonly url: string;
  /** Answers by path below `/v3/projects`; a function sees the body of the request. */
  readonly answers: Map<string, Given | ((body: unknown) => Given)>;
  /** Requests that the page closed before they were answered, by path. */
  readonly closed: string[];
  close(): Promise<void>;
}

export const PROJECT = {
  name: "shop",
  title: "Shop",
  dataSource: "postgres",
  examples: [{ question: "All?", sql: "SELECT a FROM t" }],
  questions: [],
  models: [{ name: "t", columns: [{ name: "a", type: "integer", nullable: true }], paths: [] }],
  views: [],
  cubes: [],
  rowRuleProperties: [],
};

export const json = (body: unknown, status = 200): Given => ({
  status,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

export const failure = (status: number, message: string, metadata: object = {}): Given =>
  json({ errorCode: "X", message, metadata, correlationId: "c-1" }, status);

export const HEAD = '{"columns":["a"],"dtypes":{"a":"int32"}}\n';

export const rows = (body: string, headers: Readonly<Record<string, string>> = {}): Given => ({
  headers: { "content-type": "application/x-ndjson", ...headers },
  body,
});

const NORMAL: readonly (readonly [path: string, given: Given])[] = [
  ["", json({ projects: [{ name: "shop", title: "Shop", status: "ready" }] })],
  ["/shop", json(PROJECT)],
  ["/shop/explain", json({ columns: [], warnings: [] })],
  ["/shop/query", rows(`${HEAD}[1]\n{"end":{"rows":1}}\n`)],
];

export async function startFakeService(): Promise<FakeService> {
  const directory = await freshExplorer();
  const files = async (name: string): Promise<Response> => new Response(readFileSync(join(directory, name)));
  const app = testApp({ api: { explorer: { files, setting: "on" } } });
  const answers: FakeService["answers"] = new Map();
  const closed: string[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname } = new URL(request.url ?? "/", "http://127.0.0.1");
    if (pathname.startsWith("/explore")) {
      const page = await app.fetch(pathname);
      response.writeHead(page.status, Object.fromEntries(page.headers));
      response.end(Buffer.from(await page.arrayBuffer()));
      return;
    }
    if (pathname === "/ready") {
      response.writeHead(200, { "content-type": "application/json" }).end('{"status":"ready","parts":{}}');
      return;
    }
    const path = pathname.replace(/^\/v3\/projects/, "");
    const body = await text(request);
    const found = answers.get(path) ?? new Map(NORMAL).get(path) ?? { status: 404 };
    const given = typeof found === "function" ? found(body === "" ? undefined : JSON.parse(body)) : found;
    response.on("close", () => {
      if (!response.writableFinished) closed.push(path);
    });
    if (given.waits === true) return;
    if (given.breaks === true && given.body === undefined) {
      response.destroy();
      return;
    }
    response.writeHead(given.status ?? 200, given.headers);
    if (given.breaks === true) response.write(given.body ?? "", () => response.destroy());
    else response.end(given.body);
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answers,
    closed,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
