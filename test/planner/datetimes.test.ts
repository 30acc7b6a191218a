/**
 * Texts of dates and times are read as PostgreSQL reads them. Tested over every combination of a date, a separator, a
 * time and a zone below, some 20,000 texts: a text that PostgreSQL rejects is never read, and a text that is read has
 * the same value.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { isUtc, parseDateTime, parseTimeOfDay } from "../../src/planner/datetimes.ts";
import { startPostgres, type TestDatabase } from "../support/postgres.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await startPostgres();
});
afterAll(() => database.stop());

const DAYS =
  "2024-01-31 2024-1-5 2024/2/9 2024.12.31 20240229 20230229 2024-02-30 0001-01-01 99991231 12024-05-06 2024-01/02 240131 2024-031 01/31/2024".split(
    " ",
  );
const SEPARATORS = ["", "  ", "T", "t", "T ", "-"];
const CLOCKS =
  "|10:30|1:2:3|01:02:03.5|23:59:59.999999|23:59:59.9999999|00:00:00.1234564|00:00:00.0000015|24:00:00|24:00:01|23:59:60|23:59:61|10:60|25:00|103000|1030|103000.25|10300|10|10:30 PM|12:00am|12:30 pm|0:30 PM|13:00 PM|10:30:00PM|10:30x".split(
    "|",
  );
const ZONES = "|Z| z| UTC|+00|+00:00|-00|+0000|-05:30|+2|GMT| Europe/Oslo|-|+ab".split("|");

const TEXTS = DAYS.flatMap((day) =>
  SEPARATORS.flatMap((separator) =>
    CLOCKS.flatMap((clock) => ZONES.map((zone) => `${day}${separator}${clock}${zone}`)),
  ),
);

async function read(texts: readonly string[], type: string): Promise<ReadonlyMap<string, string | null>> {
  const client = await database.connect();
  await client.query("SET TimeZone = 'UTC'; SET DateStyle = 'ISO, MDY'");
  const { rows } = await client.query<{ t: string; v: string | null }>(
    `SELECT t, CASE WHEN pg_input_is_valid(t, '${type}') THEN t::${type}::text END AS v FROM unnest($1::text[]) AS u(t)`,
    [texts],
  );
  await client.end();
  return new Map(rows.map(({ t, v }) => [t, v]));
}

test.each(["timestamp", "date"])("as %s", async (type) => {
  const texts = TEXTS.filter((text) => parseDateTime(text) !== undefined);
  expect(texts.length).toBeGreaterThan(3000);
  const theirs = await read(texts, type);
  const wrong = texts.flatMap((text) => {
    const { day, date, time = "00:00:00", zone } = parseDateTime(text)!;
    if (zone !== undefined && !isUtc(zone)) return [];
    // A date keeps the day that is written, where a timestamp rolls over to the next.
    const ours = type === "date" ? day : `${date} ${time}`;
    return theirs.get(text) === ours ? [] : [`${text}: ${ours} instead of ${theirs.get(text)}`];
  });
  expect(wrong).toEqual([]);
});

test("times of day", async () => {
  const all = CLOCKS.flatMap((clock) => ZONES.map((zone) => `${clock}${zone}`));
  const texts = all.filter((text) => parseTimeOfDay(text) !== undefined);
  expect(texts.length).toBeGreaterThan(100);
  const theirs = await read(texts, "time");
  const wrong = texts.flatMap((text) => {
    const { time, zone } = parseTimeOfDay(text)!;
    if (zone !== undefined && !isUtc(zone)) return [];
    return theirs.get(text) === time ? [] : [`${text}: ${time} instead of ${theirs.get(text)}`];
  });
  expect(wrong).toEqual([]);
});
