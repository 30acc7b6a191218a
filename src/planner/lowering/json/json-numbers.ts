/**
 * `(j -> 'n')::integer` in the input language, for targets without casts from json: the text of the member, if it is a number. That of any
 * other value is the name of its type, whose cast raises as PostgreSQL's does. A number with a fraction or an exponent raises where an
 * integer is wanted, which PostgreSQL rounds.
 */
import { call, cases, comparison, logical, text, typed } from "../../syntax/build.ts";
import type { Binary, Cast, Expression } from "../../syntax/tree.ts";
import { TEXT, typeOrUnknown } from "../../types.ts";
import { type Casts, castRule } from "../casts.ts";

/** The operator that gives the same member as a text. */
const AS_TEXT = { "->": "->>", "#>": "#>>" } as const;

const NUMBERS: ReadonlySet<string> = new Set(["integer", "decimal", "float", "boolean"]);

/** The bound cast of a text; `undefined` for a cast of anything but a member, and where the target has a rule. */
export function withTextOfMember(node: Cast, casts: Casts): Cast | undefined {
  const { operand } = node;
  const { kind } = typeOrUnknown(node);
  if (typeOrUnknown(operand).kind !== "json" || !NUMBERS.has(kind)) return undefined;
  const rule = castRule(casts, node);
  if (typeof rule !== "object" || !("refused" in rule)) return undefined;
  const shown = textOf(operand);
  return shown && { ...node, operand: checked(operand, shown, kind) };
}

function textOf(member: Expression): Binary | undefined {
  if (member.kind !== "binary" || !(member.operator in AS_TEXT)) return undefined;
  return { ...member, operator: AS_TEXT[member.operator as keyof typeof AS_TEXT], type: TEXT };
}

/** A member that is JSON's null has no text, as a missing one. */
function checked(member: Expression, shown: Binary, kind: string): Expression {
  const name = call("json_typeof", [member], typed(TEXT, member));
  const is = (type: string): Expression => comparison(name, "=", text(type, member), member);
  const isFitting = logical("or", [is(kind === "boolean" ? kind : "number"), is("null")], member);
  return cases([{ when: isFitting, then: shown }], name, typed(TEXT, member));
}
