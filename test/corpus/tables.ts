/** How a schema of the corpus is written down: tables with PostgreSQL's types, keys, and rows made from a seed. */

/** A value as text, number or boolean; lists are arrays of the column's type. Temporal values and JSON are text. */
export type Cell = null | boolean | number | string | readonly (string | number | null)[];

export interface ForeignKey {
  readonly columns: readonly string[];
  readonly table: string;
  readonly keys: readonly string[];
}

export interface CorpusTable {
  readonly name: string;
  /** Name → PostgreSQL's type, followed by ` NOT NULL` where it is. */
  readonly columns: Readonly<Record<string, string>>;
  /** Empty for tables without one (logs, imports with whole-row duplicates). */
  readonly primaryKey: readonly string[];
  readonly foreignKeys: readonly ForeignKey[];
  /** Values in the order of the columns. */
  readonly rows: readonly (readonly Cell[])[];
}

export interface CorpusSchema {
  readonly name: string;
  readonly tables: readonly CorpusTable[];
}

interface TableSettings {
  readonly key?: string | readonly string[];
  /** `"customer_id → customers.id"`, several columns separated by commas. */
  readonly references?: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

export function table(name: string, columns: Readonly<Record<string, string>>, settings: TableSettings): CorpusTable {
  const { key = [], references = [], rows } = settings;
  const width = Object.keys(columns).length;
  const uneven = rows.findIndex((row) => row.length !== width);
  if (uneven >= 0)
    throw new Error(`${name}: row ${uneven + 1} has ${rows[uneven]?.length} values for ${width} columns`);
  return {
    name,
    columns,
    primaryKey: typeof key === "string" ? [key] : key,
    foreignKeys: references.map(readReference),
    rows,
  };
}

function readReference(text: string): ForeignKey {
  const [, columns, parent, keys] = /^([\w, ]+) → (\w+)\.([\w, ]+)$/.exec(text) ?? [];
  if (columns === undefined || parent === undefined || keys === undefined) throw new Error(`not a reference: ${text}`);
  return { columns: columns.split(/, */), table: parent, keys: keys.split(/, */) };
}

/** The type alone, and whether NULL is allowed. */
export function columnType(declared: string): { readonly type: string; readonly notNull: boolean } {
  const type = declared.replace(/ NOT NULL$/, "");
  return { type, notNull: type !== declared };
}
