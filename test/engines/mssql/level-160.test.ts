/**
 * Features that only databases of level 160 have (SQL Server 2022), read back like the rest (`read-back.test.ts`): no
 * suite has a query that uses them.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask, askAsWritten, judgeAgainst } from "../../parity/judge.ts";
import { manifestOf, plannedOn } from "../../support/plan.ts";
import { type OpenedSource, openDuckDbFiles } from "../../support/sources.ts";
import { EXAMPLES } from "../unexecuted/questions.ts";
import { hasReader, readBack, WHOLE_QUOTIENTS } from "../unexecuted/read-back.ts";
import { MSSQL_READ_BACK } from "./own.ts";

const T =
  "(VALUES (1, 3, TIMESTAMP '2024-02-29 23:59:59.987654'), (2, NULL, NULL), (3, 1, TIMESTAMP '1969-12-31 00:00:00.000001'), (4, NULL, TIMESTAMP '2024-01-01 00:00:00'), (5, 5, TIMESTAMP '2024-01-01 12:30:00.5')) AS t(id, n, ts)";

const QUERIES = [
  `SELECT id, last_value(n) IGNORE NULLS OVER (ORDER BY id ROWS UNBOUNDED PRECEDING) AS a FROM ${T}`,
  `SELECT id, first_value(n) IGNORE NULLS OVER (ORDER BY id DESC ROWS UNBOUNDED PRECEDING) AS a FROM ${T}`,
  `SELECT id, lag(n) IGNORE NULLS OVER (ORDER BY id) AS a, lead(n, 2) IGNORE NULLS OVER (ORDER BY id) AS b FROM ${T}`,
  `SELECT id, lag(n, 1) IGNORE NULLS OVER (PARTITION BY id % 2 ORDER BY id) AS a FROM ${T}`,
  `SELECT id, date_trunc('millisecond', ts) AS a, date_trunc('microseconds', ts) AS b FROM ${T}`,
  `SELECT t.id, s.i FROM ${T} CROSS JOIN LATERAL generate_series(t.id, t.n) AS s(i)`,
  `SELECT t.id, s.i FROM ${T} CROSS JOIN LATERAL generate_series(t.id, t.n + 4, 2) AS s(i)`,
  `SELECT t.id, s.i FROM ${T} LEFT JOIN LATERAL generate_series(t.n, 1, -1) AS s(i) ON TRUE`,
  `SELECT t.id, count(s.i) AS c, sum(s.i) AS a FROM ${T} LEFT JOIN LATERAL generate_series(1, t.n) AS s(i) ON TRUE GROUP BY t.id`,
];

const LEVEL = { product: "mssql", version: [160] };
const manifest = manifestOf({ catalog: "c", schema: "s", models: [] });

describe.skipIf(!hasReader())("at level 160", () => {
  let opened: OpenedSource;
  let texts: readonly string[];
  beforeAll(async () => {
    opened = await openDuckDbFiles(EXAMPLES);
    const plans = QUERIES.map((sql) => plannedOn(LEVEL, sql, manifest, { source: "mssql" }));
    for (const { variant } of plans) expect(variant).toEqual({ product: "mssql", from: [160] });
    texts = readBack(
      MSSQL_READ_BACK.script,
      plans.map(({ sql }) => sql),
    );
  });
  afterAll(() => opened?.close());

  it.each(QUERIES.map((sql, index) => [sql, index] as const))("%s", async (sql, index) => {
    const expected = await ask(sql, manifest, "local_file", opened);
    const answer = await askAsWritten(texts[index] ?? "", opened, WHOLE_QUOTIENTS);
    const isAnswered = !("outcome" in answer) && !("outcome" in expected);
    const verdict = isAnswered
      ? judgeAgainst(expected, answer, { ordered: false, json: "value" })
      : { expected, answer };
    expect(verdict).toEqual({ outcome: "right" });
  });
});
