/** The manifest that an importer fills. Names are unique; what has the name of another object is refused. */
import type { DataSource } from "../../src/planner/plan.ts";
import type { FilePosition } from "../exit.ts";
import { WITH_CATALOG } from "../init/manifest-of-source.ts";
import { identifierIn, written } from "../project/identifier.ts";
import type { CubeMember, ImportedCube, ImportedManifest, ImportedRelationship, ImportedTable } from "./manifest.ts";
import { ModelDraft, type ModelHead } from "./model-draft.ts";
import { Origins } from "./origins.ts";
import type { ImportedQuestion } from "./questions.ts";
import type { ImportReport } from "./report.ts";
import { Unmapped } from "./sql-text.ts";

export interface CubeDraft extends Omit<ImportedCube, "measures" | "dimensions" | "timeDimensions"> {
  readonly measures: CubeMember[];
  readonly dimensions: CubeMember[];
  readonly timeDimensions: CubeMember[];
}

export type MemberKind = "measure" | "dimension" | "time dimension";

export interface JoinDraft {
  readonly name: string;
  readonly from: ModelDraft;
  readonly to: ModelDraft;
  readonly pairs: readonly (readonly [from: string, to: string])[];
  readonly joinType: ImportedRelationship["joinType"];
  /** Name of the column of `from` that follows the relationship. */
  readonly path: string;
  readonly description?: string | undefined;
  readonly properties?: Readonly<Record<string, unknown>>;
}

/** Sources that write names without quotes in capitals. */
const CAPITALS: ReadonlySet<DataSource> = new Set(["snowflake", "oracle"] as const);

export class Draft {
  readonly report: ImportReport;
  readonly source: DataSource;
  readonly origins = new Origins();
  readonly models = new Map<string, ModelDraft>();
  readonly cubes = new Map<string, CubeDraft>();
  readonly questions: ImportedQuestion[] = [];
  readonly #relationships = new Map<string, ImportedRelationship>();
  readonly #memberNames = new Map<CubeDraft, Set<string>>();
  readonly #name: string;
  #taken: ImportedManifest | undefined;
  description: string | undefined;
  properties: Readonly<Record<string, unknown>> | undefined;

  constructor(name: string, source: DataSource, report: ImportReport) {
    this.#name = name;
    this.source = source;
    this.report = report;
  }

  /** The name of a physical table or schema that another tool writes without quotes. */
  stored(name: string): string {
    return CAPITALS.has(this.source) && /^[A-Za-z_]\w*$/.test(name) ? name.toUpperCase() : name;
  }

