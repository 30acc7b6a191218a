import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { needOf } from "../../../../src/connectors/files/need.ts";
import { type Projection, project } from "../../../../src/connectors/files/parquet/projection.ts";
import { statementOf } from "../../../../src/planner/plan.ts";
import { manifestOf, planned } from "../../../support/plan.ts";
import { footerOf } from "./footer-of.ts";

const directory = mkdtempSync(join(tmpdir(), "siskin-projection-"));
const instance = await DuckDBInstance.create(":memory:");
const connection = await instance.connect();
afterAll(() => {
  connection.closeSync();
  instance.closeSync();
  rmSync(directory, { recursive: true, force: true });
});

/** 40 groups of 2,048 rows, in the order of `id`. */
const ROWS = 81_920;
const SALES = `SELECT i AS id, (i % 977)::SMALLINT AS small, i::INTEGER AS "whole number", (i * 1.25)::DECIMAL(12, 2) AS price,
  (i * 3)::DECIMAL(38, 4) AS "large", DATE '2020-01-01' + (i // 100)::INTEGER AS day,
  TIMESTAMP '2020-01-01' + INTERVAL (i) MINUTE AS at, (TIMESTAMP '2020-01-01' + INTERVAL (i) MINUTE)::TIMESTAMPTZ AS instant,
  (TIMESTAMP '2020-01-01' + INTERVAL (i) MINUTE)::TIMESTAMP_NS AS nano,
  i / 7 AS real, CASE WHEN i = 5000 THEN 'NaN'::DOUBLE ELSE i END AS odd, (i / 3)::FLOAT AS single,
  printf('%06d', i) || 'é' AS code, i % 4096 < 2048 AS flag, CASE WHEN i < 4096 THEN NULL ELSE i END AS late,
  {'a': i, 'b': [i::VARCHAR, NULL]} AS nested, [i, i + 1] AS list, MAP {i: 'x'} AS map, i::UBIGINT AS positive,
  i::VARCHAR::BLOB AS raw, uuid_blob.u AS u
  FROM range(${ROWS}) t(i), (SELECT '00000000-0000-0000-0000-000000000001'::UUID AS u) uuid_blob`;
const TYPES: Readonly<Record<string, string>> = {
  id: "bigint",
  small: "smallint",
  "whole number": "integer",
  price: "decimal(12,2)",
  large: "decimal(38,4)",
  day: "date",
  at: "timestamp",
  instant: "timestamptz",
  nano: "timestamp",
  real: "double",
  odd: "double",
  single: "real",
  code: "varchar",
  flag: "boolean",
  late: "bigint",
  positive: "bigint",
  nested: "json",
};
const MANIFEST = manifestOf({
  catalog: "c",
  schema: "s",
  models: [
    {
      name: "sales",
      tableReference: { table: "sales.parquet" },
      columns: Object.entries(TYPES).map(([name, type]) => ({ name, type })),
    },
  ],
});

async function rows(sql: string): Promise<string> {
  return JSON.stringify(await (await connection.runAndReadAll(sql)).getRowsJson());
}

async function shown(path: string): Promise<void> {
  await connection.run(`CREATE OR REPLACE VIEW "sales.parquet" AS SELECT * FROM read_parquet('${path}')`);
}

/** The file as the projection says, with holes for all the rest. */
function projected(path: string, projection: Projection): { readonly path: string; readonly share: number } {
  const original = readFileSync(path);
  const last = projection.written.at(-1);
  const bytes = Buffer.alloc((last?.at ?? 0) + (last?.bytes.length ?? 0), 0xee);
  let read = 0;
  for (const { start, end } of projection.ranges) {
    original.copy(bytes, start, start, end);
    read += end - start;
  }
  for (const written of projection.written) bytes.set(written.bytes, written.at);
  const to = path.replace(/\.parquet$/, ".projected.parquet");
  writeFileSync(to, bytes);
  return { path: to, share: read / original.length };
}

function projectionFor(sql: string, path: string): Projection {
  const { reads } = statementOf(planned(sql, MANIFEST, { source: "local_file" }));
  const bytes = readFileSync(path);
  return project(footerOf(bytes), needOf(reads[0]?.scans));
}

const FILES: Readonly<Record<string, string>> = {
  plain: "COMPRESSION uncompressed",
  snappy: "COMPRESSION snappy",
  zstd: "COMPRESSION zstd, PARQUET_VERSION v2",
  gzip: "COMPRESSION gzip",
  lz4: "COMPRESSION lz4_raw",
  brotli: "COMPRESSION brotli",
};

