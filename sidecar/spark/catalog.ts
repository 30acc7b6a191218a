/**
 * Tables, columns, schemas and version (docs/spec/contract.md#metadata-of-each-source), from Spark's listings: no caller's text is
 * part of any SQL. Visits every open catalogue of the server; tables and catalogues that it cannot read are omitted, and concurrent
 * changes hide nothing else. Spark has no keys.
 */
import { text, textOrNull } from "../../src/connectors/catalog/each-row.ts";
import { type CatalogNames, catalogMatcher } from "../../src/connectors/catalog/filter.ts";
import type {
  CatalogAnswers,
  CatalogFilter,
  CatalogRequest,
  ColumnRecord,
  SchemaRecord,
  TableRecord,
} from "../../src/connectors/catalog/types.ts";
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import type { Value } from "../../src/result/types.ts";
import type { SparkSession } from "./session.ts";
import { sparkTypeName } from "./type-names.ts";

interface ListedTable {
  readonly names: Required<CatalogNames>;
  readonly description: string | null;
  readonly readMayFail: boolean;
}

type Listed = Readonly<Record<string, Value>>;

/** Not the source's own data. */
const SKIPPED: ReadonlySet<string> = new Set(["information_schema", "sys"]);
/** Looked into at once, of one catalogue. */
const AT_ONCE = 4;
/** Attempts to list a schema whose tables are dropped meanwhile. */
const LISTINGS = 5;
/** The error of a table dropped between listing and description. */
const GONE = "TABLE_OR_VIEW_NOT_FOUND";

export async function readSparkCatalog<K extends CatalogRequest["kind"]>(
  session: SparkSession,
  request: Extract<CatalogRequest, { kind: K }>,
): Promise<CatalogAnswers[K]> {
  return (await read(session, request)) as CatalogAnswers[K];
}

async function read(session: SparkSession, request: CatalogRequest): Promise<unknown> {
  switch (request.kind) {
    case "tables":
      return readTables(session, request.filter, request.limit);
    case "constraints":
      return [];
    case "schemas":
      return (await readSchemas(session, { ...request.filter, table: "*" })).slice(0, request.limit);
    case "version": {
      const [row] = await session.list({ sql: { query: "SELECT version() AS version" } });
      return text(row?.["version"]);
    }
    default:
      return request satisfies never;
  }
}

/** By name; catalogues without a schema that matches are left out. */
async function readSchemas(session: SparkSession, filter: CatalogFilter): Promise<readonly SchemaRecord[]> {
  const matches = catalogMatcher({ ...filter, table: "*" });
  const records: SchemaRecord[] = [];
  for (const catalog of namesOf(await session.list({ catalog: { listCatalogs: {} } }))) {
    if (!catalogMatcher({ ...filter, schema: "*", table: "*" })({ catalog })) continue;
    const listed = await unlessRefused(async () => {
      await session.list({ catalog: { setCurrentCatalog: { catalogName: catalog } } });
      // Not `listDatabases`: it describes each, and fails as a whole if one of them went meanwhile.
      return session.list({ sql: { query: "SHOW SCHEMAS" } });
    });
    const schemas = (listed ?? [])
      .map((row) => unquoted(text(row["namespace"])))
      .filter((schema) => !SKIPPED.has(schema) && matches({ catalog, schema }))
      .sort(compare);
    if (schemas.length > 0) records.push({ name: catalog, schemas });
  }
  return records;
}

async function readTables(
  session: SparkSession,
  filter: CatalogFilter,
  limit: number | undefined,
): Promise<readonly TableRecord[]> {
  const matches = catalogMatcher(filter);
  const tables: ListedTable[] = [];
  for (const { name: catalog, schemas } of await readSchemas(session, filter)) {
    for (const schema of schemas) {
      const listed = await unlessRefused(() => listTables(session, quoted(catalog, schema)));
      const found = (listed ?? [])
        // Views of a session belong to no schema.
        .filter(({ isTemporary }) => isTemporary !== true)
        .map((row) => ({
          names: { catalog, schema, table: text(row["name"]) },
          description: textOrNull(row["description"]),
          // Views and files that Spark does not own; the listing does not say in which format a managed table is.
          readMayFail: row["tableType"] !== "MANAGED",
        }))
        .filter(({ names }) => matches(names));
      tables.push(...found.sort((a, b) => compare(a.names.table, b.names.table)));
      if (limit !== undefined && tables.length >= limit) break;
    }
    if (limit !== undefined && tables.length >= limit) break;
  }
  const records: (TableRecord | undefined)[] = [];
  const wanted = tables.slice(0, limit);
  for (let start = 0; start < wanted.length; start += AT_ONCE) {
    const some = wanted.slice(start, start + AT_ONCE);
    records.push(...(await Promise.all(some.map((table) => readTable(session, table)))));
  }
  return records.filter((record) => record !== undefined);
}

/**
 * Spark describes each table that it lists, and fails as a whole if one was dropped meanwhile: then the listing is
 * repeated.
 */
async function listTables(session: SparkSession, dbName: string): Promise<readonly Listed[]> {
  for (let left = LISTINGS; ; left--) {
    try {
      return await session.list({ catalog: { listTables: { dbName } } });
    } catch (error) {
      if (left === 1 || !(error instanceof ConnectorFailure) || error.engineCode !== GONE) throw error;
    }
  }
}

async function readTable(
  session: SparkSession,
  { names: { catalog, schema, table }, description, readMayFail }: ListedTable,
): Promise<TableRecord | undefined> {
  const parts = [catalog, schema, table].map(text);
  const tableName = quoted(...parts);
  const listed = await unlessRefused(() => session.list({ catalog: { listColumns: { tableName } } }));
  if (listed === undefined) return undefined;
  return {
    name: parts.join("."),
    description,
    properties: { catalog: text(catalog), schema: text(schema), table: text(table), path: null },
    columns: listed.map(
      (column): ColumnRecord => ({
        name: text(column["name"]),
        type: sparkTypeName(text(column["dataType"])),
        notNull: false,
        description: textOrNull(column["description"]),
        properties: null,
        nestedColumns: null,
      }),
    ),
    primaryKey: "",
    ...(readMayFail && { readMayFail: true }),
  };
}

/** Undefined if the server rejects the call: a catalogue whose service is down, a table whose files are gone. */
async function unlessRefused<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    const isRefused = error instanceof ConnectorFailure && /^SOURCE_(?:INVALID_SQL|ERROR)$/.test(error.reason);
    if (isRefused) return undefined;
    throw error;
  }
}

function namesOf(rows: readonly Listed[]): readonly string[] {
  return rows.map((row) => text(row["name"])).sort(compare);
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Parts of a name; Spark reads listings' names as it reads those of SQL. */
function quoted(...parts: readonly string[]): string {
  return parts.map((part) => `\`${part.replaceAll("`", "``")}\``).join(".");
}

/** A name as `SHOW SCHEMAS` writes it: in back-ticks unless it is a plain word. */
function unquoted(name: string): string {
  return name.startsWith("`") ? name.slice(1, -1).replaceAll("``", "`") : name;
}
