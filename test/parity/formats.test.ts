/**
 * `to_char`, `to_date` and `to_timestamp` on DuckDB against PostgreSQL: random formats (seeded; `FORMAT_SEED`,
 * `FORMAT_CASES`) over dates, timestamps and numbers, and formats that people write. What is planned is PostgreSQL's text
 * to the letter; a text that PostgreSQL reads may be an error, another date may not come out.
 *
 * Searched: every pattern in its two or three cases, with FM, TM, th, TH and SP; quoted texts, escapes, letters that begin
 * no pattern, characters of several bytes; numbers around each power of ten, zeros, halves and both signs under every
 * combination of 9, 0, comma, point, FM, S, MI, PR and texts around them; inputs with other separators, missing and
 * surplus parts.
 */
import { DuckDBInstance } from "@duckdb/node-api";
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PlannerError } from "../../src/planner/diagnostics.ts";
import type { DataSource } from "../../src/planner/plan.ts";
import { manifestOf, planned } from "../support/plan.ts";
import { startPostgres, type TestDatabase } from "../support/postgres.ts";
import { Random } from "../support/random-query.ts";

const manifest = manifestOf({ catalog: "c", schema: "s", models: [] });
const SEED = Number(process.env["FORMAT_SEED"] ?? 1);
const CASES = Number(process.env["FORMAT_CASES"] ?? 200);

let database: TestDatabase;
let postgres: pg.Client;
let duckdb: Awaited<ReturnType<DuckDBInstance["connect"]>>;

beforeAll(async () => {
  database = await startPostgres();
  postgres = await database.connect();
  await postgres.query("SET TimeZone = 'UTC'");
  duckdb = await (await DuckDBInstance.create(":memory:")).connect();
  await duckdb.run("SET TimeZone = 'UTC'");
});
afterAll(async () => {
  duckdb.closeSync();
  await database.stop();
});

type Answer = readonly (string | null)[] | "refused" | "failed";

/** The first column as texts. */
async function answer(sql: string, source: DataSource): Promise<Answer> {
  let text: string;
  try {
    text = planned(sql, manifest, { source }).sql;
  } catch (error) {
    if (!(error instanceof PlannerError)) throw error;
    expect(error.span, sql).toBeDefined();
    return "refused";
  }
  try {
    if (source === "postgres") {
      const { rows } = await postgres.query<(string | null)[]>({ text, rowMode: "array" });
      return rows.map(([first]) => first ?? null);
    }
    return (await duckdb.runAndReadAll(text)).getRowsJson().map(([first]) => first as string | null);
  } catch (error) {
    if (source === "duckdb" && /Parser|Binder|Catalog/.test(String(error))) throw new Error(`${text}: ${error}`);
    return "failed";
  }
}

const escaped = (text: string): string => text.replaceAll("'", "''");

const TIMES =
  "(VALUES (1, TIMESTAMP '2024-02-29 23:59:59.123456'), (2, '2023-01-01 00:00:00'), (3, '1999-12-31 12:00:01.5'), " +
  "(4, '2021-01-03 05:06:07'), (5, NULL), (6, '2011-11-11 11:11:11.11'), (7, '1901-05-22 13:02:03')) AS t(id, x)";

const PATTERNS = (
  "YYYY YYY YY Y IYYY IYY IY I Y,YYY CC Q MM MONTH MON RM WW W IW DDD DD D IDDD ID DAY DY J HH24 HH12 HH MI SS SSSS SSSSS " +
  "MS US FF1 FF2 FF3 FF4 FF5 FF6 AM PM A.M. P.M. FX TZ OF BC"
).split(" ");
const TEXTS = [
  "-",
  "/",
  " ",
  ":",
  '"T"',
  '"Week "',
  "T",
  "x",
  "é",
  "%",
  "\\",
  '\\"',
  '"a\\"b"',
  "€",
  "%d",
  "TH",
  "Foo",
];

function randomFormat(random: Random): string {
  return Array.from({ length: 1 + random.below(5) }, () => {
    if (random.chance(0.35)) return random.pick(TEXTS);
    const pattern = random.pick(PATTERNS);
    const cased = random.pick([pattern, pattern.toLowerCase(), pattern.charAt(0) + pattern.slice(1).toLowerCase()]);
    return `${random.pick(["", "", "FM", "fm", "TM"])}${cased}${random.pick(["", "", "", "th", "TH", "SP"])}`;
  }).join("");
}

test(`to_char of times in ${CASES} random formats`, async () => {
  let compared = 0;
  for (let seed = SEED; seed < SEED + CASES; seed++) {
    const format = randomFormat(new Random(seed));
    const value = seed % 4 === 0 ? "x::date" : "x";
    const sql = `SELECT to_char(${value}, '${escaped(format)}') FROM ${TIMES} ORDER BY id`;
    const other = await answer(sql, "duckdb");
    if (other === "refused") continue;
    expect(other, `seed ${seed}: ${sql}`).toEqual(await answer(sql, "postgres"));
    compared++;
  }
  expect(compared).toBeGreaterThan(CASES * 0.6);
});

const NUMBERS =
  "0 0.4 0.5 -0.5 0.004 -0.004 0.05 1 -1 9.5 9.99 99.995 -99.995 100 -123.456 999 999.5 1000 1234.5 -1234567.891 12345678.9";

