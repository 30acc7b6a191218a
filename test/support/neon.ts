/**
 * A FAKE of Neon's SQL over HTTP: the request and answer shapes that `@neondatabase/serverless` 1.2 sends and reads, with
 * the SQL run on a real PostgreSQL under the credentials that came in. It translates transport only. Nothing here has been
 * compared with Neon itself beyond what the driver's source shows.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import pg from "pg";

export interface FakeNeon {
  /** A `fetch` that finds the fake under the address that the driver derives from any Neon host. */
  readonly fetch: typeof fetch;
  /** The driver's requests, newest last. */
  readonly requests: readonly {
    readonly url: string;
    readonly headers: IncomingMessage["headers"];
    readonly body: string;
  }[];
  /** Replaces the next answers, one each. */
  answerNext(answer: (response: ServerResponse) => void): void;
  close(): Promise<void>;
}

interface Query {
  readonly query: string;
  readonly params: readonly string[];
}

const RAW = { getTypeParser: () => (text: string) => text };

export async function startFakeNeon(target: { readonly host: string; readonly port: number }): Promise<FakeNeon> {
  const requests: { url: string; headers: IncomingMessage["headers"]; body: string }[] = [];
  const prepared: ((response: ServerResponse) => void)[] = [];
  const server = createServer({ keepAliveTimeout: 0 }, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    requests.push({ url: request.url ?? "", headers: request.headers, body });
    const instead = prepared.shift();
    if (instead !== undefined) return instead(response);
    await answer(target, request, body, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    fetch: (input, init) => {
      const url = new URL(String(input));
      if (url.protocol !== "https:" || !/^api\.([a-z0-9-]+\.)*neon\.tech$/.test(url.hostname)) {
        throw new Error(`not an address of Neon: ${url.href}`);
      }
      return fetch(`http://127.0.0.1:${port}${url.pathname}`, init);
    },
    requests,
    answerNext: (instead) => {
      prepared.push(instead);
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(
  target: { readonly host: string; readonly port: number },
  request: IncomingMessage,
  body: string,
  response: ServerResponse,
): Promise<void> {
  const header = (name: string): string => String(request.headers[name] ?? "");
  const credentials = new URL(header("neon-connection-string").replace(/^postgres(ql)?:/, "http:"));
  const client = new pg.Client({
    ...target,
    user: decodeURIComponent(credentials.username),
    password: decodeURIComponent(credentials.password),
    database: decodeURIComponent(credentials.pathname.slice(1)),
    ssl: false,
  });
  client.on("error", () => {});
  // Neon ends a statement whose request is gone.
  response.on("close", () => void client.end().catch(() => {}));
  const parsed = JSON.parse(body) as Query | { readonly queries: readonly Query[] };
  try {
    await client.connect();
    const run = async ({ query, params }: Query) => {
      const result = await client.query({ text: query, values: [...params], rowMode: "array", types: RAW });
      const { command, rowCount, rows, fields } = result;
      return { command, rowCount, rows, fields, rowAsArray: true };
    };
    let answered: unknown;
    if ("queries" in parsed) {
      const readOnly = header("neon-batch-read-only") === "true";
      await client.query(`BEGIN${readOnly ? " READ ONLY" : ""}`);
      const results: unknown[] = [];
      for (const query of parsed.queries) results.push(await run(query));
      await client.query("COMMIT");
      answered = { results };
    } else answered = await run(parsed);
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answered));
  } catch (error) {
    const failure = error as pg.DatabaseError;
    response
      .writeHead(400, { "content-type": "application/json" })
      .end(JSON.stringify({ ...failure, message: failure.message }));
  } finally {
    await client.end().catch(() => {});
  }
}
