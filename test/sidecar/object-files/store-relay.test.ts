import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Connector } from "../../../src/connectors/connector.ts";
import { drain, failureOf, patient } from "../../connectors/contract.ts";
import { eventually } from "../../support/eventually.ts";
import { FIXTURES, TEST_CA_PATH } from "../../support/postgres-server.ts";
import { etagOf, type S3Server, startS3Server } from "../../support/s3-server.ts";
import { makeWith, playground, statement } from "../duckdb/fixtures.ts";
import { connectorIn, type SidecarProcess, startSidecar } from "../process.ts";

const LIMIT = 2_000_000;

let sidecar: SidecarProcess;
let server: S3Server;
const opened: Connector[] = [];

beforeAll(async () => {
  sidecar = await startSidecar({
    ALLOWED_HOSTS: "127.0.0.1",
    STORE_STATEMENT_BYTES: String(LIMIT),
    STORE_BYTES: String(2 * LIMIT),
  });
});
afterAll(() => sidecar.stop());
beforeEach(async () => {
  server = await startS3Server();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((connector) => connector.close()));
  await server.close();
});

const put = (key: string, content: string | Uint8Array): void => {
  server.objects.set(key, typeof content === "string" ? new TextEncoder().encode(content) : content);
};

async function connect(more: object = {}): Promise<Connector> {
  const connector = await connectorIn(sidecar, "minio_file", server.connectionInfo(more));
  opened.push(connector);
  return connector;
}

async function ask(sql: string, paths: readonly string[], more: object = {}): Promise<unknown[]> {
  const connector = await connect(more);
  return drain(await connector.query(statement(sql, ...paths), patient()));
}

/** Directories of calls that are there now. */
function leftovers(): string[] {
  return readdirSync(tmpdir())
    .filter((name) => name.startsWith("siskin-sidecar-") && name.includes(`-${sidecar.pid}-`))
    .flatMap((name) => readdirSync(join(tmpdir(), name)).filter((entry) => entry.startsWith("store-")));
}

async function parquet(sql: string): Promise<Uint8Array> {
  const ground = playground();
  try {
    await makeWith([`COPY (${sql}) TO '${join(ground.root, "x.parquet")}' (FORMAT parquet)`]);
    return readFileSync(join(ground.root, "x.parquet"));
  } finally {
    ground.remove();
  }
}

