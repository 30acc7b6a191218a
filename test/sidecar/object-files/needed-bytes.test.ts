import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Connector } from "../../../src/connectors/connector.ts";
import { type Field, readStruct, writeStruct } from "../../../src/connectors/files/parquet/compact-protocol.ts";
import { statementOf } from "../../../src/planner/plan.ts";
import { drain, failureOf, patient } from "../../connectors/contract.ts";
import { manifestOf, planned } from "../../support/plan.ts";
import { type S3Server, startS3Server } from "../../support/s3-server.ts";
import { makeWith, playground } from "../duckdb/fixtures.ts";
import { connectorIn, type SidecarProcess, startSidecar } from "../process.ts";

/** Twenty files in the order of `id`, each of 30,000 rows in groups of 2,048; and the same apart by years. */
const FILES = 20;
const ROWS = 30_000;
const COLUMNS = { id: "bigint", day: "date", price: "decimal(12,2)", city: "varchar", note: "varchar" };
const columns = (more: object = {}): object[] =>
  Object.entries({ ...COLUMNS, ...more }).map(([name, type]) => ({ name, type }));
const MANIFEST = manifestOf({
  catalog: "c",
  schema: "s",
  models: [
    { name: "sales", tableReference: { table: "s3://lake/sales/*.parquet" }, columns: columns() },
    { name: "years", tableReference: { table: "years/*/*.parquet" }, columns: columns({ year: "bigint" }) },
    {
      name: "keyed",
      tableReference: { table: "keys.parquet" },
      columns: ["key", "note"].map((name) => ({ name, type: "varchar" })),
    },
    {
      name: "mine",
      tableReference: { table: "sales/*.parquet" },
      columns: columns(),
      rowLevelAccessControls: [{ name: "r", requiredProperties: [], condition: "city = 'Oslo'" }],
    },
  ],
});
/** Forty years, each with two rows. */
const YEARS = Array.from({ length: 40 }, (_, n) => 1980 + n);
const TEXTS = {
  csv: (year: number) => Buffer.from(`n,city\n${year},Oslo\n1,Rome\n`),
  "csv.gz": (year: number) => gzipSync(`n,city\n${year},Oslo\n1,Rome\n`),
  "csv.zst": (year: number) => zstdCompressSync(`n,city\n${year},Oslo\n1,Rome\n`),
  ndjson: (year: number) => Buffer.from(`{"n":${year},"city":"Oslo"}\n{"n":1,"city":"Rome"}\n`),
  json: (year: number) => Buffer.from(`[{"n":${year},"city":"Oslo"},{"n":1,"city":"Rome"}]`),
} as const;
const TEXT_MANIFEST = manifestOf({
  catalog: "c",
  schema: "s",
  models: Object.keys(TEXTS).flatMap((ending) => {
    const tableReference = { table: `texts/*/f.${ending}` };
    const own = { n: "bigint", city: "varchar", year: "bigint" };
    const columns = Object.entries(own).map(([name, type]) => ({ name, type }));
    return [
      { name: ending, tableReference, columns },
      {
        name: `ruled ${ending}`,
        tableReference,
        columns,
        rowLevelAccessControls: [{ name: "r", requiredProperties: [], condition: "city = 'Oslo'" }],
      },
      {
        name: `recent ${ending}`,
        tableReference,
        columns,
        rowLevelAccessControls: [{ name: "r", requiredProperties: [], condition: "year >= 2018" }],
      },
    ];
  }),
});
const rowsFrom = (from: number): string => `SELECT i AS id, DATE '2020-01-01' + (i // 400)::INTEGER AS day,
  (i * 1.25)::DECIMAL(12, 2) AS price, ['Oslo', 'Rome', 'Lima'][i % 3 + 1] AS city, repeat('x', 20) || hash(i) AS note
  FROM range(${from}, ${from + ROWS}) t(i)`;

const ground = playground();
let sidecar: SidecarProcess;
let server: S3Server;
let connector: Connector;
let size = 0;

