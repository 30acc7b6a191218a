/** What names mean in one SELECT, as far as an analysis tells it: which model's column a name reads. */
import type { Manifest, Model, ModelColumn } from "../manifest/manifest.ts";
import type { Identifier, NamedTable, TableAlias } from "../syntax/tree.ts";

/** One item of FROM. */
export interface BlockRelation {
  /** Its alias, or its own name. */
  readonly name: string;
  /** Longer spellings that also qualify, catalog first; tables without an alias have them. */
  readonly path: readonly string[];
  /** Absent for everything whose columns are no model's: common tables, derived tables, functions. */
  readonly model: Model | undefined;
  /** New names of the first columns: `AS t(a, b)`. */
  readonly renamed: readonly string[];
}

export interface SourceColumn {
  readonly model: Model;
  readonly column: ModelColumn;
}

export class BlockScope {
  readonly relations: BlockRelation[] = [];
  readonly #outer: BlockScope | undefined;
  /** Lower-case names that USING or NATURAL merged: they are no ambiguity. */
  readonly #merged = new Set<string>();

  /** `outer`: what a LATERAL query sees besides. */
  constructor(outer: BlockScope | undefined) {
    this.#outer = outer;
  }

  merge(name: string): void {
    this.#merged.add(name.toLowerCase());
  }

  /** The model column that a reference reads; `undefined` for anything else, and where several fit. */
  resolve(parts: readonly Identifier[]): SourceColumn | undefined {
    const name = parts.at(-1);
    if (name === undefined) return undefined;
    const candidates = parts.length === 1 ? this.relations : this.named(parts.slice(0, -1));
    for (const exact of name.quoted ? [true] : [true, false]) {
      const found = candidates.flatMap((relation) => findColumn(relation, name.name, exact) ?? []);
      const [first, ...others] = found;
      if (first === undefined) continue;
      return others.length === 0 || this.#merged.has(name.name.toLowerCase()) ? first : undefined;
    }
    return this.#outer?.resolve(parts);
  }

  /** Columns of that name in every relation: what USING compares. */
  all(name: Identifier): readonly SourceColumn[] {
    return this.relations.flatMap(
      (relation) => findColumn(relation, name.name, true) ?? findColumn(relation, name.name, name.quoted) ?? [],
    );
  }

  /** The relations that a qualifier names. */
  named(qualifier: readonly Identifier[]): readonly BlockRelation[] {
    return this.relations.filter(({ name, path }) => {
      const own = path.length === 0 ? [name] : path;
      if (qualifier.length > own.length) return false;
      return qualifier.every((part, index) => {
        const spelled = own[own.length - qualifier.length + index] ?? "";
        return spelled === part.name || (!part.quoted && spelled.toLowerCase() === part.name.toLowerCase());
      });
    });
  }
}

function findColumn(relation: BlockRelation, name: string, exact: boolean): SourceColumn | undefined {
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

/** What `*` tells of a model: its columns without the calculated ones (contract §10.4). */
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
  if (exact !== undefined || name.quoted || manifest.hasView(name.name)) return exact;
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
