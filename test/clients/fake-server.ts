/** A server that answers as a test says: for what a real service does rarely or never. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
  /** Resolves when the client closes the connection before the answer ends. */
  readonly left: Promise<void>;
}

export interface FakeServer {
  readonly url: string;
  readonly seen: readonly SeenRequest[];
}

export type Reply = (response: ServerResponse, request: SeenRequest) => void;

/** Each request gets the next reply; the last one is for all further requests. */
export async function fakeServer(...replies: readonly Reply[]): Promise<FakeServer> {
  const seen: SeenRequest[] = [];
  const server = createServer(async (request, response) => {
    const left = new Promise<void>((resolve) => response.once("close", () => !response.writableEnded && resolve()));
    const { method = "", url = "", headers } = request;
    const noted = { method, url, headers, body: await text(request), left };
    seen.push(noted);
    replies[Math.min(seen.length, replies.length) - 1]?.(response, noted);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => void server.close(() => resolve()));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

export const NDJSON = { "content-type": "application/x-ndjson", "x-correlation-id": "request-1" };

/** A whole body with these lines. */
export const lines =
  (...values: readonly unknown[]): Reply =>
  (response) => {
    response.writeHead(200, NDJSON);
    response.end(values.map((value) => `${typeof value === "string" ? value : JSON.stringify(value)}\n`).join(""));
  };

export const answer =
  (status: number, headers: Readonly<Record<string, string>>, body: unknown): Reply =>
  (response) => {
    response.writeHead(status, headers);
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };
