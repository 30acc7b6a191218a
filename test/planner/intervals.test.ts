/**
 * Texts of intervals are read as PostgreSQL reads them. Tested over one to three of the terms below with and without
 * blanks, `@` and `ago`, ISO 8601 in both forms, and every pair of fields over numbers, times and both. Texts that
 * PostgreSQL rejects may be read (`1 quarter`, no blank between terms); a text that both read has the same value.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type IntervalParts, parseFieldInterval, parseInterval } from "../../src/planner/intervals.ts";
import { startPostgres, type TestDatabase } from "../support/postgres.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await startPostgres();
});
afterAll(() => database.stop());

const TERMS =
  "1 year|-2 yrs|+3 mons|1.5 years|1.5 months|0.1 month|2 weeks|1.5 weeks|1 day|-1 days|1.25 days|3 h|90 min|- 5 minutes|1.123456 s|.5 sec|5. seconds|250 ms|7 us|1 decade|2 centuries|1 millennium|1.5 c|1-2|-1-2|1-12|4:05|-4:05:06|04:05:06.789|100:00:00|1:60|90|-90|1.5|12|0 days|2d|3H|1 fortnight|1 year 1".split(
    "|",
  );
const ISO =
  "P1Y|P1Y2M3DT4H5M6S|P2W|PT36H|P-1Y|PT0.5S|P1.5Y|P1M-3D|PT|P|P1|P1H|PT1D|P0001-02-03|P0001-02-03T04:05:06|P1DT|PT1H30M|PT-1.5H|P1W2D|p1y|-P1Y|P1Y2Y".split(
    "|",
  );

const TEXTS = [
  ...TERMS.flatMap((first) => [
    first,
    `@ ${first}`,
    `${first} ago`,
    `  ${first}  `,
    ...TERMS.flatMap((second) => [`${first} ${second}`, `${first}${second}`, `${first} ${second} ago`]),
  ]),
  ...TERMS.flatMap((first) =>
    ["1 day", "-3", "1-2", "2 hours"].flatMap((second) => TERMS.map((third) => `${second} ${first} ${third}`)),
  ),
  ...ISO,
];

async function read(
  spelled: readonly { readonly text: string; readonly fields?: string }[],
): Promise<readonly (IntervalParts | undefined)[]> {
  const client = await database.connect();
  const values: (IntervalParts | undefined)[] = [];
  await client.query(`CREATE FUNCTION pg_temp.parts(t text, f text) RETURNS text LANGUAGE plpgsql AS $$
    DECLARE i interval;
    BEGIN
      EXECUTE 'SELECT INTERVAL ' || quote_literal(t) || ' ' || f INTO i;
      RETURN concat_ws('|', extract(year FROM i) * 12 + extract(month FROM i), extract(day FROM i),
        ((extract(hour FROM i) * 3600 + extract(minute FROM i) * 60) * 1000000 + extract(microseconds FROM i))::bigint);
    EXCEPTION WHEN OTHERS THEN RETURN NULL; END $$`);
  const { rows } = await client.query<{ parts: string | null }>(
    "SELECT pg_temp.parts(t, f) AS parts FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS u(t, f, o) ORDER BY o",
    [spelled.map(({ text }) => text), spelled.map(({ fields }) => fields ?? "")],
  );
  for (const { parts } of rows) {
    const [months, days, microseconds] = parts?.split("|") ?? [];
    values.push(
      parts === null ? undefined : { months: Number(months), days: Number(days), microseconds: BigInt(microseconds!) },
    );
  }
  await client.end();
  return values;
}

const shown = (parts: IntervalParts | undefined): string =>
  parts === undefined ? "nothing" : `${parts.months} months ${parts.days} days ${parts.microseconds} µs`;

test("texts", async () => {
  const theirs = await read(TEXTS.map((text) => ({ text })));
  const both = TEXTS.filter((text, index) => parseInterval(text) !== undefined && theirs[index] !== undefined);
  expect(both.length).toBeGreaterThan(3000);
  const wrong = TEXTS.flatMap((text, index) => {
    const [ours, other] = [parseInterval(text), theirs[index]];
    if (ours === undefined || other === undefined || shown(ours) === shown(other)) return [];
    return [`${text}: ${shown(ours)} instead of ${shown(other)}`];
  });
  expect(wrong).toEqual([]);
});

test("what PostgreSQL reads of single terms is read, but for fractions that do not come out even", async () => {
  const odd = ["PT", "P1", "P1DT", "P1Y2Y"];
  const texts = [
    ...TERMS,
    ...ISO.filter((text) => !odd.includes(text)),
    "1 month - 1 day",
    "1 day 90",
    "3 4:05:06",
    "1-2 3 4:05:06",
  ];
  const theirs = await read(texts.map((text) => ({ text })));
  const missed = texts.filter((text, index) => theirs[index] !== undefined && parseInterval(text) === undefined);
  expect(missed).toEqual([]);
});

const UNITS = ["year", "month", "day", "hour", "minute", "second"] as const;
const PAIRS = UNITS.flatMap((unit, first) => [
  [unit, undefined] as const,
  ...(unit === "year" ? (["month"] as const) : unit === "month" ? [] : UNITS.slice(first + 1)).map(
    (to) => [unit, to] as const,
  ),
]);

test("fields", async () => {
  const texts = [
    ...TERMS,
    "3 12:30",
    "-3 12:30",
    "3 12",
    "1-6",
    "2:03:04.5",
    "30:15",
    "1 2:03:04.5",
    "-1 2:03:04",
    "1 year 3 days",
    "1 day 2:30",
    "2:30 1 day",
  ];
  const spelled = PAIRS.flatMap(([unit, to]) =>
    texts.map((text) => ({ text, unit, to, fields: to === undefined ? unit : `${unit} to ${to}` })),
  );
  const theirs = await read(spelled);
  const wrong = spelled.flatMap(({ text, unit, to, fields }, index) => {
    const [ours, other] = [parseFieldInterval(text, unit, to), theirs[index]];
    if (ours === undefined || other === undefined || shown(ours) === shown(other)) return [];
    return [`'${text}' ${fields}: ${shown(ours)} instead of ${shown(other)}`];
  });
  expect(wrong).toEqual([]);
  expect(
    spelled.filter(({ text, unit, to }) => parseFieldInterval(text, unit, to) !== undefined).length,
  ).toBeGreaterThan(400);
});