function randomNumberFormat(random: Random): string {
  const digits = (length: number): string => Array.from({ length }, () => random.pick(["9", "9", "0", "9,"])).join("");
  const whole = digits(random.below(8)).replace(/,$/, "");
  const fraction = random.chance(0.6) ? random.pick([".", "D", "."]) + digits(random.below(4)).replaceAll(",", "") : "";
  const body = random.chance(0.1) ? whole.replaceAll(",", "G") + fraction : whole + fraction;
  const signed = random.pick(["", "", "", "S<", "S>", "MI<", "MI>", "PR>"]);
  const sign = signed.slice(0, -1);
  const number = signed.endsWith("<") ? sign + body : body + sign;
  const texts = random.pick(["", "", "", "$", "€ ", '"USD "']);
  return `${random.pick(["", "FM", "FM", "fm"])}${texts}${number}${random.pick(["", "", "", "%", " ", '" kg"'])}`;
}

test(`to_char of numbers in ${CASES} random formats`, async () => {
  let compared = 0;
  const rows = NUMBERS.split(" ").map((number, index) => `(${index}, ${number}::numeric(18,4))`);
  for (let seed = SEED; seed < SEED + CASES; seed++) {
    const format = randomNumberFormat(new Random(seed));
    const value = seed % 4 === 0 ? "round(x)::int" : "x";
    const sql = `SELECT to_char(${value}, '${escaped(format)}') FROM (VALUES ${rows.join(", ")}, (99, NULL)) AS t(id, x) ORDER BY id`;
    const other = await answer(sql, "duckdb");
    if (other === "refused") continue;
    expect(other, `seed ${seed}: ${sql}`).toEqual(await answer(sql, "postgres"));
    compared++;
  }
  expect(compared).toBeGreaterThan(CASES * 0.6);
});

const READ =
  'YYYY-MM-DD|YYYY/MM/DD HH24:MI:SS|YYYYMMDD|DD.MM.YYYY|DD Mon YYYY|Month DD, YYYY|MM/DD/YY|YYYYMMDDHH24MISS|YYYY-MM-DD HH12:MI AM|YYYY-MM-DD"T"HH24:MI:SS.US|YYYY-MM-DD HH24:MI:SS.MS|DY, DD MON YYYY|YYYY MM|YYYY'.split(
    "|",
  );

/** Mostly a time as the format would print it, with something changed. */
function randomInput(random: Random, format: string): string {
  const two = (size: number): string => String(random.below(size)).padStart(random.chance(0.8) ? 2 : 1, "0");
  const parts: Readonly<Record<string, () => string>> = {
    YYYY: () => random.pick(["2024", "1999", "2000", "0099", "24"]),
    YY: () => random.pick(["24", "99", "69", "70", "1"]),
    MM: () => two(14),
    DD: () => two(32),
    HH24: () => two(26),
    HH12: () => two(14),
    MI: () => two(62),
    SS: () => two(62),
    MS: () => random.pick(["5", "123", "05"]),
    US: () => random.pick(["5", "123456", "000001"]),
    AM: () => random.pick(["AM", "pm", "Pm", "x"]),
    Mon: () => random.pick(["Jan", "feb", "MAR", "Sept", "xyz"]),
    MON: () => random.pick(["Jan", "feb", "MAR", "Sept", "xyz"]),
    Month: () => random.pick(["January", "february", "MAY", "Feb"]),
    DY: () => random.pick(["Mon", "tue", "FRI"]),
  };
  let input = format.replace(/YYYY|YY|HH24|HH12|Month|Mon|MON|MM|DD|DY|MI|SS|MS|US|AM/g, (part) => parts[part]!());
  input = input.replaceAll('"', "");
  if (random.chance(0.2)) input = input.replace(/[-/.: ]/, random.pick(["/", "-", " ", ".", "", "  ", "_"]));
  if (random.chance(0.2)) input = input.slice(0, random.below(input.length + 1));
  if (random.chance(0.1)) input = ` ${input}`;
  return random.chance(0.15) ? `${input}${random.pick([" ", " 10:11", "x", "7", "Z"])}` : input;
}

test(`to_timestamp of ${CASES * 2} random texts`, { timeout: 240_000 }, async () => {
  let [read, alike] = [0, 0];
  for (let seed = SEED; seed < SEED + CASES * 2; seed++) {
    const random = new Random(seed);
    const format = random.pick(READ);
    const name = random.pick(["to_timestamp", "to_date"]);
    const sql = `SELECT CAST(${name}('${escaped(randomInput(random, format))}', '${escaped(format)}') AS text)`;
    const reference = await answer(sql, "postgres");
    const other = await answer(sql, "duckdb");
    expect(other, sql).not.toBe("refused");
    // A text that PostgreSQL rejects as a date is no date on the other engine either; the other engine may reject more.
    if (other !== "failed") expect(other, `seed ${seed}: ${sql}`).toEqual(reference);
    if (reference !== "failed") read++;
    if (reference !== "failed" && other !== "failed") alike++;
  }
  expect(alike).toBeGreaterThan(read * 0.6);
});
