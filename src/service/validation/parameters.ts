/**
 * Parameters of validation rules. The message about missing ones has the text that existing clients match
 * (docs/spec/contract.md#validation-rules).
 */
import type { PlannerWarning } from "../../planner/diagnostics.ts";
import { ServiceError } from "../failure.ts";
import { unknownNames } from "../unknown-names.ts";

export type RuleParameters = Readonly<Record<string, unknown>>;

/** A non-empty text. Throws `RULE_PARAMETER`. */
export function textParameter(parameters: RuleParameters, name: string): string {
  const value = parameterOf(parameters, name);
  if (value === undefined || value === "") throw required(name);
  if (typeof value !== "string") throw wrongParameter(`${name} must be a string`);
  return value;
}

/** `null` and inherited members count as absent. */
export function parameterOf(parameters: RuleParameters, name: string): unknown {
  return Object.hasOwn(parameters, name) ? (parameters[name] ?? undefined) : undefined;
}

/** Warnings about parameters that the rule does not have. */
export function unknownParameters(parameters: RuleParameters, known: readonly string[]): readonly PlannerWarning[] {
  return unknownNames({ given: Object.keys(parameters), known, problem: "the rule has no parameter" });
}

export function required(name: string): ServiceError {
  return wrongParameter(`${name} is required`);
}

export function wrongParameter(message: string): ServiceError {
  return new ServiceError("RULE_PARAMETER", message, { operation: "validate" });
}
