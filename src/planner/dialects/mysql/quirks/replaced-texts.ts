/**
 * REPLACE makes room for less than the result where MySQL keeps rows: `it'` is a row of
 * `SELECT DISTINCT replace(s, 'x', 'it''s') FROM (SELECT 'x' AS s UNION ALL SELECT 'y') t`. Seen on MySQL 9.7.4, and not on MariaDB; not
 * reported. A text that is repeated as often as the new one is long has room for all of it, and is never computed.
 */
import { byTemplate, sql } from "../../../lowering/templates/template.ts";
import { values } from "../../../syntax/build.ts";
import type { Call, Expression } from "../../../syntax/tree.ts";

const REPLACED = sql("CASE WHEN $1 IS NOT NULL THEN replace($1, $2, $3) ELSE repeat($1, char_length($3)) END");

export function replaced(node: Call): Expression {
  const [, from, to] = values(node);
  const isShorter = from?.kind === "string" && to?.kind === "string" && to.value.length <= from.value.length;
  return isShorter ? node : byTemplate(REPLACED, node);
}
