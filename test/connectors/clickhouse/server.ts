/** A FAKE of ClickHouse's HTTP interface that answers what it is told to, for what the engine does not do on demand. */
import { parseClickHouseConnection } from "../../../src/connectors/connection/clickhouse.ts";
import { openHere } from "../../../src/connectors/open-here.ts";
import { drain, patient, plain } from "../contract.ts";

export const ORIGIN = "https://ch.example.com:8443";
const FIELDS = { host: "ch.example.com", port: 8443, database: "default", user: "ann", password: "pässword" };
export const TAG = "abcdefghijklmnop";
export const HEADERS = { "x-clickhouse-format": "RowBinaryWithNamesAndTypes", "x-clickhouse-exception-tag": TAG };

export interface Sent {
  readonly url: URL;
  readonly headers: Headers;
  readonly body: string;
}

export const bytes = (...parts: readonly (string | readonly number[])[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === "string" ? [...new TextEncoder().encode(part)] : part)));

/** One column `n` of a type. */
export const header = (type: string): Uint8Array => bytes([1, 1], "n", [type.length], type);

/** A body that comes in these pieces, and then ends or breaks. */
function body(pieces: readonly Uint8Array[], isBroken = false): ReadableStream<Uint8Array> {
  const left = [...pieces];
  return new ReadableStream({
    pull(controller) {
      const piece = left.shift();
      if (piece !== undefined) controller.enqueue(piece);
      else if (isBroken) controller.error(new Error("terminated"));
      else controller.close();
    },
  });
}

export const ok = (pieces: readonly Uint8Array[], headers: Record<string, string> = HEADERS, isBroken = false) =>
  new Response(body(pieces, isBroken), { headers });

export const refused = (status: number, code: string, text: string) =>
  new Response(`Code: ${code}. DB::Exception: ${text} (version 26.7.2.1 (official build))\n`, {
    status,
    headers: { "x-clickhouse-exception-code": code },
  });

/** KILL QUERY is answered by itself. */
export function fake(...answers: readonly Response[]) {
  const sent: Sent[] = [];
  const left = [...answers];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const asked = { url: new URL(request.url), headers: request.headers, body: await request.text() };
    sent.push(asked);
    if (asked.body.startsWith("KILL")) return new Response("waiting\tx\n");
    return left.shift() ?? new Response("nothing more", { status: 500 });
  };
  const open = (change: object = {}) =>
    openHere(
      parseClickHouseConnection({ ...FIELDS, ...change }).info,
      { fetch, dial: () => Promise.reject(new Error("dialled")), connectTimeoutMs: 1000 },
      { signal: new AbortController().signal },
    );
  const rows = async (sql = "SELECT 1", change: object = {}) =>
    drain(await (await open(change)).query(plain(sql), patient()));
  return { sent, open, rows };
}
