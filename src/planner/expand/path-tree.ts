/** The relationship paths one model occurrence follows: one node per sequence of handles (planner.md §2.5, §6.2). */
import { PlannerError } from "../diagnostics.ts";
import type { Model, ModelColumn } from "../manifest/manifest.ts";
import type { JoinType, RelationshipData } from "../manifest/schema.ts";
import type { BoundColumn, PrintableColumn } from "../syntax/tree.ts";

/** No place in the caller's SQL: text of the manifest. */
export const NO_SPAN = { start: 0, end: 0 } as const;

/** A physical or source-expression column that a node must offer; its printed name is settled with the node's table. */
export interface NodeColumn extends PrintableColumn {
  readonly column: ModelColumn;
  printedName: string;
}

export class PathNode {
  readonly model: Model;
  readonly printedAlias: string;
  /** How the node is reached; absent for the model itself. */
  readonly hop: { readonly parent: PathNode; readonly relationship: RelationshipData } | undefined;
  readonly needed = new Map<string, NodeColumn>();
  readonly children = new Map<string, PathNode>();
  readonly #tree: { count: number };

  constructor(model: Model, printedAlias: string, hop: PathNode["hop"], tree: { count: number } = { count: 0 }) {
    this.model = model;
    this.printedAlias = printedAlias;
    this.hop = hop;
    this.#tree = tree;
  }

  /** A reference to a plain or source-expression column of this node. */
  reference(column: ModelColumn): BoundColumn {
    let needed = this.needed.get(column.name);
    if (needed === undefined) {
      needed = { relation: this, column, printedName: column.name };
      this.needed.set(column.name, needed);
    }
    return { kind: "bound", column: needed, type: column.type, span: NO_SPAN };
  }

  /** The node that `handle` leads to; paths with a common prefix share it. */
  follow(handle: ModelColumn): PathNode {
    const known = this.children.get(handle.name);
    if (known !== undefined) return known;
    const { relationship, target } = relationshipOf(this.model, handle);
    checkToOne(relationship, this.model, target, handle);
    this.#tree.count++;
    const child = new PathNode(target, `_t${this.#tree.count}`, { parent: this, relationship }, this.#tree);
    this.children.set(handle.name, child);
    return child;
  }

  /** This node's descendants, parents first. */
  *descendants(): Iterable<PathNode> {
    for (const child of this.children.values()) {
      yield child;
      yield* child.descendants();
    }
  }
}

function relationshipOf(model: Model, handle: ModelColumn): { relationship: RelationshipData; target: Model } {
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
  if (left === right) {
    throw new PlannerError("NOT_IMPLEMENTED", `${where}: a model related to itself cannot be followed yet`);
  }
  const targetName = left === model.name ? right : left;
  if (handle.typeText !== targetName) {
    throw new PlannerError(
      "MANIFEST_RELATIONSHIP",
      `${where} has type "${handle.typeText}", but relationship "${name}" leads to "${targetName}"`,
    );
  }
  const target = model.manifest.model(targetName);
  if (target === undefined) {
    throw new PlannerError(
      "MANIFEST_RELATIONSHIP",
      `relationship "${name}" names model "${targetName}", which does not exist`,
    );
  }
  return { relationship, target };
}

/** Which way the relationship runs from `models[index]`: "many" when a row may have several partners. */
const LEADS_TO_MANY: Readonly<Record<JoinType, readonly [boolean, boolean]>> = {
  ONE_TO_ONE: [false, false],
  MANY_TO_ONE: [false, true],
  ONE_TO_MANY: [true, false],
  MANY_TO_MANY: [true, true],
};

function checkToOne(relationship: RelationshipData, owner: Model, target: Model, handle: ModelColumn): void {
  const index = relationship.models[0] === owner.name ? 0 : 1;
  if (!LEADS_TO_MANY[relationship.joinType][index]) return;
  throw new PlannerError(
    "FANOUT",
    `"${handle.name}" leads from one "${owner.name}" to many "${target.name}": a single value of it has no meaning`,
    { hint: "Aggregate it, for example sum(…), in a calculated column." },
  );
}
