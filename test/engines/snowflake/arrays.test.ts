/**
 * Arrays planned for Snowflake, on fakesnow and by the words of the manual on DuckDB, against PostgreSQL: columns with arrays that are NULL
 * or empty, and with elements that are NULL. Neither of them is Snowflake.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Connector } from "../../../src/connectors/connector.ts";
import { type Answer, ask, askAsWritten, judgeAgainst, type NoAnswer } from "../../parity/judge.ts";
import { hasFakesnow, openFakesnow } from "../../support/fakesnow/fakesnow.ts";
import type { OpenedSource } from "../../support/sources.ts";
import {
  literal,
  arrayManifest as manifest,
  openArrayRows,
  ARRAY_QUESTIONS as QUESTIONS,
  ARRAY_ROWS as ROWS,
} from "../unexecuted/arrays.ts";
import { openManualArrays } from "./manual-arrays.ts";

const RANGES = "its range takes no count of elements";
const QUOTED = "it casts an element to a text with its quotes";
const TYPES = "it has no variants: a text beside json is read as json";
const NULLS = "its ARRAY_AGG in an order keeps NULLs";

/** Where fakesnow fails, or has another answer. */
const FAKESNOW: Readonly<Record<string, string>> = {
  "SELECT id, e FROM t, unnest(a) AS e ORDER BY id, e": RANGES,
  "SELECT id, x, n FROM t CROSS JOIN LATERAL unnest(t.a) WITH ORDINALITY AS e(x, n) ORDER BY id, n": RANGES,
  "SELECT x, count(*) AS n, min(id) AS i FROM t JOIN LATERAL unnest(t.a) AS e(x) ON TRUE GROUP BY x ORDER BY n DESC, x":
    RANGES,
  "SELECT p.x AS l, q.x AS r FROM t, unnest(a) AS p(x), unnest(a) AS q(x) WHERE p.x < q.x ORDER BY 1, 2": RANGES,
  "SELECT DISTINCT unnest(a) AS e FROM t ORDER BY e": RANGES,
  "SELECT g.e, count(*) AS n FROM (SELECT id, unnest(a) AS e FROM t) AS g JOIN t ON t.id = g.id GROUP BY g.e ORDER BY g.e":
    RANGES,
  "SELECT id, e FROM t, unnest(coalesce(a, ARRAY['none'])) AS u(e) ORDER BY id, e": RANGES,
  "SELECT id, cardinality(a) AS n, array_length(a, 1) AS l, a = '{}' AS e, a[1] AS f FROM t ORDER BY id": QUOTED,
  "SELECT id, a @> ARRAY['y'] AS h, a @> ARRAY['y', 'z'] AS i, a && ARRAY['q', 'z'] AS o, 'x' = ANY (a) AS m FROM t ORDER BY id":
    TYPES,
  "SELECT id, array_to_string(a, '-') AS j, array_position(a, 'y') AS p FROM t ORDER BY id": TYPES,
  "SELECT array_agg(s ORDER BY id DESC) FILTER (WHERE s IS NOT NULL) AS b, array_agg(id ORDER BY id) AS c FROM t":
    NULLS,
  "SELECT array_agg(DISTINCT length(s) ORDER BY length(s)) FILTER (WHERE s IS NOT NULL) AS b FROM t": NULLS,
  "SELECT id FROM t ORDER BY array_position(ARRAY['y', 'x;y'], s) NULLS LAST, id": TYPES,
};

/** The table for Snowflake: NULLs in arrays are missing elements. */
const TABLE = `CREATE TABLE T AS ${ROWS.map(
  ([id, s, a]) =>
    `SELECT ${id} AS ID, CAST(${literal(s)} AS VARCHAR) AS S, ` +
    `${a === null ? "NULL" : `ARRAY_CONSTRUCT(${a.map(literal).join(", ")})`} AS A`,
).join(" UNION ALL ")}`;

async function run({ connector }: OpenedSource, sql: string): Promise<void> {
  const statement = { sql, columns: [], session: [] } as never;
  await (connector as Pick<Connector, "query">).query(statement, {} as never);
}

let postgres: OpenedSource;
const expected = new Map<string, Answer | NoAnswer>();
beforeAll(async () => {
  postgres = await openArrayRows();
  for (const sql of QUESTIONS) expected.set(sql, await askAsWritten(sql, postgres));
}, 60_000);
afterAll(() => postgres?.close());

const SOURCES = [
  {
    name: "fakesnow",
    has: hasFakesnow(),
    otherwise: FAKESNOW,
    open: async () => {
      const emulator = openFakesnow({});
      await run(emulator, TABLE);
      return emulator;
    },
  },
  { name: "the manual's functions on DuckDB", has: true, otherwise: {}, open: () => openManualArrays([TABLE]) },
];

describe.each(SOURCES)("$name", ({ has, open, otherwise }) => {
  let source: OpenedSource;
  beforeAll(async () => {
    if (has) source = await open();
  }, 60_000);
  afterAll(() => source?.close());

  test.skipIf(!has).each(QUESTIONS)("%s", async (sql) => {
    const reference = expected.get(sql);
    if (reference === undefined || "outcome" in reference) throw new Error(JSON.stringify(reference));
    const answer = await ask(sql, manifest, "snowflake", source);
    const verdict = "outcome" in answer ? answer : judgeAgainst(reference, answer, { ordered: true, json: "value" });
    expect({ ...verdict, isListed: verdict.outcome !== "right" }).toEqual({
      ...verdict,
      isListed: Object.hasOwn(otherwise, sql),
    });
  });
});
