import type { Random } from "../../support/random-query.ts";
import { type Maker, ordered, rows } from "./maker.ts";

/** A float's bits by chance, powers of two, and numbers of few digits: their texts are the shortest that read back. */
function float(random: Random, bits: 32 | 64): string {
  const view = new DataView(new ArrayBuffer(8));
  const word = (): number => random.below(65_536) * 65_536 + random.below(65_536);
  view.setUint32(0, word());
  view.setUint32(4, word());
  const power = bits === 32 ? random.below(277) - 149 : random.below(2_098) - 1_074;
  const number = random.pick([
    () => (bits === 32 ? view.getFloat32(0) : view.getFloat64(0)),
    () => 2 ** power,
    () => -(2 ** power),
    () => random.below(1_000_000) / 10 ** random.below(9),
    () => random.below(1_000_000) * 10 ** random.below(bits === 32 ? 20 : 10),
  ])();
  const value = bits === 32 ? Math.fround(number) : number;
  return `'${Object.is(value, -0) ? "-0" : value}'`;
}

/**
 * Texts of floats, digit by digit. Left out: doubles of few digits from 2^54 on, whose text may lie midway between two of
 * them; DuckDB takes it and PostgreSQL does not.
 */
export const floatTexts: Maker = (random) => {
  const bits = random.pick([32, 64] as const);
  const values = Array.from({ length: 12 }, () => float(random, bits));
  const from = rows(random, "t", { x: { type: bits === 32 ? "real" : "float8", values } }, 12);
  const text = random.pick(["x::text", "concat(x)", "'' || x", "array_to_string(ARRAY[x, x], ' ')"]);
  return ordered(`SELECT id, ${text} AS v FROM ${from} ORDER BY id`);
};

/**
 * Infinite dates and floats that are no numbers, from a table (docs/decisions/0046-duckdb-numbers.md#decision). Left out:
 * differences of infinite dates and the fields of `extract` that are Infinity in PostgreSQL, floats that overflow, `numeric` of
 * what is no number, json's blanks.
 */
export const endless: Maker = (random) => {
  const kind = random.pick(["d", "ts", "tz", "f", "r"]);
  const isFloat = kind === "f" || kind === "r";
  const other = isFloat
    ? random.pick(["1", "'nan'", "'infinity'", "0.5", "f", "r"])
    : random.pick(["'2024-01-01'", "'infinity'", "'-infinity'", "d", "ts", "tz"]);
  const comparison = `${kind} ${random.pick(["=", "<", "<=", ">", ">=", "<>", "IS DISTINCT FROM"])} ${other}`;
  const values = isFloat
    ? ["abs(x)", "-x", "x + 1", "x - 1", "x * 2", "x / 2", "sign(x)", "floor(x)", "round(x)", "to_json(x)", "x::float8"]
    : [
        ...["date_trunc('month', x)", "date_trunc('hour', x)", "to_char(x, 'YYYY-MM-DD')", "to_char(x, 'Month D')"],
        ...["x + interval '1 day'", "x - interval '1 month'", "extract(month FROM x)", "extract(dow FROM x)"],
        ...[
          "isfinite(x)",
          "x::date",
          "x::timestamp",
          "x::timestamptz",
          "x::timestamp(0)",
          "x AT TIME ZONE 'Europe/Oslo'",
        ],
        ...["to_json(x)", "extract(doy FROM x)", "extract(hour FROM x::timestamp)", "x::timestamp::date"],
      ];
  const value = random
    .pick([...values, "x", "x::text", "concat(x)", `coalesce(x, ${other})`, `greatest(x, ${other})`, "nullif(x, x)"])
    .replaceAll(/\bx\b/g, kind);
  const descending = random.pick(["", " DESC NULLS LAST", " NULLS FIRST"]);
  return random.pick([
    () => ordered(`SELECT id, ${value} AS v FROM edge ORDER BY id`),
    () => ordered(`SELECT id FROM edge WHERE ${comparison} ORDER BY id`),
    () => ordered(`SELECT id, ${comparison} AS c, ${value} AS v FROM edge ORDER BY id`),
    () => ordered(`SELECT ${kind} AS k, count(*) AS n FROM edge GROUP BY ${kind} ORDER BY 1${descending}`),
    () => ordered(`SELECT id FROM edge ORDER BY ${kind}${descending}, id`),
    () => ordered(`SELECT min(${kind}) AS a, max(${kind}) AS b, count(DISTINCT ${kind}) AS n FROM edge`),
    () => ordered(`SELECT a.id, b.id AS j FROM edge a JOIN edge b ON a.${kind} = b.${kind} ORDER BY 1, 2`),
    () => ordered(`SELECT id, rank() OVER (ORDER BY ${kind} NULLS LAST) AS r FROM edge ORDER BY id`),
  ])();
};
