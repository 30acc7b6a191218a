/** Series of months: PostgreSQL goes on from the day that it has reached, so a series from 31 January continues on 28 or 29 February. */
import { expect, test } from "vitest";
import { refusalOf } from "../../hints/given.ts";

const SOURCES = ["trino", "athena", "spark", "databricks", "bigquery", "snowflake", "clickhouse"] as const;
const DAYS = "a series of months from a day that some do not have";

const series = (start: string): string =>
  `SELECT x FROM generate_series(${start}, timestamp '2024-05-31', interval '1 month') AS t(x)`;

test.each(SOURCES)("%s: a start that is truncated to a shorter unit than a month may be the 31st", (source) => {
  for (const unit of ["second", "hour", "day", "week"]) {
    expect(refusalOf(series(`date_trunc('${unit}', timestamp '2024-01-31')`), source)?.message).toContain(DAYS);
  }
});

test.each(SOURCES)("%s: a start that is truncated to a month or a longer unit is the first of a month", (source) => {
  for (const unit of ["month", "quarter", "year"]) {
    expect(refusalOf(series(`date_trunc('${unit}', timestamp '2024-01-31')`), source)?.message).toBeUndefined();
  }
});