describe("files of a bucket", () => {
  it.each<[what: string, key: string, content: string | Uint8Array, path: string]>([
    ["CSV by gzip", "a.csv.gz", gzipSync("n,t\n1,x\n2,y\n"), "a.csv.gz"],
    ["NDJSON by zstd", "a.ndjson.zst", zstdCompressSync('{"n":1,"t":"x"}\n{"n":2,"t":"y"}\n'), "*.ndjson.zst"],
    ["CSV", "data/a.csv", "n,t\n1,x\n2,y\n", "data/a.csv"],
    ["TSV", "data/a.tsv", "n\tt\n1\tx\n2\ty\n", "data/a.tsv"],
    ["JSON", "a.json", '[{"n":1,"t":"x"},{"n":2,"t":"y"}]', "a.json"],
    ["NDJSON", "a.ndjson", '{"n":1,"t":"x"}\n{"n":2,"t":"y"}\n', "a.ndjson"],
    ["an address", "data/a.csv", "n,t\n1,x\n2,y\n", "s3://lake/data/a.csv"],
    ["a pattern", "data/a.csv", "n,t\n1,x\n2,y\n", "s3://lake/data/*.csv"],
    ["a name with spaces, quotes and more", "d d/a 'b\" %2F+.csv", "n,t\n1,x\n2,y\n", "d d/a 'b\" %2F+.csv"],
    ["a name that could be a pattern", "a[1]*.csv", "n,t\n1,x\n2,y\n", "a[1]*.csv"],
    ["another language", "größe/日本.csv", "n,t\n1,x\n2,y\n", "größe/*.csv"],
  ])("%s", async (_what, key, content, path) => {
    put(key, content);
    put("other.csv", "nothing\n");
    const name = path.replaceAll('"', '""');
    expect(await ask(`SELECT n, t FROM "${name}" ORDER BY n`, [path])).toEqual([
      [1n, "x"],
      [2n, "y"],
    ]);
    expect(server.bytes).toBe(content.length);
    await eventually(() => expect(leftovers()).toEqual([]));
  });

  it("are read as Parquet, joined, and by folders called key=value", async () => {
    for (const year of [2023, 2024])
      put(`y/year=${year}/p.parquet`, await parquet(`SELECT ${year} * 10 + i AS n FROM range(3) t(i)`));
    put("names.csv", "year,name\n2023,old\n2024,new\n");
    const sql = `SELECT name, sum(n)::bigint FROM "y/*/*.parquet" p JOIN "names.csv" USING (year) GROUP BY name ORDER BY name`;
    expect(await ask(sql, ["y/*/*.parquet", "names.csv"])).toEqual([
      ["new", 60723n],
      ["old", 60693n],
    ]);
  });

  it("are checked by the footer alone", async () => {
    put("p.parquet", await parquet("SELECT i, repeat('x', 100) || i || hash(i) AS t FROM range(60000) t(i)"));
    const size = server.objects.get("p.parquet")?.byteLength ?? 0;
    const connector = await connect();
    await connector.dryRun(statement('SELECT t FROM "p.parquet"', "p.parquet"), patient());
    expect(size).toBeGreaterThan(200_000);
    expect(server.bytes).toBe(64 * 1024);
    const failure = await failureOf(
      connector.dryRun(statement('SELECT nope FROM "p.parquet"', "p.parquet"), patient()),
    );
    expect(failure).toMatchObject({ reason: "SOURCE_INVALID_SQL" });
  });

  it.each<[what: string, path: string, expected: object]>([
    [
      "that is not there",
      "nothing.csv",
      { reason: "FILE_NOT_FOUND", message: 'The file "nothing.csv" does not exist.' },
    ],
    ["pattern for nothing", "no/*.csv", { reason: "FILE_NOT_FOUND" }],
    ["folder", "data", { reason: "FILE_INVALID", hint: expect.stringContaining('"data/*"') }],
    ["step upwards", "data/../data/a.csv", { reason: "FILE_NOT_FOUND" }],
    [
      "other bucket",
      "s3://other/data/a.csv",
      { reason: "FILE_NOT_FOUND", hint: expect.stringContaining("s3://lake/") },
    ],
    ["bucket that begins alike", "s3://lake2/data/a.csv", { reason: "FILE_NOT_FOUND" }],
    ["other service", "https://example.com/a.csv", { reason: "FILE_NOT_FOUND" }],
    ["path of the machine", "/etc/passwd", { reason: "FILE_NOT_FOUND" }],
  ])("a %s is refused", async (_what, path, expected) => {
    put("data/a.csv", "n\n1\n");
    expect(await failureOf(ask(`SELECT * FROM "${path}"`, [path]))).toMatchObject(expected);
    expect(server.bytes).toBe(0);
  });

  it("are no others than those that the plan names", async () => {
    put("data/a.csv", "n\n1\n");
    put("secret.csv", "n\n2\n");
    for (const path of ["s3://lake/secret.csv", "secret.csv", "/etc/passwd", "https://example.com/x.csv"]) {
      const sql = `SELECT * FROM "data/a.csv", read_csv('${path}')`;
      const failure = await failureOf(ask(sql, ["data/a.csv"]));
      expect([failure.reason, failure.hint]).toEqual(["FILE_NOT_FOUND", expect.stringContaining("tableReference")]);
    }
  });

  it("are shown by their addresses, and never where they lie for the time", async () => {
    put("data/bad.parquet", "PAR1 nothing of the kind PAR1");
    put("data/a.csv", "n\n1\nx\n");
    const failure = await failureOf(ask('SELECT * FROM "data/bad.parquet"', ["data/bad.parquet"]));
    expect(failure).toMatchObject({
      reason: "FILE_INVALID",
      message: expect.stringContaining("s3://lake/data/bad.parquet"),
    });
    expect(`${failure.message} ${failure.hint}`).not.toMatch(/tmp|siskin-|FILE_ROOT/);
  });

  it("are refused before they are read when they are too large, with numbers and the setting", async () => {
    put("big.csv", new Uint8Array(LIMIT - 10));
    put("more.csv", new Uint8Array(20));
    const failure = await failureOf(ask('SELECT 1 FROM "*.csv"', ["*.csv"]));
    expect(failure).toMatchObject({
      reason: "FILES_TOO_LARGE",
      message: `The statement reads ${LIMIT + 10} bytes of 2 objects, and one may read ${LIMIT}.`,
      hint: expect.stringContaining("STORE_STATEMENT_BYTES"),
    });
    expect(server.bytes).toBe(0);
  });

  it("are as many as a pattern covers", async () => {
    for (let i = 0; i < 300; i++) put(`m/${i}.csv`, `n\n${i}\n`);
    expect(await ask('SELECT sum(n)::bigint FROM "m/*.csv"', ["m/*.csv"])).toEqual([[44850n]]);
    // The parallel requests, and the listing.
    expect(server.connections).toBeLessThanOrEqual(9);
  });

  it("are refused where a key is another's folder", async () => {
    put("a", "n\n1\n");
    put("a/b", "n\n2\n");
    expect(await failureOf(ask('SELECT 1 FROM "**"', ["**"]))).toMatchObject({ reason: "FILE_INVALID" });
  });

  it("are never a mixture of two versions", async () => {
    put("a.csv", "n\n1\n");
    server.fault = ({ method }) => {
      if (method === "HEAD") setImmediate(() => put("a.csv", "n\n2\n"));
      return false;
    };
    expect(await failureOf(ask('SELECT * FROM "a.csv"', ["a.csv"]))).toMatchObject({ reason: "OBJECT_CHANGED" });
  });
});

