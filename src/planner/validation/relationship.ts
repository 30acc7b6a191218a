/**
 * Checks the data against a relationship's declaration (docs/spec/contract.md#validation-rules): one query over the two models,
 * whose single row says whether they are related at all and whether each "one" side has no duplicate key.
 */
import { PlannerError } from "../diagnostics.ts";
import type { PlannerLimits } from "../limits.ts";
import type { ColumnData, JoinType, ModelData, RelationshipData } from "../manifest/data.ts";
import type { Entry } from "../manifest/entry.ts";
import { Manifest } from "../manifest/manifest.ts";
import type { Model, ModelColumn } from "../manifest/model.ts";
import { parseExpression } from "../syntax/parser.ts";
import { inQuotes } from "../syntax/quoting.ts";
import type { ColumnReference, Expression, Identifier } from "../syntax/tree.ts";
import { conjuncts } from "../syntax/walk.ts";

export interface RelationshipCheckRequest {
  readonly manifest: Manifest;
  readonly relationship: RelationshipData;
  readonly limits: PlannerLimits;
}

/** A column of the answer: 1 when it holds, else 0. */
export type RelationshipFinding = "is_related" | "left_table_unique" | "right_table_unique";

export interface RelationshipCheck {
  /** In the input language. */
  readonly sql: string;
  /** The caller's manifest, in which the columns that join the models are not hidden; the query is planned over it. */
  readonly manifest: Manifest;
  /** The columns of the answer. */
  readonly findings: readonly RelationshipFinding[];
}

/** Sides on which a key must be unique. */
const UNIQUE_SIDES: Readonly<Record<JoinType, readonly (0 | 1)[]>> = {
  ONE_TO_ONE: [0, 1],
  ONE_TO_MANY: [0],
  MANY_TO_ONE: [1],
  MANY_TO_MANY: [],
};

/**
 * Keys of several columns are compared whole, and a key with a NULL in it is none: it joins nothing.
 * @throws PlannerError MANIFEST_RELATIONSHIP when the condition is no conjunction of equalities between columns of the two
 * models, and whatever is wrong with these models
 */
export function relationshipCheck({ manifest, relationship, limits }: RelationshipCheckRequest): RelationshipCheck {
  const models = relationship.models.map((name) => modelNamed(name, manifest, relationship)) as [Model, Model];
  const pairs = conjuncts(conditionOf(relationship, limits)).map((each) => columnPair(each, models, relationship));
  const sides = [side(models[0], "l", pairs, 0), side(models[1], "r", pairs, 1)] as const;
  const [left, right] = sides;
  const joined = left.columns.map((column, index) => `${column} = ${right.columns[index] ?? ""}`).join(" AND ");
  const findings: RelationshipFinding[] = ["is_related"];
  const selected = [
    `CASE WHEN EXISTS (SELECT 1 FROM ${left.table} JOIN ${right.table} ON ${joined}) THEN 1 ELSE 0 END`,
  ];
  for (const index of UNIQUE_SIDES[relationship.joinType]) {
    findings.push(index === 0 ? "left_table_unique" : "right_table_unique");
    selected.push(`CASE WHEN EXISTS (${repeatedKeys(sides[index])}) THEN 0 ELSE 1 END`);
  }
  const list = selected.map((expression, index) => `${expression} AS ${findings[index] ?? ""}`);
  return { sql: `SELECT ${list.join(", ")}`, manifest: withVisible(manifest, models, pairs), findings };
}

function modelNamed(name: string, manifest: Manifest, relationship: RelationshipData): Model {
  const model = manifest.model(name);
  if (model === undefined) throw fault(relationship, `names the model "${name}", which does not exist`);
  return model;
}

function conditionOf(relationship: RelationshipData, limits: PlannerLimits): Expression {
  try {
    return parseExpression(relationship.condition, { limits });
  } catch (error) {
    if (!(error instanceof PlannerError)) throw error;
    throw fault(relationship, `cannot be read: ${error.message}`);
  }
}

