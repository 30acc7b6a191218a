/** A store whose listings never end an element: reading one held the sidecar, in one thread for all callers. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type S3Server, say, startS3Server } from "../support/s3-server.ts";
import { type RunningService, startService } from "../support/service.ts";

let service: RunningService;
let hostile: S3Server;
let honest: S3Server;
let isListed = false;

beforeAll(async () => {
  [hostile, honest] = await Promise.all([startS3Server(), startS3Server()]);
  const listing = `<ListBucketResult>${"<Contents>".repeat(1_000_000)}</ListBucketResult>`;
  hostile.fault = ({ isListing }, response) => {
    if (!isListing) return false;
    isListed = true;
    return say(response, 200, { "content-type": "application/xml" }, listing);
  };
  honest.objects.set("shop/sales.csv", new TextEncoder().encode("id\n7\n"));
  service = await startService();
});
afterAll(async () => {
  // A process that spins hears no other signal.
  if (service?.pid !== undefined) process.kill(-service.pid, "SIGKILL");
  await Promise.all([hostile?.close(), honest?.close()]);
});

async function asked(store: S3Server, table: string) {
  const models = [{ name: "t", tableReference: { table }, columns: [{ name: "id", type: "INTEGER" }] }];
  const manifestStr = Buffer.from(JSON.stringify({ catalog: "c", schema: "s", models })).toString("base64");
  const keys = { access_key: store.keys.access, secret_key: store.keys.secret };
  const connectionInfo = { bucket: "lake", url: "/", format: "csv", ...keys, endpoint: store.endpoint };
  const response = await fetch(`${service.url}/v3/connector/minio_file/query`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ sql: "SELECT id FROM t", manifestStr, connectionInfo }),
    signal: AbortSignal.timeout(20_000),
  }).catch(() => undefined);
  if (response === undefined) return { status: "no answer" };
  return { status: response.status, json: (await response.json()) as { data?: unknown } };
}

it("another caller is answered while it is read", async () => {
  expect(await asked(honest, "shop/sales.csv")).toMatchObject({ status: 200, json: { data: [[7]] } });
  const attack = asked(hostile, "shop/*.csv");
  await expect.poll(() => isListed).toBe(true);
  for (let count = 0; count < 3; count++) {
    expect(await asked(honest, "shop/sales.csv")).toMatchObject({ status: 200, json: { data: [[7]] } });
  }
  expect((await attack).status).toBeGreaterThanOrEqual(400);
}, 120_000);
