/**
 * The guarantee "plain": expressions that cannot fail on sources that nobody here can attack, by the manuals of their makers. A
 * statement over models with row rules that holds nothing else runs without a fence, in whatever order the source computes it
 * (docs/reference/access-rules.md). The list is conservative: a construct whose manual names an error, a limit of length or a range is missing.
 *
 * `PLAIN_FUNCTIONS` lists what a caller may write, `plain-sent.ts` what a dialect may make of it.
 */
import type { SqlType } from "../types.ts";
import type { Conversions } from "./common-types.ts";
import { fitDigits } from "./decimal-digits.ts";
import type { Harmless } from "./harmless.ts";
import type { PlainSource } from "./plain-sources.ts";

/** The manuals, to which the pages below are relative. */
export const MANUALS: Readonly<Record<PlainSource, string>> = {
  bigquery: "https://cloud.google.com/bigquery/docs/reference/standard-sql/",
  snowflake: "https://docs.snowflake.com/en/sql-reference/",
  mssql: "https://learn.microsoft.com/en-us/sql/t-sql/",
  oracle: "https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/",
  redshift: "https://docs.aws.amazon.com/redshift/latest/dg/",
  doris: "https://doris.apache.org/docs/dev/sql-manual/",
  databricks: "https://docs.databricks.com/aws/en/sql/language-manual/",
};

export type Pages = Readonly<Partial<Record<PlainSource, string>>>;

/**
 * Comparisons, AND, OR, NOT, IS NULL, BETWEEN, IN and CASE: the sources check types before a run, and values of one family are
 * compared without a conversion that fails.
 */
export const PLAIN_OPERATORS: Pages = {
  bigquery: "operators#comparison_operators",
  snowflake: "operators-comparison",
  mssql: "language-elements/comparison-operators-transact-sql",
  oracle: "Comparison-Conditions.html",
  redshift: "r_comparison_condition.html",
  doris: "basic-element/operators/conditional-operators/comparison-operators",
  databricks: "sql-ref-null-semantics",
};

/** Functions, with letters for the kinds of their arguments as in `harmless.ts`; no letters: decided in `raising.ts` by their types. */
export interface PlainFunction {
  readonly what: string;
  readonly kinds?: string;
  readonly pages: Pages;
}

const all = (
  what: string,
  kinds: string | undefined,
  [bigquery, snowflake, mssql, oracle, redshift, doris, databricks]: readonly [
    string,
    string,
    string,
    string,
    string,
    string,
    string,
  ],
): PlainFunction => ({
  what,
  ...(kinds !== undefined && { kinds }),
  pages: { bigquery, snowflake, mssql, oracle, redshift, doris, databricks },
});

const CALLS: readonly PlainFunction[] = [
  all("count", undefined, [
    "aggregate_functions#count",
    "functions/count",
    "functions/count-big-transact-sql",
    "COUNT.html",
    "r_COUNT.html",
    "sql-functions/aggregate-functions/count",
    "functions/count",
  ]),
  all("min", undefined, [
    "aggregate_functions#min",
    "functions/min",
    "functions/min-transact-sql",
    "MIN.html",
    "r_MIN.html",
    "sql-functions/aggregate-functions/min",
    "functions/min",
  ]),
  all("max", undefined, [
    "aggregate_functions#max",
    "functions/max",
    "functions/max-transact-sql",
    "MAX.html",
    "r_MAX.html",
    "sql-functions/aggregate-functions/max",
    "functions/max",
  ]),
  all("coalesce", undefined, [
    "conditional_expressions#coalesce",
    "functions/coalesce",
    "language-elements/coalesce-transact-sql",
    "COALESCE.html",
    "r_NVL_function.html",
    "sql-functions/scalar-functions/conditional-functions/coalesce",
    "functions/coalesce",
  ]),
  all("nullif", undefined, [
    "conditional_expressions#nullif",
    "functions/nullif",
    "language-elements/nullif-transact-sql",
    "NULLIF.html",
    "r_NULLIF_function.html",
    "sql-functions/scalar-functions/conditional-functions/nullif",
    "functions/nullif",
  ]),
  all("row_number", undefined, [
    "numbering_functions#row_number",
    "functions/row_number",
    "functions/row-number-transact-sql",
    "ROW_NUMBER.html",
    "r_WF_ROW_NUMBER.html",
    "sql-functions/window-functions/row-number",
    "functions/row_number",
  ]),
  all("rank", undefined, [
    "numbering_functions#rank",
    "functions/rank",
    "functions/rank-transact-sql",
    "RANK.html",
    "r_WF_RANK.html",
    "sql-functions/window-functions/rank",
    "functions/rank",
  ]),
  all("dense_rank", undefined, [
    "numbering_functions#dense_rank",
    "functions/dense_rank",
    "functions/dense-rank-transact-sql",
    "DENSE_RANK.html",
    "r_WF_DENSE_RANK.html",
    "sql-functions/window-functions/dense-rank",
    "functions/dense_rank",
  ]),
];

