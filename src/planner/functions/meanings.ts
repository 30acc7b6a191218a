/**
 * Definitions of functions in the input language, for the catalogue's rows: patterns of arguments → SQL. Every definition raises where
 * PostgreSQL's function does, for NULLs too, and loses no digits of the result.
 */

type Meanings = Readonly<Record<string, string>>;

const EXACT = "integer | decimal";
const NUMBER = "integer | decimal | float";

/** A text that is no number and no date, so that its cast fails; it has the values in it, so that no engine computes it before. */
const no = (what: string, values: string): string => `'no ${what}: ' || CAST(${values} AS text)`;

/** `digits` digits with zeros before. */
const padded = (value: string, digits: number): string => `substring(CAST(${10 ** digits} + ${value} AS text), 2)`;

const dateText = `${padded("$1", 4)} || '-' || ${padded("$2", 2)} || '-' || ${padded("$3", 2)}`;
const isNoDate = "$1 NOT BETWEEN 1 AND 9999 OR $2 NOT BETWEEN 1 AND 12 OR $3 NOT BETWEEN 1 AND 31";

export const MAKE_DATE: Meanings = {
  "integer, integer, integer": `CAST(CASE WHEN ${isNoDate} THEN ${no("date", "$1 + $2 + $3")} ELSE ${dateText} END AS date)`,
};

/**
 * The bucket of a value between two bounds. The remainder is taken away before the division, which is then exact: the rounded quotient of
 * a value just below a bound is the next bucket.
 */
const bucket = (below: string, beyond: string, over: string, width: string): string =>
  `CASE WHEN ${below} THEN 0 WHEN ${beyond} THEN $4 + 1
    ELSE CAST(((${over}) * $4 - mod((${over}) * $4, ${width})) / (${width}) AS integer) + 1 END`;

export const WIDTH_BUCKET: Meanings = {
  [`${EXACT}, ${EXACT}, ${EXACT}, literal integer >= 1`]: `CASE WHEN $2 < $3 THEN ${bucket("$1 < $2", "$1 >= $3", "$1 - $2", "$3 - $2")}
    WHEN $2 > $3 THEN ${bucket("$1 > $2", "$1 <= $3", "$2 - $1", "$2 - $3")}
    WHEN $2 = $3 THEN CAST(${no("bucket", "$1")} AS integer) END`,
};

/** Engines without infinite dates. */
export const ISFINITE: Meanings = { "date | timestamp": "CASE WHEN $1 IS NOT NULL THEN true END" };

export const OVERLAY: Meanings = {
  "text, text, literal integer >= 1": "substring($1, 1, $3 - 1) || $2 || substring($1, $3 + length($2))",
  "text, text, literal integer >= 1, literal integer >= 0": "substring($1, 1, $3 - 1) || $2 || substring($1, $3 + $4)",
};

export const CONTAINS: Meanings = { "text, text": "strpos($1, $2) > 0" };

export const BIT_LENGTH: Meanings = { "text | binary": "8 * octet_length($1)" };

/** Both terms have the sign of the sum, so that no digits cancel. */
export const COSH: Meanings = {
  [NUMBER]: "(exp(CAST($1 AS double precision)) + exp(-CAST($1 AS double precision))) / 2",
};

/** PostgreSQL subtracts the same two values. */
export const REGR_INTERCEPT: Meanings = {
  [`${NUMBER}, ${NUMBER}`]: "regr_avgy($1, $2) - regr_slope($1, $2) * regr_avgx($1, $2)",
};

/** 1 if all values of `y` are equal, but not those of `x`. */
export const REGR_R2: Meanings = {
  [`${NUMBER}, ${NUMBER}`]: `CASE WHEN regr_sxx($1, $2) > 0 AND regr_syy($1, $2) = 0 THEN CAST(1 AS double precision)
    ELSE power(corr($1, $2), 2) END`,
};

const QUOTED_TEXT = String.raw`CASE WHEN strpos($1, '\') > 0 THEN 'E''' ELSE '''' END
    || replace(replace($1, '\', '\\'), '''', '''''') || ''''`;

/** PostgreSQL writes a text with a backslash as E'…', in which the backslash is doubled. */
export const QUOTE_LITERAL: Meanings = { text: QUOTED_TEXT };

export const QUOTE_NULLABLE: Meanings = { text: `coalesce(${QUOTED_TEXT}, 'NULL')` };
