/** Capitals as PostgreSQL has them: each character has one, or is its own. The capital of ß is ẞ on DuckDB 1.4, and ß in PostgreSQL. */
import { spelled, sql, words } from "../../lowering/templates/template.ts";
import { values } from "../../syntax/build.ts";
import type { Call, Expression } from "../../syntax/tree.ts";
import { typeOrUnknown } from "../../types.ts";

const UPPER = "array_to_string(list_transform(string_split($1, 'ß'), (lambda _s: upper(_s))), 'ß')";
const UPPER_EXCEPT_SHARP_S = words(UPPER);
const UPPER_BY_TEST = words(`CASE WHEN contains($1, 'ß') THEN ${UPPER} ELSE upper($1) END`);

export function capitals(node: Call): Expression {
  const [value] = values(node);
  if (value === undefined || typeOrUnknown(value).kind !== "text") return node;
  if (value.kind !== "string") return spelled(UPPER_BY_TEST, [value], node);
  return value.value.includes("ß") ? spelled(UPPER_EXCEPT_SHARP_S, [value], node) : node;
}

/** Words are runs of letters and ASCII digits, as PostgreSQL has them. DuckDB has no initcap. */
export const CAPITALISED = sql(String.raw`CASE WHEN $1 IS NOT NULL THEN coalesce(array_to_string(ARRAY(
  SELECT CASE WHEN left(_p, 1) = 'ß' THEN left(_p, 1) ELSE upper(left(_p, 1)) END || lower(substring(_p, 2))
  FROM unnest(regexp_extract_all($1, '[\p{L}\p{Nl}0-9]+|[^\p{L}\p{Nl}0-9]+')) AS _u(_p)), ''), '') END`);
