/**
 * A manifest with its index. Objects are analysed when a query first needs them, so that a faulty model never blocks
 * another and cost grows with use. Everything cached in it depends on the manifest alone, never on a request: one
 * instance serves all requests with the same text.
 */
import { PlannerError, type PlannerWarning } from "../diagnostics.ts";
import { type CumulativeMetricData, type DateSpineData, DEFAULT_SPINE } from "../legacy/cumulative-metrics.ts";
import type { EnumData } from "../legacy/enums.ts";
import { expandMacros, type MacroData } from "../legacy/macros.ts";
import type { MetricData } from "../legacy/metrics.ts";
import { DEFAULT_LIMITS } from "../limits.ts";
import { parseTypeName } from "../syntax/parser.ts";
import { type SqlType, type TypeNames, typeOfName, USUAL_TYPE_NAMES } from "../types.ts";
import { Cube } from "./cube.ts";
import type { CubeData, ManifestData, ModelData, RelationshipData, ViewData } from "./data.ts";
import { decodeManifestText, parseManifestText } from "./decode.ts";
import type { Entry } from "./entry.ts";
import { modellersFault } from "./faults.ts";
import { Model } from "./model.ts";
import { type Remark, refuseUnknownRules, remarkErrors, remarksOn } from "./remarks.ts";
import { readManifest } from "./schema.ts";
import { View } from "./view.ts";

type NamedObject =
  | { readonly kind: "model"; readonly object: Entry<ModelData> }
  | { readonly kind: "view"; readonly object: Entry<ViewData> }
  | { readonly kind: "cube"; readonly object: Entry<CubeData> }
  | { readonly kind: "metric"; readonly object: Entry<MetricData> }
  | { readonly kind: "cumulative"; readonly object: Entry<CumulativeMetricData> };

/** A few kilobytes of macros in hundreds of columns would be gigabytes to parse. */
const MAX_EXPANDED = 1024 * 1024;

/** Longer than the types of sources, among them structures of hundreds of members and enums of thousands of words. */
const MAX_TYPE_TEXT = 64 * 1024;

export class Manifest {
  readonly catalog: string;
  readonly schema: string;
  readonly #data: ManifestData;
  readonly #models = new Map<string, Model>();
  readonly #views = new Map<string, View>();
  readonly #cubes = new Map<string, Cube>();
  /** The objects of each name; models, views and cubes share one name space. */
  readonly #named: ReadonlyMap<string, readonly NamedObject[]>;
  readonly #relationships: ReadonlyMap<string, Entry<RelationshipData>>;
  #macros: ReadonlyMap<string, MacroData> | undefined;
  #enums: ReadonlyMap<string, EnumData> | undefined;
  /** Characters that macros came to so far, each column once. */
  #expanded = 0;
  #foldedNames: ReadonlyMap<string, readonly string[]> | undefined;
  #relationshipEnds: ReadonlyMap<string, readonly OneEnd[]> | undefined;
  #remarks: readonly PlannerWarning[] | undefined;

  /** How to read its type names: they are the source's (docs/decisions/0040-types-of-the-manifest.md#decision). */
  readonly #typeNames: TypeNames;
  /** The same manifest as other sources read it; shared by all of them. */
  readonly #readings: Map<TypeNames, Manifest>;

  constructor(data: ManifestData, typeNames = USUAL_TYPE_NAMES, readings = new Map<TypeNames, Manifest>()) {
    this.#data = data;
    this.#typeNames = typeNames;
    this.#readings = readings;
    readings.set(typeNames, this);
    this.catalog = data.catalog;
    this.schema = data.schema;
    const objects: readonly NamedObject[] = [
      ...data.models.map((object) => ({ kind: "model", object }) as const),
      ...data.views.map((object) => ({ kind: "view", object }) as const),
      ...data.cubes.map((object) => ({ kind: "cube", object }) as const),
      ...data.metrics.map((object) => ({ kind: "metric", object }) as const),
      ...data.cumulativeMetrics.map((object) => ({ kind: "cumulative", object }) as const),
    ];
    this.#named = Map.groupBy(objects, ({ object }) => object.name);
    this.#relationships = new Map(data.relationships.map((relationship) => [relationship.name, relationship]));
  }

