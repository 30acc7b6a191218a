/** 46 everyday questions over one table, whose columns have the types that each source's own metadata names. */
import type { DataSource } from "../../../src/planner/plan.ts";

const COLUMNS = { id: "bigint", n: "integer", price: "decimal(12,2)", w: "double", name: "varchar", city: "varchar" };
const TIMES = { day: "date", at: "timestamp", made: "timestamptz" };

/** The source's names for a boolean, a number, an identifier and a timestamp without a zone, where they differ. */
const OWN: Partial<Record<DataSource, Readonly<Record<string, string>>>> = {
  mysql: { flag: "tinyint(1)", bit: "bit(1)", at: "datetime(6)", made: "timestamp" },
  mssql: { flag: "bit", uid: "uniqueidentifier", at: "datetime2", made: "datetimeoffset", name: "nvarchar(100)" },
  snowflake: { price: "FIXED(12,2)", n: "FIXED(38,0)", at: "TIMESTAMP_NTZ", made: "TIMESTAMP_TZ" },
  spark: { n: "int", id: "long", small: "byte", flag: "boolean" },
  databricks: { n: "int", id: "long", small: "short", flag: "boolean" },
  clickhouse: { uid: "UUID", name: "LowCardinality(String)", at: "DateTime64(6, 'UTC')" },
  bigquery: { id: "INT64", n: "INT64", price: "NUMERIC(12,2)", at: "DATETIME", made: "TIMESTAMP" },
};

export const columnsOf = (source: DataSource): Readonly<Record<string, string>> => ({
  ...COLUMNS,
  ...TIMES,
  flag: "boolean",
  small: "smallint",
  uid: "uuid",
  ...OWN[source],
});

export const QUESTIONS: readonly string[] = [
  "SELECT * FROM t LIMIT 10",
  "SELECT count(*) AS n FROM t",
  "SELECT id FROM t WHERE flag",
  "SELECT id FROM t WHERE flag = true",
  "SELECT count(*) FILTER (WHERE flag) AS n FROM t",
  "SELECT sum(CASE WHEN flag THEN price ELSE 0 END) AS s FROM t",
  "SELECT flag, count(*) AS n FROM t GROUP BY flag",
  "SELECT id FROM t WHERE NOT flag OR flag IS NULL",
  "SELECT id FROM t WHERE uid = '550e8400-e29b-41d4-a716-446655440000'",
  "SELECT id FROM t WHERE uid IN ('550e8400-e29b-41d4-a716-446655440000')",
  "SELECT count(DISTINCT uid) AS n FROM t",
  "SELECT a.id FROM t a JOIN t b ON a.uid = b.uid",
  "SELECT sum(small) AS s, max(small + 1) AS m FROM t",
  "SELECT avg(n) AS a, sum(price) AS s FROM t",
  "SELECT city, sum(price) AS s FROM t GROUP BY city ORDER BY s DESC LIMIT 5",
  "SELECT city, avg(price) AS a FROM t GROUP BY city HAVING count(*) > 3",
  "SELECT round(avg(price), 2) AS a FROM t",
  "SELECT price * n AS total FROM t",
  "SELECT price * 0.19 AS tax FROM t",
  "SELECT 100.0 * n / 7 AS share FROM t",
  "SELECT min(w) AS a, max(w) AS b FROM t",
  "SELECT date_trunc('month', at) AS m, count(*) AS n FROM t GROUP BY 1 ORDER BY 1",
  "SELECT date_trunc('month', day) AS m, sum(price) AS s FROM t GROUP BY 1 ORDER BY 1",
  "SELECT extract(year FROM day) AS y, count(*) AS n FROM t GROUP BY 1",
  "SELECT extract(hour FROM at) AS h, count(*) AS n FROM t GROUP BY 1",
  "SELECT id FROM t WHERE day >= '2024-01-01' AND day < '2024-02-01'",
  "SELECT id FROM t WHERE at >= '2024-01-01'",
  "SELECT id FROM t WHERE made >= '2024-01-01'",
  "SELECT id FROM t WHERE day >= current_date - 7",
  "SELECT day + 1 AS next FROM t",
  "SELECT current_date - day AS days FROM t",
  "SELECT max(day) - min(day) AS days FROM t",
  "SELECT avg(current_date - day) AS days FROM t",
  "SELECT id FROM t WHERE at > now() - INTERVAL '30 days'",
  "SELECT day + INTERVAL '1 month' AS next FROM t",
  "SELECT to_char(day, 'YYYY-MM') AS m, count(*) AS n FROM t GROUP BY 1",
  "SELECT id FROM t WHERE name ILIKE '%ann%'",
  "SELECT upper(name) AS u, length(name) AS l FROM t",
  "SELECT name || ' of ' || city AS label FROM t",
  "SELECT coalesce(name, 'nobody') AS c FROM t",
  "SELECT id FROM t WHERE city IN ('Rome', 'Oslo')",
  "SELECT DISTINCT city FROM t ORDER BY city",
  "SELECT city, string_agg(name, ', ' ORDER BY name) AS who FROM t GROUP BY city",
  "SELECT id, row_number() OVER (PARTITION BY city ORDER BY price DESC) AS r FROM t",
  "SELECT id, lag(price) OVER (ORDER BY day, id) AS before FROM t",
  "SELECT id, sum(price) OVER (ORDER BY day, id ROWS UNBOUNDED PRECEDING) AS running FROM t",
];
