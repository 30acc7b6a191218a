/** Patterns of file names with many stars, which were tried in all ways there are. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { limitedCall } from "../support/limited-call.ts";
import { type S3Server, startS3Server } from "../support/s3-server.ts";
import { type RunningService, startService } from "../support/service.ts";

const HOSTILE: [pattern: string, path: string][] = [
  [`gl/${"*a".repeat(5)}*b.parquet`, `gl/${"a".repeat(240)}`],
  [`${"*a".repeat(60)}*b`, "a".repeat(1000)],
  [`${"*?".repeat(60)}b`, "a".repeat(1000)],
  [`${"*[a]".repeat(60)}b`, "a".repeat(1000)],
  [`${"**/".repeat(60)}b`, "a/".repeat(500)],
  [`${"**/*a*/".repeat(30)}b`, "aa/".repeat(300)],
  ["[".repeat(100_000), "a"],
  [`*${"[".repeat(100_000)}`, "[".repeat(1000)],
];

describe("matching", () => {
  it.each(HOSTILE.map(([pattern, path]) => [pattern.slice(0, 40), pattern, path] as const))(
    "%s… is done in time",
    async (_, pattern, path) => {
      const call = { module: "src/connectors/files/glob.ts", name: "patternMatcher", calls: [[pattern], [path]] };
      // A pattern that is too large may be refused, too.
      expect((await limitedCall(call)).kind).toMatch(/^(value|error)$/);
    },
  );
});

describe("under an attack of one caller", () => {
  let service: RunningService;
  let store: S3Server;
  beforeAll(async () => {
    store = await startS3Server();
    store.objects.set(`gl/${"a".repeat(240)}`, new Uint8Array());
    store.objects.set("shop/sales.csv", new TextEncoder().encode("id\n7\n"));
    service = await startService();
  });
  afterAll(async () => {
    // A process that spins hears no other signal.
    if (service?.pid !== undefined) process.kill(-service.pid, "SIGKILL");
    await store?.close();
  });

  async function asked(table: string) {
    const models = [{ name: "t", tableReference: { table }, columns: [{ name: "id", type: "INTEGER" }] }];
    const manifestStr = Buffer.from(JSON.stringify({ catalog: "c", schema: "s", models })).toString("base64");
    const connectionInfo = {
      bucket: "lake",
      url: "/",
      format: "csv",
      access_key: store.keys.access,
      secret_key: store.keys.secret,
      endpoint: store.endpoint,
    };
    const response = await fetch(`${service.url}/v3/connector/minio_file/query`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ sql: "SELECT id FROM t", manifestStr, connectionInfo }),
      signal: AbortSignal.timeout(20_000),
    }).catch(() => undefined);
    if (response === undefined) return { status: "no answer" };
    return { status: response.status, json: (await response.json()) as { data?: unknown } };
  }

  it("another one is answered", async () => {
    expect(await asked("shop/sales.csv")).toMatchObject({ status: 200, json: { data: [[7]] } });
    const attacks = Array.from({ length: 4 }, () => asked(`gl/${"*a".repeat(5)}*b.csv`));
    // All of them have been at the store: what comes next is the matching.
    await expect.poll(() => store.requests.filter((request) => request.startsWith("LIST gl/")).length).toBe(4);
    expect(await asked("shop/sales.csv")).toMatchObject({ status: 200, json: { data: [[7]] } });
    for (const { status } of await Promise.all(attacks)) expect(status).toBe(422);
  }, 120_000);
});
