/**
 * Names inside a model's own expressions: its columns, and columns behind relationship handles
 * (docs/spec/planner.md#paths-to-one-row).
 */

import { PlannerError } from "../diagnostics.ts";
import { nearestNames } from "../suggest.ts";
import type { Identifier, Span } from "../syntax/tree.ts";
import type { JoinType, RelationshipData } from "./data.ts";
import type { Model, ModelColumn, ModelManifest } from "./model.ts";

/** One step over a relationship. */
export interface Hop {
  readonly handle: ModelColumn;
  readonly relationship: RelationshipData;
  readonly from: Model;
  readonly to: Model;
  /** Which of the relationship's two models the hop starts from; they may be the same model. */
  readonly side: 0 | 1;
  /** Declared so: a row may have several partners. */
  readonly toMany: boolean;
}

export interface Path {
  readonly hops: readonly Hop[];
  /** The column at the end, never a handle, and the model it belongs to. */
  readonly model: Model;
  readonly column: ModelColumn;
}

/** Finds a column of a model; `undefined` for none. Callers see fewer columns than modellers do. */
export type FindColumn = (model: Model, name: Identifier) => ModelColumn | undefined;

/** Whether messages may name a column. */
export type ShowsColumn = (model: Model, column: ModelColumn) => boolean;

/**
 * A column that every caller may see: errors in text of the manifest reach callers as well. A calculated column may
 * need one that a rule denies.
 */
const isOpen: ShowsColumn = (_model, { hidden, rule, kind }) => !hidden && rule === undefined && kind !== "calculated";

/**
 * Resolves `column`, `Model.column` or `handle.….column`. For a model related to itself, a path inside an aggregate
 * goes to the many side, elsewhere to the one side, unless another step of the path leads to many already. `shows`
 * decides which columns an error may suggest. Throws COLUMN_NOT_FOUND, MANIFEST_RELATIONSHIP.
 */
export function resolvePath(
  model: Model,
  parts: readonly Identifier[],
  place: { readonly span: Span; readonly aggregated: boolean },
  find: FindColumn = findColumn,
  shows: ShowsColumn = isOpen,
): Path {
  const { span } = place;
  const [first, ...rest] = parts;
  if (first === undefined) throw new RangeError("a path without parts");
  if (rest.length > 0 && first.name === model.name && find(model, first)?.kind !== "handle") {
    return resolvePath(model, rest, place, find, shows);
  }
  const steps: { readonly from: Model; readonly handle: ModelColumn }[] = [];
  let owner = model;
  for (const [index, part] of parts.entries()) {
    const column = find(owner, part) ?? columnMissing(owner, part, find, shows);
    const last = index === parts.length - 1;
    if (column.kind === "handle") {
      if (last) {
        throw new PlannerError("COLUMN_NOT_FOUND", `"${part.name}" is a relationship: name a column behind it`, {
          span,
          hint: `Write ${part.name}.column.`,
        });
      }
      steps.push({ from: owner, handle: column });
      owner = targetOf(owner, column).target;
      continue;
    }
    if (last) return { hops: hopsOf(steps, place.aggregated), model: owner, column };
    throw new PlannerError("COLUMN_NOT_FOUND", `"${part.name}" is a column, not a relationship`, { span });
  }
  throw new RangeError("a path ends with a column");
}

function columnMissing(model: Model, name: Identifier, find: FindColumn, shows: ShowsColumn): never {
  const visible = [...model.columnNames()].filter((each) => {
    const column = find(model, { name: each, quoted: true, span: name.span });
    return column !== undefined && shows(model, column);
  });
  const suggestions = nearestNames(name.name, visible);
  throw new PlannerError("COLUMN_NOT_FOUND", `model "${model.name}" has no column "${name.name}"`, {
    span: name.span,
    suggestions,
    ...(suggestions.length > 0 ? { hint: `Did you mean "${suggestions[0]}"?` } : {}),
  });
}

/**
 * Any column, hidden ones too: exact, else the only one without case for unquoted names
 * (docs/decisions/0017-names-without-case.md).
 */
export function findColumn(model: Model, name: Identifier): ModelColumn | undefined {
  const exact = model.column(name.name);
  if (exact !== undefined || name.quoted) return exact;
  const [like, ...others] = model.columnsLike(name.name);
  return like === undefined || others.length > 0 ? undefined : model.column(like);
}

function hopsOf(steps: readonly { readonly from: Model; readonly handle: ModelColumn }[], aggregated: boolean): Hop[] {
  const hops = steps.map(({ from, handle }) => hopOf(from, handle, "one"));
  if (!aggregated || hops.some((hop) => hop.toMany)) return hops;
  // All of them: the reports of one's reports are two steps down, and a step down and one up would be no step at all.
  return hops.map((hop) => hopOf(hop.from, hop.handle, "many"));
}

/** `towards` matters for models related to themselves, whose handles have no direction. */
function hopOf(from: Model, handle: ModelColumn, towards: "one" | "many"): Hop {
  const { relationship, target } = targetOf(from, handle);
  const [left, right] = relationship.models;
  const itself = left === right;
  const side = itself ? selfSide(relationship.joinType, towards) : left === from.name ? 0 : 1;
  return { handle, relationship, from, to: target, side, toMany: LEADS_TO_MANY[relationship.joinType][side] };
}

/** Which way the relationship runs from `models[index]`: true when a row may have several partners. */
const LEADS_TO_MANY: Readonly<Record<JoinType, readonly [boolean, boolean]>> = {
  ONE_TO_ONE: [false, false],
  MANY_TO_ONE: [false, true],
  ONE_TO_MANY: [true, false],
  MANY_TO_MANY: [true, true],
};

function selfSide(joinType: JoinType, towards: "one" | "many"): 0 | 1 {
  if (joinType === "MANY_TO_ONE") return towards === "one" ? 0 : 1;
  if (joinType === "ONE_TO_MANY") return towards === "one" ? 1 : 0;
  return 0;
}

/** The relationship behind `handle` of `model`, and where it leads. Throws MANIFEST_RELATIONSHIP. */
export function targetOf(
  model: Model,
  handle: ModelColumn,
): { readonly relationship: RelationshipData; readonly target: Model } {
  const name = handle.relationship ?? "";
  const relationship = model.manifest.relationship(name);
  const where = `column "${handle.name}" of model "${model.name}"`;
  if (relationship === undefined) {
    throw new PlannerError("MANIFEST_RELATIONSHIP", `${where} names relationship "${name}", which does not exist`);
  }
  const [left, right] = relationship.models;
  if (left !== model.name && right !== model.name) {
    throw new PlannerError("MANIFEST_RELATIONSHIP", `${where}: relationship "${name}" does not touch "${model.name}"`);
  }
  const targetName = left === model.name ? right : left;
  if (handle.typeText !== targetName) {
    throw new PlannerError(
      "MANIFEST_RELATIONSHIP",
      `${where} has type "${handle.typeText}", but relationship "${name}" leads to "${targetName}"`,
    );
  }
  return { relationship, target: relatedModel(relationship, targetName, model.manifest) };
}

/** The model that `relationship` calls `name`. Throws MANIFEST_RELATIONSHIP. */
export function relatedModel(relationship: RelationshipData, name: string, manifest: ModelManifest): Model {
  const model = manifest.model(name);
  if (model !== undefined) return model;
  throw new PlannerError(
    "MANIFEST_RELATIONSHIP",
    `relationship "${relationship.name}" names model "${name}", which does not exist`,
  );
}
