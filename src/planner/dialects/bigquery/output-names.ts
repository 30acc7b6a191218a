/**
 * Names for the columns of an answer on BigQuery, which keeps each answer as a table: names of queries may hold anything, those of
 * columns not all signs, nor begin with a digit or as columns of its own do (https://cloud.google.com/bigquery/docs/schemas#column_names).
 * The service tells an answer's columns by the plan's names, so another name here is nobody's to see but in the SQL.
 */
import { UniqueNames } from "../../binding/printable-name.ts";
import { outputColumnsOf } from "../../lowering/queries/output-columns.ts";
import { exactName } from "../../syntax/build.ts";
import type { Query, QueryBody, Select, SelectItem } from "../../syntax/tree.ts";

const NOT_WITHIN = /[!"$()*,./;?@[\\\]^`{}~\p{Cc}]/gu;
const NOT_AT_THE_START = /^(?:[^\p{L}_]|_TABLE_|_FILE_|_PARTITION|_ROW_TIMESTAMP|__ROOT__|_COLIDENTIFIER|_CHANGE_)/iu;

/**
 * Renames the columns of the whole statement; nothing sorts by a name of its items (BigQuery takes `g.x` for a member of a column
 * `g`, so the planner sorts by position).
 */
export function withColumnNames(statement: Query): Query {
  const body = named(statement.body);
  return body === statement.body ? statement : { ...statement, body };
}

/** A set operation has the names of its first query. */
function named(body: QueryBody): QueryBody {
  switch (body.kind) {
    case "select":
      return selectNamed(body);
    case "set": {
      const left = named(body.left);
      return left === body.left ? body : { ...body, left };
    }
    case "nested": {
      const query = withColumnNames(body.query);
      return query === body.query ? body : { ...body, query };
    }
    case "values":
      return body;
    default:
      return body satisfies never;
  }
}

function selectNamed(select: Select): Select {
  const written = outputColumnsOf(select);
  if (written.length !== select.items.length || written.every(({ name }) => allowed(name) === name)) return select;
  const names = new UniqueNames();
  // Allowed names stay unchanged, in any position.
  for (const { name } of written) if (allowed(name) === name) names.unique(name, name);
  const items = select.items.map((item, index): SelectItem => {
    const name = written[index]?.name ?? "";
    if (item.kind === "star" || allowed(name) === name) return item;
    return { ...item, alias: exactName(names.unique(allowed(name), `column${index + 1}`), item.span) };
  });
  return { ...select, items };
}

function allowed(name: string): string {
  const within = name.replaceAll(NOT_WITHIN, "_");
  return NOT_AT_THE_START.test(within) ? `c_${within}` : within;
}
