/** Errors in row and column rules for any session: every property has the value NULL. */
import { columnRule } from "../access/column-rules.ts";
import { propertyValue } from "../access/properties.ts";
import { rowRule } from "../access/row-rules.ts";
import { checkRuleCycles } from "../access/rule-cycles.ts";
import { ModelColumns } from "../expand/calculated.ts";
import { ModelRows } from "../expand/model-rows.ts";
import { ruleCondition } from "../expand/rule-condition.ts";
import { ownerOf } from "../manifest/calculated.ts";
import type { ModelData, PropertyData, RowRuleData } from "../manifest/data.ts";
import type { Manifest } from "../manifest/manifest.ts";
import type { Model, ModelColumn } from "../manifest/model.ts";
import type { Trials } from "./trial.ts";

/** Whether `model` has access rules that may exclude rows or restrict columns. */
export function isRuled({ rowRules, columns }: ModelData): boolean {
  return rowRules.length > 0 || columns.some(({ rule }) => rule !== undefined);
}

/** The rules of all models. `trials` are over the manifest with its rules. */
export function checkAccessRules(trials: Trials): void {
  const { manifest, problems } = trials;
  const models = manifest.data.models.flatMap(({ dataIfValid: data }) => (data && isRuled(data) ? [data] : []));
  const session = nulls(models);
  for (const data of models) {
    const model = problems.attempt(`model "${data.name}"`, () => manifest.model(data.name));
    if (model === undefined) continue;
    for (const rule of data.rowRules) checkRowRule(model, rule, session, trials);
    if (data.rowRules.length > 0) checkCycles(model, session, trials, models.length);
    for (const { name, rule } of data.columns) {
      const column = rule === undefined ? undefined : model.column(name);
      if (column !== undefined) checkColumnRule(model, column, session, trials);
    }
  }
}

function nulls(models: readonly ModelData[]): ReadonlyMap<string, string> {
  const session = new Map<string, string>();
  for (const { rowRules, columns } of models) {
    const properties = [
      ...rowRules.flatMap((rule) => rule.properties),
      ...columns.flatMap(({ rule }) => rule?.property ?? []),
    ];
    for (const { name } of properties) session.set(name.toLowerCase(), "NULL");
  }
  return session;
}

function checkRowRule(model: Model, data: RowRuleData, session: ReadonlyMap<string, string>, trials: Trials): void {
  const object = `row rule "${data.name}" of model "${model.name}"`;
  for (const property of data.properties) checkDefault(object, property, data.name, trials);
  trials.run(object, data.condition.length, (context) => {
    const outcome = rowRule(model, data, session);
    if (outcome.kind === "applies") ruleCondition(outcome.rule, ModelRows.root(model), new ModelColumns(context));
  });
}

function checkCycles(model: Model, session: ReadonlyMap<string, string>, trials: Trials, reachable: number): void {
  trials.problems.spend(reachable);
  const { access } = trials.context(session);
  trials.problems.attempt(`model "${model.name}"`, () => checkRuleCycles(model, trials.manifest, access));
}

function checkColumnRule(
  model: Model,
  column: ModelColumn,
  session: ReadonlyMap<string, string>,
  trials: Trials,
): void {
  const { rule } = column;
  if (rule === undefined) return;
  const object = ownerOf(model, column);
  checkDefault(object, rule.property, rule.name, trials);
  trials.spend(rule.threshold.length);
  trials.problems.attempt(object, () => columnRule(rule, session));
}

/** A default that is no literal, also where the property is required and so is never left to it. */
function checkDefault(object: string, property: PropertyData, rule: string, trials: Trials): void {
  trials.spend(property.defaultExpression?.length ?? 0);
  trials.problems.attempt(object, () => propertyValue({ ...property, required: false }, rule, new Map()));
}

/** The same manifest without rules and hence without anything that depends on a session. */
export function withoutRules({ data }: Manifest): Manifest["data"] {
  return {
    ...data,
    models: data.models.map((entry) =>
      entry.map((model) => ({
        ...model,
        rowRules: [],
        columns: model.columns.map((column) => (column.rule === undefined ? column : { ...column, rule: undefined })),
      })),
    ),
  };
}
