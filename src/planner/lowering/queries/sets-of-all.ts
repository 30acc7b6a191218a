/**
 * EXCEPT ALL and INTERSECT ALL for targets whose sets are of distinct rows: equal rows are numbered on both sides, so that the first of one
 * meets the first of the other.
 */
import { ListedRelation } from "../../binding/relation.ts";
import { unsupported } from "../../diagnostics.ts";
import { call, exactName, queryOf, selectItem, selectOf } from "../../syntax/build.ts";
import type { BoundColumn, DerivedTable, Query, QueryBody, Select, SetOperation, SortItem } from "../../syntax/tree.ts";
import { BIGINT, UNKNOWN } from "../../types.ts";
import { isCorrelated } from "./correlation.ts";
import { type NamedColumn, outputColumnsOf } from "./output-columns.ts";

type Fresh = (prefix: string) => string;

/** The same query, with `alias` for names of its tables. */
export function withoutSetsOfAll(query: Query, fresh: Fresh): Query {
  const { body } = query;
  if (body.kind !== "set") return query;
  if (!comparesAll(body)) {
    const inner = within(body, fresh);
    return inner === body ? query : { ...query, body: inner };
  }
  const { select, columns } = rowsOf(body, fresh);
  const orderBy = query.orderBy.map((item): SortItem => {
    const column = item.expression.kind === "number" ? columns[Number(item.expression.text) - 1] : undefined;
    return column === undefined ? item : { ...item, expression: { ...column, span: item.span } };
  });
  return { ...query, body: select, orderBy };
}

const comparesAll = ({ operator, all }: SetOperation): boolean => all && operator !== "union";

/** The sides of a set operation. */
function within(body: SetOperation, fresh: Fresh): SetOperation {
  const [left, right] = [body.left, body.right].map((side): QueryBody => {
    if (side.kind !== "set") return side;
    return comparesAll(side) ? rowsOf(side, fresh).select : within(side, fresh);
  });
  if (left === undefined || right === undefined || (left === body.left && right === body.right)) return body;
  return { ...body, left, right };
}

interface Rows {
  readonly select: Select;
  readonly columns: readonly BoundColumn[];
}

function rowsOf(written: SetOperation, fresh: Fresh): Rows {
  const body = within(written, fresh);
  const names = outputColumnsOf(body);
  refuseUncounted(body);
  const sides = [body.left, body.right].map((side) => numbered(side, fresh));
  const [left, right] = sides;
  if (left === undefined || right === undefined || names.length === 0) {
    throw unsupported(`${body.operator.toUpperCase()} ALL`, body.span, "Name the columns.");
  }
  const { table, columns } = tableOf({ ...body, all: false, left, right }, names, fresh, [{ name: "n", type: BIGINT }]);
  const items = names.map(({ name }, index) =>
    selectItem(columns[index] as BoundColumn, exactName(name, body.span), body),
  );
  return { select: selectOf({ items, from: [table] }, body), columns: columns.slice(0, names.length) };
}

/** Each side is counted before both get a common type, and in a derived table, which sees no outer columns. */
function refuseUncounted({ left, right, operator, span }: SetOperation): void {
  const what = `${operator.toUpperCase()} ALL`;
  if ([left, right].some((side) => isCorrelated(queryOf(side)))) {
    throw unsupported(`${what} over columns of an outer query`, span, "Join the tables first.");
  }
  const others = outputColumnsOf(right);
  const isMixed = outputColumnsOf(left).some(({ type }, index) => {
    const kinds = [type?.kind, others[index]?.type?.kind];
    return kinds.includes("float") && (kinds.includes("integer") || kinds.includes("decimal"));
  });
  if (isMixed) throw unsupported(`${what} of doubles and other numbers`, span, "Write a CAST to one type.");
}

/** The rows with the number of each among equal ones. */
function numbered(side: QueryBody, fresh: Fresh): Select {
  const { table, columns } = tableOf(side, outputColumnsOf(side), fresh);
  const { span } = side;
  const over = { base: undefined, named: false, partitionBy: columns, orderBy: [], frame: undefined, span };
  const number = { ...call("row_number", [], { span, type: BIGINT }), over };
  const items = [...columns, number].map((each, index) => selectItem(each, exactName(nameAt(index), span), side));
  return selectOf({ items, from: [table] }, side);
}

const nameAt = (index: number): string => `c${index + 1}`;

/** A derived table with names of its own, because two columns of a query may have one. */
function tableOf(body: QueryBody, names: readonly NamedColumn[], fresh: Fresh, more: readonly NamedColumn[] = []) {
  const { span } = body;
  const relation = new ListedRelation(fresh("_s"), []);
  const columns = [...names, ...more].map(({ type = UNKNOWN }, index): BoundColumn => {
    const name = nameAt(index);
    const facts = { name, type, notNull: false, printedName: name, origins: [], implicitName: undefined };
    return { kind: "bound", column: relation.add(facts), span, type };
  });
  const alias = {
    name: exactName(relation.printedAlias, span),
    columns: columns.map(({ column }) => exactName(column.printedName, span)),
  };
  const table: DerivedTable = { kind: "derived", query: queryOf(body), lateral: false, alias, span };
  return { table, columns };
}
