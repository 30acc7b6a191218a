/**
 * Readers of files infer types from every row. Worlds whose visible rows are equal and whose hidden rows differ
 * answer alike while a rule is active: names, types, values and errors.
 *
 * Searched: what DuckDB's readers guess of a file (types of columns, keys of objects, lists, date formats, the delimiter,
 * quotes, escapes, the header, lines before it, one object a line or an array, columns that only some rows have, values of
 * partitions in paths), and what is in the file itself (Parquet, databases).
 */

import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Connector } from "../../src/connectors/connector.ts";
import type { Manifest } from "../../src/planner/index.ts";
import { statementOf } from "../../src/planner/plan.ts";
import { calling, connectTo, makeWith, type Playground, playground, rowsOf } from "../sidecar/duckdb/fixtures.ts";
import { manifestOf, planned } from "../support/plan.ts";

const RULE = {
  name: "own rows",
  requiredProperties: [{ name: "user", required: true }],
  condition: "owner = @user",
};
const CLEARANCE = {
  name: "clearance",
  requiredProperties: [{ name: "level", required: true }],
  operator: "GREATER_THAN_OR_EQUALS",
  threshold: "5",
};

const COLUMNS = [
  { name: "id", type: "INTEGER" },
  { name: "owner", type: "VARCHAR" },
  { name: "amount", type: "DECIMAL(10,2)" },
  { name: "code", type: "VARCHAR" },
  { name: "day", type: "DATE" },
  { name: "doc", type: "JSON" },
];

function modelOver(table: string, more: object = {}): Manifest {
  const model = {
    name: "orders",
    tableReference: { table },
    columns: COLUMNS,
    rowLevelAccessControls: [RULE],
    ...more,
  };
  return manifestOf({ catalog: "c", schema: "s", models: [model] });
}

const SESSION = new Map([
  ["user", "'ann'"],
  ["level", "1"],
]);

let ground: Playground;
let connector: Connector;
beforeAll(async () => {
  ground = playground();
  connector = await connectTo(ground);
});
afterAll(async () => {
  await connector.close();
  ground.remove();
});

/** Everything that an answer holds, or the failure. */
async function answer(sql: string, manifest: Manifest, asked = connector): Promise<string> {
  const plan = planned(sql, manifest, { session: SESSION });
  try {
    const stream = await asked.query(statementOf(plan), calling());
    const rows = await rowsOf(stream);
    return JSON.stringify({ columns: stream.columns, rows }, (_key, value: unknown) =>
      typeof value === "bigint" ? `${value}` : value,
    );
  } catch (error) {
    return String(error);
  }
}

const EVERYTHING = "SELECT id, owner, amount, code, day, doc FROM orders ORDER BY id";
const STATEMENTS = [
  EVERYTHING,
  "SELECT max(code) AS c, min(code) AS d, sum(amount) AS a FROM orders WHERE code > '1'",
  "SELECT doc ->> 'a' AS a, code || '!' AS c, CAST(doc AS text) AS d FROM orders ORDER BY id",
];

/** Visible rows are lines 1 and 2 and stand behind the hidden ones, where they are last to be looked at. */
const CSV = (hidden: string): string =>
  `id,owner,amount,code,day,doc\n${hidden}1,ann,1.50,7,2024-01-01,"{""a"": 1}"\n2,ann,12,10,2024-01-02,\n`;
const CSV_WORLDS: Readonly<Record<string, string>> = {
  "no hidden row": "",
  "hidden rows like the others": '3,bob,7,8,2024-01-03,"{""b"": 2}"\n',
  "a text among the codes": "3,bob,7,secret,2024-01-03,{}\n",
  "a code with a fraction": "3,bob,7,1.5,2024-01-03,{}\n",
  "codes that are dates": "3,bob,7,2024-01-01,2024-01-03,{}\n",
  "another delimiter in many rows": '3,bob,7,"a;b|c",2024-01-03,"x;y;z"\n'.repeat(50),
  "quotes of another kind": "3,bob,7,'8',2024-01-03,'x'\n".repeat(50),
  "empty values": "3,bob,,,,\n".repeat(50),
  "more rows than a reader looks at": "3,bob,7,12,2024-01-03,{}\n".repeat(25_000),
};

const JSON_ROWS = [
  { id: 1, owner: "ann", amount: 1.5, code: "7", day: "2024-01-01", doc: { a: 1 } },
  { id: 2, owner: "ann", amount: 12, code: "10", day: "2024-01-02" },
];
const JSON_WORLDS: Readonly<Record<string, readonly unknown[]>> = {
  "no hidden row": [],
  "hidden rows like the others": [{ id: 3, owner: "bob", amount: 2, code: "8", day: "2024-01-03", doc: { a: 2 } }],
  "other keys in objects": [{ id: 3, owner: "bob", doc: { "mail@secret": { deep: [1] } } }],
  "a list among objects": [{ id: 3, owner: "bob", doc: ["secret"] }],
  "a text among objects": [{ id: 3, owner: "bob", doc: "secret" }],
  "numbers for texts": [{ id: 3, owner: "bob", code: 8, amount: "7" }],
  "keys that no other row has": [{ id: 3, owner: "bob", secret: 1, CODE: "x", Doc: { z: 1 } }],
  "a thousand keys": Array.from({ length: 1000 }, (_, at) => ({ id: 3, owner: "bob", doc: { [`key${at}`]: at } })),
};

