/**
 * `to_char` of numbers on real engines is PostgreSQL's text to the letter: every mark and sign of the format language, formats by chance
 * (`FORMAT_SEED`, `FORMAT_CASES`), and what is computed.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DataSource } from "../../src/planner/plan.ts";
import { ask, askAsWritten, judgeAgainst } from "../parity/judge.ts";
import { NUMBER_FORMATS, NUMBER_TEXTS, queriesOfFormats, randomNumberFormat } from "../parity/number-texts.ts";
import { hasClickHouse, WITHOUT_CLICKHOUSE } from "../support/clickhouse-server.ts";
import { openGoogleSqlTpch } from "../support/googlesql.ts";
import { hasGoogleSql, WITHOUT_GOOGLESQL } from "../support/googlesql-server.ts";
import { hasMySql, MYSQL_FLAVORS, withoutMySql } from "../support/mysql-server.ts";
import { manifestOf } from "../support/plan.ts";
import { Random } from "../support/random-query.ts";
import {
  type OpenedSource,
  openClickHouseTpch,
  openDuckDbFiles,
  openMySqlTpch,
  openPostgres,
} from "../support/sources.ts";
import { openSparkTpch } from "../support/spark.ts";
import { hasSpark, WITHOUT_SPARK } from "../support/spark-server.ts";
import { openTrinoTpch } from "../support/trino.ts";
import { hasTrino, WITHOUT_TRINO } from "../support/trino-server.ts";

const manifest = manifestOf({ catalog: "c", schema: "s", models: [] });
const SEED = Number(process.env["FORMAT_SEED"] ?? 1);
const CASES = Number(process.env["FORMAT_CASES"] ?? 12);

interface Engine {
  readonly name: string;
  readonly source: DataSource;
  readonly isThere: boolean;
  readonly without: string;
  readonly open: () => Promise<OpenedSource>;
}

const ENGINES: readonly Engine[] = [
  { name: "DuckDB", source: "local_file", isThere: true, without: "", open: () => openDuckDbFiles("examples") },
  ...MYSQL_FLAVORS.map(
    (flavor): Engine => ({
      name: flavor,
      source: "mysql",
      isThere: hasMySql(flavor),
      without: withoutMySql(flavor),
      open: () => openMySqlTpch(flavor),
    }),
  ),
  {
    name: "ClickHouse",
    source: "clickhouse",
    isThere: hasClickHouse(),
    without: WITHOUT_CLICKHOUSE,
    open: openClickHouseTpch,
  },
  { name: "Trino", source: "trino", isThere: hasTrino(), without: WITHOUT_TRINO, open: openTrinoTpch },
  { name: "Spark", source: "spark", isThere: hasSpark(), without: WITHOUT_SPARK, open: openSparkTpch },
  {
    name: "GoogleSQL's evaluator",
    source: "bigquery",
    isThere: hasGoogleSql(),
    without: WITHOUT_GOOGLESQL,
    open: openGoogleSqlTpch,
  },
];

let postgres: OpenedSource;
beforeAll(async () => {
  postgres = await openPostgres();
});
afterAll(() => postgres.close());

for (const { name, source, isThere, without, open } of ENGINES) {
  describe.skipIf(!isThere)(isThere ? name : without, () => {
    let opened: OpenedSource;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened?.close());

    /** Faults with their statements. */
    async function faultsOf(statements: readonly string[]): Promise<readonly string[]> {
      const faults: string[] = [];
      for (const sql of statements) {
        const original = await askAsWritten(sql, postgres);
        const answer = await ask(sql, manifest, source, opened);
        if ("outcome" in original) faults.push(`PostgreSQL: ${original.detail}\n  ${sql}`);
        else {
          const verdict = "outcome" in answer ? answer : judgeAgainst(original, answer);
          if (verdict.outcome !== "right") faults.push(`${verdict.outcome}: ${verdict.detail}\n  ${sql}`);
        }
      }
      return faults;
    }

    test(`${NUMBER_FORMATS.length} formats`, async () => {
      expect((await faultsOf(queriesOfFormats(NUMBER_FORMATS))).join("\n")).toBe("");
    });

    test(`${CASES} formats by chance`, async () => {
      const formats = Array.from({ length: CASES }, (_, index) => randomNumberFormat(new Random(SEED + index)));
      expect((await faultsOf(queriesOfFormats(formats))).join("\n")).toBe("");
    });

    test("computed numbers", async () => {
      expect((await faultsOf(NUMBER_TEXTS)).join("\n")).toBe("");
    });
  });
}
