/** Texts, as characters: ClickHouse's own functions count bytes. */
import { isNullable } from "../../binding/nullability.ts";
import { unsupported } from "../../lowering/target.ts";
import { call, cast, exactName, inPlaceOf, text, typed, values } from "../../syntax/build.ts";
import type { Call, Collate, Expression, Like } from "../../syntax/tree.ts";
import { TEXT, typeOrUnknown } from "../../types.ts";

/** PostgreSQL's text of a value. */
export function textOf(value: Expression, at: Expression): Expression {
  const place = typed(TEXT, at);
  switch (typeOrUnknown(value).kind) {
    case "text":
    case "null":
      return value;
    case "integer":
    case "uuid":
      return cast(value, "text", place);
    case "date":
      // A `Date` is written alike.
      return cast(value, "text", place);
    default:
      throw unsupported(`the text of ${typeOrUnknown(value).kind}`, at.span);
  }
}

/** An Enum has the order of its numbers, and is told as a text. */
export const inOrder = (node: Expression): Expression =>
  node.kind === "bound" && typeOrUnknown(node).kind === "text" ? cast(node, "text", typed(TEXT, node)) : node;

const IN_ORDER = "in order";

/** The same of what is not lowered yet. */
export const sortKey = (node: Expression): Expression =>
  inOrder(node) === node
    ? node
    : { kind: "collate", operand: node, collation: [exactName(IN_ORDER, node.span)], span: node.span, type: TEXT };

export function collated({ operand, collation: [name], span }: Collate): Expression {
  if (name?.name === IN_ORDER) return inOrder(operand);
  throw unsupported("COLLATE", span, "Texts are in the order of their code points.");
}

/** NULLs are left out. */
export function concatenated(node: Call): Expression {
  const parts = values(node).map((value) => {
    const shown = textOf(value, node);
    return isNullable(value) ? call("ifnull", [shown, text("", node)], typed(TEXT, node)) : shown;
  });
  return parts.length < 2 ? (parts[0] ?? text("", node)) : call("concat", parts, inPlaceOf(node));
}

/** The pattern with a backslash before what stands for itself. A computed one may hold anything. */
export function like(node: Like): Expression {
  const { pattern, escape, operator, operand, span } = node;
  const own = escape === undefined ? "\\" : escape.kind === "string" ? escape.value : "";
  if (operator === "similar") throw unsupported("SIMILAR TO", span, "Use LIKE.");
  if (pattern.kind !== "string" || own.length !== 1) {
    throw unsupported("LIKE with a computed pattern", span, "Use position(… IN …) > 0.");
  }
  const characters = [...pattern.value];
  let written = "";
  for (let at = 0; at < characters.length; at++) {
    const isEscaped = characters[at] === own;
    const character = characters[isEscaped ? ++at : at];
    if (character === undefined) throw unsupported("a pattern that ends with its escape character", span);
    written += character === "\\" || (isEscaped && /[%_]/.test(character)) ? `\\${character}` : character;
  }
  const folded = (value: Expression): Expression =>
    operator === "ilike" ? call("lower", [value], typed(TEXT, value)) : value;
  return {
    ...node,
    operator: "like",
    operand: folded(operand),
    pattern: folded({ ...pattern, value: written }),
    escape: undefined,
  };
}

export function length(node: Call): Expression {
  const [value] = values(node);
  if (value === undefined || typeOrUnknown(value).kind !== "text") throw unsupported("the length of this", node.span);
  return call("count in 64 bits", [node], inPlaceOf(node));
}
