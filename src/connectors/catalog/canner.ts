/**
 * Catalogue of the Canner workspace of a connection, by GraphQL (docs/spec/contract.md#metadata-of-each-source): tables,
 * materialized views, views and synonyms. Canner reports no keys. The documents contain no text from outside: the workspace's name
 * is compared in this file.
 */
import { ConnectorFailure } from "../failure.ts";
import { athenaTypeName } from "./athena.ts";
import { text, textOrNull } from "./each-row.ts";
import { catalogMatcher } from "./filter.ts";
import type { CatalogAnswers, CatalogRequest, ColumnRecord, TableRecord } from "./types.ts";

/** Sends one document; resolves with the `data` of the response, of any type. */
export type QueryGraph = (document: string, variables?: Readonly<Record<string, unknown>>) => Promise<unknown>;

export async function readCannerCatalog<K extends CatalogRequest["kind"]>(
  ask: QueryGraph,
  workspace: string,
  request: Extract<CatalogRequest, { kind: K }>,
): Promise<CatalogAnswers[K]> {
  return (await read(ask, workspace, request)) as CatalogAnswers[K];
}

async function read(ask: QueryGraph, workspace: string, request: CatalogRequest): Promise<unknown> {
  switch (request.kind) {
    case "constraints":
      return [];
    case "version":
      return text(member(await ask("query SystemInfo { systemInfo { version } }"), "systemInfo", "version"));
    case "tables": {
      const matches = catalogMatcher(request.filter);
      const found = (await datasetsOf(ask, workspace)).filter(({ name, properties }) =>
        matches({ catalog: CATALOG, schema: properties?.schema ?? null, table: properties?.table ?? name }),
      );
      return found.slice(0, request.limit);
    }
    case "schemas": {
      const matches = catalogMatcher({ ...request.filter, table: "*" });
      const schemas = new Set((await datasetsOf(ask, workspace)).flatMap(({ properties }) => properties?.schema ?? []));
      const listed = [...schemas].sort().filter((schema) => matches({ catalog: CATALOG, schema }));
      return listed.length === 0 || request.limit === 0 ? [] : [{ name: CATALOG, schemas: listed }];
    }
    default:
      return request satisfies never;
  }
}

/** The catalog of every dataset in SQL. */
const CATALOG = "canner";

const DESCRIPTION = "dataMetadata { metadata { description } }";
const COLUMNS = `columns { originalColumn { name type properties } ${DESCRIPTION} }`;
const DATASET = `sqlName ${COLUMNS} ${DESCRIPTION}`;
const DATASETS = `query WorkspaceDatasets($where: WorkspaceDatasetWhereInput!) {
  workspaceDatasets(where: $where) {
    __typename
    ... on Table { ${DATASET} properties }
    ... on MaterializedView { ${DATASET} properties }
    ... on View { ${DATASET} }
    ... on Synonym { ${DATASET} }
  }
}`;

/** Finds the workspace by name. Rejects with `INVALID_CONNECTION` if the user has no such workspace. */
async function datasetsOf(ask: QueryGraph, workspace: string): Promise<readonly TableRecord[]> {
  const workspaces = list(
    member(await ask("query UserMe { userMe { workspaces { id sqlName } } }"), "userMe", "workspaces"),
  );
  const named = workspaces.find((each) => member(each, "sqlName") === workspace);
  if (named === undefined) throw new ConnectorFailure("INVALID_CONNECTION", `Workspace ${workspace} not found`);
  const answer = await ask(DATASETS, { where: { workspaceId: member(named, "id") } });
  const records = list(member(answer, "workspaceDatasets")).map(tableRecord);
  return records.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

function tableRecord(dataset: unknown): TableRecord {
  const [schema, table] = ["schema", "table"].map((name) => textOrNull(member(dataset, "properties", name)));
  return {
    name: named(member(dataset, "sqlName")),
    description: descriptionOf(dataset),
    properties: schema == null ? null : { schema, catalog: CATALOG, table: table ?? null, path: null },
    primaryKey: "",
    columns: list(member(dataset, "columns")).map(columnRecord),
    // Views, materialized views and synonyms; tables are those of the workspace's sources.
    ...(member(dataset, "__typename") !== "Table" && { readMayFail: true }),
  };
}

function columnRecord(column: unknown): ColumnRecord {
  const properties = member(column, "originalColumn", "properties");
  return {
    name: named(member(column, "originalColumn", "name")),
    type: cannerTypeName(text(member(column, "originalColumn", "type"))),
    notNull: isDeniedNull(member(properties, "jdbc-nullable")),
    description: descriptionOf(column),
    properties: isObject(properties) ? properties : null,
    nestedColumns: null,
  };
}

/** JDBC's nullability of a column, as a boolean, a number or a text. */
function isDeniedNull(nullable: unknown): boolean {
  return nullable === false || nullable === 0 || nullable === "false" || nullable === "0";
}

/**
 * The service's names of Trino's types (docs/spec/contract.md#type-names-of-metadata); a type name of the underlying source may
 * occur too.
 */
function cannerTypeName(native: string): string {
  const name = native.toLowerCase();
  return name === "float" ? "FLOAT8" : athenaTypeName(name);
}

function descriptionOf(described: unknown): string | null {
  return textOrNull(member(described, "dataMetadata", "metadata", "description"));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The member at the path; undefined if a value on the path has no members. */
function member(value: unknown, ...path: readonly string[]): unknown {
  let found = value;
  for (const name of path) found = isObject(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  return found;
}

/** Throws `UPSTREAM_PROTOCOL` for anything else. */
function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : notCanner();
}

function named(value: unknown): string {
  return typeof value === "string" && value !== "" ? value : notCanner();
}

function notCanner(): never {
  throw new ConnectorFailure("UPSTREAM_PROTOCOL", "The answer is not that of Canner's GraphQL.", {
    hint: "Check that the host is that of a Canner server.",
  });
}