const BOTH = (rows: readonly unknown[]): readonly unknown[] => [...rows, ...JSON_ROWS];
const FORMATS: Readonly<Record<string, (name: string) => string | Uint8Array>> = {
  "a.csv": (world) => CSV(CSV_WORLDS[world]!),
  "a.csv.gz": (world) => gzipSync(CSV(CSV_WORLDS[world]!)),
  "semicolons.csv": (world) =>
    CSV(CSV_WORLDS[world]!)
      .replaceAll(/;/g, "·")
      .replaceAll(/,(?=(?:[^"\n]*"[^"\n]*")*[^"\n]*$)/gm, ";"),
  "crlf.csv": (world) => `\uFEFF${CSV(CSV_WORLDS[world]!).replaceAll("\n", "\r\n")}`,
  "a.ndjson": (world) =>
    BOTH(JSON_WORLDS[world]!)
      .map((row) => JSON.stringify(row))
      .join("\n"),
  "a.json": (world) => JSON.stringify(BOTH(JSON_WORLDS[world]!)),
  "a.json.gz": (world) => gzipSync(JSON.stringify(BOTH(JSON_WORLDS[world]!), undefined, 2)),
  "indented.json": (world) =>
    BOTH(JSON_WORLDS[world]!)
      .map((row) => JSON.stringify(row, undefined, 2))
      .join("\n"),
};

describe.each(Object.entries(FORMATS))("%s", (name, contentOf) => {
  /** Results for a format hold for the format compressed. */
  const statements = ["a.csv", "a.ndjson"].includes(name) ? STATEMENTS : [EVERYTHING];
  const worlds = name.includes("csv") ? Object.keys(CSV_WORLDS) : Object.keys(JSON_WORLDS);
  const pathOf = (world: string): string => `${worlds.indexOf(world)}/${name}`;
  const alone: string[] = [];
  beforeAll(async () => {
    for (const world of worlds) ground.write(pathOf(world), contentOf(world));
    for (const sql of statements) alone.push(await answer(sql, modelOver(pathOf("no hidden row"))));
  });

  test.each(worlds)("%s", async (world) => {
    for (const [index, sql] of statements.entries()) {
      expect(alone[index], sql).toContain('"rows":[[');
      expect(await answer(sql, modelOver(pathOf(world))), sql).toBe(alone[index]);
    }
  });

  test("without a rule they answer alike, too", async () => {
    const answers = await Promise.all(
      worlds.map((world) =>
        answer(
          "SELECT id, code, doc FROM orders WHERE owner = 'ann' ORDER BY id",
          modelOver(pathOf(world), { rowLevelAccessControls: [] }),
        ),
      ),
    );
    expect(new Set(answers).size).toBe(1);
  });
});

const PARQUET_WORLDS = [
  "SELECT * FROM (VALUES (3, 'bob', 7.00, '8', DATE '2024-01-03', '{\"b\": 2}')) t",
  "SELECT * FROM visible WHERE false",
];

/** Their types stand in the files, whatever the rows hold. */
describe.each(["parquet", "duckdb"])("%s", (format) => {
  test("hidden rows change nothing", async () => {
    const answers: string[] = [];
    for (const [index, hidden] of PARQUET_WORLDS.entries()) {
      const path = `clean/${index}/${format}/a.${format}`;
      mkdirSync(dirname(join(ground.root, path)), { recursive: true });
      const file = join(ground.root, path);
      const rows = `SELECT * FROM visible UNION ALL ${hidden}`;
      await makeWith([
        `CREATE TABLE visible AS SELECT * FROM (VALUES (1, 'ann', 1.50::DECIMAL(10,2), '7', DATE '2024-01-01', '{"a": 1}'),
          (2, 'ann', 12, '10', DATE '2024-01-02', NULL)) t(id, owner, amount, code, day, doc)`,
        ...(format === "parquet"
          ? [`COPY (${rows}) TO '${file}' (FORMAT parquet)`]
          : [`ATTACH '${file}' AS d`, `CREATE TABLE d.orders AS ${rows}`]),
      ]);
      const own = format === "parquet" ? connector : await connectTo(ground, { url: dirname(path), format });
      const manifest = modelOver(format === "parquet" ? path : "orders");
      for (const sql of STATEMENTS) answers.push(await answer(sql, manifest, own));
      if (own !== connector) await own.close();
    }
    expect(answers.slice(STATEMENTS.length)).toEqual(answers.slice(0, STATEMENTS.length));
    expect(answers[0]).toContain('"rows":[[1,"ann"');
  });
});

describe("what a read needs besides rows", () => {
  test.each<readonly [string, Readonly<Record<string, string>>, string]>([
    [
      "a file without a header",
      { "h/none.csv": "1,ann,1.5,7,2024-01-01,\n" },
      "names no column that the manifest declares",
    ],
    ["an empty file", { "h/empty.csv": "" }, "names no column that the manifest declares"],
    [
      "lines before the header",
      { "h/before.csv": `# orders\n${CSV("")}` },
      "names no column that the manifest declares",
    ],
  ])("%s is refused", async (_what, files, message) => {
    for (const [path, content] of Object.entries(files)) ground.write(path, content);
    const [path = ""] = Object.keys(files);
    expect(await answer(EVERYTHING, modelOver(path))).toContain(message);
  });

  test("a declared column that one of several files lacks is NULL", async () => {
    ground.write("h/two/a.csv", CSV(""));
    ground.write("h/two/b.csv", "id,owner\n3,ann\n");
    const told = await answer("SELECT id, amount FROM orders ORDER BY id", modelOver("h/two/*.csv"));
    expect(told).toContain('"rows":[[1,"1.50"],[2,"12.00"],[3,null]]');
  });

  test("columns of several files are met by name", async () => {
    ground.write("order/a.csv", CSV(""));
    ground.write("order/b.csv", 'doc;day;code;amount;owner;extra;id\n;2024-01-05;x;"7";ann;!;9\n');
    expect(await answer("SELECT id, code, amount FROM orders ORDER BY id", modelOver("order/*.csv"))).toContain(
      '"rows":[[1,"7","1.50"],[2,"10","12.00"],[9,"x","7.00"]]',
    );
  });

  test("a column that no column of the model declares is not there", async () => {
    ground.write("undeclared/a.csv", CSV(""));
    const columns = [...COLUMNS.slice(0, 2), { name: "raw", type: "VARCHAR", expression: "upper(code)" }];
    const told = await answer("SELECT raw FROM orders", modelOver("undeclared/a.csv", { columns }));
    expect(told).toContain('Referenced column "code" not found');
  });

  test("a JSON file of which no column is declared is refused", async () => {
    ground.write("none/a.json", "[]");
    const columns = [{ name: "owner", type: "VARCHAR", expression: "lower(owner)" }];
    const told = await answer("SELECT owner FROM orders", modelOver("none/a.json", { columns }));
    expect(told).toContain('declares no column of "none/a.json"');
  });

  test("a file may be compressed by zstd", async () => {
    ground.write("zstd/a.csv.zst", zstdCompressSync(CSV("")));
    expect(await answer(EVERYTHING, modelOver("zstd/a.csv.zst"))).toContain('"rows":[[1,"ann"');
  });

  test("the name of a column may be written in another case in a CSV file", async () => {
    ground.write("case/a.csv", CSV("").replace("code", "Code"));
    expect(await answer(EVERYTHING, modelOver("case/a.csv"))).toContain('"7"');
  });

  test("two models over one file have to agree on its types", async () => {
    ground.write("twice/a.csv", CSV(""));
    const model = (name: string, type: string, rules: readonly object[]): object => ({
      name,
      tableReference: { table: "twice/a.csv" },
      columns: [
        { name: "owner", type: "VARCHAR" },
        { name: "id", type: "INTEGER" },
        { name: "code", type },
      ],
      rowLevelAccessControls: rules,
    });
    const both = (type: string): Manifest =>
      manifestOf({ catalog: "c", schema: "s", models: [model("orders", "VARCHAR", [RULE]), model("open", type, [])] });
    const sql = "SELECT o.code, p.code FROM orders o JOIN open p ON o.id = p.id ORDER BY o.id";
    expect(await answer(sql, both("VARCHAR"))).toContain('"rows":[["7","7"],["10","10"]]');
    expect(await answer(sql, both("INTEGER"))).toContain('declares the column "code" with two types');
    expect(await answer("SELECT code FROM open", both("INTEGER"))).not.toContain("two types");
  });

  test("partitions in paths have declared types", async () => {
    ground.write("parts/region=1/a.csv", CSV(""));
    ground.write("parts/region=north/a.csv", "id,owner,amount,code,day,doc\n5,bob,1,1,2024-01-01,\n");
    const columns = [...COLUMNS, { name: "region", type: "VARCHAR" }];
    const sql = "SELECT id, region FROM orders ORDER BY id";
    const one = await answer(sql, modelOver("parts/region=1/*.csv", { columns }));
    expect(one).toContain('"rows":[[1,"1"],[2,"1"]]');
    expect(await answer(sql, modelOver("parts/*/*.csv", { columns }))).toBe(one);
  });

  test("every read of a file has declared types, with a column rule and without", async () => {
    ground.write("column-rule/a.csv", CSV("3,bob,7,secret,2024-01-03,{}\n"));
    const open = COLUMNS.map((column) =>
      column.name === "doc" ? { ...column, columnLevelAccessControl: CLEARANCE } : column,
    );
    const manifest = modelOver("column-rule/a.csv", { columns: open, rowLevelAccessControls: [] });
    expect(planned("SELECT id FROM orders", manifest, { session: SESSION }).reads()[0]).toHaveProperty("declared");
    const cleared = new Map([["level", "9"]]);
    expect(planned("SELECT id FROM orders", manifest, { session: cleared }).reads()[0]).toHaveProperty("declared");
  });
});
