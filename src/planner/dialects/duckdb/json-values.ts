/** SQL values as JSON, and JSON made of them, with PostgreSQL's blanks. A number keeps its digits, a time its T. */

import { unsupported } from "../../diagnostics.ts";
import { isInexactDecimal, isReadFromText } from "../../lowering/numbers/inexact.ts";
import { spelled, sql } from "../../lowering/templates/template.ts";
import { binary, call, cast, inPlaceOf, renamed, text, typed, values, withArguments } from "../../syntax/build.ts";
import type { Call, Expression } from "../../syntax/tree.ts";
import { JSON_TYPE, type SqlType, TEXT, typeOrUnknown } from "../../types.ts";
import { inOrder, withDigits } from "./json-texts.ts";
import { floatText } from "./texts.ts";

const QUOTED = sql("CAST(to_json($1) AS text)");
/** The text of a number; NaN and the infinite values become texts. */
const FINITE_OR_QUOTED = sql("CASE WHEN isfinite($1) THEN $2 ELSE CAST(to_json($2) AS text) END");
const CLOCK = sql("replace($1, ' ', 'T')");
const ZONED = sql("replace(replace($1, ' ', 'T') || ':00', 'y:00', 'y')");

/** The JSON text of a value; NULL for NULL. DuckDB's own functions read a number of many digits as a double. */
function jsonText(value: Expression): Expression {
  const { type, span } = value;
  const at = { span, type: TEXT };
  const plain = cast(value, "text", at);
  const quoted = (written: Expression): Expression => spelled(QUOTED, [written], at);
  switch (type?.kind) {
    case "integer":
    case "boolean":
      return plain;
    case "json":
      return withDigits(value);
    case "text":
    case "null":
      return quoted(value);
    case "decimal":
      if (!isInexactDecimal(value) && !isReadFromText(value)) return plain;
      throw unsupported(
        "the JSON of a decimal whose digits are not known",
        span,
        "Round it first: CAST(x AS numeric(18, 2)).",
      );
    case "float":
      return spelled(FINITE_OR_QUOTED, [value, floatText({ operand: value, span })], at);
    case "date":
    case "uuid":
      return quoted(plain);
    case "timestamp":
      return quoted(spelled(type.zoned ? ZONED : CLOCK, [plain], at));
    case "array":
      if (hasPlainElements(type.element)) return quoted(value);
      throw unsupported("the JSON of such an array", span, "Use json_agg over its elements.");
    default:
      throw unsupported(
        `the JSON of a value of type ${type?.kind ?? "unknown"}`,
        span,
        "Write a CAST around the value.",
      );
  }
}

const OR_NULL = sql("coalesce($1, 'null')", { type: TEXT, nulls: "never" });

/** `null` for NULL, as inside of objects and arrays. */
function member(value: Expression): Expression {
  return spelled(OR_NULL, [jsonText(value)], value);
}

/** Texts one behind the other, as JSON. */
function assembled(parts: readonly Expression[], node: Call): Expression {
  const [first = text("", node), ...others] = parts;
  const at = { span: node.span, type: TEXT };
  return cast(
    others.reduce((left, right) => binary(left, "||", right, at), first),
    "json",
    { span: node.span, type: node.type ?? JSON_TYPE },
  );
}

function hasPlainElements(type: SqlType): boolean {
  return (
    ["integer", "boolean", "text", "json"].includes(type.kind) ||
    (type.kind === "array" && hasPlainElements(type.element))
  );
}

/** `to_json(x)`: NULL stays NULL. */
export function valueAsJson(node: Call): Expression {
  const [value] = values(node);
  return value === undefined ? node : assembled([jsonText(value)], node);
}

export function arrayOfValues(node: Call): Expression {
  const parts = values(node).flatMap((value, index) => [text(index === 0 ? "[" : ", ", node), member(value)]);
  return assembled([...(parts.length === 0 ? [text("[", node)] : parts), text("]", node)], node);
}

export function objectOfValues(node: Call): Expression {
  const given = values(node);
  if (given.length % 2 !== 0) throw unsupported("an object whose last name has no value", node.span);
  const parts = given.flatMap((each, index) =>
    index % 2 === 0 ? [text(index === 0 ? "{" : ", ", node), nameText(each), text(" : ", node)] : [member(each)],
  );
  return assembled([...(parts.length === 0 ? [text("{", node)] : parts), text("}", node)], node);
}

/** Types whose texts are the same on DuckDB and PostgreSQL for every value. Dates before the year 1 differ. */
const NAMED_AS_TEXT: ReadonlySet<string> = new Set(["integer", "boolean", "uuid"]);

const NAME = sql("CASE WHEN $1 IS NOT NULL THEN $2 ELSE error('a name in a JSON object is NULL') END", { type: TEXT });

function nameText(name: Expression): Expression {
  if (name.kind === "string") return text(JSON.stringify(name.value), name);
  if (name.type !== undefined && NAMED_AS_TEXT.has(name.type.kind)) {
    return nameText(cast(name, "text", typed(TEXT, name)));
  }
  if (name.type?.kind !== "text") {
    throw unsupported("a name that is no text in a JSON object", name.span, "Write CAST(… AS text).");
  }
  return spelled(NAME, [name, jsonText(name)], name);
}

/** jsonb keeps the last of equal names, the shorter ones before the longer, and names of one length by their bytes. */
export function sortedObject(node: Call): Expression {
  const given = values(node);
  if (given.some((name, index) => index % 2 === 0 && name.kind !== "string"))
    return inOrder(objectOfValues(node), inPlaceOf(node));
  const byName = new Map<string, readonly Expression[]>();
  for (let index = 0; index + 1 < given.length; index += 2) {
    const [name, value] = [given[index], given[index + 1]];
    if (name?.kind === "string" && value !== undefined) byName.set(name.value, [name, value]);
  }
  const sorted = [...byName].sort(([a], [b]) => bytesIn(a) - bytesIn(b) || (a < b ? -1 : 1));
  return objectOfValues(withArguments(node, given.length % 2 === 0 ? sorted.flatMap(([, pair]) => pair) : given));
}

/** In UTF-8. */
function bytesIn(name: string): number {
  const sizes = Array.from(name, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  });
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** `json_agg(x)`, with the NULLs. */
export function aggregatedArray(node: Call): Expression {
  const [value] = values(node);
  if (value === undefined) return node;
  if (node.distinct) {
    const isPlain = value.type !== undefined && ["integer", "boolean", "text"].includes(value.type.kind);
    if (!isPlain) throw unsupported("distinct values of this type as JSON", node.span);
    const array: Call = { ...renamed(node, "array_agg"), type: { kind: "array", element: typeOrUnknown(value) } };
    return call("to_json", [array], { span: node.span, type: JSON_TYPE });
  }
  return assembled([text("[", node), listed(member(value), node), text("]", node)], node);
}

export function aggregatedObject(node: Call): Expression {
  const [name, value] = values(node);
  if (name === undefined || value === undefined) return node;
  if (node.distinct) throw unsupported("DISTINCT in json_object_agg", node.span);
  const at = { span: node.span, type: TEXT };
  const pair = binary(binary(nameText(name), "||", text(" : ", node), at), "||", member(value), at);
  return assembled([text("{ ", node), listed(pair, node), text(" }", node)], node);
}

function listed(part: Expression, node: Call): Expression {
  return { ...renamed(withArguments(node, [part, text(", ", node)]), "string_agg"), type: TEXT };
}
