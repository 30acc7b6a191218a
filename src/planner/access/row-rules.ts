/**
 * Row rules: conditions over a model's columns, with session properties for values (docs/spec/planner.md#row-rules).
 */
import { PlannerError } from "../diagnostics.ts";
import { DEFAULT_LIMITS } from "../limits.ts";
import type { PropertyData, RowRuleData } from "../manifest/data.ts";
import { inExpression } from "../manifest/faults.ts";
import type { Model } from "../manifest/model.ts";
import { parseExpression } from "../syntax/parser.ts";
import { transformExpression } from "../syntax/rewrite.ts";
import { sizeOf } from "../syntax/size.ts";
import { NOWHERE } from "../syntax/spans.ts";
import type { Expression } from "../syntax/tree.ts";
import { propertyValue } from "./properties.ts";

export interface RowRule {
  readonly name: string;
  /** `row rule "x" of model "m"` */
  readonly owner: string;
  /** The parsed condition, without values. */
  readonly condition: Expression;
  /** Nodes of the condition with its values. */
  readonly size: number;
  /** Replaces `@property` with the session's values. */
  readonly withValues: (expression: Expression) => Expression;
}

/** The outcome of a rule in this session; `skipped` names the missing optional property. */
export type RowRuleOutcome =
  | { readonly kind: "applies"; readonly rule: RowRule }
  | { readonly kind: "skipped"; readonly owner: string; readonly rule: string; readonly property: PropertyData };

/** @throws PlannerError SESSION_PROPERTY_REQUIRED, SESSION_PROPERTY_INVALID, MANIFEST_EXPRESSION */
export function rowRule(model: Model, data: RowRuleData, session: ReadonlyMap<string, string>): RowRuleOutcome {
  const owner = `row rule "${data.name}" of model "${model.name}"`;
  const { condition, uses } = conditionOf(data, owner);
  let size = sizeOf(condition);
  const values = new Map<string, Expression>();
  let missing: PropertyData | undefined;
  for (const property of data.properties) {
    const value = propertyValue(property, data.name, session);
    if (value.kind === "value") {
      const name = property.name.toLowerCase();
      values.set(name, value.value);
      size += (uses.get(name) ?? 0) * elementsOf(value.value).length;
    } else missing ??= property;
  }
  if (missing !== undefined) return { kind: "skipped", owner, rule: data.name, property: missing };
  const rule: RowRule = {
    name: data.name,
    owner,
    condition,
    size,
    withValues: (expression) => replaced(expression, (name) => values.get(name)),
  };
  return { kind: "applies", rule };
}

/** Replaces every property with NULL: an error that remains is not caused by a value. */
export function withoutValues(expression: Expression): Expression {
  return replaced(expression, () => NULL);
}

const NULL: Expression = { kind: "null", span: NOWHERE };

function replaced(expression: Expression, valueOf: (name: string) => Expression | undefined): Expression {
  return transformExpression(expression, {
    expression: (each) => {
      if (each.kind === "session") return valueOf(each.name.toLowerCase()) ?? each;
      return each.kind === "in-list" ? { ...each, list: each.list.flatMap(elements) } : each;
    },
  });
}

/** A list as the one member of IN: `x IN @list`. */
function elements(item: Expression, _index: number, list: readonly Expression[]): readonly Expression[] {
  return list.length === 1 ? elementsOf(item) : [item];
}

function elementsOf(value: Expression): readonly Expression[] {
  return value.kind === "row" || value.kind === "array" ? value.elements : [value];
}

interface ParsedCondition {
  readonly condition: Expression;
  /** Number of uses of each property in it. */
  readonly uses: ReadonlyMap<string, number>;
}

const PARSED = new WeakMap<RowRuleData, ParsedCondition>();

function conditionOf(data: RowRuleData, owner: string): ParsedCondition {
  let parsed = PARSED.get(data);
  if (parsed === undefined) {
    parsed = inExpression(owner, () => {
      const condition = parseExpression(data.condition, { limits: DEFAULT_LIMITS, sessionProperties: true });
      return { condition, uses: usesOf(condition, data) };
    });
    PARSED.set(data, parsed);
  }
  return parsed;
}

/** Throws MANIFEST_EXPRESSION for a property that the rule does not declare. */
function usesOf(condition: Expression, data: RowRuleData): ReadonlyMap<string, number> {
  const declared = new Set(data.properties.map(({ name }) => name.toLowerCase()));
  const uses = new Map<string, number>();
  transformExpression(condition, {
    expression: (each) => {
      if (each.kind !== "session") return each;
      const name = each.name.toLowerCase();
      uses.set(name, (uses.get(name) ?? 0) + 1);
      if (declared.has(name)) return each;
      throw new PlannerError(
        "MANIFEST_EXPRESSION",
        `The session property @${each.name} is used for \`${data.name}\` rule, but not found in the session properties`,
        { span: each.span, hint: "Declare it in the rule's requiredProperties." },
      );
    },
  });
  return uses;
}

/** Binds a rule's condition; an error about an unsuitable value does not repeat the value. */
export function bindRule<T>(rule: RowRule, bind: (withValues: RowRule["withValues"]) => T): T {
  try {
    return bind(rule.withValues);
  } catch (error) {
    if (!(error instanceof PlannerError)) throw error;
  }
  try {
    bind(withoutValues);
  } catch (error) {
    if (!(error instanceof PlannerError) || error.reason !== "TYPE_MISMATCH") throw error;
    throw new PlannerError("MANIFEST_EXPRESSION", error.message, error.hint === undefined ? {} : { hint: error.hint });
  }
  throw new PlannerError(
    "SESSION_PROPERTY_INVALID",
    `a session property does not fit ${rule.owner}: its value cannot be compared as the condition compares it`,
    { hint: "The condition decides which type of literal each of its properties has to be." },
  );
}