const SCALARS: readonly PlainFunction[] = [
  all("upper", "t", [
    "string_functions#upper",
    "functions/upper",
    "functions/upper-transact-sql",
    "UPPER.html",
    "r_UPPER.html",
    "sql-functions/scalar-functions/string-functions/upper",
    "functions/upper",
  ]),
  all("lower", "t", [
    "string_functions#lower",
    "functions/lower",
    "functions/lower-transact-sql",
    "LOWER.html",
    "r_LOWER.html",
    "sql-functions/scalar-functions/string-functions/lower",
    "functions/lower",
  ]),
  all("btrim", "t", [
    "string_functions#trim",
    "functions/trim",
    "functions/trim-transact-sql",
    "TRIM.html",
    "r_TRIM.html",
    "sql-functions/scalar-functions/string-functions/trim",
    "functions/trim",
  ]),
  all("length", "t", [
    "string_functions#length",
    "functions/length",
    "functions/len-transact-sql",
    "LENGTH.html",
    "r_LEN.html",
    "sql-functions/scalar-functions/string-functions/char-length",
    "functions/length",
  ]),
];

/**
 * Parts of dates and local timestamps. Where a date has to become a timestamp, both types have the years 1 (or 0) to 9999: on
 * BigQuery, SQL Server and Doris. Redshift's and Databricks' dates go beyond their timestamps.
 */
const PARTS: readonly PlainFunction[] = ["year", "quarter", "month", "day", "hour", "minute"].map((part) => {
  const isOfDay = part !== "hour" && part !== "minute";
  return {
    what: `extract ${part}`,
    kinds: isOfDay ? "Dp" : "p",
    pages: {
      bigquery: "datetime_functions#extract",
      snowflake: "functions/date_part",
      mssql: "functions/datepart-transact-sql",
      oracle: "EXTRACT-datetime.html",
      doris: "sql-functions/scalar-functions/date-time-functions/extract",
      databricks: "functions/extract",
    },
  };
});

/** Redshift converts a date to a timestamp first. PostgreSQL, its ancestor, never fails on these parts (`npm run harmless`). */
const PARTS_ON_REDSHIFT: readonly PlainFunction[] = ["quarter", "month", "day", "hour", "minute"].map((part) => ({
  what: `extract ${part}`,
  kinds: "p",
  pages: { redshift: "r_EXTRACT_function.html" },
}));

/**
 * Not the week, whose first day may be before the first day of the type. Not on Redshift and Databricks: the first timestamp of
 * these types is no first of a month, so that truncation leaves the type (PostgreSQL and Spark fail so).
 */
const TRUNCATIONS: readonly PlainFunction[] = ["year", "quarter", "month", "day", "hour", "minute"].map((unit) => ({
  what: `date_trunc ${unit}`,
  kinds: "p",
  pages: {
    bigquery: "datetime_functions#datetime_trunc",
    snowflake: "functions/date_trunc",
    mssql: "data-types/datetime2-transact-sql",
    oracle: "TRUNC-date.html",
    doris: "sql-functions/scalar-functions/date-time-functions/date-trunc",
  },
}));

/** Where the manual gives DATE and the timestamp type one range. */
const TRUNCATED_DATES: readonly PlainFunction[] = ["year", "quarter", "month", "day"].map((unit) => ({
  what: `date_trunc ${unit}`,
  kinds: "D",
  pages: {
    bigquery: "data-types#date_type",
    mssql: "data-types/date-transact-sql",
    doris: "basic-element/sql-data-types/date-time/DATE",
  },
}));

export const PLAIN_FUNCTIONS: readonly PlainFunction[] = [
  ...CALLS,
  ...SCALARS,
  ...PARTS,
  ...PARTS_ON_REDSHIFT,
  ...TRUNCATIONS,
  ...TRUNCATED_DATES,
];

