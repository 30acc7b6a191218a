/**
 * Columns that may be BIT. Both servers compare, group and sort such a column by its number, and answer with it; but CASE, COALESCE,
 * texts, JSON, aggregates and set operations make bytes of it or of its digits, each on one of them or both, and 64 bits are
 * negative beside doubles and below zero. `b + 0` is the number everywhere, and `b <> 0` of a boolean; the column stays as it is where an index may be asked
 * for it, and where it was seen to be right on MySQL 9.7 and MariaDB 10.11 (`test/engines/mysql-bits.test.ts`).
 * https://dev.mysql.com/doc/refman/9.4/en/bit-type.html
 */
import { countStep } from "../../plan-budget.ts";
import { binary, exactName, inPlaceOf, integer } from "../../syntax/build.ts";
import { type ChildMapper, mapBody, mapCall, mapExpression, mapTable, mapWindow } from "../../syntax/rewrite.ts";
import type {
  Binary,
  Case,
  Expression,
  Query,
  QueryBody,
  SelectItem,
  SortItem,
  TableExpression,
} from "../../syntax/tree.ts";
import { typeOrUnknown } from "../../types.ts";

/** The lowered statement with every such column as a number where it would not be one. */
export function withBitsAsNumbers(statement: Query): Query {
  return ROWS.query(statement);
}

/** Maps a query whose columns are returned, or read by name. */
const ROWS: ChildMapper = {
  expression: asNumber,
  query: (query) => queryOf(query, ROWS),
  body: (body) => bodyOf(body, ROWS),
  table,
  item: (item) => (item.kind === "item" ? { ...item, expression: asColumn(item.expression) } : item),
};

/** Maps a query whose columns are compared: a branch of a set operation, or a subquery in an expression. */
const VALUES: ChildMapper = {
  ...ROWS,
  query: (query) => queryOf(query, VALUES),
  body: (body) => bodyOf(body, VALUES),
  item: (item) => (item.kind === "item" ? asValue(item) : item),
};

function queryOf(query: Query, mapper: ChildMapper): Query {
  const { with: common, body, orderBy } = query;
  return {
    ...query,
    with: common && {
      ...common,
      tables: common.tables.map((table) => ({ ...table, query: ROWS.query(table.query) })),
    },
    body: mapper.body(body),
    orderBy: orderBy.map(sortItem),
  };
}

function bodyOf(node: QueryBody, mapper: ChildMapper): QueryBody {
  if (node.kind === "set") return { ...node, left: VALUES.body(node.left), right: VALUES.body(node.right) };
  if (node.kind !== "select") return mapBody(node, mapper);
  const { groupBy, distinct, where, having, windows } = node;
  const plain = { ...node, groupBy: undefined, distinct: undefined, where: undefined, having: undefined, windows: [] };
  const mapped = mapBody(plain, mapper);
  if (mapped.kind !== "select") throw new TypeError("a select stays a select");
  return {
    ...mapped,
    where: where && asColumn(where),
    having: having && asColumn(having),
    windows: windows.map((named) => ({ ...named, window: mapWindow(named.window, asColumn) })),
    distinct: distinct?.map(asColumn),
    groupBy: groupBy?.map((element) =>
      element.kind === "expression" ? { ...element, expression: asColumn(element.expression) } : element,
    ),
  };
}

function table(node: TableExpression): TableExpression {
  if (node.kind !== "join") return mapTable(node, ROWS);
  return { ...node, left: table(node.left), right: table(node.right), on: node.on && asColumn(node.on) };
}

const sortItem = (item: SortItem): SortItem => ({ ...item, expression: asColumn(item.expression) });

/** An item without a name of its own gets the column's. */
function asValue(item: SelectItem & { readonly kind: "item" }): SelectItem {
  const { expression, alias, span } = item;
  const isNamedByColumn = alias === undefined && expression.kind === "bound" && mayBeBits(expression);
  return {
    ...item,
    expression: asNumber(expression),
    alias: isNamedByColumn ? exactName(expression.column.printedName, span) : alias,
  };
}

/** A column, or the parts of what is computed: where it is a condition, a key, or answered with. */
function asColumn(node: Expression): Expression {
  return mayBeBits(node) ? node : asNumber(node);
}

function asNumber(node: Expression): Expression {
  countStep();
  if (mayBeBits(node)) return binary(node, isFlag(node) ? "<>" : "+", integer(0, node), inPlaceOf(node));
  switch (node.kind) {
    case "binary":
      return comparison(node);
    case "is":
      return { ...node, operand: asColumn(node.operand) };
    case "logical":
      return { ...node, operands: node.operands.map(asColumn) };
    case "unary":
      return node.operator === "not" ? { ...node, operand: asColumn(node.operand) } : mapExpression(node, VALUES);
    case "call":
      return node.over === undefined
        ? mapCall(node, asNumber)
        : { ...mapCall({ ...node, over: undefined }, asNumber), over: mapWindow(node.over, asColumn) };
    case "case":
      return node.operand === undefined ? searched(node) : mapExpression(node, VALUES);
    case "between":
      return [node.low, node.high].every(isCount)
        ? { ...node, operand: asColumn(node.operand) }
        : mapExpression(node, VALUES);
    case "in-list":
      return node.list.every(isCount) ? { ...node, operand: asColumn(node.operand) } : mapExpression(node, VALUES);
    default:
      return mapExpression(node, VALUES);
  }
}

function searched(node: Case): Case {
  const { branches, otherwise } = node;
  return {
    ...node,
    branches: branches.map((each) => ({ when: asColumn(each.when), then: asNumber(each.then) })),
    otherwise: otherwise && asNumber(otherwise),
  };
}

const COMPARISONS: ReadonlySet<Binary["operator"]> = new Set(["=", "<>", "<", "<=", ">", ">="] as const);

function comparison(node: Binary): Expression {
  const { operator, left, right } = node;
  const isPlain = (side: Expression, other: Expression): boolean =>
    mayBeBits(side) && (isCount(other) || (operator === "=" && isColumnOfNumbers(other)));
  if (!COMPARISONS.has(operator)) return mapExpression(node, VALUES);
  if (!isPlain(left, right) && !isPlain(right, left)) return mapExpression(node, VALUES);
  return { ...node, left: asColumn(left), right: asColumn(right) };
}

/** A literal that is not below zero and not a double. */
function isCount(node: Expression): boolean {
  return node.kind === "boolean" || (node.kind === "number" && typeOrUnknown(node).kind !== "float");
}

function isColumnOfNumbers(node: Expression): boolean {
  const { kind } = typeOrUnknown(node);
  return isColumn(node) && (kind === "integer" || kind === "decimal" || kind === "boolean");
}

/** Its number has no sign, and with one that has makes a decimal, which nobody takes for a boolean. */
const isFlag = ({ type }: Expression): boolean => type?.kind === "boolean";

/** Native SQL may be no more than the column. */
function isColumn({ kind }: Expression): boolean {
  return kind === "bound" || kind === "column" || kind === "opaque";
}

export function mayBeBits(node: Expression): boolean {
  const type = typeOrUnknown(node);
  return isColumn(node) && "mayBeBits" in type && type.mayBeBits === true;
}
