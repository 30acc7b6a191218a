/** Each example of docs/reference/cube-queries.md, planned for DuckDB and run there, gives the answer or the error that the page shows. */
import { readFileSync } from "node:fs";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PlannerError } from "../../src/planner/diagnostics.ts";
import { GRANULARITIES, OPERATORS } from "../../src/planner/index.ts";
import { blocksOf } from "../support/documents.ts";
import { manifestOf, plannedCube } from "../support/plan.ts";

const page = readFileSync(new URL("../../docs/reference/cube-queries.md", import.meta.url), "utf8");
const [first, ...blocks] = blocksOf(page);
const manifest = manifestOf(JSON.parse(first?.text ?? ""));
const rows = [...page.matchAll(/^\| (\d) \| (.*) \|$/gm)].map(([, id, rest = ""]) => [id, ...rest.split(" | ")]);
const examples = blocks.flatMap(({ language, text }, index) =>
  language === "json" ? [{ query: text, answer: blocks[index + 1] }] : [],
);

let instance: DuckDBInstance;
let connection: DuckDBConnection;

beforeAll(async () => {
  instance = await DuckDBInstance.create(":memory:");
  connection = await instance.connect();
  const values = rows.map((row) => `(${row.map((cell) => (cell === "NULL" ? cell : `'${cell}'`)).join(", ")})`);
  await connection.run(
    "CREATE TABLE orders (id INTEGER, city VARCHAR, status VARCHAR, amount DECIMAL(10,2), placed_at TIMESTAMP);" +
      `INSERT INTO orders VALUES ${values.join(", ")}`,
  );
});
afterAll(() => {
  connection.closeSync();
  instance.closeSync();
});

async function outcome(query: string): Promise<string> {
  try {
    const { sql } = plannedCube(JSON.parse(query), manifest, { source: "duckdb" });
    const reader = await connection.runAndReadAll(sql);
    const cells = reader.getRows().map((row) => row.map((cell) => (cell === null ? "" : String(cell))).join(","));
    return [reader.columnNames().join(","), ...cells].join("\n");
  } catch (error) {
    if (error instanceof PlannerError) return `${error.reason}: ${error.message}`;
    throw error;
  }
}

test("the page has rows and examples", () => {
  expect(rows).toHaveLength(4);
  expect(examples).toHaveLength(8);
});

test.each(examples)("$query", async ({ query, answer }) => {
  expect(await outcome(query)).toBe(answer?.text);
});

test("the page names every operator and granularity", () => {
  expect([...OPERATORS, ...GRANULARITIES].filter((word) => !page.includes(`\`${word}\``))).toEqual([]);
});
