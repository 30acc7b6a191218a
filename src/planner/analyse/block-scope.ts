/** The meaning of names in one SELECT, as far as an analysis reports it: which model's column a name reads. */
import { PlannerError } from "../diagnostics.ts";
import type { Manifest } from "../manifest/manifest.ts";
import type { Model, ModelColumn } from "../manifest/model.ts";
import { findColumn, resolvePath } from "../manifest/paths.ts";
import type { Identifier, NamedTable, TableAlias } from "../syntax/tree.ts";

/** One item of FROM. */
export interface BlockRelation {
  /** Its alias, or its own name. */
  readonly name: string;
  /** Longer spellings that also qualify, catalog first; tables without an alias have them. */
  readonly path: readonly string[];
  /** Absent for common tables, derived tables and functions, which are not models. */
  readonly model: Model | undefined;
  /** New names of the first columns: `AS t(a, b)`. */
  readonly renamed: readonly string[];
}

export interface SourceColumn {
  readonly model: Model;
  readonly column: ModelColumn;
}

type Found = SourceColumn | "several" | undefined;

export class BlockScope {
  readonly #relations: BlockRelation[] = [];
  readonly #outer: BlockScope | undefined;
  /** Lower-case names that USING or NATURAL merged: they are not ambiguous. */
  readonly #merged = new Set<string>();
  /** Bare names looked up so far: large statements repeat the same columns. */
  readonly #known = new Map<string, Found>();

  /** `outer`: the further relations that a LATERAL query sees. */
  constructor(outer: BlockScope | undefined) {
    this.#outer = outer;
  }

  get relations(): readonly BlockRelation[] {
    return this.#relations;
  }

  add(relation: BlockRelation): void {
    this.#relations.push(relation);
    this.#known.clear();
  }

  /** `(a JOIN b ON …) AS j`: everything from the index `from` on is now called `j`, and nothing else. */
  nameAll(from: number, name: string): void {
    const renamed = this.#relations.splice(from).map((relation) => ({ ...relation, name, path: [] }));
    this.#relations.push(...renamed);
    this.#known.clear();
  }

  merge(name: string): void {
    this.#merged.add(name.toLowerCase());
    this.#known.clear();
  }

  /** The model column that a reference reads; `undefined` for anything else, and where several fit. */
  resolve(parts: readonly Identifier[]): SourceColumn | undefined {
    const [name, ...others] = parts.toReversed();
    if (name === undefined) return undefined;
    const found = others.length > 0 ? this.#find(name, this.named(others.reverse())) : this.#bare(name);
    if (found === "several") return undefined;
    return found ?? this.#behind(parts) ?? this.#outer?.resolve(parts);
  }

  /** The column behind a path over relationships: `[table.]handle(.handle)*.column`. */
  #behind(parts: readonly Identifier[]): SourceColumn | undefined {
    for (let qualifier = 0; qualifier < parts.length - 1; qualifier++) {
      const relations = qualifier === 0 ? this.#relations : this.named(parts.slice(0, qualifier));
      const [found, ...others] = relations.flatMap(({ model }) => follow(model, parts.slice(qualifier)) ?? []);
      if (found !== undefined) return others.length === 0 ? found : undefined;
    }
    return undefined;
  }

  #bare(name: Identifier): Found {
    const key = `${name.quoted ? "quoted" : "bare"} ${name.name}`;
    if (!this.#known.has(key)) this.#known.set(key, this.#find(name, this.#relations));
    return this.#known.get(key);
  }

  /** First with the written case, then without case. */
  #find(name: Identifier, relations: readonly BlockRelation[]): Found {
    const merged = this.#merged.has(name.name.toLowerCase());
    for (const exact of name.quoted ? [true] : [true, false]) {
      let found: SourceColumn | undefined;
      for (const relation of relations) {
        const column = columnOf(relation, name.name, exact);
        if (column === undefined) continue;
        if (found !== undefined) return "several";
        if (merged) return column;
        found = column;
      }
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Columns of that name in every relation: what USING compares. */
  all(name: Identifier): readonly SourceColumn[] {
    return this.#relations.flatMap(
      (relation) => columnOf(relation, name.name, true) ?? columnOf(relation, name.name, name.quoted) ?? [],
    );
  }

  /** The relations that a qualifier names. */
  named(qualifier: readonly Identifier[]): readonly BlockRelation[] {
    return this.#relations.filter(({ name, path }) => {
      const own = path.length === 0 ? [name] : path;
      if (qualifier.length > own.length) return false;
      return qualifier.every((part, index) => {
        const spelled = own[own.length - qualifier.length + index] ?? "";
        return spelled === part.name || (!part.quoted && spelled.toLowerCase() === part.name.toLowerCase());
      });
    });
  }
}

