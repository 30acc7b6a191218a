/**
 * Tables, constraints, schemas and version of BigQuery (docs/spec/contract.md#metadata-of-bigquery). Each dataset has an
 * information schema of its own, which is read by billed jobs; the list of datasets comes from the API, and is free.
 * https://cloud.google.com/bigquery/docs/information-schema-intro
 */
import { array, object, textOf } from "../bigquery/answers.ts";
import { type BigQueryConnection, isDataset, isProject } from "../connection/bigquery.ts";
import type { CallOptions, Connector } from "../connector.ts";
import { ConnectorFailure } from "../failure.ts";
import { type EachRow, eachRowOf, text, textOrNull } from "./each-row.ts";
import { catalogMatcher } from "./filter.ts";
import type {
  CatalogAnswers,
  CatalogFilter,
  CatalogRequest,
  ColumnRecord,
  ConstraintRecord,
  SchemaRecord,
  TableRecord,
} from "./types.ts";

export interface BigQueryCatalog extends Pick<Connector, "query"> {
  readonly connection: BigQueryConnection;
  /** GET of a path below the API version. */
  readonly list: (path: string, parameters: Readonly<Record<string, string>>) => Promise<object>;
}

export async function readBigQueryCatalog<K extends CatalogRequest["kind"]>(
  source: BigQueryCatalog,
  request: Extract<CatalogRequest, { kind: K }>,
  options: CallOptions,
): Promise<CatalogAnswers[K]> {
  return (await read(source, request, options)) as CatalogAnswers[K];
}

async function read(source: BigQueryCatalog, request: CatalogRequest, options: CallOptions): Promise<unknown> {
  switch (request.kind) {
    case "tables":
      return readTables(source, request, options);
    case "constraints":
      return readForeignKeys(source, request, options);
    case "schemas":
      return readSchemas(source, request);
    case "version":
      // Google reports no version (docs/spec/contract.md#metadata-of-each-source).
      return "Follow BigQuery release version";
    default:
      return request satisfies never;
  }
}

type Listing = Omit<Exclude<CatalogRequest, { kind: "version" }>, "kind">;

interface Dataset {
  readonly project: string;
  readonly dataset: string;
}

/** Google's public datasets, which anybody may read. */
const PUBLIC_PROJECT = "bigquery-public-data";

function invalid(message: string): ConnectorFailure {
  return new ConnectorFailure("INVALID_CONNECTION", message);
}

/** The datasets to list. Their names become part of statements, so they must be valid names. */
function datasetsOf({ project, dataset }: BigQueryConnection, { projects }: CatalogFilter): readonly Dataset[] {
  if (dataset !== undefined) return [{ project, dataset }];
  if (projects === undefined || projects.length === 0) {
    throw invalid("At least one project and dataset must be specified");
  }
  const datasets = projects.flatMap(({ projectId, datasetIds }) => {
    if (projectId === "") throw invalid("project id should not be empty");
    if (datasetIds.length === 0) throw invalid("dataset ids should not be empty");
    if (datasetIds.includes("")) throw invalid("dataset id should not be empty");
    if (!isProject(projectId)) throw invalid("filterInfo.projects: projectId does not name a project");
    if (!datasetIds.every(isDataset)) throw invalid("filterInfo.projects: datasetIds do not all name a dataset");
    return datasetIds.map((one) => ({ project: projectId, dataset: one }));
  });
  return [...new Map(datasets.map((one) => [`${one.project}.${one.dataset}`, one])).values()];
}

/** The shortest form of names that is unique. */
function partsFor(datasets: readonly Dataset[], { dataset }: BigQueryConnection): "table" | "schema" | "catalog" {
  if (dataset !== undefined || datasets.length === 1) return "table";
  return new Set(datasets.map(({ project }) => project)).size === 1 ? "schema" : "catalog";
}

function named(parts: ReturnType<typeof partsFor>, { project, dataset }: Dataset, table: string): readonly string[] {
  return parts === "table" ? [table] : parts === "schema" ? [dataset, table] : [project, dataset, table];
}

/**
 * Returns the rows of each dataset in turn. In a connection to many datasets, missing and unreadable ones are skipped (
 * docs/spec/contract.md#metadata-of-bigquery), unless they are only in another region.
 */
async function eachDataset(
  source: BigQueryCatalog,
  datasets: readonly Dataset[],
  sql: (view: string) => string,
  options: CallOptions,
  take: (dataset: Dataset) => Parameters<EachRow>[1],
): Promise<void> {
  const each = eachRowOf(source, options);
  for (const dataset of datasets) {
    try {
      await each(sql(`\`${dataset.project}\`.\`${dataset.dataset}\`.INFORMATION_SCHEMA`), take(dataset));
    } catch (error) {
      const isHidden =
        error instanceof ConnectorFailure && (error.engineCode === "notFound" || error.engineCode === "accessDenied");
      if (!isHidden || source.connection.dataset !== undefined || error.reason === "AUTHENTICATION") throw error;
      await assertNotElsewhere(source, dataset);
    }
  }
}

