/** Planned for DuckDB and run on it. */
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ActualCell } from "../support/comparator.ts";
import { CASES, DIALECT_CASES, type Engine, FIXTURES, problemWith, QUERY_CASES } from "./cases.ts";

let instance: DuckDBInstance;
let connection: DuckDBConnection;

const engine: Engine = {
  source: "duckdb",
  scaleOfValues: false,
  run: async ({ sql }) => (await connection.runAndReadAll(sql)).getRowsJson() as ActualCell[][],
};

beforeAll(async () => {
  instance = await DuckDBInstance.create(":memory:");
  connection = await instance.connect();
  await connection.run("SET TimeZone = 'UTC'");
  await connection.run(FIXTURES);
});

afterAll(() => {
  connection.closeSync();
  instance.closeSync();
});

test("every case is judged by one of the suites of this folder", () => {
  const services = CASES.filter(({ topic }) => topic === "service operations");
  expect(new Set(CASES.map(({ id }) => id)).size).toBe(281);
  expect([QUERY_CASES.length, DIALECT_CASES.length, services.length]).toEqual([254, 12, 15]);
});

describe.each([...new Set(QUERY_CASES.map(({ topic }) => topic))])("%s", (topic) => {
  test.each(QUERY_CASES.filter((each) => each.topic === topic))("$id $title", async (each) => {
    expect(await problemWith(each, engine)).toBeUndefined();
  });
});
