/**
 * Every kind of value cast to every type, and tried: what PostgreSQL casts every other engine casts alike, or it is listed as
 * refused; what PostgreSQL does not cast has no one meaning.
 */
import { type ask, judgeAgainst, type Verdict } from "./judge.ts";
import { type EngineRefusals, isListedCast } from "./refused/refusals.ts";

/** Literals by what they are; a NULL is cast beside them. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  boolean: ["TRUE", "FALSE"],
  integer: ["0::int", "1", "-7"],
  bigint: ["5::bigint"],
  decimal: ["0.50::numeric(10,2)", "1.50", "-2.50", "12.30"],
  float: ["0.5::float8", "1.5::float8", "-2.5", "2.5"],
  real: ["1.5::real"],
  word: ["'abc'", "'x y'"],
  "text of integers": ["'12'::text", "' -7 '"],
  "text of decimals": ["'1.50'::text", "'-2.5'"],
  "text of booleans": ["'t'::text", "'false'", "'yes'"],
  "text of a date": ["'2024-02-29'::text"],
  "text of a timestamp": ["'2024-02-29 01:02:03.5'::text"],
  "text of a time": ["'01:02:03.5'::text"],
  "text of a uuid": ["'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'::text"],
  "text of json": ["'{\"a\": 1}'::text"],
  "text of an interval": ["'1 day'::text", "'03:00:00'"],
  date: ["DATE '2024-02-29'", "DATE '0001-01-01'"],
  time: ["TIME '01:02:03.5'"],
  timestamp: ["TIMESTAMP '2024-02-29 01:02:03.5'", "TIMESTAMP '2024-02-29 23:59:59.999999'"],
  instant: ["TIMESTAMP WITH TIME ZONE '2024-02-29 01:02:03.5+02'"],
  interval: ["INTERVAL '1 day'", "INTERVAL '1 month 2 hours'"],
  bytes: ["'\\x01ff'::bytea"],
  uuid: ["'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid"],
  json: ["'{\"a\": 1}'::json"],
  "number in json": ["'12'::jsonb"],
  "boolean in json": ["'true'::jsonb"],
  array: ["ARRAY[1, 2]"],
  "array of texts": ["ARRAY['1', '2']"],
  row: ["(1, 2)"],
  bits: ["B'101'"],
};

const TYPES: readonly string[] = [
  ..."boolean smallint integer bigint numeric numeric(10,1) real float8 text varchar(2) char(3) date time timetz".split(
    " ",
  ),
  ..."timestamp timestamp(0) timestamptz interval bytea uuid json jsonb integer[] text[] inet bit(3)".split(" "),
];

/** Words by which PostgreSQL's plans say TRY_CAST, for types that it has a way to. */
const TRIED: readonly string[] = "boolean integer numeric(10,1) float8 text varchar(2)".split(" ");

/** `value → type`, as lists of refusals name it. */
interface CastQuery {
  readonly cast: string;
  readonly sql: string;
}

export const CAST_QUERIES: readonly CastQuery[] = Object.entries(VALUES).flatMap(([name, values]) => {
  const rows = [...values, "NULL"].map((value) => `(${value})`).join(", ");
  const query = (word: string, type: string): CastQuery => ({
    cast: `${name} → ${type}`,
    sql: `SELECT ${word}(x AS ${type}) AS y FROM (VALUES ${rows}) AS t(x)`,
  });
  return [...TYPES.map((type) => query("CAST", type)), ...TRIED.map((type) => query("TRY_CAST", type))];
});

type Asked = Awaited<ReturnType<typeof ask>>;

/** Documents are compared by what they say. Where PostgreSQL has no answer there is none to compare with. */
export function castVerdict(reference: Asked, answer: Asked): Verdict {
  if ("outcome" in reference) return { outcome: "right" };
  return "outcome" in answer ? answer : judgeAgainst(reference, answer, { ordered: true, json: "value" });
}

export function castOutcome(
  cast: string,
  refused: Pick<EngineRefusals, "casts" | "raisingCasts">,
  reference: Asked,
): Verdict["outcome"] {
  if ("outcome" in reference) return "right";
  if (isListedCast(refused.casts, cast)) return "refused";
  return isListedCast(refused.raisingCasts, cast) ? "engine error" : "right";
}
