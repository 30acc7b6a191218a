/**
 * Column rules: a column is visible to callers whose session property compares with a threshold
 * (docs/spec/planner.md#column-rules).
 */
import { PlannerError } from "../diagnostics.ts";
import type { ColumnRuleData, ColumnRuleOperator } from "../manifest/data.ts";
import type { Expression } from "../syntax/tree.ts";
import { propertyValue } from "./properties.ts";
import { parseSessionValue } from "./session-value.ts";

export type ColumnRuleOutcome = "allowed" | "denied" | "skipped";

/** @throws PlannerError SESSION_PROPERTY_REQUIRED, SESSION_PROPERTY_INVALID, MANIFEST_EXPRESSION */
export function columnRule(rule: ColumnRuleData, session: ReadonlyMap<string, string>): ColumnRuleOutcome {
  const given = propertyValue(rule.property, rule.name, session);
  if (given.kind === "skip") return "skipped";
  const value = comparable(given.value);
  if (value === undefined) {
    throw new PlannerError(
      "SESSION_PROPERTY_INVALID",
      `session property ${rule.property.name} is neither a number nor a text in quotes, which \`${rule.name}\` rule compares`,
    );
  }
  const threshold = comparable(thresholdOf(rule));
  if (threshold === undefined) {
    throw new PlannerError(
      "MANIFEST_EXPRESSION",
      `the threshold of column rule "${rule.name}" is neither number nor text`,
    );
  }
  return holds(value, rule.operator, threshold) ? "allowed" : "denied";
}

function thresholdOf(rule: ColumnRuleData): Expression {
  try {
    return parseSessionValue(rule.threshold, rule.name);
  } catch (error) {
    if (!(error instanceof PlannerError)) throw error;
    throw new PlannerError("MANIFEST_EXPRESSION", `the threshold of column rule "${rule.name}" is no SQL literal`);
  }
}

/** Exact: numbers are compared digit by digit, texts by code point. */
type Comparable =
  | { readonly kind: "number"; readonly units: bigint; readonly scale: number }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "null" };

function comparable(value: Expression): Comparable | undefined {
  switch (value.kind) {
    case "string":
      return { kind: "text", text: value.value };
    case "null":
      return { kind: "null" };
    case "number":
      return numberOf(value.text, 1n);
    case "unary":
      return value.operand.kind === "number"
        ? numberOf(value.operand.text, value.operator === "-" ? -1n : 1n)
        : undefined;
    default:
      return undefined;
  }
}

/** Equal to the largest exponent: no meaningful property or threshold has more digits. */
const MOST_DIGITS = 1000;

/** Digits with a point; the exponent is limited, because it expands to that many digits. */
function numberOf(text: string, sign: bigint): Comparable | undefined {
  if (text.length > MOST_DIGITS) return undefined;
  const match = /^(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?$/i.exec(text);
  if (match === null) return undefined;
  const [, whole = "", fraction = "", exponent = "0"] = match;
  const scale = fraction.length - Number(exponent);
  const units = sign * BigInt(whole + fraction || "0");
  return scale >= 0
    ? { kind: "number", units, scale }
    : { kind: "number", units: units * 10n ** BigInt(-scale), scale: 0 };
}

/** Values of different kinds are not equal, and neither is before the other. */
function holds(value: Comparable, operator: ColumnRuleOperator, threshold: Comparable): boolean {
  if (value.kind === "null" || threshold.kind === "null") return false;
  const order = compare(value, threshold);
  if (order === undefined) return operator === "NOT_EQUALS";
  switch (operator) {
    case "EQUALS":
      return order === 0;
    case "NOT_EQUALS":
      return order !== 0;
    case "GREATER_THAN":
      return order > 0;
    case "LESS_THAN":
      return order < 0;
    case "GREATER_THAN_OR_EQUALS":
      return order >= 0;
    case "LESS_THAN_OR_EQUALS":
      return order <= 0;
    default:
      return operator satisfies never;
  }
}

function compare(a: Comparable, b: Comparable): number | undefined {
  if (a.kind === "text" && b.kind === "text") return compareCodePoints(a.text, b.text);
  if (a.kind !== "number" || b.kind !== "number") return undefined;
  const scale = Math.max(a.scale, b.scale);
  const [left, right] = [a, b].map(({ units, scale: own }) => units * 10n ** BigInt(scale - own));
  if (left === undefined || right === undefined || left === right) return 0;
  return left < right ? -1 : 1;
}

/** UTF-16 units sort surrogates below the last of the basic plane. */
function compareCodePoints(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const difference = (left[i]?.codePointAt(0) ?? 0) - (right[i]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}
