/** SQL of a model that reads Parquet by itself, past the checks of values: no memory of the engine may be read through it. */
import { basename } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Connector } from "../../src/connectors/connector.ts";
import { ask, connectTo, type Playground, playground } from "../sidecar/duckdb/fixtures.ts";
import { bigEndian, int32s, int64s, leaf, list, parquetFile } from "../support/parquet-file.ts";

const HOUR = 3_600_000_000n;
const time = leaf("t", "int64", { converted: "timeMicros" });

const FILES = {
  "hours.parquet": parquetFile({
    columns: [time],
    rows: 1,
    leaves: [{ definitions: [1], values: int64s(1_000n * HOUR) }],
  }),
  "list.parquet": parquetFile({
    columns: [list("t", time)],
    rows: 1,
    leaves: [{ repetitions: [0], definitions: [3], values: int64s(1_000n * HOUR) }],
  }),
  "fraction.parquet": parquetFile({
    columns: [leaf("t", "fixed", { converted: "decimal", precision: 9, scale: 9, length: 4 })],
    rows: 1,
    leaves: [{ definitions: [1], values: bigEndian(4, 2_000_000_000n) }],
  }),
};
const PLAIN = parquetFile({
  columns: [leaf("t", "int32")],
  rows: 1,
  leaves: [{ definitions: [1], values: int32s(7) }],
});

/** Ways to read a file: its name, and the statement that reads it. */
const WAYS: readonly (readonly [way: string, (path: string) => string])[] = [
  ["a call", (path) => `SELECT CAST(t AS VARCHAR) AS t FROM read_parquet('${path}')`],
  ["a call of the other name", (path) => `SELECT CAST(t AS VARCHAR) AS t FROM parquet_scan(['${path}'])`],
  ["its name", (path) => `SELECT CAST(t AS VARCHAR) AS t FROM '${path}'`],
  ["a pattern", (path) => `SELECT CAST(t AS VARCHAR) AS t FROM '${path.replace(/(\/)\w(\w*\.parquet)$/, "$1?$2")}'`],
  [
    "a joined path",
    (path) => `SELECT CAST(t AS VARCHAR) AS t FROM read_parquet('${path.slice(0, -3)}' || '${path.slice(-3)}')`,
  ],
  ["a query in a text", (path) => `SELECT CAST(t AS VARCHAR) AS t FROM query('SELECT t FROM ''${path}''')`],
  ["a common table", (path) => `WITH c AS MATERIALIZED (FROM '${path}') SELECT CAST(t AS VARCHAR) AS t FROM c`],
];

describe.each(Object.entries(FILES))("%s", (file, content) => {
  let ground: Playground;
  let native: Connector;
  beforeAll(async () => {
    ground = playground();
    ground.write(`tables/${file}`, content);
    ground.write("others/plain.parquet", PLAIN);
    native = await connectTo(ground);
  });
  afterAll(async () => {
    await native.close();
    ground.remove();
  });

  it.each(WAYS)("by %s is refused", async (_, sql) => {
    await expect(ask(native, sql(`${ground.root}/tables/${file}`))).rejects.toMatchObject({ reason: "FILE_INVALID" });
  });

  it.each(WAYS)("by %s is refused beside a model that names the file", async (_, sql) => {
    const path = `tables/${file}`;
    const text = `SELECT n.t FROM (${sql(`${ground.root}/${path}`)}) n, (SELECT 1 FROM "${path}" LIMIT 0) m`;
    await expect(ask(native, text, path)).rejects.toMatchObject({ reason: "FILE_INVALID" });
  });

  it.each(WAYS.filter(([way]) => way !== "a joined path" && way !== "a pattern"))(
    "by %s another file beside it is answered",
    async (_, sql) => {
      expect((await ask(native, sql(`${ground.root}/others/plain.parquet`))).rows).toEqual([["7"]]);
    },
  );

  it.each(["count(*)", "CAST(max(t) AS VARCHAR)", "CAST(min(t) AS VARCHAR)"])("by %s is refused", async (value) => {
    const sql = `SELECT ${value} AS n FROM '${ground.root}/tables/${basename(file)}'`;
    await expect(ask(native, sql)).rejects.toMatchObject({ reason: "FILE_INVALID" });
  });
});
