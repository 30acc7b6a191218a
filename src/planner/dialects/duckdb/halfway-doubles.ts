/**
 * Decimals halfway between two doubles, such as 1e23. They read back as one of the two doubles, and DuckDB prints them. PostgreSQL prints
 * the nearest decimal instead, which has more digits, and documents it: its shortest text is never midway between two values
 * (https://www.postgresql.org/docs/18/datatype-numeric.html#DATATYPE-FLOAT). Compared with PostgreSQL 18 on DuckDB 1.4.
 */
import { words } from "../../lowering/templates/template.ts";
import { TEXT } from "../../types.ts";

/** Decimals with at most seventeen digits lie halfway between two doubles in this range only. DuckDB prints an exponent in it. */
export const MAY_BE_HALFWAY = "abs($1) >= 18014398509481984e0 AND abs($1) < 1e40";

/** Digits behind the printed ones: no other number with a short text lies between. */
const NEXT = `${"0".repeat(29)}1`;
const BEFORE = "9".repeat(NEXT.length);

const SHOWN = "CAST(_d AS TEXT)";
const DIGITS = `regexp_replace(${SHOWN}, '[-.]|e.*', '', 'g')`;
/** The power of ten of the last digit behind the printed ones. */
const PLACE = `CAST(CAST(split_part(${SHOWN}, 'e+', 2) AS INT) - length(${DIGITS}) - ${NEXT.length - 1} AS TEXT)`;
const isOther = (beside: string): string => `CAST(${beside} || 'e' || ${PLACE} AS DOUBLE) <> abs(_d)`;
/** The printed number is halfway if the next number on one of its sides reads back as another double. */
const IS_HALFWAY = [
  isOther(`${DIGITS} || '${NEXT}'`),
  isOther(`CAST(CAST(${DIGITS} AS BIGINT) - 1 AS TEXT) || '${BEFORE}'`),
].join(" OR ");
/** `1.50e+23` as `1.5e+23`. */
const rounded = (digits: number): string => `regexp_replace(format('{:.${digits - 1}e}', _d), '[.]?0*e', 'e')`;
const NEAREST = `CASE WHEN CAST(${rounded(16)} AS DOUBLE) = _d AND ${rounded(16)} <> ${SHOWN} THEN ${rounded(16)} ELSE ${rounded(17)} END`;

export const NEAREST_TEXT = words(
  `list_extract(list_transform([$1], (lambda _d: CASE WHEN ${IS_HALFWAY} THEN ${NEAREST} ELSE ${SHOWN} END)), 1)`,
  { type: TEXT },
);
