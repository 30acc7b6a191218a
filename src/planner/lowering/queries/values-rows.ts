/** VALUES for targets where its columns have no names, or fixed ones: its first row becomes a SELECT. */
import { exactName, selectItem, selectOf } from "../../syntax/build.ts";
import type { Expression, QueryBody, SetOperation, Values } from "../../syntax/tree.ts";
import { someNode, walk } from "../../syntax/walk.ts";

/**
 * The same rows; the columns are named `column1`, `column2`, … as in PostgreSQL. If a row contains a query, each row becomes a
 * SELECT: MySQL 9.7 drops join conditions below VALUES, and returns every pair of rows.
 */
export function valuesAsRows(body: Values): QueryBody {
  if (holdsQuery(body)) return valuesAsSelects(body);
  const [first = [], ...others] = body.rows;
  const left = named(first, body);
  if (others.length === 0) return left;
  const right: Values = { ...body, rows: others };
  return { kind: "set", operator: "union", all: true, left, right, span: body.span };
}

/** One SELECT per row; `union` rewrites each UNION ALL of them. */
export function valuesAsSelects(body: Values, union: (set: SetOperation) => QueryBody = (set) => set): QueryBody {
  const [first, ...others] = body.rows.map((row) => named(row, body));
  if (first === undefined) return body;
  return others.reduce<QueryBody>(
    (left, right) => union({ kind: "set", operator: "union", all: true, left, right, span: body.span }),
    first,
  );
}

function named(row: readonly Expression[], body: Values): QueryBody {
  const items = row.map((value, index) => selectItem(value, exactName(`column${index + 1}`, value.span), value));
  return selectOf({ items }, body);
}

export function holdsQuery(body: Values): boolean {
  return someNode(body, ({ kind }) => kind === "query");
}

const CONSTANT = new Set(
  "values string number boolean null bits typed interval array row unary binary logical cast".split(" "),
);

/** Whether every value consists of literals, operators and casts, without columns, queries or functions. */
export function isOfConstants(body: Values): boolean {
  let constant = true;
  walk(body, (node) => {
    constant &&= CONSTANT.has(node.kind);
    return constant;
  });
  return constant;
}
