/**
 * Rules with argument patterns: `rule("text | null, literal integer >= 1", template)`. A pattern names the kinds of type that an argument
 * may have. `literal` demands a constant, and a condition compares it. A call with other arguments is refused.
 */
import { unsupported } from "../../diagnostics.ts";
import { functionName } from "../../functions/calls.ts";
import { values } from "../../syntax/build.ts";
import type { Call, Expression, Template } from "../../syntax/tree.ts";
import { type SqlType, typeOrUnknown } from "../../types.ts";
import { countOf } from "../numbers/written-counts.ts";
import { byTemplate } from "./template.ts";

type Fits = (value: Expression) => boolean;

const COMPARE: Readonly<Record<string, (left: string | number, right: string | number) => boolean>> = {
  ">=": (left, right) => left >= right,
  ">": (left, right) => left > right,
  "<>": (left, right) => left !== right,
};

/** The call unchanged for `native`, or the template with its arguments, where they fit `parameters`. */
export function rule(
  parameters: string,
  made: Template | "native",
  hint?: string,
): (node: Call) => Expression | undefined {
  const fits = argumentsLike(parameters);
  return (node) => {
    if (!fits(values(node))) throw unsupported(`${functionName(node)} with these arguments`, node.span, hint);
    return made === "native" ? undefined : byTemplate(made, node);
  };
}

/** Whether arguments fit `parameters`, which are read when it is first asked. */
export function argumentsLike(parameters: string): (list: readonly Expression[]) => boolean {
  let patterns: readonly Fits[] | undefined;
  return (list) => {
    patterns ??= parameters.split(", ").map(patternOf);
    return list.length === patterns.length && patterns.every((fits, index) => list[index] && fits(list[index]));
  };
}

/** Patterns as a hint shows them. */
export const describeParameters = (parameters: string): string =>
  parameters.replaceAll(" | ", " or ").replaceAll(/ (>=|>|<>) /g, (_all, operator: string) => ` ${NAMES[operator]} `);

const NAMES: Readonly<Record<string, string>> = { ">=": "from", ">": "above", "<>": "other than" };

/** `literal integer >= 1` is read as: a constant, its kinds, and a condition. */
function patternOf(text: string): Fits {
  const words = text.split(" ");
  const isLiteral = words[0] === "literal";
  const condition = words.findIndex((word) => Object.hasOwn(COMPARE, word));
  const kinds = words.slice(isLiteral ? 1 : 0, condition < 0 ? undefined : condition).filter((word) => word !== "|");
  const [operator = "", bound = ""] = condition < 0 ? [] : words.slice(condition);
  const compare = COMPARE[operator];
  const limit = bound.startsWith("'") ? bound.slice(1, -1) : Number(bound);
  return (value) => {
    if (!kinds.includes(typeOrUnknown(value).kind satisfies SqlType["kind"])) return false;
    const constant = isLiteral ? constantOf(value) : undefined;
    if (isLiteral && constant === undefined) return false;
    return compare === undefined || (constant !== undefined && compare(constant, limit));
  };
}

const constantOf = (value: Expression): string | number | undefined =>
  value.kind === "string" ? value.value : countOf(value);
