/** A TIME that is not within a day: DuckDB 1.4 prints it by memory at an address that the file chooses. Both places refuse it. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Connector } from "../../src/connectors/connector.ts";
import { ask, connectTo, type Playground, playground } from "../sidecar/duckdb/fixtures.ts";
import { type FilesService, startFilesService } from "../support/files-service.ts";
import { int32s, int64s, leaf, list, map, parquetFile, struct } from "../support/parquet-file.ts";

const HOUR = 3_600_000_000n;
const time = leaf("t", "int64", { converted: "timeMicros" });

function times(...values: readonly bigint[]): Uint8Array {
  const leaves = [{ definitions: values.map(() => 1), values: int64s(...values) }];
  return parquetFile({ columns: [time], rows: values.length, leaves });
}

/** None prints it far enough from its memory to end a process. */
const FILES = {
  "hours.parquet": times(1_000n * HOUR),
  "just.parquet": times(24n * HOUR, 24n * HOUR + 1n),
  "negative.parquet": times(0n, -1n),
  "millis.parquet": parquetFile({
    columns: [leaf("t", "int32", { converted: "timeMillis" })],
    rows: 1,
    leaves: [{ definitions: [1], values: int32s(400_000_000) }],
  }),
  // DuckDB trusts what a file says of its least and its greatest value.
  "stated.parquet": parquetFile({
    columns: [time],
    rows: 1,
    leaves: [{ definitions: [1], values: int64s(1_000n * HOUR), statistics: { min: int64s(0n), max: int64s(HOUR) } }],
  }),
};

const NESTED = {
  "list.parquet": parquetFile({
    columns: [list("t", time)],
    rows: 1,
    leaves: [{ repetitions: [0, 1], definitions: [3, 3], values: int64s(HOUR, 1_000n * HOUR) }],
  }),
  "struct.parquet": parquetFile({
    columns: [struct("t", time)],
    rows: 1,
    leaves: [{ definitions: [2], values: int64s(1_000n * HOUR) }],
  }),
  "key.parquet": parquetFile({
    columns: [map("t", time, leaf("v", "int32"))],
    rows: 1,
    leaves: [
      { repetitions: [0], definitions: [2], values: int64s(1_000n * HOUR) },
      { repetitions: [0], definitions: [3], values: int32s(1) },
    ],
  }),
  "value.parquet": parquetFile({
    columns: [map("t", leaf("k", "int32"), struct("v", time))],
    rows: 1,
    leaves: [
      { repetitions: [0], definitions: [2], values: int32s(1) },
      { repetitions: [0], definitions: [4], values: int64s(1_000n * HOUR) },
    ],
  }),
};

const WITHIN = times(0n, 24n * HOUR, 24n * HOUR - 1n);

describe("in the files Worker", () => {
  let service: FilesService;
  beforeAll(async () => {
    service = await startFilesService({ ...FILES, ...NESTED, "within.parquet": WITHIN });
  }, 300_000);
  afterAll(() => service.close());

  it.each(Object.keys({ ...FILES, ...NESTED }))("%s", async (table) => {
    const answer = await service.ask("SELECT t FROM t", table, { t: "unknown" });
    expect(answer).toMatchObject({ status: 422, reason: "FILE_INVALID", data: undefined });
  });

  it("are answered up to midnight at the end of the day", async () => {
    const { data } = await service.ask("SELECT CAST(t AS VARCHAR) AS t FROM t", "within.parquet", { t: "time" });
    expect(data).toEqual([["00:00:00"], ["24:00:00"], ["23:59:59.999999"]]);
  });
});

describe("in the sidecar", () => {
  let ground: Playground;
  let native: Connector;
  beforeAll(async () => {
    ground = playground();
    for (const [name, content] of Object.entries({ ...FILES, ...NESTED })) ground.write(name, content);
    ground.write("within.parquet", WITHIN);
    native = await connectTo(ground);
  });
  afterAll(async () => {
    await native.close();
    ground.remove();
  });

  it.each(Object.keys({ ...FILES, ...NESTED }))("%s as text", async (table) => {
    await expect(ask(native, `SELECT CAST(t AS VARCHAR) FROM "${table}"`, table)).rejects.toThrow("not within a day");
  });

  it("are answered up to midnight at the end of the day", async () => {
    const path = "within.parquet";
    const { rows } = await ask(native, `SELECT CAST(t AS VARCHAR) FROM "${path}"`, path);
    expect(rows).toEqual([["00:00:00"], ["24:00:00"], ["23:59:59.999999"]]);
  });
});
