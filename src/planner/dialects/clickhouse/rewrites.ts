/** What the input language says and ClickHouse does not, or says otherwise. Seen on ClickHouse 26.7. */
import { isNullable } from "../../binding/nullability.ts";
import type { RelationColumn } from "../../binding/relation.ts";
import { refuseUntold } from "../../lowering/comparable.ts";
import { expressionSayings } from "../../lowering/sayings.ts";
import { type Rewrites, unsupported } from "../../lowering/target.ts";
import { call, cases, cast, comparison, isNull, logical, not, text, typed } from "../../syntax/build.ts";
import type {
  Between,
  Case,
  Expression,
  InList,
  InQuery,
  Is,
  NumberLiteral,
  QueryBody,
  ScalarQuery,
  SetOperation,
  TableAlias,
  Window,
} from "../../syntax/tree.ts";
import { conjuncts, type SyntaxNode, walk } from "../../syntax/walk.ts";
import { BOOLEAN, DOUBLE, typeOrUnknown } from "../../types.ts";
import { clickHouseCasts } from "./casts.ts";
import { clickHouseFields } from "./fields.ts";
import { clickHouseFunctions } from "./functions.ts";
import { alike, negated, PRECISION } from "./numbers.ts";
import { clickHouseOperators } from "./operators.ts";
import { collated, inOrder, like, sortKey } from "./texts.ts";
import { literal } from "./times.ts";

const NO_ARRAYS = { refused: "arrays", hint: "Use IN (…) with the values, or rows of a table." };

/** A number with a point is a double there, and so is a whole one of more than 64 bits. Others may be positions of columns. */
function number(node: NumberLiteral): Expression | undefined {
  const isShort = /^\d{1,18}$/.test(node.text);
  if (isShort || typeOrUnknown(node).kind !== "decimal") return undefined;
  const [, whole = "", fraction = ""] = /^(\d*)\.?(\d*)$/.exec(node.text) ?? [];
  if (whole + fraction === "" || whole.length + fraction.length > PRECISION) {
    throw unsupported("this number", node.span, `Write it with at most ${PRECISION} digits, or as a double precision.`);
  }
  const digits = text(`${whole || "0"}.${fraction}`.replace(/\.$/, ""), node);
  const scale = fraction.length;
  return cast(digits, "numeric", typed({ kind: "decimal", precision: PRECISION, scale }, node), [PRECISION, scale]);
}

function is(node: Is): Expression | undefined {
  const { operand, test, span } = node;
  if (operand.kind === "row") {
    const parts = operand.elements.map((each) => isNull(each, node.negated));
    return logical("and", parts, node);
  }
  if (test === "null") return undefined;
  if (test === "unknown") return isNull(operand, node.negated);
  const no: Expression = { kind: "boolean", value: false, span, type: BOOLEAN };
  const found = call("ifnull", [test === "true" ? operand : not(operand), no], { span, type: BOOLEAN });
  return node.negated ? not(found) : found;
}

function between(node: Between): Between {
  for (const each of [node.operand, node.low, node.high]) refuseUntold(each);
  if (node.symmetric) throw unsupported("BETWEEN SYMMETRIC", node.span, "Write both orders.");
  return { ...node, operand: inOrder(node.operand), low: inOrder(node.low), high: inOrder(node.high) };
}

/** NULLs in a list are left out there. */
function inList(node: InList): Expression | undefined {
  const { operand, list } = node;
  if (operand.kind === "row") throw unsupported("a row in a list", node.span, "Compare its members.");
  for (const each of [operand, ...list]) refuseUntold(each);
  if (
    list.every(
      (each) => (each.kind === "number" || each.kind === "string" || each.kind === "typed") && !isNullable(each),
    )
  ) {
    return undefined;
  }
  const any = logical(
    "or",
    list.map((each) => comparison(operand, "=", each, node)),
    node,
  );
  const found = list.length === 1 && list[0] ? comparison(operand, "=", list[0], node) : any;
  return node.negated ? not(found) : found;
}

/** What is not found among NULLs is unknown, and false there. */
function inQuery(node: InQuery): InQuery {
  const { operand, query, onlyTruth } = node;
  if (operand.kind === "row") throw unsupported("a row IN a query", node.span, "Use EXISTS.");
  if (isCorrelated(query)) throw unsupported("IN with a query of this row", node.span, "Use EXISTS.");
  const items = query.body.kind === "select" ? query.body.items : [];
  const [item] = items;
  const isSure = item?.kind === "item" && !isNullable(item.expression) && !isNullable(operand);
  if (isSure || (onlyTruth === true && !node.negated)) return node;
  throw unsupported("IN with values that may be NULL", node.span, "Use EXISTS, or declare both as not NULL.");
}

