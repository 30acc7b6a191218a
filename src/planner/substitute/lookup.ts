/** Physical table → model, by the tableReference of the models (docs/spec/contract.md#model-substitution). */

import { PlannerError } from "../diagnostics.ts";
import type { Manifest } from "../manifest/manifest.ts";
import { nearestNames } from "../suggest.ts";
import { MOST_PARTS } from "./names.ts";
import type { TableReading } from "./table-reading.ts";
import type { Token } from "./tokens.ts";

/** The caller's defaults for names without catalog or schema. */
export interface NameDefaults {
  readonly catalog: string | undefined;
  readonly schema: string | undefined;
}

interface Reference {
  readonly catalog: string | undefined;
  readonly schema: string | undefined;
  readonly table: string;
}

/** Models by the path of their table. A path without a catalog is another one than the same path with it. */
export class TableIndex {
  readonly #defaults: NameDefaults;
  readonly #exact = new Map<string, string[]>();
  readonly #folded = new Map<string, string[]>();
  /** Whole paths by the table's own name, for suggestions. */
  readonly #paths = new Map<string, string[]>();

  constructor(manifest: Manifest, defaults: NameDefaults) {
    this.#defaults = defaults;
    for (const { dataIfValid: model } of manifest.data.models) {
      if (model?.tableReference === undefined) continue;
      const { catalog, schema, table } = model.tableReference;
      const key = keyOf({ catalog, schema, table });
      append(this.#exact, key, model.name);
      append(this.#folded, key.toLowerCase(), model.name);
      append(this.#paths, table, [catalog, schema, table].filter((part) => part !== undefined).join("."));
    }
  }

  /**
   * The name of the one model over the table: the one that is written alike, else the only one that is without case.
   * @throws PlannerError MODEL_NOT_FOUND, AMBIGUOUS_MODEL; `token` is the first of the table
   */
  find(table: TableReading, token: Token): string {
    const reference = this.#referenceOf(table);
    const key = reference === undefined ? undefined : keyOf(reference);
    const models = key === undefined ? [] : (this.#exact.get(key) ?? this.#folded.get(key.toLowerCase()) ?? []);
    const [model, ...others] = models;
    const span = { start: token.start, end: token.end };
    if (model === undefined) {
      throw new PlannerError("MODEL_NOT_FOUND", `Model not found: ${shown(table)}`, {
        span,
        suggestions: this.#near(table.path.at(-1)?.name ?? ""),
        hint: "The parts of the name, with x-user-catalog and x-user-schema for those that are left out, must be those of a tableReference.",
      });
    }
    if (others.length > 0) {
      const names = models.map((name) => `"${name}"`).join(", ");
      throw new PlannerError("AMBIGUOUS_MODEL", `Ambiguous model: found multiple matches for ${shown(table)}`, {
        span,
        hint: `It is the table of the models ${names}.`,
      });
    }
    return model;
  }

  #near(table: string): readonly string[] {
    const names = nearestNames(table, this.#paths.keys());
    return names.flatMap((name) => this.#paths.get(name) ?? []).slice(0, 3);
  }

  /** `undefined` for a path that no tableReference can have. The catalog's default is one for tables of a known schema. */
  #referenceOf({ path, file }: TableReading): Reference | undefined {
    if (path.length > MOST_PARTS) return undefined;
    const [table, schemaPart, catalogPart] = path.map(({ name }) => (name === "" ? undefined : name)).reverse();
    if (table === undefined) return undefined;
    if (file) return { catalog: undefined, schema: undefined, table };
    const schema = schemaPart ?? this.#defaults.schema;
    return { table, schema, catalog: catalogPart ?? (schema === undefined ? undefined : this.#defaults.catalog) };
  }
}

/** The excerpt of the name that a message quotes. */
function shown({ written }: TableReading): string {
  return written.length <= 200 ? written : `${written.slice(0, 199)}…`.toWellFormed();
}

function keyOf({ catalog, schema, table }: Reference): string {
  return JSON.stringify([catalog ?? null, schema ?? null, table]);
}

function append(index: Map<string, string[]>, key: string, name: string): void {
  const known = index.get(key);
  if (known === undefined) index.set(key, [name]);
  else known.push(name);
}
