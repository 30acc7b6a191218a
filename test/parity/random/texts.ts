import type { Random } from "../../support/random-query.ts";
import { type Maker, ordered, rows, some } from "./maker.ts";

const DOCUMENTS = [
  `'{"a":1}'`,
  `'{"b":1,"a":"x"}'`,
  `'{"a":null}'`,
  `'{"a":{"b":[1,{"c":true}]}}'`,
  `'["a","b"]'`,
  `'["b",1,null,["a"]]'`,
  `'[]'`,
  `'{}'`,
  `'"a"'`,
  "'1'",
  "'true'",
  "'null'",
  "NULL",
];

/** A condition over a document `j`; every part may be NULL. */
function jsonCondition(random: Random, depth: number): string {
  if (depth > 0 && random.chance(0.5)) {
    const part = (): string => jsonCondition(random, depth - 1);
    return random.pick([
      () => `NOT (${part()})`,
      () => `(${part()} AND ${part()})`,
      () => `(${part()} OR ${part()})`,
      () => `(${part()}) IS NOT TRUE`,
    ])();
  }
  const key = random.pick(["'a'", "'b'", "'0'", "''"]);
  const step = random.pick(["'a'", "'b'", "0", "1", "-1", "id - 2"]);
  return random.pick([
    `j ? ${key}`,
    `j ?| ARRAY['a', 'c']`,
    `j ?& ARRAY[${key}, 'b']`,
    `j ->> ${step} = ${random.pick(["'x'", "'1'", "'b'", "'a'"])}`,
    `j -> ${step} IS NULL`,
    `j ->> ${step} IS NOT NULL`,
    `jsonb_typeof(j) = ${random.pick(["'array'", "'object'", "'null'", "'string'"])}`,
    `jsonb_typeof(j -> ${step}) <> 'number'`,
    `j #>> '{a,b,0}' = '1'`,
    `j -> ${step} ? ${key}`,
    "j IS NULL",
    `coalesce(j ->> ${step}, 'none') <> 'x'`,
    `length(j ->> 'a') > 0`,
  ]);
}

export const json: Maker = (random) => {
  const from = rows(random, "t", { j: { type: "jsonb", values: DOCUMENTS } }, 8);
  const condition = jsonCondition(random, 2);
  const value = random.pick([
    "jsonb_typeof(j)",
    "jsonb_typeof(j -> 'a')",
    "j ->> 'b'",
    "j #>> '{a,b,1,c}'",
    "j ->> 0 IS NULL",
    "j -> 'a' ->> 'b' IS NULL",
    "coalesce(j ->> 'b', '-')",
  ]);
  return ordered(
    random.pick([
      `SELECT id FROM ${from} WHERE ${condition} ORDER BY id`,
      `SELECT id, ${condition} AS c FROM ${from} ORDER BY id`,
      `SELECT ${value} AS v, count(*) AS n FROM ${from} WHERE ${condition} GROUP BY 1 ORDER BY 1 NULLS FIRST`,
      `SELECT id, ${value} AS v, CASE WHEN ${condition} THEN 1 ELSE 2 END AS c FROM ${from} ORDER BY id`,
      `WITH w AS (SELECT id, j, ${value} AS v FROM ${from}) SELECT count(*) FILTER (WHERE ${condition}) AS n, count(v) AS m FROM w`,
    ]),
  );
};

