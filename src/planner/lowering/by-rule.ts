/** Applies the rules of a target to a node, and finds other words of the input language for what a rule refuses. */
import { PlannerError, unsupported } from "../diagnostics.ts";
import { functionName } from "../functions/calls.ts";
import type { Call, Cast, Expression, Span } from "../syntax/tree.ts";
import { typeOrUnknown } from "../types.ts";
import { positionAmongLiterals } from "./arrays/array-position.ts";
import type { Definition } from "./meanings.ts";
import type { Rule } from "./rules.ts";
import { byTemplate } from "./templates/template.ts";
import { timestampOfSeconds } from "./times/epoch-seconds.ts";
import { truncatedToYears } from "./times/long-units.ts";

export const isUnsupported = (error: unknown): boolean =>
  error instanceof PlannerError && error.reason === "UNSUPPORTED_ON_SOURCE";

export function byRule<N extends Expression>(
  node: N,
  rule: Exclude<Rule<N>, { readonly as: string }> | undefined,
): Expression | undefined {
  if (rule === "same") return undefined;
  if (typeof rule === "function") return rule(node);
  // The tables are complete by type, but a rewrite may produce a node without a rule.
  if (rule === undefined) throw new TypeError(`the target says nothing about a ${node.kind}`);
  if ("text" in rule) return byTemplate(rule, node);
  throw unsupported(rule.refused, node.span, rule.hint);
}

/** The definition of a call with these arguments, where the target's rule for the function refuses them. */
export function otherWords(node: Call): Definition | undefined {
  if (functionName(node) === "date_trunc") return truncatedToYears(node);
  return timestampOfSeconds(node) ?? positionAmongLiterals(node);
}

/** A format of many parts is a deep tree, whose positions the caller did not write. */
export function byParts(node: Call, read: () => Definition | undefined): Definition | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof PlannerError) || error.reason !== "LIMIT_DEPTH") throw error;
    throw unsupported("a format of so many parts", node.span, "Join the results of shorter formats.");
  }
}

/** Runs `work`, which lowers a cast of JSON by other words: the caller wrote none of them, so a refusal names the cast. */
export function namingCast<T>(node: Cast, span: Span, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!isUnsupported(error)) throw error;
    throw unsupported(`a cast from json to ${typeOrUnknown(node).kind}`, span, "Cast the text: j ->> 'key'.");
  }
}