beforeAll(async () => {
  for (const folder of ["sales", "years"]) mkdirSync(join(ground.root, folder));
  await makeWith(
    Array.from({ length: FILES }, (_, n) => {
      const year = join(ground.root, "years", `year=${2000 + n}`);
      mkdirSync(year);
      const part = `${String(n).padStart(2, "0")}.parquet`;
      const copy = (path: string): string =>
        `COPY (${rowsFrom(n * ROWS)}) TO '${path}' (FORMAT parquet, ROW_GROUP_SIZE 2048)`;
      return `${copy(join(ground.root, "sales", part))}; ${copy(join(year, part))}`;
    }),
  );
  // Ten groups of rows whose bounds tell no keys apart, and their filters do.
  await makeWith([
    `COPY (SELECT 'k' || CASE i WHEN 0 THEN 0 WHEN 1 THEN 99999 ELSE (i % 500) * 10 + g END AS key, md5(i || 'of' || g) AS note
      FROM range(10) a(g), range(20480) b(i) ORDER BY g, i)
     TO '${join(ground.root, "keys.parquet")}' (FORMAT parquet, ROW_GROUP_SIZE 20480)`,
  ]);
  server = await startS3Server();
  for (const name of readdirSync(ground.root, { recursive: true, encoding: "utf8" })) {
    const path = join(ground.root, name);
    if (statSync(path).isFile()) server.objects.set(name, readFileSync(path));
  }
  size = [...server.objects].reduce(
    (sum, [key, { byteLength }]) => sum + (key.startsWith("sales") ? byteLength : 0),
    0,
  );
  sidecar = await startSidecar({ ALLOWED_HOSTS: "127.0.0.1" });
  connector = await connectorIn(sidecar, "minio_file", server.connectionInfo());
}, 120_000);
afterAll(async () => {
  await connector.close();
  await Promise.all([sidecar.stop(), server.close()]);
  ground.remove();
});

/** The rows, and what was read of the store: a share of the bytes, and objects. */
async function asked(sql: string, manifest = MANIFEST): Promise<{ rows: unknown[]; share: number; reads: number }> {
  const [before, requests] = [server.bytes, server.requests.length];
  const statement = statementOf(planned(sql, manifest, { source: "minio_file" }));
  const rows = await drain(await connector.query(statement, patient()));
  const reads = server.requests.slice(requests).filter((request) => request.startsWith("GET")).length;
  return { rows, share: (server.bytes - before) / size, reads };
}

describe("of Parquet in a bucket", () => {
  it.each<[sql: string, rows: unknown[], share: number]>([
    // Footers are a tenth of files that are so small.
    ["SELECT count(*) FROM sales", [[600_000n]], 0.12],
    ["SELECT sum(price) FROM sales WHERE id BETWEEN 300000 AND 300010", [["4125068.75"]], 0.13],
    ["SELECT count(*) FROM sales WHERE day = DATE '2021-01-01'", [[400n]], 0.13],
    ["SELECT max(note) FROM sales WHERE id < 0", [[null]], 0.12],
    ["SELECT count(*), min(id) FROM mine WHERE id > 599990", [[3n, 599_991n]], 0.14],
  ])("%s", async (sql, rows, most) => {
    const answer = await asked(sql);
    expect(answer.rows).toEqual(rows);
    expect(answer.share).toBeLessThan(most);
  });

  it("is read in those groups of rows whose filters know a value", async () => {
    const size = server.objects.get("keys.parquet")?.byteLength ?? 0;
    const before = server.bytes;
    expect((await asked("SELECT count(note) FROM keyed WHERE key = 'k1234'")).rows).toEqual([[41n]]);
    expect(server.bytes - before).toBeLessThan(size * 0.2);
    expect((await asked("SELECT count(*), max(note) FROM keyed WHERE key = 'k77777'")).rows).toEqual([[0n, null]]);
  });

  it("is read where directories do not rule it out, and of the others nothing", async () => {
    const one = await asked("SELECT count(*), sum(id - 90000)::bigint FROM years WHERE year = 2003");
    expect(one.rows).toEqual([[30_000n, 449_985_000n]]);
    // A listing, its footer, and its values in one piece.
    expect(one.reads).toBeLessThan(5);
    const none = await asked("SELECT count(*), max(note), max(year) FROM years WHERE year = 1999");
    expect(none.rows).toEqual([[0n, null, null]]);
    expect(none.reads).toBeLessThan(4);
  });

  it("reads a footer once for each version of an object, and for each connection", async () => {
    const sql = "SELECT count(*) FROM sales";
    await asked(sql);
    expect(await asked(sql)).toEqual({ rows: [[600_000n]], share: 0, reads: 0 });
    const first = server.objects.get("sales/00.parquet") ?? new Uint8Array();
    server.objects.set("sales/00.parquet", server.objects.get("sales/01.parquet") ?? new Uint8Array());
    expect((await asked(sql)).reads).toBe(1);
    const other = await connectorIn(sidecar, "minio_file", server.connectionInfo({ url: "sales" }));
    const requests = server.requests.length;
    await drain(await other.query(statementOf(planned(sql, MANIFEST, { source: "minio_file" })), patient()));
    await other.close();
    expect(server.requests.length - requests).toBe(21);
    server.objects.set("sales/00.parquet", first);
  });

  it("is read whole where a footer says more than is looked into", async () => {
    const file = server.objects.get("sales/00.parquet") ?? new Uint8Array();
    const tail = file.length - 8;
    const start = tail - new DataView(file.buffer, file.byteOffset).getUint32(tail, true);
    const text: Field = { type: "binary", value: new TextEncoder().encode("k") };
    const entry: Field = { type: "struct", value: new Map([[1, text]]) };
    const fields = new Map(readStruct(file.subarray(start, tail)));
    fields.set(5, { type: "list", of: 12, value: Array.from({ length: 300_000 }, () => entry) });
    const footer = writeStruct(new Map([...fields].sort(([a], [b]) => a - b)));
    const changed = Buffer.concat([file.subarray(0, start), footer, Buffer.alloc(4), file.subarray(tail + 4)]);
    changed.writeUInt32LE(footer.length, start + footer.length);
    server.objects.set("sales/00.parquet", changed);
    const [before, expected] = [server.bytes, await asked("SELECT count(*), sum(price) FROM sales WHERE id >= 0")];
    expect(expected.rows).toEqual([[600_000n, "224999625000.00"]]);
    expect(server.bytes - before).toBeGreaterThan(changed.length);
    server.objects.set("sales/00.parquet", file);
  });

  it("says what is wrong with a footer, and whose it is", async () => {
    server.objects.set("sales/99.parquet", new TextEncoder().encode("PAR1 nothing of the kind PAR1"));
    expect(await failureOf(asked("SELECT count(*) FROM sales"))).toMatchObject({
      reason: "FILE_INVALID",
      message: '"s3://lake/sales/99.parquet" cannot be read: Its footer is longer than the file.',
    });
    server.objects.delete("sales/99.parquet");
  });
});

