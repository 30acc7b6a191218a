/**
 * Facts about the type of a lowered node that follow from the node alone. Compares families and not widths: no rewrite
 * depends on the width of an integer.
 */
import { findFunction } from "../../../src/planner/functions/catalogue.ts";
import type { Binary, Call, Expression, Query, QueryBody } from "../../../src/planner/syntax/tree.ts";
import { groupedBy, walk } from "../../../src/planner/syntax/walk.ts";
import { describeType, familyOf, type SqlType, typeOfName } from "../../../src/planner/types.ts";

type Wanted = string | undefined;

/** All that contradicts itself below a lowered query, one line each. `numbersTimes`: times of day are numbers on the target. */
export function wrongTypes(query: Query, numbersTimes = false): readonly string[] {
  const found = new Set<string>();
  const ordinals = ordinalsIn(query);
  walk(query, (node) => {
    if (!isExpression(node) || ordinals.has(node)) return true;
    const wanted = wantedType(node);
    if (numbersTimes && node.type?.kind === "time" && /^(bigint|integer or decimal)$/.test(wanted ?? "")) return true;
    if (wanted !== undefined) found.add(`${described(node)} is ${said(node)}, not ${wanted}`);
    return true;
  });
  return [...found];
}

/** `ORDER BY 1`, `GROUP BY 1`: they have the type of the column that they stand for. */
function ordinalsIn(query: Query): ReadonlySet<Expression> {
  const found = new Set<Expression>();
  walk(query, (node) => {
    if (node.kind === "query") for (const { expression } of node.orderBy) found.add(expression);
    if (node.kind === "select") for (const key of node.groupBy?.flatMap(groupedBy) ?? []) found.add(key);
    return true;
  });
  return new Set([...found].filter(({ kind }) => kind === "number"));
}

const NO_EXPRESSIONS: ReadonlySet<string> = new Set(
  "query select set values nested table bound-model bound-common physical-table derived function join aliased-join opaque-table item star".split(
    " ",
  ),
);

function isExpression(node: { readonly kind: string }): node is Expression {
  return !NO_EXPRESSIONS.has(node.kind);
}

function said({ type }: Expression): string {
  return type === undefined ? "without a type" : describeType(type);
}

function described(node: Expression): string {
  switch (node.kind) {
    case "call":
      return `${node.name.map(({ name }) => name).join(".")}(${node.arguments.map(({ value }) => said(value)).join(", ")})`;
    case "binary":
      return `${said(node.left)} ${node.operator} ${said(node.right)}`;
    case "unary":
      return `${node.operator} ${said(node.operand)}`;
    case "cast":
      return `cast of ${said(node.operand)} to ${node.typeName.name}${"[]".repeat(node.typeName.dimensions)}`;
    case "case":
      return `case of ${node.branches.map(({ then }) => said(then)).join(", ")}, ${node.otherwise ? said(node.otherwise) : "nothing"}`;
    case "opaque":
      return `opaque ${node.text}`;
    case "number":
      return `number ${node.text}`;
    case "subscript":
      return `subscript of ${said(node.operand)}`;
    default:
      return node.kind;
  }
}

/** Families that agree; NULL and what nobody knows agree with all. */
function agree(a: SqlType | undefined, b: SqlType | undefined): boolean {
  if (a === undefined || b === undefined) return true;
  const [left, right] = [familyOf(a), familyOf(b)];
  if (left === "any" || right === "any") return true;
  if (a.kind === "array" && b.kind === "array") return agree(a.element, b.element);
  return left === right;
}

/** The required type, if the node's type differs. */
function wantedType(node: Expression): Wanted {
  const { type } = node;
  if (type === undefined) return "anything";
  const like = (other: SqlType | undefined): Wanted =>
    other === undefined || agree(type, other) ? undefined : describeType(other);
  const oneOf = (...kinds: readonly SqlType["kind"][]): Wanted =>
    kinds.includes(type.kind) ? undefined : kinds.join(" or ");
  switch (node.kind) {
    case "like":
    case "between":
    case "in-list":
    case "in-query":
    case "quantified":
    case "exists":
    case "is":
    case "logical":
    case "boolean":
      return oneOf("boolean");
    case "string":
      // PostgreSQL reads '{a,b}' by the type beside it.
      return oneOf("text", "array");
    case "collate":
      return like(node.operand.type);
    case "number":
      return /^\d+$/.test(node.text) ? oneOf("integer", "decimal", "float") : oneOf("decimal", "float");
    case "bits":
      return oneOf("binary", "opaque");
    case "interval":
      return oneOf("interval");
    case "typed":
      return typeOfName(node.typeName).kind === type.kind ? undefined : node.typeName.name;
    case "unary":
      return node.operator === "not" ? oneOf("boolean") : like(node.operand.type);
    case "binary":
      return wantedOfBinary(node, type);
    case "case":
      for (const value of [...node.branches.map(({ then }) => then), ...(node.otherwise ? [node.otherwise] : [])]) {
        const wanted = like(value.type);
        if (wanted !== undefined) return wanted;
      }
      return undefined;
    case "cast": {
      const named = typeOfName(node.typeName);
      if (named.kind === type.kind || named.kind === "opaque") return undefined;
      // A decimal of the language may be computed as a double (lowering/numbers/inexact.ts), and a bare one keeps what it is given.
      if (type.kind === "decimal" && (named.kind === "float" || named.kind === "integer")) return undefined;
      return describeType(named);
    }
    case "extract":
      return oneOf("integer", "decimal", "float");
    case "array":
      if (type.kind !== "array") return "array";
      for (const element of node.elements) if (!agree(element.type, type.element)) return `${said(element)}[]`;
      return undefined;
    case "array-query":
      return oneOf("array");
    case "scalar-query":
      return type.kind === "row" ? undefined : like(firstColumn(node.query.body)?.type);
    case "subscript":
      if (node.operand.type?.kind === "array") return like(node.operand.type.element);
      return node.operand.type?.kind === "json" ? oneOf("json") : undefined;
    case "slice":
      return like(node.operand.type);
    case "row":
      return oneOf("row");
    case "at-time-zone":
      return oneOf("timestamp", "time");
    case "call":
      return wantedOfCall(node, type);
    case "bound":
    case "null":
    case "field":
    case "spelled":
    case "opaque":
      return undefined;
    case "session":
    case "column":
      return undefined;
    default:
      return node satisfies never;
  }
}