/** A simple CASE takes NULL for equal to NULL there; and what comes of it has one type. */
function searched(node: Case): Expression | undefined {
  const { operand, branches, otherwise } = node;
  if (operand !== undefined) refuseUntold(operand);
  const results = alike([...branches.map(({ then }) => then), ...(otherwise === undefined ? [] : [otherwise])], node);
  return cases(
    branches.map((each, index) => ({
      when: operand === undefined ? each.when : comparison(operand, "=", each.when, each.when),
      then: results[index] ?? each.then,
    })),
    otherwise && results.at(-1),
    { span: node.span, type: typeOrUnknown(node) },
  );
}

type Query = ScalarQuery["query"];

/** Whether something in it is of a query around it. */
function isCorrelated(query: Query): boolean {
  return hasOuter(query, aliasesOf(query));
}

/** Aliases differ from all that are around them. */
function aliasesOf(query: Query): ReadonlySet<string> {
  const own = new Set<string>();
  walk(query, (node) => {
    if ("alias" in node && node.alias !== undefined && "name" in node.alias) {
      const { name } = node.alias;
      own.add(typeof name === "string" ? name : name.name);
    }
    return true;
  });
  return own;
}

const isOuter = (node: SyntaxNode, own: ReadonlySet<string>): boolean =>
  node.kind === "bound" && !own.has((node.column as RelationColumn).relation.printedAlias);

function hasOuter(part: SyntaxNode, own: ReadonlySet<string>): boolean {
  let found = false;
  walk(part, (node) => {
    found ||= isOuter(node, own);
    return !found;
  });
  return found;
}

/** By columns that are equal to columns around, and nothing else: with expressions there the engine finds other rows. */
function isPlainlyCorrelated(query: Query): boolean {
  const { body } = query;
  if (body.kind !== "select" || body.where === undefined) return false;
  const own = aliasesOf(query);
  const others = conjuncts(body.where).filter(
    (each) =>
      !(each.kind === "binary" && each.operator === "=" && each.left.kind === "bound" && each.right.kind === "bound"),
  );
  return (
    !hasOuter({ ...query, body: { ...body, where: undefined } }, own) && !others.some((each) => hasOuter(each, own))
  );
}

/** A query of this row is a join there: it gives NULL where it finds no row, whatever it computes, and takes 0 for none. */
function scalarQuery(node: ScalarQuery): ScalarQuery {
  if (!isCorrelated(node.query)) return node;
  throw unsupported("a subquery of this row", node.span, "Join a derived table that is grouped by what they share.");
}

/** The answer counts as the engine does, without a sign; elsewhere counts meet numbers that have one. */
function unsignedCounts(statement: Query): Query {
  const { body } = statement;
  if (body.kind !== "select") return statement;
  const items = body.items.map((each) => {
    const { expression } = each.kind === "item" ? each : { expression: undefined };
    if (each.kind !== "item" || expression?.kind !== "call" || expression.name[0]?.name !== "count in 64 bits")
      return each;
    const [count] = expression.arguments.map(({ value }) => value);
    return count?.kind === "call" && count.name[0]?.name === "count" ? { ...each, expression: count } : each;
  });
  return { ...statement, body: { ...body, items } };
}

/** EXISTS over a row is a join there, which stands in WHERE alone. */
function rowsInWhere(statement: Query): Query {
  const allowed = new Set<Expression>();
  const allow = (condition: Expression): void => {
    if (condition.kind === "logical") condition.operands.forEach(allow);
    else if (condition.kind === "unary") allow(condition.operand);
    else allowed.add(condition);
  };
  walk(statement, (node) => {
    if (node.kind === "select" && node.where !== undefined) allow(node.where);
    return true;
  });
  walk(statement, (node) => {
    if (node.kind !== "exists" || !isCorrelated(node.query)) return true;
    if (!allowed.has(node))
      throw unsupported("EXISTS of this row outside of WHERE", node.span, "Join a derived table.");
    if (!isPlainlyCorrelated(node.query)) {
      throw unsupported("EXISTS by more than equal columns", node.span, "Join a derived table.");
    }
    return true;
  });
  return statement;
}