describe.each(Object.entries(TEXTS))("of %s in directories of years", (ending, fileOf) => {
  const sniffed = ending.startsWith("csv") ? 10 : 16;
  const keyOf = (year: number): string => `texts/year=${year}/f.${ending}`;
  beforeAll(() => {
    for (const year of YEARS) server.objects.set(keyOf(year), fileOf(year));
    // Neither is to be looked at.
    server.objects.set(keyOf(2012), Buffer.from([0xff, 0xfe, 0]));
    server.objects.set(keyOf(2013), Buffer.from(""));
  });

  it.each<[sql: string, model: string, rows: unknown[], files: number]>([
    ["SELECT count(*), sum(n)::bigint FROM t WHERE year = 2017", "", [[2n, 2018n]], sniffed + 1],
    ["SELECT count(*), min(year) FROM t WHERE year >= 2018", "", [[4n, 2018n]], sniffed + 2],
    ["SELECT count(*), max(city) FROM t WHERE year < 1900", "", [[0n, null]], sniffed],
    ["SELECT count(*), min(year) FROM t WHERE year = 1983", "", [[2n, 1983n]], sniffed],
    // Where types are declared, no more than what is asked for is looked at, and one file that tells the columns.
    ["SELECT count(*), sum(n)::bigint FROM t WHERE year = 2017", "ruled ", [[1n, 2017n]], 2],
    ["SELECT count(*), sum(n)::bigint FROM t WHERE year IN (2015, 2016)", "ruled ", [[2n, 4031n]], 3],
    ["SELECT count(*), sum(n)::bigint FROM t WHERE year < 1900", "ruled ", [[0n, null]], 1],
    ["SELECT count(*), min(year) FROM t", "recent ", [[4n, 2018n]], 3],
  ])("%s (%s)", async (sql, model, rows, files) => {
    const answer = await asked(sql.replace("FROM t", `FROM "${model}${ending}"`), TEXT_MANIFEST);
    expect(answer.rows).toEqual(rows);
    expect(answer.reads).toBe(files);
  });

  it("is looked at by those that tell the columns, to check a statement", async () => {
    const before = server.requests.length;
    const statement = statementOf(planned(`SELECT * FROM "${ending}"`, TEXT_MANIFEST, { source: "minio_file" }));
    await connector.dryRun(statement, patient());
    // A listing comes before them.
    expect(server.requests.length - before).toBe(1 + sniffed);
  });
});