function columnOf(relation: BlockRelation, name: string, exact: boolean): SourceColumn | undefined {
  const { model, renamed } = relation;
  if (model === undefined) return undefined;
  const position = renamed.findIndex((each) => sameName(each, name, exact));
  if (position >= 0) {
    const column = visibleColumns(model)[position];
    return column === undefined ? undefined : { model, column };
  }
  const names = exact ? [name] : model.columnsLike(name);
  const columns = names.flatMap((each) => visibleColumn(model, each) ?? []);
  const [column, ...others] = columns;
  if (column === undefined || others.length > 0) return undefined;
  if (renamed.length > 0 && visibleColumns(model).indexOf(column) < renamed.length) return undefined;
  return { model, column };
}

function follow(model: Model | undefined, parts: readonly Identifier[]): SourceColumn | undefined {
  const [handle] = parts;
  if (model === undefined || handle === undefined || findVisible(model, handle)?.kind !== "handle") return undefined;
  try {
    return resolvePath(model, parts, { span: handle.span, aggregated: false }, findVisible);
  } catch (error) {
    // Planning reports errors in a path.
    if (error instanceof PlannerError) return undefined;
    throw error;
  }
}

function findVisible(model: Model, name: Identifier): ModelColumn | undefined {
  const column = findColumn(model, name);
  return column?.hidden === true ? undefined : column;
}

function sameName(own: string, asked: string, exact: boolean): boolean {
  return own === asked || (!exact && own.toLowerCase() === asked.toLowerCase());
}

/** Hidden columns and relationships do not exist for those who write SQL. */
function visibleColumn(model: Model, name: string): ModelColumn | undefined {
  const column = model.column(name);
  return column === undefined || column.hidden || column.kind === "handle" ? undefined : column;
}

function visibleColumns(model: Model): readonly ModelColumn[] {
  return [...model.columnNames()].flatMap((name) => visibleColumn(model, name) ?? []);
}

/** Columns of `*` over a model: all without the calculated ones (docs/spec/contract.md#analysis-of-sql). */
export function starColumns(model: Model): readonly ModelColumn[] {
  return visibleColumns(model).filter((column) => column.kind !== "calculated");
}

/** Names of the common tables in scope: in lower case unless they are quoted. */
export type CommonNames = ReadonlySet<string>;

export function commonKey({ name, quoted }: Identifier): string {
  return quoted ? name : name.toLowerCase();
}

export function isCommonTable({ name: [name, ...others] }: NamedTable, names: CommonNames): boolean {
  return name !== undefined && others.length === 0 && (names.has(name.name) || names.has(commonKey(name)));
}

/** The model that a table of FROM names; `undefined` for views and for tables that are none. */
export function modelOf(table: NamedTable, manifest: Manifest): Model | undefined {
  const [name, schema, catalog] = table.name.toReversed();
  if (name === undefined) return undefined;
  if (schema !== undefined && !sameName(manifest.schema, schema.name, schema.quoted)) return undefined;
  if (catalog !== undefined && !sameName(manifest.catalog, catalog.name, catalog.quoted)) return undefined;
  const exact = manifest.model(name.name);
  if (exact !== undefined || name.quoted || manifest.view(name.name) !== undefined) return exact;
  const [like, ...others] = manifest.namesLike(name.name);
  return like === undefined || others.length > 0 ? undefined : manifest.model(like);
}

/** A relation for the names of a block. */
export function blockRelation(
  name: string,
  alias: TableAlias | undefined,
  model: Model | undefined,
  path: readonly string[],
): BlockRelation {
  const renamed = alias?.columns.map((column) => column.name) ?? [];
  return { name: alias?.name.name ?? name, path: alias === undefined ? path : [], model, renamed };
}