/** A table that is called like an alias in the same statement would be what that alias stands for. */
function namesApart(statement: Query): Query {
  const aliases = new Set<string>();
  const names = new Set<string>();
  const see = (name: string | undefined, alias: TableAlias | undefined): void => {
    if (name !== undefined) names.add(name);
    if (alias !== undefined && alias.name.name !== name) aliases.add(alias.name.name);
  };
  walk(statement, (node) => {
    switch (node.kind) {
      case "bound-common":
        see(node.table.printedName, node.alias);
        break;
      case "physical-table":
        see(node.name.length === 1 ? node.name[0]?.name : undefined, node.alias);
        break;
      case "derived":
        see(undefined, node.alias);
        break;
      default:
    }
    return true;
  });
  for (const alias of aliases) {
    if (!names.has(alias)) continue;
    throw unsupported(`the alias "${alias}" beside a table of that name`, statement.span, "Choose another alias.");
  }
  return statement;
}

/** Doubles among other numbers of a column would be values of one type or another. */
function setOperation(node: SetOperation): SetOperation {
  if (node.all && node.operator !== "union") {
    throw unsupported(`${node.operator.toUpperCase()} ALL`, node.span, "Number equal rows with row_number() first.");
  }
  const rows = rowsOf(node);
  const width = rows[0]?.length ?? 0;
  const areDoubles = Array.from({ length: width }, (_, at) =>
    rows.some((row) => row[at] !== undefined && typeOrUnknown(row[at]).kind === "float"),
  );
  const meeting = (value: Expression, at: number): Expression => {
    const { kind } = typeOrUnknown(value);
    if (areDoubles[at] && (kind === "integer" || kind === "decimal")) {
      return cast(value, "double precision", typed(DOUBLE, value));
    }
    return value;
  };
  return mapRows(node, meeting) as SetOperation;
}

function rowsOf(body: QueryBody): readonly (readonly (Expression | undefined)[])[] {
  switch (body.kind) {
    case "select":
      return [body.items.map((each) => (each.kind === "item" ? each.expression : undefined))];
    case "values":
      return body.rows;
    case "set":
      return [...rowsOf(body.left), ...rowsOf(body.right)];
    default:
      return rowsOf(body.query.body);
  }
}

function mapRows(body: QueryBody, map: (value: Expression, at: number) => Expression): QueryBody {
  switch (body.kind) {
    case "select": {
      const items = body.items.map((each, at) =>
        each.kind === "item" ? { ...each, expression: map(each.expression, at) } : each,
      );
      return { ...body, items };
    }
    case "values":
      return { ...body, rows: body.rows.map((row) => row.map(map)) };
    case "set":
      return { ...body, left: mapRows(body.left, map), right: mapRows(body.right, map) };
    default:
      return { ...body, query: { ...body.query, body: mapRows(body.query.body, map) } };
  }
}

function plainWindow(window: Window): Window {
  const { frame } = window;
  const bounds = [frame?.start, frame?.end];
  if (frame?.unit === "range" && bounds.some((bound) => bound !== undefined && "offset" in bound)) {
    throw unsupported("a RANGE frame with a distance", frame.span, "Join the table with itself on a range.");
  }
  return window;
}

/** Conditions are numbers there. */
function item(expression: Expression): Expression {
  const { kind } = typeOrUnknown(expression);
  if (kind === "interval") throw unsupported("an interval as a value", expression.span, "Use date_diff('day', a, b).");
  if (kind !== "boolean" || expression.kind === "bound" || expression.kind === "boolean") return expression;
  return cast(expression, "boolean", typed(BOOLEAN, expression));
}

export const clickHouseRewrites = (): Rewrites => ({
  expressions: expressionSayings(["string boolean null column session logical exists bound opaque interval row"], {
    number,
    unary: (node) => (node.operator === "-" ? negated(node.operand, node) : undefined),
    between,
    quantified: { refused: "ANY and ALL", hint: "Use IN, or compare with the least or greatest value." },
    like,
    "in-list": inList,
    "in-query": inQuery,
    "scalar-query": scalarQuery,
    case: searched,
    typed: literal,
    is,
    collate: collated,
    "at-time-zone": { refused: "AT TIME ZONE" },
    bits: { refused: "a literal of bits" },
    subscript: NO_ARRAYS,
    array: NO_ARRAYS,
    "array-query": NO_ARRAYS,
    slice: NO_ARRAYS,
    field: { refused: "a member of a row" },
  }),
  operators: clickHouseOperators(),
  casts: clickHouseCasts(),
  fields: clickHouseFields(),
  functions: clickHouseFunctions(),
  tableFunctions: new Map(),
  window: plainWindow,
  keys: { keyOf: (expression) => expression, sortOf: sortKey },
  item,
  setOperation,
  rowsOfValues: setOperation,
  statement: (statement) => unsignedCounts(rowsInWhere(namesApart(statement))),
});