  /** This manifest as a source with these type names reads it. */
  readBy(typeNames: TypeNames): Manifest {
    return this.#readings.get(typeNames) ?? new Manifest(this.#data, typeNames, this.#readings);
  }

  /**
   * A type text that cannot be read, or is too long, is opaque, never an error (docs/spec/planner.md#types-of-the-manifest).
   */
  typeOf(text: string): SqlType {
    if (text.length > MAX_TYPE_TEXT) return { kind: "opaque", name: text.slice(0, 60) };
    try {
      const written = this.#typeNames.respelled?.(text) ?? text;
      return typeOfName(parseTypeName(written, DEFAULT_LIMITS), this.#typeNames);
    } catch (error) {
      if (error instanceof PlannerError) return { kind: "opaque", name: text.slice(0, 60) };
      throw error;
    }
  }

  /** The model of exactly this name; `undefined` if there is none. Throws its errors. */
  model(name: string): Model | undefined {
    const known = this.#models.get(name);
    if (known !== undefined) return known;
    const named = this.#only(name);
    if (named?.kind !== "model") return undefined;
    const model = new Model(named.object.data, this);
    this.#models.set(name, model);
    return model;
  }

  /** The view of exactly this name; `undefined` if there is none. Throws its errors. */
  view(name: string): View | undefined {
    const known = this.#views.get(name);
    if (known !== undefined) return known;
    const named = this.#only(name);
    if (named?.kind !== "view") return undefined;
    const view = new View(named.object.data);
    this.#views.set(name, view);
    return view;
  }

  /** The cube of exactly this name; `undefined` if there is none. Throws errors of the cube itself. */
  cube(name: string): Cube | undefined {
    const known = this.#cubes.get(name);
    if (known !== undefined) return known;
    const named = this.#only(name);
    if (named?.kind !== "cube") return undefined;
    const cube = new Cube(named.object.data, this);
    this.#cubes.set(name, cube);
    return cube;
  }

  /** The metric of exactly this name; `undefined` if there is none. Throws its errors. */
  metric(name: string): MetricData | undefined {
    const named = this.#only(name);
    if (named?.kind !== "metric") return undefined;
    return named.object.data;
  }

  /** Like `metric`, for cumulative ones. */
  cumulativeMetric(name: string): CumulativeMetricData | undefined {
    const named = this.#only(name);
    if (named?.kind !== "cumulative") return undefined;
    return named.object.data;
  }

  /** Whether this is the name of a view, a metric or a cumulative metric. Throws MANIFEST_DUPLICATE. */
  namesQuery(name: string): boolean {
    const kind = this.#only(name)?.kind;
    return kind === "view" || kind === "metric" || kind === "cumulative";
  }

  /** The days that cumulative metrics run over. */
  get dateSpine(): DateSpineData {
    return this.#data.dateSpine ?? DEFAULT_SPINE;
  }

  /** Every name that a cube has, for suggestions. */
  cubeNames(): readonly string[] {
    return this.#data.cubes.map(({ name }) => name);
  }

  get macros(): ReadonlyMap<string, MacroData> {
    this.#macros ??= validByName(this.#data.macros);
    return this.#macros;
  }

  get enums(): ReadonlyMap<string, EnumData> {
    this.#enums ??= validByName(this.#data.enums);
    return this.#enums;
  }

  /** The text of `owner` with its macros expanded. Throws errors in them. */
  expanded(text: string, owner: string): string {
    try {
      const result = expandMacros(text, this.macros);
      this.#expanded += result.length;
      if (this.#expanded > MAX_EXPANDED) {
        throw new PlannerError("LIMIT_SIZE", `macros of the manifest expand to more than ${MAX_EXPANDED} characters`);
      }
      return result;
    } catch (error) {
      throw error instanceof PlannerError ? modellersFault(owner, error, { place: undefined, use: undefined }) : error;
    }
  }

  has(name: string): boolean {
    return this.#named.has(name);
  }

  #only(name: string): NamedObject | undefined {
    const [first, ...others] = this.#named.get(name) ?? [];
    if (others.length === 0) return first;
    throw new PlannerError("MANIFEST_DUPLICATE", `the manifest names "${name}" more than once`, {
      hint: "Models, views, cubes and metrics share one name space.",
    });
  }

