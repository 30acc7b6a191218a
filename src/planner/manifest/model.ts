/** A model of a manifest: its source, its columns and keys. Analysed when a query first needs it. */
import { PlannerError } from "../diagnostics.ts";
import type { EnumData } from "../legacy/enums.ts";
import { hasMacros } from "../legacy/macros.ts";
import { DEFAULT_LIMITS } from "../limits.ts";
import { type SqlType, UNKNOWN } from "../types.ts";
import type { ColumnData, ColumnRuleData, ModelData, RelationshipData } from "./data.ts";

export type ColumnKind = "plain" | "source" | "calculated" | "handle";

export interface ModelColumn {
  readonly name: string;
  readonly kind: ColumnKind;
  readonly type: SqlType;
  readonly typeText: string;
  /** Present for `source` and `calculated`, with macros expanded. Throws MANIFEST_EXPRESSION for wrong ones. */
  readonly expression: string | undefined;
  readonly relationship: string | undefined;
  readonly notNull: boolean;
  readonly hidden: boolean;
  readonly rule: ColumnRuleData | undefined;
}

/** The parts of a manifest that its models and their columns use. */
export interface ModelManifest {
  readonly enums: ReadonlyMap<string, EnumData>;
  model(name: string): Model | undefined;
  namesQuery(name: string): boolean;
  relationship(name: string): RelationshipData | undefined;
  relationshipsOf(model: string): readonly RelationshipData[];
  typeOf(text: string): SqlType;
  expanded(text: string, owner: string): string;
}

export class Model {
  readonly name: string;
  readonly manifest: ModelManifest;
  readonly data: ModelData;
  readonly primaryKey: readonly string[];
  readonly #columns: ReadonlyMap<string, ColumnData>;
  readonly #analysed = new Map<string, ModelColumn>();
  #folded: ReadonlyMap<string, readonly string[]> | undefined;
  #base: Model | undefined;
  /** Number of models below it; set once they are known to be valid. */
  #steps: number | undefined;

  constructor(data: ModelData, manifest: ModelManifest) {
    this.name = data.name;
    this.data = data;
    this.manifest = manifest;
    this.primaryKey = data.primaryKey;
    this.#checkSource();
    const columns = new Map<string, ColumnData>();
    for (const column of data.columns) {
      if (columns.has(column.name)) {
        throw new PlannerError(
          "MANIFEST_DUPLICATE",
          `model "${data.name}" names column "${column.name}" more than once`,
        );
      }
      columns.set(column.name, column);
    }
    this.#columns = columns;
  }

  /** Whether its columns come from another object (old manifests) and not from a physical table. */
  get isBuilt(): boolean {
    return this.data.baseObject !== undefined;
  }

  /** The view or metric that it is built on. */
  get baseQuery(): string | undefined {
    const { baseObject } = this.data;
    return baseObject !== undefined && this.manifest.namesQuery(baseObject) ? baseObject : undefined;
  }

  /** The model that it is built on. Throws MANIFEST_SOURCE, MANIFEST_CYCLE, LIMIT_DEPTH. */
  get base(): Model | undefined {
    if (this.#steps === undefined) this.#followBases();
    return this.#base;
  }

  /** Settles the base of this model and of all below it; nothing where one of them is wrong. */
  #followBases(): void {
    const chain = new Set<Model>();
    let end: Model = this;
    while (end.#steps === undefined && end.data.baseObject !== undefined && end.baseQuery === undefined) {
      chain.add(end);
      const base = this.manifest.model(end.data.baseObject);
      if (base === undefined) {
        throw new PlannerError(
          "MANIFEST_SOURCE",
          `model "${end.name}" is built on "${end.data.baseObject}", which is no model, view or metric`,
        );
      }
      if (chain.has(base)) {
        throw new PlannerError(
          "MANIFEST_CYCLE",
          `found cycle in models: ${[...chain, base].map(({ name }) => name).join(" → ")}`,
        );
      }
      if (chain.size > DEFAULT_LIMITS.depth) throw tooManyBases(chain.size);
      end = base;
    }
    end.#steps ??= 0;
    const steps = chain.size + end.#steps;
    if (steps > DEFAULT_LIMITS.depth) throw tooManyBases(steps);
    let base = end;
    for (const model of [...chain].reverse()) {
      model.#base = base;
      model.#steps = (base.#steps ?? 0) + 1;
      base = model;
    }
  }

  #checkSource(): void {
    const { tableReference, refSql, baseObject, name } = this.data;
    const sources = [tableReference, refSql, baseObject].filter((source) => source !== undefined).length;
    if (sources === 1) return;
    const problem =
      sources === 0
        ? "has no source: one of tableReference, refSql and baseObject is required"
        : "has more than one source: only one of tableReference, refSql and baseObject is allowed";
    throw new PlannerError("MANIFEST_SOURCE", `model "${name}" ${problem}`);
  }

  /** Any column, hidden ones and handles included. */
  column(name: string): ModelColumn | undefined {
    const known = this.#analysed.get(name);
    if (known !== undefined) return known;
    const data = this.#columns.get(name);
    if (data === undefined) return undefined;
    const column = this.#analyse(data);
    this.#analysed.set(name, column);
    return column;
  }

  /** The column that a key names. Throws MANIFEST_SCHEMA if there is none. */
  keyColumn(key: "primaryKey" | "uniqueKeys", name: string): ModelColumn {
    const column = this.column(name);
    if (column !== undefined && column.kind !== "handle") return column;
    throw new PlannerError("MANIFEST_SCHEMA", `${key} of model "${this.name}" names "${name}", which is no column`);
  }

  /** Exact names that equal `name` without case. */
  columnsLike(name: string): readonly string[] {
    this.#folded ??= Map.groupBy(this.#columns.keys(), (candidate) => candidate.toLowerCase());
    return this.#folded.get(name.toLowerCase()) ?? [];
  }

  columnNames(): Iterable<string> {
    return this.#columns.keys();
  }

  #analyse(data: ColumnData): ModelColumn {
    const kind = kindOf(data);
    const { manifest } = this;
    const owner = `column "${data.name}" of model "${this.name}"`;
    let expression: string | undefined;
    return {
      name: data.name,
      kind,
      type: kind === "handle" ? UNKNOWN : manifest.typeOf(data.type),
      typeText: data.type,
      get expression() {
        expression ??=
          data.expression && hasMacros(data.expression) ? manifest.expanded(data.expression, owner) : data.expression;
        return expression;
      },
      relationship: data.relationship,
      notNull: data.notNull || (this.primaryKey.length === 1 && this.primaryKey[0] === data.name),
      hidden: data.isHidden,
      rule: data.rule,
    };
  }
}

function tooManyBases(steps: number): PlannerError {
  return new PlannerError("LIMIT_DEPTH", `models are built on each other over ${steps} steps`);
}

function kindOf(data: ColumnData): ColumnKind {
  if (data.relationship !== undefined) return "handle";
  if (data.isCalculated) return "calculated";
  return data.expression === undefined ? "plain" : "source";
}
