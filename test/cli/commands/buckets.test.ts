/** Buckets as the connection of `init`, `validate`, `query` and `test`: a fake store over S3's protocol, and native DuckDB. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type S3Server, startS3Server } from "../../support/s3-server.ts";
import { siskin } from "../../support/terminal.ts";

const SECRET = "wJalr/XUtnFEMI+K7MDENG";
let server: S3Server;
let home: string;
let temporary: string;
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "siskin-buckets-"));
  temporary = mkdtempSync(join(home, "tmp-"));
  vi.stubEnv("TMPDIR", temporary);
  server = await startS3Server();
  const text = (value: string) => new TextEncoder().encode(value);
  server.objects.set("shop/sales.csv", text("id,owner,total\n1,ann,10.5\n2,bob,20\n3,ann,1\n"));
  server.objects.set("shop/events/1.json", text('{"id":1,"kind":"click"}\n'));
  server.objects.set("shop/events/2.json", text('{"id":2,"kind":"view"}\n'));
  server.objects.set("private/secrets.csv", text("a\n1\n"));
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await server.close();
  rmSync(home, { recursive: true });
});

const SOURCES: readonly (readonly [source: string, info: () => Record<string, unknown>])[] = [
  ["minio_file", () => server.connectionInfo({ url: "/shop", ssl_enabled: false })],
  [
    "s3_file",
    () => ({ ...server.connectionInfo({ url: "/shop", region: "us-east-1" }), endpoint: `http://${server.endpoint}` }),
  ],
];

describe.each(SOURCES)("%s", (source, info) => {
  test("init, validate --live, query and test", async () => {
    const directory = mkdtempSync(join(home, "case-"));
    const environment = { LAKE: JSON.stringify({ dataSource: source, connectionInfo: info() }) };
    const run = (args: readonly string[]) => siskin(args, { directory, environment });
    const made = await run(["init", "--from", "env:LAKE", "p"]);
    expect(made).toEqual({ code: 0, out: "", err: "Wrote 2 models and 0 relationships to p.\n" });
    expect(readFileSync(join(directory, "p/siskin.yml"), "utf8")).toContain("connection: env:LAKE\n");
    expect(readdirSync(join(directory, "p/models")).toSorted()).toEqual(["events", "sales"]);
    expect(await run(["validate", "--live", "-p", "p"])).toEqual({
      code: 0,
      out: "",
      err: "p is valid, and the source agrees.\n",
    });
    const sql =
      "SELECT s.owner, sum(s.total) AS t, count(*) AS n FROM sales s JOIN events e ON e.id = s.id GROUP BY 1 ORDER BY 1";
    expect(await run(["query", "-p", "p", "--plain", sql])).toEqual({
      code: 0,
      err: "",
      out: "owner\tt\tn\nann\t10.5\t1\nbob\t20.0\t1\n",
    });
    expect(server.requests.join(" ")).not.toContain("private/");
  });
});

test.each<[what: string, code: number, info: () => Record<string, unknown>, message: string]>([
  [
    "wrong keys",
    2,
    () => server.connectionInfo({ url: "/shop", ssl_enabled: false, secret_key: "other-secret-55" }),
    "AUTHENTICATION",
  ],
  ["no such bucket", 2, () => server.connectionInfo({ url: "/shop", ssl_enabled: false, bucket: "none" }), "bucket"],
  ["an empty folder", 1, () => server.connectionInfo({ url: "/nothing", ssl_enabled: false }), "FILE_NOT_FOUND"],
])("%s: an error without the keys", async (_, code, info, message) => {
  const directory = mkdtempSync(join(home, "case-"));
  const environment = { LAKE: JSON.stringify({ dataSource: "minio_file", connectionInfo: info() }) };
  const made = await siskin(["init", "--from", "env:LAKE", "p"], { directory, environment });
  expect(made).toMatchObject({ code, out: "", err: expect.stringContaining(message) });
  expect(made.err).not.toContain(SECRET);
  expect(made.err).not.toContain("other-secret");
  expect(readdirSync(directory)).toEqual([]);
});

test("nothing is left in the temporary directory", () => {
  expect(readdirSync(temporary)).toEqual([]);
});
