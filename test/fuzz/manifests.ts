/** The manifests that generated queries are planned against: those of the acceptance cases, whole and damaged. */
import { readFileSync } from "node:fs";
import { PlannerError } from "../../src/planner/diagnostics.ts";
import { loadManifest, type Manifest } from "../../src/planner/index.ts";
import { DEFAULT_LIMITS } from "../../src/planner/limits.ts";
import { parseTypeName } from "../../src/planner/syntax/parser.ts";
import { familyOf, typeOfName } from "../../src/planner/types.ts";
import type { Random } from "../planner/syntax/random.ts";
import { plainManifest } from "../support/analyst.ts";
import { type Kind, oddName } from "./vocabulary.ts";

export interface ColumnNames {
  readonly name: string;
  readonly kind: Kind;
}

export interface ModelNames {
  readonly name: string;
  readonly columns: readonly ColumnNames[];
  /** Handles and hidden columns: a query that names them is refused. */
  readonly others: readonly string[];
}

/** A manifest with what a generator needs to know of it. */
export interface FuzzManifest {
  readonly name: string;
  readonly outcome: ReturnType<typeof loadManifest>;
  readonly models: readonly ModelNames[];
  /** `catalog`, `schema`. */
  readonly path: readonly string[];
  /** Names of hidden columns that no visible object of the manifest shares: no complaint may tell them. */
  readonly hidden: readonly string[];
  /** Holds text in a source's own dialect, which is printed as it was written; `broken` when it may be no SQL at all. */
  readonly native: "no" | "yes" | "broken";
  /** Everything that the manifest says, for telling where a word of a message comes from. */
  readonly text: string;
}

const MAX_BYTES = 16 * 1024 * 1024;

