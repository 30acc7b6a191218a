/** JSON access by steps and paths. Measured on DuckDB 1.4.5 against PostgreSQL's jsonb. */
import { isNullable } from "../../binding/nullability.ts";
import { unsupported } from "../../diagnostics.ts";
import { pathSteps } from "../../lowering/json/json-paths.ts";
import { spelled, sql } from "../../lowering/templates/template.ts";
import {
  all,
  binary,
  call,
  cast,
  inPlaceOf,
  isNull,
  logical,
  type Place,
  text,
  typed,
  values,
  when,
} from "../../syntax/build.ts";
import type { Binary, Call, Expression, Span } from "../../syntax/tree.ts";
import { BIGINT, BOOLEAN, TEXT } from "../../types.ts";
import { arrayStep, jsonPaths } from "./json-paths.ts";
import { type JsonAccess, textWithin } from "./json-texts.ts";

/** The value behind literal steps, the first of the places they may mean. */
export function jsonAt(value: Expression, steps: readonly string[], name: JsonAccess, at: Place): Expression {
  const paths = steps.some(isSpecial) ? [pointer(steps, at)] : jsonPaths(steps);
  const found = paths.map((path) => call(name, [value, text(path, at)], at));
  const [only, ...others] = found;
  return only !== undefined && others.length === 0 ? only : call("coalesce", found, at);
}

