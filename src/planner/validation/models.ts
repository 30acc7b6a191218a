/** What is wrong with models, their columns and the relationships between them, access rules apart. */
import { ModelColumns } from "../expand/calculated.ts";
import { checkCondition } from "../expand/condition.ts";
import { nativeExpression, sourceTable } from "../expand/physical.ts";
import { columnOfBase, ownerOf } from "../manifest/calculated.ts";
import type { RelationshipData } from "../manifest/data.ts";
import type { Model, ModelColumn } from "../manifest/manifest.ts";
import { relatedModel, targetOf } from "../manifest/paths.ts";
import { NOWHERE } from "../syntax/spans.ts";
import { selectOf, type Trials } from "./trial.ts";

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
    problems.spend(data.refSql.length);
    problems.attempt(object, () => sourceTable(model, "_s", NOWHERE, target.native));
  }
  if (data.baseObject !== undefined) problems.spend(COST_OF_BASE);
  const built = problems.attempt(object, () => ({ base: model.base }));
  // Over a base that is not there no column can be computed.
  if (built === undefined) return;
  for (const columnName of model.columnNames()) {
    const column = model.column(columnName);
    if (column !== undefined) checkColumn(model, column, built.base, trials);
  }
}

function checkColumn(model: Model, column: ModelColumn, base: Model | undefined, trials: Trials): void {
  const { problems, target } = trials;
  const object = ownerOf(model, column);
  if (column.kind === "handle") {
    problems.attempt(object, () => targetOf(model, column));
  } else if (column.kind === "plain") {
    if (base !== undefined) problems.attempt(object, () => columnOfBase(model, base, column));
  } else {
    const expression = problems.attempt(object, () => ({ text: column.expression ?? "" }));
    if (expression === undefined) return;
    const { length } = expression.text;
    if (column.kind === "calculated" || base !== undefined) {
      trials.plan(object, length, () => selectOf(model.name, column.name), model);
    } else {
      problems.spend(length);
      problems.attempt(object, () => nativeExpression(model, column, target.native));
    }
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
