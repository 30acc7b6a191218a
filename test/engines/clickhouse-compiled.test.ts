/**
 * ClickHouse compiles an expression after three runs. Compiled, `greatest(toInt128(-1), 0)` is -1 on 26.7 (not reported), so
 * that a series with an end before its begin would ask for 2^64 values.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask } from "../parity/judge.ts";
import { hasClickHouse, WITHOUT_CLICKHOUSE } from "../support/clickhouse-server.ts";
import { manifestOf } from "../support/plan.ts";
import { type OpenedSource, openClickHouseTpch } from "../support/sources.ts";

const withoutTables = manifestOf({ catalog: "c", schema: "s", models: [] });
const ENDS = "(VALUES (1, 5, 3), (2, 3, 5), (3, 4, 4), (4, NULL, 1)) AS t(i, a, b)";

describe.skipIf(!hasClickHouse())(hasClickHouse() ? "ClickHouse's engine" : WITHOUT_CLICKHOUSE, () => {
  let clickhouse: OpenedSource;
  beforeAll(async () => {
    clickhouse = await openClickHouseTpch();
  });
  afterAll(() => clickhouse?.close());

  test.each([
    [
      `SELECT i, g FROM ${ENDS}, generate_series(a, b, -1) AS g ORDER BY i, g`,
      [
        [1, 3],
        [1, 4],
        [1, 5],
        [3, 4],
      ],
    ],
    [
      `SELECT i, g FROM ${ENDS}, generate_series(a, b, 2) AS g ORDER BY i, g`,
      [
        [2, 3],
        [2, 5],
        [3, 4],
      ],
    ],
  ])("%s", async (sql, rows) => {
    for (let times = 0; times < 6; times++) {
      const answer = await ask(sql, withoutTables, "clickhouse", clickhouse);
      expect(answer).toMatchObject({
        rows: rows.map((row) => row.map((each) => expect.toSatisfy((cell) => Number(cell) === each))),
      });
    }
  });
});
