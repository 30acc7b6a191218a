/** Queries over one file, whatever the types of its columns are, from a seed. Their rows have one order, or are equal where they have not. */
import { random } from "../../planner/syntax/random.ts";

/** By its own values, of which equal ones have no order that shows. */
const inOrder = (value: string, ordered: (value: string) => string): string => ordered(value);

/** `columns`: quoted, at least one. */
export function generatedQuery(seed: number, file: string, columns: readonly string[]): string {
  const { pick, below, chance } = random(seed);
  const column = (): string => pick(columns);
  const text = (): string => `${column()}::varchar`;
  const condition = (): string =>
    pick([
      () => `${column()} IS NULL`,
      () => `${column()} IS NOT NULL`,
      () => `length(${text()}) % ${2 + below(5)} = ${below(3)}`,
      () => `${text()} > '${pick(["", "1", "5", "m", "é", "["])}'`,
      () => `${text()} LIKE '%${pick(["1", "0", "-", "a", "ü", "_"])}%'`,
      () => `${text()} IN (SELECT ${text()} FROM ${file} ORDER BY 1 NULLS LAST LIMIT ${1 + below(50)})`,
      () => `coalesce(${text()}, '') <> ${pick(["''", "'x'", `coalesce(${text()}, 'y')`])}`,
      () => "TRUE",
    ])();
  const conditions = (): string =>
    Array.from({ length: 1 + below(2) }, () => (chance(0.2) ? `NOT (${condition()})` : condition())).join(
      pick([" AND ", " OR "]),
    );
  const value = (): string =>
    pick([
      column,
      column,
      text,
      () => `typeof(${column()})`,
      () => `CASE WHEN ${condition()} THEN ${text()} END`,
      () => `[${text()}, NULL, ${text()}]`,
      () => `{'a': ${column()}, 'b': length(${text()})}`,
      () => `md5(${text()})`,
      () => `upper(${text()}) || '·' || coalesce(${text()}, '-')`,
      () => `nullif(${text()}, '1')`,
    ])();
  const aggregate = (): string =>
    pick([
      () => "count(*)",
      () => `count(${column()})`,
      () => `count(DISTINCT ${text()})`,
      () => `${pick(["min", "max"])}(${pick([column, text])()})`,
      () => `sum(length(${text()}))`,
      () => `avg(length(${text()}))`,
      () => `count(*) FILTER (WHERE ${condition()})`,
      () => inOrder(text(), (of) => `string_agg(left(${of}, 3), ',' ORDER BY ${of})`),
      () => inOrder(text(), (of) => `list(${of} ORDER BY ${of} NULLS FIRST)[1:3]`),
      () => `bool_or(${condition()})`,
    ])();
  const values = (): string => Array.from({ length: 1 + below(4) }, (_, i) => `${value()} AS v${i}`).join(", ");
  const aggregates = (): string => Array.from({ length: 1 + below(3) }, (_, i) => `${aggregate()} AS a${i}`).join(", ");
  const rows = (): string => `SELECT ${values()} FROM ${file} WHERE ${conditions()}`;
  return pick([
    () => `${rows()} ORDER BY ALL`,
    () => `${rows()} ORDER BY ALL DESC NULLS LAST LIMIT ${below(40)} OFFSET ${below(5)}`,
    () => `SELECT DISTINCT ${values()} FROM ${file} ORDER BY ALL`,
    () => `SELECT ${aggregates()} FROM ${file} WHERE ${conditions()}`,
    () => `SELECT ${value()} AS k, ${aggregates()} FROM ${file} WHERE ${conditions()} GROUP BY k ORDER BY ALL`,
    () =>
      `SELECT ${text()} AS k, ${text()} AS l, count(*) FROM ${file} GROUP BY ${pick(["ROLLUP", "CUBE"])} (k, l) ORDER BY ALL`,
    () =>
      `SELECT ${value()} AS v, count(*) OVER (PARTITION BY ${text()}), max(${text()}) OVER (PARTITION BY ${text()}) FROM ${file} ORDER BY ALL`,
    () =>
      `SELECT * FROM (SELECT ${text()} AS v FROM ${file} ${pick(["UNION", "UNION ALL", "EXCEPT", "INTERSECT"])} SELECT ${text()} FROM ${file} WHERE ${conditions()}) ORDER BY ALL`,
    () =>
      `WITH k AS (SELECT ${text()} AS k, count(*) AS n FROM ${file} GROUP BY 1) SELECT k.k, k.n, count(f.*) FROM k ${pick(["JOIN", "LEFT JOIN"])} ${file} f ON f.${column()}::varchar = k.k GROUP BY ALL ORDER BY ALL`,
  ])();
}
