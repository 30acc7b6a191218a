/** The manifest of a data source from its metadata. */
import type { CatalogFilter, TableRecord } from "../../src/connectors/catalog/types.ts";
import type { DataSource } from "../../src/planner/plan.ts";
import { metadata } from "../../src/service/metadata.ts";
import type { Services } from "../../src/service/services.ts";
import type { GivenConnection } from "../source/connection.ts";
import { callContext } from "../source/local-services.ts";
import type { ManifestJson, ModelJson, TableReferenceJson } from "./manifest-json.ts";
import { type NamedModel, relate } from "./relationships.ts";
import { readSourceFacts, type SourceFacts, tableKey } from "./source-facts.ts";
import { columnNames, freeName, identifierOf, modelOfTable } from "./table-model.ts";

export interface SourceModel {
  readonly manifest: ManifestJson;
  /** Parts of the source that the model lacks, a sentence for each. */
  readonly omitted: readonly string[];
}

/** Sources whose tables are found only with their catalog. */
export const WITH_CATALOG: ReadonlySet<DataSource> = new Set([
  ...["trino", "athena", "duckdb", "snowflake", "bigquery", "databricks", "spark", "mssql", "canner"],
] as DataSource[]);

const TIME_MS = 600_000;

const OF_FILES: ReadonlySet<string> = new Set(["local_file", "s3_file", "minio_file", "gcs_file"]);

interface ModelSettings {
  readonly name: string;
  readonly filter: CatalogFilter;
}

/**
 * The model of all that the connection lists. A folder of files is listed once for each format, unless the connection names one.
 * Throws `ServiceError` and `ConnectorFailure`.
 */
export async function modelOfSource(
  services: Services,
  connection: GivenConnection,
  settings: ModelSettings,
): Promise<SourceModel> {
  const { connectionInfo } = connection;
  if (!OF_FILES.has(connection.source) || connectionInfo["format"] !== undefined) {
    return manifestOfSource(services, connection, settings);
  }
  const found = await manifestOfSource(
    services,
    { ...connection, connectionInfo: { ...connectionInfo, format: "csv" } },
    settings,
  );
  const others: SourceModel[] = [];
  for (const format of ["parquet", "json"]) {
    others.push(
      await manifestOfSource(services, { ...connection, connectionInfo: { ...connectionInfo, format } }, settings),
    );
  }
  const all = [found, ...others];
  const taken = new Set<string>();
  const models = all
    .flatMap(({ manifest }) => manifest.models)
    .map((model) => ({ ...model, name: freeName(model.name, taken) }));
  return { manifest: { ...found.manifest, models }, omitted: all.flatMap(({ omitted }) => omitted) };
}

async function manifestOfSource(
  services: Services,
  { source, connectionInfo }: GivenConnection,
  { name, filter }: ModelSettings,
): Promise<SourceModel> {
  const closing: Promise<unknown>[] = [];
  const context = () => callContext({ defer: (work) => closing.push(work.catch(() => undefined)) });
  const asked = { source, connectionInfo, filter, limit: undefined, warnings: [] };
  const { records } = await metadata(services, context(), { kind: "tables", ...asked });
  const unread: string[] = [];
  const constraints = await metadata(services, context(), { kind: "constraints", ...asked }).catch((error: unknown) => {
    // A user may read tables and not the catalogue of constraints: the model then has no relationships, and a note says so.
    unread.push(`foreign keys cannot be read: ${error instanceof Error ? error.message.split("\n")[0] : error}`);
    return { records: [] };
  });
  const facts = await factsOf(services, { source, connectionInfo }, constraints.records);
  await Promise.all(closing);
  const named = modelsOf(records, source, facts);
  const { models, relationships, omitted } = relate(named, facts);
  const unkeyed = records.filter(({ columns }) => columns.length === 0).map((each) => `${each.name} has no columns`);
  return {
    manifest: {
      layoutVersion: 4,
      catalog: name,
      schema: "public",
      dataSource: source.toUpperCase(),
      models,
      ...(relationships.length > 0 && { relationships }),
    },
    omitted: [...unread, ...facts.omitted, ...omitted, ...unkeyed],
  };
}

async function factsOf(
  services: Services,
  { source, connectionInfo }: GivenConnection,
  constraints: Parameters<typeof readSourceFacts>[3],
): Promise<SourceFacts> {
  const { signal } = new AbortController();
  const connector = await services.sources
    .prepare(source, connectionInfo)
    .open({ signal, correlationId: callContext().correlationId });
  try {
    return await readSourceFacts(source, connector, { signal, timeoutMs: TIME_MS }, constraints);
  } finally {
    await connector.close();
  }
}

function modelsOf(records: readonly TableRecord[], source: DataSource, facts: SourceFacts): readonly NamedModel[] {
  const taken = new Set<string>();
  const schemas = new Map<string, Set<string>>();
  for (const { properties } of records) {
    const table = properties?.table ?? "";
    schemas.set(table, (schemas.get(table) ?? new Set()).add(properties?.schema ?? ""));
  }
  return records
    .filter(({ columns }) => columns.length > 0)
    .map((record) => {
      const { properties } = record;
      const table = properties?.table ?? record.name;
      const own = identifierOf(table);
      // Tables of one name in two schemas.
      const isShared = (schemas.get(table)?.size ?? 0) > 1;
      const name = freeName(isShared ? `${identifierOf(properties?.schema ?? "")}_${own}` : own, taken);
      const key = tableKey(properties?.schema, properties?.table);
      const settings = { name, table: referenceOf(record, source), source, renames: "all" } as const;
      const names = columnNames(record.columns, settings.renames);
      return { model: withFacts(modelOfTable(record, settings), record, facts, names), table: key, names };
    });
}

function referenceOf({ name, properties }: TableRecord, source: DataSource): TableReferenceJson {
  if (properties?.path != null) return { table: properties.path.replace(/^\/+/, "") };
  if (properties === null) return { table: name };
  const { catalog, schema, table } = properties;
  return {
    ...(catalog !== null && WITH_CATALOG.has(source) && { catalog }),
    ...(schema !== null && { schema }),
    table: table ?? name,
  };
}

function withFacts(
  model: ModelJson,
  { properties, columns }: TableRecord,
  { uniqueKeys, readMayFail, notNull, decimals }: SourceFacts,
  names: ReadonlyMap<string, string>,
): ModelJson {
  const key = tableKey(properties?.schema, properties?.table);
  const primary = typeof model.primaryKey === "string" ? [model.primaryKey] : (model.primaryKey ?? []);
  const others = (uniqueKeys.get(key) ?? [])
    .map((each) => each.map((column) => names.get(column) ?? column))
    .filter((each) => [...each].sort().join("\0") !== [...primary].sort().join("\0"));
  const factsKey = (at: number): string =>
    JSON.stringify([properties?.schema ?? "", properties?.table ?? "", columns[at]?.name ?? ""]);
  return {
    ...model,
    columns: model.columns.map((column, at) => {
      const type = decimals.get(factsKey(at));
      return {
        ...column,
        ...(type !== undefined && column.type === "DECIMAL" && { type }),
        ...(notNull.has(factsKey(at)) && { notNull: true }),
      };
    }),
    ...(others.length > 0 && { uniqueKeys: others }),
    ...(readMayFail.has(key) && { readMayFail: true }),
  };
}
