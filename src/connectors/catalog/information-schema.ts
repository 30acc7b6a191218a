/**
 * Catalogues from information schemas: one row per table, column, key column and schema. The queries of a source are constants,
 * and the caller's filter is applied to their rows, so that no SQL contains text of a caller.
 */
import type { Row } from "../../result/types.ts";
import { type EachRow, text, textOrNull } from "./each-row.ts";
import { catalogMatcher } from "./filter.ts";
import type {
  CatalogAnswers,
  CatalogRequest,
  ColumnRecord,
  ConstraintRecord,
  SchemaRecord,
  TableRecord,
} from "./types.ts";

/** For each query: its columns, and the order of its rows and of the records. */
export interface InformationSchema {
  /** For a source without catalogs, whose queries return `''` instead. */
  readonly catalogs?: "none";
  /** Catalog, schema, table, comment, and `YES` if reading the table may fail (`TableRecord.readMayFail`); ordered by name. */
  readonly tables: string;
  /**
   * Catalog, schema, table, column, native type, `YES` or `NO` (nullable), comment, and `YES` if the column is computed when it is
   * read; ordered by position in the table.
   */
  readonly columns: string;
  /** Catalog, schema, table, column; in key order. Absent if the source has no keys. */
  readonly primaryKeys?: string;
  /** Catalog, schema, table, column, referenced schema, table and column; a row for each pair of a composite key. */
  readonly foreignKeys?: string;
  /** Catalog, schema; ordered by name. */
  readonly schemas: string;
  /** Returns one value. */
  readonly version: string;
  /** The service's name of a native type (docs/spec/contract.md#type-names-of-metadata). */
  readonly typeName: (native: string) => string;
  /** The name of a table for clients (docs/spec/contract.md#metadata-of-each-source): unique among the listed ones. */
  readonly nameOf: (table: TableNames) => string;
}

export interface TableNames {
  readonly catalog: string;
  readonly schema: string;
  readonly table: string;
}

export async function readInformationSchema<K extends CatalogRequest["kind"]>(
  each: EachRow,
  source: InformationSchema,
  request: Extract<CatalogRequest, { kind: K }>,
): Promise<CatalogAnswers[K]> {
  return (await read(each, source, request)) as CatalogAnswers[K];
}

async function read(each: EachRow, source: InformationSchema, request: CatalogRequest): Promise<unknown> {
  switch (request.kind) {
    case "tables":
      return readTables(each, source, request);
    case "constraints":
      return readForeignKeys(each, source, request);
    case "schemas":
      return readSchemas(each, source, request);
    case "version": {
      let version = "";
      await each(source.version, ([value]) => {
        version = text(value);
      });
      return version;
    }
    default:
      return request satisfies never;
  }
}

type Listing = Omit<Exclude<CatalogRequest, { kind: "version" }>, "kind">;

interface TableParts {
  readonly record: Omit<TableRecord, "columns" | "primaryKey">;
  readonly columns: ColumnRecord[];
  readonly key: string[];
  mayFail: boolean;
}

async function readTables(each: EachRow, source: InformationSchema, { filter, limit }: Listing) {
  const matches = catalogMatcher(filter);
  const tables = new Map<string, TableParts>();
  await each(source.tables, (row) => {
    const names = namesOf(row);
    if (!matches(names) || tables.size === limit) return;
    const { catalog, schema, table } = names;
    const properties = { schema, catalog: source.catalogs === "none" ? null : catalog, table, path: null };
    const record = { name: source.nameOf(names), description: textOrNull(row[3]), properties };
    tables.set(keyOf(names), { record, columns: [], key: [], mayFail: row[4] === "YES" });
  });
  await each(source.columns, (row) => {
    const [, , , name, type, isNullable, comment, isComputed] = row;
    const table = tables.get(keyOf(namesOf(row)));
    if (table === undefined) return;
    if (isComputed === "YES") table.mayFail = true;
    table.columns.push({
      name: text(name),
      type: source.typeName(text(type)),
      notNull: isNullable === "NO",
      description: textOrNull(comment),
      properties: null,
      nestedColumns: null,
    });
  });
  if (source.primaryKeys !== undefined) {
    await each(source.primaryKeys, (row) => tables.get(keyOf(namesOf(row)))?.key.push(text(row[3])));
  }
  return [...tables.values()].map(
    ({ record, columns, key, mayFail }): TableRecord => ({
      ...record,
      columns,
      primaryKey: key.join(","),
      ...(mayFail && { readMayFail: true }),
    }),
  );
}

/** `limit` counts the tables that have the keys. */
async function readForeignKeys(
  each: EachRow,
  source: InformationSchema,
  { filter, limit }: Listing,
): Promise<ConstraintRecord[]> {
  const matches = catalogMatcher(filter);
  const tables = new Set<string>();
  const records: ConstraintRecord[] = [];
  if (source.foreignKeys === undefined) return records;
  await each(source.foreignKeys, (row) => {
    const child = namesOf(row);
    const [column = "", parentSchema = "", parentTable = "", parentColumn = ""] = row.slice(3).map(text);
    if (!matches(child)) return;
    const key = keyOf(child);
    if (tables.size === limit && !tables.has(key)) return;
    tables.add(key);
    records.push({
      constraintName: `${child.table}_${column}_${parentTable}_${parentColumn}`,
      constraintType: "FOREIGN KEY",
      constraintTable: source.nameOf(child),
      constraintColumn: column,
      constraintedTable: source.nameOf({ catalog: child.catalog, schema: parentSchema, table: parentTable }),
      constraintedColumn: parentColumn,
    });
  });
  return records;
}

/** `limit` counts the catalogs, which are the records. */
async function readSchemas(
  each: EachRow,
  source: InformationSchema,
  { filter, limit }: Listing,
): Promise<SchemaRecord[]> {
  const matches = catalogMatcher({ ...filter, table: "*" });
  const catalogs = new Map<string, string[]>();
  await each(source.schemas, (row) => {
    const { catalog, schema } = namesOf(row);
    if (!matches({ catalog, schema })) return;
    const known = catalogs.get(catalog);
    if (known === undefined) catalogs.set(catalog, [schema]);
    else known.push(schema);
  });
  return [...catalogs].slice(0, limit).map(([name, schemas]) => ({ name, schemas }));
}

function namesOf([catalog, schema, table]: Row): TableNames {
  return { catalog: text(catalog), schema: text(schema), table: text(table) };
}

function keyOf({ catalog, schema, table }: TableNames): string {
  return JSON.stringify([catalog, schema, table]);
}