/** In DuckDB's paths `"*"` is every member although it stands in quotes, and there is no empty name. */
function isSpecial(step: string): boolean {
  return step === "" || /[*"\\]/.test(step);
}

/** RFC 6901: a step of digits is a member of an object and an index of an array, as in `#>`. */
function pointer(steps: readonly string[], at: { readonly span: Span }): string {
  if (steps.some((step) => /^-\d+$/.test(step))) {
    throw unsupported("an index from the end beside such a name", at.span, "Take one step after the other.");
  }
  return steps.map((step) => `/${step.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** `->` and `->>`: an integer counts elements of an array from 0, a text is a member of an object whatever it looks like. */
export function jsonStep(value: Expression, step: Expression, name: JsonAccess, at: Place): Expression {
  const index = integerOf(step);
  if (index !== undefined) return call(name, [value, text(`$${arrayStep(index)}`, at)], at);
  if (step.kind === "string") {
    const path = isSpecial(step.value) ? pointer([step.value], at) : `$."${step.value}"`;
    return call(name, [value, text(path, at)], at);
  }
  switch (step.type?.kind) {
    case "integer":
      return when(
        isOfType(value, "ARRAY"),
        call(name, [value, cast(step, "bigint", typed(BIGINT, at))], at),
        undefined,
        at,
      );
    case "text":
      return when(isOfType(value, "OBJECT"), call(name, [value, memberPointer(step)], at), undefined, at);
    default:
      throw unsupported("a JSON step that is neither a text nor an integer", step.span);
  }
}

/**
 * The array in which `->` and `->>` count elements: to PostgreSQL a scalar of jsonb is an array that holds it, and stands at 0 and -1.
 * Subscripts, paths and json do not see it so.
 */
export function elementsOf(value: Expression, step: Expression): Expression {
  if (value.type?.kind !== "json" || !value.type.binary || step.type?.kind !== "integer") return value;
  const index = integerOf(step);
  if (index !== undefined && index !== 0 && index !== -1) return value;
  const kinds = ["ARRAY", "OBJECT"].map((kind) => text(kind, value));
  const at = { span: value.span, type: BOOLEAN };
  const isScalar: Expression = { kind: "in-list", operand: jsonType(value), negated: true, list: kinds, ...at };
  return when(isScalar, call("json_array", [value], inPlaceOf(value)), value, inPlaceOf(value));
}

/** `j[0]` is `j #> '{0}'` for jsonb, a member or an element; for json, which has none in PostgreSQL, it is `->`. */
export function jsonSubscript(value: Expression, index: Expression, at: Place): Expression {
  if (value.type?.kind !== "json" || !value.type.binary) return jsonStep(value, index, "json_extract", at);
  const literal = index.kind === "string" ? index.value : integerOf(index)?.toString();
  if (literal !== undefined) return jsonAt(value, [literal], "json_extract", at);
  if (index.type?.kind !== "integer") {
    throw unsupported("a computed subscript of jsonb that is no integer", index.span, "Use j -> name.");
  }
  const member = jsonStep(value, cast(index, "text", { span: index.span, type: TEXT }), "json_extract", at);
  return call("coalesce", [jsonStep(value, index, "json_extract", at), member], at);
}

function isOfType(value: Expression, type: "ARRAY" | "OBJECT"): Expression {
  return binary(jsonType(value), "=", text(type, value), { span: value.span, type: BOOLEAN });
}

function jsonType(value: Expression): Expression {
  return call("json_type", [value], { span: value.span, type: TEXT });
}

const POINTER = sql("'/' || replace(replace($1, '~', '~0'), '/', '~1')", { type: TEXT });

const memberPointer = (name: Expression): Expression =>
  name.kind === "string" ? text(pointer([name.value], name), name) : spelled(POINTER, [name], name);

function integerOf(expression: Expression): number | undefined {
  if (expression.kind === "number" && /^\d+$/.test(expression.text)) return Number(expression.text);
  if (expression.kind !== "unary" || expression.operator !== "-") return undefined;
  const positive = integerOf(expression.operand);
  return positive === undefined ? undefined : -positive;
}

/** `j #> '{a,0}'`. */
export function lowerJsonPath(node: Binary): Expression {
  const steps = pathSteps(node.right);
  if (steps === undefined)
    throw unsupported("a JSON path that is computed", node.right.span, "Write the path as a literal, '{a,b}'.");
  const at = (name: JsonAccess, place: Place): Expression => jsonAt(node.left, steps, name, place);
  return node.operator === "#>" ? at("json_extract", inPlaceOf(node)) : textWithin(node.left.type, at, node);
}

/** `j ? 'k'`: a member of an object, an element of an array, or the text itself. */
export function hasKey(node: Binary): Expression {
  const { left, right } = node;
  const present = [left, right].filter((side) => side === left || isNullable(side)).map((side) => isNull(side, true));
  return when(all(present, node) ?? isNull(left, true), isKeyOf(left, right, node), undefined, inPlaceOf(node));
}

/** `j ?| ARRAY['a', 'b']` and `j ?& …`. */
export function hasKeys(node: Binary): Expression {
  const keys = pathSteps(node.right.kind === "cast" ? node.right.operand : node.right);
  if (keys === undefined) {
    throw unsupported("keys that are computed", node.right.span, "Write them as literals: ARRAY['a', 'b'].");
  }
  const isAny = node.operator === "?|";
  const found = keys.map((key) => isKeyOf(node.left, text(key, node.right), node));
  const result: Expression =
    found.length === 0
      ? { kind: "boolean", value: !isAny, span: node.span, type: BOOLEAN }
      : logical(isAny ? "or" : "and", found, node);
  return when(isNull(node.left, true), result, undefined, inPlaceOf(node));
}

/** `$3` is the pointer to the key `$2`. Never NULL for a value and a key that are not. */
const IS_KEY = sql(
  `CASE json_type($1) WHEN 'OBJECT' THEN json_exists($1, $3)
    WHEN 'ARRAY' THEN list_contains(json_extract($1, '$[*]'), to_json($2))
    WHEN 'VARCHAR' THEN json_extract_string($1, '$') = $2 ELSE false END`,
  { type: BOOLEAN },
);

const isKeyOf = (value: Expression, key: Expression, node: Binary): Expression =>
  spelled(IS_KEY, [value, key, memberPointer(key)], node);

/** DuckDB returns 0 for a value that is no array, PostgreSQL raises an error. */
export function jsonArrayLength(node: Call): Expression {
  const [value] = values(node);
  if (value === undefined) return node;
  const isOther = binary(jsonType(value), "<>", text("ARRAY", node), { span: node.span, type: BOOLEAN });
  return when(
    isOther,
    call("error", [text("cannot get array length of a non-array", node)], inPlaceOf(node)),
    node,
    inPlaceOf(node),
  );
}

/** DuckDB compares the texts of JSON values: `1` and `1.0`, or two orders of members, would differ. */
export function refuseJson(expression: Expression): void {
  if (expression.type?.kind !== "json") return;
  throw unsupported("the comparison of JSON values", expression.span, "Compare their texts: j ->> 'name'.");
}
