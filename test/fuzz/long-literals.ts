/** Literals of thousands of characters where they are read one by one: whatever takes more than linear time shows here. */
import type { Random } from "../planner/syntax/random.ts";

/** `X` stands for a string. */
const AROUND_STRINGS: readonly string[] = [
  ...[
    "int",
    "numeric(20,5)",
    "numeric",
    "float8",
    "boolean",
    "date",
    "timestamp",
    "timestamptz",
    "time",
    "interval",
  ].map((type) => `SELECT X::${type}`),
  ...["json", "int[]", "uuid", "bytea"].map((type) => `SELECT CAST(X AS ${type})`),
  ...["int", "numeric(9,2)", "date", "boolean", "interval"].map((type) => `SELECT TRY_CAST(X AS ${type})`),
  ...[
    "INTERVAL X",
    "INTERVAL X DAY",
    "INTERVAL X YEAR TO MONTH",
    "DATE X",
    "TIME X",
    "TIMESTAMPTZ X",
    "X",
    "X = X",
  ].map((value) => `SELECT ${value}`),
  ...["LIKE", "ILIKE", "SIMILAR TO", "~", "!~*", "->", "#>>", "||", "^@"].map((operator) => `SELECT 'a' ${operator} X`),
  ...["to_char(now(), X)", "to_date('x', X)", "to_timestamp('x', X)", "to_char(1.5, X)", "date_trunc(X, now())"].map(
    (call) => `SELECT ${call}`,
  ),
  ...["regexp_replace('a', X, X)", "regexp_extract('a', X)", "json_extract('{}', X)", "date_part(X, now())"].map(
    (call) => `SELECT ${call}`,
  ),
  ...[
    "now() AT TIME ZONE X",
    "split_part('a', X, 1)",
    "dateadd(day, X, now())",
    "round(X, 2)",
    "strftime(now(), X)",
  ].map((call) => `SELECT ${call}`),
  ...["SELECT 1 = X", "SELECT 1.5 = X", "SELECT TRUE = X", "SELECT CURRENT_DATE = X", "SELECT now() < X"],
  ...["SELECT 1 AS X", "SELECT U&X", "SELECT EX", "SELECT X X", "SELECT 1 LIMIT X"],
];

const UNITS: readonly string[] = [
  ..."9 9. - + 0 a { } {a, a, \\ % _ \" '' ( [ [a] \\a YYYY- (a) é 😀 e 1e _1 .9 Z 1: /* -- $$ x* (?: \\\\ $.a. &lt;".split(
    " ",
  ),
  ...[" ", "a ", "1 day ", "2024-01-01 ", "'' ", "HH24:MI ", "\n", "\u00a0", "1 mon "],
];

/** Openings without an end. */
const BEGINNINGS: readonly string[] = ["", "", "", "[", "(", "[a]["];

const ENDS: readonly string[] = ["", "", "x", "e10", " !", "}", "\\"];

/** `N` stands for a number. */
const AROUND_NUMBERS: readonly string[] = [
  ...["N", "-N", "N::int", "N::numeric", "N / 3", "1.5 * N", "round(N, 2)", "N::text", "N % 2", "avg(N)"],
  ...["INTERVAL N DAY", "'a' -> N", "(ARRAY[1])[N]", "substring('a' FROM N)", "CURRENT_DATE + N", "coalesce(1.5, N)"],
  ...[
    "TRY_CAST(N AS int)",
    "dateadd(day, N, now())",
    "1 LIMIT N",
    "1 OFFSET N",
    "1 ORDER BY N",
    "1 GROUP BY N",
    "1::decimal(N)",
  ],
].map((value) => `SELECT ${value}`);

function number(length: number, { pick }: Random): string {
  const nines = "9".repeat(length);
  const zeros = "0".repeat(length);
  return pick([
    ...[
      nines,
      `${nines}e10`,
      `${nines}.${nines}`,
      `.${nines}`,
      `${zeros}1e-5`,
      `1e${nines}`,
      `1e-${nines}`,
      `${zeros}.${zeros}1`,
    ],
    ...[
      `${nines}.${nines}e1`,
      `0x${"F".repeat(length)}`,
      `0b${"1".repeat(length)}`,
      `${"1_".repeat(length / 2)}1`,
      `${nines}x`,
    ],
  ]);
}

export function longLiteral(dice: Random): string {
  const { pick, chance } = dice;
  const length = chance(0.8) ? pick([100, 400, 2_000]) : pick([8_000, 20_000]);
  if (chance(0.3)) return pick(AROUND_NUMBERS).replaceAll("N", () => number(length, dice));
  const unit = pick(UNITS);
  const text = `'${pick(BEGINNINGS)}${unit.repeat(Math.ceil(length / unit.length))}${pick(ENDS)}'`;
  return pick(AROUND_STRINGS).replaceAll("X", () => text);
}
