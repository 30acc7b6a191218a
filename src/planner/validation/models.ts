/** Errors in models, their columns and the relationships between them, except access rules. */
import { ModelColumns } from "../expand/calculated.ts";
import { checkCondition } from "../expand/condition.ts";
import { nativeExpression, sourceTable } from "../expand/physical.ts";
import { columnOfBase, ownerOf } from "../manifest/calculated.ts";
import type { RelationshipData } from "../manifest/data.ts";
import type { Model, ModelColumn } from "../manifest/model.ts";
import { relatedModel, targetOf } from "../manifest/paths.ts";
import { NOWHERE } from "../syntax/spans.ts";
import { columnsOf, type Trials } from "./trial.ts";

/** Walking from a model to those it is built on. */
const COST_OF_BASE = 200;

export function checkModel(modelName: string, trials: Trials): void {
  const { manifest, problems, target } = trials;
  const object = `model "${modelName}"`;
  const model = problems.attempt(object, () => manifest.model(modelName));
  if (model === undefined) return;
  const { data } = model;
  for (const key of data.primaryKey) problems.attempt(object, () => model.keyColumn("primaryKey", key));
  for (const key of data.uniqueKeys.flat()) problems.attempt(object, () => model.keyColumn("uniqueKeys", key));
  if (data.refSql !== undefined) {
    trials.spend(data.refSql.length);
    problems.attempt(object, () => sourceTable(model, "_s", NOWHERE, target.native));
  }
  if (data.baseObject !== undefined) problems.spend(COST_OF_BASE);
  // No column can be computed over a missing or invalid base.
  const isReadable = (): boolean => {
    const built = problems.attempt(object, () => ({ base: model.base }));
    if (built === undefined || model.baseQuery === undefined) return built !== undefined;
    return trials.plan(object, 0, () => columnsOf(modelName));
  };
  if (!isReadable()) return;
  const computed: ModelColumn[] = [];
  for (const columnName of model.columnNames()) {
    const column = model.column(columnName);
    if (column === undefined || !checkColumn(model, column, trials)) continue;
    const isNamed = column.kind === "plain" && model.baseQuery !== undefined;
    if (column.kind === "calculated" || isNamed || (column.kind === "source" && model.isBuilt)) computed.push(column);
  }
  for (let from = 0; from < computed.length; from += TOGETHER) {
    checkComputed(model, computed.slice(from, from + TOGETHER), trials);
  }
}

/** Errors in a column other than those of its expression. Returns false after an error. */
function checkColumn(model: Model, column: ModelColumn, trials: Trials): boolean {
  const { problems, target } = trials;
  const { base } = model;
  const object = ownerOf(model, column);
  switch (column.kind) {
    case "handle":
      return problems.attempt(object, () => targetOf(model, column)) !== undefined;
    case "plain":
      return base === undefined || problems.attempt(object, () => columnOfBase(model, base, column)) !== undefined;
    case "source":
    case "calculated": {
      // Expands macros.
      const text = problems.attempt(object, () => column.expression ?? "");
      if (text === undefined || column.kind === "calculated" || model.isBuilt) return text !== undefined;
      trials.spend(text.length);
      return problems.attempt(object, () => nativeExpression(model, column, target.native)) !== undefined;
    }
    default:
      return column.kind satisfies never;
  }
}

/** Most manifests are right, and one query of many columns costs less than many queries. */
const TOGETHER = 50;

function checkComputed(model: Model, columns: readonly ModelColumn[], trials: Trials): void {
  const size = columns.reduce((sum, { expression }) => sum + (expression?.length ?? 0), 0);
  const together = columnsOf(model.name, ...columns.map(({ name }) => name));
  if (columns.length > 1 && trials.passes(size, together, model)) return;
  for (const column of columns) {
    const length = column.expression?.length ?? 0;
    trials.plan(ownerOf(model, column), length, () => columnsOf(model.name, column.name), model);
  }
}

export function checkRelationship(relationship: RelationshipData, trials: Trials): void {
  const { manifest, problems } = trials;
  const object = `relationship "${relationship.name}"`;
  const [left, right] = relationship.models.map((name) =>
    problems.attempt(object, () => relatedModel(relationship, name, manifest)),
  );
  if (left === undefined || right === undefined) return;
  trials.run(object, relationship.condition.length, (context) =>
    checkCondition(relationship, [left, right], new ModelColumns(context)),
  );
}
