/** A hint that promises the same question has the same answer: both forms run on PostgreSQL over one table. */
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { planned } from "../../support/plan.ts";
import { startPostgres, type TestDatabase } from "../../support/postgres.ts";
import { ordersOn } from "../describe/orders.ts";
import { WRITTEN_OUT } from "./written-out.ts";

let database: TestDatabase;
let client: pg.Client;

const TABLES = `
  CREATE TABLE customers (id bigint, name text, country text);
  INSERT INTO customers VALUES (1, 'a', 'FR'), (2, 'b', NULL), (4, 'Oslo', 'NO');
  CREATE TABLE orders (id bigint, customer_id bigint, quantity integer, price numeric(12, 2), weight double precision,
    name text, city text, day date, at timestamp, created timestamptz, is_paid boolean, tags text[], doc json);
  INSERT INTO orders VALUES
    (1, 1, 3, 10.50, 2.5, 'ann', 'Rome', '2024-01-01', '2024-01-01 10:00', '2024-01-01 10:00Z', true, '{new,old}', '{"a":{"b":"x"}}'),
    (2, 1, 1, 99.99, 3.5, 'Oslo', 'Oslo', '2024-01-09', '2024-02-03 11:30', '2024-02-03 11:30Z', false, '{old}', '{"a":1}'),
    (3, 2, 8, 0.00, 0.25, 'o', 'new', '2024-01-31', '2024-03-31 23:59', '2024-03-31 23:59Z', NULL, '{}', '{}'),
    (4, 4, 2, 250.25, 170, 'new', 'new york', '2023-12-30', '2023-12-30 00:00', '2023-12-30 00:00Z', true, '{x}', NULL),
    (5, NULL, 5, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
`;

beforeAll(async () => {
  database = await startPostgres({ locale: "C" });
  client = await database.connect();
  await client.query(TABLES);
});

afterAll(async () => {
  await database.stop();
});

/** Rows as texts in no order; numbers by ten digits, because the forms compute in different types. */
async function answerOf(sql: string): Promise<readonly string[]> {
  const plan = planned(sql, ordersOn("postgres"), { source: "postgres" });
  const { rows } = await client.query({ text: plan.sql, rowMode: "array", types: { getTypeParser: () => String } });
  return (rows as readonly (readonly (string | null)[])[]).map((row) => row.map(cellOf).join(" | ")).sort();
}

function cellOf(text: string | null): string {
  if (text === null) return "NULL";
  return /^-?\d+(\.\d*)?(e[-+]?\d+)?$/i.test(text) ? Number(text).toPrecision(10) : text;
}

describe("both forms answer the same on PostgreSQL", () => {
  const compared = WRITTEN_OUT.filter((each) => each.compared);
  test.each(compared.map((each) => [each.hint, each] as const))("%s", async (_hint, { asked, instead }) => {
    const expected = await answerOf(asked);
    for (const sql of instead) expect(await answerOf(sql), sql).toEqual(expected);
  });
});
