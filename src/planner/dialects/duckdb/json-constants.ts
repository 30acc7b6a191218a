/**
 * JSON beside a constant: `=`, `@>` and `<@` written out member by member, in DuckDB's own words, because one element of an
 * array is looked at in a lambda. Numbers are compared by value. Nothing in it is false or unknown but as a whole.
 */
import { unsupported } from "../../diagnostics.ts";
import { call, cast, isNull, not, when } from "../../syntax/build.ts";
import type { Binary, Expression } from "../../syntax/tree.ts";
import { BOOLEAN, TEXT } from "../../types.ts";
import { applied } from "./json-texts.ts";

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** More digits than a double keeps. */
const LONG_NUMBER = /\d[\d.]{15}/;

/** The value of a constant that is JSON; `undefined` for anything else. Throws for a number that would not be kept. */
function constantOf(expression: Expression): Json | undefined {
  const literal = expression.kind === "cast" && expression.type?.kind === "json" ? expression.operand : expression;
  if (literal.kind !== "string") return undefined;
  if (LONG_NUMBER.test(literal.value.replace(/"(?:[^"\\]|\\[\s\S]?)*"?/g, ""))) {
    throw unsupported("a number of that many digits in JSON", expression.span);
  }
  try {
    return JSON.parse(literal.value) as Json;
  } catch {
    return undefined;
  }
}

/** A condition over the JSON text or value of this name. */
type Condition = (json: string) => string;

const quoted = (value: string): string => `'${value.replaceAll("'", "''")}'`;

const all = (conditions: readonly string[]): string => conditions.map((each) => `(${each})`).join(" AND ");

const isA = (json: string, kind: "OBJECT" | "ARRAY"): string => `json_type(${json}) = '${kind}'`;

const memberOf = (json: string, name: string): string =>
  `json_extract(${json}, ${quoted(`/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`)})`;

/** How many elements fulfil a condition; of an element's own elements the name is longer. */
function elements(json: string, condition: Condition): string {
  const name = `${/_j_*/.exec(json)?.[0] ?? "_j"}_`;
  return `len(list_filter(json_extract(${json}, '$[*]')::varchar[], (lambda ${name}: coalesce(${condition(name)}, false))))`;
}

function isScalar(value: Json): value is null | boolean | number | string {
  return value === null || typeof value !== "object";
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function equalsScalar(json: string, value: null | boolean | number | string): string {
  const text = `json_extract_string(${json}, '$')`;
  switch (typeof value) {
    case "string":
      return `json_type(${json}) = 'VARCHAR' AND ${text} = ${quoted(value)}`;
    case "number":
      return `json_type(${json}) IN ('UBIGINT', 'BIGINT', 'DOUBLE') AND try_cast(${text} AS double) = ${value.toExponential()}`;
    case "boolean":
      return `json_type(${json}) = 'BOOLEAN' AND ${text} = '${value}'`;
    default:
      return `json_type(${json}) = 'NULL'`;
  }
}

const equals =
  (value: Json): Condition =>
  (json) => {
    if (isScalar(value)) return equalsScalar(json, value);
    if (isList(value)) {
      const each = value.map((element, index) => equals(element)(`json_extract(${json}, '$[${index}]')`));
      return all([isA(json, "ARRAY"), `json_array_length(${json}) = ${value.length}`, ...each]);
    }
    const members = Object.entries(value);
    const each = members.map(([name, member]) => equals(member)(memberOf(json, name)));
    return all([isA(json, "OBJECT"), `len(list_distinct(json_keys(${json}))) = ${members.length}`, ...each]);
  };

/** `json @> value`: every member and element of the value is in the JSON, too. */
const holds =
  (value: Json): Condition =>
  (json) => {
    if (isScalar(value)) return equalsScalar(json, value);
    if (isList(value)) return all([isA(json, "ARRAY"), ...value.map((each) => `${elements(json, holds(each))} > 0`)]);
    const each = Object.entries(value).map(([name, member]) => holds(member)(memberOf(json, name)));
    return all([isA(json, "OBJECT"), ...each]);
  };

/** `json <@ value`. */
const isWithin =
  (value: Json): Condition =>
  (json) => {
    if (isScalar(value)) return equalsScalar(json, value);
    if (isList(value)) return all([isA(json, "ARRAY"), `${elements(json, among(value))} = json_array_length(${json})`]);
    const names = Object.keys(value).map(quoted);
    const others = `list_filter(json_keys(${json}), (lambda _jk: _jk NOT IN (${["''''", ...names].join(", ")})))`;
    const each = Object.entries(value).map(([name, member]) => {
      const own = memberOf(json, name);
      return `${own} IS NULL OR coalesce(${isWithin(member)(own)}, false)`;
    });
    return all([isA(json, "OBJECT"), `len(${others}) = 0`, ...each]);
  };

const among =
  (values: readonly Json[]): Condition =>
  (json) =>
    values.length === 0 ? "false" : values.map((value) => `(${isWithin(value)(json)})`).join(" OR ");

/** An array holds the scalars that are its elements. */
const CONDITIONS: Readonly<Record<"=" | "@>" | "<@", (value: Json) => Condition>> = {
  "=": equals,
  "@>": (value) => (json) =>
    isScalar(value) ? `${holds(value)(json)} OR ${holds([value])(json)}` : holds(value)(json),
  "<@": (value) => (json) => {
    if (!isList(value)) return isWithin(value)(json);
    const scalars = value.filter(isScalar);
    return `${isWithin(value)(json)} OR ${among(scalars)(json)}`;
  },
};

/** `json operator value`, NULL for NULL. */
function besideConstant(json: Expression, operator: "=" | "@>" | "<@", value: Json, node: Expression): Expression {
  const at = { span: node.span, type: BOOLEAN };
  const condition = CONDITIONS[operator](value);
  const text = cast(json, "text", { span: json.span, type: TEXT });
  const found = applied((name) => `coalesce(${condition(name)}, false)`, text, at);
  return when(isNull(json, true), found, undefined, at);
}

/** `=`, `<>`, IS [NOT] DISTINCT FROM with a constant on one side. */
export function jsonEquality(node: Binary): Expression | undefined {
  const { left, right, operator } = node;
  if (left.type?.kind !== "json" && right.type?.kind !== "json") return undefined;
  const [first, second] = [constantOf(left), constantOf(right)];
  const [operand, constant] = second !== undefined ? [left, second] : [right, first];
  if (constant === undefined) return undefined;
  const equal = besideConstant(operand, "=", constant, node);
  switch (operator) {
    case "=":
      return equal;
    case "<>":
      return not(equal);
    case "is not distinct from":
    case "is distinct from": {
      const same = call("coalesce", [equal, { kind: "boolean", value: false, span: node.span, type: BOOLEAN }], {
        span: node.span,
        type: BOOLEAN,
      });
      return operator === "is distinct from" ? not(same) : same;
    }
    default:
      return undefined;
  }
}

/** `a @> b` and `a <@ b` where one side is a constant. */
export function jsonContainment(node: Binary): Expression {
  const isHolding = node.operator === "@>";
  const right = constantOf(node.right);
  if (right !== undefined) return besideConstant(node.left, isHolding ? "@>" : "<@", right, node);
  const left = constantOf(node.left);
  if (left !== undefined) return besideConstant(node.right, isHolding ? "<@" : "@>", left, node);
  throw unsupported("the containment of computed JSON", node.span, "Write one side as a literal, or use ->>.");
}
