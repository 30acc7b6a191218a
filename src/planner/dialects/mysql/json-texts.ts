/**
 * JSON that is made of values, as the text that PostgreSQL writes: MySQL and MariaDB write documents of their own differently,
 * and sort the members of what they collect by nothing.
 */
import { isNullable } from "../../binding/nullability.ts";
import { unsupported } from "../../diagnostics.ts";
import { byLength } from "../../lowering/json/jsonb-order.ts";
import { call, inPlaceOf, isNull, renamed, text, typed, values, withArguments } from "../../syntax/build.ts";
import type { Call, Expression } from "../../syntax/tree.ts";
import { type SqlType, TEXT, typeOrUnknown } from "../../types.ts";
import { dateTimeText, textOf } from "./casts.ts";
import { orRaise } from "./raising.ts";
import { concat, inUtf8, isJsonDocument, jsonDocument } from "./templates.ts";

const refused = (what: string, at: Expression) =>
  unsupported(what, at.span, "Write its text: CAST(… AS text), or to_char(…).");

const isBinary = (value: Expression): boolean => {
  const type = typeOrUnknown(value);
  return type.kind === "json" && type.binary === true;
};

/** The JSON text of a value that is not NULL. `jsonb` would write a document of the other kind anew. */
function jsonText(value: Expression, within: Call | undefined): Expression {
  const at = typed(TEXT, value);
  const quoted = (shown: Expression): Expression => call("json_quote", [shown], at);
  const type = typeOrUnknown(value);
  switch (type.kind) {
    case "text":
      return quoted(inUtf8(value, at));
    case "date":
      return quoted(textOf(value, value));
    case "timestamp":
      if (type.zoned) throw refused("json of an instant", value);
      return quoted(dateTimeText(value, "T", value));
    case "integer":
    case "decimal":
    case "boolean":
      return textOf(value, value);
    case "json":
      if (within !== undefined && isJsonDocument(value) && (isBinary(value) || !isBinary(within))) return value;
      throw refused("json in json", value);
    default:
      throw refused(`json of type ${type.kind}`, value);
  }
}

/** With `null` for NULL. */
function member(value: Expression, within: Call): Expression {
  if (value.kind === "null") return text("null", value);
  return orNull(jsonText(value, within), value);
}

function orNull(shown: Expression, value: Expression): Expression {
  return isNullable(value) ? call("coalesce", [shown, text("null", value)], typed(TEXT, value)) : shown;
}

/** Types of elements that arrays as documents have. */
const OF_ELEMENTS: ReadonlySet<SqlType["kind"]> = new Set(["text", "integer", "decimal", "boolean", "date"] as const);

/** The JSON text of an element of an array; `undefined` for types that have none. NULL is NULL. */
export function elementText(value: Expression): Expression | undefined {
  if (value.kind === "null") return value;
  return OF_ELEMENTS.has(typeOrUnknown(value).kind) ? jsonText(value, undefined) : undefined;
}

/** The JSON text of an element, with `null` for NULL. */
export function memberText(value: Expression): Expression | undefined {
  const shown = elementText(value);
  if (shown === undefined || value.kind !== "null") return shown && orNull(shown, value);
  return text("null", value);
}

function made(parts: readonly Expression[], at: Call): Expression {
  return jsonDocument(parts, inPlaceOf(at));
}

/** Parts with a text between them, in brackets. */
function listed(
  parts: readonly (readonly Expression[])[],
  [open, close]: readonly [string, string],
  at: Call,
): Expression {
  const between = parts.flatMap((part, index) => (index === 0 ? part : [text(", ", at), ...part]));
  return made([text(open, at), ...between, text(close, at)], at);
}

/** `json_build_array(…)`, also as `jsonb`, which writes it alike. */
export const jsonArray = (node: Call): Expression =>
  listed(
    values(node).map((value) => [member(value, node)]),
    ["[", "]"],
    node,
  );

/** `json_build_object('k', v, …)`. As `jsonb` the shorter names come first, and the last of the same ones counts. */
export function jsonObject(node: Call): Expression {
  const given = values(node);
  const members: (readonly [name: string, value: Expression])[] = [];
  for (let index = 0; index < given.length; index += 2) {
    const [name, value] = given.slice(index, index + 2);
    if (name?.kind !== "string" || value === undefined) {
      throw unsupported("json with a computed name", node.span, "Write names as literals.");
    }
    members.push([name.value, value]);
  }
  const shown = isBinary(node) ? [...new Map(members)].sort(([a], [b]) => byLength(a, b)) : members;
  const colon = isBinary(node) ? ": " : " : ";
  const parts = shown.map(([name, value]) => [text(JSON.stringify(name) + colon, node), member(value, node)]);
  return listed(parts, ["{", "}"], node);
}

/** `json_agg(x ORDER BY y)`, with its NULLs. */
export function jsonArrayOfRows(node: Call): Expression {
  const [value] = values(node);
  if (value === undefined || node.over !== undefined || node.distinct) throw refusedRows(node);
  return made([text("[", node), joined(node, member(value, node)), text("]", node)], node);
}

/** `json_object_agg(k, v ORDER BY k)`; a name that is NULL raises. */
export function jsonObjectOfRows(node: Call): Expression {
  const [name, value] = values(node);
  const isText = name !== undefined && typeOrUnknown(name).kind === "text";
  if (!isText || value === undefined || node.over !== undefined || node.distinct) throw refusedRows(node);
  const one = concat([jsonText(name, node), text(" : ", node), member(value, node)], typed(TEXT, node));
  const each = isNullable(name) ? orRaise(isNull(name, true), one, text("", node)) : one;
  return made([text("{ ", node), joined(node, each), text(" }", node)], node);
}

const refusedRows = ({ span }: Call) =>
  unsupported("json of rows with DISTINCT or without GROUP BY", span, "Collect the rows of groups, without DISTINCT.");

function joined(node: Call, element: Expression): Expression {
  return { ...withArguments(renamed(node, "group_concat"), [element, text(", ", node)]), type: TEXT };
}

/** `to_json(x)`: NULL stays NULL. */
export function asJson(node: Call): Expression {
  const [value] = values(node);
  if (value === undefined) return node;
  return value.kind === "null" ? value : made([jsonText(value, node)], node);
}