/** Statements read tables of one region. */
async function assertNotElsewhere({ connection, list }: BigQueryCatalog, { project, dataset }: Dataset): Promise<void> {
  const { location: region = "" } = connection;
  const path = `projects/${encodeURIComponent(project)}/datasets/${encodeURIComponent(dataset)}`;
  const told = await list(path, { datasetView: "METADATA" }).catch((error: unknown) => {
    if (error instanceof ConnectorFailure && error.engineCode !== undefined && error.reason !== "AUTHENTICATION")
      return {};
    throw error;
  });
  const location = textOf(object(told)["location"])?.toLowerCase();
  if (location === undefined || location === region.toLowerCase()) return;
  throw invalid(
    `Dataset ${project}.${dataset} is in region ${location}, which does not match the connection region ${region}.`,
  );
}

/**
 * A row for each column and each nested field. Types without a counterpart are omitted, as the contract requires. They are
 * recognised by their first keyword, because a struct may contain one.
 */
const columnsSql = (view: string): string => `
SELECT c.table_name, c.column_name, c.ordinal_position, c.is_nullable, p.field_path, p.data_type, p.description,
  o.option_value, CASE WHEN t.table_type IN ('BASE TABLE', 'CLONE', 'SNAPSHOT') THEN 'NO' ELSE 'YES' END
FROM ${view}.COLUMNS AS c
JOIN ${view}.COLUMN_FIELD_PATHS AS p ON p.table_name = c.table_name AND p.column_name = c.column_name
JOIN ${view}.TABLES AS t ON t.table_name = c.table_name
LEFT JOIN ${view}.TABLE_OPTIONS AS o ON o.table_name = c.table_name AND o.option_name = 'description'
WHERE c.data_type <> 'GEOGRAPHY' AND NOT STARTS_WITH(c.data_type, 'RANGE<')
ORDER BY c.table_name, p.field_path`;

async function readTables(
  source: BigQueryCatalog,
  { filter, limit }: Listing,
  options: CallOptions,
): Promise<TableRecord[]> {
  const datasets = datasetsOf(source.connection, filter);
  const parts = partsFor(datasets, source.connection);
  const matches = catalogMatcher(filter);
  const tables = new Map<string, TableRecord & { readonly columns: ColumnRecord[] }>();
  let isEmpty = true;
  await eachDataset(source, datasets, columnsSql, options, (dataset) => (row) => {
    isEmpty = false;
    const [name, column, position, isNullable, path, type, description, comment, mayFail] = row;
    const names = { catalog: dataset.project, schema: dataset.dataset, table: text(name) };
    const key = JSON.stringify(names);
    let table = tables.get(key);
    if (table === undefined) {
      if (!matches(names) || tables.size === limit) return;
      table = {
        name: named(parts, dataset, names.table).join("."),
        columns: [],
        description: textOrNull(comment) === null ? null : unquoted(text(comment)),
        properties: { schema: names.schema, catalog: names.catalog, table: names.table, path: null },
        primaryKey: "",
        ...(mayFail === "YES" && { readMayFail: true }),
      };
      tables.set(key, table);
    }
    const isWhole = path === column;
    const record = {
      name: text(path),
      type: text(type),
      notNull: isWhole && isNullable === "NO",
      description: textOrNull(description),
      properties: { column_order: Number(position) },
    };
    if (isWhole) table.columns.push({ ...record, nestedColumns: text(type).includes("STRUCT") ? [] : null });
    else (table.columns.at(-1)?.nestedColumns as ColumnRecord[] | null)?.push({ ...record, nestedColumns: null });
  });
  if (isEmpty) {
    throw new ConnectorFailure(
      "NO_TABLES",
      "No tables found in the specified dataset. Please check your permissions and name of dataset and project.",
    );
  }
  return [...tables.values()];
}

/** Options are returned as SQL literals: `"it''s \\"so\\""`. */
export function unquoted(literal: string): string {
  const [, inside] = /^"([\s\S]*)"$/.exec(literal) ?? [];
  if (inside === undefined) return literal;
  return inside.replaceAll(ESCAPE, (_, ...found) => {
    const [byte, unit, point, octal, character = ""] = found as readonly (string | undefined)[];
    const hexadecimal = byte ?? unit ?? point;
    if (hexadecimal !== undefined) return String.fromCodePoint(Math.min(Number.parseInt(hexadecimal, 16), 0x10ffff));
    if (octal !== undefined) return String.fromCodePoint(Number.parseInt(octal, 8));
    return ESCAPES[character] ?? character;
  });
}