function firstColumn(body: QueryBody): Expression | undefined {
  switch (body.kind) {
    case "select": {
      const [item] = body.items;
      return item?.kind === "item" ? item.expression : undefined;
    }
    case "set":
      return firstColumn(body.left);
    case "values":
      return body.rows[0]?.[0];
    case "nested":
      return firstColumn(body.query.body);
    default:
      return body satisfies never;
  }
}

const BOOLEAN_OPERATORS: ReadonlySet<string> = new Set([
  ...["=", "<>", "<", "<=", ">", ">=", "@>", "<@", "?", "?|", "?&", "&&", "^@", "~", "~*", "!~", "!~*"],
  ...["is distinct from", "is not distinct from", "overlaps"],
]);

function wantedOfBinary({ operator, left, right }: Binary, type: SqlType): Wanted {
  const is = (...kinds: readonly SqlType["kind"][]): Wanted =>
    kinds.includes(type.kind) ? undefined : kinds.join(" or ");
  if (BOOLEAN_OPERATORS.has(operator)) return is("boolean");
  if (left.type === undefined || right.type === undefined) return undefined;
  const [a, b] = [familyOf(left.type), familyOf(right.type)];
  if (a === "any" || b === "any") return undefined;
  switch (operator) {
    case "->":
    case "#>":
      return is("json");
    case "->>":
    case "#>>":
      return is("text");
    case "||":
      if (a === "array" || b === "array") return is("array");
      return a === b ? (familyOf(type) === a ? undefined : a) : is("text");
    case "+":
    case "-":
    case "*":
    case "/":
    case "//":
    case "%":
    case "^":
      return wantedOfArithmetic(operator, [left.type, right.type], type);
    default:
      return undefined;
  }
}

function wantedOfArithmetic(operator: string, [left, right]: readonly [SqlType, SqlType], type: SqlType): Wanted {
  const is = (...kinds: readonly SqlType["kind"][]): Wanted =>
    kinds.includes(type.kind) ? undefined : kinds.join(" or ");
  const [a, b] = [familyOf(left), familyOf(right)];
  if (a === "number" && b === "number") {
    if (left.kind === "float" || right.kind === "float") return is("float", "decimal");
    if (left.kind === "decimal" || right.kind === "decimal") return is("decimal", "float");
    // `div` of two integers is numeric, and so are sums that are wider than they were written.
    return ["/", "//", "^"].includes(operator) ? is("integer", "decimal", "float") : is("integer", "decimal");
  }
  if (a === "interval" && b === "number") return is("interval");
  if (a === "number" && b === "interval") return is("interval");
  if (a === "interval" && b === "interval") return is("interval");
  if (a === "datetime" && b === "datetime") return is("interval", "integer");
  if (a === "time" && b === "time") return is("interval");
  if (a === "datetime" || b === "datetime") return is("date", "timestamp");
  if (a === "time" || b === "time") return is("time", "timestamp");
  return undefined;
}

const names = (family: string, text: string): readonly (readonly [string, string])[] =>
  text.split(" ").map((name) => [name, family] as const);

/** Functions that targets have in addition to the catalogue's, or with another meaning. */
const FAMILIES: ReadonlyMap<string, string> = new Map([
  ...names("text", "format printf strftime regexp_extract trim string_agg array_to_string upper lower left right"),
  ...names("text", "json_extract_string to_base64 hex replace translate concat concat_ws substring lpad rpad chr"),
  ...names("number", "len length count datediff epoch epoch_us ascii strpos list_position list_count"),
  ...names("boolean", "regexp_full_match starts_with contains list_contains json_exists isfinite isnan isinf"),
  ...names(
    "array",
    "list_transform list_filter list_reverse string_split regexp_extract_all list_concat json_keys list",
  ),
  ...names("datetime", "make_date make_timestamp to_timestamp strptime now"),
  ...names("interval", "to_years to_months to_weeks to_hours to_minutes to_microseconds"),
  // PostgreSQL's gives texts, DuckDB's a truth; PostgreSQL's makes a text of bytes, DuckDB's bytes of a text.
  ...names("array|boolean", "regexp_matches"),
  ...names("binary|text", "encode"),
  // A text where JSON is put together from texts.
  ...names("json|text", "to_json"),
  // DuckDB's makes an interval of a number, MySQL's a number of a date.
  ...names("interval|number", "to_days"),
  // A list, where DuckDB has it as a value.
  ...names("array|number|datetime", "generate_series"),
]);

function wantedOfCall(node: Call, type: SqlType): Wanted {
  const name = node.name.map((part) => part.name).join(".");
  const family = familyOf(type);
  const types = node.arguments.map(({ value }) => value.type).filter((each) => each !== undefined);
  if (types.length < node.arguments.length) return undefined;
  const own = FAMILIES.get(name)?.split("|");
  if (own !== undefined) return own.includes(family) || family === "any" ? undefined : own.join(" or ");
  const specified = findFunction(name);
  if (specified === undefined) return undefined;
  const given = specified.result(types);
  return agree(type, given) ? undefined : describeType(given);
}
