/** Names with quotes, back-ticks, dots and backslashes in them, of tables, columns and answers, as they are on real engines. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DataSource } from "../../src/planner/plan.ts";
import { ask } from "../parity/judge.ts";
import { hasClickHouse, WITHOUT_CLICKHOUSE } from "../support/clickhouse-server.ts";
import { manifestOf } from "../support/plan.ts";
import { type OpenedSource, openClickHouseWith } from "../support/sources.ts";
import { openSparkTables } from "../support/spark.ts";
import { runOnSpark } from "../support/spark-jobs.ts";
import { hasSpark, WITHOUT_SPARK } from "../support/spark-server.ts";
import { openTrinoSchema } from "../support/trino.ts";
import { hasTrino, WITHOUT_TRINO } from "../support/trino-server.ts";

/** Not all in letters: what would end a name, begin another or a comment, or stand for something else in it. */
const NAMES = ["c`d", "e.f", "it's", "n--o", "p/*q", "k]l", "``", 'a"b', "g\\h", "\\", '"'] as const;

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const ticked = (name: string): string => `\`${name.replaceAll("`", "``")}\``;

interface Made {
  readonly opened: OpenedSource;
  /** Where the connection names none. */
  readonly schema?: string;
}

interface Engine {
  readonly source: DataSource;
  readonly isThere: boolean;
  readonly notRun: string;
  /** Names that the dialect refuses. */
  readonly refused: readonly string[];
  readonly table: string;
  /** Makes the table with these columns, and a row of the numbers from 1. */
  readonly open: (table: string, names: readonly string[]) => Promise<Made>;
}

const numbers = (names: readonly string[]): readonly number[] => names.map((_, index) => index + 1);

const ENGINES: readonly Engine[] = [
  {
    source: "clickhouse",
    isThere: hasClickHouse(),
    notRun: WITHOUT_CLICKHOUSE,
    refused: ['a"b', "g\\h", "\\", '"'],
    table: "t`a.b'c",
    open: async (table, names) => {
      const opened = await openClickHouseWith(async ({ query }) => {
        const columns = names.map((name) => `${ticked(name)} Int32`);
        await query(`CREATE TABLE ${ticked(table)} (${columns.join(", ")}) ENGINE = Memory`);
        await query(`INSERT INTO ${ticked(table)} SELECT ${numbers(names).join(", ")}`);
      });
      return { opened };
    },
  },
  {
    source: "trino",
    isThere: hasTrino(),
    notRun: WITHOUT_TRINO,
    refused: [],
    table: "t\"a`b.c\\d'e",
    open: async (table, names) => {
      const { connector, name, run, close } = await openTrinoSchema();
      await run(`CREATE TABLE ${quoted(table)} (${names.map((column) => `${quoted(column)} integer`).join(", ")})`);
      await run(`INSERT INTO ${quoted(table)} VALUES (${numbers(names).join(", ")})`);
      return { opened: { connector, close }, schema: name };
    },
  },
  {
    source: "spark",
    isThere: hasSpark(),
    notRun: WITHOUT_SPARK,
    refused: [],
    table: "t\"a`b.c\\d'e",
    open: async (table, names) => {
      const opened = await openSparkTables("unusual", []);
      const columns = numbers(names).map((number) => `${number} AS ${ticked(names[number - 1] ?? "")}`);
      // Its own catalogue takes letters, digits and underscores for tables; views of all sessions are called as one likes.
      await runOnSpark(`CREATE OR REPLACE GLOBAL TEMPORARY VIEW ${ticked(table)} AS SELECT ${columns.join(", ")}`);
      return { opened, schema: "global_temp" };
    },
  },
];

describe.each(ENGINES)("$source", ({ source, isThere, notRun, refused, table, open }) => {
  const names = NAMES.filter((name) => !refused.includes(name));
  const [first = "", second = ""] = names;

  describe.skipIf(!isThere)(isThere ? "on the engine" : notRun, () => {
    let made: Made;
    beforeAll(async () => {
      made = await open(table, names);
    });
    afterAll(() => made?.opened.close());

    const modelOf = (columns: readonly string[]) =>
      manifestOf({
        catalog: "c",
        schema: "s",
        models: [
          {
            name: `m ${table}`,
            tableReference: { schema: made.schema, table },
            columns: [
              ...columns.map((name) => ({ name, type: "INTEGER" })),
              {
                name: "sum`.'",
                type: "INTEGER",
                isCalculated: true,
                expression: `${quoted(first)} + ${quoted(second)}`,
              },
            ],
          },
        ],
      });

    test("are those of tables, columns, aliases and answers", async () => {
      const items = names.map((name) => `q.${quoted(name)} AS ${quoted(`${name} as`)}`);
      const sql = `WITH q AS (SELECT *, "sum\`.'" AS total FROM ${quoted(`m ${table}`)})
        SELECT ${items.join(", ")}, total FROM q GROUP BY ${names.map((name) => quoted(name)).join(", ")}, total
        HAVING max("e.f") = 2 ORDER BY "c\`d"`;
      const answer = await ask(sql, modelOf(names), source, made.opened);
      if (!("rows" in answer)) throw new Error(answer.detail);
      expect(answer.rows.map((row) => row.map(Number))).toEqual([[...numbers(names), 1 + 2]]);
      expect(answer.names).toEqual([...names.map((name) => `${name} as`), "total"]);
      expect(answer.columns.map(({ name }) => name)).toEqual(answer.names);
    });

    test.skipIf(refused.length === 0)("are refused where the dialect does not write them", async () => {
      for (const name of refused) {
        const answer = await ask(
          `SELECT ${quoted(name)} FROM ${quoted(`m ${table}`)}`,
          modelOf([...names, name]),
          source,
          made.opened,
        );
        expect(answer, name).toMatchObject({ outcome: "refused" });
      }
    });
  });
});