/** A sum over any number of rows adds at most so many digits. */
const DIGITS_OF_ROWS = 19;

/**
 * The most whole digits of a decimal, and bits of an integer, whose sums the source's type holds for 10^19 rows. The sources that are
 * missing compute sums in types that overflow, or their dialects convert a sum to a narrower type.
 */
interface Sums {
  readonly page: string;
  readonly wholeDigits: number;
  readonly integers: readonly number[];
}

export const PLAIN_SUMS: Readonly<Record<"sum" | "avg", Partial<Record<PlainSource, Sums>>>> = {
  sum: {
    // NUMERIC has 29 whole digits. INTEGER columns are INT64, whose sums are made as NUMERIC.
    bigquery: { page: "data-types#decimal_types", wholeDigits: 29 - DIGITS_OF_ROWS, integers: [] },
    // The precision becomes 38, the scale stays: https://docs.snowflake.com/en/sql-reference/functions/sum
    snowflake: { page: "functions/sum", wholeDigits: -1, integers: [] },
    // NUMBER goes to 1e126.
    oracle: { page: "Data-Types.html", wholeDigits: 38, integers: [16, 32, 64] },
    // NUMERIC of 38 digits for BIGINT and decimals, BIGINT for shorter integers.
    redshift: { page: "r_SUM.html", wholeDigits: -1, integers: [64] },
  },
  avg: {
    // Computed as BIGNUMERIC, which has 38 whole digits.
    bigquery: { page: "data-types#decimal_types", wholeDigits: 38 - DIGITS_OF_ROWS, integers: [16, 32, 64] },
    oracle: { page: "Data-Types.html", wholeDigits: 38, integers: [16, 32, 64] },
  },
};

const isExtreme = (name: string): boolean => name === "min" || name === "max";

/** Kinds whose values every source sorts. */
const SORTED: ReadonlySet<string> = new Set(["integer", "decimal", "float", "text", "date", "timestamp", "time"]);

/** The longest decimal of sources whose sums keep the scale of their values. */
const SUM_DIGITS = 38;

function isSum(name: string): name is "sum" | "avg" {
  return name === "sum" || name === "avg";
}

function canSum(source: PlainSource, name: "sum" | "avg", type: SqlType | undefined): boolean {
  const sums = PLAIN_SUMS[name][source];
  if (sums === undefined || type === undefined) return false;
  if (type.kind === "integer") return sums.integers.includes(type.bits);
  if (type.kind !== "decimal") return false;
  if (source === "oracle") return true;
  const { precision, scale = 0 } = type;
  if (precision === undefined || scale < 0) return false;
  return sums.wholeDigits < 0 ? precision + DIGITS_OF_ROWS <= SUM_DIGITS : precision - scale <= sums.wholeDigits;
}

/** Types of numbers that a source compares with each other. */
function conversions(source: PlainSource): Conversions {
  return {
    numbersHaveCommonType: (numbers) => {
      // BigQuery's BIGNUMERIC holds every NUMERIC, and Oracle has one type for all.
      if (source === "bigquery" || source === "oracle") return true;
      // Snowflake's INTEGER is NUMBER(38,0).
      return fitDigits(numbers, source === "snowflake" ? { most: 38, integers: 38 } : { most: 38 });
    },
    oneTimestamp: true,
    intervalsHaveCommonType: false,
    // Collations that differ are an error before a run, whatever the rows.
    collationsConflict: false,
    ...(source === "bigquery" && { literalsTakeZone: true }),
  };
}

export function plainOn(source: PlainSource): Harmless {
  const computed: Record<string, string> = {};
  const calls = new Set<string>(["sum", "avg"]);
  for (const { what, kinds, pages } of PLAIN_FUNCTIONS) {
    if (pages[source] === undefined) continue;
    if (kinds === undefined) calls.add(what);
    else {
      // BigQuery's TIMESTAMP is an instant, of the same years as DATETIME.
      const own = source === "bigquery" && kinds.endsWith("p") ? `${kinds}P` : kinds;
      computed[what] = what in computed ? `${computed[what]};${own}` : own;
    }
  }
  return {
    conversions: conversions(source),
    computed,
    listed: {
      source,
      call: (name, [first]) =>
        calls.has(name) &&
        (!isSum(name) || canSum(source, name, first?.type)) &&
        (!isExtreme(name) || SORTED.has(first?.type?.kind ?? "")),
    },
  };
}
