/** Parquet files by DuckDB's WASM, which cannot read them, and by native DuckDB: the same cells, or none. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Connector } from "../../../src/connectors/connector.ts";
import { ConnectorFailure } from "../../../src/connectors/failure.ts";
import { hasModule, PYTHON } from "../../engines/unexecuted/readers.ts";
import { random } from "../../planner/syntax/random.ts";
import { ask, calling, connectTo, makeWith, type Playground, playground } from "../../sidecar/duckdb/fixtures.ts";
import { difference, type Outcome, openOver } from "./both-engines.ts";
import { generatedFile } from "./generated-parquet.ts";

/** Share of 300 files; CI takes some of them (`PARQUET_EVERY=1` takes all). */
const EVERY = Number(process.env["PARQUET_EVERY"] ?? 15);
const FILES = Array.from({ length: 300 }, (_, seed) => seed)
  .filter((seed) => seed % EVERY === 0)
  .map(generatedFile);

let ground: Playground;
let native: Connector;
let wasm: Connector;

beforeAll(async () => {
  ground = playground();
  mkdirSync(join(ground.root, "generated"));
  await makeWith(FILES.map((file) => file.copy(ground.root)));
  native = await connectTo(ground);
  wasm = await openOver(ground.root, "csv");
}, 120_000);

afterAll(async () => {
  await native.close();
  await wasm.close();
  ground.remove();
});

async function outcome(connector: Connector, sql: string, path: string): Promise<Outcome> {
  try {
    const { columns, rows } = await ask(connector, sql, path);
    return { columns, rows };
  } catch (error) {
    if (!(error instanceof ConnectorFailure)) throw error;
    return { reason: error.reason, message: error.message };
  }
}

/** How many of the statements have rows, which are the same. */
async function compare(path: string, columns: readonly string[]): Promise<number> {
  let answered = 0;
  const names = columns.map((name) => `"${name.replaceAll('"', '""')}"`);
  const last = names.at(-1);
  for (const sql of [
    `SELECT ${names.join(", ")} FROM "${path}"`,
    `SELECT count(*), count(${last}), min(${last}::varchar) FROM "${path}"`,
  ]) {
    const theirs = await outcome(native, sql, path);
    const ours = await outcome(wasm, sql, path);
    // Files that the engine itself cannot read.
    if (theirs.rows === undefined) expect(ours, sql).toMatchObject({ reason: "NEEDS_SIDECAR" });
    else {
      expect(difference(ours, theirs), sql).toBe("none");
      answered++;
    }
  }
  return answered;
}

describe("Parquet by DuckDB's WASM is what native DuckDB reads", () => {
  it.each(FILES)("$path", async ({ path, columns }) => {
    expect(await compare(path, columns)).toBe(2);
  });

  // PyArrow is there after `npm run engines`.
  it.skipIf(!hasModule("pyarrow"))("as PyArrow writes it", { timeout: 300_000 }, async () => {
    mkdirSync(join(ground.root, "arrow"));
    const script = fileURLToPath(new URL("./arrow_files.py", import.meta.url));
    const told = execFileSync(PYTHON, [script, join(ground.root, "arrow")], { encoding: "utf8", timeout: 60_000 });
    const files = told.trim().split("\n");
    expect(files.length).toBeGreaterThan(50);
    for (const file of files.filter((_, index) => index % EVERY === 0)) {
      const path = `arrow/${file}`;
      const described = await ask(native, `SELECT * FROM "${path}" LIMIT 0`, path);
      await compare(
        path,
        described.columns.map(({ name }) => name),
      );
    }
  });
});