/** Values inside text functions: booleans are `t` in some and `true` in others, floats take an exponent. */
export const valuesAsTexts: Maker = (random) => {
  const from = rows(random, "t", {
    b: { type: "boolean", values: ["TRUE", "FALSE", "NULL"] },
    i: { type: "int", values: ["7", "-3", "0", "NULL"] },
    n: { type: "numeric(10,2)", values: ["1.10", "20", "-0.5", "NULL"] },
    f: { type: "float8", values: ["1.5", "2", "1e15", "1e-5", "123456789012345678", "NULL", "'NaN'", "-0.1", "1e16"] },
    r: { type: "real", values: ["1.1", "1e6", "16777216", "1e-5", "NULL"] },
    d: { type: "date", values: ["'2024-01-02'", "'0099-03-04'", "NULL"] },
    ts: {
      type: "timestamp",
      values: ["'2024-01-02 03:04:05'", "'2024-01-02 00:00:00'", "'1999-12-31 23:59:59.25'", "NULL"],
    },
    s: { type: "text", values: ["'x'", "''", "'a,b'", "NULL"] },
  });
  const columns = ["b", "i", "n", "f", "r", "d", "ts", "s"] as const;
  const column = (): string => random.pick(columns);
  const argument = (): string =>
    random.pick([column, () => random.pick(["TRUE", "1", "1.50", "'q'", "NULL", "date '2024-05-06'"])])();
  const list = (): string => Array.from({ length: 1 + random.below(3) }, argument).join(", ");
  const one = column();
  const expression = (): string =>
    random.pick([
      () => `concat(${column()}, ${list()})`,
      () => `concat_ws(${random.pick(["','", "''", "s"])}, ${column()}, ${list()})`,
      () => `${column()} || '|' || ${column()}`,
      () => `'' || ${column()}`,
      () => `${column()}::text`,
      () => `array_to_string(ARRAY[${one}, ${one}], ${random.pick(["','", "'; '"])}${random.pick(["", ", '-'"])})`,
      () => `upper(${column()}::text)`,
      () => `length(concat(${column()}))`,
      () => `left(concat(${column()}, ${column()}), 3)`,
      () => `replace(${column()}::text, 'e', '_')`,
    ])();
  const sorted = `${one}::text`;
  const aggregate = random.pick([
    () => `string_agg(${sorted}, ',' ORDER BY id)`,
    () => `string_agg(DISTINCT ${sorted}, ',')`,
    () => `string_agg(concat(${column()}), '-' ORDER BY id DESC)`,
    () => `array_to_string(array_agg(${one} ORDER BY id) FILTER (WHERE ${one} IS NOT NULL), ',')`,
  ]);
  return random.chance(0.3)
    ? ordered(`SELECT ${aggregate()} AS x FROM ${from}`)
    : ordered(`SELECT id, ${expression()} AS x, ${expression()} AS y FROM ${from} ORDER BY id`);
};

/** The engine reads the texts of a column, and raises an error for texts that it cannot read. */
const ISO = ["2024-01-31", "2024-01-31 10:20:30", "2024-01-31T10:20:30", "2024-01-31 10:20:30.5", "0099-01-31"];
const DATES =
  "2024-01-31|20240131|2024/01/31|2024-1-31|2024-01-31 00:00:00|2024-01-31T10:20:30|2024-01-31T10:20:30Z|2024-01-31 10:20:30+00:00|2024-01-31 10:20|2024-01-31 10:20:30.5|20240131T102030|January 31, 2024|31 Jan 2024|Jan 31 2024|2024-Jan-31|01/31/2024|31.01.2024| 2024-01-31 |2024-031|2024.031|2024-01-31 BC|epoch|infinity|today|0099-01-31|10000-01-01|2024-01-31 24:00:00|2024-01-31 10:20 PM|2024-01-31 10:20:30 UTC|2024-01-31 10:20:30-05|J2460341|2024-02-30".split(
    "|",
  );

