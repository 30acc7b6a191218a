/**
 * Computed texts cast to dates and times give on DuckDB what they give on PostgreSQL, or raise. Searched: the spellings
 * below by `date`, `timestamp`, `timestamptz` and `time`, and spellings put together by chance.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { manifestOf } from "../support/plan.ts";
import { Random } from "../support/random-query.ts";
import { type EnginesWithoutTables, openEnginesWithoutTables } from "./engines-without-tables.ts";
import { ask, askAsWritten, judgeAgainst } from "./judge.ts";

const manifest = manifestOf({ catalog: "c", schema: "s", models: [] });

let engines: EnginesWithoutTables;
beforeAll(async () => {
  engines = await openEnginesWithoutTables();
});
afterAll(() => engines.close());

const SAME =
  "2024-01-31|2024/01/31|2024-1-5| 2024-01-31 |0099-01-31|10000-01-01|2024-01-31 10:20|2024-01-31 10:20:30.5|2024-01-31T10:20:30|2024-01-31 10:20:30+00|infinity|-infinity|epoch".split(
    "|",
  );
const ODD =
  "20240131|1/2/24|1-2-24|01-02-03|9-01-31|99-01-31|31.01.2024|01/31/2024|Jan 31 2024|2024-031|2024-01-31 BC|0044-03-15 BC|-0044-03-15|0000-01-01|inf|today|2024-01-31x|2024-01-31 x|2024-01-31-05|2024-01-31 10|2024-01-31 25:00|2024-01-31 10:60|2024-01-31 24:00:00|2024-01-31 10:20:30.1234567|1999-12-31 23:59:59.9999995|2024-01-31 10:20:30,5|2024-01-31 10:20 PM|2024-01-31 10:20:30+02|2024-01-31 10:20:30-05:30|2024-01-31 10:20:30 UTC|2024-01-31 10:20:30 Europe/Oslo|2024-01-31 10:20:30 BC|2024-02-30|2024 01 31|10:20|1:2:3|10:20:30.5|24:00|102030|allballs|".split(
    "|",
  );
const TYPES = ["date", "timestamp", "timestamptz", "time"] as const;

/** The verdict; an error is one only where PostgreSQL has an answer. */
async function verdictOn(text: string, type: (typeof TYPES)[number]): Promise<string> {
  const sql = `SELECT x::${type} AS v FROM (SELECT concat(t.x) AS x FROM (VALUES ('${text}')) AS t(x)) q`;
  const [original, answer] = await Promise.all([
    askAsWritten(sql, engines.postgres),
    ask(sql, manifest, "local_file", engines.duckdb),
  ]);
  if ("outcome" in answer) return "outcome" in original ? "right" : "raises";
  return "outcome" in original ? "answers" : judgeAgainst(original, answer).outcome;
}

test.each(SAME.flatMap((text) => TYPES.slice(0, 3).map((type) => [text, type] as const)))(
  "%j as %s",
  async (text, type) => expect(await verdictOn(text, type)).toBe("right"),
);

/** Each by a type in turn, and by every one with `TEXT_TIMES=all`. */
const IS_WHOLE = process.env["TEXT_TIMES"] === "all";
const odd = ODD.flatMap((text, at) =>
  TYPES.filter((_, index) => IS_WHOLE || index === at % TYPES.length).map((type) => [text, type] as const),
);

test.each(odd)("%j as %s, or it raises", async (text, type) =>
  expect(await verdictOn(text, type)).toMatch(/^(?:right|raises)$/),
);

test("spellings by chance", async () => {
  const random = new Random(7);
  const faults: string[] = [];
  for (let count = 0; count < 100; count++) {
    const [year, month, day] = [
      ["2024", "24", "4", "02024"],
      ["01", "1", "Jan", "13"],
      ["31", "1", "05"],
    ].map((each) => random.pick(each));
    const mark = random.pick(["-", "/", ".", "", " "]);
    const order = random.pick([
      [year, month, day],
      [day, month, year],
      [month, day, year],
    ]);
    const clock = random.pick(["", "", " 10:20:30", "T1:2", " 10:20:30.1234567", " 23:59:60", " 10", " 10:20 AM"]);
    const end = random.pick(["", "", "Z", "+02", " UTC", " BC", "-0530", " EST", "x"]);
    const [text, type] = [order.join(mark) + clock + end, random.pick(TYPES)];
    const verdict = await verdictOn(text, type);
    if (!/^(?:right|raises)$/.test(verdict)) faults.push(`${verdict}: ${text} as ${type}`);
  }
  expect(faults).toEqual([]);
});
