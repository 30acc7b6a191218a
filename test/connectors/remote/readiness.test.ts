import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createSidecarServer } from "../../../sidecar/server.ts";
import { PROTOCOL_VERSION } from "../../../src/connectors/remote/protocol.ts";
import { type RemoteState, remoteState } from "../../../src/connectors/remote/readiness.ts";

let answer: (response: ServerResponse) => void;
let url: string;
const server = createServer((_request, response) => answer(response));
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const said = (status: number, body: object, version?: string) => (response: ServerResponse) =>
  void response
    .writeHead(status, version === undefined ? {} : { "x-siskin-protocol": version })
    .end(JSON.stringify(body));

it.each<[string, RemoteState, (response: ServerResponse) => void]>([
  ["is ready", "ok", said(200, { status: "ready" }, PROTOCOL_VERSION)],
  ["shuts down", "draining", said(503, { status: "draining" }, PROTOCOL_VERSION)],
  ["has no room", "full", said(503, { status: "full" }, PROTOCOL_VERSION)],
  ["speaks another version", "of another release", said(200, { status: "ready" }, "0")],
  ["is older than its version", "of another release", said(200, { status: "ready" })],
  ["is something else", "unreachable", said(404, {})],
  ["is a proxy before nothing", "unreachable", said(503, {})],
  ["redirects", "unreachable", (response) => void response.writeHead(302, { location: "http://x.test" }).end()],
  ["breaks off", "unreachable", (response) => void response.destroy()],
  ["says nothing", "unreachable", () => undefined],
])("a sidecar that %s: %s", async (_what, state, given) => {
  answer = given;
  expect(await remoteState(url, fetch, 200)).toBe(state);
});

it("the sidecar itself", async () => {
  const sidecar = createSidecarServer({
    secrets: ["x".repeat(32)],
    maxInFlight: 1,
    open: () => Promise.reject(new Error("nobody asks")),
    log: () => undefined,
  });
  await new Promise<void>((resolve) => sidecar.server.listen(0, "127.0.0.1", resolve));
  const own = `http://127.0.0.1:${(sidecar.server.address() as AddressInfo).port}`;
  expect(await remoteState(own, fetch, 5000)).toBe("ok");
  await sidecar.drain(0);
  expect(await remoteState(own, fetch, 5000)).toBe("unreachable");
});