function manifestFile(): Readonly<Record<string, unknown>> {
  const text = readFileSync(new URL("../cases/planner-cases.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { readonly manifests: Readonly<Record<string, unknown>> }).manifests;
}

const SOURCES: readonly (readonly [name: string, json: unknown])[] = [
  ...Object.entries(manifestFile()),
  ["analyst", plainManifest("postgres")],
];

const wholeManifests = new Map<string, FuzzManifest>();

/** Names of the manifests, for choosing one. */
export const MANIFEST_NAMES: readonly string[] = SOURCES.map(([name]) => name);

/** A manifest of the acceptance cases as it stands there; made once. */
export function wholeManifest(name: string): FuzzManifest {
  const known = wholeManifests.get(name);
  if (known !== undefined) return known;
  const json = SOURCES.find(([candidate]) => candidate === name)?.[1];
  const made = fuzzManifest(name, JSON.stringify(json), false);
  wholeManifests.set(name, made);
  return made;
}

/** A manifest of the acceptance cases with a few members damaged. */
export function damagedManifest(dice: Random): FuzzManifest {
  const [name, json] = dice.pick(SOURCES);
  const copy: unknown = structuredClone(json);
  for (let i = 0; i < 1 + dice.below(3); i++) damage(copy, dice);
  const text = JSON.stringify(copy);
  return fuzzManifest(`${name}, damaged`, dice.chance(0.1) ? broken(text, dice) : text, true);
}

/** Text that is no JSON any more, or hardly. */
function broken(text: string, { pick, below }: Random): string {
  const at = below(text.length);
  return (
    text.slice(0, at) + pick(["", "\0", "[", "}", '"', "\\", "\ud800", "[".repeat(200)]) + text.slice(at + below(3))
  );
}

type Json = { [name: string]: unknown } | unknown[];

/** Replaces, removes, doubles or moves one member somewhere in `root`. */
function damage(root: unknown, dice: Random): void {
  const places: (readonly [holder: Json, key: string | number])[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const key of Object.keys(value)) {
      places.push([value as Json, Array.isArray(value) ? Number(key) : key]);
      visit((value as Record<string, unknown>)[key]);
    }
  };
  visit(root);
  const [holder, key] = dice.pick(places);
  const members = holder as Record<string | number, unknown>;
  dice.pick<() => void>([
    () => {
      members[key] = replacement(members[key], dice);
    },
    () => {
      members[key] = replacement(members[key], dice);
    },
    () => {
      if (Array.isArray(holder)) holder.push(structuredClone(holder[Number(key)]));
      else delete holder[key];
    },
    () => {
      const [other, from] = dice.pick(places);
      const moved = (other as Record<string | number, unknown>)[from];
      members[key] = structuredClone(moved);
    },
  ])();
}

function replacement(value: unknown, dice: Random): unknown {
  const { pick } = dice;
  if (typeof value === "string" && dice.chance(0.8)) {
    return pick<() => unknown>([
      () => oddName(dice),
      () => pick(["", "a + ", "sum(x)", "count(*) OVER ()", "a.b.c.d", "(SELECT 1)", "1; DROP TABLE x", "x) --", "/*"]),
      () => pick(["INTEGER", "DECIMAL(99999, 3)", "struct<a int", "timestamp with time zone", "nonsense(", "int[][]"]),
      () => pick(["MANY_TO_MANY", "ONE_TO_MANY", "MANY_TO_ONE", "ONE_TO_ONE", "SOMETIMES"]),
      () => `${value} ${value}`,
      () => value.toUpperCase(),
      () => value.slice(0, 1),
    ])();
  }
  return pick<unknown>([null, true, false, 0, -1, 1e300, "", "x", [], {}, [null], { name: "x" }, [[]], "true"]);
}

function fuzzManifest(name: string, text: string, damaged: boolean): FuzzManifest {
  const outcome = loadManifest(Buffer.from(text).toString("base64"), MAX_BYTES);
  const manifest = outcome.ok ? outcome.value : undefined;
  const models = manifest === undefined ? [] : namesOf(manifest);
  return {
    name,
    outcome,
    models:
      models.length > 0 ? models : [{ name: "orders", columns: [{ name: "o_orderkey", kind: "number" }], others: [] }],
    path: manifest === undefined ? [] : [manifest.catalog, manifest.schema],
    hidden: manifest === undefined ? [] : hiddenNames(manifest, text),
    native: manifest === undefined || !hasNative(manifest) ? "no" : damaged ? "broken" : "yes",
    text,
  };
}

type ModelData = Manifest["data"]["models"][number]["data"];

function hasNative({ data }: Manifest): boolean {
  return validModels(data).some(isNative);
}

function validModels({ models }: Manifest["data"]): readonly ModelData[] {
  return models.flatMap(({ dataIfValid }) => dataIfValid ?? []);
}

function isNative(model: ModelData): boolean {
  return (
    model.refSql !== undefined ||
    model.columns.some((column) => column.expression !== undefined && !column.isCalculated)
  );
}

type ColumnData = ModelData["columns"][number];

const isUsable = (column: ColumnData): boolean => column.relationship === undefined && !column.isHidden;

function namesOf({ data }: Manifest): readonly ModelNames[] {
  const models = validModels(data);
  return [
    ...models.map((model) => ({
      name: model.name,
      columns: model.columns.filter(isUsable).map((column) => ({ name: column.name, kind: kindOf(column.type) })),
      others: model.columns.filter((column) => !isUsable(column)).map((column) => column.name),
    })),
    ...data.views.map((view) => ({
      name: view.name,
      columns: [{ name: "c_custkey", kind: "number" as const }],
      others: [],
    })),
  ];
}

function hiddenNames({ data }: Manifest, text: string): readonly string[] {
  const columns = validModels(data).flatMap(({ columns }) => columns);
  return columns
    .filter((column) => column.isHidden && column.name.length > 4)
    .map((column) => column.name)
    .filter((name) => text.toLowerCase().split(name.toLowerCase()).length === 2);
}

function kindOf(typeText: string): Kind {
  try {
    const family = familyOf(typeOfName(parseTypeName(typeText, DEFAULT_LIMITS)));
    if (family === "datetime") return /^date$/i.test(typeText) ? "date" : "timestamp";
    return family === "number" || family === "boolean" || family === "json" || family === "array" ? family : "text";
  } catch (error) {
    // A type nobody knows.
    if (error instanceof PlannerError) return "text";
    throw error;
  }
}
