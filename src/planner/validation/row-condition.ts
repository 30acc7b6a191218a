/**
 * Whether the condition of a row rule is valid (docs/spec/contract.md#validation-rules, docs/spec/planner.md#row-rules). Reads no
 * data and applies no rule.
 */
import { withoutValues } from "../access/row-rules.ts";
import { isPropertyValue } from "../access/session-value.ts";
import { PlannerError, type PlannerReason } from "../diagnostics.ts";
import { forbiddenAnywhere } from "../dialects/forbidden.ts";
import { ModelColumns } from "../expand/calculated.ts";
import { planningContext } from "../expand/context.ts";
import { bindNames } from "../expand/manifest-expression.ts";
import { ModelRows } from "../expand/model-rows.ts";
import { namesOfRule } from "../expand/rule-condition.ts";
import type { PlannerLimits } from "../limits.ts";
import type { Manifest } from "../manifest/manifest.ts";
import type { Model } from "../manifest/model.ts";
import { findColumn } from "../manifest/paths.ts";
import { parseExpression } from "../syntax/parser.ts";
import type { ColumnReference, Expression } from "../syntax/tree.ts";
import { someExpression, walk } from "../syntax/walk.ts";

export interface RowConditionRequest {
  readonly manifest: Manifest;
  readonly model: Model;
  readonly condition: string;
  readonly properties: readonly RuleProperty[];
  readonly limits: PlannerLimits;
}

export interface RuleProperty {
  readonly name: string;
  readonly defaultExpr: string | undefined;
}

/**
 * Reads the condition: it must be one expression, its names columns of the model (hidden and calculated ones too, and
 * columns behind its relationships), its `@name`s declared, and defaults literals. Sub-queries name tables of the manifest
 * and columns of these.
 * @throws PlannerError SYNTAX, LIMIT_DEPTH, LIMIT_SIZE, COLUMN_NOT_FOUND, AMBIGUOUS_COLUMN, MODEL_NOT_FOUND,
 * SESSION_PROPERTY_INVALID; spans are of `condition`
 */
export function checkRowCondition({ manifest, model, condition, properties, limits }: RowConditionRequest): void {
  const expression = parseExpression(condition, { limits, sessionProperties: true });
  const declared = new Set(properties.map(({ name }) => name.toLowerCase()));
  let nested = false;
  walk(expression, (node) => {
    nested ||= node.kind === "query";
    if (node.kind === "session" && !declared.has(node.name.toLowerCase())) {
      // The words that existing clients match.
      const message = `Error during planning: The session property @${node.name} is used for \`rlac_validation\` rule, but not found in the session properties`;
      throw new PlannerError("SESSION_PROPERTY_INVALID", message, { span: node.span });
    }
    return true;
  });
  someExpression(expression, (node) => {
    if (node.kind === "column") checkColumn(node, model, manifest);
    return false;
  });
  if (nested) checkQueries(expression, model, manifest, limits);
  for (const property of properties) checkDefault(property, limits);
}

const NAMES: ReadonlySet<PlannerReason> = new Set(["MODEL_NOT_FOUND", "COLUMN_NOT_FOUND", "AMBIGUOUS_COLUMN"]);

/** Only binding resolves names in a sub-query. Its other errors depend on the session, or are not about syntax. */
function checkQueries(condition: Expression, model: Model, manifest: Manifest, limits: PlannerLimits): void {
  const session = new Map<string, string>();
  const context = planningContext(
    manifest,
    {
      limits,
      unknownFunctions: "allow",
      unlisted: { postgres: "pass", unknown: "pass", forbidden: forbiddenAnywhere() },
      timeZone: "UTC",
      stars: "every column",
    },
    { session, accessControl: "standard" },
  );
  const named = namesOfRule(condition, withoutValues, ModelRows.root(model), new ModelColumns(context));
  try {
    context.asRule(model, () => bindNames(named, context));
  } catch (error) {
    if (!(error instanceof PlannerError) || NAMES.has(error.reason)) throw error;
  }
}

/** `column`, `Model.column` or `handle.….column`. */
function checkColumn(reference: ColumnReference, model: Model, manifest: Manifest): void {
  const [first, ...rest] = reference.parts;
  const ownName = first?.name === model.name && rest.length > 0 && findColumn(model, first)?.kind !== "handle";
  const path = ownName ? rest : reference.parts;
  let owner: Model | undefined = model;
  for (const [index, part] of path.entries()) {
    const column: ReturnType<typeof findColumn> = owner === undefined ? undefined : findColumn(owner, part);
    const last = index === path.length - 1;
    if (column === undefined || (column.kind === "handle") === last) {
      const name = path.map((each) => each.name).join(".");
      const message = `Error during planning: The column ${name} is not in the model ${model.name}`;
      throw new PlannerError("COLUMN_NOT_FOUND", message, { span: reference.span });
    }
    // A relationship's column has the name of the related model for its type.
    if (!last) owner = manifest.model(column.typeText);
  }
}

function checkDefault({ name, defaultExpr }: RuleProperty, limits: PlannerLimits): void {
  if (defaultExpr === undefined || isLiteralText(defaultExpr, limits)) return;
  const message = `Error during planning: The session property ${name} allow only literal value`;
  throw new PlannerError("SESSION_PROPERTY_INVALID", message, {
    hint: "A default is the text of a SQL literal: 'EMEA', 42, DATE '2024-01-01'.",
  });
}

function isLiteralText(text: string, limits: PlannerLimits): boolean {
  try {
    return isPropertyValue(parseExpression(text, { limits }));
  } catch (error) {
    if (error instanceof PlannerError) return false;
    throw error;
  }
}