describe("a store whose certificate no public authority has signed", () => {
  const certificate = {
    cert: readFileSync(join(FIXTURES, "test-only-server.crt")),
    key: readFileSync(join(FIXTURES, "test-only-server.key")),
  };
  beforeEach(async () => {
    await server.close();
    server = await startS3Server({ certificate });
    put("a.csv", "n\n1\n");
  });

  it("is asked by the caller's own authority", async () => {
    const sslrootcert = readFileSync(TEST_CA_PATH, "utf8");
    expect(await ask('SELECT n FROM "a.csv"', ["a.csv"], { ssl_enabled: true, sslrootcert })).toEqual([[1n]]);
  });

  it.each<[what: string, more: () => object]>([
    ["without one", () => ({})],
    ["by another", () => ({ sslrootcert: certificate.cert.toString() })],
    [
      "by another name than the certificate's",
      () => ({
        endpoint: server.endpoint.replace("localhost", "127.0.0.1"),
        sslrootcert: readFileSync(TEST_CA_PATH, "utf8"),
      }),
    ],
  ])("is not asked %s", async (_what, more) => {
    const failure = await failureOf(ask('SELECT n FROM "a.csv"', ["a.csv"], { ssl_enabled: true, ...more() }));
    expect(failure).toMatchObject({ reason: "TLS_UNTRUSTED", hint: expect.stringContaining("sslrootcert") });
    expect(server.requests).toEqual([]);
  });
});

describe("a caller that goes", () => {
  it("ends reading within a second, and nothing is read afterwards", async () => {
    for (let i = 0; i < 100; i++) put(`d/${i}.csv`, `n\n${i}\n`);
    // Each answer begins, and drips.
    const timers: NodeJS.Timeout[] = [];
    let closed = 0;
    server.fault = ({ method, isListing, key }, response) => {
      if (isListing || method !== "GET") return false;
      const content = server.objects.get(key) ?? new Uint8Array();
      const etag = etagOf(content);
      response.writeHead(206, { etag, "content-range": `bytes 0-${content.byteLength - 1}/${content.byteLength}` });
      timers.push(setInterval(() => response.write(" "), 60_000));
      response.on("close", () => closed++);
      response.flushHeaders();
      return true;
    };
    const caller = new AbortController();
    const connector = await connect();
    const asked = connector.query(statement('SELECT * FROM "d/*.csv"', "d/*.csv"), patient(caller.signal));
    await eventually(() => expect(server.requests.filter((request) => request.startsWith("GET")).length).toBe(8));
    caller.abort();
    expect(await failureOf(asked)).toMatchObject({ reason: "CANCELLED" });
    await eventually(() => expect(closed).toBe(8));
    await eventually(() => expect(leftovers()).toEqual([]));
    expect(server.requests.filter((request) => request.startsWith("GET")).length).toBe(8);
    for (const timer of timers) clearInterval(timer);
  });

  it("has no more time than its statement", async () => {
    put("a.csv", "n\n1\n");
    server.fault = ({ method }, response) => {
      if (method !== "GET") return false;
      const etag = etagOf(server.objects.get("a.csv") ?? new Uint8Array());
      response.writeHead(206, { etag, "content-range": "bytes 0-3/4" }).flushHeaders();
      return true;
    };
    const connector = await connect();
    const late = connector.query(statement('SELECT * FROM "a.csv"', "a.csv"), { ...patient(), timeoutMs: 300 });
    expect(await failureOf(late)).toMatchObject({ reason: "STATEMENT_TIMEOUT" });
  });
});

