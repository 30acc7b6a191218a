/** Which value a session property has for a rule, by the precedence of docs/spec/planner.md#row-rules. */
import { PlannerError } from "../diagnostics.ts";
import type { PropertyData } from "../manifest/data.ts";
import type { Expression } from "../syntax/tree.ts";
import { parseSessionValue, sessionValueText } from "./session-value.ts";

/** `skip`: the property is optional, absent and without a default, and so the rule does not apply. */
export type PropertyValue = { readonly kind: "value"; readonly value: Expression } | { readonly kind: "skip" };

/**
 * @param session Names in lower case.
 * @param rule Named in errors.
 * @throws PlannerError SESSION_PROPERTY_REQUIRED, SESSION_PROPERTY_INVALID
 */
export function propertyValue(
  property: PropertyData,
  rule: string,
  session: ReadonlyMap<string, string>,
): PropertyValue {
  const { name, required, defaultExpression } = property;
  const given = session.get(name.toLowerCase());
  if (given !== undefined && given.trim() !== "") return { kind: "value", value: parseSessionValue(given, name) };
  if (required) throw propertyMissing(name, rule);
  // An optional property that is sent empty is a mistake, not a wish to see everything.
  if (given !== undefined) {
    throw new PlannerError("SESSION_PROPERTY_INVALID", `session property ${name} should not be empty`, {
      hint: "Leave it out, or send the text of a SQL literal.",
    });
  }
  if (defaultExpression === undefined) return { kind: "skip" };
  return { kind: "value", value: parseSessionValue(defaultExpression, name) };
}

export function propertyMissing(name: string, rule: string): PlannerError {
  return new PlannerError(
    "SESSION_PROPERTY_REQUIRED",
    `session property ${name} is required for \`${rule}\` rule but not found in headers`,
    { hint: `Send it as the header x-wren-variable-${name}, or in the body's sessionProperties.` },
  );
}

/**
 * The value of a property that a connection passes on to its source; always required.
 *
 * @throws PlannerError SESSION_PROPERTY_REQUIRED, SESSION_PROPERTY_INVALID
 */
export function propertyToPass(name: string, session: ReadonlyMap<string, string>): string {
  const given = session.get(name.toLowerCase());
  if (given !== undefined && given.trim() !== "") return sessionValueText(given, name);
  throw new PlannerError(
    "SESSION_PROPERTY_REQUIRED",
    `session property ${name} is required by the connection's sessionSettings`,
    { hint: `Send it as the header x-wren-variable-${name}, or in the body's sessionProperties.` },
  );
}
