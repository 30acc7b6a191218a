import { type Maker, ordered, rows, some } from "./maker.ts";

const DAYS = ["'2024-01-01'", "'2024-01-03'", "'2024-02-05'", "'2024-02-28'", "'2024-03-02'", "'2023-12-30'", "NULL"];
const KINDS = [
  { type: "date", values: DAYS, steps: ["interval '1 day'", "interval '1 week'", "interval '1 month'"] },
  {
    type: "timestamp",
    values: [...DAYS, "'2024-01-02 10:30:00'"],
    steps: ["interval '1 day'", "interval '7 days'", "'36 hours'", "interval '-1 day'", "interval '1 month'"],
  },
  { type: "timestamptz", values: DAYS, steps: ["interval '1 day'", "interval '2 weeks'"] },
  { type: "int", values: ["0", "1", "3", "5", "-2", "NULL"], steps: ["1", "2", "-1", "u.k"] },
] as const;

/** Series between columns, of which many are empty: DuckDB 1.4 loses the rows after an empty one (duckdb#23811). */
export const series: Maker = (random) => {
  const { type, values, steps } = random.pick(KINDS);
  const from = rows(random, "u", {
    a: { type, values },
    b: { type, values },
    k: { type: "int", values: ["1", "2", "-1"] },
  });
  const call = `generate_series(u.a, u.b, ${random.pick<string>(steps)})`;
  const where = random.chance(0.3) ? ` WHERE u.id ${random.pick(["> 1", "<> 2", "% 2 = 1"])}` : "";
  return ordered(
    random.pick([
      () => `SELECT u.id, x FROM ${from}, ${call} AS t(x)${where} ORDER BY 1, 2`,
      () => `SELECT u.id, count(*), max(x) AS m FROM ${from}, ${call} AS t(x)${where} GROUP BY u.id ORDER BY 1`,
      () => `SELECT u.id, x FROM ${from} CROSS JOIN LATERAL ${call} AS t(x)${where} ORDER BY 1, 2`,
      () => `SELECT u.id, x FROM ${from} LEFT JOIN LATERAL ${call} AS t(x) ON TRUE${where} ORDER BY 1, 2`,
      () =>
        `SELECT u.id, m, n FROM ${from}, LATERAL (SELECT min(x), count(*) FROM ${call} t(x)) l(m, n)${where} ORDER BY 1`,
      () =>
        `SELECT u.id, (SELECT ${random.pick(["count(*)", "max(x)"])} FROM ${call} t(x)) AS n FROM ${from}${where} ORDER BY 1`,
      () =>
        `SELECT u.id FROM ${from} WHERE ${random.pick(["", "NOT "])}EXISTS (SELECT 1 FROM ${call} t(x) WHERE x > u.a) ORDER BY 1`,
      () => `SELECT u.id, x, o FROM ${from}, ${call} WITH ORDINALITY AS t(x, o)${where} ORDER BY 1, 3`,
      () => `SELECT u.id, ${call} AS x FROM ${from}${where} ORDER BY 1, 2`,
      () =>
        `WITH w AS (SELECT u.id, x FROM ${from}, ${call} AS t(x)) SELECT id, count(x) AS n FROM w GROUP BY id ORDER BY 1`,
    ])(),
  );
};

const TEXTS = ["'c'", "'a'", "'B'", "'Z'", "'é'", "'10'", "'9'", "''", "'a'"];
const VALUES = [
  { type: "text", values: TEXTS },
  { type: "int", values: ["3", "10", "-2", "7", "3"] },
  { type: "numeric(8,2)", values: ["1.50", "0.25", "10", "-3.75"] },
  { type: "date", values: ["'2024-01-02'", "'1999-12-31'", "'2024-02-29'"] },
  { type: "boolean", values: ["TRUE", "FALSE"] },
] as const;

/**
 * Values once each in one text or array: in order, though the statement names none
 * (docs/decisions/0047-collected-values-have-an-order.md#decision).
 */
export const distinctValues: Maker = (random) => {
  const { type, values } = random.pick(VALUES);
  const from = rows(random, "t", { g: { type: "int", values: ["1", "2", "3"] }, x: { type, values } }, 8);
  const separator = random.pick(["','", "'; '", "''", "'|'"]);
  const x = type === "text" ? random.pick(["x", "upper(x)", "x || 'y'", "left(x, 1)"]) : "x";
  const text = type === "text" ? x : "x::text";
  const filter = random.chance(0.3) ? ` FILTER (WHERE id ${random.pick(["> 3", "<> 1", "% 2 = 0"])})` : "";
  const descending = random.pick(["", "", ` ORDER BY ${text} DESC`]);
  const aggregates = some(
    random,
    [
      `string_agg(DISTINCT ${text}, ${separator}${descending})${filter} AS s`,
      `array_agg(DISTINCT ${x})${filter} AS a`,
      `array_to_string(array_agg(DISTINCT ${text})${filter}, ${separator}) AS b`,
      `count(DISTINCT ${x})${filter} AS c`,
    ],
    1 + random.below(3),
  ).join(", ");
  return ordered(
    random.pick([
      `SELECT ${aggregates} FROM ${from}`,
      `SELECT g, ${aggregates} FROM ${from} GROUP BY g ORDER BY g`,
      `WITH w AS (SELECT * FROM ${from}) SELECT g % 2 AS h, ${aggregates} FROM w GROUP BY 1 ORDER BY 1`,
    ]),
  );
};