  /** Exact names that equal `name` without case. */
  namesLike(name: string): readonly string[] {
    this.#foldedNames ??= Map.groupBy(this.#named.keys(), (candidate) => candidate.toLowerCase());
    return this.#foldedNames.get(name.toLowerCase()) ?? [];
  }

  /** Every name a query may use in FROM, for suggestions. */
  relationNames(): Iterable<string> {
    return this.#named.keys();
  }

  relationship(name: string): RelationshipData | undefined {
    return this.#relationships.get(name)?.data;
  }

  /** The valid relationships that start or end at the model of this name. */
  relationshipsOf(model: string): readonly RelationshipData[] {
    this.#relationshipEnds ??= endsByModel(this.#data.relationships);
    return this.#relationshipEnds.get(model)?.map(({ relationship }) => relationship) ?? [];
  }

  /** Whether this is the schema of the manifest or of a model's table, compared without case. */
  namesSchema(name: string): boolean {
    const schemas = this.#data.models.map(({ dataIfValid }) => dataIfValid?.tableReference?.schema);
    return [this.schema, ...schemas].some((schema) => schema?.toLowerCase() === name.toLowerCase());
  }

  /**
   * Throws MANIFEST_SCHEMA for an unknown member that looks like an access rule. Every use of the manifest calls this
   * first.
   */
  refuseUnknownRules(): void {
    refuseUnknownRules(this.#data.survey());
  }

  /**
   * Throws MANIFEST_SCHEMA for the first object that cannot be read. A query that names no model of the manifest asks for nothing
   * else.
   */
  refuseUnreadable(): void {
    const { models, relationships, views, cubes, metrics, cumulativeMetrics, macros, enums } = this.#data;
    for (const entries of [models, relationships, views, cubes, metrics, cumulativeMetrics, macros, enums]) {
      for (const { problem } of entries) if (problem !== undefined) throw problem;
    }
  }

  /** Warnings about parts of the manifest without effect: unknown members, and types that are probably misspelt. */
  get remarks(): readonly PlannerWarning[] {
    this.#remarks ??= remarksOn(this.#data.survey(), this.#typeNames);
    return this.#remarks;
  }

  /** All remarks, as errors. */
  remarkErrors(): readonly Remark[] {
    return remarkErrors(this.#data.survey(), this.#typeNames);
  }

  /** Names of the session properties that some rule reads, in lower case. */
  get sessionProperties(): ReadonlySet<string> {
    return this.#data.survey().properties;
  }

  /** All objects, for checks of the whole manifest. */
  get data(): ManifestData {
    return this.#data;
  }
}

/** Invalid objects count as absent; a query that names one gets the error. */
function validByName<T>(entries: readonly Entry<T>[]): ReadonlyMap<string, T> {
  return new Map(entries.flatMap(({ name, dataIfValid: data }) => (data === undefined ? [] : [[name, data] as const])));
}

interface OneEnd {
  readonly model: string;
  readonly relationship: RelationshipData;
}

function endsByModel(entries: readonly Entry<RelationshipData>[]): ReadonlyMap<string, readonly OneEnd[]> {
  const ends = entries.flatMap(({ dataIfValid: relationship }) =>
    relationship === undefined ? [] : [...new Set(relationship.models)].map((model) => ({ model, relationship })),
  );
  return Map.groupBy(ends, ({ model }) => model);
}

/** The same of JSON text. */
export function openManifestText(text: string, maxBytes: number): Manifest {
  return new Manifest(readManifest(parseManifestText(text, maxBytes)));
}

export function openManifest(base64: string, maxBytes: number): Manifest {
  return new Manifest(readManifest(decodeManifestText(base64, maxBytes)));
}
