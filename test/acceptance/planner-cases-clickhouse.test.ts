/** The same cases with the same answers, planned for ClickHouse and run on its engine, or refused as its list says. */

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { statementOf } from "../../src/planner/plan.ts";
import { REFUSED_BY_CLICKHOUSE } from "../parity/refused/clickhouse.ts";
import { readCells } from "../support/canonical-cells.ts";
import type { ClickHouseTestDatabase } from "../support/clickhouse.ts";
import { hasClickHouse, WITHOUT_CLICKHOUSE } from "../support/clickhouse-server.ts";
import { type OpenedSource, openClickHouseWith } from "../support/sources.ts";
import { type Engine, FIXTURES, planOf, problemWith, QUERY_CASES, type Spelling, spelled } from "./cases.ts";

const FIXTURE_SPELLINGS: readonly Spelling[] = [
  ["a list's type", /\bVARCHAR\[\]/g, "Array(String)"],
  ["a statement's zone", /SET TimeZone='UTC';?/g, ""],
  ["an instant's zone", /\+00'/g, "'"],
  ["an instant", /\bTIMESTAMPTZ\b/g, "Nullable(DateTime64(6, 'UTC'))"],
  ["a timestamp", /\bTIMESTAMP\b/g, "Nullable(DateTime64(6))"],
  ["a value that may be NULL", /\b(INTEGER|VARCHAR|DATE|DOUBLE|DECIMAL\(15,2\))(?=[,)])/g, "Nullable($1)"],
];

const SETTINGS = { database: "main", default_table_engine: "Memory" };

const refused = new Set(REFUSED_BY_CLICKHOUSE.acceptance);
const ROW_CASES = QUERY_CASES.filter(({ expected }) => expected.type === "rows");

describe.skipIf(!hasClickHouse())(hasClickHouse() ? "ClickHouse's engine" : WITHOUT_CLICKHOUSE, () => {
  let opened: OpenedSource;

  const engine = (): Engine => ({
    source: "clickhouse",
    scaleOfValues: true,
    run: async (plan) => {
      const options = { signal: new AbortController().signal, timeoutMs: 30_000 };
      return (await readCells(await opened.connector.query(statementOf(plan), options))).rows;
    },
  });

  beforeAll(async () => {
    const fill = async ({ query }: ClickHouseTestDatabase): Promise<void> => {
      await query("CREATE DATABASE main");
      for (const statement of spelled(FIXTURES, FIXTURE_SPELLINGS).split(/;\s*\n/)) {
        if (statement.trim() !== "") await query(statement, SETTINGS);
      }
    };
    // The schema name in the manifests.
    opened = await openClickHouseWith(fill, { database: "main" });
  });
  afterAll(() => opened?.close());

  test.each(QUERY_CASES)("$topic: $id $title", async (each) => {
    if (refused.has(each.id)) {
      expect(() => planOf(each, engine())).toThrow(expect.objectContaining({ reason: "UNSUPPORTED_ON_SOURCE" }));
    } else expect(await problemWith(each, engine())).toBeUndefined();
  });

  test("of a hundred cases that have rows ninety-five and more are answered", () => {
    expect(ROW_CASES.filter(({ id }) => !refused.has(id)).length / ROW_CASES.length).toBeGreaterThanOrEqual(0.95);
  });
});