/** https://cloud.google.com/bigquery/docs/reference/standard-sql/lexical#escape_sequences */
const ESCAPE = /\\(?:[xX]([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-3][0-7]{2})|([\s\S]))/g;
const ESCAPES: Readonly<Record<string, string>> = { a: "\x07", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" };

/**
 * A row for each pair of columns. A foreign key refers to the primary key of a table in the same dataset, and gives the columns
 * by their position in that key (https://cloud.google.com/bigquery/docs/primary-foreign-keys).
 */
const foreignKeysSql = (view: string): string => `
SELECT k.table_name, k.column_name, u.table_name, p.column_name
FROM ${view}.TABLE_CONSTRAINTS AS c
JOIN ${view}.KEY_COLUMN_USAGE AS k ON k.constraint_name = c.constraint_name AND k.table_name = c.table_name
JOIN (SELECT DISTINCT constraint_name, table_name FROM ${view}.CONSTRAINT_COLUMN_USAGE) AS u
  ON u.constraint_name = c.constraint_name
JOIN ${view}.TABLE_CONSTRAINTS AS q ON q.table_name = u.table_name AND q.constraint_type = 'PRIMARY KEY'
JOIN ${view}.KEY_COLUMN_USAGE AS p ON p.constraint_name = q.constraint_name AND p.table_name = q.table_name
  AND p.ordinal_position = k.position_in_unique_constraint
WHERE c.constraint_type = 'FOREIGN KEY'
ORDER BY k.table_name, c.constraint_name, k.ordinal_position`;

/** `limit` counts the tables that have the keys. */
async function readForeignKeys(
  source: BigQueryCatalog,
  { filter, limit }: Listing,
  options: CallOptions,
): Promise<ConstraintRecord[]> {
  const datasets = datasetsOf(source.connection, filter);
  const parts = partsFor(datasets, source.connection);
  const matches = catalogMatcher(filter);
  const tables = new Set<string>();
  const records: ConstraintRecord[] = [];
  await eachDataset(source, datasets, foreignKeysSql, options, (dataset) => (row) => {
    const [table = "", column = "", parent = "", parentColumn = ""] = row.map(text);
    if (!matches({ catalog: dataset.project, schema: dataset.dataset, table })) return;
    const child = named(parts, dataset, table);
    if (tables.size === limit && !tables.has(child.join("."))) return;
    tables.add(child.join("."));
    const other = named(parts, dataset, parent);
    records.push({
      constraintName: [...child, column, ...other, parentColumn].join("_"),
      constraintType: "FOREIGN KEY",
      constraintTable: child.join("."),
      constraintColumn: column,
      constraintedTable: other.join("."),
      constraintedColumn: parentColumn,
    });
  });
  return records;
}

/** `limit` counts the datasets of all projects. Datasets in different regions need separate queries. */
async function readSchemas(
  source: BigQueryCatalog,
  { filter, limit = Number.POSITIVE_INFINITY }: Listing,
): Promise<SchemaRecord[]> {
  const { project, dataset, location = "" } = source.connection;
  const matches = catalogMatcher({ ...filter, table: "*" });
  if (dataset !== undefined) {
    return limit > 0 && matches({ catalog: project, schema: dataset }) ? [{ name: project, schemas: [dataset] }] : [];
  }
  const listed = (filter.projects ?? []).map(({ projectId }) => projectId).filter(isProject);
  const catalogs: SchemaRecord[] = [];
  let left = limit;
  for (const name of new Set([project, ...listed, PUBLIC_PROJECT])) {
    const schemas: string[] = [];
    await eachListed(source, name, (one) => {
      const { datasetId } = object(one["datasetReference"]);
      const isHere = textOf(one["location"])?.toLowerCase() === location.toLowerCase();
      const schema = textOf(datasetId);
      if (schema !== undefined && isHere && matches({ catalog: name, schema })) schemas.push(schema);
      return schemas.length < left;
    });
    left -= schemas.length;
    if (schemas.length > 0) catalogs.push({ name, schemas });
    if (left <= 0) break;
  }
  return catalogs;
}

/** Lists datasets until `take` needs no more. */
async function eachListed(
  { connection, list }: BigQueryCatalog,
  project: string,
  take: (dataset: Readonly<Record<string, unknown>>) => boolean,
): Promise<void> {
  for (let page: string | undefined, isFirst = true; isFirst || page !== undefined; isFirst = false) {
    const parameters = { maxResults: "1000", ...(page !== undefined && { pageToken: page }) };
    const told = await list(`projects/${encodeURIComponent(project)}/datasets`, parameters).catch((error: unknown) => {
      const isOther = project !== connection.project && error instanceof ConnectorFailure;
      if (isOther && (error.engineCode === "notFound" || error.engineCode === "accessDenied")) return {};
      throw error;
    });
    const { datasets, nextPageToken } = object(told);
    if (!array(datasets).every((one) => take(object(one)))) return;
    const next = textOf(nextPageToken);
    if (next !== undefined && next === page) {
      throw new ConnectorFailure("UPSTREAM_PROTOCOL", "BigQuery gives the same page of datasets again and again.");
    }
    page = next;
  }
}