/** Dates in text as PostgreSQL reads them, or refused. */
export const dates: Maker = (random) => {
  const text = `'${random.pick(DATES)}'`;
  const from = rows(random, "t", {
    d: { type: "date", values: ["'2024-01-31'", "'2024-02-01'", "'0099-01-31'", "NULL"] },
    ts: { type: "timestamp", values: ["'2024-01-31 10:20:30'", "'2024-01-31'", "'2024-01-31 10:20:30.5'", "NULL"] },
  });
  const type = random.pick(["date", "timestamp"]);
  const value = random.pick([`${type} ${text}`, `${text}::${type}`, `CAST(${text} AS ${type})`]);
  const comparison = random.pick(["=", "<", ">=", "<>", "IS DISTINCT FROM"]);
  return ordered(
    random.pick([
      `SELECT id, ${value} AS x FROM ${from} ORDER BY id`,
      `SELECT id FROM ${from} WHERE ${random.pick(["d", "ts"])} ${comparison} ${text} ORDER BY id`,
      `SELECT id FROM ${from} WHERE ${random.pick(["d", "ts"])} BETWEEN ${text} AND '2024-03-01' ORDER BY id`,
      `SELECT id, d - ${text}::date AS x FROM ${from} ORDER BY id`,
      `SELECT id FROM ${from} WHERE d IN (${text}, '2024-02-01') ORDER BY id`,
      `SELECT id, coalesce(d, ${text}) AS x FROM ${from} ORDER BY id`,
      `SELECT id, x::${type} AS y FROM ${rows(random, "t", { x: { type: "text", values: [...ISO.map((each) => `'${each}'`), "NULL"] } }, 3)} ORDER BY id`,
    ]),
  );
};

const UNITS = [
  "year",
  "years",
  "y",
  "yr",
  "mon",
  "month",
  "months",
  "week",
  "w",
  "day",
  "d",
  "days",
  "hour",
  "h",
  "hr",
  "hrs",
  "minute",
  "m",
  "min",
  "mins",
  "second",
  "s",
  "sec",
  "secs",
  "millisecond",
  "ms",
  "us",
  "decade",
  "century",
  "quarter",
];
const WHOLE = [
  "P1Y",
  "P1Y2M3D",
  "PT1H30M",
  "P1DT2H",
  "1-2",
  "1 2:03:04",
  "2:03",
  "02:03:04.5",
  "-1:30",
  "P0001-02-03T04:05:06",
  "1 day ago",
  "@ 1 day 2 hours",
  "@ 1 minute ago",
  "3 4:05",
  "P2W",
  "-P1D",
  "PT0.5S",
  "1.5 months",
  "P1.5D",
  "30",
  "1y 2mon 3d 4h 5m 6s",
];

/** Intervals in text as PostgreSQL reads them, or refused. */
export const intervals: Maker = (random) => {
  const part = (): string =>
    random.pick(["", "+", "-", "- "]) +
    random.pick(["1", "2", "15", "1.5", "0.25", "100"]) +
    random.pick([" ", "", "  "]) +
    random.pick(UNITS);
  const text = random.chance(0.35)
    ? random.pick(WHOLE)
    : some(random, [part(), part(), part()], 1 + random.below(3)).join(random.pick([" ", ", ", ""]));
  const literal = random.pick([`interval '${text}'`, `'${text}'::interval`, `CAST('${text}' AS interval)`]);
  const from = rows(random, "t", {
    d: { type: "date", values: ["'2024-01-31'", "'2024-02-29'", "NULL"] },
    ts: { type: "timestamp", values: ["'2024-01-31 10:20:30'", "'2023-12-31 23:59:59.5'", "'2024-03-31'"] },
  });
  return ordered(
    random.pick([
      `SELECT id, ts ${random.pick(["+", "-"])} ${literal} AS x FROM ${from} ORDER BY id`,
      `SELECT id, d ${random.pick(["+", "-"])} ${literal} AS x FROM ${from} ORDER BY id`,
      `SELECT id, extract(${random.pick(["epoch", "day", "hour", "minute", "month", "year", "second"])} FROM ${literal}) AS x FROM ${from} ORDER BY id`,
      `SELECT id FROM ${from} WHERE ts - timestamp '2024-01-30' > ${literal} ORDER BY id`,
      `SELECT id, ts + 2 * ${literal} AS x FROM ${from} ORDER BY id`,
      `SELECT id, ${literal} ${random.pick(["=", "<", ">"])} interval '1 day' AS x FROM ${from} ORDER BY id`,
    ]),
  );
};
