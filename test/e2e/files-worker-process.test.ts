/** The files Worker in a workerd of its own: what callers see of it when it hangs, and what it sees of callers that go. */
import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { type S3Server, startS3Server } from "../support/s3-server.ts";
import { descendantsOf, isRunning, type RunningService, startService } from "../support/service.ts";

let store: S3Server;
let service: RunningService;
beforeAll(async () => {
  store = await startS3Server();
  store.objects.set("shop/orders.csv", new TextEncoder().encode("id\n1\n2\n3\n"));
  service = await startService({
    FILES_WORKER: "on",
    PROBE_INTERVAL_MS: "1000",
    ALLOW_PRIVATE_HOSTS: "true",
    // The sidecar reaches no store.
    ALLOWED_HOSTS: "sidecar.invalid",
  });
});
afterAll(async () => {
  await service.stop();
  await store.close();
});

const question = (): string =>
  JSON.stringify({
    sql: "SELECT count(*) AS n FROM orders",
    manifestStr: Buffer.from(
      JSON.stringify({
        catalog: "c",
        schema: "s",
        models: [
          { name: "orders", tableReference: { table: "shop/orders.csv" }, columns: [{ name: "id", type: "BIGINT" }] },
        ],
      }),
    ).toString("base64"),
    connectionInfo: store.connectionInfo(),
  });

async function ask(): Promise<{ readonly status: number; readonly body: unknown }> {
  const answer = await fetch(`${service.url}/v3/connector/minio_file/query`, { method: "POST", body: question() });
  return { status: answer.status, body: await answer.json() };
}

const pidOfFiles = (): number =>
  descendantsOf(service.pid).find(({ command }) => command.includes("files.capnp"))?.pid ?? 0;

describe("the files Worker's process", () => {
  it("answers over its socket", async () => {
    expect(await ask()).toMatchObject({ status: 200, body: { data: [[3]] } });
  });

  it("fails what waits for it when it hangs, with an error of its own, and answers the next question", async () => {
    const pid = pidOfFiles();
    process.kill(pid, "SIGSTOP");
    const { status, body } = await ask();
    expect({ status, body }).toMatchObject({ status: 502, body: { metadata: { reason: "CONNECTORS_UNREACHABLE" } } });
    expect(isRunning(pid)).toBe(false);
    await eventually(async () => expect((await ask()).status).toBe(200));
  });

  it("lets go of the store when the caller has gone", async () => {
    const held = Promise.withResolvers<{ readonly gone: Promise<void> }>();
    store.fault = ({ isListing }, response) => {
      if (isListing) return false;
      held.resolve({ gone: new Promise<void>((resolve) => response.once("close", () => resolve())) });
      return true;
    };
    const { hostname, port } = new URL(service.url);
    const path = "/v3/connector/minio_file/query";
    const outgoing = request({ host: hostname, port, path, method: "POST", agent: false });
    outgoing.on("error", () => undefined);
    outgoing.end(question());
    const { gone } = await held.promise;
    outgoing.socket?.resetAndDestroy();
    await gone;
    store.fault = undefined;
    expect((await ask()).status).toBe(200);
  });
});