describe("directories of Parquet", () => {
  const PATHS = ["hive/**/*.parquet", "hive/year=2024/**/*.parquet", "mixed/**/*.parquet", "other-columns/*.parquet"];

  beforeAll(async () => {
    const files: readonly (readonly [path: string, columns: string])[] = [
      ["hive/year=2023/day=2024-01-01/k=a%20b/f.parquet", "1 AS v, 'x' AS w"],
      ["hive/year=2024/day=2024-01-02/k=__HIVE_DEFAULT_PARTITION__/f.parquet", "2 AS v, 'y' AS w"],
      ["hive/year=2024/day=2024-01-02/k=__HIVE_DEFAULT_PARTITION__/g.parquet", "'z' AS w, 3 AS v"],
      ["mixed/n=1/f.parquet", "1 AS v"],
      ["mixed/n=x/f.parquet", "2 AS v"],
      ["other-columns/a.parquet", "1 AS v, 2 AS w"],
      ["other-columns/b.parquet", "3.5 AS v, 4 AS w"],
    ];
    for (const [path] of files) mkdirSync(dirname(join(ground.root, path)), { recursive: true });
    await makeWith(
      files.map(([path, columns]) => `COPY (SELECT ${columns}) TO '${ground.root}/${path}' (FORMAT parquet)`),
    );
  });

  it.each([
    "SELECT v, w, year, day, k FROM f ORDER BY v",
    "SELECT year, count(*), sum(v) FROM f WHERE k IS NULL OR day < DATE '2024-01-02' GROUP BY ALL ORDER BY 1",
    "SELECT day + INTERVAL 1 DAY, year + 1, typeof(year), typeof(k), typeof(day) FROM f LIMIT 5",
    "SELECT count(*) FROM f",
  ])("%s", async (sql) => {
    for (const path of PATHS.slice(0, 2)) {
      const own = sql.replace("FROM f", `FROM "${path}"`);
      expect(difference(await outcome(wasm, own, path), await outcome(native, own, path))).toBe("none");
    }
  });

  it("whose names are of several types", async () => {
    const [, , path = ""] = PATHS;
    const sql = `SELECT n, v, typeof(n) FROM "${path}" ORDER BY v`;
    expect(difference(await outcome(wasm, sql, path), await outcome(native, sql, path))).toBe("none");
  });

  it("with files whose columns differ are the sidecar's", async () => {
    const [, , , path = ""] = PATHS;
    expect(await outcome(wasm, `SELECT v FROM "${path}"`, path)).toMatchObject({ reason: "NEEDS_SIDECAR" });
    expect(await outcome(wasm, `SELECT count(*) FROM "${path}"`, path)).toHaveProperty("reason");
  });

  it("read only what may have a say, under access rules as without", async () => {
    const [path = ""] = PATHS;
    const ask = async (column: string, more: object) => {
      const filters = [{ column: "year", operator: "=" as const, values: [{ kind: "number" as const, text: "2023" }] }];
      const scans = [{ columns: ["v", column], filters }];
      const reads = [{ model: "m", columns: [], physical: { table: path }, scans, ...more }];
      const sql = `SELECT v, ${column} FROM "${path}"`;
      const { batches } = await wasm.query({ sql, columns: [], session: [], reads }, calling());
      const rows: unknown[] = [];
      for await (const batch of batches) rows.push(...batch);
      return rows;
    };
    expect(await ask("year", {})).toEqual([[1, 2023n]]);
    expect(await ask("w", {})).toEqual([[1, "x"]]);
    const declared = [
      { name: "v", type: { kind: "integer", bits: 32 } },
      { name: "year", type: { kind: "text" } },
    ];
    expect(await ask("w", { declared })).toEqual([[1, "x"]]);
    expect(await ask("year", { declared })).toEqual([[1, "2023"]]);
  });
});

describe("a file that is not what it says", () => {
  const path = "broken.parquet";
  const sql = `SELECT a, b, c FROM "${path}"`;
  let whole: Uint8Array;

  beforeAll(async () => {
    const columns = "i AS a, 't' || i % 9 AS b, [i, NULL] AS c";
    await makeWith([`COPY (SELECT ${columns} FROM range(500) t(i)) TO '${ground.root}/${path}' (FORMAT parquet)`]);
    whole = readFileSync(join(ground.root, path));
  });

  it("is told as such, or read as its bytes are, and leaves the engine as it was", async () => {
    const { below } = random(7);
    const reasons = new Set<unknown>();
    for (let turn = 0; turn < 60; turn++) {
      const bytes = Uint8Array.from(whole);
      for (let change = 0; change <= turn % 4; change++) bytes[4 + below(bytes.length - 12)] = below(256);
      ground.write(path, bytes);
      reasons.add((await outcome(wasm, sql, path)).reason);
    }
    expect(reasons).toContain("FILE_INVALID");
    for (const allowed of ["FILE_INVALID", "NEEDS_SIDECAR", "SOURCE_INVALID_SQL", undefined]) reasons.delete(allowed);
    expect([...reasons]).toEqual([]);
    ground.write(path, whole);
    expect(difference(await outcome(wasm, sql, path), await outcome(native, sql, path))).toBe("none");
  });
});

describe("moments", () => {
  const path = "moments.parquet";

  beforeAll(() =>
    makeWith([
      `COPY (SELECT '2024-03-01 10:00:00+00'::timestamptz AS z, 'x' AS t) TO '${ground.root}/${path}' (FORMAT parquet)`,
    ]),
  );

  it.each([
    "z + INTERVAL 1 MONTH",
    "INTERVAL 1 HOUR + z",
    "z - z",
    "z::date",
    "date_trunc('day', z)",
    "extract(hour FROM z)",
    "strftime(z, '%Y')",
    "z AT TIME ZONE 'UTC'",
    "'2024-01-01 10:00:00 Europe/Berlin'::timestamptz",
    "TRY_CAST(t AS TIMESTAMP WITH TIME ZONE)",
  ])("%s takes the sidecar", async (expression) => {
    const sql = `SELECT ${expression} FROM "${path}"`;
    expect(await outcome(native, sql, path)).toHaveProperty("rows");
    expect(await outcome(wasm, sql, path)).toMatchObject({ reason: "NEEDS_SIDECAR" });
  });

  it.each([
    "z",
    "z::varchar",
    "z::timestamp",
    "z > '2024-01-01'",
    "z = '2024-03-01 10:00:00'",
    "epoch_ms(z)",
    "'2024-01-01'::timestamptz",
  ])("%s is the same", async (expression) => {
    const sql = `SELECT ${expression} FROM "${path}"`;
    expect(difference(await outcome(wasm, sql, path), await outcome(native, sql, path))).toBe("none");
  });
});