/** A query, and the most of the plain file that it may read: groups by their statistics, columns by their names. */
const QUERIES: readonly (readonly [sql: string, share: number])[] = [
  ["SELECT count(*) FROM sales", 0.001],
  ["SELECT sum(id) FROM sales", 0.1],
  ["SELECT * FROM sales WHERE id = 5000", 0.06],
  ["SELECT sum(price) FROM sales WHERE id BETWEEN 10000 AND 12000", 0.02],
  ['SELECT count(*) FROM sales WHERE "whole number" >= 81000', 0.01],
  ["SELECT sum(id) FROM sales WHERE price < 100.5", 0.01],
  ["SELECT sum(id) FROM sales WHERE price = 100.25", 0.01],
  ["SELECT sum(id) FROM sales WHERE large > 245000.5", 0.01],
  ["SELECT count(*) FROM sales WHERE day = DATE '2021-01-01'", 0.01],
  ["SELECT count(*) FROM sales WHERE day > '2022-03-01'", 0.01],
  ["SELECT count(*) FROM sales WHERE at < '2020-01-02 10:00:00.5'", 0.01],
  ["SELECT count(*) FROM sales WHERE at < DATE '2020-01-02'", 0.01],
  ["SELECT count(*) FROM sales WHERE instant >= '2020-02-26'", 0.01],
  ["SELECT count(*) FROM sales WHERE nano >= '2020-02-26'", 0.01],
  ["SELECT count(*) FROM sales WHERE real < 3", 0.01],
  ["SELECT sum(id) FROM sales WHERE odd > 100000", 0.2],
  ["SELECT sum(id) FROM sales WHERE odd = 100", 0.02],
  ["SELECT sum(id) FROM sales WHERE single <= 1.1", 0.1],
  ["SELECT sum(id) FROM sales WHERE single = 1.3333334", 0.1],
  ["SELECT sum(id) FROM sales WHERE code = '000001é'", 0.02],
  ["SELECT sum(id) FROM sales WHERE code >= '081919'", 0.02],
  ["SELECT sum(id) FROM sales WHERE code IN ('000001é', '070000é', 'x')", 0.03],
  ["SELECT sum(id) FROM sales WHERE flag", 0.1],
  ["SELECT sum(late) FROM sales WHERE late < 5000", 0.02],
  ["SELECT sum(positive) FROM sales WHERE positive = 7", 0.1],
  ["SELECT sum(small) FROM sales WHERE small = 976 AND id < 5000", 0.02],
  ["SELECT nested FROM sales WHERE id = 5", 0.03],
  ["SELECT count(*) FROM sales WHERE id = -1", 0.001],
  ["SELECT max(day) FROM sales WHERE id = -1", 0.001],
  ["SELECT a.id FROM sales a JOIN sales b ON a.id = b.id + 80000 WHERE b.price < 3 AND a.id > 10", 0.5],
  ["SELECT sum(id) FROM sales WHERE id > 81900.5", 0.01],
  ["SELECT sum(id) FROM sales WHERE id > 8.19e4", 0.2],
];

beforeAll(async () => {
  await connection.run("SET TimeZone = 'UTC'");
  await connection.run(`CREATE TABLE sales AS ${SALES}`);
  for (const [name, options] of Object.entries(FILES)) {
    const path = join(directory, `${name}.parquet`);
    await connection.run(
      `COPY (FROM sales WHERE id < ${name === "plain" ? ROWS : 6144}) TO '${path}' (FORMAT parquet, ROW_GROUP_SIZE 2048, ${options})`,
    );
  }
}, 120_000);

describe.each(Object.keys(FILES))("of a file that is %s", (name) => {
  // The columns read do not depend on the compression.
  it.each(name === "plain" ? QUERIES : QUERIES.slice(0, 5))("%s", async (sql, share) => {
    const path = join(directory, `${name}.parquet`);
    const { sql: text } = planned(sql, MANIFEST, { source: "local_file" });
    await shown(path);
    const whole = await rows(text);
    const part = projected(path, projectionFor(sql, path));
    await shown(part.path);
    expect(await rows(text)).toBe(whole);
    if (name === "plain") expect(part.share).toBeLessThan(share);
  });
});

it("keeps the columns apart that only case tells apart", async () => {
  const path = join(directory, "case.parquet");
  await connection.run(`COPY (SELECT 1 AS id, 2 AS xd, 3 AS other) TO '${path}' (FORMAT parquet)`);
  const written = readFileSync(path).toString("latin1").replaceAll("xd", "ID");
  writeFileSync(path, written, "latin1");
  const projection = project(footerOf(readFileSync(path)), { columns: new Set(["id_1"]), uses: [[]] });
  await shown(projected(path, projection).path);
  expect(await rows('SELECT * FROM "sales.parquet"')).toBe("[[1,2,3]]");
});
