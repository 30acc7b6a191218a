/** Decimals of several scales in one column of a set operation, on DuckDB, which would cut the finer ones. */
import { expect, test } from "vitest";
import { plainSql } from "../../binding/plain.ts";

const sum = (digits: string): string => `SELECT sum(n_nationkey * 1.${digits}) AS x FROM nation`;
const chain = (...scales: readonly string[]): string => plainSql(scales.map(sum).join(" UNION ALL "), "duckdb");
/** The scale that each branch is cast to at last; `own` where it keeps what it has. */
const scalesOf = (sql: string): readonly string[] =>
  sql.split(" UNION ALL ").map((branch) => [...branch.matchAll(/NUMERIC\(38, (\d)\)/gi)].at(-1)?.[1] ?? "own");

test.each<readonly [scales: readonly string[], cast: readonly string[]]>([
  [
    ["00", "00", "00"],
    ["own", "own", "own"],
  ],
  [
    ["00", "0000", "000"],
    ["4", "own", "4"],
  ],
  [
    ["0000", "00", "00"],
    ["own", "4", "4"],
  ],
  [
    ["00", "00", "0000"],
    ["4", "4", "own"],
  ],
])("scales of %j", (scales, cast) => expect(scalesOf(chain(...scales))).toEqual(cast));

test("a set operation beside another", () => {
  const sql = plainSql(
    `(${sum("00")} UNION ALL ${sum("000")}) UNION ALL (${sum("0")} UNION ALL ${sum("0000")})`,
    "duckdb",
  );
  expect(scalesOf(sql)).toEqual(["4", "4", "4", "own"]);
});