  /** The physical table of a name with one to three parts, of which some may be quoted; undefined for any other text. */
  table(text: string): ImportedTable | undefined {
    const parts = text
      .trim()
      .split(".")
      .map((part) => {
        const name = identifierIn(part);
        return name === undefined || /^["`[]/.test(part.trim()) ? name : this.stored(name);
      });
    if (parts.length > 3 || parts.includes(undefined)) return undefined;
    const [table = "", schema, catalog] = parts.toReversed();
    return {
      ...(catalog !== undefined && WITH_CATALOG.has(this.source) && { catalog }),
      ...(schema !== undefined && { schema }),
      table,
    };
  }

  /** Undefined if a model has the name already. */
  model(
    head: ModelHead,
    at: FilePosition,
    typeOf: (column: string) => string | undefined = () => undefined,
  ): ModelDraft | undefined {
    const object = `model "${head.name}"`;
    const key = head.name.toLowerCase();
    if (this.models.has(key)) {
      this.report.refuse(object, "Two objects have the name.", at);
      return undefined;
    }
    this.origins.set(object, at);
    const made = new ModelDraft(head, this.origins, this.report, { typeOf, folds: CAPITALS.has(this.source) });
    this.models.set(key, made);
    return made;
  }

  /** A model without an object of the source is not kept: nothing may read it. */
  drop(model: ModelDraft): void {
    this.models.delete(model.name.toLowerCase());
    this.cubes.delete(`${model.name}_metrics`);
  }

  /** The cube over a model. Models and cubes share their names, so the cube's has an ending. */
  cube(model: ModelDraft, at: FilePosition, more: Pick<ImportedCube, "description" | "properties"> = {}): CubeDraft {
    const name = `${model.name}_metrics`;
    const found = this.cubes.get(name);
    if (found !== undefined) return found;
    this.origins.set(`cube "${name}"`, at);
    const made: CubeDraft = { name, baseObject: model.name, ...more, measures: [], dimensions: [], timeDimensions: [] };
    this.cubes.set(name, made);
    return made;
  }

  /** A further cube over a model; undefined if a model or a cube has the name. */
  viewCube(name: string, model: ModelDraft, at: FilePosition, description: string | undefined): CubeDraft | undefined {
    const key = name.toLowerCase();
    const isTaken = this.models.has(key) || [...this.cubes.keys()].some((each) => each.toLowerCase() === key);
    if (isTaken) return undefined;
    this.origins.set(`cube "${name}"`, at);
    const more = { ...(description !== undefined && { description }) };
    const made: CubeDraft = { name, baseObject: model.name, ...more, measures: [], dimensions: [], timeDimensions: [] };
    this.cubes.set(name, made);
    return made;
  }

  member(cube: CubeDraft, kind: MemberKind, member: CubeMember, at: FilePosition | undefined): boolean {
    const object = `${kind} "${member.name}" of cube "${cube.name}"`;
    const names = this.#memberNames.get(cube) ?? new Set();
    this.#memberNames.set(cube, names);
    if (names.has(member.name.toLowerCase())) {
      this.report.refuse(object, "Two objects have the name.", at);
      return false;
    }
    names.add(member.name.toLowerCase());
    this.origins.set(object, at);
    const list = { measure: cube.measures, dimension: cube.dimensions, "time dimension": cube.timeDimensions }[kind];
    list.push(member);
    return true;
  }

  /** The path that follows the relationship; undefined if it is refused. */
  join(
    { name, from, to, pairs, joinType, path, description, properties }: JoinDraft,
    at: FilePosition,
  ): string | undefined {
    const object = `relationship "${name}"`;
    if (this.#relationships.has(name.toLowerCase())) {
      this.report.refuse(object, "Two objects have the name.", at);
      return undefined;
    }
    const condition = pairs
      .map(([a, b]) => `${written(from.name)}.${written(a)} = ${written(to.name)}.${written(b)}`)
      .join(" AND ");
    this.origins.set(object, at);
    const more = { ...(description !== undefined && { description }), ...(properties !== undefined && { properties }) };
    this.#relationships.set(name.toLowerCase(), { name, models: [from.name, to.name], joinType, condition, ...more });
    const free = [path, to.name, name].find((each) => from.column(each) === undefined);
    if (free === undefined) {
      this.report.refuse(object, `Model ${from.name} has no name left for the path.`, at);
      return undefined;
    }
    from.add({ name: free, type: to.name, relationship: name }, at);
    return free;
  }

  /** Runs a part of an import; its `Unmapped` becomes a refusal of the object. */
  attempt<T>(object: string, at: FilePosition | undefined, work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof Unmapped)) throw error;
      this.report.refuse(object, error.message, at);
      return undefined;
    }
  }

  /** Takes a whole manifest in the place of all objects. */
  take(manifest: ImportedManifest): void {
    this.#taken = manifest;
  }

  toJson(): ImportedManifest {
    if (this.#taken !== undefined) return this.#taken;
    const { description, properties } = this;
    return {
      layoutVersion: 4,
      catalog: this.#name,
      schema: "public",
      dataSource: this.source.toUpperCase(),
      ...(description !== undefined && { description }),
      ...(properties !== undefined && { properties }),
      models: [...this.models.values()].map((model) => model.toJson()),
      relationships: [...this.#relationships.values()],
      cubes: [...this.cubes.values()].filter(
        ({ measures, dimensions, timeDimensions }) => measures.length + dimensions.length + timeDimensions.length > 0,
      ),
    };
  }
}