describe("the catalogue of a bucket", () => {
  const tables = async (more: object = {}) =>
    (await connect(more)).catalog({ kind: "tables", filter: {}, limit: undefined }, patient());

  it("has the top level of the folder, by addresses", async () => {
    put("shop/a.csv", "id,price\n1,2.5\n");
    put("shop/events/1.csv", "at\n2024-01-01\n");
    put("shop/events/2.csv", "at\n2024-01-02\n");
    put("shop/.hidden.csv", "x\n1\n");
    put("shop/notes.parquet", "no");
    put("shop/empty/readme.md", "no");
    put("other.csv", "x\n1\n");
    const found = await tables({ url: "/shop" });
    expect(found.map(({ name, properties }) => [name, properties?.["path"]])).toEqual([
      ["a", "s3://lake/shop/a.csv"],
      ["events", "s3://lake/shop/events/*.csv"],
    ]);
    expect(found[0]?.columns.map(({ name, type }) => `${name} ${type}`)).toEqual(["id INT64", "price DOUBLE"]);
  });

  it("has the columns of all Parquet files of a folder", async () => {
    put("mixed/a.parquet", await parquet("SELECT 1 AS id, 'ann' AS name"));
    put("mixed/b.parquet", await parquet("SELECT 2 AS id, 1.5::DOUBLE AS price"));
    const [table] = await tables({ format: "parquet" });
    expect(table?.columns.map(({ name, type }) => `${name} ${type}`)).toEqual([
      "id INT",
      "name STRING",
      "price DOUBLE",
    ]);
  });

  it("reads footers of Parquet alone, and leaves out what cannot be read", async () => {
    put("p.parquet", await parquet("SELECT i, repeat('x', 100) || hash(i) AS t FROM range(60000) t(i)"));
    put("bad.parquet", "PAR1PAR1");
    const found = await tables({ format: "parquet" });
    expect(found.map(({ name }) => name)).toEqual(["p"]);
    expect(server.bytes).toBeLessThan(70_000);
  });

  it("says which service it is, and what formats there are not", async () => {
    const connector = await connect();
    expect(await connector.catalog({ kind: "version" }, patient())).toBe("Minio");
    expect(await connector.catalog({ kind: "constraints", filter: {}, limit: undefined }, patient())).toEqual([]);
    expect(server.requests).toEqual([]);
    expect(await failureOf(tables({ format: "unsupported" }))).toMatchObject({
      message: "Failed to list files: Unsupported format: unsupported",
    });
    expect(await failureOf(tables({ url: "/nothing" }))).toMatchObject({ reason: "FILE_NOT_FOUND" });
  });
});

it("databases of a folder are attached", async () => {
  const ground = playground();
  await makeWith(["CREATE TABLE t AS SELECT 42 AS n"], join(ground.root, "shop.duckdb"));
  put("db/shop.duckdb", readFileSync(join(ground.root, "shop.duckdb")));
  ground.remove();
  expect(await ask("SELECT n FROM shop.main.t", [], { format: "duckdb", url: "db" })).toEqual([[42]]);
  expect(await failureOf(ask("SELECT 1", [], { format: "duckdb", url: "none" }))).toMatchObject({
    reason: "DUCKDB_FILE_NOT_FOUND",
  });
});
