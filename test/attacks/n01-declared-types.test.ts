/** Text files have the types that the manifest declares: each answer is the same with a rule that excludes nothing. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Connector } from "../../src/connectors/connector.ts";
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import { statementOf } from "../../src/planner/plan.ts";
import { openOver } from "../connectors/duckdb-wasm/both-engines.ts";
import { calling, connectTo, type Playground, playground, rowsOf } from "../sidecar/duckdb/fixtures.ts";
import { manifestOf, planned } from "../support/plan.ts";

type Columns = Readonly<Record<string, string>>;

let ground: Playground;
const connectors: Record<string, Connector> = {};
beforeAll(async () => {
  ground = playground();
  connectors.sidecar = await connectTo(ground);
  connectors.worker = await openOver(ground.root, "csv");
});
afterAll(async () => {
  await Promise.all(Object.values(connectors).map((each) => each.close()));
  ground.remove();
});

const NO_ROW_EXCLUDED = { name: "all", requiredProperties: [], condition: "id = id OR id IS NULL" };

/** The rows, or the reason of the failure. */
async function answer(place: string, path: string, columns: Columns, sql: string, isRuled = false): Promise<string> {
  const model = {
    name: "t",
    tableReference: { table: path },
    columns: Object.entries(columns).map(([name, type]) => ({ name, type })),
    ...(isRuled && { rowLevelAccessControls: [NO_ROW_EXCLUDED] }),
  };
  const plan = planned(sql, manifestOf({ catalog: "c", schema: "s", models: [model] }));
  try {
    const rows = await rowsOf(await connectors[place]!.query(statementOf(plan), calling()));
    return JSON.stringify(rows, (_key, value: unknown) => (typeof value === "bigint" ? `${value}` : value));
  } catch (error) {
    if (error instanceof ConnectorFailure) return error.reason;
    throw error;
  }
}

const CODES = "id,code\n1,1.50\n2,1.5\n3,10\n4,9\n";
const LATE = `id,v\n${Array.from({ length: 25_000 }, (_, at) => `${at},${at}\n`).join("")}25000,abc\n`;

describe.each(["sidecar", "worker"])("in the %s", (place) => {
  test.each<readonly [what: string, path: string, content: string, columns: Columns, sql: string, expected: string]>([
    [
      "texts of digits are texts",
      "codes.csv",
      CODES,
      { id: "INTEGER", code: "VARCHAR" },
      "SELECT count(DISTINCT code) FROM t",
      '[["4"]]',
    ],
    [
      "texts of digits are ordered as texts",
      "codes.csv",
      CODES,
      { id: "INTEGER", code: "VARCHAR" },
      "SELECT code FROM t ORDER BY code",
      '[["1.5"],["1.50"],["10"],["9"]]',
    ],
    [
      "a text behind many numbers",
      "late.csv",
      LATE,
      { id: "INTEGER", v: "VARCHAR" },
      "SELECT max(v) FROM t",
      '[["abc"]]',
    ],
    [
      "texts that look like days",
      "days.csv",
      "id,d\n1,01/02/2024\n",
      { id: "INTEGER", d: "VARCHAR" },
      "SELECT d, length(d) FROM t",
      '[["01/02/2024","10"]]',
    ],
    [
      "digits of JSON",
      "n.json",
      '{"id":1,"n":9007199254740993}\n{"id":2,"n":1.5}\n',
      { id: "INTEGER", n: "DECIMAL(38,1)" },
      "SELECT n FROM t ORDER BY id",
      '[["9007199254740993.0"],["1.5"]]',
    ],
    [
      "days of JSON that are texts",
      "d.json",
      '{"id":1,"d":"2024-01-02"}\n',
      { id: "INTEGER", d: "VARCHAR" },
      "SELECT d, length(d) FROM t WHERE d LIKE '2024%'",
      '[["2024-01-02","10"]]',
    ],
    [
      "a column that the file lacks, which the statement does not read",
      "codes.csv",
      CODES,
      { id: "INTEGER", more: "DATE" },
      "SELECT count(*), count(id) FROM t",
      '[["4","4"]]',
    ],
    [
      "a column that the file lacks",
      "codes.csv",
      CODES,
      { id: "INTEGER", more: "DATE" },
      "SELECT count(*), count(more) FROM t",
      "COLUMN_NOT_FOUND",
    ],
    [
      "a column that the JSON lacks",
      "d.json",
      '{"id":1,"d":"2024-01-02"}\n',
      { id: "INTEGER", more: "DATE" },
      "SELECT count(*), count(more) FROM t",
      '[["1","0"]]',
    ],
  ])("%s", async (_what, path, content, columns, sql, expected) => {
    ground.write(path, content);
    expect(await answer(place, path, columns, sql)).toBe(expected);
  });
});

/** A generator with a seed, so that a failure comes again. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const TYPES = ["VARCHAR", "INTEGER", "BIGINT", "DOUBLE", "DECIMAL(12,2)", "DATE", "TIMESTAMP", "BOOLEAN"];
const CELLS = [
  "",
  "1",
  "01",
  "1.50",
  "1.5",
  "-3",
  "abc",
  "true",
  "2024-01-02",
  "01/02/2024",
  "2024-01-02 03:04:05",
  "x y",
];
const QUERIES = [
  "SELECT * FROM t ORDER BY id",
  "SELECT count(*), count(DISTINCT a), min(a), max(b) FROM t",
  "SELECT a, count(*) FROM t GROUP BY a ORDER BY a",
  "SELECT id FROM t WHERE a = b ORDER BY id",
  "SELECT b FROM t WHERE b IS NOT NULL ORDER BY b, id",
];

describe.each(["csv", "json"])("generated %s", (format) => {
  test.each(Array.from({ length: 40 }, (_, seed) => seed))("seed %i", async (seed) => {
    const next = random(seed * 7919 + 17);
    const cells = Array.from({ length: 1 + next(3) }, () => CELLS[next(CELLS.length)]!);
    const cell = (): string => cells[next(cells.length)]!;
    const rows = Array.from({ length: 1 + next(8) }, (_, id) => ({ id, a: cell(), b: cell() }));
    const path = `generated/${seed}.${format}`;
    ground.write(
      path,
      format === "csv"
        ? `id,a,b\n${rows.map(({ id, a, b }) => `${id},${a},${b}\n`).join("")}`
        : rows.map((row) => `${JSON.stringify(row)}\n`).join(""),
    );
    const type = TYPES[next(TYPES.length)]!;
    const columns = { id: "INTEGER", a: type, b: type };
    for (const sql of QUERIES) {
      const ruled = await answer("sidecar", path, columns, sql, true);
      expect(await answer("sidecar", path, columns, sql), sql).toBe(ruled);
      const worker = await answer("worker", path, columns, sql);
      if (worker !== "NEEDS_SIDECAR") expect(worker, sql).toBe(ruled);
    }
  });
});