/** The columns of the first and of the second model that one equality compares. */
type ColumnPair = readonly [ModelColumn, ModelColumn];

function columnPair(
  condition: Expression,
  models: readonly [Model, Model],
  relationship: RelationshipData,
): ColumnPair {
  if (condition.kind !== "binary" || condition.operator !== "=") throw noEqualities(relationship);
  const { left, right } = condition;
  if (left.kind !== "column" || right.kind !== "column") throw noEqualities(relationship);
  const swapped = isOf(left, models[1]) && isOf(right, models[0]) && models[0] !== models[1];
  // For a model related to itself, the left operand is the first (docs/spec/planner.md#paths-to-one-row).
  const [first, second] = swapped ? [right, left] : [left, right];
  return [columnOf(first, models[0], relationship), columnOf(second, models[1], relationship)];
}

function isOf({ parts: [model, , ...rest] }: ColumnReference, { name }: Model): boolean {
  return model !== undefined && rest.length === 0 && sameName(model, name);
}

function columnOf(reference: ColumnReference, model: Model, relationship: RelationshipData): ModelColumn {
  const [, name] = reference.parts;
  if (!isOf(reference, model) || name === undefined) throw noEqualities(relationship);
  const like = name.quoted ? [] : model.columnsLike(name.name);
  const column = model.column(name.name) ?? (like.length === 1 ? model.column(like[0] ?? "") : undefined);
  if (column === undefined || column.kind === "handle") {
    throw fault(relationship, `names the column "${name.name}" of model "${model.name}", which does not exist`);
  }
  return column;
}

function sameName(written: Identifier, name: string): boolean {
  return written.name === name || (!written.quoted && written.name.toLowerCase() === name.toLowerCase());
}

interface Side {
  readonly table: string;
  readonly columns: readonly string[];
}

function side(model: Model, alias: string, pairs: readonly ColumnPair[], index: 0 | 1): Side {
  return {
    table: `${inQuotes(model.name)} AS ${alias}`,
    columns: pairs.map((pair) => `${alias}.${inQuotes(pair[index].name)}`),
  };
}

function repeatedKeys({ table, columns }: Side): string {
  const complete = columns.map((column) => `${column} IS NOT NULL`).join(" AND ");
  return `SELECT 1 FROM ${table} WHERE ${complete} GROUP BY ${columns.join(", ")} HAVING count(*) > 1`;
}

/** Columns hidden from callers may still relate models; the result contains none of their values. */
function withVisible(manifest: Manifest, models: readonly [Model, Model], pairs: readonly ColumnPair[]): Manifest {
  const needed = [0, 1].map((index) => new Set(pairs.map((pair) => pair[index === 0 ? 0 : 1].name)));
  if (pairs.flat().every((column) => !column.hidden)) return manifest;
  const { data } = manifest;
  const shown = (entry: Entry<ModelData>): Entry<ModelData> => {
    const sides = models.flatMap((model, index) => (model.name === entry.name ? [needed[index]] : []));
    if (sides.length === 0) return entry;
    const isNeeded = ({ name }: ColumnData): boolean => sides.some((names) => names?.has(name));
    return entry.map((model) => ({
      ...model,
      columns: model.columns.map((column) => (isNeeded(column) ? { ...column, isHidden: false } : column)),
    }));
  };
  return new Manifest({ ...data, models: data.models.map(shown) });
}

function noEqualities(relationship: RelationshipData): PlannerError {
  const [left, right] = relationship.models;
  return fault(relationship, "must be equalities between columns of its models, joined by AND", {
    hint: `Write ${left}.column = ${right}.column AND …`,
  });
}

function fault(
  relationship: RelationshipData,
  problem: string,
  details: { readonly hint?: string } = {},
): PlannerError {
  const message = `The condition of relationship "${relationship.name}" ${problem}`;
  return new PlannerError("MANIFEST_RELATIONSHIP", message, details);
}
